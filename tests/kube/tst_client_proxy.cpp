// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Through the API server to a Pod's own HTTP server: where it goes, what counts as an answer, and that a call is made once.
#include "app/kube/client.h"
#include "app/kube/request.h"
#include "app/kube/server_list.h"
#include "models/core/proxy_status.h"

#include "fake_api_server.h"
#include "objects.h"

#include <QTest>

#include <optional>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

Q_DECLARE_METATYPE(switchyard::kube::WriteVerb)

class TestClientProxy : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void urls_data();
    void urls();
    void requests_data();
    void requests();
    void answersOfThePod_data();
    void answersOfThePod();
    void answersOfTheApiServer_data();
    void answersOfTheApiServer();
    void oldHttp();
    void reads_data();
    void reads();
    void podRefusesCredential();
    void swallowedAnswer_data();
    void swallowedAnswer();
    void nothingListens();
    void cutAnswer();
    void slowCallHoldsNothingUp();
    void silentPod();
    void silentPodOfTwoServers();
    void ownLimit();
    void dryRun();
    void noMixing();
    void podLog();
    void endlessLog();
};

namespace {

Path toPod(const QString &path = u"/restart"_s)
{
    return {.resource = Resource::Pods, .ns = u"db"_s, .name = u"acme-0"_s, .proxy = PodProxy{.path = path}};
}

Response write(Client &client, const Write &write, milliseconds limit = milliseconds(5000))
{
    std::optional<Response> got;
    client.write(
        write, &client, [&](const Response &response) { got = response; }, limit);
    if (!waitUntil([&] { return got.has_value(); }, 30000))
        qFatal("no answer at all");
    return *got;
}

Response read(Client &client, const Path &path, milliseconds limit = milliseconds(5000))
{
    std::optional<Response> got;
    client.get(
        path, {}, &client, [&](const Response &response) { got = response; }, limit);
    if (!waitUntil([&] { return got.has_value(); }, 30000))
        qFatal("no answer at all");
    return *got;
}

QByteArray methodOf(WriteVerb verb)
{
    return verb == WriteVerb::ProxyPost ? "POST" : verb == WriteVerb::ProxyPatch ? "PATCH" : "DELETE";
}

std::string verbText(WriteVerb verb)
{
    return verb == WriteVerb::ProxyPost ? "create" : verb == WriteVerb::ProxyPatch ? "patch" : "delete";
}

const QByteArray html = "Content-Type: text/html\r\n";

} // namespace

void TestClientProxy::urls_data()
{
    QTest::addColumn<QString>("pod");
    QTest::addColumn<bool>("tls");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("query");
    QTest::addColumn<QByteArray>("url");
    const auto row = [](const char *name, const QString &pod, bool tls, int port, const QString &path, const QString &query,
                        const QByteArray &url) { QTest::newRow(name) << pod << tls << port << path << query << url; };
    row("plain", u"acme-0"_s, false, 8008, u"/patroni"_s, {}, "/api/v1/namespaces/db/pods/acme-0:8008/proxy/patroni");
    row("tls", u"acme-0"_s, true, 8009, u"/config"_s, {}, "/api/v1/namespaces/db/pods/https:acme-0:8009/proxy/config");
    row("name with dots", u"acme.0.x"_s, false, 80, u"/"_s, {}, "/api/v1/namespaces/db/pods/acme.0.x:80/proxy/");
    row("no slash", u"acme-0"_s, false, 8008, u"patroni"_s, {}, "/api/v1/namespaces/db/pods/acme-0:8008/proxy/patroni");
    row("nothing", u"acme-0"_s, false, 8008, QString(), {}, "/api/v1/namespaces/db/pods/acme-0:8008/proxy/");
    row("odd characters", u"acme-0"_s, false, 8008, u"/a b/%?#ü"_s, {},
        "/api/v1/namespaces/db/pods/acme-0:8008/proxy/a%20b/%25%3F%23%C3%BC");
    row("query", u"acme-0"_s, false, 8008, u"/replica"_s, u"lag=1+MB"_s, "/api/v1/namespaces/db/pods/acme-0:8008/proxy/replica?lag=1%2BMB");
    row("a name cannot lead elsewhere", u"../../x:1"_s, false, 8008, u"/patroni"_s, {},
        "/api/v1/namespaces/db/pods/..%2F..%2Fx%3A1:8008/proxy/patroni");
}

