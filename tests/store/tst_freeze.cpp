// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Our connection stands still while the locks are renewed: what comes first afterwards must not prove any of them expired. A server
// is played second by second, with what is true of each lock, and the store sees of it what a bad network, or a server that is
// behind, lets through.
#include "made_world.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::test;
using patroni::LockState;

namespace {

enum class Order { Versions, ByCluster, ByClusterBackwards };
enum class Probes { Never, Fail, AnsweredLate, HandledLate, Prompt, Behind };

struct Play
{
    Duration ttl, loop;
    Duration freeze{}; // the stream stands still from `from` on for so long
    Duration pace{};   // between two events of the backlog
    Duration behind{}; // from `from` on every event comes so late: another API server
    Order order = Order::Versions;
    Probes probes = Probes::Never;
    Duration poll{};           // lists instead of a watch
    Duration slowList{};       // a list asked for at `from` takes so long, and tells what was when it was asked for
    std::optional<int> dies{}; // stops to renew at `from`
    bool others = false;       // Pods, and failover objects watched aside, keep coming
    Duration from = 27s, end = from + std::max(freeze, slowList) + 25s;
};

struct Told // one version of a leader object
{
    Duration at;
    int cluster;
    KubeObject object;
};

class Game
{
public:
    explicit Game(const Play &play_)
        : play(play_)
    {
        for (int i = 0; i < count; ++i) {
            World &w = worlds.emplace_back("c" + std::to_string(i));
            w.config.annotations["config"] = R"({"ttl":)" + seconds(play.ttl) + R"(,"loop_wait":)" + seconds(play.loop)
                + R"(,"retry_timeout":)" + seconds((play.ttl - play.loop) / 2) + "}";
            w.leader.annotations["ttl"] = seconds(play.ttl);
            w.leader.resourceVersion = std::to_string(++version);
            now.push_back(w.leader);
        }
        history();
    }
    void run()
    {
        see(Resource::Pods, Listed{"1", {worlds[0].pods[0]}});
        list(0s);
        for (t = 1s; t <= play.end; t += 1s) {
            if (play.others)
                seeOthers();
            for (const auto &[at, told] : arrivals) {
                if (at == t)
                    see(Resource::Endpoints, Changed{EventType::Modified, told.object});
            }
            lists();
            probe();
            store.advance({Boot(t), day + t});
            look();
            if (QTest::currentTestFailed())
                return;
        }
    }
    bool expired(int cluster) const { return everExpired.contains(cluster); }

private:
    static std::string seconds(Duration d) { return std::to_string(d / 1s); }
    static constexpr int count = 5;

