// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lists that speak of a part, objects seen beside the stream, versions that go back, and lists in the place of a watch.
#include "partial_lists.h"

#include "models/store/recording.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::test;
using patroni::Freshness;
using patroni::LockState;

class CoverageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void missing_data();
    void missing();
    void qualifiedNames();
    void forgetsWhatIsOfNoInterest();
    void asideProvesNothing_data();
    void asideProvesNothing();
    void asideTellsOfObjects();
    void asideAndStreamTellOnce();
    void asideNeverRevives();
    void asideLockChange();
    void asideIsFasterThanTheLock_data();
    void asideIsFasterThanTheLock();
    void asideNeedsItsStream();
    void versions_data();
    void versions();
    void restored();
    void deletionOrder_data();
    void deletionOrder();
    void pollIsNotSilence();
    void pollNeverWrong();
    void pollFails();
    void namedStream();
    void namedPodsAreNotAll();
    void writeBar_data();
    void writeBar();
    void replayed();
};

void CoverageTest::missing_data()
{
    QTest::addColumn<QString>("label");
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<bool>("unlabelled"); // the failover object has no label
    QTest::addColumn<QString>("left");
    const QString all = QStringLiteral("config failover leader");
    QTest::newRow("whole") << QString() << QStringList() << false << QStringLiteral("config leader");
    QTest::newRow("whole, unlabelled") << QString() << QStringList() << true << QStringLiteral("config leader");
    QTest::newRow("label: it may have lost that") << QString::fromStdString(key) << QStringList() << false << all;
    QTest::newRow("label it has not") << QString::fromStdString(key) << QStringList() << true << all;
    QTest::newRow("other label") << QStringLiteral("release") << QStringList() << false << all;
    QTest::newRow("its name") << QString() << QStringList{QStringLiteral("acme-failover")} << false << QStringLiteral("config leader");
    QTest::newRow("other names") << QString() << QStringList{QStringLiteral("acme-sync"), QStringLiteral("acme")} << false << all;
    QTest::newRow("its full name") << QString() << QStringList{QStringLiteral("db/acme-failover")} << false
                                   << QStringLiteral("config leader");
    QTest::newRow("in another namespace") << QString() << QStringList{QStringLiteral("da/acme-failover")} << false << all;
}

void CoverageTest::missing()
{
    QFETCH(QString, label);
    QFETCH(QStringList, names);
    QFETCH(bool, unlabelled);
    QFETCH(QString, left);
    World w;
    if (unlabelled)
        w.failover.labels.clear();
    w.stateItems = {w.leader, w.config, w.failover};
    w.listState();
    w.listPods();
    QCOMPARE(parts(w), QStringLiteral("config failover leader"));
    Coverage coverage{.labelKey = label.toStdString()};
    for (const QString &name : names)
        coverage.names.push_back(name.toStdString());
    ++w.version;
    w.observe(Resource::Endpoints, Listed{std::to_string(w.version), {w.leader, w.config}, coverage});
    QCOMPARE(parts(w), left);
    QCOMPARE(stream(w).freshness, Freshness::Live);
}

// One stream of all namespaces: a name of one namespace says nothing of the other.
void CoverageTest::qualifiedNames()
{
    World w;
    const auto tell = [&](Listed list) { w.store.apply({"ctx", Resource::Endpoints, "", w.now().boot, w.now().wall, std::move(list)}); };
    KubeObject elsewhere = w.failover;
    elsewhere.ns = "dc";
    tell(Listed{"200", {w.leader, w.config, w.failover, elsewhere}});
    tell(Listed{"201", {w.leader, w.config}, Coverage{{}, {"db/acme", "db/acme-config", "dc/acme-failover"}}});
    QCOMPARE(parts(w), QStringLiteral("config failover leader"));
}

void CoverageTest::forgetsWhatIsOfNoInterest()
{
    World w = withRequest();
    KubeObject other = w.object(Resource::Endpoints, "web");
    other.labels = {{"app", "web"}};
    w.observe(Resource::Endpoints, Changed{EventType::Added, other});
    const auto events = w.store.events().size();
    w.observe(Resource::Endpoints, Listed{std::to_string(++w.version), {w.leader, w.config, w.failover}, Coverage{.labelKey = key}});
    QCOMPARE(w.store.events().size(), events);
    // Its old version counts no more: had it been kept, this would be dropped as older.
    other.annotations = {{"initialize", "7"}};
    other.name = "web";
    QVERIFY(w.observe(Resource::Endpoints, Changed{EventType::Added, other}).empty());
    QCOMPARE(parts(w), QStringLiteral("config failover leader"));
}

