// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/writer.h"

#include "app/actions/inspect_write.h"
#include "app/actions/plan_parts.h"
#include "models/patroni/find_member.h"
#include "models/patroni/mask.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace switchyard::actions {

namespace {

std::optional<std::string> valueOf(const RequestKeys &keys, const std::string &key)
{
    const auto found = keys.find(key);
    return found == keys.end() ? std::nullopt : std::optional(found->second);
}

// Of the annotations that such a write changes, what the object has.
RequestKeys writtenKeys(const PlannedWrite &planned, const KubeObject &object)
{
    if (rules::writesRequest(planned.action))
        return requestKeys(object.annotations);
    const auto config = object.annotations.find("config");
    return config == object.annotations.end() ? RequestKeys() : RequestKeys{*config};
}

std::vector<Difference> differences(const RequestKeys &before, const RequestKeys &now)
{
    std::vector<Difference> all;
    for (const char *key : {"leader", "member", "scheduled_at", "config"}) {
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
    // Patroni itself empties the object of a request that it has taken: that it is empty does not tell that we cancelled it.
    if (result.planned.after.empty())
        return WriteCode::Unknown;
    // Patroni may have taken and cleared the request meanwhile: an object that says neither cannot tell.
    return writtenKeys(result.planned, *result.current) == result.planned.after ? WriteCode::Arrived : WriteCode::Unknown;
}

WriteCode afterCall(rules::RestCode said)
{
    using rules::RestCode;
    switch (said) {
    case RestCode::Done:
    case RestCode::Scheduled: return WriteCode::Done;
    case RestCode::StillRunning: return WriteCode::StillRunning;
    case RestCode::Refused:
    case RestCode::NothingThere:
    case RestCode::Busy:
    case RestCode::TooOld: return WriteCode::PatroniRefused;
    case RestCode::AuthenticationNeeded:
    case RestCode::NotInAllowlist:
    case RestCode::CertificateNeeded:
    case RestCode::Unreachable: return WriteCode::Limited;
    case RestCode::NotLoggedIn:
    case RestCode::NotPermitted: return WriteCode::NotPermitted;
    case RestCode::Failed: return WriteCode::Failed;
    case RestCode::Unknown: break;
    }
    return WriteCode::Unknown;
}

// An answer that broke off says nothing, whatever its first line was.
bool cameWhole(const kube::Response &response)
{
    const bool brokeOff = response.error && response.error->kind == ErrorKind::OutcomeUnknown && response.status >= 200
        && response.status < 300;
    return response.status != 0 && !brokeOff;
}

std::string_view bytes(const kube::Response &response)
{
    return {response.body.constData(), static_cast<std::size_t>(response.body.size())};
}

bool contains(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

DryRunCode afterDryRun(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::Forbidden:
    case ErrorKind::Unauthorized: return DryRunCode::NotPermitted;
    case ErrorKind::Conflict: return DryRunCode::Conflict;
    case ErrorKind::OutcomeUnknown:
    case ErrorKind::Unreachable:
    case ErrorKind::Throttled: return DryRunCode::NoAnswer;
    default: break;
    }
    // kube-apiserver's admission: a webhook that may have side effects; the feature itself, where it is turned off
    const bool asSuch = contains(error.message, "dry run") || contains(error.message, "dryRun");
    return asSuch ? DryRunCode::NotSupported : error.kind == ErrorKind::Server ? DryRunCode::NoAnswer : DryRunCode::Refused;
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
    case WriteCode::PatroniRefused: return "patroni-refused";
    case WriteCode::Limited: return "limited";
    case WriteCode::StillRunning: return "still-running";
    }
    return "unknown";
}

std::string_view code(DryRunCode c)
{
    switch (c) {
    case DryRunCode::Accepted: return "accepted";
    case DryRunCode::Refused: return "refused";
    case DryRunCode::NotPermitted: return "not-permitted";
    case DryRunCode::Conflict: return "conflict";
    case DryRunCode::NotSupported: return "not-supported";
    case DryRunCode::NoAnswer: return "no-answer";
    case DryRunCode::NotSent: return "not-sent";
    }
    return "no-answer";
}

bool triesSafely(std::string_view serverVersion)
{
    if (!serverVersion.starts_with('v'))
        return false;
    const auto end = serverVersion.find_first_not_of("0123456789.", 1); // "v1.27.3-gke.100", "v1.21+"
    const std::string_view numbers = serverVersion.substr(1, end == std::string_view::npos ? end : end - 1);
    const auto order = patroni::compareReleases(numbers, "1.13");
    return order && *order >= 0;
}

Transport transportOf(kube::Client *client)
{
    return {
        [client](const kube::Write &write, QObject *context, kube::Client::Done done) { client->write(write, context, std::move(done)); },
        [client](const kube::Path &path, QObject *context, kube::Client::Done done) {
            client->get(path, {}, context, std::move(done), std::chrono::seconds(5));
        },
        false};
}

ActionWriter::ActionWriter(Transport transport, AuditLog audit, kube::Clock clock, QObject *parent)
    : QObject(parent)
    , m_transport(std::move(transport))
    , m_audit(std::move(audit))
    , m_clock(std::move(clock))
{}

ActionWriter::~ActionWriter()
{
    if (m_flight && m_flight->sent) // the program ends before the answer
        std::ignore = m_audit.writeAnswer(m_flight->result.auditId, m_clock.now().wall, {"abandoned", 0, std::nullopt, "outcome unknown"});
}

void ActionWriter::setReadOnly(std::function<bool()> readOnly)
{
    m_readOnly = std::move(readOnly);
}

void ActionWriter::setFreshness(Check check)
{
    m_freshness = std::move(check);
}

std::optional<Error> ActionWriter::refusal(const PlannedWrite &planned) const
{
    if (m_flight)
        return refusedWrite(planned, "another write is still under way", "wait for its outcome");
    if (!m_readOnly || m_readOnly())
        return refusedWrite(planned, "read-only mode", "start without --read-only to write");
    if (!m_freshness)
        return refusedWrite(planned, "nothing tells whether the view is fresh");
    if (auto problem = m_freshness(planned))
        return problem;
    return inspectWrite(planned);
}

void ActionWriter::send(const PlannedWrite &planned)
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

void ActionWriter::dryRun(const PlannedWrite &planned)
{
    DryRunResult result;
    result.planned = planned;
    if (auto problem = refusal(planned)) {
        result.code = DryRunCode::NotSent;
        result.error = std::move(problem);
        replyDryRun(std::move(result));
        return;
    }
    if (isCall(planned.write.verb) || !m_transport.triesSafely) {
        result.code = DryRunCode::NotSupported;
        replyDryRun(std::move(result));
        return;
    }
    kube::Write tried = planned.write;
    tried.dryRun = true;
    m_transport.write(tried, this, [this, result](const kube::Response &response) mutable {
        result.error = response.error;
        result.code = response.error ? afterDryRun(*response.error) : DryRunCode::Accepted;
        replyDryRun(std::move(result));
    });
}

void ActionWriter::replyDryRun(DryRunResult result)
{
    result.planned.dryRun = code(result.code);
    if (result.error)
        result.planned.dryRun += ": " + describe(*result.error);
    QMetaObject::invokeMethod(
        this, [this, result = std::move(result)] { Q_EMIT dryRunFinished(result); }, Qt::QueuedConnection);
}

// What the member's server says, or the API server in its place.
void ActionWriter::called(const kube::Response &response)
{
    WriteResult &result = m_flight->result;
    if (response.error && response.error->kind == ErrorKind::Unreachable && response.status == 0) {
        conclude(WriteCode::Failed, 0); // nothing was sent
        return;
    }
    const bool whole = cameWhole(response);
    result.rest = rules::readRestAnswer(result.planned.action, whole ? response.status : 0, whole ? bytes(response) : std::string_view());
    conclude(afterCall(result.rest->code), response.status);
}

void ActionWriter::answered(const kube::Response &response)
{
    WriteResult &result = m_flight->result;
    result.error = response.error;
    if (isCall(result.planned.write.verb)) {
        called(response);
        return;
    }
    if (response.ok()) {
        const auto object = decodeObject(result.planned.write.path.resource, bytes(response));
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

void ActionWriter::readAgain(const kube::Response &answer)
{
    m_transport.get(m_flight->result.planned.write.path, this, [this, answer](const kube::Response &seen) { compare(answer, seen); });
}

void ActionWriter::compare(const kube::Response &answer, const kube::Response &seen)
{
    WriteResult &result = m_flight->result;
    const bool conflict = answer.error->kind == ErrorKind::Conflict;
    const bool missing = seen.error && seen.error->kind == ErrorKind::NotFound;
    if (seen.ok()) {
        const auto object = decodeObject(result.planned.write.path.resource, bytes(seen));
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
    // Any other version is not ours.
    if (outcome == WriteCode::Arrived)
        result.versionAfter = result.current->resourceVersion;
    if (outcome == WriteCode::Conflict)
        result.differences = differences(result.planned.before, writtenKeys(result.planned, *result.current));
    conclude(outcome, answer.status);
}

void ActionWriter::conclude(WriteCode outcome, int httpStatus)
{
    WriteResult result = std::move(m_flight->result);
    m_flight.reset();
    result.code = outcome;
    AuditAnswer answer;
    answer.result = outcome == WriteCode::Unknown ? "outcome-unknown" : std::string(code(outcome));
    answer.httpStatus = httpStatus;
    answer.versionAfter = result.versionAfter;
    if (result.rest)
        answer.detail = std::string(code(result.rest->code)) + ": " + result.rest->words;
    else if (result.error)
        answer.detail = describe(*result.error);
    if (result.current && !result.versionAfter)
        answer.detail.append("; read again at version ").append(result.current->resourceVersion);
    answer.detail = patroni::maskCredentials(answer.detail);
    if (const auto written = m_audit.writeAnswer(result.auditId, m_clock.now().wall, answer); !written)
        result.auditError = written.error();
    reply(std::move(result));
}

void ActionWriter::reply(WriteResult result)
{
    QMetaObject::invokeMethod(
        this, [this, result = std::move(result)] { Q_EMIT finished(result); }, Qt::QueuedConnection);
}

namespace {

// A failover names no leader, and would take the office from whoever has taken it since. One that is merely gone is no obstacle.
std::optional<Error> leaderProblem(const patroni::Cluster &cluster, const PlannedWrite &planned)
{
    if (planned.action != rules::ActionKind::Failover || !cluster.leaderName || cluster.leaderName == planned.leaderThen)
        return std::nullopt;
    return refusedWrite(planned,
                        *cluster.leaderName + " leads now, " + planned.leaderThen.value_or("nobody")
                            + " did when this failover was planned: decide again",
                        "look at the cluster");
}

// A call has no precondition: what is pending now would be replaced, or cancelled, whatever it is.
std::optional<Error> slotProblem(const patroni::Cluster &cluster, const PlannedWrite &planned)
{
    const RequestSlot now = requestSlot(cluster);
    if (!rules::writesRequest(planned.action) || planned.slotThen == now)
        return std::nullopt;
    std::string pending;
    for (const auto &[key, value] : now.keys)
        pending.append(" ").append(key).append("=").append(value);
    return refusedWrite(planned,
                        "the request object has changed since this was planned, pending now:" + (pending.empty() ? " nothing" : pending)
                            + "; decide again",
                        "look at it");
}

std::optional<Error> memberProblem(const patroni::Cluster &cluster, const PlannedWrite &planned)
{
    const std::string member = planned.member.value_or("");
    if (!patroni::findMember(cluster, member))
        return refusedWrite(planned, member + " is not a member of this cluster any more");
    const std::string leader = QJsonDocument::fromJson(planned.write.body).object().value(QLatin1String("leader")).toString().toStdString();
    if (planned.action == rules::ActionKind::Switchover && cluster.leaderName != leader)
        return refusedWrite(planned, leader + " does not lead any more");
    return slotProblem(cluster, planned);
}

std::optional<Error> objectProblem(const patroni::Cluster &cluster, const PlannedWrite &planned)
{
    const bool request = rules::writesRequest(planned.action);
    const std::string &name = request ? cluster.names.failoverName : cluster.names.configName;
    if (name != planned.write.path.name.toStdString() || cluster.names.resource() != planned.write.path.resource)
        return refusedWrite(planned, "the cluster's objects are of another kind now");
    const KubeObject *object = objectOf(cluster, request ? "failover" : "config");
    const auto version = object ? std::optional(object->resourceVersion) : std::nullopt;
    if (version != planned.basedOnVersion)
        return refusedWrite(planned,
                            request ? "the request object has changed since the write was planned"
                                    : "the config object has changed since the write was planned",
                            "look at it and decide again");
    const auto leader = valueOf(planned.after, "leader");
    if (leader && cluster.leaderName != leader)
        return refusedWrite(planned, *leader + " does not lead any more");
    const auto member = valueOf(planned.after, "member");
    if (member && !patroni::findMember(cluster, *member))
        return refusedWrite(planned, *member + " is not a member of this cluster any more");
    if (member && cluster.leaderName == member)
        return refusedWrite(planned, *member + " leads already");
    return std::nullopt;
}

} // namespace

std::optional<Error> checkStillCurrent(const patroni::Cluster *cluster, const PlannedWrite &planned)
{
    if (!cluster || cluster->names.key != planned.cluster)
        return refusedWrite(planned, "this cluster is not seen any more");
    if (const auto bar = viewBar(*cluster, planned.action))
        return refusedWrite(planned, barText(*bar), "wait until it is live again");
    if (auto problem = leaderProblem(*cluster, planned))
        return problem;
    return isCall(planned.write.verb) ? memberProblem(*cluster, planned) : objectProblem(*cluster, planned);
}

} // namespace switchyard::actions
