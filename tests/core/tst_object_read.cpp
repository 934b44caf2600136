// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two ways lead through JSON text: the quick one for ordinary objects and the tree for all. They must mean the same. A number with an
// exponent is never ordinary, so a text with one in a place that nobody reads goes by the tree.
#include "models/core/object.h"
#include "models/core/object_read.h"
#include "object_texts.h"

#include <QTest>

using namespace switchyard;
using namespace std::string_literals;

namespace {

// The same text, but by the tree.
std::string extraordinary(const std::string &text)
{
    return text.size() < 3 || text.front() != '{' ? text : "{\"nobody reads this\":1e0," + text.substr(1);
}

bool same(const Error &a, const Error &b)
{
    return a == b;
}
bool same(const KubeObject &a, const KubeObject &b)
{
    return a == b;
}
bool same(const ObjectList &a, const ObjectList &b)
{
    return a.resourceVersion == b.resourceVersion && a.continueToken == b.continueToken && a.items == b.items
        && a.undecodable == b.undecodable;
}
bool same(const WatchEvent &a, const WatchEvent &b)
{
    return a.type == b.type && a.object == b.object && a.error == b.error;
}
template<class T>
bool same(const Result<T> &a, const Result<T> &b)
{
    return a.has_value() == b.has_value() && (a ? same(*a, *b) : same(a.error(), b.error()));
}

enum class As { Object, List, Event };

bool bothWaysAgree(Resource resource, As as, const std::string &text)
{
    const std::string slow = extraordinary(text);
    switch (as) {
    case As::Object: return same(decodeObject(resource, text), decodeObject(resource, slow));
    case As::List: return same(decodeList(resource, text), decodeList(resource, slow));
    case As::Event: return same(decodeWatchEvent(resource, text), decodeWatchEvent(resource, slow));
    }
    return false;
}

} // namespace

