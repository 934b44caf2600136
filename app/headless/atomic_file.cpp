// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/atomic_file.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace switchyard::headless {

namespace {

tl::unexpected<Error> failure(const QString &path, const char *what, int number)
{
    Error error{ErrorKind::Io};
    error.where = path.toStdString();
    error.message = std::string(what) + ": " + std::strerror(number);
    return tl::unexpected(error);
}

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

Result<void> writeFileAtomically(const QString &path, std::string_view bytes)
{
    // Through a link to the file it names, so that the link stays.
    const QFileInfo given(path);
    const QString target = given.exists() ? given.canonicalFilePath() : given.absoluteFilePath();
    if (path.isEmpty() || (given.exists() && !given.isFile()))
        return failure(path, "cannot write the file", path.isEmpty() ? EINVAL : given.isDir() ? EISDIR : ENOTSUP);
    const QByteArray name = QFile::encodeName(target);
    QByteArray temporary = name + ".XXXXXX";
    const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (fd < 0)
        return failure(path, "cannot make a file beside it", errno);
    const auto giveUp = [&](const char *what) {
        const int number = errno;
        ::unlink(temporary.constData());
        return failure(path, what, number);
    };
    const bool written = ::fchmod(fd, permissionsFor(name)) == 0 && writeAll(fd, bytes) && ::fsync(fd) == 0;
    const int number = errno;
    const bool closed = ::close(fd) == 0;
    if (!written || !closed) {
        if (!written)
            errno = number;
        return giveUp("cannot write the file");
    }
    if (::rename(temporary.constData(), name.constData()) != 0)
        return giveUp("cannot put the file in its place");
    syncFolder(QFileInfo(target).absolutePath());
    return {};
}

} // namespace switchyard::headless
