// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Several API servers: which one is asked, when the list is read, and requests that go on to the next one.
#include "app/kube/server_list.h"
#include "tests/support/patience.h"

#include "app/kube/client.h"
#include "exec_harness.h"
#include "fake_api_server.h"
#include "objects.h"
#include "watch_harness.h"

#include <QSignalSpy>
#include <QTest>

#include <optional>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Mode = FakeApiServer::Mode;

class TestServerList : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void goodOneIsKept();
    void lookups();
    void bypassNeedsTls_data();
    void bypassNeedsTls();
    void endpoints_data();
    void endpoints();
    void readGoesToTheNextServer_data();
    void readGoesToTheNextServer();
    void readIsRepeatedWhileBusy_data();
    void readIsRepeatedWhileBusy();
    void retryAfterThatDoesNotFit();
    void writeGoesOnOnlyUntouched_data();
    void writeGoesOnOnlyUntouched();
    void writeThatGoesOnDoesNotWaitForEver();
    void writeIsNotRepeated_data();
    void writeIsNotRepeated();
    void allServersDead();
    void foundServers();
    void forbiddenLookup();
    void noLookupWhereCertificatesAreNotChecked();
    void certificateIsCheckedAgainstTheFirstName_data();
    void certificateIsCheckedAgainstTheFirstName();
    void watchGoesToTheNextServer();
    void requestTimeout();

private:
    static Response get(Client &client, Client::Limit limit = {});
    static Response write(Client &client, WriteVerb verb = WriteVerb::Patch, std::chrono::milliseconds limit = 5s);
    static std::unique_ptr<Client> clientOf(const ContextConfig &config, const QStringList &others, bool bypass = false);
    std::shared_ptr<ServerList> m_list;
};

static void good(const ExchangePtr &x)
{
    x->answer(200, objectJson("acme", 7));
}

static Response waitFor(std::optional<Response> &got)
{
    if (!waitUntil([&] { return got.has_value(); }, 20000))
        qFatal("no answer at all");
    return *got;
}

Response TestServerList::get(Client &client, Client::Limit limit)
{
    std::optional<Response> got;
    client.get(
        {Resource::Endpoints, u"db"_s, u"acme"_s}, {}, &client, [&](const Response &response) { got = response; }, limit);
    return waitFor(got);
}

Response TestServerList::write(Client &client, WriteVerb verb, std::chrono::milliseconds limit)
{
    std::optional<Response> got;
    client.write(
        {verb, {Resource::Endpoints, u"db"_s, u"acme-failover"_s}, "{\"a\":1}"}, &client, [&](const Response &r) { got = r; }, limit);
    return waitFor(got);
}

void TestServerList::goodOneIsKept()
{
    ServerList list(u"https://a"_s, {u"https://b"_s, u"https://a/"_s, u"https://c"_s, u"https://b"_s});
    QSignalSpy changed(&list, &ServerList::changed);
    QCOMPARE(list.inOrder(), (QStringList{u"https://a"_s, u"https://b"_s, u"https://c"_s}));
    list.failed(u"https://b"_s);
    QCOMPARE(list.current(), u"https://a"_s);
    list.failed(u"https://a"_s);
    QCOMPARE(list.inOrder(), (QStringList{u"https://b"_s, u"https://c"_s, u"https://a"_s}));
    QCOMPARE(changed.size(), 1);
    list.worked(u"https://b"_s);
    list.worked(u"https://unknown"_s);
    QCOMPARE(list.current(), u"https://b"_s);
    list.worked(u"https://c"_s);
    list.failed(u"https://c"_s);
    QCOMPARE(list.current(), u"https://a"_s);
    QCOMPARE(list.first(), u"https://a"_s);
}

