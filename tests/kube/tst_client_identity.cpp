// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// As whom requests are made: a certificate that changes, a credential that is refused, impersonation.
#include "app/kube/client.h"
#include "app/kube/credentials.h"
#include "app/kube/request.h"
#include "tests/support/patience.h"

#include "fake_api_server.h"
#include "objects.h"
#include "watch_harness.h"

#include <QNetworkReply>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using Mode = FakeApiServer::Mode;

class TestClientIdentity : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void newCertificateAtOnce();
    void watchResumesAsTheNewIdentity();
    void readUnderWayIsAskedAgain();
    void repeatedReadGoesAsWeAreByThen();
    void writeUnderWayIsNotSentAgain();
    void newTokenKeepsWatches();
    void refusedReadIsTriedOnceMore_data();
    void refusedReadIsTriedOnceMore();
    void refusedWriteIsNotSentAgain();
    void refusedWatchIsTriedOnceMore();
    void refusedWatchSaysWho();
    void adviceForEachKind_data();
    void adviceForEachKind();
    void impersonation();
    void impersonationThatCannotBeSent_data();
    void impersonationThatCannotBeSent();
    void metadataOnly();
    void disableCompression();
    void questions();
    void onlyReviewsMayBeAsked_data();
    void onlyReviewsMayBeAsked();

private:
    static Response get(Client &client);
    static Response write(Client &client);
};

static Credential certificate(const QString &name)
{
    Credential credential;
    credential.userName = u"dba"_s;
    credential.certificatePem = certificateText(name + u".crt"_s);
    credential.keyPem = certificateText(name + u".key"_s);
    return credential;
}

static void good(const ExchangePtr &x)
{
    x->answer(200, objectJson("acme", 7));
}

static const Path acme{Resource::Endpoints, u"db"_s, u"acme"_s};

static Response waitFor(std::optional<Response> &got)
{
    if (!waitUntil([&] { return got.has_value(); }, 30000))
        qFatal("no answer at all");
    return *got;
}

Response TestClientIdentity::get(Client &client)
{
    std::optional<Response> got;
    client.get(acme, {}, &client, [&](const Response &response) { got = response; });
    return waitFor(got);
}

Response TestClientIdentity::write(Client &client)
{
    std::optional<Response> got;
    client.write({WriteVerb::Patch, acme, "{}"}, &client, [&](const Response &response) { got = response; });
    return waitFor(got);
}

static QStringList users(const FakeApiServer &server)
{
    QStringList all;
    for (const Request &request : server.requests())
        all.append(request.user);
    return all;
}

static SharedParts partsOf(const ContextConfig &config)
{
    SharedParts parts;
    parts.credentials = std::make_shared<CredentialSource>(config);
    return parts;
}

void TestClientIdentity::newCertificateAtOnce()
{
    FakeApiServer server(Mode::MutualTls);
    server.setHandler(good);
    ContextConfig config = server.config();
    config.credential = certificate(u"client-rsa"_s);
    const SharedParts parts = partsOf(config);
    Client client(config, parts), other(config, parts);
    QVERIFY(get(client).ok() && write(client).ok() && get(other).ok());
    parts.credentials->replace(certificate(u"client-ec"_s));
    QVERIFY(get(client).ok() && write(client).ok() && get(other).ok());
    QCOMPARE(users(server), (QStringList{u"rita"_s, u"rita"_s, u"rita"_s, u"emil"_s, u"emil"_s, u"emil"_s}));
    QTRY_VERIFY(server.openSockets() <= 4); // the old ones are let go, one by one
}

