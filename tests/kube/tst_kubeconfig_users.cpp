// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What a kubeconfig says of its users: programs, passwords, impersonation.
#include "fake_api_server.h"
#include "kubeconfig_text.h"

#include <QDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;

class TestKubeconfigUsers : public QObject, private KubeconfigText
{
    Q_OBJECT
private Q_SLOTS:
    void execDefects_data();
    void execDefects();
    void exec();
    void execBesideAnotherCredential_data();
    void execBesideAnotherCredential();
    void authProviderNamesItsReplacement();
    void basicAuth();
    void impersonation();
    void tokenOverPlainHttp();
};

void TestKubeconfigUsers::execDefects_data()
{
    QTest::addColumn<QByteArray>("exec");
    QTest::addColumn<QString>("field");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *name, const QByteArray &exec, const char *field, ErrorKind kind = ErrorKind::BadInput) {
        QTest::newRow(name) << exec << QString::fromLatin1(field) << static_cast<int>(kind);
    };
    const QByteArray beta = "command: x, apiVersion: client.authentication.k8s.io/v1beta1";
    row("v1alpha1", "{command: x, apiVersion: client.authentication.k8s.io/v1alpha1}", ".apiVersion", ErrorKind::NotSupported);
    row("v2", "{command: x, apiVersion: client.authentication.k8s.io/v2}", ".apiVersion", ErrorKind::NotSupported);
    row("another group", "{command: x, apiVersion: example.org/v1, interactiveMode: Never}", ".apiVersion", ErrorKind::NotSupported);
    row("no version", "{command: x}", ".apiVersion");
    row("no command", "{apiVersion: client.authentication.k8s.io/v1beta1}", ".command");
    row("command is a list", "{command: [x], apiVersion: client.authentication.k8s.io/v1beta1}", ".command");
    row("v1 without a mode", "{command: x, apiVersion: client.authentication.k8s.io/v1}", ".interactiveMode");
    row("unknown mode", "{" + beta + ", interactiveMode: Sometimes}", ".interactiveMode");
    row("args is text", "{" + beta + ", args: " + secret + "}", ".args");
    row("an argument is a map", "{" + beta + ", args: [{a: " + secret + "}]}", ".args");
    row("env is a map", "{" + beta + ", env: {A: " + secret + "}}", ".env");
    row("env entry is text", "{" + beta + ", env: [" + secret + "]}", ".env[0]");
    row("env without a name", "{" + beta + ", env: [{name: A, value: b}, {value: " + secret + "}]}", ".env[1].name");
    row("env name with =", "{" + beta + ", env: [{name: 'A=B', value: " + secret + "}]}", ".env[0].name");
    row("env value is a list", "{" + beta + ", env: [{name: A, value: [" + secret + "]}]}", ".env[0].value");
    row("hint is a list", "{" + beta + ", installHint: [a]}", ".installHint");
    row("cluster info perhaps", "{" + beta + ", provideClusterInfo: perhaps}", ".provideClusterInfo");
    row("exec is text", secret, "");
}

void TestKubeconfigUsers::execDefects()
{
    QFETCH(QByteArray, exec);
    QFETCH(QString, field);
    QFETCH(int, kind);
    const auto config = load(withUser("{exec: " + exec + "}"));
    QVERIFY(config.has_value());
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY(context && !context->usable());
    QCOMPARE(context->problems.size(), 1U);
    QCOMPARE(QString::fromStdString(context->problems.front().field), u"users[0].user.exec"_s + field);
    QCOMPARE(static_cast<int>(context->problems.front().kind), kind);
    QVERIFY(!dump(context->problems).contains(QString::fromUtf8(secret)));
}

