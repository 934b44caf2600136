// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Live commands: on simulated clusters, and on a server that refuses or is silent.
#include "app/headless/live_run.h"
#include "app/headless/run.h"
#include "app/simulator/simulator.h"
#include "tests/kube/fake_api_server.h"
#include "tests/kube/objects.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::headless;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

simulator::Plan plan(double speed)
{
    simulator::Plan all;
    all.clusters.resize(2);
    all.clusters[0].scope = "acme";
    all.clusters[1].scope = "orders";
    all.clusters[1].ns = "other";
    all.clusters[1].endpoints = false;
    for (auto &cluster : all.clusters) {
        cluster.ttl = 20;
        cluster.loopWait = 2;
        cluster.retryTimeout = 3;
    }
    all.speed = speed;
    return all;
}

simulator::Plan withElections(double speed)
{
    using Type = simulator::ElectionPlan::Type;
    simulator::Plan all = plan(speed);
    all.elections = {{.ns = "ops", .name = "backup", .type = Type::ConfigMap, .candidates = {"backup-1"}, .pods = true},
                     {.ns = "ops", .name = "pooler", .type = Type::EndpointsLease, .candidates = {"pooler-1"}, .pods = true},
                     {.ns = "ops", .name = "vacuum", .type = Type::Released, .candidates = {""}},
                     {.ns = "ops", .name = "lifelong", .type = Type::ForLife, .candidates = {"lifelong-1"}, .pods = true},
                     {.ns = "kube-node-lease", .name = "worker-1", .type = Type::Heartbeat, .candidates = {"worker-1"}}};
    return all;
}

Options options(const QStringList &arguments)
{
    return parseArguments(arguments).value();
}

} // namespace

class TestLiveRun : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    QByteArray m_out, m_err;
    bool m_closed = false;

    Sinks sinks()
    {
        return {[this](std::string_view bytes) {
                    m_out.append(bytes.data(), static_cast<qsizetype>(bytes.size()));
                    return true;
                },
                [this](const std::string &line) { m_err += QByteArray::fromStdString(line) + '\n'; }, [this] { return m_closed; }};
    }

    std::vector<kube::ContextConfig> contexts(const simulator::Simulator &server)
    {
        QFile file(m_dir.filePath(u"config"_s));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(server.kubeconfig().toUtf8());
        file.close();
        return kube::loadKubeconfig(file.fileName()).value().contexts;
    }

    int run(const Options &o, const std::vector<kube::ContextConfig> &contexts, LiveTimes times = {}, bool problemsBefore = false)
    {
        LiveRun live(o, sinks(), times);
        std::optional<int> code;
        connect(&live, &LiveRun::finished, &live, [&](int c) { code = c; });
        live.start(contexts, problemsBefore);
        if (!waitUntil([&] { return code.has_value(); }, 120000))
            QTest::qFail("not finished", __FILE__, __LINE__);
        return code.value_or(-1);
    }

