// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/replay_control.h"

#include "models/store/recording.h"

namespace switchyard::desktop {

using namespace std::chrono_literals;

namespace {

constexpr auto frame = 100ms; // between two steps
constexpr auto pause = 40ms;  // while the slider is dragged

bool isUrgent(EventCode code)
{
    return code == EventCode::LeaderChanged || code == EventCode::LockReleased || code == EventCode::LockExpired
        || code == EventCode::LockAcquired;
}

} // namespace

ReplayControl::ReplayControl(Monitor *monitor, kube::Clock clock, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_clock(std::move(clock))
{
    m_seek.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ReplayControl::step);
    connect(&m_seek, &QTimer::timeout, this, [this] {
        if (const auto wanted = std::exchange(m_wanted, std::nullopt))
            goTo(*wanted);
    });
}

std::vector<views::ReplayMark> ReplayControl::marksOf(const std::vector<Observation> &observations)
{
    ClusterStore store;
    switchyard::replay(store, observations, std::nullopt, {});
    std::vector<views::ReplayMark> marks;
    for (const Event &event : store.events()) {
        if (marks.empty() || marks.back().at != event.at)
            marks.push_back({event.at, false});
        marks.back().urgent = marks.back().urgent || isUrgent(event.type);
    }
    return marks;
}

void ReplayControl::open(std::vector<Observation> observations, std::optional<Instant> at, views::ReplayBar *bar)
{
    m_bar = bar;
    const auto marks = marksOf(observations);
    m_player.emplace(std::move(observations));
    std::vector<Boot> moments;
    for (const views::ReplayMark &mark : marks)
        moments.push_back(mark.at);
    m_player->setMarks(std::move(moments));
    m_bar->setSpan(m_player->begin(), m_player->end(), marks);
    connect(bar, &views::ReplayBar::playRequested, this, [this](bool play) {
        play ? m_player->play(m_clock.now().boot) : m_player->pause(m_clock.now().boot);
        step();
    });
    connect(bar, &views::ReplayBar::speedChosen, this, [this](double speed) {
        m_player->setSpeed(speed, m_clock.now().boot);
        step();
    });
    connect(bar, &views::ReplayBar::momentChosen, this, [this](Boot moment) {
        m_wanted = moment;
        if (!m_seek.isActive())
            m_seek.start(pause);
    });
    connect(bar, &views::ReplayBar::eventRequested, this, [this](bool next) {
        if (const auto mark = next ? m_player->nextMark() : m_player->previousMark())
            goTo(*mark);
    });
    goTo(at ? m_player->positionOf(*at) : m_player->end());
}

void ReplayControl::goTo(Boot at)
{
    m_player->seek(at, m_clock.now().boot);
    step();
    Q_EMIT moved();
}

void ReplayControl::step()
{
    const Player::Step due = m_player->step(m_clock.now().boot);
    m_now = due.now;
    if (due.startOver) {
        m_monitor->startOver();
        Q_EMIT startingOver();
    }
    m_monitor->replay({due.first, due.last}); // time passes even where nothing was seen
    if (m_player->playing() && !m_timer.isActive())
        m_timer.start(frame);
    else if (!m_player->playing())
        m_timer.stop();
    show();
}

void ReplayControl::show()
{
    m_bar->setState(*m_now, m_player->playing(), m_player->previousMark().has_value(), m_player->nextMark().has_value());
}

} // namespace switchyard::desktop
