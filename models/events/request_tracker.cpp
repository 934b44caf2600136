// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/request_tracker.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;
using std::chrono::seconds;

namespace {

constexpr std::size_t keptReports = 200, keptRevisable = 4;
constexpr Duration judging = std::chrono::seconds(3); // from the renewal to the end of what a leader refuses

bool isScheduled(const FailoverRequest &r)
{
    return r.schedule != FailoverRequest::Schedule::None;
}

bool sameKeys(const FailoverRequest &a, const FailoverRequest &b)
{
    return a.leader == b.leader && a.member == b.member && a.scheduledAtRaw == b.scheduledAtRaw;
}

} // namespace

RequestTracker::Change RequestTracker::changed(const std::optional<FailoverRequest> &request, const std::string &uid, const Moment &moment,
                                               const RequestScene &scene)
{
    Change change;
    const bool set = request && request->pending();
    m_config = scene.config;
    m_now = moment.seen;
    const bool open = m_active && !m_active->cleared;
    if (open && set && sameKeys(*request, m_active->request)) {
        setInvisible(scene.invisible);
        return change;
    }
    if (open && set && isOwnRewrite(*request)) {
        m_active->request = *request;
        return change;
    }
    if (open) {
        change.cleared = m_reports.size() - 1;
        if (set && !m_active->leaderMoved)
            finish(Outcome::Superseded, moment);
        else
            clear(moment, scene);
    }
    if (set) {
        if (m_active) // cleared while nobody led, and now there is another one: nobody will ever know
            decideUnmoved(m_active->clearedAt);
        this->open(*request, uid, moment, scene);
        change.written = m_reports.size() - 1;
    }
    return change;
}

void RequestTracker::setSeen(bool seen)
{
    if (m_active && !m_active->cleared)
        setInvisible(!seen);
}

void RequestTracker::setInvisible(bool invisible)
{
    if (current().invisible == invisible)
        return;
    current().invisible = invisible;
    m_dirty = true;
    update(m_now);
}

// Every member that reads it fails on it.
bool RequestTracker::isOutage() const
{
    return current().request.schedule == FailoverRequest::Schedule::Unparsable && !current().invisible;
}

// Paused and both members named: the winner rewrites the request to the candidate alone and clears that after promotion.
bool RequestTracker::isOwnRewrite(const FailoverRequest &next) const
{
    return m_active->leaderMoved && !next.leader && next.member && next.member == current().request.member && !isScheduled(next);
}

void RequestTracker::open(const FailoverRequest &request, const std::string &uid, const Moment &moment, const RequestScene &scene)
{
    if (m_reports.size() >= keptReports) {
        m_reports.erase(m_reports.begin());
        m_revisable.clear();
        m_following.clear();
        m_carriedOut.clear();
    }
    RequestReport report;
    report.id = uid + ':' + moment.version;
    report.request = request;
    report.kind = request.isSwitchover() ? RequestKind::Switchover : RequestKind::Failover;
    report.leaderBefore = scene.lastHolder;
    report.timelineBefore = scene.timeline;
    report.seenAt = moment.at();
    report.seenWall = moment.seen.wall;
    if (request.scheduledAt)
        report.dueAt = moment.at() + (*request.scheduledAt - moment.seen.wall);
    else if (!isScheduled(request))
        report.dueAt = moment.at();
    report.certain = !moment.since;
    report.invisible = scene.invisible;
    report.writtenBefore = moment.first;
    if (moment.first && !scene.holder) { // leaderless at first sight: who led can only be taken from the request
        report.leaderBefore = report.leaderBefore ? report.leaderBefore : request.leader;
        report.certain = false;
    }
    m_reports.push_back(std::move(report));
    m_tooLate.reset();
    m_active = Active{};
    m_active->version = moment.version;
    m_active->request = request;
    m_unpausedAt.reset();
    update(moment.seen);
    m_dirty = true;
}

void RequestTracker::clear(const Moment &moment, const RequestScene &scene)
{
    m_active->cleared = true;
    m_active->clearedAt = moment;
    ClearedState &state = m_active->state;
    state.request = current().request;
    state.since = moment.sinceWall();
    state.wall = moment.seen.wall;
    state.version = moment.version;
    state.holder = scene.holder;
    state.config = scene.config;
    state.sync = scene.sync;
    state.optime = scene.optime;
    state.timeline = scene.timeline;
    state.byLeader = clearedByLeader(moment, scene);
    state.lookedAt = hadLooked(moment);
    state.byTaker = m_active->retakenAt && scene.renewedAt == m_active->retakenAt;
    if (moment.since)
        current().certain = false;
    decide(moment);
    m_dirty = true;
}

