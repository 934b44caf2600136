// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/patroni/annotated.h"

#include <QTest>

#include <functional>

using namespace switchyard;
using namespace switchyard::patroni;

using Check = std::function<bool(const MemberRecord &)>;
Q_DECLARE_METATYPE(Check)

class TestMember : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decodes_data();
    void decodes()
    {
        QFETCH(QByteArray, status);
        QFETCH(Check, check);
        QFETCH(QByteArray, defects);
        std::vector<Defect> found;
        const MemberRecord record = decodeMember(annotated("acme-0", {{"status", status.toStdString()}}, Resource::Pods), found);
        QVERIFY(check(record));
        QCOMPARE(QByteArray::fromStdString(fields(found)), defects);
        for (const std::string_view secret : {"secret", "app_user"}) {
            QVERIFY(record.statusRaw.find(secret) == std::string::npos);
            QVERIFY(record.connUrl.value_or("").find(secret) == std::string::npos);
            QVERIFY(record.apiUrl.value_or("").find(secret) == std::string::npos);
        }
    }

    void noStatus()
    {
        std::vector<Defect> found;
        KubeObject pod = annotated("acme-0", {}, Resource::Pods);
        pod.deletedAt = Instant{};
        pod.pod = PodFacts{};
        pod.pod->phase = "Running";
        const MemberRecord record = decodeMember(pod, found);
        QVERIFY(!record.reported && !record.state && !record.timeline && record.deleting);
        QVERIFY(record.pod.phase == "Running");
        QCOMPARE(record.name, std::string("acme-0"));
        QCOMPARE(record.uid, std::string("uid-acme-0"));
        QVERIFY(found.empty());
    }

    void roleLabel_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("seen");
        QTest::newRow("default") << QByteArray("role") << QByteArray("primary") << true;
        QTest::newRow("before 4") << QByteArray("role") << QByteArray("master") << true;
        QTest::newRow("spilo") << QByteArray("spilo-role") << QByteArray("replica") << true;
        QTest::newRow("crunchy") << QByteArray("postgres-operator.crunchydata.com/role") << QByteArray("master") << true;
        QTest::newRow("kubeblocks") << QByteArray("apps.kubeblocks.postgres.patroni/role") << QByteArray("replica") << true;
        QTest::newRow("other word") << QByteArray("role") << QByteArray("database") << false;
        QTest::newRow("other key") << QByteArray("tier") << QByteArray("primary") << false;
    }
    void roleLabel()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, value);
        QFETCH(bool, seen);
        std::vector<Defect> found;
        KubeObject pod = annotated("acme-0", {}, Resource::Pods);
        pod.labels = {{key.toStdString(), value.toStdString()}, {"cluster-name", "acme"}};
        const MemberRecord record = decodeMember(pod, found);
        QCOMPARE(record.roleLabel.value_or(""), seen ? value.toStdString() : std::string());
    }

    void noFailover_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("tags");
        QTest::addColumn<bool>("excluded");
        const auto row = [](const char *version, const char *tags, bool excluded) {
            QTest::addRow("%s %s", version, tags) << QByteArray(version) << QByteArray(tags) << excluded;
        };
        row("3.0.2", "{}", false);
        row("3.0.2", R"({"nofailover":true})", true);
        row("3.0.2", R"({"nofailover":false})", false);
        row("3.0.2", R"({"nofailover":"true"})", true);
        row("3.0.2", R"({"nofailover":"false"})", true); // any text but the empty one is true to Python
        row("3.0.2", R"({"nofailover":""})", false);
        row("3.0.2", R"({"nofailover":1})", true);
        row("3.0.2", R"({"nofailover":0})", false);
        row("3.0.2", R"({"nofailover":null})", false);
        row("3.1.2", R"({"failover_priority":0})", false);
        row("3.2.0", R"({"failover_priority":0})", true);
        row("3.2.0", R"({"failover_priority":"0"})", true);
        row("3.2.0", R"({"failover_priority":-1})", true);
        row("3.2.0", R"({"failover_priority":1})", false);
        row("3.2.0", R"({"failover_priority":"high"})", false);
        row("4.0.7", R"({"failover_priority":0,"nofailover":false})", false);
        row("4.0.7", R"({"failover_priority":2,"nofailover":true})", true);
        row("", R"({"failover_priority":0})", false);
    }
    void noFailover()
    {
        QFETCH(QByteArray, version);
        QFETCH(QByteArray, tags);
        QFETCH(bool, excluded);
        std::vector<Defect> found;
        const auto status = "{\"version\":\"" + version.toStdString() + "\",\"tags\":" + tags.toStdString() + "}";
        QCOMPARE(decodeMember(annotated("acme-0", {{"status", status}}, Resource::Pods), found).noFailover(), excluded);
    }

    void tagsAloneDecideAsWell()
    {
        MemberRecord record;
        QVERIFY(!record.noFailover());
        record.tags["nofailover"] = "true";
        QVERIFY(record.noFailover());
        record.tags["nofailover"] = "false";
        QVERIFY(!record.noFailover());
    }
};

