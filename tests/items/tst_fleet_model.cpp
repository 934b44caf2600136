// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/fleet_model.h"
#include "tests/support/made_clusters.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>

#include <algorithm>
#include <set>

using namespace switchyard;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::FleetModel;

namespace {

patroni::Cluster named(patroni::Cluster c, const std::string &ns, const std::string &scope)
{
    c.names.key.ns = ns;
    c.names.key.scope = c.names.key.base = scope;
    return c;
}

std::vector<const patroni::Cluster *> pointers(const std::vector<patroni::Cluster> &clusters)
{
    std::vector<const patroni::Cluster *> list;
    for (const auto &c : clusters)
        list.push_back(&c);
    return list;
}

// Everything a view can see, but for the marks of change.
QStringList dump(const FleetModel &model)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row)
        for (int column = 0; column < model.columnCount(); ++column) {
            QStringList cell;
            for (const int role :
                 {int(items::RawRole), int(items::SortRole), int(items::CodeRole), int(items::FilterRole), int(items::StaleRole)}) {
                const QVariant value = model.index(row, column).data(role);
                cell << (value.isValid() ? value.toString() : u"?"_s);
            }
            lines << cell.join(u'|');
        }
    return lines;
}

} // namespace

class TestFleetModel : public QObject
{
    Q_OBJECT

