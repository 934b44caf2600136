// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ctrl+E: what to export, which rows or of which clusters, in which format, into which file.
#include "views/widgets/export_choices.h"

#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QMap>
#include <QPointer>
#include <QPushButton>
#include <QTableView>

class QLabel;

namespace switchyard::views {

class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    // one: the cluster at hand; open: whose members, requests ... the tables hold; shown: the clusters that the fleet shows, with
    // filtered when that is not all
    struct Clusters
    {
        std::optional<patroni::ClusterKey> one, open;
        std::vector<patroni::ClusterKey> shown;
        bool filtered = false;
        qsizetype all = 0;
    };
    struct Tables
    {
        QList<QTableView *> here;          // of the page at hand
        QMap<int, QTableView *> records{}; // of any page, by the kind of what their rows are: at most one each
    };
    // preset: the table that is meant, else `what`.
    ExportDialog(const Tables &tables, QTableView *preset, ExportRequest::What what, Clusters clusters, QWidget *parent = nullptr);
    ExportRequest request() const; // the rows are those of this moment

private:
    void build();
    void fillWhat(QTableView *preset, ExportRequest::What what);
    void fillWhich();
    void explain();
    ExportFacts facts() const;
    QTableView *table() const;                               // nullptr: every field of something
    QTableView *recordTable(ExportRequest::What what) const; // nullptr: none
    ExportOf of() const;
    QString title() const;
    QString clusterName() const; // where the file is of one; else empty
    void suggest();
    void browse();
    void validate();

    QList<QPointer<QTableView>> m_tables;
    QMap<int, QPointer<QTableView>> m_records;
    Clusters m_clusters;
    bool m_named = false; // the user chose a file himself: keep it
    QComboBox *m_what, *m_which, *m_format;
    QLineEdit *m_file;
    QLabel *m_note;
    QPushButton *m_export;
};

} // namespace switchyard::views
