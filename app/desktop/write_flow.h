// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From a button to the write, for every action: refuse or choose, plan, try without storing, confirm, check again, send once, tell. One
// flow at a time; what a write brings about comes back through the watch and is shown on the cluster's page.
#include "app/clusters/monitor.h"
#include "app/desktop/outcome_watch.h"
#include "app/desktop/settings.h"
#include "app/desktop/write_job.h"
#include "views/dialogs/choose_dialog.h"
#include "views/dialogs/confirm_write_dialog.h"
#include "views/dialogs/waiting_dialog.h"
#include "views/main_window.h"

#include <QPointer>
#include <QTimer>

#include <set>

namespace switchyard::desktop {

class SendQueue;
struct QueuedWrite;

class WriteFlow : public QObject
{
    Q_OBJECT
public:
    WriteFlow(Monitor *monitor, views::MainWindow *window, QString auditPath, bool readOnly, QObject *parent = nullptr);

    void act(const patroni::ClusterKey &key, rules::ActionKind kind);
    void actOn(const patroni::ClusterKey &key, rules::ActionKind kind, const std::string &member); // from a member's row
    // Several clusters: pause, resume, reload. One confirmation that names them all, one line of result for each.
    void act(const std::vector<patroni::ClusterKey> &keys, rules::ActionKind kind);
    void carryOut(const patroni::ClusterKey &key, const rules::ActionWish &wish); // nothing is left to be chosen

    void clusterChanged(const patroni::ClusterKey &key); // keeps the open dialog true
    void tick(Now now);
    // An answer is awaited: the connection must not be closed.
    bool awaits(const QString &context) const;
    const std::set<patroni::ClusterKey> &written() const { return m_written; } // in this run
    // Which right is known to be missing for an action on a cluster, in words; empty: none.
    using MissingRight = std::function<QString(const patroni::Cluster &, rules::ActionKind, bool byRest)>;
    void setMissingRight(MissingRight missing) { m_missingRight = std::move(missing); }
    using Guard = std::function<ContextGuard(const QString &context)>; // what the user made of the context
    void setGuard(Guard guard) { m_guard = std::move(guard); }

    // Asks the members of a cluster what they say of themselves, as long as `context` lives; empty: they are asked, else why not.
    using Told = std::function<void(const rules::LiveAnswers &)>;
    using Asker = std::function<QString(const patroni::ClusterKey &, QObject *context, const Told &)>;
    void setAsker(Asker asker) { m_asker = std::move(asker); }

Q_SIGNALS:
    void notPermitted(const std::string &context, const switchyard::Error &error); // the API server refused a write

private:
    const patroni::Cluster *find(const patroni::ClusterKey &key) const { return m_monitor->store().find(key); }
    Connection *connectionOf(const patroni::ClusterKey &key) const;
    ContextGuard guardOf(const patroni::ClusterKey &key) const;
    // Why nothing can be done to this cluster now; empty: it can.
    QString refusal(const patroni::ClusterKey &key, rules::ActionKind kind, bool byRest) const;
    void frame(QWidget *dialog, const std::string &context) const;
    bool busy();
    bool begin(const patroni::ClusterKey &key, rules::ActionKind kind);
    void choose(const patroni::ClusterKey &key, rules::ActionKind kind, const std::string &member,
                const std::optional<rules::ActionWish> &earlier);
    void askMembers(const patroni::ClusterKey &key);
    void refuse(const QString &title, const Error &error);

    // write_flow_send.cpp
    void plan(WriteJob &job) const; // fills writes, or leftOut
    void planAndConfirm(std::vector<WriteJob> jobs);
    void confirm();
    std::vector<QueuedWrite> queued() const;
    void tryFirst();
    void send();
    void sending(int index);
    void showWaiting();
    void answered(const actions::WriteResult &result);
    void sent();
    void tellOne(const actions::WriteResult &result);
    void tellAll(const std::vector<QueuedWrite> &writes, const std::vector<actions::WriteResult> &results);
    void checkConfirmation();
    void noteOutcomes(const patroni::Cluster &cluster);
    const WriteJob *jobOf(const patroni::ClusterKey &key) const;
    // The connection that was confirmed is gone or leads elsewhere: a context of the same name is no substitute.
    std::optional<Error> elsewhere(const WriteJob &job) const;
    std::optional<Error> lastCheck(const actions::PlannedWrite &planned);
    std::optional<Error> judgeAgain(const actions::PlannedWrite &planned, const WriteJob &job, const patroni::Cluster &cluster) const;

    Monitor *m_monitor;
    views::MainWindow *m_window;
    QString m_auditPath;
    bool m_readOnly;
    MissingRight m_missingRight;
    Guard m_guard;
    Asker m_asker;
    std::set<patroni::ClusterKey> m_written;
    rules::LiveAnswers m_answers; // of the cluster that is chosen for
    QPointer<QObject> m_asking;   // as long as it lives, members are asked
    patroni::ClusterKey m_choosing;
    std::vector<WriteJob> m_jobs; // confirmed, or to be
    QPointer<views::ChooseDialog> m_choose;
    QPointer<views::ConfirmWriteDialog> m_confirm;
    QPointer<views::WaitingDialog> m_waiting;
    QPointer<SendQueue> m_queue;
    QTimer m_patience; // before it is said that an answer is awaited
    QString m_step;    // what is under way
    bool m_waitingClosed = false;
    OutcomeWatch m_outcomes;
};

} // namespace switchyard::desktop
