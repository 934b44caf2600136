// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table of the window as a value: the words that it shows, in its order and through its filter.
#include "views/export_request.h"

#include <QList>
#include <QString>

class QTableView;
class QWidget;

namespace switchyard::views {

enum class RowChoice { Shown, Selected, All }; // All: also what the filter hides

qsizetype countRows(const QTableView *table, RowChoice choice);
// Visible columns from left to right, named by their headers. A column of plain numbers is one of numbers; all else is text.
tables::Table shownTable(const QTableView *table, RowChoice choice);

// Each row of the table is a record of that kind: its model has items::RecordRole.
void setRecords(QTableView *table, ExportRequest::What kind);
std::optional<ExportRequest::What> recordsIn(const QTableView *table);
std::vector<RecordKey> recordKeys(const QTableView *table, RowChoice choice); // in the order of the table

// Every table with copy actions, in a window or page.
QList<QTableView *> exportableTables(const QWidget *in);
QString tableTitle(const QTableView *table);
QTableView *tableAtHand(const QWidget *page); // the one that has the focus, else the first that is seen; nullptr: none

} // namespace switchyard::views
