// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one thread that writes to the archive: see archive.h for its states.
#include "app/archive/archive.h"
#include "app/archive/database.h"

#include <QThread>

#include <condition_variable>
#include <deque>
#include <mutex>

namespace switchyard::archive {

class ArchiveThread : public QThread
{
public:
    // `told` is called on this thread.
    struct Told
    {
        std::function<void(const ArchiveState &)> state;
        std::function<void(std::uint64_t)> committed;
    };
    ArchiveThread(ArchiveOptions options, Told told);
    ~ArchiveThread() override;

    std::uint64_t add(Records records);
    void import(const QString &location, std::function<void(const Result<std::int64_t> &)> done);
    void finish(); // writes what is there, once, and ends

protected:
    void run() override;

private:
    using Clock = std::chrono::steady_clock; // of waiting only
    struct Import
    {
        QString location;
        std::function<void(const Result<std::int64_t> &)> done;
    };

    bool waitForWork(); // false: nothing is left and the end was asked for
    std::optional<Clock::time_point> wakeAt() const;
    void limitQueue();
    bool openNow();
    void writeSome();
    void keepHouse();
    void importAll();
    void fail(const Error &error);
    void tell(ArchiveState::Step step, std::optional<Error> error = {});

    ArchiveOptions m_options;
    Told m_told;
    // of both threads
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Record> m_queue;
    std::deque<Import> m_imports;
    std::uint64_t m_added = 0; // the last ticket
    std::uint64_t m_lost = 0;
    std::optional<Clock::time_point> m_firstAdded;
    bool m_ending = false;
    // of the thread alone
    std::unique_ptr<Database> m_database;
    ArchiveState m_state;
    std::optional<Clock::time_point> m_retryAt, m_houseAt;
};

} // namespace switchyard::archive
