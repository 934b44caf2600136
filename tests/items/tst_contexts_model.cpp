// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_contexts.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace switchyard;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::ContextsModel;
using items::Standing;

class TestContextsModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mergesByName()
    {
        ContextsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset), inserted(&model, &QAbstractItemModel::rowsInserted),
            removed(&model, &QAbstractItemModel::rowsRemoved), changed(&model, &QAbstractItemModel::dataChanged);
        auto rows = made::manyStates();
        model.set(rows, made::now());
        QCOMPARE(inserted.size(), 1); // hundreds come at once
        QCOMPARE(model.rowCount(), int(rows.size()));
        model.set(rows, made::now());
        QCOMPARE(changed.size(), 0);
        rows[1].standing = Standing::Live;
        rows.insert(rows.begin() + 2, made::closedContext(u"new"_s));
        rows.pop_back();
        model.set(rows, made::now(1s));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.first().first().toModelIndex().row(), 1);
        QCOMPARE(inserted.size(), 2);
        QCOMPARE(removed.size(), 1);
        QCOMPARE(reset.size(), 0);
        QCOMPARE(model.rowAt(2)->name, u"new"_s);
        QVERIFY(model.find(u"lab"_s));
        QVERIFY(!model.find(u"nowhere"_s));
    }

    void tickTouchesAgesOfOpenOnes()
    {
        ContextsModel model;
        model.set({made::openContext(u"a"_s, Standing::Live), made::closedContext(u"b"_s)}, made::now());
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.tick(made::now(1s));
        QVERIFY(!changed.isEmpty());
        for (const auto &call : changed)
            QCOMPARE(call.first().toModelIndex().row(), 0);
        QCOMPARE(model.now().boot, made::now(1s).boot);
    }

    void unknownIsUnknown()
    {
        ContextsModel model;
        auto open = made::openContext(u"a"_s, Standing::Connecting);
        model.set({open}, made::now());
        for (const int column : {ContextsModel::Version, ContextsModel::Latency, ContextsModel::Skew, ContextsModel::LastContact})
            QVERIFY(!model.index(0, column).data(items::RawRole).isValid());
        open.skew = ClockSkew{400ms, 500ms, {}}; // no difference for sure
        model.set({open}, made::now());
        QVERIFY(!model.index(0, ContextsModel::Skew).data(items::RawRole).isValid());
        open.skew = ClockSkew{-3s, 500ms, {}};
        model.set({open}, made::now());
        QCOMPARE(model.index(0, ContextsModel::Skew).data(items::RawRole).toLongLong(), qint64(-3'000'000));
    }

    void filterKnowsNamesServersUsersStates()
    {
        ContextsModel model;
        model.set(made::manyStates(), made::now());
        const QString text = model.index(0, 0).data(items::FilterRole).toString();
        for (const QString &word :
             {u"prod-eu"_s, u"europe"_s, u"prod-eu.example.com"_s, u"10.0.0.2"_s, u"viewer"_s, u"live"_s, u"ledger"_s})
            QVERIFY2(text.contains(word), qPrintable(word));
        QCOMPARE(model.index(1, 0).data(items::StaleRole).toBool(), true);
        QCOMPARE(model.index(0, 0).data(items::StaleRole).toBool(), false);
        QCOMPARE(model.index(3, ContextsModel::State).data(items::CodeRole).toString(), u"unauthorized"_s);
    }

    void worstOpenOnesComeFirst()
    {
        ContextsModel model;
        model.set(made::manyStates(), made::now());
        QMap<QString, QString> byOrder;
        for (int row = 0; row < model.rowCount(); ++row)
            byOrder.insert(model.index(row, ContextsModel::State).data(items::SortRole).toString(), model.rowAt(row)->name);
        QCOMPARE(byOrder.values().mid(0, 6),
                 QStringList({u"prod-ap"_s, u"prod-us"_s, u"staging"_s, u"cloud"_s, u"dr-site"_s, u"prod-eu"_s}));
        QCOMPARE(byOrder.last(), u"legacy"_s);
    }

    void namespaceNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("good");
        QTest::newRow("plain") << u"payments"_s << true;
        QTest::newRow("dash and digit") << u"pay-2"_s << true;
        QTest::newRow("empty") << QString() << false;
        QTest::newRow("capital") << u"Payments"_s << false;
        QTest::newRow("dash first") << u"-a"_s << false;
        QTest::newRow("dash last") << u"a-"_s << false;
        QTest::newRow("underscore") << u"a_b"_s << false;
        QTest::newRow("path") << u"../secrets"_s << false;
        QTest::newRow("63") << QString(63, u'a') << true;
        QTest::newRow("64") << QString(64, u'a') << false;
    }
    void namespaceNames()
    {
        QFETCH(QString, name);
        QFETCH(bool, good);
        QCOMPARE(items::isNamespaceName(name), good);
    }
};

QTEST_APPLESS_MAIN(TestContextsModel)
#include "tst_contexts_model.moc"
