// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the models have in common that put words over raw values, column by column: their headers.
#include <QIdentityProxyModel>

namespace switchyard::views {

struct ColumnHeader
{
    QString title, help;
    bool right{};     // numbers stand right
    QString spoken{}; // for screen readers; empty: the title
};

class ColumnWords : public QIdentityProxyModel
{
    Q_OBJECT
public:
    using QIdentityProxyModel::QIdentityProxyModel;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    virtual ColumnHeader header(int column) const = 0;
};

} // namespace switchyard::views
