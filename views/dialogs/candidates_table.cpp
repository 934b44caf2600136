// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/candidates_table.h"

#include "models/patroni/find_member.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"
#include "views/words.h"

#include <QHeaderView>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

enum Column { NameColumn, FitColumn, RoleColumn, LagColumn, AnswerColumn, WhyColumn, Columns };
constexpr int widestName = 240;

QString lagOf(const patroni::Member *member)
{
    if (!member)
        return unknownText();
    return member->role == patroni::Role::Leader || member->role == patroni::Role::StandbyLeader ? u"\u2013"_s : lagText(member->lag);
}

// What it says of itself, by its age: an old answer is no answer.
QString answerOf(const rules::LiveAnswers &answers, const std::string &name, Now now)
{
    const auto found = answers.find(name);
    if (found == answers.end())
        return u"\u2013"_s;
    const QString age = agoText(found->second.at, now);
    return found->second.error ? CandidatesTable::tr("none, %1").arg(age) : age;
}

} // namespace

CandidatesTable::CandidatesTable(QWidget *parent)
    : QTableWidget(parent)
{
    styleTable(this);
    setItemDelegate(new CellDelegate(this));
    setItemDelegateForColumn(WhyColumn, new QStyledItemDelegate(this)); // wraps: no reason may be cut off
    setColumnCount(Columns);
    setHorizontalHeaderLabels({tr("Candidate"), tr("Fit"), tr("Role"), tr("Lag"), tr("Answered"), tr("Why")});
    horizontalHeaderItem(LagColumn)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    horizontalHeaderItem(AnswerColumn)->setToolTip(tr("When the member was asked last what it says of itself."));
    horizontalHeader()->setStretchLastSection(true);
    setColumnHidden(AnswerColumn, true);
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

void CandidatesTable::setOpenChoice(bool open)
{
    m_open = open;
}

CandidatesTable::Line CandidatesTable::decides(const rules::Preflight &preflight)
{
    const bool possible = std::any_of(preflight.members.begin(), preflight.members.end(), [](const auto &member) { return member.fit; });
    return {std::nullopt,
            possible,
            {tr("Patroni decides"), possible ? tr("fit") : tr("unfit"), u"\u2013"_s, u"\u2013"_s, u"\u2013"_s,
             possible ? tr("the best fit member wins") : tr("no member can take over")},
            tr("The request names no candidate; the members race for the lock by Patroni's rules.")};
}

CandidatesTable::Line CandidatesTable::lineOf(const patroni::Cluster &cluster, const rules::MemberVerdict &verdict,
                                              const rules::LiveAnswers &answers, Now now)
{
    QStringList why, all;
    for (const rules::Finding &finding : verdict.findings) {
        all << u"%1: %2"_s.arg(words(finding.severity), words(finding));
        if (finding.severity != rules::Severity::Note)
            why << words(finding);
    }
    if (why.isEmpty())
        why << tr("nothing against it");
    const patroni::Member *member = patroni::findMember(cluster, verdict.member);
    return {verdict.member,
            verdict.fit,
            {text(verdict.member), verdict.fit ? tr("fit") : tr("unfit"), member ? words(member->role) : unknownText(), lagOf(member),
             answerOf(answers, verdict.member, now), why.join(u"; "_s)},
            all.join(u'\n')};
}

void CandidatesTable::show(const patroni::Cluster &cluster, const rules::Preflight &preflight, const rules::LiveAnswers &answers, Now now)
{
    QList<Line> lines;
    if (m_open)
        lines << decides(preflight);
    for (const rules::MemberVerdict &member : preflight.members)
        lines << lineOf(cluster, member, answers, now);
    if (m_chosen && std::none_of(lines.begin(), lines.end(), [this](const Line &l) { return l.member == m_chosen; }))
        lines << Line{
            m_chosen, false, {text(*m_chosen), tr("unfit"), unknownText(), unknownText(), u"\u2013"_s, tr("no such member any more")}, {}};
    const bool asked = !answers.empty(), first = m_lines.isEmpty() || isColumnHidden(AnswerColumn) == asked;
    if (lines == m_lines && !first)
        return;
    setColumnHidden(AnswerColumn, !asked);
    m_lines = std::move(lines);
    m_filling = true;
    setRowCount(static_cast<int>(m_lines.size()));
    for (int row = 0; row < rowCount(); ++row)
        fill(row);
    m_filling = false;
    choose(m_chosen);
    if (first)
        fit();
    resizeRowsToContents();
}

void CandidatesTable::fill(int row)
{
    const Line &line = m_lines[row];
    for (int column = 0; column < Columns; ++column) {
        if (!item(row, column))
            setItem(row, column, new QTableWidgetItem);
        QTableWidgetItem *cell = item(row, column);
        cell->setText(line.cells[column]);
        if (column == FitColumn)
            cell->setData(ToneRole, static_cast<int>(line.fit ? Tone::Good : Tone::Bad));
        cell->setToolTip(line.toolTip);
        cell->setData(Qt::AccessibleTextRole, column == NameColumn ? line.cells.join(u", "_s) : line.cells[column]);
        cell->setTextAlignment((column == LagColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        cell->setData(SecondaryRole, cell->text() == unknownText());
    }
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
