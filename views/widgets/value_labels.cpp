// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/value_labels.h"

namespace switchyard::views {

void put(QLabel *label, const QString &text)
{
    if (label->text() != text)
        label->setText(text);
}

QLabel *copyable(QLabel *label)
{
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus);
    return label;
}

} // namespace switchyard::views
