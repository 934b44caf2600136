// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/restart_dialog.h"

#include "views/dialogs/member_picker.h"
#include "views/dialogs/when_box.h"
#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using rules::ActionKind;
using rules::Severity;

bool isPostgresVersion(const QString &text)
{
    const QStringList parts = text.split(u'.');
    return parts.size() <= 3 && std::all_of(parts.begin(), parts.end(), [](const QString &part) {
               return !part.isEmpty() && part.size() <= 3 && std::all_of(part.begin(), part.end(), [](QChar c) { return c.isDigit(); });
           });
}

RestartDialog::RestartDialog(const patroni::Cluster &cluster, Now now, QWidget *parent)
    : ActionDialog(ActionKind::Restart, cluster, now, parent)
    , m_members(new MemberPicker(false, this))
    , m_role(new QComboBox(this))
    , m_pendingOnly(new QCheckBox(tr("&Only where a restart is pending"), this))
    , m_version(new QLineEdit(this))
    , m_timeout(new QSpinBox(this))
    , m_when(new WhenBox(now, this))
{
    m_when->setNowText(tr("&Now, one member after the other"), tr("Each member restarts PostgreSQL when it is asked."));
    middle()->addWidget(m_members, 1);
    auto *halves = new QHBoxLayout;
    halves->setSpacing(pageMargin);
    halves->addWidget(buildConditions(), 1);
    halves->addWidget(m_when);
    middle()->addLayout(halves);
    connect(m_members, &MemberPicker::choiceChanged, this, &RestartDialog::check);
    connect(m_when, &WhenBox::changed, this, &RestartDialog::check);
    connect(m_role, &QComboBox::currentIndexChanged, this, &RestartDialog::check);
    connect(m_pendingOnly, &QCheckBox::toggled, this, &RestartDialog::check);
    connect(m_version, &QLineEdit::textChanged, this, &RestartDialog::check);
    connect(m_timeout, &QSpinBox::valueChanged, this, &RestartDialog::check);
    setCluster(cluster, now);
    resize(860, qMax(520, sizeHint().height()));
    m_members->setFocus();
}

QWidget *RestartDialog::buildConditions()
{
    auto *card = new Card(tr("Conditions"), this);
    auto *form = new QFormLayout;
    form->setSpacing(grid);
    m_role->addItem(tr("any role"), QString());
    m_role->addItem(tr("primary"), u"primary"_s);
    m_role->addItem(tr("replica"), u"replica"_s);
    m_role->setAccessibleName(tr("Only members of this role"));
    m_role->setToolTip(tr("Looked at again by the member itself when the restart is due."));
    m_version->setPlaceholderText(tr("any"));
    m_version->setAccessibleName(tr("Only below this PostgreSQL version"));
    m_timeout->setRange(0, 86400);
    m_timeout->setSpecialValueText(tr("Patroni's own"));
    m_timeout->setSuffix(tr(" s"));
    m_timeout->setAccessibleName(tr("Time limit of the restart"));
    m_timeout->setToolTip(tr("A primary that takes longer loses the lock: there is a failover then."));
    form->addRow(tr("&Role"), m_role);
    form->addRow(m_pendingOnly);
    form->addRow(tr("PostgreSQL &below"), m_version);
    form->addRow(tr("Time &limit"), m_timeout);
    liftIndicator(m_pendingOnly);
    card->body()->addLayout(form);
    card->body()->addStretch(1);
    return card;
}

rules::ActionWish RestartDialog::wish() const
{
    rules::ActionWish wish;
    wish.kind = ActionKind::Restart;
    wish.members = m_members->chosen();
    wish.restart.pendingOnly = m_pendingOnly->isChecked();
    if (const QString role = m_role->currentData().toString(); !role.isEmpty())
        wish.restart.role = role.toStdString();
    if (const QString version = m_version->text().trimmed(); !version.isEmpty())
        wish.restart.postgresVersion = version.toStdString();
    if (m_timeout->value() > 0)
        wish.restart.timeoutSeconds = m_timeout->value();
    if (m_when->scheduled())
        wish.at = m_when->time().instant;
    return wish;
}

void RestartDialog::setCluster(const patroni::Cluster &cluster, Now now)
{
    m_members->show(cluster, now);
    ActionDialog::setCluster(cluster, now);
}

void RestartDialog::tick(Now now)
{
    m_when->tick(now);
    ActionDialog::tick(now);
}

void RestartDialog::preselect(const std::string &member)
{
    m_members->choose({member});
    check();
}

void RestartDialog::setWish(const rules::ActionWish &wish)
{
    m_members->choose(wish.members);
    m_pendingOnly->setChecked(wish.restart.pendingOnly);
    m_role->setCurrentIndex(qMax(0, m_role->findData(wish.restart.role ? text(*wish.restart.role) : QString())));
    m_version->setText(wish.restart.postgresVersion ? text(*wish.restart.postgresVersion) : QString());
    m_timeout->setValue(wish.restart.timeoutSeconds.value_or(0));
    if (wish.at)
        m_when->choose(*wish.at);
    check();
}

// Rules: patroni/api.py do_POST_restart and parse_schedule, patroni/ha.py restart_matches (2.0 - 4.1).
QList<ShownProblem> RestartDialog::ownProblems()
{
    QList<ShownProblem> shown;
    const rules::ActionWish wanted = wish();
    const auto block = [&shown](const QString &text) { shown << ShownProblem{Severity::Blocks, text}; };
    if (wanted.members.empty())
        block(tr("Choose at least one member."));
    if (m_when->scheduled() && !wanted.at)
        block(explained(m_when->time()));
    if (wanted.at && *wanted.at <= now().wall)
        block(tr("That time is past."));
    if (wanted.at && cluster().config && cluster().config->config.paused)
        block(tr("Patroni schedules no restart while the cluster is paused. Resume it first, or restart now."));
    if (wanted.restart.postgresVersion && !isPostgresVersion(text(*wanted.restart.postgresVersion)))
        block(tr("A PostgreSQL version is like 16.3."));
    for (const patroni::Member &member : cluster().members) {
        const auto &record = member.record;
        if (std::find(wanted.members.begin(), wanted.members.end(), record.name) == wanted.members.end())
            continue;
        if (wanted.restart.pendingOnly && !record.pendingRestart)
            shown << ShownProblem{Severity::Note, tr("%1 reports no pending restart: it will not be restarted.").arg(text(record.name))};
        if (wanted.at && record.scheduledRestart)
            block(tr("%1 has a scheduled restart already. Cancel that one first.").arg(text(record.name)));
        if (cluster().leaderName == record.name && !(wanted.restart.role == "replica"))
            shown << ShownProblem{Severity::Warning, tr("%1 leads: the cluster takes no writes while it restarts.").arg(text(record.name))};
    }
    return shown;
}

} // namespace switchyard::views
