// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/preflight_facts.h"

#include <algorithm>

namespace switchyard::rules {

using patroni::Cluster;
using patroni::SyncMode;

PreflightFacts::PreflightFacts(const Cluster &c, const ActionWish &w, const LiveAnswers &a, Now n)
    : cluster(c)
    , wish(w)
    , answers(a)
    , now(n)
    , config(c.config ? c.config->config : patroni::DynamicConfig())
{
    const bool four = leaderSince("4.0.0").value_or(true);
    const bool ignored = config.standbyCluster && leaderSince("3.2.0").value_or(true); // patroni/global_config.py is_synchronous_mode
    syncAsked = !ignored && (config.syncMode == SyncMode::On || (config.syncMode == SyncMode::Quorum && four));
    quorum = syncAsked && config.syncMode == SyncMode::Quorum;
    // A quorum that is no number makes 4.x read the whole object as empty (patroni/dcs/__init__.py SyncState.from_node).
    const bool readable = c.sync && (!c.sync->unreadable || !four);
    syncActive = syncAsked && readable && c.sync->leader.has_value();
}

const patroni::Member *PreflightFacts::leader() const
{
    const auto found = std::find_if(cluster.members.begin(), cluster.members.end(),
                                    [&](const patroni::Member &member) { return member.record.name == cluster.leaderName; });
    return found == cluster.members.end() ? nullptr : &*found;
}

std::optional<bool> PreflightFacts::leaderSince(std::string_view release) const
{
    const patroni::Member *member = leader();
    return member ? releaseSince(member->record.version, release) : std::nullopt;
}

const LiveAnswer *PreflightFacts::answerOf(const std::string &member) const
{
    const auto found = answers.find(member);
    if (found == answers.end() || now.boot - found->second.at > liveHolds)
        return nullptr;
    const auto &error = found->second.error;
    const bool notAllowed = error && (error->kind == ErrorKind::Forbidden || error->kind == ErrorKind::Unauthorized);
    return notAllowed ? nullptr : &found->second;
}

std::optional<Duration> PreflightFacts::positionAge() const
{
    const auto &changed = cluster.lock.changedNotAfter;
    return changed ? std::optional(now.boot - *changed) : std::nullopt;
}

std::uint64_t wholeSeconds(Duration d)
{
    return d < Duration::zero() ? 0 : static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(d).count());
}

std::optional<bool> releaseSince(const std::optional<std::string> &version, std::string_view release)
{
    const auto compared = version ? patroni::compareReleases(*version, release) : std::nullopt;
    return compared ? std::optional(*compared >= 0) : std::nullopt;
}

void worstFirst(std::vector<Finding> &findings)
{
    std::stable_sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) { return a.severity > b.severity; });
}

} // namespace switchyard::rules
