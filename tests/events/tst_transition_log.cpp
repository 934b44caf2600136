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
    void bounded();
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

QTEST_APPLESS_MAIN(TransitionLogTest)
#include "tst_transition_log.moc"
