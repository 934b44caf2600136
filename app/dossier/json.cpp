// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dossier/document.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace switchyard::dossier {

using namespace Qt::StringLiterals;

namespace {

QJsonValue text(const std::string &value)
{
    return QString::fromStdString(value);
}

QJsonValue text(const std::optional<std::string> &value)
{
    return value ? text(*value) : QJsonValue();
}

// "" : not told
QJsonValue told(const std::string &value)
{
    return value.empty() ? QJsonValue() : text(value);
}

template<class Code>
QJsonValue word(Code c)
{
    return QString::fromUtf8(code(c).data(), static_cast<qsizetype>(code(c).size()));
}

QJsonValue time(const std::optional<Instant> &t)
{
    return t ? text(formatUtc(*t)) : QJsonValue();
}

QJsonValue seconds(const std::optional<Duration> &d)
{
    return d ? QJsonValue(toSeconds(*d)) : QJsonValue();
}

QJsonValue number(const std::optional<std::int64_t> &n)
{
    return n ? QJsonValue(static_cast<qint64>(*n)) : QJsonValue();
}

QJsonObject request(const patroni::FailoverRequest &r)
{
    return {{u"leader"_s, text(r.leader)},
            {u"candidate"_s, text(r.member)},
            {u"scheduled_at"_s, time(r.scheduledAt)},
            {u"scheduled_at_raw"_s, text(r.scheduledAtRaw)}};
}

QJsonObject evidence(const patroni::Evidence &e)
{
    return {{u"code"_s, word(e.code)}, {u"subject"_s, told(e.subject)}, {u"detail"_s, told(e.detail)}, {u"at"_s, time(e.at)}};
}

QJsonArray evidenceArray(const std::vector<patroni::Evidence> &all)
{
    QJsonArray array;
    for (const patroni::Evidence &e : all)
        array.append(evidence(e));
    return array;
}

QJsonObject transition(const patroni::Transition &t)
{
    QJsonArray left;
    for (const std::string &member : t.leftBehind)
        left.append(text(member));
    const QJsonObject sources{
        {u"from"_s, told(std::string(code(t.fromSource)))},         {u"to"_s, told(std::string(code(t.toSource)))},
        {u"timeline"_s, told(std::string(code(t.timelineSource)))}, {u"lsn"_s, told(std::string(code(t.lsnSource)))},
        {u"lost_at"_s, told(std::string(code(t.lostSource)))},      {u"gained_at"_s, told(std::string(code(t.gainedSource)))},
        {u"kind"_s, told(std::string(code(t.kindSource)))}};
    return {{u"id"_s, told(t.id)},
            {u"kind"_s, word(t.kind)},
            {u"from"_s, text(t.from)},
            {u"to"_s, text(t.to)},
            {u"timeline_before"_s, number(t.timelineBefore)},
            {u"timeline"_s, number(t.timeline)},
            {u"lsn"_s, t.lsn ? text(formatLsn(*t.lsn)) : QJsonValue()},
            {u"lost_at"_s, time(t.lostAt)},
            {u"gained_at"_s, time(t.gainedAt)},
            {u"gap_s"_s, seconds(t.gap)},
            {u"gap_uncertainty_s"_s, seconds(t.gapUncertainty)},
            {u"not_before"_s, time(t.notBefore)},
            {u"not_after"_s, time(t.notAfter)},
            {u"writable_at"_s, time(t.writableAt)},
            {u"streaming_at"_s, time(t.streamingAt)},
            {u"left_behind"_s, left},
            {u"erased"_s, t.erased ? QJsonValue(request(*t.erased)) : QJsonValue()},
            {u"sources"_s, sources}};
}

QJsonObject moment(const DossierMoment &m)
{
    QJsonObject object{{u"at"_s, time(m.at)},     {u"clock"_s, word(m.clock)},   {u"member"_s, told(m.member)},
                       {u"what"_s, word(m.kind)}, {u"detail"_s, told(m.detail)}, {u"not_before"_s, time(m.notBefore)}};
    if (m.event) {
        object[u"event"_s] = word(m.event->type);
        object[u"detail"_s] = text(detailText(*m.event));
    }
    if (m.evidence)
        object[u"evidence"_s] = evidence(*m.evidence);
    return object;
}

QJsonObject diff(const ObjectDiff &d)
{
    QJsonArray changes;
    for (const FieldChange &c : d.changes)
        changes.append(
            QJsonObject{{u"field"_s, text(c.field)}, {u"before"_s, text(c.before)}, {u"after"_s, text(c.after)}, {u"hidden"_s, c.hidden}});
    return {{u"role"_s, text(d.role)},
            {u"object"_s, text(d.object)},
            {u"version_before"_s, told(d.versionBefore)},
            {u"version_after"_s, told(d.versionAfter)},
            {u"seen_before"_s, time(d.seenBefore)},
            {u"seen_after"_s, time(d.seenAfter)},
            {u"changes"_s, changes}};
}

QJsonObject report(const patroni::RequestReport &r)
{
    QJsonObject object = request(r.request);
    object[u"kind"_s] = word(r.kind);
    object[u"outcome"_s] = word(r.outcome);
    object[u"reason"_s] = r.reason ? word(*r.reason) : QJsonValue();
    object[u"certain"_s] = r.certain;
    object[u"new_leader"_s] = text(r.newLeader);
    object[u"new_timeline"_s] = number(r.newTimeline);
    return object;
}

QJsonObject audit(const DossierAudit &a)
{
    return {{u"at"_s, time(a.at)},          {u"os_user"_s, told(a.osUser)},  {u"user"_s, told(a.kubeUser)},
            {u"as_user"_s, told(a.asUser)}, {u"context"_s, told(a.context)}, {u"server"_s, told(a.server)},
            {u"action"_s, told(a.action)},  {u"request"_s, told(a.summary)}, {u"preflight"_s, told(a.preflight)},
            {u"body"_s, told(a.body)},      {u"result"_s, told(a.result)},   {u"answered_at"_s, time(a.answeredAt)},
            {u"outcome"_s, told(a.outcome)}};
}

template<class Range, class Make>
QJsonArray arrayOf(const Range &range, Make make)
{
    QJsonArray array;
    for (const auto &item : range)
        array.append(make(item));
    return array;
}

} // namespace

