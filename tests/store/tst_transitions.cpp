// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the store knows of each change of leadership: kind, gap and how sure it is, what it rests on, and what came after it.
#include "made_world.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;

namespace {

const Transition &last(const World &w)
{
    return w.cluster().transitions.back();
}

std::string evidenceOf(const Transition &t)
{
    std::string all;
    for (const Evidence &e : t.evidence)
        all += (all.empty() ? "" : ",") + std::string(code(e.code)) + (e.subject.empty() ? "" : ':' + e.subject)
            + (e.detail.empty() ? "" : '=' + e.detail);
    return all;
}

World started()
{
    World w;
    w.start();
    w.renew();
    return w;
}

} // namespace

class TransitionsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void released();
    void expired();
    void lateBefore();
    void asked();
    void whileNobodyLooked();
    void erased();
    void twoObserversAgree();
    void whenItIsWritable();
    void whenAllStream_data();
    void whenAllStream();
    void withoutANewTimeline();
    void promotedAnew();
    void inferredLoss();
    void noLossIsInferredAgainstTheRecord_data();
    void noLossIsInferredAgainstTheRecord();
    void standbyCluster();
    void ofTheNextLeaderNoMore();
    void podOfTheOldLeader();
    void historyIsRewritten();
    void unreadableHistoryIsNoChange();
    void anotherIncarnation();
    void deletedAndMadeAnew();
};

void TransitionsTest::released()
{
    World w = started();
    w.release();
    w.take("acme-1", 2s);
    const Transition &t = last(w);
    QCOMPARE(t.kind, TransitionKind::LockReleased);
    QCOMPARE(t.gap, std::optional<Duration>(2s));
    QCOMPARE(t.gapUncertainty, std::optional<Duration>(500ms));
    QCOMPARE(evidenceOf(t), std::string("released:acme-0,member-state:acme-0=running primary"));
    QCOMPARE(t.kindSource, Source::Live);
    QCOMPARE(t.timelineBefore, std::optional<std::int64_t>(2));
    QVERIFY(!t.timeline && t.timelineSource == Source::None);
}

void TransitionsTest::expired()
{
    World w = started();
    w.setConfig(R"({"ttl":30,"loop_wait":10,"retry_timeout":10,"failsafe_mode":true,"pause":true})");
    w.flow(34s);
    w.take("acme-1");
    const Transition &t = last(w);
    QCOMPARE(t.kind, TransitionKind::LockExpired);
    QCOMPARE(t.gap, std::optional<Duration>(35s));
    QCOMPARE(t.gapUncertainty, std::optional<Duration>(10500ms)); // it died within a loop after its last renewal
    QCOMPARE(evidenceOf(t), std::string("expired:acme-0=30,paused,failsafe-mode,member-state:acme-0=running primary"));
}

void TransitionsTest::lateBefore()
{
    World w = started();
    w.renew();
    w.flow(24s);
    w.renew(0s);
    w.flow(22s);
    w.renew(0s);
    w.release();
    w.take("acme-1");
    QCOMPARE(evidenceOf(last(w)), std::string("released:acme-0,late-before:acme-0=24,member-state:acme-0=running primary"));
}

void TransitionsTest::asked()
{
    World w = started();
    w.ask("acme-0", "acme-1");
    w.renew(5s);
    w.release();
    w.take("acme-1");
    QCOMPARE(last(w).kind, TransitionKind::Switchover);
    QCOMPARE(last(w).request, w.request().id);
    QCOMPARE(evidenceOf(last(w)), "requested:" + w.request().id + ",released:acme-0,member-state:acme-0=running primary");
}

void TransitionsTest::whileNobodyLooked()
{
    World w = started();
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 60s;
    w.takeUnseen("acme-1");
    w.leader.resourceVersion = std::to_string(++w.version);
    w.relist();
    const Transition &t = last(w);
    QVERIFY(!t.gap && !t.gapUncertainty && !t.gainedAt && !t.lostAt);
    QCOMPARE(t.notBefore, std::optional(day + 10s));
    QCOMPARE(t.notAfter, std::optional(day + 70s));
    QCOMPARE(evidenceOf(t),
             std::string("blind-spot=2031-02-01T06:00:10.000000Z/2031-02-01T06:01:10.000000Z,member-state:acme-0=running primary"));
    QVERIFY(t.kind != TransitionKind::Unknown || t.kindSource == Source::None);
}

