// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig_reader.h"

#include "app/kube/token.h"

#include <QCoreApplication>
#include <QUrl>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct ReaderWords
{
    Q_DECLARE_TR_FUNCTIONS(ReaderWords)
};

void append(std::vector<Error> &to, const std::vector<Error> &more)
{
    to.insert(to.end(), more.begin(), more.end());
}

} // namespace

KubeconfigReader::KubeconfigReader(const std::vector<KubeconfigFile> &files)
    : m_files(files)
{}

Kubeconfig KubeconfigReader::read()
{
    Kubeconfig out;
    m_clusters = entries("clusters", "cluster");
    m_users = entries("users", "user");
    const Entries contexts = entries("contexts", "context");
    out.contexts.reserve(contexts.list.size());
    for (const Entry &context : contexts.list)
        out.contexts.push_back(readContext(context));
    if (out.contexts.empty() && !m_files.empty()) {
        const KubeconfigFile &first = m_files.front();
        Fields(first, {}, &first.root, first.root, m_problems)
            .report("contexts", m_files.size() > 1 ? ReaderWords::tr("no file has contexts") : ReaderWords::tr("the file has no contexts"));
    }
    readCurrentContext(out);
    out.problems = m_problems;
    return out;
}

KubeconfigReader::Entries KubeconfigReader::entries(const char *list, const char *inner)
{
    Entries out;
    for (const KubeconfigFile &file : m_files)
        addEntries(file, list, inner, out);
    return out;
}

// A missing list and a null list are empty lists; an entry without a name is named as a defect and skipped. Whole entries are
// taken from the first file that has the name; twice in one file is a defect (kubectl refuses the whole file).
void KubeconfigReader::addEntries(const KubeconfigFile &file, const char *list, const char *inner, Entries &out)
{
    const YamlNode *node = file.root.find(list);
    const Fields root(file, {}, &file.root, file.root, m_problems);
    if (node && node->kind != YamlNode::Kind::List) {
        root.report(list, ReaderWords::tr("a list is expected here"));
        return;
    }
    for (std::size_t i = 0; node && i < node->items.size(); ++i) {
        const YamlNode &item = node->items[i];
        const std::string field = std::string(list) + "[" + std::to_string(i) + "]";
        const YamlNode *name = item.find("name");
        if (!name || name->kind != YamlNode::Kind::Scalar || name->text.empty()) {
            Fields(file, field, &item, *node, m_problems).report("name", ReaderWords::tr("this entry has no name"));
            continue;
        }
        const Entry entry{.name = QString::fromStdString(name->text),
                          .field = field + "." + inner,
                          .file = &file,
                          .entry = &item,
                          .body = item.find(inner)};
        if (const auto known = out.byName.constFind(entry.name); known != out.byName.constEnd()) {
            Entry &other = out.list[*known];
            other.twice = other.twice || other.file == entry.file;
            continue;
        }
        out.byName.insert(entry.name, out.list.size());
        out.list.push_back(entry);
    }
}

Fields KubeconfigReader::fieldsOf(const Entry &entry, Problems &problems)
{
    return Fields(*entry.file, entry.field, entry.body, *entry.entry, problems);
}

ContextConfig KubeconfigReader::readContext(const Entry &context)
{
    ContextConfig config;
    config.name = context.name;
    config.file = context.file->path;
    const Fields fields = fieldsOf(context, config.problems);
    if (context.twice)
        fields.report("", ReaderWords::tr("two contexts have this name"));
    if (context.body && !fields.map()) {
        fields.report("", ReaderWords::tr("named fields are expected here"));
        return config;
    }
    config.ns = fields.text("namespace");
    const Entry *clusterEntry = resolve(fields, "cluster", m_clusters, config.problems);
    const Entry *userEntry = resolve(fields, "user", m_users, config.problems);
    if (clusterEntry) {
        const ClusterPart &part = cluster(*clusterEntry);
        config.clusterName = part.name;
        config.server = part.server;
        config.caPem = part.caPem;
        config.caFile = part.caFile;
        config.insecureSkipTlsVerify = part.insecureSkipTlsVerify;
        config.tlsServerName = part.tlsServerName;
        config.proxyUrl = part.proxyUrl;
        config.disableCompression = part.disableCompression;
        append(config.problems, part.problems);
    } else if (fields.blank("cluster")) {
        fields.report("cluster", ReaderWords::tr("the context names no cluster"));
    }
    if (!userEntry)
        return config;
    const UserPart &part = user(*userEntry);
    config.credential = part.credential;
    config.impersonation = part.impersonation;
    append(config.problems, part.problems);
    if (config.credential.exec && clusterEntry)
        config.credential.exec->clusterConfig = cluster(*clusterEntry).execClusterConfig;
    if (!part.method.empty() && !config.server.isEmpty() && !mayCarryToken(QUrl(config.server)))
        fieldsOf(*userEntry, config.problems)
            .report(part.method, ReaderWords::tr("the credential is not sent, because the connection is not encrypted"),
                    ErrorKind::Refused);
    return config;
}

const KubeconfigReader::Entry *KubeconfigReader::resolve(const Fields &context, const char *what, const Entries &among,
                                                         Problems &problems) const
{
    const QString name = context.text(what);
    if (name.isEmpty())
        return nullptr;
    const auto found = among.byName.constFind(name);
    if (found == among.byName.constEnd()) {
        context.report(what, ReaderWords::tr("there is no entry with the name \"%1\"").arg(name));
        return nullptr;
    }
    const Entry &entry = among.list[*found];
    if (entry.twice)
        context.report(what, ReaderWords::tr("two entries have the name \"%1\"").arg(name));
    else if (const Fields fields = fieldsOf(entry, problems); entry.body && !fields.map())
        fields.report("", ReaderWords::tr("named fields are expected here"));
    return &entry;
}

const ClusterPart &KubeconfigReader::cluster(const Entry &entry)
{
    const auto [at, fresh] = m_clusterParts.try_emplace(&entry);
    if (fresh) {
        at->second.name = entry.name;
        readCluster(fieldsOf(entry, at->second.problems), at->second);
    }
    return at->second;
}

const UserPart &KubeconfigReader::user(const Entry &entry)
{
    const auto [at, fresh] = m_userParts.try_emplace(&entry);
    if (fresh) {
        at->second.credential.userName = entry.name;
        readUser(fieldsOf(entry, at->second.problems), at->second);
    }
    return at->second;
}

// The first file that names one. A missing current-context is no defect: a context can be named by hand. Another host is never
// guessed.
void KubeconfigReader::readCurrentContext(Kubeconfig &out)
{
    for (const KubeconfigFile &file : m_files) {
        const Fields root(file, {}, &file.root, file.root, m_problems);
        out.currentContext = root.text("current-context");
        if (out.currentContext.isEmpty())
            continue;
        if (!out.find(out.currentContext))
            root.report("current-context", ReaderWords::tr("there is no context with the name \"%1\"").arg(out.currentContext));
        return;
    }
}

} // namespace switchyard::kube
