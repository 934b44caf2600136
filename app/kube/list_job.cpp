// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/list_job.h"

#include "app/kube/call.h"
#include "app/kube/request.h"

#include <QFutureWatcher>
#include <QPromise>
#include <QThreadPool>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostRestarts = 3;
constexpr int podsPerPage = 200; // a Pod is several times the size of the other objects

Result<ObjectList> decode(Resource resource, const QByteArray &body)
{
    return decodeList(resource, std::string_view(body.constData(), static_cast<std::size_t>(body.size())));
}

QFuture<Result<ObjectList>> decodeInWorker(Resource resource, const QByteArray &body)
{
    auto promise = std::make_shared<QPromise<Result<ObjectList>>>();
    QThreadPool::globalInstance()->start([promise, resource, body] {
        promise->start();
        promise->addResult(decode(resource, body));
        promise->finish();
    });
    return promise->future();
}

} // namespace

void addSelectors(QUrlQuery &query, const WatchScope &scope)
{
    if (!scope.labelKey.empty())
        query.addQueryItem(u"labelSelector"_s, QString::fromStdString(scope.labelKey));
    if (!scope.name.isEmpty())
        query.addQueryItem(u"fieldSelector"_s, u"metadata.name="_s + scope.name);
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

void ListJob::start()
{
    m_list = {};
    m_continue.clear();
    requestPage();
}

void ListJob::requestPage()
{
    if (!m_client)
        return;
    const int size = m_path.resource == Resource::Pods ? std::min(m_times.pageSize, podsPerPage) : m_times.pageSize;
    QUrlQuery query;
    if (m_paged)
        query.addQueryItem(u"limit"_s, QString::number(size));
    addSelectors(query, m_scope);
    if (!m_continue.empty())
        query.addQueryItem(u"continue"_s, QString::fromStdString(m_continue));
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
    if (response.error) {
        const bool expired = response.error->kind == ErrorKind::Gone || response.error->reason == "Expired"
            || response.error->reason == "Gone";
        if (expired && !m_continue.empty())
            restart(*response.error);
        else
            Q_EMIT failed(*response.error);
        return;
    }
    if (response.body.size() < m_times.workerBytes)
        return onDecoded(decode(m_path.resource, response.body));
    auto *watcher = new QFutureWatcher<Result<ObjectList>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, page = m_page] {
        watcher->deleteLater();
        if (page == m_page)
            onDecoded(watcher->result());
    });
    watcher->setFuture(decodeInWorker(m_path.resource, response.body));
}

void ListJob::onDecoded(const Result<ObjectList> &page)
{
    Error broken{.kind = ErrorKind::Server, .where = m_client ? serverName(m_client->config().server) : std::string()};
    if (!page) {
        broken = page.error();
        broken.kind = ErrorKind::Server;
        return Q_EMIT failed(addressed(broken, m_path.verb(), m_path));
    }
    if (page->resourceVersion.empty() || (!page->continueToken.empty() && page->continueToken == m_continue)) {
        broken.message = tr("the list has no version, or no end").toStdString();
        return Q_EMIT failed(addressed(broken, m_path.verb(), m_path));
    }
    if (m_list.resourceVersion.empty())
        m_list.resourceVersion = page->resourceVersion;
    m_list.items.insert(m_list.items.end(), page->items.begin(), page->items.end());
    m_list.undecodable.insert(m_list.undecodable.end(), page->undecodable.begin(), page->undecodable.end());
    m_continue = page->continueToken;
    if (m_continue.empty())
        Q_EMIT done(m_list);
    else
        requestPage();
}

void ListJob::restart(const Error &error)
{
    if (!m_paged)
        return Q_EMIT failed(error);
    m_paged = ++m_restarts <= mostRestarts; // the list takes longer than the server keeps a version
    start();
}

} // namespace switchyard::kube
