// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "abstract_changes.h"

namespace switchyard::simulator {

using Json = nlohmann::json;

namespace {

std::string text(const Json &annotations, const char *key)
{
    const auto it = annotations.find(key);
    return it != annotations.end() && it->is_string() ? it->get<std::string>() : std::string();
}

} // namespace

void AbstractChanges::apply(const std::string &resource, const Json &object, bool first)
{
    m_first = first;
    const Json &metadata = object.at("metadata");
    const std::string name = metadata.at("name");
    const Json annotations = metadata.value("annotations", Json::object());
    if (resource == "pods") {
        if (annotations.contains("status"))
            pod(name, metadata);
        return;
    }
    if (resource != (m_endpoints ? "endpoints" : "configmaps"))
        return;
    if (name == m_scope + "-failover")
        failover(annotations);
    else if (name == (m_endpoints ? m_scope : m_scope + "-leader"))
        leaderObject(annotations);
    else if (name == m_scope + "-config")
        history(annotations);
    else if (name == m_scope + "-sync")
        sync(annotations);
}

void AbstractChanges::change(const char *what)
{
    if (m_first)
        return;
    m_renewals = 0;
    m_changes.append(QString::fromLatin1(what));
}

void AbstractChanges::failover(const Json &annotations)
{
    const bool pending = !text(annotations, "leader").empty() || !text(annotations, "member").empty();
    if (pending)
        m_candidate = text(annotations, "member");
    if (pending != m_pending)
        change(pending ? "failover set" : "failover cleared");
    m_pending = pending;
}

void AbstractChanges::leaderObject(const Json &annotations)
{
    const std::string leader = text(annotations, "leader"), renewTime = text(annotations, "renewTime");
    if (!leader.empty() && leader == m_leader && renewTime != m_renewTime)
        ++m_renewals;
    m_renewTime = renewTime;
    if (leader == m_leader)
        return;
    if (leader.empty()) {
        change("leader released");
    } else {
        m_replaced = leader != m_lastLeader;
        m_wasLeader = m_lastLeader;
        change(!m_replaced ? "leader taken back" : leader == m_candidate ? "leader taken by the candidate" : "leader taken by another");
    }
    m_leader = leader;
    if (!leader.empty())
        m_lastLeader = leader;
}

void AbstractChanges::sync(const Json &annotations)
{
    const std::string leader = text(annotations, "leader"), standbys = text(annotations, "sync_standby");
    if (leader != m_syncLeader)
        change(leader.empty() ? "synchronous mode left" : "synchronous mode entered");
    else if (standbys != m_standbys)
        change(standbys.empty() ? "no synchronous standby" : "synchronous standby named");
    m_syncLeader = leader;
    m_standbys = standbys;
}

void AbstractChanges::history(const Json &annotations)
{
    const Json entries = Json::parse(text(annotations, "history"), nullptr, false);
    const std::size_t count = entries.is_array() ? entries.size() : 0;
    if (count > m_history)
        change("history grown");
    m_history = count;
}

void AbstractChanges::pod(const std::string &name, const Json &metadata)
{
    const std::string label = metadata.value("labels", Json::object()).value(m_roleLabel, std::string());
    const bool leads = label == "primary" || label == "master";
    std::string &old = m_labels[name];
    if (label != old) {
        if (leads)
            change("role label moved");
        else if (label == "replica" && name == m_wasLeader && !m_first)
            change("former leader is a replica");
        old = label;
    }
    const Json status = Json::parse(text(metadata.value("annotations", Json::object()), "status"), nullptr, false);
    if (!status.is_object() || !status.contains("timeline"))
        return;
    int &timeline = m_timelines[name];
    if (name == m_leader && status["timeline"].get<int>() > timeline)
        change("leader is on a new timeline");
    timeline = status["timeline"].get<int>();
}

} // namespace switchyard::simulator
