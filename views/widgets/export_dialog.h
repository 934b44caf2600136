// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ctrl+E: what to export, of which clusters, in which format, into which file.
#include "views/main_window.h"

#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>

namespace switchyard::views {

class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    // shown: the clusters that the fleet shows, with filtered when that is not all; one: the cluster at hand
    ExportDialog(ExportRequest::What what, std::optional<patroni::ClusterKey> one, std::vector<patroni::ClusterKey> shown, bool filtered,
                 QWidget *parent = nullptr);
    ExportRequest request() const;

private:
    void suggest();
    void browse();
    void validate();

    std::optional<patroni::ClusterKey> m_one;
    std::vector<patroni::ClusterKey> m_shown;
    bool m_filtered;
    bool m_named = false; // the user chose a file himself: keep it
    QComboBox *m_what, *m_which, *m_format;
    QLineEdit *m_file;
    QPushButton *m_export;
};

} // namespace switchyard::views
