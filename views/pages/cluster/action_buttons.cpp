// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/action_buttons.h"

#include "views/style/icons.h"
#include "views/style/metrics.h"
#include "views/words_actions.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using rules::ActionKind;

namespace {

// A disabled entry says why in its tooltip, and to a screen reader in its description.
void explain(QAction *action, ActionKind kind, const QString &whyNot)
{
    action->setEnabled(whyNot.isEmpty());
    const QString said = whyNot.isEmpty() ? explained(kind) : whyNot;
    action->setToolTip(said);
    action->setStatusTip(said);
    action->setWhatsThis(said);
}

} // namespace

ActionButtons::ActionButtons(QWidget *parent)
    : QWidget(parent)
    , m_more(new QPushButton(tr("&More"), this))
{
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(grid);
    for (const ActionKind kind : {ActionKind::Switchover, ActionKind::Failover, ActionKind::CancelRequest}) {
        auto *made = new QPushButton(actionTitle(kind), this);
        made->setAutoDefault(false);
        connect(made, &QPushButton::clicked, this, [this, kind] { Q_EMIT requested(kind); });
        m_buttons[kind] = made;
        line->addWidget(made);
    }
    auto *menu = new QMenu(m_more);
    menu->setToolTipsVisible(true);
    for (const ActionKind kind : {ActionKind::CancelRequest, ActionKind::Pause, ActionKind::Resume, ActionKind::EditConfig})
        addAction(menu, kind);
    menu->addSeparator();
    for (const ActionKind kind : {ActionKind::Restart, ActionKind::CancelRestart, ActionKind::Reload, ActionKind::Reinitialize})
        addAction(menu, kind);
    menu->addSeparator();
    for (const ActionKind kind : {ActionKind::DemoteCluster, ActionKind::PromoteCluster})
        addAction(menu, kind);
    m_more->setMenu(menu);
    m_more->setAutoDefault(false);
    m_more->setToolTip(tr("Pause, configuration, restarts and more. Nothing is written before you confirm it."));
    line->addWidget(m_more);
    paintIcons();
}

void ActionButtons::addAction(QMenu *menu, ActionKind kind)
{
    QAction *action = menu->addAction(actionTitle(kind));
    connect(action, &QAction::triggered, this, [this, kind] { Q_EMIT requested(kind); });
    m_actions[kind] = action;
}

QAction *ActionButtons::action(ActionKind kind) const
{
    const auto found = m_actions.find(kind);
    return found == m_actions.end() ? nullptr : found->second;
}

QPushButton *ActionButtons::button(ActionKind kind) const
{
    const auto found = m_buttons.find(kind);
    return found == m_buttons.end() ? nullptr : found->second;
}

void ActionButtons::refresh(const WhyNot &whyNot, bool paused, bool pending, bool standby)
{
    for (const auto &[kind, button] : m_buttons) {
        const QString why = whyNot(kind);
        button->setEnabled(why.isEmpty());
        button->setToolTip(why.isEmpty() ? tr("%1 Nothing is written before you confirm it.").arg(explained(kind)) : why);
        button->setAccessibleDescription(button->toolTip());
    }
    m_buttons.at(ActionKind::CancelRequest)->setVisible(pending);
    for (const auto &[kind, action] : m_actions)
        explain(action, kind, whyNot(kind));
    m_actions.at(ActionKind::Pause)->setVisible(!paused);
    m_actions.at(ActionKind::Resume)->setVisible(paused);
    m_actions.at(ActionKind::DemoteCluster)->setVisible(!standby);
    m_actions.at(ActionKind::PromoteCluster)->setVisible(standby);
}

void ActionButtons::paintIcons()
{
    m_buttons.at(ActionKind::Switchover)->setIcon(icon(u"switchover"_s, palette()));
    m_buttons.at(ActionKind::CancelRequest)->setIcon(icon(u"cancel"_s, palette()));
}

void ActionButtons::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_buttons.empty())
        paintIcons();
}

} // namespace switchyard::views
