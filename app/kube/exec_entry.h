// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One exec command as all contexts share it: asked for once at a time, its answer kept until it is about to expire or refused.
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

class ExecEntry : public QObject, public std::enable_shared_from_this<ExecEntry>
{
    Q_OBJECT
public:
    using Done = std::function<void(const Result<Granted> &)>;

    ExecEntry(const ContextConfig &config, ExecShared shared);
    ~ExecEntry() override;

    // At once when there is a result that serves, or nothing new may be tried yet.
    void get(QObject *context, Done done);
    // The server refused this one. An old serial has no effect.
    void refused(quint64 serial);
    void retryNow();

private:
    bool serves(Now now) const;
    bool expiring(Now now) const;
    bool mayRun(Now now) const { return !m_notBefore || now.boot >= *m_notBefore; }
    Error lastError(Now now) const;
    void start();
    void find(const LoginPath &login);
    void ask(const QString &program, const SearchPath &path);
    void run(const QString &program, const SearchPath &path);
    void finish(const Result<ExecResult> &result);
    void fail(Error error);
    void answer(const Result<Granted> &result);
    Boot later(int failures) const;

    ContextConfig m_config;
    ExecShared m_shared;
    std::unique_ptr<ExecPlugin> m_plugin;
    bool m_busy = false;
    std::vector<std::pair<QPointer<QObject>, Done>> m_waiting;

    std::optional<Granted> m_granted;
    Now m_grantedAt{};
    quint64 m_serial = 0;
    std::optional<Error> m_error;
    std::optional<Boot> m_notBefore;
    int m_failures = 0, m_refusals = 0;
};

} // namespace switchyard::kube
