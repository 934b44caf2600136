// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the answers of an API server tell beside its objects: its clock, how quick it is, its version.
#include "app/kube/client.h"
#include "app/kube/watch.h"
#include "models/core/skew.h"

#include <QPointer>

namespace switchyard {

class ServerFacts : public QObject
{
    Q_OBJECT
public:
    // The version is asked for through `small`, where no list is before it.
    ServerFacts(kube::Client *small, kube::Clock clock, QObject *parent = nullptr);
    void listenTo(kube::Client *client);
    void lost(); // another server, or another version of it, may be there next

    const std::optional<ClockSkew> &skew() const { return m_skew; }
    const std::optional<std::chrono::milliseconds> &latency() const { return m_latency; }
    const QString &version() const { return m_version; }

Q_SIGNALS:
    void changed(); // the version, or the skew by more than it was uncertain

private:
    void onAnswer(const kube::Response &response);
    void askVersion();

    QPointer<kube::Client> m_small;
    kube::Clock m_clock;
    std::optional<ClockSkew> m_skew;
    std::optional<std::chrono::milliseconds> m_latency;
    QString m_version;
    bool m_versionDue = true;
};

} // namespace switchyard
