// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the smaller dialogs share: the cluster in full, what the action does, what stands against it, and buttons of which Cancel is the
// default. Each fills in its own middle.
#include "models/rules/preflight.h"
#include "views/dialogs/choose_dialog.h"
#include "views/dialogs/problem_list.h"

class QPushButton;
class QVBoxLayout;

namespace switchyard::views {

class ElidedLabel;

class ActionDialog : public ChooseDialog
{
    Q_OBJECT
public:
    ActionDialog(rules::ActionKind kind, const patroni::Cluster &cluster, Now now, QWidget *parent = nullptr);
    void setCluster(const patroni::Cluster &cluster, Now now) override;
    void tick(Now now) override;
    QString problemText() const { return m_problems->text(); }
    QPushButton *goButton() const { return m_go; }

protected:
    // What stands against what is chosen now, beside what the cluster itself says.
    virtual QList<ShownProblem> ownProblems() = 0;
    void check(); // to be called after each change
    QVBoxLayout *middle() const { return m_middle; }
    const patroni::Cluster &cluster() const { return m_cluster; }
    Now now() const { return m_now; }
    rules::ActionKind kind() const { return m_kind; }

private:
    rules::ActionKind m_kind;
    patroni::Cluster m_cluster;
    Now m_now;
    ElidedLabel *m_title;
    QVBoxLayout *m_middle;
    ProblemList *m_problems;
    QPushButton *m_go;
};

} // namespace switchyard::views
