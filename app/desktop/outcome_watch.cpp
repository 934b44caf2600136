// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/outcome_watch.h"

#include <algorithm>
#include <utility>

namespace switchyard::desktop {

using actions::WriteCode;
using rules::ActionKind;

namespace {

bool mayBeDone(WriteCode code)
{
    return code == WriteCode::Done || code == WriteCode::Arrived || code == WriteCode::Unknown || code == WriteCode::NotArrived
        || code == WriteCode::StillRunning;
}

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::optional<std::string> valueOf(const actions::RequestKeys &keys, const char *key)
{
    const auto found = keys.find(key);
    return found == keys.end() ? std::nullopt : std::optional(found->second);
}

std::string detailOf(const patroni::RequestReport &report)
{
    std::string detail;
    const auto add = [&](std::string_view name, const std::string &value) {
        detail += (detail.empty() ? "" : " ") + std::string(name) + '=' + value;
    };
    if (report.reason)
        add("reason", std::string(code(*report.reason)));
    if (report.newLeader)
        add("leader", *report.newLeader);
    if (report.newTimeline)
        add("timeline", std::to_string(*report.newTimeline));
    if (!report.certain)
        add("certain", "no");
    return detail;
}

// A call carries no annotations: what Patroni will write of it.
actions::RequestKeys wantedBy(const rules::ActionWish &wish)
{
    actions::RequestKeys keys;
    if (wish.leader && !wish.leader->empty())
        keys["leader"] = *wish.leader;
    if (wish.candidate && !wish.candidate->empty())
        keys["member"] = *wish.candidate;
    return keys;
}

bool isRequest(ActionKind kind)
{
    return kind == ActionKind::Switchover || kind == ActionKind::Failover;
}

} // namespace

void OutcomeWatch::begin(const actions::PlannedWrite &planned, const rules::ActionWish &wish, const patroni::Cluster &cluster, Now now)
{
    Watched watched;
    watched.kind = planned.action;
    watched.sent = now.boot;
    watched.wanted = planned.after.empty() ? wantedBy(wish) : planned.after;
    watched.trace = rules::traceOf(cluster, wish, planned.member);
    if (const auto before = valueOf(planned.before, "config"), after = valueOf(planned.after, "config"); before && after) {
        watched.trace.configBefore = *before;
        watched.trace.configAfter = *after;
    }
    m_flying.emplace(planned.cluster, std::move(watched));
}

void OutcomeWatch::add(const actions::WriteResult &result)
{
    auto flying = std::exchange(m_flying, std::nullopt);
    if (!flying || flying->first != result.planned.cluster || !mayBeDone(result.code) || result.auditId.isEmpty())
        return;
    Watched &watched = flying->second;
    watched.auditId = result.auditId;
    // Whatever else the object has for a version, our write did not make it.
    if (result.code == WriteCode::Done || result.code == WriteCode::Arrived)
        watched.version = watched.trace.version = result.versionAfter;
    watched.trace.answered = result.code == WriteCode::Done;
    if (isRequest(watched.kind) && watched.version)
        m_made.emplace(flying->first, *watched.version);
    m_watched.emplace(flying->first, std::move(watched));
}

// By the version that our write made; where that is not known, by what was asked for, seen since it was sent. Asked for again after a lost
// answer, it is the second one's.
const patroni::RequestReport *OutcomeWatch::reportOf(const patroni::Cluster &cluster, const Watched &watched) const
{
    const auto &key = cluster.names.key;
    if (!watched.version && m_flying && m_flying->first == key && isRequest(m_flying->second.kind))
        return nullptr; // its answer tells which is its own
    const auto ours = [&](const patroni::RequestReport &report) {
        if (watched.version)
            return endsWith(report.id, ':' + *watched.version);
        if (!report.seenAt || *report.seenAt < watched.sent || report.writtenBefore)
            return false;
        if (m_made.contains({key, report.id.substr(report.id.rfind(':') + 1)}))
            return false;
        return watched.wanted.empty()
            || (report.request.leader == valueOf(watched.wanted, "leader") && report.request.member == valueOf(watched.wanted, "member"));
    };
    const auto found = std::find_if(cluster.requests.rbegin(), cluster.requests.rend(), ours);
    return found == cluster.requests.rend() ? nullptr : &*found;
}

std::optional<Outcome> OutcomeWatch::look(Watched &watched, const patroni::Cluster &cluster, Now now) const
{
    std::string code, detail;
    if (isRequest(watched.kind)) {
        const patroni::RequestReport *report = reportOf(cluster, watched);
        if (!report || !isFinal(report->outcome))
            return std::nullopt;
        code = patroni::code(report->outcome);
        detail = detailOf(*report);
    } else {
        rules::observe(watched.trace, cluster, now);
        if (!watched.trace.outcome)
            return std::nullopt;
        code = rules::code(*watched.trace.outcome);
        detail = watched.trace.detail;
    }
    if (code == watched.told)
        return std::nullopt;
    watched.told = code;
    return Outcome{watched.auditId, cluster.names.key, code, detail};
}

std::vector<Outcome> OutcomeWatch::news(const patroni::Cluster &cluster, Now now)
{
    std::vector<Outcome> outcomes;
    const auto &key = cluster.names.key;
    if (m_flying && m_flying->first == key && !isRequest(m_flying->second.kind))
        rules::observe(m_flying->second.trace, cluster, now); // a call may block until it is done
    for (auto it = m_watched.lower_bound(key); it != m_watched.end() && it->first == key;) {
        Watched &watched = it->second;
        if (auto outcome = look(watched, cluster, now))
            outcomes.push_back(*std::move(outcome));
        const bool over = isRequest(watched.kind) ? !watched.told.empty() : rules::isSettled(watched.trace, now);
        it = over ? m_watched.erase(it) : std::next(it);
    }
    return outcomes;
}

} // namespace switchyard::desktop
