// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "granted.h"
#include "models/rules/permissions.h"
#include "tests/rules/healthy_cluster.h"

#include <QFile>
#include <QTest>

#include <yaml-cpp/yaml.h>

using namespace switchyard;
using namespace switchyard::rules;
using namespace std::chrono_literals;

namespace {

constexpr Boot noon{10000s};
const QString readAll = QStringLiteral("get,list,watch endpoints,configmaps,pods db");
const QString podRights = QStringLiteral("; get,create,patch,delete pods/proxy db; get pods/log db; list,watch events db");

RightsScope scopeOf(std::vector<std::string> namespaces = {"db"})
{
    RightsScope scope;
    scope.namespaces = std::move(namespaces);
    scope.ownNamespace = "db";
    scope.targets = {{"db", "acme-failover", Resource::Endpoints}};
    scope.leases = false; // see `elections`
    return scope;
}

// The same with other leader elections, and one of them for life.
RightsScope withElections(std::vector<std::string> namespaces = {"db"})
{
    RightsScope scope = scopeOf(std::move(namespaces));
    scope.leases = scope.nodes = true;
    return scope;
}

// "list pods db", "patch endpoints db/acme-failover", "list pods *"
std::string text(const Right &right)
{
    return right.verb + ' ' + right.resource + ' ' + (right.ns.empty() ? "*" : right.ns) + (right.name.empty() ? "" : '/' + right.name);
}

std::string lossText(const RightsScope &scope, const Answers &answers)
{
    std::string all;
    for (const Loss &loss : losses(scope, answers))
        all += (all.empty() ? "" : "; ") + std::string(code(loss.effect)) + ": " + text(loss.missing);
    return all;
}

patroni::Cluster cluster(bool requestExists, const std::string &scope = "acme", patroni::Mode mode = patroni::Mode::Endpoints)
{
    patroni::Cluster c = patroni::healthyCluster();
    c.names.key = {"lab", "db", scope, {}, scope};
    c.names.failoverName = scope + "-failover";
    c.names.mode = mode;
    if (requestExists)
        c.objects["failover"] = {};
    return c;
}

// Each Role and ClusterRole of a text, as "Role db: get,list,watch endpoints,configmaps,pods | patch endpoints acme-failover".
std::string rulesOf(const std::string &yaml)
{
    std::string all;
    for (const YAML::Node &document : YAML::LoadAll(yaml)) {
        if (!document["rules"])
            continue;
        const YAML::Node ns = document["metadata"]["namespace"];
        all += (all.empty() ? "" : "\n") + document["kind"].as<std::string>() + (ns ? ' ' + ns.as<std::string>() : "") + ':';
        for (const YAML::Node &rule : document["rules"]) {
            const auto list = [&](const char *key) {
                std::string joined;
                for (const YAML::Node &item : rule[key])
                    joined += (joined.empty() ? "" : ",") + item.as<std::string>();
                return joined;
            };
            all += ' ' + list("verbs") + ' ' + list("resources") + (rule["resourceNames"] ? ' ' + list("resourceNames") : "") + " |";
        }
    }
    return all;
}

// The rules that are there to be taken up by hand, as if they had been.
std::string uncommented(const std::string &yaml)
{
    std::string all;
    for (QString line : QString::fromStdString(yaml).split(u'\n')) {
        for (const QString &rule : {QStringLiteral("  # - "), QStringLiteral("  #   ")}) {
            if (line.startsWith(rule))
                line.replace(2, 2, QString());
        }
        all += line.toStdString() + '\n';
    }
    return all;
}

bool isRead(const std::string &verb)
{
    return verb == "get" || verb == "list" || verb == "watch";
}

// "watch leases", "patch endpoints": what a Role grants, by kind of object; of a group other than the core's with its name.
std::set<std::string> grantsOf(const std::string &yaml, const std::string &role)
{
    std::set<std::string> all;
    for (const YAML::Node &document : YAML::LoadAll(yaml)) {
        if (!document["rules"] || document["metadata"]["name"].as<std::string>() != role)
            continue;
        for (const YAML::Node &rule : document["rules"]) {
            for (const YAML::Node &group : rule["apiGroups"])
                for (const YAML::Node &verb : rule["verbs"])
                    for (const YAML::Node &resource : rule["resources"])
                        if (resource.as<std::string>() != "configmaps" || isRead(verb.as<std::string>())) // written: as the clusters are
                            all.insert(verb.as<std::string>() + ' ' + resource.as<std::string>()
                                       + (group.as<std::string>().empty() ? "" : '.' + group.as<std::string>()));
        }
    }
    return all;
}

} // namespace

