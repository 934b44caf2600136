// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/json_reader.h"

#include "models/core/utf8.h"

#include <array>
#include <charconv>

namespace switchyard::json {

namespace {

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

constexpr bool isBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// Characters that end a run of plain ones inside a string: quote, backslash, control characters.
constexpr auto makeSpecials()
{
    std::array<bool, 256> table{};
    for (std::size_t i = 0; i < 32; ++i)
        table[i] = true;
    table['"'] = table['\\'] = true;
    return table;
}
constexpr std::array<bool, 256> specials = makeSpecials();

void appendUtf8(std::string &out, std::uint32_t c)
{
    const auto add = [&out](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (c < 0x80U) {
        add(c);
    } else if (c < 0x800U) {
        add(0xC0U | (c >> 6U));
        add(0x80U | (c & 0x3FU));
    } else if (c < 0x10000U) {
        add(0xE0U | (c >> 12U));
        add(0x80U | ((c >> 6U) & 0x3FU));
        add(0x80U | (c & 0x3FU));
    } else {
        add(0xF0U | (c >> 18U));
        add(0x80U | ((c >> 12U) & 0x3FU));
        add(0x80U | ((c >> 6U) & 0x3FU));
        add(0x80U | (c & 0x3FU));
    }
}

// What a short escape stands for; 0: no such escape.
char plain(char escape)
{
    switch (escape) {
    case '"':
    case '\\':
    case '/': return escape;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return 0;
    }
}

} // namespace

void Reader::blanks()
{
    while (m_pos < m_text.size() && isBlank(m_text[m_pos]))
        ++m_pos;
}

bool Reader::atEnd()
{
    blanks();
    return m_pos == m_text.size();
}

char Reader::peek()
{
    blanks();
    return m_ok && m_pos < m_text.size() ? m_text[m_pos] : '\0';
}

bool Reader::closes(char bracket)
{
    const bool closed = peek() == bracket;
    m_pos += closed ? 1 : 0;
    return closed;
}

// After a value: a comma (true) or the end (false).
bool Reader::goesOn(char bracket)
{
    const char c = peek();
    if (c == bracket || c == ',')
        ++m_pos;
    else
        m_ok = false;
    return c == ',' && m_ok;
}

std::string Reader::keyAndColon()
{
    std::string key;
    if (peek() != '"')
        m_ok = false;
    else
        takeString(&key);
    if (peek() != ':')
        m_ok = false;
    ++m_pos;
    return key;
}

std::optional<std::string> Reader::string()
{
    if (peek() != '"') {
        skip();
        return {};
    }
    std::optional<std::string> text(std::in_place);
    takeString(&*text);
    return text;
}

std::optional<std::int64_t> Reader::integer()
{
    const bool null = isNull();
    const std::string_view text = skip();
    if (null)
        return {};
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    m_ok = m_ok && error == std::errc() && end == text.data() + text.size();
    return m_ok ? std::optional(value) : std::nullopt;
}

// Without recursion: the nesting of foreign text has no limit.
std::string_view Reader::skip()
{
    blanks();
    const std::size_t begin = m_pos;
    std::string open;
    do {
        const char c = peek();
        if (c == '{' || c == '[') {
            ++m_pos;
            const char end = c == '{' ? '}' : ']';
            if (!closes(end)) {
                open += end;
                if (end == '}') {
                    takeString(nullptr);
                    m_ok = m_ok && peek() == ':';
                    ++m_pos;
                }
                continue;
            }
        } else {
            takeScalar();
        }
        while (m_ok && !open.empty() && !goesOn(open.back())) {
            if (m_ok)
                open.pop_back();
        }
        if (m_ok && !open.empty() && open.back() == '}') {
            peek();
            takeString(nullptr);
            m_ok = m_ok && peek() == ':';
            ++m_pos;
        }
    } while (m_ok && !open.empty());
    return m_ok ? m_text.substr(begin, m_pos - begin) : std::string_view();
}

void Reader::takeScalar()
{
    switch (peek()) {
    case '"': return takeString(nullptr);
    case 't': return takeWord("true");
    case 'f': return takeWord("false");
    case 'n': return takeWord("null");
    default: return takeNumber();
    }
}

void Reader::takeWord(std::string_view word)
{
    if (m_text.substr(m_pos, word.size()) == word)
        m_pos += word.size();
    else
        m_ok = false;
}

// Exponents and numbers of many digits may not fit: the tree tells.
void Reader::takeNumber()
{
    constexpr std::size_t longest = 18;
    const std::size_t begin = m_pos;
    const auto digits = [this] {
        const std::size_t first = m_pos;
        while (m_pos < m_text.size() && isDigit(m_text[m_pos]))
            ++m_pos;
        return m_pos - first;
    };
    if (m_pos < m_text.size() && m_text[m_pos] == '-')
        ++m_pos;
    const bool zero = m_pos < m_text.size() && m_text[m_pos] == '0';
    const std::size_t whole = digits();
    m_ok = m_ok && whole > 0 && (!zero || whole == 1);
    if (m_pos < m_text.size() && m_text[m_pos] == '.') {
        ++m_pos;
        m_ok = m_ok && digits() > 0;
    }
    const bool exponent = m_pos < m_text.size() && (m_text[m_pos] == 'e' || m_text[m_pos] == 'E');
    m_ok = m_ok && !exponent && m_pos - begin <= longest;
}

// At a quote. Text is kept only where somebody reads it.
void Reader::takeString(std::string *into)
{
    if (!m_ok || m_pos >= m_text.size() || m_text[m_pos] != '"') {
        m_ok = false;
        return;
    }
    ++m_pos;
    while (m_ok) {
        const std::size_t begin = m_pos;
        while (m_pos < m_text.size() && !specials[static_cast<unsigned char>(m_text[m_pos])])
            ++m_pos;
        if (m_pos >= m_text.size()) {
            m_ok = false;
            return;
        }
        if (into)
            into->append(m_text, begin, m_pos - begin);
        const char c = m_text[m_pos++];
        if (c == '"')
            break;
        if (c == '\\')
            takeEscape(into);
        else
            m_ok = false;
    }
    if (into && !isUtf8(*into))
        m_ok = false;
}

void Reader::takeEscape(std::string *into)
{
    const char c = m_pos < m_text.size() ? m_text[m_pos++] : '\0';
    if (const char stands = plain(c)) {
        if (into)
            *into += stands;
        return;
    }
    if (c != 'u') {
        m_ok = false;
        return;
    }
    std::uint32_t code = takeHex();
    if (code >= 0xD800U && code <= 0xDFFFU) {
        const bool pair = code < 0xDC00U && m_text.substr(m_pos, 2) == "\\u";
        m_pos += pair ? 2 : 0;
        const std::uint32_t low = pair ? takeHex() : 0;
        m_ok = m_ok && low >= 0xDC00U && low <= 0xDFFFU;
        code = 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
    }
    if (into && m_ok)
        appendUtf8(*into, code);
}

std::uint32_t Reader::takeHex()
{
    std::uint32_t value = 0;
    const std::string_view text = m_text.substr(m_pos, 4);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    m_ok = m_ok && text.size() == 4 && error == std::errc() && end == text.data() + 4;
    m_pos += text.size();
    return value;
}

} // namespace switchyard::json
