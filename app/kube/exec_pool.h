// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Programs that kubeconfigs name for credentials: whether they may run, where they are found, one run at a time for each.
#include "app/kube/credentials.h"
#include "app/kube/group_process.h"
#include "app/kube/watch.h"

namespace switchyard::kube {

// What a person has to know to allow a program to run.
struct ExecQuestion
{
    QString context, user, file; // who wants it: context, user entry, kubeconfig file
    QString program;             // the file that would run; empty: not found
    QString commandLine;         // command and arguments, quoted as for a shell
    QStringList environment;     // NAME=value as the kubeconfig sets them
    QString hash;                // of all that is run: command, arguments, environment
};

// Remembers what was allowed, by hash, in a file of one's own (mode 0600). `trustAll`: --trust-exec.
class ExecTrust
{
public:
    enum class Answer { No, Once, Always };
    // Asks the user, from the event loop; answers later, once. Not set: nothing new is allowed.
    using Ask = std::function<void(const ExecQuestion &, std::function<void(Answer)> answer)>;

    explicit ExecTrust(QString file, bool trustAll = false);
    void setAsk(Ask ask);
    // Calls `done` once: at once when the answer is known (also a "once" or "no" of this run of the program).
    void check(const ExecQuestion &question, std::function<void(bool allowed)> done);
    void forgetRefusals(); // "try again": a "no" is asked anew

private:
    struct Impl;
    std::shared_ptr<Impl> d;
};

struct ExecSettings
{
    ProcessLimits limits;                                            // of one run
    std::chrono::milliseconds shellLimit = std::chrono::seconds(5);  // of the login shell
    std::chrono::milliseconds backoffMin = std::chrono::seconds(10); // after a run that failed or a credential that was refused
    std::chrono::milliseconds backoffMax = std::chrono::minutes(5);
    std::chrono::milliseconds leastUse = std::chrono::seconds(10); // a credential that comes expired serves that long
    Clock clock = systemClock();
    std::function<double()> unit; // a random number of [0, 1) for the back-off; empty: the system's
    QString path;                 // null: that of our own environment
    QString shell;                // null: the user's
    QString home;                 // null: the user's
};

class ExecEntry; // one command: its last answer, or its run

class ExecPool
{
public:
    explicit ExecPool(std::shared_ptr<ExecTrust> trust, ExecSettings settings = {});
    ~ExecPool();
    // For CredentialSource. The program is killed, and its answer forgotten, when the last holder lets go.
    std::shared_ptr<ExecEntry> entry(const ContextConfig &config);

private:
    struct Impl;
    std::shared_ptr<Impl> d;
};

} // namespace switchyard::kube
