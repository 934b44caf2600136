// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lock and connection through the store: expired and stale must never be confused, and each is said once.
#include "made_world.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;

class LockTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aFirstListIsNoNews();
    void heldAfterARenewal();
    void labelsAreNoRenewal();
    void lateIsSaidOnce();
    void lateSinceTheFirstSight();
    void expiredNeedsProof_data();
    void expiredNeedsProof();
    void aNewerVersionIsNoProof();
    void aSilentWatchIsNoExpiry();
    void aForeignChangeIsNoMissedRenewal();
    void aSlowBacklogProvesNothing_data();
    void aSlowBacklogProvesNothing();
    void expiryAfterAGapWithoutAList();
    void eventsAreInTheOrderOfTime();
    void aByteElsewhereIsNoView();
    void aLeaderlessClusterIsProbed();
    void quietPodsAreProbed();
    void otherStreamsProveNothing();
    void aProbeWithoutAnswerIsStale();
    void lateNeedsProofAfterASilence();
    void aLostWatchIsStale();
    void forbiddenIsNotEmpty();
    void podsCount();
    void oneMemberTakesAnExpiredLock();
    void theHolderRenewsItsExpiredLock();
    void deletedIsAbsent();
    void goneForTwoLoops();
    void theClocksJump();
    void whatToProbe();
    void deadLocksAreAskedForLessOften_data();
    void deadLocksAreAskedForLessOften();
    void renewalsAreSampled();
};

void LockTest::aFirstListIsNoNews()
{
    World w;
    w.start();
    QVERIFY(w.any());
    QCOMPARE(w.cluster().lock.state, LockState::Unverified);
    QCOMPARE(w.cluster().leaderName, std::optional<std::string>("acme-0"));
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    QVERIFY(!w.cluster().leaderSince);
    QVERIFY(w.store.events().empty());
    QVERIFY(!w.cluster().lastChange);
    QCOMPARE(w.cluster().members.size(), std::size_t(3));
    QCOMPARE(w.cluster().members.front().role, Role::Leader);
}

void LockTest::heldAfterARenewal()
{
    World w;
    w.start();
    const StoreChanges changes = w.renew();
    QCOMPARE(w.cluster().lock.state, LockState::Held);
    QVERIFY(changes.urgent.contains(w.key()));
    QVERIFY(changes.events.empty());
    QCOMPARE(w.cluster().lock.changedNotAfter, std::optional(Boot(10s)));
    QVERIFY(!w.renew().urgent.contains(w.key()));
}

void LockTest::labelsAreNoRenewal()
{
    World w;
    w.start();
    w.renew();
    w.t += 15s;
    w.leader.labels["owner"] = "somebody";
    w.leader.annotations["optime"] = "2000";
    w.change(w.leader);
    QCOMPARE(w.cluster().lock.changedNotAfter, std::optional(Boot(10s)));
    QCOMPARE(w.cluster().leader->optime, std::optional<Lsn>(2000));
}

void LockTest::lateIsSaidOnce()
{
    World w;
    w.start();
    w.renew();
    const auto deadline = w.store.nextDeadline();
    QVERIFY(deadline && *deadline > Boot(30s) && *deadline <= Boot(30s + 1ms));
    QCOMPARE(w.advance(20s).events.size(), std::size_t(0));
    QCOMPARE(w.advance(1s).events.size(), std::size_t(0)); // it may be our own silence
    QVERIFY(!w.cluster().lock.late);
    const StoreChanges late = w.get(w.leader.resourceVersion);
    QCOMPARE(late.events.size(), std::size_t(1));
    QCOMPARE(late.events.front().type, EventCode::LockLate);
    QCOMPARE(late.events.front().at, Boot(31s));
    QVERIFY(w.cluster().lock.late);
    QVERIFY(has(w.cluster().health, HealthReason::LateRenewal));
    w.advance(3s);
    w.renew(1s);
    QVERIFY(!w.cluster().lock.late);
    w.t += 21s;
    w.change(w.config); // may be as old as the renewal
    QCOMPARE(w.count(EventCode::LockLate), 1);
    w.get(w.leader.resourceVersion);
    QCOMPARE(w.count(EventCode::LockLate), 2);
    w.renew(1s);
    w.renew(22s); // nobody asked, but its own times say so
    QCOMPARE(w.count(EventCode::LockLate), 3);
    QCOMPARE(w.store.events().back().detail.at("seconds"), std::string("22"));
}

