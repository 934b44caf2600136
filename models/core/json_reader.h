// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The quick way through JSON text: no tree is built, and what nobody reads is only checked. It takes well-formed text and nothing
// else: whoever meets !ok() (broken, a key twice, bytes that are not UTF-8, a number that may not fit) parses the text with
// json::parse and judges there, so that both ways mean the same.
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace switchyard::json {

class Reader
{
public:
    explicit Reader(std::string_view text)
        : m_text(text)
    {}

    bool ok() const { return m_ok; }
    void fail() { m_ok = false; }
    // Nothing but blanks is left.
    bool atEnd();

    // The first character of the next value tells its type: { [ " t f n - 0..9; '\0': there is none.
    char peek();
    bool isNull() { return peek() == 'n'; }

    // Each of these takes one value. A value of another type is skipped and reads as absent.
    std::optional<std::string> string();
    std::optional<std::int64_t> integer(); // null is absent; fails for what is no plain whole number
    std::string_view skip();               // its text
    // Where the next value begins; the text from there to where the reader is now.
    std::size_t mark()
    {
        blanks();
        return m_pos;
    }
    std::string_view since(std::size_t begin) const { return m_ok ? m_text.substr(begin, m_pos - begin) : std::string_view(); }

    // Calls member(key) for each member; member has to take the value. False: not an object.
    template<class F>
    bool object(F member)
    {
        if (peek() != '{') {
            skip();
            return false;
        }
        ++m_pos;
        for (bool more = !closes('}'); m_ok && more; more = goesOn('}')) {
            const std::string key = keyAndColon();
            if (m_ok)
                member(std::string_view(key));
        }
        return m_ok;
    }
    // Calls item() for each item; item has to take the value. False: not an array.
    template<class F>
    bool array(F item)
    {
        if (peek() != '[') {
            skip();
            return false;
        }
        ++m_pos;
        for (bool more = !closes(']'); m_ok && more; more = goesOn(']'))
            item();
        return m_ok;
    }

private:
    void blanks();
    bool closes(char bracket);
    bool goesOn(char bracket);
    std::string keyAndColon();
    void takeString(std::string *into);
    void takeEscape(std::string *into);
    std::uint32_t takeHex();
    void takeScalar();
    void takeWord(std::string_view word);
    void takeNumber();

    std::string_view m_text;
    std::size_t m_pos = 0;
    bool m_ok = true;
};

// Fails the reader when a key comes twice: which of the two counts is decided in one place, the tree.
class Once
{
public:
    // The place of `key` among the wanted ones, or -1.
    int place(Reader &reader, std::string_view key, std::initializer_list<std::string_view> wanted)
    {
        int place = 0;
        for (const std::string_view name : wanted) {
            if (name == key) {
                const unsigned bit = 1U << static_cast<unsigned>(place);
                if (m_seen & bit)
                    reader.fail();
                m_seen |= bit;
                return place;
            }
            ++place;
        }
        return -1;
    }

private:
    unsigned m_seen = 0;
};

} // namespace switchyard::json
