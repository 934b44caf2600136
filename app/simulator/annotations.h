// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The texts Patroni writes into annotations, exactly as it formats them, and how it reads scheduled_at.
#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace switchyard::simulator {

using SimTime = std::chrono::sys_time<std::chrono::microseconds>;

std::string isoText(SimTime time);     // 2031-02-01T06:00:11.402917+00:00; no fraction when it is 0
std::string secondsText(SimTime time); // 2031-02-01T06:00:11Z
std::string microText(SimTime time);   // 2031-02-01T06:00:11.402917Z

struct PastTimeline
{
    int ended;
    std::int64_t lsn;
    SimTime at;
    std::string newLeader;
};
std::string historyText(const std::vector<PastTimeline> &history);
std::string slotName(const std::string &member); // alpha-0 -> alpha_0
std::string slotsText(const std::vector<std::pair<std::string, std::int64_t>> &slots);
std::string retainSlotsText(const std::vector<std::string> &slots);

struct Schedule
{
    enum class Form { None, Naive, Unparsable, At } form = Form::None;
    SimTime at{};
};
Schedule parseSchedule(const std::string &text);

struct Version
{
    int major = 0, minor = 0, patch = 0;
    auto operator<=>(const Version &) const = default;
};
Version parseVersion(const std::string &text);

} // namespace switchyard::simulator