private Q_SLOTS:
    void init()
    {
        m_out.clear();
        m_err.clear();
        m_closed = false;
    }

    void listsOnce()
    {
        simulator::Simulator server(plan(0)); // nothing moves: the locks stay unverified
        QVERIFY(server.start(nullptr));
        QCOMPARE(run(options({u"list"_s, u"--format"_s, u"json"_s, u"-A"_s}), contexts(server)), int(Answered));
        const QJsonArray rows = QJsonDocument::fromJson(m_out).array();
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows.at(0).toObject().value("lock"_L1).toString(), u"unverified"_s);
        QCOMPARE(rows.at(0).toObject().value("members"_L1).toInt(), 3);
        QVERIFY2(m_err.isEmpty(), m_err.constData());
    }

    void onlyItsNamespace()
    {
        simulator::Simulator server(plan(0));
        QVERIFY(server.start(nullptr));
        QCOMPARE(run(options({u"members"_s, u"--format"_s, u"ndjson"_s, u"-n"_s, u"other"_s}), contexts(server)), int(Answered));
        QCOMPARE(m_out.count('\n'), 3);
        QCOMPARE(m_out.count("\"namespace\":\"other\""), 3);
    }

    void waitsForTheLocks()
    {
        simulator::Simulator server(plan(20));
        QVERIFY(server.start(nullptr));
        QCOMPARE(run(options({u"list"_s, u"--format"_s, u"json"_s, u"-A"_s, u"--wait"_s, u"60"_s}), contexts(server)), int(Answered));
        for (const QJsonValue row : QJsonDocument::fromJson(m_out).array())
            QCOMPARE(row.toObject().value("lock"_L1).toString(), u"held"_s);
    }

    void waitsNoLongerThanSaid()
    {
        simulator::Simulator server(plan(0));
        QVERIFY(server.start(nullptr));
        QCOMPARE(run(options({u"list"_s, u"--format"_s, u"json"_s, u"-A"_s, u"--wait"_s, u"0.2"_s}), contexts(server)), int(Answered));
        QVERIFY(m_out.contains("unverified"));
    }

    // The members are asked, too, through the API server: what the objects cannot show is known then.
    void preflightAsksTheMembers()
    {
        simulator::Simulator server(plan(0));
        QVERIFY(server.start(nullptr));
        const QStringList question{u"preflight"_s, u"-A"_s, u"--cluster"_s, u"demo/acme"_s, u"--format"_s, u"json"_s};
        QCOMPARE(run(options(question), contexts(server)), int(Answered));
        QVERIFY2(m_err.isEmpty(), m_err.constData());
        int asked = 0;
        QStringList members;
        for (const QJsonValue row : QJsonDocument::fromJson(m_out).array()) {
            const QJsonObject line = row.toObject();
            QCOMPARE(line.value("scope"_L1).toString(), u"acme"_s);
            QCOMPARE(line.value("fit"_L1).toBool(), line.value("member"_L1) != line.value("leader"_L1));
            if (const QString member = line.value("member"_L1).toString(); !member.isEmpty() && !members.contains(member)) {
                members << member;
                asked += line.value("asked"_L1).toBool() ? 1 : 0;
            }
        }
        QCOMPARE(members.size(), 3);
        QCOMPARE(asked, 3);
        QVERIFY(!m_out.contains("reachability-unknown"));
        m_out.clear();
        QCOMPARE(run(options(question + QStringList{u"--candidate"_s, u"nobody"_s}), contexts(server)), int(Unfit));
        QVERIFY(m_out.contains("unknown-candidate"));
    }

    void recordsWhatItFollows()
    {
        simulator::Simulator server(plan(5));
        QVERIFY(server.start(nullptr));
        const QString file = m_dir.filePath(u"seen.ndjson.gz"_s);
        const Options following = options(
            {u"list"_s, u"--follow"_s, u"-A"_s, u"--record"_s, file, u"--replace-names"_s, u"--for"_s, u"1s"_s});
        QCOMPARE(run(following, contexts(server)), int(Answered));
        QVERIFY2(m_err.isEmpty(), m_err.constData());
        m_out.clear();
        QCOMPARE(runReplay(options({u"list"_s, u"--replay"_s, file, u"--format"_s, u"json"_s}), sinks()), int(Answered));
        const QJsonArray rows = QJsonDocument::fromJson(m_out).array();
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows.at(0).toObject().value("members"_L1).toInt(), 3);
        QVERIFY2(!m_out.contains("acme") && !m_out.contains("orders"), m_out.constData());
        // Never over a file that is there.
        QCOMPARE(run(following, contexts(server)), int(CouldNot));
        QVERIFY(m_err.contains("seen.ndjson.gz"));
    }

    void elections_data()
    {
        QTest::addColumn<int>("leases");
        QTest::newRow("v1") << int(simulator::LeaseService::V1);
        QTest::newRow("v1beta1") << int(simulator::LeaseService::V1Beta1);
    }
    void elections()
    {
        QFETCH(int, leases);
        simulator::Plan all = withElections(20);
        all.leases = static_cast<simulator::LeaseService>(leases);
        simulator::Simulator server(all);
        QVERIFY(server.start(nullptr));
        const QStringList asked{u"elections"_s, u"--format"_s, u"json"_s, u"-A"_s, u"--wait"_s, u"60"_s};
        QCOMPARE(run(options(asked), contexts(server)), int(Answered));
        QVERIFY2(m_err.isEmpty(), m_err.constData());
        QMap<QString, QStringList> shown;
        for (const QJsonValue row : QJsonDocument::fromJson(m_out).array()) {
            const QJsonObject o = row.toObject();
            shown.insert(o.value("name"_L1).toString(),
                         {o.value("kind"_L1).toString(), o.value("state"_L1).toString(), o.value("pod"_L1).toString()});
        }
        const QMap<QString, QStringList> expected{{u"acme"_s, {u"patroni"_s, u"held"_s, u"acme-0"_s}},
                                                  {u"backup"_s, {u"configmaps"_s, u"held"_s, u"backup-1"_s}},
                                                  {u"kube-controller-manager"_s, {u"leases"_s, u"held"_s, {}}},
                                                  {u"kube-scheduler"_s, {u"leases"_s, u"held"_s, {}}},
                                                  {u"lifelong"_s, {u"leader-for-life"_s, u"held"_s, u"lifelong-1"_s}},
                                                  {u"pooler"_s, {u"endpointsleases"_s, u"held"_s, u"pooler-1"_s}},
                                                  {u"vacuum"_s, {u"leases"_s, u"released"_s, {}}}};
        for (auto it = expected.cbegin(); it != expected.cend(); ++it) {
            if (it.key() == u"acme"_s) // who leads it may change
                QCOMPARE(shown.value(it.key()).mid(0, 2), it.value().mid(0, 2));
            else
                QVERIFY2(shown.value(it.key()) == it.value(), qPrintable(it.key() + u": "_s + shown.value(it.key()).join(u' ')));
        }
        QVERIFY(!shown.contains(u"worker-1"_s));
        m_out.clear();
        QCOMPARE(run(options({u"elections"_s, u"-n"_s, u"kube-node-lease"_s, u"--all-leases"_s}), contexts(server)), int(Answered));
        QVERIFY2(m_out.contains("worker-1"), m_out.constData());
        QVERIFY(!m_out.contains("kube-scheduler"));
    }

    // That there are no Leases takes nothing else away.
    void electionsWithoutLeases_data()
    {
        QTest::addColumn<bool>("denied");
        QTest::newRow("the server has none") << false;
        QTest::newRow("they may not be read") << true;
    }
    void electionsWithoutLeases()
    {
        QFETCH(bool, denied);
        simulator::Plan all = withElections(0);
        all.leases = denied ? simulator::LeaseService::V1 : simulator::LeaseService::None;
        simulator::Simulator server(all);
        QVERIFY(server.start(nullptr));
        server.setDenied({"list leases "});
        QCOMPARE(run(options({u"elections"_s, u"-A"_s, u"--format"_s, u"csv"_s}), contexts(server)), int(PartUnreadable));
        QVERIFY2(m_err.contains(denied ? "leases" : "this API server has no Leases"), m_err.constData());
        QCOMPARE(m_err.count('\n'), 1);
        QVERIFY(m_out.contains("patroni,acme") && m_out.contains("configmaps,backup") && m_out.contains("leader-for-life,lifelong"));
        QVERIFY(!m_out.contains("kube-scheduler"));
        m_err.clear();
        QCOMPARE(run(options({u"list"_s, u"-A"_s}), contexts(server)), int(Answered));
        QVERIFY2(m_err.isEmpty(), m_err.constData());
    }

    // A line for each change of who leads, none for a renewal; and the same from its recording, under other names.
    void followsElections()
    {
        simulator::Plan all = withElections(20);
        all.elections.push_back({.ns = "ops",
                                 .name = "planner",
                                 .candidates = {"planner-1", "planner-2"},
                                 .takeoverEvery = std::chrono::seconds(20),
                                 .pods = true});
        simulator::Simulator server(all);
        QVERIFY(server.start(nullptr));
        const QString file = m_dir.filePath(u"elections.ndjson.gz"_s);
        LiveRun live(options({u"elections"_s, u"--follow"_s, u"-A"_s, u"--format"_s, u"csv"_s, u"--record"_s, file, u"--replace-names"_s}),
                     sinks());
        std::optional<int> code;
        connect(&live, &LiveRun::finished, &live, [&](int c) { code = c; });
        live.start(contexts(server));
        QTRY_VERIFY_WITH_TIMEOUT(m_out.contains(",planner-2_"), 60000);
        live.interrupt();
        QTRY_VERIFY(code.has_value());
        QVERIFY2(m_out.count("leases,kube-scheduler,") <= 2, m_out.constData()); // unverified, held
        m_out.clear();
        QCOMPARE(runReplay(options({u"elections"_s, u"--replay"_s, file, u"--format"_s, u"json"_s}), sinks()), int(Answered));
        QVERIFY2(!m_out.contains("planner") && !m_out.contains("kube-scheduler") && !m_out.contains("control-"), m_out.constData());
        int resolved = 0;
        const QJsonArray rows = QJsonDocument::fromJson(m_out).array();
        for (const QJsonValue row : rows) {
            const QString holder = row.toObject().value("holder"_L1).toString();
            const QString pod = row.toObject().value("pod"_L1).toString();
            resolved += !pod.isEmpty() && holder.section(u'_', 0, 0) == pod ? 1 : 0;
        }
        QVERIFY2(resolved >= 4, m_out.constData());
        m_out.clear();
        QCOMPARE(runReplay(options({u"transitions"_s, u"--replay"_s, file, u"--format"_s, u"csv"_s}), sinks()), int(Answered));
        QVERIFY2(m_out.contains(",taken-over,"), m_out.constData());
        m_out.clear();
        QCOMPARE(runReplay(options({u"events"_s, u"--replay"_s, file, u"--format"_s, u"csv"_s}), sinks()), int(Answered));
        QVERIFY2(m_out.contains(",election-leader,"), m_out.constData());
    }

    void recordingNeedsSomethingToRecord_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("no command") << QStringList{u"--record"_s, u"f"_s};
        QTest::newRow("not followed") << QStringList{u"list"_s, u"--record"_s, u"f"_s};
        QTest::newRow("a recording") << QStringList{u"list"_s, u"--follow"_s, u"--replay"_s, u"g"_s, u"--record"_s, u"f"_s};
        QTest::newRow("names of nothing") << QStringList{u"list"_s, u"--follow"_s, u"--replace-names"_s};
        QTest::newRow("no time") << QStringList{u"list"_s, u"--follow"_s, u"--for"_s, u"0"_s};
        QTest::newRow("time of one look") << QStringList{u"list"_s, u"--for"_s, u"5s"_s};
    }
    void recordingNeedsSomethingToRecord()
    {
        QFETCH(QStringList, arguments);
        QVERIFY(!parseArguments(arguments));
    }

    void followsUntilThePipeCloses()
    {
        simulator::Simulator server(plan(4));
        QVERIFY(server.start(nullptr));
        LiveRun live(options({u"events"_s, u"--follow"_s, u"-A"_s}), sinks());
        std::optional<int> code;
        connect(&live, &LiveRun::finished, &live, [&](int c) { code = c; });
        live.start(contexts(server));
        server.crashLeader("demo", "acme"); // taken over a simulated ttl later, five seconds of ours: listed by then
        QTRY_VERIFY_WITH_TIMEOUT(m_out.contains("leader-changed"), 60000);
        QVERIFY(!code);
        m_closed = true;
        QTRY_COMPARE(code, std::optional<int>(Answered));
        for (const QByteArray &line : m_out.trimmed().split('\n'))
            QVERIFY2(QJsonDocument::fromJson(line).isObject(), line.constData());
    }

    void interrupted()
    {
        simulator::Simulator server(plan(20));
        QVERIFY(server.start(nullptr));
        LiveRun live(options({u"list"_s, u"--follow"_s, u"-A"_s}), sinks());
        std::optional<int> code;
        connect(&live, &LiveRun::finished, &live, [&](int c) { code = c; });
        live.start(contexts(server));
        QTRY_VERIFY(m_out.contains("acme"));
        live.interrupt();
        QTRY_COMPARE(code, std::optional<int>(Answered));
    }

    void silentSource()
    {
        simulator::Simulator server(plan(0));
        QVERIFY(server.start(nullptr));
        const auto all = contexts(server);
        server.stopApi();
        QCOMPARE(run(options({u"list"_s, u"-A"_s}), all, {300ms, {}}), int(SourceSilent));
        QVERIFY(m_err.contains("endpoints of all namespaces"));
        QVERIFY(m_out.startsWith("context")); // the header, no row
    }

    // Nothing will come of waiting: told at once, long before the source counts as silent.
    void unreachableSource()
    {
        FakeApiServer server;
        const kube::ContextConfig config = server.config();
        server.stopListening();
        QCOMPARE(run(options({u"list"_s, u"-n"_s, u"db"_s}), {config}, {10min, {}}), int(SourceSilent));
        QVERIFY(m_err.contains("refused"));
    }

    void frozenSource()
    {
        FakeApiServer server;
        std::vector<ExchangePtr> kept; // takes requests and never answers
        server.setHandler([&](const ExchangePtr &x) { kept.push_back(x); });
        QCOMPARE(run(options({u"list"_s, u"-n"_s, u"db"_s}), {server.config()}, {300ms, {}}), int(SourceSilent));
        QVERIFY(m_err.contains("no answer"));
    }

    void partForbidden()
    {
        FakeApiServer server;
        server.setHandler([](const ExchangePtr &x) {
            if (x->request().path().contains(u"pods"_s))
                x->answer(403, statusJson(403, "Forbidden", "pods is forbidden"));
            else if (x->request().isWatch())
                x->startStream();
            else
                x->answer(200,
                          x->request().path().endsWith(u"configmaps"_s) ? listJson("7", {}).replace("EndpointsList", "ConfigMapList")
                                                                        : listJson("7", {}));
        });
        const int code = run(options({u"list"_s, u"-n"_s, u"db"_s}), {server.config()}, {30s, {}});
        QVERIFY2(code == PartUnreadable, m_err.constData());
        QVERIFY2(m_err.contains("list pods"), m_err.constData());
    }

    // What Kubernetes says of the Pods is evidence, where the account may read it; who asks for no transition needs none.
    void podEventsAreReadForTransitions_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<bool>("allowed");
        QTest::addColumn<bool>("read");
        QTest::newRow("transitions") << u"transitions"_s << true << true;
        QTest::newRow("events") << u"events"_s << true << true;
        QTest::newRow("not permitted") << u"transitions"_s << false << false;
        QTest::newRow("list") << u"list"_s << true << false;
    }
    void podEventsAreReadForTransitions()
    {
        QFETCH(QString, command);
        QFETCH(bool, allowed);
        QFETCH(bool, read);
        FakeApiServer server;
        int listed = 0, asked = 0;
        server.setHandler([&](const ExchangePtr &x) {
            const QString path = x->request().path();
            if (path.endsWith(u"selfsubjectaccessreviews"_s)) {
                ++asked;
                return x->answer(201, allowed ? R"({"status":{"allowed":true}})" : R"({"status":{"allowed":false}})");
            }
            if (x->request().isWatch())
                return x->startStream();
            listed += path.endsWith(u"/events"_s) && x->request().target.contains("Pod") ? 1 : 0;
            const QMap<QString, QByteArray> kinds{{u"configmaps"_s, "ConfigMapList"}, {u"pods"_s, "PodList"}, {u"events"_s, "EventList"}};
            x->answer(200, listJson("7", {}).replace("EndpointsList", kinds.value(path.section(u'/', -1), "EndpointsList")));
        });
        QCOMPARE(run(options({command, u"-n"_s, u"db"_s}), {server.config()}), int(Answered)); // once: not before they are listed
        QVERIFY2(m_err.isEmpty(), m_err.constData());
        QCOMPARE(listed > 0, read);
        QCOMPARE(asked, command == u"list"_s ? 0 : 2);
    }

    void oneContextUnusable()
    {
        simulator::Simulator server(plan(0));
        QVERIFY(server.start(nullptr));
        QCOMPARE(run(options({u"list"_s, u"-A"_s}), contexts(server), {}, true), int(PartUnreadable));
    }
};

QTEST_GUILESS_MAIN(TestLiveRun)
#include "tst_live_run.moc"
