// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/audit_page.h"

#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"
#include "views/widgets/audit_words.h"
#include "views/widgets/cell_delegate.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/filter_box.h"
#include "views/widgets/filter_proxy.h"
#include "views/widgets/sentence.h"
#include "views/widgets/shown_table.h"
#include "views/widgets/table_copy.h"
#include "views/words.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::AuditModel;
using items::AuditRow;

namespace {

constexpr int sampleRows = 100;

QString inWords(const AuditRow &row)
{
    const QString action = auditActionText(row.action);
    return AuditPage::tr("%1 of %2, %3", "action, cluster, answer").arg(action, text(row.cluster.text()), auditResultText(row.result));
}

} // namespace

AuditPage::AuditPage(QWidget *parent)
    : QWidget(parent)
    , m_words(new AuditWords(&m_model, this))
    , m_proxy(new FilterProxy(this))
    , m_sentence(new Sentence(this))
    , m_problem(new Banner(this))
    , m_filter(new FilterBox(tr("Filter writes  Ctrl+F"), this))
    , m_count(captionLabel(QString(), this))
    , m_export(new QPushButton(tr("&Export\u2026"), this))
    , m_stack(new QStackedWidget(this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_table(new QTableView(this))
    , m_details(new QPlainTextEdit(this))
    , m_copy(new QPushButton(tr("&Copy"), this))
    , m_empty(new EmptyState(this))
{
    m_proxy->setSourceModel(m_words);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, 0);
    layout->setSpacing(grid + grid / 2);
    layout->addWidget(m_sentence);
    layout->addWidget(m_problem);
    layout->addWidget(buildLine());
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    m_splitter->addWidget(m_stack);
    m_splitter->addWidget(buildDetails());
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setCollapsible(0, false);
    m_splitter->setSizes({400, 14 * fontMetrics().height()});
    layout->addWidget(m_splitter, 1);
    buildTable();
    connect(m_filter, &FilterBox::filterChanged, this, [this](const QString &words) {
        m_proxy->setWords(words);
        describe();
    });
    connect(m_filter, &FilterBox::leftDown, this, &AuditPage::focusTable);
    describe();
    describeSelected();
}

QWidget *AuditPage::buildLine()
{
    auto *whole = new QWidget(this);
    auto *line = new QHBoxLayout(whole);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(grid);
    m_filter->setMaximumWidth(360);
    line->addWidget(m_filter);
    line->addWidget(m_count);
    line->addStretch();
    auto *again = new QPushButton(tr("&Read again"), this);
    for (QPushButton *button : {again, m_export}) {
        button->setAutoDefault(false);
        line->addWidget(button);
    }
    again->setToolTip(tr("Reads the audit file anew: other windows on this computer write to it too."));
    m_export->setToolTip(tr("Asks which of the writes go into which file."));
    connect(again, &QPushButton::clicked, this, &AuditPage::refreshRequested);
    connect(m_export, &QPushButton::clicked, this, &AuditPage::exportRequested);
    return whole;
}

QWidget *AuditPage::buildDetails()
{
    auto *pane = new QWidget(this);
    auto *column = new QVBoxLayout(pane);
    column->setContentsMargins(0, grid, 0, grid);
    column->setSpacing(grid);
    auto *head = new QHBoxLayout;
    head->addWidget(new CaptionLabel(tr("the chosen write, exactly as it was sent"), pane), 1);
    m_copy->setAutoDefault(false);
    m_copy->setToolTip(tr("Copies all that is known of the chosen write."));
    head->addWidget(m_copy);
    column->addLayout(head);
    m_details->setReadOnly(true);
    m_details->setTabChangesFocus(true);
    m_details->setFont(monospaceFont(font()));
    m_details->setAccessibleName(tr("Details of the chosen write"));
    column->addWidget(m_details, 1);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_details->toPlainText()); });
    return pane;
}

