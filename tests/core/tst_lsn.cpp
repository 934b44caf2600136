// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/lsn.h"
#include "models/core/object.h"

#include <QTest>

using namespace switchyard;

Q_DECLARE_METATYPE(std::optional<std::uint64_t>)
Q_DECLARE_METATYPE(std::optional<std::int64_t>)

class TestLsn : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void positions_data()
    {
        QTest::addColumn<quint64>("lsn");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("zero") << quint64(0) << QByteArray("0/0");
        QTest::newRow("usual") << quint64(668991488) << QByteArray("0/27E00000");
        QTest::newRow("both halves") << quint64(0xA00000003) << QByteArray("A/3");
        QTest::newRow("2^53 + 1") << quint64(9007199254740993) << QByteArray("200000/1");
        QTest::newRow("largest") << ~quint64(0) << QByteArray("FFFFFFFF/FFFFFFFF");
    }
    void positions()
    {
        QFETCH(quint64, lsn);
        QFETCH(QByteArray, text);
        QCOMPARE(QByteArray::fromStdString(formatLsn(lsn)), text);
        QVERIFY(parseLsn(text.toStdString()) == Lsn(lsn));
        QVERIFY(parseLsn(text.toLower().toStdString()) == Lsn(lsn));
    }

    void noPositions_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"", "/", "0/", "/0", "0", "0/0/0", "G/0", "123456789/0", "0/123456789", "-1/0", "+1/0", " 0/0", "0x1/0"})
            QTest::newRow(text) << QByteArray(text);
    }
    void noPositions()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!parseLsn(text.toStdString()));
    }

    void integers_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<std::optional<std::int64_t>>("number");
        QTest::addColumn<std::optional<std::uint64_t>>("natural");
        using I = std::optional<std::int64_t>;
        using U = std::optional<std::uint64_t>;
        const auto row = [](const char *text, I i, U u) { QTest::newRow(text) << QByteArray(text) << i << u; };
        row("30", 30, 30U);
        row(" 30\t\n", 30, 30U);
        row("007", 7, 7U);
        row("+7", 7, {});
        row("-7", -7, {});
        row("0", 0, 0U);
        row("9223372036854775807", INT64_MAX, U(9223372036854775807ULL));
        row("9223372036854775808", {}, U(9223372036854775808ULL));
        row("-9223372036854775808", INT64_MIN, {});
        row("18446744073709551615", {}, UINT64_MAX);
        row("18446744073709551616", {}, {});
        for (const char *text : {"", " ", "15.5", "abc", "1e3", "+-5", "--5", "+", "-", "1 2", "0x10", "1_000", "\xEF\xBC\x95"})
            row(text, {}, {});
    }
    void integers()
    {
        QFETCH(QByteArray, text);
        QFETCH(std::optional<std::int64_t>, number);
        QFETCH(std::optional<std::uint64_t>, natural);
        QVERIFY(parseInteger(text.toStdString()) == number);
        QVERIFY(parseUnsigned(text.toStdString()) == natural);
    }

    void versions()
    {
        using Order = std::strong_ordering;
        QVERIFY(compareVersions("9", "10") == Order::less);
        QVERIFY(compareVersions("10", "9") == Order::greater);
        QVERIFY(compareVersions("010", "10") == Order::equal);
        QVERIFY(compareVersions("0", "00") == Order::equal);
        QVERIFY(compareVersions("99999999999999999998", "99999999999999999999") == Order::less);
        QVERIFY(!compareVersions("", "1"));
        QVERIFY(!compareVersions("1", "abc"));
        QVERIFY(!compareVersions("-1", "1"));
    }

    void resources()
    {
        for (const Resource r : {Resource::Endpoints, Resource::ConfigMaps, Resource::Pods, Resource::Leases})
            QVERIFY(resourceFromCode(code(r)) == r);
        QVERIFY(!resourceFromCode("Pods"));
        QVERIFY(!resourceFromCode(""));
    }
};

QTEST_APPLESS_MAIN(TestLsn)
#include "tst_lsn.moc"
