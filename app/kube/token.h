// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What may be a bearer token, and where one may be sent.
#include <QByteArray>
#include <QUrl>

namespace switchyard::kube {

// Visible ASCII only: what may stand in a header.
bool isTokenText(const QByteArray &token);

// Encrypted, or on this machine. As kubectl, nothing secret goes over a plain connection.
bool mayCarryToken(const QUrl &server);

} // namespace switchyard::kube
