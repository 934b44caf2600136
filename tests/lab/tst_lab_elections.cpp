// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Elections that are not Patroni's, end to end on real client-go electors (kube-schedulers) and, for leader for life, on real objects that the
// lab moves. Run by tests/lab/run with LAB_CLUSTERS="" and LAB_LEASE=6; SWITCHYARD names the program. The order of the tests matters: one
// lock is frozen first and looked at last, and nothing comes after the API server's silence.
#include "app/clusters/monitor.h"
#include "tests/lab/lab_control.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace switchyard::lab {

namespace {

using election::ChangeKind;
using election::Election;
using election::HolderChange;
using election::State;

constexpr int limit = 60000; // ms

QStringList types()
{
    return {u"leases"_s, u"endpoints"_s, u"configmaps"_s, u"endpointsleases"_s, u"configmapsleases"_s};
}

// An election of each type has its type's name.
bool elector(const QString &name, const QStringList &what)
{
    return run(QStringList{u"elector"_s, name} + what).exitCode == 0;
}

QString holderOf(const QString &name)
{
    return QString::fromUtf8(run({u"elector"_s, name, u"holder"_s}).out).trimmed();
}

QString word(State state)
{
    return QString::fromUtf8(code(state).data());
}

// A Monitor of one user, and what it has told of each election so far.
class Onlooker : public QObject
{
public:
    explicit Onlooker(const QString &user, const QString &server = {}, kube::WatchTimes times = {})
        : m_monitor(kube::systemClock())
    {
        connect(&m_monitor, &Monitor::electionsChanged, this, &Onlooker::heed);
        auto config = kube::loadKubeconfig(kubeconfig(user));
        if (!config || config->contexts.empty())
            return;
        if (!server.isEmpty())
            config->contexts.front().server = server;
        m_monitor.open(config->contexts.front(), {}, times)->setEventsPermitted(u"default"_s, true);
    }

    const Election *find(const QString &name, election::Family family = election::Family::ClientGo) const
    {
        return m_monitor.elections().find({"lab", "default", name.toStdString(), family});
    }
    const Election *life() const { return find(u"operator-lock"_s, election::Family::LeaderForLife); }
    QString state(const QString &name) const { return stateOf(find(name)); }
    QString lifeState() const { return stateOf(life()); }
    QStringList states(const QString &name) const { return m_states.value(name); }
    Boot now() const { return m_monitor.now().boot; }
    QString freshness() const
    {
        const auto contexts = m_monitor.store().contexts();
        return contexts.empty() ? u"unknown"_s : QString::fromUtf8(code(contexts.front().freshness).data());
    }

    // "to by how" of a kind of event about one election, in order
    QStringList told(const QString &name, EventCode type) const
    {
        QStringList lines;
        for (const Event &event : m_events) {
            if (event.type == type && event.object == name.toStdString())
                lines << QString::fromStdString(detailText(event));
        }
        return lines;
    }
    QString lastChange(const QString &name) const // "KIND from>to", by the names of the Pods
    {
        const Election *e = find(name);
        if (!e || e->changes.empty())
            return {};
        const HolderChange &last = e->changes.back();
        const auto pod = [](const std::optional<std::string> &holder) {
            return holder ? QString::fromStdString(*holder).section(u'_', 0, 0) : u"-"_s;
        };
        return u"%1 %2>%3"_s.arg(QLatin1StringView(code(last.kind)), pod(last.from), pod(last.to));
    }
    QString evidence(const QString &name) const
    {
        QStringList all;
        for (const HolderChange &change : find(name)->changes) {
            for (const std::string &text : change.evidence)
                all << QString::fromStdString(text);
        }
        return all.join(u'\n');
    }
    // How it went, for messages of tests that fail
    QString story(const QString &name) const
    {
        return states(name).join(u' ') + u"; last "_s + lastChange(name) + u"; now "_s + state(name);
    }

private:
    static QString stateOf(const Election *e) { return e ? word(e->state) : u"none"_s; }
    void heed(const election::Changes &changes)
    {
        m_events.insert(m_events.end(), changes.events.begin(), changes.events.end());
        for (const election::Key &key : changes.elections) {
            const Election *e = m_monitor.elections().find(key);
            QStringList &states = m_states[QString::fromStdString(key.name)];
            if (e && (states.isEmpty() || states.last() != word(e->state)))
                states << word(e->state);
        }
    }

