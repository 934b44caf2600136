// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig_watcher.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>

#include <algorithm>

#include <sys/stat.h>

namespace switchyard::kube {

namespace {

qint64 nanoseconds(const timespec &time)
{
    return qint64(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// The folder, or the nearest one above it that is there.
QString existingFolder(const QString &folder)
{
    QString at = folder;
    while (!QFileInfo(at).isDir()) {
        const QString above = QFileInfo(at).path();
        if (above == at)
            break;
        at = above;
    }
    return at;
}

// Every name on the way from a path to its file: the folders in which a link or the file itself can be replaced.
void addWay(const QString &path, QSet<QString> &out)
{
    constexpr int mostLinks = 16; // more are a circle
    QString at = path;
    for (int i = 0; i < mostLinks; ++i) {
        const QFileInfo info(at);
        out.insert(existingFolder(info.path()));
        if (!info.isSymLink())
            break;
        at = info.symLinkTarget();
    }
    const QFileInfo info(path);
    if (!info.exists())
        return;
    out.insert(info.canonicalFilePath());
    out.insert(QFileInfo(info.canonicalFilePath()).path());
}

QString absolute(const QString &path)
{
    return QDir::cleanPath(QFileInfo(path).absoluteFilePath());
}

} // namespace

KubeconfigWatcher::KubeconfigWatcher(KubeconfigWatcherTimes times, QObject *parent)
    : QObject(parent)
    , m_notices(times.notices)
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(times.settle);
    m_poll.setInterval(times.poll);
    connect(&m_settle, &QTimer::timeout, this, &KubeconfigWatcher::check);
    connect(&m_poll, &QTimer::timeout, this, &KubeconfigWatcher::check);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &KubeconfigWatcher::noticed);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &KubeconfigWatcher::noticed);
}

KubeconfigWatcher::~KubeconfigWatcher() = default;

bool KubeconfigWatcher::watch(const Kubeconfig &config)
{
    QSet<QString> paths(config.files.begin(), config.files.end());
    for (const ContextConfig &context : config.contexts) {
        const Credential &credential = context.credential;
        for (const QString &path : {context.caFile, credential.tokenFile, credential.certificateFile, credential.keyFile})
            paths.insert(path);
    }
    paths.remove(QString());
    return watchFiles(QStringList(paths.begin(), paths.end()));
}

bool KubeconfigWatcher::watchFiles(const QStringList &paths)
{
    QSet<QString> wanted;
    for (const QString &path : paths)
        wanted.insert(absolute(path));
    std::erase_if(m_looks, [&](const auto &look) { return !wanted.contains(look.first); });
    return add(paths);
}

void KubeconfigWatcher::alsoWatch(const QStringList &paths)
{
    add(paths);
}

// A change between the look and the notice is seen by another look.
bool KubeconfigWatcher::add(const QStringList &paths)
{
    bool fresh = false;
    for (const QString &path : paths) {
        const QString name = absolute(path);
        if (m_looks.contains(name))
            continue;
        m_looks.emplace(name, lookAt(name));
        fresh = true;
    }
    arm();
    if (std::any_of(m_looks.begin(), m_looks.end(), [](const auto &look) { return !(look.second == lookAt(look.first)); }))
        noticed();
    m_poll.start();
    return fresh;
}

QStringList KubeconfigWatcher::files() const
{
    QStringList out;
    for (const auto &[path, look] : m_looks)
        out.append(path);
    return out;
}

KubeconfigWatcher::Look KubeconfigWatcher::lookAt(const QString &path)
{
    struct stat state
    {};
    if (::stat(QFile::encodeName(path).constData(), &state) != 0)
        return {};
    return {.exists = true,
            .device = state.st_dev,
            .inode = state.st_ino,
            .size = state.st_size,
            .modified = nanoseconds(state.st_mtim),
            .status = nanoseconds(state.st_ctim)};
}

// Not started anew by every notice: a file that is written without pause is looked at all the same.
void KubeconfigWatcher::noticed()
{
    if (!m_settle.isActive())
        m_settle.start();
}

bool KubeconfigWatcher::lookAgain()
{
    bool different = false;
    for (auto &[path, look] : m_looks) {
        const Look now = lookAt(path);
        different = different || !(now == look);
        look = now;
    }
    return different;
}

// Looks once more when the notices are set: nothing is missed between the two.
void KubeconfigWatcher::check()
{
    m_settle.stop();
    const bool before = lookAgain();
    if (before && !m_watcher.files().isEmpty()) // those that somebody holds open stand for the old file even after a rename
        m_watcher.removePaths(m_watcher.files());
    arm();
    const bool after = lookAgain();
    if (before || after)
        Q_EMIT changed();
}

// The system forgets a file that was replaced, and a folder that was deleted.
void KubeconfigWatcher::arm()
{
    if (!m_notices)
        return;
    QSet<QString> wanted;
    for (const auto &[path, look] : m_looks)
        addWay(path, wanted);
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    const QSet<QString> already(watched.begin(), watched.end());
    const QSet<QString> gone = already - wanted;
    const QSet<QString> fresh = wanted - already;
    if (!gone.isEmpty())
        m_watcher.removePaths(QStringList(gone.begin(), gone.end()));
    if (!fresh.isEmpty())
        m_watcher.addPaths(QStringList(fresh.begin(), fresh.end()));
}

} // namespace switchyard::kube
