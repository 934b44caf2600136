// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/column_words.h"

namespace switchyard::views {

QVariant ColumnWords::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return QIdentityProxyModel::headerData(section, orientation, role);
    const ColumnHeader shown = header(section);
    switch (role) {
    case Qt::DisplayRole: return shown.title;
    case Qt::AccessibleTextRole: return shown.spoken.isEmpty() ? shown.title : shown.spoken;
    case Qt::ToolTipRole: return shown.help;
    case Qt::TextAlignmentRole: return int((shown.right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

} // namespace switchyard::views
