// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_api_server.h"
#include "kubeconfig_text.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;

class TestKubeconfig : public QObject, private KubeconfigText
{
    Q_OBJECT
private Q_SLOTS:
    void goodFile();
    void jsonFile();
    void pemSources();
    void relativePaths();
    void brokenFile_data();
    void brokenFile();
    void unreadable();
    void defects_data();
    void defects();
    void clusterFields();
    void proxies_data();
    void proxies();
    void fileOrigins();
    void fieldsGivenTwice_data();
    void fieldsGivenTwice();
    void mergeKeys();
    void manyContexts();
    void goodContextsAreKept();
    void harmless_data();
    void harmless();
    void fileProblems_data();
    void fileProblems();
    void aliasBomb();
};

void TestKubeconfig::goodFile()
{
    const auto config = load(R"(
apiVersion: v1
kind: Config
preferences: {}
current-context: arn:aws:eks:eu-west-1:1234:cluster/prod
clusters:
- name: prod
  cluster:
    server: https://10.0.0.1:6443/k8s/clusters/c-1
    tls-server-name: api.prod
    certificate-authority-data: )"
                             + certificateText(u"ca.crt"_s).toBase64() + R"(
    extensions: [{name: x, extension: {deep: [1, {a: b}]}}]
- name: lab
  cluster: {server: "http://127.0.0.1:8080", insecure-skip-tls-verify: false}
- name: open
  cluster: {server: https://h, insecure-skip-tls-verify: true}
users:
- name: dba
  user: {token: abc.def, tokenFile: /run/token-of-nobody}
- name: admin
  user: {token: 12345}
contexts:
- name: arn:aws:eks:eu-west-1:1234:cluster/prod
  context: {cluster: prod, user: admin, namespace: db}
- name: "lab é/with spaces"
  context: {cluster: lab}
- name: open
  context: {cluster: open, user: dba}
)");
    QVERIFY(config.has_value());
    QVERIFY2(config->problems.empty(), qPrintable(dump(config->problems)));
    QCOMPARE(config->currentContext, u"arn:aws:eks:eu-west-1:1234:cluster/prod"_s);
    QCOMPARE(config->contexts.size(), 3U);
    const ContextConfig *prod = config->find(config->currentContext);
    QVERIFY(prod && prod->usable() && prod->problems.empty());
    QCOMPARE(prod->server, u"https://10.0.0.1:6443/k8s/clusters/c-1"_s);
    QCOMPARE(prod->tlsServerName, u"api.prod"_s);
    QCOMPARE(prod->caPem, certificateText(u"ca.crt"_s));
    QCOMPARE(prod->ns, u"db"_s);
    QCOMPARE(prod->credential.userName, u"admin"_s);
    QCOMPARE(prod->credential.token, QByteArray("12345"));
    QVERIFY(!prod->insecureSkipTlsVerify);
    const ContextConfig *lab = config->find(u"lab é/with spaces"_s);
    QVERIFY(lab && lab->usable());
    QCOMPARE(lab->ns, QString());
    QVERIFY(lab->credential.token.isEmpty());
    const ContextConfig *open = config->find(u"open"_s);
    QVERIFY(open && open->insecureSkipTlsVerify);
    QCOMPARE(open->credential.tokenFile, u"/run/token-of-nobody"_s);
    QVERIFY(!open->usable()); // the token file is not there
    QCOMPARE(config->find(u"nobody"_s), nullptr);
}

void TestKubeconfig::jsonFile()
{
    const auto config = load("{\n\t\"clusters\": [{\"name\": \"c\", \"cluster\": {\"server\": \"https://h\"}}],\n"
                             "\t\"contexts\": [{\"name\": \"x\", \"context\": {\"cluster\": \"c\"}}], \"users\": null}");
    QVERIFY(config.has_value());
    QVERIFY(config->find(u"x"_s) && config->find(u"x"_s)->usable());
}

