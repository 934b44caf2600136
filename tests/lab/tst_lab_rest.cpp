// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Patroni's REST API through a real API server: everything that can be asked of it done once, and everything that can keep one from it met
// once. Run by tests/lab/run inside the lab's network namespace.
#include "app/actions/plan.h"
#include "app/clusters/member_log.h"
#include "app/clusters/member_prober.h"
#include "models/rules/rest_answer.h"
#include "tests/lab/lab_control.h"
#include "tests/lab/watched.h"

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace switchyard::lab {

using rules::ActionKind;
using rules::ActionWish;
using rules::RestCode;

namespace {

constexpr int patience = 60000;

// The one cluster of this lab: LAB_CLUSTERS=beta is the one of ConfigMaps
const Side &side()
{
    return sides()[qEnvironmentVariable("LAB_CLUSTERS") == "beta"_L1 ? 1 : 0];
}

ActionWish wish(ActionKind kind, const std::vector<std::string> &members = {})
{
    ActionWish w;
    w.kind = kind;
    w.members = members;
    w.byRest = true;
    return w;
}

std::string describe(const rules::RestAnswer &answer)
{
    return std::string(code(answer.code)) + ' ' + std::to_string(answer.status) + ": " + answer.words;
}

} // namespace

class TestLabRest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void membersAnswer();
    void reload();
    void restart();
    void restartLater();
    void pauseAndResume();
    void edit();
    void reinitialize();
    void switchover();
    void refusals();
    void logs();
    void limits_data();
    void limits();

private:
    const patroni::Cluster &cluster() const { return *m_watched->cluster(side()); }
    const patroni::MemberRecord &record(const std::string &name) const;
    std::string leader() const { return cluster().leaderName.value_or(""); }
    std::string replica() const;
    bool calm() const { return m_watched->calm(side()); }
    rules::RestAnswer act(const ActionWish &wish);
    rules::RestAnswer send(const kube::Write &write, ActionKind kind);
    rules::LiveAnswers ask();

    std::unique_ptr<Watched> m_watched;
};

const patroni::MemberRecord &TestLabRest::record(const std::string &name) const
{
    const auto found = std::ranges::find_if(cluster().members, [&](const patroni::Member &m) { return m.record.name == name; });
    if (found == cluster().members.end())
        qFatal("no member %s", name.c_str());
    return found->record;
}

std::string TestLabRest::replica() const
{
    for (const patroni::Member &member : cluster().members) {
        if (member.record.name != leader())
            return member.record.name;
    }
    return {};
}

rules::RestAnswer TestLabRest::send(const kube::Write &write, ActionKind kind)
{
    std::optional<rules::RestAnswer> answer;
    m_watched->connection()->client()->write(write, this, [&](const kube::Response &response) {
        answer = rules::readRestAnswer(kind, response.status, response.body.toStdString());
        if (response.error)
            qInfo("%s", switchyard::describe(*response.error).c_str());
    });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, 5 * patience))
        return {};
    qInfo("%s: %s", std::string(code(kind)).c_str(), describe(*answer).c_str());
    return *answer;
}

rules::RestAnswer TestLabRest::act(const ActionWish &wish)
{
    const auto plans = actions::plan(cluster(), wish);
    if (!plans) {
        qWarning("%s", switchyard::describe(plans.error()).c_str());
        return {RestCode::Unknown, 0, plans.error().message};
    }
    return send(plans->front().write, wish.kind);
}

rules::LiveAnswers TestLabRest::ask()
{
    using namespace std::chrono_literals;
    MemberProber prober(m_watched->connection()->client(), kube::systemClock(), {5s, 0ms, 3});
    bool done = false;
    connect(&prober, &MemberProber::finished, this, [&] { done = true; });
    prober.ask(cluster());
    return QTest::qWaitFor([&] { return done; }, patience) ? prober.answers() : rules::LiveAnswers();
}

void TestLabRest::initTestCase()
{
    m_watched = std::make_unique<Watched>(u"operator"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_watched->connection() && m_watched->cluster(side()) && calm(), 2 * patience);
}

void TestLabRest::membersAnswer()
{
    const rules::LiveAnswers answers = ask();
    QCOMPARE(answers.size(), std::size_t(3));
    for (const auto &[name, answer] : answers) {
        QVERIFY2(!answer.error, answer.error ? switchyard::describe(*answer.error).c_str() : "");
        QCOMPARE(answer.state, std::optional<std::string>("running"));
        QCOMPARE(answer.timeline, cluster().timeline);
        QVERIFY(answer.position && *answer.position > 0);
        QCOMPARE(answer.version, record(name).version);
        QCOMPARE(answer.role == "replica", name != leader());
    }
}

