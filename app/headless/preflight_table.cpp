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

    void add(const std::string &member, bool fit, const std::vector<rules::Finding> &findings)
    {
        for (const rules::Finding &finding : findings) {
            const rules::RuleSource source = sourceOf(finding.rule);
            row(member, fit,
                {std::string(code(finding.rule)), word(finding.severity), finding.subject, finding.amount ? Cell(*finding.amount) : Cell(),
                 std::string(source.where), std::string(source.versions)});
        }
        if (findings.empty())
            row(member, fit, {std::string(), std::string(), std::string(), Cell(), std::string(), std::string()});
    }

private:
    void row(const std::string &member, bool fit, std::initializer_list<Cell> rest)
    {
        Row cells = m_head;
        cells.emplace_back(fit);
        cells.emplace_back(member);
        cells.insert(cells.end(), rest.begin(), rest.end());
        m_table.rows.push_back(std::move(cells));
    }

    Table &m_table;
    Row m_head;
};

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

PreflightTable preflightTable(const Options &options, const std::vector<const patroni::Cluster *> &clusters, Now now)
{
    PreflightTable result{{columns(Command::Preflight), {}}, true};
    for (const patroni::Cluster *cluster : clusters) {
        if (!matchesAny(options.clusters, cluster->names.key))
            continue;
        const rules::ActionWish wish = wishOf(options, *cluster);
        const rules::Preflight judged = rules::preflight(*cluster, wish, {}, now);
        result.fit = result.fit && judged.fit;
        Rows rows(result.table, *cluster, wish, now);
        rows.add({}, judged.fit, judged.request);
        for (const rules::MemberVerdict &member : judged.members)
            rows.add(member.member, member.fit, member.findings);
    }
    return result;
}

} // namespace switchyard::headless
