// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/audit_words.h"

#include "models/rules/write_outcome.h"
#include "views/widgets/cell_roles.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <map>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::AuditModel;
using items::AuditRow;

namespace {

QString columnTitle(int column)
{
    switch (column) {
    case AuditModel::At: return AuditWords::tr("Time, %1", "with the zone").arg(zoneText());
    case AuditModel::Who: return AuditWords::tr("Who");
    case AuditModel::Account: return AuditWords::tr("Account");
    case AuditModel::Context: return AuditWords::tr("Context");
    case AuditModel::Cluster: return AuditWords::tr("Cluster");
    case AuditModel::Action: return AuditWords::tr("Action");
    case AuditModel::Request: return AuditWords::tr("Request");
    case AuditModel::Result: return AuditWords::tr("Answer");
    case AuditModel::Outcome: return AuditWords::tr("Outcome");
    default: return {};
    }
}

QString columnHelp(int column)
{
    switch (column) {
    case AuditModel::Who: return AuditWords::tr("The user of this computer who confirmed it");
    case AuditModel::Account: return AuditWords::tr("The kubeconfig's user entry, and whom it acted as");
    case AuditModel::Result: return AuditWords::tr("What the server answered");
    case AuditModel::Outcome: return AuditWords::tr("What came of it in the cluster, where that was seen");
    default: return columnTitle(column);
    }
}

QString accountText(const AuditRow &row)
{
    const QString as = row.asUser.isEmpty() ? QString() : AuditWords::tr("as %1").arg(row.asUser);
    return QStringList{row.kubeUser, as}.join(u' ').trimmed();
}

QString dateAndTime(Instant t)
{
    const QString time = timeText(t);
    return time.left(time.lastIndexOf(u' ')); // the header has the zone
}

QString bothTimes(Instant t)
{
    const QString local = timeText(t), utc = timeTextUtc(t);
    return local == utc ? utc : u"%1 / %2"_s.arg(local, utc);
}

template<class Code, class Words>
QString byCode(const QString &wanted, int count, Code codeOf, Words wordsOf)
{
    for (int i = 0; i < count; ++i)
        if (const std::string_view c = codeOf(i); wanted == QLatin1StringView(c.data(), qsizetype(c.size())))
            return wordsOf(i);
    return wanted; // of another version: as it stands
}

// A switch without default: the compiler reports a code that has no words.
QString words(rules::WriteOutcome outcome)
{
    using rules::WriteOutcome;
    switch (outcome) {
    case WriteOutcome::NotYet: return AuditWords::tr("seen, not complete yet");
    case WriteOutcome::InForce: return AuditWords::tr("in force");
    case WriteOutcome::ChangedAgain: return AuditWords::tr("in force, then changed again by somebody");
    case WriteOutcome::Undone: return AuditWords::tr("taken back by somebody before it was complete");
    case WriteOutcome::CameBack: return AuditWords::tr("the member went and runs again");
    case WriteOutcome::NotSeen: return AuditWords::tr("its time is past, nothing was seen of it");
    case WriteOutcome::NotObservable: return AuditWords::tr("not observable");
    case WriteOutcome::TooLate: return AuditWords::tr("too late: the request was carried out");
    }
    return unknownText();
}

void fact(QStringList &lines, const QString &caption, const QString &value)
{
    if (!value.isEmpty())
        lines << u"%1: %2"_s.arg(caption, value);
}

} // namespace

QString auditActionText(const QString &wanted)
{
    return byCode(
        wanted, rules::actionCount, [](int i) { return rules::code(static_cast<rules::ActionKind>(i)); },
        [](int i) { return words(static_cast<rules::ActionKind>(i)); });
}

QString auditResultText(const QString &code)
{
    static const std::map<QString, QString> known{
        {QString(), AuditWords::tr("not noted: outcome unknown")},
        {u"done"_s, AuditWords::tr("written")},
        {u"conflict"_s, AuditWords::tr("conflict: not written")},
        {u"not-permitted"_s, AuditWords::tr("not permitted")},
        {u"vanished"_s, AuditWords::tr("object gone: not written")},
        {u"arrived"_s, AuditWords::tr("answer lost, but written")},
        {u"not-arrived"_s, AuditWords::tr("answer lost, not written")},
        {u"outcome-unknown"_s, AuditWords::tr("answer lost: outcome unknown")},
        {u"unknown"_s, AuditWords::tr("answer lost: outcome unknown")},
        {u"failed"_s, AuditWords::tr("not written")},
        {u"abandoned"_s, AuditWords::tr("program ended: outcome unknown")},
        {u"scheduled"_s, AuditWords::tr("scheduled")},
        {u"still-running"_s, AuditWords::tr("still running when the answer ended")},
        {u"patroni-refused"_s, AuditWords::tr("refused by Patroni")},
        {u"limited"_s, AuditWords::tr("Patroni's server cannot be reached this way")},
    };
    const auto found = known.find(code);
    return found == known.end() ? code : found->second;
}

QString auditOutcomeText(const QString &wanted)
{
    const QString written = byCode(
        wanted, rules::writeOutcomeCount, [](int i) { return rules::code(static_cast<rules::WriteOutcome>(i)); },
        [](int i) { return words(static_cast<rules::WriteOutcome>(i)); });
    if (written != wanted)
        return written;
    return byCode(
        wanted, int(patroni::Outcome::Refused) + 1, [](int i) { return patroni::code(static_cast<patroni::Outcome>(i)); },
        [](int i) { return words(static_cast<patroni::Outcome>(i)); });
}

