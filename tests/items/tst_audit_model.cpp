// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/audit_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace switchyard;
using namespace switchyard::items;
using namespace Qt::StringLiterals;

namespace {

AuditRow row(const QString &id)
{
    AuditRow r;
    r.id = id;
    r.at = parseInstant("2031-02-01T13:02:11+00:00");
    r.osUser = u"dba"_s;
    r.kubeUser = u"admin"_s;
    r.cluster = {"prod", "payments", "acme", {}, "acme"};
    r.action = u"pause"_s;
    r.result = u"done"_s;
    return r;
}

} // namespace

class TestAuditModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsAsTheyStand()
    {
        AuditModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.set({row(u"b"_s), row(u"a"_s)});
        QCOMPARE(model.rowAt(0)->id, u"b"_s);
        QCOMPARE(model.index(0, AuditModel::At).data(RawRole).toLongLong(), qint64(row({}).at->time_since_epoch().count()));
        QCOMPARE(model.index(0, AuditModel::Cluster).data(RawRole).toString(), u"payments/acme"_s);
        QCOMPARE(model.index(0, AuditModel::Action).data(CodeRole).toString(), u"pause"_s);
        QVERIFY(!model.index(0, AuditModel::Who).data(CodeRole).isValid());
        QVERIFY(!model.rowAt(2));
    }

    // What is not known is no text.
    void unknownIsInvalid()
    {
        AuditModel model;
        AuditRow bare;
        bare.id = u"x"_s;
        model.set({bare});
        for (const int column : {int(AuditModel::At), int(AuditModel::Who), int(AuditModel::Result), int(AuditModel::Outcome)})
            QVERIFY(!model.index(0, column).data(RawRole).isValid());
    }

    void actingAsStandsForTheAccount()
    {
        AuditModel model;
        AuditRow as = row(u"x"_s);
        as.asUser = u"oncall"_s;
        model.set({as});
        QCOMPARE(model.index(0, AuditModel::Account).data(RawRole).toString(), u"oncall"_s);
        QVERIFY(model.index(0, 0).data(FilterRole).toString().contains(u"admin"_s));
    }

    // The file is read again: what is there stays, an answer changes one row, a new write comes in at the top.
    void readAgain()
    {
        AuditModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        AuditRow waiting = row(u"b"_s);
        waiting.result.clear();
        model.set({waiting, row(u"a"_s)});
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged), inserted(&model, &QAbstractItemModel::rowsInserted),
            reset(&model, &QAbstractItemModel::modelReset);
        model.set({row(u"c"_s), row(u"b"_s), row(u"a"_s)});
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.front().front().toModelIndex().row(), 1);
        QCOMPARE(reset.size(), 0);
        QCOMPARE(model.rowAt(1)->result, u"done"_s);
    }
};

QTEST_GUILESS_MAIN(TestAuditModel)
#include "tst_audit_model.moc"
