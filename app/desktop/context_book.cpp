// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/context_book.h"

#include "app/desktop/context_rows.h"
#include "views/words.h"

#include <QFileInfo>
#include <QTimer>

#include <algorithm>

namespace switchyard::desktop {

using namespace Qt::StringLiterals;

namespace {

using views::text;

QString describeAll(const std::vector<Error> &errors)
{
    QStringList lines;
    for (const Error &error : errors)
        lines.append(text(describe(error)));
    return lines.join(u'\n');
}

} // namespace

ContextBook::ContextBook(BookOptions options, Monitor *monitor, Settings *settings, std::shared_ptr<kube::ExecTrust> trust, bool mayAsk,
                         QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_monitor(monitor)
    , m_settings(settings)
    , m_trust(std::move(trust))
{
    connect(&m_watcher, &kube::KubeconfigWatcher::changed, this, &ContextBook::reload);
    if (m_trust) {
        m_options.connection.execPool = std::make_shared<kube::ExecPool>(m_trust);
        if (mayAsk)
            m_trust->setAsk([this](const kube::ExecQuestion &question, auto answer) { ask(question, std::move(answer)); });
    }
}

ContextBook::~ContextBook()
{
    if (m_trust)
        m_trust->setAsk({});
}

void ContextBook::start()
{
    m_around = kube::surroundings();
    m_places = kube::kubeconfigPlaces(m_options.kubeconfig, m_around.kubeconfig, m_around.home);
    const auto config = read();
    if (!config) {
        const bool none = std::none_of(m_places.files.begin(), m_places.files.end(), [](const QString &f) { return QFileInfo::exists(f); });
        m_fileNotice = none && !m_places.explicitFile
            ? tr("There is no kubeconfig at %1.\nStart with --kubeconfig FILE, set KUBECONFIG, or try --demo.")
                  .arg(m_places.files.join(u", "_s))
            : text(describe(config.error())) + u'\n' + tr("Mend the file, start with --kubeconfig FILE, or try --demo.");
        Q_EMIT changed();
        return;
    }
    take(*config);
    openFirst(*config);
}

// A file that is missing or cannot be read is watched too: it may be made or mended. Watched before they are read, else a change in
// between would never be told; files that are named for the first time are read once more for that.
Result<kube::Kubeconfig> ContextBook::read()
{
    m_watcher.alsoWatch(m_places.files);
    auto config = kube::findKubeconfig(m_options.kubeconfig, m_around, m_options.overrides);
    if (config && m_watcher.watch(*config))
        config = kube::findKubeconfig(m_options.kubeconfig, m_around, m_options.overrides);
    if (!config)
        m_watcher.watchFiles(m_places.files);
    return config;
}

void ContextBook::use(const kube::Kubeconfig &config, const QStringList &namespaces)
{
    m_options.namespaces = namespaces;
    take(config);
    openFirst(config);
}

void ContextBook::reload()
{
    const auto config = read();
    if (!config) {
        m_fileNotice = tr("The changed kubeconfig cannot be read; the contexts go on as they were. %1").arg(text(describe(config.error())));
        Q_EMIT changed();
        return;
    }
    const bool first = m_entries.empty();
    take(*config);
    if (first)
        openFirst(*config);
}

// New contexts appear, changed ones go on or are opened anew, missing ones are marked.
void ContextBook::take(const kube::Kubeconfig &config)
{
    m_fileProblems = config.problems;
    m_fileNotice = describeAll(config.problems);
    const QString silent = halfWritten(config);
    if (!silent.isEmpty())
        m_fileNotice = QStringList{m_fileNotice,
                                   tr("%1 says nothing now; the contexts go on as they were until it does, or is deleted.").arg(silent)}
                           .join(u'\n')
                           .trimmed();
    else
        m_current = config.currentContext;
    for (auto &[name, entry] : m_entries) {
        entry.shown.reset();
        if (silent.isEmpty())
            entry.vanished = !config.find(name) && !unreadable(entry.config.file);
    }
    for (const kube::ContextConfig &context : config.contexts) {
        const auto known = m_entries.find(context.name);
        if (known != m_entries.end() && silent.isEmpty())
            replaceConfig(known->second, context);
        else if (known == m_entries.end())
            m_entries.emplace(context.name, Entry{context, m_settings->context(context.name, context.server), false, false});
    }
    Q_EMIT changed();
}

// Its clusters, users and contexts come before those of later files: without it, a context may lead to another cluster of the same
// name. So nothing that is known changes while a file is being written.
QString ContextBook::halfWritten(const kube::Kubeconfig &config)
{
    for (const QString &file : config.silent) {
        if (m_spoke.contains(file))
            return file;
    }
    m_spoke = config.files;
    m_spoke.removeIf([&](const QString &file) { return config.silent.contains(file) || !QFileInfo::exists(file); });
    return {};
}

bool ContextBook::unreadable(const QString &file) const
{
    return std::any_of(m_fileProblems.begin(), m_fileProblems.end(),
                       [&](const Error &problem) { return !file.isEmpty() && text(problem.where).startsWith(file); });
}

void ContextBook::replaceConfig(Entry &entry, const kube::ContextConfig &config)
{
    if (entry.config == config)
        return;
    const bool moved = entry.config.server != config.server;
    const bool wasMeant = meant(entry.config);
    entry.config = config;
    entry.shown.reset();
    if (wasMeant && !meant(config) && m_options.namesOne())
        m_askedNotice = tr("%1 leads to another cluster now; the flags of the command line are not used for it any more.").arg(config.name);
    if (moved)
        entry.choice = m_settings->context(config.name, config.server); // another server: none of the old one's marks
    Connection *connection = m_monitor->connection(config.name);
    if (!connection || !config.usable()) // half a change: the connection goes on as it was, the row says what is wrong
        return;
    if (!connection->update(flagged(config)))
        openEntry(entry);
}

QStringList ContextBook::namespacesOf(const Entry &entry) const
{
    return entry.byHand || m_options.namespaces.isEmpty() ? entry.choice.namespaces : m_options.namespaces;
}

// The command line's token and servers are for the clusters that its contexts led to, not for contexts that are opened by hand later.
bool ContextBook::meant(const kube::ContextConfig &config) const
{
    const auto named = m_named.find(config.name);
    return named != m_named.end() && named->second.server == config.server && named->second.name == config.clusterName;
}

kube::ContextConfig ContextBook::flagged(const kube::ContextConfig &config) const
{
    return meant(config) ? kube::withOverrides(config, m_options.overrides) : config;
}

void ContextBook::openEntry(const Entry &entry)
{
    if (m_monitor->connection(entry.config.name) && busy(entry.config.name))
        return openLater(entry.config.name);
    ConnectionOptions options = m_options.connection;
    options.namespaces = namespacesOf(entry);
    if (!meant(entry.config)) {
        options.apiServers.clear();
        options.bypassApiService = false;
        options.named.clear();
    }
    m_later.erase(entry.config.name);
    m_monitor->open(flagged(entry.config), options);
}

void ContextBook::openLater(const QString &context)
{
    if (!m_later.insert(context).second)
        return;
    QTimer::singleShot(1000, this, [this, context] {
        if (m_later.erase(context) == 0)
            return; // opened anew meanwhile
        const auto found = m_entries.find(context);
        if (found != m_entries.end() && m_monitor->connection(context))
            openEntry(found->second);
    });
}

void ContextBook::openFirst(const kube::Kubeconfig &config)
{
    QStringList wanted = m_options.contexts;
    const bool chosen = wanted.isEmpty() && !m_options.namesOne(); // what is opened is the user's choice of last time
    if (chosen) {
        for (const auto &[name, entry] : m_entries)
            if (entry.choice.open && entry.config.usable())
                wanted << name;
    }
    if (wanted.isEmpty())
        wanted << config.currentContext;
    m_named.clear();
    QStringList notices;
    for (const QString &name : wanted) {
        const auto found = m_entries.find(name);
        if (found == m_entries.end()) {
            const QString files = config.files.join(u", "_s);
            notices.append(name.isEmpty()
                               ? tr("%1 names no current context. Choose one on the page Contexts, or start with --context.").arg(files)
                               : tr("%1 has no context %2.").arg(files, name));
            continue;
        }
        m_named[name] = {found->second.config.server, found->second.config.clusterName};
        found->second.shown.reset();
        if (const auto problems = flagged(found->second.config).problems; !problems.empty())
            notices.append(describeAll(problems));
        if (flagged(found->second.config).usable())
            openEntry(found->second);
    }
    m_askedNotice = notices.join(u'\n');
    if (chosen && m_entries.contains(config.currentContext) && m_monitor->connection(config.currentContext))
        remember({config.currentContext});
    Q_EMIT changed();
}

void ContextBook::open(const QStringList &contexts)
{
    for (const QString &name : contexts) {
        const auto found = m_entries.find(name);
        if (found != m_entries.end() && found->second.config.usable() && !found->second.vanished && !m_monitor->connection(name))
            openEntry(found->second);
    }
    m_askedNotice.clear();
    remember(contexts);
    Q_EMIT changed();
}

void ContextBook::close(const QStringList &contexts)
{
    QStringList kept;
    for (const QString &name : contexts) {
        if (busy(name))
            kept << name;
        else
            m_monitor->close(name);
    }
    m_askedNotice = kept.isEmpty()
        ? QString()
        : tr("%1 was not closed: the answer to a write is awaited. Close it again in a moment.").arg(kept.join(u", "_s));
    remember(contexts);
    Q_EMIT changed();
}

void ContextBook::again(const QStringList &contexts)
{
    if (m_trust)
        m_trust->forgetRefusals();
    for (const QString &name : contexts) {
        const auto found = m_entries.find(name);
        if (found == m_entries.end())
            continue;
        const auto states = m_monitor->store().contexts();
        const bool live = std::any_of(states.begin(), states.end(), [&](const ContextState &state) {
            return text(state.context) == name && state.freshness == patroni::Freshness::Live;
        });
        Connection *connection = m_monitor->connection(name);
        if (connection && live)
            connection->relist();
        else if (found->second.config.usable())
            openEntry(found->second);
    }
    if (!m_places.files.isEmpty())
        reload(); // a file mended meanwhile
    Q_EMIT changed();
}

template<class What>
void ContextBook::change(const QStringList &contexts, What what)
{
    for (const QString &name : contexts) {
        const auto found = m_entries.find(name);
        if (found == m_entries.end())
            continue;
        what(found->second);
        m_settings->setContext(name, found->second.config.server, found->second.choice);
    }
    Q_EMIT changed();
}

void ContextBook::setNamespaces(const QStringList &contexts, const QStringList &namespaces)
{
    change(contexts, [&](Entry &entry) {
        entry.choice.namespaces = namespaces;
        entry.byHand = true;
        if (m_monitor->connection(entry.config.name))
            openEntry(entry);
    });
}

void ContextBook::setFavourite(const QStringList &contexts, bool favourite)
{
    change(contexts, [favourite](Entry &entry) { entry.choice.favourite = favourite; });
}

void ContextBook::setAlias(const QString &context, const QString &alias)
{
    change({context}, [&alias](Entry &entry) { entry.choice.alias = alias; });
}

void ContextBook::setColour(const QStringList &contexts, const QString &colour)
{
    change(contexts, [&colour](Entry &entry) { entry.choice.colour = colour; });
}

void ContextBook::setReadOnly(const QStringList &contexts, bool readOnly)
{
    change(contexts, [readOnly](Entry &entry) { entry.choice.readOnly = readOnly; });
}

void ContextBook::setProtected(const QStringList &contexts, bool isProtected)
{
    change(contexts, [isProtected](Entry &entry) { entry.choice.isProtected = isProtected; });
}

ContextGuard ContextBook::guard(const QString &context) const
{
    const auto found = m_entries.find(context);
    return found == m_entries.end() ? ContextGuard() : ContextGuard{found->second.choice.readOnly, found->second.choice.isProtected};
}

void ContextBook::remember(const QStringList &contexts)
{
    for (const QString &name : contexts) {
        const auto found = m_entries.find(name);
        if (found == m_entries.end())
            continue;
        Entry &entry = found->second;
        const bool open = m_monitor->connection(name) != nullptr;
        if (open == entry.choice.open)
            continue;
        entry.choice.open = open;
        m_settings->setContext(name, entry.config.server, entry.choice);
    }
}

std::vector<items::ContextRow> ContextBook::rows() const
{
    const auto states = m_monitor->store().contexts();
    std::map<QString, const ContextState *> stateOf;
    for (const ContextState &state : states)
        stateOf.emplace(text(state.context), &state);
    std::map<QString, const Connection *> connectionOf;
    for (const Connection *connection : m_monitor->connections())
        connectionOf.emplace(connection->context(), connection);
    std::vector<items::ContextRow> rows;
    rows.reserve(m_entries.size());
    for (const auto &[name, entry] : m_entries) {
        ContextFacts facts;
        if (!entry.shown)
            entry.shown = flagged(entry.config);
        facts.config = &*entry.shown;
        facts.choice = entry.choice;
        facts.current = name == m_current;
        facts.vanished = entry.vanished;
        facts.namespaces = namespacesOf(entry);
        facts.byHand = entry.byHand || (m_options.namespaces.isEmpty() && !facts.namespaces.isEmpty());
        if (facts.namespaces.isEmpty())
            facts.namespaces = {entry.shown->ns.isEmpty() ? u"default"_s : entry.shown->ns};
        const auto connection = connectionOf.find(name);
        facts.connection = connection == connectionOf.end() ? nullptr : connection->second;
        facts.question = facts.connection ? questionOf(entry) : QString();
        const auto state = stateOf.find(name);
        facts.state = state == stateOf.end() ? nullptr : state->second;
        rows.push_back(rowOf(facts));
    }
    return rows;
}

QString ContextBook::notice() const
{
    QStringList notices{m_fileNotice, m_askedNotice};
    notices.removeAll(QString());
    return notices.join(u'\n');
}

QString ContextBook::questionOf(const Entry &entry) const
{
    for (const auto &[hash, pending] : m_questions) {
        const auto &q = pending.question;
        if (q.context == entry.config.name || (q.user == entry.config.credential.userName && q.file == entry.config.file))
            return q.program.isEmpty() ? tr("a program for its credential") : q.program; // its arguments may hold a secret
    }
    return {};
}

// Two contexts may ask about the same command: it is one question.
void ContextBook::ask(const kube::ExecQuestion &question, std::function<void(kube::ExecTrust::Answer)> answer)
{
    Pending &pending = m_questions[question.hash];
    pending.waiting.push_back(std::move(answer));
    if (pending.waiting.size() > 1)
        return;
    pending.question = question;
    Q_EMIT asked(question.hash);
    Q_EMIT changed();
}

void ContextBook::answer(const QString &hash, kube::ExecTrust::Answer answer)
{
    const auto found = m_questions.find(hash);
    if (found == m_questions.end())
        return;
    const Pending pending = std::move(found->second);
    m_questions.erase(found);
    for (const auto &waiting : pending.waiting)
        waiting(answer);
    Q_EMIT changed();
}

const kube::ExecQuestion *ContextBook::question(const QString &hash) const
{
    const auto found = m_questions.find(hash);
    return found == m_questions.end() ? nullptr : &found->second.question;
}

} // namespace switchyard::desktop
