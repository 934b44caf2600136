// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/history_model.h"
#include "tests/support/made_clusters.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace switchyard;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::HistoryModel;

class TestHistoryModel : public QObject
{
    Q_OBJECT

    static QVariant raw(const HistoryModel &model, int row, int column) { return model.index(row, column).data(items::RawRole); }
    static QString code(const HistoryModel &model, int row, int column)
    {
        return model.index(row, column).data(items::CodeRole).toString();
    }

private Q_SLOTS:
    void rowsAreNewestFirst()
    {
        HistoryModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.update(made::healthy(), made::now());
        QCOMPARE(model.rowCount(), 7);
        QCOMPARE(raw(model, 0, HistoryModel::Timeline).toLongLong(), 7LL);
        QCOMPARE(raw(model, 0, HistoryModel::Lsn).toString(), u"0/27E00000"_s);
        QCOMPARE(raw(model, 0, HistoryModel::LsnNumber).toULongLong(), 668991488ULL);
        QCOMPARE(raw(model, 0, HistoryModel::NewLeader).toString(), u"acme-1"_s);
        QCOMPARE(raw(model, 0, HistoryModel::Leader).toString(), u"acme-2"_s);
        QCOMPARE(code(model, 0, HistoryModel::LedFor), u"current"_s);
        QCOMPARE(raw(model, 1, HistoryModel::LedFor).toLongLong(),
                 (made::instant("2031-02-01T09:50:03.551Z") - made::instant("2031-01-31T22:05:30Z")).count());
        QCOMPARE(code(model, 1, HistoryModel::LedFor), u"ended"_s);
        QCOMPARE(code(model, 6, HistoryModel::Leader), u"not-recorded"_s); // timeline 1
        QVERIFY(!raw(model, 6, HistoryModel::Leader).isValid());
        QCOMPARE(code(model, 6, HistoryModel::NewLeader), u"not-recorded"_s); // a three-element entry
        QVERIFY(!raw(model, 6, HistoryModel::EndedAt).isValid());
        QCOMPARE(code(model, 6, HistoryModel::LedFor), u"unknown"_s);
    }

    void aLostViewEndsWhatIsKnown()
    {
        HistoryModel model;
        model.update(made::stale(), made::now());
        QCOMPARE(code(model, 0, HistoryModel::LedFor), u"at-least"_s);
        const auto ended = made::instant("2031-02-01T09:50:03.551Z");
        QCOMPARE(raw(model, 0, HistoryModel::LedFor).toLongLong(), (made::now(-48s).wall - ended).count());
        model.tick(made::now(1h));
        QCOMPARE(raw(model, 0, HistoryModel::LedFor).toLongLong(), (made::now(-48s).wall - ended).count());
        model.update(made::expired(), made::now());
        QCOMPARE(code(model, 0, HistoryModel::LedFor), u"at-least"_s);
        auto never = made::stale();
        never.view.lastContact.reset();
        model.update(never, made::now());
        QCOMPARE(code(model, 0, HistoryModel::LedFor), u"unknown"_s);
    }

    // The history names acme-1 last, but another member holds the lock, or one held it when it was lost: when acme-1 ended is not known.
    void anotherHolderEndsWhatIsKnown_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("held") << 0;
        QTest::newRow("expired") << 1;
        QTest::newRow("stale") << 2;
        QTest::newRow("released") << 3;
    }
    void anotherHolderEndsWhatIsKnown()
    {
        QFETCH(int, kind);
        auto c = kind == 1 ? made::expired() : kind == 2 ? made::stale() : made::healthy();
        c.lock.holder = "acme-2";
        if (kind == 0)
            c.leaderName = "acme-2";
        if (kind == 3) {
            c.lock.state = patroni::LockState::Released;
            c.lock.holder.reset();
            c.leaderName.reset();
        }
        HistoryModel model;
        model.update(c, made::now());
        QCOMPARE(code(model, 0, HistoryModel::LedFor), u"unknown"_s);
        QVERIFY(!raw(model, 0, HistoryModel::LedFor).isValid());
        model.tick(made::now(1h));
        QVERIFY(!raw(model, 0, HistoryModel::LedFor).isValid());
    }

    void growsByOneRowOnTop()
    {
        HistoryModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto c = made::healthy();
        model.update(c, made::now());
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        c.config->history.entries.push_back({8, 700000000, "no recovery target specified", made::now().wall, "x", "acme-2"});
        c.leaderName = c.lock.holder = "acme-2";
        model.update(c, made::now(10s));
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(inserted.at(0).at(1).toInt(), 0);
        QCOMPARE(raw(model, 0, HistoryModel::LedFor).toLongLong(), 10'000'000LL);
        QCOMPARE(code(model, 1, HistoryModel::LedFor), u"ended"_s);

        c.config->history.entries.clear(); // re-initialised
        model.update(c, made::now(20s));
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(!removed.isEmpty());
        QCOMPARE(resets.size(), 0);
    }

    void spans()
    {
        const auto spans = items::timelineSpans(made::healthy());
        QCOMPARE(spans.size(), 8U);
        QCOMPARE(spans[0].timeline, 1);
        QVERIFY(!spans[0].leader);
        QVERIFY(!spans[0].from);
        QVERIFY(!spans[1].leader); // the entry of timeline 1 has three elements
        QCOMPARE(spans[2].leader, std::optional<std::string>("acme-0"));
        QCOMPARE(spans[2].to, std::optional(made::instant("2031-01-29T18:40:00Z")));
        QVERIFY(spans[7].current);
        QCOMPARE(spans[7].timeline, 8);
        QCOMPARE(spans[7].leader, std::optional<std::string>("acme-1"));
        QVERIFY(!spans[7].to);
    }

    void spansOfOddClusters_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("lastLeader"); // empty: not recorded
        QTest::newRow("no history: the holder leads timeline 1") << 0 << 1 << u"acme-1"_s;
        QTest::newRow("no history, standby cluster: the holder proves nothing") << 1 << 1 << QString();
        QTest::newRow("unreadable: no spans at all") << 2 << 0 << QString();
        QTest::newRow("history lags behind the timeline") << 3 << 8 << u"acme-1"_s;
        QTest::newRow("no config object") << 4 << 0 << QString();
        QTest::newRow("no leader, last entry without name") << 5 << 8 << QString();
    }
    void spansOfOddClusters()
    {
        QFETCH(int, kind);
        auto c = made::healthy();
        auto &h = c.config->history;
        switch (kind) {
        case 1: c.config->config.standbyCluster = true; [[fallthrough]];
        case 0:
            h.entries.clear();
            h.currentTimeline = c.timeline = 1;
            break;
        case 2: h.readable = false; break;
        case 3: c.timeline = 9; break;
        case 4: c.config.reset(); break;
        case 5:
            h.entries.back().newLeader.reset();
            c.leaderName.reset();
            break;
        }
        const auto spans = items::timelineSpans(c);
        QTEST(static_cast<int>(spans.size()), "count");
        if (!spans.empty())
            QTEST(QString::fromStdString(spans.back().leader.value_or("")), "lastLeader");
    }
};

QTEST_GUILESS_MAIN(TestHistoryModel)
#include "tst_history_model.moc"
