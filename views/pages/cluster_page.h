// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One cluster: first line in a sentence, lock / request / sync cards, members, tabs with configuration and raw objects.
#include "models/core/skew.h"
#include "models/rules/action.h"

#include <QWidget>

#include <memory>

namespace switchyard::views {

class ClusterPage : public QWidget
{
    Q_OBJECT
public:
    explicit ClusterPage(QWidget *parent = nullptr);
    ~ClusterPage() override;
    void setCluster(const patroni::Cluster &cluster, Now now);
    void setGone(const patroni::ClusterKey &key, Now now); // it disappeared: say so, block actions
    void clear();
    void setReadOnly(bool readOnly);
    void setReplay(bool replay);              // why it is read-only
    void setMissingRight(const QString &why); // "patch endpoints ... is not permitted": no request can be asked for; empty: none known
    void setMissingRights(const std::map<rules::ActionKind, QString> &why); // the same, action by action
    // The user's own marks of the context: a frame in its colour (a code), and what guards it.
    void setContextMarks(const QString &colour, bool readOnly, bool isProtected);
    // What a member's own log says about the decision on a request (its id); secrets are masked already.
    void setLogLines(const std::string &request, const std::string &member, const QStringList &lines,
                     std::optional<patroni::Refusal> reason = {});
    void tick(Now now);
    void setSkew(const std::optional<ClockSkew> &skew); // of the API server's clock

Q_SIGNALS:
    void historyRequested();
    void actionRequested(switchyard::rules::ActionKind kind, const QString &member); // member: it was asked of its row; empty: none

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
