// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Commands on recordings of real clusters.
#include "app/clusters/recording_file.h"
#include "app/headless/run.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::headless;
using namespace Qt::StringLiterals;

namespace {

struct Run
{
    int exitCode = -1;
    QByteArray out, err;
};

QString recording(const char *name)
{
    return QStringLiteral(TEST_DATA_DIR "/recordings/") + QLatin1String(name) + u"/stream.ndjson.gz"_s;
}

Run run(QStringList arguments)
{
    Run result;
    const auto options = parseArguments(arguments);
    if (!options) {
        result.exitCode = WrongArguments;
        result.err = QByteArray::fromStdString(describe(options.error()));
        return result;
    }
    const Sinks sinks{[&](std::string_view bytes) {
                          result.out.append(bytes.data(), static_cast<qsizetype>(bytes.size()));
                          return true;
                      },
                      [&](const std::string &line) { result.err += line.c_str() + QByteArray("\n"); }};
    result.exitCode = runReplay(*options, sinks);
    return result;
}

QJsonArray json(const QStringList &arguments)
{
    const Run result = run(arguments + QStringList{u"--format"_s, u"json"_s});
    if (result.exitCode != Answered)
        qWarning("%d %s", result.exitCode, result.err.constData());
    return QJsonDocument::fromJson(result.out).array();
}

} // namespace

class TestReplay : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

