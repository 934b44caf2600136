// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/preflight_facts.h"
#include "models/rules/sync_set.h"

#include <algorithm>

namespace switchyard::rules {

namespace {

using patroni::Member;

bool runs(const Member &member)
{
    const auto &record = member.record;
    const bool podRuns = !record.pod.phase || *record.pod.phase == "Running";
    return podRuns && (record.state == "running" || record.state == "streaming");
}

class MemberJudge
{
public:
    MemberJudge(const PreflightFacts &facts, const Member &member)
        : m_facts(facts)
        , m_member(member)
        , m_leads(member.record.name == facts.cluster.leaderName)
    {}

    MemberVerdict run()
    {
        if (m_leads)
            add(RuleCode::IsLeader, Severity::Blocks);
        checkState();
        if (!m_leads)
            checkPosition();
        add(RuleCode::ReachabilityUnknown, Severity::Note);
        MemberVerdict verdict;
        verdict.member = m_member.record.name;
        worstFirst(m_findings);
        verdict.fit = m_findings.front().severity != Severity::Blocks;
        verdict.findings = std::move(m_findings);
        return verdict;
    }

private:
    void add(RuleCode rule, Severity severity, std::optional<std::uint64_t> amount = {})
    {
        m_findings.push_back({rule, severity, {}, amount});
    }
    void checkState();
    void checkPosition();

    const PreflightFacts &m_facts;
    const Member &m_member;
    bool m_leads;
    std::vector<Finding> m_findings;
};

// What concerns the member's own state.
void MemberJudge::checkState()
{
    const auto &record = m_member.record;
    if (record.deleting)
        add(RuleCode::Deleting, Severity::Blocks);
    if (!record.reported)
        add(RuleCode::NotReported, Severity::Blocks);
    else if (!runs(m_member))
        add(RuleCode::NotRunning, Severity::Blocks);
    else if (record.pod.notRunning)
        add(RuleCode::NotRunning, Severity::Warning); // one of its containers; perhaps not PostgreSQL's
    if (record.noFailover())
        add(RuleCode::NoFailoverTag, Severity::Blocks);
}

// What Patroni compares with the cluster before it lets the leader step down.
void MemberJudge::checkPosition()
{
    if (syncIsActive(m_facts.cluster) && !inSyncSet(m_facts.cluster, m_member.record.name))
        add(RuleCode::NotSyncStandby, Severity::Blocks);
    if (!m_member.lag)
        add(RuleCode::LagUnknown, Severity::Warning);
    else if (m_facts.config.maximumLagOnFailover && *m_member.lag > *m_facts.config.maximumLagOnFailover)
        add(RuleCode::LagOverLimit, Severity::Blocks, m_member.lag);
    if (m_member.oldTimeline)
        add(RuleCode::OldTimeline, m_facts.config.checkTimeline ? Severity::Blocks : Severity::Warning);
}

} // namespace

std::vector<MemberVerdict> judgeMembers(const PreflightFacts &facts)
{
    std::vector<MemberVerdict> verdicts;
    verdicts.reserve(facts.cluster.members.size());
    for (const Member &member : facts.cluster.members)
        verdicts.push_back(MemberJudge(facts, member).run());
    return verdicts;
}

} // namespace switchyard::rules
