// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The exact calls of Patroni's REST API, and what is refused before one is made. Each row names the rule.
#include "app/actions/rest_write.h"

#include "app/actions/config_text.h"
#include "planning.h"

#include <QTest>

#include <functional>

using namespace switchyard;
using namespace switchyard::actions;
using namespace Qt::StringLiterals;
using rules::ActionKind;
using rules::ActionWish;
using std::chrono::seconds;

class TestRestWrite : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void calls_data();
    void calls();
    void refusals_data();
    void refusals();
    void oneCallAMember();
    void whoIsTold_data();
    void whoIsTold();
    void addresses_data();
    void addresses();
    void patches_data();
    void patches();
    void editOnlyDifferences();
};

namespace {

using Spoil = std::function<void(patroni::Cluster &)>;

patroni::Member &member(patroni::Cluster &cluster, const std::string &name)
{
    const auto found = std::find_if(cluster.members.begin(), cluster.members.end(),
                                    [&](const patroni::Member &m) { return m.record.name == name; });
    if (found == cluster.members.end())
        qFatal("no member %s", name.c_str());
    return *found;
}

// acme-1 leads; acme-0 and acme-2 follow; all answer plain HTTP at 8008 but acme-2.
patroni::Cluster cluster()
{
    patroni::Cluster c = made::plannable();
    int i = 0;
    for (patroni::Member &m : c.members)
        m.record.apiUrl = "http://10.0.0." + std::to_string(++i) + ":8008/patroni";
    c.members.back().record.apiUrl = "https://10.0.0.3:8009/patroni";
    return c;
}

void setConfig(patroni::Cluster &c, const std::string &text)
{
    std::vector<patroni::Defect> defects;
    c.config->config = patroni::decodeDynamicConfig(text, defects, "acme-config");
    c.objects["config"].annotations["config"] = text;
}

void setPaused(patroni::Cluster &c)
{
    setConfig(c, R"({"loop_wait":10,"pause":true})");
}

void allVersions(patroni::Cluster &c, const std::string &version)
{
    for (patroni::Member &m : c.members)
        m.record.version = version;
}

ActionWish wish(ActionKind kind, std::vector<std::string> members = {})
{
    ActionWish w;
    w.kind = kind;
    w.members = std::move(members);
    w.byRest = true;
    return w;
}

ActionWish restart(const std::function<void(ActionWish &)> &change = {})
{
    ActionWish w = wish(ActionKind::Restart, {"acme-0"});
    if (change)
        change(w);
    return w;
}

const Instant due = made::instant("2031-02-01T20:00:00+02:00");

struct Row
{
    const char *name;
    ActionWish wish;
    Spoil spoil;
    const char *method;
    const char *path;
    QByteArray body;
    int limit; // seconds
};

std::vector<Row> requestRows()
{
    const auto switchover = [](std::optional<std::string> candidate, std::optional<Instant> at = {}) {
        return rules::switchoverWish("acme-1", std::move(candidate), at);
    };
    return {
        {"switchover", switchover("acme-0"), {}, "POST", "/switchover", R"({"candidate":"acme-0","leader":"acme-1"})", 30},
        {"switchover, Patroni decides", switchover({}), {}, "POST", "/switchover", R"({"leader":"acme-1"})", 30},
        {"switchover, long loop", switchover("acme-0"), [](patroni::Cluster &c) { setConfig(c, R"({"loop_wait":60,"ttl":200})"); }, "POST",
         "/switchover", R"({"candidate":"acme-0","leader":"acme-1"})", 130},
        {"switchover, scheduled: strict UTC",
         switchover("acme-0", due),
         {},
         "POST",
         "/switchover",
         R"({"candidate":"acme-0","leader":"acme-1","scheduled_at":"2031-02-01T18:00:00+00:00"})",
         30},
        {"failover", rules::failoverWish("acme-0"), {}, "POST", "/failover", R"({"candidate":"acme-0"})", 30},
        {"cancel", wish(ActionKind::CancelRequest),
         [](patroni::Cluster &c) {
             c.failover = patroni::FailoverRequest{"acme-1", "acme-0", "2031-02-03T01:30:00+00:00",
                                                   due,      0,        patroni::FailoverRequest::Schedule::Valid};
         },
         "DELETE", "/switchover", "", 30},
        {"pause", wish(ActionKind::Pause), {}, "PATCH", "/config", R"({"pause":true})", 30},
        {"resume removes the key, as patronictl", wish(ActionKind::Resume), setPaused, "PATCH", "/config", R"({"pause":null})", 30},
    };
}

std::vector<Row> memberRows()
{
    return {
        {"restart", restart(), {}, "POST", "/restart", "{}", 330},
        {"restart, time-out",
         restart([](ActionWish &w) { w.restart.timeoutSeconds = 60; }),
         {},
         "POST",
         "/restart",
         R"({"timeout":60})",
         90},
        {"restart, all conditions",
         restart([](ActionWish &w) {
             w.restart = {true, "replica", "16.4", 5};
         }),
         {},
         "POST",
         "/restart",
         R"({"postgres_version":"16.4","restart_pending":true,"role":"replica","timeout":5})",
         35},
        {"restart, scheduled",
         restart([](ActionWish &w) { w.at = due; }),
         {},
         "POST",
         "/restart",
         R"({"schedule":"2031-02-01T18:00:00+00:00"})",
         30},
        {"restart of a primary of 2.x", restart([](ActionWish &w) { w.restart.role = "primary"; }),
         [](patroni::Cluster &c) { allVersions(c, "2.1.7"); }, "POST", "/restart", R"({"role":"master"})", 330},
        {"restart of a primary of 3.x", restart([](ActionWish &w) { w.restart.role = "primary"; }),
         [](patroni::Cluster &c) { allVersions(c, "3.0.2"); }, "POST", "/restart", R"({"role":"primary"})", 330},
        {"restart of a standby leader of 4.x",
         restart([](ActionWish &w) { w.restart.role = "standby_leader"; }),
         {},
         "POST",
         "/restart",
         R"({"role":"standby_leader"})",
         330},
        {"cancel restart", wish(ActionKind::CancelRestart, {"acme-0"}),
         [](patroni::Cluster &c) {
             member(c, "acme-0").record.scheduledRestart = patroni::ScheduledRestart{"2031-02-02", {}, {}};
         },
         "DELETE", "/restart", "", 30},
        {"reload: its body would stay unread", wish(ActionKind::Reload, {"acme-0"}), {}, "POST", "/reload", "", 30},
        {"reinitialize", wish(ActionKind::Reinitialize, {"acme-0"}), {}, "POST", "/reinitialize", "{}", 30},
        {"reinitialize, force, from the leader",
         [] {
             ActionWish w = wish(ActionKind::Reinitialize, {"acme-0"});
             w.force = w.fromLeader = true;
             return w;
         }(),
         {},
         "POST",
         "/reinitialize",
         R"({"force":true,"from_leader":true})",
         30},
        {"demote cluster",
         [] {
             ActionWish w = wish(ActionKind::DemoteCluster);
             w.source = {"db.example.org", "cp %f %p", "acme", 5433};
             return w;
         }(),
         {},
         "PATCH",
         "/config",
         R"({"standby_cluster":{"host":"db.example.org","port":5433,"primary_slot_name":"acme","restore_command":"cp %f %p"}})",
         30},
        {"promote cluster", wish(ActionKind::PromoteCluster),
         [](patroni::Cluster &c) { setConfig(c, R"({"loop_wait":10,"standby_cluster":{"host":"x"}})"); }, "PATCH", "/config",
         R"({"standby_cluster":null})", 30},
    };
}

} // namespace

