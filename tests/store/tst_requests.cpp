// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fate of requests through the store: one case a rule.
#include "made_world.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;

namespace {

std::string in(Duration t)
{
    return formatScheduledAt(day + t);
}

} // namespace

class RequestsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void doneStepByStep();
    void doneByAnybody();
    void doneOther();
    void takenBack();
    void erased();
    void superseded();
    void cancelled();
    void deletedIsCancelledToo();
    void lateCancelIsRefused();
    void refused_data();
    void refused();
    void refusedForTheSyncList_data();
    void refusedForTheSyncList();
    void refusedForHealth_data();
    void refusedForHealth();
    void podsThatComeLaterDecideTheReason();
    void theLeaderClearedIt();
    void notPickedUp();
    void keptWhilePaused();
    void outage();
    void clearedWhileLeaderless();
    void thereAtFirst();
    void aGapHidesTheClearing();
    void aGapHidesTheSwitchover();
    void theWinnersOwnRewrite();
    void aForeignAnnotationIsNoReplacement();
    void writtenBeforeWeLooked();
    void startedInTheMiddleOfIt_data();
    void startedInTheMiddleOfIt();
    void stepsAndUrgency();
};

void RequestsTest::doneStepByStep()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1");
    QCOMPARE(w.request().outcome, Outcome::Pending);
    QCOMPARE(w.request().step, RequestStep::Due);
    QCOMPARE(w.request().kind, RequestKind::Switchover);
    QCOMPARE(w.cluster().pendingRequest(), &w.request());
    QVERIFY(w.request().id.starts_with("uid-acme-failover:"));
    w.renew(5s);
    w.pods[0].annotations["status"] = World::status("primary", "stopping", 2);
    w.change(w.pods[0]);
    QCOMPARE(w.request().step, RequestStep::SteppingDown);
    w.release();
    QCOMPARE(w.request().step, RequestStep::Leaderless);
    w.take("acme-1");
    QCOMPARE(w.request().step, RequestStep::Promoted);
    QCOMPARE(w.request().outcome, Outcome::Pending); // final only when cleared
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::Done);
    QCOMPARE(w.request().step, RequestStep::Decided);
    QVERIFY(w.request().certain);
    QVERIFY(!w.cluster().pendingRequest());
    QCOMPARE(w.request().releasedAt, std::optional(Boot(7s)));
    QCOMPARE(w.request().takenAt, std::optional(Boot(8s)));
    QCOMPARE(w.request().decidedAt, std::optional(Boot(9s)));
    w.config.annotations["history"] = R"([[1,900,"x","2031-01-01T00:00:00+00:00","acme-0"],[2,1200,"x",")" + World::text(w.t)
        + R"(","acme-1"]])";
    w.change(w.config);
    QCOMPARE(w.request().newTimeline, std::optional<std::int64_t>(3));
    QCOMPARE(w.request().promotedAt, std::optional(Boot(9s)));
    QCOMPARE(w.request().streaming, 0);
    QCOMPARE(w.request().replicas, 2);
    w.pods[2].annotations["status"] = World::status("replica", "running", 3);
    w.change(w.pods[2]);
    QCOMPARE(w.request().streaming, 1);
    const Transition &t = w.cluster().transitions.back();
    QCOMPARE(t.kind, TransitionKind::Switchover);
    QCOMPARE(t.gap, std::optional<Duration>(1s));
    QCOMPARE(t.timeline, std::optional<std::int64_t>(3));
    QCOMPARE(t.lsn, std::optional<Lsn>(1200));
    QVERIFY(t.fromHistory && t.fromLive);
    QCOMPARE(w.count(EventCode::RequestWritten), 1);
    QCOMPARE(w.count(EventCode::RequestCleared), 1);
    QCOMPARE(w.count(EventCode::TimelineAdvanced), 1);
}

