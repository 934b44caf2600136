// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Pods and Events tell of the end of a leader, and that what they do not tell means nothing.
#include "made_world.h"
#include "models/events/pod_evidence.h"

#include <QtTest>

#include <functional>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;

namespace {

struct Scene : World
{
    Scene()
    {
        for (KubeObject &pod : pods)
            pod.pod->containers = {container(0)};
        start();
        renew();
    }
    static ContainerFacts container(int restarts)
    {
        ContainerFacts c;
        c.name = "postgres";
        c.restarts = restarts;
        c.running = true;
        return c;
    }
    KubeObject event(const std::string &reason, const std::string &pod = "acme-0", const std::string &type = "Warning")
    {
        KubeObject o = object(Resource::Events, pod + '.' + reason);
        o.labels.clear();
        o.event = EventFacts{"Pod", pod, "uid-" + pod, reason, "said", type, "kubelet", 1, day + t, day + t};
        return o;
    }
    StoreChanges killed()
    {
        ContainerFacts c = container(1);
        c.terminatedReason = "OOMKilled";
        c.exitCode = 137;
        c.terminatedAt = day + t;
        pods[0].pod->containers = {c};
        return change(pods[0]);
    }
    // The leader renews no more; another takes over.
    const Transition &fail()
    {
        flow(32s);
        take("acme-1");
        return cluster().transitions.back();
    }
    const Event *told(const std::string &kind) const
    {
        for (const Event &e : store.events()) {
            if (e.type == EventCode::PodEvidence && e.detail.at("kind") == kind)
                return &e;
        }
        return nullptr;
    }
};

const Evidence *find(const Transition &t, EvidenceCode code)
{
    for (const Evidence &e : t.evidence) {
        if (e.code == code)
            return &e;
    }
    return nullptr;
}

PodFacts facts(const std::function<void(PodFacts &)> &fill)
{
    PodFacts f;
    f.phase = "Running";
    f.containers = {Scene::container(2)};
    fill(f);
    return f;
}

} // namespace

class PodEvidenceTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void differences_data()
    {
        QTest::addColumn<PodFacts>("now");
        QTest::addColumn<QString>("expected"); // codes and details
        const auto row = [](const char *name, const char *expected, const std::function<void(PodFacts &)> &fill) {
            QTest::newRow(name) << facts(fill) << QString::fromLatin1(expected);
        };
        row("nothing", "", [](PodFacts &) {});
        row("terminated", "container-terminated=Error 1;", [](PodFacts &f) {
            f.containers[0].running = false;
            f.containers[0].terminatedReason = "Error";
            f.containers[0].exitCode = 1;
        });
        row("started again", "container-terminated=OOMKilled 137;container-restarted=2 4;", [](PodFacts &f) {
            f.containers[0].restarts = 4;
            f.containers[0].terminatedReason = "OOMKilled";
            f.containers[0].exitCode = 137;
        });
        row("fewer restarts: another Pod's count", "", [](PodFacts &f) { f.containers[0].restarts = 0; });
        row("the count is not told", "", [](PodFacts &f) { f.containers[0].restarts.reset(); });
        row("evicted", "pod-failed=Evicted;", [](PodFacts &f) {
            f.phase = "Failed";
            f.reason = "Evicted";
        });
        row("node lost", "pod-failed=NodeLost;", [](PodFacts &f) { f.reason = "NodeLost"; });
        row("failed, no reason given", "pod-failed=Failed;", [](PodFacts &f) { f.phase = "Failed"; });
        row("to be preempted", "pod-failed=PreemptionByScheduler;", [](PodFacts &f) {
            f.conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler", {}}};
        });
        row("not to be disrupted", "", [](PodFacts &f) { f.conditions = {{"DisruptionTarget", "False", "X", {}}}; });
        row("another condition", "", [](PodFacts &f) { f.conditions = {{"PodScheduled", "False", "X", {}}}; });
        row("never ready", "", [](PodFacts &f) { f.conditions = {{"Ready", "False", "X", {}}}; });
    }
    void differences()
    {
        QFETCH(PodFacts, now);
        QFETCH(QString, expected);
        const PodFacts before = facts([](PodFacts &) {});
        QString found;
        for (const PodNews &news : podDifference("acme-0", before, now)) {
            QCOMPARE(news.evidence.subject, std::string("acme-0"));
            found += QString::fromStdString(std::string(code(news.evidence.code)) + '=' + news.evidence.detail + ';');
        }
        QCOMPARE(found, expected);
        QVERIFY(podDifference("acme-0", now, now).empty());
    }

    void eventsThatCount_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("counts");
        for (const char *reason : {"OOMKilling", "BackOff", "Unhealthy", "FailedMount", "Evicted", "NodeNotReady"})
            QTest::newRow(reason) << QString::fromLatin1(reason) << QStringLiteral("Warning") << true;
        for (const char *reason : {"Killing", "Preempted", "TaintManagerEviction"})
            QTest::newRow(reason) << QString::fromLatin1(reason) << QStringLiteral("Normal") << true;
        for (const char *reason : {"Pulled", "Started", "Scheduled", ""})
            QTest::newRow(reason) << QString::fromLatin1(reason) << QStringLiteral("Normal") << false;
        QTest::newRow("no reason") << QString() << QStringLiteral("Warning") << false;
    }
    void eventsThatCount()
    {
        QFETCH(QString, reason);
        QFETCH(QString, type);
        QFETCH(bool, counts);
        Scene w;
        KubeObject event = w.event(reason.toStdString(), "acme-0", type.toStdString());
        QCOMPARE(podNews(event).has_value(), counts);
        event.event->involvedKind = "Node";
        QVERIFY(!podNews(event));
        QVERIFY(!podNews(w.pods[0]));
    }

    void messagesAreShortAndMasked()
    {
        Scene w;
        KubeObject event = w.event("Unhealthy");
        event.event->message = "cannot reach postgres://app:hunter2@h/db password=hunter2 " + std::string(5000, 'x');
        const auto news = podNews(event);
        QVERIFY(news);
        QVERIFY(news->evidence.detail.find("hunter2") == std::string::npos);
        QVERIFY(news->evidence.detail.size() < 500);
    }

    void aKilledContainerIsEvidence()
    {
        Scene w;
        w.killed();
        const Event *event = w.told("container-terminated");
        QVERIFY(event);
        QCOMPARE(event->detail.at("member"), std::string("acme-0"));
        QCOMPARE(event->detail.at("reason"), std::string("OOMKilled"));
        QVERIFY(w.told("container-restarted"));
        QCOMPARE(w.count(EventCode::PodEvidence), 2);
        const Transition &t = w.fail();
        const Evidence *evidence = find(t, EvidenceCode::ContainerTerminated);
        QVERIFY(evidence);
        QCOMPARE(evidence->detail, std::string("OOMKilled 137"));
        QVERIFY(!find(t, EvidenceCode::NotPermitted));
    }

    void readiness_data()
    {
        QTest::addColumn<QString>("before"); // "-": not told
        QTest::addColumn<QString>("now");
        QTest::addColumn<bool>("lost");
        const auto row = [](const char *before, const char *now, bool lost) {
            QTest::newRow(qPrintable(QString::fromLatin1(before) + u'>' + QString::fromLatin1(now)))
                << QString::fromLatin1(before) << QString::fromLatin1(now) << lost;
        };
        row("True", "False", true);
        row("True", "Unknown", true);
        row("True", "True", false);
        row("True", "-", false); // no longer told: not known
        row("False", "False", false);
        row("Unknown", "False", false);
        row("False", "True", false);
        row("-", "False", false);
    }
    void readiness()
    {
        QFETCH(QString, before);
        QFETCH(QString, now);
        QFETCH(bool, lost);
        const auto with = [](const QString &status) {
            return facts([&](PodFacts &f) {
                f.conditions = {{"ContainersReady", "False", "X", {}}};
                if (status != u'-')
                    f.conditions.push_back({"Ready", status.toStdString(), "ContainersNotReady", day});
            });
        };
        const auto news = podDifference("acme-0", with(before), with(now));
        QCOMPARE(news.size(), std::size_t(lost ? 1 : 0));
        if (!lost)
            return;
        QCOMPARE(news[0].evidence.code, EvidenceCode::PodNotReady);
        QCOMPARE(news[0].evidence.detail, std::string("ContainersNotReady"));
        QCOMPARE(news[0].evidence.at, std::optional(day));
        QCOMPARE(news[0].detail.at("status"), now.toStdString());
    }

    void aPodThatIsNoLongerReadyIsEvidence()
    {
        Scene w;
        const auto ready = [&](const char *status) {
            w.pods[0].pod->conditions = {{"Ready", status, std::nullopt, day + w.t}};
            w.change(w.pods[0]);
        };
        ready("True");
        QCOMPARE(w.count(EventCode::PodEvidence), 0);
        ready("False");
        QVERIFY(w.told("pod-not-ready"));
        const Instant at = day + w.t;
        const Evidence *evidence = find(w.fail(), EvidenceCode::PodNotReady);
        QVERIFY(evidence);
        QCOMPARE(evidence->subject, std::string("acme-0"));
        QCOMPARE(evidence->at, std::optional(at));
        ready("True"); // long after it was lost
        w.flow(10min);
        ready("False");
        QCOMPARE(w.count(EventCode::PodEvidence), 2);
        const auto &all = w.cluster().transitions.back().evidence;
        QCOMPARE(std::count_if(all.begin(), all.end(), [](const Evidence &e) { return e.code == EvidenceCode::PodNotReady; }), 1);
    }

    void anotherPodOfThatNameIsNoRestart()
    {
        Scene w;
        w.pods[0].uid = "another";
        w.pods[0].pod->containers = {Scene::container(7)};
        w.change(w.pods[0]);
        QCOMPARE(w.count(EventCode::PodEvidence), 0);
    }

    void whatWasBeforeWeLookedIsNoNewsButEvidence()
    {
        Scene w;
        World late;
        ContainerFacts c = Scene::container(1);
        c.terminatedReason = "OOMKilled";
        c.terminatedAt = day - 20s;
        late.pods[0].pod->containers = {c};
        late.start();
        late.flow(32s);
        late.take("acme-1");
        QCOMPARE(late.count(EventCode::PodEvidence), 0);
        QVERIFY(find(late.cluster().transitions.back(), EvidenceCode::ContainerTerminated));
    }

    void eventsAreEvidence()
    {
        Scene w;
        w.observe(Resource::Events, Listed{"200", {}});
        KubeObject event = w.event("OOMKilling");
        w.change(event, EventType::Added);
        QCOMPARE(w.count(EventCode::PodEvidence), 1);
        QCOMPARE(w.told("cluster-event")->detail.at("reason"), std::string("OOMKilling"));
        QCOMPARE(w.told("cluster-event")->detail.at("source"), std::string("kubelet"));
        w.change(event); // counted up
        QCOMPARE(w.count(EventCode::PodEvidence), 1);
        event.event->lastAt = day + w.t + 2min;
        w.change(event);
        QCOMPARE(w.count(EventCode::PodEvidence), 2);
        w.change(event, EventType::Deleted);
        QCOMPARE(w.count(EventCode::PodEvidence), 2);
        KubeObject stranger = w.event("OOMKilling", "other-0");
        w.change(stranger, EventType::Added);
        QCOMPARE(w.count(EventCode::PodEvidence), 2);
        QVERIFY(find(w.fail(), EvidenceCode::ClusterEvent));
    }

    void listedEventsAreKeptForClustersToCome()
    {
        World w;
        KubeObject event = w.object(Resource::Events, "acme-0.1");
        event.event = EventFacts{"Pod", "acme-0", "uid-acme-0", "Killing", "said", "Normal", "kubelet", 1, day, day};
        w.observe(Resource::Events, Listed{"200", {event}});
        w.start();
        w.flow(32s);
        w.take("acme-1");
        QCOMPARE(w.count(EventCode::PodEvidence), 0);
        QVERIFY(find(w.cluster().transitions.back(), EvidenceCode::ClusterEvent));
    }

    void refusedEventsAreSaidAndHarmNothing()
    {
        Scene w;
        Error error = Scene::error(ErrorKind::Forbidden);
        w.observe(Resource::Events, Lost{error});
        w.renew();
        QVERIFY(w.store.contexts().front().freshness == Freshness::Live);
        QVERIFY(w.cluster().view.freshness == Freshness::Live);
        QVERIFY(w.cluster().view.missing.empty());
        QCOMPARE(w.count(EventCode::ConnectionLost), 0);
        QVERIFY(find(w.fail(), EvidenceCode::NotPermitted));
    }

    void aSilentOrLostStreamHarmsNothing()
    {
        Scene w;
        w.observe(Resource::Events, Listed{"200", {}});
        w.observe(Resource::Events, Lost{Scene::error(ErrorKind::Unreachable)});
        for (int i = 0; i < 10; ++i)
            w.renew();
        QVERIFY(w.cluster().view.freshness == Freshness::Live);
        for (const Probe &probe : w.store.wantedProbes(w.now()))
            QVERIFY(probe.resource != Resource::Events);
        QVERIFY(!find(w.fail(), EvidenceCode::NotPermitted));
    }
};

QTEST_APPLESS_MAIN(PodEvidenceTest)
#include "tst_pod_evidence.moc"
