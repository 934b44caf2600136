// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/preflight_facts.h"

#include <algorithm>

namespace switchyard::rules {

namespace {

using patroni::Cluster;
using patroni::LockState;

class RequestJudge
{
public:
    RequestJudge(const PreflightFacts &facts, const std::vector<MemberVerdict> &members)
        : m_facts(facts)
        , m_cluster(facts.cluster)
        , m_wish(facts.wish)
        , m_members(members)
    {}

    std::vector<Finding> run()
    {
        checkView();
        checkLeader();
        if (m_wish.candidate)
            checkCandidate(*m_wish.candidate);
        else
            checkAnyCandidate();
        checkPause();
        checkTime();
        checkPending();
        worstFirst(m_findings);
        return std::move(m_findings);
    }

private:
    void add(RuleCode rule, Severity severity, std::string subject = {}, std::optional<std::uint64_t> amount = {})
    {
        m_findings.push_back({rule, severity, std::move(subject), amount});
    }
    void checkView();
    void checkLeader();
    void checkCandidate(const std::string &candidate);
    void checkAnyCandidate();
    void checkPause();
    void checkTime();
    void checkPending();

    const PreflightFacts &m_facts;
    const Cluster &m_cluster;
    const ActionWish &m_wish;
    const std::vector<MemberVerdict> &m_members;
    std::vector<Finding> m_findings;
};

void RequestJudge::checkView()
{
    if (patroni::writeBar(m_cluster))
        add(RuleCode::ViewStale, Severity::Blocks);
    // Two kinds of objects: only a record that was seen to move tells which of them Patroni reads.
    if (m_cluster.names.otherModePresent)
        add(RuleCode::ModeUnclear, m_cluster.lock.state == LockState::Held ? Severity::Warning : Severity::Blocks);
}

void RequestJudge::checkLeader()
{
    if (m_facts.failover())
        return;
    if (!m_cluster.leaderName)
        add(RuleCode::NoLeader, Severity::Blocks);
    if (!m_wish.leader || m_wish.leader->empty())
        add(RuleCode::LeaderNotNamed, Severity::Blocks);
    else if (m_cluster.leaderName && m_wish.leader != *m_cluster.leaderName)
        add(RuleCode::LeaderMismatch, Severity::Blocks, *m_cluster.leaderName);
}

void RequestJudge::checkCandidate(const std::string &candidate)
{
    if (candidate == m_wish.leader || candidate == m_cluster.leaderName) {
        add(RuleCode::SameMember, Severity::Blocks, candidate);
        return;
    }
    const auto found = std::find_if(m_members.begin(), m_members.end(),
                                    [&](const MemberVerdict &member) { return member.member == candidate; });
    if (found == m_members.end())
        add(RuleCode::UnknownCandidate, Severity::Blocks, candidate);
    else if (!found->fit)
        add(RuleCode::CandidateUnfit, Severity::Blocks, candidate);
}

void RequestJudge::checkAnyCandidate()
{
    if (m_facts.failover()) {
        add(RuleCode::CandidateNotNamed, Severity::Blocks);
        return;
    }
    const auto fit = std::count_if(m_members.begin(), m_members.end(), [](const MemberVerdict &member) { return member.fit; });
    // In quorum mode more than `quorum` members must pass, so that one of them has everything that was confirmed.
    const bool quorum = m_facts.config.syncMode == patroni::SyncMode::Quorum && m_cluster.sync && m_cluster.sync->leader;
    const std::int64_t needed = quorum ? m_cluster.sync->quorum.value_or(0) + 1 : 1;
    if (fit == 0)
        add(RuleCode::NoFitCandidate, Severity::Blocks);
    else if (fit < needed)
        add(RuleCode::TooFewForQuorum, Severity::Blocks, {}, static_cast<std::uint64_t>(needed - fit));
}

void RequestJudge::checkPause()
{
    if (!m_facts.config.paused)
        return;
    if (m_facts.config.standbyCluster)
        add(RuleCode::PausedStandbyLeader, Severity::Blocks);
    if (m_wish.at)
        add(RuleCode::PausedSchedule, Severity::Blocks);
    if (!m_wish.candidate)
        add(RuleCode::PausedNeedsCandidate, Severity::Blocks);
}

void RequestJudge::checkTime()
{
    if (!m_wish.at)
        return;
    if (m_facts.failover())
        add(RuleCode::FailoverScheduled, Severity::Blocks);
    const auto ahead = *m_wish.at - m_facts.now.wall;
    const auto loop = std::chrono::seconds(m_facts.config.loopWait);
    if (ahead < Duration::zero()) {
        add(RuleCode::InThePast, Severity::Blocks);
        if (-ahead > std::chrono::seconds(m_facts.config.loopWait * 3 / 2)) // int(1.5 * loop_wait)
            add(RuleCode::TooLate, Severity::Blocks);
    } else if (ahead <= loop) {
        add(RuleCode::TooNear, Severity::Warning);
    }
}

void RequestJudge::checkPending()
{
    const auto &request = m_cluster.failover;
    if (request && (request->pending() || request->scheduledAtRaw))
        add(RuleCode::AlreadyPending, Severity::Warning, request->member.value_or(request->leader.value_or("")));
}

} // namespace

PreflightFacts::PreflightFacts(const Cluster &c, const ActionWish &w, const LiveAnswers &a, Now n)
    : cluster(c)
    , wish(w)
    , answers(a)
    , now(n)
    , config(c.config ? c.config->config : patroni::DynamicConfig())
{}

const patroni::Member *PreflightFacts::leader() const
{
    const auto found = std::find_if(cluster.members.begin(), cluster.members.end(),
                                    [&](const patroni::Member &member) { return member.record.name == cluster.leaderName; });
    return found == cluster.members.end() ? nullptr : &*found;
}

const LiveAnswer *PreflightFacts::answerOf(const std::string &member) const
{
    const auto found = answers.find(member);
    return found == answers.end() || now.boot - found->second.at > liveHolds ? nullptr : &found->second;
}

void worstFirst(std::vector<Finding> &findings)
{
    std::stable_sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) { return a.severity > b.severity; });
}

Preflight preflight(const Cluster &cluster, const ActionWish &wish, const LiveAnswers &answers, Now now)
{
    const PreflightFacts facts(cluster, wish, answers, now);
    Preflight result;
    result.members = judgeMembers(facts);
    result.request = RequestJudge(facts, result.members).run();
    result.fit = result.request.empty() || result.request.front().severity != Severity::Blocks;
    return result;
}

bool anyoneFit(const Cluster &cluster, Boot now)
{
    const ActionWish wish = switchoverWish(cluster.leaderName.value_or(""));
    const LiveAnswers none;
    const auto members = judgeMembers(PreflightFacts(cluster, wish, none, Now{now, {}}));
    return std::any_of(members.begin(), members.end(), [](const MemberVerdict &member) { return member.fit; });
}

} // namespace switchyard::rules
