// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What an exec plugin is told (KUBERNETES_EXEC_INFO) and what it prints (ExecCredential): client.authentication.k8s.io/v1, v1beta1.
#include "app/kube/kubeconfig.h"
#include "models/core/time.h"

namespace switchyard::kube {

struct ExecResult
{
    QByteArray token, certificatePem, keyPem;
    std::optional<Instant> expires;
};

// Why this program cannot serve it: versions that are gone, and what needs a terminal.
std::optional<Error> execDefect(const ExecConfig &exec);

// JSON. The cluster stands in it only with provideClusterInfo.
QByteArray execInfo(const ContextConfig &config);

// Errors name what is wrong and never quote what was printed.
Result<ExecResult> parseExecCredential(const QByteArray &output, const QString &apiVersion);

// What a program complained of, fit to be shown on one line: the last 2 KiB, no control characters, and nothing that is one of
// `secrets`, stands in `output`, or looks like a token, key or certificate.
QString complaint(const QByteArray &errors, const QByteArray &output, const QList<QByteArray> &secrets);

} // namespace switchyard::kube