void CoverageTest::asideProvesNothing_data()
{
    QTest::addColumn<int>("kind");
    for (int i = 0; i < 7; ++i)
        QTest::newRow(qPrintable(QString::number(i))) << i;
}

void CoverageTest::asideProvesNothing()
{
    QFETCH(int, kind);
    const std::vector<decltype(Observation::what)> seen{
        Contact{},
        Resumed{},
        Bookmarked{"900"},
        Confirmed{"acme", "101", "db"},
        Lost{World::error(ErrorKind::Forbidden)},
        ProbeFailed{"acme", World::error(ErrorKind::Unreachable), "db"},
        Undecodable{World::error(ErrorKind::Server)},
    };
    World w = withRequest();
    w.renew(10s);
    const auto before = w.cluster();
    const auto state = stream(w);
    w.t += 5s;
    QVERIFY(aside(w, seen.at(static_cast<std::size_t>(kind))).empty());
    QCOMPARE(w.cluster(), before);
    QVERIFY(stream(w).lastContact == state.lastContact);
    QCOMPARE(stream(w).freshness, Freshness::Live);
    // Nor is a lost stream revived.
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    QVERIFY(aside(w, seen.at(static_cast<std::size_t>(kind))).empty());
    QCOMPARE(stream(w).freshness, Freshness::Stale);
    QCOMPARE(w.cluster().lock.state, LockState::Stale);
    // A record that is past its ttl stays unproven.
    World late = withRequest();
    late.renew(10s);
    late.advance(60s);
    QCOMPARE(late.cluster().lock.state, LockState::Unverified);
    aside(late, seen.at(static_cast<std::size_t>(kind)));
    QCOMPARE(late.cluster().lock.state, LockState::Unverified);
    QCOMPARE(late.count(EventCode::LockExpired), 0);
}

void CoverageTest::asideTellsOfObjects()
{
    World w;
    w.start();
    QVERIFY(!w.cluster().failover);
    w.setRequest("acme-0", "acme-1");
    w.failover.resourceVersion = std::to_string(++w.version);
    aside(w, Listed{w.failover.resourceVersion, {w.failover}, Coverage{{}, {"acme-failover"}}});
    QCOMPARE(w.cluster().failover->member, std::optional<std::string>("acme-1"));
    QVERIFY(w.cluster().pendingRequest());
    QCOMPARE(parts(w), QStringLiteral("config failover leader")); // the others are not gone
    w.failover.annotations.clear();
    w.failover.resourceVersion = std::to_string(++w.version);
    aside(w, Changed{EventType::Modified, w.failover});
    QVERIFY(!w.cluster().failover->pending());
    w.failover.resourceVersion = std::to_string(++w.version);
    aside(w, Changed{EventType::Deleted, w.failover});
    QVERIFY(!w.cluster().failover);
}

// Whoever is first, and however late the other is: one event, and what is gone does not come back.
void CoverageTest::asideAndStreamTellOnce()
{
    World w = withRequest();
    w.setRequest("acme-0", "acme-1");
    w.failover.resourceVersion = std::to_string(++w.version);
    const KubeObject asked = w.failover;
    aside(w, Changed{EventType::Modified, asked});
    KubeObject gone = asked;
    gone.resourceVersion = std::to_string(++w.version);
    aside(w, Changed{EventType::Deleted, gone});
    const auto events = w.store.events().size();
    QVERIFY(!w.cluster().failover);
    w.observe(Resource::Endpoints, Changed{EventType::Modified, asked});
    QVERIFY(!w.cluster().failover);
    w.observe(Resource::Endpoints, Changed{EventType::Deleted, gone});
    QVERIFY(!w.cluster().failover);
    QCOMPARE(w.store.events().size(), events);
    QCOMPARE(w.cluster().requests.size(), std::size_t(1));
}

