// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/main_window_impl.h"

#include "views/pages/audit_page.h"
#include "views/pages/cluster/rescue_banner.h"
#include "views/pages/cluster_page.h"
#include "views/pages/contexts_page.h"
#include "views/pages/dossier_page.h"
#include "views/pages/elections_page.h"
#include "views/pages/events_page.h"
#include "views/pages/fleet_page.h"
#include "views/pages/history_page.h"
#include "views/pages/permissions_page.h"
#include "views/style/icons.h"
#include "views/style/metrics.h"
#include "views/style/theme.h"
#include "views/widgets/context_bar.h"
#include "views/widgets/message_dialog.h"
#include "views/widgets/replay_bar.h"
#include "views/widgets/shown_table.h"
#include "views/widgets/side_tree.h"
#include "views/widgets/top_bar.h"
#include "views/words.h"
#include "views/words_actions.h"
#include "views/words_permissions.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace patroni;
using namespace Qt::StringLiterals;

MainWindow::Impl::Impl(MainWindow *window, items::FleetModel *fleetModel, items::EventsModel *eventsModel,
                       items::ContextsModel *allContexts)
    : q(window)
    , fleet(fleetModel)
    , events(eventsModel)
    , contextsModel(allContexts)
    , actions(window)
    , top(new TopBar(window))
    , side(new SideTree(fleetModel, window))
    , splitter(new QSplitter(Qt::Horizontal, window))
    , stack(new QStackedWidget(window))
    , fleetPage(new FleetPage(fleetModel, window))
    , clusterPage(new ClusterPage(window))
    , historyPage(new HistoryPage(window))
    , eventsPage(new EventsPage(eventsModel, window))
    , electionsPage(new ElectionsPage(window))
    , auditPage(new AuditPage(window))
    , dossierPage(new DossierPage(window))
    , contextsPage(new ContextsPage(allContexts, window))
    , permissionsPage(new PermissionsPage(window))
    , replayBar(new ReplayBar(window))
    , contexts(new ContextBar(window))
    , zone(captionLabel(zoneText(), window))
    , rescue(new Banner(window))
{
    layOut();
    connectActions();
    connectPages();
    connectDemo();
}

void MainWindow::Impl::layOut()
{
    for (QWidget *widget :
         {static_cast<QWidget *>(fleetPage), static_cast<QWidget *>(clusterPage), static_cast<QWidget *>(historyPage),
          static_cast<QWidget *>(eventsPage), static_cast<QWidget *>(electionsPage), static_cast<QWidget *>(contextsPage),
          static_cast<QWidget *>(permissionsPage), static_cast<QWidget *>(auditPage), static_cast<QWidget *>(dossierPage)})
        stack->addWidget(widget);
    auto *sidePane = new QWidget(q);
    auto *sideLayout = new QVBoxLayout(sidePane);
    sideLayout->setContentsMargins(grid, grid, 0, grid);
    sideLayout->addWidget(side);
    splitter->addWidget(sidePane);
    splitter->addWidget(stack);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(true);
    splitter->setCollapsible(1, false);
    const int sideWidth = 12 * q->fontMetrics().height();
    splitter->setSizes({sideWidth, 1280 - sideWidth});
    auto *central = new QWidget(q);
    auto *layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(top);
    auto *alarm = new QHBoxLayout; // over all pages
    alarm->setContentsMargins(grid, 0, grid, 0);
    alarm->addWidget(rescue);
    layout->addLayout(alarm);
    layout->addWidget(splitter, 1);
    layout->addWidget(replayBar);
    replayBar->hide();
    q->setCentralWidget(central);
    QStatusBar *bar = q->statusBar();
    bar->setSizeGripEnabled(false);
    bar->setContentsMargins(grid, 0, grid, 0);
    bar->addWidget(contexts, 1);
    bar->addPermanentWidget(zone);
    zone->setToolTip(tr("Times are shown in this zone"));
}

