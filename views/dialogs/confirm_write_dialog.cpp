// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/confirm_write_dialog.h"

#include "views/dialogs/fold.h"
#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"
#include "views/widgets/context_frame.h"
#include "views/words.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;

struct ConfirmWriteDialog::Impl
{
    ConfirmFacts facts;
    Now opened;
    bool blocked = false;
    DryRun dryRun = DryRun::NotTried;
    QString dryRunText;

    QLabel *when = nullptr, *age = nullptr;
    StateLabel *tried = nullptr;
    QLineEdit *typed = nullptr;
    Banner *why = nullptr;
    QPushButton *go = nullptr;
    QScrollArea *area = nullptr;

    void build(ConfirmWriteDialog *dialog);
    QWidget *buildBody(ConfirmWriteDialog *dialog);
    QFormLayout *buildFacts(QWidget *body);
    void addTargets(QVBoxLayout *column, QWidget *body) const;
    void addTyping(QVBoxLayout *column, ConfirmWriteDialog *dialog);
    QDialogButtonBox *buildButtons(ConfirmWriteDialog *dialog);
    QString whenText(Now now) const;
    void showTimes(Now now);
    QString missing() const; // why it cannot be confirmed yet; empty: it can
    void allow();
    void grow(ConfirmWriteDialog *dialog) const; // as far as the screen allows
};

