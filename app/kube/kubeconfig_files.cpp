// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Which kubeconfig files there are, and what several of them say together.
#include "app/kube/kubeconfig.h"
#include "app/kube/kubeconfig_reader.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUrl>

#include <algorithm>
#include <filesystem>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct KubeconfigWords
{
    Q_DECLARE_TR_FUNCTIONS(KubeconfigWords)
};

constexpr qint64 largestFile = 16 * 1024 * 1024;

QString adviceText()
{
    return KubeconfigWords::tr("name a kubeconfig file with --kubeconfig or in $KUBECONFIG");
}

Error unreadable(const QString &path, const QString &message)
{
    return Error{
        .kind = ErrorKind::Io, .where = path.toStdString(), .message = message.toStdString(), .advice = adviceText().toStdString()};
}

Result<QByteArray> readFile(const QString &path)
{
    QFile file(path);
    if (QFileInfo(path).isDir())
        return tl::unexpected(unreadable(path, KubeconfigWords::tr("this is a folder, not a file")));
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(unreadable(path, file.errorString()));
    QByteArray text = file.read(largestFile + 1);
    if (text.size() > largestFile)
        return tl::unexpected(unreadable(path, KubeconfigWords::tr("too large for a kubeconfig file")));
    return text;
}

// Another kind of object than a kubeconfig: kubectl refuses it as well. Both fields may be missing.
std::optional<Error> wrongKind(const KubeconfigFile &file)
{
    std::vector<Error> problems;
    const Fields root(file, {}, &file.root, file.root, problems);
    if (file.root.kind != YamlNode::Kind::Map && file.root.kind != YamlNode::Kind::Null) {
        root.report("", KubeconfigWords::tr("not a kubeconfig: its top level has no named fields"));
    } else if (const QString kind = root.text("kind"); !kind.isEmpty() && kind != u"Config"_s) {
        root.report("kind", KubeconfigWords::tr("not a kubeconfig: its kind is not Config"));
    } else if (const QString version = root.text("apiVersion"); !version.isEmpty() && version != u"v1"_s) {
        root.report("apiVersion", KubeconfigWords::tr("not a kubeconfig of version v1"));
    }
    return problems.empty() ? std::nullopt : std::optional(problems.front());
}

// What the text says twice goes to `defects`.
Result<KubeconfigFile> parseFile(const QString &path, std::vector<Error> &defects)
{
    const Result<QByteArray> text = readFile(path);
    if (!text)
        return tl::unexpected(text.error());
    Result<YamlDocument> document = parseYaml(*text, path);
    if (!document)
        return tl::unexpected(document.error());
    KubeconfigFile file{.path = path, .folder = QFileInfo(path).absoluteDir(), .root = std::move(document->root)};
    if (const std::optional<Error> wrong = wrongKind(file))
        return tl::unexpected(*wrong);
    defects.insert(defects.end(), document->defects.begin(), document->defects.end());
    return file;
}

// As for kubectl: only what is not there may be missing, not what may not be looked at.
bool isMissing(const QString &path)
{
    std::error_code ignored;
    return std::filesystem::status(path.toStdString(), ignored).type() == std::filesystem::file_type::not_found;
}

Error nothingThere(const KubeconfigPlaces &places)
{
    Error error = unreadable(places.files.join(QDir::listSeparator()), KubeconfigWords::tr("there is no kubeconfig file"));
    if (places.files.isEmpty())
        error.where = "$KUBECONFIG";
    else if (places.files.size() > 1)
        error.message = KubeconfigWords::tr("none of these kubeconfig files exists").toStdString();
    return error;
}

} // namespace

KubeconfigPlaces kubeconfigPlaces(const QString &option, const QString &environment, const QString &home)
{
    if (!option.isEmpty())
        return {.files = {option}, .explicitFile = true};
    if (environment.isEmpty())
        return {.files = {home + u"/.kube/config"_s}};
    KubeconfigPlaces places{.files = environment.split(QDir::listSeparator(), Qt::SkipEmptyParts)};
    places.files.removeDuplicates();
    return places;
}

Result<Kubeconfig> loadKubeconfigs(const KubeconfigPlaces &places)
{
    std::vector<KubeconfigFile> parsed;
    std::vector<Error> problems;
    QStringList silent;
    std::optional<Error> worst;
    for (const QString &path : places.files) {
        if (!places.explicitFile && isMissing(path))
            continue;
        Result<KubeconfigFile> file = parseFile(path, problems);
        if (!file || file->root.kind == YamlNode::Kind::Null)
            silent.append(path);
        if (file) {
            parsed.push_back(std::move(*file));
            continue;
        }
        worst = worst ? worst : file.error();
        problems.push_back(file.error());
    }
    if (parsed.empty())
        return tl::unexpected(worst ? *worst : nothingThere(places));
    Kubeconfig config = KubeconfigReader(parsed).read();
    config.files = places.files;
    config.silent = silent;
    config.problems.insert(config.problems.begin(), problems.begin(), problems.end());
    return config;
}

Result<Kubeconfig> loadKubeconfig(const QString &path)
{
    return loadKubeconfigs({.files = {path}, .explicitFile = true});
}

Surroundings surroundings()
{
    return {.kubeconfig = qEnvironmentVariable("KUBECONFIG"),
            .home = QDir::homePath(),
            .serviceHost = qEnvironmentVariable("KUBERNETES_SERVICE_HOST"),
            .servicePort = qEnvironmentVariable("KUBERNETES_SERVICE_PORT"),
            .serviceAccount = u"/var/run/secrets/kubernetes.io/serviceaccount"_s};
}

Result<Kubeconfig> findKubeconfig(const QString &option, const Surroundings &around, const Overrides &overrides)
{
    const KubeconfigPlaces places = kubeconfigPlaces(option, around.kubeconfig, around.home);
    Result<Kubeconfig> found = loadKubeconfigs(places);
    const bool nothing = found ? found->contexts.empty()
                               : !places.explicitFile && std::all_of(places.files.begin(), places.files.end(), isMissing);
    const auto useOnly = [&](const ContextConfig &context) {
        if (!found || nothing) {
            const QStringList silent = found ? found->silent : QStringList();
            found = Kubeconfig();
            found->files = places.files;
            found->silent = silent;
        }
        found->currentContext = context.name;
        found->contexts.push_back(context);
    };
    if (nothing) {
        if (const auto pod = inClusterContext(around.serviceHost, around.servicePort, around.serviceAccount)) {
            useOnly(*pod);
            return found;
        }
    }
    if (!overrides.server.isEmpty() && (nothing || (found && found->currentContext.isEmpty()))) {
        ContextConfig context;
        context.name = QUrl(overrides.server).host();
        useOnly(context);
    }
    return found;
}

} // namespace switchyard::kube
