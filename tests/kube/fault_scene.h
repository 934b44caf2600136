// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A whole connection (Monitor, Connection, store, TLS) against a MadeApi with two Patroni clusters, and one way to play every
// fault on it: settle, inject, let things happen on the server, look at what the user sees, heal, compare with a fresh view.
#include "app/clusters/monitor.h"
#include "made_cluster.h"

#include <QStringList>

namespace switchyard::test {

struct Fault;

// What the user must see while the fault lasts.
enum class Sight {
    Untroubled, // never anything but live, and nothing is missing
    Recovers,   // troubled for a moment at most; live and complete long before it is healed
    Stale,      // the context is stale, and stays so until it is healed
    Forbidden,
    Wavers, // stale, and live for a moment with each list
};

class Scene : public QObject
{
    Q_OBJECT
public:
    explicit Scene(const Fault &fault);
    ~Scene() override;

    Now now{Boot(std::chrono::hours(5)), *parseInstant("2031-02-01T06:00:00Z")};
    MadeApi api;
    MadeCluster acme, orders; // db/acme in Endpoints, shop/orders in ConfigMaps
    kube::WatchTimes times;
    std::unique_ptr<Monitor> monitor;

    kube::ContextConfig config; // as it is opened; `prepare` may change it
    ConnectionOptions options{QStringList{QString()}};
    void open(); // and wait until all is there
    Connection *connection() const { return monitor->connection(config.name); }
    kube::Clock clock();

    void pass(Duration time, bool renewals = true); // by the second; the leaders renew every ten, as Patroni does
    bool relisted();                                // asks for all lists again; false: their watches did not follow. Time stands still
    bool settle(int milliseconds = 20000);          // let time pass until the view is live and as the server has it
    patroni::Freshness freshness() const;
    const Error *trouble() const; // of the context
    bool complete() const;        // every object of every cluster that we should see has the server's version
    const patroni::Cluster *cluster(const MadeCluster &made, const Monitor *of = nullptr) const;
    bool leads(const MadeCluster &made, int member) const;
    QStringList digest(const Monitor &of) const; // all clusters, field by field, apart from times of observation
    QStringList events(
        qsizetype from = 0) const; // "leader-changed acme: from=acme-0 to=acme-1", without those of connections, delays, and Pods that came
    // and went (one that is back before it was asked for is only another one)
    qsizetype noted() const { return static_cast<qsizetype>(monitor->store().events().size()); }

    QStringList breaches; // of what must hold at every moment
    bool mayExpire = false;
    bool keeps = false;         // no cluster may be out of sight, not for a moment
    int expiredLosses = 0;      // of streams, said to be lost because their version had expired
    std::optional<Sight> sight; // enforced from now on
    bool reached = false;       // what a Sight::Stale or Forbidden asks for was seen
    bool everStale = false;     // since the fault began
    qsizetype firstRequest = 0; // of those since the fault began
    int lists(qsizetype from) const;

private:
    int m_probes = 0; // answered, or given up
    void look();
    patroni::Freshness streamOf(const patroni::Cluster &cluster) const; // that its lock goes by
};

struct Fault
{
    const char *serves = ""; // the bullet of the design rule
    Sight sight = Sight::Recovers;
    std::function<void(Scene &)> inject = [](Scene &) {};
    std::function<void(Scene &)> heal = [](Scene &s) { s.api.rest(); };
    std::function<void(Scene &)> meanwhile = {};           // on the server, after the injection; unset: the usual
    std::function<void(Scene &)> prepare = [](Scene &) {}; // before anything is opened
    std::function<void(Scene &)> during = [](Scene &) {};  // looks closer at what the user sees, before it is healed
    std::function<void(Scene &)> verify = [](Scene &) {};  // at the end, beyond what is verified for every row
    const char *says = "";                                 // part of the error shown
    bool whole = true;                                     // the server delivers every change: every event has to be there
    int lasts = 30;                                        // seconds (of the injected clock) that pass before we look
    int most = 150;                                        // requests from the injection to the end
    FakeApiServer::Mode mode = FakeApiServer::Mode::Https;

    // A switchover and whatever comes with it, another cluster's settings, a Pod that is replaced.
    static void usual(Scene &s);
};

// Everything that is asked of every row. Failures are reported through QTest.
void play(const Fault &fault);

using Rows = std::vector<std::pair<const char *, Fault>>;
void addRows(const Rows &rows); // for a _data() function
void playRow(const Rows &rows); // the one that is fetched

int threads();
bool eventually(Scene &s, const std::function<bool()> &condition, int milliseconds = 20000);

} // namespace switchyard::test
