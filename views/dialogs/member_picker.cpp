// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/member_picker.h"

#include "views/style/metrics.h"
#include "views/words.h"

#include <QHeaderView>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int MemberRole = Qt::UserRole + 1;

QString scheduleText(const patroni::ScheduledRestart &restart, Now now)
{
    const auto at = restart.schedule ? parseInstant(*restart.schedule) : std::nullopt;
    if (!at)
        return restart.schedule ? text(*restart.schedule) : unknownText();
    return MemberPicker::tr("%1, %2", "time, from now").arg(timeText(*at), untilText(*at - now.wall));
}

QString remark(const patroni::Member &member, Now now)
{
    QStringList parts;
    if (member.record.scheduledRestart)
        parts << MemberPicker::tr("restart scheduled: %1").arg(scheduleText(*member.record.scheduledRestart, now));
    if (member.record.pendingRestart) {
        QStringList settings;
        for (const auto &[setting, values] : member.record.pendingRestartReason)
            settings << text(setting);
        parts << (settings.isEmpty() ? MemberPicker::tr("restart pending")
                                     : MemberPicker::tr("restart pending for %1").arg(settings.join(u", "_s)));
    }
    if (!member.record.reported)
        parts << MemberPicker::tr("reports nothing");
    return parts.join(u"; "_s);
}

} // namespace

MemberPicker::MemberPicker(bool one, QWidget *parent)
    : QTableWidget(0, ColumnCount, parent)
    , m_one(one)
{
    setHorizontalHeaderLabels({tr("Member"), tr("Role"), tr("State"), tr("Patroni"), tr("Remark")});
    setAccessibleName(one ? tr("Member to choose") : tr("Members to choose"));
    styleTable(this);
    setSortingEnabled(false);
    setEditTriggers(NoEditTriggers);
    setSelectionMode(SingleSelection);
    setFont(tabularFont(font()));
    horizontalHeader()->setStretchLastSection(true);
    connect(this, &QTableWidget::itemChanged, this, &MemberPicker::ticked);
}

void MemberPicker::put(int row, int column, const QString &text, const QString &toolTip)
{
    QTableWidgetItem *cell = item(row, column);
    if (!cell)
        setItem(row, column, cell = new QTableWidgetItem);
    if (cell->text() != text)
        cell->setText(text);
    cell->setToolTip(toolTip.isEmpty() ? text : toolTip);
}

void MemberPicker::show(const patroni::Cluster &cluster, Now now)
{
    m_filling = true;
    setRowCount(static_cast<int>(cluster.members.size()));
    int row = 0;
    for (const patroni::Member &member : cluster.members) {
        const QString why = m_whyNot ? m_whyNot(cluster, member) : QString();
        put(row, Name, text(member.record.name), why);
        put(row, Role, words(member.role));
        put(row, State, member.shownState ? text(*member.shownState) : unknownText());
        put(row, Version, member.record.version ? text(*member.record.version) : unknownText());
        put(row, Remark, why.isEmpty() ? remark(member, now) : why);
        QTableWidgetItem *name = item(row, Name);
        name->setData(MemberRole, text(member.record.name));
        if (!why.isEmpty())
            m_chosen.erase(member.record.name);
        const Qt::ItemFlags can = why.isEmpty() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable : Qt::ItemFlags();
        name->setFlags(can);
        for (const int column : {int(Role), int(State), int(Version), int(Remark)})
            item(row, column)->setFlags(can & ~Qt::ItemIsUserCheckable);
        name->setCheckState(m_chosen.contains(member.record.name) ? Qt::Checked : Qt::Unchecked);
        ++row;
    }
    resizeColumnsToContents();
    m_filling = false;
}

void MemberPicker::ticked(QTableWidgetItem *changed)
{
    if (m_filling || changed->column() != Name)
        return;
    const std::string name = changed->data(MemberRole).toString().toStdString();
    if (changed->checkState() != Qt::Checked)
        m_chosen.erase(name);
    else if (m_one)
        m_chosen = {name};
    else
        m_chosen.insert(name);
    choose({m_chosen.begin(), m_chosen.end()});
    Q_EMIT choiceChanged();
}

void MemberPicker::choose(const std::vector<std::string> &members)
{
    m_filling = true;
    m_chosen = {members.begin(), members.end()};
    for (int row = 0; row < rowCount(); ++row) {
        QTableWidgetItem *name = item(row, Name);
        const std::string member = name->data(MemberRole).toString().toStdString();
        if (!name->flags().testFlag(Qt::ItemIsUserCheckable))
            m_chosen.erase(member);
        name->setCheckState(m_chosen.contains(member) ? Qt::Checked : Qt::Unchecked);
    }
    m_filling = false;
}

void MemberPicker::chooseAll()
{
    std::vector<std::string> all;
    for (int row = 0; row < rowCount(); ++row)
        all.push_back(item(row, Name)->data(MemberRole).toString().toStdString());
    choose(all);
}

std::vector<std::string> MemberPicker::chosen() const
{
    std::vector<std::string> result;
    for (int row = 0; row < rowCount(); ++row) {
        const std::string name = item(row, Name)->data(MemberRole).toString().toStdString();
        if (m_chosen.contains(name))
            result.push_back(name);
    }
    return result;
}

QSize MemberPicker::sizeHint() const
{
    const int rows = qBound(2, rowCount(), 8);
    return {80 * grid, horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() + 4};
}

} // namespace switchyard::views
