// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/fleet_page.h"

#include "views/pages/cluster/parts.h"
#include "views/pages/fleet/health_pane.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"
#include "views/widgets/cellwise_table.h"
#include "views/widgets/context_bar.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/sentence.h"
#include "views/widgets/shown_table.h"
#include "views/widgets/table_copy.h"
#include "views/words.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>
#include <numeric>
#include <utility>

namespace switchyard::views {

using namespace patroni;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::FleetModel;

namespace {

constexpr int sampleRows = 100; // columns are measured on so many rows at most

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

bool isConnecting(const ContextStatus &s)
{
    return s.freshness == Freshness::Connecting && s.error.isEmpty();
}

// What may not be read may hold clusters.
QString refusedText(const std::vector<ContextStatus> &contexts)
{
    QStringList lines;
    for (const ContextStatus &s : contexts)
        if (!s.refused.isEmpty())
            lines << FleetPage::tr("%1: %2.", "context: what is forbidden").arg(s.shown(), s.refused.join(u"; "_s));
    return lines.isEmpty() ? QString() : lines.join(u'\n') + u'\n' + FleetPage::tr("There may be clusters that are not shown.");
}

// What is wrong with a context, and what to do.
QString silentContext(const ContextStatus &s)
{
    const QString server = s.server.isEmpty() ? FleetPage::tr("the API server") : s.server;
    if (isConnecting(s))
        return FleetPage::tr("Context %1: connecting to %2; nothing is known yet.").arg(s.shown(), server);
    const QString error = !s.refused.isEmpty() ? s.refused.join(u"; "_s) : s.error.isEmpty() ? views::words(s.freshness) : s.error;
    if (s.freshness == Freshness::Forbidden) {
        const QString user = s.user.isEmpty() ? FleetPage::tr("the account of this context") : s.user;
        return FleetPage::tr(
                   "Context %1: %2. Choose namespaces that it may read on the page Contexts, or ask for the right to get, list and watch "
                   "Pods, Endpoints and ConfigMaps for %3; the page Permissions says what is missing. F5 tries again.")
            .arg(s.shown(), error, user);
    }
    return FleetPage::tr(
               "Context %1: %2. Check that %3 can be reached from here and that the kubeconfig names the right server. It is tried "
               "again by itself; F5 tries at once.")
        .arg(s.shown(), error, server);
}

} // namespace

FleetPage::FleetPage(FleetModel *fleet, QWidget *parent)
    : QWidget(parent)
    , m_fleet(fleet)
    , m_words(new FleetWords(fleet, this))
    , m_proxy(new FilterProxy(this))
    , m_sentence(new Sentence(this))
    , m_notices(new Banner(this))
    , m_refused(new Banner(this))
    , m_filter(new FilterBox(tr("Filter clusters  Ctrl+F"), this))
    , m_place(new QToolButton(this))
    , m_count(captionLabel(QString(), this))
    , m_stack(new QStackedWidget(this))
    , m_table(new CellwiseTable(this))
    , m_empty(new EmptyState(this))
    , m_health(new HealthPane(this))
    , m_overTime(new QToolButton(this))
{
    m_proxy->setSourceModel(m_words);
    m_words->setGlow(style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, 0);
    layout->setSpacing(grid + grid / 2);
    layout->addWidget(m_sentence);
    layout->addWidget(m_notices);
    layout->addWidget(m_refused);
    auto *line = new QHBoxLayout;
    line->setSpacing(grid);
    m_filter->setMaximumWidth(360);
    line->addWidget(m_filter);
    m_place->setVisible(false);
    m_place->setFocusPolicy(Qt::TabFocus);
    line->addWidget(m_place);
    line->addStretch();
    line->addWidget(m_count);
    line->addWidget(m_overTime);
    layout->addLayout(line);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_health);
    buildTable();
    buildHealth();
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
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
        connect(m_proxy, signal, this, later);
        connect(m_proxy, signal, this, &FleetPage::measureAllAgain);
    }
    connect(m_proxy, &QAbstractItemModel::layoutChanged, this, &FleetPage::measureAllAgain);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, &FleetPage::measureAllAgain);
    connect(m_proxy, &QAbstractItemModel::dataChanged, this, [this, later](const QModelIndex &first, const QModelIndex &last) {
        std::fill(m_unmeasured.begin() + first.column(), m_unmeasured.begin() + last.column() + 1, true);
        if (first.column() == FleetModel::Health) // a verdict or a count; what merely ages can wait for the second
            later();
    });
    describe();
}

