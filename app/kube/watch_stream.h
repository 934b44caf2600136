// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One streaming GET: lines as they come, one end. It watches for silence, for a server that does not even send headers, and for
// lines without end.
#include "app/kube/line_splitter.h"
#include "app/kube/watch.h"

#include <QElapsedTimer>
#include <QNetworkReply>
#include <QPointer>
#include <QTimer>

namespace switchyard::kube {

class WatchStream : public QObject
{
    Q_OBJECT
public:
    enum class End {
        Clean,  // the server ended it, as it does after timeoutSeconds
        Silent, // no byte for too long
        LineTooLong,
        Renewed, // another certificate: to be started again as the new identity
        Failed,  // see error
    };
    WatchStream(Client *client, Path path, WatchScope scope, const std::string &version, const WatchTimes &times,
                QObject *parent = nullptr);
    ~WatchStream() override;
    void start();
    void stop(); // no signal after this
    const WatchScope &scope() const { return m_scope; }
    std::chrono::milliseconds age() const; // since start

Q_SIGNALS:
    void line(const QByteArray &line);
    void bytesDone(); // after the lines of one arrival of bytes, or good headers
    void ended(switchyard::kube::WatchStream::End end, const switchyard::Error &error);

private:
    void open();
    void dropReply();
    void onStarted(const Result<Client::Stream> &stream);
    bool tryAgain();
    void onRefused(const Error &error);
    void onHeaders();
    void onBytes();
    void onFinished();
    void onSilence();
    void finish(End end, const Error &error = {});
    bool good() const;
    std::chrono::milliseconds headLimit() const;

    QPointer<Client> m_client;
    Path m_path;
    WatchScope m_scope;
    std::string m_version;
    WatchTimes m_times;
    QPointer<QNetworkReply> m_reply;
    LineSplitter m_splitter;
    QByteArray m_refusal; // body of an answer that is not 2xx
    QTimer m_silence;
    QElapsedTimer m_age;
    bool m_answered = false;
    bool m_over = false;
    bool m_renewed = false; // another credential was asked for after 401, or the certificate changed
    int m_tries = 0;        // servers asked
    quint64 m_generation = 0;
    QString m_server;
};

} // namespace switchyard::kube
