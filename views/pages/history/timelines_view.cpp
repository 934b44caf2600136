// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/history/timelines_view.h"

#include "views/pages/cluster/fit_columns.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_roles.h"
#include "views/widgets/shown_table.h"
#include "views/words.h"

#include <QEvent>
#include <QHeaderView>
#include <QResizeEvent>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::HistoryModel;

namespace {

bool isNumber(int column)
{
    return column == HistoryModel::Timeline || column == HistoryModel::Lsn || column == HistoryModel::LsnNumber
        || column == HistoryModel::LedFor;
}

Instant instantOf(const QVariant &raw)
{
    return Instant(Duration(raw.toLongLong()));
}

} // namespace

HistoryPresenter::HistoryPresenter(items::HistoryModel *model, QObject *parent)
    : WordsPresenter(model, parent)
    , m_model(model)
{}

QString HistoryPresenter::cell(const QModelIndex &source) const
{
    const QVariant raw = source.data(items::RawRole);
    switch (static_cast<HistoryModel::Column>(source.column())) {
    case HistoryModel::EndedAt: return raw.isValid() ? timeText(instantOf(raw)) : tr("not recorded");
    case HistoryModel::NewLeader:
    case HistoryModel::Leader: return raw.isValid() ? raw.toString() : tr("not recorded");
    case HistoryModel::LedFor: {
        if (!raw.isValid())
            return unknownText();
        const QString length = secondsText(Duration(raw.toLongLong()));
        return source.data(items::CodeRole).toString() == "current"_L1 ? tr("%1 so far").arg(length)
            : source.data(items::CodeRole).toString() == "at-least"_L1 ? tr("at least %1").arg(length)
                                                                       : length;
    }
    case HistoryModel::Reason: {
        const QString reason = raw.toString().isEmpty() ? tr("none given") : raw.toString();
        const auto *entry = m_model->entryAt(source.row());
        return entry && m_archived.contains(entry->timeline) ? tr("archive: %1").arg(reason) : reason;
    }
    case HistoryModel::Timeline:
    case HistoryModel::Lsn:
    case HistoryModel::LsnNumber:
    case HistoryModel::ColumnCount: break;
    }
    return raw.isValid() ? raw.toString() : unknownText();
}

QString HistoryPresenter::toolTip(const QModelIndex &source) const
{
    const auto *entry = m_model->entryAt(source.row());
    if (source.column() == HistoryModel::EndedAt && entry && entry->endedAt)
        return entry->endedAtRaw ? tr("%1\nas written: %2").arg(timeTextUtc(*entry->endedAt), text(*entry->endedAtRaw))
                                 : timeTextUtc(*entry->endedAt);
    if (source.column() == HistoryModel::Reason)
        return tr("PostgreSQL's own comment in the timeline's history file; it does not say why the leader changed.");
    return cell(source);
}

QVariant HistoryPresenter::data(const QModelIndex &index, int role) const
{
    const QModelIndex source = mapToSource(index);
    switch (role) {
    case Qt::DisplayRole: return cell(source);
    case Qt::ToolTipRole: return toolTip(source);
    case Qt::AccessibleTextRole:
        return u"%1: %2"_s.arg(headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(), cell(source));
    case Qt::TextAlignmentRole: return int(isNumber(index.column()) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole: return index.column() == HistoryModel::Lsn ? m_mono : isNumber(index.column()) ? m_digits : m_font;
    case SecondaryRole: return !source.data(items::RawRole).isValid();
    default: return WordsPresenter::data(index, role);
    }
}

QVariant HistoryPresenter::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(isNumber(section) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<HistoryModel::Column>(section)) {
    case HistoryModel::Timeline: return tr("TL ended", "timeline that ended");
    case HistoryModel::Lsn: return tr("at LSN");
    case HistoryModel::LsnNumber: return tr("LSN in bytes");
    case HistoryModel::Reason: return tr("Reason in the history file");
    case HistoryModel::EndedAt: return tr("Ended at, %1").arg(zoneText());
    case HistoryModel::NewLeader: return tr("New leader");
    case HistoryModel::LedFor: return tr("New leader led for");
    case HistoryModel::Leader: return tr("Led by");
    case HistoryModel::ColumnCount: break;
    }
    return {};
}

TimelinesView::TimelinesView(QWidget *parent)
    : QTableView(parent)
    , m_presenter(&m_model)
{
    m_presenter.present(this, tr("Timelines"));
    setRecords(this, ExportRequest::What::History);
    static constexpr HistoryModel::Column order[] = {HistoryModel::Timeline, HistoryModel::Leader,    HistoryModel::EndedAt,
                                                     HistoryModel::Lsn,      HistoryModel::LsnNumber, HistoryModel::NewLeader,
                                                     HistoryModel::LedFor,   HistoryModel::Reason};
    for (int visual = 0; visual < HistoryModel::ColumnCount; ++visual)
        horizontalHeader()->moveSection(horizontalHeader()->visualIndex(order[visual]), visual);
    setMinimumHeight(horizontalHeader()->sizeHint().height() + 4 * views::rowHeight(font()));
    look();
}

void TimelinesView::showCluster(const patroni::Cluster &cluster, Now now)
{
    if (!cluster.config)
        m_empty = tr("The config object is missing, so the history is unknown.");
    else if (!cluster.config->history.readable)
        m_empty = tr("The history annotation cannot be read; the timelines are unknown.");
    else if (cluster.standby())
        m_empty = tr("A standby cluster writes no timeline history.");
    else
        m_empty = tr("No timeline has ended yet. Patroni records who led from timeline 2 on.");
    m_model.update(cluster, now);
    if (!m_fitted && m_model.rowCount() > 0) {
        m_fitted = true;
        fit();
    }
    viewport()->update();
}

void TimelinesView::tick(Now now)
{
    m_model.tick(now);
    growColumn(this, HistoryModel::LedFor); // "9 s so far" becomes longer
}

void TimelinesView::clear()
{
    m_model.clear();
    m_fitted = false;
}

void TimelinesView::fit()
{
    fitColumns(this, {HistoryModel::Leader, HistoryModel::NewLeader, HistoryModel::Reason}, 280);
}

QSize TimelinesView::sizeHint() const
{
    return {60 * grid, minimumHeight()};
}

void TimelinesView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fit();
}

void TimelinesView::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    paintEmpty(this, m_empty);
}

void TimelinesView::look()
{
    verticalHeader()->setDefaultSectionSize(views::rowHeight(font()));
    m_presenter.setFont(font());
}

void TimelinesView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        look();
}

} // namespace switchyard::views
