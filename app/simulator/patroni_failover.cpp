// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Failover objects as a leader obeys them, who may take a lock nobody holds, and taking it.
#include "app/simulator/patroni_sim.h"

#include <algorithm>

namespace switchyard::simulator {

using namespace std::chrono_literals;

// In the order of Patroni's own checks; every rejection looks the same from outside: an emptied object.
void PatroniSim::obeyFailover(Member &me)
{
    const FailoverRequest request = failoverRequest();
    if (!request.pending())
        return;
    const Settings now = settings();
    const Schedule schedule = parseSchedule(request.scheduledAt);
    if (schedule.form == Schedule::Form::None) {
        performFailover(me, request);
        return;
    }
    if (now.paused)
        return; // kept, and looked at again after resume
    if (schedule.form == Schedule::Form::Naive) {
        clearFailover(me, "Incorrect value of scheduled_at: " + request.scheduledAt);
        return;
    }
    const auto wait = schedule.at - m_now;
    if (wait > std::chrono::seconds(now.loopWait)) {
        m_lastLog = "Awaiting " + actionName(request) + " at " + request.scheduledAt + " (in "
            + std::to_string(std::chrono::round<std::chrono::seconds>(wait).count()) + " seconds)";
        say(me, m_lastLog);
        return;
    }
    if (-wait > std::chrono::seconds(now.loopWait * 3 / 2)) {
        clearFailover(me, "Found a stale " + actionName(request) + " value, cleaning up: " + request.scheduledAt);
        return;
    }
    if (wait <= 0us) {
        performFailover(me, request);
        return;
    }
    me.busy = true; // the loop itself sleeps until the due time
    after(std::chrono::ceil<Millis>(wait), me, [this, &me, request] {
        me.busy = false;
        performFailover(me, request);
        if (!me.busy)
            touch(me);
    });
}

void PatroniSim::performFailover(Member &me, const FailoverRequest &request)
{
    const Settings now = settings();
    const std::string prefix = request.isSwitchover() && m_version >= Version{3, 2, 0} ? "switchover" : "manual failover";
    if (!request.leader.empty() && request.leader != me.name) {
        clearFailover(me, prefix + ": leader name does not match: " + request.leader + " != " + me.name);
        return;
    }
    if (request.member == me.name) {
        clearFailover(me, prefix + ": I am already the leader, no need to " + actionName(request));
        return;
    }
    if (now.paused && request.member.empty()) {
        clearFailover(me, "Failover is possible only to a specific candidate in a paused state");
        return;
    }
    const SyncState sync = syncState();
    const bool waived = request.leader.empty() && m_version >= Version{3, 2, 0};
    const bool onlySync = now.synchronous && !sync.leader.empty() && !waived;
    const bool possible = std::any_of(m_members.begin(), m_members.end(), [&](const Member &member) {
        return &member != &me && (request.member.empty() || request.member == member.name) && (!onlySync || sync.has(member.name))
            && passesHealthCheck(member, true);
    });
    if (!possible) {
        clearFailover(me, prefix + ": no healthy members found, " + actionName(request) + " is not possible");
        return;
    }
    demoteGracefully(me);
}

// Since 3.2.0 the log calls a request with a leader what it is.
std::string PatroniSim::actionName(const FailoverRequest &request) const
{
    return request.isSwitchover() && m_version >= Version{3, 2, 0} ? "switchover" : "failover";
}

void PatroniSim::clearFailover(Member &me, const std::string &why, const char *level)
{
    m_lastLog = why;
    say(me, why, level);
    if (level != std::string_view("INFO"))
        say(me, "Cleaning up failover key");
    annotate("-failover", {{"leader", nullptr}, {"member", nullptr}, {"scheduled_at", nullptr}});
}

bool PatroniSim::passesHealthCheck(const Member &member, bool checkLag) const
{
    if (member.crashed || member.frozen || member.nofailover)
        return false;
    if (!checkLag)
        return true;
    const std::int64_t optime = std::atoll(get("-leader", "optime").c_str());
    return member.up && optime - member.lsn <= settings().maximumLag;
}

// Checkpoint, stop, release the lock; the next loop starts it as a replica.
void PatroniSim::demoteGracefully(Member &me)
{
    me.busy = true;
    me.positionKnown = false;
    say(me, "manual failover: demoting myself");
    after(70ms, me, [this, &me] { touch(me); });
    after(m_version.major >= 4 ? 2300ms : 1250ms, me, [this, &me] {
        writeWal();
        m_wal += 176;
        for (Member &member : m_members)
            if (member.up && !member.crashed && !member.frozen) // a clean shutdown waits for the replicas
                member.lsn = m_wal;
        me.primary = me.up = false;
        me.state = "stopping";
        me.role = "demoted";
        writeLeader(me, {{"leader", nullptr}, {"optime", std::to_string(m_wal)}}, false);
        say(me, "Leader key released");
        wakeOthers(me, 55ms);
        me.nextLoop = m_now + std::chrono::seconds(settings().loopWait) + 900ms;
        after(60ms, me, [this, &me] { touch(me); });
        after(1270ms, me, [this, &me] {
            me.state = "stopped";
            me.busy = false;
            touch(me);
        });
    });
}

bool PatroniSim::mayTakeLock(const Member &me) const
{
    const FailoverRequest request = failoverRequest();
    if (settings().paused) {
        if (request.pending() && request.scheduledAt.empty() && !me.nofailover)
            return mayTakeForRequest(me, request);
        return me.primary;
    }
    if (me.primary)
        return true;
    if (me.nofailover)
        return false;
    if (request.pending())
        return mayTakeForRequest(me, request);
    const SyncState sync = syncState();
    if (settings().synchronous && !sync.leader.empty() && sync.leader != me.name && !sync.has(me.name))
        return false;
    return healthiest(me, true, {});
}

bool PatroniSim::mayTakeForRequest(const Member &me, const FailoverRequest &request) const
{
    const SyncState sync = syncState();
    const bool onlySync = settings().synchronous && !sync.leader.empty() && sync.leader != me.name && !sync.has(me.name);
    if (!request.member.empty()) {
        if (request.member == me.name)
            return true;
        if (settings().paused || onlySync)
            return false;
        if (const Member *candidate = find(request.member); candidate && passesHealthCheck(*candidate, false))
            return false; // it will take the lock itself
    }
    if (request.leader == me.name) // the former leader takes it back only if nobody else can have it
        return std::none_of(m_members.begin(), m_members.end(), [&](const Member &member) {
            return member.name != request.member && member.name != me.name && passesHealthCheck(member, true);
        });
    return !onlySync && healthiest(me, false, request.leader);
}

bool PatroniSim::healthiest(const Member &me, bool checkLag, const std::string &excluded) const
{
    const std::int64_t optime = std::atoll(get("-leader", "optime").c_str());
    if (checkLag && optime - me.lsn > settings().maximumLag)
        return false;
    const std::string lastHolder = leader();
    return std::none_of(m_members.begin(), m_members.end(), [&](const Member &other) {
        if (&other == &me || other.name == excluded || !other.up || !passesHealthCheck(other, false))
            return false;
        return other.primary || other.lsn > me.lsn || (other.lsn == me.lsn && other.name == lastHolder);
    });
}

void PatroniSim::acquire(Member &me)
{
    Json annotations{{"leader", me.name}, {"ttl", std::to_string(settings().ttl)}, {"renewTime", isoText(m_now)}};
    if (leader() != me.name) { // the same member re-taking its own record keeps both
        annotations["acquireTime"] = isoText(m_now);
        annotations["transitions"] = std::to_string(std::atoll(get("-leader", "transitions").c_str()) + 1);
    }
    const bool reTaken = leader() == me.name;
    writeLeader(me, std::move(annotations), me.primary || (m_version.major >= 4 && !reTaken));
    if (me.primary) {
        m_walAt = m_now;
        if (failoverRequest().pending())
            clearFailover(me, "Cleaning up failover key after acquiring leader lock...", "INFO");
        keepSync(me);
        touch(me);
        return;
    }
    say(me, "promoted self to leader by acquiring session lock");
    promote(me);
}

void PatroniSim::promote(Member &me)
{
    me.busy = true;
    me.checkpointPending = true;
    const std::int64_t lsn = me.lsn;
    if (settings().synchronous)
        after(20ms, me, [this, &me] { keepSync(me); });
    after(45ms, me, [this, &me] {
        const FailoverRequest request = failoverRequest();
        if (settings().paused && !request.leader.empty() && !request.member.empty())
            annotate("-failover", {{"leader", nullptr}, {"scheduled_at", nullptr}});
        else if (request.pending())
            clearFailover(me, "Cleaning up failover key after acquiring leader lock...", "INFO");
    });
    after(95ms, me, [this, &me] { touch(me); });
    after(1180ms, me, [this, &me, lsn] { finishPromotion(me, lsn); });
}

void PatroniSim::finishPromotion(Member &me, std::int64_t lsn)
{
    me.primary = true;
    me.role = m_version.major >= 4 ? "primary" : "master";
    m_wal = me.lsn = lsn + 280;
    m_walAt = m_now;
    me.timeline = ++m_timeline;
    for (Member &other : m_members) // what others had beyond the fork is gone
        if (&other != &me)
            other.lsn = std::min(other.lsn, lsn);
    renew(me);
    wakeOthers(me, 1150ms);
    me.nextLoop = m_now + std::chrono::seconds(settings().loopWait);
    after(55ms, me, [this, &me, lsn] { writeHistory(me, lsn); });
    after(115ms, me, [this, &me] {
        me.busy = false;
        me.checkpointPending = false;
        if (failoverRequest().pending() && settings().paused)
            clearFailover(me, "Cleaning up failover key after acquiring leader lock...", "INFO");
        touch(me);
    });
}

} // namespace switchyard::simulator
