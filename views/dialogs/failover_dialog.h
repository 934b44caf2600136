// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Choose who becomes leader, with what may be lost by it.
#include "views/dialogs/request_dialog.h"

class QLabel;

namespace switchyard::views {

class LossCard;

class FailoverDialog : public RequestDialog
{
    Q_OBJECT
public:
    FailoverDialog(const patroni::Cluster &cluster, Now now, QWidget *parent = nullptr);

protected:
    void shown(Now now) override;

private:
    FailoverDialog(const patroni::Cluster &cluster, Now now, LossCard *loss, QWidget *parent);

    LossCard *m_loss;
};

} // namespace switchyard::views
