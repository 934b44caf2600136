// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "watch_harness.h"

#include "objects.h"

namespace switchyard::test {

using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

namespace {

QString named(const KubeObject &object)
{
    return QString::fromStdString(object.name) + u'=' + QString::fromStdString(object.resourceVersion);
}

QString words(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Unreachable: return u"Unreachable"_s;
    case ErrorKind::Unauthorized: return u"Unauthorized"_s;
    case ErrorKind::Forbidden: return u"Forbidden"_s;
    case ErrorKind::NotFound: return u"NotFound"_s;
    case ErrorKind::Gone: return u"Gone"_s;
    case ErrorKind::Throttled: return u"Throttled"_s;
    case ErrorKind::Server: return u"Server"_s;
    default: return u"kind %1"_s.arg(static_cast<int>(kind));
    }
}

struct Words
{
    QString operator()(const Listed &listed) const
    {
        QString text = u"listed "_s + QString::fromStdString(listed.resourceVersion) + u':';
        for (const KubeObject &object : listed.items)
            text += u' ' + named(object);
        return text;
    }
    QString operator()(const Changed &changed) const
    {
        const QString type = changed.type == EventType::Added ? u"added "_s
            : changed.type == EventType::Modified             ? u"modified "_s
                                                              : u"deleted "_s;
        return type + named(changed.object);
    }
    QString operator()(const Resumed &) const { return u"resumed"_s; }
    QString operator()(const Bookmarked &bookmark) const { return u"bookmark "_s + QString::fromStdString(bookmark.resourceVersion); }
    QString operator()(const Contact &) const { return u"contact"_s; }
    QString operator()(const Lost &lost) const { return u"lost "_s + words(lost.error.kind); }
    QString operator()(const Undecodable &) const { return u"undecodable"_s; }
    QString operator()(const Confirmed &) const { return u"confirmed"_s; }
    QString operator()(const ProbeFailed &) const { return u"probe failed"_s; }
};

} // namespace

kube::WatchTimes quickTimes()
{
    kube::WatchTimes times;
    times.backoffMin = milliseconds(10);
    times.backoffMax = milliseconds(40);
    times.refusedMin = milliseconds(20);
    times.refusedMax = milliseconds(40);
    times.silence = milliseconds(5000);
    times.listLimit = milliseconds(5000);
    return times;
}

WatchHarness::WatchHarness(kube::WatchTimes times, FakeApiServer::Mode mode, Resource resource)
    : server(mode)
{
    onList = [](const ExchangePtr &x) { x->answer(200, listJson("10", {objectJson("a", 5)})); };
    onWatch = [](const ExchangePtr &x) { x->startStream(); };
    server.setHandler([this](const ExchangePtr &x) {
        if (!x->request().isWatch())
            return onList(x);
        streams.append(x);
        onWatch(x);
    });
    client = std::make_unique<kube::Client>(server.config());
    watch = std::make_unique<kube::Watch>(client.get(), resource, u"db"_s, kube::Clock{[this] { return now; }}, times);
    connect(watch.get(), &kube::Watch::observed, this, [this](const Observation &observation) {
        seen.push_back(observation);
        if (onObserved)
            onObserved(observation);
    });
}

WatchHarness::~WatchHarness() = default;

QStringList WatchHarness::log(bool contacts) const
{
    QStringList lines;
    for (const Observation &observation : seen) {
        if (contacts || !std::holds_alternative<Contact>(observation.what))
            lines.append(std::visit(Words{}, observation.what));
    }
    return lines;
}

QStringList WatchHarness::watchedFrom() const
{
    QStringList versions;
    for (const Request &request : server.requests()) {
        if (request.isWatch())
            versions.append(request.query(u"resourceVersion"_s));
    }
    return versions;
}

int WatchHarness::lists() const
{
    return static_cast<int>(server.requests().size() - watchedFrom().size());
}

const Error &WatchHarness::lastError() const
{
    static const Error none;
    const Error *last = &none;
    for (const Observation &o : seen) {
        if (const auto *lost = std::get_if<Lost>(&o.what))
            last = &lost->error;
        else if (const auto *undecodable = std::get_if<Undecodable>(&o.what))
            last = &undecodable->error;
    }
    return *last;
}

} // namespace switchyard::test