void CoverageTest::asideNeverRevives()
{
    World w = withRequest();
    w.renew(10s);
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.setRequest("acme-0", "acme-1");
    w.failover.resourceVersion = std::to_string(++w.version);
    aside(w, Changed{EventType::Modified, w.failover});
    QVERIFY(w.cluster().failover->pending()); // it is true all the same
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
    QVERIFY(patroni::writeBar(w.cluster()));
    aside(w, Listed{std::to_string(++w.version), {w.leader, w.config, w.failover}});
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
    QCOMPARE(w.cluster().lock.state, LockState::Stale);
}

void CoverageTest::asideLockChange()
{
    World w = withRequest();
    w.t += 10s;
    w.leader.annotations["renewTime"] = World::text(w.t);
    w.leader.resourceVersion = std::to_string(++w.version);
    aside(w, Changed{EventType::Modified, w.leader});
    QCOMPARE(w.cluster().lock.state, LockState::Held); // a change was seen, whoever saw it
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    w.t += 10s;
    w.leader.annotations["renewTime"] = World::text(w.t);
    w.leader.resourceVersion = std::to_string(++w.version);
    aside(w, Changed{EventType::Modified, w.leader});
    QCOMPARE(w.cluster().lock.state, LockState::Stale);
}

// The end of a request, seen by a watch of its own before the other one tells that the lock was released and taken
void CoverageTest::asideIsFasterThanTheLock_data()
{
    QTest::addColumn<bool>("afterRelease");
    QTest::addColumn<bool>("takenBack"); // by somebody, before the lock was taken
    QTest::addColumn<patroni::TransitionKind>("kind");
    using patroni::TransitionKind;
    QTest::newRow("before the release") << false << false << TransitionKind::Failover;
    QTest::newRow("between release and taking") << true << false << TransitionKind::Failover;
    QTest::newRow("taken back while nobody leads") << true << true << TransitionKind::LockReleased;
}

void CoverageTest::asideIsFasterThanTheLock()
{
    QFETCH(bool, afterRelease);
    QFETCH(bool, takenBack);
    QFETCH(patroni::TransitionKind, kind);
    World w;
    w.start();
    w.ask("", "acme-1");
    w.renew(2s);
    w.t += 1s;
    KubeObject released = w.leader;
    released.annotations.erase("leader");
    released.resourceVersion = std::to_string(++w.version);
    w.takeUnseen("acme-1");
    KubeObject ended = w.failover;
    ended.annotations.clear();
    ended.resourceVersion = std::to_string(w.version + (takenBack ? 1 : 2));
    w.leader.resourceVersion = std::to_string(w.version + (takenBack ? 2 : 1));
    w.version += 2;
    if (afterRelease)
        w.observe(Resource::Endpoints, Changed{EventType::Modified, released});
    aside(w, Changed{EventType::Modified, ended});
    if (!afterRelease)
        w.observe(Resource::Endpoints, Changed{EventType::Modified, released});
    w.observe(Resource::Endpoints, Changed{EventType::Modified, w.leader});
    QCOMPARE(w.cluster().leaderName, std::optional<std::string>("acme-1"));
    QCOMPARE(w.request().outcome, patroni::Outcome::Done);
    QCOMPARE(w.cluster().transitions.back().kind, kind);
    QCOMPARE(w.cluster().transitions.back().request.empty(), takenBack);
}

void CoverageTest::asideNeedsItsStream()
{
    World w;
    QVERIFY(aside(w, Listed{"200", {w.leader, w.config}}).empty());
    QVERIFY(w.store.contexts().empty());
}

void CoverageTest::versions_data()
{
    QTest::addColumn<QString>("held"); // of the leader object, before
    QTest::addColumn<bool>("heldAside");
    QTest::addColumn<QString>("listed"); // the list, and the object in it
    QTest::addColumn<QString>("object");
    QTest::addColumn<bool>("taken");
    const auto row = [](const char *name, const char *held, bool heldAside, const char *listed, const char *object, bool taken) {
        QTest::newRow(name) << QString::fromLatin1(held) << heldAside << QString::fromLatin1(listed) << QString::fromLatin1(object)
                            << taken;
    };
    row("later", "500", false, "600", "550", true);
    row("seen beside, after the list", "700", true, "600", "550", false);
    row("put back: the list is of an earlier time", "500", false, "400", "390", true);
    row("put back: the same number, other content", "500", false, "480", "480", true);
    row("put back, numbers raised", "500", false, "9000", "450", true);
    row("put back, seen beside before", "500", true, "110", "108", true);
    row("not numbers", "b", false, "c", "a", true);
}

