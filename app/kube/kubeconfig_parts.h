// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a cluster entry and a user entry say, each with its own defects; contexts are put together from them.
#include "app/kube/kubeconfig.h"
#include "app/kube/kubeconfig_fields.h"

namespace switchyard::kube {

struct ClusterPart
{
    QString name, server, caFile, tlsServerName, proxyUrl;
    QByteArray caPem;
    bool insecureSkipTlsVerify = false, disableCompression = false;
    QByteArray execClusterConfig; // JSON: what an exec plugin is told about the cluster
    std::vector<Error> problems;
};

struct UserPart
{
    Credential credential;
    Impersonation impersonation;
    std::string method; // the field that says who the user is: token, tokenFile, username, exec; empty: none, or a certificate
    std::vector<Error> problems;
};

// `fields` report into part.problems.
void readCluster(const Fields &fields, ClusterPart &part);
void readUser(const Fields &fields, UserPart &part);
std::optional<ExecConfig> readExec(const Fields &user);

// As serverDefect().
std::optional<Error> proxyDefect(const QString &proxy);

} // namespace switchyard::kube
