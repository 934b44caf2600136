// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/exec_consent_dialog.h"

#include "views/style/metrics.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

QLabel *plain(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

// Whole, however long: what runs must be seen to its end.
QPlainTextEdit *block(const QString &text, const QString &name, int lines, QWidget *parent)
{
    auto *edit = new QPlainTextEdit(text, parent);
    edit->setReadOnly(true);
    edit->setTabChangesFocus(true);
    edit->setFont(monospaceFont(parent->font()));
    edit->setAccessibleName(name);
    edit->setWordWrapMode(QTextOption::WrapAnywhere);
    edit->setFixedHeight(lines * edit->fontMetrics().lineSpacing() + 2 * edit->frameWidth() + grid);
    return edit;
}

} // namespace

ExecConsentDialog::ExecConsentDialog(const ExecFacts &facts, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Run a program?"));
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(false);
    setMinimumWidth(620);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    layout->setSpacing(grid);
    auto *title = plain(tr("Context %1 wants to run a program to log in").arg(facts.context), this);
    title->setFont(titleFont(font()));
    layout->addWidget(title);
    layout->addWidget(
        plain(tr("The kubeconfig names it. It runs with your rights and may do anything that you may do: allow it only if you "
                 "know where this kubeconfig comes from. \"Run always\" is remembered for exactly this command; no other answer is."),
              this));
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(2 * grid);
    form->setVerticalSpacing(grid);
    form->addRow(tr("Context"), plain(facts.context, this));
    form->addRow(tr("User entry"), plain(facts.user, this));
    form->addRow(tr("Kubeconfig"), plain(facts.file, this));
    form->addRow(tr("Program"), plain(facts.program.isEmpty() ? tr("not found") : facts.program, this));
    layout->addLayout(form);
    layout->addWidget(plain(tr("Command line"), this));
    layout->addWidget(block(facts.commandLine, tr("Command line"), facts.commandLine.size() > 140 ? 5 : 2, this));
    layout->addWidget(
        plain(facts.environment.isEmpty() ? tr("It sets no variables of the environment.") : tr("Environment it sets"), this));
    if (!facts.environment.isEmpty())
        layout->addWidget(
            block(facts.environment.join(u'\n'), tr("Environment it sets"), qBound(2, int(facts.environment.size()), 5), this));
    layout->addStretch(1);
    auto *buttons = new QDialogButtonBox(this);
    auto *always = buttons->addButton(tr("Run &always"), QDialogButtonBox::ActionRole);
    auto *once = buttons->addButton(tr("Run &once"), QDialogButtonBox::ActionRole);
    auto *no = buttons->addButton(tr("&Do not run"), QDialogButtonBox::RejectRole);
    always->setAutoDefault(false);
    once->setAutoDefault(false);
    no->setDefault(true);
    no->setFocus();
    connect(always, &QPushButton::clicked, this, [this] { answer(Answer::Always); });
    connect(once, &QPushButton::clicked, this, [this] { answer(Answer::Once); });
    connect(no, &QPushButton::clicked, this, [this] { answer(Answer::No); });
    connect(this, &QDialog::rejected, this, [this] { Q_EMIT answered(Answer::No); });
    layout->addWidget(buttons);
}

void ExecConsentDialog::answer(Answer answer)
{
    if (answer == Answer::No)
        return reject();
    accept();
    Q_EMIT answered(answer);
}

} // namespace switchyard::views