void TestKubeconfigUsers::exec()
{
    const auto config = load(R"(
clusters:
- name: c
  cluster:
    server: https://h
    extensions:
    - {name: other, extension: 1}
    - name: client.authentication.k8s.io/exec
      extension: {audience: "06", port: 8443, deep: [yes, "yes", null, 1.5]}
users:
- name: u
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [--cluster, prod, ""]
      env: [{name: AWS_PROFILE, value: dba}, {name: EMPTY, value: ""}]
      installHint: "Get it from the wiki"
      provideClusterInfo: true
      interactiveMode: Always
- name: plain
  user: {exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: aws, args: null, env: null}}
contexts:
- {name: main, context: {cluster: c, user: u}}
- {name: plain, context: {cluster: c, user: plain}}
)");
    QVERIFY(config.has_value());
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY2(context->usable() && context->problems.empty(), qPrintable(dump(context->problems)));
    const ExecConfig expected{.apiVersion = u"client.authentication.k8s.io/v1"_s,
                              .command = u"./bin/login"_s,
                              .folder = m_folder.path(),
                              .args = {u"--cluster"_s, u"prod"_s, QString(u""_s)},
                              .env = {{u"AWS_PROFILE"_s, u"dba"_s}, {u"EMPTY"_s, QString(u""_s)}},
                              .installHint = u"Get it from the wiki"_s,
                              .provideClusterInfo = true,
                              .interactive = ExecConfig::Interactive::Always,
                              .clusterConfig = R"({"audience":"06","deep":[true,"yes",null,1.5],"port":8443})"};
    QVERIFY(context->credential.exec.has_value());
    QCOMPARE(context->credential.exec->clusterConfig, expected.clusterConfig);
    QVERIFY(*context->credential.exec == expected);
    const ContextConfig *plain = config->find(u"plain"_s);
    QVERIFY(plain->usable() && plain->credential.exec);
    QCOMPARE(plain->credential.exec->command, u"aws"_s);
    QVERIFY(plain->credential.exec->interactive == ExecConfig::Interactive::IfAvailable);
    QVERIFY(!plain->credential.exec->provideClusterInfo && plain->credential.exec->args.isEmpty());
}

// A plugin is not even run where another credential is given; its entry is checked all the same.
void TestKubeconfigUsers::execBesideAnotherCredential_data()
{
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<bool>("kept");
    QTest::newRow("token") << QByteArray("token: t") << false;
    QTest::newRow("token file") << QByteArray("tokenFile: ./config") << false;
    QTest::newRow("password") << QByteArray("username: a, password: b") << false;
    QTest::newRow("certificate") << "client-certificate-data: " + certificateText(u"client-ec.crt"_s).toBase64()
            + ", client-key-data: " + certificateText(u"client-ec.key"_s).toBase64()
                                 << false;
    QTest::newRow("nothing") << QByteArray("token: ''") << true;
    QTest::newRow("impersonation") << QByteArray("as: boss") << true;
}

void TestKubeconfigUsers::execBesideAnotherCredential()
{
    QFETCH(QByteArray, other);
    QFETCH(bool, kept);
    const auto config = load(withUser("{" + other + ", exec: {command: x, apiVersion: client.authentication.k8s.io/v1beta1}}"));
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY2(context->usable(), qPrintable(dump(context->problems)));
    QCOMPARE(context->credential.exec.has_value(), kept);
}

void TestKubeconfigUsers::authProviderNamesItsReplacement()
{
    for (const auto &[name, replacement] : {std::pair("gcp", "gke-gcloud-auth-plugin"), std::pair("azure", "kubelogin"),
                                            std::pair("oidc", "oidc-login"), std::pair("openstack", "client-keystone-auth")}) {
        const auto config = load(withUser("{auth-provider: {name: " + QByteArray(name) + "}}"));
        const QString told = dump(config->find(u"main"_s)->problems);
        QVERIFY2(told.contains(QLatin1StringView(replacement)), qPrintable(told));
    }
}

void TestKubeconfigUsers::basicAuth()
{
    const auto config = load(withUser("{username: me, password: 'p w:'}"));
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY2(context->usable() && context->problems.empty(), qPrintable(dump(context->problems)));
    QCOMPARE(context->credential.basicUser, u"me"_s);
    QCOMPARE(context->credential.basicPassword, QByteArray("p w:"));
}

void TestKubeconfigUsers::impersonation()
{
    const auto config = load(withUser("{token: t, as: boss, as-uid: '7', as-groups: [a, b], as-user-extra: {z: [q], scopes: [x, y]}}"));
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY2(context->usable() && context->problems.empty(), qPrintable(dump(context->problems)));
    const Impersonation expected{
        .user = u"boss"_s, .uid = u"7"_s, .groups = {u"a"_s, u"b"_s}, .extra = {{u"z"_s, {u"q"_s}}, {u"scopes"_s, {u"x"_s, u"y"_s}}}};
    QVERIFY(context->impersonation == expected);
}

void TestKubeconfigUsers::tokenOverPlainHttp()
{
    const auto config = load(withCluster("{server: 'http://db.example'}", "{token: t}"));
    QVERIFY(config.has_value());
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY(context->usable());
    QCOMPARE(context->problems.size(), 1U);
    QCOMPARE(context->problems.front().kind, ErrorKind::Refused);
    QCOMPARE(context->problems.front().field, std::string("users[0].user.token"));
}

QTEST_GUILESS_MAIN(TestKubeconfigUsers)
#include "tst_kubeconfig_users.moc"