    // The renewals: one every second or two; the last cluster only just in time, always.
    void history()
    {
        for (Duration at = 1s; at <= play.end; at += 1s) {
            for (int i = 0; i < count; ++i) {
                const Duration every = i == count - 1 ? play.ttl - 1s : play.loop;
                if ((at + i * play.loop / count) % every != 0s || (play.dies == i && at >= play.from))
                    continue;
                now[i].annotations["renewTime"] = World::text(at);
                now[i].resourceVersion = std::to_string(++version);
                changes.push_back({at, i, now[i]});
            }
        }
        if (play.poll == 0s)
            deliver();
    }
    void deliver()
    {
        const Duration thaw = play.from + play.freeze;
        std::vector<Told> backlog, rest;
        for (const Told &told : changes)
            (told.at >= play.from && told.at < thaw ? backlog : rest).push_back(told);
        if (play.order == Order::ByCluster)
            std::stable_sort(backlog.begin(), backlog.end(), [](const Told &a, const Told &b) { return a.cluster < b.cluster; });
        if (play.order == Order::ByClusterBackwards)
            std::stable_sort(backlog.begin(), backlog.end(), [](const Told &a, const Told &b) { return a.cluster > b.cluster; });
        Duration at = thaw;
        for (const Told &told : backlog)
            arrivals.emplace_back(std::exchange(at, std::min(at + play.pace, thaw + 10s)), told);
        const Duration clear = backlog.empty() ? 0s : at;
        for (const Told &told : rest) {
            const bool after = told.at >= play.from;
            const Duration late = after && play.probes != Probes::Behind ? play.behind : 0s;
            arrivals.emplace_back(after ? std::max(told.at + late, clear) : told.at, told);
        }
    }
    // As it is on the server.
    const KubeObject &state(int cluster, Duration at) const
    {
        const KubeObject *object = &worlds[cluster].leader;
        for (const Told &told : changes) {
            if (told.cluster == cluster && told.at <= at)
                object = &told.object;
        }
        return *object;
    }
    Duration unrenewed(int cluster, Duration at) const
    {
        Duration last = 0s;
        for (const Told &told : changes) {
            if (told.cluster == cluster && told.at <= at)
                last = told.at;
        }
        return at - last;
    }
    void see(Resource resource, decltype(Observation::what) what, std::optional<Duration> asked = {}, bool aside = false)
    {
        Observation o{"ctx", resource, "db", Boot(t), day + t, std::move(what), aside, {}};
        if (asked)
            o.asked = Boot(*asked);
        store.apply(o);
    }
    void list(Duration asked)
    {
        Listed list{"1000", {}, {}, play.poll};
        for (int i = 0; i < count; ++i) {
            list.items.push_back(worlds[i].config);
            list.items.push_back(state(i, asked));
            const auto order = compareVersions(list.items.back().resourceVersion, list.resourceVersion);
            if (order && *order > 0)
                list.resourceVersion = list.items.back().resourceVersion;
        }
        see(Resource::Endpoints, std::move(list), asked);
    }
    // Polling: nothing is asked for while an answer is due; one that hangs comes with the thaw, or is given up after 15 s.
    void lists()
    {
        if (play.slowList > 0s && t == play.from + play.slowList)
            list(play.from);
        if (play.poll == 0s || t < nextList)
            return;
        const bool frozen = t >= play.from && t < play.from + play.freeze;
        if (!listAsked)
            listAsked = t - 1s;
        if (!frozen) {
            list(*listAsked);
        } else if (t - *listAsked >= 15s) {
            see(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
        } else {
            return;
        }
        listAsked.reset();
        nextList = t + play.poll;
    }
    void probe()
    {
        const bool frozen = t >= play.from && t < play.from + play.freeze;
        for (auto it = probing.begin(); it != probing.end();) {
            const auto &[when, cluster] = *it;
            const Duration takes = play.probes == Probes::Prompt || play.probes == Probes::Behind ? 0s
                : play.probes == Probes::Fail                                                     ? (frozen ? 5s : 0s)
                                                                                                  : 4s;
            if (t - when < takes) {
                ++it;
                continue;
            }
            const Duration of = play.probes == Probes::HandledLate ? t : play.probes == Probes::Behind ? when - play.behind : when;
            if (play.probes == Probes::Fail && frozen)
                see(Resource::Endpoints, ProbeFailed{"c" + std::to_string(cluster), World::error(ErrorKind::Unreachable), "db"});
            else
                see(Resource::Endpoints, Confirmed{"c" + std::to_string(cluster), state(cluster, of).resourceVersion, "db"}, when);
            it = probing.erase(it);
        }
        if (play.probes == Probes::Never)
            return;
        for (const Probe &wanted : store.wantedProbes({Boot(t), day + t})) {
            const int cluster = wanted.name.size() == 2 ? wanted.name[1] - '0' : -1;
            const bool underWay = std::any_of(probing.begin(), probing.end(), [&](const auto &a) { return a.second == cluster; });
            if (wanted.resource == Resource::Endpoints && cluster >= 0 && !underWay)
                probing.emplace_back(t, cluster);
        }
    }
    void seeOthers()
    {
        World &w = worlds[0];
        w.pods[0].annotations["status"] = World::status("primary", "running", 2, R"(,"n":)" + seconds(t));
        w.pods[0].resourceVersion = std::to_string(++version);
        see(Resource::Pods, Changed{EventType::Modified, w.pods[0]});
        w.failover.labels["n"] = seconds(t);
        w.failover.resourceVersion = std::to_string(++version);
        see(Resource::Endpoints, Changed{EventType::Modified, w.failover}, {}, true);
    }
    // The truth is that a lock has expired once it was not renewed for its ttl: nothing else may be said.
    void look()
    {
        for (const patroni::Cluster *c : store.clusters()) {
            const int i = c->names.key.scope[1] - '0';
            if (c->lock.state != LockState::Expired)
                continue;
            everExpired.insert(i);
            QVERIFY2(unrenewed(i, t) > play.ttl, qPrintable(QStringLiteral("c%1 at %2 s").arg(i).arg(t / 1s)));
        }
        for (; eventsSeen < store.events().size(); ++eventsSeen) {
            const Event &e = store.events()[eventsSeen];
            if (e.type == EventCode::LockExpired || e.type == EventCode::LockAcquired)
                QVERIFY2(play.dies == e.cluster.scope[1] - '0', qPrintable(QStringLiteral("event at %1 s").arg(t / 1s)));
        }
    }

    Play play;
    std::vector<World> worlds;
    std::vector<KubeObject> now;
    std::vector<Told> changes;
    std::vector<std::pair<Duration, Told>> arrivals;
    std::vector<std::pair<Duration, int>> probing; // probes under way
    std::optional<Duration> listAsked;
    Duration nextList{5s};
    std::set<int> everExpired;
    std::size_t eventsSeen = 0;
    std::int64_t version = 1000;
    Duration t{};
    ClusterStore store;
};

struct Pace
{
    Duration ttl, loop;
};
constexpr Pace paces[] = {{20s, 10s}, {15s, 5s}};
constexpr Duration freezes[] = {5s, 12s, 18s, 30s};

} // namespace

class FreezeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aBacklogProvesNothing_data();
    void aBacklogProvesNothing();
    void anotherServerIsBehind_data();
    void anotherServerIsBehind();
    void aListIsAsOldAsItsRequest();
    void pollsThatHang();
    void otherStreamsAndAsides();
    void whoDiesExpires_data();
    void whoDiesExpires();
    void oldVersionsProveNothing();
    void aHiccupProvesNothing();
    void whatCameLateIsNotHeld();
};

