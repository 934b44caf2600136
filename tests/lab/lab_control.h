// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lab's own commands, and what patronictl prints, as values. The event loop runs on while a command runs.
#include <QByteArray>
#include <QString>
#include <QStringList>

namespace switchyard::lab {

struct CommandResult
{
    int exitCode = -1;
    QByteArray out, err;
};
// lab COMMAND ARGUMENTS..., by the lab script that the environment variable LAB names
CommandResult run(const QStringList &arguments);
QString kubeconfig(const QString &user);

// One line a member, in patronictl's words: "alpha-0 | Leader | running | TL 1 | lag -". Sorted.
QStringList patroniMembers(const QString &cluster, const QString &scope);
// One line an entry of the timeline history: "1 | 83886240 | no recovery target specified | 2031-... | alpha-1"
QStringList patroniHistory(const QString &cluster, const QString &scope);

bool isVersion3(); // Patroni 3.0.2, else 4.0.7
int loopWaitSeconds();
int ttlSeconds();

} // namespace switchyard::lab
