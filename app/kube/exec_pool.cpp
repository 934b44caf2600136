// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/exec_pool.h"

#include "app/kube/exec_entry.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <map>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

// Everything that the program can see, and nothing else: contexts that differ only elsewhere share its answer.
QByteArray keyOf(const ContextConfig &config)
{
    const ExecConfig &exec = *config.credential.exec;
    const QString folder = exec.command.contains(u'/') ? exec.folder : QString();
    const QJsonArray key{exec.command, folder, commandHash({}, exec), static_cast<int>(exec.interactive),
                         QString::fromUtf8(execInfo(config))};
    return QJsonDocument(key).toJson(QJsonDocument::Compact);
}

} // namespace

struct ExecPool::Impl
{
    std::unique_ptr<LoginShell> shell;
    ExecShared shared;
    std::map<QByteArray, std::weak_ptr<ExecEntry>> entries;
};

ExecPool::ExecPool(std::shared_ptr<ExecTrust> trust, ExecSettings settings)
    : d(std::make_shared<Impl>())
{
    d->shell = std::make_unique<LoginShell>(settings.shell.isNull() ? userShell() : settings.shell, settings.shellLimit);
    d->shared = ExecShared{std::move(trust), std::move(settings), d->shell.get()};
}

ExecPool::~ExecPool() = default;

std::shared_ptr<ExecEntry> ExecPool::entry(const ContextConfig &config)
{
    std::erase_if(d->entries, [](const auto &item) { return item.second.expired(); });
    std::weak_ptr<ExecEntry> &place = d->entries[keyOf(config)];
    std::shared_ptr<ExecEntry> entry = place.lock();
    if (!entry) {
        entry = std::make_shared<ExecEntry>(config, d->shared);
        place = entry;
    }
    return entry;
}

} // namespace switchyard::kube
