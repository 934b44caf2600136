// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/fleet_page.h"

#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/sentence.h"
#include "views/widgets/table_copy.h"
#include "views/words.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMouseEvent>
#include <QToolButton>

#include <algorithm>

namespace switchyard::views {

using namespace patroni;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::FleetModel;

namespace {

constexpr int healthMin = 210;
constexpr int columnMax = 150;             // no other column takes more by itself
constexpr int sampleRows = 100;            // columns are measured on so many rows at most

Tone worstTone(const FleetModel &fleet)
{
    Tone worst = Tone::Good;
    for (int row = 0; row < fleet.rowCount(); ++row) {
        const Tone tone = toneOf(fleet.clusterAt(row)->health.health);
        if (tone == Tone::Bad || (tone == Tone::Unknown && worst != Tone::Bad) || (tone == Tone::Warning && worst == Tone::Good))
            worst = tone;
    }
    return fleet.rowCount() == 0 ? Tone::Unknown : worst;
}

} // namespace

FleetPage::FleetPage(FleetModel *fleet, QWidget *parent)
    : QWidget(parent)
    , m_fleet(fleet)
    , m_words(new FleetWords(fleet, this))
    , m_proxy(new FilterProxy(this))
    , m_sentence(new Sentence(this))
    , m_filter(new FilterBox(tr("Filter clusters  Ctrl+F"), this))
    , m_place(new QToolButton(this))
    , m_count(captionLabel(QString(), this))
    , m_stack(new QStackedWidget(this))
    , m_table(new QTableView(this))
    , m_empty(new EmptyState(this))
{
    m_proxy->setSourceModel(m_words);
    m_words->setGlow(style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, 0);
    layout->setSpacing(grid + grid / 2);
    layout->addWidget(m_sentence);
    auto *line = new QHBoxLayout;
    line->setSpacing(grid);
    m_filter->setMaximumWidth(360);
    line->addWidget(m_filter);
    m_place->setVisible(false);
    m_place->setFocusPolicy(Qt::TabFocus);
    line->addWidget(m_place);
    line->addStretch();
    line->addWidget(m_count);
    layout->addLayout(line);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    buildTable();
    connect(m_filter, &FilterBox::filterChanged, this, [this](const QString &text) {
        m_proxy->setWords(text);
        describe();
    });
    connect(m_filter, &FilterBox::leftDown, this, [this] {
        m_table->setFocus();
        if (!m_table->currentIndex().isValid())
            m_table->selectRow(0);
    });
    connect(m_place, &QToolButton::clicked, this, [this] { setPlace({}, {}); });
    m_later.setSingleShot(true);
    m_later.setInterval(100ms);
    connect(&m_later, &QTimer::timeout, this, &FleetPage::describe);
    const auto later = [this] {
        if (!m_later.isActive())
            m_later.start();
    };
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_proxy, signal, this, later);
    connect(m_proxy, &QAbstractItemModel::dataChanged, this, later);
    describe();
}

void FleetPage::buildTable()
{
    m_table->setModel(m_proxy);
    m_table->setItemDelegate(new CellDelegate(m_table));
    m_table->setFont(tabularFont(font()));
    m_table->setAccessibleName(tr("Clusters"));
    styleTable(m_table);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(FleetModel::Health, Qt::AscendingOrder);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    const QList<QAction *> copy = addCopyActions(m_table);
    connect(m_table, &QAbstractItemView::activated, this, &FleetPage::openCurrent);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FleetPage::selectionChanged);
    connect(m_table, &QWidget::customContextMenuRequested, this,
            [this, copy](const QPoint &at) { Q_EMIT menuRequested(m_table->viewport()->mapToGlobal(at), copy); });
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, [this] { m_resizedByUser = m_resizedByUser || (!m_fitting && isVisible()); });
    m_table->viewport()->installEventFilter(this);
}

void FleetPage::setNotice(const QString &text)
{
    m_notice = text;
    describe();
}