void MainWindow::Impl::connectActions()
{
    for (int i = 0; i < pageCount; ++i)
        connect(actions.pages[i], &QAction::triggered, q, [this, i] { q->showPage(static_cast<Page>(i)); });
    connect(actions.quit, &QAction::triggered, q, &QWidget::close);
    connect(actions.exportData, &QAction::triggered, q, [this] { exportData(whatToExport(), tableAtHand(stack->currentWidget())); });
    connect(actions.find, &QAction::triggered, q, [this] { find(); });
    connect(actions.filter, &QAction::triggered, q, [this] {
        if (page == Page::Events)
            return eventsPage->focusFilter();
        if (page == Page::Elections)
            return electionsPage->focusFilter();
        if (page == Page::Audit)
            return auditPage->focusFilter();
        if (page == Page::Contexts)
            return contextsPage->focusFilter();
        q->showPage(Page::Fleet);
        fleetPage->focusFilter();
    });
    connect(actions.relist, &QAction::triggered, q, &MainWindow::relistRequested);
    connect(actions.record, &QAction::triggered, q, &MainWindow::recordRequested);
    connect(actions.sideList, &QAction::toggled, q, [this](bool on) { splitter->widget(0)->setVisible(on); });
    connect(actions.open, &QAction::triggered, q, [this] {
        if (const Cluster *c = atHand())
            choose(c->names.key);
    });
    for (const auto &[kind, action] : actions.acts)
        connect(action, &QAction::triggered, q, [this, wanted = kind] { ask(wanted); });
    const auto theme = [this](QAction *action, Theme wanted) {
        connect(action, &QAction::triggered, q,
                [wanted] { applyTheme(*static_cast<QApplication *>(QCoreApplication::instance()), wanted); });
    };
    theme(actions.themeSystem, Theme::System);
    theme(actions.themeLight, Theme::Light);
    theme(actions.themeDark, Theme::Dark);
    connect(actions.shortcuts, &QAction::triggered, q,
            [this] { q->showMessage(tr("Keyboard shortcuts"), tr("Everything can be done from the keyboard."), shortcutsText(q)); });
    connect(actions.about, &QAction::triggered, q, [this] {
        q->showMessage(
            tr("Switchyard %1").arg(QCoreApplication::applicationVersion()),
            tr("A console for Patroni clusters on Kubernetes: who leads, is the lock healthy, what happened, can I switch now, did it "
               "work? It watches the objects that Patroni keeps, and writes only switchover requests, when asked to.\n\n"
               "Free software under the GNU General Public License, version 3 or later."),
            {});
    });
}

void MainWindow::Impl::connectPages()
{
    connect(top, &TopBar::pageChosen, q, &MainWindow::showPage);
    connect(top, &TopBar::findRequested, q, [this] { find(); });
    connect(top, &TopBar::sideListToggled, actions.sideList, &QAction::toggle);
    connect(side, &SideTree::clusterChosen, q, [this](const ClusterKey &k) { choose(k); });
    connect(side, &SideTree::placeChosen, q, [this](const QString &context, const QString &ns) {
        fleetPage->setPlace(context, ns);
        q->showPage(Page::Fleet);
    });
    connect(fleetPage, &FleetPage::opened, q, [this](const ClusterKey &k) { choose(k); });
    connect(fleetPage, &FleetPage::selectionChanged, q, [this] { refreshActions(); });
    connect(fleetPage, &FleetPage::menuRequested, q, [this](const QPoint &at, const QList<QAction *> &copy) { contextMenu(at, copy); });
    connect(eventsPage, &EventsPage::opened, q, [this](const ClusterKey &k) { choose(k); });
    connect(eventsPage, &EventsPage::menuRequested, q, [](const QPoint &at, const QList<QAction *> &copy) { QMenu::exec(copy, at); });
    connect(contextsPage, &ContextsPage::clustersRequested, q, [this](const QString &context) {
        fleetPage->setPlace(context, {});
        q->showPage(Page::Fleet);
    });
    connect(permissionsPage, &PermissionsPage::saveRequested, q, &MainWindow::saveRequested);
    connect(auditPage, &AuditPage::opened, q, [this](const ClusterKey &k) { choose(k); });
    connect(auditPage, &AuditPage::exportRequested, q, [this] { exportData(ExportRequest::What::Audit); });
    connect(historyPage, &HistoryPage::exportRequested, q,
            [this](bool transitions) { exportData(transitions ? ExportRequest::What::Transitions : ExportRequest::What::History); });
    connect(historyPage, &HistoryPage::pictureRequested, q, &MainWindow::pictureRequested);
    connect(fleetPage, &FleetPage::pictureRequested, q, &MainWindow::pictureRequested);
    connectElections();
    connectCluster();
}

