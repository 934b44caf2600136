// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Requests that are taken away when the leader has looked already, or cleared by a leader for none of its rules. Each was played on real
// Patroni first: tests/lab/more_scenarios (cancelled_at_due, cancelled_before_due, frozen_past_due, quorum_missed, postgres_restarted).
#include "made_world.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;
using namespace std::chrono_literals;

class LateRequestsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void carriedOutAllTheSame_data();
    void carriedOutAllTheSame();
    void notOnceItIsTooLong();
    void whileItStepsDownSlowly_data();
    void whileItStepsDownSlowly();
    void staleAfterASilence();
    void notBeforeItIsDue();
    void theEndIsSeenBeforeTheLock_data();
    void theEndIsSeenBeforeTheLock();
    void notWhenItWasRefusedForAReason_data();
    void notWhenItWasRefusedForAReason();
    void writtenJustBeforeTheRenewal();
    void theLeaderIsBusy();
    void theLeaderTakesItsOwnLockAgain();
    void quorum_data();
    void quorum();
    void synchronousModeThatIsNotInUse_data();
    void synchronousModeThatIsNotInUse();
};

void LateRequestsTest::carriedOutAllTheSame_data()
{
    QTest::addColumn<QByteArray>("winner");
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("candidate") << QByteArray("acme-1") << Outcome::Done;
    QTest::newRow("another") << QByteArray("acme-2") << Outcome::DoneOther;
    QTest::newRow("the leader again") << QByteArray("acme-0") << Outcome::TakenBack;
}

void LateRequestsTest::carriedOutAllTheSame()
{
    QFETCH(QByteArray, winner);
    QFETCH(Outcome, outcome);
    World w;
    w.start();
    w.ask("acme-0", "acme-1", World::text(20s));
    w.renew(10s);
    w.clear(9s);                                     // now: 20 s
    QCOMPARE(w.request().outcome, Outcome::Pending); // refused, as it looks, but that is not the last word
    QVERIFY(!w.request().certain);
    QVERIFY(w.request().heldBack);
    w.renew(5s);
    QVERIFY(w.request().heldBack);
    w.release(2s);
    QVERIFY(!w.request().heldBack); // it is
    QCOMPARE(w.request().outcome, Outcome::Pending);
    QCOMPARE(w.request().step, RequestStep::Leaderless);
    QVERIFY(!w.request().reason && !w.request().decidedAt);
    w.take(winner.toStdString());
    QCOMPARE(w.request().outcome, outcome);
    QCOMPARE(w.request().newLeader.value_or("-"), winner.toStdString());
    std::string told;
    for (const Event &e : w.store.events())
        told += e.type == EventCode::RequestCleared ? e.detail.at("outcome") + (e.detail.contains("decided") ? " decided; " : "; ") : "";
    QCOMPARE(told, "pending; " + std::string(code(outcome)) + " decided; "); // never that it was refused
    QVERIFY(!w.request().certain);
    QVERIFY(!w.request().reason);
    QCOMPARE(w.cluster().requests.size(), std::size_t(1));
}

void LateRequestsTest::notOnceItIsTooLong()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1");
    w.clear();
    const auto told = [&] {
        std::string all;
        for (const Event &e : w.store.events())
            all += e.type == EventCode::RequestCleared ? e.detail.at("outcome") + (e.detail.contains("decided") ? " decided; " : "; ") : "";
        return all;
    };
    for (int i = 0; i < 3; ++i) {
        QVERIFY(w.request().heldBack);
        QCOMPARE(w.request().outcome, Outcome::Pending);
        QCOMPARE(told(), std::string("pending; ")); // the events say no more than the card does
        w.renew();
    }
    QVERIFY(!w.request().heldBack);
    QCOMPARE(w.request().outcome, Outcome::Refused);
    QCOMPARE(w.request().reason, std::optional(Refusal::Unknown));
    QCOMPARE(told(), std::string("pending; refused decided; "));
    w.renew();
    QCOMPARE(told(), std::string("pending; refused decided; "));
    w.release();
    w.take("acme-1");
    QCOMPARE(w.request().outcome, Outcome::Refused);
    QVERIFY(!w.request().newLeader);
}

void LateRequestsTest::whileItStepsDownSlowly_data()
{
    QTest::addColumn<int>("afterRenewal"); // s
    QTest::addColumn<bool>("heldBack");
    QTest::newRow("between two renewals") << 6 << true;
    QTest::newRow("right after one") << 1 << false; // a leader that was busy until now would do it then
}

