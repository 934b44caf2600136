// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plays a recording into the monitor, as the bar under the pages says.
#include "app/clusters/monitor.h"
#include "models/store/player.h"
#include "views/widgets/replay_bar.h"

#include <QTimer>

namespace switchyard::desktop {

class ReplayControl : public QObject
{
    Q_OBJECT
public:
    // clock: what time runs by. observations: at least one.
    ReplayControl(Monitor *monitor, kube::Clock clock, QObject *parent = nullptr);
    void open(std::vector<Observation> observations, std::optional<Instant> at, views::ReplayBar *bar); // paused there; nullopt: at its end
    std::optional<Now> now() const { return m_now; } // the recording's; nullopt: nothing is played

Q_SIGNALS:
    void startingOver(); // all that was shown is to be forgotten
    void moved();        // by hand, not by time

private:
    void step();
    void goTo(Boot at);
    void show();
    static std::vector<views::ReplayMark> marksOf(const std::vector<Observation> &observations);

    Monitor *m_monitor;
    kube::Clock m_clock;
    std::optional<Player> m_player;
    std::optional<Now> m_now;
    views::ReplayBar *m_bar = nullptr;
    QTimer m_timer;
    QTimer m_seek; // of many moments chosen at once the last one counts
    std::optional<Boot> m_wanted;
};

} // namespace switchyard::desktop
