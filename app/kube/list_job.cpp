// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/list_job.h"

#include "app/kube/call.h"
#include "app/kube/request.h"

#include <QCoreApplication>
#include <QFutureWatcher>
#include <QPromise>
#include <QThreadPool>
#include <QTimer>

#include <iterator>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostRestarts = 3;
constexpr int podsPerPage = 200; // a Pod is several times the size of the other objects

Result<ObjectList> decode(Resource resource, const QByteArray &body)
{
    return decodeList(resource, std::string_view(body.constData(), static_cast<std::size_t>(body.size())));
}

using Decoded = std::shared_ptr<Result<ObjectList>>; // a future gives copies only

QFuture<Decoded> decodeInWorker(Resource resource, const QByteArray &body)
{
    auto promise = std::make_shared<QPromise<Decoded>>();
    QThreadPool::globalInstance()->start([promise, resource, body] {
        promise->start();
        promise->addResult(std::make_shared<Result<ObjectList>>(decode(resource, body)));
        promise->finish();
    });
    return promise->future();
}

void giveBack()
{
#ifdef __GLIBC__
    QThreadPool::globalInstance()->start([] { malloc_trim(0); });
#endif
}

// As the head of a page says it, before its items are read. Only a guess: what counts is the page as decoded.
std::string nextToken(const QByteArray &body)
{
    constexpr qsizetype headSize = 8192; // tokens are some hundred bytes
    const QByteArrayView head = QByteArrayView(body).first(std::min(body.size(), headSize));
    const QByteArrayView own = head.first(std::max<qsizetype>(0, head.indexOf("\"items\"")));
    constexpr QByteArrayView key = "\"continue\":\"";
    const qsizetype at = own.indexOf(key);
    const qsizetype end = at < 0 ? -1 : own.indexOf('"', at + key.size());
    const QByteArrayView token = end < 0 ? QByteArrayView() : own.sliced(at + key.size(), end - at - key.size());
    return token.contains('\\') ? std::string() : std::string(token.data(), static_cast<std::size_t>(token.size()));
}

} // namespace

void addSelectors(QUrlQuery &query, const WatchScope &scope)
{
    if (!scope.labelKey.empty())
        query.addQueryItem(u"labelSelector"_s, QString::fromStdString(scope.labelKey));
    if (!scope.name.isEmpty())
        query.addQueryItem(u"fieldSelector"_s, u"metadata.name="_s + scope.name);
    else if (!scope.fields.isEmpty())
        query.addQueryItem(u"fieldSelector"_s, scope.fields);
}

ListJob::ListJob(Client *client, Path path, WatchScope scope, const WatchTimes &times, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_path(std::move(path))
    , m_scope(std::move(scope))
    , m_times(times)
{
    m_path.metadataOnly = m_scope.metadataOnly;
}

// Thousands of objects are copied into stores that keep less of them. What they took is not wanted again: the system gets it back.
std::vector<KubeObject> ListJob::takeItems()
{
    constexpr std::size_t large = 1000;
    if (m_list.items.size() >= large)
        QTimer::singleShot(std::chrono::seconds(1), QCoreApplication::instance(), giveBack);
    return std::exchange(m_list.items, {});
}

void ListJob::start()
{
    m_list = {};
    m_continue.clear();
    requestPage({});
}

void ListJob::requestPage(const std::string &token)
{
    m_ahead = token;
    m_held.reset();
    if (!m_client)
        return;
    const int size = m_path.resource == Resource::Pods ? std::min(m_times.pageSize, podsPerPage) : m_times.pageSize;
    QUrlQuery query;
    if (m_paged)
        query.addQueryItem(u"limit"_s, QString::number(size));
    addSelectors(query, m_scope);
    if (!token.empty())
        query.addQueryItem(u"continue"_s, QString::fromStdString(token));
    const quint64 page = ++m_page;
    m_client->get(
        m_path, query, this,
        [this, page](const Response &response) {
            if (page == m_page)
                onPage(response);
        },
        m_times.listLimit);
}

void ListJob::onPage(const Response &response)
{
    if (m_decoding)
        m_held = response;
    else
        take(response);
}

void ListJob::take(const Response &response)
{
    if (response.error) {
        const bool expired = response.error->kind == ErrorKind::Gone || response.error->reason == "Expired"
            || response.error->reason == "Gone";
        if (expired && !m_continue.empty())
            restart(*response.error);
        else
            Q_EMIT failed(*response.error);
        return;
    }
    m_ahead.clear();
    if (response.body.size() < m_times.workerBytes)
        return onDecoded(decode(m_path.resource, response.body));
    m_decoding = true;
    if (const std::string next = nextToken(response.body); !next.empty() && next != m_continue)
        requestPage(next);
    auto *watcher = new QFutureWatcher<Decoded>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        m_decoding = false;
        onDecoded(std::move(*watcher->result()));
    });
    watcher->setFuture(decodeInWorker(m_path.resource, response.body));
}

void ListJob::onDecoded(Result<ObjectList> page)
{
    Error broken{.kind = ErrorKind::Server, .where = m_client ? serverName(m_client->config().server) : std::string()};
    if (!page) {
        broken = page.error();
        broken.kind = ErrorKind::Server;
        return fail(addressed(broken, m_path.verb(), m_path));
    }
    if (page->resourceVersion.empty() || (!page->continueToken.empty() && page->continueToken == m_continue)) {
        broken.message = tr("the list has no version, or no end").toStdString();
        return fail(addressed(broken, m_path.verb(), m_path));
    }
    if (m_list.resourceVersion.empty())
        m_list.resourceVersion = page->resourceVersion;
    const auto append = [](auto &to, auto &from) {
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    append(m_list.items, page->items);
    append(m_list.undecodable, page->undecodable);
    m_continue = page->continueToken;
    goOn();
}

void ListJob::goOn()
{
    if (m_continue.empty()) {
        ++m_page; // nothing more is wanted
        Q_EMIT done(m_list);
    } else if (m_ahead != m_continue) {
        requestPage(m_continue);
    } else if (m_held) {
        take(*std::exchange(m_held, std::nullopt));
    }
}

void ListJob::fail(const Error &error)
{
    ++m_page;
    Q_EMIT failed(error);
}

void ListJob::restart(const Error &error)
{
    if (!m_paged)
        return Q_EMIT failed(error);
    m_paged = ++m_restarts <= mostRestarts; // the list takes longer than the server keeps a version
    start();
}

} // namespace switchyard::kube
