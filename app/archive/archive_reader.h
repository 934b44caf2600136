// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads an archive, a page at a time. Blocks: on another thread than the window's (see archive_reads.h), or without a window.
// It changes nothing, and other programs may write meanwhile.
#include "app/archive/records.h"

#include <QString>

#include <memory>

namespace switchyard::archive {

class Database;

struct KnownCluster
{
    std::int64_t row = 0; // for Query::clusters
    ClusterId id;         // the label and the incarnation seen last
    Instant firstSeen{}, lastSeen{};
    bool operator==(const KnownCluster &) const = default;
};

// Where a page ended.
struct Mark
{
    Instant at{};
    std::int64_t row = 0;
    bool operator==(const Mark &) const = default;
};

struct Query
{
    std::vector<std::int64_t> clusters{};    // empty: all
    std::optional<Instant> since{}, until{}; // both inclusive
    bool newestFirst = true;
    std::optional<Mark> after{}; // the mark of the page before
    int most = 1000;
    std::string object{}; // events, snapshots: of this object only; notes: on this transition only
};

template<class T>
struct Page
{
    std::vector<T> rows;
    std::optional<Mark> next; // nullopt: that was all
};

enum class HitKind { Event, Transition, Request, Config, Audit, Note, Timeline };
std::string_view code(HitKind kind); // event transition request config audit note timeline

// Something that has the words that were searched for.
struct Hit
{
    HitKind kind{};
    ClusterId cluster;
    Instant at{};
    std::string id;   // of the event, transition ...
    std::string text; // what is kept of it for searching: codes and names
    bool operator==(const Hit &) const = default;
};

bool tellsOfHolder(const Hit &hit); // an event: another election's holder changed

class ArchiveReader
{
public:
    // A file, or postgresql://. Errors name the file and say what to do.
    static Result<std::unique_ptr<ArchiveReader>> open(const QString &location);
    ~ArchiveReader();
    ArchiveReader(const ArchiveReader &) = delete;
    ArchiveReader &operator=(const ArchiveReader &) = delete;

    Result<std::vector<KnownCluster>> clusters();
    // KnownCluster::row of a cluster, by any name of its API server; nullopt: nothing is kept of it.
    Result<std::optional<std::int64_t>> rowOf(const ClusterId &cluster);
    Result<Page<EventRecord>> events(const Query &query);
    Result<Page<TransitionRecord>> transitions(const Query &query); // by when the lock was taken
    Result<Page<RequestRecord>> requests(const Query &query);
    Result<Page<SnapshotRecord>> snapshots(const Query &query);
    Result<Page<ConfigRecord>> configs(const Query &query);
    Result<Page<TimelineRecord>> timelines(const Query &query); // by when the timeline ended; those without a time are at 0
    Result<Page<RenewRecord>> renewals(const Query &query);
    Result<Page<AuditRecord>> audit(const Query &query); // Query::clusters does not count
    Result<Page<NoteRecord>> notes(const Query &query);
    // All the words, each as the beginning of a word; newest first.
    Result<Page<Hit>> search(const QString &words, const Query &query);
    Result<std::int64_t> size(); // bytes

private:
    explicit ArchiveReader(std::unique_ptr<Database> database);
    std::unique_ptr<Database> d;
};

} // namespace switchyard::archive