void TestRestWrite::calls_data()
{
    QTest::addColumn<int>("table");
    QTest::addColumn<int>("row");
    const std::vector<std::vector<Row>> tables{requestRows(), memberRows()};
    for (std::size_t t = 0; t < tables.size(); ++t) {
        for (std::size_t i = 0; i < tables.at(t).size(); ++i)
            QTest::newRow(tables.at(t).at(i).name) << static_cast<int>(t) << static_cast<int>(i);
    }
}

void TestRestWrite::calls()
{
    QFETCH(int, table);
    QFETCH(int, row);
    const std::vector<Row> rows = table == 0 ? requestRows() : memberRows();
    const Row &r = rows.at(static_cast<std::size_t>(row));
    patroni::Cluster c = cluster();
    if (r.spoil)
        r.spoil(c);
    const auto plans = planRest(c, r.wish);
    QVERIFY2(plans, plans ? "" : describe(plans.error()).c_str());
    QCOMPARE(plans->size(), std::size_t(1));
    const PlannedWrite &p = plans->front();
    const QByteArray method = p.write.verb == kube::WriteVerb::ProxyPost ? "POST"
        : p.write.verb == kube::WriteVerb::ProxyPatch                    ? "PATCH"
        : p.write.verb == kube::WriteVerb::ProxyDelete                   ? "DELETE"
                                                                         : "";
    QCOMPARE(method, QByteArray(r.method));
    QVERIFY(p.write.path.proxy);
    QCOMPARE(p.write.path.proxy->path, QString::fromLatin1(r.path));
    QCOMPARE(p.write.path.resource, Resource::Pods);
    QCOMPARE(p.write.path.ns, QString::fromStdString(c.names.key.ns));
    QCOMPARE(p.write.path.name.toStdString(), p.member.value_or(""));
    QCOMPARE(*p.member, std::string(r.wish.members.empty() ? "acme-1" : r.wish.members.front()));
    QCOMPARE(p.write.body, r.body);
    QCOMPARE(p.write.limit, std::optional<std::chrono::milliseconds>(seconds(r.limit)));
    QCOMPARE(p.action, r.wish.kind);
    QVERIFY(!p.write.dryRun && !p.basedOnVersion && p.before.empty() && p.after.empty());
    QVERIFY(p.summary.find(std::string(" call=") + r.method + " " + r.path) != std::string::npos);
    const auto problem = inspectWrite(p);
    QVERIFY2(!problem, problem ? problem->message.c_str() : "");
}

