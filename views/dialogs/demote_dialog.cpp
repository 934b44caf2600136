// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/demote_dialog.h"

#include "views/style/metrics.h"
#include "views/words.h"

#include <QFormLayout>
#include <QLineEdit>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using rules::Severity;

namespace {

std::optional<std::string> entered(const QLineEdit *field)
{
    const QString value = field->text().trimmed();
    return value.isEmpty() ? std::nullopt : std::optional(value.toStdString());
}

std::optional<int> port(const QLineEdit *field)
{
    bool ok = false;
    const int value = field->text().trimmed().toInt(&ok);
    return ok && value > 0 && value < 65536 ? std::optional(value) : std::nullopt;
}

// PostgreSQL's names of replication slots.
bool isSlotName(const std::string &name)
{
    return name.size() < 64
        && std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

} // namespace

DemoteDialog::DemoteDialog(const patroni::Cluster &cluster, Now now, QWidget *parent)
    : ActionDialog(rules::ActionKind::DemoteCluster, cluster, now, parent)
    , m_host(new QLineEdit(this))
    , m_port(new QLineEdit(this))
    , m_restore(new QLineEdit(this))
    , m_slot(new QLineEdit(this))
{
    auto *form = new QFormLayout;
    form->setSpacing(grid);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Host of the other cluster"), m_host);
    form->addRow(tr("&Port"), m_port);
    form->addRow(tr("&Restore command"), m_restore);
    form->addRow(tr("Replication s&lot there"), m_slot);
    m_port->setPlaceholderText(u"5432"_s);
    middle()->addLayout(form);
    middle()->addStretch(1);
    for (QLineEdit *field : {m_host, m_port, m_restore, m_slot})
        connect(field, &QLineEdit::textChanged, this, &DemoteDialog::check);
    setCluster(cluster, now);
    resize(680, qMax(360, sizeHint().height()));
    m_host->setFocus();
}

rules::ActionWish DemoteDialog::wish() const
{
    rules::ActionWish wish;
    wish.kind = rules::ActionKind::DemoteCluster;
    wish.source = {entered(m_host), entered(m_restore), entered(m_slot), port(m_port)};
    return wish;
}

void DemoteDialog::setWish(const rules::ActionWish &wish)
{
    const auto put = [](QLineEdit *field, const std::optional<std::string> &value) { field->setText(value ? text(*value) : QString()); };
    put(m_host, wish.source.host);
    put(m_restore, wish.source.restoreCommand);
    put(m_slot, wish.source.primarySlotName);
    m_port->setText(wish.source.port ? QString::number(*wish.source.port) : QString());
    check();
}

// A standby_cluster without host, port and restore_command is not active (patroni/global_config.py is_standby_cluster).
QList<ShownProblem> DemoteDialog::ownProblems()
{
    QList<ShownProblem> shown;
    const rules::StandbySource source = wish().source;
    if (!m_port->text().trimmed().isEmpty() && !source.port)
        shown << ShownProblem{Severity::Blocks, tr("A port is a number from 1 to 65535.")};
    if (!source.host && !source.port && !source.restoreCommand)
        shown << ShownProblem{Severity::Blocks, tr("Say where it will follow from: a host, a port or a restore command.")};
    if (source.primarySlotName && !isSlotName(*source.primarySlotName))
        shown << ShownProblem{Severity::Blocks,
                              tr("A replication slot's name has lower-case letters, digits and underscores, at most 63.")};
    shown << ShownProblem{Severity::Warning, tr("The cluster takes no writes any more until it is promoted again.")};
    if (source.host)
        shown << ShownProblem{Severity::Note,
                              tr("Its data must come from %1's own history, else its members cannot follow.").arg(text(*source.host))};
    return shown;
}

} // namespace switchyard::views