void RequestsTest::doneByAnybody()
{
    World w;
    w.start();
    w.ask("acme-0", "");
    w.release();
    w.take("acme-2");
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::Done);
    QCOMPARE(w.request().newLeader, std::optional<std::string>("acme-2"));
}

void RequestsTest::doneOther()
{
    World w;
    w.start();
    w.ask("", "acme-1");
    QCOMPARE(w.request().kind, RequestKind::Failover);
    w.release();
    w.take("acme-2");
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::DoneOther);
    QCOMPARE(w.cluster().transitions.back().kind, TransitionKind::Failover);
}

void RequestsTest::takenBack()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1");
    w.release();
    w.take("acme-0");
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::TakenBack);
    QCOMPARE(w.cluster().transitions.back().kind, TransitionKind::ReTaken);
}

void RequestsTest::erased()
{
    World w;
    w.start();
    w.renew();
    w.ask("acme-0", "acme-1", in(1h));
    QCOMPARE(w.request().step, RequestStep::Scheduled);
    w.take("acme-1", 45s); // the lock expired: even if the candidate wins
    QCOMPARE(w.request().outcome, Outcome::Pending);
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::Erased);
    QCOMPARE(w.cluster().transitions.back().kind, TransitionKind::LockExpired);
}

void RequestsTest::superseded()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", in(1h));
    w.ask("acme-0", "acme-1", in(2h));
    QCOMPARE(w.cluster().requests.size(), std::size_t(2));
    QCOMPARE(w.cluster().requests.front().outcome, Outcome::Superseded);
    QVERIFY(w.cluster().requests.front().certain);
    QCOMPARE(w.request().outcome, Outcome::Pending);
}

void RequestsTest::cancelled()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", in(60s));
    w.clear(48s);
    QCOMPARE(w.request().outcome, Outcome::Cancelled);
    QVERIFY(w.request().certain);
    QVERIFY(!w.request().reason);
}

void RequestsTest::deletedIsCancelledToo()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", in(60s));
    w.t += 5s;
    w.change(w.failover, EventType::Deleted);
    QCOMPARE(w.request().outcome, Outcome::Cancelled);
    QVERIFY(!w.cluster().failover);
}

void RequestsTest::lateCancelIsRefused()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", in(60s));
    w.clear(50s); // within loop_wait of the due time the leader may have been the one
    QCOMPARE(w.settled().outcome, Outcome::Refused);
    QCOMPARE(w.request().reason, std::optional(Refusal::Unknown));
    QVERIFY(!w.request().certain);
}

void RequestsTest::refused_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("at");
    QTest::addColumn<bool>("paused");
    QTest::addColumn<QByteArray>("reason");
    const auto row = [](const char *name, const char *from, const char *to, const std::string &at, bool paused, const char *reason) {
        QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray::fromStdString(at) << paused << QByteArray(reason);
    };
    row("stale", "acme-0", "acme-1", in(-10s), false, "stale");
    row("overdue, but not stale", "acme-0", "acme-1", in(-5s), false, "unknown");
    row("stale wins over mismatch", "acme-1", "acme-2", in(-10s), false, "stale");
    row("no offset", "acme-0", "acme-1", "2031-02-01T08:00:00", false, "no-offset");
    row("mismatch", "acme-1", "acme-2", "", false, "leader-mismatch");
    row("mismatch wins over already leader", "acme-1", "acme-0", "", false, "leader-mismatch");
    row("already leader", "acme-0", "acme-0", "", false, "already-leader");
    row("failover to the leader", "", "acme-0", "", false, "already-leader");
    row("paused", "acme-0", "", "", true, "paused-needs-candidate");
    row("paused, with candidate", "acme-0", "acme-1", "", true, "unknown");
    row("paused keeps schedules", "acme-0", "acme-1", in(-10s), true, "unknown");
    row("no such member", "acme-0", "nobody", "", false, "no-healthy-candidate");
    row("all well", "acme-0", "acme-1", "", false, "unknown");
    row("unparsable", "acme-0", "acme-1", "tomorrow", false, "unknown");
}

