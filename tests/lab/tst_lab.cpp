// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The main path on real Patroni, both clusters of the lab side by side, through the program's own classes. Run by tests/lab/run
// inside the lab's network namespace. Conditions are waited for; the order of the tests matters only in that each starts calm.
#include "tests/lab/lab_control.h"
#include "tests/lab/watched.h"

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace switchyard::lab {

namespace {

constexpr int calmLimit = 90000;

std::string someReplica(const patroni::Cluster &cluster)
{
    for (const patroni::Member &m : cluster.members) {
        if (m.record.name != cluster.leaderName)
            return m.record.name;
    }
    return {};
}

QString number(const std::string &pod)
{
    return QString::fromStdString(pod).section(u'-', -1);
}

// Freezes or thaws Patroni on all members of both clusters
void everybody(const QString &action)
{
    for (const Side &side : sides()) {
        for (int n = 0; n < 3; ++n)
            QCOMPARE(run({u"member"_s, side.cluster, QString::number(n), action}).exitCode, 0);
    }
}

} // namespace

class TestLab : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bothAreFound_data();
    void bothAreFound();
    void equalsPatronictl();
    void lagEqualsPatronictl();
    void viewerIsRefused();
    void wrongLeaderIsRefused();
    void switchoverToNamedMember();
    void scheduledFiresOnTime();
    void scheduledIsCancelled();
    void frozenApiIsStaleNotExpired();
    void frozenMembersLateThenExpired();
    void cleanup();

private:
    void compareWithPatronictl(const Watched &watched, const Side &side);
    std::array<std::size_t, 2> historySizes(const Watched &watched) const;
};

void TestLab::bothAreFound_data()
{
    QTest::addColumn<QString>("user");
    QTest::newRow("viewer") << u"viewer"_s;
    QTest::newRow("operator") << u"operator"_s;
    QTest::newRow("client certificate") << u"cert"_s;
}

void TestLab::bothAreFound()
{
    QFETCH(const QString, user);
    const Watched watched(user);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    QCOMPARE(watched.store().clusters().size(), 2U);
    for (const Side &side : sides()) {
        // A lab that has just come up may still be settling: labels, lags
        const bool healthy = QTest::qWaitFor([&] { return watched.cluster(side)->health.health == patroni::Health::Healthy; }, calmLimit);
        QVERIFY2(healthy, qPrintable(watched.picture(side).join(u'\n')));
        const patroni::Cluster &c = *watched.cluster(side);
        QCOMPARE(c.names.mode, side.mode);
        QCOMPARE(c.names.key.ns, std::string("default"));
        QCOMPARE(c.members.size(), 3U);
        QVERIFY(c.systemId && c.systemId->size() >= 18);
        QCOMPARE(c.lock.ttl, ttlSeconds());
        QCOMPARE(c.config->config.loopWait, loopWaitSeconds());
    }
}

// "At that moment": both can change between the two looks, so the two are compared until they agree
void TestLab::compareWithPatronictl(const Watched &watched, const Side &side)
{
    QStringList theirs;
    (void)QTest::qWaitFor(
        [&] {
            theirs = patroniMembers(side.cluster, QString::fromStdString(side.scope));
            return theirs.size() == 3 && theirs == watched.members(side);
        },
        40000);
    QCOMPARE(watched.members(side), theirs);
    QCOMPARE(theirs.size(), 3);
    QCOMPARE(watched.history(side), patroniHistory(side.cluster, QString::fromStdString(side.scope)));
}

