// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What became of what was written here: read from the cluster as it changes, and told when it changes, for the audit trail.
#include "app/actions/writer.h"
#include "models/rules/write_outcome.h"

#include <map>
#include <set>

namespace switchyard::desktop {

struct Outcome
{
    QString auditId;
    patroni::ClusterKey cluster;
    std::string code;   // of a request "done", "refused" ...; else code(rules::WriteOutcome)
    std::string detail; // "reason=leader-mismatch leader=acme-2"
};

class OutcomeWatch
{
public:
    // It is about to be sent: what there is now is what it is compared with.
    void begin(const actions::PlannedWrite &planned, const rules::ActionWish &wish, const patroni::Cluster &cluster, Now now);
    // It was answered, or may have been done. What was not done is not watched.
    void add(const actions::WriteResult &result);
    // What is known of the cluster's writes that was not told yet. The last one told of a write counts.
    std::vector<Outcome> news(const patroni::Cluster &cluster, Now now);
    bool empty() const { return m_watched.empty() && !m_flying; }

private:
    struct Watched
    {
        QString auditId;
        rules::ActionKind kind{};
        actions::RequestKeys wanted;        // of a request: leader, member, scheduled_at
        std::optional<std::string> version; // of the object with the request; nullopt: not known
        Boot sent{};
        rules::WriteTrace trace{}; // of all others
        std::string told{};        // the code
    };
    const patroni::RequestReport *reportOf(const patroni::Cluster &cluster, const Watched &watched) const;
    std::optional<Outcome> look(Watched &watched, const patroni::Cluster &cluster, Now now) const;

    std::optional<std::pair<patroni::ClusterKey, Watched>> m_flying; // one at a time
    std::multimap<patroni::ClusterKey, Watched> m_watched;
    std::set<std::pair<patroni::ClusterKey, std::string>> m_made; // versions of requests that are known to be of one write
};

} // namespace switchyard::desktop
