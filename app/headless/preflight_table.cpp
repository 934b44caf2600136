// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/preflight_table.h"

namespace switchyard::headless {

namespace {

std::string word(rules::Severity severity)
{
    switch (severity) {
    case rules::Severity::Note: return "note";
    case rules::Severity::Warning: return "warning";
    case rules::Severity::Blocks: return "blocks";
    }
    return "unknown";
}

Cell text(const std::optional<std::string> &value)
{
    return value ? Cell(*value) : Cell();
}

// The request (member is empty), or a member
struct Judged
{
    std::string member;
    std::optional<bool> fit;   // nullopt: unknown
    std::optional<bool> asked; // its own answer is part of it
};

class Rows
{
public:
    Rows(Table &table, const patroni::Cluster &cluster, const rules::ActionWish &wish, Now now)
        : m_table(table)
    {
        const patroni::ClusterKey &key = cluster.names.key;
        const auto seen = asOf(cluster, now);
        m_head = {key.context,
                  key.ns,
                  key.scope,
                  key.group ? Cell(static_cast<std::int64_t>(*key.group)) : Cell(),
                  std::string(code(cluster.names.mode)),
                  seen ? Cell(*seen) : Cell(),
                  std::string(code(wish.kind)),
                  text(wish.leader),
                  text(wish.candidate),
                  wish.at ? Cell(*wish.at) : Cell()};
    }

    void add(const Judged &of, const std::vector<rules::Finding> &findings)
    {
        for (const rules::Finding &finding : findings) {
            const rules::RuleSource source = sourceOf(finding.rule);
            row(of,
                {std::string(code(finding.rule)), word(finding.severity), finding.subject, finding.amount ? Cell(*finding.amount) : Cell(),
                 std::string(source.where), std::string(source.versions)});
        }
        if (findings.empty())
            row(of, {std::string(), std::string(), std::string(), Cell(), std::string(), std::string()});
    }

private:
    void row(const Judged &of, std::initializer_list<Cell> rest)
    {
        Row cells = m_head;
        cells.push_back(of.fit ? Cell(*of.fit) : Cell());
        cells.emplace_back(of.member);
        cells.push_back(of.asked ? Cell(*of.asked) : Cell());
        cells.insert(cells.end(), rest.begin(), rest.end());
        m_table.rows.push_back(std::move(cells));
    }

    Table &m_table;
    Row m_head;
};

const rules::LiveAnswers &answersOf(const Known &known, const patroni::ClusterKey &key)
{
    static const rules::LiveAnswers none;
    const auto found = known.answers.find(key);
    return found == known.answers.end() ? none : found->second;
}

} // namespace

rules::ActionWish wishOf(const Options &options, const patroni::Cluster &cluster)
{
    rules::ActionWish wish;
    wish.kind = options.kind == QStringLiteral("failover") ? rules::ActionKind::Failover : rules::ActionKind::Switchover;
    if (wish.kind == rules::ActionKind::Switchover)
        wish.leader = options.leader ? std::optional(options.leader->toStdString()) : cluster.leaderName;
    if (options.candidate)
        wish.candidate = options.candidate->toStdString();
    wish.at = options.scheduled;
    return wish;
}

PreflightTable preflightTable(const Options &options, const Known &known)
{
    PreflightTable result{{columns(Command::Preflight), {}}, true};
    for (const patroni::Cluster *cluster : known.clusters) {
        if (!matchesAny(options.clusters, cluster->names.key))
            continue;
        const rules::ActionWish wish = wishOf(options, *cluster);
        const rules::Preflight judged = rules::preflight(*cluster, wish, answersOf(known, cluster->names.key), known.now);
        result.fit = result.fit && judged.fit;
        Rows rows(result.table, *cluster, wish, known.now);
        const bool old = patroni::writeBar(*cluster).has_value(); // nothing is judged on it
        rows.add({{}, old ? std::nullopt : std::optional(judged.fit), {}}, judged.request);
        for (const rules::MemberVerdict &member : judged.members) {
            if (old)
                rows.add({member.member, {}, {}}, {});
            else
                rows.add({member.member, member.fit, member.asked}, member.findings);
        }
    }
    return result;
}

} // namespace switchyard::headless
