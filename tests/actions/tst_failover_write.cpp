// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/actions/planning.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;
using patroni::Cluster;
using rules::ActionWish;
using rules::switchoverWish;

namespace {

using Plan = std::function<Result<PlannedWrite>()>;

Result<PlannedWrite> plan(const Cluster &cluster, const ActionWish &wish)
{
    return planSwitchover(cluster, wish);
}

template<class Change>
Cluster changed(Change change)
{
    Cluster c = made::plannable();
    change(c);
    return c;
}

const Instant later = made::instant("2031-02-03T01:30:00.987654+00:00");

} // namespace

Q_DECLARE_METATYPE(Plan)

class TestFailoverWrite : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bytes_data()
    {
        QTest::addColumn<Plan>("planned");
        QTest::addColumn<bool>("patch");
        QTest::addColumn<QByteArray>("body");
        const QByteArray labels = R"("labels":{"application":"patroni","cluster-name":"acme"})";

        QTest::newRow("create, now, to one")
            << Plan([] { return plan(made::plannable(), switchoverWish("acme-1", "acme-2")); }) << false
            << QByteArray(R"({"apiVersion":"v1","kind":"Endpoints","metadata":{"annotations":{"leader":"acme-1","member":"acme-2"},)"
                          + labels + R"(,"name":"acme-failover","namespace":"payments"}})");
        QTest::newRow("create, Patroni decides")
            << Plan([] { return plan(made::plannable(), switchoverWish("acme-1")); }) << false
            << QByteArray(R"({"apiVersion":"v1","kind":"Endpoints","metadata":{"annotations":{"leader":"acme-1"},)" + labels
                          + R"(,"name":"acme-failover","namespace":"payments"}})");
        QTest::newRow("create in ConfigMap mode with other label keys")
            << Plan([] { return plan(made::configMaps(), switchoverWish("acme-1", "acme-2")); }) << false
            << QByteArray(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{"leader":"acme-1","member":"acme-2"},)"
                          R"("labels":{"app":"pg","db.example.org/scope":"acme"},"name":"acme-failover","namespace":"payments"}})");
        QTest::newRow("patch, scheduled")
            << Plan([] { return plan(changed([](Cluster &c) { made::addFailover(c, {}); }), switchoverWish("acme-1", "acme-2", later)); })
            << true
            << QByteArray(R"({"metadata":{"annotations":{"leader":"acme-1","member":"acme-2","scheduled_at":"2031-02-03T01:30:00+00:00"},)"
                          + labels + R"(,"resourceVersion":"90388"}})");
        QTest::newRow("patch, leftovers are removed")
            << Plan([] {
                   return plan(changed([](Cluster &c) {
                                   made::addFailover(
                                       c, {{"member", "acme-0"}, {"scheduled_at", "2031-02-03T01:30:00+00:00"}, {"foreign", "stays"}});
                               }),
                               switchoverWish("acme-1"));
               })
            << true
            << QByteArray(R"({"metadata":{"annotations":{"leader":"acme-1","member":null,"scheduled_at":null},)" + labels
                          + R"(,"resourceVersion":"90388"}})");
        QTest::newRow("patch of a Citus group")
            << Plan([] {
                   Cluster c = made::citus();
                   made::addFailover(c, {});
                   return plan(c, switchoverWish("acme-1", "acme-0"));
               })
            << true
            << QByteArray(R"({"metadata":{"annotations":{"leader":"acme-1","member":"acme-0","scheduled_at":null},)"
                          R"("labels":{"application":"patroni","citus-group":"2","cluster-name":"acme"},"resourceVersion":"90388"}})");
        QTest::newRow("cancel") << Plan([] {
            return planCancel(changed([](Cluster &c) { made::addFailover(c, {{"leader", "acme-1"}, {"member", "acme-2"}}); }));
        }) << true
                                << QByteArray(R"({"metadata":{"annotations":{"leader":null,"member":null,"scheduled_at":null},)" + labels
                                              + R"(,"resourceVersion":"90388"}})");
        QTest::newRow("cancel of an unparsable schedule alone, without a leader")
            << Plan([] {
                   return planCancel(changed([](Cluster &c) {
                       made::addFailover(c, {{"scheduled_at", "tomorrow"}});
                       c.leaderName.reset();
                       c.objects.erase("leader");
                   }));
               })
            << true
            << QByteArray(R"({"metadata":{"annotations":{"leader":null,"member":null,"scheduled_at":null},)" + labels
                          + R"(,"resourceVersion":"90388"}})");
        QTest::newRow("cancel without config object sends no wrong labels")
            << Plan([] {
                   return planCancel(changed([](Cluster &c) {
                       made::addFailover(c, {{"leader", "acme-1"}});
                       c.commonMemberLabels.clear();
                   }));
               })
            << true
            << QByteArray(R"({"metadata":{"annotations":{"leader":null,"member":null,"scheduled_at":null},"resourceVersion":"90388"}})");
    }

    void bytes()
    {
        QFETCH(Plan, planned);
        QFETCH(bool, patch);
        QFETCH(QByteArray, body);
        const auto write = planned();
        QVERIFY2(write.has_value(), write ? "" : describe(write.error()).c_str());
        QCOMPARE(write->write.body, body);
        QCOMPARE(write->write.verb == kube::WriteVerb::Patch, patch);
        QCOMPARE(write->basedOnVersion, patch ? std::optional<std::string>("90388") : std::nullopt);
        QCOMPARE(write->write.path.ns, QStringLiteral("payments"));
        QVERIFY(write->write.path.name == QStringLiteral("acme-failover") || write->write.path.name == QStringLiteral("acme-2-failover"));
    }

    void refusals_data()
    {
        QTest::addColumn<Plan>("planned");
        const ActionWish toSync = switchoverWish("acme-1", "acme-2");
        const auto row = [](const char *name, auto change, ActionWish wish) {
            QTest::newRow(name) << Plan([change, wish] { return planSwitchover(changed(change), wish); });
        };
        const auto cancelRow = [](const char *name, auto change) {
            QTest::newRow(name) << Plan([change] { return planCancel(changed(change)); });
        };
        row(
            "stale", [](Cluster &c) { c.view.freshness = patroni::Freshness::Stale; }, toSync);
        row(
            "forbidden", [](Cluster &c) { c.view.freshness = patroni::Freshness::Forbidden; }, toSync);
        row(
            "connecting", [](Cluster &c) { c.view.freshness = patroni::Freshness::Connecting; }, toSync);
        row(
            "both kinds, lock unverified",
            [](Cluster &c) {
                c.names.otherModePresent = true;
                c.lock.state = patroni::LockState::Unverified;
            },
            toSync);
        row(
            "no config object", [](Cluster &c) { c.objects.erase("config"); }, toSync);
        row(
            "no leader object", [](Cluster &c) { c.objects.erase("leader"); }, toSync);
        row(
            "scope label not on every Pod", [](Cluster &c) { c.commonMemberLabels.erase("cluster-name"); }, toSync);
        row(
            "scope label with another value", [](Cluster &c) { c.objects["config"].labels["cluster-name"] = "other"; }, toSync);
        row(
            "unknown scope label", [](Cluster &c) { c.names.scopeLabel.clear(); }, toSync);
        row(
            "no leader named", [](Cluster &) {}, switchoverWish("", "acme-2"));
        row(
            "nobody leads", [](Cluster &c) { c.leaderName.reset(); }, toSync);
        row(
            "another leads", [](Cluster &) {}, switchoverWish("acme-0", "acme-2"));
        row(
            "to itself", [](Cluster &) {}, switchoverWish("acme-1", "acme-1"));
        row(
            "to a stranger", [](Cluster &) {}, switchoverWish("acme-1", "acme-9"));
        row(
            "scheduled while paused", [](Cluster &c) { c.config->config.paused = true; }, switchoverWish("acme-1", "acme-2", later));
        row(
            "paused without candidate", [](Cluster &c) { c.config->config.paused = true; }, switchoverWish("acme-1"));
        row(
            "failover object without version", [](Cluster &c) { made::addFailover(c, {}, ""); }, toSync);
        row(
            "year 10000", [](Cluster &) {},
            switchoverWish("acme-1", "acme-2", Instant(std::chrono::sys_days{std::chrono::year{10000} / 1 / 1})));
        row(
            "names that do not fit", [](Cluster &c) { c.names.failoverName = "acme"; }, toSync);
        row(
            "another cluster's lock has that name", [](Cluster &c) { c.foreignLocks["failover"] = ""; }, toSync);
        row(
            "another cluster's lock",
            [](Cluster &c) {
                made::addFailover(c, {{"leader", "acme-failover-0"}, {"ttl", "30"}});
            },
            toSync);
        cancelRow("cancel, another cluster's lock", [](Cluster &c) {
            made::addFailover(c, {{"leader", "acme-failover-0"}, {"renewTime", "2031-02-01T13:02:07+00:00"}});
        });
        cancelRow("cancel, no object", [](Cluster &) {});
        cancelRow("cancel, empty", [](Cluster &c) { made::addFailover(c, {{"foreign", "x"}, {"leader", ""}}); });
        cancelRow("cancel, stale", [](Cluster &c) {
            made::addFailover(c, {{"leader", "acme-1"}});
            c.view.freshness = patroni::Freshness::Stale;
        });
    }

    void refusals()
    {
        QFETCH(Plan, planned);
        const auto write = planned();
        QVERIFY(!write.has_value());
        QVERIFY(write.error().kind == ErrorKind::Refused);
        QVERIFY(!write.error().message.empty());
    }

    void modeProvenByRenewals()
    {
        const auto write = plan(changed([](Cluster &c) { c.names.otherModePresent = true; }), switchoverWish("acme-1", "acme-2"));
        QVERIFY(write.has_value());
    }

    void summary()
    {
        const auto write = plan(changed([](Cluster &c) { made::addFailover(c, {}); }), switchoverWish("acme-1", "acme-2", later));
        QVERIFY(write.has_value());
        QCOMPARE(write->summary,
                 std::string("switchover context=prod-eu cluster=payments/acme leader=acme-1 member=acme-2 "
                             "scheduled_at=2031-02-03T01:30:00+00:00 based_on=90388"));
    }

    void strictSchedule_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("strict");
        const auto row = [](const char *text, bool strict) { QTest::newRow(text) << QString::fromLatin1(text) << strict; };
        row("2031-02-03T01:30:00+00:00", true);
        row("2032-02-29T23:59:59+00:00", true);
        row("2031-02-29T23:59:59+00:00", false);
        row("2031-02-03T01:30:00Z", false);
        row("2031-02-03T01:30:00+01:00", false);
        row("2031-02-03 01:30:00+00:00", false);
        row("2031-02-03T01:30:00.5+00:00", false);
        row("2031-02-03T24:00:00+00:00", false);
        row("2031-13-03T01:30:00+00:00", false);
        row("2031-02-03T01:30:60+00:00", false);
        row("10000-01-01T00:00:00+00:00", false);
        row("2031-02-03T01:30+00:00", false);
        row("2031-02-03T01:30:00+00:00\n", false);
        row(" 2031-02-03T01:30:00+00:00", false);
        row("tomorrow", false);
        row("", false);
    }

    void strictSchedule()
    {
        QFETCH(QString, text);
        QFETCH(bool, strict);
        QCOMPARE(isStrictSchedule(text.toStdString()), strict);
    }

    // Bytes that were changed after planning do not leave.
    void inspection_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        const auto row = [](const char *name, const char *from, const char *to) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to);
        };
        row("loose schedule", "2031-02-03T01:30:00+00:00", "2031-02-03T01:30");
        row("empty schedule", "2031-02-03T01:30:00+00:00", "");
        row("key left out", R"("member":"acme-2",)", "");
        row("other candidate", "acme-2", "acme-0");
        row("no version", R"(,"resourceVersion":"90388")", "");
        row("other version", "90388", "90389");
        row("foreign annotation", R"("leader":)", R"("history":"[]","leader":)");
        row("more than metadata", R"({"metadata")", R"({"subsets":[],"metadata")");
        row("not JSON", "}}", "}");
    }

    void inspection()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        auto write = plan(changed([](Cluster &c) { made::addFailover(c, {}); }), switchoverWish("acme-1", "acme-2", later));
        QVERIFY(write.has_value());
        QVERIFY(!inspectWrite(*write));
        QVERIFY(write->write.body.contains(from));
        write->write.body.replace(from, to);
        QVERIFY(inspectWrite(*write));
    }

    void onlyTheFailoverObject()
    {
        const auto good = plan(changed([](Cluster &c) { made::addFailover(c, {}); }), switchoverWish("acme-1", "acme-2"));
        QVERIFY(good.has_value());
        for (const char *name : {"acme", "acme-leader", "acme-sync", "acme-config", "other-failover", ""}) {
            auto write = *good;
            write.write.path.name = QString::fromLatin1(name);
            QVERIFY2(inspectWrite(write), name);
        }
        for (const Resource resource : {Resource::Pods, Resource::Leases}) {
            auto write = *good;
            write.write.path.resource = resource;
            QVERIFY(inspectWrite(write));
        }
        auto elsewhere = *good;
        elsewhere.write.path.ns = QStringLiteral("other");
        QVERIFY(inspectWrite(elsewhere));
    }
};

QTEST_APPLESS_MAIN(TestFailoverWrite)
#include "tst_failover_write.moc"
