// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What a connection knows of its API server, and a kubeconfig that was written anew.
#include "app/clusters/connection.h"

#include "tests/kube/fake_api_server.h"
#include "tests/kube/objects.h"
#include "tests/kube/watch_harness.h"
#include "tests/support/patience.h"

#include <QLocale>
#include <QTest>

using namespace switchyard;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Mode = FakeApiServer::Mode;

class TestServerFacts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void skewFromDate();
    void latencyOfASmallAnswer();
    void versionIsAskedOnce();
    void versionAfterAReconnect();
    void versionRefused();
    void serverInUse();
    void noticeOfABypassRefused();
    void newCredential();
    void anotherIdentity();
    void requestTimeout();

private:
    void connectTo(const kube::ContextConfig &config, const ConnectionOptions &options = {QStringList{u"db"_s}});
    int asked(const QString &path) const;

    std::unique_ptr<FakeApiServer> m_server;
    std::unique_ptr<Connection> m_connection;
    QList<ExchangePtr> m_streams;
    QByteArray m_version;
    int m_versionStatus = 200;
    FakeApiServer::Handler m_handler;
};

static QByteArray httpDate(const QDateTime &time)
{
    return QLocale::c().toString(time.toUTC(), u"ddd, dd MMM yyyy HH:mm:ss 'GMT'"_s).toLatin1();
}

static QByteArray listOf(const QString &path, qsizetype blanks = 0)
{
    const QByteArray kind = path.endsWith(u"/pods"_s) ? "PodList" : path.endsWith(u"/configmaps"_s) ? "ConfigMapList" : "EndpointsList";
    QByteArray list = listJson("10", {}).replace("EndpointsList", kind);
    return list.insert(1, QByteArray(blanks, ' '));
}

void TestServerFacts::init()
{
    m_server = std::make_unique<FakeApiServer>(Mode::Https);
    m_version = "v1.31.2";
    m_versionStatus = 200;
    m_streams.clear();
    m_handler = [this](const ExchangePtr &x) {
        const QString path = x->request().path();
        if (x->request().isWatch()) {
            x->startStream();
            m_streams.append(x);
        } else if (path == u"/version"_s) {
            x->answer(m_versionStatus,
                      m_versionStatus == 200 ? "{\"gitVersion\":\"" + m_version + "\"}" : statusJson(m_versionStatus, "Forbidden", "no"));
        } else if (path.endsWith(u"/default/endpoints/kubernetes"_s)) {
            x->answer(403, statusJson(403, "Forbidden", "no"));
        } else {
            x->answer(200, listOf(path), {{"Date", httpDate(QDateTime::currentDateTimeUtc().addSecs(3600))}});
        }
    };
    m_server->setHandler(m_handler);
}

void TestServerFacts::cleanup()
{
    m_connection.reset();
    m_server.reset();
}

void TestServerFacts::connectTo(const kube::ContextConfig &config, const ConnectionOptions &options)
{
    m_connection = std::make_unique<Connection>(config, options, kube::systemClock(), quickTimes());
    m_connection->start();
}

int TestServerFacts::asked(const QString &path) const
{
    const auto &all = m_server->requests();
    return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const Request &r) { return r.path() == path; }));
}

void TestServerFacts::skewFromDate()
{
    connectTo(m_server->config());
    QVERIFY(!m_connection->skew());
    QTRY_VERIFY(m_connection->skew().has_value());
    const ClockSkew skew = *m_connection->skew();
    QVERIFY(skew.certain());
    QVERIFY(skew.offset - skew.uncertainty <= Duration(1h) && Duration(1h) <= skew.offset + skew.uncertainty + Duration(1s));
    QVERIFY(skew.uncertainty >= Duration(500ms));
}

void TestServerFacts::latencyOfASmallAnswer()
{
    m_server->setHandler([](const ExchangePtr &x) {
        if (x->request().isWatch())
            return x->startStream();
        if (x->request().path() != u"/version"_s) // which is small
            x->answer(200, listOf(x->request().path(), 100000));
    });
    connectTo(m_server->config());
    QTRY_COMPARE(asked(u"/version"_s), 1);
    const auto before = m_connection->latency();
    QVERIFY(!before); // only large answers yet
    m_server->setHandler(m_handler);
    m_connection->relist();
    QTRY_VERIFY(m_connection->latency().has_value());
    QVERIFY(*m_connection->latency() >= 0ms && *m_connection->latency() < 5s);
}

void TestServerFacts::versionIsAskedOnce()
{
    connectTo(m_server->config());
    QTRY_COMPARE(m_connection->serverVersion(), u"v1.31.2"_s);
    const qsizetype before = m_server->requests().size();
    m_connection->relist();
    QTRY_VERIFY(m_server->requests().size() >= before + 6);
    QCOMPARE(asked(u"/version"_s), 1);
}

