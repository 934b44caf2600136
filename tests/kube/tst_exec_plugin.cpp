// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Credentials from programs: what they are told, what they may answer, how often they run, how they end.
#include "app/kube/exec_command.h"
#include "tests/support/patience.h"

#include "exec_harness.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>

#include <csignal>

using namespace switchyard::test;
using namespace switchyard;

class TestExecPlugin : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void token_data();
    void token();
    void clientCertificate();
    void environmentReachesTheProgram();
    void execInfoWithoutCluster();
    void execInfoWithCluster();
    void noTerminalAndNoInput();
    void commandBesideTheKubeconfig_data();
    void commandBesideTheKubeconfig();
    void missingCommandTellsWhereWeLooked();
    void loginShellPathIsSearched();
    void badAnswers_data();
    void badAnswers();
    void failureShowsComplaintAndHint();
    void secretsAreNotShown();
    void tooLongIsKilledWithItsChildren_data();
    void tooLongIsKilledWithItsChildren();
    void tooMuchOutput();
    void closingKillsTheProgram();
    void alwaysInteractiveIsRefused();
    void oldApiVersionIsRefused();
    void refreshedBeforeItExpires();
    void failedRefreshKeepsWhatServes();
    void expiredAnswerServesOnce();
    void singleFlight();
    void contextsShareTheAnswer();
    void clusterInfoSeparatesTheAnswers();
    void rejectedRunsAnewWithBackoff();
    void refusedByOneServerOnly();
    void rejectedOldGenerationHasNoEffect();
    void failuresBackOffAndRetryNow();
    void certificateRotates();
    void replacedWhileRunning();
    void otherCredentialsComeFirst_data();
    void otherCredentialsComeFirst();
    void plainHttpRunsNothing();
};

void TestExecPlugin::token_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::newRow("v1") << QByteArray("v1");
    QTest::newRow("v1beta1") << QByteArray("v1beta1");
}

void TestExecPlugin::token()
{
    QFETCH(QByteArray, version);
    ExecHarness h;
    h.exec().apiVersion = u"client.authentication.k8s.io/"_s + QString::fromLatin1(version);
    h.answering(R"({"token":"tok-1","expirationTimestamp":null,"unknown":{}})", version);
    const Result<Material> material = h.ask();
    QVERIFY(material.has_value());
    QCOMPARE(material->authorization, QByteArray("Bearer tok-1"));
    QCOMPARE(material->generation, quint64(1));
    QVERIFY(material->certificatePem.isEmpty());
    h.advance(std::chrono::hours(1000));
    QCOMPARE(h.token(), QByteArray("Bearer tok-1"));
    QCOMPARE(h.runs(), 1);
}

static QByteArray certificateStatus(const QString &name)
{
    QJsonObject status;
    status.insert(u"clientCertificateData"_s, QString::fromUtf8(certificateText(name + u".crt"_s)));
    status.insert(u"clientKeyData"_s, QString::fromUtf8(certificateText(name + u".key"_s)));
    return QJsonDocument(status).toJson(QJsonDocument::Compact);
}

void TestExecPlugin::clientCertificate()
{
    ExecHarness h;
    h.answering(certificateStatus(u"client-ec"_s));
    const Result<Material> material = h.ask();
    QVERIFY(material.has_value());
    QVERIFY(material->authorization.isEmpty());
    QCOMPARE(material->certificatePem, certificateText(u"client-ec.crt"_s));
    QCOMPARE(material->keyPem, certificateText(u"client-ec.key"_s));
}

// The program gives back what it was told, as its token.
static const char
    *const echoBack = R"(printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s"}}' )";

static QByteArray pathOf(const ExecHarness &h, const QStringList &login)
{
    const QByteArray own = (QStringList(h.settings.path) + login).join(u':').toUtf8();
    return own + searchPath({}, {}, {}, h.settings.home).text().prepend(u':').toUtf8();
}

void TestExecPlugin::environmentReachesTheProgram()
{
    ExecHarness h;
    qputenv("SWITCHYARD_TEST_OWN", "own");
    h.exec().env = {{u"REGION"_s, u"eu-1"_s}, {u"SWITCHYARD_TEST_OWN2"_s, u"x"_s}};
    h.exec().args = {u"get token"_s, u"--role=dba"_s};
    h.program(QByteArray(echoBack) + R"("$REGION/$SWITCHYARD_TEST_OWN/$PATH/$(echo "$1" | tr ' ' _)/$2")");
    QCOMPARE(h.token(), QByteArray("Bearer eu-1/own/" + pathOf(h, {}) + "/get_token/--role=dba"));
}

