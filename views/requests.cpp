// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/requests.h"

#include "views/words.h"

namespace switchyard::views {

using namespace Qt::StringLiterals;

bool hasRequest(const patroni::Cluster &cluster)
{
    return cluster.failover && (cluster.failover->pending() || cluster.failover->scheduledAtRaw);
}

QString patronictlCommand(const patroni::ClusterKey &key, const std::optional<rules::ActionWish> &wish)
{
    const QString of = key.group ? u"%1 --group %2"_s.arg(text(key.scope)).arg(*key.group) : text(key.scope);
    if (!wish)
        return u"patronictl flush %1 switchover"_s.arg(of);
    if (wish->kind == rules::ActionKind::Failover)
        return u"patronictl failover %1 --candidate %2"_s.arg(of, text(wish->candidate.value_or("")));
    QString command = u"patronictl switchover %1 --leader %2"_s.arg(of, text(wish->leader.value_or("")));
    if (wish->candidate)
        command += u" --candidate "_s + text(*wish->candidate);
    if (wish->at)
        command += u" --scheduled "_s + text(formatScheduledAt(*wish->at));
    return command;
}

} // namespace switchyard::views