void TestClientIdentity::watchResumesAsTheNewIdentity()
{
    WatchHarness h(quickTimes(), Mode::MutualTls);
    ContextConfig config = h.server.config();
    config.credential = certificate(u"client-rsa"_s);
    const SharedParts parts = partsOf(config);
    h.watch.reset();
    h.client = std::make_unique<Client>(config, parts);
    Watch watch(h.client.get(), Resource::Endpoints, u"db"_s, Clock{[&] { return h.now; }}, quickTimes());
    QStringList log;
    connect(&watch, &Watch::observed, this, [&](const Observation &o) {
        if (const auto *changed = std::get_if<Changed>(&o.what))
            log.append(QString::fromStdString(changed->object.resourceVersion));
        else if (std::holds_alternative<Lost>(o.what))
            log.append(u"lost"_s);
    });
    watch.start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(eventJson("MODIFIED", objectJson("a", 11)));
    QTRY_COMPARE(log, QStringList{u"11"_s});
    parts.credentials->replace(certificate(u"client-ec"_s));
    get(*h.client); // whoever asks next finds the new certificate
    QTRY_COMPARE(h.streams.size(), 2);
    h.streams.first()->send(eventJson("MODIFIED", objectJson("a", 12))); // into the void
    h.streams.last()->send(eventJson("MODIFIED", objectJson("a", 12)) + eventJson("MODIFIED", objectJson("a", 13)));
    QTRY_COMPARE(log, (QStringList{u"11"_s, u"12"_s, u"13"_s}));
    QCOMPARE(h.watchedFrom(), (QStringList{u"10"_s, u"11"_s}));
    QCOMPARE(h.streams.first()->request().user, u"rita"_s);
    QCOMPARE(h.streams.last()->request().user, u"emil"_s);
    QCOMPARE(h.lists(), 2); // the first list, and the GET
}

void TestClientIdentity::readUnderWayIsAskedAgain()
{
    FakeApiServer server(Mode::MutualTls);
    QList<ExchangePtr> held;
    server.setHandler([&](const ExchangePtr &x) { held.append(x); });
    ContextConfig config = server.config();
    config.credential = certificate(u"client-rsa"_s);
    const SharedParts parts = partsOf(config);
    Client client(config, parts);
    std::optional<Response> first, second;
    client.get(acme, {}, &client, [&](const Response &r) { first = r; });
    QTRY_COMPARE(held.size(), 1);
    parts.credentials->replace(certificate(u"client-ec"_s));
    client.get(acme, {}, &client, [&](const Response &r) { second = r; });
    QTRY_COMPARE(held.size(), 3);
    for (const ExchangePtr &x : std::as_const(held))
        good(x);
    QVERIFY(waitFor(first).ok());
    QVERIFY(waitFor(second).ok());
    QCOMPARE(users(server), (QStringList{u"rita"_s, u"emil"_s, u"emil"_s}));
}

// A busy server is waited for; the certificate changes meanwhile.
void TestClientIdentity::repeatedReadGoesAsWeAreByThen()
{
    FakeApiServer server(Mode::MutualTls);
    server.setHandler([&](const ExchangePtr &x) { server.requests().size() == 1 ? x->answer(503, statusJson(503, "", "busy")) : good(x); });
    ContextConfig config = server.config();
    config.credential = certificate(u"client-rsa"_s);
    const SharedParts parts = partsOf(config);
    Client client(config, parts);
    connect(&client, &Client::answered, parts.credentials.get(), [&](const Response &response) {
        if (response.status == 503)
            parts.credentials->replace(certificate(u"client-ec"_s));
    });
    QVERIFY(get(client).ok());
    QVERIFY(get(client).ok());
    QCOMPARE(users(server), (QStringList{u"rita"_s, u"emil"_s, u"emil"_s}));
}

void TestClientIdentity::writeUnderWayIsNotSentAgain()
{
    FakeApiServer server(Mode::MutualTls);
    ExchangePtr held;
    server.setHandler([&](const ExchangePtr &x) { x->request().method == "PATCH" ? void(held = x) : good(x); });
    ContextConfig config = server.config();
    config.credential = certificate(u"client-rsa"_s);
    const SharedParts parts = partsOf(config);
    Client client(config, parts);
    std::optional<Response> written;
    client.write({WriteVerb::Patch, acme, "{}"}, &client, [&](const Response &r) { written = r; });
    QTRY_VERIFY(held != nullptr);
    parts.credentials->replace(certificate(u"client-ec"_s));
    QVERIFY(get(client).ok());
    QVERIFY(get(client).ok());
    QVERIFY(!written);
    good(held);
    QVERIFY(waitFor(written).ok());
    QCOMPARE(server.count("PATCH"), 1);
    QVERIFY(get(client).ok());
}

void TestClientIdentity::newTokenKeepsWatches()
{
    WatchHarness h;
    ContextConfig config = h.server.config();
    config.credential.token = "first";
    const SharedParts parts = partsOf(config);
    h.watch.reset();
    h.client = std::make_unique<Client>(config, parts);
    Watch watch(h.client.get(), Resource::Endpoints, u"db"_s, Clock{[&] { return h.now; }}, quickTimes());
    watch.start();
    QTRY_COMPARE(h.streams.size(), 1);
    Credential next = config.credential;
    next.token = "second";
    parts.credentials->replace(next);
    get(*h.client);
    QCOMPARE(h.server.requests().last().headers.value("authorization"), QByteArray("Bearer second"));
    QVERIFY(h.streams.first()->open());
    QCOMPARE(h.streams.size(), 1);
}

