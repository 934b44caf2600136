// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/schedule_time.h"

#include <algorithm>
#include <array>

namespace switchyard::patroni {

namespace {

using namespace std::chrono;
using Schedule = FailoverRequest::Schedule;

struct Token
{
    enum class Kind { Number, Word, Symbol, Blank, End } kind = Kind::End;
    std::string_view text{};
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// A number may have one fraction, unless a second dot shows that dots separate the parts of a date.
std::size_t numberLength(std::string_view text)
{
    std::size_t end = 0;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    const bool point = end + 1 < text.size() && isDigit(text[end + 1]) && (text[end] == '.' || (text[end] == ',' && end >= 2));
    if (!point)
        return end;
    std::size_t fraction = end + 1;
    while (fraction < text.size() && isDigit(text[fraction]))
        ++fraction;
    const bool dotted = fraction + 1 < text.size() && text[fraction] == '.' && isDigit(text[fraction + 1]);
    return dotted ? end : fraction;
}

std::vector<Token> tokens(std::string_view text)
{
    std::vector<Token> result;
    bool dotted = false; // inside 3.2.2031: the last dot is none of a fraction either
    while (!text.empty()) {
        std::size_t length = 1;
        Token::Kind kind = Token::Kind::Symbol;
        if (isDigit(text[0])) {
            kind = Token::Kind::Number;
            length = numberLength(text);
            const auto digits = std::find_if_not(text.begin(), text.end(), isDigit) - text.begin();
            const auto whole = static_cast<std::size_t>(digits);
            if (dotted)
                length = whole;
            dotted = length == whole && whole < text.size() && text[whole] == '.';
        } else if (isLetter(text[0])) {
            kind = Token::Kind::Word;
            length = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isLetter) - text.begin());
        } else if (isBlank(text[0])) {
            kind = Token::Kind::Blank;
        }
        result.push_back({kind, text.substr(0, length)});
        text.remove_prefix(length);
    }
    return result;
}

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

// 1..n: the word is that name, or its first three letters (four for "sept").
int nameIndex(const std::string &word, std::initializer_list<std::string_view> names)
{
    int index = 0;
    for (const auto name : names) {
        ++index;
        if (word == name || word == name.substr(0, 3))
            return index;
    }
    return word == "sept" && names.size() == 12 ? 9 : 0;
}

int monthOf(const std::string &word)
{
    return nameIndex(
        word, {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"});
}

bool isWeekday(const std::string &word)
{
    return nameIndex(word, {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}) != 0;
}

bool isFiller(const std::string &word)
{
    for (const std::string_view filler : {"at", "on", "and", "ad", "m", "t", "of", "st", "nd", "rd", "th"}) {
        if (word == filler)
            return true;
    }
    return false;
}

struct DatePart
{
    std::int64_t value = 0;
    bool isName = false;
    bool isYear = false; // more than two digits
};

class Reader
{
public:
    explicit Reader(std::string_view text)
        : m_tokens(tokens(text))
    {}
    ScheduleTime read();

private:
    using Kind = Token::Kind;
    const Token &at(std::size_t i) const { return i < m_tokens.size() ? m_tokens[i] : m_end; }
    bool symbol(std::size_t i, std::string_view anyOf) const
    {
        return at(i).kind == Kind::Symbol && anyOf.find(at(i).text[0]) != std::string_view::npos;
    }
    std::optional<std::int64_t> whole(std::size_t i) const;
    // Each takes what begins at m_pos and moves on; false: dateutil cannot read it.
    bool step();
    bool number();
    bool word();
    bool clock();
    bool dateGroup();
    bool packed();
    bool unit();
    bool barePart();
    bool zone();
    bool offset(bool reversed);
    bool halfDay(const std::string &text);
    bool setSeconds(std::string_view text);
    bool pushPart(std::size_t i);
    ScheduleTime finish() const;
    std::optional<sys_days> date() const;
    bool partialDateIsPossible() const;

    std::vector<Token> m_tokens;
    Token m_end{};
    std::size_t m_pos = 0;
    std::vector<DatePart> m_parts;
    bool m_weekday = false, m_halfDay = false, m_zoneName = false;
    std::optional<std::int64_t> m_hour, m_minute, m_second;
    std::int64_t m_micros = 0;
    std::optional<std::int64_t> m_offset;
};

std::optional<std::int64_t> Reader::whole(std::size_t i) const
{
    return at(i).kind == Kind::Number && at(i).text.size() < 18 ? parseInteger(at(i).text) : std::nullopt;
}

ScheduleTime Reader::read()
{
    while (m_pos < m_tokens.size()) {
        if (!step())
            return {};
    }
    return finish();
}

bool Reader::step()
{
    if (at(m_pos).kind == Kind::Number)
        return number();
    if (at(m_pos).kind == Kind::Word)
        return word();
    if (m_hour && symbol(m_pos, "+-"))
        return offset(false);
    const bool skip = at(m_pos).kind == Kind::Blank || symbol(m_pos, ".,;-/'");
    ++m_pos;
    return skip;
}

bool Reader::number()
{
    if (symbol(m_pos + 1, ":") && whole(m_pos))
        return clock();
    if (m_parts.empty() && whole(m_pos) && symbol(m_pos + 1, "-/.") && (whole(m_pos + 2) || monthOf(lower(at(m_pos + 2).text))))
        return dateGroup();
    return packed() || unit() || barePart();
}

bool Reader::setSeconds(std::string_view text)
{
    const auto point = text.find_first_of(".,");
    m_second = parseInteger(text.substr(0, point));
    std::string fraction(point == std::string_view::npos ? std::string_view() : text.substr(point + 1, 6));
    fraction.resize(6, '0');
    m_micros = parseInteger(fraction).value_or(0);
    return m_second.has_value();
}

// h:m or h:m:s
bool Reader::clock()
{
    m_hour = whole(m_pos);
    m_minute = whole(m_pos + 2);
    m_pos += 3;
    if (!m_minute)
        return false;
    if (!symbol(m_pos, ":"))
        return true;
    m_pos += 2;
    if (symbol(m_pos, ".") && at(m_pos + 1).kind == Kind::Word)
        return false; // "00.Z" is one word to dateutil
    return at(m_pos - 1).kind == Kind::Number && setSeconds(at(m_pos - 1).text);
}

bool Reader::pushPart(std::size_t i)
{
    if (m_parts.size() == 3)
        return false;
    if (at(i).kind == Kind::Word) {
        const int month = monthOf(lower(at(i).text));
        m_parts.push_back({month, true, false});
        return month != 0;
    }
    const auto value = parseInteger(at(i).text.substr(0, at(i).text.find_first_of(".,")));
    if (!value || *value > 9999)
        return false;
    const bool isYear = at(i).text.size() > 2 && whole(i);
    if (isYear && std::any_of(m_parts.begin(), m_parts.end(), [](const DatePart &part) { return part.isYear; }))
        return false;
    m_parts.push_back({*value, false, isYear});
    return true;
}

// a-b or a-b-c, with one of - / . between
bool Reader::dateGroup()
{
    const auto separator = at(m_pos + 1).text;
    if (!pushPart(m_pos) || !pushPart(m_pos + 2))
        return false;
    m_pos += 3;
    if (at(m_pos).text != separator || at(m_pos).kind != Kind::Symbol)
        return true;
    m_pos += 2;
    const bool part = whole(m_pos - 1) || at(m_pos - 1).kind == Kind::Word;
    return part && pushPart(m_pos - 1);
}

// Digits without separators: 20310203, 203102030130, 20310203013000; after a date 01, 0130, 013000.
bool Reader::packed()
{
    const auto text = at(m_pos).text;
    const auto digits = text.substr(0, text.find_first_of(".,"));
    const auto part = [&](std::size_t from, std::size_t count) { return parseInteger(digits.substr(from, count)); };
    const bool plain = digits.size() == text.size();
    std::size_t clockAt = 0;
    if (m_parts.empty() && plain && (digits.size() == 8 || digits.size() == 12 || digits.size() == 14)) {
        m_parts = {{*part(0, 4), false, true}, {*part(4, 2), false, false}, {*part(6, 2), false, false}};
        clockAt = 8;
    } else if (m_parts.empty() && plain && digits.size() == 6) {
        m_parts = {{*part(0, 2), false, false}, {*part(2, 2), false, false}, {*part(4, 2), false, false}};
        clockAt = 6;
    } else {
        const bool clockOnly = !m_hour && m_parts.size() == 3
            && (digits.size() == 6 || (plain && (digits.size() == 2 || digits.size() == 4)));
        if (!clockOnly || (digits.size() == 2 && at(m_pos + 1).kind == Kind::Word && !m_parts.empty() && lower(at(m_pos + 1).text) == "h"))
            return false;
    }
    if (digits.size() >= clockAt + 2)
        m_hour = part(clockAt, 2);
    if (digits.size() >= clockAt + 4)
        m_minute = part(clockAt + 2, 2);
    if (digits.size() >= clockAt + 6)
        setSeconds(text.substr(clockAt + 4));
    ++m_pos;
    return true;
}

// 10h, 30 minutes, 10pm
bool Reader::unit()
{
    const std::size_t next = at(m_pos + 1).kind == Kind::Blank ? m_pos + 2 : m_pos + 1;
    const auto value = whole(m_pos);
    if (at(next).kind != Kind::Word || !value)
        return false;
    const std::string text = lower(at(next).text);
    if (text == "h" || text == "hour" || text == "hours") {
        m_hour = value;
    } else if (text == "m" || text == "minute" || text == "minutes") {
        m_minute = value;
    } else if (text == "s" || text == "second" || text == "seconds") {
        m_second = value;
    } else if ((text == "am" || text == "pm" || text == "a" || text == "p") && !m_hour && *value <= 12) {
        m_hour = value;
        m_pos = next;
        return halfDay(text);
    } else {
        return false;
    }
    m_pos = next + 1;
    return true;
}

bool Reader::barePart()
{
    return pushPart(m_pos++);
}

bool Reader::halfDay(const std::string &text)
{
    ++m_pos;
    if (!m_hour || *m_hour > 12 || m_halfDay)
        return false;
    m_halfDay = true;
    m_hour = *m_hour % 12 + (text[0] == 'p' ? 12 : 0);
    return true;
}

bool Reader::word()
{
    const std::string text = lower(at(m_pos).text);
    if (isWeekday(text)) {
        m_weekday = true;
        ++m_pos;
        return true;
    }
    if (monthOf(text))
        return pushPart(m_pos++);
    if (text == "am" || text == "pm" || text == "a" || text == "p")
        return halfDay(text);
    if (isFiller(text)) {
        ++m_pos;
        return true;
    }
    return zone();
}

// A zone name stands after the time; only UTC, GMT and Z are known everywhere.
bool Reader::zone()
{
    const auto name = at(m_pos).text;
    const bool utc = name == "UTC" || name == "GMT" || name == "Z" || name == "z";
    const bool upper = std::all_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!m_hour || m_zoneName || m_offset || !(utc || (upper && name.size() <= 5)))
        return false;
    m_zoneName = true;
    ++m_pos;
    if (symbol(m_pos, "+-"))
        return offset(true); // "UTC+3": what must be added to get UTC
    if (utc)
        m_offset = 0;
    return true;
}

// +h, +hh, +hhmm, +hh:mm, and the zone's name in brackets
bool Reader::offset(bool reversed)
{
    const bool negative = symbol(m_pos, "-") != reversed;
    const auto value = whole(m_pos + 1);
    const auto length = at(m_pos + 1).text.size();
    if (!value)
        return false;
    std::int64_t minutesEast = 0;
    std::size_t used = 2;
    if (length == 4) {
        minutesEast = *value / 100 * 60 + *value % 100;
    } else if (symbol(m_pos + 2, ":") && whole(m_pos + 3)) {
        minutesEast = *value * 60 + *whole(m_pos + 3);
        used = 4;
    } else if (length <= 2) {
        minutesEast = *value * 60;
    } else {
        return false;
    }
    m_pos += used;
    if (minutesEast >= 24 * 60)
        return false;
    m_offset = (negative ? -60 : 60) * minutesEast;
    const std::size_t bracket = at(m_pos).kind == Kind::Blank ? m_pos + 1 : m_pos;
    if (symbol(bracket, "(") && at(bracket + 1).kind == Kind::Word && symbol(bracket + 2, ")"))
        m_pos = bracket + 3;
    return true;
}

std::optional<sys_days> Reader::date() const
{
    std::array<std::int64_t, 3> v{m_parts[0].value, m_parts[1].value, m_parts[2].value};
    const auto named = std::find_if(m_parts.begin(), m_parts.end(), [](const DatePart &part) { return part.isName; }) - m_parts.begin();
    const auto isYear = [&](std::size_t i) { return m_parts[i].isYear || m_parts[i].value > 31; };
    std::array<std::size_t, 3> order{0, 1, 2}; // positions of year, month, day
    if (named == 0)
        order = isYear(1) ? std::array<std::size_t, 3>{1, 0, 2} : std::array<std::size_t, 3>{2, 0, 1};
    else if (named == 1)
        order = isYear(0) ? std::array<std::size_t, 3>{0, 1, 2} : std::array<std::size_t, 3>{2, 1, 0};
    else if (named == 2)
        order = isYear(1) ? std::array<std::size_t, 3>{1, 2, 0} : std::array<std::size_t, 3>{0, 2, 1};
    else if (!isYear(0))
        order = v[0] > 12 ? std::array<std::size_t, 3>{2, 1, 0} : std::array<std::size_t, 3>{2, 0, 1};
    std::int64_t y = v[order[0]];
    if (y < 100 && !m_parts[order[0]].isYear)
        y += 2000;
    if (y < 1 || y > 9999)
        return {};
    const year_month_day result{year{static_cast<int>(y)}, month{static_cast<unsigned>(v[order[1]])},
                                day{static_cast<unsigned>(v[order[2]])}};
    return result.ok() ? std::optional(sys_days{result}) : std::nullopt;
}

// A day; or year and month, month and year, month and day.
bool Reader::partialDateIsPossible() const
{
    if (m_parts.size() == 1)
        return m_parts[0].value > 0;
    if (m_parts.size() != 2 || m_parts[0].isName || m_parts[1].isName)
        return true;
    const std::int64_t a = m_parts[0].value;
    const std::int64_t b = m_parts[1].value;
    const std::int64_t month = a > 31 ? b : a;
    return a > 0 && b > 0 && month <= 12;
}

ScheduleTime Reader::finish() const
{
    const std::int64_t h = m_hour.value_or(0);
    const std::int64_t m = m_minute.value_or(0);
    const std::int64_t s = m_second.value_or(0);
    const bool empty = m_parts.empty() && !m_weekday && !m_hour && !m_minute && !m_second;
    if (empty || h > 23 || m > 59 || s > 59)
        return {};
    ScheduleTime result;
    result.kind = Schedule::NoOffset;
    if (m_parts.size() < 3)
        return partialDateIsPossible() ? result : ScheduleTime{}; // the rest of the date comes from the clock of whoever reads it
    const auto day = date();
    if (!day)
        return {};
    if (!m_offset)
        return result;
    result.kind = Schedule::Valid;
    result.offsetSeconds = static_cast<int>(*m_offset);
    result.utc = Instant{*day} + hours{h} + minutes{m} + seconds{s} + microseconds{m_micros} - seconds{*m_offset};
    return result;
}

} // namespace

ScheduleTime readScheduleTime(std::string_view text)
{
    return Reader(text).read();
}

} // namespace switchyard::patroni