static QJsonObject told(ExecHarness &h)
{
    h.program("printf '%s' \"$KUBERNETES_EXEC_INFO\" > " + h.path(u"info"_s).toUtf8() + "\n" + echoBack + "x");
    if (h.token() != "Bearer x")
        return {};
    return QJsonDocument::fromJson(h.read(u"info"_s)).object();
}

void TestExecPlugin::execInfoWithoutCluster()
{
    ExecHarness h;
    h.exec().clusterConfig = R"({"a":1})";
    const QJsonObject info = told(h);
    QCOMPARE(info[u"kind"_s].toString(), u"ExecCredential"_s);
    QCOMPARE(info[u"apiVersion"_s].toString(), u"client.authentication.k8s.io/v1"_s);
    const QJsonObject spec = info[u"spec"_s].toObject();
    QCOMPARE(spec[u"interactive"_s], QJsonValue(false));
    QVERIFY(!spec.contains(u"cluster"_s));
}

void TestExecPlugin::execInfoWithCluster()
{
    ExecHarness h;
    h.exec().provideClusterInfo = true;
    h.exec().clusterConfig = R"({"audience":"x","n":12345678901234567})";
    h.config.caPem = certificateText(u"ca.crt"_s);
    h.config.tlsServerName = u"name.example"_s;
    h.config.insecureSkipTlsVerify = true;
    h.config.proxyUrl = u"http://proxy.example:3128"_s;
    h.config.disableCompression = true;
    const QJsonObject cluster = told(h)[u"spec"_s].toObject()[u"cluster"_s].toObject();
    QCOMPARE(cluster[u"server"_s].toString(), h.config.server);
    QCOMPARE(cluster[u"tls-server-name"_s].toString(), u"name.example"_s);
    QCOMPARE(cluster[u"insecure-skip-tls-verify"_s], QJsonValue(true));
    QCOMPARE(QByteArray::fromBase64(cluster[u"certificate-authority-data"_s].toString().toLatin1()), h.config.caPem);
    QCOMPARE(cluster[u"proxy-url"_s].toString(), h.config.proxyUrl);
    QCOMPARE(cluster[u"disable-compression"_s], QJsonValue(true));
    QCOMPARE(cluster[u"config"_s].toObject()[u"audience"_s].toString(), u"x"_s);
    QVERIFY(h.read(u"info"_s).contains("12345678901234567"));
}

void TestExecPlugin::noTerminalAndNoInput()
{
    ExecHarness h;
    h.program(QByteArray("if read line; then input=some; else input=none; fi\n"
                         "if (: < /dev/tty) 2>/dev/null; then tty=some; else tty=none; fi\n")
              + echoBack + "\"$input/$tty\"");
    QCOMPARE(h.token(), QByteArray("Bearer none/none"));
}

void TestExecPlugin::commandBesideTheKubeconfig_data()
{
    QTest::addColumn<QString>("command");
    QTest::newRow("dot slash") << u"./tools/dba-login"_s;
    QTest::newRow("folder") << u"tools/dba-login"_s;
    QTest::newRow("up and down") << u"tools/../tools/dba-login"_s;
    QTest::newRow("absolute") << u"/"_s;
}

void TestExecPlugin::commandBesideTheKubeconfig()
{
    QFETCH(QString, command);
    ExecHarness h;
    QDir(h.folder.path()).mkdir(u"tools"_s);
    h.program(QByteArray(echoBack) + "beside", u"tools/dba-login"_s);
    h.exec().command = command == u"/"_s ? h.path(u"tools/dba-login"_s) : command;
    QCOMPARE(h.token(), QByteArray("Bearer beside"));
    h.close();
    h.exec().command = u"dba-login"_s; // without a slash it is not looked for there
    QVERIFY(has(h.error().message, u"not found"_s));
}

