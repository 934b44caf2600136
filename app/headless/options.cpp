// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/options.h"

#include "app/headless/option_values.h"
#include "app/kube/token.h"

#include <QUrl>

#include <array>
#include <functional>

namespace switchyard::headless {

using namespace Qt::StringLiterals;

namespace {

using Problem = std::optional<QString>; // nullopt: fine

struct Option
{
    const char16_t *name;
    char16_t letter; // 0: none
    bool takesValue;
    Problem (*set)(Options &, const QString &);
    bool secret = false; // its value may be one: never shown
};

// --flag, --flag=true, --flag=false, as kubectl's.
Problem setFlag(bool &flag, const QString &value)
{
    if (!value.isEmpty() && value != "true"_L1 && value != "false"_L1)
        return u"it takes no value (or true or false)"_s;
    flag = value != "false"_L1;
    return {};
}

template<bool Options::*Member>
Problem flag(Options &options, const QString &value)
{
    return setFlag(options.*Member, value);
}

Problem setInsecure(Options &options, const QString &value)
{
    return setFlag(options.overrides.insecureSkipTlsVerify, value);
}

template<QString kube::Overrides::*Member>
Problem override(Options &options, const QString &value)
{
    options.overrides.*Member = value;
    return value.isEmpty() ? Problem(u"it needs a value"_s) : Problem();
}

Problem setServer(Options &options, const QString &value)
{
    const std::optional<Error> defect = kube::serverDefect(value);
    options.overrides.server = value;
    return defect ? Problem(QString::fromStdString(defect->message)) : Problem();
}

Problem setToken(Options &options, const QString &value)
{
    options.overrides.token = value.toUtf8();
    if (value.isEmpty())
        return u"it needs a value"_s;
    return kube::isTokenText(options.overrides.token) ? Problem() : u"it holds characters that no token can have"_s;
}

Problem addGroup(Options &options, const QString &value)
{
    if (value.isEmpty())
        return u"it needs a value"_s;
    if (!options.overrides.asGroups.contains(value))
        options.overrides.asGroups.append(value);
    return {};
}

Problem addApiServer(Options &options, const QString &value)
{
    if (const std::optional<Error> defect = kube::serverDefect(value))
        return QString::fromStdString(defect->message);
    if (QUrl(value).scheme() != "https"_L1) // the credential of the context goes there too
        return u"expected https://HOST:PORT"_s;
    const QString path = QUrl(value).path();
    if (!path.isEmpty() && path != "/"_L1)
        return u"expected https://HOST:PORT without a path"_s;
    if (!options.apiServers.contains(value))
        options.apiServers.append(value);
    return {};
}

Problem setRequestTimeout(Options &options, const QString &value)
{
    options.requestTimeout = parseTimeout(value);
    return options.requestTimeout ? Problem() : u"expected a time as 5s, 2m, 3h, a number of seconds, or 0"_s;
}

// What is older than that says little of a lock of 30 seconds, and nothing can be written upon it.
constexpr std::chrono::seconds longestPoll(30);

Problem setPoll(Options &options, const QString &value)
{
    options.poll = parseSeconds(value);
    const bool sensible = options.poll && *options.poll >= std::chrono::seconds(1) && *options.poll <= longestPoll;
    return sensible ? Problem() : u"expected a number of seconds, 1 to 30"_s;
}

template<std::optional<QString> Options::*Member>
Problem path(Options &options, const QString &value)
{
    options.*Member = value;
    return value.isEmpty() ? Problem(u"it needs a value"_s) : Problem();
}

template<QStringList Options::*Member>
Problem repeatable(Options &options, const QString &value)
{
    if (value.isEmpty())
        return u"it needs a value"_s;
    if (!(options.*Member).contains(value))
        (options.*Member).append(value);
    return {};
}

template<std::optional<TimeSpec> Options::*Member>
Problem time(Options &options, const QString &value)
{
    options.*Member = parseTimeSpec(value.toStdString());
    return options.*Member ? Problem() : u"expected a time with an offset, as 2031-02-01T06:00:00Z, or 30s 15m 2h 3d ago"_s;
}

template<std::optional<std::chrono::milliseconds> Options::*Member>
Problem seconds(Options &options, const QString &value)
{
    options.*Member = parseSeconds(value);
    return options.*Member ? Problem() : u"expected a number of seconds"_s;
}

Problem setFormat(Options &options, const QString &value)
{
    options.html = value == "html"_L1;
    options.format = formatFromCode(value.toStdString());
    return options.format || options.html ? Problem()
                                          : u"expected table, json, ndjson, csv, tsv, md or xlsx (a dossier: md, html or json)"_s;
}

Problem setCluster(Options &options, const QString &value)
{
    const auto selector = parseSelector(value.toStdString());
    if (!selector)
        return u"expected NAMESPACE/SCOPE or NAMESPACE/SCOPE:GROUP"_s;
    options.clusters.push_back(*selector);
    return {};
}

Problem setSize(Options &options, const QString &value)
{
    options.size = parseSize(value);
    return options.size ? Problem() : u"expected WIDTHxHEIGHT in pixels, 100x100 to 16384x16384"_s;
}

Problem setPage(Options &options, const QString &value)
{
    options.page = value;
    if (QStringList{u"fleet"_s, u"cluster"_s, u"history"_s, u"events"_s, u"elections"_s, u"contexts"_s, u"permissions"_s, u"audit"_s,
                    u"dossier"_s, u"leaders"_s, u"renewals"_s, u"lag"_s, u"health"_s}
            .contains(value))
        return {};
    return u"expected fleet, cluster, history, events, elections, contexts, permissions, audit, dossier, or a picture: leaders, renewals, lag or health"_s;
}

Problem setKind(Options &options, const QString &value)
{
    options.kind = value;
    return value == "switchover"_L1 || value == "failover"_L1 ? Problem() : u"expected switchover or failover"_s;
}

Problem setFor(Options &options, const QString &value)
{
    options.followFor = parseTimeout(value);
    const bool some = options.followFor && options.followFor->count() > 0;
    return some ? Problem() : u"expected a time as 30s, 10m or 2h"_s;
}

Problem setScheduled(Options &options, const QString &value)
{
    const auto time = parseTime(value.toStdString());
    if (!time || !time->offsetSeconds)
        return u"expected a time with an offset, as 2031-02-01T06:00:00Z"_s;
    options.scheduled = time->utc;
    return {};
}

Problem setArchiveKeep(Options &options, const QString &value)
{
    options.archiveKeep = parseAge(value);
    return options.archiveKeep ? Problem() : u"expected an age as 400d or 36h, or 0: for ever"_s;
}

Problem setArchiveMost(Options &options, const QString &value)
{
    options.archiveMost = parseBytes(value);
    return options.archiveMost ? Problem() : u"expected a size as 500MiB or 2GiB (at least 1MiB), or 0: no limit"_s;
}

constexpr std::array allOptions{
    Option{u"kubeconfig", 0, true, path<&Options::kubeconfig>},
    Option{u"context", 0, true, repeatable<&Options::contexts>},
    Option{u"namespace", u'n', true, repeatable<&Options::namespaces>},
    Option{u"all-namespaces", u'A', false, flag<&Options::allNamespaces>},
    Option{u"as", 0, true, override<&kube::Overrides::asUser>},
    Option{u"as-group", 0, true, addGroup},
    Option{u"server", u's', true, setServer, true},
    Option{u"token", 0, true, setToken, true},
    Option{u"certificate-authority", 0, true, override<&kube::Overrides::certificateAuthority>},
    Option{u"insecure-skip-tls-verify", 0, false, setInsecure},
    Option{u"request-timeout", 0, true, setRequestTimeout},
    Option{u"trust-exec", 0, false, flag<&Options::trustExec>},
    Option{u"poll", 0, true, setPoll},
    Option{u"bypass-api-service", 0, false, flag<&Options::bypassApiService>},
    Option{u"api-server", 0, true, addApiServer, true},
    Option{u"demo", 0, false, flag<&Options::demo>},
    Option{u"replay", 0, true, path<&Options::replay>},
    Option{u"read-only", 0, false, flag<&Options::readOnly>},
    Option{u"screenshot", 0, true, path<&Options::screenshot>},
    Option{u"page", 0, true, setPage},
    Option{u"cluster", 0, true, setCluster},
    Option{u"size", 0, true, setSize},
    Option{u"after", 0, true, seconds<&Options::after>},
    Option{u"at", 0, true, time<&Options::at>},
    Option{u"dark", 0, false, flag<&Options::dark>},
    Option{u"format", 0, true, setFormat},
    Option{u"since", 0, true, time<&Options::since>},
    Option{u"until", 0, true, time<&Options::until>},
    Option{u"follow", 0, false, flag<&Options::follow>},
    Option{u"output", 0, true, path<&Options::output>},
    Option{u"wait", 0, true, seconds<&Options::wait>},
    Option{u"for", 0, true, setFor},
    Option{u"record", 0, true, path<&Options::record>},
    Option{u"replace-names", 0, false, flag<&Options::replaceNames>},
    Option{u"all-leases", 0, false, flag<&Options::allLeases>},
    Option{u"transition", 0, true, path<&Options::transition>},
    Option{u"kind", 0, true, setKind},
    Option{u"leader", 0, true, path<&Options::leader>},
    Option{u"candidate", 0, true, path<&Options::candidate>},
    Option{u"scheduled", 0, true, setScheduled},
    Option{u"archive", 0, true, path<&Options::archive>, true},
    Option{u"from", 0, true, path<&Options::from>, true},
    Option{u"no-archive", 0, false, flag<&Options::noArchive>},
    Option{u"archive-keep", 0, true, setArchiveKeep},
    Option{u"archive-max", 0, true, setArchiveMost},
    Option{u"help", u'h', false, flag<&Options::help>},
    Option{u"version", 0, false, flag<&Options::version>},
};

const Option *byName(const QString &name)
{
    for (const Option &option : allOptions) {
        if (name == QStringView(option.name))
            return &option;
    }
    return nullptr;
}

const Option *byLetter(QChar letter)
{
    for (const Option &option : allOptions) {
        if (option.letter && letter == QChar(option.letter))
            return &option;
    }
    return nullptr;
}

// Walks through the arguments: options in any order, the command wherever it stands.
class Parser
{
public:
    explicit Parser(const QStringList &arguments)
        : m_arguments(arguments)
    {}

