// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Open watches: each gets the store's changes it asked for as they happen, a bookmark now and then, and a clean end in time.
#include "app/simulator/object_store.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace switchyard::simulator {

class HttpConnection;

struct Selection
{
    Kind kind{};
    std::string ns, name;                                                   // empty: all
    std::vector<std::pair<std::string, std::optional<std::string>>> labels; // nullopt: any value, as long as it is there
    std::string reason{}, involved{};                                       // of Events: their reason, the kind of their object
    bool matches(const std::string &objectNs, const Json &object) const;
};

class WatchHub : public QObject
{
    Q_OBJECT
public:
    explicit WatchHub(ObjectStore &store, QObject *parent = nullptr);
    // Starts streaming on the connection: first what happened after `version` (empty or "0": what exists now), then live.
    void open(HttpConnection *connection, const Selection &selection, const QString &version, bool bookmarks, int timeoutSeconds);
    void publish(const StoreEvent &event);
    void sendBookmarks();
    qsizetype count() const { return m_watches.size(); }

private:
    struct Watch
    {
        QPointer<HttpConnection> connection;
        Selection selection;
        bool bookmarks;
        quint64 id;
    };
    void end(quint64 id);

    ObjectStore &m_store;
    QList<Watch> m_watches;
    QTimer m_bookmarkTimer;
    quint64 m_lastId = 0;
};

} // namespace switchyard::simulator