void FleetPage::setPlace(const QString &context, const QString &ns)
{
    m_proxy->setPlace(context, ns);
    m_place->setVisible(!context.isEmpty());
    m_place->setText(m_proxy->place() + u"  \u00d7"_s);
    m_place->setAccessibleName(tr("Only %1 is shown. Press to show all.").arg(m_proxy->place()));
    m_place->setToolTip(tr("Show all again"));
    describe();
}

void FleetPage::tick(Now)
{
    describe();
    m_table->viewport()->update(); // glows fade
}

void FleetPage::focusFilter()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

const Cluster *FleetPage::selected() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? m_fleet->clusterAt(m_proxy->mapToSource(current).row()) : nullptr;
}

std::vector<ClusterKey> FleetPage::shown() const
{
    std::vector<ClusterKey> keys;
    for (int row = 0; row < m_proxy->rowCount(); ++row)
        keys.push_back(m_proxy->index(row, 0).data(items::KeyRole).value<ClusterKey>());
    return keys;
}

void FleetPage::openCurrent()
{
    if (const Cluster *cluster = selected())
        Q_EMIT opened(cluster->names.key);
}

void FleetPage::describe()
{
    const int all = m_fleet->rowCount(), rows = m_proxy->rowCount();
    std::vector<const Cluster *> clusters;
    for (int row = 0; row < all; ++row)
        clusters.push_back(m_fleet->clusterAt(row));
    m_sentence->set(worstTone(*m_fleet), fleetSentence(clusters, m_fleet->now()));
    m_sentence->setVisible(all > 0);
    m_filter->setVisible(all > 0);
    m_count->setVisible(all > 0 && m_proxy->filters());
    m_count->setText(tr("%1 of %2 shown").arg(rows).arg(all));
    if (all == 0)
        m_empty->set(tr("No clusters"), m_notice.isEmpty()
                         ? tr("No Patroni cluster has been found yet in the namespaces that are watched. Read everything anew with F5, or start "
                              "with another context or namespace: switchyard --context NAME -n NAMESPACE, or -A for all namespaces.")
                         : m_notice);
    else
        m_empty->set(tr("Nothing matches"), tr("No cluster matches the filter. Press Esc in the filter field to clear it%1.")
                                                .arg(m_place->text().isEmpty() || m_proxy->place().isEmpty() ? QString() : tr(", or show all places again")));
    m_stack->setCurrentWidget(rows == 0 ? static_cast<QWidget *>(m_empty) : m_table);
    if (all != m_fittedRows) {
        m_fittedRows = all;
        fitColumns();
    }
}

// Every column as wide as its words, within limits; health takes what is left. Not any more once the user has set a width.
void FleetPage::fitColumns()
{
    if (m_resizedByUser || m_fleet->rowCount() == 0)
        return;
    m_fitting = true;
    const bool oneContext = [this] {
        for (int row = 1; row < m_fleet->rowCount(); ++row)
            if (m_fleet->clusterAt(row)->names.key.context != m_fleet->clusterAt(0)->names.key.context)
                return false;
        return true;
    }();
    QStyleOptionViewItem option;
    option.font = m_table->font();
    int used = 0;
    for (int column = 1; column < FleetModel::ColumnCount; ++column) {
        int width = m_table->horizontalHeader()->sectionSizeHint(column);
        for (int row = 0; row < std::min(sampleRows, m_proxy->rowCount()); ++row)
            width = std::max(width, m_table->itemDelegate()->sizeHint(option, m_proxy->index(row, column)).width());
        width = std::min(width, column == FleetModel::Request ? columnMax + 40 : column == FleetModel::Context && oneContext ? 80 : columnMax);
        m_table->setColumnWidth(column, width);
        used += width;
    }
    m_table->setColumnWidth(FleetModel::Health, std::max(healthMin, m_table->viewport()->width() - used));
    m_fitting = false;
}

void FleetPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

bool FleetPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    return QWidget::eventFilter(watched, event);
}

} // namespace switchyard::views
