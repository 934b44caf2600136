// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The last look at the bytes: whatever went wrong before it, only what the action is for can leave.
#include "app/actions/plan.h"
#include "tests/actions/planning.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;
using rules::ActionKind;
using rules::ActionWish;

namespace {

using Tamper = std::function<void(PlannedWrite &)>;

PlannedWrite object(ActionKind kind)
{
    auto c = made::plannable();
    made::addFailover(c, {{"leader", "acme-0"}, {"scheduled_at", "tomorrow"}});
    std::vector<patroni::Defect> defects;
    c.failover = patroni::decodeFailover(c.objects["failover"], defects);
    ActionWish wish = kind == ActionKind::Switchover ? rules::switchoverWish("acme-1", "acme-2") : rules::failoverWish("acme-2");
    wish.kind = kind;
    if (kind != ActionKind::Switchover && kind != ActionKind::Failover)
        wish.candidate.reset();
    return plan(c, wish).value().front();
}

PlannedWrite call(ActionKind kind, kube::WriteVerb verb, const char *path, const char *body)
{
    PlannedWrite planned;
    planned.cluster = made::plannable().names.key;
    planned.action = kind;
    planned.member = "acme-2";
    planned.write.verb = verb;
    planned.write.path.resource = Resource::Pods;
    planned.write.path.ns = QStringLiteral("payments");
    planned.write.path.name = QStringLiteral("acme-2");
    planned.write.path.proxy = kube::PodProxy{true, 8008, QString::fromLatin1(path)};
    planned.write.body = QByteArray(body).replace('\'', '"');
    return planned;
}

PlannedWrite restart()
{
    return call(ActionKind::Restart, kube::WriteVerb::ProxyPost, "/restart", "{'restart_pending':true}");
}

} // namespace

Q_DECLARE_METATYPE(Tamper)
Q_DECLARE_METATYPE(PlannedWrite)

