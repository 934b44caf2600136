// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/leadership.h"
#include "models/items/elections_model.h"
#include "tests/support/made_elections.h"
#include "tests/support/patience.h"
#include "tests/support/view_shots.h"
#include "views/charts/renew_chart.h"
#include "views/pages/elections/election_detail.h"
#include "views/pages/elections/election_facts.h"
#include "views/pages/elections_page.h"
#include "views/pages/events_page.h"
#include "views/style/shapes.h"
#include "views/style/theme.h"
#include "views/widgets/elections_words.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/facts_table.h"
#include "views/widgets/filter_box.h"
#include "views/widgets/sentence.h"
#include "views/words.h"
#include "views/words_elections.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using election::Election;
using election::State;

namespace {

// The page with every kind of election, as the window has it.
class Stage
{
public:
    explicit Stage(std::vector<Election> elections = made::everyElection())
        : all(std::move(elections))
    {
        page.resize(1080, 620);
        page.setLookup([this](const election::Key &key) {
            const auto at = std::find_if(all.begin(), all.end(), [&](const Election &e) { return e.key == key; });
            return at == all.end() ? std::nullopt : std::optional(*at);
        });
        page.update(made::pointersTo(all), {}, made::now());
        page.show();
    }
    void update(Now now = made::now()) { page.update(made::pointersTo(all), {}, now); }
    template<class Widget>
    Widget *find(const QString &name = {}) const
    {
        return page.findChild<Widget *>(name);
    }
    QStringList names() const
    {
        QStringList shown;
        for (const election::Key &key : page.shown())
            shown << QString::fromStdString(key.name);
        return shown;
    }
    void clickRow(const QString &name)
    {
        const QRect cell = page.table()->visualRect(page.table()->model()->index(int(names().indexOf(name)), 1));
        QTest::mouseClick(page.table()->viewport(), Qt::LeftButton, {}, cell.center());
        QTRY_COMPARE(page.chosen() ? QString::fromStdString(page.chosen()->name) : QString(), name);
    }
    void clickTab(int index)
    {
        QTabBar *bar = find<QTabWidget>()->tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(index).center());
    }
    const QTableView *table(const QString &accessibleName) const
    {
        for (const QTableView *view : page.findChildren<QTableView *>())
            if (view->accessibleName() == accessibleName)
                return view;
        return nullptr;
    }
    // What banners and labels say, all together.
    QString said() const
    {
        QStringList texts;
        for (const QLabel *label : page.findChildren<QLabel *>())
            if (label->isVisible())
                texts << label->text();
        return texts.join(u'\n');
    }

    std::vector<Election> all;
    ElectionsPage page;
};

Election stateOf(State state)
{
    Election e = made::lease("ns", "lock", "a_1");
    switch (state) {
    case State::Orphaned:
    case State::Evicted:
    case State::Preempted:
    case State::Terminating:
    case State::NodeNotReady:
    case State::Recreated: return made::forLife(state, "lock", "web-0");
    case State::Late: return made::silentFor(e, state, 8s);
    case State::Expired: return made::silentFor(e, state, 24s);
    case State::Stuck: return made::silentFor(e, state, 97s);
    case State::Released: e.holder.reset(); break;
    case State::Stale: e.freshness = patroni::Freshness::Stale; break;
    case State::Invalid:
        e.holder.reset();
        e.defects = {{"lock", "ownerReferences", "several-owners"}};
        break;
    case State::Unverified:
        e.changedNotAfter.reset();
        e.expiresAt.reset();
        break;
    case State::Held: break;
    }
    e.state = state;
    return e;
}

} // namespace

class TestElectionsPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, Theme::Light); }

    void troubledOnesFirstAndNoiseHidden()
    {
        Stage stage;
        QCOMPARE(stage.names().mid(0, 3), (QStringList{u"vault-sync"_s, u"reindex"_s, u"old-job"_s}));
        QCOMPARE(stage.names().size(), qsizetype(stage.all.size()) - 3);
        QVERIFY(stage.find<Sentence>()->text().startsWith(u"13 elections: 1 stuck, 1 expired"));
        QVERIFY(stage.find<Sentence>()->text().contains(u"operators / vault-sync: stuck, 1 min 22 s over."));
        QTRY_COMPARE(stage.page.chosen()->name, std::string("vault-sync")); // the worst is open
        QTRY_VERIFY(stage.page.detail()->sentence().contains(u"health check would fail now"));
        auto *box = stage.find<QCheckBox>();
        QVERIFY(box->text().remove(u'&').contains(u"(3 hidden)"));
        QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
        QCOMPARE(stage.names().size(), qsizetype(stage.all.size()));
        QVERIFY(stage.names().contains(u"pg-node-1"_s));
        QVERIFY(!box->text().contains(u"hidden"));
        QVERIFY(stage.find<Sentence>()->text().startsWith(u"16 elections"));
    }

    void filters()
    {
        Stage stage;
        auto *kind = stage.find<QComboBox>();
        kind->setFocus();
        kind->setCurrentIndex(kind->findText(u"leader for life"_s));
        QCOMPARE(stage.names(), (QStringList{u"legacy-operator-lock"_s, u"queue-lock"_s, u"cache-operator-lock"_s}));
        QTest::keyClicks(stage.find<FilterBox>(), u"orphaned operators"_s);
        QTRY_COMPARE(stage.names(), QStringList{u"legacy-operator-lock"_s});
        QTRY_VERIFY(stage.said().contains(u"1 of 13 shown"));
        QTest::keyClicks(stage.find<FilterBox>(), u"x"_s);
        QTRY_COMPARE(stage.find<EmptyState>()->title(), u"Nothing matches"_s);
        QVERIFY(stage.find<EmptyState>()->isVisible());
        stage.page.choose(stage.all.front().key); // from elsewhere: whatever the filters say
        QCOMPARE(stage.page.chosen()->name, std::string("kube-scheduler"));
    }

    void chosenByAClick()
    {
        Stage stage;
        stage.clickRow(u"pooler"_s);
        QTRY_VERIFY(stage.page.detail()->sentence().startsWith(u"pooler-7c9d_2b41 leads since"));
        QVERIFY(stage.page.detail()->sentence().contains(u"by our clock"));
        QVERIFY(stage.said().contains(u"pooler-7c9d, Running"));
        stage.clickTab(1);
        auto *holders = stage.find<QTabWidget>()->currentWidget();
        auto *table = qobject_cast<QTableView *>(holders);
        QVERIFY(table);
        QCOMPARE(table->model()->rowCount(), 3);
        QCOMPARE(table->model()->index(0, 1).data().toString(), u"taken over"_s);
        QCOMPARE(table->model()->index(0, 4).data().toString(), u"10 s"_s);
        QVERIFY(table->model()->index(0, 7).data().toString().contains(u"OOMKilled"));
    }

    void rawRecordIsCopied()
    {
        Stage stage;
        stage.clickRow(u"pooler"_s);
        stage.clickTab(2);
        auto *raw = stage.find<QPlainTextEdit>();
        QTRY_VERIFY(raw->isVisible());
        QVERIFY(raw->isReadOnly());
        QTRY_VERIFY(raw->toPlainText().contains(u"pooler-7c9d_2b41"));
        QTest::mouseClick(stage.find<QPushButton>(u"copyRecord"_s), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), raw->toPlainText());
    }

    void disagreementNamesBothRecords()
    {
        Stage stage;
        stage.clickRow(u"scheduler"_s);
        QTRY_VERIFY(stage.page.detail()->warning().contains(u"the Lease names scheduler-a_5f1c"));
        QVERIFY(stage.page.detail()->warning().contains(u"the Endpoints' annotation names scheduler-b_77aa"));
        QVERIFY(stage.page.detail()->warning().contains(u"leaderelection.k8s.io/unknown"));
    }

    void defectsAreSaid()
    {
        Stage stage;
        stage.clickRow(u"old-job"_s);
        QTRY_VERIFY(stage.page.detail()->warning().contains(u"no JSON object"));
        QVERIFY(stage.page.detail()->sentence().startsWith(u"Invalid"));
    }

    // What ended left nobody behind; who led before anybody looked is unknown.
    void anEndLeavesNobody()
    {
        Election ended = made::lease("ns", "lock", "a");
        ended.changes.clear();
        using election::ChangeKind;
        for (const ChangeKind kind : {ChangeKind::FirstSeen, ChangeKind::Gone, ChangeKind::Expired, ChangeKind::Released}) {
            election::HolderChange change;
            change.kind = kind;
            ended.changes.push_back(change);
        }
        const auto rows = holderRows(ended); // newest first
        QCOMPARE(rows.size(), qsizetype(4));
        for (int i = 0; i < 3; ++i)
            QCOMPARE(rows.at(i).cells.at(3).toString(), u"nobody"_s);
        QVERIFY(!rows.at(3).cells.at(2).isValid());
    }

    void cadence()
    {
        const Election e = made::lease("ns", "lock", "a");
        const RenewData renewals = electionRenewals(e, made::now());
        QVERIFY(renewals.lease);
        QCOMPARE(renewals.points.size(), qsizetype(e.renewals.size()));
        QCOMPARE(renewals.ttl, 15.0);
        QCOMPARE(*renewals.inTime, 7.0); // the rhythm and a third of the lease
        QCOMPARE(*renewals.open, 1.0);
        Election unknown = e;
        unknown.duration.reset();
        unknown.rhythm.reset();
        QCOMPARE(electionRenewals(unknown, made::now()).ttl, 0.0);
        QVERIFY(!electionRenewals(unknown, made::now()).inTime);
        Stage stage;
        stage.clickRow(u"pooler"_s);
        QTRY_COMPARE(stage.find<RenewChart>()->data().points.size(), qsizetype(60));
        QVERIFY(stage.find<RenewChart>()->isVisible());
        stage.clickRow(u"queue-lock"_s); // a leader for life does not renew
        QTRY_VERIFY(!stage.find<RenewChart>()->isVisible());
    }

    // No interval tells of the renewal that did not come.
    void anExpiryIsNoRenewal()
    {
        Election e = made::lease("ns", "lock", "a");
        election::HolderChange change;
        change.kind = election::ChangeKind::Expired;
        change.wall = made::now(-30s).wall;
        e.changes.push_back(change);
        Stage stage(std::vector<Election>{e});
        stage.clickRow(u"lock"_s);
        QTRY_VERIFY2(stage.said().contains(u" late. The lease ran out once: that is no renewal."_s), qPrintable(stage.said()));
        ElectionPast past;
        change.wall = made::now(-50min).wall; // an archive's, before this run's first
        past.changes = {change};
        QCOMPARE(electionRenewals(e, made::now(), past).ranOut.size(), 2);
    }

    static election::HolderChange changeAt(Instant wall, const char *from, const char *to)
    {
        election::HolderChange change;
        change.kind = election::ChangeKind::TakenOver;
        change.from = from;
        change.to = to;
        change.wall = wall;
        return change;
    }

    // What the archive remembers comes before all that this run knows, each once.
    void whatWasBefore_data()
    {
        QTest::addColumn<QList<int>>("own"); // seconds
        QTest::addColumn<QList<int>>("archived");
        QTest::addColumn<int>("before");
        QTest::newRow("nothing of this run") << QList<int>{} << QList<int>{0, 10} << 2;
        QTest::newRow("this run's are in it, too") << QList<int>{20, 30} << QList<int>{0, 10, 20, 30} << 2;
        QTest::newRow("all are this run's") << QList<int>{0, 10} << QList<int>{0, 10} << 0;
        QTest::newRow("nothing archived") << QList<int>{0, 10} << QList<int>{} << 0;
    }
    void whatWasBefore()
    {
        QFETCH(QList<int>, own);
        QFETCH(QList<int>, archived);
        Election e = made::lease("ns", "lock", "a");
        e.changes.clear();
        const auto wall = [](int second) { return made::now().wall + std::chrono::seconds(second); };
        for (const int second : own)
            e.changes.push_back(changeAt(wall(second), "a", "b"));
        ElectionPast past;
        for (const int second : archived)
            past.changes.push_back(changeAt(wall(second), "c", "a"));
        QTEST(int(changesBefore(e, past).size()), "before");
        const auto rows = holderRows(e, past);
        QCOMPARE(rows.size(), qsizetype(changesBefore(e, past).size() + e.changes.size()));
        for (qsizetype i = 0; i < rows.size(); ++i)
            QCOMPARE(rows[i].cells[6].toString(), i < own.size() ? u"seen"_s : u"archive"_s);
    }

    void anArchiveRemembers()
    {
        Stage stage;
        QSignalSpy wanted(&stage.page, &ElectionsPage::shownInDetail);
        stage.clickRow(u"pooler"_s);
        QTRY_VERIFY(!wanted.isEmpty());
        const election::Key key = *stage.page.chosen();
        QTRY_COMPARE(wanted.last().at(0).value<election::Key>(), key);
        const auto asked = wanted.size();
        const auto *chart = stage.find<RenewChart>();
        QTRY_COMPARE(chart->data().points.size(), qsizetype(60));
        const Instant first(std::chrono::floor<std::chrono::minutes>(chart->data().points.first().at.time_since_epoch()));
        ElectionPast past;
        for (int i = 30; i > 0; --i)
            if (i < 12 || i > 16)
                past.renewals.append({first - std::chrono::minutes(i), 30, 2s, i == 5 ? 8s : 3s});
        past.changes = {changeAt(first - 65min, "pooler-old_0", "pooler-old_1"), changeAt(first - 60min, "pooler-old_1", "pooler-new_2")};
        past.notes[0] = QStringList{u"note of eva: as planned"_s};
        election::Key other = key;
        other.name = "another";
        stage.page.setPast(other, past); // one that is not looked at any more
        QVERIFY(chart->data().minutes.isEmpty());
        stage.page.setPast(key, past);
        QCOMPARE(chart->data().minutes.size(), qsizetype(25));
        made::shoot(stage.page, u"elections-archive"_s);
        stage.clickTab(1);
        const auto *holders = stage.table(u"Holders of the election"_s);
        QVERIFY(holders);
        const int oldest = holders->model()->rowCount() - 1;
        QCOMPARE(holders->model()->index(oldest, 6).data().toString(), u"archive"_s);
        QCOMPARE(holders->model()->index(oldest, 7).data().toString(), u"note of eva: as planned"_s);
        QCOMPARE(holders->model()->index(oldest - 1, 7).data().toString(), u"\u2013"_s);
        made::shoot(stage.page, u"elections-archive-holders"_s);
        stage.update(made::now(2s)); // it stays, and is not asked for again
        QTRY_COMPARE(chart->data().now, made::now(2s).wall);
        QCOMPARE(chart->data().minutes.size(), qsizetype(25));
        QCOMPARE(wanted.size(), asked);
        stage.clickRow(u"scheduler"_s);
        QTRY_COMPARE(wanted.size(), asked + 1);
        QVERIFY(chart->data().minutes.isEmpty());
    }

    // What the events say is what is shown: which API server, and how many of what.
    void severalLateSuspectTheServer()
    {
        Stage stage;
        QVERIFY(!stage.said().contains(u"suspect the API server"));
        const LateLocks::Together one{"https://one:6443", {"prod", "prod-admin"}, 4, 6}, locks{"https://one:6443", {"prod"}, 3, 3};
        stage.page.setLateTogether({}, {one});
        QVERIFY(stage.said().contains(u"4 of 6 other elections at https://one:6443 are late at once: suspect the API server, or the way to "
                                      u"it, before their holders."));
        stage.page.setLateTogether({locks}, {one, {"", {"lab"}, 3, 4}});
        QVERIFY(stage.said().contains(u"3 of 3 locks of Patroni clusters and 4 of 6 other elections at https://one:6443 are late at once"));
        QVERIFY(stage.said().contains(u"3 of 4 other elections of context lab are late at once"));
        stage.page.setLateTogether({}, {});
        QVERIFY(!stage.said().contains(u"suspect the API server"));
    }

    // Every state has a shape beside its colour and its word.
    void everyStateHasAShape()
    {
        Election e = made::lease("ns", "lock", "a");
        std::map<QString, QSet<QString>> shapes; // which states share one
        for (int i = 0; i < election::stateCount; ++i) {
            e.state = static_cast<State>(i);
            const QString shape = shapeText(toneOf(e));
            QVERIFY2(!shape.isEmpty(), qPrintable(views::words(e.state)));
            shapes[shape] += views::words(e.state);
        }
        e.state = State::Released;
        QCOMPARE(shapes[shapeText(toneOf(e))], QSet<QString>{views::words(State::Released)}); // like no other
        for (const Tone tone : {Tone::Good, Tone::Warning, Tone::Bad, Tone::Unknown, Tone::Paused, Tone::Leader, Tone::Free}) {
            for (const bool dark : {false, true}) {
                QPalette colours;
                colours.setColor(QPalette::Window, dark ? QColor(0x0d, 0x11, 0x17) : QColor(Qt::white));
                const QImage drawn = shapePixmap(tone, colours, 24).toImage();
                int inked = 0;
                for (int y = 0; y < drawn.height(); ++y)
                    for (int x = 0; x < drawn.width(); ++x)
                        inked += qAlpha(drawn.pixel(x, y)) > 128 ? 1 : 0;
                QVERIFY(inked > 24);
            }
        }
    }

    // Not kept is not unknown.
    void aLeaderForLifeCountsNoTransitions()
    {
        Election e = made::forLife(State::Held, "queue-lock", "queue-0");
        const auto cell = [](const Election &of) { return holderRows(of, {}).front().cells.at(5); };
        QVERIFY(cell(e).isValid() && cell(e).toString().isEmpty());
        QVERIFY(!cell(made::lease("ns", "lock", "a")).isValid()); // not told: unknown
        FactsTable table(u"Holders"_s, holderColumns(), {});
        table.set(holderRows(e, {}));
        const QModelIndex index = table.model()->index(0, 5);
        QCOMPARE(index.data().toString(), u"\u2013"_s);
        QVERIFY(index.data(Qt::ToolTipRole).toString().startsWith(u"none kept"_s));
        QCOMPARE(index.data(Qt::AccessibleTextRole).toString(), u"Transitions: none"_s);
        items::ElectionsModel model;
        model.update({&e}, made::now());
        ElectionsWords words(&model);
        const QModelIndex shown = words.index(0, items::ElectionsModel::Transitions);
        QCOMPARE(shown.data().toString(), u"\u2013"_s);
        QVERIFY(shown.data(Qt::ToolTipRole).toString().startsWith(u"none kept"_s));
    }

    // Patroni's own word for it.
    void patronisLocksHaveATtl()
    {
        Election e = made::lease("ns", "acme", "acme-0");
        QVERIFY(electionRenewals(e, made::now()).lease);
        items::ElectionsModel model;
        e.key.family = election::Family::Patroni;
        e.kind = election::Kind::Patroni;
        QVERIFY(!electionRenewals(e, made::now()).lease);
        model.update({&e}, made::now());
        ElectionsWords words(&model);
        QCOMPARE(words.index(0, items::ElectionsModel::Lasts).data(Qt::ToolTipRole).toString(), u"ttl: 15 s"_s);
        QVERIFY(explained(e).contains(u"within its ttl"_s));
    }

    // What was not seen is not called broken.
    void aConfigMapThatWasNotSeenWhole()
    {
        Election e = made::forLife(State::Unverified, "package-lock", "x");
        e.owners.clear();
        e.holder.reset();
        e.dataUnseen = true;
        QVERIFY(electionHeadline(e, made::now()).startsWith(u"Not known whether this is a lock"_s));
        QVERIFY(explained(e).contains(u"with data it is an ordinary ConfigMap"_s));
        QCOMPARE(toneOf(e), Tone::Unknown);
    }

    void whatIsNotReadIsSaid()
    {
        Stage stage;
        election::Source refused{"prod-eu", "payments", Resource::Leases, patroni::Freshness::Forbidden, Error{}};
        election::Source missing{"lab", "", Resource::Leases, patroni::Freshness::Connecting, Error{}};
        missing.error->kind = ErrorKind::NotFound;
        election::Source silent{"lab", "", Resource::Endpoints, patroni::Freshness::Stale, {}};
        const election::Source nodes{"lab", "", Resource::Nodes, patroni::Freshness::Forbidden, Error{}};
        stage.page.setSources({refused, missing, silent, nodes});
        const QString said = stage.said();
        QVERIFY(said.contains(u"Leases in payments of context prod-eu may not be read: there may be elections that are not shown"));
        QVERIFY(said.contains(u"Leases of context lab: this API server has none"));
        QVERIFY(said.contains(u"Nodes of context lab may not be read: whether a lock's node is ready is unknown"));
        QVERIFY(said.contains(u"Endpoints of context lab: no answer; what is shown is old"));
        stage.page.setSources({});
        QVERIFY(!stage.said().contains(u"may not be read"));
    }

    void emptyIsNotUnread_data()
    {
        QTest::addColumn<patroni::Freshness>("freshness");
        QTest::addColumn<QString>("title");
        QTest::newRow("live") << patroni::Freshness::Live << u"No elections"_s;
        QTest::newRow("connecting") << patroni::Freshness::Connecting << u"Connecting"_s;
        QTest::newRow("forbidden") << patroni::Freshness::Forbidden << u"Not known which elections there are"_s;
        QTest::newRow("stale") << patroni::Freshness::Stale << u"Not known which elections there are"_s;
    }

    void emptyIsNotUnread()
    {
        QFETCH(patroni::Freshness, freshness);
        QFETCH(QString, title);
        Stage stage(std::vector<Election>{});
        stage.page.setSources({{"prod-eu", "payments", Resource::Leases, freshness, {}}});
        QCOMPARE(stage.find<EmptyState>()->title(), title);
        QVERIFY(stage.find<EmptyState>()->isVisible());
    }

    void onlyNoiseIsSaid()
    {
        Stage stage(std::vector<Election>{made::heartbeat(1)});
        QVERIFY(stage.said().contains(u"which are hidden"));
        QVERIFY(stage.find<QCheckBox>()->isVisible());
    }

    void saysEveryState_data()
    {
        QTest::addColumn<State>("state");
        QTest::addColumn<QString>("headline");
        QTest::newRow("held") << State::Held << u"a_1 leads since"_s;
        QTest::newRow("late") << State::Late << u"the renewal is late: record renewed 8 s ago; 7 s left of 15 s"_s;
        QTest::newRow("expired") << State::Expired << u"Nobody leads: the record of a_1 expired 9 s ago and nobody has taken it"_s;
        QTest::newRow("stuck") << State::Stuck << u"its holder's own health check would fail now"_s;
        QTest::newRow("released") << State::Released << u"Released: free, nobody leads"_s;
        QTest::newRow("unverified") << State::Unverified << u"Not known who leads; the record names a_1; no renewal has been seen yet"_s;
        QTest::newRow("stale") << State::Stale << u"Not known who leads now: no answer from the API server; a_1 held it, as of"_s;
        QTest::newRow("orphaned") << State::Orphaned << u"the Pod web-0 is gone; the lock waits for the garbage collector"_s;
        QTest::newRow("evicted") << State::Evicted << u"Evicted: the Pod web-0"_s;
        QTest::newRow("preempted") << State::Preempted << u"Preempted: the Pod web-0"_s;
        QTest::newRow("terminating") << State::Terminating << u"its Pod is being deleted"_s;
        QTest::newRow("node-not-ready") << State::NodeNotReady << u"its Pod's node is not ready"_s;
        QTest::newRow("recreated") << State::Recreated << u"its uid is new"_s;
        QTest::newRow("invalid") << State::Invalid << u"Invalid: it has several owners, and it takes exactly one Pod"_s;
    }

    void saysEveryState()
    {
        QFETCH(State, state);
        QFETCH(QString, headline);
        const Election e = stateOf(state);
        QVERIFY2(electionHeadline(e, made::now()).contains(headline), qPrintable(electionHeadline(e, made::now())));
        QVERIFY(!explained(e).isEmpty());
        QVERIFY(words(state) != u"unknown"_s);
        // A connection that is silent, or an object that nobody vouches for, never says that somebody leads.
        if (!election::leads(state))
            QVERIFY(!electionHeadline(e, made::now()).contains(u" leads since"));
    }

    // When it ran out is only known to be so long ago, or longer.
    void neverSeenToBeRenewed()
    {
        for (const State state : {State::Expired, State::Stuck}) {
            Election e = stateOf(state);
            const QString known = recordText(e, made::now()), seen = electionHeadline(e, made::now());
            e.changedNotBefore.reset();
            e.changedNotAfter.reset();
            const QString headline = electionHeadline(e, made::now()), cell = recordText(e, made::now());
            QVERIFY2(headline.contains(u" s ago or before and nobody has taken it"_s), qPrintable(headline));
            QCOMPARE(cell, u"at least "_s + known);
            QVERIFY(!seen.contains(u"or before"_s));
        }
    }

    void aPatroniLockLeadsToItsCluster()
    {
        Election patroni = made::lease("payments", "acme", "acme-1");
        patroni.key.family = election::Family::Patroni;
        patroni.kind = election::Kind::Patroni;
        Stage stage(std::vector<Election>{patroni});
        QSignalSpy spy(&stage.page, &ElectionsPage::patroniRequested);
        stage.clickRow(u"acme"_s);
        QTest::keyClick(stage.page.table(), Qt::Key_Return);
        QCOMPARE(spy.size(), 1);
    }

    void eventSentences_data()
    {
        using Detail = std::map<std::string, std::string>;
        QTest::addColumn<EventCode>("type");
        QTest::addColumn<Detail>("detail");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("first seen") << EventCode::ElectionLeader << Detail{{"to", "a_1"}, {"how", "first-seen"}}
                                    << u"Lease lock: a_1 leads, as seen for the first time."_s;
        QTest::newRow("taken over") << EventCode::ElectionLeader
                                    << Detail{{"to", "b_1"}, {"from", "a_1"}, {"how", "taken-over"}, {"gap", "10.5"}}
                                    << u"Lease lock: b_1 leads now, before it a_1; nobody did for 10 s."_s;
        QTest::newRow("soon") << EventCode::ElectionLeader << Detail{{"to", "b_1"}, {"from", "a_1"}, {"how", "taken-over"}, {"gap", "0.4"}}
                              << u"Lease lock: b_1 leads now, before it a_1; nobody did for 0.4 s."_s;
        QTest::newRow("at once") << EventCode::ElectionLeader
                                 << Detail{{"to", "b_1"}, {"from", "a_1"}, {"how", "taken-over"}, {"gap", "0.0"}}
                                 << u"Lease lock: b_1 leads now, before it a_1; nobody did for less than 0.1 s."_s;
        QTest::newRow("released") << EventCode::ElectionStopped << Detail{{"holder", "a_1"}, {"how", "released"}}
                                  << u"Lease lock: a_1 released it; nobody leads."_s;
        QTest::newRow("expired") << EventCode::ElectionStopped << Detail{{"holder", "a_1"}, {"how", "expired"}}
                                 << u"Lease lock: the record of a_1 expired; nobody leads."_s;
        QTest::newRow("orphaned") << EventCode::ElectionStopped
                                  << Detail{{"election", "leader-for-life"}, {"holder", "web-0"}, {"how", "orphaned"}}
                                  << u"leader for life lock: its Pod web-0 is gone; the lock waits for the garbage collector."_s;
        QTest::newRow("late") << EventCode::ElectionLate << Detail{{"holder", "a_1"}, {"seconds", "8"}}
                              << u"Lease lock: the renewal by a_1 is late: none for 8 s."_s;
        QTest::newRow("disagree") << EventCode::ElectionDisagreement << Detail{{"lease", "a_1"}, {"annotation", "b_1"}}
                                  << u"Lease lock: its two records disagree: the Lease names a_1, the annotation b_1."_s;
        QTest::newRow("evidence") << EventCode::ElectionEvidence
                                  << Detail{{"reason", "LeaderElection"}, {"message", "a_1 became leader"}, {"source", "scheduler"}}
                                  << u"Lease lock: scheduler says: LeaderElection: a_1 became leader."_s;
    }

    void eventSentences()
    {
        using Detail = std::map<std::string, std::string>;
        QFETCH(EventCode, type);
        QFETCH(Detail, detail);
        Event event;
        event.type = type;
        event.object = "lock";
        event.detail = detail;
        event.detail.try_emplace("election", "leases");
        QTEST(eventSentence(event), "sentence");
    }

    // On the page of events they name their election, and lead to it; they belong to no cluster.
    void eventsOfElections()
    {
        Event event;
        event.type = EventCode::ElectionLeader;
        event.cluster.context = "prod-eu";
        event.cluster.ns = "payments";
        event.object = "pooler";
        event.wall = made::now().wall;
        event.detail = {{"election", "leases"}, {"to", "pooler-1"}, {"how", "taken-over"}};
        QVERIFY(!concerns(event, {"prod-eu", "payments", "pooler", {}, "pooler"}));
        items::EventsModel events;
        EventsPage page(&events);
        page.resize(1000, 400);
        page.show();
        events.append({event});
        const QAbstractItemModel *rows = page.table()->model();
        QCOMPARE(rows->index(0, items::EventsModel::Scope).data().toString(), u"election pooler"_s);
        QCOMPARE(rows->index(0, items::EventsModel::Namespace).data().toString(), u"payments"_s);
        QSignalSpy election(&page, &EventsPage::electionOpened), cluster(&page, &EventsPage::opened);
        page.table()->selectRow(0);
        page.focusTable();
        QTest::keyClick(page.table(), Qt::Key_Return);
        QCOMPARE(election.size(), 1);
        QCOMPARE(election.front().front().value<election::Key>(),
                 (election::Key{"prod-eu", "payments", "pooler", election::Family::ClientGo}));
        QCOMPARE(cluster.size(), 0);
    }

    void elsewhereNothingIsOffered()
    {
        Stage stage;
        QStringList buttons;
        for (const QPushButton *button : stage.page.findChildren<QPushButton *>())
            buttons << button->text().remove(u'&');
        for (const QString &text : buttons) // read-only by nature
            QVERIFY2(text.startsWith(u"Copy") || text.startsWith(u"Save picture"), qPrintable(text));
    }
};

QTEST_MAIN(TestElectionsPage)
#include "tst_elections_page.moc"
