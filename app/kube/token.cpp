// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/token.h"

#include <QHostAddress>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

bool isTokenText(const QByteArray &token)
{
    return std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

bool mayCarryToken(const QUrl &server)
{
    return server.scheme() == u"https"_s || server.host() == u"localhost"_s || QHostAddress(server.host()).isLoopback();
}

} // namespace switchyard::kube
