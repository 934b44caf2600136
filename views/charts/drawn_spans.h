// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which rectangles stand for spans of time on so many pixels: at most two a pixel column, whatever there is. The first is found by binary
// search; narrow ones of one column become one, which shows the worst of them; a gap is never narrower than `narrowest`.
#include "models/events/leadership.h"
#include "views/charts/time_range.h"

#include <QRectF>

#include <algorithm>
#include <cmath>

namespace switchyard::views {

// The first that ends after `t`; spans.end(): none.
template<class Span>
auto firstAfter(const std::vector<Span> &spans, Instant t)
{
    return std::partition_point(spans.begin(), spans.end(), [t](const Span &s) { return s.to <= t; });
}

class PixelScale
{
public:
    PixelScale(const TimeRange &shown, const QRectF &plot)
        : m_from(shown.from)
        , m_plot(plot)
        , m_perSecond(plot.width() / std::max(1e-6, toSeconds(shown.length())))
    {}
    double x(Instant t) const { return std::clamp(m_plot.left() + toSeconds(t - m_from) * m_perSecond, m_plot.left(), m_plot.right()); }

private:
    Instant m_from;
    QRectF m_plot;
    double m_perSecond;
};

template<class Span>
struct Drawn
{
    double left = 0, right = 0;
    const Span *worst = nullptr;
    bool several = false; // too narrow to be told apart
};

// spans: by time, free of overlaps. weight: what the eye must not miss weighs most.
template<class Span, class Weight>
std::vector<Drawn<Span>> drawnSpans(const std::vector<Span> &spans, const TimeRange &shown, const QRectF &plot, Weight weight)
{
    constexpr double narrow = 1.5;
    std::vector<Drawn<Span>> drawn;
    const PixelScale scale(shown, plot);
    bool open = false; // the last one is a column of narrow ones
    for (auto it = firstAfter(spans, shown.from); it != spans.end() && it->from < shown.to; ++it) {
        const double left = scale.x(it->from), right = scale.x(it->to), column = std::min(std::floor(left), plot.right() - 1);
        const bool isNarrow = right - left < narrow;
        if (!isNarrow) {
            drawn.push_back({left, right, &*it, false});
        } else if (open && drawn.back().left == column) {
            drawn.back().several = true;
            if (weight(*it) > weight(*drawn.back().worst))
                drawn.back().worst = &*it;
        } else {
            drawn.push_back({column, column + 1, &*it, false});
        }
        open = isNarrow;
    }
    return drawn;
}

int weightOf(const LaneSpan &span);

struct DrawnArea
{
    double left = 0, right = 0;
    std::size_t count = 0; // how many it stands for
};
std::vector<DrawnArea> drawnAreas(const std::vector<TimeSpan> &areas, const TimeRange &shown, const QRectF &plot, double narrowest);

} // namespace switchyard::views
