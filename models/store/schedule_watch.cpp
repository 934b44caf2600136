// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/schedule_watch.h"

#include "models/rules/preflight.h"

namespace switchyard {

namespace {

using patroni::Cluster;

bool canJudge(const Cluster &cluster, Now now)
{
    if (patroni::writeBar(cluster) || !cluster.leaderName || !cluster.view.seesAll(Resource::Pods))
        return false;
    const auto loop = std::chrono::seconds(cluster.config ? cluster.config->config.loopWait : 10);
    return !cluster.leaderSince || now.boot - *cluster.leaderSince > loop;
}

// Patroni takes a scheduled failover, too, when somebody writes one.
rules::ActionWish wishOf(const patroni::FailoverRequest &request)
{
    if (request.leader)
        return rules::switchoverWish(*request.leader, request.member, request.scheduledAt);
    return rules::failoverWish(request.member.value_or(""));
}

void addBlocking(std::string &text, const std::vector<rules::Finding> &findings)
{
    for (const rules::Finding &finding : findings) {
        if (finding.severity != rules::Severity::Blocks)
            continue;
        text += (text.empty() ? "" : ",") + std::string(code(finding.rule));
        if (!finding.subject.empty())
            text += ":" + finding.subject;
        if (finding.amount)
            text += "=" + std::to_string(*finding.amount);
    }
}

std::string blocking(const rules::Preflight &judged, const std::optional<std::string> &candidate)
{
    std::string text;
    addBlocking(text, judged.request);
    for (const rules::MemberVerdict &member : judged.members) {
        if (member.member == candidate)
            addBlocking(text, member.findings);
    }
    return text;
}

} // namespace

std::optional<ScheduleNews> ScheduleWatch::judge(const Cluster &cluster, Now now)
{
    const patroni::FailoverRequest *request = cluster.seenFailover();
    if (!request || !request->pending() || !request->scheduledAt || *request->scheduledAt <= now.wall) {
        if (!request || !request->pending())
            *this = {};
        return std::nullopt;
    }
    if (m_request != *request) {
        *this = {};
        m_request = *request;
    }
    if (!canJudge(cluster, now)) {
        m_otherSince.reset();
        return std::nullopt;
    }
    const rules::Preflight judged = rules::preflight(cluster, wishOf(*request), {}, now);
    if (judged.fit == m_possible) {
        m_otherSince.reset();
        return std::nullopt;
    }
    if (!m_otherSince)
        m_otherSince = now.boot;
    const auto loop = std::chrono::seconds(cluster.config ? cluster.config->config.loopWait : 10);
    const bool soon = *request->scheduledAt - now.wall <= 3 * loop;
    if (!soon && now.boot - *m_otherSince < loop * (judged.fit ? 2 : 1))
        return std::nullopt;
    m_otherSince.reset();
    m_possible = judged.fit;
    return ScheduleNews{judged.fit, judged.fit ? std::string() : blocking(judged, request->member), ++m_turn};
}

} // namespace switchyard
