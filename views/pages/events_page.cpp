// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/events_page.h"

#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"
#include "views/widgets/context_bar.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/sentence.h"
#include "views/widgets/shown_table.h"
#include "views/widgets/table_copy.h"
#include "views/words.h"
#include "views/words_elections.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::EventsModel;

namespace {
constexpr int sampleRows = 100;
}

EventsPage::EventsPage(EventsModel *events, QWidget *parent)
    : QWidget(parent)
    , m_events(events)
    , m_words(new EventsWords(events, this))
    , m_proxy(new FilterProxy(this))
    , m_sentence(new Sentence(this))
    , m_silent(new Banner(this))
    , m_filter(new FilterBox(tr("Filter events  Ctrl+F"), this))
    , m_kind(new QComboBox(this))
    , m_count(captionLabel(QString(), this))
    , m_stack(new QStackedWidget(this))
    , m_table(new QTableView(this))
    , m_empty(new EmptyState(this))
{
    m_proxy->setSourceModel(m_words);
    m_proxy->setDynamicSortFilter(true);
    m_kind->setAccessibleName(tr("Kind of event"));
    m_kind->addItem(tr("All events"), QString());
    for (int i = 0; i < eventCodeCount; ++i) {
        const auto type = static_cast<EventCode>(i);
        const std::string_view c = code(type);
        m_kind->addItem(views::words(type), QString::fromUtf8(c.data(), static_cast<qsizetype>(c.size())));
    }
    m_kind->setMaxVisibleItems(20);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, 0);
    layout->setSpacing(grid + grid / 2);
    layout->addWidget(m_sentence);
    layout->addWidget(m_silent);
    auto *line = new QHBoxLayout;
    line->setSpacing(grid);
    m_filter->setMaximumWidth(360);
    line->addWidget(m_filter);
    line->addWidget(m_kind);
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
    connect(m_filter, &FilterBox::leftDown, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        m_proxy->setCode(EventsModel::Type, m_kind->currentData().toString());
        describe();
    });
    m_later.setSingleShot(true);
    m_later.setInterval(100ms);
    connect(&m_later, &QTimer::timeout, this, &EventsPage::describe);
    connect(events, &QAbstractItemModel::rowsInserted, this, [this] {
        if (!m_later.isActive())
            m_later.start();
    });
    describe();
}

void EventsPage::buildTable()
{
    m_table->setModel(m_proxy);
    m_table->setItemDelegate(new CellDelegate(m_table));
    m_table->setFont(tabularFont(font()));
    m_table->setAccessibleName(tr("Events"));
    styleTable(m_table);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->horizontalHeader()->setStretchLastSection(true);
    setRecords(m_table, ExportRequest::What::Events);
    const QList<QAction *> copy = addCopyActions(m_table);
    connect(m_table, &QAbstractItemView::activated, this, [this] {
        const Event *e = selected();
        if (e && isElection(*e))
            Q_EMIT electionOpened(electionOf(*e));
        else if (e && !e->cluster.scope.empty())
            Q_EMIT opened(e->cluster);
    });
    connect(m_table, &QWidget::customContextMenuRequested, this,
            [this, copy](const QPoint &at) { Q_EMIT menuRequested(m_table->viewport()->mapToGlobal(at), copy); });
    keepPlace();
}

// As wide as the newest rows need, names within limits; what happened takes the rest.
void EventsPage::fitColumns()
{
    QStyleOptionViewItem option;
    option.font = m_table->font();
    const QFontMetrics metrics(m_table->font());
    for (int column = 0; column < EventsModel::Detail; ++column) {
        int width = metrics.horizontalAdvance(m_words->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) + 14;
        for (int row = 0; row < std::min(sampleRows, m_proxy->rowCount()); ++row)
            width = std::max(width, m_table->itemDelegate()->sizeHint(option, m_proxy->index(row, column)).width());
        m_table->setColumnWidth(column, column <= EventsModel::Type ? width : std::min(width, 10 * metrics.height()));
    }
}

// New rows come in at the top. Who has scrolled down to read keeps the rows he reads.
void EventsPage::keepPlace()
{
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &, int first, int last) {
        QScrollBar *bar = m_table->verticalScrollBar();
        if (first == 0 && bar->value() > 0)
            QMetaObject::invokeMethod(
                bar, [bar, value = bar->value() + last - first + 1] { bar->setValue(value); }, Qt::QueuedConnection);
    });
}

void EventsPage::tick(Now now)
{
    m_now = now;
    describe();
}

void EventsPage::setContexts(const std::vector<ContextStatus> &contexts, Now now)
{
    QStringList silent;
    for (const ContextStatus &s : contexts) {
        if (s.freshness == patroni::Freshness::Live)
            continue;
        const auto since = s.staleSince ? s.staleSince : s.lastContact;
        silent << (since ? tr("%1 is %2, as of %3").arg(s.shown(), stateWord(s), timeText(now.toWall(*since)))
                         : tr("%1 is %2").arg(s.shown(), stateWord(s)));
    }
    m_silent->say(Tone::Unknown, silent.isEmpty() ? QString() : tr("Events may be missing: %1.").arg(silent.join(u", "_s)));
}

void EventsPage::focusFilter()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

const Event *EventsPage::selected() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? m_events->eventAt(m_proxy->mapToSource(current).row()) : nullptr;
}

void EventsPage::describe()
{
    const int all = m_events->rowCount(), rows = m_proxy->rowCount();
    const Event *newest = m_events->eventAt(0);
    if (newest) {
        const int older = m_events->older(), recent = all - older;
        QString count = recent == 1 ? tr("1 event since start.") : tr("%1 events since start.").arg(recent);
        if (older > 0)
            count += u' ' + tr("%1 of before, from the archive.").arg(older);
        const bool ofCluster = !newest->cluster.scope.empty(), ofElection = isElection(*newest);
        const QString where = ofCluster ? text(newest->cluster.text()) : text(ofElection ? newest->cluster.ns : newest->cluster.context);
        m_sentence->set(toneOf(newest->type),
                        tr("%1 The last at %2, %3: %4", "count, time, cluster, sentence")
                            .arg(count, timeText(newest->wall), where, eventSentence(*newest)));
    }
    for (QWidget *widget : {static_cast<QWidget *>(m_sentence), static_cast<QWidget *>(m_filter), static_cast<QWidget *>(m_kind)})
        widget->setVisible(all > 0);
    m_count->setVisible(m_proxy->filters());
    m_count->setText(tr("%1 of %2 shown").arg(rows).arg(all));
    if (all == 0)
        m_empty->set(
            tr("Nothing has happened yet"),
            tr("Changes of leaders, locks, members, requests, elections and connections appear here as they are seen. Mere renewals of a "
               "lock do not."));
    else
        m_empty->set(tr("Nothing matches"),
                     tr("No event matches the filter. Press Esc in the filter field to clear it, and choose \"All events\"."));
    const int sampled = std::min(sampleRows, rows);
    if (sampled > m_fittedRows || m_fittedFont != m_table->font()) { // later rows change no width: columns do not jump
        m_fittedRows = sampled;
        m_fittedFont = m_table->font();
        fitColumns();
    }
    m_stack->setCurrentWidget(rows == 0 ? static_cast<QWidget *>(m_empty) : m_table);
}

} // namespace switchyard::views
