// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of a write, by the views of the cluster that follow it.
#include "models/rules/write_outcome.h"
#include "tests/rules/healthy_cluster.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace switchyard;
using namespace switchyard::rules;
using namespace std::chrono_literals;
using patroni::Cluster;
using patroni::member;

namespace {

const Instant noon{std::chrono::sys_days{std::chrono::year{2031} / 2 / 1} + 12h};

Now at(Duration d)
{
    return {Boot{10000s} + d, noon + d};
}

// A view of the cluster after another, and what it changes.
using Change = std::function<void(Cluster &)>;

struct Story
{
    const char *name;
    ActionWish wish;
    Change before;             // what is there when it is sent
    std::vector<Change> views; // a second apart
    const char *outcomes;      // after each view: code or "-", parted by blanks
    std::string detail{};      // after the last one
    bool answered = true;
    std::optional<std::string> version = "200"; // of the object, by the answer
};

ActionWish wishOf(ActionKind kind, std::vector<std::string> members = {})
{
    ActionWish wish;
    wish.kind = kind;
    wish.members = std::move(members);
    return wish;
}

Change config(const char *text, const char *version = "200")
{
    return [=](Cluster &c) {
        std::vector<patroni::Defect> defects;
        c.config->config = patroni::decodeDynamicConfig(text, defects, "acme-config");
        c.objects["config"].resourceVersion = version;
    };
}

Change reports(std::vector<std::string> pausedMembers)
{
    return [=](Cluster &c) {
        for (auto &m : c.members)
            m.record.pauseSeen = std::find(pausedMembers.begin(), pausedMembers.end(), m.record.name) != pausedMembers.end();
    };
}

Change state(const char *name)
{
    return [=](Cluster &c) { member(c, "acme-0").record.state = name; };
}

Change restartAt(const char *when)
{
    return [=](Cluster &c) {
        auto &restart = member(c, "acme-0").record.scheduledRestart;
        restart.reset();
        if (when)
            restart = patroni::ScheduledRestart{when, {}, {}};
    };
}

Change role(const char *name)
{
    return [=](Cluster &c) { member(c, "acme-1").record.role = name; };
}

Change request(patroni::Outcome outcome, const char *newLeader = nullptr)
{
    return [=](Cluster &c) {
        c.requests.resize(1);
        c.requests[0].id = "uid:150";
        c.requests[0].outcome = outcome;
        if (newLeader)
            c.requests[0].newLeader = newLeader;
    };
}

Change both(Change a, Change b)
{
    return [=](Cluster &c) {
        a(c);
        b(c);
    };
}

void nothing(Cluster &) {}

void outOfSight(Cluster &c)
{
    c.view.freshness = patroni::Freshness::Stale;
}

constexpr auto plain = R"({"ttl":30,"loop_wait":10})", pausing = R"({"ttl":30,"loop_wait":10,"pause":true})",
               longer = R"({"ttl":40,"loop_wait":10})", longest = R"({"ttl":50,"loop_wait":10})",
               longerAndMore = R"({"ttl":40,"loop_wait":10,"check_timeline":true})",
               standby = R"({"ttl":30,"loop_wait":10,"standby_cluster":{"host":"db.far"}})";

std::vector<Story> configStories()
{
    const ActionWish pause = wishOf(ActionKind::Pause), resume = wishOf(ActionKind::Resume);
    ActionWish edit = wishOf(ActionKind::EditConfig);
    edit.configBase = plain;
    edit.configAfter = longer;
    const Change before = config(plain, "100"), seen = config(pausing);
    const Change all = reports({"acme-0", "acme-1", "acme-2"});
    return {
        {"pause: not seen yet", pause, before, {nothing}, "-"},
        {"pause: member by member", pause, before, {seen, reports({"acme-1"}), all}, "not-yet not-yet in-force"},
        {"pause: who is missing", pause, before, {both(seen, reports({"acme-1"}))}, "not-yet", "waiting=acme-0,acme-2"},
        {"pause: undone before all saw it", pause, before, {seen, config(plain, "201")}, "not-yet undone", "changed=pause"},
        {"pause: undone before we saw it", pause, before, {config(plain, "201")}, "undone", "changed=pause"},
        {"pause: by REST, an older view proves nothing", pause, before, {config(plain, "201")}, "-", "", true, std::nullopt},
        {"pause: taken back later", pause, before, {both(seen, all), config(plain, "201")}, "in-force changed-again", "changed=pause"},
        {"pause: a member that starts later takes nothing back", pause, before, {both(seen, all), reports({})}, "in-force in-force"},
        {"pause: an answer was lost, and it came", pause, before, {nothing, both(seen, all)}, "- in-force", "", false, std::nullopt},
        {"pause: on an old view", pause, before, {both(both(seen, all), outOfSight)}, "-"},
        {"pause: nobody reports",
         pause,
         before,
         {both(seen,
               [](Cluster &c) {
                   for (auto &m : c.members)
                       m.record.reported = false;
               })},
         "not-yet",
         "waiting=?"},
        {"resume", resume, both(config(pausing, "100"), all), {config(plain), reports({})}, "not-yet in-force"},
        {"edit: seen", edit, before, {config(longer)}, "in-force"},
        {"edit: not seen yet", edit, before, {nothing}, "-"},
        {"edit: somebody set it otherwise",
         edit,
         before,
         {config(longer), config(longest, "201")},
         "in-force changed-again",
         "changed=ttl"},
        {"edit: somebody changed something else", edit, before, {config(longer), config(longerAndMore, "201")}, "in-force in-force"},
        {"edit: overwritten before it was seen", edit, before, {config(plain, "201")}, "undone", "changed=ttl"},
        {"edit: unreadable meanwhile", edit, before, {config("{", "201")}, "-"},
        {"demote",
         wishOf(ActionKind::DemoteCluster),
         both(before, role("primary")),
         {config(standby), role("standby_leader")},
         "not-yet in-force"},
        {"demote: still a primary",
         wishOf(ActionKind::DemoteCluster),
         both(before, role("primary")),
         {config(standby)},
         "not-yet",
         "role=primary"},
        {"promote",
         wishOf(ActionKind::PromoteCluster),
         both(config(standby, "100"), role("standby_leader")),
         {config(plain), role("primary")},
         "not-yet in-force"},
    };
}

std::vector<Story> memberStories()
{
    const ActionWish restart = wishOf(ActionKind::Restart, {"acme-0"}), again = wishOf(ActionKind::Reinitialize, {"acme-0"}),
                     cancel = wishOf(ActionKind::CancelRestart, {"acme-0"});
    ActionWish later = restart;
    later.at = noon + 1h;
    ActionWish soon = restart;
    soon.at = noon + 2s;
    const Change pending = [](Cluster &c) { member(c, "acme-0").record.pendingRestart = true; };
    const Change noneLeft = [](Cluster &c) { member(c, "acme-0").record.pendingRestart = false; };
    const Change gone = [](Cluster &c) { c.members.erase(c.members.begin() + 1); };
    return {
        {"restart", restart, nothing, {state("restarting"), state("starting"), state("running")}, "not-yet not-yet came-back"},
        {"restart: not back yet", restart, nothing, {state("start failed")}, "not-yet", "state=start failed"},
        {"restart: too quick to be seen", restart, nothing, {nothing, nothing}, "- -"},
        {"restart: what was pending is done", restart, pending, {nothing, noneLeft}, "- came-back", "pending_restart=gone"},
        {"restart: no answer, what was pending is gone", restart, pending, {noneLeft}, "-", "", false},
        {"restart: the member is not to be seen", restart, nothing, {gone}, "-"},
        {"restart later", later, nothing, {restartAt("2031-02-01T13:00:00+00:00")}, "not-yet", "scheduled"},
        {"restart later: taken back", later, nothing, {restartAt("2031-02-01T13:00:00+00:00"), restartAt(nullptr)}, "not-yet undone"},
        {"restart later: seen when due",
         soon,
         nothing,
         {restartAt("2031-02-01T12:00:02+00:00"), both(restartAt(nullptr), state("restarting")), state("running")},
         "not-yet not-yet came-back"},
        {"restart later: not seen when due",
         soon,
         nothing,
         {restartAt("2031-02-01T12:00:02+00:00"), restartAt(nullptr)},
         "not-yet not-seen"},
        {"restart later: seen after all",
         soon,
         nothing,
         {restartAt("2031-02-01T12:00:02+00:00"), restartAt(nullptr), state("restarting"), state("running")},
         "not-yet not-seen not-yet came-back"},
        {"reinitialize",
         again,
         nothing,
         {state("stopped"), state("creating replica"), state("starting"), state("running")},
         "- not-yet not-yet came-back"},
        {"reinitialize: only stopped", again, nothing, {state("stopped"), state("running")}, "- -"},
        {"reload", wishOf(ActionKind::Reload, {"acme-0"}), nothing, {nothing}, "not-observable"},
        {"reload: an answer was lost", wishOf(ActionKind::Reload, {"acme-0"}), nothing, {outOfSight}, "not-observable", "", false},
        {"cancel restart", cancel, restartAt("2031-02-01T13:00:00+00:00"), {nothing, restartAt(nullptr)}, "- in-force"},
        {"cancel restart: its time had come", cancel, restartAt("2031-02-01T12:00:05+00:00"), {restartAt(nullptr)}, "not-seen"},
    };
}

std::vector<Story> requestStories()
{
    using patroni::Outcome;
    const ActionWish cancel = wishOf(ActionKind::CancelRequest);
    const Change pending = request(Outcome::Pending);
    const Change broken = [](Cluster &c) {
        c.failover.emplace();
        c.failover->scheduledAtRaw = "tomorrow";
        c.failover->schedule = patroni::FailoverRequest::Schedule::Unparsable;
    };
    return {
        {"cancel: a schedule", cancel, pending, {nothing, request(Outcome::Cancelled)}, "- in-force"},
        {"cancel: gone, and nothing came of it", cancel, pending, {request(Outcome::Refused)}, "in-force"},
        {"cancel: gone, but was it ours?", cancel, pending, {request(Outcome::Refused)}, "-", "", false},
        {"cancel: carried out all the same", cancel, pending, {request(Outcome::Done, "acme-2")}, "too-late", "leader=acme-2"},
        {"cancel: replaced instead", cancel, pending, {request(Outcome::Superseded)}, "undone"},
        {"repair", wishOf(ActionKind::Repair), broken, {nothing, [](Cluster &c) { c.failover.emplace(); }}, "- in-force"},
    };
}

} // namespace