void RequestsTest::refused()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, at);
    QFETCH(bool, paused);
    QFETCH(QByteArray, reason);
    World w;
    w.start();
    if (paused)
        w.setConfig(R"({"ttl":30,"loop_wait":10,"retry_timeout":10,"pause":true})");
    w.ask(from.toStdString(), to.toStdString(), at.toStdString());
    w.clear(8s);
    QCOMPARE(w.settled().outcome, Outcome::Refused);
    QCOMPARE(QByteArray::fromStdString(std::string(code(*w.request().reason))), reason);
    QVERIFY(!w.request().certain);
    QVERIFY(!w.request().newLeader);
}

void RequestsTest::refusedForTheSyncList_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("release");
    QTest::addColumn<QByteArray>("reason");
    const auto row = [](const char *name, const char *from, const char *to, const char *release, const char *reason) {
        QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(release) << QByteArray(reason);
    };
    row("switchover", "acme-0", "acme-2", "4.0.7", "not-sync-standby");
    row("switchover in the list", "acme-0", "acme-1", "4.0.7", "unknown");
    row("failover, since 3.2.0", "", "acme-2", "3.2.0", "unknown");
    row("failover, before", "", "acme-2", "3.1.2", "not-sync-standby");
}

void RequestsTest::refusedForTheSyncList()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, release);
    QFETCH(QByteArray, reason);
    World w;
    for (KubeObject &pod : w.pods) {
        auto &status = pod.annotations["status"];
        status.replace(status.find("4.0.7"), 5, release.toStdString());
    }
    w.config.annotations["config"] = R"({"loop_wait":10,"synchronous_mode":true})";
    KubeObject sync = w.object(Resource::Endpoints, "acme-sync");
    sync.annotations = {{"leader", "acme-0"}, {"sync_standby", "ACME-1"}};
    w.start();
    w.change(sync, EventType::Added);
    w.ask(from.toStdString(), to.toStdString());
    w.clear();
    QCOMPARE(QByteArray::fromStdString(std::string(code(*w.request().reason))), reason);
    QCOMPARE(w.count(EventCode::SyncChanged), 1);
}

void RequestsTest::refusedForHealth_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<bool>("fit");
    const auto row = [](const char *name, const std::string &status, bool fit) {
        QTest::newRow(name) << QByteArray::fromStdString(status) << fit;
    };
    row("well", World::status("replica", "running", 2), true);
    row("stopped", World::status("replica", "stopped", 2), false);
    row("nofailover", World::status("replica", "running", 2, R"(,"tags":{"nofailover":true})"), false);
    row("no status", "", false);
    row("far behind", R"({"api_url":"http://h","state":"running","role":"replica","version":"4.0.7","xlog_location":5,"timeline":2})",
        false);
    row("no position", R"({"api_url":"http://h","state":"running","role":"replica","version":"4.0.7","timeline":2})", true);
    row("no API", R"({"state":"running","role":"replica","version":"4.0.7","xlog_location":1000})", false);
}

void RequestsTest::refusedForHealth()
{
    QFETCH(QByteArray, status);
    QFETCH(bool, fit);
    World w;
    w.leader.annotations["optime"] = "2000000";
    w.config.annotations["config"] = R"({"loop_wait":10,"maximum_lag_on_failover":1999500})";
    w.pods[1].annotations["status"] = status.toStdString();
    if (status.isEmpty())
        w.pods[1].annotations.erase("status");
    w.start();
    w.ask("acme-0", "acme-1");
    w.clear();
    QCOMPARE(w.request().reason, std::optional(fit ? Refusal::Unknown : Refusal::NoHealthyCandidate));
}

