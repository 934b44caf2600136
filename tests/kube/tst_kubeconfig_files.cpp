// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig.h"

#include "fake_api_server.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;

// Which files there are, what several say together, the service account of a Pod, and the command line's flags.
class TestKubeconfigFiles : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void places_data();
    void places();
    void firstEntryWins();
    void firstCurrentContextWins_data();
    void firstCurrentContextWins();
    void relativePathsPerFile();
    void namesAcrossFiles();
    void missingFiles_data();
    void missingFiles();
    void brokenFileLeavesTheOthers();
    void nothingReadable();
    void inCluster_data();
    void inCluster();
    void notInCluster();
    void inClusterOnlyWithoutKubeconfig_data();
    void inClusterOnlyWithoutKubeconfig();
    void serverOnTheCommandLineAlone();
    void serverFlag();
    void serverFlagMends();
    void badServerFlag_data();
    void badServerFlag();
    void authorityFlag();
    void insecureFlag();
    void authorityAndInsecure();
    void tokenFlag_data();
    void tokenFlag();
    void tokenFlagAndPassword();
    void impersonationFlags_data();
    void impersonationFlags();
    void tokenFlagOverPlainHttp();
    void choice_data();
    void choice();
    void identity_data();
    void identity();

private:
    QString put(const QString &name, const QByteArray &text) const;
    Result<Kubeconfig> load(const QStringList &names) const;
    std::unique_ptr<QTemporaryDir> m_folder;
};

static QString dump(const std::vector<Error> &errors)
{
    QString text;
    for (const Error &e : errors)
        text += QString::fromStdString(e.where + " " + e.field + ": " + e.message + " " + e.advice + "\n");
    return text;
}

// One context NAME with its own cluster and user of that name.
static QByteArray oneContext(const QByteArray &name, const QByteArray &server, const QByteArray &user = "{token: t}")
{
    return "clusters: [{name: " + name + ", cluster: {server: '" + server + "'}}]\nusers: [{name: " + name + ", user: " + user
        + "}]\ncontexts: [{name: " + name + ", context: {cluster: " + name + ", user: " + name + "}}]\n";
}

static ContextConfig simpleContext()
{
    ContextConfig config;
    config.name = u"main"_s;
    config.clusterName = u"c"_s;
    config.server = u"https://h:6443"_s;
    config.tlsServerName = u"api.prod"_s;
    config.credential.userName = u"u"_s;
    return config;
}

void TestKubeconfigFiles::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

QString TestKubeconfigFiles::put(const QString &name, const QByteArray &text) const
{
    QString path = m_folder->filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write a test file");
    return path;
}

Result<Kubeconfig> TestKubeconfigFiles::load(const QStringList &names) const
{
    KubeconfigPlaces places;
    for (const QString &name : names)
        places.files.append(m_folder->filePath(name));
    return loadKubeconfigs(places);
}

void TestKubeconfigFiles::places_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("environment");
    QTest::addColumn<QStringList>("expected");
    QTest::addColumn<bool>("mustExist");
    QTest::newRow("option wins") << u"/a"_s << u"/b"_s << QStringList{u"/a"_s} << true;
    QTest::newRow("an option is no list") << u"/a:/b"_s << QString() << QStringList{u"/a:/b"_s} << true;
    QTest::newRow("environment") << QString() << u"/b"_s << QStringList{u"/b"_s} << false;
    QTest::newRow("list") << QString() << u"/b:/c"_s << QStringList{u"/b"_s, u"/c"_s} << false;
    QTest::newRow("blank entries") << QString() << u":/b::/c:"_s << QStringList{u"/b"_s, u"/c"_s} << false;
    QTest::newRow("twice") << QString() << u"/b:/c:/b"_s << QStringList{u"/b"_s, u"/c"_s} << false;
    QTest::newRow("home") << QString() << QString() << QStringList{u"/home/x/.kube/config"_s} << false;
    QTest::newRow("only separators") << QString() << u"::"_s << QStringList() << false; // kubectl does not fall back to ~/.kube/config
}

void TestKubeconfigFiles::places()
{
    QFETCH(QString, option);
    QFETCH(QString, environment);
    QFETCH(QStringList, expected);
    QFETCH(bool, mustExist);
    const KubeconfigPlaces places = kubeconfigPlaces(option, environment, u"/home/x"_s);
    QCOMPARE(places.files, expected);
    QCOMPARE(places.explicitFile, mustExist);
}

