// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Which programs of a kubeconfig may run: asked for once, remembered by hash, never by name.
#include "exec_harness.h"
#include "tests/support/patience.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>

#include <atomic>
#include <thread>

using namespace switchyard::test;
using namespace switchyard;

using Answer = ExecTrust::Answer;

class TestExecTrust : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answers_data();
    void answers();
    void refusalIsAskedAnewWhenForgotten();
    void fileIsPrivateAndReadable();
    void badFiles_data();
    void badFiles();
    void anUnreadFileIsKept_data();
    void anUnreadFileIsKept();
    void twoWindowsWriteOneAfterTheOther();
    void twoAskersOneQuestion();
    void trustAll();
    void refusedSourceNamesTheCommand();
    void questionTellsEverything();
    void changedArgumentsAreAnotherQuestion();
    void closedWhileAsking();
};

namespace {

ExecQuestion about(const QString &letter)
{
    ExecQuestion question;
    question.context = u"prod\nxx"_s;
    question.program = u"/usr/bin/login"_s;
    question.hash = letter.repeated(64);
    return question;
}

std::optional<bool> checked(ExecTrust &trust, const ExecQuestion &question)
{
    std::optional<bool> got;
    trust.check(question, [&](bool allowed) { got = allowed; });
    return got;
}

} // namespace

void TestExecTrust::answers_data()
{
    QTest::addColumn<int>("answer");
    QTest::addColumn<bool>("allowed");
    QTest::addColumn<bool>("remembered");
    QTest::newRow("no") << int(Answer::No) << false << false;
    QTest::newRow("once") << int(Answer::Once) << true << false;
    QTest::newRow("always") << int(Answer::Always) << true << true;
}

void TestExecTrust::answers()
{
    QFETCH(int, answer);
    QFETCH(bool, allowed);
    QFETCH(bool, remembered);
    ExecHarness h;
    ExecTrust trust(h.path(u"state/trust"_s));
    int asked = 0;
    trust.setAsk([&](const ExecQuestion &, const std::function<void(Answer)> &reply) {
        ++asked;
        reply(Answer(answer));
        reply(Answer::Always); // a second answer is no answer
    });
    QCOMPARE(checked(trust, about(u"a"_s)), std::optional(allowed));
    QCOMPARE(checked(trust, about(u"a"_s)), std::optional(allowed));
    QCOMPARE(asked, 1);
    ExecTrust later(h.path(u"state/trust"_s)); // the next run of the program, without a window
    QCOMPARE(checked(later, about(u"a"_s)), std::optional(remembered));
    QCOMPARE(checked(later, about(u"b"_s)), std::optional(false));
}

void TestExecTrust::refusalIsAskedAnewWhenForgotten()
{
    ExecHarness h;
    ExecTrust trust(h.path(u"trust"_s));
    int asked = 0;
    trust.setAsk([&](const ExecQuestion &, const std::function<void(Answer)> &reply) { reply(++asked == 1 ? Answer::No : Answer::Once); });
    QCOMPARE(checked(trust, about(u"a"_s)), std::optional(false));
    trust.forgetRefusals();
    QCOMPARE(checked(trust, about(u"a"_s)), std::optional(true));
    trust.forgetRefusals();
    QCOMPARE(checked(trust, about(u"a"_s)), std::optional(true));
    QCOMPARE(asked, 2);
}

void TestExecTrust::fileIsPrivateAndReadable()
{
    ExecHarness h;
    ExecTrust trust(h.path(u"state/deep/trust"_s));
    trust.setAsk([&](const ExecQuestion &, const std::function<void(Answer)> &reply) { reply(Answer::Always); });
    checked(trust, about(u"a"_s));
    checked(trust, about(u"b"_s));
    const auto own = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ReadUser | QFileDevice::WriteUser;
    QCOMPARE(QFileInfo(h.path(u"state/deep/trust"_s)).permissions(), own);
    const QList<QByteArray> lines = h.read(u"state/deep/trust"_s).split('\n');
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0], QByteArray(QByteArray(64, 'a') + " /usr/bin/login for prod?xx"));
    QVERIFY(lines[2].isEmpty());
}