void TestRestWrite::refusals_data()
{
    QTest::addColumn<int>("row");
    // filled in refusals(): a row holds functions
    for (int i = 0; i < 40; ++i)
        QTest::addRow("%d", i) << i;
}

void TestRestWrite::refusals()
{
    struct Refusal
    {
        const char *source;
        ActionWish wish;
        Spoil spoil;
        const char *words;
    };
    const auto sw = [](const char *leader, std::optional<std::string> to, std::optional<Instant> at = {}) {
        return rules::switchoverWish(leader, std::move(to), at);
    };
    const auto with = [](ActionWish w, const std::function<void(ActionWish &)> &change) {
        change(w);
        return w;
    };
    const auto scheduled = [](patroni::FailoverRequest::Schedule schedule) {
        return [schedule](patroni::Cluster &c) {
            c.failover = patroni::FailoverRequest{"acme-1", "acme-0", "2031-02-03T01:30:00+00:00", due, 0, schedule};
        };
    };
    using Schedule = patroni::FailoverRequest::Schedule;
    const std::vector<Refusal> all{
        {"view", restart(), [](patroni::Cluster &c) { c.view.freshness = patroni::Freshness::Stale; }, "stale"},
        {"api.py: only from a specific leader", sw("", "acme-0"), {}, "names the leader"},
        {"api.py is_failover_possible: leader name does not match", sw("acme-0", "acme-2"), {}, "does not lead"},
        {"api.py 3.2: target and source are the same", sw("acme-1", "acme-1"), {}, "leads already"},
        {"api.py is_failover_possible: candidate does not exists", sw("acme-1", "acme-9"), {}, "not a member"},
        {"api.py: can't schedule in the paused state", sw("acme-1", "acme-0", due), setPaused, "paused"},
        {"api.py: only to a specific candidate in a paused state", sw("acme-1", {}), setPaused, "paused"},
        {"api.py: failover only to a specific candidate", wish(ActionKind::Failover), {}, "names its candidate"},
        {"api.py 3.2: failover can't be scheduled",
         with(rules::failoverWish("acme-0"), [](ActionWish &w) { w.at = due; }),
         {},
         "scheduled"},
        {"api.py: failover with a leader is a switchover",
         with(rules::failoverWish("acme-0"), [](ActionWish &w) { w.leader = "acme-1"; }),
         {},
         "switchover"},
        {"failover to the leader", rules::failoverWish("acme-1"), {}, "leads already"},
        {"api.py do_DELETE_switchover: no switchover is scheduled", wish(ActionKind::CancelRequest),
         [](patroni::Cluster &c) { c.failover = patroni::FailoverRequest{"acme-1", "acme-0", {}, {}, {}, Schedule::None}; },
         "only a scheduled"},
        {"an unparsable time fails Patroni's API too", wish(ActionKind::CancelRequest), scheduled(Schedule::Unparsable),
         "no member can read"},
        {"the same", wish(ActionKind::Repair), scheduled(Schedule::Unparsable), "fails of it"},
        {"kubernetes.py _patch_or_create: it would write what it does not see anew", sw("acme-1", "acme-0"),
         [](patroni::Cluster &c) { c.failoverUnseen = true; }, "its own write of it would fail"},
        {"kubernetes.py _label_selector", wish(ActionKind::CancelRequest),
         [=](patroni::Cluster &c) {
             scheduled(Schedule::Valid)(c);
             c.failoverUnseen = true;
         },
         "cannot see this request"},
        {"another cluster's lock", sw("acme-1", "acme-0"), [](patroni::Cluster &c) { c.foreignLocks["failover"] = "acme-failover-0"; },
         "held by acme-failover-0"},
        {"the same, failover", rules::failoverWish("acme-0"), [](patroni::Cluster &c) { c.foreignLocks["failover"] = ""; },
         "the lock of the cluster acme-failover"},
        {"the same, pause", wish(ActionKind::Pause), [](patroni::Cluster &c) { c.foreignLocks["config"] = ""; },
         "the lock of the cluster acme-config"},
        {"the same, demote-cluster", with(wish(ActionKind::DemoteCluster), [](ActionWish &w) { w.source.host = "x"; }),
         [](patroni::Cluster &c) { c.foreignLocks["config"] = ""; }, "the lock of the cluster acme-config"},
        {"nobody named", wish(ActionKind::Restart), {}, "no member is named"},
        {"no such member", wish(ActionKind::Reload, {"acme-9"}), {}, "not a member"},
        {"no api_url", wish(ActionKind::Reload, {"acme-0"}), [](patroni::Cluster &c) { member(c, "acme-0").record.apiUrl.reset(); },
         "where its REST API is"},
        {"one of several without api_url", wish(ActionKind::Reload, {"acme-1", "acme-0"}),
         [](patroni::Cluster &c) { member(c, "acme-0").record.apiUrl = "nonsense"; }, "where its REST API is"},
        {"api.py do_POST_restart: paused", restart([](ActionWish &w) { w.at = due; }), setPaused, "paused"},
        {"api.py do_POST_restart: another is scheduled", restart([](ActionWish &w) { w.at = due; }),
         [](patroni::Cluster &c) { member(c, "acme-0").record.scheduledRestart = patroni::ScheduledRestart{}; }, "scheduled already"},
        {"api.py do_POST_restart: time-out", restart([](ActionWish &w) { w.restart.timeoutSeconds = 0; }), {}, "positive"},
        {"api.py do_POST_restart: role", restart([](ActionWish &w) { w.restart.role = "leader"; }), {}, "role"},
        {"api.py do_POST_restart: role before 4.0", restart([](ActionWish &w) { w.restart.role = "standby_leader"; }),
         [](patroni::Cluster &c) { allVersions(c, "3.3.2"); }, "does not know the role"},
        {"misc.py postgres_version_to_int", restart([](ActionWish &w) { w.restart.postgresVersion = "16"; }), {}, "form 16.4"},
        {"api.py do_DELETE_restart", wish(ActionKind::CancelRestart, {"acme-0"}),
         [](patroni::Cluster &c) { member(c, "acme-2").record.scheduledRestart = patroni::ScheduledRestart{}; }, "no restart of acme-0"},
        {"ha.py reinitialize: I am the leader", wish(ActionKind::Reinitialize, {"acme-1"}), {}, "leads"},
        {"ha.py reinitialize: cluster has no leader", wish(ActionKind::Reinitialize, {"acme-0"}),
         [](patroni::Cluster &c) { c.leaderName.reset(); }, "nobody is known to lead"},
        {"api.py 4.1: from_leader", with(wish(ActionKind::Reinitialize, {"acme-0"}), [](ActionWish &w) { w.fromLeader = true; }),
         [](patroni::Cluster &c) { allVersions(c, "4.0.7"); }, "from the leader"},
        {"the same, version not known", with(wish(ActionKind::Reinitialize, {"acme-0"}), [](ActionWish &w) { w.fromLeader = true; }),
         [](patroni::Cluster &c) { member(c, "acme-0").record.version.reset(); }, "from the leader"},
        {"ctl.py 4.1: demote-cluster", with(wish(ActionKind::DemoteCluster), [](ActionWish &w) { w.source.host = "x"; }),
         [](patroni::Cluster &c) { allVersions(c, "4.0.7"); }, "too old"},
        {"ctl.py demote_cluster: at least one",
         with(wish(ActionKind::DemoteCluster), [](ActionWish &w) { w.source.primarySlotName = "x"; }),
         {},
         "needs a host"},
        {"port", with(wish(ActionKind::DemoteCluster), [](ActionWish &w) { w.source.port = 70000; }), {}, "between"},
        {"resume of a cluster that is not paused", wish(ActionKind::Resume), {}, "not paused"},
        {"an edit that empties the configuration", with(wish(ActionKind::EditConfig), [](ActionWish &w) { w.configAfter = "{}"; }),
         [](patroni::Cluster &c) { setConfig(c, R"({"ttl":30})"); }, ""},
    };
    QCOMPARE(all.size(), std::size_t(40));
    QFETCH(int, row);
    const Refusal &r = all.at(static_cast<std::size_t>(row));
    patroni::Cluster c = cluster();
    if (r.spoil)
        r.spoil(c);
    ActionWish w = r.wish;
    if (w.kind == ActionKind::EditConfig)
        w.configBase = c.objects["config"].annotations["config"];
    const auto plans = planRest(c, w);
    QVERIFY2(!plans, r.source);
    QCOMPARE(plans.error().kind, ErrorKind::Refused);
    QVERIFY2(plans.error().message.find(r.words) != std::string::npos, (std::string(r.source) + ": " + plans.error().message).c_str());
}

