// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Elections over time: what each observation, and each silence, makes of them.
#include "made_locks.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::election;
using namespace switchyard::test;

// The Pods of holders, and leaders for life.
class TestElectionPods : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void whatBecameOfTheHoldersPodIsEvidence()
    {
        Locks w;
        KubeObject lease = w.lease("op"), pod = w.pod("pod-a");
        pod.pod->containers.push_back({"c", 0, true, {}, {}, {}, {}});
        w.list(Resource::Leases, {lease});
        w.list(Resource::Pods, {pod});
        QCOMPARE(w.find("op")->pod->name, std::string("pod-a"));
        QVERIFY(!w.find("op")->pod->byUid);
        pod.pod->containers.front() = {"c", 1, false, {}, "OOMKilled", 137, day};
        w.change(pod);
        w.renew(lease, "pod-b_2", 20s, 15, 4);
        bool told = false;
        for (const HolderChange &change : w.find("op")->changes)
            told = told || std::find(change.evidence.begin(), change.evidence.end(), "Pod pod-a: OOMKilled") != change.evidence.end();
        QVERIFY(told);
        QVERIFY(!w.find("op")->pod); // of the new holder there is none
        QVERIFY(w.find("op")->podsReadable);
    }

    void aLeaderForLifeThatIsDeletedAndReplaced()
    {
        Locks w;
        KubeObject pod = w.pod("op-0"), lock = w.lifeLock("op-lock", pod), next = w.pod("op-1");
        w.list(Resource::Pods, {pod, next});
        w.list(Resource::ConfigMaps, {lock});
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Held);
        pod.deletedAt = day;
        w.change(pod);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Terminating);
        QCOMPARE(w.count(EventCode::ElectionStopped), 0);
        w.t += 30s;
        w.change(pod, EventType::Deleted);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Orphaned);
        QCOMPARE(w.last(EventCode::ElectionStopped).detail.at("how"), std::string("orphaned"));
        w.t += 2s;
        w.change(lock, EventType::Deleted);
        QVERIFY(!w.life("op-lock"));
        QCOMPARE(w.count(EventCode::ElectionStopped), 1);
        w.t += 8s;
        KubeObject anew = w.lifeLock("op-lock", next);
        anew.uid = "uid-anew";
        w.change(anew, EventType::Added);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Held);
        QCOMPARE(w.last(EventCode::ElectionLeader).detail.at("from"), std::string("op-0"));
        QCOMPARE(w.last(EventCode::ElectionLeader).detail.at("to"), std::string("op-1"));
        QVERIFY(w.life("op-lock")->changes.back().gap == std::optional<Duration>(10s));
        anew.owners.clear();
        w.change(anew);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Invalid);
        QCOMPARE(w.count(EventCode::ElectionInvalid), 1);
    }

    // The same name, another uid: orphaned until the new one is there, recreated from then on; the stop is said once.
    void aLeaderForLifeThatIsRecreated()
    {
        Locks w;
        KubeObject pod = w.pod("op-0"), lock = w.lifeLock("op-lock", pod);
        w.list(Resource::Pods, {pod});
        w.list(Resource::ConfigMaps, {lock});
        w.t += 1s;
        w.change(pod, EventType::Deleted);
        QCOMPARE(w.count(EventCode::ElectionStopped), 1);
        QCOMPARE(w.last(EventCode::ElectionStopped).detail.at("how"), std::string("orphaned"));
        w.t += 1s;
        KubeObject anew = w.pod("op-0");
        anew.uid = "uid-anew";
        w.change(anew, EventType::Added);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Recreated);
        QCOMPARE(w.count(EventCode::ElectionStopped), 1);
        QCOMPARE(w.count(EventCode::ElectionPod), 1);
        QCOMPARE(w.last(EventCode::ElectionPod).detail.at("how"), std::string("recreated"));
        QCOMPARE(w.last(EventCode::ElectionPod).detail.at("holder"), std::string("op-0"));
        w.change(anew, EventType::Deleted); // orphaned again: said already
        w.change(anew, EventType::Added);
        QCOMPARE(w.count(EventCode::ElectionPod), 1);
        w.change(lock, EventType::Deleted);
        QCOMPARE(w.count(EventCode::ElectionStopped), 1);
    }

    void anEvictedLeaderForLifeStopsOnce()
    {
        Locks w;
        KubeObject pod = w.pod("op-0"), lock = w.lifeLock("op-lock", pod);
        w.list(Resource::Pods, {pod});
        w.list(Resource::ConfigMaps, {lock});
        pod.pod->phase = "Failed";
        pod.pod->reason = "Evicted";
        w.change(pod);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Evicted);
        QCOMPARE(w.last(EventCode::ElectionStopped).detail.at("how"), std::string("evicted"));
        pod.deletedAt = day; // by a candidate
        w.change(pod);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Terminating);
        w.change(pod, EventType::Deleted);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Orphaned);
        QCOMPARE(w.last(EventCode::ElectionPod).detail.at("how"), std::string("orphaned"));
        QCOMPARE(w.count(EventCode::ElectionPod), 1);
        w.change(lock, EventType::Deleted);
        QCOMPARE(w.count(EventCode::ElectionStopped), 1);
        QCOMPARE(w.count(EventCode::ElectionLeader), 0);
    }

    // Read by its metadata, which say nothing of data: what it is, is not known until a GET has seen all of it.
    void aConfigMapWithoutManagers_data()
    {
        QTest::addColumn<bool>("hasData");
        QTest::newRow("a lock that nobody can take") << false;
        QTest::newRow("an ordinary ConfigMap") << true;
    }
    void aConfigMapWithoutManagers()
    {
        QFETCH(bool, hasData);
        Locks w;
        KubeObject map = w.object(Resource::ConfigMaps, "package-lock");
        map.dataUnknown = true;
        w.list(Resource::Pods, {});
        w.list(Resource::ConfigMaps, {map});
        QCOMPARE(w.state("package-lock", Family::LeaderForLife), State::Unverified);
        QVERIFY(w.life("package-lock")->dataUnseen);
        QVERIFY(w.life("package-lock")->defects.empty());
        const auto probes = w.store.wantedProbes(w.now());
        QCOMPARE(probes.size(), std::size_t(1));
        QVERIFY(probes.front().whole);
        QCOMPARE(probes.front().resource, Resource::ConfigMaps);
        QCOMPARE(probes.front().name, std::string("package-lock"));
        KubeObject whole = map; // the answer
        whole.dataUnknown = false;
        whole.hasData = hasData;
        w.observe(Resource::ConfigMaps, Changed{EventType::Modified, whole}, "db", true);
        w.confirm(map);
        QVERIFY(w.store.wantedProbes(w.now()).empty());
        w.t += 60s;
        QVERIFY(w.store.wantedProbes(w.now()).empty());
        QCOMPARE(w.life("package-lock") != nullptr, !hasData);
        QVERIFY(hasData || w.life("package-lock")->state == State::Invalid);
        QVERIFY(hasData || !w.life("package-lock")->dataUnseen);
        QCOMPARE(w.count(EventCode::ElectionStopped), 0);
        w.list(Resource::ConfigMaps, {map}); // the same again, by its metadata
        QCOMPARE(w.life("package-lock") != nullptr, !hasData);
        w.change(map); // and written: what had data has it still, what had none may have some now
        QCOMPARE(w.life("package-lock") != nullptr, !hasData);
        QVERIFY(hasData || w.life("package-lock")->state == State::Unverified);
        QVERIFY(w.store.events().empty());
    }

    void aRefusedGetIsNotTriedAgainAndAgain()
    {
        Locks w;
        KubeObject map = w.object(Resource::ConfigMaps, "package-lock");
        map.dataUnknown = true;
        w.list(Resource::ConfigMaps, {map});
        w.observe(Resource::ConfigMaps, ProbeFailed{"package-lock", Locks::error(ErrorKind::Forbidden), "db"});
        w.t += 60s;
        w.list(Resource::ConfigMaps, {map});
        QVERIFY(w.store.wantedProbes(w.now()).empty());
        QCOMPARE(w.state("package-lock", Family::LeaderForLife), State::Unverified);
        w.t += 5min;
        w.list(Resource::ConfigMaps, {map});
        QCOMPARE(w.store.wantedProbes(w.now()).size(), std::size_t(1));
    }

    // Its Pod says what it is worth, whatever else is in it.
    void aLockOfAPodWithoutManagers()
    {
        Locks w;
        KubeObject pod = w.pod("op-0"), lock = w.lifeLock("op-lock", pod);
        lock.dataUnknown = true;
        w.list(Resource::Pods, {pod});
        w.list(Resource::ConfigMaps, {lock});
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Held);
        lock.hasData = true;
        lock.dataUnknown = false;
        w.observe(Resource::ConfigMaps, Changed{EventType::Modified, lock}, "db", true);
        QVERIFY(!w.life("op-lock"));
        QVERIFY(w.store.events().empty()); // it never was one
    }

    void aNodeThatIsLostByAnEventAboutThePod()
    {
        Locks w;
        KubeObject pod = w.pod("op-0"), lock = w.lifeLock("op-lock", pod);
        pod.pod->ready = true;
        w.list(Resource::Pods, {pod});
        w.list(Resource::ConfigMaps, {lock});
        KubeObject event = w.object(Resource::Events, "op-0.1");
        event.event = EventFacts{"Pod", "op-0", "uid-op-0", "NodeNotReady", "Node is not ready", "Warning", "node-controller", {}, {}, {}};
        w.change(event, EventType::Added);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Held); // the Pod is ready (again)
        pod.pod->ready = false;
        w.change(pod);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::NodeNotReady);
        pod.pod->ready = true;
        w.change(pod);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Held);
        w.t += 5h;
        pod.pod->ready = false; // its own probe fails
        w.change(pod);
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Held);
    }

    // Seconds from the start: since when the Pod is ready, when its node was said to be lost, when the Pod is not ready any more.
    void anEventOfALostNodeThatIsOver_data()
    {
        QTest::addColumn<int>("ready");
        QTest::addColumn<int>("lost");
        QTest::addColumn<int>("unready");
        QTest::addColumn<bool>("holds");
        QTest::newRow("the Pod became ready after it") << -1800 << -3600 << 10 << true;
        QTest::newRow("the Pod stops being ready by it") << -1800 << 0 << 2 << false;
        QTest::newRow("the Pod is told first") << -1800 << 2 << 1 << false;
        QTest::newRow("the Pod stays ready for hours") << -1800 << 0 << 4 * 3600 << true;
    }
    void anEventOfALostNodeThatIsOver()
    {
        QFETCH(const int, ready);
        QFETCH(const int, lost);
        QFETCH(const int, unready);
        QFETCH(const bool, holds);
        const auto at = [](int seconds) { return std::optional(day + std::chrono::seconds(seconds)); };
        Locks w;
        KubeObject pod = w.pod("op-0"), lock = w.lifeLock("op-lock", pod);
        pod.pod->ready = true;
        pod.pod->conditions = {{"Ready", "True", {}, at(ready)}};
        w.list(Resource::Pods, {pod});
        w.list(Resource::ConfigMaps, {lock});
        KubeObject event = w.object(Resource::Events, "op-0.1");
        event.event = EventFacts{"Pod", "op-0", "uid-op-0", "NodeNotReady", "Node is not ready", "Warning", "node-controller",
                                 {},    {},     at(lost)};
        if (lost <= unready)
            w.list(Resource::Events, {event});
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Held);
        w.t += std::chrono::seconds(unready);
        pod.pod->ready = false;
        pod.pod->conditions = {{"Ready", "False", {}, at(unready)}};
        w.change(pod);
        if (lost > unready)
            w.list(Resource::Events, {event});
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), holds ? State::Held : State::NodeNotReady);
    }

    // What others wrote may hold anything.
    void messagesOfEventsAreMaskedAndShort()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        w.list(Resource::Events, {});
        w.renew(lease);
        const std::string planted = " postgres://app:s3cret@db/ " + std::string(600, 'x');
        KubeObject probe = w.object(Resource::Events, "pod-a.1"), elector = w.object(Resource::Events, "op.1");
        probe.event = EventFacts{"Pod", "pod-a", "uid-pod-a", "Unhealthy", "probe:" + planted, "Warning", "kubelet", {}, {}, {}};
        w.change(probe, EventType::Added);
        w.renew(lease, "pod-b_2", 20s, 15, 4);
        elector.event = EventFacts{"Lease", "op", "uid-op", "LeaderElection", "pod-b_2 became leader" + planted, "Normal", "elector",
                                   {},      {},   {}};
        w.change(elector, EventType::Added);
        std::string all = w.last(EventCode::ElectionEvidence).detail.at("message");
        QVERIFY2(all.starts_with("pod-b_2 became leader postgres://***@db/ x"), all.c_str());
        QCOMPARE(all.size(), std::size_t(403));
        const auto evidence = w.find("op")->changes.back().evidence;
        QCOMPARE(evidence.size(), std::size_t(2));
        QVERIFY2(evidence.front().starts_with("Event Unhealthy: probe: postgres://***@db/ x"), evidence.front().c_str());
        for (const std::string &text : evidence)
            QVERIFY2(text.size() < 430, text.c_str());
        for (const HolderChange &change : w.find("op")->changes) {
            for (const std::string &text : change.evidence)
                all += text;
        }
        QVERIFY2(all.find("s3cret") == std::string::npos, all.c_str());
    }

    void podsThatNoWatchTellsOfAreAskedFor()
    {
        Locks w;
        KubeObject pod = w.pod("op-0"), lock = w.lifeLock("op-lock", pod);
        w.observe(Resource::Pods, Listed{std::to_string(w.version), {}, {"cluster-name", {}}});
        w.list(Resource::ConfigMaps, {lock});
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Unverified);
        QVERIFY(!w.life("op-lock")->podsReadable);
        QCOMPARE(w.store.wantedProbes(w.now()).size(), std::size_t(1));
        w.observe(Resource::Pods, Confirmed{"op-0", std::nullopt, "db"});
        QCOMPARE(w.state("op-lock", Family::LeaderForLife), State::Orphaned);
        QVERIFY(w.store.wantedProbes(w.now()).empty());
    }
};

QTEST_APPLESS_MAIN(TestElectionPods)

#include "tst_election_pods.moc"
