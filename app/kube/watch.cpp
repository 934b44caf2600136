// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/watch.h"

#include "app/kube/backoff.h"
#include "app/kube/call.h"
#include "app/kube/list_job.h"
#include "app/kube/watch_stream.h"
#include "models/core/utf8.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

namespace switchyard::kube {

using std::chrono::milliseconds;

namespace {

constexpr int quickEndsForgiven = 3; // streams that brought something but ended at once

// Ends an object without a further signal, and frees it when the stack is clear of it.
struct Retire
{
    void operator()(QObject *object) const
    {
        object->disconnect();
        object->deleteLater();
    }
};

bool versionTooLarge(const Error &error)
{
    return error.reason.find("ResourceVersionTooLarge") != std::string::npos
        || error.message.find("Too large resource version") != std::string::npos;
}

bool expired(const Error &error)
{
    return error.kind == ErrorKind::Gone || error.reason == "Expired" || error.reason == "Gone";
}

// Only a human can change that: rights, or a credential that cannot be had.
bool refused(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::Unauthorized:
    case ErrorKind::Forbidden:
    case ErrorKind::Refused:
    case ErrorKind::NotSupported:
    case ErrorKind::BadInput: return error.httpStatus == 0 || error.httpStatus == 401 || error.httpStatus == 403;
    default: return false;
    }
}

// Refused for what we asked, not for who we are or for how busy the server is: asking the same again cannot help.
bool badRequest(const Error &error)
{
    return error.httpStatus >= 400 && error.httpStatus < 500 && error.httpStatus != 401 && error.httpStatus != 403
        && error.httpStatus != 404 && error.httpStatus != 408 && error.httpStatus != 429;
}

} // namespace

struct Watch::Impl
{
    enum class Next { List, Stream };

    Watch *q = nullptr;
    QPointer<Client> client;
    Resource resource{};
    QString ns;
    Clock clock;
    WatchTimes times;
    WatchScope scope;

    State state = State::Idle;
    quint64 generation = 0; // a new one for each list and stream: a receiver may have started another meanwhile
    std::string version;    // where to resume; empty: list first
    Next next = Next::List;
    int failures = 0; // in a row, without a good event
    int quickEnds = 0;
    bool eventSinceStream = false, eventSinceList = false, listedForGone = false;
    bool resumedInVain = false;    // for a newer version that a GET had shown; nothing came since
    std::optional<Boot> resumedAt; // when that stream was answered
    bool lostSince = false;        // the last thing told of the stream is its loss
    bool watchRefused = false;     // lists instead
    QElapsedTimer refusedFor;      // invalid: the next list is followed by another try
    bool toldThisBatch = false;    // an event told of the contact already
    std::optional<Boot> lastContact;
    Boot listAsked{};
    std::unique_ptr<ListJob, Retire> list;
    std::unique_ptr<WatchStream, Retire> stream;
    QTimer retry;
    QTimer mend; // a line could not be read: what it told is lost until the next list
    QElapsedTimer mended;

    Path path() const
    {
        Path all{.resource = resource, .ns = ns, .name = {}};
        all.leasesBeta = scope.leasesBeta;
        return all;
    }

    bool polls() const { return watchRefused || times.pollEvery > milliseconds(0); }
    milliseconds pollEvery() const { return times.pollEvery > milliseconds(0) || !watchRefused ? times.pollEvery : times.refusedPoll; }
    // Time for another try.
    bool triesWatch() const { return watchRefused && (!refusedFor.isValid() || refusedFor.elapsed() >= times.refusedAgain.count()); }

    void emitSeen(decltype(Observation::what) what, bool aside)
    {
        const bool isList = std::holds_alternative<Listed>(what);
        const Now now = clock.now();
        Q_EMIT q->observed(Observation{.context = client ? client->config().name.toStdString() : std::string(),
                                       .resource = resource,
                                       .ns = ns.toStdString(),
                                       .seen = now.boot,
                                       .wall = now.wall,
                                       .what = std::move(what),
                                       .aside = aside || !scope.name.isEmpty(),
                                       .asked = isList && !aside ? std::optional(listAsked) : std::nullopt,
                                       .selector = !aside && !isList && stream ? stream->scope().labelKey : std::string()});
    }

    void tell(decltype(Observation::what) what)
    {
        const Now now = clock.now();
        const bool contact = !std::holds_alternative<Lost>(what) && !std::holds_alternative<Undecodable>(what);
        lostSince = std::holds_alternative<Lost>(what) || (lostSince && !contact);
        if (contact) {
            lastContact = now.boot;
            toldThisBatch = true;
        }
        emitSeen(std::move(what), false);
    }

