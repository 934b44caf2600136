// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/metrics.h"

#include "views/style/colors.h"

#include <QFontDatabase>
#include <QFontMetrics>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

namespace switchyard::views {

int rowHeight(const QFont &font)
{
    return qMax(26, QFontMetrics(font).height() + 10);
}

QFont tabularFont(const QFont &base)
{
    // Qt before 6.7 cannot switch font features on. The digits of the common desktop fonts are of one width already; where those of
    // `base` are not, the monospaced font is used.
    const QFontMetrics metrics(base);
    for (char16_t c = u'1'; c <= u'9'; ++c)
        if (metrics.horizontalAdvance(QChar(c)) != metrics.horizontalAdvance(u'0'))
            return monospaceFont(base);
    return base;
}

QFont monospaceFont(const QFont &base)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (base.pointSizeF() > 0)
        font.setPointSizeF(base.pointSizeF());
    else
        font.setPixelSize(base.pixelSize());
    font.setStyleHint(QFont::Monospace);
    return font;
}

QFont strongFont(const QFont &base)
{
    QFont font = base;
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont titleFont(const QFont &base)
{
    QFont font = strongFont(base);
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * 1.15);
    else
        font.setPixelSize(qRound(font.pixelSize() * 1.15));
    return font;
}

void styleTable(QTableView *table)
{
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false); // Tab leaves the table: the keyboard must not be trapped in it
    table->setCornerButtonEnabled(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->setVisible(false);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setMinimumSectionSize(1);
    table->verticalHeader()->setDefaultSectionSize(rowHeight(table->font()));
    QHeaderView *header = table->horizontalHeader();
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setMinimumSectionSize(3 * grid);
    header->setSectionsMovable(true);
    header->setMinimumHeight(rowHeight(table->font()));
}

QLabel *captionLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, secondaryText(palette));
    label->setPalette(palette);
    return label;
}

} // namespace switchyard::views
