// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Members asked for their own word and their logs, through an API server that may refuse, or not reach them.
#include "app/clusters/member_log.h"
#include "app/clusters/member_prober.h"
#include "tests/kube/fake_api_server.h"
#include "tests/kube/objects.h"
#include "tests/support/patience.h"

#include <QSignalSpy>
#include <QTest>

using namespace switchyard;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

patroni::Cluster cluster(int members, const std::string &scheme = "http")
{
    patroni::Cluster c;
    c.names.key = {"lab", "db", "acme", {}, "acme"};
    for (int i = 0; i < members; ++i) {
        patroni::Member m;
        m.record.name = "acme-" + std::to_string(i);
        m.record.apiUrl = scheme + "://10.0.0." + std::to_string(i + 1) + ":8008/patroni";
        c.members.push_back(m);
    }
    return c;
}

QByteArray statusOfMember()
{
    return R"({"state":"running","role":"replica","xlog":{"received_location":1000,"replayed_location":900},"timeline":3,)"
           R"("patroni":{"version":"4.0.7","scope":"acme"}})";
}

struct Asking
{
    explicit Asking(ProbeTimes times = {5s, 0ms, 3})
        : client(server.config())
        , prober(&client, kube::Clock{[this] { return now; }}, times)
    {
        server.setHandler([](const ExchangePtr &x) { x->answer(200, statusOfMember()); });
    }
    Now now{Boot(5h), Instant(400000h)};
    FakeApiServer server;
    kube::Client client;
    MemberProber prober;
};

MemberLines linesOf(FakeApiServer &server, const patroni::MemberRecord &member, const LogWindow &window)
{
    kube::Client client(server.config());
    std::optional<MemberLines> got;
    fetchDecisionLines(&client, "db", member, window, &client, [&](const MemberLines &lines) { got = lines; });
    if (!waitUntil([&] { return got.has_value(); }, 30000))
        qFatal("no answer at all");
    return *got;
}

} // namespace