    Monitor m_monitor;
    std::vector<Event> m_events;
    QMap<QString, QStringList> m_states;
};

// The rows of `switchyard elections --format json`, by name
QMap<QString, QJsonObject> programRows()
{
    QProcess process;
    process.start(qEnvironmentVariable("SWITCHYARD"),
                  {u"elections"_s, u"--format"_s, u"json"_s, u"--kubeconfig"_s, kubeconfig(u"viewer"_s)});
    QMap<QString, QJsonObject> rows;
    if (!process.waitForFinished(limit) || process.exitCode() != 0) {
        qWarning("switchyard elections: %s", process.readAllStandardError().constData());
        return rows;
    }
    const QJsonArray array = QJsonDocument::fromJson(process.readAllStandardOutput()).array();
    for (const QJsonValue row : array)
        rows[row.toObject()["name"_L1].toString()] = row.toObject();
    return rows;
}

} // namespace

class TestLabElections : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void eachType_data();
    void eachType();
    void program();
    void bothFreeze();
    void releasedThenTaken();
    void releasedByHand();
    void killedThenTaken();
    void recordsDisagree();
    void servedAsBeta();
    void leaderForLife_data();
    void leaderForLife();
    void frozenWasLateThenExpired();
    void thawedIsTakenOver();
    void silentServerIsStaleNotExpired();
    void cleanupTestCase();

private:
    std::unique_ptr<Onlooker> m_all;  // from the beginning
    QString m_sleeper;                // who led the lock that is frozen: a or b
    std::optional<qint64> m_atFreeze; // its transitions
};

#define VERIFY_CHANGE(onlooker, name, expected)                                                                                            \
    QVERIFY2(QTest::qWaitFor([&] { return (onlooker).lastChange(name) == (expected); }, limit), qPrintable((onlooker).story(name)))

void TestLabElections::initTestCase()
{
    for (const QString &type : types())
        QVERIFY(elector(type, {type, u"start"_s, u"a"_s}));
    for (const QString &type : types())
        QVERIFY(elector(type, {type, u"start"_s, u"b"_s}));
    m_all = std::make_unique<Onlooker>(u"viewer"_s);
}

void TestLabElections::eachType_data()
{
    QTest::addColumn<QString>("type");
    for (const QString &type : types())
        QTest::newRow(qPrintable(type)) << type;
}

void TestLabElections::eachType()
{
    QFETCH(const QString, type);
    QTRY_COMPARE_WITH_TIMEOUT(m_all->state(type), u"held"_s, limit);
    QTRY_VERIFY_WITH_TIMEOUT(m_all->find(type)->rhythm, limit);
    QCOMPARE(m_all->state(type), u"held"_s);
    const Election &e = *m_all->find(type);
    QCOMPARE(code(e.kind), type.toStdString());
    QCOMPARE(QString::fromStdString(e.holder.value_or("")), holderOf(type));
    QVERIFY(QString::fromStdString(*e.holder).startsWith(type + u"-a_"_s));
    QCOMPARE(e.records.size(), type.endsWith(u"sleases"_s) ? 2U : 1U);
    QVERIFY(!e.disagrees && !e.noise && e.defects.empty());
    QCOMPARE(e.duration.value_or(-1), 6);
    QCOMPARE(e.transitions.value_or(-1), 0);
    QVERIFY(e.acquiredAt && e.renewedAt && *e.renewedAt > *e.acquiredAt);
    QVERIFY(e.expiresAt && *e.expiresAt > m_all->now());
    // A retry period of 0.8 s, up to 1.2 times as long, and what a request takes
    QVERIFY2(*e.rhythm > 500ms && *e.rhythm < 6s, qPrintable(QString::number(toSeconds(*e.rhythm))));
    QVERIFY(e.pod && e.podsReadable);
    QCOMPARE(e.pod->name, type.toStdString() + "-a");
    QCOMPARE(e.pod->phase.value_or(""), std::string("Running"));
    QCOMPARE(m_all->told(type, EventCode::ElectionStopped), QStringList());
}

