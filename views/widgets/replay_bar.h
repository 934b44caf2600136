// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plays a recording: play and pause, speed, any moment of it, from event to event. Says what is shown and that nothing can be written.
#include "models/core/time.h"

#include <QSlider>
#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace switchyard::views {

struct ReplayMark
{
    Boot at{};
    bool urgent = false; // the leader or its lock
};

// A slider over the recording, with a mark for each event; a click goes to where it is.
class ReplaySlider : public QSlider
{
    Q_OBJECT
public:
    explicit ReplaySlider(QWidget *parent = nullptr);
    void setSpan(Boot begin, Boot end, std::vector<ReplayMark> marks);
    Boot moment() const;
    void setMoment(Boot at);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    double share(Boot at) const; // of the way, 0 to 1
    QRect groove() const;

    Boot m_begin{}, m_end{};
    std::vector<ReplayMark> m_marks;
};

class ReplayBar : public QWidget
{
    Q_OBJECT
public:
    explicit ReplayBar(QWidget *parent = nullptr);

    void setSpan(Boot begin, Boot end, const std::vector<ReplayMark> &marks);
    void setState(Now at, bool playing, bool before, bool after); // before, after: there are events there
    static const std::vector<double> &speeds();                   // 0: as fast as it can

Q_SIGNALS:
    void playRequested(bool play);
    void speedChosen(double speed);
    void momentChosen(switchyard::Boot at);
    void eventRequested(bool next);

protected:
    void changeEvent(QEvent *event) override;

private:
    void showIcons();

    QToolButton *m_previous, *m_play, *m_next;
    QComboBox *m_speed;
    ReplaySlider *m_slider;
    QLabel *m_time, *m_note;
    Boot m_begin{}, m_end{};
    bool m_playing = false;
};

} // namespace switchyard::views
