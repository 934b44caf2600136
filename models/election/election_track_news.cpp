// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What changes of a record mean for who leads, and what is said of it.
#include "models/election/election_track.h"
#include "models/election/lock_record.h"
#include "models/events/event_id.h"
#include "models/events/pod_evidence.h"

#include <algorithm>

namespace switchyard::election {

namespace {

constexpr std::size_t mostRenewals = 512, mostChanges = 256;
constexpr Duration evidenceHolds = std::chrono::minutes(2);

template<class T>
void bound(std::vector<T> &items, std::size_t most)
{
    if (items.size() > most)
        items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(most / 8));
}

void addOnce(std::vector<std::string> &texts, const std::string &text)
{
    if (std::find(texts.begin(), texts.end(), text) == texts.end())
        texts.push_back(text);
}

// By the holder's own clock it was not renewed for so long; that does not depend on when we were told.
bool shows(const Record &first, const Record &next, Duration limit)
{
    return first.renewTime && next.renewTime && *next.renewTime - *first.renewTime > limit;
}

} // namespace

Moment ElectionTrack::momentOf(const Now &now) const
{
    return {now, m_parts.empty() ? std::string() : m_parts.front().version, std::nullopt, std::nullopt, false};
}

void ElectionTrack::say(EventCode type, std::map<std::string, std::string> detail, const Moment &moment, std::string_view extra)
{
    if (!m_sink || m_e.noise || moment.first)
        return;
    Event event;
    event.type = type;
    event.id = eventId(m_parts.empty() ? std::string() : m_parts.front().uid, moment.version, type, extra);
    event.cluster.context = m_e.key.context;
    event.cluster.ns = m_e.key.ns;
    event.at = moment.at();
    event.wall = moment.seen.wall;
    event.object = m_e.key.name;
    event.resourceVersion = moment.version;
    event.detail = std::move(detail);
    event.detail["election"] = code(m_e.kind);
    event.notBefore = moment.sinceWall();
    m_sink->push_back(std::move(event));
}

HolderChange &ElectionTrack::push(HolderChange change, const Moment &moment)
{
    change.at = moment.at();
    change.wall = moment.seen.wall;
    change.notBefore = moment.sinceWall();
    change.transitions = forLife() || m_e.records.empty() ? std::nullopt : m_e.records.front().transitions;
    const auto about = !change.from ? std::string() : forLife() ? *change.from : podNameOf(*change.from);
    for (const Heard &heard : m_heard) {
        if (moment.at() - heard.at <= evidenceHolds && (!heard.about || *heard.about == about))
            addOnce(change.evidence, heard.text);
    }
    std::erase_if(m_heard, [&](const Heard &heard) { return !heard.about || moment.at() - heard.at > evidenceHolds; });
    m_e.changes.push_back(std::move(change));
    bound(m_e.changes, mostChanges);
    return m_e.changes.back();
}

// moment.first: a state, not news.
void ElectionTrack::firstSight(const Moment &moment)
{
    const auto holder = recordHolder();
    m_lastHolder = holder;
    m_leaderlessSince.reset();
    saidAnew();
    if (!holder || (!m_e.changes.empty() && m_e.changes.back().to == holder))
        return;
    if (!m_e.changes.empty() && m_e.changes.back().kind == ChangeKind::FirstSeen)
        m_e.changes.pop_back(); // its other record was seen first
    push({ChangeKind::FirstSeen, std::nullopt, holder, {}, {}, {}, {}, {}, {}}, moment);
}

void ElectionTrack::saidAnew()
{
    m_said.late = m_said.stopped = m_said.stuck = false;
    m_said.fates.clear();
}

void ElectionTrack::authorityMoved(const Record &before, const Moment &moment, const Observed &seen)
{
    if (moment.first) {
        firstSight(moment);
        return;
    }
    const auto was = knownHolder(before), is = recordHolder();
    const Record *next = forLife() ? nullptr : &m_e.records.front();
    if (was && next)
        sayOverdue(before, *next, moment, seen);
    const bool ended = was && m_said.stopped;
    saidAnew();
    if (!is) {
        if (was && !ended && next && isFree(*next))
            stop("released", moment);
        return;
    }
    const bool anew = next && was == is
        && ((before.transitions && next->transitions && before.transitions != next->transitions)
            || (moment.since && before.acquireTime && next->acquireTime && before.acquireTime != next->acquireTime));
    if (was == is && !ended && !anew && next)
        renewed(moment, seen);
    else
        taken(*is, moment);
}

void ElectionTrack::renewed(const Moment &moment, const Observed &seen)
{
    const auto last = seen.changedNotAfter;
    const bool exact = last && seen.changedNotBefore == last && !moment.since && !moment.underWaySince;
    m_e.renewals.push_back({moment.at(), moment.seen.wall, exact ? std::optional(moment.at() - *last) : std::nullopt});
    bound(m_e.renewals, mostRenewals);
    m_e.rhythm = rhythmOf(m_e.renewals);
}