    void setState(State to)
    {
        if (std::exchange(state, to) != to)
            Q_EMIT q->stateChanged();
    }

    void drop()
    {
        ++generation;
        retry.stop();
        if (stream)
            stream->stop();
        stream.reset();
        list.reset();
    }

    void startList();
    void onListed(const ObjectList &objects, const WatchScope &listed);
    void startStream();
    void onLine(const QByteArray &line);
    void mendSoon();
    void onEvent(WatchEvent event);
    void confirmDeleted(const KubeObject &object);
    void onConfirmed(const KubeObject &object, const Response &response);
    void onBytesDone();
    void onFailedEvent(const Error &error);
    void onEnded(WatchStream::End end, const Error &error);
    void onCleanEnd(milliseconds age);
    void onListFailed(const Error &error);
    void onForbidden();
    void onAllowed();
    void pollLater();
    void onGone(const Error &error);
    void lose(const Error &error, Next then);
    void wait(milliseconds time, Next then);
    void goOn();
};

void Watch::Impl::startList()
{
    drop();
    mend.stop();
    listAsked = clock.now().boot;
    list.reset(new ListJob(client, path(), scope, times));
    connect(list.get(), &ListJob::done, q, [this](const ObjectList &objects) { onListed(objects, WatchScope(list->scope())); });
    connect(list.get(), &ListJob::failed, q, [this](const Error &error) { onListFailed(error); });
    const quint64 mine = generation;
    setState(State::Listing);
    if (mine == generation)
        list->start();
}

void Watch::Impl::onListed(const ObjectList &objects, const WatchScope &listed)
{
    const quint64 mine = generation;
    version = objects.resourceVersion;
    eventSinceList = false;
    for (const Error &error : objects.undecodable) {
        tell(Undecodable{addressed(error, path().verb(), path())});
        if (mine != generation)
            return;
    }
    Listed whole{version, list->takeItems(), Coverage{.labelKey = listed.labelKey}, pollEvery()};
    if (!listed.name.isEmpty())
        whole.coverage.names.push_back(listed.name.toStdString());
    tell(std::move(whole));
    if (mine != generation)
        return;
    if (!polls() || triesWatch())
        return startStream();
    pollLater();
}

void Watch::Impl::pollLater()
{
    drop();
    failures = 0;
    next = Next::List;
    retry.start(pollEvery());
    setState(State::Watching);
}

// Neither list nor watch is allowed: once they are, the watch can still go on from where it was.
void Watch::Impl::onListFailed(const Error &error)
{
    const bool neither = error.kind == ErrorKind::Forbidden && !version.empty() && std::exchange(watchRefused, false);
    lose(error, neither ? Next::Stream : Next::List);
}

// Lists may still be allowed: what became of everything since, one of them tells at once.
void Watch::Impl::onForbidden()
{
    refusedFor.start();
    if (std::exchange(watchRefused, true))
        return pollLater();
    const quint64 mine = generation;
    Q_EMIT q->stateChanged();
    if (mine == generation)
        startList();
}

// Another list, as the last one promised that more lists would come.
void Watch::Impl::onAllowed()
{
    watchRefused = false;
    const quint64 mine = generation;
    Q_EMIT q->stateChanged();
    if (mine == generation)
        startList();
}

void Watch::Impl::startStream()
{
    drop();
    eventSinceStream = false;
    stream.reset(new WatchStream(client, path(), scope, version, times));
    connect(stream.get(), &WatchStream::line, q, [this](const QByteArray &line) { onLine(line); });
    connect(stream.get(), &WatchStream::bytesDone, q, [this] { onBytesDone(); });
    connect(stream.get(), &WatchStream::ended, q, [this](WatchStream::End end, const Error &error) { onEnded(end, error); });
    const quint64 mine = generation;
    setState(State::Watching);
    if (mine == generation)
        stream->start();
}

void Watch::Impl::onLine(const QByteArray &line)
{
    const std::string_view text(line.constData(), static_cast<std::size_t>(line.size()));
    Result<WatchEvent> event = decodeWatchEvent(resource, text);
    const bool garbled = !event || !isUtf8(text); // text that is not UTF-8 is read, with marks instead of what is broken
    const quint64 mine = generation;
    if (event)
        onEvent(std::move(*event));
    else
        tell(Undecodable{addressed(event.error(), QStringLiteral("watch"), path())});
    if (garbled && mine == generation)
        mendSoon();
}

