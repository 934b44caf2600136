// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The fate of the requests in one cluster's failover object, from object changes alone.
//
//   written ─► scheduled ─► due ─► stepping-down ─► leaderless ─► promoted ─► decided
//      │           │         └───────────── cleared, leader unchanged ───────────┘
//      └───────────┴── replaced (superseded), cleared early (cancelled)
//
// A leader that has looked already steps down even when the request is taken away meanwhile: a refusal that no rule explains is taken back
// when the lock is released within two renewals of it, or turns out to have been taken before.
// Final once the request is gone (cleared, deleted, replaced) and, when leadership moved meanwhile, the new leader is known.
// Time alone never makes an outcome final.
#include "models/events/refusal.h"

#include <set>
#include <utility>

namespace switchyard {

// What the tracker needs to know of the rest of the cluster, as of the resourceVersion of the change.
struct RequestScene
{
    std::optional<std::string> holder;     // named by the leader object now
    std::optional<std::string> lastHolder; // the same, or who was named last
    std::optional<std::int64_t> timeline;
    patroni::DynamicConfig config;
    std::optional<patroni::SyncState> sync;
    std::optional<Lsn> optime;
    std::optional<Boot> renewedAt; // the record last changed, exactly
    bool invisible = false;        // the failover object as it is now is not one that Patroni finds
};

class RequestTracker
{
public:
    // The failover object changed (nullopt: it does not exist). Returns true when a request was written, cleared or replaced.
    struct Change
    {
        std::optional<std::size_t> cleared; // index of the report that ended or was emptied
        std::optional<std::size_t> written; // index of the new report
    };
    Change changed(const std::optional<patroni::FailoverRequest> &request, const std::string &uid, const Moment &moment,
                   const RequestScene &scene);
    void renewed(Boot at);
    void released(const Moment &moment);
    // takeTime: by the new leader's own clock. stepDownSeen: a release came before (or a gap may hide it).
    void taken(const std::string &by, const Moment &moment, std::optional<Instant> takeTime, bool stepDownSeen, const RequestScene &scene);
    // The pending request that explains a change of leadership from `from` at this moment; nullptr: none. version: of the leader object
    // that tells of it.
    const patroni::RequestReport *explains(const std::optional<std::string> &from, Instant takeTime, const std::string &version) const;
    // The stored history grew to `timeline`.
    void timelineSeen(std::int64_t timeline, const Moment &moment);
    void configChanged(const patroni::DynamicConfig &config, const Moment &moment);
    // Whether Patroni finds the object, as far as is known now.
    void setSeen(bool seen);
    void advance(const Now &now);
    std::optional<Boot> deadline(Boot now) const;

    // Something new of Pods: revises reasons, steps and who follows the new leaders.
    void membersChanged(const MembersPast &members);

    const std::vector<patroni::RequestReport> &reports() const { return m_reports; }
    bool pending() const { return m_active.has_value(); }
    // Refused, as it looks; the next renewals of the lock tell.
    bool awaitsRenewals(const std::string &id) const { return m_tooLate && m_reports[m_tooLate->index].id == id; }
    bool takeDirty() { return std::exchange(m_dirty, false); }

private:
    struct Active
    {
        bool cleared = false, leaderMoved = false;
        patroni::FailoverRequest request; // as the object has it
        Moment clearedAt;
        std::optional<Instant> firstTake;
        std::optional<Boot> retakenAt; // the leader took its own expired lock again
        std::optional<Boot> lookedAt;  // the leader's first loop since it was due
        std::string version;           // of the write
        ClearedState state;            // filled when cleared
    };
    struct Revisable
    {
        std::size_t index;
        ClearedState state;
    };
    // A request that was cleared for no reason to be seen, and may still be carried out; and what was said of it.
    struct TooLate
    {
        std::size_t index;
        Active active;
        int renewals = 0;
    };
    struct CarriedOut
    {
        std::size_t index;
        ClearedState state;
        patroni::RequestReport refused;
    };
    // Who came to follow a new leader, from its taking of the lock to the next change of leadership.
    struct Following
    {
        std::size_t index;
        std::string from;
        std::optional<std::string> to;
        std::set<std::string> followers;
    };

    patroni::RequestReport &current() { return m_reports.back(); }
    const patroni::RequestReport &current() const { return m_reports.back(); }
    void open(const patroni::FailoverRequest &request, const std::string &uid, const Moment &moment, const RequestScene &scene);
    void clear(const Moment &moment, const RequestScene &scene);
    bool clearedByLeader(const Moment &moment, const RequestScene &scene) const;
    void setInvisible(bool invisible);
    bool isOutage() const;
    bool hadLooked(const Moment &moment) const;
    static bool endedBefore(const Active &active, const std::string &version);
    bool endSeenFirst(const std::string &version) const;
    void reopen(TooLate late);
    bool isOwnRewrite(const patroni::FailoverRequest &next) const;
    void decide(const Moment &moment);
    void decideMoved(const Moment &moment);
    void decideUnmoved(const Moment &moment);
    void finish(patroni::Outcome outcome, const Moment &moment);
    void carryOut(const Moment &moment);
    void reviseCarriedOut(const MembersPast &members);
    void seeSteppingDown(const MembersAsOf &now);
    void seeFollowers(Following &following, const MembersPast &members);
    void endFollowing(const Moment &moment);
    void update(const Now &now);
    patroni::Outcome waiting(const Now &now) const;
    std::optional<Instant> dueWall() const;
    Instant pickUpLimit() const;

    std::vector<patroni::RequestReport> m_reports;
    std::vector<Revisable> m_revisable;
    std::vector<Following> m_following;
    std::vector<CarriedOut> m_carriedOut;
    std::optional<TooLate> m_tooLate;
    std::optional<Active> m_active; // of the last report
    patroni::DynamicConfig m_config;
    std::optional<Instant> m_unpausedAt;
    Now m_now{};
    bool m_dirty = false;
};

} // namespace switchyard