void RequestsTest::podsThatComeLaterDecideTheReason()
{
    World w;
    w.stateItems = {w.leader, w.config};
    w.listState();
    w.ask("acme-0", "nobody");
    w.clear();
    QCOMPARE(w.request().reason, std::optional(Refusal::Unknown)); // no Pods seen yet: nobody knows
    const std::string before = w.pods[1].resourceVersion;
    w.listPods();
    QCOMPARE(w.request().reason, std::optional(Refusal::NoHealthyCandidate));

    // A Pod that changed only after the clearing says nothing of the moment before.
    World late;
    late.start();
    late.pods[1].annotations["status"] = World::status("replica", "stopped", 2);
    KubeObject stopped = late.pods[1];
    stopped.resourceVersion = std::to_string(++late.version); // seen only later
    late.ask("acme-0", "acme-1");
    late.clear();
    QCOMPARE(late.request().reason, std::optional(Refusal::Unknown));
    late.observe(Resource::Pods, Changed{EventType::Modified, stopped}); // older than the clearing
    QCOMPARE(late.request().reason, std::optional(Refusal::NoHealthyCandidate));
    late.pods[1].annotations["status"] = World::status("replica", "running", 2);
    late.change(late.pods[1]); // newer than it
    QCOMPARE(late.request().reason, std::optional(Refusal::NoHealthyCandidate));
}

void RequestsTest::theLeaderClearedIt()
{
    World w; // all look well, but the leader looked at the request and cleared it: nobody answered it
    w.start();
    w.ask("acme-0", "acme-1");
    w.renew(6s);
    w.clear(2s);
    QCOMPARE(w.request().reason, std::optional(Refusal::NoHealthyCandidate));
    QVERIFY(!w.request().certain);

    World slow; // cleared in the middle of nowhere: by somebody else
    slow.start();
    slow.ask("acme-0", "acme-1");
    slow.renew(6s);
    slow.clear(5s);
    QCOMPARE(slow.request().reason, std::optional(Refusal::Unknown));

    World due; // the leader waits for the due time
    due.start();
    due.ask("acme-0", "acme-1", in(20s));
    due.renew(12s);
    due.clear(8s);
    QCOMPARE(due.request().reason, std::optional(Refusal::NoHealthyCandidate));
}

void RequestsTest::notPickedUp()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1");
    w.advance(30s);
    QCOMPARE(w.request().outcome, Outcome::Pending);
    QVERIFY(w.advance(1s).urgent.contains(w.key()));
    QCOMPARE(w.request().outcome, Outcome::NotPickedUp);
    QVERIFY(!isFinal(w.request().outcome));
    w.release();
    QCOMPARE(w.request().outcome, Outcome::Pending);
    w.take("acme-1");
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::Done);

    World scheduled;
    scheduled.start();
    scheduled.ask("acme-0", "acme-1", in(60s));
    scheduled.advance(58s);
    QCOMPARE(scheduled.request().step, RequestStep::Scheduled);
    scheduled.advance(2s);
    QCOMPARE(scheduled.request().step, RequestStep::Due);
    scheduled.advance(28s);
    QCOMPARE(scheduled.request().outcome, Outcome::Pending);
    scheduled.advance(2s);
    QCOMPARE(scheduled.request().outcome, Outcome::NotPickedUp);

    World slow; // a shutdown may take minutes: its leader has looked
    slow.start();
    slow.ask("acme-0", "acme-1");
    slow.renew(5s);
    slow.pods[0].annotations["status"] = World::status("primary", "stopping", 2);
    slow.change(slow.pods[0]);
    slow.renew(20s);
    slow.renew(20s);
    QCOMPARE(slow.request().step, RequestStep::SteppingDown);
    QCOMPARE(slow.request().outcome, Outcome::Pending);
    slow.pods[0].annotations["status"] = World::status("primary", "running", 2);
    slow.change(slow.pods[0]); // something else had stopped it
    QCOMPARE(slow.request().step, RequestStep::Due);
    QCOMPARE(slow.request().outcome, Outcome::NotPickedUp);

    World blind; // what we cannot see we do not claim
    blind.start();
    blind.ask("acme-0", "acme-1");
    blind.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    blind.advance(100s);
    QCOMPARE(blind.request().outcome, Outcome::Pending);
}

