// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/retry_plan.h"

#include <QTest>

using namespace switchyard::kube;
using std::chrono::milliseconds;

class TestRetryPlan : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void budgets_data();
    void budgets();
    void noTryUnderASecond();
    void readsAfterStatus_data();
    void readsAfterStatus();
    void readsWithoutAnswer_data();
    void readsWithoutAnswer();
    void writes_data();
    void writes();
};

void TestRetryPlan::budgets_data()
{
    QTest::addColumn<int>("limit");
    QTest::addColumn<int>("servers");
    QTest::addColumn<bool>("write");
    QTest::addColumn<int>("asked");
    QTest::addColumn<int>("triesPerServer");
    QTest::addColumn<int>("perTry");
    QTest::newRow("one server, two tries") << 15000 << 1 << false << 1 << 2 << 7500;
    QTest::newRow("one server, time for one try") << 1900 << 1 << false << 1 << 1 << 1900;
    QTest::newRow("less than a second") << 150 << 1 << false << 1 << 1 << 150;
    QTest::newRow("less than a second, three servers") << 150 << 3 << false << 1 << 1 << 150;
    QTest::newRow("two servers") << 15000 << 2 << false << 2 << 1 << 7500;
    QTest::newRow("three servers") << 15000 << 3 << false << 3 << 1 << 5000;
    QTest::newRow("too many servers") << 3000 << 7 << false << 3 << 1 << 1000;
    QTest::newRow("fewer servers, not a second try") << 5000 << 20 << false << 5 << 1 << 1000;
    QTest::newRow("nobody known") << 5000 << 0 << false << 1 << 2 << 2500;
    QTest::newRow("a write is not tried twice on one server") << 15000 << 1 << true << 1 << 1 << 15000;
    QTest::newRow("a write may go to the next server") << 15000 << 3 << true << 3 << 1 << 5000;
}

void TestRetryPlan::budgets()
{
    QFETCH(int, limit);
    QFETCH(int, servers);
    QFETCH(bool, write);
    const TryPlan plan = planTries(milliseconds(limit), servers, write);
    QTEST(plan.servers, "asked");
    QTEST(plan.triesPerServer, "triesPerServer");
    QTEST(int(plan.perTry.count()), "perTry");
}

void TestRetryPlan::noTryUnderASecond()
{
    for (int limit = 1000; limit <= 20000; limit += 90) {
        for (int servers = 1; servers <= 9; ++servers) {
            for (const bool write : {false, true}) {
                const TryPlan plan = planTries(milliseconds(limit), servers, write);
                QVERIFY(plan.perTry >= shortestTry);
                QVERIFY(plan.perTry * plan.tries() <= milliseconds(limit));
                QVERIFY(plan.tries() >= 1 && plan.servers <= servers);
            }
        }
    }
}

void TestRetryPlan::readsAfterStatus_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("retryAfter"); // negative: none
    QTest::addColumn<int>("waits");
    QTest::addColumn<int>("left");
    QTest::addColumn<int>("wait"); // negative: that is the answer
    for (const int status : {429, 500, 503, 504}) {
        QTest::addRow("%d", status) << status << -1 << 0 << 10000 << 100;
        QTest::addRow("%d with Retry-After", status) << status << 3 << 0 << 10000 << 3000;
    }
    QTest::newRow("longer each time") << 503 << -1 << 2 << 10000 << 400;
    QTest::newRow("not for ever") << 503 << -1 << 3 << 10000 << -1;
    QTest::newRow("Retry-After just fits") << 429 << 9 << 0 << 10000 << 9000;
    QTest::newRow("Retry-After does not fit") << 429 << 10 << 0 << 10000 << -1;
    QTest::newRow("no time") << 503 << -1 << 0 << 1050 << -1;
    QTest::newRow("Retry-After 0") << 429 << 0 << 0 << 10000 << 100;
    for (const int status : {200, 301, 400, 401, 403, 404, 409, 410, 422, 501, 502})
        QTest::addRow("%d", status) << status << -1 << 0 << 10000 << -1;
}

