// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/facts_table.h"

#include "views/charts/time_range.h"
#include "views/pages/cluster/fit_columns.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_roles.h"
#include "views/words.h"

#include <QEvent>
#include <QHeaderView>
#include <QResizeEvent>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

bool isNumber(FactKind kind)
{
    return kind != FactKind::Word && kind != FactKind::Time && kind != FactKind::End;
}

QVariant alignment(FactKind kind)
{
    return QVariant::fromValue(Qt::Alignment((isNumber(kind) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

// There is no such thing here; that is not unknown.
bool isNone(const QVariant &raw, FactKind kind)
{
    return kind != FactKind::Word && raw.typeId() == QMetaType::QString && raw.toString().isEmpty();
}

Instant instantOf(const QVariant &raw)
{
    return Instant(Duration(raw.toLongLong()));
}

} // namespace

FactsPresenter::FactsPresenter(items::FactsModel *model, QList<FactColumn> columns, QObject *parent)
    : WordsPresenter(model, parent)
    , m_columns(std::move(columns))
{}

QString FactsPresenter::cell(const QVariant &raw, FactKind kind) const
{
    if (!raw.isValid())
        return kind == FactKind::End ? tr("goes on") : unknownText();
    if (isNone(raw, kind))
        return u"\u2013"_s;
    switch (kind) {
    case FactKind::End:
    case FactKind::Time: return exactText(instantOf(raw));
    case FactKind::Length: return durationText(Duration(raw.toLongLong()));
    case FactKind::Seconds: return tr("%1 s").arg(raw.toDouble(), 0, 'f', 1);
    case FactKind::Bytes: return bytesText(raw.toULongLong());
    case FactKind::Word:
    case FactKind::Number: break;
    }
    return raw.toString();
}

QString FactsPresenter::toolTip(const QVariant &raw, const FactColumn &column) const
{
    const FactKind kind = column.kind;
    if (isNone(raw, kind))
        return column.none;
    if (raw.isValid() && (kind == FactKind::Time || kind == FactKind::End))
        return exactTextUtc(instantOf(raw));
    if (raw.isValid() && kind == FactKind::Bytes)
        return bytesExactText(raw.toULongLong());
    return cell(raw, kind);
}

QVariant FactsPresenter::data(const QModelIndex &index, int role) const
{
    const FactKind kind = m_columns.value(index.column()).kind;
    const auto raw = [&] { return mapToSource(index).data(items::RawRole); };
    switch (role) {
    case Qt::DisplayRole: return cell(raw(), kind);
    case Qt::ToolTipRole: return toolTip(raw(), m_columns.value(index.column()));
    case Qt::AccessibleTextRole:
        return u"%1: %2"_s.arg(m_columns.value(index.column()).title, isNone(raw(), kind) ? tr("none") : cell(raw(), kind));
    case Qt::TextAlignmentRole: return alignment(kind);
    case Qt::FontRole: return kind == FactKind::Word ? m_font : m_digits;
    case SecondaryRole: return !raw().isValid() || isNone(raw(), kind);
    default: return WordsPresenter::data(index, role);
    }
}

QVariant FactsPresenter::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const FactColumn column = m_columns.value(section);
    if (role == Qt::TextAlignmentRole)
        return alignment(column.kind);
    return role == Qt::DisplayRole ? column.title : QVariant();
}

FactsTable::FactsTable(const QString &name, const QList<FactColumn> &columns, const QString &emptyText, QWidget *parent)
    : QTableView(parent)
    , m_model(static_cast<int>(columns.size()))
    , m_presenter(&m_model, columns)
    , m_empty(emptyText)
{
    for (int i = 0; i < columns.size(); ++i)
        if (columns[i].elastic)
            m_elastic.append(i);
    m_presenter.setFont(font());
    m_presenter.present(this, name);
    setMinimumHeight(horizontalHeader()->sizeHint().height() + 3 * views::rowHeight(font()));
}

void FactsTable::set(QList<items::FactRow> rows)
{
    m_model.set(std::move(rows));
    if (!m_fitted && m_model.rowCount() > 0)
        fit();
    viewport()->update();
}

void FactsTable::fit()
{
    m_fitted = m_model.rowCount() > 0;
    fitColumns(this, m_elastic, 300);
}

QSize FactsTable::sizeHint() const
{
    return {40 * grid, minimumHeight()};
}

void FactsTable::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    paintEmpty(this, m_empty);
}

void FactsTable::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    verticalHeader()->setDefaultSectionSize(views::rowHeight(font()));
    m_presenter.setFont(font());
}

void FactsTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fit(); // an empty one too: its titles are read
}

} // namespace switchyard::views
