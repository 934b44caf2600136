// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A live command.
//
//   listing ──all listed or refused, or the limit is over──► waiting (--wait: no lock unverified) ──► printed: finished
//                          preflight: asking the members, first ─┤
//                                                               └─ --follow ──► following ──interrupt, closed pipe──► finished
#include "app/clusters/event_permits.h"
#include "app/clusters/member_prober.h"
#include "app/clusters/recorder.h"
#include "app/headless/follower.h"
#include "app/headless/readiness.h"

namespace switchyard::headless {

struct LiveTimes
{
    std::chrono::milliseconds silent{15000}; // a source that has not answered after so long is silent
    kube::WatchTimes watch{};
};

class LiveRun : public QObject
{
    Q_OBJECT
public:
    LiveRun(Options options, Sinks sinks, LiveTimes times = {}, kube::Clock clock = kube::systemClock(), QObject *parent = nullptr);
    ~LiveRun() override;
    // problemsBefore: contexts that could not even be opened were told already: at best PartUnreadable.
    // execPool: for exec plugins; nullptr: they are refused.
    void start(const std::vector<kube::ContextConfig> &contexts, bool problemsBefore = false,
               std::shared_ptr<kube::ExecPool> execPool = {});
    void pause(bool paused); // a person is being asked: the time limit starts again afterwards
    void interrupt();        // SIGINT, SIGTERM, closed pipe: a followed command has done its work

Q_SIGNALS:
    void finished(int exitCode); // once, from the event loop

private:
    enum class Phase { Listing, Waiting, Asking, Following, Finished };
    void changed(const StoreChanges &changes);
    void electionsChanged(const election::Changes &changes);
    bool readsElections() const;
    bool readsPodEvents() const;
    std::vector<ContextState> sources() const;
    bool allSeen() const;
    void look();
    void startWaiting();
    void conclude();
    void askMembers();
    void print();
    void follow(const StoreChanges &changes);
    void end(int exitCode);
    int sayProblems();
    bool record(); // false: the file cannot be written
    std::vector<const patroni::Cluster *> chosenClusters() const;
    std::vector<const election::Election *> chosenElections() const;

    Options m_options;
    Sinks m_sinks;
    LiveTimes m_times;
    Monitor m_monitor;
    EventPermits m_permits;
    Follower m_follower;
    std::vector<ExpectedStream> m_expected;
    QTimer m_limit; // of listing, then of waiting, then of asking
    std::map<patroni::ClusterKey, MemberProber *> m_probers;
    std::size_t m_unanswered = 0;
    QTimer m_pipe, m_for;
    Recorder m_recorder;
    bool m_problemsBefore = false;
    Phase m_phase = Phase::Listing;
};

} // namespace switchyard::headless
