// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Why it likely happened: from the kind of the transition and what was seen about then. What was not seen is no proof of anything.
#include "models/events/dossier.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace switchyard {

namespace {

using patroni::Evidence;
using patroni::EvidenceCode;
using patroni::Transition;
using patroni::TransitionKind;

const Evidence *find(const Transition &t, EvidenceCode code)
{
    const auto found = std::find_if(t.evidence.begin(), t.evidence.end(), [code](const Evidence &e) { return e.code == code; });
    return found == t.evidence.end() ? nullptr : &*found;
}

bool tells(const Evidence &evidence, std::string_view word)
{
    return evidence.detail.find(word) != std::string::npos;
}

const Evidence *findTelling(const Transition &t, std::string_view word)
{
    const auto about = [&](const Evidence &e) {
        const bool ofPod = e.code == EvidenceCode::ContainerTerminated || e.code == EvidenceCode::ClusterEvent
            || e.code == EvidenceCode::PodFailed || e.code == EvidenceCode::ContainerRestarted;
        return ofPod && tells(e, word);
    };
    const auto found = std::find_if(t.evidence.begin(), t.evidence.end(), about);
    return found == t.evidence.end() ? nullptr : &*found;
}

Cause from(CauseCode code, Certainty certainty, const Evidence *evidence)
{
    Cause cause{code, certainty, {}, {}, {}, false, false};
    if (evidence) {
        cause.subject = evidence->subject;
        cause.detail = evidence->detail;
        cause.evidence.push_back(*evidence);
    }
    return cause;
}

// What befell the old leader, the most telling first. Both ends of its lock leave it as it is: it died, and so it was silent.
std::optional<Cause> fateOfLeader(const Transition &t)
{
    if (const Evidence *killed = findTelling(t, "OOMKilled"))
        return from(CauseCode::OutOfMemory, Certainty::Likely, killed);
    if (const Evidence *failed = find(t, EvidenceCode::PodFailed))
        return from(CauseCode::PodFailed, Certainty::Likely, failed);
    if (const Evidence *ended = find(t, EvidenceCode::ContainerTerminated))
        return from(CauseCode::ContainerDied, Certainty::Likely, ended);
    if (const Evidence *gone = find(t, EvidenceCode::PodGone))
        return from(CauseCode::PodDeleted, Certainty::Likely, gone);
    if (const Evidence *restarted = find(t, EvidenceCode::ContainerRestarted))
        return from(CauseCode::ContainerDied, Certainty::Possible, restarted);
    return std::nullopt;
}

Cause expired(const Transition &t)
{
    if (auto fate = fateOfLeader(t))
        return *fate;
    if (const Evidence *many = find(t, EvidenceCode::ManyLate))
        return from(CauseCode::ApiServer, Certainty::Possible, many);
    if (const Evidence *unready = find(t, EvidenceCode::PodNotReady))
        return from(CauseCode::LeaderUnwell, Certainty::Possible, unready);
    const Evidence *state = find(t, EvidenceCode::MemberState);
    if (state && !state->detail.starts_with("running")) // "running primary"
        return from(CauseCode::LeaderUnwell, Certainty::Possible, state);
    return from(CauseCode::FellSilent, Certainty::None, find(t, EvidenceCode::Expired));
}

Cause released(const Transition &t)
{
    if (auto fate = fateOfLeader(t))
        return *fate;
    return from(CauseCode::LetGo, Certainty::Likely, find(t, EvidenceCode::Released));
}

Cause requested(const Transition &t, CauseCode code, const patroni::RequestReport *request)
{
    const Evidence *seen = find(t, EvidenceCode::Requested);
    const bool done = request && (request->outcome == patroni::Outcome::Done || request->outcome == patroni::Outcome::DoneOther);
    return from(code,
                seen && done && request->certain ? Certainty::Certain
                    : seen || request            ? Certainty::Likely
                                                 : Certainty::Possible,
                seen);
}

Cause byKind(const Transition &t, const patroni::RequestReport *request)
{
    switch (t.kind) {
    case TransitionKind::Bootstrap: return from(CauseCode::FirstLeader, Certainty::Certain, nullptr);
    case TransitionKind::Switchover:
    case TransitionKind::Failover: return requested(t, CauseCode::Requested, request);
    case TransitionKind::ScheduledSwitchover: return requested(t, CauseCode::Scheduled, request);
    case TransitionKind::LockExpired: return expired(t);
    case TransitionKind::LockReleased: return released(t);
    case TransitionKind::ReTaken: {
        const auto fate = fateOfLeader(t);
        return fate ? *fate : from(CauseCode::ReTaken, Certainty::Likely, find(t, EvidenceCode::LateBefore));
    }
    case TransitionKind::Unknown: break;
    }
    if (auto fate = fateOfLeader(t)) {
        fate->certainty = Certainty::Possible;
        return *fate;
    }
    return from(t.fromLive && !find(t, EvidenceCode::BlindSpot) ? CauseCode::NotKnown : CauseCode::NotWatched, Certainty::None, nullptr);
}

Certainty lessSure(Certainty c)
{
    return c == Certainty::Certain ? Certainty::Likely : c == Certainty::Likely ? Certainty::Possible : c;
}

} // namespace

