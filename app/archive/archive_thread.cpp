// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/archive_thread.h"

#include "app/archive/importer.h"
#include "app/archive/retention.h"
#include "app/archive/row_writer.h"

#include <algorithm>
#include <iterator>

namespace switchyard::archive {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t recordsAtOnce = 1000; // in one transaction
constexpr auto houseFirst = 30s;
constexpr auto houseEvery = 10min;

Instant machineClock()
{
    return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

} // namespace

ArchiveThread::ArchiveThread(ArchiveOptions options, Told told)
    : m_options(std::move(options))
    , m_told(std::move(told))
{
    if (!m_options.clock)
        m_options.clock = machineClock;
    m_state.location = m_options.location;
    setObjectName(QStringLiteral("archive"));
}

ArchiveThread::~ArchiveThread()
{
    finish();
}

std::uint64_t ArchiveThread::add(Records records)
{
    const std::lock_guard lock(m_mutex);
    m_added += records.size();
    std::move(records.begin(), records.end(), std::back_inserter(m_queue));
    if (!m_firstAdded && !m_queue.empty())
        m_firstAdded = Clock::now();
    limitQueue();
    m_wake.notify_one();
    return m_added;
}

// What is newest is worth most; what a person wrote is never dropped.
void ArchiveThread::limitQueue()
{
    auto next = m_queue.begin();
    while (m_queue.size() > m_options.queue && next != m_queue.end()) {
        if (std::holds_alternative<NoteRecord>(*next)) {
            ++next;
            continue;
        }
        next = m_queue.erase(next);
        ++m_lost;
    }
}

void ArchiveThread::import(const QString &location, std::function<void(const Result<std::int64_t> &)> done)
{
    const std::lock_guard lock(m_mutex);
    m_imports.push_back({location, std::move(done)});
    m_wake.notify_one();
}

void ArchiveThread::finish()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        m_wake.notify_one();
    }
    wait();
}

void ArchiveThread::run()
{
    tell(ArchiveState::Step::Opening);
    openNow();
    while (waitForWork()) {
        if (m_database || openNow()) {
            writeSome();
            importAll();
            keepHouse();
        } else {
            importAll();
            const std::lock_guard lock(m_mutex);
            if (m_ending)
                break;
        }
    }
    m_database.reset();
}

std::optional<ArchiveThread::Clock::time_point> ArchiveThread::wakeAt() const
{
    if (!m_imports.empty())
        return Clock::time_point{};
    if (!m_database)
        return m_retryAt;
    std::optional<Clock::time_point> at = m_houseAt;
    if (m_firstAdded && (!at || *m_firstAdded + m_options.commitEvery < *at))
        at = *m_firstAdded + m_options.commitEvery;
    return at;
}

bool ArchiveThread::waitForWork()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        if (m_ending)
            return !m_queue.empty();
        const auto at = wakeAt();
        if (at && *at <= Clock::now())
            return true;
        if (at)
            m_wake.wait_until(lock, *at);
        else
            m_wake.wait(lock);
    }
}

bool ArchiveThread::openNow()
{
    const auto location = parseLocation(m_options.location);
    if (!location) {
        fail(location.error());
        return false;
    }
    m_state.location = location->shown;
    auto database = Database::open(*location, Database::Access::Write, m_options.lockLimit);
    if (!database) {
        fail(database.error());
        return false;
    }
    m_database = std::move(*database);
    m_retryAt.reset();
    m_houseAt = Clock::now() + houseFirst;
    tell(ArchiveState::Step::Open);
    return true;
}

// It is opened anew before the next attempt: after some failures a connection is good for nothing.
void ArchiveThread::fail(const Error &error)
{
    m_database.reset();
    m_retryAt = Clock::now() + m_options.retryEvery;
    tell(ArchiveState::Step::Failed, error);
}

void ArchiveThread::tell(ArchiveState::Step step, std::optional<Error> error)
{
    m_state.step = step;
    m_state.error = std::move(error);
    if (m_database)
        m_state.bytes = m_database->size().value_or(m_state.bytes);
    {
        const std::lock_guard lock(m_mutex);
        m_state.waiting = m_queue.size();
        m_state.lost = m_lost;
    }
    m_told.state(m_state);
}

// Everything that is in the queue now.
void ArchiveThread::writeSome()
{
    if (m_database->replaced()) { // moved away or deleted: what comes now goes to a new one
        m_database.reset();
        if (!openNow())
            return;
    }
    bool wrote = false;
    while (true) {
        Records records;
        std::uint64_t ticket = 0;
        {
            const std::lock_guard lock(m_mutex);
            const auto end = m_queue.begin() + static_cast<std::ptrdiff_t>(std::min(recordsAtOnce, m_queue.size()));
            records.assign(std::make_move_iterator(m_queue.begin()), std::make_move_iterator(end));
            m_queue.erase(m_queue.begin(), end);
            ticket = m_added - m_queue.size();
            if (m_queue.empty())
                m_firstAdded.reset();
        }
        if (records.empty())
            break;
        const auto written = m_database->transaction([&]() -> Result<void> {
            RowWriter writer(*m_database);
            for (const Record &record : records) {
                if (auto put = writer.write(record); !put)
                    return put;
            }
            return {};
        });
        if (!written) {
            {
                const std::lock_guard lock(m_mutex);
                m_queue.insert(m_queue.begin(), std::make_move_iterator(records.begin()), std::make_move_iterator(records.end()));
                m_firstAdded = Clock::now();
                limitQueue();
            }
            fail(written.error());
            return;
        }
        wrote = true;
        m_told.committed(ticket);
    }
    if (wrote)
        tell(ArchiveState::Step::Open);
}

void ArchiveThread::importAll()
{
    while (true) {
        Import next;
        {
            const std::lock_guard lock(m_mutex);
            if (m_imports.empty())
                return;
            next = std::move(m_imports.front());
            m_imports.pop_front();
        }
        if (!m_database)
            next.done(tl::unexpected(m_state.error.value_or(Error{ErrorKind::Io})));
        else
            next.done(importInto(*m_database, next.location));
    }
}

void ArchiveThread::keepHouse()
{
    if (!m_database || !m_houseAt || Clock::now() < *m_houseAt)
        return;
    const auto more = tidy(*m_database, {m_options.keep, m_options.most}, m_options.clock());
    if (!more) {
        fail(more.error());
        return;
    }
    m_houseAt = Clock::now() + (*more ? std::chrono::milliseconds(20) : std::chrono::milliseconds(houseEvery));
    if (!*more)
        tell(ArchiveState::Step::Open);
}

} // namespace switchyard::archive
