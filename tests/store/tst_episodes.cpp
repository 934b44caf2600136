// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lasts for a while: the rules that say when it is worth telling, and the events that tell of it.
#include "made_world.h"
#include "models/rules/episodes.h"
#include "models/store/late_locks.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;

namespace {

// "code detail" of the events of these types, in order.
std::string told(const ClusterStore &store, std::initializer_list<EventCode> types)
{
    std::string all;
    for (const Event &e : store.events()) {
        if (std::find(types.begin(), types.end(), e.type) != types.end())
            all += std::string(code(e.type)) + (e.detail.empty() ? "" : " ") + detailText(e) + "; ";
    }
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

class EpisodesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nearMisses_data();
    void nearMisses();
    void manyLate_data();
    void manyLate();
    void moreToSay_data();
    void moreToSay();

    void aNearMissIsTold();
    void aLateRenewalIsToldWithItsLength();
    void pauseAndFailsafe();
    void whatBeganUnseenHasNoDuration();
    void syncSets();
    void memberStates();
    void silentMember();
    void anIdleMemberIsNotSilent();
    void leaderDisagreement();
    void aShortDisagreementIsNone();
    void manyLocksAreLate();
    void lateAcrossContexts();
    void lateSights_data();
    void lateSights();
    void lateUnderWay();
    void manyLateOfOneServer();
    void blindSpots();
    void twoObserversMakeTheSameIds();
};

void EpisodesTest::nearMisses_data()
{
    QTest::addColumn<double>("interval");
    QTest::addColumn<int>("ttl");
    QTest::addColumn<int>("loopWait");
    QTest::addColumn<int>("retryTimeout");
    QTest::addColumn<double>("left"); // negative: none
    QTest::newRow("regular") << 10.1 << 30 << 10 << 10 << -1.0;
    QTest::newRow("retried once") << 19.9 << 30 << 10 << 10 << -1.0;
    QTest::newRow("just a loop left") << 20.0 << 30 << 10 << 10 << -1.0;
    QTest::newRow("less than a loop left") << 20.5 << 30 << 10 << 10 << 9.5;
    QTest::newRow("last second") << 29.5 << 30 << 10 << 10 << 0.5;
    QTest::newRow("luck") << 31.0 << 30 << 10 << 10 << 0.0;
    QTest::newRow("long ttl, late but far away") << 25.0 << 60 << 10 << 10 << -1.0;
    QTest::newRow("long ttl") << 51.0 << 60 << 10 << 10 << 9.0;
    QTest::newRow("short ttl, regular") << 10.1 << 20 << 10 << 5 << -1.0;
    QTest::newRow("short ttl") << 15.5 << 20 << 10 << 5 << 4.5;
    QTest::newRow("for ever") << 100.0 << 2'000'000'000 << 10 << 10 << -1.0;
}

void EpisodesTest::nearMisses()
{
    QFETCH(double, interval);
    QFETCH(int, ttl);
    QFETCH(double, left);
    DynamicConfig config;
    QFETCH(int, loopWait);
    QFETCH(int, retryTimeout);
    config.loopWait = loopWait;
    config.retryTimeout = retryTimeout;
    const auto of = [](double s) { return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s)); };
    QCOMPARE(rules::nearMiss(of(interval), ttl, config), left < 0 ? std::nullopt : std::optional(of(left)));
}

void EpisodesTest::manyLate_data()
{
    QTest::addColumn<int>("late");
    QTest::addColumn<int>("of");
    QTest::addColumn<bool>("many");
    QTest::addColumn<bool>("over"); // of as many
    QTest::newRow("none") << 0 << 0 << false << true;
    QTest::newRow("one of one") << 1 << 1 << false << false;
    QTest::newRow("two of two") << 2 << 2 << false << false;
    QTest::newRow("three of three") << 3 << 3 << true << false;
    QTest::newRow("half") << 50 << 100 << true << false;
    QTest::newRow("less than half") << 49 << 100 << false << false;
    QTest::newRow("a node of three is lost") << 34 << 100 << false << false;
    QTest::newRow("a quarter") << 25 << 100 << false << false;
    QTest::newRow("less than a quarter") << 24 << 100 << false << true;
}

