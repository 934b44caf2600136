// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The whole way of a switchover on simulated clusters: watch, plan, write, follow the outcome.
#include "app/actions/writer.h"
#include "app/clusters/monitor.h"
#include "app/simulator/simulator.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;
using namespace std::chrono_literals;

namespace {

simulator::Plan plan(bool endpoints)
{
    simulator::ClusterPlan cluster;
    cluster.scope = "acme";
    cluster.endpoints = endpoints;
    cluster.ttl = 20;
    cluster.loopWait = 2;
    cluster.retryTimeout = 3;
    if (!endpoints) {
        cluster.scopeLabel = "db.example.org/scope";
        cluster.labels = {{"app", "pg"}};
    }
    simulator::Plan all;
    all.clusters = {cluster};
    all.speed = 20;
    return all;
}

} // namespace

class TestSwitchover : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    std::unique_ptr<simulator::Simulator> m_server;
    std::unique_ptr<Monitor> m_monitor;
    Connection *m_connection = nullptr;

    const patroni::Cluster *cluster() const
    {
        const auto all = m_monitor->store().clusters();
        return all.empty() ? nullptr : all.front();
    }

    bool ready() const
    {
        return cluster() && cluster()->view.freshness == patroni::Freshness::Live && cluster()->lock.state == patroni::LockState::Held
            && cluster()->members.size() == 3;
    }

    void start(bool endpoints)
    {
        m_server = std::make_unique<simulator::Simulator>(plan(endpoints));
        QString error;
        QVERIFY2(m_server->start(&error), qPrintable(error));
        QFile file(m_dir.filePath(QStringLiteral("config")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(m_server->kubeconfig().toUtf8());
        file.close();
        const auto config = kube::loadKubeconfig(file.fileName());
        QVERIFY(config.has_value());
        m_monitor = std::make_unique<Monitor>(kube::systemClock());
        m_connection = m_monitor->open(config->contexts.front(), {});
        QTRY_VERIFY(ready());
    }

    WriteResult send(const PlannedWrite &planned)
    {
        ActionWriter writer(transportOf(m_connection->client()), AuditLog(m_dir.filePath(QStringLiteral("audit.ndjson"))),
                            kube::systemClock());
        writer.setReadOnly([] { return false; });
        writer.setFreshness([this](const PlannedWrite &p) { return checkStillCurrent(m_monitor->store().find(p.cluster), p); });
        std::optional<WriteResult> got;
        connect(&writer, &ActionWriter::finished, &writer, [&](const WriteResult &result) { got = result; });
        writer.send(planned);
        if (!QTest::qWaitFor([&] { return got.has_value(); }, 30000))
            QTest::qFail("no result", __FILE__, __LINE__);
        return got.value_or(WriteResult{});
    }

    std::string replica() const
    {
        for (const auto &member : cluster()->members) {
            if (member.record.name != cluster()->leaderName)
                return member.record.name;
        }
        return {};
    }

private Q_SLOTS:
    void cleanup()
    {
        m_monitor.reset();
        m_server.reset();
    }

    void toANamedMember_data()
    {
        QTest::addColumn<bool>("endpoints");
        QTest::newRow("Endpoints") << true;
        QTest::newRow("ConfigMaps") << false;
    }

    void toANamedMember()
    {
        QFETCH(bool, endpoints);
        start(endpoints);
        const std::string to = replica();
        const auto history = cluster()->config->history.entries.size();
        const auto planned = planSwitchover(*cluster(), rules::switchoverWish(*cluster()->leaderName, to));
        QVERIFY2(planned.has_value(), planned ? "" : describe(planned.error()).c_str());
        QCOMPARE(send(*planned).code, WriteCode::Done);
        QTRY_VERIFY(!cluster()->requests.empty() && cluster()->requests.back().outcome == patroni::Outcome::Done);
        QTRY_COMPARE(cluster()->leaderName, std::optional(to));
        QTRY_COMPARE(cluster()->config->history.entries.size(), history + 1);
    }

    void scheduledAndCancelled()
    {
        start(true);
        const auto planned = planSwitchover(*cluster(),
                                            rules::switchoverWish(*cluster()->leaderName, replica(), m_monitor->now().wall + 24h));
        QVERIFY(planned.has_value());
        QCOMPARE(send(*planned).code, WriteCode::Done);
        QTRY_VERIFY(cluster()->pendingRequest());
        // What was planned before is not based on what is there now.
        QCOMPARE(send(*planned).code, WriteCode::Refused);
        const auto cancel = planCancel(*cluster());
        QVERIFY(cancel.has_value());
        QCOMPARE(send(*cancel).code, WriteCode::Done);
        QTRY_VERIFY(!cluster()->pendingRequest());
        QCOMPARE(cluster()->requests.back().outcome, patroni::Outcome::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestSwitchover)
#include "tst_switchover.moc"
