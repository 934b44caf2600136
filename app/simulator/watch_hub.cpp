// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/watch_hub.h"

#include "app/simulator/http_server.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace switchyard::simulator {

namespace {

QByteArray line(const char *type, const Json &object)
{
    return QByteArray::fromStdString(Json{{"type", type}, {"object", object}}.dump()) + '\n';
}

} // namespace

bool Selection::matches(const std::string &objectNs, const Json &object) const
{
    const Json &metadata = object.at("metadata");
    if ((!ns.empty() && ns != objectNs) || (!name.empty() && metadata.value("name", std::string()) != name))
        return false;
    if (!reason.empty() && object.value("reason", std::string()) != reason)
        return false;
    if (!involved.empty() && object.value("involvedObject", Json::object()).value("kind", std::string()) != involved)
        return false;
    const Json own = metadata.value("labels", Json::object());
    for (const auto &[key, value] : labels)
        if (value ? own.value(key, std::string()) != *value : !own.contains(key))
            return false;
    return true;
}

WatchHub::WatchHub(ObjectStore &store, QObject *parent)
    : QObject(parent)
    , m_store(store)
{
    m_bookmarkTimer.setInterval(10s);
    connect(&m_bookmarkTimer, &QTimer::timeout, this, &WatchHub::sendBookmarks);
    m_bookmarkTimer.start();
}

void WatchHub::open(HttpConnection *connection, const Selection &selection, const QString &version, bool bookmarks, int timeoutSeconds)
{
    connection->beginStream();
    QByteArray first;
    const qint64 since = version.toLongLong();
    if (since == 0) {
        for (const Object &object : m_store.list(selection.kind, selection.ns))
            if (selection.matches(object->at("metadata").value("namespace", std::string()), *object))
                first += line("ADDED", *object);
    } else if (const auto events = m_store.eventsSince(since)) {
        for (const StoreEvent &event : *events)
            if (event.kind == selection.kind && selection.matches(event.ns, *event.object))
                first += line(event.type, *event.object);
    } else {
        const std::string message = "too old resource version: " + std::to_string(since) + " (" + std::to_string(m_store.oldestVersion())
            + ')';
        connection->sendChunk(line("ERROR", statusBody(410, "Expired", message)));
        connection->endStream();
        return;
    }
    connection->sendChunk(first);
    const quint64 id = ++m_lastId;
    m_watches.append({connection, selection, bookmarks, id});
    connect(connection, &QObject::destroyed, this, [this, id] { m_watches.removeIf([id](const Watch &watch) { return watch.id == id; }); });
    if (timeoutSeconds > 0)
        QTimer::singleShot(std::chrono::seconds(timeoutSeconds), connection, [this, id] { end(id); });
}

void WatchHub::end(quint64 id)
{
    for (qsizetype i = 0; i < m_watches.size(); ++i) {
        if (m_watches[i].id != id)
            continue;
        const Watch watch = m_watches.takeAt(i);
        if (watch.connection)
            watch.connection->endStream();
        return;
    }
}

void WatchHub::publish(const StoreEvent &event)
{
    QByteArray text;
    for (const Watch &watch : std::as_const(m_watches)) {
        if (!watch.connection || watch.selection.kind != event.kind || !watch.selection.matches(event.ns, *event.object))
            continue;
        if (text.isEmpty())
            text = line(event.type, *event.object);
        watch.connection->sendChunk(text);
    }
}

void WatchHub::sendBookmarks()
{
    for (const Watch &watch : std::as_const(m_watches)) {
        if (!watch.bookmarks || !watch.connection)
            continue;
        const KindInfo &info = kindInfo(watch.selection.kind);
        watch.connection->sendChunk(
            line("BOOKMARK",
                 {{"kind", info.kind},
                  {"apiVersion", info.apiVersion},
                  {"metadata", {{"resourceVersion", std::to_string(m_store.version())}, {"creationTimestamp", nullptr}}}}));
    }
}

} // namespace switchyard::simulator
