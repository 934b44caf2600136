// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All actions of the window, in menus, each with its shortcut. The window connects and enables them.
#include "views/main_window.h"

#include <QAction>
#include <QMenu>

#include <functional>
#include <map>

namespace switchyard::views {

struct WindowActions
{
    explicit WindowActions(QMainWindow *window);
    // What the cluster menu is about: named in its entries; nullptr: none.
    // whyNot: why an action cannot be asked of it; empty: it can.
    void setCluster(const patroni::Cluster *cluster, const std::function<QString(rules::ActionKind)> &whyNot);

    QAction *exportData, *record, *quit;
    QAction *importArchive; // "importArchive": hidden, until what keeps an archive shows it
    QAction *pages[pageCount];
    QAction *filter, *find, *relist, *sideList;
    QAction *themeSystem, *themeLight, *themeDark;
    QAction *open;
    std::map<rules::ActionKind, QAction *> acts; // all that can be asked of a cluster
    QMenu *demo;
    QAction *crashLeader, *freezeMember, *thawAll, *stopApi, *startApi;
    QAction *shortcuts, *about;
};

QString shortcutsText(const QMainWindow *window); // "Ctrl+K   Find cluster..." of all actions, for the help

} // namespace switchyard::views
