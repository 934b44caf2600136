// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From "Switchover..." to the write: choose, plan, confirm, check again, send once, tell. One flow at a time; what the write brings
// about comes back through the watch and is shown on the cluster's page.
#include "app/actions/writer.h"
#include "app/clusters/monitor.h"
#include "views/dialogs/confirm_write_dialog.h"
#include "views/dialogs/switchover_dialog.h"
#include "views/main_window.h"

#include <QPointer>

#include <set>

namespace switchyard::desktop {

class WriteFlow : public QObject
{
    Q_OBJECT
public:
    WriteFlow(Monitor *monitor, views::MainWindow *window, QString auditPath, bool readOnly, QObject *parent = nullptr);

    void switchover(const patroni::ClusterKey &key);
    void cancelRequest(const patroni::ClusterKey &key);
    void clusterChanged(const patroni::ClusterKey &key); // keeps the open dialog true
    void tick(Now now);
    // An answer is awaited: the connection must not be closed.
    bool awaits(const QString &context) const { return m_writer && m_key.context == context.toStdString(); }
    const std::set<patroni::ClusterKey> &written() const { return m_written; } // in this run
    // Which right is known to be missing to write to a cluster, in words; empty: none.
    using MissingRight = std::function<QString(const patroni::Cluster &)>;
    void setMissingRight(MissingRight missing) { m_missingRight = std::move(missing); }

Q_SIGNALS:
    void notPermitted(const std::string &context, const switchyard::Error &error); // the API server refused a write

private:
    const patroni::Cluster *current() const;
    // Why nothing can be written to this cluster now; empty: it can.
    QString refusal(const patroni::ClusterKey &key) const;
    QString missingRight(const patroni::Cluster &cluster) const;
    bool begin(const patroni::ClusterKey &key);
    void planAndConfirm(const rules::ActionWish &wish);
    void confirm(const Result<actions::PlannedWrite> &planned, const std::optional<rules::ActionWish> &wish);
    void send(const actions::PlannedWrite &planned);
    void tell(const actions::WriteResult &result);
    void checkConfirmation();
    // The connection that was confirmed is gone or leads elsewhere: a context of the same name is no substitute.
    std::optional<Error> elsewhere() const;
    std::optional<Error> lastCheck(const actions::PlannedWrite &planned);

    Monitor *m_monitor;
    views::MainWindow *m_window;
    QString m_auditPath;
    bool m_readOnly;
    MissingRight m_missingRight;
    std::set<patroni::ClusterKey> m_written;
    patroni::ClusterKey m_key;
    std::optional<actions::PlannedWrite> m_planned;
    QPointer<Connection> m_target; // of the confirmation
    std::optional<rules::ActionWish> m_wish;
    QPointer<views::SwitchoverDialog> m_choose;
    QPointer<views::ConfirmWriteDialog> m_confirm;
    QPointer<actions::FailoverWriter> m_writer;
};

} // namespace switchyard::desktop
