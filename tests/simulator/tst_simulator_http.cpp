// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/api_server.h"
#include "app/simulator/simulator.h"
#include "tests/support/patience.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>

using namespace switchyard::simulator;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

struct Reply
{
    int code = 0;
    Json body;
    QByteArray raw;
};

// A client as the program is one.
class Client
{
public:
    Client(QString server, QByteArray token)
        : m_server(std::move(server))
        , m_token(std::move(token))
    {}
    QNetworkRequest request(const QString &path, const QByteArray &type = {}) const
    {
        QNetworkRequest request(QUrl(m_server + path));
        request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
        request.setRawHeader("Authorization", "Bearer " + m_token);
        if (!type.isEmpty())
            request.setHeader(QNetworkRequest::ContentTypeHeader, type);
        return request;
    }
    Reply send(const QByteArray &verb, const QString &path, const QByteArray &body = {},
               const QByteArray &type = "application/merge-patch+json")
    {
        const std::unique_ptr<QNetworkReply> reply(verb == "GET" ? m_manager.get(request(path))
                                                                 : m_manager.sendCustomRequest(request(path, type), verb, body));
        if (!QTest::qWaitFor([&] { return reply->isFinished(); }, 30000))
            return {};
        const QByteArray raw = reply->readAll();
        return {reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), Json::parse(raw.toStdString(), nullptr, false), raw};
    }
    Reply get(const QString &path) { return send("GET", path); }
    std::unique_ptr<QNetworkReply> stream(const QString &path) { return std::unique_ptr<QNetworkReply>(m_manager.get(request(path))); }

private:
    QNetworkAccessManager m_manager;
    QString m_server;
    QByteArray m_token;
};

// A server over a store, without clusters.
struct Server
{
    explicit Server(std::size_t logSize = 4000)
        : store(1, logSize)
        , api(store, "secret", [] { return SimTime(1925000000s); })
    {
        store.create(Kind::Namespaces, {}, {{"metadata", {{"name", "demo"}}}}, {});
        store.create(Kind::Namespaces, {}, {{"metadata", {{"name", "kube-system"}}}}, {});
        QString error;
        if (!api.http().listen(&error))
            qFatal("%s", qPrintable(error));
    }
    void add(const char *name, Kind kind = Kind::Endpoints, const char *ns = "demo")
    {
        store.create(kind, ns, {{"metadata", {{"name", name}, {"labels", {{"cluster-name", "alpha"}}}}}}, {});
    }
    QString url() { return u"http://127.0.0.1:%1"_s.arg(api.http().port()); }
    ObjectStore store;
    ApiServer api;
};

QList<Json> documents(const QByteArray &bytes)
{
    QList<Json> result;
    for (const QByteArray &line : bytes.split('\n'))
        if (!line.isEmpty())
            result.append(Json::parse(line.toStdString(), nullptr, false));
    return result;
}

std::string reason(const Reply &reply)
{
    return reply.body.is_object() ? reply.body.value("reason", std::string()) : std::string("no JSON");
}

const auto failoverPath = u"/api/v1/namespaces/demo/endpoints/alpha-failover"_s;

} // namespace

