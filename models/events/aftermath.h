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
        const patroni::Transition &transition;
        std::string version;
        bool standby = false; // a standby cluster: nobody becomes a primary, timelines come from elsewhere
    };
    Aftermath(const Start &start, const MembersAsOf &then, const std::vector<const MemberFact *> &later);

    const std::string &id() const { return m_id; }
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
    std::optional<std::int64_t> newTimeline() const;
    std::vector<std::string> behind() const;

    std::string m_id, m_version;
    std::optional<std::string> m_from, m_to;
    std::optional<std::int64_t> m_timelineBefore;
    std::optional<Instant> m_takenWall;
    bool m_standby = false, m_past = false;
    bool m_oldLeaderMissing = false;
    std::map<std::string, MemberFact> m_members;
    std::optional<MemberFact> m_oldLeader; // when the lock was taken
    std::optional<Instant> m_goneAt;       // its Pod
    std::optional<Sight> m_writable, m_streaming;
    std::optional<std::string> m_end;
};

} // namespace switchyard
