// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One request of a caller, over as many tries, servers and credentials as its time allows.
//
//   credential ──► try ──answer──► done
//      ▲  ▲         │ ├─no answer──► next server (of a write: only if it took nothing)
//      │  │         │ └─busy───────► wait ──► try (never a write)
//      │  └─401─────┤ (a write is told of it, and only the credential is renewed)
//      └──renewed───┘ ended by ourselves: the certificate changed
#include "app/kube/call.h"
#include "app/kube/retry_plan.h"
#include "app/kube/wire.h"

#include <QElapsedTimer>

namespace switchyard::kube {

class Errand : public QObject
{
    Q_OBJECT
public:
    // Deletes itself at the end. `wire` must live as long.
    Errand(Wire *wire, Order order, QObject *context, Client::Done done, std::chrono::milliseconds limit, QObject *parent);
    void start();

Q_SIGNALS:
    void answered(const switchyard::kube::Response &response);

private:
    void onMaterial(const Result<Material> &material);
    void tryOnce();
    void tryAgain();
    void limitWait(std::chrono::milliseconds most);
    static Error tooLate(); // of a write
    void onResponse(const Response &response, QNetworkReply *reply, const QString &server, bool taken);
    TryPlan plan() const;
    bool answeredByPod(const Response &response) const;
    void onRefusedCredential(const Response &response);
    void beginAgain();
    void decide(const Response &response, bool taken);
    void fail(Error error);
    void finish(Response response);
    std::chrono::milliseconds left() const;

    Wire *m_wire;
    Order m_order;
    QPointer<QObject> m_context;
    Client::Done m_done;
    std::chrono::milliseconds m_limit;
    Material m_material;
    QStringList m_servers; // as they were in order when it began
    TryPlan m_plan;
    int m_tries = 0, m_waits = 0, m_renewals = 0;
    bool m_over = false;
    bool m_asked = false; // for another credential, after 401
    QElapsedTimer m_clock;
    QTimer m_timer; // a wait, or of a write the credential that does not come
};

} // namespace switchyard::kube
