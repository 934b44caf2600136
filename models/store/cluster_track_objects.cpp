// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a change of one of a cluster's objects does to it.
#include "models/patroni/discovery_evidence.h"
#include "models/rules/late_request.h"
#include "models/store/cluster_track.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;

Subject ClusterTrack::subjectOf(Part part) const
{
    const auto it = m_cluster.objects.find(std::string(code(part)));
    if (it != m_cluster.objects.end())
        return {it->second.name, it->second.uid};
    const ClusterNames &n = m_cluster.names;
    switch (part) {
    case Part::Config: return {n.configName, {}};
    case Part::Leader: return {n.leaderName, {}};
    case Part::Sync: return {n.syncName, {}};
    case Part::Failover: return {n.failoverName, {}};
    case Part::Stray: return m_stray;
    }
    return {};
}

void ClusterTrack::objectChanged(Part part, const KubeObject *object, const Moment &moment)
{
    if (part == Part::Stray) // comes by another stream than the cluster's own: its clock does not count
        return strayChanged(object, moment);
    if (moment.at() > m_now.boot)
        m_now = moment.seen;
    object = unlessForeign(part, object);
    keepSnapshot(part, object, moment);
    switch (part) {
    case Part::Config: configChanged(object, moment); break;
    case Part::Leader: leaderChanged(object, moment); break;
    case Part::Sync: syncChanged(object, moment); break;
    case Part::Failover: failoverChanged(object, moment); break;
    case Part::Stray: break;
    }
    if (object)
        m_cluster.objects[std::string(code(part))] = *object;
    else
        m_cluster.objects.erase(std::string(code(part)));
}

// Another cluster's lock may have the name of one of this cluster's objects: it is none of them, whatever it says.
const KubeObject *ClusterTrack::unlessForeign(Part part, const KubeObject *object)
{
    const std::string role(code(part));
    const auto holder = object && part != Part::Leader ? lockHolder(*object) : std::nullopt;
    if (!holder) {
        m_cluster.foreignLocks.erase(role);
        return object;
    }
    m_cluster.foreignLocks[role] = *holder;
    return nullptr;
}

void ClusterTrack::configChanged(const KubeObject *object, const Moment &moment)
{
    const Subject subject = object ? Subject{object->name, object->uid} : subjectOf(Part::Config);
    const auto before = m_cluster.config;
    const auto timelineBefore = timelineNow();
    std::vector<Defect> defects;
    m_cluster.config = object ? std::optional(decodeConfig(*object, defects)) : std::nullopt;
    sayDefects(subject, defects, moment);
    if (!m_leaderSeen && m_cluster.config && m_cluster.config->initialize != InitializeState::Done)
        m_sawUninitialized = true;
    if (before == m_cluster.config)
        return;
    historySeen(moment, subject);
    const DynamicConfig now = config();
    if (before) {
        if (const auto difference = configDifference(before->config, now))
            m_announce.say(EventCode::ConfigChanged, moment, subject, *difference);
        saySwitch({EventCode::PauseOn, EventCode::PauseOff}, before->config.paused, now.paused, m_pausedSince, moment, subject);
        saySwitch({EventCode::FailsafeOn, EventCode::FailsafeOff}, before->config.failsafeMode, now.failsafeMode, m_failsafeSince, moment,
                  subject);
    }
    saySync(moment, subject);
    m_requests.configChanged(now, moment);
    m_strayRequests.configChanged(now, moment);
    m_logDirty = true;
    timelineChanged(timelineBefore, moment, subject);
    touch(moment);
}

// What it was, as long as it cannot be read.
void ClusterTrack::historySeen(const Moment &moment, const Subject &subject)
{
    if (!m_cluster.config || !m_cluster.config->hasAnnotations || !m_cluster.config->history.readable)
        return;
    const ConfigRecord &now = *m_cluster.config;
    const auto change = m_historySeen ? historyChange(m_history, now.history.entries, m_systemId, now.systemId) : HistoryChange{};
    if (change.kind != HistoryChange::Kind::None) {
        m_log.keep(m_history, m_systemId.value_or(""), change);
        m_announce.say(EventCode::HistoryRewritten, moment, subject,
                       historyDetail(change, m_history, m_systemId.value_or(""), now.systemId.value_or("")), {}, true);
        touch(moment);
    }
    m_history = now.history.entries;
    m_systemId = now.systemId ? now.systemId : m_systemId;
    m_historySeen = true;
}

