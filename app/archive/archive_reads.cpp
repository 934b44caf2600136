// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/archive_reads.h"

#include <QThread>

namespace switchyard::archive {

// Lives on the thread that reads.
class ReadWorker : public QObject
{
public:
    explicit ReadWorker(QString location)
        : m_location(std::move(location))
    {}

    void run(const std::function<bool(const Result<ArchiveReader *> &)> &job)
    {
        if (!m_reader) {
            auto opened = ArchiveReader::open(m_location);
            if (!opened) {
                job(tl::unexpected(opened.error()));
                return;
            }
            m_reader = std::move(*opened);
        }
        if (!job(m_reader.get()))
            m_reader.reset();
    }

private:
    QString m_location;
    std::unique_ptr<ArchiveReader> m_reader;
};

ArchiveReads::ArchiveReads(QString location, QObject *parent)
    : QObject(parent)
    , m_thread(std::make_unique<QThread>())
    , m_worker(new ReadWorker(std::move(location)))
{
    m_worker->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread->setObjectName(QStringLiteral("archive reads"));
    m_thread->start();
}

ArchiveReads::~ArchiveReads()
{
    m_thread->quit();
    m_thread->wait();
}

void ArchiveReads::run(Job job)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, job = std::move(job)] { worker->run(job); });
}

void ArchiveReads::back(std::function<void()> call)
{
    QMetaObject::invokeMethod(this, std::move(call));
}

} // namespace switchyard::archive