// Taken away by somebody when a leader that had not looked at it yet would find it stale; this one had, and is about to step down.
void LateRequestsTest::whileItStepsDownSlowly()
{
    QFETCH(int, afterRenewal);
    QFETCH(bool, heldBack);
    World w;
    w.start();
    w.ask("acme-0", "acme-1", World::text(15s));
    for (int i = 0; i < 3; ++i)
        w.renew(10s);
    w.clear(std::chrono::seconds(afterRenewal)); // 31 or 36 s: more than one and a half loops after its time
    QCOMPARE(w.request().heldBack, heldBack);
    QCOMPARE(w.request().outcome, heldBack ? Outcome::Pending : Outcome::Refused);
    w.release(2s);
    QVERIFY(!w.request().heldBack);
    QCOMPARE(w.request().outcome, Outcome::Pending);
    w.take("acme-1");
    QCOMPARE(w.request().outcome, Outcome::Done);
    QVERIFY(!w.request().certain);
    QVERIFY(!w.request().reason);
}

// The leader was silent when it was due, and clears it in its first loop afterwards; that it is stopped then has nothing to do with it.
void LateRequestsTest::staleAfterASilence()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", World::text(5s));
    w.renew(25s);
    w.clear(1s);
    QVERIFY(!w.request().heldBack);
    QCOMPARE(w.request().outcome, Outcome::Refused);
    QCOMPARE(w.request().reason, std::optional(Refusal::Stale));
    w.release(2s);
    w.take("acme-1");
    QCOMPARE(w.request().outcome, Outcome::Refused);
}

void LateRequestsTest::notBeforeItIsDue()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", World::text(20s));
    w.clear(11s);                  // within loop_wait of it
    QVERIFY(w.request().heldBack); // the leader may be waiting for its time
    w.release(2s);
    QVERIFY(!w.request().heldBack);
    w.take("acme-1");
    QCOMPARE(w.request().outcome, Outcome::Refused);
}

void LateRequestsTest::theEndIsSeenBeforeTheLock_data()
{
    QTest::addColumn<bool>("takenFirst");
    QTest::addColumn<QByteArray>("winner");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<TransitionKind>("kind");
    QTest::newRow("taken, then cleared") << true << QByteArray("acme-1") << Outcome::Done << TransitionKind::Failover;
    QTest::newRow("by another, then cleared") << true << QByteArray("acme-2") << Outcome::DoneOther << TransitionKind::Failover;
    QTest::newRow("cleared, then taken") << false << QByteArray("acme-1") << Outcome::Refused << TransitionKind::LockExpired;
}

// Nobody leads; the failover object is watched by name as well, and that stream is the faster one.
void LateRequestsTest::theEndIsSeenBeforeTheLock()
{
    QFETCH(bool, takenFirst);
    QFETCH(QByteArray, winner);
    QFETCH(Outcome, outcome);
    QFETCH(TransitionKind, kind);
    World w;
    w.start();
    w.renew(5s);
    w.flow(40s);
    w.get(w.leader.resourceVersion);
    w.advance(1s);
    QCOMPARE(w.cluster().lock.state, LockState::Expired);
    w.ask({}, "acme-1");
    w.takeUnseen(winner.toStdString());
    if (takenFirst)
        w.leader.resourceVersion = std::to_string(++w.version);
    w.clear(100ms);
    QVERIFY(w.request().heldBack); // not the last word
    if (!takenFirst)
        w.leader.resourceVersion = std::to_string(++w.version);
    w.observe(Resource::Endpoints, Changed{EventType::Modified, w.leader});
    QVERIFY(!w.request().heldBack);
    QCOMPARE(w.request().outcome, outcome);
    QCOMPARE(w.cluster().transitions.back().kind, kind);
    QCOMPARE(w.cluster().requests.size(), std::size_t(1));
}

void LateRequestsTest::notWhenItWasRefusedForAReason_data()
{
    QTest::addColumn<bool>("podsLater");
    QTest::newRow("Pods known") << false;
    QTest::newRow("Pods come later") << true;
}

void LateRequestsTest::notWhenItWasRefusedForAReason()
{
    QFETCH(bool, podsLater);
    World w;
    w.pods[1].annotations["status"] = World::status("replica", "stopped", 2);
    w.stateItems = {w.leader, w.config};
    w.listState();
    if (!podsLater)
        w.listPods();
    w.ask("acme-0", "acme-1");
    w.clear(2s);
    w.release(2s);
    w.take("acme-2");
    if (podsLater) {
        QCOMPARE(w.request().outcome, Outcome::DoneOther);
        w.listPods();
    }
    QCOMPARE(w.request().outcome, Outcome::Refused);
    QCOMPARE(w.request().reason, std::optional(Refusal::NoHealthyCandidate));
    QVERIFY(!w.request().heldBack);
    QVERIFY(w.request().decidedAt && !w.request().newLeader && !w.request().releasedAt);
}

