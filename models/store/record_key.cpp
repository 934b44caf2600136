// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/record_key.h"

namespace switchyard {

namespace {

// A leader for life may have the name of a lock.
std::string_view familyCode(election::Family family)
{
    switch (family) {
    case election::Family::ClientGo: return "client-go";
    case election::Family::LeaderForLife: return "leader-for-life";
    case election::Family::Patroni: return "patroni";
    }
    return {};
}

} // namespace

RecordKey recordKey(const patroni::ClusterKey &cluster)
{
    return {cluster, {}};
}

RecordKey recordKey(const patroni::ClusterKey &of, const patroni::Member &member)
{
    return {of, member.record.name};
}

RecordKey recordKey(const patroni::ClusterKey &of, const patroni::HistoryEntry &entry)
{
    return {of, std::to_string(entry.timeline)};
}

RecordKey recordKey(const patroni::ClusterKey &of, const patroni::RequestReport &report)
{
    return {of, report.id};
}

RecordKey recordKey(const Event &event)
{
    return {event.cluster, event.id};
}

RecordKey recordKey(const election::Key &election)
{
    return {{election.context, election.ns, {}, {}, {}}, std::string(familyCode(election.family)) + '/' + election.name};
}

std::string transitionId(const patroni::Cluster &cluster, std::size_t index)
{
    const std::string &id = cluster.transitions[index].id;
    return id.empty() ? '#' + std::to_string(index) : id;
}

RecordKey transitionKey(const patroni::Cluster &cluster, std::size_t index)
{
    return {cluster.names.key, transitionId(cluster, index)};
}

} // namespace switchyard
