// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/codec.h"

#include "app/archive/codec_fields.h"

namespace switchyard::archive {

using namespace patroni;

namespace {

// How many values the words have: the last one of each + 1
constexpr int transitionKinds = static_cast<int>(TransitionKind::Unknown) + 1;
constexpr int sources = static_cast<int>(Source::Inferred) + 1;
constexpr int evidenceCodes = static_cast<int>(EvidenceCode::NotPermitted) + 1;
constexpr int outcomes = static_cast<int>(Outcome::Refused) + 1;
constexpr int refusals = static_cast<int>(Refusal::Unknown) + 1;
constexpr int steps = static_cast<int>(RequestStep::Decided) + 1;
constexpr int requestKinds = static_cast<int>(RequestKind::Failover) + 1;

std::string text(const Json &object)
{
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// ---- one function a type, for both directions -----------------------------------------------------------------------------------

template<class F, class V>
void evidenceFields(F &f, V &v)
{
    f.word("code", v.code, evidenceCodes);
    f.field("subject", v.subject);
    f.field("detail", v.detail);
    f.field("at", v.at);
}

template<class F, class V>
void askedFields(F &f, V &v)
{
    f.field("leader", v.leader);
    f.field("member", v.member);
    f.field("scheduled_at_raw", v.scheduledAtRaw);
    f.field("scheduled_at", v.scheduledAt);
    f.field("offset_s", v.offsetSeconds);
}

template<class F, class V>
void transitionFields(F &f, V &v)
{
    f.field("id", v.id);
    f.word("kind", v.kind, transitionKinds);
    f.field("from", v.from);
    f.field("to", v.to);
    f.field("timeline", v.timeline);
    f.field("timeline_before", v.timelineBefore);
    f.field("lsn", v.lsn);
    f.field("lost_at", v.lostAt);
    f.field("gained_at", v.gainedAt);
    f.field("gap_us", v.gap);
    f.field("gap_uncertainty_us", v.gapUncertainty);
    f.field("not_before", v.notBefore);
    f.field("not_after", v.notAfter);
    f.field("writable_at", v.writableAt);
    f.field("streaming_at", v.streamingAt);
    f.field("left_behind", v.leftBehind);
    f.field("request", v.request);
    f.field("from_history", v.fromHistory);
    f.field("from_live", v.fromLive);
    f.word("from_source", v.fromSource, sources);
    f.word("to_source", v.toSource, sources);
    f.word("timeline_source", v.timelineSource, sources);
    f.word("lsn_source", v.lsnSource, sources);
    f.word("lost_source", v.lostSource, sources);
    f.word("gained_source", v.gainedSource, sources);
    f.word("kind_source", v.kindSource, sources);
}

template<class F, class V>
void requestFields(F &f, V &v)
{
    f.field("id", v.id);
    f.word("kind", v.kind, requestKinds);
    f.word("outcome", v.outcome, outcomes);
    f.word("reason", v.reason, refusals);
    f.field("certain", v.certain);
    f.field("invisible", v.invisible);
    f.word("step", v.step, steps);
    f.field("leader_before", v.leaderBefore);
    f.field("new_leader", v.newLeader);
    f.field("timeline_before", v.timelineBefore);
    f.field("new_timeline", v.newTimeline);
    f.field("seen_at", v.seenAt);
    f.field("due_at", v.dueAt);
    f.field("released_at", v.releasedAt);
    f.field("taken_at", v.takenAt);
    f.field("promoted_at", v.promotedAt);
    f.field("decided_at", v.decidedAt);
    f.field("written_before", v.writtenBefore);
    f.field("seen_wall", v.seenWall);
    f.field("released_wall", v.releasedWall);
    f.field("decided_wall", v.decidedWall);
    f.field("streaming", v.streaming);
    f.field("replicas", v.replicas);
}

template<class F, class V>
void auditFields(F &f, V &v)
{
    f.field("id", v.id);
    f.field("at", v.at);
    f.field("intent", v.hasIntent);
    f.field("os_user", v.osUser);
    f.field("context", v.context);
    f.field("namespace", v.ns);
    f.field("scope", v.scope);
    f.field("group", v.group);
    f.field("server", v.server);
    f.field("user", v.user);
    f.field("as", v.asUser);
    f.field("action", v.action);
    f.field("verb", v.verb);
    f.field("resource", v.resource);
    f.field("name", v.name);
    f.field("path", v.path);
    f.field("member", v.member);
    f.field("version_before", v.versionBefore);
    f.field("summary", v.summary);
    f.field("preflight", v.preflight);
    f.field("dry_run", v.dryRun);
    f.field("body", v.body);
    f.field("result", v.result);
    f.field("answered_at", v.answeredAt);
    f.field("http_status", v.httpStatus);
    f.field("version_after", v.versionAfter);
    f.field("detail", v.detail);
    f.field("outcome", v.outcome);
    f.field("outcome_at", v.outcomeAt);
    f.field("outcome_detail", v.outcomeDetail);
}

template<class F, class V>
void timelineFields(F &f, V &v)
{
    f.field("timeline", v.timeline);
    f.field("lsn", v.lsn);
    f.field("reason", v.reason);
    f.field("ended_at", v.endedAt);
    f.field("ended_at_raw", v.endedAtRaw);
    f.field("new_leader", v.newLeader);
}

FailoverRequest readAsked(const Json *object)
{
    using Schedule = FailoverRequest::Schedule;
    FailoverRequest asked;
    FieldReader reader{object};
    askedFields(reader, asked);
    if (asked.scheduledAt)
        asked.schedule = Schedule::Valid;
    else if (asked.scheduledAtRaw)
        asked.schedule = parseInstant(*asked.scheduledAtRaw) ? Schedule::NoOffset : Schedule::Unparsable;
    return asked;
}

Json writeAsked(const FailoverRequest &asked)
{
    FieldWriter writer;
    askedFields(writer, asked);
    return std::move(writer.object);
}

} // namespace

std::string encode(const Transition &transition)
{
    FieldWriter writer;
    transitionFields(writer, transition);
    if (transition.erased)
        writer.object["erased"] = writeAsked(*transition.erased);
    for (const Evidence &evidence : transition.evidence) {
        FieldWriter item;
        evidenceFields(item, evidence);
        writer.object["evidence"].push_back(std::move(item.object));
    }
    return text(writer.object);
}

Transition decodeTransition(const std::string &encoded)
{
    Transition transition;
    const auto parsed = json::parse(encoded);
    if (!parsed)
        return transition;
    FieldReader reader{&*parsed};
    transitionFields(reader, transition);
    if (const Json *erased = json::findObject(&*parsed, "erased"))
        transition.erased = readAsked(erased);
    if (const Json *all = json::findArray(&*parsed, "evidence")) {
        for (const Json &item : *all) {
            if (!enumFromCode<EvidenceCode>(json::text(json::find(&item, "code")).value_or(std::string()), evidenceCodes))
                continue; // of a later version
            FieldReader fields{&item};
            evidenceFields(fields, transition.evidence.emplace_back());
        }
    }
    return transition;
}

std::string encode(const RequestReport &request, Now now)
{
    RequestReport told = request;
    for (std::optional<Boot> *at : {&told.seenAt, &told.dueAt, &told.releasedAt, &told.takenAt, &told.promotedAt, &told.decidedAt}) {
        if (*at)
            *at = Boot(now.toWall(**at).time_since_epoch());
    }
    FieldWriter writer;
    requestFields(writer, told);
    writer.object["asked"] = writeAsked(told.request);
    return text(writer.object);
}

RequestReport decodeRequest(const std::string &encoded)
{
    RequestReport request;
    const auto parsed = json::parse(encoded);
    if (!parsed)
        return request;
    FieldReader reader{&*parsed};
    requestFields(reader, request);
    request.request = readAsked(json::findObject(&*parsed, "asked"));
    return request;
}

std::string encode(const actions::AuditEntry &entry)
{
    FieldWriter writer;
    auditFields(writer, entry);
    return text(writer.object);
}

actions::AuditEntry decodeAudit(const std::string &encoded)
{
    actions::AuditEntry entry;
    const auto parsed = json::parse(encoded);
    FieldReader reader{parsed ? &*parsed : nullptr};
    auditFields(reader, entry);
    return entry;
}

std::string encode(const HistoryEntry &entry)
{
    FieldWriter writer;
    timelineFields(writer, entry);
    return text(writer.object);
}

HistoryEntry decodeTimeline(const std::string &encoded)
{
    HistoryEntry entry;
    const auto parsed = json::parse(encoded);
    FieldReader reader{parsed ? &*parsed : nullptr};
    timelineFields(reader, entry);
    return entry;
}

std::string encode(const std::map<std::string, std::string> &values)
{
    return text(Json(values));
}

std::map<std::string, std::string> decodeMap(const std::string &encoded)
{
    std::map<std::string, std::string> values;
    const auto parsed = json::parse(encoded);
    if (!parsed || !parsed->is_object())
        return values;
    for (auto item = parsed->begin(); item != parsed->end(); ++item)
        values[item.key()] = json::text(&item.value()).value_or(std::string());
    return values;
}

} // namespace switchyard::archive
