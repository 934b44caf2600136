// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/events_model.h"
#include "models/items/fleet_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace switchyard;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::EventsModel;

namespace {

Event sample(int number)
{
    Event e;
    e.id = std::to_string(number);
    e.type = static_cast<EventCode>(number % eventCodeCount);
    e.cluster = {"prod-eu", "payments", "acme", {}, "acme"};
    e.at = Boot{std::chrono::seconds(number)};
    e.wall = Instant{std::chrono::seconds(1'900'000'000 + number)};
    e.object = "acme-" + std::to_string(number);
    e.detail = {{"from", "acme-0"}, {"to", "acme-1"}};
    return e;
}

std::vector<Event> events(int first, int last)
{
    std::vector<Event> list;
    for (int i = first; i <= last; ++i)
        list.push_back(sample(i));
    return list;
}

std::string ids(const EventsModel &model, int count)
{
    std::string all;
    for (int row = 0; row < std::min(count, model.rowCount()); ++row)
        all += model.eventAt(row)->id + " ";
    return all;
}

} // namespace

class TestEventsModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theOlderComeLast()
    {
        EventsModel model(6);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.append(events(5, 6));
        std::vector<Event> older = events(1, 5); // 5 was seen by this run and is in the archive already
        std::reverse(older.begin(), older.end());
        model.appendOlder(older);
        QCOMPARE(ids(model, 9), std::string("6 5 4 3 2 1 "));
        QCOMPARE(model.older(), 4);
        model.appendOlder(events(0, 0)); // no room
        QCOMPARE(model.rowCount(), 6);
        model.append(events(7, 8)); // the oldest make room
        QCOMPARE(model.rowCount(), 2 + 6 - 2);
        QCOMPARE(model.older(), 2);
        model.clear();
        QCOMPARE(model.older(), 0);
    }
    void newestFirst()
    {
        EventsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        model.append(events(1, 3));
        model.append({});
        model.append(events(4, 5));
        QCOMPARE(ids(model, 9), "5 4 3 2 1 ");
        QCOMPARE(inserted.count(), 2); // one block an append
        QCOMPARE(model.eventAt(5), nullptr);
        QCOMPARE(model.eventAt(-1), nullptr);
    }

    void boundedAndTrimmedInBlocks()
    {
        EventsModel model(100);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved), reset(&model, &QAbstractItemModel::modelReset);
        for (int i = 1; i <= 500; ++i) {
            model.append(events(i, i));
            QVERIFY(model.rowCount() <= 100);
            QCOMPARE(model.eventAt(0)->id, std::to_string(i));
            QVERIFY(i < 100 || model.rowCount() > 90); // no more is thrown away than needed for a while
        }
        QVERIFY(removed.count() > 0);
        QVERIFY2(removed.count() < 100, "the end is trimmed with every append");
        QCOMPARE(reset.count(), 0);
    }

    void oneBlockLargerThanTheLimit()
    {
        EventsModel model(10);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.append(events(1, 5));
        model.append(events(6, 60));
        QCOMPARE(model.rowCount(), 10);
        QCOMPARE(ids(model, 3), "60 59 58 ");
        QCOMPARE(model.eventAt(9)->id, "51");
    }

    void cells()
    {
        EventsModel model;
        model.append(std::vector{sample(0)});
        const auto raw = [&model](int column) { return model.index(0, column).data(items::RawRole); };
        QCOMPARE(raw(EventsModel::At).toLongLong(), 1'900'000'000'000'000);
        QCOMPARE(raw(EventsModel::Type).toString(), u"leader-changed"_s);
        QCOMPARE(model.index(0, EventsModel::Type).data(items::CodeRole).toString(), u"leader-changed"_s);
        QCOMPARE(raw(EventsModel::Object).toString(), u"acme-0"_s);
        QCOMPARE(raw(EventsModel::Detail).toString(), QString::fromStdString(detailText(sample(0))));
        QCOMPARE(model.index(0, 0).data(items::KeyRole).value<patroni::ClusterKey>(), sample(0).cluster);
        const QString filter = model.index(0, 0).data(items::FilterRole).toString();
        for (const auto &word : {u"leader-changed"_s, u"payments"_s, u"prod-eu"_s, u"acme-1"_s})
            QVERIFY2(filter.contains(word), qPrintable(word));
    }

    void connectionEventsHaveNoCluster()
    {
        Event e = sample(16);
        e.cluster = {"prod-eu", "", "", {}, ""};
        e.object.clear();
        EventsModel model;
        model.append(std::vector{e});
        QVERIFY(!model.index(0, EventsModel::Scope).data(items::RawRole).isValid());
        QVERIFY(!model.index(0, EventsModel::Object).data(items::RawRole).isValid());
        QCOMPARE(model.index(0, EventsModel::Context).data(items::RawRole).toString(), u"prod-eu"_s);
    }
};

QTEST_GUILESS_MAIN(TestEventsModel)
#include "tst_events_model.moc"
