// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The rights of every open context, following what its connection meets: refusals, lists, clusters that are found.
#include "app/clusters/monitor.h"
#include "app/clusters/rights.h"

#include <QPointer>

namespace switchyard {

class RightsBook : public QObject
{
    Q_OBJECT
public:
    explicit RightsBook(Monitor *monitor, RightsTimes times = {}, QObject *parent = nullptr);
    ~RightsBook() override;

    Rights *of(const std::string &context) const;                 // nullptr: the context is not open
    void refresh();                                               // of all contexts: F5
    void refresh(const QString &context);                         // another credential
    void refused(const std::string &context, const Error &error); // a write was answered 403
    // The cluster on screen: its names are asked about before those of others.
    void setOpened(const std::optional<patroni::ClusterKey> &key);
    void update(); // connections that were opened or closed, clusters that came or went

Q_SIGNALS:
    void changed();

private:
    struct Later // may be inside one of its signals
    {
        void operator()(Rights *rights) const { rights->deleteLater(); }
    };
    struct Entry
    {
        QPointer<Connection> connection;
        std::unique_ptr<Rights, Later> rights;
        kube::Credential credential; // another one may be another account
    };
    void onChanged(const StoreChanges &changes);
    void open(Connection *connection);
    static void permitEvents(Connection &connection, const Rights &rights);
    void observe(Rights *rights, const Observation &observation);
    rules::RightsScope scopeOf(const Connection &connection) const;

    Monitor *m_monitor;
    RightsTimes m_times;
    std::map<std::string, Entry> m_entries;
    std::optional<patroni::ClusterKey> m_opened;
    std::set<patroni::ClusterKey> m_known; // at the last update
    QTimer m_later;                        // clusters come in crowds
};

} // namespace switchyard