void TestServerList::lookups()
{
    ServerList list(u"https://a"_s, {}, true);
    const Boot start(1h);
    QVERIFY(list.beginLookup(start));
    QVERIFY(!list.beginLookup(start)); // under way
    list.found({u"https://10.0.0.1:6443"_s, u"https://10.0.0.2:6443"_s});
    QVERIFY(!list.beginLookup(start + 59s));
    QVERIFY(list.beginLookup(start + 60s));
    list.found({u"https://10.0.0.2:6443"_s});
    QCOMPARE(list.inOrder(), (QStringList{u"https://a"_s, u"https://10.0.0.2:6443"_s}));
    list.failed(u"https://a"_s);
    QVERIFY(!list.beginLookup(start + 65s)); // no storm
    QVERIFY(list.beginLookup(start + 70s));
    list.found({}); // not believed
    QCOMPARE(list.current(), u"https://10.0.0.2:6443"_s);
    QVERIFY(list.beginLookup(start + 200s));
    list.found({u"https://10.0.0.3:6443"_s}); // the one in use is gone
    QCOMPARE(list.current(), u"https://a"_s);
    QVERIFY(list.beginLookup(start + 300s));
    list.notFound(Error{.kind = ErrorKind::Unreachable});
    QVERIFY(list.notice().isEmpty());
    QVERIFY(list.beginLookup(start + 400s));
    list.notFound(Error{.kind = ErrorKind::Forbidden});
    QVERIFY(list.notice().contains(u"forbidden"_s));
    QVERIFY(!list.beginLookup(start + 800s));
    QCOMPARE(list.inOrder(), QStringList{u"https://a"_s});
    ServerList plain(u"https://a"_s);
    QVERIFY(!plain.beginLookup(start));
}

void TestServerList::bypassNeedsTls_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<bool>("allowed");
    QTest::newRow("https") << u"https://a:6443"_s << true;
    QTest::newRow("slash") << u"https://a:6443/"_s << true;
    QTest::newRow("http") << u"http://127.0.0.1:8001"_s << false;
    QTest::newRow("path") << u"https://rancher/k8s/clusters/c-1"_s << false;
}

void TestServerList::bypassNeedsTls()
{
    QFETCH(QString, server);
    ServerList list(server, {}, true);
    QTEST(list.notice().isEmpty(), "allowed");
    QTEST(list.beginLookup(Boot(1h)), "allowed");
}

void TestServerList::endpoints_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QStringList>("servers");
    QTest::newRow("two") << QByteArray(
        R"({"subsets":[{"addresses":[{"ip":"10.0.0.1"},{"ip":"10.0.0.2"}],"ports":[{"name":"https","port":6443,"protocol":"TCP"}]}]})")
                         << QStringList{u"https://10.0.0.1:6443"_s, u"https://10.0.0.2:6443"_s};
    QTest::newRow("IPv6") << QByteArray(R"({"subsets":[{"addresses":[{"ip":"fd00::1"}],"ports":[{"name":"https","port":443}]}]})")
                          << QStringList{u"https://[fd00::1]:443"_s};
    QTest::newRow("other ports") << QByteArray(
        R"({"subsets":[{"addresses":[{"ip":"10.0.0.1"}],"ports":[{"name":"http","port":80},{"name":"https","port":443,"protocol":"UDP"}]}]})")
                                 << QStringList();
    QTest::newRow("no addresses") << QByteArray(
        R"({"subsets":[{"notReadyAddresses":[{"ip":"10.0.0.1"}],"ports":[{"name":"https","port":443}]}]})")
                                  << QStringList();
    QTest::newRow("not an address") << QByteArray(
        R"({"subsets":[{"addresses":[{"ip":"evil.example/x"}],"ports":[{"name":"https","port":443}]}]})")
                                    << QStringList();
    QTest::newRow("bad port") << QByteArray(R"({"subsets":[{"addresses":[{"ip":"10.0.0.1"}],"ports":[{"name":"https","port":70000}]}]})")
                              << QStringList();
    QTest::newRow("null") << QByteArray(R"({"subsets":null})") << QStringList();
    QTest::newRow("junk") << QByteArray("<html>") << QStringList();
}

void TestServerList::endpoints()
{
    QFETCH(QByteArray, json);
    QTEST(serversOf(json), "servers");
}

std::unique_ptr<Client> TestServerList::clientOf(const ContextConfig &config, const QStringList &others, bool bypass)
{
    SharedParts parts;
    parts.servers = std::make_shared<ServerList>(config.server, others, bypass);
    return std::make_unique<Client>(config, parts);
}

void TestServerList::readGoesToTheNextServer_data()
{
    QTest::addColumn<QString>("trouble");
    for (const char *trouble : {"nothing listens", "closes", "frozen", "half a body"})
        QTest::newRow(trouble) << QString::fromLatin1(trouble);
}

