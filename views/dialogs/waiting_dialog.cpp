// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/waiting_dialog.h"

#include "views/style/metrics.h"
#include "views/words.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace switchyard::views {

WaitingDialog::WaitingDialog(const QString &title, Now now, QWidget *parent)
    : QDialog(parent)
    , m_sent(now)
    , m_text(new QLabel(this))
    , m_hint(new QLabel(this))
    , m_stop(nullptr)
{
    setWindowTitle(title);
    setModal(false);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    column->setSpacing(grid);
    for (QLabel *label : {m_text, m_hint}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setMinimumWidth(420);
        column->addWidget(label);
    }
    m_text->setFont(tabularFont(m_text->font()));
    m_hint->setText(tr("Closing this does not take the request back: it has left. Its outcome is told when it is known."));
    auto *box = new QDialogButtonBox(this);
    m_stop = box->addButton(tr("Send no &more"), QDialogButtonBox::ActionRole);
    m_stop->setToolTip(tr("What was sent goes on; what has not been sent yet is not sent."));
    m_stop->setAutoDefault(false);
    m_stop->hide();
    auto *close = box->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    close->setDefault(true);
    column->addWidget(box);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stop->setEnabled(false);
        Q_EMIT stopRequested();
    });
}

void WaitingDialog::setStep(const QString &step, bool last, Now now)
{
    m_step = step;
    m_sent = now;
    m_stop->setVisible(!last);
    say(now);
}

void WaitingDialog::tick(Now now)
{
    say(now);
}

void WaitingDialog::say(Now now)
{
    m_text->setText(tr("%1: sent, waiting for the answer, %2.", "what, how long").arg(m_step, secondsText(now.boot - m_sent.boot)));
}

} // namespace switchyard::views
