// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What was seen of one leader record, and what each change of it means.
//
//   held by A ─► renewed ─► ... ─► released ─► taken by B          (a step down, a clean stop)
//   held by A ─► no change for ttl ─► taken by B, or by A again    (the lock expired)
// Only a change of the record's five fields is a renewal.
#include "models/events/moment.h"
#include "models/events/proofs.h"
#include "models/rules/lock_clock.h"

namespace switchyard {

struct LockNews
{
    enum class Kind { None, Renewed, Released, Taken } kind = Kind::None;
    std::optional<std::string> from, to; // holder before (the last one known), holder now
    bool expiredBefore = false;          // the old record had outlived its ttl before this change
    std::optional<Boot> expiredAt;       // and when, if nobody was told yet
    std::optional<Duration> lateFor;     // it was late before this change, and nobody was told yet
    bool wasLate = false;                // somebody was told before that it is late
    std::int64_t ttl = 0;                // that it outlived
    bool afterRelease = false;           // taken: the lock had been free
    bool hidden = false;                 // taken: how it was lost happened while we did not look
    std::optional<Boot> lostAt;          // taken: released, or (expired) last renewal seen
    std::optional<Boot> seenSince;       // taken: the record before was first seen then
    Duration lostSlack{};                // and that may have been so much earlier: the news was under way
    std::optional<Instant> takeTime;     // taken: by the new holder's clock
    std::optional<Instant> renewTime;    // taken: of the record before, by the clock of who held it
    std::optional<Duration> interval;    // renewed: since the renewal before
};

class LockTrail
{
public:
    // next: the leader object as it is now; nullopt: it does not exist.
    LockNews changed(const std::optional<patroni::LeaderRecord> &next, const Moment &moment, const patroni::DynamicConfig &config);
    void confirm(Boot at);
    // A GET found this very record.
    void found(Boot at);
    // A GET found another one that the watch should have told of.
    void missed(Boot at, const patroni::DynamicConfig &config);
    std::optional<Boot> doubtfulSince(const std::optional<Gap> &gap) const { return m_proofs.doubtfulSince(m_seen.firstSeen, gap); }
    void setViewStale(bool stale) { m_seen.viewStale = stale; }
    bool isFollowed(const std::optional<Gap> &hole) const { return Proofs::isFollowed(m_seen.firstSeen, hole); }
    bool isFollowed(const std::optional<Gap> &gap, const std::optional<Gap> &silence) const
    {
        return m_proofs.isFollowed(m_seen.firstSeen, gap, silence);
    }
    std::optional<Boot> underWaySince(const std::optional<Gap> &silence, Boot at, const patroni::DynamicConfig &config) const;
    // The clocks jumped: what was seen to change counts no more.
    void unverify(Boot at);

    const rules::LockObservation &seen() const { return m_seen; }
    std::optional<std::string> holder() const; // named by the record now
    const std::optional<std::string> &lastHolder() const { return m_lastHolder; }
    // True once per episode.
    bool sayLate(const patroni::LockView &view);
    bool sayExpired(const patroni::LockView &view);

private:
    LockNews taken(const std::optional<std::string> &before, const Moment &moment, LockNews news);

    rules::LockObservation m_seen;
    std::optional<std::string> m_lastHolder;
    std::optional<Boot> m_releasedAt;
    Duration m_releaseSlack{};
    Proofs m_proofs;
    bool m_releaseHidden = false, m_lateSaid = false, m_expiredSaid = false;
};

} // namespace switchyard
