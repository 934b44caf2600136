// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/settings.h"

#include <QCryptographicHash>
#include <QSettings>
#include <QStandardPaths>
#include <QUrl>

namespace switchyard::desktop {

using namespace Qt::StringLiterals;

namespace {

QString withoutUser(const QString &server)
{
    QUrl url(server);
    url.setUserInfo({});
    url.setQuery(QString());
    return url.toString();
}

// Names of contexts may hold anything: a group is named by a hash, and tells inside what it is about.
QString group(const QString &name, const QString &server)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(name.toUtf8());
    hash.addData(QByteArray(1, '\0'));
    hash.addData(withoutUser(server).toUtf8());
    return u"contexts/"_s + QString::fromLatin1(hash.result().toHex().left(20)) + u'/';
}

// QSettings cannot tell an empty list from one empty text.
QStringList packed(const QStringList &namespaces)
{
    QStringList list;
    for (const QString &ns : namespaces)
        list << (ns.isEmpty() ? u"*"_s : ns);
    return list;
}

QStringList unpacked(const QStringList &list)
{
    QStringList namespaces;
    for (const QString &ns : list)
        if (!ns.isEmpty())
            namespaces << (ns == u"*" ? QString() : ns);
    return namespaces;
}

} // namespace

Settings::Settings(const QString &file)
{
    if (!file.isEmpty())
        m_file = std::make_unique<QSettings>(file, QSettings::IniFormat);
}

Settings::~Settings() = default;

QString Settings::defaultFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + u"/window.ini";
}

QByteArray Settings::geometry() const
{
    return m_file ? m_file->value(u"window/geometry"_s).toByteArray() : QByteArray();
}

void Settings::setGeometry(const QByteArray &geometry)
{
    if (m_file)
        m_file->setValue(u"window/geometry"_s, geometry);
}

QByteArray Settings::contextsPage() const
{
    return m_file ? m_file->value(u"window/contextsPage"_s).toByteArray() : QByteArray();
}

void Settings::setContextsPage(const QByteArray &state)
{
    if (m_file)
        m_file->setValue(u"window/contextsPage"_s, state);
}

ContextChoice Settings::context(const QString &name, const QString &server) const
{
    ContextChoice choice;
    if (!m_file)
        return choice;
    const QString at = group(name, server);
    choice.alias = m_file->value(at + u"alias"_s).toString();
    choice.colour = m_file->value(at + u"colour"_s).toString();
    choice.favourite = m_file->value(at + u"favourite"_s).toBool();
    choice.open = m_file->value(at + u"open"_s).toBool();
    choice.readOnly = m_file->value(at + u"readOnly"_s).toBool();
    choice.isProtected = m_file->value(at + u"protected"_s).toBool();
    choice.namespaces = unpacked(m_file->value(at + u"namespaces"_s).toStringList());
    return choice;
}

void Settings::setContext(const QString &name, const QString &server, const ContextChoice &choice)
{
    if (!m_file || choice == context(name, server))
        return;
    const QString at = group(name, server);
    if (choice == ContextChoice()) {
        m_file->remove(at.chopped(1));
    } else {
        m_file->setValue(at + u"name"_s, name);
        m_file->setValue(at + u"server"_s, withoutUser(server));
        m_file->setValue(at + u"alias"_s, choice.alias);
        m_file->setValue(at + u"colour"_s, choice.colour);
        m_file->setValue(at + u"favourite"_s, choice.favourite);
        m_file->setValue(at + u"open"_s, choice.open);
        m_file->setValue(at + u"readOnly"_s, choice.readOnly);
        m_file->setValue(at + u"protected"_s, choice.isProtected);
        m_file->setValue(at + u"namespaces"_s, packed(choice.namespaces));
    }
    m_file->sync(); // through a temporary file: whole, or as it was
}

} // namespace switchyard::desktop
