// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What became of a request that was written here: read from the cluster as it changes, and told once, when it is decided.
#include "app/actions/writer.h"

#include <map>

namespace switchyard::desktop {

struct Outcome
{
    QString auditId;
    patroni::ClusterKey cluster;
    std::string code;   // "done", "refused"
    std::string detail; // "reason=leader-mismatch leader=acme-2"
};

class OutcomeWatch
{
public:
    // A write that was answered, or may have been done. What is no request, or was not done, is not watched.
    void add(const actions::WriteResult &result, Boot sent);
    // The requests of the cluster that have been decided since.
    std::vector<Outcome> decided(const patroni::Cluster &cluster);
    bool empty() const { return m_watched.empty(); }

private:
    struct Watched
    {
        QString auditId;
        actions::RequestKeys wanted;        // leader, member, scheduled_at; of a REST call: empty
        std::optional<std::string> version; // of the object with the request; nullopt: not known
        Boot sent{};
    };
    static const patroni::RequestReport *reportOf(const patroni::Cluster &cluster, const Watched &watched);

    std::multimap<patroni::ClusterKey, Watched> m_watched;
};

} // namespace switchyard::desktop
