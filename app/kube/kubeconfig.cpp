// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig.h"

#include <QCoreApplication>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct ChoiceWords
{
    Q_DECLARE_TR_FUNCTIONS(ChoiceWords)
};

constexpr qsizetype mostNamesShown = 20;

QString knownNames(const Kubeconfig &config)
{
    QStringList known;
    for (const ContextConfig &context : config.contexts)
        known.append(context.name);
    if (known.size() <= mostNamesShown)
        return known.join(u", "_s);
    const qsizetype more = known.size() - mostNamesShown;
    return ChoiceWords::tr("%1 and %2 more").arg(known.mid(0, mostNamesShown).join(u", "_s)).arg(more);
}

} // namespace

bool ContextConfig::usable() const
{
    // Refused: the program holds something back (credentials over plain http), but can connect.
    return !server.isEmpty()
        && std::all_of(problems.begin(), problems.end(), [](const Error &problem) { return problem.kind == ErrorKind::Refused; });
}

bool ContextConfig::sameIdentity(const ContextConfig &other) const
{
    if (credential.userName != other.credential.userName)
        return false;
    ContextConfig mine = *this;
    mine.credential = other.credential;
    mine.problems = other.problems;
    mine.caFile = other.caFile; // where it stands is no matter: what it says is
    return mine == other;
}

const ContextConfig *Kubeconfig::find(const QString &name) const
{
    const auto it = std::find_if(contexts.begin(), contexts.end(), [&](const ContextConfig &c) { return c.name == name; });
    return it == contexts.end() ? nullptr : &*it;
}

Result<std::vector<ContextConfig>> chooseContexts(const Kubeconfig &config, const QStringList &names, const Overrides &overrides)
{
    Error error{.kind = ErrorKind::BadInput,
                .where = config.files.join(u':').toStdString(),
                .field = "contexts",
                .advice = ChoiceWords::tr("known contexts: %1").arg(knownNames(config)).toStdString()};
    if (names.isEmpty() && config.currentContext.isEmpty()) {
        error.field = "current-context";
        error.message = ChoiceWords::tr("no current context is set; name one with --context").toStdString();
        return tl::unexpected(error);
    }
    std::vector<ContextConfig> chosen;
    for (const QString &name : names.isEmpty() ? QStringList{config.currentContext} : names) {
        const ContextConfig *context = config.find(name);
        if (!context) {
            error.message = ChoiceWords::tr("no context %1").arg(name).toStdString();
            return tl::unexpected(error);
        }
        chosen.push_back(withOverrides(*context, overrides));
    }
    return chosen;
}

} // namespace switchyard::kube
