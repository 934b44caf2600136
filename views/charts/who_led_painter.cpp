// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/who_led_painter.h"

#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/style/shapes.h"
#include "views/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

struct WhoLedWords
{
    Q_DECLARE_TR_FUNCTIONS(WhoLed)
};

constexpr double narrowestBar = 2, narrowestGap = 3;

QColor mixed(const QColor &a, const QColor &b, float share)
{
    return QColor::fromRgbF(share * a.redF() + (1 - share) * b.redF(), share * a.greenF() + (1 - share) * b.greenF(),
                            share * a.blueF() + (1 - share) * b.blueF());
}

void paintLanes(QPainter &painter, const WhoLedLayout &layout, const QPalette &palette)
{
    for (std::size_t i = 0; i < layout.data.lanes.size(); ++i) {
        const QRectF lane = layout.lane(i);
        painter.setPen(QPen(hairline(palette), 1));
        painter.drawLine(QPointF(layout.plot.left(), lane.bottom()), QPointF(layout.plot.right(), lane.bottom()));
        painter.setPen(palette.color(QPalette::WindowText));
        const QRectF label(0, lane.top(), layout.plot.left() - grid, lane.height());
        const QString name = painter.fontMetrics().elidedText(text(layout.data.lanes[i]), Qt::ElideMiddle, static_cast<int>(label.width()));
        painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, name);
    }
}

void paintHatch(QPainter &painter, const QRectF &area, const QPalette &palette, const QString &words)
{
    if (area.width() < 1)
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(QBrush(mixed(secondaryText(palette), palette.color(QPalette::Window), 0.55F), Qt::BDiagPattern));
    painter.drawRect(area);
    const QSizeF size(painter.fontMetrics().horizontalAdvance(words) + grid, painter.fontMetrics().height());
    if (size.width() > area.width())
        return;
    const QRectF plate(area.center().x() - size.width() / 2, area.center().y() - size.height() / 2, size.width(), size.height());
    painter.setBrush(palette.color(QPalette::Window));
    painter.drawRect(plate);
    painter.setPen(secondaryText(palette));
    painter.drawText(plate, Qt::AlignCenter, words);
}

void paintBar(QPainter &painter, const WhoLedLayout &layout, const LedSpan &span, const QPalette &palette)
{
    const QRectF bar = layout.bar(span);
    if (bar.isEmpty())
        return;
    const QColor accent = accentColor(palette);
    const QColor ground = palette.color(QPalette::Window);
    painter.setPen(span.current ? QPen(Qt::NoPen) : QPen(mixed(accent, ground, 0.75F), 1));
    painter.setBrush(span.current ? accent : mixed(accent, ground, 0.22F));
    painter.drawRoundedRect(bar, qMin(3.0, bar.width() / 2), 3);
    if (span.openStart)
        paintHatch(painter, QRectF(layout.plot.left(), bar.top(), bar.left() - layout.plot.left(), bar.height()), palette,
                   WhoLedWords::tr("since when is not recorded"));
    if (!span.timeline)
        return;
    const QString name = WhoLedWords::tr("TL %1", "timeline").arg(*span.timeline);
    if (painter.fontMetrics().horizontalAdvance(name) + 6 > bar.width())
        return;
    painter.setPen(span.current ? ground : palette.color(QPalette::WindowText));
    painter.drawText(bar.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter, name);
}

void paintGap(QPainter &painter, const WhoLedLayout &layout, const LedGap &gap, const QPalette &palette)
{
    const QRectF area = layout.gap(gap);
    if (area.isEmpty())
        return;
    const QColor red = toneColor(Tone::Bad, palette);
    painter.setPen(Qt::NoPen);
    painter.setBrush(red);
    painter.drawRect(area);
    const QRectF mark(area.center().x() - 5, area.top() - 6, 10, 10); // the shape beside the colour
    paintShape(painter, mark, Tone::Bad, red);
}

