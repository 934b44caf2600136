// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/members_model.h"
#include "tests/support/made_clusters.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace switchyard;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::MembersModel;

class TestMembersModel : public QObject
{
    Q_OBJECT

    static QVariant raw(const MembersModel &model, int row, int column) { return model.index(row, column).data(items::RawRole); }
    static QString code(const MembersModel &model, int row, int column)
    {
        return model.index(row, column).data(items::CodeRole).toString();
    }
    static QStringList names(const MembersModel &model)
    {
        QStringList list;
        for (int row = 0; row < model.rowCount(); ++row)
            list << raw(model, row, MembersModel::Name).toString();
        return list;
    }

private Q_SLOTS:
    void lags_data()
    {
        QTest::addColumn<QString>("version");
        QTest::addColumn<QString>("state");
        QTest::addColumn<qlonglong>("lag"); // -1: unknown
        QTest::addColumn<qlonglong>("receive");
        QTest::addColumn<qlonglong>("replay");
        QTest::addColumn<QString>("receiveCode");
        QTest::addColumn<QString>("replayCode");
        QTest::addColumn<QVariant>("shownReceive");
        QTest::addColumn<QVariant>("shownReplay");
        const QVariant none;
        const auto n = [](qulonglong v) { return QVariant::fromValue(v); };
        QTest::newRow("both known") << u"4.1.4"_s << u"streaming"_s << 100LL << 0LL << 100LL << u"known"_s << u"known"_s << n(0) << n(100);
        QTest::newRow("zero is a value") << u"4.1.4"_s << u"streaming"_s << 0LL << 0LL << 0LL << u"known"_s << u"known"_s << n(0) << n(0);
        QTest::newRow("receive unknown") << u"4.1.4"_s << u"running"_s << -1LL << -1LL << 7LL << u"unknown"_s << u"known"_s << none << n(7);
        QTest::newRow("one position, streaming")
            << u"3.0.2"_s << u"streaming"_s << 5LL << -1LL << -1LL << u"combined"_s << u"not-reported"_s << n(5) << none;
        QTest::newRow("one position, archive") << u"3.0.2"_s << u"running"_s << 5LL << -1LL << -1LL << u"not-reported"_s << u"combined"_s
                                               << none << n(5);
        QTest::newRow("optime unknown") << u"3.0.2"_s << u"streaming"_s << -1LL << -1LL << -1LL << u"unknown"_s << u"not-reported"_s << none
                                        << none;
    }
    void lags()
    {
        QFETCH(QString, version);
        QFETCH(QString, state);
        QFETCH(qlonglong, lag);
        QFETCH(qlonglong, receive);
        QFETCH(qlonglong, replay);
        auto c = made::healthy();
        auto &m = c.members[1];
        const auto value = [](qlonglong v) { return v < 0 ? std::optional<std::uint64_t>() : std::optional<std::uint64_t>(v); };
        m.record.version = version.toStdString();
        m.shownState = state.toStdString();
        if (state != u"streaming"_s)
            m.record.replicationState.reset();
        if (!version.startsWith(u"4.1"_s)) {
            m.record.receiveLsn.reset();
            m.record.replayLsn.reset();
        }
        m.lag = value(lag);
        m.receiveLag = value(receive);
        m.replayLag = value(replay);
        MembersModel model;
        model.update(c, made::now());
        QTEST(code(model, 1, MembersModel::ReceiveLag), "receiveCode");
        QTEST(code(model, 1, MembersModel::ReplayLag), "replayCode");
        QTEST(raw(model, 1, MembersModel::ReceiveLag), "shownReceive");
        QTEST(raw(model, 1, MembersModel::ReplayLag), "shownReplay");
        QCOMPARE(code(model, 0, MembersModel::ReplayLag), u"leader"_s);
        QVERIFY(!raw(model, 0, MembersModel::ReplayLag).isValid());
    }

    void unknownIsInvalidNotZero()
    {
        auto c = made::healthy();
        c.members[1].record = {};
        c.members[1].record.name = "acme-0";
        c.members[1].shownState.reset();
        c.members[1].lsn.reset();
        c.members[1].lag.reset();
        c.members[1].receiveLag.reset();
        c.members[1].replayLag.reset();
        c.members[1].statusSeenAt.reset();
        c.members[1].up = false;
        MembersModel model;
        model.update(c, made::now());
        for (const int column : {MembersModel::State, MembersModel::Timeline, MembersModel::ReceiveLsn, MembersModel::ReceiveLag,
                                 MembersModel::ReplayLag, MembersModel::Node, MembersModel::Version, MembersModel::StatusAge}) {
            QVERIFY2(!raw(model, 1, column).isValid(), qPrintable(QString::number(column)));
            QCOMPARE(code(model, 1, column), u"unknown"_s);
        }
        QCOMPARE(code(model, 1, MembersModel::Name), u"unknown"_s);
    }

