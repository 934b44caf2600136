// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/action.h"
#include "models/rules/live_answer.h"
#include "tests/rules/healthy_cluster.h"

#include <QTest>

#include <functional>
#include <set>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace std::chrono_literals;
using rules::ActionKind;

using Spoil = std::function<void(Cluster &)>;
Q_DECLARE_METATYPE(Spoil)
Q_DECLARE_METATYPE(ActionKind)

class TestAction : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void codes()
    {
        std::set<std::string_view> names;
        int rest = 0, requests = 0;
        for (int i = 0; i < rules::actionCount; ++i) {
            const auto kind = static_cast<ActionKind>(i);
            names.insert(code(kind));
            rest += needsRest(kind);
            requests += writesRequest(kind);
            QVERIFY(!(needsRest(kind) && writesRequest(kind)));
        }
        QVERIFY(!names.contains("unknown"));
        QCOMPARE(names.size(), static_cast<std::size_t>(rules::actionCount));
        QCOMPARE(rest, 6);
        QCOMPARE(requests, 4);
        names.clear();
        for (int i = 0; i <= static_cast<int>(rules::ActionBar::ModeUnclear); ++i)
            names.insert(code(static_cast<rules::ActionBar>(i)));
        QCOMPARE(names.size(), static_cast<std::size_t>(rules::ActionBar::ModeUnclear) + 1);
        QVERIFY(!names.contains("unknown"));
    }

    void bars_data();
    void bars()
    {
        QFETCH(ActionKind, kind);
        QFETCH(Spoil, spoil);
        QFETCH(QByteArray, expected);
        Cluster cluster = healthyCluster();
        spoil(cluster);
        const auto bar = actionBar(cluster, kind);
        QCOMPARE(QByteArray::fromStdString(bar ? std::string(code(*bar)) : std::string()), expected);
    }

    // Answers as 3.0.2 and 4.0.7 give them.
    void answers()
    {
        const Boot at{5s};
        auto a = rules::decodeLiveAnswer(
            R"({"state":"running","role":"replica","server_version":150003,"xlog":{"received_location":671129472,"replayed_location":671129000,)"
            R"("replayed_timestamp":null,"paused":false},"timeline":8,"dcs_last_seen":1925028000,"tags":{"nofailover":true},)"
            R"("pending_restart":true,"patroni":{"version":"3.0.2","scope":"acme"},"watchdog_failed":true,"pause":true})",
            at);
        QVERIFY(!a.error);
        QCOMPARE(a.at, at);
        QCOMPARE(a.state, std::optional<std::string>("running"));
        QCOMPARE(a.role, std::optional<std::string>("replica"));
        QCOMPARE(a.version, std::optional<std::string>("3.0.2"));
        QCOMPARE(a.timeline, std::optional<std::int64_t>(8));
        QCOMPARE(a.position, std::optional<Lsn>(671129472));
        QCOMPARE(a.dcsLastSeen, std::optional(Instant(1925028000s)));
        QCOMPARE(a.noFailover, std::optional(true));
        QCOMPARE(a.watchdogFailed, std::optional(true));
        QCOMPARE(a.paused, std::optional(true));
        QCOMPARE(a.pendingRestart, std::optional(true));
        a = rules::decodeLiveAnswer(
            R"({"state":"running","role":"primary","xlog":{"location":700000000},"timeline":9,"patroni":{"version":"4.0.7"}})", at);
        QCOMPARE(a.position, std::optional<Lsn>(700000000));
        QCOMPARE(a.noFailover, std::optional(false));
        QCOMPARE(a.watchdogFailed, std::optional(false)); // told only when it has
        QVERIFY(!a.dcsLastSeen);
        a = rules::decodeLiveAnswer(R"({"state":"stopped","role":"replica","patroni":{"version":"4.0.7"},"dcs_last_seen":0})", at);
        QVERIFY(!a.error && !a.position && !a.timeline && !a.dcsLastSeen);
        const auto tagged = [&](const char *tags) {
            return rules::decodeLiveAnswer(std::string(R"({"state":"running","patroni":{},"tags":)") + tags + "}", at).noFailover;
        };
        QCOMPARE(tagged(R"({"failover_priority":0})"), std::optional(true));
        QCOMPARE(tagged(R"({"failover_priority":"0"})"), std::optional(true));
        QCOMPARE(tagged(R"({"failover_priority":2})"), std::optional(false));
        QCOMPARE(tagged(R"({"failover_priority":0,"nofailover":false})"), std::optional(false));
    }

    void answersThatAreNone()
    {
        for (const char *text : {"", "{", "[]", "null", "<html>503</html>", R"({"kind":"Status","code":503})",
                                 R"({"state":1,"patroni":{}})", R"({"state":"running"})", "\xff\xfe"}) {
            const auto answer = rules::decodeLiveAnswer(text, Boot{5s});
            QVERIFY2(answer.error, text);
            QVERIFY(!answer.state && !answer.position && !answer.noFailover);
        }
    }
};

void TestAction::bars_data()
{
    QTest::addColumn<ActionKind>("kind");
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](ActionKind kind, const char *expected, const char *when, const Spoil &spoil) {
        QTest::addRow("%s, %s", std::string(code(kind)).c_str(), when) << kind << spoil << QByteArray(expected);
    };
    const Spoil nothing = [](Cluster &c) { c.config->config.present = true; };
    const Spoil stale = [](Cluster &c) { c.view.freshness = Freshness::Stale; };
    const Spoil twoKinds = [](Cluster &c) {
        c.names.otherModePresent = true;
        c.lock.state = LockState::Unverified;
    };
    const Spoil empty = [](Cluster &c) { c.members.clear(); };
    const Spoil standby = [](Cluster &c) { c.config->config.standbyCluster = true; };
    const std::map<ActionKind, const char *> healthy{{ActionKind::CancelRequest, "nothing-pending"},
                                                     {ActionKind::Repair, "not-unparsable"},
                                                     {ActionKind::Resume, "not-paused"},
                                                     {ActionKind::CancelRestart, "nothing-scheduled"},
                                                     {ActionKind::PromoteCluster, "not-standby"}};
    for (int i = 0; i < rules::actionCount; ++i) {
        const auto kind = static_cast<ActionKind>(i);
        row(kind, healthy.contains(kind) ? healthy.at(kind) : "", "healthy", nothing);
        row(kind, "view", "stale", stale);
        const bool object = kind < ActionKind::Restart && kind != ActionKind::CancelRequest && kind != ActionKind::Repair;
        row(kind, object ? "mode-unclear" : healthy.contains(kind) ? healthy.at(kind) : "", "two kinds", twoKinds);
        if (needsRest(kind))
            row(kind, "no-members", "no members", empty);
    }
    row(ActionKind::Switchover, "no-leader", "nobody leads", [](Cluster &c) { c.leaderName.reset(); });
    row(ActionKind::Failover, "", "nobody leads", [](Cluster &c) { c.leaderName.reset(); });
    row(ActionKind::Failover, "no-members", "no members", empty);
    row(ActionKind::CancelRequest, "", "pending", [](Cluster &c) { c.failover.emplace().member = "acme-0"; });
    row(ActionKind::CancelRequest, "", "a left-over time", [](Cluster &c) { c.failover.emplace().scheduledAtRaw = "x"; });
    row(ActionKind::Repair, "", "unparsable", [](Cluster &c) { c.failover.emplace().schedule = FailoverRequest::Schedule::Unparsable; });
    row(ActionKind::Pause, "already-paused", "paused", [](Cluster &c) { c.config->config.paused = true; });
    row(ActionKind::Resume, "", "paused", [](Cluster &c) { c.config->config.paused = true; });
    for (const auto kind : {ActionKind::Pause, ActionKind::Resume, ActionKind::EditConfig, ActionKind::DemoteCluster})
        row(kind, "no-config", "no config", [](Cluster &c) { c.config->config.present = false; });
    row(ActionKind::CancelRestart, "", "scheduled", [](Cluster &c) { member(c, "acme-0").record.scheduledRestart.emplace(); });
    row(ActionKind::DemoteCluster, "already-standby", "standby", standby);
    row(ActionKind::PromoteCluster, "", "standby", standby);
    row(ActionKind::DemoteCluster, "too-old", "the leader runs 4.0", [](Cluster &c) { member(c, "acme-1").record.version = "4.0.7"; });
    row(ActionKind::DemoteCluster, "too-old", "version unknown", [](Cluster &c) { member(c, "acme-1").record.version.reset(); });
    row(ActionKind::DemoteCluster, "", "a replica runs 4.0", [](Cluster &c) { member(c, "acme-0").record.version = "4.0.7"; });
}

QTEST_APPLESS_MAIN(TestAction)
#include "tst_action.moc"
