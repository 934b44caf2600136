// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/leadership_members.h"
#include "tests/support/made_clusters.h"

#include <QtTest>

using namespace switchyard;
using namespace std::chrono_literals;

namespace {

Instant at(Duration later)
{
    return made::now(later).wall;
}

Event happened(EventCode type, Duration later, std::map<std::string, std::string> detail = {})
{
    Event e;
    e.type = type;
    static const patroni::ClusterKey key = made::healthy().names.key;
    e.cluster = key;
    e.at = made::now(later).boot;
    e.wall = at(later);
    e.detail = std::move(detail);
    return e;
}

Event ofContext(EventCode type, Duration later)
{
    Event e = happened(type, later);
    e.cluster = {};
    e.cluster.context = "prod-eu";
    return e;
}

Event state(const char *member, Duration later, const char *before, const char *after)
{
    return happened(EventCode::MemberState, later, {{"member", member}, {"old", before}, {"new", after}});
}

// "replica -60..-30 | stopped -30..0*": seconds from now, * goes on, (recorded), TL of leaders
QByteArray told(const Leadership &l, const char *member)
{
    QByteArray text;
    for (const Lane &lane : l.lanes) {
        if (lane.member != member)
            continue;
        for (const LaneSpan &s : lane.spans) {
            if (s.from < at(-3600s))
                continue;
            text += (text.isEmpty() ? "" : " | ") + QByteArray::fromStdString(std::string(code(s.state))) + ' ';
            if (s.recorded)
                text += "(recorded) ";
            text += QByteArray::number(qRound(toSeconds(s.from - at(0s)))) + ".." + QByteArray::number(qRound(toSeconds(s.to - at(0s))));
            if (s.current)
                text += '*';
        }
    }
    return text;
}

QByteArray told(const std::vector<TimeSpan> &spans)
{
    QByteArray text;
    for (const TimeSpan &s : spans)
        if (s.from >= at(-3600s))
            text += (text.isEmpty() ? "" : " | ") + QByteArray::number(qRound(toSeconds(s.from - at(0s)))) + ".."
                + QByteArray::number(qRound(toSeconds(s.to - at(0s)))) + (s.current ? "*" : "");
    return text;
}

} // namespace

class LeadershipTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void members_data();
    void members();
    void statesOfMembers();
    void leadersOfTheHistory();
    void nothingIsKnownBeforeTheFirstLook();
    void gaps();
    void gapThatGoesOn();
    void blindSpots();
    void blindToOneKind();
    void lockMoveWithoutTimeline();
    void foundAfterAGap();
    void marks();
    void emptyCluster();
    void goesOn();
    void manyEvents();
};

