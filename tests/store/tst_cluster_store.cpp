// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The store: clusters that come and go, what it keeps, what it says, and that it stays cheap.
#include "made_world.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;

class ClusterStoreTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void bootstrap();
    void startedWithoutLeader();
    void discoveredByPodsOrByState();
    void clustersGo();
    void clustersComeBack();
    void undecodableIsSaidOnce();
    void anUnreadableItemIsNotDeleted();
    void anUnreadableEventIsAGap();
    void membersComeChangeAndGo();
    void memberNewsFromBeforeTheCluster();
    void statusTimes();
    void olderVersionsAreIgnored();
    void opaqueVersionsGoByArrival();
    void backlogProvesNothing();
    void takenUpAgainIsLiveButProvesNothing();
    void goneIsNoLoss();
    void snapshots();
    void timelineOfAStandbyCluster();
    void configLostItsAnnotations();
    void theModeWasSwitched();
    void contextsAreSeparate();
    void eventIdsAreStable();
    void manyClusters();
};

void ClusterStoreTest::bootstrap()
{
    World w;
    const auto leader = w.leader.annotations;
    w.observe(Resource::Endpoints, Listed{"100", {}});
    w.pods.clear();
    w.listPods();
    QVERIFY(!w.any());
    w.config.annotations = {{"initialize", ""}};
    const StoreChanges appeared = w.change(w.config, EventType::Added);
    QVERIFY(w.any());
    QVERIFY(appeared.clusters.contains(w.key()));
    QCOMPARE(w.cluster().lock.state, LockState::Absent);
    QVERIFY(has(w.cluster().health, HealthReason::Initializing));
    w.config.annotations["initialize"] = "7713576556860619536";
    w.change(w.config);
    w.leader.annotations = leader;
    w.leader.annotations["transitions"] = "0";
    w.t += 3s;
    w.change(w.leader, EventType::Added);
    QCOMPARE(w.cluster().transitions.size(), std::size_t(1));
    QCOMPARE(w.cluster().transitions.front().kind, TransitionKind::Bootstrap);
    QVERIFY(!w.cluster().transitions.front().from);
    QCOMPARE(w.count(EventCode::LockAcquired), 1);
    QCOMPARE(w.count(EventCode::LeaderChanged), 0);
    QCOMPARE(w.cluster().timeline, std::optional<std::int64_t>(1));
}

void ClusterStoreTest::startedWithoutLeader()
{
    World w;
    w.leader.annotations.erase("leader");
    w.start();
    QCOMPARE(w.cluster().lock.state, LockState::Released);
    w.take("acme-1");
    QCOMPARE(w.cluster().transitions.back().kind, TransitionKind::LockReleased);
    QVERIFY(!w.cluster().transitions.back().from);
    QVERIFY(!w.cluster().transitions.back().gap);
}

void ClusterStoreTest::discoveredByPodsOrByState()
{
    World w;
    w.listPods();
    QVERIFY(!w.any());
    w.stateItems = {w.leader, w.config};
    w.listState();
    QVERIFY(w.any());
    QCOMPARE(w.cluster().members.size(), std::size_t(3));
    QCOMPARE(w.cluster().commonMemberLabels.size(), std::size_t(2));
    QCOMPARE(w.cluster().members.front().record.roleLabel, std::optional<std::string>("primary"));
    QVERIFY(w.store.events().empty());
}

void ClusterStoreTest::clustersGo()
{
    World w;
    w.start();
    const ClusterKey key = w.key();
    w.renew();
    w.change(w.config, EventType::Deleted);
    QVERIFY(w.any()); // the leader's record and the Pods are still there
    const StoreChanges changes = w.change(w.leader, EventType::Deleted);
    QVERIFY(changes.removed.contains(key));
    QVERIFY(!w.any());
    QVERIFY(!w.store.find(key));
    QVERIFY(!w.store.nextDeadline());
}

// Made anew under its old name: what the first one's members went through has been told.
void ClusterStoreTest::clustersComeBack()
{
    World w;
    w.start();
    w.t += 1s;
    const auto pods = std::exchange(w.pods, {});
    ++w.version;
    w.listPods();
    QCOMPARE(w.count(EventCode::MemberLeft), 3);
    w.stateItems.clear();
    w.listState();
    QVERIFY(!w.any());
    w.t += 1s;
    for (KubeObject pod : pods) {
        pod.uid += "-anew";
        w.change(pod, EventType::Added);
    }
    for (KubeObject *o : {&w.config, &w.leader})
        w.change(*o, EventType::Added);
    QVERIFY(w.any());
    QCOMPARE(w.count(EventCode::MemberAppeared), 3);
    QCOMPARE(w.count(EventCode::MemberLeft), 3);
}

