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

// users[].user.exec: a program that prints an ExecCredential (client.authentication.k8s.io/v1 or v1beta1).
struct ExecConfig
{
    enum class Interactive { Never, IfAvailable, Always };

    QString apiVersion{};
    QString command{}; // as written: with a slash relative to `folder`, without one looked for in PATH
    QString folder{};  // of the kubeconfig file
    QStringList args{};
    std::vector<std::pair<QString, QString>> env{};
    QString installHint{};
    bool provideClusterInfo = false;
    Interactive interactive = Interactive::IfAvailable;
    QByteArray clusterConfig{}; // JSON: the cluster's extension "client.authentication.k8s.io/exec"; empty: none
    bool operator==(const ExecConfig &) const = default;
};

// One user. As in client-go a token (tokenFile before token) wins over basic, and both over what exec gives.
struct Credential
{
    QString userName;                  // the kubeconfig user entry
    QByteArray token;                  // never logged
    QString tokenFile;                 // absolute; wins over token, read again for each connection
    QByteArray certificatePem, keyPem; // client certificate and key
    QString certificateFile, keyFile;  // absolute; where they came from, to be read again when they change; empty: inline
    QString basicUser;
    QByteArray basicPassword; // never logged
    std::optional<ExecConfig> exec;
    bool operator==(const Credential &) const = default;
};

// as, as-uid, as-groups, as-user-extra: the Impersonate-* headers.
struct Impersonation
{
    QString user{}, uid{};
    QStringList groups{};
    std::vector<std::pair<QString, QStringList>> extra{};
    bool operator==(const Impersonation &) const = default;
};

// All that is needed to talk to one API server as one user.
struct ContextConfig
{
    QString name;        // context name
    QString file;        // the kubeconfig file that defines the context; empty: none (in-cluster, command line)
    QString clusterName; // the kubeconfig cluster entry
    QString server;      // https://host:port[/path]
    QByteArray caPem;    // empty: system roots
    QString caFile;      // absolute; where caPem came from; empty: inline
    bool insecureSkipTlsVerify = false;
    QString tlsServerName;
    QString proxyUrl; // http:// or socks5://; empty: the environment (HTTPS_PROXY, NO_PROXY). May hold a password: never logged
    bool disableCompression = false;
    QString ns; // the context's namespace; empty: "default"
    Credential credential;
    Impersonation impersonation;
    std::vector<Error> problems; // why this context cannot be used, or not fully (exec, proxy-url, auth-provider: NotSupported)
    bool usable() const;         // no problem that prevents a connection
    // Same server, trust, proxy and user entry: only the credential may differ, so that a connection can go on with the new one.
    bool sameIdentity(const ContextConfig &other) const;
    bool operator==(const ContextConfig &) const = default;
};

struct Kubeconfig
{
    QStringList files; // all that were looked for, also those that are missing: they may appear
    QString currentContext;
    std::vector<ContextConfig> contexts;
    std::vector<Error> problems; // of the file as a whole
    QStringList silent{};        // of files: there, but empty or not to be read; somebody may be writing them just now
    const ContextConfig *find(const QString &name) const;
};

// Reads and checks a file. An unreadable or unparsable file is an error with file, line and field.
Result<Kubeconfig> loadKubeconfig(const QString &path);

// Where kubectl would look, several files at a time.
struct KubeconfigPlaces
{
    QStringList files{};
    bool explicitFile = false; // --kubeconfig: the file must exist. Files of $KUBECONFIG may be missing, as for kubectl
};
KubeconfigPlaces kubeconfigPlaces(const QString &option, const QString &environment, const QString &home);

// kubectl's rules: the first file that has an entry of a name, or a current-context, wins, whole entries at a time; relative paths
// belong to the file they stand in. A file that cannot be read or parsed is a problem; the others still serve. An error only if
// nothing could be read at all.
Result<Kubeconfig> loadKubeconfigs(const KubeconfigPlaces &places);

// The service account of the Pod that the program runs in (KUBERNETES_SERVICE_HOST, .../serviceaccount); nullopt: not in a Pod.
std::optional<ContextConfig> inClusterContext(const QString &serviceHost, const QString &servicePort, const QString &folder);

// kubectl's flags of one start: they replace what the kubeconfig says of each chosen context.
struct Overrides
{
    QString server{}, certificateAuthority{}, asUser{};
    QByteArray token{};
    QStringList asGroups{};
    bool insecureSkipTlsVerify = false;
    bool operator==(const Overrides &) const = default;
};
// As client-go, but that a token on the command line is used even where the kubeconfig names a token file.
ContextConfig withOverrides(ContextConfig config, const Overrides &overrides);

// What of the process's surroundings says where contexts come from.
struct Surroundings
{
    QString kubeconfig{}, home{}; // $KUBECONFIG, the home folder
    QString serviceHost{}, servicePort{}, serviceAccount{};
};
Surroundings surroundings();

// All contexts there are, before overrides: of the kubeconfig files; without any context the service account of the Pod; without
// a current context, but with --server, one made by the command line alone. The last two are the current context.
Result<Kubeconfig> findKubeconfig(const QString &option, const Surroundings &around, const Overrides &overrides);

// The contexts that the command line means: by name, without names the current one; with its flags. An unknown name is an error that
// lists the known ones. Contexts that are opened later by hand get no flags: a token is for the server it was given for.
Result<std::vector<ContextConfig>> chooseContexts(const Kubeconfig &config, const QStringList &names, const Overrides &overrides);

// What is wrong with the address of an API server; it is never quoted, as it may hold a password. nullopt: nothing.
std::optional<Error> serverDefect(const QString &server);

} // namespace switchyard::kube
