// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/preflight_text.h"

#include "views/words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

struct PreflightWords
{
    Q_DECLARE_TR_FUNCTIONS(PreflightWords)
};

QString fromView(std::string_view words)
{
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

void addFindings(QStringList &lines, const std::vector<rules::Finding> &findings)
{
    if (findings.empty())
        lines << PreflightWords::tr("  nothing against it");
    for (const rules::Finding &finding : findings) {
        const rules::RuleSource source = rules::sourceOf(finding.rule);
        QString from = u"%1: %2"_s.arg(fromView(code(finding.rule)), fromView(source.where));
        if (!source.versions.empty())
            from += u", "_s + fromView(source.versions);
        lines << u"  %1: %2"_s.arg(words(finding.severity), words(finding)) << u"      ["_s + from + u']';
    }
}

} // namespace

QString rulesText(const rules::Preflight &preflight)
{
    QStringList lines{PreflightWords::tr("The request")};
    addFindings(lines, preflight.request);
    for (const rules::MemberVerdict &member : preflight.members) {
        lines << (member.fit ? PreflightWords::tr("%1: fit") : PreflightWords::tr("%1: unfit")).arg(text(member.member));
        addFindings(lines, member.findings);
    }
    return lines.join(u'\n');
}

QString reachText(const rules::LiveAnswers &answers, const QString &notAsked, Now now)
{
    if (!notAsked.isEmpty())
        return PreflightWords::tr("Reachability is not known: %1. The rest is judged by the objects alone.").arg(notAsked);
    if (answers.empty())
        return PreflightWords::tr("The members are being asked what they say of themselves.");
    const bool forbidden = std::all_of(answers.begin(), answers.end(), [](const auto &answer) {
        return answer.second.error && answer.second.error->kind == ErrorKind::Forbidden;
    });
    if (forbidden)
        return reachText({}, PreflightWords::tr("pods/proxy is not permitted"), now);
    QStringList silent;
    std::optional<Boot> oldest;
    for (const auto &answer : answers) {
        if (answer.second.error)
            silent << text(answer.first);
        else
            oldest = oldest ? std::min(*oldest, answer.second.at) : answer.second.at;
    }
    const auto all = static_cast<int>(answers.size());
    const int good = all - static_cast<int>(silent.size());
    const QString said = good == 0
        ? PreflightWords::tr("No member answered that was asked.")
        : PreflightWords::tr("%1 of %2 members answered, the oldest answer %3.").arg(good).arg(all).arg(agoText(oldest, now));
    return silent.isEmpty() || good == 0 ? said : said + u' ' + PreflightWords::tr("No answer: %1.").arg(silent.join(u", "_s));
}

QString preflightLine(const rules::Preflight &preflight, const std::optional<std::string> &candidate)
{
    auto warnings = std::count_if(preflight.request.begin(), preflight.request.end(),
                                  [](const rules::Finding &f) { return f.severity == rules::Severity::Warning; });
    QStringList fit;
    for (const rules::MemberVerdict &member : preflight.members) {
        if (member.fit)
            fit << text(member.member);
        if (candidate == member.member)
            warnings += std::count_if(member.findings.begin(), member.findings.end(),
                                      [](const rules::Finding &f) { return f.severity == rules::Severity::Warning; });
    }
    const QString line = preflight.fit ? PreflightWords::tr("by Patroni's rules it would be done; fit: %1").arg(fit.join(u", "_s))
                                       : PreflightWords::tr("by Patroni's rules it would be refused");
    return warnings > 0 ? PreflightWords::tr("%1; %n warning(s)", nullptr, static_cast<int>(warnings)).arg(line) : line;
}

} // namespace switchyard::views