void FreezeTest::aBacklogProvesNothing_data()
{
    QTest::addColumn<int>("order");
    QTest::addColumn<int>("pace");
    QTest::addColumn<int>("probes");
    const char *orders[] = {"by version", "cluster by cluster", "last cluster first"};
    const char *probes[] = {"never asked", "failing", "answers held back", "requests held back", "prompt"};
    for (int order = 0; order < 3; ++order) {
        for (const int pace : {0, 2}) {
            for (int probe = 0; probe < 5; ++probe)
                QTest::addRow("%s, every %d s, probes %s", orders[order], pace, probes[probe]) << order << pace << probe;
        }
    }
}

void FreezeTest::aBacklogProvesNothing()
{
    QFETCH(int, order);
    QFETCH(int, pace);
    QFETCH(int, probes);
    for (const Pace &p : paces) {
        for (const Duration freeze : freezes) {
            Game game({.ttl = p.ttl,
                       .loop = p.loop,
                       .freeze = freeze,
                       .pace = std::chrono::seconds(pace),
                       .order = static_cast<Order>(order),
                       .probes = static_cast<Probes>(probes)});
            game.run();
            if (QTest::currentTestFailed())
                return qWarning("ttl %d, frozen for %d s", int(p.ttl / 1s), int(freeze / 1s));
        }
    }
}

void FreezeTest::anotherServerIsBehind_data()
{
    QTest::addColumn<int>("probes");
    QTest::newRow("never asked") << static_cast<int>(Probes::Never);
    QTest::newRow("asked of the server that is current") << static_cast<int>(Probes::Prompt);
    QTest::newRow("watching the one that is current, asked of the one that is behind") << static_cast<int>(Probes::Behind);
}

void FreezeTest::anotherServerIsBehind()
{
    QFETCH(int, probes);
    for (const Pace &p : paces) {
        for (const Duration behind : {1s, 2s, 3s, 4s, 6s, 8s}) {
            for (const Duration freeze : {0s, 5s, 20s}) {
                if (probes == static_cast<int>(Probes::Behind) && freeze > 0s)
                    continue; // a GET is answered from the quorum: that both are behind together cannot be
                Game game({.ttl = p.ttl, .loop = p.loop, .freeze = freeze, .behind = behind, .probes = static_cast<Probes>(probes)});
                game.run();
                if (QTest::currentTestFailed())
                    return qWarning("ttl %d, behind by %d s", int(p.ttl / 1s), int(behind / 1s));
            }
        }
    }
}

void FreezeTest::aListIsAsOldAsItsRequest()
{
    for (const Pace &p : paces) {
        for (const Duration takes : {2s, 5s, 9s, 14s, 25s, 40s}) {
            Game game({.ttl = p.ttl, .loop = p.loop, .freeze = takes, .slowList = takes});
            game.run();
        }
    }
}

void FreezeTest::pollsThatHang()
{
    for (const Pace &p : paces) {
        for (const Duration freeze : freezes) {
            for (const auto probes : {Probes::Never, Probes::Fail, Probes::AnsweredLate, Probes::HandledLate}) {
                for (const Duration poll : {1s, 5s}) {
                    Game game({.ttl = p.ttl, .loop = p.loop, .freeze = freeze, .probes = probes, .poll = poll});
                    game.run();
                }
            }
        }
    }
}

