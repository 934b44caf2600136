// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What an archive remembers of elections.
#include "app/archive/archive_reader.h"
#include "app/archive/election_past.h"
#include "app/archive/importer.h"
#include "app/archive/retention.h"
#include "app/archive/row_writer.h"
#include "tests/archive/archive_cases.h"
#include "tests/archive/archive_files.h"

#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::archive;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

ClusterId inNamespace()
{
    ClusterId id = acme();
    id.scope = id.base = id.incarnation = "";
    id.mode.reset();
    return id;
}

ClusterId planner()
{
    ClusterId id = inNamespace();
    id.base = "planner";
    return id;
}

const election::Key plannerKey{"prod", "db", "planner"};

EventRecord electionEvent(const std::string &id, int seconds, EventCode type, std::map<std::string, std::string> detail)
{
    EventRecord record = eventRecord(id, seconds, type);
    record.cluster = inNamespace();
    record.event.cluster = record.cluster.key();
    record.event.object = "planner";
    record.event.detail = std::move(detail);
    return record;
}

using Detail = std::map<std::string, std::string>;
using Change = std::optional<election::HolderChange>;

Change change(election::ChangeKind kind, const char *from, const char *to)
{
    election::HolderChange made;
    made.kind = kind;
    if (from)
        made.from = from;
    if (to)
        made.to = to;
    made.wall = at(35);
    return made;
}

} // namespace

class TestElectionPast : public QObject, protected ArchiveFiles
{
    Q_OBJECT
private Q_SLOTS:
    void changesOfAHolder_data();
    void changesOfAHolder();
    void anElectionsPast();
    void aPatroniLocksPast();
};

void TestElectionPast::changesOfAHolder_data()
{
    using election::ChangeKind;
    const auto taken = EventCode::ElectionLeader, ended = EventCode::ElectionStopped;
    QTest::addColumn<EventCode>("type");
    QTest::addColumn<Detail>("detail");
    QTest::addColumn<bool>("forLife");
    QTest::addColumn<Change>("expected");
    Change full = change(ChangeKind::TakenOver, "a", "b");
    full->gap = 2500ms;
    full->transitions = 4;
    QTest::newRow("taken over") << taken << Detail{{"election", "leases"}, {"how", "taken-over"}, {"from", "a"}, {"to", "b"},
                                                   {"gap", "2.5"},         {"transitions", "4"}}
                                << false << full;
    QTest::newRow("taken first") << taken << Detail{{"election", "leases"}, {"how", "first-seen"}, {"to", "b"}} << false
                                 << change(ChangeKind::FirstSeen, nullptr, "b");
    QTest::newRow("retaken") << taken << Detail{{"election", "leases"}, {"how", "retaken"}, {"from", "b"}, {"to", "b"}} << false
                             << change(ChangeKind::Retaken, "b", "b");
    QTest::newRow("released") << ended << Detail{{"election", "leases"}, {"how", "released"}, {"holder", "a"}} << false
                              << change(ChangeKind::Released, "a", nullptr);
    QTest::newRow("expired") << ended << Detail{{"election", "endpoints"}, {"how", "expired"}, {"holder", "a"}} << false
                             << change(ChangeKind::Expired, "a", nullptr);
    QTest::newRow("gone") << ended << Detail{{"election", "leases"}, {"how", "gone"}, {"holder", "a"}} << false
                          << change(ChangeKind::Gone, "a", nullptr);
    QTest::newRow("for life: evicted") << ended << Detail{{"election", "leader-for-life"}, {"how", "evicted"}, {"holder", "a"}} << true
                                       << change(ChangeKind::Expired, "a", nullptr);
    QTest::newRow("for life: orphaned") << ended << Detail{{"election", "leader-for-life"}, {"how", "orphaned"}, {"holder", "a"}} << true
                                        << change(ChangeKind::Gone, "a", nullptr);
    QTest::newRow("of the other family") << ended << Detail{{"election", "leader-for-life"}, {"how", "evicted"}, {"holder", "a"}} << false
                                         << Change();
    QTest::newRow("late is no change") << EventCode::ElectionLate << Detail{{"election", "leases"}, {"holder", "a"}} << false << Change();
    QTest::newRow("of a newer version") << taken << Detail{{"election", "leases"}, {"how", "inherited"}, {"to", "b"}} << false << Change();
}

void TestElectionPast::changesOfAHolder()
{
    QFETCH(EventCode, type);
    QFETCH(Detail, detail);
    QFETCH(bool, forLife);
    QFETCH(Change, expected);
    election::Key key = plannerKey;
    key.family = forLife ? election::Family::LeaderForLife : election::Family::ClientGo;
    Event event = electionEvent("e", 35, type, detail).event;
    QVERIFY(holderChange(event, key) == expected);
    event.object = "another";
    QVERIFY(!holderChange(event, key));
}

