// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace switchyard::patroni {

// The text with user and password of every URL in it, and every password=... parameter, replaced by "***". Works on plain URLs and
// inside JSON text. Rather hides too much than too little.
std::string maskCredentials(std::string_view text);

} // namespace switchyard::patroni