void EpisodesTest::manyLate()
{
    QFETCH(int, late);
    QFETCH(int, of);
    QFETCH(bool, many);
    QFETCH(bool, over);
    QCOMPARE(rules::manyLate(late, of), many);
    QCOMPARE(rules::manyLateIsOver(late, of, of), over);
    QVERIFY(!rules::manyLateIsOver(late, of, 2 * of + 1)); // most are out of sight
}

void EpisodesTest::moreToSay_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("phase");
    QTest::addColumn<int>("position"); // negative: not told
    QTest::addColumn<int>("optime");
    QTest::addColumn<bool>("more");
    const auto row = [](const char *name, const char *state, const char *phase, int position, int optime, bool more) {
        QTest::newRow(name) << QString::fromLatin1(state) << QString::fromLatin1(phase) << position << optime << more;
    };
    row("behind", "running", "Running", 10, 20, true);
    row("behind, streams", "streaming", "Running", 10, 20, true);
    row("idle", "running", "Running", 20, 20, false);
    row("ahead", "running", "Running", 30, 20, false);
    row("stopped", "stopped", "Running", 10, 20, false);
    row("Pod failed", "running", "Failed", 10, 20, false);
    row("no position", "running", "Running", -1, 20, false);
    row("no optime", "running", "Running", 10, -1, false);
}

void EpisodesTest::moreToSay()
{
    QFETCH(QString, state);
    QFETCH(QString, phase);
    QFETCH(int, position);
    QFETCH(int, optime);
    QFETCH(bool, more);
    MemberRecord member;
    member.reported = true;
    member.state = state.toStdString();
    member.pod.phase = phase.toStdString();
    if (position >= 0)
        member.xlogLocation = static_cast<Lsn>(position);
    QCOMPARE(rules::hasMoreToSay(member, optime < 0 ? std::nullopt : std::optional(static_cast<Lsn>(optime))), more);
    member.receiveLsn = 1000; // the furthest counts
    QVERIFY(!rules::hasMoreToSay(member, 20));
    member.reported = false;
    QVERIFY(!rules::hasMoreToSay(member, 2000));
}

void EpisodesTest::aNearMissIsTold()
{
    World w = started();
    w.renew();
    QCOMPARE(w.count(EventCode::NearMiss), 0);
    w.flow(26s);
    w.renew(500ms);
    QCOMPARE(told(w.store, {EventCode::NearMiss}), std::string("near-miss holder=acme-0 left=3.5 seconds=26.5 ttl=30; "));
    w.renew();
    QCOMPARE(w.count(EventCode::NearMiss), 1);
}

void EpisodesTest::aLateRenewalIsToldWithItsLength()
{
    World w;
    w.config.annotations["config"] = R"({"ttl":60,"loop_wait":10,"retry_timeout":10})";
    w.leader.annotations["ttl"] = "60";
    w.start();
    w.renew();
    w.advance(21s);
    w.get(w.leader.resourceVersion);
    QCOMPARE(w.count(EventCode::LockLate), 1);
    w.renew(5500ms); // a loop and more were left: no near miss
    const std::string late = "lock-late holder=acme-0 seconds=21; lock-late holder=acme-0 renewed=true seconds=26.5 ttl=60; ";
    QCOMPARE(told(w.store, {EventCode::LockLate, EventCode::NearMiss}), late);
    QVERIFY(w.store.events().front().id != w.store.events().back().id);
    w.renew();
    w.flow(20s);
    w.renew(1900ms); // found late only by its renewal: said once, with its length
    QCOMPARE(told(w.store, {EventCode::LockLate, EventCode::NearMiss}), late + "lock-late holder=acme-0 renewed=true seconds=21 ttl=60; ");
    w.flow(22s);
    w.get(w.leader.resourceVersion);
    w.take("acme-1"); // not renewed: that is told otherwise
    QCOMPARE(w.count(EventCode::LockLate), 4);
    QVERIFY(!w.store.events().back().detail.contains("renewed"));
}

void EpisodesTest::pauseAndFailsafe()
{
    World w = started();
    w.setConfig(R"({"ttl":30,"pause":true,"failsafe_mode":true})");
    w.t += 75s;
    w.setConfig(R"({"ttl":30,"failsafe_mode":true})");
    w.t += 5s;
    w.setConfig(R"({"ttl":30})");
    QCOMPARE(told(w.store, {EventCode::PauseOn, EventCode::PauseOff, EventCode::FailsafeOn, EventCode::FailsafeOff}),
             std::string("pause-on; failsafe-on; pause-off seconds=75; failsafe-off seconds=80; "));
}

