// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which lines of the members' logs explain a request: each kind of line by itself, and over the logs of all recordings.
#include "models/events/decision_log.h"
#include "recorded.h"

#include <QtTest>

#include <algorithm>
#include <sstream>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;
using namespace std::chrono_literals;

namespace {

const Instant from = *parseInstant("2031-02-01T06:00:00Z");
const LogWindow window{from, from + 60s};

std::string logOf(const std::string &all, const std::string &member)
{
    std::istringstream in(all);
    std::string log;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(member + ": "))
            log += line.substr(member.size() + 2) + '\n';
    }
    return log;
}

bool has(const std::vector<DecisionLine> &lines, LogFact fact)
{
    return std::any_of(lines.begin(), lines.end(), [fact](const DecisionLine &line) { return line.fact == fact; });
}

} // namespace

class DecisionLogTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void lines_data();
    void lines();
    void otherLinesAreLeftOut_data();
    void otherLinesAreLeftOut();
    void times();
    void heardLate();
    void secretsAreMasked();
    void theFirstReasonCounts();
    void windows();
    void explainsEveryRecording_data();
    void explainsEveryRecording();
};

void DecisionLogTest::lines_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("fact");
    QTest::addColumn<QByteArray>("reason");
    const auto row = [](const char *line, const char *fact, const char *reason = "") {
        QTest::newRow(line) << QByteArray(line) << QByteArray(fact) << QByteArray(reason);
    };
    row("INFO: Awaiting switchover at 2031-02-03T01:30:00+00:00 (in 4 seconds)", "waiting");
    row("INFO: Awaiting failover at 2031-02-03T01:30:00+00:00 (in 4 seconds)", "waiting");
    row("INFO: Manual scheduled switchover at 2031-02-03T01:30:00+00:00", "due");
    row("WARNING: Found a stale failover value, cleaning up: 2031-02-03T01:30:00+00:00", "refused", "stale");
    row("WARNING: Incorrect value of scheduled_at: 2031-02-03 01:30:00", "refused", "no-offset");
    row("WARNING: manual failover: leader name does not match: a-1 != a-0", "refused", "leader-mismatch");
    row("WARNING: switchover: leader name does not match: a-1 != a-0", "refused", "leader-mismatch");
    row("WARNING: manual failover: I am already the leader, no need to failover", "refused", "already-leader");
    row("WARNING: Failover is possible only to a specific candidate in a paused state", "refused", "paused-needs-candidate");
    row("WARNING: Switchover is possible only to a specific candidate in a paused state", "refused", "paused-needs-candidate");
    row("WARNING: Failover candidate=a-2 does not match with sync_standbys=a-1", "refused", "not-sync-standby");
    row("WARNING: manual failover: no healthy members found, failover is not possible", "refused", "no-healthy-candidate");
    row("WARNING: switchover: no healthy members found, switchover is not possible", "refused", "no-healthy-candidate");
    row("WARNING: manual failover: members list is empty", "member-unfit");
    row("WARNING: switchover: candidates list is empty", "member-unfit");
    row("INFO: Member a-1 is not reachable", "member-unfit");
    row("INFO: Member a-1 exceeds maximum replication lag", "member-unfit");
    row("INFO: Timeline 3 of member a-1 is behind the cluster timeline 4", "member-unfit");
    row("INFO: Quorum requirement 1 can not be reached", "member-unfit");
    row("INFO: switchover: demoting myself", "stepping-down");
    row("INFO: PAUSE: manual failover: demoting myself", "stepping-down");
    row("INFO: Demoting self (graceful)", "stepping-down");
    row("INFO: Leader key released", "released");
    row("INFO: switchover: to a-1, i am a-2", "racing");
    row("WARNING: manual failover: member a-1 is not reachable", "racing");
    row("INFO: Could not take out TTL lock", "racing");
    row("INFO: following a different leader because i am not the healthiest node", "racing");
    row("INFO: promoted self to leader by acquiring session lock", "promoted");
    row("INFO: promoted self to a standby leader by acquiring session lock", "promoted");
    row("INFO: Cleaning up failover key", "request-cleared");
    row("INFO: Cleaning up failover key after acquiring leader lock...", "request-cleared");
    row("INFO: Updating failover key after acquiring leader lock...", "request-rewritten");
    row("WARNING: manual failover: removing failover key because failover candidate is not running", "request-cleared");
    row("INFO: demoting self because DCS is not accessible and I was a leader", "unreachable");
    row("INFO: continue to run as a leader because failsafe mode is enabled and all members are accessible", "unreachable");
}