class TestObjectRead : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ordinaryObjectsAreReadQuickly()
    {
        const auto object = readObject(Resource::Endpoints, texts::endpoints);
        QVERIFY(object);
        QCOMPARE(object->annotations.at("history"), "[[1,2,\"a\u00e9\U0001F600/\"]]\n"s);
        QVERIFY(!object->annotations.contains("odd"));
        QVERIFY(readWatchEvent(Resource::Endpoints, texts::watchEvent));
        const auto read = readList(Resource::Pods, texts::unnamedAmongNamed);
        QVERIFY(read);
        QCOMPARE(read->list.items.size(), std::size_t(2));
        QCOMPARE(read->outOfOrdinary.size(), std::size_t(1));
        QCOMPARE(read->outOfOrdinary.front().first, std::size_t(1));
        QVERIFY(readObject(Resource::Pods, texts::pod.substr(0, texts::pod.rfind(",{\"restartCount\":\"3\"")) + "]}}"));
        QVERIFY(readObject(Resource::Events, texts::event));
        QVERIFY(!readObject(Resource::Endpoints, extraordinary(texts::endpoints)));
        QVERIFY(!readObject(Resource::Pods, texts::endpoints));
        QVERIFY(!readObject(Resource::Endpoints, texts::endpoints + "x"));
    }

    void metadataOnlyObjectsAreTaken()
    {
        for (const std::string &text : {texts::metadataOnly, extraordinary(texts::metadataOnly)}) {
            const auto decoded = decodeList(Resource::ConfigMaps, text);
            QVERIFY(decoded);
            QCOMPARE(decoded->items.size(), std::size_t(1));
            QCOMPARE(decoded->items.front().annotations.at("leader"), "x"s);
        }
    }

    void bothWaysAgreeOnOddTexts_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"",
                                 "{",
                                 "{}",
                                 "[]",
                                 "7",
                                 "{\"metadata\":{\"name\":\"a\"}}x",
                                 "{\"metadata\":{\"name\":\"a\",\"name\":\"b\"}}",
                                 "{\"metadata\":{\"name\":\"a\"},\"metadata\":{\"name\":\"b\"}}",
                                 "{\"metadata\":{\"name\":\"a\\u12\"}}",
                                 "{\"metadata\":{\"name\":\"a\\ud800\"}}",
                                 "{\"metadata\":{\"name\":\"a\\q\"}}",
                                 "{\"metadata\":{\"name\":\"a\nb\"}}",
                                 "{\"metadata\":{\"name\":\"a\xff\"}}",
                                 "{\"metadata\":{\"name\":\"a\"},\"x\":01}",
                                 "{\"metadata\":{\"name\":\"a\"},\"x\":1.}",
                                 "{\"metadata\":{\"name\":\"a\"},\"x\":-}",
                                 "{\"metadata\":{\"name\":\"a\"},\"x\":123456789012345678901234567890}",
                                 "{\"metadata\":{\"name\":\"a\"},\"x\":nul}",
                                 "{\"metadata\":{\"name\":\"a\"},\"x\":[1,]}",
                                 "{\"metadata\":{\"name\":\"a\"},}",
                                 "{\"metadata\":{\"name\":\"a\"} \"x\":1}",
                                 "{\"metadata\":{\"name\":\"a\"},\"x\":[}]}",
                                 "{\"metadata\":{\"name\":\"a\"},\"x\":[[]",
                                 "{\"metadata\":{\"name\":\"a\",\"labels\":{\"k\":\"1\",\"k\":null}}}",
                                 "{\"metadata\":{\"name\":\"a\",\"labels\":{\"k\":null,\"k\":\"1\"}}}",
                                 "{\"metadata\":{\"name\":\"a\"},\"x\\u0041\":1,7:1}",
                                 "{\"items\":null}",
                                 "{\"kind\":\"PodList\",\"items\":null}",
                                 "{\"items\":7}",
                                 "{\"kind\":\"Status\",\"code\":410}",
                                 "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}",
                                 "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"7\"}}}",
                                 "{\"type\":\"ADDED\"}",
                                 "\xef\xbb\xbf{\"metadata\":{\"name\":\"a\"}}"})
            QTest::newRow(text) << QByteArray(text);
    }
    void bothWaysAgreeOnOddTexts()
    {
        QFETCH(QByteArray, text);
        for (const Resource resource : {Resource::Endpoints, Resource::ConfigMaps, Resource::Pods, Resource::Events})
            for (const As as : {As::Object, As::List, As::Event})
                QVERIFY(bothWaysAgree(resource, as, text.toStdString()));
    }

    // Each text cut here and there, and with a byte replaced by one that has a meaning in JSON.
    void bothWaysAgreeOnBrokenTexts_data()
    {
        QTest::addColumn<Resource>("resource");
        QTest::addColumn<int>("as");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("endpoints") << Resource::Endpoints << int(As::Object) << QByteArray::fromStdString(texts::endpoints);
        QTest::newRow("pod") << Resource::Pods << int(As::Object) << QByteArray::fromStdString(texts::pod);
        QTest::newRow("Kubernetes event") << Resource::Events << int(As::Object) << QByteArray::fromStdString(texts::event);
        QTest::newRow("list") << Resource::Pods << int(As::List) << QByteArray::fromStdString(texts::list);
        QTest::newRow("event") << Resource::Endpoints << int(As::Event) << QByteArray::fromStdString(texts::watchEvent);
    }
    void bothWaysAgreeOnBrokenTexts()
    {
        QFETCH(Resource, resource);
        QFETCH(int, as);
        QFETCH(QByteArray, text);
        const std::string whole = text.toStdString();
        QVERIFY(bothWaysAgree(resource, As(as), whole));
        const std::string bytes = "\"\\{}[]:,0-.etn \x01\xff\xc3";
        for (std::size_t i = 1; i < whole.size(); i += 3) {
            std::string broken = whole;
            broken[i] = bytes[(i / 3) % bytes.size()];
            if (!bothWaysAgree(resource, As(as), broken))
                QFAIL(("byte " + std::to_string(i) + ": " + broken).c_str());
            if (i % 4 == 0 && !bothWaysAgree(resource, As(as), whole.substr(0, i)))
                QFAIL(("cut at " + std::to_string(i)).c_str());
        }
    }

    void deepNestingIsSkipped()
    {
        const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
        QVERIFY(readObject(Resource::Pods, "{\"metadata\":{\"name\":\"a\",\"x\":" + deep + "}}"));
        QVERIFY(!readObject(Resource::Pods, "{\"metadata\":{\"name\":\"a\",\"x\":" + deep + "]}}"));
    }

    void leasesNodesAndConfigMaps_data()
    {
        QTest::addColumn<QByteArray>("resource");
        QTest::addColumn<QByteArray>("rest"); // of the object
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const char *resource, const char *rest, const char *expected) {
            QTest::newRow(name) << QByteArray(resource) << QByteArray(rest) << QByteArray(expected);
        };
        row("Lease", "leases",
            "\"spec\": "
            "{\"holderIdentity\":\"a_1\",\"leaseDurationSeconds\":15,\"acquireTime\":\"2031-02-01T06:00:00.000001Z\",\"renewTime\":"
            "\"2031-02-01T06:00:02.123456Z\",\"leaseTransitions\":3,\"strategy\":\"s\",\"preferredHolder\":\"p\",\"other\":[{}]} ",
            "a_1 15 3 2031-02-01T06:00:00.000001Z 2031-02-01T06:00:02.123456Z s p");
        row("v1beta1 Lease", "leases", "\"apiVersion\":\"coordination.k8s.io/v1beta1\",\"spec\":{\"holderIdentity\":\"a\"}",
            "a - - - - - -");
        row("all null", "leases",
            "\"spec\":{\"holderIdentity\":null,\"leaseDurationSeconds\":null,\"acquireTime\":null,\"renewTime\":null,\"leaseTransitions\":"
            "null}",
            "- - - - - - -");
        row("wrong types", "leases",
            "\"spec\":{\"holderIdentity\":1,\"leaseDurationSeconds\":\"15\",\"acquireTime\":5,\"renewTime\":\"x\",\"leaseTransitions\":"
            "true}",
            "- - - - - - -");
        row("a key twice", "leases", "\"spec\":{\"holderIdentity\":\"a\",\"holderIdentity\":\"b\"}", "b - - - - - -");
        row("no spec", "leases", "\"x\":1", "none");
        row("metadata alone", "leases", "\"kind\":\"PartialObjectMetadata\"", "none");
        row("ready", "nodes",
            "\"status\":{\"conditions\":[{\"type\":\"DiskPressure\",\"status\":\"False\"},{\"type\":\"Ready\",\"status\":\"True\"}]}",
            "ready");
        row("not ready", "nodes", "\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]}", "not ready");
        row("a silent kubelet", "nodes", "\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"Unknown\"}]}", "not ready");
        row("no conditions", "nodes", "\"status\":{}", "unknown");
        row("data", "configmaps", "\"data\":{\"a\":\"b\"}", "data");
        row("binary data", "configmaps", "\"binaryData\":{\"a\":\"YQ==\"}", "data");
        row("empty data", "configmaps", "\"data\":{},\"binaryData\":null", "no data");
        row("nothing tells of data", "configmaps", "\"x\":1", "unknown");
        row("metadata alone", "configmaps", "\"kind\":\"PartialObjectMetadata\"", "unknown");
        row("a whole ConfigMap", "configmaps", "\"kind\":\"ConfigMap\"", "no data");
        row("null data of an item", "configmaps", "\"data\":null", "unknown");
        row("managers that manage nothing", "configmaps", "\"managers\":[{\"manager\":\"x\"}]", "unknown");
        row("managers of other fields", "configmaps", "\"managers\":[{\"fieldsV1\":{\"f:metadata\":{}}}]", "no data");
        row("data by its managers", "configmaps", "\"managers\":[{\"fieldsV1\":{\"f:data\":{\".\":{},\"f:a\":{}}}}]", "data");
        row("binary data by its managers", "configmaps", "\"managers\":[{\"fieldsV1\":{\"f:binaryData\":{\"f:a\":{}}}}]", "data");
        row("empty data by its managers", "configmaps",
            "\"managers\":[{\"fieldsV1\":{\"f:metadata\":{\"f:data\":{\"f:a\":{}}},\"f:data\":{\".\":{}}}}]", "no data");
    }
    void leasesNodesAndConfigMaps()
    {
        QFETCH(QByteArray, resource);
        QFETCH(QByteArray, rest);
        QFETCH(QByteArray, expected);
        const auto kind = *resourceFromCode(resource.toStdString());
        std::string more = rest.toStdString(), managers;
        if (more.starts_with("\"managers\":"))
            managers = ",\"managedFields\":" + std::exchange(more, "\"x\":1").substr(11);
        const std::string text = "{\"metadata\":{\"name\":\"x\",\"resourceVersion\":\"7\"" + managers + "}," + more + "}";
        QVERIFY(bothWaysAgree(kind, As::Object, text));
        QVERIFY(bothWaysAgree(kind, As::List, "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[" + text + "," + text + "]}"));
        QVERIFY(bothWaysAgree(kind, As::Event, "{\"type\":\"MODIFIED\",\"object\":" + text + "}"));
        const auto decoded = decodeObject(kind, text);
        QVERIFY(decoded);
        std::string shown;
        if (kind == Resource::Leases && decoded->lease) {
            const LeaseFacts &l = *decoded->lease;
            const auto number = [](const std::optional<std::int64_t> &n) { return n ? std::to_string(*n) : "-"; };
            const auto time = [](const std::optional<Instant> &at) { return at ? formatUtc(*at) : "-"; };
            shown = l.holder.value_or("-") + ' ' + number(l.durationSeconds) + ' ' + number(l.transitions) + ' ' + time(l.acquireTime) + ' '
                + time(l.renewTime) + ' ' + l.strategy.value_or("-") + ' ' + l.preferredHolder.value_or("-");
            QVERIFY(text.find(l.raw) != std::string::npos && l.raw.front() == '{' && l.raw.back() == '}');
        } else if (kind == Resource::Leases) {
            shown = "none";
        } else if (kind == Resource::Nodes) {
            shown = !decoded->nodeReady ? "unknown" : *decoded->nodeReady ? "ready" : "not ready";
        } else {
            shown = decoded->hasData ? "data" : decoded->dataUnknown ? "unknown" : "no data";
        }
        QCOMPARE(QByteArray::fromStdString(shown), expected);
    }

    void ordinaryLeasesNeedNoTree()
    {
        const std::string lease =
            "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"holderIdentity\":\"a_1\",\"leaseDurationSeconds\":15,\"renewTime\":null}}";
        QVERIFY(readObject(Resource::Leases, lease));
        QVERIFY(readWatchEvent(Resource::Leases, "{\"type\":\"MODIFIED\",\"object\":" + lease + "}"));
    }
};

QTEST_APPLESS_MAIN(TestObjectRead)
#include "tst_object_read.moc"
