// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/patroni/annotated.h"

#include <QTest>

#include <functional>

using namespace switchyard;
using namespace switchyard::patroni;

using Check = std::function<bool(const DynamicConfig &)>;
Q_DECLARE_METATYPE(Check)

class TestConfig : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void changes_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("now");
        QTest::addColumn<QByteArray>("paths");
        const auto row = [](const char *name, const char *before, const char *now, const char *paths) {
            QTest::newRow(name) << QByteArray(before) << QByteArray(now) << QByteArray(paths);
        };
        row("nothing", R"({"ttl":30,"slots":{"a":[1,{"b":2}]}})", R"({ "slots": {"a": [1, {"b": 2}]}, "ttl": 30 })", "");
        row("plain and nested", R"({"loop_wait":10,"ttl":30,"postgresql":{"parameters":{"x":1}}})",
            R"({"loop_wait":5,"ttl":30,"postgresql":{"parameters":{"x":1,"work_mem":"8MB"},"use_slots":true}})",
            "loop_wait postgresql.parameters.work_mem postgresql.use_slots");
        row("null is not set", R"({"pause":true,"ttl":null})", R"({"pause":null})", "pause");
        row("type", R"({"ttl":30,"a":1})", R"({"ttl":"30","a":true})", "a ttl");
        row("array", R"({"a":[1,2],"b":[1]})", R"({"a":[2,1],"b":[1]})", "a");
        row("object for a scalar", R"({"a":1,"b":{"c":1}})", R"({"a":{"c":1},"b":2})", "a b");
        row("an object appears", "{}", R"({"slots":{"s":{"type":"physical"}}})", "slots.s.type");
        row("not JSON before", "?", R"({"ttl":30})", "ttl");
        row("both not JSON", "?", "[]", "");
        const QByteArray deep = QByteArray("{\"a\":").repeated(20000);
        QTest::newRow("endless") << QByteArray(deep + "1" + QByteArray(20000, '}')) << QByteArray(deep + "2" + QByteArray(20000, '}'))
                                 << QByteArray();
    }
    void changes()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, now);
        QByteArray paths;
        for (const std::string &path : changedSettings(before.toStdString(), now.toStdString()))
            paths += (paths.isEmpty() ? "" : " ") + QByteArray::fromStdString(path);
        QTEST(paths, "paths");
    }

    void decodes_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<Check>("check");
        QTest::addColumn<QByteArray>("defects");
        const auto row = [](const char *json, const Check &check, const char *defects = "") {
            QTest::newRow(json) << QByteArray(json) << check << QByteArray(defects);
        };
        const auto defaults = [](const DynamicConfig &c) {
            DynamicConfig expected;
            expected.raw = c.raw;
            expected.present = c.present;
            return c == expected;
        };
        row(R"({"ttl":60,"loop_wait":5,"retry_timeout":7,"maximum_lag_on_failover":1000})", [](const DynamicConfig &c) {
            return c.present && c.ttl == 60 && c.loopWait == 5 && c.retryTimeout == 7 && c.maximumLagOnFailover == Lsn(1000);
        });
        row(R"({"ttl":"60","loop_wait":" 5 ","maximum_lag_on_failover":"1000"})",
            [](const DynamicConfig &c) { return c.ttl == 60 && c.loopWait == 5 && c.maximumLagOnFailover == Lsn(1000); });
        row(R"({"ttl":60.9})", [](const DynamicConfig &c) { return c.ttl == 60; });
        row(R"({"ttl":null,"pause":null})", [=](const DynamicConfig &c) { return c.present && defaults(c); });
        row(R"({"ttl":0,"loop_wait":-1,"retry_timeout":"x"})", defaults, "config.ttl config.loop_wait config.retry_timeout");
        row(R"({"ttl":9223372036854775807})", [](const DynamicConfig &c) { return c.ttl == 1000000000; }, "config.ttl");
        row(R"({"ttl":99999999999999999999})", defaults, "config.ttl");
        row(R"({"ttl":[30]})", defaults, "config.ttl");
        row(R"({"maximum_lag_on_failover":0})", [](const DynamicConfig &c) { return c.maximumLagOnFailover == Lsn(0); });
        row(R"({"maximum_lag_on_failover":9007199254740993})",
            [](const DynamicConfig &c) { return c.maximumLagOnFailover == Lsn(9007199254740993ULL); });
        row(R"({"maximum_lag_on_failover":"1MB"})", [](const DynamicConfig &c) { return !c.maximumLagOnFailover; },
            "config.maximum_lag_on_failover");
        row(R"({"maximum_lag_on_failover":-1})", [](const DynamicConfig &c) { return !c.maximumLagOnFailover; },
            "config.maximum_lag_on_failover");
        row(R"({"dcs":{"ttl":90}})", defaults, "config.dcs");
        row("{}", [=](const DynamicConfig &c) { return !c.present && defaults(c); });
        row(
            "", [=](const DynamicConfig &c) { return !c.present && defaults(c); }, "config");
        row(
            "null", [=](const DynamicConfig &c) { return !c.present && defaults(c); }, "config");
        row(
            "[]", [=](const DynamicConfig &c) { return !c.present && defaults(c); }, "config");
        row(
            "{ttl:30}", [=](const DynamicConfig &c) { return !c.present && defaults(c); }, "config");

        // Booleans in all their spellings
        for (const char *yes : {"true", "1", "\"on\"", "\"On\"", "\"TRUE\"", "\"yes\"", "\"1\""})
            row(qPrintable(QStringLiteral("{\"pause\":%1}").arg(QString::fromLatin1(yes))),
                [](const DynamicConfig &c) { return c.paused; });
        for (const char *no : {"false", "0", "\"off\"", "\"No\"", "\"0\""})
            row(qPrintable(QStringLiteral("{\"pause\":%1}").arg(QString::fromLatin1(no))),
                [](const DynamicConfig &c) { return !c.paused; });
        for (const char *odd : {"2", "\"\"", "\"maybe\"", "{}", "[true]", "1.0"})
            row(
                qPrintable(QStringLiteral("{\"pause\":%1}").arg(QString::fromLatin1(odd))),
                [](const DynamicConfig &c) { return !c.paused; }, "config.pause");
        row(R"({"check_timeline":"on","failsafe_mode":true})", [](const DynamicConfig &c) { return c.checkTimeline && c.failsafeMode; });

        row(R"({"synchronous_mode":true})",
            [](const DynamicConfig &c) { return c.syncMode == SyncMode::On && !c.syncStrict && c.syncNodeCount == 1; });
        row(R"({"synchronous_mode":"on","synchronous_mode_strict":"yes","synchronous_node_count":"2"})",
            [](const DynamicConfig &c) { return c.syncMode == SyncMode::On && c.syncStrict && c.syncNodeCount == 2; });
        row(R"({"synchronous_mode":"Quorum"})", [](const DynamicConfig &c) { return c.syncMode == SyncMode::Quorum; });
        row(R"({"synchronous_mode":"off"})", [](const DynamicConfig &c) { return c.syncMode == SyncMode::Off; });
        row(R"({"synchronous_node_count":0})", [](const DynamicConfig &c) { return c.syncNodeCount == 1; });

        row(R"({"standby_cluster":{"host":"10.0.0.1","port":5432}})",
            [](const DynamicConfig &c) { return c.standbyCluster && c.standbySource == "10.0.0.1:5432"; });
        row(R"({"standby_cluster":{"host":"db.example","port":"5433"}})",
            [](const DynamicConfig &c) { return c.standbySource == "db.example:5433"; });
        row(R"({"standby_cluster":{"host":"a,b"}})", [](const DynamicConfig &c) { return c.standbySource == "a,b"; });
        row(R"({"standby_cluster":{"port":5432}})", [](const DynamicConfig &c) { return c.standbyCluster && !c.standbySource; });
        row(R"({"standby_cluster":{"restore_command":"fetch --key secret"}})",
            [](const DynamicConfig &c) { return c.standbySource == "restore_command"; });
        row(R"({"standby_cluster":{"host":"","port":0,"restore_command":null,"primary_slot_name":"x"}})",
            [](const DynamicConfig &c) { return !c.standbyCluster; });
        row(R"({"standby_cluster":{}})", [](const DynamicConfig &c) { return !c.standbyCluster; });
        row(R"({"standby_cluster":"x"})", [](const DynamicConfig &c) { return !c.standbyCluster; });
        row(R"({"standby_cluster":{"host":"a"},"synchronous_mode":true})",
            [](const DynamicConfig &c) { return c.syncMode == SyncMode::Off; });
    }
    void decodes()
    {
        QFETCH(QByteArray, json);
        QFETCH(Check, check);
        QFETCH(QByteArray, defects);
        std::vector<Defect> found;
        const DynamicConfig config = decodeDynamicConfig(json.toStdString(), found, "acme-config");
        QVERIFY(check(config));
        QCOMPARE(QByteArray::fromStdString(config.raw), json);
        QCOMPARE(QByteArray::fromStdString(fields(found)), defects);
    }

    void initialize()
    {
        std::vector<Defect> none;
        const auto decode = [&](const Annotations &annotations) { return decodeConfig(annotated("acme-config", annotations), none); };
        QVERIFY(decode({{"config", "{}"}}).initialize == InitializeState::Absent);
        QVERIFY(decode({{"initialize", ""}}).initialize == InitializeState::InProgress);
        QVERIFY(!decode({{"initialize", ""}}).systemId);
        // 19 digits: as text, exactly
        for (const char *id : {"7713589427970418508", "9223372036854775807", "18446744073709551615"}) {
            const ConfigRecord record = decode({{"initialize", id}});
            QVERIFY(record.initialize == InitializeState::Done);
            QVERIFY(record.systemId == id);
            QVERIFY(record.hasAnnotations);
        }
        QVERIFY(none.empty());
    }

    void timelineOfAnExistingObject()
    {
        std::vector<Defect> none;
        QVERIFY(decodeConfig(annotated("acme-config", {{"initialize", "7"}}), none).history.currentTimeline == 1);
        // All annotations lost: nothing is known, least of all that it is timeline 1.
        const ConfigRecord lost = decodeConfig(annotated("acme-config", {{"kubectl.kubernetes.io/x", "y"}}), none);
        QVERIFY(!lost.hasAnnotations);
        QVERIFY(!lost.history.currentTimeline);
        QVERIFY(!lost.config.present);
        QVERIFY(lost.initialize == InitializeState::Absent);
    }

    void booleans()
    {
        QVERIFY(parseBoolean("oN") == true);
        QVERIFY(parseBoolean("oFF") == false);
        QVERIFY(!parseBoolean(""));
        QVERIFY(!parseBoolean(" on"));
        QVERIFY(!parseBoolean("2"));
    }

    void releases()
    {
        using Order = std::strong_ordering;
        QVERIFY(compareReleases("3.0.10", "3.0.9") == Order::greater);
        QVERIFY(compareReleases("4.1", "4.1.0") == Order::equal);
        QVERIFY(compareReleases("3.1.2", "3.2.0") == Order::less);
        QVERIFY(compareReleases("10.0", "9.9.9") == Order::greater);
        for (const char *odd : {"", "4", "4.", ".4", "4.1.0.dev1", "v4.1", "4.-1", "4 .1", "99999999999999999999.1"}) {
            if (std::string_view(odd) != "4")
                QVERIFY2(!compareReleases(odd, "4.0"), odd);
        }
    }
};

QTEST_APPLESS_MAIN(TestConfig)
#include "tst_config.moc"
