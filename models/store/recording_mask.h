// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What must not get into a recording, found in text that may hold anything.
#include <string>
#include <string_view>

namespace switchyard::recording {

// Passwords, tokens and keys in whatever spelling (NAME=value, NAME = 'va lue', --name value, URL with user and password, Bearer ...)
// are replaced by "***". Rather hides too much than too little.
std::string maskSecrets(std::string_view text);
// Is it a name of something that is nobody's business: password, secret, token, ...?
bool isSecretName(std::string_view name);
bool looksLikeToken(std::string_view value);

} // namespace switchyard::recording
