// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/timeline_painter.h"

#include "views/charts/drawn_spans.h"
#include "views/charts/timeline_marks.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/style/shapes.h"
#include "views/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

struct TimelineWords
{
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

constexpr double narrowestGap = 2, narrowestHatch = 2;
constexpr double laneMargin = 4;

QColor mixed(const QColor &a, const QColor &b, float share)
{
    return QColor::fromRgbF(share * a.redF() + (1 - share) * b.redF(), share * a.greenF() + (1 - share) * b.greenF(),
                            share * a.blueF() + (1 - share) * b.blueF());
}

class TimelinePainter
{
public:
    TimelinePainter(QPainter &painter, const TimelineScene &scene, const QPalette &palette)
        : m_painter(painter)
        , m_scene(scene)
        , m_palette(palette)
        , m_ground(palette.color(QPalette::Window))
        , m_gaps(drawnAreas(scene.data.gaps, scene.shown, scene.plot, narrowestGap))
    {}

    int paint()
    {
        paintNames();
        paintUnseen();
        for (std::size_t i = 0; i < m_scene.data.lanes.size(); ++i)
            for (const Drawn<LaneSpan> &span : drawnSpans(m_scene.data.lanes[i].spans, m_scene.shown, m_scene.plot, weightOf))
                paintSpan(span, m_scene.lane(i));
        for (const DrawnArea &area : drawnAreas(m_scene.data.blind, m_scene.shown, m_scene.plot, narrowestHatch))
            paintHatch(area.left, area.right, TimelineWords::tr("not watched"), 0.55F);
        paintGaps();
        m_count += paintMarks(m_painter, m_scene, m_palette);
        return m_count;
    }

private:
    void paintNames()
    {
        for (std::size_t i = 0; i < m_scene.data.lanes.size(); ++i) {
            const QRectF lane = m_scene.lane(i);
            m_painter.setPen(QPen(hairline(m_palette), 1));
            m_painter.drawLine(lane.bottomLeft(), lane.bottomRight());
            m_painter.setPen(m_palette.color(QPalette::WindowText));
            const QRectF label(0, lane.top(), m_scene.plot.left() - grid, lane.height());
            m_painter.drawText(
                label, Qt::AlignLeft | Qt::AlignVCenter,
                m_painter.fontMetrics().elidedText(text(m_scene.data.lanes[i].member), Qt::ElideMiddle, static_cast<int>(label.width())));
            ++m_count;
        }
    }

    // Before the first look only the history tells.
    void paintUnseen()
    {
        const double until = m_scene.x(
            std::clamp(m_scene.data.lookedSince.value_or(m_scene.shown.to), m_scene.shown.from, m_scene.shown.to));
        if (until > m_scene.plot.left())
            paintHatch(m_scene.plot.left(), until, TimelineWords::tr("before the first look: only what is recorded"), 0.22F);
    }

    void paintHatch(double left, double right, const QString &words, float strength)
    {
        const QRectF area(left, m_scene.lanes().top(), right - left, m_scene.lanes().height());
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(QBrush(mixed(secondaryText(m_palette), m_ground, strength), Qt::BDiagPattern));
        m_painter.drawRect(area);
        ++m_count;
        const QSizeF size(m_painter.fontMetrics().horizontalAdvance(words) + grid, m_painter.fontMetrics().height());
        if (size.width() > area.width())
            return;
        const QRectF plate(area.center().x() - size.width() / 2, m_scene.plot.top(), size.width(),
                           size.height()); // above: bars may stand there
        m_painter.setBrush(m_ground);
        m_painter.drawRect(plate);
        m_painter.setPen(secondaryText(m_palette));
        m_painter.drawText(plate, Qt::AlignCenter, words);
    }

    struct Look
    {
        QPen pen{Qt::NoPen};
        QBrush brush;
        QColor words;
        double inset = laneMargin; // a leader stands out by its height
    };

    Look look(const Drawn<LaneSpan> &drawn, double height) const
    {
        const QColor accent = accentColor(m_palette), quiet = m_palette.color(QPalette::WindowText);
        const double low = height * 0.3;
        switch (drawn.worst->state) {
        case LaneState::Leader:
            if (drawn.worst->recorded)
                return {QPen(mixed(accent, m_ground, 0.75F), 1), mixed(accent, m_ground, 0.16F), quiet, laneMargin};
            return {Qt::NoPen, accent, m_ground, laneMargin};
        case LaneState::Sync: return {Qt::NoPen, mixed(toneColor(Tone::Good, m_palette), m_ground, 0.45F), quiet, low};
        case LaneState::Replica: return {Qt::NoPen, mixed(secondaryText(m_palette), m_ground, 0.3F), quiet, low};
        case LaneState::Stopped:
            return {QPen(toneColor(Tone::Warning, m_palette), 1), mixed(toneColor(Tone::Warning, m_palette), m_ground, 0.18F), quiet, low};
        case LaneState::Unknown: break;
        }
        return {QPen(secondaryText(m_palette), 1, Qt::DashLine), Qt::NoBrush, quiet, low};
    }

