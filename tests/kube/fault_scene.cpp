// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault_scene.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QTest>

namespace switchyard::test {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using patroni::Freshness;

namespace {

kube::WatchTimes faultTimes()
{
    kube::WatchTimes times;
    times.backoffMin = 20ms;
    times.backoffMax = 80ms;
    times.silence = 20s;
    times.listLimit = 400ms;
    times.probeLimit = 200ms;
    times.quickEnd = 100ms;
    times.refusedMin = 20ms;
    times.refusedMax = 80ms;
    times.confirmLimit = 400ms;
    times.refusedPoll = 60ms;
    times.refusedAgain = 300ms;
    times.scanEvery = 1s;
    return times;
}

QString words(const std::optional<std::string> &text)
{
    return text ? QString::fromStdString(*text) : u"-"_s;
}

QString number(const std::optional<std::uint64_t> &n)
{
    return n ? QString::number(*n) : u"-"_s;
}

QString view(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString objectText(const KubeObject &o)
{
    QString text = view(code(o.resource)) + u' '
        + QString::fromStdString(o.ns + '/' + o.name + " uid=" + o.uid + " v=" + o.resourceVersion);
    const auto add = [&](const std::string &key, const std::string &value) {
        text += u' ' + QString::fromStdString(key) + u'=' + QString::fromStdString(value);
    };
    for (const auto &[key, value] : o.labels)
        add(key, value);
    for (const auto &[key, value] : o.annotations)
        add(key, value.size() > 80 ? std::to_string(std::hash<std::string>{}(value)) : value);
    return text;
}

QString memberText(const patroni::Member &m)
{
    return u"member %1 role=%2 state=%3 lsn=%4 lag=%5/%6/%7 old=%8 up=%9"_s
        .arg(QString::fromStdString(m.record.name), view(code(m.role)), words(m.shownState))
        .arg(number(m.lsn), number(m.lag), number(m.receiveLag), number(m.replayLag))
        .arg(m.oldTimeline)
        .arg(m.up);
}

QStringList clusterText(const patroni::Cluster &c)
{
    QStringList lines{
        u"cluster %1 mode=%2 leads=%3 holder=%4 ttl=%5 timeline=%6 system=%7 transitions=%8 pending=%9"_s
            .arg(QString::fromStdString(c.names.key.text()), view(patroni::code(c.names.mode)), words(c.leaderName), words(c.lock.holder))
            .arg(c.lock.ttl)
            .arg(c.timeline.value_or(-1))
            .arg(words(c.systemId))
            .arg(c.lock.transitions.value_or(-1))
            .arg(c.pendingRequest() && !c.pendingRequest()->heldBack)}; // which only those know of who saw it
    if (c.config)
        lines += u"config "_s + QString::fromStdString(c.config->config.raw);
    for (const auto &[role, object] : c.objects)
        lines += QString::fromStdString(role) + u": "_s + objectText(object);
    for (const patroni::Member &m : c.members)
        lines += memberText(m);
    for (const patroni::Reason &r : c.health.reasons) {
        if (r.code != patroni::HealthReason::LockUnverified)
            lines += u"reason "_s + view(code(r.code)) + u' ' + QString::fromStdString(r.subject);
    }
    return lines;
}

std::string key(const KubeObject &o)
{
    return o.uid + ' ' + o.resourceVersion;
}

} // namespace

int threads()
{
    return static_cast<int>(QDir(u"/proc/self/task"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size());
}

Scene::Scene(const Fault &fault)
    : api(fault.mode)
    , acme(&api, &now, u"endpoints"_s, u"db"_s, u"acme"_s)
    , orders(&api, &now, u"configmaps"_s, u"shop"_s, u"orders"_s, 2)
    , times(faultTimes())
    , config(api.server.config())
{
    acme.create();
    orders.create();
    for (int i = 0; i < 3; ++i)
        api.put({u"configmaps"_s, u"db"_s, u"unrelated-%1"_s.arg(i)}, [](QJsonObject &o) {
            o.insert(u"data"_s, QJsonObject{{u"k"_s, u"v"_s}});
        });
    monitor = std::make_unique<Monitor>(clock());
    connect(monitor.get(), &Monitor::changed, this, [this] { look(); });
}

Scene::~Scene()
{
    monitor.reset();
}

kube::Clock Scene::clock()
{
    return {[this] { return now; }};
}

void Scene::open()
{
    monitor->open(config, options, times);
    connect(connection(), &Connection::observed, this, [this](const Observation &o) {
        if (std::holds_alternative<Confirmed>(o.what) || std::holds_alternative<ProbeFailed>(o.what))
            ++m_probes;
        if (const auto *lost = std::get_if<Lost>(&o.what); lost && (lost->error.httpStatus == 410 || lost->error.reason == "Expired"))
            ++expiredLosses;
    });
}

Freshness Scene::freshness() const
{
    const auto all = monitor->store().contexts();
    return all.empty() ? Freshness::Connecting : all.front().freshness;
}

const Error *Scene::trouble() const
{
    static std::optional<Error> error;
    const auto all = monitor->store().contexts();
    error = all.empty() ? std::nullopt : all.front().error;
    return error ? &*error : nullptr;
}

Freshness Scene::streamOf(const patroni::Cluster &cluster) const
{
    for (const ContextState &context : monitor->store().contexts()) {
        for (const StreamState &stream : context.streams) {
            if (stream.resource == cluster.names.resource() && (stream.ns.empty() || stream.ns == cluster.names.key.ns))
                return stream.freshness;
        }
    }
    return Freshness::Connecting;
}

// What must hold at every moment, whatever the server does.
void Scene::look()
{
    if (keeps && monitor->store().clusters().size() < 2)
        breaches.append(u"a cluster out of sight"_s);
    for (const patroni::Cluster *c : monitor->store().clusters()) {
        if (c->lock.state == patroni::LockState::Expired && !mayExpire)
            breaches.append(u"expired by our own silence: "_s + QString::fromStdString(c->names.key.text()));
        if (c->lock.state == patroni::LockState::Held && streamOf(*c) != Freshness::Live)
            breaches.append(u"held, but not live: "_s + QString::fromStdString(c->names.key.text()));
    }
    if (!sight)
        return;
    const Freshness seen = freshness();
    everStale = everStale || seen == Freshness::Stale;
    const Freshness wanted = *sight == Sight::Forbidden ? Freshness::Forbidden : Freshness::Stale;
    if (*sight == Sight::Untroubled && seen != Freshness::Live)
        breaches.append(u"not live: "_s + view(code(seen)));
    if (*sight == Sight::Stale || *sight == Sight::Forbidden) {
        if (reached && seen == Freshness::Live)
            breaches.append(u"live although the fault lasts"_s);
        reached = reached || seen == wanted;
    }
}

void Scene::pass(Duration time, bool renewals)
{
    for (Duration done = 0s; done < time; done += 1s) {
        now.boot += 1s;
        now.wall += 1s;
        if (renewals && (now.boot.time_since_epoch() / 1s) % 10 == 0) {
            acme.renew();
            orders.renew();
        }
        // A moment for the network at each step; while the program asks whether the server is there, time stands still.
        const auto wanted = static_cast<int>(monitor->store().wantedProbes(now).size());
        const int answered = m_probes;
        monitor->tick();
        if (wanted > 0)
            waitUntil([&] { return m_probes - answered >= wanted; }, static_cast<int>(times.probeLimit.count()) + 20);
        // A stream that an answer began anew needs its time too: it may be a TLS handshake away.
        waitUntil([] { return false; }, wanted > 0 ? 50 : 2);
    }
}

bool eventually(Scene &s, const std::function<bool()> &condition, int milliseconds)
{
    QElapsedTimer time;
    time.start();
    while (!condition()) {
        if (time.elapsed() > milliseconds)
            return false;
        waitUntil(condition, 40);
        s.monitor->advance();
    }
    return true;
}

bool Scene::relisted()
{
    const auto watches = [this, from = api.server.requests().size()] {
        const auto &all = api.server.requests();
        return std::count_if(all.begin() + from, all.end(), [](const Request &r) { return r.isWatch(); });
    };
    const qsizetype wanted = api.openWatches().size();
    connection()->relist();
    return waitUntil([&] { return watches() >= wanted && api.openWatches().size() >= wanted; }, 20000);
}

bool Scene::settle(int milliseconds)
{
    QElapsedTimer time;
    time.start();
    const auto there = [this] { return freshness() == Freshness::Live && complete(); };
    while (!waitUntil(there, 60)) {
        if (time.elapsed() > milliseconds)
            return false;
        pass(1s);
    }
    return true;
}

const patroni::Cluster *Scene::cluster(const MadeCluster &made, const Monitor *of) const
{
    for (const patroni::Cluster *c : (of ? of : monitor.get())->store().clusters()) {
        if (c->names.key.scope == made.scope.toStdString() && c->names.key.ns == made.ns.toStdString())
            return c;
    }
    return nullptr;
}

bool Scene::leads(const MadeCluster &made, int member) const
{
    const patroni::Cluster *c = cluster(made);
    return c && c->leaderName == made.member(member).toStdString();
}

bool Scene::complete() const
{
    std::set<std::string> here, there;
    for (const patroni::Cluster *c : monitor->store().clusters()) {
        for (const auto &[role, object] : c->objects)
            here.insert(key(object));
        for (const patroni::Member &m : c->members)
            here.insert(m.record.uid);
    }
    for (const MadeCluster *made : {&acme, &orders}) {
        std::vector<MadeApi::Id> ids{made->leaderId(), made->configId(), made->failoverId()};
        for (int i = 0; i < made->members; ++i)
            ids.push_back(made->podId(i));
        for (const MadeApi::Id &id : ids) {
            const QJsonObject object = api.objects().value(id);
            if (object.isEmpty())
                continue;
            const QJsonObject meta = object.value("metadata"_L1).toObject();
            const QString uid = meta.value("uid"_L1).toString();
            there.insert((id.kind == u"pods"_s ? uid : uid + u' ' + meta.value("resourceVersion"_L1).toString()).toStdString());
        }
    }
    return here == there;
}

int Scene::lists(qsizetype from) const
{
    const auto &all = api.server.requests();
    return static_cast<int>(std::count_if(all.begin() + from, all.end(), [](const Request &r) {
        return !r.isWatch() && (r.path().endsWith(u"/endpoints"_s) || r.path().endsWith(u"/configmaps"_s) || r.path().endsWith(u"/pods"_s));
    }));
}

QStringList Scene::digest(const Monitor &of) const
{
    QStringList lines;
    for (const patroni::Cluster *c : of.store().clusters())
        lines += clusterText(*c);
    return lines;
}

QStringList Scene::events(qsizetype from) const
{
    QStringList lines;
    const auto &all = monitor->store().events();
    for (auto it = all.begin() + from; it != all.end(); ++it) {
        if (it->type == EventCode::ConnectionLost || it->type == EventCode::ConnectionRestored || it->type == EventCode::Undecodable
            || it->type == EventCode::BlindSpot || it->type == EventCode::LockLate
            || it->type == EventCode::NearMiss
            // how long two streams told different things: on a slow machine one of them may be much later
            || it->type == EventCode::LeaderDisagreement || it->type == EventCode::LeaderAgreement || it->type == EventCode::MemberAppeared
            || it->type == EventCode::MemberLeft || it->detail.contains("decided"))
            continue;
        QString line = view(code(it->type)) + u' ' + QString::fromStdString(it->cluster.scope) + u':';
        for (const char *detail : {"from", "to", "member", "holder", "old", "new", "timeline"}) {
            if (const auto found = it->detail.find(detail); found != it->detail.end())
                line += QString::fromStdString(std::string(" ") + detail + '=' + found->second);
        }
        lines.append(line);
    }
    lines.sort();
    return lines;
}

void Fault::usual(Scene &s)
{
    s.pass(2s, false);
    s.acme.switchTo(1);
    s.pass(1s, false);
    s.orders.setConfig(R"({"ttl":30,"loop_wait":10,"retry_timeout":10,"pause":true})");
    s.acme.replacePod(2);
    s.acme.ask(s.acme.member(1), s.acme.member(2));
    s.pass(1s, false);
    s.acme.clearRequest();
    s.acme.renew();
    s.orders.renew();
}

namespace {

struct Before
{
    int threads = 0, sockets = 0;
    QStringList watches;
    qsizetype requests = 0, events = 0;
};

// Two renewals, so that the locks are held, and a silence, so that everything that is only made when needed is there.
bool warm(Scene &s)
{
    s.open();
    if (!s.settle())
        return false;
    s.pass(25s, false);
    if (!s.settle())
        return false;
    for (int i = 0; i < 2; ++i) {
        s.pass(10s);
        if (!s.settle())
            return false;
    }
    const patroni::Cluster *acme = s.cluster(s.acme), *orders = s.cluster(s.orders);
    return acme && orders && acme->lock.state == patroni::LockState::Held && orders->lock.state == patroni::LockState::Held;
}

// The events of the usual changes when nothing is wrong.
const QStringList &expectedEvents()
{
    static const QStringList expected = [] {
        Fault none;
        Scene s(none);
        if (!warm(s))
            return QStringList{u"the undisturbed run did not settle"_s};
        const qsizetype from = s.noted();
        Fault::usual(s);
        return s.settle() ? s.events(from) : QStringList{u"the undisturbed run did not end"_s};
    }();
    return expected;
}

// The lines of one that the other has not.
QString difference(const QStringList &a, const QStringList &b)
{
    QString text;
    for (const QString &line : a) {
        if (a.count(line) > b.count(line))
            text += u"\n   only here:  "_s + line;
    }
    for (const QString &line : b) {
        if (b.count(line) > a.count(line))
            text += u"\n   only there: "_s + line;
    }
    return text;
}

void compareEvents(const Scene &s, const Fault &fault, const Before &before)
{
    std::set<std::string> ids;
    std::map<std::string, int> said;
    for (const Event &event : s.monitor->store().events()) {
        if (event.type != EventCode::Undecodable && event.type != EventCode::BlindSpot) // told apart by their time, which stands still here
            QVERIFY2(ids.insert(event.id).second,
                     ("an event twice: " + std::string(code(event.type)) + ' ' + event.object + ' ' + event.resourceVersion + ' '
                      + detailText(event))
                         .c_str());
        if (!event.resourceVersion.empty())
            ++said[std::string(code(event.type)) + event.object + event.resourceVersion + detailText(event)];
    }
    for (const auto &[what, times] : said)
        QVERIFY2(times == 1, qPrintable(u"said twice: "_s + QString::fromStdString(what)));
    if (fault.meanwhile)
        return;
    const QStringList seen = s.events(before.events);
    if (fault.whole)
        QVERIFY2(seen == expectedEvents(), qPrintable(u"events, and expected ones"_s + difference(seen, expectedEvents())));
    const patroni::Cluster *acme = s.cluster(s.acme);
    QVERIFY(acme && !acme->transitions.empty());
    QCOMPARE(QString::fromStdString(acme->transitions.back().to.value_or("?")), s.acme.member(1));
    QCOMPARE(
        static_cast<int>(std::count_if(seen.begin(), seen.end(), [](const QString &e) { return e.startsWith(u"leader-changed acme"_s); })),
        1);
}

// Managers that a fault called for are kept for the next one; that there are no more of them with every fault is tested apart.
constexpr int spare = 2;

// A second program that has seen nothing but the present.
void compareWithFresh(Scene &s)
{
    auto fresh = std::make_unique<Monitor>(s.clock());
    fresh->open(s.config, s.options, s.times);
    const bool same = eventually(s, [&] { return s.digest(*s.monitor) == s.digest(*fresh); });
    QVERIFY2(same, qPrintable(u"the view, and a fresh one"_s + difference(s.digest(*s.monitor), s.digest(*fresh))));
}

void verifyHealed(Scene &s, const Fault &fault, const Before &before)
{
    QVERIFY2(s.breaches.isEmpty(), qPrintable(s.breaches.join(u"; "_s)));
    compareWithFresh(s);
    if (QTest::currentTestFailed())
        return;
    compareEvents(s, fault, before);
    if (QTest::currentTestFailed())
        return;
    // The watches are alive: what happens now arrives.
    for (int i = 0; i < 2; ++i) {
        s.pass(10s);
        QVERIFY(s.settle());
    }
    QCOMPARE(s.cluster(s.acme)->lock.state, patroni::LockState::Held);
    QCOMPARE(s.cluster(s.orders)->lock.state, patroni::LockState::Held);
    QVERIFY2(s.breaches.isEmpty(), qPrintable(s.breaches.join(u"; "_s)));
    const int asked = s.api.requestsSince(before.requests);
    QVERIFY2(asked <= fault.most, qPrintable(u"%1 requests"_s.arg(asked)));
    QVERIFY2(waitUntil([&] { return s.api.openWatches() == before.watches; }, 10000), qPrintable(s.api.openWatches().join(u", "_s)));
    QVERIFY2(waitUntil([&] { return threads() <= before.threads + spare; }, 10000),
             qPrintable(u"%1 threads, before %2"_s.arg(threads()).arg(before.threads)));
    QVERIFY2(waitUntil([&] { return s.api.server.openSockets() <= before.sockets + 4; }, 10000),
             qPrintable(u"%1 sockets, before %2"_s.arg(s.api.server.openSockets()).arg(before.sockets)));
}

void suffer(Scene &s, const Fault &fault)
{
    s.sight = fault.sight;
    s.firstRequest = s.api.server.requests().size();
    fault.inject(s);
    fault.meanwhile ? fault.meanwhile(s) : Fault::usual(s);
    s.pass(std::chrono::seconds(fault.lasts));
    if (fault.sight == Sight::Stale || fault.sight == Sight::Forbidden) {
        const Freshness wanted = fault.sight == Sight::Stale ? Freshness::Stale : Freshness::Forbidden;
        QVERIFY2(eventually(s, [&] { return s.freshness() == wanted; }), "the user is not told");
        const auto told = [&s] {
            const Error *error = s.trouble();
            return error ? QString::fromStdString(describe(*error)) : QString();
        };
        QVERIFY2(eventually(s, [&] { return told().contains(QString::fromUtf8(fault.says)); }), qPrintable(told()));
    } else if (fault.sight == Sight::Wavers) {
        QVERIFY2(s.everStale, "the user is not told");
    } else {
        QVERIFY2(s.settle(), "not complete while it lasts");
    }
    QVERIFY2(s.breaches.isEmpty(), qPrintable(s.breaches.join(u"; "_s)));
    fault.during(s);
    s.sight.reset();
}

} // namespace

void play(const Fault &fault)
{
    Scene s(fault);
    if (fault.sight == Sight::Untroubled) { // the server answers all: what is late is only the machine
        s.times.listLimit = 5s;
        s.times.probeLimit = 1s;
    }
    fault.prepare(s);
    QVERIFY2(warm(s), "did not settle before the fault");
    const Before before{threads(), s.api.server.openSockets(), s.api.openWatches(), s.api.server.requests().size(), s.noted()};
    suffer(s, fault);
    if (QTest::currentTestFailed())
        return;
    fault.heal(s);
    QVERIFY2(s.settle(), "not live and complete again");
    verifyHealed(s, fault, before);
    if (!QTest::currentTestFailed())
        fault.verify(s);
}

void addRows(const Rows &rows)
{
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < rows.size(); ++i)
        QTest::newRow(rows[i].first) << static_cast<int>(i);
}

void playRow(const Rows &rows)
{
    QFETCH(int, row);
    play(rows[static_cast<std::size_t>(row)].second);
}

} // namespace switchyard::test
