// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/dossier.h"

#include "models/patroni/config_paths.h"

#include <algorithm>
#include <iterator>

namespace switchyard {

namespace {

using patroni::RequestReport;
using patroni::Transition;
using std::chrono::minutes;
using std::chrono::seconds;

const RequestReport *requestOf(const DossierInput &input)
{
    const auto &all = input.cluster->requests;
    const auto found = std::find_if(all.begin(), all.end(), [&](const RequestReport &r) { return r.id == input.transition->request; });
    return input.transition->request.empty() || found == all.end() ? nullptr : &*found;
}

std::optional<Instant> wall(const std::optional<Instant> &then, const std::optional<Boot> &at, Now now)
{
    return then ? then : at ? std::optional(now.toWall(*at)) : std::nullopt;
}

bool asksForLeader(const DossierAudit &audit)
{
    return audit.action == "switchover" || audit.action == "failover" || audit.action == "demote-cluster"
        || audit.action == "promote-cluster";
}

// The write that made the request: the last one shortly before it was seen.
std::optional<DossierAudit> auditOf(const DossierInput &input, const RequestReport *request)
{
    std::optional<DossierAudit> found;
    const auto seen = request ? wall(request->seenWall, request->seenAt, input.now) : std::nullopt;
    if (!seen)
        return found;
    for (const DossierAudit &one : input.audit) {
        const bool about = one.at && asksForLeader(one) && *one.at <= *seen + seconds(5) && *one.at >= *seen - minutes(2);
        if (about && (!found || *one.at > *found->at))
            found = one;
    }
    if (found) {
        for (std::string *text : {&found->body, &found->summary, &found->preflight})
            *text = patroni::shownValue(*text);
    }
    return found;
}

bool belongs(const Event &event, const patroni::ClusterKey &key, const DossierSpan &span)
{
    const bool ofContext = event.cluster.context == key.context && event.cluster.scope.empty();
    return (event.cluster == key || ofContext) && event.wall >= span.from && event.wall <= span.to;
}

// Between the transition before, when it was over, and the one after: theirs is told in dossiers of their own.
void keepApart(DossierSpan &span, const DossierInput &input)
{
    const auto &all = input.cluster->transitions;
    const auto own = std::find(all.begin(), all.end(), *input.transition);
    if (own == all.end())
        return;
    if (own != all.begin()) {
        for (const auto &at : {std::prev(own)->gainedAt, std::prev(own)->writableAt}) {
            if (at && (!input.transition->lostAt || *at < *input.transition->lostAt))
                span.from = std::max(span.from, *at + std::chrono::milliseconds(1));
        }
    }
    const auto next = std::next(own);
    const auto end = next == all.end() ? std::nullopt : next->lostAt ? next->lostAt : next->gainedAt;
    if (end && (!input.transition->gainedAt || *end > *input.transition->gainedAt))
        span.to = std::min(span.to, *end - std::chrono::milliseconds(1));
}

// Evidence may quote what Pods say of themselves.
void mask(std::vector<patroni::Evidence> &evidence)
{
    for (patroni::Evidence &one : evidence)
        one.detail = patroni::shownValue(one.detail);
}

} // namespace

std::optional<DossierSpan> spanOf(const Transition &t, const RequestReport *request, Now now)
{
    std::vector<Instant> times;
    const auto take = [&](const std::optional<Instant> &at) {
        if (at)
            times.push_back(*at);
    };
    for (const auto &at : {t.lostAt, t.gainedAt, t.notBefore, t.notAfter, t.writableAt, t.streamingAt})
        take(at);
    if (times.empty())
        return std::nullopt;
    // A request that waited for days belongs to it, the days between do not.
    if (request) {
        take(wall(request->releasedWall, request->releasedAt, now));
        take(wall(request->decidedWall, request->decidedAt, now));
    }
    const auto [first, last] = std::minmax_element(times.begin(), times.end());
    return DossierSpan{*first - minutes(2), *last + minutes(1)};
}

Dossier makeDossier(const DossierInput &input)
{
    Dossier dossier;
    if (!input.cluster || !input.transition)
        return dossier;
    const RequestReport *request = requestOf(input);
    dossier.names = input.cluster->names;
    dossier.systemId = input.cluster->systemId;
    dossier.transition = *input.transition;
    mask(dossier.transition.evidence);
    dossier.cause = likelyCause(dossier.transition, request);
    dossier.objects = objectDiffs(input);
    if (request)
        dossier.request = *request;
    dossier.audit = auditOf(input, request);
    dossier.notes = input.notes;
    dossier.madeAt = input.now.wall;
    std::vector<Event> events;
    if (auto span = spanOf(*input.transition, request, input.now)) {
        keepApart(*span, input);
        std::copy_if(input.events.begin(), input.events.end(), std::back_inserter(events),
                     [&](const Event &event) { return belongs(event, input.cluster->names.key, *span); });
    }
    for (Event &event : events) {
        for (auto &[key, value] : event.detail)
            value = patroni::isSecretKey(key) ? "***" : patroni::shownValue(value);
    }
    dossier.sequence = momentsOf(dossier, events, input.now);
    return dossier;
}

} // namespace switchyard
