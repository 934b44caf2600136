// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Choose the target and the time of a switchover.
#include "views/dialogs/request_dialog.h"

namespace switchyard::views {

class WhenBox;

class SwitchoverDialog : public RequestDialog
{
    Q_OBJECT
public:
    SwitchoverDialog(const patroni::Cluster &cluster, Now now, QWidget *parent = nullptr);
    void tick(Now now) override;

protected:
    std::optional<Instant> at() const override;
    QString timeProblem() const override;
    void setAt(Instant at) override;

private:
    SwitchoverDialog(const patroni::Cluster &cluster, Now now, WhenBox *when, QWidget *parent);

    WhenBox *m_when;
};

} // namespace switchyard::views
