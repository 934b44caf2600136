// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a stream of objects of one cluster means, without times: the alphabet in which a simulated run and a recording are compared.
#include <nlohmann/json.hpp>

#include <QStringList>

#include <optional>
#include <string>

namespace switchyard::simulator {

class AbstractChanges
{
public:
    AbstractChanges(std::string scope, bool endpoints, std::string roleLabel)
        : m_scope(std::move(scope))
        , m_endpoints(endpoints)
        , m_roleLabel(std::move(roleLabel))
    {}

    // `first`: the state to start from, not a change.
    void apply(const std::string &resource, const nlohmann::json &object, bool first);
    const QStringList &changes() const { return m_changes; }
    std::string leader() const { return m_leader; }
    int renewals() const { return m_renewals; } // of a held lock, since the last change

private:
    void failover(const nlohmann::json &annotations);
    void leaderObject(const nlohmann::json &annotations);
    void history(const nlohmann::json &annotations);
    void sync(const nlohmann::json &annotations);
    void pod(const std::string &name, const nlohmann::json &metadata);
    void change(const char *text);

    std::string m_scope;
    bool m_endpoints;
    std::string m_roleLabel;
    bool m_first = false;
    std::string m_leader, m_lastLeader, m_candidate, m_renewTime, m_wasLeader, m_syncLeader, m_standbys;
    bool m_pending = false, m_replaced = false;
    std::size_t m_history = 0;
    std::map<std::string, std::string> m_labels;
    std::map<std::string, int> m_timelines;
    int m_renewals = 0;
    QStringList m_changes;
};

} // namespace switchyard::simulator
