// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/parts.h"

#include "views/style/metrics.h"
#include "views/style/shapes.h"

#include <QApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QStyle>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

constexpr auto dimmedProperty = "switchyardDimmed";

} // namespace

void setDimmed(QWidget *root, bool dimmed)
{
    if (root->property(dimmedProperty).toBool() == dimmed)
        return;
    root->setProperty(dimmedProperty, dimmed);
    refreshDimmed(root);
}

void refreshDimmed(QWidget *root)
{
    QPalette palette; // only the roles set here are the widget's own: the rest follows the theme
    if (root->property(dimmedProperty).toBool()) {
        const QPalette theme = QApplication::palette();
        for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
            for (const auto group : {QPalette::Active, QPalette::Inactive})
                palette.setColor(group, role, dimmed(theme.color(QPalette::Active, role), theme.color(QPalette::Window)));
    }
    if (root->palette() != palette || root->testAttribute(Qt::WA_SetPalette))
        root->setPalette(palette);
    for (QWidget *child : root->findChildren<QWidget *>())
        child->update();
    root->update();
}

bool isDimmed(const QWidget *widget)
{
    for (const QWidget *w = widget; w; w = w->parentWidget())
        if (w->property(dimmedProperty).toBool())
            return true;
    return false;
}

QColor shownColor(const QWidget *widget, const QColor &color)
{
    return isDimmed(widget) ? dimmed(color, widget->palette().color(QPalette::Window)) : color;
}

QColor shownTone(const QWidget *widget, Tone tone)
{
    return shownColor(widget, toneColor(tone, widget->palette()));
}

void liftIndicator(QWidget *button)
{
    const QPalette theme = QApplication::palette();
    QPalette own;
    if (isDark(theme)) {
        own.setColor(QPalette::Base, theme.color(QPalette::Light));
        own.setColor(QPalette::Window, theme.color(QPalette::Light));
    }
    if (own != QPalette() || button->testAttribute(Qt::WA_SetPalette))
        button->setPalette(own);
}

ShapeMark::ShapeMark(int size, QWidget *parent)
    : QWidget(parent)
    , m_size(size)
{
    setFixedSize(size, size);
}

void ShapeMark::setTone(Tone tone)
{
    if (m_tone == tone)
        return;
    m_tone = tone;
    update();
}

void ShapeMark::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintShape(painter, QRectF(rect()), m_tone, shownTone(this, m_tone));
}

StateLabel::StateLabel(QWidget *parent)
    : QWidget(parent)
    , m_mark(new ShapeMark(shapeSize, this))
    , m_label(new QLabel(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid);
    row->addWidget(m_mark, 0, Qt::AlignVCenter);
    row->addWidget(m_label, 1);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void StateLabel::setState(Tone tone, const QString &text)
{
    m_mark->setTone(tone);
    m_mark->setVisible(tone != Tone::Neutral);
    if (m_label->text() != text)
        m_label->setText(text);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 8, QLabel::minimumSizeHint().height()};
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(text()) + 2, QLabel::sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideMiddle, width());
    if (toolTip() != (shown == text() ? QString() : text()))
        setToolTip(shown == text() ? QString() : text());
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shown, foregroundRole());
}

CaptionLabel::CaptionLabel(const QString &text, QWidget *parent)
    : QLabel(text, parent)
{
    setTextFormat(Qt::PlainText);
    colour();
}

void CaptionLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ParentChange)
        colour();
}

void CaptionLabel::colour()
{
    const QColor wanted = shownColor(this, secondaryText(palette()));
    if (palette().color(QPalette::Active, QPalette::WindowText) == wanted)
        return;
    QPalette own = palette();
    own.setColor(QPalette::Active, QPalette::WindowText, wanted);
    own.setColor(QPalette::Inactive, QPalette::WindowText, wanted);
    setPalette(own);
}

Card::Card(const QString &title, QWidget *parent)
    : QFrame(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(grid * 3 / 2, grid, grid * 3 / 2, grid * 3 / 2);
    column->setSpacing(grid / 2);
    auto *caption = new CaptionLabel(title, this);
    caption->setFont(strongFont(caption->font()));
    column->addWidget(caption);
    m_body = new QVBoxLayout;
    m_body->setSpacing(grid / 2);
    column->addLayout(m_body, 1);
    setAccessibleName(title);
}

void Card::setAlarm(Tone tone)
{
    if (m_alarm == tone)
        return;
    m_alarm = tone;
    update();
}

void Card::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool alarm = m_alarm != Tone::Neutral;
    painter.setPen(QPen(alarm ? shownTone(this, m_alarm) : hairline(palette()), alarm ? 2 : 1));
    painter.setBrush(cardGround(palette()));
    const qreal inset = alarm ? 1 : 0.5;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 6, 6);
}

FactGrid::FactGrid(int columns, QWidget *parent)
    : QWidget(parent)
    , m_layout(new QGridLayout(this))
    , m_columns(columns)
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setHorizontalSpacing(grid);
    m_layout->setVerticalSpacing(grid / 4);
    for (int c = 0; c < columns; ++c)
        m_layout->setColumnStretch(2 * c + 1, 1);
}

QLabel *FactGrid::add(const QString &caption)
{
    const int row = m_count / m_columns, column = m_count % m_columns;
    ++m_count;
    auto *name = new CaptionLabel(caption, this);
    auto *value = new QLabel(this);
    value->setTextFormat(Qt::PlainText);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setAccessibleName(caption);
    value->setFont(tabularFont(value->font()));
    m_layout->addWidget(name, row, 2 * column, Qt::AlignTop);
    m_layout->addWidget(value, row, 2 * column + 1, Qt::AlignTop);
    return value;
}

Banner::Banner(QWidget *parent)
    : QFrame(parent)
    , m_state(new StateLabel(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(grid * 3 / 2, grid, grid * 3 / 2, grid);
    row->addWidget(m_state, 1);
    hide();
}

void Banner::addAtEnd(QWidget *widget)
{
    static_cast<QHBoxLayout *>(layout())->addWidget(widget, 0, Qt::AlignVCenter);
}

void Banner::say(Tone tone, const QString &text)
{
    if (m_tone != tone) {
        m_tone = tone;
        update();
    }
    m_state->setState(tone, text);
    setVisible(!text.isEmpty());
}

void Banner::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(toneColor(m_tone, palette()), 1));
    painter.setBrush(badgeGround(m_tone, palette()));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

} // namespace switchyard::views
