// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Is a finished workbook whole? The library that makes it does not notice every write that failed.
#include <QByteArray>

#include <string>
#include <vector>

namespace switchyard::exports {

// rows: of each sheet, its heading among them. Empty: it is whole; else what is wrong.
std::string workbookProblem(const QByteArray &file, const std::vector<std::uint32_t> &rows);

} // namespace switchyard::exports
