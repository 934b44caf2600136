// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Elections over time: what each observation, and each silence, makes of them.
#include "made_locks.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::election;
using namespace switchyard::test;

class TestElectionStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLeaseIsHeldOnceItIsSeenToBeRenewed()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        const Changes first = w.list(Resource::Leases, {lease});
        QVERIFY(first.elections.contains(Key{"ctx", "db", "op"}));
        QVERIFY(first.events.empty());
        QCOMPARE(w.state("op"), State::Unverified);
        w.renew(lease);
        QCOMPARE(w.state("op"), State::Held);
        QCOMPARE(*w.find("op")->holder, std::string("pod-a_1"));
        QVERIFY(w.find("op")->expiresAt == Boot(w.t + 15s));
        QVERIFY(w.store.events().empty());
    }

    void expiryIsSaidOnlyWhenItIsProven()
    {
        Locks w;
        KubeObject lease = w.lease("op"), other = w.lease("other");
        w.list(Resource::Leases, {lease, other});
        for (int i = 0; i < 5; ++i)
            w.renew(lease);
        w.advance(16s);
        QCOMPARE(w.state("op"), State::Unverified); // our silence is none of the holder's
        QCOMPARE(w.store.wantedProbes(w.now()).size(), std::size_t(2));
        w.confirm(lease);
        QCOMPARE(w.state("op"), State::Expired);
        QCOMPARE(w.count(EventCode::ElectionStopped), 1);
        QCOMPARE(w.last(EventCode::ElectionStopped).detail.at("how"), std::string("expired"));
        w.advance(20s);
        QCOMPARE(w.state("op"), State::Expired);
        w.confirm(lease);
        QCOMPARE(w.state("op"), State::Stuck);
        QCOMPARE(w.count(EventCode::ElectionStuck), 1);
    }

    void aTakeoverIsTold()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        for (int i = 0; i < 5; ++i)
            w.renew(lease);
        const Duration renewed = w.t;
        w.flow(16s);
        w.renew(lease, "pod-b_2", 1s, 15, 4); // 12.1 takeover: transitions + 1
        QCOMPARE(w.state("op"), State::Held);
        const auto &changes = w.find("op")->changes;
        QCOMPARE(changes.size(), std::size_t(3));
        QCOMPARE(changes.at(0).kind, ChangeKind::FirstSeen);
        QCOMPARE(changes.at(1).kind, ChangeKind::Expired);
        QVERIFY(changes.at(1).at == Boot(renewed + 15s));
        QCOMPARE(changes.at(2).kind, ChangeKind::TakenOver);
        QCOMPARE(changes.at(2).from, std::optional<std::string>("pod-a_1"));
        QCOMPARE(changes.at(2).to, std::optional<std::string>("pod-b_2"));
        QCOMPARE(changes.at(2).transitions, std::optional<std::int64_t>(4));
        QVERIFY(changes.at(2).gap == std::optional<Duration>(2s));
        QCOMPARE(w.count(EventCode::ElectionStopped), 1);
        QCOMPARE(w.count(EventCode::ElectionLeader), 1);
        const Event &event = w.last(EventCode::ElectionLeader);
        QCOMPARE(event.detail.at("how"), std::string("taken-over"));
        QCOMPARE(event.detail.at("from"), std::string("pod-a_1"));
        QCOMPARE(event.detail.at("election"), std::string("leases"));
        QCOMPARE(event.object, std::string("op"));
        QCOMPARE(event.cluster, (patroni::ClusterKey{"ctx", "db", {}, {}, {}}));
        QVERIFY(w.last(EventCode::ElectionStopped).at < event.at);
    }

    // It may have been dead for a week: that it ran out by then is a bound, and how long nobody led is not known.
    void aLeaseThatWasNeverSeenToBeRenewed_data()
    {
        QTest::addColumn<int>("silent"); // seconds
        QTest::newRow("proven before it is taken") << 60;
        QTest::newRow("told by who takes it") << 14;
    }
    void aLeaseThatWasNeverSeenToBeRenewed()
    {
        QFETCH(const int, silent);
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        w.flow(std::chrono::seconds(silent));
        w.renew(lease, "pod-b_2", 2s, 15, 4);
        const auto &changes = w.find("op")->changes;
        QCOMPARE(changes.size(), std::size_t(3));
        QCOMPARE(changes.at(1).kind, ChangeKind::Expired);
        QVERIFY(changes.at(1).at == Boot(15s));
        const std::optional<Instant> begin = day - 24h + 15s; // the object is there since a day before
        QVERIFY(changes.at(1).notBefore == begin);
        QVERIFY(w.last(EventCode::ElectionStopped).notBefore == begin);
        QCOMPARE(changes.at(2).kind, ChangeKind::TakenOver);
        QVERIFY(!changes.at(2).gap && !changes.at(2).notBefore);
        QVERIFY(!w.last(EventCode::ElectionLeader).detail.contains("gap"));
        w.flow(16s);
        w.renew(lease, "pod-c_3", 1s, 15, 5); // and of this one it was seen
        QVERIFY(!changes.at(3).notBefore);
        QVERIFY(changes.at(4).gap == std::optional<Duration>(2s));
    }

    // Nor is it known of one that was renewed at some time while nobody looked, or that was deleted meanwhile.
    void anExpiryWithoutAKnownBegin()
    {
        Locks w;
        KubeObject lease = w.lease("op"), dead = w.lease("dead");
        w.list(Resource::Leases, {lease, dead});
        w.renew(lease);
        w.observe(Resource::Leases, Lost{Locks::error(ErrorKind::Unreachable)});
        w.t += 1h;
        w.hold(lease, "pod-a_1");
        lease.resourceVersion = std::to_string(++w.version);
        w.list(Resource::Leases, {lease, dead});
        const Duration told = w.t;
        w.flow(20s);
        QCOMPARE(w.state("op"), State::Expired);
        const HolderChange expired = w.find("op")->changes.back();
        QCOMPARE(expired.kind, ChangeKind::Expired);
        QVERIFY(expired.at == Boot(told + 15s));
        QVERIFY(expired.notBefore == std::optional(day + 2s + 15s));
        w.renew(lease, "pod-b_2", 1s, 15, 4);
        QCOMPARE(w.find("op")->changes.back().kind, ChangeKind::TakenOver);
        QVERIFY(!w.find("op")->changes.back().gap);
        w.change(dead, EventType::Deleted);
        KubeObject anew = w.lease("dead", "pod-c_3");
        anew.uid = "uid-anew";
        w.t += 1s;
        w.change(anew, EventType::Added);
        QCOMPARE(w.find("dead")->changes.back().from, std::optional<std::string>("pod-a_1"));
        QVERIFY(!w.find("dead")->changes.back().gap);
    }

    void aReleaseIsNoExpiry()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        w.renew(lease);
        w.renew(lease, "", 1s, 1);
        QCOMPARE(w.state("op"), State::Released);
        QVERIFY(!w.find("op")->holder && !w.find("op")->expiresAt); // 12.1 no expiry countdown
        QCOMPARE(w.last(EventCode::ElectionStopped).detail.at("how"), std::string("released"));
        w.flow(60s);
        QCOMPARE(w.state("op"), State::Released);
        QCOMPARE(w.count(EventCode::ElectionStuck), 0);
        w.renew(lease, "pod-b_2", 1s, 15, 4);
        QVERIFY(w.find("op")->changes.back().gap == std::optional<Duration>(61s));
        w.renew(lease, "", 1s, 1, 4);
        w.renew(lease, "pod-b_2", 1s, 15, 5);
        QCOMPARE(w.find("op")->changes.back().kind, ChangeKind::Retaken);
        QCOMPARE(w.count(EventCode::ElectionStopped), 2);
    }

    void lateIsBeyondItsOwnRhythm()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        w.renew(lease);
        QVERIFY(!w.find("op")->rhythm);
        for (int i = 0; i < 5; ++i)
            w.renew(lease);
        QVERIFY(w.find("op")->rhythm == std::optional<Duration>(2s));
        w.advance(7s);
        w.confirm(lease);
        QCOMPARE(w.state("op"), State::Held); // 2 s + 15 s / 3: not more
        w.advance(1s);
        QCOMPARE(w.state("op"), State::Held);                           // our word only
        QCOMPARE(w.store.wantedProbes(w.now()).size(), std::size_t(0)); // just asked
        w.confirm(lease);
        QCOMPARE(w.state("op"), State::Late);
        QCOMPARE(w.count(EventCode::ElectionLate), 1);
        w.confirm(lease);
        QCOMPARE(w.count(EventCode::ElectionLate), 1);
        QCOMPARE(w.last(EventCode::ElectionLate).detail.at("seconds"), std::string("8"));
        w.renew(lease, "pod-a_1", 1s);
        QCOMPARE(w.state("op"), State::Held);
    }

    void aSlowRhythmIsNotLate()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        for (int i = 0; i < 5; ++i)
            w.renew(lease, "pod-a_1", 9s);
        w.advance(13s);
        w.confirm(lease);
        QCOMPARE(w.state("op"), State::Held);
    }

    void ourOwnSilenceIsStale()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        w.renew(lease);
        w.observe(Resource::Leases, Lost{Locks::error(ErrorKind::Unreachable)});
        QCOMPARE(w.state("op"), State::Stale);
        QCOMPARE(w.find("op")->freshness, patroni::Freshness::Stale);
        w.advance(10min);
        QCOMPARE(w.state("op"), State::Stale);
        QVERIFY(w.store.events().empty());
        QVERIFY(w.store.wantedProbes(w.now()).empty());
        w.hold(lease, "pod-a_1"); // renewed meanwhile, who knows when
        lease.resourceVersion = std::to_string(++w.version);
        w.list(Resource::Leases, {lease});
        QCOMPARE(w.state("op"), State::Unverified);
        QVERIFY(!w.find("op")->renewals.back().interval);
        w.renew(lease);
        QCOMPARE(w.state("op"), State::Held);
        QVERIFY(w.store.events().empty());
        QCOMPARE(w.store.sources().size(), std::size_t(1));
        QCOMPARE(w.store.sources().front().freshness, patroni::Freshness::Live);
    }

    void aRelistThatFindsTheSameRecordProvesIt()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        w.renew(lease);
        w.observe(Resource::Leases, Lost{Locks::error(ErrorKind::Unreachable)});
        w.t += 5s;
        w.list(Resource::Leases, {lease});
        QCOMPARE(w.state("op"), State::Held);
        w.observe(Resource::Leases, Lost{Locks::error(ErrorKind::Unreachable)});
        w.t += 60s;
        w.list(Resource::Leases, {lease});
        QCOMPARE(w.state("op"), State::Stuck);
        QCOMPARE(w.count(EventCode::ElectionStuck), 1);
    }

    void aTakeoverInAGapIsToldAsSuch()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        w.renew(lease);
        const Instant before = w.now().wall;
        w.observe(Resource::Leases, Lost{Locks::error(ErrorKind::Unreachable)});
        w.t += 60s;
        w.hold(lease, "pod-b_2", 15, 4);
        lease.resourceVersion = std::to_string(++w.version);
        w.list(Resource::Leases, {lease});
        QCOMPARE(w.count(EventCode::ElectionLeader), 1);
        QCOMPARE(w.count(EventCode::ElectionStopped), 0); // how it was lost happened while we did not look
        QVERIFY(w.last(EventCode::ElectionLeader).notBefore == std::optional(before));
        QVERIFY(!w.find("op")->changes.back().gap);
    }

    void aClockJumpMakesAllUnverified()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        w.renew(lease);
        w.t += 1h;
        w.store.clockJumped("ctx", w.now());
        QCOMPARE(w.state("op"), State::Stale);
        w.renew(lease);
        QCOMPARE(w.state("op"), State::Stale); // until it is listed anew
        w.list(Resource::Leases, {lease});
        QVERIFY(w.state("op") != State::Stale && w.state("op") != State::Expired);
        w.renew(lease);
        QCOMPARE(w.state("op"), State::Held);
        QVERIFY(w.store.events().empty());
    }

    void olderVersionsAreIgnored()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        const KubeObject old = lease;
        w.renew(lease, "pod-b_2", 1s, 15, 4);
        w.observe(Resource::Leases, Changed{EventType::Modified, old});
        QCOMPARE(w.find("op")->holder, std::optional<std::string>("pod-b_2"));
        w.change(lease, EventType::Deleted);
        QVERIFY(!w.find("op"));
        w.observe(Resource::Leases, Changed{EventType::Modified, old});
        QVERIFY(!w.find("op"));
        KubeObject anew = w.lease("op", "pod-c_3");
        w.change(anew, EventType::Added);
        QCOMPARE(w.find("op")->changes.back().from, std::optional<std::string>("pod-b_2"));
        QCOMPARE(w.last(EventCode::ElectionStopped).detail.at("how"), std::string("gone"));
        anew.resourceVersion = "opaque"; // 14 non-numeric resourceVersion: order of arrival
        w.hold(anew, "pod-d_4");
        w.observe(Resource::Leases, Changed{EventType::Modified, anew});
        QCOMPARE(w.find("op")->holder, std::optional<std::string>("pod-d_4"));
    }

    void onlyTheRecordIsCompared()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        for (int i = 0; i < 4; ++i)
            w.renew(lease);
        const auto renewals = w.find("op")->renewals.size();
        w.t += 5s;
        lease.labels["touched"] = "yes";
        w.change(lease);
        QCOMPARE(w.find("op")->renewals.size(), renewals);
        QVERIFY(w.find("op")->expiresAt == Boot(w.t + 10s));
    }

    void aListReplacesWhatItCovers()
    {
        Locks w;
        KubeObject a = w.object(Resource::Endpoints, "a"), b = w.object(Resource::Endpoints, "b");
        w.hold(a, "pod-a_1");
        w.hold(b, "pod-b_1");
        b.labels["cluster-name"] = "x";
        w.list(Resource::Endpoints, {a, b});
        w.observe(Resource::Endpoints, Listed{std::to_string(++w.version), {}, {"cluster-name", {}}});
        QVERIFY(w.find("a")); // not covered is not gone
        QVERIFY(w.find("b")); // gone, or merely without the label
        const auto probes = w.store.wantedProbes(w.now());
        QCOMPARE(probes.size(), std::size_t(1));
        QCOMPARE(probes.front().name, std::string("b"));
        w.observe(Resource::Endpoints, Confirmed{"b", std::nullopt, "db"});
        QVERIFY(!w.find("b"));
        w.list(Resource::Endpoints, {});
        QVERIFY(!w.find("a"));
        QCOMPARE(w.count(EventCode::ElectionStopped), 2);
    }

    void whatIsSeenAsideProvesNothingOfTheWatch()
    {
        Locks w;
        KubeObject a = w.object(Resource::Endpoints, "a"), b = w.object(Resource::Endpoints, "b");
        w.hold(a, "pod-a_1");
        w.observe(Resource::Endpoints, Listed{std::to_string(w.version), {}, {"cluster-name", {}}});
        w.observe(Resource::Endpoints, Listed{std::to_string(w.version), {a}}, "db", true);
        QCOMPARE(w.state("a"), State::Unverified);
        QVERIFY(w.store.events().empty());
        w.flow(60s, Resource::Endpoints);
        QCOMPARE(w.state("a"), State::Unverified); // the watch does not tell of it
        w.hold(a, "pod-b_2", 15, 4);
        a.resourceVersion = std::to_string(++w.version);
        w.observe(Resource::Endpoints, Listed{std::to_string(w.version), {a}}, "db", true);
        QCOMPARE(w.find("a")->holder, std::optional<std::string>("pod-b_2"));
        QVERIFY(w.last(EventCode::ElectionLeader).notBefore);
        w.observe(Resource::Endpoints, Listed{std::to_string(++w.version), {}}, "db", true);
        QVERIFY(!w.find("a"));
    }

    void twoRecordsThatDisagree()
    {
        Locks w;
        KubeObject lease = w.lease("op"), endpoints = w.object(Resource::Endpoints, "op");
        w.hold(endpoints, "pod-a_1");
        w.list(Resource::Leases, {lease});
        w.list(Resource::Endpoints, {endpoints});
        w.renew(endpoints, "pod-b_2", 2s, 15, 4);
        QVERIFY(!w.find("op")->disagrees); // on its way
        w.renew(lease, "pod-b_2", 1s, 15, 4);
        w.advance(10s);
        QVERIFY(!w.find("op")->disagrees);
        QCOMPARE(w.count(EventCode::ElectionDisagreement), 0);
        w.renew(endpoints, "pod-c_3", 1s, 15, 5);
        w.renew(lease, "pod-b_2", 5s, 15, 4);
        QVERIFY(w.find("op")->disagrees);
        QVERIFY(!w.find("op")->holder); // client-go: leaderelection.k8s.io/unknown
        QCOMPARE(w.count(EventCode::ElectionDisagreement), 1);
        QCOMPARE(w.last(EventCode::ElectionDisagreement).detail.at("lease"), std::string("pod-b_2"));
        QCOMPARE(w.last(EventCode::ElectionDisagreement).detail.at("annotation"), std::string("pod-c_3"));
        w.renew(lease, "pod-c_3", 1s, 15, 5);
        QCOMPARE(w.count(EventCode::ElectionAgreement), 1);
        QCOMPARE(w.find("op")->holder, std::optional<std::string>("pod-c_3"));
        w.change(lease, EventType::Deleted);
        QCOMPARE(w.find("op")->kind, Kind::Endpoints);
        QCOMPARE(w.find("op")->holder, std::optional<std::string>("pod-c_3"));
    }

    void theUnknownHolderIsNobody()
    {
        Locks w;
        KubeObject lease = w.lease("op", "leaderelection.k8s.io/unknown");
        w.list(Resource::Leases, {lease});
        w.renew(lease, "leaderelection.k8s.io/unknown");
        QVERIFY(!w.find("op")->holder);
        QCOMPARE(w.state("op"), State::Unverified);
    }

    void probesAreFewAndTheOldestDoubtIsFirst()
    {
        Locks w;
        std::vector<KubeObject> all;
        for (int i = 0; i < 30; ++i)
            all.push_back(w.lease("op-" + std::to_string(i)));
        w.list(Resource::Leases, all);
        for (int i = 29; i >= 0; --i) {
            w.t += 100ms;
            w.hold(all.at(std::size_t(i)), "pod-a_1");
            w.change(all.at(std::size_t(i)));
        }
        w.advance(40s);
        const auto probes = w.store.wantedProbes(w.now());
        QCOMPARE(probes.size(), std::size_t(20));
        QCOMPARE(probes.front().name, std::string("op-29"));
        QCOMPARE(probes.front().resourceVersion, all.at(29).resourceVersion);
        w.confirm(all.at(29));
        QCOMPARE(w.store.wantedProbes(w.now()).front().name, std::string("op-28"));
        w.observe(Resource::Leases, ProbeFailed{"op-28", Locks::error(ErrorKind::Unreachable), "db"});
        QCOMPARE(w.state("op-28"), State::Stale);
        QVERIFY(w.store.wantedProbes(w.now()).empty());
    }

    void electionsThatAreLateTogetherPointAtTheServer()
    {
        Locks w;
        std::vector<KubeObject> all;
        for (int i = 0; i < 4; ++i)
            all.push_back(w.lease("op-" + std::to_string(i)));
        w.list(Resource::Leases, all);
        for (int n = 0; n < 5; ++n) {
            w.t += 2s;
            for (KubeObject &o : all)
                w.renew(o, "pod-a_1", 0s);
        }
        w.advance(9s);
        for (int i = 0; i < 4; ++i)
            w.confirm(all.at(std::size_t(i)));
        QCOMPARE(w.count(EventCode::ManyLate), 1);
        QCOMPARE(w.last(EventCode::ManyLate).detail.at("what"), std::string("elections"));
        for (KubeObject &o : all)
            w.renew(o, "pod-a_1", 0s);
        QCOMPARE(w.count(EventCode::ManyLate), 2);
        QVERIFY(w.last(EventCode::ManyLate).detail.contains("seconds")); // over
        QVERIFY(w.store.lateTogether().empty());
    }

    // A lock for life is never late, and takes none of that name out of the count with it.
    void aLockForLifeOfTheSameNameDoesNotCount()
    {
        Locks w;
        std::vector<KubeObject> all;
        for (int i = 0; i < 4; ++i)
            all.push_back(w.lease("op-" + std::to_string(i)));
        KubeObject pod = w.pod("owner"), life = w.lifeLock("op-0", pod);
        w.list(Resource::Leases, all);
        w.list(Resource::Pods, {pod});
        w.list(Resource::ConfigMaps, {life});
        for (int n = 0; n < 5; ++n) {
            w.t += 2s;
            for (KubeObject &o : all)
                w.renew(o, "pod-a_1", 0s);
        }
        w.advance(9s);
        for (const KubeObject &o : all)
            w.confirm(o);
        QCOMPARE(w.store.lateTogether().front().late, 4);
        w.change(life, EventType::Deleted);
        QVERIFY(!w.life("op-0"));
        QCOMPARE(w.store.lateTogether().front().late, 4);
        QCOMPARE(w.store.lateTogether().front().of, 4);
    }

    // Leases that somebody left behind say nothing of the API server, however many they are.
    void abandonedElectionsDoNotPointAtTheServer()
    {
        Locks w;
        w.store.setServer("ctx", "https://one:6443");
        std::vector<KubeObject> all;
        for (int i = 0; i < 4; ++i)
            all.push_back(w.lease("op-" + std::to_string(i)));
        w.list(Resource::Leases, all);
        for (KubeObject &o : all)
            w.renew(o);
        w.flow(30s);
        QCOMPARE(w.count(EventCode::ManyLate), 1);
        const std::vector<LateLocks::Together> told{{"https://one:6443", {"ctx"}, w.store.lateTogether().front().late, 4}};
        QVERIFY(w.store.lateTogether() == told);
        QCOMPARE(w.last(EventCode::ManyLate).detail.at("server"), std::string("https://one:6443"));
        w.flow(6min);
        KubeObject living = w.lease("living");
        w.change(living, EventType::Added);
        w.renew(living);
        QCOMPARE(w.count(EventCode::ManyLate), 1); // one of five is no end: who knows what the four are
        Locks fresh;                               // the same, found by somebody who comes later
        fresh.version = w.version;
        fresh.list(Resource::Leases, all);
        for (KubeObject &o : all)
            fresh.renew(o, "pod-a_1", 0s);
        fresh.observe(Resource::Leases, Lost{Locks::error(ErrorKind::Unreachable)});
        fresh.t += 10min;
        fresh.list(Resource::Leases, all);
        QCOMPARE(fresh.state("op-0"), State::Stuck);
        QCOMPARE(fresh.count(EventCode::ManyLate), 0);
    }

    void theElectorsOwnEventsAreEvidence()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        w.list(Resource::Events, {});
        w.renew(lease);
        KubeObject event = w.object(Resource::Events, "op.1");
        event.event = EventFacts{"Lease", "op", "uid-op", "LeaderElection", "pod-b_2 became leader", "Normal", "elector", {}, {}, {}};
        w.renew(lease, "pod-b_2", 20s, 15, 4);
        w.change(event, EventType::Added);
        QCOMPARE(w.count(EventCode::ElectionEvidence), 1);
        QCOMPARE(w.last(EventCode::ElectionEvidence).detail.at("message"), std::string("pod-b_2 became leader"));
        QCOMPARE(w.find("op")->changes.back().evidence, std::vector<std::string>{"Event LeaderElection: pod-b_2 became leader"});
        KubeObject other = w.object(Resource::Events, "op.2");
        other.event = EventFacts{"Lease", "op", "uid-op", "Whatever", "x", "Normal", "y", {}, {}, {}};
        w.change(other, EventType::Added);
        QCOMPARE(w.count(EventCode::ElectionEvidence), 1);
    }

    // Since when it is looked at: over renewals, takeovers and another object of that name.
    void watchedSinceIsOfTheElection()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.t += 7s;
        w.list(Resource::Leases, {lease});
        const auto begun = std::optional(w.now().boot);
        for (int i = 0; i < 3; ++i)
            w.renew(lease);
        QVERIFY(w.find("op")->firstSeen != begun); // that is of the record
        QVERIFY(w.find("op")->watchedSince == begun);
        w.renew(lease, "pod-b_2", 20s, 15, 4);
        QVERIFY(w.find("op")->watchedSince == begun);
        w.change(lease, EventType::Deleted);
        KubeObject again = w.lease("op");
        again.uid = "uid-again";
        w.t += 5s;
        w.change(again, EventType::Added);
        QVERIFY(w.find("op")->watchedSince == begun);
        w.store.removeContext("ctx");
        w.list(Resource::Leases, {again});
        QVERIFY(w.find("op")->watchedSince == std::optional(w.now().boot));
    }

    void eventIdsAreTheSameForAllObservers()
    {
        std::vector<std::string> ids[2];
        for (int observer = 0; observer < 2; ++observer) {
            Locks w(observer == 0 ? "ctx" : "other");
            KubeObject lease = w.lease("op");
            w.list(Resource::Leases, {lease});
            for (int i = 0; i < 5; ++i)
                w.renew(lease);
            w.flow(16s);
            if (observer == 0)
                w.confirm(lease); // proven before; the other one sees it by the takeover
            w.renew(lease, "pod-b_2", 1s, 15, 4);
            for (const Event &e : w.store.events()) {
                if (e.type != EventCode::ElectionLate)
                    ids[observer].push_back(detailText(e) + ' ' + e.resourceVersion + ' ' + e.id);
            }
        }
        QCOMPARE(ids[0].size(), std::size_t(2));
        for (std::size_t i = 0; i < 2; ++i)
            QCOMPARE(QByteArray::fromStdString(ids[0].at(i)), QByteArray::fromStdString(ids[1].at(i)));
    }

    void anyOrderOfTheSameVersionsEndsInTheSameView()
    {
        std::uint32_t random = 7;
        std::string expected;
        for (int round = 0; round < 60; ++round) {
            Locks w;
            std::vector<KubeObject> versions;
            std::vector<EventType> types;
            const auto add = [&](KubeObject o, EventType type = EventType::Modified) {
                o.resourceVersion = std::to_string(++w.version);
                versions.push_back(std::move(o));
                types.push_back(type);
            };
            KubeObject lease = w.lease("op"), endpoints = w.object(Resource::Endpoints, "op"), map = w.object(Resource::ConfigMaps, "op");
            KubeObject pod = w.pod("op-0"), gone = w.lease("gone");
            w.hold(endpoints, "pod-a_1");
            for (const char *holder : {"pod-a_1", "", "pod-b_2", "pod-c_3"}) {
                w.hold(lease, holder);
                w.hold(endpoints, holder);
                add(lease);
                add(endpoints);
            }
            map.owners = {{"Pod", "op-0", pod.uid}};
            add(map);
            add(pod);
            pod.deletedAt = day;
            add(pod);
            add(gone);
            add(gone, EventType::Deleted);
            endpoints.annotations.clear();
            add(endpoints);
            for (const Resource r : {Resource::Leases, Resource::Endpoints, Resource::ConfigMaps, Resource::Pods})
                w.observe(r, Listed{"100", {}});
            for (std::size_t i = versions.size(); i > 1 && round > 0; --i) {
                random = random * 1664525U + 1013904223U;
                const std::size_t j = (random >> 8U) % i;
                std::swap(versions[i - 1], versions[j]);
                std::swap(types[i - 1], types[j]);
            }
            for (std::size_t i = 0; i < versions.size(); ++i)
                w.observe(versions[i].resource, Changed{types[i], versions[i]}, "db", i % 5 == 4);
            w.advance(1s);
            std::string view;
            for (const Election *e : w.store.elections()) {
                // A lock that was first seen aside is not verified yet.
                const std::string state(e->key.family == Family::LeaderForLife ? code(e->state) : "");
                view += e->key.name + ' ' + std::string(code(e->kind)) + ' ' + e->holder.value_or("-") + ' ' + state + ' ' + e->raw;
                view += e->pod && e->pod->deleting ? " deleting" : "";
            }
            if (round == 0)
                expected = view;
            QCOMPARE(QByteArray::fromStdString(view), QByteArray::fromStdString(expected));
        }
        QVERIFY(expected.find("pod-c_3") != std::string::npos && expected.find("terminating") != std::string::npos);
    }

    void aContextIsForgotten()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        w.list(Resource::Leases, {lease});
        w.renew(lease);
        QVERIFY(w.store.nextDeadline());
        QVERIFY(w.store.removeContext("ctx").removed.contains(Key{"ctx", "db", "op"}));
        QVERIFY(w.store.elections().empty() && w.store.sources().empty() && !w.store.nextDeadline());
    }

    void patronisLockInTheSameShape()
    {
        patroni::Cluster cluster;
        cluster.names.key = {"ctx", "db", "acme", {}, "acme"};
        cluster.names.leaderName = "acme";
        cluster.lock.state = patroni::LockState::Held;
        cluster.lock.holder = "acme-0";
        patroni::Member member;
        member.record.name = "acme-0";
        member.record.pod.phase = "Running";
        cluster.members.push_back(member);
        QCOMPARE(fromCluster(cluster).state, State::Held);
        cluster.lock.late = true;
        const Election e = fromCluster(cluster);
        QCOMPARE(e.state, State::Late);
        QCOMPARE(e.kind, Kind::Patroni);
        QCOMPARE(e.key, (Key{"ctx", "db", "acme", Family::Patroni}));
        QCOMPARE(e.pod->phase, std::optional<std::string>("Running"));
        cluster.lock = {};
        QCOMPARE(fromCluster(cluster).state, State::Released);
    }
};

QTEST_APPLESS_MAIN(TestElectionStore)
#include "tst_election_store.moc"