// A leader judges a request once a loop, right after it renewed the lock; when it is due soon, it waits for that. To ask the candidates
// takes it up to two seconds, when one of them does not answer (fetch_node_status: timeout=2).
bool RequestTracker::clearedByLeader(const Moment &moment, const RequestScene &scene) const
{
    const RequestReport &report = current();
    // Of what was written just before the renewal the leader did not know yet when it began this loop.
    constexpr auto known = std::chrono::milliseconds(200);
    if (!scene.renewedAt || !report.seenAt || *scene.renewedAt <= *report.seenAt + known)
        return false;
    const Boot judged = report.dueAt ? std::max(*scene.renewedAt, *report.dueAt) : *scene.renewedAt;
    return moment.at() >= judged && moment.at() - judged <= judging;
}

// When it was due, and not stale yet: it would have begun to carry it out.
bool RequestTracker::hadLooked(const Moment &moment) const
{
    const auto &looked = m_active->lookedAt;
    return looked && !moment.since && *looked - *current().dueAt <= staleAfter(m_config);
}

void RequestTracker::renewed(Boot at)
{
    if (m_active && !m_active->cleared && !m_config.paused && !m_active->lookedAt && current().dueAt && at > *current().dueAt)
        m_active->lookedAt = at;
    if (m_tooLate && ++m_tooLate->renewals > 2)
        m_tooLate.reset();
}

// The leader had looked before the request was taken away.
void RequestTracker::carryOut(const Moment &moment)
{
    TooLate late = *std::exchange(m_tooLate, std::nullopt);
    const auto due = m_reports[late.index].request.scheduledAt;
    if (m_active || late.index + 1 != m_reports.size() || moment.since || (due && moment.seen.wall < *due))
        return;
    late.active.state.byLeader = false; // that was a guess
    m_carriedOut.push_back({late.index, late.active.state, m_reports[late.index]});
    reopen(std::move(late));
}

void RequestTracker::reopen(TooLate late)
{
    RequestReport &report = m_reports[late.index];
    std::erase_if(m_revisable, [&](const Revisable &r) { return r.index == late.index; });
    report.reason.reset();
    report.decidedAt.reset();
    report.decidedWall.reset();
    m_active = std::move(late.active);
}

void RequestTracker::released(const Moment &moment)
{
    endFollowing(moment);
    if (m_tooLate)
        carryOut(moment);
    else if (m_active && m_active->cleared)
        return;
    if (!m_active || current().invisible)
        return;
    m_now = moment.seen;
    current().releasedAt = moment.at();
    current().releasedWall = moment.seen.wall;
    if (moment.since)
        current().certain = false;
    update(moment.seen);
}

void RequestTracker::taken(const std::string &by, const Moment &moment, std::optional<Instant> takeTime, bool stepDownSeen,
                           const RequestScene &scene)
{
    endFollowing(moment);
    if (endSeenFirst(moment.version) && by != current().leaderBefore)
        reopen(*m_tooLate);
    m_tooLate.reset();
    if (!m_active || current().invisible)
        return;
    m_now = moment.seen;
    RequestReport &report = current();
    // A leader that renews its own expired lock never stepped down.
    if (by == report.leaderBefore && !stepDownSeen) {
        m_active->retakenAt = moment.at();
        return;
    }
    m_active->leaderMoved = true;
    if (!m_active->firstTake)
        m_active->firstTake = takeTime.value_or(moment.seen.wall);
    report.newLeader = by;
    report.takenAt = moment.at();
    report.certain = report.certain && !moment.since;
    if (scene.timeline && report.timelineBefore && *scene.timeline > *report.timelineBefore)
        report.newTimeline = scene.timeline;
    m_following.push_back({m_reports.size() - 1, moment.version, std::nullopt, {}});
    if (m_following.size() > keptRevisable)
        m_following.erase(m_following.begin());
    update(moment.seen);
    decide(moment);
}

// Its end is seen by a stream of its own, which may be faster than the one that tells of the lock: what counts is which was written first.
bool RequestTracker::endedBefore(const Active &active, const std::string &version)
{
    if (!active.cleared)
        return false;
    const auto order = compareVersions(active.clearedAt.version, version);
    return !order || *order <= 0;
}

// It was taken for refused, but what the leader object tells with this version came first.
bool RequestTracker::endSeenFirst(const std::string &version) const
{
    return m_tooLate && !m_active && m_tooLate->index + 1 == m_reports.size() && !endedBefore(m_tooLate->active, version);
}

