// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/trails.h"
#include "tests/support/made_clusters.h"

#include <QtTest>

using namespace switchyard;
using namespace std::chrono_literals;

class TrailsTest : public QObject
{
    Q_OBJECT

    static Boot at(Duration later) { return made::now(later).boot; }

private Q_SLOTS:
    void keepsChangesOnly()
    {
        Trails trails;
        auto c = made::healthy();
        for (int i = 0; i < 5; ++i)
            trails.look(c, at(std::chrono::seconds(i)));
        const ClusterTrail *trail = trails.find(c.names.key);
        QVERIFY(trail);
        QCOMPARE(trail->lookedSince, std::optional(at(0s)));
        QCOMPARE(trail->health.size(), std::size_t(1));
        QCOMPARE(trail->lags.at("acme-0").size(), std::size_t(1));
        QVERIFY(trail->lags.at("acme-1").empty()); // the leader has none
        c.members[1].lag = 4096;
        c.health = {patroni::Health::Degraded, {{patroni::HealthReason::LagOverLimit, "acme-0", 4096}}};
        trails.look(c, at(10s));
        c.health.reasons[0].amount = 8192; // more of the same
        trails.look(c, at(11s));
        QCOMPARE(trail->lags.at("acme-0").back(), (LagSample{at(10s), 4096}));
        QCOMPARE(trail->health.size(), std::size_t(2));
        QCOMPARE(trail->health.back().at, at(10s));
    }

    void unknownIsNeverZero()
    {
        Trails trails;
        auto c = made::healthy();
        trails.look(c, at(-100s));
        trails.look(made::stale(), at(0s)); // silent since -48 s: known of now
        const ClusterTrail *trail = trails.find(c.names.key);
        QCOMPARE(trail->lags.at("acme-0").back(), (LagSample{at(-48s), std::nullopt}));
        QCOMPARE(trail->health.back().at, at(-48s));
        QCOMPARE(trail->health.back().health, patroni::Health::Unknown);
        trails.look(c, at(10s));
        QCOMPARE(trail->lags.at("acme-0").back(), (LagSample{at(10s), 0}));
        c.members.erase(c.members.begin() + 1);
        trails.look(c, at(20s));
        QCOMPARE(trail->lags.at("acme-0").back(), (LagSample{at(20s), std::nullopt}));
    }

    // Positions of the leader and of members come one after the other.
    void momentsOfCatchingUpAreNoChanges()
    {
        Trails trails;
        auto c = made::healthy();
        trails.look(c, at(0s));
        auto behind = c;
        behind.members[1].lag = 2000000;
        behind.health = {patroni::Health::Degraded, {{patroni::HealthReason::LagOverLimit, "acme-0", 2000000}}};
        trails.look(behind, at(10s));
        trails.look(c, at(10s + 50ms));
        const ClusterTrail *trail = trails.find(c.names.key);
        QCOMPARE(trail->lags.at("acme-0").size(), std::size_t(1));
        QCOMPARE(trail->health.size(), std::size_t(1));
        trails.look(behind, at(20s));
        trails.look(c, at(22s));
        QCOMPARE(trail->lags.at("acme-0").size(), std::size_t(3));
        QCOMPARE(trail->health.size(), std::size_t(3));
        auto down = made::expired();
        trails.look(down, at(30s)); // however short: nobody led
        trails.look(c, at(30s + 50ms));
        QCOMPARE(trail->health.size(), std::size_t(5));
        QCOMPARE(trail->health[3].health, patroni::Health::Unhealthy);
    }

    void nothingBeforeTheFirstLook()
    {
        Trails trails;
        auto c = made::blank();
        c.view.freshness = patroni::Freshness::Connecting;
        trails.look(c, at(0s));
        QVERIFY(!trails.find(c.names.key)->lookedSince);
        QVERIFY(trails.find(c.names.key)->health.empty());
    }

    void goneAndBack()
    {
        Trails trails;
        const auto c = made::healthy();
        trails.look(c, at(0s));
        trails.gone(c.names.key, at(5s));
        QCOMPARE(trails.find(c.names.key)->goneAt, std::optional(at(5s)));
        QVERIFY(!trails.find(c.names.key)->lags.at("acme-0").back().lag);
        trails.look(c, at(9s));
        QVERIFY(!trails.find(c.names.key)->goneAt);
        trails.gone({}, at(10s)); // never seen
        QCOMPARE(trails.all().size(), std::size_t(1));
    }

    void isBounded()
    {
        Trails trails;
        auto c = made::healthy();
        for (int i = 0; i < 3000; ++i) {
            c.members[1].lag = std::uint64_t(i) + 1;
            c.health.health = i % 2 ? patroni::Health::Healthy : patroni::Health::Degraded;
            trails.look(c, at(std::chrono::seconds(i)));
        }
        const ClusterTrail *trail = trails.find(c.names.key);
        QCOMPARE(trail->health.size(), Trails::keptHealth);
        QCOMPARE(trail->lags.at("acme-0").size(), Trails::keptLags);
        QCOMPARE(trail->lags.at("acme-0").back().lag, std::optional<std::uint64_t>(3000));
    }
};

QTEST_APPLESS_MAIN(TrailsTest)
#include "tst_trails.moc"
