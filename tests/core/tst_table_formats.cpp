// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/table_formats.h"
#include "models/core/table_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>

using namespace switchyard;
using namespace switchyard::tables;

namespace {

// One column of each type; a full row, a row of unknowns, and one of awkward texts.
Table sample()
{
    Table t;
    t.columns = {{"name", CellType::Text}, {"n", CellType::Integer},  {"lsn", CellType::Unsigned},
                 {"s", CellType::Real},    {"ok", CellType::Boolean}, {"at", CellType::Time}};
    t.rows.push_back({std::string("a"), std::int64_t(-3), std::uint64_t(18446744073709551615U), 1.25, true,
                      parseInstant("2031-02-01T06:00:11.402917+00:00").value()});
    t.rows.push_back({Cell(), Cell(), Cell(), Cell(), Cell(), Cell()});
    t.rows.push_back(
        {std::string("q\"c,n\nt\tb\\p|"), std::int64_t(0), std::uint64_t(0), 0.0, false, parseInstant("2031-02-01T06:00:11Z").value()});
    return t;
}

QString text(const std::string &bytes)
{
    return QString::fromStdString(bytes);
}

} // namespace

class TestTableFormats : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void golden_data()
    {
        QTest::addColumn<QString>("expected");
        QTest::newRow("csv") << QStringLiteral("name,n,lsn,s,ok,at\r\n"
                                               "a,-3,18446744073709551615,1.25,true,2031-02-01T06:00:11.402917Z\r\n"
                                               ",,,,,\r\n"
                                               "\"q\"\"c,n\nt\tb\\p|\",0,0,0,false,2031-02-01T06:00:11.000000Z\r\n");
        QTest::newRow("tsv") << QStringLiteral("name\tn\tlsn\ts\tok\tat\n"
                                               "a\t-3\t18446744073709551615\t1.25\ttrue\t2031-02-01T06:00:11.402917Z\n"
                                               "\t\t\t\t\t\n"
                                               "q\"c,n\\nt\\tb\\\\p|\t0\t0\t0\tfalse\t2031-02-01T06:00:11.000000Z\n");
        const QString objects[] = {
            QString::fromLatin1(R"({"name":"a","n":-3,"lsn":18446744073709551615,"s":1.25,"ok":true,"at":"2031-02-01T06:00:11.402917Z"})"),
            QString::fromLatin1(R"({"name":null,"n":null,"lsn":null,"s":null,"ok":null,"at":null})"),
            QStringLiteral(
                "{\"name\":\"q\\\"c,n\\nt\\tb\\\\p|\",\"n\":0,\"lsn\":0,\"s\":0,\"ok\":false,\"at\":\"2031-02-01T06:00:11.000000Z\"}"),
        };
        QTest::newRow("json") << QString(u'[' + QStringLiteral("\n") + objects[0] + QStringLiteral(",\n") + objects[1]
                                         + QStringLiteral(",\n") + objects[2] + QStringLiteral("\n]\n"));
        QTest::newRow("ndjson") << QString(objects[0] + u'\n' + objects[1] + u'\n' + objects[2] + u'\n');
        QTest::newRow("md") << QStringLiteral("| name | n | lsn | s | ok | at |\n"
                                              "| --- | ---: | ---: | ---: | --- | --- |\n"
                                              "| a | -3 | 18446744073709551615 | 1.25 | true | 2031-02-01T06:00:11.402917Z |\n"
                                              "| - | - | - | - | - | - |\n"
                                              "| q\"c,n\\\\x0at\\\\x09b\\\\p\\| | 0 | 0 | 0 | false | 2031-02-01T06:00:11.000000Z |\n");
        QTest::newRow("table") << QStringLiteral(
            "name                 n                   lsn     s  ok     at\n"
            "a                   -3  18446744073709551615  1.25  true   2031-02-01T06:00:11.402917Z\n"
            "-                    -                     -     -  -      -\n"
            "q\"c,n\\x0at\\x09b\\p|   0                     0     0  false  2031-02-01T06:00:11.000000Z\n");
    }

    void golden()
    {
        QFETCH(QString, expected);
        const Format f = formatFromCode(QTest::currentDataTag()).value();
        QCOMPARE(text(format(sample(), f)), expected);
    }

    void emptyTables_data()
    {
        QTest::addColumn<QString>("expected");
        QTest::newRow("csv") << QStringLiteral("name\r\n");
        QTest::newRow("tsv") << QStringLiteral("name\n");
        QTest::newRow("json") << QStringLiteral("[]\n");
        QTest::newRow("ndjson") << QString();
        QTest::newRow("md") << QStringLiteral("| name |\n| --- |\n");
        QTest::newRow("table") << QStringLiteral("name\n");
    }

    void emptyTables()
    {
        QFETCH(QString, expected);
        QCOMPARE(text(format({{{"name", CellType::Text}}, {}}, formatFromCode(QTest::currentDataTag()).value())), expected);
    }

    void csvFields_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("field");
        const auto row = [](const char *name, const char *value, const char *field) {
            QTest::newRow(name) << QByteArray(value) << QByteArray(field);
        };
        row("plain", "acme-1", "acme-1");
        row("blanks are kept", " a ", " a ");
        row("comma", "a,b", "\"a,b\"");
        row("quote", "a\"b", "\"a\"\"b\"");
        row("only a quote", "\"", "\"\"\"\"");
        row("line feed", "a\nb", "\"a\nb\"");
        row("carriage return", "a\rb", "\"a\rb\"");
        row("line end", "a\r\nb", "\"a\r\nb\"");
        row("quoted in quotes", "\"a\"", "\"\"\"a\"\"\"");
        row("UTF-8", "z\xc3\xbcrich", "z\xc3\xbcrich");
        row("empty", "", "");
    }

    void csvFields()
    {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, field);
        QCOMPARE(QByteArray::fromStdString(csvField(value.toStdString())), field);
    }

    void jsonStrings_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("json");
        const auto row = [](const char *name, const QByteArray &value, const char *json) {
            QTest::newRow(name) << value << QByteArray(json);
        };
        row("UTF-8", "\xf0\x9f\x90\x98", "\"\xf0\x9f\x90\x98\"");
        row("controls", QByteArray("\x01\x1f\x7f\0", 4), "\"\\u0001\\u001f\\u007f\\u0000\"");
        row("stray byte",
            "a\xff"
            "b",
            "\"a\xef\xbf\xbd"
            "b\"");
        row("cut sequence", "\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
        row("overlong", "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
        row("surrogate", "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
        row("too large", "\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    }

    void jsonStrings()
    {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, json);
        QCOMPARE(QByteArray::fromStdString(jsonString(value.toStdString())), json);
    }

    // What a spreadsheet would calculate does not reach it as such; what is a number stays one.
    void formulas_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("csv");
        QTest::addColumn<QByteArray>("tsv");
        const auto row = [](const char *name, const char *value, const char *csv, const char *tsv) {
            QTest::newRow(name) << QByteArray(value) << QByteArray(csv) << QByteArray(tsv);
        };
        row("equals", "=1+1", "'=1+1", "'=1+1");
        row("a call", "=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"", "'=HYPERLINK(\"http://x\",\"y\")");
        row("plus", "+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0");
        row("minus", "-2+3", "'-2+3", "'-2+3");
        row("at", "@SUM(A1)", "'@SUM(A1)", "'@SUM(A1)");
        row("tab", "\t=1", "'\t=1", "'\\t=1");
        row("carriage return", "\r=1", "\"'\r=1\"", "'\\r=1");
        row("line feed", "\n=1", "\"'\n=1\"", "'\\n=1");
        row("full width", "\uFF1D1", "'\uFF1D1", "'\uFF1D1");
        row("negative number", "-3", "-3", "-3");
        row("signed number", "+4.25", "+4.25", "+4.25");
        row("not quite a number", "-3.", "'-3.", "'-3.");
        row("a dash", "-", "'-", "'-");
        row("within", "a=1", "a=1", "a=1");
        row("empty", "", "", "");
    }

    void formulas()
    {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, csv);
        QFETCH(QByteArray, tsv);
        const std::vector<Column> columns{{"v", CellType::Text}};
        const Row cells{value.toStdString()};
        QCOMPARE(QByteArray::fromStdString(streamRow(columns, cells, Format::Csv)), QByteArray(csv + "\r\n"));
        QCOMPARE(QByteArray::fromStdString(streamRow(columns, cells, Format::Tsv)), QByteArray(tsv + '\n'));
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(streamRow(columns, cells, Format::Ndjson)));
        QCOMPARE(json.object().value(QStringLiteral("v")).toString().toUtf8(), value); // for programs: as it is
    }

    void numbersAreNoFormulas()
    {
        const std::vector<Column> columns{{"n", CellType::Integer}, {"s", CellType::Real}};
        QCOMPARE(text(streamRow(columns, {std::int64_t(-7), -1.5}, Format::Csv)), QStringLiteral("-7,-1.5\r\n"));
    }

    void markdownIsNoMarkup()
    {
        const Table t{{{"v", CellType::Text}}, {{std::string("<b>*x*</b> `y` [z](javascript:1) | \\")}}};
        QCOMPARE(text(format(t, Format::Md)),
                 QStringLiteral("| v |\n| --- |\n| \\<b>\\*x\\*\\</b> \\`y\\` \\[z](javascript:1) \\| \\\\ |\n"));
    }

    // Whatever the bytes, the array is JSON that another parser reads.
    void jsonIsRead()
    {
        Table t{{{"v", CellType::Text}}, {}};
        for (int byte = 0; byte < 256; ++byte)
            t.rows.push_back({std::string(3, static_cast<char>(byte))});
        QJsonParseError error{};
        const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(format(t, Format::Json)), &error);
        QCOMPARE(error.error, QJsonParseError::NoError);
        QCOMPARE(document.array().size(), 256);
        QCOMPARE(document.array().at(27).toObject().value(QStringLiteral("v")).toString(), QStringLiteral("\x1b\x1b\x1b"));
    }

    void numbers()
    {
        QCOMPARE(text(cellText(0.1).value()), QStringLiteral("0.1"));
        QCOMPARE(text(cellText(0.000001).value()), QStringLiteral("0.000001"));
        QCOMPARE(text(cellText(1e15).value()), QStringLiteral("1000000000000000"));
        QVERIFY(!cellText(std::numeric_limits<double>::quiet_NaN()));
        QVERIFY(!cellText(std::numeric_limits<double>::infinity()));
        QCOMPARE(text(format({{{"s", CellType::Real}}, {{std::numeric_limits<double>::infinity()}}}, Format::Ndjson)),
                 QStringLiteral("{\"s\":null}\n"));
    }

    // A name in an annotation must not be able to command the terminal.
    void terminalIsSafe()
    {
        const Table t{{{"v", CellType::Text}}, {{std::string("\x1b[31m\x7f\xc2\x9b\xff")}}};
        QCOMPARE(text(format(t, Format::Table)), QStringLiteral("v\n\\x1b[31m\\x7f\\x9b\\xff\n"));
    }

    void codes()
    {
        for (const Format f : {Format::Table, Format::Json, Format::Ndjson, Format::Csv, Format::Tsv, Format::Md, Format::Xlsx})
            QVERIFY(formatFromCode(code(f)) == f);
        QVERIFY(!formatFromCode("xml"));
        QVERIFY(!formatFromCode("CSV"));
    }
};

QTEST_APPLESS_MAIN(TestTableFormats)
#include "tst_table_formats.moc"
