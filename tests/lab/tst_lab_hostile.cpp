// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Everybody at once: two programs and patronictl write requests into the same slot, and the API server is restarted between a write and its
// answer. What was reported in the end must be what the members logged, for every request; and nothing is sent twice.
#include "tests/lab/lab_control.h"
#include "tests/lab/watched.h"
#include "tests/store/log_agreement.h"

#include <QEventLoop>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <sstream>

using namespace Qt::StringLiterals;

namespace switchyard::lab {

namespace {

constexpr int calmLimit = 180000;

std::vector<std::string> replicas(const patroni::Cluster &cluster)
{
    std::vector<std::string> names;
    for (const patroni::Member &m : cluster.members) {
        if (m.record.name != cluster.leaderName)
            names.push_back(m.record.name);
    }
    return names;
}

// As tests/lab/scenario leaves it: each line begins with the member
std::string logsSince(const Side &side, Instant since)
{
    std::string all;
    for (int n = 0; n < 3; ++n) {
        const QString pod = side.cluster + u'-' + QString::number(n);
        const QByteArray log = run({u"kubectl"_s, u"logs"_s, pod, u"--since-time="_s + QString::fromStdString(formatUtc(since))}).out;
        std::istringstream in(log.toStdString());
        for (std::string line; std::getline(in, line);)
            all += pod.toStdString() + ": " + line + '\n';
    }
    return all;
}

} // namespace

class TestLabHostile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everybodyWritesAtOnce();
    void restartBetweenWriteAndAnswer();

private:
    void compare(const Watched &watched, Instant since);
};

void TestLabHostile::compare(const Watched &watched, Instant since)
{
    for (const Side &side : sides()) {
        const patroni::Cluster &cluster = *watched.cluster(side); // a value that lives on in the store
        for (const patroni::RequestReport &r : cluster.requests) {
            if (*r.seenWall >= since) {
                qInfo("%s: %s %s %s", side.scope.c_str(), std::string(code(r.outcome)).c_str(),
                      r.reason ? std::string(code(*r.reason)).c_str() : "", r.certain ? "" : "uncertain");
                QVERIFY(isFinal(r.outcome));
            }
        }
        // "api freeze": over a gap more than one rule may have come to apply, so a reason may stay unknown
        // The history is written a loop after a promotion
        std::vector<std::string> wrong;
        (void)QTest::qWaitFor(
            [&] {
                wrong = test::disagreements({cluster, watched.events(), watched.now(), since}, test::readPatroniLog(logsSince(side, since)),
                                            " api freeze");
                return wrong.empty();
            },
            20000);
        QStringList lines;
        for (const std::string &line : wrong)
            lines << QString::fromStdString(line);
        QVERIFY2(lines.isEmpty(), qPrintable(lines.join(u'\n')));
    }
}

