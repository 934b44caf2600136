// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig_reader.h"

#include "app/kube/tls_material.h"
#include "app/kube/token.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QUrl>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct ReaderWords
{
    Q_DECLARE_TR_FUNCTIONS(ReaderWords)
};

bool isMap(const YamlNode *node)
{
    return node && node->kind == YamlNode::Kind::Map;
}

} // namespace

KubeconfigReader::KubeconfigReader(const QString &file, const YamlNode &root)
    : m_file(file)
    , m_folder(QFileInfo(file).absoluteDir())
    , m_root(root)
{}

Kubeconfig KubeconfigReader::read()
{
    Kubeconfig out;
    out.files = QStringList{m_file};
    const Entries clusters = entries("clusters", "cluster");
    const Entries users = entries("users", "user");
    for (const Entry &context : entries("contexts", "context")) {
        if (!context.twice || !out.find(context.name))
            out.contexts.push_back(readContext(context, clusters, users));
    }
    if (out.contexts.empty())
        m_problems.push_back(problem(ErrorKind::BadInput, m_root, "contexts", ReaderWords::tr("the file has no contexts")));
    checkCurrentContext(out);
    out.problems = m_problems;
    return out;
}

// A missing list and a null list are empty lists; an entry without a name is named as a defect and skipped.
KubeconfigReader::Entries KubeconfigReader::entries(const char *list, const char *inner)
{
    Entries out;
    const YamlNode *node = m_root.find(list);
    if (node && node->kind != YamlNode::Kind::List) {
        m_problems.push_back(problem(ErrorKind::BadInput, *node, list, ReaderWords::tr("a list is expected here")));
        return out;
    }
    for (std::size_t i = 0; node && i < node->items.size(); ++i) {
        const YamlNode &item = node->items[i];
        const std::string field = std::string(list) + "[" + std::to_string(i) + "]";
        const YamlNode *name = item.find("name");
        if (!name || name->kind != YamlNode::Kind::Scalar || name->text.empty()) {
            m_problems.push_back(problem(ErrorKind::BadInput, item, field + ".name", ReaderWords::tr("this entry has no name")));
            continue;
        }
        Entry entry{.name = QString::fromStdString(name->text), .field = field + "." + inner, .entry = &item, .body = item.find(inner)};
        for (Entry &other : out) {
            if (other.name == entry.name)
                other.twice = entry.twice = true;
        }
        out.push_back(entry);
    }
    return out;
}

ContextConfig KubeconfigReader::readContext(const Entry &context, const Entries &clusters, const Entries &users) const
{
    ContextConfig config;
    config.name = context.name;
    if (context.twice)
        config.problems.push_back(problem(context, "", ReaderWords::tr("two contexts have this name")));
    if (context.body && !isMap(context.body)) {
        config.problems.push_back(problem(context, "", ReaderWords::tr("named fields are expected here")));
        return config;
    }
    config.ns = text(context, "namespace", config.problems);
    if (const Entry *cluster = resolve(context, "cluster", clusters, config.problems))
        readCluster(*cluster, config);
    else if (text(context, "cluster", config.problems).isEmpty())
        config.problems.push_back(problem(context, "cluster", ReaderWords::tr("the context names no cluster")));
    if (const Entry *user = resolve(context, "user", users, config.problems))
        readUser(*user, config);
    return config;
}

const KubeconfigReader::Entry *KubeconfigReader::resolve(const Entry &context, const char *what, const Entries &among,
                                                         Problems &problems) const
{
    Problems ignored;
    const QString name = text(context, what, ignored);
    if (name.isEmpty())
        return nullptr;
    for (const Entry &entry : among) {
        if (entry.name != name)
            continue;
        if (entry.twice)
            problems.push_back(problem(context, what, ReaderWords::tr("two entries have the name \"%1\"").arg(name)));
        else if (entry.body && !isMap(entry.body))
            problems.push_back(problem(entry, "", ReaderWords::tr("named fields are expected here")));
        return &entry;
    }
    problems.push_back(problem(context, what, ReaderWords::tr("there is no entry with the name \"%1\"").arg(name)));
    return nullptr;
}

