// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/members_view.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_roles.h"
#include "views/words.h"

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::MembersModel;

namespace {

bool isNumber(int column)
{
    return column == MembersModel::Timeline || column == MembersModel::ReceiveLsn || column == MembersModel::ReceiveLag
        || column == MembersModel::ReplayLag;
}

QString codeAt(const QModelIndex &source)
{
    return source.data(items::CodeRole).toString();
}

QString restartText(const patroni::Member &m)
{
    if (m.record.scheduledRestart) {
        const auto &when = m.record.scheduledRestart->schedule;
        const auto parsed = when ? parseTime(*when) : std::nullopt;
        if (!when)
            return MembersPresenter::tr("scheduled, time unknown");
        return MembersPresenter::tr("at %1").arg(parsed ? timeText(parsed->utc) : text(*when));
    }
    return m.record.pendingRestart ? MembersPresenter::tr("pending") : u"\u2013"_s;
}

QString restartReasons(const patroni::Member &m)
{
    QStringList lines;
    for (const auto &[guc, change] : m.record.pendingRestartReason)
        lines << MembersPresenter::tr("%1: %2 \u2192 %3").arg(text(guc), text(change.first), text(change.second));
    if (m.record.pendingRestart && lines.isEmpty())
        lines << MembersPresenter::tr("Patroni does not say why (3.3.0 and later do)");
    return lines.join(u'\n');
}

} // namespace

MembersPresenter::MembersPresenter(items::MembersModel *model, QObject *parent)
    : WordsPresenter(model, parent)
    , m_model(model)
{}

void MembersPresenter::setNow(Now now)
{
    m_now = now;
}

QString MembersPresenter::lag(const QModelIndex &source) const
{
    if (codeAt(source) == "leader"_L1)
        return u"\u2013"_s;
    const QVariant raw = source.data(items::RawRole);
    return raw.isValid() ? bytesText(raw.toULongLong()) : unknownText();
}

QString MembersPresenter::cell(const patroni::Member &m, const QModelIndex &source) const
{
    const QVariant raw = source.data(items::RawRole);
    switch (static_cast<MembersModel::Column>(source.column())) {
    case MembersModel::Role: return words(m.role);
    case MembersModel::Timeline:
        if (!raw.isValid())
            return unknownText();
        return m.oldTimeline ? tr("%1 old", "timeline behind the leader's").arg(raw.toLongLong()) : raw.toString();
    case MembersModel::ReceiveLsn: return raw.isValid() ? text(formatLsn(raw.toULongLong())) : unknownText();
    case MembersModel::ReceiveLag:
    case MembersModel::ReplayLag: return lag(source);
    case MembersModel::Tags:
        return m.record.tags.empty() ? (m.record.reported ? u"\u2013"_s : unknownText()) : raw.toStringList().join(u", "_s);
    case MembersModel::PendingRestart: return m.record.reported ? restartText(m) : unknownText();
    case MembersModel::StatusAge:
        if (!raw.isValid())
            return unknownText();
        return codeAt(source) == "changed"_L1 ? agoText(m.statusChangedAt, m_now)
                                              : tr("unchanged %1", "for at least this long").arg(secondsText(Duration(raw.toLongLong())));
    case MembersModel::State:
        if (m.record.deleting)
            return tr("%1, Pod being deleted").arg(raw.isValid() ? raw.toString() : unknownText());
        if (m.record.pod.notRunning)
            return tr("%1, Pod: %2").arg(raw.isValid() ? raw.toString() : unknownText(), text(*m.record.pod.notRunning));
        [[fallthrough]];
    case MembersModel::Name:
    case MembersModel::Node:
    case MembersModel::Version:
    case MembersModel::ColumnCount: break;
    }
    return raw.isValid() ? raw.toString() : unknownText();
}

Tone MembersPresenter::toneAt(const patroni::Member &m, const QModelIndex &source) const
{
    if (source.column() == MembersModel::Name) // who led then may not lead now, and who was well may not be
        return source.data(items::StaleRole).toBool() ? Tone::Unknown : toneOf(m);
    if (source.column() == MembersModel::Timeline && m.oldTimeline)
        return Tone::Warning;
    if (source.column() == MembersModel::PendingRestart && codeAt(source) != "none"_L1 && m.record.reported)
        return Tone::Warning;
    return Tone::Neutral;
}

