// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the time limit of one request is spent: over API servers and tries, as Patroni's own client does it. Pure rules.
#include <chrono>
#include <optional>

namespace switchyard::kube {

// No try gets less time than this, unless the whole request does.
constexpr std::chrono::milliseconds shortestTry{1000};

struct TryPlan
{
    int servers = 1;        // so many of the known ones are asked, the good one first
    int triesPerServer = 1; // 2 only where there is no other server
    std::chrono::milliseconds perTry{};
    int tries() const { return servers * triesPerServer; }
    bool operator==(const TryPlan &) const = default;
};
// A write is tried once on each server: see afterTry().
TryPlan planTries(std::chrono::milliseconds limit, int servers, bool write);

// What one try came to.
struct Tried
{
    int status = 0;                  // 0: no answer
    bool complete = true;            // of an answer: the whole body came
    bool final = false;              // neither time nor another server helps: 410 in any form, a certificate that is not trusted
    bool refused = false;            // no connection came about at all
    std::optional<int> retryAfter{}; // seconds, as the server asked
    bool write = false;
    bool taken = false; // of a write: the connection took at least a byte of it
};

struct Step
{
    enum class Kind {
        Answer, // this is what the caller gets
        Next,   // the next try of the plan, at once
        Wait,   // the server is too busy: after `wait`
    };
    Kind kind = Kind::Answer;
    std::chrono::milliseconds wait{};
    bool operator==(const Step &) const = default;
};

struct Spent
{
    int tries = 1;                    // begun so far, of the plan
    int waits = 0;                    // times that a busy server was waited for
    std::chrono::milliseconds left{}; // of the limit
};

// Reads: the next try when no answer came; 429, 500, 503 and 504 are asked again while a try still fits into the limit, no sooner
// than Retry-After. Writes: never after any answer, and after none only if the connection took not one byte of it.
Step afterTry(const TryPlan &plan, const Tried &tried, const Spent &spent);

} // namespace switchyard::kube
