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
    // audit: what the audit page shows, every field.
    Exporter(Monitor *monitor, views::MainWindow *window, std::function<headless::Table()> audit, QObject *parent = nullptr);

    void run(const views::ExportRequest &request);
    // rows: how many there will be; 0: not known. title: of a sheet. For sources other than the window's tables, too.
    void start(exports::Order order, exports::RowSource source, std::uint64_t rows);

private:
    headless::Table tableOf(const views::ExportRequest &request) const;
    void tell(const exports::Order &order, const Result<exports::Summary> &result);

    Monitor *m_monitor;
    views::MainWindow *m_window;
    std::function<headless::Table()> m_audit;
};

} // namespace switchyard::desktop
