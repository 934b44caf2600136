// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/late_request.h"

#include "models/rules/preflight.h"

namespace switchyard::rules {

namespace {

// That nobody was fit is also what is guessed when a leader cleared it for none of its other rules.
bool isExplained(const patroni::Cluster &cluster, const patroni::RequestReport &report)
{
    using patroni::Refusal;
    const Refusal reason = report.reason.value_or(Refusal::Unknown);
    if (reason != Refusal::NoHealthyCandidate)
        return reason != Refusal::Unknown;
    ActionWish wish;
    wish.kind = report.kind == patroni::RequestKind::Switchover ? ActionKind::Switchover : ActionKind::Failover;
    wish.leader = report.request.leader;
    wish.candidate = report.request.member;
    return !preflight(cluster, wish, {}, Now{*report.decidedAt, report.decidedWall.value_or(Instant{})}).fit;
}

} // namespace

bool mayStillBeCarriedOut(const patroni::Cluster &cluster, const patroni::RequestReport &report)
{
    const bool last = !cluster.requests.empty() && cluster.requests.back().id == report.id;
    if (report.outcome != patroni::Outcome::Refused || report.invisible || !last || !report.decidedAt)
        return false;
    // Also of an expired lock: who has taken it may not have been seen yet.
    if (!cluster.lock.holder || cluster.lock.holder != report.leaderBefore)
        return false;
    // The third renewal since comes more than two loops later. One that is due soon is cleared while the leader waits for its time.
    const auto loop = std::chrono::seconds(cluster.config ? cluster.config->config.loopWait : 10);
    const auto &renewed = cluster.lock.changedNotAfter;
    return (!renewed || *renewed - *report.decidedAt <= 2 * loop) && !isExplained(cluster, report);
}

} // namespace switchyard::rules