void CoverageTest::versions()
{
    QFETCH(QString, held);
    QFETCH(bool, heldAside);
    QFETCH(QString, listed);
    QFETCH(QString, object);
    QFETCH(bool, taken);
    World w = withRequest();
    w.observe(Resource::Endpoints, Bookmarked{"450"});
    if (QByteArray(QTest::currentDataTag()).startsWith("put back, seen"))
        QVERIFY(stream(w).listed);
    w.t += 10s;
    w.leader.annotations["renewTime"] = World::text(w.t);
    w.leader.resourceVersion = held.toStdString();
    heldAside ? aside(w, Changed{EventType::Modified, w.leader}) : w.observe(Resource::Endpoints, Changed{EventType::Modified, w.leader});
    QCOMPARE(QString::fromStdString(w.cluster().objects.at("leader").resourceVersion), held);
    w.leader.annotations["leader"] = "acme-2";
    w.leader.resourceVersion = object.toStdString();
    w.observe(Resource::Endpoints, Listed{listed.toStdString(), {w.leader, w.config}});
    QCOMPARE(w.cluster().lock.holder, std::optional<std::string>(taken ? "acme-2" : "acme-0"));
}

// A server whose data was put back to an earlier time: its word counts, as a state and not as news, and its later events count too.
void CoverageTest::restored()
{
    World w = withRequest();
    for (int i = 0; i < 10; ++i)
        w.renew();
    KubeObject pod = w.pods[1];
    const std::int64_t back = 50;
    w.leader.annotations["renewTime"] = World::text(-1h);
    w.leader.resourceVersion = w.config.resourceVersion = std::to_string(back);
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    const auto events = w.store.events().size();
    w.observe(Resource::Endpoints, Listed{std::to_string(back), {w.leader, w.config}});
    QCOMPARE(parts(w), QStringLiteral("config leader"));
    QCOMPARE(w.cluster().lock.state, LockState::Unverified); // an old record is no renewal
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
    for (std::size_t i = events; i < w.store.events().size(); ++i)
        QVERIFY2(w.store.events()[i].type == EventCode::ConnectionRestored || w.store.events()[i].type == EventCode::Undecodable,
                 code(w.store.events()[i].type).data());
    w.version = back;
    w.renew();
    QCOMPARE(w.cluster().lock.state, LockState::Held);
    w.ask("acme-0", "acme-1");
    QVERIFY(w.cluster().pendingRequest());
    pod.resourceVersion = std::to_string(back);
    w.pods[1].labels["role"] = "primary";
    w.observe(Resource::Pods, Listed{std::to_string(back), {pod}});
    QCOMPARE(w.cluster().members.size(), std::size_t(1));
}

void CoverageTest::deletionOrder_data()
{
    QTest::addColumn<int>("deletedAt"); // the object is held at 500
    QTest::addColumn<int>("then");      // a change that comes afterwards
    QTest::addColumn<bool>("there");
    QTest::newRow("older than the object") << 400 << 0 << true;
    QTest::newRow("with the object's own version") << 500 << 0 << false;
    QTest::newRow("later") << 510 << 0 << false;
    QTest::newRow("a straggler") << 510 << 505 << false;
    QTest::newRow("made anew") << 510 << 520 << true;
}

void CoverageTest::deletionOrder()
{
    QFETCH(int, deletedAt);
    QFETCH(int, then);
    QFETCH(bool, there);
    World w = withRequest();
    w.failover.resourceVersion = "500";
    w.observe(Resource::Endpoints, Changed{EventType::Modified, w.failover});
    w.failover.resourceVersion = std::to_string(deletedAt);
    aside(w, Changed{EventType::Deleted, w.failover});
    if (then > 0) {
        w.failover.uid = "another";
        w.failover.resourceVersion = std::to_string(then);
        w.observe(Resource::Endpoints, Changed{EventType::Added, w.failover});
    }
    QCOMPARE(w.cluster().failover.has_value(), there);
}

