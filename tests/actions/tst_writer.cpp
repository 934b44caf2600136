// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/writer.h"
#include "tests/actions/planning.h"
#include "tests/actions/writer_guards.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;
using made::answer;

namespace {

kube::Response failure(ErrorKind kind, int status)
{
    kube::Response response = made::failure(kind, status);
    response.error->verb = "patch";
    response.error->resource = "endpoints";
    return response;
}

QByteArray objectJson(const char *version, const char *annotations)
{
    return QByteArray(R"({"kind":"Endpoints","metadata":{"name":"acme-failover","namespace":"payments","uid":"u","resourceVersion":")")
        + version + R"(","annotations":)" + annotations + "}}";
}

PlannedWrite patch()
{
    auto c = made::plannable();
    made::addFailover(c, {{"leader", "acme-0"}});
    return planSwitchover(c, rules::switchoverWish("acme-1", "acme-2")).value();
}

PlannedWrite create()
{
    return planSwitchover(made::plannable(), rules::switchoverWish("acme-1", "acme-2")).value();
}

PlannedWrite cancel()
{
    auto c = made::plannable();
    made::addFailover(c, {{"leader", "acme-0"}});
    return planCancel(c).value();
}

PlannedWrite repair()
{
    auto c = made::plannable();
    made::addFailover(c, {{"scheduled_at", "tomorrow"}});
    return planRepair(c).value();
}

kube::Clock fixedClock()
{
    return {[] { return made::now(); }};
}

const char *const wanted = R"({"leader":"acme-1","member":"acme-2"})";

} // namespace

Q_DECLARE_METATYPE(PlannedWrite)
Q_DECLARE_METATYPE(kube::Response)
Q_DECLARE_METATYPE(std::optional<kube::Response>)
Q_DECLARE_METATYPE(WriteCode)

