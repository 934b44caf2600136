// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/follower.h"

#include <algorithm>

namespace switchyard::headless {

namespace {

constexpr std::size_t keyColumns = 4; // context, namespace, scope, group
constexpr std::size_t asOfColumn = 5;

// Columns that, beside the cluster, make a row the same row. Transitions have none: each different row is a new one.
std::vector<std::string_view> identity(Command command)
{
    switch (command) {
    case Command::List: return {};
    case Command::Members: return {"member"};
    case Command::History: return {"timeline", "lsn"};
    case Command::Requests: return {"seen_at", "leader", "candidate", "scheduled_at_raw"};
    case Command::Transitions:
        return {"kind", "from", "to", "timeline", "lsn", "lost_at", "gained_at", "gap_s", "not_before", "not_after", "sources"};
    case Command::Elections: return {"kind", "name"};
    case Command::Events:
    case Command::Preflight:
    case Command::Dossier:
    case Command::Import: return {};
    }
    return {};
}

bool isMoving(const Column &column)
{
    return column.name == "as_of" || column.name == "lock_age_s" || column.name == "record_age_s" || column.name == "renewed_at";
}

void append(std::string &to, const Cell &cell)
{
    const auto text = cellText(cell);
    to += (text ? '=' + *text : "?") + '\0';
}

} // namespace

Follower::Follower(Options options, Sinks sinks)
    : m_options(std::move(options))
    , m_sinks(std::move(sinks))
    , m_columns(columns(*m_options.command))
{}

bool Follower::isKey(std::size_t column) const
{
    const auto names = identity(*m_options.command);
    return column < keyColumns || std::find(names.begin(), names.end(), m_columns[column].name) != names.end();
}

bool Follower::isNew(const Row &row)
{
    if (m_options.command == Command::Events)
        return true;
    std::string key;
    std::string rest;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (isKey(i))
            append(key, row[i]);
        else if (!isMoving(m_columns[i]))
            append(rest, row[i]);
    }
    const auto [entry, inserted] = m_last.try_emplace(key, rest);
    if (!inserted && entry->second == rest)
        return false;
    entry->second = rest;
    return true;
}

// A view that turns stale was trusted until then: what was said of a moment stays so.
void Follower::neverBack(Row &row)
{
    auto *moment = std::get_if<Instant>(&row[asOfColumn]);
    if (!moment)
        return;
    std::string cluster;
    for (std::size_t i = 0; i < keyColumns; ++i)
        append(cluster, row[i]);
    Instant &said = m_asOf.try_emplace(cluster, *moment).first->second;
    said = *moment = std::max(said, *moment);
}

bool Follower::update(const Known &known)
{
    const Format f = m_options.formatOrDefault();
    std::string bytes;
    if (!m_started)
        bytes = streamHeader(m_columns, f);
    m_started = true;
    if (m_options.command == Command::Events && known.events.empty())
        return bytes.empty() || m_sinks.out(bytes);
    Known settled = known;
    if (m_options.command != Command::Events) // half a picture is not a change
    {
        std::erase_if(settled.elections, [](const election::Election *e) { return e->freshness == patroni::Freshness::Connecting; });
        std::erase_if(settled.clusters, [](const patroni::Cluster *c) { return c->view.freshness == patroni::Freshness::Connecting; });
    }
    Table table = rows(*m_options.command, settled.clusters, known.events, known.now, filtersOf(m_options, known.now.wall),
                       settled.elections);
    for (Row &row : table.rows) {
        if (!isNew(row))
            continue;
        neverBack(row);
        bytes += streamRow(m_columns, row, f);
    }
    return bytes.empty() || m_sinks.out(bytes);
}

} // namespace switchyard::headless