class TestMembersAsked : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyMemberIsAsked()
    {
        Asking a;
        QSignalSpy finished(&a.prober, &MemberProber::finished);
        a.prober.ask(cluster(5, "https"));
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(a.server.requests().size(), 5);
        QCOMPARE(a.server.requests().at(0).target, QByteArray("/api/v1/namespaces/db/pods/https:acme-0:8008/proxy/patroni"));
        QCOMPARE(a.prober.answers().size(), std::size_t(5));
        const rules::LiveAnswer &answer = a.prober.answers().at("acme-4");
        QVERIFY(!answer.error);
        QCOMPARE(answer.at, a.now.boot);
        QCOMPARE(answer.timeline, std::optional<std::int64_t>(3));
        QCOMPARE(answer.version, std::optional<std::string>("4.0.7"));
    }

    void fewAtATime()
    {
        Asking a;
        QList<ExchangePtr> held;
        a.server.setHandler([&](const ExchangePtr &x) { held.append(x); });
        QSignalSpy finished(&a.prober, &MemberProber::finished);
        a.prober.ask(cluster(7));
        for (int answered = 0; answered < 7; ++answered) {
            QTRY_COMPARE(held.size(), std::min(3, 7 - answered));
            held.takeFirst()->answer(200, statusOfMember());
        }
        QTRY_COMPARE(finished.count(), 1);
    }

    void againOnlyWhileWanted()
    {
        Asking a({5s, 10ms, 3});
        QSignalSpy due(&a.prober, &MemberProber::due);
        a.prober.ask(cluster(1));
        QTRY_COMPARE(due.count(), 1);
        a.prober.ask(cluster(1));
        QTRY_COMPARE(due.count(), 2);
        QCOMPARE(a.server.requests().size(), 2); // nobody asked for a third round
    }

    void goneMembersAreForgotten()
    {
        Asking a;
        QSignalSpy finished(&a.prober, &MemberProber::finished);
        a.prober.ask(cluster(3));
        QTRY_COMPARE(finished.count(), 1);
        a.prober.ask(cluster(2));
        QTRY_COMPARE(finished.count(), 2);
        QVERIFY(!a.prober.answers().contains("acme-2"));
        a.prober.ask(cluster(0));
        QTRY_COMPARE(finished.count(), 3);
        QVERIFY(a.prober.answers().empty());
    }

    void whyNot_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("words");
        const auto notReached = [](const char *why) {
            return statusJson(503, "ServiceUnavailable", QByteArray("error trying to reach service: ") + why);
        };
        const auto row = [](const char *name, int status, const QByteArray &body, ErrorKind kind, const char *words) {
            QTest::newRow(name) << status << body << static_cast<int>(kind) << QByteArray(words);
        };
        row("RBAC", 403, statusJson(403, "Forbidden", "pods is forbidden: User cannot get resource pods/proxy"), ErrorKind::Forbidden,
            "pods/proxy");
        row("loopback", 503, notReached("dial tcp 10.0.0.1:8008: connect: connection refused"), ErrorKind::Unreachable, "loopback");
        row("client certificate", 503, notReached("remote error: tls: certificate required"), ErrorKind::Unreachable, "client certificate");
        row("ended", 503, notReached("EOF"), ErrorKind::Unreachable, "without an answer");
        row("gone", 404, statusJson(404, "NotFound", "pods acme-0 not found"), ErrorKind::NotFound, "not found");
        row("something else", 404, "404 page not found", ErrorKind::Server, "not Patroni (404)");
        row("something else that is fine", 200, "<html>hello</html>", ErrorKind::Server, "not a JSON object");
        row("other JSON", 200, R"({"hello":1})", ErrorKind::Server, "not the status of a Patroni member");
    }
    void whyNot()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QFETCH(int, kind);
        QFETCH(QByteArray, words);
        Asking a({5s, 10ms, 3});
        a.server.setHandler([&](const ExchangePtr &x) { x->answer(status, body); });
        QSignalSpy finished(&a.prober, &MemberProber::finished), due(&a.prober, &MemberProber::due);
        a.prober.ask(cluster(1));
        QTRY_COMPARE(finished.count(), 1);
        const rules::LiveAnswer &answer = a.prober.answers().at("acme-0");
        QVERIFY(answer.error);
        QCOMPARE(static_cast<int>(answer.error->kind), kind);
        QVERIFY2(describe(*answer.error).find(words.toStdString()) != std::string::npos, describe(*answer.error).c_str());
        QVERIFY(!answer.state && !answer.position && !answer.timeline);
        if (status != 403)
            QTRY_COMPARE(due.count(), 1);
        QCOMPARE(a.server.requests().size(), 1); // a refusal is not asked for again
    }

    void silentMember()
    {
        Asking a({3s, 0ms, 3});
        a.server.setHandler([](const ExchangePtr &x) {
            if (!x->request().path().contains(u"acme-1"_s))
                x->answer(200, statusOfMember());
        });
        QSignalSpy finished(&a.prober, &MemberProber::finished);
        a.prober.ask(cluster(3));
        QTRY_COMPARE(finished.count(), 1);
        QVERIFY(!a.prober.answers().at("acme-0").error);
        QCOMPARE(a.prober.answers().at("acme-1").error->kind, ErrorKind::Unreachable);
    }

    void noAddress()
    {
        Asking a;
        patroni::Cluster c = cluster(2);
        c.members.front().record.apiUrl.reset();
        QSignalSpy finished(&a.prober, &MemberProber::finished);
        a.prober.ask(c);
        QTRY_COMPARE(finished.count(), 1);
        QVERIFY(describe(*a.prober.answers().at("acme-0").error).find("where its REST API is") != std::string::npos);
        QCOMPARE(a.server.requests().size(), 1);
    }

    void containers_data()
    {
        QTest::addColumn<QByteArray>("pod");
        QTest::addColumn<QString>("container");
        const auto pod = [](const char *containers, const char *annotations = "{}") -> QByteArray {
            return QByteArray(R"({"metadata":{"annotations":)") + annotations + R"(},"spec":{"containers":[)" + containers + "]}}";
        };
        QTest::newRow("only one") << pod(R"({"name":"pg"})") << u"pg"_s;
        QTest::newRow("by port") << pod(R"({"name":"postgres"},{"name":"x","ports":[{"containerPort":8008}]})") << u"x"_s;
        QTest::newRow("Crunchy") << pod(R"({"name":"replication-cert-copy"},{"name":"database"},{"name":"pgbackrest"})") << u"database"_s;
        QTest::newRow("StackGres") << pod(R"({"name":"envoy"},{"name":"patroni"},{"name":"pgbouncer"})") << u"patroni"_s;
        QTest::newRow("Zalando with sidecars") << pod(R"({"name":"exporter"},{"name":"postgres"})") << u"postgres"_s;
        QTest::newRow("default") << pod(R"({"name":"a"},{"name":"b"})", R"({"kubectl.kubernetes.io/default-container":"b"})") << u"b"_s;
        QTest::newRow("a default that is not there")
            << pod(R"({"name":"a"},{"name":"b"})", R"({"kubectl.kubernetes.io/default-container":"c"})") << u"a"_s;
        QTest::newRow("nothing") << QByteArray("{}") << QString();
    }
    void containers()
    {
        QFETCH(QByteArray, pod);
        QTEST(patroniContainer(pod, 8008), "container");
    }

    void log()
    {
        FakeApiServer server;
        server.setHandler([](const ExchangePtr &x) {
            if (x->request().path().endsWith(u"/log"_s))
                x->answer(
                    200,
                    "2031-02-01T06:00:05.000000001Z 2031-02-01 06:00:05,000 INFO: no action. I am (acme-0), the leader with the lock\n"
                    "2031-02-01T06:00:06.000000001Z 2031-02-01 06:00:06,000 WARNING: switchover: leader name does not match: acme-1 != "
                    "acme-0\n"
                    "2031-02-01T07:00:06.000000001Z 2031-02-01 07:00:06,000 WARNING: switchover: I am already the leader, no need to "
                    "switchover\n",
                    {{"Content-Type", "text/plain"}});
            else
                x->answer(200, R"({"spec":{"containers":[{"name":"sidecar"},{"name":"database"}]}})");
        });
        const Instant at = parseInstant("2031-02-01T06:00:06Z").value_or(Instant{});
        const MemberLines lines = linesOf(server, cluster(1).members.front().record, {at - 10s, at + 10s});
        QVERIFY(!lines.error);
        QCOMPARE(lines.member, std::string("acme-0"));
        QCOMPARE(lines.lines.size(), std::size_t(1));
        QCOMPARE(lines.lines.front().reason, std::optional(patroni::Refusal::LeaderMismatch));
        QCOMPARE(server.requests().at(0).target, QByteArray("/api/v1/namespaces/db/pods/acme-0"));
        const QByteArray target = server.requests().at(1).target;
        QVERIFY2(target.startsWith(
                     "/api/v1/namespaces/db/pods/acme-0/log?container=database&sinceTime=2031-02-01T05%3A59%3A55Z&timestamps=true"),
                 target.constData());
    }

    void logRefused()
    {
        FakeApiServer server;
        server.setHandler([](const ExchangePtr &x) {
            if (x->request().path().endsWith(u"/log"_s))
                x->answer(403, statusJson(403, "Forbidden", "pods is forbidden"));
            else
                x->answer(200, R"({"spec":{"containers":[{"name":"postgres"}]}})");
        });
        const MemberLines lines = linesOf(server, cluster(1).members.front().record, {});
        QCOMPARE(lines.error->kind, ErrorKind::Forbidden);
        QCOMPARE(lines.error->resource, std::string("pods/log"));
        server.setHandler([](const ExchangePtr &x) { x->answer(404, statusJson(404, "NotFound", "gone")); });
        QCOMPARE(linesOf(server, cluster(1).members.front().record, {}).error->kind, ErrorKind::NotFound);
        QCOMPARE(server.requests().size(), 3);
    }
};

QTEST_GUILESS_MAIN(TestMembersAsked)
#include "tst_members_asked.moc"
