// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/transition_log.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace std::chrono_literals;

namespace {

const Instant day = *parseInstant("2031-02-01T06:00:00Z");

HistoryEntry entry(std::int64_t timeline, std::optional<Duration> at, std::optional<std::string> to)
{
    HistoryEntry e;
    e.timeline = timeline;
    e.lsn = static_cast<Lsn>(timeline) * 100;
    if (at)
        e.endedAt = day + *at;
    e.newLeader = std::move(to);
    return e;
}

SeenTransition seen(TransitionKind kind, const std::string &from, const std::string &to, Duration at)
{
    SeenTransition s;
    s.transition.kind = kind;
    s.transition.from = from;
    s.transition.to = to;
    s.transition.gainedAt = day + at + 1s; // our clock is a second ahead
    s.takeTime = day + at;
    return s;
}

// "kind from>to tl source ..." in one line
std::string text(const std::vector<Transition> &log)
{
    std::string all;
    for (const Transition &t : log) {
        all += std::string(code(t.kind)) + ' ' + t.from.value_or("-") + '>' + t.to.value_or("-") + ' '
            + (t.timeline ? std::to_string(*t.timeline) : "-") + (t.fromHistory ? "h" : "") + (t.fromLive ? "l" : "") + "; ";
    }
    return all;
}

} // namespace

class TransitionLogTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void historyAlone();
    void merging_data();
    void merging();
    void mergedKeepsBoth();
    void timesOfAGap();
    void sources();
    void twoWhileNobodyLooked();
    void erasedSchedule();
    void notesGoToTheNearestLoss();
    void bounded();
    void historyChanges_data();
    void historyChanges();
    void whatIsLostIsKept_data();
    void whatIsLostIsKept();
    void lostDetailsAreFilledIn();
    void ids();
};

void TransitionLogTest::historyAlone()
{
    const std::vector<HistoryEntry> history{entry(1, std::nullopt, std::nullopt), entry(2, -2h, "a"), entry(5, -1h, "b")};
    const auto log = TransitionLog().merged(history);
    QCOMPARE(text(log), std::string("unknown ->- 2h; unknown ->a 5h; unknown a>b 6h; "));
    QCOMPARE(log[2].lsn, std::optional<Lsn>(500));
    QCOMPARE(log[2].gainedAt, std::optional(day - 1h));
    QVERIFY(!log[0].gainedAt && !log[0].gap && !log[0].notBefore);
    QVERIFY(TransitionLog().merged({}).empty());
}

void TransitionLogTest::merging_data()
{
    QTest::addColumn<std::vector<HistoryEntry>>("history");
    QTest::addColumn<std::vector<SeenTransition>>("live");
    QTest::addColumn<QByteArray>("log");
    using H = std::vector<HistoryEntry>;
    using L = std::vector<SeenTransition>;
    const auto row = [](const char *name, const H &history, const L &live, const char *log) {
        QTest::newRow(name) << history << live << QByteArray(log);
    };
    using K = TransitionKind;
    row("no timeline yet", H{entry(1, -1h, "a")}, L{seen(K::Switchover, "a", "b", 0s)}, "unknown ->a 2h; switchover a>b -l; ");
    row("same taking", H{entry(1, 1s, "b")}, L{seen(K::Switchover, "a", "b", 0s)}, "switchover a>b 2hl; ");
    row("long promotion", H{entry(1, 9min, "b")}, L{seen(K::LockExpired, "a", "b", 0s)}, "lock-expired a>b 2hl; ");
    row("too long", H{entry(1, 11min, "b")}, L{seen(K::LockExpired, "a", "b", 0s)}, "lock-expired a>b -l; unknown ->b 2h; ");
    row("before the taking", H{entry(1, -5s, "b")}, L{seen(K::LockExpired, "a", "b", 0s)}, "unknown ->b 2h; lock-expired a>b -l; ");
    row("another member", H{entry(1, 1s, "c")}, L{seen(K::LockExpired, "a", "b", 0s)}, "lock-expired a>b -l; unknown ->c 2h; ");
    row("member not recorded", H{entry(1, 1s, std::nullopt)}, L{seen(K::LockExpired, "a", "b", 0s)}, "lock-expired a>b 2hl; ");
    row("member and time not recorded", H{entry(1, std::nullopt, std::nullopt)}, L{seen(K::LockExpired, "a", "b", 0s)},
        "unknown ->- 2h; lock-expired a>b -l; ");
    row("re-taken without a timeline", H{entry(1, -1h, "a"), entry(2, 61s, "b")},
        L{seen(K::ReTaken, "a", "a", 0s), seen(K::Switchover, "a", "b", 60s)}, "unknown ->a 2h; re-taken a>a -l; switchover a>b 3hl; ");
    row("there and back", H{entry(1, 1s, "b"), entry(2, 61s, "a"), entry(3, 121s, "b")},
        L{seen(K::Switchover, "a", "b", 0s), seen(K::Switchover, "b", "a", 60s), seen(K::LockExpired, "a", "b", 120s)},
        "switchover a>b 2hl; switchover b>a 3hl; lock-expired a>b 4hl; ");
    auto standby = seen(K::LockExpired, "a", "b", 0s);
    standby.asStandby = true; // and made a cluster of its own ten seconds later
    row("a standby cluster is promoted", H{entry(1, std::nullopt, std::nullopt), entry(2, 10s, "b")}, L{standby},
        "unknown ->- 2h; lock-expired a>b -l; unknown ->b 3h; ");
    row("history was reset", H{}, L{seen(K::Switchover, "a", "b", 0s)}, "switchover a>b -l; ");
}

