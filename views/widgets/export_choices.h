// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which rows an export can be of, and what of that is not possible and why. Pure.
#include "views/export_request.h"

#include <QList>

namespace switchyard::views {

enum class ExportOf {
    Shown,    // by a table: through its filter, in its order
    Selected, // in it, in its order
    One,      // all of the cluster at hand
    Filtered, // all of the clusters that the fleet shows
    All,      // whatever a filter hides; of a table in its words: all its rows
};

// The table of a kind of records, or one that is to be exported in its words.
struct ExportTable
{
    bool here = false; // on the page at hand
    qsizetype shown = 0, selected = 0, all = 0;
};

struct ExportFacts
{
    std::optional<ExportRequest::What> kind{}; // every field of it; nullopt: a table in its words
    std::optional<ExportTable> table{};        // nullopt: none holds such records now
    QString open{};                            // the cluster whose members, requests ... the tables hold; empty: none is open
    QString one{};                             // the cluster at hand; empty: none
    qsizetype clusters = 0, shownClusters = 0; // in the fleet; through its filter
    bool filtered = false;                     // the fleet has a filter
};

struct ExportChoice
{
    ExportOf of{};
    QString text, note; // what goes in
    QString whyNot{};   // empty: it can be chosen
};

struct ExportChoices
{
    QList<ExportChoice> choices;
    qsizetype preset = 0; // can be chosen
};

bool isOfOneCluster(ExportRequest::What kind); // its table holds records of the open cluster alone
ExportChoices exportChoices(const ExportFacts &facts);

} // namespace switchyard::views
