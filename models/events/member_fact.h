// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a Pod said at one resourceVersion, kept for a while: Pods come by another stream than the cluster's own objects, so what
// they said at a given version must still be known when that version's news arrives, and the other way round.
#include "models/events/moment.h"
#include "models/patroni/records.h"

#include <deque>

namespace switchyard {

struct MemberFact
{
    Moment moment;
    std::string name, uid;
    bool gone = false;
    bool reported = false, noFailover = false, hasApi = false, podRuns = true;
    std::optional<std::string> state, role, release, replication; // release: Patroni's version
    std::optional<Lsn> position;
    std::optional<std::int64_t> timeline;
    // Follows the primary: says so (3.0.4 and later), or runs (before, nothing more is said).
    bool streams() const;
};

MemberFact factOf(const patroni::MemberRecord &record, const Moment &moment);

// What all members of a cluster said as of a version. known: false when the Pods of that moment cannot be known (not listed yet).
struct MembersAsOf
{
    bool known = false;
    std::vector<MemberFact> members; // those that existed
    const MemberFact *find(const std::string &name) const;
};

// The members of a cluster as they were.
class MembersPast
{
public:
    virtual ~MembersPast() = default;
    virtual MembersAsOf asOf(const std::string &version) const = 0;
    virtual MembersAsOf now() const = 0;
    // All that was said after `from` and, when given, not after `to`.
    virtual std::vector<const MemberFact *> between(const std::string &from, const std::optional<std::string> &to) const = 0;
};

// Short history of one Pod, oldest first.
class MemberHistory
{
public:
    void add(MemberFact fact);
    const std::deque<MemberFact> &facts() const { return m_facts; }
    // The fact in force at `version`. nullptr and known = false: before the first thing known of this Pod.
    const MemberFact *at(const std::string &version, bool &known) const;

private:
    std::deque<MemberFact> m_facts;
    bool m_trimmed = false;
};

} // namespace switchyard
