// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/server_facts.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace switchyard {

namespace {

constexpr qsizetype smallAnswer = 64 * 1024; // of a larger one the time tells of the line and of the list

bool differs(const std::optional<ClockSkew> &before, const ClockSkew &now)
{
    if (!before || before->certain() != now.certain())
        return true;
    const Duration step = before->offset - now.offset;
    return now.certain() && (step > before->uncertainty || -step > before->uncertainty);
}

} // namespace

ServerFacts::ServerFacts(kube::Client *small, kube::Clock clock, QObject *parent)
    : QObject(parent)
    , m_small(small)
    , m_clock(std::move(clock))
{
    listenTo(small);
}

void ServerFacts::listenTo(kube::Client *client)
{
    connect(client, &kube::Client::answered, this, &ServerFacts::onAnswer);
}

void ServerFacts::lost()
{
    m_versionDue = true;
}

void ServerFacts::onAnswer(const kube::Response &response)
{
    if (response.ok() && response.body.size() <= smallAnswer)
        m_latency = response.took;
    if (response.serverDate) {
        // The Date was written between the request and the head of the answer, some time ago by now.
        Now head = m_clock.now();
        const auto ago = response.took - response.headAfter;
        head.boot -= ago;
        head.wall -= ago;
        const ClockSkew best = betterSkew(m_skew, skewOf(head.wall - response.headAfter, head, *response.serverDate));
        const bool tell = differs(m_skew, best);
        m_skew = best;
        if (tell)
            Q_EMIT changed();
    }
    if (response.ok() && std::exchange(m_versionDue, false))
        askVersion();
}

void ServerFacts::askVersion()
{
    if (!m_small)
        return;
    m_small->getRaw(QStringLiteral("/version"), this, [this](const kube::Response &response) {
        if (response.status == 0 || response.status >= 500)
            m_versionDue = true; // with the next good answer
        const QString version = response.ok()
            ? QJsonDocument::fromJson(response.body).object().value(QStringLiteral("gitVersion")).toString().left(60)
            : QString();
        if (response.status != 0 && std::exchange(m_version, version) != version)
            Q_EMIT changed();
    });
}

} // namespace switchyard
