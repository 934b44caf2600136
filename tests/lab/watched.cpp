// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lab/watched.h"

#include "tests/lab/lab_control.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <utility>

namespace switchyard::lab {

using namespace Qt::StringLiterals;

const std::array<Side, 2> &sides()
{
    static const std::array<Side, 2> both{Side{u"alpha"_s, "alpha", patroni::Mode::Endpoints},
                                          Side{u"beta"_s, "beta-ha", patroni::Mode::ConfigMaps}};
    return both;
}

Watched::Watched(const QString &user, const ConnectionOptions &options, kube::WatchTimes times)
    : m_user(user)
    , m_monitor(kube::systemClock())
{
    connect(&m_monitor, &Monitor::changed, this,
            [this](const StoreChanges &changes) { m_events.insert(m_events.end(), changes.events.begin(), changes.events.end()); });
    auto config = kube::loadKubeconfig(kubeconfig(user));
    if (!config || config->contexts.empty()) {
        qWarning("no kubeconfig for %s", qPrintable(user));
        return;
    }
    m_connection = m_monitor.open(config->contexts.front(), options, times);
}

Watched::~Watched() = default;

const ContextState *Watched::context() const
{
    static std::vector<ContextState> contexts;
    contexts = store().contexts();
    return contexts.empty() ? nullptr : &contexts.front();
}

const patroni::Cluster *Watched::cluster(const Side &side) const
{
    for (const patroni::Cluster *cluster : store().clusters()) {
        if (cluster->names.key.scope == side.scope)
            return cluster;
    }
    return nullptr;
}

bool Watched::calm(const Side &side) const
{
    const patroni::Cluster *c = cluster(side);
    if (!c || c->lock.state != patroni::LockState::Held || c->lock.late || !c->leaderName || c->pendingRequest() || c->membersUp() != 3)
        return false;
    if (c->view.freshness != patroni::Freshness::Live || (c->failover && c->failover->pending()))
        return false;
    return std::ranges::all_of(c->members, [c](const patroni::Member &m) {
        const bool leads = m.record.name == *c->leaderName;
        const bool streams = isVersion3() || m.record.replicationState == "streaming";
        return m.record.state == "running" && m.record.timeline == c->timeline && (leads ? m.role == patroni::Role::Leader : streams);
    });
}

int Watched::told(EventCode code) const
{
    return static_cast<int>(std::ranges::count_if(m_events, [code](const Event &event) { return event.type == code; }));
}

QStringList Watched::picture(const Side &side) const
{
    const patroni::Cluster *c = cluster(side);
    if (!c)
        return {};
    QStringList lines = members(side) + history(side);
    lines << u"leader %1"_s.arg(QString::fromStdString(c->leaderName.value_or("nobody")))
          << u"lock %1, ttl %2"_s.arg(QLatin1StringView(code(c->lock.state))).arg(c->lock.ttl)
          << u"timeline %1"_s.arg(c->timeline.value_or(-1)) << u"health %1"_s.arg(QLatin1StringView(code(c->health.health)))
          << u"system %1"_s.arg(QString::fromStdString(c->systemId.value_or("unknown")));
    for (const patroni::Reason &reason : c->health.reasons)
        lines << u"reason %1 %2"_s.arg(QLatin1StringView(code(reason.code)), QString::fromStdString(reason.subject));
    for (const auto &[part, object] : c->objects)
        lines << u"object %1: %2"_s.arg(QString::fromStdString(part), QString::fromStdString(object.uid));
    return lines;
}

bool Watched::allCalm() const
{
    return std::ranges::all_of(sides(), [this](const Side &side) { return calm(side); });
}

static QString title(patroni::Role role)
{
    switch (role) {
    case patroni::Role::Leader: return u"Leader"_s;
    case patroni::Role::StandbyLeader: return u"Standby Leader"_s;
    case patroni::Role::SyncStandby: return u"Sync Standby"_s;
    case patroni::Role::QuorumStandby: return u"Quorum Standby"_s;
    case patroni::Role::Replica: return u"Replica"_s;
    case patroni::Role::Unknown: return u"unknown"_s;
    }
    return {};
}

static QString text(const std::optional<std::string> &value)
{
    return value ? QString::fromStdString(*value) : u"-"_s;
}

QStringList Watched::members(const Side &side) const
{
    QStringList lines;
    const patroni::Cluster *c = cluster(side);
    if (!c)
        return {u"not found"_s};
    for (const patroni::Member &m : c->members) {
        const bool leads = m.role == patroni::Role::Leader;
        QString lag = u"-"_s;
        if (!leads) // Python's round(): to even
            lag = m.lag ? QString::number(std::llrint(std::nearbyint(double(*m.lag) / 1048576.0))) : u"unknown"_s;
        // patronictl shows the state of replication only since 3.0.4
        const auto state = isVersion3() ? m.record.state : m.shownState;
        lines << u"%1 | %2 | %3 | TL %4 | lag %5"_s.arg(QString::fromStdString(m.record.name), title(m.role), text(state),
                                                        m.record.timeline ? QString::number(*m.record.timeline) : u"-"_s, lag);
    }
    lines.sort();
    return lines;
}

QStringList Watched::history(const Side &side) const
{
    QStringList lines;
    const patroni::Cluster *c = cluster(side);
    if (!c || !c->config)
        return {u"not found"_s};
    for (const patroni::HistoryEntry &e : c->config->history.entries) {
        lines << u"%1 | %2 | %3 | %4 | %5"_s.arg(QString::number(e.timeline), QString::number(e.lsn), QString::fromStdString(e.reason),
                                                 text(e.endedAtRaw), text(e.newLeader));
    }
    return lines;
}

std::vector<EventCode> Watched::events(const Side &side) const
{
    std::vector<EventCode> codes;
    for (const Event &e : m_events) {
        if (e.cluster.scope == side.scope)
            codes.push_back(e.type);
    }
    return codes;
}

const Event *Watched::lastEvent(const Side &side, EventCode code) const
{
    const auto found = std::find_if(m_events.rbegin(), m_events.rend(),
                                    [&](const Event &e) { return e.cluster.scope == side.scope && e.type == code; });
    return found == m_events.rend() ? nullptr : &*found;
}

actions::WriteResult Watched::request(const Side &side, const rules::ActionWish &wish)
{
    return send(actions::planSwitchover(*cluster(side), wish), stillCurrent(side));
}

actions::WriteResult Watched::requestWithNamesSwapped(const Side &side, const rules::ActionWish &wish)
{
    Result<actions::PlannedWrite> planned = actions::planSwitchover(*cluster(side), wish);
    if (planned && wish.leader && wish.candidate) {
        const auto quoted = [](const std::string &name) -> QByteArray { return QByteArray::fromStdString('"' + name + '"'); };
        const QByteArray leader = quoted(*wish.leader), member = quoted(*wish.candidate), held = quoted("?");
        planned->write.body.replace(leader, held).replace(member, leader).replace(held, member);
        std::swap(planned->after["leader"], planned->after["member"]);
    }
    return send(planned, [](const actions::PlannedWrite &) { return std::nullopt; });
}

actions::WriteResult Watched::cancel(const Side &side)
{
    return send(actions::planCancel(*cluster(side)), stillCurrent(side));
}

actions::ActionWriter::Check Watched::stillCurrent(const Side &side) const
{
    return [this, &side](const actions::PlannedWrite &plan) { return actions::checkStillCurrent(cluster(side), plan); };
}

actions::WriteResult Watched::send(const Result<actions::PlannedWrite> &planned, const actions::ActionWriter::Check &check)
{
    if (!planned) {
        actions::WriteResult refused;
        refused.code = actions::WriteCode::Refused;
        refused.error = planned.error();
        return refused;
    }
    actions::ActionWriter writer(actions::transportOf(m_connection->client()), actions::AuditLog(m_folder.filePath(u"audit.ndjson"_s)),
                                 kube::systemClock());
    writer.setReadOnly([] { return false; });
    writer.setFreshness(check);
    std::optional<actions::WriteResult> result;
    connect(&writer, &actions::ActionWriter::finished, this, [&result](const actions::WriteResult &r) { result = r; });
    writer.send(*planned);
    if (!QTest::qWaitFor([&result] { return result.has_value(); }, 20000))
        qWarning("the writer never finished");
    return result.value_or(actions::WriteResult{});
}

QByteArray Watched::audit() const
{
    QFile file(m_folder.filePath(u"audit.ndjson"_s));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const patroni::RequestReport *Watched::lastRequest(const Side &side) const
{
    const patroni::Cluster *c = cluster(side);
    return c && !c->requests.empty() ? &c->requests.back() : nullptr;
}

} // namespace switchyard::lab
