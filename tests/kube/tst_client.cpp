// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/client.h"
#include "tests/support/patience.h"

#include "fake_api_server.h"
#include "objects.h"

#include <QElapsedTimer>
#include <QNetworkReply>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

class TestClient : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void urls_data();
    void urls();
    void requestHeaders();
    void tokenFileIsReadAgain();
    void missingTokenFile();
    void noTokenOverPlainConnections();
    void statusToKind_data();
    void statusToKind();
    void redirectIsAnError();
    void cutBody_data();
    void cutBody();
    void frozenServer();
    void refusedConnection();
    void closedWithoutAnswer();
    void serverDate();
    void deadContextIsNotCalled();
    void watchesDoNotBlockReads();

private:
    Response get(const Path &path = {Resource::Endpoints, u"db"_s, u"acme"_s}, milliseconds limit = milliseconds(5000));
    std::unique_ptr<FakeApiServer> m_server;
    std::unique_ptr<Client> m_client;
};

void TestClient::init()
{
    m_server = std::make_unique<FakeApiServer>();
    m_client = std::make_unique<Client>(m_server->config());
}

void TestClient::cleanup()
{
    m_client.reset();
    m_server.reset();
}

Response TestClient::get(const Path &path, milliseconds limit)
{
    std::optional<Response> got;
    m_client->get(
        path, {}, this, [&](const Response &response) { got = response; }, limit);
    if (!waitUntil([&] { return got.has_value(); }, 30000))
        qFatal("no answer at all");
    return *got;
}

void TestClient::urls_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<int>("resource");
    QTest::addColumn<QString>("ns");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("expected");
    const int endpoints = static_cast<int>(Resource::Endpoints);
    const int leases = static_cast<int>(Resource::Leases);
    const int pods = static_cast<int>(Resource::Pods);
    QTest::newRow("all") << u"https://h:6443"_s << endpoints << QString() << QString() << QString() << QString()
                         << u"https://h:6443/api/v1/endpoints"_s;
    QTest::newRow("object") << u"https://h"_s << endpoints << u"db"_s << u"acme"_s << QString() << QString()
                            << u"https://h/api/v1/namespaces/db/endpoints/acme"_s;
    QTest::newRow("path") << u"https://h/k8s/clusters/c%2Fx/"_s << pods << u"db"_s << QString() << QString() << QString()
                          << u"https://h/k8s/clusters/c%2Fx/api/v1/namespaces/db/pods"_s;
    QTest::newRow("lease") << u"http://[::1]:1"_s << leases << u"db"_s << QString() << QString() << QString()
                           << u"http://[::1]:1/apis/coordination.k8s.io/v1/namespaces/db/leases"_s;
    QTest::newRow("plus") << u"https://h"_s << pods << QString() << QString() << u"continue"_s << u"a+b/c=&d %41"_s
                          << u"https://h/api/v1/pods?continue=a%2Bb%2Fc%3D%26d%20%2541"_s;
    QTest::newRow("odd name") << u"https://h"_s << pods << u"db"_s << u"a/b?c#d%2F"_s << QString() << QString()
                              << u"https://h/api/v1/namespaces/db/pods/a%2Fb%3Fc%23d%252F"_s;
}

void TestClient::urls()
{
    QFETCH(QString, server);
    QFETCH(int, resource);
    QFETCH(QString, ns);
    QFETCH(QString, name);
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, expected);
    ContextConfig config;
    config.server = server;
    QUrlQuery query;
    if (!key.isEmpty())
        query.addQueryItem(key, QString(value).replace(u'%', u"%25"_s));
    const Client client(config);
    QCOMPARE(client.url({static_cast<Resource>(resource), ns, name}, query).toString(QUrl::FullyEncoded), expected);
}

void TestClient::requestHeaders()
{
    ContextConfig config = m_server->config();
    config.credential.token = "s3cret";
    m_client = std::make_unique<Client>(config);
    m_server->setHandler([](const ExchangePtr &x) { x->answer(200, objectJson("acme", 7)); });
    QVERIFY(get().ok());
    QNetworkReply *watch = test::startWatch(*m_client, {Resource::Pods, u"db"_s, {}});
    QTRY_COMPARE(m_server->requests().size(), 2);
    const Request read = m_server->requests().at(0);
    const Request stream = m_server->requests().at(1);
    QCOMPARE(read.version, QByteArray("HTTP/1.1"));
    QCOMPARE(read.headers.value("authorization"), QByteArray("Bearer s3cret"));
    QVERIFY(read.headers.value("user-agent").startsWith("switchyard/"));
    QCOMPARE(read.headers.value("accept"), QByteArray("application/json"));
    QVERIFY(read.headers.value("accept-encoding").contains("gzip"));
    QCOMPARE(stream.headers.value("accept-encoding"), QByteArray("identity"));
    QVERIFY(stream.connection != read.connection);
    QCOMPARE(watch->request().attribute(QNetworkRequest::Http2AllowedAttribute), QVariant(false));
    delete watch;
}

