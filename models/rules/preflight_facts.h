// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the parts of the preflight share: the question, and what is asked of it again and again. Not for users of preflight.h.
#include "models/rules/preflight.h"

namespace switchyard::rules {

struct PreflightFacts
{
    PreflightFacts(const patroni::Cluster &cluster, const ActionWish &wish, const LiveAnswers &answers, Now now);

    const patroni::Cluster &cluster;
    const ActionWish &wish;
    const LiveAnswers &answers;
    Now now;
    patroni::DynamicConfig config; // Patroni's defaults where there is none

    bool failover() const { return wish.kind == ActionKind::Failover; }
    const patroni::Member *leader() const;
    const LiveAnswer *answerOf(const std::string &member) const; // nullptr: none, or too old a one
};

// Leader first, then by name, as the cluster has them.
std::vector<MemberVerdict> judgeMembers(const PreflightFacts &facts);
void worstFirst(std::vector<Finding> &findings);

} // namespace switchyard::rules
