// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Texts of kubeconfig files for tests, and what comes of reading them.
#include "app/kube/kubeconfig.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace switchyard::test {

inline const QByteArray secret = "sEcReT-7aPq";

inline QByteArray withCluster(const QByteArray &cluster, const QByteArray &user = "{}")
{
    return "clusters:\n- name: c\n  cluster: " + cluster + "\nusers:\n- name: u\n  user: " + user
        + "\ncontexts:\n- name: main\n  context: {cluster: c, user: u}\n";
}

inline QByteArray withUser(const QByteArray &user)
{
    return withCluster("{server: 'https://h:6443'}", user);
}

inline QString dump(const std::vector<Error> &errors)
{
    QString text;
    for (const Error &e : errors)
        text += QString::fromStdString(e.where + " " + e.field + ": " + e.message + " " + e.advice + "\n");
    return text;
}

class KubeconfigText
{
protected:
    void put(const QString &name, const QByteArray &text) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    Result<kube::Kubeconfig> load(const QByteArray &text) const
    {
        put(QStringLiteral("config"), text);
        return kube::loadKubeconfig(m_folder.filePath(QStringLiteral("config")));
    }
    QTemporaryDir m_folder;
};

} // namespace switchyard::test
