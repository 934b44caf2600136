// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words over the audit model.
#include "models/items/audit_model.h"
#include "views/style/colors.h"
#include "views/widgets/column_words.h"

namespace switchyard::views {

QString auditActionText(const QString &code);
QString auditResultText(const QString &code);  // of an empty one: no answer was noted
QString auditOutcomeText(const QString &code); // of an empty one: not known
Tone auditTone(const items::AuditRow &row);
QString auditDetails(const items::AuditRow &row); // everything, for the pane and for copying

class AuditWords : public ColumnWords
{
    Q_OBJECT
public:
    explicit AuditWords(items::AuditModel *audit, QObject *parent = nullptr);
    QVariant data(const QModelIndex &index, int role) const override;

protected:
    ColumnHeader header(int column) const override;

private:
    QString display(const items::AuditRow &row, int column) const;
    QString toolTip(const items::AuditRow &row, int column) const;

    items::AuditModel *m_audit;
};

} // namespace switchyard::views
