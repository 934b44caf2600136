// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/event_id.h"

namespace switchyard {

std::string hashParts(std::initializer_list<std::string_view> parts)
{
    std::uint64_t hash = 14695981039346656037ULL;
    const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 1099511628211ULL; };
    for (const std::string_view part : parts) {
        for (const char c : part)
            add(static_cast<unsigned char>(c));
        add(0);
    }
    std::string text(16, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, hash >>= 4)
        *digit = "0123456789abcdef"[hash & 15];
    return text;
}

std::string eventId(std::string_view uid, std::string_view resourceVersion, EventCode type, std::string_view extra)
{
    if (extra.empty())
        return hashParts({uid, resourceVersion, code(type)});
    return hashParts({uid, resourceVersion, code(type), extra});
}

} // namespace switchyard
