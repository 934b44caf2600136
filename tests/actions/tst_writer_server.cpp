// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The writer on a server that answers well, answers badly, and swallows answers: what is on the wire, and that it is there once.
#include "app/actions/writer.h"
#include "tests/actions/planning.h"
#include "tests/kube/fake_api_server.h"
#include "tests/kube/objects.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;
using namespace switchyard::test;

namespace {

PlannedWrite planned()
{
    auto c = made::plannable();
    made::addFailover(c, {});
    return planSwitchover(c, rules::switchoverWish("acme-1", "acme-2")).value();
}

QByteArray failoverJson(const QByteArray &version, const QByteArray &annotations)
{
    return R"({"kind":"Endpoints","metadata":{"name":"acme-failover","namespace":"payments","uid":"u","resourceVersion":")" + version
        + R"(","annotations":)" + annotations + "}}";
}

} // namespace

class TestWriterServer : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

    WriteResult send(FakeApiServer &server)
    {
        kube::Client client(server.config());
        ActionWriter writer(transportOf(&client), AuditLog(m_dir.filePath(QStringLiteral("audit.ndjson"))), kube::systemClock());
        writer.setReadOnly([] { return false; });
        writer.setFreshness([](const PlannedWrite &) { return std::nullopt; });
        std::optional<WriteResult> got;
        connect(&writer, &ActionWriter::finished, &writer, [&](const WriteResult &result) { got = result; });
        writer.send(planned());
        if (!waitUntil([&] { return got.has_value(); }))
            QTest::qFail("no result", __FILE__, __LINE__);
        return got.value_or(WriteResult{});
    }

private Q_SLOTS:
    void exactBytesOnTheWire()
    {
        FakeApiServer server(FakeApiServer::Mode::Https);
        server.setHandler([](const ExchangePtr &x) { x->answer(200, failoverJson("90555", "{}")); });
        const WriteResult result = send(server);
        QCOMPARE(result.code, WriteCode::Done);
        QCOMPARE(result.versionAfter, std::optional<std::string>("90555"));
        QCOMPARE(server.requests().size(), 1);
        const Request request = server.requests().front();
        QCOMPARE(request.method, QByteArray("PATCH"));
        QCOMPARE(request.path(), QStringLiteral("/api/v1/namespaces/payments/endpoints/acme-failover"));
        QCOMPARE(request.headers.value("content-type"), QByteArray("application/merge-patch+json"));
        QCOMPARE(request.body, planned().write.body);
    }

    void conflict()
    {
        FakeApiServer server;
        server.setHandler([](const ExchangePtr &x) {
            if (x->request().method == "GET")
                x->answer(200, failoverJson("90600", R"({"leader":"acme-1","member":"acme-0"})"));
            else
                x->answer(409, statusJson(409, "Conflict", "the object has been modified"));
        });
        const WriteResult result = send(server);
        QCOMPARE(result.code, WriteCode::Conflict);
        QCOMPARE(server.count("PATCH"), 1);
        QCOMPARE(server.count("GET"), 1);
        const std::vector<Difference> differences{{"leader", {}, "acme-1"}, {"member", {}, "acme-0"}};
        QVERIFY(result.differences == differences);
        QCOMPARE(result.error->message, std::string("the object has been modified"));
    }

    void forbiddenNamesWhatIsMissing()
    {
        FakeApiServer server;
        server.setHandler([](const ExchangePtr &x) { x->answer(403, statusJson(403, "Forbidden", "no")); });
        const WriteResult result = send(server);
        QCOMPARE(result.code, WriteCode::NotPermitted);
        QCOMPARE(result.error->verb, std::string("patch"));
        QCOMPARE(result.error->resource, std::string("endpoints"));
        QCOMPARE(result.error->ns, std::string("payments"));
        QCOMPARE(server.requests().size(), 1);
    }

    void vanished()
    {
        FakeApiServer server;
        server.setHandler([](const ExchangePtr &x) { x->answer(404, statusJson(404, "NotFound", "gone")); });
        QCOMPARE(send(server).code, WriteCode::Vanished);
        QCOMPARE(server.requests().size(), 1);
    }

    void swallowedAnswer_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("annotations");
        QTest::addColumn<int>("code");
        QTest::newRow("it arrived") << QByteArray("90555") << QByteArray(R"({"leader":"acme-1","member":"acme-2"})")
                                    << int(WriteCode::Arrived);
        QTest::newRow("it did not") << QByteArray("90388") << QByteArray("{}") << int(WriteCode::NotArrived);
        QTest::newRow("who knows") << QByteArray("90556") << QByteArray("{}") << int(WriteCode::Unknown);
    }

    void swallowedAnswer()
    {
        QFETCH(QByteArray, version);
        QFETCH(QByteArray, annotations);
        QFETCH(int, code);
        FakeApiServer server;
        server.setHandler([&](const ExchangePtr &x) {
            if (x->request().method == "GET")
                x->answer(200, failoverJson(version, annotations));
            else
                x->close();
        });
        const WriteResult result = send(server);
        QCOMPARE(int(result.code), code);
        QCOMPARE(result.versionAfter.has_value(), result.code == WriteCode::Arrived); // another version is not ours
        QCOMPARE(server.count("PATCH"), 1);
        QCOMPARE(server.count("GET"), 1);
    }
};

QTEST_GUILESS_MAIN(TestWriterServer)
#include "tst_writer_server.moc"
