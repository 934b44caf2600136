// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/events_words.h"

#include "views/widgets/cell_roles.h"
#include "views/words.h"
#include "views/words_elections.h"

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::EventsModel;

namespace {

QString columnTitle(int column)
{
    switch (column) {
    case EventsModel::At: return EventsWords::tr("Time, %1", "with the zone").arg(zoneText());
    case EventsModel::Type: return EventsWords::tr("Event");
    case EventsModel::Context: return EventsWords::tr("Context");
    case EventsModel::Namespace: return EventsWords::tr("Namespace");
    case EventsModel::Scope: return EventsWords::tr("Cluster");
    case EventsModel::Object: return EventsWords::tr("Object");
    case EventsModel::Detail: return EventsWords::tr("What happened");
    default: return {};
    }
}

QString scopeText(const patroni::ClusterKey &key)
{
    return key.group ? u"%1:%2"_s.arg(text(key.scope), QString::number(*key.group)) : text(key.scope);
}

// "14:02:11": the header has the zone
QString withoutZone(const QString &time)
{
    return time.left(time.lastIndexOf(u' '));
}

} // namespace

Tone toneOf(EventCode code)
{
    switch (code) {
    case EventCode::LeaderChanged:
    case EventCode::LockAcquired:
    case EventCode::ElectionLeader: return Tone::Leader;
    case EventCode::LockExpired:
    case EventCode::SyncEmpty:
    case EventCode::LeaderDisagreement:
    case EventCode::ManyLate:
    case EventCode::ElectionStuck:
    case EventCode::ElectionInvalid:
    case EventCode::ScheduleImpossible: return Tone::Bad;
    case EventCode::LockReleased:
    case EventCode::NearMiss:
    case EventCode::StatusSilent:
    case EventCode::ScheduleAbsurd:
    case EventCode::HistoryRewritten:
    case EventCode::PodEvidence:
    case EventCode::ElectionStopped:
    case EventCode::ElectionPod:
    case EventCode::ElectionLate:
    case EventCode::ElectionDisagreement:
    case EventCode::ElectionEvidence:
    case EventCode::LockLate:
    case EventCode::MemberLeft:
    case EventCode::Undecodable:
    case EventCode::RequestWritten: return Tone::Warning;
    case EventCode::PauseOn: return Tone::Paused;
    case EventCode::BlindSpot:
    case EventCode::ConnectionLost: return Tone::Unknown;
    case EventCode::ConnectionRestored:
    case EventCode::MemberAppeared:
    case EventCode::PauseOff:
    case EventCode::SyncFilled:
    case EventCode::StatusResumed:
    case EventCode::ScheduleSane:
    case EventCode::LeaderAgreement:
    case EventCode::ElectionAgreement:
    case EventCode::SchedulePossible: return Tone::Good;
    case EventCode::TimelineAdvanced:
    case EventCode::RequestCleared:
    case EventCode::SyncChanged:
    case EventCode::ConfigChanged:
    case EventCode::FailsafeOn:
    case EventCode::FailsafeOff:
    case EventCode::MemberState: break;
    }
    return Tone::Neutral;
}

EventsWords::EventsWords(EventsModel *events, QObject *parent)
    : ColumnWords(parent)
    , m_events(events)
{
    setSourceModel(events);
}

QString EventsWords::display(const Event &e, int column) const
{
    switch (column) {
    case EventsModel::At: return withoutZone(timeText(e.wall));
    case EventsModel::Type: return words(e.type);
    case EventsModel::Context: return text(e.cluster.context);
    case EventsModel::Namespace: return text(e.cluster.ns);
    case EventsModel::Scope: // never to be taken for a cluster's
        return isElection(e) ? tr("election %1", "in the column of clusters").arg(text(e.object)) : scopeText(e.cluster);
    case EventsModel::Object: return text(e.object);
    case EventsModel::Detail: return eventSentence(e);
    default: return {};
    }
}

QString EventsWords::toolTip(const Event &e, int column) const
{
    switch (column) {
    case EventsModel::At: return timeText(e.wall) + u'\n' + timeTextUtc(e.wall);
    case EventsModel::Object:
        return e.resourceVersion.empty() ? text(e.object) : tr("%1, version %2").arg(text(e.object), text(e.resourceVersion));
    case EventsModel::Detail: return eventSentence(e) + u'\n' + text(detailText(e));
    default: return display(e, column);
    }
}

QVariant EventsWords::data(const QModelIndex &index, int role) const
{
    const Event *e = index.isValid() ? m_events->eventAt(index.row()) : nullptr;
    if (!e)
        return {};
    const bool older = index.column() == EventsModel::Detail && index.row() >= m_events->rowCount() - m_events->older();
    switch (role) {
    case Qt::DisplayRole:
        return older ? tr("archive: %1", "an event of before the start").arg(display(*e, index.column())) : display(*e, index.column());
    case Qt::ToolTipRole: return toolTip(*e, index.column());
    case Qt::AccessibleTextRole: {
        const QString value = index.column() == EventsModel::At ? timeText(e->wall) : display(*e, index.column());
        return tr("%1: %2", "column: value").arg(columnTitle(index.column()), value.isEmpty() ? tr("none") : value);
    }
    case ToneRole: return index.column() == EventsModel::Type ? QVariant(int(toneOf(e->type))) : QVariant();
    case SecondaryRole:
        return index.column() == EventsModel::Object || index.column() == EventsModel::Context
            || (index.column() == EventsModel::Scope && isElection(*e));
    default: return QIdentityProxyModel::data(index, role);
    }
}

ColumnHeader EventsWords::header(int column) const
{
    return {columnTitle(column), columnTitle(column)};
}

} // namespace switchyard::views
