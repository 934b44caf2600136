// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/terminal_consent.h"

#include <array>
#include <cerrno>

#include <poll.h>
#include <termios.h>
#include <unistd.h>

namespace switchyard::headless {

using namespace Qt::StringLiterals;

namespace {

std::string printable(const QString &text)
{
    QString out = text;
    for (QChar &c : out) {
        if (!c.isPrint() && !c.isSurrogate())
            c = u'?';
    }
    return out.toStdString();
}

} // namespace

std::string consentText(const kube::ExecQuestion &question)
{
    std::string text = "context " + printable(question.context) + ": the user entry " + printable(question.user) + " of "
        + printable(question.file) + " wants to run a program for its credential:\n    " + printable(question.commandLine) + '\n';
    if (!question.program.isEmpty())
        text += "    program: " + printable(question.program) + '\n';
    for (const QString &variable : question.environment)
        text += "    environment: " + printable(variable) + '\n';
    return text + "Run it now and from now on? [y/N] ";
}

TerminalConsent::TerminalConsent(int in, std::function<void(const std::string &)> say, QObject *parent)
    : QObject(parent)
    , m_in(in)
    , m_say(std::move(say))
    , m_notifier(in, QSocketNotifier::Read)
{
    m_notifier.setEnabled(false);
    connect(&m_notifier, &QSocketNotifier::activated, this, &TerminalConsent::readable);
}

TerminalConsent::~TerminalConsent() = default;

bool TerminalConsent::possible()
{
    return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}

void TerminalConsent::ask(const kube::ExecQuestion &question, std::function<void(kube::ExecTrust::Answer)> answer)
{
    m_pending.push_back({question, std::move(answer)});
    if (m_pending.size() == 1)
        next();
}

void TerminalConsent::next()
{
    if (m_pending.empty()) {
        m_notifier.setEnabled(false);
        Q_EMIT waiting(false);
        return;
    }
    if (m_ended)
        return answered("n");
    dropTypedAhead();
    m_say(consentText(m_pending.front().question));
    m_notifier.setEnabled(true);
    Q_EMIT waiting(true);
}

// What was typed before a question is no answer to it.
void TerminalConsent::dropTypedAhead()
{
    m_read.clear();
    if (::isatty(m_in) == 1)
        ::tcflush(m_in, TCIFLUSH);
    std::array<char, 256> bytes{};
    pollfd state{m_in, POLLIN, 0};
    while (::poll(&state, 1, 0) > 0 && (state.revents & POLLIN) != 0) {
        if (::read(m_in, bytes.data(), bytes.size()) <= 0)
            return; // its end is noticed by readable()
    }
}

void TerminalConsent::readable()
{
    std::array<char, 256> bytes{};
    const ssize_t n = ::read(m_in, bytes.data(), bytes.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    m_ended = n <= 0;
    if (m_ended)
        return answered("n");
    m_read.append(bytes.data(), n);
    for (qsizetype end = m_read.indexOf('\n'); end >= 0 && !m_pending.empty(); end = m_read.indexOf('\n')) {
        const QByteArray line = m_read.left(end);
        m_read.remove(0, end + 1);
        answered(line);
    }
}

void TerminalConsent::answered(const QByteArray &line)
{
    if (m_pending.empty())
        return;
    const Pending done = std::move(m_pending.front());
    m_pending.pop_front();
    const QByteArray word = line.trimmed().toLower();
    done.answer(word == "y" || word == "yes" ? kube::ExecTrust::Answer::Always : kube::ExecTrust::Answer::No);
    next();
}

} // namespace switchyard::headless