void TestExecPlugin::missingCommandTellsWhereWeLooked()
{
    ExecHarness h;
    h.exec().command = u"no-such-login"_s;
    h.exec().installHint = u"Install it from https://login.example"_s;
    const Error error = h.error();
    QCOMPARE(error.kind, ErrorKind::NotSupported);
    QVERIFY(has(error.message, u"no-such-login"_s));
    QVERIFY(has(error.message, h.path(u"bin"_s) + u", /usr/bin, /bin"_s));
    QVERIFY(has(error.message, u"/bin/true"_s)); // the login shell, which gave no PATH
    QVERIFY(has(error.advice, u"https://login.example"_s));
    h.write(u"bin/no-such-login"_s, "#!/bin/sh\n", false);
    QVERIFY(has(h.error().message, u"not found"_s));
    h.exec().command = u"./bin/no-such-login"_s;
    h.close();
    QVERIFY(has(h.error().message, u"may not be executed"_s));
    h.exec().command = u"./bin/nothing"_s;
    h.close();
    QVERIFY(has(h.error().message, u"does not exist"_s));
}

void TestExecPlugin::loginShellPathIsSearched()
{
    ExecHarness h;
    QDir(h.folder.path()).mkdir(u"sdk"_s);
    h.program(QByteArray(echoBack) + "\"$PATH\"", u"sdk/cloud-login"_s);
    h.write(u"shell"_s, "#!/bin/sh\necho welcome\nPATH=/bin:" + h.path(u"sdk"_s).toUtf8() + ":/usr/bin\nexport PATH\neval \"$4\"\n", true);
    h.settings.shell = h.path(u"shell"_s);
    h.exec().command = u"cloud-login"_s;
    QCOMPARE(h.token(), QByteArray("Bearer " + pathOf(h, {h.path(u"sdk"_s)})));
}

void TestExecPlugin::badAnswers_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const QByteArray &output, const QString &words) { QTest::newRow(name) << output << words; };
    row("nothing", "", u"no ExecCredential"_s);
    row("garbage", "s3cr3t-garbage {", u"no ExecCredential"_s);
    row("a list", "[1]", u"no ExecCredential"_s);
    row("two objects", execCredential(R"({"token":"a"})") + "{}", u"no ExecCredential"_s);
    row("another kind", R"({"kind":"Status","apiVersion":"client.authentication.k8s.io/v1"})", u"something else"_s);
    row("another version", execCredential(R"({"token":"s3cr3t"})", "v1beta1"), u"another version"_s);
    row("no status", R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"})", u"no status"_s);
    row("empty status", execCredential("{}"), u"neither a token nor"_s);
    row("token as number", execCredential(R"({"token":5})"), u"not text"_s);
    row("token with line", execCredential(R"({"token":"s3cr3t\nX-Header: 1"})"), u"cannot carry"_s);
    row("certificate alone", execCredential(R"({"clientCertificateData":"s3cr3t"})"), u"without its key"_s);
    row("key alone", execCredential(R"({"clientKeyData":"s3cr3t"})"), u"without its key"_s);
    row("not a certificate", execCredential(R"({"clientCertificateData":"s3cr3t","clientKeyData":"s3cr3t"})"), u"no client certificate"_s);
    row("not a time", execCredential(R"({"token":"s3cr3t","expirationTimestamp":"tomorrow"})"), u"not a time"_s);
    row("a time without zone", execCredential(R"({"token":"s3cr3t","expirationTimestamp":"2031-02-01T06:00:00"})"), u"not a time"_s);
    QJsonObject foreign = QJsonDocument::fromJson(certificateStatus(u"client-rsa"_s)).object();
    foreign.insert(u"clientKeyData"_s, QString::fromUtf8(certificateText(u"ca.key"_s)));
    row("key of another", execCredential(QJsonDocument(foreign).toJson(QJsonDocument::Compact)), u"do not belong together"_s);
    row("Ed25519", execCredential(certificateStatus(u"client-ed25519"_s)), u"not supported by Qt"_s);
}

void TestExecPlugin::badAnswers()
{
    QFETCH(QByteArray, output);
    QFETCH(QString, words);
    ExecHarness h;
    h.write(u"out"_s, output);
    h.program("cat " + h.path(u"out"_s).toUtf8());
    const Error error = h.error();
    QVERIFY2(has(error.message, words), error.message.c_str());
    QVERIFY(has(error.message, h.path(u"bin/plugin"_s)));
    QVERIFY(!has(describe(error), u"s3cr3t"_s));
    QVERIFY(!has(describe(error), u"BEGIN"_s));
    QVERIFY(!error.advice.empty());
}

