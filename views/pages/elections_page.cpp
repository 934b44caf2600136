// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/elections_page.h"

#include "models/items/elections_model.h"
#include "views/pages/cluster/parts.h"
#include "views/pages/elections/election_detail.h"
#include "views/pages/elections/elections_table.h"
#include "views/style/metrics.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/filter_box.h"
#include "views/widgets/sentence.h"
#include "views/widgets/shown_table.h"
#include "views/widgets/table_copy.h"
#include "views/words.h"
#include "views/words_elections.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>
#include <set>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using election::Election;
using election::Key;
using items::ElectionsModel;

namespace {

// Of what is shown: a heartbeat that nobody asked for makes no headline.
Tone worstTone(const std::vector<const Election *> &elections)
{
    Tone worst = Tone::Good;
    for (const Election *e : elections) {
        const Tone tone = toneOf(*e);
        if (tone == Tone::Bad || (tone == Tone::Warning && worst != Tone::Bad) || (tone == Tone::Unknown && worst == Tone::Good))
            worst = tone;
    }
    return elections.empty() ? Tone::Unknown : worst;
}

} // namespace

ElectionsPage::ElectionsPage(QWidget *parent)
    : QWidget(parent)
    , m_model(new ElectionsModel(this))
    , m_table(new ElectionsTable(m_model, this))
    , m_detail(new ElectionDetail(this))
    , m_sentence(new Sentence(this))
    , m_suspect(new Banner(this))
    , m_unread(new Banner(this))
    , m_filter(new FilterBox(tr("Filter elections  Ctrl+F"), this))
    , m_kind(new QComboBox(this))
    , m_noise(new QCheckBox(this))
    , m_count(captionLabel(QString(), this))
    , m_line(buildLine())
    , m_stack(new QStackedWidget(this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_empty(new EmptyState(this))
{
    m_table->words()->setGlow(style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, 0);
    layout->setSpacing(grid);
    layout->addWidget(m_sentence);
    layout->addWidget(m_suspect);
    layout->addWidget(m_unread);
    layout->addWidget(m_line);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    m_splitter->addWidget(m_stack);
    m_splitter->addWidget(m_detail);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setCollapsible(0, false);
    m_splitter->setSizes({320, 15 * fontMetrics().height()});
    layout->addWidget(m_splitter, 1);
    connectTable();
    m_later.setSingleShot(true);
    m_later.setInterval(100ms);
    connect(&m_later, &QTimer::timeout, this, [this] {
        describe();
        if (m_chosenChanged)
            describeChosen();
    });
    connect(m_detail, &ElectionDetail::pictureRequested, this, &ElectionsPage::pictureRequested);
    describe();
}

QWidget *ElectionsPage::buildLine()
{
    auto *whole = new QWidget(this);
    auto *line = new QHBoxLayout(whole);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(grid);
    m_filter->setMaximumWidth(320);
    m_kind->setAccessibleName(tr("Kind of election"));
    m_kind->addItem(tr("All kinds"), QString());
    using election::Kind;
    for (const Kind kind : {Kind::Leases, Kind::Endpoints, Kind::ConfigMaps, Kind::EndpointsLeases, Kind::ConfigMapsLeases,
                            Kind::LeaderForLife, Kind::Patroni}) {
        const std::string_view c = code(kind);
        m_kind->addItem(views::words(kind), QString::fromUtf8(c.data(), static_cast<qsizetype>(c.size())));
    }
    line->addWidget(m_filter);
    line->addWidget(m_kind);
    line->addWidget(m_noise);
    line->addStretch();
    line->addWidget(m_count);
    connect(m_filter, &FilterBox::filterChanged, this, [this](const QString &text) {
        m_table->proxy()->setWords(text);
        describe();
    });
    connect(m_filter, &FilterBox::leftDown, this, &ElectionsPage::focusTable);
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        m_table->proxy()->setCode(ElectionsModel::Kind, m_kind->currentData().toString());
        describe();
    });
    connect(m_noise, &QCheckBox::toggled, this, [this](bool on) {
        m_table->proxy()->setNoise(on);
        describe();
    });
    return whole;
}

