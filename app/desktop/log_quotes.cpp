// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/log_quotes.h"

#include "models/patroni/find_member.h"
#include "views/words.h"

#include <utility>

namespace switchyard::desktop {

using views::text;

LogQuotes::LogQuotes(Monitor *monitor, views::MainWindow *window, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_window(window)
{}

void LogQuotes::look(const patroni::ClusterKey &key)
{
    const patroni::Cluster *cluster = m_monitor->store().find(key);
    Connection *connection = m_monitor->connection(text(key.context));
    if (m_window->openedCluster() != key || !cluster || !connection || cluster->requests.empty())
        return;
    const patroni::RequestReport &report = cluster->requests.back();
    // One that was decided before we looked is of the past: its log may be gone, and nobody waits for it.
    if ((!patroni::isFinal(report.outcome) && !report.heldBack) || !report.decidedAt)
        return;
    auto [entry, isNew] = m_asked.try_emplace(report.id);
    Asked &asked = entry->second;
    if (isNew)
        m_known.erase(key);
    if (isNew || asked.outcome != report.outcome || asked.heldBack != report.heldBack) {
        const auto members = decisionMembers(report);
        asked = Asked{report.outcome, report.heldBack, {}, {members.begin(), members.end()}};
    }
    if (asked.open.empty())
        return;
    const auto count = cluster->requests.size();
    const auto before = count > 1 ? cluster->requests[count - 2].decidedWall : std::nullopt;
    const LogWindow window = decisionWindow(report, m_monitor->now().wall, before);
    for (const std::string &name : std::exchange(asked.open, {})) {
        const patroni::Member *member = patroni::findMember(*cluster, name);
        if (!member)
            continue;
        fetchDecisionLines(connection->client(), key.ns, member->record, window, this,
                           [this, key, id = report.id](const MemberLines &told) {
                               if (told.error)
                                   return failed(id, told.member, *told.error);
                               if (!told.lines.empty()) // it may say nothing of it
                                   keep(key, {id, told.member, told.lines});
                           });
    }
}

// Asked again with the next news of the cluster, unless that is not permitted.
void LogQuotes::failed(const std::string &request, const std::string &member, const Error &error)
{
    constexpr int attempts = 3;
    Asked &asked = m_asked[request];
    if (error.kind != ErrorKind::Forbidden && ++asked.failures[member] < attempts)
        asked.open.insert(member);
}

void LogQuotes::keep(const patroni::ClusterKey &key, const Quote &quote)
{
    const patroni::Cluster *cluster = m_monitor->store().find(key);
    if (!cluster || cluster->requests.empty() || cluster->requests.back().id != quote.request)
        return; // another one was written meanwhile
    auto &known = m_known[key];
    std::erase_if(known, [&quote](const Quote &old) { return old.member == quote.member; });
    known.push_back(quote);
    show(key, quote);
}

void LogQuotes::opened(const patroni::ClusterKey &key)
{
    for (const Quote &quote : m_known[key])
        show(key, quote);
    look(key);
}

void LogQuotes::show(const patroni::ClusterKey &key, const Quote &quote)
{
    QStringList lines;
    for (const DecisionLine &line : quote.lines)
        lines << text(line.text);
    m_window->setLogLines(key, quote.request, quote.member, lines, loggedReason(quote.lines));
}

} // namespace switchyard::desktop
