// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happened in which order, each time with whose clock it is. Times of several clocks in one order are only as good as these agree.
#include "models/events/dossier.h"

#include <algorithm>
#include <initializer_list>

namespace switchyard {

namespace {

using patroni::Evidence;
using patroni::EvidenceCode;
using patroni::Source;
using patroni::Transition;

// That a lock expired is said once it is proven or somebody else took it: when it did is in the event.
Instant timeOfEvent(const Event &event)
{
    const auto found = event.detail.find("expired_at");
    const bool known = event.type == EventCode::LockExpired && !event.notBefore && found != event.detail.end();
    return known ? parseInstant(found->second).value_or(event.wall) : event.wall;
}

// Of the lock that was lost in it.
bool isExpiryOf(const Event &event, const Transition &t)
{
    const Instant at = timeOfEvent(event);
    return event.type == EventCode::LockExpired && (!t.lostAt || at >= *t.lostAt) && (!t.gainedAt || at <= *t.gainedAt);
}

// The API server keeps the times in a Pod's status in whole seconds. Where it has none, the evidence has the time of our sight.
WhoseClock clockOfStatus(const std::optional<Instant> &at)
{
    return at && std::chrono::floor<std::chrono::seconds>(*at) == *at ? WhoseClock::ApiServer : WhoseClock::Ours;
}

WhoseClock clockOf(const Evidence &evidence)
{
    switch (evidence.code) {
    case EvidenceCode::ClusterEvent: return WhoseClock::ApiServer;
    case EvidenceCode::ContainerTerminated:
    case EvidenceCode::PodFailed:
    case EvidenceCode::PodNotReady: return clockOfStatus(evidence.at);
    default: return WhoseClock::Ours;
    }
}

class Moments
{
public:
    Moments(const std::vector<Event> &events, Now now)
        : m_events(events)
        , m_now(now)
    {}

    // unless one of these events tells the same
    void add(MomentKind kind, const std::optional<Instant> &at, WhoseClock clock, std::initializer_list<EventCode> told = {},
             const std::string &member = {}, const std::string &detail = {})
    {
        if (at && !isTold(*at, told))
            m_all.push_back({*at, clock, kind, member, detail, {}, {}, {}});
    }
    void add(MomentKind kind, const std::optional<Instant> &then, const std::optional<Boot> &at, std::initializer_list<EventCode> told = {})
    {
        add(kind, then || !at ? then : std::optional(m_now.toWall(*at)), WhoseClock::Ours, told);
    }
    void addEvents()
    {
        for (const Event &event : m_events)
            m_all.push_back({timeOfEvent(event), WhoseClock::Ours, MomentKind::Happened, {}, {}, event.notBefore, event, {}});
    }
    void addEvidence(const Evidence &evidence, const Transition &t)
    {
        const auto at = happenedAt(evidence);
        if (!at)
            return;
        const bool told = evidence.code == EvidenceCode::Expired
            ? std::any_of(m_events.begin(), m_events.end(), [&](const Event &event) { return isExpiryOf(event, t); })
            : isTold(*at, eventsLike(evidence.code));
        if (!told)
            m_all.push_back({*at, clockOf(evidence), MomentKind::Told, {}, {}, {}, {}, evidence});
    }
    std::vector<DossierMoment> sorted()
    {
        std::stable_sort(m_all.begin(), m_all.end(), [](const DossierMoment &a, const DossierMoment &b) { return a.at < b.at; });
        return std::move(m_all);
    }

private:
    // Events that say the same.
    static std::initializer_list<EventCode> eventsLike(EvidenceCode code)
    {
        static constexpr std::initializer_list<EventCode> none{}, requested{EventCode::RequestWritten}, released{EventCode::LockReleased},
            blind{EventCode::BlindSpot}, pod{EventCode::PodEvidence};
        switch (code) {
        case EvidenceCode::Requested: return requested;
        case EvidenceCode::Released: return released;
        case EvidenceCode::BlindSpot: return blind;
        case EvidenceCode::ClusterEvent: return pod;
        default: return none;
        }
    }
    bool isTold(Instant at, std::initializer_list<EventCode> told) const
    {
        constexpr Duration same = std::chrono::milliseconds(5);
        return std::any_of(m_events.begin(), m_events.end(), [&](const Event &event) {
            const bool near = event.wall >= at - same && event.wall <= at + same;
            return near && std::find(told.begin(), told.end(), event.type) != told.end();
        });
    }

