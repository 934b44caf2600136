// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every recording of a real cluster, replayed: what is derived must agree with what Patroni itself logged meanwhile, and must not
// depend on how the streams were mixed.
#include "log_agreement.h"
#include "recorded.h"

#include "models/patroni/find_member.h"

#include <QtTest>

#include <algorithm>

using namespace switchyard;
using namespace switchyard::patroni;
using namespace switchyard::test;
using namespace std::chrono_literals;

namespace {

// What each scenario is expected to be, in its own cluster.
struct Expectation
{
    const char *scenario;
    const char *request;    // outcome and reason of the scenario's request; empty: none
    const char *transition; // kind of the one seen transition; empty: none
    const char *events;     // types that must be among the events, comma separated
};

const Expectation expectations[] = {
    {"all_frozen", "", "re-taken", "lock-late,lock-expired,lock-acquired"},
    {"all_stopped", "", "re-taken", "lock-released,lock-acquired,member-state,timeline-advanced"},
    {"api_restart", "refused leader-mismatch", "", "connection-lost,connection-restored,request-written,request-cleared"},
    {"candidate_dies", "done-other", "switchover", "request-written,lock-released,leader-changed,request-cleared,timeline-advanced"},
    {"candidate_frozen", "done", "switchover", "request-written,lock-released,leader-changed,request-cleared"},
    {"deleted_pending", "cancelled,done", "switchover", "request-written,request-cleared,leader-changed"},
    {"erased_other", "erased", "lock-expired", "request-written,lock-late,lock-expired,leader-changed,request-cleared"},
    {"erased_stop", "superseded,erased", "lock-released", "request-written,lock-released,leader-changed,request-cleared"},
    {"nofailover", "refused no-healthy-candidate", "", "request-written,request-cleared"},
    {"scheduled_failover", "done", "failover", "request-written,lock-released,leader-changed,request-cleared"},
    {"scheduled_wrong_leader", "refused leader-mismatch", "", "request-written,request-cleared"},
    {"taken_back", "taken-back", "re-taken", "request-written,lock-released,lock-acquired,request-cleared,timeline-advanced"},
    {"two_in_a_row", "done,done", "switchover,switchover", "request-written,lock-released,leader-changed,request-cleared"},
    {"api_frozen", "", "", "connection-lost,connection-restored,timeline-advanced"},
    {"crash_pending", "erased", "lock-expired", "request-written,lock-late,lock-expired,leader-changed,request-cleared"},
    {"dead_candidate", "refused no-healthy-candidate", "", "request-written,request-cleared"},
    {"leader_frozen", "", "lock-expired", "leader-changed,timeline-advanced"},
    {"paused_both", "done", "switchover", "pause-on,request-written,lock-released,leader-changed,request-cleared,pause-off"},
    {"replaced", "superseded,done", "scheduled-switchover", "request-written,request-cleared,leader-changed"},
    {"stopped_candidate", "refused no-healthy-candidate", "", "request-written,request-cleared,member-state"},
    {"sync_wrong_candidate", "refused not-sync-standby", "", "sync-changed,request-written,request-cleared"},
    {"unknown_candidate", "refused no-healthy-candidate", "", "request-written,request-cleared"},
    {"api_down", "", "lock-expired", "connection-lost,connection-restored,leader-changed,timeline-advanced"},
    {"config_edit", "", "", "config-changed"},
    {"leader_crash", "", "lock-expired", "lock-acquired,leader-changed,timeline-advanced"},
    {"leader_stopped", "", "lock-released", "lock-released,lock-acquired,leader-changed,timeline-advanced"},
    {"manual_failover", "done", "failover", "request-written,request-cleared,lock-released,leader-changed"},
    {"no_offset", "refused no-offset", "", "request-written,request-cleared"},
    {"patroni_frozen", "", "lock-expired", "lock-expired,leader-changed"},
    {"paused_no_candidate", "refused paused-needs-candidate", "", "pause-on,pause-off,request-written,request-cleared"},
    {"paused_schedule", "refused stale", "", "pause-on,pause-off,request-written,request-cleared"},
    {"replica_stopped", "", "", "member-state"},
    {"same_member", "refused already-leader", "", "request-cleared"},
    {"scheduled", "done", "scheduled-switchover", "request-written,lock-released,leader-changed,request-cleared,timeline-advanced"},
    {"scheduled_cancelled", "cancelled", "", "request-written,request-cleared"},
    {"stale", "refused stale", "", "request-written,request-cleared"},
    {"switchover_any", "done", "switchover", "request-written,lock-released,leader-changed,request-cleared,timeline-advanced"},
    {"switchover_now", "done", "switchover", "request-written,lock-released,leader-changed,request-cleared,timeline-advanced"},
    {"sync_on_off", "", "", "config-changed,sync-changed"},
    {"unparsable_schedule", "refused unknown", "re-taken", "undecodable,lock-late,lock-expired,lock-acquired"},
    {"wrong_leader", "refused leader-mismatch", "", "request-written,request-cleared"},
    // from here on: tests/lab/more_scenarios, with a loop_wait of 2 s
    {"cancelled_at_due", "done-other", "lock-released", "request-written,request-cleared,lock-released,leader-changed"},
    {"cancelled_before_due", "done-other", "lock-released", "request-written,request-cleared,lock-released,leader-changed"},
    {"done_other", "done-other", "switchover", "request-written,lock-released,leader-changed,request-cleared"},
    {"erased", "erased", "lock-expired", "request-written,leader-changed,request-cleared"},
    {"failover_done_other", "done-other", "failover", "request-written,lock-released,leader-changed,request-cleared"},
    {"failover_priority", "refused no-healthy-candidate", "", "request-written,request-cleared"},
    {"failsafe", "", "", "config-changed,connection-lost,connection-restored"},
    // The log of 3.0.2 says "stale" here, and that cannot be known: a leader that still holds the lock by its own reckoning refuses what is
    // stale, one that has to take its lock again clears it without a reason (as 4.0.7 logged), and both write the same two objects in the
    // same order. One that stepped down first leaves a trace, and its renewals are seen before it looks at the request again.
    {"failsafe_pending_demoted", "refused stale", "", "request-written,request-cleared,connection-lost,connection-restored"},
    {"failsafe_pending", "refused unknown", "", "request-written,request-cleared,connection-lost,connection-restored"},
    {"flushed", "cancelled", "", "request-written,request-cleared"},
    {"frozen_briefly", "refused stale", "", "request-written,lock-late,request-cleared"},
    {"frozen_past_due", "refused stale", "re-taken", "request-written,lock-late,lock-expired,request-cleared"},
    {"lag_over_limit_all", "refused no-healthy-candidate", "", "request-written,request-cleared"},
    {"local_zone", "done", "scheduled-switchover", "request-written,lock-released,leader-changed,request-cleared"},
    {"no_failover", "refused no-healthy-candidate", "", "request-written,request-cleared"},
    {"not_picked_up_kind", "refused unknown", "", "request-written,request-cleared"},
    {"not_picked_up_labels", "refused unknown", "", "request-written,request-cleared"},
    {"patronictl_failover", "done", "switchover", "request-written,lock-released,leader-changed,request-cleared"},
    {"paused_and_resumed", "done", "scheduled-switchover", "request-written,pause-on,pause-off,leader-changed,request-cleared"},
    {"postgres_crash", "", "", "member-state"},
    {"quorum_any", "done", "switchover", "sync-changed,request-written,leader-changed,request-cleared"},
    {"quorum_missed", "refused no-healthy-candidate", "", "sync-changed,request-written,request-cleared"},
    {"re_taken", "", "re-taken", "lock-released,lock-acquired"},
    {"story_killed", "done", "lock-expired,lock-expired,switchover",
     "member-state,member-left,leader-changed,lock-expired,request-written,request-cleared"},
    {"story_quiet", "", "lock-released",
     "lock-late,pause-on,pause-off,sync-changed,config-changed,connection-lost,connection-restored,timeline-advanced,leader-changed"},
    // up to its promotion: the other cluster's new timeline, which it takes over, then the death of its leader
    {"story_standby", "", "lock-expired", "leader-changed,member-state"},
    {"standby_failover", "done", "failover", "request-written,lock-released,leader-changed,request-cleared"},
    {"standby_killed", "", "lock-expired", "leader-changed"},
    {"standby_switchover", "done", "switchover", "request-written,lock-released,leader-changed,request-cleared"},
    {"superseded", "superseded,done", "switchover", "request-written,request-cleared,leader-changed"},
    {"superseded_stepping_down", "superseded,done", "switchover", "request-written,leader-changed,request-cleared"},
    {"switchover_of_dead", "done", "lock-expired", "request-written,leader-changed,request-cleared"},
    {"sync_any", "done", "switchover", "sync-changed,request-written,leader-changed,request-cleared"},
    {"sync_failover", "done", "failover", "sync-changed,request-written,leader-changed,request-cleared"},
    {"sync_failover_other", "refused not-sync-standby", "", "sync-changed,request-written,request-cleared"},
    {"two_at_once", "done,done", "switchover,switchover", "request-written,leader-changed,request-cleared"},
    {"written_leaderless", "done", "failover", "pause-on,request-written,leader-changed,request-cleared,pause-off"},
    {"written_to_dead", "done", "failover", "request-written,leader-changed,request-cleared"},
};

const Expectation *expectationOf(const std::string &folder)
{
    const std::string scenario = folder.substr(folder.find('/') + 1);
    const auto it = std::find_if(std::begin(expectations), std::end(expectations),
                                 [&](const Expectation &e) { return scenario == e.scenario; });
    return it == std::end(expectations) ? nullptr : it;
}

// The cluster whose members' log was recorded: Endpoints scenarios play on alpha.
const Cluster *ownCluster(const ClusterStore &store, const std::string &folder)
{
    const Mode mode = folder.find("endpoints") != std::string::npos ? Mode::Endpoints : Mode::ConfigMaps;
    for (const Cluster *c : store.clusters()) {
        if (c->names.mode == mode)
            return c;
    }
    return nullptr;
}

const Observations &load(const std::string &folder)
{
    static std::map<std::string, Observations> loaded;
    auto &all = loaded[folder];
    if (all.empty()) {
        if (auto decoded = decodeRecording(readGzip(recordingPath(folder, "stream.ndjson.gz")), "recorded", folder))
            all = std::move(*decoded);
    }
    return all;
}

std::string plain(const std::string &folder, const std::string &file)
{
    QFile f(QString::fromStdString(recordingPath(folder, file)));
    return f.open(QIODevice::ReadOnly) ? f.readAll().toStdString() : std::string();
}

std::string requestsOf(const Cluster &cluster)
{
    std::string text;
    for (const RequestReport &r : cluster.requests)
        text += (text.empty() ? "" : ",") + std::string(code(r.outcome)) + (r.reason ? ' ' + std::string(code(*r.reason)) : "");
    return text;
}

std::string transitionsOf(const Cluster &cluster)
{
    std::string text;
    for (const Transition &t : cluster.transitions)
        text += t.fromLive ? (text.empty() ? "" : ",") + std::string(code(t.kind)) : "";
    return text;
}

// Streams that are mixed anew may let a Pod leave before anything else of its cluster was heard of: of a member of nobody's nothing is told.
void dropFormerPods(std::vector<std::string> &missing)
{
    std::map<std::string, std::string> left; // member, last version of its Pod
    for (const std::string &fact : missing) {
        const auto at = fact.find(" member-left "), version = fact.find('@', at);
        if (at != std::string::npos)
            left[fact.substr(at + 13, version - at - 13)] = fact.substr(version + 1, fact.find(' ', version) - version - 1);
    }
    std::erase_if(missing, [&](const std::string &fact) {
        return std::any_of(left.begin(), left.end(), [&](const auto &pod) {
            const auto at = fact.find(' ' + pod.first + '@');
            const auto version = fact.substr(at + pod.first.size() + 2, fact.find(' ', at + 1) - at - pod.first.size() - 2);
            return at != std::string::npos && std::stoll(version) <= std::stoll(pod.second);
        });
    });
}

QByteArray joined(const auto &facts)
{
    QByteArray all;
    for (const std::string &fact : facts)
        all += QByteArray::fromStdString(fact) + '\n';
    return all;
}

} // namespace

class RecordingsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyScenarioIsThere();
    void expected_data() { folders(); }
    void expected();
    void agreesWithTheLog_data() { folders(); }
    void agreesWithTheLog();
    void gapsWereCompared();
    void everyTransitionSaysWhatItRestsOn_data() { folders(); }
    void everyTransitionSaysWhatItRestsOn();
    void theOtherClusterIsSane_data() { folders(); }
    void theOtherClusterIsSane();
    void theMixOfStreamsDoesNotMatter_data() { folders(); }
    void theMixOfStreamsDoesNotMatter();
    void stoppingHalfwayIsHonest_data() { folders(); }
    void stoppingHalfwayIsHonest();

private:
    std::size_t m_gapsCompared = 0;
    static void checkReport(const Cluster &cluster, const RequestReport &report);
    static void folders()
    {
        QTest::addColumn<QString>("folder");
        for (const std::string &folder : recordingFolders())
            QTest::newRow(folder.c_str()) << QString::fromStdString(folder);
    }
    static std::string folder()
    {
        QFETCH(QString, folder);
        return folder.toStdString();
    }
};

void RecordingsTest::everyScenarioIsThere()
{
    if (qEnvironmentVariableIsSet("SWITCHYARD_RECORDINGS"))
        QSKIP("other recordings than the project's own were given");
    std::set<std::string> scenarios;
    for (const std::string &folder : recordingFolders()) {
        QVERIFY2(expectationOf(folder), folder.c_str());
        scenarios.insert(expectationOf(folder)->scenario);
    }
    QCOMPARE(scenarios.size(), std::size(expectations));
}

