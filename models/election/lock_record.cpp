// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// client-go tools/leaderelection/resourcelock: LeaderElectionRecord (annotation) and LeaseSpecToLeaderElectionRecord (1.12 - 1.31).
#include "models/election/lock_record.h"

#include "models/core/json_access.h"
#include "models/core/json_reader.h"

namespace switchyard::election {

namespace {

using json::Json;
using json::Once;
using json::Reader;

std::optional<Instant> instant(const std::optional<std::string> &text)
{
    return text ? parseInstant(*text) : std::nullopt;
}

// The ordinary annotation, without a tree. False: the tree is to judge.
bool readQuickly(const std::string &text, Record &record)
{
    Reader reader(text);
    Once once;
    bool odd = false; // a value that is neither absent nor what it should be
    const auto string = [&]() -> std::optional<std::string> {
        odd = odd || (reader.peek() != '"' && !reader.isNull());
        return reader.string();
    };
    const auto time = [&] {
        const auto own = string();
        auto value = instant(own);
        odd = odd || (own && !value);
        return value;
    };
    const bool isObject = reader.object([&](std::string_view key) {
        switch (once.place(
            reader, key,
            {"holderIdentity", "leaseDurationSeconds", "acquireTime", "renewTime", "leaderTransitions", "strategy", "preferredHolder"})) {
        case 0: record.holder = string(); break;
        case 1: record.durationSeconds = reader.integer(); break;
        case 2: record.acquireTime = time(); break;
        case 3: record.renewTime = time(); break;
        case 4: record.transitions = reader.integer(); break;
        case 5: record.strategy = string(); break;
        case 6: record.preferredHolder = string(); break;
        default: reader.skip();
        }
    });
    return isObject && reader.ok() && reader.atEnd() && !odd;
}

// Field by field, saying what is wrong.
class Fields
{
public:
    Fields(const Json &object, const KubeObject &of, std::vector<patroni::Defect> &defects)
        : m_object(object)
        , m_of(of)
        , m_defects(defects)
    {}
    std::optional<std::string> text(const char *key)
    {
        const Json *value = json::find(&m_object, key);
        auto own = json::text(value);
        if (value && !own)
            say(key, "is no text");
        return own;
    }
    std::optional<std::int64_t> number(const char *key)
    {
        const Json *value = json::find(&m_object, key);
        const auto own = value && value->is_number() ? json::integer(value) : std::nullopt;
        if (value && !own)
            say(key, "is no whole number");
        return own;
    }
    std::optional<Instant> time(const char *key)
    {
        const Json *value = json::find(&m_object, key);
        const auto own = instant(json::text(value));
        if (value && !own)
            say(key, "is no time");
        return own;
    }

private:
    void say(const char *field, const char *what) { m_defects.push_back({m_of.name, field, what}); }
    const Json &m_object;
    const KubeObject &m_of;
    std::vector<patroni::Defect> &m_defects;
};

void readByTree(const Json &object, const KubeObject &of, const char *transitions, Record &record)
{
    Fields fields(object, of, record.defects);
    record.holder = fields.text("holderIdentity");
    record.durationSeconds = fields.number("leaseDurationSeconds");
    record.acquireTime = fields.time("acquireTime");
    record.renewTime = fields.time("renewTime");
    record.transitions = fields.number(transitions);
    record.strategy = fields.text("strategy");
    record.preferredHolder = fields.text("preferredHolder");
}

Record emptyRecord(Resource resource, std::string raw)
{
    Record record;
    record.resource = resource;
    record.raw = std::move(raw);
    return record;
}

void checkNumbers(const KubeObject &object, const char *transitions, Record &record)
{
    if (record.durationSeconds && *record.durationSeconds < 0)
        record.defects.push_back({object.name, "leaseDurationSeconds", "is negative"});
    if (record.transitions && *record.transitions < 0)
        record.defects.push_back({object.name, transitions, "is negative"});
}

} // namespace

std::optional<Record> decodeAnnotation(const KubeObject &object)
{
    const auto annotation = object.annotations.find(leaderAnnotation);
    if (annotation == object.annotations.end())
        return {};
    const std::string &text = annotation->second;
    Record record = emptyRecord(object.resource, text);
    if (!readQuickly(text, record)) {
        record = emptyRecord(object.resource, text);
        const auto tree = json::parse(text);
        if (tree && tree->is_null())
            return {};
        if (!tree || !tree->is_object()) {
            record.defects.push_back({object.name, "leader", tree ? "is no JSON object" : "is no JSON"});
            return record;
        }
        readByTree(*tree, object, "leaderTransitions", record);
    }
    if (text.find('"') == std::string::npos)
        return {}; // {}
    checkNumbers(object, "leaderTransitions", record);
    return record;
}

Record decodeLease(const KubeObject &lease)
{
    Record record;
    record.resource = Resource::Leases;
    if (!lease.lease)
        return record;
    const LeaseFacts &facts = *lease.lease;
    record.raw = facts.raw;
    record.holder = facts.holder;
    record.durationSeconds = facts.durationSeconds;
    record.transitions = facts.transitions;
    record.acquireTime = facts.acquireTime;
    record.renewTime = facts.renewTime;
    record.strategy = facts.strategy;
    record.preferredHolder = facts.preferredHolder;
    // Absent, or of a wrong type? The text knows.
    const auto odd = [&](bool absent, const char *key) { return absent && facts.raw.find(key) != std::string::npos; };
    if (odd(!facts.holder, "\"holderIdentity\"") || odd(!facts.durationSeconds, "\"leaseDurationSeconds\"")
        || odd(!facts.transitions, "\"leaseTransitions\"") || odd(!facts.acquireTime, "\"acquireTime\"")
        || odd(!facts.renewTime, "\"renewTime\"") || odd(!facts.strategy, "\"strategy\"")
        || odd(!facts.preferredHolder, "\"preferredHolder\"")) {
        if (const auto tree = json::parse(facts.raw); tree && tree->is_object())
            readByTree(*tree, lease, "leaseTransitions", record);
    }
    checkNumbers(lease, "leaseTransitions", record);
    return record;
}

bool isBroken(const Record &record)
{
    return record.defects.size() == 1 && record.defects.front().field == "leader";
}

std::optional<std::string> knownHolder(const Record &record)
{
    return record.holder && !record.holder->empty() && *record.holder != unknownHolder ? record.holder : std::nullopt;
}

bool isFree(const Record &record)
{
    if (record.holder)
        return record.holder->empty();
    if (isBroken(record) || record.raw.empty())
        return false; // not known
    for (const patroni::Defect &defect : record.defects) {
        if (defect.field == "holderIdentity")
            return false;
    }
    return true;
}

std::optional<std::int64_t> leaseSeconds(const Record &record)
{
    constexpr std::int64_t forEver = 100LL * 365 * 24 * 3600;
    return record.durationSeconds && *record.durationSeconds > 0 ? std::optional(std::min(*record.durationSeconds, forEver)) : std::nullopt;
}

} // namespace switchyard::election
