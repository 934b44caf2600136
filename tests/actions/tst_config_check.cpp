// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What Patroni makes of a dynamic configuration. Sources: patroni/config.py (3.0.2, 4.0.7), validator.py (4.0.7), global_config.py (4.0.7),
// postgresql/config.py CMDLINE_OPTIONS (3.0.2, 4.0.7).
#include "app/actions/config_text.h"

#include <QTest>

using namespace switchyard::actions;

namespace {

using Level = ConfigLevel;
using Rule = ConfigRule;

// "error out-of-range ttl; note unknown-setting x"
QByteArray shown(const std::vector<ConfigFinding> &findings)
{
    QByteArray all;
    for (const ConfigFinding &f : findings) {
        const char *level = f.level == Level::Error ? "error " : f.level == Level::Warning ? "warning " : "note ";
        all += (all.isEmpty() ? "" : "; ") + QByteArray(level) + QByteArray::fromStdString(std::string(code(f.rule)));
        if (!f.path.empty())
            all += ' ' + QByteArray::fromStdString(f.path);
    }
    return all;
}

} // namespace

class TestConfigCheck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findings_data()
    {
        QTest::addColumn<QByteArray>("json"); // ' for "
        QTest::addColumn<QByteArray>("old");  // with 3.0.2
        QTest::addColumn<QByteArray>("now");  // with 4.0.7
        const auto row = [](const char *json, const char *old, const char *now) {
            QTest::newRow(json) << QByteArray(json) << QByteArray(old) << QByteArray(now);
        };
        const auto both = [&](const char *json, const char *findings) { row(json, findings, findings); };

        both("", "error unreadable");
        both("ttl: 30", "error unreadable");
        both("[1]", "error unreadable");
        both("null", "error unreadable");
        both("{}", "error empty");
        both("{'ttl':30,'loop_wait':10,'retry_timeout':10}", "");
        // config.py _validate_and_adjust_timeouts: 3.2.0 raises and lowers; before, it is in force as it is
        row("{'ttl':19,'loop_wait':1,'retry_timeout':3}", "error out-of-range ttl", "warning out-of-range ttl");
        row("{'loop_wait':0}", "error out-of-range loop_wait", "warning out-of-range loop_wait");
        row("{'retry_timeout':2}", "error out-of-range retry_timeout", "warning out-of-range retry_timeout");
        row("{'ttl':29}", "error timing-broken", "warning timing-broken");
        row("{'ttl':30,'loop_wait':11}", "error timing-broken", "warning timing-broken");
        row("{'retry_timeout':20}", "error timing-broken", "warning timing-broken");
        // config.py: int() of them, else nothing of the whole is taken
        both("{'ttl':'30s'}", "error not-a-number ttl");
        both("{'ttl':null}", "error not-a-number ttl");
        both("{'ttl':[30]}", "error not-a-number ttl");
        both("{'loop_wait':'ten'}", "error not-a-number loop_wait");
        both("{'ttl':' 30 '}", "");
        both("{'ttl':30.9}", "");
        both("{'ttl':'30.9'}", "error not-a-number ttl");
        // global_config.py get_int: the default in place of what cannot be read; 3.0.2 reads these with int() as well
        row("{'maximum_lag_on_failover':'1MB'}", "error not-a-number maximum_lag_on_failover",
            "warning not-a-number maximum_lag_on_failover");
        row("{'synchronous_node_count':null}", "error not-a-number synchronous_node_count", "");
        row("{'check_timeline':'on'}", "error not-a-number check_timeline", "");
        row("{'check_timeline':true}", "", "");
        row("{'watchdog':{'mode':'off'}}", "error not-allowed watchdog", "note unknown-setting watchdog");
        both("{'maximum_lag_on_failover':-1}", "warning out-of-range maximum_lag_on_failover");
        both("{'maximum_lag_on_failover':0}", "");
        both("{'maximum_lag_on_syncnode':-1}", "");
        both("{'maximum_lag_on_syncnode':-2}", "warning out-of-range maximum_lag_on_syncnode");
        both("{'synchronous_node_count':0}", "warning out-of-range synchronous_node_count");
        row("{'primary_start_timeout':'x'}", "error not-a-number primary_start_timeout", "warning not-a-number primary_start_timeout");
        both("{'max_timelines_history':-1}", "warning out-of-range max_timelines_history");
        both("{'master_start_timeout':300,'ttl':30}", "note deprecated master_start_timeout");
        row("{'member_slots_ttl':'30min'}", "note needs-newer-patroni member_slots_ttl", "");
        row("{'member_slots_ttl':1800}", "note needs-newer-patroni member_slots_ttl", "");
        // global_config.py check_mode, utils.py parse_bool
        both("{'pause':'off','check_timeline':1,'synchronous_mode':'YES','failsafe_mode':true}", "");
        both("{'pause':'maybe'}", "warning not-a-boolean pause");
        both("{'check_timeline':2}", "warning not-a-boolean check_timeline");
        row("{'synchronous_mode':'Quorum'}", "warning needs-newer-patroni synchronous_mode", "");
        both("{'synchronous_mode':'always'}", "warning not-a-boolean synchronous_mode");
        // config.py _safe_copy_dynamic_configuration
        both("{'postgresql':'x'}", "error not-a-map postgresql");
        both("{'postgresql':null}", "");
        both("{'postgresql':{'parameters':[1]}}", "error not-a-map postgresql.parameters");
        both("{'postgresql':{'data_dir':'/x','listen':'*'}}",
             "note set-in-members-config postgresql.data_dir; note set-in-members-config postgresql.listen");
        both("{'postgresql':{'pg_hba':'all'}}", "warning not-a-list postgresql.pg_hba");
        both("{'standby_cluster':'h'}", "error not-a-map standby_cluster");
        both("{'standby_cluster':null}", "");
        both("{'standby_cluster':{'primary_slot_name':'x'}}", "warning inactive-standby standby_cluster");
        both("{'standby_cluster':{'host':'h','port':70000}}", "warning out-of-range standby_cluster.port");
        both("{'standby_cluster':{'host':'h','user':'u'}}", "note unknown-setting standby_cluster.user");
        // postgresql/config.py CMDLINE_OPTIONS: before 4.0 a validator that throws takes the whole with it
        row("{'postgresql':{'parameters':{'max_connections':'many'}}}", "error not-a-number postgresql.parameters.max_connections",
            "warning not-a-number postgresql.parameters.max_connections");
        both("{'postgresql':{'parameters':{'max_connections':24}}}", "warning out-of-range postgresql.parameters.max_connections");
        both("{'postgresql':{'parameters':{'max_connections':'25'}}}", "");
        both("{'postgresql':{'parameters':{'max_wal_senders':2}}}", "warning out-of-range postgresql.parameters.max_wal_senders");
        both("{'postgresql':{'parameters':{'max_locks_per_transaction':31}}}",
             "warning out-of-range postgresql.parameters.max_locks_per_transaction");
        both("{'postgresql':{'parameters':{'max_worker_processes':1}}}", "warning out-of-range postgresql.parameters.max_worker_processes");
        both("{'postgresql':{'parameters':{'max_replication_slots':3}}}",
             "warning out-of-range postgresql.parameters.max_replication_slots");
        both("{'postgresql':{'parameters':{'wal_keep_size':'128MB'}}}", "");
        both("{'postgresql':{'parameters':{'wal_level':'minimal'}}}", "warning not-allowed postgresql.parameters.wal_level");
        row("{'postgresql':{'parameters':{'wal_level':1}}}", "error not-allowed postgresql.parameters.wal_level",
            "warning not-allowed postgresql.parameters.wal_level");
        both("{'postgresql':{'parameters':{'port':5433}}}", "note set-by-patroni postgresql.parameters.port");
        both("{'postgresql':{'parameters':{'work_mem':{'a':1}}}}", "error not-allowed postgresql.parameters.work_mem");
        both("{'postgresql':{'parameters':{'work_mem':'16MB','pg_stat_statements.max':10000}}}", "");
        both("{'slots':['a']}", "error not-a-map slots");
        both("{'ignore_slots':{'a':1}}", "error not-a-list ignore_slots");
        both("{'permanent_slots':{'a':{}}}", "note deprecated permanent_slots");
        both("{'dcs':{'ttl':30}}", "note unknown-setting dcs");
        both("{'colour':1,'ttl':'x'}", "error not-a-number ttl; note unknown-setting colour"); // worst first
    }

    void findings()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, old);
        QFETCH(QByteArray, now);
        const std::string text = json.replace('\'', '"').toStdString();
        QCOMPARE(shown(checkConfig(text, {"4.0.7", "3.0.2"})), old); // the oldest member decides
        QCOMPARE(shown(checkConfig(text, {"4.0.7", "4.1.4"})), now);
        // Nobody says which release it is: as strict as with the oldest, but nothing is told to be too new for it.
        const QByteArray unknown = shown(checkConfig(text, {}));
        QCOMPARE(unknown.contains("error"), old.contains("error"));
    }

    void words()
    {
        const auto findings = checkConfig(R"({"ttl":15,"maximum_lag_on_failover":"1MB"})", {"3.0.2"});
        QCOMPARE(text(findings.at(1)), std::string("ttl: 15 is out of range: >= 20"));
        QCOMPARE(text(findings.at(2)), std::string("loop_wait + 2 * retry_timeout <= ttl does not hold: 10 + 2 * 10 > 15"));
        QCOMPARE(text(findings.at(0)), std::string("maximum_lag_on_failover: \"1MB\" is not a number"));
    }

    // kube-apiserver: the keys and values of all annotations together
    void size()
    {
        const std::map<std::string, std::string> others{{"history", std::string(1000, 'h')}, {"config", std::string(300000, 'x')}};
        const std::size_t room = annotationsLimit - 1000 - 7 - 6;
        QVERIFY(!checkSize(others, std::string(room, 'x')));
        const auto tooLarge = checkSize(others, std::string(room + 1, 'x'));
        QVERIFY(tooLarge && tooLarge->rule == Rule::TooLarge && tooLarge->level == Level::Error);
        QCOMPARE(tooLarge->value, std::string("262145"));
    }
};

QTEST_APPLESS_MAIN(TestConfigCheck)
#include "tst_config_check.moc"
