// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Which proxy is used, and requests that go through one.
#include "app/kube/proxy.h"
#include "tests/support/patience.h"

#include "app/kube/client.h"
#include "fake_api_server.h"
#include "fake_proxy.h"
#include "objects.h"
#include "watch_harness.h"

#include <QTest>

#include <optional>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Mode = FakeApiServer::Mode;
using Kind = FakeProxy::Kind;

class TestProxy : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void choices_data();
    void choices();
    void defects_data();
    void defects();
    void passwordIsNotShown();
    void requestsGoThrough_data();
    void requestsGoThrough();
    void watchGoesThrough();
    void environmentIsUsed();
    void trouble_data();
    void trouble();
    void httpsProxyIsAClearError();

private:
    static Response get(Client &client);
};

static void good(const ExchangePtr &x)
{
    x->answer(200, objectJson("acme", 7));
}

void TestProxy::init()
{
    for (const char *name : {"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"})
        qunsetenv(name);
}

Response TestProxy::get(Client &client)
{
    std::optional<Response> got;
    client.get(
        {Resource::Endpoints, u"db"_s, u"acme"_s}, {}, &client, [&](const Response &response) { got = response; }, 6000ms);
    if (!waitUntil([&] { return got.has_value(); }, 30000))
        qFatal("no answer at all");
    return *got;
}

void TestProxy::choices_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("proxyUrl");
    QTest::addColumn<QStringList>("environment");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const QString &server, const QString &proxyUrl, const QStringList &environment,
                        const QString &expected) { QTest::newRow(name) << server << proxyUrl << environment << expected; };
    const QString far = u"https://api.db.example:6443"_s;
    const QString p = u"http://proxy:3128"_s;
    const QString https = u"HTTPS_PROXY="_s + p;
    row("nothing", far, {}, {}, {});
    row("proxy-url http", far, p, {}, p);
    row("proxy-url socks5", far, u"socks5://proxy"_s, {}, u"socks5://proxy:1080"_s);
    row("proxy-url socks5h", far, u"socks5h://proxy:9"_s, {}, u"socks5://proxy:9"_s);
    row("proxy-url wins over the environment", far, p, {u"HTTPS_PROXY=http://other:1"_s, u"NO_PROXY=*"_s}, p);
    row("proxy-url holds for this machine, too", u"https://127.0.0.1:6443"_s, p, {}, p);
    row("upper case", far, {}, {https}, p);
    row("lower case", far, {}, {u"https_proxy="_s + p}, p);
    row("upper before lower", far, {}, {https, u"https_proxy=http://other:1"_s}, p);
    row("without a scheme", far, {}, {u"HTTPS_PROXY=proxy:3128"_s}, p);
    row("default port", far, {}, {u"HTTPS_PROXY=http://proxy"_s}, u"http://proxy:80"_s);
    row("http server: the other variable", u"http://api.example"_s, {}, {https, u"HTTP_PROXY=http://plain:1"_s}, u"http://plain:1"_s);
    row("https server: not HTTP_PROXY", far, {}, {u"HTTP_PROXY="_s + p}, {});
    row("ALL_PROXY is none of Go's", far, {}, {u"ALL_PROXY="_s + p}, {});
    row("localhost", u"https://localhost:6443"_s, {}, {https}, {});
    row("127.1.2.3", u"https://127.1.2.3:6443"_s, {}, {https}, {});
    row("::1", u"https://[::1]:6443"_s, {}, {https}, {});
    const auto no = [&](const char *name, const QString &server, const QString &noProxy, bool spared) {
        row(name, server, {}, {https, u"NO_PROXY="_s + noProxy}, spared ? QString() : p);
    };
    no("all", far, u"*"_s, true);
    no("all among others", far, u"x, *"_s, true);
    no("the host", far, u"api.db.example"_s, true);
    no("the host, in capitals", far, u"API.DB.Example"_s, true);
    no("the domain", far, u"example"_s, true);
    no("the domain with a dot", far, u".db.example"_s, true);
    no("a dot: subdomains only", far, u".api.db.example"_s, false);
    no("star dot: subdomains", far, u"*.db.example"_s, true);
    no("star dot: not itself", far, u"*.api.db.example"_s, false);
    no("half a label", far, u"b.example"_s, false);
    no("a longer name", far, u"x.api.db.example"_s, false);
    no("with the port", far, u"api.db.example:6443"_s, true);
    no("with another port", far, u"api.db.example:443"_s, false);
    no("the default port", u"https://api.example"_s, u"api.example:443"_s, true);
    no("a list with blanks", far, u"a.example , api.db.example ,"_s, true);
    no("blanks alone do not separate", far, u"a.example api.db.example"_s, false);
    no("empty entries", far, u",,"_s, false);
    no("an address", u"https://10.1.2.3:6443"_s, u"10.1.2.3"_s, true);
    no("an address with its port", u"https://10.1.2.3:6443"_s, u"10.1.2.3:6443"_s, true);
    no("an address with another port", u"https://10.1.2.3:6443"_s, u"10.1.2.3:1"_s, false);
    no("a network", u"https://10.1.2.3:6443"_s, u"10.0.0.0/8"_s, true);
    no("another network", u"https://10.1.2.3:6443"_s, u"192.168.0.0/16"_s, false);
    no("a network is for addresses, not names", far, u"0.0.0.0/0"_s, false);
    no("a suffix of an address is none", u"https://10.1.2.3:6443"_s, u"2.3"_s, false);
    no("IPv6", u"https://[fd00::1]:6443"_s, u"fd00::1"_s, true);
    no("IPv6 with its port", u"https://[fd00::1]:6443"_s, u"[fd00::1]:6443"_s, true);
    no("IPv6 with another port", u"https://[fd00::1]:6443"_s, u"[fd00::1]:1"_s, false);
    no("IPv6 network", u"https://[fd00::1]:6443"_s, u"fd00::/8"_s, true);
    row("no_proxy in lower case", far, {}, {https, u"no_proxy=api.db.example"_s}, {});
}

