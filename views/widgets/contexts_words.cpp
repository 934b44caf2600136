// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/contexts_words.h"

#include "views/words.h"

#include <algorithm>
#include <map>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::ContextRow;
using items::ContextsModel;
using items::Standing;

namespace {

const QString dash = u"\u2013"_s;

QString signedSeconds(Duration d)
{
    const double s = std::chrono::duration<double>(d).count();
    return (s < 0 ? u"\u2212"_s : u"+"_s) + ContextsWords::tr("%1 s").arg(std::abs(s), 0, 'f', 1);
}

QString plainSeconds(Duration d)
{
    return ContextsWords::tr("%1 s").arg(std::abs(std::chrono::duration<double>(d).count()), 0, 'f', 1);
}

QString columnTitle(int column)
{
    switch (column) {
    case ContextsModel::Mark: return {};
    case ContextsModel::Name: return ContextsWords::tr("Context");
    case ContextsModel::State: return ContextsWords::tr("State");
    case ContextsModel::Namespaces: return ContextsWords::tr("Namespaces");
    case ContextsModel::Server: return ContextsWords::tr("Server");
    case ContextsModel::User: return ContextsWords::tr("User");
    case ContextsModel::Version: return ContextsWords::tr("Version");
    case ContextsModel::Latency: return ContextsWords::tr("Latency");
    case ContextsModel::Skew: return ContextsWords::tr("Clock");
    case ContextsModel::LastContact: return ContextsWords::tr("Heard");
    default: return {};
    }
}

QString columnHelp(int column)
{
    switch (column) {
    case ContextsModel::Mark: return ContextsWords::tr("Favourites are listed first; the colour is your own mark");
    case ContextsModel::State: return ContextsWords::tr("How the connection is doing, and why");
    case ContextsModel::Namespaces: return ContextsWords::tr("Namespaces that are watched, or would be");
    case ContextsModel::Server: return ContextsWords::tr("API server of the kubeconfig, and the address in use where there are several");
    case ContextsModel::Version: return ContextsWords::tr("Kubernetes version of the API server");
    case ContextsModel::Latency: return ContextsWords::tr("Time that the last small answer took");
    case ContextsModel::Skew:
        return ContextsWords::tr("How far the API server's clock is from this machine's. It says nothing of the clocks of the Pods.");
    case ContextsModel::LastContact: return ContextsWords::tr("Last sign of life");
    default: return columnTitle(column);
    }
}

bool isQuiet(const ContextRow &row, int column)
{
    switch (column) {
    case ContextsModel::Name: return false;
    case ContextsModel::State: return row.standing == Standing::Closed;
    case ContextsModel::Skew: return !row.skew || !row.skew->certain();
    default: return !row.open();
    }
}

QString unknownOr(const ContextRow &row, const QString &text)
{
    return text.isEmpty() ? (row.open() ? u"?"_s : dash) : text;
}

QString guardWord(const ContextRow &row)
{
    return row.readOnly ? ContextsWords::tr("read-only") : row.isProtected ? ContextsWords::tr("protected") : QString();
}

QString stateText(const ContextRow &row, Now now)
{
    if (row.standing == Standing::Waiting && !row.problem.isEmpty())
        return row.problem; // says it all
    QStringList parts{standingText(row, now)};
    if (!row.problem.isEmpty())
        parts << row.problem;
    else if (!row.notice.isEmpty() && row.open())
        parts << row.notice;
    if (const QString guard = guardWord(row); !guard.isEmpty())
        parts << guard;
    if (row.retryIn && row.standing != Standing::Live)
        parts << ContextsWords::tr("retry in %1").arg(secondsText(*row.retryIn));
    return parts.join(u"  "_s);
}

QString serverText(const ContextRow &row)
{
    const QString plain = QString(row.server).remove(u"https://"_s);
    return row.address.isEmpty() || row.address == row.server
        ? plain
        : ContextsWords::tr("%1, now %2").arg(plain, QString(row.address).remove(u"https://"_s));
}

} // namespace

Tone toneOf(Standing standing)
{
    switch (standing) {
    case Standing::Unauthorized:
    case Standing::Forbidden: return Tone::Bad;
    case Standing::Stale:
    case Standing::Connecting: return Tone::Unknown;
    case Standing::Waiting:
    case Standing::Unusable: return Tone::Warning;
    case Standing::Live: return Tone::Good;
    case Standing::Closed: break;
    }
    return Tone::Neutral;
}

