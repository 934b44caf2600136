// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Elections over time: what each observation, and each silence, makes of them.
#include "made_locks.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::election;
using namespace switchyard::test;

class TestElectionStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLeaseIsHeldOnceItIsSeenToBeRenewed()
    {
        Locks w;
        KubeObject lease = w.lease("op");
        const Changes first = w.list(Resource::Leases, {lease});
        QVERIFY(first.elections.contains(Key{"ctx", "db", "op"}));
        QVERIFY(first.events.empty());
        QCOMPARE(w.state("op"), State::Unverified);
        w.renew(lease);
        QCOMPARE(w.state("op"), State::Held);
        QCOMPARE(*w.find("op")->holder, std::string("pod-a_1"));
        QVERIFY(w.find("op")->expiresAt == Boot(w.t + 15s));
        QVERIFY(w.store.events().empty());
    }

    void expiryIsSaidOnlyWhenItIsProven()
    {
        Locks w;
        KubeObject lease = w.lease("op"), other = w.lease("other");
        w.list(Resource::Leases, {lease, other});
        for (int i = 0; i < 5; ++i)
            w.renew(lease);
        w.advance(16s);
        QCOMPARE(w.state("op"), State::Unverified); // our silence is none of the holder's
        QCOMPARE(w.store.wantedProbes(w.now()).size(), std::size_t(2));
        w.confirm(lease);
        QCOMPARE(w.state("op"), State::Expired);
        QCOMPARE(w.count(EventCode::ElectionStopped), 1);
        QCOMPARE(w.last(EventCode::ElectionStopped).detail.at("how"), std::string("expired"));
        w.advance(20s);
        QCOMPARE(w.state("op"), State::Expired);
        w.confirm(lease);
        QCOMPARE(w.state("op"), State::Stuck);
        QCOMPARE(w.count(EventCode::ElectionStuck), 1);
    }
};

QTEST_APPLESS_MAIN(TestElectionStore)
#include "tst_election_store.moc"