// At once, but not for every line that a server, or something in between, garbles.
void Watch::Impl::mendSoon()
{
    if (mend.isActive())
        return;
    const bool lately = mended.isValid() && mended.elapsed() < times.backoffMax.count();
    mend.start(lately ? times.backoffMax : times.backoffMin);
}

void Watch::Impl::onEvent(WatchEvent event)
{
    if (event.type == EventType::Failed)
        return onFailedEvent(addressed(event.error.value_or(Error{}), QStringLiteral("watch"), path()));
    failures = 0;
    resumedInVain = false;
    eventSinceStream = eventSinceList = true;
    listedForGone = false;
    if (!event.object.resourceVersion.empty())
        version = event.object.resourceVersion;
    if (event.type == EventType::Bookmark)
        tell(Bookmarked{event.object.resourceVersion});
    else if (event.type == EventType::Deleted && stream && !stream->scope().labelKey.empty() && !event.object.deletedAt)
        confirmDeleted(event.object);
    else
        tell(Changed{event.type, std::move(event.object)});
}

// For a label selector, an object that lost its label is deleted. Order is kept by the versions: what is told here may be overtaken.
void Watch::Impl::confirmDeleted(const KubeObject &object)
{
    if (!client)
        return;
    Path one{.resource = resource, .ns = QString::fromStdString(object.ns), .name = QString::fromStdString(object.name)};
    one.metadataOnly = scope.metadataOnly;
    const quint64 mine = generation;
    emitSeen(Listed{object.resourceVersion, {}, Coverage{stream->scope().labelKey, {object.ns + '/' + object.name}}}, true);
    if (mine != generation)
        return;
    client->get(
        one, {}, q, [this, object](const Response &response) { onConfirmed(object, response); }, times.confirmLimit);
}

// Aside, as the answer came by another connection. Without an answer all that is known is that no object of the name has the label.
void Watch::Impl::onConfirmed(const KubeObject &object, const Response &response)
{
    if (state == State::Idle)
        return;
    const std::string_view body(response.body.constData(), static_cast<std::size_t>(response.body.size()));
    auto now = response.ok() ? decodeObject(resource, body) : Result<KubeObject>(tl::unexpected(Error{}));
    if (response.status == 404 || (now && now->uid != object.uid))
        emitSeen(Changed{EventType::Deleted, object}, true);
    if (now)
        emitSeen(Changed{EventType::Modified, std::move(*now)}, true);
}

void Watch::Impl::onBytesDone()
{
    if (resumedInVain && !resumedAt)
        resumedAt = clock.now().boot;
    if (watchRefused)
        return onAllowed();
    if (std::exchange(toldThisBatch, false))
        return;
    if (lostSince)
        tell(Resumed{});
    else if (!lastContact || clock.now().boot - *lastContact >= std::chrono::seconds(1))
        tell(Contact{});
    toldThisBatch = false;
}

void Watch::Impl::onFailedEvent(const Error &error)
{
    if (expired(error))
        onGone(error);
    else
        lose(error, versionTooLarge(error) || badRequest(error) ? Next::List : Next::Stream);
}

void Watch::Impl::onEnded(WatchStream::End end, const Error &error)
{
    switch (end) {
    case WatchStream::End::Clean: return onCleanEnd(stream ? stream->age() : milliseconds(0));
    case WatchStream::End::Silent: return startStream(); // whether the server still answers, the new stream tells
    case WatchStream::End::Renewed: return startStream();
    case WatchStream::End::LineTooLong: {
        const Error tooLong{.kind = ErrorKind::Server,
                            .message = tr("a line of the watch is longer than %1 bytes").arg(times.maxLine).toStdString()};
        const quint64 mine = generation;
        tell(Undecodable{addressed(tooLong, QStringLiteral("watch"), path())});
        if (mine == generation)
            onGone(addressed(tooLong, QStringLiteral("watch"), path()));
        return;
    }
    case WatchStream::End::Failed: return error.kind == ErrorKind::Forbidden ? onForbidden() : onFailedEvent(error);
    }
}

// Not an error, but no hot loop either.
void Watch::Impl::onCleanEnd(milliseconds age)
{
    const bool quick = age < times.quickEnd;
    quickEnds = quick ? quickEnds + 1 : 0;
    if (!quick || (eventSinceStream && quickEnds <= quickEndsForgiven))
        return startStream();
    // Watches that always end at once bring nothing: then lists have to.
    const Next then = !eventSinceStream && quickEnds > quickEndsForgiven ? Next::List : Next::Stream;
    wait(backoff(++failures, times.backoffMin, times.backoffMax, QRandomGenerator::global()->generateDouble()), then);
}

