// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked of a cluster from its page, its members' rows, the fleet and the menus; and what stands in the way.
#include "tests/support/made_clusters.h"
#include "tests/support/view_shots.h"
#include "tests/support/window_stage.h"
#include "views/dialogs/results_dialog.h"
#include "views/pages/cluster/action_buttons.h"
#include "views/pages/cluster/members_view.h"
#include "views/pages/cluster/parts.h"
#include "views/pages/cluster/rescue_banner.h"
#include "views/pages/cluster_page.h"
#include "views/widgets/badge.h"
#include "views/widgets/side_tree.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <QAction>
#include <QClipboard>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using rules::ActionKind;

namespace {

patroni::Cluster standby()
{
    auto c = made::healthy();
    c.config->config.standbyCluster = true;
    return c;
}

patroni::Cluster restartScheduled()
{
    auto c = made::healthy();
    patroni::ScheduledRestart restart;
    restart.schedule = "2031-02-02T01:30:00+00:00";
    c.members[1].record.scheduledRestart = restart;
    return c;
}

patroni::Cluster outageLockStale()
{
    auto c = made::outage();
    c.lock.state = patroni::LockState::Stale;
    return c;
}

patroni::Cluster withoutConfig()
{
    auto c = made::healthy();
    c.config->config.present = false;
    return c;
}

patroni::Cluster pausing()
{
    auto c = made::paused();
    const auto at = [](Duration ago, const char *text) {
        return patroni::Snapshot{"acme-config", "1", made::now(-ago).boot, {{"config", text}}};
    };
    c.snapshots = {at(10min, R"({"ttl":30})"), at(75s, R"({"ttl":30,"pause":true})")};
    for (patroni::Member &member : c.members)
        member.record.pauseSeen = member.record.name != "acme-0";
    return c;
}

using Maker = patroni::Cluster (*)();

struct Scene
{
    ClusterPage page;
    explicit Scene(const patroni::Cluster &cluster)
    {
        page.resize(1100, 660);
        page.setCluster(cluster, made::now());
        page.show();
        QCoreApplication::processEvents();
    }
    ActionButtons *actions() const { return page.findChild<ActionButtons *>(); }
    MembersView *members() const { return page.findChild<MembersView *>(); }
};

QAction *entry(const QMenu *menu, const QString &text)
{
    for (QAction *action : menu->actions())
        if (action->text().remove(u'&').startsWith(text))
            return action;
    return nullptr;
}

} // namespace

Q_DECLARE_METATYPE(Maker)

class TestClusterActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whyNot_data()
    {
        QTest::addColumn<Maker>("make");
        QTest::addColumn<ActionKind>("kind");
        QTest::addColumn<QString>("why"); // empty: it can be asked for
        const auto add = [](const char *name, Maker make, ActionKind kind, const QString &why) {
            QTest::newRow(name) << make << kind << why;
        };
        add("pause", made::healthy, ActionKind::Pause, {});
        add("pause twice", made::paused, ActionKind::Pause, u"paused already"_s);
        add("resume", made::paused, ActionKind::Resume, {});
        add("resume what runs", made::healthy, ActionKind::Resume, u"not paused"_s);
        add("edit", made::healthy, ActionKind::EditConfig, {});
        add("edit nothing", withoutConfig, ActionKind::EditConfig, u"missing or cannot be read"_s);
        add("restart", made::healthy, ActionKind::Restart, {});
        add("nothing scheduled", made::healthy, ActionKind::CancelRestart, u"No member has a scheduled restart"_s);
        add("cancel restart", restartScheduled, ActionKind::CancelRestart, {});
        add("reload", made::healthy, ActionKind::Reload, {});
        add("reinitialize", made::healthy, ActionKind::Reinitialize, {});
        add("demote", made::healthy, ActionKind::DemoteCluster, {});
        add("demote a standby", standby, ActionKind::DemoteCluster, u"standby cluster already"_s);
        add("promote", standby, ActionKind::PromoteCluster, {});
        add("promote what leads", made::healthy, ActionKind::PromoteCluster, u"not a standby"_s);
        add("switchover without a leader", made::expired, ActionKind::Switchover, u"nobody leads"_s);
        add("failover without a leader", made::expired, ActionKind::Failover, {});
        add("stale", made::stale, ActionKind::Restart, u"stale"_s);
        add("repair", made::outage, ActionKind::Repair, {});
        add("repair without a lock in sight", outageLockStale, ActionKind::Repair, {});
        add("failover without a lock in sight", outageLockStale, ActionKind::Failover, u"lock of this cluster is out of sight"_s);
        add("nothing to repair", made::scheduled, ActionKind::Repair, u"Nothing is to be repaired"_s);
    }
    void whyNot()
    {
        QFETCH(Maker, make);
        QFETCH(ActionKind, kind);
        QFETCH(QString, why);
        const auto cluster = make();
        const QString said = views::whyNot(&cluster, kind, {});
        QVERIFY2(why.isEmpty() ? said.isEmpty() : said.contains(why), qPrintable(said));
        const Scene scene(cluster);
        if (const QAction *action = scene.actions()->action(kind)) {
            QCOMPARE(action->isEnabled(), why.isEmpty());
            QVERIFY(action->toolTip().contains(why));
        }
    }

    void gatesComeFirst()
    {
        const auto cluster = made::healthy();
        QVERIFY(views::whyNot(nullptr, ActionKind::Pause, {}).contains(u"Choose a cluster"_s));
        QVERIFY(views::whyNot(&cluster, ActionKind::Pause, {true, true, true}, u"x"_s).contains(u"recording"_s));
        QVERIFY(views::whyNot(&cluster, ActionKind::Pause, {false, true, true}, u"x"_s).contains(u"--read-only"_s));
        QVERIFY(views::whyNot(&cluster, ActionKind::Pause, {false, false, true}, u"x"_s).contains(u"prod-eu"_s));
        QCOMPARE(views::whyNot(&cluster, ActionKind::Pause, {}, u"patch is not permitted"_s), u"patch is not permitted"_s);
    }

    void everyActionHasWords()
    {
        QSet<QString> names, titles, what;
        for (int i = 0; i < rules::actionCount; ++i) {
            const auto kind = static_cast<ActionKind>(i);
            names << words(kind);
            titles << actionTitle(kind);
            what << explained(kind);
        }
        QCOMPARE(names.size(), rules::actionCount);
        QCOMPARE(titles.size(), rules::actionCount);
        QCOMPARE(what.size(), rules::actionCount);
    }

    void menuOfThePage()
    {
        Scene scene(made::healthy());
        QSignalSpy asked(&scene.page, &ClusterPage::actionRequested);
        for (const ActionKind kind : {ActionKind::Pause, ActionKind::EditConfig, ActionKind::Restart, ActionKind::Reload,
                                      ActionKind::Reinitialize, ActionKind::DemoteCluster}) {
            scene.actions()->action(kind)->trigger();
            QCOMPARE(asked.takeFirst().front().value<ActionKind>(), kind);
        }
        QVERIFY(!scene.actions()->action(ActionKind::Resume)->isVisible());
        QVERIFY(!scene.actions()->button(ActionKind::CancelRequest)->isVisible());
        scene.page.setCluster(made::paused(), made::now());
        QVERIFY(scene.actions()->action(ActionKind::Resume)->isVisible());
        QVERIFY(!scene.actions()->action(ActionKind::Pause)->isVisible());
        scene.page.setCluster(made::scheduled(), made::now());
        QVERIFY(scene.actions()->button(ActionKind::CancelRequest)->isVisible());
        QCOMPARE(made::namelessWidgets(scene.page), QStringList());
    }

    // No key alone asks for a write, and none of the actions has a shortcut but the dialog of a switchover, with three keys.
    void noSingleKeyWrites()
    {
        Stage stage(mixed());
        for (const QAction *action : stage.window->findChildren<QAction *>())
            for (const QKeySequence &keys : action->shortcuts())
                QVERIFY2(keys[0].keyboardModifiers() != Qt::NoModifier || (keys[0].key() >= Qt::Key_F1 && keys[0].key() <= Qt::Key_F12)
                             || keys[0].key() == Qt::Key_Delete,
                         qPrintable(action->text()));
    }

    void missingRightByAction()
    {
        Scene scene(made::healthy());
        scene.page.setMissingRights({{ActionKind::Pause, u"patch endpoints is not permitted"_s}});
        QVERIFY(!scene.actions()->action(ActionKind::Pause)->isEnabled());
        QCOMPARE(scene.actions()->action(ActionKind::Pause)->toolTip(), u"patch endpoints is not permitted"_s);
        QVERIFY(scene.actions()->action(ActionKind::Restart)->isEnabled());
        QVERIFY(scene.actions()->button(ActionKind::Switchover)->isEnabled());
    }

    void rowOfAMember_data()
    {
        QTest::addColumn<QString>("member");
        QTest::addColumn<QStringList>("possible");
        QTest::newRow("replica") << u"acme-2"_s
                                 << QStringList{u"Switch over to acme-2"_s, u"Fail over to acme-2"_s, u"Restart acme-2"_s,
                                                u"Reload acme-2"_s, u"Reinitialize acme-2"_s};
        QTest::newRow("leader") << u"acme-1"_s << QStringList{u"Restart acme-1"_s, u"Reload acme-1"_s};
    }
    void rowOfAMember()
    {
        QFETCH(QString, member);
        QFETCH(QStringList, possible);
        Scene scene(made::healthy());
        const std::unique_ptr<QMenu> menu(scene.members()->memberMenu(member));
        QVERIFY(menu);
        QStringList enabled;
        for (QAction *action : menu->actions())
            if (action->isEnabled() && action->text().contains(member))
                enabled << action->text().remove(u'&').remove(u'\u2026');
        QCOMPARE(enabled, possible);
        QSignalSpy asked(&scene.page, &ClusterPage::actionRequested);
        entry(menu.get(), u"Restart"_s)->trigger();
        QCOMPARE(asked.front().at(0).value<ActionKind>(), ActionKind::Restart);
        QCOMPARE(asked.front().at(1).toString(), member);
        QVERIFY(!scene.members()->memberMenu(u"nobody"_s));
    }

    void rowsAreBlockedAsThePageIs()
    {
        Scene scene(made::healthy());
        scene.page.setReadOnly(true);
        const std::unique_ptr<QMenu> menu(scene.members()->memberMenu(u"acme-2"_s));
        QVERIFY(!entry(menu.get(), u"Restart"_s)->isEnabled());
        QVERIFY(entry(menu.get(), u"Restart"_s)->toolTip().contains(u"--read-only"_s));
    }

    void rescue()
    {
        Scene scene(made::outage());
        auto *banner = scene.page.findChild<RescueBanner *>();
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->text().startsWith(u"The cluster is down because of scheduled_at \"tomorrow\" in acme-failover"_s),
                 qPrintable(banner->text()));
        QSignalSpy asked(&scene.page, &ClusterPage::actionRequested);
        QTest::mouseClick(banner->button(), Qt::LeftButton);
        QCOMPARE(asked.front().front().value<ActionKind>(), ActionKind::Repair);
        made::shoot(scene.page, u"rescue"_s);
        auto kept = made::outage(); // patroni/ha.py: a paused primary is not demoted
        kept.config->config.paused = true;
        scene.page.setCluster(kept, made::now());
        QVERIFY2(banner->text().contains(u"Only the pause still keeps a primary running"_s), qPrintable(banner->text()));
        scene.page.setReadOnly(true);
        QVERIFY(!banner->button()->isEnabled());
        scene.page.setCluster(made::scheduled(), made::now());
        QVERIFY(!banner->isVisible());
    }

    // Without the label Patroni never reads it: nothing is down.
    void rescueOfWhatPatroniDoesNotSee()
    {
        auto cluster = made::outage();
        QVERIFY(needsRescue(cluster));
        cluster.failoverUnseen = true;
        cluster.requests.back().invisible = true;
        cluster.requests.back().outcome = patroni::Outcome::Pending;
        cluster.health = {patroni::Health::Healthy, {}};
        QVERIFY(!needsRescue(cluster));
        Scene scene(cluster);
        auto *banner = scene.page.findChild<RescueBanner *>();
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->text().startsWith(u"scheduled_at \"tomorrow\" in acme-failover is not a time. Patroni cannot see that object"_s)
                     && banner->text().contains(u"the cluster is not down because of it"_s),
                 qPrintable(banner->text()));
        QSignalSpy asked(&scene.page, &ClusterPage::actionRequested);
        QTest::mouseClick(banner->button(), Qt::LeftButton);
        QCOMPARE(asked.front().front().value<ActionKind>(), ActionKind::Repair);
        const QString shown = made::shownWords(scene.page);
        QVERIFY(shown.contains(u"Patroni cannot see this object: it is of the kind"_s));
        QVERIFY(!shown.contains(u"outage"_s) && !shown.contains(u"is down"_s));
        cluster.requests.clear(); // a time alone is no request
        cluster.failover->leader.reset();
        cluster.failover->member.reset();
        scene.page.setCluster(cluster, made::now());
        const QString timeAlone = made::shownWords(scene.page);
        QVERIFY(timeAlone.contains(u"only a time is set"_s) && timeAlone.contains(u"Patroni cannot see this object"_s));
        QVERIFY(!timeAlone.contains(u"outage"_s));
    }

    // It can be read, but nobody means it: said with what it does, and taken away by the same write.
    void absurdSchedule()
    {
        auto cluster = made::scheduled();
        cluster.failover->scheduledAt = made::now().wall + rules::farAhead + 1s;
        Scene scene(cluster);
        auto *banner = scene.page.findChild<RescueBanner *>();
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->text().contains(u"is that meant?"_s) && banner->text().contains(u"not down because of it"_s)
                     && banner->text().contains(u"does not look at the lag limit"_s) && banner->text().contains(u"would replace it"_s),
                 qPrintable(banner->text()));
        made::shoot(scene.page, u"absurd-schedule"_s);
        QSignalSpy asked(&scene.page, &ClusterPage::actionRequested);
        QTest::mouseClick(banner->button(), Qt::LeftButton);
        QCOMPARE(asked.front().front().value<ActionKind>(), ActionKind::CancelRequest);
        cluster.failover->scheduledAt = made::now().wall - rules::longPast - 1s;
        scene.page.setCluster(cluster, made::now());
        QVERIFY2(banner->text().contains(u"no leader has looked at it"_s), qPrintable(banner->text()));
        cluster.requests.back().invisible = true;
        scene.page.setCluster(cluster, made::now());
        QVERIFY2(banner->text().contains(u"Patroni cannot see it, so it does nothing"_s), qPrintable(banner->text()));
        QVERIFY(!banner->text().contains(u"lag limit"_s));
        QVERIFY(made::shownWords(scene.page).contains(u"Patroni cannot see this object: it is of the kind"_s));
        cluster.failover->scheduledAt = made::now().wall - rules::longPast;
        scene.page.setCluster(cluster, made::now());
        QVERIFY(!banner->isVisible());
        scene.page.setReadOnly(true);
        cluster.failover->scheduledAt = made::now().wall + 10000h * 24;
        scene.page.setCluster(cluster, made::now());
        QVERIFY(!banner->button()->isEnabled());
    }

    // A leader that had looked already still acts: "refused" is not the last word before two renewals have passed.
    void clearedButNotOver()
    {
        auto cluster = made::refused(patroni::Refusal::Unknown);
        auto &report = cluster.requests.back();
        const patroni::RequestReport decided = report;
        report.certain = false;
        report.request.scheduledAt.reset();
        report.outcome = patroni::Outcome::Pending;
        report.step = patroni::RequestStep::Due;
        report.heldBack = true;
        Scene scene(cluster);
        QVERIFY2(made::shownWords(scene.page).contains(u"cleared, may still be carried out"_s), qPrintable(made::shownWords(scene.page)));
        QVERIFY(!made::shownWords(scene.page).contains(u"refused"_s));
        report = decided;
        scene.page.setCluster(cluster, made::now(22s));
        QVERIFY(!made::shownWords(scene.page).contains(u"may still"_s));
        QVERIFY(made::shownWords(scene.page).contains(u"refused"_s));
    }

    // The menu of several clusters says beforehand whom it leaves out, and why.
    void menuOfSeveralSaysWhyNot()
    {
        Stage stage({named(made::healthy(), "prod-eu", "payments", "acme"), named(made::paused(), "prod-eu", "payments", "stock")});
        stage.table()->selectAll();
        const auto entries = [&stage, this] {
            std::map<QString, std::pair<bool, QString>> seen; // enabled, tooltip
            QTimer::singleShot(0, this, [&seen] {
                auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
                for (const QAction *action : menu ? menu->actions() : QList<QAction *>())
                    seen[action->text().remove(u'&')] = {action->isEnabled(), action->toolTip()};
                if (menu)
                    menu->close();
            });
            Q_EMIT stage.child<FleetPage>()->menuRequested(QPoint(10, 10), {});
            return seen;
        };
        auto seen = entries();
        const auto pause = seen[u"Pause 2 clusters\u2026"_s], reload = seen[u"Reload 2 clusters\u2026"_s];
        QVERIFY(pause.first); // one of the two
        QVERIFY2(pause.second.contains(u"Left out:\npayments/stock: "_s) && pause.second.contains(u"paused already"_s),
                 qPrintable(pause.second));
        QVERIFY(!pause.second.contains(u"payments/acme"_s));
        QVERIFY(reload.first && !reload.second.contains(u"Left out"_s));
        stage.clusters[0].config->config.paused = true;
        stage.fleet.updateSome({&stage.clusters[0]}, {}, made::now());
        seen = entries();
        QVERIFY(!seen[u"Pause 2 clusters\u2026"_s].first);
        QVERIFY(seen[u"Pause 2 clusters\u2026"_s].second.contains(u"payments/acme"_s));
    }

    // Said on every page, not only on the cluster's own.
    void rescueOnEveryPage()
    {
        Stage stage(mixed());
        const auto said = [&stage] {
            for (const Banner *banner : stage.window->findChildren<Banner *>())
                if (banner->isVisible() && banner->text().startsWith(u"Down because of a request"_s))
                    return banner->text();
            return QString();
        };
        QCOMPARE(said(), QString());
        stage.clusters[0] = named(made::outage(), "prod-eu", "payments", "acme");
        stage.fleet.updateSome({&stage.clusters[0]}, {}, made::now());
        stage.window->clusterChanged(stage.clusters[0], made::now());
        for (int i = 0; i < pageCount; ++i) {
            stage.window->showPage(static_cast<Page>(i));
            QVERIFY2(said().contains(u"payments/acme"_s), qPrintable(pageCode(static_cast<Page>(i))));
        }
        stage.open(stage.clusters[0].names.key);
        stage.window->showPage(Page::Cluster);
        QCOMPARE(said(), QString()); // the page says it itself
        stage.window->showPage(Page::Fleet);
        QVERIFY(said().contains(u"payments/acme"_s));
        stage.clusters[0].failoverUnseen = true; // the label was taken away, and nothing else has changed
        stage.fleet.updateSome({&stage.clusters[0]}, {}, made::now());
        stage.window->clusterChanged(stage.clusters[0], made::now());
        QCOMPARE(said(), QString());
        stage.clusters[0] = named(made::healthy(), "prod-eu", "payments", "acme");
        stage.fleet.updateSome({&stage.clusters[0]}, {}, made::now());
        stage.window->clusterChanged(stage.clusters[0], made::now());
        QCOMPARE(said(), QString());
    }

    void pauseAndWhoHasSeenIt()
    {
        Scene scene(pausing());
        const auto shown = [&scene] { return made::shownWords(scene.page); };
        QVERIFY(shown().contains(u"Paused since "_s));
        QVERIFY(shown().contains(u"1 min 15 s"_s));
        QVERIFY(shown().contains(u"2 of 3 members have seen it; waiting for acme-0."_s));
        scene.page.tick(made::now(5s));
        QVERIFY(shown().contains(u"1 min 20 s"_s));
        made::shoot(scene.page, u"pausing"_s);
        auto c = pausing();
        c.config->config.paused = false;
        c.snapshots.push_back({"acme-config", "2", made::now(-3s).boot, {{"config", R"({"ttl":30})"}}});
        scene.page.setCluster(c, made::now());
        QVERIFY2(shown().contains(u"1 of 3 members have seen it; waiting for acme-"_s), qPrintable(shown()));
        for (patroni::Member &member : c.members)
            member.record.pauseSeen = false;
        scene.page.setCluster(c, made::now());
        QVERIFY(!shown().contains(u"have seen it"_s));
    }

    void contextMarks()
    {
        Scene scene(made::healthy());
        scene.page.setContextMarks(u"red"_s, true, false);
        QVERIFY(!scene.actions()->button(ActionKind::Switchover)->isEnabled());
        QVERIFY(scene.actions()->button(ActionKind::Switchover)->toolTip().contains(u"prod-eu"_s));
        QCOMPARE(scene.page.findChild<Badge *>()->text(), u"read-only"_s);
        QCoreApplication::processEvents();
        const QImage red = scene.page.grab().toImage();
        QCOMPARE(red.pixelColor(1, red.height() / 2), red.pixelColor(red.width() - 2, red.height() / 2));
        scene.page.setContextMarks(u"blue"_s, false, true);
        QVERIFY(scene.actions()->button(ActionKind::Switchover)->isEnabled());
        QCOMPARE(scene.page.findChild<Badge *>()->text(), u"protected"_s);
        QCoreApplication::processEvents();
        const QImage blue = scene.page.grab().toImage();
        QVERIFY(red.pixelColor(1, red.height() / 2) != blue.pixelColor(1, blue.height() / 2));
        made::shoot(scene.page, u"protected"_s);
        scene.page.setContextMarks({}, false, false);
        QVERIFY(!scene.page.findChild<Badge *>()->isVisible());
    }

    void guardsOfTheWindow()
    {
        Stage stage(mixed());
        stage.open(stage.clusters[0].names.key);
        stage.window->showPage(Page::Cluster);
        auto *actions = stage.child<ClusterPage>()->findChild<ActionButtons *>();
        QVERIFY(actions->button(ActionKind::Switchover)->isEnabled());
        auto contexts = liveContexts();
        contexts[0].name = QString::fromStdString(stage.clusters[0].names.key.context);
        contexts[0].readOnly = true;
        stage.window->setContexts(contexts, made::now());
        QVERIFY(!actions->button(ActionKind::Switchover)->isEnabled());
        QVERIFY(!stage.action(u"Switch over"_s)->isEnabled());
        const auto places = stage.child<SideTree>()->findItems(contexts[0].name, Qt::MatchExactly);
        QCOMPARE(places.size(), 1);
        QVERIFY(places.front()->toolTip(0).contains(u"read-only"_s));
        QVERIFY(places.front()->data(0, Qt::AccessibleTextRole).toString().contains(u"read-only"_s));
    }

    // The offset that somebody else wrote is how he knows the time.
    void offsetAsWritten()
    {
        auto c = made::scheduled();
        c.requests.back().request.scheduledAtRaw = c.failover->scheduledAtRaw = "2031-02-01T17:16:00+02:00";
        c.requests.back().request.offsetSeconds = c.failover->offsetSeconds = 7200;
        const Scene scene(c);
        QVERIFY(made::shownWords(const_cast<ClusterPage &>(scene.page)).contains(u"as written: 2031-02-01T17:16:00+02:00"_s));
    }

    void logLines()
    {
        auto c = made::refused(patroni::Refusal::NotSyncStandby);
        Scene scene(c);
        scene.page.setLogLines(c.requests.back().id, "acme-1", {u"WARNING: manual failover: members list is empty"_s});
        QVERIFY(made::shownWords(scene.page).contains(u"log of acme-1"_s));
        QVERIFY(made::shownWords(scene.page).contains(u"inferred from the objects"_s)); // the lines name no rule
        scene.page.setLogLines(c.requests.back().id, "acme-1", {u"WARNING: manual failover: members list is empty"_s},
                               patroni::Refusal::NoHealthyCandidate);
        QVERIFY(made::shownWords(scene.page).contains(words(patroni::Refusal::NoHealthyCandidate)));
        QVERIFY(!made::shownWords(scene.page).contains(u"inferred from the objects"_s));
        QVERIFY(made::shownWords(scene.page).contains(u"manual failover: members list is empty"_s));
        made::shoot(scene.page, u"refused-with-log"_s);
        c.requests.back().id = "another";
        scene.page.setCluster(c, made::now(1s));
        QVERIFY(!made::shownWords(scene.page).contains(u"members list is empty"_s)); // lines of one request do not speak of the next
    }

    void results()
    {
        const QList<ResultLine> lines{{Tone::Good, u"payments/acme"_s, u"written"_s},
                                      {Tone::Bad, u"payments/ledger"_s, u"not permitted"_s},
                                      {Tone::Unknown, u"payments/audit"_s, u"outcome unknown"_s},
                                      {Tone::Neutral, u"payments/old"_s, u"left out: it is paused already"_s}};
        auto *dialog = new ResultsDialog(u"Pause"_s, lines);
        dialog->show();
        QVERIFY(made::shownWords(*dialog).contains(u"1 done, 1 not done, 1 not known, 1 left out"_s));
        for (QPushButton *button : dialog->findChildren<QPushButton *>())
            if (button->text().remove(u'&') == u"Copy"_s)
                QTest::mouseClick(button, Qt::LeftButton);
        for (const ResultLine &line : lines)
            QVERIFY(QGuiApplication::clipboard()->text().contains(line.name + u'\t' + line.text));
        QCOMPARE(made::namelessWidgets(*dialog), QStringList());
        made::shoot(*dialog, u"results"_s, true);
        dialog->close();
    }
};

QTEST_MAIN(TestClusterActions)
#include "tst_cluster_actions.moc"
