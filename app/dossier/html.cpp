// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dossier/document.h"

namespace switchyard::dossier {

using namespace Qt::StringLiterals;

namespace {

QString cell(const QString &tag, const QString &words)
{
    return u"<%1>"_s.arg(tag) + words.toHtmlEscaped().replace(u'\n', u"<br>"_s) + u"</%1>"_s.arg(tag);
}

struct HtmlWriter
{
    QString operator()(const Heading &h) const { return cell(u"h2"_s, h.text) + u'\n'; }
    QString operator()(const Paragraph &p) const
    {
        return (p.quiet ? u"<p class=\"quiet\">"_s : u"<p>"_s) + p.text.toHtmlEscaped() + u"</p>\n"_s;
    }
    QString operator()(const Quote &q) const { return u"<pre>"_s + q.text.toHtmlEscaped() + u"</pre>\n"_s; }
    QString operator()(const Grid &g) const
    {
        QString table = u"<table cellspacing=\"0\">\n"_s;
        if (!g.columns.isEmpty()) {
            table += u"<tr>"_s;
            for (const QString &column : g.columns)
                table += cell(u"th"_s, column);
            table += u"</tr>\n"_s;
        }
        for (const QStringList &row : g.rows) {
            table += u"<tr>"_s;
            for (qsizetype i = 0; i < row.size(); ++i)
                table += cell(g.columns.isEmpty() && i == 0 ? u"th"_s : u"td"_s, row[i]);
            table += u"</tr>\n"_s;
        }
        return table + u"</table>\n"_s;
    }
};

const QString &styleSheet()
{
    static const QString css =
        u"body{font:15px/1.45 system-ui,sans-serif;color:#1f2328;background:#ffffff;max-width:72rem;margin:2rem auto;padding:0 1rem}"
        "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}"
        "table{border-collapse:collapse;margin:.75rem 0}"
        "th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid #d0d7de;overflow-wrap:anywhere}"
        "th{font-weight:600;white-space:nowrap}td{font-variant-numeric:tabular-nums}"
        "pre{background:#f6f8fa;padding:.75rem;white-space:pre-wrap;overflow-wrap:anywhere}.quiet{color:#59636e}"
        "@media (prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}"
        "th,td{border-color:#30363d}pre{background:#161b22}.quiet{color:#9198a1}}"
        "@media print{body{margin:0;max-width:none}}"_s;
    return css;
}

} // namespace

QString htmlBody(const Document &document)
{
    QString all = cell(u"h1"_s, document.title) + u'\n' + cell(u"p"_s, document.sentence) + u'\n';
    for (const Block &block : document.blocks)
        all += std::visit(HtmlWriter{}, block);
    return all;
}

QString html(const Document &document)
{
    return u"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"_s
        + u"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"_s
        + u"<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"_s
        + cell(u"title"_s, document.title) + u"\n<style>"_s + styleSheet() + u"</style>\n</head>\n<body>\n"_s + htmlBody(document)
        + u"</body>\n</html>\n"_s;
}

} // namespace switchyard::dossier
