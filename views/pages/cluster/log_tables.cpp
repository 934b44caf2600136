// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/log_tables.h"

#include "models/events/dossier.h"
#include "models/items/roles.h"
#include "views/doubt_text.h"
#include "views/main_window.h"
#include "views/pages/cluster/fit_columns.h"
#include "views/pages/dossier_page.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"
#include "views/widgets/shown_table.h"
#include "views/widgets/table_copy.h"
#include "views/words.h"

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QResizeEvent>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

QString member(const std::optional<std::string> &name)
{
    return name ? text(*name) : LogTable::tr("not recorded");
}

QString whenText(const patroni::Transition &t)
{
    if (t.gainedAt)
        return timeText(*t.gainedAt);
    if (t.notBefore && t.notAfter)
        return LogTable::tr("between %1 and %2").arg(timeText(*t.notBefore), timeText(*t.notAfter));
    return t.lostAt ? timeText(*t.lostAt) : LogTable::tr("not recorded");
}

// "20.5 s ±2.5 s"
QString gapText(const patroni::Transition &t)
{
    if (!t.gap)
        return unknownText();
    const QString gap = durationText(*t.gap);
    return t.gapUncertainty ? LogTable::tr("%1 ±%2", "duration, uncertainty").arg(gap, doubtText(*t.gapUncertainty)) : gap;
}

QString sinceGained(const patroni::Transition &t, const std::optional<Instant> &at)
{
    return at && t.gainedAt ? durationText(*at - *t.gainedAt) : unknownText();
}

QString streamingText(const patroni::Transition &t)
{
    if (t.streamingAt || t.leftBehind.empty())
        return sinceGained(t, t.streamingAt);
    QStringList names;
    for (const std::string &name : t.leftBehind)
        names << text(name);
    return LogTable::tr("behind: %1", "replicas on an older timeline").arg(names.join(u", "_s));
}

QString sourceText(const patroni::Transition &t)
{
    if (t.fromArchive)
        return t.fromLive ? LogTable::tr("seen live, no longer in the history") : LogTable::tr("no longer in the history");
    if (t.fromLive && t.fromHistory)
        return LogTable::tr("seen live, and in the history");
    return t.fromLive ? LogTable::tr("seen live") : LogTable::tr("from the history");
}

QString whenToolTip(const patroni::Transition &t)
{
    QStringList lines;
    if (t.lostAt)
        lines << (ranOut(t) ? LogTable::tr("lock renewed last %1") : LogTable::tr("lock lost %1")).arg(timeTextUtc(*t.lostAt));
    if (t.gainedAt)
        lines << LogTable::tr("lock gained %1").arg(timeTextUtc(*t.gainedAt));
    if (t.lostSource == patroni::Source::Inferred)
        lines << LogTable::tr("the loss was not seen: it is inferred from the ttl");
    if (t.writableAt)
        lines << LogTable::tr("seen as a running primary %1").arg(timeTextUtc(*t.writableAt));
    if (t.streamingAt)
        lines << LogTable::tr("all replicas seen to stream %1").arg(timeTextUtc(*t.streamingAt));
    if (t.erased)
        lines << LogTable::tr("took away: %1").arg(requestWish(*t.erased));
    if (t.notBefore && t.notAfter)
        lines << LogTable::tr("between %1 and %2, while it was not watched").arg(timeTextUtc(*t.notBefore), timeTextUtc(*t.notAfter));
    return lines.join(u'\n');
}

} // namespace

LogTable::LogTable(const QString &name, const QStringList &headers, const QString &emptyText, QWidget *parent)
    : QTableWidget(parent)
    , m_emptyText(emptyText)
{
    styleTable(this);
    setItemDelegate(new CellDelegate(this));
    addActions(addCopyActions(this));
    setContextMenuPolicy(Qt::ActionsContextMenu);
    setAccessibleName(name);
    setColumnCount(static_cast<int>(headers.size()));
    setHorizontalHeaderLabels(headers);
    horizontalHeader()->setStretchLastSection(true);
    setTextElideMode(Qt::ElideMiddle);
    setMinimumHeight(horizontalHeader()->sizeHint().height() + 3 * views::rowHeight(font()));
}

void LogTable::setLines(QList<Line> lines)
{
    if (m_lines == lines)
        return;
    const bool first = m_lines.isEmpty();
    setRowCount(static_cast<int>(lines.size()));
    for (int row = 0; row < rowCount(); ++row) {
        for (int column = 0; column < columnCount(); ++column) {
            QTableWidgetItem *cell = item(row, column);
            if (!cell) {
                cell = new QTableWidgetItem;
                cell->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
                if (m_numbers.contains(column)) {
                    cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
                    cell->setFont(tabularFont(font()));
                }
                setItem(row, column, cell);
            }
            cell->setText(lines[row].cells.value(column));
            cell->setData(items::RecordRole, QVariant::fromValue(lines[row].record));
            cell->setData(SecondaryRole, cell->text() == unknownText() || cell->text() == tr("not recorded"));
            cell->setToolTip(lines[row].toolTip.isEmpty() ? cell->text() : lines[row].toolTip);
        }
    }
    m_lines = std::move(lines);
    for (const int column : m_numbers)
        horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    if (first)
        fit();
    viewport()->update();
}

