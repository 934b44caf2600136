// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/preflight.h"
#include "tests/rules/healthy_cluster.h"

#include <QTest>

#include <functional>
#include <set>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace std::chrono_literals;
using rules::RuleCode;
using rules::Severity;

namespace {

const Instant noon{std::chrono::sys_days{std::chrono::year{2031} / 2 / 1} + 12h};
const Now now{Boot{10000s}, noon};

std::string mark(Severity severity)
{
    return severity == Severity::Blocks ? "!" : severity == Severity::Warning ? "?" : "";
}

std::string listed(const std::vector<rules::Finding> &findings)
{
    std::string result;
    for (const auto &finding : findings) {
        if (finding.severity != Severity::Note)
            result += (result.empty() ? "" : " ") + mark(finding.severity) + std::string(code(finding.rule))
                + (finding.subject.empty() ? "" : ":" + finding.subject) + (finding.amount ? "=" + std::to_string(*finding.amount) : "");
    }
    return result;
}

// "!nofailover ?lag-unknown": what is found about acme-0, without notes
std::string findings(const Cluster &cluster, const std::string &name = "acme-0")
{
    std::string result;
    for (const auto &member : rules::preflight(cluster, rules::switchoverWish("acme-1"), {}, now).members) {
        if (member.member != name)
            continue;
        result = listed(member.findings);
        if (member.fit == (result.find('!') != std::string::npos))
            result += " (fit is wrong)";
    }
    return result;
}

std::string problems(const Cluster &cluster, const rules::ActionWish &wish)
{
    const auto preflight = rules::preflight(cluster, wish, {}, now);
    const std::string result = listed(preflight.request);
    return preflight.fit == (result.find('!') != std::string::npos) ? result + " (fit is wrong)" : result;
}

} // namespace

using Spoil = std::function<void(Cluster &)>;
using Wish = rules::ActionWish;
Q_DECLARE_METATYPE(Spoil)
Q_DECLARE_METATYPE(Wish)

class TestPreflight : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void members_data();
    void members()
    {
        QFETCH(Spoil, spoil);
        QFETCH(QByteArray, expected);
        Cluster cluster = healthyCluster();
        spoil(cluster);
        QCOMPARE(QByteArray::fromStdString(findings(cluster)), expected);
    }

    void theLeaderIsNoTarget()
    {
        QCOMPARE(findings(healthyCluster(), "acme-1"), std::string("!is-leader"));
        QCOMPARE(rules::preflight(healthyCluster(), rules::switchoverWish("acme-1"), {}, now).members.size(), 3U);
    }

    void wishes_data();
    void wishes()
    {
        QFETCH(Spoil, spoil);
        QFETCH(Wish, wish);
        QFETCH(QByteArray, expected);
        Cluster cluster = healthyCluster();
        spoil(cluster);
        QCOMPARE(QByteArray::fromStdString(problems(cluster, wish)), expected);
    }

    void everyCodeIsNamed()
    {
        std::set<std::string_view> names;
        for (int i = 0; i <= static_cast<int>(RuleCode::LiveLagOverLimit); ++i) {
            const auto rule = static_cast<RuleCode>(i);
            QVERIFY2(code(rule) != "unknown" && !sourceOf(rule).where.empty(), qPrintable(QString::number(i)));
            names.insert(code(rule));
        }
        QCOMPARE(names.size(), static_cast<std::size_t>(RuleCode::LiveLagOverLimit) + 1);
    }
};

