// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/recording_names.h"

#include <algorithm>
#include <array>
#include <set>

namespace switchyard::recording {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool allDigits(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

bool isAddress(std::string_view text)
{
    const bool v4 = std::count(text.begin(), text.end(), '.') == 3
        && std::all_of(text.begin(), text.end(), [](char c) { return isDigit(c) || c == '.'; });
    const bool v6 = std::count(text.begin(), text.end(), ':') >= 2 && std::all_of(text.begin(), text.end(), [](char c) {
                        return isDigit(c) || c == ':' || c == '.' || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
                    });
    return v4 || v6;
}

// Words of Patroni, PostgreSQL and Kubernetes that are nobody's name.
bool isKnownWord(std::string_view text)
{
    static const std::set<std::string_view> words{
        "patroni",     "spilo",        "postgres",      "postgresql",    "primary",  "master",        "replica",  "standby_leader",
        "leader",      "demoted",      "promoted",      "uninitialized", "running",  "stopped",       "starting", "on",
        "off",         "true",         "false",         "yes",           "no",       "quorum",        "logical",  "physical",
        "hot_standby", "md5",          "scram-sha-256", "trust",         "pgoutput", "test_decoding", "wal2json", "default",
        "local",       "remote_apply", "remote_write",  "minimal",       "archive",  "none",          "***"};
    return words.contains(text);
}

} // namespace

std::string Names::plain(std::string_view text)
{
    if (text.empty() || allDigits(text) || isKnownWord(text))
        return std::string(text);
    const auto known = m_names.find(text);
    if (known != m_names.end())
        return known->second;
    std::string other = "name" + std::to_string(m_names.size() + 1);
    m_names.emplace(text, other);
    return other;
}

std::string Names::name(std::string_view text)
{
    if (!m_replace)
        return std::string(text);
    for (const std::string_view ending : {"-config", "-leader", "-failover", "-sync"}) {
        if (text.size() > ending.size() && text.ends_with(ending))
            return name(text.substr(0, text.size() - ending.size())) + std::string(ending);
    }
    const auto dash = text.rfind('-');
    if (dash != std::string_view::npos && dash > 0 && allDigits(text.substr(dash + 1)))
        return name(text.substr(0, dash)) + std::string(text.substr(dash));
    return plain(text);
}

std::string Names::slot(std::string_view text)
{
    if (!m_replace)
        return std::string(text);
    std::string member(text);
    std::replace(member.begin(), member.end(), '_', '-');
    std::string other = name(member);
    std::replace(other.begin(), other.end(), '-', '_');
    return other;
}

std::string Names::identity(std::string_view text)
{
    const auto line = text.find('_');
    if (!m_replace || line == std::string_view::npos)
        return name(text);
    return name(text.substr(0, line)) + '_' + plain(text.substr(line + 1));
}

std::string Names::memberList(std::string_view text)
{
    std::string result;
    std::size_t pos = 0;
    while (pos <= text.size()) {
        const std::size_t end = std::min(text.find(',', pos), text.size());
        std::string_view one = text.substr(pos, end - pos);
        while (one.starts_with(' ')) {
            result += ' ';
            one.remove_prefix(1);
        }
        result += name(one);
        if (end < text.size())
            result += ',';
        pos = end + 1;
    }
    return result;
}

std::string Names::address(std::string_view ip)
{
    if (!m_replace || ip.empty() || ip == "127.0.0.1" || ip == "::1")
        return std::string(ip);
    const auto known = m_addresses.find(ip);
    if (known != m_addresses.end())
        return known->second;
    const std::size_t n = m_addresses.size() + 1;
    std::string other = ip.find(':') == std::string_view::npos ? "10.0." + std::to_string(n / 250) + '.' + std::to_string(n % 250 + 1)
                                                               : "fd00::" + std::to_string(n);
    m_addresses.emplace(ip, other);
    return other;
}

std::string Names::host(std::string_view text)
{
    if (!m_replace)
        return std::string(text);
    if (isAddress(text))
        return address(text);
    const auto dot = text.find('.');
    return name(text.substr(0, dot)) + (dot == std::string_view::npos ? "" : ".example");
}

// scheme://[user@]host[:port][/path][?query]
std::string Names::url(std::string_view text)
{
    const auto mark = text.find("://");
    if (!m_replace || mark == std::string_view::npos)
        return m_replace ? word(text) : std::string(text);
    std::string result(text.substr(0, mark + 3));
    std::string_view rest = text.substr(mark + 3);
    const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    std::string_view where = rest.substr(0, end);
    if (const auto at = where.rfind('@'); at != std::string_view::npos)
        where.remove_prefix(at + 1);
    if (where.starts_with('[')) {
        const std::size_t close = std::min(where.find(']'), where.size());
        result += '[' + address(where.substr(1, close - 1)) + std::string(where.substr(close));
    } else {
        const std::size_t colon = std::min(where.find(':'), where.size());
        result += host(where.substr(0, colon)) + std::string(where.substr(colon));
    }
    const std::string_view path = rest.substr(end,
                                              rest.find('?') == std::string_view::npos ? std::string_view::npos : rest.find('?') - end);
    return result + (path.starts_with('/') ? '/' + word(path.substr(1)) : std::string(path));
}

std::string Names::label(std::string_view value)
{
    return m_replace ? name(value) : std::string(value);
}

std::string Names::word(std::string_view value)
{
    if (!m_replace || value.empty() || isDigit(value.front()) || value.front() == '-')
        return isAddress(value) ? address(value) : std::string(value);
    return value.find(',') == std::string_view::npos ? name(value) : memberList(value);
}

} // namespace switchyard::recording
