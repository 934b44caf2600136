// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Certificates, keys, names: what a connection is trusted for and who it is made as.
#include "app/kube/client.h"
#include "app/kube/tls_material.h"
#include "tests/support/patience.h"

#include "fake_api_server.h"
#include "objects.h"

#include <QNetworkReply>
#include <QTest>

#include <optional>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;

using Mode = FakeApiServer::Mode;

class TestClientTls : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void http11OnlyThoughHttp2IsOffered();
    void untrustedAuthority();
    void wrongName();
    void tlsServerName();
    void insecure();
    void clientCertificates_data();
    void clientCertificates();
    void keyDefects_data();
    void keyDefects();
    void noClientCertificate();
    void keyOfAnotherCertificate();
    void usersDoNotShareConnections();
    void plainServerBehindHttps();

private:
    static Response get(Client &client);
    static void answerAll(FakeApiServer &server);
};

Response TestClientTls::get(Client &client)
{
    std::optional<Response> got;
    client.get({Resource::Endpoints, u"db"_s, u"acme"_s}, {}, &client, [&](const Response &response) { got = response; });
    if (!waitUntil([&] { return got.has_value(); }, 30000))
        qFatal("no answer at all");
    return *got;
}

void TestClientTls::answerAll(FakeApiServer &server)
{
    server.setHandler([](const ExchangePtr &x) { x->answer(200, objectJson("acme", 7)); });
}

void TestClientTls::http11OnlyThoughHttp2IsOffered()
{
    FakeApiServer server(Mode::Https);
    answerAll(server);
    Client client(server.config());
    QVERIFY(get(client).ok());
    const std::unique_ptr<QNetworkReply> watch(test::startWatch(client, {Resource::Pods, {}, {}}));
    QTRY_VERIFY(watch->isFinished());
    QCOMPARE(watch->attribute(QNetworkRequest::Http2WasUsedAttribute).toBool(), false);
    QCOMPARE(server.requests().size(), 2);
    for (const Request &request : server.requests()) {
        QCOMPARE(request.version, QByteArray("HTTP/1.1"));
        QVERIFY(request.protocol != "h2");
    }
}

void TestClientTls::untrustedAuthority()
{
    FakeApiServer server(Mode::Https);
    answerAll(server);
    ContextConfig config = server.config();
    for (const QByteArray &ca : {certificateText(u"other-ca.crt"_s), QByteArray()}) {
        config.caPem = ca;
        Client client(config);
        const Response response = get(client);
        QCOMPARE(response.error->kind, ErrorKind::Unreachable);
        QVERIFY(response.error->message.find("certificate") != std::string::npos);
        QVERIFY(response.error->advice.find("certificate-authority") != std::string::npos);
    }
    QCOMPARE(server.requests().size(), 0);
}

void TestClientTls::wrongName()
{
    FakeApiServer server(Mode::Https);
    answerAll(server);
    ContextConfig config = server.config();
    config.tlsServerName = u"other.example"_s;
    Client client(config);
    const Response response = get(client);
    QCOMPARE(response.error->kind, ErrorKind::Unreachable);
    QVERIFY(response.error->message.find("host name") != std::string::npos);
}

void TestClientTls::tlsServerName()
{
    FakeApiServer server(Mode::Https);
    answerAll(server);
    ContextConfig config = server.config();
    config.tlsServerName = u"api.example"_s;
    Client client(config);
    QVERIFY(get(client).ok());
}

void TestClientTls::insecure()
{
    FakeApiServer server(Mode::Https);
    answerAll(server);
    ContextConfig config = server.config();
    config.caPem.clear();
    config.insecureSkipTlsVerify = true;
    Client client(config);
    QVERIFY(get(client).ok());
}

void TestClientTls::clientCertificates_data()
{
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("user");
    QTest::newRow("RSA as PKCS#1") << u"client-rsa.crt"_s << u"client-rsa-pkcs1.key"_s << u"rita"_s;
    QTest::newRow("RSA as PKCS#8") << u"client-rsa.crt"_s << u"client-rsa-pkcs8.key"_s << u"rita"_s;
    QTest::newRow("EC as SEC1") << u"client-ec.crt"_s << u"client-ec-sec1.key"_s << u"emil"_s;
    QTest::newRow("EC as SEC1 with parameters") << u"client-ec.crt"_s << u"client-ec.key"_s << u"emil"_s;
    QTest::newRow("EC as PKCS#8") << u"client-ec.crt"_s << u"client-ec-pkcs8.key"_s << u"emil"_s;
}

