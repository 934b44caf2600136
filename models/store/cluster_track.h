// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One cluster as it moves: the state machines of its lock and requests, its log, and the Cluster value that others read.
// Its clock goes by the observations of its own stream and by advance(), never by those of another stream.
#include "models/events/aftermath.h"
#include "models/events/lock_trail.h"
#include "models/events/object_events.h"
#include "models/events/request_tracker.h"
#include "models/events/transition_log.h"
#include "models/rules/health.h"
#include "models/store/late_locks.h"
#include "models/store/schedule_watch.h"

#include <memory>

namespace switchyard {

// Stray: a failover object of the kind that this cluster does not use.
enum class Part { Config, Leader, Sync, Failover, Stray };
std::string_view code(Part p); // config leader sync failover: keys of Cluster::objects; stray

struct Uncertain
{
    Duration value{}, by{};
};

// A member Pod with the labels that tell its role, decoded once for all who need it.
struct PodState
{
    patroni::MemberRecord record;
    std::vector<patroni::Defect> defects;
    std::map<std::string, std::string> labels;
    MemberFact fact;
};

class ClusterTrack
{
public:
    explicit ClusterTrack(const patroni::ClusterNames &names);

    const patroni::Cluster &cluster() const { return m_cluster; }
    patroni::Cluster &cluster() { return m_cluster; }
    Now now() const { return m_now; }

    void setSink(std::vector<Event> *sink) { m_announce.setSink(sink); }
    void setNames(const patroni::ClusterNames &names);
    // What is known of who led when, for a cluster of that name that comes again: its objects may have been deleted and made anew.
    struct Memory
    {
        TransitionLog log;
        std::vector<patroni::HistoryEntry> history;
        std::optional<std::string> systemId;
        bool historySeen = false;
        std::optional<Boot> watchedSince{};
    };
    Memory memory() const { return {m_log, m_history, m_systemId, m_historySeen, m_watchedSince}; }
    void remember(const Memory &memory);
    // The owner keeps the Pods' history.
    void setPast(std::unique_ptr<MembersPast> past) { m_past = std::move(past); }

    // object: nullptr when it is gone.
    void objectChanged(Part part, const KubeObject *object, const Moment &moment);
    // News of a Pod that is, or just ceased to be, a member, in the order of its versions.
    void podNews(const MemberFact &fact);
    // Something that says what became of a member (at: our clock): evidence, should it have led then.
    void noteEvidence(const std::string &member, const patroni::Evidence &evidence, Instant at);
    // A core/v1 Event about a member's Pod.
    void podEvent(const KubeObject &event, const Moment &moment);
    // How its lock counts among those that are late together.
    LateLocks::Sight lateSight() const;
    // Many locks of the API server are late now: how many.
    void setManyLate(std::optional<int> count) { m_manyLate = count; }
    // May Events be read? nullopt: not known.
    void setEventsPermitted(std::optional<bool> permitted) { m_eventsPermitted = permitted; }
    // What the Pod is now; nullptr: gone.
    void setPod(const std::string &name, const PodState *pod);
    // Names of all Pods that ever were members.
    const std::set<std::string> &everMembers() const { return m_everMembers; }
    // ownStale: the cluster's own stream is silent or lost: its clock stands still. apiSilent: the whole API server is.
    void setView(const patroni::ViewState &view, bool ownStale, bool apiSilent);
    // The record is still the one we hold.
    void confirm(Boot at) { m_lock.confirm(at); }
    // What a GET of the leader object said, asked for then: the record as we have it; or another one.
    void found(Boot asked) { m_lock.found(asked); }
    void missed(Boot at) { m_lock.missed(at, config()); }
    const LockTrail &lock() const { return m_lock; }
    std::optional<Boot> underWaySince(const std::optional<Gap> &silence, Boot at) const
    {
        return m_lock.underWaySince(silence, at, config());
    }
    bool awaitsProof() const { return rules::awaitsProof(m_lock.seen(), config(), m_now.boot); }
    void unverify(Boot at) { m_lock.unverify(at); }