Tone auditTone(const AuditRow &row)
{
    static const QStringList good{u"done"_s, u"arrived"_s, u"scheduled"_s};
    static const QStringList bad{u"not-permitted"_s, u"failed"_s, u"patroni-refused"_s, u"limited"_s, u"conflict"_s, u"vanished"_s};
    if (good.contains(row.result))
        return Tone::Good;
    return bad.contains(row.result) ? Tone::Bad : row.result == u"not-arrived" ? Tone::Warning : Tone::Unknown;
}

QString auditDetails(const AuditRow &row)
{
    QStringList lines;
    fact(lines, AuditWords::tr("Action"), auditActionText(row.action));
    fact(lines, AuditWords::tr("Cluster"), u"%1 / %2"_s.arg(text(row.cluster.context), text(row.cluster.text())));
    if (row.at)
        fact(lines, AuditWords::tr("Intent"), bothTimes(*row.at));
    fact(lines, AuditWords::tr("Who"), row.osUser);
    fact(lines, AuditWords::tr("Account"), accountText(row));
    fact(lines, AuditWords::tr("Groups"), row.asGroups.join(u", "_s));
    fact(lines, AuditWords::tr("Server"), row.server);
    fact(lines, AuditWords::tr("Member"), row.member);
    fact(lines, AuditWords::tr("Request"), row.request);
    fact(lines, AuditWords::tr("Sent"), QString(row.verb + u' ' + (row.path.isEmpty() ? row.object : row.path)).trimmed());
    fact(lines, AuditWords::tr("Version before"), row.versionBefore);
    fact(lines, AuditWords::tr("Version after"), row.versionAfter);
    const QString status = row.httpStatus != 0 ? AuditWords::tr(" (HTTP %1)").arg(row.httpStatus) : QString();
    fact(lines, AuditWords::tr("Answer"), auditResultText(row.result) + status);
    if (row.answeredAt)
        fact(lines, AuditWords::tr("Answered"), bothTimes(*row.answeredAt));
    fact(lines, AuditWords::tr("In its words"), row.detail);
    fact(lines, AuditWords::tr("Outcome"), row.outcome.isEmpty() ? unknownText() : auditOutcomeText(row.outcome));
    if (row.outcomeAt)
        fact(lines, AuditWords::tr("Seen"), bothTimes(*row.outcomeAt));
    fact(lines, AuditWords::tr("In detail"), row.outcomeDetail);
    fact(lines, AuditWords::tr("Preflight"), row.preflight);
    fact(lines, AuditWords::tr("Tried before"), row.dryRun);
    fact(lines, AuditWords::tr("Id"), row.id);
    if (!row.body.isEmpty())
        lines << QString() << AuditWords::tr("Body, exactly:") << row.body;
    return lines.join(u'\n');
}

AuditWords::AuditWords(AuditModel *audit, QObject *parent)
    : ColumnWords(parent)
    , m_audit(audit)
{
    setSourceModel(audit);
}

QString AuditWords::display(const AuditRow &row, int column) const
{
    switch (column) {
    case AuditModel::At: return row.at ? dateAndTime(*row.at) : unknownText();
    case AuditModel::Who: return row.osUser.isEmpty() ? unknownText() : row.osUser;
    case AuditModel::Account: return row.kubeUser.isEmpty() && row.asUser.isEmpty() ? unknownText() : accountText(row);
    case AuditModel::Context: return text(row.cluster.context);
    case AuditModel::Cluster: return text(row.cluster.text());
    case AuditModel::Action: return auditActionText(row.action);
    case AuditModel::Request: return row.member.isEmpty() ? row.request : u"%1: %2"_s.arg(row.member, row.request);
    case AuditModel::Result: return auditResultText(row.result);
    case AuditModel::Outcome: return row.outcome.isEmpty() ? unknownText() : auditOutcomeText(row.outcome);
    default: return {};
    }
}

QString AuditWords::toolTip(const AuditRow &row, int column) const
{
    switch (column) {
    case AuditModel::At: return row.at ? timeText(*row.at) + u'\n' + timeTextUtc(*row.at) : unknownText();
    case AuditModel::Account: return QStringList{accountText(row), row.asGroups.join(u", "_s), row.server}.join(u'\n').trimmed();
    case AuditModel::Result: return QStringList{display(row, column), row.detail}.join(u'\n').trimmed();
    default: return display(row, column);
    }
}

QVariant AuditWords::data(const QModelIndex &index, int role) const
{
    const AuditRow *row = index.isValid() ? m_audit->rowAt(index.row()) : nullptr;
    if (!row)
        return {};
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return display(*row, column);
    case Qt::ToolTipRole: return toolTip(*row, column);
    case Qt::AccessibleTextRole: {
        const QString value = column == AuditModel::At && row->at ? timeText(*row->at) : display(*row, column);
        return tr("%1: %2", "column: value").arg(columnTitle(column), value.isEmpty() ? tr("none") : value);
    }
    case ToneRole: return column == AuditModel::Result ? QVariant(int(auditTone(*row))) : QVariant();
    case SecondaryRole: return column == AuditModel::Context || (column == AuditModel::Outcome && row->outcome.isEmpty());
    case items::FilterRole:
        return QString(QIdentityProxyModel::data(index, role).toString() + u' ' + auditActionText(row->action) + u' '
                       + auditResultText(row->result).toLower());
    default: return QIdentityProxyModel::data(index, role);
    }
}

ColumnHeader AuditWords::header(int column) const
{
    return {columnTitle(column), columnHelp(column)};
}

} // namespace switchyard::views
