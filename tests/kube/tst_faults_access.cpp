// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Faults of identity and rights: tokens revoked, rights taken away and given back, two users on one server.
#include "fault_scene.h"
#include "objects.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using patroni::Freshness;

// Taken away with the watches of before: the API server asks once for each request.
static std::function<void(Scene &)> denying(const QList<Denial> &denials)
{
    return [denials](Scene &s) {
        s.api.denials = denials;
        s.api.cutWatches();
    };
}

static void twoNamespaces(Scene &s)
{
    s.options = ConnectionOptions(QStringList{u"db"_s, u"shop"_s});
}

static Rows rightsRows()
{
    return {
        {"all rights are taken away",
         {.serves = "RBAC taken away and given back", .sight = Sight::Forbidden, .inject = denying({{}}), .says = "forbidden"}},
        {"only list",
         {.serves = "RBAC taken away",
          .sight = Sight::Forbidden,
          .inject =
              [](Scene &s) {
                  s.api.denials = {{.verb = u"list"_s}};
                  s.api.compact();
                  s.api.cutWatches();
                  s.connection()->relist();
              },
          .says = "cannot list",
          .whole = false}},
        {"only watch",
         {.serves = "RBAC taken away: lists have to do",
          .inject = denying({{.verb = u"watch"_s}}),
          .during =
              [](Scene &s) {
                  QVERIFY2(s.connection()->notice().contains(u"watch is forbidden for endpoints, configmaps, pods"_s),
                           qPrintable(s.connection()->notice()));
              },
          .verify = [](Scene &s) { QTRY_VERIFY(s.connection()->notice().isEmpty()); },
          .whole = false,
          .most = 600}},
        {"only Pods",
         {.serves = "forbidden is never shown as empty",
          .sight = Sight::Forbidden,
          .inject = denying({{.resource = u"pods"_s}}),
          .during =
              [](Scene &s) {
                  QCOMPARE(static_cast<int>(s.cluster(s.acme)->members.size()), 3);
                  QCOMPARE(s.cluster(s.acme)->view.freshness, Freshness::Forbidden);
                  QVERIFY(s.leads(s.acme, 1)); // its lock goes by another watch
              },
          .says = "pods"}},
        {"one namespace of two",
         {.serves = "forbidden is never shown as empty",
          .sight = Sight::Forbidden,
          .inject = denying({{.ns = u"shop"_s}}),
          .prepare = twoNamespaces,
          .during =
              [](Scene &s) {
                  QCOMPARE(s.cluster(s.orders)->view.freshness, Freshness::Forbidden);
                  QCOMPARE(s.cluster(s.acme)->view.freshness, Freshness::Live);
                  QVERIFY(s.leads(s.acme, 1));
              },
          .says = "shop"}},
        {"refused once",
         {.serves = "401: once, then on",
          .inject =
              [](Scene &s) {
                  auto left = std::make_shared<int>(3);
                  s.api.intercept = [left](const ExchangePtr &x) {
                      if (--*left < 0)
                          return false;
                      x->answer(401, statusJson(401, "Unauthorized", "the webhook is away"));
                      return true;
                  };
                  s.api.cutWatches();
              }}},
        {"the resource is not there", {.serves = "404", .sight = Sight::Stale, .inject = denying({{.status = 404}}), .says = "404"}},
    };
}

static QTemporaryDir &folder()
{
    static QTemporaryDir dir;
    return dir;
}

static void writeToken(const QByteArray &token)
{
    QFile file(folder().filePath(u"token"_s));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(token);
}

static void tokenFile(Scene &s)
{
    writeToken("old");
    s.api.tokens = {{"old", u"dba"_s}};
    s.config.credential.tokenFile = folder().filePath(u"token"_s);
}

static void certificate(kube::ContextConfig &config, const QString &name)
{
    config.credential.certificatePem = certificateText(name + u".crt"_s);
    config.credential.keyPem = certificateText(name + u".key"_s);
}

static Rows tokenRows()
{
    return {
        {"client certificate is renewed in the kubeconfig",
         {.serves = "certificate rotated",
          .inject =
              [](Scene &s) {
                  kube::ContextConfig next = s.config;
                  certificate(next, u"client-ec"_s);
                  QVERIFY(s.connection()->update(next));
                  s.config = next;
              },
          .prepare = [](Scene &s) { certificate(s.config, u"client-rsa"_s); },
          .verify =
              [](Scene &s) {
                  const auto &all = s.api.server.requests();
                  QVERIFY(all.first().user != all.last().user);
                  for (qsizetype i = s.firstRequest + 10; i < all.size(); ++i)
                      QCOMPARE(all.at(i).user, all.last().user);
              },
          .whole = false, // listed anew: what happened in between is not seen
          .mode = FakeApiServer::Mode::MutualTls}},
        {"token is revoked, the file has a new one",
         {.serves = "token revoked",
          .sight = Sight::Forbidden,
          .inject =
              [](Scene &s) {
                  s.api.tokens = {{"new", u"dba"_s}};
                  s.api.cutWatches();
              },
          .heal = [](Scene &) { writeToken("new"); },
          .prepare = tokenFile,
          .says = "nauthorized"}},
        {"token is rotated before the old one ends",
         {.serves = "token revoked",
          .inject =
              [](Scene &s) {
                  writeToken("new");
                  s.api.tokens = {{"new", u"dba"_s}};
                  s.api.cutWatches();
              },
          .prepare = tokenFile}},
        {"token is revoked and restored",
         {.serves = "token revoked",
          .sight = Sight::Forbidden,
          .inject =
              [](Scene &s) {
                  s.api.tokens = {{"other", u"dba"_s}};
                  s.api.cutWatches();
              },
          .heal = [](Scene &s) { s.api.tokens.insert("old", u"dba"_s); },
          .prepare = tokenFile,
          .says = "nauthorized"}},
    };
}

