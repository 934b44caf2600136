// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Distances and fonts. Everything sits on an 8 px grid; rows grow with the text.
#include <QFont>

class QTableView;
class QLabel;
class QWidget;

namespace switchyard::views {

constexpr int grid = 8;
constexpr int pageMargin = 16;
constexpr int shapeSize = 12; // a state's shape in a row

int rowHeight(const QFont &font);       // 26 px at 100 % text, more with bigger text
QFont tabularFont(const QFont &base);   // digits of one width, for columns of numbers
QFont monospaceFont(const QFont &base); // LSN, versions, raw text
QFont strongFont(const QFont &base);    // the one bold weight in use
QFont titleFont(const QFont &base);     // page titles

// The one look of all tables: fixed row height, quiet grid, whole-row selection, sorting by header, no vertical header.
void styleTable(QTableView *table);
QLabel *captionLabel(const QString &text, QWidget *parent); // small secondary text above a value

} // namespace switchyard::views
