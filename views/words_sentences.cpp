// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole sentences: what happened, what was asked, how it stands.
#include "models/items/fleet_values.h"
#include "views/words.h"
#include "views/words_elections.h"
#include "views/words_episodes.h"
#include "views/words_pods.h"
#include "views/words_tr.h"

#include <QStringList>

#include <algorithm>

namespace switchyard::views {

using namespace patroni;
using namespace Qt::StringLiterals;

namespace {

QString orUnknown(const std::optional<std::string> &s)
{
    return s ? text(*s) : unknownText();
}

QString firstDetail(const Event &event, std::initializer_list<const char *> keys)
{
    for (const char *key : keys)
        if (QString value = detail(event, key); !value.isEmpty())
            return value;
    return {};
}

QString fromTo(const QString &from, const QString &to)
{
    if (from.isEmpty() && to.isEmpty())
        return {};
    const QString nothing = Words::tr("nothing", "old or new value is empty");
    return Words::tr("from %1 to %2").arg(from.isEmpty() ? nothing : from, to.isEmpty() ? nothing : to);
}

QString fromTo(const Event &event)
{
    return fromTo(firstDetail(event, {"from", "old"}), firstDetail(event, {"to", "new"}));
}

QString withDetail(const QString &head, const QString &tail)
{
    return tail.isEmpty() ? head : head + u": "_s + tail;
}

QString leaderEvent(const Event &event)
{
    const QString from = firstDetail(event, {"from", "old"}), to = firstDetail(event, {"to", "new", "leader", "holder"});
    if (!from.isEmpty() && !to.isEmpty())
        return Words::tr("The leader changed from %1 to %2").arg(from, to);
    if (!to.isEmpty())
        return Words::tr("%1 leads now").arg(to);
    return from.isEmpty() ? Words::tr("The leader changed") : Words::tr("%1 leads no more").arg(from);
}

QString lockEvent(const Event &event)
{
    const QString who = firstDetail(event, {"holder", "leader", "member", "to", "from"}), seconds = detail(event, "seconds");
    const QString holder = who.isEmpty() ? Words::tr("the leader") : who;
    switch (event.type) {
    case EventCode::LockReleased: return Words::tr("The lock was released by %1").arg(holder);
    case EventCode::LockExpired: return Words::tr("The lock of %1 expired").arg(holder);
    case EventCode::LockAcquired: return Words::tr("The lock was taken by %1").arg(holder);
    default: break;
    }
    if (!detail(event, "renewed").isEmpty())
        return Words::tr("%1 renewed its lock late, after %2 s of a ttl of %3 s").arg(holder, seconds, detail(event, "ttl"));
    return seconds.isEmpty() ? Words::tr("The lock renewal of %1 is late").arg(holder)
                             : Words::tr("The lock renewal of %1 is late: none for %2 s").arg(holder, seconds);
}

// What its status says, and whether its Pod runs; only what is another than before.
QString stateChange(const Event &event)
{
    const auto known = [](const QString &status) { return status == "unknown unknown"_L1 ? unknownText() : status; };
    const QString was = known(detail(event, "old")), is = known(detail(event, "new")), pod = detail(event, "pod");
    QStringList parts;
    if (was != is)
        parts << fromTo(was, is);
    if (pod == "running"_L1)
        parts << Words::tr("its Pod from not running to running");
    else if (!pod.isEmpty())
        parts << Words::tr("its Pod from running to not running");
    return parts.join(u", "_s);
}

QString memberEvent(const Event &event)
{
    const QString named = detail(event, "member");
    const QString who = named.isEmpty() ? text(event.object) : named;
    if (event.type == EventCode::MemberAppeared)
        return Words::tr("%1 appeared").arg(who);
    if (event.type == EventCode::MemberLeft)
        return Words::tr("%1 left").arg(who);
    return afterSeconds(withDetail(Words::tr("State of %1 changed").arg(who), stateChange(event)), event);
}

// The words of a code found in an event's detail; the code itself when it is not known here.
template<class Enum>
QString wordsOf(const QString &found, Enum last)
{
    for (int i = 0; i <= static_cast<int>(last); ++i) {
        const std::string_view c = code(static_cast<Enum>(i));
        if (found == QLatin1StringView(c.data(), static_cast<qsizetype>(c.size())))
            return words(static_cast<Enum>(i));
    }
    return found;
}

// "ttl from 30 to 40, pause from false to true, postgresql.parameters.work_mem"
QString configEvent(const Event &event)
{
    QStringList parts;
    for (const auto &[key, value] : event.detail)
        if (const auto old = event.detail.find("old_" + key); old != event.detail.end())
            parts << Words::tr("%1 from %2 to %3").arg(text(key), text(old->second), text(value));
    const QStringList names = firstDetail(event, {"changed", "keys", "field"}).split(u',', Qt::SkipEmptyParts);
    for (const QString &name : names) {
        const std::string setting = name.section(u'.', 0, 0).toStdString();
        if (name != "other"_L1 && !event.detail.contains("old_" + setting))
            parts << name;
    }
    return withDetail(Words::tr("The dynamic configuration changed"), parts.join(u", "_s));
}

// As every other time where it is one; else as it was written.
QString scheduleText(const QString &written)
{
    const auto parsed = parseTime(written.toStdString());
    if (!parsed || !parsed->offsetSeconds)
        return u'"' + written + u'"';
    const QString local = timeText(parsed->utc);
    return local.endsWith(u"UTC"_s) ? local : Words::tr("%1 (%2)", "local time, UTC").arg(local, timeTextUtc(parsed->utc));
}

QString requestEvent(const Event &event)
{
    const QString leader = detail(event, "leader"), candidate = firstDetail(event, {"candidate", "member"});
    const QString at = firstDetail(event, {"scheduled_at", "scheduled"}), outcome = detail(event, "outcome");
    QStringList parts;
    if (!leader.isEmpty())
        parts << Words::tr("from %1").arg(leader);
    parts << (candidate.isEmpty() ? Words::tr("Patroni decides to whom") : Words::tr("to %1").arg(candidate));
    if (!at.isEmpty())
        parts << Words::tr("at %1").arg(scheduleText(at));
    if (event.type == EventCode::RequestWritten)
        return withDetail(leader.isEmpty() ? Words::tr("A failover was asked for") : Words::tr("A switchover was asked for"),
                          parts.join(u", "_s));
    const QString reason = wordsOf<Refusal>(detail(event, "reason"), Refusal::Unknown);
    const bool decided = detail(event, "decided") == "true"_L1; // that it was cleared had been said before
    const QString what = decided ? Words::tr("The outcome of the request that was cleared (%1)")
                                 : Words::tr("The request was cleared (%1)");
    return withDetail(what.arg(parts.join(u", "_s)), wordsOf<Outcome>(outcome, Outcome::Refused))
        + (reason.isEmpty() ? QString() : u". "_s + reason.chopped(1));
}

std::optional<rules::RuleCode> ruleOf(const QString &found)
{
    for (int i = 0; i <= static_cast<int>(rules::RuleCode::LiveLagOverLimit); ++i) {
        const std::string_view c = code(static_cast<rules::RuleCode>(i));
        if (found == QLatin1StringView(c.data(), static_cast<qsizetype>(c.size())))
            return static_cast<rules::RuleCode>(i);
    }
    return std::nullopt;
}

// Why Patroni would throw it away: the rules' own words, as the dialogs have them.
QString blockingWords(const Event &event)
{
    QStringList parts;
    for (const QString &found : detail(event, "rules").split(u',', Qt::SkipEmptyParts)) {
        const QString named = found.section(u'=', 0, 0), amount = found.section(u'=', 1);
        const auto rule = ruleOf(named.section(u':', 0, 0));
        if (!rule || rule == rules::RuleCode::CandidateUnfit)
            continue;
        const auto number = amount.isEmpty() ? std::nullopt : std::optional<std::uint64_t>(amount.toULongLong());
        const QString said = words(rules::Finding{*rule, rules::Severity::Blocks, named.section(u':', 1).toStdString(), number});
        parts << (said.endsWith(u'.') ? said.chopped(1) : said);
    }
    return parts.join(u"; "_s);
}

QString scheduleEvent(const Event &event)
{
    const QString candidate = firstDetail(event, {"candidate", "member"}), at = scheduleText(detail(event, "scheduled_at"));
    const QString what = candidate.isEmpty() ? Words::tr("The request scheduled for %1").arg(at)
                                             : Words::tr("The request to %1 scheduled for %2").arg(candidate, at);
    if (event.type == EventCode::SchedulePossible)
        return Words::tr("%1 is possible again").arg(what);
    if (event.type == EventCode::ScheduleSane)
        return afterSeconds(Words::tr("%1 is there no longer: its time was nobody's intent").arg(what), event);
    if (event.type == EventCode::ScheduleAbsurd)
        return detail(event, "how") == "long-past"_L1
            ? Words::tr("%1 is still there long after its time: no leader has looked at it").arg(what)
            : Words::tr("%1 is more than a year ahead: is that meant?").arg(what);
    return withDetail(Words::tr("%1 has become impossible: Patroni would not carry it out").arg(what), blockingWords(event));
}

QString connectionEvent(const Event &event)
{
    if (event.type == EventCode::ConnectionRestored)
        return Words::tr("Connection to %1 restored").arg(text(event.cluster.context));
    return withDetail(Words::tr("Connection to %1 lost").arg(text(event.cluster.context)), firstDetail(event, {"error", "reason"}));
}

QString timelineEvent(const Event &event)
{
    const QString to = firstDetail(event, {"to", "new", "timeline"}), from = firstDetail(event, {"from", "old"});
    if (to.isEmpty())
        return Words::tr("The timeline advanced");
    return from.isEmpty() ? Words::tr("Timeline %1 began").arg(to) : Words::tr("Timeline %1 began after %2").arg(to, from);
}

QString eventCore(const Event &event)
{
    switch (event.type) {
    case EventCode::LeaderChanged: return leaderEvent(event);
    case EventCode::LockReleased:
    case EventCode::LockExpired:
    case EventCode::LockAcquired:
    case EventCode::LockLate: return lockEvent(event);
    case EventCode::TimelineAdvanced: return timelineEvent(event);
    case EventCode::RequestWritten:
    case EventCode::RequestCleared: return requestEvent(event);
    case EventCode::SyncChanged: return withDetail(Words::tr("The synchronous standbys changed"), fromTo(event));
    case EventCode::PauseOn: return Words::tr("The cluster was paused: no automatic failover");
    case EventCode::PauseOff: return episodeSentence(event);
    case EventCode::ConfigChanged: return configEvent(event);
    case EventCode::MemberAppeared:
    case EventCode::MemberLeft:
    case EventCode::MemberState: return memberEvent(event);
    case EventCode::Undecodable:
        return withDetail(Words::tr("%1 of %2 cannot be read")
                              .arg(firstDetail(event, {"field"}).isEmpty() ? Words::tr("A part") : detail(event, "field"),
                                   event.object.empty() ? Words::tr("an object") : text(event.object)),
                          firstDetail(event, {"error", "detail", "reason"}));
    case EventCode::ConnectionLost:
    case EventCode::ConnectionRestored: return connectionEvent(event);
    case EventCode::ScheduleImpossible:
    case EventCode::SchedulePossible:
    case EventCode::ScheduleAbsurd:
    case EventCode::ScheduleSane: return scheduleEvent(event);
    case EventCode::NearMiss:
    case EventCode::FailsafeOn:
    case EventCode::FailsafeOff:
    case EventCode::SyncEmpty:
    case EventCode::SyncFilled:
    case EventCode::StatusSilent:
    case EventCode::StatusResumed:
    case EventCode::LeaderDisagreement:
    case EventCode::LeaderAgreement:
    case EventCode::HistoryRewritten:
    case EventCode::ManyLate:
    case EventCode::BlindSpot: return episodeSentence(event);
    case EventCode::PodEvidence: return podSentence(event);
    case EventCode::ElectionLeader:
    case EventCode::ElectionStopped:
    case EventCode::ElectionPod:
    case EventCode::ElectionLate:
    case EventCode::ElectionStuck:
    case EventCode::ElectionDisagreement:
    case EventCode::ElectionAgreement:
    case EventCode::ElectionInvalid:
    case EventCode::ElectionEvidence: return electionSentence(event);
    }
    return words(event.type);
}

QString leaderPhrase(const Cluster &cluster, Now now)
{
    const QString name = text(*cluster.leaderName);
    const QString verb = cluster.standby() ? Words::tr("%1 leads this standby cluster").arg(name) : Words::tr("%1 leads").arg(name);
    const auto office = inOffice(cluster, now);
    return office ? Words::tr("%1 for %2", "acme-1 leads, for 3 h 12 min").arg(verb, secondsText(*office)) : verb;
}

QString pendingPhrase(const Cluster &cluster, Now now)
{
    if (const RequestReport *report = cluster.pendingRequest())
        return requestSentence(*report, now);
    if (cluster.failover && cluster.failover->schedule == FailoverRequest::Schedule::Unparsable)
        return cluster.failoverUnseen ? Words::tr("the failover object has a time that cannot be read, but Patroni cannot see it")
                                      : Words::tr("the failover object has a time that cannot be read");
    return Words::tr("nothing pending");
}

// Our silence proves nothing about the lock.
QString leaderNotKnown(const Cluster &cluster, Now now)
{
    const auto &lock = cluster.lock;
    auto seen = lock.confirmedAt ? lock.confirmedAt : cluster.view.lastContact;
    if (seen && cluster.view.staleSince && cluster.view.freshness != Freshness::Live)
        seen = std::min(*seen, *cluster.view.staleSince);
    if (!lock.holder)
        return Words::tr("Not known who leads now");
    return seen ? Words::tr("Not known who leads now; %1 led as of %2").arg(text(*lock.holder), timeText(now.toWall(*seen)))
                : Words::tr("Not known who leads now; %1 led when last seen").arg(text(*lock.holder));
}

QString brokenView(const Cluster &cluster, Now now)
{
    const QString last = cluster.lock.holder ? u" %1."_s.arg(leaderNotKnown(cluster, now)) : QString();
    switch (cluster.view.freshness) {
    case Freshness::Stale: {
        const auto since = cluster.view.staleSince ? cluster.view.staleSince : cluster.view.lastContact;
        return since ? Words::tr("No answer from the API server for %1; what is shown is old.").arg(secondsText(now.boot - *since)) + last
                     : Words::tr("No answer from the API server; what is shown is old.") + last;
    }
    case Freshness::Forbidden: return Words::tr("Not allowed to read this cluster: %1").arg(text(cluster.view.reason)) + last;
    case Freshness::Connecting: return Words::tr("Connecting; nothing is known yet.");
    case Freshness::Live: break;
    }
    return {};
}

QString worstPhrase(const Cluster &cluster, Now now)
{
    const QString name = text(cluster.names.key.text());
    if (cluster.view.freshness == Freshness::Live
        && (cluster.lock.state == LockState::Expired || cluster.lock.state == LockState::Released))
        return Words::tr("%1: lock %2.").arg(name, lockPhrase(cluster, now));
    return cluster.health.reasons.empty() ? Words::tr("%1: %2.").arg(name, words(cluster.health.health))
                                          : Words::tr("%1: %2.").arg(name, words(cluster.health.reasons.front()));
}

} // namespace

std::optional<Duration> inOffice(const Cluster &cluster, Now now)
{
    return items::inOffice(cluster, now);
}

QString eventSentence(const Event &event)
{
    const QString core = eventCore(event);
    if (!event.notBefore || event.type == EventCode::BlindSpot) // which is that time
        return core + u'.';
    return Words::tr("%1, some time between %2 and %3.").arg(core, timeText(*event.notBefore), timeText(event.wall));
}

QString requestWish(const FailoverRequest &request)
{
    const QString kind = request.isSwitchover() ? Words::tr("switchover") : Words::tr("failover");
    const QString from = request.leader ? Words::tr(" from %1").arg(text(*request.leader)) : QString();
    return request.member ? Words::tr("%1%2 to %3").arg(kind, from, text(*request.member))
                          : Words::tr("%1%2 to whom Patroni decides").arg(kind, from);
}

QString requestSentence(const RequestReport &report, Now now)
{
    const QString wish = requestWish(report.request);
    if (report.invisible)
        return Words::tr("%1: Patroni cannot see this object").arg(wish);
    if (report.heldBack)
        return Words::tr("%1: cleared, may still be carried out").arg(wish);
    switch (report.outcome) {
    case Outcome::Pending:
        if (report.step == RequestStep::Scheduled && report.request.scheduledAt)
            return Words::tr("%1 scheduled for %2 (%3)")
                .arg(wish, timeText(*report.request.scheduledAt), untilText(*report.request.scheduledAt - now.wall));
        if (report.step == RequestStep::Leaderless && report.releasedAt)
            return Words::tr("%1: leaderless for %2").arg(wish, secondsText(now.boot - *report.releasedAt));
        return Words::tr("%1: %2").arg(wish, words(report.step));
    case Outcome::Refused: return Words::tr("%1 was refused. %2").arg(wish, words(report.reason.value_or(Refusal::Unknown)));
    case Outcome::Done:
        if (report.newLeader)
            return Words::tr("%1: done, %2 leads").arg(wish, orUnknown(report.newLeader));
        break;
    case Outcome::DoneOther: return Words::tr("%1: %2 leads instead").arg(wish, orUnknown(report.newLeader));
    default: break;
    }
    return Words::tr("%1: %2").arg(wish, words(report.outcome));
}

// "expired 42 s ago"
static QString expiredPhrase(const LockView &lock, Now now)
{
    return lock.expiresAt ? Words::tr("expired %1").arg(agoText(lock.expiresAt, now)) : Words::tr("expired");
}

QString lockPhrase(const Cluster &cluster, Now now)
{
    const LockView &lock = cluster.lock;
    switch (lock.state) {
    case LockState::Absent: return Words::tr("missing: there is no leader object");
    case LockState::Released: return Words::tr("released, nobody leads");
    case LockState::Unverified:
        if (lock.late && !lock.changedNotAfter && lock.firstSeen)
            return Words::tr("renewal late: none seen for %1").arg(secondsText(now.boot - *lock.firstSeen));
        return lock.changedNotAfter ? Words::tr("unverified: last renewal seen %1").arg(agoText(lock.changedNotAfter, now))
                                    : Words::tr("unverified: no renewal seen yet");
    case LockState::Held:
        if (!lock.changedNotAfter)
            return Words::tr("held");
        return lock.late ? Words::tr("renewal late: none for %1").arg(secondsText(now.boot - *lock.changedNotAfter))
                         : Words::tr("renewed %1").arg(agoText(lock.changedNotAfter, now));
    case LockState::Expired: return Words::tr("%1, nobody leads", "expired 42 s ago").arg(expiredPhrase(lock, now));
    case LockState::Stale: return Words::tr("not known: no answer from the API server");
    }
    return unknownText();
}

QString headline(const Cluster &cluster, Now now)
{
    if (cluster.view.freshness != Freshness::Live)
        return brokenView(cluster, now);
    const QString pending = pendingPhrase(cluster, now);
    if (!cluster.leaderName && cluster.lock.state == LockState::Stale)
        return Words::tr("%1; %2.", "not known who leads, what is pending").arg(leaderNotKnown(cluster, now), pending);
    const QString lock = Words::tr("lock %1").arg(lockPhrase(cluster, now));
    if (!cluster.leaderName && cluster.lock.state == LockState::Expired)
        return Words::tr("Nobody leads: the lock %1; %2.").arg(expiredPhrase(cluster.lock, now), pending);
    if (!cluster.leaderName && cluster.lock.state == LockState::Released)
        return Words::tr("Nobody leads: the lock was released and nobody has taken it; %1.").arg(pending);
    if (!cluster.leaderName)
        return Words::tr("Nobody leads: %1; %2.").arg(lock, pending);
    return Words::tr("%1; %2; %3.").arg(leaderPhrase(cluster, now), lock, pending);
}

QString fleetSentence(const std::vector<const Cluster *> &clusters, Now now)
{
    if (clusters.empty())
        return Words::tr("No clusters.");
    int count[4] = {};
    const Cluster *worst = clusters.front();
    for (const Cluster *c : clusters) {
        ++count[items::healthRank(c->health.health)];
        if (items::healthRank(c->health.health) < items::healthRank(worst->health.health))
            worst = c;
    }
    const QString all = clusters.size() == 1 ? Words::tr("1 cluster") : Words::tr("%1 clusters").arg(clusters.size());
    if (count[3] == static_cast<int>(clusters.size()))
        return clusters.size() == 1 ? Words::tr("1 cluster, healthy.") : Words::tr("%1, all healthy.").arg(all);
    static constexpr Health order[] = {Health::Unhealthy, Health::Unknown, Health::Degraded, Health::Healthy};
    QStringList parts;
    for (int i = 0; i < 4; ++i)
        if (count[i] > 0)
            parts << u"%1 %2"_s.arg(QString::number(count[i]), words(order[i]));
    return Words::tr("%1: %2. %3").arg(all, parts.join(u", "_s), worstPhrase(*worst, now));
}

QString syncText(const Cluster &cluster)
{
    if (!cluster.config || !cluster.config->config.present)
        return unknownText();
    const DynamicConfig &config = cluster.config->config;
    if (config.syncMode == SyncMode::Off)
        return words(SyncMode::Off);
    if (!cluster.sync || !cluster.sync->leader || cluster.sync->unreadable)
        return Words::tr("on, standbys unknown");
    QStringList names;
    for (const std::string &name : cluster.sync->standbys)
        names << text(name);
    const QString head = config.syncMode == SyncMode::Quorum
        ? Words::tr("any %1 of %2", "quorum mode").arg(config.syncNodeCount).arg(names.size())
        : Words::tr("%1 of %2").arg(names.size()).arg(config.syncNodeCount);
    return names.isEmpty() ? head : head + u": "_s + names.join(u", "_s);
}

QString staleText(const ViewState &view, Now now)
{
    if (view.freshness == Freshness::Live)
        return {};
    const auto since = view.staleSince ? view.staleSince : view.lastContact;
    if (!since)
        return Words::tr("age unknown");
    return Words::tr("as of %1, %2").arg(timeText(now.toWall(*since)), agoText(since, now));
}

} // namespace switchyard::views
