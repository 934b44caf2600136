// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/object.h"

#include <QTest>

#include <functional>

using namespace switchyard;
using namespace std::string_literals;

namespace {

std::string nested(int depth)
{
    return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

std::string listOf(const std::string &items)
{
    return R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"90","continue":"next"},"items":[)" + items + "]}";
}

const auto goodItem = R"({"metadata":{"name":"good","namespace":"db"}})"s;

} // namespace

class TestObjectDecode : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endpoints()
    {
        const auto object = decodeObject(Resource::Endpoints, R"({"kind":"Endpoints","metadata":{"name":"acme","namespace":"db","uid":"u-1",
            "resourceVersion":"90417","creationTimestamp":"2031-02-01T06:00:11Z","labels":{"application":"patroni"},
            "annotations":{"leader":"acme-1","ttl":"30","odd":7,"none":null},
            "ownerReferences":[{"kind":"Pod","name":"p","uid":"u-2"},7]},
            "subsets":[{"addresses":[{"ip":"10.9.0.14","targetRef":{"kind":"Pod","name":"acme-1"}},{"ip":"fd00::1"},
              {"ip":"10.9.0.15","targetRef":{"kind":"Node","name":"n"}},{"hostname":"x"},7],"ports":[{"port":5432}]},{"notReadyAddresses":[{"ip":"9.9.9.9"}]}]})");
        QVERIFY(object);
        QCOMPARE(object->name, "acme"s);
        QCOMPARE(object->ns, "db"s);
        QCOMPARE(object->uid, "u-1"s);
        QCOMPARE(object->resourceVersion, "90417"s);
        QVERIFY(object->createdAt == parseInstant("2031-02-01T06:00:11Z"));
        QVERIFY(!object->deletedAt);
        QVERIFY((object->annotations == std::map<std::string, std::string>{{"leader", "acme-1"}, {"ttl", "30"}}));
        QVERIFY((object->owners == std::vector<OwnerReference>{{"Pod", "p", "u-2"}}));
        QVERIFY(object->addresses);
        QVERIFY((*object->addresses == std::vector<EndpointAddress>{{"10.9.0.14", "acme-1"}, {"fd00::1", {}}, {"10.9.0.15", {}}}));
        QVERIFY(!object->pod);
    }

    void missingSubsetsAreNotEmptySubsets()
    {
        QVERIFY(!decodeObject(Resource::Endpoints, R"({"metadata":{"name":"a"}})")->addresses);
        QVERIFY(!decodeObject(Resource::Endpoints, R"({"metadata":{"name":"a"},"subsets":null})")->addresses);
        QVERIFY(decodeObject(Resource::Endpoints, R"({"metadata":{"name":"a"},"subsets":[]})")->addresses->empty());
        QVERIFY(!decodeObject(Resource::ConfigMaps, R"({"metadata":{"name":"a"},"subsets":[]})")->addresses);
    }

    void pod_data()
    {
        QTest::addColumn<QByteArray>("status");
        QTest::addColumn<PodFacts>("facts");
        const auto row = [](const char *name, const char *status, const std::function<void(PodFacts &)> &fill) {
            PodFacts facts;
            fill(facts);
            QTest::newRow(name) << QByteArray(status) << facts;
        };
        row("none", "{}", [](PodFacts &) {});
        row("null", "null", [](PodFacts &) {});
        row("text", "\"x\"", [](PodFacts &) {});
        row("running",
            R"({"phase":"Running","podIP":"10.0.0.1","conditions":[{"type":"Initialized","status":"True"},{"type":"Ready","status":"True"}],
            "containerStatuses":[{"restartCount":2,"state":{"running":{}}},{"restartCount":1,"state":{"running":{}}}]})",
            [](PodFacts &f) {
                f.phase = "Running";
                f.podIp = "10.0.0.1";
                f.ready = true;
                f.restarts = 3;
                f.conditions = {{"Initialized", "True", {}, {}}, {"Ready", "True", {}, {}}};
            });
        row("killed for want of memory and started again",
            R"({"containerStatuses":[{"name":"postgres","restartCount":3,"state":{"running":{"startedAt":"2031-02-01T06:00:12Z"}},
            "lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","finishedAt":"2031-02-01T06:00:11Z"}}},
            {"name":"exporter","restartCount":0,"state":{"waiting":{}}}]})",
            [](PodFacts &f) {
                f.restarts = 3;
                f.notRunning = "waiting";
                f.containers = {{"postgres", 3, true, {}, "OOMKilled", 137, parseInstant("2031-02-01T06:00:11Z")},
                                {"exporter", 0, false, "waiting", {}, {}, {}}};
            });
        row("the end that is now counts, not the one before",
            R"({"containerStatuses":[{"name":"a","state":{"terminated":{"exitCode":1}},"lastState":{"terminated":{"exitCode":137,
            "reason":"OOMKilled"}}}]})",
            [](PodFacts &f) {
                f.notRunning = "terminated";
                f.containers = {{"a", {}, false, {}, "terminated", 1, {}}};
            });
        row("conditions",
            R"({"conditions":[{"type":"DisruptionTarget","status":"True","reason":"PreemptionByScheduler","lastTransitionTime":
            "2031-02-01T06:00:11Z","message":"x"},{"status":"True"},{"type":"Odd","status":7,"reason":7,"lastTransitionTime":"now"}]})",
            [](PodFacts &f) {
                f.conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler", parseInstant("2031-02-01T06:00:11Z")},
                                {"Odd", "", {}, {}}};
            });
        row("odd containers",
            R"({"containerStatuses":[{"name":"a","restartCount":-1,"state":{"running":7},"lastState":[]},{"name":7,"restartCount":2},
            {"name":"b","restartCount":2147483648,"state":{"terminated":{"exitCode":99999999999,"reason":7,"finishedAt":0}}}]})",
            [](PodFacts &f) {
                f.restarts = 2;
                f.notRunning = "terminated";
                f.containers = {{"a", {}, {}, {}, {}, {}, {}}, {"b", {}, false, {}, "terminated", {}, {}}};
            });
        row("waiting",
            R"({"phase":"Pending","containerStatuses":[{"state":{"running":{}}},{"restartCount":7,"state":{"waiting":{"reason":"CrashLoopBackOff"}}},
            {"state":{"terminated":{"reason":"Error"}}}]})",
            [](PodFacts &f) {
                f.phase = "Pending";
                f.restarts = 7;
                f.notRunning = "CrashLoopBackOff";
            });
        row("terminated without reason", R"({"containerStatuses":[{"state":{"terminated":{"exitCode":1}}}]})",
            [](PodFacts &f) { f.notRunning = "terminated"; });
        row("evicted", R"({"phase":"Failed","reason":"Evicted"})", [](PodFacts &f) {
            f.phase = "Failed";
            f.reason = "Evicted";
        });
        row("not ready", R"({"conditions":[{"type":"Ready","status":"False"}]})", [](PodFacts &f) {
            f.ready = false;
            f.conditions = {{"Ready", "False", {}, {}}};
        });
        row("ready is unknown", R"({"conditions":[{"type":"Ready","status":"Unknown"}]})", [](PodFacts &f) {
            f.conditions = {{"Ready", "Unknown", {}, {}}};
        });
        row("wrong types",
            R"({"phase":7,"reason":[],"podIP":{},"conditions":[7,{"type":7},null],"containerStatuses":[7,{"restartCount":"x","state":[]},
            {"restartCount":-1},{"restartCount":99999999999}]})",
            [](PodFacts &) {});
        row("restarts do not overflow", R"({"containerStatuses":[{"restartCount":2147483647},{"restartCount":1}]})",
            [](PodFacts &f) { f.restarts = 2147483647; });
    }
    void pod()
    {
        QFETCH(QByteArray, status);
        QFETCH(PodFacts, facts);
        const auto object = decodeObject(Resource::Pods, R"({"kind":"Pod","metadata":{"name":"p"},"status":)" + status.toStdString() + "}");
        QVERIFY(object && object->pod);
        QVERIFY(*object->pod == facts);
    }

    void event_data()
    {
        QTest::addColumn<QByteArray>("members");
        QTest::addColumn<EventFacts>("facts");
        const auto row = [](const char *name, const char *members, const std::function<void(EventFacts &)> &fill) {
            EventFacts facts;
            fill(facts);
            QTest::newRow(name) << QByteArray(members) << facts;
        };
        const auto first = parseInstant("2031-02-01T06:00:11Z"), last = parseInstant("2031-02-01T06:10:00Z");
        row("none", "", [](EventFacts &) {});
        row("as the kubelet writes it",
            R"(,"involvedObject":{"kind":"Pod","namespace":"db","name":"acme-1","uid":"u-1","fieldPath":"spec.containers{postgres}"},
            "reason":"Unhealthy","message":"Readiness probe failed","type":"Warning","source":{"component":"kubelet","host":"n1"},
            "firstTimestamp":"2031-02-01T06:00:11Z","lastTimestamp":"2031-02-01T06:10:00Z","count":4,"eventTime":null,
            "reportingComponent":"","reportingInstance":"")",
            [&](EventFacts &f) {
                f = {"Pod", "acme-1", "u-1", "Unhealthy", "Readiness probe failed", "Warning", "kubelet", 4, first, last};
            });
        row("as the scheduler writes it",
            R"(,"reason":"Preempted","eventTime":"2031-02-01T06:00:11.000000Z","reportingComponent":"default-scheduler","source":{},
            "firstTimestamp":null,"lastTimestamp":null)",
            [&](EventFacts &f) {
                f.reason = "Preempted";
                f.source = "default-scheduler";
                f.firstAt = f.lastAt = first;
            });
        row("a series", R"(,"eventTime":"2031-02-01T06:00:11Z","series":{"count":9,"lastObservedTime":"2031-02-01T06:10:00.000000Z"})",
            [&](EventFacts &f) {
                f.count = 9;
                f.firstAt = first;
                f.lastAt = last;
            });
        row("wrong types",
            R"(,"involvedObject":[],"reason":7,"message":{},"type":null,"source":"x","firstTimestamp":0,"lastTimestamp":"then","count":"many",
            "eventTime":{},"series":7,"reportingComponent":[])",
            [](EventFacts &) {});
        row("impossible counts", R"(,"count":-1,"series":{"count":4})", [](EventFacts &) {});
    }
    void event()
    {
        QFETCH(QByteArray, members);
        QFETCH(EventFacts, facts);
        const std::string text = R"({"kind":"Event","metadata":{"name":"acme-1.17a","namespace":"db"})" + members.toStdString();
        for (const char *rest : {"}", ",\"x\":1e0}"}) { // quickly, and by the tree
            const auto object = decodeObject(Resource::Events, text + rest);
            QVERIFY(object && object->event);
            QVERIFY(*object->event == facts);
        }
        QVERIFY(!decodeObject(Resource::Pods, text + "}"));
        QVERIFY(!decodeObject(Resource::Pods, R"({"metadata":{"name":"p"}})")->event);
    }

    void podNodeAndDeletion()
    {
        const auto object = decodeObject(
            Resource::Pods, R"({"metadata":{"name":"p","deletionTimestamp":"2031-02-01T06:00:11Z"},"spec":{"nodeName":"n1"}})");
        QVERIFY(object->deletedAt);
        QVERIFY(object->pod->nodeName == "n1");
    }

    void wrongTypesMakeFieldsAbsent()
    {
        const auto object = decodeObject(Resource::ConfigMaps,
                                         R"({"kind":"ConfigMap","metadata":{"name":"a","namespace":7,"uid":null,"resourceVersion":5,
            "creationTimestamp":"yesterday","deletionTimestamp":0,"labels":[],"annotations":"x","ownerReferences":{}}})");
        QVERIFY(object);
        KubeObject expected;
        expected.resource = Resource::ConfigMaps;
        expected.name = "a";
        QVERIFY(*object == expected);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("json");
        for (const char *json :
             {"", "{", "null", "7", "[]", "\"x\"", "{}", "{\"metadata\":null}", "{\"metadata\":[]}", "{\"metadata\":{}}",
              "{\"metadata\":{\"name\":7}}", "{\"metadata\":{\"name\":\"\"}}", "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"a\"}}",
              "{\"metadata\":{\"name\":\"a\"}} x", "{\"metadata\":{\"name\":\"a\",\"generation\":1e999}}"})
            QTest::newRow(json) << QByteArray(json);
        QTest::newRow("nested arrays") << QByteArray::fromStdString(nested(30000));
        QTest::newRow("unclosed arrays") << QByteArray(30000, '[');
    }
    void refuses()
    {
        QFETCH(QByteArray, json);
        const auto text = json.toStdString();
        QVERIFY(!decodeObject(Resource::ConfigMaps, text));
        QVERIFY(!decodeList(Resource::ConfigMaps, text));
        QVERIFY(!decodeWatchEvent(Resource::ConfigMaps, text));
    }

    void survivesNestingAndBadBytes()
    {
        const auto object = decodeObject(Resource::ConfigMaps,
                                         R"({"data":)" + nested(100000) + R"(,"metadata":{"name":"a","annotations":{"leader":"x)"
                                             + "\xFF\xC3" + R"(y","deep":)" + nested(100000) + "}}}");
        QVERIFY(object);
        QCOMPARE(object->annotations.at("leader"), "x\xEF\xBF\xBD\xEF\xBF\xBDy"s);
        QVERIFY(!object->annotations.contains("deep"));
    }

    void aStatusIsTheServersError()
    {
        const auto object = decodeObject(Resource::Pods, R"({"kind":"Status","code":404,"reason":"NotFound"})");
        QVERIFY(!object);
        QVERIFY(object.error().kind == ErrorKind::NotFound);
        const auto list = decodeList(Resource::Pods, R"({"kind":"Status","code":410,"reason":"Expired"})");
        QVERIFY(!list);
        QVERIFY(list.error().kind == ErrorKind::Gone);
    }

    void listItemsHaveNoKind()
    {
        const auto list = decodeList(Resource::ConfigMaps, listOf(goodItem + ",{\"metadata\":{\"name\":\"b\"}}"));
        QVERIFY(list);
        QCOMPARE(list->resourceVersion, "90"s);
        QCOMPARE(list->continueToken, "next"s);
        QCOMPARE(list->items.size(), 2U);
        QCOMPARE(list->items.front().ns, "db"s);
        QVERIFY(list->items.front().resource == Resource::ConfigMaps);
        QVERIFY(list->undecodable.empty());
    }

    void oneBadItemNeverLosesTheList_data()
    {
        QTest::addColumn<QByteArray>("bad");
        QTest::newRow("number") << QByteArray("7");
        QTest::newRow("null") << QByteArray("null");
        QTest::newRow("array") << QByteArray("[1,[2]]");
        QTest::newRow("no name") << QByteArray("{\"metadata\":{}}");
        QTest::newRow("other kind") << QByteArray("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}");
        QTest::newRow("number too large") << QByteArray("{\"metadata\":{\"name\":\"a\",\"generation\":1e999}}");
        QTest::newRow("broken escape") << QByteArray("{\"metadata\":{\"name\":\"\\x]}\"}}");
        QTest::newRow("lone surrogate") << QByteArray("{\"metadata\":{\"name\":\"\\ud800\"}}");
        QTest::newRow("control character") << QByteArray("{\"metadata\":{\"name\":\"a\nb\"}}");
        QTest::newRow("not a word") << QByteArray("{\"metadata\":{\"name\":NaN}}");
    }
    void oneBadItemNeverLosesTheList()
    {
        QFETCH(QByteArray, bad);
        const auto list = decodeList(Resource::ConfigMaps, listOf(goodItem + ", " + bad.toStdString() + " ,\n" + goodItem));
        QVERIFY(list);
        QCOMPARE(list->resourceVersion, "90"s);
        QCOMPARE(list->items.size(), 2U);
        QCOMPARE(list->undecodable.size(), 1U);
        QCOMPARE(list->undecodable.front().field, "items[1]"s);
        QCOMPARE(list->undecodable.front().resource, "configmaps"s);
    }

    void badBytesInAListAreRepaired()
    {
        const auto list = decodeList(Resource::ConfigMaps,
                                     listOf("{\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"\xE2\x82\"}}}," + goodItem));
        QVERIFY(list);
        QCOMPARE(list->items.size(), 2U);
    }

    void aListIsNeverTakenForAShorterOne()
    {
        const std::string whole = listOf(goodItem + "," + goodItem);
        for (std::size_t length = 0; length < whole.size(); ++length)
            QVERIFY2(!decodeList(Resource::ConfigMaps, whole.substr(0, length)), whole.substr(0, length).c_str());
        const std::string broken = listOf(goodItem + ",{\"n\":1e999}," + goodItem);
        for (std::size_t length = 0; length < broken.size(); ++length)
            QVERIFY2(!decodeList(Resource::ConfigMaps, broken.substr(0, length)), broken.substr(0, length).c_str());
    }

    void emptyLists()
    {
        QVERIFY(decodeList(Resource::Pods, R"({"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[]})")->items.empty());
        QVERIFY(decodeList(Resource::Pods, R"({"kind":"PodList","metadata":{"resourceVersion":"1"},"items":null})")->items.empty());
        // No items at all, or of another kind: nothing may be concluded from it.
        QVERIFY(!decodeList(Resource::Pods, R"({"kind":"PodList","metadata":{"resourceVersion":"1"}})"));
        QVERIFY(!decodeList(Resource::Pods, R"({"items":null})"));
        QVERIFY(!decodeList(Resource::Pods, R"({"kind":"PodList","items":{}})"));
        QVERIFY(!decodeList(Resource::Pods, R"({"kind":"EndpointsList","items":[]})"));
    }

    void events_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<int>("expected");
        QTest::newRow("added") << QByteArray("ADDED") << int(EventType::Added);
        QTest::newRow("modified") << QByteArray("MODIFIED") << int(EventType::Modified);
        QTest::newRow("deleted") << QByteArray("DELETED") << int(EventType::Deleted);
    }
    void events()
    {
        QFETCH(QByteArray, type);
        QFETCH(int, expected);
        const auto event = decodeWatchEvent(Resource::ConfigMaps,
                                            R"({"type":")" + type.toStdString()
                                                + R"(","object":{"kind":"ConfigMap","metadata":{"name":"a","resourceVersion":"7"}}})");
        QVERIFY(event);
        QCOMPARE(int(event->type), expected);
        QCOMPARE(event->object.name, "a"s);
        QCOMPARE(event->object.resourceVersion, "7"s);
        QVERIFY(!event->error);
    }

    void bookmark()
    {
        const auto event = decodeWatchEvent(
            Resource::Pods,
            R"({"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"12","creationTimestamp":null},"spec":{}}})");
        QVERIFY(event);
        QVERIFY(event->type == EventType::Bookmark);
        QCOMPARE(event->object.resourceVersion, "12"s);
        QVERIFY(!decodeWatchEvent(Resource::Pods, R"({"type":"BOOKMARK","object":{"metadata":{}}})"));
    }

    void oddEvents()
    {
        const auto odd = decodeWatchEvent(Resource::Pods, R"({"type":"ERROR","object":"boom"})");
        QVERIFY(odd && odd->type == EventType::Failed);
        QVERIFY(odd->error && odd->error->kind == ErrorKind::Server);
        QVERIFY(decodeWatchEvent(Resource::Pods, R"({"type":"ERROR"})")->error);
        QVERIFY(!decodeWatchEvent(Resource::Pods, R"({"type":"SYNC","object":{"metadata":{"name":"a"}}})"));
        QVERIFY(!decodeWatchEvent(Resource::Pods, R"({"type":7,"object":{"metadata":{"name":"a"}}})"));
        QVERIFY(!decodeWatchEvent(Resource::Pods, R"({"type":"ADDED"})"));
        QVERIFY(!decodeWatchEvent(Resource::Pods, R"({"type":"ADDED","object":null})"));
        // A Status where an event was expected: the server gave up on the watch.
        QVERIFY(decodeWatchEvent(Resource::Pods, R"({"kind":"Status","code":410})").error().kind == ErrorKind::Gone);
    }
};

QTEST_APPLESS_MAIN(TestObjectDecode)
#include "tst_object_decode.moc"
