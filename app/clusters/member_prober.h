// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Asks the members of one cluster what they say of themselves (GET /patroni, through the API server), while somebody wants to know: a few
// at a time, and again after a while. Nobody's REST API is asked otherwise.
#include "app/clusters/monitor.h"
#include "models/rules/live_answer.h"

#include <QPointer>
#include <QTimer>

#include <deque>
#include <set>

namespace switchyard {

struct ProbeTimes
{
    std::chrono::milliseconds limit{5000}; // for one member
    std::chrono::milliseconds every{5000}; // from the end of a round to the next; 0: only one
    int parallel = 3;
};

class MemberProber : public QObject
{
    Q_OBJECT
public:
    MemberProber(kube::Client *client, kube::Clock clock, ProbeTimes times, QObject *parent = nullptr);

    void ask(const patroni::Cluster &cluster); // all of its members, now; what is under way goes on
    const rules::LiveAnswers &answers() const { return m_answers; }

Q_SIGNALS:
    void changed();  // an answer came
    void finished(); // all members have answered, or were given up
    void due();      // a round may be started: ask() with the cluster as it is by now

private:
    void pump();
    void askOne(const patroni::MemberRecord &member);
    void store(const std::string &member, const rules::LiveAnswer &answer);
    rules::LiveAnswer read(const kube::Response &response) const;
    rules::LiveAnswer failed(Error error) const;

    QPointer<kube::Client> m_client;
    kube::Clock m_clock;
    ProbeTimes m_times;
    rules::LiveAnswers m_answers;
    QString m_ns;
    std::deque<patroni::MemberRecord> m_queue;
    std::set<std::string> m_flying;
    bool m_running = false, m_forbidden = false;
    QTimer m_next;
};

// As long as `context` lives, `told` hears what the members of the cluster answer. The text: why nobody is asked; empty: they are asked.
using MembersTold = std::function<void(const rules::LiveAnswers &)>;
QString askMembers(Monitor *monitor, const patroni::ClusterKey &key, QObject *context, const MembersTold &told, ProbeTimes times = {});

} // namespace switchyard