    void paintSpan(const Drawn<LaneSpan> &drawn, const QRectF &lane)
    {
        Look how = look(drawn, lane.height());
        const QRectF bar(drawn.left, lane.top() + how.inset, drawn.right - drawn.left, lane.height() - 2 * how.inset);
        const bool wide = bar.width() > 6;
        if (!wide && how.pen.style() != Qt::NoPen) { // an outline alone would be a hairline
            how.brush = how.pen.color();
            how.pen = Qt::NoPen;
        }
        m_painter.setRenderHint(QPainter::Antialiasing, wide);
        m_painter.setPen(how.pen);
        m_painter.setBrush(how.brush);
        m_painter.drawRoundedRect(bar, wide ? 3 : 0, wide ? 3 : 0);
        ++m_count;
        if (wide)
            paintWord(*drawn.worst, QRectF(bar.left(), lane.top(), bar.width(), lane.height()), how);
    }

    void paintWord(const LaneSpan &span, const QRectF &bar, const Look &how)
    {
        const QString word = span.state == LaneState::Leader
            ? (span.timeline ? TimelineWords::tr("TL %1", "timeline").arg(*span.timeline) : laneWord(span.state))
            : laneWord(span.state);
        const double left = freeLeft(bar, m_painter.fontMetrics().horizontalAdvance(word) + 3 * grid);
        if (left >= bar.right())
            return;
        m_painter.setPen(how.words);
        m_painter.drawText(QRectF(left + grid, bar.top(), bar.right() - left - grid, bar.height()), Qt::AlignLeft | Qt::AlignVCenter, word);
    }

    // Where the bar is first to be seen over so much: what nobody led covers it. Its right end: nowhere.
    double freeLeft(const QRectF &bar, double needed) const
    {
        double left = bar.left();
        auto gap = std::partition_point(m_gaps.begin(), m_gaps.end(), [&](const DrawnArea &area) { return area.right <= left; });
        for (; gap != m_gaps.end() && gap->left < left + needed; ++gap)
            left = std::max(left, gap->right);
        return left + needed <= bar.right() ? left : bar.right();
    }

    void paintGaps()
    {
        const QColor red = toneColor(Tone::Bad, m_palette);
        double lastShape = m_scene.plot.left() - 100;
        for (const DrawnArea &area : m_gaps) {
            const QRectF lanes = m_scene.lanes();
            m_painter.setRenderHint(QPainter::Antialiasing, false);
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(red);
            m_painter.drawRect(QRectF(area.left, lanes.top(), area.right - area.left, lanes.height()));
            ++m_count;
            const double middle = (area.left + area.right) / 2;
            if (middle - lastShape < 12)
                continue;
            lastShape = middle;
            paintShape(m_painter, QRectF(middle - 5, lanes.top() - 6, 10, 10), Tone::Bad, red); // the shape beside the colour
            ++m_count;
        }
    }

    QPainter &m_painter;
    const TimelineScene &m_scene;
    const QPalette &m_palette;
    QColor m_ground;
    std::vector<DrawnArea> m_gaps;
    int m_count = 0;
};

QString spanTimes(Instant from, Instant to, bool open, bool current)
{
    const QString begin = open ? TimelineWords::tr("unknown since when") : exactText(from);
    const QString end = current ? TimelineWords::tr("now") : exactText(to);
    const QString utc = TimelineWords::tr("%1 to %2", "times").arg(open ? u"?"_s : exactTextUtc(from), current ? end : exactTextUtc(to));
    return TimelineWords::tr("%1 to %2", "times").arg(begin, end) + u'\n' + utc;
}

QString spanText(const std::string &member, const LaneSpan &span)
{
    QString what = TimelineWords::tr("%1: %2", "member: state").arg(text(member), laneWord(span.state));
    if (span.timeline)
        what += TimelineWords::tr(", timeline %1").arg(*span.timeline);
    if (span.recorded)
        what += TimelineWords::tr(", recorded, not seen");
    const QString length = span.openStart ? TimelineWords::tr("at least %1").arg(durationText(span.to - span.from))
                                          : durationText(span.to - span.from);
    return u"%1, %2\n%3"_s.arg(what, length, spanTimes(span.from, span.to, span.openStart, span.current));
}

// The one under the pointer, or beside it by so many pixels.
const TimeSpan *nearest(const std::vector<TimeSpan> &spans, const TimelineScene &scene, double x, double slack)
{
    const double perPixel = toSeconds(scene.shown.length()) / std::max(1.0, scene.plot.width());
    const Duration around = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(perPixel * slack));
    const Instant t = scene.shown.from
        + std::chrono::duration_cast<Duration>(std::chrono::duration<double>((x - scene.plot.left()) * perPixel));
    const auto it = firstAfter(spans, t - around);
    return it != spans.end() && it->from <= t + around ? &*it : nullptr;
}

