// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the leadership timeline of 100,000 events costs, against a bare line of two points a pixel column on the same pixels:
//   switchyard-bench-pictures [EVENTS]
// All ways run in turns; the smallest of the rounds counts, in CPU time. Prints JSON.
#include "tests/support/made_clusters.h"
#include "views/charts/timeline_painter.h"

#include <QApplication>
#include <QImage>
#include <QPalette>

#include <cstdio>
#include <ctime>
#include <limits>

using namespace switchyard;
using namespace std::chrono_literals;

namespace {

constexpr int rounds = 5;
constexpr int width = 1100, height = 150;

template<class F>
void timed(double &best, F work)
{
    const auto cpu = [] {
        timespec t{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
    };
    const double begin = cpu();
    work();
    best = std::min(best, cpu() - begin);
}

// Members that come and go, sync sets, pauses and configurations, one every five minutes.
std::vector<Event> madeEvents(int count)
{
    const patroni::ClusterKey key = made::healthy().names.key;
    std::vector<Event> events;
    for (int i = count; i > 0; --i) {
        Event e;
        e.cluster = key;
        e.wall = made::now(-i * 5min).wall;
        e.type = i % 7 == 0 ? EventCode::SyncChanged : i % 11 == 0 ? EventCode::ConfigChanged : EventCode::MemberState;
        const char *member = i % 3 ? "acme-0" : "acme-2";
        if (e.type == EventCode::SyncChanged)
            e.detail = {{"from", i % 2 ? "" : "acme-2"}, {"to", i % 2 ? "acme-2" : ""}};
        else if (e.type == EventCode::MemberState)
            e.detail = {{"member", member},
                        {"old", i % 2 ? "running replica" : "stopped replica"},
                        {"new", i % 2 ? "stopped replica" : "running replica"}};
        events.push_back(std::move(e));
    }
    return events;
}

void bareLine(QImage &image)
{
    image.fill(Qt::white);
    QPainter painter(&image);
    QPolygonF line;
    for (int x = 0; x < width; ++x)
        line << QPointF(x, 10 + x % 40) << QPointF(x, height - 10 - x % 50);
    painter.drawPolyline(line);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const int count = argc > 1 ? QByteArray(argv[1]).toInt() : 100000;
    const std::vector<Event> events = madeEvents(count);
    const patroni::Cluster cluster = made::healthy();
    const Instant since = made::now(-count * 5min).wall;
    double bare = std::numeric_limits<double>::max(), build = bare, paint = bare, near = bare;
    int shapes = 0;
    QImage image(width, height, QImage::Format_RGB32);
    for (int round = 0; round < rounds; ++round) {
        Leadership data;
        timed(bare, [&] { bareLine(image); });
        timed(build, [&] { data = leadership(cluster, events, since, made::now()); });
        const auto show = [&](Duration last) {
            image.fill(Qt::white);
            QPainter painter(&image);
            const views::TimelineScene scene{data, {made::now(-last).wall, made::now().wall}, QRectF(100, 8, width - 150, height - 36)};
            shapes = views::paintTimeline(painter, scene, QApplication::palette());
        };
        timed(near, [&] { show(24h); });
        timed(paint, [&] { show(count * 5min); });
    }
    std::printf("{\"events\": %d, \"bare_paint_ms\": %.2f, \"build_ms\": %.2f, \"paint_all_ms\": %.2f, \"paint_day_ms\": %.2f, "
                "\"shapes\": %d, \"paint_ratio\": %.2f, \"build_ratio\": %.2f}\n",
                count, bare, build, paint, near, shapes, paint / bare, build / bare);
    return 0;
}