void TestProxy::choices()
{
    QFETCH(QString, server);
    QFETCH(QString, proxyUrl);
    QFETCH(QStringList, environment);
    QProcessEnvironment variables;
    for (const QString &entry : environment)
        variables.insert(entry.section(u'=', 0, 0), entry.section(u'=', 1));
    const auto proxy = proxyFor(server, proxyUrl, variables);
    QVERIFY(proxy.has_value());
    QTEST(proxyName(*proxy), "expected");
    QVERIFY(proxy->type() != QNetworkProxy::DefaultProxy); // which would ask the system
}

void TestProxy::defects_data()
{
    QTest::addColumn<QString>("proxyUrl");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("field");
    QTest::newRow("https proxy-url") << u"https://u:s3cret@proxy"_s << QString() << int(ErrorKind::NotSupported) << QByteArray("proxy-url");
    QTest::newRow("https in the environment") << QString() << u"https://u:s3cret@proxy"_s << int(ErrorKind::NotSupported)
                                              << QByteArray("HTTPS_PROXY");
    QTest::newRow("socks4") << u"socks4://u:s3cret@proxy"_s << QString() << int(ErrorKind::NotSupported) << QByteArray("proxy-url");
    QTest::newRow("no host") << u"http://u:s3cret@"_s << QString() << int(ErrorKind::BadInput) << QByteArray("proxy-url");
    QTest::newRow("no address") << QString() << u"http://u:s3cret@:x y"_s << int(ErrorKind::BadInput) << QByteArray("HTTPS_PROXY");
}

void TestProxy::defects()
{
    QFETCH(QString, proxyUrl);
    QFETCH(QString, variable);
    QProcessEnvironment variables;
    variables.insert(u"HTTPS_PROXY"_s, variable);
    const auto proxy = proxyFor(u"https://api.example"_s, proxyUrl, variables);
    QVERIFY(!proxy.has_value());
    QTEST(int(proxy.error().kind), "kind");
    QTEST(QByteArray::fromStdString(proxy.error().field), "field");
    QVERIFY(describe(proxy.error()).find("s3cret") == std::string::npos);
}

void TestProxy::passwordIsNotShown()
{
    const auto proxy = proxyFor(u"https://api.example"_s, u"http://user:p%40ss@proxy:1"_s, {});
    QCOMPARE(proxy->user(), u"user"_s);
    QCOMPARE(proxy->password(), u"p@ss"_s);
    QCOMPARE(proxyName(*proxy), u"http://proxy:1"_s);
}

void TestProxy::requestsGoThrough_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("mode");
    QTest::addColumn<bool>("password");
    for (const bool password : {false, true}) {
        QTest::addRow("http, TLS server%s", password ? ", password" : "") << int(Kind::Http) << int(Mode::Https) << password;
        QTest::addRow("http, plain server%s", password ? ", password" : "") << int(Kind::Http) << int(Mode::Http) << password;
        QTest::addRow("socks5, TLS server%s", password ? ", password" : "") << int(Kind::Socks5) << int(Mode::Https) << password;
        QTest::addRow("socks5, plain server%s", password ? ", password" : "") << int(Kind::Socks5) << int(Mode::Http) << password;
    }
}