std::string_view code(CauseCode c)
{
    switch (c) {
    case CauseCode::Requested: return "requested";
    case CauseCode::Scheduled: return "scheduled";
    case CauseCode::OutOfMemory: return "out-of-memory";
    case CauseCode::ContainerDied: return "container-died";
    case CauseCode::PodFailed: return "pod-failed";
    case CauseCode::PodDeleted: return "pod-deleted";
    case CauseCode::ApiServer: return "api-server";
    case CauseCode::LeaderUnwell: return "leader-unwell";
    case CauseCode::LetGo: return "let-go";
    case CauseCode::FellSilent: return "fell-silent";
    case CauseCode::FirstLeader: return "first-leader";
    case CauseCode::ReTaken: return "re-taken";
    case CauseCode::NotWatched: return "not-watched";
    case CauseCode::NotKnown: return "not-known";
    }
    return "not-known";
}

std::string_view code(Certainty c)
{
    switch (c) {
    case Certainty::Certain: return "certain";
    case Certainty::Likely: return "likely";
    case Certainty::Possible: return "possible";
    case Certainty::None: return "none";
    }
    return "none";
}

bool cameAfter(const Evidence &evidence, const Transition &transition)
{
    constexpr Duration clocksApart = std::chrono::seconds(5);
    const auto over = transition.gainedAt ? transition.gainedAt : transition.notAfter;
    return evidence.at && over && *evidence.at > *over + clocksApart && !tells(evidence, "NodeLost") && !tells(evidence, "NodeNotReady");
}

std::optional<Instant> happenedAt(const Evidence &evidence)
{
    int ttl = 0;
    if (evidence.at && evidence.code == EvidenceCode::Expired)
        std::from_chars(evidence.detail.data(), evidence.detail.data() + evidence.detail.size(), ttl);
    return evidence.at ? std::optional(*evidence.at + std::chrono::seconds(ttl)) : std::nullopt;
}

bool ranOut(const Transition &t)
{
    if (find(t, EvidenceCode::Released))
        return false;
    return t.kind == TransitionKind::LockExpired || t.kind == TransitionKind::ReTaken || find(t, EvidenceCode::Expired);
}

// An archive does not keep that it was inferred, but its evidence has no time then.
bool isLossInferred(const Transition &t)
{
    const Evidence *expired = find(t, EvidenceCode::Expired);
    const bool unseen = t.lostSource == patroni::Source::Archive && expired && !expired->at;
    return t.lostAt && (t.lostSource == patroni::Source::Inferred || unseen);
}

std::optional<DossierSpan> inferredLoss(const Transition &t)
{
    if (!isLossInferred(t) || !t.gapUncertainty)
        return std::nullopt;
    return DossierSpan{*t.lostAt - *t.gapUncertainty, *t.lostAt + *t.gapUncertainty};
}

Cause likelyCause(const Transition &transition, const patroni::RequestReport *request)
{
    Transition before = transition;
    std::erase_if(before.evidence, [&](const Evidence &e) { return cameAfter(e, transition); });
    Cause cause = byKind(before, request);
    cause.blindSpot = find(transition, EvidenceCode::BlindSpot) != nullptr;
    cause.mayNotSeeEvents = find(transition, EvidenceCode::NotPermitted) != nullptr;
    if (cause.blindSpot)
        cause.certainty = lessSure(cause.certainty);
    for (const Evidence &evidence : transition.evidence) {
        if (std::find(cause.evidence.begin(), cause.evidence.end(), evidence) == cause.evidence.end())
            cause.evidence.push_back(evidence);
    }
    return cause;
}

} // namespace switchyard
