// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace switchyard {

bool isUtf8(std::string_view text);
// Every byte that is not part of valid UTF-8 becomes U+FFFD, so that one bad byte does not lose a whole list.
std::string repairUtf8(std::string_view text);

} // namespace switchyard