void EpisodesTest::whatBeganUnseenHasNoDuration()
{
    World w;
    w.config.annotations["config"] = R"({"pause":true})";
    w.start();
    QCOMPARE(w.count(EventCode::PauseOn), 0);
    w.t += 60s;
    w.setConfig(R"({})");
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 60s;
    w.config.annotations["config"] = R"({"pause":true})";
    w.config.resourceVersion = std::to_string(++w.version);
    w.relist();
    w.t += 5s;
    w.setConfig(R"({})");
    QCOMPARE(told(w.store, {EventCode::PauseOn, EventCode::PauseOff}), std::string("pause-off; pause-on; pause-off; "));
}

void EpisodesTest::syncSets()
{
    World w = started();
    KubeObject sync = w.object(Resource::Endpoints, "acme-sync");
    w.setConfig(R"({"synchronous_mode":true,"synchronous_mode_strict":true})");
    QCOMPARE(w.count(EventCode::SyncEmpty), 0); // not in use yet
    sync.annotations = {{"leader", "acme-0"}};
    w.t += 1s;
    w.change(sync, EventType::Added);
    w.t += 4s;
    sync.annotations["sync_standby"] = "acme-1";
    w.change(sync);
    sync.annotations["sync_standby"] = "acme-2";
    w.change(sync);
    sync.annotations.erase("sync_standby");
    w.change(sync);
    w.t += 9s;
    w.setConfig(R"({"synchronous_mode":false})");
    QCOMPARE(
        told(w.store, {EventCode::SyncEmpty, EventCode::SyncFilled}),
        std::string("sync-empty strict=true; sync-filled seconds=4 to=acme-1; sync-empty strict=true; sync-filled mode=off seconds=9; "));
}

namespace {

void say(World &w, int pod, const std::string &role, const std::string &state)
{
    KubeObject &object = w.pods[static_cast<std::size_t>(pod)];
    object.annotations["status"] = World::status(role, state, 2);
    w.change(object);
}

} // namespace

void EpisodesTest::memberStates()
{
    World w = started();
    say(w, 1, "replica", "stopped");
    w.t += 30s;
    say(w, 1, "replica", "starting");
    w.t += 7s;
    say(w, 1, "replica", "running");
    QCOMPARE(told(w.store, {EventCode::MemberState}),
             std::string("member-state member=acme-1 new=\"stopped replica\" old=\"running replica\"; "
                         "member-state member=acme-1 new=\"starting replica\" old=\"stopped replica\" seconds=30; "
                         "member-state member=acme-1 new=\"running replica\" old=\"starting replica\" seconds=7; "));
}

void EpisodesTest::silentMember()
{
    World w = started();
    const auto write = [&] {
        w.leader.annotations["optime"] = std::to_string(2000 + w.version);
        w.renew();
    };
    say(w, 0, "primary", "running");
    for (int i = 0; i < 4; ++i) {
        write();
        for (const int pod : {0, 1}) {
            w.pods[static_cast<std::size_t>(pod)].annotations["status"] = World::status(pod == 0 ? "primary" : "replica", "running", 2,
                                                                                        R"(,"receive_lsn":)" + std::to_string(9000 + i));
            w.change(w.pods[static_cast<std::size_t>(pod)]);
        }
        QCOMPARE(w.count(EventCode::StatusSilent), 0);
    }
    write();
    write();
    QCOMPARE(told(w.store, {EventCode::StatusSilent}), std::string("status-silent member=acme-2 seconds=60; "));
    w.t += 5s;
    say(w, 2, "replica", "stopped");
    say(w, 2, "replica", "running");
    QCOMPARE(told(w.store, {EventCode::StatusResumed}), std::string("status-resumed member=acme-2 seconds=75; "));
}

void EpisodesTest::anIdleMemberIsNotSilent()
{
    World w = started();
    for (int i = 0; i < 100; ++i)
        w.renew();
    QCOMPARE(w.count(EventCode::StatusSilent), 0);
}

