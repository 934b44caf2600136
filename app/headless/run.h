// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Commands without a window: on live clusters, on the demo, on a recording.
#include "app/clusters/monitor.h"
#include "app/headless/report.h"

namespace switchyard::headless {

// Runs options.command to its end on standard output and standard error. Needs a QCoreApplication. Returns the exit code.
int runHeadless(const Options &options);

// A recording never needs an event loop.
int runReplay(const Options &options, const Sinks &sinks);

// What an archive holds, read page by page.
int runArchive(const Options &options, const Sinks &sinks);

// Another archive's rows into an archive: no cluster takes part.
int runImport(const Options &options, const Sinks &sinks);

// A recording as observations, and where to stop for --at (nullopt: its end).
struct LoadedRecording
{
    std::vector<Observation> observations;
    std::optional<Boot> until;
    std::vector<std::string> defects; // what of the file is missing or cannot be read, a sentence each
};
Result<LoadedRecording> loadRecording(const QString &path, const std::optional<TimeSpec> &at);

} // namespace switchyard::headless
