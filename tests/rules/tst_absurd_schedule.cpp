// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/schedule_time.h"
#include "models/rules/absurd_schedule.h"
#include "tests/rules/healthy_cluster.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::rules;
using namespace std::chrono_literals;

class TestAbsurdSchedule : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cases_data()
    {
        QTest::addColumn<QString>("time");
        QTest::addColumn<bool>("names");
        QTest::addColumn<QString>("expected");
        QTest::newRow("an hour ahead") << "2031-02-01T13:00:00+00:00" << true << "";
        QTest::newRow("a year ahead") << "2032-02-02T12:00:00+00:00" << true << "";
        QTest::newRow("more than a year ahead") << "2032-02-02T12:00:01+00:00" << true << "far-ahead";
        QTest::newRow("the last year there is") << "9999-12-31T23:59:59+00:00" << true << "far-ahead";
        QTest::newRow("an offset behind the last year") << "9999-12-31T23:59:59-12:00" << true << "far-ahead";
        QTest::newRow("a day past") << "2031-01-31T12:00:00+00:00" << true << "";
        QTest::newRow("more than a day past") << "2031-01-31T11:59:59+00:00" << true << "long-past";
        QTest::newRow("the first year there is") << "0001-01-02T00:00:00+00:00" << true << "long-past";
        QTest::newRow("names nobody") << "9999-12-31T23:59:59+00:00" << false << "";
        QTest::newRow("no offset: thrown away at once") << "9999-12-31T23:59:59" << true << "";
        QTest::newRow("cannot be read: an outage") << "tomorrow" << true << "";
        QTest::newRow("not scheduled") << "" << true << "";
    }

    void cases()
    {
        QFETCH(QString, time);
        QFETCH(bool, names);
        QFETCH(QString, expected);
        const Instant noon{std::chrono::sys_days{std::chrono::year{2031} / 2 / 1} + 12h};
        patroni::Cluster cluster = patroni::healthyCluster();
        cluster.failover.emplace();
        if (names)
            cluster.failover->member = "acme-0";
        if (!time.isEmpty()) {
            const auto read = patroni::readScheduleTime(time.toStdString());
            cluster.failover->scheduledAtRaw = time.toStdString();
            cluster.failover->schedule = read.kind;
            cluster.failover->scheduledAt = read.utc;
        }
        const auto absurd = absurdSchedule(cluster, noon);
        QCOMPARE(absurd ? QString::fromStdString(std::string(code(*absurd))) : QString(), expected);
        // It is another one just after the moment that is told, and not before.
        if (const auto change = absurdityChanges(cluster, noon)) {
            QVERIFY(absurdSchedule(cluster, noon + *change) != absurd);
            QVERIFY(absurdSchedule(cluster, noon + *change - Duration(1)) == absurd);
        } else {
            const bool counts = names && cluster.failover->schedule == patroni::FailoverRequest::Schedule::Valid;
            QCOMPARE(counts, absurd == AbsurdSchedule::LongPast);
        }
    }
};

QTEST_APPLESS_MAIN(TestAbsurdSchedule)
#include "tst_absurd_schedule.moc"