// The leader hung before we looked.
void LockTest::lateSinceTheFirstSight()
{
    for (const bool asked : {true, false}) {
        World w;
        w.start();
        w.t += 21s;
        if (asked) {
            w.get(w.leader.resourceVersion);
            QVERIFY(w.cluster().lock.late);
            QCOMPARE(w.cluster().lock.state, LockState::Unverified);
            QVERIFY(has(w.cluster().health, HealthReason::LateRenewal));
        }
        w.renew(3s);
        QVERIFY(!w.cluster().lock.late);
        QCOMPARE(w.count(EventCode::LockLate), 1);
        QCOMPARE(w.store.events().back().detail.at("seconds"), std::string(asked ? "21" : "24"));
    }
}

void LockTest::expiredNeedsProof_data()
{
    QTest::addColumn<QByteArray>("proof");
    for (const char *proof : {"get", "list", "bookmarks", "events"})
        QTest::newRow(proof) << QByteArray(proof);
}

void LockTest::expiredNeedsProof()
{
    QFETCH(QByteArray, proof);
    World w;
    w.start();
    w.renew();
    const bool asked = proof == "get" || proof == "list";
    for (int i = 0; i < 17 && !asked; ++i) { // as they keep coming, they are not far behind
        QCOMPARE(w.count(EventCode::LockExpired), 0);
        w.t += 2s;
        proof == "events" ? w.change(w.config) : w.observe(Resource::Endpoints, Bookmarked{"999"});
    }
    if (asked) {
        w.advance(60s);
        w.change(w.config);
        w.observe(Resource::Endpoints, Bookmarked{std::to_string(w.version)});
        QVERIFY(w.cluster().lock.state != LockState::Expired); // our own silence proves nothing, nor does what ends it
        QCOMPARE(w.count(EventCode::LockExpired), 0);
        proof == "get" ? w.get(w.leader.resourceVersion) : w.relist();
    }
    QCOMPARE(w.cluster().lock.state, LockState::Expired);
    QVERIFY(!w.cluster().leaderName);
    QCOMPARE(w.cluster().lock.holder, std::optional<std::string>("acme-0"));
    w.advance(5s);
    w.get(w.leader.resourceVersion);
    QCOMPARE(w.count(EventCode::LockExpired), 1);
    const Event expired = w.store.events().back();
    QCOMPARE(expired.at, asked ? Boot(70s) : Boot(44s)); // when it was proven
    QCOMPARE(expired.detail.at("expired_at"), formatUtc(day + 40s));

    World told; // by the next renewal, before anybody asked: the same event
    told.start();
    told.renew();
    told.renew(60s);
    for (const Event &e : told.store.events()) {
        if (e.type == EventCode::LockExpired)
            QVERIFY(e.at == Boot(70s) && e.detail == expired.detail && e.object == expired.object);
    }
    QCOMPARE(told.count(EventCode::LockExpired), 1);
}

void LockTest::aNewerVersionIsNoProof()
{
    World w;
    w.start();
    w.renew();
    w.advance(60s);
    w.get("100000");
    QVERIFY(w.cluster().lock.state != LockState::Expired);
    QCOMPARE(w.cluster().view.lastContact, std::optional(Boot(70s)));
    w.get(std::nullopt); // DELETED will come
    QVERIFY(w.cluster().lock.state != LockState::Expired);
    QVERIFY(w.cluster().lock.state != LockState::Absent);
}