// Lists every 30 s: nobody is asked in between, nothing is stale in between.
void CoverageTest::pollIsNotSilence()
{
    World w;
    const auto list = [&] {
        w.leader.resourceVersion = std::to_string(++w.version);
        w.observe(Resource::Endpoints, Listed{std::to_string(w.version), {w.leader, w.config}, {}, 30s});
        w.observe(Resource::Pods, Listed{std::to_string(w.version), w.pods, {}, 30s});
    };
    list();
    for (int i = 0; i < 5; ++i) {
        for (int second = 1; second < 30; ++second) {
            w.advance(1s);
            QVERIFY2(w.store.wantedProbes(w.now()).empty(), qPrintable(QString::number(second)));
            QCOMPARE(w.cluster().view.freshness, Freshness::Live);
            QVERIFY(w.cluster().lock.state != LockState::Expired && w.cluster().lock.state != LockState::Stale);
        }
        w.t += 1s;
        w.leader.annotations["renewTime"] = World::text(w.t);
        list();
    }
    w.advance(36s); // the list is overdue: now silence counts
    QVERIFY(!w.store.wantedProbes(w.now()).empty());
}

void CoverageTest::pollNeverWrong()
{
    World w;
    const auto list = [&](Duration later) {
        w.advance(later);
        w.observe(Resource::Endpoints, Listed{std::to_string(++w.version), {w.leader, w.config}, {}, 60s});
    };
    list(0s);
    w.advance(59s);
    QCOMPARE(w.cluster().lock.state, LockState::Unverified); // it may have been renewed
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    list(1s);
    QCOMPARE(w.cluster().lock.state, LockState::Expired); // the same record a ttl later
    QCOMPARE(w.count(EventCode::LockExpired), 1);
    w.leader.annotations["renewTime"] = World::text(w.t + 50s);
    w.leader.resourceVersion = std::to_string(++w.version);
    list(60s);
    QCOMPARE(w.cluster().lock.state, LockState::Unverified); // renewed at some time since
    QCOMPARE(w.cluster().lock.changedNotAfter, std::optional<Boot>(w.now().boot));
}

void CoverageTest::pollFails()
{
    World w;
    w.observe(Resource::Endpoints, Listed{"900", {w.leader, w.config}, {}, 30s});
    w.observe(Resource::Pods, Listed{"900", w.pods, {}, 30s});
    w.advance(30s);
    w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
    QCOMPARE(w.cluster().view.freshness, Freshness::Stale);
    QCOMPARE(w.cluster().lock.state, LockState::Stale);
    w.observe(Resource::Endpoints, Listed{"910", {w.leader, w.config}, {}, 30s});
    QCOMPARE(w.cluster().view.freshness, Freshness::Live);
}

void CoverageTest::namedStream()
{
    World w;
    Error refused = World::error(ErrorKind::Forbidden);
    refused.verb = "list";
    w.observe(Resource::Endpoints, Lost{refused});
    const patroni::MissingRight listRight{Resource::Endpoints, "db", "list"};
    QCOMPARE(stream(w).freshness, Freshness::Forbidden);
    QVERIFY(stream(w).missing == listRight);
    QVERIFY(!stream(w).named);
    w.observe(Resource::Endpoints,
              Listed{"200", {w.leader, w.config}, Coverage{{}, {"acme", "acme-config", "acme-failover", "acme-sync"}}, 5s});
    QCOMPARE(stream(w).freshness, Freshness::Live);
    QVERIFY(stream(w).named); // what else there is, nobody knows
    QVERIFY(stream(w).missing == listRight);
    QVERIFY(w.cluster().view.missing == std::vector{listRight});
    refused.verb = "get";
    refused.resource = "endpoints";
    w.observe(Resource::Endpoints, Lost{refused});
    QVERIFY(stream(w).missing->verb == "get");
    QCOMPARE(stream(w).freshness, Freshness::Forbidden);
    QVERIFY(w.any()); // and not an empty namespace
    w.observe(Resource::Endpoints, Listed{"300", {w.leader, w.config}});
    QVERIFY(!stream(w).named && !stream(w).missing);
    QVERIFY(w.cluster().view.missing.empty());
}

