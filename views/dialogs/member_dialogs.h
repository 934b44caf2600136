// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reload, cancel of a scheduled restart, reinitialize: for which members.
#include "views/dialogs/action_dialog.h"

class QCheckBox;

namespace switchyard::views {

class MemberPicker;

// Reload and CancelRestart: any number of members, all of them to begin with.
class MembersDialog : public ActionDialog
{
    Q_OBJECT
public:
    MembersDialog(rules::ActionKind kind, const patroni::Cluster &cluster, Now now, QWidget *parent = nullptr);
    rules::ActionWish wish() const override;
    void setCluster(const patroni::Cluster &cluster, Now now) override;
    void preselect(const std::string &member) override;
    void setWish(const rules::ActionWish &wish) override;

protected:
    QList<ShownProblem> ownProblems() override;

private:
    MemberPicker *m_members;
};

// One member, whose data will be deleted.
class ReinitializeDialog : public ActionDialog
{
    Q_OBJECT
public:
    ReinitializeDialog(const patroni::Cluster &cluster, Now now, QWidget *parent = nullptr);
    rules::ActionWish wish() const override;
    void setCluster(const patroni::Cluster &cluster, Now now) override;
    void preselect(const std::string &member) override;
    void setWish(const rules::ActionWish &wish) override;

protected:
    QList<ShownProblem> ownProblems() override;

private:
    const patroni::Member *chosen() const;
    void offer();

    MemberPicker *m_members;
    QCheckBox *m_fromLeader, *m_force;
};

} // namespace switchyard::views
