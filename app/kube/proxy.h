// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which proxy leads to an API server: the context's proxy-url, else what the environment says, by the rules of Go's programs
// (and so of kubectl). The system's own settings are not asked: that can mean to run a script, and to wait for it.
#include "models/core/error.h"

#include <QNetworkProxy>
#include <QProcessEnvironment>
#include <QString>

namespace switchyard::kube {

// proxy-url holds whatever the server is; HTTPS_PROXY and HTTP_PROXY (for an http server) spare NO_PROXY and loopback. Upper case
// before lower case. NotSupported for a proxy that is itself reached by TLS, BadInput for an address that is none; the message
// names where it stands, never what: it may hold a password.
Result<QNetworkProxy> proxyFor(const QString &server, const QString &proxyUrl, const QProcessEnvironment &environment);

// "http://proxy.example:3128", without user and password; empty: no proxy.
QString proxyName(const QNetworkProxy &proxy);

} // namespace switchyard::kube
