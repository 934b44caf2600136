// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The side list: contexts, namespaces, clusters; worst first, with counts. Click or Enter opens a cluster or narrows the fleet to a place.
#include "views/main_window.h"

#include <QTimer>
#include <QTreeWidget>

#include <map>

namespace switchyard::views {

class SideTree : public QTreeWidget
{
    Q_OBJECT
public:
    explicit SideTree(items::FleetModel *fleet, QWidget *parent = nullptr);
    ~SideTree() override;
    void setContexts(const std::vector<ContextStatus> &contexts);
    void setOpened(const std::optional<patroni::ClusterKey> &key);
    void refresh(); // at once; else at most every 200 ms

Q_SIGNALS:
    void clusterChosen(const switchyard::patroni::ClusterKey &key);
    void placeChosen(const QString &context, const QString &ns); // empty: everything

private:
    struct Node;
    void choose(QTreeWidgetItem *item);
    void build(const std::vector<Node> &nodes);
    static QString countText(const Node &node);
    static QString rightText(const Node &node);
    static QString contextTip(const Node &node);
    QTreeWidgetItem *place(QTreeWidgetItem *parent, int row, const QString &path, const QString &name);
    std::vector<Node> nodes() const;

    bool looksDifferent(int firstRow, int lastRow) const; // of the fleet, from what is shown

    using Look = std::pair<patroni::Health, bool>; // and is it stale?
    items::FleetModel *m_fleet;
    std::map<patroni::ClusterKey, Look> m_looks; // as last shown
    std::vector<ContextStatus> m_contexts;
    std::map<QString, QTreeWidgetItem *> m_items; // by path: "", "ctx", "ctx\nns", "ctx\nns\nbase\ngroup"
    std::map<QString, Node> m_shown;              // what each of them shows
    std::optional<patroni::ClusterKey> m_opened;
    QTimer m_throttle;
};

} // namespace switchyard::views