void ClusterStoreTest::undecodableIsSaidOnce()
{
    World w;
    w.leader.annotations["slots"] = "{broken";
    w.config.annotations["history"] = "[[";
    w.pods[1].annotations["status"] = "[]";
    w.start();
    const int first = w.count(EventCode::Undecodable);
    QVERIFY(first >= 2); // also at first sight
    QVERIFY(!w.cluster().timeline);
    QCOMPARE(w.cluster().lock.holder, std::optional<std::string>("acme-0"));
    w.renew();
    w.renew();
    QCOMPARE(w.count(EventCode::Undecodable), first);
    w.leader.annotations["slots"] = "{}";
    w.renew();
    w.leader.annotations["slots"] = "{broken";
    w.renew();
    QCOMPARE(w.count(EventCode::Undecodable), first + 1);
    QCOMPARE(w.store.events().back().detail.at("field"), std::string("slots"));
}

void ClusterStoreTest::anUnreadableItemIsNotDeleted()
{
    World w;
    w.start();
    Error bad = World::error(ErrorKind::Server);
    bad.field = "items[0]";
    w.observe(Resource::Endpoints, Undecodable{bad});
    w.observe(Resource::Endpoints, Listed{"200", {w.config}});
    QVERIFY(w.cluster().leader);
    QCOMPARE(w.count(EventCode::LockReleased), 0);
    QCOMPARE(w.count(EventCode::Undecodable), 1);
    w.observe(Resource::Endpoints, Listed{"201", {w.config}});
    QVERIFY(!w.cluster().leader);
    QCOMPARE(w.count(EventCode::LockReleased), 1);
}

void ClusterStoreTest::anUnreadableEventIsAGap()
{
    World w;
    w.start();
    w.renew();
    w.t += 5s;
    w.observe(Resource::Endpoints, Undecodable{World::error(ErrorKind::Server)});
    w.take("acme-1", 5s);
    QCOMPARE(w.cluster().transitions.back().notBefore, std::optional(day + 10s));
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
}

void ClusterStoreTest::membersComeChangeAndGo()
{
    World w;
    w.start();
    w.pods[1].annotations["status"] = World::status("replica", "stopped", 2);
    w.change(w.pods[1]);
    QCOMPARE(w.count(EventCode::MemberState), 1);
    QCOMPARE(w.store.events().back().detail.at("member"), std::string("acme-1"));
    QCOMPARE(w.store.events().back().detail.at("new"), std::string("stopped replica"));
    w.pods[1].annotations["status"] = World::status("replica", "stopped", 2, R"(,"tags":{"a":1})");
    w.change(w.pods[1]);
    QCOMPARE(w.count(EventCode::MemberState), 1);
    w.change(w.pods[1], EventType::Deleted);
    QCOMPARE(w.count(EventCode::MemberLeft), 1);
    QCOMPARE(w.cluster().members.size(), std::size_t(2));
    KubeObject again = w.object(Resource::Pods, "acme-1");
    again.uid = "another";
    again.pod = PodFacts{};
    w.change(again, EventType::Added);
    QCOMPARE(w.count(EventCode::MemberAppeared), 1);
    QCOMPARE(w.cluster().members.size(), std::size_t(3));
    QCOMPARE(w.cluster().membersUp(), 2);
}

void ClusterStoreTest::memberNewsFromBeforeTheCluster()
{
    World w;
    w.listPods();
    w.pods[2].annotations["status"] = World::status("replica", "stopped", 2);
    w.t += 2s;
    w.change(w.pods[2]);
    QVERIFY(w.store.events().empty()); // whose member is it?
    w.stateItems = {w.leader, w.config};
    w.listState();
    QCOMPARE(w.count(EventCode::MemberState), 1);
    QCOMPARE(w.store.events().back().at, Boot(2s));
}

void ClusterStoreTest::statusTimes()
{
    World w;
    w.start();
    const auto of = [&] { return w.cluster().members.back(); }; // acme-2
    QVERIFY(!of().statusChangedAt);
    QCOMPARE(of().statusSeenAt, std::optional(Boot(0s)));
    w.t = 7s;
    w.pods[2].labels["x"] = "y";
    w.change(w.pods[2]);
    QVERIFY(!of().statusChangedAt);
    w.t = 9s;
    w.pods[2].annotations["status"] = World::status("replica", "running", 2, R"(,"pause":true)");
    w.change(w.pods[2]);
    QCOMPARE(of().statusChangedAt, std::optional(Boot(9s)));
    QCOMPARE(of().statusSeenAt, std::optional(Boot(9s)));
}

