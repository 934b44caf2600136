// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/events_model.h"

#include "models/items/fleet_model.h"
#include "models/store/record_key.h"

#include <QString>

#include <algorithm>
#include <set>

namespace switchyard::items {

using namespace Qt::StringLiterals;

namespace {

QString text(std::string_view s)
{
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QVariant orInvalid(const std::string &s)
{
    return s.empty() ? QVariant() : QVariant(text(s));
}

QVariant rawValue(const Event &e, int column)
{
    switch (column) {
    case EventsModel::At: return qint64(e.wall.time_since_epoch().count());
    case EventsModel::Type: return text(code(e.type));
    case EventsModel::Context: return text(e.cluster.context);
    case EventsModel::Namespace: return orInvalid(e.cluster.ns);
    case EventsModel::Scope: return orInvalid(e.cluster.scope);
    case EventsModel::Object: return orInvalid(e.object);
    case EventsModel::Detail: return text(detailText(e));
    default: return {};
    }
}

QString filterText(const Event &e)
{
    QString all = text(code(e.type));
    for (const std::string &part : {e.cluster.context, e.cluster.ns, e.cluster.scope, e.object, detailText(e)})
        all += u' ' + text(part);
    return all.toLower();
}

} // namespace

EventsModel::EventsModel(int limit, QObject *parent)
    : QAbstractTableModel(parent)
    , m_limit(std::max(1, limit))
{}

void EventsModel::clear()
{
    if (m_events.empty())
        return;
    beginRemoveRows({}, 0, rowCount() - 1);
    m_events.clear();
    m_older = 0;
    endRemoveRows();
}

void EventsModel::appendOlder(const std::vector<Event> &events)
{
    std::set<std::string> known;
    for (const Event &event : m_events)
        known.insert(event.id);
    std::vector<const Event *> added;
    for (const Event &event : events) {
        if (static_cast<int>(m_events.size() + added.size()) < m_limit && known.insert(event.id).second)
            added.push_back(&event);
    }
    if (added.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added.size()) - 1);
    for (const Event *event : added)
        m_events.push_back(*event);
    m_older += static_cast<int>(added.size());
    endInsertRows();
}

void EventsModel::append(const std::vector<Event> &events)
{
    const auto count = std::min(static_cast<int>(events.size()), m_limit);
    if (count == 0)
        return;
    const int size = static_cast<int>(m_events.size());
    if (size + count > m_limit) { // make room for a twentieth more than needed, so that trimming is rare
        const int keep = std::max(0, m_limit - count - m_limit / 20);
        if (keep < size) {
            beginRemoveRows({}, keep, size - 1);
            m_events.erase(m_events.begin() + keep, m_events.end());
            m_older = std::max(0, m_older - (size - keep));
            endRemoveRows();
        }
    }
    beginInsertRows({}, 0, count - 1);
    std::for_each(events.end() - count, events.end(), [this](const Event &e) { m_events.push_front(e); });
    endInsertRows();
}

const Event *EventsModel::eventAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_events[static_cast<std::size_t>(row)] : nullptr;
}

int EventsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int EventsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EventsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Event &e = m_events[static_cast<std::size_t>(index.row())];
    switch (role) {
    case RawRole:
    case SortRole: return rawValue(e, index.column());
    case FilterRole: return filterText(e);
    case CodeRole: return index.column() == Type ? QVariant(text(code(e.type))) : QVariant();
    case StaleRole: return false; // an event stays true
    case KeyRole: return QVariant::fromValue(e.cluster);
    case RecordRole: return QVariant::fromValue(recordKey(e));
    case ChangedAtRole: return qint64(e.at.time_since_epoch().count());
    default: return {};
    }
}

} // namespace switchyard::items
