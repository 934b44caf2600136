// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/format_text.h"

#include "app/headless/formats.h"

#include <algorithm>
#include <array>

namespace switchyard::headless {

namespace {

constexpr std::string_view hexDigits = "0123456789abcdef";

// Length of the valid UTF-8 sequence at the start of the text; 0: none there.
std::size_t sequenceLength(std::string_view text)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = at(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xC2 && first <= 0xDF ? 2 : (first & 0xF0) == 0xE0 ? 3 : first >= 0xF0 && first <= 0xF4 ? 4 : 0;
    if (length == 0 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xC0) != 0x80)
            return 0;
    }
    const unsigned char second = at(1);
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second > 0x9F;
    const bool tooLarge = first == 0xF4 && second > 0x8F;
    return overlong || surrogate || tooLarge ? 0 : length;
}

// Calls use(sequence, valid) for each character or stray byte.
template<class Use>
void eachCharacter(std::string_view text, Use use)
{
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        use(text.substr(0, std::max<std::size_t>(length, 1)), length > 0);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
}

std::string escapedControl(char c)
{
    switch (c) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
    }
    const auto byte = static_cast<unsigned char>(c);
    return std::string("\\u00") + hexDigits[byte >> 4] + hexDigits[byte & 15];
}

std::string hexByte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return std::string("\\x") + hexDigits[byte >> 4] + hexDigits[byte & 15];
}

std::size_t width(std::string_view text)
{
    std::size_t characters = 0;
    eachCharacter(text, [&](std::string_view, bool) { ++characters; });
    return characters;
}

bool isNumeric(CellType type)
{
    return type == CellType::Integer || type == CellType::Unsigned || type == CellType::Real;
}

// Header and rows as text; unknown is "-".
std::vector<std::vector<std::string>> shownCells(const Table &table)
{
    std::vector<std::vector<std::string>> all(1);
    for (const Column &column : table.columns)
        all.front().push_back(column.name);
    for (const Row &row : table.rows) {
        std::vector<std::string> line;
        for (const Cell &cell : row)
            line.push_back(printable(cellText(cell).value_or("-")));
        all.push_back(std::move(line));
    }
    return all;
}

std::string padded(const std::string &text, std::size_t to, bool right)
{
    const std::string blanks(to - std::min(to, width(text)), ' ');
    return right ? blanks + text : text + blanks;
}

} // namespace

std::string jsonString(std::string_view text)
{
    std::string out = "\"";
    eachCharacter(text, [&](std::string_view sequence, bool valid) {
        const char c = sequence.front();
        if (!valid)
            out += "\xEF\xBF\xBD";
        else if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            out += escapedControl(c);
        else
            out += sequence;
    });
    return out + '"';
}

std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + '"';
}

std::string tsvField(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\\\";
        else if (c == '\t' || c == '\n' || c == '\r')
            out += escapedControl(c);
        else
            out += c;
    }
    return out;
}

std::string printable(std::string_view text)
{
    std::string out;
    eachCharacter(text, [&](std::string_view sequence, bool valid) {
        const char c = sequence.front();
        const auto byte = static_cast<unsigned char>(c);
        const bool c1 = valid && sequence.size() == 2 && byte == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
        if (c1)
            out += hexByte(sequence[1]);
        else if (!valid || byte < 0x20 || byte == 0x7F)
            out += hexByte(c);
        else
            out += sequence;
    });
    return out;
}

std::string alignedTable(const Table &table)
{
    const auto cells = shownCells(table);
    std::vector<std::size_t> widths(table.columns.size(), 0);
    for (const auto &line : cells) {
        for (std::size_t i = 0; i < line.size() && i < widths.size(); ++i)
            widths[i] = std::max(widths[i], width(line[i]));
    }
    std::string out;
    for (const auto &line : cells) {
        std::string row;
        for (std::size_t i = 0; i < line.size() && i < widths.size(); ++i)
            row += (i ? "  " : "") + padded(line[i], widths[i], isNumeric(table.columns[i].type));
        row.erase(row.find_last_not_of(' ') + 1);
        out += row + '\n';
    }
    return out;
}

std::string markdownTable(const Table &table)
{
    const auto cells = shownCells(table);
    const auto escaped = [](const std::string &text) {
        std::string out;
        for (const char c : text) {
            if (c == '|' || c == '\\')
                out += '\\';
            out += c;
        }
        return out;
    };
    std::string out;
    for (std::size_t n = 0; n < cells.size(); ++n) {
        out += '|';
        for (const std::string &cell : cells[n])
            out += ' ' + escaped(cell) + " |";
        out += '\n';
        if (n > 0)
            continue;
        out += '|';
        for (const Column &column : table.columns)
            out += isNumeric(column.type) ? " ---: |" : " --- |";
        out += '\n';
    }
    return out;
}

} // namespace switchyard::headless
