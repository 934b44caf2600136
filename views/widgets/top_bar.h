// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The line under the menu: pages at the left, badges and the way to any cluster at the right.
#include "views/main_window.h"
#include "views/widgets/badge.h"

#include <QAbstractButton>
#include <QToolButton>

namespace switchyard::views {

// A page's name; the current one is underlined in the accent colour.
class PageButton : public QAbstractButton
{
    Q_OBJECT
public:
    PageButton(const QString &text, QWidget *parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
};

class TopBar : public QWidget
{
    Q_OBJECT
public:
    explicit TopBar(QWidget *parent = nullptr);
    void setPage(Page page);
    void setReadOnly(bool readOnly);
    void setDemo(bool demo);
    void setReplay(const QString &file);
    void setRecording(const QString &text, const QString &explanation); // empty: not recording
    void setInsecure(const QStringList &contexts);

Q_SIGNALS:
    void pageChosen(switchyard::views::Page page);
    void findRequested();
    void sideListToggled();

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void colorIcons();

    QList<PageButton *> m_pages;
    Badge *m_insecure, *m_recording, *m_replay, *m_demo, *m_readOnly;
    QToolButton *m_side, *m_find;
};

} // namespace switchyard::views
