// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/connection_options.h"

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
        row("elections --all-leases", [](Options &o) {
            o.command = Command::Elections;
            o.allLeases = true;
        });
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
        row("--cluster db/acme --cluster db/ledger", [](Options &o) { // a window: read one by one where lists are forbidden
            o.clusters = {{"db", "acme", {}}, {"db", "ledger", {}}};
        });
        row("--demo --read-only --screenshot p.png --page history --cluster db/acme --size 1400x900 --after 3 --dark", [](Options &o) {
            o.demo = o.readOnly = o.dark = true;
            o.screenshot = u"p.png"_s;
            o.page = u"history"_s;
            o.clusters = {{"db", "acme", {}}};
            o.size = QSize(1400, 900);
            o.after = 3s;
        });
        row("events --archive a.sqlite --since 2d --follow", [](Options &o) {
            o.command = Command::Events;
            o.archive = u"a.sqlite"_s;
            o.since = TimeSpec{Duration(std::chrono::hours(48))};
            o.follow = true;
        });
        row("--archive a.sqlite --archive-keep 400d --archive-max 2GiB", [](Options &o) {
            o.archive = u"a.sqlite"_s;
            o.archiveKeep = std::chrono::hours(9600);
            o.archiveMost = 2147483648LL;
        });
        row("--archive-keep 0 --archive-max 0", [](Options &o) {
            o.archiveKeep = std::chrono::hours(0);
            o.archiveMost = 0;
        });
        row("import --archive a.sqlite --from b.sqlite", [](Options &o) {
            o.command = Command::Import;
            o.archive = u"a.sqlite"_s;
            o.from = u"b.sqlite"_s;
        });
        row("dossier --cluster db/acme --transition t1 --archive a.sqlite --format html --output o.html", [](Options &o) {
            o.command = Command::Dossier;
            o.clusters = {{"db", "acme", {}}};
            o.transition = u"t1"_s;
            o.archive = u"a.sqlite"_s;
            o.html = true;
            o.output = u"o.html"_s;
        });
        row("dossier --demo --cluster db/acme --format html --format json", [](Options &o) { // the last one wins
            o.command = Command::Dossier;
            o.demo = true;
            o.clusters = {{"db", "acme", {}}};
            o.format = Format::Json;
        });
        row("--no-archive", [](Options &o) { o.noArchive = true; });
        row("--replay r --at 30s --screenshot p.png", [](Options &o) {
            o.replay = u"r"_s;
            o.at = TimeSpec{Duration(30s)};
            o.screenshot = u"p.png"_s;
        });
        row("list -s https://h:6443/k8s --token abc --as boss --as-group a --as-group=b --as-group a --certificate-authority ca.crt",
            [](Options &o) {
                o.command = Command::List;
                o.overrides = {.server = u"https://h:6443/k8s"_s,
                               .certificateAuthority = u"ca.crt"_s,
                               .asUser = u"boss"_s,
                               .token = "abc",
                               .asGroups = {u"a"_s, u"b"_s}};
            });
        row("--server=https://h --insecure-skip-tls-verify --trust-exec", [](Options &o) {
            o.overrides.server = u"https://h"_s;
            o.overrides.insecureSkipTlsVerify = o.trustExec = true;
        });
        row("--insecure-skip-tls-verify=true -A", [](Options &o) { o.overrides.insecureSkipTlsVerify = o.allNamespaces = true; });
        row("--insecure-skip-tls-verify=false --all-namespaces=false", [](Options &) {});
        row("list --poll 2.5 --bypass-api-service --api-server https://a:6443 --api-server=https://b:6443/ --request-timeout 1m",
            [](Options &o) {
                o.command = Command::List;
                o.poll = 2500ms;
                o.bypassApiService = true;
                o.apiServers = {u"https://a:6443"_s, u"https://b:6443/"_s};
                o.requestTimeout = 1min;
            });
        row("--context a --context b --as boss", [](Options &o) {
            o.contexts = {u"a"_s, u"b"_s};
            o.overrides.asUser = u"boss"_s;
        });
        for (const char *page : {"contexts", "permissions"}) {
            Options options;
            options.screenshot = u"f"_s;
            options.page = QString::fromLatin1(page);
            QTest::newRow(QByteArray(QByteArray("--screenshot f --page ") + page).constData()) << options;
        }
        row("preflight --cluster db/acme --kind failover --candidate acme-2 --format json", [](Options &o) {
            o.command = Command::Preflight;
            o.clusters = {{"db", "acme", {}}};
            o.kind = u"failover"_s;
            o.candidate = u"acme-2"_s;
            o.format = Format::Json;
        });
        row("preflight --demo --cluster db/acme:1 --leader acme-1 --scheduled 2031-02-01T07:00:00+01:00 --wait 30", [](Options &o) {
            o.command = Command::Preflight;
            o.demo = true;
            o.clusters = {{"db", "acme", 1}};
            o.leader = u"acme-1"_s;
            o.scheduled = parseInstant("2031-02-01T06:00:00Z").value();
            o.wait = 30s;
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
        row("list --all-leases", "--all-leases");
        row("--all-leases", "--all-leases");
        row("elections --archive f", "elections");
        row("preflight", "--cluster");
        row("preflight --cluster a/b --cluster a/c", "--cluster");
        row("preflight --cluster a/b --follow", "--follow");
        row("preflight --cluster a/b --since 1h", "--since");
        row("preflight --cluster a/b --kind reboot", "--kind");
        row("preflight --cluster a/b --kind failover --leader m", "--leader");
        row("preflight --cluster a/b --scheduled 2h", "--scheduled");
        row("preflight --cluster a/b --scheduled 2031-02-01T06:00:00", "--scheduled");
        row("list --candidate m", "--candidate");
        row("--scheduled 2031-02-01T06:00:00Z", "--scheduled");
        row("dossier", "--cluster");
        row("dossier --cluster a/b --cluster a/c", "--cluster");
        row("dossier --cluster a/b --format csv", "csv");
        row("dossier --cluster a/b --follow", "--follow");
        row("dossier --cluster a/b --since 1h", "--since");
        row("list --transition t", "--transition");
        row("events --format html", "--format");
        row("--format html", "--format");
        row("import", "--from");
        row("import --from f --demo", "--demo");
        row("import --from f --archive g --replay r", "--replay");
        row("import --from f --context c", "--context");
        row("import --from f --token t", "--token");
        row("import --from f --output o", "--output");
        row("import --from f --page fleet", "--page");
        row("events --from f", "--from");
        row("--from f", "--from");
        row("list --archive f", "--archive");
        row("events --archive f --demo", "--archive");
        row("events --archive f --context c", "--context");
        row("events --archive f --wait 3", "--wait");
        row("events --no-archive", "--no-archive");
        row("events --archive-keep 3d", "--archive-keep");
        row("--archive f --replay r", "--archive");
        row("--no-archive --archive f", "--no-archive");
        row("--archive-keep 3w", "--archive-keep");
        row("--archive-max 2GB", "--archive-max");
        row("--archive-max 0GiB", "--archive-max");
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
        row("events --since 10s --until 20s", "--until is before --since");
        row("history --archive a --since 2031-02-01T06:00:01Z --until 2031-02-01T07:00:00+01:00", "--until is before --since");
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
        row("list --format xlsx", "--output");
        row("events --follow --format xlsx", "xlsx");
        row("list --replay f --wait 3", "--wait");
        row("--format csv", "--format");
        row("--follow", "--follow");
        row("--output f", "--output");
        row("--page fleet", "--page");
        row("--screenshot f --page home", "home");
        row("--screenshot f --page nope", "dossier");
        row("--demo --archive f", "--archive");
        row("--screenshot p --archive f", "--archive");
        row("--screenshot f --size 10x10", "10x10");
        row("--screenshot f --size big", "big");
        row("--screenshot f --after x", "--after");
        row("--screenshot f --cluster a/b --cluster a/c", "--cluster");
        row("--replay r --screenshot f --after 1 --at 30s", "--after");
        row("--kubeconfig=", "--kubeconfig");
        row("--server h:6443", "--server");
        row("--server https://", "--server");
        row("--token=", "--token");
        row("--as=", "--as");
        row("--as-group=", "--as-group");
        row("--certificate-authority=", "--certificate-authority");
        row("--insecure-skip-tls-verify=perhaps", "--insecure-skip-tls-verify");
        row("--insecure-skip-tls-verify --certificate-authority f", "--insecure-skip-tls-verify");
        row("--request-timeout soon", "soon");
        row("--poll 0", "--poll");
        row("--poll 1d", "--poll");
        row("--api-server https://h:6443/path", "--api-server");
        row("--api-server h", "--api-server");
        row("--api-server http://h:8080", "--api-server");
        row("--context a --context b --api-server https://h:6443", "--api-server");
        row("--poll 31", "--poll");
        row("--context a --context b --token t", "--token");
        row("--context a --context b --server https://h", "--server");
        row("--trust-exec=yes", "--trust-exec");
        for (const char *option :
             {"--as a", "--as-group a", "--server https://h", "--token t", "--certificate-authority f", "--insecure-skip-tls-verify",
              "--request-timeout 5s", "--trust-exec", "--poll 5", "--bypass-api-service", "--api-server https://h"}) {
            const QByteArray name = QByteArray(option).split(' ').first();
            for (const char *source : {"--demo ", "--replay f ", "list --demo ", "list --replay f "})
                QTest::newRow(QByteArray(QByteArray(source) + option).constData()) << QString::fromLatin1(name);
        }
    }

    void rejected()
    {
        QFETCH(QString, names);
        const auto options = parseArguments(words(QTest::currentDataTag()));
        QVERIFY(!options.has_value());
        QVERIFY(options.error().kind == ErrorKind::BadInput);
        QVERIFY2(options.error().message.find(names.toStdString()) != std::string::npos, options.error().message.c_str());
    }

    // What may hold a secret is not said again on stderr.
    void secretsAreNotQuoted()
    {
        for (const char *line : {"--server https://me:sEcReT@h", "--server ftp://sEcReT", "--api-server https://me:sEcReT@h"}) {
            const auto options = parseArguments(words(line));
            QVERIFY(!options.has_value());
            QVERIFY2(options.error().message.find("sEcReT") == std::string::npos, options.error().message.c_str());
        }
        const auto token = parseArguments({u"--token"_s, u"sEcReT with blanks"_s});
        QVERIFY(!token.has_value());
        QVERIFY(token.error().message.find("sEcReT") == std::string::npos);
    }

    void timeouts_data()
    {
        QTest::addColumn<qint64>("milliseconds"); // -1: refused
        const auto row = [](const char *text, qint64 ms) { QTest::newRow(text) << ms; };
        row("5s", 5000);
        row("1m", 60'000);
        row("2h", 7'200'000);
        row("1h30m", 5'400'000);
        row("500ms", 500);
        row("1.5h", 5'400'000);
        row("30", 30'000);
        row("0", 0);
        row("0s", 0);
        for (const char *bad : {"", "x", "1d", "-5s", "-3", "5 s", "s", "1.5", "5sx", "99999h", "1e3"})
            row(bad, -1);
    }

    void timeouts()
    {
        QFETCH(qint64, milliseconds);
        const auto options = parseArguments({u"--request-timeout="_s + QString::fromLatin1(QTest::currentDataTag())});
        QCOMPARE(options.has_value(), milliseconds >= 0);
        if (options)
            QCOMPARE(qint64(options->requestTimeout->count()), milliseconds);
    }

    void connectionOptionsOfTheCommandLine()
    {
        const auto options = parseArguments(words("list -n x -n y --cluster db/acme --cluster db/citus:2 --poll 5 --bypass-api-service "
                                                  "--api-server https://a:6443 --request-timeout 30"));
        QVERIFY(options.has_value());
        ConnectionOptions expected(QStringList{u"x"_s, u"y"_s});
        expected.named = {{u"db"_s, u"acme"_s, std::nullopt}, {u"db"_s, u"citus"_s, u"2"_s}};
        expected.poll = 5s;
        expected.bypassApiService = true;
        expected.apiServers = {u"https://a:6443"_s};
        expected.requestTimeout = 30s;
        expected.elections = false;
        QVERIFY(connectionOptions(*options) == expected);
    }

    // Leases are watched where somebody wants to know: the window does.
    void leasesAreWatched_data()
    {
        QTest::addColumn<bool>("watched");
        QTest::newRow("") << true;
        QTest::newRow("elections") << true;
        QTest::newRow("events --follow") << true;
        QTest::newRow("transitions --wait 3") << true;
        QTest::newRow("list --follow --record f") << true;
        QTest::newRow("events") << false;
        QTest::newRow("list --follow") << false;
        QTest::newRow("members") << false;
    }

    void leasesAreWatched()
    {
        QFETCH(bool, watched);
        const auto options = parseArguments(words(QTest::currentDataTag()));
        QVERIFY(options.has_value());
        QCOMPARE(connectionOptions(*options).elections, watched);
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
                                 "-s, --server",
                                 "--token",
                                 "--certificate-authority",
                                 "--insecure-skip-tls-verify",
                                 "--as",
                                 "--as-group",
                                 "--request-timeout",
                                 "--trust-exec",
                                 "--poll",
                                 "--bypass-api-service",
                                 "--api-server",
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
        // A page has its name there and in what is said of a wrong one.
        const auto refused = parseArguments({u"--screenshot"_s, u"p.png"_s, u"--page"_s, u"nope"_s});
        QVERIFY(!refused);
        const QString pages = help.mid(help.indexOf("with --page"_L1)).section("--cluster"_L1, 0, 0);
        for (const char *page : {"fleet", "cluster", "history", "events", "elections", "contexts", "permissions", "audit", "dossier",
                                 "leaders", "renewals", "lag", "health"}) {
            QVERIFY2(parseArguments({u"--screenshot"_s, u"p.png"_s, u"--page"_s, QLatin1String(page)}), page);
            QVERIFY2(pages.contains(QLatin1String(page)), page);
            QVERIFY2(describe(refused.error()).find(page) != std::string::npos, page);
        }
        // The archive is of a window on clusters only.
        const QString usage = help.section("\n\n"_L1, 0, 0);
        for (const QString &line : usage.split("  switchyard "_L1)) {
            if (line.contains("[--read-only]"_L1) || line.contains("--screenshot"_L1))
                QVERIFY2(!line.contains("--archive"_L1) || (!line.contains("--demo"_L1) && !line.contains("--screenshot"_L1)),
                         qPrintable(line));
        }
    }
};

QTEST_APPLESS_MAIN(TestOptions)
#include "tst_options.moc"
