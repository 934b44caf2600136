// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a cluster page shows below its path: the sentence, reasons, cards, members and tabs. This part grows pale when stale.
#include "models/core/skew.h"
#include "models/patroni/cluster.h"

#include <QWidget>

namespace switchyard::views {

class Banner;
class CaptionLabel;
class ConfigView;
class LockCard;
class MembersView;
class ObjectsView;
class RequestCard;
class RequestsTable;
class StateLabel;
class SyncCard;
class TransitionsTable;

class ClusterBody : public QWidget
{
    Q_OBJECT
public:
    explicit ClusterBody(QWidget *parent = nullptr);
    void show(const patroni::Cluster &cluster, Now now);
    void tick(const patroni::Cluster &cluster, Now now);
    void setSkew(const std::optional<ClockSkew> &skew);
    RequestCard *requestCard() const { return m_request; }
    MembersView *members() const { return m_members; }

private:
    QWidget *buildTabs();
    void showTop(const patroni::Cluster &cluster, Now now);

    StateLabel *m_headline, *m_reasons;
    CaptionLabel *m_owner;
    Banner *m_paused;
    LockCard *m_lock;
    RequestCard *m_request;
    SyncCard *m_sync;
    MembersView *m_members;
    ConfigView *m_config;
    ObjectsView *m_objects;
    RequestsTable *m_requests;
    TransitionsTable *m_transitions;
};

} // namespace switchyard::views
