// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/database.h"

#include <QDir>
#include <QFileInfo>
#include <QUrl>
#include <QUrlQuery>

namespace switchyard::archive {

using namespace Qt::StringLiterals;

namespace {

tl::unexpected<Error> bad(const QString &where, const std::string &message, const char *advice)
{
    Error error{ErrorKind::BadInput};
    error.where = where.toStdString();
    error.message = message;
    error.advice = advice;
    return tl::unexpected(error);
}

// What may stand in the address; secrets have their own places.
bool isOption(const QString &name)
{
    static const QStringList known{u"sslmode"_s,    u"sslrootcert"_s,     u"sslcert"_s,         u"sslkey"_s,
                                   u"service"_s,    u"passfile"_s,        u"connect_timeout"_s, u"target_session_attrs"_s,
                                   u"gssencmode"_s, u"channel_binding"_s, u"options"_s,         u"host"_s};
    return known.contains(name);
}

// A value in libpq's quotes. The driver turns every semicolon into a blank.
QString quoted(QString value)
{
    value.replace(u'\\', u"\\\\"_s).replace(u'\'', u"\\'"_s);
    return u'\'' + value + u'\'';
}

Result<Location> parseServer(const QString &text)
{
    const QUrl url(text, QUrl::StrictMode);
    const QString shown = url.toString(QUrl::RemovePassword | QUrl::RemoveQuery);
    if (!url.isValid())
        return bad(u"--archive"_s, "this is no address of a PostgreSQL server", "postgresql://user@host/database");
    if (!url.password().isEmpty())
        return bad(shown, "a password does not belong into the address: others can read it in the list of processes",
                   "put it into the password file (~/.pgpass, PGPASSFILE) or a service file");
    Location location;
    location.server = true;
    location.host = url.host();
    location.port = url.port();
    location.user = url.userName();
    location.name = url.path().mid(1);
    location.shown = shown;
    QStringList options{u"application_name=switchyard"_s};
    const QUrlQuery query(url);
    for (const auto &[name, value] : query.queryItems(QUrl::FullyDecoded)) {
        if (!isOption(name) || value.contains(u';'))
            return bad(shown, "the parameter " + name.toStdString() + " is not one that an archive's address may have", "leave it out");
        if (name == u"host"_s) // a folder of sockets
            location.host = value;
        else
            options << name + u'=' + quoted(value);
    }
    if (!query.hasQueryItem(u"connect_timeout"_s))
        options << u"connect_timeout=5"_s;
    location.options = options.join(u';');
    return location;
}

} // namespace

Result<Location> parseLocation(const QString &text)
{
    if (text.startsWith(u"postgresql://"_s) || text.startsWith(u"postgres://"_s))
        return parseServer(text);
    if (text.isEmpty())
        return bad(u"--archive"_s, "no file was named", "--archive FILE, or postgresql://user@host/database");
    Location location;
    location.file = QFileInfo(text).absoluteFilePath();
    location.shown = QDir::toNativeSeparators(location.file);
    return location;
}

} // namespace switchyard::archive
