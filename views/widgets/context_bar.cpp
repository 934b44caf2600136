// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/context_bar.h"

#include "views/style/metrics.h"
#include "views/style/shapes.h"
#include "views/widgets/contexts_words.h"
#include "views/words.h"

#include <algorithm>

namespace switchyard::views {

using patroni::Freshness;
using namespace Qt::StringLiterals;

namespace {

int rank(Freshness f)
{
    switch (f) {
    case Freshness::Forbidden: return 0;
    case Freshness::Stale: return 1;
    case Freshness::Connecting: return 2;
    case Freshness::Live: break;
    }
    return 3;
}

QString retryText(const ContextStatus &s)
{
    return s.retryIn ? ContextBar::tr("retry in %1").arg(secondsText(*s.retryIn)) : QString();
}

QString withError(const QString &state, const ContextStatus &s)
{
    const QString because = s.error.isEmpty() ? state : ContextBar::tr("%1: %2", "state: reason").arg(state, s.error);
    const QString retry = retryText(s);
    return retry.isEmpty() ? because : because + u", "_s + retry;
}

} // namespace

static QString recordedSentence(const ContextStatus &s, Now now)
{
    return s.lastContact ? ContextBar::tr("recorded, event %1 before").arg(secondsText(now.boot - *s.lastContact))
                         : ContextBar::tr("recorded");
}

QString stateWord(const ContextStatus &status)
{
    return status.state.isEmpty() ? words(status.freshness) : status.state;
}

QString contextSentence(const ContextStatus &s, Now now, bool replay)
{
    if (replay && s.freshness == Freshness::Live)
        return recordedSentence(s, now);
    switch (s.freshness) {
    case Freshness::Live:
        return s.lastContact ? ContextBar::tr("connected, event %1").arg(agoText(s.lastContact, now)) : ContextBar::tr("connected");
    case Freshness::Stale: {
        const auto since = s.staleSince ? s.staleSince : s.lastContact;
        return withError(since ? ContextBar::tr("stale for %1").arg(secondsText(now.boot - *since)) : ContextBar::tr("stale"), s);
    }
    case Freshness::Forbidden: return withError(stateWord(s), s);
    case Freshness::Connecting:
        if (!s.state.isEmpty())
            return withError(s.state, s);
        return withError(s.lastContact ? ContextBar::tr("reconnecting") : ContextBar::tr("connecting"), s);
    }
    return unknownText();
}

ContextBar::ContextBar(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ContextBar::set(const std::vector<ContextStatus> &contexts, Now now)
{
    m_contexts = contexts;
    std::stable_sort(m_contexts.begin(), m_contexts.end(),
                     [](const auto &a, const auto &b) { return rank(a.freshness) < rank(b.freshness); });
    m_now = now;
    describe();
}

void ContextBar::setReplay(bool replay)
{
    m_replay = replay;
    describe();
}

void ContextBar::tick(Now now)
{
    m_now = now;
    describe();
}

void ContextBar::describe()
{
    QStringList lines;
    for (const ContextStatus &s : m_contexts) {
        QString line = tr("%1: %2", "context: state").arg(s.shown(), contextSentence(s, m_now, m_replay));
        if (!s.server.isEmpty())
            line += u"\n    "_s + tr("server %1").arg(s.server);
        if (!s.user.isEmpty())
            line += u", "_s + tr("user %1").arg(s.user);
        if (!s.alias.isEmpty())
            line += u"\n    "_s + tr("context %1").arg(s.name);
        if (const QString skew = s.skew ? skewSentence(*s.skew) : QString(); !skew.isEmpty())
            line += u"\n    "_s + skew;
        for (const QString &refused : s.refused)
            line += u"\n    "_s + refused;
        if (s.insecure)
            line += u"\n    "_s + tr("its certificate is not checked");
        lines << line;
    }
    setToolTip(lines.join(u'\n'));
    setAccessibleName(lines.isEmpty() ? tr("No context is open") : lines.join(u'\n'));
    update();
}

QSize ContextBar::minimumSizeHint() const
{
    return {20 * grid, fontMetrics().height() + grid};
}

void ContextBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor quiet = secondaryText(palette());
    if (m_contexts.empty()) {
        painter.setPen(quiet);
        painter.drawText(rect(), int(Qt::AlignVCenter | Qt::AlignLeft), tr("No context is open"));
        return;
    }
    const QFontMetrics metrics = fontMetrics();
    const int side = qMax(8, qRound(metrics.height() * 0.7)), shapeRoom = side + 6;
    int x = 0;
    for (std::size_t i = 0; i < m_contexts.size(); ++i) {
        const ContextStatus &s = m_contexts[i];
        const bool last = i + 1 == m_contexts.size();
        const QString more = last ? QString() : tr("+%1 more").arg(m_contexts.size() - i);
        const QString state = u"  "_s + contextSentence(s, m_now, m_replay);
        const int nameWidth = metrics.horizontalAdvance(s.shown()), stateWidth = metrics.horizontalAdvance(state);
        const int room = width() - x - (last ? 0 : metrics.horizontalAdvance(tr("+%1 more").arg(99)) + grid);
        if (i > 0 && shapeRoom + nameWidth + stateWidth > room) { // the first is always shown, shortened if need be
            painter.setPen(quiet);
            painter.drawText(QRect(x, 0, width() - x, height()), int(Qt::AlignVCenter | Qt::AlignLeft),
                             tr("+%1 more").arg(m_contexts.size() - i));
            return;
        }
        const Tone tone = toneOf(s.freshness);
        paintShape(painter, QRectF(x, height() / 2.0 - side / 2.0, side, side), tone, palette());
        x += shapeRoom;
        painter.setPen(palette().color(QPalette::WindowText));
        const int nameRoom = qMin(nameWidth, qMax(0, width() - x));
        painter.drawText(QRect(x, 0, nameRoom, height()), int(Qt::AlignVCenter),
                         nameRoom < nameWidth ? metrics.elidedText(s.shown(), Qt::ElideMiddle, nameRoom) : s.shown());
        x += nameRoom;
        painter.setPen(tone == Tone::Good ? quiet : toneColor(tone, palette()));
        const int stateRoom = qMin(stateWidth, qMax(0, width() - x));
        painter.drawText(QRect(x, 0, stateRoom, height()), int(Qt::AlignVCenter),
                         stateRoom < stateWidth ? metrics.elidedText(state, Qt::ElideRight, stateRoom) : state);
        x += stateRoom + 3 * grid;
    }
}

} // namespace switchyard::views
