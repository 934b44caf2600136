// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/health.h"
#include "tests/rules/healthy_cluster.h"

#include <QTest>

#include <functional>
#include <set>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace std::chrono_literals;
using rules::HealthClock;

namespace {

struct Case
{
    Cluster cluster = healthyCluster();
    HealthClock clock;
};

constexpr Boot now{10000s};
// Every reason that a row of the table has asked for.
std::set<HealthReason> seen;

std::string text(const Verdict &verdict)
{
    std::string result(code(verdict.health));
    for (const Reason &reason : verdict.reasons) {
        result += ' ';
        result += code(reason.code);
        if (!reason.subject.empty())
            result += ':' + reason.subject;
        if (reason.amount)
            result += '=' + std::to_string(*reason.amount);
    }
    return result;
}

} // namespace

using Spoil = std::function<void(Case &)>;
Q_DECLARE_METATYPE(Spoil)

class TestHealth : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void verdicts_data();
    void verdicts()
    {
        QFETCH(Spoil, spoil);
        QFETCH(QByteArray, expected);
        Case made;
        spoil(made);
        const Verdict verdict = rules::verdict(made.cluster, made.clock, now);
        for (const Reason &reason : verdict.reasons)
            seen.insert(reason.code);
        QCOMPARE(QByteArray::fromStdString(text(verdict)), expected);
    }

    void cleanupTestCase()
    {
        for (int i = 0; i <= static_cast<int>(HealthReason::LockUnverified); ++i) {
            const auto reason = static_cast<HealthReason>(i);
            const bool derivable = reason != HealthReason::FailsafeActive; // no object shows it
            QVERIFY2(seen.contains(reason) == derivable, std::string(code(reason)).c_str());
        }
    }
};

