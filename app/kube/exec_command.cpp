// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/exec_command.h"

#include "app/kube/exec_credential.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct ExecWords
{
    Q_DECLARE_TR_FUNCTIONS(ExecWords)
};

void addFolders(QStringList &folders, const QStringList &more)
{
    // A relative folder would mean another program in each working folder.
    for (const QString &folder : more)
        if (QDir::isAbsolutePath(folder) && !folders.contains(folder))
            folders.append(folder);
}

QStringList wellKnown(const QString &home)
{
    QStringList folders{home + u"/.local/bin"_s, u"/usr/local/bin"_s, home + u"/.krew/bin"_s,           home + u"/bin"_s,
                        u"/opt/homebrew/bin"_s,  u"/snap/bin"_s,      home + u"/google-cloud-sdk/bin"_s};
    folders.removeIf([](const QString &folder) { return !QFileInfo(folder).isDir(); });
    return folders;
}

bool mayRun(const QString &file)
{
    const QFileInfo info(file);
    return info.isFile() && info.isExecutable();
}

QString inFolder(const ExecConfig &exec)
{
    return QDir::cleanPath(QDir::isAbsolutePath(exec.command) ? exec.command : QDir(exec.folder).absoluteFilePath(exec.command));
}

QString quoted(const QString &word)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_@%+=:,./-]+$"_s);
    if (plain.match(word).hasMatch())
        return word;
    QString inner = word;
    return u'\'' + inner.replace(u'\'', u"'\\''"_s) + u'\'';
}

bool namesSecret(const QString &option)
{
    static const QRegularExpression secret(u"secret|passw|passphrase|token|credential|api-?key|private-?key"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    return secret.match(option).hasMatch();
}

QStringList withoutSecrets(const QStringList &args)
{
    QStringList out;
    bool hide = false;
    for (const QString &arg : args) {
        const bool option = arg.startsWith(u'-');
        const qsizetype equals = arg.indexOf(u'=');
        if (hide && !option)
            out.append(u"***"_s);
        else if (equals > 0 && namesSecret(arg.left(equals)))
            out.append(arg.left(equals) + u"=***"_s);
        else
            out.append(arg);
        hide = option && equals < 0 && namesSecret(arg);
    }
    return out;
}

} // namespace

SearchPath searchPath(const QString &ownPath, const LoginPath &login, const QString &shell, const QString &home)
{
    SearchPath path;
    addFolders(path.folders, ownPath.split(u':', Qt::SkipEmptyParts));
    addFolders(path.folders, login.folders);
    addFolders(path.folders, wellKnown(home));
    path.origin = login.defect.isEmpty() ? ExecWords::tr("PATH of this program and of the login shell %1").arg(shell)
                                         : ExecWords::tr("PATH of this program; the login shell %1 gave none: %2").arg(shell, login.defect);
    return path;
}

QString findCommand(const ExecConfig &exec, const SearchPath &path)
{
    if (exec.command.contains(u'/')) {
        const QString file = inFolder(exec);
        return mayRun(file) ? file : QString();
    }
    for (const QString &folder : path.folders) {
        QString file = QDir(folder).filePath(exec.command);
        if (!exec.command.isEmpty() && mayRun(file))
            return file;
    }
    return {};
}

Error commandNotFound(const ExecConfig &exec, const SearchPath &path)
{
    QString message;
    if (exec.command.contains(u'/')) {
        const QString file = inFolder(exec);
        message = QFileInfo::exists(file) ? ExecWords::tr("the credential program %1 may not be executed").arg(file)
                                          : ExecWords::tr("the credential program %1 does not exist").arg(file);
    } else {
        message = ExecWords::tr("the credential program \"%1\" was not found. Where we looked: %2 (%3)")
                      .arg(exec.command, path.folders.join(u", "_s), path.origin);
    }
    const QString hint = complaint(exec.installHint.toUtf8(), {}, {});
    const QString advice = hint.isEmpty() ? ExecWords::tr("install it, or write its whole path into the kubeconfig") : hint;
    return Error{
        .kind = ErrorKind::NotSupported, .field = "exec.command", .message = message.toStdString(), .advice = advice.toStdString()};
}

QString commandLine(const QString &program, const QStringList &args, bool secrets)
{
    QStringList words{quoted(program)};
    for (const QString &arg : secrets ? args : withoutSecrets(args))
        words.append(quoted(arg));
    return words.join(u' ');
}

QString commandHash(const QString &program, const ExecConfig &exec)
{
    QJsonArray environment;
    for (const auto &entry : exec.env)
        environment.append(QJsonArray{entry.first, entry.second});
    const QJsonArray all{program, QJsonArray::fromStringList(exec.args), environment, exec.apiVersion};
    const QByteArray text = QJsonDocument(all).toJson(QJsonDocument::Compact);
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex());
}

} // namespace switchyard::kube
