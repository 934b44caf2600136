// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lab as one user of the program sees it: a Monitor on the user's kubeconfig, and what it has told so far.
#include "app/actions/writer.h"
#include "app/clusters/monitor.h"

#include <QTemporaryDir>

#include <memory>

namespace switchyard::lab {

// The two clusters of the lab
struct Side
{
    QString cluster;   // the lab's name for it
    std::string scope; // Patroni's
    patroni::Mode mode{};
};
const std::array<Side, 2> &sides();

class Watched : public QObject
{
    Q_OBJECT
public:
    explicit Watched(const QString &user, const ConnectionOptions &options = {}, kube::WatchTimes times = {});
    ~Watched() override;

    const ClusterStore &store() const { return m_monitor.store(); }
    Now now() const { return m_monitor.now(); }
    const ContextState *context() const;
    const patroni::Cluster *cluster(const Side &side) const; // nullptr: not found (yet)
    bool calm(const Side &side) const;                       // all there, lock held, everybody streaming, nothing pending
    bool allCalm() const;

    Connection *connection() const { return m_connection; }
    int told(EventCode code) const; // how many events of this kind, of all clusters
    // All that is known of a cluster and does not depend on when one began to look, a line each; empty: not found
    QStringList picture(const Side &side) const;

    // In patronictl's words, to be compared with what it prints
    QStringList members(const Side &side) const;
    QStringList history(const Side &side) const;

    // Events of one cluster seen so far, as codes in order
    std::vector<EventCode> events(const Side &side) const;
    const std::vector<Event> &events() const { return m_events; }
    const Event *lastEvent(const Side &side, EventCode code) const;

    // Plans with the program's own planner and sends with its own writer, as the window does
    actions::WriteResult request(const Side &side, const rules::ActionWish &wish);
    actions::WriteResult cancel(const Side &side);
    // What becomes of a request when the leader changes while it is on its way: planner and writer would refuse to name a wrong leader.
    actions::WriteResult requestWithNamesSwapped(const Side &side, const rules::ActionWish &wish);
    QByteArray audit() const;
    const patroni::RequestReport *lastRequest(const Side &side) const;

private:
    actions::ActionWriter::Check stillCurrent(const Side &side) const;
    actions::WriteResult send(const Result<actions::PlannedWrite> &planned, const actions::ActionWriter::Check &check);

    QTemporaryDir m_folder;
    QString m_user;
    Monitor m_monitor;
    Connection *m_connection = nullptr;
    std::vector<Event> m_events;
};

} // namespace switchyard::lab
