// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/annotations.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <string_view>

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

// Takes pieces off the front of a text.
struct Scanner
{
    std::string_view rest;

    bool take(std::string_view any) // one of these characters
    {
        if (rest.empty() || any.find(rest.front()) == std::string_view::npos)
            return false;
        rest.remove_prefix(1);
        return true;
    }
    std::optional<int> digits(std::size_t count)
    {
        if (rest.size() < count)
            return std::nullopt;
        int value = 0;
        for (const char c : rest.substr(0, count)) {
            if (c < '0' || c > '9')
                return std::nullopt;
            value = value * 10 + (c - '0');
        }
        rest.remove_prefix(count);
        return value;
    }
};

std::optional<SimTime> takeDateTime(Scanner &text)
{
    using namespace std::chrono;
    std::optional<int> month, day, hour = 0, minute = 0, second = 0;
    const auto year = text.digits(4);
    if (!year || !text.take("-") || !(month = text.digits(2)) || !text.take("-") || !(day = text.digits(2)))
        return std::nullopt;
    if (!text.rest.empty()) { // a date alone is its midnight
        const bool shaped = text.take("T ") && (hour = text.digits(2)) && text.take(":") && (minute = text.digits(2))
            && (!text.take(":") || (second = text.digits(2)));
        if (!shaped)
            return std::nullopt;
    }
    microseconds fraction{0};
    if (text.take(".,"))
        for (int unit = 100000; const auto digit = text.digits(1); unit /= 10)
            fraction += microseconds(unit * *digit);
    const year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                              std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok() || *hour > 23 || *minute > 59 || *second > 59)
        return std::nullopt;
    return sys_days(date) + hours(*hour) + minutes(*minute) + seconds(*second) + fraction;
}

bool isZoneName(std::string_view text)
{
    return text.size() >= 3 && text.size() <= 5 && text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
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
    Scanner scanner{text};
    const auto local = takeDateTime(scanner);
    if (!local)
        return {Schedule::Form::Unparsable};
    while (scanner.take(" ")) {}
    if (scanner.rest == "Z" || scanner.rest == "UTC" || scanner.rest == "GMT")
        return {Schedule::Form::At, *local};
    if (scanner.rest.empty() || isZoneName(scanner.rest)) // no offset, or the name of a zone nobody knows
        return {Schedule::Form::Naive, *local};
    const bool west = scanner.rest.front() == '-';
    std::optional<int> hour, minute = 0;
    const bool shaped = scanner.take("+-") && (hour = scanner.digits(2))
        && (scanner.rest.empty() || ((scanner.take(":"), true) && (minute = scanner.digits(2)) && scanner.rest.empty()));
    if (!shaped || *hour > 23 || *minute > 59)
        return {Schedule::Form::Unparsable};
    const auto offset = std::chrono::hours(*hour) + std::chrono::minutes(*minute);
    return {Schedule::Form::At, west ? *local + offset : *local - offset};
}

Version parseVersion(const std::string &text)
{
    Version version;
    std::sscanf(text.c_str(), "%d.%d.%d", &version.major, &version.minor, &version.patch); // NOLINT(cert-err34-c): a plan's own text
    return version;
}

} // namespace switchyard::simulator
