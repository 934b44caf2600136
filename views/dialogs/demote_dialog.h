// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Demote a cluster to a standby cluster: where it will stream from.
#include "views/dialogs/action_dialog.h"

class QLineEdit;

namespace switchyard::views {

class DemoteDialog : public ActionDialog
{
    Q_OBJECT
public:
    DemoteDialog(const patroni::Cluster &cluster, Now now, QWidget *parent = nullptr);
    rules::ActionWish wish() const override;
    void setWish(const rules::ActionWish &wish) override;

protected:
    QList<ShownProblem> ownProblems() override;

private:
    QLineEdit *m_host, *m_port, *m_restore, *m_slot;
};

} // namespace switchyard::views
