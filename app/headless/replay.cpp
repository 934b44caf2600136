// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/recording_file.h"
#include "app/headless/follower.h"
#include "app/headless/run.h"
#include "models/store/recording.h"

#include <QFileInfo>

#include <algorithm>

namespace switchyard::headless {

namespace {

Error badMoment(const QString &path, const std::string &message)
{
    Error error{ErrorKind::BadInput};
    error.where = path.toStdString();
    error.field = "--at";
    error.message = message;
    return error;
}

// The boot time of a moment on the recording's wall clock: counted from the last line before it.
Result<Boot> momentOf(const std::vector<Observation> &observations, Instant wall, const QString &path)
{
    const auto first = std::min_element(observations.begin(), observations.end(), [](auto &a, auto &b) { return a.wall < b.wall; });
    if (wall < first->wall)
        return tl::unexpected(badMoment(path, "the recording starts at " + formatUtc(first->wall)));
    if (wall > observations.back().wall)
        return tl::unexpected(badMoment(path, "the recording ends at " + formatUtc(observations.back().wall)));
    const auto before = std::find_if(observations.rbegin(), observations.rend(), [&](const Observation &o) { return o.wall <= wall; });
    return before->seen + (wall - before->wall);
}

std::vector<std::string> defectsOf(const QString &path, bool cutShort, const BadLines &bad, const std::vector<Observation> &observations)
{
    std::vector<std::string> defects;
    const std::string file = path.toStdString();
    if (cutShort && !observations.empty())
        defects.push_back(file + ": cut short after " + formatUtc(observations.back().wall) + ", what came later is missing");
    if (bad.count == 1)
        defects.push_back(file + ": line " + std::to_string(bad.first) + " cannot be read");
    else if (bad.count > 1)
        defects.push_back(file + ": " + std::to_string(bad.count) + " lines cannot be read, the first is line "
                          + std::to_string(bad.first));
    return defects;
}

int followReplay(const Options &options, const LoadedRecording &recording, const Sinks &sinks)
{
    ClusterStore store;
    election::ElectionStore elections;
    Follower follower(options, sinks);
    bool open = true;
    const auto tellElections = [&](const election::Changes &changes) {
        std::vector<const election::Election *> changed;
        for (const election::Key &key : changes.elections) {
            if (const election::Election *e = elections.find(key))
                changed.push_back(e);
        }
        if (!changes.empty())
            open = open && follower.update({{}, changes.events, store.now(), changed});
    };
    replay(
        store, recording.observations, recording.until,
        [&](const StoreChanges &changes) {
            std::vector<const patroni::Cluster *> clusters;
            for (const patroni::ClusterKey &key : changes.clusters) {
                if (const patroni::Cluster *cluster = store.find(key))
                    clusters.push_back(cluster);
            }
            open = open && follower.update({clusters, changes.events, store.now()});
        },
        [&](const Observation &o) { tellElections(elections.apply(o)); });
    tellElections(elections.advance(store.now()));
    return recording.defects.empty() ? Answered : PartUnreadable;
}

} // namespace

Result<LoadedRecording> loadRecording(const QString &path, const std::optional<TimeSpec> &at)
{
    bool cutShort = false;
    BadLines bad;
    const auto bytes = readRecordingFile(path, &cutShort);
    if (!bytes)
        return tl::unexpected(bytes.error());
    const std::string_view text(bytes->constData(), static_cast<std::size_t>(bytes->size()));
    auto observations = decodeRecording(text, "replay", path.toStdString(), &bad);
    if (!observations)
        return tl::unexpected(observations.error());
    LoadedRecording recording{std::move(*observations), {}, {}};
    recording.defects = defectsOf(path, cutShort, bad, recording.observations);
    if (at && !recording.observations.empty()) {
        const auto until = momentOf(recording.observations, at->resolve(recording.observations.back().wall), path);
        if (!until)
            return tl::unexpected(until.error());
        recording.until = *until;
    }
    return recording;
}

int runReplay(const Options &options, const Sinks &sinks)
{
    const auto recording = loadRecording(*options.replay, options.at);
    if (!recording) {
        sinks.err(describe(recording.error()));
        return CouldNot;
    }
    for (const std::string &defect : recording->defects)
        sinks.err(defect);
    if (options.follow)
        return followReplay(options, *recording, sinks);
    ClusterStore store;
    election::ElectionStore elections;
    replay(store, recording->observations, recording->until, {}, [&](const Observation &o) { elections.apply(o); });
    elections.advance(store.now());
    const std::vector<Event> events = mergedEvents(store.events(), elections.events());
    const int exitCode = answer(options, {store.clusters(), events, store.now(), elections.elections()}, sinks).exitCode;
    return exitCode == Answered && !recording->defects.empty() ? PartUnreadable : exitCode;
}

} // namespace switchyard::headless
