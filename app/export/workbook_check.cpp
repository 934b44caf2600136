// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/workbook_check.h"

#include <QFile>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <zlib.h>

namespace switchyard::exports {

namespace {

std::uint32_t number(const QByteArray &bytes, qsizetype at, int size)
{
    std::uint32_t n = 0;
    for (int i = size; i-- > 0;)
        n = (n << 8U) | static_cast<unsigned char>(bytes.at(at + i));
    return n;
}

struct Entry
{
    qint64 header = 0;
    qint64 packed = 0;
};

// From the directory at the end of a ZIP file.
std::map<QByteArray, Entry> entriesOf(QFile &file)
{
    constexpr qsizetype endSize = 22;
    constexpr qsizetype entrySize = 46;
    std::map<QByteArray, Entry> entries;
    if (file.size() < endSize || !file.seek(file.size() - endSize))
        return entries;
    const QByteArray end = file.read(endSize);
    if (!end.startsWith("PK\5\6") || !file.seek(number(end, 16, 4)))
        return entries;
    const QByteArray directory = file.read(number(end, 12, 4));
    for (qsizetype at = 0; at + entrySize <= directory.size() && directory.mid(at, 4) == "PK\1\2";) {
        const qsizetype nameSize = number(directory, at + 28, 2);
        const qsizetype rest = qsizetype(number(directory, at + 30, 2)) + number(directory, at + 32, 2);
        entries[directory.mid(at + entrySize, nameSize)] = {number(directory, at + 42, 4), number(directory, at + 20, 4)};
        at += entrySize + nameSize + rest;
    }
    return entries;
}

// Counts the rows of a sheet as its text passes, and keeps its last characters.
class RowCount
{
public:
    void pass(const QByteArray &text)
    {
        static const QByteArray mark("<row ");
        const QByteArray all = m_tail + text;
        m_rows += static_cast<std::uint32_t>(all.count(mark) - m_tail.count(mark));
        m_tail = all.right(keep);
    }
    std::uint32_t rows() const { return m_rows; }
    bool ended() const { return m_tail.endsWith("</worksheet>"); }

private:
    static constexpr qsizetype keep = 16;
    QByteArray m_tail;
    std::uint32_t m_rows = 0;
};

// nullopt: it cannot be unpacked.
std::optional<RowCount> unpack(QFile &file, const Entry &entry)
{
    constexpr qsizetype headerSize = 30;
    constexpr qint64 piece = 1 << 16;
    if (!file.seek(entry.header))
        return std::nullopt;
    const QByteArray header = file.read(headerSize);
    if (header.size() < headerSize || !header.startsWith("PK\3\4")
        || !file.seek(entry.header + headerSize + number(header, 26, 2) + number(header, 28, 2)))
        return std::nullopt;
    z_stream stream{};
    if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return std::nullopt;
    RowCount count;
    std::array<char, piece> out{};
    int state = Z_OK;
    for (qint64 left = entry.packed; left > 0 && state == Z_OK;) {
        QByteArray in = file.read(std::min(left, piece));
        left -= in.size();
        stream.next_in = reinterpret_cast<Bytef *>(in.data());
        stream.avail_in = static_cast<uInt>(in.size());
        do {
            stream.next_out = reinterpret_cast<Bytef *>(out.data());
            stream.avail_out = out.size();
            state = ::inflate(&stream, Z_NO_FLUSH);
            count.pass(QByteArray(out.data(), static_cast<qsizetype>(out.size() - stream.avail_out)));
        } while (stream.avail_out == 0 && state == Z_OK);
        if (in.isEmpty())
            break;
    }
    ::inflateEnd(&stream);
    return state == Z_STREAM_END ? std::optional(count) : std::nullopt;
}

} // namespace

std::string workbookProblem(const QByteArray &name, const std::vector<std::uint32_t> &rows)
{
    QFile file(QFile::decodeName(name));
    if (!file.open(QIODevice::ReadOnly))
        return file.errorString().toStdString();
    const auto entries = entriesOf(file);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string sheet = "sheet " + std::to_string(i + 1);
        const auto entry = entries.find("xl/worksheets/sheet" + QByteArray::number(qulonglong{i} + 1) + ".xml");
        const auto count = entry == entries.end() ? std::nullopt : unpack(file, entry->second);
        if (!count || !count->ended())
            return sheet + " is cut off: is the disk full?";
        if (count->rows() != rows[i])
            return sheet + " has " + std::to_string(count->rows()) + " rows of " + std::to_string(rows[i]) + ": is the disk full?";
    }
    return {};
}

} // namespace switchyard::exports
