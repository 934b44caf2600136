// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the account may do: everything the program asks of the API server, what is lost where it may not, and a Role that would do.
// An answer that is not known is neither yes nor no: nothing is disabled by it, nothing is promised.
#include "models/rules/action.h"

#include <map>

namespace switchyard::rules {

// What a right is needed for.
enum class RightUse {
    List,          // seeing what there is
    Watch,         // seeing changes at once
    Get,           // asking about one object when its watch is silent, and after a write without an answer
    GetNamed,      // reading a cluster that the user named, where lists are not permitted
    ChangeRequest, // switchover and cancel where the failover object exists
    FirstRequest,  // the first switchover of a cluster: its failover object is created. Names cannot restrict it
    FindServers,   // the other API servers, of Endpoints default/kubernetes
    ChangeConfig,  // pause, resume, edit configuration: patch of the config object
    AskMembers,    // GET through pods/proxy: what members say of themselves
    CallMembers,   // POST, PATCH, DELETE through pods/proxy: restart, reload ...
    ReadLogs,      // pods/log: why a request was refused
    ReadEvents,    // Events about Pods: why a leader was lost
    ReadLeases,    // Leases: other leader elections
    ReadNodes,     // Nodes: does the node of a leader for life still work?
};
// list watch get get-named change-request first-request find-servers change-config ask-members call-members read-logs read-events
// read-leases read-nodes
std::string_view code(RightUse use);

struct Right
{
    RightUse use{};
    std::string verb, group, resource; // resource: "endpoints", "pods/proxy"
    std::string ns;                    // empty: all namespaces
    std::string name;                  // empty: any
    auto operator<=>(const Right &) const = default;
};

struct Answer
{
    enum class Kind { Unknown, Allowed, Denied };
    Kind kind = Kind::Unknown;
    std::string reason; // the server's words; of Unknown: why it is not known
    Boot at{};          // when it was answered
    bool operator==(const Answer &) const = default;
};
std::string_view code(Answer::Kind kind); // unknown allowed denied
using Answers = std::map<Right, Answer>;

// A cluster whose failover object the program may have to write.
struct RequestTarget
{
    std::string ns, name; // of its failover object
    Resource resource{};  // Endpoints or ConfigMaps
    auto operator<=>(const RequestTarget &) const = default;
};
RequestTarget requestTarget(const patroni::Cluster &cluster);
std::string configNameOf(const RequestTarget &target); // of the cluster's config object

// A cluster that the user named; its kind of objects may not be known yet.
struct NamedTarget
{
    std::string ns, base; // SCOPE or SCOPE-GROUP
    auto operator<=>(const NamedTarget &) const = default;
};

// A Pod whose server may have to be called.
struct PodTarget
{
    std::string ns, name;
    auto operator<=>(const PodTarget &) const = default;
};

// What of the cluster is watched: all that decides which rights are needed.
struct RightsScope
{
    std::vector<std::string> namespaces; // one entry "": all
    std::string ownNamespace;            // the context's: asked about where all namespaces are not permitted
    std::vector<NamedTarget> named;
    std::vector<RequestTarget> targets; // the most important first: see `maxNames`, `maxNamespaces`
    bool bypassApiService = false;
    std::vector<PodTarget> pods{}; // members of the cluster on screen: asked about by name where the namespace is denied
    bool leases = true;            // they are watched, too
    bool nodes = false;            // a lock is there whose fate depends on its Node
    bool operator==(const RightsScope &) const = default;
};
constexpr std::size_t maxNames = 32;      // what may be done to single objects is asked about for the first ones only
constexpr std::size_t maxNamespaces = 16; // as is what may be written in single namespaces where all are watched

// The rights worth asking about, given the answers that are there: the whole namespace first, single names and namespaces only where
// that is denied. To be asked again until no new ones come.
std::vector<Right> wantedRights(const RightsScope &scope, const Answers &answers);

// By the widest right that is allowed, else by the narrowest one that was asked about.
Answer answerFor(const Answers &answers, const Right &right);

// Of a right about Pods of a namespace: allowed also where it is for one of the cluster's members by its name.
Answer answerForMembers(const Answers &answers, const Right &right, const patroni::Cluster &cluster);

// How a denied read is borne.
enum class Effect {
    NothingSeen,    // neither list nor get by name: what there is, is not known
    OnlyNamed,      // list denied, get allowed: only clusters that are named are seen, by polling
    OnlyPolled,     // watch denied: lists at intervals
    NotConfirmed,   // get denied: a silent lock cannot be asked about
    NoSwitchover,   // patch of the failover object denied
    NoFirstRequest, // create denied
    OneServer,      // the other API servers are not known
    NoConfigChange, // neither pause nor resume nor changes of the configuration
    NotAsked,       // members are judged by the objects alone
    NoRest,         // no restart, reload, reinitialize
    NoLogs,         // the reason of a refusal stays a guess
    NoEvents,       // why a leader was lost is told by its Pod alone
    NoLeases,       // list: Leases are not shown; watch: seen later; get: a silent one cannot be asked about
    NoNodes,        // whether a lock's Node is ready is unknown
};
// nothing-seen only-named only-polled not-confirmed no-switchover no-first-request one-server no-config-change not-asked no-rest no-logs
// no-events no-leases no-nodes
std::string_view code(Effect effect);

struct Loss
{
    Effect effect{};
    Right missing;
    auto operator<=>(const Loss &) const = default;
};
// What a denial of `right` takes away, the other answers being as they are.
Effect effectWithout(const Answers &answers, const Right &right);
// What the program does without, and says so only where it is asked about: what members say and do through pods/proxy, logs, Events,
// Leases and Nodes.
bool isOptional(Effect effect);
// What the denied ones of `answers` take away; a denied right whose narrower ones are allowed takes away nothing.
std::vector<Loss> losses(const RightsScope &scope, const Answers &answers);

// Answers are asked for anew every five minutes; older ones than this say nothing any more.
constexpr Duration answerHolds = std::chrono::minutes(6);

// The right that is known to be missing to write a request: of a switchover that may create the object, or of one that changes it.
// nullopt: permitted, or not known; the API server decides then.
std::optional<Right> missingToWrite(const Answers &answers, const patroni::Cluster &cluster, Boot now);
// The same for any action.
std::optional<Right> missingToAct(const Answers &answers, const patroni::Cluster &cluster, ActionKind kind, bool byRest, Boot now);

// Who the API server says we are.
struct Account
{
    std::string user; // empty: not known
    bool operator==(const Account &) const = default;
};

// Roles and their bindings as YAML for kubectl apply, for what `scope` watches. Operating: writing requests too, of the clusters
// that are known by name.
enum class RoleKind { Viewing, Operating };
std::string suggestedRole(const RightsScope &scope, RoleKind kind, const Account &account);

} // namespace switchyard::rules
