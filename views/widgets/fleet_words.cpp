// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/fleet_words.h"

#include "views/style/colors.h"
#include "views/widgets/cell_roles.h"
#include "views/words.h"

#include <QStringList>

namespace switchyard::views {

using namespace patroni;
using namespace Qt::StringLiterals;
using items::FleetModel;

namespace {

const QString dash = u"\u2013"_s; // there is none of it; not "unknown"

std::optional<Boot> staleSince(const Cluster &c)
{
    return c.view.staleSince ? c.view.staleSince : c.view.lastContact;
}

// "stale 48 s" and "as of 14:02:11 CET": the age first, it must not be cut off
QString staleHead(const Cluster &c, Now now)
{
    const auto since = staleSince(c);
    return since ? FleetWords::tr("stale %1").arg(secondsText(now.boot - *since)) : words(Freshness::Stale);
}

QString staleAsOf(const Cluster &c, Now now)
{
    const auto since = staleSince(c);
    return since ? FleetWords::tr("as of %1").arg(timeText(now.toWall(*since))) : FleetWords::tr("age unknown");
}

QString healthText(const Cluster &c, Now now)
{
    QString word = words(c.health.health);
    if (c.view.freshness == Freshness::Stale)
        return u"%1  %2"_s.arg(staleHead(c, now), staleAsOf(c, now));
    if (c.health.reasons.empty())
        return word;
    const QString reason = words(c.health.reasons.front());
    if (c.health.reasons.size() > 1) // before the reason: its end may be cut off
        return FleetWords::tr("%1 +%2  %3", "verdict, so many more reasons, the first reason")
            .arg(word)
            .arg(c.health.reasons.size() - 1)
            .arg(reason);
    return u"%1  %2"_s.arg(word, reason);
}

qsizetype healthEmphasis(const Cluster &c, Now now)
{
    return c.view.freshness == Freshness::Stale ? staleHead(c, now).size() : words(c.health.health).size();
}

QString leaderText(const Cluster &c)
{
    if (c.leaderName)
        return text(*c.leaderName);
    return c.lock.state == LockState::Stale || c.view.freshness != Freshness::Live ? unknownText() : FleetWords::tr("nobody");
}

QString lockText(const Cluster &c, Now now)
{
    const LockView &lock = c.lock;
    const auto left = lock.expiresAt ? std::optional<Duration>(*lock.expiresAt - now.boot) : std::nullopt;
    switch (lock.state) {
    case LockState::Held:
        if (!left)
            return words(lock.state, lock.late);
        return lock.late ? FleetWords::tr("late, %1", "lock renewal late, so long to expiry").arg(secondsText(*left)) : secondsText(*left);
    case LockState::Expired: return left ? FleetWords::tr("expired %1", "so long ago").arg(coarseText(-*left)) : words(lock.state, false);
    default: return words(lock.state, lock.late);
    }
}

QString requestText(const Cluster &c, Now now)
{
    const RequestReport *r = c.pendingRequest();
    if (!r)
        return dash;
    const QString to = r->request.member ? text(*r->request.member) : FleetWords::tr("anyone");
    if (r->step == RequestStep::Scheduled && r->request.scheduledAt)
        return *r->request.scheduledAt < now.wall
            ? FleetWords::tr("overdue, to %1").arg(to)
            : FleetWords::tr("in %1 to %2", "in 2 h 13 min to acme-2").arg(secondsText(*r->request.scheduledAt - now.wall), to);
    if (r->heldBack)
        return FleetWords::tr("to %1: cleared").arg(to);
    return r->outcome == Outcome::Pending ? FleetWords::tr("to %1: %2").arg(to, words(r->step)) : words(r->outcome);
}

QString reasonLines(const Cluster &c)
{
    QStringList lines;
    for (const Reason &reason : c.health.reasons)
        lines << words(reason);
    return lines.join(u'\n');
}

bool isNone(const Cluster &c, int column)
{
    switch (column) {
    case FleetModel::Leader: return !c.leaderName;
    case FleetModel::Timeline: return !c.timeline;
    case FleetModel::Members: return c.members.empty();
    case FleetModel::WorstLag: return !c.worstLag();
    case FleetModel::Paused: return !c.config || !c.config->config.paused;
    case FleetModel::Request: return !c.pendingRequest();
    case FleetModel::Sync: return !c.config || !c.config->config.present || c.config->config.syncMode == SyncMode::Off;
    case FleetModel::InOffice: return !c.leaderName;
    default: return false;
    }
}

bool rightAligned(int column)
{
    return column == FleetModel::InOffice || column == FleetModel::Timeline || column == FleetModel::Members
        || column == FleetModel::WorstLag || column == FleetModel::LastChange;
}

QString bothTimes(Instant t)
{
    return timeText(t) + u'\n' + timeTextUtc(t);
}

QString columnTitle(int column)
{
    switch (column) {
    case FleetModel::Health: return FleetWords::tr("Health");
    case FleetModel::Context: return FleetWords::tr("Context");
    case FleetModel::Namespace: return FleetWords::tr("Namespace");
    case FleetModel::Scope: return FleetWords::tr("Cluster", "column: scope of a Patroni cluster");
    case FleetModel::Leader: return FleetWords::tr("Leader");
    case FleetModel::InOffice: return FleetWords::tr("In office");
    case FleetModel::Lock: return FleetWords::tr("Lock");
    case FleetModel::Timeline: return FleetWords::tr("TL", "timeline");
    case FleetModel::Members: return FleetWords::tr("Up", "members up / all");
    case FleetModel::WorstLag: return FleetWords::tr("Worst lag");
    case FleetModel::Sync: return FleetWords::tr("Sync");
    case FleetModel::Paused: return FleetWords::tr("Paused");
    case FleetModel::Request: return FleetWords::tr("Request");
    case FleetModel::LastChange: return FleetWords::tr("Changed");
    default: return {};
    }
}

QString columnHelp(int column)
{
    switch (column) {
    case FleetModel::Health: return FleetWords::tr("Verdict, with its first reason");
    case FleetModel::InOffice: return FleetWords::tr("How long the leader has held the lock");
    case FleetModel::Lock: return FleetWords::tr("Time until the lock expires if it is not renewed");
    case FleetModel::Timeline: return FleetWords::tr("Timeline");
    case FleetModel::Members: return FleetWords::tr("Members up, of all");
    case FleetModel::WorstLag: return FleetWords::tr("Largest lag of a replica behind the leader; unknown as soon as one replica's is");
    case FleetModel::Sync: return FleetWords::tr("Synchronous mode: synchronous standbys, of how many wanted");
    case FleetModel::Request: return FleetWords::tr("Pending switchover or failover request");
    case FleetModel::LastChange: return FleetWords::tr("Last change that was not a mere renewal, as seen here");
    default: return columnTitle(column);
    }
}

QString lagMissing(const Cluster &c)
{
    return c.members.size() < 2 ? FleetWords::tr("no replica is known")
                                : FleetWords::tr("the lag of a replica is unknown, so the worst is too");
}

QString syncShort(const Cluster &c)
{
    const QString all = syncText(c);
    const qsizetype colon = all.indexOf(u':');
    return colon > 0 ? all.left(colon) : all;
}

} // namespace

FleetWords::FleetWords(FleetModel *fleet, QObject *parent)
    : ColumnWords(parent)
    , m_fleet(fleet)
{
    setSourceModel(fleet);
}

void FleetWords::setAliases(const std::map<QString, QString> &aliases)
{
    if (aliases == m_aliases)
        return;
    m_aliases = aliases;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, FleetModel::Health), index(rowCount() - 1, FleetModel::Context));
}

