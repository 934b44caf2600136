// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// List + watch of one resource in one namespace (or all), for ever.
//
//   listing ──ok──► watching ──clean end, silence──► watching (resumed at once from the last resourceVersion)
//      │  ▲             ├──error, quick end──► waiting ──► watching (resumed)
//      │  │             └──410 (status or event)──► listing
//      └──┴─error─► waiting
// Back-off 1 s to 30 s with jitter, reset by the first good event. `generation` guards late signals.
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
    std::chrono::milliseconds silence{150000}; // no byte for so long: reconnect (bookmarks come about once a minute)
    std::chrono::seconds serverTimeoutMin{240}, serverTimeoutMax{300};
    std::chrono::milliseconds listLimit{15000};
    std::chrono::milliseconds probeLimit{5000}; // of a GET that asks whether the server still answers for an object
    int pageSize = 500;
    qsizetype maxLine = 8 * 1024 * 1024;
    qsizetype workerBytes = 1024 * 1024;      // lists from this size on are decoded in a worker thread
    std::chrono::milliseconds quickEnd{1000}; // a stream that ends sooner without an event backs off
};

// What of the resource is watched. Nothing set: all of it, whole.
struct WatchScope
{
    std::string labelKey;      // only objects that carry this label
    QString name;              // only the object of this name (fieldSelector); its observations are `aside`
    bool metadataOnly = false; // PartialObjectMetadata
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
    void relist(); // F5: a fresh list, now
    void resume(); // a confirming GET showed a newer version: this watch is dead, reconnect from the last version now
    State state() const;
    QString ns() const;
    Resource resource() const;
    std::optional<std::chrono::milliseconds> retryIn() const; // while Waiting

Q_SIGNALS:
    void observed(const switchyard::Observation &observation); // in order; Contact at most once a second
    void stateChanged();

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::kube
