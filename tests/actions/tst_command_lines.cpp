// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The commands to paste: patronictl as in patroni/ctl.py (3.0 - 4.1), kubectl with the exact bytes. What a shell makes of them is tried too.
#include "app/actions/plan.h"
#include "tests/actions/planning.h"

#include <QProcess>
#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;
using rules::ActionKind;
using rules::ActionWish;

namespace {

ActionWish wish(ActionKind kind, std::vector<std::string> members = {})
{
    ActionWish w;
    w.kind = kind;
    w.members = std::move(members);
    return w;
}

const Instant at = made::instant("2031-02-03T01:30:00+00:00");

patroni::Cluster cluster()
{
    auto c = made::plannable();
    for (auto &m : c.members)
        m.record.apiUrl = "http:"
                          "//10.9.0.16:8008/patroni";
    return c;
}

patroni::Cluster withRequest(std::map<std::string, std::string> annotations)
{
    auto c = cluster();
    made::addFailover(c, std::move(annotations));
    std::vector<patroni::Defect> defects;
    c.failover = patroni::decodeFailover(c.objects["failover"], defects);
    return c;
}

// The words that a shell hands to the program, and its standard input.
QByteArray asShellReadsIt(const std::string &line)
{
    const std::string script =
        "kubectl() { for w in \"$@\"; do printf '[%s]' \"$w\"; done; test -t 0 || cat; }\npatronictl() { kubectl \"$@\"; }\n" + line + "\n";
    QProcess shell;
    shell.setStandardInputFile(QProcess::nullDevice());
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QString::fromStdString(script)});
    if (!shell.waitForFinished())
        return "the shell did not end";
    return shell.readAllStandardOutput() + shell.readAllStandardError();
}

} // namespace

Q_DECLARE_METATYPE(ActionWish)
Q_DECLARE_METATYPE(patroni::Cluster)
Q_DECLARE_METATYPE(PlannedWrite)

