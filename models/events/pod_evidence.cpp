// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/pod_evidence.h"

#include "models/patroni/mask.h"

#include <algorithm>
#include <array>

namespace switchyard {

using patroni::EvidenceCode;

namespace {

constexpr std::string_view podItself = "Pod"; // source of what its status says

PodNews news(EvidenceCode kind, const std::string &member, std::string detail, const std::optional<Instant> &at)
{
    PodNews result{{kind, member, std::move(detail), at}, {}};
    result.detail["kind"] = std::string(patroni::code(kind));
    result.detail["member"] = member;
    result.detail["source"] = std::string(podItself);
    if (at)
        result.detail["at"] = formatUtc(*at);
    return result;
}

std::string endOf(const ContainerFacts &container)
{
    std::string text = container.terminatedReason.value_or("");
    if (container.exitCode)
        text += (text.empty() ? "" : " ") + std::to_string(*container.exitCode);
    return text;
}

void addEnd(PodNews &to, const ContainerFacts &container)
{
    to.detail["container"] = container.name;
    if (container.terminatedReason)
        to.detail["reason"] = *container.terminatedReason;
    if (container.exitCode)
        to.detail["exit_code"] = std::to_string(*container.exitCode);
}

PodNews terminated(const std::string &member, const ContainerFacts &container)
{
    PodNews result = news(EvidenceCode::ContainerTerminated, member, endOf(container), container.terminatedAt);
    addEnd(result, container);
    return result;
}

PodNews restarted(const std::string &member, const ContainerFacts &container, int before)
{
    const std::string from = std::to_string(before), to = std::to_string(*container.restarts);
    PodNews result = news(EvidenceCode::ContainerRestarted, member, from + ' ' + to, {});
    addEnd(result, container);
    result.detail["from"] = from;
    result.detail["to"] = to;
    return result;
}

PodNews failed(const std::string &member, const std::string &reason, const std::optional<Instant> &at)
{
    PodNews result = news(EvidenceCode::PodFailed, member, reason, at);
    result.detail["reason"] = reason;
    return result;
}

bool sameEnd(const ContainerFacts &a, const ContainerFacts &b)
{
    return a.terminatedAt == b.terminatedAt && a.terminatedReason == b.terminatedReason && a.exitCode == b.exitCode;
}

bool hasEnded(const ContainerFacts &container)
{
    return container.terminatedReason || container.exitCode || container.terminatedAt;
}

void compareContainer(const std::string &member, const ContainerFacts &before, const ContainerFacts &now, std::vector<PodNews> &into)
{
    if (hasEnded(now) && !sameEnd(before, now))
        into.push_back(terminated(member, now));
    if (before.restarts && now.restarts && *now.restarts > *before.restarts)
        into.push_back(restarted(member, now, *before.restarts));
}

const PodCondition *disruption(const PodFacts &facts)
{
    const auto it = std::find_if(facts.conditions.begin(), facts.conditions.end(),
                                 [](const PodCondition &c) { return c.type == "DisruptionTarget" && c.status == "True"; });
    return it == facts.conditions.end() ? nullptr : &*it;
}

const PodCondition *readiness(const PodFacts &facts)
{
    const auto it = std::find_if(facts.conditions.begin(), facts.conditions.end(), [](const PodCondition &c) { return c.type == "Ready"; });
    return it == facts.conditions.end() ? nullptr : &*it;
}

// No longer ready, or nobody knows (a node that is silent: Unknown). A Pod that was never ready has only begun.
std::optional<PodNews> unready(const std::string &member, const PodFacts &before, const PodFacts &now)
{
    const PodCondition *was = readiness(before), *is = readiness(now);
    if (!was || !is || was->status != "True" || is->status == "True")
        return std::nullopt;
    PodNews result = news(EvidenceCode::PodNotReady, member, is->reason.value_or(""), is->since);
    result.detail["status"] = is->status;
    if (is->reason)
        result.detail["reason"] = *is->reason;
    return result;
}

// Evicted, NodeLost, Shutdown ...; a Pod that failed without one, by its phase.
std::optional<std::string> failure(const PodFacts &facts)
{
    if (facts.reason)
        return facts.reason;
    return facts.phase == "Failed" || facts.phase == "Unknown" ? facts.phase : std::nullopt;
}

std::string disruptionReason(const PodCondition &condition)
{
    return condition.reason.value_or(condition.type);
}

} // namespace

std::vector<PodNews> podDifference(const std::string &member, const PodFacts &before, const PodFacts &now)
{
    std::vector<PodNews> result;
    for (const ContainerFacts &container : now.containers) {
        const auto known = std::find_if(before.containers.begin(), before.containers.end(),
                                        [&](const ContainerFacts &c) { return c.name == container.name; });
        compareContainer(member, known == before.containers.end() ? ContainerFacts{} : *known, container, result);
    }
    if (const auto reason = failure(now); reason && reason != failure(before))
        result.push_back(failed(member, *reason, {}));
    if (const PodCondition *condition = disruption(now); condition && !disruption(before))
        result.push_back(failed(member, disruptionReason(*condition), condition->since));
    if (auto news = unready(member, before, now))
        result.push_back(std::move(*news));
    return result;
}

std::vector<PodNews> podPast(const std::string &member, const PodFacts &facts, Instant since)
{
    std::vector<PodNews> result;
    for (const ContainerFacts &container : facts.containers) {
        if (container.terminatedAt && *container.terminatedAt >= since)
            result.push_back(terminated(member, container));
    }
    if (const PodCondition *condition = disruption(facts); condition && condition->since && *condition->since >= since)
        result.push_back(failed(member, disruptionReason(*condition), condition->since));
    return result;
}

namespace {

// Ordinary by their type, and yet the end of a Pod or of its node.
bool countsThoughNormal(const std::string &reason)
{
    static constexpr std::array<std::string_view, 8> known{"Killing",      "Preempted", "Preempting", "TaintManagerEviction",
                                                           "NodeNotReady", "Evicted",   "Rebooted",   "DeletingNode"};
    return std::find(known.begin(), known.end(), reason) != known.end();
}

} // namespace

std::string shortMessage(const std::string &message)
{
    constexpr std::size_t longest = 400;
    std::string text = patroni::maskCredentials(message);
    if (text.size() <= longest)
        return text;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return text.substr(0, end) + "...";
}

std::optional<PodNews> podNews(const KubeObject &event)
{
    if (!event.event || event.event->involvedKind != "Pod" || event.event->involvedName.empty() || event.event->reason.empty())
        return std::nullopt;
    const EventFacts &facts = *event.event;
    if (facts.type != "Warning" && !countsThoughNormal(facts.reason))
        return std::nullopt;
    const std::string message = shortMessage(facts.message);
    PodNews result = news(EvidenceCode::ClusterEvent, facts.involvedName, facts.reason + (message.empty() ? "" : ": " + message),
                          facts.lastAt);
    result.detail["reason"] = facts.reason;
    if (!message.empty())
        result.detail["message"] = message;
    result.detail["source"] = facts.source.empty() ? "Event" : facts.source;
    if (facts.count && *facts.count > 1)
        result.detail["count"] = std::to_string(*facts.count);
    return result;
}

} // namespace switchyard