void TestRestWrite::oneCallAMember()
{
    const auto plans = planRest(cluster(), wish(ActionKind::Reload, {"acme-2", "acme-1"}));
    QVERIFY(plans);
    QCOMPARE(plans->size(), std::size_t(2));
    QCOMPARE(plans->at(0).member, std::optional<std::string>("acme-2"));
    QCOMPARE(plans->at(0).write.path.proxy->tls, true);
    QCOMPARE(plans->at(0).write.path.proxy->port, 8009);
    QCOMPARE(plans->at(1).member, std::optional<std::string>("acme-1"));
    QCOMPARE(plans->at(1).write.path.proxy->tls, false);
}

// "Patroni wakes only the member that received it"; patronictl: no leader, then the candidate.
void TestRestWrite::whoIsTold_data()
{
    QTest::addColumn<QString>("leader");
    QTest::addColumn<QStringList>("silent"); // without api_url
    QTest::addColumn<bool>("failover");
    QTest::addColumn<QString>("told");
    QTest::newRow("leader") << u"acme-1"_s << QStringList() << true << u"acme-1"_s;
    QTest::newRow("no leader: candidate") << QString() << QStringList() << true << u"acme-2"_s;
    QTest::newRow("leader without address: candidate") << u"acme-1"_s << QStringList{u"acme-1"_s} << true << u"acme-2"_s;
    QTest::newRow("configuration: any") << QString() << QStringList{u"acme-1"_s} << false << u"acme-0"_s;
    QTest::newRow("nobody") << u"acme-1"_s << QStringList{u"acme-1"_s, u"acme-0"_s, u"acme-2"_s} << true << QString();
}

