// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/lock_trail.h"

#include <algorithm>
#include <utility>

namespace switchyard {

using namespace patroni;

namespace {

bool sameState(const std::optional<LeaderRecord> &a, const std::optional<LeaderRecord> &b)
{
    return a.has_value() == b.has_value() && (!a || a->sameRecord(*b));
}

// One record after another, without one between them: by the holder's own clock, or by the eyes of who took the lock over from it,
// the first one was not renewed for so long. That does not depend on when we were told.
bool shows(const std::optional<LeaderRecord> &first, const std::optional<LeaderRecord> &next, Duration limit)
{
    if (!first || !next || !first->leader || !next->leader)
        return false;
    return *first->leader != *next->leader || (first->renewTime && next->renewTime && *next->renewTime - *first->renewTime > limit);
}

} // namespace

std::optional<std::string> LockTrail::holder() const
{
    return m_seen.record ? m_seen.record->leader : std::nullopt;
}

LockNews LockTrail::changed(const std::optional<LeaderRecord> &next, const Moment &moment, const DynamicConfig &config)
{
    LockNews news;
    const auto before = holder();
    if (sameState(m_seen.record, next) && !moment.first) {
        m_seen.record = next;
        m_proofs.settle(); // something else of the object had changed
        return news;
    }
    const auto view = rules::lockView(m_seen, config, moment.at());
    const auto seenSince = m_seen.firstSeen;
    const auto unchangedSince = m_seen.changedNotAfter ? m_seen.changedNotAfter : m_seen.firstSeen; // at least
    const auto renewedBefore = std::exchange(m_seen.changedNotAfter, std::nullopt);
    const bool exact = renewedBefore && m_seen.changedNotBefore == renewedBefore;
    const Duration slack = renewedBefore ? *renewedBefore - m_seen.changedNotBefore.value_or(*renewedBefore) : Duration{};
    const auto acquiredBefore = m_seen.record ? m_seen.record->acquireTimeRaw : std::nullopt;
    m_seen.objectExists = next.has_value();
    const auto last = std::exchange(m_seen.record, next);
    const auto provenUntil = std::exchange(m_seen.confirmedAt, moment.at());
    const auto outlasted = [&](const std::optional<Boot> &since, Duration limit) {
        return since && !moment.since && (provenUntil > *since + limit || (moment.at() > *since + limit && shows(last, next, limit)));
    };
    m_seen.firstSeen = moment.at();
    m_seen.changedNotBefore.reset();
    if (moment.first) {
        m_lastHolder = holder();
        return news;
    }
    m_seen.changedNotAfter = moment.at();
    m_seen.changedNotBefore = moment.since.value_or(moment.underWaySince.value_or(moment.at()));
    const auto now = holder();
    // A record that is known to have outlived its ttl had expired, whoever changed it then.
    const bool outlived = before && view.expiresAt && outlasted(unchangedSince, *view.expiresAt - *unchangedSince);
    news.expiredBefore = before && (m_expiredSaid || outlived);
    if (outlived && !m_expiredSaid)
        news.expiredAt = view.expiresAt;
    news.ttl = view.ttl;
    if (before && !m_lateSaid && outlasted(unchangedSince, rules::lateAfter(config)))
        news.lateFor = moment.at() - *unchangedSince;
    news.wasLate = before && m_lateSaid;
    m_lateSaid = m_expiredSaid = false;
    news.from = m_lastHolder;
    news.to = now;
    if (!now) {
        if (before) {
            news.kind = LockNews::Kind::Released;
            m_releasedAt = moment.at();
            m_releaseSlack = moment.underWaySince ? moment.at() - *moment.underWaySince : Duration{};
            m_releaseHidden = moment.since.has_value();
        }
        return news;
    }
    const bool renewed = before == now && acquiredBefore == next->acquireTimeRaw && !news.expiredBefore;
    if (renewed) {
        news.kind = LockNews::Kind::Renewed;
        if (exact && !moment.since && !moment.underWaySince)
            news.interval = moment.at() - *renewedBefore;
        return news;
    }
    news.lostAt = before ? renewedBefore : m_releasedAt;
    news.seenSince = before ? seenSince : std::nullopt;
    news.renewTime = before && last ? last->renewTime : std::nullopt;
    news.lostSlack = before ? slack : m_releaseSlack;
    news.hidden = moment.since.has_value() || (!before && m_releaseHidden);
    news.takeTime = acquiredBefore != next->acquireTimeRaw ? next->acquireTime : next->renewTime;
    return taken(before, moment, std::move(news));
}

LockNews LockTrail::taken(const std::optional<std::string> &before, const Moment &moment, LockNews news)
{
    news.kind = LockNews::Kind::Taken;
    news.afterRelease = !before;
    // Same holder, other acquireTime, over a gap: it stepped down and came back while we did not look.
    if (before == news.to && moment.since && !news.expiredBefore)
        news.afterRelease = true;
    m_lastHolder = news.to;
    m_releasedAt.reset();
    m_releaseHidden = false;
    return news;
}

void LockTrail::confirm(Boot at)
{
    if (m_seen.objectExists)
        m_seen.confirmedAt = std::max(m_seen.confirmedAt.value_or(at), at);
}

void LockTrail::found(Boot at)
{
    confirm(at);
    m_proofs.found(at);
}

void LockTrail::missed(Boot at, const DynamicConfig &config)
{
    m_proofs.missed(at, m_seen.firstSeen, m_seen.confirmedAt, rules::askAfter(config));
}

std::optional<Boot> LockTrail::underWaySince(const std::optional<Gap> &silence, Boot at, const DynamicConfig &config) const
{
    return m_proofs.underWaySince(m_seen.firstSeen, silence, at, rules::askAfter(config));
}

void LockTrail::unverify(Boot at)
{
    m_seen.changedNotBefore.reset();
    m_seen.changedNotAfter.reset();
    m_seen.firstSeen = at;
    m_seen.confirmedAt.reset();
    m_lateSaid = m_expiredSaid = false;
}

bool LockTrail::sayLate(const LockView &view)
{
    return view.late && !std::exchange(m_lateSaid, true);
}

bool LockTrail::sayExpired(const LockView &view)
{
    return view.state == LockState::Expired && !std::exchange(m_expiredSaid, true);
}

} // namespace switchyard
