// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/log_quotes.h"

#include "models/patroni/find_member.h"
#include "views/words.h"

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
    if ((!patroni::isFinal(report.outcome) && !report.heldBack) || !report.decidedAt || !m_asked.insert(report.id).second)
        return;
    m_known.erase(key);
    const LogWindow window = decisionWindow(report, m_monitor->now().wall);
    for (const std::string &name : decisionMembers(report)) {
        const patroni::Member *member = patroni::findMember(*cluster, name);
        if (!member)
            continue;
        fetchDecisionLines(connection->client(), key.ns, member->record, window, this,
                           [this, key, id = report.id](const MemberLines &told) {
                               if (told.lines.empty())
                                   return; // not permitted, or it says nothing of it
                               const Quote quote{id, told.member, told.lines};
                               m_known[key].push_back(quote);
                               show(key, quote);
                           });
    }
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
