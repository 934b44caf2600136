// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/replay_bar.h"

#include "views/style/colors.h"
#include "views/style/icons.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QToolButton>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int steps = 100'000; // of the slider

QString speedText(double speed)
{
    return speed > 0 ? ReplayBar::tr("%1\u00d7", "speed: 10 times").arg(speed) : ReplayBar::tr("max");
}

QToolButton *button(QWidget *parent, const QString &name, const QString &help, const QKeySequence &keys)
{
    auto *result = new QToolButton(parent);
    result->setAutoRaise(true);
    result->setFocusPolicy(Qt::TabFocus);
    result->setAccessibleName(name);
    result->setShortcut(keys);
    result->setToolTip(help + u" ("_s + keys.toString(QKeySequence::NativeText) + u')');
    return result;
}

} // namespace

ReplaySlider::ReplaySlider(QWidget *parent)
    : QSlider(Qt::Horizontal, parent)
{
    setRange(0, steps);
    setSingleStep(steps / 200);
    setPageStep(steps / 20);
    setAccessibleName(tr("Moment of the recording"));
}

void ReplaySlider::setSpan(Boot begin, Boot end, std::vector<ReplayMark> marks)
{
    m_begin = begin;
    m_end = end;
    m_marks = std::move(marks);
    update();
}

double ReplaySlider::share(Boot at) const
{
    const auto whole = static_cast<double>((m_end - m_begin).count());
    return whole > 0 ? std::clamp(static_cast<double>((at - m_begin).count()) / whole, 0.0, 1.0) : 0.0;
}

Boot ReplaySlider::moment() const
{
    return m_begin + std::chrono::duration_cast<Duration>((m_end - m_begin) * (static_cast<double>(value()) / steps));
}

void ReplaySlider::setMoment(Boot at)
{
    if (!isSliderDown())
        setValue(static_cast<int>(share(at) * steps));
}

QSize ReplaySlider::sizeHint() const
{
    return {30 * grid, 3 * grid + 4};
}

QRect ReplaySlider::groove() const
{
    return rect().adjusted(grid, 0, -grid, 0);
}

void ReplaySlider::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF line = groove();
    const double middle = line.center().y(), at = line.left() + line.width() * value() / steps;
    painter.setPen(Qt::NoPen);
    painter.setBrush(hairline(palette()));
    painter.drawRoundedRect(QRectF(line.left(), middle - 2, line.width(), 4), 2, 2);
    painter.setBrush(accentColor(palette()));
    painter.drawRoundedRect(QRectF(line.left(), middle - 2, at - line.left(), 4), 2, 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const bool urgent : {false, true}) { // the urgent ones on top
        const QColor color = urgent ? toneColor(Tone::Bad, palette()) : secondaryText(palette());
        const int half = urgent ? grid : grid / 2 + 1;
        for (const ReplayMark &mark : m_marks) {
            if (mark.urgent == urgent)
                painter.fillRect(QRectF(line.left() + line.width() * share(mark.at), middle - half, urgent ? 2 : 1, 2.0 * half), color);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(palette().color(QPalette::Base));
    painter.setPen(QPen(accentColor(palette()), hasFocus() ? 3 : 2));
    painter.drawEllipse(QPointF(at, middle), grid - 2, grid - 2);
}

void ReplaySlider::mousePressEvent(QMouseEvent *event)
{
    const QRect line = groove();
    if (event->button() == Qt::LeftButton && line.width() > 0) {
        setSliderDown(true);
        setValue(QStyle::sliderValueFromPosition(0, steps, int(event->position().x()) - line.left(), line.width()));
    }
    QSlider::mousePressEvent(event);
}

ReplayBar::ReplayBar(QWidget *parent)
    : QWidget(parent)
    , m_previous(button(this, tr("Previous event"), tr("To the event before"), Qt::ALT | Qt::Key_Left))
    , m_play(button(this, tr("Play"), tr("Play or pause"), Qt::ALT | Qt::Key_P))
    , m_next(button(this, tr("Next event"), tr("To the next event"), Qt::ALT | Qt::Key_Right))
    , m_speed(new QComboBox(this))
    , m_slider(new ReplaySlider(this))
    , m_time(new QLabel(this))
    , m_note(captionLabel(tr("Recorded: all times are the recording's, and nothing can be written."), this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(pageMargin, grid / 2, pageMargin, grid / 2);
    for (const double speed : speeds())
        m_speed->addItem(speedText(speed), speed);
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(tr("How fast the recording is played"));
    m_time->setFont(tabularFont(font()));
    layout->addWidget(m_previous);
    layout->addWidget(m_play);
    layout->addWidget(m_next);
    layout->addWidget(m_speed);
    layout->addWidget(m_slider, 1);
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_time);
    words->addWidget(m_note);
    layout->addLayout(words);
    connect(m_previous, &QToolButton::clicked, this, [this] { Q_EMIT eventRequested(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { Q_EMIT eventRequested(true); });
    connect(m_play, &QToolButton::clicked, this, [this] { Q_EMIT playRequested(!m_playing); });
    connect(m_speed, &QComboBox::activated, this, [this] { Q_EMIT speedChosen(m_speed->currentData().toDouble()); });
    connect(m_slider, &QSlider::actionTriggered, this, [this] { // the keyboard, the wheel
        m_slider->setValue(m_slider->sliderPosition());
        Q_EMIT momentChosen(m_slider->moment());
    });
    connect(m_slider, &QSlider::valueChanged, this, [this] {
        if (m_slider->isSliderDown())
            Q_EMIT momentChosen(m_slider->moment());
    });
    showIcons();
}

const std::vector<double> &ReplayBar::speeds()
{
    static const std::vector<double> all{1, 2, 10, 60, 0};
    return all;
}

void ReplayBar::setSpan(Boot begin, Boot end, const std::vector<ReplayMark> &marks)
{
    m_begin = begin;
    m_end = end;
    m_slider->setSpan(begin, end, marks);
}

void ReplayBar::setState(Now at, bool playing, bool before, bool after)
{
    m_playing = playing;
    m_slider->setMoment(at.boot);
    m_previous->setEnabled(before);
    m_next->setEnabled(after);
    m_time->setText(tr("%1   %2 of %3", "time; so much of the recording")
                        .arg(timeText(at.wall), secondsText(at.boot - m_begin), secondsText(m_end - m_begin)));
    m_time->setToolTip(timeTextUtc(at.wall));
    m_play->setAccessibleName(playing ? tr("Pause") : tr("Play"));
    showIcons();
}

void ReplayBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        showIcons();
    QWidget::changeEvent(event);
}

void ReplayBar::showIcons()
{
    const QColor color = palette().color(QPalette::WindowText);
    m_previous->setIcon(icon(u"previous"_s, color));
    m_next->setIcon(icon(u"next"_s, color));
    m_play->setIcon(icon(m_playing ? u"pause"_s : u"play"_s, color));
}

} // namespace switchyard::views