void TestElectionPast::anElectionsPast()
{
    const QString file = newFile(), other = newFile();
    const auto database = open(file);
    ClusterId early = planner(); // the server's uid is not known yet
    early.server.uid.clear();
    ClusterId cluster = acme(); // of the same name
    cluster.scope = cluster.base = "planner";
    const Detail taken{{"election", "leases"}, {"how", "taken-over"}, {"from", "a"}, {"to", "b"}};
    EventRecord foreign = electionEvent("e3", 40, EventCode::ElectionLeader, taken);
    foreign.event.object = "queue";
    write(*database,
          {RenewRecord{early, at(0), 30, 2s, 3s}, RenewRecord{planner(), at(60), 29, 2s, 5s}, RenewRecord{cluster, at(60), 6, 10s, 10s},
           electionEvent("e1", 35, EventCode::ElectionLeader, taken), foreign,
           NoteRecord{inNamespace(), "n1", "e1", at(90), "eva", "the node was too small"}});
    write(*open(other),
          {RenewRecord{planner(), at(60), 12, 2s, 2s}, RenewRecord{planner(), at(120), 30, 2s, 2s},
           electionEvent("e1", 35, EventCode::ElectionLeader, taken),
           electionEvent("e2", 70, EventCode::ElectionStopped, {{"election", "leases"}, {"how", "released"}, {"holder", "b"}})});
    QVERIFY(importInto(*database, other));
    const auto past = readElectionPast(*reader(file), plannerKey, planner(), at(-1000));
    QVERIFY(past);
    const std::vector<RenewMinute> minutes{{at(0), 30, 2s, 3s}, {at(60), 29, 2s, 5s}, {at(120), 30, 2s, 2s}};
    QVERIFY(past->renewals == minutes);
    QCOMPARE(past->changes.size(), std::size_t(2));
    QCOMPARE(past->changes[0].to.value_or(""), std::string("b"));
    QCOMPARE(past->changes[1].kind, election::ChangeKind::Released);
    QCOMPARE(past->notes.size(), std::size_t(1));
    QCOMPARE(readElectionPast(*reader(file), plannerKey, planner(), at(65))->changes.size(), std::size_t(1));
    // A leader for life of that name neither renews nor changes
    const auto forLife = readElectionPast(*reader(file), {"prod", "db", "planner", election::Family::LeaderForLife}, planner(), at(-1000));
    QVERIFY(forLife && forLife->changes.empty() && forLife->renewals.empty());
    QCOMPARE(tidy(*database, {1h, 0}, at(100) + 1h), Result<bool>(false));
    const auto left = readElectionPast(*reader(file), plannerKey, planner(), at(-1000));
    QCOMPARE(left->renewals.size(), std::size_t(1));
    QCOMPARE(left->changes.size(), std::size_t(1)); // the one with a note stays, and is found
    QCOMPARE(left->notes.at(0).front().text, std::string("the node was too small"));
    const auto hits = reader(file)->search(u"planner"_s, {});
    QVERIFY(std::any_of(hits->rows.begin(), hits->rows.end(), tellsOfHolder));
    QVERIFY(!tellsOfHolder({HitKind::Transition, {}, {}, {}, "db/acme prod election-leader "}));
    QVERIFY(!tellsOfHolder({HitKind::Event, {}, {}, {}, "db/acme prod leader-changed acme"}));
}

void TestElectionPast::aPatroniLocksPast()
{
    const QString file = newFile();
    TransitionRecord told = transitionRecord("t2", 100); // by Patroni's history: nobody saw it
    told.transition.timeline = 6;
    told.transition.fromLive = false;
    TransitionRecord former = transitionRecord("t3", 50);
    former.cluster.incarnation = "42";
    write(*open(file), {transitionRecord("t1", 10), told, former, RenewRecord{acme(), at(60), 6, 10s, 12s}});
    const auto past = readElectionPast(*reader(file), {"prod", "db", "acme", election::Family::Patroni}, acme(), at(-1000));
    QVERIFY(past);
    QCOMPARE(past->changes.size(), std::size_t(1));
    QVERIFY(past->changes[0].wall == at(10) && past->changes[0].gap == Duration(31s));
    QCOMPARE(past->renewals.size(), std::size_t(1));
}

QTEST_GUILESS_MAIN(TestElectionPast)
#include "tst_election_past.moc"