void RecordingsTest::expected()
{
    const Observations &all = load(folder());
    QVERIFY(!all.empty());
    const ClusterStore store = played(all);
    const Cluster *cluster = ownCluster(store, folder());
    QVERIFY(cluster);
    const std::string requests = requestsOf(*cluster), transitions = transitionsOf(*cluster);
    const Expectation *e = expectationOf(folder());
    if (!e)
        QSKIP(("nothing is written down about this scenario: " + requests + " | " + transitions).c_str());
    for (const RequestReport &r : cluster->requests)
        checkReport(*cluster, r);
    QCOMPARE(QByteArray::fromStdString(requests), QByteArray(e->request));
    QCOMPARE(QByteArray::fromStdString(transitions), QByteArray(e->transition));

    std::set<std::string> types;
    for (const Event &event : store.events()) {
        if (event.cluster == cluster->names.key || event.cluster.scope.empty())
            types.insert(std::string(code(event.type)));
    }
    for (const QString &type : QString::fromLatin1(e->events).split(u',', Qt::SkipEmptyParts))
        QVERIFY2(types.contains(type.toStdString()), qPrintable(type));
    QCOMPARE(cluster->view.freshness, Freshness::Live);
    QCOMPARE(cluster->members.size(), std::size_t(3));
}

void RecordingsTest::checkReport(const Cluster &cluster, const RequestReport &r)
{
    QVERIFY(isFinal(r.outcome));
    QVERIFY(!r.certain || r.outcome != Outcome::Refused);
    if (r.outcome != Outcome::Done)
        return;
    QVERIFY(r.certain);
    QVERIFY(r.seenAt && r.takenAt && r.decidedAt);
    QVERIFY(*r.takenAt < *r.decidedAt);
    QVERIFY(!r.releasedAt || *r.releasedAt < *r.takenAt); // a leader that is dead releases nothing
    if (cluster.standby()) {                              // has no timeline of its own
        QVERIFY(!r.newTimeline);
    } else {
        QVERIFY(r.promotedAt);
        QCOMPARE(*r.newTimeline, *r.timelineBefore + 1);
    }
    // A replica of a standby cluster that says what it said before has said nothing new: Patroni then leaves its Pod alone. Before 3.0.4 it
    // says neither that it streams nor that it stopped, and a standby cluster gives it no new timeline to speak of.
    const auto *leader = cluster.leaderName ? findMember(cluster, *cluster.leaderName) : nullptr;
    const bool mayBeSilent = cluster.standby() && leader && leader->record.version && leader->record.version->starts_with("3.0.2");
    QVERIFY(mayBeSilent ? r.streaming >= 1 : r.streaming == 2);
    QCOMPARE(r.replicas, 2);
    QVERIFY(cluster.leaderName);
}