void TestExecPlugin::failureShowsComplaintAndHint()
{
    ExecHarness h;
    h.exec().installHint = u"see \x1b[1mhttps://login.example\x1b[0m"_s;
    h.program("printf 'first\\n\\033[31msession expired\\033[0m,\\tlog in\\007\\n' >&2; exit 3");
    const Error error = h.error();
    QCOMPARE(error.kind, ErrorKind::Unauthorized);
    QVERIFY(has(error.message, u"exit code 3: first / session expired, log in"_s));
    QCOMPARE(error.advice, std::string("see https://login.example"));
}

void TestExecPlugin::secretsAreNotShown()
{
    ExecHarness h;
    h.exec().env = {{u"CLIENT_SECRET"_s, u"from-kubeconfig"_s}};
    h.exec().args = {u"--password"_s, u"given-as-argument"_s};
    h.program(R"(echo 'printed-only-token'
echo "about to use printed-only-token and $CLIENT_SECRET and $2" >&2
echo "Authorization: Bearer abc123xyz" >&2
echo "answer {\"access_token\": \"short-one\"} from https://me:pw1234@idp.example" >&2
echo "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln and Zm9vYmFyYmF6MTIzNDU2Nzg5MEFCQw==" >&2
printf -- '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n' >&2
exit 1)");
    const QString text = QString::fromStdString(describe(h.error()));
    for (const QString &secret : {u"printed-only-token"_s, u"from-kubeconfig"_s, u"given-as-argument"_s, u"abc123xyz"_s, u"short-one"_s,
                                  u"pw1234"_s, u"eyJ"_s, u"c2ln"_s, u"Zm9v"_s, u"PRIVATE"_s, u"MIIEvQ"_s})
        QVERIFY2(!text.contains(secret), qPrintable(secret + u" in "_s + text));
    QVERIFY(text.contains(u"about to use [not shown]"_s));
    QVERIFY(text.contains(u"idp.example"_s));
}

static bool alive(const QByteArray &pid)
{
    const QByteArray status = [&] {
        QFile file(u"/proc/%1/stat"_s.arg(QString::fromLatin1(pid.trimmed())));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }();
    return !status.isEmpty() && !status.mid(status.lastIndexOf(')')).startsWith(") Z");
}

void TestExecPlugin::tooLongIsKilledWithItsChildren_data()
{
    QTest::addColumn<QByteArray>("trap");
    QTest::newRow("ends when asked to, its child does not") << QByteArray();
    QTest::newRow("neither ends when asked to") << QByteArray("trap '' TERM\n");
}

void TestExecPlugin::tooLongIsKilledWithItsChildren()
{
    QFETCH(QByteArray, trap);
    ExecHarness h;
    h.settings.limits.time = std::chrono::milliseconds(5000);
    h.program(trap + "sh -c 'trap \"\" TERM; echo $$ > " + h.path(u"child"_s).toUtf8()
              + "; while :; do sleep 5; done' &\necho stuck-at-login >&2\nwhile :; do wait; done");
    const Error error = h.error();
    QVERIFY(has(error.message, u"did not end within 5 s and was stopped: stuck-at-login"_s));
    QVERIFY(!h.read(u"child"_s).isEmpty());
    QTRY_VERIFY(!alive(h.read(u"child"_s)));
}

void TestExecPlugin::tooMuchOutput()
{
    ExecHarness h;
    h.program("yes s3cr3t");
    const Error error = h.error();
    QVERIFY(has(error.message, u"more than 1024 KiB"_s));
    QVERIFY(!has(describe(error), u"s3cr3t"_s));
}

void TestExecPlugin::closingKillsTheProgram()
{
    ExecHarness h;
    h.program("echo $$ > " + h.path(u"pid"_s).toUtf8() + "\nsleep 100 &\necho $! > " + h.path(u"child"_s).toUtf8() + "\nwait");
    bool called = false;
    h.source().material(nullptr, [&](const Result<Material> &) { called = true; });
    QTRY_VERIFY(!h.read(u"child"_s).isEmpty());
    QVERIFY(alive(h.read(u"pid"_s)));
    h.close();
    QTRY_VERIFY(!alive(h.read(u"pid"_s)));
    QTRY_VERIFY(!alive(h.read(u"child"_s)));
    QVERIFY(!called);
}