void MainWindow::Impl::connectCluster()
{
    connect(clusterPage, &ClusterPage::actionRequested, q, [this](rules::ActionKind kind, const QString &member) {
        if (key)
            Q_EMIT q->actionRequested(*key, kind, member);
    });
    auto *look = new QPushButton(tr("&Show"), q);
    look->setAutoDefault(false);
    rescue->addAtEnd(look);
    connect(look, &QPushButton::clicked, q, [this] {
        if (!down.empty())
            choose(*down.begin());
    });
    connect(clusterPage, &ClusterPage::historyRequested, q, [this] { q->showPage(Page::History); });
}

void MainWindow::Impl::connectDemo()
{
    const std::pair<QAction *, DemoAction> pairs[] = {{actions.crashLeader, DemoAction::CrashLeader},
                                                      {actions.freezeMember, DemoAction::FreezeMember},
                                                      {actions.thawAll, DemoAction::ThawAll},
                                                      {actions.stopApi, DemoAction::StopApiServer},
                                                      {actions.startApi, DemoAction::StartApiServer}};
    for (const auto &[action, what] : pairs)
        connect(action, &QAction::triggered, q, [this, wanted = what] {
            const Cluster *c = atHand();
            Q_EMIT q->demoActionRequested(wanted, c ? c->names.key : ClusterKey{});
        });
}

void MainWindow::Impl::choose(const ClusterKey &wanted)
{
    if (key != wanted) {
        key = wanted;
        cluster.reset();
        clusterPage->clear();
        historyPage->clear();
        dossierPage->clear();
        side->setOpened(key);
    }
    q->showPage(page == Page::History || page == Page::Dossier ? page : Page::Cluster);
    Q_EMIT q->clusterOpened(wanted);
}

const Cluster *MainWindow::Impl::atHand() const
{
    return page == Page::Fleet ? fleetPage->selected() : cluster ? &*cluster : nullptr;
}

void MainWindow::Impl::showTitle()
{
    const bool one = key && (page == Page::Cluster || page == Page::History || page == Page::Dossier);
    q->setWindowTitle(one ? tr("%1 - Switchyard").arg(text(key->text())) : tr("Switchyard"));
}

void MainWindow::Impl::refreshActions()
{
    const Cluster *c = atHand();
    actions.setCluster(c, [this, c](rules::ActionKind kind) { return whyNot(c, kind); });
    std::map<rules::ActionKind, QString> missing;
    for (int i = 0; i < rules::actionCount; ++i) {
        const auto kind = static_cast<rules::ActionKind>(i);
        missing[kind] = missingRight(cluster ? &*cluster : nullptr, kind);
    }
    clusterPage->setMissingRights(missing);
    showMarks();
}

ActionGate MainWindow::Impl::gateOf(const Cluster *c) const
{
    const auto of = std::find_if(contextStatus.begin(), contextStatus.end(),
                                 [&](const ContextStatus &s) { return c && s.name == text(c->names.key.context); });
    return {replay, readOnly, of != contextStatus.end() && of->readOnly};
}

QString MainWindow::Impl::whyNot(const Cluster *c, rules::ActionKind kind) const
{
    return views::whyNot(c, kind, gateOf(c), missingRight(c, kind));
}

void MainWindow::Impl::ask(rules::ActionKind kind)
{
    const Cluster *c = atHand();
    if (!c)
        return;
    Q_EMIT q->actionRequested(c->names.key, kind, {});
}

void MainWindow::Impl::showMarks()
{
    const auto of = std::find_if(contextStatus.begin(), contextStatus.end(),
                                 [this](const ContextStatus &s) { return key && s.name == text(key->context); });
    const bool known = of != contextStatus.end();
    clusterPage->setContextMarks(known ? of->colour : QString(), known && of->readOnly, known && of->isProtected);
    historyPage->setContextMark(known ? of->colour : QString());
}

// A cluster that one annotation has taken down is said on every page, and to the desktop when it is new.
void MainWindow::Impl::showRescue()
{
    std::set<ClusterKey> now;
    for (int row = 0; row < fleet->rowCount(); ++row)
        if (const Cluster *c = fleet->clusterAt(row); needsRescue(*c))
            now.insert(c->names.key);
    const bool fresh = std::any_of(now.begin(), now.end(), [this](const ClusterKey &k) { return !down.contains(k); });
    down = std::move(now);
    QStringList names;
    for (const ClusterKey &k : down)
        names << text(k.text());
    const bool onItsPage = page == Page::Cluster && key && down.size() == 1 && down.contains(*key);
    rescue->say(Tone::Bad,
                names.isEmpty() || onItsPage ? QString()
                                             : tr("Down because of a request whose time cannot be read: %1.").arg(names.join(u", "_s)));
    if (fresh && !replay)
        QApplication::alert(q);
}

