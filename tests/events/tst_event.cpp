// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/event_id.h"

#include <QtTest>

#include <set>

using namespace switchyard;

class EventTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void codes();
    void ids();
    void details_data();
    void details();
};

void EventTest::codes()
{
    std::set<std::string_view> all;
    for (int i = 0; i < eventCodeCount; ++i)
        all.insert(code(static_cast<EventCode>(i)));
    QCOMPARE(all.size(), std::size_t(eventCodeCount));
    QVERIFY(!all.contains("unknown"));
    QCOMPARE(code(EventCode::ConnectionRestored), std::string_view("connection-restored"));
}

void EventTest::ids()
{
    const std::string id = eventId("uid", "7", EventCode::LeaderChanged);
    QCOMPARE(id, eventId("uid", "7", EventCode::LeaderChanged));
    QCOMPARE(id.size(), std::size_t(16));
    // 64-bit FNV-1a of the three texts, each ended by a zero byte: archives keep these ids, so they must not change.
    QCOMPARE(hashParts({}), std::string("cbf29ce484222325"));
    QCOMPARE(hashParts({"a"}), std::string("089be207b544f1e4"));
    QVERIFY(id != eventId("uid", "8", EventCode::LeaderChanged));
    QVERIFY(id != eventId("uid", "7", EventCode::LockAcquired));
    QVERIFY(id != eventId("uid", "7", EventCode::LeaderChanged, "field"));
    QVERIFY(eventId("ab", "c", EventCode::LeaderChanged) != eventId("a", "bc", EventCode::LeaderChanged));
}

void EventTest::details_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *value, const char *text) { QTest::newRow(value) << QByteArray(value) << QByteArray(text); };
    row("acme-1", "from=acme-0 to=acme-1");
    row("", R"(from=acme-0 to="")");
    row("two words", R"(from=acme-0 to="two words")");
    row("a\"b\\c", R"(from=acme-0 to="a\"b\\c")");
    row("a=b", R"(from=acme-0 to="a=b")");
    row("a\nb", R"(from=acme-0 to="a b")");
}

void EventTest::details()
{
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, text);
    Event event;
    event.detail = {{"to", value.toStdString()}, {"from", "acme-0"}};
    QCOMPARE(QByteArray::fromStdString(detailText(event)), text);
}

QTEST_APPLESS_MAIN(EventTest)
#include "tst_event.moc"