void FreezeTest::otherStreamsAndAsides()
{
    for (const Pace &p : paces) {
        for (const Duration freeze : freezes) {
            for (const auto probes : {Probes::Never, Probes::Fail, Probes::AnsweredLate}) {
                Game game({.ttl = p.ttl, .loop = p.loop, .freeze = freeze, .pace = 2s, .probes = probes, .others = true});
                game.run();
            }
        }
    }
}

void FreezeTest::whoDiesExpires_data()
{
    QTest::addColumn<int>("probes");
    QTest::addColumn<int>("freeze");
    QTest::addColumn<int>("poll");
    for (const int freeze : {0, 12, 30}) {
        QTest::addRow("asked, frozen for %d s", freeze) << static_cast<int>(Probes::Prompt) << freeze << 0;
        QTest::addRow("asked, answers late, frozen for %d s", freeze) << static_cast<int>(Probes::AnsweredLate) << freeze << 0;
        QTest::addRow("listed, frozen for %d s", freeze) << static_cast<int>(Probes::Never) << freeze << 5;
    }
    QTest::newRow("the stream alone tells") << static_cast<int>(Probes::Never) << 0 << 0;
}

// All that caution must not hide a death.
void FreezeTest::whoDiesExpires()
{
    QFETCH(int, probes);
    QFETCH(int, freeze);
    QFETCH(int, poll);
    for (const Pace &p : paces) {
        if (probes == static_cast<int>(Probes::Never) && poll == 0 && p.loop > 5s)
            continue; // a stream with a silence of some seconds between two renewals does not tell by itself
        Game game({.ttl = p.ttl,
                   .loop = p.loop,
                   .freeze = std::chrono::seconds(freeze),
                   .probes = static_cast<Probes>(probes),
                   .poll = std::chrono::seconds(poll),
                   .dies = 1,
                   .end = 27s + std::chrono::seconds(freeze) + p.ttl + 15s});
        game.run();
        QVERIFY(game.expired(1));
        QVERIFY(!game.expired(0) && !game.expired(2));
    }
}

// The answer of a server that is behind, after our watch told of more.
void FreezeTest::oldVersionsProveNothing()
{
    World w;
    w.start();
    w.renew();
    const std::string old = w.leader.resourceVersion;
    w.renew();
    w.t += 31s;
    w.get(old);
    QCOMPARE(w.cluster().lock.state, LockState::Unverified);
    QVERIFY(!w.cluster().lock.late);
    w.get(w.leader.resourceVersion);
    QCOMPARE(w.cluster().lock.state, LockState::Expired);

    World back; // a list of an earlier time
    back.start();
    for (int i = 0; i < 4; ++i)
        back.renew();
    back.t += 31s;
    back.observe(Resource::Endpoints, Listed{"101", {back.leader, back.config}});
    QVERIFY(back.cluster().lock.state != LockState::Expired);
    QCOMPARE(back.count(EventCode::LockExpired), 0);
}

// Too short for a silence, and the renewal was in the last moment.
void FreezeTest::aHiccupProvesNothing()
{
    World w;
    w.start();
    w.renew();
    w.flow(28s);
    w.t += 2900ms;
    w.change(w.config);
    QCOMPARE(w.cluster().lock.state, LockState::Unverified);
    w.leader.annotations["renewTime"] = World::text(39500ms);
    w.t += 1ms;
    w.change(w.leader);
    QCOMPARE(w.cluster().lock.state, LockState::Held);
    QCOMPARE(w.count(EventCode::LockExpired), 0);
}

// The renewal came, but when was it?
void FreezeTest::whatCameLateIsNotHeld()
{
    World w;
    w.start();
    w.renew();
    w.renew(35s);
    QCOMPARE(w.cluster().lock.changedNotBefore, std::optional(Boot(10s)));
    QCOMPARE(w.cluster().lock.state, LockState::Unverified);
    w.renew();
    QCOMPARE(w.cluster().lock.state, LockState::Held);

    World asked;
    asked.start();
    asked.renew();
    asked.t += 21s;
    asked.get(asked.leader.resourceVersion);
    asked.renew(5s);
    QCOMPARE(asked.cluster().lock.state, LockState::Held);
}

QTEST_APPLESS_MAIN(FreezeTest)
#include "tst_freeze.moc"