// A token file that is rewritten when the server has refused what was in it.
struct TokenServer
{
    explicit TokenServer(QByteArray valid)
        : wanted("Bearer " + valid)
    {
        server.setHandler([this](const ExchangePtr &x) {
            if (x->request().headers.value("authorization") == wanted)
                return x->request().isWatch() ? x->startStream() : x->answer(200, listJson("10", {objectJson("a", 5)}));
            if (!next.isEmpty())
                put(next);
            x->answer(401, statusJson(401, "Unauthorized", "Unauthorized"));
        });
        put("first");
        config = server.config();
        config.credential.userName = u"dba"_s;
        config.credential.tokenFile = folder.filePath(u"token"_s);
    }
    void put(const QByteArray &token) const
    {
        QFile file(folder.filePath(u"token"_s));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no token file");
        file.write(token);
    }
    QTemporaryDir folder;
    FakeApiServer server;
    QByteArray wanted, next;
    ContextConfig config;
};

void TestClientIdentity::refusedReadIsTriedOnceMore_data()
{
    QTest::addColumn<QByteArray>("next"); // what the file holds after the refusal; empty: as before
    QTest::addColumn<int>("requests");
    QTest::addColumn<bool>("ok");
    QTest::newRow("another, good") << QByteArray("second") << 2 << true;
    QTest::newRow("another, no better") << QByteArray("third") << 2 << false;
    QTest::newRow("the same") << QByteArray() << 1 << false;
}

void TestClientIdentity::refusedReadIsTriedOnceMore()
{
    QFETCH(QByteArray, next);
    QFETCH(bool, ok);
    TokenServer t("second");
    t.next = next;
    Client client(t.config);
    const Response response = get(client);
    QCOMPARE(response.ok(), ok);
    QTEST(int(t.server.requests().size()), "requests");
    if (ok)
        return;
    QCOMPARE(response.error->kind, ErrorKind::Unauthorized);
    QCOMPARE(response.error->httpStatus, 401);
    const QString text = QString::fromStdString(describe(*response.error));
    QVERIFY2(text.contains(u"user dba"_s) && text.contains(t.config.credential.tokenFile), qPrintable(text));
    QVERIFY(!text.contains(u"third"_s) && !text.contains(u"first"_s));
}

void TestClientIdentity::refusedWriteIsNotSentAgain()
{
    TokenServer t("second");
    t.next = "second";
    Client client(t.config);
    const Response response = write(client);
    QCOMPARE(response.error->kind, ErrorKind::Unauthorized);
    QVERIFY(response.error->advice.find("not sent again") != std::string::npos);
    QVERIFY(get(client).ok()); // the new token is there already
    QCOMPARE(t.server.count("PATCH"), 1);
    QCOMPARE(t.server.count("GET"), 1);
    QVERIFY(write(client).ok());
}

void TestClientIdentity::refusedWatchIsTriedOnceMore()
{
    TokenServer t("first");
    Client client(t.config);
    Watch watch(&client, Resource::Endpoints, u"db"_s, systemClock(), quickTimes());
    bool lost = false;
    connect(&watch, &Watch::observed, this, [&](const Observation &o) {
        if (std::holds_alternative<Listed>(o.what)) { // between the list and the watch the token ends
            t.wanted = "Bearer second";
            t.next = "second";
        }
        lost = lost || std::holds_alternative<Lost>(o.what);
    });
    watch.start();
    QTRY_COMPARE(t.server.requests().size(), 3);
    QCOMPARE(t.server.requests().at(1).headers.value("authorization"), QByteArray("Bearer first"));
    QCOMPARE(t.server.requests().at(2).headers.value("authorization"), QByteArray("Bearer second"));
    QVERIFY(t.server.requests().at(2).isWatch());
    QVERIFY(!lost);
}