void ClusterStoreTest::olderVersionsAreIgnored()
{
    World w;
    w.start();
    w.renew();
    KubeObject old = w.leader;
    old.resourceVersion = "9"; // shorter, and smaller: versions are numbers here
    old.annotations["leader"] = "acme-2";
    w.observe(Resource::Endpoints, Changed{EventType::Modified, old});
    QCOMPARE(w.cluster().leaderName, std::optional<std::string>("acme-0"));
    w.observe(Resource::Endpoints, Changed{EventType::Modified, w.leader});
    QCOMPARE(w.cluster().renewals.size(), std::size_t(0));
}

void ClusterStoreTest::opaqueVersionsGoByArrival()
{
    World w;
    w.leader.resourceVersion = "abc";
    w.start();
    w.leader.resourceVersion = "aaa";
    w.leader.annotations["renewTime"] = World::text(5s);
    w.t = 5s;
    w.observe(Resource::Endpoints, Changed{EventType::Modified, w.leader});
    QCOMPARE(w.cluster().lock.state, LockState::Held);
}

void ClusterStoreTest::backlogProvesNothing()
{
    World w;
    w.start();
    w.renew();
    w.t += 5s;
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 60s;
    w.change(w.config); // the watch goes on where it was: old news comes first
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    w.renew(0s);
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    QCOMPARE(w.cluster().lock.changedNotBefore, std::optional(Boot(10s)));
    w.t += 2s;
    w.observe(Resource::Endpoints, Bookmarked{"1000"});
    QCOMPARE(w.count(EventCode::LockExpired), 0);
}

void ClusterStoreTest::takenUpAgainIsLiveButProvesNothing()
{
    World w;
    w.start();
    w.renew();
    w.t += 5s;
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.observe(Resource::Pods, Lost{World::error(ErrorKind::Unreachable)});
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
    w.t += 60s;
    w.observe(Resource::Endpoints, Resumed{});
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale); // the Pods are still out of sight
    w.observe(Resource::Pods, Resumed{});
    QCOMPARE(w.cluster().view.freshness, Freshness::Live); // a quiet stream needs no event to be live again
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    QCOMPARE(w.cluster().lock.state, patroni::LockState::Unverified);
    w.renew(0s); // the backlog
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    w.t += 40s;
    w.observe(Resource::Endpoints, Bookmarked{std::to_string(w.version)}); // it may have been under way since
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    w.get(w.leader.resourceVersion);
    QCOMPARE(w.count(EventCode::LockExpired), 1);
}

void ClusterStoreTest::goneIsNoLoss()
{
    World w;
    w.start();
    w.renew();
    w.t += 5s;
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Gone)});
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    QCOMPARE(w.count(EventCode::ConnectionLost), 0);
    w.takeUnseen("acme-1");
    w.leader.resourceVersion = std::to_string(++w.version);
    w.relist();
    QVERIFY(w.cluster().transitions.back().notBefore);
}

void ClusterStoreTest::snapshots()
{
    World w;
    w.start();
    QCOMPARE(w.cluster().snapshots.size(), std::size_t(2));
    for (int i = 0; i < 30; ++i)
        w.renew();
    QCOMPARE(w.cluster().snapshots.size(), std::size_t(2)); // mere renewals
    w.release();
    QCOMPARE(w.cluster().snapshots.back().object, std::string("acme"));
    QVERIFY(!w.cluster().snapshots.back().annotations.contains("leader"));
    for (int i = 0; i < 30; ++i)
        w.setConfig("{\"ttl\":" + std::to_string(30 + i) + '}');
    QCOMPARE(w.cluster().snapshots.size(), std::size_t(20));
    QCOMPARE(w.count(EventCode::ConfigChanged), 30);
    QCOMPARE(w.cluster().objects.at("config").resourceVersion, w.config.resourceVersion);
}

void ClusterStoreTest::timelineOfAStandbyCluster()
{
    World w;
    w.config.annotations["config"] = R"({"standby_cluster":{"host":"h"}})";
    w.config.annotations.erase("history");
    w.pods[0].annotations["status"] = World::status("standby_leader", "running", 7);
    w.start();
    QVERIFY(w.cluster().standby());
    QCOMPARE(w.cluster().timeline, std::optional<std::int64_t>(7)); // writes no history: the leader's own word
    QCOMPARE(w.cluster().members.front().role, Role::StandbyLeader);
}