void TestExecTrust::badFiles_data()
{
    QTest::addColumn<QByteArray>("text");
    const QByteArray hash(64, 'a');
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("binary") << QByteArray("\0\xff\xfe\n\n", 5);
    QTest::newRow("cut hash") << hash.left(63);
    QTest::newRow("longer hash") << QByteArray(hash + 'a');
    QTest::newRow("not at the beginning") << QByteArray("x " + hash);
    QTest::newRow("commented out") << QByteArray("#" + hash);
    QTest::newRow("too large") << QByteArray(QByteArray(2 * 1024 * 1024, ' ') + '\n' + hash);
    QTest::newRow("a folder") << QByteArray("folder");
}

void TestExecTrust::badFiles()
{
    QFETCH(QByteArray, text);
    ExecHarness h;
    if (text == "folder")
        QDir(h.folder.path()).mkdir(u"trust"_s);
    else
        h.write(u"trust"_s, text);
    ExecTrust trust(h.path(u"trust"_s));
    QCOMPARE(checked(trust, about(u"a"_s)), std::optional(false));
    trust.setAsk([&](const ExecQuestion &, const std::function<void(Answer)> &reply) { reply(Answer::Always); });
    QCOMPARE(checked(trust, about(u"a"_s)), std::optional(true)); // for this run at least
}

static ExecTrust::Ask always()
{
    return [](const ExecQuestion &, const std::function<void(Answer)> &reply) { reply(Answer::Always); };
}

void TestExecTrust::anUnreadFileIsKept_data()
{
    QTest::addColumn<bool>("large");
    QTest::newRow("too large") << true;
    QTest::newRow("not readable") << false;
}

void TestExecTrust::anUnreadFileIsKept()
{
    QFETCH(bool, large);
    ExecHarness h;
    const QByteArray text = QByteArray(64, 'b') + " kept\n" + QByteArray(large ? 1024 * 1024 : 0, 'x');
    h.write(u"trust"_s, text);
    if (!large) {
        QFile::setPermissions(h.path(u"trust"_s), QFileDevice::Permissions());
        if (QFile file(h.path(u"trust"_s)); file.open(QIODevice::ReadOnly))
            QSKIP("this account may read everything");
    }
    ExecTrust trust(h.path(u"trust"_s));
    trust.setAsk(always());
    QCOMPARE(checked(trust, about(u"a"_s)), std::optional(true)); // for this run
    QFile::setPermissions(h.path(u"trust"_s), QFileDevice::ReadOwner);
    QCOMPARE(h.read(u"trust"_s), text);
}

// Another window is in the middle of reading and writing: this one waits for its turn.
void TestExecTrust::twoWindowsWriteOneAfterTheOther()
{
    ExecHarness h;
    QLockFile lock(h.path(u"trust.lock"_s));
    QVERIFY(lock.tryLock(0));
    std::atomic<bool> asked = false;
    std::thread window([&] {
        ExecTrust trust(h.path(u"trust"_s));
        trust.setAsk([&](const ExecQuestion &, const std::function<void(Answer)> &reply) {
            asked = true;
            reply(Answer::Always);
        });
        checked(trust, about(u"a"_s));
    });
    const bool early = QTest::qWaitFor([&] { return asked.load(); })
        && QTest::qWaitFor([&] { return QFile::exists(h.path(u"trust"_s)); }, 200);
    h.write(u"trust"_s, QByteArray(64, 'b') + " other window\n");
    lock.unlock();
    window.join();
    QVERIFY(!early);
    QCOMPARE(h.read(u"trust"_s).count('\n'), 2);
}

void TestExecTrust::twoAskersOneQuestion()
{
    ExecHarness h;
    h.answering(R"({"token":"t"})");
    auto trust = std::make_shared<ExecTrust>(h.path(u"trust"_s));
    std::vector<std::function<void(Answer)>> questions;
    trust->setAsk([&](const ExecQuestion &, std::function<void(Answer)> reply) { questions.push_back(std::move(reply)); });
    const auto pool = std::make_shared<ExecPool>(trust, h.settings);
    ContextConfig other = h.config;
    h.exec().provideClusterInfo = other.credential.exec->provideClusterInfo = true; // two runs, one command
    other.server = u"https://other.example"_s;
    CredentialSource first(h.config, pool);
    CredentialSource second(other, pool);
    int answers = 0;
    for (CredentialSource *source : {&first, &second})
        source->material(source, [&](const Result<Material> &m) { answers += m ? 1 : 0; });
    QTRY_COMPARE(questions.size(), std::size_t(1));
    QCOMPARE(h.runs(), 0); // nothing runs before the answer
    questions.front()(Answer::Once);
    QTRY_COMPARE(answers, 2);
    QCOMPARE(questions.size(), std::size_t(1));
}

