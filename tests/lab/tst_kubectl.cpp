// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The program and the real kubectl on the same kubeconfig files, against a real API server: both get in and see the same, or both
// do not and the program says why. Run by tests/lab/run inside the lab's network namespace; SWITCHYARD names the program.
#include "tests/lab/lab_control.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

namespace switchyard::lab {

namespace {

const QString server = u"https://192.0.2.10:6443"_s;

// A kubeconfig in parts: what a row wants otherwise replaces the usual.
struct Kube
{
    QString cluster = u"server: @SERVER@, certificate-authority-data: @CA@"_s;
    QString user = u"token: viewer-token"_s;
    QString context = u"cluster: c, user: u, namespace: default"_s;
    QString more{}; // further top-level fields

    QString text() const
    {
        return u"apiVersion: v1\nkind: Config\ncurrent-context: x\nclusters: [{name: c, cluster: {"_s + cluster
            + u"}}]\nusers: [{name: u, user: {"_s + user + u"}}]\ncontexts: [{name: x, context: {"_s + context + u"}}]\n"_s + more;
    }
};

struct Answer
{
    int exitCode = -1;
    QStringList clusters; // scopes, sorted
    QString err;
    bool good() const { return exitCode == 0; }
};

Answer runProgram(const QString &program, const QStringList &arguments, const QProcessEnvironment &environment, const QString &folder)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    Answer answer;
    if (!process.waitForFinished(60000)) {
        process.kill();
        process.waitForFinished();
        answer.err = u"did not end"_s;
        return answer;
    }
    answer.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    answer.err = QString::fromUtf8(process.readAllStandardError());
    answer.clusters = QStringList{QString::fromUtf8(process.readAllStandardOutput())};
    return answer;
}

// Clusters by kubectl's eyes: every config object that carries the key of the system, in both kinds.
Answer askKubectl(const QStringList &flags, const QProcessEnvironment &environment, const QString &folder)
{
    const QString path = u"jsonpath={range .items[*]}{.metadata.name}={.metadata.annotations.initialize}{\"\\n\"}{end}"_s;
    Answer answer = runProgram(u"kubectl"_s, QStringList{u"get"_s, u"endpoints,configmaps"_s, u"-o"_s, path} + flags, environment, folder);
    QStringList scopes;
    const QStringList lines = answer.clusters.join(u'\n').split(u'\n', Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        const QString name = line.section(u'=', 0, 0);
        if (name.endsWith(u"-config"_s) && !line.section(u'=', 1).isEmpty())
            scopes.append(name.chopped(7));
    }
    scopes.sort();
    answer.clusters = scopes;
    return answer;
}

Answer askSwitchyard(const QStringList &flags, const QProcessEnvironment &environment, const QString &folder)
{
    Answer answer = runProgram(qEnvironmentVariable("SWITCHYARD"), QStringList{u"list"_s, u"--format"_s, u"json"_s} + flags, environment,
                               folder);
    QStringList scopes;
    const QJsonArray rows = QJsonDocument::fromJson(answer.clusters.join(u'\n').toUtf8()).array();
    for (const QJsonValue row : rows)
        scopes.append(row.toObject()["scope"_L1].toString());
    scopes.sort();
    answer.clusters = scopes;
    return answer;
}

QString base64File(const QString &name)
{
    QFile file(qEnvironmentVariable("LAB_HOME") + u"/pki/"_s + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromLatin1(file.readAll().toBase64()) : QString();
}

QString filled(QString text)
{
    return text.replace(u"@SERVER@"_s, server)
        .replace(u"@CA@"_s, base64File(u"ca.crt"_s))
        .replace(u"@CERT@"_s, base64File(u"cert.crt"_s))
        .replace(u"@KEY@"_s, base64File(u"cert.key"_s))
        .replace(u"@PKI@"_s, qEnvironmentVariable("LAB_HOME") + u"/pki"_s);
}

constexpr const char *tokenPlugin = "#!/bin/sh\n"
                                    "echo '{\"apiVersion\":\"client.authentication.k8s.io/v1beta1\",\"kind\":\"ExecCredential\","
                                    "\"status\":{\"token\":\"'\"${WHO:-viewer}-token\"'\"}}'\n";
constexpr const char
    *certificatePlugin = "#!/usr/bin/env python3\n"
                         "import json, os\n"
                         "d = os.environ['PKI'] + '/cert'\n"
                         "print(json.dumps({'apiVersion': 'client.authentication.k8s.io/v1beta1', 'kind': 'ExecCredential', 'status':\n"
                         "    {'clientCertificateData': open(d + '.crt').read(), 'clientKeyData': open(d + '.key').read()}}))\n";

} // namespace

class TestKubectl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void sameAnswer_data();
    void sameAnswer();

private:
    void goodRows();
    void flagRows();
    void refusedRows();
};

