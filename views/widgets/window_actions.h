// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All actions of the window, in menus, each with its shortcut. The window connects and enables them.
#include "views/main_window.h"

#include <QAction>
#include <QMenu>

namespace switchyard::views {

struct WindowActions
{
    explicit WindowActions(QMainWindow *window);
    // What the cluster menu is about: named in its entries; nullptr: none.
    // missingRight: why the account may not write to it; empty: no such reason is known.
    void setCluster(const patroni::Cluster *cluster, bool readOnly, bool replay = false, const QString &missingRight = {});

    QAction *exportData, *quit;
    QAction *pages[pageCount];
    QAction *filter, *find, *relist, *sideList;
    QAction *themeSystem, *themeLight, *themeDark;
    QAction *open, *switchover, *cancel;
    QMenu *demo;
    QAction *crashLeader, *freezeMember, *thawAll, *stopApi, *startApi;
    QAction *shortcuts, *about;
};

QString shortcutsText(const QMainWindow *window); // "Ctrl+K   Find cluster..." of all actions, for the help

} // namespace switchyard::views
