// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One simulated Patroni cluster: every member runs an HA loop of its own over the objects in the store, and knows no more than
// Patroni would. A pure state machine: time only moves by advance(), and the same seed gives the same run.
//
//   loop of a member:  lock held by me ──► renew, obey the failover object, keep the sync object, touch my Pod
//                      held by another ──► follow (demote or start first if need be), touch my Pod
//                      not held        ──► race for it (failover object pending: its rules; paused: only a running primary)
//   acquire ──► promote (~1.2 s) ──► history, new timeline            demote ──► release (1-2 s) ──► stopped ──► next loop: replica
#include "app/simulator/annotations.h"
#include "app/simulator/object_store.h"
#include "app/simulator/pod_call.h"
#include "app/simulator/simulator.h"

#include <deque>
#include <map>
#include <random>

namespace switchyard::simulator {

struct LogLine
{
    SimTime at{};
    std::string text;
};

struct Member
{
    std::string name, ip, node;
    SimTime nextLoop{};
    bool crashed = false, frozen = false; // no loop runs
    bool busy = false;                    // an asynchronous action (promotion, demotion, waiting for a due time) is under way
    bool up = true, primary = false;      // PostgreSQL runs; read-write
    bool positionKnown = true;            // false: status without xlog_location and timeline
    bool checkpointPending = false, pauseSeen = false, nofailover = false;
    std::string state = "running", role = "replica", label;
    std::int64_t lsn = 0, lag = 0, replayLag = 0;
    int timeline = 1, restarts = 0;
    std::string record; // the leader record as last seen, and when it last changed
    SimTime observed{};
    SimTime started{};       // PostgreSQL
    std::string startedWith; // the settings that only a restart changes, as they were then
    Json scheduledRestart;   // the body of its request; null: none
    std::deque<LogLine> log{};
    unsigned epoch = 0; // actions planned before a crash or freeze are void
};

struct FailoverRequest
{
    std::string leader, member, scheduledAt;
    bool pending() const { return !leader.empty() || !member.empty(); }
    bool isSwitchover() const { return !leader.empty(); }
};

class PatroniSim
{
public:
    PatroniSim(const ClusterPlan &plan, ObjectStore &store, SimTime start, unsigned seed, int subnet);

    void advance(SimTime now); // runs all that is due up to `now`, in order of time
    SimTime now() const { return m_now; }
    void objectWritten(Kind kind, const std::string &name); // somebody else wrote: a changed configuration wakes every member

    // patroni_rest.cpp: a request to a member's REST API
    void call(const std::string &member, const PodCall &call, const PodDone &done);
    std::string logOf(const std::string &member, SimTime since, bool stamped) const; // stamped: as timestamps=true

    void crashLeader();
    void freeze(const std::string &member);
    void thawAll();

    const ClusterPlan &plan() const { return m_plan; }
    std::string leader() const; // "" while nobody holds the lock
    const std::vector<Member> &members() const { return m_members; }
    const std::string &lastLog() const { return m_lastLog; } // what a rejecting leader says; real clusters say it only in the Pod's log

private:
    using Millis = std::chrono::milliseconds;
    struct Settings
    {
        int ttl = 30, loopWait = 10;
        std::int64_t maximumLag = 1048576;
        bool paused = false, synchronous = false;
    };
    struct SyncState
    {
        std::string leader;
        std::vector<std::string> standbys;
        bool has(const std::string &member) const;
    };
    struct Action
    {
        int member; // -1: the cluster's own, runs in any case
        unsigned epoch;
        std::function<void()> run;
    };

    // patroni_setup.cpp
    void createObjects(SimTime start);
    void createPod(Member &member, SimTime created);
    std::vector<PastTimeline> makeHistory(SimTime start);