void EpisodesTest::leaderDisagreement()
{
    World w = started();
    w.release();
    w.take("acme-1");
    w.renew(); // the label of acme-0 stays
    QCOMPARE(w.count(EventCode::LeaderDisagreement), 0);
    w.renew();
    w.renew();
    QCOMPARE(told(w.store, {EventCode::LeaderDisagreement}), std::string("leader-disagreement label=acme-0 lock=acme-1 what=label; "));
    w.renew();
    w.pods[0].labels["role"] = "replica";
    w.pods[1].labels["role"] = "primary";
    w.change(w.pods[0]);
    w.change(w.pods[1]);
    w.renew();
    w.renew();
    QCOMPARE(told(w.store, {EventCode::LeaderDisagreement, EventCode::LeaderAgreement}),
             std::string("leader-disagreement label=acme-0 lock=acme-1 what=label; leader-agreement lock=acme-1 seconds=40; "));
}

void EpisodesTest::aShortDisagreementIsNone()
{
    World w = started();
    w.release();
    w.take("acme-1");
    w.renew();
    w.pods[0].labels["role"] = "replica";
    w.pods[1].labels["role"] = "primary";
    w.change(w.pods[0]);
    w.change(w.pods[1]);
    w.renew();
    w.renew();
    QCOMPARE(w.count(EventCode::LeaderDisagreement) + w.count(EventCode::LeaderAgreement), 0);
}

void EpisodesTest::manyLocksAreLate()
{
    World w;
    std::vector<World> others;
    w.stateItems = {w.leader, w.config};
    for (const char *name : {"b", "c", "d", "e"}) {
        others.emplace_back(name);
        w.stateItems.push_back(others.back().leader);
        w.stateItems.push_back(others.back().config);
    }
    w.version = 1000;
    w.listState();
    const auto renewAll = [&](int of) {
        w.flow(10s);
        w.renew(0s);
        for (World &other : others) {
            if (--of <= 0)
                break;
            other.leader.annotations["renewTime"] = World::text(w.t);
            w.change(other.leader);
        }
    };
    renewAll(5);
    for (int i = 0; i < 3; ++i)
        renewAll(3); // two of five are late
    QCOMPARE(w.count(EventCode::LockLate), 2);
    QCOMPARE(w.count(EventCode::ManyLate), 0);
    renewAll(5);
    for (int i = 0; i < 3; ++i)
        renewAll(2); // three
    QCOMPARE(told(w.store, {EventCode::ManyLate}), std::string("many-late count=3 of=5; "));
    w.take("acme-1"); // the same episode
    QCOMPARE(w.store.find(w.key())->transitions.back().evidence.back().code, EvidenceCode::ManyLate);
    renewAll(3);
    QCOMPARE(w.count(EventCode::ManyLate), 1);
    renewAll(5);
    QCOMPARE(told(w.store, {EventCode::ManyLate}), std::string("many-late count=3 of=5; many-late count=1 of=5 seconds=27; "));
    for (int i = 0; i < 3; ++i)
        renewAll(2);
    QCOMPARE(w.count(EventCode::ManyLate), 3);
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)}); // what is not seen is not known to be over
    w.advance(60s);
    QCOMPARE(w.count(EventCode::ManyLate), 3);
}

namespace {

ClusterKey named(const std::string &context, int n)
{
    return {context, "db", "c" + std::to_string(n), {}, "c" + std::to_string(n)};
}

std::string textOf(const std::vector<LateLocks::News> &all)
{
    std::string text;
    for (const LateLocks::News &news : all) {
        for (const std::string &context : news.contexts)
            text += context + ' ';
        text += std::to_string(news.late) + '/' + std::to_string(news.of);
        text += news.lasted ? " over " + std::to_string(news.lasted->count() / 1'000'000) + "; " : "; ";
    }
    return text;
}

} // namespace

