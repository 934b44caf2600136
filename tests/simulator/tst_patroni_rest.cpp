// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The REST API of simulated members: the words of patroni/api.py, and that what is asked for happens.
#include "rig.h"

#include <QTest>

#include <optional>

using namespace switchyard::simulator;
using namespace Qt::StringLiterals;

namespace {

// A call, and what came of it so far.
struct Called
{
    std::shared_ptr<std::optional<PodReply>> reply = std::make_shared<std::optional<PodReply>>();
    bool answered() const { return reply->has_value(); }
    int code() const { return answered() ? (*reply)->code : -1; }
    std::string body() const { return answered() ? (*reply)->body : std::string("(no answer)"); }
};

Called call(Rig &rig, const std::string &member, const char *method, const char *path, const Json &body = nullptr)
{
    Called made;
    rig.sim.call(member, {false, 8008, method, path, body.is_null() ? std::string() : body.dump()},
                 [reply = made.reply](const PodReply &answer) { *reply = answer; });
    return made;
}

Json statusOf(Rig &rig, const std::string &member)
{
    return Json::parse(call(rig, member, "GET", "/patroni").body());
}

} // namespace

class TestPatroniRest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void ownAnswer()
    {
        Rig rig;
        rig.run(20);
        const std::string leader = rig.sim.leader(), replica = rig.other();
        const Json primary = statusOf(rig, leader), standby = statusOf(rig, replica);
        QVERIFY(primary["state"] == "running");
        QVERIFY(primary["role"] == "primary");
        QVERIFY(primary["xlog"]["location"].get<std::int64_t>() > 0);
        QCOMPARE(primary["replication"].size(), std::size_t(2));
        QVERIFY(primary["patroni"]["name"] == leader);
        QVERIFY(standby["role"] == "replica");
        QVERIFY(standby["xlog"]["received_location"].get<std::int64_t>() > 0);
        QVERIFY(standby["patroni"]["version"] == "4.0.7");
        QVERIFY(Json::parse(call(rig, leader, "GET", "/config").body())["ttl"] == 30);
        QCOMPARE(Json::parse(call(rig, leader, "GET", "/cluster").body())["members"].size(), std::size_t(3));
        QVERIFY(Json::parse(call(rig, leader, "GET", "/history").body()).is_array());
    }

    void switchover()
    {
        Rig rig;
        rig.run(20);
        const std::string leader = rig.sim.leader(), next = rig.other();
        const Called made = call(rig, leader, "POST", "/switchover", {{"leader", leader}, {"candidate", next}});
        rig.run(0.5);
        QVERIFY(!made.answered()); // it waits for the new leader
        rig.run(8);
        QCOMPARE(made.body(), "Successfully switched over to \"" + next + '"');
        QCOMPARE(made.code(), 200);
        QCOMPARE(rig.sim.leader(), next);
    }

    void failover()
    {
        Rig rig;
        rig.run(20);
        const std::string leader = rig.sim.leader(), next = rig.other();
        const Called made = call(rig, leader, "POST", "/failover", {{"candidate", next}});
        rig.run(8);
        QCOMPARE(made.body(), "Successfully failed over to \"" + next + '"');
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("setup");
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("body"); // L: leader, A: another member
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *setup, const char *method, const char *path, const char *body, int code, const char *words) {
            QTest::addRow("%s %s %s %s", setup, method, path, body)
                << QByteArray(setup) << QByteArray(method) << QByteArray(path) << QByteArray(body) << code << QByteArray(words);
        };
        row("", "POST", "/switchover", R"({"candidate":"A"})", 400, "Switchover could be performed only from a specific leader");
        row("", "POST", "/failover", R"({"leader":"L"})", 400, "Failover could be performed only to a specific candidate");
        row("", "POST", "/switchover", R"({"leader":"A"})", 412, "leader name does not match");
        row("", "POST", "/switchover", R"({"leader":"L","candidate":"x"})", 412, "candidate does not exists");
        row("", "POST", "/switchover", R"({"leader":"L","candidate":"L"})", 400, "Switchover target and source are the same");
        row("", "POST", "/switchover", R"({"leader":"L","scheduled_at":"2031-02-03T09:00:00+00:00"})", 422,
            "Cannot schedule switchover in the past");
        row("", "POST", "/switchover", R"({"leader":"L","scheduled_at":"2032-02-03T09:00:00"})", 400,
            "Timezone information is mandatory for the scheduled switchover");
        row("", "POST", "/switchover", R"({"leader":"L","scheduled_at":"soon"})", 422, "Unable to parse scheduled timestamp");
        row("", "POST", "/failover", R"({"candidate":"A","scheduled_at":"2032-02-03T09:00:00+00:00"})", 400, "Failover can't be scheduled");
        row("paused", "POST", "/switchover", R"({"leader":"L"})", 400, "possible only to a specific candidate in a paused state");
        row("paused", "POST", "/switchover", R"({"leader":"L","candidate":"A","scheduled_at":"2032-02-03T09:00:00+00:00"})", 400,
            "Can't schedule switchover in the paused state");
        row("paused", "POST", "/restart", R"({"schedule":"2032-02-03T09:00:00+00:00"})", 500, "Can't schedule restart in the paused state");
        row("", "POST", "/switchover", "", 400, "Bad Request");
        row("", "DELETE", "/switchover", "", 404, "no switchover is scheduled");
        row("", "DELETE", "/restart", "", 404, "no restarts are scheduled");
        row("", "POST", "/restart", R"({"role":"leader"})", 400, "PostgreSQL role should be either primary, standby_leader, or replica");
        row("", "POST", "/restart", R"({"timeout":0})", 400, "Timeout should be a positive number of seconds");
        row("", "POST", "/restart", R"({"colour":1})", 400, "Unknown filter");
        row("", "POST", "/restart", R"({"restart_pending":true})", 503, "restart conditions are not satisfied");
        row("", "POST", "/restart", R"({"role":"replica"})", 503, "restart conditions are not satisfied");
        row("", "POST", "/reinitialize", "{}", 503, "I am the leader, can not reinitialize");
        row("", "PATCH", "/config", "", 400, "Bad Request");
        row("", "POST", "/nothing", "{}", 501, "Unsupported method");
        row("authentication", "POST", "/reload", "", 401, "no auth header received");
        row("allowlist", "PATCH", "/config", R"({"pause":true})", 403, "Access is denied");
        row("certificate", "DELETE", "/restart", "", 403, "client certificate required");
    }
    void refused()
    {
        QFETCH(QByteArray, setup);
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, body);
        QFETCH(int, code);
        QFETCH(QByteArray, words);
        ClusterPlan plan;
        plan.paused = setup == "paused";
        plan.restLimit = setup == "authentication" ? RestLimit::Authentication
            : setup == "allowlist"                 ? RestLimit::Allowlist
            : setup == "certificate"               ? RestLimit::Certificate
                                                   : RestLimit::None;
        Rig rig(plan);
        rig.run(20);
        const std::string leader = rig.sim.leader();
        body.replace("\"L\"", QByteArray::fromStdString('"' + leader + '"'));
        body.replace("\"A\"", QByteArray::fromStdString('"' + rig.other() + '"'));
        const Called made = call(rig, leader, method.constData(), path.constData(),
                                 body.isEmpty() ? Json(nullptr) : Json::parse(body.toStdString()));
        QCOMPARE(made.code(), code);
        QVERIFY2(made.body().find(words.toStdString()) != std::string::npos, made.body().c_str());
        rig.run(20);
        QCOMPARE(rig.sim.leader(), leader);
        QCOMPARE(call(rig, leader, "GET", "/patroni").code(), 200); // what only reads is not limited
    }

    void notReached()
    {
        ClusterPlan plan;
        plan.restLimit = RestLimit::Loopback;
        Rig rig(plan);
        const Called made = call(rig, rig.sim.leader(), "GET", "/patroni");
        QVERIFY((*made.reply)->trouble.find("connect: connection refused") != std::string::npos);
        Rig other;
        const std::string silent = other.other();
        other.sim.freeze(silent);
        QVERIFY(!call(other, silent, "POST", "/reload").answered());
    }

    void scheduledAndCancelled()
    {
        Rig rig;
        rig.run(20);
        const std::string leader = rig.sim.leader();
        const Called made = call(rig, leader, "POST", "/switchover", {{"leader", leader}, {"scheduled_at", rig.in(600)}});
        QCOMPARE(made.code(), 202);
        QCOMPARE(made.body(), std::string("Switchover scheduled"));
        QVERIFY(rig.pending());
        QCOMPARE(call(rig, leader, "DELETE", "/switchover").body(), std::string("scheduled switchover deleted"));
        QVERIFY(!rig.pending());
    }

    void pauseReachesEveryMember()
    {
        Rig rig;
        rig.run(20);
        QCOMPARE(call(rig, rig.sim.leader(), "PATCH", "/config", {{"pause", true}, {"ttl", 40}}).code(), 200);
        rig.run(5);
        for (const Member &member : rig.sim.members())
            QCOMPARE(rig.status(member.name).value("pause", false), true);
        const Called resumed = call(rig, rig.sim.leader(), "PATCH", "/config", {{"pause", nullptr}});
        QCOMPARE(Json::parse(resumed.body()).contains("pause"), false);
        QVERIFY(Json::parse(resumed.body())["ttl"] == 40);
        rig.run(5);
        QVERIFY(!rig.status(rig.other()).contains("pause"));
    }

    void restartPending()
    {
        Rig rig;
        rig.run(20);
        const std::string replica = rig.other(), leader = rig.sim.leader();
        call(rig, leader, "PATCH", "/config", Json::parse(R"({"postgresql":{"parameters":{"max_connections":300}}})"));
        rig.run(12);
        QCOMPARE(rig.status(replica).value("pending_restart", false), true);
        const Called made = call(rig, replica, "POST", "/restart", {{"restart_pending", true}});
        rig.run(0.1);
        QVERIFY(rig.status(replica)["state"] == "restarting");
        QVERIFY(!made.answered());
        rig.run(5);
        QCOMPARE(made.body(), std::string("restarted successfully"));
        QVERIFY(!rig.status(replica).contains("pending_restart"));
        QCOMPARE(rig.status(leader).value("pending_restart", false), true);
        const Called primary = call(rig, leader, "POST", "/restart", Json::object());
        rig.run(15);
        QCOMPARE(primary.code(), 200);
        QCOMPARE(rig.sim.leader(), leader); // a quick restart loses no lock
        QVERIFY(rig.status(leader)["role"] == "primary");
    }

    void scheduledRestart()
    {
        Rig rig;
        rig.run(20);
        const std::string replica = rig.other();
        const Json body{{"schedule", rig.in(30)}, {"role", "replica"}};
        QCOMPARE(call(rig, replica, "POST", "/restart", body).body(), std::string("Restart scheduled"));
        QCOMPARE(call(rig, replica, "POST", "/restart", body).code(), 409);
        QVERIFY(rig.status(replica)["scheduled_restart"]["role"] == "replica");
        const std::string before = statusOf(rig, replica)["postmaster_start_time"];
        rig.run(40);
        QVERIFY(!rig.status(replica).contains("scheduled_restart"));
        QVERIFY(statusOf(rig, replica)["postmaster_start_time"] != before);
        call(rig, replica, "POST", "/restart", {{"schedule", rig.in(30)}});
        QCOMPARE(call(rig, replica, "DELETE", "/restart").body(), std::string("scheduled restart deleted"));
        QVERIFY(!rig.status(replica).contains("scheduled_restart"));
    }

    void reinitialize()
    {
        ClusterPlan plan;
        plan.laggingMember = 2;
        plan.lagBytes = 20000000;
        Rig rig(plan);
        rig.run(20);
        QCOMPARE(call(rig, "alpha-2", "POST", "/reinitialize", Json::object()).body(), std::string("reinitialize started"));
        QVERIFY(rig.status("alpha-2")["state"] == "creating replica");
        QCOMPARE(call(rig, "alpha-2", "POST", "/reinitialize", Json::object()).code(), 503); // already in progress
        rig.run(20);
        QVERIFY(rig.status("alpha-2")["state"] == "running");
        QVERIFY(rig.status("alpha-2")["xlog_location"].get<std::int64_t>() + 1000000
                > rig.status(rig.sim.leader())["xlog_location"].get<std::int64_t>());
    }

    // Why a request was refused stands in the leader's log, with its time.
    void log()
    {
        Rig rig;
        rig.run(20);
        const SimTime since = rig.sim.now();
        rig.request(rig.other(), {});
        rig.run(15);
        const std::string text = rig.sim.logOf(rig.sim.leader(), since, true);
        QVERIFY2(text.find("WARNING: switchover: leader name does not match: ") != std::string::npos, text.c_str());
        QVERIFY2(text.starts_with("2031-02-03T10:00:"), text.c_str());
        QVERIFY(text.find("Z 2031-02-03 10:00:") != std::string::npos);
        QVERIFY(rig.sim.logOf(rig.sim.leader(), rig.sim.now() + std::chrono::hours(1), true).empty());
        QVERIFY(rig.sim.logOf(rig.other(), {}, false).find("a secondary, and following a leader") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestPatroniRest)
#include "tst_patroni_rest.moc"
