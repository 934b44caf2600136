// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A plain text editor with line numbers, of which lines can be marked as wrong.
#include <QPlainTextEdit>

#include <map>

namespace switchyard::views {

class ConfigEditor : public QPlainTextEdit
{
    Q_OBJECT
public:
    explicit ConfigEditor(QWidget *parent = nullptr);
    void setMarked(const std::map<int, bool> &lines); // from 1; true: an error, false: a warning
    const std::map<int, bool> &marked() const { return m_marked; }
    void goTo(int line); // from 1

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    class Margin;
    int marginWidth() const;
    void placeMargin();
    void paintMargin(QPaintEvent *event);
    void tint();

    Margin *m_margin;
    std::map<int, bool> m_marked;
};

// The line, from 1, of a setting in YAML or JSON text, as far as its path can be followed; 0: not found.
int lineOf(const QString &text, const QString &path);

} // namespace switchyard::views
