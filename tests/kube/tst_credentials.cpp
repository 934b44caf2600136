// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens, passwords and certificates as the kubeconfig gives them, and their files when they change.
#include "app/kube/credential_files.h"
#include "app/kube/credentials.h"

#include "exec_harness.h"

#include <QSignalSpy>

#include <fcntl.h>
#include <sys/stat.h>
#include <utime.h>

using namespace switchyard::test;
using namespace switchyard;

class TestCredentials : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void headers_data();
    void headers();
    void answersAtOnce();
    void tokenFileIsReadAgain_data();
    void tokenFileIsReadAgain();
    void tokenFileEveryMinute();
    void tokenFileBeingReplaced();
    void tokenFileNeverReadable();
    void tokenBesideTheFile();
    void tokenFileRejected();
    void staticTokenRejected();
    void certificateFilesRotate();
    void halfReplacedPairKeepsTheOld_data();
    void halfReplacedPairKeepsTheOld();
    void pairDefects_data();
    void pairDefects();
    void ed25519Key();
    void plainHttpCarriesNothing_data();
    void plainHttpCarriesNothing();
    void replaceChangesGeneration();
    void execWithoutPool();
};

namespace {

ContextConfig configured(const Credential &credential)
{
    ContextConfig config;
    config.server = u"https://api.example"_s;
    config.credential = credential;
    return config;
}

Material now(CredentialSource &source)
{
    Material got;
    source.material(nullptr, [&](const Result<Material> &material) { got = material.value_or(Material{}); });
    return got;
}

Error errorNow(CredentialSource &source)
{
    Error got;
    source.material(nullptr, [&](const Result<Material> &material) { got = errorOf(material); });
    return got;
}

Credential pair(const QString &name)
{
    Credential credential;
    credential.certificatePem = certificateText(name + u".crt"_s);
    credential.keyPem = certificateText(name + u".key"_s);
    return credential;
}

} // namespace

void TestCredentials::headers_data()
{
    QTest::addColumn<QString>("kinds");
    QTest::addColumn<QByteArray>("header");
    QTest::newRow("nothing") << QString() << QByteArray();
    QTest::newRow("token") << u"t"_s << QByteArray("Bearer given");
    QTest::newRow("tokenFile") << u"f"_s << QByteArray("Bearer filed");
    QTest::newRow("basic") << u"b"_s << QByteArray("Basic cml0YTpww6TDnzp3"); // rita:päß:w
    QTest::newRow("file before token") << u"ft"_s << QByteArray("Bearer filed");
    QTest::newRow("token before basic") << u"tb"_s << QByteArray("Bearer given");
    QTest::newRow("file before basic") << u"fb"_s << QByteArray("Bearer filed");
}

void TestCredentials::headers()
{
    QFETCH(QString, kinds);
    QFETCH(QByteArray, header);
    ExecHarness h;
    h.write(u"token"_s, " filed\n");
    Credential credential = pair(u"client-ec"_s);
    if (kinds.contains(u't'))
        credential.token = "given";
    if (kinds.contains(u'f'))
        credential.tokenFile = h.path(u"token"_s);
    if (kinds.contains(u'b')) {
        credential.basicUser = u"rita"_s;
        credential.basicPassword = QByteArray("p\xc3\xa4\xc3\x9f:w");
    }
    CredentialSource source(configured(credential));
    QCOMPARE(now(source).authorization, header);
    QCOMPARE(now(source).certificatePem, credential.certificatePem); // whatever the header
    QCOMPARE(now(source).keyPem, credential.keyPem);
    QCOMPARE(now(source).generation, quint64(1));
}

void TestCredentials::answersAtOnce()
{
    Credential credential;
    credential.token = "t";
    CredentialSource source(configured(credential));
    int calls = 0;
    source.material(&source, [&](const Result<Material> &) { ++calls; });
    QCOMPARE(calls, 1);
}

