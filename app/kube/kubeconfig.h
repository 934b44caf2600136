// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// kubeconfig files, read as kubectl does, but keeping the good contexts and naming each defect without secrets.
#include "models/core/error.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace switchyard::kube {

struct Credential
{
    QString userName;                  // the kubeconfig user entry
    QByteArray token;                  // never logged
    QString tokenFile;                 // absolute; wins over token, read again for each connection
    QByteArray certificatePem, keyPem; // client certificate and key
};

// All that is needed to talk to one API server as one user.
struct ContextConfig
{
    QString name;     // context name
    QString server;   // https://host:port[/path]
    QByteArray caPem; // empty: system roots
    bool insecureSkipTlsVerify = false;
    QString tlsServerName;
    QString ns; // the context's namespace; empty: "default"
    Credential credential;
    std::vector<Error> problems; // why this context cannot be used, or not fully (exec, proxy-url, auth-provider: NotSupported)
    bool usable() const;         // no problem that prevents a connection
};

struct Kubeconfig
{
    QStringList files;
    QString currentContext;
    std::vector<ContextConfig> contexts;
    std::vector<Error> problems; // of the file as a whole
    const ContextConfig *find(const QString &name) const;
};

// Where kubectl would look: the given path, else $KUBECONFIG (one file here; a list is an error that says so), else ~/.kube/config.
QString kubeconfigPath(const QString &option, const QString &environment, const QString &home);

// Reads and checks a file. An unreadable or unparsable file is an error with file, line and field.
Result<Kubeconfig> loadKubeconfig(const QString &path);

} // namespace switchyard::kube
