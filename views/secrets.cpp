// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/secrets.h"

#include "models/patroni/mask.h"

#include <QCoreApplication>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

struct Secrets
{
    Q_DECLARE_TR_FUNCTIONS(Secrets)
};

QString hidden()
{
    return Secrets::tr("hidden");
}

// "password = x y" and the like, which no mask can cut out safely.
bool carriesPassword(QStringView value)
{
    for (const QStringView word : {QStringView(u"password"), QStringView(u"passwd")})
        for (qsizetype at = value.indexOf(word, 0, Qt::CaseInsensitive); at >= 0; at = value.indexOf(word, at + 1, Qt::CaseInsensitive)) {
            const QStringView rest = value.mid(at + word.size());
            const QStringView mark = rest.trimmed();
            if (mark.startsWith(u'=') && (rest.size() != mark.size() || mark.mid(1).trimmed().startsWith(u'\'')))
                return true;
        }
    return false;
}

QString masked(const QString &value)
{
    return carriesPassword(value) ? hidden() : QString::fromStdString(patroni::maskCredentials(value.toStdString()));
}

// One past the end of the JSON string that begins at `from`.
qsizetype endOfString(QStringView json, qsizetype from)
{
    for (qsizetype i = from + 1; i < json.size(); ++i) {
        if (json[i] == u'\\')
            ++i;
        else if (json[i] == u'"')
            return i + 1;
    }
    return json.size();
}

// One past the end of the JSON value that begins at `from`.
qsizetype endOfValue(QStringView json, qsizetype from)
{
    int depth = 0;
    for (qsizetype i = from; i < json.size();) {
        const QChar c = json[i];
        const bool closes = c == u'}' || c == u']';
        if (depth == 0 && (closes || c == u','))
            return i;
        depth += c == u'{' || c == u'[' ? 1 : closes ? -1 : 0;
        i = c == u'"' ? endOfString(json, i) : i + 1;
        if (depth == 0 && (closes || c == u'"'))
            return i;
    }
    return json.size();
}

qsizetype skipBlanks(QStringView json, qsizetype from)
{
    while (from < json.size() && json[from].isSpace())
        ++from;
    return from;
}

QString withoutQuotes(QStringView json, qsizetype from, qsizetype end)
{
    return json.mid(from + 1, std::max<qsizetype>(0, end - from - 2)).toString();
}

// By its marks alone, so that nothing else of the text changes: numbers stay as they were written.
QString shownJson(QStringView json)
{
    QString result;
    for (qsizetype i = 0; i < json.size();) {
        if (json[i] != u'"') {
            result += json[i++];
            continue;
        }
        const qsizetype end = endOfString(json, i), colon = skipBlanks(json, end);
        if (colon >= json.size() || json[colon] != u':') {
            result += u'"' + masked(withoutQuotes(json, i, end)) + u'"';
            i = end;
            continue;
        }
        const QString key = withoutQuotes(json, i, end);
        const qsizetype value = skipBlanks(json, colon + 1);
        result += json.mid(i, value - i);
        i = value;
        if (isSecretKey(key)) {
            i = endOfValue(json, value);
            result += u'"' + hidden() + u'"';
        } else if (value < json.size() && json[value] == u'"') {
            i = endOfString(json, value);
            result += u'"' + shownValue(key, withoutQuotes(json, value, i)) + u'"';
        }
    }
    return result;
}

} // namespace

bool isSecretKey(QStringView key)
{
    static constexpr QStringView parts[] = {u"password", u"passwd", u"secret", u"token", u"restore_command", u"archive_command"};
    return std::any_of(std::begin(parts), std::end(parts), [key](QStringView part) { return key.contains(part, Qt::CaseInsensitive); });
}

bool isLeftOut(QStringView key)
{
    return key == u"kubectl.kubernetes.io/last-applied-configuration";
}

QString shownValue(QStringView key, const QString &value)
{
    if (value.isEmpty())
        return value;
    if (isSecretKey(key))
        return hidden();
    if (key.contains(u"conninfo", Qt::CaseInsensitive) && value.contains(u"pass", Qt::CaseInsensitive))
        return hidden();
    const QStringView start = QStringView(value).trimmed();
    return start.startsWith(u'{') || start.startsWith(u'[') ? shownJson(value) : masked(value);
}

} // namespace switchyard::views