void TransitionsTest::erased()
{
    World w = started();
    w.ask("acme-0", "acme-2", World::text(5h));
    w.flow(34s);
    w.take("acme-1");
    QVERIFY(!last(w).erased); // not yet
    w.clear();
    QCOMPARE(w.request().outcome, Outcome::Erased);
    QVERIFY(last(w).erased);
    QCOMPARE(last(w).erased->member, std::optional<std::string>("acme-2"));
    QVERIFY(last(w).request.empty());
}

// One saw it live, one only found it later: the same id.
void TransitionsTest::twoObserversAgree()
{
    World w = started();
    World away = started();
    away.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.release();
    w.take("acme-1");
    away.t = w.t;
    away.leader = w.leader;
    away.version = w.version;
    away.t += 60s;
    away.relist();
    QVERIFY(!last(w).id.empty());
    QCOMPARE(last(away).id, last(w).id);
    const std::string first = last(w).id;
    w.release();
    w.take("acme-1");
    QVERIFY(last(w).id != first);
}

namespace {

void say(World &w, int pod, const std::string &role, const std::string &state, int timeline, Duration later = 1s)
{
    w.t += later;
    KubeObject &object = w.pods[static_cast<std::size_t>(pod)];
    object.annotations["status"] = World::status(role, state, timeline);
    w.change(object);
}

// acme-1 took the lock from acme-0 at 12 s.
World taken()
{
    World w = started();
    w.release();
    w.take("acme-1");
    return w;
}

} // namespace

void TransitionsTest::whenItIsWritable()
{
    World w = taken();
    QVERIFY(!last(w).writableAt && !last(w).streamingAt && last(w).leftBehind.empty());
    say(w, 2, "replica", "running", 2);
    say(w, 1, "promoted", "running", 2);
    QVERIFY(!last(w).writableAt);
    say(w, 1, "primary", "running", 3);
    QCOMPARE(last(w).writableAt, std::optional(day + 15s));
    say(w, 1, "primary", "running", 3);
    QCOMPARE(last(w).writableAt, std::optional(day + 15s)); // the first time
    QCOMPARE(last(w).leftBehind, (std::vector<std::string>{"acme-0", "acme-2"}));
}

void TransitionsTest::whenAllStream_data()
{
    QTest::addColumn<QString>("oldLeader");
    QTest::addColumn<bool>("streams");
    QTest::newRow("it follows") << QStringLiteral("replica running 3") << true;
    QTest::newRow("it follows on the old timeline") << QStringLiteral("replica running 2") << false;
    QTest::newRow("it starts") << QStringLiteral("replica starting 3") << false;
    QTest::newRow("it is down") << QStringLiteral("demoted stopped 2") << false;
    QTest::newRow("its Pod is gone") << QStringLiteral("gone") << true;
}

void TransitionsTest::whenAllStream()
{
    QFETCH(QString, oldLeader);
    QFETCH(bool, streams);
    World w = taken();
    say(w, 2, "replica", "running", 2); // of the old leader
    say(w, 1, "primary", "running", 2); // before it has read its own timeline
    QVERIFY(!last(w).streamingAt);
    say(w, 1, "primary", "running", 3);
    say(w, 2, "replica", "running", 3);
    QVERIFY(!last(w).streamingAt);
    w.t += 1s;
    if (oldLeader == QStringLiteral("gone")) {
        w.change(w.pods[0], EventType::Deleted);
    } else {
        const QStringList words = oldLeader.split(u' ');
        say(w, 0, words[0].toStdString(), words[1].toStdString(), words[2].toInt(), 0s);
    }
    QCOMPARE(last(w).streamingAt, streams ? std::optional(day + w.t) : std::nullopt);
    QCOMPARE(last(w).leftBehind.empty(), !oldLeader.endsWith(u'2'));
    const auto first = last(w).streamingAt;
    say(w, 2, "replica", "starting", 3);
    say(w, 2, "replica", "running", 3);
    QCOMPARE(last(w).streamingAt, first);
}

// The leader took its own expired lock again.
void TransitionsTest::withoutANewTimeline()
{
    World w = started();
    w.flow(34s);
    w.take("acme-0");
    QCOMPARE(last(w).kind, TransitionKind::ReTaken);
    QCOMPARE(last(w).writableAt, last(w).gainedAt); // nobody ever said otherwise
    QCOMPARE(last(w).streamingAt, last(w).gainedAt);
    QVERIFY(!last(w).timeline);
}