// Whole entries: nothing of a later entry of the same name is mixed in.
void TestKubeconfigFiles::firstEntryWins()
{
    put(u"a"_s,
        "clusters: [{name: c, cluster: {server: 'https://a'}}]\nusers: [{name: u, user: {username: me, password: pw}}]\n"
        "contexts: [{name: main, context: {cluster: c, user: u}}]\n");
    put(u"b"_s,
        "clusters: [{name: c, cluster: {server: 'https://b', tls-server-name: inB}}, {name: d, cluster: {server: 'https://d'}}]\n"
        "users: [{name: u, user: {token: t}}]\n"
        "contexts: [{name: main, context: {cluster: d, user: u, namespace: inB}}, {name: other, context: {cluster: d, user: u}}]\n");
    const auto config = load({u"a"_s, u"b"_s});
    QVERIFY(config.has_value());
    QVERIFY2(config->problems.empty(), qPrintable(dump(config->problems)));
    QCOMPARE(config->contexts.size(), 2U);
    const ContextConfig *main = config->find(u"main"_s);
    QVERIFY2(main->usable() && main->problems.empty(), qPrintable(dump(main->problems)));
    QCOMPARE(main->server, u"https://a"_s);
    QCOMPARE(main->tlsServerName, QString());
    QCOMPARE(main->ns, QString());
    QCOMPARE(main->credential.basicUser, u"me"_s);
    QVERIFY(main->credential.token.isEmpty());
    QCOMPARE(main->file, m_folder->filePath(u"a"_s));
    const ContextConfig *other = config->find(u"other"_s);
    QCOMPARE(other->file, m_folder->filePath(u"b"_s));
    QCOMPARE(other->credential.basicUser, u"me"_s); // the user entry of the first file
    QCOMPARE(config->files, (QStringList{m_folder->filePath(u"a"_s), m_folder->filePath(u"b"_s)}));
}

void TestKubeconfigFiles::firstCurrentContextWins_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<QString>("expected");
    QTest::newRow("first") << QByteArray("current-context: a\n") << QByteArray("current-context: b\n") << u"a"_s;
    QTest::newRow("blank in the first") << QByteArray("current-context: ''\n") << QByteArray("current-context: b\n") << u"b"_s;
    QTest::newRow("none in the first") << QByteArray() << QByteArray("current-context: b\n") << u"b"_s;
    QTest::newRow("the first means the second's") << QByteArray("current-context: b\n") << QByteArray() << u"b"_s;
    QTest::newRow("none") << QByteArray() << QByteArray() << QString();
}

void TestKubeconfigFiles::firstCurrentContextWins()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    QFETCH(QString, expected);
    put(u"a"_s, oneContext("a", "https://a") + first);
    put(u"b"_s, oneContext("b", "https://b") + second);
    const auto config = load({u"a"_s, u"b"_s});
    QVERIFY(config.has_value());
    QVERIFY2(config->problems.empty(), qPrintable(dump(config->problems)));
    QCOMPARE(config->currentContext, expected);
}

void TestKubeconfigFiles::relativePathsPerFile()
{
    put(u"one/tok"_s, "t");
    put(u"two/tok"_s, "t");
    put(u"one/config"_s, oneContext("a", "https://a", "{exec: {command: ./login, apiVersion: client.authentication.k8s.io/v1beta1}}"));
    put(u"two/config"_s, oneContext("b", "https://b", "{tokenFile: tok}"));
    const auto config = load({u"one/config"_s, u"two/config"_s});
    QVERIFY(config.has_value());
    QCOMPARE(config->find(u"a"_s)->credential.exec->folder, m_folder->filePath(u"one"_s));
    QCOMPARE(config->find(u"b"_s)->credential.tokenFile, m_folder->filePath(u"two/tok"_s));
}

