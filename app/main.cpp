// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Command line only: what is asked for decides whether there is a window at all.
#include "app/desktop/desktop.h"
#include "app/headless/connection_options.h"
#include "app/headless/options.h"
#include "app/headless/run.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QIcon>

#include <cstdio>

using namespace switchyard;

namespace {

int fail(const std::string &message, int code)
{
    std::fprintf(stderr, "switchyard: %s\n", message.c_str());
    return code;
}

bool hasDisplay()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY")
        || qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

desktop::DesktopOptions desktopOptions(const headless::Options &options)
{
    desktop::DesktopOptions d;
    d.kubeconfig = options.kubeconfig.value_or(QString());
    d.contexts = options.contexts;
    d.namespaces = options.namespaces;
    d.allNamespaces = options.allNamespaces;
    d.overrides = options.overrides;
    d.connection = headless::connectionOptions(options);
    d.trustExec = options.trustExec;
    d.demo = options.demo;
    d.replayFile = options.replay.value_or(QString());
    d.replayAt = options.at;
    d.readOnly = options.readOnly;
    d.archive = options.archive.value_or(QString());
    d.noArchive = options.noArchive;
    d.archiveKeep = options.archiveKeep;
    d.archiveMost = options.archiveMost;
    d.screenshotFile = options.screenshot.value_or(QString());
    d.page = views::pageFromCode(options.page.value_or(QString()))
                 .value_or(options.clusters.empty() || !options.screenshot ? views::Page::Fleet : views::Page::Cluster);
    if (const auto of = views::pageOfPicture(options.page.value_or(QString()))) {
        d.page = *of;
        d.picture = *options.page;
    }
    if (!options.clusters.empty())
        d.cluster = options.clusters.front();
    d.size = options.size.value_or(QSize(1280, 720));
    d.after = options.after.value_or(std::chrono::milliseconds(0));
    return d;
}

// The offscreen platform says with every window that it has no window manager: no news for whoever takes a picture.
QtMessageHandler previousHandler = nullptr;
void withoutOffscreenNoise(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    if (!message.contains(QLatin1String("propagateSizeHints")) && !message.contains(QLatin1String("XDG_RUNTIME_DIR")))
        previousHandler(type, context, message);
}

int runWindow(int argc, char **argv, const headless::Options &options)
{
    if (options.screenshot && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen"); // a picture needs no display
    else if (!hasDisplay())
        return fail("there is no display. Set DISPLAY or WAYLAND_DISPLAY, take a picture with --screenshot FILE, or use a command such as "
                    "\"switchyard list\"; see --help.",
                    headless::CouldNot);
    if (options.screenshot)
        previousHandler = qInstallMessageHandler(withoutOffscreenNoise);
    QApplication app(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("switchyard"));
    views::applyTheme(app, options.dark ? views::Theme::Dark : options.screenshot ? views::Theme::Light : views::Theme::System);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/switchyard/icons/switchyard.svg")));
    desktop::Desktop window(desktopOptions(options));
    window.start();
    return QApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication::setApplicationName(QStringLiteral("switchyard"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SWITCHYARD_VERSION));
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    const auto options = headless::parseArguments(arguments);
    if (!options)
        return fail(describe(options.error()), headless::WrongArguments);
    if (options->help) {
        std::fputs(headless::helpText().toUtf8().constData(), stdout);
        return 0;
    }
    if (options->version) {
        std::puts("switchyard " SWITCHYARD_VERSION);
        return 0;
    }
    if (!options->command)
        return runWindow(argc, argv, *options);
    QCoreApplication app(argc, argv);
    return headless::runHeadless(*options);
}