// It took its own lock, but as a replica that was promoted: what it said before does not count.
void TransitionsTest::promotedAnew()
{
    World w = started();
    w.flow(34s);
    w.take("acme-0");
    w.config.annotations["history"] = R"([[1,900,"x","2031-01-01T00:00:00+00:00","acme-0"],[2,1900,"x",")" + World::text(w.t)
        + R"(","acme-0"]])";
    w.t += 1s;
    w.change(w.config);
    QCOMPARE(last(w).kind, TransitionKind::ReTaken);
    QCOMPARE(last(w).timeline, std::optional<std::int64_t>(3));
    QVERIFY(!last(w).writableAt && !last(w).streamingAt);
    say(w, 0, "primary", "running", 3);
    QCOMPARE(last(w).writableAt, std::optional(day + w.t));
    say(w, 1, "replica", "running", 3);
    say(w, 2, "replica", "running", 3);
    QCOMPARE(last(w).streamingAt, std::optional(day + w.t));
}

// The record was never seen to be renewed: when it was, is inferred from when it was taken over.
void TransitionsTest::inferredLoss()
{
    World w;
    w.start();
    w.flow(34s);
    w.take("acme-1");
    QCOMPARE(last(w).gap, std::optional<Duration>(37500ms)); // 35 s since it was seen; a candidate looks within 10 s after the ttl
    QCOMPARE(last(w).gapUncertainty, std::optional<Duration>(13s));
    QCOMPARE(last(w).lostSource, Source::Inferred);
    World early; // it had been silent for a while when it was first seen
    early.start();
    early.flow(20s);
    early.take("acme-1");
    QCOMPARE(last(early).gap, std::optional<Duration>(35s));
    QCOMPARE(last(early).gapUncertainty, std::optional<Duration>(15500ms));
    World slow;
    slow.start();
    slow.flow(44s);
    slow.take("acme-1");
    QVERIFY(!last(slow).gap && !last(slow).lostAt); // the candidates, too, were kept from looking
}

// The leader may have died long before anybody looked, and nobody could take the lock until now: the record tells.
void TransitionsTest::noLossIsInferredAgainstTheRecord_data()
{
    QTest::addColumn<int>("renewed"); // seconds from the first sight, by the old leader's clock
    QTest::addColumn<bool>("inferred");
    QTest::newRow("it died three hours ago") << -3 * 3600 << false;
    QTest::newRow("it died a quarter of a minute before") << -15 << false;
    QTest::newRow("two clocks that differ by a little") << -4 << true;
    QTest::newRow("the old leader's clock is far ahead") << 3600 << true;
}

void TransitionsTest::noLossIsInferredAgainstTheRecord()
{
    QFETCH(const int, renewed);
    QFETCH(const bool, inferred);
    World w;
    w.leader.annotations["renewTime"] = World::text(std::chrono::seconds(renewed));
    w.start();
    w.flow(34s);
    w.take("acme-1");
    QCOMPARE(last(w).kind, TransitionKind::LockExpired);
    QCOMPARE(last(w).gap, inferred ? std::optional<Duration>(37500ms) : std::nullopt);
    QCOMPARE(last(w).gapUncertainty.has_value(), inferred);
    QCOMPARE(last(w).lostAt.has_value(), inferred);
    QCOMPARE(last(w).lostSource, inferred ? Source::Inferred : Source::None);
}

void TransitionsTest::standbyCluster()
{
    World w = started();
    w.setConfig(R"({"ttl":30,"loop_wait":10,"retry_timeout":10,"standby_cluster":{"host":"far"}})");
    w.release();
    w.take("acme-1");
    say(w, 1, "standby_leader", "running", 2);
    say(w, 0, "replica", "running", 2);
    QVERIFY(!last(w).writableAt); // it is not
    QCOMPARE(last(w).streamingAt, std::optional(day + w.t));
}

void TransitionsTest::ofTheNextLeaderNoMore()
{
    World w = taken();
    w.release();
    w.take("acme-2");
    say(w, 1, "primary", "running", 3);
    const auto &log = w.cluster().transitions;
    QVERIFY(!log[log.size() - 2].writableAt);
    QVERIFY(!log.back().writableAt);
    say(w, 2, "primary", "running", 4);
    QVERIFY(log.back().writableAt && !log[log.size() - 2].writableAt);
}

