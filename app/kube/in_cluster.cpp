// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The service account that Kubernetes mounts into a Pod, as client-go uses it.
#include "app/kube/kubeconfig.h"
#include "app/kube/tls_material.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QUrl>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(4 * 1024 * 1024) : QByteArray();
}

QString addressOf(const QString &host, const QString &port)
{
    return host.contains(u':') ? u"https://[%1]:%2"_s.arg(host, port) : u"https://%1:%2"_s.arg(host, port);
}

} // namespace

std::optional<ContextConfig> inClusterContext(const QString &serviceHost, const QString &servicePort, const QString &folder)
{
    const QString token = folder + u"/token"_s;
    if (serviceHost.isEmpty() || servicePort.isEmpty() || !QFileInfo(token).isFile())
        return std::nullopt;
    ContextConfig config;
    config.name = u"in-cluster"_s;
    config.clusterName = config.name;
    config.server = addressOf(serviceHost, servicePort);
    config.ns = QString::fromUtf8(contents(folder + u"/namespace"_s)).trimmed();
    config.credential.userName = u"service account"_s;
    config.credential.tokenFile = token;
    // As for client-go, without the file the system's own authorities are asked.
    config.caPem = contents(folder + u"/ca.crt"_s);
    if (config.caPem.isEmpty())
        return config;
    config.caFile = folder + u"/ca.crt"_s;
    if (std::optional<Error> defect = caDefect(config.caPem)) {
        defect->where = config.caFile.toStdString();
        config.problems.push_back(*defect);
    }
    return config;
}

} // namespace switchyard::kube
