// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace switchyard::archive {

// As recording::maskSecrets, for every text in it where it is JSON, and all that stands under JSON keys like "password", "secret" or
// "primary_conninfo", also in JSON that is a text within JSON. The archive outlives what it is about: no secret goes into it.
std::string maskSecrets(std::string text);

} // namespace switchyard::archive
