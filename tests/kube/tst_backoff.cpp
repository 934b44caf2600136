// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/backoff.h"

#include <QTest>

using namespace switchyard;
using std::chrono::milliseconds;
using std::chrono::seconds;

class TestBackoff : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void range_data();
    void range();
    void alwaysWithinLimits();
    void afterError_data();
    void afterError();
};

void TestBackoff::range_data()
{
    QTest::addColumn<int>("failures");
    QTest::addColumn<int>("low");
    QTest::addColumn<int>("high");
    QTest::newRow("none yet") << 0 << 1000 << 2000;
    QTest::newRow("first") << 1 << 1000 << 2000;
    QTest::newRow("second") << 2 << 2000 << 4000;
    QTest::newRow("third") << 3 << 4000 << 8000;
    QTest::newRow("fifth") << 5 << 15000 << 30000;
    QTest::newRow("very many") << 1000000 << 15000 << 30000;
}

void TestBackoff::range()
{
    QFETCH(int, failures);
    QFETCH(int, low);
    QFETCH(int, high);
    QCOMPARE(kube::backoff(failures, seconds(1), seconds(30), 0.0), milliseconds(low));
    QCOMPARE(kube::backoff(failures, seconds(1), seconds(30), 1.0), milliseconds(high));
    QCOMPARE(kube::backoff(failures, seconds(1), seconds(30), 0.5), milliseconds((low + high) / 2));
}

void TestBackoff::alwaysWithinLimits()
{
    for (int failures = -3; failures < 60; ++failures) {
        for (const double unit : {-1.0, 0.0, 0.3, 0.999, 7.0}) {
            const milliseconds wait = kube::backoff(failures, seconds(1), seconds(30), unit);
            QVERIFY(wait >= seconds(1) && wait <= seconds(30));
        }
    }
}

void TestBackoff::afterError_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("retryAfter");
    QTest::addColumn<int>("expected");
    const auto row = [](const char *name, ErrorKind kind, int retryAfter, int expected) {
        QTest::newRow(name) << static_cast<int>(kind) << retryAfter << expected;
    };
    row("server", ErrorKind::Server, -1, 1000);
    row("throttled without a time", ErrorKind::Throttled, -1, 1000);
    row("throttled, told 0", ErrorKind::Throttled, 0, 1000);
    row("throttled, told 7", ErrorKind::Throttled, 7, 7000);
    row("server, told 4", ErrorKind::Server, 4, 4000);
    row("told a day", ErrorKind::Throttled, 86400, 300000);
    row("unauthorized", ErrorKind::Unauthorized, -1, 30000);
    row("forbidden", ErrorKind::Forbidden, -1, 30000);
    row("not found", ErrorKind::NotFound, -1, 30000);
}

void TestBackoff::afterError()
{
    QFETCH(int, kind);
    QFETCH(int, retryAfter);
    QFETCH(int, expected);
    Error error{.kind = static_cast<ErrorKind>(kind)};
    if (retryAfter >= 0)
        error.retryAfterSeconds = retryAfter;
    QCOMPARE(kube::waitAfter(error, 1, seconds(1), seconds(30), 0.0), milliseconds(expected));
}

QTEST_APPLESS_MAIN(TestBackoff)
#include "tst_backoff.moc"