void TransitionLogTest::merging()
{
    QFETCH(std::vector<HistoryEntry>, history);
    QFETCH(std::vector<SeenTransition>, live);
    QFETCH(QByteArray, log);
    TransitionLog merged;
    for (const SeenTransition &s : live)
        merged.add(s);
    QCOMPARE(QByteArray::fromStdString(text(merged.merged(history))), log);
}

void TransitionLogTest::mergedKeepsBoth()
{
    TransitionLog log;
    SeenTransition s = seen(TransitionKind::Switchover, "a", "b", 0s);
    s.transition.gap = 2s;
    s.transition.lostAt = day - 1s;
    log.add(s);
    const Transition t = log.merged({entry(7, 1s, "b")}).front();
    QCOMPARE(t.timeline, std::optional<std::int64_t>(8));
    QCOMPARE(t.lsn, std::optional<Lsn>(700));
    QCOMPARE(t.gap, std::optional<Duration>(2s));
    QCOMPARE(t.gainedAt, std::optional(day + 1s)); // as we saw it
}

void TransitionLogTest::timesOfAGap()
{
    TransitionLog log;
    SeenTransition s = seen(TransitionKind::Unknown, "a", "b", 0s);
    s.transition.gainedAt.reset();
    s.transition.notBefore = day - 10s;
    s.transition.notAfter = day + 50s;
    log.add(s);
    const Transition t = log.merged({entry(7, 3s, "b")}).front();
    QCOMPARE(t.gainedAt, std::optional(day + 3s)); // by the history
    QVERIFY(t.notBefore && t.notAfter);
}

void TransitionLogTest::bounded()
{
    TransitionLog log;
    for (int i = 0; i < 2000; ++i)
        log.add(seen(TransitionKind::ReTaken, "a", "a", std::chrono::seconds(i)));
    QCOMPARE(log.merged({}).size(), std::size_t(500));
}

namespace {

std::string sourcesOf(const Transition &t)
{
    std::string all;
    for (const Source source : {t.fromSource, t.toSource, t.timelineSource, t.lsnSource, t.lostSource, t.gainedSource, t.kindSource})
        all += std::string(code(source)) + ',';
    return all;
}

} // namespace

void TransitionLogTest::sources()
{
    const std::vector<HistoryEntry> history{entry(1, -2h, "a"), entry(2, -1h, "b"), entry(3, 1s, "c"), entry(4, 1h, "c")};
    TransitionLog log;
    SeenTransition s = seen(TransitionKind::Switchover, "b", "c", 0s);
    s.transition.kindSource = Source::Live;
    s.transition.lostAt = day - 1s;
    log.add(s);
    const auto merged = log.merged(history, "77");
    QCOMPARE(merged.size(), std::size_t(4));
    // from, to, timeline, lsn, lost, gained, kind
    QCOMPARE(sourcesOf(merged[0]), std::string(",history,history,history,,history,,")); // the first leader is not recorded
    QCOMPARE(sourcesOf(merged[1]), std::string("inferred,history,history,history,,history,,"));
    QCOMPARE(sourcesOf(merged[2]), std::string("live,live,history,history,live,live,live,"));
    QCOMPARE(sourcesOf(merged[3]), std::string("inferred,history,inferred,history,,history,inferred,"));
    QCOMPARE(merged[3].kind, TransitionKind::ReTaken);
    QCOMPARE(merged[2].timelineBefore, std::optional<std::int64_t>(3));
    QCOMPARE(merged[2].timeline, std::optional<std::int64_t>(4));
}

