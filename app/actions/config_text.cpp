// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/config_text.h"

#include "app/actions/config_tree.h"

#include <algorithm>

namespace switchyard::actions {

namespace {

tl::unexpected<Error> bad(const std::string &message)
{
    Error error{ErrorKind::BadInput};
    error.message = message;
    return tl::unexpected(error);
}

Result<ConfigNode> readMap(std::string_view json, const std::string &which)
{
    auto node = readJson(json);
    if (!node)
        return bad(which + " is " + node.error().message);
    if (!node->isMap())
        return bad(which + " is not a JSON object");
    return node;
}

using Lines = std::vector<std::string>;

Lines linesOf(std::string_view text)
{
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

void addAll(std::vector<DiffLine> &diff, char mark, const Lines &lines, std::size_t from, std::size_t to)
{
    for (std::size_t i = from; i < to; ++i)
        diff.push_back({mark, lines[i]});
}

// The longest common subsequence of what lies between equal ends. Above `most` cells it is not worth the wait: all out, all in.
void diffMiddle(const Lines &a, const Lines &b, std::size_t from, std::size_t endA, std::size_t endB, std::vector<DiffLine> &diff)
{
    constexpr std::size_t most = 4000000;
    const std::size_t rows = endA - from, columns = endB - from;
    if (rows * columns > most) {
        addAll(diff, '-', a, from, endA);
        addAll(diff, '+', b, from, endB);
        return;
    }
    std::vector<std::uint32_t> length((rows + 1) * (columns + 1));
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t & { return length[i * (columns + 1) + j]; };
    for (std::size_t i = rows; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;)
            at(i, j) = a[from + i] == b[from + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
    std::size_t i = 0, j = 0;
    while (i < rows && j < columns) {
        if (a[from + i] == b[from + j]) {
            diff.push_back({' ', a[from + i]});
            ++i;
            ++j;
        } else if (at(i + 1, j) >= at(i, j + 1)) {
            diff.push_back({'-', a[from + i++]});
        } else {
            diff.push_back({'+', b[from + j++]});
        }
    }
    addAll(diff, '-', a, from + i, endA);
    addAll(diff, '+', b, from + j, endB);
}

std::string joined(const std::string &path, const std::string &key)
{
    return path.empty() ? key : path + '.' + key;
}

void patch(ConfigNode &config, const ConfigNode &changes)
{
    for (std::size_t i = 0; i < changes.items.size(); ++i) {
        const std::string &key = changes.keys[i];
        const ConfigNode &value = changes.items[i];
        ConfigNode *present = config.find(key);
        if (value.kind == ConfigNode::Kind::Null)
            config.erase(key);
        else if (value.isMap() && present && present->isMap())
            patch(*present, value);
        else
            config.set(key, value);
    }
}

bool same(const ConfigNode *a, const ConfigNode *b)
{
    return (!a && !b) || (a && b && sameConfig(*a, *b));
}

std::optional<std::string> textOf(const ConfigNode *node)
{
    return node ? std::optional(writeJson(*node)) : std::nullopt;
}

void addMissing(Lines &keys, const Lines &more)
{
    for (const std::string &key : more) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            keys.push_back(key);
    }
}

class Merger
{
public:
    ConfigMerge result;

    void merge(const ConfigNode &base, const ConfigNode &mine, ConfigNode &theirs, const std::string &path)
    {
        Lines keys = base.keys;
        addMissing(keys, theirs.keys);
        addMissing(keys, mine.keys);
        for (const std::string &key : keys)
            mergeKey(base.find(key), mine.find(key), theirs, key, joined(path, key));
    }

private:
    void mergeKey(const ConfigNode *base, const ConfigNode *mine, ConfigNode &holder, const std::string &key, const std::string &path)
    {
        static const ConfigNode nothing{ConfigNode::Kind::Map};
        ConfigNode *theirs = holder.find(key);
        if (mine && theirs && mine->isMap() && theirs->isMap() && (!base || base->isMap())) {
            merge(base ? *base : nothing, *mine, *theirs, path);
            return;
        }
        const bool moved = !same(base, theirs);
        if (moved)
            result.theirChanges.push_back(path);
        if (same(base, mine) || same(mine, theirs))
            return;
        if (moved) {
            result.conflicts.push_back({path, textOf(base), textOf(mine), textOf(theirs)});
            return;
        }
        result.changes = true;
        if (mine)
            holder.set(key, *mine);
        else
            holder.erase(key);
    }
};

} // namespace

Result<std::string> jsonFromYaml(std::string_view yaml)
{
    return readYaml(yaml).map([](const ConfigNode &node) { return writeJson(node); });
}

Result<std::string> yamlFromJson(std::string_view json)
{
    return readJson(json).map([](const ConfigNode &node) { return writeYaml(node); });
}

Result<std::string> compactJson(std::string_view json)
{
    return readJson(json).map([](const ConfigNode &node) { return writeJson(node); });
}

Result<std::string> prettyJson(std::string_view json)
{
    return readJson(json).map([](const ConfigNode &node) { return prettyJson(node); });
}

bool hasYamlComments(std::string_view yaml)
{
    const Lines lines = linesOf(yaml);
    return std::any_of(lines.begin(), lines.end(), [](const std::string &line) {
        const std::size_t first = line.find_first_not_of(" \t");
        return first != std::string::npos
            && (line[first] == '#' || (line.find(" #") != std::string::npos && line.find_first_of("'\"") == std::string::npos));
    });
}

std::vector<DiffLine> lineDiff(std::string_view before, std::string_view after)
{
    const Lines a = linesOf(before), b = linesOf(after);
    std::size_t from = 0, endA = a.size(), endB = b.size();
    while (from < endA && from < endB && a[from] == b[from])
        ++from;
    while (endA > from && endB > from && a[endA - 1] == b[endB - 1]) {
        --endA;
        --endB;
    }
    std::vector<DiffLine> diff;
    addAll(diff, ' ', a, 0, from);
    diffMiddle(a, b, from, endA, endB, diff);
    addAll(diff, ' ', a, endA, a.size());
    return diff;
}

std::vector<DiffLine> configDiff(std::string_view jsonBefore, std::string_view jsonAfter)
{
    return lineDiff(yamlFromJson(jsonBefore).value_or(std::string(jsonBefore)), yamlFromJson(jsonAfter).value_or(std::string(jsonAfter)));
}

std::vector<DiffLine> configDiff(std::string_view jsonBefore, std::string_view jsonStored, std::string_view jsonPlanned)
{
    const auto theirs = configDiff(jsonBefore, jsonStored), mine = configDiff(jsonStored, jsonPlanned);
    std::vector<DiffLine> all;
    auto their = theirs.begin();
    for (const DiffLine &line : mine) {
        // what they took away stands nowhere any more
        for (; their != theirs.end() && their->mark == '-'; ++their)
            all.push_back({'-', their->text, true});
        if (line.mark == '+') {
            all.push_back(line);
            continue;
        }
        const bool added = their != theirs.end() && their->mark == '+'; // both are at the same line of what is stored
        all.push_back(line.mark == ' ' && added ? DiffLine{'+', line.text, true} : line);
        if (their != theirs.end())
            ++their;
    }
    for (; their != theirs.end(); ++their)
        all.push_back({'-', their->text, true});
    return all;
}

Result<std::string> patchConfig(std::string_view json, std::string_view changes)
{
    auto config = readMap(json, "the configuration");
    if (!config)
        return tl::unexpected(config.error());
    const auto wanted = readMap(changes, "the change");
    if (!wanted)
        return tl::unexpected(wanted.error());
    patch(*config, *wanted);
    return writeJson(*config);
}

Result<ConfigMerge> mergeConfig(std::string_view base, std::string_view mine, std::string_view theirs)
{
    const auto from = readMap(base, "the configuration that was edited");
    if (!from)
        return tl::unexpected(from.error());
    const auto wanted = readMap(mine, "the new configuration");
    if (!wanted)
        return tl::unexpected(wanted.error());
    auto present = readMap(theirs, "the configuration that is there now");
    if (!present)
        return tl::unexpected(present.error());
    Merger merger;
    if (sameConfig(*from, *present)) { // as it was edited: the order of the keys too
        merger.result.changes = !sameConfig(*present, *wanted);
        *present = *wanted;
    } else {
        merger.merge(*from, *wanted, *present, {});
    }
    merger.result.json = writeJson(*present);
    return std::move(merger.result);
}

Result<std::string> withPause(std::string_view json, bool paused)
{
    return patchConfig(json, paused ? R"({"pause":true})" : R"({"pause":null})");
}

} // namespace switchyard::actions