    Problem run()
    {
        while (m_next < m_arguments.size()) {
            const QString argument = m_arguments.at(m_next++);
            Problem problem;
            if (argument.startsWith("--"_L1) && argument.size() > 2)
                problem = longOption(argument.mid(2));
            else if (argument.startsWith(u'-') && argument.size() > 1)
                problem = shortOptions(argument.mid(1));
            else
                problem = command(argument);
            if (problem)
                return problem;
        }
        return {};
    }

    Options options;

private:
    Problem longOption(const QString &text)
    {
        const qsizetype equals = text.indexOf(u'=');
        const QString name = equals < 0 ? text : text.left(equals);
        const QString shown = u"--"_s + name;
        const Option *option = byName(name);
        if (!option)
            return u"unknown option "_s + shown;
        return apply(*option, shown, equals < 0 ? std::nullopt : std::optional(text.mid(equals + 1)));
    }

    Problem shortOptions(const QString &letters)
    {
        for (qsizetype i = 0; i < letters.size(); ++i) {
            const QString shown = u"-"_s + letters.at(i);
            const Option *option = byLetter(letters.at(i));
            if (!option)
                return u"unknown option "_s + shown;
            if (option->takesValue && i + 1 < letters.size()) // -nNAME, -n=NAME
                return apply(*option, shown, letters.mid(letters.at(i + 1) == u'=' ? i + 2 : i + 1));
            if (Problem problem = apply(*option, shown, std::nullopt))
                return problem;
        }
        return {};
    }

