// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All contexts of the kubeconfig, one row each, open or not. Merges by name; never a reset.
#include "models/core/skew.h"
#include "models/items/merging_table_model.h"
#include "models/items/roles.h"
#include "models/patroni/cluster.h"

#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>

namespace switchyard::items {

// How a context is doing; what deserves a look first comes first.
enum class Standing { Unauthorized, Forbidden, Stale, Waiting, Connecting, Live, Closed, Unusable };
QString standingCode(Standing standing); // "unauthorized" "forbidden" "stale" "waiting" "connecting" "live" "closed" "unusable"

bool isNamespaceName(const QString &name); // a DNS label, as Kubernetes wants it

// One watch of an open context.
struct ContextWatch
{
    QString resource, ns; // ns empty: all namespaces
    patroni::Freshness freshness = patroni::Freshness::Connecting;
    std::optional<Boot> lastContact;
    QString error;
    QString refused; // "namespace payments: list configmaps forbidden"; empty: it was not
    bool operator==(const ContextWatch &) const = default;
};

struct ContextRow
{
    QString name;             // of the kubeconfig; the key
    QString alias, colour;    // the user's own; colour is a code: red orange green blue purple grey, or empty
    bool favourite = false;   // listed first
    bool current = false;     // kubectl's current context
    bool vanished = false;    // no longer in the kubeconfig
    bool insecure = false;    // certificate not checked
    bool readOnly = false;    // the user's own: nothing is written to its clusters
    bool isProtected = false; // the user's own: the scope's name is typed before a write
    bool chosen = false;      // namespaces were chosen by hand
    Standing standing = Standing::Closed;
    QString user, cluster, file;
    QString server, address; // of the kubeconfig; in use, where that is another one
    QString version;         // of Kubernetes; empty: unknown
    QStringList namespaces;  // watched, or would be; "" = all
    std::optional<std::chrono::milliseconds> latency, retryIn;
    std::optional<ClockSkew> skew;
    std::optional<Boot> lastContact, staleSince;
    QString problem; // in one line; empty: none
    QString advice;  // the next step
    QString notice;  // what works less well than asked for
    std::vector<ContextWatch> watches;
    QString shown() const { return alias.isEmpty() ? name : alias; }
    bool open() const { return standing != Standing::Closed && standing != Standing::Unusable; }
    bool operator==(const ContextRow &) const = default;
};

class ContextsModel : public MergingTableModel
{
    Q_OBJECT
public:
    enum Column { Mark, Name, State, Namespaces, Server, User, Version, Latency, Skew, LastContact, ColumnCount };
    using MergingTableModel::MergingTableModel;

    void set(std::vector<ContextRow> rows, Now now);
    void tick(Now now); // ages
    Now now() const { return m_now; }
    const ContextRow *rowAt(int row) const;
    const ContextRow *find(const QString &name) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    // RawRole: Mark bool; Name, Server, User, Version text; State code; Namespaces QStringList; Latency qint64 ms; Skew qint64
    // microseconds, only when it is certain; LastContact qint64 boot-time microseconds. CodeRole: State.
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void replaceRows(std::vector<ContextRow> rows);

    std::vector<ContextRow> m_rows;
    Now m_now;
};

} // namespace switchyard::items
