// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/call.h"

#include "app/kube/reply_error.h"
#include "models/core/proxy_status.h"

#include <algorithm>
#include <cstring>

namespace switchyard::kube {

OnceDevice::OnceDevice(QByteArray body, QObject *parent)
    : QIODevice(parent)
    , m_body(std::move(body))
{
    m_touched = m_body.isEmpty(); // nothing to wait for: it may be there as soon as it is begun
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
}

qint64 OnceDevice::readData(char *data, qint64 size)
{
    if (atEnd())
        return -1;
    const qint64 count = std::min<qint64>(size, m_body.size() - m_at);
    if (count > 0) {
        m_touched = true;
        std::memcpy(data, m_body.constData() + m_at, static_cast<std::size_t>(count));
        m_at += count;
    }
    return count;
}

Call::Call(QNetworkReply *reply, Target target, OnceDevice *body, QObject *context, Client::Done done, CallLimits limits)
    : QObject(reply)
    , m_reply(reply)
    , m_target(std::move(target))
    , m_body(body)
    , m_context(context)
    , m_done(std::move(done))
    , m_limits(limits)
{
    m_idle.setSingleShot(true);
    m_total.setSingleShot(true);
    connect(&m_idle, &QTimer::timeout, this, &Call::onIdle);
    connect(&m_total, &QTimer::timeout, this, &Call::giveUp);
    connect(reply, &QNetworkReply::metaDataChanged, this, &Call::onHead);
    connect(reply, &QNetworkReply::readyRead, this, &Call::onBytes);
    connect(reply, &QNetworkReply::finished, this, &Call::finish);
    m_idle.start(limits.idle);
    m_total.start(limits.total);
    m_clock.start();
}

void Call::onHead()
{
    if (m_headAfter.count() == 0)
        m_headAfter = std::chrono::milliseconds(m_clock.elapsed());
}

// A write that is on its way has all of its time: nobody else may be asked to do it.
void Call::onIdle()
{
    if (!m_body || !m_body->touched())
        giveUp();
}

void Call::onBytes()
{
    m_idle.start(m_limits.idle);
    if (m_reply->bytesAvailable() > m_limits.bytes)
        giveUp();
}

void Call::giveUp()
{
    noteTimeout(m_reply, m_limits.told);
    m_reply->abort(); // calls finish() before it returns
}

void Call::finish()
{
    m_idle.stop();
    m_total.stop();
    m_reply->disconnect(this);
    Response response;
    response.status = statusOf(m_reply);
    response.body = m_reply->isOpen() ? m_reply->readAll() : QByteArray();
    response.serverDate = serverDate(m_reply);
    response.headAfter = m_headAfter;
    response.took = std::chrono::milliseconds(m_clock.elapsed());
    response.server = m_target.server;
    response.connected = !neverConnected(m_reply);
    response.error = errorOf(response);
    if (response.error)
        response.error = addressed(*response.error, m_target.verb, m_target.path);
    unknownUnlessAnswered(response);
    m_reply->deleteLater();
    const Client::Done done = std::move(m_done);
    if (m_context)
        done(response);
}

std::optional<Error> Call::errorOf(const Response &response) const
{
    const bool good = response.status >= 200 && response.status < 300;
    const bool broken = m_reply->error() != QNetworkReply::NoError && (good || m_reply->error() < QNetworkReply::ContentAccessDenied);
    if (m_target.path.proxy && response.status != 0 && !broken) {
        // The API server speaks of itself in a Status; all else is the Pod's own answer.
        if (!good && decodeStatus(std::string_view(response.body.constData(), static_cast<std::size_t>(response.body.size()))))
            return errorOfReply(m_reply, response.body, m_target.server);
    } else if (!good || broken) {
        return errorOfReply(m_reply, response.body, m_target.server);
    }
    if (isCutShort(m_reply, response.body))
        return cutShortError(m_target.server, response.status);
    return std::nullopt;
}

// A write counts as refused only by a clear answer. A 5xx may come from something in between while the API server went on,
// and a broken 200 tells nothing that could be relied on: the object has to be read again.
void Call::unknownUnlessAnswered(Response &response) const
{
    const bool sent = m_body && m_body->touched() && response.connected;
    if (!sent || !response.error)
        return;
    Error &error = *response.error;
    // Of a Pod that was not reached some API servers say 503, older ones 500; their words tell whether the Pod may have got it.
    const ProxyTrouble trouble = m_target.path.proxy ? proxyTrouble(error.message) : ProxyTrouble::None;
    const bool notReached = trouble == ProxyTrouble::NoRoute || trouble == ProxyTrouble::Tls;
    const bool busy = response.status == 503 && !error.reason.empty() && trouble == ProxyTrouble::None;
    const bool turnedAway = response.status == 501 || notReached || busy;
    if (response.status >= 300 && (response.status < 500 || turnedAway))
        return;
    error.kind = ErrorKind::OutcomeUnknown;
    error.advice = tr("the request was sent once; read the object again to see whether it was done").toStdString();
}

Error addressed(Error error, const QString &verb, const Path &path)
{
    const auto fill = [](std::string &field, const std::string &ours) {
        if (field.empty())
            field = ours;
    };
    fill(error.verb, verb.toStdString());
    fill(error.resource, path.resourceText());
    fill(error.ns, path.ns.toStdString());
    fill(error.name, path.name.toStdString());
    return error;
}

} // namespace switchyard::kube
