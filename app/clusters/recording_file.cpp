// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/recording_file.h"

#include <QFile>

#include <zlib.h>

namespace switchyard {

namespace {

constexpr qsizetype limit = 1024 * 1024 * 1024;

Error ioError(const QString &path, const QString &message)
{
    Error error{ErrorKind::Io};
    error.where = path.toStdString();
    error.message = message.toStdString();
    return error;
}

Result<QByteArray> unpack(const QByteArray &packed, const QString &path, bool &cutShort)
{
    z_stream stream{};
    QByteArray in = packed; // zlib wants a pointer to non-const
    stream.next_in = reinterpret_cast<Bytef *>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK)
        return tl::unexpected(ioError(path, QStringLiteral("cannot start to unpack it")));
    QByteArray out;
    QByteArray chunk(1 << 20, Qt::Uninitialized);
    int state = Z_OK;
    while (state == Z_OK && out.size() < limit) {
        stream.next_out = reinterpret_cast<Bytef *>(chunk.data());
        stream.avail_out = static_cast<uInt>(chunk.size());
        state = inflate(&stream, Z_NO_FLUSH);
        out.append(chunk.constData(), chunk.size() - static_cast<qsizetype>(stream.avail_out));
        if (state == Z_BUF_ERROR)
            break;
        if (state == Z_STREAM_END && stream.avail_in > 0 && inflateReset(&stream) == Z_OK)
            state = Z_OK; // several members in one file
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END && out.size() < limit) { // whoever wrote it was interrupted: its last line may be half of one
        out.truncate(out.lastIndexOf('\n') + 1);
        cutShort = state != Z_DATA_ERROR && !out.isEmpty();
        if (cutShort)
            return out;
    }
    if (state != Z_STREAM_END)
        return tl::unexpected(ioError(path,
                                      out.size() >= limit ? QStringLiteral("larger than 1 GiB when unpacked")
                                                          : QStringLiteral("not a whole gzip file: it is cut short or damaged")));
    return out;
}

} // namespace

Result<QByteArray> readRecordingFile(const QString &path, bool *cutShort)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(ioError(path, file.errorString()));
    if (file.size() > limit)
        return tl::unexpected(ioError(path, QStringLiteral("larger than 1 GiB")));
    const QByteArray bytes = file.readAll();
    if (file.error() != QFileDevice::NoError)
        return tl::unexpected(ioError(path, file.errorString()));
    bool cut = false;
    auto text = bytes.startsWith("\x1f\x8b") ? unpack(bytes, path, cut) : Result<QByteArray>(bytes);
    if (cutShort)
        *cutShort = cut;
    return text;
}

} // namespace switchyard