QString words(Standing standing)
{
    switch (standing) {
    case Standing::Unauthorized: return ContextsWords::tr("unauthorized");
    case Standing::Forbidden: return ContextsWords::tr("forbidden");
    case Standing::Stale: return ContextsWords::tr("stale");
    case Standing::Waiting: return ContextsWords::tr("waiting for you");
    case Standing::Connecting: return ContextsWords::tr("connecting");
    case Standing::Live: return ContextsWords::tr("live");
    case Standing::Closed: return ContextsWords::tr("closed");
    case Standing::Unusable: break;
    }
    return ContextsWords::tr("cannot be used");
}

QString standingText(const ContextRow &row, Now now)
{
    if (row.vanished && !row.open())
        return ContextsWords::tr("gone from the kubeconfig");
    const auto since = row.staleSince ? row.staleSince : row.lastContact;
    if (row.standing == Standing::Stale && since)
        return ContextsWords::tr("stale since %1").arg(timeText(now.toWall(*since)));
    if (row.standing == Standing::Connecting && row.lastContact)
        return ContextsWords::tr("reconnecting");
    if (row.standing == Standing::Connecting && !row.problem.isEmpty())
        return ContextsWords::tr("not connected");
    return words(row.standing);
}

QString namespacesText(const ContextRow &row)
{
    QStringList names;
    for (const QString &ns : row.namespaces)
        names << (ns.isEmpty() ? ContextsWords::tr("all") : ns);
    return names.join(u", "_s);
}

QString skewText(const ClockSkew &skew)
{
    if (skew.certain())
        return ContextsWords::tr("%1 \u00b1 %2").arg(signedSeconds(skew.offset), plainSeconds(skew.uncertainty));
    const Duration most = std::max(skew.offset, -skew.offset) + skew.uncertainty;
    return ContextsWords::tr("under %1").arg(plainSeconds(most));
}

QString skewSentence(const ClockSkew &skew)
{
    if (!skew.certain())
        return {};
    const QString by = plainSeconds(skew.offset), sure = plainSeconds(skew.uncertainty);
    return skew.offset > Duration::zero() ? ContextsWords::tr("API server clock %1 ahead of this machine (\u00b1 %2)").arg(by, sure)
                                          : ContextsWords::tr("API server clock %1 behind this machine (\u00b1 %2)").arg(by, sure);
}

QString problemText(const ContextRow &row)
{
    return QStringList{row.problem, row.advice, row.notice}.join(u'\n').trimmed();
}

Tone contextsTone(const ContextsModel &contexts)
{
    Standing worst = Standing::Closed;
    for (int row = 0; row < contexts.rowCount(); ++row)
        if (contexts.rowAt(row)->open())
            worst = std::min(worst, contexts.rowAt(row)->standing);
    return toneOf(worst);
}

QString contextsSentence(const ContextsModel &contexts)
{
    std::map<Standing, int> count;
    std::map<Standing, const ContextRow *> one;
    int open = 0;
    for (int i = 0; i < contexts.rowCount(); ++i) {
        const ContextRow *row = contexts.rowAt(i);
        if (!row->open())
            continue;
        ++open;
        ++count[row->standing];
        one[row->standing] = row;
    }
    QStringList parts; // live first, as a person would say it
    if (count.contains(Standing::Live))
        parts << ContextsWords::tr("%1 live").arg(count[Standing::Live]);
    for (const auto &[standing, number] : count)
        if (standing != Standing::Live)
            parts << ContextsWords::tr("%1 %2", "number, state")
                         .arg(QString::number(number), number == 1 ? standingText(*one[standing], contexts.now()) : words(standing));
    const QString head = contexts.rowCount() == 1 ? ContextsWords::tr("%1 of 1 context open").arg(open)
                                                  : ContextsWords::tr("%1 of %2 contexts open").arg(open).arg(contexts.rowCount());
    return parts.isEmpty() ? head + u'.' : ContextsWords::tr("%1; %2.", "contexts open; states").arg(head, parts.join(u", "_s));
}

ContextsWords::ContextsWords(ContextsModel *contexts, QObject *parent)
    : ColumnWords(parent)
    , m_contexts(contexts)
{
    setSourceModel(contexts);
}