void TestClientProxy::urls()
{
    QFETCH(QString, pod);
    QFETCH(bool, tls);
    QFETCH(int, port);
    QFETCH(QString, path);
    QFETCH(QString, query);
    QFETCH(QByteArray, url);
    const Path where{.resource = Resource::Pods, .ns = u"db"_s, .name = pod, .proxy = PodProxy{tls, port, path}};
    QUrlQuery items;
    if (!query.isEmpty())
        items.addQueryItem(query.section(u'=', 0, 0), query.section(u'=', 1));
    QCOMPARE(resourceUrl(u"https://k8s.test:6443"_s, where, items).toEncoded(), "https://k8s.test:6443" + url);
    QCOMPARE(resourceUrl(u"https://k8s.test/k8s/clusters/c-1/"_s, where, items).toEncoded(), "https://k8s.test/k8s/clusters/c-1" + url);

    FakeApiServer server; // as it is on the wire
    Client client(server.config());
    client.get(where, items, &client, [](const Response &) {});
    QVERIFY(waitUntil([&] { return server.requests().size() == 1; }));
    QCOMPARE(server.requests().at(0).target, url);
}

void TestClientProxy::requests_data()
{
    QTest::addColumn<WriteVerb>("verb");
    QTest::addColumn<QByteArray>("body");
    for (const WriteVerb verb : {WriteVerb::ProxyPost, WriteVerb::ProxyPatch, WriteVerb::ProxyDelete}) {
        QTest::addRow("%s with a body", methodOf(verb).constData()) << verb << QByteArray(R"({"role":"replica"})");
        QTest::addRow("%s without", methodOf(verb).constData()) << verb << QByteArray();
    }
}

void TestClientProxy::requests()
{
    QFETCH(WriteVerb, verb);
    QFETCH(QByteArray, body);
    FakeApiServer server(FakeApiServer::Mode::Https);
    Client client(server.config());
    server.setHandler([](const ExchangePtr &x) { x->answer(200, "restarted successfully", {{"Content-Type", "text/html"}}); });
    const Response response = write(client, {verb, toPod(), body});
    QVERIFY(response.ok());
    QCOMPARE(response.status, 200);
    QCOMPARE(response.body, QByteArray("restarted successfully"));
    QCOMPARE(server.requests().size(), 1);
    const Request request = server.requests().at(0);
    QCOMPARE(request.method, methodOf(verb));
    QCOMPARE(request.target, QByteArray("/api/v1/namespaces/db/pods/acme-0:8008/proxy/restart"));
    QCOMPARE(request.headers.value("content-length"), QByteArray::number(body.size()));
    QCOMPARE(request.headers.value("content-type"), QByteArray("application/json"));
    QCOMPARE(request.headers.value("accept-encoding"), QByteArray("identity"));
    QVERIFY(!request.headers.contains("transfer-encoding"));
    QCOMPARE(request.body, body);
}

// Any status, with what was said.
void TestClientProxy::answersOfThePod_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](int status, const char *body) { QTest::addRow("%d %.20s", status, body) << status << QByteArray(body); };
    row(202, "Switchover scheduled");
    row(400, "<!DOCTYPE HTML><html><body>Bad Request</body></html>");
    row(401, "no auth header received");
    row(403, "Access is denied");
    row(404, "no switchover is scheduled");
    row(409, "<html><body>Conflict</body></html>");
    row(412, "leader name does not match");
    row(422, "Cannot schedule switchover in the past");
    row(429, "");
    row(500, "Can't schedule restart in the paused state");
    row(501, "");
    row(502, "");
    row(503, "Switchover failed");
    row(504, "");
    row(503, R"({"state":"stopped","role":"replica"})");
}

void TestClientProxy::answersOfThePod()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([&](const ExchangePtr &x) {
        x->answer(status, body, {{"Content-Type", "text/html"}, {"WWW-Authenticate", "Basic realm=\"Patroni\""}});
    });
    for (const WriteVerb verb : {WriteVerb::ProxyPost, WriteVerb::ProxyPatch, WriteVerb::ProxyDelete}) {
        const Response response = write(client, {verb, toPod(), "{}"});
        QVERIFY2(response.ok(), response.error ? describe(*response.error).c_str() : "");
        QCOMPARE(response.status, status);
        QCOMPARE(response.body, body);
    }
    const Response seen = read(client, toPod(u"/patroni"_s)); // not asked again either: it is an answer
    QVERIFY(seen.ok());
    QCOMPARE(seen.status, status);
    QCOMPARE(seen.body, body);
    QCOMPARE(server.requests().size(), 4);
}

