// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writes what is observed to a file, as gzip of one JSON object a line, by the list of RecordingWriter: no secrets, nothing else.
// Every second all that was seen is on disk in such a way that a file whose end is missing can still be read.
#include "models/store/recording_writer.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>

namespace switchyard {

class Recorder : public QObject
{
    Q_OBJECT
public:
    explicit Recorder(QObject *parent = nullptr);
    ~Recorder() override;

    enum class Existing { Replace, Refuse };
    // The file is the user's alone (mode 0600). An error: nothing is recorded.
    Result<void> start(const QString &path, const RecordingOptions &options, Existing existing);
    void add(const Observation &observation);
    void stop(); // the file is whole then
    void flush();

    bool recording() const { return m_state != nullptr; }
    QString path() const { return m_path; }
    qint64 size() const { return m_size; }                   // bytes written to the file
    qint64 lines() const { return m_lines; }                 // observations
    std::optional<Instant> since() const { return m_since; } // of the first one, else nullopt

Q_SIGNALS:
    void changed();                      // started, stopped, a second has passed
    void failed(const QString &message); // the disk is full, or the like: it has stopped, what was written before stays

private:
    struct State;
    bool put(const QByteArray &text, int flush);
    void fail(const QString &message);

    std::unique_ptr<State> m_state;
    QString m_path;
    QTimer m_second;
    QByteArray m_waiting; // lines since the last flush
    qint64 m_size = 0, m_lines = 0;
    std::optional<Instant> m_since;
};

} // namespace switchyard
