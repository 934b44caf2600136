// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The archive of a running program: records go in, a thread of its own writes them.
//
//   opening ──► open ──a write fails──► failed ──tried again, every minute at most──► open
//      └──────► failed: not a database, newer, damaged ...: nothing is written there
//
// It commits at least every second: what is older than that survives when the program is killed (after a power cut the last commits
// may be missing, but the file is whole). What cannot be written is kept in memory, up to a limit, and written later.
#include "app/archive/records.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace switchyard::archive {

class ArchiveThread;

struct ArchiveOptions
{
    QString location;                             // a file, or postgresql://user@host/database
    std::chrono::hours keep{24 * 400};            // what is older is taken out; 0: nothing is
    std::int64_t most = 2LL * 1024 * 1024 * 1024; // bytes; the oldest is taken out when it grows larger; 0: no limit
    std::size_t queue = 50000;                    // records kept in memory while it cannot write
    std::chrono::milliseconds commitEvery{500};   // at least
    std::chrono::milliseconds retryEvery{15000};  // after a failure
    std::chrono::milliseconds lockLimit{3000};    // how long to wait for another program's write
    std::function<Instant()> clock{};             // the wall clock, for what is too old; empty: the machine's
};

struct ArchiveState
{
    enum class Step { Off, Opening, Open, Failed } step = Step::Off;
    QString location;           // without a password
    std::int64_t bytes = 0;     // of the file
    std::optional<Error> error; // why nothing is written now
    std::size_t waiting = 0;    // records in memory
    std::uint64_t lost = 0;     // records that did not fit into memory since the start
    bool operator==(const ArchiveState &) const = default;
};

class Archive : public QObject
{
    Q_OBJECT
public:
    explicit Archive(ArchiveOptions options, QObject *parent = nullptr);
    ~Archive() override; // writes what is left, as far as it can at once

    static QString standardPath(); // archive.sqlite in the user's folder of data

    void start();
    // Never blocks. The ticket is told by committed() when these and all before them are in the file.
    std::uint64_t add(Records records);
    // Another archive's rows, all of them, merged by their keys.
    using Imported = std::function<void(const Result<std::int64_t> &rows)>;
    void import(const QString &location, QObject *context, Imported done);

    const ArchiveState &state() const { return m_state; }
    const ArchiveOptions &options() const { return m_options; }

Q_SIGNALS:
    void stateChanged();
    void committed(quint64 ticket);

private:
    ArchiveOptions m_options;
    ArchiveState m_state;
    std::unique_ptr<ArchiveThread> m_thread;
};

} // namespace switchyard::archive
