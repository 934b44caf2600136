// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/member_dialogs.h"

#include "models/patroni/find_member.h"
#include "views/dialogs/member_picker.h"
#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <QCheckBox>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using rules::ActionKind;
using rules::Severity;

namespace {

bool isAtLeast(const patroni::Member &member, const char *release)
{
    const auto order = member.record.version ? patroni::compareReleases(*member.record.version, release) : std::nullopt;
    return order && *order >= 0;
}

} // namespace

MembersDialog::MembersDialog(ActionKind kind, const patroni::Cluster &cluster, Now now, QWidget *parent)
    : ActionDialog(kind, cluster, now, parent)
    , m_members(new MemberPicker(false, this))
{
    m_members->setWhyNot([kind](const patroni::Cluster &c, const patroni::Member &m) { return whyNotMember(c, m, kind); });
    middle()->addWidget(m_members, 1);
    connect(m_members, &MemberPicker::choiceChanged, this, &MembersDialog::check);
    m_members->show(cluster, now);
    m_members->chooseAll();
    setCluster(cluster, now);
    resize(760, qMax(340, sizeHint().height()));
    m_members->setFocus();
}

rules::ActionWish MembersDialog::wish() const
{
    rules::ActionWish wish;
    wish.kind = kind();
    wish.members = m_members->chosen();
    return wish;
}

void MembersDialog::setCluster(const patroni::Cluster &cluster, Now now)
{
    m_members->show(cluster, now);
    ActionDialog::setCluster(cluster, now);
}

void MembersDialog::preselect(const std::string &member)
{
    m_members->choose({member});
    check();
}

void MembersDialog::setWish(const rules::ActionWish &wish)
{
    m_members->choose(wish.members);
    check();
}

QList<ShownProblem> MembersDialog::ownProblems()
{
    QList<ShownProblem> shown;
    if (m_members->chosen().empty())
        shown << ShownProblem{Severity::Blocks, tr("Choose at least one member.")};
    if (kind() == ActionKind::Reload)
        shown << ShownProblem{Severity::Note, tr("Each member answers at once and reads its files in its next loop.")};
    return shown;
}

ReinitializeDialog::ReinitializeDialog(const patroni::Cluster &cluster, Now now, QWidget *parent)
    : ActionDialog(ActionKind::Reinitialize, cluster, now, parent)
    , m_members(new MemberPicker(true, this))
    , m_fromLeader(new QCheckBox(tr("Copy from the &leader, whatever other sources are configured"), this))
    , m_force(new QCheckBox(tr("&Force: also end a reinitialization that is running"), this))
{
    m_members->setWhyNot([](const patroni::Cluster &c, const patroni::Member &m) { return whyNotMember(c, m, ActionKind::Reinitialize); });
    middle()->addWidget(m_members, 1);
    for (QCheckBox *box : {m_fromLeader, m_force}) {
        liftIndicator(box);
        middle()->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &ReinitializeDialog::check);
    }
    connect(m_members, &MemberPicker::choiceChanged, this, [this] {
        offer();
        check();
    });
    setCluster(cluster, now);
    resize(760, qMax(380, sizeHint().height()));
    m_members->setFocus();
}

const patroni::Member *ReinitializeDialog::chosen() const
{
    const auto names = m_members->chosen();
    return names.empty() ? nullptr : patroni::findMember(cluster(), names.front());
}

// patroni/api.py do_POST_reinitialize: from_leader since 4.1.
void ReinitializeDialog::offer()
{
    const patroni::Member *member = chosen();
    const bool knows = member && isAtLeast(*member, "4.1.0");
    m_fromLeader->setEnabled(knows);
    if (!knows)
        m_fromLeader->setChecked(false);
    m_fromLeader->setToolTip(knows        ? tr("Without it, the member may copy from a replica or a backup, as it is configured.")
                                 : member ? tr("The Patroni of %1 does not know this yet; 4.1 and later do.").arg(text(member->record.name))
                                          : tr("Choose a member first."));
}

rules::ActionWish ReinitializeDialog::wish() const
{
    rules::ActionWish wish;
    wish.kind = ActionKind::Reinitialize;
    wish.members = m_members->chosen();
    wish.fromLeader = m_fromLeader->isChecked();
    wish.force = m_force->isChecked();
    return wish;
}

void ReinitializeDialog::setCluster(const patroni::Cluster &cluster, Now now)
{
    m_members->show(cluster, now);
    ActionDialog::setCluster(cluster, now);
    offer();
}

void ReinitializeDialog::preselect(const std::string &member)
{
    m_members->choose({member});
    offer();
    check();
}

void ReinitializeDialog::setWish(const rules::ActionWish &wish)
{
    m_members->choose(wish.members);
    offer();
    m_fromLeader->setChecked(wish.fromLeader && m_fromLeader->isEnabled());
    m_force->setChecked(wish.force);
    check();
}

QList<ShownProblem> ReinitializeDialog::ownProblems()
{
    QList<ShownProblem> shown;
    const patroni::Member *member = chosen();
    if (!member) {
        shown << ShownProblem{Severity::Blocks, tr("Choose the member whose data is to be copied anew.")};
        return shown;
    }
    const QString name = text(member->record.name);
    shown << ShownProblem{Severity::Warning, tr("All data of %1 is deleted first, then copied anew. That cannot be undone.").arg(name)};
    if (!cluster().leaderName) // patroni/ha.py reinitialize: "Cluster has no leader, can not reinitialize"
        shown << ShownProblem{Severity::Blocks, tr("Nobody leads: there is no data to copy.")};
    if (member->role == patroni::Role::SyncStandby || member->role == patroni::Role::QuorumStandby)
        shown << ShownProblem{Severity::Warning,
                              tr("%1 is a synchronous standby: commits may wait until another one is chosen.").arg(name)};
    if (member->record.state == "creating replica" && !m_force->isChecked())
        shown << ShownProblem{Severity::Warning, tr("%1 is being made already; without force it will refuse.").arg(name)};
    return shown;
}

} // namespace switchyard::views
