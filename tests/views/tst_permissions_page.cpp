// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/rules/granted.h"
#include "tests/support/view_shots.h"
#include "tests/support/window_stage.h"
#include "views/pages/permissions_page.h"
#include "views/widgets/cell_roles.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/sentence.h"
#include "views/words_permissions.h"

#include <QClipboard>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>

using namespace switchyard;
using namespace switchyard::views;
using items::ContextRights;
using items::PermissionsModel;

namespace {

const QString readDb = u"get,list,watch endpoints,configmaps,pods db"_s;
const QString writeDb = u"; create endpoints db; patch endpoints db acme-failover,acme-config"_s;

ContextRights rightsOf(const QString &grants, const QString &context = u"lab"_s)
{
    ContextRights rights{context, u"entry"_s, {}, {}, {"dba"}};
    rights.scope = {{"db"}, "db", {}, {{"db", "acme-failover", Resource::Endpoints}}, false};
    rights.answers = rules::askAll(rights.scope, grants, made::now(-12s).boot);
    return rights;
}

struct Shown
{
    explicit Shown(const std::vector<ContextRights> &rights)
    {
        page.setRights(rights);
        page.tick(made::now());
        page.resize(1100, 660);
        page.show();
    }
    QString sentence() const { return page.findChild<Sentence *>()->text(); }
    QTableView *table() const { return page.findChild<QTableView *>(); }
    QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }
    QTabWidget *tabs() const { return page.findChild<QTabWidget *>(); }
    QString role(int tab) const { return static_cast<QPlainTextEdit *>(tabs()->widget(tab))->toPlainText(); }
    QPushButton *button(const QString &text) const
    {
        for (QPushButton *b : page.findChildren<QPushButton *>())
            if (b->text().remove(u'&').startsWith(text))
                return b;
        return nullptr;
    }
    PermissionsPage page;
};

} // namespace