Q_DECLARE_METATYPE(Story)

class TestWriteOutcome : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stories_data()
    {
        QTest::addColumn<Story>("story");
        for (const auto &part : {configStories(), memberStories(), requestStories()}) {
            for (const Story &story : part)
                QTest::newRow(story.name) << story;
        }
    }

    void stories()
    {
        QFETCH(Story, story);
        Cluster cluster = patroni::healthyCluster();
        cluster.names.configName = "acme-config";
        story.before(cluster);
        const auto named = story.wish.members.empty() ? std::nullopt : std::optional(story.wish.members.front());
        WriteTrace trace = traceOf(cluster, story.wish, named);
        trace.version = story.version;
        trace.answered = story.answered;
        QStringList codes;
        Duration time = 0s;
        for (const Change &change : story.views) {
            change(cluster);
            observe(trace, cluster, at(time += 1s));
            codes << (trace.outcome ? QString::fromStdString(std::string(code(*trace.outcome))) : QStringLiteral("-"));
        }
        QCOMPARE(codes.join(QLatin1Char(' ')), QString::fromLatin1(story.outcomes));
        QCOMPARE(QString::fromStdString(trace.detail), QString::fromStdString(story.detail));
    }

    // What is in force is followed for a while, everything else that is told is the last word.
    void settled()
    {
        WriteTrace trace;
        trace.kind = ActionKind::Pause;
        QVERIFY(!isSettled(trace, at(1h)));
        trace.outcome = WriteOutcome::NotYet;
        trace.since = at(0s).boot;
        QVERIFY(!isSettled(trace, at(1h)));
        trace.outcome = WriteOutcome::InForce;
        QVERIFY(!isSettled(trace, at(followedFor)));
        QVERIFY(isSettled(trace, at(followedFor + 1s)));
        trace.outcome = WriteOutcome::Undone;
        QVERIFY(isSettled(trace, at(0s)));
        trace.kind = ActionKind::CancelRequest;
        trace.outcome = WriteOutcome::InForce;
        QVERIFY(isSettled(trace, at(0s)));
        trace.kind = ActionKind::Restart;
        trace.outcome = WriteOutcome::NotSeen;
        QVERIFY(!isSettled(trace, at(followedFor)));
    }

    void codesAreTold()
    {
        std::set<std::string_view> codes;
        for (int i = 0; i < writeOutcomeCount; ++i)
            codes.insert(code(static_cast<WriteOutcome>(i)));
        QCOMPARE(codes.size(), std::size_t(writeOutcomeCount));
        QVERIFY(!codes.contains("unknown"));
    }
};

QTEST_APPLESS_MAIN(TestWriteOutcome)
#include "tst_write_outcome.moc"