void TestKubeconfig::pemSources()
{
    const QByteArray certificate = certificateText(u"client-ec.crt"_s);
    const QByteArray key = certificateText(u"client-ec.key"_s);
    QByteArray wrapped = key.toBase64();
    wrapped.insert(40, "\n      ");
    const auto config = load(withUser("\n    client-certificate: " + certificateFile(u"client-ec.crt"_s).toUtf8()
                                      + "\n    client-key: /nowhere\n    client-key-data: |\n      " + wrapped + "\n"));
    QVERIFY(config.has_value());
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY(context);
    QVERIFY2(context->usable(), qPrintable(dump(context->problems)));
    QCOMPARE(context->credential.certificatePem, certificate);
    QCOMPARE(context->credential.keyPem, key); // data wins over the file
}

void TestKubeconfig::relativePaths()
{
    QDir(m_folder.path()).mkdir(u"pki"_s);
    put(u"pki/ca.crt"_s, certificateText(u"ca.crt"_s));
    put(u"pki/token"_s, "t\n");
    const auto config = load(withCluster("{server: 'https://h', certificate-authority: pki/ca.crt}", "{tokenFile: ./pki/token}"));
    QVERIFY(config.has_value());
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY2(context->usable(), qPrintable(dump(context->problems)));
    QCOMPARE(context->caPem, certificateText(u"ca.crt"_s));
    QCOMPARE(context->credential.tokenFile, m_folder.filePath(u"pki/token"_s));
}

void TestKubeconfig::brokenFile_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("field");
    QTest::newRow("not YAML") << QByteArray("clusters:\n- name: a\n  cluster: {server: [\n") << u":4:"_s << QString();
    QTest::newRow("tab") << QByteArray("clusters:\n\t- name: a\n") << u":2:"_s << QString();
    QTest::newRow("alias to nothing") << "users:\n- user: {token: *" + secret + "}\n" << u":2:"_s << QString();
    QTest::newRow("escape") << "users:\n- user: {token: \"\\q" + secret + "\"}\n" << u":2:"_s << QString();
    QTest::newRow("another kind") << QByteArray("apiVersion: v1\nkind: Secret\n") << u":2:"_s << u"kind"_s;
    QTest::newRow("another version") << QByteArray("apiVersion: v2\nkind: Config\n") << u":1:"_s << u"apiVersion"_s;
    QTest::newRow("kind is a list") << QByteArray("kind: [Config]\n") << u":1:"_s << u"kind"_s;
    QTest::newRow("list") << QByteArray("- a\n- b\n") << u":1:1"_s << QString();
    QTest::newRow("text") << QByteArray("just words") << u":1:1"_s << QString();
    QTest::newRow("key that is a list") << QByteArray("clusters: []\n? [a, b]\n: c\n") << u":2:"_s << QString();
    QTest::newRow("binary") << QByteArray("\x7f"
                                          "ELF\x02\x01\x01\0\0\0",
                                          10)
                            << QString() << QString();
}

void TestKubeconfig::brokenFile()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, place);
    QFETCH(QString, field);
    const auto config = load(text);
    QVERIFY(!config.has_value());
    const Error &error = config.error();
    QCOMPARE(error.kind, ErrorKind::BadInput);
    const QString where = QString::fromStdString(error.where);
    QVERIFY2(where.startsWith(m_folder.filePath(u"config"_s) + place), qPrintable(where));
    QCOMPARE(QString::fromStdString(error.field), field);
    QVERIFY(!error.message.empty());
    QVERIFY(!dump({error}).contains(QString::fromUtf8(secret)));
}

void TestKubeconfig::unreadable()
{
    const auto missing = loadKubeconfig(m_folder.filePath(u"missing"_s));
    QVERIFY(!missing);
    QCOMPARE(missing.error().kind, ErrorKind::Io);
    QCOMPARE(missing.error().where, m_folder.filePath(u"missing"_s).toStdString());
    QVERIFY(!missing.error().advice.empty());
    QCOMPARE(loadKubeconfig(m_folder.path()).error().kind, ErrorKind::Io);
}