void TestServerFacts::versionAfterAReconnect()
{
    connectTo(m_server->config());
    QTRY_COMPARE(m_connection->serverVersion(), u"v1.31.2"_s);
    QTRY_COMPARE(m_streams.size(), 3);
    m_version = "v1.32.0";
    m_server->stopListening();
    m_server->dropConnections();
    QTRY_VERIFY(m_connection->retryIn().has_value());
    m_server->listenAgain();
    m_connection->relist();
    QTRY_COMPARE(m_connection->serverVersion(), u"v1.32.0"_s);
}

void TestServerFacts::versionRefused()
{
    m_versionStatus = 403;
    connectTo(m_server->config());
    QTRY_COMPARE(asked(u"/version"_s), 1);
    QTRY_VERIFY(m_streams.size() >= 3);
    const qsizetype before = m_server->requests().size();
    m_connection->relist();
    QTRY_VERIFY(m_server->requests().size() >= before + 6); // how many of them are watches is a matter of speed
    QCOMPARE(asked(u"/version"_s), 1);
    QVERIFY(m_connection->serverVersion().isEmpty());
}

void TestServerFacts::serverInUse()
{
    FakeApiServer other(Mode::Https);
    other.setHandler(m_handler);
    ConnectionOptions options(QStringList{u"db"_s});
    options.apiServers = QStringList{other.url()};
    connectTo(m_server->config(), options);
    QTRY_VERIFY(m_streams.size() >= 3);
    const qsizetype before = m_streams.size();
    QCOMPARE(m_connection->server(), m_server->url());
    m_server->stopListening();
    m_server->dropConnections();
    QTRY_COMPARE(m_connection->server(), other.url());
    QTRY_VERIFY(m_streams.size() >= before + 3); // the watches go on there
    QVERIFY(m_connection->notice().isEmpty());
}

void TestServerFacts::noticeOfABypassRefused()
{
    ConnectionOptions options(QStringList{u"db"_s});
    options.bypassApiService = true;
    connectTo(m_server->config(), options);
    QTRY_VERIFY(m_connection->notice().contains(u"forbidden"_s));
    QTRY_COMPARE(m_streams.size(), 3);
}

void TestServerFacts::newCredential()
{
    kube::ContextConfig config = m_server->config();
    config.credential.userName = u"dba"_s;
    config.credential.token = "first";
    connectTo(config);
    QTRY_COMPARE(m_streams.size(), 3);
    kube::ContextConfig next = config;
    next.credential.token = "second";
    QVERIFY(m_connection->update(next));
    QCOMPARE(m_connection->config().credential.token, QByteArray("second"));
    m_connection->probe(Resource::Endpoints, u"db"_s, u"acme"_s, "5");
    QTRY_COMPARE(asked(u"/api/v1/namespaces/db/endpoints/acme"_s), 1);
    for (const Request &request : m_server->requests()) {
        if (request.path() == "/api/v1/namespaces/db/endpoints/acme"_L1)
            QCOMPARE(request.headers.value("authorization"), QByteArray("Bearer second"));
    }
    QTRY_COMPARE(m_streams.size(), 6); // the token may be another person's: nothing goes on with the first one
    for (qsizetype i = 3; i < 6; ++i)
        QCOMPARE(m_streams.at(i)->request().headers.value("authorization"), QByteArray("Bearer second"));
    kube::ContextConfig same = next;
    same.caFile = u"/elsewhere/ca.crt"_s;
    QVERIFY(m_connection->update(same));
    QCoreApplication::processEvents();
    QCOMPARE(m_streams.size(), 6); // the same credential: the watches go on
}

void TestServerFacts::anotherIdentity()
{
    kube::ContextConfig config = m_server->config();
    config.credential.userName = u"dba"_s;
    connectTo(config);
    kube::ContextConfig user = config, server = config, ca = config, as = config;
    user.credential.userName = u"other"_s;
    server.server = u"https://elsewhere"_s;
    ca.caPem = certificateText(u"other-ca.crt"_s);
    as.impersonation.user = u"root"_s;
    for (const kube::ContextConfig &other : {user, server, ca, as}) {
        QVERIFY(!m_connection->update(other));
        QVERIFY(m_connection->config() == config);
    }
    QVERIFY(m_connection->update(config));
}

void TestServerFacts::requestTimeout()
{
    m_server->setHandler([](const ExchangePtr &) {});
    ConnectionOptions options(QStringList{u"db"_s});
    options.requestTimeout = 130ms;
    std::string message;
    m_connection = std::make_unique<Connection>(m_server->config(), options, kube::systemClock(), quickTimes());
    connect(m_connection.get(), &Connection::observed, this, [&](const Observation &o) {
        if (const auto *lost = std::get_if<Lost>(&o.what))
            message = lost->error.message;
    });
    m_connection->start();
    QTRY_COMPARE(message, std::string("no answer within 0.13 s"));
}

QTEST_GUILESS_MAIN(TestServerFacts)
#include "tst_server_facts.moc"
