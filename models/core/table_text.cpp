// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/table_text.h"

#include "models/core/table_formats.h"
#include "models/core/utf8.h"

#include <algorithm>
#include <array>

namespace switchyard::tables {

namespace {

constexpr std::string_view hexDigits = "0123456789abcdef";

// Calls use(sequence, valid) for each character or stray byte.
template<class Use>
void eachCharacter(std::string_view text, Use use)
{
    while (!text.empty()) {
        const std::size_t length = utf8SequenceLength(text, 0);
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

bool isPlainNumber(std::string_view text)
{
    text.remove_prefix(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
    const auto digits = [&] {
        const std::size_t n = std::min(text.find_first_not_of("0123456789"), text.size());
        text.remove_prefix(n);
        return n > 0;
    };
    if (!digits())
        return false;
    if (!text.starts_with('.'))
        return text.empty();
    text.remove_prefix(1);
    return digits() && text.empty();
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

bool isFormula(std::string_view text)
{
    constexpr std::array starts{"=", "+", "-", "@", "\t", "\r", "\n", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
    const auto begins = [&](const char *start) { return text.starts_with(start); };
    return std::any_of(starts.begin(), starts.end(), begins) && !isPlainNumber(text);
}

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

std::string withoutFormula(std::string_view text)
{
    return isFormula(text) ? '\'' + std::string(text) : std::string(text);
}

std::string markdownText(std::string_view text)
{
    std::string out;
    for (const char c : printable(text)) {
        if (std::string_view("|\\`*<[").find(c) != std::string_view::npos)
            out += '\\';
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

std::string markdownHead(const std::vector<Column> &columns)
{
    std::string head = "|";
    std::string rule = "|";
    for (const Column &column : columns) {
        head += ' ' + markdownText(column.name) + " |";
        rule += isNumeric(column.type) ? " ---: |" : " --- |";
    }
    return head + '\n' + rule + '\n';
}

std::string markdownRow(const std::vector<Column> &columns, const Row &row)
{
    std::string line = "|";
    for (std::size_t i = 0; i < columns.size(); ++i)
        line += ' ' + markdownText(i < row.size() ? cellText(row[i]).value_or("-") : "-") + " |";
    return line + '\n';
}

} // namespace switchyard::tables
