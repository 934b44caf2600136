// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/export_job.h"

#include <QDeadlineTimer>
#include <QThread>

namespace switchyard::exports {

using namespace std::chrono_literals;

ExportJob::ExportJob(Order order, RowSource source, QObject *parent)
    : QObject(parent)
    , m_order(std::move(order))
    , m_source(std::move(source))
{}

ExportJob::~ExportJob()
{
    cancel();
    if (m_thread)
        m_thread->wait();
}

void ExportJob::start()
{
    m_thread.reset(QThread::create([this] { run(); }));
    m_thread->start();
}

// Signals are queued to those who live on other threads, as all receivers do.
void ExportJob::run()
{
    QDeadlineTimer next(0);
    const auto result = exportRows(m_order, m_source, [&](std::uint64_t rows) {
        if (next.hasExpired()) {
            next.setRemainingTime(100ms);
            Q_EMIT progress(rows);
        }
        return !m_cancelled;
    });
    QMetaObject::invokeMethod(
        this, [this, result] { Q_EMIT finished(result); }, Qt::QueuedConnection);
}

} // namespace switchyard::exports