void FleetPage::buildTable()
{
    m_table->setModel(m_proxy);
    m_table->setItemDelegate(new CellDelegate(m_table));
    for (const int column : {int(FleetModel::Context), int(FleetModel::Namespace), int(FleetModel::Scope), int(FleetModel::Leader)})
        m_table->setItemDelegateForColumn(column, new NameDelegate(m_table));
    m_table->setFont(tabularFont(font()));
    m_table->setAccessibleName(tr("Clusters"));
    styleTable(m_table);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(FleetModel::Health, Qt::AscendingOrder);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    setRecords(m_table, ExportRequest::What::Clusters);
    const QList<QAction *> copy = addCopyActions(m_table);
    connect(m_table, &QAbstractItemView::activated, this, &FleetPage::openCurrent);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FleetPage::selectionChanged);
    connect(m_table, &QWidget::customContextMenuRequested, this,
            [this, copy](const QPoint &at) { Q_EMIT menuRequested(m_table->viewport()->mapToGlobal(at), copy); });
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this,
            [this] { m_resizedByUser = m_resizedByUser || (!m_fitting && isVisible()); });
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this] {
        measureAllAgain();
        measure(false);
        fitColumns();
    });
    m_table->viewport()->installEventFilter(this);
}

void FleetPage::buildHealth()
{
    m_overTime->setText(tr("&Health over time"));
    m_overTime->setCheckable(true);
    m_overTime->setFocusPolicy(Qt::TabFocus);
    m_overTime->setToolTip(tr("A strip a cluster instead of the table"));
    connect(m_overTime, &QToolButton::toggled, this, &FleetPage::describe);
    connect(m_health, &HealthPane::saveRequested, this, &FleetPage::pictureRequested);
}

void FleetPage::setTrails(const Trails *trails)
{
    m_health->setTrails(trails);
}

void FleetPage::showHealth(bool over)
{
    m_overTime->setChecked(over);
}

// The clusters of the table, in its order.
void FleetPage::refreshHealth()
{
    if (m_stack->currentWidget() != m_health || !isVisible())
        return;
    std::vector<std::pair<ClusterKey, QString>> clusters;
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        const Cluster *cluster = m_fleet->clusterAt(m_proxy->mapToSource(m_proxy->index(row, 0)).row());
        const ClusterKey &key = cluster->names.key;
        clusters.emplace_back(key,
                              u"%1 / %2 / %3"_s.arg(m_words->shownContext(*cluster), text(key.ns), text(key.group ? key.scope : key.base)));
    }
    m_health->show(clusters, m_fleet->now());
}

void FleetPage::setNotice(const QString &text)
{
    m_notice = text;
    describe();
}

// A context that does not answer may hide anything: the first line must not say "all healthy" and leave it at that.
void FleetPage::setContexts(const std::vector<ContextStatus> &contexts)
{
    QStringList silent;
    const bool allWereLive = m_silent.empty() && m_refusedText.isEmpty();
    m_silent.clear();
    std::map<QString, QString> aliases;
    for (const ContextStatus &s : contexts)
        if (!s.alias.isEmpty())
            aliases[s.name] = s.alias;
    m_words->setAliases(aliases);
    m_aliases = std::move(aliases);
    showPlace();
    for (const ContextStatus &s : contexts)
        if (s.freshness != Freshness::Live)
            m_silent.push_back(s);
    for (const ContextStatus &s : m_silent)
        silent << tr("%1 is %2", "context, state").arg(s.shown(), stateWord(s));
    m_refusedText = refusedText(contexts);
    m_contexts = silent.isEmpty() ? QString() : tr(" Context %1.").arg(silent.join(u", "_s));
    if (!allWereLive || !m_silent.empty() || !m_refusedText.isEmpty()) // else the clock's tick says all there is
        describe();
}

void FleetPage::focusTable()
{
    m_table->setFocus();
}

