// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/exec_credential.h"

#include "app/kube/credential_files.h"
#include "app/kube/token.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

using Json = nlohmann::ordered_json;

struct ExecWords
{
    Q_DECLARE_TR_FUNCTIONS(ExecWords)
};

Error badOutput(const char *field, const QString &message)
{
    return Error{.kind = ErrorKind::Unauthorized, .field = field, .message = message.toStdString()};
}

Json clusterInfo(const ContextConfig &config)
{
    Json cluster = Json::object();
    cluster["server"] = config.server.toStdString();
    if (!config.tlsServerName.isEmpty())
        cluster["tls-server-name"] = config.tlsServerName.toStdString();
    if (config.insecureSkipTlsVerify)
        cluster["insecure-skip-tls-verify"] = true;
    if (!config.caPem.isEmpty())
        cluster["certificate-authority-data"] = config.caPem.toBase64().toStdString();
    if (!config.proxyUrl.isEmpty())
        cluster["proxy-url"] = config.proxyUrl.toStdString();
    if (config.disableCompression)
        cluster["disable-compression"] = true;
    const QByteArray &extension = config.credential.exec->clusterConfig;
    if (Json given = Json::parse(extension.begin(), extension.end(), nullptr, false); !given.is_discarded())
        cluster["config"] = std::move(given);
    return cluster;
}

// A field of text; absent or null: empty. nullopt: something else.
std::optional<QByteArray> textOf(const Json &object, const char *name)
{
    const auto it = object.find(name);
    if (it == object.end() || it->is_null())
        return QByteArray();
    if (!it->is_string())
        return std::nullopt;
    return QByteArray::fromStdString(it->get_ref<const std::string &>());
}

std::optional<Error> kindDefect(const Json &root, const QString &apiVersion)
{
    if (root.is_discarded() || !root.is_object())
        return badOutput("stdout", ExecWords::tr("it printed no ExecCredential (JSON expected)"));
    if (textOf(root, "kind") != QByteArray("ExecCredential"))
        return badOutput("kind", ExecWords::tr("it printed something else than an ExecCredential"));
    const std::optional<QByteArray> version = textOf(root, "apiVersion");
    if (version == apiVersion.toUtf8())
        return std::nullopt;
    return badOutput("apiVersion", ExecWords::tr("it answered in another version than the kubeconfig's %1").arg(apiVersion));
}

Result<ExecResult> readStatus(const Json &status)
{
    const std::optional<QByteArray> token = textOf(status, "token");
    const std::optional<QByteArray> certificate = textOf(status, "clientCertificateData");
    const std::optional<QByteArray> key = textOf(status, "clientKeyData");
    const std::optional<QByteArray> expires = textOf(status, "expirationTimestamp");
    if (!token || !certificate || !key || !expires)
        return tl::unexpected(badOutput("status", ExecWords::tr("a field of the status it printed is not text")));
    if (token->isEmpty() && certificate->isEmpty() && key->isEmpty())
        return tl::unexpected(badOutput("status", ExecWords::tr("it gave neither a token nor a client certificate")));
    if (certificate->isEmpty() != key->isEmpty())
        return tl::unexpected(badOutput("status", ExecWords::tr("it gave a certificate without its key, or a key alone")));
    if (!isTokenText(*token))
        return tl::unexpected(badOutput("status.token", ExecWords::tr("its token holds characters that a request cannot carry")));
    ExecResult result{*token, *certificate, *key, std::nullopt};
    if (!certificate->isEmpty()) {
        if (const std::optional<Error> defect = pairDefect({*certificate, *key}))
            return tl::unexpected(*defect);
    }
    if (!expires->isEmpty()) {
        const std::optional<ParsedTime> time = parseTime(expires->toStdString());
        if (!time || !time->offsetSeconds)
            return tl::unexpected(badOutput("status.expirationTimestamp", ExecWords::tr("its expirationTimestamp is not a time")));
        result.expires = time->utc;
    }
    return result;
}

} // namespace

std::optional<Error> execDefect(const ExecConfig &exec)
{
    const QString group = u"client.authentication.k8s.io/"_s;
    if (exec.apiVersion != group + u"v1"_s && exec.apiVersion != group + u"v1beta1"_s) {
        return Error{.kind = ErrorKind::NotSupported,
                     .field = "exec.apiVersion",
                     .message = ExecWords::tr("exec plugins of version \"%1\" are not supported").arg(exec.apiVersion).toStdString(),
                     .advice = ExecWords::tr("update the plugin and its entry in the kubeconfig to %1v1").arg(group).toStdString()};
    }
    if (exec.interactive == ExecConfig::Interactive::Always) {
        return Error{
            .kind = ErrorKind::NotSupported,
            .field = "exec.interactiveMode",
            .message = ExecWords::tr("the credential program %1 needs a terminal").arg(exec.command).toStdString(),
            .advice = ExecWords::tr("run it there once, for example with kubectl, then retry; or set interactiveMode to IfAvailable")
                          .toStdString()};
    }
    return std::nullopt;
}

QByteArray execInfo(const ContextConfig &config)
{
    const ExecConfig &exec = *config.credential.exec;
    Json spec = Json::object();
    if (exec.provideClusterInfo)
        spec["cluster"] = clusterInfo(config);
    spec["interactive"] = false; // there is never a terminal
    const Json info{{"kind", "ExecCredential"}, {"apiVersion", exec.apiVersion.toStdString()}, {"spec", std::move(spec)}};
    return QByteArray::fromStdString(info.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<ExecResult> parseExecCredential(const QByteArray &output, const QString &apiVersion)
{
    const Json root = Json::parse(output.begin(), output.end(), nullptr, false);
    if (const std::optional<Error> defect = kindDefect(root, apiVersion))
        return tl::unexpected(*defect);
    const auto status = root.find("status");
    if (status == root.end() || !status->is_object())
        return tl::unexpected(badOutput("status", ExecWords::tr("the ExecCredential it printed has no status")));
    return readStatus(*status);
}

} // namespace switchyard::kube