// A context may use the cluster of another file; a defect is placed in the file that has it.
void TestKubeconfigFiles::namesAcrossFiles()
{
    put(u"a"_s, "contexts: [{name: main, context: {cluster: c, user: u}}]\n");
    put(u"b"_s, "clusters: [{name: c, cluster: {server: 'https://h'}}]\n");
    put(u"c"_s, "\nusers: [{name: u, user: {token: [x]}}]\n");
    const auto config = load({u"a"_s, u"b"_s, u"c"_s});
    QVERIFY(config.has_value());
    const ContextConfig *main = config->find(u"main"_s);
    QCOMPARE(main->server, u"https://h"_s);
    QCOMPARE(main->problems.size(), 1U);
    const QString where = QString::fromStdString(main->problems.front().where);
    QVERIFY2(where.startsWith(m_folder->filePath(u"c"_s) + u":2:"_s), qPrintable(where));
}

void TestKubeconfigFiles::missingFiles_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<bool>("mustExist");
    QTest::addColumn<bool>("served");
    QTest::newRow("one of a list") << QStringList{u"missing"_s, u"a"_s} << false << true;
    QTest::newRow("link to nothing") << QStringList{u"a"_s, u"dangling"_s} << false << true;
    QTest::newRow("folder missing") << QStringList{u"x/y/z"_s, u"a"_s} << false << true;
    QTest::newRow("all of a list") << QStringList{u"missing"_s, u"gone"_s} << false << false;
    QTest::newRow("an empty list") << QStringList() << false << false;
    QTest::newRow("given by option") << QStringList{u"missing"_s} << true << false;
}

void TestKubeconfigFiles::missingFiles()
{
    QFETCH(QStringList, files);
    QFETCH(bool, mustExist);
    QFETCH(bool, served);
    put(u"a"_s, oneContext("a", "https://a"));
    QVERIFY(QFile::link(m_folder->filePath(u"nothing"_s), m_folder->filePath(u"dangling"_s)));
    KubeconfigPlaces places{.explicitFile = mustExist};
    for (const QString &name : files)
        places.files.append(m_folder->filePath(name));
    const auto config = loadKubeconfigs(places);
    QCOMPARE(config.has_value(), served);
    if (served) {
        QVERIFY2(config->problems.empty(), qPrintable(dump(config->problems)));
        QCOMPARE(config->contexts.size(), 1U);
        QCOMPARE(config->files, places.files); // also the missing ones: they may appear
        return;
    }
    QCOMPARE(config.error().kind, ErrorKind::Io);
    QVERIFY(!config.error().message.empty() && !config.error().where.empty());
    for (const QString &path : places.files)
        QVERIFY(QString::fromStdString(config.error().where).contains(path));
}

void TestKubeconfigFiles::brokenFileLeavesTheOthers()
{
    put(u"a"_s, "clusters:\n- name: [\n");
    put(u"b"_s, oneContext("b", "https://b"));
    put(u"c"_s, "kind: Secret\n");
    QDir().mkpath(m_folder->filePath(u"folder"_s));
    const auto config = load({u"a"_s, u"b"_s, u"c"_s, u"folder"_s});
    QVERIFY(config.has_value());
    QVERIFY(config->find(u"b"_s)->usable());
    QCOMPARE(config->problems.size(), 3U);
    QVERIFY(QString::fromStdString(config->problems.at(0).where).startsWith(m_folder->filePath(u"a"_s) + u':'));
    QCOMPARE(config->problems.at(0).kind, ErrorKind::BadInput);
    QCOMPARE(config->problems.at(1).field, std::string("kind"));
    QCOMPARE(config->problems.at(2).kind, ErrorKind::Io);
}

void TestKubeconfigFiles::nothingReadable()
{
    put(u"a"_s, "clusters:\n- name: [\n");
    const auto config = load({u"missing"_s, u"a"_s});
    QVERIFY(!config.has_value());
    QCOMPARE(config.error().kind, ErrorKind::BadInput); // what is broken, not what is missing
    QVERIFY(QString::fromStdString(config.error().where).startsWith(m_folder->filePath(u"a"_s)));
}

void TestKubeconfigFiles::inCluster_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("server");
    QTest::newRow("IPv4") << u"10.96.0.1"_s << u"https://10.96.0.1:443"_s;
    QTest::newRow("IPv6") << u"fd00::1"_s << u"https://[fd00::1]:443"_s;
}

