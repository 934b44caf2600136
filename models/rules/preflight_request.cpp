// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/owner.h"
#include "models/rules/preflight_facts.h"
#include "models/rules/sync_set.h"

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
        checkBusy();
        if (m_facts.failover())
            checkFailover();
        else if (!patroni::writeBar(m_cluster)) // who leads is not judged on what may be old
            checkLeader();
        if (m_wish.candidate)
            checkCandidate(*m_wish.candidate);
        else
            checkAnyCandidate();
        checkPause();
        checkTime();
        checkPending();
        checkSurroundings();
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
    void checkBusy();
    void checkFailover();
    void checkCandidate(const std::string &candidate);
    void checkAnyCandidate();
    void checkPause();
    void checkTime();
    void checkPending();
    void checkSurroundings();

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
    if (m_cluster.lock.late) {
        const auto age = m_facts.positionAge();
        add(RuleCode::LeaderStatusOld, Severity::Warning, m_cluster.leaderName.value_or(""),
            age ? std::optional(wholeSeconds(*age)) : std::nullopt);
    }
}

void RequestJudge::checkLeader()
{
    if (!m_cluster.leaderName)
        add(RuleCode::NoLeader, Severity::Blocks);
    if (!m_wish.leader || m_wish.leader->empty())
        add(RuleCode::LeaderNotNamed, Severity::Blocks);
    else if (m_cluster.leaderName && *m_wish.leader != *m_cluster.leaderName)
        add(RuleCode::LeaderMismatch, Severity::Blocks, *m_cluster.leaderName);
}

// Whoever holds the lock looks at requests once a loop, but not while PostgreSQL restarts, stops or is to be started again: the lock is
// renewed and the request waits. While it starts that depends on who started it. Until a later time this will be over.
void RequestJudge::checkBusy()
{
    const patroni::Member *leader = m_facts.leader();
    if (!leader)
        return;
    const LiveAnswer *answer = m_facts.answerOf(leader->record.name);
    const auto &state = answer && !answer->error && answer->state ? answer->state : leader->record.state;
    if (!state || *state == "running" || *state == "streaming")
        return;
    const bool later = m_wish.at && *m_wish.at - m_facts.now.wall > m_facts.loop(1);
    add(RuleCode::LeaderBusy, later ? Severity::Note : Severity::Warning, *state);
}

void RequestJudge::checkFailover()
{
    const patroni::Member *leader = m_facts.leader();
    if (leader && leader->up && m_cluster.lock.state == LockState::Held && !m_cluster.lock.late)
        add(RuleCode::LeaderHealthy, Severity::Warning, leader->record.name);
    if (m_wish.candidate && m_facts.syncActive && !inSyncSet(m_cluster, *m_wish.candidate)
        && (m_facts.leaderless() || m_facts.leaderSince("3.2.0") != false))
        add(RuleCode::SyncFailover, Severity::Warning, *m_wish.candidate);
}

void RequestJudge::checkCandidate(const std::string &candidate)
{
    if (candidate == m_cluster.leaderName || (!m_facts.failover() && candidate == m_wish.leader)) {
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
    const bool votes = m_facts.quorum && m_facts.syncActive;
    const std::int64_t needed = votes ? m_cluster.sync->quorum.value_or(0) + 1 : 1;
    if (fit == 0)
        add(RuleCode::NoFitCandidate, Severity::Blocks);
    else if (fit < needed)
        add(RuleCode::TooFewForQuorum, Severity::Blocks, {}, static_cast<std::uint64_t>(needed - fit));
}

void RequestJudge::checkPause()
{
    if (!m_facts.config.paused)
        return;
    if (m_facts.config.standbyCluster && !m_facts.leaderless())
        add(RuleCode::PausedStandbyLeader, Severity::Blocks);
    if (m_wish.at)
        add(RuleCode::PausedSchedule, Severity::Blocks);
    if (!m_wish.candidate && !m_facts.failover())
        add(RuleCode::PausedNeedsCandidate, Severity::Blocks);
}

void RequestJudge::checkTime()
{
    if (!m_wish.at)
        return;
    if (m_facts.failover())
        add(RuleCode::FailoverScheduled, Severity::Blocks);
    const auto ahead = *m_wish.at - m_facts.now.wall;
    if (ahead < Duration::zero()) {
        add(RuleCode::InThePast, Severity::Blocks);
        if (-ahead > std::chrono::seconds(m_facts.config.loopWait * 3 / 2)) // int(1.5 * loop_wait)
            add(RuleCode::TooLate, Severity::Blocks);
    } else if (ahead <= m_facts.loop(1)) {
        add(RuleCode::TooNear, Severity::Warning);
    } else {
        add(RuleCode::ScheduleHasEffects, Severity::Note, m_wish.candidate.value_or(""));
    }
}

void RequestJudge::checkPending()
{
    const auto &request = m_cluster.failover;
    if (!request)
        return;
    const std::string whom = request->member.value_or(request->leader.value_or(""));
    const bool filled = request->pending() || request->scheduledAtRaw;
    if (!m_cluster.seenFailover()) { // a write adds the label, and replaces all that it says
        if (filled)
            add(RuleCode::RequestUnseen, Severity::Note, whom);
    } else if (request->schedule == patroni::FailoverRequest::Schedule::Unparsable) {
        add(RuleCode::PendingUnparsable, Severity::Blocks);
    } else if (filled) {
        add(RuleCode::AlreadyPending, Severity::Warning, whom);
    }
}

void RequestJudge::checkSurroundings()
{
    if (m_cluster.names.key.group)
        add(RuleCode::CitusGroup, Severity::Note, std::to_string(*m_cluster.names.key.group));
    const auto owner = patroni::ownership(m_cluster);
    const auto effect = patroni::effectOf(owner.by, patroni::OwnedChange::Switchover);
    if (effect == patroni::OwnerEffect::None)
        return;
    const Severity severity = effect == patroni::OwnerEffect::Unknown ? Severity::Note : Severity::Warning;
    add(RuleCode::OwnerReacts, severity, std::string(code(owner.by)));
}

} // namespace

std::vector<Finding> judgeRequest(const PreflightFacts &facts, const std::vector<MemberVerdict> &members)
{
    return RequestJudge(facts, members).run();
}

} // namespace switchyard::rules
