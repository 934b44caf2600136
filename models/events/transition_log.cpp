// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/transition_log.h"

#include "models/events/transition_id.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;
using std::chrono::seconds;

namespace {

constexpr std::size_t kept = 500, keptNotes = 200;
constexpr Duration slack = seconds(2);
constexpr Duration longestPromotion = seconds(600);

Instant takeTimeOf(const SeenTransition &seen)
{
    return seen.takeTime.value_or(seen.transition.gainedAt.value_or(Instant{}));
}

// The entry of the history as a transition: its own times, no cause.
Transition entryOf(const HistoryEntry &entry, const HistoryEntry *before, const HistoryEntry *next)
{
    Transition t;
    if (before && before->newLeader) { // the first timeline's leader is not recorded
        t.from = before->newLeader;
        t.fromSource = Source::Inferred;
    }
    t.to = entry.newLeader;
    t.toSource = t.to ? Source::History : Source::None;
    t.timelineBefore = entry.timeline;
    t.timeline = next ? next->timeline : entry.timeline + 1;
    t.timelineSource = next ? Source::History : Source::Inferred;
    t.lsn = entry.lsn;
    t.lsnSource = Source::History;
    t.gainedAt = entry.endedAt;
    t.gainedSource = t.gainedAt ? Source::History : Source::None;
    if (t.from && t.from == t.to) { // promoted once more, by whatever cause
        t.kind = TransitionKind::ReTaken;
        t.kindSource = Source::Inferred;
    }
    t.fromHistory = true;
    return t;
}

void markKept(Transition &t)
{
    for (Source *source : {&t.fromSource, &t.toSource, &t.timelineSource, &t.lsnSource, &t.gainedSource, &t.kindSource}) {
        if (*source == Source::History)
            *source = Source::Archive;
    }
    t.fromHistory = false;
    t.fromArchive = true;
}

// Led by another one meanwhile, while we did not look: what was seen of the lock tells nothing of this entry but its end.
void forgetCause(Transition &t, const Transition &entry)
{
    t.from = entry.from;
    t.fromSource = entry.fromSource;
    t.kind = TransitionKind::Unknown;
    t.kindSource = Source::None;
    t.lostAt.reset();
    t.lostSource = Source::None;
    t.gap.reset();
    t.gapUncertainty.reset();
    t.request.clear();
    std::erase_if(t.evidence, [](const Evidence &e) { return e.code != EvidenceCode::BlindSpot; });
}

void join(Transition &entry, const Transition &seen)
{
    Transition t = seen;
    if (seen.notBefore && entry.from && entry.from != seen.from)
        forgetCause(t, entry);
    if (!t.gainedAt) { // found only after a gap: the history's own time
        t.gainedAt = entry.gainedAt;
        t.gainedSource = entry.gainedSource;
    }
    t.timeline = entry.timeline;
    t.timelineBefore = entry.timelineBefore;
    t.timelineSource = entry.timelineSource;
    t.lsn = entry.lsn;
    t.lsnSource = entry.lsnSource;
    t.fromHistory = entry.fromHistory;
    t.fromArchive = entry.fromArchive;
    t.fromLive = true;
    entry = std::move(t);
}

} // namespace

void TransitionLog::add(SeenTransition seen)
{
    Transition &t = seen.transition;
    t.fromLive = true;
    if (t.from)
        t.fromSource = Source::Live;
    if (t.to)
        t.toSource = Source::Live;
    if (t.gainedAt)
        t.gainedSource = Source::Live;
    if (t.lostAt && t.lostSource == Source::None)
        t.lostSource = Source::Live;
    m_seen.push_back(std::move(seen));
    if (m_seen.size() > kept)
        m_seen.erase(m_seen.begin());
}

Transition *TransitionLog::find(const std::string &id)
{
    const auto it = std::find_if(m_seen.rbegin(), m_seen.rend(), [&](const SeenTransition &s) { return s.transition.id == id; });
    return it == m_seen.rend() ? nullptr : &it->transition;
}

void TransitionLog::note(const std::string &member, const Evidence &evidence, Instant at)
{
    const bool known = std::any_of(m_notes.begin(), m_notes.end(),
                                   [&](const Note &n) { return n.member == member && n.evidence == evidence; });
    if (known)
        return;
    const auto place = std::upper_bound(m_notes.begin(), m_notes.end(), at, [](Instant t, const Note &n) { return t < n.at; });
    m_notes.insert(place, {member, evidence, at});
    if (m_notes.size() > keptNotes)
        m_notes.erase(m_notes.begin());
}

void TransitionLog::keep(const std::vector<HistoryEntry> &before, const std::string &systemId, const HistoryChange &change)
{
    std::vector<Told> all = toldBy(before, systemId);
    for (const std::size_t i : change.lost) {
        markKept(all[i].transition);
        m_kept.push_back(std::move(all[i]));
    }
    if (change.kind == HistoryChange::Kind::Incarnation || change.kind == HistoryChange::Kind::Reset) {
        for (Told &told : m_kept)
            told.former = true;
    }
    if (m_kept.size() > kept)
        m_kept.erase(m_kept.begin(), m_kept.end() - kept);
}

