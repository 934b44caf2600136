// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/member_fact.h"

#include <algorithm>

namespace switchyard {

MemberFact factOf(const patroni::MemberRecord &record, const Moment &moment)
{
    MemberFact fact;
    fact.moment = moment;
    fact.name = record.name;
    fact.uid = record.uid;
    fact.reported = record.reported;
    fact.noFailover = record.noFailover();
    fact.hasApi = record.apiUrl.has_value();
    fact.podRuns = (!record.pod.phase || *record.pod.phase == "Running") && !record.deleting;
    fact.state = record.state;
    fact.role = record.role;
    fact.release = record.version;
    fact.replication = record.replicationState;
    fact.position = record.xlogLocation;
    if (record.receiveLsn || record.replayLsn)
        fact.position = std::max({fact.position.value_or(0), record.receiveLsn.value_or(0), record.replayLsn.value_or(0)});
    fact.timeline = record.timeline;
    return fact;
}

bool MemberFact::streams() const
{
    if (!reported || !podRuns || !state)
        return false;
    if (replication)
        return *replication == "streaming";
    const auto order = release ? patroni::compareReleases(*release, "3.0.4") : std::nullopt;
    return *state == "streaming" || (*state == "running" && (!order || *order < 0));
}

const MemberFact *MembersAsOf::find(const std::string &name) const
{
    const auto it = std::find_if(members.begin(), members.end(), [&](const MemberFact &f) { return f.name == name; });
    return it == members.end() ? nullptr : &*it;
}

void MemberHistory::add(MemberFact fact)
{
    constexpr std::size_t kept = 64;
    m_facts.push_back(std::move(fact));
    if (m_facts.size() > kept) {
        m_facts.pop_front();
        m_trimmed = true;
    }
}

const MemberFact *MemberHistory::at(const std::string &version, bool &known) const
{
    known = true;
    const MemberFact *best = nullptr;
    for (const MemberFact &fact : m_facts) {
        const auto order = compareVersions(fact.moment.version, version);
        if (!order || *order <= 0)
            best = &fact;
    }
    if (best)
        return best;
    // An object that came into being before our eyes did not exist before; one that was listed may have been anything.
    known = !m_trimmed && !m_facts.empty() && !m_facts.front().moment.first && !m_facts.front().moment.since;
    return nullptr;
}

} // namespace switchyard
