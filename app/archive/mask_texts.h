// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace switchyard::archive {

// As patroni::maskCredentials, and the texts that JSON keys like "password", "secret" or "primary_conninfo" stand before, also in JSON
// that is a text within JSON. The archive outlives what it is about: no secret goes into it.
std::string maskSecrets(std::string text);

} // namespace switchyard::archive
