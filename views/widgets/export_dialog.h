// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ctrl+E: what to export, which rows or of which clusters, in which format, into which file.
#include "views/main_window.h"

#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTableView>

namespace switchyard::views {

class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    // shown: the clusters that the fleet shows, with filtered when that is not all; one: the cluster at hand
    struct Clusters
    {
        std::optional<patroni::ClusterKey> one;
        std::vector<patroni::ClusterKey> shown;
        bool filtered = false;
    };
    // tables: those of the page at hand; preset: the one that is meant, else `what`.
    ExportDialog(const QList<QTableView *> &tables, QTableView *preset, ExportRequest::What what, Clusters clusters,
                 QWidget *parent = nullptr);
    ExportRequest request() const; // the rows are those of this moment

private:
    void build();
    void fillWhat(QTableView *preset, ExportRequest::What what);
    void fillWhich();
    QTableView *table() const; // nullptr: every field of something
    QString title() const;
    void suggest();
    void browse();
    void validate();

    QList<QPointer<QTableView>> m_tables;
    Clusters m_clusters;
    bool m_named = false; // the user chose a file himself: keep it
    QComboBox *m_what, *m_which, *m_format;
    QLineEdit *m_file;
    QPushButton *m_export;
};

} // namespace switchyard::views