void TestKubeconfigFiles::inCluster()
{
    QFETCH(QString, host);
    QFETCH(QString, server);
    put(u"token"_s, "abc");
    put(u"namespace"_s, "db\n");
    put(u"ca.crt"_s, certificateText(u"ca.crt"_s));
    const auto pod = inClusterContext(host, u"443"_s, m_folder->path());
    QVERIFY(pod.has_value());
    QVERIFY2(pod->usable() && pod->problems.empty(), qPrintable(dump(pod->problems)));
    QCOMPARE(pod->server, server);
    QCOMPARE(pod->ns, u"db"_s);
    QCOMPARE(pod->caPem, certificateText(u"ca.crt"_s));
    QCOMPARE(pod->caFile, m_folder->filePath(u"ca.crt"_s));
    QCOMPARE(pod->credential.tokenFile, m_folder->filePath(u"token"_s)); // read again, never copied
    QVERIFY(pod->credential.token.isEmpty());
    QVERIFY(!pod->insecureSkipTlsVerify);
}

void TestKubeconfigFiles::notInCluster()
{
    QVERIFY(!inClusterContext(u"10.0.0.1"_s, u"443"_s, m_folder->path())); // no token
    put(u"token"_s, "abc");
    QVERIFY(!inClusterContext(QString(), u"443"_s, m_folder->path()));
    QVERIFY(!inClusterContext(u"10.0.0.1"_s, QString(), m_folder->path()));
    QVERIFY(inClusterContext(u"10.0.0.1"_s, u"443"_s, m_folder->path())); // without ca.crt the system's authorities
    put(u"ca.crt"_s, "junk");
    QVERIFY(!inClusterContext(u"10.0.0.1"_s, u"443"_s, m_folder->path())->usable());
}

void TestKubeconfigFiles::inClusterOnlyWithoutKubeconfig_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("environment");
    QTest::addColumn<QString>("current"); // "!": an error
    QTest::newRow("no kubeconfig") << QString() << QString() << u"in-cluster"_s;
    QTest::newRow("all of the list missing") << QString() << u"gone:missing"_s << u"in-cluster"_s;
    QTest::newRow("empty file") << QString() << u"empty"_s << u"in-cluster"_s;
    QTest::newRow("a kubeconfig") << QString() << u"good"_s << u"a"_s;
    QTest::newRow("a kubeconfig without current context") << QString() << u"none"_s << QString();
    QTest::newRow("broken kubeconfig") << QString() << u"broken"_s << u"!"_s;
    QTest::newRow("missing option") << u"missing"_s << QString() << u"!"_s;
}

void TestKubeconfigFiles::inClusterOnlyWithoutKubeconfig()
{
    QFETCH(QString, option);
    QFETCH(QString, environment);
    QFETCH(QString, current);
    put(u"account/token"_s, "abc");
    put(u"good"_s, oneContext("a", "https://a") + "current-context: a\n");
    put(u"none"_s, oneContext("a", "https://a"));
    put(u"broken"_s, "clusters: [");
    put(u"empty"_s, "");
    QStringList files;
    for (const QString &name : environment.split(u':', Qt::SkipEmptyParts))
        files.append(m_folder->filePath(name));
    const Surroundings around{.kubeconfig = files.join(u':'),
                              .home = m_folder->path(),
                              .serviceHost = u"10.0.0.1"_s,
                              .servicePort = u"443"_s,
                              .serviceAccount = m_folder->filePath(u"account"_s)};
    const auto config = findKubeconfig(option.isEmpty() ? option : m_folder->filePath(option), around, {});
    if (current == u"!"_s) {
        QVERIFY(!config.has_value());
        return;
    }
    QVERIFY(config.has_value());
    QCOMPARE(config->currentContext, current);
    if (current == u"in-cluster"_s) {
        QVERIFY(config->problems.empty());
        QCOMPARE(config->contexts.size(), 1U);
        QCOMPARE(config->contexts.front().server, u"https://10.0.0.1:443"_s);
    }
}

