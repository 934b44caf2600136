// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Paints every cell of our tables: shape, bar, emphasized words; stale rows dimmed but readable; a quiet selection.
#include "views/widgets/cell_roles.h"

#include <QStyledItemDelegate>

namespace switchyard::views {

class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

// Names are told apart by their ends ("arn:aws:eks:...:cluster/payments-1"): where they do not fit, their middle goes.
class NameDelegate : public CellDelegate
{
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace switchyard::views
