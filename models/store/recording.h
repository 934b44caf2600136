// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Recordings: one JSON object a line, as tests/lab/record writes them ("t", "wall", "resource" and one of list, event, get, error).
// Optional: with a list "coverage" ({"label": KEY} or {"names": [NAME, ...]}: what it is a list of) and "every" (seconds until the next
// one, where there is no watch); with any of them "aside": true (seen by a request beside the stream).
// Those that this program writes (RecordingWriter) also have "context", "ns" (the watched namespace) and "selector", and "lost",
// "undecodable", "resumed" and "contact".
#include "models/core/observation.h"
#include "models/store/cluster_store.h"

#include <functional>

namespace switchyard {

// One line -> observation. `line` counts from 1 and is named in errors; file is only for messages.
Result<Observation> decodeRecordingLine(std::string_view text, const std::string &context, const std::string &file, int line);

// The lines of a text that are none of a recording.
struct BadLines
{
    std::size_t count = 0;
    int first = 0; // counts from 1; 0: there is none
};

// Whole text -> observations, ordered by time (stable). Bad lines become Undecodable observations; an empty or hopeless text an error.
// bad: is told of them, too.
Result<std::vector<Observation>> decodeRecording(std::string_view text, const std::string &context, const std::string &file,
                                                 BadLines *bad = nullptr);

// Feeds a store as live watching would, up to `until` (nullopt: the last line's time). Time passes for a cluster with its own
// stream's observations, and at the end for all: so the mix of the streams does not matter. onChanges may be empty.
// onEach: after each observation, for another reducer that is fed the same.
void replay(ClusterStore &store, const std::vector<Observation> &observations, std::optional<Boot> until,
            const std::function<void(const StoreChanges &)> &onChanges, const std::function<void(const Observation &)> &onEach = {});

} // namespace switchyard
