// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One run of an exec plugin, from its environment to its credential or to what is told about its failure.
#include "app/kube/exec_credential.h"
#include "app/kube/group_process.h"

namespace switchyard::kube {

struct ExecRun
{
    ExecConfig exec;
    QString program; // the file to run
    QString path;    // PATH for it
    QByteArray info; // KUBERNETES_EXEC_INFO
};

// Ours, then PATH, then what the kubeconfig sets, then the question.
QProcessEnvironment execEnvironment(const ExecRun &run, const QProcessEnvironment &own);
Result<ExecResult> execAnswer(const ExecRun &run, const ProcessEnd &end, const ProcessLimits &limits);

class ExecPlugin : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const Result<ExecResult> &)>;
    // `done` is called once, from the event loop, unless this is destroyed first: then the program is killed.
    ExecPlugin(const ExecRun &run, ProcessLimits limits, Done done, QObject *parent = nullptr);

private:
    GroupProcess m_process;
};

} // namespace switchyard::kube
