// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/confirm_write_dialog.h"

#include "views/dialogs/fold.h"
#include "views/pages/cluster/parts.h"
#include "views/style/marks.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;

struct ConfirmWriteDialog::Impl
{
    ConfirmFacts facts;
    Now opened;
    bool blocked = false;

    QLabel *when = nullptr, *age = nullptr;
    Banner *why = nullptr;
    QPushButton *go = nullptr;

    void build(ConfirmWriteDialog *dialog);
    QFormLayout *buildFacts(ConfirmWriteDialog *dialog);
    QDialogButtonBox *buildButtons(ConfirmWriteDialog *dialog);
    QLabel *value(const QString &text, ConfirmWriteDialog *dialog) const;
    QString whenText(Now now) const;
    void showTimes(Now now);
};

namespace {

constexpr int frameWidth = 4;
constexpr int longestButton = 70;

QString bothTimes(Instant t, const QString &between)
{
    const QString local = timeText(t), utc = timeTextUtc(t);
    return local.endsWith(u"UTC"_s) ? utc : local + between + utc;
}

// A button's "&" would be eaten as a shortcut mark, and a very long name must not push the button off the screen.
QString buttonText(const QString &text)
{
    QString shown = text.size() <= longestButton ? text : text.left(longestButton / 2) + u'\u2026' + text.right(longestButton / 2);
    return shown.replace(u'&', u"&&"_s);
}

} // namespace

QLabel *ConfirmWriteDialog::Impl::value(const QString &text, ConfirmWriteDialog *dialog) const
{
    auto *label = new QLabel(text, dialog);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QFormLayout *ConfirmWriteDialog::Impl::buildFacts(ConfirmWriteDialog *dialog)
{
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(pageMargin);
    form->setVerticalSpacing(grid / 2);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto row = [&](const QString &caption, const QString &text) {
        QLabel *label = value(text, dialog);
        label->setAccessibleName(caption);
        form->addRow(new CaptionLabel(caption, dialog), label);
        return label;
    };
    for (QLabel *strong : {row(tr("Context"), facts.context), row(tr("Namespace"), facts.ns), row(tr("Cluster"), facts.scope),
                           row(tr("From"), facts.from), row(tr("To"), facts.to)})
        strong->setFont(strongFont(strong->font()));
    if (!facts.server.isEmpty())
        row(tr("Server"), facts.server);
    if (!facts.account.isEmpty())
        row(tr("Account"), facts.account);
    when = row(tr("When"), {});
    age = row(tr("Data"), facts.dataAge);
    if (!facts.replaces.isEmpty())
        row(tr("Replaces"), facts.replaces);
    return form;
}

QDialogButtonBox *ConfirmWriteDialog::Impl::buildButtons(ConfirmWriteDialog *dialog)
{
    auto *box = new QDialogButtonBox(dialog);
    go = box->addButton(buttonText(facts.button), QDialogButtonBox::AcceptRole);
    go->setAccessibleName(facts.button);
    go->setToolTip(facts.button);
    go->setAutoDefault(false);
    go->setMinimumWidth(go->sizeHint().width() + 2 * grid);
    auto *cancel = box->addButton(facts.cancels ? tr("Keep it, write nothing") : tr("Cancel, write nothing"), QDialogButtonBox::RejectRole);
    cancel->setDefault(true);
    cancel->setMinimumWidth(cancel->sizeHint().width() + 2 * grid);
    cancel->setFocus();
    connect(box, &QDialogButtonBox::accepted, dialog, [this, dialog] {
        if (!blocked)
            dialog->accept();
    });
    connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return box;
}

void ConfirmWriteDialog::Impl::build(ConfirmWriteDialog *dialog)
{
    auto *column = new QVBoxLayout(dialog);
    const int margin = pageMargin + frameWidth;
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(grid);
    auto *title = new QLabel(tr("%1?").arg(facts.action), dialog);
    title->setFont(titleFont(title->font()));
    title->setTextFormat(Qt::PlainText);
    column->addWidget(title);
    column->addLayout(buildFacts(dialog));
    for (const QString &warning : facts.warnings) {
        auto *line = new StateLabel(dialog);
        line->setState(Tone::Warning, warning);
        column->addWidget(line);
    }
    auto *exact = new Fold(tr("Exact request and body"), dialog);
    exact->setText(facts.request + u'\n' + facts.body);
    auto *command = new Fold(tr("Equivalent command"), dialog);
    command->setText(facts.equivalent);
    column->addWidget(exact);
    column->addWidget(command);
    column->addStretch(1);
    why = new Banner(dialog);
    column->addWidget(why);
    column->addWidget(buildButtons(dialog));
}

QString ConfirmWriteDialog::Impl::whenText(Now now) const
{
    if (!facts.atRaw.isEmpty())
        return tr("it is cleared at once; its time is \"%1\", which cannot be read").arg(facts.atRaw);
    if (facts.at) {
        const QString times = bothTimes(*facts.at, u"\n"_s) + u'\n' + untilText(*facts.at - now.wall);
        return facts.cancels ? tr("it is cleared at once; it was scheduled for\n%1").arg(times) : times;
    }
    return facts.cancels ? tr("it is cleared at once; it had no time, so Patroni may be acting on it already")
                         : tr("now, %1: Patroni acts in the leader's next loop").arg(bothTimes(now.wall, u" / "_s));
}

void ConfirmWriteDialog::Impl::showTimes(Now now)
{
    when->setText(whenText(now));
    const Duration open = now.boot - opened.boot;
    age->setText(open < std::chrono::seconds(1) ? facts.dataAge
                                                : tr("%1 (when this opened, %2 ago)").arg(facts.dataAge, secondsText(open)));
}

ConfirmWriteDialog::ConfirmWriteDialog(const ConfirmFacts &facts, Now now, QWidget *parent)
    : QDialog(parent)
    , d(std::make_unique<Impl>())
{
    d->facts = facts;
    d->opened = now;
    setWindowTitle(facts.action);
    d->build(this);
    tick(now);
    resize(qMax(640, sizeHint().width()), sizeHint().height());
}

ConfirmWriteDialog::~ConfirmWriteDialog() = default;

void ConfirmWriteDialog::tick(Now now)
{
    d->showTimes(now);
    if (d->facts.at && !d->facts.cancels && *d->facts.at <= now.wall)
        block(tr("The time came while this was open. Choose a later one."));
}

void ConfirmWriteDialog::block(const QString &reason)
{
    d->blocked = true;
    d->go->setEnabled(false);
    d->go->setToolTip(reason);
    d->why->say(Tone::Bad, tr("Nothing can be written now: %1").arg(reason));
}

void ConfirmWriteDialog::paintEvent(QPaintEvent *event)
{
    QDialog::paintEvent(event);
    QPainter painter(this);
    const QColor mark = markColour(d->facts.colour, palette());
    painter.setPen(QPen(mark.isValid() ? mark : contextColor(d->facts.context, palette()), frameWidth));
    painter.drawRect(QRectF(rect()).adjusted(frameWidth / 2.0, frameWidth / 2.0, -frameWidth / 2.0, -frameWidth / 2.0));
}

} // namespace switchyard::views
