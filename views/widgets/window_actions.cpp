// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/window_actions.h"

#include "views/words.h"
#include "views/words_actions.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenuBar>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(WindowActions)
};

QAction *add(QMenu *menu, const QString &text, const QKeySequence &shortcut = {})
{
    QAction *action = menu->addAction(text);
    action->setShortcut(shortcut);
    return action;
}

QAction *addChoice(QMenu *menu, QActionGroup *group, const QString &text, const QKeySequence &shortcut = {})
{
    QAction *action = add(menu, text, shortcut);
    action->setCheckable(true);
    group->addAction(action);
    return action;
}

QString withoutMnemonic(QString text)
{
    return text.remove(u'&');
}

void collect(const QList<QAction *> &actions, QStringList &lines)
{
    for (const QAction *action : actions) {
        if (action->menu())
            collect(action->menu()->actions(), lines);
        else if (!action->shortcut().isEmpty())
            lines << action->shortcut().toString(QKeySequence::NativeText).leftJustified(16) + withoutMnemonic(action->text());
    }
}

// With the cluster's name: the menu is read where no page says which one is meant.
QString actionText(rules::ActionKind kind, const QString &name)
{
    using rules::ActionKind;
    switch (kind) {
    case ActionKind::Switchover: return Text::tr("&Switch over %1...").arg(name);
    case ActionKind::Failover: return Text::tr("&Fail over %1...").arg(name);
    case ActionKind::CancelRequest: return Text::tr("&Cancel the request of %1...").arg(name);
    default: return actionTitle(kind);
    }
}

const QList<QList<rules::ActionKind>> &menuGroups()
{
    using rules::ActionKind;
    static const QList<QList<ActionKind>> groups{
        {ActionKind::Switchover, ActionKind::Failover, ActionKind::CancelRequest, ActionKind::Repair},
        {ActionKind::Pause, ActionKind::Resume, ActionKind::EditConfig},
        {ActionKind::Restart, ActionKind::CancelRestart, ActionKind::Reload, ActionKind::Reinitialize},
        {ActionKind::DemoteCluster, ActionKind::PromoteCluster}};
    return groups;
}

} // namespace

WindowActions::WindowActions(QMainWindow *window)
{
    QMenuBar *bar = window->menuBar();
    QMenu *file = bar->addMenu(Text::tr("&File"));
    exportData = add(file, Text::tr("&Export..."), Qt::CTRL | Qt::Key_E);
    record = add(file, Text::tr("&Record..."), Qt::CTRL | Qt::SHIFT | Qt::Key_R);
    importArchive = add(file, Text::tr("&Import archive..."), {});
    importArchive->setObjectName(QStringLiteral("importArchive"));
    importArchive->setVisible(false);
    file->addSeparator();
    quit = add(file, Text::tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q));

    QMenu *view = bar->addMenu(Text::tr("&View"));
    auto *pageGroup = new QActionGroup(window);
    const QString names[pageCount] = {Text::tr("&Fleet"),       Text::tr("&Cluster"),   Text::tr("&History"),
                                      Text::tr("&Events"),      Text::tr("E&lections"), Text::tr("C&ontexts"),
                                      Text::tr("&Permissions"), Text::tr("&Audit"),     Text::tr("&Dossier")};
    for (int i = 0; i < pageCount; ++i)
        pages[i] = addChoice(view, pageGroup, names[i], QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)));
    pages[0]->setChecked(true);
    view->addSeparator();
    find = add(view, Text::tr("Fi&nd cluster..."), Qt::CTRL | Qt::Key_K);
    filter = add(view, Text::tr("F&ilter rows"), QKeySequence::Find);
    sideList = add(view, Text::tr("&Side list"), Qt::CTRL | Qt::Key_B);
    sideList->setCheckable(true);
    sideList->setChecked(true);
    relist = add(view, Text::tr("&Read everything anew"), QKeySequence(Qt::Key_F5));
    view->addSeparator();
    QMenu *theme = view->addMenu(Text::tr("&Theme"));
    auto *themeGroup = new QActionGroup(window);
    themeSystem = addChoice(theme, themeGroup, Text::tr("&As the desktop"));
    themeLight = addChoice(theme, themeGroup, Text::tr("&Light"));
    themeDark = addChoice(theme, themeGroup, Text::tr("&Dark"));

    QMenu *cluster = bar->addMenu(Text::tr("&Cluster"));
    cluster->setToolTipsVisible(true);
    open = add(cluster, Text::tr("&Open"), Qt::CTRL | Qt::Key_O);
    cluster->addSeparator();
    for (const auto &group : menuGroups()) {
        if (group != menuGroups().front())
            cluster->addSeparator();
        for (const rules::ActionKind kind : group)
            acts[kind] = add(cluster, actionTitle(kind));
    }
    acts.at(rules::ActionKind::Switchover)->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_S); // opens the dialog, no more

    demo = bar->addMenu(Text::tr("&Demo"));
    crashLeader = add(demo, Text::tr("&Crash the leader"));
    freezeMember = add(demo, Text::tr("&Freeze a replica"));
    thawAll = add(demo, Text::tr("&Thaw and restart everything"));
    demo->addSeparator();
    stopApi = add(demo, Text::tr("&Stop the API server"));
    startApi = add(demo, Text::tr("St&art the API server"));
    demo->menuAction()->setVisible(false);

    QMenu *help = bar->addMenu(Text::tr("&Help"));
    shortcuts = add(help, Text::tr("&Keyboard shortcuts"), QKeySequence(Qt::Key_F1));
    about = add(help, Text::tr("&About Switchyard"));
    setCluster(nullptr, [](rules::ActionKind) { return Text::tr("Choose a cluster first."); });
}

void WindowActions::setCluster(const patroni::Cluster *cluster, const std::function<QString(rules::ActionKind)> &whyNot)
{
    const QString name = cluster ? text(cluster->names.key.text()) : QString();
    for (const auto &[kind, action] : acts) {
        const QString why = whyNot(kind);
        action->setText(cluster ? actionText(kind, name) : actionTitle(kind));
        action->setEnabled(why.isEmpty());
        action->setToolTip(why.isEmpty() ? explained(kind) : why);
        action->setWhatsThis(action->toolTip());
    }
    acts.at(rules::ActionKind::Repair)->setVisible(acts.at(rules::ActionKind::Repair)->isEnabled());
    open->setText(cluster ? Text::tr("&Open %1").arg(name) : Text::tr("&Open"));
    open->setEnabled(cluster != nullptr);
    crashLeader->setText(cluster ? Text::tr("&Crash the leader of %1").arg(name) : Text::tr("&Crash the leader"));
    freezeMember->setText(cluster ? Text::tr("&Freeze a replica of %1").arg(name) : Text::tr("&Freeze a replica"));
}

QString shortcutsText(const QMainWindow *window)
{
    QStringList lines;
    collect(window->menuBar()->actions(), lines);
    lines << Text::tr("Enter           open the cluster of the row") << Text::tr("Esc             clear the filter")
          << Text::tr("Ctrl+C          copy the row") << Text::tr("Ctrl+Shift+C    copy the cell")
          << Text::tr("Tab             next field; arrow keys move within tables");
    return lines.join(u'\n');
}

} // namespace switchyard::views
