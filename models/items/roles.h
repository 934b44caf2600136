// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Roles that every item model of the project offers beside Qt's own. Item models expose raw values; words are made in views/.
#include <Qt>

namespace switchyard::items {

enum Role {
    RawRole = Qt::UserRole + 1, // the column's own value: std type in a QVariant, or an invalid QVariant when unknown
    SortRole,                   // sortable raw value; unknown sorts last
    FilterRole,                 // lower-case text of the whole row for the filter box
    CodeRole,                   // stable code word of the cell (health, lock state, role ...), QString
    StaleRole,                  // bool: the row's data is stale, with AsOfRole
    AsOfRole,                   // qint64: boot-time microseconds of the last contact, invalid when unknown
    KeyRole,                    // switchyard::patroni::ClusterKey in a QVariant, on every column
    ChangedAtRole,              // qint64: boot-time microseconds of the last change of this cell, for the change glow
    RecordRole,                 // switchyard::RecordKey in a QVariant, on every column: which record the row is of; not of all models
};

} // namespace switchyard::items