void TestMember::decodes_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<Check>("check");
    QTest::addColumn<QByteArray>("defects");
    const auto row = [](const char *name, const char *status, const Check &check, const char *defects = "") {
        QTest::newRow(name) << QByteArray(status) << check << QByteArray(defects);
    };
    row("4.1 replica",
        "{\"conn_url\":\"postgres://10.9.0.16:5432/postgres\",\"api_url\":\"http://10.9.0.16:8008/"
        "patroni\",\"state\":\"running\",\"role\":\"replica\","
        "\"version\":\"4.1.4\",\"xlog_location\":671129472,\"replay_lsn\":671129000,\"receive_lsn\":671129472,\"replication_state\":"
        "\"streaming\",\"timeline\":8,"
        "\"tags\":{\"clonefrom\":true},\"pause\":true}",
        [](const MemberRecord &m) {
            return m.reported && m.connUrl == "postgres://10.9.0.16:5432/postgres" && m.apiUrl == "http://10.9.0.16:8008/patroni"
                && m.state == "running" && m.role == "replica" && m.version == "4.1.4" && m.xlogLocation == Lsn(671129472)
                && m.replayLsn == Lsn(671129000) && m.receiveLsn == Lsn(671129472) && m.replicationState == "streaming" && m.timeline == 8
                && m.tags.at("clonefrom") == "true" && m.pauseSeen && !m.pendingRestart && !m.scheduledRestart;
        });
    row("2.x primary",
        R"({"state":"running","role":"master","version":"2.1.7","xlog_location":5,"timeline":1,"checkpoint_after_promote":false})",
        [](const MemberRecord &m) {
            return m.role == "master" && m.xlogLocation == Lsn(5) && !m.receiveLsn && !m.replayLsn && !m.replicationState && !m.pauseSeen;
        });
    for (const char *role : {"primary", "standby_leader", "demoted", "promoted", "uninitialized", "something new"})
        row(role, qPrintable(QStringLiteral("{\"role\":\"%1\"}").arg(QString::fromLatin1(role))),
            [=](const MemberRecord &m) { return m.role == role; });
    for (const char *state : {"initializing new cluster", "creating replica", "start failed", "crashed", "stopped", "unknown"})
        row(state, qPrintable(QStringLiteral("{\"state\":\"%1\"}").arg(QString::fromLatin1(state))),
            [=](const MemberRecord &m) { return m.state == state; });

    row("positions missing", R"({"state":"stopped"})", [](const MemberRecord &m) { return !m.xlogLocation && !m.timeline; });
    row("positions 0 are unknown", R"({"xlog_location":0,"receive_lsn":0,"replay_lsn":0,"timeline":0})",
        [](const MemberRecord &m) { return !m.xlogLocation && !m.receiveLsn && !m.replayLsn && !m.timeline; });
    row("position over 2^53", R"({"xlog_location":9007199254740993})",
        [](const MemberRecord &m) { return m.xlogLocation == Lsn(9007199254740993ULL); });
    row("largest position", R"({"xlog_location":18446744073709551615})", [](const MemberRecord &m) { return m.xlogLocation == ~Lsn(0); });
    row(
        "position beyond that", R"({"xlog_location":18446744073709551616})", [](const MemberRecord &m) { return !m.xlogLocation; },
        "status.xlog_location");
    row("numbers as text", R"({"xlog_location":"9007199254740993","timeline":"8"})",
        [](const MemberRecord &m) { return m.xlogLocation == Lsn(9007199254740993ULL) && m.timeline == 8; });
    row(
        "positions of wrong type", R"({"xlog_location":"0/5","receive_lsn":-1,"replay_lsn":1.5,"timeline":[1]})",
        [](const MemberRecord &m) { return !m.xlogLocation && !m.receiveLsn && !m.replayLsn && !m.timeline; },
        "status.xlog_location status.receive_lsn status.replay_lsn status.timeline");
    row(
        "texts of wrong type", R"({"state":1,"role":null,"version":[],"api_url":{},"conn_url":true})",
        [](const MemberRecord &m) { return m.reported && !m.state && !m.role && !m.version && !m.apiUrl && !m.connUrl; },
        "status.state status.version status.conn_url status.api_url");

    row("restart",
        R"({"pending_restart":true,"pending_restart_reason":{"max_connections":{"old_value":"100","new_value":"200"},"a":{"old_value":1,"new_value":null},"b":7}})",
        [](const MemberRecord &m) {
            return m.pendingRestart && m.pendingRestartReason.at("max_connections") == std::pair<std::string, std::string>("100", "200")
                && m.pendingRestartReason.at("a") == std::pair<std::string, std::string>("1", "")
                && m.pendingRestartReason.at("b").first.empty();
        });
    row("restart as text", R"({"pending_restart":"true","pause":"off"})",
        [](const MemberRecord &m) { return m.pendingRestart && !m.pauseSeen; });
    row("restart reason of wrong type", R"({"pending_restart":true,"pending_restart_reason":"x"})",
        [](const MemberRecord &m) { return m.pendingRestart && m.pendingRestartReason.empty(); });
    row("scheduled restart",
        R"({"scheduled_restart":{"schedule":"2031-02-03T01:30:00+00:00","postmaster_start_time":"x","role":"replica","postgres_version":150004}})",
        [](const MemberRecord &m) {
            return m.scheduledRestart && m.scheduledRestart->schedule == "2031-02-03T01:30:00+00:00"
                && m.scheduledRestart->role == "replica" && m.scheduledRestart->postgresVersion == "150004";
        });
    row("scheduled restart, short", R"({"scheduled_restart":{"schedule":"2031-02-03T01:30:00+00:00"}})",
        [](const MemberRecord &m) { return m.scheduledRestart && !m.scheduledRestart->role && !m.scheduledRestart->postgresVersion; });
    row("scheduled restart, empty", R"({"scheduled_restart":{}})", [](const MemberRecord &m) { return !m.scheduledRestart; });
    row(
        "scheduled restart of wrong type", R"({"scheduled_restart":"soon"})", [](const MemberRecord &m) { return !m.scheduledRestart; },
        "status.scheduled_restart");
    row("tags",
        R"({"tags":{"nofailover":false,"failover_priority":2,"replicatefrom":"acme-2","ratio":0.5,"Some Key":"Any value","none":null}})",
        [](const MemberRecord &m) {
            return m.tags
                == std::map<std::string, std::string>{{"nofailover", "false"},
                                                      {"failover_priority", "2"},
                                                      {"replicatefrom", "acme-2"},
                                                      {"ratio", "0.5"},
                                                      {"Some Key", "Any value"}};
        });
    row(
        "tags of wrong type", R"({"tags":[1]})", [](const MemberRecord &m) { return m.tags.empty(); }, "status.tags");
    row(
        "nested tag", R"({"tags":{"a":{"b":1},"c":"d"}})", [](const MemberRecord &m) { return m.tags.size() == 1; }, "status.tags.a");

    row("empty", "", [](const MemberRecord &m) { return !m.reported; });
    row("empty object", "{}", [](const MemberRecord &m) { return !m.reported; });
    row(
        "not JSON", "running", [](const MemberRecord &m) { return !m.reported && m.statusRaw == "running"; }, "status");
    row(
        "array", "[]", [](const MemberRecord &m) { return !m.reported; }, "status");
    row(
        "null", "null", [](const MemberRecord &m) { return !m.reported; }, "status");

    // Very old members: a bare connection string
    row("legacy", "postgres://10.0.0.1:5432/postgres?application_name=http://10.0.0.1:8008/patroni", [](const MemberRecord &m) {
        return m.reported && m.connUrl == "postgres://10.0.0.1:5432/postgres" && m.apiUrl == "http://10.0.0.1:8008/patroni" && !m.state;
    });
    row("legacy, escaped",
        "postgresql://app_user:secret@db.example:5432/x?sslmode=on&application_name=http%3A%2F%2Fdb.example%3A8009%2Fpatroni",
        [](const MemberRecord &m) {
            return m.connUrl == "postgresql://***@db.example:5432/x" && m.apiUrl == "http://db.example:8009/patroni";
        });
    row("legacy without API", "postgres://app_user:secret@[fd00::1]:5432/x",
        [](const MemberRecord &m) { return m.connUrl == "postgres://***@[fd00::1]:5432/x" && !m.apiUrl; });
    // Credentials never leave the decoder, and do not hide the rest
    row("password", "{\"conn_url\":\"postgres://app_user:secret@10.0.0.1:5432/postgres\",\"state\":\"running\"}",
        [](const MemberRecord &m) { return m.connUrl == "postgres://***@10.0.0.1:5432/postgres" && m.state == "running"; });
    row("password with @ and /", "{\"conn_url\":\"postgres://app_user:se@cret/secret@10.0.0.1:5432/postgres\"}",
        [](const MemberRecord &m) { return m.connUrl == "postgres://***@10.0.0.1:5432/postgres"; });
    row("password as parameter", "{\"conn_url\":\"postgres://10.0.0.1/x?user=u&Password=secret&sslmode=on\"}",
        [](const MemberRecord &m) { return m.connUrl == "postgres://10.0.0.1/x?user=u&Password=***&sslmode=on"; });
    row("escaped slashes", "{\"conn_url\":\"postgres:\\/\\/app_user:secret@10.0.0.1:5432\\/postgres\"}",
        [](const MemberRecord &m) { return m.connUrl == "postgres://***@10.0.0.1:5432/postgres"; });
    row(
        "password in broken JSON", "{\"conn_url\":\"postgres://app_user:secret@10.0.0.1", [](const MemberRecord &m) { return !m.reported; },
        "status");
    row("password of the API", "{\"api_url\":\"https://app_user:secret@10.0.0.1:8008/patroni\"}",
        [](const MemberRecord &m) { return m.apiUrl == "https://***@10.0.0.1:8008/patroni"; });
}

QTEST_APPLESS_MAIN(TestMember)
#include "tst_member.moc"