QString FleetWords::shownContext(const Cluster &c) const
{
    const QString name = text(c.names.key.context);
    const auto found = m_aliases.find(name);
    return found == m_aliases.end() ? name : found->second;
}

QString FleetWords::display(const Cluster &c, int column) const
{
    const Now now = m_fleet->now();
    switch (column) {
    case FleetModel::Health: return healthText(c, now);
    case FleetModel::Context: return shownContext(c);
    case FleetModel::Namespace: return text(c.names.key.ns);
    case FleetModel::Scope:
        return c.names.key.group ? u"%1:%2"_s.arg(text(c.names.key.scope), QString::number(*c.names.key.group)) : text(c.names.key.scope);
    case FleetModel::Leader: return leaderText(c);
    case FleetModel::InOffice: {
        const auto office = inOffice(c, now);
        return office ? secondsText(*office) : c.leaderName ? unknownText() : dash;
    }
    case FleetModel::Lock: return lockText(c, now);
    case FleetModel::Timeline: return c.timeline ? QString::number(*c.timeline) : u"?"_s;
    case FleetModel::Members:
        return c.members.empty() ? u"?"_s : u"%1 / %2"_s.arg(QString::number(c.membersUp()), QString::number(c.members.size()));
    case FleetModel::WorstLag: return c.members.size() == 1 && !c.worstLag() ? dash : lagText(c.worstLag());
    case FleetModel::Sync: return syncShort(c);
    case FleetModel::Paused: return !c.config || !c.config->config.present ? unknownText() : c.config->config.paused ? tr("paused") : dash;
    case FleetModel::Request: return requestText(c, now);
    case FleetModel::LastChange:
        return c.lastChange ? tr("%1 ago").arg(coarseText(std::max(Duration::zero(), now.boot - *c.lastChange))) : dash;
    default: return {};
    }
}

