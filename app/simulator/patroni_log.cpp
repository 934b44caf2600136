// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What each member logs, and which of its settings wait for a restart.
#include "app/simulator/patroni_sim.h"

namespace switchyard::simulator {

namespace {

constexpr std::size_t linesKept = 400;

// 2031-02-03 10:00:11,402
std::string loggedTime(SimTime time)
{
    std::string text = microText(time); // 2031-02-03T10:00:11.402917Z
    text[10] = ' ';
    text[19] = ',';
    return text.substr(0, 23);
}

} // namespace

void PatroniSim::say(Member &me, const std::string &text, const char *level)
{
    me.log.push_back({m_now, loggedTime(m_now) + ' ' + level + ": " + text});
    if (me.log.size() > linesKept)
        me.log.pop_front();
}

std::string PatroniSim::logOf(const std::string &name, SimTime since, bool stamped) const
{
    const Member *me = find(name);
    std::string text;
    for (const LogLine &line : me ? me->log : std::deque<LogLine>()) {
        if (line.at >= since)
            text += (stamped ? microText(line.at) + ' ' : std::string()) + line.text + '\n';
    }
    return text;
}

// Those of PostgreSQL's settings that only a restart changes, as far as demonstrations need them.
std::string PatroniSim::restartSettings() const
{
    const Json config = Json::parse(get("-config", "config"), nullptr, false);
    const Json parameters = config.is_object() ? config.value(Json::json_pointer("/postgresql/parameters"), Json::object())
                                               : Json::object();
    Json found = Json::object();
    for (const char *key : {"max_connections", "wal_level", "shared_buffers", "max_worker_processes", "max_wal_senders"})
        if (parameters.is_object() && parameters.contains(key))
            found[key] = parameters[key];
    return found.dump();
}

void PatroniSim::startPostgres(Member &me)
{
    me.started = m_now;
    me.startedWith = restartSettings();
}

bool PatroniSim::restartPending(const Member &me) const
{
    return me.up && !me.startedWith.empty() && me.startedWith != restartSettings();
}

} // namespace switchyard::simulator
