// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recordings of real client-go electors, and of leader for life on real objects (tests/lab/election_scenario), replayed: who leads, and since
// when, must agree with what the electors themselves logged.
#include "models/election/election_store.h"
#include "tests/store/recorded.h"

#include <QTest>

#include <map>
#include <sstream>

using namespace switchyard;
using namespace switchyard::election;
using namespace std::chrono_literals;

namespace {

std::string fileOf(const std::string &scenario, const std::string &name)
{
    return std::string(TEST_DATA_DIR) + "/elections/" + scenario + '/' + name;
}

std::vector<std::string> linesOf(const std::string &scenario, const std::string &name)
{
    std::istringstream text(test::readGzip(fileOf(scenario, name))); // reads what is not compressed, too
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

struct Step
{
    Instant at{};
    std::string what;
};

std::vector<Step> stepsOf(const std::string &scenario)
{
    std::vector<Step> steps;
    for (const std::string &line : linesOf(scenario, "steps.txt")) {
        const auto space = line.find(' ');
        steps.push_back({parseInstant(line.substr(0, space)).value_or(Instant{}), line.substr(space + 1)});
    }
    return steps;
}

// "b: I1130 07:26:16.512752    4781 leaderelection.go:253] successfully acquired lease default/seat"; the day is that of the steps
std::vector<Step> acquisitions(const std::string &scenario)
{
    const std::string day = linesOf(scenario, "steps.txt").front().substr(0, 10);
    std::vector<Step> all;
    for (const std::string &line : linesOf(scenario, "electors.log")) {
        if (line.find("successfully acquired lease") != std::string::npos)
            all.push_back({parseInstant(day + 'T' + line.substr(9, 15) + 'Z').value_or(Instant{}), "seat-" + line.substr(0, 1)});
    }
    return all;
}

// Fed as it was seen, with every deadline in between.
class Player
{
public:
    explicit Player(const std::string &scenario)
    {
        if (auto decoded = decodeRecording(test::readGzip(fileOf(scenario, "stream.ndjson.gz")), "recorded", scenario))
            m_left = std::move(*decoded);
    }
    bool isEmpty() const { return m_left.empty(); }
    void playUntil(std::optional<Instant> wall)
    {
        for (; m_next < m_left.size() && (!wall || m_left[m_next].wall < *wall); ++m_next) {
            const Observation &o = m_left[m_next];
            const Now seen{o.seen, o.wall};
            for (auto due = store.nextDeadline(); due && *due < seen.boot; due = store.nextDeadline()) {
                take(store.advance({*due, seen.toWall(*due)}));
                if (store.nextDeadline() == due)
                    break;
            }
            take(store.apply(o));
            take(store.advance(seen));
        }
    }
    const Election *find(const std::string &name, Family family) const { return store.find({"recorded", "default", name, family}); }

    ElectionStore store;
    std::vector<std::string> states; // of seat, each once in a row

private:
    void take(const Changes &changes)
    {
        for (const Key &key : changes.elections) {
            const Election *e = store.find(key);
            if (e && key.name == "seat" && (states.empty() || states.back() != code(e->state)))
                states.emplace_back(code(e->state));
        }
    }

    std::vector<Observation> m_left;
    std::size_t m_next = 0;
};

std::string podOf(const std::optional<std::string> &holder)
{
    return holder ? holder->substr(0, holder->find('_')) : "-";
}

QString joined(const std::vector<std::string> &texts)
{
    QStringList list;
    for (const std::string &text : texts)
        list << QString::fromStdString(text);
    return list.join(QStringLiteral(", "));
}

} // namespace

class TestElectionRecordings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithTheElectors_data();
    void agreesWithTheElectors();
    void evidenceOfTheKilled();
    void leaderForLife();
};

