// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A dossier in words: headings, sentences and tables, the same for every way to show it. Pure.
#include "models/events/dossier.h"

#include <QStringList>

#include <variant>

namespace switchyard::dossier {

struct Heading
{
    QString text;
};
struct Paragraph
{
    QString text;
    bool quiet = false;
};
struct Grid
{
    QStringList columns; // none: two columns, name and value
    QList<QStringList> rows;
};
struct Quote // as it was written, line by line
{
    QString text;
};
using Block = std::variant<Heading, Paragraph, Grid, Quote>;

struct Document
{
    QString title, sentence;
    std::vector<Block> blocks;
};

Document documentOf(const Dossier &dossier);

QString markdown(const Document &document);
// Self-contained: no script, nothing from elsewhere; light or dark as the reader's system is.
QString html(const Document &document);
// The body alone, for a text view with a style of its own.
QString htmlBody(const Document &document);
// Codes and values, times in UTC with microseconds.
QByteArray json(const Dossier &dossier);

} // namespace switchyard::dossier
