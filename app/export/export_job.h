// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One export on a thread of its own.
#include "app/export/export_rows.h"

#include <QObject>

#include <atomic>
#include <memory>

class QThread;

namespace switchyard::exports {

class ExportJob : public QObject
{
    Q_OBJECT
public:
    // source is called on that thread.
    ExportJob(Order order, RowSource source, QObject *parent = nullptr);
    ~ExportJob() override; // cancels and waits

    void start();
    void cancel() { m_cancelled = true; }
    const Order &order() const { return m_order; }

Q_SIGNALS:
    void progress(qulonglong rows);
    void finished(const switchyard::Result<switchyard::exports::Summary> &result); // once

private:
    void run();

    Order m_order;
    RowSource m_source;
    std::atomic<bool> m_cancelled = false;
    std::unique_ptr<QThread> m_thread;
};

} // namespace switchyard::exports
