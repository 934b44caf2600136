// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Choose the target and the time of a switchover. Shows each member with why it is or is not fit; updates live.
#include "models/rules/action.h"

#include <QDialog>

#include <memory>

namespace switchyard::views {

class SwitchoverDialog : public QDialog
{
    Q_OBJECT
public:
    SwitchoverDialog(const patroni::Cluster &cluster, Now now, QWidget *parent = nullptr);
    ~SwitchoverDialog() override;
    void setCluster(const patroni::Cluster &cluster, Now now);
    void tick(Now now);
    rules::ActionWish wish() const; // valid when accepted

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
