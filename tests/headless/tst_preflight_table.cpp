// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/preflight_table.h"
#include "app/headless/run.h"
#include "tests/support/made_clusters.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::headless;
using namespace Qt::StringLiterals;

namespace {

struct Run
{
    int exitCode = -1;
    QByteArray out, err;
    QList<QByteArray> lines() const { return out.split('\n'); }
};

Sinks into(Run &run)
{
    return {[&run](std::string_view bytes) {
                run.out.append(bytes.data(), static_cast<qsizetype>(bytes.size()));
                return true;
            },
            [&run](const std::string &line) { run.err += line.c_str() + QByteArray("\n"); }};
}

Options parsed(const QString &line)
{
    return parseArguments(line.split(u' ', Qt::SkipEmptyParts)).value();
}

// What is printed of a made cluster
Run asked(const patroni::Cluster &cluster, const QString &words)
{
    Run run;
    run.exitCode = answer(parsed(u"preflight --cluster payments/acme --format csv "_s + words), {{&cluster}, {}, made::now()}, into(run))
                       .exitCode;
    run.out.replace("\r\n", "\n");
    return run;
}

Run replayed(const char *recording, const QString &words)
{
    Run run;
    const QString file = QStringLiteral(TEST_DATA_DIR "/recordings/") + QLatin1String(recording) + u"/stream.ndjson.gz"_s;
    run.exitCode = runReplay(parsed(u"preflight --replay "_s + file + u' ' + words), into(run));
    return run;
}

const QByteArray head = "prod-eu,payments,acme,,endpoints,2031-02-01T13:02:11.000000Z,";

} // namespace

class TestPreflightTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fit()
    {
        const Run run = asked(made::healthy(), u"--candidate acme-2"_s);
        QCOMPARE(run.exitCode, int(Answered));
        QVERIFY2(run.lines().contains(head + "switchover,acme-1,acme-2,,true,,,,,,,,"),
                 run.out.constData()); // nothing found: a line all the same
        QVERIFY2(run.lines().contains(
                     head + "switchover,acme-1,acme-2,,false,acme-1,false,is-leader,blocks,,,patroni/ha.py is_failover_possible,"),
                 run.out.constData());
        QVERIFY2(run.lines().contains(
                     head + "switchover,acme-1,acme-2,,true,acme-2,false,reachability-unknown,note,,,patroni/ha.py fetch_nodes_statuses,"),
                 run.out.constData());
    }

    void unfit()
    {
        patroni::Cluster cluster = made::healthy();
        const Run run = asked(cluster, u"--candidate acme-9 --scheduled 2031-02-01T13:02:10Z"_s);
        QCOMPARE(run.exitCode, int(Unfit));
        const QByteArray asked = head + "switchover,acme-1,acme-9,2031-02-01T13:02:10.000000Z,false,,,";
        QVERIFY2(run.lines().contains(asked + "unknown-candidate,blocks,acme-9,,patroni/api.py is_failover_possible,"),
                 run.out.constData());
        QVERIFY2(run.lines().contains(asked + "in-the-past,blocks,,,patroni/api.py parse_schedule,"), run.out.constData());
    }

    void nothingIsJudgedOnAStaleView()
    {
        const Run run = asked(made::stale(), {});
        QCOMPARE(run.exitCode, int(Unfit));
        const QByteArray start = "prod-eu,payments,acme,,endpoints,2031-02-01T13:01:23.000000Z,switchover,,,,,";
        QCOMPARE(run.lines().mid(1),
                 (QList<QByteArray>{start + ",,view-stale,blocks,,,Switchyard: nothing is judged on what may be old,",
                                    start + "acme-1,,,,,,,", start + "acme-0,,,,,,,", start + "acme-2,,,,,,,", QByteArray()}));
    }

    void failover()
    {
        patroni::Cluster cluster = made::healthy();
        cluster.leaderName.reset();
        QCOMPARE(asked(cluster, u"--kind failover --candidate acme-2"_s).exitCode, int(Answered));
        const Run none = asked(cluster, u"--kind failover"_s);
        QCOMPARE(none.exitCode, int(Unfit));
        QVERIFY2(none.out.contains(",candidate-not-named,blocks,"), none.out.constData());
        QCOMPARE(asked(cluster, u"--candidate acme-2"_s).exitCode, int(Unfit)); // a switchover needs a leader
    }

    void amounts()
    {
        patroni::Cluster cluster = made::healthy();
        for (auto &member : cluster.members)
            member.lag = 48'234'496;
        const Run run = asked(cluster, {});
        QCOMPARE(run.exitCode, int(Unfit));
        QVERIFY2(run.out.contains(",acme-2,false,lag-over-limit,blocks,,48234496,patroni/ha.py is_lagging,"), run.out.constData());
    }

    void missing()
    {
        Run run;
        const patroni::Cluster cluster = made::healthy();
        QCOMPARE(answer(parsed(u"preflight --cluster payments/other"_s), {{&cluster}, {}, made::now()}, into(run)).exitCode, int(CouldNot));
        QVERIFY2(run.err.contains("payments/other"), run.err.constData());
    }

    void ofARecording_data()
    {
        QTest::addColumn<QString>("format");
        for (const char *format : {"table", "json", "ndjson", "csv", "tsv", "md"})
            QTest::newRow(format) << QString::fromLatin1(format);
    }

    void ofARecording()
    {
        QFETCH(QString, format);
        const Run run = replayed("4.0.7-endpoints/switchover_now", u"--cluster default/alpha --format "_s + format);
        QVERIFY2(run.exitCode == Answered || run.exitCode == Unfit, run.err.constData());
        QVERIFY2(run.out.contains("is-leader"), run.out.constData());
        QVERIFY(run.out.contains("is_failover_possible"));
    }
};

QTEST_GUILESS_MAIN(TestPreflightTable)
#include "tst_preflight_table.moc"