class TestWriter : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_path;
    int m_writes = 0, m_gets = 0;
    kube::Response m_answer;
    std::optional<kube::Response> m_seen; // nullopt: a GET is not expected
    QByteArray m_auditWhenSent;
    bool m_hold = false; // keep the answer to oneself
    kube::Client::Done m_held;

    QByteArray audit() const
    {
        QFile file(m_path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    Transport transport()
    {
        return {[this](const kube::Write &, QObject *, const kube::Client::Done &done) {
                    ++m_writes;
                    m_auditWhenSent = audit();
                    if (m_hold)
                        m_held = done;
                    else
                        done(m_answer);
                },
                [this](const kube::Path &path, QObject *, const kube::Client::Done &done) {
                    ++m_gets;
                    QCOMPARE(path.name, QStringLiteral("acme-failover"));
                    done(m_seen.value_or(failure(ErrorKind::Unreachable, 0)));
                }};
    }

    std::unique_ptr<ActionWriter> writer()
    {
        auto w = std::make_unique<ActionWriter>(transport(), AuditLog(m_path), fixedClock());
        w->setReadOnly([] { return false; });
        w->setFreshness([](const PlannedWrite &) { return std::nullopt; });
        return w;
    }

    WriteResult send(ActionWriter &w, const PlannedWrite &planned)
    {
        std::optional<WriteResult> got;
        int times = 0;
        const auto connection = connect(&w, &ActionWriter::finished, this, [&](const WriteResult &result) {
            got = result;
            ++times;
        });
        w.send(planned);
        if (times > 0)
            QTest::qFail("finished before the event loop", __FILE__, __LINE__);
        QCoreApplication::processEvents();
        disconnect(connection);
        if (times != 1)
            QTest::qFail("not finished exactly once", __FILE__, __LINE__);
        return got.value_or(WriteResult{});
    }

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = m_dir->filePath(QStringLiteral("audit.ndjson"));
        m_writes = m_gets = 0;
        m_answer = {};
        m_seen.reset();
        m_auditWhenSent.clear();
        m_hold = false;
        m_held = {};
    }

    void outcomes_data()
    {
        QTest::addColumn<PlannedWrite>("planned");
        QTest::addColumn<kube::Response>("answer");
        QTest::addColumn<std::optional<kube::Response>>("seen");
        QTest::addColumn<WriteCode>("code");
        using Seen = std::optional<kube::Response>;
        const auto row = [](const char *name, const PlannedWrite &planned, const kube::Response &a, const Seen &seen, WriteCode code) {
            QTest::newRow(name) << planned << a << seen << code;
        };
        const auto lost = failure(ErrorKind::OutcomeUnknown, 0);
        const auto conflict = failure(ErrorKind::Conflict, 409);
        const Seen asBefore = answer(200, objectJson("90388", R"({"leader":"acme-0"})"));
        const Seen asWanted = answer(200, objectJson("90555", wanted));
        const Seen emptied = answer(200, objectJson("90600", "{}"));
        const Seen gone = failure(ErrorKind::NotFound, 404);

        row("patched", patch(), answer(200, objectJson("90555", wanted)), {}, WriteCode::Done);
        row("created", create(), answer(201, objectJson("90555", wanted)), {}, WriteCode::Done);
        row("forbidden", patch(), failure(ErrorKind::Forbidden, 403), {}, WriteCode::NotPermitted);
        row("unauthorized", patch(), failure(ErrorKind::Unauthorized, 401), {}, WriteCode::NotPermitted);
        row("vanished", patch(), failure(ErrorKind::NotFound, 404), {}, WriteCode::Vanished);
        row("no such namespace", create(), failure(ErrorKind::NotFound, 404), {}, WriteCode::Failed);
        row("invalid", patch(), failure(ErrorKind::BadInput, 422), {}, WriteCode::Failed);
        row("throttled", patch(), failure(ErrorKind::Throttled, 429), {}, WriteCode::Failed);
        row("not sent", patch(), failure(ErrorKind::Unreachable, 0), {}, WriteCode::Failed);
        row("conflict", patch(), conflict, emptied, WriteCode::Conflict);
        row("conflict, deleted meanwhile", patch(), conflict, gone, WriteCode::Vanished);
        row("conflict about something else", patch(), conflict, asBefore, WriteCode::Failed);
        row("conflict, cannot be read", patch(), conflict, {failure(ErrorKind::Unreachable, 0)}, WriteCode::Conflict);
        row("exists already", create(), conflict, asWanted, WriteCode::Conflict);
        row("quota", create(), conflict, gone, WriteCode::Failed);
        row("lost, arrived", patch(), lost, asWanted, WriteCode::Arrived);
        row("lost, not arrived", patch(), lost, asBefore, WriteCode::NotArrived);
        row("lost, taken and cleared perhaps", patch(), lost, emptied, WriteCode::Unknown);
        row("lost, deleted", patch(), lost, gone, WriteCode::Unknown);
        row("lost, cannot be read", patch(), lost, {failure(ErrorKind::Unreachable, 0)}, WriteCode::Unknown);
        row("lost, cannot be understood", patch(), lost, {answer(200, "<html>")}, WriteCode::Unknown);
        row("create lost, arrived", create(), lost, asWanted, WriteCode::Arrived);
        row("create lost, not arrived", create(), lost, gone, WriteCode::NotArrived);
        // Patroni empties the object too, when it has taken the request.
        row("cancel lost, emptied by somebody", cancel(), lost, emptied, WriteCode::Unknown);
        row("cancel turned away, emptied by somebody", cancel(), failure(ErrorKind::Server, 503), emptied, WriteCode::Unknown);
        row("cancel lost, not arrived", cancel(), lost, asBefore, WriteCode::NotArrived);
        row("cancel lost, another request", cancel(), lost, asWanted, WriteCode::Unknown);
        row("repair lost, emptied by somebody", repair(), lost, emptied, WriteCode::Unknown);
        row("cancelled", cancel(), answer(200, objectJson("90555", "{}")), {}, WriteCode::Done);
        row("unclear answer, not done", patch(), failure(ErrorKind::OutcomeUnknown, 500), asBefore, WriteCode::NotArrived);
        row("turned away, not done", patch(), failure(ErrorKind::Server, 503), asBefore, WriteCode::Failed);
        row("turned away, done all the same", patch(), failure(ErrorKind::Server, 503), asWanted, WriteCode::Arrived);
        row("gateway time-out, done", patch(), failure(ErrorKind::Server, 504), asWanted, WriteCode::Arrived);
    }

    void outcomes()
    {
        QFETCH(PlannedWrite, planned);
        QFETCH(std::optional<kube::Response>, seen);
        QFETCH(WriteCode, code);
        m_answer = *static_cast<const kube::Response *>(QTest::qData("answer", qMetaTypeId<kube::Response>()));
        m_seen = seen;
        const auto w = writer();
        const WriteResult result = send(*w, planned);
        QCOMPARE(result.code, code);
        QCOMPARE(m_writes, 1); // never repeated
        QCOMPARE(m_gets, seen ? 1 : 0);
        QVERIFY(!w->busy());
        QVERIFY(m_auditWhenSent.contains("\"event\":\"intent\""));
        QVERIFY(m_auditWhenSent.contains(result.auditId.toUtf8()));
        QCOMPARE(audit().count('\n'), 2);
        const std::string word = code == WriteCode::Unknown ? "outcome-unknown" : std::string(actions::code(code));
        QVERIFY(audit().contains(QByteArray::fromStdString("\"result\":\"" + word + '"')));
        // Only what this write made is its version; what was read again is told as that.
        const bool ours = code == WriteCode::Done || code == WriteCode::Arrived;
        QCOMPARE(result.versionAfter, ours ? std::optional<std::string>("90555") : std::nullopt);
        QVERIFY(audit().contains(ours ? R"("version_after":"90555")" : R"("version_after":null)"));
        const bool told = result.current && !ours;
        const std::string seenVersion = told ? "read again at version " + result.current->resourceVersion : "read again";
        QCOMPARE(audit().contains(QByteArray::fromStdString(seenVersion)), told);
    }

    void conflictTellsWhatChanged()
    {
        m_answer = failure(ErrorKind::Conflict, 409);
        m_seen = answer(200, objectJson("90600", R"({"leader":"acme-1","scheduled_at":"2031-02-03T01:30:00+00:00"})"));
        const auto w = writer();
        const WriteResult result = send(*w, patch());
        const std::vector<Difference> differences{{"leader", "acme-0", "acme-1"}, {"scheduled_at", {}, "2031-02-03T01:30:00+00:00"}};
        QVERIFY(result.differences == differences);
        QCOMPARE(result.current->resourceVersion, std::string("90600"));
    }

    void versionAfterTheWrite()
    {
        m_answer = answer(200, objectJson("90555", wanted));
        const auto w = writer();
        QCOMPARE(send(*w, patch()).versionAfter, std::optional<std::string>("90555"));
        QVERIFY(audit().contains(R"("version_after":"90555")"));
    }

    void refusals_data() { made::addGuards(); }

    void refusals()
    {
        QFETCH(made::Guard, guard);
        const auto w = writer();
        PlannedWrite planned = patch();
        guard(*w, planned);
        const WriteResult result = send(*w, planned);
        QCOMPARE(result.code, WriteCode::Refused);
        QVERIFY(result.error->kind == ErrorKind::Refused);
        QCOMPARE(m_writes, 0);
        QVERIFY(audit().isEmpty());
    }

    void noAuditNoWrite()
    {
        m_path = QStringLiteral("/dev/null/audit.ndjson");
        const auto w = writer();
        const WriteResult result = send(*w, patch());
        QCOMPARE(result.code, WriteCode::AuditFailed);
        QVERIFY(result.error->kind == ErrorKind::Io);
        QCOMPARE(m_writes, 0);
    }

    void oneAtATime()
    {
        m_hold = true;
        const auto w = writer();
        std::vector<WriteCode> codes;
        connect(w.get(), &ActionWriter::finished, this, [&](const WriteResult &result) { codes.push_back(result.code); });
        w->send(patch());
        QVERIFY(w->busy());
        w->send(patch());
        QCoreApplication::processEvents();
        QVERIFY(codes == std::vector{WriteCode::Refused});
        m_held(answer(200, objectJson("90555", wanted)));
        QCoreApplication::processEvents();
        QVERIFY((codes == std::vector{WriteCode::Refused, WriteCode::Done}));
        QCOMPARE(m_writes, 1);
    }

    void quitBeforeTheAnswer()
    {
        m_hold = true;
        auto w = writer();
        w->send(patch());
        w.reset();
        QVERIFY(audit().contains(R"("result":"abandoned")"));
    }

    void stillCurrent_data()
    {
        QTest::addColumn<int>("change");
        QTest::addColumn<bool>("current");
        QTest::newRow("unchanged") << 0 << true;
        QTest::newRow("stale") << 1 << false;
        QTest::newRow("request written meanwhile") << 2 << false;
        QTest::newRow("request object deleted") << 3 << false;
        QTest::newRow("leader changed") << 4 << false;
        QTest::newRow("cluster gone") << 5 << false;
        QTest::newRow("mode switched") << 6 << false;
    }

    void stillCurrent()
    {
        QFETCH(int, change);
        QFETCH(bool, current);
        auto c = made::plannable();
        made::addFailover(c, {{"leader", "acme-0"}});
        if (change == 1)
            c.view.freshness = patroni::Freshness::Stale;
        else if (change == 2)
            c.objects["failover"].resourceVersion = "90389";
        else if (change == 3)
            c.objects.erase("failover");
        else if (change == 4)
            c.leaderName = "acme-2";
        else if (change == 6)
            c.names.mode = patroni::Mode::ConfigMaps;
        QCOMPARE(!checkStillCurrent(change == 5 ? nullptr : &c, patch()), current);
    }
};

QTEST_GUILESS_MAIN(TestWriter)
#include "tst_writer.moc"
