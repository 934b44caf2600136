// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/lock_card.h"

#include "views/style/metrics.h"
#include "views/widgets/contexts_words.h"
#include "views/words.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::LockState;

ExpiryBar::ExpiryBar(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ExpiryBar::show(std::optional<double> share, Tone tone, const QString &text)
{
    m_share = share;
    m_tone = tone;
    m_text = text;
    setAccessibleName(text);
    update();
}

QSize ExpiryBar::sizeHint() const
{
    return {20 * grid, fontMetrics().height() + 2};
}

void ExpiryBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int textWidth = qMax(fontMetrics().horizontalAdvance(u"expired 00 min 00 s ago"_s), fontMetrics().horizontalAdvance(m_text));
    const qreal height = 8;
    const QRectF track(0.5, (this->height() - height) / 2, qMax(24, width() - textWidth - 2 * grid), height);
    painter.setPen(m_share ? Qt::NoPen : QPen(shownTone(this, Tone::Unknown), 1, Qt::DashLine));
    painter.setBrush(m_share ? QBrush(hairline(palette())) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(track, 4, 4);
    if (m_share && *m_share > 0) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(shownTone(this, m_tone));
        painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(qMax(height, track.width() * qBound(0.0, *m_share, 1.0)), height)), 4, 4);
    }
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRectF(track.right() + grid, 0, width() - track.right() - grid, this->height()), Qt::AlignLeft | Qt::AlignVCenter,
                     m_text);
}

LockCard::LockCard(QWidget *parent)
    : Card(tr("Lock"), parent)
    , m_crown(new ShapeMark(grid * 2, this))
    , m_holder(new ElidedLabel(this))
    , m_state(new StateLabel(this))
    , m_bar(new ExpiryBar(this))
{
    m_holder->setFont(titleFont(m_holder->font()));
    m_holder->setTextFormat(Qt::PlainText);
    m_state->label()->setWordWrap(false);
    auto *row = new QHBoxLayout;
    row->setSpacing(grid);
    row->addWidget(m_crown);
    row->addWidget(m_holder, 1);
    row->addWidget(m_state);
    body()->addLayout(row);
    body()->addWidget(m_bar);

    auto *facts = new FactGrid(2, this);
    m_renewed = facts->add(tr("renewed"));
    m_ttl = facts->add(u"ttl"_s);
    m_view = facts->add(tr("API seen"));
    m_loop = facts->add(u"loop_wait"_s);
    m_hint = facts->add(tr("renewTime"));
    m_transitions = facts->add(tr("transitions"));
    body()->addWidget(facts);
    auto *acquired = new FactGrid(1, this);
    m_acquired = acquired->add(tr("acquired"));
    body()->addWidget(acquired);
    m_skew = new CaptionLabel({}, this);
    m_skew->setTextFormat(Qt::PlainText);
    m_skew->setWordWrap(true);
    m_skew->setToolTip(tr("By the Date of its answers. Patroni's times above are written by other machines' clocks; it decides nothing."));
    m_skew->setVisible(false);
    body()->addWidget(m_skew);
    body()->addStretch(1);
    m_view->setToolTip(tr("When anything was last heard from the API server about this cluster."));
    m_renewed->setToolTip(tr("When we last saw the record change, on our own clock. Patroni decides by the same rule."));
    m_hint->setToolTip(tr("A hint only: renewTime is written by the leader's clock and is never used to decide whether the lock is held."));
}

void LockCard::showHolder(const patroni::Cluster &cluster)
{
    const auto &lock = cluster.lock;
    const bool leads = cluster.leaderName.has_value();
    m_crown->setVisible(leads);
    m_crown->setTone(Tone::Leader);
    QString holder = tr("nobody");
    if (lock.holder)
        holder = leads || lock.state == LockState::Stale ? text(*lock.holder)
                                                         : tr("was %1", "former holder of the lock").arg(text(*lock.holder));
    if (cluster.view.freshness != patroni::Freshness::Live && !lock.holder)
        holder = unknownText();
    if (m_holder->text() != holder)
        m_holder->setText(holder);
    const Tone tone = toneOf(lock.state, lock.late);
    m_state->setState(tone, words(lock.state, lock.late));
    setAlarm(tone == Tone::Bad && cluster.health.health == patroni::Health::Unhealthy ? Tone::Bad : Tone::Neutral);
}

void LockCard::showExpiry(const patroni::Cluster &cluster, Now now)
{
    const auto &lock = cluster.lock;
    const Tone tone = toneOf(lock.state, lock.late);
    if (lock.state == LockState::Released || lock.state == LockState::Absent || !lock.expiresAt) {
        m_bar->show(std::nullopt, Tone::Unknown,
                    lock.state == LockState::Released || lock.state == LockState::Absent ? tr("no expiry") : tr("expiry unknown"));
        return;
    }
    const Duration left = *lock.expiresAt - now.boot;
    if (lock.state == LockState::Stale) {
        m_bar->show(std::nullopt, Tone::Unknown, tr("not known while stale"));
    } else if (left < Duration::zero()) {
        m_bar->show(0.0, tone,
                    lock.state == LockState::Expired ? tr("expired %1 ago").arg(secondsText(-left)) : tr("ttl over, being confirmed"));
    } else {
        const double share = lock.ttl > 0 ? toSeconds(left) / static_cast<double>(lock.ttl) : 0.0;
        m_bar->show(share, tone,
                    lock.state == LockState::Unverified ? tr("%1 left at most").arg(secondsText(left))
                                                        : tr("%1 to expiry").arg(secondsText(left)));
    }
}

void LockCard::setSkew(const std::optional<ClockSkew> &skew)
{
    const QString words = skew ? skewSentence(*skew) : QString();
    if (words != m_skew->text())
        m_skew->setText(words);
    m_skew->setVisible(!words.isEmpty());
}

void LockCard::show(const patroni::Cluster &cluster, Now now)
{
    const auto &lock = cluster.lock;
    showHolder(cluster);
    showExpiry(cluster, now);
    m_renewed->setText(lock.changedNotAfter ? agoText(lock.changedNotAfter, now) : lock.firstSeen ? tr("not seen yet") : unknownText());
    m_ttl->setText(lock.state == LockState::Absent ? unknownText() : tr("%1 s").arg(lock.ttl));
    m_loop->setText(cluster.config && cluster.config->config.present ? tr("%1 s").arg(cluster.config->config.loopWait) : unknownText());
    m_transitions->setText(lock.transitions ? QString::number(*lock.transitions) : unknownText());
    m_view->setText(agoText(cluster.view.lastContact, now));
    m_acquired->setText(lock.acquireTime ? timeText(*lock.acquireTime) : unknownText());
    m_acquired->setToolTip(lock.acquireTime ? tr("%1, by the leader's clock").arg(timeTextUtc(*lock.acquireTime)) : QString());
    if (!lock.renewTime)
        m_hint->setText(unknownText());
    else if (*lock.renewTime > now.wall)
        m_hint->setText(tr("%1 ahead, leader's clock").arg(secondsText(*lock.renewTime - now.wall)));
    else
        m_hint->setText(tr("%1 old, leader's clock").arg(secondsText(now.wall - *lock.renewTime)));
}

} // namespace switchyard::views