void TestLabHostile::everybodyWritesAtOnce()
{
    Watched first(u"operator"_s), second(u"operator"_s);
    QTRY_VERIFY_WITH_TIMEOUT(first.allCalm() && second.allCalm(), calmLimit);
    const Instant since = first.now().wall;
    for (const Side &side : sides()) {
        const patroni::Cluster &c = *first.cluster(side);
        const std::string leader = *c.leaderName;
        const auto others = replicas(c);
        // patronictl schedules; both programs write what they have read before
        QProcess other;
        const QString at = QString::fromStdString(formatScheduledAt(first.now().wall + std::chrono::minutes(5)));
        other.start(qEnvironmentVariable("LAB"),
                    {u"patronictl"_s, side.cluster, u"switchover"_s, QString::fromStdString(side.scope), u"--candidate"_s,
                     QString::fromStdString(others[0]), u"--scheduled"_s, at, u"--force"_s});
        const auto mine = first.request(side, rules::switchoverWish(leader, others[0], first.now().wall + std::chrono::minutes(7)));
        const auto theirs = second.request(side, rules::switchoverWish(leader, others[1]));
        QVERIFY(QTest::qWaitFor([&] { return other.state() == QProcess::NotRunning; }, calmLimit));
        const auto again = first.request(side, rules::switchoverWish(leader, others[0]));
        qInfo("%s: %s, %s, patronictl %d, %s", side.scope.c_str(), std::string(code(mine.code)).c_str(),
              std::string(code(theirs.code)).c_str(), other.exitCode(), std::string(code(again.code)).c_str());
        // Whoever was not first is told, or replaces what it has seen: never silence
        for (const auto *result : {&mine, &theirs, &again})
            QVERIFY(result->code == actions::WriteCode::Done || result->error);
    }
    const auto ended = [&](const Watched &w) {
        return w.allCalm() && std::ranges::all_of(sides(), [&](const Side &side) { return !w.cluster(side)->pendingRequest(); });
    };
    if (!QTest::qWaitFor([&] { return ended(first) && ended(second); }, 60000)) {
        for (const Side &side : sides()) { // a schedule is left: it is taken back by the one, and the other sees it
            if (first.cluster(side)->pendingRequest())
                QVERIFY(first.cancel(side).code == actions::WriteCode::Done);
        }
    }
    QTRY_VERIFY_WITH_TIMEOUT(ended(first) && ended(second), calmLimit);
    compare(first, since);
    compare(second, since);
    // Two who watch the same tell the same
    for (const Side &side : sides()) {
        const auto &a = first.cluster(side)->requests, &b = second.cluster(side)->requests;
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            QCOMPARE(a[i].id, b[i].id);
            QCOMPARE(code(a[i].outcome), code(b[i].outcome));
        }
    }
}

void TestLabHostile::restartBetweenWriteAndAnswer()
{
    Watched watched(u"operator"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    const Instant since = watched.now().wall;
    std::array<std::size_t, 2> before{};
    for (std::size_t i = 0; i < 2; ++i)
        before[i] = watched.cluster(sides()[i])->requests.size();
    for (const Side &side : sides()) {
        // A connection that is open already: on it the request leaves
        const Instant later = watched.now().wall + std::chrono::minutes(9);
        QVERIFY(watched.request(side, rules::switchoverWish(*watched.cluster(side)->leaderName, {}, later)).code
                == actions::WriteCode::Done);
        QTRY_VERIFY_WITH_TIMEOUT(watched.cluster(side)->pendingRequest(), calmLimit);
        QVERIFY(watched.cancel(side).code == actions::WriteCode::Done);
        QTRY_VERIFY_WITH_TIMEOUT(!watched.cluster(side)->pendingRequest(), calmLimit);
        // The server stands still with the request in its hands, and is killed: one that is asked to stop would answer first
        QVERIFY(run({u"api"_s, u"freeze"_s}).exitCode == 0);
        QProcess restart;
        restart.start(u"sh"_s, {u"-c"_s, u"sleep 1; \"$LAB\" api kill; \"$LAB\" api start"_s});
        const patroni::Cluster &c = *watched.cluster(side);
        const auto result = watched.request(
            side, rules::switchoverWish(*c.leaderName, replicas(c).front(), watched.now().wall + std::chrono::minutes(5)));
        qInfo("%s: %s", side.scope.c_str(), std::string(code(result.code)).c_str());
        QVERIFY(result.code != actions::WriteCode::Done);
        QVERIFY(QTest::qWaitFor([&] { return restart.state() == QProcess::NotRunning; }, calmLimit));
        QTRY_COMPARE_WITH_TIMEOUT(code(watched.context()->freshness), code(patroni::Freshness::Live), calmLimit);
        // It is there or it is not, once at most; and it is taken back
        if (watched.cluster(side)->pendingRequest())
            QVERIFY(watched.cancel(side).code == actions::WriteCode::Done);
        QTRY_VERIFY_WITH_TIMEOUT(watched.allCalm(), calmLimit);
    }
    for (std::size_t i = 0; i < 2; ++i)
        QVERIFY(watched.cluster(sides()[i])->requests.size() <= before[i] + 2);
    compare(watched, since);
}

} // namespace switchyard::lab

QTEST_GUILESS_MAIN(switchyard::lab::TestLabHostile)
#include "tst_lab_hostile.moc"