void TransitionsTest::podOfTheOldLeader()
{
    World w = taken();
    w.t += 5s;
    w.change(w.pods[0], EventType::Deleted);
    QCOMPARE(evidenceOf(last(w)), std::string("released:acme-0,member-state:acme-0=running primary,pod-gone:acme-0"));
    QCOMPARE(last(w).evidence.back().at, std::optional(day + w.t));
    World later = taken();
    later.t += 61s;
    later.change(later.pods[0], EventType::Deleted);
    QCOMPARE(evidenceOf(last(later)), std::string("released:acme-0,member-state:acme-0=running primary"));
}

void TransitionsTest::historyIsRewritten()
{
    World w = started();
    w.config
        .annotations["history"] = R"([[1,900,"x","2031-01-01T00:00:00+00:00","acme-0"],[2,1900,"x","2031-01-02T00:00:00+00:00","acme-1"]])";
    w.change(w.config);
    QCOMPARE(w.count(EventCode::HistoryRewritten), 0);
    w.config.annotations["history"] = R"([[2,1900,"x","2031-01-02T00:00:00+00:00","acme-1"]])";
    w.change(w.config);
    QCOMPARE(w.count(EventCode::HistoryRewritten), 1);
    QCOMPARE(detailText(w.store.events().back()), std::string("count=1 kind=trimmed lost=1"));
    QCOMPARE(w.cluster().transitions.size(), std::size_t(2));
    QVERIFY(w.cluster().transitions.front().fromArchive);
    QVERIFY(!w.cluster().transitions.back().fromArchive);
    QCOMPARE(w.cluster().transitions.back().from, std::optional<std::string>("acme-0"));
    QCOMPARE(w.cluster().transitions.back().fromSource, Source::Archive);
}

void TransitionsTest::unreadableHistoryIsNoChange()
{
    World w = started();
    const std::string good = w.config.annotations["history"];
    w.config.annotations["history"] = "[[";
    w.change(w.config);
    QVERIFY(!w.cluster().timeline);
    QCOMPARE(w.cluster().transitions.size(), std::size_t(1)); // as it was known
    w.config.annotations["history"] = good;
    w.change(w.config);
    QCOMPARE(w.count(EventCode::HistoryRewritten), 0);
    QCOMPARE(w.cluster().transitions.size(), std::size_t(1));
}

void TransitionsTest::anotherIncarnation()
{
    World w = started();
    w.config.annotations["initialize"] = "8813576556860619536";
    w.config.annotations["history"] = "[]";
    w.change(w.config);
    QCOMPARE(w.count(EventCode::HistoryRewritten), 1);
    QCOMPARE(w.store.events().back().detail.at("kind"), std::string("incarnation"));
    w.config.annotations["history"] = R"([[1,700,"x","2031-02-01T06:00:05+00:00","acme-2"]])";
    w.change(w.config);
    QCOMPARE(w.count(EventCode::HistoryRewritten), 1);
    const auto &log = w.cluster().transitions;
    QCOMPARE(log.size(), std::size_t(2));
    QVERIFY(log[0].fromArchive && !log[1].fromArchive && !log[1].from);
    QVERIFY(log[0].id != log[1].id);
}

// patronictl remove, and a new cluster of that name.
void TransitionsTest::deletedAndMadeAnew()
{
    World w = started();
    w.release();
    w.take("acme-1");
    w.t += 1s;
    w.change(w.leader, EventType::Deleted);
    w.change(w.config, EventType::Deleted);
    for (KubeObject &pod : w.pods)
        w.change(pod, EventType::Deleted);
    QVERIFY(!w.any());
    w.t += 60s;
    World fresh;
    fresh.config.annotations["initialize"] = "8813576556860619536";
    fresh.config.annotations["history"] = "[]";
    fresh.leader.annotations["acquireTime"] = fresh.leader.annotations["renewTime"] = World::text(w.t);
    w.change(fresh.config, EventType::Added);
    w.change(fresh.leader, EventType::Added);
    QVERIFY(w.any());
    QCOMPARE(w.count(EventCode::HistoryRewritten), 1);
    const auto &log = w.cluster().transitions;
    QVERIFY(log.size() >= 2);
    QVERIFY(log[0].fromArchive);
    QCOMPARE(log[1].to, std::optional<std::string>("acme-1"));
    QVERIFY(log[1].fromLive);
}

QTEST_APPLESS_MAIN(TransitionsTest)
#include "tst_transitions.moc"
