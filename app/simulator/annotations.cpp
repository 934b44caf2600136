// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/annotations.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <regex>

namespace switchyard::simulator {

namespace {

std::string dateTimeText(SimTime time)
{
    using namespace std::chrono;
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(floor<seconds>(time - day));
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                  static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
    return text.data();
}

std::string fractionText(SimTime time)
{
    const auto micros = (time - std::chrono::floor<std::chrono::seconds>(time)).count();
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), ".%06d", static_cast<int>(micros));
    return text.data();
}

int number(const std::ssub_match &match)
{
    return match.matched ? std::atoi(match.str().c_str()) : 0;
}

std::optional<SimTime> dateTime(const std::smatch &match)
{
    using namespace std::chrono;
    const year_month_day date{year(number(match[1])), month(static_cast<unsigned>(number(match[2]))),
                              day(static_cast<unsigned>(number(match[3])))};
    const int hour = number(match[4]), minute = number(match[5]), second = number(match[6]);
    if (!date.ok() || hour > 23 || minute > 59 || second > 59)
        return std::nullopt;
    std::string fraction = match[7].str();
    fraction.resize(6, '0');
    return sys_days(date) + hours(hour) + minutes(minute) + seconds(second) + microseconds(std::atoi(fraction.c_str()));
}

} // namespace

std::string isoText(SimTime time)
{
    const bool whole = time == std::chrono::floor<std::chrono::seconds>(time);
    return dateTimeText(time) + (whole ? std::string() : fractionText(time)) + "+00:00";
}

std::string secondsText(SimTime time)
{
    return dateTimeText(time) + 'Z';
}

std::string microText(SimTime time)
{
    return dateTimeText(time) + fractionText(time) + 'Z';
}

std::string historyText(const std::vector<PastTimeline> &history)
{
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const PastTimeline &entry : history)
        array.push_back({entry.ended, entry.lsn, "no recovery target specified", isoText(entry.at), entry.newLeader});
    return array.dump();
}

std::string slotName(const std::string &member)
{
    std::string name = member;
    for (char &c : name)
        if (c == '-' || c == '.')
            c = '_';
    return name;
}

std::string slotsText(const std::vector<std::pair<std::string, std::int64_t>> &slots)
{
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const auto &[name, lsn] : slots)
        object[name] = lsn;
    return object.dump();
}

std::string retainSlotsText(const std::vector<std::string> &slots)
{
    std::string text = "[";
    for (const std::string &slot : slots)
        text += (text.size() > 1 ? ", \"" : "\"") + slot + '"';
    return text + ']';
}

Schedule parseSchedule(const std::string &text)
{
    if (text.empty())
        return {};
    static const std::regex pattern(R"(^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?\s*)"
                                    R"((?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2})?|([A-Z]{3,5}))?$)");
    std::smatch match;
    if (!std::regex_match(text, match, pattern))
        return {Schedule::Form::Unparsable};
    const auto local = dateTime(match);
    if (!local || number(match[10]) > 23 || number(match[11]) > 59)
        return {Schedule::Form::Unparsable};
    if (match[8].matched)
        return {Schedule::Form::At, *local};
    if (!match[9].matched) // no offset, or the name of a zone nobody knows
        return {Schedule::Form::Naive, *local};
    const auto offset = std::chrono::hours(number(match[10])) + std::chrono::minutes(number(match[11]));
    return {Schedule::Form::At, match[9] == "-" ? *local + offset : *local - offset};
}

Version parseVersion(const std::string &text)
{
    Version version;
    std::sscanf(text.c_str(), "%d.%d.%d", &version.major, &version.minor, &version.patch); // NOLINT(cert-err34-c): a plan's own text
    return version;
}

} // namespace switchyard::simulator
