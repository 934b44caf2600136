// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/permissions/rights_table.h"

#include "views/widgets/cell_roles.h"
#include "views/words.h"
#include "views/words_permissions.h"

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::PermissionsModel;
using rules::Answer;

RightsPresenter::RightsPresenter(PermissionsModel *model, QObject *parent)
    : WordsPresenter(model, parent)
    , m_model(model)
{}

QString RightsPresenter::cell(const QModelIndex &source) const
{
    const rules::Right *right = m_model->rightAt(source.row());
    if (!right)
        return {};
    switch (static_cast<PermissionsModel::Column>(source.column())) {
    case PermissionsModel::What: return words(right->use);
    case PermissionsModel::Namespace:
        return right->use == rules::RightUse::ReadNodes ? tr("none", "Nodes are in no namespace")
            : right->ns.empty()                         ? tr("all")
                                                        : text(right->ns);
    case PermissionsModel::Object: return right->name.empty() ? tr("any") : text(right->name);
    case PermissionsModel::Answer: return words(m_model->answerAt(source.row())->kind);
    case PermissionsModel::Without: return withoutWords(source.data(items::CodeRole).toString(), *right);
    case PermissionsModel::Verb:
    case PermissionsModel::Resource:
    case PermissionsModel::ColumnCount: break;
    }
    return source.data(items::RawRole).toString();
}

QString RightsPresenter::toolTip(const QModelIndex &source) const
{
    const Answer *answer = m_model->answerAt(source.row());
    if (source.column() != PermissionsModel::Answer || !answer || answer->reason.empty())
        return cell(source);
    return cell(source) + u'\n' + text(answer->reason);
}

QVariant RightsPresenter::data(const QModelIndex &index, int role) const
{
    const QModelIndex source = mapToSource(index);
    const Answer *answer = m_model->answerAt(source.row());
    if (!answer)
        return {};
    const bool denied = answer->kind == Answer::Kind::Denied;
    switch (role) {
    case Qt::DisplayRole: return cell(source);
    case Qt::ToolTipRole: return toolTip(source);
    case Qt::AccessibleTextRole:
        return u"%1: %2"_s.arg(headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(), cell(source));
    case ToneRole: return index.column() == PermissionsModel::Answer ? QVariant(int(toneOf(answer->kind))) : QVariant();
    case SecondaryRole:
        return (index.column() == PermissionsModel::Without && !denied)
            || (index.column() == PermissionsModel::Object && source.data(items::RawRole).toString().isEmpty());
    default: return WordsPresenter::data(index, role);
    }
}

QVariant RightsPresenter::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<PermissionsModel::Column>(section)) {
    case PermissionsModel::What: return tr("What for");
    case PermissionsModel::Verb: return tr("Verb");
    case PermissionsModel::Resource: return tr("Resource");
    case PermissionsModel::Namespace: return tr("Namespace");
    case PermissionsModel::Object: return tr("Object");
    case PermissionsModel::Answer: return tr("Answer");
    case PermissionsModel::Without: return tr("Without it");
    case PermissionsModel::ColumnCount: break;
    }
    return {};
}

} // namespace switchyard::views
