// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/boxed.h"

#include <QTest>

#include <array>
#include <string>

using switchyard::Boxed;
using Text = Boxed<std::string>;

class TestBoxed : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void copiesShareNothing()
    {
        Text a = std::string("one");
        Text b = a;
        *b = "two";
        QCOMPARE(*a, std::string("one"));
        a = b;
        b->clear();
        QCOMPARE(*a, std::string("two"));
        const Text none;
        a = none;
        QVERIFY(!a && b->empty());
        a = *&a;
        b = *&b;
        QVERIFY(!a && b);
    }
    void equalByWhatTheyHold()
    {
        QVERIFY(Text() == Text(std::nullopt));
        QVERIFY(Text(std::string("a")) == Text(std::optional<std::string>("a")));
        QVERIFY(Text(std::string("a")) != Text(std::string("b")));
        QVERIFY(Text(std::string()) != Text());
        QCOMPARE(Text().value_or("else"), std::string("else"));
    }
    void takesAPointersRoom() { QCOMPARE(sizeof(Boxed<std::array<char, 500>>), sizeof(void *)); }
};

QTEST_APPLESS_MAIN(TestBoxed)

#include "tst_boxed.moc"
