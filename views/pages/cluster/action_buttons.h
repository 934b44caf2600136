// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one place of a cluster page from which something can be asked of the cluster: two buttons, and a menu with the rest. What cannot be
// asked for now is disabled and says why.
#include "models/rules/action.h"

#include <QWidget>

#include <functional>
#include <map>

class QAction;
class QMenu;
class QPushButton;

namespace switchyard::views {

class ActionButtons : public QWidget
{
    Q_OBJECT
public:
    explicit ActionButtons(QWidget *parent = nullptr);
    using WhyNot = std::function<QString(rules::ActionKind)>;
    // paused: Resume stands where Pause stood; pending: a request that can be taken back has a button of its own.
    void refresh(const WhyNot &whyNot, bool paused, bool pending, bool standby);
    QAction *action(rules::ActionKind kind) const;
    QPushButton *button(rules::ActionKind kind) const; // Switchover, Failover, CancelRequest
    QPushButton *more() const { return m_more; }

Q_SIGNALS:
    void requested(switchyard::rules::ActionKind kind);

protected:
    void changeEvent(QEvent *event) override;

private:
    void addAction(QMenu *menu, rules::ActionKind kind);
    void paintIcons();

    std::map<rules::ActionKind, QAction *> m_actions;
    std::map<rules::ActionKind, QPushButton *> m_buttons;
    QPushButton *m_more;
};

} // namespace switchyard::views