void ClusterTrack::timelineChanged(const std::optional<std::int64_t> &before, const Moment &moment, const Subject &subject)
{
    const auto now = timelineNow();
    if (!now)
        return;
    if (before && *now > *before) {
        EventDetail detail{{"from", std::to_string(*before)}, {"to", std::to_string(*now)}};
        const auto &entries = m_cluster.config->history.entries;
        if (!m_cluster.standby() && !entries.empty()) {
            detail["lsn"] = formatLsn(entries.back().lsn);
            if (entries.back().newLeader)
                detail["leader"] = *entries.back().newLeader;
        }
        m_announce.say(EventCode::TimelineAdvanced, moment, subject, detail);
        promotedAnew(moment.at());
    }
    if (!m_cluster.standby()) {
        m_requests.timelineSeen(*now, moment);
        m_membersDirty = true;
    }
}

void ClusterTrack::syncChanged(const KubeObject *object, const Moment &moment)
{
    const Subject subject = object ? Subject{object->name, object->uid} : subjectOf(Part::Sync);
    const auto before = m_cluster.sync;
    std::vector<Defect> defects;
    m_cluster.sync = object ? std::optional(decodeSync(*object, defects)) : std::nullopt;
    sayDefects(subject, defects, moment);
    if (const auto difference = syncDifference(before, m_cluster.sync)) {
        m_announce.say(EventCode::SyncChanged, moment, subject, *difference);
        touch(moment);
    }
    saySync(moment, subject);
}

void ClusterTrack::failoverChanged(const KubeObject *object, const Moment &moment)
{
    const Subject subject = object ? Subject{object->name, object->uid} : subjectOf(Part::Failover);
    std::vector<Defect> defects;
    m_cluster.failover = object ? std::optional(decodeFailover(*object, defects)) : std::nullopt;
    sayDefects(subject, defects, moment);
    m_cluster.failoverUnseen = object && !seenByPatroni(*object);
    RequestScene now = scene();
    now.invisible = m_cluster.failoverUnseen;
    sayRequests(m_requests, m_requests.changed(m_cluster.failover, subject.uid, moment, now), subject, moment);
}

// Patroni lists its objects by label.
bool ClusterTrack::seenByPatroni(const KubeObject &object) const
{
    const ClusterNames &names = m_cluster.names;
    const auto carries = [&](const std::string &key, const std::string &value) {
        const auto it = object.labels.find(key);
        return it != object.labels.end() && it->second == value;
    };
    return (names.scopeLabel.empty() || carries(names.scopeLabel, names.key.scope))
        && (!names.key.group || carries("citus-group", std::to_string(*names.key.group)));
}

void ClusterTrack::strayChanged(const KubeObject *object, const Moment &moment)
{
    const bool counts = object && !lockHolder(*object); // another cluster's lock is no request
    std::vector<Defect> defects;
    const auto request = counts ? std::optional(decodeFailover(*object, defects)) : std::nullopt;
    if (object)
        m_stray = {object->name, object->uid};
    RequestScene now; // by whom the cluster is led then does not matter to it, and cannot be known here
    now.config = config();
    now.invisible = true;
    sayRequests(m_strayRequests, m_strayRequests.changed(request, m_stray.uid, moment, now), m_stray, moment);
}

namespace {

// Which may still be found out, or turn out to be none.
bool dependsOnPods(const std::optional<Refusal> &reason)
{
    return !reason || reason == Refusal::Unknown || reason == Refusal::NoHealthyCandidate;
}

} // namespace

