// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The HA loop of each member, crashes and freezes, and time.
#include "app/simulator/patroni_sim.h"

#include <algorithm>

namespace switchyard::simulator {

using namespace std::chrono_literals;

void PatroniSim::advance(SimTime now)
{
    for (;;) {
        Member *next = nullptr;
        for (Member &member : m_members)
            if (!member.crashed && !member.frozen && (!next || member.nextLoop < next->nextLoop))
                next = &member;
        const bool actionFirst = !m_actions.empty() && (!next || m_actions.begin()->first <= next->nextLoop);
        if (!actionFirst && !next)
            break;
        const SimTime due = actionFirst ? m_actions.begin()->first : next->nextLoop;
        if (due > now)
            break;
        m_now = std::max(m_now, due);
        if (!actionFirst) {
            loop(*next);
            continue;
        }
        const Action action = std::move(m_actions.extract(m_actions.begin()).mapped());
        if (action.member < 0 || m_members[static_cast<std::size_t>(action.member)].epoch == action.epoch)
            action.run();
    }
    m_now = std::max(m_now, now);
}

void PatroniSim::loop(Member &me)
{
    const Settings now = settings();
    me.nextLoop = m_now + std::chrono::seconds(now.loopWait) + Millis(random(4));
    observe(me);
    if (me.busy)
        return;
    if (parseSchedule(failoverRequest().scheduledAt).form == Schedule::Form::Unparsable) {
        outage(me);
        return;
    }
    me.pauseSeen = now.paused;
    const std::string holder = leader();
    const int ttl = std::atoi(get("-leader", "ttl").c_str());
    const bool held = !holder.empty() && me.observed + std::chrono::seconds(ttl > 0 ? ttl : now.ttl) >= m_now;
    if (!held)
        leaderlessLoop(me);
    else if (holder == me.name)
        leaderLoop(me);
    else
        followLoop(me);
}

void PatroniSim::leaderLoop(Member &me)
{
    if (!me.up) { // came back and the lock is still mine: crash recovery as a primary, same timeline
        me.up = me.primary = me.positionKnown = true;
        me.state = "running";
        me.role = m_version.major >= 4 ? "primary" : "master";
        m_walAt = m_now;
        startPostgres(me);
    }
    renew(me);
    if (!me.primary) { // holds the lock but was demoted meanwhile
        promote(me);
        return;
    }
    keepSync(me);
    obeyFailover(me);
    if (me.busy)
        return;
    me.lsn = m_wal;
    say(me, "no action. I am (" + me.name + "), the leader with the lock");
    touch(me);
}

void PatroniSim::followLoop(Member &me)
{
    if (me.primary) { // another one leads: stop, and come back as a replica
        demoteAtOnce(me);
        touch(me);
        wake(me, Millis(1500 + random(800)));
        return;
    }
    if (!me.up)
        startAsReplica(me);
    if (primaryRuns())
        me.timeline = m_timeline;
    replicate(me);
    say(me, "no action. I am (" + me.name + "), a secondary, and following a leader (" + leader() + ')');
    touch(me);
}

void PatroniSim::leaderlessLoop(Member &me)
{
    if (!me.up)
        startAsReplica(me);
    if (mayTakeLock(me)) {
        acquire(me);
        return;
    }
    say(me, "following a different leader because i am not the healthiest node");
    replicate(me);
    touch(me);
}

// An unparsable scheduled_at makes every member's view of the cluster fail: nobody renews, nobody writes, a primary turns read-only.
void PatroniSim::outage(Member &me)
{
    m_lastLog = "Error communicating with DCS";
    say(me, m_lastLog, "ERROR");
    if (!me.primary || settings().paused)
        return;
    writeWal();
    me.lsn = m_wal;
    me.primary = false;
    me.role = "replica";
}

void PatroniSim::demoteAtOnce(Member &me)
{
    me.primary = me.up = me.positionKnown = me.checkpointPending = false;
    me.state = "stopped";
    me.role = "demoted";
}

void PatroniSim::startAsReplica(Member &me)
{
    me.up = me.positionKnown = true;
    me.primary = me.checkpointPending = false;
    me.state = "running";
    me.role = "replica";
    startPostgres(me);
    if (primaryRuns()) {
        me.timeline = m_timeline;
        me.lsn = m_wal - me.lag; // what it had beyond the fork is rewound
    }
}

// Members watch: they see a changed record when it changes, whatever their loop does.
void PatroniSim::observe(Member &me)
{
    const std::string record = leaderRecord();
    if (me.crashed || me.frozen || record == me.record)
        return;
    me.record = record;
    me.observed = m_now;
}

std::string PatroniSim::leader() const
{
    return get("-leader", "leader");
}

void PatroniSim::objectWritten(Kind kind, const std::string &name)
{
    if (kind != m_kind || name != objectName("-config"))
        return;
    const std::string config = get("-config", "config");
    if (config == m_config)
        return;
    m_config = config;
    for (Member &member : m_members)
        wake(member, member.primary ? Millis(60) : Millis(65 + random(20)));
}

void PatroniSim::crashLeader()
{
    if (Member *holder = find(leader()))
        crash(*holder);
}

void PatroniSim::crash(Member &me)
{
    if (me.crashed)
        return;
    writeWal();
    for (Member &member : m_members)
        replicate(member);
    if (me.primary)
        me.lsn = m_wal;
    me.crashed = true;
    me.frozen = me.busy = me.up = me.primary = false;
    ++me.epoch;
    const std::string name = me.name;
    const int restarts = me.restarts;
    afterAll(1500ms, [this, name, restarts] {
        setReady(name, false, restarts);
        sayEvent(name, "BackOff", "Back-off restarting failed container postgres in pod " + name);
    });
    afterAll(std::chrono::seconds(std::max(60, 2 * settings().ttl)), [this, name] { comeBack(*find(name)); });
}

void PatroniSim::comeBack(Member &me)
{
    me.crashed = false;
    ++me.restarts;
    setReady(me.name, true, me.restarts);
    me.record.clear(); // a fresh process grants even a dead record a full ttl
    observe(me);
    demoteAtOnce(me);
    me.nextLoop = m_now + 8s;
    after(5s, me, [this, &me] { touch(me); });
}

void PatroniSim::freeze(const std::string &name)
{
    Member *me = find(name);
    if (!me || me->crashed)
        return;
    if (me->primary) {
        writeWal();
        for (Member &member : m_members)
            replicate(member);
    }
    me->frozen = true;
    me->busy = false;
    ++me->epoch;
}

void PatroniSim::thawAll()
{
    for (Member &member : m_members) {
        if (!member.frozen)
            continue;
        member.frozen = false;
        observe(member);
        m_walAt = m_now;
        member.nextLoop = m_now + Millis(400 + random(500));
    }
}

void PatroniSim::after(Millis delay, Member &me, std::function<void()> run)
{
    const int index = static_cast<int>(&me - m_members.data());
    m_actions.emplace(m_now + delay, Action{index, me.epoch, std::move(run)});
}

void PatroniSim::afterAll(Millis delay, std::function<void()> run)
{
    m_actions.emplace(m_now + delay, Action{-1, 0, std::move(run)});
}

void PatroniSim::wake(Member &me, Millis delay)
{
    me.nextLoop = std::min(me.nextLoop, m_now + delay);
}

void PatroniSim::wakeOthers(const Member &me, Millis delay)
{
    int order = 0;
    for (Member &member : m_members)
        if (&member != &me && !member.crashed && !member.frozen)
            wake(member, delay + Millis(7 * order++));
}

void PatroniSim::writeWal()
{
    if (primaryRuns() && m_plan.walPerSecond > 0) {
        const double seconds = std::chrono::duration<double>(m_now - m_walAt).count();
        m_wal += static_cast<std::int64_t>(seconds * m_plan.walPerSecond * (0.5 + random(1000) / 1000.0)) / 8 * 8;
    }
    m_walAt = m_now;
}

void PatroniSim::replicate(Member &me)
{
    if (!primaryRuns() || !me.up || me.primary || me.crashed || me.frozen)
        return;
    const std::int64_t lag = me.lag > 0 ? me.lag + random(static_cast<int>(std::min<std::int64_t>(me.lag / 8 + 1, 1 << 24))) / 8 * 8 : 0;
    me.lsn = std::max(me.lsn, m_wal - lag);
    me.replayLag = lag / 4 + random(m_plan.walPerSecond / 4) / 8 * 8;
}

bool PatroniSim::primaryRuns() const
{
    return std::any_of(m_members.begin(), m_members.end(), [](const Member &m) { return m.primary && m.up && !m.crashed && !m.frozen; });
}

Member *PatroniSim::find(const std::string &name)
{
    const auto it = std::find_if(m_members.begin(), m_members.end(), [&name](const Member &m) { return m.name == name; });
    return it == m_members.end() ? nullptr : &*it;
}

const Member *PatroniSim::find(const std::string &name) const
{
    const auto it = std::find_if(m_members.begin(), m_members.end(), [&name](const Member &m) { return m.name == name; });
    return it == m_members.end() ? nullptr : &*it;
}

int PatroniSim::random(int below)
{
    return below > 0 ? static_cast<int>(m_random() % static_cast<unsigned>(below)) : 0;
}

} // namespace switchyard::simulator