void KubeconfigReader::readCluster(const Entry &cluster, ContextConfig &config) const
{
    readServer(cluster, config);
    config.insecureSkipTlsVerify = flag(cluster, "insecure-skip-tls-verify", config.problems);
    config.tlsServerName = text(cluster, "tls-server-name", config.problems);
    config.caPem = pem(cluster, "certificate-authority", config.problems);
    if (!config.caPem.isEmpty()) {
        if (std::optional<Error> defect = caDefect(config.caPem))
            config.problems.push_back(problem(cluster, "certificate-authority", QString::fromStdString(defect->message), defect->kind));
        else if (config.insecureSkipTlsVerify)
            config.problems.push_back(problem(cluster, "insecure-skip-tls-verify",
                                              ReaderWords::tr("an authority and insecure-skip-tls-verify exclude each other")));
    }
    notSupported(cluster, {"proxy-url"}, config.problems);
}

// The text of a bad address is not quoted: it may hold a password.
void KubeconfigReader::readServer(const Entry &cluster, ContextConfig &config) const
{
    const QString server = text(cluster, "server", config.problems);
    const QUrl url(server, QUrl::StrictMode);
    const QString scheme = url.scheme();
    QString defect;
    if (server.isEmpty())
        defect = ReaderWords::tr("the cluster has no server address");
    else if (scheme != u"https"_s && scheme != u"http"_s)
        defect = ReaderWords::tr("the server address must start with https:// (or http://)");
    else if (!url.isValid() || url.host().isEmpty())
        defect = ReaderWords::tr("not a valid server address");
    else if (!url.userInfo().isEmpty())
        defect = ReaderWords::tr("a user name or password inside the server address is not supported");
    else if (url.hasQuery() || url.hasFragment())
        defect = ReaderWords::tr("the server address must not have a query or fragment");
    if (defect.isEmpty())
        config.server = server;
    else
        config.problems.push_back(problem(cluster, "server", defect));
}

void KubeconfigReader::readUser(const Entry &user, ContextConfig &config) const
{
    Credential &credential = config.credential;
    credential.userName = user.name;
    credential.token = text(user, "token", config.problems).trimmed().toUtf8();
    if (!credential.token.isEmpty() && !isTokenText(credential.token))
        config.problems.push_back(problem(user, "token", ReaderWords::tr("the token holds characters that no token can have")));
    if (const QString path = text(user, "tokenFile", config.problems); !path.isEmpty()) {
        credential.tokenFile = absolute(path);
        if (!QFileInfo(credential.tokenFile).isReadable())
            config.problems.push_back(problem(user, "tokenFile", ReaderWords::tr("%1 cannot be read").arg(credential.tokenFile)));
    }
    readClientCertificate(user, config);
    checkPlainHttp(user, config);
    notSupported(user, {"exec", "auth-provider", "username", "password", "as", "as-uid", "as-groups", "as-user-extra"}, config.problems);
}

void KubeconfigReader::readClientCertificate(const Entry &user, ContextConfig &config) const
{
    Credential &credential = config.credential;
    const std::size_t before = config.problems.size();
    credential.certificatePem = pem(user, "client-certificate", config.problems);
    credential.keyPem = pem(user, "client-key", config.problems);
    if (config.problems.size() != before)
        return;
    const auto report = [&](const char *key, const std::optional<Error> &defect) {
        if (defect)
            config.problems.push_back(problem(user, key, QString::fromStdString(defect->message), defect->kind));
    };
    if (!credential.certificatePem.isEmpty())
        report("client-certificate", certificateDefect(credential.certificatePem));
    if (!credential.keyPem.isEmpty())
        report("client-key", keyDefect(credential.keyPem));
    if (credential.certificatePem.isEmpty() != credential.keyPem.isEmpty())
        config.problems.push_back(problem(user, credential.keyPem.isEmpty() ? "client-certificate" : "client-key",
                                          ReaderWords::tr("a client certificate and its key are needed together")));
}

void KubeconfigReader::checkPlainHttp(const Entry &user, ContextConfig &config) const
{
    const bool credentials = !config.credential.token.isEmpty() || !config.credential.tokenFile.isEmpty();
    if (credentials && !config.server.isEmpty() && !mayCarryToken(QUrl(config.server)))
        config.problems.push_back(problem(user, config.credential.tokenFile.isEmpty() ? "token" : "tokenFile",
                                          ReaderWords::tr("the token is not sent, because the connection is not encrypted"),
                                          ErrorKind::Refused));
}