void EpisodesTest::lateAcrossContexts()
{
    LateLocks locks;
    locks.setServer("a", "https://one:6443");
    locks.setServer("b", "https://one:6443");
    locks.setServer("c", "https://two:6443");
    for (int n = 0; n < 4; ++n) {
        locks.set(named("a", n), {true, false});
        locks.set(named("c", n), {true, n < 2});
    }
    locks.set(named("b", 0), {true, true}); // seen in time by the other context
    locks.set(named("b", 4), {true, true});
    locks.set(named("a", 1), {true, true});
    QCOMPARE(textOf(locks.judge(Boot(1s))), std::string());
    locks.set(named("a", 0), {true, true}); // nobody sees it in time now: one more, not two
    QCOMPARE(textOf(locks.judge(Boot(2s))), std::string("a b 3/5; "));
    QCOMPARE(textOf(locks.judge(Boot(3s))), std::string());
    for (int n = 0; n < 5; ++n) // nothing is seen any more
        locks.set(named("a", n), {}), locks.set(named("b", n), {});
    QCOMPARE(textOf(locks.judge(Boot(4s))), std::string());
    for (int n = 0; n < 4; ++n)
        locks.set(named("a", n), {true, false});
    QCOMPARE(textOf(locks.judge(Boot(62s))), std::string("a b 0/4 over 60; "));
    locks.set(named("c", 2), {true, true});
    QCOMPARE(textOf(locks.judge(Boot(70s))), std::string("c 3/4; "));
    locks.setServer("a", "https://two:6443"); // another address from now on: the same clusters, seen in time there
    QCOMPARE(textOf(locks.judge(Boot(80s))), std::string("a c 0/4 over 10; "));
    locks.forget("a");
    QCOMPARE(textOf(locks.judge(Boot(90s))), std::string("c 3/4; "));
}

void EpisodesTest::lateSights_data()
{
    QTest::addColumn<bool>("held");
    QTest::addColumn<bool>("late");
    QTest::addColumn<int>("ranOutAgo"); // seconds; -1: it did not
    QTest::addColumn<bool>("counted");
    QTest::addColumn<bool>("countsAsLate");
    QTest::addColumn<int>("changesIn"); // seconds; -1: not by itself
    QTest::newRow("held") << true << false << -1 << true << false << -1;
    QTest::newRow("late") << true << true << -1 << true << true << -1;
    QTest::newRow("ran out just now") << true << true << 0 << true << true << 300;
    QTest::newRow("five minutes ago") << true << true << 300 << true << true << 0;
    QTest::newRow("longer ago: abandoned") << true << true << 301 << false << false << -1;
    QTest::newRow("nobody has it") << false << false << -1 << false << false << -1;
    QTest::newRow("late, and nobody has it") << false << true << -1 << false << false << -1;
}

void EpisodesTest::lateSights()
{
    QFETCH(bool, held);
    QFETCH(bool, late);
    QFETCH(int, ranOutAgo);
    QFETCH(int, changesIn);
    const Boot at(10000s);
    const auto ranOut = ranOutAgo < 0 ? std::nullopt : std::optional(at - std::chrono::seconds(ranOutAgo));
    const LateLocks::Sight sight = LateLocks::sight(held, late, ranOut, at);
    QTEST(sight.held, "counted");
    QTEST(sight.late, "countsAsLate");
    const auto next = LateLocks::nextSight(ranOut, at);
    QCOMPARE(next.has_value(), changesIn >= 0);
    QVERIFY(!next || *next == at + std::chrono::seconds(changesIn) + Duration(1));
    QVERIFY(!next || LateLocks::sight(held, late, ranOut, *next) == LateLocks::Sight{});
}

// What is shown is what was said: by server, across contexts, with the numbers that were many.
void EpisodesTest::lateUnderWay()
{
    LateLocks locks;
    locks.setServer("a", "https://one:6443");
    locks.setServer("b", "https://one:6443");
    for (int n = 0; n < 4; ++n)
        locks.set(named(n < 2 ? "a" : "b", n), {true, true});
    locks.set(named("lonely", 9), {true, true}); // whose server nobody told
    QVERIFY(locks.underWay().empty());
    locks.judge(Boot(1s));
    const std::vector<LateLocks::Together> one{{"https://one:6443", {"a", "b"}, 4, 4}};
    QVERIFY(locks.underWay() == one);
    for (int n = 0; n < 4; ++n) // abandoned, or not seen: neither goes on nor ends
        locks.set(named(n < 2 ? "a" : "b", n), {});
    locks.judge(Boot(2s));
    QVERIFY(locks.underWay() == one);
    for (int n = 0; n < 4; ++n)
        locks.set(named(n < 2 ? "a" : "b", n), {true, false});
    locks.judge(Boot(3s));
    QVERIFY(locks.underWay().empty());
    for (int n = 10; n < 12; ++n)
        locks.set(named("lonely", n), {true, true});
    locks.judge(Boot(4s));
    const std::vector<LateLocks::Together> alone{{"", {"lonely"}, 3, 3}};
    QVERIFY(locks.underWay() == alone);
}