void TestClientIdentity::refusedWatchSaysWho()
{
    TokenServer t("first");
    Client client(t.config);
    Watch watch(&client, Resource::Endpoints, u"db"_s, systemClock(), quickTimes());
    std::optional<Error> error;
    connect(&watch, &Watch::observed, this, [&](const Observation &o) {
        if (std::holds_alternative<Listed>(o.what))
            t.wanted = "Bearer other";
        else if (const auto *lost = std::get_if<Lost>(&o.what); lost && !error)
            error = lost->error;
    });
    watch.start();
    QTRY_VERIFY(error.has_value());
    QCOMPARE(error->kind, ErrorKind::Unauthorized);
    QCOMPARE(error->verb, std::string("watch"));
    QVERIFY(error->advice.find("user dba") != std::string::npos);
    QCOMPARE(t.server.requests().size(), 2);
}

void TestClientIdentity::adviceForEachKind_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("words");
    QTest::newRow("token") << u"token"_s << u"its token is not"_s;
    QTest::newRow("basic") << u"basic"_s << u"1.19"_s;
    QTest::newRow("none") << u"none"_s << u"no credential"_s;
    QTest::newRow("certificate") << u"certificate"_s << u"client certificate"_s;
}

void TestClientIdentity::adviceForEachKind()
{
    QFETCH(QString, kind);
    QFETCH(QString, words);
    FakeApiServer server(kind == u"certificate"_s ? Mode::MutualTls : Mode::Http);
    server.setHandler([](const ExchangePtr &x) { x->answer(401, statusJson(401, "Unauthorized", "Unauthorized")); });
    ContextConfig config = server.config();
    if (kind == u"token"_s)
        config.credential.token = "s3cret";
    else if (kind == u"basic"_s)
        config.credential.basicUser = u"fritz"_s, config.credential.basicPassword = "s3cret";
    else if (kind == u"certificate"_s)
        config.credential = certificate(u"client-rsa"_s);
    Client client(config);
    const Response response = get(client);
    const QString text = QString::fromStdString(describe(*response.error));
    QVERIFY2(text.contains(words), qPrintable(text));
    QVERIFY(!text.contains(u"s3cret"_s));
    QCOMPARE(server.requests().size(), 1);
}

void TestClientIdentity::impersonation()
{
    FakeApiServer server;
    server.setHandler(good);
    ContextConfig config = server.config();
    config.impersonation.user = u"jürgen"_s;
    config.impersonation.uid = u"42"_s;
    config.impersonation.groups = QStringList{u"dba,ops"_s, u"system:authenticated"_s, u"on call"_s};
    config.impersonation.extra = {{u"Example.org/Scopes%"_s, QStringList{u"view"_s, u"edit"_s}}};
    Client client(config);
    QVERIFY(get(client).ok());
    QVERIFY(write(client).ok());
    const std::unique_ptr<QNetworkReply> watch(test::startWatch(client, {Resource::Pods, {}, {}}));
    QTRY_COMPARE(server.requests().size(), 3);
    for (const Request &request : server.requests()) {
        QCOMPARE(request.headers.value("impersonate-user"), QByteArray("jürgen"));
        QCOMPARE(request.headers.value("impersonate-uid"), QByteArray("42"));
        QCOMPARE(request.headers.value("impersonate-group"), QByteArray("dba,ops\nsystem:authenticated\non call"));
        QCOMPARE(request.headers.value("impersonate-extra-example.org%2fscopes%25"), QByteArray("view\nedit"));
    }
}

void TestClientIdentity::impersonationThatCannotBeSent_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QStringList>("groups");
    QTest::addColumn<QStringList>("extra");
    QTest::addColumn<int>("kind");
    QTest::newRow("a header in an extra") << u"a"_s << QStringList() << QStringList{u"b"_s, u"c\r\nX: y"_s} << int(ErrorKind::BadInput);
    QTest::newRow("a group without a user") << QString() << QStringList{u"b"_s} << QStringList() << int(ErrorKind::BadInput);
    QTest::newRow("a header in the user") << u"a\r\nImpersonate-Group: system:masters"_s << QStringList() << QStringList()
                                          << int(ErrorKind::BadInput);
    QTest::newRow("a header in the group") << u"a"_s << QStringList{u"b\nX: y"_s} << QStringList() << int(ErrorKind::BadInput);
}

void TestClientIdentity::impersonationThatCannotBeSent()
{
    QFETCH(QString, user);
    QFETCH(QStringList, groups);
    QFETCH(QStringList, extra);
    QFETCH(int, kind);
    FakeApiServer server;
    server.setHandler(good);
    ContextConfig config = server.config();
    config.impersonation.user = user;
    config.impersonation.groups = groups;
    if (!extra.isEmpty())
        config.impersonation.extra = {{u"k"_s, extra}};
    Client client(config);
    QCOMPARE(int(get(client).error->kind), kind);
    QCOMPARE(int(write(client).error->kind), kind);
    QCOMPARE(test::startWatch(client, {Resource::Pods, {}, {}}), nullptr);
    QCOMPARE(server.connections(), 0);
}

