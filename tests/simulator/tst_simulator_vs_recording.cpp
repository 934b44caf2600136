// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated run of a scenario makes the same object changes in the same order as the real cluster in the recording of that scenario.
#include "abstract_changes.h"
#include "rig.h"

#include <QFile>
#include <QTest>

#include <zlib.h>

#include <functional>

using namespace switchyard::simulator;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

// Line by line: a recording is big only when unpacked.
bool eachLine(const QString &path, const std::function<void(const std::string &)> &handle)
{
    const gzFile file = gzopen(QFile::encodeName(path).constData(), "rb");
    if (!file)
        return false;
    std::string line(1 << 16, '\0'), pending;
    while (gzgets(file, line.data(), static_cast<int>(line.size()))) {
        pending += line.c_str();
        if (!pending.ends_with('\n'))
            continue;
        handle(pending);
        pending.clear();
    }
    gzclose(file);
    return true;
}

struct Recorded
{
    QStringList changes;
    int renewals = 0;
    bool found = false;
};

Recorded readRecording(const QString &folder, const QString &scenario)
{
    const bool endpoints = folder.endsWith("endpoints"_L1);
    AbstractChanges changes(endpoints ? "alpha" : "beta-ha", endpoints, endpoints ? "role" : "postgres-operator.crunchydata.com/role");
    const std::string prefix = endpoints ? "alpha" : "beta";
    const auto isOurs = [&prefix](const Json &object) { return object.at("metadata").value("name", std::string()).starts_with(prefix); };
    Recorded result;
    result.found = eachLine(
        QStringLiteral(TEST_DATA_DIR "/recordings/%1/%2/stream.ndjson.gz").arg(folder, scenario), [&](const std::string &text) {
            const Json line = Json::parse(text, nullptr, false);
            const std::string resource = line.value("resource", std::string());
            if (line.contains("list")) {
                for (const Json &item : line["list"]["items"])
                    if (isOurs(item))
                        changes.apply(resource, item, true);
            } else if (line.contains("event") && line["event"]["type"] != "BOOKMARK" && isOurs(line["event"]["object"])) {
                changes.apply(resource, line["event"]["object"], false);
            }
        });
    result.changes = changes.changes();
    result.renewals = changes.renewals();
    return result;
}

// What was done to the real cluster, as its steps.txt tells, done to a simulated one.
using Script = std::function<void(Rig &)>;

const std::map<QString, Script> &scripts()
{
    static const std::map<QString, Script> table{
        {u"switchover_now"_s,
         [](Rig &rig) {
             rig.request(rig.sim.leader(), rig.other());
             rig.run(40);
         }},
        {u"switchover_any"_s,
         [](Rig &rig) {
             rig.request(rig.sim.leader(), {});
             rig.run(40);
         }},
        {u"manual_failover"_s,
         [](Rig &rig) {
             rig.request({}, rig.other());
             rig.run(40);
         }},
        {u"scheduled"_s,
         [](Rig &rig) {
             rig.request(rig.sim.leader(), rig.other(), rig.in(35));
             rig.run(80);
         }},
        {u"stale"_s,
         [](Rig &rig) {
             rig.request(rig.sim.leader(), rig.other(), rig.in(-600));
             rig.run(25);
         }},
        {u"wrong_leader"_s,
         [](Rig &rig) {
             rig.request(rig.other(), rig.sim.leader());
             rig.run(25);
         }},
        {u"same_member"_s,
         [](Rig &rig) {
             rig.request(rig.sim.leader(), rig.sim.leader());
             rig.run(25);
         }},
        {u"no_offset"_s,
         [](Rig &rig) {
             rig.request(rig.sim.leader(), rig.other(), rig.in(60).substr(0, 19));
             rig.run(25);
         }},
        {u"leader_crash"_s,
         [](Rig &rig) {
             rig.sim.crashLeader();
             rig.run(100);
         }},
        {u"scheduled_cancelled"_s,
         [](Rig &rig) {
             rig.request(rig.sim.leader(), rig.other(), rig.in(120));
             rig.run(21);
             rig.cancel();
             rig.run(15);
         }},
        {u"paused_no_candidate"_s,
         [](Rig &rig) {
             rig.configure("pause", true);
             rig.run(13);
             rig.request(rig.sim.leader(), {});
             rig.run(25);
             rig.configure("pause", nullptr);
             rig.run(13);
         }},
        {u"paused_schedule"_s,
         [](Rig &rig) {
             rig.configure("pause", true);
             rig.run(13);
             rig.request(rig.sim.leader(), rig.other(), rig.in(20));
             rig.run(51);
             rig.configure("pause", nullptr);
             rig.run(20);
         }},
        {u"unparsable_schedule"_s,
         [](Rig &rig) {
             rig.request(rig.sim.leader(), rig.other(), "tomorrow");
             rig.run(61);
             rig.cancel();
             rig.run(40);
         }},
        {u"sync_on_off"_s,
         [](Rig &rig) {
             rig.configure("synchronous_mode", true);
             rig.run(31);
             rig.configure("synchronous_mode", nullptr);
             rig.run(20);
         }},
        {u"patroni_frozen"_s,
         [](Rig &rig) {
             rig.sim.freeze(rig.sim.leader());
             rig.run(60);
             rig.sim.thawAll();
             rig.run(40);
         }},
        {u"all_frozen"_s,
         [](Rig &rig) {
             for (const Member &member : rig.sim.members())
                 rig.sim.freeze(member.name);
             rig.run(50);
             rig.sim.thawAll();
             rig.run(40);
         }},
    };
    return table;
}

