// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/table_formats.h"

#include "models/core/table_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace switchyard::tables {

namespace {

constexpr std::array formats{Format::Table, Format::Json, Format::Ndjson, Format::Csv, Format::Tsv, Format::Md, Format::Xlsx};

std::optional<std::string> realText(double number)
{
    if (!std::isfinite(number))
        return std::nullopt;
    std::array<char, 400> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    return std::string(text.data(), end.ptr);
}

struct CellWriter
{
    std::optional<std::string> operator()(std::monostate) const { return std::nullopt; }
    std::optional<std::string> operator()(std::int64_t n) const { return std::to_string(n); }
    std::optional<std::string> operator()(std::uint64_t n) const { return std::to_string(n); }
    std::optional<std::string> operator()(double n) const { return realText(n); }
    std::optional<std::string> operator()(const std::string &text) const { return text; }
    std::optional<std::string> operator()(bool b) const { return b ? "true" : "false"; }
    std::optional<std::string> operator()(Instant t) const { return formatUtc(t); }
};

// For spreadsheets: only text can be taken for a formula.
std::string harmlessText(const Cell &cell)
{
    const std::string text = cellText(cell).value_or("");
    return std::holds_alternative<std::string>(cell) ? withoutFormula(text) : text;
}

std::string jsonCell(const Cell &cell)
{
    const auto text = cellText(cell);
    if (!text)
        return "null";
    const bool quoted = std::holds_alternative<std::string>(cell) || std::holds_alternative<Instant>(cell);
    return quoted ? jsonString(*text) : *text;
}

std::string jsonObject(const std::vector<Column> &columns, const Row &row)
{
    std::string line = "{";
    for (std::size_t i = 0; i < columns.size(); ++i)
        line += (i ? "," : "") + jsonString(columns[i].name) + ':' + (i < row.size() ? jsonCell(row[i]) : "null");
    return line + '}';
}

template<class Text>
std::string separated(std::size_t count, char separator, std::string_view lineEnd, Text textOf)
{
    std::string line;
    for (std::size_t i = 0; i < count; ++i) {
        if (i)
            line += separator;
        line += textOf(i);
    }
    line += lineEnd;
    return line;
}

std::string streamed(const Table &table, Format f)
{
    std::string all = tableHead(table.columns, f);
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        all += tableLine(table.columns, table.rows[i], f, i);
    return all + tableFoot(f, table.rows.size());
}

} // namespace

std::string_view code(Format f)
{
    switch (f) {
    case Format::Table: return "table";
    case Format::Json: return "json";
    case Format::Ndjson: return "ndjson";
    case Format::Csv: return "csv";
    case Format::Tsv: return "tsv";
    case Format::Md: return "md";
    case Format::Xlsx: return "xlsx";
    }
    return "table";
}

std::optional<Format> formatFromCode(std::string_view text)
{
    for (const Format f : formats) {
        if (code(f) == text)
            return f;
    }
    return std::nullopt;
}

std::optional<std::string> cellText(const Cell &cell)
{
    return std::visit(CellWriter{}, cell);
}

bool canStream(Format f)
{
    return f == Format::Ndjson || f == Format::Csv || f == Format::Tsv;
}

std::string streamHeader(const std::vector<Column> &columns, Format f)
{
    const auto name = [&](std::size_t i) { return withoutFormula(columns[i].name); };
    if (f == Format::Csv)
        return separated(columns.size(), ',', "\r\n", [&](std::size_t i) { return csvField(name(i)); });
    if (f == Format::Tsv)
        return separated(columns.size(), '\t', "\n", [&](std::size_t i) { return tsvField(name(i)); });
    return {};
}

std::string streamRow(const std::vector<Column> &columns, const Row &row, Format f)
{
    const auto text = [&](std::size_t i) { return i < row.size() ? harmlessText(row[i]) : std::string(); };
    if (f == Format::Csv)
        return separated(columns.size(), ',', "\r\n", [&](std::size_t i) { return csvField(text(i)); });
    if (f == Format::Tsv)
        return separated(columns.size(), '\t', "\n", [&](std::size_t i) { return tsvField(text(i)); });
    return jsonObject(columns, row) + '\n';
}

std::string tableHead(const std::vector<Column> &columns, Format f)
{
    if (f == Format::Md)
        return markdownHead(columns);
    return f == Format::Json ? "[" : streamHeader(columns, f);
}

std::string tableLine(const std::vector<Column> &columns, const Row &row, Format f, std::size_t index)
{
    if (f == Format::Md)
        return markdownRow(columns, row);
    return f == Format::Json ? (index > 0 ? ",\n" : "\n") + jsonObject(columns, row) : streamRow(columns, row, f);
}

std::string tableFoot(Format f, std::size_t rows)
{
    if (f != Format::Json)
        return {};
    return rows == 0 ? "]\n" : "\n]\n";
}

std::string format(const Table &table, Format f)
{
    switch (f) {
    case Format::Table: return alignedTable(table);
    case Format::Json:
    case Format::Ndjson:
    case Format::Csv:
    case Format::Tsv:
    case Format::Md: return streamed(table, f);
    case Format::Xlsx: break;
    }
    return {};
}

} // namespace switchyard::tables
