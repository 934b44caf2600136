// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What was written to clusters from here, by whom, and what was answered: newest first, with the exact bytes of each below.
#include "models/items/audit_model.h"
#include "models/items/fleet_model.h" // the key as a meta type

#include <QTimer>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace switchyard::views {

class AuditWords;
class Banner;
class EmptyState;
class FilterBox;
class FilterProxy;
class Sentence;

class AuditPage : public QWidget
{
    Q_OBJECT
public:
    explicit AuditPage(QWidget *parent = nullptr);
    // file: where the trail is kept; problem: why it cannot be read, or what of it could not; empty: nothing.
    void setRows(std::vector<items::AuditRow> rows, const QString &file, const QString &problem);
    void tick(Now now);
    void focusFilter();
    void focusTable();
    const std::vector<items::AuditRow> &rows() const { return m_model.rows(); } // newest first, whatever the filter hides
    const items::AuditRow *selected() const;
    QTableView *table() const { return m_table; }
    QString details() const;

Q_SIGNALS:
    void opened(const switchyard::patroni::ClusterKey &key);
    void exportRequested();
    void refreshRequested(); // read the file again

private:
    QWidget *buildLine();
    QWidget *buildDetails();
    void buildTable();
    void describe();
    void describeSelected();
    void fitColumns();

    items::AuditModel m_model;
    AuditWords *m_words;
    FilterProxy *m_proxy;
    Sentence *m_sentence;
    Banner *m_problem;
    FilterBox *m_filter;
    QLabel *m_count;
    QPushButton *m_export;
    QStackedWidget *m_stack;
    QSplitter *m_splitter;
    QTableView *m_table;
    QPlainTextEdit *m_details;
    QPushButton *m_copy;
    EmptyState *m_empty;
    QString m_file, m_why;
    int m_fittedRows = -1;
};

} // namespace switchyard::views
