// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/when_box.h"

#include "views/style/metrics.h"
#include "views/words.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QDateTimeEdit>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
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
    const auto minutes = std::chrono::floor<std::chrono::minutes>(now.wall + 1h + 5min);
    return minutes - (minutes.time_since_epoch() % 5min);
}

} // namespace

WhenBox::WhenBox(Now now, QWidget *parent)
    : Card(tr("When"), parent)
    , m_now(now)
    , m_nowEcho(tr("Patroni acts in the leader's next loop, within loop_wait."))
    , m_atOnce(new QRadioButton(tr("&Now, in the leader's next loop"), this))
    , m_atTime(new QRadioButton(tr("At a &time"), this))
    , m_edit(new QDateTimeEdit(this))
    , m_zone(new QComboBox(this))
    , m_which(new QComboBox(this))
    , m_echo(new QLabel(this))
{
    buildZones();
    build();
    connect(m_atTime, &QRadioButton::toggled, this, &WhenBox::refresh);
    connect(m_edit, &QDateTimeEdit::dateTimeChanged, this, &WhenBox::refresh);
    connect(m_zone, &QComboBox::currentTextChanged, this, &WhenBox::refresh);
    connect(m_which, &QComboBox::currentIndexChanged, this, [this] {
        echo();
        Q_EMIT changed();
    });
    refresh();
}

// Some six hundred: found by typing any part of the name.
void WhenBox::buildZones()
{
    const QList<NamedZone> zones = namedZones();
    for (const NamedZone &zone : zones)
        m_zone->addItem(zone.name, zone.id);
    m_zone->setEditable(true);
    m_zone->setInsertPolicy(QComboBox::NoInsert);
    m_zone->setMaxVisibleItems(12);
    m_zone->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_zone->setMinimumContentsLength(22);
    m_zone->setAccessibleName(tr("Zone of the time"));
    m_zone->setToolTip(tr("Type any part of a zone's name: \"York\", \"Berlin\", \"UTC\"."));
    m_zone->lineEdit()->setAccessibleName(m_zone->accessibleName());
    auto *found = new QCompleter(m_zone->model(), m_zone);
    found->setFilterMode(Qt::MatchContains);
    found->setCaseSensitivity(Qt::CaseInsensitive);
    found->setCompletionMode(QCompleter::PopupCompletion);
    m_zone->setCompleter(found);
}

void WhenBox::build()
{
    m_edit->setTimeSpec(Qt::UTC);
    m_edit->setDisplayFormat(u"yyyy-MM-dd HH:mm:ss"_s);
    m_edit->setCalendarPopup(true);
    m_edit->setAccessibleName(tr("Time"));
    m_edit->setDateTime(digits(instantIn(suggestion(m_now), zone())));
    m_which->setAccessibleName(tr("Which of the two times"));
    m_which->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_which->setMinimumContentsLength(22);
    m_which->hide();
    m_echo->setTextFormat(Qt::PlainText);
    m_echo->setWordWrap(true);
    m_echo->setFont(tabularFont(m_echo->font()));
    m_echo->setMinimumHeight(4 * m_echo->fontMetrics().lineSpacing());
    m_echo->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_echo->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_atOnce->setChecked(true);
    QVBoxLayout *column = body();
    for (QWidget *line : QList<QWidget *>{m_atOnce, m_atTime, m_edit, m_zone, m_which, m_echo})
        column->addWidget(line);
    column->addStretch(1);
    liftIndicator(m_atOnce);
    liftIndicator(m_atTime);
}

void WhenBox::setNowText(const QString &choice, const QString &text)
{
    m_atOnce->setText(choice);
    m_nowEcho = text;
    echo();
}

QTimeZone WhenBox::zone() const
{
    const int index = m_zone->findText(m_zone->currentText().trimmed(), Qt::MatchFixedString);
    if (index < 0)
        return {};
    const QByteArray id = m_zone->itemData(index).toByteArray();
    // Local time by the system's own rules, whatever its zone is called.
    return index == 0 ? QTimeZone::systemTimeZone() : id == "UTC" ? QTimeZone::utc() : QTimeZone(id);
}

bool WhenBox::scheduled() const
{
    return m_atTime->isChecked();
}

ZonedTime WhenBox::typed() const
{
    return resolveZoned(m_edit->date(), m_edit->time(), zone());
}

// Of a time that comes twice the one that was chosen; none as long as nobody chose.
ZonedTime WhenBox::time() const
{
    ZonedTime result = typed();
    const int chosen = m_which->currentIndex() - 1;
    if (result.state != ZonedTime::State::Twice || chosen < 0 || chosen >= result.meanings.size())
        return result;
    result.state = ZonedTime::State::Exact;
    result.instant = result.meanings[chosen].instant;
    return result;
}

void WhenBox::choose(Instant at)
{
    m_atTime->setChecked(true);
    m_zone->setCurrentIndex(1);
    m_edit->setDateTime(instantIn(at, QTimeZone::utc()));
}

void WhenBox::offerMeanings()
{
    const ZonedTime now = typed();
    const bool twice = scheduled() && now.state == ZonedTime::State::Twice;
    m_which->setVisible(twice);
    const auto meanings = twice ? now.meanings : QList<ZonedTime::Meaning>{};
    if (meanings == m_meanings)
        return;
    m_meanings = meanings;
    const QSignalBlocker quiet(m_which);
    m_which->clear();
    if (!twice)
        return;
    m_which->addItem(tr("Choose which of the two\u2026"));
    for (int i = 0; i < meanings.size(); ++i)
        m_which->addItem((i == 0 ? tr("the first, at %1") : tr("the second, at %1")).arg(offsetText(meanings[i].offset)));
    m_which->setCurrentIndex(0);
}

void WhenBox::refresh()
{
    m_edit->setEnabled(scheduled());
    m_zone->setEnabled(scheduled());
    offerMeanings();
    echo();
    Q_EMIT changed();
}

void WhenBox::changeEvent(QEvent *event)
{
    Card::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
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
        m_echo->setText(m_nowEcho);
        return;
    }
    const ZonedTime meant = time();
    if (!meant.instant) {
        m_echo->setText(zone().isValid() ? explained(meant) : tr("There is no zone of that name. Choose one of the list."));
        return;
    }
    const QString local = timeText(*meant.instant), utc = timeTextUtc(*meant.instant);
    const QString times = local.endsWith(u"UTC"_s) ? utc : local + u'\n' + utc;
    m_echo->setText(times + u'\n' + untilText(*meant.instant - m_now.wall));
}

} // namespace switchyard::views
