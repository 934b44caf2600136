// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A small Kubernetes API with a memory: objects of several kinds under one resourceVersion, lists by the page, watches from a
// version, users and what they may do - and switches for what can go wrong between it and a client.
#include "fake_api_server.h"

#include <QJsonObject>
#include <QSet>

#include <chrono>
#include <tuple>

namespace switchyard::test {

// Who may not do what. Empty: any.
struct Denial
{
    QString verb{}, resource{}, ns{}, user{};
    int status = 403;
};

class MadeApi : public QObject
{
    Q_OBJECT
public:
    explicit MadeApi(FakeApiServer::Mode mode = FakeApiServer::Mode::Https);
    FakeApiServer server;

    // ---- objects
    struct Id
    {
        QString kind, ns, name; // kind: the plural, "endpoints"
        bool operator<(const Id &o) const { return std::tie(kind, ns, name) < std::tie(o.kind, o.ns, o.name); }
    };
    using Edit = std::function<void(QJsonObject &object)>;
    void put(const Id &id, const Edit &edit); // made or changed: one version, one event
    void erase(const Id &id);
    void eraseNamespace(const QString &ns);
    void replace(const Id &id, const Edit &edit) // deleted, and made again with another uid
    {
        erase(id);
        put(id, edit);
    }
    const QMap<Id, QJsonObject> &objects() const { return m_objects; }
    qint64 version() const { return m_version; }
    void compact();                    // what was before now is forgotten: old versions and continue tokens have expired
    void restore(qint64 lower);        // etcd restored: all objects and the counter have lower versions, nothing is known of before
    void bookmark();                   // to every open watch
    void line(const QByteArray &text); // of anything, to every open watch

    // ---- users: by certificate or token; with tokens, another one or none is 401
    QMap<QByteArray, QString> tokens;
    QList<Denial> denials;
    // ---- answers
    QMap<QString, QStringList> coordination; // of coordination.k8s.io: what each version offers; empty: none is there, and none is asked
    std::chrono::seconds dateOffset{0};      // of the Date header
    qsizetype gzipFrom = -1;                 // answers from this size on are packed, for clients that accept it; -1: none
    qsizetype trickleBy = 0;                 // answers come in pieces of so many bytes, headers too; 0: whole
    std::chrono::milliseconds delay{0};      // before an answer that is not a watch
    bool goaway = false;                     // every answer closes its connection
    enum class Expiry { Status, Event };
    Expiry expiry = Expiry::Event; // how an expired version of a watch is told
    // ---- faults
    std::function<bool(const ExchangePtr &)> intercept;                        // true: it has dealt with the request
    std::function<void(const ExchangePtr &, const QByteArray &line)> transmit; // how a line of a watch is sent; unset: whole
    void freeze();                                                             // the process stands still
    void thaw();
    void halfOpen();   // the connections of now: no byte any more, in either direction, and no end
    void cutWatches(); // all watches: reset
    void endWatches(); // all watches: a clean end
    void rest();       // no fault any more, connections stay as they are

    // ---- what was asked
    QStringList openWatches() const; // "endpoints db" and selectors; sorted
    int requestsSince(qsizetype first) const { return static_cast<int>(server.requests().size() - first); }
    static void gzip(const ExchangePtr &x, const QByteArray &body);
    void drip(const ExchangePtr &x, const QByteArray &line, qsizetype piece); // for `transmit`: in pieces, in order
    static QByteArray json(const QJsonObject &object);
    static void trickle(const ExchangePtr &x, const QByteArray &bytes, qsizetype piece);

private:
    struct Target
    {
        QString kind, ns, name;
    };
    struct Change
    {
        qint64 version = 0;
        Id id;
        QJsonObject before, after; // empty: not there
    };
    struct Stream
    {
        ExchangePtr exchange;
        Target target;
        bool metadataOnly = false;
    };
    void handle(const ExchangePtr &x);
    void route(const ExchangePtr &x);
    bool coordinates(const ExchangePtr &x, const QStringList &parts);
    bool refuse(const ExchangePtr &x, const Target &target);
    QString userOf(const Request &request) const;
    bool denied(const QString &verb, const QString &resource, const QString &ns, const QString &user, int *status) const;
    void list(const ExchangePtr &x, const Target &target);
    void get(const ExchangePtr &x, const Target &target);
    void watch(const ExchangePtr &x, const Target &target);
    void review(const ExchangePtr &x);
    void answer(const ExchangePtr &x, int status, const QByteArray &body);
    void note(const Id &id, const QJsonObject &before, const QJsonObject &after);
    void tell(const Stream &stream, const Change &change);
    void send(const Stream &stream, const QByteArray &line);
    static bool matches(const Request &request, const Target &target, const Id &id, const QJsonObject &object);

    QMap<Id, QJsonObject> m_objects;
    QList<Change> m_changes;
    qint64 m_version = 1000, m_compacted = 0, m_nextUid = 0;
    QList<Stream> m_streams;
    QSet<int> m_dead; // connections
    bool m_frozen = false;
    QList<std::pair<Stream, QByteArray>> m_held; // while frozen
    struct Rest
    {
        QList<QJsonObject> items;
        qint64 version = 0;
    };
    QMap<QString, Rest> m_rests; // by continue token
    int m_nextToken = 0;
    QList<std::pair<ExchangePtr, QByteArray>> m_drips;
};

} // namespace switchyard::test
