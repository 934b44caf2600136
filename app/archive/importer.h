// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/archive/database.h"

namespace switchyard::archive {

// All rows of another archive, merged into this one by their keys. The number of rows that were read. Its tables are read page by page
// and written in transactions of their own: stopped half-way, it can be done again.
Result<std::int64_t> importInto(Database &database, const QString &from);

} // namespace switchyard::archive
