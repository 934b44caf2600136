// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the command line wants contexts to be connected.
#include "app/clusters/connection.h"
#include "app/headless/options.h"
#include "app/kube/exec_pool.h"

namespace switchyard::headless {

// Without execPool, which is made once for all contexts of the program.
ConnectionOptions connectionOptions(const Options &options);

// Where allowed exec commands are remembered: of the user, shared by commands and window.
QString trustFile();
std::shared_ptr<kube::ExecTrust> execTrust(const Options &options);

} // namespace switchyard::headless
