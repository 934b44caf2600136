// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What Patroni would make of a dynamic configuration. Sources are named at each table.
#include "app/actions/config_text.h"
#include "app/actions/config_tree.h"
#include "models/patroni/records.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace switchyard::actions {

namespace {

using Kind = ConfigNode::Kind;

bool allFrom(const std::vector<std::string> &releases, std::string_view release)
{
    return !releases.empty() && std::all_of(releases.begin(), releases.end(), [&](const std::string &r) {
        const auto order = patroni::compareReleases(r, release);
        return order && *order >= 0;
    });
}

// Python's int() of a JSON value: a fraction is cut off, true is 1, text must be digits.
std::optional<std::int64_t> pythonInt(const ConfigNode &node)
{
    if (node.kind == Kind::Boolean)
        return node.text == "true" ? 1 : 0;
    if (node.kind != Kind::Number && node.kind != Kind::String)
        return std::nullopt;
    std::string text = node.text;
    if (node.kind == Kind::Number) {
        if (text.find_first_of("eE") != std::string::npos)
            return std::nullopt; // nobody writes seconds so
        text = text.substr(0, text.find('.'));
    } else {
        const std::size_t first = text.find_first_not_of(' ');
        text = first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
        text.erase(0, text.starts_with('+') ? 1 : 0);
    }
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

std::string shown(const ConfigNode &node)
{
    std::string text = writeJson(node);
    return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

// A number with a unit of time or size, where Patroni has a base unit for it.
bool hasUnit(const ConfigNode &node)
{
    if (node.kind != Kind::String)
        return false;
    const std::size_t unit = node.text.find_first_not_of("0123456789. ");
    constexpr std::array units{"us", "ms", "s", "min", "h", "d", "B", "kB", "MB", "GB", "TB"};
    return unit != std::string::npos && unit > 0 && std::find(units.begin(), units.end(), node.text.substr(unit)) != units.end();
}

struct NumberRule
{
    std::string_view key;
    std::int64_t least, most = 0; // most 0: no limit
    bool units = false;
    std::string_view since{};
};

// patroni/validator.py (dcs), global_config.py get_int: what does not fit is replaced by the default
constexpr std::array numberRules{
    NumberRule{"maximum_lag_on_failover", 0},
    NumberRule{"maximum_lag_on_syncnode", -1, 0, false, "2.1.0"},
    NumberRule{"synchronous_node_count", 1},
    NumberRule{"primary_start_timeout", 0},
    NumberRule{"primary_stop_timeout", 0},
    NumberRule{"master_start_timeout", 0},
    NumberRule{"master_stop_timeout", 0},
    NumberRule{"max_timelines_history", 0},
    NumberRule{"member_slots_ttl", 0, 0, true, "4.0.0"},
    NumberRule{"primary_race_backoff", 0},
};

// patroni/config.py of 3.0.2, _safe_copy_dynamic_configuration: int() of them too, else nothing of the whole is taken
constexpr std::array intBefore4{"maximum_lag_on_failover", "maximum_lag_on_syncnode", "primary_start_timeout",  "primary_stop_timeout",
                                "master_start_timeout",    "master_stop_timeout",     "synchronous_node_count", "check_timeline"};

// patroni/postgresql/config.py CMDLINE_OPTIONS, validator.py
constexpr std::array parameterRules{
    NumberRule{"max_connections", 25, 262143},
    NumberRule{"max_wal_senders", 3, 262143},
    NumberRule{"wal_keep_segments", 1},
    NumberRule{"wal_keep_size", 16, 0, true},
    NumberRule{"max_prepared_transactions", 0, 262143},
    NumberRule{"max_locks_per_transaction", 32, 2147483647},
    NumberRule{"max_replication_slots", 4, 262143},
    NumberRule{"max_worker_processes", 2, 262143},
};

// patroni/config.py: int() of them or nothing of the whole is taken; 3.2.0 raises what is too small (_validate_and_adjust_timeouts)
constexpr std::array secondsRules{NumberRule{"ttl", 20}, NumberRule{"loop_wait", 1}, NumberRule{"retry_timeout", 3}};

constexpr std::array booleans{"pause", "check_timeline", "synchronous_mode_strict", "failsafe_mode"}; // global_config.py check_mode
constexpr std::array others{"ttl",          "loop_wait",      "retry_timeout", "synchronous_mode", "standby_cluster",
                            "postgresql",   "slots",          "ignore_slots",  "permanent_slots",  "permanent_replication_slots",
                            "ignore_slots", "standby_cluster"};
// patroni/config.py _safe_copy_dynamic_configuration
constexpr std::array membersOwn{"connect_address", "proxy_address", "listen", "config_dir", "data_dir", "pgpass", "authentication"};
constexpr std::array fixedParameters{"listen_addresses", "port", "cluster_name", "hot_standby"};
constexpr std::array standbyKeys{
    "create_replica_methods",  "host", "port", "primary_slot_name", "restore_command", "archive_cleanup_command",
    "recovery_min_apply_delay"};

std::string limitsOf(const NumberRule &rule)
{
    const std::string least = ">= " + std::to_string(rule.least);
    return rule.most > 0 ? least + " and <= " + std::to_string(rule.most) : least;
}

template<class List>
bool contains(const List &list, std::string_view key)
{
    return std::find(list.begin(), list.end(), key) != list.end();
}

class Checker
{
public:
    explicit Checker(const std::vector<std::string> &releases)
        : m_releases(releases)
    {}
    std::vector<ConfigFinding> findings;

    void check(const ConfigNode &config)
    {
        for (std::size_t i = 0; i < config.items.size(); ++i)
            checkTop(config.keys[i], config.items[i]);
        checkSeconds(config);
        if (const ConfigNode *postgresql = config.find("postgresql"))
            checkPostgresql(*postgresql);
        if (const ConfigNode *standby = config.find("standby_cluster"))
            checkStandby(*standby);
    }

private:
    void add(ConfigRule rule, ConfigLevel level, const std::string &path, const ConfigNode &node, std::string expected = {})
    {
        findings.push_back({rule, level, path, shown(node), std::move(expected)});
    }

    void checkTop(const std::string &key, const ConfigNode &node)
    {
        const auto rule = std::find_if(numberRules.begin(), numberRules.end(), [&](const NumberRule &r) { return r.key == key; });
        const bool mustBeInt = !allFrom(m_releases, "4.0.0") && contains(intBefore4, key);
        if (mustBeInt && !pythonInt(node))
            add(ConfigRule::NotANumber, ConfigLevel::Error, key, node, rule != numberRules.end() ? limitsOf(*rule) : "0 or 1");
        else if (rule != numberRules.end())
            checkNumber(*rule, key, node, ConfigLevel::Warning);
        else if (contains(booleans, key))
            checkBoolean(key, node);
        else if (key == "synchronous_mode")
            checkSynchronousMode(node);
        else if (key == "slots" && node.kind != Kind::Null && !node.isMap())
            add(ConfigRule::NotAMap, ConfigLevel::Error, key, node);
        else if (key == "ignore_slots" && node.kind != Kind::Null && !node.isList())
            add(ConfigRule::NotAList, ConfigLevel::Error, key, node);
        else if (key == "watchdog" && !allFrom(m_releases, "4.0.0")) // int() of it, likewise
            add(ConfigRule::NotAllowed, ConfigLevel::Error, key, node, "set it in the members' own configuration");
        else if (!contains(others, key))
            add(ConfigRule::Unknown, ConfigLevel::Note, key, node);
        checkName(key, node);
    }

    void checkName(const std::string &key, const ConfigNode &node)
    {
        if (key == "master_start_timeout" || key == "master_stop_timeout")
            add(ConfigRule::Deprecated, ConfigLevel::Note, key, node, "primary" + key.substr(6));
        if (key == "permanent_slots" || key == "permanent_replication_slots")
            add(ConfigRule::Deprecated, ConfigLevel::Note, key, node, "slots");
    }

    void checkNumber(const NumberRule &rule, const std::string &path, const ConfigNode &node, ConfigLevel level)
    {
        if (!rule.since.empty() && !m_releases.empty() && !allFrom(m_releases, rule.since))
            add(ConfigRule::NeedsNewerPatroni, ConfigLevel::Note, path, node, std::string(rule.since));
        if (node.kind == Kind::Null || (rule.units && hasUnit(node)))
            return;
        const auto value = pythonInt(node);
        const std::string limits = limitsOf(rule);
        if (!value)
            add(ConfigRule::NotANumber, level, path, node, limits);
        else if (*value < rule.least || (rule.most > 0 && *value > rule.most))
            add(ConfigRule::OutOfRange, ConfigLevel::Warning, path, node, limits);
    }

    // patroni/utils.py parse_bool
    void checkBoolean(const std::string &key, const ConfigNode &node)
    {
        if (node.kind != Kind::Null && (!node.isScalar() || !patroni::parseBoolean(node.text)))
            add(ConfigRule::NotABoolean, ConfigLevel::Warning, key, node);
        if (key == "failsafe_mode" && !m_releases.empty() && !allFrom(m_releases, "3.0.0"))
            add(ConfigRule::NeedsNewerPatroni, ConfigLevel::Note, key, node, "3.0.0");
    }

    void checkSynchronousMode(const ConfigNode &node)
    {
        std::string lower = node.text;
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        if (node.kind != Kind::String || lower != "quorum")
            checkBoolean("synchronous_mode", node);
        else if (!allFrom(m_releases, "4.0.0")) // older ones read it as off
            add(ConfigRule::NeedsNewerPatroni, ConfigLevel::Warning, "synchronous_mode", node, "4.0.0");
    }

    void checkSeconds(const ConfigNode &config)
    {
        const bool adjusts = allFrom(m_releases, "3.2.0");
        std::int64_t ttl = 30, loopWait = 10, retryTimeout = 10;
        std::int64_t *const values[]{&ttl, &loopWait, &retryTimeout};
        bool readable = true;
        for (std::size_t i = 0; i < secondsRules.size(); ++i) {
            const NumberRule &rule = secondsRules[i];
            const ConfigNode *node = config.find(rule.key);
            if (!node)
                continue;
            const auto value = pythonInt(*node);
            const std::string limit = ">= " + std::to_string(rule.least);
            if (!value)
                add(ConfigRule::NotANumber, ConfigLevel::Error, std::string(rule.key), *node, limit);
            else if (*value < rule.least)
                add(ConfigRule::OutOfRange, adjusts ? ConfigLevel::Warning : ConfigLevel::Error, std::string(rule.key), *node, limit);
            readable = readable && value && *value <= 1000000000;
            *values[i] = adjusts ? std::max(value.value_or(0), rule.least) : value.value_or(0);
        }
        if (readable && loopWait + 2 * retryTimeout > ttl)
            findings.push_back({ConfigRule::TimingBroken,
                                adjusts ? ConfigLevel::Warning : ConfigLevel::Error,
                                {},
                                std::to_string(loopWait) + " + 2 * " + std::to_string(retryTimeout) + " > " + std::to_string(ttl),
                                "loop_wait + 2 * retry_timeout <= ttl"});
    }

    // A value that is no map makes _safe_copy_dynamic_configuration fail: nothing of the whole is taken. What is false counts as missing.
    bool mapOrNothing(const std::string &path, const ConfigNode &node)
    {
        if (node.isMap())
            return true;
        const bool falsy = node.kind == Kind::Null || (node.kind == Kind::Boolean && node.text == "false")
            || (node.kind == Kind::String && node.text.empty()) || (node.isList() && node.items.empty())
            || (node.kind == Kind::Number && node.text == "0");
        if (!falsy)
            add(ConfigRule::NotAMap, ConfigLevel::Error, path, node);
        return false;
    }

    void checkPostgresql(const ConfigNode &postgresql)
    {
        if (!mapOrNothing("postgresql", postgresql))
            return;
        for (std::size_t i = 0; i < postgresql.items.size(); ++i) {
            const std::string &key = postgresql.keys[i];
            const std::string path = "postgresql." + key;
            if (contains(membersOwn, key))
                add(ConfigRule::SetInMembersConfig, ConfigLevel::Note, path, postgresql.items[i]);
            else if (key == "parameters" && mapOrNothing(path, postgresql.items[i]))
                checkParameters(postgresql.items[i]);
            else if (key == "use_slots" || key == "use_pg_rewind")
                checkBoolean(path, postgresql.items[i]);
            else if ((key == "pg_hba" || key == "pg_ident") && postgresql.items[i].kind != Kind::Null && !postgresql.items[i].isList())
                add(ConfigRule::NotAList, ConfigLevel::Warning, path, postgresql.items[i]);
        }
    }

    void checkParameters(const ConfigNode &parameters)
    {
        // Before 4.0 a validator that cannot read its value throws, and nothing of the whole is taken.
        const ConfigLevel unreadable = allFrom(m_releases, "4.0.0") ? ConfigLevel::Warning : ConfigLevel::Error;
        for (std::size_t i = 0; i < parameters.items.size(); ++i) {
            const std::string &key = parameters.keys[i];
            const ConfigNode &node = parameters.items[i];
            const std::string path = "postgresql.parameters." + key;
            const auto rule = std::find_if(parameterRules.begin(), parameterRules.end(), [&](const NumberRule &r) { return r.key == key; });
            if (rule != parameterRules.end() && node.kind == Kind::Null)
                add(ConfigRule::NotANumber, unreadable, path, node);
            else if (rule != parameterRules.end())
                checkNumber(*rule, path, node, unreadable);
            else if (contains(fixedParameters, key))
                add(ConfigRule::SetByPatroni, ConfigLevel::Note, path, node);
            else if (key == "wal_level")
                checkWalLevel(path, node, unreadable);
            else if (!node.isScalar())
                add(ConfigRule::NotAllowed, ConfigLevel::Error, path, node, "text or number");
        }
    }

    void checkWalLevel(const std::string &path, const ConfigNode &node, ConfigLevel unreadable)
    {
        constexpr std::array words{"hot_standby", "replica", "logical"};
        if (node.kind != Kind::String)
            add(ConfigRule::NotAllowed, unreadable, path, node, "hot_standby, replica or logical");
        else if (!contains(words, node.text))
            add(ConfigRule::NotAllowed, ConfigLevel::Warning, path, node, "hot_standby, replica or logical");
    }

    void checkStandby(const ConfigNode &standby)
    {
        if (!mapOrNothing("standby_cluster", standby))
            return;
        const auto given = [&](const char *key) {
            const ConfigNode *node = standby.find(key);
            return node && node->isScalar() && node->kind != Kind::Null && !node->text.empty() && node->text != "0"
                && node->text != "false";
        };
        if (!given("host") && !given("port") && !given("restore_command"))
            add(ConfigRule::InactiveStandby, ConfigLevel::Warning, "standby_cluster", standby);
        for (std::size_t i = 0; i < standby.items.size(); ++i) {
            const std::string path = "standby_cluster." + standby.keys[i];
            if (!contains(standbyKeys, standby.keys[i]))
                add(ConfigRule::Unknown, ConfigLevel::Note, path, standby.items[i]);
            else if (standby.keys[i] == "port" && given("port"))
                checkNumber({"port", 1, 65535}, path, standby.items[i], ConfigLevel::Warning);
        }
    }

    const std::vector<std::string> &m_releases;
};

} // namespace

std::string_view code(ConfigRule rule)
{
    switch (rule) {
    case ConfigRule::Unreadable: return "unreadable";
    case ConfigRule::Empty: return "empty";
    case ConfigRule::TooLarge: return "too-large";
    case ConfigRule::NotANumber: return "not-a-number";
    case ConfigRule::OutOfRange: return "out-of-range";
    case ConfigRule::NotABoolean: return "not-a-boolean";
    case ConfigRule::NotAllowed: return "not-allowed";
    case ConfigRule::NotAMap: return "not-a-map";
    case ConfigRule::NotAList: return "not-a-list";
    case ConfigRule::TimingBroken: return "timing-broken";
    case ConfigRule::NeedsNewerPatroni: return "needs-newer-patroni";
    case ConfigRule::InactiveStandby: return "inactive-standby";
    case ConfigRule::Unknown: return "unknown-setting";
    case ConfigRule::Deprecated: return "deprecated";
    case ConfigRule::SetByPatroni: return "set-by-patroni";
    case ConfigRule::SetInMembersConfig: return "set-in-members-config";
    }
    return "unreadable";
}

namespace {

std::string words(const ConfigFinding &finding)
{
    switch (finding.rule) {
    case ConfigRule::Unreadable: return "the configuration cannot be read: " + finding.value;
    case ConfigRule::Empty: return "an empty configuration counts as none, and Patroni overwrites it";
    case ConfigRule::TooLarge:
        return "too large: " + finding.value + " bytes with the object's other annotations, allowed are " + finding.expected;
    case ConfigRule::NotANumber: return finding.value + " is not a number";
    case ConfigRule::OutOfRange: return finding.value + " is out of range: " + finding.expected;
    case ConfigRule::NotABoolean: return finding.value + " is not a boolean: Patroni reads it as off";
    case ConfigRule::NotAllowed: return finding.value + " is not allowed: " + finding.expected;
    case ConfigRule::NotAMap: return finding.value + " must be a map of settings";
    case ConfigRule::NotAList: return finding.value + " must be a list";
    case ConfigRule::TimingBroken: return finding.expected + " does not hold: " + finding.value;
    case ConfigRule::NeedsNewerPatroni: return "needs Patroni " + finding.expected + " on all members";
    case ConfigRule::InactiveStandby: return "without host, port and restore_command it has no effect";
    case ConfigRule::Unknown: return "not known: Patroni ignores it";
    case ConfigRule::Deprecated: return "an old name of " + finding.expected;
    case ConfigRule::SetByPatroni: return "set by Patroni itself: this value is not used";
    case ConfigRule::SetInMembersConfig: return "used only in the members' own configuration";
    }
    return {};
}

} // namespace

std::string text(const ConfigFinding &finding)
{
    return (finding.path.empty() ? std::string() : finding.path + ": ") + words(finding);
}

std::vector<ConfigFinding> checkConfig(std::string_view json, const std::vector<std::string> &releases)
{
    const auto config = readJson(json);
    if (!config)
        return {{ConfigRule::Unreadable, ConfigLevel::Error, {}, config.error().message, {}}};
    if (!config->isMap())
        return {{ConfigRule::Unreadable, ConfigLevel::Error, {}, "not an object", {}}};
    if (config->items.empty())
        return {{ConfigRule::Empty, ConfigLevel::Error, {}, {}, {}}};
    Checker checker(releases);
    checker.check(*config);
    std::stable_sort(checker.findings.begin(), checker.findings.end(),
                     [](const ConfigFinding &a, const ConfigFinding &b) { return a.level > b.level; });
    return std::move(checker.findings);
}

std::optional<ConfigFinding> checkSize(const std::map<std::string, std::string> &annotations, std::string_view config)
{
    std::size_t size = std::string_view("config").size() + config.size();
    for (const auto &[key, value] : annotations)
        size += key == "config" ? 0 : key.size() + value.size();
    if (size <= annotationsLimit)
        return std::nullopt;
    return ConfigFinding{ConfigRule::TooLarge, ConfigLevel::Error, {}, std::to_string(size), std::to_string(annotationsLimit)};
}

} // namespace switchyard::actions
