// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/message_dialog.h"

#include "views/style/metrics.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace switchyard::views {

namespace {

constexpr int mostLines = 26; // of details without scrolling; fits 720 pixels

} // namespace

MessageDialog::MessageDialog(const QString &title, const QString &text, const QString &detail, QWidget *parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    setMinimumWidth(520);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    layout->setSpacing(grid);
    auto *heading = new QLabel(title, this);
    heading->setFont(titleFont(font()));
    heading->setWordWrap(true);
    layout->addWidget(heading);
    auto *body = new QLabel(text, this);
    body->setTextFormat(Qt::PlainText);
    body->setWordWrap(true);
    body->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    body->setAccessibleName(text);
    layout->addWidget(body);
    if (!detail.isEmpty()) {
        auto *more = new QPlainTextEdit(detail, this);
        more->setReadOnly(true);
        more->setTabChangesFocus(true);
        more->setFont(monospaceFont(font()));
        more->setAccessibleName(tr("Details"));
        const int lines = qBound(4, int(detail.count(QLatin1Char('\n'))) + 2, mostLines);
        more->setMinimumHeight(lines * more->fontMetrics().lineSpacing() + 2 * more->frameWidth());
        layout->addWidget(more, 1);
    } else {
        layout->addStretch(1);
    }
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto *copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [title, text, detail] {
        QGuiApplication::clipboard()->setText(QStringList{title, text, detail}.join(u'\n').trimmed());
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    layout->addWidget(buttons);
    buttons->button(QDialogButtonBox::Close)->setFocus();
}

} // namespace switchyard::views
