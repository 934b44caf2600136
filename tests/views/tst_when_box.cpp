// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_clusters.h"
#include "tests/support/view_shots.h"
#include "views/dialogs/when_box.h"

#include <QComboBox>
#include <QCompleter>
#include <QDateTimeEdit>
#include <QLineEdit>
#include <QRadioButton>
#include <QSignalSpy>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;

// The time of an action, chosen by hand in any zone.
class TestWhenBox : public QObject
{
    Q_OBJECT

    static QDateTime at(const QString &iso) { return QDateTime::fromString(iso + u'Z', Qt::ISODate); }
    static QComboBox *zones(WhenBox &box) { return box.findChildren<QComboBox *>().at(0); }
    static QComboBox *which(WhenBox &box) { return box.findChildren<QComboBox *>().at(1); }
    static void type(WhenBox &box, const QString &time, const QString &zone)
    {
        auto *radio = box.findChildren<QRadioButton *>().at(1);
        QTest::mouseClick(radio, Qt::LeftButton, {}, QPoint(8, radio->height() / 2));
        QVERIFY(box.scheduled());
        zones(box)->lineEdit()->selectAll();
        QTest::keyClicks(zones(box)->lineEdit(), zone);
        box.findChild<QDateTimeEdit *>()->setDateTime(at(time));
    }

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, Theme::Light); }

    void everyZoneIsThere()
    {
        const auto zones = namedZones();
        QVERIFY(zones[0].name.startsWith(u"local time ("_s));
        QCOMPARE(zones[1].name, u"UTC"_s);
        QVERIFY(zones.size() > 400);
        for (const char *name : {"America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"})
            QVERIFY2(std::any_of(zones.begin(), zones.end(), [&](const NamedZone &zone) { return zone.id == name; }), name);
        for (const NamedZone &zone : zones)
            QVERIFY2(QTimeZone(zone.id).isValid(), zone.id.constData());
    }

    void aZoneIsFoundByAnyPartOfItsName()
    {
        WhenBox box(made::now());
        box.show();
        QCompleter *found = zones(box)->completer();
        found->setCompletionPrefix(u"york"_s);
        QVERIFY(found->completionCount() >= 1);
        QCOMPARE(found->currentCompletion(), u"America/New_York"_s);
    }

    void anyZone_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("zone");
        QTest::addColumn<QString>("utc");
        QTest::newRow("New York, winter") << u"2031-02-02T01:30:00"_s << u"America/New_York"_s << u"2031-02-02T06:30:00Z"_s;
        QTest::newRow("New York, summer") << u"2031-07-02T01:30:00"_s << u"America/New_York"_s << u"2031-07-02T05:30:00Z"_s;
        QTest::newRow("any case") << u"2031-02-02T01:30:00"_s << u"asia/kolkata"_s << u"2031-02-01T20:00:00Z"_s;
        QTest::newRow("UTC") << u"2031-02-02T01:30:00"_s << u"UTC"_s << u"2031-02-02T01:30:00Z"_s;
        QTest::newRow("no such zone") << u"2031-02-02T01:30:00"_s << u"Europe/Atlantis"_s << QString();
        QTest::newRow("half a name") << u"2031-02-02T01:30:00"_s << u"Berl"_s << QString();
    }
    void anyZone()
    {
        QFETCH(QString, typed);
        QFETCH(QString, zone);
        QFETCH(QString, utc);
        WhenBox box(made::now());
        box.show();
        type(box, typed, zone);
        const ZonedTime meant = box.time();
        QCOMPARE(meant.instant.has_value(), !utc.isEmpty());
        if (utc.isEmpty()) {
            QVERIFY(made::shownWords(box).contains(u"There is no zone of that name"_s));
            QVERIFY(!explained(meant).isEmpty());
            return;
        }
        QCOMPARE(*meant.instant, parseInstant(utc.toStdString()).value());
        QString digits = utc.left(19);
        QVERIFY(made::shownWords(box).contains(digits.replace(u'T', u' ') + u" UTC"_s));
    }

    // Clocks are put back: 02:30 comes twice, an hour apart. Nothing is meant before somebody says which.
    void ofTwoTimesOneIsChosen()
    {
        WhenBox box(made::now());
        box.show();
        type(box, u"2031-10-26T02:30:00"_s, u"Europe/Berlin"_s);
        QVERIFY(!box.time().instant);
        QVERIFY(which(box)->isVisible());
        QCOMPARE(which(box)->count(), 3);
        QCOMPARE(which(box)->currentIndex(), 0);
        QVERIFY2(which(box)->itemText(1).contains(u"UTC+02:00"_s), qPrintable(which(box)->itemText(1)));
        QVERIFY(which(box)->itemText(2).contains(u"UTC+01:00"_s));
        QSignalSpy changed(&box, &WhenBox::changed);
        which(box)->setCurrentIndex(1);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(box.time().instant, std::optional(made::instant("2031-10-26T00:30:00Z")));
        which(box)->setCurrentIndex(2);
        QCOMPARE(box.time().instant, std::optional(made::instant("2031-10-26T01:30:00Z")));
        // Another twofold time: the choice was for the first one.
        box.findChild<QDateTimeEdit *>()->setDateTime(at(u"2031-10-26T02:45:00"_s));
        QVERIFY(!box.time().instant);
        box.findChild<QDateTimeEdit *>()->setDateTime(at(u"2031-10-26T03:30:00"_s));
        QVERIFY(!which(box)->isVisible());
        QCOMPARE(box.time().instant, std::optional(made::instant("2031-10-26T02:30:00Z")));
    }

    void aGapIsExplained_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("zone");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("an hour") << u"2031-03-30T02:30:00"_s << u"Europe/Berlin"_s << u"2031-03-30 02:00"_s << u"2031-03-30 03:00"_s;
        QTest::newRow("half an hour") << u"2030-10-06T02:15:00"_s << u"Australia/Lord_Howe"_s << u"2030-10-06 02:00"_s
                                      << u"2030-10-06 02:30"_s;
        QTest::newRow("a day") << u"2011-12-30T12:00:00"_s << u"Pacific/Apia"_s << u"2011-12-30 00:00"_s << u"2011-12-31 00:00"_s;
    }
    void aGapIsExplained()
    {
        QFETCH(QString, typed);
        QFETCH(QString, zone);
        QFETCH(QString, from);
        QFETCH(QString, to);
        WhenBox box(made::now());
        box.show();
        type(box, typed, zone);
        QVERIFY(!box.time().instant);
        QVERIFY2(made::shownWords(box).contains(u"put forward from %1 to %2"_s.arg(from, to)), qPrintable(made::shownWords(box)));
    }

    void anEarlierChoiceIsShownAgain()
    {
        WhenBox box(made::now());
        box.choose(made::instant("2031-02-02T01:30:00Z"));
        QVERIFY(box.scheduled());
        QCOMPARE(box.time().instant, std::optional(made::instant("2031-02-02T01:30:00Z")));
    }

    void everythingHasAName()
    {
        WhenBox box(made::now());
        box.show();
        QCOMPARE(made::namelessWidgets(box), QStringList{});
    }
};

QTEST_MAIN(TestWhenBox)
#include "tst_when_box.moc"