void ClusterStoreTest::configLostItsAnnotations()
{
    World w;
    w.start();
    QCOMPARE(w.cluster().timeline, std::optional<std::int64_t>(2));
    w.config.annotations.clear();
    w.change(w.config);
    QVERIFY(w.any());
    QVERIFY(!w.cluster().timeline);
    QVERIFY(!w.cluster().systemId);
}

void ClusterStoreTest::theModeWasSwitched()
{
    World w;
    w.start();
    KubeObject leader = w.leader, config = w.config;
    leader.resource = config.resource = Resource::ConfigMaps;
    leader.name = "acme-leader";
    leader.uid = "cm1";
    config.uid = "cm2";
    w.t += 1s;
    w.observe(Resource::ConfigMaps, Listed{"300", {leader, config}});
    w.t += 5s;
    leader.annotations["renewTime"] = World::text(w.t);
    w.change(leader);
    QCOMPARE(w.store.clusters().size(), std::size_t(1));
    QCOMPARE(w.cluster().names.mode, Mode::ConfigMaps); // the record that moves is the live one
    w.t += 5s;
    leader.annotations["renewTime"] = World::text(w.t);
    w.change(leader);
    QCOMPARE(w.cluster().lock.state, LockState::Held);
    QCOMPARE(w.cluster().members.size(), std::size_t(3));
}

void ClusterStoreTest::contextsAreSeparate()
{
    World w;
    w.start();
    w.store.apply({"other", Resource::Endpoints, "", Boot(1s), day + 1s, Listed{"100", {w.leader, w.config}}});
    QCOMPARE(w.store.clusters().size(), std::size_t(2));
    QCOMPARE(w.store.contexts().size(), std::size_t(2));
    const StoreChanges changes = w.store.removeContext("ctx");
    QCOMPARE(changes.removed.size(), std::size_t(1));
    QCOMPARE(w.store.clusters().size(), std::size_t(1));
    QCOMPARE(w.key().context, std::string("other"));
}

void ClusterStoreTest::eventIdsAreStable()
{
    World a, b;
    for (World *w : {&a, &b}) {
        if (w == &b)
            w->t = 100s; // another observer, other clocks
        w->start();
        w->release();
        w->take("acme-1");
    }
    QCOMPARE(a.store.events().size(), b.store.events().size());
    for (std::size_t i = 0; i < a.store.events().size(); ++i) {
        QCOMPARE(a.store.events()[i].id, b.store.events()[i].id);
        QCOMPARE(a.store.events()[i].id.size(), std::size_t(16));
    }
}

// An event touches its own cluster only: what it costs must not grow with their number.
void ClusterStoreTest::manyClusters()
{
    std::vector<World> worlds;
    worlds.reserve(200);
    std::vector<KubeObject> state, pods;
    for (int i = 0; i < 200; ++i) {
        worlds.emplace_back("c" + std::to_string(i));
        World &w = worlds.back();
        state.push_back(w.leader);
        state.push_back(w.config);
        pods.insert(pods.end(), w.pods.begin(), w.pods.end());
    }
    ClusterStore store;
    std::int64_t version = 1000;
    const auto apply = [&](Resource r, Duration t, decltype(Observation::what) what) {
        return store.apply({"ctx", r, "", Boot(t), day + t, std::move(what)});
    };
    apply(Resource::Endpoints, 0s, Listed{"1000", state});
    apply(Resource::Pods, 0s, Listed{"1000", pods});
    QCOMPARE(store.clusters().size(), std::size_t(200));
    for (int i = 0; i < 1000; ++i) {
        World &w = worlds[static_cast<std::size_t>(i) % worlds.size()];
        w.leader.annotations["renewTime"] = World::text(std::chrono::milliseconds(i * 5 + version));
        w.leader.resourceVersion = std::to_string(++version);
        const StoreChanges changes = apply(Resource::Endpoints, std::chrono::milliseconds(i * 5), Changed{EventType::Modified, w.leader});
        QCOMPARE(changes.clusters.size(), std::size_t(1)); // nobody else's work is done again
        QCOMPARE(changes.clusters.begin()->scope, w.leader.name);
    }
}

QTEST_APPLESS_MAIN(ClusterStoreTest)
#include "tst_cluster_store.moc"
