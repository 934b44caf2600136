// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The exact bytes of each action that goes through an object, and what is refused.
#include "app/actions/config_text.h"
#include "app/actions/plan.h"
#include "tests/actions/planning.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;
using patroni::Cluster;
using rules::ActionKind;
using rules::ActionWish;

namespace {

ActionWish wish(ActionKind kind)
{
    ActionWish w;
    w.kind = kind;
    return w;
}

ActionWish edit(const std::string &base, const std::string &after)
{
    ActionWish w = wish(ActionKind::EditConfig);
    w.configBase = base;
    w.configAfter = after;
    return w;
}

void setConfig(Cluster &c, const std::string &text)
{
    c.objects["config"].annotations["config"] = text;
    std::vector<patroni::Defect> defects;
    c.config->config = patroni::decodeDynamicConfig(text, defects, "acme-config");
}

Cluster withConfig(const std::string &text)
{
    Cluster c = made::plannable();
    setConfig(c, text);
    return c;
}

Cluster withRequest(std::map<std::string, std::string> annotations)
{
    Cluster c = made::plannable();
    made::addFailover(c, std::move(annotations));
    std::vector<patroni::Defect> defects;
    c.failover = patroni::decodeFailover(c.objects["failover"], defects);
    return c;
}

// What a cluster looks like that is down because of it: nobody holds the lock, and our eyes are on the objects.
Cluster outage(patroni::LockState lock)
{
    Cluster c = withRequest({{"scheduled_at", "tomorrow"}});
    c.lock.state = lock;
    c.leaderName.reset();
    c.names.otherModePresent = true;
    return c;
}

Cluster leaderless()
{
    Cluster c = made::plannable();
    c.lock.state = patroni::LockState::Expired;
    c.leaderName.reset();
    return c;
}

template<class Change>
Cluster changed(Cluster c, Change change)
{
    change(c);
    return c;
}

void unseen(Cluster &c)
{
    c.objects["failover"].labels.clear();
    c.failoverUnseen = true;
}

// As the store has it: not among the cluster's objects.
void lockInItsPlace(Cluster &c)
{
    c.foreignLocks = {{"failover", "acme-failover-0"}, {"config", "acme-config-0"}};
}

struct Case
{
    Cluster cluster;
    ActionWish wish;
};

} // namespace

Q_DECLARE_METATYPE(Case)

class TestPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bytes_data()
    {
        QTest::addColumn<Case>("what");
        QTest::addColumn<bool>("patch");
        QTest::addColumn<QByteArray>("body");
        const auto row = [](const char *name, const Case &what, bool patch, QByteArray body) {
            QTest::newRow(name) << what << patch << body.replace('\'', '"');
        };
        const QByteArray labels = "'labels':{'application':'patroni','cluster-name':'acme'}";
        const QByteArray cleared = "{'metadata':{'annotations':{'leader':null,'member':null,'scheduled_at':null}," + labels
            + ",'resourceVersion':'90388'}}";
        // patroni/dcs/kubernetes.py manual_failover; the design's write recipe 7.2
        row("failover, created", {leaderless(), rules::failoverWish("acme-2")}, false,
            "{'apiVersion':'v1','kind':'Endpoints','metadata':{'annotations':{'member':'acme-2'}," + labels
                + ",'name':'acme-failover','namespace':'payments'}}");
        row("failover, leftovers are removed",
            {changed(leaderless(),
                     [](Cluster &c) {
                         made::addFailover(c, {{"leader", "acme-1"}, {"scheduled_at", "2031-02-03T01:30:00+00:00"}});
                     }),
             rules::failoverWish("acme-2")},
            true,
            "{'metadata':{'annotations':{'leader':null,'member':'acme-2','scheduled_at':null}," + labels + ",'resourceVersion':'90388'}}");
        row("failover without a leader object",
            {changed(leaderless(), [](Cluster &c) { c.objects.erase("leader"); }), rules::failoverWish("acme-2")}, false,
            "{'apiVersion':'v1','kind':'Endpoints','metadata':{'annotations':{'member':'acme-2'}," + labels
                + ",'name':'acme-failover','namespace':'payments'}}");
        row("switchover", {withRequest({}), rules::switchoverWish("acme-1", "acme-2")}, true,
            "{'metadata':{'annotations':{'leader':'acme-1','member':'acme-2','scheduled_at':null}," + labels
                + ",'resourceVersion':'90388'}}");
        // The labels make it seen: nothing of what it says may be left.
        row("switchover over what Patroni does not see",
            {changed(withRequest({{"member", "acme-0"}, {"scheduled_at", "tomorrow"}}), unseen), rules::switchoverWish("acme-1")}, true,
            "{'metadata':{'annotations':{'leader':'acme-1','member':null,'scheduled_at':null}," + labels + ",'resourceVersion':'90388'}}");
        row("repair of what Patroni does not see", {changed(withRequest({{"scheduled_at", "tomorrow"}}), unseen), wish(ActionKind::Repair)},
            true, cleared);
        row("cancel", {withRequest({{"leader", "acme-1"}}), wish(ActionKind::CancelRequest)}, true, cleared);
        row("repair of a schedule that stands alone", {outage(patroni::LockState::Expired), wish(ActionKind::Repair)}, true, cleared);
        row("repair while the lock is out of sight", {outage(patroni::LockState::Stale), wish(ActionKind::Repair)}, true, cleared);
        row("repair with a request",
            {withRequest({{"leader", "acme-1"}, {"scheduled_at", "2031-13-03T01:30:00+00:00"}}), wish(ActionKind::Repair)}, true, cleared);
        // patroni/ctl.py toggle_pause: pause is set to true, and removed again
        row("pause", {withConfig(R"({"ttl":30,"x":9007199254740993})"), wish(ActionKind::Pause)}, true,
            QByteArray(
                R"({'metadata':{'annotations':{'config':'{\'ttl\':30,\'x\':9007199254740993,\'pause\':true}'},'resourceVersion':'90417'}})"));
        row("pause of a cluster that nobody leads",
            {changed(leaderless(), [](Cluster &c) { setConfig(c, R"({"ttl":30})"); }), wish(ActionKind::Pause)}, true,
            QByteArray(R"({'metadata':{'annotations':{'config':'{\'ttl\':30,\'pause\':true}'},'resourceVersion':'90417'}})"));
        row("resume", {withConfig(R"({"pause":"on","ttl":30})"), wish(ActionKind::Resume)}, true,
            QByteArray(R"({'metadata':{'annotations':{'config':'{\'ttl\':30}'},'resourceVersion':'90417'}})"));
        row("edit",
            {withConfig(R"({"ttl":30,"b":{"y":1}})"), edit(R"({"ttl":30,"b":{"y":1}})", "{\n  \"ttl\": 40, \"b\": {\"y\": 1}\n}\n")}, true,
            QByteArray(R"({'metadata':{'annotations':{'config':'{\'ttl\':40,\'b\':{\'y\':1}}'},'resourceVersion':'90417'}})"));
        row("edit of what somebody paused meanwhile", {withConfig(R"({"ttl":30,"pause":true})"), edit(R"({"ttl":30})", R"({"ttl":40})")},
            true, QByteArray(R"({'metadata':{'annotations':{'config':'{\'ttl\':40,\'pause\':true}'},'resourceVersion':'90417'}})"));
    }

    void bytes()
    {
        QFETCH(Case, what);
        QFETCH(bool, patch);
        QFETCH(QByteArray, body);
        const auto planned = plan(what.cluster, what.wish);
        QVERIFY2(planned.has_value(), planned ? "" : describe(planned.error()).c_str());
        QCOMPARE(planned->size(), std::size_t(1));
        const PlannedWrite &write = planned->front();
        QCOMPARE(write.write.body, body);
        QCOMPARE(write.write.verb == kube::WriteVerb::Patch, patch);
        QCOMPARE(write.action, what.wish.kind);
        const bool config = !rules::writesRequest(what.wish.kind);
        QCOMPARE(write.write.path.name, config ? QStringLiteral("acme-config") : QStringLiteral("acme-failover"));
        QVERIFY(!inspectWrite(write));
        QVERIFY(write.summary.starts_with(code(what.wish.kind)));
    }

    void refusals_data()
    {
        QTest::addColumn<Case>("what");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *name, const Case &what, const char *words) { QTest::newRow(name) << what << QByteArray(words); };
        const auto stale = [](Cluster &c) { c.view.freshness = patroni::Freshness::Stale; };
        const auto lockStale = [](Cluster &c) { c.lock.state = patroni::LockState::Stale; };
        for (const ActionKind kind : {ActionKind::Pause, ActionKind::Failover, ActionKind::EditConfig})
            row(code(kind).data(), {changed(made::plannable(), lockStale), wish(kind)}, "lock is stale");
        row("repair on a stale view", {changed(outage(patroni::LockState::Expired), stale), wish(ActionKind::Repair)}, "stale");
        row("repair on a forbidden view",
            {changed(outage(patroni::LockState::Expired), [](Cluster &c) { c.view.freshness = patroni::Freshness::Forbidden; }),
             wish(ActionKind::Repair)},
            "may not be read");
        const auto toSync = rules::switchoverWish("acme-1", "acme-2");
        row("switchover, a lock of that name", {changed(made::plannable(), lockInItsPlace), toSync},
            "it is the lock of the cluster acme-failover, held by acme-failover-0");
        row("failover, a lock of that name", {changed(leaderless(), lockInItsPlace), rules::failoverWish("acme-2")},
            "the lock of the cluster acme-failover");
        row("pause, a lock of that name", {changed(made::plannable(), lockInItsPlace), wish(ActionKind::Pause)},
            "it is the lock of the cluster acme-config, held by acme-config-0");
        row("edit, a lock of that name", {changed(withConfig(R"({"ttl":30})"), lockInItsPlace), edit(R"({"ttl":30})", R"({"ttl":40})")},
            "the lock of the cluster acme-config");
        // However it came to be taken for the cluster's own.
        for (const char *key : {"ttl", "renewTime", "acquireTime"}) {
            const Cluster taken = withRequest({{"leader", "acme-failover-0"}, {"scheduled_at", "tomorrow"}, {key, "30"}});
            row(key, {taken, toSync}, "the lock of the cluster acme-failover, held by acme-failover-0");
            row((std::string("cancel, ") + key).c_str(), {taken, wish(ActionKind::CancelRequest)}, "the lock of the cluster acme-failover");
            row((std::string("repair, ") + key).c_str(), {taken, wish(ActionKind::Repair)}, "the lock of the cluster acme-failover");
        }
        row("pause of a lock",
            {changed(made::plannable(), [](Cluster &c) { c.objects["config"].annotations["renewTime"] = "x"; }), wish(ActionKind::Pause)},
            "the lock of the cluster acme-config");
        row("nothing to repair", {withRequest({{"leader", "acme-1"}}), wish(ActionKind::Repair)}, "nothing to repair");
        row("a good schedule is no repair",
            {withRequest({{"leader", "acme-1"}, {"scheduled_at", "2031-02-03T01:30:00+01:00"}}), wish(ActionKind::Repair)},
            "nothing to repair");
        row("cancel of nothing", {withRequest({}), wish(ActionKind::CancelRequest)}, "no request to cancel");
        row("failover without candidate", {leaderless(), wish(ActionKind::Failover)}, "names its candidate");
        auto both = rules::failoverWish("acme-2");
        both.leader = "acme-1";
        row("failover with a leader", {made::plannable(), both}, "would be a switchover");
        auto timed = rules::failoverWish("acme-2");
        timed.at = made::instant("2031-02-03T01:30:00+00:00");
        row("failover with a time", {made::plannable(), timed}, "cannot be scheduled");
        row("failover to the leader", {made::plannable(), rules::failoverWish("acme-1")}, "leads already");
        row("failover to a stranger", {made::plannable(), rules::failoverWish("other-0")}, "not a member");
        row("failover, kind unclear",
            {changed(leaderless(), [](Cluster &c) { c.names.otherModePresent = true; }), rules::failoverWish("acme-2")}, "which kind");
        row("failover without labels",
            {changed(leaderless(), [](Cluster &c) { c.objects["config"].labels.clear(); }), rules::failoverWish("acme-2")},
            "carries the scope");
        row("switchover without leader", {leaderless(), rules::switchoverWish("acme-1")}, "nobody is known to lead");
        row("paused already", {withConfig(R"({"ttl":30,"pause":true})"), wish(ActionKind::Pause)}, "paused already");
        row("not paused", {withConfig(R"({"ttl":30,"pause":"off"})"), wish(ActionKind::Resume)}, "not paused");
        row("nothing but pause", {withConfig(R"({"pause":true})"), wish(ActionKind::Resume)}, "would be empty");
        row("pause of a configuration that is no JSON", {withConfig("ttl=30"), wish(ActionKind::Pause)},
            "no readable dynamic configuration");
        row("pause, kind unclear", {changed(leaderless(), [](Cluster &c) { c.names.otherModePresent = true; }), wish(ActionKind::Pause)},
            "which kind");
        row("no config object", {changed(made::plannable(), [](Cluster &c) { c.objects.erase("config"); }), wish(ActionKind::Pause)},
            "config object of this cluster is missing");
        row("no version",
            {changed(made::plannable(), [](Cluster &c) { c.objects["config"].resourceVersion.clear(); }), wish(ActionKind::Pause)},
            "config object of this cluster is missing");
        row("nothing changed", {withConfig(R"({"a":1,"ttl":30})"), edit(R"({"a":1,"ttl":30})", R"({"ttl":30,"a":1})")},
            "nothing would change");
        row("base moved on the same key", {withConfig(R"({"ttl":50})"), edit(R"({"ttl":30})", R"({"ttl":40})")},
            "ttl: was 30, you want 40, it is 50");
        const auto secret = [](const char *password) { return std::string("{\"u\":\"postgres:") + "//a:" + password + "@h\"}"; };
        row("secrets stay secret", {withConfig(secret("new")), edit(secret("old"), secret("mine"))}, "***@h");
        row("emptied", {withConfig(R"({"ttl":30})"), edit(R"({"ttl":30})", "{}")}, "empty configuration");
        row("no JSON", {withConfig(R"({"ttl":30})"), edit(R"({"ttl":30})", "ttl: 40")}, "not JSON");
        row("no base", {withConfig(R"({"ttl":30})"), edit("", R"({"ttl":40})")}, "not JSON");
        row("a new error", {withConfig(R"({"ttl":30})"), edit(R"({"ttl":30})", R"({"ttl":"soon"})")}, "not a number");
        row("too large", {withConfig(R"({"ttl":30})"), edit(R"({"ttl":30})", "{\"ttl\":30,\"x\":\"" + std::string(262144, 'x') + "\"}")},
            "too large");
    }

    void refusals()
    {
        QFETCH(Case, what);
        QFETCH(QByteArray, words);
        const auto planned = plan(what.cluster, what.wish);
        QVERIFY(!planned);
        QVERIFY(planned.error().kind == ErrorKind::Refused);
        QVERIFY2(QByteArray::fromStdString(describe(planned.error())).contains(words), describe(planned.error()).c_str());
    }

    // What was wrong before does not keep anybody from mending something else.
    void oldErrorsDoNotBlock()
    {
        const auto planned = plan(withConfig(R"({"loop_wait":"x","ttl":30})"),
                                  edit(R"({"loop_wait":"x","ttl":30})", R"({"loop_wait":"x","ttl":40})"));
        QVERIFY(planned.has_value());
    }

    // history shares the object: only what was planned leaves.
    void otherAnnotationsAreNotInTheBytes()
    {
        const auto planned = plan(made::plannable(), wish(ActionKind::Pause));
        const QByteArray body = planned->front().write.body;
        QVERIFY(!body.contains("history"));
        QVERIFY(!body.contains("initialize"));
        QVERIFY(!body.contains("labels"));
        QCOMPARE(planned->front().before.at("config"), made::configText());
    }

    void configMapMode()
    {
        Cluster c = made::configMaps();
        const auto planned = plan(c, wish(ActionKind::Pause));
        QVERIFY(planned->front().write.path.resource == Resource::ConfigMaps);
    }

    void citusGroup()
    {
        Cluster c = made::citus();
        c.names.configName = "acme-2-config";
        c.objects["config"].name = "acme-2-config";
        QCOMPARE(plan(c, wish(ActionKind::Pause))->front().write.path.name, QStringLiteral("acme-2-config"));
        QCOMPARE(plan(c, rules::failoverWish("acme-2"))->front().write.path.name, QStringLiteral("acme-2-failover"));
    }
};

QTEST_GUILESS_MAIN(TestPlan)
#include "tst_plan.moc"