void LeadershipTest::members_data()
{
    QTest::addColumn<std::vector<Event>>("events");
    QTest::addColumn<QByteArray>("replica"); // acme-0
    QTest::addColumn<QByteArray>("sync");    // acme-2
    using E = std::vector<Event>;
    QTest::newRow("nothing happened") << E{} << QByteArray("replica -600..0*") << QByteArray("sync -600..0*");
    QTest::newRow("stopped for a while") << E{state("acme-0", -300s, "running replica", "stopped replica"),
                                              state("acme-0", -200s, "stopped replica", "running replica")}
                                         << QByteArray("replica -600..-300 | stopped -300..-200 | replica -200..0*")
                                         << QByteArray("sync -600..0*");
    QTest::newRow("its Pod went down, its words stayed")
        << E{happened(EventCode::MemberState, -300s,
                      {{"member", "acme-0"}, {"old", "running replica"}, {"new", "running replica"}, {"pod", "not-running"}}),
             state("acme-0", -250s, "running replica", "running uninitialized"),
             happened(EventCode::MemberState, -200s,
                      {{"member", "acme-0"}, {"old", "running uninitialized"}, {"new", "running replica"}, {"pod", "running"}})}
        << QByteArray("replica -600..-300 | stopped -300..-200 | replica -200..0*") << QByteArray("sync -600..0*");
    QTest::newRow("left and came back") << E{happened(EventCode::MemberLeft, -300s, {{"member", "acme-0"}}),
                                             happened(EventCode::MemberAppeared, -200s, {{"member", "acme-0"}}),
                                             state("acme-0", -100s, "starting replica", "running replica")}
                                        << QByteArray("unknown -600..-300 | stopped -200..-100 | replica -100..0*")
                                        << QByteArray("sync -600..0*");
    QTest::newRow("synchronous in turns") << E{happened(EventCode::SyncChanged, -400s, {{"from", "acme-0"}, {"to", ""}}),
                                               happened(EventCode::SyncChanged, -300s, {{"from", ""}, {"to", "acme-2"}})}
                                          << QByteArray("sync -600..-400 | replica -400..0*")
                                          << QByteArray("replica -600..-300 | sync -300..0*");
    QTest::newRow("changed while nobody looked")
        << E{ofContext(EventCode::ConnectionLost, -400s), ofContext(EventCode::ConnectionRestored, -300s),
             state("acme-0", -100s, "stopped replica", "running replica")}
        << QByteArray("stopped -600..-400 | stopped -300..-100 | replica -100..0*") << QByteArray("sync -600..-400 | sync -300..0*");
    QTest::newRow("a change that the events did not tell")
        << E{state("acme-0", -300s, "stopped replica", "running replica"), state("acme-0", -100s, "starting replica", "running replica")}
        << QByteArray("stopped -600..-300 | unknown -300..-100 | replica -100..0*") << QByteArray("sync -600..0*");
    QTest::newRow("before the first look it was something else")
        << E{state("acme-0", -900s, "running replica", "stopped replica"),
             happened(EventCode::SyncChanged, -800s, {{"from", ""}, {"to", "acme-0"}})}
        << QByteArray("replica -600..0*") << QByteArray("sync -600..0*");
    Event other = state("acme-0", -300s, "running replica", "stopped replica");
    other.cluster.ns = "elsewhere";
    QTest::newRow("of another cluster") << E{other} << QByteArray("replica -600..0*") << QByteArray("sync -600..0*");
}

void LeadershipTest::members()
{
    QFETCH(std::vector<Event>, events);
    const Leadership l = leadership(made::healthy(), events, at(-600s), made::now());
    QTEST(told(l, "acme-0"), "replica");
    QTEST(told(l, "acme-2"), "sync");
    QCOMPARE(l.lanes.size(), std::size_t(3));
    QCOMPARE(l.lanes[0].member, std::string("acme-0"));
}

void LeadershipTest::statesOfMembers()
{
    QCOMPARE(laneState("running replica", true), LaneState::Replica);
    QCOMPARE(laneState("streaming replica", true), LaneState::Replica);
    QCOMPARE(laneState("in archive recovery replica", true), LaneState::Replica);
    QCOMPARE(laneState("running replica", false), LaneState::Stopped);
    QCOMPARE(laneState("start failed replica", true), LaneState::Stopped);
    QCOMPARE(laneState("creating replica replica", true), LaneState::Stopped);
    QCOMPARE(laneState("unknown unknown", true), LaneState::Unknown);
    QCOMPARE(laneState("running primary", true), LaneState::Unknown); // without the lock
    QCOMPARE(laneState("", true), LaneState::Unknown);
}

void LeadershipTest::leadersOfTheHistory()
{
    const Leadership l = leadership(made::healthy(), {}, at(-600s), made::now());
    const Spans &spans = l.lanes[1].spans; // acme-1 led on TL 5 and leads on 8
    QCOMPARE(spans.size(), std::size_t(3));
    QVERIFY(spans[0].recorded && spans[0].timeline == 5 && !spans[0].current);
    QVERIFY(spans[1].recorded && spans[1].timeline == 8 && spans[1].to == at(-600s));
    QVERIFY(!spans[2].recorded && spans[2].timeline == 8 && spans[2].current);
    QCOMPARE(spans[2].to, at(0s));
    QCOMPARE(l.from, std::optional(made::instant("2031-01-28T02:11:09+00:00"))); // who led timeline 1 is not recorded
    for (const Lane &lane : l.lanes)
        for (std::size_t i = 1; i < lane.spans.size(); ++i)
            QVERIFY(lane.spans[i - 1].to <= lane.spans[i].from);
}

