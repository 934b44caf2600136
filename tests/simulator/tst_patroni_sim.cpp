// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace switchyard::simulator;
using namespace std::chrono_literals;

namespace {

// Steps until the condition holds; seconds it took, or -1.
template<typename Condition>
double until(Rig &rig, double limit, Condition condition)
{
    for (double t = 0; t < limit; t += 0.1) {
        if (condition())
            return t;
        rig.run(0.1);
    }
    return -1;
}

} // namespace

class TestPatroniSim : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void idleClusterRenewsAndIsOtherwiseSilent()
    {
        Rig rig;
        rig.run(30);
        const auto version = rig.store.version();
        const std::string acquired = rig.leaderKey("acquireTime");
        rig.run(100);
        const auto events = rig.store.eventsSince(version);
        QVERIFY(events);
        QCOMPARE(events->size(), std::size_t{10});
        for (const StoreEvent &event : *events)
            QCOMPARE(event.name, std::string("alpha"));
        QCOMPARE(rig.leaderKey("acquireTime"), acquired);
        QCOMPARE(rig.history().size(), std::size_t{3});
        QCOMPARE(rig.history().back().at(4).get<std::string>(), rig.sim.leader());
    }

    void busyClusterMovesEveryPosition()
    {
        ClusterPlan plan;
        plan.walPerSecond = 1000;
        plan.laggingMember = 2;
        plan.lagBytes = 5000000;
        Rig rig(plan);
        const std::int64_t before = std::stoll(rig.leaderKey("optime"));
        rig.run(61);
        const std::int64_t optime = std::stoll(rig.leaderKey("optime"));
        QVERIFY(optime > before + 20000);
        const std::int64_t lag = optime - rig.status("alpha-2")["xlog_location"].get<std::int64_t>();
        QVERIFY2(lag >= 4900000 && lag < 6000000, qPrintable(QString::number(lag)));
    }

    void sameSeedSameRun()
    {
        ClusterPlan plan;
        plan.walPerSecond = 1000;
        const auto play = [&plan](unsigned seed) {
            Rig rig(plan, seed);
            rig.run(20);
            rig.sim.crashLeader();
            rig.run(100);
            std::string all;
            const auto events = rig.store.eventsSince(1000);
            for (const StoreEvent &event : events.value())
                all += event.object->dump();
            return all;
        };
        QVERIFY(play(3) == play(3));
        QVERIFY(play(3) != play(4));
    }

    // One row a rule: what is asked of a cluster in which state, and whether the request is cleared, kept or obeyed.
    void requests_data()
    {
        QTest::addColumn<QString>("setup");
        QTest::addColumn<QString>("leader"); // L the leader, A the other members' first, "" none, else as is
        QTest::addColumn<QString>("member");
        QTest::addColumn<QString>("scheduled"); // seconds from now, or a text
        QTest::addColumn<QString>("result");    // kept, cleared, done
        QTest::addColumn<QString>("log");
        const auto row = [](const char *name, const char *setup, const char *leader, const char *member, const char *scheduled,
                            const char *result, const char *log) {
            QTest::newRow(name) << QString::fromLatin1(setup) << QString::fromLatin1(leader) << QString::fromLatin1(member)
                                << QString::fromLatin1(scheduled) << QString::fromLatin1(result) << QString::fromLatin1(log);
        };
        row("1 only a schedule", "", "", "", "2031-02-03T10:00:00+00:00", "kept", "");
        row("3a scheduled while paused", "pause", "L", "A", "30", "kept", "");
        row("3b no offset", "", "L", "A", "2031-02-03T10:00:30", "cleared", "Incorrect value");
        row("3c far in the future", "", "L", "A", "3600", "kept", "Awaiting");
        row("3c wrong leader is not looked at before the time", "", "nobody", "A", "3600", "kept", "Awaiting");
        row("3d stale", "", "L", "A", "-600", "cleared", "stale");
        row("3d sixteen seconds is stale at the next loop", "", "L", "A", "-16", "cleared", "stale");
        row("3e soon", "", "L", "A", "25", "done", "");
        row("4 wrong leader", "", "nobody", "A", "", "cleared", "leader name does not match");
        row("4 wrong leader, scheduled", "", "nobody", "A", "25", "cleared", "leader name does not match");
        row("5 already the leader", "", "L", "L", "", "cleared", "already the leader");
        row("5 failover to the leader", "", "", "L", "", "cleared", "already the leader");
        row("6 paused and no candidate", "pause", "L", "", "", "cleared", "specific candidate in a paused state");
        row("6 paused with a candidate", "pause", "L", "A", "", "done", "");
        row("7 unknown candidate", "", "L", "ghost", "", "cleared", "no healthy members");
        row("7 candidate nofailover", "nofailover", "L", "X", "", "cleared", "no healthy members");
        row("7 candidate too far behind", "lag", "L", "X", "", "cleared", "no healthy members");
        row("7 candidate frozen", "freeze", "L", "X", "", "cleared", "no healthy members");
        row("7 candidate is not a sync standby", "sync", "L", "X", "", "cleared", "no healthy members");
        row("7 failover to an asynchronous member", "sync", "", "X", "", "done", "");
        row("7 the same up to 3.1", "oldsync", "", "X", "", "cleared", "no healthy members");
        row("8 switchover to a candidate", "", "L", "A", "", "done", "");
        row("8 switchover to anybody", "", "L", "", "", "done", "");
        row("8 failover", "", "", "A", "", "done", "");
        row("8 to the sync standby", "sync", "L", "S", "", "done", "");
    }
    void requests()
    {
        QFETCH(QString, setup);
        QFETCH(QString, leader);
        QFETCH(QString, member);
        QFETCH(QString, scheduled);
        QFETCH(QString, result);
        QFETCH(QString, log);
        // X is the unfit member: the lagging, nofailover, frozen or, in synchronous mode, the asynchronous one. A is the other one.
        ClusterPlan plan;
        plan.synchronous = setup.endsWith(u"sync");
        plan.paused = setup == u"pause";
        if (setup == u"oldsync")
            plan.version = "3.0.2";
        if (setup == u"nofailover")
            plan.nofailoverMember = 2;
        if (setup == u"lag") {
            plan.laggingMember = 2;
            plan.lagBytes = 20000000;
        }
        Rig rig(plan);
        rig.run(20);
        const std::string before = rig.sim.leader(), standby = rig.sync("sync_standby");
        const std::string x = plan.laggingMember == 2 || plan.nofailoverMember == 2 ? std::string("alpha-2") : rig.other(standby);
        if (setup == u"freeze")
            rig.sim.freeze(x);
        QVERIFY(x != before);
        const auto name = [&](const QString &text) {
            return text == u"L" ? before : text == u"A" ? rig.other(x) : text == u"X" ? x : text == u"S" ? standby : text.toStdString();
        };
        bool relative = false;
        const int seconds = scheduled.toInt(&relative);
        const std::string asked = name(member);
        rig.request(name(leader), asked, relative ? rig.in(seconds) : scheduled.toStdString());
        rig.run(60);
        QCOMPARE(rig.pending(), result == u"kept" && !(leader.isEmpty() && member.isEmpty()));
        QCOMPARE(rig.sim.leader() != before, result == u"done");
        if (result == u"done" && !asked.empty())
            QCOMPARE(rig.sim.leader(), asked);
        QVERIFY2(rig.sim.lastLog().find(log.toStdString()) != std::string::npos, rig.sim.lastLog().c_str());
        QCOMPARE(rig.history().size(), std::size_t(result == u"done" ? 4 : 3));
    }

    void onlyAScheduleIsNeverCleanedUp()
    {
        Rig rig;
        rig.request({}, {}, "2031-02-03T09:00:00+00:00");
        rig.run(60);
        QVERIFY(!rig.failover("scheduled_at").empty());
    }

    void pausedScheduleIsJudgedAfterResume()
    {
        ClusterPlan plan;
        plan.paused = true;
        Rig rig(plan);
        rig.run(5);
        rig.request(rig.sim.leader(), rig.other(), rig.in(20));
        rig.run(60);
        QVERIFY(rig.pending());
        rig.configure("pause", nullptr);
        rig.run(1); // a changed configuration wakes everybody at once
        QVERIFY(!rig.pending());
        QVERIFY(!rig.status(rig.sim.leader()).contains("pause"));
    }

    void scheduledSwitchoverFiresAtItsTime()
    {
        Rig rig;
        rig.run(5);
        const std::string before = rig.sim.leader();
        const SimTime due = rig.sim.now() + 47s;
        rig.request(before, rig.other(), isoText(due));
        QVERIFY(until(rig, 60, [&] { return rig.sim.leader() != before; }) > 0);
        const auto late = rig.sim.now() - due;
        QVERIFY(late > 0s && late < 5s);
    }

    void newLeaderIsRecordedEverywhere()
    {
        Rig rig;
        rig.run(5);
        const std::string before = rig.sim.leader(), next = rig.other();
        const int transitions = std::stoi(rig.leaderKey("transitions")), timeline = rig.status(before)["timeline"].get<int>();
        rig.request(before, next);
        rig.run(40);
        QCOMPARE(std::stoi(rig.leaderKey("transitions")), transitions + 1);
        const Object endpoints = rig.store.find(Kind::Endpoints, "demo", "alpha");
        QCOMPARE((*endpoints)["subsets"][0]["addresses"][0]["targetRef"]["name"].get<std::string>(), next);
        QCOMPARE(rig.label(next), std::string("primary"));
        QCOMPARE(rig.label(before), std::string("replica"));
        QCOMPARE(rig.history().back()[0].get<int>(), timeline);
        QCOMPARE(rig.history().back()[4].get<std::string>(), next);
        for (const Member &member : rig.sim.members()) {
            QCOMPARE(rig.status(member.name)["timeline"].get<int>(), timeline + 1);
            QCOMPARE(rig.status(member.name)["role"].get<std::string>(), std::string(member.name == next ? "primary" : "replica"));
        }
    }

    void crashExpiresAndTheCrashedComesBackAsReplica()
    {
        Rig rig;
        rig.run(5);
        const std::string before = rig.sim.leader(), renewed = rig.leaderKey("renewTime");
        rig.sim.crashLeader();
        rig.run(20);
        QCOMPARE(rig.sim.leader(), before); // nobody releases a dead leader's record
        QCOMPARE(rig.leaderKey("renewTime"), renewed);
        QVERIFY(until(rig, 40, [&] { return rig.sim.leader() != before; }) >= 0);
        rig.run(5);
        QCOMPARE(rig.label(before), std::string("primary")); // stale: its Patroni is dead
        QCOMPARE(rig.status(before)["state"].get<std::string>(), std::string("running"));
        QVERIFY(until(rig, 60, [&] { return rig.label(before) == "replica"; }) >= 0);
        QCOMPARE(rig.status(before)["timeline"].get<int>(), rig.status(rig.sim.leader())["timeline"].get<int>());
        QCOMPARE(rig.history().size(), std::size_t{4});
    }

    void pausedClusterDoesNotFailOver()
    {
        ClusterPlan plan;
        plan.paused = true;
        Rig rig(plan);
        rig.run(5);
        const std::string before = rig.sim.leader();
        rig.sim.crashLeader();
        rig.run(55);
        QCOMPARE(rig.sim.leader(), before);
        rig.run(60);
        QCOMPARE(rig.status(before)["state"].get<std::string>(), std::string("running"));
        QCOMPARE(rig.history().size(), std::size_t{3});
    }

    void crashErasesAPendingSchedule()
    {
        Rig rig;
        rig.run(5);
        const std::string before = rig.sim.leader(), candidate = rig.other(rig.other());
        rig.request(before, candidate, rig.in(86400));
        rig.run(15);
        rig.sim.crashLeader();
        rig.run(50);
        QCOMPARE(rig.sim.leader(), candidate);
        QVERIFY(!rig.pending());
    }

    void onlyTheSyncStandbyTakesOver()
    {
        ClusterPlan plan;
        plan.synchronous = true;
        plan.members = 5;
        for (unsigned seed = 1; seed < 6; ++seed) {
            Rig rig(plan, seed);
            rig.run(25);
            const std::string standby = rig.sync("sync_standby");
            QVERIFY(!standby.empty());
            QCOMPARE(rig.sync("leader"), rig.sim.leader());
            rig.sim.crashLeader();
            rig.run(60);
            QCOMPARE(rig.sim.leader(), standby);
            QCOMPARE(rig.sync("leader"), standby);
            QVERIFY(rig.sync("sync_standby") != standby);
        }
    }

    void synchronousModeOnAndOff()
    {
        Rig rig;
        rig.run(5);
        rig.configure("synchronous_mode", true);
        rig.run(15);
        QCOMPARE(rig.sync("leader"), rig.sim.leader());
        QCOMPARE(rig.sync("quorum"), std::string("0"));
        QVERIFY(!rig.sync("sync_standby").empty());
        rig.configure("synchronous_mode", nullptr);
        rig.run(2);
        QCOMPARE(rig.sync("leader"), std::string());
        QVERIFY(rig.store.find(Kind::Endpoints, "demo", "alpha-sync") != nullptr);
    }

    void frozenReplicaKeepsItsOldStatus()
    {
        ClusterPlan plan;
        plan.walPerSecond = 10000;
        Rig rig(plan);
        rig.run(15);
        const std::string replica = rig.other();
        const Json before = rig.status(replica);
        rig.sim.freeze(replica);
        rig.run(60);
        QCOMPARE(rig.status(replica).dump(), before.dump());
        rig.sim.thawAll();
        rig.run(2);
        QVERIFY(rig.status(replica)["xlog_location"].get<std::int64_t>() > before["xlog_location"].get<std::int64_t>());
    }

    void frozenLeaderLosesTheLockAndDemotesOnThaw()
    {
        Rig rig;
        rig.run(5);
        const std::string before = rig.sim.leader();
        rig.sim.freeze(before);
        rig.run(60);
        const std::string next = rig.sim.leader();
        QVERIFY(next != before);
        QCOMPARE(rig.label(before), std::string("primary"));
        rig.sim.thawAll();
        rig.run(1);
        QCOMPARE(rig.status(before)["role"].get<std::string>(), std::string("demoted"));
        QCOMPARE(rig.label(before), std::string());
        rig.run(5);
        QCOMPARE(rig.label(before), std::string("replica"));
        QCOMPARE(rig.sim.leader(), next);
    }

    void allFrozenNobodyRenews()
    {
        Rig rig;
        rig.run(5);
        const std::string before = rig.sim.leader(), transitions = rig.leaderKey("transitions");
        for (const Member &member : rig.sim.members())
            rig.sim.freeze(member.name);
        const auto version = rig.store.version();
        rig.run(60);
        QCOMPARE(rig.store.version(), version);
        rig.sim.thawAll();
        rig.run(15);
        QCOMPARE(rig.sim.leader(), before);
        QCOMPARE(rig.leaderKey("transitions"), transitions);
    }

    void unparsableScheduleIsAnOutage_data()
    {
        QTest::addColumn<bool>("paused");
        QTest::newRow("running") << false;
        QTest::newRow("paused") << true;
    }
    void unparsableScheduleIsAnOutage()
    {
        QFETCH(bool, paused);
        ClusterPlan plan;
        plan.paused = paused;
        Rig rig(plan);
        rig.run(5);
        rig.request(rig.sim.leader(), rig.other(), "tomorrow");
        const auto version = rig.store.version();
        rig.run(60);
        QCOMPARE(rig.store.version(), version); // nobody renews, nobody clears it
        const auto primaries = std::count_if(rig.sim.members().begin(), rig.sim.members().end(), [](const Member &m) { return m.primary; });
        QCOMPARE(primaries, paused ? 1 : 0);
        rig.cancel();
        rig.run(20);
        QVERIFY(rig.leaderKey("renewTime") > isoText(rig.sim.now() - 15s));
        QCOMPARE(rig.history().size(), std::size_t(paused ? 3 : 4));
    }

    void candidateThatDiesAfterTheReleaseIsReplacedByAnother()
    {
        Rig rig;
        rig.run(5);
        const std::string before = rig.sim.leader(), candidate = rig.other(), third = rig.other(candidate);
        rig.request(before, candidate);
        QVERIFY(until(rig, 20, [&] { return !rig.status(before).contains("timeline"); }) > 0);
        rig.sim.freeze(candidate);
        rig.run(30);
        QCOMPARE(rig.sim.leader(), third);
        QVERIFY(!rig.pending());
    }

    void formerLeaderTakesItBackIfNobodyElseCan()
    {
        ClusterPlan plan;
        plan.members = 2;
        Rig rig(plan);
        rig.run(5);
        const std::string before = rig.sim.leader(), candidate = rig.other();
        rig.request(before, candidate);
        QVERIFY(until(rig, 20, [&] { return !rig.status(before).contains("timeline"); }) > 0);
        rig.sim.freeze(candidate);
        QVERIFY(until(rig, 20, [&] { return rig.sim.leader().empty(); }) > 0);
        rig.run(30);
        QCOMPARE(rig.sim.leader(), before);
        QVERIFY(!rig.pending());
        QCOMPARE(rig.history().back()[4].get<std::string>(), before);
    }

    // Whatever happens: once it is left alone, a cluster has one primary, which holds the lock, and all agree.
    void settlesAfterAnything()
    {
        for (unsigned seed = 1; seed <= 12; ++seed) {
            ClusterPlan plan;
            plan.walPerSecond = 5000;
            plan.members = 2 + static_cast<int>(seed % 3);
            plan.endpoints = seed % 2 == 0;
            plan.synchronous = seed % 5 == 0;
            plan.version = seed % 3 == 0 ? "3.0.2" : "4.0.7";
            Rig rig(plan, seed);
            std::mt19937 random(seed);
            for (int i = 0; i < 12; ++i) {
                const std::string any = rig.sim.members()[random() % rig.sim.members().size()].name;
                switch (random() % 7) {
                case 0: rig.sim.crashLeader(); break;
                case 1: rig.sim.freeze(any); break;
                case 2: rig.sim.thawAll(); break;
                case 3: rig.request(rig.sim.leader(), any); break;
                case 4: rig.request({}, any, rig.in(20)); break;
                case 5: rig.request(rig.sim.leader(), any, "tomorrow"); break;
                default: rig.cancel(); break;
                }
                rig.run(random() % 400 / 10.0);
            }
            rig.cancel();
            rig.sim.thawAll();
            rig.run(300);
            const QByteArray where = "seed " + QByteArray::number(seed);
            const std::string leader = rig.sim.leader();
            QVERIFY2(!leader.empty(), where.constData());
            QVERIFY2(rig.leaderKey("renewTime") > isoText(rig.sim.now() - 11s), where.constData());
            const int timeline = rig.history().back()[0].get<int>() + 1;
            for (const Member &member : rig.sim.members()) {
                QVERIFY2(member.primary == (member.name == leader), where.constData());
                const Json status = rig.status(member.name);
                QVERIFY2(status["state"].get<std::string>() == "running", where.constData());
                QVERIFY2(status["timeline"].get<int>() == timeline, where.constData());
                QVERIFY2((rig.label(member.name) == "replica") == (member.name != leader), where.constData());
                QVERIFY2(status["xlog_location"].get<std::int64_t>() <= std::stoll(rig.leaderKey("optime")), where.constData());
            }
        }
    }

    void versionsWriteTheirOwnWords_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("role");
        QTest::addColumn<bool>("streaming");
        QTest::addColumn<bool>("receiveLsn");
        QTest::addColumn<bool>("slots");
        QTest::newRow("3.0.2") << QByteArray("3.0.2") << QByteArray("master") << false << false << false;
        QTest::newRow("4.0.7") << QByteArray("4.0.7") << QByteArray("primary") << true << false << true;
        QTest::newRow("4.1.0") << QByteArray("4.1.0") << QByteArray("primary") << true << true << true;
    }
    void versionsWriteTheirOwnWords()
    {
        QFETCH(QByteArray, version);
        QFETCH(QByteArray, role);
        QFETCH(bool, streaming);
        QFETCH(bool, receiveLsn);
        QFETCH(bool, slots);
        ClusterPlan plan;
        plan.version = version.toStdString();
        plan.endpoints = false;
        plan.roleLabel = "example.org/role";
        Rig rig(plan);
        rig.run(30);
        const std::string leader = rig.sim.leader();
        QCOMPARE(rig.label(leader), role.toStdString());
        QCOMPARE(rig.status(leader)["role"].get<std::string>(), role.toStdString());
        const Json replica = rig.status(rig.other());
        QCOMPARE(replica.contains("replication_state"), streaming);
        QCOMPARE(replica.contains("receive_lsn"), receiveLsn);
        QCOMPARE(!rig.leaderKey("slots").empty(), slots);
        QVERIFY(rig.store.list(Kind::Endpoints, {}).empty());
    }
};

QTEST_APPLESS_MAIN(TestPatroniSim)
#include "tst_patroni_sim.moc"