// Each makes its own context unusable, names the field and never quotes a secret.
void TestKubeconfig::defects_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("field");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *name, const QByteArray &text, const QString &field, ErrorKind kind = ErrorKind::BadInput) {
        QTest::newRow(name) << text << field << static_cast<int>(kind);
    };
    const QString cluster = u"clusters[0].cluster"_s;
    const QString user = u"users[0].user"_s;
    const QByteArray ed = certificateText(u"client-ed25519.key"_s).toBase64();
    const QByteArray edCertificate = certificateText(u"client-ed25519.crt"_s).toBase64();
    const QByteArray certificate = certificateText(u"client-ec.crt"_s).toBase64();
    row("no server", withCluster("{}"), cluster + u".server"_s);
    row("null cluster", withCluster("null"), cluster + u".server"_s);
    row("no scheme", withCluster("{server: '10.0.0.1:6443'}"), cluster + u".server"_s);
    row("other scheme", withCluster("{server: 'ftp://h'}"), cluster + u".server"_s);
    row("no host", withCluster("{server: 'https://'}"), cluster + u".server"_s);
    row("password in the address", withCluster("{server: 'https://me:" + secret + "@h'}"), cluster + u".server"_s);
    row("broken address with password", withCluster("{server: 'https://me:" + secret + "@h:99999999'}"), cluster + u".server"_s);
    row("query", withCluster("{server: 'https://h?x=1'}"), cluster + u".server"_s);
    row("server is a list", withCluster("{server: [a]}"), cluster + u".server"_s);
    row("cluster is text", withCluster("hello"), cluster);
    row("authority not base64", withCluster("{server: 'https://h', certificate-authority-data: '%%%'}"),
        cluster + u".certificate-authority-data"_s);
    row("authority is junk", withCluster("{server: 'https://h', certificate-authority-data: aGVsbG8=}"),
        cluster + u".certificate-authority-data"_s);
    row("authority file missing", withCluster("{server: 'https://h', certificate-authority: /nowhere/ca.crt}"),
        cluster + u".certificate-authority"_s);
    row("Windows path", withCluster(R"({server: 'https://h', certificate-authority: 'C:\Users\x\ca.crt'})"),
        cluster + u".certificate-authority"_s);
    row("insecure and authority",
        withCluster("{server: 'https://h', insecure-skip-tls-verify: true, certificate-authority-data: "
                    + certificateText(u"ca.crt"_s).toBase64() + "}"),
        cluster + u".insecure-skip-tls-verify"_s);
    row("insecure perhaps", withCluster("{server: 'https://h', insecure-skip-tls-verify: perhaps}"),
        cluster + u".insecure-skip-tls-verify"_s);
    const auto proxied = [](const QByteArray &proxy) { return withCluster("{server: 'https://h', proxy-url: '" + proxy + "'}"); };
    row("https proxy", proxied("https://me:" + secret + "@p"), cluster + u".proxy-url"_s, ErrorKind::NotSupported);
    row("ftp proxy", proxied("ftp://me:" + secret + "@p"), cluster + u".proxy-url"_s);
    row("proxy without a scheme", proxied(secret + "@p:3128"), cluster + u".proxy-url"_s);
    row("proxy with a bad port", proxied("http://me:" + secret + "@p:999999"), cluster + u".proxy-url"_s);
    row("proxy without a host", proxied("socks5://"), cluster + u".proxy-url"_s);
    row("compression perhaps", withCluster("{server: 'https://h', disable-compression: perhaps}"), cluster + u".disable-compression"_s);
    row("extensions is a map", withCluster("{server: 'https://h', extensions: {a: b}}"), cluster + u".extensions"_s);
    for (const QByteArray name : {"gcp", "azure", "oidc", "openstack", "other"})
        row(QByteArray("auth-provider " + name).constData(),
            withUser("{auth-provider: {name: " + name + ", config: {id-token: " + secret + "}}}"), user + u".auth-provider"_s,
            ErrorKind::NotSupported);
    row("auth-provider is text", withUser("{auth-provider: " + secret + "}"), user + u".auth-provider"_s);
    row("auth-provider and exec",
        withUser("{auth-provider: {name: oidc}, exec: {command: x, apiVersion: client.authentication.k8s.io/v1beta1}}"),
        user + u".auth-provider"_s);
    row("password and token", withUser("{username: me, password: " + secret + ", token: t}"), user + u".username"_s);
    row("password and token file", withUser("{password: " + secret + ", tokenFile: ./config}"), user + u".password"_s);
    row("colon in the user name", withUser("{username: 'a:b', password: " + secret + "}"), user + u".username"_s);
    row("groups without as", withUser("{token: t, as-groups: [a]}"), user + u".as-groups"_s);
    row("uid without as", withUser("{token: t, as-uid: a}"), user + u".as-uid"_s);
    row("extra without as", withUser("{token: t, as-user-extra: {a: [b]}}"), user + u".as-user-extra"_s);
    row("groups is text", withUser("{token: t, as: boss, as-groups: dba}"), user + u".as-groups"_s);
    row("extra is a list", withUser("{token: t, as: boss, as-user-extra: [a]}"), user + u".as-user-extra"_s);
    row("extra value is text", withUser("{token: t, as: boss, as-user-extra: {scope: a}}"), user + u".as-user-extra.scope"_s);
    row("token is a list", withUser("{token: [" + secret + "]}"), user + u".token"_s);
    row("token with a line break", withUser("{token: \"" + secret + "\\r\\nX-Other: y\"}"), user + u".token"_s);
    row("token file missing", withUser("{tokenFile: /nowhere/token}"), user + u".tokenFile"_s);
    row("key is not base64", withUser("{client-certificate-data: " + certificate + ", client-key-data: '" + secret + "'}"),
        user + u".client-key-data"_s);
    row("key is junk", withUser("{client-certificate-data: " + certificate + ", client-key-data: " + secret.toBase64() + "}"),
        user + u".client-key-data"_s);
    row("certificate is junk",
        withUser("{client-certificate-data: " + secret.toBase64() + ", client-key-data: " + certificateText(u"client-ec.key"_s).toBase64()
                 + "}"),
        user + u".client-certificate-data"_s);
    row("certificate without key", withUser("{client-certificate-data: " + certificate + "}"), user + u".client-certificate-data"_s);
    row("key without certificate", withUser("{client-key-data: " + certificateText(u"client-ec.key"_s).toBase64() + "}"),
        user + u".client-key-data"_s);
    row("Ed25519", withUser("{client-certificate-data: " + edCertificate + ", client-key-data: " + ed + "}"), user + u".client-key-data"_s,
        ErrorKind::NotSupported);
    row("user is text", withUser(secret), user);
    row("no cluster named", "contexts: [{name: main, context: {user: ''}}]", u"contexts[0].context.cluster"_s);
    row("null context", "contexts: [{name: main, context: null}]", u"contexts[0].context.cluster"_s);
    row("dangling cluster", "contexts: [{name: main, context: {cluster: gone}}]", u"contexts[0].context.cluster"_s);
    row("dangling user",
        "clusters: [{name: c, cluster: {server: 'https://h'}}]\ncontexts: [{name: main, context: {cluster: c, user: gone}}]",
        u"contexts[0].context.user"_s);
    row("user given twice",
        "clusters: [{name: c, cluster: {server: 'https://h'}}]\nusers: [{name: u, user: {token: a}}, {name: u, user: {token: " + secret
            + "}}]\ncontexts: [{name: main, context: {cluster: c, user: u}}]",
        u"contexts[0].context.user"_s);
    row("context given twice",
        "clusters: [{name: c, cluster: {server: 'https://h'}}]\ncontexts: [{name: main, context: {cluster: c}},"
        " {name: main, context: {cluster: c}}]",
        u"contexts[0].context"_s);
    row("context is text", "contexts: [{name: main, context: hello}]", u"contexts[0].context"_s);
    row("namespace is a list",
        "clusters: [{name: c, cluster: {server: 'https://h'}}]\ncontexts: [{name: main, context: {cluster: c, namespace: [a]}}]",
        u"contexts[0].context.namespace"_s);
}

