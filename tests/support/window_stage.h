// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The window with its models on hand-made clusters, shown, and the scenes it is tested with.
#include "tests/support/made_clusters.h"
#include "views/main_window.h"
#include "views/pages/fleet_page.h"

#include <QAction>
#include <QCoreApplication>
#include <QTableView>
#include <QTest>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

inline patroni::Cluster named(patroni::Cluster c, const std::string &context, const std::string &ns, const std::string &scope)
{
    c.names.key = {context, ns, scope, {}, scope};
    for (auto &m : c.members)
        m.record.name.replace(0, 4, scope);
    for (auto *name : {&c.leaderName, &c.lock.holder})
        if (*name)
            (*name)->replace(0, 4, scope);
    for (auto &reason : c.health.reasons)
        if (reason.subject.starts_with("acme"))
            reason.subject.replace(0, 4, scope);
    if (c.sync)
        for (auto &standby : c.sync->standbys)
            standby.replace(0, 4, scope);
    for (auto &r : c.requests)
        for (auto *name : {&r.request.leader, &r.request.member})
            if (*name)
                (*name)->replace(0, 4, scope);
    return c;
}

inline std::vector<patroni::Cluster> mixed()
{
    auto late = made::healthy();
    late.lock.late = true;
    late.lock.changedNotBefore = late.lock.changedNotAfter = made::now(-23s).boot;
    late.lock.expiresAt = made::now(7s).boot;
    late.health = {patroni::Health::Degraded, {{patroni::HealthReason::LateRenewal, {}, {}}}};
    return {named(made::healthy(), "prod-eu", "payments", "acme"),    named(made::troubled(), "prod-eu", "payments", "ledger"),
            named(made::expired(), "prod-eu", "payments", "audit"),   named(made::paused(), "prod-eu", "warehouse", "stock"),
            named(made::scheduled(), "prod-eu", "warehouse", "bins"), named(late, "prod-eu", "identity", "users"),
            named(made::stale(), "staging", "payments", "acme"),      named(made::stale(), "staging", "payments", "ledger"),
            named(made::blank(), "prod-eu", "identity", "fresh")};
}

inline std::vector<patroni::Cluster> forty()
{
    const char *scopes[] = {"orders", "billing", "search", "catalog", "shipping", "reports", "inventory", "sessions", "mail", "geo"};
    const char *namespaces[] = {"shop", "core", "data", "edge"};
    std::vector<patroni::Cluster> all;
    for (int i = 0; i < 40; ++i) {
        auto c = i == 17  ? made::expired()
            : i % 11 == 3 ? made::troubled()
            : i % 13 == 5 ? made::paused()
            : i == 22     ? made::scheduled()
                          : made::healthy();
        c = named(std::move(c), i % 3 ? "prod-eu" : "prod-us", namespaces[i / 10], scopes[i % 10]);
        c.leaderSince = made::now(-std::chrono::minutes(13 * i * i + 3)).boot;
        c.lastChange = made::now(-std::chrono::minutes(7 * i * i + 1)).boot;
        if (c.lock.state == patroni::LockState::Held)
            c.lock.expiresAt = made::now(std::chrono::seconds(20 + i % 10)).boot;
        c.timeline = 1 + i % 9;
        all.push_back(std::move(c));
    }
    return all;
}

inline std::vector<ContextStatus> liveContexts()
{
    ContextStatus prod;
    prod.name = u"prod-eu"_s;
    prod.freshness = patroni::Freshness::Live;
    prod.lastContact = made::now(-1s).boot;
    prod.server = u"https://10.0.0.1:6443"_s;
    prod.user = u"viewer"_s;
    ContextStatus staging = prod;
    staging.name = u"staging"_s;
    staging.freshness = patroni::Freshness::Stale;
    staging.lastContact = staging.staleSince = made::now(-48s).boot;
    staging.retryIn = 6s;
    staging.error = u"no answer"_s;
    staging.insecure = true;
    return {prod, staging};
}

inline std::vector<Event> someEvents()
{
    std::vector<Event> list;
    for (int i = 0; i < 40; ++i) {
        Event e;
        e.id = std::to_string(i);
        e.type = static_cast<EventCode>(i % eventCodeCount);
        e.cluster = {"prod-eu", "payments", i % 3 ? "acme" : "ledger", {}, i % 3 ? "acme" : "ledger"};
        e.at = made::now(-std::chrono::minutes(40 - i)).boot;
        e.wall = made::now(-std::chrono::minutes(40 - i)).wall;
        e.object = "acme-1";
        e.resourceVersion = std::to_string(90000 + i);
        e.detail = {{"from", "acme-0"}, {"to", "acme-1"}, {"member", "acme-2"}};
        if (e.type == EventCode::TimelineAdvanced)
            e.detail = {{"from", "7"}, {"to", "8"}};
        if (e.type == EventCode::ConnectionLost || e.type == EventCode::ConnectionRestored) {
            e.cluster = {"staging", "", "", {}, ""};
            e.object.clear();
            e.detail = {{"error", "list endpoints: no answer for 30 s"}};
        }
        list.push_back(e);
    }
    return list;
}

// The window with its models, shown.
struct Stage
{
    items::FleetModel fleet;
    items::EventsModel events;
    std::unique_ptr<MainWindow> window;
    std::vector<patroni::Cluster> clusters;

    explicit Stage(std::vector<patroni::Cluster> all, bool withEvents = true)
        : clusters(std::move(all))
    {
        window = std::make_unique<MainWindow>(&fleet, &events);
        std::vector<const patroni::Cluster *> list;
        for (const auto &c : clusters)
            list.push_back(&c);
        fleet.update(list, made::now());
        if (withEvents)
            events.append(someEvents());
        if (!clusters.empty())
            window->setContexts(liveContexts(), made::now());
        // As the program does: answer the user's choice.
        QObject::connect(window.get(), &MainWindow::clusterOpened, window.get(), [this](const patroni::ClusterKey &key) { open(key); });
        window->show();
        window->activateWindow();
        QCoreApplication::processEvents();
        window->tick(made::now());
    }
    void open(const patroni::ClusterKey &key)
    {
        const patroni::Cluster *found = nullptr;
        for (const auto &c : clusters)
            if (c.names.key == key)
                found = &c;
        window->openCluster(key, found, made::now());
    }
    template<class T>
    T *child() const
    {
        return window->findChild<T *>();
    }
    QTableView *table() const { return child<FleetPage>()->table(); }
    QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }
    QAction *action(const QString &part) const
    {
        for (QAction *a : window->findChildren<QAction *>())
            if (QString(a->text()).remove(u'&').contains(part))
                return a;
        return nullptr;
    }
};

inline void doubleClick(QTableView *table, int row, int column)
{
    const QPoint at = table->visualRect(table->model()->index(row, column)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, at);
}

} // namespace switchyard::views
