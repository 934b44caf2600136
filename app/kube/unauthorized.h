// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// 401 in words: whose credential was not accepted, and what a person can do about it.
#include "app/kube/kubeconfig.h"

namespace switchyard::kube {

// `error` as the server gave it. Names the user entry, the file or the program; never what is in them.
Error notAccepted(Error error, const ContextConfig &config);

} // namespace switchyard::kube
