// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A Patroni cluster that lives on a MadeApi: the objects as Patroni writes them.
#include "made_api.h"
#include "models/core/time.h"

namespace switchyard::test {

class MadeCluster
{
public:
    // kind: "endpoints" or "configmaps"
    MadeCluster(MadeApi *api, const Now *now, QString kind, QString ns, QString scope, int members = 3);
    void create();
    void renew();
    void release();
    void take(int member);
    void switchTo(int member) // as after a switchover: lock, history, roles
    {
        release();
        take(member);
        promote(member);
    }
    void promote(int member);
    void setConfig(const QByteArray &json);
    void ask(const QString &from, const QString &to); // the failover object
    void clearRequest();
    void replacePod(int member);                                                        // deleted, made again with another uid
    void note(const QString &text, const QString &annotation = QStringLiteral("note")); // an annotation of the config object

    QString leaderObject() const;
    MadeApi::Id leaderId() const { return {kind, ns, leaderObject()}; }
    MadeApi::Id configId() const { return {kind, ns, scope + QStringLiteral("-config")}; }
    MadeApi::Id failoverId() const { return {kind, ns, scope + QStringLiteral("-failover")}; }
    MadeApi::Id podId(int member) const { return {QStringLiteral("pods"), ns, this->member(member)}; }
    QString member(int i) const { return QStringLiteral("%1-%2").arg(scope).arg(i); }

    QString kind, ns, scope;
    int members, leader = 0, timeline = 2, transitions = 3;

private:
    void annotate(const MadeApi::Id &id, const std::function<void(QJsonObject &annotations)> &edit);
    void makePod(int member);
    QString time() const;

    MadeApi *m_api;
    const Now *m_now;
    QString m_acquired;
};

} // namespace switchyard::test
