// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Patroni's REST API of each member, with the words of patroni/api.py. What it asks for is done by the same loop that obeys objects.
#include "app/simulator/patroni_sim.h"

#include <algorithm>

namespace switchyard::simulator {

using namespace std::chrono_literals;

namespace {

PodReply words(int code, const std::string &text)
{
    return {code, text};
}

PodReply document(const Json &value)
{
    return {200, value.dump(), "application/json"};
}

// http.server's page for what Patroni only gives a number.
PodReply page(int code, const std::string &message)
{
    return {code,
            "<!DOCTYPE HTML>\n<html lang=\"en\">\n    <head>\n        <title>Error response</title>\n    </head>\n    <body>\n"
            "        <h1>Error response</h1>\n        <p>Error code: "
                + std::to_string(code) + "</p>\n        <p>Message: " + message + ".</p>\n    </body>\n</html>\n"};
}

std::string textOr(const Json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// patroni/utils.py patch_config
bool patchConfig(Json &config, const Json &patch)
{
    bool changed = false;
    for (const auto &[key, value] : patch.items()) {
        if (value.is_null()) {
            changed = config.erase(key) > 0 || changed;
        } else if (value.is_object() && config.contains(key) && config[key].is_object()) {
            changed = patchConfig(config[key], value) || changed;
        } else if (!config.contains(key) || config[key] != value) {
            config[key] = value;
            changed = true;
        }
    }
    return changed;
}

} // namespace

void PatroniSim::call(const std::string &name, const PodCall &call, const PodDone &done)
{
    Member *me = find(name);
    if (!me || me->crashed || m_plan.restLimit == RestLimit::Loopback || call.port != 8008)
        return done(
            {0,
             {},
             {},
             "dial tcp " + (me ? me->ip : std::string("0.0.0.0")) + ':' + std::to_string(call.port) + ": connect: connection refused"});
    if (call.tls)
        return done({0, {}, {}, "http: server gave HTTP response to HTTPS client"});
    if (me->frozen)
        return; // as a stopped process: connected, and silent
    if (call.method == "GET")
        return done(restGet(*me, call.path));
    if (const auto refused = restLimit())
        return done(*refused);
    if (call.method == "POST" && (call.path == "/switchover" || call.path == "/failover"))
        return restFailover(*me, call, done);
    if (call.method == "POST" && call.path == "/restart")
        return restRestart(*me, call, done);
    done(restWrite(*me, call));
}

std::optional<PodReply> PatroniSim::restLimit() const
{
    switch (m_plan.restLimit) {
    case RestLimit::Authentication: return words(401, "no auth header received");
    case RestLimit::Allowlist: return words(403, "Access is denied");
    case RestLimit::Certificate: return words(403, "client certificate required");
    case RestLimit::None:
    case RestLimit::Loopback: break;
    }
    return std::nullopt;
}

PodReply PatroniSim::restGet(const Member &me, const std::string &path) const
{
    if (path == "/config") {
        const Json config = Json::parse(get("-config", "config"), nullptr, false);
        return config.is_object() ? document(config) : page(502, "Bad Gateway");
    }
    if (path == "/history") {
        const Json history = Json::parse(get("-config", "history"), nullptr, false);
        return document(history.is_array() ? history : Json::array());
    }
    if (path == "/cluster")
        return document(clusterDocument());
    return path == "/patroni" || path == "/health" || path == "/" ? document(memberDocument(me)) : page(404, "Not Found");
}

Json PatroniSim::memberDocument(const Member &me) const
{
    const bool primary = me.primary && me.up;
    Json status{{"state", me.state}, {"role", primary ? (m_version.major >= 4 ? "primary" : "master") : me.role}};
    if (me.up) {
        status["server_version"] = 150006;
        status["postmaster_start_time"] = isoText(me.started);
        status["timeline"] = me.timeline;
        status["xlog"] = primary ? Json{{"location", m_wal}}
                                 : Json{{"received_location", me.lsn},
                                        {"replayed_location", me.lsn - me.replayLag},
                                        {"replayed_timestamp", nullptr},
                                        {"paused", false}};
    }
    if (me.up && !primary && primaryRuns() && m_version >= Version{3, 0, 4})
        status["replication_state"] = "streaming";
    if (primary) {
        for (const Member &other : m_members) {
            if (&other != &me && other.up && !other.crashed)
                status["replication"].push_back({{"usename", "standby"},
                                                 {"application_name", other.name},
                                                 {"client_addr", other.ip},
                                                 {"state", "streaming"},
                                                 {"sync_state", syncState().has(other.name) ? "sync" : "async"},
                                                 {"sync_priority", syncState().has(other.name) ? 1 : 0}});
        }
    }
    if (settings().paused)
        status["pause"] = true;
    if (leader().empty())
        status["cluster_unlocked"] = true;
    if (restartPending(me))
        status["pending_restart"] = true;
    if (!me.scheduledRestart.is_null())
        status["scheduled_restart"] = me.scheduledRestart;
    status["dcs_last_seen"] = std::chrono::floor<std::chrono::seconds>(m_now).time_since_epoch().count();
    if (me.nofailover)
        status["tags"] = {{"nofailover", true}};
    status["patroni"] = {{"version", m_plan.version}, {"scope", m_plan.scope}, {"name", me.name}};
    return status;
}

Json PatroniSim::clusterDocument() const
{
    Json members = Json::array();
    for (const Member &member : m_members)
        members.push_back({{"name", member.name},
                           {"role", member.name == leader() ? "leader" : "replica"},
                           {"state", member.state},
                           {"api_url", "http://" + member.ip + ":8008/patroni"},
                           {"host", member.ip},
                           {"port", 5432},
                           {"timeline", member.timeline}});
    return {{"members", members}, {"scope", m_plan.scope}};
}

// Everything that is answered at once.
PodReply PatroniSim::restWrite(Member &me, const PodCall &call)
{
    if (call.method == "POST" && call.path == "/reload") {
        say(me, "Reloading PostgreSQL configuration.");
        return words(202, "reload scheduled");
    }
    if (call.method == "POST" && call.path == "/reinitialize")
        return restReinitialize(me, Json::parse(call.body, nullptr, false));
    if (call.method == "DELETE" && call.path == "/restart") {
        if (me.scheduledRestart.is_null())
            return words(404, "no restarts are scheduled");
        me.scheduledRestart = nullptr;
        touch(me);
        return words(200, "scheduled restart deleted");
    }
    if (call.method == "DELETE" && call.path == "/switchover") {
        if (failoverRequest().scheduledAt.empty())
            return words(404, "no switchover is scheduled");
        annotate("-failover", {{"leader", nullptr}, {"member", nullptr}, {"scheduled_at", nullptr}});
        return words(200, "scheduled switchover deleted");
    }
    if (call.method == "PATCH" && call.path == "/config")
        return restPatchConfig(call.body);
    return page(501, "Unsupported method ('" + call.method + "')");
}

PodReply PatroniSim::restPatchConfig(const std::string &body)
{
    const Json patch = Json::parse(body, nullptr, false);
    if (!patch.is_object() || patch.empty())
        return page(400, "Bad Request");
    Json config = Json::parse(get("-config", "config"), nullptr, false);
    if (!config.is_object())
        return page(503, "Service Unavailable");
    if (patchConfig(config, patch)) {
        annotate("-config", {{"config", config.dump()}});
        objectWritten(m_kind, objectName("-config"));
    }
    return document(config);
}

PodReply PatroniSim::restReinitialize(Member &me, const Json &body)
{
    if (leader().empty())
        return words(503, "Cluster has no leader, can not reinitialize");
    if (leader() == me.name)
        return words(503, "I am the leader, can not reinitialize");
    const bool force = body.is_object() && body.value("force", Json(false)) == true;
    if (me.busy && !force)
        return words(503, "reinitialize already in progress");
    ++me.epoch; // what it was doing is given up
    me.busy = true;
    me.up = me.positionKnown = false;
    me.state = "creating replica";
    say(me, "Removing data directory: /pgdata/pgroot/data");
    touch(me);
    after(6s, me, [this, &me] {
        me.busy = false;
        me.lag = me.replayLag = 0;
        say(me, "replica has been created using basebackup");
        startAsReplica(me);
        startPostgres(me);
        touch(me);
    });
    return words(200, "reinitialize started");
}

// ---- restart -------------------------------------------------------------------------------------------------------------------

namespace {

const char *restartDefect(const Json &request, Version version)
{
    static constexpr const char *known[] = {"schedule", "role", "postgres_version", "timeout", "restart_pending"};
    for (const auto &[key, value] : request.items()) {
        if (std::none_of(std::begin(known), std::end(known), [&key = key](const char *word) { return key == word; }))
            return "Unknown filter for the scheduled restart";
        const bool standbyRole = version.major >= 4 && value == "standby_leader", oldRole = version.major < 4 && value == "master";
        if (key == "role" && value != "primary" && value != "replica" && !standbyRole && !oldRole)
            return version.major >= 4 ? "PostgreSQL role should be either primary, standby_leader, or replica"
                                      : "PostgreSQL role should be either primary or replica";
        if (key == "timeout" && (!value.is_number_integer() || value.get<int>() <= 0))
            return "Timeout should be a positive number of seconds";
    }
    return nullptr;
}

} // namespace

bool PatroniSim::restartMatches(const Member &me, const Json &request) const
{
    const std::string role = textOr(request, "role");
    if (!role.empty() && (role == "replica") == me.primary)
        return false;
    return !request.contains("restart_pending") || restartPending(me);
}

void PatroniSim::restRestart(Member &me, const PodCall &call, const PodDone &done)
{
    const Json request = call.body.empty() ? Json::object() : Json::parse(call.body, nullptr, false);
    if (!request.is_object())
        return done(page(400, "Bad Request"));
    const bool scheduled = request.contains("schedule");
    if (scheduled && settings().paused)
        return done(words(500, "Can't schedule restart in the paused state"));
    if (const char *defect = restartDefect(request, m_version))
        return done(words(400, defect));
    if (scheduled)
        return done(scheduleRestart(me, request));
    if (!restartMatches(me, request))
        return done(words(503, "restart conditions are not satisfied"));
    if (me.busy)
        return done(words(503, "restarting after failure already in progress"));
    restart(me, [done] { done({200, "restarted successfully"}); });
}

PodReply PatroniSim::scheduleRestart(Member &me, const Json &request)
{
    const Schedule schedule = parseSchedule(textOr(request, "schedule"));
    if (schedule.form == Schedule::Form::Naive)
        return words(400, "Timezone information is mandatory for the scheduled restart");
    if (schedule.form != Schedule::Form::At)
        return words(422, "Unable to parse scheduled timestamp. It should be in an unambiguous format, e.g. ISO 8601");
    if (schedule.at < m_now)
        return words(422, "Cannot schedule restart in the past");
    if (!me.scheduledRestart.is_null())
        return words(409, "Another restart is already scheduled");
    me.scheduledRestart = request;
    touch(me);
    after(std::chrono::ceil<Millis>(schedule.at - m_now), me, [this, &me, request] {
        if (me.scheduledRestart != request)
            return;
        me.scheduledRestart = nullptr;
        if (restartMatches(me, request) && !me.busy && !settings().paused)
            restart(me, [] {});
        else
            touch(me);
    });
    return words(202, "Restart scheduled");
}

void PatroniSim::restart(Member &me, const std::function<void()> &done)
{
    const bool primary = me.primary;
    writeWal();
    me.busy = true;
    me.up = me.primary = false;
    me.state = "restarting";
    touch(me);
    after(1800ms, me, [this, &me, primary, done] {
        me.busy = false;
        me.up = me.positionKnown = true;
        me.primary = primary;
        me.state = "running";
        m_walAt = m_now;
        startPostgres(me);
        touch(me);
        done();
    });
}

// ---- switchover, failover ------------------------------------------------------------------------------------------------------

PodReply PatroniSim::checkFailover(const Json &request, bool switchover) const
{
    const std::string leaderName = textOr(request, "leader"), at = textOr(request, "scheduled_at");
    const std::string candidate = textOr(request, "candidate").empty() ? textOr(request, "member") : textOr(request, "candidate");
    const std::string action = switchover ? "switchover" : "failover";
    const bool newer = m_version >= Version{3, 2, 0};
    if (!switchover && candidate.empty())
        return words(400, "Failover could be performed only to a specific candidate");
    if (switchover && leaderName.empty())
        return words(400, "Switchover could be performed only from a specific leader");
    if (!at.empty() && !switchover && newer)
        return words(400, "Failover can't be scheduled");
    if (!at.empty() && settings().paused)
        return words(400, "Can't schedule " + action + " in the paused state");
    if (const Schedule schedule = parseSchedule(at); !at.empty()) {
        if (schedule.form == Schedule::Form::Naive)
            return words(400, "Timezone information is mandatory for the scheduled " + action);
        if (schedule.form != Schedule::Form::At)
            return words(422, "Unable to parse scheduled timestamp. It should be in an unambiguous format, e.g. ISO 8601");
        if (schedule.at < m_now)
            return words(422, "Cannot schedule " + action + " in the past");
    }
    if (settings().paused && candidate.empty())
        return words(400, "Switchover is possible only to a specific candidate in a paused state");
    if (newer && leaderName == candidate)
        return words(400, "Switchover target and source are the same");
    return at.empty() ? words(0, {}) : words(202, "Switchover scheduled");
}

PodReply PatroniSim::checkPossible(const std::string &leaderName, const std::string &candidate, const std::string &action) const
{
    const auto no = [](const std::string &why) { return words(412, why); };
    const bool sync = settings().synchronous;
    if (!leaderName.empty() && leader() != leaderName)
        return no("leader name does not match");
    if (!candidate.empty() && action == "switchover" && sync && !syncState().has(candidate))
        return no("candidate name does not match with sync_standby");
    if (!candidate.empty() && !find(candidate))
        return no("candidate does not exists");
    if (candidate.empty() && sync && syncState().standbys.empty())
        return no(action + " is not possible: can not find sync_standby");
    const bool possible = std::any_of(m_members.begin(), m_members.end(), [&](const Member &member) {
        const bool asked = candidate.empty() ? member.name != leader() && (!sync || syncState().has(member.name))
                                             : member.name == candidate;
        return asked && passesHealthCheck(member, false);
    });
    return possible ? words(0, {}) : no(action + " is not possible: no good candidates have been found");
}

void PatroniSim::restFailover(Member &me, const PodCall &call, const PodDone &done)
{
    const Json request = Json::parse(call.body, nullptr, false);
    if (!request.is_object() || request.empty())
        return done(page(400, "Bad Request"));
    const bool switchover = call.path == "/switchover";
    PodReply answer = checkFailover(request, switchover);
    const std::string candidate = textOr(request, "candidate").empty() ? textOr(request, "member") : textOr(request, "candidate");
    const std::string former = textOr(request, "leader"), action = switchover ? "switchover" : "failover";
    if (answer.code == 0)
        answer = checkPossible(former, candidate, action);
    if (answer.code != 0 && answer.code != 202)
        return done(answer);
    const auto value = [](const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); };
    annotate("-failover",
             {{"leader", value(former)}, {"member", value(candidate)}, {"scheduled_at", value(textOr(request, "scheduled_at"))}});
    wake(me, 50ms);
    if (answer.code == 202)
        return done(answer);
    pollFailover({leader(), candidate, switchover ? "Switchover" : "Failover"}, 2 * std::max(10, settings().loopWait), done);
}

// Once a second, as long as Patroni does.
void PatroniSim::pollFailover(const Poll &poll, int left, const PodDone &done)
{
    if (left <= 0)
        return done(words(503, poll.action + " status unknown"));
    afterAll(1s, [this, poll, left, done] {
        const std::string holder = leader();
        const std::string verb = poll.action == "Switchover" ? "switch" : "fail";
        if (!holder.empty() && holder != poll.leader) {
            const std::string title = poll.action == "Switchover" ? "Switch" : "Fail";
            return done(poll.candidate.empty() || poll.candidate == holder
                            ? words(200, "Successfully " + verb + "ed over to \"" + holder + '"')
                            : words(200, title + "ed over to \"" + holder + "\" instead of \"" + poll.candidate + '"'));
        }
        if (!failoverRequest().pending() && !holder.empty())
            return done(words(503, poll.action + " failed"));
        pollFailover(poll, left - 1, done);
    });
}

} // namespace switchyard::simulator
