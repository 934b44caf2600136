// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words over the fleet model: texts, tooltips, accessible names, tones; values and order stay the model's own.
#include "models/items/fleet_model.h"
#include "views/widgets/column_words.h"

#include <map>

namespace switchyard::views {

class FleetWords : public ColumnWords
{
    Q_OBJECT
public:
    explicit FleetWords(items::FleetModel *fleet, QObject *parent = nullptr);
    QVariant data(const QModelIndex &index, int role) const override;
    void setAliases(const std::map<QString, QString> &aliases); // by context; shown, found and sorted by instead of its name
    QString shownContext(const patroni::Cluster &cluster) const;
    static constexpr Duration glowTime = std::chrono::milliseconds(1500);
    void setGlow(bool on) { m_glow = on; } // off where the desktop asks for no animation

protected:
    ColumnHeader header(int column) const override;

private:
    QString display(const patroni::Cluster &cluster, int column) const;
    QString toolTip(const patroni::Cluster &cluster, int column) const;
    QString accessible(const patroni::Cluster &cluster, int column) const;
    QVariant tone(const patroni::Cluster &cluster, int column) const;
    QVariant fraction(const patroni::Cluster &cluster, int column) const;
    bool glows(const QModelIndex &index) const;

    items::FleetModel *m_fleet;
    std::map<QString, QString> m_aliases;
    bool m_glow = true;
};

} // namespace switchyard::views
