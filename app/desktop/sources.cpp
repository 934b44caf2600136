// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window's data comes from: the demo's simulator, a recording, or the contexts of a kubeconfig.
#include "app/desktop/desktop.h"

#include "app/clusters/recording_file.h"
#include "app/desktop/exec_consent.h"
#include "app/desktop/replay_control.h"
#include "app/desktop/write_flow.h"
#include "app/headless/connection_options.h"
#include "app/simulator/simulator.h"
#include "models/store/recording.h"
#include "views/pages/contexts_page.h"
#include "views/words.h"

#include <QFileInfo>
#include <QTemporaryDir>

namespace switchyard::desktop {

using namespace Qt::StringLiterals;

namespace {

using views::text;

} // namespace

void Desktop::openSources()
{
    if (m_options.demo)
        openDemo();
    else if (!m_options.replayFile.isEmpty())
        openReplay();
    else
        openBook();
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
    makeBook();
    m_book->use(*config, {QString()});
}

void Desktop::openReplay()
{
    bool cutShort = false;
    BadLines bad;
    const auto bytes = readRecordingFile(m_options.replayFile, &cutShort);
    const QString name = QFileInfo(m_options.replayFile).fileName();
    m_window->setReplay(m_options.replayFile);
    if (!bytes) {
        notice(text(describe(bytes.error())));
        return;
    }
    auto observations = decodeRecording({bytes->constData(), static_cast<std::size_t>(bytes->size())}, "replay", name.toStdString(), &bad);
    if (!observations || observations->empty()) {
        notice(observations ? tr("%1 holds no observations.").arg(name) : text(describe(observations.error())));
        return;
    }
    if (cutShort)
        m_window->setNotice(
            tr("%1 is cut short after %2: what came later is missing.").arg(name, text(formatUtc(observations->back().wall))));
    else if (bad.count > 0)
        m_window->setNotice(tr("%1: %n line(s) cannot be read, the first is line %2.", nullptr, static_cast<int>(bad.count))
                                .arg(name, QString::number(bad.first)));
    connect(m_replay, &ReplayControl::startingOver, this, &Desktop::forgetShown);
    connect(m_replay, &ReplayControl::moved, this, &Desktop::everySecond);
    std::optional<Instant> at;
    if (m_options.replayAt)
        at = m_options.replayAt->resolve(observations->back().wall);
    m_replay->open(std::move(*observations), at, m_window->replayBar());
}

// Clusters that were not there yet go, and what happened is told again.
void Desktop::forgetShown()
{
    m_throttle.forget();
    m_electionThrottle.forget();
    m_events.clear();
    m_trails = {};
    std::vector<patroni::ClusterKey> shown;
    for (int row = 0; row < m_fleet.rowCount(); ++row)
        shown.push_back(m_fleet.clusterAt(row)->names.key);
    m_fleet.updateSome({}, shown, m_monitor->now());
    for (const patroni::ClusterKey &key : shown)
        m_window->clusterRemoved(key);
    showAllElections();
}

QString Desktop::settingsFile() const
{
    const bool nothing = m_options.demo || !m_options.screenshotFile.isEmpty(); // the same picture for everybody
    return m_options.settingsFile.value_or(nothing ? QString() : Settings::defaultFile());
}

void Desktop::makeBook()
{
    BookOptions options;
    options.kubeconfig = m_options.kubeconfig;
    options.contexts = m_options.contexts;
    options.namespaces = m_options.allNamespaces ? QStringList{QString()} : m_options.namespaces;
    options.overrides = m_options.overrides;
    options.connection = m_options.connection;
    const QString trustFile = !m_options.trustFile.isEmpty() ? m_options.trustFile : headless::trustFile();
    const bool nobodyThere = !m_options.screenshotFile.isEmpty();
    m_book = std::make_unique<ContextBook>(options, m_monitor.get(), m_settings.get(),
                                           std::make_shared<kube::ExecTrust>(trustFile, m_options.trustExec), !nobodyThere);
    connect(m_book.get(), &ContextBook::changed, this, &Desktop::bookChanged);
    m_flow->setGuard([book = m_book.get()](const QString &context) { return book->guard(context); });
    m_book->setBusy([flow = m_flow](const QString &context) { return flow->awaits(context); });
    offerConsent(m_book.get(), m_window.get());
    views::ContextsPage *page = m_window->contextsPage();
    ContextBook *book = m_book.get();
    connect(page, &views::ContextsPage::openRequested, book, &ContextBook::open);
    connect(page, &views::ContextsPage::closeRequested, book, &ContextBook::close);
    connect(page, &views::ContextsPage::againRequested, book, &ContextBook::again);
    connect(page, &views::ContextsPage::namespacesChosen, book, &ContextBook::setNamespaces);
    connect(page, &views::ContextsPage::favouriteChosen, book, &ContextBook::setFavourite);
    connect(page, &views::ContextsPage::aliasChosen, book, &ContextBook::setAlias);
    connect(page, &views::ContextsPage::colourChosen, book, &ContextBook::setColour);
    connect(page, &views::ContextsPage::readOnlyChosen, book, &ContextBook::setReadOnly);
    connect(page, &views::ContextsPage::protectedChosen, book, &ContextBook::setProtected);
}

void Desktop::bookChanged()
{
    m_window->setNotice(m_book->notice());
    showContexts();
}

void Desktop::openBook()
{
    makeBook();
    m_book->start();
    if (const QString notices = m_book->notice(); !notices.isEmpty())
        notice(notices);
}

} // namespace switchyard::desktop