// kubectl --server URL --token T works without any kubeconfig, and with one that has no current context.
void TestKubeconfigFiles::serverOnTheCommandLineAlone()
{
    const Overrides flags{.server = u"https://api.example:6443"_s, .token = "flag"};
    put(u"none"_s, oneContext("a", "https://a", "{token: inFile}"));
    for (const QString &name : {u"missing"_s, u"none"_s}) {
        const auto config = findKubeconfig({}, Surroundings{.kubeconfig = m_folder->filePath(name)}, flags);
        QVERIFY(config.has_value());
        const auto chosen = chooseContexts(*config, {}, flags);
        QVERIFY(chosen.has_value());
        QCOMPARE(chosen->size(), 1U);
        QVERIFY(chosen->front().usable());
        QCOMPARE(chosen->front().name, u"api.example"_s);
        QCOMPARE(chosen->front().server, flags.server);
        QCOMPARE(chosen->front().credential.token, QByteArray("flag"));
    }
    QVERIFY(!findKubeconfig({}, Surroundings{.kubeconfig = m_folder->filePath(u"missing"_s)}, {}).has_value());
}

void TestKubeconfigFiles::serverFlag()
{
    const ContextConfig changed = withOverrides(simpleContext(), {.server = u"https://other:1"_s});
    QVERIFY(changed.usable());
    QCOMPARE(changed.server, u"https://other:1"_s);
    QCOMPARE(changed.tlsServerName, QString()); // it was for the old address
    QVERIFY(withOverrides(simpleContext(), {}) == simpleContext());
}

// A defect of what a flag replaces is none.
void TestKubeconfigFiles::serverFlagMends()
{
    const QString path = put(u"a"_s,
                             "clusters: [{name: c, cluster: {server: 'ftp://x', certificate-authority: gone}}]\n"
                             "users: [{name: u, user: {tokenFile: gone}}]\n"
                             "contexts: [{name: a, context: {cluster: c, user: u}}, {name: b, context: {cluster: nobody}}]\n");
    const auto config = loadKubeconfig(path);
    QVERIFY(config.has_value());
    Overrides flags{.server = u"https://h"_s};
    QVERIFY(!withOverrides(*config->find(u"a"_s), flags).usable());
    QVERIFY(withOverrides(*config->find(u"b"_s), flags).usable());
    flags.token = "t";
    flags.insecureSkipTlsVerify = true;
    const ContextConfig mended = withOverrides(*config->find(u"a"_s), flags);
    QVERIFY2(mended.usable(), qPrintable(dump(mended.problems)));
}

void TestKubeconfigFiles::badServerFlag_data()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"h:6443", "ftp://h", "https://", "https://me:sEcReT@h", "https://h?x=1", "https://h:99999999"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

void TestKubeconfigFiles::badServerFlag()
{
    QFETCH(QString, server);
    const ContextConfig changed = withOverrides(simpleContext(), {.server = server});
    QVERIFY(!changed.usable());
    QCOMPARE(changed.problems.size(), 1U);
    QCOMPARE(changed.problems.front().field, std::string("--server"));
    QVERIFY(!dump(changed.problems).contains(u"sEcReT"_s));
}

void TestKubeconfigFiles::authorityFlag()
{
    ContextConfig config = simpleContext();
    config.insecureSkipTlsVerify = true;
    const QString path = put(u"ca.crt"_s, certificateText(u"ca.crt"_s));
    const ContextConfig changed = withOverrides(config, {.certificateAuthority = path});
    QVERIFY(changed.usable() && !changed.insecureSkipTlsVerify);
    QCOMPARE(changed.caPem, certificateText(u"ca.crt"_s));
    QCOMPARE(changed.caFile, path);
    for (const QString &bad : {put(u"junk"_s, "junk"), u"/nowhere/ca.crt"_s}) {
        const ContextConfig broken = withOverrides(config, {.certificateAuthority = bad});
        QVERIFY(!broken.usable());
        QCOMPARE(broken.problems.front().field, std::string("--certificate-authority"));
    }
}

void TestKubeconfigFiles::insecureFlag()
{
    ContextConfig config = simpleContext();
    config.caPem = certificateText(u"ca.crt"_s);
    config.caFile = u"/x"_s;
    const ContextConfig changed = withOverrides(config, {.insecureSkipTlsVerify = true});
    QVERIFY(changed.usable() && changed.insecureSkipTlsVerify);
    QVERIFY(changed.caPem.isEmpty() && changed.caFile.isEmpty());
    QVERIFY(!withOverrides(config, {}).insecureSkipTlsVerify);
}

