// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The first line of a page: a shape and a sentence, in the page's largest type. Can be selected, copied, and read aloud.
#include "views/style/colors.h"

#include <QLabel>
#include <QWidget>

namespace switchyard::views {

class Sentence : public QWidget
{
    Q_OBJECT
public:
    explicit Sentence(QWidget *parent = nullptr);
    void set(Tone tone, const QString &text);
    QString text() const { return m_label->text(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int shapeSide() const;

    Tone m_tone = Tone::Unknown;
    QLabel *m_label;
};

} // namespace switchyard::views
