// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/watch_stream.h"

#include "app/kube/call.h"
#include "app/kube/lanes.h"
#include "app/kube/list_job.h"
#include "app/kube/reply_error.h"
#include "app/kube/retry_plan.h"

#include <QRandomGenerator>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype largestRefusal = 1024 * 1024;

QUrlQuery watchQuery(const WatchScope &scope, const std::string &version, const WatchTimes &times)
{
    const auto low = static_cast<int>(times.serverTimeoutMin.count());
    const auto high = static_cast<int>(std::max(times.serverTimeoutMin, times.serverTimeoutMax).count());
    QUrlQuery query;
    query.addQueryItem(u"watch"_s, u"true"_s);
    query.addQueryItem(u"allowWatchBookmarks"_s, u"true"_s);
    query.addQueryItem(u"resourceVersion"_s, QString::fromStdString(version));
    query.addQueryItem(u"timeoutSeconds"_s, QString::number(QRandomGenerator::global()->bounded(low, high + 1)));
    addSelectors(query, scope);
    return query;
}

} // namespace

WatchStream::WatchStream(Client *client, Path path, WatchScope scope, const std::string &version, const WatchTimes &times, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_path(std::move(path))
    , m_scope(std::move(scope))
    , m_version(version)
    , m_times(times)
    , m_splitter(times.maxLine)
{
    m_path.metadataOnly = m_scope.metadataOnly;
    m_silence.setSingleShot(true);
    connect(&m_silence, &QTimer::timeout, this, &WatchStream::onSilence);
}

WatchStream::~WatchStream()
{
    stop();
}

void WatchStream::start()
{
    m_age.start();
    if (m_client)
        open();
}

// The credential may have to be waited for; a plugin has its own time limit.
void WatchStream::open()
{
    m_client->startWatch(m_path, watchQuery(m_scope, m_version, m_times), this,
                         [this](const Result<Client::Stream> &stream) { onStarted(stream); });
}

void WatchStream::onStarted(const Result<Client::Stream> &stream)
{
    if (!stream) { // from the event loop, also when it is known at once
        const Error &error = stream.error();
        QTimer::singleShot(0, this, [this, error] { finish(End::Failed, error); });
        return;
    }
    if (m_over) {
        stream->reply->abort();
        return stream->reply->deleteLater();
    }
    m_reply = stream->reply;
    m_generation = stream->generation;
    m_server = stream->server;
    ++m_tries;
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &WatchStream::onHeaders);
    connect(m_reply, &QNetworkReply::readyRead, this, &WatchStream::onBytes);
    connect(m_reply, &QNetworkReply::finished, this, &WatchStream::onFinished);
    m_silence.start(headLimit()); // the API server sends headers at once
}

void WatchStream::stop()
{
    m_over = true;
    dropReply();
}

void WatchStream::dropReply()
{
    m_silence.stop();
    if (!m_reply)
        return;
    QNetworkReply *reply = m_reply;
    m_reply = nullptr;
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
}

std::chrono::milliseconds WatchStream::age() const
{
    return std::chrono::milliseconds(m_age.isValid() ? m_age.elapsed() : 0);
}

std::chrono::milliseconds WatchStream::headLimit() const
{
    const int servers = m_client ? m_client->serverCount() : 1;
    return planTries(std::min(m_times.listLimit, m_times.silence), servers, true).perTry;
}

// A log-in page is a 200, too.
bool WatchStream::good() const
{
    const int status = statusOf(m_reply);
    return status >= 200 && status < 300 && m_reply->rawHeader("Content-Type").startsWith("application/json");
}

void WatchStream::onHeaders()
{
    if (!statusOf(m_reply))
        return;
    m_splitter = LineSplitter(m_times.maxLine); // Qt asked again by itself: half a line of the first answer is no beginning
    m_answered = true;
    m_silence.start(m_times.silence);
    if (good())
        Q_EMIT bytesDone();
}

void WatchStream::onBytes()
{
    m_silence.start(m_times.silence);
    const QByteArray bytes = m_reply->readAll();
    if (!good()) {
        m_refusal += bytes.left(largestRefusal - m_refusal.size());
        return;
    }
    const QByteArrayList lines = m_splitter.feed(bytes);
    for (const QByteArray &text : lines) {
        if (!m_reply)
            return; // stopped by a receiver
        if (!text.trimmed().isEmpty())
            Q_EMIT line(text);
    }
    if (!m_reply)
        return;
    if (m_splitter.tooLong())
        return finish(End::LineTooLong);
    Q_EMIT bytesDone();
}

// A last line without its end is dropped: the next watch sends that event again.
void WatchStream::onFinished()
{
    if (m_reply->bytesAvailable() > 0)
        onBytes();
    if (!m_reply)
        return;
    if (good() && m_reply->error() == QNetworkReply::NoError)
        return finish(End::Clean);
    if (retired(m_reply))
        return finish(End::Renewed);
    const int status = statusOf(m_reply);
    if (status == 0 && tryAgain())
        return;
    const Error error = m_client ? m_client->replyError(m_reply, m_refusal, u"watch"_s, m_path) : Error{};
    if (status == 401 && !m_renewed && m_client)
        return onRefused(error);
    finish(End::Failed, error);
}

// No answer from this API server: the others are asked before it counts as a failure.
bool WatchStream::tryAgain()
{
    if (!m_client || !m_client->leaveServer(m_server) || m_tries >= m_client->serverCount())
        return false;
    dropReply();
    open();
    return true;
}

void WatchStream::onRefused(const Error &error)
{
    m_renewed = true;
    const quint64 refused = m_generation;
    dropReply();
    m_refusal.clear();
    m_client->renewCredential(refused, error, this, [this](const std::optional<Error> &none) {
        if (m_over)
            return;
        if (none)
            return finish(End::Failed, addressed(*none, u"watch"_s, m_path));
        m_answered = false;
        open();
    });
}

void WatchStream::onSilence()
{
    if (m_answered && good())
        return finish(End::Silent);
    noteTimeout(m_reply, headLimit());
    if (tryAgain())
        return;
    finish(End::Failed, m_client ? m_client->replyError(m_reply, {}, u"watch"_s, m_path) : Error{});
}

void WatchStream::finish(End end, const Error &error)
{
    if (m_over)
        return;
    stop();
    Q_EMIT ended(end, error);
}

} // namespace switchyard::kube
