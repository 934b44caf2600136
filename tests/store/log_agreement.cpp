// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_agreement.h"

#include <algorithm>
#include <chrono>

namespace switchyard::test {

using namespace patroni;
using namespace std::chrono_literals;

namespace {

bool isClose(Instant a, Instant b)
{
    return a - b < 2s && b - a < 2s;
}

// Whoever takes the lock while a request is there clears it.
bool endedByTaking(const RequestReport &r)
{
    return r.outcome == Outcome::Done || r.outcome == Outcome::DoneOther || r.outcome == Outcome::TakenBack || r.outcome == Outcome::Erased;
}

class Comparison
{
public:
    Comparison(const Derived &derived, const std::string &steps);
    void line(const LogLine &line);
    void totals();
    void gaps(const std::vector<LogLine> &log);
    std::vector<std::string> wrong;
    std::size_t gapsCompared = 0;

private:
    Instant wallOf(Boot t) const { return m_derived.now.toWall(t); }
    bool decidedThen(const RequestReport &r, const LogLine &line) const { return r.decidedAt && isClose(wallOf(*r.decidedAt), line.at); }
    bool explains(const LogLine &line) const;
    // By a silence of the API server, in which more than one rule may have come to apply
    bool hidden(const RequestReport &r) const { return m_hidden && r.reason == Refusal::Unknown; }
    template<class Test>
    bool anyRequest(Test test) const
    {
        return std::any_of(m_requests.begin(), m_requests.end(), test);
    }
    template<class Test>
    std::size_t requests(Test test) const
    {
        return static_cast<std::size_t>(std::count_if(m_requests.begin(), m_requests.end(), test));
    }
    void same(const char *what, std::size_t derived, std::size_t logged)
    {
        if (derived != logged)
            wrong.push_back(std::string(what) + ": derived " + std::to_string(derived) + ", logged " + std::to_string(logged));
    }

