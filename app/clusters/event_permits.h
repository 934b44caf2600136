// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// May Events about Pods be read? Asked for each watched namespace of each connection, where no RightsBook is kept; they are watched from
// then on. What is not permitted, or not known, is asked about again every few minutes.
#include "app/clusters/monitor.h"

#include <QPointer>

namespace switchyard {

class EventPermits : public QObject
{
    Q_OBJECT
public:
    explicit EventPermits(Monitor *monitor, std::chrono::milliseconds again = std::chrono::minutes(5), QObject *parent = nullptr);

    void ask(); // of the connections that are open now
    // Nothing is waited for any more: Events were listed, or may not be, or nobody can tell.
    bool settled() const;

Q_SIGNALS:
    void changed();

private:
    struct Place
    {
        QPointer<Connection> connection;
        QString ns;
        int unanswered = 0;   // questions under way
        bool denied = false;  // one of them was
        bool unknown = false; // the same
        bool listing = false; // permitted, and not listed yet
        bool permitted = false;
    };
    void ask(std::size_t place);
    void answered(std::size_t place, std::optional<bool> allowed);
    void observed(const Observation &observation);

    Monitor *m_monitor;
    std::vector<Place> m_places;
    QTimer m_again;
};

} // namespace switchyard
