// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the API server says when it did not get an answer of a Pod that it was to pass a request on to.
// Words: kube-apiserver's proxy, "error trying to reach service: " and the error of Go's HTTP client.
#include <string_view>

namespace switchyard {

enum class ProxyTrouble {
    None,       // not of this kind
    NoRoute,    // no connection came about: refused, no route, timed out while dialling
    Tls,        // the Pod's TLS was refused, or one of the two speaks no TLS
    LostAnswer, // there was a connection, and it broke: the Pod may have got the request
};
ProxyTrouble proxyTrouble(std::string_view message);

} // namespace switchyard
