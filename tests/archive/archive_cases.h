// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Records for tests of the archive.
#include "app/archive/records.h"

namespace switchyard::archive {

inline Instant at(std::int64_t seconds)
{
    return Instant(std::chrono::seconds(1'800'000'000 + seconds));
}

inline ClusterId acme(const std::string &context = "prod")
{
    ClusterId id;
    id.server = {"0d6f-uid", "ca:1234@https://k8s:6443"};
    id.context = context;
    id.ns = "db";
    id.scope = "acme";
    id.base = "acme";
    id.incarnation = "7301234567890123456";
    id.mode = patroni::Mode::Endpoints;
    return id;
}

inline EventRecord eventRecord(const std::string &id, std::int64_t seconds, EventCode type = EventCode::LeaderChanged)
{
    EventRecord record{acme(), {}};
    record.event.id = id;
    record.event.type = type;
    record.event.cluster = record.cluster.key();
    record.event.wall = at(seconds);
    record.event.object = "acme";
    record.event.resourceVersion = "17";
    record.event.detail = {{"from", "acme-0"}, {"to", "acme-1"}};
    return record;
}

inline TransitionRecord transitionRecord(const std::string &id, std::int64_t seconds)
{
    TransitionRecord record{acme(), {}};
    patroni::Transition &t = record.transition;
    t.id = id;
    t.kind = patroni::TransitionKind::LockExpired;
    t.kindSource = patroni::Source::Live;
    t.from = "acme-0";
    t.to = "acme-1";
    t.fromSource = t.toSource = t.gainedSource = patroni::Source::Live;
    t.timeline = 5;
    t.timelineBefore = 4;
    t.lsn = 0xFFFFFFFF12345678ULL;
    t.lostAt = at(seconds - 31);
    t.gainedAt = at(seconds);
    t.gap = std::chrono::seconds(31);
    t.fromLive = true;
    t.evidence.push_back({patroni::EvidenceCode::ContainerTerminated, "acme-0", "OOMKilled 137", at(seconds - 40)});
    return record;
}

} // namespace switchyard::archive