void LockTest::otherStreamsProveNothing()
{
    World w;
    w.start();
    w.renew();
    w.t += 60s;
    w.pods[1].annotations["status"] = World::status("replica", "running", 2, R"(,"x":1)");
    w.change(w.pods[1]);
    w.observe(Resource::Pods, Bookmarked{"999"});
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    w.advance(0s);
    QCOMPARE(w.count(EventCode::LockLate), 0);
    QVERIFY(!w.cluster().lock.late);
}

// The watch is dead without a word: a GET knows more than it told.
void LockTest::aSilentWatchIsNoExpiry()
{
    World w;
    w.start();
    w.renew();
    w.advance(25s);
    w.get("100000");
    w.advance(20s);
    w.observe(Resource::Endpoints, Bookmarked{"999"}); // older than what the GET saw
    QVERIFY(w.cluster().lock.state != LockState::Expired);
    w.renew(1s);
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    QVERIFY(w.cluster().transitions.empty() || w.cluster().transitions.back().kind != TransitionKind::ReTaken);
    w.renew();
    QCOMPARE(w.cluster().lock.state, LockState::Held);
    w.flow(34s); // the watch is good again
    QCOMPARE(w.count(EventCode::LockExpired), 1);
}

void LockTest::aForeignChangeIsNoMissedRenewal()
{
    for (const bool listed : {false, true}) {
        World w;
        w.start();
        w.renew();
        w.flow(22s);
        w.get("100000");
        w.leader.labels["owner"] = "somebody";
        w.version = 100000 - 1;
        if (listed) {
            w.leader.resourceVersion = std::to_string(++w.version);
            w.relist();
        } else {
            w.change(w.leader);
        }
        w.flow(12s);
        QCOMPARE(w.cluster().lock.state, LockState::Expired);
    }
}

void LockTest::aSlowBacklogProvesNothing_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<int>("milliseconds");
    for (const char *first : {"event", "bookmark", "resumed"}) {
        for (const int pause : {100, 1500, 4000, 15000})
            QTest::addRow("%s, then every %d ms", first, pause) << QByteArray(first) << pause;
    }
}

// After an outage of ours the renewals of meanwhile may be far behind other news.
void LockTest::aSlowBacklogProvesNothing()
{
    QFETCH(QByteArray, first);
    QFETCH(int, milliseconds);
    World w;
    w.start();
    w.renew();
    w.t += 1s;
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 10min;
    if (first == "event")
        w.change(w.config);
    else if (first == "bookmark")
        w.observe(Resource::Endpoints, Bookmarked{"998"});
    else
        w.observe(Resource::Endpoints, Resumed{});
    for (int i = 0; i < 3; ++i) {
        w.t += std::chrono::milliseconds(milliseconds);
        w.change(w.config);
        w.observe(Resource::Endpoints, Bookmarked{"999"});
        QVERIFY(w.cluster().lock.state != LockState::Expired);
        QVERIFY(!w.cluster().lock.late);
    }
    w.renew(100ms);
    QCOMPARE(w.cluster().lock.changedNotBefore, std::optional(Boot(10s)));
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    QCOMPARE(w.count(EventCode::LockAcquired), 0);
    for (const Transition &t : w.cluster().transitions)
        QVERIFY(!t.fromLive);
    w.renew(); // and that is all that doubt costs
    w.renew();
    QCOMPARE(w.cluster().lock.state, LockState::Held);
    w.flow(34s);
    QCOMPARE(w.cluster().lock.state, LockState::Expired);
}