void AuditPage::buildTable()
{
    m_table->setModel(m_proxy);
    m_table->setItemDelegate(new CellDelegate(m_table));
    for (const int column : {int(AuditModel::Context), int(AuditModel::Cluster)})
        m_table->setItemDelegateForColumn(column, new NameDelegate(m_table));
    m_table->setFont(tabularFont(font()));
    m_table->setAccessibleName(tr("Writes, newest first"));
    styleTable(m_table);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(AuditModel::At, Qt::DescendingOrder);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->horizontalHeader()->setStretchLastSection(true);
    setRecords(m_table, ExportRequest::What::Audit);
    const QList<QAction *> copy = addCopyActions(m_table);
    connect(m_table, &QWidget::customContextMenuRequested, this,
            [this, copy](const QPoint &at) { QMenu::exec(copy, m_table->viewport()->mapToGlobal(at)); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AuditPage::describeSelected);
    connect(m_table, &QAbstractItemView::activated, this, [this] {
        if (const AuditRow *row = selected(); row && !row->cluster.scope.empty())
            Q_EMIT opened(row->cluster);
    });
}

void AuditPage::setRows(std::vector<AuditRow> rows, const QString &file, const QString &problem)
{
    const int before = m_model.rowCount();
    m_file = file;
    m_why = problem;
    m_model.set(std::move(rows));
    describe();
    if (before == 0 || !m_table->currentIndex().isValid())
        m_table->selectRow(0);
    describeSelected();
}

const AuditRow *AuditPage::selected() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? m_model.rowAt(m_proxy->mapToSource(current).row()) : nullptr;
}

QString AuditPage::details() const
{
    return m_details->toPlainText();
}

void AuditPage::describeSelected()
{
    const AuditRow *row = selected();
    const QString said = row ? auditDetails(*row) : QString();
    if (m_details->toPlainText() != said) // the same text again would take the selection away under the user's hands
        m_details->setPlainText(said);
    m_copy->setEnabled(row != nullptr);
}

void AuditPage::describe()
{
    const int all = m_model.rowCount(), rows = m_proxy->rowCount();
    if (const AuditRow *newest = m_model.rowAt(0)) {
        const QString count = all == 1 ? tr("1 write.") : tr("%1 writes.").arg(all);
        const QString when = newest->at ? timeText(*newest->at) : unknownText();
        m_sentence->set(auditTone(*newest), tr("%1 The last at %2: %3.", "count, time, sentence").arg(count, when, inWords(*newest)));
    }
    for (QWidget *widget : {static_cast<QWidget *>(m_sentence), static_cast<QWidget *>(m_filter)})
        widget->setVisible(all > 0);
    m_export->setEnabled(rows > 0);
    m_problem->say(Tone::Bad, all > 0 ? m_why : QString());
    m_count->setVisible(all > 0 && m_proxy->filters());
    m_count->setText(tr("%1 of %2 shown").arg(rows).arg(all));
    if (all > 0)
        m_empty->set(tr("Nothing matches"), tr("No write matches the filter. Press Esc in the filter field to clear it."));
    else if (!m_why.isEmpty())
        m_empty->set(tr("The audit file cannot be read"), m_why);
    else
        m_empty->set(
            tr("Nothing was written yet"),
            tr("Whatever is confirmed and sent to a cluster is noted here before it is sent, with who, when and the exact request.\n"
               "The file is %1.")
                .arg(m_file.isEmpty() ? unknownText() : m_file));
    m_stack->setCurrentWidget(rows == 0 ? static_cast<QWidget *>(m_empty) : m_table);
    m_splitter->widget(1)->setVisible(all > 0);
    if (m_fittedRows != all) {
        m_fittedRows = all;
        fitColumns();
    }
}

// As wide as the newest rows need, within limits; the outcome takes the rest.
void AuditPage::fitColumns()
{
    QStyleOptionViewItem option;
    option.font = m_table->font();
    const QFontMetrics metrics(m_table->font());
    for (int column = 0; column < AuditModel::Outcome; ++column) {
        int width = metrics.horizontalAdvance(m_words->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) + 24;
        for (int row = 0; row < std::min(sampleRows, m_proxy->rowCount()); ++row)
            width = std::max(width, m_table->itemDelegate()->sizeHint(option, m_proxy->index(row, column)).width());
        const int limit = column == AuditModel::Request ? 18 : column == AuditModel::Result ? 16 : 11;
        m_table->setColumnWidth(column, std::min(width, limit * metrics.height()));
    }
}

void AuditPage::tick(Now)
{
    describe();
}

void AuditPage::focusFilter()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

void AuditPage::focusTable()
{
    m_table->setFocus();
    if (!m_table->currentIndex().isValid())
        m_table->selectRow(0);
}

} // namespace switchyard::views
