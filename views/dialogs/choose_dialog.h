// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What every dialog has that asks what exactly is to be done, before it is planned and confirmed. It writes nothing; accepted means that
// wish() is complete. The flow that opened it keeps it true while it is open.
#include "models/rules/action.h"
#include "models/rules/live_answer.h"

#include <QDialog>

namespace switchyard::views {

class ChooseDialog : public QDialog
{
    Q_OBJECT
public:
    using QDialog::QDialog;

    virtual rules::ActionWish wish() const = 0; // valid when accepted
    virtual void setCluster(const patroni::Cluster &cluster, Now now) = 0;
    // Once a second: ages and countdowns.
    virtual void tick(Now now) { Q_UNUSED(now); }
    // What members say of themselves, each time that one has answered.
    virtual void setAnswers(const rules::LiveAnswers &answers) { Q_UNUSED(answers); }
    // Why members cannot be asked: "pods/proxy is not permitted"; empty: they are asked.
    virtual void setNotAsked(const QString &why) { Q_UNUSED(why); }
    // It was opened from this member's row.
    virtual void preselect(const std::string &member) { Q_UNUSED(member); }
    // What was chosen before somebody else was faster: to be looked at again on what is there now.
    virtual void setWish(const rules::ActionWish &wish) { Q_UNUSED(wish); }
};

} // namespace switchyard::views
