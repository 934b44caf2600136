// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/preflight_facts.h"
#include "models/rules/sync_set.h"

namespace switchyard::rules {

namespace {

using patroni::Member;

// What keeps it from running, as far as the objects tell; nullopt: it runs.
std::optional<std::string> notRunning(const Member &member)
{
    const auto &record = member.record;
    if (record.pod.phase && *record.pod.phase != "Running")
        return record.pod.phase;
    if (record.state == "running" || record.state == "streaming")
        return std::nullopt;
    return record.state.value_or("");
}

std::optional<std::uint64_t> behind(std::optional<Lsn> ahead, std::optional<Lsn> position)
{
    if (!ahead || !position)
        return std::nullopt;
    return *ahead > *position ? *ahead - *position : 0;
}

class MemberJudge
{
public:
    MemberJudge(const PreflightFacts &facts, const Member &member)
        : m_facts(facts)
        , m_member(member)
        , m_leads(member.record.name == facts.cluster.leaderName)
        , m_answer(facts.answerOf(member.record.name))
    {
        if (m_answer && !m_answer->error)
            m_live = m_answer;
    }

    MemberVerdict run()
    {
        if (m_leads)
            add(RuleCode::IsLeader, Severity::Blocks);
        checkPod();
        if (m_live)
            checkAnswer();
        else
            checkState();
        checkTags();
        if (!m_leads) {
            checkSync();
            checkLag();
            checkTimeline();
            checkSight();
        }
        MemberVerdict verdict;
        verdict.member = m_member.record.name;
        verdict.asked = m_live != nullptr;
        worstFirst(m_findings);
        verdict.fit = m_findings.empty() || m_findings.front().severity != Severity::Blocks;
        verdict.findings = std::move(m_findings);
        return verdict;
    }

private:
    void add(RuleCode rule, Severity severity, std::optional<std::uint64_t> amount = {}, std::string subject = {})
    {
        m_findings.push_back({rule, severity, std::move(subject), amount});
    }
    // What only a leader asks for before it steps down: a candidate that finds nobody leading does not.
    Severity asLeaderAsks() const { return m_facts.leaderless() ? Severity::Warning : Severity::Blocks; }
    void checkPod();
    void checkState();
    void checkAnswer();
    void checkTags();
    void checkSync();
    void checkLag();
    void checkTimeline();
    void checkSight();
    void checkAge(bool behind);

