// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One way to put rows into a file that is being made.
#include "app/export/atomic_file.h"
#include "app/export/export_rows.h"

#include <memory>

namespace switchyard::exports {

class RowWriter
{
public:
    RowWriter() = default;
    virtual ~RowWriter() = default;
    Q_DISABLE_COPY_MOVE(RowWriter)

    virtual Result<void> begin() = 0;
    virtual Result<void> add(const tables::Row &row) = 0;
    virtual Result<void> flush() { return {}; } // after a batch: what went wrong meanwhile
    virtual Result<void> finish(Summary &summary) = 0;
};

// Order and file outlive the writer.
std::unique_ptr<RowWriter> makeTextWriter(const Order &order, AtomicFile &file);
std::unique_ptr<RowWriter> makeWorkbookWriter(const Order &order, AtomicFile &file);

} // namespace switchyard::exports