// b led in between: the lock's word is of the last change only.
void TransitionLogTest::twoWhileNobodyLooked()
{
    TransitionLog log;
    SeenTransition s = seen(TransitionKind::ReTaken, "a", "a", 60s);
    s.transition.gainedAt.reset();
    s.transition.kindSource = Source::Live;
    s.transition.notBefore = day - 10s;
    s.transition.notAfter = day + 90s;
    s.transition.request = "r";
    s.transition.evidence = {{EvidenceCode::Expired, "a", "30", {}}, {EvidenceCode::BlindSpot, {}, "x/y", {}}};
    log.add(s);
    const auto merged = log.merged({entry(1, 1s, "b"), entry(2, 61s, "a")});
    QCOMPARE(text(merged), std::string("unknown ->b 2h; unknown b>a 3hl; "));
    QVERIFY(merged[1].request.empty() && merged[1].kindSource == Source::None);
    QCOMPARE(merged[1].evidence.size(), std::size_t(1));
    QVERIFY(merged[1].notBefore && merged[1].notAfter);
}

void TransitionLogTest::erasedSchedule()
{
    TransitionLog log;
    SeenTransition s = seen(TransitionKind::LockExpired, "a", "b", 0s);
    s.pendingRequest = "r1";
    log.add(s);
    RequestReport report;
    report.id = "r1";
    report.request.member = "c";
    QVERIFY(!log.merged({}, {}, {report}).front().erased);
    report.outcome = Outcome::Erased;
    QCOMPARE(log.merged({}, {}, {report}).front().erased, std::optional(report.request));
}

void TransitionLogTest::notesGoToTheNearestLoss()
{
    TransitionLog log;
    const Evidence first{EvidenceCode::ContainerTerminated, "a", "OOMKilled 137", {}}, second{EvidenceCode::PodFailed, "a", "Evicted", {}};
    log.note("a", first, day - 35s); // comes before the loss is seen
    log.add(seen(TransitionKind::LockExpired, "a", "b", 0s));
    log.add(seen(TransitionKind::LockExpired, "b", "a", 40s));
    log.add(seen(TransitionKind::LockExpired, "a", "c", 100s));
    log.note("a", second, day + 90s);
    log.note("a", second, day + 90s);
    log.note("a", {EvidenceCode::PodGone, "a", {}, {}}, day + 1h);
    log.note("x", second, day);
    const auto merged = log.merged({});
    QCOMPARE(merged[0].evidence, std::vector{first});
    QVERIFY(merged[1].evidence.empty());
    QCOMPARE(merged[2].evidence, std::vector{second});
}

void TransitionLogTest::historyChanges_data()
{
    QTest::addColumn<std::vector<HistoryEntry>>("before");
    QTest::addColumn<std::vector<HistoryEntry>>("now");
    QTest::addColumn<bool>("sameSystem");
    QTest::addColumn<QByteArray>("change");
    using H = std::vector<HistoryEntry>;
    const auto row = [](const char *name, const H &before, const H &now, bool sameSystem, const char *change) {
        QTest::newRow(name) << before << now << sameSystem << QByteArray(change);
    };
    const HistoryEntry one = entry(1, -3h, "a"), two = entry(2, -2h, "b"), three = entry(3, -1h, "a");
    HistoryEntry forked = three;
    forked.lsn += 8;
    row("same", {one, two}, {one, two}, true, "");
    row("grown", {one}, {one, two}, true, "");
    row("from nothing", {}, {one, two}, true, "");
    row("more is said", {entry(1, std::nullopt, std::nullopt)}, {one}, true, "");
    row("another time of the same", {one}, {entry(1, -4h, "a")}, true, "");
    row("trimmed", {one, two, three}, {three}, true, "trimmed 0 1 ");
    row("trimmed and grown", {one, two}, {two, three}, true, "trimmed 0 ");
    row("forked", {one, two, three}, {one, two, forked}, true, "rewritten 2 ");
    row("cut at the end", {one, two, three}, {one, two}, true, "rewritten 2 ");
    row("hole", {one, two, three}, {one, three}, true, "rewritten 1 ");
    row("member lost", {one, two}, {one, entry(2, -2h, std::nullopt)}, true, "rewritten 1 ");
    row("member and time of the first lost", {one, two}, {entry(1, std::nullopt, std::nullopt), two}, true, "rewritten 0 ");
    row("all others", {one}, {forked}, true, "rewritten 0 ");
    row("reset", {one, two}, {}, true, "reset 0 1 ");
    row("another cluster", {one}, {one, two}, false, "incarnation 0 ");
    row("another cluster, nothing lost", {}, {}, false, "incarnation ");
}

void TransitionLogTest::historyChanges()
{
    QFETCH(std::vector<HistoryEntry>, before);
    QFETCH(std::vector<HistoryEntry>, now);
    QFETCH(bool, sameSystem);
    QFETCH(QByteArray, change);
    const auto found = historyChange(before, now, "7", sameSystem ? "7" : "8");
    std::string all(code(found.kind));
    all += all.empty() ? "" : " ";
    for (const std::size_t i : found.lost)
        all += std::to_string(i) + ' ';
    QCOMPARE(QByteArray::fromStdString(all), change);
    QCOMPARE(historyChange(before, now, std::nullopt, "8").kind == HistoryChange::Kind::Incarnation, false);
}