class TestCommandLines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void patronictl_data()
    {
        QTest::addColumn<patroni::Cluster>("on");
        QTest::addColumn<ActionWish>("what");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char *name, const patroni::Cluster &on, const ActionWish &what, const char *line) {
            QTest::newRow(name) << on << what << QByteArray(line);
        };
        using K = ActionKind;
        row("switchover", cluster(), rules::switchoverWish("acme-1", "acme-2"),
            "patronictl switchover acme --leader acme-1 --candidate acme-2 --force");
        row("switchover, Patroni decides, scheduled", cluster(), rules::switchoverWish("acme-1", {}, at),
            "patronictl switchover acme --leader acme-1 --scheduled 2031-02-03T01:30:00+00:00 --force");
        auto citus = made::citus();
        row("of a Citus group", citus, rules::switchoverWish("acme-1", "acme-2"),
            "patronictl switchover acme --group 2 --leader acme-1 --candidate acme-2 --force");
        auto old = cluster();
        for (auto &m : old.members)
            m.record.version = "2.1.7";
        row("before 3.0", old, rules::switchoverWish("acme-1"), "patronictl switchover acme --master acme-1 --force");
        row("failover", cluster(), rules::failoverWish("acme-2"), "patronictl failover acme --candidate acme-2 --force");
        row("cancel of a schedule", withRequest({{"leader", "acme-1"}, {"scheduled_at", "2031-02-03T01:30:00+00:00"}}),
            wish(K::CancelRequest), "patronictl flush acme switchover --force");
        row("cancel of one without a schedule", withRequest({{"leader", "acme-1"}}), wish(K::CancelRequest), "");
        row("repair", withRequest({{"scheduled_at", "tomorrow"}}), wish(K::Repair), "");
        row("pause", cluster(), wish(K::Pause), "patronictl pause acme --wait");
        row("resume", cluster(), wish(K::Resume), "patronictl resume acme --wait");
        auto restart = wish(K::Restart, {"acme-0", "acme-2"});
        row("restart", cluster(), restart, "patronictl restart acme acme-0 acme-2 --force");
        restart.restart = {true, "standby_leader", "16.4", 60};
        restart.at = at;
        row("restart with all there is", cluster(), restart,
            "patronictl restart acme acme-0 acme-2 --role standby-leader --scheduled 2031-02-03T01:30:00+00:00 --pg-version 16.4 --pending "
            "--timeout 60 --force");
        row("cancel restart", cluster(), wish(K::CancelRestart, {"acme-2"}), "patronictl flush acme acme-2 restart --force");
        row("reload", cluster(), wish(K::Reload, {"acme-2"}), "patronictl reload acme acme-2 --force");
        auto reinit = wish(K::Reinitialize, {"acme-0"});
        row("reinitialize", cluster(), reinit, "patronictl reinit acme acme-0");
        reinit.force = reinit.fromLeader = true;
        row("reinitialize by force", cluster(), reinit, "patronictl reinit acme acme-0 --from-leader --force");
        auto demote = wish(K::DemoteCluster);
        demote.source = {"db.example.org", "cp '/wal/%f' \"%p\"", "acme_slot", 5433};
        row("demote", cluster(), demote,
            "patronictl demote-cluster acme --host db.example.org --port 5433 --restore-command 'cp '\\''/wal/%f'\\'' \"%p\"' "
            "--primary-slot-name acme_slot --force");
        row("promote", cluster(), wish(K::PromoteCluster), "patronictl promote-cluster acme --force");
        auto edited = cluster();
        edited.objects["config"].annotations["config"] = "{\"ttl\":30,\"x\":\"it's\",\"gone\":1}";
        auto edit = wish(K::EditConfig);
        edit.configBase = "{\"ttl\":30,\"x\":\"it's\",\"gone\":1}";
        edit.configAfter = "{\"ttl\":40,\"x\":\"it's $HOME\"}";
        row("edit", edited, edit, "patronictl edit-config acme --force --apply - <<'EOF'\ngone: null\nttl: 40\nx: 'it''s $HOME'\nEOF");
        auto nothing = edit;
        nothing.configAfter = nothing.configBase;
        row("edit of nothing", edited, nothing, "");
        auto hostile = cluster();
        hostile.names.key.scope = "a'b $(reboot)";
        row("names are quoted", hostile, wish(K::Pause), "patronictl pause 'a'\\''b $(reboot)' --wait");
    }

    void patronictl()
    {
        QFETCH(patroni::Cluster, on);
        QFETCH(ActionWish, what);
        QFETCH(QByteArray, line);
        QCOMPARE(QByteArray::fromStdString(patronictlLine(on, what)), line);
    }

    void kubectl_data()
    {
        QTest::addColumn<PlannedWrite>("planned");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char *name, const PlannedWrite &planned, QByteArray line) {
            QTest::newRow(name) << planned << line.replace("BODY", planned.write.body);
        };
        const auto first = [](const patroni::Cluster &c, const ActionWish &w) { return plan(c, w).value().front(); };
        row("patch of a request", first(withRequest({}), rules::switchoverWish("acme-1", "acme-2")),
            "kubectl --context prod-eu -n payments patch endpoints acme-failover --type=merge -p 'BODY'");
        row("creation", first(cluster(), rules::failoverWish("acme-2")),
            "kubectl --context prod-eu -n payments create -f - <<'EOF'\nBODY\nEOF");
        row("configuration", first(cluster(), wish(ActionKind::Pause)),
            "kubectl --context prod-eu -n payments patch endpoints acme-config --type=merge -p 'BODY'");
        auto maps = first(made::configMaps(), wish(ActionKind::Pause));
        maps.sender = Sender{"s", "u", "jane@example.org", {"dba", "system:x y"}};
        row("of a ConfigMap, as somebody else", maps,
            "kubectl --context prod-eu --as jane@example.org --as-group dba --as-group 'system:x y' -n payments patch configmaps "
            "acme-config "
            "--type=merge -p 'BODY'");
        auto noContext = first(cluster(), wish(ActionKind::Pause));
        noContext.cluster.context.clear();
        row("without a context", noContext, "kubectl -n payments patch endpoints acme-config --type=merge -p 'BODY'");
        auto restart = wish(ActionKind::Restart, {"acme-2"});
        row("restart", first(cluster(), restart),
            "kubectl --context prod-eu -n payments create --raw /api/v1/namespaces/payments/pods/acme-2:8008/proxy/restart -f /dev/null");
        // patroni/api.py _read_json_content: without Content-Length there is no body, and the restart would be done at once
        restart.at = at;
        row("restart with conditions", first(cluster(), restart), "");
        auto switchover = rules::switchoverWish("acme-1", "acme-2");
        switchover.byRest = true;
        row("switchover by call", first(cluster(), switchover), "");
        row("reload", first(cluster(), wish(ActionKind::Reload, {"acme-2"})),
            "kubectl --context prod-eu -n payments create --raw /api/v1/namespaces/payments/pods/acme-2:8008/proxy/reload -f /dev/null");
        auto cancel = cluster();
        cancel.members[2].record.scheduledRestart = patroni::ScheduledRestart{"2031-02-03T01:30:00+00:00", {}, {}};
        row("cancel restart", first(cancel, wish(ActionKind::CancelRestart, {"acme-2"})),
            "kubectl --context prod-eu -n payments delete --raw /api/v1/namespaces/payments/pods/acme-2:8008/proxy/restart");
        auto byRest = wish(ActionKind::Pause);
        byRest.byRest = true;
        row("no patch of a path", first(cluster(), byRest), "");
    }

    void kubectl()
    {
        QFETCH(PlannedWrite, planned);
        QFETCH(QByteArray, line);
        QCOMPARE(QByteArray::fromStdString(kubectlLine(planned)), line);
    }

    // Bytes with quotes of both kinds, dollars and backslashes reach the program as they were planned.
    void whatAShellMakesOfIt()
    {
        auto c = cluster();
        c.objects["config"].annotations["config"] = "{\"ttl\":30,\"c\":\"cp '/wal/%f' \\\"%p\\\" $HOME `x` \\\\ !\"}";
        auto planned = plan(c, wish(ActionKind::Pause)).value().front();
        QCOMPARE(asShellReadsIt(kubectlLine(planned)),
                 "[--context][prod-eu][-n][payments][patch][endpoints][acme-config][--type=merge][-p][" + planned.write.body + ']');
        auto create = plan(cluster(), rules::failoverWish("acme-2")).value().front();
        QCOMPARE(asShellReadsIt(kubectlLine(create)), "[--context][prod-eu][-n][payments][create][-f][-]" + create.write.body + '\n');
        auto edit = wish(ActionKind::EditConfig);
        edit.configBase = c.objects["config"].annotations["config"];
        edit.configAfter = "{\"ttl\":30,\"c\":\"it's `x` $HOME\\nEOF\\n\"}";
        QCOMPARE(asShellReadsIt(patronictlLine(c, edit)),
                 QByteArray("[edit-config][acme][--force][--apply][-]c: \"it's `x` $HOME\\nEOF\\n\"\n"));
    }
};

QTEST_GUILESS_MAIN(TestCommandLines)
#include "tst_command_lines.moc"