void TestLabElections::program()
{
    const auto rows = programRows();
    for (const QString &type : types()) {
        const QJsonObject row = rows.value(type);
        QCOMPARE(row["kind"_L1].toString(), type);
        QCOMPARE(row["holder"_L1].toString(), holderOf(type));
        QCOMPARE(row["pod"_L1].toString(), type + u"-a"_s);
        QCOMPARE(row["duration_s"_L1].toInt(), 6);
        QCOMPARE(row["transitions"_L1].toInt(-1), 0);
        QVERIFY(QStringList({u"held"_s, u"unverified"_s}).contains(row["state"_L1].toString()));
    }
}

// Nobody renews and nobody takes over. What comes of it is looked at when the others are done: it takes half a minute.
void TestLabElections::bothFreeze()
{
    m_sleeper = holderOf(u"leases"_s).startsWith(u"leases-a_"_s) ? u"a"_s : u"b"_s;
    m_atFreeze = m_all->find(u"leases"_s)->transitions;
    QVERIFY(elector(u"leases"_s, {u"a"_s, u"freeze"_s}) && elector(u"leases"_s, {u"b"_s, u"freeze"_s}));
}

void TestLabElections::releasedThenTaken()
{
    const QString name = u"configmaps"_s;
    QVERIFY(elector(name, {u"a"_s, u"release"_s}));
    VERIFY_CHANGE(*m_all, name, u"taken-over configmaps-a>configmaps-b"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_all->state(name), u"held"_s, limit);
    QVERIFY2(m_all->states(name).contains(u"released"_s), qPrintable(m_all->story(name)));
    QVERIFY2(!m_all->states(name).contains(u"expired"_s), qPrintable(m_all->story(name)));
    const auto &changes = m_all->find(name)->changes;
    QCOMPARE(changes.at(changes.size() - 2).kind, ChangeKind::Released);
    QCOMPARE(m_all->find(name)->transitions.value_or(-1), 1);
    QVERIFY(changes.back().gap && *changes.back().gap > 0s);
    QCOMPARE(m_all->told(name, EventCode::ElectionStopped).size(), 1);
    QVERIFY(m_all->told(name, EventCode::ElectionStopped).first().contains(u"how=released"_s));
    QTRY_VERIFY_WITH_TIMEOUT(m_all->evidence(name).contains(u"became leader"_s), limit);
}

// An empty holder and nothing else: no countdown runs, and nobody is said to lead
void TestLabElections::releasedByHand()
{
    const QString name = u"endpoints"_s;
    QVERIFY(elector(name, {u"b"_s, u"stop"_s}));
    QVERIFY(elector(name, {u"a"_s, u"release"_s, u"null"_s}));
    QTRY_COMPARE_WITH_TIMEOUT(m_all->state(name), u"released"_s, limit);
    const Election &e = *m_all->find(name);
    QVERIFY(!e.holder && !e.expiresAt && !e.acquiredAt && !e.renewedAt);
    QCOMPARE(m_all->lastChange(name), u"released endpoints-a>-"_s);
    QVERIFY(elector(name, {name, u"start"_s, u"b"_s}));
    VERIFY_CHANGE(*m_all, name, u"taken-over endpoints-a>endpoints-b"_s);
}