    static QVariant raw(const FleetModel &model, int row, int column) { return model.index(row, column).data(items::RawRole); }
    static QString codeOf(const FleetModel &model, int row, int column)
    {
        return model.index(row, column).data(items::CodeRole).toString();
    }

private Q_SLOTS:
    void severalChangeInASortedTable_data()
    {
        QTest::addColumn<int>("changes");
        QTest::newRow("a few") << 8;
        QTest::newRow("many") << 40;
    }
    void severalChangeInASortedTable()
    {
        QFETCH(int, changes);
        std::vector<patroni::Cluster> clusters;
        for (int i = 0; i < 50; ++i)
            clusters.push_back(named(made::healthy(), "db", "c" + std::to_string(100 + i)));
        FleetModel model;
        model.update(pointers(clusters), made::now());
        QSortFilterProxyModel proxy;
        proxy.setSourceModel(&model);
        proxy.setSortRole(items::SortRole);
        proxy.sort(FleetModel::Timeline);
        unsigned random = 7;
        for (int round = 0; round < 50; ++round) {
            std::vector<const patroni::Cluster *> changed;
            for (int i = 0; i < changes; ++i) {
                random = random * 1103515245U + 12345U;
                patroni::Cluster &c = clusters[(static_cast<std::size_t>(i) * 7 + static_cast<std::size_t>(round)) % clusters.size()];
                c.timeline = static_cast<std::int64_t>((random >> 16U) % 100U);
                changed.push_back(&c);
            }
            model.updateSome(changed, {}, made::now());
            for (int row = 1; row < proxy.rowCount(); ++row)
                QVERIFY(proxy.index(row - 1, FleetModel::Timeline).data(items::SortRole).toLongLong()
                        <= proxy.index(row, FleetModel::Timeline).data(items::SortRole).toLongLong());
        }
    }
    // Of a thousand rows: what looks on measures, sorts and paints all that it is told of.
    void aBurstTellsOfItsOwnRows()
    {
        std::vector<patroni::Cluster> clusters;
        for (int i = 0; i < 1000; ++i)
            clusters.push_back(named(made::healthy(), "db", "c" + std::to_string(1000 + i)));
        FleetModel model;
        model.update(pointers(clusters), made::now());
        std::set<int> told;
        QObject::connect(&model, &QAbstractItemModel::dataChanged, &model, [&](const QModelIndex &first, const QModelIndex &last) {
            for (int row = first.row(); row <= last.row(); ++row)
                told.insert(row);
        });
        std::vector<const patroni::Cluster *> changed;
        std::set<int> wanted;
        for (int row = 0; row < 1000; row += 20) {
            patroni::Cluster &c = clusters[static_cast<std::size_t>(row)];
            c.timeline = 77;
            changed.push_back(&c);
            wanted.insert(row);
        }
        model.updateSome(changed, {}, made::now());
        QVERIFY(told == wanted);
    }
    void cells_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("column");
        QTest::addColumn<QVariant>("value");
        QTest::addColumn<QString>("code");
        const QVariant none;
        enum { Healthy, Stale, Expired, Paused, Troubled, Blank, Released, Late, Scheduled };
        const auto seconds = [](qint64 s) { return QVariant(qint64(s * 1'000'000)); };
        QTest::newRow("leader") << int(Healthy) << int(FleetModel::Leader) << QVariant(u"acme-1"_s) << u"known"_s;
        QTest::newRow("in office") << int(Healthy) << int(FleetModel::InOffice) << seconds(11520) << QString();
        QTest::newRow("held") << int(Healthy) << int(FleetModel::Lock) << seconds(26) << u"held"_s;
        QTest::newRow("lag") << int(Healthy) << int(FleetModel::WorstLag) << QVariant(qulonglong(0)) << QString();
        QTest::newRow("not paused") << int(Healthy) << int(FleetModel::Paused) << QVariant(false) << u"no"_s;
        QTest::newRow("members") << int(Healthy) << int(FleetModel::Members) << QVariant(qint64(3)) << u"all"_s;
        QTest::newRow("no request") << int(Healthy) << int(FleetModel::Request) << none << u"none"_s;
        QTest::newRow("stale: leader unknown") << int(Stale) << int(FleetModel::Leader) << none << u"unknown"_s;
        QTest::newRow("stale: no time to expiry") << int(Stale) << int(FleetModel::Lock) << none << u"stale"_s;
        QTest::newRow("expired: nobody") << int(Expired) << int(FleetModel::Leader) << none << u"none"_s;
        QTest::newRow("expired: since") << int(Expired) << int(FleetModel::Lock) << seconds(-42) << u"expired"_s;
        QTest::newRow("expired: in office") << int(Expired) << int(FleetModel::InOffice) << none << QString();
        QTest::newRow("member down") << int(Expired) << int(FleetModel::Members) << QVariant(qint64(2)) << u"some"_s;
        QTest::newRow("paused") << int(Paused) << int(FleetModel::Paused) << QVariant(true) << u"yes"_s;
        QTest::newRow("blank: timeline") << int(Blank) << int(FleetModel::Timeline) << none << QString();
        QTest::newRow("blank: paused") << int(Blank) << int(FleetModel::Paused) << none << u"unknown"_s;
        QTest::newRow("blank: sync") << int(Blank) << int(FleetModel::Sync) << none << u"unknown"_s;
        QTest::newRow("blank: lag") << int(Blank) << int(FleetModel::WorstLag) << none << QString();
        QTest::newRow("released") << int(Released) << int(FleetModel::Lock) << none << u"released"_s;
        QTest::newRow("late") << int(Late) << int(FleetModel::Lock) << seconds(26) << u"late"_s;
        QTest::newRow("scheduled") << int(Scheduled) << int(FleetModel::Request) << QVariant(u"pending"_s) << u"pending"_s;
    }
    void cells()
    {
        QFETCH(int, which);
        QFETCH(int, column);
        auto late = made::healthy();
        late.lock.late = true;
        const std::vector<patroni::Cluster> all{made::healthy(),
                                                made::stale(),
                                                made::expired(),
                                                made::paused(),
                                                made::troubled(),
                                                made::blank(),
                                                made::inFlight(patroni::RequestStep::Leaderless),
                                                late,
                                                made::scheduled()};
        FleetModel model;
        model.update({&all[static_cast<std::size_t>(which)]}, made::now());
        QTEST(raw(model, 0, column), "value");
        QTEST(codeOf(model, 0, column), "code");
    }

    // The lock clock runs in the model without any new cluster.
    void ticks()
    {
        FleetModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto healthy = made::healthy();
        model.update({&healthy}, made::now());
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.tick(made::now(10s));
        QCOMPARE(raw(model, 0, FleetModel::Lock).toLongLong(), 16'000'000);
        QCOMPARE(raw(model, 0, FleetModel::InOffice).toLongLong(), 11'530'000'000);
        QVERIFY(changed.count() > 0);
        for (const auto &call : changed) { // no sorting proxy is set going once a second
            QVERIFY(!call.at(2).value<QList<int>>().isEmpty());
            QVERIFY(!call.at(2).value<QList<int>>().contains(int(items::SortRole)));
        }
    }

    void marksOnlyWhatChanged()
    {
        FleetModel model;
        auto cluster = made::healthy();
        model.update({&cluster}, made::now());
        QVERIFY(!model.index(0, FleetModel::Health).data(items::ChangedAtRole).isValid()); // first sight is no change
        cluster.lock.expiresAt = made::now(35s).boot;                                      // a mere renewal
        model.updateSome({&cluster}, {}, made::now(9s));
        QVERIFY(!model.index(0, FleetModel::Lock).data(items::ChangedAtRole).isValid());
        cluster.timeline = 9;
        model.updateSome({&cluster}, {}, made::now(12s));
        QCOMPARE(model.index(0, FleetModel::Timeline).data(items::ChangedAtRole).toLongLong(),
                 made::now(12s).boot.time_since_epoch().count());
        QVERIFY(!model.index(0, FleetModel::Leader).data(items::ChangedAtRole).isValid());
    }

    void unchangedIsSilent()
    {
        FleetModel model;
        const auto cluster = made::healthy();
        model.update({&cluster}, made::now());
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.update({&cluster}, made::now(1s));
        QCOMPARE(changed.count(), 0);
    }

    // A script of updates, followed by a sorting proxy; at each step the model equals one built from nothing, and is never reset.
    void mergesLikeRebuilt()
    {
        FleetModel model;
        QSortFilterProxyModel proxy;
        proxy.setSourceModel(&model);
        proxy.setSortRole(items::SortRole);
        proxy.sort(FleetModel::Health);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QAbstractItemModelTester proxyTester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        const std::vector<std::vector<patroni::Cluster>> script{
            {},
            {named(made::healthy(), "b", "one"), named(made::paused(), "a", "two"), named(made::healthy(), "c", "three")},
            {named(made::expired(), "b", "one"), named(made::paused(), "a", "two"), named(made::healthy(), "c", "three")},
            {named(made::troubled(), "b", "four"), named(made::healthy(), "c", "three")},
            {named(made::healthy(), "z", "last"), named(made::blank(), "a", "first"), named(made::stale(), "c", "three"),
             named(made::healthy(), "b", "four")},
            {named(made::healthy(), "m", "middle")},
            {},
            {named(made::longNames(), "a", "x"), named(made::scheduled(), "a", "y")},
        };
        Duration later{};
        for (const auto &step : script) {
            model.update(pointers(step), made::now(later));
            auto shuffled = step;
            std::reverse(shuffled.begin(), shuffled.end());
            FleetModel rebuilt;
            rebuilt.update(pointers(shuffled), made::now(later));
            QCOMPARE(dump(model), dump(rebuilt));
            later += 3s;
        }
        QCOMPARE(reset.count(), 0);
    }

    void updatesSome()
    {
        FleetModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const std::vector<patroni::Cluster> all{named(made::healthy(), "a", "1"), named(made::healthy(), "b", "2"),
                                                named(made::healthy(), "c", "3")};
        model.update(pointers(all), made::now());
        const auto broken = named(made::expired(), "b", "2"), fresh = named(made::healthy(), "bb", "4");
        model.updateSome({&fresh, &broken}, {all[0].names.key, {"no", "such", "cluster", {}, ""}}, made::now(1s));
        const std::vector<patroni::Cluster> expected{broken, fresh, all[2]};
        FleetModel rebuilt;
        rebuilt.update(pointers(expected), made::now(1s));
        QCOMPARE(dump(model), dump(rebuilt));
        QCOMPARE(model.clusterAt(0)->names, broken.names);
        QCOMPARE(model.clusterAt(0)->health, broken.health);
        QCOMPARE(model.clusterAt(3), nullptr);
    }

    void worstSortsFirst()
    {
        FleetModel model;
        const std::vector<patroni::Cluster> all{named(made::healthy(), "a", "1"), named(made::troubled(), "b", "2"),
                                                named(made::stale(), "c", "3"), named(made::expired(), "d", "4")};
        model.update(pointers(all), made::now());
        QSortFilterProxyModel proxy;
        proxy.setSourceModel(&model);
        proxy.setSortRole(items::SortRole);
        proxy.sort(FleetModel::Health);
        QStringList order;
        for (int row = 0; row < proxy.rowCount(); ++row)
            order << proxy.index(row, FleetModel::Health).data(items::CodeRole).toString();
        QCOMPARE(order, QStringList({u"unhealthy"_s, u"unknown"_s, u"degraded"_s, u"healthy"_s}));
    }

    void filterTextHasWhatOneTypes()
    {
        FleetModel model;
        const auto c = made::paused();
        model.update({&c}, made::now());
        const QString text = model.index(0, 0).data(items::FilterRole).toString();
        for (const auto &word : {u"prod-eu"_s, u"payments/acme"_s, u"acme-2"_s, u"degraded"_s, u"paused"_s, u"held"_s})
            QVERIFY2(text.contains(word), qPrintable(word));
        QCOMPARE(text, text.toLower());
    }
};

QTEST_GUILESS_MAIN(TestFleetModel)
#include "tst_fleet_model.moc"
