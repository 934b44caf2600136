// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/top_bar.h"

#include "views/style/icons.h"
#include "views/style/metrics.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPainter>

namespace switchyard::views {

using namespace Qt::StringLiterals;

PageButton::PageButton(const QString &text, QWidget *parent)
    : QAbstractButton(parent)
{
    setText(text);
    setAccessibleName(text);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
}

QSize PageButton::sizeHint() const
{
    const QFontMetrics metrics(strongFont(font()));
    return {metrics.horizontalAdvance(text()) + 3 * grid, metrics.height() + 2 * grid + 4};
}

void PageButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool active = isChecked();
    painter.setFont(active ? strongFont(font()) : font());
    painter.setPen(active || underMouse() ? palette().color(QPalette::WindowText) : secondaryText(palette()));
    painter.drawText(rect(), int(Qt::AlignCenter), text());
    if (active)
        painter.fillRect(QRect(grid, height() - 2, width() - 2 * grid, 2), accentColor(palette()));
    if (hasFocus()) {
        painter.setPen(QPen(accentColor(palette()), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect().adjusted(2, 4, -2, -5), 4, 4);
    }
}

TopBar::TopBar(QWidget *parent)
    : QWidget(parent)
    , m_insecure(new Badge(Tone::Bad, this))
    , m_recording(new Badge(Tone::Bad, this))
    , m_replay(new Badge(Tone::Neutral, this))
    , m_demo(new Badge(Tone::Neutral, this))
    , m_readOnly(new Badge(Tone::Neutral, this))
    , m_side(new QToolButton(this))
    , m_find(new QToolButton(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(grid, 0, pageMargin, 0);
    layout->setSpacing(0);
    m_side->setAutoRaise(true);
    m_side->setAccessibleName(tr("Show or hide the side list"));
    m_side->setToolTip(tr("Show or hide the side list (Ctrl+B)"));
    m_side->setFocusPolicy(Qt::TabFocus);
    connect(m_side, &QToolButton::clicked, this, &TopBar::sideListToggled);
    layout->addWidget(m_side);
    layout->addSpacing(grid);
    const std::pair<Page, QString> pages[] = {{Page::Fleet, tr("Fleet")},
                                              {Page::Cluster, tr("Cluster")},
                                              {Page::History, tr("History")},
                                              {Page::Events, tr("Events")},
                                              {Page::Elections, tr("Elections")},
                                              {Page::Contexts, tr("Contexts")},
                                              {Page::Permissions, tr("Permissions")},
                                              {Page::Audit, tr("Audit")}};
    for (const auto &[page, name] : pages) {
        auto *button = new PageButton(name, this);
        button->setToolTip(tr("%1 (Ctrl+%2)").arg(name, QString::number(m_pages.size() + 1)));
        connect(button, &QAbstractButton::clicked, this, [this, chosen = page] { Q_EMIT pageChosen(chosen); });
        m_pages << button;
        layout->addWidget(button);
    }
    layout->addStretch();
    for (Badge *badge : {m_insecure, m_recording, m_replay, m_demo, m_readOnly}) {
        layout->addWidget(badge, 0, Qt::AlignVCenter);
        layout->addSpacing(grid);
    }
    m_find->setText(tr(" Find cluster  Ctrl+K"));
    m_find->setAccessibleName(tr("Find cluster"));
    m_find->setToolTip(tr("Go to any cluster by name (Ctrl+K)"));
    m_find->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_find->setAutoRaise(true);
    m_find->setFocusPolicy(Qt::TabFocus);
    connect(m_find, &QToolButton::clicked, this, &TopBar::findRequested);
    layout->addWidget(m_find);
    colorIcons();
    setPage(Page::Fleet);
}

void TopBar::setPage(Page page)
{
    // A dossier has no button: it is opened from the history.
    m_pages[int(page == Page::Dossier ? Page::History : page)]->setChecked(true);
}

void TopBar::setReadOnly(bool readOnly)
{
    m_readOnly->show(readOnly ? tr("read-only") : QString(), tr("Started with --read-only: nothing is ever written to a cluster."));
}

void TopBar::setDemo(bool demo)
{
    m_demo->show(demo ? tr("demo") : QString(), tr("These clusters are simulated on this computer. No real cluster is touched."));
}

void TopBar::setReplay(const QString &file)
{
    m_replay->show(file.isEmpty() ? QString() : tr("replay of %1").arg(QFileInfo(file).fileName()),
                   tr("What is shown was recorded: all times are the recording's.\n%1").arg(file));
}

void TopBar::setRecording(const QString &text, const QString &explanation)
{
    m_recording->show(text, explanation);
}

void TopBar::setInsecure(const QStringList &contexts)
{
    const QString text = contexts.isEmpty() ? QString()
        : contexts.size() == 1              ? tr("certificate not checked: %1").arg(contexts.front())
                                            : tr("certificates not checked: %1 contexts").arg(contexts.size());
    m_insecure->show(text,
                     tr("insecure-skip-tls-verify is set in the kubeconfig for %1: anybody on the way can read and change what is sent. "
                        "Put the server's CA into the kubeconfig instead.")
                         .arg(contexts.join(u", "_s)));
}

void TopBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), hairline(palette()));
}

void TopBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        colorIcons();
    QWidget::changeEvent(event);
}

void TopBar::colorIcons()
{
    const int side = fontMetrics().height() + 2;
    for (QToolButton *button : {m_side, m_find})
        button->setIconSize(QSize(side, side));
    m_side->setIcon(icon(u"sidebar"_s, secondaryText(palette())));
    m_find->setIcon(icon(u"search"_s, secondaryText(palette())));
}

} // namespace switchyard::views