void TestServerList::readGoesToTheNextServer()
{
    QFETCH(QString, trouble);
    FakeApiServer first, second;
    second.setHandler(good);
    if (trouble == u"nothing listens"_s)
        first.stopListening();
    else if (trouble == u"closes"_s)
        first.setHandler([](const ExchangePtr &x) { x->close(); });
    else if (trouble == u"frozen"_s)
        first.setHandler([](const ExchangePtr &) {});
    else
        first.setHandler([](const ExchangePtr &x) {
            x->answer(200, "{\"kind\":", {{"Content-Length", "500"}});
            x->close();
        });
    const auto client = clientOf(first.config(), {second.url()});
    const Response response = get(*client, 8000ms);
    QVERIFY(response.ok());
    QCOMPARE(response.server, second.url());
    const qsizetype before = first.requests().size();
    QVERIFY(get(*client, 8000ms).ok());
    if (trouble != u"half a body"_s) // it does answer
        QCOMPARE(first.requests().size(), before);
}

void TestServerList::readIsRepeatedWhileBusy_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("repeated");
    for (const int status : {429, 500, 503, 504})
        QTest::addRow("%d", status) << status << true;
    for (const int status : {403, 404, 501, 502})
        QTest::addRow("%d", status) << status << false;
}

void TestServerList::readIsRepeatedWhileBusy()
{
    QFETCH(int, status);
    QFETCH(bool, repeated);
    FakeApiServer server;
    server.setHandler(
        [&](const ExchangePtr &x) { server.requests().size() < 3 ? x->answer(status, statusJson(status, "", "busy")) : good(x); });
    Client client(server.config());
    QCOMPARE(get(client).status, repeated ? 200 : status);
    QCOMPARE(server.requests().size(), repeated ? 3 : 1);
}

void TestServerList::retryAfterThatDoesNotFit()
{
    FakeApiServer server;
    server.setHandler([](const ExchangePtr &x) { x->answer(429, statusJson(429, "TooManyRequests", "busy"), {{"Retry-After", "20"}}); });
    Client client(server.config());
    const Response response = get(client);
    QCOMPARE(response.error->retryAfterSeconds, std::optional(20));
    QCOMPARE(server.requests().size(), 1);
}

void TestServerList::writeGoesOnOnlyUntouched_data()
{
    QTest::addColumn<QString>("trouble");
    for (const char *trouble : {"nothing listens", "a certificate of another authority", "silent before the handshake"})
        QTest::newRow(trouble) << QString::fromLatin1(trouble);
}

// The first server did not get one byte of the body.
void TestServerList::writeGoesOnOnlyUntouched()
{
    QFETCH(QString, trouble);
    FakeApiServer first(Mode::Https), second(Mode::Https);
    first.setHandler(good);
    second.setHandler(good);
    if (trouble == u"nothing listens"_s)
        first.stopListening();
    else if (trouble == u"silent before the handshake"_s)
        first.freeze();
    else
        first.setCertificate(u"server-strange.crt"_s, u"server-strange.key"_s);
    for (const WriteVerb verb : {WriteVerb::Patch, WriteVerb::Create}) {
        const auto client = clientOf(first.config(), {second.url()});
        const Response response = write(*client, verb, 8000ms);
        QVERIFY2(response.ok(), response.error ? response.error->message.c_str() : "");
        QCOMPARE(response.server, second.url());
    }
    QCOMPARE(first.requests().size(), 0);
    QCOMPARE(second.requests().size(), 2);
    QCOMPARE(second.requests().first().body, QByteArray("{\"a\":1}"));
}

// On its way to the second server it needs a new credential, and the program for it does not end.
void TestServerList::writeThatGoesOnDoesNotWaitForEver()
{
    ExecHarness h;
    h.settings.leastUse = 0s;
    h.program("if [ $(wc -l < " + h.path(u"runs"_s).toUtf8() + ") -gt 1 ]; then exec sleep 100; fi\ncat <<'END'\n"
              + execCredential(R"({"token":"t","expirationTimestamp":"2031-02-01T05:00:00Z"})") + "\nEND");
    FakeApiServer first, second;
    first.stopListening();
    second.setHandler(good);
    h.config.server = first.url();
    SharedParts parts;
    parts.servers = std::make_shared<ServerList>(first.url(), QStringList{second.url()});
    parts.credentials = std::make_shared<CredentialSource>(h.config, h.pool());
    Client client(h.config, parts);
    const Response response = write(client, WriteVerb::Patch, 8000ms); // enough for two servers
    QCOMPARE(response.error->kind, ErrorKind::Unauthorized);
    QVERIFY(response.error->message.find("not there in time") != std::string::npos);
    QCOMPARE(h.runs(), 2);
    QCOMPARE(second.requests().size(), 0);
}

