// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Events of one cluster: what changed between two states of an object.
#include "models/events/event.h"
#include "models/events/history_change.h"
#include "models/events/member_fact.h"

namespace switchyard {

using EventDetail = std::map<std::string, std::string>;

// Which object an event is about.
struct Subject
{
    std::string name, uid;
};

// Makes events with ids, times and the cluster filled in.
class Announcer
{
public:
    explicit Announcer(patroni::ClusterKey key)
        : m_key(std::move(key))
    {}
    void setSink(std::vector<Event> *sink) { m_sink = sink; }
    // Nothing is said of a first sight unless `always`.
    void say(EventCode type, const Moment &moment, const Subject &subject, EventDetail detail, std::string_view extra = {},
             bool always = false);

private:
    patroni::ClusterKey m_key;
    std::vector<Event> *m_sink = nullptr;
};

// What changed, as detail; nullopt: nothing that counts.
std::optional<EventDetail> syncDifference(const std::optional<patroni::SyncState> &before, const std::optional<patroni::SyncState> &now);
std::optional<EventDetail> configDifference(const patroni::DynamicConfig &before, const patroni::DynamicConfig &now);
std::optional<EventDetail> memberDifference(const MemberFact &before, const MemberFact &now);
EventDetail historyDetail(const HistoryChange &change, const std::vector<patroni::HistoryEntry> &before, const std::string &systemBefore,
                          const std::string &systemNow);
std::string secondsText(Duration d); // whole ones
std::string decimalText(Duration d); // "21.4"
EventDetail requestDetail(const patroni::FailoverRequest &request);

} // namespace switchyard
