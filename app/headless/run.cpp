// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/run.h"

#include "app/headless/connection_options.h"
#include "app/headless/live_run.h"
#include "app/headless/process.h"
#include "app/headless/terminal_consent.h"
#include "app/simulator/simulator.h"

#include <QCoreApplication>
#include <QDir>
#include <QTemporaryFile>

#include <unistd.h>

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
    const std::shared_ptr<kube::ExecTrust> trust = execTrust(options);
    std::optional<TerminalConsent> consent;
    if (TerminalConsent::possible()) {
        consent.emplace(STDIN_FILENO, sinks.err);
        QObject::connect(&*consent, &TerminalConsent::waiting, &run, &LiveRun::pause);
        trust->setAsk([&](const kube::ExecQuestion &question, auto answer) { consent->ask(question, answer); });
    }
    run.start(contexts, problemsBefore, std::make_shared<kube::ExecPool>(trust));
    loop.exec();
    trust->setAsk({});
    return exitCode;
}

int runOnClusters(const Options &options, const Result<kube::Kubeconfig> &config, const Sinks &sinks)
{
    if (!config)
        return couldNot(sinks, describe(config.error()));
    for (const Error &problem : config->problems)
        sinks.err(describe(problem));
    const auto chosen = kube::chooseContexts(*config, options.contexts, options.overrides);
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
    return runOnClusters(all, kube::loadKubeconfig(file.fileName()), sinks);
}

} // namespace

int runHeadless(const Options &options)
{
    const Sinks sinks = processSinks();
    if (options.command == Command::Import)
        return runImport(options, sinks);
    if (options.replay)
        return runReplay(options, sinks);
    if (options.archive)
        return runArchive(options, sinks);
    if (options.demo)
        return runDemo(options, sinks);
    const QString file = options.kubeconfig.value_or(QString());
    return runOnClusters(options, kube::findKubeconfig(file, kube::surroundings(), options.overrides), sinks);
}

} // namespace switchyard::headless
