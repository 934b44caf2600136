// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/exporter.h"

#include "app/clusters/monitor.h"
#include "views/pages/history_page.h"
#include "views/words.h"

#include <QProgressDialog>
#include <QStatusBar>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

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

Exporter::Exporter(Monitor *monitor, views::MainWindow *window, const items::EventsModel *events, Audit audit, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_window(window)
    , m_events(events)
    , m_audit(std::move(audit))
{
    connect(window, &views::MainWindow::exportRequested, this, &Exporter::run);
}

// Those of this run, and before them what the archive remembers and the window shows.
std::vector<Event> Exporter::events() const
{
    std::vector<Event> now = m_monitor->events();
    std::set<std::string_view> known;
    for (const Event &event : now)
        known.insert(event.id);
    std::vector<Event> all;
    for (int row = m_events->rowCount(); row-- > 0;) {
        const Event *event = m_events->eventAt(row);
        if (!known.contains(event->id))
            all.push_back(*event);
    }
    std::move(now.begin(), now.end(), std::back_inserter(all));
    return all;
}

Result<headless::KeyedTable> Exporter::everyRow(const ExportRequest &request) const
{
    if (request.what == What::Audit)
        return m_audit(!request.records);
    const bool some = !request.records && !request.clusters.empty();
    const auto wanted = [&](const patroni::ClusterKey &key) {
        return !some || std::find(request.clusters.begin(), request.clusters.end(), key) != request.clusters.end();
    };
    std::vector<const patroni::Cluster *> clusters = m_monitor->store().clusters();
    std::erase_if(clusters, [&](const patroni::Cluster *cluster) { return !wanted(cluster->names.key); });
    std::vector<Event> happened = events();
    std::erase_if(happened, [&](const Event &event) { return !wanted(event.cluster); });
    std::vector<const election::Election *> elections = m_monitor->elections().elections();
    if (some) // of clusters, not of elections beside them
        elections.clear();
    headless::Filters filters;
    filters.allLeases = true;
    const auto open = std::find_if(clusters.begin(), clusters.end(),
                                   [&](const patroni::Cluster *cluster) { return cluster->names.key == m_window->openedCluster(); });
    std::optional<patroni::Cluster> withLost; // timelines that only the archive tells of, where they are shown
    if (request.records && request.what == What::History && open != clusters.end() && (*open)->config) {
        withLost = **open;
        auto &entries = withLost->config->history.entries;
        const auto lost = m_window->historyPage()->lostTimelines();
        entries.insert(entries.begin(), lost.begin(), lost.end());
        *open = &*withLost;
    }
    return headless::keyedRows(commandFor(request.what), clusters, happened, m_monitor->now(), filters, elections);
}

Result<headless::Picked> Exporter::rowsFor(const ExportRequest &request) const
{
    if (request.table)
        return headless::Picked{*request.table, 0};
    auto all = everyRow(request);
    if (!all)
        return tl::unexpected(all.error());
    if (!request.records)
        return headless::Picked{std::move(all->table), 0};
    return headless::pick(std::move(*all), *request.records);
}

void Exporter::run(const ExportRequest &request)
{
    const auto format = tables::formatFromCode(request.format.toStdString());
    if (!format)
        return;
    auto found = rowsFor(request);
    if (!found)
        return tell({request.file, *format, {}, request.title}, tl::unexpected(found.error()), 0);
    const std::uint64_t rows = found->table.rows.size();
    start({request.file, *format, std::move(found->table.columns), request.title}, exports::rowsOf(std::move(found->table.rows)), rows,
          found->missing);
}

void Exporter::start(exports::Order order, exports::RowSource source, std::uint64_t rows, std::uint64_t missing)
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
    connect(job, &exports::ExportJob::finished, this, [this, job, shown, missing](const Result<exports::Summary> &result) {
        delete shown;
        tell(job->order(), result, missing);
        job->deleteLater();
    });
    job->start();
}

void Exporter::tell(const exports::Order &order, const Result<exports::Summary> &result, std::uint64_t missing)
{
    if (!result) {
        m_window->showMessage(tr("Not exported"), text(result.error().message), text(describe(result.error())));
        return;
    }
    QString said = result->cancelled ? tr("Cancelled: nothing was written to %1").arg(order.file)
                                     : tr("%n row(s) exported to %1", nullptr, int(result->rows)).arg(order.file);
    if (result->sheets > 1)
        said += tr(", on %1 sheets").arg(result->sheets);
    if (missing > 0 && !result->cancelled)
        said += tr("; %n that were shown are gone meanwhile", nullptr, int(missing));
    m_window->statusBar()->showMessage(said, 8000);
    if (result->cutTexts > 0)
        m_window->showMessage(tr("Exported, with texts cut"),
                              tr("%n text(s) were longer than a cell of a workbook holds (32,767 characters) and are cut; each says so at "
                                 "its end. CSV and JSON keep them whole.",
                                 nullptr, int(result->cutTexts)),
                              order.file);
}

} // namespace switchyard::desktop