QString MainWindow::Impl::missingRight(const Cluster *c, rules::ActionKind kind) const
{
    const auto of = std::find_if(rights.begin(), rights.end(),
                                 [&](const items::ContextRights &r) { return c && r.context == text(c->names.key.context); });
    const auto missing = of == rights.end() ? std::nullopt
                                            : rules::missingToAct(of->answers, *c, kind, rules::needsRest(kind), fleet->now().boot);
    return missing ? notPermitted(*missing, accountName(*of)) : QString();
}

void MainWindow::Impl::find()
{
    if (switcher)
        return switcher->raise();
    switcher = new QuickSwitcher(fleetPage->words(), q);
    connect(switcher, &QuickSwitcher::chosen, q, [this](const ClusterKey &k) { choose(k); });
    switcher->open();
}

MainWindow::MainWindow(items::FleetModel *fleet, items::EventsModel *events, items::ContextsModel *contexts, QWidget *parent)
    : QMainWindow(parent)
{
    qRegisterMetaType<ClusterKey>();
    qRegisterMetaType<rules::ActionKind>();
    qRegisterMetaType<std::vector<ClusterKey>>();
    setWindowTitle(tr("Switchyard"));
    setWindowIcon(applicationIcon());
    resize(1280, 720);
    d = std::make_unique<Impl>(this, fleet, events, contexts ? contexts : new items::ContextsModel(this));
    showPage(Page::Fleet);
}

MainWindow::~MainWindow() = default;

void MainWindow::setContexts(const std::vector<ContextStatus> &contexts, Now now)
{
    d->contextStatus = contexts;
    d->contexts->set(contexts, now);
    d->side->setContexts(contexts);
    d->fleetPage->setContexts(contexts);
    d->eventsPage->setContexts(contexts, now);
    d->electionsPage->setContexts(contexts);
    QStringList insecure;
    for (const ContextStatus &s : contexts)
        if (s.insecure)
            insecure << s.name;
    d->top->setInsecure(insecure);
    const auto open = std::find_if(contexts.begin(), contexts.end(),
                                   [this](const ContextStatus &s) { return d->key && text(d->key->context) == s.name; });
    d->clusterPage->setSkew(open == contexts.end() ? std::nullopt : open->skew);
    d->refreshActions();
}

void MainWindow::setReadOnly(bool readOnly)
{
    d->readOnly = readOnly;
    d->top->setReadOnly(readOnly && !d->replay); // a recording has a badge of its own
    d->clusterPage->setReadOnly(readOnly);
    d->refreshActions();
}

void MainWindow::setDemo(bool demo)
{
    d->actions.demo->menuAction()->setVisible(demo);
    d->top->setDemo(demo);
}

void MainWindow::setReplay(const QString &file)
{
    d->replay = !file.isEmpty();
    d->top->setReplay(file);
    d->replayBar->setVisible(d->replay);
    d->actions.record->setEnabled(!d->replay);
    d->contexts->setReplay(d->replay);
    d->clusterPage->setReplay(d->replay);
    d->permissionsPage->setReplay(d->replay);
    d->contextsPage->setFixed(d->replay);
    setReadOnly(d->readOnly);
}

QString MainWindow::markOf(const QString &context) const
{
    const items::ContextRow *row = d->contextsModel->find(context);
    return row ? row->colour : QString();
}

ReplayBar *MainWindow::replayBar() const
{
    return d->replayBar;
}

void MainWindow::setRecording(const QString &text, const QString &explanation)
{
    d->top->setRecording(text, explanation);
    d->actions.record->setText(text.isEmpty() ? tr("&Record...") : tr("Stop &recording"));
}

ContextsPage *MainWindow::contextsPage() const
{
    return d->contextsPage;
}

AuditPage *MainWindow::auditPage() const
{
    return d->auditPage;
}

ElectionsPage *MainWindow::electionsPage() const
{
    return d->electionsPage;
}

HistoryPage *MainWindow::historyPage() const
{
    return d->historyPage;
}

DossierPage *MainWindow::dossierPage() const
{
    return d->dossierPage;
}

