// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which namespaces of one or more contexts are watched: their own, all, or a list typed by hand (who may not list namespaces has to).
#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QRadioButton;

namespace switchyard::views {

class NamespacesDialog : public QDialog
{
    Q_OBJECT
public:
    // chosen: as Connection takes them; empty: the context's own, "": all
    NamespacesDialog(const QStringList &contexts, const QStringList &chosen, QWidget *parent = nullptr);
    QStringList namespaces() const;

private:
    void check();
    QStringList typed() const;

    QRadioButton *m_own, *m_all, *m_these;
    QPlainTextEdit *m_list;
    QLabel *m_problem;
    QPushButton *m_ok = nullptr;
};

} // namespace switchyard::views