void TestKubectl::initTestCase()
{
    QVERIFY2(QFile::exists(qEnvironmentVariable("SWITCHYARD")), "SWITCHYARD must name the program");
    QCOMPARE(run({u"kubectl"_s, u"create"_s, u"namespace"_s, u"other"_s}).exitCode, 0);
}

// Both get in and see the cluster "alpha".
void TestKubectl::goodRows()
{
    const auto row = [](const char *name, const Kube &kube, const QStringList &flags = {}) {
        QTest::newRow(name) << QStringList{kube.text()} << flags << QString();
    };
    row("token", {});
    row("tokenFile beside the file", {.user = u"tokenFile: token.txt"_s});
    row("client certificate, inline", {.user = u"client-certificate-data: @CERT@, client-key-data: @KEY@"_s});
    row("client certificate, files", {.user = u"client-certificate: @PKI@/cert.crt, client-key: @PKI@/cert.key"_s});
    row("authority in a file beside", {.cluster = u"server: @SERVER@, certificate-authority: ca.crt"_s});
    row("insecure-skip-tls-verify", {.cluster = u"server: @SERVER@, insecure-skip-tls-verify: true"_s});
    row("tls-server-name", {.cluster = u"server: @SERVER@, certificate-authority-data: @CA@, tls-server-name: kubernetes"_s});
    row("disable-compression", {.cluster = u"server: @SERVER@, certificate-authority-data: @CA@, disable-compression: true"_s});
    row("impersonation", {.user = u"token: admin-token, as: viewer, as-groups: [dba-viewers]"_s});
    row("impersonation, several groups", {.user = u"token: admin-token, as: somebody, as-groups: [some, dba-viewers, others]"_s});
    row("impersonation, extra", {.user = u"token: admin-token, as: viewer, as-groups: [dba-viewers], as-user-extra: {scopes: [a, b]}"_s});
    row("exec, token", {.user = u"exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ./plugin}"_s});
    row("exec, in a folder of PATH", {.user = u"exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: plugin-in-path}"_s});
    row("exec, environment",
        {.user = u"exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ./plugin, env: [{name: WHO, value: operator}]}"_s});
    row("exec, client certificate",
        {.user =
             u"exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ./certificate-plugin, env: [{name: PKI, value: @PKI@}]}"_s});
    row("unknown fields", {.more = u"preferences: {colors: true}\nextensions: [{name: a, extension: {b: 1}}]\n"_s});
    QTest::newRow("JSON")
        << QStringList{u"{\"apiVersion\":\"v1\",\"kind\":\"Config\",\"current-context\":\"x\",\"clusters\":[{\"name\":\"c\","
                       "\"cluster\":{\"server\":\"@SERVER@\",\"certificate-authority-data\":\"@CA@\"}}],\"users\":[{\"name\":\"u\","
                       "\"user\":{\"token\":\"viewer-token\"}}],\"contexts\":[{\"name\":\"x\",\"context\":{\"cluster\":\"c\",\"user\":\"u\"}}]}"_s}
        << QStringList() << QString();
    QTest::newRow("three files, one entry each")
        << QStringList{u"clusters: [{name: c, cluster: {server: @SERVER@, certificate-authority: ca.crt}}]\n"_s,
                       u"users: [{name: u, user: {tokenFile: token.txt}}]\n"_s,
                       u"contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n"_s}
        << QStringList() << QString();
    QTest::newRow("the first file wins") << QStringList{Kube{}.text(), Kube{.user = u"token: wrong"_s}.text()} << QStringList()
                                         << QString();
    QTest::newRow("a file of the list is missing") << QStringList{Kube{}.text(), QString()} << QStringList() << QString();
}

void TestKubectl::flagRows()
{
    const auto row = [](const char *name, const Kube &kube, const QStringList &flags, const QString &reason = {}) {
        QTest::newRow(name) << QStringList{kube.text()} << flags << reason;
    };
    const Kube two;
    row("--context", two, {u"--context"_s, u"x"_s});
    row("--context that is not there", two, {u"--context"_s, u"y"_s}, u"no context y"_s);
    row("-n", two, {u"-n"_s, u"other"_s});
    row("-A", two, {u"-A"_s});
    row("--as, --as-group", {.user = u"token: admin-token"_s}, {u"--as"_s, u"viewer"_s, u"--as-group"_s, u"dba-viewers"_s});
    row("--as somebody without rights", {.user = u"token: admin-token"_s}, {u"--as"_s, u"nobody"_s}, u"403"_s);
    row("--server", {.cluster = u"server: \"https://192.0.2.22:1\", certificate-authority-data: @CA@"_s}, {u"--server"_s, server});
    row("--token", {.user = u"token: wrong"_s}, {u"--token"_s, u"viewer-token"_s});
    row("--certificate-authority", {.cluster = u"server: @SERVER@"_s}, {u"--certificate-authority"_s, u"ca.crt"_s});
    row("--insecure-skip-tls-verify", {.cluster = u"server: @SERVER@"_s}, {u"--insecure-skip-tls-verify"_s});
    row("--request-timeout", two, {u"--request-timeout"_s, u"20s"_s});
}