void TestClientIdentity::metadataOnly()
{
    FakeApiServer server;
    server.setHandler(good);
    Client client(server.config());
    Path list{Resource::ConfigMaps, u"db"_s, {}, true};
    Path object{Resource::ConfigMaps, u"db"_s, u"acme-config"_s, true};
    int done = 0;
    client.get(list, {}, &client, [&](const Response &) { ++done; });
    QTRY_COMPARE(done, 1);
    client.get(object, {}, &client, [&](const Response &) { ++done; });
    QTRY_COMPARE(done, 2);
    const std::unique_ptr<QNetworkReply> watch(test::startWatch(client, list));
    QTRY_COMPARE(server.requests().size(), 3);
    const QByteArray tail = ";g=meta.k8s.io;v=v1,application/json";
    QCOMPARE(server.requests().at(0).headers.value("accept"), "application/json;as=PartialObjectMetadataList" + tail);
    QCOMPARE(server.requests().at(1).headers.value("accept"), "application/json;as=PartialObjectMetadata" + tail);
    QCOMPARE(server.requests().at(2).headers.value("accept"), "application/json;as=PartialObjectMetadata" + tail);
}

void TestClientIdentity::disableCompression()
{
    FakeApiServer server;
    server.setHandler(good);
    ContextConfig config = server.config();
    config.disableCompression = true;
    Client client(config);
    QVERIFY(get(client).ok());
    QCOMPARE(server.requests().first().headers.value("accept-encoding"), QByteArray("identity"));
}

void TestClientIdentity::questions()
{
    FakeApiServer server;
    server.setHandler([&](const ExchangePtr &x) {
        server.requests().size() == 1 ? x->answer(503, statusJson(503, "", "busy")) : x->answer(201, "{\"status\":{\"allowed\":true}}");
    });
    Client client(server.config());
    std::optional<Response> got;
    client.ask(u"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"_s, "{\"spec\":{}}", &client, [&](const Response &r) { got = r; });
    QVERIFY(waitFor(got).ok());
    QCOMPARE(server.count("POST"), 2); // it changes nothing, so it may be repeated
    QCOMPARE(server.requests().last().path(), u"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"_s);
    QCOMPARE(server.requests().last().body, QByteArray("{\"spec\":{}}"));
    QCOMPARE(server.requests().last().headers.value("content-type"), QByteArray("application/json"));
}

void TestClientIdentity::onlyReviewsMayBeAsked_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("allowed");
    QTest::newRow("access") << u"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"_s << true;
    QTest::newRow("rules") << u"/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"_s << true;
    QTest::newRow("self") << u"/apis/authentication.k8s.io/v1/selfsubjectreviews"_s << true;
    QTest::newRow("endpoints") << u"/api/v1/namespaces/db/endpoints"_s << false;
    QTest::newRow("up and away") << u"/apis/authorization.k8s.io/../../api/v1/namespaces/db/endpoints"_s << false;
    QTest::newRow("encoded") << u"/apis/authorization.k8s.io/%2e%2e/x"_s << false;
    QTest::newRow("query") << u"/apis/authorization.k8s.io/v1/x?y"_s << false;
    QTest::newRow("another group") << u"/apis/rbac.authorization.k8s.io/v1/roles"_s << false;
    QTest::newRow("no path") << QString() << false;
}

void TestClientIdentity::onlyReviewsMayBeAsked()
{
    QFETCH(QString, path);
    QFETCH(bool, allowed);
    QCOMPARE(isReview(path), allowed);
    FakeApiServer server;
    server.setHandler([](const ExchangePtr &x) { x->answer(201, "{}"); });
    Client client(server.config());
    std::optional<Response> got;
    client.ask(path, "{}", &client, [&](const Response &r) { got = r; });
    const Response response = waitFor(got);
    QCOMPARE(response.ok(), allowed);
    QCOMPARE(server.requests().size(), allowed ? 1 : 0);
    if (!allowed)
        QCOMPARE(response.error->kind, ErrorKind::Refused);
}

QTEST_GUILESS_MAIN(TestClientIdentity)
#include "tst_client_identity.moc"