const RequestReport *RequestTracker::explains(const std::optional<std::string> &from, Instant takeTime, const std::string &version) const
{
    if (!(m_active ? !endedBefore(*m_active, version) : endSeenFirst(version)) || current().invisible)
        return nullptr;
    const RequestReport &report = current();
    const FailoverRequest &r = report.request;
    const bool due = !isScheduled(r) || (r.scheduledAt && takeTime >= *r.scheduledAt);
    return due && (!r.leader || !from || r.leader == from) ? &report : nullptr;
}

void RequestTracker::timelineSeen(std::int64_t timeline, const Moment &moment)
{
    if (m_reports.empty())
        return;
    RequestReport &report = current();
    const bool grew = !report.timelineBefore || timeline > *report.timelineBefore;
    if (!report.takenAt || !grew || report.newTimeline)
        return;
    report.newTimeline = timeline;
    if (!report.promotedAt)
        report.promotedAt = moment.at();
    m_dirty = true;
}

void RequestTracker::configChanged(const DynamicConfig &config, const Moment &moment)
{
    if (m_config.paused && !config.paused)
        m_unpausedAt = moment.seen.wall;
    m_config = config;
    m_now = moment.seen;
    update(moment.seen);
}

void RequestTracker::decide(const Moment &moment)
{
    if (m_active->leaderMoved) {
        if (m_active->cleared)
            decideMoved(moment);
    } else if (m_active->cleared && !current().releasedAt) {
        decideUnmoved(moment);
    }
}

void RequestTracker::decideMoved(const Moment &moment)
{
    const RequestReport &report = current();
    const auto due = dueWall();
    if (due && *m_active->firstTake < *due)
        finish(Outcome::Erased, moment);
    else if (report.newLeader == report.leaderBefore)
        finish(Outcome::TakenBack, moment);
    else if (!report.request.member || report.request.member == report.newLeader)
        finish(Outcome::Done, moment);
    else
        finish(Outcome::DoneOther, moment);
}

void RequestTracker::decideUnmoved(const Moment &moment)
{
    const auto due = dueWall();
    const Instant cleared = m_active->state.wall;
    const bool early = due && *due - cleared > seconds(m_active->state.config.loopWait);
    if (early) {
        finish(Outcome::Cancelled, moment);
        return;
    }
    current().certain = false;
    if (current().invisible) { // whoever took it away, it was not Patroni
        current().reason = Refusal::Unknown;
        finish(Outcome::Refused, moment);
        return;
    }
    current().reason = refusalReason(m_active->state, {});
    // That it was the leader who took it away is a guess.
    const bool guessed = *current().reason == Refusal::Stale && m_active->state.lookedAt;
    if (*current().reason == Refusal::Unknown || *current().reason == Refusal::NoHealthyCandidate || guessed)
        m_tooLate = TooLate{m_reports.size() - 1, *m_active};
    m_revisable.push_back({m_reports.size() - 1, m_active->state});
    if (m_revisable.size() > keptRevisable)
        m_revisable.erase(m_revisable.begin());
    finish(Outcome::Refused, moment);
}

void RequestTracker::finish(Outcome outcome, const Moment &moment)
{
    current().outcome = outcome;
    current().step = RequestStep::Decided;
    current().decidedAt = moment.at();
    current().decidedWall = moment.seen.wall;
    if (moment.since)
        current().certain = false;
    m_active.reset();
    m_dirty = true;
}

std::optional<Instant> RequestTracker::dueWall() const
{
    return current().request.scheduledAt;
}

// Later than this, the leader has not looked at it.
Instant RequestTracker::pickUpLimit() const
{
    Instant from = dueWall().value_or(*current().seenWall);
    from = std::max(from, *current().seenWall);
    if (m_unpausedAt)
        from = std::max(from, *m_unpausedAt);
    return from + seconds(3 * m_config.loopWait);
}

Outcome RequestTracker::waiting(const Now &now) const
{
    const FailoverRequest &r = current().request;
    if (isOutage())
        return Outcome::Outage;
    if (m_active->cleared || m_active->leaderMoved || current().releasedAt || current().step == RequestStep::SteppingDown)
        return Outcome::Pending;
    if (isScheduled(r) && m_config.paused)
        return Outcome::KeptWhilePaused;
    return now.wall > pickUpLimit() ? Outcome::NotPickedUp : Outcome::Pending;
}

