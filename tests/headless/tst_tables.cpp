// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/tables.h"
#include "models/core/table_formats.h"
#include "tests/support/made_clusters.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::headless;
using namespace std::chrono_literals;
using patroni::Cluster;

namespace {

const std::string head = "context,namespace,scope,group,mode,as_of,";
const std::string acme = "prod-eu,payments,acme,,endpoints,2031-02-01T13:02:11.000000Z,";

QStringList csv(Command command, const Cluster &cluster, const Filters &filters = {})
{
    const std::string bytes = format(rows(command, {&cluster}, {}, made::now(), filters), Format::Csv);
    QStringList lines = QString::fromStdString(bytes).split(QStringLiteral("\r\n"));
    lines.removeLast();
    return lines;
}

// The cell of the only row.
std::optional<std::string> only(Command command, const Cluster &cluster, const char *column)
{
    const Table table = rows(command, {&cluster}, {}, made::now());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].name == column && !table.rows.empty())
            return cellText(table.rows.front()[i]);
    }
    return "(no such column or row)";
}

QStringList lines(std::initializer_list<std::string> all)
{
    QStringList list;
    for (const std::string &line : all)
        list.append(QString::fromStdString(line));
    return list;
}

using Expected = std::optional<std::string>;

election::Election elected()
{
    election::Election e;
    e.key = {"prod-eu", "ops", "planner"};
    e.state = election::State::Held;
    e.holder = "planner-7_abc";
    e.duration = 15;
    e.acquiredAt = made::instant("2031-02-01T12:00:00Z");
    e.renewedAt = made::instant("2031-02-01T13:02:00.123456Z");
    e.transitions = 4;
    e.changedNotAfter = made::now().boot - 2500ms;
    e.freshness = patroni::Freshness::Live;
    e.pod = election::HolderPod{"planner-7", "u-1", "Running", {}, {}, true};
    return e;
}

} // namespace

Q_DECLARE_METATYPE(Cluster)
Q_DECLARE_METATYPE(Expected)
Q_DECLARE_METATYPE(election::Election)

class TestTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The names and their order are a promise to scripts.
    void headers_data()
    {
        QTest::addColumn<QString>("names");
        const auto row = [](const char *command, const char *names) { QTest::newRow(command) << QString::fromStdString(head + names); };
        row("list",
            "health,reasons,leader,lock,ttl,lock_age_s,acquired_at,timeline,members,members_up,worst_lag,sync,paused,request,system_id");
        row("members",
            "member,role,state,timeline,lsn,lag,receive_lag,replay_lag,tags,pending_restart,version,status_changed_at,freshness");
        row("history", "timeline,lsn,lsn_text,reason,ended_at,new_leader");
        row("requests",
            "seen_at,kind,leader,candidate,scheduled_at,scheduled_at_raw,outcome,reason,certain,final,step,due_at,released_at,"
            "decided_at,new_leader,new_timeline");
        row("transitions",
            "kind,from,to,timeline,lsn,lost_at,gained_at,gap_s,not_before,not_after,sources,id,timeline_before,gap_uncertainty_s,"
            "writable_s,streaming_s,left_behind,request,erased,evidence");
        row("elections", "kind,name,holder,state,duration_s,acquired_at,renewed_at,transitions,record_age_s,pod,details");
        row("events", "at,type,object,resource_version,detail");
        row("preflight", "kind,leader,candidate,scheduled_at,fit,member,asked,rule,severity,subject,amount,source,versions");
    }

    void headers()
    {
        QFETCH(QString, names);
        const Table table = rows(commandFromCode(QTest::currentDataTag()).value(), {}, {}, made::now());
        QCOMPARE(QString::fromStdString(format(table, Format::Csv)), QString(names + QStringLiteral("\r\n")));
    }

    void list()
    {
        QCOMPARE(
            csv(Command::List, made::healthy()).at(1),
            QString::fromStdString(acme + "healthy,,acme-1,held,30,4,2031-02-01T09:50:01.402917Z,8,3,3,0,on,false,,7301234567890123456"));
        QCOMPARE(csv(Command::List, made::expired()).at(1),
                 QString::fromStdString(acme
                                        + "unhealthy,\"lock-expired,member-down\",,expired,30,72,2031-02-01T09:50:01.402917Z,8,3,2,,on,"
                                          "false,,7301234567890123456"));
    }

    void listCells_data()
    {
        QTest::addColumn<Cluster>("cluster");
        QTest::addColumn<QString>("column");
        QTest::addColumn<Expected>("expected");
        const auto row = [](const char *name, const Cluster &cluster, const char *column, const Expected &expected) {
            QTest::newRow(name) << cluster << QString::fromLatin1(column) << expected;
        };
        const auto with = [](auto change) {
            Cluster c = made::healthy();
            change(c);
            return c;
        };
        row("nothing pending is known", made::healthy(), "request", "");
        row("no reasons is known", made::healthy(), "reasons", "");
        row("pending", made::scheduled(), "request", "pending");
        row("outage", made::outage(), "request", "outage");
        row("stale: no request is not known", made::stale(), "request", {});
        row("stale: leader unknown", made::stale(), "leader", {});
        row("stale: lock", made::stale(), "lock", "stale");
        row("stale: age unknown", made::stale(), "lock_age_s", {});
        row("stale: as of the last contact", made::stale(), "as_of", "2031-02-01T13:01:23.000000Z");
        row("stale: health", made::stale(), "health", "unknown");
        row("stale: lag unknown", made::stale(), "worst_lag", {});
        row("blank: no contact, no moment", with([](Cluster &c) { c.view = {}; }), "as_of", {});
        row("blank: no members seen is not 0", with([](Cluster &c) {
                c.view.freshness = patroni::Freshness::Forbidden;
                c.members.clear();
            }),
            "members", {});
        row("blank: nor 0 up", with([](Cluster &c) {
                c.view.freshness = patroni::Freshness::Forbidden;
                c.members.clear();
            }),
            "members_up", {});
        row("really no members", with([](Cluster &c) { c.members.clear(); }), "members", "0");
        row("lag unknown", with([](Cluster &c) {
                for (auto &m : c.members)
                    m.lag = m.receiveLag = m.replayLag = std::nullopt;
            }),
            "worst_lag", {});
        row("no config: sync unknown", with([](Cluster &c) { c.config.reset(); }), "sync", {});
        row("no usable config: pause unknown", with([](Cluster &c) { c.config->config.present = false; }), "paused", {});
        row("paused", made::paused(), "paused", "true");
        row("sync off", with([](Cluster &c) { c.config->config.syncMode = patroni::SyncMode::Off; }), "sync", "off");
        row("quorum", made::longNames(), "sync", "quorum");
        row("group", made::longNames(), "group", "12");
        row("ConfigMaps", with([](Cluster &c) { c.names.mode = patroni::Mode::ConfigMaps; }), "mode", "configmaps");
        row("absent: no ttl", with([](Cluster &c) { c.lock = {}; }), "ttl", {});
        row("released: nobody acquired it", with([](Cluster &c) { c.lock.state = patroni::LockState::Released; }), "acquired_at", {});
        row("unverified: age unknown", with([](Cluster &c) {
                c.lock.state = patroni::LockState::Unverified;
                c.lock.changedNotAfter.reset();
            }),
            "lock_age_s", {});
        row("timeline unknown", with([](Cluster &c) { c.timeline.reset(); }), "timeline", {});
        row("system id unknown", with([](Cluster &c) { c.systemId.reset(); }), "system_id", {});
    }

    void listCells()
    {
        QFETCH(Cluster, cluster);
        QFETCH(QString, column);
        QFETCH(Expected, expected);
        QVERIFY2(only(Command::List, cluster, column.toLatin1().constData()) == expected,
                 only(Command::List, cluster, column.toLatin1().constData()).value_or("(unknown)").c_str());
    }

    void members()
    {
        Cluster c = made::troubled();
        c.members[2].record.reported = false;
        c.members[2].role = patroni::Role::Unknown;
        c.members[2].shownState.reset();
        c.members[2].record.timeline.reset();
        c.members[2].record.version.reset();
        c.members[2].lsn.reset();
        c.members[2].lag = c.members[2].receiveLag = c.members[2].replayLag = std::nullopt;
        QCOMPARE(csv(Command::Members, c).mid(1),
                 lines({acme + "acme-1,leader,running,8,671129000,,,,,true,4.1.4,,live",
                        acme
                            + "acme-0,replica,running,7,668991488,,,2040109466,\"clonefrom=true,nofailover=true\",false,4.1.4,"
                              "2031-02-01T12:50:11.000000Z,live",
                        acme + "acme-2,,,,,,,,,,,,live"}));
    }

    // A row is of no moment before what it tells, and of none to come.
    void asOfIsNotBeforeWhatIsTold()
    {
        Cluster c = made::stale(); // its last contact: 13:01:23
        QVERIFY(only(Command::Members, c, "as_of") == Expected("2031-02-01T13:01:23.000000Z"));
        c.members[0].statusChangedAt = made::now(-12s).boot;
        QVERIFY(only(Command::Members, c, "as_of") == Expected("2031-02-01T13:01:59.000000Z"));
        c.requests.push_back(made::request("acme-1", "acme-2")); // seen 9 s ago
        QVERIFY(only(Command::Requests, c, "as_of") == Expected("2031-02-01T13:02:02.000000Z"));
        c.requests.back().decidedWall = made::now(10s).wall; // by another clock
        QVERIFY(only(Command::Requests, c, "as_of") == Expected("2031-02-01T13:02:11.000000Z"));
        Event event;
        event.cluster = c.names.key;
        event.wall = made::now(-5s).wall;
        const Table table = rows(Command::Events, {&c}, std::vector<Event>{event}, made::now());
        QCOMPARE(std::get<Instant>(table.rows.front()[5]), made::now(-5s).wall);
    }

    void zeroLagIsZero()
    {
        QCOMPARE(csv(Command::Members, made::healthy()).at(2),
                 QString::fromStdString(acme + "acme-0,replica,streaming,8,671129000,0,0,100,clonefrom=true,false,4.1.4,,live"));
    }

    // Who led, and how far the others were behind, is not known of now.
    void membersOfAStaleView()
    {
        const std::string then = "prod-eu,payments,acme,,endpoints,2031-02-01T13:01:23.000000Z,";
        QCOMPARE(csv(Command::Members, made::stale()).mid(1),
                 lines({then + "acme-1,,running,8,671129000,,,,,false,4.1.4,,stale",
                        then + "acme-0,replica,streaming,8,671129000,,,,clonefrom=true,false,4.1.4,,stale",
                        then + "acme-2,sync_standby,streaming,8,671129000,,,,,false,4.1.4,,stale"}));
        Cluster lockOutOfSight = made::healthy();
        lockOutOfSight.lock.state = patroni::LockState::Stale;
        lockOutOfSight.leaderName.reset();
        QVERIFY(only(Command::Members, lockOutOfSight, "freshness") == Expected("stale"));
        QVERIFY(only(Command::Members, lockOutOfSight, "role") == Expected());
        Cluster standby = made::healthy();
        standby.members[0].role = patroni::Role::StandbyLeader;
        QVERIFY(only(Command::Members, standby, "role") == Expected("standby_leader"));
        standby.leaderName.reset();
        QVERIFY(only(Command::Members, standby, "role") == Expected());
    }

    void history()
    {
        const QStringList all = csv(Command::History, made::healthy());
        QCOMPARE(all.size(), 8);
        QCOMPARE(all.at(1), QString::fromStdString(acme + "1,25165984,0/18000A0,no recovery target specified,,"));
        QCOMPARE(all.at(6),
                 QString::fromStdString(acme + "6,402653344,0/180000A0,no recovery target specified,2031-01-31T22:05:30.000000Z,acme-2"));
        Cluster none = made::healthy();
        none.config.reset();
        QCOMPARE(csv(Command::History, none).size(), 1);
    }

    void historyWindow()
    {
        Filters filters;
        filters.since = made::instant("2031-01-31T08:20:45Z");
        filters.until = made::instant("2031-01-31T22:05:30Z");
        const QStringList some = csv(Command::History, made::healthy(), filters);
        QCOMPARE(some.size(), 3); // both ends belong to it; the row without a time does not
        QVERIFY(some.at(1).contains(QStringLiteral(",5,335544480,")));
        QVERIFY(some.at(2).contains(QStringLiteral(",6,402653344,")));
    }

    void requests()
    {
        QCOMPARE(csv(Command::Requests, made::scheduled()).at(1),
                 QString::fromStdString(acme
                                        + "2031-02-01T13:02:02.000000Z,switchover,acme-1,acme-2,2031-02-01T15:16:00.000000Z,"
                                          "2031-02-01T15:16:00+00:00,pending,,true,false,scheduled,2031-02-01T15:16:00.000000Z,,,,"));
        QCOMPARE(csv(Command::Requests, made::inFlight(patroni::RequestStep::Decided)).at(1),
                 QString::fromStdString(acme
                                        + "2031-02-01T13:02:02.000000Z,switchover,acme-1,acme-2,,,done,,true,true,decided,,"
                                          "2031-02-01T13:02:07.000000Z,2031-02-01T13:02:10.000000Z,acme-2,9"));
        // A schedule's time is told as it was given, whatever our clocks made of it.
        Cluster late = made::scheduled();
        late.requests.back().dueAt = *late.requests.back().dueAt - Duration(700);
        QCOMPARE(csv(Command::Requests, late), csv(Command::Requests, made::scheduled()));
        Cluster refused = made::refused(patroni::Refusal::NotSyncStandby);
        refused.requests.back().certain = false;
        refused.requests.back().kind = patroni::RequestKind::Failover;
        refused.requests.back().request.leader.reset();
        refused.requests.back().seenWall.reset();
        QCOMPARE(csv(Command::Requests, refused).at(1),
                 QString::fromStdString(acme
                                        + "2031-02-01T13:02:02.000000Z,failover,,acme-0,,,refused,not-sync-standby,false,true,decided,,,"
                                          "2031-02-01T13:02:08.000000Z,,"));
        QCOMPARE(
            csv(Command::Requests, made::outage()).at(1),
            QString::fromStdString(acme + "2031-02-01T13:02:02.000000Z,switchover,acme-1,acme-2,,tomorrow,outage,,true,false,due,,,,,"));
    }

    void transitions()
    {
        Cluster c = made::healthy();
        patroni::Transition hidden;
        hidden.kind = patroni::TransitionKind::Unknown;
        hidden.to = "acme-2";
        hidden.lsn = 42;
        hidden.notBefore = made::instant("2031-02-01T12:00:00Z");
        hidden.notAfter = made::instant("2031-02-01T12:30:00.5Z");
        hidden.fromHistory = hidden.fromLive = true;
        c.transitions.push_back(hidden);
        patroni::Transition seen;
        seen.kind = patroni::TransitionKind::LockExpired;
        seen.from = "acme-2";
        seen.to = "acme-1";
        seen.timelineBefore = 8;
        seen.lostAt = made::instant("2031-02-01T11:00:00Z");
        seen.gainedAt = made::instant("2031-02-01T11:00:31Z");
        seen.gap = std::chrono::seconds(31);
        seen.gapUncertainty = std::chrono::milliseconds(10500);
        seen.writableAt = made::instant("2031-02-01T11:00:32.5Z");
        seen.leftBehind = {"acme-0", "acme-2"};
        seen.id = "0123456789abcdef";
        seen.erased = patroni::FailoverRequest{};
        seen.erased->member = "acme-0";
        seen.erased->scheduledAtRaw = "2031-02-03T01:30:00+00:00";
        seen.kindSource = seen.fromSource = seen.toSource = seen.gainedSource = patroni::Source::Live;
        seen.lostSource = patroni::Source::Inferred;
        seen.evidence = {{patroni::EvidenceCode::Expired, "acme-2", "30", made::instant("2031-02-01T11:00:00Z")},
                         {patroni::EvidenceCode::MemberState, "acme-2", "running primary", {}}};
        c.transitions.push_back(seen);
        const QStringList all = csv(Command::Transitions, c);
        QCOMPARE(all.size(), 9);
        QCOMPARE(all.at(8),
                 QString::fromStdString(acme
                                        + "lock-expired,acme-2,acme-1,,,2031-02-01T11:00:00.000000Z,2031-02-01T11:00:31.000000Z,31,,,"
                                          "kind=live;from=live;to=live;lost=inferred;gained=live;gap=inferred,0123456789abcdef,8,10.5,1.5,,"
                                          "\"acme-0,acme-2\",,member=acme-0 scheduled_at=2031-02-03T01:30:00+00:00,"
                                          "\"expired subject=acme-2 detail=30 at=2031-02-01T11:00:00.000000Z; "
                                          "member-state subject=acme-2 detail=\"\"running primary\"\"\""));
        QCOMPARE(all.at(1), QString::fromStdString(acme + "unknown,,acme-0,3,,,2031-01-28T02:11:09.000000Z,,,,,,,,,,,,,"));
        QCOMPARE(all.at(6),
                 QString::fromStdString(
                     acme + "lock-expired,acme-2,acme-1,8,,2031-02-01T09:49:24.402000Z,2031-02-01T09:50:01.402000Z,37,,,,,,,,,,,,"));
        QCOMPARE(all.at(7),
                 QString::fromStdString(acme
                                        + "unknown,,acme-2,,42,,,,2031-02-01T12:00:00.000000Z,2031-02-01T12:30:00.500000Z,"
                                          ",,,,,,,,,"));
        Filters filters;
        filters.since = made::instant("2031-02-01T12:29:00Z");
        QCOMPARE(csv(Command::Transitions, c, filters).size(), 2); // the interval touches the window
        filters.since = made::instant("2031-02-01T12:31:00Z");
        QCOMPARE(csv(Command::Transitions, c, filters).size(), 1);
    }

    void events()
    {
        const Cluster c = made::healthy();
        Event led;
        led.type = EventCode::LeaderChanged;
        led.cluster = c.names.key;
        led.wall = made::instant("2031-02-01T13:00:00.25Z");
        led.object = "acme";
        led.resourceVersion = "90417";
        led.detail = {{"from", "acme-0"}, {"to", "acme-1"}};
        Event lost;
        lost.type = EventCode::ConnectionLost;
        lost.cluster.context = "prod-eu";
        lost.wall = made::instant("2031-02-01T13:01:00Z");
        const std::vector<Event> all{led, lost};
        const auto text = [&](const Filters &filters) {
            return QString::fromStdString(format(rows(Command::Events, {&c}, all, made::now(), filters), Format::Csv))
                .split(QStringLiteral("\r\n"));
        };
        QCOMPARE(text({}).at(1),
                 QString::fromStdString(acme + "2031-02-01T13:00:00.250000Z,leader-changed,acme,90417,from=acme-0 to=acme-1"));
        QCOMPARE(text({}).at(2), QStringLiteral("prod-eu,,,,,2031-02-01T13:02:11.000000Z,2031-02-01T13:01:00.000000Z,connection-lost,,,"));
        QCOMPARE(text({{{"payments", "acme", {}}}, {}, {}}).size(), 3);
        QCOMPARE(text({{}, made::instant("2031-02-01T13:00:30Z"), {}}).at(1).contains(QStringLiteral("connection-lost")), true);
        QCOMPARE(text({{}, {}, made::instant("2031-02-01T13:00:30Z")}).size(), 3);
    }

    void elections_data()
    {
        using namespace election;
        QTest::addColumn<Election>("election");
        QTest::addColumn<QString>("cells"); // from as_of on
        const std::string live = "2031-02-01T13:02:11.000000Z,";
        const auto row = [](const char *name, const Election &e, const std::string &cells) {
            QTest::newRow(name) << e << QString::fromStdString(cells);
        };
        const auto with = [](auto change) {
            Election e = elected();
            change(e);
            return e;
        };
        row("held", elected(),
            live
                + "leases,planner,planner-7_abc,held,15,2031-02-01T12:00:00.000000Z,2031-02-01T13:02:00.123456Z,4,2.5,planner-7,"
                  "pod_phase=Running pod_ready=true");
        row("stale: its age is not known", with([](Election &e) {
                e.state = State::Stale;
                e.freshness = patroni::Freshness::Stale;
                e.lastContact = made::now().boot - 10s;
                e.pod.reset();
            }),
            "2031-02-01T13:02:01.000000Z,leases,planner,planner-7_abc,stale,15,2031-02-01T12:00:00.000000Z,2031-02-01T13:02:00.123456Z,4,,"
            ",");
        row("no change seen: no age, whatever renewTime says", with([](Election &e) {
                e.state = State::Expired;
                e.changedNotAfter.reset();
                e.pod.reset();
            }),
            live + "leases,planner,planner-7_abc,expired,15,2031-02-01T12:00:00.000000Z,2031-02-01T13:02:00.123456Z,4,,,");
        row("nothing told is not 0", with([](Election &e) {
                e = Election{};
                e.key = {"prod-eu", "ops", "planner"};
                e.state = State::Unverified;
            }),
            ",leases,planner,,unverified,,,,,,,");
        row("two records that disagree", with([](Election &e) {
                e.kind = Kind::EndpointsLeases;
                e.holder.reset();
                e.pod.reset();
                e.disagrees = true;
                e.records.resize(2);
                e.records[0].resource = Resource::Leases;
                e.records[0].holder = "a_1";
                e.records[1].resource = Resource::Endpoints;
                e.records[1].holder = "b_2";
            }),
            live
                + "endpointsleases,planner,,held,15,2031-02-01T12:00:00.000000Z,2031-02-01T13:02:00.123456Z,4,2.5,,"
                  "disagrees=true holder_of_endpoints=b_2 holder_of_leases=a_1");
        row("leader for life: no record, no age", with([](Election &e) {
                e = Election{};
                e.key = {"prod-eu", "ops", "planner", Family::LeaderForLife};
                e.kind = Kind::LeaderForLife;
                e.state = State::Held;
                e.holder = "planner-7";
                e.freshness = patroni::Freshness::Live;
                e.createdAt = made::instant("2031-02-01T12:00:00Z");
                e.owners = {{"Pod", "planner-7", "u-1"}};
                e.changedNotAfter = made::now().boot - 5s;
            }),
            live + "leader-for-life,planner,planner-7,held,,,,,,,owner=Pod/planner-7 since=2031-02-01T12:00:00.000000Z");
    }

    void elections()
    {
        QFETCH(election::Election, election);
        QFETCH(QString, cells);
        const std::vector<const election::Election *> all{&election};
        const std::string bytes = format(rows(Command::Elections, {}, {}, made::now(), {}, all), Format::Csv);
        const QString start = QString::fromStdString("prod-eu,ops,planner,," + std::string(code(election.kind)) + ',');
        QCOMPARE(QString::fromStdString(bytes).split(QStringLiteral("\r\n")).at(1), QString(start + cells));
    }

    // Patroni's own locks are among them; heartbeats only on request.
    void electionsOfAllKinds()
    {
        const Cluster cluster = made::healthy();
        election::Election heartbeat = elected();
        heartbeat.key.ns = "kube-node-lease";
        heartbeat.key.name = "worker-1";
        heartbeat.noise = true;
        const election::Election other = elected();
        const std::vector<const election::Election *> all{&other, &heartbeat};
        const auto names = [&](const Filters &filters) {
            QStringList found;
            for (const Row &row : rows(Command::Elections, {&cluster}, {}, made::now(), filters, all).rows)
                found.append(QString::fromStdString(std::get<std::string>(row[6]) + ' ' + std::get<std::string>(row[7])));
            return found;
        };
        QCOMPARE(names({}), lines({"leases planner", "patroni acme"}));
        Filters whole;
        whole.allLeases = true;
        QCOMPARE(names(whole), lines({"leases worker-1", "leases planner", "patroni acme"}));
        QCOMPARE(names({{{"ops", "planner", {}}}, {}, {}}), lines({"leases planner"}));
        QCOMPARE(names({{{"payments", "acme", {}}}, {}, {}}), lines({"patroni acme"}));
    }

    // Changes of holders stand beside those of clusters: the election's kind as mode, its name as scope.
    void holderChanges()
    {
        election::Election e = elected();
        const Instant at = made::instant("2031-02-01T13:00:00Z");
        e.changes = {{election::ChangeKind::FirstSeen, {}, "a_1", {}, at, {}, {}, {}},
                     {election::ChangeKind::Expired, "a_1", {}, {}, at + 20s, {}, 4, {}},
                     {election::ChangeKind::TakenOver, "a_1", "b_2", {}, at + 30s, at + 25s, 5, Duration(10s), {"Pod a: OOMKilled"}}};
        const std::vector<const election::Election *> all{&e};
        const auto text = [&](std::span<const Event> events, const Filters &filters, std::span<const election::Election *const> of) {
            return QString::fromStdString(format(rows(Command::Transitions, {}, events, made::now(), filters, of), Format::Csv))
                .split(QStringLiteral("\r\n"), Qt::SkipEmptyParts)
                .mid(1);
        };
        const std::string start = "prod-eu,ops,planner,,leases,2031-02-01T13:02:11.000000Z,";
        QCOMPARE(text({}, {}, all),
                 lines({start + "expired,a_1,,,,2031-02-01T13:00:20.000000Z,,,,,live,,,,,,,,,",
                        start
                            + "taken-over,a_1,b_2,,,,2031-02-01T13:00:30.000000Z,10,2031-02-01T13:00:25.000000Z,"
                              "2031-02-01T13:00:30.000000Z,live,,,,,,,,,Pod a: OOMKilled"}));
        QCOMPARE(text({}, {{}, at + 27s, {}}, all).size(), 1);
        QCOMPARE(text({}, {{}, at + 40s, {}}, all).size(), 0);
        election::Election bounded = elected(); // it was never seen to be renewed
        bounded.changes = {{election::ChangeKind::Expired, "a_1", {}, {}, at + 20s, at - 1h, 4, {}}};
        const std::vector<const election::Election *> one{&bounded};
        QCOMPARE(text({}, {}, one),
                 lines({start + "expired,a_1,,,,,,,2031-02-01T12:00:00.000000Z,2031-02-01T13:00:20.000000Z,live,,,,,,,,,"}));

        Event gone; // of an election that is not there any more
        gone.type = EventCode::ElectionStopped;
        gone.cluster.context = "prod-eu";
        gone.cluster.ns = "ops";
        gone.object = "former";
        gone.wall = at;
        gone.detail = {{"election", "configmaps"}, {"holder", "c_3"}, {"how", "gone"}};
        Event led = gone; // told above, too
        led.object = "planner";
        const std::vector<Event> events{gone, led};
        const QStringList both = text(events, {}, all);
        QCOMPARE(both.size(), 3);
        QCOMPARE(
            both.at(2),
            QStringLiteral("prod-eu,ops,former,,configmaps,2031-02-01T13:02:11.000000Z,gone,c_3,,,,2031-02-01T13:00:00.000000Z,,,,,live,"
                           ",,,,,,,,"));
        Filters kept;
        kept.mode = "archive";
        QCOMPARE(text(events, kept, {}).size(), 2);
        QVERIFY(text(events, kept, {}).at(0).startsWith(QStringLiteral("prod-eu,ops,former,,archive,")));
        const Table seen = rows(Command::Events, {}, std::vector<Event>{gone}, made::now());
        QCOMPARE(std::get<std::string>(seen.rows.front()[4]), std::string("configmaps"));
    }

    // Records by letters; rows are numbered as they stand.
    void pickRows_data()
    {
        QTest::addColumn<QString>("known");
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("rows");
        QTest::addColumn<int>("missing");
        const auto row = [](const char *name, const char *known, const char *wanted, const char *rows, int missing) {
            QTest::newRow(name) << QString::fromLatin1(known) << QString::fromLatin1(wanted) << QString::fromLatin1(rows) << missing;
        };
        row("all, in their order", "abc", "abc", "123", 0);
        row("in the wanted order", "abcd", "dba", "421", 0);
        row("a few", "abcdef", "e", "5", 0);
        row("none wanted", "abc", "", "", 0);
        row("none known", "", "ab", "", 2);
        row("one is gone", "acd", "abd", "13", 1);
        row("after and before all", "m", "zam", "1", 2);
        row("equal keys, as they come", "abab", "bbaa", "2413", 0);
        row("more wanted than there are", "aba", "aaab", "132", 1);
        row("fewer wanted than there are", "aaa", "a", "1", 0);
    }
    void pickRows()
    {
        QFETCH(QString, known);
        QFETCH(QString, wanted);
        QFETCH(int, missing);
        const auto keyOf = [](QChar letter) { return RecordKey{{"prod-eu", "payments", "acme", {}, "acme"}, {char(letter.toLatin1())}}; };
        KeyedTable all{{{{"n", CellType::Integer}}, {}}, {}};
        for (const QChar letter : known)
            all.add(keyOf(letter), {std::int64_t(all.keys.size() + 1)});
        std::vector<RecordKey> keys;
        for (const QChar letter : wanted)
            keys.push_back(keyOf(letter));
        const Picked picked = pick(std::move(all), keys);
        QString numbers;
        for (const Row &row : picked.table.rows)
            numbers += QString::fromStdString(cellText(row.front()).value_or("?"));
        QTEST(numbers, "rows");
        QCOMPARE(picked.missing, std::size_t(missing));
        QCOMPARE(picked.table.columns.size(), 1U);
    }

    // Each record is found by its own key, and its row is the one that all of them hold.
    void everyRecordIsFound_data()
    {
        QTest::addColumn<QString>("column"); // tells them apart
        QTest::newRow("list") << QStringLiteral("namespace");
        QTest::newRow("members") << QStringLiteral("member");
        QTest::newRow("history") << QStringLiteral("timeline");
        QTest::newRow("requests") << QStringLiteral("seen_at");
        QTest::newRow("transitions") << QStringLiteral("timeline");
        QTest::newRow("events") << QStringLiteral("object");
        QTest::newRow("elections") << QStringLiteral("name");
    }
    void everyRecordIsFound()
    {
        const Command command = commandFromCode(QTest::currentDataTag()).value();
        Cluster cluster = made::scheduled(), other = cluster;
        other.names.key.ns = "other";
        Event event;
        event.cluster = cluster.names.key;
        event.id = "1";
        event.object = "acme-0";
        Event later = event;
        later.id = "2";
        later.object = "acme-1";
        const std::vector<Event> events{event, later};
        election::Election planner = elected(), alike = elected();
        alike.key.family = election::Family::LeaderForLife;
        const std::vector<const election::Election *> elections{&planner, &alike};
        const KeyedTable all = keyedRows(command, {&cluster, &other}, events, made::now(), {}, elections);
        QVERIFY(all.table.rows.size() > 1);
        QCOMPARE(all.keys.size(), all.table.rows.size());
        QCOMPARE(all.table, rows(command, {&cluster, &other}, events, made::now(), {}, elections));
        for (std::size_t i = 0; i < all.keys.size(); ++i) {
            if (all.keys[i].cluster.context.empty()) // a change of a holder, which no table shows
                continue;
            const Picked picked = pick(all, std::vector{all.keys[i]});
            QCOMPARE(picked.missing, std::size_t(0));
            QCOMPARE(picked.table.rows, std::vector<Row>{all.table.rows[i]});
        }
        // The other way round, and whole.
        const std::vector<RecordKey> back(all.keys.rbegin(), all.keys.rend());
        std::vector<Row> expected(all.table.rows.rbegin(), all.table.rows.rend());
        QCOMPARE(pick(all, back).table.rows, expected);
    }

    void keysAreThoseOfTheRecords()
    {
        Cluster cluster = made::scheduled();
        QVERIFY(!cluster.members.empty() && !cluster.requests.empty() && cluster.config && !cluster.config->history.entries.empty());
        const auto &key = cluster.names.key;
        const auto first = [&](Command command) { return keyedRows(command, {&cluster}, {}, made::now()).keys.front(); };
        QCOMPARE(first(Command::List), recordKey(key));
        QCOMPARE(first(Command::Members), recordKey(key, cluster.members.front()));
        QCOMPARE(first(Command::History), recordKey(key, cluster.config->history.entries.front()));
        QCOMPARE(first(Command::Requests), recordKey(key, cluster.requests.front()));
        QCOMPARE(first(Command::Elections), recordKey(election::fromCluster(cluster).key));
        patroni::Transition nameless, named;
        named.id = "x";
        cluster.transitions = {nameless, named};
        QCOMPARE(first(Command::Transitions), (RecordKey{key, "#0"}));
        QCOMPARE(keyedRows(Command::Transitions, {&cluster}, {}, made::now()).keys.back(), (RecordKey{key, "x"}));
    }

    void selectors()
    {
        const Cluster plain = made::healthy();
        Cluster group = made::healthy();
        group.names.key.group = 2;
        Cluster other = made::healthy();
        other.names.key.ns = "other";
        const auto count = [&](const std::vector<ClusterSelector> &clusters) {
            return rows(Command::List, {&plain, &group, &other}, {}, made::now(), {clusters, {}, {}}).rows.size();
        };
        QCOMPARE(count({}), 3U);
        QCOMPARE(count({{"payments", "acme", {}}}), 2U);
        QCOMPARE(count({{"payments", "acme", 2}}), 1U);
        QCOMPARE(count({{"payments", "acme", 3}}), 0U);
        QCOMPARE(count({{"payments", "acme", 2}, {"other", "acme", {}}}), 2U);
    }
};

QTEST_APPLESS_MAIN(TestTables)
#include "tst_tables.moc"
