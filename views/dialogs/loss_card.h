// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a failover to the candidate may lose, as bytes and as WAL positions; unknown where it is not known.
#include "models/rules/preflight.h"
#include "views/pages/cluster/parts.h"

namespace switchyard::views {

class LossCard : public Card
{
    Q_OBJECT
public:
    explicit LossCard(QWidget *parent = nullptr);
    void show(const patroni::Cluster &cluster, const std::optional<std::string> &candidate, const std::optional<rules::DataLoss> &loss,
              Now now);
    QString text() const;

private:
    StateLabel *m_amount, *m_sync;
    QLabel *m_positions, *m_age;
};

} // namespace switchyard::views
