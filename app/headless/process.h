// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The process's own ends: standard output and error, SIGINT and SIGTERM.
#include "app/headless/report.h"

#include <QObject>

namespace switchyard::headless {

// Standard output and standard error of this process.
Sinks processSinks();

// SIGINT and SIGTERM as a signal of the event loop, while this lives.
class Interrupts : public QObject
{
    Q_OBJECT
public:
    explicit Interrupts(QObject *parent = nullptr);
    ~Interrupts() override;

Q_SIGNALS:
    void interrupted();
};

} // namespace switchyard::headless
