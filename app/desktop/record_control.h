// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The window's Record: asks into which file, records all that the monitor is fed, shows that it does.
#include "app/clusters/monitor.h"
#include "app/clusters/recorder.h"
#include "views/main_window.h"

namespace switchyard::desktop {

class RecordControl : public QObject
{
    Q_OBJECT
public:
    RecordControl(Monitor *monitor, views::MainWindow *window, QObject *parent = nullptr);
    const Recorder &recorder() const { return m_recorder; }

private:
    void toggle();
    void start(const QString &file, bool replaceNames);
    void show();
    void failed(const QString &message);

    Monitor *m_monitor;
    views::MainWindow *m_window;
    Recorder m_recorder;
};

} // namespace switchyard::desktop
