// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/codec_words.h"

#include "app/archive/codec_fields.h"

namespace switchyard::archive {

std::optional<EventCode> eventFromCode(std::string_view text)
{
    return enumFromCode<EventCode>(text, eventCodeCount);
}

std::optional<HitKind> hitKindFromCode(std::string_view text)
{
    return enumFromCode<HitKind>(text, static_cast<int>(HitKind::Timeline) + 1);
}

std::optional<patroni::Mode> modeFromCode(std::string_view text)
{
    return enumFromCode<patroni::Mode>(text, static_cast<int>(patroni::Mode::ConfigMaps) + 1);
}

} // namespace switchyard::archive
