// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What members logged around the decision on a request: fetched once for each that is decided while its cluster is open, and again when
// the decision turns out to be another or a member could not be asked, where that is permitted, and shown beside its outcome.
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
    void failed(const std::string &request, const std::string &member, const Error &error);
    void keep(const patroni::ClusterKey &key, const Quote &quote);
    void show(const patroni::ClusterKey &key, const Quote &quote);

    Monitor *m_monitor;
    views::MainWindow *m_window;
    struct Asked
    {
        patroni::Outcome outcome{};
        bool heldBack = false;
        std::map<std::string, int> failures{}; // of members
        std::set<std::string> open{};          // members that have not answered, and are to be asked (again)
    };
    std::map<std::string, Asked> m_asked;                      // by the id of the request
    std::map<patroni::ClusterKey, std::vector<Quote>> m_known; // of the last request of each cluster
};

} // namespace switchyard::desktop