void TestKubeconfig::defects()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, field);
    QFETCH(int, kind);
    const auto config = load(text);
    QVERIFY(config.has_value());
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY(context);
    QVERIFY(!context->usable());
    const auto named = std::find_if(context->problems.begin(), context->problems.end(),
                                    [&](const Error &e) { return e.field == field.toStdString(); });
    QVERIFY2(named != context->problems.end(), qPrintable(dump(context->problems)));
    QCOMPARE(static_cast<int>(named->kind), kind);
    QVERIFY(!named->message.empty());
    const QString line = QString::fromStdString(named->where).remove(m_folder.filePath(u"config"_s));
    QVERIFY2(QRegularExpression(u"^:[1-9][0-9]*:[1-9][0-9]*$"_s).match(line).hasMatch(), qPrintable(line));
    QVERIFY(!dump(context->problems).contains(QString::fromUtf8(secret)));
    QVERIFY(!dump(context->problems).contains(QString::fromUtf8(secret.toBase64())));
}

void TestKubeconfig::clusterFields()
{
    const auto config = load(withCluster("{server: 'https://h', tls-server-name: api.prod, disable-compression: true}"));
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY(context->usable() && context->problems.empty());
    QCOMPARE(context->tlsServerName, u"api.prod"_s);
    QVERIFY(context->disableCompression);
    QCOMPARE(context->clusterName, u"c"_s);
    QCOMPARE(context->file, m_folder.filePath(u"config"_s));
}