void LockTest::expiryAfterAGapWithoutAList()
{
    World w;
    w.start();
    w.renew();
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 60s;
    w.observe(Resource::Endpoints, Resumed{});
    QVERIFY(w.cluster().lock.state != LockState::Expired);
    const auto wanted = w.store.wantedProbes(w.now());
    QVERIFY(!wanted.empty());
    QCOMPARE(wanted.front().name, std::string("acme"));
    w.t += 1s;
    w.get(w.leader.resourceVersion);
    QCOMPARE(w.cluster().lock.state, LockState::Expired);
    w.t += 5s;
    w.take("acme-1");
    QCOMPARE(w.cluster().transitions.back().kind, TransitionKind::LockExpired);
    QVERIFY(w.cluster().transitions.back().gainedAt); // seen: a GET had the old record since
}

void LockTest::eventsAreInTheOrderOfTime()
{
    World w;
    w.start();
    w.renew();
    w.t += 32s;
    w.pods[1].annotations["status"] = World::status("replica", "stopped", 2);
    w.change(w.pods[1]);
    w.t += 1s;
    w.setConfig(R"({"ttl":30,"loop_wait":10,"pause":true})");
    w.take("acme-1", 5s);
    QVERIFY(w.count(EventCode::LockExpired) == 1 && w.count(EventCode::MemberState) == 1 && w.count(EventCode::PauseOn) == 1);
    const auto earlier = [](const Event &a, const Event &b) { return a.at < b.at; };
    QVERIFY(std::is_sorted(w.store.events().begin(), w.store.events().end(), earlier));
}

void LockTest::aByteElsewhereIsNoView()
{
    World w;
    w.start();
    w.renew();
    w.t += 25s;
    w.observe(Resource::Endpoints, ProbeFailed{"acme", World::error(ErrorKind::Unreachable), "db"});
    w.t += 1s;
    w.pods[1].annotations["status"] = World::status("replica", "running", 2, R"(,"x":1)");
    w.change(w.pods[1]);
    QCOMPARE(w.cluster().lock.state, LockState::Stale);
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
    QCOMPARE(w.cluster().view.staleSince, std::optional(Boot(10s)));
    QVERIFY(!w.cluster().view.reason.empty());
    QCOMPARE(w.cluster().health.health, Health::Unknown);
    QCOMPARE(w.store.contexts().front().freshness, Freshness::Stale);
    QCOMPARE(w.count(EventCode::ConnectionRestored), 0);
    w.t += 1s;
    w.observe(Resource::Endpoints, Contact{});
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    QCOMPARE(w.store.contexts().front().freshness, Freshness::Live);
    QCOMPARE(w.count(EventCode::ConnectionRestored), 1);
}

void LockTest::aLeaderlessClusterIsProbed()
{
    for (const bool deleted : {false, true}) {
        World w;
        w.start();
        w.renew();
        if (deleted)
            w.change(w.leader, EventType::Deleted);
        else
            w.release(0s);
        w.t += 20s;
        w.observe(Resource::Pods, Contact{});
        QVERIFY(w.store.wantedProbes(w.now()).empty());
        w.t += 1s;
        const auto wanted = w.store.wantedProbes(w.now());
        QCOMPARE(wanted.size(), std::size_t(1));
        QCOMPARE(wanted.front().resource, Resource::Endpoints);
        QCOMPARE(wanted.front().name, std::string(deleted ? "acme-config" : "acme"));
        QCOMPARE(wanted.front().resourceVersion, deleted ? w.config.resourceVersion : w.leader.resourceVersion);
        w.observe(Resource::Endpoints, ProbeFailed{wanted.front().name, World::error(ErrorKind::Unreachable), "db"});
        QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
        QCOMPARE(w.cluster().lock.state, LockState::Stale);
        w.t += 1s;
        QVERIFY(w.store.wantedProbes(w.now()).empty());
        w.t += 5s;
        QCOMPARE(w.store.wantedProbes(w.now()).size(), std::size_t(1));
        w.observe(Resource::Endpoints, Confirmed{wanted.front().name, wanted.front().resourceVersion, "db"});
        QVERIFY(w.store.wantedProbes(w.now()).empty());
        QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    }
}

