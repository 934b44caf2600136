// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_clusters.h"
#include "tests/support/view_shots.h"
#include "views/pages/cluster/action_buttons.h"
#include "views/pages/cluster/config_view.h"
#include "views/pages/cluster/members_view.h"
#include "views/pages/cluster/objects_view.h"
#include "views/pages/cluster/parts.h"
#include "views/pages/cluster/request_steps.h"
#include "views/pages/cluster_page.h"
#include "views/widgets/cell_roles.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTreeWidgetItemIterator>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using patroni::RequestStep;

using Maker = patroni::Cluster (*)();
Q_DECLARE_METATYPE(Maker)

class TestClusterPage : public QObject
{
    Q_OBJECT

    static QPushButton *button(QWidget &page, const QString &word)
    {
        for (auto *b : page.findChildren<QPushButton *>())
            if (b->text().remove(u'&').startsWith(word))
                return b;
        return nullptr;
    }
    static QString cell(QWidget &page, int row, int column)
    {
        const auto *view = page.findChild<MembersView *>();
        return view->model()->index(row, column).data().toString();
    }
    static patroni::Cluster dueStep() { return made::inFlight(RequestStep::Due); }
    static patroni::Cluster steppingDown() { return made::inFlight(RequestStep::SteppingDown); }
    static patroni::Cluster leaderless() { return made::inFlight(RequestStep::Leaderless); }
    static patroni::Cluster promoted() { return made::inFlight(RequestStep::Promoted); }
    static patroni::Cluster decided() { return made::inFlight(RequestStep::Decided); }
    static patroni::Cluster refused()
    {
        auto c = made::refused(patroni::Refusal::NotSyncStandby);
        c.requests.back().certain = false; // as every refusal
        return c;
    }
    static patroni::Cluster erasedInGap()
    {
        auto c = refused();
        c.requests.back().outcome = patroni::Outcome::Erased;
        return c;
    }
    static patroni::Cluster before()
    {
        auto c = dueStep();
        c.requests.back().writtenBefore = true;
        return c;
    }
    static patroni::Cluster onlyTime()
    {
        auto c = made::healthy();
        c.failover = made::scheduled().failover;
        c.failover->leader.reset();
        c.failover->member.reset();
        return c;
    }
    static patroni::Cluster unverified()
    {
        auto c = made::healthy();
        c.lock.state = patroni::LockState::Unverified;
        c.lock.changedNotBefore.reset();
        c.lock.changedNotAfter.reset();
        return c;
    }
    static patroni::Cluster late()
    {
        auto c = made::healthy();
        c.lock.late = true;
        c.lock.changedNotBefore = c.lock.changedNotAfter = made::now(-23s).boot;
        c.lock.expiresAt = made::now(7s).boot;
        c.health = {patroni::Health::Degraded, {{patroni::HealthReason::LateRenewal, {}, {}}}};
        return c;
    }

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, Theme::Light); }

    // Every state says its words; nothing says 0 for unknown.
    void words_data()
    {
        QTest::addColumn<Maker>("make");
        QTest::addColumn<QStringList>("said");
        QTest::addColumn<QStringList>("unsaid");
        QTest::newRow("healthy") << Maker(made::healthy) << QStringList{u"acme-1 leads for 3 h 12 min"_s,
                                                                        u"26 s to expiry"_s,
                                                                        u"held"_s,
                                                                        u"nothing pending"_s,
                                                                        u"30 s"_s,
                                                                        u"10 s"_s,
                                                                        u"Nothing is pending."_s,
                                                                        u"leader's clock"_s,
                                                                        u"on, 1 of 1"_s}
                                 << QStringList{u"Stale"_s, u"Paused"_s};
        QTest::newRow("stale") << Maker(made::stale)
                               << QStringList{u"Stale, as of"_s, u"48 s ago"_s, u"not known while stale"_s,
                                              u"Blocked while the view is stale"_s, u"Nothing was pending when last seen."_s}
                               << QStringList{u"expired"_s, u"to expiry"_s, u"Nothing is pending"_s};
        QTest::newRow("expired") << Maker(made::expired)
                                 << QStringList{u"expired 42 s ago"_s, u"was acme-1"_s, u"lock expired and nobody took it"_s,
                                                u"acme-1 is down"_s, u"nobody leads"_s}
                                 << QStringList{u"Stale"_s};
        QTest::newRow("unverified") << Maker(unverified) << QStringList{u"unverified"_s, u"not seen yet"_s, u"left at most"_s}
                                    << QStringList{};
        QTest::newRow("late") << Maker(late) << QStringList{u"late"_s, u"7 s to expiry"_s, u"23 s ago"_s} << QStringList{};
        QTest::newRow("paused") << Maker(made::paused)
                                << QStringList{u"Paused since before we looked: Patroni runs no automatic failover"_s} << QStringList{};
        QTest::newRow("scheduled") << Maker(made::scheduled)
                                   << QStringList{u"scheduled"_s, u"2031-02-01 15:16:00 UTC"_s, u"in 2 h 13 min"_s, u"Not inert"_s}
                                   << QStringList{u"last:"_s};
        QTest::newRow("outage") << Maker(made::outage)
                                << QStringList{u"outage"_s, u"\"tomorrow\""_s, u"goes read-only. Cancel this request now"_s}
                                << QStringList{};
        QTest::newRow("refused") << Maker(refused)
                                 << QStringList{u"last: refused"_s, u"was not a synchronous standby"_s, u"inferred from the objects"_s}
                                 << QStringList{u"stepped down"_s, u"gap"_s};
        QTest::newRow("erased in a gap") << Maker(erasedInGap) << QStringList{u"our view had a gap"_s} << QStringList{u"inferred"_s};
        QTest::newRow("before the start") << Maker(before) << QStringList{u"written before 2031-02-01 13:02:02 UTC"_s} << QStringList{};
        QTest::newRow("only a time") << Maker(onlyTime) << QStringList{u"only a time is set"_s} << QStringList{u"Nothing is pending"_s};
        QTest::newRow("blank") << Maker(made::blank) << QStringList{u"unknown"_s} << QStringList{u"0 s to expiry"_s};
    }
    void words()
    {
        QFETCH(Maker, make);
        QFETCH(QStringList, said);
        QFETCH(QStringList, unsaid);
        ClusterPage page;
        page.setCluster(make(), made::now());
        page.show();
        const QString all = made::shownWords(page);
        for (const QString &text : said)
            QVERIFY2(all.contains(text), qPrintable(text + u"\nnot in:\n"_s + all));
        for (const QString &text : unsaid)
            QVERIFY2(!all.contains(text), qPrintable(text + u"\nin:\n"_s + all));
        QCOMPARE(made::namelessWidgets(page), QStringList{});
        made::shoot(page, u"cluster-"_s + QLatin1String(QTest::currentDataTag()));
    }

    void steps_data()
    {
        QTest::addColumn<Maker>("make");
        QTest::addColumn<QStringList>("texts");
        QTest::addColumn<int>("current"); // index of the step under way, -1: none
        QTest::newRow("due") << Maker(dueStep) << QStringList{u"written"_s,        u"waiting for acme-1 to read it"_s,
                                                              u"leaderless"_s,     u"acme-2 takes the lock"_s,
                                                              u"a new timeline"_s, u"replicas streaming"_s}
                             << 1;
        QTest::newRow("stepping down") << Maker(steppingDown) << QStringList{u"written"_s,        u"acme-1 steps down"_s,
                                                                             u"leaderless"_s,     u"acme-2 takes the lock"_s,
                                                                             u"a new timeline"_s, u"replicas streaming"_s}
                                       << 1;
        QTest::newRow("leaderless") << Maker(
            leaderless) << QStringList{u"written"_s,        u"acme-1 stepped down"_s, u"leaderless for 4 s"_s, u"acme-2 takes the lock"_s,
                                       u"a new timeline"_s, u"replicas streaming"_s}
                                    << 2;
        QTest::newRow("promoted") << Maker(promoted) << QStringList{u"written"_s,      u"acme-1 stepped down"_s, u"leaderless for 1.2 s"_s,
                                                                    u"acme-2 leads"_s, u"a new timeline"_s,      u"replicas streaming"_s}
                                  << 4;
        QTest::newRow("decided") << Maker(decided)
                                 << QStringList{u"written"_s,      u"acme-1 stepped down"_s, u"leaderless for 1.2 s"_s,
                                                u"acme-2 leads"_s, u"timeline 9"_s,          u"1 of 2 replicas streaming"_s}
                                 << 5;
        QTest::newRow("refused") << Maker(refused) << QStringList{u"written"_s, u"refused"_s} << -1;
        QTest::newRow("scheduled") << Maker(made::scheduled) << QStringList{u"written"_s, u"waiting for its time"_s} << 1;
    }
    void steps()
    {
        QFETCH(Maker, make);
        QFETCH(int, current);
        const auto cluster = make();
        const auto steps = requestSteps(cluster.requests.back(), made::now());
        QStringList texts;
        int under = -1;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            texts << steps[i].text;
            if (under < 0 && steps[i].state == StepState::Current)
                under = static_cast<int>(i);
        }
        QTEST(texts, "texts");
        QCOMPARE(under, current);
        QVERIFY(steps.front().time.contains(u"UTC"_s));
        ClusterPage page;
        page.setCluster(cluster, made::now());
        page.show();
        QVERIFY(made::shownWords(page).contains(texts.back()));
        made::shoot(page, u"request-"_s + QString::fromLatin1(QTest::currentDataTag()).replace(u' ', u'-'));
    }

    void actions_data()
    {
        QTest::addColumn<Maker>("make");
        QTest::addColumn<bool>("readOnly");
        QTest::addColumn<bool>("switchover");
        QTest::addColumn<bool>("cancel");
        QTest::newRow("healthy") << Maker(made::healthy) << false << true << false;
        QTest::newRow("pending") << Maker(made::scheduled) << false << true << true;
        QTest::newRow("read-only") << Maker(made::scheduled) << true << false << false;
        QTest::newRow("stale") << Maker(made::stale) << false << false << false;
        QTest::newRow("no leader") << Maker(made::expired) << false << false << false;
        QTest::newRow("outage") << Maker(made::outage) << false << true << true;
        QTest::newRow("only a time") << Maker(onlyTime) << false << true << true;
    }
    void actions()
    {
        QFETCH(Maker, make);
        QFETCH(bool, readOnly);
        QFETCH(bool, switchover);
        QFETCH(bool, cancel);
        ClusterPage page;
        page.setReadOnly(readOnly);
        page.setCluster(make(), made::now());
        page.show();
        QSignalSpy asked(&page, &ClusterPage::actionRequested);
        QTest::mouseClick(button(page, u"Switchover"_s), Qt::LeftButton);
        QCOMPARE(asked.size(), switchover ? 1 : 0);
        if (button(page, u"Cancel request"_s)->isVisible())
            QTest::mouseClick(button(page, u"Cancel request"_s), Qt::LeftButton);
        QCOMPARE(asked.size(), (switchover ? 1 : 0) + (cancel ? 1 : 0));
        if (cancel)
            QCOMPARE(asked.back().front().value<rules::ActionKind>(), rules::ActionKind::CancelRequest);
        QCOMPARE(page.findChild<ActionButtons *>()->action(rules::ActionKind::CancelRequest)->isEnabled(), cancel);
        if (!switchover) {
            const QString why = button(page, u"Switchover"_s)->toolTip();
            QVERIFY(!why.isEmpty());
            QVERIFY2(made::shownWords(page).contains(why), "the reason is only in the tooltip");
        }
    }

    void historyButton()
    {
        ClusterPage page;
        page.setCluster(made::healthy(), made::now());
        page.show();
        QSignalSpy spy(&page, &ClusterPage::historyRequested);
        QTest::mouseClick(button(page, u"History"_s), Qt::LeftButton);
        QCOMPARE(spy.size(), 1);
    }

    void goneBlocks()
    {
        ClusterPage page;
        page.setCluster(made::healthy(), made::now());
        page.setGone(made::healthy().names.key, made::now());
        page.show();
        QVERIFY(made::shownWords(page).contains(u"is gone"_s));
        QVERIFY(!button(page, u"Switchover"_s)->isEnabled());
        page.setCluster(made::healthy(), made::now());
        QVERIFY(button(page, u"Switchover"_s)->isEnabled());
    }

    void membersInWords()
    {
        using M = items::MembersModel;
        ClusterPage page;
        page.setCluster(made::troubled(), made::now());
        page.show();
        QCOMPARE(cell(page, 1, M::Timeline), u"7 old"_s);
        QCOMPARE(cell(page, 1, M::ReceiveLag), u"unknown"_s);
        QCOMPARE(cell(page, 1, M::ReplayLag), u"1.9 GiB"_s);
        QCOMPARE(cell(page, 1, M::StatusAge), u"12 min ago"_s);
        QCOMPARE(cell(page, 0, M::StatusAge), u"unchanged 3 h"_s);
        QCOMPARE(cell(page, 0, M::ReplayLag), u"\u2013"_s);
        QCOMPARE(cell(page, 0, M::PendingRestart), u"pending"_s);
        QCOMPARE(cell(page, 2, M::PendingRestart), u"at 2031-02-02 03:00:00 UTC"_s);
        QVERIFY(page.findChild<MembersView *>()
                    ->model()
                    ->index(0, M::PendingRestart)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(u"max_connections: 100"_s));
        QVERIFY(page.findChild<MembersView *>()
                    ->model()
                    ->index(1, 0)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(u"replay lag 1.9 GiB"_s));
        made::shoot(page, u"cluster-troubled"_s);
    }

    // Hollow and dashed: neither well nor leading as of now.
    void staleMembersHaveNoCrown()
    {
        using M = items::MembersModel;
        ClusterPage page;
        const auto tones = [&page] {
            QList<int> found;
            const auto *model = page.findChild<MembersView *>()->model();
            for (int row = 0; row < model->rowCount(); ++row)
                found << model->index(row, M::Name).data(ToneRole).toInt();
            return found;
        };
        page.setCluster(made::healthy(), made::now());
        QCOMPARE(tones(), (QList<int>{int(Tone::Leader), int(Tone::Good), int(Tone::Good)}));
        page.setCluster(made::stale(), made::now());
        QCOMPARE(tones(), QList<int>(3, int(Tone::Unknown)));
    }

    void unknownSortsLast()
    {
        using M = items::MembersModel;
        ClusterPage page;
        page.setCluster(made::troubled(), made::now());
        auto *view = page.findChild<MembersView *>();
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            view->sortByColumn(M::ReceiveLag, order);
            QCOMPARE(view->model()->index(0, M::Name).data().toString(), u"acme-2"_s); // the only one with a known receive lag
        }
    }

    void tickCounts()
    {
        ClusterPage page;
        page.setCluster(made::healthy(), made::now());
        page.show();
        page.tick(made::now(5s));
        QVERIFY(made::shownWords(page).contains(u"21 s to expiry"_s));
        page.setCluster(made::stale(), made::now());
        page.tick(made::now(12s));
        QVERIFY(made::shownWords(page).contains(u"1 min ago"_s));
    }

    void configurationMarksDefaults()
    {
        ClusterPage page;
        page.setCluster(made::healthy(), made::now());
        const auto *tree = page.findChild<ConfigView *>();
        const auto top = [tree](const QString &key) { return tree->findItems(key, Qt::MatchExactly).value(0); };
        QCOMPARE(top(u"ttl"_s)->text(1), u"30 s"_s);
        QCOMPARE(top(u"ttl"_s)->text(2), u"set to the default"_s);
        QCOMPARE(top(u"synchronous_mode"_s)->text(2), u"default false"_s);
        QCOMPARE(top(u"failsafe_mode"_s)->text(2), u"default, not set"_s);
        QCOMPARE(top(u"postgresql"_s)->childCount(), 2);
    }

    void objectsAsTheyAre()
    {
        const auto c = made::healthy();
        QVERIFY(objectText(c, "leader").contains(u"Endpoints payments/acme  resourceVersion 90417"_s));
        QVERIFY(objectText(c, "leader").contains(u"2031-02-01T13:02:07.118233+00:00"_s));
        QVERIFY(objectText(c, "failover").contains(u"does not exist (normal until the first switchover"_s));
        auto foreign = c; // its name is another cluster's lock
        foreign.foreignLocks["failover"] = "acme-failover-0";
        QVERIFY(objectText(foreign, "failover").contains(u"Endpoints payments/acme-failover is the lock of another cluster"_s));
        QVERIFY(objectText(made::stale(), "failover").contains(u"not known"_s));
        ClusterPage page;
        page.setCluster(c, made::now());
        page.show();
        page.findChild<QTabWidget *>()->setCurrentIndex(1);
        QVERIFY(page.findChild<ObjectsView *>()->text().contains(u"acme-sync"_s));
        QCOMPARE(made::namelessWidgets(page), QStringList{});
        made::shoot(page, u"cluster-objects"_s);
        page.findChild<QTabWidget *>()->setCurrentIndex(2);
        made::shoot(page, u"cluster-transitions"_s);
    }

    void secretsStayHidden()
    {
        auto c = made::healthy();
        c.objects["config"].annotations["kubectl.kubernetes.io/last-applied-configuration"] = "applied";
        c.objects["config"].annotations["config"] = R"({"postgresql":{"authentication":{"replication":{"password":"geheim"}}}})";
        c.objects["leader"].annotations["conn_url"] = "postgres://me:geheim@10.0.0.1/db";
        c.config->config
            .raw = R"({"ttl":30,"postgresql":{"authentication":{"replication":{"password":"geheim","keys":{"secret":["geheim"]}}},)"
                   R"("parameters":{"restore_command":"curl -u me:geheim x","dsn":"x://me:geheim@h"}}})";
        ClusterPage page;
        page.setCluster(c, made::now());
        page.show();
        const QString objects = page.findChild<ObjectsView *>()->text();
        QVERIFY2(!objects.contains(u"geheim"_s) && !objects.contains(u"applied"_s), qPrintable(objects));
        QVERIFY(objects.contains(u"hidden"_s) && objects.contains(u"postgres://***@10.0.0.1/db"_s));
        int hidden = 0;
        for (QTreeWidgetItemIterator it(page.findChild<ConfigView *>()); *it; ++it) {
            QVERIFY2(!(*it)->text(1).contains(u"geheim"_s), qPrintable((*it)->text(0)));
            hidden += (*it)->text(1) == u"hidden"_s ? 1 : 0;
        }
        QCOMPARE(hidden, 3);
    }

    // The card grows with its words, also where the page must be scrolled for it.
    void nothingIsCutOff_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("wide") << QSize(1100, 660);
        QTest::newRow("narrow") << QSize(820, 660);
        QTest::newRow("low") << QSize(1100, 400);
        QTest::newRow("small") << QSize(820, 400);
    }
    void nothingIsCutOff()
    {
        QFETCH(QSize, size);
        auto c = made::refused(patroni::Refusal::NoHealthyCandidate);
        c.config->config.paused = true;
        ClusterPage page;
        page.resize(size);
        page.setCluster(made::healthy(), made::now());
        page.show();
        QCoreApplication::processEvents();
        page.setCluster(c, made::now()); // the words come later than the window
        QCoreApplication::processEvents();
        const auto cut = [&page] {
            QStringList texts;
            for (const auto *label : page.findChildren<QLabel *>())
                if (label->isVisible() && label->wordWrap() && label->height() < label->heightForWidth(label->width()))
                    texts << u"%1 of %2: %3"_s.arg(label->height()).arg(label->heightForWidth(label->width())).arg(label->text());
            return texts;
        };
        QTRY_COMPARE_WITH_TIMEOUT(cut(), QStringList{}, 30000);
    }

    void longNamesFit()
    {
        ClusterPage page;
        page.resize(1100, 660);
        page.setCluster(made::longNames(), made::now());
        page.show();
        QVERIFY2(page.minimumSizeHint().width() <= 1100, qPrintable(QString::number(page.minimumSizeHint().width())));
        made::shoot(page, u"cluster-long"_s);
    }

    void dimmedTextStaysReadable()
    {
        ClusterPage page;
        page.setCluster(made::stale(), made::now());
        page.show();
        for (const auto theme : {Theme::Light, Theme::Dark}) {
            applyTheme(*qApp, theme);
            QCoreApplication::processEvents();
            for (auto *label : page.findChildren<QLabel *>()) {
                if (!label->isVisibleTo(&page) || label->text().isEmpty())
                    continue;
                const double ratio = contrastRatio(label->palette().color(QPalette::WindowText), label->palette().color(QPalette::Window));
                QVERIFY2(ratio >= 4.4, qPrintable(u"%1: %2"_s.arg(label->text()).arg(ratio)));
            }
        }
        applyTheme(*qApp, Theme::Light);
    }
};

QTEST_MAIN(TestClusterPage)
#include "tst_cluster_page.moc"
