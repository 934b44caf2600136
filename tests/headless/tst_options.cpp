// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/options.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::headless;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

QStringList words(const char *line)
{
    return QString::fromLatin1(line).split(u' ', Qt::SkipEmptyParts);
}

} // namespace

Q_DECLARE_METATYPE(Options)

class TestOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void accepted_data()
    {
        QTest::addColumn<Options>("expected");
        const auto row = [](const char *line, auto set) {
            Options options;
            set(options);
            QTest::newRow(line) << options;
        };
        row("", [](Options &) {});
        row("list", [](Options &o) { o.command = Command::List; });
        row("members", [](Options &o) { o.command = Command::Members; });
        row("history", [](Options &o) { o.command = Command::History; });
        row("events", [](Options &o) { o.command = Command::Events; });
        row("requests", [](Options &o) { o.command = Command::Requests; });
        row("transitions", [](Options &o) { o.command = Command::Transitions; });
        row("--demo list", [](Options &o) {
            o.demo = true;
            o.command = Command::List;
        });
        row("list --kubeconfig /k --context a --context b -n x --namespace y --namespace=z", [](Options &o) {
            o.command = Command::List;
            o.kubeconfig = u"/k"_s;
            o.contexts = {u"a"_s, u"b"_s};
            o.namespaces = {u"x"_s, u"y"_s, u"z"_s};
        });
        row("-nx -n=y list", [](Options &o) {
            o.command = Command::List;
            o.namespaces = {u"x"_s, u"y"_s};
        });
        row("list -A", [](Options &o) {
            o.command = Command::List;
            o.allNamespaces = true;
        });
        row("list --all-namespaces --read-only", [](Options &o) {
            o.command = Command::List;
            o.allNamespaces = o.readOnly = true;
        });
        row("history --replay r.gz --at 2031-02-01T07:00:00+01:00 --cluster db/acme --cluster db/acme:2 --format csv --output o.csv",
            [](Options &o) {
                o.command = Command::History;
                o.replay = u"r.gz"_s;
                o.at = TimeSpec{parseInstant("2031-02-01T06:00:00Z").value()};
                o.clusters = {{"db", "acme", {}}, {"db", "acme", 2}};
                o.format = Format::Csv;
                o.output = u"o.csv"_s;
            });
        row("events --since 3d --until 15m --format=ndjson --follow --wait 2.5", [](Options &o) {
            o.command = Command::Events;
            o.since = TimeSpec{Duration(72h)};
            o.until = TimeSpec{Duration(15min)};
            o.format = Format::Ndjson;
            o.follow = true;
            o.wait = 2500ms;
        });
        row("list --format json --format md", [](Options &o) { // the last one wins
            o.command = Command::List;
            o.format = Format::Md;
        });
        row("--demo --read-only --screenshot p.png --page history --cluster db/acme --size 1400x900 --after 3 --dark", [](Options &o) {
            o.demo = o.readOnly = o.dark = true;
            o.screenshot = u"p.png"_s;
            o.page = u"history"_s;
            o.clusters = {{"db", "acme", {}}};
            o.size = QSize(1400, 900);
            o.after = 3s;
        });
        row("--replay r --at 30s --screenshot p.png", [](Options &o) {
            o.replay = u"r"_s;
            o.at = TimeSpec{Duration(30s)};
            o.screenshot = u"p.png"_s;
        });
        row("--help", [](Options &o) { o.help = true; });
        row("list -h", [](Options &o) {
            o.help = true;
            o.command = Command::List;
        });
        row("--version", [](Options &o) { o.version = true; });
    }

    void accepted()
    {
        QFETCH(Options, expected);
        const auto options = parseArguments(words(QTest::currentDataTag()));
        QVERIFY2(options.has_value(), options ? "" : describe(options.error()).c_str());
        QVERIFY(*options == expected);
    }

    void rejected_data()
    {
        QTest::addColumn<QString>("names"); // what the message must name
        const auto row = [](const char *line, const char *names) { QTest::newRow(line) << QString::fromLatin1(names); };
        row("--frobnicate", "--frobnicate");
        row("-x", "-x");
        row("lists", "lists");
        row("elections", "elections");
        row("preflight --cluster a/b", "preflight");
        row("list --archive f", "--archive");
        row("list members", "members");
        row("list --format", "--format");
        row("list --format xml", "xml");
        row("list --demo=yes", "--demo");
        row("list --cluster acme", "acme");
        row("list --cluster /acme", "/acme");
        row("list --cluster db/", "db/");
        row("list --cluster db/acme:x", "db/acme:x");
        row("list --cluster a/b/c", "a/b/c");
        row("list --wait soon", "soon");
        row("list --wait -1", "-1");
        row("events --since yesterday", "yesterday");
        row("events --since 2031-02-01T06:00:00", "offset");
        row("events --since 30", "30");
        row("events --since 1w", "1w");
        row("list --demo --replay f", "--replay");
        row("list --demo -n x", "--namespace");
        row("list --replay f --context c", "--context");
        row("list -A -n x", "--all-namespaces");
        row("list --at 30s", "--at");
        row("list --screenshot f", "--screenshot");
        row("list --dark", "--dark");
        row("list --page fleet", "--page");
        row("events --follow --format json", "json");
        row("events --follow --format table", "table");
        row("events --follow --output f", "--output");
        row("list --replay f --wait 3", "--wait");
        row("--format csv", "--format");
        row("--follow", "--follow");
        row("--output f", "--output");
        row("--page fleet", "--page");
        row("--cluster a/b", "--cluster");
        row("--screenshot f --page audit", "audit");
        row("--screenshot f --page home", "home");
        row("--screenshot f --size 10x10", "10x10");
        row("--screenshot f --size big", "big");
        row("--screenshot f --after x", "--after");
        row("--screenshot f --cluster a/b --cluster a/c", "--cluster");
        row("--replay r --screenshot f --after 1 --at 30s", "--after");
        row("--kubeconfig=", "--kubeconfig");
    }

    void rejected()
    {
        QFETCH(QString, names);
        const auto options = parseArguments(words(QTest::currentDataTag()));
        QVERIFY(!options.has_value());
        QVERIFY(options.error().kind == ErrorKind::BadInput);
        QVERIFY2(options.error().message.find(names.toStdString()) != std::string::npos, options.error().message.c_str());
    }

    void ago()
    {
        const Instant now = parseInstant("2031-02-01T06:00:00Z").value();
        QCOMPARE(formatUtc(parseTimeSpec("2h ago")->resolve(now)), std::string("2031-02-01T04:00:00.000000Z"));
        QCOMPARE(formatUtc(parseTimeSpec("90m")->resolve(now)), std::string("2031-02-01T04:30:00.000000Z"));
        QCOMPARE(formatUtc(parseTimeSpec("2031-01-01T00:00:00+02:00")->resolve(now)), std::string("2030-12-31T22:00:00.000000Z"));
        for (const char *bad : {"", "s", "-3s", "3", "3 s", "1.5h", "ago", "3s ago ago", "99999999999d", "now"})
            QVERIFY2(!parseTimeSpec(bad), bad);
    }

    void formatByDefault()
    {
        QVERIFY(parseArguments({u"list"_s})->formatOrDefault() == Format::Table);
        QVERIFY(parseArguments({u"list"_s, u"--follow"_s})->formatOrDefault() == Format::Ndjson);
    }

    void namespaces()
    {
        QCOMPARE(namespacesToWatch(*parseArguments({u"list"_s})), QStringList());
        QCOMPARE(namespacesToWatch(*parseArguments({u"list"_s, u"-A"_s})), QStringList{QString(u""_s)});
        QCOMPARE(namespacesToWatch(*parseArguments({u"list"_s, u"-n"_s, u"x"_s})), QStringList{u"x"_s});
    }

    // Each option and each command is explained.
    void helpIsComplete()
    {
        const QString help = helpText();
        for (const char *word : {"--kubeconfig",
                                 "--context",
                                 "-n, --namespace",
                                 "-A, --all-namespaces",
                                 "--demo",
                                 "--replay",
                                 "--read-only",
                                 "--screenshot",
                                 "--page",
                                 "--cluster",
                                 "--size",
                                 "--after",
                                 "--at",
                                 "--dark",
                                 "--format",
                                 "--since",
                                 "--until",
                                 "--follow",
                                 "--output",
                                 "--wait",
                                 "--help",
                                 "--version",
                                 "list",
                                 "members",
                                 "history",
                                 "events",
                                 "requests",
                                 "transitions"})
            QVERIFY2(help.contains(QLatin1String(word)), word);
    }
};

QTEST_APPLESS_MAIN(TestOptions)
#include "tst_options.moc"