void RequestTracker::update(const Now &now)
{
    if (!m_active)
        return;
    RequestReport &report = current();
    const Outcome outcome = waiting(now);
    RequestStep step = RequestStep::Scheduled;
    if (m_active->leaderMoved)
        step = RequestStep::Promoted;
    else if (report.releasedAt)
        step = RequestStep::Leaderless;
    else if (report.step == RequestStep::SteppingDown)
        step = report.step;
    else if (report.request.schedule == FailoverRequest::Schedule::NoOffset || (report.dueAt && *report.dueAt <= now.boot))
        step = RequestStep::Due;
    m_dirty = m_dirty || outcome != report.outcome || step != report.step;
    report.outcome = outcome;
    report.step = step;
}

void RequestTracker::advance(const Now &now)
{
    m_now = now;
    update(now);
}

std::optional<Boot> RequestTracker::deadline(Boot now) const
{
    if (!m_active || m_active->cleared || m_active->leaderMoved)
        return std::nullopt;
    std::optional<Boot> next;
    const auto consider = [&](Boot t) {
        if (t > now && (!next || t < *next))
            next = t;
    };
    if (current().dueAt)
        consider(*current().dueAt);
    if (!isOutage())
        consider(m_now.boot + (pickUpLimit() - m_now.wall) + Duration(1));
    return next;
}

void RequestTracker::membersChanged(const MembersPast &members)
{
    for (const Revisable &r : m_revisable) {
        const Refusal reason = refusalReason(r.state, members.asOf(r.state.version));
        if (m_reports[r.index].reason != reason) {
            m_reports[r.index].reason = reason;
            m_dirty = true;
        }
    }
    reviseCarriedOut(members);
    for (Following &following : m_following)
        seeFollowers(following, members);
    if (m_active)
        seeSteppingDown(members.now());
}

// When there was a reason to refuse it, the lock was released for another one.
void RequestTracker::reviseCarriedOut(const MembersPast &members)
{
    std::erase_if(m_carriedOut, [&](CarriedOut &c) {
        const Refusal reason = refusalReason(c.state, members.asOf(c.state.version));
        if (reason == Refusal::Unknown)
            return false;
        if (m_active && c.index + 1 == m_reports.size())
            m_active.reset();
        c.refused.reason = reason;
        m_reports[c.index] = c.refused;
        std::erase_if(m_following, [&](const Following &f) { return f.index == c.index; });
        m_dirty = true;
        return true;
    });
    if (m_carriedOut.size() > keptRevisable)
        m_carriedOut.erase(m_carriedOut.begin());
}

// A leader that steps down first says that PostgreSQL stops, or ceases to say where its WAL ends. One that says that it runs again
// had other reasons.
void RequestTracker::seeSteppingDown(const MembersAsOf &now)
{
    RequestReport &report = current();
    const bool open = report.step == RequestStep::Due || report.step == RequestStep::SteppingDown;
    if (m_active->cleared || !open || !report.leaderBefore)
        return;
    const MemberFact *leader = now.find(*report.leaderBefore);
    const auto order = leader ? compareVersions(leader->moment.version, m_active->version) : std::nullopt;
    if (!order || *order <= 0 || !leader->reported)
        return;
    const bool stops = leader->role == "demoted" || leader->state == "stopping" || !leader->position;
    const RequestStep step = stops ? RequestStep::SteppingDown : RequestStep::Due;
    m_dirty = m_dirty || step != report.step;
    report.step = step;
    report.outcome = waiting(m_now);
}

void RequestTracker::seeFollowers(Following &following, const MembersPast &members)
{
    RequestReport &report = m_reports[following.index];
    const bool standby = m_config.standbyCluster; // has no timeline of its own
    const auto counts = [&](const MemberFact &m) {
        return !m.gone && m.name != report.newLeader && m.streams()
            && (standby || (report.newTimeline && m.timeline == report.newTimeline));
    };
    for (const MemberFact *fact : members.between(following.from, following.to)) {
        if (counts(*fact))
            following.followers.insert(fact->name);
    }
    const MembersAsOf then = following.to ? members.asOf(*following.to) : members.now();
    int replicas = 0;
    for (const MemberFact &m : then.members)
        replicas += m.name != report.newLeader ? 1 : 0;
    const int streaming = static_cast<int>(following.followers.size());
    replicas = std::max(replicas, streaming);
    m_dirty = m_dirty || streaming != report.streaming || replicas != report.replicas;
    report.streaming = streaming;
    report.replicas = replicas;
}

// Leadership moves on: what members say from now on belongs to the next leader.
void RequestTracker::endFollowing(const Moment &moment)
{
    for (Following &following : m_following) {
        if (!following.to)
            following.to = moment.version;
    }
}

} // namespace switchyard
