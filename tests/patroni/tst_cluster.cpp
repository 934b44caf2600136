// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/cluster.h"

#include <QTest>

#include <set>

using namespace switchyard;
using namespace switchyard::patroni;

namespace {

// Every value up to `last` has its own code, in lower case words joined by - or _.
template<class Enum>
std::string codes(Enum last)
{
    std::string result;
    for (int i = 0; i <= static_cast<int>(last); ++i)
        result += (i ? " " : "") + std::string(code(static_cast<Enum>(i)));
    return result;
}

Member member(const char *name, Role role, std::optional<std::uint64_t> lag, bool up = true)
{
    Member m;
    m.record.name = name;
    m.role = role;
    m.lag = lag;
    m.up = up;
    return m;
}

} // namespace

class TestCluster : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCode()
    {
        QCOMPARE(codes(Mode::ConfigMaps), std::string("endpoints configmaps"));
        QCOMPARE(codes(LockState::Stale), std::string("absent released unverified held expired stale"));
        QCOMPARE(codes(Freshness::Connecting), std::string("live stale forbidden connecting"));
        QCOMPARE(codes(Role::Unknown), std::string("leader standby_leader sync_standby quorum_standby replica unknown"));
        QCOMPARE(codes(Health::Unknown), std::string("healthy degraded unhealthy unknown"));
        QCOMPARE(
            codes(HealthReason::LockUnverified),
            std::string(
                "view-stale view-forbidden connecting initializing nothing-decodable lock-released lock-absent lock-expired "
                "holder-not-running "
                "unparsable-schedule strict-sync-empty absurd-schedule late-renewal member-down member-not-streaming member-old-timeline "
                "lag-over-limit no-candidate "
                "sync-empty two-leader-labels leader-disagreement failsafe-active paused request-pending "
                "standby-source-unknown lock-unverified"));
        QCOMPARE(codes(RequestKind::Failover), std::string("switchover failover"));
        QCOMPARE(
            codes(Outcome::Refused),
            std::string("pending kept-while-paused not-picked-up outage done done-other taken-back erased superseded cancelled refused"));
        QCOMPARE(
            codes(Refusal::Unknown),
            std::string(
                "stale no-offset leader-mismatch already-leader paused-needs-candidate not-sync-standby no-healthy-candidate unknown"));
        QCOMPARE(codes(RequestStep::Decided), std::string("scheduled due stepping-down leaderless promoted decided"));
        QCOMPARE(codes(TransitionKind::Unknown),
                 std::string("bootstrap switchover scheduled-switchover failover lock-expired lock-released re-taken unknown"));
    }

    void finalOutcomes()
    {
        const std::set<Outcome> open{Outcome::Pending, Outcome::KeptWhilePaused, Outcome::NotPickedUp, Outcome::Outage};
        for (int i = 0; i <= static_cast<int>(Outcome::Refused); ++i)
            QCOMPARE(isFinal(static_cast<Outcome>(i)), !open.contains(static_cast<Outcome>(i)));
    }

    void worstLag()
    {
        Cluster c;
        QVERIFY(!c.worstLag());
        c.members = {member("a", Role::Leader, {})};
        QVERIFY(!c.worstLag());
        c.members.push_back(member("b", Role::Replica, 0));
        QVERIFY(c.worstLag() == 0U);
        c.members.push_back(member("c", Role::SyncStandby, 70));
        QVERIFY(c.worstLag() == 70U);
        c.members.push_back(member("d", Role::Replica, {}));
        QVERIFY(!c.worstLag()); // the worst may be the unknown one
    }

    void membersUp()
    {
        Cluster c;
        QCOMPARE(c.membersUp(), 0);
        c.members = {member("a", Role::Leader, {}), member("b", Role::Replica, 0, false), member("c", Role::Replica, 0)};
        QCOMPARE(c.membersUp(), 2);
    }

    void pendingRequest()
    {
        Cluster c;
        QVERIFY(!c.pendingRequest());
        c.requests.resize(2);
        c.requests[0].outcome = Outcome::Done;
        c.requests[1].id = "second";
        QCOMPARE(c.pendingRequest()->id, std::string("second"));
        c.requests[1].outcome = Outcome::KeptWhilePaused;
        QVERIFY(c.pendingRequest());
        c.requests[1].outcome = Outcome::Refused;
        QVERIFY(!c.pendingRequest());
    }

    void keyText()
    {
        QCOMPARE((ClusterKey{"ctx", "db", "acme", {}, "acme"}.text()), std::string("db/acme"));
        QCOMPARE((ClusterKey{"ctx", "db", "acme", 0, "acme-0"}.text()), std::string("db/acme:0"));
    }
};

QTEST_APPLESS_MAIN(TestCluster)
#include "tst_cluster.moc"
