// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/recording_line.h"

namespace switchyard {

namespace {

class Scanner
{
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    {}
    void skipBlanks()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\r' || m_text[m_at] == '\n'))
            ++m_at;
    }
    bool take(char c)
    {
        skipBlanks();
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    // With its quotes; empty: no string here.
    std::string_view string()
    {
        skipBlanks();
        const std::size_t begin = m_at;
        if (m_at >= m_text.size() || m_text[m_at] != '"')
            return {};
        for (++m_at; m_at < m_text.size(); ++m_at) {
            if (m_text[m_at] == '\\')
                ++m_at;
            else if (m_text[m_at] == '"')
                return m_text.substr(begin, ++m_at - begin);
        }
        return {};
    }
    // Any value; empty: brackets do not balance or nothing is there.
    std::string_view value()
    {
        skipBlanks();
        const std::size_t begin = m_at;
        int depth = 0;
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '"') {
                if (string().empty())
                    return {};
                continue;
            }
            if (depth == 0 && (c == ',' || c == '}' || c == ']'))
                break;
            if (c == '{' || c == '[')
                ++depth;
            else if (c == '}' || c == ']')
                --depth;
            ++m_at;
        }
        if (depth != 0)
            return {};
        std::string_view found = m_text.substr(begin, m_at - begin);
        while (!found.empty() && (found.back() == ' ' || found.back() == '\t'))
            found.remove_suffix(1);
        return found;
    }
    bool atEnd()
    {
        skipBlanks();
        return m_at == m_text.size();
    }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

std::optional<std::map<std::string, std::string_view, std::less<>>> membersOf(std::string_view json)
{
    std::map<std::string, std::string_view, std::less<>> members;
    Scanner scan(json);
    if (!scan.take('{'))
        return std::nullopt;
    if (scan.take('}'))
        return scan.atEnd() ? std::optional(members) : std::nullopt;
    do {
        const std::string_view key = scan.string();
        if (key.size() < 2 || !scan.take(':'))
            return std::nullopt;
        const std::string_view value = scan.value();
        if (value.empty())
            return std::nullopt;
        members.emplace(key.substr(1, key.size() - 2), value);
    } while (scan.take(','));
    return scan.take('}') && scan.atEnd() ? std::optional(members) : std::nullopt;
}

} // namespace switchyard
