// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/connection_options.h"

#include <QStandardPaths>

namespace switchyard::headless {

using namespace Qt::StringLiterals;

ConnectionOptions connectionOptions(const Options &options)
{
    ConnectionOptions out(namespacesToWatch(options));
    out.apiServers = options.apiServers;
    out.bypassApiService = options.bypassApiService;
    out.poll = options.poll;
    out.requestTimeout = options.requestTimeout;
    // Beside the clusters of other commands they would only cost.
    const bool watches = options.follow || options.wait;
    const bool tells = options.command == Command::Events || options.command == Command::Transitions;
    out.elections = !options.command || options.command == Command::Elections || (tells && watches) || options.record;
    for (const ClusterSelector &cluster : options.clusters) {
        NamedCluster named{.ns = QString::fromStdString(cluster.ns), .scope = QString::fromStdString(cluster.scope), .group = std::nullopt};
        if (cluster.group)
            named.group = QString::number(*cluster.group);
        out.named.push_back(named);
    }
    return out;
}

QString trustFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + u"/trusted-commands"_s;
}

std::shared_ptr<kube::ExecTrust> execTrust(const Options &options)
{
    return std::make_shared<kube::ExecTrust>(trustFile(), options.trustExec);
}

} // namespace switchyard::headless