void RequestsTest::keptWhilePaused()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", in(20s));
    w.setConfig(R"({"loop_wait":10,"pause":true})");
    QCOMPARE(w.request().outcome, Outcome::KeptWhilePaused);
    w.advance(100s);
    QCOMPARE(w.request().outcome, Outcome::KeptWhilePaused);
    w.setConfig(R"({"loop_wait":10})");
    QCOMPARE(w.request().outcome, Outcome::Pending);
    w.clear(5s);
    QCOMPARE(w.request().reason, std::optional(Refusal::Stale));
    QCOMPARE(w.count(EventCode::PauseOn), 1);
    QCOMPARE(w.count(EventCode::PauseOff), 1);
}

void RequestsTest::outage()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", "tomorrow");
    QCOMPARE(w.request().outcome, Outcome::Outage);
    QVERIFY(!isFinal(w.request().outcome));
    w.advance(1h);
    QCOMPARE(w.request().outcome, Outcome::Outage);
    QCOMPARE(w.count(EventCode::Undecodable), 1);
    QVERIFY(has(w.cluster().health, HealthReason::UnparsableSchedule));
    w.ask("acme-0", "acme-1", in(3h));
    QCOMPARE(w.cluster().requests.front().outcome, Outcome::Superseded);
}

void RequestsTest::clearedWhileLeaderless()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1");
    w.release();
    w.clear();
    QVERIFY(!isFinal(w.request().outcome)); // who leads is not known yet
    w.take("acme-1");
    QCOMPARE(w.request().outcome, Outcome::Done);
}

void RequestsTest::thereAtFirst()
{
    World w;
    w.setRequest("acme-0", "acme-1", in(40s));
    w.stateItems = {w.leader, w.config, w.failover};
    w.listState();
    w.listPods();
    QCOMPARE(w.request().outcome, Outcome::Pending);
    QCOMPARE(w.request().seenAt, std::optional(Boot(0s)));
    QCOMPARE(w.request().dueAt, std::optional(Boot(40s)));
    QVERIFY(w.store.events().empty());
    w.release(41s);
    w.take("acme-1");
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::Done);
    QCOMPARE(w.cluster().transitions.back().kind, TransitionKind::ScheduledSwitchover);
}

void RequestsTest::aGapHidesTheClearing()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1");
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 30s;
    w.failover.annotations.clear();
    w.failover.resourceVersion = std::to_string(++w.version);
    w.relist();
    QCOMPARE(w.settled().outcome, Outcome::Refused);
    QVERIFY(!w.request().certain);

    World early; // cleared before or after its due time? nobody knows
    early.start();
    early.ask("acme-0", "acme-1", in(20s));
    early.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    early.t += 60s;
    early.failover.annotations.clear();
    early.failover.resourceVersion = std::to_string(++early.version);
    early.relist();
    QCOMPARE(early.request().reason, std::optional(Refusal::Unknown));
}

void RequestsTest::aGapHidesTheSwitchover()
{
    World w;
    w.start();
    w.renew();
    w.ask("acme-0", "acme-1");
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 20s;
    w.failover.annotations.clear();
    w.failover.resourceVersion = std::to_string(++w.version);
    w.takeUnseen("acme-1");
    w.leader.resourceVersion = std::to_string(++w.version);
    const StoreChanges changes = w.relist();
    QCOMPARE(w.request().outcome, Outcome::Done);
    QVERIFY(!w.request().certain);
    const Transition &t = w.cluster().transitions.back();
    QCOMPARE(t.kind, TransitionKind::Switchover);
    QCOMPARE(t.notBefore, std::optional(day + 11s));
    QCOMPARE(t.notAfter, std::optional(day + 31s));
    QVERIFY(!t.gap && !t.lostAt);
    for (const Event &e : changes.events) {
        if (e.type == EventCode::LeaderChanged)
            QCOMPARE(e.notBefore, std::optional(day + 11s));
    }
    QCOMPARE(w.count(EventCode::LeaderChanged), 1);

    World unasked;
    unasked.start();
    unasked.renew();
    unasked.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    unasked.t += 20s;
    unasked.takeUnseen("acme-2");
    unasked.leader.resourceVersion = std::to_string(++unasked.version);
    unasked.relist();
    QCOMPARE(unasked.cluster().transitions.back().kind, TransitionKind::Unknown);
}

