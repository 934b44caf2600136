// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A small Kubernetes API server on loopback with simulated Patroni clusters: for --demo and for tests. The program talks to it
// over HTTP like to any server. Its clusters obey failover objects as Patroni does (patroni/ha.py), but it is no evidence for a rule:
// tests compare its order of object changes with recordings of the real thing.
#include <QObject>
#include <QString>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace switchyard::simulator {

// What keeps a client from using a member's REST API through the API server.
enum class RestLimit { None, Authentication, Allowlist, Certificate, Loopback };

struct ClusterPlan
{
    std::string ns = "demo", scope;
    bool endpoints = true; // else ConfigMap mode
    std::string scopeLabel = "cluster-name", roleLabel = "role";
    std::vector<std::pair<std::string, std::string>> labels{{"application", "patroni"}};
    int members = 3;
    bool paused = false, synchronous = false;
    int pastTransitions = 3; // entries of history made up for the past
    std::string version = "4.0.7";
    int ttl = 30, loopWait = 10, retryTimeout = 10;
    std::string memberPrefix; // members are PREFIX-0, PREFIX-1 ...; empty: the scope
    int laggingMember = -1;   // this member stays `lagBytes` behind
    long long lagBytes = 0;
    int nofailoverMember = -1; // this member has the tag nofailover
    RestLimit restLimit = RestLimit::None;
    int walPerSecond = 0; // bytes written by the leader; 0: an idle cluster
};

// A leader election that is not Patroni's, or something else that looks like one.
struct ElectionPlan
{
    enum class Type { Lease, ConfigMap, EndpointsLease, Released, ForLife, Heartbeat, Identity };
    std::string ns, name;
    Type type = Type::Lease;
    std::vector<std::string> candidates; // the first one leads; with '_' the whole identity, else the part of it before
    int transitions = 0;
    std::chrono::seconds takeoverEvery{0}; // 0: never
    bool pods = false;                     // the candidates are Pods
};

enum class LeaseService { V1, V1Beta1, None }; // which version of coordination.k8s.io has Leases

struct Plan
{
    std::vector<ClusterPlan> clusters;
    std::vector<ElectionPlan> elections{}; // beside those of the control plane
    LeaseService leases = LeaseService::V1;
    double speed = 1.0; // simulated seconds per real second
    unsigned seed = 1;  // same seed, same run
    bool tls = false;
};
Plan demoPlan(); // what --demo shows: Endpoints, ConfigMap mode with other label keys, paused, synchronous

class Simulator : public QObject
{
    Q_OBJECT
public:
    explicit Simulator(Plan plan, QObject *parent = nullptr);
    ~Simulator() override;
    bool start(QString *error); // listens on 127.0.0.1, any free port
    QString kubeconfig() const; // text of a kubeconfig for it; valid after start()
    QString server() const;

    void crashLeader(const std::string &ns, const std::string &scope); // stops renewing, no release; comes back as a replica after a while
    void freezeMember(const std::string &ns, const std::string &scope, const std::string &member);
    void thawAll();
    void stopApi(); // closes all connections and refuses new ones; the clusters live on
    void startApi();
    void freezeApi();             // connections stay open and silent
    void setLogOutage(int times); // so many requests for logs fail: the node cannot be reached
    // Rights taken away, in place of all earlier ones: "patch endpoints payments" ...
    void setDenied(const std::vector<std::string> &rules);
    void step(double seconds); // tests: with speed 0 time moves only by this

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::simulator
