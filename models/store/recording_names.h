// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Other names for everything that has a name, the same one each time: what belongs together still does, and nobody knows whose it is.
#include <map>
#include <string>
#include <string_view>

namespace switchyard::recording {

class Names
{
public:
    // Off: everything keeps its name.
    explicit Names(bool replace)
        : m_replace(replace)
    {}
    bool replacing() const { return m_replace; }

    // Of an object, a member, a scope or a namespace. Patroni's endings (-config ...) and numbers (-0) stay.
    std::string name(std::string_view text);
    std::string slot(std::string_view text);       // acme_0, made of a member's name
    std::string identity(std::string_view text);   // of a candidate: HOST_PROCESS, mostly of a Pod
    std::string memberList(std::string_view text); // acme-0,acme-2
    std::string address(std::string_view ip);      // an IP address
    std::string host(std::string_view text);       // an IP address or a DNS name
    std::string url(std::string_view text);        // its host, and a database's name
    std::string label(std::string_view value);     // but words that say what something is
    std::string word(std::string_view value);      // of a text that may be a name: numbers and settings stay

private:
    std::string plain(std::string_view text);

    bool m_replace;
    std::map<std::string, std::string, std::less<>> m_names, m_addresses;
};

} // namespace switchyard::recording