void MainWindow::openDossier(const QString &transition)
{
    d->dossierPage->choose(transition);
    showPage(Page::Dossier);
}

void MainWindow::setLogLines(const ClusterKey &key, const std::string &request, const std::string &member, const QStringList &lines,
                             std::optional<patroni::Refusal> reason)
{
    if (d->key == key)
        d->clusterPage->setLogLines(request, member, lines, reason);
}

void MainWindow::setNotice(const QString &text)
{
    d->fleetPage->setNotice(text);
    d->contextsPage->setNotice(text);
}

void MainWindow::setRights(const std::vector<items::ContextRights> &rights)
{
    d->rights = rights;
    d->permissionsPage->setRights(rights);
    d->refreshActions();
}

void MainWindow::clusterChanged(const Cluster &cluster, Now now)
{
    if (d->key == cluster.names.key) {
        d->cluster = cluster;
        d->clusterPage->setCluster(cluster, now);
        d->historyPage->setCluster(cluster, now);
        d->dossierPage->setCluster(cluster, now);
    }
    if (d->down.contains(cluster.names.key) || needsRescue(cluster)) // or else the banner says the same
        d->showRescue();
    const Cluster *chosen = d->atHand();
    if (d->key == cluster.names.key || (chosen && chosen->names.key == cluster.names.key))
        d->refreshActions();
}

void MainWindow::clusterRemoved(const ClusterKey &key)
{
    if (d->key == key) {
        d->cluster.reset();
        d->clusterPage->setGone(key, d->fleet->now());
        d->historyPage->setGone();
        d->dossierPage->setGone();
    }
    d->showRescue();
    d->refreshActions();
}

void MainWindow::tick(Now now)
{
    d->fleet->tick(now);
    d->contexts->tick(now);
    switch (d->page) {
    case Page::Fleet: d->fleetPage->tick(now); break;
    case Page::Cluster: d->clusterPage->tick(now); break;
    case Page::History: d->historyPage->tick(now); break;
    case Page::Events: d->eventsPage->tick(now); break;
    case Page::Elections: d->electionsPage->tick(now); break;
    case Page::Audit: d->auditPage->tick(now); break;
    case Page::Dossier: break;
    case Page::Contexts: d->contextsPage->tick(now); break;
    case Page::Permissions: d->permissionsPage->tick(now); break;
    }
}

void MainWindow::openCluster(const ClusterKey &key, const Cluster *cluster, Now now)
{
    d->key = key;
    d->side->setOpened(key);
    d->showTitle();
    if (cluster)
        return clusterChanged(*cluster, now);
    d->cluster.reset();
    d->clusterPage->setGone(key, now);
    d->historyPage->clear();
    d->dossierPage->clear();
    d->refreshActions();
}

void MainWindow::showPage(Page page)
{
    d->page = page;
    d->showTitle();
    d->stack->setCurrentIndex(int(page));
    d->top->setPage(page);
    d->actions.pages[int(page)]->setChecked(true);
    if (page == Page::Fleet)
        d->fleetPage->focusTable();
    else if (page == Page::Events)
        d->eventsPage->focusTable();
    else if (page == Page::Elections)
        d->electionsPage->focusTable();
    else if (page == Page::Audit)
        d->auditPage->focusTable();
    else if (page == Page::Contexts)
        d->contextsPage->focusTable();
    else if (page == Page::Permissions)
        d->permissionsPage->focusTable();
    d->showRescue();
    d->refreshActions();
    Q_EMIT pageShown(page);
}

void MainWindow::showPicture(const QString &code)
{
    const auto of = pageOfPicture(code);
    if (!of)
        return;
    if (of == Page::Fleet)
        d->fleetPage->showHealth(true);
    else
        d->historyPage->showPicture(code);
    showPage(*of);
}

void MainWindow::setTrails(const Trails *trails)
{
    d->historyPage->setSources(d->events, trails);
    d->fleetPage->setTrails(trails);
}

Page MainWindow::currentPage() const
{
    return d->page;
}

std::optional<ClusterKey> MainWindow::openedCluster() const
{
    return d->key;
}

void MainWindow::exportTable(QTableView *table)
{
    d->exportData(d->whatToExport(), table);
}

QDialog *MainWindow::showMessage(const QString &title, const QString &text, const QString &detail)
{
    auto *dialog = new MessageDialog(title, text, detail, this);
    dialog->show();
    return dialog;
}

} // namespace switchyard::views