void ElectionsPage::connectTable()
{
    setRecords(m_table, ExportRequest::What::Elections);
    const QList<QAction *> copy = addCopyActions(m_table);
    connect(m_table, &QWidget::customContextMenuRequested, this,
            [this, copy](const QPoint &at) { Q_EMIT menuRequested(m_table->viewport()->mapToGlobal(at), copy); });
    connect(m_table, &ElectionsTable::currentChosen, this, [this] {
        m_chosenChanged = true;
        later();
    });
    connect(m_table, &QAbstractItemView::activated, this, [this] {
        if (const Election *e = m_table->current(); e && e->key.family == election::Family::Patroni)
            Q_EMIT patroniRequested(e->key);
    });
    const auto soon = [this] { later(); };
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_model, signal, this, soon);
    connect(m_model, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &first) {
        if (first.column() == ElectionsModel::State) // what merely ages can wait for the second
            later();
    });
}

void ElectionsPage::later()
{
    if (!m_later.isActive())
        m_later.start();
}

void ElectionsPage::setLookup(Lookup lookup)
{
    m_lookup = std::move(lookup);
}

void ElectionsPage::update(const std::vector<const Election *> &changed, const std::vector<Key> &removed, Now now)
{
    const auto open = chosen();
    m_model->updateSome(changed, removed, now);
    const auto isOpen = [&](const Election *e) { return open == e->key; };
    if (open && std::any_of(changed.begin(), changed.end(), isOpen)) {
        m_chosenChanged = true;
        later();
    }
}

void ElectionsPage::updateAll(const std::vector<const Election *> &all, Now now)
{
    m_model->update(all, now);
    m_chosenChanged = true;
    later();
}

bool ElectionsPage::showsNoise() const
{
    return m_noise->isChecked();
}

void ElectionsPage::setSources(std::vector<election::Source> sources)
{
    m_sources = std::move(sources);
    describe();
}

void ElectionsPage::setLateTogether(std::vector<LateLocks::Together> locks, std::vector<LateLocks::Together> elections)
{
    if (locks == m_lateLocks && elections == m_lateElections)
        return;
    m_lateLocks = std::move(locks);
    m_lateElections = std::move(elections);
    describe();
}

void ElectionsPage::setContexts(const std::vector<ContextStatus> &contexts)
{
    std::map<QString, QString> aliases;
    for (const ContextStatus &s : contexts)
        if (!s.alias.isEmpty())
            aliases[s.name] = s.alias;
    m_table->words()->setAliases(aliases);
}

void ElectionsPage::tick(Now now)
{
    m_model->tick(now);
    describe();
    m_detail->tick(now);
    m_table->fade();
}

void ElectionsPage::focusFilter()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

void ElectionsPage::focusTable()
{
    m_table->setFocus();
}

void ElectionsPage::choose(const Key &key)
{
    const int row = m_model->rowOf(key);
    if (row < 0)
        return;
    m_filter->clear();
    m_kind->setCurrentIndex(0);
    if (m_model->electionAt(row)->noise)
        m_noise->setChecked(true);
    m_table->proxy()->setWords({});
    m_table->choose(row);
    describeChosen();
}

std::optional<Key> ElectionsPage::chosen() const
{
    const Election *e = m_table->current();
    return e ? std::optional(e->key) : std::nullopt;
}

std::vector<Key> ElectionsPage::shown() const
{
    std::vector<Key> keys;
    const ElectionsProxy *proxy = m_table->proxy();
    for (int row = 0; row < proxy->rowCount(); ++row)
        keys.push_back(m_model->electionAt(proxy->mapToSource(proxy->index(row, 0)).row())->key);
    return keys;
}

QTableView *ElectionsPage::table() const
{
    return m_table;
}

void ElectionsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    describe();
    describeChosen();
}

