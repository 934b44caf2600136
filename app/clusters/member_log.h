// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a member logged around a decision: Patroni says only there why it refused a request. Read through pods/log, where that is permitted.
#include "app/kube/client.h"
#include "models/events/decision_log.h"

namespace switchyard {

// The container that runs Patroni: the one with the REST API's port, else by the names that operators use, else the Pod's default one,
// else the first. Empty: the Pod cannot be read.
QString patroniContainer(const QByteArray &podJson, std::optional<int> apiPort);

struct MemberLines
{
    std::string member;
    std::vector<DecisionLine> lines;
    std::optional<Error> error; // why there are none
};
using LinesTold = std::function<void(const MemberLines &)>;

// Called once, unless `context` dies first.
void fetchDecisionLines(kube::Client *client, const std::string &ns, const patroni::MemberRecord &member, const LogWindow &window,
                        QObject *context, const LinesTold &told);

} // namespace switchyard
