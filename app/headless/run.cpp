// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/run.h"

#include "app/headless/live_run.h"
#include "app/headless/process.h"
#include "app/simulator/simulator.h"

#include <QCoreApplication>
#include <QDir>
#include <QTemporaryFile>

namespace switchyard::headless {

using namespace Qt::StringLiterals;

namespace {

int couldNot(const Sinks &sinks, const std::string &message)
{
    sinks.err(message);
    return CouldNot;
}

int runLive(const Options &options, const std::vector<kube::ContextConfig> &contexts, bool problemsBefore, const Sinks &sinks)
{
    LiveRun run(options, sinks);
    QEventLoop loop;
    int exitCode = CouldNot;
    QObject::connect(&run, &LiveRun::finished, &loop, [&](int code) {
        exitCode = code;
        loop.quit();
    });
    std::optional<Interrupts> interrupts;
    if (options.follow) { // without it the signals' own effect is right: nothing is left half done
        interrupts.emplace();
        QObject::connect(&*interrupts, &Interrupts::interrupted, &run, &LiveRun::interrupt);
    }
    run.start(contexts, problemsBefore);
    loop.exec();
    return exitCode;
}

int runOnClusters(const Options &options, const QString &kubeconfig, const Sinks &sinks)
{
    const auto config = kube::loadKubeconfig(kubeconfig);
    if (!config)
        return couldNot(sinks, describe(config.error()));
    for (const Error &problem : config->problems)
        sinks.err(describe(problem));
    const auto chosen = chooseContexts(*config, options.contexts);
    if (!chosen)
        return couldNot(sinks, describe(chosen.error()));
    std::vector<kube::ContextConfig> usable;
    for (const kube::ContextConfig &context : *chosen) {
        for (const Error &problem : context.problems)
            sinks.err("context " + context.name.toStdString() + ": " + describe(problem));
        if (context.usable())
            usable.push_back(context);
    }
    if (usable.empty())
        return couldNot(sinks, "no context can be used");
    return runLive(options, usable, usable.size() < chosen->size(), sinks);
}

int runDemo(const Options &options, const Sinks &sinks)
{
    simulator::Simulator server(simulator::demoPlan());
    QString problem;
    if (!server.start(&problem))
        return couldNot(sinks, "the demo cannot start: " + problem.toStdString());
    QTemporaryFile file(QDir::tempPath() + u"/switchyard-demo-XXXXXX"_s);
    const QByteArray text = server.kubeconfig().toUtf8();
    if (!file.open() || file.write(text) != text.size() || !file.flush())
        return couldNot(sinks, "the demo cannot start: " + file.errorString().toStdString());
    Options all = options;
    all.allNamespaces = true;
    return runOnClusters(all, file.fileName(), sinks);
}

} // namespace

Result<std::vector<kube::ContextConfig>> chooseContexts(const kube::Kubeconfig &config, const QStringList &names)
{
    QStringList known;
    for (const kube::ContextConfig &context : config.contexts)
        known.append(context.name);
    Error error{ErrorKind::BadInput};
    error.where = config.files.join(u':').toStdString();
    error.field = "contexts";
    error.advice = "known contexts: " + known.join(u", "_s).toStdString();
    if (names.isEmpty() && config.currentContext.isEmpty()) {
        error.field = "current-context";
        error.message = "no current context is set; name one with --context";
        return tl::unexpected(error);
    }
    std::vector<kube::ContextConfig> chosen;
    for (const QString &name : names.isEmpty() ? QStringList{config.currentContext} : names) {
        const kube::ContextConfig *context = config.find(name);
        if (!context) {
            error.message = "no context " + name.toStdString();
            return tl::unexpected(error);
        }
        chosen.push_back(*context);
    }
    return chosen;
}

int runHeadless(const Options &options)
{
    const Sinks sinks = processSinks();
    if (options.replay)
        return runReplay(options, sinks);
    if (options.demo)
        return runDemo(options, sinks);
    const QString path = kube::kubeconfigPath(options.kubeconfig.value_or(QString()), qEnvironmentVariable("KUBECONFIG"), QDir::homePath());
    return runOnClusters(options, path, sinks);
}

} // namespace switchyard::headless