void FleetPage::setPlace(const QString &context, const QString &ns)
{
    m_proxy->setPlace(context, ns);
    m_placeContext = context;
    m_placeNs = ns;
    showPlace();
    describe();
}

void FleetPage::showPlace()
{
    const auto alias = m_aliases.find(m_placeContext);
    const QString context = alias == m_aliases.end() ? m_placeContext : alias->second;
    const QString place = m_placeNs.isEmpty() ? context : context + u" / "_s + m_placeNs;
    m_place->setVisible(!context.isEmpty());
    if (m_place->text() == place + u"  \u00d7"_s)
        return;
    m_place->setText(place + u"  \u00d7"_s);
    m_place->setAccessibleName(tr("Only %1 is shown. Press to show all.").arg(place));
    m_place->setToolTip(tr("Only %1 is shown. Press to show all.").arg(m_proxy->place()));
}

void FleetPage::tick(Now)
{
    describe();
    if (!m_resizedByUser && measure(false))
        fitColumns();
    fade();
}

// Cells that glow, or did a second ago, are painted anew.
void FleetPage::fade()
{
    const auto since = (m_fleet->now().boot - FleetWords::glowTime - 2s).time_since_epoch().count();
    const int end = m_table->rowAt(m_table->viewport()->height() - 1);
    const int last = end < 0 ? m_proxy->rowCount() - 1 : end;
    for (int row = std::max(0, m_table->rowAt(0)); row <= last; ++row)
        for (int column = 0; column < FleetModel::ColumnCount; ++column) {
            const QModelIndex cell = m_proxy->index(row, column);
            if (const QVariant at = cell.data(items::ChangedAtRole); at.isValid() && at.toLongLong() > since)
                m_table->update(cell);
        }
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

std::vector<ClusterKey> FleetPage::selectedKeys() const
{
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    std::vector<ClusterKey> keys;
    for (const QModelIndex &row : rows)
        keys.push_back(row.data(items::KeyRole).value<ClusterKey>());
    return keys;
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

// Nothing seen is not nothing there: that is said only when every context answers.
void FleetPage::describeEmpty()
{
    if (!m_notice.isEmpty())
        return m_empty->set(tr("No clusters"), m_notice);
    if (m_silent.empty())
        return m_empty->set(
            tr("No clusters"),
            tr("No Patroni cluster has been found yet in the namespaces that are watched. Read everything anew with F5, or start "
               "with another context or namespace: switchyard --context NAME -n NAMESPACE, or -A for all namespaces."));
    QStringList lines;
    for (const ContextStatus &s : m_silent)
        lines << silentContext(s);
    const bool connecting = std::all_of(m_silent.begin(), m_silent.end(), [](const ContextStatus &s) { return isConnecting(s); });
    m_empty->set(connecting ? tr("Connecting") : tr("Not known which clusters there are"), lines.join(u"\n\n"_s));
}

void FleetPage::describe()
{
    const int all = m_fleet->rowCount(), rows = m_proxy->rowCount();
    std::vector<const Cluster *> clusters;
    for (int row = 0; row < all; ++row)
        clusters.push_back(m_fleet->clusterAt(row));
    const Tone worst = worstTone(*m_fleet);
    m_sentence->set(m_contexts.isEmpty() || worst == Tone::Bad ? worst : Tone::Unknown,
                    fleetSentence(clusters, m_fleet->now()) + m_contexts);
    m_sentence->setVisible(all > 0);
    m_notices->say(Tone::Warning, all > 0 ? m_notice : QString()); // a context that was asked for and cannot be shown must not be missed
    m_refused->say(Tone::Bad, all > 0 ? m_refusedText : QString());
    m_filter->setVisible(all > 0);
    m_count->setVisible(all > 0 && m_proxy->filters());
    m_count->setText(tr("%1 of %2 shown").arg(rows).arg(all));
    if (all == 0)
        describeEmpty();
    else
        m_empty->set(tr("Nothing matches"),
                     tr("No cluster matches the filter. Press Esc in the filter field to clear it%1.")
                         .arg(m_place->text().isEmpty() || m_proxy->place().isEmpty() ? QString() : tr(", or show all places again")));
    m_overTime->setVisible(all > 0);
    m_stack->setCurrentWidget(rows == 0                     ? static_cast<QWidget *>(m_empty)
                                  : m_overTime->isChecked() ? static_cast<QWidget *>(m_health)
                                                            : m_table);
    refreshHealth();
    if (all != m_fittedRows || m_table->font() != m_fittedFont) {
        m_fittedRows = all;
        m_fittedFont = m_table->font();
        measure(true);
        fitColumns();
    }
}

int FleetPage::headerWidth(int column) const
{
    const QFontMetrics metrics(m_table->horizontalHeader()->font());
    const int arrow = m_table->horizontalHeader()->sortIndicatorSection() == column ? metrics.height() + 10 : 0;
    return metrics.horizontalAdvance(m_words->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) + 14 + arrow;
}

// Wide enough for the header and the first rows, or those in sight.
int FleetPage::idealWidth(int column, bool anew) const
{
    int width = headerWidth(column);
    QStyleOptionViewItem option;
    option.font = m_table->font();
    const int first = anew ? 0 : std::max(0, m_table->rowAt(0));
    const int end = anew ? -1 : m_table->rowAt(m_table->viewport()->height() - 1);
    const int last = std::min({m_proxy->rowCount(), first + sampleRows, end < 0 ? m_proxy->rowCount() : end + 1});
    for (int row = first; row < last; ++row)
        width = std::max(width, m_table->itemDelegate()->sizeHint(option, m_proxy->index(row, column)).width());
    return width;
}

// Values grow ("9 s" to "10 s", members come after their cluster): a number must not be cut. Widths only grow, so that nothing
// jitters.
bool FleetPage::measure(bool anew)
{
    bool grown = false;
    for (int column = 0; column < FleetModel::ColumnCount; ++column) {
        if (!std::exchange(m_unmeasured[std::size_t(column)], false) && !anew)
            continue;
        int &known = m_ideal[std::size_t(column)];
        const int wanted = idealWidth(column, anew);
        grown = grown || anew || wanted > known;
        known = anew ? wanted : std::max(known, wanted);
    }
    return grown;
}

// Names are worth a column only where they tell rows apart: with one context, its column goes first when room is short.
bool FleetPage::oneContext() const
{
    for (int row = 1; row < m_fleet->rowCount(); ++row)
        if (m_fleet->clusterAt(row)->names.key.context != m_fleet->clusterAt(0)->names.key.context)
            return false;
    return true;
}

// Every column as wide as its words. Where that is too much, health is cut first (its reasons are sentences), then names and requests, never
// a number; where there is room, health takes it. Not any more once the user has set a width.
void FleetPage::fitColumns()
{
    if (m_resizedByUser || m_fleet->rowCount() == 0)
        return;
    const int em = QFontMetrics(m_table->font()).height();
    const int available = m_table->viewport()->width();
    std::array<int, FleetModel::ColumnCount> width = m_ideal;
    int excess = std::accumulate(width.begin(), width.end(), 0) - available;
    const bool hideContext = excess > 0 && oneContext();
    if (hideContext)
        excess -= std::exchange(width[FleetModel::Context], 0);
    const auto shrink = [&excess](int &w, int least) {
        const int by = std::clamp(w - least, 0, std::max(0, excess));
        w -= by;
        excess -= by;
    };
    shrink(width[FleetModel::Health], 16 * em);
    for (const int least : {11 * em, 9 * em, 5 * em + em / 2}) { // evenly: the longest first
        if (least < 9 * em)
            shrink(width[FleetModel::Health], 13 * em);
        for (const int column : {int(FleetModel::Context), int(FleetModel::Namespace), int(FleetModel::Scope), int(FleetModel::Leader),
                                 int(FleetModel::Request)})
            shrink(width[std::size_t(column)], std::max(least, headerWidth(column)));
    }
    if (excess < 0)
        width[FleetModel::Health] -= excess;
    m_fitting = true;
    m_table->setColumnHidden(FleetModel::Context, hideContext);
    for (int column = 0; column < FleetModel::ColumnCount; ++column)
        if (!m_table->isColumnHidden(column))
            m_table->setColumnWidth(column, width[std::size_t(column)]);
    m_fitting = false;
}

void FleetPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    measureAllAgain();
    fitColumns();
}

bool FleetPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    return QWidget::eventFilter(watched, event);
}

} // namespace switchyard::views