void TestRestWrite::whoIsTold()
{
    QFETCH(QString, leader);
    QFETCH(QStringList, silent);
    QFETCH(bool, failover);
    QFETCH(QString, told);
    patroni::Cluster c = cluster();
    c.leaderName = leader.isEmpty() ? std::nullopt : std::optional(leader.toStdString());
    for (const QString &name : silent)
        member(c, name.toStdString()).record.apiUrl.reset();
    const auto plans = planRest(c, failover ? rules::failoverWish("acme-2") : wish(ActionKind::Pause));
    QCOMPARE(plans.has_value(), !told.isEmpty());
    if (plans)
        QCOMPARE(QString::fromStdString(*plans->front().member), told);
}

void TestRestWrite::addresses_data()
{
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<bool>("good");
    QTest::addColumn<bool>("tls");
    QTest::addColumn<int>("port");
    const auto row = [](const char *url, bool good, bool tls = false, int port = 0) {
        QTest::newRow(url) << QByteArray(url) << good << tls << port;
    };
    row("http://10.0.0.1:8008/patroni", true, false, 8008);
    row("https://10.0.0.1:8009/patroni", true, true, 8009);
    row("https://[fd00::1]:8009/patroni", true, true, 8009);
    row("http://acme-1.db.svc:80/patroni", true, false, 80);
    row("http://10.0.0.1/patroni", true, false, 80); // as Python's urlparse and urllib3 read it
    row("https://10.0.0.1/patroni", true, true, 443);
    row("ftp://10.0.0.1:8008/patroni", false);
    row("10.0.0.1:8008", false);
    row("http://:8008/", false);
    row("http://10.0.0.1:0/patroni", false);
    row("http://10.0.0.1:99999/patroni", false);
    row("", false);
}