    const std::vector<Event> &m_events;
    Now m_now;
    std::vector<DossierMoment> m_all;
};

void addTransition(Moments &moments, const Transition &t)
{
    const std::string to = t.to.value_or("");
    moments.add(ranOut(t) ? MomentKind::LastRenewal : MomentKind::LockLost, t.lostAt,
                isLossInferred(t) ? WhoseClock::Inferred : WhoseClock::Ours, {EventCode::LockReleased});
    // The history's time is the promoted member's; what was seen is ours.
    if (t.gainedSource == Source::History || (t.gainedSource == Source::None && t.fromHistory && !t.fromLive))
        moments.add(MomentKind::TimelineBegan, t.gainedAt, WhoseClock::Member, {}, to);
    else
        moments.add(MomentKind::LockGained, t.gainedAt, WhoseClock::Ours, {EventCode::LeaderChanged, EventCode::LockAcquired}, {}, to);
    moments.add(MomentKind::Writable, t.writableAt, WhoseClock::Ours, {}, {}, to);
    moments.add(MomentKind::Streaming, t.streamingAt, WhoseClock::Ours);
    for (const Evidence &evidence : t.evidence)
        moments.addEvidence(evidence, t);
}

void addRequest(Moments &moments, const patroni::RequestReport &r)
{
    moments.add(MomentKind::RequestSeen, r.seenWall, r.seenAt, {EventCode::RequestWritten});
    if (r.request.scheduledAt)
        moments.add(MomentKind::RequestDue, r.request.scheduledAt, WhoseClock::Schedule);
    moments.add(MomentKind::RequestReleased, r.releasedWall, r.releasedAt, {EventCode::LockReleased});
    moments.add(MomentKind::RequestPromoted, std::nullopt, r.promotedAt, {EventCode::TimelineAdvanced});
    moments.add(MomentKind::RequestDecided, r.decidedWall, r.decidedAt, {EventCode::RequestCleared});
}

// What the objects changed to at the transition holds the new leader's own time.
void addTaken(Moments &moments, const Dossier &dossier)
{
    for (const ObjectDiff &diff : dossier.objects) {
        for (const FieldChange &change : diff.changes) {
            if (diff.role == "leader" && change.field == "acquireTime" && change.after)
                moments.add(MomentKind::LockTaken, parseInstant(*change.after), WhoseClock::Member, {}, dossier.transition.to.value_or(""));
        }
    }
}

} // namespace

std::string_view code(WhoseClock c)
{
    switch (c) {
    case WhoseClock::Ours: return "ours";
    case WhoseClock::Member: return "member";
    case WhoseClock::ApiServer: return "api-server";
    case WhoseClock::Schedule: return "schedule";
    case WhoseClock::Inferred: return "inferred";
    }
    return "ours";
}

std::string_view code(MomentKind k)
{
    switch (k) {
    case MomentKind::LastRenewal: return "last-renewal";
    case MomentKind::LockLost: return "lock-lost";
    case MomentKind::LockGained: return "lock-gained";
    case MomentKind::LockTaken: return "lock-taken";
    case MomentKind::TimelineBegan: return "timeline-began";
    case MomentKind::Writable: return "writable";
    case MomentKind::Streaming: return "streaming";
    case MomentKind::RequestSeen: return "request-seen";
    case MomentKind::RequestDue: return "request-due";
    case MomentKind::RequestReleased: return "request-released";
    case MomentKind::RequestPromoted: return "request-promoted";
    case MomentKind::RequestDecided: return "request-decided";
    case MomentKind::WriteIntended: return "write-intended";
    case MomentKind::WriteAnswered: return "write-answered";
    case MomentKind::Happened: return "event";
    case MomentKind::Told: return "evidence";
    case MomentKind::Noted: return "note";
    }
    return "event";
}

std::optional<Instant> expiryOf(const Dossier &dossier)
{
    for (const DossierMoment &moment : dossier.sequence) {
        const bool said = moment.event && isExpiryOf(*moment.event, dossier.transition) && moment.event->detail.contains("expired_at");
        const bool told = moment.evidence && moment.evidence->code == EvidenceCode::Expired;
        if ((said && !moment.notBefore) || told)
            return moment.at;
    }
    return std::nullopt;
}

std::vector<DossierMoment> momentsOf(const Dossier &dossier, const std::vector<Event> &events, Now now)
{
    Moments moments(events, now);
    moments.addEvents();
    addTransition(moments, dossier.transition);
    addTaken(moments, dossier);
    if (dossier.request)
        addRequest(moments, *dossier.request);
    if (dossier.audit) {
        moments.add(MomentKind::WriteIntended, dossier.audit->at, WhoseClock::Ours, {}, {}, dossier.audit->summary);
        moments.add(MomentKind::WriteAnswered, dossier.audit->answeredAt, WhoseClock::Ours, {}, {}, dossier.audit->result);
    }
    for (const DossierNote &note : dossier.notes)
        moments.add(MomentKind::Noted, note.at, WhoseClock::Ours, {}, {}, note.author);
    return moments.sorted();
}

} // namespace switchyard
