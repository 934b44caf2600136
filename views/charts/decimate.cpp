// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/decimate.h"

#include <algorithm>

namespace switchyard::views {

QList<QPointF> decimate(const QList<QPointF> &points, double fromX, double toX, int columns)
{
    QList<QPointF> result;
    if (columns < 1 || toX <= fromX)
        return result;
    const double width = (toX - fromX) / columns;
    const auto columnOf = [&](const QPointF &p) { return std::min(columns - 1, static_cast<int>((p.x() - fromX) / width)); };
    auto it = std::lower_bound(points.begin(), points.end(), fromX, [](const QPointF &p, double x) { return p.x() < x; });
    while (it != points.end() && it->x() <= toX) {
        const int column = columnOf(*it);
        const auto last = std::find_if(it, points.end(), [&](const QPointF &p) { return p.x() > toX || columnOf(p) != column; });
        const auto [low, high] = std::minmax_element(it, last, [](const QPointF &a, const QPointF &b) { return a.y() < b.y(); });
        result.append(*std::min(low, high));
        if (low != high)
            result.append(*std::max(low, high));
        it = last;
    }
    return result;
}

} // namespace switchyard::views