void TestCredentials::tokenFileIsReadAgain_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how : {"longer", "same size", "another file", "another target of a link"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

void TestCredentials::tokenFileIsReadAgain()
{
    QFETCH(QString, how);
    ExecHarness h;
    const QString file = h.path(u"token"_s);
    const bool link = how.endsWith(u"link"_s);
    h.write(u"old"_s, "one");
    h.write(u"new"_s, how == u"longer"_s ? "longer" : "two");
    if (link)
        QFile::link(h.path(u"old"_s), file);
    else
        QFile::copy(h.path(u"old"_s), file);
    Credential credential;
    credential.tokenFile = file;
    CredentialSource source(configured(credential));
    QCOMPARE(now(source).authorization, QByteArray("Bearer one"));
    const quint64 generation = now(source).generation;
    if (link) {
        QFile::remove(file);
        QFile::link(h.path(u"new"_s), file);
    } else if (how == u"another file"_s) {
        QFile::remove(file);
        QFile::rename(h.path(u"new"_s), file);
    } else {
        h.write(u"token"_s, h.read(u"new"_s));
        const utimbuf old{.actime = 1, .modtime = 1};
        ::utime(QFile::encodeName(file).constData(), &old);
    }
    QVERIFY(now(source).authorization != "Bearer one");
    QCOMPARE(now(source).generation, generation + 1);
}

void TestCredentials::tokenFileEveryMinute()
{
    // A file system on which a change shows in nothing: the same path is asked for, but it is a pipe's end whose stamp stays.
    ExecHarness h;
    h.write(u"token"_s, "one");
    FileCheck check;
    const QString file = h.path(u"token"_s);
    QVERIFY(check.due(file, h.now.boot));
    QVERIFY(!check.due(file, h.now.boot + std::chrono::seconds(59)));
    QVERIFY(check.due(file, h.now.boot + std::chrono::seconds(60)));
    QVERIFY(!check.due(file, h.now.boot + std::chrono::seconds(119)));
    check.force();
    QVERIFY(check.due(file, h.now.boot + std::chrono::seconds(119)));
    QFile::remove(file);
    QVERIFY(check.due(file, h.now.boot + std::chrono::seconds(119)));
    QVERIFY(!check.due(file, h.now.boot + std::chrono::seconds(119)));
}

void TestCredentials::tokenFileBeingReplaced()
{
    ExecHarness h;
    h.write(u"token"_s, "one");
    Credential credential;
    credential.tokenFile = h.path(u"token"_s);
    CredentialSource source(configured(credential));
    QCOMPARE(now(source).authorization, QByteArray("Bearer one"));
    h.write(u"token"_s, "");
    QCOMPARE(now(source).authorization, QByteArray("Bearer one"));
    h.write(u"token"_s, "half a\ntoken\x01");
    QCOMPARE(now(source).authorization, QByteArray("Bearer one"));
    QFile::remove(credential.tokenFile);
    QCOMPARE(now(source).authorization, QByteArray("Bearer one"));
    QCOMPARE(now(source).generation, quint64(1));
    h.write(u"token"_s, "two");
    QCOMPARE(now(source).authorization, QByteArray("Bearer two"));
}

void TestCredentials::tokenFileNeverReadable()
{
    ExecHarness h;
    Credential credential;
    credential.tokenFile = h.path(u"token"_s);
    CredentialSource source(configured(credential));
    QCOMPARE(errorNow(source).kind, ErrorKind::Io);
    QCOMPARE(errorNow(source).where, credential.tokenFile.toStdString());
    h.write(u"token"_s, "s3cr3t s3cr3t");
    QVERIFY(has(errorNow(source).message, u"no token"_s));
    QVERIFY(!has(describe(errorNow(source)), u"s3cr3t"_s));
    h.write(u"token"_s, "good");
    QCOMPARE(now(source).authorization, QByteArray("Bearer good"));
}

void TestCredentials::tokenBesideTheFile()
{
    ExecHarness h;
    Credential credential;
    credential.token = "given";
    credential.tokenFile = h.path(u"token"_s);
    CredentialSource source(configured(credential));
    QCOMPARE(now(source).authorization, QByteArray("Bearer given"));
    h.write(u"token"_s, "filed");
    QCOMPARE(now(source).authorization, QByteArray("Bearer filed"));
}

void TestCredentials::tokenFileRejected()
{
    ExecHarness h;
    h.write(u"token"_s, "one");
    TokenFile file(h.path(u"token"_s), {}, h.settings.clock);
    QCOMPARE(file.token().value(), QByteArray("one"));
    // What was good is kept, whatever the check says; readAnew only makes it look.
    file.readAnew();
    QCOMPARE(file.token().value(), QByteArray("one"));
    Credential credential;
    credential.tokenFile = h.path(u"token"_s);
    CredentialSource source(configured(credential));
    const quint64 generation = now(source).generation;
    source.rejected(generation);
    QCOMPARE(now(source).generation, generation);
}

void TestCredentials::staticTokenRejected()
{
    Credential credential;
    credential.token = "t";
    CredentialSource source(configured(credential));
    const quint64 generation = now(source).generation;
    source.rejected(generation);
    QCOMPARE(now(source).authorization, QByteArray("Bearer t"));
    QCOMPARE(now(source).generation, generation);
}

void TestCredentials::certificateFilesRotate()
{
    ExecHarness h;
    Credential credential = pair(u"client-ec"_s);
    h.write(u"crt"_s, credential.certificatePem);
    h.write(u"key"_s, credential.keyPem);
    credential.certificateFile = h.path(u"crt"_s);
    credential.keyFile = h.path(u"key"_s);
    CredentialSource source(configured(credential));
    QSignalSpy changed(&source, &CredentialSource::certificateChanged);
    QCOMPARE(now(source).certificatePem, credential.certificatePem);
    h.write(u"key"_s, certificateText(u"client-rsa.key"_s));
    QCOMPARE(now(source).certificatePem, credential.certificatePem);
    QCOMPARE(now(source).keyPem, credential.keyPem);
    QCOMPARE(changed.count(), 0);
    h.write(u"crt"_s, certificateText(u"client-rsa.crt"_s));
    QCOMPARE(now(source).certificatePem, certificateText(u"client-rsa.crt"_s));
    QCOMPARE(now(source).keyPem, certificateText(u"client-rsa.key"_s));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(now(source).generation, quint64(2));
}

void TestCredentials::halfReplacedPairKeepsTheOld_data()
{
    QTest::addColumn<QByteArray>("certificate");
    QTest::addColumn<QByteArray>("key");
    const QByteArray crt = certificateText(u"client-rsa.crt"_s);
    const QByteArray key = certificateText(u"client-rsa.key"_s);
    QTest::newRow("empty certificate") << QByteArray() << key;
    QTest::newRow("half a certificate") << crt.left(crt.size() / 2) << key;
    QTest::newRow("half a key") << crt << key.left(key.size() / 2);
    QTest::newRow("no key") << crt << QByteArray();
    QTest::newRow("key of another") << crt << certificateText(u"ca.key"_s);
    QTest::newRow("key of another kind") << crt << certificateText(u"client-ec.key"_s);
}

void TestCredentials::halfReplacedPairKeepsTheOld()
{
    QFETCH(QByteArray, certificate);
    QFETCH(QByteArray, key);
    ExecHarness h;
    const Credential good = pair(u"client-ec"_s);
    Credential credential;
    credential.certificateFile = h.path(u"crt"_s);
    credential.keyFile = h.path(u"key"_s);
    h.write(u"crt"_s, good.certificatePem);
    h.write(u"key"_s, good.keyPem);
    CredentialSource source(configured(credential));
    QCOMPARE(now(source).keyPem, good.keyPem);
    h.write(u"crt"_s, certificate);
    h.write(u"key"_s, key);
    QCOMPARE(now(source).certificatePem, good.certificatePem);
    QCOMPARE(now(source).keyPem, good.keyPem);
    QCOMPARE(now(source).generation, quint64(1));
    CredentialSource late(configured(credential)); // has no old pair
    const Error error = errorNow(late);
    QVERIFY(!error.message.empty());
    QVERIFY(error.where == credential.certificateFile.toStdString() || error.where == credential.keyFile.toStdString());
    credential.certificatePem = good.certificatePem; // but one whose kubeconfig was read before has
    credential.keyPem = good.keyPem;
    CredentialSource read(configured(credential));
    QCOMPARE(now(read).keyPem, good.keyPem);
}

void TestCredentials::pairDefects_data()
{
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<QString>("key");
    QTest::addColumn<bool>("fits");
    for (const char *key : {"client-rsa.key", "client-rsa-pkcs1.key", "client-rsa-pkcs8.key"})
        QTest::newRow(key) << u"client-rsa.crt"_s << QString::fromLatin1(key) << true;
    for (const char *key : {"client-ec.key", "client-ec-sec1.key", "client-ec-pkcs8.key"})
        QTest::newRow(key) << u"client-ec.crt"_s << QString::fromLatin1(key) << true;
    QTest::newRow("RSA of another") << u"client-rsa.crt"_s << u"server.key"_s << false;
    QTest::newRow("EC for RSA") << u"client-rsa.crt"_s << u"client-ec.key"_s << false;
    QTest::newRow("RSA for EC") << u"client-ec.crt"_s << u"client-rsa.key"_s << false;
    QTest::newRow("EC of another") << u"client-ec.crt"_s << u"client-ec2.key"_s << false;
}

void TestCredentials::pairDefects()
{
    QFETCH(QString, certificate);
    QFETCH(QString, key);
    QFETCH(bool, fits);
    QCOMPARE(!pairDefect({certificateText(certificate), certificateText(key)}).has_value(), fits);
}

void TestCredentials::ed25519Key()
{
    CredentialSource source(configured(pair(u"client-ed25519"_s)));
    const Error error = errorNow(source);
    QCOMPARE(error.kind, ErrorKind::NotSupported);
    QVERIFY(has(error.message, u"Ed25519"_s) && has(error.message, u"not supported by Qt"_s));
}

void TestCredentials::plainHttpCarriesNothing_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<bool>("carries");
    QTest::newRow("plain") << u"http://api.example"_s << false;
    QTest::newRow("TLS") << u"https://api.example"_s << true;
    QTest::newRow("localhost") << u"http://localhost:8001"_s << true;
    QTest::newRow("loopback") << u"http://[::1]:8001"_s << true;
}

