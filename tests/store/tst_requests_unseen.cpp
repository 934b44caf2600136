// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Requests that Patroni cannot see: it lists the objects of one kind by label (patroni/dcs/kubernetes.py: _label_selector, and
// __load_cluster for the kind), so it neither acts on others nor clears them.
#include "made_world.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;
using namespace std::chrono_literals;

class UnseenRequestsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void withoutTheLabel();
    void labelledLater();
    void leadershipMovesWithoutIt();
    void ofTheOtherKind_data();
    void ofTheOtherKind();
    void theRealOneStaysLast();
    void anotherClustersLeaderObject();
    void anotherClustersLockOfTheSameKind_data();
    void anotherClustersLockOfTheSameKind();
    void aTimeThatNobodyReads();
    void aTimeThatNobodyMeans();
    void ofTheOtherKindNoOutage();
    void theLabelIsFoundOutLater();
};

namespace {

KubeObject stray(World &w)
{
    KubeObject o = w.object(Resource::ConfigMaps, "acme-failover");
    o.uid = "uid-stray";
    o.annotations = {{"leader", "acme-0"}, {"member", "acme-1"}};
    return o;
}

} // namespace

void UnseenRequestsTest::withoutTheLabel()
{
    World w;
    w.start();
    w.failover.labels.clear();
    w.ask("acme-0", "acme-1", "2031-02-01T06:00:20+00:00");
    QVERIFY(w.request().invisible);
    w.flow(70s);
    QCOMPARE(w.request().outcome, Outcome::NotPickedUp);
    w.renew(1s);
    w.clear(1s); // right after a renewal, and it would be stale: but not by the leader's hand
    QCOMPARE(w.request().outcome, Outcome::Refused);
    QCOMPARE(w.request().reason, std::optional(Refusal::Unknown));
    w.observe(Resource::Pods, Listed{std::to_string(++w.version), {}});
    QCOMPARE(w.request().reason, std::optional(Refusal::Unknown));
}

void UnseenRequestsTest::labelledLater()
{
    World w;
    w.start();
    w.failover.labels = {{"cluster-name", "other"}};
    w.ask("acme-0", "acme-1");
    QVERIFY(w.request().invisible);
    w.failover.labels = {{"cluster-name", "acme"}};
    w.change(w.failover);
    QVERIFY(!w.request().invisible);
    QCOMPARE(w.cluster().requests.size(), std::size_t(1));
    w.release();
    w.take("acme-1");
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::Done);
}

void UnseenRequestsTest::leadershipMovesWithoutIt()
{
    World w;
    w.start();
    w.failover.labels.clear();
    w.ask("acme-0", "acme-1");
    w.release();
    w.take("acme-1");
    QVERIFY(!w.request().takenAt && !w.request().newLeader);
    QCOMPARE(w.cluster().transitions.back().kind, TransitionKind::LockReleased);
    w.flow(40s);
    QCOMPARE(w.request().outcome, Outcome::NotPickedUp);
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::Refused);
}

void UnseenRequestsTest::ofTheOtherKind_data()
{
    QTest::addColumn<bool>("before");
    QTest::newRow("seen before the cluster") << true;
    QTest::newRow("seen after it") << false;
}

void UnseenRequestsTest::ofTheOtherKind()
{
    QFETCH(bool, before);
    World w;
    if (!before)
        w.start();
    KubeObject o = stray(w);
    w.change(o, EventType::Added);
    if (before)
        w.start();
    QCOMPARE(w.cluster().requests.size(), std::size_t(1));
    QVERIFY(w.request().invisible);
    QVERIFY(!w.cluster().failover); // nothing is in the slot
    QVERIFY(w.cluster().pendingRequest());
    w.flow(40s);
    w.advance(1s);
    QCOMPARE(w.request().outcome, Outcome::NotPickedUp);
    w.release();
    w.take("acme-2");
    QCOMPARE(w.request().outcome, Outcome::NotPickedUp);
    QVERIFY(!w.request().newLeader);
    w.change(o, EventType::Deleted);
    QCOMPARE(w.request().outcome, Outcome::Refused);
    QCOMPARE(w.request().reason, std::optional(Refusal::Unknown));
    QCOMPARE(w.count(EventCode::RequestWritten), 1);
    QCOMPARE(w.count(EventCode::RequestCleared), 1);
}

void UnseenRequestsTest::theRealOneStaysLast()
{
    World w;
    w.start();
    w.ask("acme-0", "acme-1", "2031-02-01T09:00:00+00:00");
    KubeObject o = stray(w);
    w.t += 5s;
    w.change(o, EventType::Added);
    QCOMPARE(w.cluster().requests.size(), std::size_t(2));
    QVERIFY(!w.request().invisible);
    w.clear();
    QCOMPARE(w.cluster().requests.front().outcome, Outcome::Cancelled);
    QVERIFY(w.request().invisible);
    QVERIFY(!isFinal(w.request().outcome));
}

void UnseenRequestsTest::anotherClustersLeaderObject()
{
    World w;
    w.start();
    KubeObject o = stray(w);
    o.annotations["renewTime"] = "2031-02-01T08:00:00+00:00";
    w.change(o, EventType::Added);
    QVERIFY(w.cluster().requests.empty());
}

void UnseenRequestsTest::anotherClustersLockOfTheSameKind_data()
{
    QTest::addColumn<QString>("part");
    for (const char *part : {"failover", "config", "sync"})
        QTest::newRow(part) << QString::fromLatin1(part);
}