QString areaText(const QString &what, const TimeSpan &span)
{
    return u"%1 %2\n%3"_s.arg(what, durationText(span.to - span.from), spanTimes(span.from, span.to, false, span.current));
}

} // namespace

QString laneWord(LaneState state)
{
    switch (state) {
    case LaneState::Leader: return TimelineWords::tr("leader");
    case LaneState::Sync: return TimelineWords::tr("sync", "synchronous standby");
    case LaneState::Replica: return TimelineWords::tr("replica");
    case LaneState::Stopped: return TimelineWords::tr("stopped");
    case LaneState::Unknown: break;
    }
    return unknownText();
}

double TimelineScene::x(Instant t) const
{
    return plot.left() + toSeconds(t - shown.from) / std::max(1e-6, toSeconds(shown.length())) * plot.width();
}

QRectF TimelineScene::markRow() const
{
    return {plot.left(), plot.top(), plot.width(), markRowHeight};
}

QRectF TimelineScene::lanes() const
{
    return plot.adjusted(0, markRowHeight, 0, 0);
}

QRectF TimelineScene::lane(std::size_t index) const
{
    const QRectF all = lanes();
    const double height = all.height() / static_cast<double>(std::max<std::size_t>(1, data.lanes.size()));
    return {all.left(), all.top() + height * static_cast<double>(index), all.width(), height};
}

int paintTimeline(QPainter &painter, const TimelineScene &scene, const QPalette &palette)
{
    return TimelinePainter(painter, scene, palette).paint();
}

QString timelineText(const TimelineScene &scene, const QPointF &pos)
{
    if (pos.x() < scene.plot.left() || pos.x() > scene.plot.right() || pos.y() > scene.plot.bottom())
        return {};
    if (scene.markRow().contains(pos))
        return marksText(scene, pos.x());
    if (const TimeSpan *gap = nearest(scene.data.gaps, scene, pos.x(), 3))
        return areaText(TimelineWords::tr("Nobody led for"), *gap);
    const double share = (pos.x() - scene.plot.left()) / std::max(1.0, scene.plot.width());
    const Instant t = scene.shown.from
        + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(toSeconds(scene.shown.length()) * share));
    for (std::size_t i = 0; i < scene.data.lanes.size(); ++i) {
        if (!scene.lane(i).contains(pos))
            continue;
        const auto &spans = scene.data.lanes[i].spans;
        const auto it = firstAfter(spans, t);
        if (it != spans.end() && it->from <= t)
            return spanText(scene.data.lanes[i].member, *it);
    }
    if (const TimeSpan *blind = nearest(scene.data.blind, scene, pos.x(), 1))
        return areaText(TimelineWords::tr("Not watched for"), *blind);
    const QString when = exactText(t) + u'\n' + exactTextUtc(t);
    return scene.data.lookedSince && t >= *scene.data.lookedSince ? TimelineWords::tr("Not there, or nothing is known\n%1").arg(when)
                                                                  : TimelineWords::tr("Before the first look: not known\n%1").arg(when);
}

QString momentText(const Leadership &data, Instant t)
{
    QStringList parts;
    for (const Lane &lane : data.lanes) {
        const auto it = firstAfter(lane.spans, t);
        if (it != lane.spans.end() && it->from <= t)
            parts << TimelineWords::tr("%1: %2", "member: state").arg(text(lane.member), laneWord(it->state));
    }
    const auto covers = [t](const std::vector<TimeSpan> &spans) {
        const auto it = firstAfter(spans, t);
        return it != spans.end() && it->from <= t;
    };
    if (covers(data.gaps))
        parts.prepend(TimelineWords::tr("nobody leads"));
    if (covers(data.blind))
        parts.prepend(TimelineWords::tr("not watched"));
    for (const LeadershipMark &mark : data.marks)
        if (mark.at == t)
            parts << markText(mark);
    return u"%1 (%2): %3"_s.arg(exactText(t), exactTextUtc(t), parts.isEmpty() ? unknownText() : parts.join(u", "_s));
}

} // namespace switchyard::views
