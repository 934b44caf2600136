// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The request of a cluster: none, waiting for its time, in flight step by step, or how the last one ended.
#include "views/pages/cluster/parts.h"
#include "views/pages/cluster/request_steps.h"

namespace switchyard::views {

// Steps below each other, joined by a line.
class Stepper : public QWidget
{
    Q_OBJECT
public:
    explicit Stepper(QWidget *parent = nullptr);
    void show(const std::vector<ShownStep> &steps);
    const std::vector<ShownStep> &steps() const { return m_steps; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void paintStep(QPainter &painter, int row) const;
    int lineHeight() const;
    std::vector<ShownStep> m_steps;
};

class RequestCard : public Card
{
    Q_OBJECT
public:
    explicit RequestCard(QWidget *parent = nullptr);
    void show(const patroni::Cluster &cluster, Now now);
    // What a member's own log says about the decision on that request; kept until the card shows another one.
    void setLogLines(const std::string &request, const std::string &member, const QStringList &lines,
                     std::optional<patroni::Refusal> reason);

private:
    void showLog(const std::string &request);
    void showReport(const patroni::Cluster &cluster, const patroni::RequestReport &report, Now now);
    void showSchedule(const patroni::FailoverRequest &request, bool waiting, Now now);
    void explain(const QString &text);

    StateLabel *m_head;
    QLabel *m_wish, *m_due, *m_explanation, *m_logTitle, *m_log;
    std::string m_logOf;                           // id of the request that the lines are about
    std::map<std::string, QStringList> m_logLines; // by member
    std::optional<patroni::Refusal> m_logReason;   // that they name
    Stepper *m_steps;
};

} // namespace switchyard::views
