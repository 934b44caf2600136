// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Certificates and keys out of PEM text, and the TLS settings of a context.
#include "app/kube/kubeconfig.h"

#include <QSslConfiguration>
#include <QSslKey>

namespace switchyard::kube {

// Qt does not find a key's algorithm by itself: RSA, EC and DSA are tried in turn, as PKCS#1, PKCS#8 or SEC1.
QSslKey privateKey(const QByteArray &pem);

// What is wrong with PEM text; nullopt: nothing. Without place and field, which the caller adds; never quotes the text.
std::optional<Error> caDefect(const QByteArray &pem);
std::optional<Error> certificateDefect(const QByteArray &pem);
std::optional<Error> keyDefect(const QByteArray &pem);

// `certificatePem`, `keyPem`: the client's; empty: none.
QSslConfiguration tlsConfiguration(const ContextConfig &config, const QByteArray &certificatePem, const QByteArray &keyPem);

} // namespace switchyard::kube