void TestClient::tokenFileIsReadAgain()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"token"_s));
    const auto put = [&](const QByteArray &text) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
    };
    ContextConfig config = m_server->config();
    config.credential.token = "older";
    config.credential.tokenFile = file.fileName();
    m_client = std::make_unique<Client>(config);
    put("first\n");
    get();
    put("second\n");
    get();
    put("");
    get();
    file.remove();
    get();
    QByteArrayList seen;
    for (const Request &request : m_server->requests())
        seen.append(request.headers.value("authorization"));
    QCOMPARE(seen, (QByteArrayList{"Bearer first", "Bearer second", "Bearer second", "Bearer second"}));
}

void TestClient::missingTokenFile()
{
    ContextConfig config = m_server->config();
    config.credential.tokenFile = u"/nowhere/token"_s;
    m_client = std::make_unique<Client>(config);
    const Response response = get();
    QVERIFY(response.error.has_value());
    QCOMPARE(response.error->kind, ErrorKind::Io);
    QCOMPARE(response.error->where, std::string("/nowhere/token"));
    QCOMPARE(response.error->verb, std::string("get"));
    QCOMPARE(m_server->requests().size(), 0);
}

void TestClient::noTokenOverPlainConnections()
{
    // Through a proxy on this machine, so that the name needs no network.
    ContextConfig config;
    config.server = u"http://db.example"_s;
    config.credential.token = "s3cret";
    config.proxyUrl = m_server->url();
    m_client = std::make_unique<Client>(config);
    get();
    QCOMPARE(m_server->requests().size(), 1);
    QCOMPARE(m_server->requests().first().headers.value("authorization"), QByteArray());
}

void TestClient::statusToKind_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *name, int status, const char *reason, ErrorKind kind) {
        QTest::newRow(name) << status << QByteArray(reason) << static_cast<int>(kind);
    };
    row("409 by a status", 409, "AlreadyExists", ErrorKind::Conflict);
    row("401", 401, "Unauthorized", ErrorKind::Unauthorized);
    row("403", 403, "Forbidden", ErrorKind::Forbidden);
    row("404", 404, "NotFound", ErrorKind::NotFound);
    row("409", 409, "Conflict", ErrorKind::Conflict);
    row("410", 410, "Expired", ErrorKind::Gone);
    row("500 but expired", 500, "Expired", ErrorKind::Gone);
    row("429", 429, "TooManyRequests", ErrorKind::Throttled);
    row("500", 500, "InternalError", ErrorKind::Server);
    row("503", 503, "ServiceUnavailable", ErrorKind::Server);
}

void TestClient::statusToKind()
{
    QFETCH(int, status);
    QFETCH(QByteArray, reason);
    QFETCH(int, kind);
    m_server->setHandler([&](const ExchangePtr &x) {
        x->answer(status, statusJson(status, reason, "in the server's words"),
                  {{"Retry-After", "3"}, {"WWW-Authenticate", "Basic realm=\"kubernetes\""}});
    });
    const Path acme{Resource::Endpoints, u"db"_s, u"acme"_s};
    const milliseconds once(3900); // too short for a second try after the three seconds that are asked for
    const Response whole = get(acme, once);
    QCOMPARE(whole.status, status);
    QCOMPARE(static_cast<int>(whole.error->kind), kind);
    QCOMPARE(whole.error->reason, reason.toStdString());
    QCOMPARE(whole.error->message, std::string("in the server's words"));
    QCOMPARE(whole.error->retryAfterSeconds, std::optional(3));
    QCOMPARE(whole.error->verb, std::string("get"));
    QCOMPARE(whole.error->resource, std::string("endpoints"));
    QCOMPARE(whole.error->ns, std::string("db"));
    QCOMPARE(whole.error->name, std::string("acme"));
    QCOMPARE(whole.error->where, m_server->url().toStdString());

    m_server->setHandler([&](const ExchangePtr &x) {
        x->answer(status, "<html>nginx</html>", {{"Content-Type", "text/html"}, {"Retry-After", "3"}});
    });
    const Response bare = get(acme, once);
    QCOMPARE(bare.error->httpStatus, status);
    QVERIFY(!bare.error->message.empty());
    QCOMPARE(bare.error->message.find("nginx"), std::string::npos);
    if (reason != "Expired" || status == 410)
        QCOMPARE(static_cast<int>(bare.error->kind), kind);
}

