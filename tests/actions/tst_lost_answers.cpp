// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// A peer that takes the request and swallows the answer: whatever the verb, over a new connection or one that is kept, the request is there
// exactly once, and what is told is no more than what is known.
#include "app/actions/plan.h"
#include "app/actions/writer.h"
#include "tests/actions/planning.h"
#include "tests/kube/fake_api_server.h"
#include "tests/kube/objects.h"

#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using rules::ActionKind;
using rules::ActionWish;

namespace {

enum class Verb { Create, Patch, Config, Post, PatchCall, Delete, DryRunCreate, DryRunPatch };

bool isTry(Verb verb)
{
    return verb == Verb::DryRunCreate || verb == Verb::DryRunPatch;
}

bool isCallOf(Verb verb)
{
    return verb == Verb::Post || verb == Verb::PatchCall || verb == Verb::Delete;
}

QByteArray method(Verb verb)
{
    switch (verb) {
    case Verb::Create:
    case Verb::DryRunCreate:
    case Verb::Post: return "POST";
    case Verb::Delete: return "DELETE";
    default: return "PATCH";
    }
}

ActionWish wishFor(Verb verb)
{
    ActionWish wish;
    wish.members = {"acme-2"};
    switch (verb) {
    case Verb::Config: wish.kind = ActionKind::Pause; break;
    case Verb::Post: wish.kind = ActionKind::Reload; break;
    case Verb::PatchCall:
        wish.kind = ActionKind::Pause;
        wish.byRest = true;
        break;
    case Verb::Delete: wish.kind = ActionKind::CancelRestart; break;
    default: return rules::switchoverWish("acme-1", "acme-2");
    }
    return wish;
}

PlannedWrite planned(Verb verb)
{
    auto c = made::plannable();
    for (auto &m : c.members)
        m.record.apiUrl = std::string("http:/") + "/10.9.0.16:8008/patroni";
    c.members[2].record.scheduledRestart = patroni::ScheduledRestart{"2031-02-03T01:30:00+00:00", {}, {}};
    if (verb == Verb::Patch || verb == Verb::DryRunPatch)
        made::addFailover(c, {});
    return plan(c, wishFor(verb)).value().front();
}

// What a read finds afterwards: everything as it was planned upon.
void answerRead(const ExchangePtr &x, const PlannedWrite &write)
{
    const bool there = write.basedOnVersion.has_value();
    const QByteArray version = QByteArray::fromStdString(write.basedOnVersion.value_or(""));
    if (!there)
        x->answer(404, statusJson(404, "NotFound", "not there"));
    else
        x->answer(200,
                  "{\"kind\":\"Endpoints\",\"metadata\":{\"name\":\"x\",\"namespace\":\"payments\",\"uid\":\"u\",\"resourceVersion\":\""
                      + version + "\",\"annotations\":{}}}");
}

} // namespace

class TestLostAnswers : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

    struct Told
    {
        std::optional<WriteResult> write;
        std::optional<DryRunResult> tried;
    };

    Told carryOut(kube::Client &client, Verb verb)
    {
        Transport transport = transportOf(&client);
        transport.triesSafely = true;
        ActionWriter writer(std::move(transport), AuditLog(m_dir.filePath(u"audit.ndjson"_s)), kube::systemClock());
        writer.setReadOnly([] { return false; });
        writer.setFreshness([](const PlannedWrite &) { return std::nullopt; });
        Told told;
        connect(&writer, &ActionWriter::finished, &writer, [&](const WriteResult &result) { told.write = result; });
        connect(&writer, &ActionWriter::dryRunFinished, &writer, [&](const DryRunResult &result) { told.tried = result; });
        if (isTry(verb))
            writer.dryRun(planned(verb));
        else
            writer.send(planned(verb));
        if (!waitUntil([&] { return told.write || told.tried; }, 30000))
            QTest::qFail("nothing was told", __FILE__, __LINE__);
        return told;
    }

    static int count(const FakeApiServer &server, Verb verb)
    {
        int n = 0;
        for (const Request &request : server.requests())
            n += request.method == method(verb) && (request.query(u"dryRun"_s) == u"All"_s) == isTry(verb) ? 1 : 0;
        return n;
    }

    static int writes(const FakeApiServer &server) { return int(server.requests().size()) - server.count("GET"); }

