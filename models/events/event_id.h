// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Event ids: two observers of one event make the same one.
#include "models/events/event.h"

#include <initializer_list>

namespace switchyard {

// 64-bit FNV-1a over the parts, each ended by a zero byte; 16 hex digits.
std::string hashParts(std::initializer_list<std::string_view> parts);

// extra: tells apart several events of one type at one version (the field of an undecodable annotation); usually empty.
std::string eventId(std::string_view uid, std::string_view resourceVersion, EventCode type, std::string_view extra = {});

} // namespace switchyard