namespace {

constexpr int longestButton = 90;

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

QLabel *value(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

StateLabel *addState(QVBoxLayout *column, Tone tone, const QString &text, QWidget *parent)
{
    auto *line = new StateLabel(parent);
    line->setState(tone, text);
    column->addWidget(line);
    return line;
}

Tone toneOf(ConfirmWriteDialog::DryRun state)
{
    switch (state) {
    case ConfirmWriteDialog::DryRun::Accepted: return Tone::Good;
    case ConfirmWriteDialog::DryRun::Refused: return Tone::Bad;
    case ConfirmWriteDialog::DryRun::Waiting:
    case ConfirmWriteDialog::DryRun::NotTried: break;
    }
    return Tone::Unknown;
}

} // namespace

QFormLayout *ConfirmWriteDialog::Impl::buildFacts(QWidget *body)
{
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(pageMargin);
    form->setVerticalSpacing(grid / 2);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto row = [&](const QString &caption, const QString &text) {
        QLabel *label = value(text, body);
        label->setAccessibleName(caption);
        form->addRow(new CaptionLabel(caption, body), label);
        return label;
    };
    const QList<ConfirmFacts::Row> strong{{tr("Context"), facts.context},
                                          {tr("Namespace"), facts.ns},
                                          {tr("Cluster"), facts.scope},
                                          {tr("From"), facts.from},
                                          {tr("To"), facts.to}};
    for (const ConfirmFacts::Row &line : strong) {
        if (line.text.isEmpty())
            continue;
        QLabel *label = row(line.caption, line.text);
        label->setFont(strongFont(label->font()));
    }
    for (const ConfirmFacts::Row &line : QList<ConfirmFacts::Row>{{tr("Server"), facts.server}, {tr("Account"), facts.account}}) {
        if (!line.text.isEmpty())
            row(line.caption, line.text);
    }
    for (const ConfirmFacts::Row &line : std::as_const(facts.more))
        row(line.caption, line.text);
    when = row(tr("When"), {});
    age = row(tr("Data"), facts.dataAge);
    for (const ConfirmFacts::Row &line : QList<ConfirmFacts::Row>{{tr("Replaces"), facts.replaces}, {tr("Checked"), facts.preflight}}) {
        if (!line.text.isEmpty())
            row(line.caption, line.text);
    }
    return form;
}

void ConfirmWriteDialog::Impl::addTargets(QVBoxLayout *column, QWidget *body) const
{
    for (const ConfirmFacts::Target &target : facts.targets) {
        if (target.leftOut.isEmpty())
            addState(column, Tone::Good, target.name, body);
        else
            addState(column, Tone::Unknown, tr("%1: left out. %2").arg(target.name, target.leftOut), body);
    }
}

void ConfirmWriteDialog::Impl::addTyping(QVBoxLayout *column, ConfirmWriteDialog *dialog)
{
    if (facts.typeToConfirm.isEmpty())
        return;
    auto *ask = new QLabel(tr("This context is protected. Type %1 to confirm:").arg(facts.typeToConfirm), dialog);
    ask->setTextFormat(Qt::PlainText);
    ask->setWordWrap(true);
    typed = new QLineEdit(dialog);
    typed->setAccessibleName(ask->text());
    ask->setBuddy(typed);
    column->addWidget(ask);
    column->addWidget(typed);
    connect(typed, &QLineEdit::textChanged, dialog, [this] { allow(); });
}

QDialogButtonBox *ConfirmWriteDialog::Impl::buildButtons(ConfirmWriteDialog *dialog)
{
    auto *box = new QDialogButtonBox(dialog);
    go = box->addButton(buttonText(facts.button), QDialogButtonBox::AcceptRole);
    go->setAccessibleName(facts.button);
    go->setAutoDefault(false);
    go->setMinimumWidth(go->sizeHint().width() + 2 * grid);
    auto *cancel = box->addButton(facts.cancels ? tr("Keep it, write nothing") : tr("Cancel, write nothing"), QDialogButtonBox::RejectRole);
    cancel->setDefault(true);
    cancel->setMinimumWidth(cancel->sizeHint().width() + 2 * grid);
    cancel->setFocus();
    connect(box, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return box;
}

QWidget *ConfirmWriteDialog::Impl::buildBody(ConfirmWriteDialog *dialog)
{
    auto *body = new QWidget(dialog);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, grid, 0);
    column->setSpacing(grid);
    column->addLayout(buildFacts(body));
    addTargets(column, body);
    for (const QString &warning : std::as_const(facts.warnings))
        addState(column, Tone::Warning, warning, body);
    tried = addState(column, Tone::Unknown, {}, body);
    tried->hide();
    auto *exact = new Fold(tr("Exact request and body"), body);
    exact->setText(facts.request + u'\n' + facts.body);
    auto *commands = new CommandFold(body);
    commands->setCommands(facts.commands);
    commands->setVisible(!facts.commands.isEmpty());
    column->addWidget(exact);
    column->addWidget(commands);
    column->addStretch(1);
    return body;
}

void ConfirmWriteDialog::Impl::build(ConfirmWriteDialog *dialog)
{
    auto *column = new QVBoxLayout(dialog);
    const int margin = pageMargin + ContextFrame::width;
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(grid);
    auto *title = new QLabel(tr("%1?").arg(facts.action), dialog);
    title->setFont(titleFont(title->font()));
    title->setTextFormat(Qt::PlainText);
    title->setWordWrap(true);
    column->addWidget(title);
    area = new QScrollArea(dialog); // what must be named can be more than a small screen holds
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    area->setWidget(buildBody(dialog));
    column->addWidget(area, 1);
    addTyping(column, dialog);
    why = new Banner(dialog);
    column->addWidget(why);
    (new ContextFrame(dialog))->setMark(facts.colour, facts.context);
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
    if (facts.cancels)
        return tr("it is cleared at once; it had no time, so Patroni may be acting on it already");
    const QString meaning = facts.nowText.isEmpty() ? tr("Patroni acts in the leader's next loop") : facts.nowText;
    return tr("now, %1: %2").arg(bothTimes(now.wall, u" / "_s), meaning);
}

void ConfirmWriteDialog::Impl::showTimes(Now now)
{
    when->setText(whenText(now));
    const Duration open = now.boot - opened.boot;
    age->setText(open < std::chrono::seconds(1) ? facts.dataAge
                                                : tr("%1 (when this opened, %2 ago)").arg(facts.dataAge, secondsText(open)));
}

QString ConfirmWriteDialog::Impl::missing() const
{
    if (dryRun == DryRun::Waiting || dryRun == DryRun::Refused)
        return dryRunText;
    if (typed && typed->text().trimmed() != facts.typeToConfirm)
        return tr("Type %1 first.").arg(facts.typeToConfirm);
    return {};
}

void ConfirmWriteDialog::Impl::allow()
{
    if (blocked)
        return;
    const QString wanting = missing();
    go->setEnabled(wanting.isEmpty());
    go->setToolTip(wanting.isEmpty() ? facts.button : wanting);
}

void ConfirmWriteDialog::Impl::grow(ConfirmWriteDialog *dialog) const
{
    const QWidget *body = area->widget();
    const int width = area->viewport()->width();
    const int wanted = body->hasHeightForWidth() ? body->heightForWidth(width) : body->sizeHint().height();
    const int missing = wanted - area->viewport()->height();
    const int room = dialog->screen()->availableGeometry().height() * 9 / 10;
    if (missing > 0 && dialog->height() < room)
        dialog->resize(dialog->width(), qMin(dialog->height() + missing, room));
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
    d->allow();
    const int width = qMax(640, sizeHint().width());
    const int wanted = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : sizeHint().height();
    resize(width, qMin(wanted, screen()->availableGeometry().height() * 9 / 10));
    // What is unfolded should be seen.
    for (QToolButton *fold : d->area->widget()->findChildren<QToolButton *>())
        connect(fold, &QToolButton::toggled, this, [this] { QTimer::singleShot(0, this, [this] { d->grow(this); }); });
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

void ConfirmWriteDialog::setDryRun(DryRun state, const QString &text)
{
    d->dryRun = state;
    d->dryRunText = text;
    d->tried->setState(toneOf(state), text);
    d->tried->setVisible(!text.isEmpty());
    d->allow();
    QTimer::singleShot(0, this, [this] { d->grow(this); });
}

void ConfirmWriteDialog::accept()
{
    if (!d->blocked && d->missing().isEmpty())
        QDialog::accept();
}

} // namespace switchyard::views
