// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/drawn_spans.h"

namespace switchyard::views {

int weightOf(const LaneSpan &span)
{
    switch (span.state) {
    case LaneState::Leader: return 4;
    case LaneState::Stopped: return 3;
    case LaneState::Unknown: return 2;
    case LaneState::Sync: return 1;
    case LaneState::Replica: break;
    }
    return 0;
}

std::vector<DrawnArea> drawnAreas(const std::vector<TimeSpan> &areas, const TimeRange &shown, const QRectF &plot, double narrowest)
{
    std::vector<DrawnArea> drawn;
    const PixelScale scale(shown, plot);
    for (auto it = firstAfter(areas, shown.from); it != areas.end() && it->from < shown.to; ++it) {
        const double left = std::min(std::floor(scale.x(it->from)), plot.right() - narrowest);
        const double right = std::max(left + narrowest, scale.x(it->to));
        if (!drawn.empty() && left < drawn.back().right) {
            drawn.back().right = std::max(drawn.back().right, right);
            ++drawn.back().count;
            continue;
        }
        drawn.push_back({left, right, 1});
    }
    return drawn;
}

} // namespace switchyard::views
