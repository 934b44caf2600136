// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/lanes.h"

#include <algorithm>
#include <array>

namespace switchyard::kube {

namespace {

constexpr int watchesPerManager = 4; // Qt opens six connections to one host per manager; a seventh request would wait in silence
constexpr const char *retiredProperty = "switchyardRetired";

} // namespace

int Lanes::Lane::running()
{
    std::erase_if(replies, [](const QPointer<QNetworkReply> &reply) { return !reply || reply->isFinished(); });
    return static_cast<int>(replies.size());
}

QNetworkReply *Lanes::Lane::add(QNetworkReply *reply)
{
    running();
    replies.emplace_back(reply);
    return reply;
}

Lanes::Lanes(const QSslConfiguration &tls, const QNetworkProxy &proxy)
    : m_tls(tls)
    , m_proxy(proxy)
    , m_reads(make())
    , m_writes(make())
    , m_podReads(make())
    , m_calls(make())
{}

Lanes::~Lanes() = default;

Lanes::Lane Lanes::make() const
{
    auto made = std::make_unique<QNetworkAccessManager>();
    made->setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
    made->setAutoDeleteReplies(false);
    made->setProxy(m_proxy);
    return Lane{std::move(made), {}};
}

QNetworkReply *Lanes::read(const QNetworkRequest &request)
{
    return m_reads.add(m_reads.manager->get(request));
}

QNetworkReply *Lanes::ask(const QNetworkRequest &request, const QByteArray &body)
{
    return m_reads.add(m_reads.manager->post(request, body));
}

QNetworkReply *Lanes::readPod(const QNetworkRequest &request)
{
    return m_podReads.add(m_podReads.manager->get(request));
}

QNetworkReply *Lanes::write(const QNetworkRequest &request, const QByteArray &method, OnceDevice *body)
{
    return send(m_writes, request, method, body);
}

QNetworkReply *Lanes::call(const QNetworkRequest &request, const QByteArray &method, OnceDevice *body)
{
    return send(m_calls, request, method, body);
}

QNetworkReply *Lanes::send(Lane &lane, const QNetworkRequest &request, const QByteArray &method, OnceDevice *body)
{
    QNetworkReply *reply = lane.manager->sendCustomRequest(request, method, body);
    body->setParent(reply);
    return lane.add(reply);
}

QNetworkReply *Lanes::watch(const QNetworkRequest &request)
{
    Lane &lane = freeLane();
    return lane.add(lane.manager->get(request));
}

Lanes::Lane &Lanes::freeLane()
{
    const auto it = std::find_if(m_watches.begin(), m_watches.end(), [](Lane &lane) { return lane.running() < watchesPerManager; });
    if (it != m_watches.end())
        return *it;
    m_watches.push_back(make());
    return m_watches.back();
}

void Lanes::putAway(Lane &lane)
{
    m_old.push_back(std::exchange(lane, make()));
}

void Lanes::mistrust(const QNetworkReply *reply)
{
    if (reply->manager() != m_reads.manager.get())
        return;
    putAway(m_reads);
    for (Lane *lane : {&m_writes, &m_podReads, &m_calls})
        putAway(*lane);
    busy();
}

void Lanes::retire()
{
    std::vector<QPointer<QNetworkReply>> ending = m_reads.replies;
    ending.insert(ending.end(), m_podReads.replies.begin(), m_podReads.replies.end());
    for (const Lane &lane : m_watches)
        ending.insert(ending.end(), lane.replies.begin(), lane.replies.end());
    for (const QPointer<QNetworkReply> &reply : ending) {
        if (!reply || reply->isFinished())
            continue;
        reply->setProperty(retiredProperty, true);
        reply->abort();
    }
}

bool Lanes::busy()
{
    for (Lane &lane : m_old) {
        if (lane.running() == 0)
            lane.manager.release()->deleteLater();
    }
    std::erase_if(m_old, [](const Lane &lane) { return !lane.manager; });
    const auto runs = [](Lane *lane) { return lane->running() > 0; };
    const std::array lanes{&m_reads, &m_writes, &m_podReads, &m_calls};
    return !m_old.empty() || std::any_of(lanes.begin(), lanes.end(), runs)
        || std::any_of(m_watches.begin(), m_watches.end(), [](Lane &lane) { return lane.running() > 0; });
}

void Lanes::freeLater()
{
    for (Lane *lane : {&m_reads, &m_writes, &m_podReads, &m_calls})
        lane->manager.release()->deleteLater();
    for (Lane &lane : m_watches)
        lane.manager.release()->deleteLater();
    m_watches.clear();
}

bool retired(const QNetworkReply *reply)
{
    return reply->property(retiredProperty).toBool();
}

} // namespace switchyard::kube