    // patroni_sim.cpp: the loop
    void loop(Member &me);
    void leaderLoop(Member &me);
    void followLoop(Member &me);
    void leaderlessLoop(Member &me);
    void outage(Member &me);
    void demoteAtOnce(Member &me);
    void startAsReplica(Member &me);
    void observe(Member &me);
    void observeAll();
    void crash(Member &me);
    void comeBack(Member &me);

    // patroni_failover.cpp: failover objects, elections
    void obeyFailover(Member &me);
    void performFailover(Member &me, const FailoverRequest &request);
    void clearFailover(Member &me, const std::string &why, const char *level = "WARNING");
    void demoteGracefully(Member &me);
    bool mayTakeLock(const Member &me) const;
    bool mayTakeForRequest(const Member &me, const FailoverRequest &request) const;
    bool healthiest(const Member &me, bool checkLag, const std::string &excluded) const;
    bool passesHealthCheck(const Member &member, bool checkLag) const;
    void acquire(Member &me);
    void promote(Member &me);
    void finishPromotion(Member &me, std::int64_t lsn);

    // patroni_rest.cpp
    struct Poll
    {
        std::string leader, candidate, action;
    };
    std::optional<PodReply> restLimit() const;
    PodReply restGet(const Member &me, const std::string &path) const;
    Json memberDocument(const Member &me) const;
    Json clusterDocument() const;
    PodReply restWrite(Member &me, const PodCall &call);
    PodReply restPatchConfig(const std::string &body);
    PodReply restReinitialize(Member &me, const Json &body);
    void restRestart(Member &me, const PodCall &call, const PodDone &done);
    bool restartMatches(const Member &me, const Json &request) const;
    PodReply scheduleRestart(Member &me, const Json &request);
    void restart(Member &me, const std::function<void()> &done);
    PodReply checkFailover(const Json &request, bool switchover) const;
    PodReply checkPossible(const std::string &leaderName, const std::string &candidate, const std::string &action) const;
    void restFailover(Member &me, const PodCall &call, const PodDone &done);
    void pollFailover(const Poll &poll, int left, const PodDone &done);

    // patroni_log.cpp
    void say(Member &me, const std::string &text, const char *level = "INFO");
    std::string restartSettings() const;
    void startPostgres(Member &me);
    bool restartPending(const Member &me) const;
    std::string actionName(const FailoverRequest &request) const;

    // patroni_objects.cpp: what is read from and written to the store
    std::string objectName(const char *suffix) const;
    std::string get(const char *suffix, const char *key) const;
    void annotate(const char *suffix, const Json &annotations);
    Settings settings() const;
    SyncState syncState() const;
    FailoverRequest failoverRequest() const;
    std::string leaderRecord() const;
    void writeLeader(const Member &me, Json annotations, bool routed);
    void renew(Member &me);
    void keepSync(Member &me);
    std::string chooseSyncStandby(const Member &me, const SyncState &sync) const;
    void writeHistory(const Member &me, std::int64_t lsn);
    void touch(Member &me);
    void setReady(const std::string &member, bool ready, int restarts);
    void sayEvent(const std::string &member, const std::string &reason, const std::string &message);
    Json subsets(const Member &me) const;
    std::string statusText(const Member &me) const;

    void after(Millis delay, Member &me, std::function<void()> run);
    void afterAll(Millis delay, std::function<void()> run);
    void wake(Member &me, Millis delay);
    void wakeOthers(const Member &me, Millis delay);
    void writeWal();
    void replicate(Member &me);
    bool primaryRuns() const;
    Member *find(const std::string &name);
    const Member *find(const std::string &name) const;
    int random(int below);

    ClusterPlan m_plan;
    ObjectStore &m_store;
    Kind m_kind;
    Version m_version;
    std::vector<Member> m_members;
    std::multimap<SimTime, Action> m_actions;
    std::mt19937 m_random;
    std::string m_config, m_lastLog;
    SimTime m_now{}, m_walAt{};
    std::int64_t m_wal = 0;
    int m_timeline = 1, m_subnet;
};

} // namespace switchyard::simulator
