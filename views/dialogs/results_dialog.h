// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What came of a write to several clusters or members: a line for each, to be read and copied.
#include "views/style/colors.h"

#include <QDialog>

class QTableWidget;

namespace switchyard::views {

struct ResultLine
{
    Tone tone{};        // Good: done; Bad: not done; Unknown: not known; Neutral: left out
    QString name, text; // of whom; in words
    bool operator==(const ResultLine &) const = default;
};

class ResultsDialog : public QDialog
{
    Q_OBJECT
public:
    ResultsDialog(const QString &title, const QList<ResultLine> &lines, QWidget *parent = nullptr); // deletes itself when closed
    QTableWidget *table() const { return m_table; }
    QString text() const; // as it is copied

private:
    QString m_title;
    QList<ResultLine> m_lines;
    QTableWidget *m_table;
};

// "3 done, 1 not done, 1 unknown"
QString resultCounts(const QList<ResultLine> &lines);

} // namespace switchyard::views
