// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/sentence.h"

#include "views/style/metrics.h"
#include "views/style/shapes.h"

#include <QHBoxLayout>

namespace switchyard::views {

Sentence::Sentence(QWidget *parent)
    : QWidget(parent)
    , m_label(new QLabel(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(shapeSide() + grid, 0, 0, 0);
    layout->addWidget(m_label);
    m_label->setFont(titleFont(font()));
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

int Sentence::shapeSide() const
{
    return QFontMetrics(titleFont(font())).height() * 3 / 4;
}

void Sentence::set(Tone tone, const QString &text)
{
    if (tone == m_tone && text == m_label->text())
        return;
    m_tone = tone;
    layout()->setContentsMargins(tone == Tone::Neutral ? 0 : shapeSide() + grid, 0, 0, 0);
    m_label->setText(text);
    m_label->setAccessibleName(text);
    update();
}

void Sentence::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int line = QFontMetrics(m_label->font()).height();
    const int side = shapeSide();
    const bool one = height() < 2 * line;
    const qreal middle = one ? height() / 2.0 : line / 2.0 + (height() - m_label->heightForWidth(m_label->width())) / 2.0;
    paintShape(painter, QRectF(0, middle - side / 2.0, side, side), m_tone, palette());
}

} // namespace switchyard::views
