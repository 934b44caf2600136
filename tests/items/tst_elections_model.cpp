// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/elections_model.h"
#include "tests/support/made_elections.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace switchyard;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using election::Election;
using election::State;
using items::ElectionsModel;
using Column = ElectionsModel::Column;

namespace {

std::vector<Election> thousand()
{
    std::vector<Election> all;
    for (int i = 0; i < 1000; ++i)
        all.push_back(made::lease("ns-" + std::to_string(i % 7), "lock-" + std::to_string(i), "holder-" + std::to_string(i)));
    return all;
}

Election renewed(Election e)
{
    e.renewedAt = made::now().wall;
    e.changedNotBefore = e.changedNotAfter = made::now().boot;
    e.expiresAt = made::now(15s).boot;
    return e;
}

QVariant cell(const ElectionsModel &model, const Election &e, Column column, int role = items::RawRole)
{
    return model.index(model.rowOf(e.key), column).data(role);
}

} // namespace

class TestElectionsModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mergesByKey()
    {
        ElectionsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset), inserted(&model, &QAbstractItemModel::rowsInserted),
            removed(&model, &QAbstractItemModel::rowsRemoved), changed(&model, &QAbstractItemModel::dataChanged);
        auto all = made::everyElection();
        model.update(made::pointersTo(all), made::now());
        QCOMPARE(model.rowCount(), int(all.size()));
        QCOMPARE(inserted.size(), 1);
        model.update(made::pointersTo(all), made::now());
        QCOMPARE(changed.size(), 0);
        all.front().state = State::Late;
        const Election gone = all.back();
        all.pop_back();
        all.push_back(made::lease("aaa", "first", "a"));
        model.update(made::pointersTo(all), made::now(1s));
        QCOMPARE(model.rowOf(gone.key), -1);
        QCOMPARE(model.rowOf(all.back().key), 0); // sorted by key
        QCOMPARE(removed.size(), 1);
        QCOMPARE(inserted.size(), 2);
        QCOMPARE(changed.size(), 1); // another verdict: the whole row
        QCOMPARE(changed.front().at(1).toModelIndex().column(), int(Column::ColumnCount) - 1);
        QCOMPARE(reset.size(), 0);
    }

    void aLeaseAndALeaderForLifeOfOneNameAreTwo()
    {
        ElectionsModel model;
        const Election life = made::forLife(State::Held, "lock", "a"), lease = made::lease("operators", "lock", "a");
        model.update({&life, &lease}, made::now());
        QCOMPARE(model.rowCount(), 2);
    }

    // A renewal is told of its own cells; nothing that sorts or filters elsewhere.
    void renewalsTouchTheirOwnCells()
    {
        ElectionsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const Election before = made::lease("ns", "lock", "a"), other = made::lease("ns", "other", "b");
        model.update({&before, &other}, made::now());
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        const Election after = renewed(before);
        model.updateSome({&after}, {}, made::now());
        QCOMPARE(changed.size(), 1);
        const auto first = changed.front().at(0).toModelIndex(), last = changed.front().at(1).toModelIndex();
        QCOMPARE(first.row(), model.rowOf(after.key));
        QCOMPARE(last.row(), first.row());
        QCOMPARE(first.column(), int(Column::Record));
        QCOMPARE(last.column(), int(Column::Renewed));
        QVERIFY(!cell(model, after, Column::Record, items::ChangedAtRole).isValid()); // no news
    }

    void aThousandRenewalsAreOneSignal()
    {
        ElectionsModel model;
        auto all = thousand();
        model.update(made::pointersTo(all), made::now());
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged), inserted(&model, &QAbstractItemModel::rowsInserted);
        for (Election &e : all)
            e = renewed(e);
        model.updateSome(made::pointersTo(all), {}, made::now());
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.front().at(0).toModelIndex().column(), int(Column::Record));
        QCOMPARE(changed.front().at(1).toModelIndex().column(), int(Column::Renewed));
        QCOMPARE(inserted.size(), 0);
    }

    // The table keeps no copies of what only the details show.
    void keepsLittle()
    {
        ElectionsModel model;
        const Election e = made::takenOver();
        model.update({&e}, made::now());
        const Election *kept = model.electionAt(0);
        QVERIFY(kept->renewals.empty() && kept->changes.empty() && kept->raw.empty() && kept->records.empty());
        QCOMPARE(model.takeoversAt(0), 1);
    }

    void unknownIsUnknown()
    {
        ElectionsModel model;
        Election e = made::lease("ns", "lock", "a");
        e.holder.reset();
        e.duration.reset();
        e.transitions.reset();
        e.renewedAt.reset();
        e.changedNotAfter.reset();
        e.expiresAt.reset();
        e.state = State::Unverified;
        e.watchedSince = e.firstSeen = made::now(-2s).boot;
        e.changes.clear();
        e.renewals.clear();
        model.update({&e}, made::now());
        for (const Column column :
             {Column::Holder, Column::Pod, Column::Record, Column::Renewed, Column::Lasts, Column::Transitions, Column::Rate})
            QVERIFY2(!cell(model, e, column).isValid(), qPrintable(QString::number(column)));
        QCOMPARE(cell(model, e, Column::State, items::CodeRole).toString(), u"unverified"_s);
    }

    // A silent connection: no age goes on counting as if it were known.
    void staleHasNoAge()
    {
        ElectionsModel model;
        Election e = made::lease("ns", "lock", "a");
        e.state = State::Stale;
        e.freshness = patroni::Freshness::Stale;
        model.update({&e}, made::now(50s));
        QVERIFY(!cell(model, e, Column::Record).isValid());
        QVERIFY(cell(model, e, Column::State, items::StaleRole).toBool());
        QVERIFY(cell(model, e, Column::State, items::AsOfRole).isValid());
    }

    void countsDownAndTicks()
    {
        ElectionsModel model;
        const Election e = made::lease("ns", "lock", "a");
        model.update({&e}, made::now());
        QCOMPARE(cell(model, e, Column::Record).toDouble(), 14.0);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.tick(made::now(3s));
        QCOMPARE(cell(model, e, Column::Record).toDouble(), 11.0);
        QCOMPARE(changed.size(), 1);
        QVERIFY(!changed.front().at(2).value<QList<int>>().contains(int(items::SortRole)));
    }

    void rateNeedsTenMinutes()
    {
        ElectionsModel model;
        Election e = made::takenOver(); // looked at for 40 minutes, one new leader
        model.update({&e}, made::now());
        QCOMPARE(cell(model, e, Column::Rate).toDouble(), 1.5);
        e.firstSeen = made::now(-1s).boot; // the record that stands now: the election is known for longer
        model.updateSome({&e}, {}, made::now());
        QCOMPARE(cell(model, e, Column::Rate).toDouble(), 1.5);
        e.key.name = "young";
        for (auto &change : e.changes)
            change.at = made::now(-9min).boot;
        e.watchedSince = made::now(-9min).boot;
        model.updateSome({&e}, {}, made::now());
        QVERIFY(!cell(model, e, Column::Rate).isValid());
    }

    void troubledOnesFirst()
    {
        ElectionsModel model;
        auto all = made::everyElection();
        model.update(made::pointersTo(all), made::now());
        int worstQuiet = INT_MAX, bestTroubled = -1;
        for (const Election &e : all) {
            const int rank = cell(model, e, Column::State, items::SortRole).toInt();
            const bool wantsTheEye = troubled(e.state) || e.disagrees;
            (wantsTheEye ? bestTroubled : worstQuiet) = wantsTheEye ? std::max(bestTroubled, rank) : std::min(worstQuiet, rank);
        }
        QVERIFY(bestTroubled >= 0 && bestTroubled < worstQuiet);
    }

    // A proxy that sorts finds its place for each row among rows that it knows.
    void staysSortedWhenSeveralChange_data()
    {
        QTest::addColumn<int>("rows");
        QTest::newRow("few") << 12;
        QTest::newRow("many") << 200;
    }

    void staysSortedWhenSeveralChange()
    {
        QFETCH(int, rows);
        ElectionsModel model;
        QSortFilterProxyModel proxy;
        proxy.setSourceModel(&model);
        proxy.setSortRole(items::SortRole);
        proxy.sort(Column::State);
        constexpr State states[] = {State::Unverified, State::Held, State::Released, State::Stuck, State::Late};
        std::vector<Election> all;
        for (int i = 0; i < rows; ++i) {
            all.push_back(made::lease("ns", "lock-" + std::to_string(i), "a"));
            all.back().state = states[i % 5];
        }
        model.update(made::pointersTo(all), made::now());
        for (int i = 0; i < rows; ++i)
            all[std::size_t(i)].state = states[(i * 7 + 3) % 5];
        model.updateSome(made::pointersTo(all), {}, made::now());
        for (int row = 1; row < rows; ++row)
            QVERIFY(proxy.index(row - 1, 0).data(items::SortRole).toInt() <= proxy.index(row, 0).data(items::SortRole).toInt());
    }
};

QTEST_GUILESS_MAIN(TestElectionsModel)
#include "tst_elections_model.moc"
