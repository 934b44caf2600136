// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Restart PostgreSQL: which members, under which conditions, now or at a time.
#include "views/dialogs/action_dialog.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace switchyard::views {

class MemberPicker;
class WhenBox;

class RestartDialog : public ActionDialog
{
    Q_OBJECT
public:
    RestartDialog(const patroni::Cluster &cluster, Now now, QWidget *parent = nullptr);
    rules::ActionWish wish() const override;
    void setCluster(const patroni::Cluster &cluster, Now now) override;
    void tick(Now now) override;
    void preselect(const std::string &member) override;
    void setWish(const rules::ActionWish &wish) override;

protected:
    QList<ShownProblem> ownProblems() override;

private:
    QWidget *buildConditions();

    MemberPicker *m_members;
    QComboBox *m_role;
    QCheckBox *m_pendingOnly;
    QLineEdit *m_version;
    QSpinBox *m_timeout;
    WhenBox *m_when;
};

// A version as Patroni takes it: "16", "16.3", "9.6.24".
bool isPostgresVersion(const QString &text);

} // namespace switchyard::views
