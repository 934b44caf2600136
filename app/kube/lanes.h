// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The connections to one API server as one identity. A connection keeps the certificate that it was made with, and Qt would
// give it to whoever asks the same manager: another identity, trust or proxy needs other lanes.
#include "app/kube/call.h"
#include "app/kube/client.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QSslConfiguration>

namespace switchyard::kube {

class Lanes
{
public:
    Lanes(const QSslConfiguration &tls, const QNetworkProxy &proxy);
    ~Lanes();
    Lanes(const Lanes &) = delete;
    Lanes &operator=(const Lanes &) = delete;

    const QSslConfiguration &tls() const { return m_tls; }
    const QNetworkProxy &proxy() const { return m_proxy; }

    QNetworkReply *read(const QNetworkRequest &request);
    QNetworkReply *ask(const QNetworkRequest &request, const QByteArray &body);
    QNetworkReply *write(const QNetworkRequest &request, const QByteArray &method, OnceDevice *body);
    // To a Pod's own server: such a call may wait for minutes, and nothing else waits behind it.
    QNetworkReply *readPod(const QNetworkRequest &request);
    QNetworkReply *call(const QNetworkRequest &request, const QByteArray &method, OnceDevice *body);
    QNetworkReply *watch(const QNetworkRequest &request);

    // `reply` got no answer: idle connections may be as dead as its own, and are not used again. Running requests go on.
    void mistrust(const QNetworkReply *reply);
    // No longer to be used. Reads and watches end now, marked as retired(); a write is left to its one answer.
    void retire();
    bool busy();
    void freeLater(); // when it is not busy: a caller further up may be in the middle of a signal of a reply

private:
    struct Lane
    {
        std::unique_ptr<QNetworkAccessManager> manager;
        std::vector<QPointer<QNetworkReply>> replies;
        int running();
        QNetworkReply *add(QNetworkReply *reply);
    };
    Lane make() const;
    Lane &freeLane();
    void putAway(Lane &lane);
    static QNetworkReply *send(Lane &lane, const QNetworkRequest &request, const QByteArray &method, OnceDevice *body);

    QSslConfiguration m_tls;
    QNetworkProxy m_proxy;
    Lane m_reads, m_writes, m_podReads, m_calls;
    std::vector<Lane> m_watches;
    std::vector<Lane> m_old; // until their requests have ended
};

// The reply was ended because its identity is no longer ours.
bool retired(const QNetworkReply *reply);

} // namespace switchyard::kube
