// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The API servers of one context, and which of them is good. Certificates of all of them are checked against the name of the
// first, which is the kubeconfig's.
//
// The good one is kept until it fails; then the next in the list is, round and round.
#include "models/core/error.h"
#include "models/core/time.h"

#include <QByteArray>
#include <QObject>
#include <QStringList>

#include <optional>

namespace switchyard::kube {

class ServerList : public QObject
{
    Q_OBJECT
public:
    // `bypass`: also those behind the Endpoints default/kubernetes, which are looked up through the others.
    explicit ServerList(const QString &first, const QStringList &byHand = {}, bool bypass = false, QObject *parent = nullptr);

    const QString &first() const { return m_all.front(); }
    const QString &current() const { return m_all.at(m_current); }
    QStringList inOrder() const; // the good one, then those that follow it
    QString notice() const { return m_notice; }

    void worked(const QString &server);
    void failed(const QString &server); // no connection, no answer

    // True when the list has to be read (again): it is then up to the caller, who tells of the end by found() or notFound().
    bool beginLookup(Boot now);
    void found(const QStringList &servers);
    void notFound(const Error &error); // 403 ends the bypass, with a notice
    // Nothing proves who answers at the addresses that are found: they are not asked, nor looked up.
    void certificatesNotChecked();

Q_SIGNALS:
    void changed(); // another server, or a notice

private:
    void setAll(const QStringList &servers);
    void endBypass(const QString &why);

    QStringList m_fixed; // the kubeconfig's, those by hand
    QStringList m_all;
    qsizetype m_current = 0;
    bool m_bypass = false;
    bool m_lookingUp = false, m_doubtful = true; // doubtful: never read, or a server failed since
    Boot m_lookedUp{};
    QString m_notice;
};

// "https://10.0.0.1:6443" for each address and the port named https of an Endpoints object; empty where it names none.
QStringList serversOf(const QByteArray &endpointsJson);

} // namespace switchyard::kube
