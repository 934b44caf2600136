// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/process.h"

#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace switchyard::headless {

namespace {

std::array<int, 2> signalPipe{-1, -1};

void onSignal(int)
{
    const int before = errno;
    const char byte = 1;
    [[maybe_unused]] const auto n = ::write(signalPipe[1], &byte, 1);
    errno = before;
}

bool waitWritable(int fd)
{
    pollfd state{fd, POLLOUT, 0};
    return ::poll(&state, 1, -1) >= 0 || errno == EINTR;
}

bool writeTo(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n > 0)
            bytes.remove_prefix(static_cast<std::size_t>(n));
        else if (n < 0 && errno == EAGAIN && waitWritable(fd))
            continue;
        else if (n == 0 || errno != EINTR)
            return false;
    }
    return true;
}

bool readerGone(int fd)
{
    pollfd state{fd, 0, 0};
    return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLNVAL)) != 0;
}

} // namespace

Sinks processSinks()
{
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of write(), not the end of the program
    return {[](std::string_view bytes) { return writeTo(STDOUT_FILENO, bytes); },
            [](const std::string &line) { writeTo(STDERR_FILENO, "switchyard: " + line + '\n'); },
            [] { return readerGone(STDOUT_FILENO); }};
}

Interrupts::Interrupts(QObject *parent)
    : QObject(parent)
{
    if (signalPipe[0] < 0 && ::pipe2(signalPipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    auto *notifier = new QSocketNotifier(signalPipe[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        std::array<char, 16> bytes{};
        while (::read(signalPipe[0], bytes.data(), bytes.size()) > 0) {}
        Q_EMIT interrupted();
    });
    struct sigaction action
    {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

Interrupts::~Interrupts()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

} // namespace switchyard::headless