void CoverageTest::namedPodsAreNotAll()
{
    World w;
    w.stateItems = {w.leader, w.config};
    w.listState();
    w.observe(Resource::Pods, Listed{"200", {w.pods[0]}, Coverage{{}, {"acme-0"}}, 5s});
    QCOMPARE(w.cluster().members.size(), std::size_t(1));
    QVERIFY(!has(w.cluster().health, patroni::HealthReason::NoCandidate)); // there may be others
}

void CoverageTest::writeBar_data()
{
    QTest::addColumn<int>("freshness");
    QTest::addColumn<int>("lock");
    QTest::addColumn<int>("bar"); // -1: none
    const auto row = [](const char *name, Freshness f, LockState l, int bar) {
        QTest::newRow(name) << static_cast<int>(f) << static_cast<int>(l) << bar;
    };
    row("good", Freshness::Live, LockState::Held, -1);
    row("unverified", Freshness::Live, LockState::Unverified, -1);
    row("lock out of sight", Freshness::Live, LockState::Stale, static_cast<int>(patroni::WriteBar::LockStale));
    row("stale", Freshness::Stale, LockState::Held, static_cast<int>(patroni::WriteBar::Stale));
    row("both", Freshness::Stale, LockState::Stale, static_cast<int>(patroni::WriteBar::Stale));
    row("forbidden", Freshness::Forbidden, LockState::Held, static_cast<int>(patroni::WriteBar::Forbidden));
    row("connecting", Freshness::Connecting, LockState::Absent, static_cast<int>(patroni::WriteBar::Connecting));
}

void CoverageTest::writeBar()
{
    QFETCH(int, freshness);
    QFETCH(int, lock);
    QFETCH(int, bar);
    patroni::Cluster cluster;
    cluster.view.freshness = static_cast<Freshness>(freshness);
    cluster.lock.state = static_cast<LockState>(lock);
    const auto found = patroni::writeBar(cluster);
    QCOMPARE(found ? static_cast<int>(*found) : -1, bar);
}

void CoverageTest::replayed()
{
    const std::string labels = R"("labels":{"application":"patroni","cluster-name":"acme"})";
    const auto object = [&](const std::string &name, int version, const std::string &annotations) {
        return R"({"metadata":{"name":")" + name + R"(","namespace":"db","uid":")" + name + R"(","resourceVersion":")"
            + std::to_string(version) + R"(",)" + labels + R"(,"annotations":{)" + annotations + "}}}";
    };
    const auto line = [](int second, const std::string &rest) {
        return R"({"t":)" + std::to_string(second) + R"(,"wall":"2031-02-01T06:00:0)" + std::to_string(second)
            + R"(Z","resource":"endpoints",)" + rest + "}\n";
    };
    const std::string leader = object("acme", 5, R"("leader":"acme-0","ttl":"30","renewTime":"x","acquireTime":"x","transitions":"1")");
    const std::string config = object("acme-config", 6, R"("initialize":"7","config":"{}")");
    const std::string failover = object("acme-failover", 9, R"("leader":"acme-0","member":"acme-1")");
    const auto list = [](int version, const std::string &items) {
        return R"("list":{"kind":"EndpointsList","metadata":{"resourceVersion":")" + std::to_string(version) + R"("},"items":[)" + items
            + "]}";
    };
    const std::string text = line(1, list(8, leader + ',' + config))
        + line(2, list(9, failover) + R"(,"coverage":{"names":["acme-failover"]},"aside":true)")
        + line(3, R"("error":"gone away","aside":true)") + line(4, list(9, leader) + R"(,"coverage":{"label":"release"},"every":7.5)");
    const auto recording = decodeRecording(text, "ctx", "file");
    QVERIFY(recording);
    QCOMPARE(std::get<Listed>(recording->at(3).what).every, Duration(7500ms));
    ClusterStore store;
    replay(store, *recording, std::nullopt, {});
    QCOMPARE(store.clusters().size(), std::size_t(1));
    QCOMPARE(store.clusters().front()->objects.size(), std::size_t(3));
    QCOMPARE(store.contexts().front().freshness, Freshness::Live);
}

QTEST_APPLESS_MAIN(CoverageTest)
#include "tst_coverage.moc"
