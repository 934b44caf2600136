// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/owner.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::patroni;

using Labels = std::map<std::string, std::string>;
Q_DECLARE_METATYPE(Cluster)
Q_DECLARE_METATYPE(Ownership)

namespace {

Cluster made(Labels members, Labels object, std::vector<OwnerReference> owners = {})
{
    Cluster cluster;
    cluster.commonMemberLabels = std::move(members);
    cluster.objects["config"].labels = std::move(object);
    cluster.objects["config"].owners = std::move(owners);
    return cluster;
}

} // namespace

class TestOwner : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void operators_data()
    {
        QTest::addColumn<Cluster>("cluster");
        QTest::addColumn<Ownership>("expected");
        const auto row = [](const char *name, const Cluster &cluster, const Ownership &expected) {
            QTest::newRow(name) << cluster << expected;
        };
        row("plain", made({{"application", "patroni"}, {"cluster-name", "acme"}}, {{"application", "patroni"}}), {});
        row("no Pods, no labels", {}, {});
        row("Helm",
            made({{"app.kubernetes.io/managed-by", "Helm"}, {"helm.sh/chart", "patroni-1"}}, {{"app.kubernetes.io/managed-by", "Helm"}}),
            {});
        row("owned by a StatefulSet", made({}, {}, {{"StatefulSet", "acme", "1"}}), {});
        const Labels spilo{{"application", "spilo"}, {"cluster-name", "acid-minimal-cluster"}};
        Labels team = spilo;
        team["team"] = "acid";
        row("Zalando", made(team, spilo), {Operator::Zalando, "postgresql", "acid-minimal-cluster", "label application=spilo"});
        row("Spilo by hand", made(spilo, spilo), {Operator::Zalando, "", "", "label application=spilo"});
        row("Zalando with owner references", made(team, spilo, {{"postgresql", "acid-minimal-cluster", "1"}}),
            {Operator::Zalando, "postgresql", "acid-minimal-cluster", "owner postgresql acid-minimal-cluster"});
        const Labels pgo{{"postgres-operator.crunchydata.com/cluster", "hippo"}, {"postgres-operator.crunchydata.com/patroni", "hippo-ha"}};
        Labels pgoPod = pgo;
        pgoPod["postgres-operator.crunchydata.com/data"] = "postgres";
        pgoPod["postgres-operator.crunchydata.com/instance-set"] = "instance1";
        row("PGO 5", made(pgoPod, pgo),
            {Operator::CrunchyPgo, "PostgresCluster", "hippo", "label postgres-operator.crunchydata.com/cluster=hippo"});
        row("PGO 5 with owner", made(pgoPod, pgo, {{"PostgresCluster", "hippo", "1"}}),
            {Operator::CrunchyPgo, "PostgresCluster", "hippo", "owner PostgresCluster hippo"});
        row("PGO 4",
            made({{"crunchy-pgha-scope", "mycluster"}, {"pg-cluster", "mycluster"}, {"vendor", "crunchydata"}},
                 {{"crunchy-pgha-scope", "mycluster"}, {"vendor", "crunchydata"}}),
            {Operator::CrunchyPgo, "Pgcluster", "mycluster", "label crunchy-pgha-scope=mycluster"});
        Labels percona = pgoPod;
        percona["app.kubernetes.io/managed-by"] = "percona-postgresql-operator";
        percona["app.kubernetes.io/name"] = "percona-postgresql";
        row("Percona 2", made(percona, pgo, {{"PostgresCluster", "hippo", "1"}}),
            {Operator::Percona, "PerconaPGCluster", "hippo", "label app.kubernetes.io/managed-by=percona-postgresql-operator"});
        const Labels stackGres{{"app", "StackGresCluster"},
                               {"stackgres.io/cluster-name", "simple"},
                               {"stackgres.io/cluster", "true"},
                               {"stackgres.io/cluster-uid", "f789d8d3-61d9-44af-a4d0-29533261c80d"}};
        row("StackGres", made(stackGres, {{"app", "StackGresCluster"}, {"stackgres.io/cluster-name", "simple"}}),
            {Operator::StackGres, "SGCluster", "simple", "label stackgres.io/cluster-name=simple"});
        row("StackGres with owner", made(stackGres, {}, {{"SGCluster", "simple", "1"}}),
            {Operator::StackGres, "SGCluster", "simple", "owner SGCluster simple"});
        row("another custom resource", made({}, {}, {{"Database", "acme", "1"}}),
            {Operator::Other, "Database", "acme", "owner Database acme"});
        row("another manager", made({{"app.kubernetes.io/managed-by", "kubeblocks"}}, {}),
            {Operator::Other, "", "", "label app.kubernetes.io/managed-by=kubeblocks"});
    }

    void operators()
    {
        QFETCH(Cluster, cluster);
        QFETCH(Ownership, expected);
        const Ownership found = ownership(cluster);
        QCOMPARE(std::string(code(found.by)), std::string(code(expected.by)));
        QCOMPARE(found.resourceKind, expected.resourceKind);
        QCOMPARE(found.resourceName, expected.resourceName);
        QCOMPARE(found.evidence, expected.evidence);
    }

    void effects()
    {
        std::string all;
        for (const auto by :
             {Operator::None, Operator::Zalando, Operator::CrunchyPgo, Operator::Percona, Operator::StackGres, Operator::Other}) {
            all += std::string(code(by)) + ":";
            for (const auto change : {OwnedChange::Pause, OwnedChange::Config, OwnedChange::Restart, OwnedChange::Switchover})
                all += " " + std::string(code(effectOf(by, change)));
            all += "\n";
        }
        QCOMPARE(all,
                 std::string("none: none none none none\n"
                             "zalando: none reverts none none\n"
                             "crunchy-pgo: reverts reverts none none\n"
                             "percona: reverts reverts none none\n"
                             "stackgres: may-revert reverts none none\n"
                             "other: unknown unknown unknown unknown\n"));
    }
};

QTEST_APPLESS_MAIN(TestOwner)
#include "tst_owner.moc"
