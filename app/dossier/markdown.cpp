// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dossier/document.h"
#include "models/core/table_text.h"

namespace switchyard::dossier {

using namespace Qt::StringLiterals;

namespace {

// Within a line: nothing of it is markup, and it stays one line.
QString inLine(const QString &words)
{
    return QString::fromStdString(tables::markdownText(words.toStdString()));
}

QString row(const QStringList &cells)
{
    QString line = u"|"_s;
    for (const QString &cell : cells)
        line += u' ' + inLine(cell) + u" |"_s;
    return line + u'\n';
}

struct MarkdownWriter
{
    QString operator()(const Heading &h) const { return u"## "_s + inLine(h.text) + u"\n\n"_s; }
    QString operator()(const Paragraph &p) const { return inLine(p.text) + u"\n\n"_s; }
    QString operator()(const Grid &g) const
    {
        const QStringList columns = g.columns.isEmpty() ? QStringList{{}, {}} : g.columns;
        QString table = row(columns) + u"|"_s + QString(u" --- |"_s).repeated(columns.size()) + u'\n';
        for (const QStringList &cells : g.rows)
            table += row(cells);
        return table + u'\n';
    }
    // A fence that is longer than any run of backquotes in it.
    QString operator()(const Quote &q) const
    {
        QString fence = u"```"_s;
        while (q.text.contains(fence))
            fence += u'`';
        return fence + u'\n' + q.text + u'\n' + fence + u"\n\n"_s;
    }
};

} // namespace

QString markdown(const Document &document)
{
    QString all = u"# "_s + inLine(document.title) + u"\n\n"_s + inLine(document.sentence) + u"\n\n"_s;
    for (const Block &block : document.blocks)
        all += std::visit(MarkdownWriter{}, block);
    return all.trimmed() + u'\n';
}

} // namespace switchyard::dossier
