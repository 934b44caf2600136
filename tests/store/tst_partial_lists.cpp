// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Clusters that a list or a watch does not speak of: forbidden or doubted, never live, expired or gone on its word.
#include "partial_lists.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::test;
using patroni::Freshness;
using patroni::LockState;

class PartialListsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namedLeavesOthersUnknown_data();
    void namedLeavesOthersUnknown();
    void othersAgainAfterTheNamed_data();
    void othersAgainAfterTheNamed();
    void namedPodsOfOneCluster();
    void selectorWithoutTheLeader_data();
    void selectorWithoutTheLeader();
    void missingFromASelector_data();
    void missingFromASelector();
    void readOneByOne_data();
    void readOneByOne();
};

namespace {

const patroni::Cluster &of(const World &w, const std::string &scope)
{
    for (const patroni::Cluster *c : w.store.clusters()) {
        if (c->names.key.scope == scope)
            return *c;
    }
    return w.cluster();
}

// Two clusters in one namespace, both listed; then only the first one's objects are read.
struct Two
{
    World w;
    World other{"beta"}; // its objects only

    Two()
    {
        listAll();
        w.t += 10s;
        renew(w.leader);
        renew(other.leader);
        listAll();
    }
    void renew(KubeObject &leader)
    {
        leader.annotations["renewTime"] = World::text(w.t);
        leader.resourceVersion = std::to_string(++w.version);
    }
    void listAll()
    {
        w.observe(Resource::Endpoints, Listed{std::to_string(++w.version), {w.leader, w.config, other.leader, other.config}});
        auto pods = w.pods;
        pods.insert(pods.end(), other.pods.begin(), other.pods.end());
        w.observe(Resource::Pods, Listed{std::to_string(w.version), pods});
    }
    void refuse()
    {
        Error refused = World::error(ErrorKind::Forbidden);
        refused.verb = "list";
        w.observe(Resource::Endpoints, Lost{refused});
        w.observe(Resource::Pods, Lost{refused});
    }
    void listNamed(bool pods = true)
    {
        w.observe(Resource::Endpoints,
                  Listed{std::to_string(++w.version),
                         {w.leader, w.config},
                         Coverage{{}, {"acme", "acme-config", "acme-failover", "acme-sync"}},
                         5s});
        if (pods)
            w.observe(Resource::Pods, Listed{std::to_string(w.version), {w.pods[0]}, Coverage{{}, {"acme-0"}}, 5s});
    }
};

} // namespace

void PartialListsTest::namedLeavesOthersUnknown_data()
{
    QTest::addColumn<bool>("refusedFirst");
    QTest::addColumn<bool>("pods");
    QTest::newRow("refused, then named") << true << true;
    QTest::newRow("named at once") << false << true;
    QTest::newRow("only the state by name") << false << false;
}

void PartialListsTest::namedLeavesOthersUnknown()
{
    QFETCH(bool, refusedFirst);
    QFETCH(bool, pods);
    Two two;
    World &w = two.w;
    QVERIFY(!patroni::writeBar(of(w, "beta")));
    if (refusedFirst)
        two.refuse();
    for (int i = 0; i < 30; ++i) {
        if (i % 2 == 1)
            two.renew(w.leader);
        two.listNamed(pods);
        for (int second = 0; second < 5; ++second) {
            QCOMPARE(of(w, "beta").view.freshness, Freshness::Forbidden);
            QVERIFY(!of(w, "beta").view.reason.empty() && !of(w, "beta").view.missing.empty());
            QCOMPARE(of(w, "beta").lock.state, LockState::Stale);
            QVERIFY(patroni::writeBar(of(w, "beta")) == patroni::WriteBar::Forbidden);
            QCOMPARE(of(w, "acme").view.freshness, Freshness::Live);
            QVERIFY(!patroni::writeBar(of(w, "acme")));
            for (const Probe &probe : w.store.wantedProbes(w.now()))
                QVERIFY(!probe.name.starts_with("beta"));
            w.advance(1s);
        }
    }
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    QCOMPARE(w.count(EventCode::LockLate), 0);
    QCOMPARE(of(w, "beta").members.size(), std::size_t(3)); // what was known last, marked as such
}

void PartialListsTest::othersAgainAfterTheNamed_data()
{
    QTest::addColumn<bool>("renewed");
    QTest::newRow("renewed meanwhile") << true;
    QTest::newRow("the same record") << false;
}

