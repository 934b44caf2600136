// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words for what the account may do.
#include "models/items/permissions_model.h"
#include "views/style/colors.h"

namespace switchyard::views {

QString words(rules::RightUse use);                                    // "Watch changes"
QString words(rules::Answer::Kind kind);                               // "allowed"
QString withoutWords(const QString &effectCode, const rules::Right &); // "no switchover: ..."
Tone toneOf(rules::Answer::Kind kind);

// "patch endpoints in namespace db"
QString rightText(const rules::Right &right);
// "patch endpoints in namespace db is not permitted for user dba"
QString notPermitted(const rules::Right &right, const QString &user);
// The account by the name that the API server knows, else by the kubeconfig's user entry, else empty.
QString accountName(const items::ContextRights &rights);

struct RightsSentence
{
    Tone tone = Tone::Unknown;
    QString text;
};
// "dba@lab may watch everything here; switchovers are not permitted: patch endpoints in namespace db is missing."
RightsSentence rightsSentence(const items::ContextRights &rights);

} // namespace switchyard::views
