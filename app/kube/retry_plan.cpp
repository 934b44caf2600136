// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/retry_plan.h"

#include <algorithm>

namespace switchyard::kube {

using std::chrono::milliseconds;

namespace {

constexpr int mostWaits = 3; // a server that stays busy is the caller's to know, and to back off from
constexpr milliseconds firstWait{100};
constexpr milliseconds lateness{100}; // of timers: the last try of a plan does not fall out for it

bool mayPass(int status)
{
    return status == 429 || status == 500 || status == 503 || status == 504;
}

Step afterSilence(const TryPlan &plan, const Tried &tried, const Spent &spent)
{
    const bool sameServer = spent.tries % plan.triesPerServer != 0;
    const bool useless = sameServer && (tried.refused || tried.final);
    if (spent.tries >= plan.tries() || spent.left + lateness < shortestTry || useless)
        return {};
    return {Step::Kind::Next, {}};
}

Step afterBusy(const Tried &tried, const Spent &spent)
{
    const milliseconds own = firstWait * (1 << std::min(spent.waits, mostWaits));
    const milliseconds wait = std::max(own, milliseconds(std::chrono::seconds(std::max(0, tried.retryAfter.value_or(0)))));
    if (spent.waits >= mostWaits || wait + shortestTry > spent.left)
        return {};
    return {Step::Kind::Wait, wait};
}

} // namespace

TryPlan planTries(milliseconds limit, int servers, bool write)
{
    const auto fitting = static_cast<int>(std::clamp<std::int64_t>(limit / shortestTry, 1, std::max(1, servers)));
    const bool alone = servers <= 1;
    const int tries = alone && !write && limit / 2 >= shortestTry ? 2 : 1;
    return {fitting, tries, limit / (fitting * tries)};
}

Step afterTry(const TryPlan &plan, const Tried &tried, const Spent &spent)
{
    if (tried.write) {
        const bool other = tried.status == 0 && !tried.taken && spent.tries < plan.tries() && spent.left + lateness >= shortestTry;
        return other ? Step{Step::Kind::Next, {}} : Step{};
    }
    if (tried.status == 0 || (tried.status < 300 && !tried.complete))
        return afterSilence(plan, tried, spent);
    if (mayPass(tried.status) && !tried.final)
        return afterBusy(tried, spent);
    return {};
}

} // namespace switchyard::kube
