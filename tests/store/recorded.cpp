// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorded.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <zlib.h>

namespace switchyard::test {

using namespace patroni;

namespace {

// SWITCHYARD_RECORDINGS: other recordings than the project's own, e.g. what tests/lab/scenarios has just made
const char *const given = std::getenv("SWITCHYARD_RECORDINGS");
const std::string root = given ? std::string(given) : std::string(TEST_DATA_DIR) + "/recordings";

std::string text(const std::optional<std::string> &value)
{
    return value.value_or("-");
}

std::string time(const std::optional<Instant> &value)
{
    return value ? formatUtc(*value) : "-";
}

template<class T>
std::string number(const std::optional<T> &value)
{
    return value ? std::to_string(*value) : "-";
}

} // namespace

std::string readGzip(const std::string &path)
{
    gzFile file = gzopen(path.c_str(), "rb");
    if (!file)
        return {};
    std::string text;
    char buffer[65536];
    for (int n = 0; (n = gzread(file, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    gzclose(file);
    return text;
}

std::vector<std::string> recordingFolders()
{
    std::vector<std::string> folders;
    std::error_code error;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(root, error)) {
        if (entry.path().filename() == "stream.ndjson.gz")
            folders.push_back(entry.path().parent_path().lexically_relative(root).string());
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

std::string recordingPath(const std::string &folder, const std::string &file)
{
    return root + '/' + folder + '/' + file;
}

std::vector<Observations> streamsOf(const Observations &all)
{
    std::map<Resource, Observations> streams;
    for (const Observation &o : all)
        streams[o.resource].push_back(o);
    std::vector<Observations> result;
    for (auto &[resource, lines] : streams)
        result.push_back(std::move(lines));
    return result;
}

Observations interleaved(const Observations &all, unsigned seed)
{
    const auto streams = streamsOf(all);
    std::vector<std::size_t> at(streams.size(), 0);
    std::mt19937 random(seed);
    Observations result;
    while (result.size() < all.size()) {
        const std::size_t s = random() % streams.size();
        // runs of several lines, so that streams get far ahead of each other
        for (unsigned n = 1 + random() % 40; n > 0 && at[s] < streams[s].size(); --n)
            result.push_back(streams[s][at[s]++]);
    }
    return result;
}

Observations wholeStreams(const Observations &all, unsigned permutation)
{
    auto streams = streamsOf(all);
    std::vector<std::size_t> order(streams.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    for (unsigned i = 0; i < permutation; ++i)
        std::next_permutation(order.begin(), order.end());
    Observations result;
    for (const std::size_t s : order)
        result.insert(result.end(), streams[s].begin(), streams[s].end());
    return result;
}

Observations jittered(const Observations &all, unsigned seed)
{
    std::mt19937 random(seed);
    Observations result;
    for (Observations &stream : [&] { return streamsOf(all); }()) {
        const Duration shift(static_cast<std::int64_t>(random() % 8'000'000));
        for (Observation &o : stream) {
            o.seen += shift;
            result.push_back(std::move(o));
        }
    }
    std::stable_sort(result.begin(), result.end(), [](const Observation &a, const Observation &b) { return a.seen < b.seen; });
    return result;
}

ClusterStore played(const Observations &observations)
{
    ClusterStore store;
    replay(store, observations, std::nullopt, {});
    return store;
}

std::vector<std::string> requestFacts(const Cluster &cluster)
{
    std::vector<std::string> facts;
    for (const RequestReport &r : cluster.requests) {
        facts.push_back(r.id + ' ' + std::string(code(r.kind)) + ' ' + text(r.request.leader) + '>' + text(r.request.member) + '@'
                        + text(r.request.scheduledAtRaw) + ' ' + std::string(code(r.outcome)) + ' '
                        + (r.reason ? std::string(code(*r.reason)) : "-") + (r.certain ? " certain " : " uncertain ") + text(r.leaderBefore)
                        + '>' + text(r.newLeader) + " tl " + number(r.timelineBefore) + '>' + number(r.newTimeline) + " streaming "
                        + std::to_string(r.streaming) + '/' + std::to_string(r.replicas) + " at " + time(r.seenWall) + ' '
                        + time(r.releasedWall) + ' ' + time(r.decidedWall));
    }
    return facts;
}

// What Pods and Events told before their cluster was known is not told again.
bool isOfPods(EvidenceCode code)
{
    static const std::set<EvidenceCode> codes{EvidenceCode::PodNotReady,         EvidenceCode::PodFailed,
                                              EvidenceCode::ContainerTerminated, EvidenceCode::ContainerRestarted,
                                              EvidenceCode::ClusterEvent,        EvidenceCode::ManyLate};
    return codes.contains(code);
}

std::string evidenceText(const Transition &transition)
{
    std::string all;
    for (const Evidence &e : transition.evidence)
        all += isOfPods(e.code)
            ? ""
            : (all.empty() ? "" : ",") + std::string(code(e.code)) + ':' + e.subject + '=' + e.detail + '@' + time(e.at);
    return all;
}

std::string sourcesText(const Transition &t)
{
    std::string all;
    for (const Source source : {t.fromSource, t.toSource, t.timelineSource, t.lsnSource, t.lostSource, t.gainedSource, t.kindSource})
        all += (all.empty() ? "" : " ") + std::string(source == Source::None ? "-" : code(source));
    return all;
}

std::vector<std::string> transitionFacts(const Cluster &cluster)
{
    const auto duration = [](const std::optional<Duration> &d) { return d ? std::to_string(d->count()) : "-"; };
    std::vector<std::string> facts;
    for (const Transition &t : cluster.transitions) {
        std::string behind;
        for (const std::string &name : t.leftBehind)
            behind += ' ' + name;
        facts.push_back(t.id + ' ' + std::string(code(t.kind)) + ' ' + text(t.from) + '>' + text(t.to) + " tl " + number(t.timelineBefore)
                        + '>' + number(t.timeline) + " lsn " + number(t.lsn) + " gap " + duration(t.gap) + '~' + duration(t.gapUncertainty)
                        + (t.fromHistory ? " history" : "") + (t.fromLive ? " live" : "") + (t.fromArchive ? " kept" : "") + " gained "
                        + time(t.gainedAt) + " writable " + time(t.writableAt) + " streaming " + time(t.streamingAt) + " behind" + behind
                        + " request " + t.request + (t.erased ? " erased " + text(t.erased->scheduledAtRaw) : "") + " sources "
                        + sourcesText(t) + " evidence " + evidenceText(t));
    }
    return facts;
}

std::multiset<std::string> eventFacts(const ClusterStore &store)
{
    std::multiset<std::string> facts;
    // Connections are of all streams together; what is thought of a schedule, of labels and addresses, of a member's silence and of
    // many locks at once follows from what is known of several objects at one time. Blind spots are a stream's own.
    static const std::set<EventCode> ours{EventCode::ConnectionLost,   EventCode::ConnectionRestored, EventCode::ScheduleImpossible,
                                          EventCode::SchedulePossible, EventCode::LeaderDisagreement, EventCode::LeaderAgreement,
                                          EventCode::StatusSilent,     EventCode::StatusResumed,      EventCode::ManyLate};
    for (const Event &e : store.events()) {
        if (!ours.contains(e.type))
            facts.insert(e.id + ' ' + e.cluster.text() + ' ' + std::string(code(e.type)) + ' ' + e.object + '@' + e.resourceVersion + ' '
                         + detailText(e));
    }
    return facts;
}

} // namespace switchyard::test