    const PreflightFacts &m_facts;
    const Member &m_member;
    bool m_leads;
    const LiveAnswer *m_answer;         // perhaps only an error
    const LiveAnswer *m_live = nullptr; // its own word
    std::vector<Finding> m_findings;
};

void MemberJudge::checkPod()
{
    const auto &record = m_member.record;
    if (record.deleting)
        add(RuleCode::Deleting, Severity::Blocks);
    if (!record.reported)
        add(RuleCode::NotReported, Severity::Blocks);
    else if (!record.apiUrl && !m_leads)
        add(RuleCode::NoApiUrl, asLeaderAsks());
}

void MemberJudge::checkState()
{
    if (!m_member.record.reported)
        return;
    if (const auto state = notRunning(m_member))
        add(RuleCode::NotRunning, Severity::Blocks, {}, *state);
    else if (m_member.record.pod.notRunning)
        add(RuleCode::NotRunning, Severity::Warning, {}, *m_member.record.pod.notRunning); // a container; perhaps not PostgreSQL's
}

void MemberJudge::checkAnswer()
{
    const LiveAnswer &live = *m_live;
    if (!live.position) // Patroni counts such an answer as none
        add(RuleCode::LiveNotRunning, Severity::Blocks, {}, live.state.value_or(""));
    else if (live.state != "running")
        add(RuleCode::LiveNotRunning, Severity::Warning, {}, live.state.value_or(""));
    if (live.watchdogFailed == true)
        add(RuleCode::WatchdogFailed, Severity::Blocks);
    if (!live.dcsLastSeen)
        return;
    const Duration cut = m_facts.now.toWall(live.at) - *live.dcsLastSeen;
    if (cut > std::chrono::seconds(m_facts.config.ttl)) // two clocks: a warning
        add(RuleCode::CutOff, Severity::Warning, wholeSeconds(cut));
}

void MemberJudge::checkTags()
{
    const auto &record = m_member.record;
    const bool tagged = record.noFailoverTag || record.tags.contains("nofailover");
    const auto priority = record.tags.find("failover_priority");
    if (tagged) {
        if (record.noFailover())
            add(RuleCode::NoFailoverTag, Severity::Blocks);
        else if (m_live && m_live->noFailover == true)
            add(RuleCode::LiveNoFailover, Severity::Blocks);
        return;
    }
    const auto value = priority == record.tags.end() ? std::nullopt : parseInteger(priority->second);
    if (value && *value <= 0) {
        // The leader judges by its own version, and the member refuses the lock by its own.
        const auto leader = m_facts.leaderSince("3.2.0"), self = releaseSince(record.version, "3.2.0");
        if (leader == true || self == true)
            add(RuleCode::FailoverPriorityZero, Severity::Blocks);
        else if (!self || (!leader && !m_facts.leaderless()))
            add(RuleCode::FailoverPriorityZero, Severity::Warning);
    } else if (m_live && m_live->noFailover == true) {
        add(RuleCode::LiveNoFailover, Severity::Blocks);
    }
}

void MemberJudge::checkSync()
{
    if (!m_facts.syncAsked || (m_facts.automatic && !m_facts.syncActive))
        return;
    if (!m_facts.syncActive) {
        // Up to 3.1 the leader wants a synchronous standby even when nobody is one yet, later only when the mode is in use
        // (Ha.sync_mode_is_active). The REST API wants one all the same (RestApiHandler.is_failover_possible).
        const auto goes = m_facts.leaderSince("3.2.0");
        const bool byRest = m_facts.wish.byRest && !m_facts.failover() && !m_facts.wish.at && !m_facts.quorum;
        if (byRest || (goes != true && !m_facts.leaderless()))
            add(RuleCode::NotSyncStandby, byRest || goes == false ? Severity::Blocks : Severity::Warning);
        return;
    }
    if (inSyncSet(m_facts.cluster, m_member.record.name))
        return;
    Severity severity = Severity::Blocks;
    if (m_facts.failover()) {
        const auto waived = m_facts.leaderSince("3.2.0");
        severity = m_facts.leaderless() || waived != false ? Severity::Warning : Severity::Blocks;
    }
    add(m_facts.quorum ? RuleCode::NotVoter : RuleCode::NotSyncStandby, severity);
}

void MemberJudge::checkLag()
{
    const auto optime = m_facts.cluster.leader ? m_facts.cluster.leader->optime : std::nullopt;
    const auto lag = m_live ? behind(optime, m_live->position) : m_member.lag;
    const auto limit = m_facts.config.maximumLagOnFailover;
    if (!lag) {
        add(RuleCode::LagUnknown, Severity::Warning);
        return;
    }
    if (limit && *lag > *limit)
        add(m_live ? RuleCode::LiveLagOverLimit : RuleCode::LagOverLimit, asLeaderAsks(), lag);
    const auto age = m_facts.positionAge();
    if (!age)
        add(RuleCode::PositionOld, Severity::Note);
    else if (*age > m_facts.loop(2))
        add(RuleCode::PositionOld, Severity::Warning, wholeSeconds(*age));
    if (!m_live)
        checkAge(*lag > 0);
}

// The status is no heartbeat: an idle member's stays as it is. One that is behind should move.
void MemberJudge::checkAge(bool lags)
{
    const auto since = m_member.statusChangedAt ? m_member.statusChangedAt : m_member.statusSeenAt;
    if (!since || m_facts.now.boot - *since <= std::chrono::seconds(m_facts.config.ttl))
        return;
    add(RuleCode::StatusOld, lags ? Severity::Warning : Severity::Note, wholeSeconds(m_facts.now.boot - *since));
}

void MemberJudge::checkTimeline()
{
    const bool checked = m_facts.config.checkTimeline;
    const Severity severity = checked ? asLeaderAsks() : Severity::Warning;
    if (!m_live) {
        if (m_member.oldTimeline)
            add(RuleCode::OldTimeline, severity);
        else if (checked && !m_member.record.timeline && m_facts.cluster.timeline)
            add(RuleCode::OldTimeline, Severity::Warning);
        return;
    }
    const std::int64_t known = m_live->timeline.value_or(0);
    if (m_facts.cluster.timeline && known < *m_facts.cluster.timeline && (known > 0 || checked))
        add(RuleCode::OldTimeline, severity);
}

// What the objects cannot show.
void MemberJudge::checkSight()
{
    if (m_live)
        return;
    // That we may not ask says nothing of the member.
    if (m_answer && m_answer->error && m_answer->error->kind != ErrorKind::Forbidden)
        add(RuleCode::NotReachable, Severity::Warning);
    else
        add(RuleCode::ReachabilityUnknown, Severity::Note);
    add(RuleCode::WatchdogUnknown, Severity::Note);
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

DataLoss lossOf(const PreflightFacts &facts, const std::string &candidate)
{
    DataLoss loss;
    if (facts.cluster.leader)
        loss.leaderAt = facts.cluster.leader->optime;
    for (const Member &member : facts.cluster.members) {
        const LiveAnswer *answer = facts.answerOf(member.record.name);
        const auto live = answer && !answer->error ? answer->position : std::nullopt;
        if (member.record.name == candidate)
            loss.candidateAt = live ? live : member.record.xlogLocation;
        else if (member.record.name == facts.cluster.leaderName && live)
            loss.leaderAt = live;
    }
    loss.bytes = behind(loss.leaderAt, loss.candidateAt);
    loss.synchronous = facts.syncActive && !facts.quorum && inSyncSet(facts.cluster, candidate);
    return loss;
}

} // namespace switchyard::rules
