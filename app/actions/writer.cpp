// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/writer.h"

namespace switchyard::actions {

namespace {

Error refusalError(const PlannedWrite &planned, const std::string &message, const std::string &advice = {})
{
    Error error{ErrorKind::Refused};
    error.verb = planned.write.verb == kube::WriteVerb::Patch ? "patch" : "create";
    error.resource = std::string(code(planned.write.path.resource));
    error.ns = planned.write.path.ns.toStdString();
    error.name = planned.write.path.name.toStdString();
    error.message = message;
    error.advice = advice;
    return error;
}

std::optional<std::string> valueOf(const RequestKeys &keys, const char *key)
{
    const auto found = keys.find(key);
    return found == keys.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Difference> differences(const RequestKeys &before, const RequestKeys &now)
{
    std::vector<Difference> all;
    for (const char *key : {"leader", "member", "scheduled_at"}) {
        if (valueOf(before, key) != valueOf(now, key))
            all.push_back({key, valueOf(before, key), valueOf(now, key)});
    }
    return all;
}

WriteCode afterConflict(const WriteResult &result)
{
    const bool create = result.planned.write.verb == kube::WriteVerb::Create;
    if (!result.current)
        return create ? WriteCode::Failed : WriteCode::Vanished;
    // The same version still: the conflict is about something else, a quota for example.
    if (!create && result.current->resourceVersion == result.planned.basedOnVersion)
        return WriteCode::Failed;
    return WriteCode::Conflict;
}

WriteCode afterSilence(const WriteResult &result)
{
    const bool create = result.planned.write.verb == kube::WriteVerb::Create;
    if (!result.current)
        return create ? WriteCode::NotArrived : WriteCode::Unknown;
    if (result.current->resourceVersion == result.planned.basedOnVersion)
        return WriteCode::NotArrived;
    // Patroni may have taken and cleared the request meanwhile: an object that says neither cannot tell.
    return requestKeys(result.current->annotations) == result.planned.after ? WriteCode::Arrived : WriteCode::Unknown;
}

} // namespace

std::string_view code(WriteCode c)
{
    switch (c) {
    case WriteCode::Done: return "done";
    case WriteCode::Refused: return "refused";
    case WriteCode::AuditFailed: return "audit-failed";
    case WriteCode::NotPermitted: return "not-permitted";
    case WriteCode::Conflict: return "conflict";
    case WriteCode::Vanished: return "vanished";
    case WriteCode::Arrived: return "arrived";
    case WriteCode::NotArrived: return "not-arrived";
    case WriteCode::Unknown: return "unknown";
    case WriteCode::Failed: return "failed";
    }
    return "unknown";
}

Transport transportOf(kube::Client *client)
{
    return {
        [client](const kube::Write &write, QObject *context, kube::Client::Done done) { client->write(write, context, std::move(done)); },
        [client](const kube::Path &path, QObject *context, kube::Client::Done done) {
            client->get(path, {}, context, std::move(done), std::chrono::seconds(5));
        }};
}

FailoverWriter::FailoverWriter(Transport transport, AuditLog audit, kube::Clock clock, QObject *parent)
    : QObject(parent)
    , m_transport(std::move(transport))
    , m_audit(std::move(audit))
    , m_clock(std::move(clock))
{}

FailoverWriter::~FailoverWriter()
{
    if (m_flight && m_flight->sent) // the program ends before the answer
        std::ignore = m_audit.writeAnswer(m_flight->result.auditId, m_clock.now().wall, {"abandoned", 0, std::nullopt, "outcome unknown"});
}

void FailoverWriter::setReadOnly(std::function<bool()> readOnly)
{
    m_readOnly = std::move(readOnly);
}

void FailoverWriter::setFreshness(Check check)
{
    m_freshness = std::move(check);
}

std::optional<Error> FailoverWriter::refusal(const PlannedWrite &planned) const
{
    if (m_flight)
        return refusalError(planned, "another write is still under way", "wait for its outcome");
    if (!m_readOnly || m_readOnly())
        return refusalError(planned, "read-only mode", "start without --read-only to write");
    if (!m_freshness)
        return refusalError(planned, "nothing tells whether the view is fresh");
    if (auto problem = m_freshness(planned))
        return problem;
    return inspectWrite(planned);
}

void FailoverWriter::send(const PlannedWrite &planned)
{
    WriteResult result;
    result.planned = planned;
    if (auto problem = refusal(planned)) {
        result.code = WriteCode::Refused;
        result.error = std::move(problem);
        reply(std::move(result));
        return;
    }
    const auto id = m_audit.writeIntent(m_clock.now().wall, planned);
    if (!id) {
        result.code = WriteCode::AuditFailed;
        result.error = id.error();
        reply(std::move(result));
        return;
    }
    result.auditId = *id;
    m_flight = Flight{std::move(result), true};
    m_transport.write(planned.write, this, [this](const kube::Response &response) { answered(response); });
}

void FailoverWriter::answered(const kube::Response &response)
{
    WriteResult &result = m_flight->result;
    result.error = response.error;
    if (response.ok()) {
        const auto object = decodeObject(result.planned.write.path.resource,
                                         std::string_view(response.body.constData(), size_t(response.body.size())));
        if (object && !object->resourceVersion.empty())
            result.versionAfter = object->resourceVersion;
        conclude(WriteCode::Done, response.status);
        return;
    }
    switch (response.error->kind) {
    case ErrorKind::Forbidden:
    case ErrorKind::Unauthorized: conclude(WriteCode::NotPermitted, response.status); break;
    case ErrorKind::Conflict:
    case ErrorKind::OutcomeUnknown: readAgain(response); break;
    case ErrorKind::NotFound:
        conclude(result.planned.write.verb == kube::WriteVerb::Patch ? WriteCode::Vanished : WriteCode::Failed, response.status);
        break;
    case ErrorKind::Server:
        // An answer that is not a clear no does not prove that it was not done.
        readAgain(response);
        break;
    default: conclude(WriteCode::Failed, response.status);
    }
}

void FailoverWriter::readAgain(const kube::Response &answer)
{
    m_transport.get(m_flight->result.planned.write.path, this, [this, answer](const kube::Response &seen) { compare(answer, seen); });
}

void FailoverWriter::compare(const kube::Response &answer, const kube::Response &seen)
{
    WriteResult &result = m_flight->result;
    const bool conflict = answer.error->kind == ErrorKind::Conflict;
    const bool missing = seen.error && seen.error->kind == ErrorKind::NotFound;
    if (seen.ok()) {
        const auto object = decodeObject(result.planned.write.path.resource,
                                         std::string_view(seen.body.constData(), size_t(seen.body.size())));
        if (object)
            result.current = *object;
    }
    if (!result.current && !missing) {
        conclude(conflict ? WriteCode::Conflict : WriteCode::Unknown, answer.status);
        return;
    }
    WriteCode outcome = conflict ? afterConflict(result) : afterSilence(result);
    if (outcome == WriteCode::NotArrived && answer.error->kind == ErrorKind::Server)
        outcome = WriteCode::Failed; // the server said no, and the object bears it out
    if (result.current)
        result.versionAfter = result.current->resourceVersion;
    if (outcome == WriteCode::Conflict)
        result.differences = differences(result.planned.before, requestKeys(result.current->annotations));
    conclude(outcome, answer.status);
}

void FailoverWriter::conclude(WriteCode outcome, int httpStatus)
{
    WriteResult result = std::move(m_flight->result);
    m_flight.reset();
    result.code = outcome;
    AuditAnswer answer;
    answer.result = outcome == WriteCode::Unknown ? "outcome-unknown" : std::string(code(outcome));
    answer.httpStatus = httpStatus;
    answer.versionAfter = result.versionAfter;
    if (result.error)
        answer.detail = describe(*result.error);
    if (const auto written = m_audit.writeAnswer(result.auditId, m_clock.now().wall, answer); !written)
        result.auditError = written.error();
    reply(std::move(result));
}

void FailoverWriter::reply(WriteResult result)
{
    QMetaObject::invokeMethod(
        this, [this, result = std::move(result)] { Q_EMIT finished(result); }, Qt::QueuedConnection);
}

std::optional<Error> checkStillCurrent(const patroni::Cluster *cluster, const PlannedWrite &planned)
{
    if (!cluster || cluster->names.key != planned.cluster)
        return refusalError(planned, "this cluster is not seen any more");
    if (const auto bar = patroni::writeBar(*cluster))
        return refusalError(planned, barText(*bar), "wait until it is live again");
    if (cluster->names.failoverName != planned.write.path.name.toStdString() || cluster->names.resource() != planned.write.path.resource)
        return refusalError(planned, "the cluster's objects are of another kind now");
    const auto object = cluster->objects.find("failover");
    const auto version = object == cluster->objects.end() ? std::nullopt : std::optional(object->second.resourceVersion);
    if (version != planned.basedOnVersion)
        return refusalError(planned, "the request object has changed since the write was planned", "look at it and decide again");
    const auto leader = valueOf(planned.after, "leader");
    if (leader && cluster->leaderName != leader)
        return refusalError(planned, *leader + " does not lead any more");
    return std::nullopt;
}

} // namespace switchyard::actions