// It had been late, or had expired, before this change: told now if nobody was told yet.
void ElectionTrack::sayOverdue(const Record &before, const Record &next, const Moment &moment, const Observed &seen)
{
    const auto seconds = leaseSeconds(before);
    const auto last = lastPossibleChange(seen);
    if (!seconds || !last || moment.since || moment.underWaySince)
        return;
    const Duration lease = std::chrono::seconds(*seconds), silent = moment.at() - *last;
    const Duration late = lateAfter(lease, m_e.rhythm);
    const auto is = knownHolder(next), was = knownHolder(before);
    const bool other = is && is != was;
    const auto outlasted = [&](Duration limit) {
        return silent > limit && (other || shows(before, next, limit) || (seen.confirmedAt && *seen.confirmedAt > *last + limit));
    };
    if (!m_said.late && seen.changedNotAfter && outlasted(late) && !isFree(next)) {
        m_said.late = true;
        Moment then = moment;
        then.version = m_versionBefore;
        say(EventCode::ElectionLate, {{"holder", *was}, {"seconds", secondsText(other ? late : silent)}}, then);
    }
    if (m_said.stopped || !outlasted(lease))
        return;
    Moment then = moment;
    then.version = m_versionBefore;
    m_lastHolder = was;
    expire(seen, lease, std::move(then));
}

// The last time that it may have been renewed is known; this is the first one.
Boot ElectionTrack::renewedNotBefore(const Observed &seen, const Now &now) const
{
    if (seen.changedNotAfter)
        return seen.changedNotBefore.value_or(*seen.changedNotAfter);
    // Never seen to be: it may have been left behind at any time since it is there, or since others of its records were seen.
    const Instant known = m_e.renewals.empty() ? m_e.createdAt.value_or(Instant{}) : m_e.renewals.back().wall;
    return std::min(now.boot - (now.wall - known), seen.firstSeen.value_or(now.boot));
}

// It ran out by then at the latest.
void ElectionTrack::expire(const Observed &seen, Duration lease, Moment then)
{
    const Now now = then.seen;
    const Boot latest = lastPossibleChange(seen).value_or(now.boot) + lease, earliest = renewedNotBefore(seen, now) + lease;
    then.seen = {latest, now.toWall(latest)};
    if (earliest < latest || !seen.changedNotAfter)
        then.since = earliest;
    stop("expired", then);
}

void ElectionTrack::taken(const std::string &to, const Moment &moment)
{
    HolderChange change;
    change.from = m_lastHolder;
    change.to = to;
    change.kind = !m_lastHolder ? ChangeKind::FirstSeen : *m_lastHolder == to ? ChangeKind::Retaken : ChangeKind::TakenOver;
    if (m_leaderlessSince && !moment.since && !m_leaderlessHidden)
        change.gap = std::max(Duration(0), moment.at() - *m_leaderlessSince);
    m_leaderlessSince.reset();
    m_leaderlessHidden = false;
    m_lastHolder = to;
    m_e.renewals.push_back({moment.at(), moment.seen.wall, std::nullopt});
    bound(m_e.renewals, mostRenewals);
    const HolderChange &told = push(std::move(change), moment);
    std::map<std::string, std::string> detail{{"to", to}, {"how", std::string(code(told.kind))}};
    if (told.from)
        detail["from"] = *told.from;
    if (told.gap)
        detail["gap"] = decimalText(*told.gap);
    if (told.transitions)
        detail["transitions"] = std::to_string(*told.transitions);
    say(EventCode::ElectionLeader, std::move(detail), moment);
}

// how: released, expired, gone, or the state of the Pod of a leader for life.
void ElectionTrack::stop(std::string_view how, const Moment &moment)
{
    m_said.stopped = true;
    m_leaderlessSince = moment.at();
    m_leaderlessHidden = moment.since.has_value();
    const auto holder = m_lastHolder;
    if (!holder)
        return;
    HolderChange change;
    change.from = holder;
    change.kind = how == "released"                                ? ChangeKind::Released
        : how == "gone" || how == "orphaned" || how == "recreated" ? ChangeKind::Gone
                                                                   : ChangeKind::Expired;
    push(std::move(change), moment);
    say(EventCode::ElectionStopped, {{"holder", *holder}, {"how", std::string(how)}}, moment, how);
}