void TransitionLogTest::whatIsLostIsKept_data()
{
    QTest::addColumn<std::vector<std::vector<HistoryEntry>>>("histories");
    QTest::addColumn<bool>("anew");
    QTest::addColumn<QByteArray>("log");
    using H = std::vector<std::vector<HistoryEntry>>;
    const auto row = [](const char *name, const H &histories, bool anew, const char *log) {
        QTest::newRow(name) << histories << anew << QByteArray(log);
    };
    const HistoryEntry one = entry(1, -3h, "a"), two = entry(2, -2h, "b"), three = entry(3, -1h, "a");
    HistoryEntry forked = three;
    forked.lsn += 8;
    forked.newLeader = "c";
    row("trimmed", {{one, two, three}, {three}}, false, "kept ->a 2; kept a>b 3; history b>a 4; ");
    row("trimmed twice", {{one, two, three}, {two, three}, {three}}, false, "kept ->a 2; kept a>b 3; history b>a 4; ");
    row("forked", {{one, two, three}, {one, two, forked}}, false, "history ->a 2; history a>b 3; kept b>a 4; history b>c 4; ");
    row("reset", {{one, two}, {}}, false, "kept ->a 2; kept a>b 3; ");
    HistoryEntry other = entry(1, 1h, "z");
    other.lsn += 8;
    row("reset and grown", {{one, two}, {}, {other}}, false, "kept ->a 2; kept a>b 3; history ->z 2; ");
    row("reset and given back", {{one, two}, {}, {one, two}}, false, "history ->a 2; history a>b 3; ");
    row("made anew", {{one, two}, {}, {entry(1, 1h, "z")}}, true, "kept ->a 2; kept a>b 3; history ->z 2; ");
    row("given back", {{one, two}, {two}, {one, two}}, false, "history ->a 2; history a>b 3; ");
}

void TransitionLogTest::whatIsLostIsKept()
{
    QFETCH(std::vector<std::vector<HistoryEntry>>, histories);
    QFETCH(bool, anew);
    QFETCH(QByteArray, log);
    TransitionLog transitions;
    for (std::size_t i = 1; i < histories.size(); ++i) {
        const bool other = anew && i == 1;
        const auto change = historyChange(histories[i - 1], histories[i], "7", other ? "8" : "7");
        transitions.keep(histories[i - 1], "7", change);
    }
    std::string all;
    for (const Transition &t : transitions.merged(histories.back(), anew ? "8" : "7")) {
        QVERIFY(t.fromHistory != t.fromArchive);
        QVERIFY(!t.fromArchive || t.lsnSource == Source::Archive);
        all += std::string(t.fromArchive ? "kept " : "history ") + t.from.value_or("-") + '>' + t.to.value_or("-") + ' '
            + std::to_string(*t.timeline) + "; ";
    }
    QCOMPARE(QByteArray::fromStdString(all), log);
}

void TransitionLogTest::lostDetailsAreFilledIn()
{
    const std::vector<HistoryEntry> before{entry(1, -3h, "a"), entry(2, -2h, "b")},
        now{entry(1, -3h, "a"), entry(2, std::nullopt, std::nullopt)};
    TransitionLog log;
    log.keep(before, "7", historyChange(before, now, "7", "7"));
    const auto merged = log.merged(now, "7");
    QCOMPARE(text(merged), std::string("unknown ->a 2h; unknown a>b 3h; "));
    QCOMPARE(merged[1].gainedAt, std::optional(day - 2h));
    QCOMPARE(merged[1].toSource, Source::Archive);
    QVERIFY(!merged[1].fromArchive);
}

void TransitionLogTest::ids()
{
    const std::vector<HistoryEntry> history{entry(1, -2h, "a"), entry(2, 1s, "b")};
    TransitionLog log(ClusterKey{"here", "db", "acme", {}, "acme"}), other(ClusterKey{"there", "db", "acme", {}, "acme"});
    SeenTransition s = seen(TransitionKind::Switchover, "a", "b", 0s);
    s.transition.id = "taken";
    log.add(s);
    const auto mine = log.merged(history, "7"), theirs = other.merged(history, "7");
    QCOMPARE(mine[0].id, theirs[0].id); // whatever they call the server
    QCOMPARE(mine[1].id, std::string("taken"));
    QVERIFY(theirs[0].id != theirs[1].id);
    QVERIFY(other.merged(history, "8")[0].id != theirs[0].id);
    QVERIFY(TransitionLog(ClusterKey{"here", "db", "other", {}, "other"}).merged(history, "7")[0].id != theirs[0].id);
    QVERIFY(log.find("taken") && !log.find("none"));
}

QTEST_APPLESS_MAIN(TransitionLogTest)
#include "tst_transition_log.moc"
