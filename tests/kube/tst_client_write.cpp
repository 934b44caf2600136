// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// A write arrives exactly once, whatever the peer does, and what is not known to be refused is unknown.
#include "app/kube/client.h"

#include "fake_api_server.h"
#include "objects.h"

#include <QTest>

#include <optional>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

class TestClientWrite : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void requests();
    void swallowedAnswer_data();
    void swallowedAnswer();
    void answers_data();
    void answers();
    void nothingListens();
    void tlsRefused();
    void timeOut();
    void cutAnswer();

private:
    static Response write(Client &client, WriteVerb verb, milliseconds limit = milliseconds(5000));
};

static const QByteArray patchBody = R"({"metadata":{"resourceVersion":"7","annotations":{"leader":"acme-0"}}})";

Response TestClientWrite::write(Client &client, WriteVerb verb, milliseconds limit)
{
    std::optional<Response> got;
    client.write(
        {verb, {Resource::Endpoints, u"db"_s, u"acme-failover"_s}, patchBody}, &client, [&](const Response &response) { got = response; },
        limit);
    if (!waitUntil([&] { return got.has_value(); }, 30000))
        qFatal("no answer at all");
    return *got;
}

void TestClientWrite::requests()
{
    FakeApiServer server;
    ContextConfig config = server.config();
    config.credential.token = "s3cret";
    Client client(config);
    server.setHandler([](const ExchangePtr &x) { x->answer(x->request().method == "POST" ? 201 : 200, objectJson("acme-failover", 8)); });
    const Response patched = write(client, WriteVerb::Patch);
    QVERIFY(patched.ok());
    QCOMPARE(patched.status, 200);
    QCOMPARE(patched.body, objectJson("acme-failover", 8));
    const Response created = write(client, WriteVerb::Create);
    QVERIFY(created.ok());
    QCOMPARE(created.status, 201);

    QCOMPARE(server.requests().size(), 2);
    const Request patch = server.requests().at(0);
    QCOMPARE(patch.method, QByteArray("PATCH"));
    QCOMPARE(patch.target, QByteArray("/api/v1/namespaces/db/endpoints/acme-failover"));
    QCOMPARE(patch.headers.value("content-type"), QByteArray("application/merge-patch+json"));
    QCOMPARE(patch.headers.value("content-length"), QByteArray::number(patchBody.size()));
    QCOMPARE(patch.headers.value("authorization"), QByteArray("Bearer s3cret"));
    QCOMPARE(patch.version, QByteArray("HTTP/1.1"));
    QCOMPARE(patch.body, patchBody);
    const Request post = server.requests().at(1);
    QCOMPARE(post.method, QByteArray("POST"));
    QCOMPARE(post.target, QByteArray("/api/v1/namespaces/db/endpoints"));
    QCOMPARE(post.headers.value("content-type"), QByteArray("application/json"));
    QCOMPARE(post.body, patchBody);
}

void TestClientWrite::swallowedAnswer_data()
{
    QTest::addColumn<bool>("create");
    QTest::addColumn<bool>("tls");
    QTest::addColumn<bool>("warm");
    QTest::addColumn<bool>("reset");
    for (const bool create : {false, true}) {
        for (const bool tls : {false, true}) {
            for (const bool warm : {false, true}) {
                for (const bool reset : {false, true}) {
                    QTest::addRow("%s %s %s %s", create ? "POST" : "PATCH", tls ? "tls" : "plain", warm ? "kept-alive" : "fresh",
                                  reset ? "RST" : "FIN")
                        << create << tls << warm << reset;
                }
            }
        }
    }
}

