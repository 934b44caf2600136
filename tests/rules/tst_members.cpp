// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/members.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::patroni;

namespace {

MemberRecord member(const std::string &name, std::optional<Lsn> position, std::int64_t timeline = 8)
{
    MemberRecord record;
    record.name = name;
    record.reported = true;
    record.state = "running";
    record.role = "replica";
    record.xlogLocation = position;
    record.timeline = timeline;
    record.pod.phase = "Running";
    return record;
}

Cluster cluster()
{
    Cluster c;
    c.lock.state = LockState::Held;
    c.lock.holder = "acme-1";
    c.leaderName = "acme-1";
    c.leader.emplace();
    c.leader->leader = "acme-1";
    c.leader->optime = 1000;
    c.config.emplace();
    return c;
}

const Member &named(const std::vector<Member> &members, const std::string &name)
{
    static const Member none;
    for (const Member &m : members) {
        if (m.record.name == name)
            return m;
    }
    return none;
}

} // namespace

class TestMembers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lagIsANumberZeroOrUnknown()
    {
        const std::vector<MemberRecord> records{member("acme-0", 400), member("acme-1", 1000), member("acme-2", 1200),
                                                member("acme-3", std::nullopt)};
        auto views = rules::memberViews(records, cluster());
        QCOMPARE(views.front().record.name, std::string("acme-1"));
        QVERIFY(!views.front().lag); // a leader has none
        QCOMPARE(named(views, "acme-0").lag, std::optional<std::uint64_t>(600));
        QCOMPARE(named(views, "acme-2").lag, std::optional<std::uint64_t>(0)); // ahead of a sample: shown as 0
        QCOMPARE(named(views, "acme-3").lag, std::optional<std::uint64_t>());
        Cluster noOptime = cluster();
        noOptime.leader->optime.reset();
        views = rules::memberViews(records, noOptime);
        QCOMPARE(named(views, "acme-0").lag, std::optional<std::uint64_t>()); // patronictl shows 0 here
    }

    void receiveAndReplayLagOnlyWhereGiven()
    {
        MemberRecord record = member("acme-0", 900);
        record.receiveLsn = 900;
        record.replayLsn = 700;
        const auto views = rules::memberViews({record, member("acme-2", 800)}, cluster());
        QCOMPARE(named(views, "acme-0").receiveLag, std::optional<std::uint64_t>(100));
        QCOMPARE(named(views, "acme-0").replayLag, std::optional<std::uint64_t>(300));
        QCOMPARE(named(views, "acme-2").receiveLag, std::optional<std::uint64_t>());
        QCOMPARE(named(views, "acme-2").lag, std::optional<std::uint64_t>(200));
    }

    void roles_data()
    {
        QTest::addColumn<std::string>("standbys");
        QTest::addColumn<SyncMode>("mode");
        QTest::addColumn<bool>("standbyCluster");
        QTest::addColumn<LockState>("lock");
        QTest::addColumn<Role>("ofHolder");
        QTest::addColumn<Role>("ofOther");
        QTest::newRow("asynchronous") << std::string("") << SyncMode::Off << false << LockState::Held << Role::Leader << Role::Replica;
        QTest::newRow("synchronous") << std::string("acme-0") << SyncMode::On << false << LockState::Held << Role::Leader
                                     << Role::SyncStandby;
        QTest::newRow("case differs") << std::string("ACME-0") << SyncMode::On << false << LockState::Held << Role::Leader
                                      << Role::SyncStandby;
        QTest::newRow("names the leader as its own standby")
            << std::string("acme-1") << SyncMode::On << false << LockState::Held << Role::Leader << Role::Replica;
        QTest::newRow("quorum") << std::string("acme-0") << SyncMode::Quorum << false << LockState::Held << Role::Leader
                                << Role::QuorumStandby;
        QTest::newRow("standby cluster ignores sync")
            << std::string("acme-0") << SyncMode::On << true << LockState::Held << Role::StandbyLeader << Role::Replica;
        QTest::newRow("expired: nobody leads") << std::string("") << SyncMode::Off << false << LockState::Expired << Role::Replica
                                               << Role::Replica;
        QTest::newRow("stale: as last seen") << std::string("") << SyncMode::Off << false << LockState::Stale << Role::Leader
                                             << Role::Replica;
    }
    void roles()
    {
        QFETCH(std::string, standbys);
        QFETCH(SyncMode, mode);
        QFETCH(bool, standbyCluster);
        QFETCH(LockState, lock);
        Cluster c = cluster();
        c.lock.state = lock;
        c.config->config.syncMode = mode;
        c.config->config.standbyCluster = standbyCluster;
        c.sync.emplace();
        c.sync->leader = "acme-1";
        if (!standbys.empty())
            c.sync->standbys = {standbys};
        const auto views = rules::memberViews({member("acme-0", 1), member("acme-1", 1)}, c);
        QTEST(named(views, "acme-1").role, "ofHolder");
        QTEST(named(views, "acme-0").role, "ofOther");
    }

    void oldTimelineAndUp()
    {
        MemberRecord old = member("acme-0", 100, 7), crashed = member("acme-2", 100), gone = member("acme-3", 100), silent;
        crashed.state = "crashed";
        gone.deleting = true;
        silent.name = "acme-4"; // a Pod whose Patroni has not reported yet
        silent.pod.phase = "Running";
        MemberRecord streaming = member("acme-5", 100);
        streaming.replicationState = "streaming";
        MemberRecord failed = member("acme-6", 100);
        failed.pod.phase = "Failed"; // status still says running: it is no heartbeat
        const auto views = rules::memberViews({old, member("acme-1", 1000), crashed, gone, silent, streaming, failed}, cluster());
        QVERIFY(named(views, "acme-0").oldTimeline);
        QVERIFY(!named(views, "acme-2").oldTimeline);
        QVERIFY(!named(views, "acme-4").oldTimeline);
        QVERIFY(named(views, "acme-0").up);
        QVERIFY(!named(views, "acme-2").up);
        QVERIFY(!named(views, "acme-3").up);
        QVERIFY(!named(views, "acme-4").up);
        QVERIFY(!named(views, "acme-6").up);
        QCOMPARE(named(views, "acme-5").shownState, std::optional<std::string>("streaming"));
        QVERIFY(!named(views, "acme-4").shownState);
    }
};

QTEST_APPLESS_MAIN(TestMembers)
#include "tst_members.moc"
