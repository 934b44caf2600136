// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// WAL positions: bytes, 64 bits, never floating point.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace switchyard {

using Lsn = std::uint64_t;

// "0/2803F1A8": upper case hex halves without padding, as PostgreSQL and Patroni print it.
std::string formatLsn(Lsn lsn);
std::optional<Lsn> parseLsn(std::string_view text);

// Strict decimal integers of annotations: optional sign (signed only), digits, surrounding blanks allowed as in Python's int().
// nullopt for anything else and on overflow.
std::optional<std::int64_t> parseInteger(std::string_view text);
std::optional<std::uint64_t> parseUnsigned(std::string_view text);

} // namespace switchyard