void TestRestWrite::addresses()
{
    QFETCH(QByteArray, url);
    QFETCH(bool, good);
    QFETCH(bool, tls);
    QFETCH(int, port);
    patroni::MemberRecord record;
    record.apiUrl = url.toStdString();
    const auto address = restAddress(record);
    QCOMPARE(address.has_value(), good);
    if (!good)
        return;
    QCOMPARE(address->tls, tls);
    QCOMPARE(address->port, port);
}

// patroni/utils.py patch_config
void TestRestWrite::patches_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QByteArray>("patch");
    const auto row = [](const char *name, const char *before, const char *after, const char *patch) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after) << QByteArray(patch);
    };
    row("nothing", R"({"a":1})", R"({"a":1})", "{}");
    row("order is no change", R"({"a":1,"b":2})", R"({"b":2,"a":1})", "{}");
    row("changed", R"({"a":1,"b":2})", R"({"a":1,"b":3})", R"({"b":3})");
    row("removed", R"({"a":1,"b":2})", R"({"a":1})", R"({"b":null})");
    row("set to null is removed", R"({"a":1,"b":2})", R"({"a":1,"b":null})", R"({"b":null})");
    row("null before is not set", R"({"a":null})", R"({"a":null})", "{}");
    row("added", R"({"a":1})", R"({"a":1,"b":{"c":true}})", R"({"b":{"c":true}})");
    row("deep", R"({"p":{"q":{"x":1,"y":2},"z":3}})", R"({"p":{"q":{"x":1,"y":5},"z":3}})", R"({"p":{"q":{"y":5}}})");
    row("deep removal", R"({"p":{"q":{"x":1,"y":2}}})", R"({"p":{"q":{"x":1}}})", R"({"p":{"q":{"y":null}}})");
    row("emptied map", R"({"p":{"x":1}})", R"({"p":{}})", R"({"p":{"x":null}})");
    row("lists are one value", R"({"l":[1,2]})", R"({"l":[1]})", R"({"l":[1]})");
    row("map for a scalar", R"({"p":1})", R"({"p":{"x":1}})", R"({"p":{"x":1}})");
    row("scalar for a map", R"({"p":{"x":1}})", R"({"p":1})", R"({"p":1})");
    row("numbers as written", R"({"p":1})", R"({"p":1.50})", R"({"p":1.50})");
}

void TestRestWrite::patches()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QByteArray, patch);
    const auto made = configPatch(before.toStdString(), after.toStdString());
    QVERIFY(made);
    QCOMPARE(QByteArray::fromStdString(*made), patch);
    const auto patched = patchConfig(before.toStdString(), *made);
    QVERIFY(patched);
    QCOMPARE(patroni::changedSettings(*patched, after.toStdString()), std::vector<std::string>());
}

// What somebody else has changed meanwhile is neither in the call nor undone by it.
void TestRestWrite::editOnlyDifferences()
{
    patroni::Cluster c = cluster();
    setConfig(c, R"({"ttl":40,"loop_wait":10,"postgresql":{"parameters":{"work_mem":"4MB","max_connections":100}}})");
    ActionWish w = wish(ActionKind::EditConfig);
    w.configBase = R"({"ttl":30,"loop_wait":10,"postgresql":{"parameters":{"work_mem":"4MB","max_connections":100}}})";
    w.configAfter = R"({"ttl":30,"loop_wait":5,"postgresql":{"parameters":{"max_connections":100}}})";
    const auto plans = planRest(c, w);
    QVERIFY2(plans, plans ? "" : describe(plans.error()).c_str());
    QCOMPARE(plans->front().write.body, QByteArray(R"({"loop_wait":5,"postgresql":{"parameters":{"work_mem":null}}})"));
}

QTEST_APPLESS_MAIN(TestRestWrite)
#include "tst_rest_write.moc"
