// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who led when: the stored timeline history merged with what was seen of the lock.
//
// The history alone knows no lock moves without a new timeline and no causes; our eyes alone know nothing from before we looked.
// One entry of either joins one of the other when the same member took the lock shortly before the new timeline began (both times
// by that member's own clock). What the history no longer tells is kept, and marked.
#include "models/events/history_change.h"
#include "models/patroni/cluster.h"

namespace switchyard {

// One taking of the lock that was seen.
struct SeenTransition
{
    patroni::Transition transition;
    std::optional<Instant> takeTime{}; // by the new leader's clock: acquireTime, or renewTime of the renewal that re-took it
    std::string pendingRequest{};      // id of the request that was pending then and does not explain it
    bool asStandby = false;            // to lead a standby cluster: no timeline begins by that
};

class TransitionLog
{
public:
    explicit TransitionLog(patroni::ClusterKey key = {})
        : m_key(std::move(key))
    {}
    void add(SeenTransition seen);
    // The one with this id, if it was seen; valid until the next add().
    patroni::Transition *find(const std::string &id);
    // Something that says what became of a member (at: our clock): evidence for the loss of its lock, if one is seen then or was.
    void note(const std::string &member, const patroni::Evidence &evidence, Instant at);
    // The history as it was, before it became `change`: what it tells no longer is kept.
    void keep(const std::vector<patroni::HistoryEntry> &before, const std::string &systemId, const HistoryChange &change);
    // requests: what became of those that were pending when the lock was taken.
    std::vector<patroni::Transition> merged(const std::vector<patroni::HistoryEntry> &history, const std::string &systemId = {},
                                            const std::vector<patroni::RequestReport> &requests = {}) const;

private:
    // An entry of the history, or one that was.
    struct Told
    {
        patroni::Transition transition;
        std::optional<Instant> endedAt;
        bool former = false; // of before a new beginning
    };
    struct Note
    {
        std::string member;
        patroni::Evidence evidence;
        Instant at{};
    };
    std::vector<Told> toldBy(const std::vector<patroni::HistoryEntry> &history, const std::string &systemId) const;
    void insertKept(std::vector<Told> &log) const;
    void addNotes(std::vector<patroni::Transition> &log) const;
    std::vector<patroni::Transition> seenWith(const std::vector<patroni::RequestReport> &requests) const;

    patroni::ClusterKey m_key;
    std::vector<SeenTransition> m_seen; // oldest first, bounded
    std::vector<Told> m_kept;           // the same
    std::vector<Note> m_notes;          // the same
};

} // namespace switchyard
