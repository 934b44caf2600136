// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/request_card.h"

#include "views/requests.h"
#include "views/style/metrics.h"
#include "views/style/shapes.h"
#include "views/words.h"

#include <QPainter>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::FailoverRequest;
using patroni::Outcome;

namespace {

constexpr int markColumn = 20;

Tone toneOf(StepState state)
{
    switch (state) {
    case StepState::Done: return Tone::Good;
    case StepState::Current: return Tone::Warning;
    case StepState::Failed: return Tone::Bad;
    case StepState::Warned: return Tone::Warning;
    case StepState::Ahead: break;
    }
    return Tone::Unknown;
}

QString capital(const QString &words)
{
    return words.left(1).toUpper() + words.mid(1);
}

QLabel *paragraph(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString refusalText(const patroni::RequestReport &report)
{
    const auto reason = report.reason.value_or(patroni::Refusal::Unknown);
    return reason == patroni::Refusal::Unknown
        ? words(reason)
        : RequestCard::tr("%1 Patroni gives no reason: this is inferred from the objects.", "the rule that refused").arg(words(reason));
}

QString unseenText()
{
    return RequestCard::tr(
        "Patroni cannot see this object: it is of the kind that this cluster does not use, or lacks the label that Patroni looks for. "
        "Nothing comes of it, and it delays nothing.");
}

} // namespace

Stepper::Stepper(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

int Stepper::lineHeight() const
{
    return fontMetrics().height() + grid / 2;
}

QSize Stepper::sizeHint() const
{
    return {30 * grid, static_cast<int>(m_steps.size()) * lineHeight()};
}

QSize Stepper::minimumSizeHint() const
{
    return {20 * grid, sizeHint().height()};
}

void Stepper::show(const std::vector<ShownStep> &steps)
{
    if (m_steps == steps)
        return;
    const bool resized = m_steps.size() != steps.size();
    m_steps = steps;
    QStringList words;
    for (const auto &s : steps)
        words << (s.time.isEmpty() ? s.text : s.text + u' ' + s.time);
    setAccessibleName(words.join(u"; "_s));
    setVisible(!steps.empty());
    if (resized)
        updateGeometry();
    update();
}

void Stepper::paintStep(QPainter &painter, int row) const
{
    const auto &step = m_steps[static_cast<std::size_t>(row)];
    const int h = lineHeight(), y = row * h;
    const bool ahead = step.state == StepState::Ahead;
    if (row + 1 < static_cast<int>(m_steps.size())) {
        painter.setPen(QPen(hairline(palette()), 1.5));
        painter.drawLine(QPointF(markColumn / 2.0 - 3, y + h / 2.0 + 6), QPointF(markColumn / 2.0 - 3, y + 1.5 * h - 6));
    }
    paintShape(painter, QRectF(1, y + (h - 11) / 2.0, 11, 11), toneOf(step.state), shownTone(this, toneOf(step.state)));
    painter.setFont(step.state == StepState::Current ? strongFont(font()) : font());
    const int timeWidth = step.time.isEmpty() ? 0 : fontMetrics().horizontalAdvance(step.time) + grid;
    const QRect words(markColumn, y, width() - markColumn - timeWidth, h);
    painter.setPen(ahead ? shownColor(this, secondaryText(palette())) : palette().color(QPalette::WindowText));
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, painter.fontMetrics().elidedText(step.text, Qt::ElideMiddle, words.width()));
    painter.setFont(font());
    painter.setPen(shownColor(this, secondaryText(palette())));
    painter.drawText(QRect(width() - timeWidth, y, timeWidth, h), Qt::AlignRight | Qt::AlignVCenter, step.time);
}

void Stepper::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int row = 0; row < static_cast<int>(m_steps.size()); ++row)
        paintStep(painter, row);
}

RequestCard::RequestCard(QWidget *parent)
    : Card(tr("Request"), parent)
    , m_head(new StateLabel(this))
    , m_wish(paragraph(this))
    , m_due(paragraph(this))
    , m_explanation(paragraph(this))
    , m_logTitle(new CaptionLabel({}, this))
    , m_log(paragraph(this))
    , m_steps(new Stepper(this))
{
    m_due->setFont(tabularFont(m_due->font()));
    body()->addWidget(m_head);
    body()->addWidget(m_wish);
    body()->addWidget(m_due);
    body()->addWidget(m_steps);
    body()->addWidget(m_explanation);
    body()->addWidget(m_logTitle);
    body()->addWidget(m_log);
    body()->addStretch(1);
    m_log->setFont(monospaceFont(m_log->font()));
    m_log->setAccessibleName(tr("Log lines of members"));
    showLog({});
}

void RequestCard::setLogLines(const std::string &request, const std::string &member, const QStringList &lines,
                              std::optional<patroni::Refusal> reason)
{
    if (m_logOf != request) {
        m_logLines.clear();
        m_logReason.reset();
    }
    if (reason)
        m_logReason = reason;
    m_logOf = request;
    m_logLines[member] = lines;
}

// Quoted as they stand in the log: they are the member's words, not ours.
void RequestCard::showLog(const std::string &request)
{
    QStringList names, quoted;
    if (!request.empty() && request == m_logOf)
        for (const auto &[member, lines] : m_logLines)
            if (!lines.isEmpty()) {
                names << text(member);
                quoted << lines;
            }
    m_logTitle->setText(names.isEmpty() ? QString() : tr("log of %1").arg(names.join(u", "_s)));
    m_log->setText(quoted.join(u'\n'));
    m_logTitle->setVisible(!quoted.isEmpty());
    m_log->setVisible(!quoted.isEmpty());
}

