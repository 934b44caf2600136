// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/elections/election_facts.h"

#include "models/items/elections_model.h"
#include "views/words.h"
#include "views/words_elections.h"
#include "views/words_tr.h"

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using election::Election;
using election::HolderChange;

namespace {

// "": known to be nobody
QVariant holderCell(const std::optional<std::string> &holder)
{
    return !holder ? QVariant() : holder->empty() ? QVariant(Words::tr("nobody")) : QVariant(text(*holder));
}

// An end leaves nobody; that is not unknown.
QVariant followerCell(const HolderChange &change)
{
    using election::ChangeKind;
    const bool ended = change.kind == ChangeKind::Released || change.kind == ChangeKind::Expired || change.kind == ChangeKind::Gone;
    return holderCell(change.to || !ended ? change.to : std::optional<std::string>(std::string()));
}

QVariant timeCell(const std::optional<Instant> &t)
{
    return t ? QVariant(qint64(t->time_since_epoch().count())) : QVariant();
}

// Only who follows somebody can have been waited for.
QString gapCell(const HolderChange &change)
{
    using election::ChangeKind;
    const bool taken = change.kind == ChangeKind::TakenOver || change.kind == ChangeKind::Retaken;
    return change.gap ? durationText(*change.gap) : taken ? unknownText() : u"\u2013"_s;
}

QString evidenceCell(const HolderChange &change, const QStringList &notes)
{
    QStringList all = notes;
    if (change.notBefore)
        all << Words::tr("not before %1: it was not looked at meanwhile").arg(timeText(*change.notBefore));
    for (const std::string &line : change.evidence)
        all << text(line);
    return all.isEmpty() ? u"\u2013"_s : all.join(u"; "_s);
}

} // namespace

RenewData electionRenewals(const Election &e, Now now, const ElectionPast &past)
{
    RenewData data;
    data.lease = e.key.family != election::Family::Patroni;
    for (const election::Renewal &renewal : e.renewals)
        if (renewal.interval)
            data.points.append({now.toWall(renewal.at), toSeconds(*renewal.interval)});
    data.ttl = e.duration ? static_cast<double>(*e.duration) : 0;
    if (e.rhythm && e.duration && e.key.family == election::Family::ClientGo)
        data.inTime = toSeconds(*e.rhythm) + static_cast<double>(*e.duration) / 3;
    const bool counting = e.state == election::State::Held || e.state == election::State::Late || e.state == election::State::Expired
        || e.state == election::State::Stuck;
    if (const auto age = items::recordAge(e, now); counting && age && !e.renewals.empty())
        data.open = toSeconds(*age);
    data.now = now.wall;
    data.minutes = minutesBeside(data.points, past.renewals);
    const auto note = [&](const std::vector<HolderChange> &changes) {
        for (const HolderChange &change : changes) {
            if (change.kind == election::ChangeKind::Expired)
                data.ranOut.append(change.wall);
        }
    };
    note(changesBefore(e, past));
    note(e.changes);
    return data;
}

std::vector<HolderChange> changesBefore(const Election &e, const ElectionPast &past)
{
    std::vector<HolderChange> before = past.changes;
    if (!e.changes.empty())
        std::erase_if(before, [&](const HolderChange &change) { return change.wall >= e.changes.front().wall; });
    return before;
}

QList<FactColumn> holderColumns()
{
    return {{Words::tr("When"), FactKind::Time},
            {Words::tr("What")},
            {Words::tr("From"), FactKind::Word, true},
            {Words::tr("To"), FactKind::Word, true},
            {Words::tr("Without leader")},
            {Words::tr("Transitions"), FactKind::Number, false, Words::tr("none kept: a lock of a leader for life has no count of them")},
            {Words::tr("Source")},
            {Words::tr("Evidence"), FactKind::Word, true}};
}

namespace {

QVariant transitionsCell(const HolderChange &change, bool kept)
{
    return change.transitions ? QVariant(qint64(*change.transitions)) : kept ? QVariant() : QVariant(QString());
}

items::FactRow holderRow(const Election &e, const HolderChange &change, const QString &source, const QStringList &notes = {})
{
    const bool kept = e.key.family != election::Family::LeaderForLife;
    return {{timeCell(change.wall), words(change.kind), holderCell(change.from), followerCell(change), gapCell(change),
             transitionsCell(change, kept), source, evidenceCell(change, notes)},
            QString::fromStdString(std::string(code(change.kind)))};
}

} // namespace

QList<items::FactRow> holderRows(const Election &e, const ElectionPast &past)
{
    QList<items::FactRow> rows;
    std::size_t place = 0; // those before are the first ones
    for (const HolderChange &change : changesBefore(e, past)) {
        const auto notes = past.notes.find(place++);
        rows.append(holderRow(e, change, Words::tr("archive"), notes == past.notes.end() ? QStringList() : notes->second));
    }
    for (const HolderChange &change : e.changes)
        rows.append(holderRow(e, change, Words::tr("seen")));
    std::reverse(rows.begin(), rows.end()); // newest first
    return rows;
}

} // namespace switchyard::views