void TestLabElections::killedThenTaken()
{
    const QString name = u"configmapsleases"_s;
    QVERIFY(elector(name, {u"a"_s, u"kill"_s, u"oom"_s}));
    VERIFY_CHANGE(*m_all, name, u"taken-over configmapsleases-a>configmapsleases-b"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_all->state(name), u"held"_s, limit);
    QTRY_VERIFY_WITH_TIMEOUT(!m_all->find(name)->disagrees, limit);
    QCOMPARE(m_all->find(name)->transitions.value_or(-1), 1);
    QVERIFY2(m_all->evidence(name).contains(u"OOMKilled"_s), qPrintable(m_all->evidence(name)));
    QTRY_VERIFY_WITH_TIMEOUT(m_all->evidence(name).contains(u"configmapsleases-b_"_s), limit);
}

// One of two records is edited; real multi-lock electors then see leaderelection.k8s.io/unknown, wait for it to run out, and write both anew
void TestLabElections::recordsDisagree()
{
    const QString name = u"endpointsleases"_s;
    QVERIFY(elector(name, {u"a"_s, u"freeze"_s}) && elector(name, {u"b"_s, u"freeze"_s}));
    const QString record =
        uR"({"holderIdentity":"somebody_else","leaseDurationSeconds":6,"acquireTime":null,"renewTime":null,"leaderTransitions":0})"_s;
    QCOMPARE(
        run({u"kubectl"_s, u"annotate"_s, u"endpoints"_s, name, u"--overwrite"_s, u"control-plane.alpha.kubernetes.io/leader="_s + record})
            .exitCode,
        0);
    QTRY_VERIFY_WITH_TIMEOUT(m_all->find(name)->disagrees, limit);
    const Election &e = *m_all->find(name);
    QCOMPARE(code(e.kind), std::string("endpointsleases"));
    QVERIFY(!e.holder);
    QVERIFY(e.records.front().resource == Resource::Leases);
    QVERIFY(e.records.front().holder.value_or("").starts_with("endpointsleases-a_"));
    QCOMPARE(e.records.back().holder.value_or(""), std::string("somebody_else"));
    QTRY_COMPARE_WITH_TIMEOUT(m_all->told(name, EventCode::ElectionDisagreement).size(), 1, limit);
    QVERIFY(m_all->told(name, EventCode::ElectionDisagreement).first().contains(u"somebody_else"_s));
    QVERIFY(elector(name, {u"b"_s, u"thaw"_s}));
    QTRY_VERIFY_WITH_TIMEOUT(!m_all->find(name)->disagrees, limit);
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(m_all->find(name)->holder.value_or("")), holderOf(name), limit);
    QVERIFY(holderOf(name).startsWith(u"endpointsleases-b_"_s));
    QTRY_COMPARE_WITH_TIMEOUT(m_all->told(name, EventCode::ElectionAgreement).size(), 1, limit);
    QVERIFY(elector(name, {u"a"_s, u"stop"_s}));
}

// A second API server on the same etcd that knows only v1beta1: the electors go on at the first
void TestLabElections::servedAsBeta()
{
    const QString server = u"https://192.0.2.9:6443"_s, v1 = u"/apis/coordination.k8s.io/v1"_s;
    QCOMPARE(run({u"api2"_s, u"start"_s, u"--runtime-config=coordination.k8s.io/v1=false"_s}).exitCode, 0);
    const auto served = [&](const QString &path) {
        return run({u"kubectl"_s, u"--server"_s, server, u"get"_s, u"--raw"_s, path}).exitCode == 0;
    };
    QVERIFY(served(v1 + u"beta1"_s) && !served(v1));
    const Onlooker beta(u"viewer"_s, server);
    const QString name = u"configmapsleases"_s;
    QTRY_COMPARE_WITH_TIMEOUT(beta.state(name), u"held"_s, limit);
    QCOMPARE(code(beta.find(name)->kind), name.toStdString());
    QCOMPARE(QString::fromStdString(beta.find(name)->holder.value_or("")), holderOf(name));
    QVERIFY(beta.find(u"leases"_s));
    QCOMPARE(code(beta.find(u"leases"_s)->kind), std::string("leases"));
    QCOMPARE(run({u"api2"_s, u"stop"_s}).exitCode, 0);
}

