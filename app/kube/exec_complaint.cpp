// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/exec_credential.h"

#include <QRegularExpression>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype shown = 2048;
constexpr qsizetype shortestSecret = 8; // shorter ones are words
constexpr qsizetype shortestToken = 20;

const QString &mask()
{
    static const QString text = u"[not shown]"_s;
    return text;
}

// Letters of both cases and digits, or digits among hexadecimal letters: nobody writes words like that.
bool looksRandom(QStringView word)
{
    if (word.size() < shortestToken)
        return false;
    const auto any = [word](auto test) { return std::any_of(word.begin(), word.end(), test); };
    const bool digits = any([](QChar c) { return c.isDigit(); });
    const bool lower = any([](QChar c) { return c.isLower(); });
    const bool upper = any([](QChar c) { return c.isUpper(); });
    if (digits && lower && upper)
        return true;
    return word.size() >= 32 && (digits || (lower && upper)) && !word.contains(u'-');
}

QString withoutTokens(const QString &text)
{
    // Words with dots are taken apart, except those that begin as a JWT does.
    static const QRegularExpression words(u"eyJ[A-Za-z0-9_-]{8,}(\\.[A-Za-z0-9_=-]*)*|[A-Za-z0-9_+=~-]{20,}"_s);
    QString out;
    qsizetype at = 0;
    for (auto it = words.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        out += QStringView(text).mid(at, match.capturedStart() - at);
        const QStringView word = match.capturedView();
        const bool secret = word.startsWith(u"eyJ") || looksRandom(word);
        out += secret ? QStringView(mask()) : word;
        at = match.capturedEnd();
    }
    return out + QStringView(text).mid(at);
}

QString withoutNamed(QString text)
{
    static const QRegularExpression pem(u"-----BEGIN [^-]*-----.*?(-----END [^-]*-----|$)"_s,
                                        QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression bearer(u"\\b(bearer|basic)\\s+[^\\s\"',;]{6,}"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression named(u"((?:token|secret|password|passwd|assertion|api[-_]?key)\"?\\s*[:=]\\s*\"?)[^\\s\"',;&]{4,}"_s,
                                          QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression login(u"(://)[^/@\\s]+@"_s);
    text.replace(pem, mask());
    text.replace(bearer, u"\\1 "_s + mask());
    text.replace(named, u"\\1"_s + mask());
    text.replace(login, u"\\1"_s + mask() + u'@');
    return text;
}

// What was printed is secret word by word, except for the words of its form.
QString withoutPrinted(QString text, const QByteArray &output)
{
    static const QRegularExpression words(u"[A-Za-z0-9_+/=.~-]{8,}"_s);
    static const QRegularExpression parts(u"[A-Za-z0-9_-]{8,}"_s);
    static const QStringList form{u"ExecCredential"_s,
                                  u"apiVersion"_s,
                                  u"client.authentication.k8s.io/v1"_s,
                                  u"client.authentication.k8s.io/v1beta1"_s,
                                  u"expirationTimestamp"_s,
                                  u"clientCertificateData"_s,
                                  u"clientKeyData"_s};
    const QString printed = QString::fromUtf8(output);
    for (const QRegularExpression &pattern : {words, parts}) {
        QStringList secrets;
        for (auto it = pattern.globalMatch(text); it.hasNext();) {
            const QString word = it.next().captured();
            if (printed.contains(word) && !form.contains(word))
                secrets.append(word);
        }
        for (const QString &secret : secrets)
            text.replace(secret, mask());
    }
    return text;
}

QString printable(const QByteArray &bytes)
{
    static const QRegularExpression escapes(u"\\x1b(\\[[0-?]*[ -/]*[@-~]|\\][^\\x07\\x1b]*(\\x07|\\x1b\\\\)?|.)"_s);
    QString text = QString::fromUtf8(bytes);
    text.remove(escapes);
    for (QChar &c : text)
        if (c != u'\n' && (c.category() == QChar::Other_Control || c.category() == QChar::Other_Format))
            c = u' ';
    return text;
}

QString onOneLine(const QString &text)
{
    QStringList lines;
    for (const QString &line : text.split(u'\n'))
        if (const QString words = line.simplified(); !words.isEmpty())
            lines.append(words);
    return lines.join(u" / "_s);
}

} // namespace

QString complaint(const QByteArray &errors, const QByteArray &output, const QList<QByteArray> &secrets)
{
    // Cut only after secrets are gone: half a token would not be known for one.
    QString text = printable(errors);
    for (const QByteArray &secret : secrets)
        if (secret.size() >= shortestSecret)
            text.replace(QString::fromUtf8(secret), mask());
    text = onOneLine(withoutTokens(withoutPrinted(withoutNamed(std::move(text)), output)));
    return text.size() > shown ? u"... "_s + text.right(shown) : text;
}

} // namespace switchyard::kube
