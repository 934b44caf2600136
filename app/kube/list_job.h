// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One whole list: all its pages, decoded. A continue token that expires on the way starts the list again, in the end without pages.
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
    void start();
    const WatchScope &scope() const { return m_scope; }

Q_SIGNALS:
    // One of the two, once.
    void done(const switchyard::ObjectList &list);
    void failed(const switchyard::Error &error);

private:
    void requestPage();
    void onPage(const Response &response);
    void onDecoded(const Result<ObjectList> &page);
    void restart(const Error &error);

    QPointer<Client> m_client;
    Path m_path;
    WatchScope m_scope;
    WatchTimes m_times;
    ObjectList m_list;
    std::string m_continue;
    int m_restarts = 0;
    bool m_paged = true;
    quint64 m_page = 0; // guards answers of an earlier attempt
};

} // namespace switchyard::kube