void LeadershipTest::nothingIsKnownBeforeTheFirstLook()
{
    const Instant since = at(-600s);
    const std::vector<Event> old{state("acme-0", -900s, "stopped replica", "running replica")};
    for (const auto &looked : {std::optional(since), std::optional<Instant>()}) {
        const Leadership l = leadership(made::healthy(), old, looked, made::now());
        for (const Lane &lane : l.lanes)
            for (const LaneSpan &span : lane.spans)
                QVERIFY(span.from >= looked.value_or(at(0s)) || (span.recorded && span.state == LaneState::Leader));
    }
    // In a standby cluster the lock moves without a new timeline: the history vouches for nobody.
    auto standby = made::healthy();
    standby.config->config.standbyCluster = true;
    standby.lock.acquireTime.reset();
    const Leadership l = leadership(standby, {}, since, made::now());
    for (const Lane &lane : l.lanes)
        for (const LaneSpan &span : lane.spans)
            QVERIFY(!span.recorded);
}

void LeadershipTest::gaps()
{
    const Leadership l = leadership(made::healthy(), {}, at(-4h), made::now());
    QCOMPARE(l.gaps.size(), std::size_t(1));
    QCOMPARE(l.gaps[0].to - l.gaps[0].from, Duration(37s));
    for (const Lane &lane : l.lanes)
        for (const LaneSpan &span : lane.spans)
            QVERIFY2(span.state != LaneState::Leader || span.to <= l.gaps[0].from || span.from >= l.gaps[0].to, "a leader in a gap");
}

void LeadershipTest::gapThatGoesOn()
{
    const Leadership l = leadership(made::expired(), {}, at(-600s), made::now());
    QCOMPARE(told(l.gaps), QByteArray("-42..0*"));
    QCOMPARE(told(l, "acme-1"), QByteArray("leader -600..-42 | unknown -42..0*"));
    // our own silence is no gap
    const Leadership stale = leadership(made::stale(), {}, at(-600s), made::now());
    QCOMPARE(told(stale.gaps), QByteArray());
    QCOMPARE(told(stale.blind), QByteArray("-48..0*"));
    QCOMPARE(told(stale, "acme-1"), QByteArray("leader -600..-48"));
    QCOMPARE(told(stale, "acme-0"), QByteArray("replica -600..-48"));
    // nobody ever looked, and nobody does: what is recorded stays, but not until now
    const Leadership never = leadership(made::stale(), {}, std::nullopt, made::now());
    QCOMPARE(never.lanes[1].spans.size(), std::size_t(2));
    QVERIFY(never.lanes[1].spans[1].recorded && never.lanes[1].spans[1].to == at(-48s));
}

void LeadershipTest::blindSpots()
{
    Event spot = happened(EventCode::BlindSpot, -200s, {{"from", formatUtc(at(-350s))}, {"to", formatUtc(at(-250s))}});
    Event elsewhere = ofContext(EventCode::ConnectionLost, -100s);
    elsewhere.cluster.context = "staging";
    const Leadership l = leadership(
        made::healthy(), {ofContext(EventCode::ConnectionLost, -400s), ofContext(EventCode::ConnectionRestored, -300s), spot, elsewhere},
        at(-600s), made::now());
    QCOMPARE(told(l.blind), QByteArray("-400..-250"));
    // The timeline did not change: the history vouches for who led it.
    QCOMPARE(told(l, "acme-1"), QByteArray("leader -600..-400 | leader (recorded) -400..-250 | leader -250..0*"));
    QCOMPARE(told(l, "acme-0"), QByteArray("replica -600..-400 | replica -250..0*"));
}

// Each stream has blind spots of its own.
void LeadershipTest::blindToOneKind()
{
    const auto spot = [](const char *resource) {
        return happened(EventCode::BlindSpot, -200s,
                        {{"from", formatUtc(at(-350s))}, {"to", formatUtc(at(-250s))}, {"resource", resource}});
    };
    const auto with = [&](const char *resource) { return leadership(made::healthy(), {spot(resource)}, at(-600s), made::now()); };
    QCOMPARE(told(with("endpoints").blind), QByteArray("-350..-250"));
    QCOMPARE(told(with("pods").blind), QByteArray());
    QCOMPARE(told(with("pods"), "acme-0"), QByteArray("replica -600..-350 | replica -250..0*"));
    QCOMPARE(told(with("pods"), "acme-1"), QByteArray("leader -600..0*"));
    QCOMPARE(told(with("configmaps"), "acme-0"), QByteArray("replica -600..0*"));
}