void TestKubeconfig::proxies_data()
{
    QTest::addColumn<QString>("proxy");
    for (const char *proxy :
         {"http://p:3128", "http://me:pass@p", "socks5://127.0.0.1:1080", "socks5h://p:1080", "socks5://[::1]:1080", ""})
        QTest::newRow(*proxy ? proxy : "none") << QString::fromLatin1(proxy);
}

void TestKubeconfig::proxies()
{
    QFETCH(QString, proxy);
    const auto config = load(withCluster("{server: 'https://h', proxy-url: '" + proxy.toUtf8() + "'}"));
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY2(context->usable() && context->problems.empty(), qPrintable(dump(context->problems)));
    QCOMPARE(context->proxyUrl, proxy);
}

// Files are named so that they can be read again; what stands in the kubeconfig itself has none.
void TestKubeconfig::fileOrigins()
{
    put(u"ca.pem"_s, certificateText(u"ca.crt"_s));
    put(u"me.crt"_s, certificateText(u"client-ec.crt"_s));
    put(u"me.key"_s, certificateText(u"client-ec.key"_s));
    const auto config = load(
        withCluster("{server: 'https://h', certificate-authority: ca.pem}", "{client-certificate: ./me.crt, client-key: me.key}"));
    const ContextConfig *files = config->find(u"main"_s);
    QVERIFY2(files->usable(), qPrintable(dump(files->problems)));
    QCOMPARE(files->caFile, m_folder.filePath(u"ca.pem"_s));
    QCOMPARE(files->credential.certificateFile, m_folder.filePath(u"me.crt"_s));
    QCOMPARE(files->credential.keyFile, m_folder.filePath(u"me.key"_s));
    const auto data = load(withCluster(
        "{server: 'https://h', certificate-authority: gone, certificate-authority-data: " + certificateText(u"ca.crt"_s).toBase64() + "}"));
    QVERIFY(data->find(u"main"_s)->usable());
    QCOMPARE(data->find(u"main"_s)->caFile, QString());
}