void LockTest::quietPodsAreProbed()
{
    World w;
    w.start();
    w.renew();
    w.renew();
    w.renew(1s);
    const auto wanted = w.store.wantedProbes(w.now());
    QCOMPARE(wanted.size(), std::size_t(1));
    QCOMPARE(wanted.front().resource, Resource::Pods);
    QCOMPARE(wanted.front().name, std::string("acme-0"));
    QCOMPARE(wanted.front().resourceVersion, w.pods[0].resourceVersion);
    w.observe(Resource::Pods, ProbeFailed{"acme-0", World::error(ErrorKind::Unreachable), "db"});
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
    w.observe(Resource::Endpoints, Contact{});
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale); // its Pods may be anything
    QVERIFY(w.cluster().lock.state == LockState::Held);     // the lock's own watch is good
    w.observe(Resource::Pods, Confirmed{"acme-0", w.pods[0].resourceVersion, "db"});
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    QVERIFY(w.store.wantedProbes(w.now()).empty());
}

void LockTest::aProbeWithoutAnswerIsStale()
{
    World w;
    w.start();
    w.renew();
    w.t += 25s;
    const StoreChanges lost = w.observe(Resource::Endpoints, ProbeFailed{"acme", World::error(ErrorKind::Unreachable), "db"});
    QVERIFY(lost.contexts.contains("ctx"));
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
    QCOMPARE(w.cluster().view.staleSince, std::optional(Boot(10s)));
    QCOMPARE(w.cluster().lock.state, LockState::Stale);
    QVERIFY(!w.cluster().leaderName);
    QCOMPARE(w.cluster().health.health, Health::Unknown);
    w.t += 5s;
    w.observe(Resource::Endpoints, ProbeFailed{"acme", World::error(ErrorKind::Unreachable), "db"});
    w.advance(60s);
    QCOMPARE(w.cluster().lock.state, LockState::Stale);
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    QCOMPARE(w.count(EventCode::ConnectionLost), 1);
    w.get("100000");
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    QCOMPARE(w.count(EventCode::ConnectionRestored), 1);
    w.renew(1s);
    QCOMPARE(w.cluster().lock.state, LockState::Unverified); // changed somewhere since 10 s: it may have been long ago
    QCOMPARE(w.cluster().lock.changedNotBefore, std::optional(Boot(10s)));
    w.renew();
    QCOMPARE(w.cluster().lock.state, LockState::Held);
    QCOMPARE(w.count(EventCode::LockExpired), 0);
}

void LockTest::lateNeedsProofAfterASilence()
{
    for (const bool renewed : {true, false}) {
        World w;
        w.start();
        w.renew();
        w.t += 15s;
        w.observe(Resource::Endpoints, ProbeFailed{"acme", World::error(ErrorKind::Unreachable), "db"});
        w.t += 8s;
        w.get(renewed ? "100000" : w.leader.resourceVersion); // the watch will tell in what it changed
        w.advance(1s);
        QCOMPARE(w.cluster().lock.state, LockState::Held);
        QCOMPARE(w.cluster().lock.late, !renewed);
        QCOMPARE(w.count(EventCode::LockLate), renewed ? 0 : 1);
    }
}

void LockTest::aLostWatchIsStale()
{
    World w;
    w.start();
    w.renew();
    w.t += 2s;
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 1s;
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.observe(Resource::Pods, Contact{}); // good news of one stream says nothing of another
    w.advance(100s);
    QCOMPARE(w.cluster().lock.state, LockState::Stale);
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
    QCOMPARE(w.cluster().view.staleSince, std::optional(Boot(10s)));
    QCOMPARE(w.count(EventCode::ConnectionLost), 1);
    w.relist();
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    QCOMPARE(w.cluster().lock.state, LockState::Expired); // listed again, still the same: now it is proven
    QCOMPARE(w.count(EventCode::ConnectionRestored), 1);
    QCOMPARE(w.count(EventCode::LockExpired), 1);
}

