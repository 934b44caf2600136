// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The PATH of the login shell, and what a command name finds with it.
#include "app/kube/exec_command.h"
#include "tests/support/patience.h"

#include "exec_harness.h"

using namespace switchyard::test;
using namespace switchyard;

class TestLoginShell : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void betweenTheMarks_data();
    void betweenTheMarks();
    void realShells_data();
    void realShells();
    void runsOnceForAll();
    void troubles_data();
    void troubles();
    void searchOrder();
    void commandLines_data();
    void commandLines();
    void hashes();
};

namespace {

LoginPath pathOf(LoginShell &shell)
{
    std::optional<LoginPath> got;
    shell.path(&shell, [&](const LoginPath &path) { got = path; });
    waitUntil([&] { return got.has_value(); }, 30000);
    return got.value_or(LoginPath{});
}

} // namespace

void TestLoginShell::betweenTheMarks_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QStringList>("folders");
    QTest::newRow("plain") << QByteArray("M\n/a:/b\nM\n") << QStringList{u"/a"_s, u"/b"_s};
    QTest::newRow("talkative") << QByteArray("hello /x:/y\nM\n/a\nM\nbye") << QStringList{u"/a"_s};
    QTest::newRow("twice, relative, empty") << QByteArray("M\n/a::.:bin:/a:/b c\nM\n") << QStringList{u"/a"_s, u"/b c"_s};
    QTest::newRow("cut") << QByteArray("M\n/a") << QStringList{};
    QTest::newRow("none") << QByteArray("M\n\nM\n") << QStringList{};
    QTest::newRow("nothing") << QByteArray() << QStringList{};
}

void TestLoginShell::betweenTheMarks()
{
    QFETCH(QByteArray, output);
    QFETCH(QStringList, folders);
    const LoginPath path = pathBetween(output, "M");
    QCOMPARE(path.folders, folders);
    QCOMPARE(path.defect.isEmpty(), !folders.isEmpty());
}

void TestLoginShell::realShells_data()
{
    QTest::addColumn<QString>("shell");
    QTest::addColumn<QString>("settings");
    QTest::newRow("sh") << u"/bin/sh"_s << u".profile"_s;
    QTest::newRow("bash") << u"/bin/bash"_s << u".bash_profile"_s;
    QTest::newRow("zsh") << u"/bin/zsh"_s << u".zshrc"_s;
}

void TestLoginShell::realShells()
{
    QFETCH(QString, shell);
    QFETCH(QString, settings);
    if (!QFileInfo::exists(shell))
        QSKIP("not installed");
    ExecHarness h;
    h.write(settings, "echo noise\nexport PATH=\"$PATH:/from/the/settings\"\nfalse\n");
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", h.folder.path().toUtf8());
    LoginShell login(shell);
    const LoginPath path = pathOf(login);
    qputenv("HOME", home);
    QCOMPARE(path.defect, QString());
    QVERIFY(path.folders.contains(u"/from/the/settings"_s));
}

void TestLoginShell::runsOnceForAll()
{
    ExecHarness h;
    h.write(u"shell"_s, "#!/bin/sh\necho run >> " + h.path(u"runs"_s).toUtf8() + "\neval \"$4\"\n", true);
    LoginShell login(h.path(u"shell"_s));
    int answers = 0;
    {
        QObject gone;
        login.path(&gone, [&](const LoginPath &) { answers += 100; });
    }
    login.path(&login, [&](const LoginPath &) { ++answers; });
    login.path(&login, [&](const LoginPath &) { ++answers; });
    QCOMPARE(answers, 0); // never waits
    QTRY_COMPARE(answers, 2);
    login.path(&login, [&](const LoginPath &) { ++answers; });
    QCOMPARE(answers, 3);
    QCOMPARE(h.runs(), 1);
}

void TestLoginShell::troubles_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("words");
    QTest::newRow("hangs") << QByteArray("#!/bin/sh\nsleep 100\n") << u"did not end within 0.3 s"_s;
    QTest::newRow("silent") << QByteArray("#!/bin/sh\n") << u"printed no PATH"_s;
    QTest::newRow("absent") << QByteArray() << u"cannot be started"_s;
    QTest::newRow("floods") << QByteArray("#!/bin/sh\nyes\n") << u"printed too much"_s;
}

