// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What switchover and failover have in common: who takes over, judged live by Patroni's rules; what stands against it, and where each
// rule is written; what cannot be seen from here; the pending request that would be replaced.
#include "models/rules/preflight.h"
#include "views/dialogs/choose_dialog.h"

#include <memory>

class QVBoxLayout;

namespace switchyard::views {

class RequestDialog : public ChooseDialog
{
    Q_OBJECT
public:
    ~RequestDialog() override;
    rules::ActionWish wish() const override;
    void setCluster(const patroni::Cluster &cluster, Now now) override;
    void tick(Now now) override;
    void setAnswers(const rules::LiveAnswers &answers) override;
    void setNotAsked(const QString &why) override;
    void preselect(const std::string &member) override;
    void setWish(const rules::ActionWish &wish) override;

protected:
    // `side`: what stands beside the candidates.
    RequestDialog(rules::ActionKind kind, const patroni::Cluster &cluster, Now now, QWidget *side, QWidget *parent);
    const rules::Preflight &judged() const;
    const patroni::Cluster &cluster() const;
    void check(); // anew: something was chosen
    void fitToScreen();
    void changeEvent(QEvent *event) override;

    virtual std::optional<Instant> at() const { return std::nullopt; }
    virtual QString timeProblem() const { return {}; } // why what is typed is no time; empty: it is, or none is wanted
    virtual void shown(Now now) { Q_UNUSED(now); }     // judged() is new
    virtual void setAt(Instant at) { Q_UNUSED(at); }

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
