// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// List + watch of one resource in one namespace (or all), for ever.
//
//   listing ──ok──► watching ──clean end, silence──► watching (resumed at once from the last resourceVersion)
//      │  ▲             ├──error, quick end──► waiting ──► watching (resumed)
//      │  │             └──410 (status or event)──► listing
//      └──┴─error─► waiting
// Back-off 1 s to 30 s with jitter, reset by the first good event; 2 s to 5 min when refused (401, 403), until told to try again.
// `generation` guards late signals. Where watches cannot work, a list at an interval takes their place (WatchTimes::pollEvery), and
// also where they are forbidden, though lists are not: then the watch is tried again by and by.
#include "app/kube/client.h"
#include "models/core/observation.h"

namespace switchyard::kube {

// Time for a Watch: injected so that tests need no waiting.
struct Clock
{
    std::function<Now()> now;
};
Clock systemClock(); // CLOCK_BOOTTIME and the wall clock

struct WatchTimes
{
    std::chrono::milliseconds backoffMin{1000}, backoffMax{30000};
    // 401 and 403: mostly only a human can change that, but an API server that has just started says so too for a second or two.
    std::chrono::milliseconds refusedMin{2000}, refusedMax{300000};
    std::chrono::milliseconds silence{150000}; // no byte for so long: reconnect (bookmarks come about once a minute)
    std::chrono::seconds serverTimeoutMin{240}, serverTimeoutMax{300};
    std::chrono::milliseconds listLimit{15000};
    std::chrono::milliseconds probeLimit{5000}; // of a GET that asks whether the server still answers for an object
    int pageSize = 500;
    qsizetype maxLine = 8 * 1024 * 1024;
    qsizetype workerBytes = 1024 * 1024;                               // lists from this size on are decoded in a worker thread
    std::chrono::milliseconds quickEnd{1000};                          // a stream that ends sooner without an event backs off
    std::chrono::milliseconds pollEvery{0};                            // lists at this interval, no watch; 0: watches
    std::chrono::milliseconds shortestPoll{1000};                      // whatever a user asks for
    std::chrono::milliseconds refusedPoll{5000}, refusedAgain{300000}; // watch is forbidden: lists so often, another try after so long
    std::chrono::milliseconds scanEvery{60000};   // while a label selector is in use: what lies outside of it (see Connection)
    std::chrono::milliseconds confirmLimit{5000}; // GET of an object that a selector lost sight of
};

// What of the resource is watched. Nothing set: all of it, whole.
struct WatchScope
{
    std::string labelKey;      // only objects that carry this label
    QString name;              // only the object of this name (fieldSelector); its observations are `aside`
    bool metadataOnly = false; // PartialObjectMetadata
    QString fields{};          // only objects with such fields (fieldSelector): "involvedObject.kind=Pod"
    bool leasesBeta = false;   // as in Path
    bool operator==(const WatchScope &) const = default;
};

// Receivers of observed() may call start, stop, relist and resume; they must not delete the Watch (deleteLater is fine).
class Watch : public QObject
{
    Q_OBJECT
public:
    enum class State { Idle, Listing, Watching, Waiting };
    Q_ENUM(State)

    Watch(Client *client, Resource resource, QString ns, Clock clock, WatchTimes times = {}, QObject *parent = nullptr);
    ~Watch() override;
    void start();
    void stop();
    void relist();   // F5: a fresh list, now
    void retryNow(); // ends a wait: rights or the credential may have changed
    // What is watched from now on. A label key that comes new goes on from the last version; anything else is listed anew. An object
    // that the selector loses sight of is read by name: what it is then is told (aside), or that it is gone.
    void setScope(const WatchScope &scope);
    WatchScope scope() const;
    // A confirming GET, sent at `asked`, showed a newer version: this watch is dead, reconnect from the last version now.
    void resume(Boot asked);
    State state() const;
    QString ns() const;
    Resource resource() const;
    std::optional<std::chrono::milliseconds> retryIn() const; // while Waiting
    bool listsInstead() const;                                // watch is forbidden, list is not

Q_SIGNALS:
    void observed(const switchyard::Observation &observation); // in order; Contact at most once a second
    void stateChanged();

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::kube
