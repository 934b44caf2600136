// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Answers as an API server with RBAC would give them, from one line: "get,list,watch endpoints,pods db; patch endpoints db acme-failover".
// Namespace "*" is a ClusterRole; verbs and resources are lists.
#include "models/rules/permissions.h"

#include <QString>
#include <QStringList>

namespace switchyard::rules {

inline bool grants(const QString &rule, const Right &right)
{
    const QStringList parts = rule.simplified().split(u' ');
    if (parts.size() < 3)
        return false;
    const auto text = [](const std::string &s) { return QString::fromStdString(s); };
    return parts[0].split(u',').contains(text(right.verb)) && parts[1].split(u',').contains(text(right.resource))
        && (parts[2] == u'*' || parts[2] == text(right.ns)) && (parts.size() == 3 || parts[3].split(u',').contains(text(right.name)));
}

inline bool granted(const QString &rules, const Right &right)
{
    const QStringList list = rules.split(u';', Qt::SkipEmptyParts);
    return std::any_of(list.begin(), list.end(), [&](const QString &rule) { return grants(rule, right); });
}

// Asks until nothing new is wanted, as the program does.
inline Answers askAll(const RightsScope &scope, const QString &rules, Boot at = {})
{
    Answers answers;
    for (bool more = true; more;) {
        more = false;
        for (const Right &right : wantedRights(scope, answers)) {
            if (answers.contains(right))
                continue;
            more = true;
            answers[right] = {granted(rules, right) ? Answer::Kind::Allowed : Answer::Kind::Denied, {}, at};
        }
    }
    return answers;
}

} // namespace switchyard::rules
