// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the window remembers from one start to the next, in one file, written atomically. No secrets: of a server address what stands
// before "@" is left out, and nothing of a credential is ever given to it.
#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>

class QSettings;

namespace switchyard::desktop {

// What the user chose for a context. Another server under the same name is another context.
struct ContextChoice
{
    QString alias, colour;
    bool favourite = false;
    bool open = false;        // when the program ended
    QStringList namespaces;   // empty: the context's own; "": all
    bool readOnly = false;    // nothing is written to its clusters
    bool isProtected = false; // the scope's name is typed before a write
    bool operator==(const ContextChoice &) const = default;
};

// What stands between a wish and a write to the clusters of a context, beside the rules of Patroni.
struct ContextGuard
{
    bool readOnly = false, isProtected = false;
    bool operator==(const ContextGuard &) const = default;
};

class Settings
{
public:
    // An empty name: nothing is read or written (pictures, the demo).
    explicit Settings(const QString &file);
    ~Settings();
    static QString defaultFile();

    QByteArray geometry() const;
    void setGeometry(const QByteArray &geometry);
    QByteArray contextsPage() const; // its sort order and splitter
    void setContextsPage(const QByteArray &state);
    ContextChoice context(const QString &name, const QString &server) const;
    void setContext(const QString &name, const QString &server, const ContextChoice &choice);

private:
    std::unique_ptr<QSettings> m_file;
};

} // namespace switchyard::desktop