void PartialListsTest::othersAgainAfterTheNamed()
{
    QFETCH(bool, renewed);
    Two two;
    World &w = two.w;
    two.refuse();
    for (int i = 0; i < 20; ++i) {
        two.listNamed();
        w.advance(5s);
    }
    if (renewed)
        two.renew(two.other.leader);
    two.listAll();
    QCOMPARE(of(w, "beta").view.freshness, Freshness::Live);
    // Renewed at some time of the whole hundred seconds; or in truth not at all.
    QCOMPARE(of(w, "beta").lock.state, renewed ? LockState::Unverified : LockState::Expired);
    QCOMPARE(of(w, "acme").members.size(), std::size_t(3));
    QCOMPARE(of(w, "acme").lock.state, LockState::Expired); // it was read all the time
}

void PartialListsTest::namedPodsOfOneCluster()
{
    Two two;
    World &w = two.w;
    QCOMPARE(of(w, "acme").members.size(), std::size_t(3));
    const auto events = w.store.events().size();
    two.listNamed();
    // How far the others are behind, nobody knows: they are no candidates.
    QCOMPARE(of(w, "acme").members.size(), std::size_t(1));
    QCOMPARE(of(w, "acme").members.front().record.name, std::string("acme-0"));
    QVERIFY(!has(of(w, "acme").health, patroni::HealthReason::NoCandidate));
    for (std::size_t i = events; i < w.store.events().size(); ++i)
        QVERIFY(w.store.events()[i].type != EventCode::MemberLeft);
    const auto then = w.store.events().size();
    two.listAll();
    QCOMPARE(of(w, "acme").members.size(), std::size_t(3));
    QCOMPARE(w.store.events().size(), then); // nor did they come just now
}

void PartialListsTest::selectorWithoutTheLeader_data()
{
    QTest::addColumn<QString>("by");
    QTest::newRow("lists") << QStringLiteral("lists");
    QTest::newRow("a list, then events") << QStringLiteral("both");
    QTest::newRow("events of a narrowed watch") << QStringLiteral("events");
    QTest::newRow("bookmarks of a narrowed watch") << QStringLiteral("bookmarks");
}

// The leader object has not the label that the selector asks for: whatever comes says nothing of it.
void PartialListsTest::selectorWithoutTheLeader()
{
    QFETCH(QString, by);
    World w;
    w.config.labels["release"] = "one";
    w.start();
    w.renew();
    const auto list = [&](Duration every) {
        w.observe(Resource::Endpoints, Listed{std::to_string(++w.version), {w.config}, Coverage{.labelKey = "release"}, every});
    };
    const auto narrowed = [&](decltype(Observation::what) what) {
        Observation o{"ctx", Resource::Endpoints, "db", w.now().boot, w.now().wall, std::move(what)};
        o.selector = "release";
        w.store.apply(o);
    };
    if (by == QStringLiteral("both"))
        list(0s);
    bool asked = false;
    for (int i = 0; i < 60; ++i) {
        w.advance(2s);
        if (by == QStringLiteral("lists")) {
            list(2s);
        } else if (by == QStringLiteral("both")) {
            w.change(w.config);
        } else if (by == QStringLiteral("events")) {
            w.config.resourceVersion = std::to_string(++w.version);
            narrowed(Changed{EventType::Modified, w.config});
        } else {
            narrowed(Bookmarked{std::to_string(++w.version)});
        }
        const LockState state = w.cluster().lock.state;
        QVERIFY2(state == LockState::Held || state == LockState::Unverified, qPrintable(QString::number(2 * i)));
        QVERIFY(state == LockState::Unverified || i < 16);
        for (const Probe &probe : w.store.wantedProbes(w.now()))
            asked = asked || probe.name == "acme";
    }
    QVERIFY(asked);
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    QCOMPARE(w.count(EventCode::LockLate), 0);
    // Seen beside the stream: renewed at some time since it was seen last.
    World copy = std::move(w);
    copy.leader.annotations["renewTime"] = World::text(copy.t - 40s);
    copy.leader.resourceVersion = std::to_string(++copy.version);
    aside(copy, Changed{EventType::Modified, copy.leader});
    QCOMPARE(copy.cluster().lock.state, LockState::Unverified);
    // A GET is a proof.
    copy.advance(60s);
    QCOMPARE(copy.cluster().lock.state, LockState::Unverified);
    copy.get(copy.leader.resourceVersion);
    QCOMPARE(copy.cluster().lock.state, LockState::Expired);
}

