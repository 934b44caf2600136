// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Small building blocks of the cluster and history pages. All of them follow the palette, and grow pale below a widget that was
// dimmed (stale data): text and shapes are mixed towards the ground, but stay readable.
#include "views/style/colors.h"

#include <QFrame>
#include <QLabel>

class QGridLayout;
class QVBoxLayout;

namespace switchyard::views {

// Marks `root` as showing old data, or not. Everything in it is repainted.
void setDimmed(QWidget *root, bool dimmed);
void refreshDimmed(QWidget *root); // after a change of theme
bool isDimmed(const QWidget *widget);
QColor shownColor(const QWidget *widget, const QColor &color);
QColor shownTone(const QWidget *widget, Tone tone);

// Radio and check marks are drawn in the colour of the ground; on a dark one they would not be seen.
void liftIndicator(QWidget *button);

// A state's shape alone; its word stands beside it.
class ShapeMark : public QWidget
{
    Q_OBJECT
public:
    explicit ShapeMark(int size, QWidget *parent = nullptr);
    void setTone(Tone tone);
    Tone tone() const { return m_tone; }
    QSize sizeHint() const override { return {m_size, m_size}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int m_size;
    Tone m_tone = Tone::Neutral;
};

// Shape and word.
class StateLabel : public QWidget
{
    Q_OBJECT
public:
    explicit StateLabel(QWidget *parent = nullptr);
    void setState(Tone tone, const QString &text);
    QString text() const { return m_label->text(); }
    Tone tone() const { return m_mark->tone(); }
    QLabel *label() const { return m_label; }

private:
    ShapeMark *m_mark;
    QLabel *m_label;
};

// One line of text that gives way in its middle; the whole text is its tooltip then.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
};

// Secondary text that follows theme changes.
class CaptionLabel : public QLabel
{
    Q_OBJECT
public:
    explicit CaptionLabel(const QString &text = {}, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    void colour();
};

// A titled panel.
class Card : public QFrame
{
    Q_OBJECT
public:
    explicit Card(const QString &title, QWidget *parent = nullptr);
    QVBoxLayout *body() const { return m_body; }
    void setAlarm(Tone tone); // Neutral: none

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QVBoxLayout *m_body;
    Tone m_alarm = Tone::Neutral;
};

// Pairs of caption and value, in columns.
class FactGrid : public QWidget
{
    Q_OBJECT
public:
    explicit FactGrid(int columns, QWidget *parent = nullptr);
    QLabel *add(const QString &caption); // the label for the value

private:
    QGridLayout *m_layout;
    int m_columns;
    int m_count = 0;
};

// A band over the whole width: shape, sentence, quiet ground.
class Banner : public QFrame
{
    Q_OBJECT
public:
    explicit Banner(QWidget *parent = nullptr);
    void say(Tone tone, const QString &text); // an empty text hides it
    QString text() const { return m_state->text(); }
    void addAtEnd(QWidget *widget); // right of the sentence

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    StateLabel *m_state;
    Tone m_tone = Tone::Neutral;
};

} // namespace switchyard::views
