// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/send_queue.h"

namespace switchyard::desktop {

bool goesOnAfterFailure(rules::ActionKind kind)
{
    using rules::ActionKind;
    return kind == ActionKind::Pause || kind == ActionKind::Resume || kind == ActionKind::Reload || kind == ActionKind::CancelRestart;
}

bool arrived(actions::WriteCode code)
{
    return code == actions::WriteCode::Done || code == actions::WriteCode::Arrived;
}

SendQueue::SendQueue(QString auditPath, kube::Clock clock, QObject *parent)
    : QObject(parent)
    , m_auditPath(std::move(auditPath))
    , m_clock(std::move(clock))
{}

void SendQueue::setChecks(std::function<bool()> readOnly, actions::ActionWriter::Check lastCheck)
{
    m_readOnly = std::move(readOnly);
    m_lastCheck = std::move(lastCheck);
}

void SendQueue::start(std::vector<QueuedWrite> writes)
{
    m_writes = std::move(writes);
    sendNext();
}

void SendQueue::stop()
{
    m_stopped = true;
}

void SendQueue::sendNext()
{
    if (m_next >= m_writes.size() || m_stopped || m_failed) {
        Q_EMIT finished();
        return;
    }
    const QueuedWrite &write = m_writes[m_next];
    m_writer = new actions::ActionWriter(write.transport, actions::AuditLog(m_auditPath), m_clock, this);
    m_writer->setReadOnly(m_readOnly);
    m_writer->setFreshness(m_lastCheck);
    connect(m_writer, &actions::ActionWriter::finished, this, &SendQueue::take);
    Q_EMIT sending(static_cast<int>(m_next));
    ++m_next;
    m_writer->send(write.planned);
}

void SendQueue::take(const actions::WriteResult &result)
{
    m_writer->deleteLater();
    m_writer.clear();
    m_results.push_back(result);
    m_failed = !arrived(result.code) && !goesOnAfterFailure(result.planned.action);
    Q_EMIT answered(result);
    sendNext();
}

} // namespace switchyard::desktop
