// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The whole window, offscreen, against a real API server:
//   switchyard-bench-window KUBECONFIG CLUSTERS STARTED REST LOOK
// STARTED: wall clock in nanoseconds when the process was asked for. Waits until CLUSTERS clusters are complete and painted, then
// measures CPU over REST seconds (nobody looking on), then latencies and stalls over LOOK seconds. Prints one line of JSON.
#include "views/style/theme.h"
#include "watcher.h"

#include <cstdio>

using namespace switchyard;
using bench::cpuSeconds;
using bench::memoryKib;

int main(int argc, char **argv)
{
    if (argc != 6) {
        std::fprintf(stderr, "usage: switchyard-bench-window KUBECONFIG CLUSTERS STARTED REST LOOK\n");
        return 2;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    bench::Application app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("switchyard"));
    views::applyTheme(app, views::Theme::Light);
    desktop::DesktopOptions options;
    options.kubeconfig = QString::fromLocal8Bit(argv[1]);
    options.allNamespaces = true;
    options.readOnly = true;
    const qint64 started = QByteArray(argv[3]).toLongLong();
    const int rest = QByteArray(argv[4]).toInt(), look = QByteArray(argv[5]).toInt();
    desktop::Desktop desktop(options);
    bench::Watcher watcher(&desktop, QByteArray(argv[2]).toInt());
    app.watcher = &watcher;
    QByteArray line;
    const auto number = [&line](const char *name, double value) {
        line += (line.isEmpty() ? "" : ", ") + QByteArray("\"") + name + "\": " + QByteArray::number(value, 'f', 3);
    };
    const auto end = [&] {
        number("rss_end_mib", double(memoryKib("VmRSS")) / 1024);
        if (look > 0)
            line += ", " + watcher.report();
        std::printf("{%s}\n", line.constData());
        std::fflush(stdout);
        QCoreApplication::quit();
    };
    double before = 0;
    const auto rested = [&] {
        number("rest_s", rest);
        number("rest_cpu_s", cpuSeconds() - before);
        number("rss_mib", double(memoryKib("VmRSS")) / 1024);
        number("peak_mib", double(memoryKib("VmHWM")) / 1024);
        if (look == 0)
            return end();
        app.watcher = &watcher;
        watcher.look();
        QTimer::singleShot(std::chrono::seconds(look), &watcher, end);
    };
    QObject::connect(&watcher, &bench::Watcher::fleetComplete, &watcher, [&] {
        number("full_s", double(bench::wallClock() - started) / 1e9);
        number("full_cpu_s", cpuSeconds());
        number("longest_event_ms", double(app.longest) / 1e6);
        app.watcher = nullptr;
        QTimer::singleShot(std::chrono::seconds(rest > 0 ? 5 : 0), &watcher, [&] { // let what follows the start settle
            before = cpuSeconds();
            QTimer::singleShot(std::chrono::seconds(rest), &watcher, rested);
        });
    });
    QTimer::singleShot(std::chrono::minutes(3), &watcher, [&] {
        if (watcher.complete())
            return;
        std::fprintf(stderr, "the fleet was not complete after three minutes\n");
        QCoreApplication::exit(1);
    });
    desktop.start();
    return QApplication::exec();
}
