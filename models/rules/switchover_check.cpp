// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/fitness.h"

#include <algorithm>

namespace switchyard::rules {

namespace {

using patroni::Cluster;
using patroni::LockState;

class Checker
{
public:
    Checker(const Cluster &cluster, const SwitchoverWish &wish, Now now)
        : m_cluster(cluster)
        , m_wish(wish)
        , m_now(now)
    {
        if (cluster.config)
            m_config = cluster.config->config;
    }

    std::vector<Problem> run()
    {
        checkView();
        checkLeader();
        checkCandidate();
        checkPause();
        checkTime();
        if (m_cluster.failover && (m_cluster.failover->pending() || m_cluster.failover->scheduledAtRaw))
            add(RequestProblem::RequestAlreadyPending, Severity::Warning,
                m_cluster.failover->member.value_or(m_cluster.failover->leader.value_or("")));
        std::stable_sort(m_problems.begin(), m_problems.end(), [](const Problem &a, const Problem &b) { return a.severity > b.severity; });
        return m_problems;
    }

private:
    void add(RequestProblem code, Severity severity, std::string subject = {})
    {
        m_problems.push_back({code, severity, std::move(subject)});
    }
    void checkView();
    void checkLeader();
    void checkCandidate();
    void checkPause();
    void checkTime();
    void checkAnyCandidate(const std::vector<MemberFitness> &members);

    const Cluster &m_cluster;
    const SwitchoverWish &m_wish;
    Now m_now;
    patroni::DynamicConfig m_config;
    std::vector<Problem> m_problems;
};

void Checker::checkView()
{
    if (patroni::writeBar(m_cluster))
        add(RequestProblem::ViewStale, Severity::Blocks);
    // Two kinds of objects: only a record that was seen to move tells which of them Patroni reads.
    if (m_cluster.names.otherModePresent)
        add(RequestProblem::ModeUnclear, m_cluster.lock.state == LockState::Held ? Severity::Warning : Severity::Blocks);
}

void Checker::checkLeader()
{
    if (!m_cluster.leaderName)
        add(RequestProblem::NoLeader, Severity::Blocks);
    else if (m_wish.leader != *m_cluster.leaderName)
        add(RequestProblem::LeaderMismatch, Severity::Blocks, *m_cluster.leaderName);
}

void Checker::checkAnyCandidate(const std::vector<MemberFitness> &members)
{
    const auto fit = std::count_if(members.begin(), members.end(), [](const MemberFitness &member) { return member.fit; });
    // In quorum mode more than `quorum` members must pass, so that one of them has everything that was confirmed.
    const bool quorum = m_config.syncMode == patroni::SyncMode::Quorum && m_cluster.sync && m_cluster.sync->leader;
    if (fit == 0 || (quorum && fit <= m_cluster.sync->quorum.value_or(0)))
        add(RequestProblem::NoFitCandidate, Severity::Blocks);
}

void Checker::checkCandidate()
{
    const auto members = fitness(m_cluster);
    if (!m_wish.candidate) {
        checkAnyCandidate(members);
        return;
    }
    const std::string &candidate = *m_wish.candidate;
    if (candidate == m_wish.leader || candidate == m_cluster.leaderName) {
        add(RequestProblem::SameMember, Severity::Blocks, candidate);
        return;
    }
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const MemberFitness &member) { return member.member == candidate; });
    if (found == members.end())
        add(RequestProblem::UnknownCandidate, Severity::Blocks, candidate);
    else if (!found->fit)
        add(RequestProblem::CandidateUnfit, Severity::Blocks, candidate);
}

void Checker::checkPause()
{
    if (!m_config.paused)
        return;
    if (m_config.standbyCluster)
        add(RequestProblem::StandbyClusterPaused, Severity::Blocks);
    if (m_wish.at)
        add(RequestProblem::PausedSchedule, Severity::Blocks);
    if (!m_wish.candidate)
        add(RequestProblem::PausedNeedsCandidate, Severity::Blocks);
}

void Checker::checkTime()
{
    if (!m_wish.at)
        return;
    const auto ahead = *m_wish.at - m_now.wall;
    const auto loop = std::chrono::seconds(m_config.loopWait);
    if (ahead < Duration::zero()) {
        add(RequestProblem::InThePast, Severity::Blocks);
        if (-ahead > std::chrono::seconds(m_config.loopWait * 3 / 2)) // int(1.5 * loop_wait)
            add(RequestProblem::TooLate, Severity::Blocks);
    } else if (ahead <= loop) {
        add(RequestProblem::TooNear, Severity::Warning);
    }
}

} // namespace

std::string_view code(RequestProblem p)
{
    switch (p) {
    case RequestProblem::ViewStale: return "view-stale";
    case RequestProblem::NoLeader: return "no-leader";
    case RequestProblem::LeaderMismatch: return "leader-mismatch";
    case RequestProblem::SameMember: return "same-member";
    case RequestProblem::UnknownCandidate: return "unknown-candidate";
    case RequestProblem::CandidateUnfit: return "candidate-unfit";
    case RequestProblem::NoFitCandidate: return "no-fit-candidate";
    case RequestProblem::PausedSchedule: return "paused-schedule";
    case RequestProblem::PausedNeedsCandidate: return "paused-needs-candidate";
    case RequestProblem::InThePast: return "in-the-past";
    case RequestProblem::TooNear: return "too-near";
    case RequestProblem::TooLate: return "too-late";
    case RequestProblem::StandbyClusterPaused: return "standby-cluster-paused";
    case RequestProblem::RequestAlreadyPending: return "request-already-pending";
    case RequestProblem::ModeUnclear: return "mode-unclear";
    }
    return "unknown";
}

std::vector<Problem> checkSwitchover(const Cluster &cluster, const SwitchoverWish &wish, Now now)
{
    return Checker(cluster, wish, now).run();
}

} // namespace switchyard::rules
