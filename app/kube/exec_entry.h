// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One exec command as all contexts share it: asked for once at a time, its answer kept until it is about to expire. A server that
// refuses it makes the program run anew, but takes nothing from the servers that accept it.
//
//   idle ──asked──► finding (login shell) ──► asking (trust) ──► running ──► idle, with a result or a failure
#include "app/kube/exec_command.h"
#include "app/kube/exec_plugin.h"
#include "app/kube/exec_pool.h"

#include <QPointer>

namespace switchyard::kube {

// What all commands of a pool share.
struct ExecShared
{
    std::shared_ptr<ExecTrust> trust;
    ExecSettings settings;
    LoginShell *shell;
};

struct Granted
{
    quint64 serial = 0; // another one for each run
    ExecResult result;
};

// Of one user of an entry: which answer its server does not take, and when the program may run anew because of that.
struct Refusals
{
    quint64 serial = 0; // 0: none
    int count = 0;      // in a row
    std::optional<Boot> notBefore;
};

class ExecEntry : public QObject, public std::enable_shared_from_this<ExecEntry>
{
    Q_OBJECT
public:
    using Done = std::function<void(const Result<Granted> &)>;

    ExecEntry(const ContextConfig &config, ExecShared shared);
    ~ExecEntry() override;

    // At once when there is a result that serves, or nothing new may be tried yet.
    void get(QObject *context, const Refusals &refusals, Done done);
    // The server of one user refused this one. An old serial has no effect.
    void refused(quint64 serial, Refusals &refusals) const;
    void retryNow();

private:
    struct Waiting
    {
        QPointer<QObject> context;
        Refusals refusals;
        Done done;
    };
    bool serves(Now now) const;
    bool servesTo(const Refusals &refusals, Now now) const;
    bool mustWait(const Refusals &refusals, Now now) const;
    bool expiring(Now now) const;
    bool mayRun(Now now) const { return !m_notBefore || now.boot >= *m_notBefore; }
    Error lastError(const Refusals &refusals, Now now) const;
    Error refusal() const;
    void start();
    void find(const LoginPath &login);
    void ask(const QString &program, const SearchPath &path);
    void run(const QString &program, const SearchPath &path);
    void finish(const Result<ExecResult> &result);
    void fail(Error error);
    void answer(const std::function<Result<Granted>(const Refusals &)> &resultFor);
    Boot later(int failures) const;

    ContextConfig m_config;
    ExecShared m_shared;
    std::unique_ptr<ExecPlugin> m_plugin;
    bool m_busy = false;
    std::vector<Waiting> m_waiting;

    std::optional<Granted> m_granted;
    Now m_grantedAt{};
    quint64 m_serial = 0;
    std::optional<Error> m_error;
    std::optional<Boot> m_notBefore;
    int m_failures = 0;
};

} // namespace switchyard::kube