void TestLab::equalsPatronictl()
{
    const Watched watched(u"viewer"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    for (const Side &side : sides())
        compareWithPatronictl(watched, side);
}

// A member that receives nothing falls behind by a lag that cannot be 0 by chance
void TestLab::lagEqualsPatronictl()
{
    const Watched watched(u"viewer"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    for (const Side &side : sides()) {
        const patroni::Cluster &c = *watched.cluster(side);
        const std::string behind = someReplica(c);
        QCOMPARE(run({u"member"_s, side.cluster, number(behind), u"freeze-walreceiver"_s}).exitCode, 0);
        const QString sql = u"create table if not exists filler(t text); insert into filler select repeat(md5(i::text), 30) from "
                            "generate_series(1, 9000) i"_s;
        QCOMPARE(run({u"sql"_s, side.cluster, number(*c.leaderName), sql}).exitCode, 0);
        QTRY_VERIFY_WITH_TIMEOUT(watched.cluster(side)->worstLag().value_or(0) > 5U * 1048576U, 30000);
        compareWithPatronictl(watched, side);
        QVERIFY(watched.members(side).join(u'\n').contains(QString::fromStdString(behind)));
        QVERIFY(std::ranges::any_of(watched.cluster(side)->health.reasons,
                                    [](const patroni::Reason &r) { return r.code == patroni::HealthReason::LagOverLimit; }));
        QCOMPARE(run({u"member"_s, side.cluster, number(behind), u"thaw"_s}).exitCode, 0);
    }
    for (const Side &side : sides()) {
        QTRY_VERIFY_WITH_TIMEOUT(watched.cluster(side)->worstLag().value_or(1) < 1048576U, 60000);
        compareWithPatronictl(watched, side);
    }
}

void TestLab::viewerIsRefused()
{
    Watched watched(u"viewer"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    for (const Side &side : sides()) {
        const patroni::Cluster &c = *watched.cluster(side);
        const actions::WriteResult result = watched.request(side, rules::switchoverWish(*c.leaderName, someReplica(c)));
        QCOMPARE(code(result.code), code(actions::WriteCode::NotPermitted));
        QVERIFY(result.error);
        QCOMPARE(result.error->httpStatus, 403);
        QVERIFY(result.error->kind == ErrorKind::Forbidden);
        QCOMPARE(result.error->verb, std::string(c.failover ? "patch" : "create"));
        QCOMPARE(result.error->resource, std::string(code(c.names.resource())));
        QVERIFY2(describe(*result.error).find(result.error->verb) != std::string::npos, describe(*result.error).c_str());
        QVERIFY(watched.audit().contains("not-permitted"));
        QVERIFY(!watched.audit().contains("viewer-token"));
        QVERIFY(!watched.cluster(side)->pendingRequest());
    }
}

std::array<std::size_t, 2> TestLab::historySizes(const Watched &watched) const
{
    std::array<std::size_t, 2> sizes{};
    for (std::size_t i = 0; i < 2; ++i)
        sizes[i] = watched.cluster(sides()[i])->config->history.entries.size();
    return sizes;
}

void TestLab::wrongLeaderIsRefused()
{
    Watched watched(u"operator"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    const auto before = historySizes(watched);
    for (const Side &side : sides()) {
        const patroni::Cluster &c = *watched.cluster(side);
        const actions::WriteResult refused = watched.request(side, rules::switchoverWish(someReplica(c), *c.leaderName));
        QCOMPARE(code(refused.code), code(actions::WriteCode::Refused));
        const actions::WriteResult result = watched.requestWithNamesSwapped(side, rules::switchoverWish(*c.leaderName, someReplica(c)));
        QVERIFY2(result.code == actions::WriteCode::Done, result.error ? describe(*result.error).c_str() : "");
    }
    for (const Side &side : sides()) {
        QTRY_VERIFY_WITH_TIMEOUT(watched.lastRequest(side) && isFinal(watched.lastRequest(side)->outcome), 30000);
        const patroni::RequestReport &report = *watched.lastRequest(side);
        QCOMPARE(code(report.outcome), code(patroni::Outcome::Refused));
        QVERIFY(report.reason);
        QCOMPARE(code(*report.reason), code(patroni::Refusal::LeaderMismatch));
    }
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    QCOMPARE(historySizes(watched), before);
}

void TestLab::switchoverToNamedMember()
{
    Watched watched(u"operator"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    const auto before = historySizes(watched);
    std::array<std::string, 2> from, to;
    for (std::size_t i = 0; i < 2; ++i) {
        const patroni::Cluster &c = *watched.cluster(sides()[i]);
        from[i] = *c.leaderName;
        to[i] = someReplica(c);
        const actions::WriteResult result = watched.request(sides()[i], rules::switchoverWish(from[i], to[i]));
        QVERIFY2(result.code == actions::WriteCode::Done, result.error ? describe(*result.error).c_str() : "");
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const Side &side = sides()[i];
        QTRY_VERIFY_WITH_TIMEOUT(watched.lastRequest(side) && isFinal(watched.lastRequest(side)->outcome), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(watched.cluster(side)->config->history.entries.size(), before[i] + 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(watched.calm(side), calmLimit);
        const patroni::RequestReport report = *watched.lastRequest(side);
        QCOMPARE(code(report.outcome), code(patroni::Outcome::Done));
        QVERIFY(report.certain);
        QCOMPARE(report.leaderBefore.value_or(""), from[i]);
        QCOMPARE(report.newLeader.value_or(""), to[i]);
        QCOMPARE(watched.cluster(side)->leaderName.value_or(""), to[i]);
        QCOMPARE(watched.cluster(side)->timeline.value_or(0), report.timelineBefore.value_or(-9) + 1);
        QVERIFY(report.seenAt && report.releasedAt && report.takenAt && report.decidedAt);
        QVERIFY(*report.seenAt <= *report.releasedAt && *report.releasedAt <= *report.takenAt && *report.takenAt <= *report.decidedAt);
        const patroni::Transition &transition = watched.cluster(side)->transitions.back();
        QCOMPARE(code(transition.kind), code(patroni::TransitionKind::Switchover));
        QCOMPARE(transition.from.value_or(""), from[i]);
        QCOMPARE(transition.to.value_or(""), to[i]);
        compareWithPatronictl(watched, side);
    }
}

void TestLab::scheduledFiresOnTime()
{
    Watched watched(u"operator"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    std::array<std::string, 2> to;
    const auto due = std::chrono::time_point_cast<std::chrono::seconds>(watched.now().wall + std::chrono::seconds(30));
    for (std::size_t i = 0; i < 2; ++i) {
        const patroni::Cluster &c = *watched.cluster(sides()[i]);
        to[i] = someReplica(c);
        const actions::WriteResult result = watched.request(sides()[i], rules::switchoverWish(*c.leaderName, to[i], Instant(due)));
        QVERIFY2(result.code == actions::WriteCode::Done, result.error ? describe(*result.error).c_str() : "");
        QTRY_VERIFY_WITH_TIMEOUT(watched.cluster(sides()[i])->pendingRequest(), 30000);
        QCOMPARE(code(watched.lastRequest(sides()[i])->step), code(patroni::RequestStep::Scheduled));
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const Side &side = sides()[i];
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(watched.lastRequest(side)->outcome), 60000);
        const patroni::RequestReport &report = *watched.lastRequest(side);
        QCOMPARE(code(report.outcome), code(patroni::Outcome::Done));
        QCOMPARE(report.newLeader.value_or(""), to[i]);
        QVERIFY(report.releasedAt);
        // One loop, and what PostgreSQL takes to shut down before the lock is released
        const double late = toSeconds(watched.now().toWall(*report.releasedAt) - due);
        qInfo("%s: lock released %.2f s after the due time", side.scope.c_str(), late);
        QVERIFY2(late >= -loopWaitSeconds() && late <= loopWaitSeconds() + 20, qPrintable(QString::number(late)));
        QTRY_VERIFY_WITH_TIMEOUT(watched.calm(side), calmLimit);
        QCOMPARE(code(watched.cluster(side)->transitions.back().kind), code(patroni::TransitionKind::ScheduledSwitchover));
    }
}

void TestLab::scheduledIsCancelled()
{
    Watched watched(u"operator"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    std::array<std::string, 2> leader;
    for (std::size_t i = 0; i < 2; ++i) {
        const patroni::Cluster &c = *watched.cluster(sides()[i]);
        leader[i] = *c.leaderName;
        const Instant at = watched.now().wall + std::chrono::minutes(5);
        QVERIFY(watched.request(sides()[i], rules::switchoverWish(leader[i], someReplica(c), at)).code == actions::WriteCode::Done);
        QTRY_VERIFY_WITH_TIMEOUT(watched.cluster(sides()[i])->pendingRequest(), 30000);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const Side &side = sides()[i];
        QVERIFY(watched.cancel(side).code == actions::WriteCode::Done);
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(watched.lastRequest(side)->outcome), 10000);
        QCOMPARE(code(watched.lastRequest(side)->outcome), code(patroni::Outcome::Cancelled));
        QCOMPARE(watched.cluster(side)->leaderName.value_or(""), leader[i]);
    }
}

void TestLab::frozenApiIsStaleNotExpired()
{
    const Watched watched(u"viewer"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    const Boot frozen = watched.now().boot;
    QCOMPARE(run({u"api"_s, u"freeze"_s}).exitCode, 0);
    // Silence is noticed after two loops and the time limit of the confirming read
    for (const Side &side : sides()) {
        QTRY_COMPARE_WITH_TIMEOUT(code(watched.cluster(side)->lock.state), code(patroni::LockState::Stale), 30000);
        QCOMPARE(code(watched.cluster(side)->view.freshness), code(patroni::Freshness::Stale));
        QCOMPARE(code(watched.cluster(side)->health.health), code(patroni::Health::Unknown));
        QVERIFY(watched.cluster(side)->view.staleSince);
    }
    // Longer than ttl: a lock that nobody can see does not expire
    const Boot longEnough = frozen + std::chrono::seconds(ttlSeconds() + 2 * loopWaitSeconds());
    QTRY_VERIFY_WITH_TIMEOUT(watched.now().boot > longEnough, 1000 * (ttlSeconds() + 10 * loopWaitSeconds()));
    for (const Side &side : sides()) {
        QCOMPARE(code(watched.cluster(side)->lock.state), code(patroni::LockState::Stale));
        QVERIFY(!watched.lastEvent(side, EventCode::LockExpired));
    }
    QCOMPARE(run({u"api"_s, u"thaw"_s}).exitCode, 0);
    QTRY_COMPARE_WITH_TIMEOUT(code(watched.context()->freshness), code(patroni::Freshness::Live), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
}

void TestLab::frozenMembersLateThenExpired()
{
    const Watched watched(u"viewer"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    everybody(u"freeze-patroni"_s);
    for (const Side &side : sides())
        QCOMPARE(code(watched.cluster(side)->lock.state), code(patroni::LockState::Held));
    for (const Side &side : sides()) {
        QTRY_VERIFY_WITH_TIMEOUT(watched.cluster(side)->lock.late, 1000 * ttlSeconds());
        QCOMPARE(code(watched.cluster(side)->lock.state), code(patroni::LockState::Held));
    }
    for (const Side &side : sides()) {
        const Boot expiresAt = watched.cluster(side)->lock.expiresAt.value_or(Boot{});
        QTRY_COMPARE_WITH_TIMEOUT(code(watched.cluster(side)->lock.state), code(patroni::LockState::Expired), 2000 * ttlSeconds());
        QVERIFY(watched.now().boot >= expiresAt);
        QCOMPARE(code(watched.cluster(side)->view.freshness), code(patroni::Freshness::Live));
        QVERIFY(!watched.cluster(side)->leaderName);
        const std::vector<EventCode> events = watched.events(side);
        const auto late = std::ranges::find(events, EventCode::LockLate);
        QVERIFY(late != events.end());
        QVERIFY(std::find(late, events.end(), EventCode::LockExpired) != events.end());
    }
    everybody(u"thaw"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
}

// Whatever a test that failed half-way left behind
void TestLab::cleanup()
{
    if (!QTest::currentTestFailed())
        return;
    run({u"api"_s, u"thaw"_s});
    everybody(u"thaw"_s);
}

} // namespace switchyard::lab

QTEST_GUILESS_MAIN(switchyard::lab::TestLab)
#include "tst_lab.moc"
