// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A file that is either the old one or the whole new one.
#include "models/core/error.h"

#include <QString>

#include <string_view>

namespace switchyard::headless {

// Temporary file beside it, fsync, rename, fsync of the folder. A failure leaves an existing file as it was and no temporary file.
Result<void> writeFileAtomically(const QString &path, std::string_view bytes);

} // namespace switchyard::headless