std::vector<TransitionLog::Told> TransitionLog::toldBy(const std::vector<HistoryEntry> &history, const std::string &systemId) const
{
    std::vector<Told> log;
    log.reserve(history.size());
    for (std::size_t i = 0; i < history.size(); ++i) {
        const HistoryEntry *next = i + 1 < history.size() ? &history[i + 1] : nullptr;
        Told told{entryOf(history[i], i > 0 ? &history[i - 1] : nullptr, next), history[i].endedAt};
        told.transition.id = timelineId(m_key, systemId, history[i].timeline, history[i].lsn);
        log.push_back(std::move(told));
    }
    return log;
}

namespace {

// Still told of, but less is said than was.
bool fillIn(Transition &entry, const Transition &before)
{
    if (entry.id != before.id || entry.fromArchive)
        return false;
    if (!entry.to && before.to) {
        entry.to = before.to;
        entry.toSource = Source::Archive;
    }
    if (!entry.gainedAt && before.gainedAt) {
        entry.gainedAt = before.gainedAt;
        entry.gainedSource = Source::Archive;
    }
    if (!entry.from && before.from) {
        entry.from = before.from;
        entry.fromSource = Source::Archive;
    }
    return true;
}

} // namespace

void TransitionLog::insertKept(std::vector<Told> &log) const
{
    std::size_t formers = 0;
    for (const Told &old : m_kept) {
        const auto first = log.begin() + static_cast<std::ptrdiff_t>(formers);
        const bool told = std::any_of(first, log.end(), [&](Told &t) {
            const bool same = fillIn(t.transition, old.transition);
            if (same && !t.endedAt)
                t.endedAt = old.endedAt;
            return same;
        });
        if (told)
            continue;
        if (old.former) {
            log.insert(first, old);
            ++formers;
            continue;
        }
        const auto place = std::find_if(first, log.end(), [&](const Told &t) {
            return t.transition.timelineBefore > old.transition.timelineBefore
                || (t.transition.timelineBefore == old.transition.timelineBefore && !t.transition.fromArchive);
        });
        log.insert(place, old);
    }
    for (std::size_t i = std::max<std::size_t>(formers, 1); i < log.size() && i > formers; ++i) {
        Transition &t = log[i].transition;
        const Transition &before = log[i - 1].transition;
        if (t.from || !before.to || before.timeline != t.timelineBefore)
            continue;
        t.from = before.to;
        t.fromSource = before.fromArchive ? Source::Archive : Source::Inferred;
    }
}

// What was noted of the old leader belongs to the loss of the lock that is nearest.
void TransitionLog::addNotes(std::vector<Transition> &log) const
{
    constexpr Duration around = std::chrono::minutes(2);
    for (const Note &note : m_notes) {
        Transition *nearest = nullptr;
        Duration least{};
        for (Transition &t : log) {
            const auto gained = t.gainedAt ? t.gainedAt : t.notAfter;
            if (t.from != note.member || !t.fromLive || !gained)
                continue;
            const auto lost = t.lostAt ? t.lostAt : t.notBefore ? t.notBefore : gained;
            if (note.at < *lost - around || note.at > *gained + around)
                continue;
            const Duration away = note.at > *gained ? note.at - *gained : *gained - note.at;
            if (!nearest || away < least) {
                nearest = &t;
                least = away;
            }
        }
        if (nearest)
            nearest->evidence.push_back(note.evidence);
    }
}

std::vector<Transition> TransitionLog::seenWith(const std::vector<RequestReport> &requests) const
{
    std::vector<Transition> seen;
    seen.reserve(m_seen.size());
    for (const SeenTransition &s : m_seen) {
        seen.push_back(s.transition);
        const auto report = std::find_if(requests.begin(), requests.end(), [&](const RequestReport &r) {
            return !s.pendingRequest.empty() && r.id == s.pendingRequest && r.outcome == Outcome::Erased;
        });
        if (report != requests.end())
            seen.back().erased = report->request;
    }
    return seen;
}

std::vector<Transition> TransitionLog::merged(const std::vector<HistoryEntry> &history, const std::string &systemId,
                                              const std::vector<RequestReport> &requests) const
{
    std::vector<Told> told = toldBy(history, systemId);
    insertKept(told);
    const std::vector<Transition> seen = seenWith(requests);
    std::vector<bool> placed(m_seen.size(), false);
    for (Told &entry : told) {
        if (!entry.endedAt)
            continue;
        const auto by = entry.transition.to;
        // The last taking before the promotion is the one; without a recorded member it has to be close.
        for (std::size_t s = m_seen.size(); s-- > 0;) {
            const Duration after = *entry.endedAt - takeTimeOf(m_seen[s]);
            if (after < -slack || after > longestPromotion || placed[s] || m_seen[s].asStandby)
                continue;
            if (by ? by == seen[s].to : after <= seconds(60)) {
                placed[s] = true;
                join(entry.transition, seen[s]);
                break;
            }
        }
    }
    std::vector<Transition> log;
    log.reserve(told.size() + seen.size());
    for (Told &entry : told)
        log.push_back(std::move(entry.transition));
    // The others in between, by time; entries without one keep their position.
    for (std::size_t s = 0; s < m_seen.size(); ++s) {
        if (placed[s])
            continue;
        const Instant at = takeTimeOf(m_seen[s]);
        auto before = log.end();
        while (before != log.begin()) {
            const auto &previous = *std::prev(before);
            if (!previous.gainedAt || *previous.gainedAt <= at)
                break;
            --before;
        }
        log.insert(before, seen[s]);
    }
    addNotes(log);
    return log;
}

} // namespace switchyard
