// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/merge.h"

#include <algorithm>

namespace switchyard::archive {

using namespace patroni;

namespace {

template<class T>
void keep(std::optional<T> &now, const std::optional<T> &before)
{
    if (!now)
        now = before;
}

void keep(std::string &now, const std::string &before)
{
    if (now.empty())
        now = before;
}

// A cell and where it comes from go together.
template<class T>
void keep(std::optional<T> &now, Source &source, const std::optional<T> &before, Source beforeSource)
{
    if (now || !before)
        return;
    now = before;
    source = beforeSource;
}

// What was seen says more than what was read later or worked out.
bool saysMore(const Transition &before, const Transition &now)
{
    const auto weight = [](const Transition &t) {
        return t.kind == TransitionKind::Unknown ? 0 : t.kindSource == Source::Live || t.fromLive ? 2 : 1;
    };
    return weight(before) > weight(now);
}

void keepEvidence(Transition &now, const Transition &before)
{
    for (const Evidence &evidence : before.evidence) {
        if (std::find(now.evidence.begin(), now.evidence.end(), evidence) == now.evidence.end())
            now.evidence.push_back(evidence);
    }
}

void takeAnswer(actions::AuditEntry &to, const actions::AuditEntry &from)
{
    to.result = from.result;
    to.answeredAt = from.answeredAt;
    to.httpStatus = from.httpStatus;
    to.versionAfter = from.versionAfter;
    to.detail = from.detail;
}

void takeOutcome(actions::AuditEntry &to, const actions::AuditEntry &from)
{
    to.outcome = from.outcome;
    to.outcomeAt = from.outcomeAt;
    to.outcomeDetail = from.outcomeDetail;
}

} // namespace

Transition merged(const Transition &before, const Transition &now)
{
    Transition all = now;
    if (saysMore(before, now)) {
        all.kind = before.kind;
        all.kindSource = before.kindSource;
    }
    keep(all.from, all.fromSource, before.from, before.fromSource);
    keep(all.to, all.toSource, before.to, before.toSource);
    keep(all.timeline, all.timelineSource, before.timeline, before.timelineSource);
    keep(all.lsn, all.lsnSource, before.lsn, before.lsnSource);
    keep(all.lostAt, all.lostSource, before.lostAt, before.lostSource);
    if (before.fromLive && !now.fromLive && before.gainedAt) { // seen, not the history's rounded time
        all.gainedAt = before.gainedAt;
        all.gainedSource = before.gainedSource;
    } else {
        keep(all.gainedAt, all.gainedSource, before.gainedAt, before.gainedSource);
    }
    keep(all.timelineBefore, before.timelineBefore);
    keep(all.gap, before.gap);
    keep(all.gapUncertainty, before.gapUncertainty);
    keep(all.notBefore, before.notBefore);
    keep(all.notAfter, before.notAfter);
    keep(all.writableAt, before.writableAt);
    keep(all.streamingAt, before.streamingAt);
    keep(all.request, before.request);
    keep(all.erased, before.erased);
    if (!now.fromLive && now.leftBehind.empty())
        all.leftBehind = before.leftBehind;
    all.fromHistory = before.fromHistory || now.fromHistory;
    all.fromLive = before.fromLive || now.fromLive;
    keepEvidence(all, before);
    return all;
}

namespace {

bool same(const Transition &a, const Transition &b)
{
    if (a.id == b.id)
        return true;
    return a.timeline && a.timeline == b.timeline && (!a.lsn || !b.lsn || a.lsn == b.lsn);
}

void markArchived(Transition &t)
{
    const auto mark = [](bool known, Source &source) {
        if (known)
            source = Source::Archive;
    };
    mark(t.from.has_value(), t.fromSource);
    mark(t.to.has_value(), t.toSource);
    mark(t.timeline.has_value(), t.timelineSource);
    mark(t.lsn.has_value(), t.lsnSource);
    mark(t.lostAt.has_value(), t.lostSource);
    mark(t.gainedAt.has_value(), t.gainedSource);
    mark(t.kind != TransitionKind::Unknown, t.kindSource);
}

std::optional<Instant> when(const Transition &t)
{
    return t.gainedAt ? t.gainedAt : t.lostAt ? t.lostAt : t.notAfter;
}

} // namespace

std::vector<Transition> withArchived(const std::vector<Transition> &log, const std::vector<Transition> &archived)
{
    std::vector<Transition> all = log;
    for (Transition old : archived) { // oldest first
        const auto now = std::find_if(all.begin(), all.end(), [&](const Transition &t) { return same(t, old); });
        const bool fromArchive = now == all.end() || now->fromArchive;
        const std::string id = now == all.end() ? old.id : now->id;
        markArchived(old);
        if (now != all.end()) {
            *now = merged(old, *now);
            now->id = id;
            now->fromArchive = fromArchive;
            continue;
        }
        old.fromArchive = true;
        const auto later = std::find_if(all.begin(), all.end(),
                                        [&](const Transition &t) { return when(t) && when(old) && *when(t) > *when(old); });
        all.insert(later, std::move(old));
    }
    return all;
}

RequestReport merged(const RequestReport &before, const RequestReport &now)
{
    if (isFinal(before.outcome) && (!isFinal(now.outcome) || (before.certain && !now.certain)))
        return before;
    RequestReport all = now;
    keep(all.leaderBefore, before.leaderBefore);
    keep(all.newLeader, before.newLeader);
    keep(all.timelineBefore, before.timelineBefore);
    keep(all.newTimeline, before.newTimeline);
    if (before.seenAt && !before.writtenBefore) { // who saw it being written knows when that was
        all.seenAt = before.seenAt;
        all.seenWall = before.seenWall;
        all.writtenBefore = false;
    }
    keep(all.dueAt, before.dueAt);
    keep(all.releasedAt, before.releasedAt);
    keep(all.takenAt, before.takenAt);
    keep(all.promotedAt, before.promotedAt);
    keep(all.decidedAt, before.decidedAt);
    keep(all.releasedWall, before.releasedWall);
    keep(all.decidedWall, before.decidedWall);
    return all;
}

actions::AuditEntry merged(const actions::AuditEntry &before, const actions::AuditEntry &now)
{
    actions::AuditEntry all = now;
    if (!now.hasIntent && before.hasIntent) {
        all = before;
        takeAnswer(all, now);
        takeOutcome(all, now);
    }
    if (all.result.empty())
        takeAnswer(all, before);
    if (all.outcome.empty())
        takeOutcome(all, before);
    return all;
}

HistoryEntry merged(const HistoryEntry &before, const HistoryEntry &now)
{
    HistoryEntry all = now;
    keep(all.reason, before.reason);
    keep(all.endedAt, before.endedAt);
    keep(all.endedAtRaw, before.endedAtRaw);
    keep(all.newLeader, before.newLeader);
    return all;
}

} // namespace switchyard::archive
