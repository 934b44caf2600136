// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A file that is either the old one or the whole new one.
#include "models/core/error.h"

#include <QByteArray>
#include <QString>

#include <string_view>

namespace switchyard::exports {

// A temporary file beside the target takes what is written; commit() puts it in its place. Otherwise nothing stays of it, and an existing
// file stays as it was.
class AtomicFile
{
public:
    explicit AtomicFile(QString path);
    ~AtomicFile();
    Q_DISABLE_COPY_MOVE(AtomicFile)

    Result<void> open();
    Result<void> write(std::string_view bytes); // buffered
    Result<void> commit();                      // the rest, fsync, rename, fsync of the folder
    // For a library that writes by name: into this file, between open() and commit().
    const QByteArray &temporaryName() const { return m_temporary; }
    Error failure(const char *what, int number) const;

private:
    Result<void> flush();

    QString m_path;
    QByteArray m_target, m_temporary; // encoded names
    std::string m_buffer;
    int m_fd = -1;
};

Result<void> writeFileAtomically(const QString &path, std::string_view bytes);

} // namespace switchyard::exports