private Q_SLOTS:
    void swallowed_data()
    {
        QTest::addColumn<int>("verb");
        QTest::addColumn<bool>("warm");
        QTest::addColumn<bool>("reset");
        const std::pair<Verb, const char *> verbs[]{{Verb::Create, "create"},
                                                    {Verb::Patch, "patch"},
                                                    {Verb::Config, "configuration"},
                                                    {Verb::Post, "proxy POST"},
                                                    {Verb::PatchCall, "proxy PATCH"},
                                                    {Verb::Delete, "proxy DELETE"},
                                                    {Verb::DryRunCreate, "try of a create"},
                                                    {Verb::DryRunPatch, "try of a patch"}};
        for (const auto &verb : verbs) {
            for (const bool warm : {false, true}) {
                for (const bool reset : {false, true})
                    QTest::addRow("%s, %s, %s", verb.second, warm ? "warm" : "cold", reset ? "RST" : "FIN")
                        << int(verb.first) << warm << reset;
            }
        }
    }

    void swallowed()
    {
        QFETCH(int, verb);
        QFETCH(bool, warm);
        QFETCH(bool, reset);
        const auto what = static_cast<Verb>(verb);
        const PlannedWrite write = planned(what);
        FakeApiServer server(FakeApiServer::Mode::Https);
        kube::Client client(server.config());
        if (warm) {
            server.setHandler([](const ExchangePtr &x) { x->answer(200, "{\"kind\":\"Endpoints\",\"metadata\":{\"name\":\"x\"}}"); });
            const Told told = carryOut(client, what);
            QVERIFY(isTry(what) ? told.tried->code == DryRunCode::Accepted : told.write->code == WriteCode::Done);
        }
        server.setHandler([&](const ExchangePtr &x) {
            if (x->request().method == "GET")
                answerRead(x, write);
            else if (reset)
                x->reset();
            else
                x->close();
        });
        const int readsBefore = server.count("GET");
        const Told told = carryOut(client, what);
        if (isTry(what))
            QCOMPARE(told.tried->code, DryRunCode::NoAnswer);
        else if (isCallOf(what))
            QCOMPARE(told.write->code, WriteCode::Unknown);
        else
            QCOMPARE(told.write->code, WriteCode::NotArrived);
        QCOMPARE(server.count("GET") - readsBefore, isTry(what) || isCallOf(what) ? 0 : 1);

        // Time for a second copy to come, if one were sent: reads by another connection go all the way.
        for (int i = 0; i < 3; ++i) {
            bool done = false;
            client.get({Resource::Endpoints, u"payments"_s, u"acme"_s}, {}, &client, [&](const kube::Response &) { done = true; });
            QVERIFY(waitUntil([&] { return done; }));
        }
        QCOMPARE(count(server, what), warm ? 2 : 1);
        QCOMPARE(writes(server), warm ? 2 : 1); // and nothing else
        const Request &last = *std::find_if(server.requests().rbegin(), server.requests().rend(),
                                            [](const Request &request) { return request.method != "GET"; });
        QCOMPARE(last.body, write.write.body);
        if (warm)
            QCOMPARE(server.requests().at(0).connection, last.connection);
    }

    // A try carries dryRun=All, or it would be the write itself.
    void triesSayThatTheyAre()
    {
        FakeApiServer server(FakeApiServer::Mode::Https);
        kube::Client client(server.config());
        server.setHandler([](const ExchangePtr &x) { x->answer(200, "{\"kind\":\"Endpoints\",\"metadata\":{\"name\":\"x\"}}"); });
        carryOut(client, Verb::DryRunPatch);
        carryOut(client, Verb::DryRunCreate);
        carryOut(client, Verb::Patch);
        QCOMPARE(server.requests().at(0).target, QByteArray("/api/v1/namespaces/payments/endpoints/acme-failover?dryRun=All"));
        QCOMPARE(server.requests().at(1).target, QByteArray("/api/v1/namespaces/payments/endpoints?dryRun=All"));
        QCOMPARE(server.requests().at(2).target, QByteArray("/api/v1/namespaces/payments/endpoints/acme-failover"));
    }
};

QTEST_GUILESS_MAIN(TestLostAnswers)
#include "tst_lost_answers.moc"
