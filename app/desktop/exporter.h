// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Does the exports that the window asks for: each on a thread of its own, with progress and cancel when it takes a while.
#include "app/export/export_job.h"
#include "app/headless/tables.h"
#include "views/main_window.h"

namespace switchyard {
class Monitor;
}

namespace switchyard::desktop {

class Exporter : public QObject
{
    Q_OBJECT
public:
    // Every field of the writes: those of the audit page, or all that are in the file.
    using Audit = std::function<Result<headless::KeyedTable>(bool wholeFile)>;
    // events: as they are shown, those of before the start among them.
    Exporter(Monitor *monitor, views::MainWindow *window, const items::EventsModel *events, Audit audit, QObject *parent = nullptr);

    void run(const views::ExportRequest &request);
    // rows: how many there will be; 0: not known. missing: how many of those that were shown are gone meanwhile.
    // For sources other than the window's tables, too.
    void start(exports::Order order, exports::RowSource source, std::uint64_t rows, std::uint64_t missing = 0);

private:
    Result<headless::Picked> rowsFor(const views::ExportRequest &request) const;
    Result<headless::KeyedTable> everyRow(const views::ExportRequest &request) const;
    std::vector<Event> events() const;
    void tell(const exports::Order &order, const Result<exports::Summary> &result, std::uint64_t missing);

    Monitor *m_monitor;
    views::MainWindow *m_window;
    const items::EventsModel *m_events;
    Audit m_audit;
};

} // namespace switchyard::desktop
