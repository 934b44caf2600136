// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "made_cluster.h"

#include <QJsonArray>

namespace switchyard::test {

using namespace Qt::StringLiterals;

MadeCluster::MadeCluster(MadeApi *api, const Now *now, QString kind_, QString ns_, QString scope_, int members_)
    : kind(std::move(kind_))
    , ns(std::move(ns_))
    , scope(std::move(scope_))
    , members(members_)
    , m_api(api)
    , m_now(now)
{}

QString MadeCluster::time() const
{
    return QString::fromStdString(formatUtc(m_now->wall));
}

QString MadeCluster::leaderObject() const
{
    return kind == u"endpoints"_s ? scope : scope + u"-leader"_s;
}

void MadeCluster::annotate(const MadeApi::Id &id, const std::function<void(QJsonObject &annotations)> &edit)
{
    m_api->put(id, [&](QJsonObject &object) {
        QJsonObject meta = object.value("metadata"_L1).toObject();
        QJsonObject annotations = meta.value("annotations"_L1).toObject();
        edit(annotations);
        meta.insert(u"annotations"_s, annotations);
        QJsonObject labels = meta.value("labels"_L1).toObject();
        labels.insert(u"application"_s, u"patroni"_s);
        labels.insert(u"cluster-name"_s, scope);
        meta.insert(u"labels"_s, labels);
        object.insert(u"metadata"_s, meta);
    });
}

void MadeCluster::create()
{
    m_acquired = time();
    annotate(configId(), [](QJsonObject &a) {
        a = {{u"initialize"_s, u"7713576556860619536"_s},
             {u"config"_s, uR"({"ttl":30,"loop_wait":10,"retry_timeout":10})"_s},
             {u"history"_s, uR"([[1,900,"no recovery target specified","2031-01-01T00:00:00+00:00","x-0"]])"_s}};
    });
    annotate(leaderId(), [this](QJsonObject &a) {
        a = {{u"leader"_s, member(leader)},
             {u"ttl"_s, u"30"_s},
             {u"acquireTime"_s, m_acquired},
             {u"renewTime"_s, time()},
             {u"transitions"_s, QString::number(transitions)},
             {u"optime"_s, u"1000"_s}};
    });
    for (int i = 0; i < members; ++i)
        makePod(i);
}

void MadeCluster::makePod(int i)
{
    const bool primary = i == leader;
    const QString status =
        uR"({"conn_url":"postgres://10.0.0.%1:5432/postgres","api_url":"http://10.0.0.%1:8008/patroni","state":"running",)"
        uR"("role":"%2","version":"4.0.7","xlog_location":1000,"timeline":%3%4})"_s.arg(i)
            .arg(primary ? u"primary"_s : u"replica"_s)
            .arg(timeline)
            .arg(primary ? QString() : uR"(,"replication_state":"streaming")"_s);
    annotate(podId(i), [&](QJsonObject &a) { a.insert(u"status"_s, status); });
    m_api->put(podId(i), [&](QJsonObject &object) {
        QJsonObject meta = object.value("metadata"_L1).toObject(), labels = meta.value("labels"_L1).toObject();
        labels.insert(u"role"_s, primary ? u"primary"_s : u"replica"_s);
        meta.insert(u"labels"_s, labels);
        object.insert(u"metadata"_s, meta);
        object.insert(u"status"_s, QJsonObject{{u"phase"_s, u"Running"_s}, {u"podIP"_s, u"10.0.0.%1"_s.arg(i)}});
    });
}

void MadeCluster::renew()
{
    annotate(leaderId(), [this](QJsonObject &a) { a.insert(u"renewTime"_s, time()); });
}

void MadeCluster::release()
{
    annotate(leaderId(), [](QJsonObject &a) { a.remove(u"leader"_s); });
}

void MadeCluster::take(int i)
{
    leader = i;
    ++transitions;
    m_acquired = time();
    annotate(leaderId(), [this](QJsonObject &a) {
        a.insert(u"leader"_s, member(leader));
        a.insert(u"acquireTime"_s, m_acquired);
        a.insert(u"renewTime"_s, time());
        a.insert(u"transitions"_s, QString::number(transitions));
    });
}

void MadeCluster::promote(int i)
{
    leader = i;
    ++timeline;
    for (int member = 0; member < members; ++member)
        makePod(member);
    annotate(configId(), [this](QJsonObject &a) {
        a.insert(
            u"history"_s,
            uR"([[1,900,"x","2031-01-01T00:00:00+00:00","x-0"],[%1,1000,"x","%2","%3"]])"_s.arg(timeline - 1).arg(time(), member(leader)));
    });
}

void MadeCluster::setConfig(const QByteArray &json)
{
    annotate(configId(), [&](QJsonObject &a) { a.insert(u"config"_s, QString::fromUtf8(json)); });
}

void MadeCluster::ask(const QString &from, const QString &to)
{
    annotate(failoverId(), [&](QJsonObject &a) { a = {{u"leader"_s, from}, {u"member"_s, to}}; });
}

void MadeCluster::clearRequest()
{
    annotate(failoverId(), [](QJsonObject &a) { a = {}; });
}

void MadeCluster::replacePod(int i)
{
    m_api->erase(podId(i));
    makePod(i);
}

void MadeCluster::note(const QString &text, const QString &annotation)
{
    annotate(configId(), [&](QJsonObject &a) { a.insert(annotation, text); });
}

} // namespace switchyard::test
