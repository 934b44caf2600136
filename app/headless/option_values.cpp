// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/option_values.h"

#include <QRegularExpression>

#include <cmath>

namespace switchyard::headless {

using namespace Qt::StringLiterals;

namespace {

using Problem = std::optional<QString>;

// The first of the named options that was given.
struct Given
{
    bool given;
    QString name;
};
Problem firstGiven(std::initializer_list<Given> all)
{
    for (const Given &one : all) {
        if (one.given)
            return one.name;
    }
    return {};
}

Problem sourceClash(const Options &o)
{
    const Problem connection = firstGiven({{o.kubeconfig.has_value(), u"--kubeconfig"_s},
                                           {!o.contexts.isEmpty(), u"--context"_s},
                                           {!o.namespaces.isEmpty(), u"--namespace"_s},
                                           {o.allNamespaces, u"--all-namespaces"_s}});
    if (o.demo && o.replay)
        return u"--demo and --replay exclude each other"_s;
    if (o.allNamespaces && !o.namespaces.isEmpty())
        return u"--all-namespaces and --namespace exclude each other"_s;
    if (connection && (o.replay || (o.demo && o.command)))
        return *connection + (o.demo ? u" has no meaning with --demo"_s : u" has no meaning with --replay"_s);
    if (o.at && !o.replay)
        return u"--at needs --replay"_s;
    return {};
}

Problem windowClash(const Options &o)
{
    const Problem forCommand = firstGiven({{o.format.has_value(), u"--format"_s},
                                           {o.since.has_value(), u"--since"_s},
                                           {o.until.has_value(), u"--until"_s},
                                           {o.follow, u"--follow"_s},
                                           {o.output.has_value(), u"--output"_s},
                                           {o.wait.has_value(), u"--wait"_s}});
    if (forCommand)
        return *forCommand + u" needs a command: list, members, history, events, requests or transitions"_s;
    const Problem forPicture = firstGiven({{o.page.has_value(), u"--page"_s},
                                           {!o.clusters.empty(), u"--cluster"_s},
                                           {o.size.has_value(), u"--size"_s},
                                           {o.after.has_value(), u"--after"_s},
                                           {o.dark, u"--dark"_s}});
    if (forPicture && !o.screenshot)
        return *forPicture + u" needs --screenshot or a command"_s;
    if (o.clusters.size() > 1)
        return u"a picture shows one --cluster"_s;
    if (o.after && o.at)
        return u"--after and --at exclude each other"_s;
    return {};
}

Problem commandClash(const Options &o)
{
    const Problem forWindow = firstGiven({{o.screenshot.has_value(), u"--screenshot"_s},
                                          {o.page.has_value(), u"--page"_s},
                                          {o.size.has_value(), u"--size"_s},
                                          {o.after.has_value(), u"--after"_s},
                                          {o.dark, u"--dark"_s}});
    if (forWindow)
        return *forWindow + u" is for the window, not for a command"_s;
    if (o.follow && !canStream(o.formatOrDefault()))
        return u"--follow cannot be written as "_s + QString::fromUtf8(code(*o.format).data()) + u": use ndjson, csv or tsv"_s;
    if (o.follow && o.output)
        return u"--follow has no end, and --output writes a finished file: redirect the output instead"_s;
    if (o.wait && o.replay)
        return u"--wait has no meaning with --replay"_s;
    return {};
}

} // namespace

std::optional<std::chrono::milliseconds> parseSeconds(const QString &text)
{
    static const QRegularExpression form(uR"(\A[0-9]{1,8}(\.[0-9]{1,9})?\z)"_s);
    if (!form.match(text).hasMatch())
        return std::nullopt;
    const double seconds = text.toDouble();
    if (seconds > 1e7)
        return std::nullopt;
    return std::chrono::milliseconds(std::llround(seconds * 1000));
}

std::optional<QSize> parseSize(const QString &text)
{
    static const QRegularExpression form(uR"(\A([0-9]{3,5})x([0-9]{3,5})\z)"_s);
    const auto match = form.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    constexpr int smallest = 100;
    constexpr int largest = 16384;
    const bool sensible = size.width() >= smallest && size.height() >= smallest && size.width() <= largest && size.height() <= largest;
    return match.hasMatch() && sensible ? std::optional(size) : std::nullopt;
}

std::optional<QString> findClash(const Options &options)
{
    if (Problem problem = sourceClash(options))
        return problem;
    return options.command ? commandClash(options) : windowClash(options);
}

} // namespace switchyard::headless
