// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The fleet's health over time beside its table: strips of the clusters that the fleet shows, in its order.
#include "models/store/trails.h"

#include <QWidget>

namespace switchyard::views {

class FactsTable;
class HealthStrips;
class PicturePanel;

class HealthPane : public QWidget
{
    Q_OBJECT
public:
    explicit HealthPane(QWidget *parent = nullptr);
    void setTrails(const Trails *trails) { m_trails = trails; }
    // clusters: key and shown name
    void show(const std::vector<std::pair<patroni::ClusterKey, QString>> &clusters, Now now);

Q_SIGNALS:
    void saveRequested(const QString &file, const QByteArray &bytes);

private:
    const Trails *m_trails = nullptr;
    HealthStrips *m_strips;
    PicturePanel *m_panel;
    FactsTable *m_table;
};

} // namespace switchyard::views
