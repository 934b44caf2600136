// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words over the permissions model.
#include "models/items/permissions_model.h"
#include "views/widgets/words_presenter.h"

namespace switchyard::views {

class RightsPresenter : public WordsPresenter
{
    Q_OBJECT
public:
    explicit RightsPresenter(items::PermissionsModel *model, QObject *parent = nullptr);
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(const QModelIndex &source) const;
    QString toolTip(const QModelIndex &source) const;

    items::PermissionsModel *m_model;
};

} // namespace switchyard::views
