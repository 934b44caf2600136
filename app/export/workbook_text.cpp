// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/workbook_text.h"

#include "models/core/table_text.h"
#include "models/core/utf8.h"

namespace switchyard::exports {

namespace {

constexpr std::size_t cellLimit = 32'767; // UTF-16 code units
constexpr std::size_t cutLimit = 32'700;  // leaves room for the note
constexpr std::string_view replacement = "\uFFFD";

bool isHex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// "_x0041_" in a cell stands for "A".
bool isEscape(std::string_view text)
{
    constexpr std::size_t length = 7;
    if (text.size() < length || !text.starts_with("_x") || text[length - 1] != '_')
        return false;
    return isHex(text[2]) && isHex(text[3]) && isHex(text[4]) && isHex(text[5]);
}

std::string shown(std::string_view rest, std::size_t length)
{
    if (length == 0)
        return std::string(replacement);
    const std::string_view character = rest.substr(0, length);
    if (isEscape(rest))
        return "_x005F_";
    if (character == "\n" || character == "\t")
        return std::string(character);
    if (character == "\uFFFE" || character == "\uFFFF")
        return std::string(replacement);
    return tables::printable(character);
}

} // namespace

CellText workbookText(std::string_view text)
{
    CellText cell;
    std::size_t units = 0; // of UTF-16
    std::size_t cutAt = 0; // where the text ends if it must be cut
    for (std::size_t pos = 0; pos < text.size();) {
        const std::size_t length = utf8SequenceLength(text, pos);
        const std::string character = shown(text.substr(pos), length);
        units += length == 4 ? 2 : length <= 1 ? character.size() : 1;
        if (units <= cutLimit)
            cutAt = cell.text.size() + character.size();
        if (units > cellLimit) {
            cell.text.resize(cutAt);
            cell.text += "\u2026 [cut: " + std::to_string(text.size()) + " bytes]";
            cell.cut = true;
            return cell;
        }
        cell.text += character;
        pos += length == 0 ? 1 : length;
    }
    return cell;
}

bool keptExactly(std::int64_t number)
{
    constexpr std::int64_t limit = std::int64_t(1) << 53;
    return number >= -limit && number <= limit;
}

bool keptExactly(std::uint64_t number)
{
    constexpr std::uint64_t limit = std::uint64_t(1) << 53;
    return number <= limit;
}

std::optional<double> workbookDate(Instant t)
{
    using namespace std::chrono;
    if (t < sys_days(year(1900) / March / 1) || t >= sys_days(year(10000) / January / 1))
        return std::nullopt;
    return duration<double, days::period>(t - sys_days(year(1899) / December / 30)).count();
}

std::string sheetName(std::string_view title, int n)
{
    constexpr std::size_t longest = 24; // of 31: room for the number
    std::string name;
    for (std::size_t pos = 0; pos < title.size() && name.size() < longest;) {
        const std::size_t length = utf8SequenceLength(title, pos);
        const std::string_view character = title.substr(pos, length == 0 ? 1 : length);
        const bool forbidden = length == 0 || character.find_first_of("[]:*?/\\'") != std::string_view::npos
            || (length == 1 && static_cast<unsigned char>(character.front()) < 0x20);
        name += forbidden ? "-" : character;
        pos += character.size();
    }
    if (name.empty())
        name = "Rows";
    return n > 1 ? name + ' ' + std::to_string(n) : name;
}

} // namespace switchyard::exports