void TestRetryPlan::readsAfterStatus()
{
    QFETCH(int, status);
    QFETCH(int, retryAfter);
    QFETCH(int, waits);
    QFETCH(int, left);
    QFETCH(int, wait);
    Tried tried;
    tried.status = status;
    if (retryAfter >= 0)
        tried.retryAfter = retryAfter;
    const Step expected = wait < 0 ? Step{} : Step{Step::Kind::Wait, milliseconds(wait)};
    QVERIFY(afterTry(planTries(milliseconds(15000), 2, false), tried, {1, waits, milliseconds(left)}) == expected);
    tried.final = true; // "Expired" as a 500
    QVERIFY(afterTry(planTries(milliseconds(15000), 2, false), tried, {1, waits, milliseconds(left)}) == Step{});
}

void TestRetryPlan::readsWithoutAnswer_data()
{
    QTest::addColumn<int>("servers");
    QTest::addColumn<int>("tries");
    QTest::addColumn<int>("left");
    QTest::addColumn<bool>("refused");
    QTest::addColumn<bool>("again");
    QTest::newRow("one server, broken") << 1 << 1 << 10000 << false << true;
    QTest::newRow("one server, nothing listens") << 1 << 1 << 10000 << true << false;
    QTest::newRow("one server, twice broken") << 1 << 2 << 10000 << false << false;
    QTest::newRow("the next server") << 3 << 1 << 10000 << true << true;
    QTest::newRow("the last server") << 3 << 2 << 10000 << true << true;
    QTest::newRow("all servers") << 3 << 3 << 10000 << true << false;
    QTest::newRow("the last try of a plan, a little late") << 2 << 1 << 990 << false << true;
    QTest::newRow("no time") << 3 << 1 << 800 << true << false;
}

void TestRetryPlan::readsWithoutAnswer()
{
    QFETCH(int, servers);
    QFETCH(int, tries);
    QFETCH(int, left);
    QFETCH(bool, refused);
    QFETCH(bool, again);
    Tried tried;
    tried.refused = refused;
    const TryPlan plan = planTries(milliseconds(15000), servers, false);
    QCOMPARE(afterTry(plan, tried, {tries, 0, milliseconds(left)}).kind, again ? Step::Kind::Next : Step::Kind::Answer);
    tried.status = 200;
    tried.complete = false; // a body cut short
    QCOMPARE(afterTry(plan, tried, {tries, 0, milliseconds(left)}).kind, again ? Step::Kind::Next : Step::Kind::Answer);
}

void TestRetryPlan::writes_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("taken");
    QTest::addColumn<int>("tries");
    QTest::addColumn<bool>("next");
    QTest::newRow("no connection") << 0 << false << 1 << true;
    QTest::newRow("no connection to any") << 0 << false << 3 << false;
    QTest::newRow("a byte was taken") << 0 << true << 1 << false;
    for (const int status : {200, 401, 409, 429, 500, 503, 504}) {
        QTest::addRow("%d", status) << status << true << 1 << false;
        QTest::addRow("%d before it was taken", status) << status << false << 1 << false;
    }
}

void TestRetryPlan::writes()
{
    QFETCH(int, status);
    QFETCH(bool, taken);
    QFETCH(int, tries);
    QFETCH(bool, next);
    Tried tried;
    tried.write = true;
    tried.status = status;
    tried.taken = taken;
    tried.retryAfter = 1;
    const TryPlan plan = planTries(milliseconds(15000), 3, true);
    QCOMPARE(afterTry(plan, tried, {tries, 0, milliseconds(10000)}).kind, next ? Step::Kind::Next : Step::Kind::Answer);
}

QTEST_APPLESS_MAIN(TestRetryPlan)
#include "tst_retry_plan.moc"
