// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The status bar's contexts: shape, name, state in words, age. Worst first; what does not fit is counted ("+3 more") and in the tooltip.
#include "views/main_window.h"

#include <QWidget>

namespace switchyard::views {

// "connected, event 1 s ago" / "stale for 48 s: no answer, retry in 6 s" / "forbidden: ..."
// Of a recording: "recorded, event 1 s before", by the recording's clock
QString contextSentence(const ContextStatus &status, Now now, bool replay = false);

QString stateWord(const ContextStatus &status); // "stale", "forbidden", "unauthorized" ...

class ContextBar : public QWidget
{
    Q_OBJECT
public:
    explicit ContextBar(QWidget *parent = nullptr);
    void set(const std::vector<ContextStatus> &contexts, Now now);
    void setReplay(bool replay);
    void tick(Now now);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void describe();

    std::vector<ContextStatus> m_contexts; // worst first
    Now m_now;
    bool m_replay = false;
};

} // namespace switchyard::views
