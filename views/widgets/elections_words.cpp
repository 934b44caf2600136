// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/elections_words.h"

#include "views/widgets/cell_roles.h"
#include "views/words.h"
#include "views/words_elections.h"

namespace switchyard::views {

using namespace Qt::StringLiterals;
using election::Election;
using items::ElectionsModel;

namespace {

const QString dash = u"\u2013"_s;

QString columnTitle(int column)
{
    switch (column) {
    case ElectionsModel::State: return ElectionsWords::tr("State");
    case ElectionsModel::Name: return ElectionsWords::tr("Election");
    case ElectionsModel::Namespace: return ElectionsWords::tr("Namespace");
    case ElectionsModel::Kind: return ElectionsWords::tr("Kind");
    case ElectionsModel::Holder: return ElectionsWords::tr("Holder");
    case ElectionsModel::Pod: return ElectionsWords::tr("Pod");
    case ElectionsModel::Record: return ElectionsWords::tr("Record");
    case ElectionsModel::Renewed: return ElectionsWords::tr("Renewed, %1").arg(zoneText());
    case ElectionsModel::Lasts: return ElectionsWords::tr("Lasts");
    case ElectionsModel::Transitions: return ElectionsWords::tr("Trans.", "transitions of an election");
    case ElectionsModel::Rate: return ElectionsWords::tr("Per hour");
    case ElectionsModel::Context: return ElectionsWords::tr("Context");
    default: return {};
    }
}

QString columnHelp(int column)
{
    switch (column) {
    case ElectionsModel::State:
        return ElectionsWords::tr("By observation: a record that is seen to change is held; its own times prove nothing");
    case ElectionsModel::Kind: return ElectionsWords::tr("What the lock is kept in");
    case ElectionsModel::Holder: return ElectionsWords::tr("The identity in the record");
    case ElectionsModel::Pod: return ElectionsWords::tr("The Pod that the holder's identity resolves to, and its state");
    case ElectionsModel::Record:
        return ElectionsWords::tr("By our own clock: time until it expires if it is not renewed, or how long it has been unchanged");
    case ElectionsModel::Renewed: return ElectionsWords::tr("Renew time as recorded, by the holder's clock");
    case ElectionsModel::Lasts:
        return ElectionsWords::tr("How long a record holds without a renewal: the lease duration, of Patroni's locks the ttl");
    case ElectionsModel::Transitions: return ElectionsWords::tr("Changes of the holder, as recorded");
    case ElectionsModel::Rate: return ElectionsWords::tr("New leaders seen an hour, since the program looks; from ten minutes on");
    default: return columnTitle(column);
    }
}

bool rightAligned(int column)
{
    return column == ElectionsModel::Record || column == ElectionsModel::Renewed || column == ElectionsModel::Lasts
        || column == ElectionsModel::Transitions || column == ElectionsModel::Rate;
}

// "14:02:11", "2031-02-01" when it was another day; the tooltip has all of it
QString shortTime(Instant t)
{
    const QString whole = timeText(t);
    return whole.left(whole.indexOf(u' '));
}

// The state first: where room is short it must stay.
QString podShort(const Election &e)
{
    const QString whole = podText(e);
    const qsizetype name = e.pod ? text(e.pod->name).size() + 2 : 0;
    return e.pod ? ElectionsWords::tr("%1  %2", "state, Pod").arg(whole.mid(name), text(e.pod->name)) : whole;
}

QString bothTimes(Instant t)
{
    return timeText(t) + u'\n' + timeTextUtc(t);
}

// Is there no such thing, as opposed to: it is not known?
bool hasNoRecordTimes(const Election &e)
{
    return e.key.family == election::Family::LeaderForLife;
}

QString lastsHelp(const Election &e)
{
    if (!e.duration)
        return unknownText();
    return e.key.family == election::Family::Patroni ? ElectionsWords::tr("ttl: %1 s").arg(*e.duration)
                                                     : ElectionsWords::tr("lease duration: %1 s").arg(*e.duration);
}

QString orNone(const QString &value)
{
    return value.isEmpty() ? dash : value;
}

template<class Number>
QString number(const Election &e, const std::optional<Number> &value, const QString &unit)
{
    return value ? QString::number(*value) + unit : hasNoRecordTimes(e) ? dash : unknownText();
}

} // namespace

ElectionsWords::ElectionsWords(ElectionsModel *elections, QObject *parent)
    : ColumnWords(parent)
    , m_elections(elections)
{
    setSourceModel(elections);
}

void ElectionsWords::setAliases(const std::map<QString, QString> &aliases)
{
    if (aliases == m_aliases)
        return;
    m_aliases = aliases;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, ElectionsModel::Context), index(rowCount() - 1, ElectionsModel::Context));
}

QString ElectionsWords::shownContext(const Election &e) const
{
    const QString name = text(e.key.context);
    const auto found = m_aliases.find(name);
    return found == m_aliases.end() ? name : found->second;
}

QString ElectionsWords::rateText(int row) const
{
    const QVariant rate = m_elections->index(row, ElectionsModel::Rate).data(items::RawRole);
    return rate.isValid() ? QString::number(rate.toDouble(), 'f', 1) : dash;
}

