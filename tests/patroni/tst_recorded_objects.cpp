// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/discovery.h"

#include <QFile>
#include <QTest>

#include <deque>

using namespace switchyard;
using namespace switchyard::patroni;

// Lists as a real API server gave them for two real clusters: alpha (Endpoints), beta (ConfigMaps).
class TestRecordedObjects : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void patroni3();
    void patroni4();

private:
    void load(const QString &name);
    const ClusterNames *cluster(const std::string &scope) const;
    const KubeObject *object(Resource resource, const std::string &name) const;

    std::deque<KubeObject> m_objects;
    std::vector<ClusterNames> m_clusters;
    std::vector<Defect> m_defects;
};

void TestRecordedObjects::load(const QString &name)
{
    m_objects.clear();
    m_defects.clear();
    for (const Resource resource : {Resource::Endpoints, Resource::ConfigMaps, Resource::Pods}) {
        const std::string_view suffix = code(resource);
        QFile file(
            QStringLiteral(TEST_DATA_DIR "/objects/%1.%2.json").arg(name, QString::fromUtf8(suffix.data(), qsizetype(suffix.size()))));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        const auto list = decodeList(resource, file.readAll().toStdString());
        QVERIFY(list && list->undecodable.empty() && !list->items.empty());
        for (const KubeObject &item : list->items)
            m_objects.push_back(item);
    }
    std::vector<const KubeObject *> pointers;
    for (const KubeObject &one : m_objects)
        pointers.push_back(&one);
    m_clusters = discover("ctx", "default", pointers, {});
    QCOMPARE(m_clusters.size(), 2U);
}

const ClusterNames *TestRecordedObjects::cluster(const std::string &scope) const
{
    for (const ClusterNames &names : m_clusters) {
        if (names.key.scope == scope)
            return &names;
    }
    return nullptr;
}

const KubeObject *TestRecordedObjects::object(Resource resource, const std::string &name) const
{
    for (const KubeObject &one : m_objects) {
        if (one.resource == resource && one.name == name)
            return &one;
    }
    return nullptr;
}

void TestRecordedObjects::patroni3()
{
    load(QStringLiteral("3.0.2-sync"));
    const ClusterNames *alpha = cluster("alpha");
    const ClusterNames *beta = cluster("beta");
    QVERIFY(alpha && beta);
    QVERIFY(alpha->mode == Mode::Endpoints && beta->mode == Mode::ConfigMaps);
    QVERIFY((alpha->memberNames == std::set<std::string>{"alpha-0", "alpha-1", "alpha-2"}));

    const LeaderRecord leader = decodeLeader(*object(Resource::Endpoints, alpha->leaderName), m_defects);
    QVERIFY(leader.leader == "alpha-1" && leader.ttl == 30 && leader.transitions == 5 && leader.optime == Lsn(67419640));
    QVERIFY(leader.addresses && leader.addresses->front() == (EndpointAddress{"192.0.2.12", "alpha-1"}));

    const ConfigRecord config = decodeConfig(*object(Resource::Endpoints, alpha->configName), m_defects);
    QVERIFY(config.systemId == "7713576556860619536");
    QVERIFY(config.config.present && config.config.syncMode == SyncMode::On && config.config.loopWait == 10);
    QVERIFY(config.history.currentTimeline == 6);
    QVERIFY(config.history.entries.front().newLeader == "alpha-1");
    QCOMPARE(formatLsn(config.history.entries.front().lsn), std::string("0/404B3E0"));

    const SyncState sync = decodeSync(*object(Resource::Endpoints, alpha->syncName), m_defects);
    QVERIFY(sync.leader == "alpha-1" && sync.standbys == std::vector<std::string>{"alpha-2"} && !sync.quorum);

    const MemberRecord member = decodeMember(*object(Resource::Pods, "alpha-1"), m_defects);
    QVERIFY(member.reported && member.role == "master" && member.roleLabel == "master" && member.version == "3.0.2"
            && member.timeline == 6);
    QVERIFY(member.pod.phase == "Running" && member.pod.ready == true && !member.replicationState);
    QVERIFY(m_defects.empty());
}

void TestRecordedObjects::patroni4()
{
    load(QStringLiteral("4.0.7-scheduled"));
    const ClusterNames *alpha = cluster("alpha");
    const ClusterNames *beta = cluster("beta-ha");
    QVERIFY(alpha && beta);
    QCOMPARE(beta->scopeLabel, std::string("postgres-operator.crunchydata.com/patroni"));
    QVERIFY((beta->memberNames == std::set<std::string>{"beta-0", "beta-1", "beta-2"}));

    const FailoverRequest request = decodeFailover(*object(Resource::Endpoints, alpha->failoverName), m_defects);
    QVERIFY(request.leader == "alpha-0" && request.schedule == FailoverRequest::Schedule::Valid);
    QVERIFY(request.scheduledAt == parseInstant("2026-11-29T13:49:11Z"));
    const FailoverRequest emptied = decodeFailover(*object(Resource::ConfigMaps, beta->failoverName), m_defects);
    QVERIFY(!emptied.pending() && emptied == FailoverRequest{});

    const LeaderRecord leader = decodeLeader(*object(Resource::ConfigMaps, beta->leaderName), m_defects);
    QVERIFY(leader.leader == "beta-0" && !leader.addresses);
    QVERIFY(leader.slots.at("beta_1") == 67109760U);
    QVERIFY((leader.retainSlots == std::vector<std::string>{"beta_0", "beta_1", "beta_2"}));

    const MemberRecord member = decodeMember(*object(Resource::Pods, "beta-1"), m_defects);
    QVERIFY(member.replicationState == "streaming" && member.xlogLocation == Lsn(67109760) && member.roleLabel == "replica");
    std::vector<const KubeObject *> pods;
    for (const auto &name : beta->memberNames)
        pods.push_back(object(Resource::Pods, name));
    QVERIFY(findRoleLabel(pods, beta->scopeLabel) == "postgres-operator.crunchydata.com/role");
    QVERIFY(m_defects.empty());
}

QTEST_APPLESS_MAIN(TestRecordedObjects)
#include "tst_recorded_objects.moc"