void TestElectionRecordings::agreesWithTheElectors_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("changes");
    QTest::addColumn<QString>("states"); // must come one after the other, others may come between
    const char
        *const twice = "first-seen ->seat-a, released seat-a>-, taken-over seat-a>seat-b, released seat-b>-, taken-over seat-b>seat-a";
    QTest::newRow("freeze") << "leases"
                            << "first-seen ->seat-a, expired seat-a>-, taken-over seat-a>seat-b"
                            << "held, late, held";
    QTest::newRow("release") << "leases" << twice << "unverified, held, released, held, released, held";
    QTest::newRow("multi") << "endpointsleases"
                           << "first-seen ->seat-a, expired seat-a>-, taken-over seat-a>seat-b, released seat-b>-, taken-over seat-b>seat-a"
                           << "unverified, held, late, held, released, held";
    // Both wake at once, and the holder is first
    QTest::newRow("all_frozen") << "configmaps"
                                << "first-seen ->seat-a, expired seat-a>-, retaken seat-a>seat-a"
                                << "held, late, expired, stuck, held";
}

void TestElectionRecordings::agreesWithTheElectors()
{
    const std::string scenario = QTest::currentDataTag();
    QFETCH(const QString, kind);
    QFETCH(const QString, changes);
    QFETCH(const QString, states);
    Player player(scenario);
    QVERIFY(!player.isEmpty());
    player.playUntil({});
    const Election *seat = player.find("seat", Family::ClientGo);
    QVERIFY(seat);
    QCOMPARE(QString::fromStdString(std::string(code(seat->kind))), kind);
    QVERIFY(!seat->disagrees && seat->defects.empty());

    std::vector<std::string> kinds;
    std::vector<const HolderChange *> taken;
    for (const HolderChange &change : seat->changes) {
        kinds.emplace_back(std::string(code(change.kind)) + ' ' + podOf(change.from) + '>' + podOf(change.to));
        if (change.kind == ChangeKind::FirstSeen || change.kind == ChangeKind::TakenOver)
            taken.push_back(&change);
    }
    QCOMPARE(joined(kinds), changes);
    const auto logged = acquisitions(scenario);
    QCOMPARE(taken.size(), logged.size());
    const Instant begin = stepsOf(scenario).front().at;
    for (std::size_t i = 0; i < taken.size(); ++i) {
        QCOMPARE(podOf(taken[i]->to), logged[i].what);
        if (logged[i].at < begin)
            continue; // it led already
        const double apart = toSeconds(taken[i]->wall - logged[i].at);
        QVERIFY2(apart > -1 && apart < 1, qPrintable(QString::number(apart)));
    }
    QCOMPARE(seat->transitions.value_or(-1), static_cast<std::int64_t>(logged.size()) - 1);
    QCOMPARE(podOf(seat->holder), logged.back().what);

    auto at = player.states.begin();
    for (const QString &state : states.split(QStringLiteral(", "))) {
        at = std::find(at, player.states.end(), state.toStdString());
        QVERIFY2(at != player.states.end(), qPrintable(state + QStringLiteral(" is missing in: ") + joined(player.states)));
        ++at;
    }
}

void TestElectionRecordings::evidenceOfTheKilled()
{
    Player player("multi");
    player.playUntil({});
    std::string all;
    for (const HolderChange &change : player.find("seat", Family::ClientGo)->changes) {
        for (const std::string &text : change.evidence)
            all += text + '\n';
    }
    QVERIFY2(all.find("OOMKilled") != std::string::npos, all.c_str());
    QVERIFY2(all.find("became leader") != std::string::npos, all.c_str());
}

void TestElectionRecordings::leaderForLife()
{
    static const std::map<std::string, std::string> expected{{"begin", "none"},
                                                             {"take", "held"},
                                                             {"take 1", "held"},
                                                             {"ready", "held"},
                                                             {"evict", "evicted"},
                                                             {"gone", "orphaned"},
                                                             {"collect", "none"},
                                                             {"preempt", "preempted"},
                                                             {"delete", "terminating"},
                                                             {"recreate", "recreated"},
                                                             {"not-ready", "node-not-ready"},
                                                             {"two-owners", "invalid"}};
    Player player("for_life");
    const auto steps = stepsOf("for_life");
    QVERIFY(steps.size() > 15);
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        player.playUntil(steps[i + 1].at);
        const Election *e = player.find("operator-lock", Family::LeaderForLife);
        const std::string state = e ? std::string(code(e->state)) : "none";
        QVERIFY2(expected.contains(steps[i].what), steps[i].what.c_str());
        QVERIFY2(state == expected.at(steps[i].what), (steps[i].what + ": " + state).c_str());
    }
}

QTEST_APPLESS_MAIN(TestElectionRecordings)
#include "tst_election_recordings.moc"
