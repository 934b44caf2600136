// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A recording that is played: where it stands, and what is to be seen next. No clock of its own, and no store: whoever plays feeds one.
//
//   paused ──play──► playing ──pause, end──► paused        seek: from anywhere to anywhere
// Time runs `speed` times as fast as the clock that is given; at `asFastAsItCan` only the store's own speed counts.
#include "models/core/observation.h"

namespace switchyard {

class Player
{
public:
    static constexpr double asFastAsItCan = 0;
    // In order of their times, as decodeRecording gives them; at least one.
    explicit Player(std::vector<Observation> observations);

    Boot begin() const { return m_observations.front().seen; }
    Boot end() const { return m_observations.back().seen; }
    Now at() const { return nowAt(m_at); } // where it stands, by the recording's clocks
    Now nowAt(Boot position) const;
    // The position of a moment on the recording's wall clock, or the end that is nearer.
    Boot positionOf(Instant wall) const;

    bool playing() const { return m_playing; }
    bool atEnd() const { return m_at >= end(); }
    double speed() const { return m_speed; }

    void play(Boot clock); // from the start again, if it is at its end
    void pause(Boot clock);
    void setSpeed(double speed, Boot clock);
    void seek(Boot position, Boot clock);

    // What has become due since the last step.
    struct Step
    {
        bool startOver = false;                              // it went back: all that was seen is to be forgotten first
        const Observation *first = nullptr, *last = nullptr; // [first, last)
        Now now;
        bool empty() const { return !startOver && first == last; }
    };
    Step step(Boot clock);

    // Moments worth going to, of whatever happened.
    void setMarks(std::vector<Boot> marks);
    const std::vector<Boot> &marks() const { return m_marks; }
    std::optional<Boot> nextMark() const;
    std::optional<Boot> previousMark() const;

private:
    void arrive(Boot clock); // where time has brought it by then
    std::size_t dueAt(Boot position) const;

    std::vector<Observation> m_observations;
    std::vector<Boot> m_marks; // sorted
    std::size_t m_fed = 0;     // so many are with the store
    bool m_playing = false, m_wentBack = false;
    double m_speed = 1;
    Boot m_at{}, m_clock{}; // where it was, and when
};

} // namespace switchyard