void TestKubeconfigFiles::authorityAndInsecure()
{
    const QString path = put(u"ca.crt"_s, certificateText(u"ca.crt"_s));
    const ContextConfig changed = withOverrides(simpleContext(), {.certificateAuthority = path, .insecureSkipTlsVerify = true});
    QVERIFY(!changed.usable());
    QCOMPARE(changed.problems.front().field, std::string("--insecure-skip-tls-verify"));
}

void TestKubeconfigFiles::tokenFlag_data()
{
    QTest::addColumn<QByteArray>("user");
    QTest::newRow("token") << QByteArray("{token: inFile}");
    QTest::newRow("token file") << QByteArray("{tokenFile: tok}");
    QTest::newRow("missing token file") << QByteArray("{tokenFile: gone}");
    QTest::newRow("exec") << QByteArray("{exec: {command: x, apiVersion: client.authentication.k8s.io/v1beta1}}");
    QTest::newRow("nothing") << QByteArray("{}");
    QTest::newRow("certificate") << QByteArray("{client-certificate: me.crt, client-key: me.key}");
}

void TestKubeconfigFiles::tokenFlag()
{
    QFETCH(QByteArray, user);
    put(u"tok"_s, "file");
    put(u"me.crt"_s, certificateText(u"client-ec.crt"_s));
    put(u"me.key"_s, certificateText(u"client-ec.key"_s));
    put(u"a"_s, oneContext("a", "https://a", user));
    const auto config = load({u"a"_s});
    QVERIFY(config.has_value());
    const ContextConfig changed = withOverrides(*config->find(u"a"_s), {.token = "flag"});
    QVERIFY2(changed.usable() && changed.problems.empty(), qPrintable(dump(changed.problems)));
    QCOMPARE(changed.credential.token, QByteArray("flag"));
    QVERIFY(changed.credential.tokenFile.isEmpty() && !changed.credential.exec);
    QCOMPARE(changed.credential.certificatePem.isEmpty(), !user.contains("client-certificate")); // as kubectl: it stays
}

void TestKubeconfigFiles::tokenFlagAndPassword()
{
    ContextConfig config = simpleContext();
    config.credential.basicUser = u"me"_s;
    config.credential.basicPassword = "sEcReT";
    const ContextConfig changed = withOverrides(config, {.token = "flag"});
    QVERIFY(!changed.usable());
    QCOMPARE(changed.problems.front().field, std::string("--token"));
    QVERIFY(!dump(changed.problems).contains(u"sEcReT"_s));
    QVERIFY(!dump(withOverrides(simpleContext(), {.token = "sEcReT\r\nX: y"}).problems).contains(u"sEcReT"_s));
    QVERIFY(!withOverrides(simpleContext(), {.token = "a b"}).usable());
}

void TestKubeconfigFiles::impersonationFlags_data()
{
    QTest::addColumn<QString>("asUser");
    QTest::addColumn<QStringList>("asGroups");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QStringList>("groups");
    const QStringList inFile{u"g"_s};
    const QStringList flags{u"h"_s, u"i"_s};
    QTest::newRow("none") << QString() << QStringList() << u"boss"_s << inFile;
    QTest::newRow("user") << u"other"_s << QStringList() << u"other"_s << inFile; // kubectl keeps the kubeconfig's groups
    QTest::newRow("groups") << QString() << flags << u"boss"_s << flags;
    QTest::newRow("both") << u"other"_s << flags << u"other"_s << flags;
}

void TestKubeconfigFiles::impersonationFlags()
{
    QFETCH(QString, asUser);
    QFETCH(QStringList, asGroups);
    QFETCH(QString, user);
    QFETCH(QStringList, groups);
    ContextConfig config = simpleContext();
    config.impersonation = {.user = u"boss"_s, .uid = u"7"_s, .groups = {u"g"_s}, .extra = {{u"z"_s, {u"q"_s}}}};
    const Overrides flags{.asUser = asUser, .asGroups = asGroups};
    const ContextConfig changed = withOverrides(config, flags);
    QVERIFY(changed.usable());
    QCOMPARE(changed.impersonation.user, user);
    QCOMPARE(changed.impersonation.groups, groups);
    QCOMPARE(changed.impersonation.uid, u"7"_s);
    // Groups of nobody are refused, as by kubectl.
    QCOMPARE(withOverrides(simpleContext(), flags).usable(), asGroups.isEmpty() || !asUser.isEmpty());
}

