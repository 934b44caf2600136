// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The dynamic configuration as a tree: what is stored, and the defaults that are in force where nothing is.
#include "models/patroni/cluster.h"

#include <QTreeWidget>

namespace switchyard::views {

class ConfigView : public QTreeWidget
{
    Q_OBJECT
public:
    explicit ConfigView(QWidget *parent = nullptr);
    void show(const patroni::Cluster &cluster);
    QSize sizeHint() const override;

private:
    void fill(const std::string &raw);

    std::optional<std::string> m_shown;
    bool m_stale = false;
};

} // namespace switchyard::views
