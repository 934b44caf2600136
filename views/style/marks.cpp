// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/marks.h"

#include "views/style/colors.h"

#include <QCoreApplication>

#include <algorithm>

namespace switchyard::views {

namespace {

struct Colour
{
    const char *code, *name;
    QRgb light, dark;
};
constexpr Colour colours[] = {
    {"red", QT_TRANSLATE_NOOP("ContextColour", "red"), 0xffcf222e, 0xffff7b72},
    {"orange", QT_TRANSLATE_NOOP("ContextColour", "orange"), 0xffbc4c00, 0xfff0883e},
    {"green", QT_TRANSLATE_NOOP("ContextColour", "green"), 0xff1a7f37, 0xff4ac26b},
    {"blue", QT_TRANSLATE_NOOP("ContextColour", "blue"), 0xff0969da, 0xff58a6ff},
    {"purple", QT_TRANSLATE_NOOP("ContextColour", "purple"), 0xff8250df, 0xffb794f4},
    {"grey", QT_TRANSLATE_NOOP("ContextColour", "grey"), 0xff6e7781, 0xff8b949e},
};

const Colour *colourOf(const QString &code)
{
    const auto *found = std::find_if(std::begin(colours), std::end(colours),
                                     [&](const Colour &c) { return code == QLatin1String(c.code); });
    return found == std::end(colours) ? nullptr : found;
}

} // namespace

QColor markColour(const QString &code, const QPalette &palette)
{
    const Colour *colour = colourOf(code);
    return colour ? QColor::fromRgb(isDark(palette) ? colour->dark : colour->light) : QColor();
}

QString markName(const QString &code)
{
    const Colour *colour = colourOf(code);
    return colour ? QCoreApplication::translate("ContextColour", colour->name) : QCoreApplication::translate("ContextColour", "none");
}

QStringList markCodes()
{
    QStringList codes;
    for (const Colour &colour : colours)
        codes << QString::fromLatin1(colour.code);
    return codes;
}

QColor contextColor(const QString &context, const QPalette &palette)
{
    quint32 hash = 2166136261U; // FNV-1a: the same on every machine and in every run, unlike qHash
    for (const QChar c : context)
        hash = (hash ^ c.unicode()) * 16777619U;
    return QColor::fromHsl(static_cast<int>(hash % 360), 140, isDark(palette) ? 150 : 105);
}

} // namespace switchyard::views
