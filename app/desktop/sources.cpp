// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window's data comes from: the demo's simulator, a recording, or the contexts of a kubeconfig.
#include "app/desktop/desktop.h"

#include "app/clusters/recording_file.h"
#include "app/simulator/simulator.h"
#include "models/store/recording.h"

#include <QDir>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QTemporaryDir>

namespace switchyard::desktop {

namespace {

QString text(const std::string &s)
{
    return QString::fromStdString(s);
}

QString describeAll(const std::vector<Error> &errors)
{
    QStringList lines;
    for (const Error &error : errors)
        lines.append(text(describe(error)));
    return lines.join(u'\n');
}

} // namespace

void Desktop::openSources()
{
    if (m_options.demo)
        openDemo();
    else if (!m_options.replayFile.isEmpty())
        openReplay();
    else
        openKubeconfig();
}

void Desktop::openDemo()
{
    m_simulator = std::make_unique<simulator::Simulator>(simulator::demoPlan());
    QString error;
    if (!m_simulator->start(&error)) {
        notice(tr("The demo could not start: %1").arg(error));
        return;
    }
    // through a file, like any kubeconfig: no other code path
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("demo.kubeconfig")));
    if (!folder.isValid() || !file.open(QIODevice::WriteOnly) || file.write(m_simulator->kubeconfig().toUtf8()) < 0 || !file.flush()) {
        notice(tr("The demo could not start: %1").arg(file.errorString()));
        return;
    }
    const auto config = kube::loadKubeconfig(file.fileName());
    if (!config || config->contexts.empty()) {
        notice(tr("The demo could not start: %1").arg(config ? QString() : text(describe(config.error()))));
        return;
    }
    m_window->setDemo(true);
    m_monitor->open(config->contexts.front(), QStringList{QString()});
}

void Desktop::openReplay()
{
    const auto bytes = readRecordingFile(m_options.replayFile);
    const QString name = QFileInfo(m_options.replayFile).fileName();
    m_window->setReplay(m_options.replayFile);
    if (!bytes) {
        notice(text(describe(bytes.error())));
        return;
    }
    const auto observations = decodeRecording({bytes->constData(), static_cast<std::size_t>(bytes->size())}, "replay", name.toStdString());
    if (!observations || observations->empty()) {
        notice(observations ? tr("%1 holds no observations.").arg(name) : text(describe(observations.error())));
        return;
    }
    const Now end{observations->back().seen, observations->back().wall};
    const Instant until = m_options.replayAt ? m_options.replayAt->resolve(end.wall) : end.wall;
    std::vector<Observation> upTo = *observations;
    std::erase_if(upTo, [&](const Observation &o) { return o.wall > until; });
    m_replayNow = until >= end.wall ? end : Now{end.boot - (end.wall - until), until};
    m_monitor->replay(upTo);
}

void Desktop::openKubeconfig()
{
    const auto environment = QProcessEnvironment::systemEnvironment();
    const QString path = kube::kubeconfigPath(m_options.kubeconfig, environment.value(QStringLiteral("KUBECONFIG")), QDir::homePath());
    if (m_options.kubeconfig.isEmpty() && !environment.contains(QStringLiteral("KUBECONFIG")) && !QFileInfo::exists(path)) {
        notice(tr("There is no kubeconfig at %1.\nStart with --kubeconfig FILE, set KUBECONFIG, or try --demo.").arg(path));
        return;
    }
    const auto config = kube::loadKubeconfig(path);
    if (!config) {
        notice(text(describe(config.error())) + u'\n' + tr("Mend the file, start with --kubeconfig FILE, or try --demo."));
        return;
    }
    const QStringList wanted = m_options.contexts.isEmpty() ? QStringList{config->currentContext} : m_options.contexts;
    const QStringList namespaces = m_options.allNamespaces ? QStringList{QString()} : m_options.namespaces;
    QStringList notices;
    for (const QString &name : wanted) {
        const kube::ContextConfig *context = config->find(name);
        if (!context) {
            notices.append(name.isEmpty() ? tr("%1 names no current context. Choose one with --context.").arg(path)
                                          : tr("%1 has no context %2.").arg(path, name));
            continue;
        }
        if (!context->problems.empty())
            notices.append(describeAll(context->problems));
        if (context->usable())
            m_monitor->open(*context, namespaces);
    }
    if (!config->problems.empty())
        notices.append(describeAll(config->problems));
    if (!notices.isEmpty())
        notice(notices.join(u'\n'));
}

} // namespace switchyard::desktop
