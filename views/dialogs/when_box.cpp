// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/when_box.h"

#include "views/style/metrics.h"
#include "views/words.h"

#include <QComboBox>
#include <QDateTimeEdit>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

// The editor itself always works in UTC: it only holds digits, and no zone rule may bend what is typed.
QDateTime digits(const QDateTime &shown)
{
    return QDateTime(shown.date(), shown.time(), QTimeZone::utc());
}

QDateTime instantIn(Instant t, const QTimeZone &zone)
{
    return QDateTime::fromSecsSinceEpoch(std::chrono::floor<std::chrono::seconds>(t).time_since_epoch().count(), zone);
}

// An hour from now, on the next five minutes.
Instant suggestion(Now now)
{
    return std::chrono::floor<std::chrono::minutes>(now.wall + 1h + 5min)
        - (std::chrono::floor<std::chrono::minutes>(now.wall + 1h + 5min).time_since_epoch() % 5min);
}

} // namespace

WhenBox::WhenBox(Now now, QWidget *parent)
    : Card(tr("When"), parent)
    , m_now(now)
    , m_atOnce(new QRadioButton(tr("&Now, in the leader's next loop"), this))
    , m_atTime(new QRadioButton(tr("At a &time"), this))
    , m_edit(new QDateTimeEdit(this))
    , m_zone(new QComboBox(this))
    , m_echo(new QLabel(this))
{
    m_zone->addItem(tr("local time (%1)").arg(QString::fromLatin1(QTimeZone::systemTimeZoneId())),
                    QVariant::fromValue(QTimeZone::systemTimeZone()));
    m_zone->addItem(tr("UTC"), QVariant::fromValue(QTimeZone::utc()));
    m_zone->setAccessibleName(tr("Zone of the time"));
    m_edit->setTimeSpec(Qt::UTC);
    m_edit->setDisplayFormat(u"yyyy-MM-dd HH:mm:ss"_s);
    m_edit->setCalendarPopup(true);
    m_edit->setAccessibleName(tr("Time of the switchover"));
    m_edit->setDateTime(digits(instantIn(suggestion(now), zone())));
    m_echo->setTextFormat(Qt::PlainText);
    m_echo->setWordWrap(true);
    m_echo->setFont(tabularFont(m_echo->font()));
    m_echo->setMinimumHeight(3 * m_echo->fontMetrics().lineSpacing());
    m_echo->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_atOnce->setChecked(true);

    QVBoxLayout *column = body();
    column->addWidget(m_atOnce);
    column->addWidget(m_atTime);
    column->addWidget(m_edit);
    column->addWidget(m_zone);
    column->addWidget(m_echo);
    column->addStretch(1);
    const auto update = [this] {
        m_edit->setEnabled(scheduled());
        m_zone->setEnabled(scheduled());
        echo();
        Q_EMIT changed();
    };
    connect(m_atTime, &QRadioButton::toggled, this, update);
    connect(m_edit, &QDateTimeEdit::dateTimeChanged, this, update);
    connect(m_zone, &QComboBox::currentIndexChanged, this, update);
    liftIndicator(m_atOnce);
    liftIndicator(m_atTime);
    m_edit->setEnabled(false);
    m_zone->setEnabled(false);
    echo();
}

QTimeZone WhenBox::zone() const
{
    return m_zone->currentData().value<QTimeZone>();
}

bool WhenBox::scheduled() const
{
    return m_atTime->isChecked();
}

ZonedTime WhenBox::time() const
{
    return resolveZoned(m_edit->date(), m_edit->time(), zone());
}

void WhenBox::changeEvent(QEvent *event)
{
    Card::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_atTime)
        return;
    liftIndicator(m_atOnce);
    liftIndicator(m_atTime);
}

void WhenBox::tick(Now now)
{
    m_now = now;
    echo();
}

void WhenBox::echo()
{
    if (!scheduled()) {
        m_echo->setText(tr("Patroni acts in the leader's next loop, within loop_wait."));
        return;
    }
    const ZonedTime typed = time();
    if (!typed.instant) {
        m_echo->setText(explained(typed));
        return;
    }
    const QString local = timeText(*typed.instant), utc = timeTextUtc(*typed.instant);
    const QString times = local.endsWith(u"UTC"_s) ? utc : local + u'\n' + utc;
    m_echo->setText(times + u'\n' + untilText(*typed.instant - m_now.wall));
}

} // namespace switchyard::views