// Neither gets in; the program says why in these words.
void TestKubectl::refusedRows()
{
    const auto row = [](const char *name, const Kube &kube, const QString &reason) {
        QTest::newRow(name) << QStringList{kube.text()} << QStringList() << reason;
    };
    row("wrong token", {.user = u"token: wrong"_s}, u"401"_s);
    row("no credentials", {.user = u""_s}, u"403"_s);
    row("basic, which this server no longer takes", {.user = u"username: viewer, password: secret-word"_s}, u"403"_s);
    row("no authority", {.cluster = u"server: @SERVER@"_s}, u"certificate"_s);
    row("wrong tls-server-name", {.cluster = u"server: @SERVER@, certificate-authority-data: @CA@, tls-server-name: elsewhere"_s},
        u"certificate"_s);
    row("nothing listens", {.cluster = u"server: \"https://192.0.2.22:1\", certificate-authority-data: @CA@"_s}, u"refused"_s);
    row("name that does not exist", {.cluster = u"server: \"https://nowhere.invalid:6443\", certificate-authority-data: @CA@"_s},
        u"name of the server"_s);
    row("proxy that is not there", {.cluster = u"server: @SERVER@, certificate-authority-data: @CA@, proxy-url: \"http://192.0.2.22:1\""_s},
        u"proxy"_s);
    row("exec that fails",
        {.user =
             u"exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: /bin/sh, args: [-c, \"echo no ticket >&2; exit 3\"]}"_s},
        u"no ticket"_s);
    row("exec that is not there",
        {.user =
             u"exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: no-such-plugin, installHint: get it from your admins}"_s},
        u"get it from your admins"_s);
    row("exec that answers in another version",
        {.user = u"exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: /bin/echo, args: [\"{}\"]}"_s}, u"exec"_s);
    row("cluster that is not in the file", {.context = u"cluster: elsewhere, user: u"_s}, u"elsewhere"_s);
    row("impersonating without the right", {.user = u"token: viewer-token, as: operator"_s}, u"403"_s);
}

void TestKubectl::sameAnswer_data()
{
    QTest::addColumn<QStringList>("files"); // empty: not written, but listed
    QTest::addColumn<QStringList>("flags");
    QTest::addColumn<QString>("reason"); // empty: both get in
    goodRows();
    flagRows();
    refusedRows();
}

void TestKubectl::sameAnswer()
{
    QFETCH(const QStringList, files);
    QFETCH(const QStringList, flags);
    QFETCH(const QString, reason);
    const QTemporaryDir folder;
    const auto write = [&](const QString &name, const QByteArray &bytes, bool runs = false) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        if (runs)
            file.setPermissions(file.permissions() | QFileDevice::ExeOwner);
    };
    write(u"token.txt"_s, "viewer-token\n");
    write(u"ca.crt"_s, QByteArray::fromBase64(base64File(u"ca.crt"_s).toLatin1()));
    write(u"plugin"_s, tokenPlugin, true);
    write(u"plugin-in-path"_s, tokenPlugin, true);
    write(u"certificate-plugin"_s, certificatePlugin, true);
    QStringList paths;
    for (const QString &text : files) {
        paths.append(folder.filePath(u"config-%1"_s.arg(paths.size())));
        if (!text.isEmpty())
            write(u"config-%1"_s.arg(paths.size() - 1), filled(text).toUtf8());
    }
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"KUBECONFIG"_s, paths.join(u':'));
    environment.insert(u"HOME"_s, folder.path());
    environment.insert(u"PATH"_s, folder.path() + u':' + environment.value(u"PATH"_s));
    const Answer theirs = askKubectl(flags, environment, folder.path());
    const Answer ours = askSwitchyard(flags + QStringList{u"--trust-exec"_s}, environment, folder.path());
    QVERIFY2(theirs.good() == reason.isEmpty(), qPrintable(theirs.err));
    QVERIFY2(ours.good() == theirs.good(), qPrintable(ours.err));
    QCOMPARE(ours.clusters, theirs.clusters);
    QVERIFY2(ours.err.contains(reason, Qt::CaseInsensitive), qPrintable(ours.err));
    QVERIFY2(!ours.err.contains(u"secret-word"_s), qPrintable(ours.err));
}

} // namespace switchyard::lab

QTEST_GUILESS_MAIN(switchyard::lab::TestKubectl)
#include "tst_kubectl.moc"