void LockTest::forbiddenIsNotEmpty()
{
    World w;
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Forbidden)});
    QVERIFY(w.store.clusters().empty());
    QCOMPARE(w.store.contexts().front().freshness, Freshness::Forbidden);
    QVERIFY(w.store.contexts().front().error);
    w.start();
    QCOMPARE(w.store.contexts().front().freshness, Freshness::Live);
    w.t += 5s;
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unauthorized)});
    QVERIFY(w.any());
    QCOMPARE(w.cluster().view.freshness, Freshness::Forbidden);
    QCOMPARE(w.cluster().health.health, Health::Unknown);
    QVERIFY(has(w.cluster().health, HealthReason::ViewForbidden));
}

void LockTest::podsCount()
{
    World w;
    w.stateItems = {w.leader, w.config};
    w.listState();
    QCOMPARE(w.cluster().view.freshness, Freshness::Connecting);
    w.listPods();
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    w.observe(Resource::Pods, Lost{World::error(ErrorKind::Forbidden)});
    QCOMPARE(w.cluster().view.freshness, Freshness::Forbidden);
    w.renew();
    QCOMPARE(w.cluster().lock.state, LockState::Held); // the lock's own stream is good
}

void LockTest::oneMemberTakesAnExpiredLock()
{
    World w;
    w.start();
    w.renew();
    w.take("acme-1", 33s);
    QCOMPARE(w.count(EventCode::LockExpired), 1);
    QCOMPARE(w.count(EventCode::LeaderChanged), 1);
    const Transition &t = w.cluster().transitions.back();
    QCOMPARE(t.kind, TransitionKind::LockExpired);
    QCOMPARE(t.from, std::optional<std::string>("acme-0"));
    QCOMPARE(t.to, std::optional<std::string>("acme-1"));
    QCOMPARE(t.lostAt, std::optional(day + 10s)); // last renewal seen
    QCOMPARE(t.gap, std::optional<Duration>(33s));
    QCOMPARE(w.cluster().leaderSince, std::optional(Boot(43s)));
    w.take("acme-2", 5s); // straight from one holder to the next: only an expired lock can be taken, by the taker's clock
    QCOMPARE(w.cluster().transitions.back().kind, TransitionKind::LockExpired);
    QCOMPARE(w.count(EventCode::LockExpired), 1); // not by ours
}

void LockTest::theHolderRenewsItsExpiredLock()
{
    World w;
    w.start();
    w.renew();
    w.renew(45s); // acquireTime stays
    QCOMPARE(w.cluster().transitions.back().kind, TransitionKind::ReTaken);
    QCOMPARE(w.count(EventCode::LockExpired), 1);
    QCOMPARE(w.count(EventCode::LockAcquired), 1);
    QCOMPARE(w.count(EventCode::LeaderChanged), 0);
}

void LockTest::deletedIsAbsent()
{
    World w;
    w.start();
    w.renew();
    w.change(w.leader, EventType::Deleted);
    QCOMPARE(w.cluster().lock.state, LockState::Absent);
    QVERIFY(!w.cluster().leader);
    QCOMPARE(w.count(EventCode::LockReleased), 1);
    w.take("acme-0");
    QCOMPARE(w.cluster().transitions.back().kind, TransitionKind::ReTaken);
}

void LockTest::goneForTwoLoops()
{
    World w;
    w.start();
    w.renew();
    w.release();
    QCOMPARE(w.cluster().lock.state, LockState::Released);
    QVERIFY(w.cluster().health.health != Health::Unhealthy);
    w.advance(19s);
    QVERIFY(w.cluster().health.health != Health::Unhealthy);
    const auto deadline = w.store.nextDeadline();
    QVERIFY(deadline && *deadline <= Boot(31s + 1ms));
    w.advance(2s);
    QCOMPARE(w.cluster().health.health, Health::Unhealthy);
    QVERIFY(has(w.cluster().health, HealthReason::LockReleased));
}

