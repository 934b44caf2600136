// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words for the last look before a write. Pure, beside the flow that shows them.
#include "app/desktop/write_job.h"
#include "models/rules/preflight.h"
#include "models/store/cluster_store.h"
#include "views/dialogs/confirm_write_dialog.h"

namespace switchyard::desktop {

struct ConfirmView
{
    const ClusterStore &store;
    const rules::LiveAnswers &answers;
    Now now;
};
// Of one job, or of several clusters at once.
views::ConfirmFacts confirmFacts(const std::vector<WriteJob> &jobs, const ConfirmView &view);

// What a connection with this configuration writes as.
actions::Sender senderOf(const kube::ContextConfig &config);

// The same by hand.
QList<views::Command> commandsOf(const std::vector<WriteJob> &jobs, const ClusterStore &store);

} // namespace switchyard::desktop