QString MembersPresenter::toolTip(const patroni::Member &m, const QModelIndex &source) const
{
    const QVariant raw = source.data(items::RawRole);
    switch (static_cast<MembersModel::Column>(source.column())) {
    case MembersModel::ReceiveLag:
    case MembersModel::ReplayLag:
        if (codeAt(source) == "not-reported"_L1)
            return tr("Patroni %1 reports one position only; it is shown in the other column.")
                .arg(m.record.version ? text(*m.record.version) : unknownText());
        if (codeAt(source) == "combined"_L1)
            return tr("%1. The one position that this version reports, behind the leader's.").arg(bytesExactText(raw.toULongLong()));
        return raw.isValid() ? bytesExactText(raw.toULongLong()) : QString();
    case MembersModel::ReceiveLsn: return raw.isValid() ? tr("%1 as a number").arg(raw.toULongLong()) : QString();
    case MembersModel::Timeline: return m.oldTimeline ? tr("Behind the leader's timeline: it does not follow the leader.") : QString();
    case MembersModel::PendingRestart: return restartReasons(m);
    case MembersModel::StatusAge:
        return tr("Last change of the Pod's status annotation that was seen. Patroni writes it only when something differs: an old one is "
                  "no fault.");
    default: return cell(m, source);
    }
}

bool MembersPresenter::glows(const QModelIndex &source) const
{
    const QVariant at = source.data(items::ChangedAtRole);
    return at.isValid() && m_now.boot.time_since_epoch().count() - at.toLongLong() < 1'500'000;
}

QString MembersPresenter::spoken(const patroni::Member &m, const QModelIndex &source) const
{
    if (source.column() != MembersModel::Name)
        return u"%1: %2"_s.arg(headerData(source.column(), Qt::Horizontal, Qt::DisplayRole).toString(), cell(m, source));
    const auto at = [&](int column) { return cell(m, source.siblingAtColumn(column)); };
    return tr("member %1, %2, %3, replay lag %4")
        .arg(text(m.record.name), at(MembersModel::Role), at(MembersModel::State), at(MembersModel::ReplayLag));
}

QVariant MembersPresenter::data(const QModelIndex &index, int role) const
{
    const QModelIndex source = mapToSource(index);
    const auto *member = m_model->memberAt(source.row());
    if (!member)
        return {};
    switch (role) {
    case Qt::DisplayRole: return cell(*member, source);
    case Qt::ToolTipRole: return toolTip(*member, source);
    case Qt::AccessibleTextRole: return spoken(*member, source);
    case Qt::TextAlignmentRole: return int(isNumber(index.column()) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole:
        return index.column() == MembersModel::ReceiveLsn || index.column() == MembersModel::Version ? m_mono
            : isNumber(index.column())                                                               ? m_digits
                                                                                                     : m_font;
    case GlowRole: return glows(source);
    case ToneRole: {
        const Tone tone = toneAt(*member, source);
        return tone == Tone::Neutral ? QVariant() : QVariant(static_cast<int>(tone));
    }
    case SecondaryRole: return cell(*member, source) == unknownText() || cell(*member, source) == u"\u2013"_s;
    default: return WordsPresenter::data(index, role);
    }
}

QVariant MembersPresenter::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(isNumber(section) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<MembersModel::Column>(section)) {
    case MembersModel::Name: return tr("Member");
    case MembersModel::Role: return tr("Role");
    case MembersModel::State: return tr("State");
    case MembersModel::Timeline: return tr("TL", "timeline");
    case MembersModel::ReceiveLsn: return tr("LSN");
    case MembersModel::ReceiveLag: return tr("Receive lag");
    case MembersModel::ReplayLag: return tr("Replay lag");
    case MembersModel::Node: return tr("Node");
    case MembersModel::Version: return tr("Patroni");
    case MembersModel::Tags: return tr("Tags");
    case MembersModel::PendingRestart: return tr("Restart");
    case MembersModel::StatusAge: return tr("Last change seen");
    case MembersModel::ColumnCount: break;
    }
    return {};
}

} // namespace switchyard::views
