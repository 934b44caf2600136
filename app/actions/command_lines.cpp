// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The same by hand, to be pasted into a POSIX shell. patronictl: 3.0 - 4.1 (patroni/ctl.py).
#include "app/actions/config_text.h"
#include "app/actions/config_write.h"
#include "app/actions/inspect_write.h"
#include "app/actions/plan.h"
#include "app/actions/rest_write.h"
#include "app/kube/request.h"

#include <algorithm>

namespace switchyard::actions {

using namespace Qt::StringLiterals;
using rules::ActionKind;

namespace {

std::string quoted(const std::string &word)
{
    constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-";
    if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos)
        return word;
    std::string out = "'";
    for (const char c : word) {
        if (c == '\'')
            out += "'\\''";
        else
            out += c;
    }
    return out + '\'';
}

// With the text as standard input. No line of it is the end mark: what is written is JSON in one line, or YAML whose lines are keys and items.
std::string withInput(const std::string &line, const std::string &input)
{
    return line + " <<'EOF'\n" + input + (input.ends_with('\n') ? "" : "\n") + "EOF";
}

class Line
{
public:
    explicit Line(std::string command)
        : m_line(std::move(command))
    {}
    Line &word(const std::string &word)
    {
        m_line += ' ' + quoted(word);
        return *this;
    }
    Line &option(const std::string &name, const std::optional<std::string> &value)
    {
        return value && !value->empty() ? word(name).word(*value) : *this;
    }
    Line &flag(const std::string &name, bool on) { return on ? word(name) : *this; }
    std::string text() const { return m_line; }

private:
    std::string m_line;
};

Line patronictl(const patroni::Cluster &cluster, const char *command)
{
    Line line("patronictl");
    line.word(command).word(cluster.names.key.scope);
    if (cluster.names.key.group)
        line.option("--group", std::to_string(*cluster.names.key.group));
    return line;
}

std::optional<std::string> timeText(const std::optional<Instant> &at)
{
    return at ? std::optional(formatScheduledAt(*at)) : std::nullopt;
}

// 2.x knows the leader as master only.
const char *leaderOption(const patroni::Cluster &cluster)
{
    const auto releases = patroniReleases(cluster);
    const bool old = !releases.empty() && std::all_of(releases.begin(), releases.end(), [](const std::string &release) {
        const auto order = patroni::compareReleases(release, "3.0.0");
        return order && *order < 0;
    });
    return old ? "--master" : "--leader";
}

// Only the differences, as others may change something else until it is pasted.
std::string editLine(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    const auto planned = planConfigEdit(cluster, wish);
    const auto patch = planned ? configPatch(planned->before.at("config"), planned->after.at("config")) : Result<std::string>("{}");
    const auto yaml = patch && *patch != "{}" ? yamlFromJson(*patch) : Result<std::string>("");
    if (!yaml || yaml->empty())
        return {};
    return withInput(patronictl(cluster, "edit-config").word("--force").option("--apply", "-").text(), *yaml);
}

std::string cancelLine(const patroni::Cluster &cluster)
{
    const auto &request = cluster.failover; // patronictl takes back only what is scheduled
    const bool scheduled = request && request->pending() && request->scheduledAtRaw
        && request->schedule != patroni::FailoverRequest::Schedule::Unparsable;
    if (!scheduled)
        return {};
    return patronictl(cluster, "flush").word("switchover").word("--force").text();
}

Line withMembers(Line line, const std::vector<std::string> &members)
{
    for (const std::string &member : members)
        line.word(member);
    return line;
}

std::string restartLine(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    auto role = wish.restart.role;
    if (role == "standby_leader")
        role = "standby-leader";
    const auto timeout = wish.restart.timeoutSeconds ? std::optional(std::to_string(*wish.restart.timeoutSeconds)) : std::nullopt;
    return withMembers(patronictl(cluster, "restart"), wish.members)
        .option("--role", role)
        .option("--scheduled", timeText(wish.at))
        .option("--pg-version", wish.restart.postgresVersion)
        .flag("--pending", wish.restart.pendingOnly)
        .option("--timeout", timeout)
        .word("--force")
        .text();
}

std::string demoteLine(const patroni::Cluster &cluster, const rules::StandbySource &source)
{
    return patronictl(cluster, "demote-cluster")
        .option("--host", source.host)
        .option("--port", source.port ? std::optional(std::to_string(*source.port)) : std::nullopt)
        .option("--restore-command", source.restoreCommand)
        .option("--primary-slot-name", source.primarySlotName)
        .word("--force")
        .text();
}

Line kubectl(const PlannedWrite &planned)
{
    Line line("kubectl");
    line.option("--context", planned.cluster.context);
    if (planned.sender) {
        line.option("--as", planned.sender->asUser);
        for (const std::string &group : planned.sender->asGroups)
            line.option("--as-group", group);
    }
    return line.option("-n", planned.cluster.ns);
}

// kubectl has no PATCH of a path of one's own, and it sends a body in chunks: Patroni takes that for no body at all, and a restart with
// conditions would be one without. So only what says nothing in its body.
std::string callLine(const PlannedWrite &planned)
{
    const std::string path = kube::resourceUrl(u"https://api"_s, planned.write.path, {}).path(QUrl::FullyEncoded).toStdString();
    const bool bodyless = planned.write.body.isEmpty() || planned.write.body == "{}";
    if (bodyless && planned.write.verb == kube::WriteVerb::ProxyPost)
        return kubectl(planned).word("create").option("--raw", path).option("-f", "/dev/null").text();
    if (bodyless && planned.write.verb == kube::WriteVerb::ProxyDelete)
        return kubectl(planned).word("delete").option("--raw", path).text();
    return {};
}

} // namespace