class TestFaultsAccess : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void rights_data() { addRows(rightsRows()); }
    void rights() { playRow(rightsRows()); }
    void tokens_data() { addRows(tokenRows()); }
    void tokens() { playRow(tokenRows()); }
    void twoUsers_data();
    void twoUsers();
    void manyFaultsLeaveNothingBehind();
};

void TestFaultsAccess::twoUsers_data()
{
    QTest::addColumn<bool>("certificates");
    QTest::newRow("client certificates") << true;
    QTest::newRow("tokens") << false;
}

// One server, one program, two contexts: db is asked for by rita alone, shop by emil alone, whatever happens to their connections.
void TestFaultsAccess::twoUsers()
{
    QFETCH(bool, certificates);
    Scene s(Fault{.mode = certificates ? FakeApiServer::Mode::MutualTls : FakeApiServer::Mode::Https});
    kube::ContextConfig rita = s.config, emil = s.config;
    rita.name = u"test"_s;
    emil.name = u"other"_s;
    if (certificates) {
        rita.credential.certificatePem = certificateText(u"client-rsa.crt"_s);
        rita.credential.keyPem = certificateText(u"client-rsa.key"_s);
        emil.credential.certificatePem = certificateText(u"client-ec.crt"_s);
        emil.credential.keyPem = certificateText(u"client-ec.key"_s);
    } else {
        s.api.tokens = {{"r", u"rita"_s}, {"e", u"emil"_s}};
        rita.credential.token = "r";
        emil.credential.token = "e";
    }
    s.api.denials = {{.ns = u"shop"_s, .user = u"rita"_s}, {.ns = u"db"_s, .user = u"emil"_s}};
    s.monitor->open(rita, ConnectionOptions(QStringList{u"db"_s}), s.times);
    s.monitor->open(emil, ConnectionOptions(QStringList{u"shop"_s}), s.times);
    const auto allLive = [&] {
        const auto contexts = s.monitor->store().contexts();
        return contexts.size() == 2 && s.complete()
            && std::all_of(contexts.begin(), contexts.end(), [](const ContextState &c) { return c.freshness == Freshness::Live; });
    };
    QVERIFY(eventually(s, allLive));
    s.pass(25s);
    s.api.server.dropConnections();
    s.pass(5s);
    QVERIFY(eventually(s, allLive));
    s.monitor->connection(u"other"_s)->relist();
    s.monitor->connection(u"test"_s)->relist();
    s.pass(15s);
    QVERIFY(eventually(s, allLive));
    QVERIFY(s.api.server.requests().size() > 20);
    for (const Request &request : s.api.server.requests()) {
        const QString user = certificates ? request.user : s.api.tokens.value(request.headers.value("authorization").mid(7));
        const QString ns = request.path().section(u'/', 4, 4);
        if (ns == u"db"_s || ns == u"shop"_s)
            QCOMPARE(user, ns == u"db"_s ? u"rita"_s : u"emil"_s);
    }
    // rita is turned away, emil notices nothing
    s.api.denials.prepend({.user = u"rita"_s});
    s.api.server.dropConnections();
    QVERIFY(eventually(s, [&] {
        const auto contexts = s.monitor->store().contexts();
        return contexts.at(0).context == "other" && contexts.at(0).freshness == Freshness::Live
            && contexts.at(1).freshness == Freshness::Forbidden;
    }));
    QVERIFY2(s.breaches.isEmpty(), qPrintable(s.breaches.join(u"; "_s)));
}

void TestFaultsAccess::manyFaultsLeaveNothingBehind()
{
    Scene s(Fault{});
    s.open();
    QVERIFY(s.settle());
    s.pass(25s);
    QVERIFY(s.settle());
    const int threadsBefore = threads(), socketsBefore = s.api.server.openSockets();
    const auto watchesBefore = s.api.openWatches();
    for (int i = 0; i < 40; ++i) {
        i % 2 ? s.api.server.dropConnections() : s.api.cutWatches();
        s.pass(1s);
        QVERIFY(s.settle());
    }
    QVERIFY(waitUntil([&] { return s.api.openWatches() == watchesBefore; }, 10000));
    QVERIFY2(waitUntil([&] { return threads() <= threadsBefore; }, 10000), qPrintable(QString::number(threads())));
    QVERIFY2(waitUntil([&] { return s.api.server.openSockets() <= socketsBefore + 4; }, 10000),
             qPrintable(QString::number(s.api.server.openSockets())));
    QVERIFY2(s.breaches.isEmpty(), qPrintable(s.breaches.join(u"; "_s)));
}

QTEST_GUILESS_MAIN(TestFaultsAccess)
#include "tst_faults_access.moc"
