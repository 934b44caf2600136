// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The dynamic configuration as a tree that keeps what it does not understand: the order of the keys, and each number as it was written,
// never through a double. For config_text, config_check and config_write.
#include "models/core/error.h"

#include <string_view>
#include <vector>

namespace switchyard::actions {

struct ConfigNode
{
    enum class Kind { Null, Boolean, Number, String, List, Map };
    Kind kind = Kind::Null;
    std::string text{};              // Boolean: "true" "false"; Number: as in JSON; String: without quotes
    std::vector<std::string> keys{}; // Map: one for each item, in their order
    std::vector<ConfigNode> items{};

    bool isMap() const { return kind == Kind::Map; }
    bool isList() const { return kind == Kind::List; }
    bool isScalar() const { return kind != Kind::Map && kind != Kind::List; }
    const ConfigNode *find(std::string_view key) const; // nullptr: no map, or no such key
    ConfigNode *find(std::string_view key);
    void set(std::string key, ConfigNode value); // in the place of an earlier value, else last
    void erase(std::string_view key);
};

ConfigNode configString(std::string text);
ConfigNode configBoolean(bool value);
// Maps are the same in any order. Numbers by their text: 1 is not 1.0.
bool sameConfig(const ConfigNode &a, const ConfigNode &b);

constexpr int deepestConfig = 60;

// As Python's json.loads: of a repeated key the last value counts, in the place of the first.
Result<ConfigNode> readJson(std::string_view text);
std::string writeJson(const ConfigNode &node);  // without spaces, as Patroni stores it
std::string prettyJson(const ConfigNode &node); // for people, with line end

// As Patroni's PyYAML reads it, which is YAML 1.1: yes, no, on and off are booleans, 010 is 8, 1:30 is 90; quoted text stays text. What has
// no counterpart in JSON (dates, .inf) and what is easily misread (repeated keys, merge keys) is refused with its line.
Result<ConfigNode> readYaml(std::string_view text);
std::string writeYaml(const ConfigNode &node); // block style, in the order of the keys, with line end

// What a plain scalar of YAML 1.1 stands for. nullopt: nothing that JSON has.
std::optional<ConfigNode> plainScalar(const std::string &text);

} // namespace switchyard::actions