std::string patronictlLine(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    switch (wish.kind) {
    case ActionKind::Switchover:
        return patronictl(cluster, "switchover")
            .option(leaderOption(cluster), wish.leader)
            .option("--candidate", wish.candidate)
            .option("--scheduled", timeText(wish.at))
            .word("--force")
            .text();
    case ActionKind::Failover: return patronictl(cluster, "failover").option("--candidate", wish.candidate).word("--force").text();
    case ActionKind::CancelRequest: return cancelLine(cluster);
    case ActionKind::Repair: return {}; // it fails of what is to be repaired
    case ActionKind::Pause: return patronictl(cluster, "pause").word("--wait").text();
    case ActionKind::Resume: return patronictl(cluster, "resume").word("--wait").text();
    case ActionKind::EditConfig: return editLine(cluster, wish);
    case ActionKind::Restart: return restartLine(cluster, wish);
    case ActionKind::CancelRestart: return withMembers(patronictl(cluster, "flush"), wish.members).word("restart").word("--force").text();
    case ActionKind::Reload: return withMembers(patronictl(cluster, "reload"), wish.members).word("--force").text();
    case ActionKind::Reinitialize: // without --force it asks: with it, one that is running is cancelled
        return withMembers(patronictl(cluster, "reinit"), wish.members)
            .flag("--from-leader", wish.fromLeader)
            .flag("--force", wish.force)
            .text();
    case ActionKind::DemoteCluster: return demoteLine(cluster, wish.source);
    case ActionKind::PromoteCluster: return patronictl(cluster, "promote-cluster").word("--force").text();
    }
    return {};
}

std::string kubectlLine(const PlannedWrite &planned)
{
    if (isCall(planned.write.verb))
        return callLine(planned);
    const std::string body = planned.write.body.toStdString();
    if (planned.write.verb == kube::WriteVerb::Create)
        return withInput(kubectl(planned).word("create").option("-f", "-").text(), body);
    return kubectl(planned)
        .word("patch")
        .word(std::string(code(planned.write.path.resource)))
        .word(planned.write.path.name.toStdString())
        .word("--type=merge")
        .option("-p", body)
        .text();
}

} // namespace switchyard::actions
