// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words over the contexts model: texts, tooltips, accessible names, tones; values and order stay the model's own.
#include "models/items/contexts_model.h"
#include "views/style/colors.h"
#include "views/widgets/cell_roles.h"
#include "views/widgets/column_words.h"

namespace switchyard::views {

enum ContextCellRole { ContextColourRole = SecondaryRole + 1 }; // code of the colour mark

Tone toneOf(items::Standing standing);
QString words(items::Standing standing);
// "unauthorized", "stale since 14:02:11 CET": the state alone
QString standingText(const items::ContextRow &row, Now now);
QString namespacesText(const items::ContextRow &row); // "payments, ledger", "all"
QString skewText(const ClockSkew &skew);              // "+3.2 s ± 0.6 s" when certain, else "under 1.1 s"
QString skewSentence(const ClockSkew &skew); // "the API server's clock is 3.2 s ahead of this machine's (± 0.6 s)"; empty: not certain
QString contextsSentence(const items::ContextsModel &contexts); // first line of the page
Tone contextsTone(const items::ContextsModel &contexts);
QString problemText(const items::ContextRow &row); // error and next step, for the clipboard; empty: none

class ContextsWords : public ColumnWords
{
    Q_OBJECT
public:
    explicit ContextsWords(items::ContextsModel *contexts, QObject *parent = nullptr);
    QVariant data(const QModelIndex &index, int role) const override;

protected:
    ColumnHeader header(int column) const override;

private:
    QString display(const items::ContextRow &row, int column) const;
    QString toolTip(const items::ContextRow &row, int column) const;

    items::ContextsModel *m_contexts;
};

} // namespace switchyard::views
