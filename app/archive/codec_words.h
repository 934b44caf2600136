// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Codes back into values. nullopt: a code of a later version.
#include "app/archive/archive_reader.h"

namespace switchyard::archive {

std::optional<EventCode> eventFromCode(std::string_view text);
std::optional<HitKind> hitKindFromCode(std::string_view text);
std::optional<patroni::Mode> modeFromCode(std::string_view text);

} // namespace switchyard::archive
