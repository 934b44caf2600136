// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/election/election_clock.h"
#include "models/election/election_store.h"

#include <algorithm>

namespace switchyard::election {

namespace {

State stateOf(const patroni::LockView &lock)
{
    switch (lock.state) {
    case patroni::LockState::Absent:
    case patroni::LockState::Released: return State::Released;
    case patroni::LockState::Held: return lock.late ? State::Late : State::Held;
    case patroni::LockState::Expired: return State::Expired;
    case patroni::LockState::Stale: return State::Stale;
    case patroni::LockState::Unverified: break;
    }
    return State::Unverified;
}

std::optional<HolderPod> podOf(const patroni::Cluster &cluster)
{
    for (const patroni::Member &member : cluster.members) {
        const patroni::MemberRecord &own = member.record;
        if (cluster.lock.holder && own.name == *cluster.lock.holder)
            return HolderPod{own.name, own.uid, own.pod.phase, own.pod.reason, own.pod.nodeName, own.pod.ready, own.deleting, false};
    }
    return {};
}

ChangeKind kindOf(const patroni::Transition &transition)
{
    if (!transition.to)
        return ChangeKind::Gone;
    return transition.from == transition.to ? ChangeKind::Retaken : ChangeKind::TakenOver;
}

} // namespace

Election fromCluster(const patroni::Cluster &cluster)
{
    Election e;
    const patroni::ClusterNames &names = cluster.names;
    const patroni::LockView &lock = cluster.lock;
    e.key = {names.key.context, names.key.ns, names.leaderName, Family::Patroni};
    e.kind = Kind::Patroni;
    e.state = stateOf(lock);
    e.holder = lock.holder;
    e.duration = lock.ttl;
    e.acquiredAt = lock.acquireTime;
    e.renewedAt = lock.renewTime;
    e.transitions = lock.transitions;
    e.pod = podOf(cluster);
    e.podsReadable = cluster.view.seesAll(Resource::Pods);
    e.watchedSince = lock.watchedSince;
    e.firstSeen = lock.firstSeen;
    e.changedNotBefore = lock.changedNotBefore;
    e.changedNotAfter = lock.changedNotAfter;
    e.confirmedAt = lock.confirmedAt;
    e.expiresAt = lock.expiresAt;
    e.freshness = cluster.view.freshness;
    e.lastContact = cluster.view.lastContact;
    if (const auto object = cluster.objects.find("leader"); object != cluster.objects.end())
        e.createdAt = object->second.createdAt;
    for (const patroni::RenewSample &sample : cluster.renewals)
        e.renewals.push_back({sample.at, Instant{}, sample.interval});
    e.rhythm = rhythmOf(e.renewals);
    for (const patroni::Transition &transition : cluster.transitions) {
        if (!transition.fromLive)
            continue;
        HolderChange change;
        change.kind = kindOf(transition);
        change.from = transition.from;
        change.to = transition.to;
        change.wall = transition.gainedAt ? *transition.gainedAt : transition.lostAt.value_or(Instant{});
        change.notBefore = transition.notBefore;
        change.gap = transition.gap;
        e.changes.push_back(std::move(change));
    }
    return e;
}

} // namespace switchyard::election