void LockTest::theClocksJump()
{
    World w;
    w.start();
    w.renew();
    w.t += 100s;
    const StoreChanges changes = w.store.clockJumped("ctx", w.now());
    QVERIFY(changes.contexts.contains("ctx"));
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
    w.change(w.config); // an event of the old watch is not enough
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
    w.relist();
    w.listPods();
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    QCOMPARE(w.cluster().lock.state, LockState::Unverified);
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    w.renew();
    QCOMPARE(w.cluster().lock.state, LockState::Held);
}

void LockTest::whatToProbe()
{
    World w;
    w.start();
    w.renew();
    w.t += 20s;
    w.observe(Resource::Pods, Contact{}); // here only the lock counts
    QVERIFY(w.store.wantedProbes(w.now()).empty());
    w.t += 1s;
    auto wanted = w.store.wantedProbes(w.now());
    QCOMPARE(wanted.size(), std::size_t(1));
    QCOMPARE(wanted.front().name, std::string("acme"));
    QCOMPARE(wanted.front().ns, std::string("db"));
    QCOMPARE(wanted.front().resourceVersion, w.leader.resourceVersion);
    w.get(w.leader.resourceVersion);
    QVERIFY(w.store.wantedProbes(w.now()).empty());
    w.t += 5s;
    QCOMPARE(w.store.wantedProbes(w.now()).size(), std::size_t(1));
    w.t += 10s;
    w.observe(Resource::Pods, Contact{});
    w.get(w.leader.resourceVersion);
    QCOMPARE(w.cluster().lock.state, LockState::Expired);
    w.t += 6s;
    QVERIFY(w.store.wantedProbes(w.now()).empty()); // once a loop is enough now
    w.t += 5s;
    QCOMPARE(w.store.wantedProbes(w.now()).size(), std::size_t(1));
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 60s;
    w.observe(Resource::Pods, Contact{});
    QVERIFY(w.store.wantedProbes(w.now()).empty());
}

// Each row: a lock is dead for that long; so often it is asked for in the next ten minutes.
void LockTest::deadLocksAreAskedForLessOften_data()
{
    QTest::addColumn<int>("deadMinutes");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("most");
    QTest::newRow("just expired") << 0 << 12 << 30;
    QTest::newRow("three minutes") << 3 << 9 << 16;
    QTest::newRow("an hour") << 60 << 9 << 10;
    QTest::newRow("a day") << 24 * 60 << 9 << 10;
}

void LockTest::deadLocksAreAskedForLessOften()
{
    QFETCH(int, deadMinutes);
    QFETCH(int, least);
    QFETCH(int, most);
    World w;
    w.start();
    w.renew();
    w.t += std::chrono::minutes(deadMinutes) + 31s;
    w.get(w.leader.resourceVersion);
    QCOMPARE(w.cluster().lock.state, LockState::Expired);
    int asked = 0;
    for (int second = 0; second < 600; ++second) {
        w.t += 1s;
        w.observe(Resource::Pods, Contact{}); // here only the lock counts
        w.observe(Resource::Endpoints, Contact{});
        if (w.store.wantedProbes(w.now()).empty())
            continue;
        ++asked;
        w.get(w.leader.resourceVersion);
    }
    QVERIFY2(asked >= least && asked <= most, qPrintable(QString::number(asked)));
    QCOMPARE(w.cluster().lock.state, LockState::Expired);
}

void LockTest::renewalsAreSampled()
{
    World w;
    w.start();
    w.renew(10s);
    w.renew(10s);
    w.renew(12s);
    QCOMPARE(w.cluster().renewals.size(), std::size_t(2));
    QCOMPARE(w.cluster().renewals.back().interval, Duration(12s));
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.renew(10s);
    QCOMPARE(w.cluster().renewals.size(), std::size_t(2)); // not across a gap
}

QTEST_APPLESS_MAIN(LockTest)
#include "tst_lock.moc"