// As for kubectl the last one counts, but it is told.
void TestKubeconfig::fieldsGivenTwice_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("field");
    QTest::newRow("YAML") << "clusters:\n- {name: c, cluster: {server: 'https://h'}}\nusers:\n- name: u\n  user:\n    token: " + secret
            + "\n    token: last\ncontexts:\n- {name: main, context: {cluster: c, user: u}}\n"
                          << u":7:5"_s << u"users[0].user.token"_s;
    QTest::newRow("JSON") << "{\"clusters\": [{\"name\": \"c\", \"cluster\": {\"server\": \"https://h\"}}],\n"
                             "\"users\": [{\"name\": \"u\", \"user\": {\"token\": \""
            + secret
            + "\", \"token\": \"last\"}}],\n\"contexts\": [{\"name\": \"main\", \"context\": {\"cluster\": \"c\", \"user\": \"u\"}}]}"
                          << u":2:"_s << u"users[0].user.token"_s;
    QTest::newRow("top") << "users: none\n" + withUser("{token: last}") << u":5:1"_s << u"users"_s;
}

void TestKubeconfig::fieldsGivenTwice()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, place);
    QFETCH(QString, field);
    const auto config = load(text);
    QVERIFY(config.has_value());
    QCOMPARE(config->problems.size(), 1U);
    QCOMPARE(QString::fromStdString(config->problems.front().field), field);
    const QString where = QString::fromStdString(config->problems.front().where);
    QVERIFY2(where.startsWith(m_folder.filePath(u"config"_s) + place), qPrintable(where));
    QVERIFY(!dump(config->problems).contains(QString::fromUtf8(secret)));
    QCOMPARE(config->find(u"main"_s)->credential.token, QByteArray("last"));
}

void TestKubeconfig::mergeKeys()
{
    const auto config = load(R"(
defaults: &d {server: 'https://d', tls-server-name: d}
more: &m {tls-server-name: m, disable-compression: true}
clusters:
- name: c
  cluster: {<<: [*d, *m], server: 'https://own'}
contexts:
- {name: main, context: {cluster: c}}
)");
    QVERIFY(config.has_value());
    const ContextConfig *context = config->find(u"main"_s);
    QCOMPARE(context->server, u"https://own"_s);
    QCOMPARE(context->tlsServerName, u"d"_s);
    QVERIFY(context->disableCompression);
}

// One user with a broken certificate and 2,000 contexts: each is told, and the entry is read once.
void TestKubeconfig::manyContexts()
{
    QByteArray text =
        "clusters:\n- {name: c, cluster: {server: 'https://h'}}\nusers:\n- {name: u, user: {as: boss, tokenFile: none}}\ncontexts:\n";
    for (int i = 0; i < 2000; ++i)
        text += "- {name: x" + QByteArray::number(i) + ", context: {cluster: c, user: u}}\n";
    const auto config = load(text);
    QVERIFY(config.has_value());
    QCOMPARE(config->contexts.size(), 2000U);
    QCOMPARE(config->contexts.back().name, u"x1999"_s);
    QCOMPARE(config->contexts.back().problems.size(), 1U);
    QVERIFY(config->contexts.back().problems == config->contexts.front().problems);
}

void TestKubeconfig::goodContextsAreKept()
{
    const auto config = load(R"(
clusters:
- {name: good, cluster: {server: 'https://h'}}
- {name: proxied, cluster: {server: 'https://h', proxy-url: 'https://p'}}
- {cluster: {server: 'https://nameless'}}
- null
users:
- {name: plugin, user: {exec: {command: x}}}
- {name: nobody, user: null}
- {name: other, user: {token: t}}
contexts:
- {name: a, context: {cluster: good, user: other}}
- {name: b, context: {cluster: proxied, user: other}}
- {name: c, context: {cluster: good, user: plugin}}
- {name: d, context: {cluster: good, user: nobody}}
)");
    QVERIFY(config.has_value());
    QStringList usable;
    for (const ContextConfig &context : config->contexts) {
        if (context.usable())
            usable.append(context.name);
    }
    QCOMPARE(usable, (QStringList{u"a"_s, u"d"_s}));
    QCOMPARE(config->contexts.size(), 4U);
    QCOMPARE(config->problems.size(), 2U); // the two entries without a name
    QCOMPARE(config->problems.at(0).field, std::string("clusters[2].name"));
    QCOMPARE(config->problems.at(1).field, std::string("clusters[3].name"));
}