// kube-apiserver's proxy answers for itself with a Status.
void TestClientProxy::answersOfTheApiServer_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *name, int status, const char *reason, const char *message, ErrorKind kind) {
        QTest::newRow(name) << status << QByteArray(reason) << QByteArray(message) << static_cast<int>(kind);
    };
    row("who are you", 401, "Unauthorized", "Unauthorized", ErrorKind::Unauthorized);
    row("not permitted", 403, "Forbidden", "pods \\\"acme-0\\\" is forbidden: User \\\"dba\\\" cannot create resource \\\"pods/proxy\\\"",
        ErrorKind::Forbidden);
    row("no such Pod", 404, "NotFound", "pods \\\"acme-0\\\" not found", ErrorKind::NotFound);
    row("bad address", 400, "BadRequest", "address not allowed", ErrorKind::BadInput);
    row("nothing listens", 503, "ServiceUnavailable", "error trying to reach service: dial tcp 10.1.2.3:8008: connect: connection refused",
        ErrorKind::Server);
    row("no route", 503, "ServiceUnavailable", "error trying to reach service: dial tcp 10.1.2.3:8008: i/o timeout", ErrorKind::Server);
    row("client certificate", 503, "ServiceUnavailable", "error trying to reach service: remote error: tls: certificate required",
        ErrorKind::Server);
    row("no TLS there", 503, "ServiceUnavailable", "error trying to reach service: http: server gave HTTP response to HTTPS client",
        ErrorKind::Server);
    row("nothing listens, Kubernetes 1.20", 500, "", "error trying to reach service: dial tcp 10.1.2.3:8008: connect: connection refused",
        ErrorKind::Server);
    row("broke off, Kubernetes 1.20", 500, "", "error trying to reach service: EOF", ErrorKind::OutcomeUnknown);
    row("broke off", 503, "ServiceUnavailable", "error trying to reach service: EOF", ErrorKind::OutcomeUnknown);
    row("reset", 503, "ServiceUnavailable",
        "error trying to reach service: read tcp 10.0.0.1:4->10.1.2.3:8008: read: connection reset by peer", ErrorKind::OutcomeUnknown);
    row("500", 500, "InternalError", "unknown", ErrorKind::OutcomeUnknown);
    row("504", 504, "Timeout", "took too long", ErrorKind::OutcomeUnknown);
}

void TestClientProxy::answersOfTheApiServer()
{
    QFETCH(int, status);
    QFETCH(QByteArray, reason);
    QFETCH(QByteArray, message);
    QFETCH(int, kind);
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([&](const ExchangePtr &x) { x->answer(status, statusJson(status, reason, message)); });
    for (const WriteVerb verb : {WriteVerb::ProxyPost, WriteVerb::ProxyPatch, WriteVerb::ProxyDelete}) {
        const Response response = write(client, {verb, toPod(), {}});
        QVERIFY(response.error);
        QCOMPARE(static_cast<int>(response.error->kind), kind);
        QCOMPARE(response.error->httpStatus, status);
        QCOMPARE(response.error->ns, std::string("db"));
        QVERIFY(response.error->resource == "pods/proxy" || response.error->kind == ErrorKind::NotFound);
        if (status != 403)
            QCOMPARE(response.error->verb, verbText(verb));
        QVERIFY(!response.body.isEmpty());
    }
    QCOMPARE(server.requests().size(), 3);
    const int before = static_cast<int>(server.requests().size());
    const Response seen = read(client, toPod(u"/patroni"_s));
    QVERIFY(seen.error);
    QCOMPARE(seen.status, status);
    QCOMPARE(server.requests().size(), before + 1); // a Pod that cannot be reached is not tried again at once
}

