// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/line_splitter.h"

#include <QTest>

using switchyard::kube::LineSplitter;

class TestLineSplitter : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cutAnywhere();
    void byteByByte();
    void lineEnds();
    void cap_data();
    void cap();
};

static const QByteArray sample = "{\"a\":1}\n\n{\"b\":\"x y\"}\r\nplain\n{\"last\":true}\nrest without end";
static const QByteArrayList expected{"{\"a\":1}", "", "{\"b\":\"x y\"}", "plain", "{\"last\":true}"};

void TestLineSplitter::cutAnywhere()
{
    for (qsizetype a = 0; a <= sample.size(); ++a) {
        for (qsizetype b = a; b <= sample.size(); ++b) {
            LineSplitter splitter(100);
            QByteArrayList lines = splitter.feed(sample.left(a));
            lines += splitter.feed(sample.mid(a, b - a));
            lines += splitter.feed(sample.mid(b));
            QCOMPARE(lines, expected);
            QCOMPARE(splitter.pending(), qsizetype(16));
        }
    }
}

void TestLineSplitter::byteByByte()
{
    LineSplitter splitter(100);
    QByteArrayList lines;
    for (const char c : sample)
        lines += splitter.feed(QByteArray(1, c));
    QCOMPARE(lines, expected);
    QVERIFY(!splitter.tooLong());
}

void TestLineSplitter::lineEnds()
{
    LineSplitter splitter(100);
    QCOMPARE(splitter.feed("one\r"), QByteArrayList());
    QCOMPARE(splitter.feed("\ntwo\n"), (QByteArrayList{"one", "two"}));
    QCOMPARE(splitter.feed({}), QByteArrayList());
}

void TestLineSplitter::cap_data()
{
    QTest::addColumn<QByteArrayList>("parts");
    QTest::addColumn<QByteArrayList>("lines");
    QTest::addColumn<bool>("tooLong");
    QTest::newRow("at the cap") << QByteArrayList{"12345678\n"} << QByteArrayList{"12345678"} << false;
    QTest::newRow("over, complete") << QByteArrayList{"ok\n123456789\nlater\n"} << QByteArrayList{"ok"} << true;
    QTest::newRow("over, growing") << QByteArrayList{"1234", "5678", "9", "\nlater\n"} << QByteArrayList() << true;
    QTest::newRow("many short ones") << QByteArrayList{"1234567\n1234567\n1234567\n"} << QByteArrayList{"1234567", "1234567", "1234567"}
                                     << false;
}

void TestLineSplitter::cap()
{
    QFETCH(QByteArrayList, parts);
    QFETCH(QByteArrayList, lines);
    QFETCH(bool, tooLong);
    LineSplitter splitter(8);
    QByteArrayList got;
    for (const QByteArray &part : parts)
        got += splitter.feed(part);
    QCOMPARE(got, lines);
    QCOMPARE(splitter.tooLong(), tooLong);
}

QTEST_APPLESS_MAIN(TestLineSplitter)
#include "tst_line_splitter.moc"
