// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/permissions.h"

#include <algorithm>
#include <set>

namespace switchyard::rules {

namespace {

constexpr std::string_view serviceAccount = "system:serviceaccount:";

// Always in quotes: a name may read as a number or a truth value, and a user name may hold anything.
std::string quoted(const std::string &text)
{
    static constexpr char hex[] = "0123456789ABCDEF";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += '\\';
        if (byte < 0x20 || byte == 0x7f)
            out += std::string("\\x") + hex[byte >> 4U] + hex[byte & 15U];
        else
            out += c;
    }
    return out + '"';
}

std::string rule(const std::string &resources, const std::string &verbs, const std::set<std::string> &names = {},
                 const std::string &group = "\"\"")
{
    std::string text = "  - apiGroups: [" + group + "]\n    resources: [" + resources + "]\n";
    if (!names.empty()) {
        text += "    resourceNames:\n";
        for (const std::string &name : names)
            text += "      - " + quoted(name) + '\n';
    }
    return text + "    verbs: [" + verbs + "]\n";
}

std::string writeRules(const RightsScope &scope, const std::string &ns)
{
    std::map<Resource, std::set<std::string>> names;
    for (const RequestTarget &target : scope.targets) {
        if (ns.empty() || target.ns == ns)
            names[target.resource].insert({target.name, configNameOf(target)});
    }
    std::string text;
    if (names.empty()) {
        text += "  # No cluster is known here yet. Replace SCOPE by its name, and keep the kind of objects that it uses.\n";
        text += rule("endpoints, configmaps", "patch", {"SCOPE-config", "SCOPE-failover"});
        text += "  # Names cannot restrict create. It serves only the first request of a cluster.\n";
        return text + rule("endpoints, configmaps", "create");
    }
    for (const auto &[resource, objects] : names)
        text += rule(std::string(code(resource)), "patch", objects);
    text += "  # Names cannot restrict create. It serves only the first request of a cluster.\n";
    for (const auto &[resource, objects] : names)
        text += rule(std::string(code(resource)), "create");
    return text;
}

// pods/proxy is no small right, and whoever grants it is told.
std::string podRules()
{
    return "  # Patroni's REST API: what members say of themselves, restart, reload, reinitialize. It opens every HTTP port of the Pods "
           "of\n"
           "  # the namespace; leave this rule out, and Switchyard does with the objects above alone.\n"
        + rule("pods/proxy", "get, create, patch, delete") + "  # Why a request was refused stands in the members' logs only.\n"
        + rule("pods/log", "get") + "  # What became of a member's Pod: Events tell why a leader was lost.\n"
        + rule("events", "get, list, watch");
}

constexpr const char *readVerbs = "get, list, watch", *leaseGroup = "coordination.k8s.io";
constexpr const char *leasesNote = "Leader elections of operators, poolers, backup controllers: without it their Leases are not shown.";
constexpr const char *nodesNote = "Is the node of a lock's Pod ready? Only locks of operators that elect a leader for life depend on it.";

std::string commented(const std::string &rule)
{
    std::string text;
    for (std::size_t at = 0; at < rule.size();) {
        const std::size_t end = rule.find('\n', at);
        text += "  # " + rule.substr(at + 2, end - at - 1);
        at = end + 1;
    }
    return text;
}

// What other leader elections are read by.
std::string electionRules(const RightsScope &scope, bool all)
{
    std::string text = std::string("  # ") + leasesNote + '\n' + rule("leases", readVerbs, {}, leaseGroup);
    if (all && scope.nodes)
        text += std::string("  # ") + nodesNote + '\n' + rule("nodes", readVerbs);
    return text;
}

// What can be added by hand for those who only look.
std::string optionalRules(const RightsScope &scope, bool all)
{
    std::string text = "  # Optional: what members say of themselves (every HTTP port of the Pods can be read then), and their logs.\n";
    for (const char *resource : {"pods/proxy", "pods/log"})
        text += commented(rule(resource, "get"));
    text += "  # Optional: what became of a member's Pod. Events tell why a leader was lost.\n" + commented(rule("events", readVerbs));
    text += std::string("  # Optional: ") + leasesNote + '\n' + commented(rule("leases", readVerbs, {}, leaseGroup));
    if (all && scope.nodes)
        text += std::string("  # Optional: ") + nodesNote + '\n' + commented(rule("nodes", readVerbs));
    return text;
}

std::string head(const std::string &kind, const std::string &name, const std::string &ns)
{
    std::string text = "apiVersion: rbac.authorization.k8s.io/v1\nkind: " + kind + "\nmetadata:\n  name: " + name + '\n';
    return ns.empty() ? text : text + "  namespace: " + quoted(ns) + '\n';
}

std::string subject(const Account &account)
{
    const std::string &user = account.user;
    const auto colon = user.find(':', serviceAccount.size());
    if (user.starts_with(serviceAccount) && colon != std::string::npos)
        return "  - kind: ServiceAccount\n    name: " + quoted(user.substr(colon + 1))
            + "\n    namespace: " + quoted(user.substr(serviceAccount.size(), colon - serviceAccount.size())) + '\n';
    const std::string note = user.empty() ? "  # Replace USER, or name a Group.\n" : "";
    return note + "  - kind: User\n    apiGroup: rbac.authorization.k8s.io\n    name: " + quoted(user.empty() ? "USER" : user) + '\n';
}

std::string binding(const std::string &kind, const std::string &name, const std::string &ns, const Account &account)
{
    return "---\n" + head(kind + "Binding", name, ns) + "roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: " + kind
        + "\n  name: " + name + "\nsubjects:\n" + subject(account);
}

std::string serverRole(const Account &account)
{
    const std::string name = "switchyard-api-servers";
    return "---\n" + head("Role", name, "default") + "rules:\n" + rule("endpoints", "get", {"kubernetes"})
        + binding("Role", name, "default", account);
}

// Nodes are in no namespace: only a ClusterRole can give them.
std::string nodeRole(const Account &account)
{
    const std::string name = "switchyard-nodes";
    return std::string("---\n# Optional: ") + nodesNote + '\n' + head("ClusterRole", name, {}) + "rules:\n" + rule("nodes", readVerbs)
        + binding("ClusterRole", name, {}, account);
}

} // namespace

std::string suggestedRole(const RightsScope &scope, RoleKind kind, const Account &account)
{
    const bool operating = kind == RoleKind::Operating;
    const std::string name = operating ? "switchyard-operator" : "switchyard-viewer";
    std::set<std::string> namespaces(scope.namespaces.begin(), scope.namespaces.end());
    if (namespaces.empty())
        namespaces.insert(scope.ownNamespace.empty() ? "default" : scope.ownNamespace);
    const bool all = namespaces.contains("");
    if (all)
        namespaces = {""};
    std::string text;
    for (const std::string &ns : namespaces) {
        const std::string role = all ? "ClusterRole" : "Role";
        text += (text.empty() ? "" : "---\n") + head(role, name, ns) + "rules:\n" + rule("endpoints, configmaps, pods", "get, list, watch");
        text += operating ? writeRules(scope, ns) + podRules() + electionRules(scope, all) : optionalRules(scope, all);
        text += binding(role, name, ns, account);
    }
    if (scope.bypassApiService && !all && !namespaces.contains("default"))
        text += serverRole(account);
    if (scope.nodes && !all)
        text += nodeRole(account);
    return text;
}

} // namespace switchyard::rules
