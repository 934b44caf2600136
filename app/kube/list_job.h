// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One whole list: all its pages, decoded. While one page is decoded, the next is on its way. A continue token that expires on the way
// starts the list again, in the end without pages.
#include "app/kube/watch.h"

#include <QPointer>

namespace switchyard::kube {

// labelSelector and fieldSelector of a list or watch.
void addSelectors(QUrlQuery &query, const WatchScope &scope);

class ListJob : public QObject
{
    Q_OBJECT
public:
    ListJob(Client *client, Path path, WatchScope scope, const WatchTimes &times, QObject *parent = nullptr);
    std::vector<KubeObject> takeItems(); // of a list that is done: not copied
    void start();
    const WatchScope &scope() const { return m_scope; }

Q_SIGNALS:
    // One of the two, once.
    void done(const switchyard::ObjectList &list);
    void failed(const switchyard::Error &error);

private:
    void requestPage(const std::string &token);
    void onPage(const Response &response);
    void take(const Response &response);
    void onDecoded(Result<ObjectList> page);
    void goOn();
    void fail(const Error &error);
    void restart(const Error &error);

    QPointer<Client> m_client;
    Path m_path;
    WatchScope m_scope;
    WatchTimes m_times;
    ObjectList m_list;
    std::string m_continue;         // the token of the page that is decoded next
    std::string m_ahead;            // of the page that was asked for beforehand
    std::optional<Response> m_held; // that page, until its turn comes
    bool m_decoding = false;
    int m_restarts = 0;
    bool m_paged = true;
    quint64 m_page = 0; // guards answers of an earlier attempt
};

} // namespace switchyard::kube