class TestPermissionsPage : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sentences_data()
    {
        QTest::addColumn<QString>("grants");
        QTest::addColumn<QString>("expected");
        QTest::newRow("all") << readDb + writeDb << u"dba@lab may watch everything here; switchovers are permitted."_s;
        QTest::newRow("read only")
            << readDb
            << u"dba@lab may watch everything here; switchovers are not permitted: create endpoints in namespace db, "
               "patch endpoints in namespace db are missing. The configuration cannot be changed, nor a cluster paused: patch endpoints in namespace db is missing."_s;
        QTest::newRow("patch is missing")
            << readDb + u"; create endpoints db"_s
            << u"dba@lab may watch everything here; switchovers are not permitted: patch endpoints in namespace db is missing."
               " The configuration cannot be changed, nor a cluster paused: patch endpoints in namespace db is missing."_s;
        QTest::newRow("create is missing") << readDb + u"; patch endpoints db acme-failover,acme-config"_s
                                           << u"dba@lab may watch everything here; the first switchover of a cluster is not permitted: "
                                              "create endpoints in namespace db is missing."_s;
        QTest::newRow("no Pods") << u"get,list,watch endpoints,configmaps db"_s
                + writeDb << u"dba@lab may not watch everything here: list pods in namespace db is missing; switchovers are permitted."_s;
    }
    void sentences()
    {
        QFETCH(QString, grants);
        QTEST(rightsSentence(rightsOf(grants)).text, "expected");
    }

    void unknownPromisesNothing()
    {
        ContextRights rights = rightsOf(readDb + writeDb);
        rights.answers.clear();
        rights.account = {};
        const RightsSentence said = rightsSentence(rights);
        QCOMPARE(said.tone, Tone::Unknown);
        QCOMPARE(said.text, u"What entry@lab may watch here is not known; whether switchovers are permitted is not known."_s);
        Shown p({rights});
        for (int row = 0; row < p.table()->model()->rowCount(); ++row)
            QCOMPARE(p.cell(row, PermissionsModel::Answer), u"not known"_s);
        rights = rightsOf(readDb);
        rights.scope.targets.clear();
        QCOMPARE(rightsSentence(rights).text,
                 u"dba@lab may watch everything here; no cluster is known here, so nothing was asked about switchovers."_s);
    }

    void rowsSayWhatIsLost()
    {
        Shown p({rightsOf(readDb)});
        QCOMPARE(p.table()->model()->rowCount(), 24);
        QCOMPARE(p.cell(0, PermissionsModel::What), u"See what there is"_s);
        QCOMPARE(p.cell(0, PermissionsModel::Answer), u"allowed"_s);
        QCOMPARE(p.cell(12, PermissionsModel::Object), u"acme-failover"_s);
        QCOMPARE(p.cell(12, PermissionsModel::Answer), u"denied"_s);
        QCOMPARE(p.cell(12, PermissionsModel::Without), u"no switchover and no cancel"_s);
        QCOMPARE(p.cell(13, PermissionsModel::What), u"Pause, resume, edit configuration"_s);
        QCOMPARE(p.cell(13, PermissionsModel::Without), u"no pause, no resume and no change of the configuration"_s);
        QCOMPARE(p.cell(15, PermissionsModel::Without), u"no restart, no reload, no reinitialize"_s);
        QCOMPARE(p.cell(18, PermissionsModel::Without), u"why a request was refused stays a guess"_s);
        QCOMPARE(p.cell(19, PermissionsModel::Without), u"why a leader was lost is told by its Pod alone"_s);
        QCOMPARE(p.cell(21, PermissionsModel::What), u"Other leader elections"_s);
        QCOMPARE(p.cell(21, PermissionsModel::Without), u"Leases are not shown"_s);
        const QModelIndex answer = p.table()->model()->index(12, PermissionsModel::Answer);
        QCOMPARE(answer.data(ToneRole).toInt(), int(Tone::Bad)); // shape and colour beside the word
        QVERIFY(made::namelessWidgets(p.page).isEmpty());
    }

    void whatElectionsNeed_data()
    {
        QTest::addColumn<QString>("grants");
        QTest::addColumn<int>("row");
        QTest::addColumn<QString>("without");
        QTest::newRow("list") << QString() << 21 << u"Leases are not shown"_s;
        QTest::newRow("watch") << u"; list,get leases db"_s << 22 << u"Leases are read at intervals: changes are seen later"_s;
        QTest::newRow("get") << u"; list,watch leases db"_s << 23 << u"a silent Lease cannot be asked about: its state stays unverified"_s;
        QTest::newRow("nodes") << u"; get,list,watch leases db"_s << 24 << u"whether a lock's Node is ready is unknown"_s;
    }
    void whatElectionsNeed()
    {
        QFETCH(QString, grants);
        QFETCH(int, row);
        ContextRights rights = rightsOf(readDb + writeDb);
        rights.scope.nodes = true; // a leader for life is there
        rights.answers = askAll(rights.scope, readDb + writeDb + grants);
        Shown p({rights});
        QCOMPARE(p.cell(row, PermissionsModel::Answer), u"denied"_s);
        QTEST(p.cell(row, PermissionsModel::Without), "without");
        QCOMPARE(p.cell(24, PermissionsModel::Namespace), u"none"_s);             // Nodes are in no namespace
        QVERIFY(p.sentence().startsWith(u"dba@lab may watch everything here"_s)); // no cluster suffers
        for (const int tab : {0, 1})
            QVERIFY(p.role(tab).contains(u"leases"_s) && p.role(tab).contains(u"nodes"_s));
    }

    void rolesToCopy()
    {
        Shown p({rightsOf(readDb)});
        QCOMPARE(p.tabs()->count(), 2);
        for (const int tab : {0, 1, 0}) { // always the one in sight
            p.tabs()->setCurrentIndex(tab);
            click(p.button(u"Copy"_s));
            QCOMPARE(QGuiApplication::clipboard()->text(), p.role(tab));
        }
        QVERIFY(!p.role(0).contains(u"acme-failover"_s));
        QVERIFY(p.role(1).contains(u"acme-failover"_s));
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"\"dba\""_s));
    }

    void contextsAreChosen()
    {
        Shown p({rightsOf(readDb + writeDb, u"prod"_s), rightsOf(readDb, u"lab"_s)});
        auto *combo = p.page.findChild<QComboBox *>();
        QVERIFY(combo->isVisible());
        QVERIFY(p.sentence().startsWith(u"dba@prod"_s));
        p.page.choose(u"lab"_s);
        QVERIFY(p.sentence().startsWith(u"dba@lab"_s));
        p.page.setRights({rightsOf(readDb + writeDb, u"lab"_s), rightsOf(readDb, u"other"_s)}); // the choice stays
        QCOMPARE(p.sentence(), u"dba@lab may watch everything here; switchovers are permitted."_s);
        p.page.setRights({});
        QVERIFY(p.page.findChild<EmptyState *>()->isVisible());
        QCOMPARE(p.page.findChild<EmptyState *>()->title(), u"No context is open"_s);
    }

    void pictures()
    {
        Shown p({rightsOf(readDb, u"prod-eu"_s), rightsOf(readDb, u"staging"_s)});
        made::shoot(p.page, u"permissions"_s);
        ContextRights none = rightsOf({}, u"prod-eu"_s);
        none.answers.erase(none.answers.begin());
        p.page.setRights({none});
        made::shoot(p.page, u"permissions-none"_s);
    }

private:
    static void click(QPushButton *button)
    {
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton, {}, button->rect().center());
    }
};

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    applyTheme(app, Theme::Light);
    TestPermissionsPage test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_permissions_page.moc"
