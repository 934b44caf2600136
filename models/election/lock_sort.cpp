// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which objects are locks. ConfigMaps are watched by their metadata: whether one has data is only known as far as its managed fields
// tell. A lock for life is one that, for all that is known, has no data, and
//   - has an owner that is a Pod (ordinary ConfigMaps are owned by controllers or by nobody), or
//   - is called NAME-lock, as operators call theirs, and has no owner or several, or one that is no Pod: a lock that nobody can take, or
//   - was a lock when it was last seen.
#include "models/election/election_store.h"
#include "models/election/lock_record.h"
#include "models/patroni/discovery_evidence.h"

#include <algorithm>

namespace switchyard::election {

namespace {

bool isWrittenByPatroni(const KubeObject &object)
{
    return patroni::configBase(object) || patroni::isLeaderRecord(object);
}

// Also one of its objects that carries none of its annotations now.
bool mayBePatronis(const KubeObject &object)
{
    if (isWrittenByPatroni(object) || object.annotations.contains("leader") || object.annotations.contains("sync_standby")
        || object.annotations.contains("optime"))
        return true;
    for (const std::string_view suffix : {"-config", "-leader", "-failover", "-sync"}) {
        if (object.name.ends_with(suffix)
            && !patroni::scopeMatches(object, object.name.substr(0, object.name.size() - suffix.size())).empty())
            return true;
    }
    return false;
}

bool hasPodOwner(const KubeObject &object)
{
    return std::any_of(object.owners.begin(), object.owners.end(), [](const OwnerReference &owner) { return owner.kind == "Pod"; });
}

std::string escaped(const std::string &text)
{
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result;
}

void newLine(std::string &out, std::size_t depth)
{
    constexpr std::size_t deepest = 32;
    out += '\n';
    out.append(2 * std::min(depth, deepest), ' ');
}

} // namespace

LockSort sortOf(const KubeObject &object, bool wasForLife)
{
    if (object.resource == Resource::Leases)
        return LockSort::Record;
    if (object.resource != Resource::Endpoints && object.resource != Resource::ConfigMaps)
        return LockSort::None;
    if (object.annotations.contains(leaderAnnotation) && !isWrittenByPatroni(object) && decodeAnnotation(object))
        return LockSort::Record;
    if (object.resource != Resource::ConfigMaps || object.hasData || mayBePatronis(object))
        return LockSort::None;
    return hasPodOwner(object) || wasForLife || object.name.ends_with("-lock") ? LockSort::ForLife : LockSort::None;
}

bool isOfInterest(const KubeObject &object)
{
    return sortOf(object, false) != LockSort::None;
}

std::string_view ownerDefect(const std::vector<OwnerReference> &owners)
{
    if (owners.empty())
        return "no-owner";
    if (owners.size() > 1)
        return "several-owners";
    return owners.front().kind == "Pod" ? "" : "owner-no-pod";
}

bool isNoise(const KubeObject &lease)
{
    if (lease.resource != Resource::Leases)
        return false;
    if (lease.ns == "kube-node-lease")
        return true;
    if (lease.ns != "kube-system")
        return false;
    return lease.labels.contains("apiserver.kubernetes.io/identity") || lease.name.starts_with("kube-apiserver-")
        || lease.name.starts_with("apiserver-");
}

std::string indented(std::string_view json)
{
    std::string out;
    std::size_t depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString) {
            out += c;
            if (c == '\\' && i + 1 < json.size())
                out += json[++i];
            inString = c != '"';
            continue;
        }
        const auto next = json.find_first_not_of(" \t\r\n", i + 1);
        const char after = next == std::string_view::npos ? '\0' : json[next];
        if (c == '"') {
            inString = true;
            out += c;
        } else if (c == '{' || c == '[') {
            out += c;
            ++depth;
            if (after == (c == '{' ? '}' : ']'))
                continue;
            newLine(out, depth);
        } else if (c == '}' || c == ']') {
            depth -= depth > 0 ? 1 : 0;
            if (!out.empty() && out.back() != '{' && out.back() != '[')
                newLine(out, depth);
            out += c;
        } else if (c == ',') {
            out += c;
            newLine(out, depth);
        } else if (c == ':') {
            out += ": ";
        } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
            out += c;
        }
    }
    return out;
}

std::string ownersText(const std::vector<OwnerReference> &owners)
{
    std::string text = "[";
    for (const OwnerReference &owner : owners) {
        text += text.size() > 1 ? "," : "";
        text += R"({"kind":")" + escaped(owner.kind) + R"(","name":")" + escaped(owner.name) + R"(","uid":")" + escaped(owner.uid)
            + R"("})";
    }
    return indented(text + "]");
}

} // namespace switchyard::election