void TestServerList::writeIsNotRepeated_data()
{
    QTest::addColumn<int>("status"); // 0: closes, -1: frozen
    QTest::addColumn<int>("kind");
    QTest::newRow("closes") << 0 << int(ErrorKind::OutcomeUnknown);
    QTest::newRow("frozen") << -1 << int(ErrorKind::OutcomeUnknown);
    QTest::newRow("429") << 429 << int(ErrorKind::Throttled);
    QTest::newRow("500") << 500 << int(ErrorKind::OutcomeUnknown);
    QTest::newRow("503") << 503 << int(ErrorKind::Server);
    QTest::newRow("401") << 401 << int(ErrorKind::Unauthorized);
}

void TestServerList::writeIsNotRepeated()
{
    QFETCH(int, status);
    QFETCH(int, kind);
    FakeApiServer first, second;
    second.setHandler(good);
    first.setHandler([status](const ExchangePtr &x) {
        if (status > 0 && x->request().method == "GET")
            good(x);
        else if (status > 0)
            x->answer(status, statusJson(status, "Busy", "no"), {{"Retry-After", "0"}});
        else if (status == 0)
            x->close();
    });
    const auto client = clientOf(first.config(), {second.url()});
    const Response response = write(*client, WriteVerb::Patch, status < 0 ? 8000ms : 5000ms);
    QCOMPARE(int(response.error->kind), kind);
    const Response after = get(*client, 8000ms);
    QCOMPARE(after.status, 200);
    QCOMPARE(after.server, status > 0 ? first.url() : second.url()); // who does not answer is left, who does is kept
    QCOMPARE(first.count("PATCH"), 1);
    QCOMPARE(second.count("PATCH"), 0);
}

void TestServerList::allServersDead()
{
    FakeApiServer first, second, third;
    for (FakeApiServer *server : {&first, &second, &third})
        server->stopListening();
    const auto client = clientOf(first.config(), {second.url(), third.url()});
    const Response response = get(*client);
    QCOMPARE(response.error->kind, ErrorKind::Unreachable);
    QVERIFY(response.error->message.find("3 API servers were tried") != std::string::npos);
    QCOMPARE(write(*client).error->kind, ErrorKind::Unreachable);
}

void TestServerList::foundServers()
{
    FakeApiServer first(Mode::Https), second(Mode::Https);
    first.setHandler([&](const ExchangePtr &x) {
        if (x->request().path() != u"/api/v1/namespaces/default/endpoints/kubernetes"_s)
            return good(x);
        x->answer(200,
                  R"({"kind":"Endpoints","subsets":[{"addresses":[{"ip":"127.0.0.1"}],"ports":[{"name":"https","port":)"
                      + QByteArray::number(QUrl(second.url()).port()) + "}]}]}");
    });
    second.setHandler(good);
    SharedParts parts;
    parts.servers = std::make_shared<ServerList>(first.url(), QStringList(), true);
    Client client(first.config(), parts);
    QVERIFY(get(client).ok());
    QTRY_COMPARE(parts.servers->inOrder(), (QStringList{first.url(), second.url()}));
    first.stopListening();
    first.dropConnections();
    QCOMPARE(get(client).server, second.url());
    QCOMPARE(write(client).server, second.url());
}

void TestServerList::forbiddenLookup()
{
    FakeApiServer server(Mode::Https);
    server.setHandler([&](const ExchangePtr &x) {
        x->request().path().endsWith(u"/kubernetes"_s) ? x->answer(403, statusJson(403, "Forbidden", "no")) : good(x);
    });
    SharedParts parts;
    parts.servers = std::make_shared<ServerList>(server.url(), QStringList(), true);
    Client client(server.config(), parts);
    QVERIFY(get(client).ok());
    QTRY_VERIFY(parts.servers->notice().contains(u"forbidden"_s));
    QVERIFY(get(client).ok());
    QCOMPARE(server.requests().size(), 3);
}

