// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig_parts.h"
#include "app/kube/tls_material.h"
#include "app/kube/token.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct UserWords
{
    Q_DECLARE_TR_FUNCTIONS(UserWords)
};

void readToken(const Fields &fields, Credential &credential)
{
    credential.token = fields.text("token").trimmed().toUtf8();
    if (!credential.token.isEmpty() && !isTokenText(credential.token))
        fields.report("token", UserWords::tr("the token holds characters that no token can have"));
    credential.tokenFile = fields.path("tokenFile");
    if (!credential.tokenFile.isEmpty() && !QFileInfo(credential.tokenFile).isReadable())
        fields.report("tokenFile", UserWords::tr("%1 cannot be read").arg(credential.tokenFile));
}

void readBasic(const Fields &fields, Credential &credential)
{
    credential.basicUser = fields.text("username");
    credential.basicPassword = fields.text("password").toUtf8();
    const bool given = !credential.basicUser.isEmpty() || !credential.basicPassword.isEmpty();
    if (given && credential.basicUser.contains(u':'))
        fields.report("username", UserWords::tr("a user name with a colon cannot be sent"));
    if (given && (!credential.token.isEmpty() || !credential.tokenFile.isEmpty()))
        fields.report(credential.basicUser.isEmpty() ? "password" : "username",
                      UserWords::tr("a token and a user name with password exclude each other"));
}

void readClientCertificate(const Fields &fields, UserPart &part)
{
    Credential &credential = part.credential;
    const std::size_t before = part.problems.size();
    credential.certificatePem = fields.pem("client-certificate", credential.certificateFile);
    credential.keyPem = fields.pem("client-key", credential.keyFile);
    if (part.problems.size() != before)
        return;
    const auto report = [&](const char *key, const std::optional<Error> &defect) {
        if (defect)
            fields.report(key, QString::fromStdString(defect->message), defect->kind);
    };
    if (!credential.certificatePem.isEmpty())
        report("client-certificate", certificateDefect(credential.certificatePem));
    if (!credential.keyPem.isEmpty())
        report("client-key", keyDefect(credential.keyPem));
    if (credential.certificatePem.isEmpty() != credential.keyPem.isEmpty())
        fields.report(credential.keyPem.isEmpty() ? "client-certificate" : "client-key",
                      UserWords::tr("a client certificate and its key are needed together"));
}

void readImpersonation(const Fields &fields, Impersonation &out)
{
    out.user = fields.text("as");
    out.uid = fields.text("as-uid");
    out.groups = fields.texts("as-groups");
    if (const std::optional<Fields> extra = fields.inner("as-user-extra")) {
        for (const YamlField &field : extra->map()->fields)
            out.extra.emplace_back(QString::fromStdString(field.name), extra->texts(field.name.c_str()));
    }
    const char *without = !out.uid.isEmpty() ? "as-uid"
        : !out.groups.isEmpty()              ? "as-groups"
        : !out.extra.empty()                 ? "as-user-extra"
                                             : nullptr;
    if (out.user.isEmpty() && without)
        fields.report(without, UserWords::tr("only together with \"as\": whom to act as"));
}

QString replacementOf(const QString &provider)
{
    if (provider == u"gcp"_s)
        return UserWords::tr("use the exec plugin gke-gcloud-auth-plugin (gcloud container clusters get-credentials writes the entry)");
    if (provider == u"azure"_s)
        return UserWords::tr("use the exec plugin kubelogin (kubelogin convert-kubeconfig writes the entry)");
    if (provider == u"oidc"_s)
        return UserWords::tr("use an exec plugin such as kubectl oidc-login");
    if (provider == u"openstack"_s)
        return UserWords::tr("use the exec plugin client-keystone-auth");
    return UserWords::tr("use an exec plugin");
}

void readAuthProvider(const Fields &fields, const UserPart &part)
{
    const std::optional<Fields> provider = fields.inner("auth-provider");
    if (!provider)
        return;
    if (part.credential.exec)
        fields.report("auth-provider", UserWords::tr("auth-provider and exec exclude each other"));
    const QString name = provider->text("name");
    const bool known = QStringList{u"gcp"_s, u"azure"_s, u"oidc"_s, u"openstack"_s}.contains(name);
    fields.report("auth-provider",
                  UserWords::tr("auth-provider%1 is not supported: %2").arg(known ? u' ' + name : QString(), replacementOf(name)),
                  ErrorKind::NotSupported);
}

std::string methodOf(const Credential &credential)
{
    if (!credential.tokenFile.isEmpty())
        return "tokenFile";
    if (!credential.token.isEmpty())
        return "token";
    if (!credential.basicUser.isEmpty() || !credential.basicPassword.isEmpty())
        return credential.basicPassword.isEmpty() ? "username" : "password";
    return credential.exec ? "exec" : "";
}

} // namespace

void readUser(const Fields &fields, UserPart &part)
{
    readToken(fields, part.credential);
    readBasic(fields, part.credential);
    readClientCertificate(fields, part);
    part.credential.exec = readExec(fields);
    readAuthProvider(fields, part);
    readImpersonation(fields, part.impersonation);
    part.method = methodOf(part.credential);
    // client-go does not even run a plugin beside another credential.
    if (part.method != "exec" || !part.credential.certificatePem.isEmpty())
        part.credential.exec.reset();
}

} // namespace switchyard::kube