// With Endpoints the lock of the scope acme-failover is called as the failover object of acme.
void UnseenRequestsTest::anotherClustersLockOfTheSameKind()
{
    QFETCH(QString, part);
    const std::string role = part.toStdString(), scope = "acme-" + role;
    World w, other(scope);
    w.stateItems = {w.leader, other.leader, other.config};
    if (role != "config")
        w.stateItems.push_back(w.config);
    w.listState();
    auto pods = w.pods;
    pods.insert(pods.end(), other.pods.begin(), other.pods.end());
    w.observe(Resource::Pods, Listed{std::to_string(w.version), pods});
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(w.store.clusters().size(), std::size_t(2));
        const Cluster &mine = w.cluster(), &foreign = *w.store.clusters().back();
        QCOMPARE(mine.names.key.scope, std::string("acme"));
        QCOMPARE(mine.lock.holder, std::optional<std::string>("acme-0"));
        QCOMPARE(foreign.names.key.scope, scope);
        QCOMPARE(foreign.lock.holder, std::optional(scope + "-0"));
        QVERIFY(foreign.foreignLocks.empty());
        QCOMPARE(mine.foreignLocks, (std::map<std::string, std::string>{{role, scope + "-0"}}));
        QVERIFY(!mine.failover && !mine.sync && mine.requests.empty() && !mine.objects.contains(role));
        QCOMPARE(mine.config.has_value(), role != "config");
        for (const Snapshot &snapshot : mine.snapshots)
            QVERIFY(snapshot.object != scope);
        w.t += 10s;
        other.leader.annotations["renewTime"] = World::text(w.t);
        w.change(other.leader);
    }
    QCOMPARE(w.count(EventCode::RequestWritten), 0);
    QCOMPARE(w.count(EventCode::SyncChanged), 0);
    QCOMPARE(w.count(EventCode::Undecodable), 0);
    w.change(other.leader, EventType::Deleted);
    QVERIFY(w.cluster().foreignLocks.empty());
    if (role == "failover") {
        w.ask("acme-0", "acme-1");
        QCOMPARE(w.cluster().requests.size(), std::size_t(1));
        QVERIFY(w.cluster().failover && w.cluster().objects.contains(role));
    }
}

// It takes a cluster down only where Patroni reads it.
void UnseenRequestsTest::aTimeThatNobodyReads()
{
    World w;
    w.start();
    w.failover.labels.clear();
    w.ask("", "", "tomorrow");
    QVERIFY(w.cluster().failoverUnseen && !w.cluster().seenFailover());
    QVERIFY(!has(w.cluster().health, HealthReason::UnparsableSchedule));
    w.ask("acme-0", "acme-1", "tomorrow");
    QCOMPARE(w.request().outcome, Outcome::Pending);
    QVERIFY(!has(w.cluster().health, HealthReason::UnparsableSchedule) && !has(w.cluster().health, HealthReason::RequestPending));
    w.failover.labels = {{"cluster-name", "acme"}};
    w.change(w.failover);
    QCOMPARE(w.request().outcome, Outcome::Outage);
    QVERIFY(has(w.cluster().health, HealthReason::UnparsableSchedule) && has(w.cluster().health, HealthReason::RequestPending));
    w.failover.labels = {{"cluster-name", "other"}};
    w.change(w.failover);
    QCOMPARE(w.request().outcome, Outcome::Pending);
    QVERIFY(!has(w.cluster().health, HealthReason::UnparsableSchedule));
    w.flow(40s);
    QCOMPARE(w.request().outcome, Outcome::NotPickedUp);
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::Refused);
    QCOMPARE(w.cluster().requests.size(), std::size_t(1));
}

void UnseenRequestsTest::aTimeThatNobodyMeans()
{
    World w;
    w.start();
    w.failover.labels.clear();
    w.ask("acme-0", "acme-1", "2041-02-01T06:00:00+00:00");
    QVERIFY(!has(w.cluster().health, HealthReason::AbsurdSchedule));
    QCOMPARE(w.count(EventCode::ScheduleAbsurd), 0);
    w.failover.labels = {{"cluster-name", "acme"}};
    w.change(w.failover);
    QVERIFY(has(w.cluster().health, HealthReason::AbsurdSchedule));
    QCOMPARE(w.count(EventCode::ScheduleAbsurd), 1);
}

void UnseenRequestsTest::ofTheOtherKindNoOutage()
{
    World w;
    w.start();
    KubeObject o = stray(w);
    o.annotations["scheduled_at"] = "tomorrow";
    w.change(o, EventType::Added);
    QVERIFY(w.request().invisible);
    QCOMPARE(w.request().outcome, Outcome::Pending);
    QVERIFY(!has(w.cluster().health, HealthReason::UnparsableSchedule));
}

// Of two labels that carry the scope the Pods tell the right one.
void UnseenRequestsTest::theLabelIsFoundOutLater()
{
    World w;
    for (KubeObject *o : {&w.leader, &w.config})
        o->labels = {{"application", "acme"}, {"my-scope", "acme"}};
    w.failover.labels = {{"my-scope", "acme"}};
    for (KubeObject &pod : w.pods) {
        pod.labels.erase("cluster-name");
        pod.labels["my-scope"] = "acme";
    }
    w.setRequest("acme-0", "acme-1", "tomorrow");
    w.stateItems = {w.leader, w.config, w.failover};
    w.listState();
    QCOMPARE(w.cluster().names.scopeLabel, std::string("application"));
    QVERIFY(w.cluster().failoverUnseen && w.request().invisible);
    w.listPods();
    QCOMPARE(w.cluster().names.scopeLabel, std::string("my-scope"));
    QVERIFY(!w.cluster().failoverUnseen && !w.request().invisible);
    QCOMPARE(w.request().outcome, Outcome::Outage);
}

QTEST_APPLESS_MAIN(UnseenRequestsTest)
#include "tst_requests_unseen.moc"
