// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Scenarios of tests/lab/scenario on both clusters of the lab at once, with the program watching: what it says of requests and
// leadership must be what the members logged. SWITCHYARD_SCENARIOS: which ones, "all" for every one that fits the version; else a few.
#include "tests/lab/lab_control.h"
#include "tests/lab/watched.h"
#include "tests/store/log_agreement.h"

#include "models/events/decision_log.h"

#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace switchyard::lab {

namespace {

constexpr int calmLimit = 120000;

QString scenarioScript()
{
    return QFileInfo(qEnvironmentVariable("LAB")).absoluteDir().filePath(u"scenario"_s);
}

struct Known
{
    QString name, note;
};

std::vector<Known> knownScenarios()
{
    QProcess list;
    list.start(scenarioScript(), {u"list"_s});
    list.waitForFinished();
    std::vector<Known> known;
    const QStringList lines = QString::fromUtf8(list.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
    for (const QString &line : lines)
        known.push_back({line.section(u": "_s, 0, 0), line.section(u": "_s, 1)});
    return known;
}

bool isWanted(const Known &scenario)
{
    static const QStringList few{u"superseded"_s, u"done_other"_s, u"cancelled_before_due"_s, u"not_picked_up_kind"_s};
    const QStringList wanted = qEnvironmentVariable("SWITCHYARD_SCENARIOS").split(u' ', Qt::SkipEmptyParts);
    if (isVersion3() && scenario.note.contains("[4]"_L1))
        return false;
    if (wanted.isEmpty())
        return few.contains(scenario.name);
    // One cluster at a time, or another lab
    const bool apart = scenario.note.contains("[own]"_L1) || scenario.note.contains("[standby]"_L1) || scenario.name.startsWith("api_"_L1);
    return wanted.contains(scenario.name) || (wanted.contains(u"all"_s) && !apart);
}

// Plays it on these clusters at once. The event loop runs on.
bool play(const QString &scenario, const QStringList &clusters, const QString &folder)
{
    std::vector<std::unique_ptr<QProcess>> players;
    QEventLoop loop;
    int left = static_cast<int>(clusters.size());
    for (const QString &cluster : clusters) {
        auto player = std::make_unique<QProcess>();
        player->setProcessChannelMode(QProcess::MergedChannels);
        QObject::connect(player.get(), &QProcess::finished, &loop, [&left, &loop] {
            if (--left == 0)
                loop.quit();
        });
        player->start(scenarioScript(), {scenario, folder + u'/' + cluster, cluster});
        players.push_back(std::move(player));
    }
    loop.exec();
    return std::ranges::all_of(players, [](const auto &player) {
        if (player->exitCode() != 0)
            qWarning("%s", player->readAll().constData());
        return player->exitCode() == 0;
    });
}

std::string textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

// The request as one line, for whoever reads the test's output
QByteArray lineOf(const patroni::RequestReport &r)
{
    std::string line(code(r.outcome));
    if (r.reason)
        line += ' ' + std::string(code(*r.reason));
    line += r.certain ? "" : " (uncertain)";
    line += ' ' + r.leaderBefore.value_or("-") + '>' + r.newLeader.value_or("-");
    return QByteArray::fromStdString(line);
}

} // namespace

class TestLabOutcomes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void verdictsAreWhatTheLogSays_data();
    void verdictsAreWhatTheLogSays();

private:
    void compare(const Watched &watched, const Side &side, const QString &folder, Instant since);
    void compareLines(const patroni::RequestReport &report);
};

void TestLabOutcomes::verdictsAreWhatTheLogSays_data()
{
    QTest::addColumn<QString>("scenario");
    for (const Known &scenario : knownScenarios()) {
        if (isWanted(scenario))
            QTest::newRow(qPrintable(scenario.name)) << scenario.name;
    }
}

void TestLabOutcomes::verdictsAreWhatTheLogSays()
{
    QFETCH(const QString, scenario);
    const Watched watched(u"operator"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    const Instant since = watched.now().wall;
    const QTemporaryDir folder;
    QVERIFY(play(scenario, {u"alpha"_s, u"beta"_s}, folder.path()));
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    for (const Side &side : sides())
        compare(watched, side, folder.filePath(side.cluster + u'/' + scenario), since);
}

void TestLabOutcomes::compare(const Watched &watched, const Side &side, const QString &folder, Instant since)
{
    const patroni::Cluster &cluster = *watched.cluster(side);
    const auto log = test::readPatroniLog(textOf(folder + "/patroni.log"_L1));
    const auto wrong = test::disagreements({cluster, watched.events(), watched.now(), since}, log, textOf(folder + "/steps.txt"_L1));
    QStringList lines;
    for (const std::string &line : wrong)
        lines << QString::fromStdString(line);
    QVERIFY2(lines.isEmpty(), qPrintable(side.cluster + u": "_s + lines.join(u'\n')));
    for (const patroni::RequestReport &report : cluster.requests) {
        if (!report.seenWall || *report.seenWall < since)
            continue;
        qInfo("%s: %s", qPrintable(side.cluster), lineOf(report).constData());
        compareLines(report);
    }
}

// What pods/log gives of the leader's log holds the reason, too
void TestLabOutcomes::compareLines(const patroni::RequestReport &report)
{
    if (report.outcome != patroni::Outcome::Refused || report.reason == patroni::Refusal::Unknown)
        return;
    const LogWindow window = decisionWindow(report, *report.decidedWall);
    const QString from = QString::fromStdString(formatUtc(window.from));
    const CommandResult logs = run(
        {u"kubectl"_s, u"logs"_s, QString::fromStdString(report.leaderBefore.value_or("")), u"--since-time="_s + from, u"--timestamps"_s});
    QCOMPARE(logs.exitCode, 0);
    const auto reason = loggedReason(decisionLines(logs.out.toStdString(), window));
    QVERIFY(reason);
    QCOMPARE(QByteArray::fromStdString(std::string(code(*reason))), QByteArray::fromStdString(std::string(code(*report.reason))));
}

} // namespace switchyard::lab

QTEST_GUILESS_MAIN(switchyard::lab::TestLabOutcomes)
#include "tst_lab_outcomes.moc"