void TestPreflight::members_data()
{
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *expected, const Spoil &spoil) {
        QTest::newRow(name) << spoil << QByteArray(expected);
    };
    // Spoils only acme-0.
    const auto rowFor = [&](const char *name, const char *expected, const std::function<void(Member &)> &spoil) {
        row(name, expected, [=](Cluster &c) { spoil(member(c, "acme-0")); });
    };
    rowFor("fit", "", [](Member &) {});
    rowFor("not reported", "!not-reported ?lag-unknown", [](Member &m) {
        m.record.reported = false;
        m.record.state.reset();
        m.lag.reset();
    });
    for (const char *state : {"starting", "stopped", "start failed", "crashed", "creating replica"})
        rowFor(state, QByteArray("!not-running:" + QByteArray(state)).constData(), [=](Member &m) { m.record.state = state; });
    rowFor("state unknown", "!not-running", [](Member &m) { m.record.state.reset(); });
    rowFor("streaming as state", "", [](Member &m) { m.record.state = "streaming"; });
    rowFor("Pod pending", "!not-running:Pending", [](Member &m) { m.record.pod.phase = "Pending"; });
    rowFor("Pod phase unknown", "", [](Member &m) { m.record.pod.phase.reset(); });
    rowFor("a container waits", "?not-running:CrashLoopBackOff", [](Member &m) { m.record.pod.notRunning = "CrashLoopBackOff"; });
    rowFor("deleting", "!deleting", [](Member &m) { m.record.deleting = true; });
    rowFor("nofailover", "!nofailover", [](Member &m) { m.record.tags["nofailover"] = "true"; });
    rowFor("nofailover off", "", [](Member &m) { m.record.tags["nofailover"] = "false"; });
    rowFor("priority 0 since 3.2", "!failover-priority-zero", [](Member &m) { m.record.tags["failover_priority"] = "0"; });
    rowFor("priority 0, the leader knows it", "!failover-priority-zero", [](Member &m) {
        m.record.version = "3.1.2";
        m.record.tags["failover_priority"] = "0";
    });
    rowFor("lag at the limit", "", [](Member &m) { m.lag = 1048576; });
    rowFor("lag over the limit", "!lag-over-limit=1048577", [](Member &m) { m.lag = 1048577; });
    rowFor("lag unknown", "?lag-unknown", [](Member &m) { m.lag.reset(); });
    rowFor("old timeline", "?old-timeline", [](Member &m) { m.oldTimeline = true; });
    row("old timeline, checked", "!old-timeline", [](Cluster &c) {
        c.config->config.checkTimeline = true;
        member(c, "acme-0").oldTimeline = true;
    });
    row("no limit readable", "", [](Cluster &c) {
        c.config->config.maximumLagOnFailover.reset();
        member(c, "acme-0").lag = 1048577;
    });
    row("config unknown: defaults", "!lag-over-limit=1048577", [](Cluster &c) {
        c.config.reset();
        member(c, "acme-0").lag = 1048577;
    });
    const auto sync = [](SyncMode mode, const std::optional<std::string> &leader, const std::vector<std::string> &standbys) {
        return [=](Cluster &c) {
            c.config->config.syncMode = mode;
            c.sync = SyncState{leader, standbys, {}, false};
        };
    };
    row("sync standby", "", sync(SyncMode::On, "acme-1", {"acme-0"}));
    row("not a sync standby", "!not-sync-standby", sync(SyncMode::On, "acme-1", {"acme-2"}));
    row("voter", "", sync(SyncMode::Quorum, "acme-1", {"acme-0", "acme-2"}));
    row("no voter", "!not-voter", sync(SyncMode::Quorum, "acme-1", {"acme-2"}));
    row("mode off", "", sync(SyncMode::Off, "acme-1", {"acme-2"}));
    row("mode not in use yet", "", sync(SyncMode::On, {}, {}));
    row("other case", "", sync(SyncMode::On, "acme-1", {"ACME-0"}));
    row("other case before 3.0.3", "!not-sync-standby", [=](Cluster &c) {
        sync(SyncMode::On, "acme-1", {"ACME-0"})(c);
        member(c, "acme-1").record.version = "3.0.2";
    });
    row("worst first", "!lag-over-limit=1048577 ?not-running:Error ?old-timeline", [](Cluster &c) {
        member(c, "acme-0").record.pod.notRunning = "Error";
        member(c, "acme-0").lag = 1048577;
        member(c, "acme-0").oldTimeline = true;
    });
}