void RecordingsTest::agreesWithTheLog()
{
    const ClusterStore store = played(load(folder()));
    const Cluster *cluster = ownCluster(store, folder());
    QVERIFY(cluster);
    const std::string steps = plain(folder(), "steps.txt");
    std::vector<Event> events;
    for (const Event &e : store.events())
        events.push_back(e);
    const auto wrong = disagreements({*cluster, events, store.now(), {}},
                                     readPatroniLog(readGzip(recordingPath(folder(), "patroni.log.gz"))), steps, &m_gapsCompared);
    QCOMPARE(joined(wrong), QByteArray());

    const auto end = steps.rfind("end; leader ");
    QVERIFY(end != std::string::npos);
    const std::string leader = QByteArray::fromStdString(steps.substr(end + 12)).trimmed().toStdString();
    QCOMPARE(cluster->leaderName.value_or("-"), leader);
    QCOMPARE(cluster->lock.state, LockState::Held);
}

void RecordingsTest::gapsWereCompared()
{
    if (qEnvironmentVariableIsSet("SWITCHYARD_RECORDINGS") || m_gapsCompared == 0)
        QSKIP("not all of the project's own recordings were compared");
    QVERIFY2(m_gapsCompared >= 30, std::to_string(m_gapsCompared).c_str());
}

