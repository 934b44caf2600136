// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Menus of rows, exports, and where a row of one page leads on another.
#include "views/main_window_impl.h"

#include "views/pages/audit_page.h"
#include "views/pages/elections_page.h"
#include "views/pages/events_page.h"
#include "views/pages/fleet_page.h"
#include "views/widgets/export_dialog.h"
#include "views/widgets/shown_table.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <QMenu>
#include <QStackedWidget>

#include <algorithm>

namespace switchyard::views {

using namespace patroni;
using namespace Qt::StringLiterals;

// Several rows are selected: what can be asked of all of them.
void MainWindow::Impl::addForAll(QMenu *menu)
{
    const std::vector<ClusterKey> chosen = fleetPage->selectedKeys();
    if (chosen.size() < 2)
        return;
    menu->addSeparator();
    using rules::ActionKind;
    const std::pair<ActionKind, QString> all[] = {{ActionKind::Pause, tr("&Pause %n clusters\u2026", nullptr, int(chosen.size()))},
                                                  {ActionKind::Resume, tr("Res&ume %n clusters\u2026", nullptr, int(chosen.size()))},
                                                  {ActionKind::Reload, tr("Re&load %n clusters\u2026", nullptr, int(chosen.size()))}};
    for (const auto &[kind, title] : all) {
        const QStringList leftOut = notForAll(chosen, kind);
        QAction *action = menu->addAction(title);
        action->setEnabled(leftOut.size() < qsizetype(chosen.size()));
        QString lines = leftOut.mid(0, 8).join(u'\n');
        if (leftOut.size() > 8)
            lines += u'\n' + tr("and %n more", nullptr, int(leftOut.size()) - 8);
        action->setToolTip(leftOut.isEmpty() ? explained(kind) : tr("Left out:\n%1").arg(lines));
        action->setStatusTip(action->toolTip());
        connect(action, &QAction::triggered, q, [this, chosen, wanted = kind] { Q_EMIT q->actionForAllRequested(chosen, wanted); });
    }
}

// Whom of the chosen an action cannot be asked of, and why.
QStringList MainWindow::Impl::notForAll(const std::vector<ClusterKey> &chosen, rules::ActionKind kind) const
{
    QStringList all;
    for (int row = 0; row < fleet->rowCount(); ++row) {
        const Cluster *c = fleet->clusterAt(row);
        if (std::find(chosen.begin(), chosen.end(), c->names.key) == chosen.end())
            continue;
        if (const QString why = whyNot(c, kind); !why.isEmpty())
            all << tr("%1: %2", "cluster: why not").arg(text(c->names.key.text()), why);
    }
    return all;
}

ExportRequest::What MainWindow::Impl::whatToExport() const
{
    switch (page) {
    case Page::Fleet: return ExportRequest::What::Clusters;
    case Page::Cluster: return ExportRequest::What::Members;
    case Page::History: return ExportRequest::What::History;
    case Page::Audit: return ExportRequest::What::Audit;
    case Page::Dossier: return ExportRequest::What::Transitions;
    case Page::Elections: return ExportRequest::What::Elections;
    case Page::Events:
    case Page::Contexts:
    case Page::Permissions: break;
    }
    return ExportRequest::What::Events;
}

// By the kind of what their rows are; of several tables of one kind, the one on the page at hand.
QMap<int, QTableView *> MainWindow::Impl::recordTables() const
{
    QMap<int, QTableView *> tables;
    for (QTableView *table : exportableTables(stack)) {
        const auto kind = recordsIn(table);
        if (!kind || (isOfOneCluster(*kind) && !key))
            continue;
        if (!tables.contains(int(*kind)) || stack->currentWidget()->isAncestorOf(table))
            tables[int(*kind)] = table;
    }
    return tables;
}

void MainWindow::Impl::exportData(ExportRequest::What what, QTableView *table)
{
    if (page != Page::Audit) // it is read where it is shown
        Q_EMIT auditPage->refreshRequested();
    const bool ofCluster = page == Page::Cluster || page == Page::History || page == Page::Dossier;
    const Cluster *c = ofCluster ? atHand() : nullptr;
    ExportDialog::Clusters clusters{c ? std::optional(c->names.key) : std::nullopt, key, fleetPage->shown(), fleetPage->filtered(),
                                    fleet->rowCount()};
    auto *dialog = new ExportDialog({exportableTables(stack->currentWidget()), recordTables()}, table, what, std::move(clusters), q);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, q, [this, dialog] { Q_EMIT q->exportRequested(dialog->request()); });
    dialog->open();
}

void MainWindow::Impl::contextMenu(const QPoint &at, const QList<QAction *> &copy)
{
    refreshActions();
    QMenu menu(q);
    menu.addAction(actions.open);
    menu.addSeparator();
    menu.addActions(copy);
    menu.addSeparator();
    menu.setToolTipsVisible(true);
    for (const auto kind : {rules::ActionKind::Switchover, rules::ActionKind::Failover, rules::ActionKind::CancelRequest})
        menu.addAction(actions.acts.at(kind));
    addForAll(&menu);
    menu.exec(at);
}

// Elections of other programs have a page of their own; a Patroni lock there leads to its cluster.
void MainWindow::Impl::connectElections()
{
    connect(electionsPage, &ElectionsPage::patroniRequested, q, [this](const election::Key &of) {
        for (int row = 0; row < fleet->rowCount(); ++row)
            if (const Cluster *c = fleet->clusterAt(row); election::fromCluster(*c).key == of)
                return choose(c->names.key);
    });
    connect(electionsPage, &ElectionsPage::menuRequested, q, [](const QPoint &at, const QList<QAction *> &copy) { QMenu::exec(copy, at); });
    connect(electionsPage, &ElectionsPage::pictureRequested, q, &MainWindow::pictureRequested);
    connect(eventsPage, &EventsPage::electionOpened, q, [this](const election::Key &of) {
        q->showPage(Page::Elections);
        electionsPage->choose(of);
    });
}

} // namespace switchyard::views
