// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/aftermath.h"

#include <algorithm>

namespace switchyard {

using patroni::Evidence;
using patroni::EvidenceCode;

namespace {

// What happens to the old leader's Pod so soon after it lost the lock belongs to that.
constexpr Duration soon = std::chrono::seconds(60);

bool isPrimary(const MemberFact &fact)
{
    return fact.role == "primary" || fact.role == "master";
}

bool runs(const MemberFact &fact)
{
    return !fact.gone && fact.reported && fact.podRuns && fact.state == "running";
}

bool leads(const MemberFact &fact)
{
    return runs(fact) && (isPrimary(fact) || fact.role == "standby_leader");
}

bool isAfter(const std::string &version, const std::string &than)
{
    const auto order = compareVersions(version, than);
    return !order || *order > 0;
}

} // namespace

Aftermath::Aftermath(Start start, const MembersAsOf &then, const std::vector<const MemberFact *> &later)
    : m_start(std::move(start))
    , m_oldLeaderMissing(then.known && m_start.from && !then.find(*m_start.from))
{
    for (const MemberFact &fact : then.members)
        seeBefore(fact);
    std::vector<const MemberFact *> ordered = later;
    std::stable_sort(ordered.begin(), ordered.end(), [](const MemberFact *a, const MemberFact *b) {
        const auto order = compareVersions(a->moment.version, b->moment.version);
        return order ? *order < 0 : a->moment.at() < b->moment.at();
    });
    for (const MemberFact *fact : ordered)
        podNews(*fact);
}

// As it was when the lock was taken.
void Aftermath::seeBefore(const MemberFact &fact)
{
    m_members[fact.name] = fact;
    if (goesOn() && m_start.takenAt) {
        m_writable.reset();
        m_streaming.reset();
        const auto leader = m_members.find(m_start.to.value_or(""));
        if (leader != m_members.end() && runs(leader->second) && isPrimary(leader->second))
            m_writable = Sight{m_start.version, *m_start.takenAt};
        if (allStream())
            m_streaming = Sight{m_start.version, *m_start.takenAt};
    }
    if (fact.name != m_start.from)
        return;
    m_oldLeaderMissing = fact.gone;
    m_oldLeader.reset();
    if (!fact.gone)
        m_oldLeader = fact;
}

bool Aftermath::podNews(const MemberFact &fact)
{
    const std::string &version = fact.moment.version;
    if (m_end && isAfter(version, *m_end)) {
        m_past = true;
        return false;
    }
    const auto known = m_members.find(fact.name);
    if (known != m_members.end() && !isAfter(version, known->second.moment.version))
        return false;
    if (!isAfter(version, m_start.version)) {
        seeBefore(fact);
        return true;
    }
    const bool gone = fact.name == m_start.from && fact.gone && !m_goneAt && m_start.takenAt
        && fact.moment.seen.wall - *m_start.takenAt <= soon;
    if (gone)
        m_goneAt = fact.moment.seen.wall;
    if (m_streaming) // all that was waited for
        return gone;
    const auto behindBefore = behind();
    m_members[fact.name] = fact;
    const bool judged = judge(fact);
    return judged || gone || behindBefore != behind();
}

bool Aftermath::judge(const MemberFact &fact)
{
    const Sight now{fact.moment.version, fact.moment.seen.wall};
    const bool writable = !m_writable && fact.name == m_start.to && runs(fact) && isPrimary(fact);
    if (writable)
        m_writable = now;
    const bool streaming = allStream();
    if (streaming)
        m_streaming = now;
    return writable || streaming;
}

bool Aftermath::allStream() const
{
    const auto timeline = newTimeline();
    int replicas = 0;
    for (const auto &[name, member] : m_members) {
        if (name == m_start.to || member.gone)
            continue;
        if (!member.streams() || member.timeline != timeline)
            return false;
        ++replicas;
    }
    return timeline && replicas > 0;
}

// The timeline on which the new leader runs; nullopt: it does not lead yet, or still says what it said before.
std::optional<std::int64_t> Aftermath::newTimeline() const
{
    const auto leader = m_start.to ? m_members.find(*m_start.to) : m_members.end();
    if (leader == m_members.end() || !leads(leader->second) || !leader->second.timeline)
        return std::nullopt;
    const auto &before = m_start.timelineBefore;
    if (!m_start.standby && before && *leader->second.timeline < *before + (goesOn() ? 0 : 1))
        return std::nullopt;
    return leader->second.timeline;
}

std::vector<std::string> Aftermath::behind() const
{
    std::vector<std::string> names;
    const auto timeline = newTimeline();
    if (!timeline || m_streaming)
        return names;
    for (const auto &[name, member] : m_members) {
        if (name != m_start.to && !member.gone && member.timeline && *member.timeline < *timeline)
            names.push_back(name);
    }
    return names;
}

void Aftermath::end(const std::string &version, const MembersAsOf &then)
{
    if (m_end)
        return;
    m_end = version;
    if (m_writable && isAfter(m_writable->version, version))
        m_writable.reset();
    if (m_streaming && isAfter(m_streaming->version, version))
        m_streaming.reset();
    if (!then.known)
        return;
    m_members.clear();
    for (const MemberFact &fact : then.members)
        m_members[fact.name] = fact;
}

void Aftermath::fill(patroni::Transition &t) const
{
    t.writableAt = m_writable ? std::optional(m_writable->wall) : std::nullopt;
    t.streamingAt = m_streaming ? std::optional(m_streaming->wall) : std::nullopt;
    t.leftBehind = behind();
    std::erase_if(t.evidence, [](const Evidence &e) { return e.code == EvidenceCode::MemberState || e.code == EvidenceCode::PodGone; });
    if (m_oldLeader && m_oldLeader->state) {
        t.evidence.push_back({EvidenceCode::MemberState, *m_start.from, *m_oldLeader->state + ' ' + m_oldLeader->role.value_or("unknown"),
                              m_oldLeader->moment.first ? std::nullopt : std::optional(m_oldLeader->moment.seen.wall)});
    }
    if (m_oldLeaderMissing || m_goneAt)
        t.evidence.push_back({EvidenceCode::PodGone, *m_start.from, {}, m_goneAt});
}

} // namespace switchyard
