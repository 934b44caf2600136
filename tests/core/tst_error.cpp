// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/error.h"

#include <QTest>

using namespace switchyard;

class TestError : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void describes_data()
    {
        QTest::addColumn<Error>("error");
        QTest::addColumn<QByteArray>("line");

        Error forbidden{ErrorKind::Forbidden};
        forbidden.verb = "patch";
        forbidden.resource = "endpoints";
        forbidden.ns = "db";
        forbidden.name = "acme-failover";
        forbidden.httpStatus = 403;
        forbidden.reason = "Forbidden";
        forbidden.message = "User \"viewer\" cannot patch";
        forbidden.advice = "ask for the right to patch endpoints";
        QTest::newRow("request")
            << forbidden
            << QByteArray(
                   "patch endpoints db/acme-failover: 403 Forbidden: User \"viewer\" cannot patch - ask for the right to patch endpoints");

        Error noAnswer{ErrorKind::Unreachable};
        noAnswer.verb = "list";
        noAnswer.resource = "pods";
        noAnswer.ns = "db";
        noAnswer.message = "connection refused";
        QTest::newRow("no answer") << noAnswer << QByteArray("list pods db: unreachable: connection refused");

        Error file{ErrorKind::BadInput};
        file.where = "config:12:3";
        file.field = "users[0].token";
        file.message = "not a text";
        QTest::newRow("file") << file << QByteArray("config:12:3: users[0].token: not a text");

        Error bare{ErrorKind::OutcomeUnknown};
        QTest::newRow("kind only") << bare << QByteArray("outcome unknown");

        Error lines{ErrorKind::Server};
        lines.httpStatus = 500;
        lines.message = "first\nsecond\r\tthird";
        QTest::newRow("one line") << lines << QByteArray("500 server error: first second  third");
    }
    void describes()
    {
        QFETCH(Error, error);
        QFETCH(QByteArray, line);
        QCOMPARE(QByteArray::fromStdString(describe(error)), line);
    }
};

QTEST_APPLESS_MAIN(TestError)
#include "tst_error.moc"
