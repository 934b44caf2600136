// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/terminal_consent.h"
#include "tests/support/patience.h"

#include <QSignalSpy>
#include <QTest>

#include <array>

#include <unistd.h>

using namespace switchyard;
using namespace switchyard::headless;
using namespace switchyard::kube;
using namespace Qt::StringLiterals;

using Answer = ExecTrust::Answer;
Q_DECLARE_METATYPE(Answer)

class TestTerminalConsent : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QCOMPARE(::pipe(m_pipe.data()), 0);
        m_said.clear();
    }
    void cleanup()
    {
        ::close(m_pipe[0]);
        hangUp();
    }

    void answers_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<Answer>("expected");
        QTest::newRow("y") << QByteArray("y\n") << Answer::Always;
        QTest::newRow("yes") << QByteArray(" YES \n") << Answer::Always;
        QTest::newRow("n") << QByteArray("n\n") << Answer::No;
        QTest::newRow("nothing") << QByteArray("\n") << Answer::No;
        QTest::newRow("something else") << QByteArray("yep\n") << Answer::No;
        QTest::newRow("end of input") << QByteArray() << Answer::No;
    }

    void answers()
    {
        QFETCH(QByteArray, line);
        QFETCH(Answer, expected);
        TerminalConsent consent(m_pipe[0], say());
        QSignalSpy waiting(&consent, &TerminalConsent::waiting);
        std::vector<Answer> got;
        consent.ask(question(u"aws eks"_s), [&](Answer answer) { got.push_back(answer); });
        QCOMPARE(m_said.size(), 1U);
        QVERIFY(m_said.front().find("aws eks") != std::string::npos);
        QCOMPARE(waiting.takeFirst().first().toBool(), true);
        QVERIFY(got.empty());
        if (line.isEmpty())
            hangUp();
        else
            QCOMPARE(::write(m_pipe[1], line.constData(), size_t(line.size())), line.size());
        QTRY_COMPARE(got.size(), 1U);
        QVERIFY(got.front() == expected);
        QCOMPARE(waiting.takeLast().first().toBool(), false);
    }

    // One question at a time; when nobody can answer any more, no is the answer to all.
    void oneAfterTheOther()
    {
        TerminalConsent consent(m_pipe[0], say());
        QByteArray got;
        const auto note = [&](const char *name) {
            return [&got, name](Answer answer) { got += QByteArray(name) + (answer == Answer::No ? "- " : "+ "); };
        };
        consent.ask(question(u"one"_s), note("1"));
        consent.ask(question(u"two"_s), note("2"));
        consent.ask(question(u"three"_s), note("3"));
        QCOMPARE(m_said.size(), 1U);
        QCOMPARE(::write(m_pipe[1], "y\n", 2), ssize_t(2));
        QTRY_COMPARE(got, QByteArray("1+ "));
        QCOMPARE(m_said.size(), 2U);
        hangUp();
        QTRY_COMPARE(got, QByteArray("1+ 2- 3- "));
    }

    // What was typed before a question was shown answers none.
    void typedAheadIsNoAnswer()
    {
        TerminalConsent consent(m_pipe[0], say());
        QByteArray got;
        const auto note = [&](const char *name) {
            return [&got, name](Answer answer) { got += QByteArray(name) + (answer == Answer::No ? "- " : "+ "); };
        };
        QCOMPARE(::write(m_pipe[1], "y\ny\n", 4), ssize_t(4));
        consent.ask(question(u"one"_s), note("1"));
        consent.ask(question(u"two"_s), note("2"));
        consent.ask(question(u"three"_s), note("3"));
        QCoreApplication::processEvents();
        QCOMPARE(got, QByteArray());
        QCOMPARE(::write(m_pipe[1], "y\ny\ny", 5), ssize_t(5));
        QTRY_COMPARE(got, QByteArray("1+ "));
        QCoreApplication::processEvents();
        QCOMPARE(got, QByteArray("1+ ")); // the rest of the line buffer came before the second question
        QCOMPARE(::write(m_pipe[1], "n\n", 2), ssize_t(2));
        QTRY_COMPARE(got, QByteArray("1+ 2- "));
        hangUp();
        QTRY_COMPARE(got, QByteArray("1+ 2- 3- "));
    }

    // A kubeconfig cannot move the cursor over what is asked.
    void controlCharacters()
    {
        ExecQuestion asked = question(u"x\x1b[2J\r--force"_s);
        asked.environment = {u"A=\x1b[1A"_s};
        asked.file = u"/a\nb"_s;
        const std::string text = consentText(asked);
        QVERIFY(text.find('\x1b') == std::string::npos && text.find('\r') == std::string::npos);
        QVERIFY(text.find("/a?b") != std::string::npos);
        QVERIFY(text.find("A=?[1A") != std::string::npos);
    }

private:
    static ExecQuestion question(const QString &commandLine)
    {
        ExecQuestion question;
        question.context = u"prod"_s;
        question.user = u"dba"_s;
        question.commandLine = commandLine;
        return question;
    }
    std::function<void(const std::string &)> say()
    {
        return [this](const std::string &text) { m_said.push_back(text); };
    }
    void hangUp()
    {
        if (m_pipe[1] >= 0)
            ::close(m_pipe[1]);
        m_pipe[1] = -1;
    }

    std::array<int, 2> m_pipe{-1, -1};
    std::vector<std::string> m_said;
};

QTEST_GUILESS_MAIN(TestTerminalConsent)
#include "tst_terminal_consent.moc"
