// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/archive.h"

#include "app/archive/archive_thread.h"

#include <QPointer>
#include <QStandardPaths>

namespace switchyard::archive {

Archive::Archive(ArchiveOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
{
    m_state.location = m_options.location;
    ArchiveThread::Told told;
    told.state = [this](const ArchiveState &state) {
        QMetaObject::invokeMethod(this, [this, state] {
            if (m_state == state)
                return;
            m_state = state;
            Q_EMIT stateChanged();
        });
    };
    told.committed = [this](std::uint64_t ticket) { QMetaObject::invokeMethod(this, [this, ticket] { Q_EMIT committed(ticket); }); };
    m_thread = std::make_unique<ArchiveThread>(m_options, std::move(told));
}

Archive::~Archive() = default;

QString Archive::standardPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/archive.sqlite");
}

void Archive::start()
{
    m_thread->start();
}

std::uint64_t Archive::add(Records records)
{
    return m_thread->add(std::move(records));
}

void Archive::import(const QString &location, QObject *context, Imported done)
{
    m_thread->import(location, [this, context = QPointer<QObject>(context), done = std::move(done)](const Result<std::int64_t> &rows) {
        QMetaObject::invokeMethod(this, [context, done, rows] {
            if (context)
                done(rows);
        });
    });
}

} // namespace switchyard::archive