void TestPreflight::wishes_data()
{
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<Wish>("wish");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](
                         const char *name, const char *expected, const Wish &wish, const Spoil &spoil = [](Cluster &) {}) {
        QTest::newRow(name) << spoil << wish << QByteArray(expected);
    };
    const Wish toZero = rules::switchoverWish("acme-1", "acme-0");
    const Wish toAny = rules::switchoverWish("acme-1");
    const auto at = [&](Duration d) { return rules::switchoverWish("acme-1", "acme-0", noon + d); };
    row("now", "", toZero);
    row("to any", "", toAny);
    row("in an hour", "", at(1h));
    row("stale", "!view-stale", toZero, [](Cluster &c) { c.view.freshness = Freshness::Stale; });
    row("forbidden", "!view-stale", toZero, [](Cluster &c) { c.view.freshness = Freshness::Forbidden; });
    row("stale lock", "!view-stale", toZero, [](Cluster &c) { c.lock.state = LockState::Stale; });
    row("no leader", "!no-leader", toZero, [](Cluster &c) { c.leaderName.reset(); });
    row("other leader", "!leader-mismatch:acme-1", rules::switchoverWish("acme-2", "acme-0"));
    row("to itself", "!same-member:acme-1", rules::switchoverWish("acme-1", "acme-1"));
    row("to the real leader", "!leader-mismatch:acme-1 !same-member:acme-1", rules::switchoverWish("acme-2", "acme-1"));
    row("unknown candidate", "!unknown-candidate:acme-9", rules::switchoverWish("acme-1", "acme-9"));
    row("unfit candidate", "!candidate-unfit:acme-0", toZero, [](Cluster &c) { member(c, "acme-0").record.deleting = true; });
    row("one fit is enough", "", toAny, [](Cluster &c) { member(c, "acme-0").record.deleting = true; });
    row("nobody is fit", "!no-fit-candidate", toAny, [](Cluster &c) {
        member(c, "acme-0").record.deleting = true;
        member(c, "acme-2").record.deleting = true;
    });
    const auto quorum = [](std::int64_t n) {
        return [=](Cluster &c) {
            c.config->config.syncMode = SyncMode::Quorum;
            c.sync = SyncState{"acme-1", {"acme-0", "acme-2"}, n, false};
        };
    };
    row("more than quorum", "", toAny, quorum(1));
    row("no more than quorum", "!too-few-for-quorum=1", toAny, quorum(2));
    const Spoil pause = [](Cluster &c) { c.config->config.paused = true; };
    row("paused, named", "", toZero, pause);
    row("paused, any", "!paused-needs-candidate", toAny, pause);
    row("paused, scheduled", "!paused-schedule", at(1h), pause);
    row("paused standby cluster", "!paused-standby-leader", toZero, [=](Cluster &c) {
        pause(c);
        c.config->config.standbyCluster = true;
    });
    row("due within a loop", "?too-near", at(10s));
    row("due after a loop", "", at(11s));
    row("now is not the past", "?too-near", at(0s));
    row("in the past", "!in-the-past", at(-1us));
    row("overdue by 15 s", "!in-the-past", at(-15s));
    row("overdue by more", "!in-the-past !too-late", at(-16s));
    row("overdue, odd loop", "!in-the-past !too-late", at(-5s), [](Cluster &c) { c.config->config.loopWait = 3; }); // int(4.5)
    row("request pending", "?already-pending:acme-2", toZero, [](Cluster &c) {
        c.failover.emplace();
        c.failover->leader = "acme-1";
        c.failover->member = "acme-2";
    });
    row("left-over time", "?already-pending", toZero, [](Cluster &c) {
        c.failover.emplace();
        c.failover->scheduledAtRaw = "2031-02-03T01:30:00+00:00";
    });
    row("a request that Patroni does not see", "", toZero, [](Cluster &c) {
        c.failover.emplace();
        c.failover->scheduledAtRaw = "tomorrow";
        c.failover->schedule = FailoverRequest::Schedule::Unparsable;
        c.failoverUnseen = true;
    });
    row("emptied request", "", toZero, [](Cluster &c) { c.failover.emplace(); });
    row("two modes, record moves", "?mode-unclear", toZero, [](Cluster &c) { c.names.otherModePresent = true; });
    row("two modes, nothing seen to move", "!mode-unclear", toZero, [](Cluster &c) {
        c.names.otherModePresent = true;
        c.lock.state = LockState::Unverified;
    });
    row("worst first", "!view-stale ?too-near", at(5s), [](Cluster &c) { c.view.freshness = Freshness::Stale; });
}

QTEST_APPLESS_MAIN(TestPreflight)
#include "tst_preflight.moc"
