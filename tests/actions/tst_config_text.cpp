// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The dynamic configuration as text: nothing is lost on the way to JSON and back, and types are read as Patroni's PyYAML reads them.
#include "app/actions/config_text.h"
#include "tests/actions/config_cases.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;

namespace {

void addRows(const std::vector<ConfigCase> &cases, const std::vector<const char *> &columns)
{
    for (const char *column : columns)
        QTest::addColumn<std::string>(column);
    for (const ConfigCase &row : cases) {
        QTestData &data = QTest::newRow(row[0].c_str());
        for (std::size_t i = 0; i < columns.size(); ++i)
            data << (i + 1 < row.size() ? row[i + 1] : std::string());
    }
}

std::string shown(const std::vector<DiffLine> &diff)
{
    std::string all;
    for (const DiffLine &line : diff)
        all += (line.theirs ? "*" : "") + std::string(1, line.mark) + line.text + '\n';
    return all;
}

} // namespace

Q_DECLARE_METATYPE(std::string)

class TestConfigText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsWhatItDoesNotUnderstand_data() { addRows(keepsWhatItDoesNotUnderstandCases(), {"json"}); }

    void keepsWhatItDoesNotUnderstand()
    {
        QFETCH(std::string, json);
        QCOMPARE(QByteArray::fromStdString(compactJson(json).value()), QByteArray::fromStdString(json));
        QCOMPARE(compactJson(prettyJson(json).value()).value(), json);
        const std::string yaml = yamlFromJson(json).value();
        const auto back = jsonFromYaml(yaml);
        QVERIFY2(back.has_value(), (yaml + (back ? "" : describe(back.error()))).c_str());
        QCOMPARE(*back, json);
    }

    void yamlAsPeopleReadIt()
    {
        QCOMPARE(yamlFromJson(
                     R"({"ttl":30,"postgresql":{"parameters":{"wal_level":"replica","hot_standby":"on"},"pg_hba":["host all all all md5",)"
                     R"("local all all trust"]},"slots":{"x":{"type":"physical"}},"list":[{"a":1,"b":"c"}],"empty":{}})")
                     .value(),
                 std::string("ttl: 30\n"
                             "postgresql:\n"
                             "  parameters:\n"
                             "    wal_level: replica\n"
                             "    hot_standby: 'on'\n"
                             "  pg_hba:\n"
                             "  - host all all all md5\n"
                             "  - local all all trust\n"
                             "slots:\n"
                             "  x:\n"
                             "    type: physical\n"
                             "list:\n"
                             "- a: 1\n"
                             "  b: c\n"
                             "empty: {}\n"));
    }

    void yamlTypes_data() { addRows(yamlTypesCases(), {"yaml", "json"}); }

    void yamlTypes()
    {
        QFETCH(std::string, yaml);
        QFETCH(std::string, json);
        const auto read = jsonFromYaml(yaml);
        QVERIFY2(read.has_value(), read ? "" : describe(read.error()).c_str());
        QCOMPARE(*read, json);
    }

    void yamlMistakes_data() { addRows(yamlMistakesCases(), {"yaml", "where"}); }

    void yamlMistakes()
    {
        QFETCH(std::string, yaml);
        QFETCH(std::string, where);
        const auto read = jsonFromYaml(yaml);
        QVERIFY2(!read, read ? read->c_str() : "");
        QVERIFY(read.error().kind == ErrorKind::BadInput);
        QVERIFY(!read.error().message.empty());
        QCOMPARE(QByteArray::fromStdString(read.error().where), QByteArray::fromStdString(where));
    }

    void doesNotBreakOnHostileText()
    {
        QVERIFY(!compactJson(std::string(100000, '[')));
        QVERIFY(!jsonFromYaml(std::string(5000, '[')));
        std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
        for (char c = 'b'; c < 'k'; ++c)
            bomb += std::string(1, c) + ": &" + c + " [*" + std::string(1, static_cast<char>(c - 1)) + std::string(40, ' ') + "]\n";
        for (const char *wide :
             {"l: &l [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n", "m: &m [*l,*l,*l,*l,*l,*l,*l,*l,*l,*l]\n",
              "n: &n [*m,*m,*m,*m,*m,*m,*m,*m,*m,*m]\n", "o: &o [*n,*n,*n,*n,*n,*n,*n,*n,*n,*n]\n", "p: [*o,*o,*o,*o,*o,*o,*o,*o,*o,*o]\n"})
            bomb += wide;
        QVERIFY(!jsonFromYaml(bomb));
        QVERIFY(!compactJson("{\"a\":1}x"));
        QVERIFY(!compactJson("\xff"));
        QVERIFY(!compactJson(""));
        QVERIFY(!compactJson("{\"a\":NaN}"));
    }

    void repeatedKeysAsPythonReadsThem() { QCOMPARE(compactJson(R"({"a":1,"b":2,"a":3})").value(), std::string(R"({"a":3,"b":2})")); }

    void comments()
    {
        QVERIFY(hasYamlComments("ttl: 30 # seconds"));
        QVERIFY(hasYamlComments("# all\nttl: 30"));
        QVERIFY(!hasYamlComments("ttl: 30\nx: 'a # b'"));
    }

    void diff()
    {
        QCOMPARE(shown(lineDiff("a\nb\nc\nd\n", "a\nx\nc\ne\n")), std::string(" a\n-b\n+x\n c\n-d\n+e\n"));
        QCOMPARE(shown(lineDiff("", "a\n")), std::string("+a\n"));
        QCOMPARE(shown(lineDiff("a\n", "a\n")), std::string(" a\n"));
        QCOMPARE(shown(configDiff(R"({"ttl":30,"loop_wait":10})", R"({"ttl":40,"loop_wait":10,"pause":true})")),
                 std::string("-ttl: 30\n+ttl: 40\n loop_wait: 10\n+pause: true\n"));
        // Too much to compare line by line: nothing is lost all the same.
        std::string a, b;
        for (int i = 0; i < 3000; ++i) {
            a += "a" + std::to_string(i) + '\n';
            b += "b" + std::to_string(i) + '\n';
        }
        QCOMPARE(lineDiff(a, b).size(), std::size_t(6000));
    }

    // Whose line each one is: before, as others have made it, as it is planned.
    void diffOfThree_data()
    {
        QTest::addColumn<std::string>("before");
        QTest::addColumn<std::string>("stored");
        QTest::addColumn<std::string>("planned");
        QTest::addColumn<std::string>("lines");
        const auto row = [](const char *name, const char *before, const char *stored, const char *planned, const char *lines) {
            QTest::newRow(name) << std::string(before) << std::string(stored) << std::string(planned) << std::string(lines);
        };
        row("only mine", R"({"a":1,"b":2})", R"({"a":1,"b":2})", R"({"a":1,"b":3})", " a: 1\n-b: 2\n+b: 3\n");
        row("only theirs", R"({"a":1,"b":2})", R"({"a":5,"b":2})", R"({"a":5,"b":2})", "*-a: 1\n*+a: 5\n b: 2\n");
        row("both", R"({"a":1,"b":2})", R"({"a":5,"b":2})", R"({"a":5,"b":3})", "*-a: 1\n*+a: 5\n-b: 2\n+b: 3\n");
        row("neighbours", R"({"a":1,"b":2,"c":3})", R"({"a":1,"b":5,"c":3})", R"({"a":1,"b":5,"x":9,"c":3})",
            " a: 1\n*-b: 2\n*+b: 5\n+x: 9\n c: 3\n");
        row("I take away what they added", R"({"a":1})", R"({"a":1,"b":5})", R"({"a":1})", " a: 1\n-b: 5\n");
        row("I set otherwise what they set", R"({"a":1})", R"({"a":2})", R"({"a":3})", "*-a: 1\n-a: 2\n+a: 3\n");
        row("they took away the last", R"({"a":1,"b":2})", R"({"a":1})", R"({"a":4})", "-a: 1\n*-b: 2\n+a: 4\n");
        row("the same line twice", R"({"p":{"x":1},"q":{"y":2}})", R"({"p":{"x":1},"q":{"y":2,"x":1}})",
            R"({"p":{"x":1,"z":3},"q":{"y":2,"x":1}})", " p:\n   x: 1\n+  z: 3\n q:\n   y: 2\n*+  x: 1\n");
    }

    void diffOfThree()
    {
        QFETCH(std::string, before);
        QFETCH(std::string, stored);
        QFETCH(std::string, planned);
        QFETCH(std::string, lines);
        QCOMPARE(shown(configDiff(before, stored, planned)), lines);
    }

    void patch_data() { addRows(patchCases(), {"config", "change", "result"}); }

    void patch()
    {
        QFETCH(std::string, config);
        QFETCH(std::string, change);
        QFETCH(std::string, result);
        QCOMPARE(patchConfig(config, change).value(), result);
    }

    void pause()
    {
        QCOMPARE(withPause(R"({"ttl":30})", true).value(), std::string(R"({"ttl":30,"pause":true})"));
        QCOMPARE(withPause(R"({"pause":"off","ttl":30})", true).value(), std::string(R"({"pause":true,"ttl":30})"));
        QCOMPARE(withPause(R"({"pause":true,"ttl":30})", false).value(), std::string(R"({"ttl":30})"));
        QVERIFY(!withPause("[]", true));
        QVERIFY(!withPause("", false));
    }

    void merge_data() { addRows(mergeCases(), {"base", "mine", "theirs", "result", "conflicts"}); }

    void merge()
    {
        QFETCH(std::string, base);
        QFETCH(std::string, mine);
        QFETCH(std::string, theirs);
        QFETCH(std::string, result);
        QFETCH(std::string, conflicts);
        const ConfigMerge merged = mergeConfig(base, mine, theirs).value();
        QCOMPARE(merged.json, result);
        std::string paths;
        for (const ConfigConflict &c : merged.conflicts)
            paths += (paths.empty() ? "" : ",") + c.path;
        QCOMPARE(paths, conflicts);
        QCOMPARE(merged.changes, result != theirs);
    }

    void mergeTellsWhatStands()
    {
        const ConfigMerge merged = mergeConfig(R"({"a":1,"b":1})", R"({"b":1})", R"({"a":{"x":2},"b":2})").value();
        const std::vector<ConfigConflict> conflicts{{"a", "1", {}, R"({"x":2})"}};
        QVERIFY(merged.conflicts == conflicts);
        QVERIFY((merged.theirChanges == std::vector<std::string>{"a", "b"}));
        QVERIFY(!mergeConfig("", "{}", "{}"));
        QVERIFY(!mergeConfig("{}", "[]", "{}"));
        QVERIFY(!mergeConfig("{}", "{}", "nothing"));
    }
};

QTEST_APPLESS_MAIN(TestConfigText)
#include "tst_config_text.moc"