private Q_SLOTS:
    void switchover()
    {
        const QString file = recording("4.0.7-endpoints/switchover_now");
        const QJsonArray requests = json({u"requests"_s, u"--replay"_s, file, u"--cluster"_s, u"default/alpha"_s});
        QCOMPARE(requests.size(), 1);
        const QJsonObject request = requests.at(0).toObject();
        QCOMPARE(request.value("outcome"_L1).toString(), u"done"_s);
        QCOMPARE(request.value("kind"_L1).toString(), u"switchover"_s);
        QCOMPARE(request.value("final"_L1).toBool(), true);
        QCOMPARE(request.value("new_leader"_L1), request.value("candidate"_L1));
        QCOMPARE(request.value("mode"_L1).toString(), u"endpoints"_s);

        const Run dossier = run({u"dossier"_s, u"--replay"_s, file, u"--cluster"_s, u"default/alpha"_s, u"--format"_s, u"json"_s});
        QCOMPARE(dossier.exitCode, int(Answered));
        const QJsonObject known = QJsonDocument::fromJson(dossier.out).object();
        QCOMPARE(known.value("cause"_L1).toObject().value("code"_L1).toString(), u"requested"_s);
        QCOMPARE(run({u"dossier"_s, u"--replay"_s, file, u"--cluster"_s, u"default/none"_s}).exitCode, int(CouldNot));

        const QJsonArray list = json({u"list"_s, u"--replay"_s, file, u"--cluster"_s, u"default/alpha"_s});
        QCOMPARE(list.size(), 1);
        QCOMPARE(list.at(0).toObject().value("leader"_L1), request.value("candidate"_L1));
        QCOMPARE(list.at(0).toObject().value("timeline"_L1), request.value("new_timeline"_L1));
        QVERIFY(list.at(0).toObject().value("system_id"_L1).toString().size() > 15);

        const QJsonArray history = json({u"history"_s, u"--replay"_s, file, u"--cluster"_s, u"default/alpha"_s});
        QVERIFY(!history.isEmpty());
        QCOMPARE(history.last().toObject().value("new_leader"_L1), request.value("candidate"_L1));

        const QJsonArray transitions = json({u"transitions"_s, u"--replay"_s, file, u"--cluster"_s, u"default/alpha"_s});
        QCOMPARE(transitions.last().toObject().value("kind"_L1).toString(), u"switchover"_s);
        QCOMPARE(transitions.last().toObject().value("to"_L1), request.value("candidate"_L1));
    }

    void bothClustersAreFound()
    {
        const QJsonArray list = json({u"list"_s, u"--replay"_s, recording("4.0.7-endpoints/switchover_now")});
        QStringList scopes;
        for (const QJsonValue row : list)
            scopes += row.toObject().value("scope"_L1).toString() + u' ' + row.toObject().value("mode"_L1).toString();
        QCOMPARE(scopes, (QStringList{u"alpha endpoints"_s, u"beta-ha configmaps"_s}));
    }

    // At a moment before the switchover the former leader leads, and nothing was asked for.
    void earlier()
    {
        const QString file = recording("4.0.7-endpoints/switchover_now");
        const QString seen =
            json({u"requests"_s, u"--replay"_s, file, u"--cluster"_s, u"default/alpha"_s}).at(0).toObject().value("seen_at"_L1).toString();
        const QString before = QString::fromStdString(formatUtc(parseInstant(seen.toStdString()).value() - std::chrono::milliseconds(100)));
        QCOMPARE(json({u"requests"_s, u"--replay"_s, file, u"--cluster"_s, u"default/alpha"_s, u"--at"_s, before}).size(), 0);
        const QJsonArray list = json({u"list"_s, u"--replay"_s, file, u"--cluster"_s, u"default/alpha"_s, u"--at"_s, before});
        QCOMPARE(list.at(0).toObject().value("as_of"_L1).toString(), before);
        const Run outside = run({u"list"_s, u"--replay"_s, file, u"--at"_s, u"2001-01-01T00:00:00Z"_s});
        QCOMPARE(outside.exitCode, int(CouldNot));
        QVERIFY(outside.err.contains("the recording starts at"));
        QCOMPARE(run({u"list"_s, u"--replay"_s, file, u"--at"_s, u"3001-01-01T00:00:00Z"_s}).exitCode, int(CouldNot));
        QCOMPARE(run({u"list"_s, u"--replay"_s, file, u"--at"_s, u"1s"_s}).exitCode, int(Answered));
    }

    // Following a recording tells every event that the recording's end knows of, in the same order.
    void followedEvents()
    {
        const QString file = recording("4.0.7-endpoints/leader_crash");
        const Run all = run({u"events"_s, u"--replay"_s, file, u"--format"_s, u"ndjson"_s});
        const Run followed = run({u"events"_s, u"--replay"_s, file, u"--follow"_s});
        QCOMPARE(followed.exitCode, int(Answered));
        const auto types = [](const QByteArray &text) {
            QStringList list;
            for (const QByteArray &line : text.split('\n')) {
                const QJsonObject o = QJsonDocument::fromJson(line).object();
                list += o.value("at"_L1).toString() + o.value("type"_L1).toString() + o.value("object"_L1).toString();
            }
            return list;
        };
        QVERIFY(types(all.out).size() > 5);
        QCOMPARE(types(followed.out), types(all.out));
    }

    // Every command in every format on a recording: answered, and what is JSON is JSON, one row a line with the same columns.
    void everything()
    {
        QDirIterator files(QStringLiteral(TEST_DATA_DIR "/recordings"), {u"stream.ndjson.gz"_s}, QDir::Files, QDirIterator::Subdirectories);
        int count = 0;
        while (files.hasNext()) {
            const QString file = files.next();
            if (!file.contains(u"stale"_s) || ++count > 1)
                continue;
            for (const char *command : {"list", "members", "history", "events", "requests", "transitions"}) {
                const QStringList base{QLatin1String(command), u"--replay"_s, file};
                const QJsonArray rows = json(base);
                const Run csv = run(base + QStringList{u"--format"_s, u"csv"_s});
                QCOMPARE(csv.exitCode, int(Answered));
                QVERIFY(csv.out.count("\r\n") >= rows.size() + 1);
                const auto ndjson = run(base + QStringList{u"--format"_s, u"ndjson"_s}).out;
                QCOMPARE(ndjson.count('\n'), rows.size());
                for (const QJsonValue row : rows)
                    QVERIFY(row.toObject().contains("as_of"_L1));
            }
        }
        QVERIFY(count > 0);
    }

    void intoAFile()
    {
        const QString file = m_dir.filePath(u"h.csv"_s);
        const Run written = run(
            {u"history"_s, u"--replay"_s, recording("4.0.7-endpoints/switchover_now"), u"--format"_s, u"csv"_s, u"--output"_s, file});
        QCOMPARE(written.exitCode, int(Answered));
        QVERIFY(written.out.isEmpty());
        QFile output(file);
        QVERIFY(output.open(QIODevice::ReadOnly));
        QVERIFY(output.readAll().startsWith("context,namespace,scope,group,mode,as_of,timeline,lsn,lsn_text,"));
        const QString book = file + u".xlsx"_s;
        QCOMPARE(
            run({u"history"_s, u"--replay"_s, recording("4.0.7-endpoints/switchover_now"), u"--format"_s, u"xlsx"_s, u"--output"_s, book})
                .exitCode,
            0);
        QFile workbook(book);
        QVERIFY(workbook.open(QIODevice::ReadOnly) && workbook.read(2) == "PK");
        QCOMPARE(
            run({u"history"_s, u"--replay"_s, recording("4.0.7-endpoints/switchover_now"), u"--output"_s, u"/nonexistent/h"_s}).exitCode,
            int(CouldNot));
    }

    // An age and an instant meet at the recording's end.
    void reversedTimes()
    {
        const QString file = recording("4.0.7-endpoints/switchover_now");
        const QStringList asked{u"events"_s, u"--replay"_s, file, u"--since"_s};
        const Run reversed = run(asked + QStringList{u"1s"_s, u"--until"_s, u"2001-01-01T00:00:00Z"_s});
        QCOMPARE(reversed.exitCode, int(WrongArguments));
        QCOMPARE(reversed.err, QByteArray("--until is before --since\n"));
        QVERIFY(reversed.out.isEmpty());
        QCOMPARE(run(asked + QStringList{u"2001-01-01T00:00:00Z"_s, u"--until"_s, u"1s"_s}).exitCode, int(Answered));
        QCOMPARE(run(asked + QStringList{u"10s"_s, u"--until"_s, u"10s"_s}).exitCode, int(Answered));
    }

    // What can be read is answered, and what cannot is said.
    void damaged_data()
    {
        QTest::addColumn<bool>("packed");
        QTest::addColumn<int>("garbage"); // so many lines of it, from the 21st on
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("cut short") << true << 0 << QByteArray(": cut short after 20");
        QTest::newRow("one line") << false << 1 << QByteArray(": line 21 cannot be read\n");
        QTest::newRow("several lines") << false << 2 << QByteArray(": 2 lines cannot be read, the first is line 21\n");
        QTest::newRow("whole") << false << 0 << QByteArray();
    }
    void damaged()
    {
        QFETCH(bool, packed);
        QFETCH(int, garbage);
        QFETCH(QByteArray, said);
        const QString whole = recording("4.0.7-endpoints/story_killed");
        const QString path = m_dir.filePath(u"damaged"_s);
        QByteArray bytes;
        if (packed) {
            QFile source(whole);
            QVERIFY(source.open(QIODevice::ReadOnly));
            bytes = source.readAll();
            bytes.truncate(bytes.size() / 2);
        } else {
            const auto text = readRecordingFile(whole);
            QVERIFY(text.has_value());
            QList<QByteArray> lines = text->split('\n');
            QVERIFY(lines.size() > 30);
            for (int i = 0; i < garbage; ++i)
                lines[20 + i] = "garbage";
            bytes = lines.join('\n');
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        const int expected = said.isEmpty() ? Answered : PartUnreadable;
        for (const QStringList &more : {QStringList(), QStringList{u"--follow"_s}}) {
            const Run result = run(QStringList{u"events"_s, u"--replay"_s, path} + more);
            QCOMPARE(result.exitCode, expected);
            QVERIFY(!result.out.isEmpty());
            QVERIFY2(said.isEmpty() ? result.err.isEmpty() : result.err.startsWith(QByteArray(path.toUtf8() + said)),
                     result.err.constData());
            QCOMPARE(result.err.count('\n'), said.isEmpty() ? 0 : 1);
        }
    }

    void failures()
    {
        QCOMPARE(run({u"list"_s, u"--replay"_s, u"/nonexistent"_s}).exitCode, int(CouldNot));
        QFile bad(m_dir.filePath(u"bad"_s));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("\x1f\x8b but not gzip");
        bad.close();
        const Run broken = run({u"list"_s, u"--replay"_s, bad.fileName()});
        QCOMPARE(broken.exitCode, int(CouldNot));
        QVERIFY(broken.err.contains("gzip"));
        QVERIFY(broken.out.isEmpty());
        const Run missing = run(
            {u"list"_s, u"--replay"_s, recording("4.0.7-endpoints/switchover_now"), u"--cluster"_s, u"default/gamma"_s});
        QCOMPARE(missing.exitCode, int(CouldNot));
        QVERIFY(missing.err.contains("default/gamma"));
    }
};

QTEST_GUILESS_MAIN(TestReplay)
#include "tst_replay.moc"
