// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/action_dialog.h"

#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using rules::ActionKind;
using rules::Severity;

namespace {

QString capital(const QString &words)
{
    return words.left(1).toUpper() + words.mid(1);
}

patroni::OwnedChange changeOf(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Pause:
    case ActionKind::Resume: return patroni::OwnedChange::Pause;
    case ActionKind::EditConfig:
    case ActionKind::DemoteCluster:
    case ActionKind::PromoteCluster: return patroni::OwnedChange::Config;
    case ActionKind::Switchover:
    case ActionKind::Failover:
    case ActionKind::CancelRequest:
    case ActionKind::Repair: return patroni::OwnedChange::Switchover;
    default: return patroni::OwnedChange::Restart;
    }
}

} // namespace

ActionDialog::ActionDialog(ActionKind kind, const patroni::Cluster &cluster, Now now, QWidget *parent)
    : ChooseDialog(parent)
    , m_kind(kind)
    , m_cluster(cluster)
    , m_now(now)
    , m_title(new ElidedLabel(this))
    , m_middle(new QVBoxLayout)
    , m_problems(new ProblemList(this))
{
    const auto &key = cluster.names.key;
    setWindowTitle(tr("%1: %2", "action, cluster").arg(capital(words(kind)), text(key.text())));
    m_title->setFont(titleFont(font()));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setText(tr("%1: %2 / %3", "action, context, cluster").arg(capital(words(kind)), text(key.context), text(key.text())));
    auto *what = new CaptionLabel(explained(kind), this);
    what->setWordWrap(true);
    m_middle->setSpacing(grid);
    auto *buttons = new QDialogButtonBox(this);
    m_go = buttons->addButton(tr("C&ontinue\u2026"), QDialogButtonBox::AcceptRole);
    m_go->setAutoDefault(false);
    auto *cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    cancel->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    column->setSpacing(grid);
    column->addWidget(m_title);
    column->addWidget(what);
    column->addLayout(m_middle, 1);
    column->addWidget(m_problems);
    column->addWidget(buttons);
}

void ActionDialog::setCluster(const patroni::Cluster &cluster, Now now)
{
    m_cluster = cluster;
    m_now = now;
    check();
}

void ActionDialog::tick(Now now)
{
    m_now = now;
    check();
}

void ActionDialog::check()
{
    QList<ShownProblem> shown;
    if (const QString why = whyNot(&m_cluster, m_kind, {}); !why.isEmpty())
        shown << ShownProblem{Severity::Blocks, why};
    shown << ownProblems();
    if (const QString owner = ownerWarning(patroni::ownership(m_cluster), changeOf(m_kind)); !owner.isEmpty())
        shown << ShownProblem{Severity::Warning, owner};
    std::stable_sort(shown.begin(), shown.end(), [](const auto &a, const auto &b) { return a.severity > b.severity; });
    m_problems->show(shown);
    const bool blocked = !shown.isEmpty() && shown.front().severity == Severity::Blocks;
    m_go->setEnabled(!blocked);
    m_go->setToolTip(blocked ? shown.front().text : tr("Shows exactly what will be sent; nothing is sent before you confirm it."));
    m_go->setAccessibleDescription(m_go->toolTip());
}

} // namespace switchyard::views