    // Lets time pass, one deadline after the other.
    void advance(const Now &now);
    std::optional<Boot> deadline() const;
    // Recomputes what follows from the rest. Call after any of the above. True: something urgent changed.
    bool refresh();

private:
    void leaderChanged(const KubeObject *object, const Moment &moment);
    void lockNews(const LockNews &news, const Moment &moment, const Subject &subject);
    void lockTaken(const LockNews &news, const Moment &moment, const Subject &subject);
    bool sayNearMiss(const LockNews &news, const Moment &moment, const Subject &subject);
    void sayRenewed(const LockNews &news, const Moment &moment, const Subject &subject);
    void beginMemberState(const MemberFact &fact);
    struct Switch
    {
        EventCode on{}, off{};
    };
    void saySwitch(const Switch &codes, bool before, bool now, std::optional<Boot> &since, const Moment &moment, const Subject &subject);
    void saySync(const Moment &moment, const Subject &subject);
    void sayDisagreement();
    std::string disagreementKey(const std::string &what);
    struct MemberState;
    void judgeSilence(const std::string &member, MemberState &state);
    void sayResumed(const std::string &member, const MemberState &before, const MemberFact &now);
    void followTaken(const patroni::Transition &taken, const std::string &version);
    void follow(Aftermath::Start start);
    void promotedAnew(Boot at);
    std::optional<Uncertain> inferredGap(const LockNews &news, const Moment &moment) const;
    patroni::TransitionKind kindOf(const LockNews &news, const patroni::RequestReport *request) const;
    Duration gapUncertainty(const LockNews &news, const Moment &moment) const;
    void setGap(patroni::Transition &t, const LockNews &news, const Moment &moment) const;
    std::optional<Duration> lateBefore(Boot at) const;
    std::vector<patroni::Evidence> evidenceOf(const LockNews &news, const patroni::RequestReport *request, const Moment &moment) const;
    const KubeObject *unlessForeign(Part part, const KubeObject *object);
    void configChanged(const KubeObject *object, const Moment &moment);
    void syncChanged(const KubeObject *object, const Moment &moment);
    void failoverChanged(const KubeObject *object, const Moment &moment);
    void strayChanged(const KubeObject *object, const Moment &moment);
    void sayOutcome(const patroni::RequestReport &report, patroni::Outcome outcome, const Subject &subject, const Moment &moment,
                    bool decided = false);
    void sayRequests(const RequestTracker &tracker, const RequestTracker::Change &change, const Subject &subject, const Moment &moment);
    bool seenByPatroni(const KubeObject &object) const;
    std::vector<patroni::RequestReport> allRequests() const;
    void historySeen(const Moment &moment, const Subject &subject);
    void timelineChanged(const std::optional<std::int64_t> &before, const Moment &moment, const Subject &subject);
    void sayPod(const std::string &member, const patroni::MemberRecord *before, const PodState &now);
    void keepSnapshot(Part part, const KubeObject *object, const Moment &moment);
    void sayDefects(const Subject &subject, const std::vector<patroni::Defect> &defects, const Moment &moment);
    void sayLock();
    void holdBack(bool anew);
    void sayDecided(const Moment &moment);
    void saySchedule();
    void sayAbsurd();
    std::optional<Boot> ranOutAt() const;
    Subject subjectOf(Part part) const;
    RequestScene scene() const;
    const patroni::DynamicConfig &config() const;
    std::optional<std::int64_t> timelineNow() const;
    std::optional<std::string> holderNow() const;
    std::vector<patroni::MemberRecord> takeRecords();
    void refreshMembers();
    void refreshLabels();
    void refreshHealthClock();
    void touch(const Moment &moment) { m_cluster.lastChange = moment.first ? m_cluster.lastChange : std::optional(moment.at()); }

    patroni::Cluster m_cluster;
    Announcer m_announce;
    Now m_now{};
    LockTrail m_lock;
    RequestTracker m_requests, m_strayRequests;
    Subject m_stray;
    bool m_heldBack = false; // the last request
    struct Cleared           // whose outcome is not told yet
    {
        std::string request;
        Subject subject;
        std::string version; // of the clearing
    };
    std::vector<Cleared> m_cleared;
    ScheduleWatch m_schedule;
    struct AbsurdTime // that was said
    {
        rules::AbsurdSchedule how{};
        Instant at{};
        std::string raw;
        std::optional<Boot> since;
    };
    std::optional<AbsurdTime> m_absurd;
    TransitionLog m_log;
    std::vector<Aftermath> m_aftermaths;          // of the last takings, oldest first
    std::vector<patroni::HistoryEntry> m_history; // as it could be read last
    std::optional<std::string> m_systemId;        // the same
    bool m_logDirty = true, m_membersDirty = true, m_podsMoved = true;
    bool m_sawUninitialized = false, m_leaderSeen = false, m_historySeen = false;
    std::optional<bool> m_eventsPermitted;
    std::unique_ptr<MembersPast> m_past;
    struct MemberState
    {
        PodState pod;
        std::optional<Boot> statusChangedAt, statusSeenAt;
        std::optional<Boot> moreToSaySince{}; // the leader's WAL went past what the status says
        bool silentSaid = false;
    };
    std::map<std::string, MemberState> m_members;
    std::map<std::string, MemberFact> m_facts; // last news of each member
    std::map<std::string, Boot> m_memberSince; // since when it says what it says, where that was seen
    std::optional<Boot> m_pausedSince, m_failsafeSince, m_syncEmptySince;
    bool m_syncEmpty = false;
    std::optional<int> m_manyLate;
    struct Disagreement
    {
        std::optional<Boot> since;
        std::string said; // what is said of it; empty: nothing yet
        int turn = 0;     // counts those of one leader
    } m_disagreement;
    std::set<std::string> m_everMembers;
    std::optional<std::string> m_roleLabel;
    std::map<std::string, std::vector<patroni::Defect>> m_defects; // by object name: said already
    rules::HealthClock m_health;
    std::optional<Boot> m_takenAt, m_watchedSince;
    bool m_apiSilent = false;
};

} // namespace switchyard
