// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/member_fact.h"

#include <QtTest>

using namespace switchyard;

namespace {

MemberFact fact(const std::string &version, const std::string &state, bool first = false)
{
    MemberFact f;
    f.name = "a";
    f.moment.version = version;
    f.moment.first = first;
    f.state = state;
    return f;
}

} // namespace

class MemberFactTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void asOf();
    void beforeTheFirst();
    void trimmed();
    void streams_data();
    void streams();
};

void MemberFactTest::asOf()
{
    MemberHistory history;
    history.add(fact("8", "eight", true));
    history.add(fact("10", "ten"));
    history.add(fact("100", "hundred"));
    bool known = false;
    QCOMPARE(history.at("8", known)->state, std::optional<std::string>("eight"));
    QCOMPARE(history.at("9", known)->state, std::optional<std::string>("eight"));
    QCOMPARE(history.at("99", known)->state, std::optional<std::string>("ten"));
    QCOMPARE(history.at("5000", known)->state, std::optional<std::string>("hundred"));
    QVERIFY(known);
}

void MemberFactTest::beforeTheFirst()
{
    bool known = true;
    MemberHistory listed;
    listed.add(fact("8", "eight", true));
    QVERIFY(!listed.at("7", known));
    QVERIFY(!known); // it was listed: what it said before, nobody saw
    MemberHistory born;
    born.add(fact("8", "eight"));
    QVERIFY(!born.at("7", known));
    QVERIFY(known); // it came into being at 8
}

void MemberFactTest::trimmed()
{
    MemberHistory history;
    for (int i = 1; i <= 1000; ++i)
        history.add(fact(std::to_string(i), "x"));
    QVERIFY(history.facts().size() <= 64);
    bool known = true;
    QVERIFY(!history.at("5", known));
    QVERIFY(!known);
}

void MemberFactTest::streams_data()
{
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<QByteArray>("replication");
    QTest::addColumn<QByteArray>("release");
    QTest::addColumn<bool>("expected");
    QTest::newRow("says so") << QByteArray("running") << QByteArray("streaming") << QByteArray("4.0.7") << true;
    QTest::newRow("archive") << QByteArray("running") << QByteArray("in archive recovery") << QByteArray("4.0.7") << false;
    QTest::newRow("says nothing") << QByteArray("running") << QByteArray() << QByteArray("3.0.4") << false;
    QTest::newRow("cannot say") << QByteArray("running") << QByteArray() << QByteArray("3.0.3") << true;
    QTest::newRow("stopped") << QByteArray("stopped") << QByteArray() << QByteArray("3.0.2") << false;
}

void MemberFactTest::streams()
{
    QFETCH(QByteArray, state);
    QFETCH(QByteArray, replication);
    QFETCH(QByteArray, release);
    QFETCH(bool, expected);
    MemberFact f = fact("1", state.toStdString());
    f.reported = true;
    f.release = release.toStdString();
    if (!replication.isEmpty())
        f.replication = replication.toStdString();
    QCOMPARE(f.streams(), expected);
    f.podRuns = false;
    QVERIFY(!f.streams());
}

QTEST_APPLESS_MAIN(MemberFactTest)
#include "tst_member_fact.moc"