class TestSimulatorHttp : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answers_data()
    {
        QTest::addColumn<QByteArray>("verb");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("why");
        const auto row = [](const char *name, const char *verb, const char *path, const char *body, int code, const char *why) {
            QTest::newRow(name) << QByteArray(verb) << QString::fromLatin1(path) << QByteArray(body) << code << QString::fromLatin1(why);
        };
        row("version", "GET", "/version", "", 200, "");
        row("namespace", "GET", "/api/v1/namespaces/kube-system", "", 200, "");
        row("list", "GET", "/api/v1/namespaces/demo/endpoints", "", 200, "");
        row("list of all namespaces", "GET", "/api/v1/pods", "", 200, "");
        row("leases", "GET", "/apis/coordination.k8s.io/v1/leases", "", 200, "");
        row("by name", "GET", "/api/v1/namespaces/demo/endpoints/alpha", "", 200, "");
        row("missing", "GET", "/api/v1/namespaces/demo/endpoints/ghost", "", 404, "NotFound");
        row("unknown resource", "GET", "/api/v1/namespaces/demo/secrets", "", 404, "NotFound");
        row("no such path", "GET", "/", "", 404, "NotFound");
        row("delete", "DELETE", "/api/v1/namespaces/demo/endpoints/alpha", "", 405, "MethodNotAllowed");
        row("put", "PUT", "/api/v1/namespaces/demo/endpoints/alpha-failover", "{}", 405, "MethodNotAllowed");
        row("patch of the leader object", "PATCH", "/api/v1/namespaces/demo/endpoints/alpha", "{}", 403, "Forbidden");
        row("patch of a sync object", "PATCH", "/api/v1/namespaces/demo/endpoints/alpha-sync", "{}", 403, "Forbidden");
        row("patch of a Pod", "PATCH", "/api/v1/namespaces/demo/pods/alpha-0", "{}", 403, "Forbidden");
        row("patch of a missing object", "PATCH", "/api/v1/namespaces/demo/endpoints/ghost-failover", "{}", 404, "NotFound");
        row("patch that is no JSON", "PATCH", "/api/v1/namespaces/demo/endpoints/alpha-failover", "{", 400, "BadRequest");
        row("create of another's object", "POST", "/api/v1/namespaces/demo/endpoints", R"({"metadata":{"name":"alpha-leader"}})", 403,
            "Forbidden");
        row("create that exists", "POST", "/api/v1/namespaces/demo/endpoints", R"({"metadata":{"name":"alpha-failover"}})", 409,
            "AlreadyExists");
        row("create", "POST", "/api/v1/namespaces/demo/configmaps", R"({"kind":"ConfigMap","metadata":{"name":"beta-failover"}})", 201, "");
        row("create of the wrong kind", "POST", "/api/v1/namespaces/demo/endpoints",
            R"({"kind":"ConfigMap","metadata":{"name":"beta-failover"}})", 400, "BadRequest");
    }
    void answers()
    {
        QFETCH(QByteArray, verb);
        QFETCH(QString, path);
        QFETCH(QByteArray, body);
        QFETCH(int, code);
        QFETCH(QString, why);
        Server server;
        for (const char *name : {"alpha", "alpha-failover", "alpha-sync"})
            server.add(name);
        server.add("alpha-0", Kind::Pods);
        Client client(server.url(), "secret");
        const Reply reply = client.send(verb, path, body);
        QCOMPARE(reply.code, code);
        QVERIFY2(reply.body.is_object(), reply.raw.constData());
        if (code >= 400) {
            QCOMPARE(reply.body["kind"].get<std::string>(), std::string("Status"));
            QCOMPARE(reply.body["code"].get<int>(), code);
            QCOMPARE(reason(reply), why.toStdString());
        }
    }

    void tokenIsChecked()
    {
        Server server;
        Client client(server.url(), "wrong");
        const Reply reply = client.get(u"/version"_s);
        QCOMPARE(reply.code, 401);
        QCOMPARE(reason(reply), std::string("Unauthorized"));
    }

    void patchTypes()
    {
        Server server;
        server.add("alpha-failover");
        Client client(server.url(), "secret");
        const QByteArray body = R"({"metadata":{"annotations":{"leader":"alpha-0"}}})";
        QCOMPARE(client.send("PATCH", failoverPath, body, "application/merge-patch+json").code, 200);
        QCOMPARE(client.send("PATCH", failoverPath, body, "application/strategic-merge-patch+json; charset=utf-8").code, 200);
        QCOMPARE(client.send("PATCH", failoverPath, body, "application/json-patch+json").code, 415);
    }

    void lateWriteIsAConflict()
    {
        Server server;
        server.add("alpha-failover");
        Client client(server.url(), "secret");
        const std::string version = client.get(failoverPath).body["metadata"]["resourceVersion"];
        const auto body = [&version](const char *leader) {
            return QByteArray::fromStdString(
                Json{{"metadata", {{"resourceVersion", version}, {"annotations", {{"leader", leader}}}}}}.dump());
        };
        QCOMPARE(client.send("PATCH", failoverPath, body("alpha-0")).code, 200);
        const Reply late = client.send("PATCH", failoverPath, body("alpha-1"));
        QCOMPARE(late.code, 409);
        QCOMPARE(reason(late), std::string("Conflict"));
    }

    void accessReview_data()
    {
        QTest::addColumn<QByteArray>("attributes");
        QTest::addColumn<bool>("allowed");
        QTest::newRow("watch") << QByteArray(R"({"verb":"watch","resource":"endpoints","namespace":"demo"})") << true;
        QTest::newRow("patch failover") << QByteArray(R"({"verb":"patch","resource":"endpoints","name":"alpha-failover"})") << true;
        QTest::newRow("patch leader") << QByteArray(R"({"verb":"patch","resource":"endpoints","name":"alpha"})") << false;
        QTest::newRow("create") << QByteArray(R"({"verb":"create","resource":"configmaps"})") << true;
        QTest::newRow("patch Pods") << QByteArray(R"({"verb":"patch","resource":"pods"})") << false;
        QTest::newRow("Pod logs") << QByteArray(R"({"verb":"get","resource":"pods","subresource":"log"})") << true;
        QTest::newRow("secrets") << QByteArray(R"({"verb":"get","resource":"secrets"})") << false;
    }
    void accessReview()
    {
        QFETCH(QByteArray, attributes);
        QFETCH(bool, allowed);
        Server server;
        Client client(server.url(), "secret");
        const QByteArray body = "{\"spec\":{\"resourceAttributes\":" + attributes + "}}";
        const Reply reply = client.send("POST", u"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"_s, body, "application/json");
        QCOMPARE(reply.code, 201);
        QCOMPARE(reply.body["status"]["allowed"].get<bool>(), allowed);
    }

    void pagesAreOneSnapshot()
    {
        Server server;
        for (const char *name : {"a", "b", "c", "d", "e"})
            server.add(name);
        Client client(server.url(), "secret");
        const auto path = u"/api/v1/namespaces/demo/endpoints?limit=2"_s;
        Reply page = client.get(path);
        const std::string version = page.body["metadata"]["resourceVersion"];
        QCOMPARE(page.body["metadata"]["remainingItemCount"].get<int>(), 3);
        QCOMPARE(page.body["kind"].get<std::string>(), std::string("EndpointsList"));
        QVERIFY(!page.body["items"][0].contains("kind"));
        server.store.remove(Kind::Endpoints, "demo", "c");
        std::string names;
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(page.body["metadata"]["resourceVersion"].get<std::string>(), version);
            for (const Json &item : page.body["items"])
                names += item["metadata"]["name"].get<std::string>();
            if (page.body["metadata"].contains("continue"))
                page = client.get(path + u"&continue="_s + QString::fromStdString(page.body["metadata"]["continue"].get<std::string>()));
        }
        QCOMPARE(names, std::string("abcde"));
        QVERIFY(!page.body["metadata"].contains("continue"));
        QCOMPARE(client.get(path + u"&continue=OTk5OjI"_s).code, 410);
    }

    void selectors()
    {
        Server server;
        server.add("a");
        server.add("b");
        server.store.patch(Kind::Endpoints, "demo", "b", {{"metadata", {{"labels", {{"cluster-name", "beta"}}}}}});
        Client client(server.url(), "secret");
        QCOMPARE(client.get(u"/api/v1/endpoints?labelSelector=cluster-name%3Dbeta"_s).body["items"].size(), std::size_t{1});
        QCOMPARE(client.get(u"/api/v1/endpoints?fieldSelector=metadata.name%3Da"_s).body["items"][0]["metadata"]["name"].get<std::string>(),
                 std::string("a"));
    }

    void watchStreamsChangesOfItsOwnKindAndNamespace()
    {
        Server server;
        server.add("a");
        const QString since = QString::number(server.store.version());
        server.add("b");
        Client client(server.url(), "secret");
        const auto reply = client.stream(u"/api/v1/namespaces/demo/endpoints?watch=true&allowWatchBookmarks=true&resourceVersion="_s
                                         + since);
        QByteArray seen;
        const auto lines = [&] { return documents(seen += reply->readAll()).size(); };
        QTRY_COMPARE(lines(), 1);
        server.add("elsewhere", Kind::Endpoints, "other");
        server.add("pod", Kind::Pods);
        server.store.patch(Kind::Endpoints, "demo", "a", {{"metadata", {{"annotations", {{"leader", "ö"}}}}}});
        server.store.remove(Kind::Endpoints, "demo", "b");
        QTRY_COMPARE(lines(), 3);
        server.api.watches().sendBookmarks();
        QTRY_COMPARE(lines(), 4);
        const QList<Json> events = documents(seen);
        const auto type = [&](qsizetype i) { return events[i]["type"].get<std::string>(); };
        QCOMPARE(type(0), std::string("ADDED"));
        QCOMPARE(type(1), std::string("MODIFIED"));
        QCOMPARE(events[1]["object"]["kind"].get<std::string>(), std::string("Endpoints"));
        QCOMPARE(type(2), std::string("DELETED"));
        QCOMPARE(type(3), std::string("BOOKMARK"));
        QCOMPARE(events[3]["object"]["metadata"]["resourceVersion"].get<std::string>(), std::to_string(server.store.version()));
        QVERIFY(!reply->isFinished());
    }

    void watchWithoutAVersionStartsWithWhatExists()
    {
        Server server;
        server.add("a");
        server.add("b");
        Client client(server.url(), "secret");
        const auto reply = client.stream(u"/api/v1/endpoints?watch=1&resourceVersion=0"_s);
        QByteArray seen;
        QTRY_COMPARE(documents(seen += reply->readAll()).size(), 2);
    }

    void watchEndsInTimeAndLeavesTheConnectionUsable()
    {
        Server server;
        QTcpSocket socket;
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), server.api.http().port());
        QTRY_COMPARE(socket.state(), QAbstractSocket::ConnectedState);
        const auto ask = [&](const QByteArray &path) {
            socket.write("GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n\r\n");
        };
        ask("/api/v1/pods?watch=true&timeoutSeconds=5&resourceVersion=" + QByteArray::number(server.store.version()));
        ask("/version");
        QByteArray seen;
        QTRY_VERIFY((seen += socket.readAll()).contains("\r\n\r\n"));
        QVERIFY(seen.contains("Transfer-Encoding: chunked"));
        QVERIFY(!seen.contains("gitVersion"));
        QTRY_VERIFY((seen += socket.readAll()).contains("gitVersion"));
        QVERIFY(seen.indexOf("\r\n0\r\n\r\n") > 0);
        QVERIFY(seen.indexOf("\r\n0\r\n\r\n") < seen.indexOf("gitVersion"));
        QCOMPARE(server.api.watches().count(), 0);
    }

    void tooOldIsAnExpiredEventAndTooNewIsRefused()
    {
        Server server(3);
        const QString old = QString::number(server.store.version());
        for (const char *name : {"a", "b", "c", "d"})
            server.add(name);
        Client client(server.url(), "secret");
        const Reply reply = client.get(u"/api/v1/endpoints?watch=true&resourceVersion="_s + old);
        QCOMPARE(reply.code, 200);
        QCOMPARE(reply.body["type"].get<std::string>(), std::string("ERROR"));
        QCOMPARE(reply.body["object"]["code"].get<int>(), 410);
        QCOMPARE(reply.body["object"]["reason"].get<std::string>(), std::string("Expired"));
        QCOMPARE(client.get(u"/api/v1/endpoints?watch=true&resourceVersion=99999"_s).code, 504);
        QCOMPARE(client.get(u"/api/v1/endpoints?watch=true&resourceVersion=x"_s).code, 400);
    }

    void requestsInPiecesAndInARow()
    {
        Server server;
        QTcpSocket socket;
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), server.api.http().port());
        QTRY_COMPARE(socket.state(), QAbstractSocket::ConnectedState);
        const QByteArray request = "GET /version HTTP/1.1\r\nhost: x\r\nAUTHORIZATION: Bearer secret\r\n\r\n";
        QByteArray seen;
        for (const char c : request) {
            socket.write(&c, 1);
            socket.flush();
            QCoreApplication::processEvents();
        }
        socket.write(request + request);
        QTRY_COMPARE((seen += socket.readAll()).count("gitVersion"), 3);
        QVERIFY(seen.contains("Date: Wed, 01 Jan 2031 02:13:20 GMT"));
        QCOMPARE(socket.state(), QAbstractSocket::ConnectedState);
    }

    void garbageIsRefused_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<QByteArray>("status");
        QTest::newRow("not HTTP") << QByteArray("hello\r\n\r\n") << QByteArray("HTTP/1.1 400");
        QTest::newRow("HTTP/2") << QByteArray("PRI * HTTP/2.0\r\n\r\n") << QByteArray("HTTP/1.1 400");
        QTest::newRow("endless head") << QByteArray(70000, 'x') << QByteArray("HTTP/1.1 413");
        QTest::newRow("huge body") << QByteArray("POST / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n") << QByteArray("HTTP/1.1 413");
        QTest::newRow("chunked body") << QByteArray("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n") << QByteArray("HTTP/1.1 501");
    }
    void garbageIsRefused()
    {
        QFETCH(QByteArray, request);
        QFETCH(QByteArray, status);
        Server server;
        QTcpSocket socket;
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), server.api.http().port());
        QTRY_COMPARE(socket.state(), QAbstractSocket::ConnectedState);
        socket.write(request);
        QTRY_COMPARE(socket.state(), QAbstractSocket::UnconnectedState);
        QVERIFY(socket.readAll().startsWith(status));
    }

    void frozenServerIsSilentAndThenAnswers()
    {
        Server server;
        Client client(server.url(), "secret");
        const auto watch = client.stream(u"/api/v1/pods?watch=true&resourceVersion="_s + QString::number(server.store.version()));
        QTRY_COMPARE(server.api.watches().count(), 1);
        server.api.http().setFrozen(true);
        server.add("pod", Kind::Pods);
        const auto reply = client.stream(u"/version"_s);
        QTest::qWait(50);
        QVERIFY(!reply->isFinished());
        QVERIFY(watch->readAll().isEmpty());
        server.api.http().setFrozen(false);
        QTRY_VERIFY(reply->isFinished());
        QTRY_VERIFY(watch->bytesAvailable() > 0);
    }

    void goneClientsAreForgotten()
    {
        Server server;
        {
            Client client(server.url(), "secret");
            const auto watch = client.stream(u"/api/v1/pods?watch=true"_s);
            QTRY_COMPARE(server.api.watches().count(), 1);
        }
        QTRY_COMPARE(server.api.watches().count(), 0);
        server.add("pod", Kind::Pods);
    }
};

QTEST_GUILESS_MAIN(TestSimulatorHttp)
#include "tst_simulator_http.moc"
