// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The dynamic configuration as text: as people edit it, as Patroni stores it, what Patroni would make of it, and what changes. Pure.
#include "models/core/error.h"

#include <map>
#include <string_view>
#include <vector>

namespace switchyard::actions {

// ---- forms. Comments are lost: what is stored is JSON.
Result<std::string> jsonFromYaml(std::string_view yaml); // errors name line and column in `where`
Result<std::string> yamlFromJson(std::string_view json);
Result<std::string> compactJson(std::string_view json); // as it is stored: keys in their order, numbers as written, no spaces
Result<std::string> prettyJson(std::string_view json);
bool hasYamlComments(std::string_view yaml); // a line that will be lost

// ---- what Patroni makes of it (patroni/config.py, global_config.py, validator.py, postgresql/config.py; 3.0 - 4.1)
enum class ConfigLevel {
    Note,
    Warning, // Patroni takes another value in its place
    Error,   // not written: Patroni would take none of it, or the cluster would come to harm
};
enum class ConfigRule {
    Unreadable,         // unreadable: not JSON, or no object; Patroni would overwrite it
    Empty,              // empty: an empty object; Patroni would overwrite it
    TooLarge,           // too-large: with the object's other annotations over the API server's limit
    NotANumber,         // not-a-number
    OutOfRange,         // out-of-range
    NotABoolean,        // not-a-boolean: read as off
    NotAllowed,         // not-allowed: none of the words that are known
    NotAMap,            // not-a-map
    NotAList,           // not-a-list
    TimingBroken,       // timing-broken: loop_wait + 2 * retry_timeout <= ttl does not hold
    NeedsNewerPatroni,  // needs-newer-patroni
    InactiveStandby,    // inactive-standby: standby_cluster without host, port and restore_command
    Unknown,            // unknown-setting: Patroni ignores it
    Deprecated,         // deprecated: has a newer name
    SetByPatroni,       // set-by-patroni: what is written here is not used
    SetInMembersConfig, // set-in-members-config: used only in the member's own file
};
std::string_view code(ConfigRule rule);

struct ConfigFinding
{
    ConfigRule rule{};
    ConfigLevel level{};
    std::string path;       // "postgresql.parameters.max_connections"; empty: the whole
    std::string value{};    // as it stands there
    std::string expected{}; // ">= 20", the newer name, the release
    bool operator==(const ConfigFinding &) const = default;
};
std::string text(const ConfigFinding &finding); // one line, English, for command line and refusals

// `releases`: Patroni's of all members; without any the strictest reading holds. Worst first.
std::vector<ConfigFinding> checkConfig(std::string_view json, const std::vector<std::string> &releases);

constexpr std::size_t annotationsLimit = 262144; // bytes of all keys and values of one object (kube-apiserver)
std::optional<ConfigFinding> checkSize(const std::map<std::string, std::string> &annotations, std::string_view config);

// ---- what changes
struct DiffLine
{
    char mark = ' '; // ' ' both, '-' only before, '+' only after
    std::string text;
    bool theirs{}; // of three texts: somebody else's change, which is stored already
    bool operator==(const DiffLine &) const = default;
};
std::vector<DiffLine> lineDiff(std::string_view before, std::string_view after);
// Of the YAML of two configurations; what is no JSON is compared as it stands.
std::vector<DiffLine> configDiff(std::string_view jsonBefore, std::string_view jsonAfter);
// Of three: what the edit started from, what others have made of it since, what is planned. Every line of both changes, each marked with
// whose it is; a line that they added and the plan takes away is only the plan's.
std::vector<DiffLine> configDiff(std::string_view jsonBefore, std::string_view jsonStored, std::string_view jsonPlanned);
// As patroni/utils.py patch_config: maps are merged, null removes, anything else replaces.
Result<std::string> patchConfig(std::string_view json, std::string_view patch);

struct ConfigConflict
{
    std::string path;
    std::optional<std::string> base, mine, theirs; // compact JSON; nullopt: not set
    bool operator==(const ConfigConflict &) const = default;
};
struct ConfigMerge
{
    std::string json; // theirs with my changes; where there are conflicts, theirs
    std::vector<ConfigConflict> conflicts;
    std::vector<std::string> theirChanges; // paths that changed from base to theirs
    bool changes = false;                  // differs from theirs
    bool operator==(const ConfigMerge &) const = default;
};
// My change of `base` to `mine`, applied to what is there now. Maps are merged key by key, lists and scalars are one value.
Result<ConfigMerge> mergeConfig(std::string_view base, std::string_view mine, std::string_view theirs);

// With `pause` set to true, or without it.
Result<std::string> withPause(std::string_view json, bool paused);

} // namespace switchyard::actions