void TestClientWrite::swallowedAnswer()
{
    QFETCH(bool, create);
    QFETCH(bool, tls);
    QFETCH(bool, warm);
    QFETCH(bool, reset);
    const WriteVerb verb = create ? WriteVerb::Create : WriteVerb::Patch;
    FakeApiServer server(tls ? FakeApiServer::Mode::Https : FakeApiServer::Mode::Http);
    Client client(server.config());
    const int earlier = warm ? 1 : 0;
    if (warm) {
        server.setHandler([](const ExchangePtr &x) { x->answer(200, objectJson("acme-failover", 8)); });
        QVERIFY(write(client, verb).ok());
    }
    server.setHandler([reset](const ExchangePtr &x) { reset ? x->reset() : x->close(); });
    const Response response = write(client, verb);
    QCOMPARE(response.error->kind, ErrorKind::OutcomeUnknown);
    QCOMPARE(response.error->verb, std::string(create ? "create" : "patch"));
    QCOMPARE(response.error->name, std::string("acme-failover"));
    QCOMPARE(response.status, 0);

    // Time for a second copy to come, if one were sent: a read by another connection goes all the way.
    server.setHandler([](const ExchangePtr &x) { x->answer(200, objectJson("acme-failover", 8)); });
    for (int i = 0; i < 3; ++i) {
        bool done = false;
        client.get({Resource::Endpoints, u"db"_s, u"acme"_s}, {}, &client, [&](const Response &) { done = true; });
        QVERIFY(waitUntil([&] { return done; }));
    }
    QCOMPARE(server.count(create ? "POST" : "PATCH"), earlier + 1);
    if (warm)
        QCOMPARE(server.requests().at(0).connection, server.requests().at(1).connection);
}

void TestClientWrite::answers_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *name, int status, const char *reason, ErrorKind kind) {
        QTest::newRow(name) << status << QByteArray(reason) << static_cast<int>(kind);
    };
    row("401", 401, "Unauthorized", ErrorKind::Unauthorized);
    row("403", 403, "Forbidden", ErrorKind::Forbidden);
    row("404", 404, "NotFound", ErrorKind::NotFound);
    row("409", 409, "Conflict", ErrorKind::Conflict);
    row("422", 422, "Invalid", ErrorKind::BadInput);
    row("429", 429, "TooManyRequests", ErrorKind::Throttled);
    row("500, the store may have done it", 500, "InternalError", ErrorKind::OutcomeUnknown);
    row("502 of something in between", 502, "", ErrorKind::OutcomeUnknown);
    row("503 of the API server", 503, "ServiceUnavailable", ErrorKind::Server);
    row("503 of something in between", 503, "", ErrorKind::OutcomeUnknown);
    row("504", 504, "Timeout", ErrorKind::OutcomeUnknown);
    row("302", 302, "", ErrorKind::Server);
}

void TestClientWrite::answers()
{
    QFETCH(int, status);
    QFETCH(QByteArray, reason);
    QFETCH(int, kind);
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([&](const ExchangePtr &x) {
        const QByteArray body = reason.isEmpty() ? QByteArray("<html/>") : statusJson(status, reason, "words");
        x->answer(status, body, {{"WWW-Authenticate", "Basic realm=\"k\""}, {"Location", server.url().toLatin1() + "/elsewhere"}});
    });
    const Response response = write(client, WriteVerb::Patch);
    QCOMPARE(static_cast<int>(response.error->kind), kind);
    QCOMPARE(response.error->httpStatus, status);
    QCOMPARE(server.requests().size(), 1);
}

void TestClientWrite::nothingListens()
{
    FakeApiServer server;
    Client client(server.config());
    server.stopListening();
    const Response response = write(client, WriteVerb::Patch);
    QCOMPARE(response.error->kind, ErrorKind::Unreachable);
}

void TestClientWrite::tlsRefused()
{
    FakeApiServer server(FakeApiServer::Mode::Https);
    ContextConfig config = server.config();
    config.caPem = certificateText(u"other-ca.crt"_s);
    Client client(config);
    const Response response = write(client, WriteVerb::Create);
    QCOMPARE(response.error->kind, ErrorKind::Unreachable);
    QCOMPARE(server.requests().size(), 0);
}

void TestClientWrite::timeOut()
{
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([](const ExchangePtr &) {});
    const Response response = write(client, WriteVerb::Patch, milliseconds(2000));
    QCOMPARE(response.error->kind, ErrorKind::OutcomeUnknown);
    QCOMPARE(response.error->message, std::string("no answer within 2 s"));
    QCOMPARE(server.requests().size(), 1);
}

void TestClientWrite::cutAnswer()
{
    FakeApiServer server;
    Client client(server.config());
    server.setHandler([](const ExchangePtr &x) {
        x->answer(200, "{\"kind\":", {{"Content-Length", "500"}});
        x->close();
    });
    const Response response = write(client, WriteVerb::Patch);
    QCOMPARE(response.error->kind, ErrorKind::OutcomeUnknown);
    QCOMPARE(response.status, 200);
    QCOMPARE(server.requests().size(), 1);
}

QTEST_GUILESS_MAIN(TestClientWrite)
#include "tst_client_write.moc"