QString ElectionsWords::display(const Election &e, int row, int column) const
{
    switch (column) {
    case ElectionsModel::State: return e.disagrees ? tr("%1, disagrees", "state of an election").arg(words(e.state)) : words(e.state);
    case ElectionsModel::Name: return text(e.key.name);
    case ElectionsModel::Namespace: return text(e.key.ns);
    case ElectionsModel::Kind: return words(e.kind);
    case ElectionsModel::Holder: return holderText(e);
    case ElectionsModel::Pod: return orNone(podShort(e));
    case ElectionsModel::Record: return orNone(recordText(e, m_elections->now()));
    case ElectionsModel::Renewed: return e.renewedAt ? shortTime(*e.renewedAt) : dash;
    case ElectionsModel::Lasts: return number(e, e.duration, tr(" s"));
    case ElectionsModel::Transitions: return number(e, e.transitions, {});
    case ElectionsModel::Rate: return rateText(row);
    case ElectionsModel::Context: return shownContext(e);
    default: return {};
    }
}

QString ElectionsWords::toolTip(const Election &e, int row, int column) const
{
    switch (column) {
    case ElectionsModel::State: return electionHeadline(e, m_elections->now()) + u'\n' + explained(e);
    case ElectionsModel::Record: {
        const auto age = items::recordAge(e, m_elections->now());
        const QString rhythm = e.rhythm ? tr("\nusually renewed every %1").arg(durationText(*e.rhythm)) : QString();
        return (age ? tr("last change seen %1").arg(agoText(e.changedNotAfter, m_elections->now())) : tr("no change seen yet")) + rhythm;
    }
    case ElectionsModel::Renewed:
        return e.renewedAt        ? tr("by the holder's clock:\n%1").arg(bothTimes(*e.renewedAt))
            : hasNoRecordTimes(e) ? tr("none: a lock of a leader for life is not renewed")
                                  : tr("no renew time is recorded");
    case ElectionsModel::Rate: {
        const auto watched = m_elections->watchedFor(row);
        return watched ? tr("%n new leader(s) seen in %1", nullptr, m_elections->takeoversAt(row)).arg(durationText(*watched))
                       : unknownText();
    }
    case ElectionsModel::Lasts:
        return !hasNoRecordTimes(e) ? lastsHelp(e) : tr("none: a leader for life keeps its lock until its Pod is deleted");
    case ElectionsModel::Transitions:
        return hasNoRecordTimes(e) ? tr("none kept: a lock of a leader for life has no count of them") : display(e, row, column);
    default: return display(e, row, column);
    }
}

QString ElectionsWords::accessible(const Election &e, int row, int column) const
{
    QString value = display(e, row, column);
    if (value == dash)
        value = tr("none");
    const QString stale = e.state == election::State::Stale ? tr(", stale") : QString();
    return tr("%1 of %2: %3%4", "column, election, value").arg(columnTitle(column), text(e.key.ns) + u'/' + text(e.key.name), value, stale);
}

QVariant ElectionsWords::fraction(const Election &e, int column) const
{
    if (column != ElectionsModel::Record || !election::leads(e.state) || !e.expiresAt || !e.duration || *e.duration <= 0)
        return {};
    return qBound(0.0, toSeconds(*e.expiresAt - m_elections->now().boot) / double(*e.duration), 1.0);
}

bool ElectionsWords::glows(const QModelIndex &index) const
{
    const QVariant at = QIdentityProxyModel::data(index, items::ChangedAtRole);
    return m_glow && at.isValid() && m_elections->now().boot.time_since_epoch().count() - at.toLongLong() < glowTime.count();
}

QVariant ElectionsWords::data(const QModelIndex &index, int role) const
{
    const Election *e = index.isValid() ? m_elections->electionAt(index.row()) : nullptr;
    if (!e)
        return {};
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return display(*e, index.row(), column);
    case Qt::ToolTipRole: return toolTip(*e, index.row(), column);
    case Qt::AccessibleTextRole: return accessible(*e, index.row(), column);
    case Qt::TextAlignmentRole: return int((rightAligned(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case ToneRole: return column == ElectionsModel::State ? QVariant(int(toneOf(*e))) : QVariant();
    case FractionRole: return fraction(*e, column);
    case SecondaryRole: {
        const QString shown = display(*e, index.row(), column);
        return shown == dash || shown == unknownText() || column == ElectionsModel::Context;
    }
    case GlowRole: return glows(index);
    case items::SortRole:
        return column == ElectionsModel::Context && !m_aliases.empty() ? QVariant(shownContext(*e))
                                                                       : QIdentityProxyModel::data(index, role);
    case items::FilterRole: // in words, too: what is read can be typed
        return QString(QIdentityProxyModel::data(index, role).toString() + u' '
                       + QStringList{words(e->state), words(e->kind), shownContext(*e)}.join(u' ').toLower());
    default: return QIdentityProxyModel::data(index, role);
    }
}

ColumnHeader ElectionsWords::header(int column) const
{
    return {columnTitle(column), columnHelp(column), rightAligned(column)};
}

} // namespace switchyard::views