// A missing current-context is no defect: a context can be named by hand. Another host is never guessed.
void KubeconfigReader::checkCurrentContext(Kubeconfig &out)
{
    const YamlNode *node = m_root.find("current-context");
    if (!node)
        return;
    QString defect;
    if (node->kind != YamlNode::Kind::Scalar)
        defect = ReaderWords::tr("text is expected here");
    out.currentContext = QString::fromStdString(node->text);
    if (!out.currentContext.isEmpty() && !out.find(out.currentContext))
        defect = ReaderWords::tr("there is no context with the name \"%1\"").arg(out.currentContext);
    if (!defect.isEmpty())
        m_problems.push_back(problem(ErrorKind::BadInput, *node, "current-context", defect));
}

QString KubeconfigReader::text(const Entry &entry, const char *key, Problems &problems) const
{
    const YamlNode *node = isMap(entry.body) ? entry.body->find(key) : nullptr;
    if (!node)
        return {};
    if (node->kind == YamlNode::Kind::Scalar)
        return QString::fromStdString(node->text);
    problems.push_back(problem(entry, key, ReaderWords::tr("text is expected here")));
    return {};
}

bool KubeconfigReader::flag(const Entry &entry, const char *key, Problems &problems) const
{
    const QString value = text(entry, key, problems).toLower();
    if (value == u"true"_s || value == u"yes"_s || value == u"on"_s)
        return true;
    if (!value.isEmpty() && value != u"false"_s && value != u"no"_s && value != u"off"_s)
        problems.push_back(problem(entry, key, ReaderWords::tr("true or false is expected here")));
    return false;
}

// KEY-data (base64) wins over KEY (a file), as kubectl has it.
QByteArray KubeconfigReader::pem(const Entry &entry, const char *key, Problems &problems) const
{
    const std::string dataKey = std::string(key) + "-data";
    const QString data = text(entry, dataKey.c_str(), problems).simplified().remove(u' ');
    if (!data.isEmpty()) {
        const auto decoded = QByteArray::fromBase64Encoding(data.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
        if (!decoded)
            problems.push_back(problem(entry, dataKey.c_str(), ReaderWords::tr("not valid base64")));
        return decoded ? *decoded : QByteArray();
    }
    const QString path = text(entry, key, problems);
    if (path.isEmpty())
        return {};
    QFile file(absolute(path));
    if (!file.open(QIODevice::ReadOnly)) {
        problems.push_back(problem(entry, key, ReaderWords::tr("%1 cannot be read: %2").arg(file.fileName(), file.errorString())));
        return {};
    }
    QByteArray contents = file.read(4 * 1024 * 1024);
    if (contents.isEmpty())
        problems.push_back(problem(entry, key, ReaderWords::tr("%1 is empty").arg(file.fileName())));
    return contents;
}

void KubeconfigReader::notSupported(const Entry &entry, std::initializer_list<const char *> keys, Problems &problems) const
{
    for (const char *key : keys) {
        const YamlNode *node = isMap(entry.body) ? entry.body->find(key) : nullptr;
        const bool blank = !node || (node->kind == YamlNode::Kind::Scalar && node->text.empty())
            || (node->kind == YamlNode::Kind::List && node->items.empty());
        if (!blank)
            problems.push_back(problem(entry, key, ReaderWords::tr("%1 is not supported by this version").arg(QLatin1StringView(key)),
                                       ErrorKind::NotSupported));
    }
}

Error KubeconfigReader::problem(ErrorKind kind, const YamlNode &at, const std::string &field, const QString &message) const
{
    return Error{.kind = kind, .where = place(m_file, at), .field = field, .message = message.toStdString()};
}

Error KubeconfigReader::problem(const Entry &entry, const char *key, const QString &message, ErrorKind kind) const
{
    std::string name = key;
    const YamlNode *at = isMap(entry.body) ? entry.body->find(name) : nullptr;
    if (!at && isMap(entry.body) && entry.body->find(name + "-data")) {
        name += "-data";
        at = entry.body->find(name);
    }
    if (!at)
        at = entry.body ? entry.body : entry.entry;
    return problem(kind, *at, name.empty() ? entry.field : entry.field + "." + name, message);
}

QString KubeconfigReader::absolute(const QString &path) const
{
    return QDir::cleanPath(m_folder.absoluteFilePath(path));
}

} // namespace switchyard::kube
