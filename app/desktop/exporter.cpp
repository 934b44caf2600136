// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/exporter.h"

#include "app/clusters/monitor.h"
#include "views/pages/elections_page.h"
#include "views/words.h"

#include <QProgressDialog>
#include <QStatusBar>

#include <algorithm>
#include <iterator>
#include <limits>

namespace switchyard::desktop {

using views::ExportRequest;
using views::text;
using What = ExportRequest::What;

namespace {

headless::Command commandFor(What what)
{
    switch (what) {
    case What::Members: return headless::Command::Members;
    case What::History: return headless::Command::History;
    case What::Events: return headless::Command::Events;
    case What::Transitions: return headless::Command::Transitions;
    case What::Requests: return headless::Command::Requests;
    case What::Elections: return headless::Command::Elections;
    case What::Clusters:
    case What::Audit: break;
    }
    return headless::Command::List;
}

} // namespace

Exporter::Exporter(Monitor *monitor, views::MainWindow *window, std::function<headless::Table()> audit, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_window(window)
    , m_audit(std::move(audit))
{
    connect(window, &views::MainWindow::exportRequested, this, &Exporter::run);
}

headless::Table Exporter::tableOf(const ExportRequest &request) const
{
    if (request.table)
        return *request.table;
    if (request.what == What::Audit)
        return m_audit();
    const auto wanted = [&](const patroni::ClusterKey &key) {
        return request.clusters.empty() || std::find(request.clusters.begin(), request.clusters.end(), key) != request.clusters.end();
    };
    std::vector<const patroni::Cluster *> clusters = m_monitor->store().clusters();
    std::erase_if(clusters, [&](const patroni::Cluster *cluster) { return !wanted(cluster->names.key); });
    std::vector<Event> events = m_monitor->events();
    std::erase_if(events, [&](const Event &event) { return !wanted(event.cluster); });
    const std::vector<const election::Election *> elections = m_monitor->elections().elections();
    headless::Filters filters;
    filters.allLeases = m_window->electionsPage()->showsNoise(); // as the page says
    return headless::rows(commandFor(request.what), clusters, events, m_monitor->now(), filters, elections);
}

void Exporter::run(const ExportRequest &request)
{
    const auto format = tables::formatFromCode(request.format.toStdString());
    if (!format)
        return;
    headless::Table table = tableOf(request);
    const std::uint64_t rows = table.rows.size();
    start({request.file, *format, std::move(table.columns), request.title}, exports::rowsOf(std::move(table.rows)), rows);
}

void Exporter::start(exports::Order order, exports::RowSource source, std::uint64_t rows)
{
    auto *job = new exports::ExportJob(std::move(order), std::move(source), this);
    const bool counts = rows > 0 && rows <= std::uint64_t(std::numeric_limits<int>::max());
    auto *shown = new QProgressDialog(tr("Exporting into %1").arg(job->order().file), tr("&Cancel"), 0, counts ? int(rows) : 0, m_window);
    shown->setWindowTitle(tr("Export"));
    shown->setAutoClose(false);
    shown->setAutoReset(false);
    shown->setMinimumDuration(500); // milliseconds: most are done by then
    connect(shown, &QProgressDialog::canceled, job, [job] { job->cancel(); });
    connect(job, &exports::ExportJob::progress, shown, [shown, counts](qulonglong written) {
        shown->setValue(counts ? int(std::min<qulonglong>(written, qulonglong(shown->maximum()))) : 0);
        shown->setLabelText(tr("%1 rows are written").arg(written));
    });
    connect(job, &exports::ExportJob::finished, this, [this, job, shown](const Result<exports::Summary> &result) {
        delete shown;
        tell(job->order(), result);
        job->deleteLater();
    });
    job->start();
}

void Exporter::tell(const exports::Order &order, const Result<exports::Summary> &result)
{
    if (!result) {
        m_window->showMessage(tr("Not exported"), text(result.error().message), text(describe(result.error())));
        return;
    }
    QString said = result->cancelled ? tr("Cancelled: nothing was written to %1").arg(order.file)
                                     : tr("%n row(s) exported to %1", nullptr, int(result->rows)).arg(order.file);
    if (result->sheets > 1)
        said += tr(", on %1 sheets").arg(result->sheets);
    m_window->statusBar()->showMessage(said, 8000);
    if (result->cutTexts > 0)
        m_window->showMessage(tr("Exported, with texts cut"),
                              tr("%n text(s) were longer than a cell of a workbook holds (32,767 characters) and are cut; each says so at "
                                 "its end. CSV and JSON keep them whole.",
                                 nullptr, int(result->cutTexts)),
                              order.file);
}

} // namespace switchyard::desktop