void TestExecPlugin::alwaysInteractiveIsRefused()
{
    ExecHarness h;
    h.exec().interactive = ExecConfig::Interactive::Always;
    h.answering(R"({"token":"t"})");
    const Error error = h.error();
    QCOMPARE(error.kind, ErrorKind::NotSupported);
    QVERIFY(has(error.message, u"needs a terminal"_s));
    QVERIFY(has(error.advice, u"then retry"_s));
    QCOMPARE(h.runs(), 0);
}

void TestExecPlugin::oldApiVersionIsRefused()
{
    ExecHarness h;
    h.exec().apiVersion = u"client.authentication.k8s.io/v1alpha1"_s;
    h.answering(R"({"token":"t"})", "v1alpha1");
    const Error error = h.error();
    QCOMPARE(error.kind, ErrorKind::NotSupported);
    QVERIFY(has(error.message, u"v1alpha1"_s));
    QCOMPARE(h.runs(), 0);
}

// From 06:00; a minute before 07:00 the next one is fetched, while the old one serves.
void TestExecPlugin::refreshedBeforeItExpires()
{
    ExecHarness h;
    h.program(QByteArray("n=$(wc -l < ") + h.path(u"runs"_s).toUtf8() + R"()
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t%s","expirationTimestamp":"2031-02-01T0%s:00:00Z"}}' $n $((6 + n)))");
    QCOMPARE(h.token(), QByteArray("Bearer t1"));
    h.advance(std::chrono::seconds(3539));
    QCOMPARE(h.token(), QByteArray("Bearer t1"));
    QCOMPARE(h.runs(), 1);
    h.advance(std::chrono::seconds(2));
    QCOMPARE(h.token(), QByteArray("Bearer t1"));
    QTRY_COMPARE(h.token(), QByteArray("Bearer t2"));
    QCOMPARE(h.runs(), 2);
    QCOMPARE(h.ask()->generation, quint64(2));
    h.advance(std::chrono::hours(2)); // the machine slept: it is not given out any more
    QCOMPARE(h.token(), QByteArray("Bearer t3"));
}

void TestExecPlugin::failedRefreshKeepsWhatServes()
{
    ExecHarness h;
    h.answering(R"({"token":"t1","expirationTimestamp":"2031-02-01T07:00:00Z"})");
    QCOMPARE(h.token(), QByteArray("Bearer t1"));
    h.program("echo offline >&2; exit 1");
    h.advance(std::chrono::seconds(3545));
    QCOMPARE(h.token(), QByteArray("Bearer t1"));
    QTRY_COMPARE(h.runs(), 2);
    QCOMPARE(h.token(), QByteArray("Bearer t1"));
    h.advance(std::chrono::seconds(60));
    QVERIFY(has(h.error().message, u"offline"_s));
}

void TestExecPlugin::expiredAnswerServesOnce()
{
    ExecHarness h;
    h.settings.leastUse = std::chrono::seconds(0);
    h.answering(R"({"token":"t1","expirationTimestamp":"2031-02-01T05:00:00+00:00"})");
    QCOMPARE(h.token(), QByteArray("Bearer t1"));
    QCOMPARE(h.token(), QByteArray("Bearer t1"));
    QCOMPARE(h.runs(), 2);
    ExecHarness patient;
    patient.answering(R"({"token":"t1","expirationTimestamp":"2031-02-01T05:00:00Z"})");
    QCOMPARE(patient.token(), QByteArray("Bearer t1"));
    QCOMPARE(patient.token(), QByteArray("Bearer t1"));
    QCOMPARE(patient.runs(), 1);
    patient.advance(std::chrono::seconds(11));
    QCOMPARE(patient.token(), QByteArray("Bearer t1"));
    QCOMPARE(patient.runs(), 2);
}

void TestExecPlugin::singleFlight()
{
    ExecHarness h;
    h.held(R"({"token":"one"})");
    CredentialSource second(h.config, h.pool());
    QObject gone;
    int answers = 0;
    bool wrong = false;
    const auto count = [&](const Result<Material> &m) { answers += m && m->authorization == "Bearer one" ? 1 : 0; };
    {
        QObject dies;
        h.source().material(&dies, [&](const Result<Material> &) { wrong = true; });
    }
    QTRY_COMPARE(h.runs(), 1); // it runs: whoever comes now waits for this run
    for (int i = 0; i < 5; ++i) {
        h.source().material(&gone, count);
        second.material(&gone, count);
    }
    QVERIFY(!waitUntil([&] { return h.runs() > 1 || answers > 0; }, 100));
    h.letGo();
    QTRY_COMPARE(answers, 10);
    QVERIFY(!wrong);
    QCOMPARE(h.runs(), 1);
}

