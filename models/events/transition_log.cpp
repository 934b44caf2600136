// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/transition_log.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;
using std::chrono::seconds;

namespace {

constexpr std::size_t kept = 500;
constexpr Duration slack = seconds(2);
constexpr Duration longestPromotion = seconds(600);

Instant takeTimeOf(const SeenTransition &seen)
{
    return seen.takeTime.value_or(seen.transition.gainedAt.value_or(Instant{}));
}

// Elements of the history as transitions: its own times, no cause.
std::vector<Transition> fromHistory(const std::vector<HistoryEntry> &history)
{
    std::vector<Transition> log;
    log.reserve(history.size());
    for (std::size_t i = 0; i < history.size(); ++i) {
        Transition t;
        if (i > 0)
            t.from = history[i - 1].newLeader; // the first timeline's leader is not recorded
        t.to = history[i].newLeader;
        t.timeline = i + 1 < history.size() ? history[i + 1].timeline : history[i].timeline + 1;
        t.lsn = history[i].lsn;
        t.gainedAt = history[i].endedAt;
        t.fromHistory = true;
        log.push_back(t);
    }
    return log;
}

void join(Transition &entry, const Transition &seen)
{
    const auto timeline = entry.timeline;
    const auto lsn = entry.lsn;
    const auto endedAt = entry.gainedAt;
    entry = seen;
    if (!entry.gainedAt)
        entry.gainedAt = endedAt; // found only after a gap: the history's own time
    entry.timeline = timeline;
    entry.lsn = lsn;
    entry.fromHistory = entry.fromLive = true;
}

} // namespace

void TransitionLog::add(SeenTransition seen)
{
    seen.transition.fromLive = true;
    m_seen.push_back(std::move(seen));
    if (m_seen.size() > kept)
        m_seen.erase(m_seen.begin());
}

std::vector<Transition> TransitionLog::merged(const std::vector<HistoryEntry> &history) const
{
    std::vector<Transition> log = fromHistory(history);
    std::vector<std::optional<std::size_t>> place(m_seen.size());
    for (std::size_t i = 0; i < log.size(); ++i) {
        const auto ended = history[i].endedAt;
        if (!ended)
            continue;
        // The last taking before the promotion is the one; without a recorded member it has to be close.
        for (std::size_t s = m_seen.size(); s-- > 0;) {
            const Duration after = *ended - takeTimeOf(m_seen[s]);
            if (after < -slack || after > longestPromotion || place[s])
                continue;
            if (history[i].newLeader ? history[i].newLeader == m_seen[s].transition.to : after <= seconds(60)) {
                place[s] = i;
                join(log[i], m_seen[s].transition);
                break;
            }
        }
    }
    // The others in between, by time; entries without one keep their position.
    for (std::size_t s = 0; s < m_seen.size(); ++s) {
        if (place[s])
            continue;
        const Instant at = takeTimeOf(m_seen[s]);
        auto before = log.end();
        while (before != log.begin()) {
            const auto &previous = *std::prev(before);
            if (!previous.gainedAt || *previous.gainedAt <= at)
                break;
            --before;
        }
        log.insert(before, m_seen[s].transition);
    }
    return log;
}

} // namespace switchyard
