// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/proxy_status.h"

#include <algorithm>
#include <array>

namespace switchyard {

ProxyTrouble proxyTrouble(std::string_view message)
{
    static constexpr std::string_view mark = "error trying to reach service";
    static constexpr std::array tls{std::string_view("tls: "), std::string_view("x509: "),
                                    std::string_view("server gave HTTP response to HTTPS client"),
                                    std::string_view("malformed HTTP response \"\\x15\\x03")};
    static constexpr std::array dialling{std::string_view("dial "), std::string_view("no such host"), std::string_view("proxyconnect ")};
    const auto says = [&](std::string_view words) { return message.find(words) != std::string_view::npos; };
    if (!says(mark))
        return ProxyTrouble::None;
    if (std::any_of(tls.begin(), tls.end(), says))
        return ProxyTrouble::Tls;
    if (std::any_of(dialling.begin(), dialling.end(), says))
        return ProxyTrouble::NoRoute;
    return ProxyTrouble::LostAnswer;
}

} // namespace switchyard