void TestExecPlugin::contextsShareTheAnswer()
{
    ExecHarness h;
    h.held(R"({"token":"t"})");
    ContextConfig other = h.config;
    other.name = u"test"_s;
    other.server = u"https://other.example"_s;
    CredentialSource second(other, h.pool());
    std::optional<QByteArray> got;
    h.source().material(&h.source(), [](const Result<Material> &) {});
    QTRY_COMPARE(h.runs(), 1);
    second.material(&second, [&](const Result<Material> &m) { got = m.value_or(Material{}).authorization; });
    QVERIFY(!waitUntil([&] { return h.runs() > 1 || got; }, 100)); // it waits for the other's run
    h.letGo();
    QCOMPARE(h.token(), QByteArray("Bearer t"));
    QTRY_COMPARE(got, std::optional<QByteArray>("Bearer t"));
    QCOMPARE(h.runs(), 1);
    other.credential.exec->args = {u"--other"_s};
    CredentialSource third(other, h.pool());
    QVERIFY(ExecHarness::ask(third).has_value());
    QCOMPARE(h.runs(), 2);
}

void TestExecPlugin::clusterInfoSeparatesTheAnswers()
{
    ExecHarness h;
    h.exec().provideClusterInfo = true;
    h.answering(R"({"token":"t"})");
    ContextConfig other = h.config;
    other.server = u"https://other.example"_s;
    CredentialSource second(other, h.pool());
    QVERIFY(h.ask().has_value());
    QVERIFY(ExecHarness::ask(second).has_value());
    QCOMPARE(h.runs(), 2);
}

void TestExecPlugin::rejectedRunsAnewWithBackoff()
{
    ExecHarness h;
    h.answering(R"({"token":"stale"})");
    quint64 generation = h.ask()->generation;
    h.source().rejected(generation);
    const Result<Material> again = h.ask(); // at once
    QCOMPARE(h.runs(), 2);
    QCOMPARE(again->generation, generation); // the same token: the same generation
    h.source().rejected(generation);
    const Error error = h.error(); // and now it waits
    QCOMPARE(error.kind, ErrorKind::Unauthorized);
    QVERIFY(has(error.message, u"refuses"_s));
    QCOMPARE(error.retryAfterSeconds, std::optional(15)); // between 10 and 20
    QCOMPARE(h.runs(), 2);
    h.answering(R"({"token":"fresh"})");
    h.advance(std::chrono::seconds(15));
    const Result<Material> fresh = h.ask();
    QCOMPARE(fresh->authorization, QByteArray("Bearer fresh"));
    QCOMPARE(fresh->generation, generation + 1);
    QCOMPARE(h.runs(), 3);
    int longest = 0;
    for (int i = 0; i < 12; ++i) {
        h.source().rejected(fresh->generation);
        longest = h.error().retryAfterSeconds.value_or(0);
        h.advance(std::chrono::seconds(longest));
        QVERIFY(h.ask().has_value());
    }
    QVERIFY(longest >= 150 && longest <= 300);
    h.advance(std::chrono::minutes(11)); // it served for long: this time the server changed its mind
    h.source().rejected(fresh->generation);
    QVERIFY(h.ask().has_value());
}

// Two contexts, one entry. The second one's server does not take the credential; the first one's does, all the time.
void TestExecPlugin::refusedByOneServerOnly()
{
    ExecHarness h;
    h.answering(R"({"token":"t"})");
    ContextConfig other = h.config;
    other.server = u"https://other.example"_s;
    CredentialSource second(other, h.pool());
    const quint64 first = h.ask()->generation;
    const quint64 generation = ExecHarness::ask(second)->generation;
    second.rejected(generation);
    second.rejected(generation);                   // a second request of the same moment
    QVERIFY(ExecHarness::ask(second).has_value()); // run anew at once
    QCOMPARE(h.runs(), 2);
    second.rejected(generation);
    const Error error = errorOf(ExecHarness::ask(second));
    QVERIFY(has(error.message, u"refuses"_s));
    QCOMPARE(error.retryAfterSeconds, std::optional(15));
    QCOMPARE(h.token(), QByteArray("Bearer t"));
    QCOMPARE(h.ask()->generation, first);
    QCOMPARE(h.runs(), 2);
    // A run for the one that fails takes nothing from the other.
    h.program("echo offline >&2; exit 1");
    h.advance(std::chrono::seconds(15));
    QVERIFY(has(errorOf(ExecHarness::ask(second)).message, u"offline"_s));
    QCOMPARE(h.runs(), 3);
    QCOMPARE(h.token(), QByteArray("Bearer t"));
    // What a run brings is tried by both.
    h.answering(R"({"token":"new"})");
    h.advance(std::chrono::seconds(15));
    QCOMPARE(ExecHarness::ask(second)->authorization, QByteArray("Bearer new"));
    QCOMPARE(h.token(), QByteArray("Bearer new"));
    QCOMPARE(h.runs(), 4);
}

