// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The table of the preflight: for every rule, questions that make it speak and questions that leave it silent, each with where Patroni has it.
#include "models/rules/preflight.h"
#include "tests/rules/healthy_cluster.h"

#include <functional>

namespace switchyard::rules {

inline const Instant noon{std::chrono::sys_days{std::chrono::year{2031} / 2 / 1} + std::chrono::hours(12)};

// acme-1 leads and hands over to acme-0; nothing stands against it. Cases spoil it.
struct Asked
{
    patroni::Cluster cluster = patroni::healthyCluster();
    ActionWish wish = switchoverWish("acme-1", "acme-0");
    LiveAnswers answers{};
    Now now{Boot{std::chrono::seconds(10000)}, noon};

    patroni::Member &target() { return patroni::member(cluster, "acme-0"); }
    patroni::DynamicConfig &config() { return cluster.config->config; }
    void leaderRuns(const char *release) { patroni::member(cluster, "acme-1").record.version = release; }
    void leaderUnknown() { patroni::member(cluster, "acme-1").record.version.reset(); }
    void failover() { wish = failoverWish("acme-0"); }
    void nobodyLeads()
    {
        failover();
        cluster.leaderName.reset();
        cluster.lock.state = patroni::LockState::Expired;
    }
    void sync(patroni::SyncMode mode, std::vector<std::string> standbys, std::optional<std::int64_t> quorum = {})
    {
        config().syncMode = mode;
        cluster.sync = patroni::SyncState{"acme-1", std::move(standbys), quorum, false};
    }
    LiveAnswer &answer(); // of acme-0: running, level with the leader
};

struct Case
{
    const char *name;
    RuleCode rule;
    const char *source;   // "file function" of Patroni, or who has the rule
    const char *expected; // "!code:subject=amount", "?..." of a warning, "~..." of a note; "": silent
    std::function<void(Asked &)> spoil;
};

std::vector<Case> requestCases();
std::vector<Case> memberCases();
std::vector<Case> liveCases();

} // namespace switchyard::rules
