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

    // Synchronous mode as the leader's version reads it. Asked for, but not in use: SCOPE-sync names no leader (yet).
    bool syncAsked = false, syncActive = false, quorum = false;
    bool automatic = false; // nobody asks: would a member do if the leader failed?

    bool failover() const { return wish.kind == ActionKind::Failover; }
    // A failover while nobody leads: the named candidate takes the lock by itself, and most checks are not made.
    bool leaderless() const { return failover() && !cluster.leaderName; }
    const patroni::Member *leader() const;
    // Whether the leader's Patroni is that new; nullopt: its version is not known.
    std::optional<bool> leaderSince(std::string_view release) const;
    const LiveAnswer *answerOf(const std::string &member) const; // nullptr: none, too old a one, or the account may not ask
    // Since the leader wrote its position; nullopt: no change seen yet.
    std::optional<Duration> positionAge() const;
    Duration loop(int times) const { return std::chrono::seconds(times * config.loopWait); }
};

std::uint64_t wholeSeconds(Duration d); // never negative
std::optional<bool> releaseSince(const std::optional<std::string> &version, std::string_view release);

// Leader first, then by name, as the cluster has them.
std::vector<MemberVerdict> judgeMembers(const PreflightFacts &facts);
std::vector<Finding> judgeRequest(const PreflightFacts &facts, const std::vector<MemberVerdict> &members);
DataLoss lossOf(const PreflightFacts &facts, const std::string &candidate);
void worstFirst(std::vector<Finding> &findings);

} // namespace switchyard::rules
