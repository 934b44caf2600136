// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The rights that one context needs, with the API server's answers.
//
// CodeRole of a column:
//   What     list watch get get-named change-request first-request find-servers ... (rules::RightUse)
//   Answer   allowed denied unknown
//   Without  what the right's absence takes away: nothing-seen only-named only-polled not-confirmed no-switchover no-first-request
//            one-server ... (rules::Effect); "nothing" where it is denied and narrower rights decide
#include "models/items/merging_table_model.h"
#include "models/items/roles.h"
#include "models/rules/permissions.h"

#include <QString>

namespace switchyard::items {

// All that is known of what the account of one context may do.
struct ContextRights
{
    QString context;
    QString user; // the kubeconfig's user entry: a name for people, not the API server's
    rules::RightsScope scope;
    rules::Answers answers;
    rules::Account account;
    bool operator==(const ContextRights &) const = default;
};

class PermissionsModel : public MergingTableModel
{
    Q_OBJECT
public:
    enum Column { What, Verb, Resource, Namespace, Object, Answer, Without, ColumnCount };
    explicit PermissionsModel(QObject *parent = nullptr);
    void update(const ContextRights &rights);
    void clear();
    const rules::Right *rightAt(int row) const;
    const rules::Answer *answerAt(int row) const;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    struct Row
    {
        rules::Right right;
        rules::Answer answer;
        QString without;
        bool operator==(const Row &) const = default;
    };
    QString raw(const Row &row, int column) const;
    std::vector<Row> m_rows;
};

} // namespace switchyard::items