void RecordingsTest::everyTransitionSaysWhatItRestsOn()
{
    const ClusterStore store = played(load(folder()));
    std::set<std::string> ids;
    for (const Cluster *cluster : store.clusters()) {
        for (const Transition &t : cluster->transitions) {
            QVERIFY2(!t.id.empty() && ids.insert(t.id).second, t.id.c_str());
            QCOMPARE(t.fromSource != Source::None, t.from.has_value());
            QCOMPARE(t.toSource != Source::None, t.to.has_value());
            QCOMPARE(t.timelineSource != Source::None, t.timeline.has_value());
            QCOMPARE(t.lsnSource != Source::None, t.lsn.has_value());
            QCOMPARE(t.lostSource != Source::None, t.lostAt.has_value());
            QCOMPARE(t.gainedSource != Source::None, t.gainedAt.has_value());
            QCOMPARE(t.kindSource != Source::None, t.kind != TransitionKind::Unknown);
            QCOMPARE(t.gap.has_value(), t.gapUncertainty.has_value());
            QVERIFY(!t.gap || *t.gap >= Duration(0));
            QVERIFY(!t.writableAt || !t.gainedAt || *t.writableAt >= *t.gainedAt);
            QVERIFY(!t.streamingAt || !t.writableAt || *t.streamingAt >= *t.writableAt);
            QVERIFY(!t.streamingAt || t.leftBehind.empty());
            if (!t.fromLive)
                continue;
            QVERIFY(!t.evidence.empty());
            QVERIFY(t.notBefore || t.kind != TransitionKind::Unknown);
            if (t.kind == TransitionKind::Switchover || t.kind == TransitionKind::ScheduledSwitchover || t.kind == TransitionKind::Failover)
                QVERIFY(std::any_of(cluster->requests.begin(), cluster->requests.end(),
                                    [&](const RequestReport &r) { return r.id == t.request; }));
        }
    }
}

