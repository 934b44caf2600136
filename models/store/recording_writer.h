// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Observations as the lines of a recording, by a list of what may stand in it, never more:
//
//   metadata     name, namespace, uid, resourceVersion, labels, ownerReferences, deletion and creation time
//   annotations  Patroni's own and client-go's leader record; of `config` and `status` without passwords, conninfo and commands
//   Endpoints    addresses                   Pods    phase, node, IP, conditions, states of containers
//   Leases       the fields of spec          Nodes   whether they are ready
//   Events       reason, type, count, times, source and object; never the message, which may quote whatever a probe printed
//
// decodeRecordingLine reads them back to the same observations but for what is left out.
#include "models/core/observation.h"

#include <memory>

namespace switchyard {

struct RecordingOptions
{
    bool replaceNames = false; // of objects, members, namespaces, contexts, hosts and addresses: always the same for the same
};

class RecordingWriter
{
public:
    explicit RecordingWriter(RecordingOptions options = {});
    ~RecordingWriter();
    // One line without its end. Times count from the first observation.
    std::string line(const Observation &observation);

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard
