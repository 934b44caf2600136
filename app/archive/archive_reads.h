// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Questions to an archive, answered by a thread of its own, one after another. The archive is opened with the first one, and again
// after a failure.
#include "app/archive/archive_reader.h"

#include <QObject>
#include <QPointer>

#include <functional>

class QThread;

namespace switchyard::archive {

class ReadWorker;

class ArchiveReads : public QObject
{
    Q_OBJECT
public:
    explicit ArchiveReads(QString location, QObject *parent = nullptr);
    ~ArchiveReads() override; // waits for the question under way

    // `done` is called once on the thread of this object, from the event loop, unless `context` is gone by then.
    template<class T>
    void ask(std::function<Result<T>(ArchiveReader &)> question, QObject *context, std::function<void(const Result<T> &)> done)
    {
        run([this, question = std::move(question), context = QPointer<QObject>(context), done = std::move(done)](const auto &reader) {
            auto answer = std::make_shared<Result<T>>(reader ? question(**reader) : Result<T>(tl::unexpected(reader.error())));
            back([answer, context, done] {
                if (context)
                    done(*answer);
            });
            return answer->has_value();
        });
    }

private:
    // False: open it anew next time.
    using Job = std::function<bool(const Result<ArchiveReader *> &reader)>;
    void run(Job job);
    void back(std::function<void()> call);

    std::unique_ptr<QThread> m_thread;
    ReadWorker *m_worker;
};

} // namespace switchyard::archive