void TestCredentials::plainHttpCarriesNothing()
{
    QFETCH(QString, server);
    QFETCH(bool, carries);
    ContextConfig config = configured(pair(u"client-ec"_s));
    config.server = server;
    for (const bool basic : {false, true}) {
        config.credential.token = basic ? "" : "t";
        config.credential.basicUser = basic ? u"u"_s : QString();
        CredentialSource source(config);
        QCOMPARE(!now(source).authorization.isEmpty(), carries);
        QCOMPARE(!now(source).keyPem.isEmpty(), carries);
    }
}

void TestCredentials::replaceChangesGeneration()
{
    Credential credential = pair(u"client-ec"_s);
    credential.token = "one";
    CredentialSource source(configured(credential));
    QSignalSpy changed(&source, &CredentialSource::certificateChanged);
    QCOMPARE(now(source).generation, quint64(1));
    source.replace(credential);
    QCOMPARE(now(source).generation, quint64(1));
    credential.token = "two";
    source.replace(credential);
    QCOMPARE(now(source).authorization, QByteArray("Bearer two"));
    QCOMPARE(now(source).generation, quint64(2));
    QCOMPARE(changed.count(), 0);
    source.replace(pair(u"client-rsa"_s));
    QCOMPARE(now(source).authorization, QByteArray());
    QCOMPARE(now(source).generation, quint64(3));
    QCOMPARE(changed.count(), 1);
}

void TestCredentials::execWithoutPool()
{
    Credential credential;
    credential.exec = ExecConfig{};
    CredentialSource source(configured(credential));
    QCOMPARE(errorNow(source).kind, ErrorKind::NotSupported);
}

QTEST_GUILESS_MAIN(TestCredentials)
#include "tst_credentials.moc"
