// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig_parts.h"

#include <QCoreApplication>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct ExecWords
{
    Q_DECLARE_TR_FUNCTIONS(ExecWords)
};

void readApiVersion(const Fields &fields, ExecConfig &exec)
{
    const QString group = u"client.authentication.k8s.io/"_s;
    exec.apiVersion = fields.text("apiVersion");
    if (exec.apiVersion == group + u"v1alpha1"_s)
        fields.report("apiVersion", ExecWords::tr("v1alpha1 was removed from Kubernetes (1.24): have the plugin write v1 or v1beta1 here"),
                      ErrorKind::NotSupported);
    else if (fields.blank("apiVersion"))
        fields.report("apiVersion", ExecWords::tr("an exec plugin needs an apiVersion"));
    else if (!exec.apiVersion.isEmpty() && exec.apiVersion != group + u"v1"_s && exec.apiVersion != group + u"v1beta1"_s)
        fields.report("apiVersion", ExecWords::tr("not a version of exec plugins: %1v1 or %1v1beta1 is expected").arg(group),
                      ErrorKind::NotSupported);
}

// v1 requires it; in v1beta1 it is IfAvailable unless told.
void readInteractive(const Fields &fields, ExecConfig &exec)
{
    using Interactive = ExecConfig::Interactive;
    const QString mode = fields.text("interactiveMode");
    if (mode == u"Never"_s)
        exec.interactive = Interactive::Never;
    else if (mode == u"Always"_s)
        exec.interactive = Interactive::Always;
    else if (mode.isEmpty() && exec.apiVersion.endsWith(u"/v1"_s))
        fields.report("interactiveMode", ExecWords::tr("version v1 needs an interactiveMode: Never, IfAvailable or Always"));
    else if (!mode.isEmpty() && mode != u"IfAvailable"_s)
        fields.report("interactiveMode", ExecWords::tr("Never, IfAvailable or Always is expected here"));
}

} // namespace

std::optional<ExecConfig> readExec(const Fields &user)
{
    const std::optional<Fields> fields = user.inner("exec");
    if (!fields)
        return std::nullopt;
    ExecConfig exec;
    readApiVersion(*fields, exec);
    readInteractive(*fields, exec);
    exec.command = fields->text("command");
    if (fields->blank("command"))
        fields->report("command", ExecWords::tr("an exec plugin needs a command"));
    exec.folder = fields->folder().absolutePath();
    exec.args = fields->texts("args");
    for (const Fields &variable : fields->items("env")) {
        const QString name = variable.text("name");
        if (name.isEmpty() || name.contains(u'=') || name.contains(QChar(u'\0')))
            variable.report("name", ExecWords::tr("the name of an environment variable is expected here"));
        else
            exec.env.emplace_back(name, variable.text("value"));
    }
    exec.installHint = fields->text("installHint");
    exec.provideClusterInfo = fields->flag("provideClusterInfo");
    return exec;
}

} // namespace switchyard::kube
