// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/simulator.h"

#include "app/simulator/api_server.h"
#include "app/simulator/election_sim.h"
#include "app/simulator/patroni_sim.h"

#include <QElapsedTimer>
#include <QTimer>

#include <set>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace switchyard::simulator {

namespace {

SimTime wallClock()
{
    return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
}

QByteArray makeToken(unsigned seed)
{
    std::mt19937 random(seed ^ 0x5EEDU);
    return "demo-" + QByteArray::number(random(), 16) + QByteArray::number(random(), 16);
}

} // namespace

struct Simulator::Impl
{
    explicit Impl(Plan p)
        : plan(std::move(p))
        , start(wallClock())
        , now(start)
        , store(plan.seed)
        , token(makeToken(plan.seed))
        , api(store, token, [this] { return now; })
    {
        createNamespaces();
        int subnet = 1;
        for (const ClusterPlan &cluster : plan.clusters) {
            clusters.push_back(
                std::make_unique<PatroniSim>(cluster, store, start, plan.seed * 1000 + static_cast<unsigned>(subnet), subnet));
            ++subnet;
        }
        api.setLeases(plan.leases);
        createElections();
        api.setWritten([this](Kind kind, const std::string &ns, const std::string &name) {
            for (const auto &cluster : clusters)
                if (cluster->plan().ns == ns)
                    cluster->objectWritten(kind, name);
        });
        api.setPods(
            [this](const std::string &ns, const std::string &pod, const PodCall &call, const PodDone &done) {
                if (PatroniSim *cluster = owner(ns, pod))
                    cluster->call(pod, call, done);
                else
                    done({0, {}, {}, "dial tcp: connect: connection refused"});
            },
            [this](const std::string &ns, const std::string &pod, SimTime since, bool stamped) {
                const PatroniSim *cluster = owner(ns, pod);
                return cluster ? cluster->logOf(pod, since, stamped) : std::string();
            });
    }

    PatroniSim *owner(const std::string &ns, const std::string &pod)
    {
        for (const auto &cluster : clusters)
            for (const Member &member : cluster->members())
                if (cluster->plan().ns == ns && member.name == pod)
                    return cluster.get();
        return nullptr;
    }

    void createElections()
    {
        std::vector<ElectionPlan> all = plan.elections;
        all.push_back({.ns = "kube-system",
                       .name = "kube-controller-manager",
                       .candidates = {"control-1_5b0d6f0e-8c1a-4d0b-9a55-6f1f5f0c2a11"},
                       .transitions = 3});
        all.push_back({.ns = "kube-system",
                       .name = "kube-scheduler",
                       .candidates = {"control-2_e2a7c9b4-14f3-4a7e-b0d8-3c9d1be07f42"},
                       .transitions = 5});
        for (const ElectionPlan &election : all) {
            if (election.type == ElectionPlan::Type::Heartbeat)
                createNode(election.name);
            elections.push_back(std::make_unique<ElectionSim>(store, election, start));
        }
    }

    void createNode(const std::string &name)
    {
        store.create(Kind::Nodes, {},
                     {{"metadata", {{"name", name}}}, {"status", {{"conditions", Json::array({{{"type", "Ready"}, {"status", "True"}}})}}}},
                     start - 24h * 400);
    }

    void createNamespaces()
    {
        std::set<std::string> names{"default", "kube-system"};
        for (const ClusterPlan &cluster : plan.clusters)
            names.insert(cluster.ns);
        for (const ElectionPlan &election : plan.elections)
            names.insert(election.ns);
        for (const std::string &name : names)
            store.create(Kind::Namespaces, {}, {{"metadata", {{"name", name}}}, {"status", {{"phase", "Active"}}}}, start - 24h * 400);
    }

    void advance(SimTime to)
    {
        // In small steps, so that the clusters' changes interleave in one order of versions, as on a real server.
        while (now < to) {
            now = std::min<SimTime>(to, now + 100ms);
            for (const auto &cluster : clusters)
                cluster->advance(now);
            for (const auto &election : elections)
                election->advance(now);
        }
    }

    PatroniSim *find(const std::string &ns, const std::string &scope)
    {
        for (const auto &cluster : clusters)
            if (cluster->plan().ns == ns && cluster->plan().scope == scope)
                return cluster.get();
        return nullptr;
    }

    Plan plan;
    SimTime start, now;
    ObjectStore store;
    QByteArray token;
    ApiServer api;
    std::vector<std::unique_ptr<PatroniSim>> clusters;
    std::vector<std::unique_ptr<ElectionSim>> elections;
    QTimer timer;
    QElapsedTimer elapsed;
    double steppedSeconds = 0;
};

Simulator::Simulator(Plan plan, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Impl>(std::move(plan)))
{
    connect(&d->timer, &QTimer::timeout, this, [this] {
        const double seconds = static_cast<double>(d->elapsed.nsecsElapsed()) / 1e9 * d->plan.speed + d->steppedSeconds;
        d->advance(d->start + std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6)));
    });
}

Simulator::~Simulator() = default;

bool Simulator::start(QString *error)
{
    if (d->plan.tls) {
        if (error)
            *error = tr("The simulator speaks plain HTTP only.");
        return false;
    }
    if (!d->api.http().listen(error))
        return false;
    if (d->plan.speed > 0) {
        d->elapsed.start();
        d->timer.start(50ms);
    }
    return true;
}

QString Simulator::server() const
{
    return u"http://127.0.0.1:%1"_s.arg(d->api.http().port());
}

QString Simulator::kubeconfig() const
{
    const QString ns = d->plan.clusters.empty() ? u"default"_s : QString::fromStdString(d->plan.clusters.front().ns);
    return u"apiVersion: v1\nkind: Config\ncurrent-context: demo\n"
           "clusters:\n- name: demo\n  cluster:\n    server: %1\n"
           "users:\n- name: demo\n  user:\n    token: %2\n"
           "contexts:\n- name: demo\n  context:\n    cluster: demo\n    user: demo\n    namespace: %3\n"_s.arg(
               server(), QString::fromLatin1(d->token), ns);
}

void Simulator::crashLeader(const std::string &ns, const std::string &scope)
{
    if (PatroniSim *cluster = d->find(ns, scope))
        cluster->crashLeader();
}

void Simulator::freezeMember(const std::string &ns, const std::string &scope, const std::string &member)
{
    if (PatroniSim *cluster = d->find(ns, scope))
        cluster->freeze(member);
}

void Simulator::thawAll()
{
    for (const auto &cluster : d->clusters)
        cluster->thawAll();
}

void Simulator::stopApi()
{
    d->api.http().setFrozen(false);
    d->api.http().close();
}

void Simulator::startApi()
{
    d->api.http().setFrozen(false);
    d->api.http().listen(nullptr);
}

void Simulator::freezeApi()
{
    d->api.http().setFrozen(true);
}

void Simulator::setLogOutage(int times)
{
    d->api.setLogOutage(times);
}

void Simulator::setDenied(const std::vector<std::string> &rules)
{
    d->api.setDenied(rules);
}

void Simulator::step(double seconds)
{
    d->steppedSeconds += seconds;
    d->advance(d->now + std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6)));
}

} // namespace switchyard::simulator