class TestInspect : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tampered_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<Tamper>("tamper");
        const auto row = [](const char *name, ActionKind kind, const Tamper &tamper) { QTest::newRow(name) << int(kind) << tamper; };
        const auto body = [](const char *from, const char *to) {
            return Tamper([from, to](PlannedWrite &p) {
                const QByteArray before = p.write.body;
                p.write.body.replace(QByteArray(from).replace('\'', '"'), QByteArray(to).replace('\'', '"'));
                if (p.write.body == before)
                    QTest::qFail("nothing was tampered with", __FILE__, __LINE__);
            });
        };
        const auto name = [](const char *to) { return Tamper([to](PlannedWrite &p) { p.write.path.name = QString::fromLatin1(to); }); };
        for (const ActionKind kind : {ActionKind::Switchover, ActionKind::Failover, ActionKind::Repair, ActionKind::Pause}) {
            for (const char *other : {"acme", "acme-leader", "acme-sync", "acme-1", "other-config", "other-failover", ""})
                row((std::string(code(kind)) + " to '" + other + '\'').c_str(), kind, name(other));
            const auto also = [&](const char *what, const Tamper &tamper) {
                row((std::string(code(kind)) + ' ' + what).c_str(), kind, tamper);
            };
            also("to Pods", [](PlannedWrite &p) { p.write.path.resource = Resource::Pods; });
            also("to Leases", [](PlannedWrite &p) { p.write.path.resource = Resource::Leases; });
            also("in another namespace", [](PlannedWrite &p) { p.write.path.ns = QStringLiteral("kube-system"); });
            also("through a Pod", [](PlannedWrite &p) { p.write.path.proxy = kube::PodProxy{false, 8008, QStringLiteral("/config")}; });
            also("without version", [](PlannedWrite &p) { p.basedOnVersion.reset(); });
            also("with another version", [](PlannedWrite &p) { p.basedOnVersion = "1"; });
            also("as creation", [](PlannedWrite &p) { p.write.verb = kube::WriteVerb::Create; });
            also("as a call", [](PlannedWrite &p) { p.write.verb = kube::WriteVerb::ProxyPatch; });
            also("as a try", [](PlannedWrite &p) { p.write.dryRun = true; });
            also("with subsets", body("}}", "},'subsets':[]}"));
            also("with a finalizer", body("'resourceVersion'", "'finalizers':[],'resourceVersion'"));
            also("with a key twice", body("{'metadata':{", "{'metadata':{'annotations':{'leader':'x'},"));
            also("with spaces", [](PlannedWrite &p) { p.write.body += ' '; });
            also("with a foreign annotation", body("'annotations':{", "'annotations':{'a':'b',"));
            also("no JSON", [](PlannedWrite &p) { p.write.body = "x"; });
            also("nothing", [](PlannedWrite &p) { p.write.body.clear(); });
        }
        row("pause with initialize", ActionKind::Pause, body("'annotations':{'config'", "'annotations':{'initialize':null,'config'"));
        row("pause with history", ActionKind::Pause, body("true}'}", "true}','history':'[]'}"));
        row("pause with labels", ActionKind::Pause, body("'resourceVersion'", "'labels':{'a':'b'},'resourceVersion'"));
        row("pause that removes config", ActionKind::Pause, [](PlannedWrite &p) {
            p.write.body = R"({"metadata":{"annotations":{"config":null},"resourceVersion":"90417"}})";
            p.after.clear();
        });
        for (const char *bad : {"", "{}", "[]", "null", "{", "true", "\"x\""})
            row((std::string("config '") + bad + '\'').c_str(), ActionKind::Pause, [bad](PlannedWrite &p) {
                p.after["config"] = bad;
                p.write.body = QByteArray("{\"metadata\":{\"annotations\":{\"config\":\"") + QByteArray(bad).replace('"', "\\\"")
                    + "\"},\"resourceVersion\":\"90417\"}}";
            });
        row("a config object that is made", ActionKind::Pause, [](PlannedWrite &p) {
            p.basedOnVersion.reset();
            p.write.verb = kube::WriteVerb::Create;
            p.write.body = QByteArray("{'apiVersion':'v1','kind':'Endpoints','metadata':{'annotations':{'config':'{#ttl#:30}'},"
                                      "'labels':{'cluster-name':'acme'},'name':'acme-config','namespace':'payments'}}")
                               .replace('\'', '"')
                               .replace("#", "\\\"");
            p.after["config"] = "{\"ttl\":30}";
        });
        row("another configuration than planned", ActionKind::Pause, body("\\'pause\\':true", "\\'pause\\':false"));
        row("failover that names a leader", ActionKind::Failover, [](PlannedWrite &p) {
            p.after["leader"] = "acme-1";
            p.write.body.replace("\"leader\":null", "\"leader\":\"acme-1\"");
        });
        row("switchover without leader", ActionKind::Switchover, [](PlannedWrite &p) {
            p.after.erase("leader");
            p.write.body.replace("\"leader\":\"acme-1\"", "\"leader\":null");
        });
        row("repair that asks for something", ActionKind::Repair, [](PlannedWrite &p) {
            p.after["member"] = "acme-2";
            p.write.body.replace("\"member\":null", "\"member\":\"acme-2\"");
        });
        row("a loose time", ActionKind::Switchover, [](PlannedWrite &p) {
            p.after["scheduled_at"] = "2031-02-03 01:30";
            p.write.body.replace("\"scheduled_at\":null", "\"scheduled_at\":\"2031-02-03 01:30\"");
        });
        row("a restart on an object", ActionKind::Switchover, [](PlannedWrite &p) { p.action = ActionKind::Restart; });
        row("a pause on the request", ActionKind::Switchover, [](PlannedWrite &p) { p.action = ActionKind::Pause; });
    }

    void tampered()
    {
        QFETCH(int, kind);
        QFETCH(Tamper, tamper);
        PlannedWrite planned = object(static_cast<ActionKind>(kind));
        QVERIFY(!inspectWrite(planned));
        tamper(planned);
        const auto problem = inspectWrite(planned);
        QVERIFY(problem.has_value());
        QVERIFY(problem->kind == ErrorKind::Refused);
    }

    // patroni/api.py
    void calls_data()
    {
        QTest::addColumn<PlannedWrite>("planned");
        QTest::addColumn<bool>("fit");
        const auto row = [](const char *name, ActionKind kind, kube::WriteVerb verb, const char *path, const char *body, bool fit) {
            QTest::newRow(name) << call(kind, verb, path, body) << fit;
        };
        using K = ActionKind;
        const auto post = kube::WriteVerb::ProxyPost, patch = kube::WriteVerb::ProxyPatch, del = kube::WriteVerb::ProxyDelete;
        row("switchover", K::Switchover, post, "/switchover",
            "{'leader':'acme-1','candidate':'acme-2','scheduled_at':'2031-02-03T01:30:00+00:00'}", true);
        row("switchover without leader", K::Switchover, post, "/switchover", "{'candidate':'acme-2'}", false);
        row("switchover, loose time", K::Switchover, post, "/switchover", "{'leader':'acme-1','scheduled_at':'2031-02-03T01:30:00Z'}",
            false);
        row("switchover to itself", K::Switchover, post, "/switchover", "{'leader':'acme-1','candidate':'acme-1'}", false);
        row("switchover as failover", K::Switchover, post, "/failover", "{'leader':'acme-1','candidate':'acme-2'}", false);
        row("failover", K::Failover, post, "/failover", "{'candidate':'acme-2'}", true);
        row("failover with leader", K::Failover, post, "/failover", "{'candidate':'acme-2','leader':'acme-1'}", false);
        row("failover without candidate", K::Failover, post, "/failover", "{}", false);
        row("cancel", K::CancelRequest, del, "/switchover", "", true);
        row("cancel with a body", K::CancelRequest, del, "/switchover", "{'leader':'x'}", false);
        row("cancel as post", K::CancelRequest, post, "/switchover", "", false);
        row("repair", K::Repair, del, "/switchover", "", false);
        row("pause", K::Pause, patch, "/config", "{'pause':true}", true);
        row("pause false", K::Pause, patch, "/config", "{'pause':false}", false);
        row("pause and more", K::Pause, patch, "/config", "{'pause':true,'ttl':30}", false);
        row("resume", K::Resume, patch, "/config", "{'pause':null}", true);
        row("resume without", K::Resume, patch, "/config", "{}", false);
        row("edit", K::EditConfig, patch, "/config", "{'ttl':40,'postgresql':{'parameters':{'x':null}}}", true);
        row("edit of nothing", K::EditConfig, patch, "/config", "{}", false);
        row("edit, no body", K::EditConfig, patch, "/config", "", false);
        row("edit, no object", K::EditConfig, patch, "/config", "[1]", false);
        row("restart", K::Restart, post, "/restart", "{'role':'replica','postgres_version':'16.4','timeout':60,'restart_pending':true}",
            true);
        row("restart, no body", K::Restart, post, "/restart", "", true);
        row("restart, scheduled", K::Restart, post, "/restart", "{'schedule':'2031-02-03T01:30:00+00:00'}", true);
        row("restart, loose time", K::Restart, post, "/restart", "{'schedule':'tomorrow'}", false);
        row("restart, time as number", K::Restart, post, "/restart", "{'schedule':1}", false);
        row("restart, foreign key", K::Restart, post, "/restart", "{'force':true}", false);
        row("restart elsewhere", K::Restart, post, "/sigterm", "", false);
        row("restart, path with a query", K::Restart, post, "/restart?x", "", false);
        row("cancel restart", K::CancelRestart, del, "/restart", "", true);
        row("reload", K::Reload, post, "/reload", "", true);
        row("reload by patch", K::Reload, patch, "/reload", "", false);
        row("reinitialize", K::Reinitialize, post, "/reinitialize", "{'force':true,'from_leader':true}", true);
        row("reinitialize as reload", K::Reload, post, "/reinitialize", "", false);
        row("demote", K::DemoteCluster, patch, "/config", "{'standby_cluster':{'host':'h','port':5432}}", true);
        row("demote to nothing", K::DemoteCluster, patch, "/config", "{'standby_cluster':{}}", false);
        row("promote", K::PromoteCluster, patch, "/config", "{'standby_cluster':null}", true);
        row("promote that demotes", K::PromoteCluster, patch, "/config", "{'standby_cluster':{'host':'h'}}", false);
    }

    void calls()
    {
        QFETCH(PlannedWrite, planned);
        QFETCH(bool, fit);
        const auto problem = inspectWrite(planned);
        QVERIFY2(!problem == fit, problem ? describe(*problem).c_str() : "passed");
    }

    void tamperedCalls_data()
    {
        QTest::addColumn<Tamper>("tamper");
        const auto row = [](const char *name, const Tamper &tamper) { QTest::newRow(name) << tamper; };
        row("another Pod", [](PlannedWrite &p) { p.write.path.name = QStringLiteral("acme-1"); });
        row("no member", [](PlannedWrite &p) { p.member.reset(); });
        row("the Pod object itself", [](PlannedWrite &p) { p.write.path.proxy.reset(); });
        row("an Endpoints object", [](PlannedWrite &p) { p.write.path.resource = Resource::Endpoints; });
        row("its log", [](PlannedWrite &p) { p.write.path.log = true; });
        row("another namespace", [](PlannedWrite &p) { p.write.path.ns = QStringLiteral("x"); });
        row("port 0", [](PlannedWrite &p) { p.write.path.proxy->port = 0; });
        row("a try", [](PlannedWrite &p) { p.write.dryRun = true; });
        row("a version", [](PlannedWrite &p) { p.basedOnVersion = "1"; });
        row("annotations", [](PlannedWrite &p) { p.after["leader"] = "x"; });
        row("patch of an object", [](PlannedWrite &p) { p.write.verb = kube::WriteVerb::Patch; });
        row("creation of an object", [](PlannedWrite &p) { p.write.verb = kube::WriteVerb::Create; });
        row("no JSON", [](PlannedWrite &p) { p.write.body = "restart"; });
    }

    void tamperedCalls()
    {
        QFETCH(Tamper, tamper);
        PlannedWrite planned = restart();
        QVERIFY(!inspectWrite(planned));
        tamper(planned);
        QVERIFY(inspectWrite(planned).has_value());
    }
};

QTEST_GUILESS_MAIN(TestInspect)
#include "tst_inspect.moc"
