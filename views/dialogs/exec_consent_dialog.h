// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A kubeconfig names a program to run for credentials: may it? Non-modal, so that everything else goes on; default: do not run.
#include <QDialog>
#include <QStringList>

namespace switchyard::views {

struct ExecFacts
{
    QString context, user, file; // who wants it: context, user entry, kubeconfig file
    QString program;             // the file that would run; empty: not found
    QString commandLine;         // quoted as for a shell
    QStringList environment;     // NAME=value as the kubeconfig sets them
};

class ExecConsentDialog : public QDialog
{
    Q_OBJECT
public:
    enum class Answer { No, Once, Always };
    explicit ExecConsentDialog(const ExecFacts &facts, QWidget *parent = nullptr);

Q_SIGNALS:
    void answered(switchyard::views::ExecConsentDialog::Answer answer); // exactly once; closing the dialog is a no

private:
    void answer(Answer answer);
};

} // namespace switchyard::views
