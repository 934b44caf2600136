// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/lock_clock.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::rules;

namespace {

Boot at(double seconds)
{
    return Boot(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds)));
}

LockObservation held(std::optional<double> notBefore, std::optional<double> notAfter, double firstSeen, std::optional<double> confirmed)
{
    LockObservation o;
    o.objectExists = true;
    o.record.emplace();
    o.record->leader = "acme-1";
    o.record->ttlRaw = "30";
    o.record->ttl = 30;
    o.record->renewTimeRaw = "1990-01-01T00:00:00+00:00"; // decades old: must not matter
    if (notBefore)
        o.changedNotBefore = at(*notBefore);
    if (notAfter)
        o.changedNotAfter = at(*notAfter);
    o.firstSeen = at(firstSeen);
    if (confirmed)
        o.confirmedAt = at(*confirmed);
    return o;
}

DynamicConfig config()
{
    return {};
}

} // namespace

class TestLockClock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void states_data()
    {
        QTest::addColumn<double>("notBefore"); // negative: none
        QTest::addColumn<double>("notAfter");
        QTest::addColumn<double>("firstSeen");
        QTest::addColumn<double>("confirmed");
        QTest::addColumn<bool>("viewStale");
        QTest::addColumn<double>("now");
        QTest::addColumn<LockState>("state");
        QTest::addColumn<bool>("late");
        const auto row = [](const char *name, double nb, double na, double first, double conf, bool stale, double now, LockState s,
                            bool late) { QTest::newRow(name) << nb << na << first << conf << stale << now << s << late; };
        row("just listed", -1, -1, 100, 100, false, 101, LockState::Unverified, false);
        row("listed, ttl not over", -1, -1, 100, 119, false, 130, LockState::Unverified, false);
        row("listed, ttl not over, confirmed", -1, -1, 100, 129, false, 130, LockState::Unverified, true);
        row("listed, ttl over, not confirmed after it", -1, -1, 100, 129, false, 131, LockState::Unverified, true);
        row("listed, ttl over and confirmed", -1, -1, 100, 130.5, false, 131, LockState::Expired, false);
        row("renewed", 100, 100, 50, 100, false, 105, LockState::Held, false);
        row("renewed, at the late limit", 100, 100, 50, 100, false, 120, LockState::Held, false);
        row("renewed, late, our own silence", 100, 100, 50, 119.9, false, 120.001, LockState::Held, false);
        row("renewed, late and confirmed", 100, 100, 50, 120.0005, false, 120.001, LockState::Held, true);
        row("at ttl exactly", 100, 100, 50, 125, false, 130, LockState::Held, true);
        row("over ttl, confirmation too old", 100, 100, 50, 125, false, 131, LockState::Unverified, true);
        row("over ttl, confirmed", 100, 100, 50, 130.1, false, 131, LockState::Expired, false);
        row("our silence is never expiry", 100, 100, 50, 130.1, true, 131, LockState::Stale, false);
        row("our silence within ttl", 100, 100, 50, 100, true, 110, LockState::Stale, false);
        row("changed somewhere in 60..100, certain until 90", 60, 100, 50, 100, false, 89, LockState::Held, false);
        row("changed somewhere in 60..100, cannot be said", 60, 100, 50, 100, false, 105, LockState::Unverified, false);
        row("changed somewhere in 60..100, over for sure", 60, 100, 50, 131, false, 132, LockState::Expired, false);
    }
    void states()
    {
        QFETCH(double, notBefore);
        QFETCH(double, notAfter);
        QFETCH(double, firstSeen);
        QFETCH(double, confirmed);
        QFETCH(bool, viewStale);
        QFETCH(double, now);
        const auto maybe = [](double v) { return v < 0 ? std::nullopt : std::optional(v); };
        LockObservation o = held(maybe(notBefore), maybe(notAfter), firstSeen, maybe(confirmed));
        o.viewStale = viewStale;
        const LockView view = lockView(o, config(), at(now));
        QTEST(view.state, "state");
        QTEST(view.late, "late");
        QCOMPARE(view.holder, std::optional<std::string>("acme-1"));
    }

    void absentAndReleased()
    {
        LockObservation o;
        QCOMPARE(lockView(o, config(), at(1)).state, LockState::Absent);
        o.objectExists = true;
        o.record.emplace(); // an object made beforehand, without annotations
        QCOMPARE(lockView(o, config(), at(1)).state, LockState::Absent);
        o.record->renewTimeRaw = "2031-02-01T09:41:52+00:00"; // "has renewTime" does not mean "has a leader"
        o.record->ttlRaw = "30";
        const LockView released = lockView(o, config(), at(1));
        QCOMPARE(released.state, LockState::Released);
        QVERIFY(!released.holder);
        o.viewStale = true;
        QCOMPARE(lockView(o, config(), at(1)).state, LockState::Stale);
    }

    void ttlFallbackAndExtremes()
    {
        LockObservation o = held(100, 100, 100, 100);
        o.record->ttl.reset(); // "abc", "0", missing: the configuration's ttl is in force
        DynamicConfig c;
        c.ttl = 50;
        QCOMPARE(lockView(o, c, at(149)).state, LockState::Held);
        QCOMPARE(lockView(o, c, at(149)).ttl, 50);
        o.record->ttl = std::numeric_limits<std::int64_t>::max(); // "permanent", written by 2.x
        QCOMPARE(lockView(o, c, at(1e9)).state, LockState::Held);
        o.record->ttl = -5; // taken literally: expired at once
        o.confirmedAt = at(101);
        QCOMPARE(lockView(o, c, at(101)).state, LockState::Expired);
    }

    void awaitingProof_data()
    {
        QTest::addColumn<double>("confirmed");
        QTest::addColumn<double>("now");
        QTest::addColumn<bool>("awaits");
        QTest::newRow("nothing to prove yet") << 100.0 << 119.0 << false;
        QTest::newRow("late?") << 100.0 << 121.0 << true;
        QTest::newRow("late") << 120.5 << 121.0 << false;
        QTest::newRow("expired?") << 121.0 << 131.0 << true;
        QTest::newRow("expired") << 130.5 << 131.0 << false;
    }
    void awaitingProof()
    {
        QFETCH(double, confirmed);
        QFETCH(double, now);
        LockObservation o = held(100, 100, 100, confirmed);
        QTEST(awaitsProof(o, config(), at(now)), "awaits");
        o.viewStale = true;
        QVERIFY(!awaitsProof(o, config(), at(now)));
    }

    void deadlinesLeadToEachChange()
    {
        const LockObservation o = held(100, 100, 100, 125);
        const auto late = lockDeadline(o, config(), at(105));
        QVERIFY(late);
        QVERIFY(!lockView(o, config(), *late - Duration(1)).late);
        QVERIFY(lockView(o, config(), *late).late);
        const auto over = lockDeadline(o, config(), *late);
        QVERIFY(over);
        QCOMPARE(lockView(o, config(), *over - Duration(1)).state, LockState::Held);
        QCOMPARE(lockView(o, config(), *over).state, LockState::Unverified);
        QVERIFY(!lockDeadline(o, config(), *over));
        LockObservation released = o;
        released.record->leader.reset();
        QVERIFY(!lockDeadline(released, config(), at(105)));
    }
};

QTEST_APPLESS_MAIN(TestLockClock)
#include "tst_lock_clock.moc"
