// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/rights_book.h"

#include <algorithm>

namespace switchyard {

namespace {

constexpr std::chrono::milliseconds crowd{500}, calm{5000}; // after news; while known clusters merely move

} // namespace

RightsBook::RightsBook(Monitor *monitor, RightsTimes times, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_times(times)
{
    m_later.setSingleShot(true);
    connect(&m_later, &QTimer::timeout, this, &RightsBook::update);
    connect(monitor, &Monitor::changed, this, &RightsBook::onChanged);
}

void RightsBook::onChanged(const StoreChanges &changes)
{
    const bool news = !changes.removed.empty() || !changes.contexts.empty()
        || std::any_of(changes.clusters.begin(), changes.clusters.end(), [this](const auto &key) { return !m_known.contains(key); });
    if (!news && changes.clusters.empty())
        return;
    if (!m_later.isActive() || (news && m_later.remainingTimeAsDuration() > crowd))
        m_later.start(news ? crowd : calm);
}

RightsBook::~RightsBook() = default;

Rights *RightsBook::of(const std::string &context) const
{
    const auto found = m_entries.find(context);
    return found == m_entries.end() ? nullptr : found->second.rights.get();
}

void RightsBook::refresh()
{
    for (const auto &[context, entry] : m_entries)
        entry.rights->refresh();
}

void RightsBook::refresh(const QString &context)
{
    if (Rights *rights = of(context.toStdString()))
        rights->refresh();
}

void RightsBook::refused(const std::string &context, const Error &error)
{
    if (Rights *rights = of(context))
        rights->refused(error);
}

void RightsBook::setOpened(const std::optional<patroni::ClusterKey> &key)
{
    m_opened = key;
    update();
}

void RightsBook::update()
{
    const std::vector<Connection *> connections = m_monitor->connections();
    const auto gone = std::erase_if(m_entries, [&](const auto &entry) {
        return std::find(connections.begin(), connections.end(), entry.second.connection.data()) == connections.end();
    });
    for (Connection *connection : connections) {
        Entry &entry = m_entries[connection->context().toStdString()];
        if (!entry.rights)
            open(connection);
        if (const kube::Credential &credential = connection->config().credential; entry.credential != credential) {
            entry.credential = credential;
            entry.rights->refresh();
        }
        entry.rights->setScope(scopeOf(*connection));
    }
    m_known.clear();
    for (const patroni::Cluster *cluster : m_monitor->store().clusters())
        m_known.insert(cluster->names.key);
    if (gone > 0)
        Q_EMIT changed();
}

void RightsBook::open(Connection *connection)
{
    Entry &entry = m_entries[connection->context().toStdString()];
    entry.connection = connection;
    entry.credential = connection->config().credential;
    const QPointer<Connection> alive = connection;
    const auto ask = [alive](const QString &path, const QByteArray &body, QObject *context, kube::Client::Done done) {
        if (alive)
            alive->client()->ask(path, body, context, std::move(done));
    };
    entry.rights.reset(new Rights(ask, kube::Clock{[monitor = m_monitor] { return monitor->now(); }}, m_times, this));
    Rights *rights = entry.rights.get();
    connect(rights, &Rights::changed, connection, [connection, rights] { permitEvents(*connection, *rights); });
    connect(rights, &Rights::changed, this, &RightsBook::changed);
    connect(rights, &Rights::readAllowed, connection, &Connection::relist);
    connect(connection, &Connection::observed, rights, [this, rights](const Observation &o) { observe(rights, o); });
}

// An answer that is not known changes nothing.
void RightsBook::permitEvents(Connection &connection, const Rights &rights)
{
    for (const QString &ns : connection.namespaces()) {
        const auto may = [&](const char *verb) {
            const rules::Right right{rules::RightUse::ReadEvents, verb, {}, std::string(code(Resource::Events)), ns.toStdString(), {}};
            return rules::answerFor(rights.answers(), right).kind;
        };
        const auto list = may("list"), watch = may("watch");
        using Kind = rules::Answer::Kind;
        if (list == Kind::Denied || watch == Kind::Denied)
            connection.setEventsPermitted(ns, false);
        else if (list == Kind::Allowed && watch == Kind::Allowed)
            connection.setEventsPermitted(ns, true);
    }
}

void RightsBook::observe(Rights *rights, const Observation &observation)
{
    if (const auto *lost = std::get_if<Lost>(&observation.what); lost && lost->error.kind == ErrorKind::Forbidden) {
        Error error = lost->error; // as it was asked for, whatever words the server found
        error.ns = observation.ns;
        rights->refused(error);
    } else if (std::holds_alternative<Listed>(observation.what)) {
        rights->reached();
    }
}

rules::RightsScope RightsBook::scopeOf(const Connection &connection) const
{
    rules::RightsScope scope;
    for (const QString &ns : connection.namespaces())
        scope.namespaces.push_back(ns.toStdString());
    const QString own = connection.config().ns;
    scope.ownNamespace = own.isEmpty() ? "default" : own.toStdString();
    for (const NamedCluster &named : connection.options().named) {
        const QString base = named.group ? named.scope + u'-' + *named.group : named.scope;
        scope.named.push_back({named.ns.toStdString(), base.toStdString()});
    }
    scope.bypassApiService = connection.options().bypassApiService;
    scope.leases = connection.options().elections;
    scope.nodes = connection.nodesWanted();
    const std::string context = connection.context().toStdString();
    const patroni::Cluster *opened = m_opened ? m_monitor->store().find(*m_opened) : nullptr;
    if (opened && opened->names.key.context == context) {
        scope.targets.push_back(rules::requestTarget(*opened));
        for (const patroni::Member &member : opened->members)
            scope.pods.push_back({opened->names.key.ns, member.record.name});
    }
    for (const patroni::Cluster *cluster : m_monitor->store().clusters()) {
        if (cluster->names.key.context == context && cluster != opened)
            scope.targets.push_back(rules::requestTarget(*cluster));
    }
    return scope;
}

} // namespace switchyard