void TestHealth::verdicts_data()
{
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *expected, const Spoil &spoil) {
        QTest::newRow(name) << spoil << QByteArray(expected);
    };

    row("nothing wrong", "healthy", [](Case &) {});
    // unknown
    row("stale", "unknown view-stale", [](Case &c) { c.cluster.view.freshness = Freshness::Stale; });
    row("stale lock", "unknown view-stale", [](Case &c) { c.cluster.lock.state = LockState::Stale; });
    row("forbidden", "unknown view-forbidden", [](Case &c) { c.cluster.view.freshness = Freshness::Forbidden; });
    row("connecting", "unknown connecting", [](Case &c) { c.cluster.view.freshness = Freshness::Connecting; });
    row("unknown wins", "unknown view-stale", [](Case &c) {
        c.cluster.view.freshness = Freshness::Stale;
        c.cluster.lock.state = LockState::Released;
        c.clock.lockGoneSince = Boot{};
        member(c.cluster, "acme-0").up = false;
    });
    const auto bootstrap = [](Case &c) {
        c.cluster.leader.reset();
        c.cluster.lock = {};
        c.cluster.leaderName.reset();
    };
    row("initializing", "unknown initializing", [=](Case &c) {
        bootstrap(c);
        c.cluster.config->initialize = InitializeState::InProgress;
    });
    row("never initialized", "unknown initializing", [=](Case &c) {
        bootstrap(c);
        c.cluster.config->initialize = InitializeState::Absent;
        c.clock.lockGoneSince = Boot{};
    });
    row("nothing decodable", "unknown nothing-decodable", [=](Case &c) {
        bootstrap(c);
        c.cluster.config = ConfigRecord{};
    });
    row("no objects", "unknown nothing-decodable", [=](Case &c) {
        bootstrap(c);
        c.cluster.config.reset();
    });
    row("config lost, lock held", "healthy", [](Case &c) { c.cluster.config = ConfigRecord{}; });
    // unhealthy: the lock gone for more than two loops of 10 s
    const auto gone = [](LockState state, Duration since) {
        return [=](Case &c) {
            c.cluster.lock.state = state;
            c.cluster.leaderName.reset();
            c.clock.lockGoneSince = now - since;
            c.cluster.members.front().record.roleLabel.reset();
        };
    };
    row("released", "unhealthy lock-released", gone(LockState::Released, 21s));
    row("absent", "unhealthy lock-absent", gone(LockState::Absent, 21s));
    row("expired", "unhealthy lock-expired", gone(LockState::Expired, 21s));
    row("released just now", "degraded lock-released", gone(LockState::Released, 20s));
    row("released with a short loop", "unhealthy lock-released", [=](Case &c) {
        gone(LockState::Released, 5s)(c);
        c.cluster.config->config.loopWait = 2;
    });
    row("gone, since when is not known", "degraded lock-expired", [=](Case &c) {
        gone(LockState::Expired, 0s)(c);
        c.clock.lockGoneSince.reset();
    });
    row("holder down for ttl", "healthy", [](Case &c) { c.clock.holderDownSince = now - 30s; });
    row("holder down for more than ttl", "unhealthy holder-not-running", [](Case &c) { c.clock.holderDownSince = now - 31s; });
    row("holder down, permanent ttl", "healthy", [](Case &c) {
        c.clock.holderDownSince = now - 31s;
        c.cluster.lock.ttl = INT64_MAX;
    });
    row("unparsable schedule", "unhealthy unparsable-schedule", [](Case &c) {
        c.cluster.failover.emplace();
        c.cluster.failover->schedule = FailoverRequest::Schedule::Unparsable;
    });
    row("unparsable schedule that Patroni does not see", "healthy", [](Case &c) {
        c.cluster.failover.emplace();
        c.cluster.failover->leader = "acme-1";
        c.cluster.failover->schedule = FailoverRequest::Schedule::Unparsable;
        c.cluster.failoverUnseen = true;
    });
    row("far-ahead schedule", "degraded absurd-schedule:far-ahead", [](Case &c) { c.clock.absurd = rules::AbsurdSchedule::FarAhead; });
    row("long-past schedule, before the request itself", "degraded absurd-schedule:long-past request-pending", [](Case &c) {
        c.clock.absurd = rules::AbsurdSchedule::LongPast;
        c.cluster.failover.emplace();
        c.cluster.failover->leader = "acme-0";
    });
    const auto sync = [](const std::vector<std::string> &standbys, bool strict) {
        return [=](Case &c) {
            c.cluster.config->config.syncMode = SyncMode::On;
            c.cluster.config->config.syncStrict = strict;
            c.cluster.sync = SyncState{"acme-1", standbys, 0, false};
        };
    };
    row("sync standby", "healthy", sync({"acme-0"}, true));
    row("strict and nobody", "unhealthy strict-sync-empty no-candidate", sync({}, true));
    row("strict and no object", "unhealthy strict-sync-empty", [=](Case &c) {
        sync({}, true)(c);
        c.cluster.sync.reset();
    });
    row("nobody synchronous", "degraded sync-empty no-candidate", sync({}, false));
    row("only itself", "degraded sync-empty no-candidate", sync({"ACME-1"}, false));
    row("standbys, mode off", "healthy", [=](Case &c) {
        sync({}, true)(c);
        c.cluster.config->config.syncMode = SyncMode::Off;
    });
    // degraded
    row("late", "degraded late-renewal", [](Case &c) { c.cluster.lock.late = true; });
    row("member down", "degraded member-down:acme-0", [](Case &c) { member(c.cluster, "acme-0").up = false; });
    row("leader down", "degraded member-down:acme-1", [](Case &c) { member(c.cluster, "acme-1").up = false; });
    row("not streaming", "degraded member-not-streaming:acme-0",
        [](Case &c) { member(c.cluster, "acme-0").record.replicationState.reset(); });
    row("archive recovery", "degraded member-not-streaming:acme-2",
        [](Case &c) { member(c.cluster, "acme-2").record.replicationState = "in archive recovery"; });
    row("archive recovery by intent", "healthy", [](Case &c) {
        member(c.cluster, "acme-2").record.replicationState = "in archive recovery";
        member(c.cluster, "acme-2").record.tags["nostream"] = "true";
    });
    row("versions that do not report it", "healthy", [](Case &c) {
        for (Member &m : c.cluster.members) {
            m.record.version = "3.0.2";
            m.record.replicationState.reset();
        }
        member(c.cluster, "acme-0").record.version.reset();
    });
    row("old timeline", "degraded member-old-timeline:acme-0", [](Case &c) { member(c.cluster, "acme-0").oldTimeline = true; });
    row("lag at the limit", "healthy", [](Case &c) { member(c.cluster, "acme-0").lag = 1048576; });
    row("lag over the limit", "degraded lag-over-limit:acme-0=1048577", [](Case &c) { member(c.cluster, "acme-0").lag = 1048577; });
    row("lag without a limit", "healthy", [](Case &c) {
        member(c.cluster, "acme-0").lag = 1048577;
        c.cluster.config->config.maximumLagOnFailover.reset();
    });
    row("lag unknown", "healthy", [](Case &c) { member(c.cluster, "acme-0").lag.reset(); });
    row("no candidate", "degraded no-candidate", [](Case &c) {
        member(c.cluster, "acme-0").record.tags["nofailover"] = "true";
        member(c.cluster, "acme-2").record.tags["nofailover"] = "true";
    });
    row("alone", "degraded no-candidate", [](Case &c) { c.cluster.members.resize(1); });
    row("two leader labels", "degraded two-leader-labels", [](Case &c) { member(c.cluster, "acme-0").record.roleLabel = "master"; });
    row("two leader labels of the site's own", "degraded two-leader-labels", [](Case &c) {
        member(c.cluster, "acme-1").record.roleLabel = "boss";
        member(c.cluster, "acme-0").record.roleLabel = "boss";
    });
    row("label elsewhere", "degraded leader-disagreement:label", [](Case &c) {
        member(c.cluster, "acme-1").record.roleLabel.reset();
        member(c.cluster, "acme-0").record.roleLabel = "primary";
    });
    row("holder labelled replica", "degraded leader-disagreement:label",
        [](Case &c) { member(c.cluster, "acme-1").record.roleLabel = "replica"; });
    row("no labels", "healthy", [](Case &c) {
        for (Member &m : c.cluster.members)
            m.record.roleLabel.reset();
    });
    row("address of another", "degraded leader-disagreement:address", [](Case &c) {
        c.cluster.leader->addresses = std::vector<EndpointAddress>{{"10.9.0.10", "acme-0"}};
    });
    row("address of another, by IP", "degraded leader-disagreement:address", [](Case &c) {
        c.cluster.leader->addresses = std::vector<EndpointAddress>{{"10.9.0.10", {}}};
    });
    row("address nobody has", "healthy", [](Case &c) { c.cluster.leader->addresses = std::vector<EndpointAddress>{{"192.0.2.1", {}}}; });
    row("no subsets", "healthy", [](Case &c) { c.cluster.leader->addresses.reset(); });
    row("holder without a Pod", "degraded leader-disagreement:holder", [](Case &c) {
        c.cluster.leaderName = "acme-9";
        c.cluster.leader->addresses.reset();
        c.cluster.members.erase(c.cluster.members.begin());
    });
    row("paused", "degraded paused", [](Case &c) { c.cluster.config->config.paused = true; });
    row("request", "degraded request-pending", [](Case &c) {
        c.cluster.failover.emplace();
        c.cluster.failover->member = "acme-0";
    });
    row("emptied request", "healthy", [](Case &c) { c.cluster.failover.emplace(); });
    row("standby cluster", "healthy", [](Case &c) {
        c.cluster.config->config.standbyCluster = true;
        c.cluster.config->config.standbySource = "10.0.0.1:5432";
    });
    row("standby cluster of nobody", "degraded standby-source-unknown", [](Case &c) { c.cluster.config->config.standbyCluster = true; });
    // a note
    row("unverified", "healthy lock-unverified", [](Case &c) { c.cluster.lock.state = LockState::Unverified; });
    row("worst first, notes last", "unhealthy unparsable-schedule member-down:acme-0 paused lock-unverified", [](Case &c) {
        c.cluster.lock.state = LockState::Unverified;
        c.cluster.config->config.paused = true;
        member(c.cluster, "acme-0").up = false;
        c.cluster.failover.emplace();
        c.cluster.failover->schedule = FailoverRequest::Schedule::Unparsable;
    });
}

QTEST_APPLESS_MAIN(TestHealth)
#include "tst_health.moc"
