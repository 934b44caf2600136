// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/preflight_facts.h"

#include <algorithm>

namespace switchyard::rules {

Preflight preflight(const patroni::Cluster &cluster, const ActionWish &wish, const LiveAnswers &answers, Now now)
{
    const PreflightFacts facts(cluster, wish, answers, now);
    Preflight result;
    result.members = judgeMembers(facts);
    result.request = judgeRequest(facts, result.members);
    result.fit = result.request.empty() || result.request.front().severity != Severity::Blocks;
    if (facts.failover() && wish.candidate)
        result.loss = lossOf(facts, *wish.candidate);
    return result;
}

bool anyoneFit(const patroni::Cluster &cluster, Boot now)
{
    const ActionWish wish = switchoverWish(cluster.leaderName.value_or(""));
    const LiveAnswers none;
    PreflightFacts facts(cluster, wish, none, Now{now, {}});
    facts.automatic = true;
    const auto members = judgeMembers(facts);
    return std::any_of(members.begin(), members.end(), [](const MemberVerdict &member) { return member.fit; });
}

} // namespace switchyard::rules
