// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which file an exec command means, where it was looked for, and how it is named to people and remembered.
#include "app/kube/kubeconfig.h"
#include "app/kube/login_shell.h"

namespace switchyard::kube {

struct SearchPath
{
    QStringList folders; // ours, then the login shell's, then well-known ones that exist
    QString origin;      // where they came from, for messages
    QString text() const { return folders.join(u':'); }
};
SearchPath searchPath(const QString &ownPath, const LoginPath &login, const QString &shell, const QString &home);

// As kubectl: with a slash, relative to the folder of the kubeconfig; else in PATH. Empty: there is none that may be run.
QString findCommand(const ExecConfig &exec, const SearchPath &path);
Error commandNotFound(const ExecConfig &exec, const SearchPath &path);

// As one would type it. `secrets` false: what follows --client-secret and the like is left out.
QString commandLine(const QString &program, const QStringList &args, bool secrets);

// SHA-256 of the program's path, arguments, environment of the kubeconfig and version of the protocol.
QString commandHash(const QString &program, const ExecConfig &exec);

} // namespace switchyard::kube
