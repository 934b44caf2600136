// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What the pictures are made of, and their files.
#include "app/desktop/desktop.h"
#include "app/export/atomic_file.h"

#include <QStatusBar>

namespace switchyard::desktop {

void Desktop::wirePictures()
{
    // Each change, not only those that the window is told of: a replay passes in one go.
    connect(m_monitor.get(), &Monitor::changed, this, [this](const StoreChanges &changes) {
        const ClusterStore &store = m_monitor->store();
        for (const patroni::ClusterKey &key : changes.clusters)
            if (const patroni::Cluster *cluster = store.find(key))
                m_trails.look(*cluster, store.now().boot);
        for (const patroni::ClusterKey &key : changes.removed)
            m_trails.gone(key, store.now().boot);
    });
    m_window->setTrails(&m_trails);
    connect(m_window.get(), &views::MainWindow::pictureRequested, this, &Desktop::saveFile);
}

void Desktop::saveFile(const QString &file, const QByteArray &bytes)
{
    const auto written = exports::writeFileAtomically(file, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    if (written)
        m_window->statusBar()->showMessage(tr("Saved as %1").arg(file), 8000);
    else
        m_window->showMessage(tr("Not saved"), QString::fromStdString(written.error().message),
                              QString::fromStdString(describe(written.error())));
}

} // namespace switchyard::desktop