void ClusterTrack::sayOutcome(const RequestReport &report, Outcome outcome, const Subject &subject, const Moment &moment, bool decided)
{
    EventDetail detail = requestDetail(report.request);
    detail["outcome"] = std::string(patroni::code(outcome));
    if (decided) // that it was cleared was said before; the reason may have come from Pods since
        detail["decided"] = "true";
    else if (!dependsOnPods(report.reason))
        detail["reason"] = std::string(patroni::code(*report.reason));
    m_announce.say(EventCode::RequestCleared, moment, subject, detail, decided ? "decided" : "");
    touch(moment);
}

// A refusal that is held back is told as cleared and pending, and told again when the lock has shown that it is final.
void ClusterTrack::sayDecided(const Moment &moment)
{
    std::erase_if(m_cleared, [&](const Cleared &cleared) {
        const auto &all = m_requests.reports();
        const auto report = std::find_if(all.begin(), all.end(), [&](const RequestReport &r) { return r.id == cleared.request; });
        if (report == all.end())
            return true;
        if (m_requests.awaitsRenewals(cleared.request) || !isFinal(report->outcome))
            return false;
        Moment then = moment;
        then.version = cleared.version;
        sayOutcome(*report, report->outcome, cleared.subject, then, true);
        return true;
    });
}

// Not the last word while it may still be carried out.
void ClusterTrack::holdBack(bool anew)
{
    const std::vector<RequestReport> &own = m_requests.reports();
    if (anew)
        m_cluster.requests = allRequests();
    const bool held = !own.empty() && rules::mayStillBeCarriedOut(m_cluster, own.back());
    const bool turned = std::exchange(m_heldBack, held) != held;
    if (turned && !anew)
        m_cluster.requests = allRequests();
    if (held && (turned || anew)) {
        RequestReport &shown = m_cluster.requests.back();
        shown.outcome = Outcome::Pending;
        shown.step = RequestStep::Due;
        shown.heldBack = true;
    }
}

void ClusterTrack::sayRequests(const RequestTracker &tracker, const RequestTracker::Change &change, const Subject &subject,
                               const Moment &moment)
{
    const auto &reports = tracker.reports();
    if (change.cleared) {
        const RequestReport &report = reports[*change.cleared];
        // What depends on Pods, or on what the leader had done already, may still change: only the rest is said here.
        const bool held = tracker.awaitsRenewals(report.id);
        if (held)
            m_cleared.push_back({report.id, subject, moment.version});
        sayOutcome(report, held ? Outcome::Pending : report.outcome, subject, moment);
    }
    if (change.written)
        m_announce.say(EventCode::RequestWritten, moment, subject, requestDetail(reports[*change.written].request));
    sayDecided(moment); // another one may have taken its place
    if (change.cleared || change.written) {
        m_membersDirty = true;
        touch(moment);
    }
}

void ClusterTrack::podNews(const MemberFact &fact)
{
    for (Aftermath &taken : m_aftermaths) {
        if (!taken.podNews(fact))
            continue;
        if (Transition *t = m_log.find(taken.start().id))
            taken.fill(*t);
        m_logDirty = true;
    }
    const Subject subject{fact.name, fact.uid};
    const auto known = m_facts.find(fact.name);
    m_membersDirty = true;
    if (fact.gone) {
        if (known == m_facts.end())
            return;
        m_announce.say(EventCode::MemberLeft, fact.moment, subject, {{"member", fact.name}});
        m_facts.erase(known);
        m_memberSince.erase(fact.name);
        touch(fact.moment);
        return;
    }
    if (known == m_facts.end()) {
        m_announce.say(EventCode::MemberAppeared, fact.moment, subject, {{"member", fact.name}});
        touch(fact.moment);
        beginMemberState(fact);
    } else if (auto difference = memberDifference(known->second, fact)) {
        const auto since = m_memberSince.find(fact.name);
        if (since != m_memberSince.end() && !fact.moment.since)
            (*difference)["seconds"] = secondsText(fact.moment.at() - since->second); // the former state lasted so long
        m_announce.say(EventCode::MemberState, fact.moment, subject, *difference);
        touch(fact.moment);
        beginMemberState(fact);
    }
    m_facts[fact.name] = fact;
}

