// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/json_access.h"
#include "models/patroni/decode_support.h"
#include "models/patroni/mask.h"

namespace switchyard::patroni {

namespace {

std::optional<Instant> time(const std::optional<std::string> &text, const char *field, Defects &defects)
{
    if (!text)
        return {};
    const auto result = parseInstant(*text);
    if (!result)
        defects.add(field, "not a time");
    return result;
}

std::optional<std::int64_t> number(const std::optional<std::string> &text, const char *field, Defects &defects)
{
    if (!text)
        return {};
    const auto result = parseInteger(*text);
    if (!result)
        defects.add(field, "not an integer");
    return result;
}

// A parsed JSON annotation of the wanted kind; nullopt when missing or, with a defect, wrong.
std::optional<json::Json> parsed(const KubeObject &object, const char *field, json::Json::value_t type, Defects &defects)
{
    const auto text = filledAnnotation(object, field);
    if (!text)
        return {};
    auto value = json::parse(*text);
    if (value && value->type() == type)
        return value;
    // Patroni writes null where it has nothing to say.
    if (!value || !value->is_null())
        defects.add(field, type == json::Json::value_t::array ? "not a JSON array" : "not a JSON object");
    return {};
}

void readSlots(const KubeObject &object, LeaderRecord &record, Defects &defects)
{
    if (const auto slots = parsed(object, "slots", json::Json::value_t::object, defects)) {
        for (const auto &[name, value] : slots->items()) {
            if (const auto lsn = json::unsignedInteger(&value))
                record.slots.emplace(name, *lsn);
            else
                defects.add("slots." + name, "not a position");
        }
    }
    if (const auto names = parsed(object, "retain_slots", json::Json::value_t::array, defects)) {
        for (const auto &value : *names) {
            if (auto name = json::text(&value))
                record.retainSlots.push_back(std::move(*name));
            else
                defects.add("retain_slots", "an entry is not a name");
        }
    }
}

void readFailsafe(const KubeObject &object, LeaderRecord &record, Defects &defects)
{
    const auto failsafe = parsed(object, "failsafe", json::Json::value_t::object, defects);
    if (!failsafe)
        return;
    record.failsafe.emplace();
    for (const auto &[name, value] : failsafe->items()) {
        if (auto url = json::text(&value))
            record.failsafe->emplace(name, maskCredentials(*url));
        else
            defects.add("failsafe." + name, "not a URL");
    }
}

} // namespace

LeaderRecord decodeLeader(const KubeObject &object, std::vector<Defect> &list)
{
    Defects defects(list, object.name);
    LeaderRecord record;
    record.leader = filledAnnotation(object, "leader");
    record.acquireTimeRaw = annotation(object, "acquireTime");
    record.ttlRaw = annotation(object, "ttl");
    record.renewTimeRaw = annotation(object, "renewTime");
    record.transitionsRaw = annotation(object, "transitions");
    record.acquireTime = time(record.acquireTimeRaw, "acquireTime", defects);
    record.renewTime = time(record.renewTimeRaw, "renewTime", defects);
    record.transitions = number(record.transitionsRaw, "transitions", defects);
    record.ttl = number(record.ttlRaw, "ttl", defects);
    if (record.ttl == 0)
        record.ttl.reset(); // Patroni takes 0 for "not set"; a negative one literally
    if (const auto text = annotation(object, "optime")) {
        record.optime = parseUnsigned(*text);
        if (!record.optime)
            defects.add("optime", "not a position");
        else if (*record.optime == 0)
            record.optime.reset(); // no WAL position is 0: not known yet
    }
    readSlots(object, record, defects);
    readFailsafe(object, record, defects);
    record.addresses = object.addresses;
    return record;
}

} // namespace switchyard::patroni
