// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace switchyard {

// Length of the valid sequence at the position; 0: none.
std::size_t utf8SequenceLength(std::string_view text, std::size_t pos);
bool isUtf8(std::string_view text);
// Every byte that is not part of valid UTF-8 becomes U+FFFD, so that one bad byte does not lose a whole list.
std::string repairUtf8(std::string_view text);

} // namespace switchyard
