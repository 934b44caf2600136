// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Says when kubeconfig files, or the token and certificate files they name, have changed: written in place, replaced by a rename,
// deleted, made anew, or behind a symbolic link that now leads elsewhere (secrets mounted by Kubernetes).
//
//   idle ──notice of the system, or the slow poll──► settling (a burst is one change) ──► compared ──different──► changed()
#include "app/kube/kubeconfig.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <map>

namespace switchyard::kube {

struct KubeconfigWatcherTimes
{
    std::chrono::milliseconds settle{250};
    std::chrono::milliseconds poll{30000}; // network file systems give no notice
    bool notices = true;                   // false: poll only
};

class KubeconfigWatcher : public QObject
{
    Q_OBJECT
public:
    explicit KubeconfigWatcher(KubeconfigWatcherTimes times = {}, QObject *parent = nullptr);
    ~KubeconfigWatcher() override;

    // The files of `config` and those that its contexts name. What they look like now is the state that changes are told against.
    // Those that were watched already stay as they were last told of. True: some are new, and may have changed since they were read.
    bool watch(const Kubeconfig &config);
    bool watchFiles(const QStringList &paths);
    void alsoWatch(const QStringList &paths); // beside the others; before they are read, so that nothing is missed
    QStringList files() const;
    void check(); // at once, e.g. when the machine wakes up

Q_SIGNALS:
    // Something is different from when it was last told. A file may be half written: keep what was good until it can be read.
    void changed();

private:
    // What stat() says of the file a path leads to.
    struct Look
    {
        bool exists = false;
        quint64 device = 0, inode = 0;
        qint64 size = 0, modified = 0, status = 0; // nanoseconds
        bool operator==(const Look &) const = default;
    };
    static Look lookAt(const QString &path);
    bool add(const QStringList &paths);
    bool lookAgain(); // true: something is different
    void noticed();
    void arm();

    std::map<QString, Look> m_looks;
    QFileSystemWatcher m_watcher;
    QTimer m_settle;
    QTimer m_poll;
    bool m_notices;
};

} // namespace switchyard::kube
