// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/timeline_marks.h"

#include "views/style/colors.h"
#include "views/style/shapes.h"
#include "views/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

struct MarkWords
{
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

constexpr double size = 12;
constexpr int mostLines = 6;

auto firstMark(const Leadership &data, Instant t)
{
    return std::partition_point(data.marks.begin(), data.marks.end(), [t](const LeadershipMark &m) { return m.at < t; });
}

QPolygonF diamond(const QPointF &middle)
{
    const double half = size / 2;
    return {{middle + QPointF(0, -half), middle + QPointF(half, 0), middle + QPointF(0, half), middle + QPointF(-half, 0)}};
}

void paintOne(QPainter &painter, const QPointF &middle, EventCode type, const QPalette &palette)
{
    const QRectF box(middle.x() - size / 2, middle.y() - size / 2, size, size);
    const QColor accent = accentColor(palette), quiet = secondaryText(palette);
    painter.setRenderHint(QPainter::Antialiasing);
    switch (type) {
    case EventCode::PauseOn: return paintShape(painter, box, Tone::Paused, toneColor(Tone::Paused, palette));
    case EventCode::PauseOff: return paintShape(painter, box, Tone::Paused, quiet);
    case EventCode::RequestWritten:
    case EventCode::RequestCleared:
        painter.setPen(QPen(accent, 1.5));
        painter.setBrush(type == EventCode::RequestWritten ? QBrush(accent) : Qt::NoBrush);
        painter.drawPolygon(diamond(middle));
        return;
    default: break;
    }
    painter.setPen(QPen(quiet, 1.5)); // a configuration, failsafe mode among it: a sheet
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(2, 1, -2, -1));
    painter.drawLine(box.center() + QPointF(-2, -1.5), box.center() + QPointF(2, -1.5));
    painter.drawLine(box.center() + QPointF(-2, 1.5), box.center() + QPointF(2, 1.5));
}

} // namespace

int paintMarks(QPainter &painter, const TimelineScene &scene, const QPalette &palette)
{
    int count = 0;
    const QRectF row = scene.markRow();
    double last = row.left() - 100;
    for (auto it = firstMark(scene.data, scene.shown.from); it != scene.data.marks.end() && it->at <= scene.shown.to; ++it) {
        const double x = scene.x(it->at);
        if (x - last < size - 2)
            continue; // stands under the one before; the pointer finds both
        last = x;
        paintOne(painter, {x, row.center().y() - 1}, it->type, palette);
        ++count;
    }
    return count;
}

QString markText(const LeadershipMark &mark)
{
    const QString what = words(mark.type);
    return mark.text.empty() ? what : u"%1 (%2)"_s.arg(what, text(mark.text));
}

QString marksText(const TimelineScene &scene, double x)
{
    QStringList lines;
    int more = 0;
    for (auto it = firstMark(scene.data, scene.shown.from); it != scene.data.marks.end() && it->at <= scene.shown.to; ++it) {
        const double at = scene.x(it->at);
        if (at > x + size)
            break;
        if (at < x - size)
            continue;
        if (lines.size() >= mostLines) {
            ++more;
            continue;
        }
        const QString when = it->notBefore ? MarkWords::tr("between %1 and %2").arg(exactText(*it->notBefore), exactText(it->at))
                                           : u"%1, %2"_s.arg(exactText(it->at), exactTextUtc(it->at));
        lines << u"%1\n%2"_s.arg(markText(*it), when);
    }
    if (more > 0)
        lines << MarkWords::tr("and %n more", nullptr, more);
    return lines.join(u'\n');
}

} // namespace switchyard::views