void ElectionsPage::describe()
{
    if (!isVisible() && m_model->rowCount() > 0)
        return;
    std::vector<const Election *> counted;
    std::set<std::string_view> contexts;
    int noise = 0;
    const int all = m_model->rowCount(), rows = m_table->proxy()->rowCount();
    for (int row = 0; row < all; ++row) {
        const Election *e = m_model->electionAt(row);
        noise += e->noise ? 1 : 0;
        contexts.insert(e->key.context);
        if (!e->noise || m_noise->isChecked())
            counted.push_back(e);
    }
    m_sentence->set(worstTone(counted), electionsSentence(counted, m_model->now()));
    m_sentence->setVisible(!counted.empty());
    m_suspect->say(Tone::Bad, lateTogetherLines(m_lateLocks, m_lateElections).join(u'\n'));
    describeSources();
    m_noise->setText(m_noise->isChecked() || noise == 0 ? tr("Show &node heartbeats and API server identities (%1)").arg(noise)
                                                        : tr("Show &node heartbeats and API server identities (%1 hidden)").arg(noise));
    m_line->setVisible(all > 0);
    m_count->setVisible(all > 0);
    m_count->setText(m_table->proxy()->filters() ? tr("%1 of %2 shown").arg(rows).arg(counted.size()) : tr("%1 shown").arg(rows));
    if (rows == 0)
        describeEmpty(all, noise);
    m_stack->setCurrentWidget(rows == 0 ? static_cast<QWidget *>(m_empty) : m_table);
    m_table->setContextShown(contexts.size() > 1);
    m_detail->setVisible(rows > 0);
    m_table->fit();
    if (rows > 0 && !m_table->currentIndex().isValid()) // the one that is worst
        m_table->selectRow(0);
}

void ElectionsPage::describeSources()
{
    constexpr qsizetype most = 4;
    const QStringList lines = sourceLines(m_sources);
    QStringList shown = lines.mid(0, most);
    if (lines.size() > most)
        shown << tr("and %n more", nullptr, int(lines.size() - most));
    m_unread->say(Tone::Unknown, lines.isEmpty() ? QString() : shown.join(u'\n'));
    m_unread->setToolTip(lines.join(u'\n'));
}

// Nothing seen is not nothing there: that is said only when everything could be read.
void ElectionsPage::describeEmpty(int all, int noise)
{
    const bool live = !m_sources.empty() && std::all_of(m_sources.begin(), m_sources.end(), [](const election::Source &s) {
        return s.freshness == patroni::Freshness::Live || isMissing(s);
    });
    const bool connecting = std::all_of(m_sources.begin(), m_sources.end(), [](const election::Source &s) {
        return s.freshness == patroni::Freshness::Connecting && !s.error;
    });
    if (all > noise || (all > 0 && m_noise->isChecked()))
        m_empty->set(tr("Nothing matches"),
                     tr("No election matches the filter. Press Esc in the filter field to clear it, and choose \"All kinds\"."));
    else if (all > 0)
        m_empty->set(tr("No elections"),
                     tr("There are only node heartbeats and API server identities, which are hidden. Check the box above to see them."));
    else if (live)
        m_empty->set(tr("No elections"),
                     tr("No Lease, no lock in an annotation and no leader for life is in the namespaces that are watched. Choose others "
                        "on the page Contexts, or start with -A for all."));
    else if (connecting)
        m_empty->set(tr("Connecting"), tr("Nothing has been read yet."));
    else
        m_empty->set(tr("Not known which elections there are"),
                     tr("Not everything could be read. The page Permissions says which rights are missing; F5 tries again."));
}

void ElectionsPage::describeChosen()
{
    m_chosenChanged = false;
    if (!isVisible())
        return;
    const Election *row = m_table->current();
    if (!row) {
        m_inDetail.reset();
        return m_detail->clear();
    }
    const std::optional<Election> whole = m_lookup ? m_lookup(row->key) : std::nullopt;
    m_detail->show(whole ? *whole : *row, m_model->now());
    if (m_inDetail == row->key)
        return;
    m_inDetail = row->key;
    Q_EMIT shownInDetail(*m_inDetail);
}

void ElectionsPage::setPast(const Key &key, ElectionPast past)
{
    m_detail->setPast(key, std::move(past));
}

} // namespace switchyard::views
