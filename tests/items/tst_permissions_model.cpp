// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/permissions_model.h"
#include "tests/rules/granted.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace switchyard;
using namespace Qt::StringLiterals;
using items::PermissionsModel;

namespace {

const QString reads = u"get,list,watch endpoints,configmaps,pods db"_s;

items::ContextRights asked(const QString &grants, Boot at = {})
{
    items::ContextRights rights{u"lab"_s, u"dba"_s, {}, {}, {}};
    rights.scope = {{"db"}, "db", {}, {{"db", "acme-failover", Resource::Endpoints}}, false};
    rights.answers = rules::askAll(rights.scope, grants, at);
    return rights;
}

// "patch endpoints db acme-failover denied no-switchover"
QString line(const PermissionsModel &model, int row)
{
    QStringList words;
    for (int column = PermissionsModel::Verb; column < PermissionsModel::ColumnCount; ++column)
        words << model.index(row, column).data(items::CodeRole).toString();
    return words.join(u' ').simplified();
}

} // namespace

class TestPermissionsModel : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void rows()
    {
        PermissionsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.update(asked(reads));
        QCOMPARE(model.rowCount(), 24);
        QCOMPARE(line(model, 0), u"list endpoints db allowed only-named"_s);
        QCOMPARE(line(model, 9), u"create endpoints db denied no-first-request"_s);
        QCOMPARE(line(model, 10), u"patch endpoints db denied nothing"_s); // the name decides
        QCOMPARE(line(model, 11), u"patch endpoints db denied nothing"_s);
        QCOMPARE(line(model, 12), u"patch endpoints db acme-failover denied no-switchover"_s);
        QCOMPARE(line(model, 13), u"patch endpoints db acme-config denied no-config-change"_s);
        QCOMPARE(line(model, 14), u"get pods/proxy db denied not-asked"_s);
        QCOMPARE(line(model, 17), u"delete pods/proxy db denied no-rest"_s);
        QCOMPARE(line(model, 18), u"get pods/log db denied no-logs"_s);
        QCOMPARE(line(model, 19), u"list events db denied no-events"_s);
        QCOMPARE(line(model, 21), u"list leases db denied no-leases"_s);
        QCOMPARE(line(model, 22), u"watch leases db denied nothing"_s); // what cannot be listed is not watched
        QCOMPARE(model.index(13, PermissionsModel::What).data(items::CodeRole).toString(), u"change-config"_s);
        QCOMPARE(model.index(12, PermissionsModel::What).data(items::CodeRole).toString(), u"change-request"_s);
    }

    void notAskedIsUnknown()
    {
        PermissionsModel model;
        auto rights = asked(reads);
        rights.answers.clear();
        model.update(rights);
        for (int row = 0; row < model.rowCount(); ++row)
            QCOMPARE(model.index(row, PermissionsModel::Answer).data(items::CodeRole).toString(), u"unknown"_s);
        QVERIFY(model.rowCount() > 0);
    }

    void aGrantChangesItsRowOnly()
    {
        PermissionsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.update(asked(reads));
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged), resets(&model, &QAbstractItemModel::modelReset);
        model.update(asked(reads, Boot(std::chrono::seconds(300)))); // asked anew, the same answers
        QCOMPARE(changed.count(), 0);
        QCOMPARE(model.answerAt(0)->at, Boot(std::chrono::seconds(300)));
        model.update(asked(reads + u"; create endpoints db"_s));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed.first().first().toModelIndex().row(), 9);
        model.update(asked(reads + u"; create,patch endpoints db"_s));
        QCOMPARE(model.rowCount(), 22);
        model.clear();
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(resets.count(), 0);
    }
};

QTEST_GUILESS_MAIN(TestPermissionsModel)
#include "tst_permissions_model.moc"
