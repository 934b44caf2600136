// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A scheduled request that becomes impossible while it waits, and possible again: each said once.
#include "made_world.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;

namespace {

std::string in(Duration t)
{
    return formatScheduledAt(day + t);
}

struct Scene : World
{
    Scene()
    {
        start();
        renew();
        ask("acme-0", "acme-1", in(1h));
    }
    void setCandidate(const std::string &more, const char *state = "running")
    {
        pods[1].annotations["status"] = status("replica", state, 2, more);
        change(pods[1]);
    }
    int impossible() const { return count(EventCode::ScheduleImpossible); }
    int possible() const { return count(EventCode::SchedulePossible); }
    const Event &last(EventCode type) const
    {
        const Event *found = nullptr;
        for (const Event &e : store.events())
            found = e.type == type ? &e : found;
        return *found;
    }
};

} // namespace

class ScheduleTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void staysPossible()
    {
        Scene w;
        for (int i = 0; i < 5; ++i)
            w.renew();
        QCOMPARE(w.impossible() + w.possible(), 0);
    }

    void saidOnceAFlip()
    {
        Scene w;
        w.setCandidate(R"(,"tags":{"nofailover":true})");
        QCOMPARE(w.impossible(), 0); // not for a moment only
        w.renew();
        QCOMPARE(w.impossible(), 1);
        const Event event = w.last(EventCode::ScheduleImpossible);
        QCOMPARE(event.object, std::string("acme-failover"));
        QCOMPARE(event.detail.at("rules"), std::string("candidate-unfit:acme-1,nofailover"));
        QCOMPARE(event.detail.at("candidate"), std::string("acme-1"));
        QCOMPARE(event.detail.at("scheduled_at"), in(1h));
        for (int i = 0; i < 5; ++i)
            w.renew();
        QCOMPARE(w.impossible(), 1);
        w.setCandidate({});
        w.renew();
        QCOMPARE(w.possible(), 0);
        w.renew();
        QCOMPARE(w.possible(), 1);
        w.setCandidate({}, "stopped");
        w.renew();
        QCOMPARE(w.impossible(), 2);
        QVERIFY(w.last(EventCode::ScheduleImpossible).id != event.id);
        QCOMPARE(w.last(EventCode::ScheduleImpossible).detail.at("rules"), std::string("candidate-unfit:acme-1,not-running:stopped"));
    }

    void aLagThatGoesUpAndDownIsNoNews()
    {
        Scene w;
        for (int i = 0; i < 4; ++i) {
            w.leader.annotations["optime"] = i % 2 == 0 ? "3000000" : "1000";
            w.renew();
        }
        QCOMPARE(w.impossible(), 0);
        w.leader.annotations["optime"] = "3000000";
        w.renew();
        w.renew();
        QCOMPARE(w.impossible(), 1);
        QCOMPARE(w.last(EventCode::ScheduleImpossible).detail.at("rules"), std::string("candidate-unfit:acme-1,lag-over-limit=2999000"));
    }

    void theCandidateLeft()
    {
        Scene w;
        w.change(w.pods[1], EventType::Deleted);
        w.renew();
        QCOMPARE(w.impossible(), 1);
        QCOMPARE(w.last(EventCode::ScheduleImpossible).detail.at("rules"), std::string("unknown-candidate:acme-1"));
    }

    void paused()
    {
        Scene w;
        w.setConfig(R"({"loop_wait":10,"pause":true})");
        w.renew();
        QCOMPARE(w.impossible(), 1);
        w.setConfig(R"({"loop_wait":10})");
        w.renew();
        w.renew();
        QCOMPARE(w.possible(), 1);
    }

    void impossibleFromTheStart()
    {
        World w;
        w.pods[1].annotations["status"] = World::status("replica", "running", 2, R"(,"tags":{"nofailover":true})");
        w.start();
        w.renew();
        w.ask("acme-0", "acme-1", in(1h));
        w.renew();
        QCOMPARE(w.count(EventCode::ScheduleImpossible), 1);
        w.ask("acme-0", "acme-1", in(2h)); // another request is another question
        w.renew();
        QCOMPARE(w.count(EventCode::ScheduleImpossible), 2);
    }

    void scheduledFailoversToo()
    {
        Scene w;
        w.ask("", "acme-2", in(1h));
        QCOMPARE(w.impossible(), 0);
        w.change(w.pods[2], EventType::Deleted);
        w.renew();
        QCOMPARE(w.impossible(), 1);
    }

    // There is no time to wait and see.
    void saidAtOnceWhenItIsSoonDue()
    {
        World w;
        w.start();
        w.renew();
        w.ask("acme-0", "acme-1", in(40s));
        w.change(w.pods[1], EventType::Deleted);
        QCOMPARE(w.count(EventCode::ScheduleImpossible), 1);
    }

    void neverOnStaleData()
    {
        Scene w;
        w.observe(Resource::Endpoints, Lost{World::error(ErrorKind::Unreachable)});
        w.advance(60s);
        QVERIFY(writeBar(w.cluster()));
        w.setCandidate(R"(,"tags":{"nofailover":true})");
        QCOMPARE(w.impossible(), 0);
        w.renew();
        w.relist();
        w.renew();
        QCOMPARE(w.impossible(), 1); // seen again: said then
    }

    void notWhileAPartIsOutOfSight()
    {
        Scene w;
        w.ask("acme-0", "acme-1", in(40s)); // soon: nothing is waited for
        w.observe(Resource::Pods, Lost{World::error(ErrorKind::Unreachable)});
        QVERIFY(writeBar(w.cluster()) && w.cluster().leaderName);
        w.setConfig(R"({"loop_wait":10,"pause":true})");
        QCOMPARE(w.impossible(), 0);
        w.listPods();
        QCOMPARE(w.impossible(), 1);
    }

    // Whoever takes the lock throws the request away; that is no news of the schedule.
    void notWhileTheLeaderChanges()
    {
        Scene w;
        w.ask("acme-0", "acme-1", in(40s));
        w.release();
        QCOMPARE(w.impossible(), 0);
        w.take("acme-1");
        QCOMPARE(w.impossible(), 0);
        w.clear();
        w.renew();
        QCOMPARE(w.impossible() + w.possible(), 0);
    }

    void notWhenItIsDue()
    {
        World w;
        w.start();
        w.renew();
        w.ask("acme-0", "acme-1", in(30s));
        w.renew(30s);
        w.change(w.pods[1], EventType::Deleted);
        QCOMPARE(w.count(EventCode::ScheduleImpossible), 0);
    }

    void notOfARequestThatIsDueAtOnce()
    {
        World w;
        w.start();
        w.renew();
        w.ask("acme-0", "acme-9");
        QCOMPARE(w.count(EventCode::ScheduleImpossible), 0);
    }

    // A time that is nobody's intent: said once for each, with its end, and a reason of the verdict as long as it lasts.
    void anAbsurdTimeIsSaidOnce()
    {
        Scene w;
        const auto reason = [&] {
            const auto &all = w.cluster().health.reasons;
            const auto found = std::find_if(all.begin(), all.end(), [](const Reason &r) { return r.code == HealthReason::AbsurdSchedule; });
            return found == all.end() ? std::string() : found->subject;
        };
        QCOMPARE(w.count(EventCode::ScheduleAbsurd), 0);
        w.ask("acme-0", "acme-1", "9999-12-31T23:59:59+00:00");
        QCOMPARE(w.count(EventCode::ScheduleAbsurd), 1);
        QCOMPARE(w.last(EventCode::ScheduleAbsurd).detail.at("how"), std::string("far-ahead"));
        QCOMPARE(w.last(EventCode::ScheduleAbsurd).detail.at("scheduled_at"), std::string("9999-12-31T23:59:59+00:00"));
        QCOMPARE(w.last(EventCode::ScheduleAbsurd).object, std::string("acme-failover"));
        QCOMPARE(reason(), std::string("far-ahead"));
        QCOMPARE(w.cluster().health.health, Health::Degraded);
        for (int i = 0; i < 3; ++i)
            w.renew();
        QCOMPARE(w.count(EventCode::ScheduleAbsurd), 1);
        w.ask("acme-0", "acme-1", "9998-01-01T00:00:00+00:00"); // another value
        QCOMPARE(w.count(EventCode::ScheduleAbsurd), 2);
        QCOMPARE(w.count(EventCode::ScheduleSane), 1);
        QCOMPARE(w.last(EventCode::ScheduleSane).detail.at("seconds"), std::string("31"));
        QCOMPARE(w.last(EventCode::ScheduleSane).detail.at("scheduled_at"), std::string("9999-12-31T23:59:59+00:00"));
        w.ask("acme-0", "acme-1", in(2h));
        QCOMPARE(w.count(EventCode::ScheduleSane), 2);
        QCOMPARE(reason(), std::string());
        for (int i = 0; i < 3; ++i)
            w.renew();
        QCOMPARE(w.count(EventCode::ScheduleAbsurd) + w.count(EventCode::ScheduleSane), 4);
    }

    // No object changes while a time goes by: the verdict and the event come all the same.
    void aTimeBecomesAbsurdByItself()
    {
        Scene w;
        w.renew();
        w.ask("acme-0", "acme-1", in(-24h + 60s));
        QCOMPARE(w.count(EventCode::ScheduleAbsurd), 0);
        w.flow(30s);
        QCOMPARE(w.count(EventCode::ScheduleAbsurd), 0);
        for (int i = 0; i < 4; ++i)
            w.renew();
        QCOMPARE(w.count(EventCode::ScheduleAbsurd), 1);
        QCOMPARE(w.last(EventCode::ScheduleAbsurd).detail.at("how"), std::string("long-past"));
        w.observe(Resource::Endpoints, Lost{});
        QCOMPARE(w.count(EventCode::ScheduleSane), 0); // not seen is not over
    }

    // One that was there when we came is told as well: it still does harm.
    void anAbsurdTimeThatIsFound()
    {
        World w;
        w.failover.annotations = {{"leader", "acme-0"}, {"scheduled_at", "9999-12-31T23:59:59+00:00"}};
        w.stateItems = {w.leader, w.config, w.failover};
        w.listState();
        w.listPods();
        QCOMPARE(w.count(EventCode::ScheduleAbsurd), 1);
    }
};

QTEST_GUILESS_MAIN(ScheduleTest)
#include "tst_schedule.moc"