void RequestCard::explain(const QString &text)
{
    m_explanation->setText(text);
    m_explanation->setVisible(!text.isEmpty());
}

void RequestCard::showSchedule(const FailoverRequest &request, bool waiting, Now now)
{
    m_due->setVisible(request.scheduledAtRaw.has_value());
    if (!request.scheduledAtRaw)
        return;
    const QString raw = text(*request.scheduledAtRaw);
    if (!request.scheduledAt) {
        m_due->setText(tr("scheduled_at: \"%1\"").arg(raw));
        return;
    }
    const QString local = timeText(*request.scheduledAt), utc = timeTextUtc(*request.scheduledAt);
    const QString times = local.endsWith(u"UTC"_s) ? utc : local + u'\n' + utc;
    // Others write the offset of their own zone: it is how they know the time.
    const QString written = request.offsetSeconds.value_or(0) == 0 ? times : times + u'\n' + tr("as written: %1").arg(raw);
    m_due->setText(waiting ? written + u'\n' + untilText(*request.scheduledAt - now.wall) : written);
    m_due->setToolTip(tr("As written: %1").arg(raw));
}

void RequestCard::showReport(const patroni::Cluster &cluster, const patroni::RequestReport &report, Now now)
{
    const bool final = patroni::isFinal(report.outcome);
    const bool waiting = !final && report.step == patroni::RequestStep::Scheduled;
    QString head = words(report.outcome);
    if (report.outcome == Outcome::Pending)
        head = waiting ? tr("scheduled") : words(report.step);
    const bool open = report.heldBack;
    if (open)
        head = tr("cleared, may still be carried out");
    else if (final)
        head = tr("last: %1").arg(head);
    m_head->setState(open ? Tone::Unknown : views::toneOf(report.outcome), head);
    m_wish->setText(capital(requestWish(report.request)));
    m_wish->show();
    showSchedule(report.request, waiting, now);
    patroni::RequestReport ended = report; // as far as it came
    if (open) {
        ended.outcome = Outcome::Refused;
        ended.step = patroni::RequestStep::Decided;
    }
    auto steps = requestSteps(ended, now);
    if (open)
        steps.back() = {StepState::Current, tr("cleared, may still be carried out"), steps.back().time};
    m_steps->show(steps);
    QString why;
    const bool inItsWords = report.id == m_logOf && m_logReason; // the member's own log names the rule
    if (open)
        why = tr("A leader that had looked at it already still steps down. That shows within two renewals of its lock.");
    else if (report.outcome == Outcome::Refused)
        why = inItsWords ? words(*m_logReason) : refusalText(report);
    else if (report.outcome != Outcome::Pending && report.outcome != Outcome::Done)
        why = explained(report.outcome);
    if (report.invisible)
        why = unseenText();
    if (!report.certain && report.outcome != Outcome::Refused && !open)
        why += (why.isEmpty() ? QString() : u" "_s) + tr("Not certain: our view had a gap while it happened.");
    if (waiting && !report.invisible && cluster.view.freshness == patroni::Freshness::Live)
        why = tr("Not inert: until then an unplanned failover would ignore the lag limit.");
    explain(why);
    showLog(report.id);
    setAlarm(report.outcome == Outcome::Outage ? Tone::Bad : Tone::Neutral);
}

void RequestCard::show(const patroni::Cluster &cluster, Now now)
{
    const FailoverRequest *seen = cluster.seenFailover();
    const bool unreadable = seen && seen->schedule == FailoverRequest::Schedule::Unparsable;
    const auto *pending = cluster.pendingRequest();
    if (!unreadable && (pending || !cluster.requests.empty())) {
        showReport(cluster, pending ? *pending : cluster.requests.back(), now);
        return;
    }
    m_steps->show({});
    m_due->hide();
    showLog({});
    setAlarm(unreadable ? Tone::Bad : Tone::Neutral);
    if (unreadable) {
        m_head->setState(Tone::Bad, tr("outage"));
        m_wish->setText(capital(requestWish(*cluster.failover)));
        m_wish->setVisible(cluster.failover->pending());
        showSchedule(*cluster.failover, false, now);
        explain(explained(Outcome::Outage));
        return;
    }
    if (hasRequest(cluster) && !cluster.failover->pending()) {
        m_head->setState(Tone::Warning, tr("only a time is set"));
        m_wish->hide();
        showSchedule(*cluster.failover, false, now);
        explain(seen ? tr("The object names neither a leader nor a candidate. Clear it if it is not meant.") : unseenText());
        return;
    }
    const bool known = cluster.view.lastContact.has_value();
    m_head->setState(cluster.failover && cluster.failover->pending() ? Tone::Warning : Tone::Neutral,
                     !known                                                   ? unknownText()
                         : cluster.view.freshness == patroni::Freshness::Live ? tr("Nothing is pending.")
                                                                              : tr("Nothing was pending when last seen."));
    m_wish->setVisible(cluster.failover && cluster.failover->pending());
    if (m_wish->isVisibleTo(this))
        m_wish->setText(capital(requestWish(*cluster.failover)));
    explain(known ? tr("No request was seen since the program started.") : QString());
}

} // namespace switchyard::views
