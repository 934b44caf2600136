// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What an editor of the dynamic configuration needs to know of its text, given to it from outside: reading and writing both forms, what
// Patroni would make of it, what changes, and how two changes go together.
#include "models/patroni/cluster.h"
#include "models/rules/preflight.h"

#include <QString>
#include <QStringList>

#include <functional>

namespace switchyard::views {

struct ConfigReading
{
    std::string json; // compact; empty: it could not be read
    QString error;    // why
    int line = 0;     // from 1; 0: not known
};

struct ConfigProblem
{
    rules::Severity severity{};
    QString text;
    QString path; // "postgresql.parameters.max_connections"; empty: the whole
};

struct ConfigDiffLine
{
    QChar mark; // ' ' both, '-' only before, '+' only after
    QString text;
    bool theirs{}; // somebody else's change, which is stored already
};

struct ConfigMerged
{
    std::string json;              // theirs with my changes; where both changed the same, theirs
    QStringList conflicts, theirs; // in words; paths that somebody else changed
    QString error;                 // why it cannot be merged; empty: it can
};

struct ConfigTools
{
    std::function<ConfigReading(const QString &text, bool yaml)> read;
    std::function<QString(const std::string &json, bool yaml)> write;
    std::function<bool(const QString &yaml)> hasComments; // which would be lost
    std::function<QList<ConfigProblem>(const std::string &json, const patroni::Cluster &cluster)> check;
    std::function<QList<ConfigDiffLine>(const std::string &before, const std::string &after)> diff;
    std::function<QList<ConfigDiffLine>(const std::string &before, const std::string &stored, const std::string &planned)> diffOfThree;
    std::function<ConfigMerged(const std::string &base, const std::string &mine, const std::string &theirs)> merge;
    bool complete() const { return read && write && hasComments && check && diff && diffOfThree && merge; }
};

} // namespace switchyard::views
