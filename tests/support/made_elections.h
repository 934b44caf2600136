// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Hand-made elections in every state, beside made_clusters.h and on its clock.
#include "models/election/election_store.h"
#include "tests/support/made_clusters.h"

namespace switchyard::made {

inline election::Election lease(const std::string &ns, const std::string &name, const std::string &holder)
{
    using namespace std::chrono_literals;
    using namespace election;
    Election e;
    e.key = {"prod-eu", ns, name, Family::ClientGo};
    e.kind = Kind::Leases;
    e.state = State::Held;
    e.holder = holder;
    e.createdAt = now(-800h).wall;
    e.duration = 15;
    e.acquiredAt = now(-31h).wall;
    e.renewedAt = now(-1s).wall;
    e.transitions = 3;
    e.podsReadable = true;
    e.watchedSince = e.firstSeen = now(-40min).boot;
    e.changedNotBefore = e.changedNotAfter = now(-1s).boot;
    e.expiresAt = now(14s).boot;
    e.rhythm = 2s;
    e.freshness = patroni::Freshness::Live;
    e.lastContact = now(-1s).boot;
    e.raw = "{\n  \"holderIdentity\": \"" + holder + "\"\n}";
    Record record;
    record.resource = Resource::Leases;
    record.holder = holder;
    record.durationSeconds = 15;
    record.transitions = 3;
    record.raw = e.raw;
    e.records = {record};
    for (int i = 60; i > 0; --i)
        e.renewals.push_back({now(-std::chrono::seconds(2 * i - 1)).boot, now(-std::chrono::seconds(2 * i - 1)).wall,
                              std::optional<Duration>(i % 17 == 0 ? 3400ms : 2000ms + std::chrono::milliseconds(i % 5 * 20))});
    HolderChange first;
    first.kind = ChangeKind::FirstSeen;
    first.to = holder;
    first.at = now(-40min).boot;
    first.wall = now(-40min).wall;
    e.changes = {first};
    return e;
}

inline election::Election withPod(election::Election e, const std::string &pod, const std::string &phase = "Running")
{
    election::HolderPod p;
    p.name = pod;
    p.uid = pod + "-uid";
    p.phase = phase;
    p.nodeName = "pg-node-3";
    p.ready = phase == "Running";
    e.pod = p;
    return e;
}

inline election::Election silentFor(election::Election e, election::State state, Duration age)
{
    e.state = state;
    e.changedNotBefore = e.changedNotAfter = now(-age).boot;
    e.expiresAt = *e.changedNotAfter + std::chrono::seconds(e.duration.value_or(15));
    e.renewedAt = now(-age).wall;
    return e;
}

inline election::Election forLife(election::State state, const std::string &name, const std::string &pod)
{
    election::Election e = lease("operators", name, pod);
    e.key.family = election::Family::LeaderForLife;
    e.kind = election::Kind::LeaderForLife;
    e.state = state;
    e.records.clear();
    e.renewals.clear();
    e.duration.reset();
    e.acquiredAt.reset();
    e.renewedAt.reset();
    e.transitions.reset();
    e.rhythm.reset();
    e.expiresAt.reset();
    e.owners = {{"Pod", pod, pod + "-uid"}};
    e.raw = "[\n  {\n    \"kind\": \"Pod\",\n    \"name\": \"" + pod + "\"\n  }\n]";
    return e;
}

inline election::Election disagreeing()
{
    using namespace election;
    Election e = withPod(lease("operators", "scheduler", "scheduler-a_5f1c"), "scheduler-a");
    e.kind = Kind::EndpointsLeases;
    e.disagrees = true;
    Record annotation = e.records.front();
    annotation.resource = Resource::Endpoints;
    annotation.holder = "scheduler-b_77aa";
    e.records.push_back(annotation);
    return e;
}

inline election::Election takenOver()
{
    using namespace std::chrono_literals;
    using namespace election;
    Election e = withPod(lease("payments", "pooler", "pooler-7c9d_2b41"), "pooler-7c9d");
    HolderChange expired, taken;
    expired.kind = ChangeKind::Expired;
    expired.from = "pooler-5aa1_90fe";
    expired.at = now(-10min).boot;
    expired.wall = now(-10min).wall;
    taken.kind = ChangeKind::TakenOver;
    taken.from = expired.from;
    taken.to = e.holder;
    taken.at = now(-590s).boot;
    taken.wall = now(-590s).wall;
    taken.gap = 10s;
    taken.transitions = 4;
    taken.evidence = {"Pod pooler-5aa1: OOMKilled, exit code 137"};
    e.changes.push_back(expired);
    e.changes.push_back(taken);
    e.transitions = 4;
    return e;
}

inline election::Election heartbeat(int node)
{
    election::Election e = lease("kube-node-lease", "pg-node-" + std::to_string(node), "pg-node-" + std::to_string(node));
    e.noise = true;
    e.duration = 40;
    e.acquiredAt.reset();
    e.transitions.reset();
    return e;
}

inline std::vector<election::Election> everyElection()
{
    using namespace std::chrono_literals;
    using election::State;
    std::vector<election::Election> all{
        withPod(lease("kube-system", "kube-scheduler", "cp-1_0b7f2a3c-5d11"), "kube-scheduler-cp-1"),
        lease("kube-system", "kube-controller-manager", "cp-2_94be07aa-2211"),
        takenOver(),
        disagreeing(),
        silentFor(withPod(lease("payments", "backup", "backup-0_11aa"), "backup-0"), State::Late, 8s),
        silentFor(lease("payments", "reindex", "reindex-6b_33cc"), State::Expired, 24s),
        silentFor(withPod(lease("operators", "vault-sync", "vault-sync-1_88"), "vault-sync-1"), State::Stuck, 97s),
        forLife(State::Orphaned, "legacy-operator-lock", "legacy-operator-6f"),
        forLife(State::Recreated, "queue-lock", "queue-0"),
        withPod(forLife(State::Held, "cache-operator-lock", "cache-operator-1"), "cache-operator-1")};
    election::Election released = lease("payments", "migrator", "");
    released.state = State::Released;
    released.holder.reset();
    released.expiresAt.reset();
    all.push_back(released);
    election::Election fresh = lease("payments", "archiver", "archiver-2_7d");
    fresh.state = State::Unverified;
    fresh.firstSeen = now(-4s).boot;
    fresh.changedNotBefore.reset();
    fresh.changedNotAfter.reset();
    fresh.expiresAt.reset();
    fresh.rhythm.reset();
    fresh.renewals.clear();
    all.push_back(fresh);
    election::Election broken = lease("payments", "old-job", "");
    broken.kind = election::Kind::ConfigMaps;
    broken.state = State::Invalid;
    broken.holder.reset();
    broken.duration.reset();
    broken.transitions.reset();
    broken.defects = {{"old-job", "leader", "is no JSON object"}};
    broken.raw = "{\"holderIdentity\": ";
    all.push_back(broken);
    for (int node = 1; node <= 3; ++node)
        all.push_back(heartbeat(node));
    return all;
}

inline std::vector<const election::Election *> pointersTo(const std::vector<election::Election> &all)
{
    std::vector<const election::Election *> pointers;
    for (const election::Election &e : all)
        pointers.push_back(&e);
    return pointers;
}

} // namespace switchyard::made
