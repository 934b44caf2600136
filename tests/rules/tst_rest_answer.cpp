// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Every answer that Patroni's REST API and the API server's proxy in front of it give, and what it means. Each row names who says so.
#include "models/rules/rest_answer.h"

#include <QTest>

#include <algorithm>

using namespace switchyard;
using namespace switchyard::rules;

class TestRestAnswer : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answers_data();
    void answers();
    void words_data();
    void words();
    void codes();
};

namespace {

using A = ActionKind;
using R = RestCode;

struct Case
{
    const char *source;
    A kind;
    int status;
    std::string body;
    R code;
};

std::string page(const char *number, const char *message)
{
    return std::string("<!DOCTYPE HTML>\n<html lang=\"en\">\n <head>\n <meta charset=\"utf-8\">\n <title>Error response</title>\n "
                       "</head>\n <body>\n"
                       " <h1>Error response</h1>\n <p>Error code: ")
        + number + "</p>\n <p>Message: " + message + ".</p>\n <p>Error code explanation: " + number + " - words.</p>\n </body>\n</html>\n";
}

std::string status(int code, const char *reason, const std::string &message)
{
    return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" + message + R"(","reason":")" + reason
        + R"(","code":)" + std::to_string(code) + "}";
}

std::string notReached(const std::string &why)
{
    return status(503, "ServiceUnavailable", "error trying to reach service: " + why);
}

// patroni/api.py do_POST_failover, poll_failover_result, is_failover_possible, parse_schedule, do_DELETE_switchover
const std::vector<Case> requests{
    {"poll_failover_result, all", A::Switchover, 200, "Successfully switched over to \"acme-1\"", R::Done},
    {"poll_failover_result, all", A::Failover, 200, "Successfully failed over to \"acme-1\"", R::Done},
    {"poll_failover_result, all", A::Switchover, 200, "Switched over to \"acme-2\" instead of \"acme-1\"", R::Done},
    {"do_POST_failover, all", A::Switchover, 202, "Switchover scheduled", R::Scheduled},
    {"do_POST_failover, all", A::Switchover, 400, "Switchover could be performed only from a specific leader", R::Refused},
    {"do_POST_failover, all", A::Failover, 400, "Failover could be performed only to a specific candidate", R::Refused},
    {"do_POST_failover, 3.2", A::Failover, 400, "Failover can't be scheduled", R::Refused},
    {"do_POST_failover, up to 3.1", A::Failover, 400, "Scheduled failover is possible only from a specific leader", R::Refused},
    {"do_POST_failover, all", A::Switchover, 400, "Can't schedule switchover in the paused state", R::Refused},
    {"do_POST_failover, all", A::Switchover, 400, "Switchover is possible only to a specific candidate in a paused state", R::Refused},
    {"do_POST_failover, 3.2", A::Switchover, 400, "Switchover target and source are the same", R::Refused},
    {"parse_schedule, all", A::Switchover, 400, "Timezone information is mandatory for the scheduled switchover", R::Refused},
    {"_read_json_content, all", A::Switchover, 400, page("400", "Bad Request"), R::Refused},
    {"_read_json_content, all", A::Switchover, 411, page("411", "Length Required"), R::Refused},
    {"is_failover_possible, all", A::Switchover, 412, "leader name does not match", R::Refused},
    {"is_failover_possible, all", A::Switchover, 412, "candidate name does not match with sync_standby", R::Refused},
    {"is_failover_possible, all", A::Failover, 412, "candidate does not exists", R::Refused},
    {"is_failover_possible, all", A::Switchover, 412, "switchover is not possible: can not find sync_standby", R::Refused},
    {"is_failover_possible, all", A::Switchover, 412, "switchover is not possible: cluster does not have members except leader",
     R::Refused},
    {"is_failover_possible, all", A::Failover, 412, "failover is not possible: no good candidates have been found", R::Refused},
    {"parse_schedule, all", A::Switchover, 422, "Cannot schedule switchover in the past", R::Refused},
    {"parse_schedule, all", A::Switchover, 422, "Unable to parse scheduled timestamp. It should be in an unambiguous format, e.g. ISO 8601",
     R::Refused},
    {"http.server, before /switchover", A::Switchover, 501, page("501", "Unsupported method ('POST')"), R::TooOld},
    {"do_POST_failover, up to 3.1", A::Switchover, 503, "failed to write switchover key into DCS", R::Failed},
    {"do_POST_failover, 3.2", A::Switchover, 503, "failed to write failover key into DCS", R::Failed},
    {"poll_failover_result, all", A::Switchover, 503, "Switchover failed", R::Failed},
    {"poll_failover_result, all", A::Failover, 503, "Failover failed", R::Failed},
    {"poll_failover_result, all", A::Switchover, 503, "Switchover status unknown", R::StillRunning},
    {"poll_failover_result, after 4.1", A::Failover, 503, "Failover status unknown after 20 seconds", R::StillRunning},
    {"do_DELETE_switchover, all", A::CancelRequest, 200, "scheduled switchover deleted", R::Done},
    {"do_DELETE_switchover, all", A::CancelRequest, 404, "no switchover is scheduled", R::NothingThere},
    {"do_DELETE_switchover, all", A::CancelRequest, 409, page("409", "Conflict"), R::Busy},
};