void ElectionTrack::sayState(State before, const Now &now)
{
    const Part &own = m_parts.front();
    const Observed &seen = own.trail.seen();
    const auto holder = recordHolder();
    const Moment moment = momentOf(now);
    const auto silent = [&] { return secondsText(now.boot - lastPossibleChange(seen).value_or(now.boot)); };
    if (m_e.disagrees != m_said.disagrees)
        sayAgreement(now);
    if (m_e.state == State::Invalid && !std::exchange(m_said.invalid, true) && seen.changedNotAfter)
        say(EventCode::ElectionInvalid, {{"reason", m_e.defects.empty() ? "" : m_e.defects.front().detail}}, moment);
    if (m_e.state != State::Invalid && m_e.state != State::Stale)
        m_said.invalid = false;
    if (!holder)
        return;
    if (forLife()) {
        sayLife(before, moment);
        return;
    }
    if (m_e.state == State::Late && !std::exchange(m_said.late, true))
        say(EventCode::ElectionLate, {{"holder", *holder}, {"seconds", silent()}}, moment);
    if ((m_e.state == State::Expired || m_e.state == State::Stuck) && !m_said.stopped) {
        m_lastHolder = holder;
        expire(seen, terms().lease.value_or(Duration(0)), moment);
    }
    if (m_e.state == State::Stuck && !std::exchange(m_said.stuck, true))
        say(EventCode::ElectionStuck, {{"holder", *holder}, {"seconds", silent()}}, moment);
}

// That it stopped leading is said once, with what its Pod was then; what becomes of the Pod after that once each.
void ElectionTrack::sayLife(State before, const Moment &moment)
{
    const bool over = m_pods.pod && (m_pods.pod->phase == "Failed" || m_pods.pod->phase == "Succeeded");
    if (leads(m_e.state)) {
        if (over)
            return; // it is being deleted, and had ended before
        m_lastHolder = recordHolder();
        m_led = true;
        m_said.stopped = false;
        m_said.fates.clear();
        return;
    }
    const bool ended = troubled(m_e.state) && m_e.state != State::Invalid;
    if (!ended || m_e.state == before)
        return;
    if (!m_said.stopped && std::exchange(m_led, false)) {
        stop(code(m_e.state), moment);
        m_said.fates = {m_e.state};
    } else if (!m_said.stopped) {
        m_said.stopped = true; // it had ended before we looked
    } else if (!m_said.fates.empty() && m_said.fates.insert(m_e.state).second) {
        say(EventCode::ElectionPod, {{"holder", m_lastHolder.value_or("")}, {"how", std::string(code(m_e.state))}}, moment,
            code(m_e.state));
    }
}

void ElectionTrack::sayAgreement(const Now &now)
{
    const bool disagrees = m_said.disagrees = m_e.disagrees;
    const bool blind = std::any_of(m_parts.begin(), m_parts.end(), [](const Part &part) { return part.trail.seen().viewStale; });
    const bool changed = std::any_of(m_parts.begin(), m_parts.end(),
                                     [](const Part &part) { return part.trail.seen().changedNotAfter.has_value(); });
    if (blind || !changed)
        return;
    std::map<std::string, std::string> detail;
    std::string extra;
    for (const Part &part : m_parts) {
        extra += part.version + '/';
        const auto &holder = m_e.records.at(static_cast<std::size_t>(&part - m_parts.data())).holder;
        detail[part.resource == Resource::Leases ? "lease" : "annotation"] = holder.value_or("");
    }
    say(disagrees ? EventCode::ElectionDisagreement : EventCode::ElectionAgreement, std::move(detail), momentOf(now), extra);
}

// ---- evidence -----------------------------------------------------------------------------------------------------------------

void ElectionTrack::evidence(const std::string &text, const std::optional<std::string> &about, Boot at)
{
    if (!m_e.changes.empty()) {
        HolderChange &last = m_e.changes.back();
        const auto pod = !last.from ? std::string() : forLife() ? *last.from : podNameOf(*last.from);
        if (about && *about == pod && at - last.at <= evidenceHolds) {
            addOnce(last.evidence, text);
            return;
        }
    }
    m_heard.push_back({text, about, at});
    bound(m_heard, 16);
}

void ElectionTrack::elect(const KubeObject &event, const Moment &moment)
{
    const EventFacts &facts = *event.event;
    const std::string message = shortMessage(facts.message), text = "Event " + facts.reason + ": " + message;
    const auto names = [&](const std::optional<std::string> &holder) { return holder && facts.message.starts_with(*holder); };
    const bool stopped = facts.message.find("stopped") != std::string::npos;
    const auto change = std::find_if(m_e.changes.rbegin(), m_e.changes.rend(),
                                     [&](const HolderChange &c) { return stopped ? names(c.from) : names(c.to); });
    if (change != m_e.changes.rend())
        addOnce(change->evidence, text);
    else if (!moment.first)
        m_heard.push_back({text, std::nullopt, moment.at()});
    bound(m_heard, 16);
    if (!m_sink || m_e.noise || moment.first)
        return;
    std::map<std::string, std::string> detail{{"reason", facts.reason}, {"message", message}};
    if (const auto holder = recordHolder())
        detail["holder"] = *holder;
    if (!facts.source.empty())
        detail["source"] = facts.source;
    say(EventCode::ElectionEvidence, std::move(detail), moment);
    m_sink->back().id = eventId(event.uid, event.resourceVersion, EventCode::ElectionEvidence, m_e.key.name);
}

} // namespace switchyard::election