void TestClientTls::clientCertificates()
{
    QFETCH(QString, certificate);
    QFETCH(QString, key);
    QFETCH(QString, user);
    FakeApiServer server(Mode::MutualTls);
    answerAll(server);
    ContextConfig config = server.config();
    config.credential.certificatePem = certificateText(certificate);
    config.credential.keyPem = certificateText(key);
    QVERIFY(!keyDefect(config.credential.keyPem));
    QVERIFY(!certificateDefect(config.credential.certificatePem));
    Client client(config);
    QVERIFY(get(client).ok());
    QCOMPARE(server.requests().first().user, user);
}

void TestClientTls::keyDefects_data()
{
    QTest::addColumn<QByteArray>("pem");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const QByteArray &pem, ErrorKind kind, const QString &words) {
        QTest::newRow(name) << pem << static_cast<int>(kind) << words;
    };
    const QByteArray whole = certificateText(u"client-rsa-pkcs8.key"_s);
    row("Ed25519", certificateText(u"client-ed25519.key"_s), ErrorKind::NotSupported, u"Ed25519"_s);
    row("passphrase", certificateText(u"client-encrypted.key"_s), ErrorKind::NotSupported, u"passphrase"_s);
    row("half a key", whole.left(300) + "\n-----END PRIVATE KEY-----\n", ErrorKind::BadInput, u"damaged"_s);
    row("a certificate", certificateText(u"client-rsa.crt"_s), ErrorKind::BadInput, u"no private key"_s);
    row("junk", "junk", ErrorKind::BadInput, u"no private key"_s);
    row("nothing", "", ErrorKind::BadInput, u"no private key"_s);
}

void TestClientTls::keyDefects()
{
    QFETCH(QByteArray, pem);
    QFETCH(int, kind);
    QFETCH(QString, words);
    const std::optional<Error> defect = keyDefect(pem);
    QVERIFY(defect.has_value());
    QCOMPARE(static_cast<int>(defect->kind), kind);
    QVERIFY(QString::fromStdString(defect->message).contains(words));
}

void TestClientTls::noClientCertificate()
{
    FakeApiServer server(Mode::MutualTls);
    answerAll(server);
    Client client(server.config());
    const Response response = get(client);
    QCOMPARE(response.error->kind, ErrorKind::Unreachable);
    QCOMPARE(response.error->httpStatus, 0);
    QVERIFY(!response.error->message.empty());
    QCOMPARE(server.requests().size(), 0);
}

void TestClientTls::keyOfAnotherCertificate()
{
    FakeApiServer server(Mode::MutualTls);
    answerAll(server);
    ContextConfig config = server.config();
    config.credential.certificatePem = certificateText(u"client-rsa.crt"_s);
    config.credential.keyPem = certificateText(u"ca.key"_s);
    Client client(config);
    const Response response = get(client);
    QCOMPARE(response.error->kind, ErrorKind::BadInput);
    QVERIFY(response.error->message.find("do not belong together") != std::string::npos);
}

void TestClientTls::usersDoNotShareConnections()
{
    FakeApiServer server(Mode::MutualTls);
    answerAll(server);
    ContextConfig rita = server.config();
    rita.credential.certificatePem = certificateText(u"client-rsa.crt"_s);
    rita.credential.keyPem = certificateText(u"client-rsa.key"_s);
    ContextConfig emil = server.config();
    emil.credential.certificatePem = certificateText(u"client-ec.crt"_s);
    emil.credential.keyPem = certificateText(u"client-ec.key"_s);
    Client first(rita);
    Client second(emil);
    QVERIFY(get(first).ok());
    QVERIFY(get(second).ok());
    QVERIFY(get(first).ok());
    QStringList users;
    for (const Request &request : server.requests())
        users.append(request.user);
    QCOMPARE(users, (QStringList{u"rita"_s, u"emil"_s, u"rita"_s}));
}

void TestClientTls::plainServerBehindHttps()
{
    FakeApiServer server;
    server.setHandler([](const ExchangePtr &) {});
    // Answers the TLS greeting as an HTTP server does.
    ContextConfig config = server.config();
    config.server.replace(u"http:"_s, u"https:"_s);
    Client client(config);
    std::optional<Response> got;
    client.get(
        {Resource::Endpoints, {}, {}}, {}, &client, [&](const Response &response) { got = response; }, std::chrono::milliseconds(300));
    QTRY_VERIFY(got.has_value());
    QCOMPARE(got->error->kind, ErrorKind::Unreachable);
}

QTEST_GUILESS_MAIN(TestClientTls)
#include "tst_client_tls.moc"
