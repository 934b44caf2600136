// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The picture "who led when": one lane a member, a bar for each time in office with its timeline, red where nobody led, hatched where
// it is not recorded. Axes by QtCharts, bars painted over them.
#include "views/charts/who_led.h"

#include <QWidget>

#include <memory>

namespace switchyard::views {

class WhoLedChart : public QWidget
{
    Q_OBJECT
public:
    explicit WhoLedChart(QWidget *parent = nullptr);
    ~WhoLedChart() override;
    // last: how far back from its end the picture reaches; nullopt: all of it
    void show(const WhoLed &led, std::optional<Duration> last);
    QString textAt(const QPoint &pos) const; // what the tooltip says there
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    class View;
    View *m_view;
};

} // namespace switchyard::views