void TestExecTrust::trustAll()
{
    ExecHarness h;
    ExecTrust trust(h.path(u"trust"_s), true);
    QCOMPARE(checked(trust, about(u"a"_s)), std::optional(true));
    QVERIFY(!QFileInfo::exists(h.path(u"trust"_s)));
}

void TestExecTrust::refusedSourceNamesTheCommand()
{
    ExecHarness h;
    h.answering(R"({"token":"t"})");
    h.exec().args = {u"get token"_s, u"--client-secret=abc"_s};
    CredentialSource source(h.config, std::make_shared<ExecPool>(std::make_shared<ExecTrust>(h.path(u"trust"_s)), h.settings));
    const Error error = errorOf(ExecHarness::ask(source));
    QCOMPARE(error.kind, ErrorKind::Refused);
    QVERIFY(has(error.message, h.path(u"bin/plugin"_s) + u" 'get token' '--client-secret=***'"_s));
    QVERIFY(has(error.advice, u"--trust-exec"_s));
    QCOMPARE(h.runs(), 0);
}

void TestExecTrust::questionTellsEverything()
{
    ExecHarness h;
    h.answering(R"({"token":"t"})");
    h.exec().args = {u"a b"_s};
    h.exec().env = {{u"REGION"_s, u"eu"_s}};
    auto trust = std::make_shared<ExecTrust>(h.path(u"trust"_s));
    std::optional<ExecQuestion> asked;
    trust->setAsk([&](const ExecQuestion &question, const std::function<void(Answer)> &reply) {
        asked = question;
        reply(Answer::Always);
    });
    CredentialSource source(h.config, std::make_shared<ExecPool>(trust, h.settings));
    QVERIFY(ExecHarness::ask(source).has_value());
    QVERIFY(asked.has_value());
    QCOMPARE(asked->context, u"prod"_s);
    QCOMPARE(asked->user, u"dba"_s);
    QCOMPARE(asked->file, h.config.file);
    QCOMPARE(asked->program, h.path(u"bin/plugin"_s));
    QCOMPARE(asked->commandLine, h.path(u"bin/plugin"_s) + u" 'a b'"_s);
    QCOMPARE(asked->environment, QStringList{u"REGION=eu"_s});
    QVERIFY(h.read(u"trust"_s).startsWith(asked->hash.toLatin1()));
}

void TestExecTrust::changedArgumentsAreAnotherQuestion()
{
    ExecHarness h;
    h.answering(R"({"token":"t"})");
    auto trust = std::make_shared<ExecTrust>(h.path(u"trust"_s));
    int asked = 0;
    trust->setAsk([&](const ExecQuestion &, const std::function<void(Answer)> &reply) {
        ++asked;
        reply(Answer::Always);
    });
    const auto pool = std::make_shared<ExecPool>(trust, h.settings);
    for (const QString &arg : {u"x"_s, u"x"_s, u"y"_s}) {
        h.exec().args = {arg};
        CredentialSource source(h.config, pool);
        QVERIFY(ExecHarness::ask(source).has_value());
    }
    QCOMPARE(asked, 2);
}

void TestExecTrust::closedWhileAsking()
{
    ExecHarness h;
    h.answering(R"({"token":"t"})");
    auto trust = std::make_shared<ExecTrust>(h.path(u"trust"_s));
    std::function<void(Answer)> reply;
    trust->setAsk([&](const ExecQuestion &, std::function<void(Answer)> r) { reply = std::move(r); });
    auto source = std::make_unique<CredentialSource>(h.config, std::make_shared<ExecPool>(trust, h.settings));
    source->material(nullptr, [](const Result<Material> &) { qFatal("answered"); });
    QTRY_VERIFY(reply);
    source.reset();
    reply(Answer::Always);
    QCOMPARE(h.runs(), 0);
    trust.reset();
    reply(Answer::Always); // the window's dialog may outlive everything
}

QTEST_GUILESS_MAIN(TestExecTrust)
#include "tst_exec_trust.moc"
