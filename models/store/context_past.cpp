// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/context_past.h"

namespace switchyard {

// nullptr: the Pods have not been listed, or only those with known names could be read.
const ContextTable *ContextPast::table() const
{
    const std::string &ns = m_track.cluster().names.key.ns;
    const Stream *pods = m_context.covering(Resource::Pods, ns);
    const auto table = m_context.tables.find(ns);
    return pods && pods->everListed() && !pods->state().named && table != m_context.tables.end() ? &table->second : nullptr;
}

MembersAsOf ContextPast::asOf(const std::string &version) const
{
    MembersAsOf result;
    const ContextTable *table = this->table();
    if (!table)
        return result;
    result.known = true;
    for (const std::string &member : m_track.everMembers()) {
        const MemberHistory *history = table->history(member);
        if (!history)
            continue;
        bool known = true;
        const MemberFact *fact = history->at(version, known);
        result.known = result.known && known;
        if (fact && !fact->gone)
            result.members.push_back(*fact);
    }
    return result;
}

MembersAsOf ContextPast::now() const
{
    MembersAsOf result;
    const ContextTable *table = this->table();
    if (!table)
        return result;
    result.known = true;
    for (const std::string &member : m_track.cluster().names.memberNames) {
        if (const PodState *pod = table->pod(member))
            result.members.push_back(pod->fact);
    }
    return result;
}

std::vector<const MemberFact *> ContextPast::between(const std::string &from, const std::optional<std::string> &to) const
{
    std::vector<const MemberFact *> facts;
    const ContextTable *table = this->table();
    if (!table)
        return facts;
    for (const std::string &member : m_track.everMembers()) {
        const MemberHistory *history = table->history(member);
        if (!history)
            continue;
        for (const MemberFact &fact : history->facts()) {
            const auto after = compareVersions(fact.moment.version, from);
            const auto before = to ? compareVersions(fact.moment.version, *to) : std::nullopt;
            if ((!after || *after > 0) && (!before || *before <= 0))
                facts.push_back(&fact);
        }
    }
    return facts;
}

} // namespace switchyard
