// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/object.h"

#include <QTest>

using namespace switchyard;

Q_DECLARE_METATYPE(switchyard::ErrorKind)

class TestStatusDecode : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kinds_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<ErrorKind>("kind");
        const auto row = [](const char *name, const char *fields, ErrorKind kind) {
            QTest::newRow(name) << QByteArray("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\"") + fields + "}" << kind;
        };
        row("410 expired", ",\"reason\":\"Expired\",\"code\":410", ErrorKind::Gone);
        row("410 gone", ",\"reason\":\"Gone\",\"code\":410", ErrorKind::Gone);
        row("410 alone", ",\"code\":410", ErrorKind::Gone);
        row("410 as text", ",\"code\":\"410\"", ErrorKind::Gone);
        row("expired without code", ",\"reason\":\"Expired\"", ErrorKind::Gone);
        row("gone without code", ",\"reason\":\"Gone\"", ErrorKind::Gone);
        row("expired with code 0", ",\"reason\":\"Expired\",\"code\":0", ErrorKind::Gone);
        row("expired with 500", ",\"reason\":\"Expired\",\"code\":500", ErrorKind::Gone);
        row("gone with 500", ",\"reason\":\"Gone\",\"code\":500", ErrorKind::Gone);
        row("expired with 403", ",\"reason\":\"Expired\",\"code\":403", ErrorKind::Forbidden);
        row("401", ",\"reason\":\"Unauthorized\",\"code\":401", ErrorKind::Unauthorized);
        row("403", ",\"reason\":\"Forbidden\",\"code\":403", ErrorKind::Forbidden);
        row("404", ",\"reason\":\"NotFound\",\"code\":404", ErrorKind::NotFound);
        row("404 by reason", ",\"reason\":\"NotFound\"", ErrorKind::NotFound);
        row("409 conflict", ",\"reason\":\"Conflict\",\"code\":409", ErrorKind::Conflict);
        row("409 exists", ",\"reason\":\"AlreadyExists\",\"code\":409", ErrorKind::Conflict);
        row("exists without code", ",\"reason\":\"AlreadyExists\"", ErrorKind::Conflict);
        row("422", ",\"reason\":\"Invalid\",\"code\":422", ErrorKind::BadInput);
        row("429", ",\"reason\":\"TooManyRequests\",\"code\":429", ErrorKind::Throttled);
        row("500", ",\"reason\":\"InternalError\",\"code\":500", ErrorKind::Server);
        row("504 too large resource version",
            ",\"reason\":\"Timeout\",\"code\":504,\"message\":\"Too large resource version: 9, current: 1\"", ErrorKind::Server);
        row("nothing", "", ErrorKind::Server);
        row("wrong types", ",\"reason\":7,\"code\":{},\"message\":[],\"details\":\"x\"", ErrorKind::Server);
        row("huge code", ",\"code\":99999999999999999999", ErrorKind::Server);
    }
    void kinds()
    {
        QFETCH(QByteArray, json);
        QFETCH(ErrorKind, kind);
        const auto error = decodeStatus(json.toStdString());
        QVERIFY(error);
        QVERIFY(error->kind == kind);
        // The same as the object of an ERROR event.
        const auto event = decodeWatchEvent(Resource::Pods, "{\"type\":\"ERROR\",\"object\":" + json.toStdString() + "}");
        QVERIFY(event && event->type == EventType::Failed && event->error);
        QVERIFY(event->error->kind == kind);
    }

    void details()
    {
        const auto error = decodeStatus(R"({"kind":"Status","code":429,"message":"storage is (re)initializing","reason":"TooManyRequests",
            "details":{"name":"acme-failover","kind":"endpoints","retryAfterSeconds":7}})");
        QVERIFY(error);
        QCOMPARE(error->httpStatus, 429);
        QCOMPARE(error->reason, std::string("TooManyRequests"));
        QCOMPARE(error->message, std::string("storage is (re)initializing"));
        QCOMPARE(error->name, std::string("acme-failover"));
        QCOMPARE(error->resource, std::string("endpoints"));
        QVERIFY(error->retryAfterSeconds == 7);
    }

    void namesTheMissingRight()
    {
        // No raw text here: moc stumbles over it.
        const auto error = decodeStatus(
            "{\"kind\":\"Status\",\"code\":403,\"reason\":\"Forbidden\",\"details\":{\"kind\":\"endpoints\"},\"message\":"
            "\"endpoints is forbidden: User \\\"viewer\\\" cannot patch resource \\\"endpoints\\\" in API group\"}");
        QVERIFY(error);
        QCOMPARE(error->verb, std::string("patch"));
        QCOMPARE(error->resource, std::string("endpoints"));
    }

    void isNoStatus_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"", "404 page not found", "<html></html>", "[]", "null", "7", "{}", "{\"kind\":\"Pod\"}",
                                 "{\"kind\":null}", "{\"kind\":\"Status\""})
            QTest::newRow(text) << QByteArray(text);
    }
    void isNoStatus()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!decodeStatus(text.toStdString()));
    }
};

QTEST_APPLESS_MAIN(TestStatusDecode)
#include "tst_status_decode.moc"