void TestLoginShell::troubles()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, words);
    ExecHarness h;
    if (!script.isEmpty())
        h.write(u"shell"_s, script, true);
    LoginShell login(h.path(u"shell"_s), std::chrono::milliseconds(words.contains(u"0.3"_s) ? 300 : 5000));
    const LoginPath path = pathOf(login);
    QVERIFY2(path.defect.contains(words), qPrintable(path.defect));
    QVERIFY(path.folders.isEmpty());
    const SearchPath search = searchPath(u"/bin"_s, path, login.shell(), h.folder.path());
    QVERIFY(search.origin.contains(words));
    QCOMPARE(search.folders.first(), u"/bin"_s);
}

void TestLoginShell::searchOrder()
{
    ExecHarness h;
    QDir(h.folder.path()).mkpath(u".local/bin"_s);
    QDir(h.folder.path()).mkpath(u".krew/bin"_s);
    const SearchPath path = searchPath(u"/own:relative::/usr/bin"_s, {{u"/login"_s, u"/usr/bin"_s}, {}}, u"/bin/zsh"_s, h.folder.path());
    QCOMPARE(path.folders.mid(0, 4), (QStringList{u"/own"_s, u"/usr/bin"_s, u"/login"_s, h.path(u".local/bin"_s)}));
    QVERIFY(path.folders.contains(h.path(u".krew/bin"_s)));
    QVERIFY(!path.folders.contains(h.path(u"google-cloud-sdk/bin"_s))); // does not exist
    QVERIFY(path.origin.contains(u"/bin/zsh"_s));
    ExecConfig exec;
    exec.command = u"who"_s;
    h.write(u".local/bin/who"_s, "", true);
    h.write(u".krew/bin/who"_s, "", true);
    QCOMPARE(findCommand(exec, {{h.path(u"none"_s), h.path(u".krew/bin"_s), h.path(u".local/bin"_s)}, {}}), h.path(u".krew/bin/who"_s));
    exec.command.clear();
    QCOMPARE(findCommand(exec, path), QString());
}

void TestLoginShell::commandLines_data()
{
    QTest::addColumn<QStringList>("args");
    QTest::addColumn<QString>("whole");
    QTest::addColumn<QString>("shown");
    const auto same = [](const char *name, const QStringList &args, const QString &line) { QTest::newRow(name) << args << line << line; };
    same("plain", {u"get-token"_s, u"--login=azurecli"_s}, u"/bin/p get-token --login=azurecli"_s);
    same("blanks", {u"a b"_s, QString(), u"it's"_s, u"$(x)"_s}, u"/bin/p 'a b' '' 'it'\\''s' '$(x)'"_s);
    QTest::newRow("secrets") << QStringList{u"--client-secret"_s, u"abc"_s, u"--oidc-client-secret=def"_s, u"--region"_s, u"eu"_s}
                             << u"/bin/p --client-secret abc --oidc-client-secret=def --region eu"_s
                             << u"/bin/p --client-secret '***' '--oidc-client-secret=***' --region eu"_s;
}

void TestLoginShell::commandLines()
{
    QFETCH(QStringList, args);
    QFETCH(QString, whole);
    QFETCH(QString, shown);
    QCOMPARE(commandLine(u"/bin/p"_s, args, true), whole);
    QCOMPARE(commandLine(u"/bin/p"_s, args, false), shown);
}

void TestLoginShell::hashes()
{
    const auto hash = [](const QString &program, const QStringList &args, const QString &value, const QString &version) {
        ExecConfig exec;
        exec.args = args;
        exec.env = {{u"A"_s, value}};
        exec.apiVersion = version;
        return commandHash(program, exec);
    };
    const QString base = hash(u"/p"_s, {u"a"_s, u"b"_s}, u"1"_s, u"v1"_s);
    QCOMPARE(base.size(), 64);
    QCOMPARE(hash(u"/p"_s, {u"a"_s, u"b"_s}, u"1"_s, u"v1"_s), base);
    QVERIFY(hash(u"/q"_s, {u"a"_s, u"b"_s}, u"1"_s, u"v1"_s) != base);
    QVERIFY(hash(u"/p"_s, {u"a b"_s}, u"1"_s, u"v1"_s) != base);
    QVERIFY(hash(u"/p"_s, {u"b"_s, u"a"_s}, u"1"_s, u"v1"_s) != base);
    QVERIFY(hash(u"/p"_s, {u"a"_s, u"b"_s}, u"2"_s, u"v1"_s) != base);
    QVERIFY(hash(u"/p"_s, {u"a"_s, u"b"_s}, u"1"_s, u"v1beta1"_s) != base);
}

QTEST_GUILESS_MAIN(TestLoginShell)
#include "tst_login_shell.moc"
