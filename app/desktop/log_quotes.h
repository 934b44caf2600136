// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What members logged around the decision on a request: fetched once for each that is decided while its cluster is open, where that is
// permitted, and shown beside its outcome.
#include "app/clusters/member_log.h"
#include "app/clusters/monitor.h"
#include "views/main_window.h"

#include <map>
#include <set>

namespace switchyard::desktop {

class LogQuotes : public QObject
{
    Q_OBJECT
public:
    LogQuotes(Monitor *monitor, views::MainWindow *window, QObject *parent = nullptr);
    void look(const patroni::ClusterKey &key); // it changed, or was opened
    void opened(const patroni::ClusterKey &key);

private:
    struct Quote
    {
        std::string request, member;
        std::vector<DecisionLine> lines;
    };
    void show(const patroni::ClusterKey &key, const Quote &quote);

    Monitor *m_monitor;
    views::MainWindow *m_window;
    std::set<std::string> m_asked;                             // ids of requests
    std::map<patroni::ClusterKey, std::vector<Quote>> m_known; // of the last request of each cluster
};

} // namespace switchyard::desktop