void TestKubeconfig::harmless_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("path") << withCluster("{server: 'https://h/a/b/'}");
    QTest::newRow("IPv6") << withCluster("{server: 'https://[fd00::1]:6443'}");
    QTest::newRow("blank values") << withCluster("{server: 'https://h', proxy-url: '', certificate-authority-data: ''}",
                                                 "{exec: null, as-groups: [], token: ''}");
    QTest::newRow("unknown fields") << withCluster("{server: 'https://h', disable-compression: true, newer: {a: b}}", "{newer: [1]}");
    QTest::newRow("token on loopback") << withCluster("{server: 'http://127.0.0.1:80'}", "{token: t}");
    QTest::newRow("RSA") << withUser("{client-certificate-data: " + certificateText(u"client-rsa.crt"_s).toBase64()
                                     + ", client-key-data: " + certificateText(u"client-rsa-pkcs1.key"_s).toBase64() + "}");
    QTest::newRow("byte order mark") << "\xef\xbb\xbf" + withUser("{}");
    QTest::newRow("DOS lines") << withUser("{}").replace("\n", "\r\n");
    QTest::newRow("anchors") << QByteArray(
        "x: &c {server: 'https://h'}\nclusters: [{name: c, cluster: *c}]\ncontexts: [{name: main, context: {cluster: c}}]");
}

void TestKubeconfig::harmless()
{
    QFETCH(QByteArray, text);
    const auto config = load(text);
    QVERIFY2(config.has_value(), config ? "" : config.error().message.c_str());
    const ContextConfig *context = config->find(u"main"_s);
    QVERIFY(context);
    QVERIFY2(context->problems.empty(), qPrintable(dump(context->problems)));
    QVERIFY(context->usable());
}

void TestKubeconfig::fileProblems_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("fields");
    QTest::newRow("empty") << QByteArray() << u"contexts"_s;
    QTest::newRow("null lists") << QByteArray("clusters: null\nusers: ~\ncontexts:\n") << u"contexts"_s;
    QTest::newRow("contexts is a map") << QByteArray("contexts: {a: b}") << u"contexts contexts"_s;
    QTest::newRow("users is text") << withUser("{}").replace("users:\n- name: u\n  user: {}", "users: none") << u"users"_s;
    QTest::newRow("dangling current-context") << withUser("{}") + "current-context: gone\n" << u"current-context"_s;
    QTest::newRow("current-context is a list") << withUser("{}") + "current-context: [main]\n" << u"current-context"_s;
    QTest::newRow("no current-context") << withUser("{}") << QString();
    QTest::newRow("blank current-context") << withUser("{}") + "current-context: ''\n" << QString();
}

void TestKubeconfig::fileProblems()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, fields);
    const auto config = load(text);
    QVERIFY(config.has_value());
    QStringList named;
    for (const Error &problem : config->problems)
        named.append(QString::fromStdString(problem.field));
    QCOMPARE(named.join(u' '), fields);
}

void TestKubeconfig::aliasBomb()
{
    QByteArray text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const QByteArray n = QByteArray::number(i);
        const QByteArray before = "*a" + QByteArray::number(i - 1);
        text += "a" + n + ": &a" + n + " [" + QByteArrayList(10, before).join(',') + "]\n";
    }
    QVERIFY(!load(text).has_value());
    QVERIFY(!load("a: " + QByteArray(5000, '[') + QByteArray(5000, ']')).has_value());
}

QTEST_GUILESS_MAIN(TestKubeconfig)
#include "tst_kubeconfig.moc"