void DecisionLogTest::lines()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, fact);
    QFETCH(QByteArray, reason);
    const std::string text = "2031-02-01 06:00:10,123 " + line.toStdString();
    const auto found = decisionLines(text, window);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(QByteArray::fromStdString(std::string(code(found[0].fact))), fact);
    QCOMPARE(found[0].reason ? QByteArray::fromStdString(std::string(code(*found[0].reason))) : QByteArray(), reason);
    QCOMPARE(found[0].text, text);
    QVERIFY(found[0].source.starts_with("patroni/"));
    QCOMPARE(found[0].at, std::optional(from + 10123ms));
}

void DecisionLogTest::otherLinesAreLeftOut_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line :
         {"INFO: no action. I am (a-0), the leader with the lock", "INFO: Lock owner: a-0; I am a-0",
          "06:00:10.123 UTC [77] LOG:  statement: select 'INFO Leader key released'",
          "ERROR: Request to server https://h:6443 failed: ReadTimeoutError(...)", "INFO: Reloading PostgreSQL configuration.", ""})
        QTest::newRow(*line ? line : "empty") << QByteArray(line);
}

void DecisionLogTest::otherLinesAreLeftOut()
{
    QFETCH(QByteArray, line);
    QVERIFY(decisionLines("2031-02-01 06:00:10,123 " + line.toStdString(), window).empty());
}

void DecisionLogTest::times()
{
    const std::string log = "2031-02-01 05:59:59,000 INFO: Leader key released\n"                                // too early
                            "2031-02-01T06:00:05.000000001Z 2031-02-01 09:00:05,000 INFO: Leader key released\n" // the server's time wins
                            "INFO: Cleaning up failover key\n"                    // as late as the one before
                            "2031-02-01 06:01:01,000 INFO: Leader key released\n" // too late
                            "INFO: Cleaning up failover key";
    const auto lines = decisionLines(log, window);
    QCOMPARE(lines.size(), std::size_t(2));
    QCOMPARE(lines[0].at, std::optional(from + 5s));
    QCOMPARE(lines[0].text, std::string("2031-02-01 09:00:05,000 INFO: Leader key released"));
    QCOMPARE(lines[1].at, std::optional(from + 5s));
    QCOMPARE(decisionLines("INFO: Leader key released", window).front().at, std::nullopt);
    QVERIFY(decisionLines("", window).empty());
    QVERIFY(decisionLines("\n\nZ \n2031", window).empty());
}

// The program was busy, or its stream slow: it saw the request ten seconds after the leader had begun with it.
void DecisionLogTest::heardLate()
{
    const std::string log = "2031-02-01 05:59:40,000 INFO: promoted self to leader by acquiring session lock\n" // of something else
                            "2031-02-01 05:59:50,000 INFO: manual failover: demoting myself\n"
                            "2031-02-01 05:59:53,000 INFO: Leader key released\n"
                            "2031-02-01 06:00:01,000 INFO: Cleaning up failover key\n";
    const auto facts = [&log](const LogWindow &in) {
        std::string all;
        for (const DecisionLine &line : decisionLines(log, in))
            all += std::string(code(line.fact)) + ' ';
        return all;
    };
    QCOMPARE(facts({from, from + 60s, from - 30s}), std::string("stepping-down released request-cleared "));
    QCOMPARE(facts({from, from + 60s, from - 8s}), std::string("request-cleared ")); // the others are of the request before it
    QCOMPARE(facts({from, from + 60s}), std::string("request-cleared "));
}

