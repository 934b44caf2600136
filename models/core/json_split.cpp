// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/json_split.h"

namespace switchyard {

namespace {

constexpr auto npos = std::string_view::npos;

// Position after the string that starts at `pos`; npos: it does not end.
std::size_t skipString(std::string_view text, std::size_t pos)
{
    for (++pos; pos < text.size(); ++pos) {
        if (text[pos] == '\\')
            ++pos;
        else if (text[pos] == '"')
            return pos + 1;
    }
    return npos;
}

std::size_t skipBlanks(std::string_view text, std::size_t pos)
{
    const auto next = text.find_first_not_of(" \t\r\n", pos);
    return next == npos ? text.size() : next;
}

// Position after the value that starts at `pos`; npos: brackets do not balance.
std::size_t skipValue(std::string_view text, std::size_t pos)
{
    std::string open;
    while (pos < text.size()) {
        const char c = text[pos];
        if (c == '"') {
            pos = skipString(text, pos);
            if (pos == npos)
                return npos;
            if (open.empty())
                return pos;
            continue;
        }
        if (c == '{' || c == '[') {
            open += c;
        } else if (c == '}' || c == ']') {
            if (open.empty())
                return pos; // ends the value before it: a plain number or word
            if (open.back() != (c == '}' ? '{' : '['))
                return npos;
            open.pop_back();
            if (open.empty())
                return pos + 1;
        } else if (c == ',' && open.empty()) {
            return pos;
        }
        ++pos;
    }
    return npos;
}

std::optional<std::vector<std::string_view>> splitArray(std::string_view array)
{
    std::vector<std::string_view> items;
    std::size_t pos = skipBlanks(array, 1);
    while (pos < array.size() && array[pos] != ']') {
        const auto end = skipValue(array, pos);
        if (end == npos || end == pos)
            return {};
        items.push_back(array.substr(pos, end - pos));
        pos = skipBlanks(array, end);
        if (pos < array.size() && array[pos] == ',')
            pos = skipBlanks(array, pos + 1);
    }
    return items;
}

} // namespace

std::optional<SplitList> splitList(std::string_view json)
{
    std::size_t pos = skipBlanks(json, 0);
    if (pos >= json.size() || json[pos] != '{')
        return {};
    const auto end = skipValue(json, pos);
    if (end == npos || skipBlanks(json, end) != json.size())
        return {};
    pos = skipBlanks(json, pos + 1);
    while (pos < json.size() && json[pos] == '"') {
        const auto keyEnd = skipString(json, pos);
        if (keyEnd == npos)
            return {};
        const auto colon = skipBlanks(json, keyEnd);
        if (colon >= json.size() || json[colon] != ':')
            return {};
        const auto value = skipBlanks(json, colon + 1);
        const auto valueEnd = skipValue(json, value);
        if (valueEnd == npos || valueEnd == value)
            return {};
        if (json.substr(pos, keyEnd - pos) == "\"items\"" && json[value] == '[') {
            auto items = splitArray(json.substr(value, valueEnd - value));
            if (!items)
                return {};
            return SplitList{std::string(json.substr(0, value)) + "[]" + std::string(json.substr(valueEnd)), std::move(*items)};
        }
        pos = skipBlanks(json, valueEnd);
        if (pos < json.size() && json[pos] == ',')
            pos = skipBlanks(json, pos + 1);
    }
    return {};
}

std::string_view memberText(std::string_view object, std::string_view key)
{
    std::string_view found;
    std::size_t pos = skipBlanks(object, 0);
    if (pos >= object.size() || object[pos] != '{')
        return found;
    pos = skipBlanks(object, pos + 1);
    while (pos < object.size() && object[pos] == '"') {
        const auto keyEnd = skipString(object, pos);
        const auto colon = keyEnd == npos ? npos : skipBlanks(object, keyEnd);
        if (colon == npos || colon >= object.size() || object[colon] != ':')
            return {};
        const auto value = skipBlanks(object, colon + 1);
        const auto valueEnd = skipValue(object, value);
        if (valueEnd == npos || valueEnd == value)
            return {};
        if (object.substr(pos + 1, keyEnd - pos - 2) == key)
            found = object.substr(value, valueEnd - value);
        pos = skipBlanks(object, valueEnd);
        if (pos < object.size() && object[pos] == ',')
            pos = skipBlanks(object, pos + 1);
    }
    return found.substr(0, found.find_last_not_of(" \t\r\n") + 1);
}

} // namespace switchyard
