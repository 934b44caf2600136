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

QTEST_APPLESS_MAIN(UnseenRequestsTest)
#include "tst_requests_unseen.moc"