    void standing()
    {
        MembersModel model;
        model.update(made::troubled(), made::now());
        QCOMPARE(code(model, 0, MembersModel::Name), u"healthy"_s);
        QCOMPARE(code(model, 1, MembersModel::Name), u"degraded"_s);
        QCOMPARE(code(model, 1, MembersModel::Timeline), u"old"_s);
        QCOMPARE(code(model, 0, MembersModel::PendingRestart), u"pending"_s);
        QCOMPARE(code(model, 2, MembersModel::PendingRestart), u"scheduled"_s);
        QCOMPARE(code(model, 1, MembersModel::StatusAge), u"changed"_s);
        QCOMPARE(raw(model, 1, MembersModel::StatusAge).toLongLong(), 720'000'000LL);
        QCOMPARE(code(model, 0, MembersModel::StatusAge), u"unchanged"_s);
    }

    void mergesByName()
    {
        MembersModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto c = made::healthy();
        model.update(c, made::now());
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy moved(&model, &QAbstractItemModel::rowsMoved);
        const QPersistentModelIndex second(model.index(2, MembersModel::Name));

        std::swap(c.members[0], c.members[2]); // acme-2 now leads
        model.update(c, made::now());
        QCOMPARE(names(model), (QStringList{u"acme-2"_s, u"acme-0"_s, u"acme-1"_s}));
        QCOMPARE(second.row(), 0);
        QCOMPARE(inserted.size() + removed.size(), 0);
        QVERIFY(!moved.isEmpty());

        c.members.erase(c.members.begin() + 1);
        c.members.push_back(made::member("acme-3", patroni::Role::Replica, "pg-node-4"));
        model.update(c, made::now());
        QCOMPARE(names(model), (QStringList{u"acme-2"_s, u"acme-1"_s, u"acme-3"_s}));
        QCOMPARE(removed.size(), 1);
        QCOMPARE(inserted.size(), 1);

        auto other = made::longNames();
        model.update(other, made::now());
        QCOMPARE(model.rowCount(), 3);
        model.clear();
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(resets.size(), 0);
    }

    void announcesOnlyWhatChanged()
    {
        MembersModel model;
        auto c = made::healthy();
        model.update(c, made::now());
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.update(c, made::now(1s));
        QCOMPARE(changed.size(), 0);
        c.members[1].replayLag = 4096;
        model.update(c, made::now(2s));
        bool lagSaid = false;
        for (const auto &call : changed) {
            const auto at = call.at(0).toModelIndex();
            QCOMPARE(at.row(), 1);
            QVERIFY(at.column() != MembersModel::Version);
            lagSaid = lagSaid || at.column() == MembersModel::ReplayLag;
        }
        QVERIFY(lagSaid);
        QCOMPARE(model.index(1, MembersModel::ReplayLag).data(items::ChangedAtRole).toLongLong(),
                 made::now(2s).boot.time_since_epoch().count());
        QVERIFY(!model.index(1, MembersModel::Version).data(items::ChangedAtRole).isValid());
    }

    void staleViewIsSaidOnEveryRow()
    {
        MembersModel model;
        model.update(made::healthy(), made::now());
        QCOMPARE(model.index(0, 0).data(items::StaleRole).toBool(), false);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.update(made::stale(), made::now());
        QVERIFY(!changed.isEmpty());
        QCOMPARE(model.index(2, 5).data(items::StaleRole).toBool(), true);
        QCOMPARE(model.index(2, 5).data(items::AsOfRole).toLongLong(), made::now(-48s).boot.time_since_epoch().count());
    }

    // How a member was when it was last seen is not how it is.
    void staleMembersAreNotWell()
    {
        MembersModel model;
        model.update(made::healthy(), made::now());
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.update(made::stale(), made::now());
        for (int row = 0; row < model.rowCount(); ++row)
            QCOMPARE(code(model, row, MembersModel::Name), u"unknown"_s);
        QVERIFY(!changed.isEmpty());
        QVERIFY(changed.last().at(2).value<QList<int>>().contains(int(items::CodeRole)));
        auto lockOutOfSight = made::healthy();
        lockOutOfSight.lock.state = patroni::LockState::Stale;
        model.update(made::healthy(), made::now());
        QCOMPARE(code(model, 0, MembersModel::Name), u"healthy"_s);
        model.update(lockOutOfSight, made::now());
        QCOMPARE(code(model, 0, MembersModel::Name), u"unknown"_s);
        QCOMPARE(model.index(0, 0).data(items::StaleRole).toBool(), true);
    }

    void tickMovesAges()
    {
        MembersModel model;
        model.update(made::healthy(), made::now());
        const auto before = raw(model, 0, MembersModel::StatusAge).toLongLong();
        model.tick(made::now(60s));
        QCOMPARE(raw(model, 0, MembersModel::StatusAge).toLongLong() - before, 60'000'000LL);
    }
};

QTEST_GUILESS_MAIN(TestMembersModel)
#include "tst_members_model.moc"
