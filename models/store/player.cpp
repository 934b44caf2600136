// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/player.h"

#include <cmath>

namespace switchyard {

namespace {

constexpr std::size_t atOnce = 500; // as fast as it can: so many a step, that somebody may see something of it

} // namespace

Player::Player(std::vector<Observation> observations)
    : m_observations(std::move(observations))
    , m_at(begin())
{}

Now Player::nowAt(Boot position) const
{
    const auto after = std::upper_bound(m_observations.begin(), m_observations.end(), position,
                                        [](Boot at, const Observation &o) { return at < o.seen; });
    const Observation &known = after == m_observations.begin() ? *after : *std::prev(after);
    return {position, known.wall + (position - known.seen)};
}

Boot Player::positionOf(Instant wall) const
{
    const Observation *before = &m_observations.front();
    for (const Observation &o : m_observations) {
        if (o.wall <= wall)
            before = &o;
    }
    return std::clamp(before->seen + (wall - before->wall), begin(), end());
}

std::size_t Player::dueAt(Boot position) const
{
    const auto after = std::upper_bound(m_observations.begin(), m_observations.end(), position,
                                        [](Boot at, const Observation &o) { return at < o.seen; });
    return static_cast<std::size_t>(after - m_observations.begin());
}

void Player::arrive(Boot clock)
{
    if (m_playing && m_speed > 0) {
        const auto passed = static_cast<double>((clock - m_clock).count()) * m_speed;
        const auto left = static_cast<double>((end() - m_at).count());
        m_at += Duration(std::llround(std::clamp(passed, 0.0, left)));
    }
    m_clock = clock;
    m_playing = m_playing && !atEnd();
}

void Player::play(Boot clock)
{
    arrive(clock);
    if (atEnd())
        seek(begin(), clock);
    m_playing = true;
}

void Player::pause(Boot clock)
{
    arrive(clock);
    m_playing = false;
}

void Player::setSpeed(double speed, Boot clock)
{
    arrive(clock);
    m_speed = std::max(0.0, speed);
}

void Player::seek(Boot position, Boot clock)
{
    arrive(clock);
    m_at = std::clamp(position, begin(), end());
    if (dueAt(m_at) < m_fed) {
        m_wentBack = true;
        m_fed = 0;
    }
}

Player::Step Player::step(Boot clock)
{
    arrive(clock);
    std::size_t due = dueAt(m_at);
    if (m_playing && m_speed == asFastAsItCan) {
        due = std::min(std::max(due, m_fed) + atOnce, m_observations.size());
        m_at = m_observations[due - 1].seen;
        due = dueAt(m_at); // those of the same moment too
        m_playing = !atEnd();
    }
    Step step{std::exchange(m_wentBack, false), m_observations.data() + m_fed, m_observations.data() + std::max(due, m_fed), at()};
    m_fed = std::max(due, m_fed);
    return step;
}

void Player::setMarks(std::vector<Boot> marks)
{
    m_marks = std::move(marks);
    std::sort(m_marks.begin(), m_marks.end());
}

std::optional<Boot> Player::nextMark() const
{
    const auto it = std::upper_bound(m_marks.begin(), m_marks.end(), m_at);
    return it == m_marks.end() ? std::nullopt : std::optional(*it);
}

std::optional<Boot> Player::previousMark() const
{
    const auto it = std::lower_bound(m_marks.begin(), m_marks.end(), m_at);
    return it == m_marks.begin() ? std::nullopt : std::optional(*std::prev(it));
}

} // namespace switchyard
