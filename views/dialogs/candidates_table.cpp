// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/candidates_table.h"

#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"
#include "views/words.h"

#include <QHeaderView>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

enum Column { NameColumn, FitColumn, RoleColumn, LagColumn, WhyColumn, Columns };
constexpr int widestName = 240;

QString lagOf(const patroni::Cluster &cluster, const std::string &name)
{
    const auto it = std::find_if(cluster.members.begin(), cluster.members.end(), [&](const auto &m) { return m.record.name == name; });
    if (it == cluster.members.end())
        return unknownText();
    return it->role == patroni::Role::Leader || it->role == patroni::Role::StandbyLeader ? u"\u2013"_s : lagText(it->lag);
}

QString roleOf(const patroni::Cluster &cluster, const std::string &name)
{
    const auto it = std::find_if(cluster.members.begin(), cluster.members.end(), [&](const auto &m) { return m.record.name == name; });
    return it == cluster.members.end() ? unknownText() : words(it->role);
}

} // namespace

CandidatesTable::CandidatesTable(QWidget *parent)
    : QTableWidget(parent)
{
    styleTable(this);
    setItemDelegate(new CellDelegate(this));
    setItemDelegateForColumn(WhyColumn, new QStyledItemDelegate(this)); // wraps: no reason may be cut off
    setColumnCount(Columns);
    setHorizontalHeaderLabels({tr("Candidate"), tr("Fit"), tr("Role"), tr("Lag"), tr("Why")});
    horizontalHeaderItem(LagColumn)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    horizontalHeader()->setStretchLastSection(true);
    setSelectionMode(SingleSelection);
    setTextElideMode(Qt::ElideMiddle);
    setWordWrap(true);
    setAccessibleName(tr("Candidates"));
    connect(this, &QTableWidget::itemSelectionChanged, this, [this] {
        if (m_filling || selectedItems().isEmpty())
            return;
        m_chosen = m_lines.at(selectedItems().front()->row()).member;
        Q_EMIT choiceChanged();
    });
}

CandidatesTable::Line CandidatesTable::decides(bool possible)
{
    return {std::nullopt,
            possible,
            {tr("Patroni decides"), possible ? tr("fit") : tr("unfit"), u"\u2013"_s, u"\u2013"_s,
             possible ? tr("the best fit member wins") : tr("no member can take over")},
            tr("The request names no candidate; the members race for the lock by Patroni's rules.")};
}

CandidatesTable::Line CandidatesTable::lineOf(const patroni::Cluster &cluster, const rules::MemberVerdict &verdict)
{
    QStringList why, all;
    for (const auto &finding : verdict.findings) {
        all << u"%1: %2"_s.arg(words(finding.severity), words(finding));
        if (finding.severity != rules::Severity::Note)
            why << words(finding);
    }
    if (why.isEmpty())
        why << tr("nothing against it");
    return {verdict.member,
            verdict.fit,
            {text(verdict.member), verdict.fit ? tr("fit") : tr("unfit"), roleOf(cluster, verdict.member), lagOf(cluster, verdict.member),
             why.join(u"; "_s)},
            all.join(u'\n')};
}

void CandidatesTable::show(const patroni::Cluster &cluster, const rules::Preflight &preflight)
{
    const auto &members = preflight.members;
    QList<Line> lines{decides(std::any_of(members.begin(), members.end(), [](const auto &m) { return m.fit; }))};
    for (const auto &member : members)
        lines << lineOf(cluster, member);
    if (m_chosen && std::none_of(lines.begin(), lines.end(), [this](const Line &l) { return l.member == m_chosen; }))
        lines << Line{m_chosen, false, {text(*m_chosen), tr("unfit"), unknownText(), unknownText(), tr("no such member any more")}, {}};
    if (lines == m_lines)
        return;
    const bool first = m_lines.isEmpty();
    m_lines = std::move(lines);
    m_filling = true;
    setRowCount(static_cast<int>(m_lines.size()));
    for (int row = 0; row < rowCount(); ++row) {
        for (int column = 0; column < Columns; ++column) {
            auto *cell = item(row, column) ? item(row, column) : new QTableWidgetItem;
            cell->setText(m_lines[row].cells[column]);
            if (column == FitColumn)
                cell->setData(ToneRole, static_cast<int>(m_lines[row].fit ? Tone::Good : Tone::Bad));
            cell->setToolTip(m_lines[row].toolTip);
            cell->setData(Qt::AccessibleTextRole, column == NameColumn ? m_lines[row].cells.join(u", "_s) : m_lines[row].cells[column]);
            cell->setTextAlignment((column == LagColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            cell->setData(SecondaryRole, cell->text() == unknownText());
            if (!item(row, column))
                setItem(row, column, cell);
        }
    }
    m_filling = false;
    choose(m_chosen);
    if (first)
        fit();
    resizeRowsToContents();
}

void CandidatesTable::fit()
{
    for (int column = 0; column < WhyColumn; ++column) {
        const int wanted = qMax(sizeHintForColumn(column),
                                horizontalHeader()->fontMetrics().horizontalAdvance(horizontalHeaderItem(column)->text()) + 2 * grid);
        setColumnWidth(column, qMin(wanted, widestName));
    }
}

std::optional<std::string> CandidatesTable::chosen() const
{
    return m_chosen;
}

void CandidatesTable::choose(const std::optional<std::string> &member)
{
    const auto it = std::find_if(m_lines.begin(), m_lines.end(), [&](const Line &l) { return l.member == member; });
    if (it == m_lines.end())
        return;
    const bool changed = m_chosen != member;
    m_chosen = member;
    m_filling = true;
    selectRow(static_cast<int>(it - m_lines.begin()));
    m_filling = false;
    if (changed)
        Q_EMIT choiceChanged();
}

void CandidatesTable::resizeEvent(QResizeEvent *event)
{
    QTableWidget::resizeEvent(event);
    resizeRowsToContents();
}

} // namespace switchyard::views
