// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Hand-made contexts in every state.
#include "models/items/contexts_model.h"
#include "tests/support/made_clusters.h"

namespace switchyard::made {

using items::ContextRow;
using items::Standing;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

inline ContextRow closedContext(const QString &name)
{
    ContextRow row;
    row.name = name;
    row.user = u"viewer"_s;
    row.server = u"https://%1.example.com:6443"_s.arg(name);
    row.file = u"/home/dba/.kube/config"_s;
    row.namespaces = {u"default"_s};
    return row;
}

inline ContextRow openContext(const QString &name, Standing standing)
{
    ContextRow row = closedContext(name);
    row.standing = standing;
    row.namespaces = {u"payments"_s, u"ledger"_s};
    if (standing == Standing::Live || standing == Standing::Stale) {
        row.version = u"v1.31.2"_s;
        row.latency = 12ms;
        row.skew = ClockSkew{100ms, 500ms, now().boot};
        row.lastContact = now(-2s).boot;
    }
    const auto freshness = standing == Standing::Live ? patroni::Freshness::Live : patroni::Freshness::Stale;
    for (const QString &resource : {u"endpoints"_s, u"configmaps"_s, u"pods"_s})
        row.watches.push_back({.resource = resource,
                               .ns = u"payments"_s,
                               .freshness = freshness,
                               .lastContact = row.lastContact,
                               .error = {},
                               .refused = {}});
    return row;
}

inline std::vector<ContextRow> manyStates()
{
    std::vector<ContextRow> rows;
    ContextRow live = openContext(u"prod-eu"_s, Standing::Live);
    live.favourite = true;
    live.colour = u"red"_s;
    live.alias = u"Europe"_s;
    live.current = true;
    live.skew = ClockSkew{3200ms, 600ms, now().boot};
    live.address = u"https://10.0.0.2:6443"_s;
    rows.push_back(live);
    ContextRow stale = openContext(u"staging"_s, Standing::Stale);
    stale.lastContact = stale.staleSince = now(-48s).boot;
    stale.retryIn = 6s;
    stale.problem = u"watch endpoints payments: no answer within 30 s"_s;
    stale.advice = u"Check that the server can be reached from here. It is tried again by itself."_s;
    rows.push_back(stale);
    ContextRow refused = openContext(u"prod-us"_s, Standing::Forbidden);
    refused.problem = u"list configmaps payments: 403 Forbidden: User \"viewer\" cannot list resource \"configmaps\""_s;
    refused.advice = u"Choose namespaces that this account may read."_s;
    refused.watches[1].freshness = patroni::Freshness::Forbidden;
    refused.watches[1].error = refused.problem;
    rows.push_back(refused);
    ContextRow expired = openContext(u"prod-ap"_s, Standing::Unauthorized);
    expired.problem = u"list pods: 401 Unauthorized: the token has expired"_s;
    expired.advice = u"Log in anew."_s;
    rows.push_back(expired);
    ContextRow waiting = openContext(u"cloud"_s, Standing::Waiting);
    waiting.problem = u"waits for your permission to run cloud-login get-token --cluster prod"_s;
    rows.push_back(waiting);
    rows.push_back(openContext(u"dr-site"_s, Standing::Connecting));
    for (const QString &name : {u"dev-1"_s, u"dev-2"_s, u"lab"_s})
        rows.push_back(closedContext(name));
    ContextRow unusable = closedContext(u"legacy"_s);
    unusable.standing = Standing::Unusable;
    unusable.problem = u"users[3].auth-provider: gcp is not supported any more"_s;
    unusable.advice = u"Use an exec plugin."_s;
    rows.push_back(unusable);
    ContextRow longName = closedContext(
        u"arn:aws:eks:eu-central-1:123456789012:cluster/a-very-long-name-of-a-production-cluster-for-payments-and-more"_s);
    longName.user = longName.name;
    rows.push_back(longName);
    return rows;
}

inline std::vector<ContextRow> hundreds(int count)
{
    std::vector<ContextRow> rows;
    for (int i = 0; i < count; ++i)
        rows.push_back(closedContext(u"cluster-%1"_s.arg(i, 3, 10, QLatin1Char('0'))));
    return rows;
}

} // namespace switchyard::made
