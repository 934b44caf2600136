// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Below the table: everything about the chosen context. What is wrong and the next step first, then facts, then its watches.
#include "models/items/contexts_model.h"
#include "views/pages/cluster/parts.h"

namespace switchyard::views {

class ContextDetail : public QFrame
{
    Q_OBJECT
public:
    explicit ContextDetail(QWidget *parent = nullptr);
    void show(const items::ContextRow &row, Now now);
    void showCount(int count); // several are chosen, or none

private:
    QString watchLines(const items::ContextRow &row, Now now) const;

    ElidedLabel *m_name;
    StateLabel *m_state;
    QLabel *m_problem, *m_advice;
    QWidget *m_facts;
    QLabel *m_server, *m_user, *m_file, *m_version, *m_latency, *m_clock, *m_namespaces, *m_watches, *m_guard;
    CaptionLabel *m_watchesTitle;
};

} // namespace switchyard::views