// Two contexts, two clusters each.
void EpisodesTest::manyLateOfOneServer()
{
    for (const bool same : {true, false}) {
        ClusterStore store;
        store.setServer("left", "https://one:6443");
        store.setServer("right", same ? "https://one:6443" : "https://two:6443");
        std::vector<Event> events;
        Duration t = 0s;
        const auto apply = [&](const std::string &context, decltype(Observation::what) what) {
            const StoreChanges changes = store.apply({context, Resource::Endpoints, "db", Boot(t), day + t, std::move(what)});
            events.insert(events.end(), changes.events.begin(), changes.events.end());
        };
        std::map<std::string, std::vector<World>> worlds;
        for (const char *context : {"left", "right"}) {
            Listed list{"900", {}};
            for (const char *name : {"x", "y"}) {
                worlds[context].emplace_back(std::string(context) + name);
                list.items.push_back(worlds[context].back().leader);
                list.items.push_back(worlds[context].back().config);
            }
            apply(context, list);
        }
        const auto renewAll = [&](const std::string &version) {
            for (auto &[context, own] : worlds) {
                for (World &world : own) {
                    world.leader.annotations["renewTime"] = World::text(t);
                    world.leader.resourceVersion = version;
                    apply(context, Changed{EventType::Modified, world.leader});
                }
            }
        };
        t = 10s;
        renewAll("1000");
        t = 32s;
        for (auto &[context, own] : worlds) {
            for (World &world : own)
                apply(context, Confirmed{world.scope, world.leader.resourceVersion, "db"});
        }
        std::erase_if(events, [](const Event &e) { return e.type != EventCode::ManyLate; });
        QCOMPARE(events.size(), std::size_t(same ? 1 : 0));
        QCOMPARE(store.lateTogether().size(), events.size());
        if (!same)
            continue;
        QCOMPARE(detailText(events[0]), std::string("contexts=left,right count=3 of=4 server=https://one:6443"));
        t = 35s;
        renewAll("1100");
        QCOMPARE(detailText(events.back()), std::string("contexts=left,right count=0 of=4 seconds=3 server=https://one:6443"));
    }
}

void EpisodesTest::blindSpots()
{
    World w = started();
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 45s;
    w.relist();
    QCOMPARE(told(w.store, {EventCode::BlindSpot}),
             std::string("blind-spot from=2031-02-01T06:00:10.000000Z resource=endpoints seconds=45 to=2031-02-01T06:00:55.000000Z; "));
    w.observe(Resource::Pods, Lost{World::error(ErrorKind::Gone)}); // an expired version, listed again at once
    w.renew(0s);
    w.t += 20s;
    w.observe(Resource::Pods, Resumed{});
    QCOMPARE(w.count(EventCode::BlindSpot), 2);
    w.change(w.pods[0]);
    w.renew();
    QCOMPARE(w.count(EventCode::BlindSpot), 2);
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Gone)});
    w.t += 500ms;
    w.relist();
    QCOMPARE(w.count(EventCode::BlindSpot), 2); // too short to matter
}

void EpisodesTest::twoObserversMakeTheSameIds()
{
    const auto ids = [](Duration shift, bool first) {
        World w = started();
        if (first)
            w.setConfig(R"({"ttl":30,"loop_wait":11})"); // seen by one of them only
        else
            ++w.version;
        w.t += shift;
        w.setConfig(R"({"ttl":30,"pause":true,"failsafe_mode":true})");
        say(w, 1, "replica", "stopped");
        w.t += 5s;
        w.setConfig(R"({"ttl":30})");
        w.config.annotations["history"] = "[]";
        w.change(w.config);
        std::multiset<std::string> all;
        for (const Event &e : w.store.events()) {
            if (e.type != EventCode::ConfigChanged)
                all.insert(e.id);
        }
        return all;
    };
    const auto one = ids(1s, true), other = ids(3s, false);
    QCOMPARE(one.size(), std::size_t(6));
    QVERIFY(one == other);
}

QTEST_APPLESS_MAIN(EpisodesTest)
#include "tst_episodes.moc"
