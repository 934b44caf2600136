// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The writer with configurations, calls of a member's server, and tries.
#include "app/actions/config_text.h"
#include "app/actions/plan.h"
#include "app/actions/writer.h"
#include "tests/actions/planning.h"
#include "tests/actions/writer_guards.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;
using made::answer;
using made::failure;
using rules::ActionKind;
using rules::ActionWish;

namespace {

using Seen = std::optional<kube::Response>;

QByteArray configJson(const char *version, const std::string &config)
{
    QByteArray text = QByteArray::fromStdString(config).replace('\\', "\\\\").replace('"', "\\\"");
    return QByteArray(R"({"kind":"Endpoints","metadata":{"name":"acme-config","namespace":"payments","uid":"u","resourceVersion":")")
        + version + R"(","annotations":{"config":")" + text + R"(","history":"[]"}}})";
}

patroni::Cluster cluster()
{
    auto c = made::plannable();
    for (auto &m : c.members)
        m.record.apiUrl = std::string("http:/") + "/10.9.0.16:8008/patroni";
    return c;
}

PlannedWrite planned(ActionKind kind, bool byRest = false)
{
    ActionWish wish;
    wish.kind = kind;
    wish.byRest = byRest;
    if (kind == ActionKind::Switchover)
        wish = rules::switchoverWish("acme-1", "acme-2");
    if (kind == ActionKind::Failover)
        wish = rules::failoverWish("acme-2");
    wish.byRest = byRest;
    wish.members = {"acme-2"};
    auto c = cluster();
    if (kind == ActionKind::Failover)
        made::addFailover(c, {});
    return plan(c, wish).value().front();
}

// To acme-2, decided while nobody led.
PlannedWrite leaderlessFailover(bool byRest)
{
    ActionWish wish = rules::failoverWish("acme-2");
    wish.byRest = byRest;
    auto c = cluster();
    c.leaderName.reset();
    c.lock.state = patroni::LockState::Expired;
    made::addFailover(c, {});
    return plan(c, wish).value().front();
}

const std::string paused = withPause(made::configText(), true).value();

} // namespace

Q_DECLARE_METATYPE(PlannedWrite)
Q_DECLARE_METATYPE(kube::Response)
Q_DECLARE_METATYPE(Seen)
Q_DECLARE_METATYPE(WriteCode)
Q_DECLARE_METATYPE(DryRunCode)