QString timesText(Instant from, Instant to, bool open, bool current)
{
    const QString begin = open ? WhoLedWords::tr("unknown") : timeText(from);
    return current ? WhoLedWords::tr("%1 until now").arg(begin) : WhoLedWords::tr("%1 to %2").arg(begin, timeText(to));
}

} // namespace

double WhoLedLayout::x(Instant t) const
{
    const double share = toSeconds(t - from) / std::max(1e-6, toSeconds(to - from));
    return plot.left() + share * plot.width();
}

QRectF WhoLedLayout::lane(std::size_t index) const
{
    const double height = plot.height() / static_cast<double>(std::max<std::size_t>(1, data.lanes.size()));
    return {plot.left(), plot.top() + height * static_cast<double>(index), plot.width(), height};
}

QRectF WhoLedLayout::bar(const LedSpan &span) const
{
    if (!span.member || span.to < from || span.from > to)
        return {};
    const auto it = std::find(data.lanes.begin(), data.lanes.end(), *span.member);
    if (it == data.lanes.end())
        return {};
    const double left = std::max(plot.left(), x(span.from)), right = std::min(plot.right(), x(span.to));
    const QRectF row = lane(static_cast<std::size_t>(it - data.lanes.begin()));
    return {std::min(left, plot.right() - narrowestBar), row.top() + 4, std::max(narrowestBar, right - left), row.height() - 8};
}

QRectF WhoLedLayout::gap(const LedGap &g) const
{
    if (g.to < from || g.from > to)
        return {};
    const double left = std::max(plot.left(), x(g.from)), right = std::min(plot.right(), x(g.to));
    return {std::min(left, plot.right() - narrowestGap), plot.top(), std::max(narrowestGap, right - left), plot.height()};
}

void paintWhoLed(QPainter &painter, const WhoLedLayout &layout, const QPalette &palette)
{
    painter.setRenderHint(QPainter::Antialiasing);
    if (!layout.data.from) {
        painter.setPen(secondaryText(palette));
        painter.drawText(layout.plot, Qt::AlignCenter, WhoLedWords::tr("Nothing is recorded about who led when."));
        return;
    }
    paintLanes(painter, layout, palette);
    for (const auto &span : layout.data.spans) {
        if (span.member) {
            paintBar(painter, layout, span, palette);
        } else {
            const double left = span.openStart ? layout.plot.left() : std::max(layout.plot.left(), layout.x(span.from));
            paintHatch(painter,
                       QRectF(left, layout.plot.top(), std::min(layout.plot.right(), layout.x(span.to)) - left, layout.plot.height()),
                       palette, WhoLedWords::tr("not recorded"));
        }
    }
    for (const auto &gap : layout.data.gaps)
        paintGap(painter, layout, gap, palette);
    if (layout.data.to && *layout.data.to < layout.to) { // what is right of it has not happened yet
        painter.setPen(QPen(secondaryText(palette), 1, Qt::DotLine));
        painter.drawLine(QPointF(layout.x(*layout.data.to), layout.plot.top()), QPointF(layout.x(*layout.data.to), layout.plot.bottom()));
    }
}

QString hitText(const WhoLedLayout &layout, const QPointF &pos)
{
    for (const auto &gap : layout.data.gaps)
        if (layout.gap(gap).adjusted(-3, -6, 3, 0).contains(pos))
            return WhoLedWords::tr("Nobody led for %1\n%2")
                .arg(durationText(gap.to - gap.from), timesText(gap.from, gap.to, false, gap.current));
    for (const auto &span : layout.data.spans) {
        if (!layout.bar(span).adjusted(-2, 0, 2, 0).contains(pos))
            continue;
        const QString timeline = span.timeline ? WhoLedWords::tr("timeline %1").arg(*span.timeline) : WhoLedWords::tr("timeline unknown");
        const QString length = span.openStart ? WhoLedWords::tr("for an unknown time")
                                              : WhoLedWords::tr("for %1").arg(secondsText(span.to - span.from));
        return WhoLedWords::tr("%1, %2, %3\n%4")
            .arg(text(*span.member), timeline, length, timesText(span.from, span.to, span.openStart, span.current));
    }
    return {};
}

} // namespace switchyard::views
