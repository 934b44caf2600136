// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Asks a person at the terminal whether a program may run for a credential. One question at a time; the event loop goes on.
#include "app/kube/exec_pool.h"

#include <QObject>
#include <QSocketNotifier>

#include <deque>

namespace switchyard::headless {

// What is asked, with everything that would run; what a kubeconfig says cannot write to the terminal as it likes.
std::string consentText(const kube::ExecQuestion &question);

class TerminalConsent : public QObject
{
    Q_OBJECT
public:
    // Reads answers from `in`, writes questions to `say`.
    TerminalConsent(int in, std::function<void(const std::string &)> say, QObject *parent = nullptr);
    ~TerminalConsent() override;
    static bool possible(); // standard input and standard error are a terminal

    void ask(const kube::ExecQuestion &question, std::function<void(kube::ExecTrust::Answer)> answer);

Q_SIGNALS:
    void waiting(bool forAPerson); // time limits make no sense meanwhile

private:
    struct Pending
    {
        kube::ExecQuestion question;
        std::function<void(kube::ExecTrust::Answer)> answer;
    };
    void next();
    void readable();
    void dropTypedAhead();
    void answered(const QByteArray &line);

    int m_in;
    std::function<void(const std::string &)> m_say;
    QSocketNotifier m_notifier;
    std::deque<Pending> m_pending;
    QByteArray m_read;
    bool m_ended = false; // nobody can answer any more
};

} // namespace switchyard::headless