class TestWriterKinds : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_path;
    QList<kube::Write> m_writes;
    bool m_triesSafely = true;
    int m_gets = 0;
    kube::Response m_answer;
    Seen m_seen;

    QByteArray audit() const
    {
        QFile file(m_path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<ActionWriter> writer()
    {
        Transport transport{[this](const kube::Write &write, QObject *, const kube::Client::Done &done) {
                                m_writes.append(write);
                                done(m_answer);
                            },
                            [this](const kube::Path &, QObject *, const kube::Client::Done &done) {
                                ++m_gets;
                                done(m_seen.value_or(failure(ErrorKind::Unreachable, 0)));
                            },
                            m_triesSafely};
        auto w = std::make_unique<ActionWriter>(std::move(transport), AuditLog(m_path), kube::Clock{[] { return made::now(); }});
        w->setReadOnly([] { return false; });
        w->setFreshness([](const PlannedWrite &) { return std::nullopt; });
        return w;
    }

    WriteResult send(const PlannedWrite &write)
    {
        const auto w = writer();
        std::vector<WriteResult> got;
        connect(w.get(), &ActionWriter::finished, this, [&](const WriteResult &result) { got.push_back(result); });
        w->send(write);
        QCoreApplication::processEvents();
        if (got.size() != 1)
            QTest::qFail("not finished exactly once", __FILE__, __LINE__);
        return got.empty() ? WriteResult() : got.front();
    }

    DryRunResult tryOut(ActionWriter &w, const PlannedWrite &write)
    {
        std::vector<DryRunResult> got;
        const auto connection = connect(&w, &ActionWriter::dryRunFinished, this,
                                        [&](const DryRunResult &result) { got.push_back(result); });
        w.dryRun(write);
        QCoreApplication::processEvents();
        disconnect(connection);
        if (got.size() != 1)
            QTest::qFail("not finished exactly once", __FILE__, __LINE__);
        return got.empty() ? DryRunResult() : got.front();
    }

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = m_dir->filePath(QStringLiteral("audit.ndjson"));
        m_writes.clear();
        m_gets = 0;
        m_answer = {};
        m_seen.reset();
    }

    void configurations_data()
    {
        QTest::addColumn<kube::Response>("said");
        QTest::addColumn<Seen>("seen");
        QTest::addColumn<WriteCode>("code");
        const auto row = [](const char *name, const kube::Response &said, const Seen &seen, WriteCode code) {
            QTest::newRow(name) << said << seen << code;
        };
        const auto lost = failure(ErrorKind::OutcomeUnknown, 0);
        const auto conflict = failure(ErrorKind::Conflict, 409);
        const std::string before = made::configText();
        row("written", answer(200, configJson("90555", paused)), {}, WriteCode::Done);
        row("history was written meanwhile", conflict, answer(200, configJson("90500", before)), WriteCode::Conflict);
        row("somebody else was faster", conflict, answer(200, configJson("90500", "{\"ttl\":99}")), WriteCode::Conflict);
        row("lost, arrived", lost, answer(200, configJson("90555", paused)), WriteCode::Arrived);
        row("lost, as before", lost, answer(200, configJson("90417", before)), WriteCode::NotArrived);
        row("lost, set back perhaps", lost, answer(200, configJson("90600", before)), WriteCode::Unknown);
        row("lost, overwritten perhaps", lost, answer(200, configJson("90600", "{\"ttl\":99}")), WriteCode::Unknown);
        row("lost, cannot be read", lost, {failure(ErrorKind::Unreachable, 0)}, WriteCode::Unknown);
        row("gone", failure(ErrorKind::NotFound, 404), {}, WriteCode::Vanished);
        row("too large for the server", failure(ErrorKind::BadInput, 422), {}, WriteCode::Failed);
    }

    void configurations()
    {
        QFETCH(Seen, seen);
        QFETCH(WriteCode, code);
        m_answer = *static_cast<const kube::Response *>(QTest::qData("said", qMetaTypeId<kube::Response>()));
        m_seen = seen;
        const WriteResult result = send(planned(ActionKind::Pause));
        QCOMPARE(result.code, code);
        QCOMPARE(m_writes.size(), 1);
        QCOMPARE(m_gets, seen ? 1 : 0);
        QVERIFY(!m_writes.first().dryRun);
        if (code == WriteCode::Conflict) {
            const bool changed = seen->body.contains("99");
            QCOMPARE(result.differences.size(), std::size_t(changed ? 1 : 0));
            if (changed)
                QVERIFY((result.differences.front() == Difference{"config", made::configText(), "{\"ttl\":99}"}));
        }
    }

    // models/rules/rest_answer has the table of answers; here: each code leads to one truth, and no object is read.
    void calls_data()
    {
        QTest::addColumn<PlannedWrite>("write");
        QTest::addColumn<kube::Response>("said");
        QTest::addColumn<WriteCode>("code");
        const auto row = [](const char *name, const PlannedWrite &write, const kube::Response &said, WriteCode code) {
            QTest::newRow(name) << write << said << code;
        };
        const PlannedWrite restart = planned(ActionKind::Restart), switchover = planned(ActionKind::Switchover, true);
        const QByteArray forbidden = R"({"kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":"no"})";
        const QByteArray noWay = R"({"kind":"Status","status":"Failure","reason":"ServiceUnavailable","code":503,)"
                                 R"("message":"error trying to reach service: dial tcp 10.9.0.16:8008: connect: connection refused"})";
        row("done", restart, answer(200, "restarted successfully"), WriteCode::Done);
        row("scheduled", restart, answer(202, "Restart scheduled"), WriteCode::Done);
        row("switched over", switchover, answer(200, "Successfully switched over to \"acme-2\""), WriteCode::Done);
        row("refused", switchover, answer(412, "candidate does not exists"), WriteCode::PatroniRefused);
        row("busy", restart, answer(503, "restart is already in progress"), WriteCode::PatroniRefused);
        row("did not work", switchover, answer(503, "Switchover failed"), WriteCode::Failed);
        row("still running", switchover, answer(503, "Switchover status unknown"), WriteCode::StillRunning);
        row("password needed", restart, answer(401, "no auth header received"), WriteCode::Limited);
        row("not in the allowlist", restart, answer(403, "Access is denied"), WriteCode::Limited);
        row("certificate needed", restart, answer(403, "client certificate required"), WriteCode::Limited);
        row("not permitted", restart, failure(ErrorKind::Forbidden, 403, "no", forbidden), WriteCode::NotPermitted);
        row("no connection to the Pod", restart, failure(ErrorKind::Server, 503, "", noWay), WriteCode::Limited);
        row("no answer to a switchover", switchover, failure(ErrorKind::OutcomeUnknown, 0), WriteCode::StillRunning);
        row("no answer to a reload", planned(ActionKind::Reload), failure(ErrorKind::OutcomeUnknown, 0), WriteCode::Unknown);
        row("broken off", planned(ActionKind::Reload), failure(ErrorKind::OutcomeUnknown, 202, "", "rel"), WriteCode::Unknown);
        row("never sent", restart, failure(ErrorKind::Unreachable, 0), WriteCode::Failed);
    }

    void calls()
    {
        QFETCH(PlannedWrite, write);
        QFETCH(WriteCode, code);
        m_answer = *static_cast<const kube::Response *>(QTest::qData("said", qMetaTypeId<kube::Response>()));
        m_seen = answer(200, configJson("1", paused));
        const WriteResult result = send(write);
        QCOMPARE(result.code, code);
        QCOMPARE(m_writes.size(), 1);
        QCOMPARE(m_writes.first().body, write.write.body);
        QCOMPARE(m_gets, 0);
        const bool sent = !m_answer.error || m_answer.error->kind != ErrorKind::Unreachable;
        QCOMPARE(result.rest.has_value(), sent);
        const std::string word = code == WriteCode::Unknown ? "outcome-unknown" : std::string(actions::code(code));
        QVERIFY(audit().contains(QByteArray::fromStdString("\"result\":\"" + word + '"')));
    }

    void wordsAreMasked()
    {
        m_answer = answer(503, QByteArray("restart failed: postgres:/") + "/rep:s3cret@10.0.0.1/x");
        const WriteResult result = send(planned(ActionKind::Restart));
        QVERIFY(result.rest->words.find("s3cret") == std::string::npos);
        QVERIFY(!audit().contains("s3cret"));
        QVERIFY(audit().contains("restart failed"));
    }

    void tries_data()
    {
        QTest::addColumn<kube::Response>("said");
        QTest::addColumn<DryRunCode>("code");
        const auto row = [](const char *name, const kube::Response &said, DryRunCode code) { QTest::newRow(name) << said << code; };
        row("accepted", answer(200, configJson("90417", paused)), DryRunCode::Accepted);
        row("refused by a webhook", failure(ErrorKind::BadInput, 422, "policy"), DryRunCode::Refused);
        row("gone", failure(ErrorKind::NotFound, 404), DryRunCode::Refused);
        row("forbidden", failure(ErrorKind::Forbidden, 403), DryRunCode::NotPermitted);
        row("conflict", failure(ErrorKind::Conflict, 409), DryRunCode::Conflict);
        row("no answer", failure(ErrorKind::OutcomeUnknown, 0), DryRunCode::NoAnswer);
        row("not reached", failure(ErrorKind::Unreachable, 0), DryRunCode::NoAnswer);
        row("busy", failure(ErrorKind::Throttled, 429), DryRunCode::NoAnswer);
        row("a gateway's word", failure(ErrorKind::Server, 502), DryRunCode::NoAnswer);
        row("a webhook with side effects", failure(ErrorKind::BadInput, 400, "admission webhook \"x\" does not support dry run"),
            DryRunCode::NotSupported);
        row("turned off", failure(ErrorKind::Server, 400, "the dryRun feature is disabled"), DryRunCode::NotSupported);
    }

    void tries()
    {
        QFETCH(DryRunCode, code);
        m_answer = *static_cast<const kube::Response *>(QTest::qData("said", qMetaTypeId<kube::Response>()));
        const PlannedWrite write = planned(ActionKind::Pause);
        const auto w = writer();
        const DryRunResult result = tryOut(*w, write);
        QCOMPARE(result.code, code);
        QCOMPARE(m_writes.size(), 1);
        QVERIFY(m_writes.first().dryRun);
        QCOMPARE(m_writes.first().body, write.write.body);
        QCOMPARE(m_gets, 0);
        QVERIFY(audit().isEmpty());
        QVERIFY(result.planned.dryRun.starts_with(actions::code(code)));
        QVERIFY(!result.planned.write.dryRun); // to be sent as it is
        QVERIFY(!inspectWrite(result.planned));
    }

    // A server that does not know the word would store what it is to try.
    void nothingIsTriedOnAnOldServer()
    {
        m_triesSafely = false;
        const auto w = writer();
        QCOMPARE(tryOut(*w, planned(ActionKind::Pause)).code, DryRunCode::NotSupported);
        QVERIFY(m_writes.isEmpty());
        m_triesSafely = true;
    }

    void whichServersTrySafely_data()
    {
        QTest::addColumn<bool>("safe");
        for (const char *version : {"v1.13.0", "v1.20.2", "v1.32.4+simulated", "v1.27.3-gke.100", "v1.21+", "v2.0.0"})
            QTest::newRow(version) << true;
        for (const char *version : {"v1.12.10", "v1.9.6", "v1.3.0-alpha", "v1", "1.31.2", "v", "unknown"})
            QTest::newRow(version) << false;
        QTest::newRow("") << false;
    }

    void whichServersTrySafely()
    {
        QFETCH(bool, safe);
        QCOMPARE(triesSafely(QTest::currentDataTag()), safe);
    }

    void triesAreGuardedToo_data() { made::addGuards(); }

    void triesAreGuardedToo()
    {
        QFETCH(made::Guard, guard);
        const auto w = writer();
        PlannedWrite write = planned(ActionKind::Pause);
        guard(*w, write);
        const DryRunResult result = tryOut(*w, write);
        QCOMPARE(result.code, DryRunCode::NotSent);
        QVERIFY(result.error->kind == ErrorKind::Refused);
        QVERIFY(m_writes.isEmpty());
    }

    void callsCannotBeTried()
    {
        const auto w = writer();
        QCOMPARE(tryOut(*w, planned(ActionKind::Restart)).code, DryRunCode::NotSupported);
        QVERIFY(m_writes.isEmpty());
    }

    void stillCurrent_data()
    {
        QTest::addColumn<PlannedWrite>("write");
        QTest::addColumn<int>("change");
        QTest::addColumn<bool>("current");
        const PlannedWrite pause = planned(ActionKind::Pause), restart = planned(ActionKind::Restart);
        const PlannedWrite switchover = planned(ActionKind::Switchover, true), failover = planned(ActionKind::Failover);
        QTest::newRow("configuration, unchanged") << pause << 0 << true;
        QTest::newRow("configuration, another version") << pause << 1 << false;
        QTest::newRow("configuration, object gone") << pause << 2 << false;
        QTest::newRow("configuration, another leader") << pause << 3 << true;
        QTest::newRow("configuration, stale") << pause << 5 << false;
        QTest::newRow("configuration, mode switched") << pause << 6 << false;
        QTest::newRow("restart, unchanged") << restart << 0 << true;
        QTest::newRow("restart, another version of objects") << restart << 1 << true;
        QTest::newRow("restart, member gone") << restart << 4 << false;
        QTest::newRow("restart, stale") << restart << 5 << false;
        QTest::newRow("switchover by call, another leader") << switchover << 3 << false;
        QTest::newRow("switchover by call, unchanged") << switchover << 0 << true;
        QTest::newRow("failover, unchanged") << failover << 7 << true;
        QTest::newRow("failover, its candidate leads now") << failover << 8 << false;
        QTest::newRow("failover, its candidate is gone") << failover << 9 << false;
        for (const bool byRest : {false, true}) {
            const PlannedWrite led = planned(ActionKind::Failover, byRest), leaderless = leaderlessFailover(byRest);
            const char *way = byRest ? "by call" : "by object";
            QTest::addRow("failover %s, the same leads", way) << led << 7 << true;
            QTest::addRow("failover %s, another leads now", way) << led << 10 << false;
            QTest::addRow("failover %s, nobody leads any more", way) << led << 11 << true;
            QTest::addRow("failover %s, nobody led and somebody does", way) << leaderless << 7 << false;
            QTest::addRow("failover %s, nobody led nor does", way) << leaderless << 11 << true;
            QTest::addRow("failover %s, a request appeared", way) << led << 12 << false;
            QTest::addRow("failover %s, a request came and went", way) << led << 13 << false;
        }
        QTest::newRow("switchover by call, a request appeared") << switchover << 12 << false;
        QTest::newRow("switchover by call, a request came and went") << switchover << 13 << false;
        QTest::newRow("restart, a request appeared") << restart << 12 << true;
    }

    void stillCurrent()
    {
        QFETCH(PlannedWrite, write);
        QFETCH(int, change);
        QFETCH(bool, current);
        auto c = cluster();
        if (change == 1)
            c.objects["config"].resourceVersion = "90418";
        else if (change == 2)
            c.objects.erase("config");
        else if (change == 3)
            c.leaderName = "acme-0";
        else if (change == 5)
            c.view.freshness = patroni::Freshness::Stale;
        else if (change == 6)
            c.names.mode = patroni::Mode::ConfigMaps;
        if (change >= 7)
            made::addFailover(c, {});
        if (change == 8)
            c.leaderName = "acme-2";
        if (change == 10)
            c.leaderName = "acme-0";
        if (change == 11)
            c.leaderName.reset();
        if (change == 12)
            made::addFailover(c, {{"leader", "acme-1"}, {"member", "acme-0"}}, "90600");
        if (change == 13)
            made::addFailover(c, {}, "90601");
        if (change == 4 || change == 9)
            c.members.pop_back();
        const auto problem = checkStillCurrent(&c, write);
        QVERIFY2(!problem == current, problem ? describe(*problem).c_str() : "current");
    }

    // Who leads now, and what is pending now: to decide again the user must know it.
    void refusalsSayWhatIsThereNow()
    {
        auto c = cluster();
        made::addFailover(c, {});
        for (const bool byRest : {false, true}) {
            const auto problem = checkStillCurrent(&c, leaderlessFailover(byRest));
            QVERIFY(problem.has_value());
            QVERIFY2(problem->message.starts_with("acme-1 leads now, nobody did"), problem->message.c_str());
        }
        const PlannedWrite failover = planned(ActionKind::Failover, true), switchover = planned(ActionKind::Switchover, true);
        c.leaderName = "acme-0";
        auto problem = checkStillCurrent(&c, failover);
        QVERIFY(problem.has_value());
        QVERIFY2(problem->message.starts_with("acme-0 leads now, acme-1 did"), problem->message.c_str());
        c.leaderName = "acme-1";
        made::addFailover(c, {{"leader", "acme-1"}, {"scheduled_at", "2031-02-03T01:30:00+00:00"}}, "90600");
        for (const PlannedWrite &call : {failover, switchover}) {
            problem = checkStillCurrent(&c, call);
            QVERIFY(problem.has_value());
            QVERIFY2(problem->message.find("pending now: leader=acme-1 scheduled_at=2031-02-03T01:30:00+00:00;") != std::string::npos,
                     problem->message.c_str());
        }
        made::addFailover(c, {}, "90601");
        problem = checkStillCurrent(&c, switchover);
        QVERIFY(problem.has_value());
        QVERIFY2(problem->message.find("pending now: nothing;") != std::string::npos, problem->message.c_str());
    }

    // It is known here and not sent: a call carries no precondition.
    void whatACallReplacesIsNotSent()
    {
        const PlannedWrite call = planned(ActionKind::Failover, true);
        QVERIFY(call.slotThen == (RequestSlot{"90388", {}}));
        QVERIFY(!call.basedOnVersion && call.before.empty());
        QCOMPARE(call.write.body, QByteArray(R"({"candidate":"acme-2"})"));
        QVERIFY(!inspectWrite(call));
        QVERIFY(!planned(ActionKind::Failover).slotThen); // the object's own version says it
        QVERIFY(!planned(ActionKind::Restart).slotThen);
    }

    void repairNeedsNoLockInSight()
    {
        auto c = cluster();
        made::addFailover(c, {{"scheduled_at", "tomorrow"}});
        std::vector<patroni::Defect> defects;
        c.failover = patroni::decodeFailover(c.objects["failover"], defects);
        c.lock.state = patroni::LockState::Stale;
        ActionWish wish;
        wish.kind = ActionKind::Repair;
        const PlannedWrite repair = plan(c, wish).value().front();
        QVERIFY(!checkStillCurrent(&c, repair));
        c.view.freshness = patroni::Freshness::Stale;
        QVERIFY(checkStillCurrent(&c, repair).has_value());
        c.view.freshness = patroni::Freshness::Live;
        c.objects["failover"].resourceVersion = "90389";
        QVERIFY(checkStillCurrent(&c, repair).has_value());
    }
};

QTEST_GUILESS_MAIN(TestWriterKinds)
#include "tst_writer_kinds.moc"