QString ContextsWords::display(const ContextRow &row, int column) const
{
    switch (column) {
    case ContextsModel::Mark: return row.favourite ? u"\u2605"_s : QString();
    case ContextsModel::Name: return row.alias.isEmpty() ? row.name : u"%1  %2"_s.arg(row.alias, row.name);
    case ContextsModel::State: return stateText(row, m_contexts->now());
    case ContextsModel::Namespaces: return namespacesText(row);
    case ContextsModel::Server: return serverText(row);
    case ContextsModel::User: return row.user.isEmpty() ? dash : row.user;
    case ContextsModel::Version: return unknownOr(row, row.version);
    case ContextsModel::Latency: return row.latency ? tr("%1 ms").arg(row.latency->count()) : unknownOr(row, {});
    case ContextsModel::Skew: return row.skew ? skewText(*row.skew) : unknownOr(row, {});
    case ContextsModel::LastContact:
        return row.lastContact ? secondsText(std::max(Duration::zero(), m_contexts->now().boot - *row.lastContact)) : unknownOr(row, {});
    default: return {};
    }
}

QString ContextsWords::toolTip(const ContextRow &row, int column) const
{
    switch (column) {
    case ContextsModel::Mark:
        return row.favourite ? tr("Favourite. Click the star to take it from the favourites.") : tr("Click the star to list it first.");
    case ContextsModel::Name: {
        QStringList lines{row.name};
        if (!row.alias.isEmpty())
            lines << tr("alias %1").arg(row.alias);
        if (row.current)
            lines << tr("kubectl's current context");
        if (!row.file.isEmpty())
            lines << tr("from %1").arg(row.file);
        if (const QString guard = guardWord(row); !guard.isEmpty())
            lines << guard;
        return lines.join(u'\n');
    }
    case ContextsModel::State: return QStringList{display(row, column), row.advice}.join(u'\n').trimmed();
    case ContextsModel::Server:
        return QStringList{row.server, row.address.isEmpty() || row.address == row.server ? QString() : tr("in use: %1").arg(row.address),
                           row.insecure ? tr("its certificate is not checked") : QString()}
            .join(u'\n')
            .trimmed();
    case ContextsModel::Skew: return row.skew ? skewSentence(*row.skew) : tr("not known");
    case ContextsModel::LastContact:
        return row.lastContact ? timeText(m_contexts->now().toWall(*row.lastContact)) : tr("nothing was heard yet");
    default: return display(row, column);
    }
}

QVariant ContextsWords::data(const QModelIndex &index, int role) const
{
    const ContextRow *row = index.isValid() ? m_contexts->rowAt(index.row()) : nullptr;
    if (!row)
        return {};
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return display(*row, column);
    case Qt::ToolTipRole: return toolTip(*row, column);
    case Qt::AccessibleTextRole:
        return tr("%1 of %2: %3", "column, context, value")
            .arg(column == ContextsModel::Mark ? tr("Favourite") : columnTitle(column), row->shown(),
                 column == ContextsModel::Mark ? (row->favourite ? tr("yes") : tr("no")) : display(*row, column));
    case Qt::TextAlignmentRole:
        return column == ContextsModel::Latency || column == ContextsModel::Skew || column == ContextsModel::LastContact
            ? int(Qt::AlignRight | Qt::AlignVCenter)
            : int(Qt::AlignLeft | Qt::AlignVCenter);
    case ToneRole:
        if (column == ContextsModel::State)
            return int(toneOf(row->standing));
        return {};
    case EmphasisRole:
        if (column == ContextsModel::State && row->standing != Standing::Closed)
            return int((row->standing == Standing::Waiting ? row->problem : standingText(*row, m_contexts->now())).size());
        if (column == ContextsModel::Name && !row->alias.isEmpty())
            return int(row->alias.size());
        return {};
    case SecondaryRole: return isQuiet(*row, column);
    case ContextColourRole: return row->colour;
    case items::FilterRole: return QString(QIdentityProxyModel::data(index, role).toString() + u' ' + words(row->standing).toLower());
    default: return QIdentityProxyModel::data(index, role);
    }
}

ColumnHeader ContextsWords::header(int column) const
{
    const bool right = column == ContextsModel::Latency || column == ContextsModel::Skew || column == ContextsModel::LastContact;
    return {columnTitle(column), columnHelp(column), right, column == ContextsModel::Mark ? tr("Favourite") : QString()};
}

} // namespace switchyard::views
