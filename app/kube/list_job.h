// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One whole list: all its pages, decoded. A continue token that expires on the way starts the list again.
#include "app/kube/watch.h"

#include <QPointer>

namespace switchyard::kube {

class ListJob : public QObject
{
    Q_OBJECT
public:
    ListJob(Client *client, Path path, const WatchTimes &times, QObject *parent = nullptr);
    void start();

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
    WatchTimes m_times;
    ObjectList m_list;
    std::string m_continue;
    int m_restarts = 0;
    quint64 m_page = 0; // guards answers of an earlier attempt
};

} // namespace switchyard::kube