// Patroni speaks HTTP/1.0, gives no length and ends the connection; between us and it there may be nothing that mends that.
void TestClientProxy::oldHttp()
{
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([&](const ExchangePtr &x) {
        x->raw("HTTP/1.0 503 Service Unavailable\r\n" + html + "\r\nSwitchover status unknown");
        x->close();
    });
    const Response response = write(client, {WriteVerb::ProxyPost, toPod(u"/switchover"_s), "{}"});
    QVERIFY(response.ok());
    QCOMPARE(response.status, 503);
    QCOMPARE(response.body, QByteArray("Switchover status unknown"));

    server.setHandler([&](const ExchangePtr &x) {
        x->raw("HTTP/1.0 200 OK\r\n\r\n");
        x->close();
    });
    const Response bare = read(client, toPod(u"/liveness"_s));
    QVERIFY(bare.ok());
    QCOMPARE(bare.status, 200);
    QVERIFY(bare.body.isEmpty());
}

void TestClientProxy::reads_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("whole");
    QTest::newRow("object") << QByteArray(R"({"state":"running"})") << true;
    QTest::newRow("array") << QByteArray(R"([[1,25,"no recovery target specified"]])") << true;
    QTest::newRow("cut") << QByteArray(R"({"state":"run)") << false;
}

