// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/config_write.h"

#include "app/actions/config_text.h"
#include "app/actions/plan_parts.h"
#include "models/patroni/mask.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace switchyard::actions {

using namespace Qt::StringLiterals;

namespace {

using rules::ActionKind;

constexpr auto configKey = "config";

QByteArray body(const std::string &config, const std::string &version)
{
    const QJsonObject annotations{{u"config"_s, QString::fromStdString(config)}};
    const QJsonObject metadata{{u"annotations"_s, annotations}, {u"resourceVersion"_s, QString::fromStdString(version)}};
    return QJsonDocument(QJsonObject{{u"metadata"_s, metadata}}).toJson(QJsonDocument::Compact);
}

tl::unexpected<Error> refuseConfig(const patroni::Cluster &cluster, const std::string &message, const std::string &advice = {})
{
    return refuse(cluster, cluster.names.configName, message, advice);
}

// The text that is there now, on a view that may be written upon.
Result<std::string> presentConfig(const patroni::Cluster &cluster, ActionKind kind)
{
    if (const auto bar = viewBar(cluster, kind))
        return refuseConfig(cluster, barText(*bar), "wait until it is live again");
    if (modeUnclear(cluster))
        return refuseConfig(cluster, barText(rules::ActionBar::ModeUnclear), "wait until the lock has been seen to be renewed");
    if (auto problem = foreignLock(cluster, configKey))
        return tl::unexpected(*std::move(problem));
    const KubeObject *object = objectOf(cluster, configKey);
    if (!object || object->resourceVersion.empty() || object->name != cluster.names.configName)
        return refuseConfig(cluster, "the config object of this cluster is missing", "Patroni makes it, Switchyard never does");
    const auto found = object->annotations.find(configKey);
    const auto text = found == object->annotations.end() ? Result<std::string>("{}") : compactJson(found->second);
    if (!text || text->front() != '{' || *text == "{}")
        return refuseConfig(cluster, "the dynamic configuration of this cluster is missing or cannot be read",
                            "Patroni writes it anew from its own copy; wait for that");
    return found->second;
}

std::string changesOf(const std::string &before, const std::string &after)
{
    std::string line;
    for (const std::string &path : patroni::changedSettings(before, after))
        line += (line.empty() ? " changes=" : ",") + path;
    return line;
}

Result<PlannedWrite> finish(const patroni::Cluster &cluster, ActionKind kind, const std::string &before, const std::string &after)
{
    const KubeObject *object = objectOf(cluster, configKey);
    if (const auto tooLarge = checkSize(object->annotations, after))
        return refuseConfig(cluster, text(*tooLarge));
    PlannedWrite planned;
    planned.cluster = cluster.names.key;
    planned.action = kind;
    planned.before = {{configKey, before}};
    planned.after = {{configKey, after}};
    planned.basedOnVersion = object->resourceVersion;
    planned.write.verb = kube::WriteVerb::Patch;
    planned.write.path = {cluster.names.resource(), QString::fromStdString(cluster.names.key.ns),
                          QString::fromStdString(cluster.names.configName)};
    planned.write.body = body(after, object->resourceVersion);
    planned.summary = summaryOf(cluster, planned, changesOf(before, after));
    if (auto problem = inspectWrite(planned))
        return tl::unexpected(*problem);
    return planned;
}

std::string valueText(const std::optional<std::string> &value)
{
    std::string shown = value ? patroni::maskCredentials(*value) : "not set";
    return shown.size() > 80 ? shown.substr(0, 77) + "..." : shown;
}

std::string conflictText(const std::vector<ConfigConflict> &conflicts)
{
    std::string all = "somebody else changed the same settings meanwhile:";
    for (const ConfigConflict &c : conflicts)
        all += " " + c.path + ": was " + valueText(c.base) + ", you want " + valueText(c.mine) + ", it is " + valueText(c.theirs) + ";";
    all.pop_back();
    return all;
}

// An error that was there before does not keep the user from changing something else.
std::optional<ConfigFinding> newError(const std::string &before, const std::string &after, const std::vector<std::string> &releases)
{
    const auto old = checkConfig(before, releases);
    for (const ConfigFinding &finding : checkConfig(after, releases)) {
        if (finding.level == ConfigLevel::Error && std::find(old.begin(), old.end(), finding) == old.end())
            return finding;
    }
    return std::nullopt;
}

} // namespace

std::vector<std::string> patroniReleases(const patroni::Cluster &cluster)
{
    std::vector<std::string> releases;
    for (const patroni::Member &member : cluster.members) {
        if (member.record.version)
            releases.push_back(*member.record.version);
    }
    return releases;
}

Result<PlannedWrite> planPause(const patroni::Cluster &cluster, bool pause)
{
    const ActionKind kind = pause ? ActionKind::Pause : ActionKind::Resume;
    const auto present = presentConfig(cluster, kind);
    if (!present)
        return tl::unexpected(present.error());
    std::vector<patroni::Defect> defects;
    if (patroni::decodeDynamicConfig(*present, defects, cluster.names.configName).paused == pause)
        return refuseConfig(cluster, barText(pause ? rules::ActionBar::AlreadyPaused : rules::ActionBar::NotPaused));
    const auto after = withPause(*present, pause);
    if (!after)
        return refuseConfig(cluster, after.error().message);
    if (*after == "{}")
        return refuseConfig(cluster, "without `pause` the configuration would be empty, and Patroni would take that for none",
                            "add another setting first, loop_wait for example");
    return finish(cluster, kind, *present, *after);
}

Result<PlannedWrite> planConfigEdit(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    const auto present = presentConfig(cluster, ActionKind::EditConfig);
    if (!present)
        return tl::unexpected(present.error());
    const auto merged = mergeConfig(wish.configBase, wish.configAfter, *present);
    if (!merged)
        return refuseConfig(cluster, merged.error().message);
    if (!merged->conflicts.empty())
        return refuseConfig(cluster, conflictText(merged->conflicts), "look at what is there now and decide again");
    if (!merged->changes)
        return refuseConfig(cluster, "nothing would change");
    if (merged->json == "{}")
        return refuseConfig(cluster, text(ConfigFinding{ConfigRule::Empty, ConfigLevel::Error, {}}));
    if (const auto error = newError(*present, merged->json, patroniReleases(cluster)))
        return refuseConfig(cluster, text(*error));
    return finish(cluster, ActionKind::EditConfig, *present, merged->json);
}

} // namespace switchyard::actions