// Whoever answers at an address of Endpoints would get the token.
void TestServerList::noLookupWhereCertificatesAreNotChecked()
{
    FakeApiServer server(Mode::Https);
    server.setHandler(good);
    ContextConfig config = server.config();
    config.caPem.clear();
    config.insecureSkipTlsVerify = true;
    SharedParts parts;
    parts.servers = std::make_shared<ServerList>(server.url(), QStringList(), true);
    Client client(config, parts);
    QVERIFY(parts.servers->notice().contains(u"not checked"_s));
    QVERIFY(get(client).ok());
    QVERIFY(!parts.servers->beginLookup(Boot(100h)));
    QCOMPARE(server.requests().size(), 1);
}

void TestServerList::certificateIsCheckedAgainstTheFirstName_data()
{
    QTest::addColumn<QString>("firstHost");
    QTest::addColumn<QString>("serverName");
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<bool>("trusted");
    QTest::newRow("a name, and a certificate for it") << u"api.example"_s << QString() << u"named"_s << true;
    QTest::newRow("a name, and a certificate for another") << u"other.example"_s << QString() << u"named"_s << false;
    QTest::newRow("an address, and a certificate for it") << u"127.0.0.2"_s << QString() << u"address"_s << true;
    QTest::newRow("an address, and a certificate for a name") << u"127.0.0.2"_s << QString() << u"named"_s << false;
    QTest::newRow("tls-server-name wins") << u"other.example"_s << u"api.example"_s << u"named"_s << true;
}

// The server that is reached stands at 127.0.0.1, for which no certificate speaks here.
void TestServerList::certificateIsCheckedAgainstTheFirstName()
{
    QFETCH(QString, firstHost);
    QFETCH(QString, serverName);
    QFETCH(QString, certificate);
    QFETCH(bool, trusted);
    FakeApiServer server(Mode::Https);
    server.setCertificate(certificate + u".crt"_s, certificate + u".key"_s);
    server.setHandler(good);
    ContextConfig config = server.config();
    config.server = u"https://"_s + firstHost + u":1"_s;
    config.tlsServerName = serverName;
    SharedParts parts;
    parts.servers = std::make_shared<ServerList>(config.server, QStringList{server.url()});
    parts.servers->failed(config.server); // it is down
    Client client(config, parts);
    const Response response = get(client, trusted ? 20000ms : 1900ms);
    QCOMPARE(response.ok(), trusted);
    QCOMPARE(server.requests().size(), trusted ? 1 : 0);
    if (!trusted)
        QVERIFY(response.error->message.find("host name") != std::string::npos);
}

void TestServerList::watchGoesToTheNextServer()
{
    WatchHarness h;
    FakeApiServer second;
    QStringList from;
    ExchangePtr stream;
    second.setHandler([&](const ExchangePtr &x) {
        from.append(x->request().query(u"resourceVersion"_s));
        x->startStream();
        x->send(eventJson("MODIFIED", objectJson("a", 12)));
        stream = x;
    });
    h.watch.reset();
    SharedParts parts;
    parts.servers = std::make_shared<ServerList>(h.server.url(), QStringList{second.url()});
    h.client = std::make_unique<Client>(h.server.config(), parts);
    Watch watch(h.client.get(), Resource::Endpoints, u"db"_s, Clock{[&] { return h.now; }}, quickTimes());
    QStringList versions;
    connect(&watch, &Watch::observed, this, [&](const Observation &o) {
        if (const auto *changed = std::get_if<Changed>(&o.what))
            versions.append(QString::fromStdString(changed->object.resourceVersion));
    });
    watch.start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(eventJson("MODIFIED", objectJson("a", 11)));
    QTRY_COMPARE(versions, QStringList{u"11"_s});
    h.server.stopListening();
    h.streams.first()->reset();
    QTRY_COMPARE(versions, (QStringList{u"11"_s, u"12"_s}));
    QCOMPARE(from, QStringList{u"11"_s});
    QCOMPARE(parts.servers->current(), second.url());
}

void TestServerList::requestTimeout()
{
    FakeApiServer server;
    server.setHandler([](const ExchangePtr &) {});
    SharedParts parts;
    parts.requestTimeout = 120ms;
    Client client(server.config(), parts);
    QCOMPARE(get(client).error->message, std::string("no answer within 0.12 s"));
    QCOMPARE(get(client, 200ms).error->message, std::string("no answer within 0.2 s"));
}

QTEST_GUILESS_MAIN(TestServerList)
#include "tst_server_list.moc"
