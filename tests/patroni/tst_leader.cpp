// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/patroni/annotated.h"

#include <QTest>

#include <functional>

using namespace switchyard;
using namespace switchyard::patroni;

using Check = std::function<bool(const LeaderRecord &)>;
Q_DECLARE_METATYPE(Check)
Q_DECLARE_METATYPE(Annotations)

class TestLeader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decodes_data()
    {
        QTest::addColumn<Annotations>("annotations");
        QTest::addColumn<Check>("check");
        QTest::addColumn<QByteArray>("defects");
        const auto row = [](const char *name, const Annotations &annotations, const Check &check, const char *defects = "") {
            QTest::newRow(name) << annotations << check << QByteArray(defects);
        };
        const Annotations full{{"leader", "acme-1"},
                               {"ttl", "30"},
                               {"acquireTime", "2031-02-01T06:00:11.402917+00:00"},
                               {"renewTime", "2031-02-01T09:41:52+00:00"},
                               {"transitions", "7"},
                               {"optime", "671129600"},
                               {"slots", "{\"acme_0\":671129600,\"acme_2\":\"671129472\"}"},
                               {"retain_slots", "[\"acme_0\",\"acme_1\"]"},
                               {"failsafe", "{\"acme-0\":\"http://10.9.0.14:8008/patroni\"}"}};
        row("everything", full, [](const LeaderRecord &r) {
            return r.hasRecord() && r.leader == "acme-1" && r.ttl == 30 && r.transitions == 7 && r.optime == Lsn(671129600)
                && r.acquireTime == parseInstant("2031-02-01T06:00:11.402917Z") && r.renewTime == parseInstant("2031-02-01T09:41:52Z")
                && r.slots == std::map<std::string, Lsn>{{"acme_0", 671129600}, {"acme_2", 671129472}}
            && r.retainSlots == std::vector<std::string>{"acme_0", "acme_1"} && r.failsafe
                && r.failsafe->at("acme-0") == "http://10.9.0.14:8008/patroni" && !r.addresses;
        });
        row("nothing", {}, [](const LeaderRecord &r) { return !r.hasRecord() && r == LeaderRecord{}; });
        row("released", {{"ttl", "30"}, {"renewTime", "2031-02-01T09:41:52+00:00"}},
            [](const LeaderRecord &r) { return r.hasRecord() && !r.leader; });
        row("empty leader", {{"leader", ""}, {"ttl", "30"}}, [](const LeaderRecord &r) { return !r.leader; });
        row("strange to us only", {{"control-plane.alpha.kubernetes.io/leader", "{}"}},
            [](const LeaderRecord &r) { return !r.hasRecord(); });
        row("times with Z", {{"renewTime", "2031-02-01T09:41:52Z"}}, [](const LeaderRecord &r) { return r.renewTime.has_value(); });
        row("times without offset", {{"acquireTime", "2031-02-01T09:41:52"}},
            [](const LeaderRecord &r) { return r.acquireTime == parseInstant("2031-02-01T09:41:52Z"); });
        row(
            "unparsable times", {{"acquireTime", "soon"}, {"renewTime", ""}},
            [](const LeaderRecord &r) { return r.acquireTimeRaw == "soon" && !r.acquireTime && r.renewTimeRaw == "" && !r.renewTime; },
            "acquireTime renewTime");

        // int(ttl), else what is configured
        row("permanent ttl", {{"ttl", "9223372036854775807"}}, [](const LeaderRecord &r) { return r.ttl == INT64_MAX; });
        row("negative ttl", {{"ttl", "-1"}}, [](const LeaderRecord &r) { return r.ttl == -1; });
        row("zero ttl", {{"ttl", "0"}}, [](const LeaderRecord &r) { return !r.ttl && r.ttlRaw == "0"; });
        row("ttl between blanks", {{"ttl", " 20 "}}, [](const LeaderRecord &r) { return r.ttl == 20; });
        for (const char *text : {"15.5", "abc", "", "9223372036854775808"})
            row(
                qPrintable(QStringLiteral("ttl \"%1\"").arg(QString::fromLatin1(text))), {{"ttl", text}},
                [](const LeaderRecord &r) { return !r.ttl && r.ttlRaw; }, "ttl");
        row(
            "transitions are no number", {{"transitions", "many"}},
            [](const LeaderRecord &r) { return !r.transitions && r.transitionsRaw == "many"; }, "transitions");

        row("optime over 2^53", {{"optime", "9007199254740993"}},
            [](const LeaderRecord &r) { return r.optime == Lsn(9007199254740993ULL); });
        row("largest optime", {{"optime", "18446744073709551615"}}, [](const LeaderRecord &r) { return r.optime == ~Lsn(0); });
        row("optime 0 is unknown", {{"optime", "0"}}, [](const LeaderRecord &r) { return !r.optime; });
        row(
            "negative optime", {{"optime", "-5"}}, [](const LeaderRecord &r) { return !r.optime; }, "optime");
        row(
            "optime is no number", {{"optime", "0/27E00000"}}, [](const LeaderRecord &r) { return !r.optime; }, "optime");

        row("slot over 2^53", {{"slots", "{\"a\":9007199254740993}"}},
            [](const LeaderRecord &r) { return r.slots.at("a") == 9007199254740993ULL; });
        row("slots null", {{"slots", "null"}}, [](const LeaderRecord &r) { return r.slots.empty(); });
        row("slots empty text", {{"slots", ""}}, [](const LeaderRecord &r) { return r.slots.empty(); });
        row(
            "slots broken", {{"slots", "{"}}, [](const LeaderRecord &r) { return r.slots.empty(); }, "slots");
        row(
            "slots array", {{"slots", "[]"}}, [](const LeaderRecord &r) { return r.slots.empty(); }, "slots");
        row(
            "one bad slot", {{"slots", "{\"a\":1,\"b\":-1,\"c\":null,\"d\":[2]}"}},
            [](const LeaderRecord &r) { return r.slots.size() == 1; }, "slots.b slots.c slots.d");
        row(
            "retained slots broken", {{"retain_slots", "{}"}}, [](const LeaderRecord &r) { return r.retainSlots.empty(); }, "retain_slots");
        row(
            "one bad retained slot", {{"retain_slots", "[\"a\",7]"}}, [](const LeaderRecord &r) { return r.retainSlots.size() == 1; },
            "retain_slots");
        row("empty failsafe", {{"failsafe", "{}"}}, [](const LeaderRecord &r) { return r.failsafe && r.failsafe->empty(); });
        row(
            "failsafe broken", {{"failsafe", "[1]"}}, [](const LeaderRecord &r) { return !r.failsafe; }, "failsafe");
        row("failsafe with password", {{"failsafe", "{\"a\":\"http://u:secret@h:8008/patroni\"}"}},
            [](const LeaderRecord &r) { return r.failsafe->at("a") == "http://***@h:8008/patroni"; });
    }
    void decodes()
    {
        QFETCH(Annotations, annotations);
        QFETCH(Check, check);
        QFETCH(QByteArray, defects);
        std::vector<Defect> found;
        const LeaderRecord record = decodeLeader(annotated("acme", annotations), found);
        QVERIFY(check(record));
        QCOMPARE(QByteArray::fromStdString(fields(found)), defects);
        for (const Defect &defect : found)
            QCOMPARE(defect.object, std::string("acme"));
    }

    void onlyTheFiveFieldsAreTheRecord()
    {
        std::vector<Defect> none;
        const Annotations base{{"leader", "a"}, {"ttl", "30"}, {"acquireTime", "x"}, {"renewTime", "y"}, {"transitions", "1"}};
        const LeaderRecord record = decodeLeader(annotated("acme", base), none);
        for (const char *key : {"leader", "ttl", "acquireTime", "renewTime", "transitions"}) {
            Annotations changed = base;
            changed[key] = "other";
            QVERIFY2(!record.sameRecord(decodeLeader(annotated("acme", changed), none)), key);
            changed.erase(key);
            QVERIFY2(!record.sameRecord(decodeLeader(annotated("acme", changed), none)), key);
        }
        Annotations more = base;
        more["optime"] = "5";
        more["slots"] = "{}";
        more["owner"] = "operator";
        QVERIFY(record.sameRecord(decodeLeader(annotated("acme", more), none)));
    }

    void keepsAddresses()
    {
        std::vector<Defect> none;
        KubeObject object = annotated("acme", {});
        object.addresses = std::vector<EndpointAddress>{{"10.0.0.1", "acme-1"}};
        QVERIFY(decodeLeader(object, none).addresses == object.addresses);
    }
};

QTEST_APPLESS_MAIN(TestLeader)
#include "tst_leader.moc"
