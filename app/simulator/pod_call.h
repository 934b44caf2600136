// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A request to a Pod's own HTTP server, and what comes back through the API server.
#include <functional>
#include <string>

namespace switchyard::simulator {

struct PodCall
{
    bool tls = false;
    int port = 0;
    std::string method, path, body;
};

struct PodReply
{
    int code = 200;
    std::string body, type = "text/html"; // Patroni labels its plain words so
    std::string trouble{};                // instead of an answer: what the API server says, "dial tcp ...: connect: connection refused"
};
// Called once, perhaps much later; never, when the Pod stays silent.
using PodDone = std::function<void(const PodReply &)>;

} // namespace switchyard::simulator