void ClusterTrack::setPod(const std::string &name, const PodState *pod)
{
    m_membersDirty = m_podsMoved = true;
    const auto known = m_members.find(name);
    if (!pod) {
        if (known != m_members.end())
            m_members.erase(known);
    } else {
        const Moment &moment = pod->fact.moment;
        sayDefects({name, pod->fact.uid}, pod->defects, moment);
        sayPod(name, known == m_members.end() ? nullptr : &known->second.pod.record, *pod);
        MemberState next{*pod, std::nullopt, moment.at()};
        if (known != m_members.end()) {
            const bool same = known->second.pod.record.statusRaw == pod->record.statusRaw;
            next.statusSeenAt = same ? known->second.statusSeenAt : moment.at();
            next.statusChangedAt = same ? known->second.statusChangedAt : moment.at();
            next.moreToSaySince = same ? known->second.moreToSaySince : std::nullopt;
            next.silentSaid = same && known->second.silentSaid;
            if (known->second.silentSaid && !same)
                sayResumed(name, known->second, pod->fact);
        }
        m_members[name] = std::move(next);
    }
    refreshLabels();
}

// The role label's key, and the labels that all member Pods share.
void ClusterTrack::refreshLabels()
{
    std::vector<KubeObject> labelled;
    for (const auto &[name, member] : m_members) {
        KubeObject object;
        object.resource = Resource::Pods;
        object.name = name;
        object.labels = member.pod.labels;
        labelled.push_back(std::move(object));
    }
    std::vector<const KubeObject *> pointers;
    for (const KubeObject &object : labelled)
        pointers.push_back(&object);
    if (const auto key = findRoleLabel(pointers, m_cluster.names.scopeLabel))
        m_roleLabel = key;
    m_cluster.commonMemberLabels = labelled.empty() ? std::map<std::string, std::string>{} : labelled.front().labels;
    for (const KubeObject &object : labelled) {
        std::erase_if(m_cluster.commonMemberLabels, [&](const auto &entry) {
            const auto it = object.labels.find(entry.first);
            return it == object.labels.end() || it->second != entry.second;
        });
    }
}

void ClusterTrack::sayDefects(const Subject &subject, const std::vector<Defect> &defects, const Moment &moment)
{
    auto &known = m_defects[subject.name];
    for (const Defect &defect : defects) {
        if (std::find(known.begin(), known.end(), defect) == known.end())
            m_announce.say(EventCode::Undecodable, moment, subject, {{"field", defect.field}, {"error", defect.detail}}, defect.field,
                           true);
    }
    known = defects;
    if (known.empty())
        m_defects.erase(subject.name);
}

namespace {

using Annotations = std::map<std::string, std::string>;

// The leader object is written at each renewal: those annotations alone are no change worth keeping.
bool differsOnlyByRenewal(const Annotations &a, const Annotations &b)
{
    static const std::set<std::string> renewal{"renewTime", "optime", "slots", "retain_slots", "failsafe"};
    auto x = a.begin(), y = b.begin();
    while (true) {
        while (x != a.end() && renewal.contains(x->first))
            ++x;
        while (y != b.end() && renewal.contains(y->first))
            ++y;
        if (x == a.end() || y == b.end())
            return x == a.end() && y == b.end();
        if (*x != *y)
            return false;
        ++x;
        ++y;
    }
}

} // namespace

void ClusterTrack::keepSnapshot(Part part, const KubeObject *object, const Moment &moment)
{
    static const Annotations none;
    const Annotations &annotations = object ? object->annotations : none;
    const std::string name = object ? object->name : subjectOf(part).name;
    auto &kept = m_cluster.snapshots;
    const auto last = std::find_if(kept.rbegin(), kept.rend(), [&](const Snapshot &s) { return s.object == name; });
    const auto same = [&](const Annotations &before) {
        return part == Part::Leader ? differsOnlyByRenewal(before, annotations) : before == annotations;
    };
    if (last == kept.rend() ? !object : same(last->annotations))
        return;
    if (kept.size() >= 20)
        kept.erase(kept.begin());
    kept.push_back({name, moment.version, moment.at(), annotations});
}

} // namespace switchyard
