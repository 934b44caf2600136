// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What reading and applying costs, against a bare parse of the same bytes:
//   switchyard-bench-core ENDPOINTS.json PODS.json EVENTS.ndjson      two lists and a watch of the Endpoints, as the server sent them
// Both ways run in turns; the smallest of the rounds counts, in CPU time. Prints JSON.
#include "models/store/cluster_store.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

using namespace switchyard;

namespace {

constexpr int rounds = 5;

std::string contentOf(const char *path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> linesOf(const std::string &text)
{
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        if (end > begin)
            lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

template<class F>
void timed(double &best, F work)
{
    const auto cpu = [] {
        timespec t{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
    };
    const double begin = cpu();
    work();
    best = std::min(best, cpu() - begin);
}

Observation seen(std::int64_t microseconds, Resource resource)
{
    Observation o;
    o.context = "bench";
    o.resource = resource;
    o.seen = Boot(Duration(microseconds));
    o.wall = Instant(Duration(1'700'000'000'000'000 + microseconds));
    return o;
}

ObjectList listOf(Resource resource, const std::string &text)
{
    auto list = decodeList(resource, text);
    if (!list || !list->undecodable.empty()) {
        std::fprintf(stderr, "a list could not be read\n");
        std::exit(1);
    }
    return std::move(*list);
}

void applyList(ClusterStore &store, Resource resource, ObjectList list)
{
    Observation o = seen(1'000'000, resource);
    o.what = Listed{list.resourceVersion, std::move(list.items)};
    store.apply(o);
}

struct Sum
{
    double parse = std::numeric_limits<double>::max(), decode = parse, whole = parse;
};

} // namespace

int main(int argc, char **argv)
{
    if (argc != 4) {
        std::fprintf(stderr, "usage: switchyard-bench-core ENDPOINTS.json PODS.json EVENTS.ndjson\n");
        return 2;
    }
    const std::string endpoints = contentOf(argv[1]), pods = contentOf(argv[2]);
    // The first renewal after a list decides what a lock is: rare, and more work than all that follow.
    std::vector<std::string> firsts, events;
    std::set<std::string> names;
    for (std::string &line : linesOf(contentOf(argv[3]))) {
        const auto event = decodeWatchEvent(Resource::Endpoints, line);
        if (event)
            (names.insert(event->object.name).second ? firsts : events).push_back(std::move(line));
    }
    Sum lists, changes;
    std::size_t clusters = 0;
    for (int round = 0; round < rounds; ++round) {
        timed(lists.parse, [&] {
            for (const std::string *text : {&endpoints, &pods}) {
                const auto tree = nlohmann::json::parse(*text);
                clusters += tree.size();
            }
        });
        timed(lists.decode, [&] {
            clusters += listOf(Resource::Endpoints, endpoints).items.size();
            clusters += listOf(Resource::Pods, pods).items.size();
        });
        auto store = std::make_unique<ClusterStore>();
        timed(lists.whole, [&] {
            applyList(*store, Resource::Endpoints, listOf(Resource::Endpoints, endpoints));
            applyList(*store, Resource::Pods, listOf(Resource::Pods, pods));
        });
        timed(changes.parse, [&] {
            for (const std::string &line : events)
                clusters += nlohmann::json::parse(line).size();
        });
        timed(changes.decode, [&] {
            for (const std::string &line : events)
                clusters += decodeWatchEvent(Resource::Endpoints, line)->object.annotations.size();
        });
        std::int64_t at = 1'000'000;
        const auto applyAll = [&](const std::vector<std::string> &lines) {
            for (const std::string &line : lines) {
                auto event = decodeWatchEvent(Resource::Endpoints, line);
                if (!event)
                    continue;
                Observation o = seen(at += 10'000, Resource::Endpoints);
                o.what = Changed{event->type, std::move(event->object)};
                clusters += store->apply(o).clusters.size();
            }
        };
        applyAll(firsts);
        timed(changes.whole, [&] { applyAll(events); });
        clusters = store->clusters().size();
    }
    const double n = std::max<double>(1, static_cast<double>(events.size()));
    std::printf(
        "{\"clusters\": %zu, \"events\": %zu, \"list_bytes\": %zu, \"list_parse_ms\": %.1f, \"list_decode_ms\": %.1f, \"list_ms\": %.1f, "
        "\"event_parse_us\": %.2f, \"event_decode_us\": %.2f, \"event_us\": %.2f}\n",
        clusters, events.size(), endpoints.size() + pods.size(), lists.parse, lists.decode, lists.whole, 1000 * changes.parse / n,
        1000 * changes.decode / n, 1000 * changes.whole / n);
    return 0;
}
