// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The four objects before and after a transition. Of each only Patroni's own annotations; secrets are told as changed, never shown.
#include "models/events/dossier.h"
#include "models/patroni/config_paths.h"

#include <algorithm>
#include <array>
#include <set>

namespace switchyard {

namespace {

using Fields = std::map<std::string, std::string>;

struct Kind
{
    std::string_view role;
    std::string patroni::ClusterNames::*name;
    std::vector<std::string_view> annotations; // without what each renewal changes: renewTime, optime, slots
};

const std::array<Kind, 4> &kinds()
{
    static const std::array<Kind, 4> all{
        {{"leader", &patroni::ClusterNames::leaderName, {"leader", "acquireTime", "ttl", "transitions", "failsafe"}},
         {"config", &patroni::ClusterNames::configName, {"config", "history", "initialize"}},
         {"failover", &patroni::ClusterNames::failoverName, {"leader", "member", "scheduled_at"}},
         {"sync", &patroni::ClusterNames::syncName, {"leader", "sync_standby", "quorum"}}}};
    return all;
}

// The annotation's value in parts where it is JSON.
void add(Fields &fields, const std::string &key, const std::string &value)
{
    const bool divided = key == "config" || key == "failsafe";
    const auto parts = key == "history" ? patroni::historyPaths(value) : divided ? patroni::jsonPaths(value) : std::nullopt;
    if (!parts) {
        fields[key] = value;
        return;
    }
    for (const auto &[path, text] : *parts)
        fields[key + '.' + path] = text;
}

Fields fieldsOf(const Kind &kind, const patroni::Snapshot &snapshot)
{
    Fields fields;
    for (const std::string_view key : kind.annotations) {
        const auto found = snapshot.annotations.find(std::string(key));
        if (found != snapshot.annotations.end())
            add(fields, found->first, found->second);
    }
    return fields;
}

std::optional<std::string> valueOf(const Fields &fields, const std::string &key)
{
    const auto found = fields.find(key);
    return found == fields.end() ? std::nullopt : std::optional(found->second);
}

FieldChange shown(const std::string &field, std::optional<std::string> before, std::optional<std::string> after)
{
    FieldChange change{field, std::move(before), std::move(after), patroni::isSecretKey(field)};
    for (auto *side : {&change.before, &change.after}) {
        if (*side)
            *side = change.hidden ? "***" : patroni::shownValue(**side);
    }
    return change;
}

std::vector<FieldChange> changesBetween(const Fields &before, const Fields &after)
{
    std::set<std::string> keys;
    for (const Fields *side : {&before, &after}) {
        for (const auto &[key, value] : *side)
            keys.insert(key);
    }
    std::vector<FieldChange> changes;
    for (const std::string &key : keys) {
        auto a = valueOf(before, key);
        auto b = valueOf(after, key);
        if (a != b)
            changes.push_back(shown(key, std::move(a), std::move(b)));
    }
    return changes;
}

// All that was seen of one object, oldest first.
std::vector<SeenObject> seenOf(const std::string &object, const DossierInput &input)
{
    std::vector<SeenObject> seen;
    for (const SeenObject &one : input.objects) {
        if (one.snapshot.object == object)
            seen.push_back(one);
    }
    for (const patroni::Snapshot &one : input.cluster->snapshots) {
        if (one.object == object)
            seen.push_back({input.now.toWall(one.seen), one});
    }
    std::stable_sort(seen.begin(), seen.end(), [](const SeenObject &a, const SeenObject &b) { return a.seen < b.seen; });
    return seen;
}

struct Ends
{
    Instant before, after; // the last state not after `before`, and the last one not after `after`
};

// nullopt: when it happened is not known well enough.
std::optional<Ends> endsOf(const DossierInput &input)
{
    const patroni::Transition &t = *input.transition;
    const auto start = t.lostAt ? t.lostAt : t.notBefore ? t.notBefore : t.gainedAt;
    if (!start)
        return std::nullopt;
    Instant end = *start;
    for (const auto &at : {t.gainedAt, t.notAfter, t.writableAt, t.streamingAt}) {
        if (at)
            end = std::max(end, *at);
    }
    // The record that released the lock is part of it; what follows within seconds is, too: history, sync.
    return Ends{*start - std::chrono::milliseconds(1), end + std::chrono::seconds(5)};
}

ObjectDiff diffOf(const Kind &kind, const DossierInput &input, const std::optional<Ends> &ends)
{
    ObjectDiff diff{std::string(kind.role), input.cluster->names.*kind.name, {}, {}, {}, {}, {}};
    if (!ends)
        return diff;
    const std::vector<SeenObject> seen = seenOf(diff.object, input);
    const SeenObject *before = nullptr;
    const SeenObject *after = nullptr;
    for (const SeenObject &one : seen) {
        if (one.seen <= ends->before)
            before = &one;
        if (one.seen <= ends->after)
            after = &one;
    }
    if (before) {
        diff.seenBefore = before->seen;
        diff.versionBefore = before->snapshot.resourceVersion;
    }
    if (after && (before || after->seen >= ends->before)) {
        diff.seenAfter = after->seen;
        diff.versionAfter = after->snapshot.resourceVersion;
    }
    if (diff.bothSeen())
        diff.changes = changesBetween(fieldsOf(kind, before->snapshot), fieldsOf(kind, after->snapshot));
    else if (diff.seenAfter)
        diff.changes = changesBetween({}, fieldsOf(kind, after->snapshot));
    return diff;
}

} // namespace

std::vector<ObjectDiff> objectDiffs(const DossierInput &input)
{
    std::vector<ObjectDiff> all;
    const auto ends = endsOf(input);
    for (const Kind &kind : kinds())
        all.push_back(diffOf(kind, input, ends));
    return all;
}

} // namespace switchyard
