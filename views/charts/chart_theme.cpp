// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_theme.h"

#include "views/style/colors.h"

#include <QDateTime>
#include <QGraphicsLayout>
#include <QLegend>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

void themeChart(QChart *chart, const QPalette &palette, const QFont &font)
{
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(false);
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->legend()->hide();
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    for (QAbstractAxis *axis : chart->axes()) {
        axis->setLabelsColor(secondaryText(palette));
        axis->setLabelsFont(font);
        axis->setTitleFont(font);
        axis->setTitleBrush(secondaryText(palette));
        axis->setLinePen(QPen(hairline(palette), 1));
        axis->setGridLinePen(QPen(hairline(palette), 1));
    }
}

qint64 milliseconds(Instant t)
{
    return std::chrono::floor<std::chrono::milliseconds>(t).time_since_epoch().count();
}

void setTimeRange(QDateTimeAxis *axis, Instant from, Instant to, int pixels)
{
    const Duration length = std::max<Duration>(to - from, 1s);
    const QString format = length <= 10min ? u"HH:mm:ss"_s : length <= 20h ? u"HH:mm"_s : length <= 24h * 6 ? u"dd MMM HH:mm"_s : u"yyyy-MM-dd"_s;
    axis->setFormat(format);
    axis->setTickCount(qBound(2, pixels / 150 + 1, 9));
    axis->setRange(QDateTime::fromMSecsSinceEpoch(milliseconds(from)), QDateTime::fromMSecsSinceEpoch(milliseconds(from + length)));
}

} // namespace switchyard::views