void TestClientProxy::reads()
{
    QFETCH(QByteArray, body);
    QFETCH(bool, whole);
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([&](const ExchangePtr &x) {
        x->raw("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + body);
        x->close();
    });
    const Response response = read(client, toPod(u"/patroni"_s));
    QCOMPARE(response.ok(), whole);
    QCOMPARE(server.requests().at(0).method, QByteArray("GET"));
    if (!whole)
        QCOMPARE(response.error->resource, std::string("pods/proxy"));
}

// A 401 of the Pod says nothing about our own credential: it is not asked for anew, and the reader is told what was answered.
void TestClientProxy::podRefusesCredential()
{
    FakeApiServer server;
    ContextConfig config = server.config();
    config.credential.token = "s3cret";
    Client client(config);
    server.setHandler([](const ExchangePtr &x) { x->answer(401, "not authenticated", {{"Content-Type", "text/html"}}); });
    for (int i = 0; i < 2; ++i) {
        const Response response = read(client, toPod());
        QVERIFY(response.ok());
        QCOMPARE(response.status, 401);
    }
    QCOMPARE(server.requests().size(), 2);
    QCOMPARE(server.requests().at(1).headers.value("authorization"), QByteArray("Bearer s3cret"));
}

void TestClientProxy::swallowedAnswer_data()
{
    QTest::addColumn<WriteVerb>("verb");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("tls");
    QTest::addColumn<bool>("warm");
    QTest::addColumn<bool>("reset");
    for (const WriteVerb verb : {WriteVerb::ProxyPost, WriteVerb::ProxyPatch, WriteVerb::ProxyDelete}) {
        for (const char *body : {"", R"({"leader":"acme-0"})"}) {
            for (const int bits : {0, 1, 2, 3, 4, 5, 6, 7}) {
                const bool tls = (bits & 1) != 0, warm = (bits & 2) != 0, reset = (bits & 4) != 0;
                QTest::addRow("%s %s %s %s %s", methodOf(verb).constData(), *body ? "body" : "empty", tls ? "tls" : "plain",
                              warm ? "kept-alive" : "fresh", reset ? "RST" : "FIN")
                    << verb << QByteArray(body) << tls << warm << reset;
            }
        }
    }
}

void TestClientProxy::swallowedAnswer()
{
    QFETCH(WriteVerb, verb);
    QFETCH(QByteArray, body);
    QFETCH(bool, tls);
    QFETCH(bool, warm);
    QFETCH(bool, reset);
    FakeApiServer server(tls ? FakeApiServer::Mode::Https : FakeApiServer::Mode::Http);
    Client client(server.config());
    const int earlier = warm ? 1 : 0;
    if (warm) {
        server.setHandler([](const ExchangePtr &x) { x->answer(200, "reload scheduled", {{"Content-Type", "text/html"}}); });
        QVERIFY(write(client, {verb, toPod(), body}).ok());
    }
    server.setHandler([reset](const ExchangePtr &x) { reset ? x->reset() : x->close(); });
    const Response response = write(client, {verb, toPod(), body});
    QVERIFY(response.error);
    QCOMPARE(response.error->kind, ErrorKind::OutcomeUnknown);
    QCOMPARE(response.error->verb, verbText(verb));
    QCOMPARE(response.error->resource, std::string("pods/proxy"));
    QCOMPARE(response.error->name, std::string("acme-0"));
    QCOMPARE(response.status, 0);

    // Time for a second copy to come, if one were sent: reads by other connections go all the way.
    server.setHandler([](const ExchangePtr &x) { x->answer(200, objectJson("acme", 8)); });
    for (int i = 0; i < 3; ++i)
        read(client, {Resource::Endpoints, u"db"_s, u"acme"_s});
    QCOMPARE(server.count(methodOf(verb)), earlier + 1);
    if (warm)
        QCOMPARE(server.requests().at(0).connection, server.requests().at(1).connection);
}

void TestClientProxy::nothingListens()
{
    FakeApiServer server;
    Client client(server.config());
    server.stopListening();
    for (const char *body : {"", "{}"})
        QCOMPARE(write(client, {WriteVerb::ProxyPost, toPod(), body}).error->kind, ErrorKind::Unreachable);
}

void TestClientProxy::cutAnswer()
{
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([](const ExchangePtr &x) {
        x->answer(503, "Switchover", {{"Content-Type", "text/html"}, {"Content-Length", "500"}});
        x->close();
    });
    const Response response = write(client, {WriteVerb::ProxyPost, toPod(), "{}"});
    QVERIFY(response.error);
    QCOMPARE(response.error->kind, ErrorKind::OutcomeUnknown);
}

// As many switchovers as Qt opens connections, all of which wait: objects are read and written, members asked.
void TestClientProxy::slowCallHoldsNothingUp()
{
    FakeApiServer server;
    Client client(server.config());
    QList<ExchangePtr> held;
    server.setHandler([&](const ExchangePtr &x) {
        if (x->request().method == "POST")
            held.append(x);
        else
            x->answer(200, objectJson("acme-failover", 8));
    });
    int ended = 0;
    for (int i = 0; i < 6; ++i) {
        client.write(
            {WriteVerb::ProxyPost, toPod(u"/switchover"_s), "{}"}, &client, [&](const Response &) { ++ended; }, milliseconds(30000));
    }
    QVERIFY(waitUntil([&] { return held.size() == 6; }));
    QVERIFY(write(client, {WriteVerb::Patch, {Resource::Endpoints, u"db"_s, u"acme-failover"_s}, "{}"}).ok());
    QVERIFY(read(client, {Resource::Endpoints, u"db"_s, u"acme-failover"_s}).ok());
    QVERIFY(read(client, toPod(u"/patroni"_s)).ok());
    QCOMPARE(ended, 0);
    for (const ExchangePtr &x : held)
        x->answer(200, "Successfully switched over to \"acme-1\"", {{"Content-Type", "text/html"}});
    QVERIFY(waitUntil([&] { return ended == 6; }));
}

// A Pod that is silent is the Pod's trouble: the API server stays the good one, and what else runs goes on.
void TestClientProxy::silentPod()
{
    FakeApiServer server;
    Client client(server.config());
    const Path leader{Resource::Endpoints, u"db"_s, u"acme"_s};
    server.setHandler([&](const ExchangePtr &x) {
        if (!x->request().path().contains(u"/proxy/"_s))
            x->answer(200, objectJson("acme", 8));
    });
    QVERIFY(read(client, leader).ok());
    const Response silent = read(client, toPod(u"/patroni"_s), milliseconds(1900));
    QVERIFY(silent.error);
    QCOMPARE(silent.error->kind, ErrorKind::Unreachable);
    QCOMPARE(silent.error->message, std::string("no answer within 1.9 s"));
    QVERIFY(read(client, leader).ok());
    QCOMPARE(server.requests().size(), 3);
    QCOMPARE(server.requests().at(0).connection, server.requests().at(2).connection); // was not put away
}

// Nor is another API server tried first from then on.
void TestClientProxy::silentPodOfTwoServers()
{
    FakeApiServer first, second;
    SharedParts parts;
    parts.servers = std::make_shared<ServerList>(first.url(), QStringList{second.url()});
    Client client(first.config(), parts);
    first.setHandler([](const ExchangePtr &) {});
    QVERIFY(read(client, toPod(u"/patroni"_s), milliseconds(1900)).error);
    QCOMPARE(parts.servers->current(), first.url());
    QCOMPARE(second.requests().size(), 0);
}

void TestClientProxy::ownLimit()
{
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([](const ExchangePtr &) {});
    Write slow{WriteVerb::ProxyPost, toPod(u"/switchover"_s), "{}"};
    slow.limit = milliseconds(2000);
    const Response response = write(client, slow, milliseconds(60000));
    QCOMPARE(response.error->kind, ErrorKind::OutcomeUnknown);
    QCOMPARE(response.error->message, std::string("no answer within 2 s"));
    QCOMPARE(server.requests().size(), 1);
}

void TestClientProxy::dryRun()
{
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([](const ExchangePtr &x) { x->answer(200, objectJson("acme-failover", 8)); });
    for (const WriteVerb verb : {WriteVerb::Patch, WriteVerb::Create}) {
        Write dry{verb, {Resource::Endpoints, u"db"_s, u"acme-failover"_s}, "{}"};
        QVERIFY(write(client, dry).ok());
        dry.dryRun = true;
        QVERIFY(write(client, dry).ok());
    }
    QCOMPARE(server.requests().at(0).target, QByteArray("/api/v1/namespaces/db/endpoints/acme-failover"));
    QCOMPARE(server.requests().at(1).target, QByteArray("/api/v1/namespaces/db/endpoints/acme-failover?dryRun=All"));
    QCOMPARE(server.requests().at(2).target, QByteArray("/api/v1/namespaces/db/endpoints"));
    QCOMPARE(server.requests().at(3).target, QByteArray("/api/v1/namespaces/db/endpoints?dryRun=All"));
}

// A Pod's server knows no dry run: a call meant as one would be the real thing. And no object is written by a call's verb.
void TestClientProxy::noMixing()
{
    FakeApiServer server;
    Client client(server.config());
    Write dry{WriteVerb::ProxyPost, toPod(), "{}"};
    dry.dryRun = true;
    QCOMPARE(write(client, dry).error->kind, ErrorKind::Refused);
    QCOMPARE(write(client, {WriteVerb::Patch, toPod(), "{}"}).error->kind, ErrorKind::Refused);
    QCOMPARE(write(client, {WriteVerb::ProxyDelete, {Resource::Pods, u"db"_s, u"acme-0"_s}, {}}).error->kind, ErrorKind::Refused);
    QCOMPARE(server.requests().size(), 0);
}

void TestClientProxy::podLog()
{
    FakeApiServer server;
    Client client(server.config());
    const QByteArray lines = "2026-01-02T03:04:05.6Z one\n2026-01-02T03:04:06.6Z two\n";
    server.setHandler([&](const ExchangePtr &x) { x->answer(200, lines, {{"Content-Type", "text/plain"}}); });
    QUrlQuery query;
    query.addQueryItem(u"container"_s, u"postgres"_s);
    query.addQueryItem(u"sinceTime"_s, u"2026-01-02T03:04:05+00:00"_s);
    std::optional<Response> got;
    client.podLog(u"db"_s, u"acme-0"_s, query, 1000, &client, [&](const Response &response) { got = response; });
    QVERIFY(waitUntil([&] { return got.has_value(); }));
    QVERIFY(got->ok());
    QCOMPARE(got->body, lines);
    QCOMPARE(
        server.requests().at(0).target,
        QByteArray("/api/v1/namespaces/db/pods/acme-0/log?container=postgres&sinceTime=2026-01-02T03%3A04%3A05%2B00%3A00&limitBytes=1000"));

    server.setHandler([](const ExchangePtr &x) { x->answer(403, statusJson(403, "Forbidden", "no")); });
    got.reset();
    client.podLog(u"db"_s, u"acme-0"_s, query, 1000, &client, [&](const Response &response) { got = response; });
    QVERIFY(waitUntil([&] { return got.has_value(); }));
    QCOMPARE(got->error->kind, ErrorKind::Forbidden);
    QCOMPARE(got->error->verb, std::string("get"));
    QCOMPARE(got->error->resource, std::string("pods/log"));
    QCOMPARE(got->error->name, std::string("acme-0"));
}

// A server that does not heed the limit fills no memory.
void TestClientProxy::endlessLog()
{
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([&](const ExchangePtr &x) {
        x->startStream();
        x->send(QByteArray(5000, 'x'));
    });
    std::optional<Response> got;
    client.podLog(
        u"db"_s, u"acme-0"_s, {}, 1000, &client, [&](const Response &response) { got = response; }, milliseconds(30000));
    QVERIFY(waitUntil([&] { return got.has_value(); }, 30000));
    QVERIFY(got->error);
}

QTEST_GUILESS_MAIN(TestClientProxy)
#include "tst_client_proxy.moc"
