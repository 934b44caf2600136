// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Asks the API servers whether they would accept what is about to be confirmed, one after the other; nothing is stored.
#include "app/desktop/send_queue.h"
#include "views/dialogs/confirm_write_dialog.h"

namespace switchyard::desktop {

class DryRuns : public QObject
{
    Q_OBJECT
public:
    DryRuns(QString auditPath, kube::Clock clock, QObject *parent = nullptr);
    void setChecks(std::function<bool()> readOnly, actions::ActionWriter::Check check);
    void start(std::vector<QueuedWrite> writes);
    // Each write with what was answered to its try, to be sent as it is.
    const std::vector<actions::DryRunResult> &results() const { return m_results; }

Q_SIGNALS:
    void finished();

private:
    void tryNext();

    QString m_auditPath;
    kube::Clock m_clock;
    std::function<bool()> m_readOnly;
    actions::ActionWriter::Check m_check;
    std::vector<QueuedWrite> m_writes;
    std::vector<actions::DryRunResult> m_results;
};

// What all tries together say, for the confirmation.
struct DryRunWords
{
    views::ConfirmWriteDialog::DryRun state{};
    QString text;
};
DryRunWords dryRunWords(const std::vector<actions::DryRunResult> &results);

} // namespace switchyard::desktop