void RecordingsTest::theOtherClusterIsSane()
{
    const ClusterStore store = played(load(folder()));
    QCOMPARE(store.clusters().size(), std::size_t(2));
    for (const Cluster *cluster : store.clusters()) {
        QVERIFY(cluster->systemId);
        QVERIFY(cluster->timeline);
        std::optional<std::string> last;
        std::int64_t timeline = 0;
        for (const Transition &t : cluster->transitions) {
            // a timeline that a standby cluster took over from the cluster that it follows has no leader of its own
            QVERIFY(t.to || (!t.fromLive && !t.gainedAt));
            if (last && t.from)
                QCOMPARE(t.from.value_or("-"), *last);
            last = t.to;
            if (t.timeline) {
                QVERIFY(*t.timeline > timeline);
                timeline = *t.timeline;
            }
        }
        if (timeline)
            QCOMPARE(*cluster->timeline, timeline);
        if (last)
            QCOMPARE(cluster->lock.holder.value_or("-"), *last);
        for (std::size_t i = 0; i + 1 < cluster->requests.size(); ++i)
            QVERIFY(isFinal(cluster->requests[i].outcome));
        for (const Snapshot &s : cluster->snapshots)
            QVERIFY(!s.object.empty());
        QVERIFY(cluster->snapshots.size() <= 20);
    }
    std::set<std::string> ids;
    for (const Event &e : store.events())
        QVERIFY2(ids.insert(e.id).second, e.id.c_str());
}

void RecordingsTest::theMixOfStreamsDoesNotMatter()
{
    const Observations &all = load(folder());
    const ClusterStore straight = played(all);
    std::vector<std::pair<std::string, Observations>> mixes;
    const auto some = static_cast<unsigned>(std::hash<std::string>()(folder()) % 1000); // each recording has its own
    for (const unsigned seed : {some, some + 1})
        mixes.emplace_back("interleaved " + std::to_string(seed), interleaved(all, seed));
    mixes.emplace_back("whole streams " + std::to_string(some % 24), wholeStreams(all, some % 24));
    mixes.emplace_back("jittered " + std::to_string(some), jittered(all, some));
    for (const auto &[name, mix] : mixes) {
        qInfo("%s", name.c_str());
        const ClusterStore store = played(mix);
        QCOMPARE(store.clusters().size(), straight.clusters().size());
        for (const Cluster *cluster : straight.clusters()) {
            const Cluster *other = store.find(cluster->names.key);
            QVERIFY(other);
            QCOMPARE(joined(requestFacts(*other)), joined(requestFacts(*cluster)));
            QCOMPARE(joined(transitionFacts(*other)), joined(transitionFacts(*cluster)));
            QCOMPARE(other->leaderName, cluster->leaderName);
            QCOMPARE(other->lock.state, cluster->lock.state);
        }
        const auto here = eventFacts(store), there = eventFacts(straight);
        std::vector<std::string> added, missing;
        std::set_difference(here.begin(), here.end(), there.begin(), there.end(), std::back_inserter(added));
        std::set_difference(there.begin(), there.end(), here.begin(), here.end(), std::back_inserter(missing));
        QCOMPARE(joined(added), QByteArray());
        dropFormerPods(missing);
        // what became of Pods before their cluster was known is not told again; what is told is never more than that
        std::erase_if(missing, [](const std::string &fact) { return fact.find(" pod-evidence ") != std::string::npos; });
        QCOMPARE(joined(missing), QByteArray());
    }
}

void RecordingsTest::stoppingHalfwayIsHonest()
{
    const Observations &all = load(folder());
    for (std::int64_t t = 5; t < 125; t += 29) {
        ClusterStore store;
        replay(store, all, Boot(Duration(t * 1'000'000)), {});
        for (const Cluster *cluster : store.clusters()) {
            // A lock is never both somebody's and not held; stale is never shown as live.
            QCOMPARE(cluster->leaderName.has_value(),
                     cluster->lock.state == LockState::Held || cluster->lock.state == LockState::Unverified);
            if (cluster->view.freshness != Freshness::Live)
                QCOMPARE(cluster->health.health, Health::Unknown);
            for (const RequestReport &r : cluster->requests)
                QCOMPARE(isFinal(r.outcome), r.step == RequestStep::Decided);
        }
    }
}

QTEST_APPLESS_MAIN(RecordingsTest)
#include "tst_recordings.moc"
