// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One context of the store: its streams, its objects by namespace, and whether its API server answers at all.
#include "models/store/context_table.h"
#include "models/store/pod_events.h"
#include "models/store/stream.h"

namespace switchyard {

struct StoreContext
{
    explicit StoreContext(std::string contextName)
        : name(std::move(contextName))
    {}

    std::string name;
    std::vector<std::unique_ptr<Stream>> streams;
    std::map<std::string, ContextTable> tables; // by namespace
    PodEvents podEvents;
    std::optional<Error> probeError; // a confirming GET was not answered, nothing was heard since
    bool down = false;               // connection-lost was said

    Stream &stream(Resource resource, const std::string &ns);
    Stream *covering(Resource resource, const std::string &ns) const;
    ContextState state() const;
    patroni::ViewState viewOf(const ClusterTrack &track) const;
    // False: only named objects are read, and none that tells of this cluster.
    static bool isInSight(const Stream &stream, const ClusterTrack &track);
    // Does the stream tell of the cluster's leader object?
    bool tellsOfLock(const Stream &stream, const patroni::ClusterNames &names) const;
    std::optional<Boot> lastContact() const;
};

} // namespace switchyard