void TestLabElections::leaderForLife_data()
{
    QTest::addColumn<QString>("user");
    QTest::newRow("may not read Nodes") << u"viewer"_s;
    QTest::newRow("may read Nodes") << u"cert"_s;
}

void TestLabElections::leaderForLife()
{
    QFETCH(const QString, user);
    const Onlooker onlooker(user);
    const QString name = u"operator-lock"_s;
    QTRY_COMPARE_WITH_TIMEOUT(onlooker.state(u"configmaps"_s), u"held"_s, limit); // it has begun to see
    const auto does = [&](const QString &what, const QString &expected) {
        if (run(QStringList{u"life"_s, name} + what.split(u' ')).exitCode != 0)
            return false;
        const bool good = QTest::qWaitFor([&] { return onlooker.lifeState() == expected; }, limit);
        if (!good)
            qWarning("after %s: %s, not %s", qPrintable(what), qPrintable(onlooker.lifeState()), qPrintable(expected));
        return good;
    };
    QVERIFY(does(u"take"_s, u"held"_s));
    QCOMPARE(onlooker.life()->kind, election::Kind::LeaderForLife);
    QCOMPARE(onlooker.life()->holder.value_or(""), std::string("operator-lock-0"));
    QVERIFY(onlooker.life()->pod && onlooker.life()->pod->byUid && onlooker.life()->createdAt);
    QVERIFY(!onlooker.life()->duration && !onlooker.life()->expiresAt);
    QVERIFY(does(u"evict"_s, u"evicted"_s));
    QVERIFY(does(u"gone"_s, u"orphaned"_s)); // a candidate deleted the Pod; the collector has not come yet
    QVERIFY(does(u"collect"_s, u"none"_s));
    QVERIFY(does(u"take 1"_s, u"held"_s));
    const auto &changes = onlooker.life()->changes;
    QVERIFY(!changes.empty() && changes.back().kind == ChangeKind::TakenOver);
    QCOMPARE(changes.back().from.value_or(""), std::string("operator-lock-0"));
    QCOMPARE(changes.back().to.value_or(""), std::string("operator-lock-1"));
    QVERIFY(does(u"not-ready"_s, u"node-not-ready"_s));
    QVERIFY(does(u"ready"_s, u"held"_s));
    QVERIFY(does(u"lost"_s, u"node-not-ready"_s));
    QVERIFY(does(u"ready"_s, u"held"_s));
    QVERIFY(does(u"delete"_s, u"terminating"_s));
    QVERIFY(does(u"gone"_s, u"orphaned"_s));
    QVERIFY(does(u"collect"_s, u"none"_s));
    QVERIFY(does(u"take"_s, u"held"_s));
    QVERIFY(does(u"recreate"_s, u"recreated"_s));
    QVERIFY(does(u"collect"_s, u"none"_s));
    QVERIFY(does(u"take"_s, u"held"_s));
    QVERIFY(does(u"preempt"_s, u"preempted"_s));
    QVERIFY(does(u"gone"_s, u"orphaned"_s));
    for (const QString &broken : {u"two-owners"_s, u"no-owner"_s, u"other-owner"_s})
        QVERIFY(does(broken, u"invalid"_s));
    const QString stops = onlooker.told(name, EventCode::ElectionStopped).join(u'\n');
    for (const QString &how : {u"how=evicted"_s, u"how=orphaned"_s, u"how=preempted"_s})
        QVERIFY2(stops.contains(how), qPrintable(stops));
    QVERIFY(!onlooker.told(name, EventCode::ElectionInvalid).isEmpty());
    QVERIFY(does(u"clear"_s, u"none"_s));
}