void TestKubeconfigFiles::tokenFlagOverPlainHttp()
{
    const ContextConfig changed = withOverrides(simpleContext(), {.server = u"http://h"_s, .token = "t"});
    QVERIFY(changed.usable());
    QCOMPARE(changed.problems.size(), 1U);
    QCOMPARE(changed.problems.front().kind, ErrorKind::Refused);
    QVERIFY(withOverrides(changed, {.server = u"https://h"_s}).problems.empty());
}

void TestKubeconfigFiles::choice_data()
{
    QTest::addColumn<QString>("current");
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QStringList>("chosen"); // empty: an error
    QTest::newRow("current") << u"b"_s << QStringList() << QStringList{u"b"_s};
    QTest::newRow("named") << u"b"_s << QStringList{u"c"_s, u"a"_s} << QStringList{u"c"_s, u"a"_s};
    QTest::newRow("no current") << QString() << QStringList() << QStringList();
    QTest::newRow("dangling current") << u"x"_s << QStringList() << QStringList();
    QTest::newRow("unknown") << u"b"_s << QStringList{u"a"_s, u"x"_s} << QStringList();
}

void TestKubeconfigFiles::choice()
{
    QFETCH(QString, current);
    QFETCH(QStringList, names);
    QFETCH(QStringList, chosen);
    Kubeconfig config;
    config.currentContext = current;
    for (const QString &name : {u"a"_s, u"b"_s, u"c"_s}) {
        config.contexts.push_back(simpleContext());
        config.contexts.back().name = name;
    }
    const auto got = chooseContexts(config, names, {.asUser = u"boss"_s});
    QCOMPARE(got.has_value(), !chosen.isEmpty());
    if (!got) {
        QVERIFY(QString::fromStdString(got.error().advice).contains(u"a, b, c"_s));
        return;
    }
    QStringList gotNames;
    for (const ContextConfig &context : *got) {
        gotNames.append(context.name);
        QCOMPARE(context.impersonation.user, u"boss"_s);
    }
    QCOMPARE(gotNames, chosen);
}

using Change = void (*)(ContextConfig &);
Q_DECLARE_METATYPE(Change)

void TestKubeconfigFiles::identity_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<bool>("same");
    const auto row = [](const char *name, bool same, Change change) { QTest::newRow(name) << change << same; };
    row("nothing", true, [](ContextConfig &) {});
    row("token", true, [](ContextConfig &c) { c.credential.token = "other"; });
    row("certificate", true, [](ContextConfig &c) { c.credential.certificatePem = "other"; });
    row("exec", true, [](ContextConfig &c) { c.credential.exec = ExecConfig{}; });
    row("place of the authority", true, [](ContextConfig &c) { c.caFile = u"/elsewhere"_s; });
    row("problems", true, [](ContextConfig &c) { c.problems.push_back({}); });
    row("user entry", false, [](ContextConfig &c) { c.credential.userName = u"other"_s; });
    row("server", false, [](ContextConfig &c) { c.server = u"https://other"_s; });
    row("authority", false, [](ContextConfig &c) { c.caPem = "other"; });
    row("insecure", false, [](ContextConfig &c) { c.insecureSkipTlsVerify = true; });
    row("tls-server-name", false, [](ContextConfig &c) { c.tlsServerName = u"other"_s; });
    row("proxy", false, [](ContextConfig &c) { c.proxyUrl = u"http://p"_s; });
    row("impersonation", false, [](ContextConfig &c) { c.impersonation.user = u"boss"_s; });
    row("namespace", false, [](ContextConfig &c) { c.ns = u"other"_s; });
}

void TestKubeconfigFiles::identity()
{
    QFETCH(Change, change);
    QFETCH(bool, same);
    ContextConfig changed = simpleContext();
    change(changed);
    QCOMPARE(simpleContext().sameIdentity(changed), same);
    QCOMPARE(changed.sameIdentity(simpleContext()), same);
}

QTEST_GUILESS_MAIN(TestKubeconfigFiles)
#include "tst_kubeconfig_files.moc"