void TestExecPlugin::rejectedOldGenerationHasNoEffect()
{
    ExecHarness h;
    h.answering(R"({"token":"one"})");
    const quint64 old = h.ask()->generation;
    h.answering(R"({"token":"two"})");
    h.source().rejected(old);
    QCOMPARE(h.token(), QByteArray("Bearer two"));
    h.source().rejected(old); // the answer to a request sent before
    QCOMPARE(h.token(), QByteArray("Bearer two"));
    QCOMPARE(h.runs(), 2);
}

void TestExecPlugin::failuresBackOffAndRetryNow()
{
    ExecHarness h;
    h.program("echo broken >&2; exit 1");
    QVERIFY(has(h.error().message, u"broken"_s));
    const Error second = h.error();
    QVERIFY(has(second.message, u"broken"_s));
    QVERIFY(second.retryAfterSeconds.value_or(0) >= 5);
    QCOMPARE(h.runs(), 1);
    h.source().retryNow();
    h.error();
    QCOMPARE(h.runs(), 2);
    h.answering(R"({"token":"t"})");
    h.advance(std::chrono::seconds(15));
    QCOMPARE(h.token(), QByteArray("Bearer t"));
}

void TestExecPlugin::certificateRotates()
{
    ExecHarness h;
    h.answering(certificateStatus(u"client-ec"_s));
    QSignalSpy changed(&h.source(), &CredentialSource::certificateChanged);
    const quint64 first = h.ask()->generation;
    h.answering(certificateStatus(u"client-rsa"_s));
    QCOMPARE(changed.count(), 0);
    h.source().rejected(first);
    QCOMPARE(h.ask()->certificatePem, certificateText(u"client-rsa.crt"_s));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(h.ask()->generation, first + 1);
}

void TestExecPlugin::replacedWhileRunning()
{
    ExecHarness h;
    h.program("sleep 100");
    QObject context;
    QByteArray got;
    h.source().material(&context, [&](const Result<Material> &m) { got = m.value_or(Material{}).authorization; });
    QTRY_COMPARE(h.runs(), 1);
    Credential next;
    next.token = "new";
    h.source().replace(next);
    QCOMPARE(got, QByteArray("Bearer new"));
}

void TestExecPlugin::otherCredentialsComeFirst_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what : {"token", "tokenFile", "basic", "certificate"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void TestExecPlugin::otherCredentialsComeFirst()
{
    QFETCH(QString, what);
    ExecHarness h;
    h.answering(R"({"token":"from-exec"})");
    Credential &credential = h.config.credential;
    if (what == u"token"_s)
        credential.token = "t";
    if (what == u"tokenFile"_s) {
        h.write(u"token"_s, "t\n");
        credential.tokenFile = h.path(u"token"_s);
    }
    if (what == u"basic"_s)
        credential.basicUser = u"u"_s;
    if (what == u"certificate"_s) {
        credential.certificatePem = certificateText(u"client-ec.crt"_s);
        credential.keyPem = certificateText(u"client-ec.key"_s);
    }
    const Result<Material> material = h.ask();
    QVERIFY(material.has_value());
    QVERIFY(!material->authorization.contains("from-exec"));
    QCOMPARE(h.runs(), 0);
}

void TestExecPlugin::plainHttpRunsNothing()
{
    ExecHarness h;
    h.answering(R"({"token":"t"})");
    h.config.server = u"http://api.example"_s;
    QCOMPARE(h.token(), QByteArray());
    QCOMPARE(h.runs(), 0);
    h.close();
    h.config.server = u"http://127.0.0.1:8001"_s;
    QCOMPARE(h.token(), QByteArray("Bearer t"));
}

QTEST_GUILESS_MAIN(TestExecPlugin)
#include "tst_exec_plugin.moc"
