// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which label selector may be used, what it would hide, and which objects a named cluster has.
#include "models/patroni/selector.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::patroni;

namespace {

KubeObject made(Resource resource, const std::string &name, std::map<std::string, std::string> labels,
                std::map<std::string, std::string> annotations = {}, const std::string &ns = "db")
{
    KubeObject object;
    object.resource = resource;
    object.ns = ns;
    object.name = name;
    object.labels = std::move(labels);
    object.annotations = std::move(annotations);
    return object;
}

const std::map<std::string, std::string> config{{"initialize", "7"}, {"config", "{}"}};
const std::map<std::string, std::string> record{
    {"leader", "acme-0"}, {"ttl", "30"}, {"renewTime", "x"}, {"acquireTime", "x"}, {"transitions", "1"}};
constexpr auto E = Resource::Endpoints;
constexpr auto C = Resource::ConfigMaps;
constexpr auto P = Resource::Pods;

std::vector<KubeObject> acme(const std::string &key = "cluster-name")
{
    return {made(E, "acme-config", {{key, "acme"}}, config), made(E, "acme", {{key, "acme"}}, record),
            made(P, "acme-0", {{key, "acme"}, {"role", "primary"}}, {{"status", "{}"}})};
}

std::vector<const KubeObject *> pointers(const std::vector<KubeObject> &objects)
{
    std::vector<const KubeObject *> result;
    for (const KubeObject &object : objects)
        result.push_back(&object);
    return result;
}

struct Row
{
    const char *name;
    std::vector<KubeObject> more;
    const char *key; // that may be used with acme; "": none
    bool hides;      // would "cluster-name" hide some of it?
};

const std::vector<Row> &rows()
{
    static const std::vector<Row> all{
        {"nothing else", {}, "cluster-name", false},
        {"unrelated objects", {made(C, "web", {{"app", "web"}}), made(E, "kubernetes", {})}, "cluster-name", false},
        {"a second cluster", {made(C, "b-config", {{"cluster-name", "b"}}, config)}, "cluster-name", false},
        {"a cluster in another namespace", {made(C, "b-config", {{"cluster-name", "b"}}, config, "dc")}, "cluster-name", false},
        {"another key", {made(C, "b-config", {{"scope", "b"}}, config)}, "", true},
        {"another key in another namespace", {made(C, "b-config", {{"scope", "b"}}, config, "dc")}, "", true},
        {"a leader record with another key", {made(C, "b-leader", {{"scope", "b"}}, record)}, "", true},
        {"both keys", {made(C, "b-config", {{"cluster-name", "b"}, {"app", "b"}}, config)}, "cluster-name", false},
        {"a request without label", {made(E, "acme-failover", {})}, "", true},
        {"a sync object without label", {made(E, "acme-sync", {{"app", "x"}})}, "", true},
        {"the same name in another namespace", {made(E, "acme-failover", {}, {}, "dc")}, "cluster-name", false},
        {"the same name, of the other kind", {made(C, "acme-failover", {})}, "cluster-name", false},
        {"its config object in the other kind, unlabelled", {made(C, "acme-config", {}, config)}, "cluster-name", false},
        {"its config object in the other kind, other key", {made(C, "acme-config", {{"x", "acme"}}, config)}, "", true},
        {"a manifest that is no cluster yet", {made(E, "b-config", {{"scope", "b"}})}, "cluster-name", false},
        {"Citus", {made(E, "c-1-config", {{"cluster-name", "c"}, {"citus-group", "1"}}, config)}, "cluster-name", false},
        {"Citus, a request without label",
         {made(E, "c-1-config", {{"cluster-name", "c"}, {"citus-group", "1"}}, config), made(E, "c-1-failover", {})},
         "",
         true},
    };
    return all;
}

} // namespace

class SelectorTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void choose_data();
    void choose();
    void noCluster();
    void outlineIsEnough();
    void names();
    void members_data();
    void members();
};

void SelectorTest::choose_data()
{
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < rows().size(); ++i)
        QTest::newRow(rows()[i].name) << static_cast<int>(i);
}

void SelectorTest::choose()
{
    QFETCH(int, row);
    const Row &r = rows()[static_cast<std::size_t>(row)];
    std::vector<KubeObject> objects = acme();
    objects.insert(objects.end(), r.more.begin(), r.more.end());
    QCOMPARE(selectorKey(pointers(objects)).value_or(""), std::string(r.key));
    std::vector<KubeObject> scan; // without Pods
    for (const KubeObject &object : objects) {
        if (object.resource != P)
            scan.push_back(outline(object));
    }
    QCOMPARE(hidesSomething(pointers(scan), "cluster-name"), r.hides);
}

void SelectorTest::noCluster()
{
    QVERIFY(!selectorKey({}));
    const std::vector<KubeObject> web{made(C, "web", {{"app", "web"}})};
    QVERIFY(!selectorKey(pointers(web)));
    QVERIFY(!hidesSomething(pointers(web), "cluster-name"));
    QCOMPARE(selectorKey(pointers(acme("a.b/scope"))).value_or(""), std::string("a.b/scope"));
}

void SelectorTest::outlineIsEnough()
{
    std::vector<KubeObject> outlines;
    for (KubeObject object : acme()) {
        object.annotations["big"] = std::string(10000, 'x');
        outlines.push_back(outline(object));
        QVERIFY(!outlines.back().annotations.contains("big"));
    }
    QCOMPARE(selectorKey(pointers(outlines)).value_or(""), std::string("cluster-name"));
}

void SelectorTest::names()
{
    QCOMPARE(objectNames(Mode::Endpoints, "acme"), (std::vector<std::string>{"acme", "acme-config", "acme-failover", "acme-sync"}));
    QCOMPARE(objectNames(Mode::ConfigMaps, "c-1"), (std::vector<std::string>{"c-1-leader", "c-1-config", "c-1-failover", "c-1-sync"}));
}

void SelectorTest::members_data()
{
    QTest::addColumn<int>("row");
    QTest::addColumn<QString>("found");
    QTest::newRow("leader") << 0 << "acme-0";
    QTest::newRow("released") << 1 << "";
    QTest::newRow("failsafe") << 2 << "acme-0 acme-1 acme-2";
    QTest::newRow("sync") << 3 << "acme-0 acme-1 acme-2";
    QTest::newRow("addresses") << 4 << "acme-0 acme-3";
    QTest::newRow("config") << 5 << "";
}

void SelectorTest::members()
{
    QFETCH(int, row);
    QFETCH(QString, found);
    KubeObject object = made(E, "acme", {}, record);
    switch (row) {
    case 1: object.annotations.erase("leader"); break;
    case 2: object.annotations["failsafe"] = R"({"acme-1":"http://a","acme-2":"http://b"})"; break;
    case 3: object = made(E, "acme-sync", {}, {{"leader", "acme-0"}, {"sync_standby", "acme-1,acme-2"}}); break;
    case 4: object.addresses = std::vector<EndpointAddress>{{"10.0.0.1", "acme-3"}, {"10.0.0.2", std::nullopt}}; break;
    case 5: object = made(E, "acme-config", {}, config); break;
    default: break;
    }
    QStringList names;
    for (const std::string &name : membersNamedBy(object))
        names.append(QString::fromStdString(name));
    QCOMPARE(names.join(QLatin1Char(' ')), found);
}

QTEST_APPLESS_MAIN(SelectorTest)
#include "tst_selector.moc"
