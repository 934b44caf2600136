// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/atomic_file.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace switchyard::exports {

namespace {

bool writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

// The permissions of the file that is replaced, else what the umask leaves of 0666.
mode_t permissionsFor(const QByteArray &target)
{
    struct stat info
    {};
    if (::stat(target.constData(), &info) == 0)
        return info.st_mode & 07777;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

void syncFolder(const QString &folder)
{
    const int fd = ::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    ::fsync(fd); // some file systems cannot: the new name is in place all the same
    ::close(fd);
}

} // namespace

AtomicFile::AtomicFile(QString path)
    : m_path(std::move(path))
{}

AtomicFile::~AtomicFile()
{
    if (m_fd >= 0)
        ::close(m_fd);
    if (!m_temporary.isEmpty())
        ::unlink(m_temporary.constData());
}

Error AtomicFile::failure(const char *what, int number) const
{
    Error error{ErrorKind::Io};
    error.where = m_path.toStdString();
    error.message = std::string(what) + ": " + std::strerror(number);
    return error;
}

Result<void> AtomicFile::open()
{
    // Through a link to the file it names, so that the link stays.
    const QFileInfo given(m_path);
    if (m_path.isEmpty() || (given.exists() && !given.isFile()))
        return tl::unexpected(failure("cannot write the file", m_path.isEmpty() ? EINVAL : given.isDir() ? EISDIR : ENOTSUP));
    m_target = QFile::encodeName(given.exists() ? given.canonicalFilePath() : given.absoluteFilePath());
    QByteArray name = m_target + ".XXXXXX";
    m_fd = ::mkostemp(name.data(), O_CLOEXEC);
    if (m_fd < 0)
        return tl::unexpected(failure("cannot make a file beside it", errno));
    m_temporary = name;
    if (::fchmod(m_fd, permissionsFor(m_target)) != 0)
        return tl::unexpected(failure("cannot write the file", errno));
    return {};
}

Result<void> AtomicFile::flush()
{
    if (!writeAll(m_fd, m_buffer))
        return tl::unexpected(failure("cannot write the file", errno));
    m_buffer.clear();
    return {};
}

Result<void> AtomicFile::write(std::string_view bytes)
{
    constexpr std::size_t enough = 1 << 16;
    m_buffer += bytes;
    return m_buffer.size() < enough ? Result<void>() : flush();
}

Result<void> AtomicFile::commit()
{
    if (auto flushed = flush(); !flushed)
        return flushed;
    const bool synced = ::fsync(m_fd) == 0;
    const int number = errno;
    const bool closed = ::close(std::exchange(m_fd, -1)) == 0;
    if (!synced || !closed)
        return tl::unexpected(failure("cannot write the file", synced ? errno : number));
    if (::rename(m_temporary.constData(), m_target.constData()) != 0)
        return tl::unexpected(failure("cannot put the file in its place", errno));
    m_temporary.clear();
    syncFolder(QFileInfo(QFile::decodeName(m_target)).absolutePath());
    return {};
}

Result<void> writeFileAtomically(const QString &path, std::string_view bytes)
{
    AtomicFile file(path);
    return file.open().and_then([&] { return file.write(bytes); }).and_then([&] { return file.commit(); });
}

} // namespace switchyard::exports
