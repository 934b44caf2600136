// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Recordings on disk: plain or gzip.
#include "models/core/error.h"

#include <QByteArray>
#include <QString>

namespace switchyard {

// The text of a file, unpacked when it is gzip (by its first bytes, whatever its name). At most 1 GiB.
// One whose end is missing is read up to its last whole line; cutShort is told.
Result<QByteArray> readRecordingFile(const QString &path, bool *cutShort = nullptr);

} // namespace switchyard
