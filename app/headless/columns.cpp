// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/tables.h"

#include <array>
#include <initializer_list>

namespace switchyard::headless {

namespace {

using enum CellType;

constexpr std::array commands{Command::List,        Command::Members,   Command::History,   Command::Events,  Command::Requests,
                              Command::Transitions, Command::Elections, Command::Preflight, Command::Dossier, Command::Import};

std::vector<Column> withHead(std::initializer_list<Column> own)
{
    std::vector<Column> all{{"context", Text}, {"namespace", Text}, {"scope", Text}, {"group", Integer}, {"mode", Text}, {"as_of", Time}};
    all.insert(all.end(), own.begin(), own.end());
    return all;
}

} // namespace

std::string_view code(Command c)
{
    switch (c) {
    case Command::List: return "list";
    case Command::Members: return "members";
    case Command::History: return "history";
    case Command::Events: return "events";
    case Command::Requests: return "requests";
    case Command::Transitions: return "transitions";
    case Command::Elections: return "elections";
    case Command::Preflight: return "preflight";
    case Command::Dossier: return "dossier";
    case Command::Import: return "import";
    }
    return "list";
}

std::optional<Command> commandFromCode(std::string_view text)
{
    for (const Command c : commands) {
        if (code(c) == text)
            return c;
    }
    return std::nullopt;
}

std::vector<Column> columns(Command command)
{
    switch (command) {
    case Command::List:
        return withHead({{"health", Text},
                         {"reasons", Text},
                         {"leader", Text},
                         {"lock", Text},
                         {"ttl", Integer},
                         {"lock_age_s", Real},
                         {"acquired_at", Time},
                         {"timeline", Integer},
                         {"members", Integer},
                         {"members_up", Integer},
                         {"worst_lag", Unsigned},
                         {"sync", Text},
                         {"paused", Boolean},
                         {"request", Text},
                         {"system_id", Text}});
    case Command::Members:
        return withHead({{"member", Text},
                         {"role", Text},
                         {"state", Text},
                         {"timeline", Integer},
                         {"lsn", Unsigned},
                         {"lag", Unsigned},
                         {"receive_lag", Unsigned},
                         {"replay_lag", Unsigned},
                         {"tags", Text},
                         {"pending_restart", Boolean},
                         {"version", Text},
                         {"status_changed_at", Time},
                         {"freshness", Text}});
    case Command::History:
        return withHead(
            {{"timeline", Integer}, {"lsn", Unsigned}, {"lsn_text", Text}, {"reason", Text}, {"ended_at", Time}, {"new_leader", Text}});
    case Command::Requests:
        return withHead({{"seen_at", Time},
                         {"kind", Text},
                         {"leader", Text},
                         {"candidate", Text},
                         {"scheduled_at", Time},
                         {"scheduled_at_raw", Text},
                         {"outcome", Text},
                         {"reason", Text},
                         {"certain", Boolean},
                         {"final", Boolean},
                         {"step", Text},
                         {"due_at", Time},
                         {"released_at", Time},
                         {"decided_at", Time},
                         {"new_leader", Text},
                         {"new_timeline", Integer}});
    case Command::Transitions:
        return withHead({{"kind", Text},
                         {"from", Text},
                         {"to", Text},
                         {"timeline", Integer},
                         {"lsn", Unsigned},
                         {"lost_at", Time},
                         {"gained_at", Time},
                         {"gap_s", Real},
                         {"not_before", Time},
                         {"not_after", Time},
                         {"sources", Text},
                         {"id", Text},
                         {"timeline_before", Integer},
                         {"gap_uncertainty_s", Real},
                         {"writable_s", Real},
                         {"streaming_s", Real},
                         {"left_behind", Text},
                         {"request", Text},
                         {"erased", Text},
                         {"evidence", Text}});
    case Command::Elections:
        return withHead({{"kind", Text},
                         {"name", Text},
                         {"holder", Text},
                         {"state", Text},
                         {"duration_s", Integer},
                         {"acquired_at", Time},
                         {"renewed_at", Time},
                         {"transitions", Integer},
                         {"record_age_s", Real},
                         {"pod", Text},
                         {"details", Text}});
    case Command::Preflight:
        return withHead({{"kind", Text},
                         {"leader", Text},
                         {"candidate", Text},
                         {"scheduled_at", Time},
                         {"fit", Boolean},
                         {"member", Text},
                         {"asked", Boolean},
                         {"rule", Text},
                         {"severity", Text},
                         {"subject", Text},
                         {"amount", Unsigned},
                         {"source", Text},
                         {"versions", Text}});
    case Command::Dossier:
    case Command::Import: return {};
    case Command::Events: return withHead({{"at", Time}, {"type", Text}, {"object", Text}, {"resource_version", Text}, {"detail", Text}});
    }
    return withHead({});
}

} // namespace switchyard::headless