void LogTable::fit()
{
    fitColumns(this, m_elastic, 300);
}

void LogTable::paintEvent(QPaintEvent *event)
{
    QTableWidget::paintEvent(event);
    if (rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(secondaryText(palette()));
    painter.drawText(viewport()->rect().adjusted(grid, grid, -grid, -grid), Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                     m_emptyText);
}

QSize LogTable::sizeHint() const
{
    return {60 * grid, minimumHeight()};
}

void LogTable::resizeEvent(QResizeEvent *event)
{
    QTableWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width() && !m_lines.isEmpty())
        fit();
}

void LogTable::changeEvent(QEvent *event)
{
    QTableWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        verticalHeader()->setDefaultSectionSize(views::rowHeight(font()));
}

RequestsTable::RequestsTable(QWidget *parent)
    : LogTable(tr("Requests"), {tr("Seen (%1)").arg(zoneText()), tr("Request"), tr("For"), tr("Outcome"), tr("Why")},
               tr("No request was seen since the program started."), parent)
{
    setElasticColumns({1, 3});
    setRecords(this, ExportRequest::What::Requests);
}

void RequestsTable::show(const patroni::Cluster &cluster, Now now)
{
    QList<Line> lines;
    for (auto it = cluster.requests.rbegin(); it != cluster.requests.rend(); ++it) {
        const auto &r = *it;
        const QString seen = r.seenWall ? timeText(*r.seenWall) : r.seenAt ? timeText(now.toWall(*r.seenAt)) : unknownText();
        const QString at = r.request.scheduledAt ? timeText(*r.request.scheduledAt)
            : r.request.scheduledAtRaw           ? text(*r.request.scheduledAtRaw)
                                                 : tr("at once");
        QString why = r.outcome == patroni::Outcome::Refused ? words(r.reason.value_or(patroni::Refusal::Unknown)) : explained(r.outcome);
        if (r.outcome == patroni::Outcome::Refused && r.reason.value_or(patroni::Refusal::Unknown) != patroni::Refusal::Unknown)
            why = tr("Inferred: %1", "the rule that refused; Patroni does not say").arg(why);
        else if (r.heldBack)
            why = tr("Cleared: whether its leader had looked at it shows within two renewals of the lock.");
        else if (!r.certain && r.outcome != patroni::Outcome::Refused)
            why = tr("Not certain, our view had a gap. %1").arg(why);
        lines << Line{{seen, requestWish(r.request), at, words(r.outcome), why}, {}, recordKey(cluster.names.key, r)};
    }
    setLines(std::move(lines));
}

TransitionsTable::TransitionsTable(QWidget *parent)
    : LogTable(tr("Transitions"),
               {tr("When, %1").arg(zoneText()), tr("From"), tr("To"), tr("TL", "timeline"), tr("Ended at LSN"), tr("Leaderless"),
                tr("Writable after"), tr("All stream after"), tr("Cause"), tr("Source")},
               tr("No transition is known. TL 1 has no predecessor, and nothing was seen since the program started."), parent)
{
    setNumberColumns({3, 4, 5, 6});
    setElasticColumns({1, 2, 7, 9});
    setRecords(this, ExportRequest::What::Transitions);
    auto *open = new QAction(tr("Open the dossier"), this);
    addAction(open);
    connect(open, &QAction::triggered, this, [this] { openDossier(currentRow()); });
    connect(this, &QAbstractItemView::activated, this, [this](const QModelIndex &index) { openDossier(index.row()); });
}

void TransitionsTable::openDossier(int row)
{
    auto *in = qobject_cast<MainWindow *>(window());
    if (in && row >= 0 && row < m_names.size())
        in->openDossier(m_names[row]);
}

void TransitionsTable::show(const patroni::Cluster &cluster)
{
    QList<Line> lines;
    m_names.clear();
    for (std::size_t i = cluster.transitions.size(); i-- > 0;) {
        const auto &t = cluster.transitions[i];
        m_names << transitionName(cluster, i);
        lines << Line{{whenText(t), member(t.from), member(t.to), t.timeline ? QString::number(*t.timeline) : tr("none seen"),
                       t.lsn ? text(formatLsn(*t.lsn)) : unknownText(), gapText(t), sinceGained(t, t.writableAt), streamingText(t),
                       words(t.kind), sourceText(t)},
                      whenToolTip(t),
                      transitionKey(cluster, i)};
    }
    setLines(std::move(lines));
}

} // namespace switchyard::views
