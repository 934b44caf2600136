// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/fleet_values.h"

#include "models/items/fleet_model.h"

#include <limits>

namespace switchyard::items {

using namespace patroni;
using namespace Qt::StringLiterals;

namespace {

QString text(std::string_view s)
{
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QString scopeText(const ClusterKey &key)
{
    return key.group ? u"%1:%2"_s.arg(text(key.scope), QString::number(*key.group)) : text(key.scope);
}

QString syncCode(const Cluster &c)
{
    if (!c.config || !c.config->config.present)
        return u"unknown"_s;
    switch (c.config->config.syncMode) {
    case SyncMode::Off: return u"off"_s;
    case SyncMode::On: return u"on"_s;
    case SyncMode::Quorum: return u"quorum"_s;
    }
    return u"unknown"_s;
}

QVariant microseconds(std::optional<Duration> d)
{
    return d ? QVariant(qint64(d->count())) : QVariant();
}

QVariant toExpiry(const Cluster &c, Now now)
{
    const bool counts = c.lock.state == LockState::Held || c.lock.state == LockState::Unverified || c.lock.state == LockState::Expired;
    return counts && c.lock.expiresAt ? QVariant(qint64((*c.lock.expiresAt - now.boot).count())) : QVariant();
}

QVariant paused(const Cluster &c)
{
    return c.config && c.config->config.present ? QVariant(c.config->config.paused) : QVariant();
}

std::optional<HealthReason> firstReason(const Cluster &c)
{
    return c.health.reasons.empty() ? std::nullopt : std::optional(c.health.reasons.front().code);
}

bool isLate(const Cluster &c)
{
    return c.lock.state == LockState::Held && c.lock.late;
}

std::optional<SyncMode> syncMode(const Cluster &c)
{
    return c.config && c.config->config.present ? std::optional(c.config->config.syncMode) : std::nullopt;
}

std::optional<Outcome> pendingOutcome(const Cluster &c)
{
    const RequestReport *request = c.pendingRequest();
    return request ? std::optional(request->outcome) : std::nullopt;
}

QVariant lockSort(const Cluster &c, Now now)
{
    switch (c.lock.state) {
    case LockState::Absent: return std::numeric_limits<qint64>::min();
    case LockState::Released: return std::numeric_limits<qint64>::min() + 1;
    default: return toExpiry(c, now);
    }
}

} // namespace

std::optional<Duration> inOffice(const Cluster &c, Now now)
{
    if (!c.leaderName)
        return std::nullopt;
    if (c.leaderSince)
        return std::max(Duration::zero(), now.boot - *c.leaderSince);
    if (c.lock.acquireTime && *c.lock.acquireTime <= now.wall)
        return now.wall - *c.lock.acquireTime;
    return std::nullopt;
}

int healthRank(Health h)
{
    switch (h) {
    case Health::Unhealthy: return 0;
    case Health::Unknown: return 1;
    case Health::Degraded: return 2;
    case Health::Healthy: break;
    }
    return 3;
}

QVariant fleetRaw(const Cluster &c, int column, Now now)
{
    switch (column) {
    case FleetModel::Health: return text(code(c.health.health));
    case FleetModel::Context: return text(c.names.key.context);
    case FleetModel::Namespace: return text(c.names.key.ns);
    case FleetModel::Scope: return scopeText(c.names.key);
    case FleetModel::Leader: return c.leaderName ? QVariant(text(*c.leaderName)) : QVariant();
    case FleetModel::InOffice: return microseconds(inOffice(c, now));
    case FleetModel::Lock: return toExpiry(c, now);
    case FleetModel::Timeline: return c.timeline ? QVariant(qint64(*c.timeline)) : QVariant();
    case FleetModel::Members: return qint64(c.membersUp());
    case FleetModel::WorstLag: return c.worstLag() ? QVariant(qulonglong(*c.worstLag())) : QVariant();
    case FleetModel::Sync: return syncCode(c) == "unknown"_L1 ? QVariant() : QVariant(syncCode(c));
    case FleetModel::Paused: return paused(c);
    case FleetModel::Request: return c.pendingRequest() ? QVariant(text(code(c.pendingRequest()->outcome))) : QVariant();
    case FleetModel::LastChange: return c.lastChange ? QVariant(qint64(c.lastChange->time_since_epoch().count())) : QVariant();
    default: return {};
    }
}

QVariant fleetSort(const Cluster &c, int column, Now now)
{
    switch (column) {
    case FleetModel::Health: return healthRank(c.health.health);
    case FleetModel::Lock: return lockSort(c, now);
    case FleetModel::Members: return c.members.empty() ? QVariant() : QVariant(qint64(c.membersUp()) - qint64(c.members.size()));
    case FleetModel::WorstLag: {
        const auto lag = c.worstLag();
        return lag ? QVariant(-qint64(std::min<std::uint64_t>(*lag, std::numeric_limits<qint64>::max()))) : QVariant();
    }
    case FleetModel::Paused: return paused(c).isValid() ? QVariant(paused(c).toBool() ? 0 : 1) : QVariant();
    case FleetModel::LastChange: return c.lastChange ? QVariant(-qint64(c.lastChange->time_since_epoch().count())) : QVariant();
    case FleetModel::Request: {
        const RequestReport *r = c.pendingRequest();
        if (!r)
            return {};
        return r->request.scheduledAt ? QVariant(qint64(r->request.scheduledAt->time_since_epoch().count())) : QVariant(qint64(0));
    }
    default: return fleetRaw(c, column, now);
    }
}

QString fleetCode(const Cluster &c, int column)
{
    switch (column) {
    case FleetModel::Health: return text(code(c.health.health));
    case FleetModel::Leader:
        if (c.leaderName)
            return u"known"_s;
        return c.lock.state == LockState::Stale ? u"unknown"_s : u"none"_s;
    case FleetModel::Lock: return isLate(c) ? u"late"_s : text(code(c.lock.state));
    case FleetModel::Members:
        if (c.members.empty())
            return u"none-known"_s;
        return c.membersUp() == static_cast<int>(c.members.size()) ? u"all"_s : u"some"_s;
    case FleetModel::Sync: return syncCode(c);
    case FleetModel::Paused: {
        const QVariant p = paused(c);
        return !p.isValid() ? u"unknown"_s : p.toBool() ? u"yes"_s : u"no"_s;
    }
    case FleetModel::Request: return c.pendingRequest() ? text(code(c.pendingRequest()->outcome)) : u"none"_s;
    default: return {};
    }
}

QString fleetFilter(const Cluster &c)
{
    QString all = text(c.names.key.context) + u' ' + text(c.names.key.ns) + u'/' + scopeText(c.names.key);
    if (c.leaderName)
        all += u' ' + text(*c.leaderName);
    for (const int column : {int(FleetModel::Health), int(FleetModel::Lock)})
        all += u' ' + fleetCode(c, column);
    for (const Reason &reason : c.health.reasons)
        all += u' ' + text(code(reason.code)) + u' ' + text(reason.subject);
    for (const Member &m : c.members)
        all += u' ' + text(m.record.name);
    if (c.config && c.config->config.paused)
        all += u" paused"_s;
    if (c.pendingRequest())
        all += u" request "_s + fleetCode(c, FleetModel::Request);
    return all.toLower();
}

bool fleetCellDiffers(const Cluster &a, const Cluster &b, int column)
{
    switch (column) {
    case FleetModel::Health: return a.health.health != b.health.health || firstReason(a) != firstReason(b);
    case FleetModel::Context: return a.names.key.context != b.names.key.context;
    case FleetModel::Namespace: return a.names.key.ns != b.names.key.ns;
    case FleetModel::Scope: return a.names.key.scope != b.names.key.scope || a.names.key.group != b.names.key.group;
    case FleetModel::Leader:
    case FleetModel::InOffice: return a.leaderName != b.leaderName;
    case FleetModel::Lock: return a.lock.state != b.lock.state || isLate(a) != isLate(b);
    case FleetModel::Timeline: return a.timeline != b.timeline;
    case FleetModel::Members: return a.members.size() != b.members.size() || a.membersUp() != b.membersUp();
    case FleetModel::WorstLag: return a.worstLag() != b.worstLag();
    case FleetModel::Sync: return syncMode(a) != syncMode(b);
    case FleetModel::Paused: return paused(a) != paused(b);
    case FleetModel::Request: return pendingOutcome(a) != pendingOutcome(b);
    case FleetModel::LastChange: return a.lastChange != b.lastChange;
    default: return false;
    }
}

} // namespace switchyard::items
