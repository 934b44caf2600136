// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/outcome_watch.h"

#include <algorithm>

namespace switchyard::desktop {

using actions::WriteCode;
using rules::ActionKind;

namespace {

bool mayBeDone(WriteCode code)
{
    return code == WriteCode::Done || code == WriteCode::Arrived || code == WriteCode::Unknown || code == WriteCode::NotArrived
        || code == WriteCode::StillRunning;
}

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::optional<std::string> valueOf(const actions::RequestKeys &keys, const char *key)
{
    const auto found = keys.find(key);
    return found == keys.end() ? std::nullopt : std::optional(found->second);
}

std::string detailOf(const patroni::RequestReport &report)
{
    std::string detail;
    const auto add = [&](std::string_view name, const std::string &value) {
        detail += (detail.empty() ? "" : " ") + std::string(name) + '=' + value;
    };
    if (report.reason)
        add("reason", std::string(code(*report.reason)));
    if (report.newLeader)
        add("leader", *report.newLeader);
    if (report.newTimeline)
        add("timeline", std::to_string(*report.newTimeline));
    if (!report.certain)
        add("certain", "no");
    return detail;
}

} // namespace

void OutcomeWatch::add(const actions::WriteResult &result, Boot sent)
{
    const ActionKind kind = result.planned.action;
    const bool request = kind == ActionKind::Switchover || kind == ActionKind::Failover;
    if (request && mayBeDone(result.code) && !result.auditId.isEmpty())
        m_watched.emplace(result.planned.cluster, Watched{result.auditId, result.planned.after, result.versionAfter, sent});
}

// By the version that our write made; where that is not known, by what was asked for, seen since it was sent.
const patroni::RequestReport *OutcomeWatch::reportOf(const patroni::Cluster &cluster, const Watched &watched)
{
    const auto ours = [&](const patroni::RequestReport &report) {
        if (watched.version)
            return endsWith(report.id, ':' + *watched.version);
        if (!report.seenAt || *report.seenAt < watched.sent || report.writtenBefore)
            return false;
        return watched.wanted.empty()
            || (report.request.leader == valueOf(watched.wanted, "leader") && report.request.member == valueOf(watched.wanted, "member"));
    };
    const auto found = std::find_if(cluster.requests.rbegin(), cluster.requests.rend(), ours);
    return found == cluster.requests.rend() ? nullptr : &*found;
}

std::vector<Outcome> OutcomeWatch::decided(const patroni::Cluster &cluster)
{
    std::vector<Outcome> outcomes;
    const auto &key = cluster.names.key;
    for (auto it = m_watched.lower_bound(key); it != m_watched.end() && it->first == key;) {
        const patroni::RequestReport *report = reportOf(cluster, it->second);
        if (!report || !isFinal(report->outcome)) {
            ++it;
            continue;
        }
        outcomes.push_back({it->second.auditId, key, std::string(code(report->outcome)), detailOf(*report)});
        it = m_watched.erase(it);
    }
    return outcomes;
}

} // namespace switchyard::desktop
