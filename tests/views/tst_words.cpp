// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_clusters.h"
#include "views/requests.h"
#include "views/secrets.h"
#include "views/words.h"

#include <QTest>

#include <set>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestWords : public QObject
{
    Q_OBJECT

    // Every code has words, no two the same ones, none of them the code.
    template<class Enum>
    static void complete(Enum last)
    {
        std::set<QString> seen;
        for (int i = 0; i <= static_cast<int>(last); ++i) {
            const QString found = words(static_cast<Enum>(i));
            QVERIFY2(found.size() > 1 && found != u"unknown"_s, qPrintable(QString::number(i)));
            QVERIFY2(seen.insert(found).second, qPrintable(found));
        }
    }

private Q_SLOTS:
    void durations_data()
    {
        QTest::addColumn<qlonglong>("milliseconds");
        QTest::addColumn<QString>("exact");
        QTest::addColumn<QString>("counter");
        QTest::addColumn<QString>("coarse");
        QTest::newRow("zero") << 0LL << u"0 ms"_s << u"0 s"_s << u"0 s"_s;
        QTest::newRow("ms") << 350LL << u"350 ms"_s << u"0 s"_s << u"0 s"_s;
        QTest::newRow("tenths") << 4290LL << u"4.2 s"_s << u"4 s"_s << u"4 s"_s;
        QTest::newRow("not rounded up") << 9990LL << u"9.9 s"_s << u"9 s"_s << u"9 s"_s;
        QTest::newRow("seconds") << 59'999LL << u"59 s"_s << u"59 s"_s << u"59 s"_s;
        QTest::newRow("a minute") << 60'000LL << u"1 min"_s << u"1 min"_s << u"1 min"_s;
        QTest::newRow("minutes") << 192'000LL << u"3 min 12 s"_s << u"3 min 12 s"_s << u"3 min"_s;
        QTest::newRow("hours") << 11'520'000LL << u"3 h 12 min"_s << u"3 h 12 min"_s << u"3 h"_s;
        QTest::newRow("days") << 187'200'000LL << u"2 d 4 h"_s << u"2 d 4 h"_s << u"2 d"_s;
    }
    void durations()
    {
        QFETCH(qlonglong, milliseconds);
        const Duration d = std::chrono::milliseconds(milliseconds);
        QTEST(durationText(d), "exact");
        QTEST(secondsText(d), "counter");
        QTEST(coarseText(d), "coarse");
    }

    void negativeIsSaid()
    {
        QCOMPARE(durationText(-4200ms), u"-4.2 s"_s);
        QCOMPARE(untilText(-12s), u"12 s ago"_s);
        QCOMPARE(untilText(8040s), u"in 2 h 14 min"_s);
        QCOMPARE(agoText(std::nullopt, made::now()), u"unknown"_s);
    }

    void bytes_data()
    {
        QTest::addColumn<qulonglong>("bytes");
        QTest::addColumn<QString>("shown");
        QTest::newRow("zero is a number") << 0ULL << u"0 B"_s;
        QTest::newRow("below a KiB") << 1023ULL << u"1023 B"_s;
        QTest::newRow("KiB") << 1024ULL << u"1.0 KiB"_s;
        QTest::newRow("never 1024.0") << 1'048'575ULL << u"1.0 MiB"_s;
        QTest::newRow("MiB") << 13'002'342ULL << u"12.4 MiB"_s;
        QTest::newRow("largest") << ~0ULL << u"16.0 EiB"_s;
    }
    void bytes()
    {
        QFETCH(qulonglong, bytes);
        QTEST(bytesText(bytes), "shown");
        QCOMPARE(bytesExactText(13'002'342), u"13,002,342 bytes"_s);
        QCOMPARE(lagText(std::nullopt), u"unknown"_s);
    }

    void timesHaveZones()
    {
        QCOMPARE(timeTextUtc(made::now().wall), u"2031-02-01 13:02:11 UTC"_s);
        QCOMPARE(timeText(made::now().wall), u"2031-02-01 13:02:11 UTC"_s); // the tests run in UTC
        QVERIFY(!zoneText().isEmpty());
    }

    void everyCodeHasWords()
    {
        complete(patroni::Outcome::Refused);
        complete(patroni::Refusal::Unknown);
        complete(patroni::RequestStep::Decided);
        complete(patroni::TransitionKind::Unknown);
        complete(EventCode::SchedulePossible);
        complete(patroni::Freshness::Connecting);
        complete(patroni::SyncMode::Quorum);
        for (int i = 0; i <= static_cast<int>(patroni::HealthReason::LockUnverified); ++i)
            QVERIFY(words(patroni::Reason{static_cast<patroni::HealthReason>(i), "acme-1", 7}).size() > 8);
        for (int i = 0; i <= static_cast<int>(rules::RuleCode::LiveLagOverLimit); ++i) {
            const auto rule = static_cast<rules::RuleCode>(i);
            const QString said = words(rules::Finding{rule, {}, {}, {}});
            QVERIFY2(said.size() > 8 && said.endsWith(u'.') == (rule < rules::RuleCode::IsLeader), qPrintable(said));
        }
    }

    void headlines_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("healthy") << 0 << u"acme-1 leads for 3 h 12 min; lock renewed 4 s ago; nothing pending."_s;
        QTest::newRow("expired, not stale") << 1 << u"Nobody leads: the lock expired 42 s ago; nothing pending."_s;
        QTest::newRow("stale, not expired")
            << 2
            << u"No answer from the API server for 48 s; what is shown is old. Not known who leads now; acme-1 led as of 2031-02-01 13:01:23 UTC."_s;
        QTest::newRow("scheduled")
            << 3
            << u"acme-1 leads for 3 h 12 min; lock renewed 4 s ago; switchover from acme-1 to acme-2 scheduled for 2031-02-01 15:16:00 UTC (in 2 h 13 min)."_s;
        QTest::newRow("leaderless")
            << 4 << u"Nobody leads: the lock was released and nobody has taken it; switchover from acme-1 to acme-2: leaderless for 4 s."_s;
    }
    void headlines()
    {
        QFETCH(int, which);
        const patroni::Cluster all[] = {made::healthy(), made::expired(), made::stale(), made::scheduled(),
                                        made::inFlight(patroni::RequestStep::Leaderless)};
        QTEST(headline(all[which], made::now()), "sentence");
    }

    // Only a live view of a lock that is known to be free proves that nobody leads.
    void silenceIsNoProof()
    {
        for (const auto freshness :
             {patroni::Freshness::Live, patroni::Freshness::Stale, patroni::Freshness::Forbidden, patroni::Freshness::Connecting}) {
            for (const auto state : {patroni::LockState::Stale, patroni::LockState::Expired, patroni::LockState::Released}) {
                auto c = made::stale();
                c.view.freshness = freshness;
                c.lock.state = state;
                const QString sentence = headline(c, made::now());
                const bool proven = freshness == patroni::Freshness::Live && state != patroni::LockState::Stale;
                QVERIFY2(sentence.contains(u"Nobody leads"_s) == proven, qPrintable(sentence));
            }
        }
        auto c = made::stale();
        c.view.freshness = patroni::Freshness::Live;
        QCOMPARE(headline(c, made::now()),
                 u"Not known who leads now; acme-1 led as of %1; nothing pending."_s.arg(
                     timeText(made::now().toWall(c.lock.confirmedAt.value_or(*c.view.lastContact)))));
    }

    void unverifiedSaysWhatWasSeen()
    {
        auto c = made::healthy();
        c.lock.state = patroni::LockState::Unverified;
        QCOMPARE(lockPhrase(c, made::now()), u"unverified: last renewal seen 4 s ago"_s);
        c.lock.changedNotAfter.reset();
        QCOMPARE(lockPhrase(c, made::now()), u"unverified: no renewal seen yet"_s);
    }

    void secretsAreHidden_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("shown");
        QTest::newRow("plain") << u"loop_wait"_s << u"10"_s << u"10"_s;
        QTest::newRow("password") << u"replication_Password"_s << u"x1"_s << u"hidden"_s;
        QTest::newRow("empty") << u"password"_s << QString() << QString();
        QTest::newRow("token") << u"apiToken"_s << u"x1"_s << u"hidden"_s;
        QTest::newRow("command") << u"restore_command"_s << u"curl -u a:b x"_s << u"hidden"_s;
        QTest::newRow("url") << u"conn_url"_s << u"postgres://a:b@h/db"_s << u"postgres://***@h/db"_s;
        QTest::newRow("conninfo") << u"primary_conninfo"_s << u"host=h user=u password='a b'"_s << u"hidden"_s;
        QTest::newRow("conninfo without") << u"primary_conninfo"_s << u"host=h user=u"_s << u"host=h user=u"_s;
        QTest::newRow("quoted") << u"dsn"_s << u"host=h password = 'a b'"_s << u"hidden"_s;
        QTest::newRow("json")
            << u"config"_s
            << u"{\"ttl\": 30, \"a\": {\"password\" : \"p\\\"q,}\", \"n\": 12345678901234567890}, \"token\":[1,{\"x\":\"]\"}],\"u\":\"x://a:b@h\"}"_s
            << u"{\"ttl\": 30, \"a\": {\"password\" : \"hidden\", \"n\": 12345678901234567890}, \"token\":\"hidden\",\"u\":\"x://***@h\"}"_s;
        QTest::newRow("json list") << u"list"_s << u"[\"x://a:b@h\", 1]"_s << u"[\"x://***@h\", 1]"_s;
        QTest::newRow("cut json") << u"config"_s << u"{\"a\": {\"password\": \"p"_s << u"{\"a\": {\"password\": \"hidden\""_s;
    }
    void secretsAreHidden()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QTEST(shownValue(key, value), "shown");
    }

    void commandOfPatronictl()
    {
        auto key = made::healthy().names.key;
        const auto wish = rules::switchoverWish("acme-1", "acme-2", made::instant("2031-02-01T15:16:00Z"));
        QCOMPARE(patronictlCommand(key, wish),
                 u"patronictl switchover acme --leader acme-1 --candidate acme-2 --scheduled 2031-02-01T15:16:00+00:00"_s);
        key.group = 1;
        QCOMPARE(patronictlCommand(key, std::nullopt), u"patronictl flush acme --group 1 switchover"_s);
    }

    // A refusal names the rule and what to change.
    void refusalsAdvise()
    {
        const auto c = made::refused(patroni::Refusal::NotSyncStandby);
        const QString sentence = requestSentence(c.requests.back(), made::now());
        QVERIFY2(sentence.contains(u"was refused"_s) && sentence.contains(u"synchronous standby"_s) && sentence.contains(u"Choose"_s),
                 qPrintable(sentence));
    }

    // A request that Patroni cannot see waits for nobody.
    void unseenRequestsSaySo()
    {
        auto c = made::scheduled();
        QVERIFY(!requestSentence(c.requests.back(), made::now()).contains(u"cannot see"_s));
        c.requests.back().invisible = true;
        const QString sentence = requestSentence(c.requests.back(), made::now());
        QVERIFY2(sentence.endsWith(u"Patroni cannot see this object"_s), qPrintable(sentence));
        auto timeAlone = made::outage();
        timeAlone.requests.clear();
        timeAlone.failoverUnseen = true;
        QVERIFY(headline(timeAlone, made::now()).contains(u"but Patroni cannot see it"_s));
    }

    void eventsAreSentences()
    {
        Event e;
        e.type = EventCode::LeaderChanged;
        e.wall = made::now().wall;
        e.detail = {{"from", "acme-0"}, {"to", "acme-1"}};
        QCOMPARE(eventSentence(e), u"The leader changed from acme-0 to acme-1."_s);
        e.notBefore = made::now(-60s).wall;
        QCOMPARE(eventSentence(e),
                 u"The leader changed from acme-0 to acme-1, some time between 2031-02-01 13:01:11 UTC and 2031-02-01 13:02:11 UTC."_s);
        e = {};
        e.type = EventCode::ConfigChanged;
        e.detail = {{"ttl", "40"}, {"old_ttl", "30"}, {"changed", "ttl"}};
        QCOMPARE(eventSentence(e), u"The dynamic configuration changed: ttl from 30 to 40."_s);
        e.detail = {{"ttl", "40"}, {"old_ttl", "30"}, {"changed", "postgresql.parameters.work_mem,ttl"}};
        QCOMPARE(eventSentence(e), u"The dynamic configuration changed: ttl from 30 to 40, postgresql.parameters.work_mem."_s);
        e.detail = {{"changed", "other"}};
        QCOMPARE(eventSentence(e), u"The dynamic configuration changed."_s);
        e.type = EventCode::RequestCleared;
        e.detail = {{"leader", "acme-1"}, {"candidate", "acme-2"}, {"outcome", "refused"}, {"reason", "already-leader"}};
        QCOMPARE(
            eventSentence(e),
            u"The request was cleared (from acme-1, to acme-2): refused. The candidate was the leader already. Choose another member."_s);
    }

    void episodesAreSentences_data()
    {
        QTest::addColumn<EventCode>("type");
        using D = std::map<std::string, std::string>;
        QTest::addColumn<D>("detail");
        QTest::addColumn<QString>("sentence");
        const auto row = [](EventCode type, const D &detail, const QString &sentence) {
            QTest::newRow(qPrintable(sentence)) << type << detail << sentence;
        };
        using enum EventCode;
        row(NearMiss, {{"holder", "a-0"}, {"seconds", "26.5"}, {"ttl", "30"}, {"left", "3.5"}},
            u"a-0 renewed its lock after 26.5 s: 3.5 s of the ttl of 30 s were left."_s);
        row(PauseOff, {}, u"The cluster was resumed."_s);
        row(PauseOff, {{"seconds", "75"}}, u"The cluster was resumed after 1 min 15 s."_s);
        row(FailsafeOn, {}, u"Failsafe mode was set up."_s);
        row(FailsafeOff, {{"seconds", "7200"}}, u"Failsafe mode was taken away after 2 h."_s);
        row(SyncEmpty, {{"strict", "true"}}, u"Synchronous mode is on and nobody is synchronous: writes wait, as the mode is strict."_s);
        row(SyncFilled, {{"to", "a-1,a-2"}, {"seconds", "4"}}, u"There is a synchronous standby again after 4 s: a-1, a-2."_s);
        row(SyncFilled, {{"mode", "off"}}, u"Synchronous mode ended without a synchronous standby."_s);
        row(StatusResumed, {{"member", "a-2"}, {"seconds", "75"}}, u"The status of a-2 changes again after 1 min 15 s."_s);
        row(LeaderDisagreement, {{"lock", "a-1"}, {"what", "label,address"}, {"label", "a-0"}, {"address", "10.0.0.7"}},
            u"The lock names a-1 as the leader, but the role label names a-0, and the address belongs to 10.0.0.7."_s);
        row(LeaderDisagreement, {{"lock", "a-1"}, {"what", "label"}, {"label", ""}},
            u"The lock names a-1 as the leader, but the role label names nobody."_s);
        row(LeaderAgreement, {{"lock", "a-1"}, {"seconds", "40"}}, u"Lock, role label and address agree again on a-1 after 40 s."_s);
        row(HistoryRewritten, {{"kind", "trimmed"}, {"lost", "1,2"}, {"count", "2"}},
            u"The timeline history was cut: no longer in it are the ends of timelines 1, 2."_s);
        row(HistoryRewritten, {{"kind", "incarnation"}, {"old_system", "7"}, {"system", "8"}},
            u"The cluster was initialized anew: system 8 instead of 7."_s);
        row(ManyLate, {{"count", "7"}, {"of", "9"}},
            u"The locks of 7 of 9 clusters are late at once: suspect the API server, not the clusters."_s);
        row(ManyLate, {{"count", "1"}, {"of", "9"}, {"seconds", "75"}},
            u"The locks of the API server's clusters are no longer late at once (1 of 9) after 1 min 15 s."_s);
        row(ManyLate, {{"count", "7"}, {"of", "9"}, {"contexts", "prod,prod-admin"}},
            u"The locks of 7 of 9 clusters are late at once: suspect the API server, not the clusters (contexts prod, prod-admin)."_s);
        row(LockLate, {{"holder", "a-0"}, {"seconds", "21"}}, u"The lock renewal of a-0 is late: none for 21 s."_s);
        row(LockLate, {{"holder", "a-0"}, {"seconds", "26.5"}, {"ttl", "60"}, {"renewed", "true"}},
            u"a-0 renewed its lock late, after 26.5 s of a ttl of 60 s."_s);
        row(PodEvidence, {{"kind", "pod-not-ready"}, {"member", "a-0"}, {"status", "False"}, {"reason", "ContainersNotReady"}},
            u"The Pod a-0 is no longer ready: ContainersNotReady."_s);
        row(PodEvidence, {{"kind", "pod-not-ready"}, {"member", "a-0"}, {"status", "Unknown"}},
            u"Nobody knows whether the Pod a-0 is ready."_s);
        row(MemberState, {{"member", "a-1"}, {"old", "stopped replica"}, {"new", "starting replica"}, {"seconds", "30"}},
            u"State of a-1 changed: from stopped replica to starting replica after 30 s."_s);
        // whole seconds, cut: neither 0 ms nor 3.0 s is known
        row(MemberState, {{"member", "a-1"}, {"old", "starting replica"}, {"new", "running replica"}, {"seconds", "0"}},
            u"State of a-1 changed: from starting replica to running replica after less than 1 s."_s);
        row(MemberState, {{"member", "a-1"}, {"old", "unknown unknown"}, {"new", "stopped replica"}, {"seconds", "3"}},
            u"State of a-1 changed: from unknown to stopped replica after 3 s."_s);
        row(StatusResumed, {{"member", "a-2"}, {"seconds", "3.6"}}, u"The status of a-2 changes again after 3.6 s."_s);
        // only what changed
        row(MemberState,
            {{"member", "a-1"}, {"old", "running replica"}, {"new", "running replica"}, {"pod", "not-running"}, {"seconds", "12"}},
            u"State of a-1 changed: its Pod from running to not running after 12 s."_s);
        row(MemberState, {{"member", "a-1"}, {"old", "unknown unknown"}, {"new", "unknown unknown"}, {"pod", "running"}},
            u"State of a-1 changed: its Pod from not running to running."_s);
        row(MemberState, {{"member", "a-1"}, {"old", "running replica"}, {"new", "stopped demoted"}, {"pod", "not-running"}},
            u"State of a-1 changed: from running replica to stopped demoted, its Pod from running to not running."_s);
    }
    void episodesAreSentences()
    {
        QFETCH(EventCode, type);
        using D = std::map<std::string, std::string>;
        QFETCH(D, detail);
        Event e;
        e.type = type;
        e.detail = detail;
        QTEST(eventSentence(e), "sentence");
    }

    void blindSpotsHaveTimes()
    {
        Event e;
        e.type = EventCode::BlindSpot;
        e.wall = made::now().wall;
        e.notBefore = made::now(-45s).wall;
        e.detail = {{"from", formatUtc(*e.notBefore)}, {"to", formatUtc(e.wall)}, {"seconds", "45"}, {"resource", "endpoints"}};
        QCOMPARE(
            eventSentence(e),
            u"Nothing was seen of endpoints for 45 s from 2031-02-01 13:01:26 UTC to 2031-02-01 13:02:11 UTC: what happened then was only found afterwards."_s);
    }

    void everyEventHasASentence()
    {
        for (int i = 0; i < eventCodeCount; ++i) {
            Event e;
            e.type = static_cast<EventCode>(i);
            QVERIFY2(eventSentence(e).size() > 5, qPrintable(words(e.type)));
            QVERIFY(!words(e.type).isEmpty());
        }
    }

    void schedulesThatBecomeImpossible()
    {
        Event e;
        e.type = EventCode::ScheduleImpossible;
        e.detail = {{"candidate", "acme-2"},
                    {"scheduled_at", "2031-02-01T15:16:00+00:00"},
                    {"rules", "candidate-unfit:acme-2,not-running:stopped,lag-over-limit=2097152"}};
        QCOMPARE(eventSentence(e),
                 u"The request to acme-2 scheduled for 2031-02-01 15:16:00 UTC has become impossible: Patroni would not carry it out: "_s
                     + words(rules::Finding{rules::RuleCode::NotRunning, {}, "stopped", {}}) + u"; "_s
                     + words(rules::Finding{rules::RuleCode::LagOverLimit, {}, {}, 2097152}) + u"."_s);
        e.detail["rules"] = "leader-mismatch:acme-0";
        QVERIFY(eventSentence(e).contains(u"The leader is acme-0 now"_s));
        e.type = EventCode::SchedulePossible;
        e.detail = {{"scheduled_at", "2031-02-01T15:16:00+00:00"}};
        QCOMPARE(eventSentence(e), u"The request scheduled for 2031-02-01 15:16:00 UTC is possible again."_s);
    }

    void requestTimesAreReadable_data()
    {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("shown");
        QTest::newRow("offset") << u"2031-02-01T16:16:00+01:00"_s << u"at 2031-02-01 15:16:00 UTC"_s;
        QTest::newRow("no offset: no time to Patroni") << u"2031-02-01T15:16:00"_s << u"at \"2031-02-01T15:16:00\""_s;
        QTest::newRow("no time at all") << u"tomorrow"_s << u"at \"tomorrow\""_s;
    }
    void requestTimesAreReadable()
    {
        QFETCH(QString, written);
        Event e;
        e.type = EventCode::RequestWritten;
        e.detail = {{"leader", "acme-1"}, {"candidate", "acme-2"}, {"scheduled_at", written.toStdString()}};
        QFETCH(QString, shown);
        QCOMPARE(eventSentence(e), u"A switchover was asked for: from acme-1, to acme-2, %1."_s.arg(shown));
    }

    void fleetSentences()
    {
        const auto healthy = made::healthy(), expired = made::expired();
        QCOMPARE(fleetSentence({}, made::now()), u"No clusters."_s);
        QCOMPARE(fleetSentence({&healthy}, made::now()), u"1 cluster, healthy."_s);
        QCOMPARE(fleetSentence({&healthy, &healthy}, made::now()), u"2 clusters, all healthy."_s);
        QCOMPARE(fleetSentence({&healthy, &expired}, made::now()),
                 u"2 clusters: 1 unhealthy, 1 healthy. payments/acme: lock expired 42 s ago, nobody leads."_s);
    }
};

QTEST_GUILESS_MAIN(TestWords)
#include "tst_words.moc"
