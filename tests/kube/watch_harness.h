// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A Watch against a FakeApiServer, with what it observed as lines of text.
#include "app/kube/watch.h"
#include "fake_api_server.h"

#include <QStringList>

namespace switchyard::test {

// Small enough that nothing in a test waits for long.
kube::WatchTimes quickTimes();

class WatchHarness : public QObject
{
    Q_OBJECT
public:
    explicit WatchHarness(kube::WatchTimes times = quickTimes(), FakeApiServer::Mode mode = FakeApiServer::Mode::Http,
                          Resource resource = Resource::Endpoints);
    ~WatchHarness() override;

    // "listed 10: a=5 b=7", "added a=11", "bookmark 12", "contact", "lost Forbidden", "undecodable"
    QStringList log(bool contacts = false) const;
    QStringList watchedFrom() const; // resourceVersion of each watch request, in order
    int lists() const;               // list requests, pages included
    const Error &lastError() const;  // of the last Lost or Undecodable

    Now now{Boot(std::chrono::hours(5)), Instant(std::chrono::hours(400000))};
    FakeApiServer server;
    std::function<void(const ExchangePtr &)> onList, onWatch;
    QList<ExchangePtr> streams; // watch exchanges, in order; the default onWatch opens them
    std::vector<Observation> seen;
    std::function<void(const Observation &)> onObserved; // after it was noted
    std::unique_ptr<kube::Client> client;
    std::unique_ptr<kube::Watch> watch;
};

} // namespace switchyard::test