void DecisionLogTest::secretsAreMasked()
{
    const auto lines = decisionLines("2031-02-01 06:00:10,123 INFO: Member postgres://u:secret@h/db is not reachable", window);
    QCOMPARE(lines.size(), std::size_t(1));
    QVERIFY(lines[0].text.find("secret") == std::string::npos);
}

void DecisionLogTest::theFirstReasonCounts()
{
    const auto lines = decisionLines(
        "2031-02-01 06:00:10,123 WARNING: Failover candidate=a-2 does not match with sync_standbys=a-1\n"
        "2031-02-01 06:00:10,124 WARNING: manual failover: no healthy members found, failover is not possible\n",
        window);
    QCOMPARE(lines.size(), std::size_t(2));
    QCOMPARE(loggedReason(lines), std::optional(Refusal::NotSyncStandby));
    QCOMPARE(loggedReason({}), std::nullopt);
}

void DecisionLogTest::windows()
{
    RequestReport r;
    r.seenWall = from;
    QCOMPARE(decisionWindow(r, from + 10s), (LogWindow{from - 2s, from + 15s, from - 30s}));
    QCOMPARE(decisionWindow(r, from + 10s, from - 9s).early, std::optional(from - 9s)); // the request before it
    QCOMPARE(decisionWindow(r, from + 10s, from).early, std::optional(from - 2s));
    r.request.scheduledAt = from + 240h; // refused when it was due, ten days later: not ten days of log
    r.decidedWall = from + 240h + 1s;
    QCOMPARE(decisionWindow(r, from + 300h), (LogWindow{from + 240h - 62s, from + 240h + 6s, from + 240h - 90s}));
    r.leaderBefore = "a-0";
    QCOMPARE(decisionMembers(r), std::vector<std::string>{"a-0"});
    r.newLeader = "a-1";
    QCOMPARE(decisionMembers(r), (std::vector<std::string>{"a-0", "a-1"}));
    r.newLeader = "a-0";
    QCOMPARE(decisionMembers(r), std::vector<std::string>{"a-0"});
}

void DecisionLogTest::explainsEveryRecording_data()
{
    QTest::addColumn<QString>("folder");
    for (const std::string &folder : recordingFolders())
        QTest::newRow(folder.c_str()) << QString::fromStdString(folder);
}

// What the objects tell, the log lines that are picked say too: the reason of a refusal, and who stepped down and won.
void DecisionLogTest::explainsEveryRecording()
{
    QFETCH(QString, folder);
    const std::string name = folder.toStdString();
    const auto observations = decodeRecording(readGzip(recordingPath(name, "stream.ndjson.gz")), "recorded", name);
    QVERIFY(observations);
    const ClusterStore store = played(*observations);
    const std::string log = readGzip(recordingPath(name, "patroni.log.gz"));
    const Mode mode = folder.contains(QStringLiteral("endpoints")) ? Mode::Endpoints : Mode::ConfigMaps;
    for (const Cluster *cluster : store.clusters()) {
        if (cluster->names.mode != mode)
            continue;
        for (const RequestReport &r : cluster->requests) {
            const LogWindow around = decisionWindow(r, store.now().wall);
            if (r.outcome == Outcome::Refused && r.reason != Refusal::Unknown)
                QCOMPARE(loggedReason(decisionLines(logOf(log, *r.leaderBefore), around)), r.reason);
            if (r.outcome == Outcome::Done && r.releasedAt)
                QVERIFY(has(decisionLines(logOf(log, *r.leaderBefore), around), LogFact::Released));
            if (r.outcome == Outcome::Done || r.outcome == Outcome::DoneOther)
                QVERIFY(has(decisionLines(logOf(log, *r.newLeader), around), LogFact::Promoted));
        }
    }
}

QTEST_APPLESS_MAIN(DecisionLogTest)
#include "tst_decision_log.moc"
