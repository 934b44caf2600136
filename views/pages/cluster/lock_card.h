// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The leader lock: who holds it, how long it can still be held, and how sure we are.
#include "views/pages/cluster/parts.h"

#include "models/core/skew.h"
#include "models/patroni/cluster.h"

namespace switchyard::views {

// Time to expiry as a bar with its number.
class ExpiryBar : public QWidget
{
    Q_OBJECT
public:
    explicit ExpiryBar(QWidget *parent = nullptr);
    // share: 0 to 1 of ttl that is left; nullopt: not known, drawn as an empty dashed frame
    void show(std::optional<double> share, Tone tone, const QString &text);
    QString text() const { return m_text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::optional<double> m_share;
    Tone m_tone = Tone::Unknown;
    QString m_text;
};

class LockCard : public Card
{
    Q_OBJECT
public:
    explicit LockCard(QWidget *parent = nullptr);
    void show(const patroni::Cluster &cluster, Now now);
    void setSkew(const std::optional<ClockSkew> &skew); // of the API server; said only when it is certain

private:
    void showHolder(const patroni::Cluster &cluster);
    void showExpiry(const patroni::Cluster &cluster, Now now);

    ShapeMark *m_crown;
    ElidedLabel *m_holder;
    StateLabel *m_state;
    ExpiryBar *m_bar;
    QLabel *m_renewed, *m_ttl, *m_acquired, *m_loop, *m_transitions, *m_view, *m_hint, *m_skew;
};

} // namespace switchyard::views