    const Derived &m_derived;
    const std::string &m_steps;
    bool m_hidden;
    std::vector<RequestReport> m_requests;
    std::vector<Transition> m_seen;
    std::vector<Event> m_released;
    std::map<LogLine::What, std::size_t> m_lines;
};

Comparison::Comparison(const Derived &derived, const std::string &steps)
    : m_derived(derived)
    , m_steps(steps)
    , m_hidden(steps.find(" api freeze") != std::string::npos)
{
    const auto counts = [&](Instant t) { return !derived.since || t >= *derived.since; };
    std::copy_if(derived.cluster.transitions.begin(), derived.cluster.transitions.end(), std::back_inserter(m_seen),
                 [&](const Transition &t) { return t.fromLive && counts(t.gainedAt.value_or(t.notAfter.value_or(derived.now.wall))); });
    std::copy_if(derived.cluster.requests.begin(), derived.cluster.requests.end(), std::back_inserter(m_requests),
                 [&](const RequestReport &r) { return counts(*r.seenWall); });
    std::copy_if(derived.events.begin(), derived.events.end(), std::back_inserter(m_released), [&](const Event &e) {
        return e.cluster == derived.cluster.names.key && e.type == EventCode::LockReleased && counts(e.wall);
    });
}

bool Comparison::explains(const LogLine &line) const
{
    switch (line.what) {
    case LogLine::What::RewrittenByWinner:
    case LogLine::What::Leads: return true;
    case LogLine::What::SteppingDown: // for a request, even if that has been taken away again
        return anyRequest([&](const RequestReport &r) {
            return (r.releasedAt && wallOf(*r.releasedAt) >= line.at && r.leaderBefore == line.member) || r.outcome == Outcome::Superseded;
        });
    case LogLine::What::Promoted:
        return std::any_of(m_seen.begin(), m_seen.end(), [&](const Transition &t) {
            return t.to == line.member && t.gainedAt && isClose(*t.gainedAt, line.at) && (t.timeline || line.asStandby);
        });
    case LogLine::What::Released:
        return std::any_of(m_released.begin(), m_released.end(),
                           [&](const Event &e) { return e.detail.at("holder") == line.member && isClose(e.wall, line.at); });
    case LogLine::What::PromotedAgain: // only the history tells; of its first entry it does not know who led before
        return std::any_of(m_derived.cluster.transitions.begin(), m_derived.cluster.transitions.end(), [&](const Transition &t) {
            return t.to == line.member && t.from.value_or(line.member) == line.member && t.gainedAt && isClose(*t.gainedAt, line.at)
                && t.timeline && !t.fromLive;
        });
    case LogLine::What::ClearedByWinner:
        return anyRequest([&](const RequestReport &r) { return r.newLeader == line.member && decidedThen(r, line) && endedByTaking(r); });
    case LogLine::What::ClearedByHolder: // by none of the rules for refusing
        return anyRequest([&](const RequestReport &r) { return r.reason == Refusal::Unknown && decidedThen(r, line); });
    case LogLine::What::Refused:
        return anyRequest([&](const RequestReport &r) {
            const bool sync = r.reason == Refusal::NotSyncStandby && line.reason == Refusal::NoHealthyCandidate; // one word for both
            return r.outcome == Outcome::Refused && (r.reason == line.reason || sync || hidden(r)) && decidedThen(r, line);
        });
    }
    return false;
}

void Comparison::line(const LogLine &line)
{
    ++m_lines[line.what];
    if (explains(line))
        return;
    std::string text = "logged by " + line.member + " at " + formatUtc(line.at) + ", but nothing like it derived: ";
    static constexpr const char *names[] = {"stepping down",     "released",          "promoted", "promoted again", "rewritten by winner",
                                            "cleared by winner", "cleared by holder", "leads",    "refused"};
    text += names[static_cast<std::size_t>(line.what)];
    if (line.reason)
        text += ' ' + std::string(code(*line.reason));
    for (const RequestReport &r : m_requests) {
        text += "; request " + std::string(code(r.outcome)) + (r.reason ? ' ' + std::string(code(*r.reason)) : "") + " by "
            + r.newLeader.value_or("-") + (r.decidedWall ? " at " + formatUtc(*r.decidedWall) : "");
    }
    wrong.push_back(std::move(text));
}

// And nothing is claimed that the log does not know.
void Comparison::totals()
{
    using What = LogLine::What;
    const auto retaken = static_cast<std::size_t>(
        std::count_if(m_seen.begin(), m_seen.end(), [](const Transition &t) { return t.kind == TransitionKind::ReTaken && !t.timeline; }));
    same("promotions", m_seen.size() - retaken, m_lines[What::Promoted]);
    // A Patroni that is stopped releases the lock without a word.
    const auto stopped = static_cast<std::size_t>(std::count_if(m_released.begin(), m_released.end(), [&](const Event &e) {
        return m_steps.find(" stop " + e.detail.at("holder")) != std::string::npos || m_steps.find(" stop all") != std::string::npos;
    }));
    same("releases", m_released.size(), m_lines[What::Released] + stopped);
    same("requests that a winner ended", requests([](const RequestReport &r) { return endedByTaking(r) && r.certain; }),
         m_lines[What::ClearedByWinner]);
    if (!m_hidden)
        same("refusals", requests([](const RequestReport &r) { return r.outcome == Outcome::Refused && r.reason != Refusal::Unknown; }),
             m_lines[What::Refused]);
    if (requests([](const RequestReport &r) { return endedByTaking(r) && !r.certain; }) > m_lines[What::SteppingDown])
        wrong.emplace_back("more requests carried out too late than leaders that stepped down");
}

// The time without a leader, as the log has it: from the release, or from the last loop in which the old leader had the lock, to the
// promotion. What is done in a loop is logged after it.
void Comparison::gaps(const std::vector<LogLine> &log)
{
    constexpr Duration logged = 200ms;
    for (const Transition &t : m_seen) {
        if (!t.gap || t.from == t.to || !t.gainedAt)
            continue;
        const auto promoted = std::find_if(log.begin(), log.end(), [&](const LogLine &line) {
            return line.what == LogLine::What::Promoted && line.member == t.to && isClose(line.at, *t.gainedAt);
        });
        if (promoted == log.end())
            continue; // said already
        const bool released = std::any_of(t.evidence.begin(), t.evidence.end(),
                                          [](const Evidence &e) { return e.code == EvidenceCode::Released; });
        std::optional<Instant> lost;
        for (const LogLine &line : log) {
            const bool says = line.what == (released ? LogLine::What::Released : LogLine::What::Leads) && line.member == t.from;
            if (says && line.at < promoted->at && (!released || promoted->at - line.at < *t.gap + 2s))
                lost = line.at;
        }
        if (!lost)
            continue; // stopped without a word, or it led before the log begins
        ++gapsCompared;
        const Duration gap = promoted->at - *lost, off = gap > *t.gap ? gap - *t.gap : *t.gap - gap;
        if (off > *t.gapUncertainty + logged)
            wrong.push_back("gap of " + t.to.value_or("-") + " at " + formatUtc(*t.gainedAt) + ": derived "
                            + std::to_string(toSeconds(*t.gap)) + " +- " + std::to_string(toSeconds(*t.gapUncertainty)) + ", logged "
                            + std::to_string(toSeconds(gap)));
    }
}

} // namespace

std::vector<std::string> disagreements(const Derived &derived, const std::vector<LogLine> &log, const std::string &steps,
                                       std::size_t *gapsCompared)
{
    Comparison comparison(derived, steps);
    for (const LogLine &line : log) {
        if (!derived.since || line.at >= *derived.since)
            comparison.line(line);
    }
    comparison.totals();
    comparison.gaps(log);
    if (gapsCompared)
        *gapsCompared += comparison.gapsCompared;
    return comparison.wrong;
}

} // namespace switchyard::test