    Problem apply(const Option &option, const QString &shown, std::optional<QString> value)
    {
        if (option.takesValue && !value) {
            if (m_next >= m_arguments.size())
                return shown + u": it needs a value"_s;
            value = m_arguments.at(m_next++);
        }
        const Problem problem = option.set(options, value.value_or(QString()));
        const QString given = option.takesValue && !option.secret ? u" "_s + *value : QString();
        return problem ? Problem(shown + given + u": "_s + *problem) : Problem();
    }

    Problem command(const QString &word)
    {
        if (options.command)
            return u"unexpected argument "_s + word;
        options.command = commandFromCode(word.toStdString());
        if (options.command)
            return {};
        return u"unknown command "_s + word;
    }

    QStringList m_arguments;
    qsizetype m_next = 0;
};

tl::unexpected<Error> wrong(const QString &message)
{
    Error error{ErrorKind::BadInput};
    error.message = message.toStdString();
    error.advice = "switchyard --help";
    return tl::unexpected(error);
}

} // namespace

Result<Options> parseArguments(const QStringList &arguments)
{
    Parser parser(arguments);
    const Problem problem = parser.run();
    if (problem)
        return wrong(*problem);
    if (parser.options.help || parser.options.version)
        return parser.options;
    if (const Problem clash = findClash(parser.options))
        return wrong(*clash);
    return parser.options;
}

QStringList namespacesToWatch(const Options &options)
{
    return options.allNamespaces ? QStringList{QString(u""_s)} : options.namespaces;
}

} // namespace switchyard::headless