void TestLabRest::reload()
{
    const rules::RestAnswer answer = act(wish(ActionKind::Reload, {leader()}));
    QCOMPARE(answer.code, RestCode::Done);
    QCOMPARE(answer.words, std::string("reload scheduled"));
}

void TestLabRest::restart()
{
    const std::string name = replica();
    const QString number = QString::fromStdString(name.substr(name.size() - 1));
    const auto started = [&] { return run({u"sql"_s, side().cluster, number, u"select pg_postmaster_start_time()"_s}).out; };
    const QByteArray before = started();
    const rules::RestAnswer answer = act(wish(ActionKind::Restart, {name}));
    QCOMPARE(answer.code, RestCode::Done);
    QCOMPARE(answer.words, std::string("restarted successfully"));
    QVERIFY(started() != before);
    ActionWish pending = wish(ActionKind::Restart, {name});
    pending.restart.pendingOnly = true;
    QCOMPARE(act(pending).code, RestCode::Refused); // "restart conditions are not satisfied"
    QTRY_VERIFY_WITH_TIMEOUT(calm(), patience);
}

void TestLabRest::restartLater()
{
    const std::string name = replica();
    ActionWish later = wish(ActionKind::Restart, {name});
    later.at = m_watched->now().wall + std::chrono::hours(24);
    later.restart.role = "replica";
    QCOMPARE(act(later).code, RestCode::Scheduled);
    QTRY_VERIFY_WITH_TIMEOUT(record(name).scheduledRestart.has_value(), patience);
    QCOMPARE(record(name).scheduledRestart->role, std::optional<std::string>("replica"));
    QCOMPARE(act(wish(ActionKind::CancelRestart, {name})).code, RestCode::Done);
    QTRY_VERIFY_WITH_TIMEOUT(!record(name).scheduledRestart, patience);
}

void TestLabRest::pauseAndResume()
{
    QCOMPARE(act(wish(ActionKind::Pause)).code, RestCode::Done);
    QTRY_VERIFY_WITH_TIMEOUT(cluster().config->config.paused, patience);
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(cluster().members, [](const patroni::Member &m) { return m.record.pauseSeen; }), patience);
    QCOMPARE(act(wish(ActionKind::Resume)).code, RestCode::Done);
    QTRY_VERIFY_WITH_TIMEOUT(!cluster().config->config.paused && calm(), patience);
}

void TestLabRest::edit()
{
    ActionWish w = wish(ActionKind::EditConfig);
    w.configBase = cluster().objects.at("config").annotations.at("config");
    w.configAfter = w.configBase;
    const auto at = w.configAfter.find("\"max_connections\"");
    QVERIFY(at != std::string::npos);
    w.configAfter.insert(at, "\"work_mem\":\"5MB\",");
    QCOMPARE(act(w).code, RestCode::Done);
    QTRY_VERIFY_WITH_TIMEOUT(cluster().objects.at("config").annotations.at("config").find("5MB") != std::string::npos, patience);
}

void TestLabRest::reinitialize()
{
    const std::string name = replica();
    const rules::RestAnswer answer = act(wish(ActionKind::Reinitialize, {name}));
    QCOMPARE(answer.code, RestCode::Done);
    QCOMPARE(answer.words, std::string("reinitialize started"));
    QTRY_VERIFY_WITH_TIMEOUT(record(name).state != "running", patience);
    QTRY_VERIFY_WITH_TIMEOUT(calm(), 2 * patience);
}

void TestLabRest::switchover()
{
    const std::string from = leader(), to = replica();
    ActionWish w = rules::switchoverWish(from, to);
    w.byRest = true;
    const rules::RestAnswer answer = act(w);
    QCOMPARE(answer.code, RestCode::Done);
    QCOMPARE(answer.words, "Successfully switched over to \"" + to + '"');
    QTRY_VERIFY_WITH_TIMEOUT(leader() == to && calm(), 2 * patience);

    ActionWish later = rules::switchoverWish(to, from, m_watched->now().wall + std::chrono::hours(24));
    later.byRest = true;
    QCOMPARE(act(later).code, RestCode::Scheduled);
    QTRY_VERIFY_WITH_TIMEOUT(cluster().failover && cluster().failover->pending(), patience);
    QCOMPARE(act(wish(ActionKind::CancelRequest)).code, RestCode::Done);
    QTRY_VERIFY_WITH_TIMEOUT(!cluster().failover->pending() && calm(), patience);
}

