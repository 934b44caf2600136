// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/export_choices.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace switchyard::views {

using What = ExportRequest::What;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ExportChoices)
};

QString tableOf(What kind)
{
    switch (kind) {
    case What::Clusters: return Words::tr("the table of clusters on the page Fleet");
    case What::Members: return Words::tr("the table of members on the page Cluster");
    case What::History: return Words::tr("the table of timelines on the page History");
    case What::Transitions: return Words::tr("the table of transitions on the pages Cluster and History");
    case What::Requests: return Words::tr("the table of requests on the page Cluster");
    case What::Events: return Words::tr("the table of the page Events");
    case What::Elections: return Words::tr("the table of the page Elections");
    case What::Audit: return Words::tr("the table of the page Audit");
    }
    return {};
}

ExportChoice shown(const ExportFacts &facts)
{
    const ExportTable table = facts.table.value_or(ExportTable{});
    ExportChoice choice{ExportOf::Shown, {}, {}, {}};
    if (!facts.kind) {
        choice.text = table.all == table.shown ? Words::tr("all rows of the table (%1)").arg(table.shown)
                                               : Words::tr("the rows that are shown (%1)").arg(table.shown);
        choice.note = Words::tr("The words of the visible columns, in the order of the table.");
        return choice;
    }
    if (!facts.table) {
        choice.text = Words::tr("the rows that are shown");
        choice.whyNot = Words::tr("No rows to choose from: no cluster is open, and %1 is of the open one. All can be exported.")
                            .arg(tableOf(*facts.kind));
        return choice;
    }
    choice.text = isOfOneCluster(*facts.kind) && !table.here
        ? Words::tr("the rows of %1 that are shown (%2)", "cluster, count").arg(facts.open).arg(table.shown)
        : Words::tr("the rows that are shown (%1)").arg(table.shown);
    choice.note = Words::tr("The rows that are shown by %1: through its filter, in its order.").arg(tableOf(*facts.kind));
    return choice;
}

ExportChoice selected(const ExportFacts &facts)
{
    const qsizetype count = facts.table ? facts.table->selected : 0;
    ExportChoice choice{ExportOf::Selected, Words::tr("the selected rows (%1)").arg(count), {}, {}};
    if (!facts.table)
        choice.whyNot = shown(facts).whyNot;
    else if (count == 0)
        choice.whyNot = Words::tr("No row is selected in %1.").arg(facts.kind ? tableOf(*facts.kind) : Words::tr("the table"));
    choice.note = facts.kind ? Words::tr("The rows that are selected in %1, in its order.").arg(tableOf(*facts.kind))
                             : Words::tr("The words of the visible columns, in the order of the table.");
    return choice;
}

ExportChoice all(const ExportFacts &facts)
{
    const qsizetype rows = facts.table ? facts.table->all : 0;
    ExportChoice choice{ExportOf::All, {}, Words::tr("All that is known, whatever a table shows."), {}};
    if (!facts.kind) {
        choice.text = Words::tr("all rows of the table (%1), also those that the filter hides").arg(rows);
        choice.note = Words::tr("The words of the visible columns.");
        return choice;
    }
    switch (*facts.kind) {
    case What::Clusters:
    case What::Members:
    case What::History:
    case What::Requests: choice.text = Words::tr("all clusters (%1)").arg(facts.clusters); break;
    case What::Transitions: choice.text = Words::tr("all clusters (%1), and other elections").arg(facts.clusters); break;
    case What::Events: choice.text = Words::tr("all events (%1)").arg(rows); break;
    case What::Elections:
        choice.text = Words::tr("all elections (%1)").arg(rows);
        choice.note = Words::tr("All that is known, node heartbeats and API server identities among them.");
        break;
    case What::Audit:
        choice.text = Words::tr("all writes in the audit file");
        choice.note = Words::tr("The whole file, also what is too old for the page Audit.");
        break;
    }
    return choice;
}

ExportChoice ofFiltered(const ExportFacts &facts)
{
    ExportChoice choice{ExportOf::Filtered,
                        Words::tr("the %1 clusters that the page Fleet shows").arg(facts.shownClusters),
                        Words::tr("All that is known of them, whatever another table shows."),
                        {}};
    if (facts.shownClusters == 0)
        choice.whyNot = Words::tr("The filter of the page Fleet hides all clusters.");
    return choice;
}

// Of the whole window, not of clusters.
bool isOfClusters(What kind)
{
    return kind != What::Elections && kind != What::Audit;
}

qsizetype presetOf(const ExportFacts &facts, const QList<ExportChoice> &choices)
{
    const auto at = [&](ExportOf of) {
        const auto found = std::find_if(choices.begin(), choices.end(), [of](const ExportChoice &c) { return c.of == of; });
        return found == choices.end() || !found->whyNot.isEmpty() ? qsizetype(-1) : qsizetype(std::distance(choices.begin(), found));
    };
    const bool byTable = !facts.kind || (facts.table && facts.table->here);
    QList<ExportOf> order{ExportOf::One, ExportOf::Filtered, ExportOf::All};
    if (byTable)
        order = {ExportOf::Shown};
    else if (!isOfOneCluster(*facts.kind) && (facts.one.isEmpty() || !isOfClusters(*facts.kind)))
        order = {ExportOf::Shown, ExportOf::All};
    for (const ExportOf of : order)
        if (at(of) >= 0)
            return at(of);
    return 0;
}

} // namespace

bool isOfOneCluster(What kind)
{
    return kind == What::Members || kind == What::History || kind == What::Transitions || kind == What::Requests;
}

ExportChoices exportChoices(const ExportFacts &facts)
{
    ExportChoices made;
    made.choices << shown(facts);
    if (facts.kind || (facts.table && facts.table->selected > 0))
        made.choices << selected(facts);
    if (!facts.kind) {
        if (facts.table && facts.table->all != facts.table->shown)
            made.choices << all(facts);
    } else {
        const QString note = Words::tr("All that is known of it, whatever a table shows.");
        if (isOfClusters(*facts.kind) && !facts.one.isEmpty())
            made.choices << ExportChoice{ExportOf::One, facts.one, note, {}};
        if (isOfClusters(*facts.kind) && facts.filtered && *facts.kind != What::Clusters)
            made.choices << ofFiltered(facts);
        made.choices << all(facts);
    }
    made.preset = presetOf(facts, made.choices);
    return made;
}

} // namespace switchyard::views