QString FleetWords::toolTip(const Cluster &c, int column) const
{
    const Now now = m_fleet->now();
    switch (column) {
    case FleetModel::Health: {
        const QString stale = staleText(c.view, now), reasons = reasonLines(c);
        return QStringList{headline(c, now), reasons, stale}.join(u'\n').trimmed();
    }
    case FleetModel::Context: {
        const QString name = text(c.names.key.context), shown = shownContext(c);
        return shown == name ? name : tr("%1\ncontext %2", "alias, name").arg(shown, name);
    }
    case FleetModel::InOffice:
        return c.lock.acquireTime ? tr("acquired, by the leader's clock:\n%1").arg(bothTimes(*c.lock.acquireTime)) : QString();
    case FleetModel::Lock:
        return tr("%1: %2\nttl %3 s").arg(words(c.lock.state, c.lock.late), lockPhrase(c, now), QString::number(c.lock.ttl));
    case FleetModel::WorstLag: return c.worstLag() ? bytesExactText(*c.worstLag()) : lagMissing(c);
    case FleetModel::Sync: return syncText(c);
    case FleetModel::Timeline: return c.timeline ? display(c, column) : tr("the timeline is unknown");
    case FleetModel::Members: return c.members.empty() ? tr("no member is known") : display(c, column);
    case FleetModel::Request:
        if (const RequestReport *r = c.pendingRequest())
            return requestSentence(*r, now) + (r->request.scheduledAt ? u'\n' + bothTimes(*r->request.scheduledAt) : QString());
        return tr("nothing pending");
    case FleetModel::LastChange: return c.lastChange ? bothTimes(now.toWall(*c.lastChange)) : tr("none since the program started");
    default: return display(c, column);
    }
}

QString FleetWords::accessible(const Cluster &c, int column) const
{
    QString value = display(c, column);
    if (value == dash)
        value = tr("none");
    if (value == "?"_L1)
        value = unknownText();
    if (column == FleetModel::Lock)
        value = tr("%1, %2").arg(words(c.lock.state, c.lock.late), lockPhrase(c, m_fleet->now()));
    const QString stale = c.view.freshness == Freshness::Stale ? tr(", stale") : QString();
    return tr("%1 of %2: %3%4", "column, cluster, value").arg(columnTitle(column), text(c.names.key.text()), value, stale);
}

QVariant FleetWords::tone(const Cluster &c, int column) const
{
    switch (column) {
    case FleetModel::Health: return int(toneOf(c.health.health));
    case FleetModel::Leader: return int(c.leaderName ? Tone::Leader : Tone::Neutral);
    case FleetModel::Lock: return int(toneOf(c.lock.state, c.lock.late));
    case FleetModel::Members:
        return c.members.empty() || c.membersUp() == int(c.members.size()) ? QVariant() : QVariant(int(Tone::Warning));
    case FleetModel::Paused: return c.config && c.config->config.paused ? QVariant(int(Tone::Paused)) : QVariant();
    case FleetModel::Request: return c.pendingRequest() ? QVariant(int(toneOf(c.pendingRequest()->outcome))) : QVariant();
    default: return {};
    }
}

QVariant FleetWords::fraction(const Cluster &c, int column) const
{
    if (column != FleetModel::Lock || c.lock.state != LockState::Held || !c.lock.expiresAt || c.lock.ttl <= 0)
        return {};
    return qBound(0.0, toSeconds(*c.lock.expiresAt - m_fleet->now().boot) / double(c.lock.ttl), 1.0);
}

bool FleetWords::glows(const QModelIndex &index) const
{
    const QVariant at = QIdentityProxyModel::data(index, items::ChangedAtRole);
    return m_glow && at.isValid() && m_fleet->now().boot.time_since_epoch().count() - at.toLongLong() < glowTime.count();
}

QVariant FleetWords::data(const QModelIndex &index, int role) const
{
    const Cluster *c = index.isValid() ? m_fleet->clusterAt(index.row()) : nullptr;
    if (!c)
        return {};
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return display(*c, column);
    case Qt::ToolTipRole: return toolTip(*c, column);
    case Qt::AccessibleTextRole: return accessible(*c, column);
    case Qt::TextAlignmentRole: return int((rightAligned(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case ToneRole: return tone(*c, column);
    case EmphasisRole: return column == FleetModel::Health ? QVariant(int(healthEmphasis(*c, m_fleet->now()))) : QVariant();
    case FractionRole: return fraction(*c, column);
    case SecondaryRole: return isNone(*c, column);
    case GlowRole: return glows(index);
    case items::SortRole:
        return column == FleetModel::Context && !m_aliases.empty() ? QVariant(shownContext(*c)) : QIdentityProxyModel::data(index, role);
    case items::FilterRole: { // both its names find a cluster
        const QString words = QIdentityProxyModel::data(index, role).toString();
        return m_aliases.contains(text(c->names.key.context)) ? QString(words + u' ' + shownContext(*c).toLower()) : words;
    }
    default: return QIdentityProxyModel::data(index, role);
    }
}

ColumnHeader FleetWords::header(int column) const
{
    return {columnTitle(column), columnHelp(column), rightAligned(column)};
}

} // namespace switchyard::views
