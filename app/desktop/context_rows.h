// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is known of a context, from the kubeconfig, the settings, its connection and the store, as one row. Pure.
#include "app/clusters/connection.h"
#include "app/desktop/settings.h"
#include "models/items/contexts_model.h"
#include "models/store/cluster_store.h"
#include "views/main_window.h"

namespace switchyard::desktop {

struct ContextFacts
{
    const kube::ContextConfig *config = nullptr;
    ContextChoice choice;
    bool current = false, vanished = false;
    QStringList namespaces;                 // that would be watched
    bool byHand = false;                    // of `namespaces`: chosen, not the context's own
    const Connection *connection = nullptr; // nullptr: closed
    const ContextState *state = nullptr;    // nullptr: nothing was heard
    QString question;                       // a program that waits to be allowed; empty: none
};

items::ContextRow rowOf(const ContextFacts &facts);
items::ContextRow rowOf(const ContextState &state); // of a recording: there is no connection
// Status bar and side list.
views::ContextStatus statusOf(const items::ContextRow &row);

} // namespace switchyard::desktop