void TestProxy::requestsGoThrough()
{
    QFETCH(int, kind);
    QFETCH(int, mode);
    QFETCH(bool, password);
    FakeApiServer server(static_cast<Mode>(mode));
    server.setHandler(good);
    FakeProxy proxy(static_cast<Kind>(kind));
    if (password)
        proxy.demand("dba", "s3cret");
    ContextConfig config = server.config();
    config.proxyUrl = proxy.url(password ? u"dba:s3cret"_s : QString());
    Client client(config);
    const Response response = get(client);
    QVERIFY2(response.ok(), response.error ? describe(*response.error).c_str() : "");
    QCOMPARE(proxy.asked().size(), 1);
    QVERIFY(proxy.asked().first().endsWith(u':' + QString::number(QUrl(server.url()).port())));
    QCOMPARE(server.requests().size(), 1);
    QVERIFY(!server.requests().first().headers.contains("proxy-authorization") || mode == int(Mode::Http));
}

void TestProxy::watchGoesThrough()
{
    FakeProxy proxy(Kind::Http);
    FakeApiServer server(Mode::Https);
    ExchangePtr stream;
    server.setHandler([&](const ExchangePtr &x) {
        if (!x->request().isWatch())
            return x->answer(200, listJson("10", {objectJson("a", 5)}));
        x->startStream();
        stream = x;
    });
    ContextConfig config = server.config();
    config.proxyUrl = proxy.url();
    Client client(config);
    Watch watch(&client, Resource::Endpoints, u"db"_s, systemClock(), quickTimes());
    int changes = 0;
    connect(&watch, &Watch::observed, this, [&](const Observation &o) { changes += std::holds_alternative<Changed>(o.what) ? 1 : 0; });
    watch.start();
    QTRY_VERIFY(stream != nullptr);
    stream->send(eventJson("MODIFIED", objectJson("a", 11)));
    QTRY_COMPARE(changes, 1);
    QCOMPARE(proxy.asked().size(), 2);
}

// A name that only the proxy can resolve: loopback is spared.
void TestProxy::environmentIsUsed()
{
    FakeApiServer server(Mode::Https);
    server.setHandler(good);
    FakeProxy proxy(Kind::Http);
    qputenv("HTTPS_PROXY", proxy.url().toLatin1());
    ContextConfig config = server.config();
    config.server = u"https://api.example:"_s + QString::number(QUrl(server.url()).port());
    Client client(config);
    QVERIFY(get(client).ok());
    QCOMPARE(proxy.asked(), QStringList{config.server.mid(8)});
    Client direct(server.config());
    QVERIFY(get(direct).ok());
    QCOMPARE(proxy.asked().size(), 1);
}

void TestProxy::trouble_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("words");
    for (const Kind kind : {Kind::Http, Kind::Socks5}) {
        const char *name = kind == Kind::Http ? "http" : "socks5";
        QTest::addRow("%s, nothing listens", name) << int(kind) << u"dead"_s << u"refused"_s;
        QTest::addRow("%s, no password given", name) << int(kind) << u"password"_s << u"407"_s;
        QTest::addRow("%s, wrong password", name) << int(kind) << u"wrong"_s << u"407"_s;
        QTest::addRow("%s, refuses", name) << int(kind) << u"refuses"_s << u"refused"_s;
    }
}

void TestProxy::trouble()
{
    QFETCH(int, kind);
    QFETCH(QString, what);
    QFETCH(QString, words);
    FakeApiServer server(Mode::Https);
    server.setHandler(good);
    FakeProxy proxy(static_cast<Kind>(kind));
    ContextConfig config = server.config();
    config.proxyUrl = proxy.url(what == u"wrong"_s ? u"dba:n0tthis"_s : QString());
    if (what == u"dead"_s)
        proxy.stopListening();
    else if (what == u"refuses"_s)
        proxy.refuseAll();
    else
        proxy.demand("dba", "s3cret");
    Client client(config);
    const Response response = get(client);
    QVERIFY(!response.ok());
    QCOMPARE(response.error->kind, ErrorKind::Unreachable);
    const QString text = QString::fromStdString(describe(*response.error));
    QVERIFY2(text.contains(u"proxy "_s + proxy.url()), qPrintable(text));
    QVERIFY2(kind == int(Kind::Socks5) || text.contains(words), qPrintable(text));
    QVERIFY(!text.contains(u"n0tthis"_s));
    QVERIFY(proxy.refusals() <= 4); // no storm of passwords
    QCOMPARE(server.connections(), 0);
}

void TestProxy::httpsProxyIsAClearError()
{
    FakeApiServer server(Mode::Https);
    server.setHandler(good);
    ContextConfig config = server.config();
    config.proxyUrl = u"https://u:s3cret@127.0.0.1:1"_s;
    Client client(config);
    const Response response = get(client);
    QCOMPARE(response.error->kind, ErrorKind::NotSupported);
    QCOMPARE(response.error->field, std::string("proxy-url"));
    QCOMPARE(server.connections(), 0);
}

QTEST_GUILESS_MAIN(TestProxy)
#include "tst_proxy.moc"
