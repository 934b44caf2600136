// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/config_tools.h"

#include "app/actions/config_text.h"
#include "app/actions/config_write.h"
#include "views/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace switchyard::desktop {

using namespace Qt::StringLiterals;
using actions::ConfigFinding;
using actions::ConfigLevel;
using actions::ConfigRule;
using views::text;

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(ConfigTools)
};

// "line 3, column 7" as the readers of both forms name it.
int lineIn(const std::string &where)
{
    const auto at = where.find("line ");
    int line = 0;
    for (std::size_t i = at == std::string::npos ? where.size() : at + 5; i < where.size() && where[i] >= '0' && where[i] <= '9'; ++i)
        line = std::min(line * 10 + (where[i] - '0'), 1000000);
    return line;
}

views::ConfigReading readText(const QString &typed, bool yaml)
{
    const std::string utf8 = typed.toStdString();
    const auto json = yaml ? actions::jsonFromYaml(utf8) : actions::compactJson(utf8);
    if (json)
        return {*json, {}, 0};
    const Error &error = json.error();
    return {{}, text(error.message.empty() ? describe(error) : error.message), lineIn(error.where + ' ' + error.message)};
}

QString writeText(const std::string &json, bool yaml)
{
    const auto written = yaml ? actions::yamlFromJson(json) : actions::prettyJson(json);
    return text(written ? *written : json); // what is stored is no JSON: as it stands, to be mended
}

rules::Severity severityOf(ConfigLevel level)
{
    switch (level) {
    case ConfigLevel::Note: return rules::Severity::Note;
    case ConfigLevel::Warning: return rules::Severity::Warning;
    case ConfigLevel::Error: break;
    }
    return rules::Severity::Blocks;
}

QString what(const ConfigFinding &finding)
{
    const QString path = text(finding.path), value = text(finding.value), expected = text(finding.expected);
    switch (finding.rule) {
    case ConfigRule::Unreadable: return Text::tr("This is no map of settings: Patroni would overwrite it.");
    case ConfigRule::Empty: return Text::tr("An empty configuration is taken as none: Patroni would overwrite it.");
    case ConfigRule::TooLarge: return Text::tr("It is too large for the object: the API server would refuse it.");
    case ConfigRule::NotANumber: return Text::tr("%1 is %2, which is not a number.").arg(path, value);
    case ConfigRule::OutOfRange: return Text::tr("%1 is %2; Patroni wants %3.").arg(path, value, expected);
    case ConfigRule::NotABoolean: return Text::tr("%1 is %2, which is neither on nor off: Patroni reads it as off.").arg(path, value);
    case ConfigRule::NotAllowed: return Text::tr("%1 is %2; known are %3.").arg(path, value, expected);
    case ConfigRule::NotAMap: return Text::tr("%1 must be a map of settings.").arg(path);
    case ConfigRule::NotAList: return Text::tr("%1 must be a list.").arg(path);
    case ConfigRule::TimingBroken:
        return finding.level == ConfigLevel::Warning
            ? Text::tr("loop_wait + 2 * retry_timeout is more than ttl (%1): Patroni takes smaller values in their place.").arg(value)
            : Text::tr("loop_wait + 2 * retry_timeout must not be more than ttl (%1): a leader would lose its lock when the API server is "
                       "slow.")
                  .arg(value);
    case ConfigRule::NeedsNewerPatroni: return Text::tr("%1 needs Patroni %2.").arg(path, expected);
    case ConfigRule::InactiveStandby:
        return Text::tr("%1 has neither host nor port nor restore_command: it is not a standby cluster then.").arg(path);
    case ConfigRule::Unknown: return Text::tr("%1 is not known: Patroni ignores it.").arg(path);
    case ConfigRule::Deprecated: return Text::tr("%1 is called %2 now.").arg(path, expected);
    case ConfigRule::SetByPatroni: return Text::tr("%1 is set by Patroni itself: what is written here is not used.").arg(path);
    case ConfigRule::SetInMembersConfig: break;
    }
    return Text::tr("%1 is used only in a member's own file, not here.").arg(path);
}

QList<views::ConfigProblem> checkText(const std::string &json, const patroni::Cluster &cluster)
{
    std::vector<ConfigFinding> findings = actions::checkConfig(json, actions::patroniReleases(cluster));
    const auto object = cluster.objects.find("config");
    if (object != cluster.objects.end())
        if (const auto size = actions::checkSize(object->second.annotations, json))
            findings.push_back(*size);
    QList<views::ConfigProblem> problems;
    for (const ConfigFinding &finding : findings)
        problems << views::ConfigProblem{severityOf(finding.level), what(finding), text(finding.path)};
    return problems;
}

QList<views::ConfigDiffLine> shown(const std::vector<actions::DiffLine> &diff)
{
    QList<views::ConfigDiffLine> lines;
    for (const actions::DiffLine &line : diff)
        lines << views::ConfigDiffLine{QLatin1Char(line.mark), text(line.text), line.theirs};
    return lines;
}

QString valueText(const std::optional<std::string> &value)
{
    return value ? text(*value) : Text::tr("not set");
}

views::ConfigMerged mergeText(const std::string &base, const std::string &mine, const std::string &theirs)
{
    const auto merge = actions::mergeConfig(base, mine, theirs);
    if (!merge)
        return {{}, {}, {}, text(describe(merge.error()))};
    views::ConfigMerged merged{merge->json, {}, {}, {}};
    for (const actions::ConfigConflict &conflict : merge->conflicts)
        merged.conflicts << Text::tr("%1 (yours: %2, theirs: %3)", "setting")
                                .arg(text(conflict.path), valueText(conflict.mine), valueText(conflict.theirs));
    for (const std::string &path : merge->theirChanges)
        merged.theirs << text(path);
    return merged;
}

} // namespace

views::ConfigTools configTools()
{
    views::ConfigTools tools;
    tools.read = readText;
    tools.write = writeText;
    tools.hasComments = [](const QString &yaml) { return actions::hasYamlComments(yaml.toStdString()); };
    tools.check = checkText;
    tools.diff = [](const std::string &before, const std::string &after) { return shown(actions::configDiff(before, after)); };
    tools.diffOfThree = [](const std::string &before, const std::string &stored, const std::string &planned) {
        return shown(actions::configDiff(before, stored, planned));
    };
    tools.merge = mergeText;
    return tools;
}

} // namespace switchyard::desktop