// Patroni's own words, for calls that the planner would not make.
void TestLabRest::refusals()
{
    const auto call = [&](kube::WriteVerb verb, const char *path, const QByteArray &body, ActionKind kind) {
        kube::Write write;
        write.verb = verb;
        write.path = {.resource = Resource::Pods,
                      .ns = u"default"_s,
                      .name = QString::fromStdString(leader()),
                      .proxy = kube::PodProxy{false, 8008, QString::fromLatin1(path)}};
        write.body = body;
        return send(write, kind);
    };
    using kube::WriteVerb;
    QCOMPARE(call(WriteVerb::ProxyPost, "/switchover", R"({"leader":"nobody"})", ActionKind::Switchover).words,
             std::string("leader name does not match"));
    QCOMPARE(call(WriteVerb::ProxyPost, "/switchover", "", ActionKind::Switchover).status, 400);
    QCOMPARE(call(WriteVerb::ProxyDelete, "/switchover", "", ActionKind::CancelRequest).code, RestCode::NothingThere);
    QCOMPARE(call(WriteVerb::ProxyDelete, "/restart", "", ActionKind::CancelRestart).code, RestCode::NothingThere);
    QCOMPARE(call(WriteVerb::ProxyPost, "/reinitialize", "{}", ActionKind::Reinitialize).code, RestCode::Refused);
    QCOMPARE(call(WriteVerb::ProxyPost, "/nothing", "{}", ActionKind::Reload).code, RestCode::TooOld);
    QCOMPARE(
        call(WriteVerb::ProxyPost, "/switchover", R"({"leader":"x","scheduled_at":"2001-01-01T00:00:00+00:00"})", ActionKind::Switchover)
            .status,
        422);
}

void TestLabRest::logs()
{
    const Now now = m_watched->now();
    std::optional<MemberLines> got;
    fetchDecisionLines(m_watched->connection()->client(), "default", record(leader()), {now.wall - std::chrono::minutes(10), now.wall},
                       this, [&](const MemberLines &lines) { got = lines; });
    QTRY_VERIFY_WITH_TIMEOUT(got.has_value(), patience);
    QVERIFY2(!got->error, got->error ? switchyard::describe(*got->error).c_str() : "");
    QVERIFY(std::ranges::any_of(got->lines, [](const DecisionLine &line) { return line.fact == LogFact::Promoted; }));
}

// One replica whose REST API is kept from us, in each way that Patroni knows.
void TestLabRest::limits_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("answers"); // GET /patroni, and it is Patroni itself that refuses
    QTest::newRow("authentication") << u"auth"_s << static_cast<int>(RestCode::AuthenticationNeeded) << true;
    QTest::newRow("allowlist") << u"allowlist"_s << static_cast<int>(RestCode::NotInAllowlist) << true;
    QTest::newRow("client certificates for writes") << u"clientcert-optional"_s << static_cast<int>(RestCode::CertificateNeeded) << true;
    QTest::newRow("client certificates for all") << u"clientcert"_s << static_cast<int>(RestCode::CertificateNeeded) << false;
    QTest::newRow("loopback") << u"loopback"_s << static_cast<int>(RestCode::Unreachable) << false;
    QTest::newRow("none again") << u"plain"_s << static_cast<int>(RestCode::Done) << true;
}

void TestLabRest::limits()
{
    QFETCH(QString, kind);
    QFETCH(int, code);
    QFETCH(bool, answers);
    const std::string name = replica();
    QCOMPARE(run({u"restapi"_s, side().cluster, QString::fromStdString(name.substr(name.size() - 1)), kind}).exitCode, 0);
    // Patroni takes it over in its own time; what it says of its address changes with it.
    const bool tls = kind.startsWith(u"clientcert"_s);
    QTRY_VERIFY_WITH_TIMEOUT(record(name).apiUrl.value_or("").starts_with(tls ? "https:" : "http:"), patience);
    rules::RestAnswer answer;
    const bool met = QTest::qWaitFor(
        [&] {
            answer = act(wish(ActionKind::Reload, {name}));
            return static_cast<int>(answer.code) == code && (answer.status < 500) == answers;
        },
        patience);
    QVERIFY2(met, describe(answer).c_str());
    QCOMPARE(rules::isLimit(answer.code), kind != u"plain"_s);
    QVERIFY(!answer.words.empty());
    const rules::LiveAnswers live = ask();
    QCOMPARE(!live.at(name).error.has_value(), answers);
    if (live.at(name).error) {
        qInfo("%s", switchyard::describe(*live.at(name).error).c_str());
        QVERIFY(!live.at(name).error->advice.empty());
    }
}

} // namespace switchyard::lab

QTEST_GUILESS_MAIN(switchyard::lab::TestLabRest)
#include "tst_lab_rest.moc"
