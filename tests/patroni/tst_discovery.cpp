// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/discovery.h"
#include "tests/patroni/annotated.h"

#include <QTest>

#include <deque>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace std::chrono_literals;

using Labels = std::map<std::string, std::string>;
using Names = std::set<std::string>;

namespace {

const Annotations configured{{"config", "{}"}, {"initialize", "7713589427970418508"}};

Annotations record(const char *leader = "acme-0", const char *renewTime = "2031-02-01T09:41:52+00:00")
{
    Annotations result{{"ttl", "30"}, {"renewTime", renewTime}, {"acquireTime", "2031-02-01T06:00:11+00:00"}, {"transitions", "1"}};
    if (*leader)
        result["leader"] = leader;
    return result;
}

// A namespace full of objects.
class World
{
public:
    World &add(Resource resource, const std::string &name, const Labels &labels, const Annotations &annotations = {})
    {
        m_objects.push_back(annotated(name, annotations, resource));
        m_objects.back().labels = labels;
        return *this;
    }
    World &endpoints(const std::string &name, const Labels &labels, const Annotations &annotations = {})
    {
        return add(Resource::Endpoints, name, labels, annotations);
    }
    World &configMap(const std::string &name, const Labels &labels, const Annotations &annotations = {})
    {
        return add(Resource::ConfigMaps, name, labels, annotations);
    }
    World &pod(const std::string &name, const Labels &labels, bool reports = true)
    {
        return add(Resource::Pods, name, labels, reports ? Annotations{{"status", "{}"}} : Annotations{});
    }
    World &ownedBy(const char *kind)
    {
        m_objects.back().owners = {{kind, "x", "y"}};
        return *this;
    }
    World &inNamespace(const char *ns)
    {
        m_objects.back().ns = ns;
        return *this;
    }

    // The result does not depend on the order of the objects.
    std::vector<ClusterNames> clusters(const std::function<std::optional<Boot>(Resource, const std::string &)> &moved = {}) const
    {
        std::vector<const KubeObject *> objects;
        for (const KubeObject &object : m_objects)
            objects.push_back(&object);
        const auto result = discover("ctx", "db", objects, moved);
        std::reverse(objects.begin(), objects.end());
        return discover("ctx", "db", objects, moved) == result ? result : std::vector<ClusterNames>(99);
    }

private:
    std::deque<KubeObject> m_objects;
};

const Labels acme{{"application", "patroni"}, {"cluster-name", "acme"}};

Labels with(Labels labels, const std::string &key, const std::string &value)
{
    labels[key] = value;
    return labels;
}

} // namespace