void TestLabElections::frozenWasLateThenExpired()
{
    const QString name = u"leases"_s;
    QTRY_COMPARE_WITH_TIMEOUT(m_all->state(name), u"stuck"_s, limit);
    // From the last time that it was held, nothing else came between
    const QStringList states = m_all->states(name);
    QCOMPARE(states.mid(states.lastIndexOf(u"held"_s)).filter(QRegularExpression(u"^(held|late|expired|stuck)$"_s)),
             QStringList({u"held"_s, u"late"_s, u"expired"_s, u"stuck"_s}));
    const QString stops = m_all->told(name, EventCode::ElectionStopped).join(u'\n');
    QVERIFY2(stops.contains(u"how=expired"_s), qPrintable(stops));
    QCOMPARE(m_all->told(name, EventCode::ElectionLate).size(), 1);
    QCOMPARE(m_all->told(name, EventCode::ElectionStuck).size(), 1);
    QCOMPARE(m_all->lastChange(name), u"expired leases-%1>-"_s.arg(m_sleeper));
    const Election &e = *m_all->find(name);
    QVERIFY(e.expiresAt && e.confirmedAt && *e.confirmedAt > *e.expiresAt);
}

void TestLabElections::thawedIsTakenOver()
{
    const QString name = u"leases"_s, other = m_sleeper == u"a"_s ? u"b"_s : u"a"_s;
    QVERIFY(elector(name, {other, u"thaw"_s}));
    VERIFY_CHANGE(*m_all, name, u"taken-over leases-%1>leases-%2"_s.arg(m_sleeper, other));
    const HolderChange change = m_all->find(name)->changes.back();
    QVERIFY(change.gap && *change.gap > 19s); // stuck was seen
    QCOMPARE(change.transitions.value_or(-1), m_atFreeze.value_or(-9) + 1);
    QTRY_COMPARE_WITH_TIMEOUT(m_all->state(name), u"held"_s, limit);
    // The one that wakes does not lead, finds that out by itself, and ends
    QVERIFY(elector(name, {m_sleeper, u"thaw"_s}));
    const auto hasEnded = [this] { return run({u"status"_s}).out.contains(u"elector-leases-%1: DOWN"_s.arg(m_sleeper).toUtf8()); };
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), limit);
    QVERIFY(holderOf(name).startsWith(u"leases-%1_"_s.arg(other)));
    QCOMPARE(m_all->lastChange(name), u"taken-over leases-%1>leases-%2"_s.arg(m_sleeper, other));
    QCOMPARE(QString::fromStdString(m_all->find(name)->holder.value_or("")), holderOf(name));
}

void TestLabElections::silentServerIsStaleNotExpired()
{
    const QString name = u"leases"_s;
    kube::WatchTimes times; // nobody renews afterwards: a watch that ends by itself is asked for anew
    times.serverTimeoutMin = times.serverTimeoutMax = 4s;
    times.backoffMin = 500ms;
    times.backoffMax = 3s;
    times.listLimit = 5s;
    const Onlooker onlooker(u"viewer"_s, {}, times);
    QTRY_COMPARE_WITH_TIMEOUT(onlooker.state(name), u"held"_s, limit);
    QCOMPARE(run({u"api"_s, u"freeze"_s}).exitCode, 0);
    const Boot expires = onlooker.find(name)->expiresAt.value_or(Boot{});
    QTRY_COMPARE_WITH_TIMEOUT(onlooker.state(name), u"stale"_s, limit);
    QTRY_VERIFY_WITH_TIMEOUT(onlooker.now() > expires + 6s, limit);
    QCOMPARE(onlooker.state(name), u"stale"_s);
    QVERIFY2(!onlooker.states(name).contains(u"expired"_s), qPrintable(onlooker.story(name)));
    QCOMPARE(onlooker.told(name, EventCode::ElectionStopped), QStringList());
    QCOMPARE(run({u"api"_s, u"thaw"_s}).exitCode, 0);
    QTRY_COMPARE_WITH_TIMEOUT(onlooker.freshness(), u"live"_s, limit);
    QTRY_VERIFY_WITH_TIMEOUT(onlooker.state(name) != u"stale"_s, limit);
}

void TestLabElections::cleanupTestCase()
{
    m_all.reset();
    run({u"api"_s, u"thaw"_s});
}

} // namespace switchyard::lab

QTEST_GUILESS_MAIN(switchyard::lab::TestLabElections)
#include "tst_lab_elections.moc"
