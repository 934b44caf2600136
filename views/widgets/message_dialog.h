// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A message that waits for nobody: non-modal, all of it can be copied.
#include <QDialog>

namespace switchyard::views {

class MessageDialog : public QDialog
{
    Q_OBJECT
public:
    MessageDialog(const QString &title, const QString &text, const QString &detail, QWidget *parent = nullptr);
};

} // namespace switchyard::views