// patroni/api.py do_POST_restart, do_DELETE_restart, do_POST_reload, do_POST_reinitialize, do_PATCH_config; patroni/ha.py
const std::vector<Case> others{
    {"ha.py restart, all", A::Restart, 200, "restarted successfully", R::Done},
    {"do_POST_restart, all", A::Restart, 202, "Restart scheduled", R::Scheduled},
    {"do_POST_restart, up to 3.x", A::Restart, 400, "PostgreSQL role should be either primary or replica", R::Refused},
    {"do_POST_restart, 4.0", A::Restart, 400, "PostgreSQL role should be either primary, standby_leader, or replica", R::Refused},
    {"do_POST_restart, all", A::Restart, 400, "Timeout should be a positive number of seconds", R::Refused},
    {"do_POST_restart, all", A::Restart, 400, "Unknown filter for the scheduled restart: colour", R::Refused},
    {"postgresql/misc.py, all", A::Restart, 400, "Invalid PostgreSQL version format: X.Y or X.Y.Z is accepted: 1", R::Refused},
    {"do_POST_restart, all", A::Restart, 409, "Another restart is already scheduled", R::Busy},
    {"parse_schedule, all", A::Restart, 422, "Cannot schedule restart in the past", R::Refused},
    {"do_POST_restart, all", A::Restart, 500, "Can't schedule restart in the paused state", R::Refused},
    {"do_POST_restart, all", A::Restart, 500, "restart failed", R::Failed},
    {"ha.py restart, all", A::Restart, 503, "restart conditions are not satisfied", R::Refused},
    {"ha.py restart, all", A::Restart, 503, "reinitialize already in progress", R::Busy},
    {"ha.py restart, all", A::Restart, 503, "postgres is still starting", R::StillRunning},
    {"ha.py restart, all", A::Restart, 503, "restart failed", R::Failed},
    {"do_DELETE_restart, all", A::CancelRestart, 200, "scheduled restart deleted", R::Done},
    {"do_DELETE_restart, all", A::CancelRestart, 404, "no restarts are scheduled", R::NothingThere},
    {"do_POST_reload, all", A::Reload, 202, "reload scheduled", R::Done},
    {"do_POST_reinitialize, all", A::Reinitialize, 200, "reinitialize started", R::Done},
    {"ha.py reinitialize, all", A::Reinitialize, 503, "I am the leader, can not reinitialize", R::Refused},
    {"ha.py reinitialize, all", A::Reinitialize, 503, "Cluster has no leader, can not reinitialize", R::Refused},
    {"ha.py reinitialize, all", A::Reinitialize, 503, "restarting after failure already in progress", R::Busy},
    {"do_PATCH_config, all", A::Pause, 200, R"({"loop_wait":10,"pause":true})", R::Done},
    {"do_PATCH_config, all", A::EditConfig, 400, page("400", "Bad Request"), R::Refused},
    {"do_PATCH_config, all", A::Resume, 409, page("409", "Conflict"), R::Busy},
    {"do_PATCH_config, all", A::DemoteCluster, 411, page("411", "Length Required"), R::Refused},
    {"do_PATCH_config, all", A::PromoteCluster, 503, page("503", "Service Unavailable"), R::Failed},
};

