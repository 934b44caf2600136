// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The coloured frame around a page or dialog that is about one context's cluster: lies on top of it, follows its size, lets every click
// through.
#include <QWidget>

namespace switchyard::views {

class ContextFrame : public QWidget
{
    Q_OBJECT
public:
    static constexpr int width = 3;
    explicit ContextFrame(QWidget *around);
    // Code of the user's mark. Without one: a colour made of the context's name, or no frame where that is empty, too.
    void setMark(const QString &colour, const QString &context = {});
    QColor colour() const; // invalid: no frame

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_colour, m_context;
};

} // namespace switchyard::views