void PartialListsTest::missingFromASelector_data()
{
    QTest::addColumn<bool>("aside"); // a watch event: no object of that name has the label
    QTest::addColumn<bool>("exists");
    for (const bool beside : {false, true}) {
        QTest::addRow("%s, deleted", beside ? "event" : "list") << beside << false;
        QTest::addRow("%s, lost its label", beside ? "event" : "list") << beside << true;
    }
}

// What a selector no longer shows may be gone, or just without the label: unknown until a GET tells.
void PartialListsTest::missingFromASelector()
{
    QFETCH(bool, aside);
    QFETCH(bool, exists);
    World w;
    w.start();
    w.renew();
    const auto list = [&] { w.observe(Resource::Endpoints, Listed{std::to_string(++w.version), {w.config}, Coverage{.labelKey = key}}); };
    if (aside)
        ::aside(w, Listed{std::to_string(++w.version), {}, Coverage{key, {"db/acme"}}});
    else
        list();
    QCOMPARE(parts(w), QStringLiteral("config leader"));
    const auto probes = w.store.wantedProbes(w.now());
    QCOMPARE(probes.size(), std::size_t(1)); // at once
    QCOMPARE(probes.front().name, std::string("acme"));
    for (int i = 0; i < 60; ++i) { // no answer
        w.t += 2s;
        w.change(w.config);
        QVERIFY(w.cluster().lock.state == LockState::Held || w.cluster().lock.state == LockState::Unverified);
    }
    QCOMPARE(w.count(EventCode::LockExpired), 0);
    QVERIFY(!w.store.wantedProbes(w.now()).empty());
    if (!exists) {
        w.get(std::nullopt);
        QCOMPARE(parts(w), QStringLiteral("config"));
        QCOMPARE(w.cluster().lock.state, LockState::Absent);
        for (const Probe &probe : w.store.wantedProbes(w.now()))
            QVERIFY(probe.name != "acme");
        return;
    }
    w.leader.labels.erase(key);
    w.leader.annotations["renewTime"] = World::text(w.t);
    w.leader.resourceVersion = std::to_string(++w.version);
    ::aside(w, Changed{EventType::Modified, w.leader});
    QCOMPARE(parts(w), QStringLiteral("config leader"));
    QCOMPARE(w.cluster().lock.state, LockState::Unverified);
}

void PartialListsTest::readOneByOne_data()
{
    QTest::addColumn<int>("asked");   // seconds before it is answered
    QTest::addColumn<int>("version"); // of the leader object; 0: it does not exist
    QTest::addColumn<bool>("restored");
    QTest::addColumn<QString>("holder");
    QTest::newRow("later") << 0 << 9600 << false << QStringLiteral("acme-2");
    QTest::newRow("the same") << 0 << 9500 << false << QStringLiteral("acme-0");
    QTest::newRow("older: the data was put back") << 0 << 9400 << true << QStringLiteral("acme-2");
    QTest::newRow("older, but asked for before") << 4 << 9400 << false << QStringLiteral("acme-0");
    QTest::newRow("gone") << 0 << 0 << false << QString();
    QTest::newRow("not there yet when asked for") << 4 << 0 << false << QStringLiteral("acme-0");
}

// Objects that are read one by one have no version of the whole.
void PartialListsTest::readOneByOne()
{
    QFETCH(int, asked);
    QFETCH(int, version);
    QFETCH(bool, restored);
    QFETCH(QString, holder);
    World w;
    w.version = 9000;
    w.start();
    w.observe(Resource::Endpoints, Bookmarked{"20000"}); // far beyond the objects themselves
    w.t += 5s;
    w.leader.resourceVersion = "9500";
    w.observe(Resource::Endpoints, Changed{EventType::Modified, w.leader});
    w.t += 2s;
    std::vector<KubeObject> items{w.config};
    if (version > 0) {
        w.leader.resourceVersion = std::to_string(version);
        if (version != 9500)
            w.leader.annotations["leader"] = "acme-2";
        items.push_back(w.leader);
    }
    Observation o{"ctx",        Resource::Endpoints, "db",
                  w.now().boot, w.now().wall,        Listed{{}, items, Coverage{{}, {"acme", "acme-config"}}, 5s}};
    o.asked = w.now().boot - std::chrono::seconds(asked);
    const StoreChanges changes = w.store.apply(o);
    QCOMPARE(changes.restored.contains("ctx"), restored);
    QCOMPARE(QString::fromStdString(w.cluster().lock.holder.value_or("")), holder);
}

QTEST_APPLESS_MAIN(PartialListsTest)
#include "tst_partial_lists.moc"