// Limits of the way: patroni/api.py check_access; kube-apiserver's proxy of Pods, its errors being those of Go's net/http and crypto/tls
const std::vector<Case> limits{
    {"check_auth_header: restapi.authentication; the API server takes Authorization away", A::Restart, 401, "no auth header received",
     R::AuthenticationNeeded},
    {"check_auth_header", A::Switchover, 401, "not authenticated", R::AuthenticationNeeded},
    {"check_access: restapi.allowlist", A::Reload, 403, "Access is denied", R::NotInAllowlist},
    {"check_access: verify_client optional", A::Pause, 403, "client certificate required", R::CertificateNeeded},
    {"verify_client required, TLS 1.3", A::Reload, 503, notReached("remote error: tls: certificate required"), R::CertificateNeeded},
    {"verify_client required, TLS 1.3 of OpenSSL", A::Switchover, 503, notReached("remote error: tls: unknown certificate authority"),
     R::CertificateNeeded},
    {"verify_client required, TLS 1.2", A::Reload, 503, notReached("remote error: tls: handshake failure"), R::CertificateNeeded},
    {"https in api_url, plain http there", A::Reload, 503, notReached("http: server gave HTTP response to HTTPS client"), R::Unreachable},
    {"listens on 127.0.0.1", A::Reload, 503, notReached("dial tcp 192.0.2.11:8008: connect: connection refused"), R::Unreachable},
    {"listens on 127.0.0.1, Kubernetes 1.20", A::Reload, 500,
     status(500, "InternalError", "error trying to reach service: dial tcp 192.0.2.11:8008: connect: connection refused"), R::Unreachable},
    {"verify_client required, Kubernetes 1.20", A::Reload, 500,
     status(500, "InternalError", "error trying to reach service: remote error: tls: certificate required"), R::CertificateNeeded},
    {"NetworkPolicy", A::Switchover, 503, notReached("dial tcp 10.1.2.3:8008: i/o timeout"), R::Unreachable},
    {"another node's network", A::Restart, 503, notReached("dial tcp 10.1.2.3:8008: connect: no route to host"), R::Unreachable},
    {"Pod without an address", A::Reload, 400, status(400, "BadRequest", "address not allowed"), R::Unreachable},
    {"Pod is gone", A::Reload, 404, status(404, "NotFound", R"(pods \"acme-0\" not found)"), R::Unreachable},
    {"no konnectivity agent", A::Reload, 503, status(503, "ServiceUnavailable", "No agent available"), R::Unreachable},
    {"the member's process ended, or raised", A::Switchover, 503, notReached("EOF"), R::StillRunning},
    {"the member's process ended, or raised", A::Restart, 503,
     notReached("read tcp 10.0.0.1:5->10.1.2.3:8008: read: connection reset by peer"), R::StillRunning},
    {"the member's process ended, or raised", A::Reinitialize, 503, notReached("EOF"), R::Unknown},
    {"RBAC", A::Restart, 403,
     status(403, "Forbidden", R"(pods \"acme-0\" is forbidden: User \"dba\" cannot create resource \"pods/proxy\")"), R::NotPermitted},
    {"authentication", A::Restart, 401, status(401, "Unauthorized", "Unauthorized"), R::NotLoggedIn},
    {"priority and fairness", A::Restart, 429, status(429, "TooManyRequests", "too many requests"), R::Busy},
    {"API server", A::Switchover, 504, status(504, "Timeout", "request did not complete"), R::StillRunning},
    {"API server", A::Reload, 500, status(500, "InternalError", "unknown"), R::Unknown},
    {"no answer", A::Switchover, 0, "", R::StillRunning},
    {"no answer", A::Failover, 0, "", R::StillRunning},
    {"no answer", A::Restart, 0, "", R::StillRunning},
    {"no answer", A::Reload, 0, "", R::Unknown},
    {"no answer", A::Pause, 0, "", R::Unknown},
    {"something in between", A::Switchover, 502, "<html><h1>Bad Gateway</h1></html>", R::StillRunning},
    {"something in between", A::Reload, 503, "<html><h1>no upstream</h1></html>", R::Unknown},
    {"something in between", A::Reload, 403, "RBAC: no", R::Refused},
    {"not Patroni at that port", A::Reload, 404, "404 page not found", R::Unknown},
};

} // namespace

