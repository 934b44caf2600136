// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Apart from the test: moc does not get through raw strings of several lines.
#include <string>

namespace texts {

extern const std::string endpoints, pod, event, list, watchEvent, metadataOnly, unnamedAmongNamed;

} // namespace texts
