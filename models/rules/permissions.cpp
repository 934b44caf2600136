// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/permissions.h"

#include <algorithm>
#include <set>

namespace switchyard::rules {

namespace {

constexpr Resource watched[] = {Resource::Endpoints, Resource::ConfigMaps, Resource::Pods};

Right right(RightUse use, const char *verb, Resource resource, const std::string &ns, const std::string &name = {})
{
    return {use, verb, "", std::string(code(resource)), ns, name};
}

Right subresource(RightUse use, const char *verb, const char *resource, const std::string &ns)
{
    return {use, verb, "", resource, ns, {}};
}

// patroni/api.py: POST restart, reload ..., PATCH config, DELETE restart and switchover
constexpr const char *callVerbs[] = {"create", "patch", "delete"};
constexpr auto podsProxy = "pods/proxy";
constexpr auto podsLog = "pods/log";
constexpr auto leaseGroup = "coordination.k8s.io";

Answer::Kind kindOf(const Answers &answers, const Right &right)
{
    const auto found = answers.find(right);
    return found == answers.end() ? Answer::Kind::Unknown : found->second.kind;
}

bool denied(const Answers &answers, const Right &right)
{
    return kindOf(answers, right) == Answer::Kind::Denied;
}

void addReads(std::vector<Right> &rights, const std::string &ns)
{
    for (const Resource resource : watched) {
        rights.push_back(right(RightUse::List, "list", resource, ns));
        rights.push_back(right(RightUse::Watch, "watch", resource, ns));
        rights.push_back(right(RightUse::Get, "get", resource, ns));
    }
}

// The leader object alone stands for the others: who is given them one by one is given this one.
void addNamed(std::vector<Right> &rights, const RightsScope &scope, const Answers &answers)
{
    for (const NamedTarget &named : scope.named) {
        const std::pair<Resource, std::string> leaders[] = {{Resource::Endpoints, named.base},
                                                            {Resource::ConfigMaps, named.base + "-leader"}};
        for (const auto &[resource, name] : leaders) {
            if (denied(answers, right(RightUse::Get, "get", resource, named.ns)))
                rights.push_back(right(RightUse::GetNamed, "get", resource, named.ns, name));
        }
    }
}

bool watchesAll(const RightsScope &scope)
{
    return std::find(scope.namespaces.begin(), scope.namespaces.end(), "") != scope.namespaces.end();
}

// Adds it once; true: it is denied, so the narrower ones are worth asking about.
bool addAndDenied(std::vector<Right> &rights, std::set<Right> &known, const Right &right, const Answers &answers)
{
    if (known.insert(right).second)
        rights.push_back(right);
    return denied(answers, right);
}

void addWrites(std::vector<Right> &rights, const RightsScope &scope, const Answers &answers)
{
    std::set<Right> known;
    std::set<std::string> namespaces;
    std::size_t names = 0;
    const bool all = watchesAll(scope);
    for (const RequestTarget &target : scope.targets) {
        const bool beyond = all && !namespaces.contains(target.ns) && namespaces.size() >= maxNamespaces;
        if (!beyond)
            namespaces.insert(target.ns);
        const auto widest = [&](RightUse use, const char *verb) {
            return !all || addAndDenied(rights, known, right(use, verb, target.resource, ""), answers);
        };
        const auto inNamespace = [&](RightUse use, const char *verb) {
            return widest(use, verb) && !beyond && addAndDenied(rights, known, right(use, verb, target.resource, target.ns), answers);
        };
        inNamespace(RightUse::FirstRequest, "create");
        const bool changeDenied = inNamespace(RightUse::ChangeRequest, "patch");
        const bool configDenied = inNamespace(RightUse::ChangeConfig, "patch");
        if ((!changeDenied && !configDenied) || names++ >= maxNames)
            continue;
        if (changeDenied)
            addAndDenied(rights, known, right(RightUse::ChangeRequest, "patch", target.resource, target.ns, target.name), answers);
        if (configDenied)
            addAndDenied(rights, known, right(RightUse::ChangeConfig, "patch", target.resource, target.ns, configNameOf(target)), answers);
    }
}

// What goes to the Pods themselves: by namespace, and only where there are clusters.
void addPods(std::vector<Right> &rights, const RightsScope &scope, const Answers &answers)
{
    std::set<Right> known;
    std::set<std::string> namespaces;
    for (const RequestTarget &target : scope.targets) {
        if (namespaces.size() >= maxNamespaces || !namespaces.insert(target.ns).second)
            continue;
        const auto add = [&](RightUse use, const char *verb, const char *resource) {
            return (!watchesAll(scope) || addAndDenied(rights, known, subresource(use, verb, resource, ""), answers))
                && addAndDenied(rights, known, subresource(use, verb, resource, target.ns), answers);
        };
        const auto addCall = [&](RightUse use, const char *verb) {
            if (!add(use, verb, podsProxy))
                return;
            for (const PodTarget &pod : scope.pods) {
                Right named = subresource(use, verb, podsProxy, pod.ns);
                named.name = pod.name;
                if (pod.ns == target.ns)
                    addAndDenied(rights, known, named, answers);
            }
        };
        addCall(RightUse::AskMembers, "get");
        for (const char *verb : callVerbs)
            addCall(RightUse::CallMembers, verb);
        add(RightUse::ReadLogs, "get", podsLog);
    }
}

// They are watched as the rest is, or not at all.
void addEvents(std::vector<Right> &rights, const RightsScope &scope)
{
    if (scope.targets.empty())
        return;
    for (const std::string &ns : std::set<std::string>(scope.namespaces.begin(), scope.namespaces.end())) {
        for (const char *verb : {"list", "watch"})
            rights.push_back(right(RightUse::ReadEvents, verb, Resource::Events, ns));
    }
}

// Leases are watched as the rest is, and asked for by name when one is silent; Nodes only for locks whose fate depends on them.
void addElections(std::vector<Right> &rights, const RightsScope &scope)
{
    const std::set<std::string> namespaces(scope.namespaces.begin(), scope.namespaces.end());
    for (const std::string &ns : scope.leases ? namespaces : std::set<std::string>{}) {
        for (const char *verb : {"list", "watch", "get"})
            rights.push_back({RightUse::ReadLeases, verb, leaseGroup, std::string(code(Resource::Leases)), ns, {}});
    }
    if (!scope.nodes)
        return;
    for (const char *verb : {"list", "watch"})
        rights.push_back(right(RightUse::ReadNodes, verb, Resource::Nodes, {}));
}

} // namespace

std::string_view code(RightUse use)
{
    switch (use) {
    case RightUse::List: return "list";
    case RightUse::Watch: return "watch";
    case RightUse::Get: return "get";
    case RightUse::GetNamed: return "get-named";
    case RightUse::ChangeRequest: return "change-request";
    case RightUse::FirstRequest: return "first-request";
    case RightUse::FindServers: return "find-servers";
    case RightUse::ChangeConfig: return "change-config";
    case RightUse::AskMembers: return "ask-members";
    case RightUse::CallMembers: return "call-members";
    case RightUse::ReadLogs: return "read-logs";
    case RightUse::ReadEvents: return "read-events";
    case RightUse::ReadLeases: return "read-leases";
    case RightUse::ReadNodes: return "read-nodes";
    }
    return "unknown";
}

std::string_view code(Answer::Kind kind)
{
    switch (kind) {
    case Answer::Kind::Unknown: return "unknown";
    case Answer::Kind::Allowed: return "allowed";
    case Answer::Kind::Denied: return "denied";
    }
    return "unknown";
}

std::string_view code(Effect effect)
{
    switch (effect) {
    case Effect::NothingSeen: return "nothing-seen";
    case Effect::OnlyNamed: return "only-named";
    case Effect::OnlyPolled: return "only-polled";
    case Effect::NotConfirmed: return "not-confirmed";
    case Effect::NoSwitchover: return "no-switchover";
    case Effect::NoFirstRequest: return "no-first-request";
    case Effect::OneServer: return "one-server";
    case Effect::NoConfigChange: return "no-config-change";
    case Effect::NotAsked: return "not-asked";
    case Effect::NoRest: return "no-rest";
    case Effect::NoLogs: return "no-logs";
    case Effect::NoEvents: return "no-events";
    case Effect::NoLeases: return "no-leases";
    case Effect::NoNodes: return "no-nodes";
    }
    return "unknown";
}

RequestTarget requestTarget(const patroni::Cluster &cluster)
{
    return {cluster.names.key.ns, cluster.names.failoverName, cluster.names.resource()};
}

std::string configNameOf(const RequestTarget &target)
{
    static constexpr std::string_view request = "-failover";
    const bool usual = target.name.ends_with(request);
    return target.name.substr(0, target.name.size() - (usual ? request.size() : 0)) + "-config";
}

bool isOptional(Effect effect)
{
    return effect == Effect::NotAsked || effect == Effect::NoRest || effect == Effect::NoLogs || effect == Effect::NoEvents
        || effect == Effect::NoLeases || effect == Effect::NoNodes;
}

std::vector<Right> wantedRights(const RightsScope &scope, const Answers &answers)
{
    std::vector<Right> rights;
    std::set<std::string> namespaces;
    for (const std::string &ns : scope.namespaces) {
        if (namespaces.insert(ns).second)
            addReads(rights, ns);
    }
    // All namespaces are not permitted: would the context's own be? Then the user can choose it.
    const bool listDenied = std::any_of(std::begin(watched), std::end(watched),
                                        [&](Resource resource) { return denied(answers, right(RightUse::List, "list", resource, "")); });
    if (watchesAll(scope) && listDenied && !scope.ownNamespace.empty() && namespaces.insert(scope.ownNamespace).second)
        addReads(rights, scope.ownNamespace);
    addNamed(rights, scope, answers);
    addWrites(rights, scope, answers);
    addPods(rights, scope, answers);
    addEvents(rights, scope);
    addElections(rights, scope);
    if (scope.bypassApiService)
        rights.push_back(right(RightUse::FindServers, "get", Resource::Endpoints, "default", "kubernetes"));
    return rights;
}

Answer answerFor(const Answers &answers, const Right &wanted)
{
    std::vector<Right> widening{wanted};
    for (const auto clear : {&Right::name, &Right::ns}) {
        if (!(widening.back().*clear).empty()) {
            widening.push_back(widening.back());
            (widening.back().*clear).clear();
        }
    }
    for (const Right &wide : widening) {
        if (kindOf(answers, wide) == Answer::Kind::Allowed)
            return answers.at(wide);
    }
    const auto own = answers.find(wanted);
    if (own != answers.end())
        return own->second;
    // Nothing narrower was asked about. Verbs on whole collections cannot be given by name: there a wider no within the same
    // namespace has been asked about as `wanted` itself.
    return {};
}

Answer answerForMembers(const Answers &answers, const Right &wanted, const patroni::Cluster &cluster)
{
    for (const patroni::Member &member : cluster.members) {
        Right named = wanted;
        named.name = member.record.name;
        if (const Answer answer = answerFor(answers, named); answer.kind == Answer::Kind::Allowed)
            return answer;
    }
    return answerFor(answers, wanted);
}

Effect effectWithout(const Answers &answers, const Right &right)
{
    switch (right.use) {
    case RightUse::List: {
        Right get = right;
        get.use = RightUse::Get;
        get.verb = "get";
        if (answerFor(answers, get).kind == Answer::Kind::Allowed)
            return Effect::OnlyNamed;
        const bool byName = std::any_of(answers.begin(), answers.end(), [&](const auto &entry) {
            const Right &r = entry.first;
            return r.use == RightUse::GetNamed && r.resource == right.resource && (right.ns.empty() || r.ns == right.ns)
                && entry.second.kind == Answer::Kind::Allowed;
        });
        return byName ? Effect::OnlyNamed : Effect::NothingSeen;
    }
    case RightUse::Watch: return Effect::OnlyPolled;
    case RightUse::Get: return Effect::NotConfirmed;
    case RightUse::GetNamed: return Effect::NothingSeen;
    case RightUse::ChangeRequest: return Effect::NoSwitchover;
    case RightUse::FirstRequest: return Effect::NoFirstRequest;
    case RightUse::ChangeConfig: return Effect::NoConfigChange;
    case RightUse::AskMembers: return Effect::NotAsked;
    case RightUse::CallMembers: return Effect::NoRest;
    case RightUse::ReadLogs: return Effect::NoLogs;
    case RightUse::ReadEvents: return Effect::NoEvents;
    case RightUse::ReadLeases: return Effect::NoLeases;
    case RightUse::ReadNodes: return Effect::NoNodes;
    case RightUse::FindServers: break;
    }
    return Effect::OneServer;
}

namespace {

bool isOfPod(const Right &right)
{
    return (right.use == RightUse::AskMembers || right.use == RightUse::CallMembers) && !right.name.empty();
}

// A wider right that is denied does no harm where the narrower ones, asked about because of that, decide.
bool hasNarrower(const std::vector<Right> &wanted, const Answers &answers, const Right &right)
{
    const auto narrows = [&](const Right &r) {
        if (isOfPod(r) && kindOf(answers, r) != Answer::Kind::Allowed)
            return false; // that none of the members may be called is told once, of the namespace
        return r.use == right.use && r.verb == right.verb && r.resource == right.resource && r != right
            && (right.ns.empty() || r.ns == right.ns) && (right.name.empty() || r.name == right.name);
    };
    const bool read = right.use == RightUse::List || right.use == RightUse::Watch || right.use == RightUse::Get;
    return !read && std::any_of(wanted.begin(), wanted.end(), narrows);
}

// Watch and get say nothing of their own where lists are denied; the context's own namespace is only a hint then.
bool isMoot(const RightsScope &scope, const Answers &answers, const Right &right)
{
    if (isOfPod(right))
        return true;
    const bool read = right.use == RightUse::List || right.use == RightUse::Watch || right.use == RightUse::Get;
    if (read && std::find(scope.namespaces.begin(), scope.namespaces.end(), right.ns) == scope.namespaces.end())
        return true;
    const bool election = right.use == RightUse::ReadLeases || right.use == RightUse::ReadNodes;
    if (right.use != RightUse::Watch && right.use != RightUse::Get && (!election || right.verb == "list"))
        return false;
    Right list = right;
    list.use = election ? right.use : RightUse::List;
    list.verb = "list";
    return denied(answers, list);
}

} // namespace

std::vector<Loss> losses(const RightsScope &scope, const Answers &answers)
{
    std::vector<Loss> found;
    const std::vector<Right> wanted = wantedRights(scope, answers);
    for (const Right &right : wanted) {
        if (!denied(answers, right) || hasNarrower(wanted, answers, right) || isMoot(scope, answers, right))
            continue;
        found.push_back({effectWithout(answers, right), right});
    }
    return found;
}

namespace {

std::optional<Right> ifDenied(const Answer &answer, Right needed, Boot now)
{
    if (answer.kind != Answer::Kind::Denied || now - answer.at > answerHolds)
        return std::nullopt;
    return needed;
}

// Of pods/proxy: how a call of Patroni's REST API is made.
const char *callVerb(ActionKind kind)
{
    switch (kind) {
    case ActionKind::CancelRequest:
    case ActionKind::CancelRestart: return "delete";
    case ActionKind::Pause:
    case ActionKind::Resume:
    case ActionKind::EditConfig:
    case ActionKind::DemoteCluster:
    case ActionKind::PromoteCluster: return "patch";
    default: return "create";
    }
}

} // namespace

std::optional<Right> missingToAct(const Answers &answers, const patroni::Cluster &cluster, ActionKind kind, bool byRest, Boot now)
{
    if (needsRest(kind) || (byRest && kind != ActionKind::Repair)) {
        const Right call = subresource(RightUse::CallMembers, callVerb(kind), podsProxy, cluster.names.key.ns);
        return ifDenied(answerForMembers(answers, call, cluster), call, now);
    }
    if (writesRequest(kind))
        return missingToWrite(answers, cluster, now);
    const RequestTarget target = requestTarget(cluster);
    const Right change = right(RightUse::ChangeConfig, "patch", target.resource, target.ns, cluster.names.configName);
    return ifDenied(answerFor(answers, change), change, now);
}

std::optional<Right> missingToWrite(const Answers &answers, const patroni::Cluster &cluster, Boot now)
{
    const RequestTarget target = requestTarget(cluster);
    const bool exists = cluster.objects.contains("failover");
    const Right needed = exists ? right(RightUse::ChangeRequest, "patch", target.resource, target.ns, target.name)
                                : right(RightUse::FirstRequest, "create", target.resource, target.ns);
    return ifDenied(answerFor(answers, needed), needed, now);
}

} // namespace switchyard::rules