void TestRestAnswer::answers_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("code");
    for (const std::vector<Case> *table : {&requests, &others, &limits}) {
        for (const Case &c : *table) {
            const std::string first = c.body.substr(0, std::min<std::size_t>(c.body.find('\n'), 40));
            QTest::addRow("%s: %s %d %s", c.source, std::string(code(c.kind)).c_str(), c.status, first.c_str())
                << static_cast<int>(c.kind) << c.status << QByteArray::fromStdString(c.body)
                << QByteArray::fromStdString(std::string(code(c.code)));
        }
    }
}

void TestRestAnswer::answers()
{
    QFETCH(int, kind);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, code);
    const RestAnswer answer = readRestAnswer(static_cast<ActionKind>(kind), status, body.toStdString());
    QCOMPARE(std::string(rules::code(answer.code)), code.toStdString());
    QCOMPARE(answer.status, status);
    for (const char odd : {'\n', '<'})
        QVERIFY2(answer.words.find(odd) == std::string::npos, answer.words.c_str());
}

void TestRestAnswer::words_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("plain") << QByteArray("leader name does not match") << QByteArray("leader name does not match");
    QTest::newRow("page") << QByteArray::fromStdString(page("409", "Conflict")) << QByteArray("Conflict.");
    QTest::newRow("other page") << QByteArray("<html><h1>Bad\n Gateway</h1>x</html>") << QByteArray("Bad Gateway x");
    QTest::newRow("Status") << QByteArray::fromStdString(notReached("EOF")) << QByteArray("error trying to reach service: EOF");
    QTest::newRow("document") << QByteArray(R"( {"standby_cluster":{"host":"secret"}})") << QByteArray();
    QTest::newRow("lines") << QByteArray(" one\r\n\ttwo\x01 \n") << QByteArray("one two");
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("password") << QByteArray("cannot reach postgres://admin:hunter2@10.0.0.1:5432/postgres")
                              << QByteArray("cannot reach postgres://***@10.0.0.1:5432/postgres");
    QTest::newRow("long") << QByteArray(500, 'x') << QByteArray(400, 'x') + "...";
    QTest::newRow("cut between characters") << QByteArray(399, 'x') + "\xc3\xbc" + QByteArray(100, 'y') << QByteArray(399, 'x') + "...";
}

void TestRestAnswer::words()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, words);
    QCOMPARE(QByteArray::fromStdString(readRestAnswer(A::Switchover, 503, body.toStdString()).words), words);
}

void TestRestAnswer::codes()
{
    std::vector<std::string_view> seen;
    int limitCount = 0;
    for (int i = 0; i <= static_cast<int>(R::Unknown); ++i) {
        const auto c = static_cast<RestCode>(i);
        QVERIFY(std::find(seen.begin(), seen.end(), code(c)) == seen.end());
        seen.push_back(code(c));
        limitCount += isLimit(c) ? 1 : 0;
    }
    QCOMPARE(limitCount, 4);
    QVERIFY(!isLimit(R::NotPermitted));
}

QTEST_APPLESS_MAIN(TestRestAnswer)
#include "tst_rest_answer.moc"
