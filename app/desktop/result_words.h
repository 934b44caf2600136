// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words for what came of a write. Never "failed" for what may still come.
#include "app/actions/writer.h"
#include "views/dialogs/results_dialog.h"

namespace switchyard::desktop {

struct Message
{
    QString title, text, detail;
};
Message resultMessage(const actions::WriteResult &result);

// One of several: "payments/acme: written". nullptr: it was not sent.
views::ResultLine resultLine(const actions::PlannedWrite &planned, const actions::WriteResult *result);
QString writeName(const actions::PlannedWrite &planned); // "payments/acme", "acme-0 of payments/acme"

} // namespace switchyard::desktop