QByteArray json(const Dossier &d)
{
    const patroni::ClusterKey &key = d.names.key;
    const auto note = [](const DossierNote &n) {
        return QJsonObject{{u"at"_s, time(n.at)}, {u"author"_s, told(n.author)}, {u"text"_s, text(n.text)}};
    };
    const QJsonObject cause{{u"code"_s, word(d.cause.code)},
                            {u"certainty"_s, word(d.cause.certainty)},
                            {u"subject"_s, told(d.cause.subject)},
                            {u"detail"_s, told(d.cause.detail)},
                            {u"evidence"_s, evidenceArray(d.cause.evidence)},
                            {u"blind_spot"_s, d.cause.blindSpot},
                            {u"events_not_permitted"_s, d.cause.mayNotSeeEvents}};
    const QJsonObject all{{u"made_at"_s, time(d.madeAt)},
                          {u"context"_s, text(key.context)},
                          {u"namespace"_s, text(key.ns)},
                          {u"scope"_s, text(key.scope)},
                          {u"group"_s, key.group ? QJsonValue(*key.group) : QJsonValue()},
                          {u"mode"_s, word(d.names.mode)},
                          {u"system_id"_s, text(d.systemId)},
                          {u"transition"_s, transition(d.transition)},
                          {u"cause"_s, cause},
                          {u"sequence"_s, arrayOf(d.sequence, moment)},
                          {u"request"_s, d.request ? QJsonValue(report(*d.request)) : QJsonValue()},
                          {u"audit"_s, d.audit ? QJsonValue(audit(*d.audit)) : QJsonValue()},
                          {u"objects"_s, arrayOf(d.objects, diff)},
                          {u"notes"_s, arrayOf(d.notes, note)}};
    return QJsonDocument(all).toJson();
}

} // namespace switchyard::dossier
