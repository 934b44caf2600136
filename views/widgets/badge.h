// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A word that must not be overlooked: READ-ONLY, DEMO, certificate not checked.
#include "views/style/colors.h"

#include <QLabel>

namespace switchyard::views {

class Badge : public QLabel
{
    Q_OBJECT
public:
    explicit Badge(Tone tone, QWidget *parent = nullptr);
    void show(const QString &text, const QString &explanation); // empty text hides it

protected:
    void paintEvent(QPaintEvent *event) override;
    QSize sizeHint() const override;

private:
    Tone m_tone;
};

} // namespace switchyard::views