void RequestsTest::theWinnersOwnRewrite()
{
    World w;
    w.start();
    w.setConfig(R"({"loop_wait":10,"pause":true})");
    w.ask("acme-0", "acme-1");
    w.release();
    w.take("acme-1");
    w.ask("", "acme-1"); // paused: the winner keeps only the candidate until it is promoted
    QCOMPARE(w.cluster().requests.size(), std::size_t(1));
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::Done);
    QCOMPARE(w.request().kind, RequestKind::Switchover);
    QCOMPARE(w.request().request.leader, std::optional<std::string>("acme-0")); // as it was asked
}

void RequestsTest::aForeignAnnotationIsNoReplacement()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", in(1h));
    w.failover.annotations["owner"] = "somebody";
    w.change(w.failover);
    QCOMPARE(w.cluster().requests.size(), std::size_t(1));
    QCOMPARE(w.request().outcome, Outcome::Pending);
    w.setRequest("", "", in(1h)); // only a time: no request
    w.change(w.failover);
    QCOMPARE(w.request().outcome, Outcome::Cancelled);
}

void RequestsTest::stepsAndUrgency()
{
    World w;
    w.start();
    w.renew();
    QVERIFY(w.ask("acme-0", "acme-1").urgent.contains(w.key()));
    QVERIFY(w.release().urgent.contains(w.key()));
    QVERIFY(w.take("acme-1").urgent.contains(w.key()));
    QVERIFY(w.clear().urgent.contains(w.key()));
    w.pods[2].annotations["status"] = World::status("replica", "running", 2, R"(,"y":2)");
    QVERIFY(w.change(w.pods[2]).urgent.empty());
}

void RequestsTest::writtenBeforeWeLooked()
{
    World w;
    w.setRequest("acme-0", "acme-1", "2031-02-02T06:00:00+00:00");
    w.stateItems = {w.failover, w.leader, w.config};
    w.listState();
    w.listPods();
    QVERIFY(w.request().writtenBefore);
    QVERIFY(w.request().certain); // who leads is known: its fate will be
    QCOMPARE(w.request().leaderBefore, std::optional<std::string>("acme-0"));
    w.clear();
    w.ask("acme-0", "acme-2");
    QVERIFY(!w.request().writtenBefore);
}

void RequestsTest::startedInTheMiddleOfIt_data()
{
    QTest::addColumn<QByteArray>("taker");
    QTest::addColumn<QByteArray>("outcome");
    QTest::newRow("the candidate") << QByteArray("acme-1") << QByteArray("done");
    QTest::newRow("another") << QByteArray("acme-2") << QByteArray("done-other");
    QTest::newRow("the old leader") << QByteArray("acme-0") << QByteArray("taken-back");
}

void RequestsTest::startedInTheMiddleOfIt()
{
    QFETCH(QByteArray, taker);
    QFETCH(QByteArray, outcome);
    World w;
    w.leader.annotations.erase("leader");
    w.setRequest("acme-0", "acme-1");
    w.stateItems = {w.failover, w.leader, w.config};
    w.listState();
    w.listPods();
    w.take(taker.toStdString());
    w.clear();
    QCOMPARE(QByteArray::fromStdString(std::string(code(w.request().outcome))), outcome);
    QVERIFY(!w.request().certain); // who led before is only what the request says
    QCOMPARE(w.request().leaderBefore, std::optional<std::string>("acme-0"));
}

QTEST_APPLESS_MAIN(RequestsTest)
#include "tst_requests.moc"