QStringList simulate(const QString &folder, const QString &scenario)
{
    ClusterPlan plan;
    plan.endpoints = folder.endsWith("endpoints"_L1);
    plan.version = folder.section(u'-', 0, 0).toStdString();
    if (!plan.endpoints)
        plan.roleLabel = "postgres-operator.crunchydata.com/role";
    Rig rig(plan);
    AbstractChanges changes("alpha", plan.endpoints, plan.roleLabel);
    for (const Kind kind : {Kind::Endpoints, Kind::ConfigMaps, Kind::Pods})
        for (const Object &object : rig.store.list(kind, {}))
            changes.apply(kindInfo(kind).plural, *object, true);
    rig.store.setListener([&changes](const StoreEvent &event) { changes.apply(kindInfo(event.kind).plural, *event.object, false); });
    rig.run(4);
    scripts().at(scenario)(rig);
    return changes.changes();
}

} // namespace

class TestSimulatorVsRecording : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sameOrder_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("scenario");
        const auto row = [](const char *folder, const char *scenario) {
            QTest::addRow("%s %s", folder, scenario) << QString::fromLatin1(folder) << QString::fromLatin1(scenario);
        };
        for (const char *scenario :
             {"switchover_now", "switchover_any", "manual_failover", "scheduled", "scheduled_cancelled", "stale", "wrong_leader",
              "leader_crash", "paused_no_candidate", "unparsable_schedule", "all_frozen", "patroni_frozen", "sync_on_off"})
            row("3.0.2-endpoints", scenario);
        for (const char *scenario : {"switchover_now", "leader_crash", "stale"})
            row("3.0.2-configmaps", scenario);
        for (const char *scenario : {"switchover_now", "leader_crash", "no_offset", "same_member"})
            row("4.0.7-endpoints", scenario);
        for (const char *scenario : {"scheduled", "paused_schedule", "sync_on_off"})
            row("4.0.7-configmaps", scenario);
    }
    void sameOrder()
    {
        QFETCH(QString, folder);
        QFETCH(QString, scenario);
        const Recorded recorded = readRecording(folder, scenario);
        QVERIFY2(recorded.found, "the recording is missing from tests/data/recordings");
        const QStringList simulated = simulate(folder, scenario);
        QCOMPARE(simulated.join(u"\n"_s), recorded.changes.join(u"\n"_s));
        QVERIFY(recorded.renewals > 0); // the recording ended with a healthy lock
    }

    // The recordings themselves say what §"observable order" claims; a broken reader would compare two empty lists.
    void switchoverAsRecorded()
    {
        const QStringList expected{
            u"failover set"_s,     u"leader released"_s, u"leader taken by the candidate"_s, u"failover cleared"_s,
            u"role label moved"_s, u"history grown"_s,   u"leader is on a new timeline"_s,   u"former leader is a replica"_s};
        QCOMPARE(readRecording(u"4.0.7-endpoints"_s, u"switchover_now"_s).changes, expected);
        QCOMPARE(readRecording(u"4.0.7-endpoints"_s, u"same_member"_s).changes, (QStringList{u"failover set"_s, u"failover cleared"_s}));
    }
};

QTEST_APPLESS_MAIN(TestSimulatorVsRecording)
#include "tst_simulator_vs_recording.moc"
