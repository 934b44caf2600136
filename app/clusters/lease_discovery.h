// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where an API server has its Leases: coordination.k8s.io/v1, else v1beta1. The resource is what counts: newer servers offer other kinds
// under v1beta1 again.
#include "app/kube/client.h"

namespace switchyard {

enum class LeaseHome { V1, V1Beta1, None };

// Is the resource `leases` in this answer to GET /apis/GROUP/VERSION? nullopt: it is no such answer.
std::optional<bool> offersLeases(const QByteArray &resourceList);

// Called once, unless `context` dies first. Who may not ask is told V1: a list says the rest.
using LeasesFound = std::function<void(const Result<LeaseHome> &)>;
void findLeases(kube::Client *client, QObject *context, const LeasesFound &found);

} // namespace switchyard
