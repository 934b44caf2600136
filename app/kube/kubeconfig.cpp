// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig.h"

#include "app/kube/kubeconfig_reader.h"
#include "app/kube/yaml_tree.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct KubeconfigWords
{
    Q_DECLARE_TR_FUNCTIONS(KubeconfigWords)
};

constexpr qint64 largestFile = 16 * 1024 * 1024;

QStringList listedFiles(const QString &text)
{
    return text.split(QDir::listSeparator(), Qt::SkipEmptyParts);
}

Error unreadable(const QString &path, const QString &message)
{
    return Error{.kind = ErrorKind::Io,
                 .where = path.toStdString(),
                 .message = message.toStdString(),
                 .advice = KubeconfigWords::tr("name a kubeconfig file with --kubeconfig or in $KUBECONFIG").toStdString()};
}

Result<QByteArray> readFile(const QString &path)
{
    QFile file(path);
    if (!file.exists() && listedFiles(path).size() > 1) {
        return tl::unexpected(Error{.kind = ErrorKind::NotSupported,
                                    .where = path.toStdString(),
                                    .field = "KUBECONFIG",
                                    .message = KubeconfigWords::tr("a list of several kubeconfig files is not supported").toStdString(),
                                    .advice = KubeconfigWords::tr("name one file with --kubeconfig").toStdString()});
    }
    if (QFileInfo(path).isDir())
        return tl::unexpected(unreadable(path, KubeconfigWords::tr("this is a folder, not a file")));
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(unreadable(path, file.errorString()));
    if (file.size() > largestFile)
        return tl::unexpected(unreadable(path, KubeconfigWords::tr("too large for a kubeconfig file")));
    return file.readAll();
}

} // namespace

bool ContextConfig::usable() const
{
    // Refused: the program holds something back (credentials over plain http), but can connect.
    return !server.isEmpty()
        && std::all_of(problems.begin(), problems.end(), [](const Error &problem) { return problem.kind == ErrorKind::Refused; });
}

const ContextConfig *Kubeconfig::find(const QString &name) const
{
    const auto it = std::find_if(contexts.begin(), contexts.end(), [&](const ContextConfig &c) { return c.name == name; });
    return it == contexts.end() ? nullptr : &*it;
}

QString kubeconfigPath(const QString &option, const QString &environment, const QString &home)
{
    if (!option.isEmpty())
        return option;
    const QStringList files = listedFiles(environment);
    if (files.size() == 1)
        return files.first();
    if (!files.isEmpty())
        return environment;
    return home + u"/.kube/config"_s;
}

Result<Kubeconfig> loadKubeconfig(const QString &path)
{
    const Result<QByteArray> text = readFile(path);
    if (!text)
        return tl::unexpected(text.error());
    const Result<YamlNode> root = parseYaml(*text, path);
    if (!root)
        return tl::unexpected(root.error());
    if (root->kind != YamlNode::Kind::Map && root->kind != YamlNode::Kind::Null) {
        return tl::unexpected(Error{.kind = ErrorKind::BadInput,
                                    .where = place(path, *root),
                                    .message = KubeconfigWords::tr("not a kubeconfig: its top level has no named fields").toStdString()});
    }
    return KubeconfigReader(path, *root).read();
}

} // namespace switchyard::kube