void TestClient::redirectIsAnError()
{
    FakeApiServer elsewhere;
    m_server->setHandler([&](const ExchangePtr &x) { x->answer(302, {}, {{"Location", elsewhere.url().toLatin1() + "/"}}); });
    const Response response = get();
    QCOMPARE(response.status, 302);
    QCOMPARE(response.error->kind, ErrorKind::Server);
    QVERIFY(response.error->message.find("redirect") != std::string::npos);
    QCOMPARE(elsewhere.connections(), 0);
}

void TestClient::cutBody_data()
{
    QTest::addColumn<bool>("chunked");
    QTest::newRow("shorter than its length") << false;
    QTest::newRow("chunked, without the last chunk") << true;
}

void TestClient::cutBody()
{
    QFETCH(bool, chunked);
    const QByteArray body = objectJson("acme", 7);
    for (qsizetype cut = 0; cut < body.size(); cut += 9) {
        m_server->setHandler([&](const ExchangePtr &x) {
            if (chunked) {
                x->startStream();
                if (cut > 0)
                    x->send(body.left(cut));
            } else {
                x->answer(200, body.left(cut), {{"Content-Length", QByteArray::number(body.size())}});
            }
            x->close();
        });
        const Response response = get();
        QVERIFY2(response.error.has_value(), qPrintable(QString::number(cut)));
        QVERIFY(response.error->kind == ErrorKind::Server || response.error->kind == ErrorKind::Unreachable);
        QVERIFY(!response.error->message.empty());
    }
}

void TestClient::frozenServer()
{
    m_server->setHandler([](const ExchangePtr &) {});
    QElapsedTimer timer;
    timer.start();
    const Response response = get({Resource::Endpoints, u"db"_s, u"acme"_s}, milliseconds(150));
    QVERIFY(timer.elapsed() >= 100); // not before its time
    QCOMPARE(response.status, 0);
    QCOMPARE(response.error->kind, ErrorKind::Unreachable);
    QCOMPARE(response.error->message, std::string("no answer within 0.15 s"));
}

void TestClient::refusedConnection()
{
    m_server->stopListening();
    const Response response = get();
    QCOMPARE(response.error->kind, ErrorKind::Unreachable);
    QVERIFY(response.error->message.find("refused") != std::string::npos);
}

void TestClient::closedWithoutAnswer()
{
    m_server->setHandler([](const ExchangePtr &x) { x->close(); });
    const Response response = get();
    QCOMPARE(response.error->kind, ErrorKind::Unreachable);
    QCOMPARE(response.error->httpStatus, 0);
}

void TestClient::serverDate()
{
    m_server->setHandler([](const ExchangePtr &x) { x->answer(200, objectJson("acme", 7), {{"Date", "Sun, 06 Nov 1994 08:49:37 GMT"}}); });
    QCOMPARE(get().serverDate, std::optional(Instant(std::chrono::seconds(784111777))));
    m_server->setHandler([](const ExchangePtr &x) { x->answer(200, objectJson("acme", 7), {{"Date", "yesterday"}}); });
    QCOMPARE(get().serverDate, std::optional<Instant>());
}

void TestClient::deadContextIsNotCalled()
{
    ExchangePtr held;
    m_server->setHandler([&](const ExchangePtr &x) { held = x; });
    auto receiver = std::make_unique<QObject>();
    bool called = false;
    m_client->get({Resource::Pods, {}, {}}, {}, receiver.get(), [&](const Response &) { called = true; });
    QTRY_VERIFY(held != nullptr);
    receiver.reset();
    const ExchangePtr first = held;
    first->answer(200, "{}");
    m_server->setHandler([](const ExchangePtr &x) { x->answer(200, objectJson("acme", 7)); });
    QVERIFY(get().ok());
    QVERIFY(!called);
}

void TestClient::watchesDoNotBlockReads()
{
    int streams = 0;
    m_server->setHandler([&](const ExchangePtr &x) {
        if (!x->request().isWatch())
            return x->answer(200, objectJson("acme", 7));
        x->startStream();
        x->send(bookmarkJson(++streams));
    });
    QUrlQuery query;
    query.addQueryItem(u"watch"_s, u"true"_s);
    std::vector<std::unique_ptr<QNetworkReply>> watches;
    for (int i = 0; i < 14; ++i)
        watches.emplace_back(test::startWatch(*m_client, {Resource::Pods, {}, {}}, query));
    for (const auto &watch : watches)
        QTRY_VERIFY(watch->bytesAvailable() > 0);
    QVERIFY(get().ok());
    QCOMPARE(streams, 14);
}

QTEST_GUILESS_MAIN(TestClient)
#include "tst_client.moc"