void LateRequestsTest::writtenJustBeforeTheRenewal()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1");
    w.renew(100ms); // the leader had begun this loop before
    w.clear(1s);
    QCOMPARE(w.settled().reason, std::optional(Refusal::Unknown));
}

void LateRequestsTest::theLeaderIsBusy()
{
    World w;
    w.pods[0].annotations["status"] = World::status("primary", "restarting", 2);
    w.start();
    w.ask("acme-0", "acme-1");
    w.renew(6s);
    w.clear(1s);
    QCOMPARE(w.settled().reason, std::optional(Refusal::Unknown));
}

// Ha.process_unhealthy_cluster: "Cleaning up failover key after acquiring leader lock", whatever is in it
void LateRequestsTest::theLeaderTakesItsOwnLockAgain()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", World::text(20s));
    w.renew(5s);
    w.flow(40s);
    w.get(w.leader.resourceVersion);
    w.advance(1s);
    QCOMPARE(w.cluster().lock.state, LockState::Expired);
    w.leader.annotations["renewTime"] = World::text(w.t);
    w.change(w.leader);
    w.clear(100ms);
    QCOMPARE(w.settled().outcome, Outcome::Refused);
    QCOMPARE(w.request().reason, std::optional(Refusal::Unknown)); // not stale: it was never judged

    World late; // the same, but it was left over: the next loop judges it
    late.start();
    late.ask("acme-0", "acme-1", World::text(20s));
    late.renew(5s);
    late.flow(40s);
    late.get(late.leader.resourceVersion);
    late.advance(1s);
    late.leader.annotations["renewTime"] = World::text(late.t);
    late.change(late.leader);
    late.renew(5s);
    late.clear(100ms);
    QCOMPARE(late.request().reason, std::optional(Refusal::Stale));
}

void LateRequestsTest::quorum_data()
{
    QTest::addColumn<QByteArray>("candidate");
    QTest::addColumn<QByteArray>("quorum");
    QTest::addColumn<bool>("bothFit");
    QTest::addColumn<Refusal>("reason");
    QTest::newRow("enough") << QByteArray() << QByteArray("1") << true << Refusal::Unknown;
    QTest::newRow("too few") << QByteArray() << QByteArray("1") << false << Refusal::NoHealthyCandidate;
    QTest::newRow("one is enough") << QByteArray() << QByteArray("0") << false << Refusal::Unknown;
    QTest::newRow("a candidate needs none") << QByteArray("acme-1") << QByteArray("1") << false << Refusal::Unknown;
}

// patroni/ha.py 4.0: is_failover_possible, "Quorum requirement %d can not be reached"
void LateRequestsTest::quorum()
{
    QFETCH(QByteArray, candidate);
    QFETCH(QByteArray, quorum);
    QFETCH(bool, bothFit);
    QFETCH(Refusal, reason);
    World w;
    w.config.annotations["config"] = R"({"loop_wait":10,"synchronous_mode":"quorum"})";
    if (!bothFit)
        w.pods[2].annotations["status"] = World::status("replica", "stopped", 2);
    KubeObject sync = w.object(Resource::Endpoints, "acme-sync");
    sync.annotations = {{"leader", "acme-0"}, {"sync_standby", "acme-1,acme-2"}, {"quorum", quorum.toStdString()}};
    w.start();
    w.change(sync, EventType::Added);
    w.ask("acme-0", candidate.toStdString());
    w.clear();
    QCOMPARE(w.settled().reason, std::optional(reason));
}

void LateRequestsTest::synchronousModeThatIsNotInUse_data()
{
    QTest::addColumn<QByteArray>("release");
    QTest::addColumn<Refusal>("reason");
    QTest::newRow("3.1: the mode alone counts") << QByteArray("3.1.2") << Refusal::NotSyncStandby;
    QTest::newRow("3.2: Ha.sync_mode_is_active") << QByteArray("3.2.0") << Refusal::Unknown;
}

void LateRequestsTest::synchronousModeThatIsNotInUse()
{
    QFETCH(QByteArray, release);
    QFETCH(Refusal, reason);
    World w;
    for (KubeObject &pod : w.pods) {
        auto &status = pod.annotations["status"];
        status.replace(status.find("4.0.7"), 5, release.toStdString());
    }
    w.config.annotations["config"] = R"({"loop_wait":10,"synchronous_mode":true})";
    w.start();
    w.ask("acme-0", "acme-2");
    w.clear();
    QCOMPARE(w.settled().reason, std::optional(reason));
}

QTEST_APPLESS_MAIN(LateRequestsTest)
#include "tst_requests_late.moc"