class TestDiscovery : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endpointsMode()
    {
        World world;
        world.endpoints("acme", acme, record())
            .endpoints("acme-config", acme, configured)
            .endpoints("acme-failover", acme)
            .endpoints("acme-sync", acme);
        world.endpoints("acme-repl", acme)
            .pod("acme-0", acme)
            .pod("acme-1", acme, false)
            .pod("other-0", with(acme, "cluster-name", "other"));
        const auto found = world.clusters();
        QCOMPARE(found.size(), 1U);
        ClusterNames expected;
        expected.key = {"ctx", "db", "acme", {}, "acme"};
        expected.mode = Mode::Endpoints;
        expected.scopeLabel = "cluster-name";
        expected.leaderName = "acme";
        expected.configName = "acme-config";
        expected.failoverName = "acme-failover";
        expected.syncName = "acme-sync";
        expected.memberNames = {"acme-0", "acme-1"};
        QVERIFY(found.front() == expected);
        QVERIFY(found.front().resource() == Resource::Endpoints);
    }

    void configMapModeWithOtherLabelKeys()
    {
        const Labels labels{{"postgres-operator.crunchydata.com/cluster", "beta"},
                            {"postgres-operator.crunchydata.com/patroni", "beta-ha"}};
        World world;
        world.configMap("beta-ha-config", labels, configured).configMap("beta-ha-leader", labels, record()).pod("beta-0", labels);
        const auto found = world.clusters();
        QCOMPARE(found.size(), 1U);
        QVERIFY(found.front().mode == Mode::ConfigMaps);
        QCOMPARE(found.front().key.scope, std::string("beta-ha"));
        QCOMPARE(found.front().scopeLabel, std::string("postgres-operator.crunchydata.com/patroni"));
        QCOMPARE(found.front().leaderName, std::string("beta-ha-leader"));
        QVERIFY(found.front().memberNames == Names{"beta-0"});
    }

    void citusGroups()
    {
        const Labels zero = with(acme, "citus-group", "0");
        const Labels one = with(acme, "citus-group", "1");
        World world;
        world.endpoints("acme-0-config", zero, configured).endpoints("acme-0", zero, record()).endpoints("acme-1-config", one, configured);
        world.pod("coord-0", zero).pod("work-0", one).pod("work-1", one).pod("loose-0", acme);
        const auto found = world.clusters();
        QCOMPARE(found.size(), 2U);
        QCOMPARE(found[0].key.text(), std::string("db/acme:0"));
        QCOMPARE(found[0].key.base, std::string("acme-0"));
        QCOMPARE(found[0].failoverName, std::string("acme-0-failover"));
        QVERIFY(found[0].memberNames == Names{"coord-0"});
        QCOMPARE(found[1].key.text(), std::string("db/acme:1"));
        QVERIFY((found[1].memberNames == Names{"work-0", "work-1"}));
    }

    void citusInConfigMapMode()
    {
        const Labels ten = with(acme, "citus-group", "10");
        World world;
        world.configMap("acme-10-config", ten, configured).configMap("acme-10-leader", ten, record());
        const auto found = world.clusters();
        QCOMPARE(found.size(), 1U);
        QVERIFY(found[0].key.group == 10);
        QCOMPARE(found[0].leaderName, std::string("acme-10-leader"));
    }

    void scopesWithDashesAndDigitsAreNoGroups()
    {
        const Labels labels{{"cluster-name", "acme-7"}};
        const auto found = World().endpoints("acme-7-config", labels, configured).clusters();
        QCOMPARE(found.size(), 1U);
        QVERIFY(!found[0].key.group);
        QCOMPARE(found[0].key.scope, std::string("acme-7"));
        // ... and a scope that ends in -config
        const Labels odd{{"cluster-name", "app-config"}};
        const auto second = World().endpoints("app-config", odd, record()).endpoints("app-config-config", odd, configured).clusters();
        QCOMPARE(second.size(), 1U);
        QCOMPARE(second[0].leaderName, std::string("app-config"));
    }

    void sameScopeTwice()
    {
        // A plain cluster and a Citus group of the same scope: told apart by the object name.
        World world;
        world.endpoints("acme-config", acme, configured).endpoints("acme-3-config", with(acme, "citus-group", "3"), configured);
        const auto found = world.clusters();
        QCOMPARE(found.size(), 2U);
        QCOMPARE(found[0].key.base, std::string("acme"));
        QCOMPARE(found[1].key.base, std::string("acme-3"));
        QVERIFY(found[0].key != found[1].key);
    }

    void noCluster_data()
    {
        QTest::addColumn<int>("which");
        int row = 0;
        for (const char *name :
             {"pre-created Endpoints without annotations", "config without the annotations", "config without a label of that value",
              "other name", "unrelated ConfigMap", "lock of another program", "client-go election", "leader record without Pods",
              "part of a record", "other namespace", "group label does not match"})
            QTest::newRow(name) << row++;
    }
    void noCluster()
    {
        QFETCH(int, which);
        World world;
        switch (which) {
        case 0: world.endpoints("acme", acme).endpoints("acme-config", acme).pod("acme-0", acme, false); break;
        case 1: world.endpoints("acme-config", acme, {{"note", "x"}}).pod("acme-0", acme); break;
        case 2: world.endpoints("acme-config", {{"application", "patroni"}}, configured); break;
        case 3: world.endpoints("acme-conf", acme, configured); break;
        case 4: world.configMap("web-config", {{"app", "website"}}, {{"config", "x"}}); break;
        case 5:
            world.configMap("acme-leader", acme, {{"leader", "x"}, {"ttl", "5"}, {"renew-time", "1"}, {"acquire-time", "1"}})
                .pod("acme-0", acme);
            break;
        case 6: world.endpoints("acme", acme, {{"control-plane.alpha.kubernetes.io/leader", "{}"}}).pod("acme-0", acme); break;
        case 7: world.endpoints("acme", acme, record()).pod("other-0", with(acme, "cluster-name", "other")); break;
        case 8: world.endpoints("acme", acme, {{"ttl", "30"}, {"leader", "x"}}).pod("acme-0", acme); break;
        case 9: world.endpoints("acme-config", acme, configured).inNamespace("elsewhere"); break;
        case 10: world.endpoints("acme-2-config", with(acme, "citus-group", "3"), configured); break;
        default: QFAIL("no such row");
        }
        QVERIFY(world.clusters().empty());
    }

    void configLostItsAnnotations()
    {
        World world;
        world.endpoints("acme", acme, record()).endpoints("acme-config", acme).pod("acme-0", acme);
        const auto found = world.clusters();
        QCOMPARE(found.size(), 1U);
        QCOMPARE(found[0].key.base, std::string("acme"));
        // also in ConfigMap mode, with a group, and after a release
        const Labels two = with(acme, "citus-group", "2");
        const auto other = World().configMap("acme-2-leader", two, record("")).pod("acme-2-0", two, false).clusters();
        QCOMPARE(other.size(), 1U);
        QCOMPARE(other[0].key.text(), std::string("db/acme:2"));
        QVERIFY(other[0].mode == Mode::ConfigMaps);
    }

    void bootstrapping()
    {
        const auto found = World().endpoints("acme-config", acme, {{"initialize", ""}}).pod("acme-0", acme, false).clusters();
        QCOMPARE(found.size(), 1U);
        QVERIFY(found[0].memberNames == Names{"acme-0"});
    }

    void initializeOnSeveralObjectsIsOneCluster()
    {
        const Annotations id{{"initialize", "7"}};
        Annotations leader = record();
        leader.insert(*id.begin());
        World world;
        world.endpoints("acme", acme, leader)
            .endpoints("acme-config", acme, configured)
            .endpoints("acme-failover", acme, id)
            .endpoints("acme-sync", acme, id);
        world.endpoints("acme-repl", acme, id).pod("acme-0", acme);
        QCOMPARE(world.clusters().size(), 1U);
    }

    void labelCopiesAreNoMembers()
    {
        const Labels member = with(with(acme, "team", "db"), "role", "replica");
        World world;
        world.endpoints("acme", with(acme, "team", "db"), record()).endpoints("acme-config", with(acme, "team", "db"), configured);
        world.pod("acme-0", member).pod("acme-1", with(acme, "team", "db"), false);
        world.pod("acme-backup-1", member, false).ownedBy("Job");
        world.pod("acme-pooler", {{"application", "pooler"}, {"cluster-name", "acme"}}, false);
        QVERIFY((world.clusters().front().memberNames == Names{"acme-0", "acme-1"}));
    }

    void theScopeLabelIsTheOneOnTheMembers()
    {
        // A Helm release of the same name labels everything it makes.
        const Labels objects{{"app.kubernetes.io/instance", "acme"}, {"zz-scope", "acme"}};
        World world;
        world.endpoints("acme-config", objects, configured)
            .pod("acme-0", objects)
            .pod("acme-web", {{"app.kubernetes.io/instance", "acme"}}, false);
        const auto found = world.clusters();
        QCOMPARE(found.front().scopeLabel, std::string("zz-scope"));
        QVERIFY(found.front().memberNames == Names{"acme-0"});
    }

    void modeSwitch_data()
    {
        QTest::addColumn<int>("endpointsMoved"); // seconds; 0: not seen to move
        QTest::addColumn<int>("configMapsMoved");
        QTest::addColumn<QByteArray>("endpointsLeader");
        QTest::addColumn<QByteArray>("endpointsRenewed");
        QTest::addColumn<bool>("endpoints");
        const QByteArray early("2031-02-01T09:00:00+00:00");
        const QByteArray late("2031-02-01T10:00:00+00:00");
        const QByteArray leader("acme-0");
        QTest::newRow("endpoints move") << 5 << 0 << leader << early << true;
        QTest::newRow("configmaps move") << 0 << 5 << leader << late << false;
        QTest::newRow("endpoints moved last") << 6 << 5 << leader << early << true;
        QTest::newRow("configmaps moved last") << 5 << 6 << leader << late << false;
        QTest::newRow("endpoints renewed later") << 0 << 0 << leader << late << true;
        QTest::newRow("configmaps renewed later") << 0 << 0 << leader << early << false;
        QTest::newRow("endpoints released") << 0 << 0 << QByteArray() << late << false;
    }
    void modeSwitch()
    {
        QFETCH(int, endpointsMoved);
        QFETCH(int, configMapsMoved);
        QFETCH(QByteArray, endpointsLeader);
        QFETCH(QByteArray, endpointsRenewed);
        QFETCH(bool, endpoints);
        World world;
        world.endpoints("acme", acme, record(endpointsLeader.constData(), endpointsRenewed.constData()))
            .endpoints("acme-config", acme, configured);
        world.configMap("acme-leader", acme, record("acme-0", "2031-02-01T09:30:00+00:00"))
            .configMap("acme-config", acme, configured)
            .pod("acme-0", acme);
        const auto found = world.clusters([&](Resource resource, const std::string &name) -> std::optional<Boot> {
            const int seconds = resource == Resource::Endpoints && name == "acme" ? endpointsMoved
                : name == "acme-leader"                                           ? configMapsMoved
                                                                                  : 0;
            return seconds ? std::optional(Boot{std::chrono::seconds(seconds)}) : std::nullopt;
        });
        QCOMPARE(found.size(), 1U);
        QVERIFY(found[0].otherModePresent);
        QCOMPARE(found[0].mode == Mode::Endpoints, endpoints);
        QVERIFY(found[0].memberNames == Names{"acme-0"});
    }

    void roleLabels()
    {
        const auto roleLabel = [](std::initializer_list<Labels> pods) {
            std::deque<KubeObject> objects;
            std::vector<const KubeObject *> pointers;
            for (const Labels &labels : pods) {
                objects.push_back(annotated("p", {}, Resource::Pods));
                objects.back().labels = labels;
                pointers.push_back(&objects.back());
            }
            return findRoleLabel(pointers, "scope").value_or("none");
        };
        QCOMPARE(roleLabel({{{"role", "master"}, {"scope", "primary"}}, {{"role", "replica"}}}), std::string("role"));
        QCOMPARE(roleLabel({{{"spilo-role", "master"}, {"app", "spilo"}}, {{"app", "spilo"}}}), std::string("spilo-role"));
        QCOMPARE(roleLabel({{{"role", "database"}, {"x.io/role", "primary"}}}), std::string("x.io/role"));
        QCOMPARE(roleLabel({{{"tmp_role", "primary"}, {"role", "primary"}}}), std::string("role"));
        QCOMPARE(roleLabel({{{"duty", "primary"}}, {{"duty", "replica"}}}), std::string("duty"));
        QCOMPARE(roleLabel({{{"duty", "primary"}}, {{"duty", "cook"}}}), std::string("none"));
        QCOMPARE(roleLabel({{{"scope", "primary"}}}), std::string("none"));
        QCOMPARE(roleLabel({}), std::string("none"));
    }
};

QTEST_APPLESS_MAIN(TestDiscovery)
#include "tst_discovery.moc"