// The version is no longer known: list at once, unless that was just done and brought nothing.
void Watch::Impl::onGone(const Error &error)
{
    version.clear();
    if (listedForGone && !eventSinceList)
        return lose(error, Next::List);
    listedForGone = true;
    startList();
}

void Watch::Impl::lose(const Error &error, Next then)
{
    drop();
    const quint64 mine = generation;
    ++failures;
    Error told = error;
    if (told.kind == ErrorKind::Gone)
        told.kind = ErrorKind::Server; // no more than a wish for a list, were it not the list that does not help
    tell(Lost{told});
    if (mine != generation)
        return;
    const double unit = QRandomGenerator::global()->generateDouble();
    const bool slow = refused(error) && !error.retryAfterSeconds;
    wait(slow ? backoff(failures, times.refusedMin, times.refusedMax, unit)
              : waitAfter(error, failures, times.backoffMin, times.backoffMax, unit),
         then);
}

void Watch::Impl::wait(milliseconds time, Next then)
{
    drop();
    next = then;
    retry.start(time);
    setState(State::Waiting);
}

void Watch::Impl::goOn()
{
    if (next == Next::Stream && !version.empty() && !polls())
        startStream();
    else
        startList();
}

Watch::Watch(Client *client, Resource resource, QString ns, Clock clock, WatchTimes times, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Impl>())
{
    d->q = this;
    d->client = client;
    d->resource = resource;
    d->ns = std::move(ns);
    d->clock = std::move(clock);
    d->times = times;
    d->retry.setSingleShot(true);
    d->retry.setTimerType(Qt::PreciseTimer); // a coarse one may come before the time a server asked for
    connect(&d->retry, &QTimer::timeout, this, [this] { d->goOn(); });
    d->mend.setSingleShot(true);
    connect(&d->mend, &QTimer::timeout, this, [this] {
        d->mended.start();
        d->next = Impl::Next::List;
        if (d->state == State::Watching)
            d->startList();
    });
}

Watch::~Watch()
{
    d->drop();
}

void Watch::start()
{
    if (d->state == State::Idle)
        d->startList();
}

void Watch::stop()
{
    d->drop();
    d->mend.stop();
    d->version.clear();
    d->failures = 0;
    d->watchRefused = false;
    d->setState(State::Idle);
}

void Watch::relist()
{
    d->failures = 0;
    d->refusedFor.invalidate();
    if (d->state != State::Idle)
        d->startList();
}

void Watch::retryNow()
{
    d->failures = 0;
    d->refusedFor.invalidate();
    if (d->state == State::Waiting || (d->watchRefused && d->retry.isActive()))
        d->goOn();
}

void Watch::setScope(const WatchScope &scope)
{
    const WatchScope from = std::exchange(d->scope, scope);
    if (from == scope || d->state == State::Idle)
        return;
    const WatchScope narrowed{.labelKey = scope.labelKey, .name = from.name, .metadataOnly = from.metadataOnly, .fields = from.fields};
    if (from.labelKey.empty() && scope == narrowed) {
        if (d->stream)
            d->startStream();
        return; // a list under way is still good, the next one is narrower
    }
    d->version.clear();
    d->next = Impl::Next::List;
    if (d->state != State::Waiting)
        d->startList();
}

WatchScope Watch::scope() const
{
    return d->scope;
}

void Watch::resume(Boot asked)
{
    if (d->state == State::Idle || d->state == State::Listing)
        return;
    // Several objects of one silent stream are asked for at once, and a new stream takes its time to be answered: it could not speak yet.
    if (d->resumedInVain && d->state == State::Watching && (!d->resumedAt || asked <= *d->resumedAt))
        return;
    d->resumedAt.reset();
    // Resumed once, and still the server knows more: something in between holds the bytes of watches back, but lets lists pass.
    d->next = std::exchange(d->resumedInVain, true) ? Impl::Next::List : Impl::Next::Stream;
    d->goOn();
}

Watch::State Watch::state() const
{
    return d->state;
}

QString Watch::ns() const
{
    return d->ns;
}

Resource Watch::resource() const
{
    return d->resource;
}

bool Watch::listsInstead() const
{
    return d->watchRefused;
}

std::optional<milliseconds> Watch::retryIn() const
{
    if (d->state != State::Waiting)
        return std::nullopt;
    return std::max(milliseconds(0), milliseconds(d->retry.remainingTime()));
}

} // namespace switchyard::kube