void LeadershipTest::lockMoveWithoutTimeline()
{
    auto c = made::healthy();
    auto t = made::transition(patroni::TransitionKind::LockReleased, "acme-1", "acme-2", 0, at(-300s), 5s);
    t.timeline.reset();
    c.transitions.push_back(t);
    c.leaderName = c.lock.holder = "acme-2";
    const Leadership l = leadership(c, {}, at(-600s), made::now());
    QCOMPARE(told(l.gaps), QByteArray("-305..-300"));
    QCOMPARE(told(l, "acme-2"), QByteArray("sync -600..-300 | leader -300..0*"));
    QVERIFY(told(l, "acme-1").startsWith("leader -600..-305 | unknown -305..0*")); // it still says that it is primary
}

void LeadershipTest::foundAfterAGap()
{
    auto c = made::healthy();
    auto t = made::transition(patroni::TransitionKind::Unknown, "acme-1", "acme-2", 9, {}, 0s);
    t.gainedAt.reset();
    t.notBefore = at(-400s);
    t.notAfter = at(-300s);
    c.transitions.push_back(t);
    c.leaderName = c.lock.holder = "acme-2";
    const Leadership l = leadership(c, {ofContext(EventCode::ConnectionLost, -400s), ofContext(EventCode::ConnectionRestored, -300s)},
                                    at(-600s), made::now());
    QVERIFY(told(l, "acme-1").startsWith("leader -600..-400"));
    QVERIFY(told(l, "acme-2").endsWith("leader -300..0*"));
    QCOMPARE(told(l.gaps), QByteArray()); // whether there was one, nobody knows
}

void LeadershipTest::marks()
{
    const Leadership l = leadership(made::healthy(),
                                    {happened(EventCode::RequestWritten, -50s, {{"kind", "switchover"}}),
                                     happened(EventCode::PauseOn, -40s), happened(EventCode::ConfigChanged, -30s),
                                     happened(EventCode::LockLate, -20s)},
                                    at(-600s), made::now());
    QCOMPARE(l.marks.size(), std::size_t(3));
    QCOMPARE(l.marks[0].type, EventCode::RequestWritten);
    QCOMPARE(l.marks[0].at, at(-50s));
    QCOMPARE(l.marks[0].text, std::string("kind=switchover"));
}

void LeadershipTest::emptyCluster()
{
    const Leadership l = leadership(made::blank(), {}, std::nullopt, made::now());
    QVERIFY(!l.from);
    QVERIFY(l.lanes.empty());
}

void LeadershipTest::goesOn()
{
    Leadership l = leadership(made::stale(), {}, at(-600s), made::now());
    prolong(l, at(60s));
    QCOMPARE(told(l.blind), QByteArray("-48..60*"));
    QCOMPARE(told(l, "acme-1"), QByteArray("leader -600..-48"));
    l = leadership(made::healthy(), {}, at(-600s), made::now());
    prolong(l, at(60s));
    QCOMPARE(told(l, "acme-1"), QByteArray("leader -600..60*"));
    QCOMPARE(l.to, std::optional(at(60s)));
}

void LeadershipTest::manyEvents()
{
    std::vector<Event> events;
    for (int i = 100000; i > 0; --i)
        events.push_back(i % 2 ? state("acme-0", -i * 30s, "stopped replica", "running replica")
                               : state("acme-0", -i * 30s, "running replica", "stopped replica"));
    const Leadership l = leadership(made::healthy(), events, at(-100001 * 30s), made::now());
    QVERIFY(l.lanes[0].spans.size() > 90000); // the rest of the time it led
}

QTEST_APPLESS_MAIN(LeadershipTest)
#include "tst_leadership.moc"
