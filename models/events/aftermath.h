// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What came of a taking of the lock, from what the Pods say after it: when the new leader ran as a primary, when all replicas followed,
// who was left behind; and what the old leader's status said last. Pods come by another stream than the lock: all goes by the order
// of versions, whichever is told first.
#include "models/events/member_fact.h"
#include "models/patroni/cluster.h"

#include <map>

namespace switchyard {

class Aftermath
{
public:
    // then: the members as of the version of the taking; later: all that is known to have been said since.
    struct Start
    {
        std::string id, version;
        std::optional<std::string> from, to;
        std::optional<Instant> takenAt;
        std::optional<std::int64_t> timelineBefore;
        bool standby = false;     // a standby cluster: nobody becomes a primary, timelines come from elsewhere
        bool newTimeline = false; // one is known to have begun; without, a leader that takes its own lock again goes on as it was
    };
    Aftermath(Start start, const MembersAsOf &then, const std::vector<const MemberFact *> &later);

    const Start &start() const { return m_start; }
    // News of a Pod, in the order of its versions. True: something has changed.
    bool podNews(const MemberFact &fact);
    // Leadership moved on at this version: what is said from then on is of the next leader. then: the members as of that version.
    void end(const std::string &version, const MembersAsOf &then);
    // Nothing more can come of it.
    bool isOver() const { return m_end && m_past; }
    void fill(patroni::Transition &transition) const;

private:
    struct Sight
    {
        std::string version;
        Instant wall{};
    };
    void seeBefore(const MemberFact &fact);
    bool judge(const MemberFact &fact);
    bool allStream() const;
    bool goesOn() const { return m_start.from == m_start.to && !m_start.newTimeline; }
    std::optional<std::int64_t> newTimeline() const;
    std::vector<std::string> behind() const;

    Start m_start;
    bool m_past = false;
    bool m_oldLeaderMissing = false;
    std::map<std::string, MemberFact> m_members;
    std::optional<MemberFact> m_oldLeader; // when the lock was taken
    std::optional<Instant> m_goneAt;       // its Pod
    std::optional<Sight> m_writable, m_streaming;
    std::optional<std::string> m_end;
};

} // namespace switchyard
