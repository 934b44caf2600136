// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The bearer token of a user: given in the kubeconfig, or in a file that is read again for each request.
#include "app/kube/kubeconfig.h"

#include <QUrl>

namespace switchyard::kube {

// Visible ASCII only: what may stand in a header.
bool isTokenText(const QByteArray &token);

// Encrypted, or on this machine. As kubectl, nothing secret goes over a plain connection.
bool mayCarryToken(const QUrl &server);

class TokenSource
{
public:
    explicit TokenSource(const ContextConfig &config);

    // Empty: none needed. A token file that cannot be read at the moment (it is being replaced) gives the last good token,
    // and an error if there never was one.
    Result<QByteArray> token();

private:
    QString m_file;
    QByteArray m_last;
    bool m_allowed;
};

} // namespace switchyard::kube
