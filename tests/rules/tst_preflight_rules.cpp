// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/rules/preflight_cases.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace switchyard;
using namespace switchyard::rules;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(Case)

namespace {

constexpr int lastRule = static_cast<int>(RuleCode::LiveLagOverLimit);

std::vector<Case> allCases()
{
    std::vector<Case> all;
    for (auto part : {requestCases(), memberCases(), liveCases()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::string shown(const Finding &finding)
{
    std::string text = finding.severity == Severity::Blocks ? "!" : finding.severity == Severity::Warning ? "?" : "~";
    text += code(finding.rule);
    if (!finding.subject.empty())
        text += ":" + finding.subject;
    return finding.amount ? text + "=" + std::to_string(*finding.amount) : text;
}

// What is said by one rule, of the request or of the candidate
std::string saidBy(RuleCode rule, const Preflight &result)
{
    std::string said;
    const auto collect = [&](const std::vector<Finding> &findings) {
        for (const Finding &finding : findings) {
            if (finding.rule == rule)
                said += (said.empty() ? "" : " ") + shown(finding);
        }
    };
    collect(result.request);
    for (const MemberVerdict &member : result.members) {
        if (member.member == "acme-0")
            collect(member.findings);
    }
    return said;
}

bool blocks(const std::vector<Finding> &findings)
{
    return std::any_of(findings.begin(), findings.end(), [](const Finding &f) { return f.severity == Severity::Blocks; });
}

} // namespace

class TestPreflightRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cases_data()
    {
        QTest::addColumn<Case>("row");
        for (const Case &row : allCases())
            QTest::addRow("%s: %s", std::string(code(row.rule)).c_str(), row.name) << row;
    }

    void cases()
    {
        QFETCH(Case, row);
        QVERIFY2(sourceOf(row.rule).where.find(row.source) != std::string_view::npos, sourceOf(row.rule).where.data());
        Asked asked;
        row.spoil(asked);
        const Preflight result = preflight(asked.cluster, asked.wish, asked.answers, asked.now);
        QCOMPARE(saidBy(row.rule, result), std::string(row.expected));
        QCOMPARE(result.fit, !blocks(result.request));
        for (const MemberVerdict &member : result.members)
            QCOMPARE(member.fit, !blocks(member.findings));
    }

    // A rule without a row that it speaks in, or without one that it is silent in, is not tested.
    void everyRuleSpeaksAndIsSilent()
    {
        std::set<RuleCode> speaks{RuleCode::IsLeader}, silent;
        for (const Case &row : allCases())
            (*row.expected ? speaks : silent).insert(row.rule);
        for (int i = 0; i <= lastRule; ++i) {
            const auto rule = static_cast<RuleCode>(i);
            const std::string name(code(rule));
            QVERIFY2(speaks.contains(rule), (name + " never speaks").c_str());
            QVERIFY2(silent.contains(rule), (name + " is never silent").c_str());
            QVERIFY2(!sourceOf(rule).where.empty(), (name + " has no source").c_str());
        }
    }

    void theLeaderIsNoCandidate()
    {
        const Asked asked;
        const Preflight result = preflight(asked.cluster, asked.wish, asked.answers, asked.now);
        QCOMPARE(result.members.front().member, std::string("acme-1"));
        QCOMPARE(shown(result.members.front().findings.front()), std::string("!is-leader"));
        QCOMPARE(summary(result), std::string("fit; acme-1 unfit is-leader; acme-0 fit; acme-2 fit"));
    }

    // A dead leader is the normal case of a failover: what only a leader checks is a warning then.
    void nobodyLeads()
    {
        Asked asked;
        asked.nobodyLeads();
        asked.target().lag = 48'234'496;
        const Preflight result = preflight(asked.cluster, asked.wish, asked.answers, asked.now);
        QVERIFY(result.fit);
        QCOMPARE(summary(result), std::string("fit; acme-1 fit lag-unknown?; acme-0 fit lag-over-limit=48234496?; acme-2 fit"));
    }

    void summaryOfARefusal()
    {
        Asked asked;
        asked.wish.candidate = "acme-9";
        asked.target().lag = 48'234'496;
        const Preflight result = preflight(asked.cluster, asked.wish, asked.answers, asked.now);
        QCOMPARE(summary(result),
                 std::string("unfit unknown-candidate:acme-9; acme-1 unfit is-leader; acme-0 unfit lag-over-limit=48234496; acme-2 fit"));
    }

    void loss()
    {
        Asked asked;
        QVERIFY(!preflight(asked.cluster, asked.wish, asked.answers, asked.now).loss); // a switchover loses nothing
        asked.failover();
        auto lost = [&] { return preflight(asked.cluster, asked.wish, asked.answers, asked.now).loss; };
        QCOMPARE(lost(), std::optional(DataLoss{}));
        asked.cluster.leader->optime = 5000;
        QCOMPARE(lost(), std::optional(DataLoss{{}, 5000, {}, false})); // unknown is not 0
        asked.target().record.xlogLocation = 4000;
        QCOMPARE(lost(), std::optional(DataLoss{1000, 5000, 4000, false}));
        asked.target().record.xlogLocation = 6000; // two samples of different moments
        QCOMPARE(lost()->bytes, std::optional<std::uint64_t>(0));
        asked.sync(patroni::SyncMode::On, {"acme-0"});
        QVERIFY(lost()->synchronous);
        asked.answer().position = 4'999'000;
        QCOMPARE(lost(), std::optional(DataLoss{1000, 5'000'000, 4'999'000, true}));
        asked.answers["acme-1"] = asked.answers["acme-0"]; // the leader's own word is newer than what it wrote
        asked.answers["acme-1"].position = 5'500'000;
        QCOMPARE(lost()->bytes, std::optional<std::uint64_t>(501'000));
    }

    void healthNeedsAnyone()
    {
        Asked asked;
        QVERIFY(anyoneFit(asked.cluster, asked.now.boot));
        asked.nobodyLeads(); // an election checks the lag, a failover to a named member does not
        for (auto &member : asked.cluster.members)
            member.lag = 2'000'000;
        QVERIFY(!anyoneFit(asked.cluster, asked.now.boot));
    }
};

QTEST_APPLESS_MAIN(TestPreflightRules)
#include "tst_preflight_rules.moc"
