// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sends what was confirmed, each write once, one after the other. Of an action on several members the first failure ends it: what is
// wrong with one may be wrong with all.
#include "app/actions/writer.h"

#include <QPointer>

namespace switchyard::desktop {

struct QueuedWrite
{
    actions::PlannedWrite planned;
    actions::Transport transport;
};

// Nothing but time is lost when the next one is tried after a failure.
bool goesOnAfterFailure(rules::ActionKind kind);
// It is known to be written.
bool arrived(actions::WriteCode code);

class SendQueue : public QObject
{
    Q_OBJECT
public:
    SendQueue(QString auditPath, kube::Clock clock, QObject *parent = nullptr);
    void setChecks(std::function<bool()> readOnly, actions::ActionWriter::Check lastCheck);
    void start(std::vector<QueuedWrite> writes);
    void stop(); // after the one that is under way

    const std::vector<QueuedWrite> &writes() const { return m_writes; }
    std::size_t sent() const { return m_next; } // so many have been tried
    bool stopped() const { return m_stopped; }  // by the user
    const std::vector<actions::WriteResult> &results() const { return m_results; }

Q_SIGNALS:
    void sending(int index);
    void answered(const switchyard::actions::WriteResult &result);
    void finished();

private:
    void sendNext();
    void take(const actions::WriteResult &result);

    QString m_auditPath;
    kube::Clock m_clock;
    std::function<bool()> m_readOnly;
    actions::ActionWriter::Check m_lastCheck;
    std::vector<QueuedWrite> m_writes;
    std::vector<actions::WriteResult> m_results;
    std::size_t m_next = 0;
    bool m_stopped = false, m_failed = false;
    QPointer<actions::ActionWriter> m_writer;
};

} // namespace switchyard::desktop
