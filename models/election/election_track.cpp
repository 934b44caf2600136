// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Objects in, the state of the election out. What is said of it: election_track_news.cpp.
#include "models/election/election_track.h"

#include "models/election/lock_record.h"

#include <algorithm>

namespace switchyard::election {

using patroni::Freshness;

namespace {

// Two records are written one after the other, and told by two watches: what differs for so long does not only differ on the way.
constexpr Duration disagreesAfter = std::chrono::seconds(5);

int authority(Resource r)
{
    return r == Resource::Leases ? 0 : r == Resource::Endpoints ? 1 : 2;
}

Kind kindOf(const std::vector<ElectionTrack::Part> &parts)
{
    if (parts.front().resource != Resource::Leases)
        return parts.front().resource == Resource::Endpoints ? Kind::Endpoints : Kind::ConfigMaps;
    if (parts.size() == 1)
        return Kind::Leases;
    return parts.at(1).resource == Resource::Endpoints ? Kind::EndpointsLeases : Kind::ConfigMapsLeases;
}

bool isTold(const ElectionTrack::Part &part, const Key &key)
{
    const Coverage &told = part.source->stream.coverage();
    if (part.doubted)
        return false;
    return told.whole() || (told.coversName(key.ns, key.name) && (told.labelKey.empty() || part.labels.contains(told.labelKey)));
}

} // namespace

bool OlderTrack::operator()(const ElectionTrack *a, const ElectionTrack *b) const
{
    return a->number() < b->number();
}

ElectionTrack::ElectionTrack(Key key, Duration tolerance, std::uint64_t number)
    : m_tolerance(tolerance)
    , m_number(number)
{
    m_e.key = std::move(key);
    m_e.kind = forLife() ? Kind::LeaderForLife : Kind::Leases;
}

ElectionTrack::~ElectionTrack()
{
    for (const Part &part : m_parts)
        part.source->unproven.erase(this);
}

ElectionTrack::Part *ElectionTrack::part(Resource resource)
{
    for (Part &part : m_parts) {
        if (part.resource == resource)
            return &part;
    }
    return nullptr;
}

void ElectionTrack::remember(Memory memory)
{
    m_e.changes = std::move(memory.changes);
    m_lastHolder = std::move(memory.lastHolder);
    m_leaderlessSince = memory.leaderlessSince;
    m_e.watchedSince = memory.watchedSince;
}

ElectionTrack::Memory ElectionTrack::memory() const
{
    return {m_e.changes, m_lastHolder, m_leaderlessHidden ? std::nullopt : m_leaderlessSince, m_e.watchedSince, {}};
}

ElectionTrack::Part &ElectionTrack::place(const KubeObject &object, WatchedSource *source)
{
    Part *known = part(object.resource);
    if (!known) {
        auto at = m_parts.begin();
        while (at != m_parts.end() && authority(at->resource) < authority(object.resource))
            ++at;
        if (!forLife())
            m_e.records.insert(m_e.records.begin() + (at - m_parts.begin()), Record{});
        known = &*m_parts.insert(at, Part{});
        known->resource = object.resource;
    }
    if (known->source && known->source != source)
        known->source->unproven.erase(this);
    known->source = source;
    known->uid = object.uid;
    m_versionBefore = std::exchange(known->version, object.resourceVersion);
    known->createdAt = object.createdAt;
    known->dataUnknown = object.dataUnknown;
    if (known->labels != object.labels)
        known->labels = object.labels;
    return *known;
}

void ElectionTrack::see(const KubeObject &object, const Moment &moment, WatchedSource *source)
{
    if (!m_e.watchedSince)
        m_e.watchedSince = moment.at();
    if (forLife())
        seeOwners(object, moment, source);
    else
        seeRecord(object, moment, source);
    Part &own = *part(object.resource);
    own.sightAt = moment.at();
    own.doubted = false;
    m_e.noise = !forLife() && m_parts.size() == 1 && isNoise(object);
    m_e.createdAt = m_parts.front().createdAt;
    if (!forLife())
        m_e.kind = kindOf(m_parts);
}

void ElectionTrack::seeRecord(const KubeObject &object, const Moment &moment, WatchedSource *source)
{
    Record next = object.resource == Resource::Leases ? decodeLease(object) : decodeAnnotation(object).value_or(Record{});
    next.resource = object.resource;
    const bool isNew = !part(object.resource);
    const bool replaced = !isNew && part(object.resource)->uid != object.uid;
    const auto holderBefore = recordHolder();
    Part &own = place(object, source);
    Record &held = *record(own);
    if (!isNew && !replaced && held.raw == next.raw) {
        held = std::move(next);
        if (!moment.since && !moment.first)
            own.trail.confirm(moment.at());
        return;
    }
    const Observed seen = own.trail.seen();
    own.trail.changed(moment);
    Record before = std::exchange(held, std::move(next));
    m_rawIsOld = true;
    if (&own != m_parts.data())
        return;
    if (isNew)
        before.holder = holderBefore; // of the record that was the only one until now, if any
    authorityMoved(before, moment, isNew ? Observed{} : seen);
}

void ElectionTrack::seeOwners(const KubeObject &object, const Moment &moment, WatchedSource *source)
{
    const bool isNew = m_parts.empty();
    const auto holderBefore = recordHolder();
    Part &own = place(object, source);
    if (!isNew && m_e.owners == object.owners) {
        own.trail.confirm(moment.at());
        return;
    }
    own.trail.changed(moment);
    m_e.owners = object.owners;
    m_rawIsOld = true;
    Record before;
    before.holder = holderBefore;
    m_said.invalid = false;
    authorityMoved(before, moment, {});
}

bool ElectionTrack::lose(Resource resource, const Moment &moment, bool told)
{
    Part *own = part(resource);
    if (!own)
        return m_parts.empty();
    const auto place = own - m_parts.data();
    if (m_parts.size() == 1 && told && recordHolder() && !m_said.stopped && !(m_e.state == State::Invalid && forLife()))
        stop("gone", moment);
    own->source->unproven.erase(this);
    m_parts.erase(m_parts.begin() + place);
    if (!forLife())
        m_e.records.erase(m_e.records.begin() + place);
    m_rawIsOld = true;
    if (m_parts.empty())
        return true;
    m_e.kind = kindOf(m_parts);
    m_e.createdAt = m_parts.front().createdAt;
    if (const auto holder = recordHolder())
        m_lastHolder = holder;
    return false;
}

void ElectionTrack::unverify(Boot at)
{
    for (Part &part : m_parts)
        part.trail.unverify(at);
    m_said.late = m_said.stuck = false;
}

std::optional<std::string> ElectionTrack::recordHolder() const
{
    if (m_parts.empty())
        return {};
    if (!forLife())
        return knownHolder(m_e.records.front());
    return ownerDefect(m_e.owners).empty() ? std::optional(m_e.owners.front().name) : std::nullopt;
}

std::string ElectionTrack::podName() const
{
    const auto holder = recordHolder();
    return !holder ? std::string() : forLife() ? *holder : podNameOf(*holder);
}

std::vector<std::string> ElectionTrack::podsOfInterest() const
{
    std::vector<std::string> names;
    if (auto own = podName(); !own.empty())
        names.push_back(std::move(own));
    if (!m_e.changes.empty() && m_e.changes.back().from)
        names.push_back(forLife() ? *m_e.changes.back().from : podNameOf(*m_e.changes.back().from));
    return names;
}

Terms ElectionTrack::terms() const
{
    const auto seconds = leaseSeconds(m_e.records.front());
    return {seconds ? std::optional<Duration>(std::chrono::seconds(*seconds)) : std::nullopt, m_e.rhythm, m_tolerance};
}

Duration ElectionTrack::askAfter() const
{
    constexpr Duration usual = std::chrono::seconds(15);
    if (forLife() || m_parts.empty())
        return usual;
    const Terms own = terms();
    return own.rhythm && own.lease ? lateAfter(*own.lease, own.rhythm) : own.lease.value_or(usual);
}

// ---- judging ------------------------------------------------------------------------------------------------------------------

void ElectionTrack::refresh(const Now &now)
{
    if (m_parts.empty())
        return;
    m_e.freshness = Freshness::Live;
    for (Part &part : m_parts) {
        const Stream &stream = part.source->stream;
        const Freshness own = stream.shown().freshness;
        if (rank(own) > rank(m_e.freshness))
            m_e.freshness = own;
        part.trail.setViewStale(stream.blind());
        if (stream.toldUntil() && isTold(part, m_e.key) && part.trail.isFollowed(stream))
            part.trail.confirm(*stream.toldUntil());
    }
    const State before = m_e.state;
    if (forLife())
        judgeLife(now);
    else
        judgeRecords(now);
    const Observed &seen = m_parts.front().trail.seen();
    m_e.firstSeen = seen.firstSeen;
    m_e.changedNotBefore = seen.changedNotBefore;
    m_e.changedNotAfter = seen.changedNotAfter;
    m_e.confirmedAt = seen.confirmedAt;
    m_e.pod = m_pods.pod;
    m_e.podsReadable = m_pods.readable;
    sayState(before, now);
}

void ElectionTrack::judgeRecords(const Now &now)
{
    const Record &own = m_e.records.front();
    const Observed &seen = m_parts.front().trail.seen();
    judgeAgreement(now);
    const auto holder = knownHolder(own);
    m_e.holder = m_e.disagrees ? std::nullopt : holder;
    m_e.duration = leaseSeconds(own);
    m_e.acquiredAt = own.acquireTime;
    m_e.renewedAt = own.renewTime;
    m_e.transitions = own.transitions;
    m_e.defects.clear();
    for (const Record &record : m_e.records)
        m_e.defects.insert(m_e.defects.end(), record.defects.begin(), record.defects.end());
    const Terms under = terms();
    m_e.expiresAt.reset();
    if (const auto last = lastPossibleChange(seen); holder && under.lease && last)
        m_e.expiresAt = *last + *under.lease;
    if (seen.viewStale)
        m_e.state = State::Stale;
    else if (isBroken(own))
        m_e.state = State::Invalid;
    else if (isFree(own))
        m_e.state = State::Released;
    else
        m_e.state = stateOf(seen, under, now.boot);
    if (!holder && leads(m_e.state))
        m_e.state = State::Unverified; // it changes, but nobody knows who has it
}

void ElectionTrack::judgeAgreement(const Now &now)
{
    const auto differs = [&] {
        for (const Part &part : m_parts) {
            if (part.trail.seen().viewStale || part.trail.isMissed())
                return false;
        }
        return std::any_of(m_e.records.begin() + 1, m_e.records.end(), [&](const Record &record) {
            return !isBroken(record) && record.holder.value_or("") != m_e.records.front().holder.value_or("");
        });
    };
    if (m_parts.size() < 2 || !differs()) {
        m_e.disagrees = false;
        m_disagreesSince.reset();
        return;
    }
    if (!m_disagreesSince)
        m_disagreesSince = now.boot;
    m_e.disagrees = now.boot >= *m_disagreesSince + disagreesAfter;
}

std::optional<Boot> ElectionTrack::disagreementDue() const
{
    return m_disagreesSince && !m_e.disagrees ? std::optional(*m_disagreesSince + disagreesAfter) : std::nullopt;
}

void ElectionTrack::judgeLife(const Now & /*now*/)
{
    const std::string_view defect = ownerDefect(m_e.owners);
    m_e.dataUnseen = m_parts.front().dataUnknown;
    m_e.holder = recordHolder();
    m_e.acquiredAt = m_e.createdAt;
    m_e.defects.clear();
    if (!defect.empty() && !m_e.dataUnseen)
        m_e.defects.push_back({m_e.key.name, "ownerReferences", std::string(defect)});
    if (m_parts.front().trail.seen().viewStale)
        m_e.state = State::Stale;
    else if (!defect.empty()) // with data it is an ordinary ConfigMap, whoever owns it
        m_e.state = m_e.dataUnseen ? State::Unverified : State::Invalid;
    else
        m_e.state = lifeState(m_e.owners.front(), m_pods);
}

std::optional<Boot> ElectionTrack::nextMoment(Boot now) const
{
    if (m_parts.empty() || forLife())
        return {};
    auto next = disagreementDue();
    if (!knownHolder(m_e.records.front()))
        return next;
    const auto consider = [&next](const std::optional<Boot> &at) {
        if (at && (!next || *at < *next))
            next = at;
    };
    consider(election::nextMoment(m_parts.front().trail.seen(), terms(), now));
    consider(LateLocks::nextSight(ranOutAt(), now));
    return next;
}

std::optional<Boot> ElectionTrack::ranOutAt() const
{
    return m_e.state == State::Expired || m_e.state == State::Stuck ? m_e.expiresAt : std::nullopt;
}

std::optional<Boot> ElectionTrack::doubtSince(Boot now) const
{
    if (m_parts.empty())
        return {};
    for (const Part &part : m_parts) {
        if (part.doubted)
            return part.sightAt;
    }
    if (forLife() || !knownHolder(m_e.records.front()))
        return {};
    return election::doubtSince(m_parts.front().trail.seen(), terms(), now);
}

const Election &ElectionTrack::election()
{
    if (!m_parts.empty()) {
        m_e.lastContact = m_parts.front().source->stream.state().lastContact;
        if (m_rawIsOld)
            describe();
    }
    return m_e;
}

// Only when somebody looks: records change much more often.
void ElectionTrack::describe()
{
    m_rawIsOld = false;
    if (forLife()) {
        m_e.raw = ownersText(m_e.owners);
        return;
    }
    if (m_e.records.size() == 1) {
        m_e.raw = indented(m_e.records.front().raw);
        return;
    }
    std::string all = "{";
    for (const Record &record : m_e.records) {
        all += all.size() > 1 ? ",\"" : "\"";
        all += code(record.resource);
        all += "\":" + (record.raw.empty() || isBroken(record) ? "null" : record.raw);
    }
    m_e.raw = indented(all + "}");
}

} // namespace switchyard::election
