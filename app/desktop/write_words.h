// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words for the last look before a write and for what came of it. Pure, beside the flow that shows them.
#include "app/actions/writer.h"
#include "views/dialogs/confirm_write_dialog.h"

namespace switchyard::desktop {

views::ConfirmFacts confirmFacts(const patroni::Cluster &cluster, const actions::PlannedWrite &planned,
                                 const std::optional<rules::ActionWish> &wish, const QString &path, Now now);

// What a connection with this configuration writes as.
actions::Sender senderOf(const kube::ContextConfig &config);

struct Message
{
    QString title, text, detail;
};
Message resultMessage(const actions::WriteResult &result);

} // namespace switchyard::desktop
