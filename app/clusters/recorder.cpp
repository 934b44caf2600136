// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/recorder.h"

#include <QFile>
#include <QFileInfo>

#include <zlib.h>

namespace switchyard {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype soon = 256 * 1024; // so much is not kept waiting for the second to end

Error ioError(const QString &path, const QString &message)
{
    Error error{ErrorKind::Io};
    error.where = path.toStdString();
    error.message = message.toStdString();
    return error;
}

} // namespace

struct Recorder::State
{
    explicit State(const RecordingOptions &options)
        : writer(options)
    {}
    ~State()
    {
        if (packs)
            deflateEnd(&stream);
    }
    Q_DISABLE_COPY_MOVE(State)
    RecordingWriter writer;
    QFile file;
    z_stream stream{};
    bool packs = false;
};

Recorder::Recorder(QObject *parent)
    : QObject(parent)
{
    connect(&m_second, &QTimer::timeout, this, [this] {
        flush();
        if (recording())
            Q_EMIT changed();
    });
}

Recorder::~Recorder()
{
    stop();
}

Result<void> Recorder::start(const QString &path, const RecordingOptions &options, Existing existing)
{
    stop();
    auto state = std::make_unique<State>(options);
    state->file.setFileName(path);
    const QIODevice::OpenMode how = existing == Existing::Refuse ? QIODevice::NewOnly : QIODevice::WriteOnly | QIODevice::Truncate;
    if (!state->file.open(how | QIODevice::Unbuffered, QFileDevice::ReadOwner | QFileDevice::WriteOwner))
        return tl::unexpected(ioError(path, state->file.errorString()));
    if (QFileInfo(path).isFile()) // it may have been there
        state->file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    constexpr int gzip = MAX_WBITS + 16, memory = 8;
    if (deflateInit2(&state->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip, memory, Z_DEFAULT_STRATEGY) != Z_OK)
        return tl::unexpected(ioError(path, QStringLiteral("cannot start to pack it")));
    state->packs = true;
    m_state = std::move(state);
    m_path = path;
    m_size = m_lines = 0;
    m_since.reset();
    m_waiting.clear();
    m_second.start(1s);
    Q_EMIT changed();
    return {};
}

void Recorder::add(const Observation &observation)
{
    if (!m_state)
        return;
    if (!m_since)
        m_since = observation.wall;
    m_waiting += QByteArray::fromStdString(m_state->writer.line(observation));
    m_waiting += '\n';
    ++m_lines;
    if (m_waiting.size() > soon)
        put(std::exchange(m_waiting, {}), Z_NO_FLUSH);
}

void Recorder::flush()
{
    if (m_state && !m_waiting.isEmpty())
        put(std::exchange(m_waiting, {}), Z_SYNC_FLUSH);
}

void Recorder::stop()
{
    if (!m_state || !put(std::exchange(m_waiting, {}), Z_FINISH))
        return;
    m_second.stop();
    m_state.reset();
    Q_EMIT changed();
}

// False: it has failed, and nothing is recorded any more.
bool Recorder::put(const QByteArray &text, int flush)
{
    QByteArray in = text; // zlib wants a pointer to non-const
    QByteArray chunk(1 << 16, Qt::Uninitialized);
    z_stream &stream = m_state->stream;
    stream.next_in = reinterpret_cast<Bytef *>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    do {
        stream.next_out = reinterpret_cast<Bytef *>(chunk.data());
        stream.avail_out = static_cast<uInt>(chunk.size());
        deflate(&stream, flush);
        const qint64 made = chunk.size() - static_cast<qint64>(stream.avail_out);
        if (made > 0 && m_state->file.write(chunk.constData(), made) != made) {
            fail(m_state->file.errorString());
            return false;
        }
        m_size += made;
    } while (stream.avail_out == 0);
    return true;
}

void Recorder::fail(const QString &message)
{
    m_second.stop();
    m_state.reset();
    m_waiting.clear();
    Q_EMIT changed();
    Q_EMIT failed(message);
}

} // namespace switchyard