class TestPermissions : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void lossesByGrants_data()
    {
        QTest::addColumn<QString>("grants");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const QString &grants, const char *expected) {
            QTest::newRow(name) << grants << QByteArray(expected);
        };
        const QString write = QStringLiteral("; create endpoints db; patch endpoints db acme-failover,acme-config") + podRights;
        const QString rest = QStringLiteral("; patch endpoints db acme-config") + podRights;
        row("all of it", readAll + write, "");
        row("cluster-wide serves too",
            QStringLiteral("get,list,watch,patch,create endpoints,configmaps,pods *; get,create,patch,delete pods/proxy *; get pods/log *; "
                           "list,watch events *"),
            "");
        row("any name serves too", readAll + QStringLiteral("; create,patch endpoints db") + podRights, "");
        row("read only", readAll + rest, "no-first-request: create endpoints db; no-switchover: patch endpoints db/acme-failover");
        row("the other kind does not help", readAll + QStringLiteral("; create,patch configmaps db") + rest,
            "no-first-request: create endpoints db; no-switchover: patch endpoints db/acme-failover");
        row("another cluster's name", readAll + QStringLiteral("; create endpoints db; patch endpoints db ledger-failover") + rest,
            "no-switchover: patch endpoints db/acme-failover");
        row("no create", readAll + QStringLiteral("; patch endpoints db acme-failover") + rest, "no-first-request: create endpoints db");
        row("no watch", QStringLiteral("get,list endpoints,configmaps,pods db; watch endpoints,configmaps db") + write,
            "only-polled: watch pods db");
        row("no get", QStringLiteral("list,watch endpoints,configmaps,pods db; get configmaps,pods db") + write,
            "not-confirmed: get endpoints db");
        row("no list, get allowed", QStringLiteral("get endpoints,configmaps,pods db; list,watch configmaps,pods db") + write,
            "only-named: list endpoints db");
        row("neither list nor get", QStringLiteral("get,list,watch endpoints,configmaps db") + write, "nothing-seen: list pods db");
        row("nothing at all", QString(),
            "nothing-seen: list endpoints db; nothing-seen: list configmaps db; nothing-seen: list pods db; "
            "no-first-request: create endpoints db; no-switchover: patch endpoints db/acme-failover; "
            "no-config-change: patch endpoints db/acme-config; not-asked: get pods/proxy db; no-rest: create pods/proxy db; "
            "no-rest: patch pods/proxy db; no-rest: delete pods/proxy db; no-logs: get pods/log db; no-events: list events db; "
            "no-events: watch events db");
        row("no configuration", readAll + QStringLiteral("; create endpoints db; patch endpoints db acme-failover") + podRights,
            "no-config-change: patch endpoints db/acme-config");
        row("only asking", readAll + write.section(u';', 0, 2) + QStringLiteral("; get pods/proxy,pods/log db; list,watch events db"),
            "no-rest: create pods/proxy db; no-rest: patch pods/proxy db; no-rest: delete pods/proxy db");
        row("Pods are not their subresources",
            readAll + write.section(u';', 0, 2) + QStringLiteral("; get,create,patch,delete pods db; list,watch events db"),
            "not-asked: get pods/proxy db; no-rest: create pods/proxy db; no-rest: patch pods/proxy db; no-rest: delete pods/proxy db; "
            "no-logs: get pods/log db");
    }
    void lossesByGrants()
    {
        QFETCH(QString, grants);
        QTEST(QByteArray::fromStdString(lossText(scopeOf(), askAll(scopeOf(), grants))), "expected");
    }

    void elections_data()
    {
        QTest::addColumn<QString>("grants");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("all of it") << QStringLiteral("get,list,watch leases db; list,watch nodes *") << QByteArray();
        QTest::newRow("everywhere") << QStringLiteral("get,list,watch leases *; list,watch nodes *") << QByteArray();
        QTest::newRow("neither") << QString() << QByteArray("no-leases: list leases db; no-nodes: list nodes *");
        QTest::newRow("no watch") << QStringLiteral("get,list leases db; list nodes *")
                                  << QByteArray("no-leases: watch leases db; no-nodes: watch nodes *");
        QTest::newRow("no get") << QStringLiteral("list,watch leases db; list,watch nodes *") << QByteArray("no-leases: get leases db");
        QTest::newRow("watch is nothing without list")
            << QStringLiteral("watch,get leases db; watch nodes *") << QByteArray("no-leases: list leases db; no-nodes: list nodes *");
        QTest::newRow("a Role gives no Nodes") << QStringLiteral("get,list,watch leases db; list,watch nodes db")
                                               << QByteArray("no-nodes: list nodes *");
        QTest::newRow("another namespace's") << QStringLiteral("get,list,watch leases other; list,watch nodes *")
                                             << QByteArray("no-leases: list leases db");
    }
    void elections()
    {
        QFETCH(QString, grants);
        const QString rest = readAll + QStringLiteral("; create,patch endpoints db") + podRights + u';';
        const Answers answers = askAll(withElections(), rest + grants);
        QTEST(QByteArray::fromStdString(lossText(withElections(), answers)), "expected");
        for (const Loss &loss : losses(withElections(), answers))
            QVERIFY(isOptional(loss.effect));
        const auto asked = [&](const RightsScope &scope, const char *resource) {
            const auto wanted = wantedRights(scope, {});
            return std::count_if(wanted.begin(), wanted.end(), [&](const Right &r) { return r.resource == resource; });
        };
        RightsScope scope = withElections();
        QCOMPARE(asked(scope, "leases"), 3);
        QCOMPARE(asked(scope, "nodes"), 2);
        scope.leases = scope.nodes = false; // not watched, and no lock for life
        QCOMPARE(asked(scope, "leases") + asked(scope, "nodes"), 0);
    }

    void unknownTakesNothingAway()
    {
        QCOMPARE(lossText(scopeOf(), {}), std::string());
        Answers answers = askAll(scopeOf(), {});
        for (auto &[right, answer] : answers)
            answer = {Answer::Kind::Unknown, "no answer", noon};
        QCOMPARE(lossText(scopeOf(), answers), std::string());
        QVERIFY(!missingToWrite(answers, cluster(true), noon));
    }

    void allNamespacesAskWideFirst()
    {
        RightsScope scope = scopeOf({""});
        for (int i = 0; i < 1000; ++i)
            scope.targets.push_back({"ns" + std::to_string(i % 50), "c" + std::to_string(i) + "-failover", Resource::Endpoints});
        const Answers wide = askAll(scope,
                                    QStringLiteral("get,list,watch,patch,create endpoints,configmaps,pods *; "
                                                   "get,create,patch,delete pods/proxy *; get pods/log *; list,watch events *"));
        QCOMPARE(wide.size(), 19U);
        QCOMPARE(lossText(scope, wide), std::string());
        QVERIFY(!missingToWrite(wide, cluster(true), noon));
        // Denied: by namespace, then by name, and both only for the first clusters.
        const Answers narrow = askAll(scope, QStringLiteral("get,list,watch endpoints,configmaps,pods *"));
        QCOMPARE(narrow.size(), 19U + 8 * maxNamespaces + 2 * maxNames);
        const Right beyond{RightUse::ChangeRequest, "patch", "", "endpoints", "ns49", "c999-failover"};
        QCOMPARE(answerFor(narrow, beyond).kind, Answer::Kind::Unknown); // names may be granted one by one
        QCOMPARE(answerFor(narrow, {RightUse::ChangeRequest, "patch", "", "endpoints", "db", "acme-failover"}).kind, Answer::Kind::Denied);
    }

    void allNamespacesDenied()
    {
        const RightsScope scope = scopeOf({""});
        const Answers answers = askAll(scope, readAll);
        QVERIFY(answers.contains(Right{RightUse::List, "list", "", "pods", "db", ""}));
        QCOMPARE(answerFor(answers, {RightUse::List, "list", "", "pods", "db", ""}).kind, Answer::Kind::Allowed);
        QVERIFY(lossText(scope, answers).starts_with("nothing-seen: list endpoints *; nothing-seen: list configmaps *"));
    }

    void namedClusters()
    {
        RightsScope scope = scopeOf();
        scope.named = {{"db", "acme"}};
        QCOMPARE(askAll(scope, readAll).size(), askAll(scopeOf(), readAll).size()); // lists work: no names needed
        const Answers answers = askAll(scope, QStringLiteral("get endpoints db acme,acme-config,acme-failover"));
        QCOMPARE(answerFor(answers, {RightUse::GetNamed, "get", "", "endpoints", "db", "acme"}).kind, Answer::Kind::Allowed);
        QCOMPARE(answerFor(answers, {RightUse::GetNamed, "get", "", "configmaps", "db", "acme-leader"}).kind, Answer::Kind::Denied);
        QVERIFY(lossText(scope, answers).starts_with("only-named: list endpoints db; nothing-seen: list configmaps db"));
    }

    void apiServersOnlyWhenAsked()
    {
        RightsScope scope = scopeOf();
        const auto asks = [&] {
            const auto wanted = wantedRights(scope, {});
            return std::any_of(wanted.begin(), wanted.end(), [](const Right &r) { return r.ns == "default" && r.name == "kubernetes"; });
        };
        QVERIFY(!asks());
        scope.bypassApiService = true;
        QVERIFY(asks());
        QVERIFY(lossText(scope, askAll(scope, readAll)).ends_with("one-server: get endpoints default/kubernetes"));
    }

    // Only what this version uses: no Pod is written, nothing is deleted but through a member, no other API group touched.
    void asksForNothingElse()
    {
        RightsScope scope = withElections({"", "db"});
        scope.named = {{"db", "acme"}};
        scope.bypassApiService = true;
        for (const auto &[right, answer] : askAll(scope, {})) {
            QCOMPARE(right.group, std::string(right.resource == "leases" ? "coordination.k8s.io" : ""));
            QVERIFY((std::set<std::string>{"endpoints", "configmaps", "pods", "pods/proxy", "pods/log", "events", "leases", "nodes"})
                        .contains(right.resource));
            QVERIFY((std::set<std::string>{"get", "list", "watch", "patch", "create", "delete"}).contains(right.verb));
            QVERIFY(right.verb != "delete" || right.resource == "pods/proxy");
            QVERIFY(right.resource != "pods" || (right.verb != "patch" && right.verb != "create"));
            QVERIFY(right.verb != "patch" || right.name.empty() || right.name.ends_with("-failover") || right.name.ends_with("-config"));
        }
    }

    void writing_data()
    {
        QTest::addColumn<QString>("grants");
        QTest::addColumn<bool>("exists");
        QTest::addColumn<QByteArray>("missing");
        const auto row = [](const char *name, const char *grants, bool exists, const char *missing) {
            QTest::newRow(name) << QString::fromLatin1(grants) << exists << QByteArray(missing);
        };
        row("patch by name", "patch endpoints db acme-failover", true, "");
        row("patch by name does not create", "patch endpoints db acme-failover", false, "create endpoints db");
        row("create is enough for the first", "create endpoints db", false, "");
        row("create does not patch", "create endpoints db", true, "patch endpoints db/acme-failover");
        row("everywhere", "create,patch endpoints *", true, "");
        row("another kind", "create,patch configmaps db", true, "patch endpoints db/acme-failover");
        row("none", "", false, "create endpoints db");
    }
    void writing()
    {
        QFETCH(QString, grants);
        QFETCH(bool, exists);
        const Answers answers = askAll(scopeOf(), grants, noon);
        const auto missing = missingToWrite(answers, cluster(exists), noon + answerHolds);
        QTEST(QByteArray::fromStdString(missing ? text(*missing) : ""), "missing");
        QVERIFY(!missingToWrite(answers, cluster(exists), noon + answerHolds + 1s));  // too old to refuse by
        QVERIFY(!missingToWrite(answers, cluster(exists, "other"), noon) || !exists); // its name was never asked about
    }

    void acting_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("byRest");
        QTest::addColumn<QString>("grants");
        QTest::addColumn<QByteArray>("missing");
        const auto row = [](const char *name, ActionKind kind, bool byRest, const char *grants, const char *missing) {
            QTest::newRow(name) << static_cast<int>(kind) << byRest << QString::fromLatin1(grants) << QByteArray(missing);
        };
        using A = ActionKind;
        row("switchover by object", A::Switchover, false, "", "patch endpoints db/acme-failover");
        row("switchover by REST", A::Switchover, true, "patch endpoints db", "create pods/proxy db");
        row("failover by REST", A::Failover, true, "create pods/proxy db", "");
        row("cancel by REST", A::CancelRequest, true, "create,patch pods/proxy db", "delete pods/proxy db");
        row("a repair is never by REST", A::Repair, true, "patch endpoints db acme-failover", "");
        row("pause", A::Pause, false, "patch endpoints db acme-failover", "patch endpoints db/acme-config");
        row("pause, by name", A::Pause, false, "patch endpoints db acme-config", "");
        row("pause, another cluster's name", A::Pause, false, "patch endpoints db ledger-config", "patch endpoints db/acme-config");
        row("resume by REST", A::Resume, true, "patch endpoints db", "patch pods/proxy db");
        row("edit", A::EditConfig, false, "patch endpoints *", "");
        row("restart", A::Restart, false, "patch,create endpoints db", "create pods/proxy db");
        row("restart, everywhere", A::Restart, false, "create pods/proxy *", "");
        row("cancel restart", A::CancelRestart, false, "create pods/proxy db", "delete pods/proxy db");
        row("reload", A::Reload, false, "get pods/proxy db", "create pods/proxy db");
        row("reinitialize", A::Reinitialize, false, "create pods db", "create pods/proxy db");
        row("demote", A::DemoteCluster, false, "create pods/proxy db", "patch pods/proxy db");
        row("promote", A::PromoteCluster, false, "patch pods/proxy db", "");
    }
    void acting()
    {
        QFETCH(int, kind);
        QFETCH(bool, byRest);
        QFETCH(QString, grants);
        patroni::Cluster c = cluster(true);
        c.names.configName = "acme-config";
        const Answers answers = askAll(scopeOf(), grants, noon);
        const auto missing = missingToAct(answers, c, static_cast<ActionKind>(kind), byRest, noon + answerHolds);
        QTEST(QByteArray::fromStdString(missing ? text(*missing) : ""), "missing");
        QVERIFY(!missingToAct(answers, c, static_cast<ActionKind>(kind), byRest, noon + answerHolds + 1s)); // too old to refuse by
        QVERIFY(!missingToAct({}, c, static_cast<ActionKind>(kind), byRest, noon));                         // not known is not denied
    }

    void configMapsMode()
    {
        const auto c = cluster(true, "acme", patroni::Mode::ConfigMaps);
        RightsScope scope = scopeOf();
        scope.targets = {requestTarget(c)};
        QCOMPARE(text(missingToWrite(askAll(scope, {}, noon), c, noon).value_or(Right{})),
                 std::string("patch configmaps db/acme-failover"));
    }

    void roles_data()
    {
        QTest::addColumn<std::vector<std::string>>("namespaces");
        QTest::addColumn<RoleKind>("kind");
        QTest::addColumn<int>("targets");
        QTest::addColumn<QByteArray>("expected");
        using Names = std::vector<std::string>;
        QTest::newRow("viewing") << Names{"db"} << RoleKind::Viewing << 1
                                 << QByteArray("Role db: get,list,watch endpoints,configmaps,pods |");
        QTest::newRow("operating")
            << Names{"db"} << RoleKind::Operating << 1
            << QByteArray(
                   "Role db: get,list,watch endpoints,configmaps,pods | patch endpoints acme-config,acme-failover | create endpoints |"
                   " get,create,patch,delete pods/proxy | get pods/log | get,list,watch events | get,list,watch leases |");
        QTest::newRow("both kinds")
            << Names{"db"} << RoleKind::Operating << 3
            << QByteArray("Role db: get,list,watch endpoints,configmaps,pods | "
                          "patch endpoints acme-config,acme-failover,ledger-config,ledger-failover | "
                          "patch configmaps stock-config,stock-failover | create endpoints | create configmaps | "
                          "get,create,patch,delete pods/proxy | get pods/log | get,list,watch events | get,list,watch leases |");
        QTest::newRow("no cluster known") << Names{"db"} << RoleKind::Operating << 0
                                          << QByteArray("Role db: get,list,watch endpoints,configmaps,pods | "
                                                        "patch endpoints,configmaps SCOPE-config,SCOPE-failover | create "
                                                        "endpoints,configmaps | get,create,patch,delete pods/proxy | get pods/log | "
                                                        "get,list,watch events | get,list,watch leases |");
        QTest::newRow("two namespaces") << Names{"db", "1e3"} << RoleKind::Viewing << 1
                                        << QByteArray("Role 1e3: get,list,watch endpoints,configmaps,pods |\n"
                                                      "Role db: get,list,watch endpoints,configmaps,pods |");
        QTest::newRow("everywhere")
            << Names{"", "db"} << RoleKind::Operating << 1
            << QByteArray("ClusterRole: get,list,watch endpoints,configmaps,pods | patch endpoints acme-config,acme-failover | "
                          "create endpoints | get,create,patch,delete pods/proxy | get pods/log | get,list,watch events | get,list,watch "
                          "leases |");
    }
    void roles()
    {
        QFETCH(std::vector<std::string>, namespaces);
        QFETCH(RoleKind, kind);
        QFETCH(int, targets);
        RightsScope scope = scopeOf(namespaces);
        const std::vector<RequestTarget> known{{"db", "acme-failover", Resource::Endpoints},
                                               {"db", "ledger-failover", Resource::Endpoints},
                                               {"db", "stock-failover", Resource::ConfigMaps}};
        scope.targets.assign(known.begin(), known.begin() + targets);
        const std::string yaml = suggestedRole(scope, kind, {"dba"});
        QTEST(QByteArray::fromStdString(rulesOf(yaml)), "expected");
    }

    // What the suggestion grants is all that is needed: asked with it, nothing is lost.
    void theSuggestedRoleSuffices_data()
    {
        QTest::addColumn<std::vector<std::string>>("namespaces");
        QTest::newRow("one") << std::vector<std::string>{"db"};
        QTest::newRow("all") << std::vector<std::string>{""};
    }
    void theSuggestedRoleSuffices()
    {
        QFETCH(std::vector<std::string>, namespaces);
        RightsScope scope = withElections(namespaces);
        scope.bypassApiService = true;
        QStringList grants;
        for (const YAML::Node &role : YAML::LoadAll(suggestedRole(scope, RoleKind::Operating, {"dba"}))) {
            const YAML::Node ns = role["metadata"]["namespace"];
            for (const YAML::Node &rule : role["rules"]) {
                const auto list = [&](const char *key) {
                    QStringList items;
                    for (const YAML::Node &item : rule[key])
                        items << QString::fromStdString(item.as<std::string>());
                    return items.join(u',');
                };
                grants << list("verbs") + u' ' + list("resources") + u' '
                        + (ns ? QString::fromStdString(ns.as<std::string>()) : QStringLiteral("*")) + u' ' + list("resourceNames");
            }
        }
        QCOMPARE(QByteArray::fromStdString(lossText(scope, askAll(scope, grants.join(u';')))), QByteArray());
    }

    // Nodes are in no namespace: a ClusterRole of their own, and only where a lock depends on them.
    void nodesNeedAClusterRole()
    {
        RightsScope scope = withElections();
        for (const RoleKind kind : {RoleKind::Viewing, RoleKind::Operating})
            QVERIFY(rulesOf(suggestedRole(scope, kind, {"dba"})).ends_with("\nClusterRole: get,list,watch nodes |"));
        const std::string everywhere = rulesOf(suggestedRole(withElections({""}), RoleKind::Operating, {"dba"}));
        QVERIFY(everywhere.ends_with("get,list,watch leases | get,list,watch nodes |"));
        QCOMPARE(std::count(everywhere.begin(), everywhere.end(), '\n'), 0);
        scope.nodes = false;
        QVERIFY(suggestedRole(scope, RoleKind::Operating, {"dba"}).find("nodes") == std::string::npos);
    }

    // The README's Roles and the suggested ones grant the same, what is optional included.
    void theReadmeSuggestsTheSame()
    {
        QFile file(QStringLiteral(TEST_DATA_DIR "/../../README.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string readme = file.readAll().toStdString();
        const auto from = readme.find("apiVersion: rbac.authorization.k8s.io"), to = readme.find("```", from);
        QVERIFY(to != std::string::npos);
        const auto viewer = [](const std::string &yaml) { return grantsOf(yaml, "switchyard-viewer"); };
        const auto operate = [](const std::string &yaml) { return grantsOf(yaml, "switchyard-operator"); };
        const std::string own = readme.substr(from, to - from);
        const std::string looking = uncommented(suggestedRole(withElections(), RoleKind::Viewing, {"dba"}));
        QCOMPARE(viewer(own), viewer(looking));
        std::set<std::string> both = viewer(own);
        both.merge(operate(own)); // the suggested one is whole
        QCOMPARE(both, operate(suggestedRole(withElections(), RoleKind::Operating, {"dba"})));
        QVERIFY(readme.find("`get`, `list` and `watch` on `nodes`") != std::string::npos);
        // In the ClusterRole for all namespaces as well.
        QVERIFY(viewer(uncommented(suggestedRole(withElections({""}), RoleKind::Viewing, {"dba"}))).contains("watch nodes"));
    }

    // pods/proxy can be given by Pod name: asked about only where the namespace is denied, and told once where all are.
    void callsOfSingleMembers()
    {
        RightsScope scope = scopeOf();
        scope.pods = {{"db", "acme-0"}, {"db", "acme-1"}, {"other", "else-0"}};
        const QString logs = readAll + QStringLiteral("; get pods/log db; list,watch events db; create,patch endpoints db");
        const auto asksByName = [](const Answers &answers) {
            return std::count_if(answers.begin(), answers.end(),
                                 [](const auto &a) { return a.first.resource == "pods/proxy" && !a.first.name.empty(); });
        };
        const Answers all = askAll(scope, logs + QStringLiteral("; get,create,patch,delete pods/proxy db"), noon);
        QCOMPARE(asksByName(all), 0);
        const Answers one = askAll(scope, logs + QStringLiteral("; get,create pods/proxy db acme-1"), noon);
        QCOMPARE(asksByName(one), 8); // two members, four verbs
        QVERIFY(!missingToAct(one, cluster(true), ActionKind::Restart, true, noon));
        QVERIFY(missingToAct(one, cluster(true), ActionKind::CancelRestart, true, noon)); // delete
        const Right ask{RightUse::AskMembers, "get", {}, "pods/proxy", "db", {}};
        QCOMPARE(answerForMembers(one, ask, cluster(true)).kind, Answer::Kind::Allowed);
        QCOMPARE(lossText(scope, one), std::string("no-rest: patch pods/proxy db; no-rest: delete pods/proxy db"));
        const Answers none = askAll(scope, logs, noon);
        QVERIFY(missingToAct(none, cluster(true), ActionKind::Restart, true, noon));
        QCOMPARE(answerForMembers(none, ask, cluster(true)).kind, Answer::Kind::Denied);
        QCOMPARE(lossText(scope, none),
                 std::string("not-asked: get pods/proxy db; no-rest: create pods/proxy db; no-rest: patch pods/proxy db; no-rest: delete "
                             "pods/proxy db"));
    }

    void subjects_data()
    {
        QTest::addColumn<QByteArray>("user");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("unknown") << QByteArray() << QByteArray("User USER ");
        QTest::newRow("user") << QByteArray("dba@example.org") << QByteArray("User dba@example.org ");
        QTest::newRow("looks like a number") << QByteArray("1e3") << QByteArray("User 1e3 ");
        QTest::newRow("quotes and colons") << QByteArray("oidc:\"a\\b\": #x\n") << QByteArray("User oidc:\"a\\b\": #x\n ");
        QTest::newRow("not ASCII") << QByteArray("J\xc3\xb6rg") << QByteArray("User J\xc3\xb6rg ");
        QTest::newRow("service account") << QByteArray("system:serviceaccount:tools:switchyard")
                                         << QByteArray("ServiceAccount switchyard tools");
        QTest::newRow("almost one") << QByteArray("system:serviceaccount:tools") << QByteArray("User system:serviceaccount:tools ");
    }
    void subjects()
    {
        QFETCH(QByteArray, user);
        const auto documents = YAML::LoadAll(suggestedRole(scopeOf(), RoleKind::Viewing, {user.toStdString()}));
        QCOMPARE(documents.size(), 2U);
        QCOMPARE(documents[1]["kind"].as<std::string>(), std::string("RoleBinding"));
        QCOMPARE(documents[1]["roleRef"]["name"].as<std::string>(), documents[0]["metadata"]["name"].as<std::string>());
        const YAML::Node subject = documents[1]["subjects"][0];
        const std::string ns = subject["namespace"] ? subject["namespace"].as<std::string>() : "";
        QTEST(QByteArray::fromStdString(subject["kind"].as<std::string>() + ' ' + subject["name"].as<std::string>() + ' ' + ns),
              "expected");
    }

    void everyCode()
    {
        std::string all;
        for (int i = 0; i <= static_cast<int>(RightUse::ReadNodes); ++i)
            all += std::string(code(static_cast<RightUse>(i))) + ' ';
        for (int i = 0; i <= static_cast<int>(Effect::NoNodes); ++i)
            all += std::string(code(static_cast<Effect>(i))) + ' ';
        for (int i = 0; i <= static_cast<int>(Answer::Kind::Denied); ++i)
            all += std::string(code(static_cast<Answer::Kind>(i))) + ' ';
        QCOMPARE(all,
                 std::string(
                     "list watch get get-named change-request first-request find-servers change-config ask-members call-members read-logs "
                     "read-events read-leases read-nodes "
                     "nothing-seen only-named only-polled "
                     "not-confirmed no-switchover no-first-request one-server no-config-change not-asked no-rest no-logs no-events "
                     "no-leases no-nodes unknown "
                     "allowed "
                     "denied "));
    }
};

QTEST_APPLESS_MAIN(TestPermissions)
#include "tst_permissions.moc"
