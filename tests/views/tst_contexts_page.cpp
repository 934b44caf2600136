// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The contexts page by clicks and keys.
#include "tests/support/made_contexts.h"
#include "tests/support/patience.h"
#include "tests/support/view_shots.h"
#include "tests/support/window_stage.h"
#include "views/dialogs/exec_consent_dialog.h"
#include "views/dialogs/namespaces_dialog.h"
#include "views/main_window.h"
#include "views/pages/cluster_page.h"
#include "views/pages/contexts/context_detail.h"
#include "views/pages/contexts/context_table.h"
#include "views/pages/contexts_page.h"
#include "views/pages/events_page.h"
#include "views/widgets/context_bar.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/filter_box.h"
#include "views/widgets/sentence.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QInputDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTest>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using items::ContextsModel;

namespace {

// The page with its model, shown.
struct Scene
{
    ContextsModel model;
    ContextsPage page{&model};

    explicit Scene(std::vector<items::ContextRow> rows = made::manyStates())
    {
        model.set(std::move(rows), made::now());
        page.resize(1100, 660);
        page.show();
        page.activateWindow();
        page.tick(made::now());
        QCoreApplication::processEvents();
    }
    QTableView *table() const { return page.table(); }
    int rowOf(const QString &name) const
    {
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            if (cell(row, ContextsModel::Name).contains(name))
                return row;
        return -1;
    }
    QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }
    QPoint at(const QString &name, int column = ContextsModel::State) const
    {
        return table()->visualRect(table()->model()->index(rowOf(name), column)).center();
    }
    void click(const QString &name, Qt::KeyboardModifiers keys = {}, int column = ContextsModel::State) const
    {
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, keys, at(name, column));
    }
    QPushButton *button(const QString &text) const
    {
        for (QPushButton *b : page.findChildren<QPushButton *>())
            if (b->text().remove(u'&').startsWith(text))
                return b;
        return nullptr;
    }
    void press(const QString &text) const
    {
        QPushButton *b = button(text);
        QVERIFY(b && b->isEnabled());
        QTest::mouseClick(b, Qt::LeftButton);
    }
    template<class Dialog>
    Dialog *dialog() const
    {
        return page.findChild<Dialog *>();
    }
};

} // namespace

class TestContextsPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void firstLineSaysWhatIsOpen()
    {
        const Scene scene;
        const QString said = scene.page.findChild<Sentence *>()->text();
        for (const QString &part : {u"6 of 11 contexts open"_s, u"1 live"_s, u"1 stale since "_s, u"1 forbidden"_s, u"1 unauthorized"_s})
            QVERIFY2(said.contains(part), qPrintable(said));
    }

    void favouritesThenTroubleFirst()
    {
        const Scene scene;
        QVERIFY(scene.cell(0, ContextsModel::Name).contains(u"Europe"_s)); // favourite, though live
        QVERIFY(scene.cell(1, ContextsModel::Name).contains(u"prod-ap"_s));
        scene.table()->sortByColumn(ContextsModel::Name, Qt::DescendingOrder);
        QVERIFY(scene.cell(0, ContextsModel::Name).contains(u"Europe"_s));
        QCOMPARE(scene.cell(1, ContextsModel::Name), u"staging"_s);
    }

    void statesHaveWordAndShape_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("word");
        QTest::addColumn<Tone>("tone");
        QTest::newRow("live") << u"prod-eu"_s << u"live"_s << Tone::Good;
        QTest::newRow("stale") << u"staging"_s << u"stale since "_s << Tone::Unknown;
        QTest::newRow("forbidden") << u"prod-us"_s << u"forbidden  list configmaps payments: 403"_s << Tone::Bad;
        QTest::newRow("unauthorized") << u"prod-ap"_s << u"unauthorized  "_s << Tone::Bad;
        QTest::newRow("waiting") << u"cloud"_s << u"waits for your permission to run cloud-login"_s << Tone::Warning;
        QTest::newRow("connecting") << u"dr-site"_s << u"connecting"_s << Tone::Unknown;
        QTest::newRow("closed") << u"lab"_s << u"closed"_s << Tone::Neutral;
        QTest::newRow("unusable") << u"legacy"_s << u"cannot be used  users[3]"_s << Tone::Warning;
    }
    void statesHaveWordAndShape()
    {
        QFETCH(QString, name);
        QFETCH(QString, word);
        QFETCH(Tone, tone);
        const Scene scene;
        const QModelIndex index = scene.table()->model()->index(scene.rowOf(name), ContextsModel::State);
        QVERIFY2(index.data().toString().startsWith(word), qPrintable(index.data().toString()));
        QCOMPARE(index.data(ToneRole).toInt(), int(tone));
        QVERIFY(index.data(Qt::AccessibleTextRole).toString().contains(word));
    }

    void openAndCloseSeveral()
    {
        const Scene scene;
        QSignalSpy opened(&scene.page, &ContextsPage::openRequested), closed(&scene.page, &ContextsPage::closeRequested);
        scene.click(u"dev-1"_s);
        scene.click(u"lab"_s, Qt::ControlModifier);
        QVERIFY(!scene.button(u"Close"_s)->isEnabled());
        scene.press(u"Open"_s);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.first().first().toStringList(), QStringList({u"dev-1"_s, u"lab"_s}));
        scene.click(u"staging"_s);
        scene.click(u"prod-us"_s, Qt::ControlModifier);
        QTest::keyClick(scene.table(), Qt::Key_Delete);
        QCOMPARE(closed.size(), 1);
        QCOMPARE(closed.first().first().toStringList(), QStringList({u"prod-us"_s, u"staging"_s}));
    }

    void doubleClickOpensOrShows()
    {
        const Scene scene;
        QSignalSpy opened(&scene.page, &ContextsPage::openRequested), shown(&scene.page, &ContextsPage::clustersRequested);
        scene.click(u"lab"_s);
        QTest::mouseDClick(scene.table()->viewport(), Qt::LeftButton, {}, scene.at(u"lab"_s));
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.first().first().toStringList(), QStringList{u"lab"_s});
        scene.click(u"staging"_s);
        QTest::keyClick(scene.table(), Qt::Key_Return);
        QCOMPARE(shown.size(), 1);
        QCOMPARE(shown.first().first().toString(), u"staging"_s);
        scene.click(u"legacy"_s); // cannot be used: nothing to open
        QTest::keyClick(scene.table(), Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
    }

    void starIsClicked()
    {
        const Scene scene;
        QSignalSpy favourite(&scene.page, &ContextsPage::favouriteChosen);
        scene.click(u"lab"_s, {}, ContextsModel::Mark);
        QCOMPARE(favourite.size(), 1);
        QCOMPARE(favourite.first().at(0).toStringList(), QStringList{u"lab"_s});
        QCOMPARE(favourite.first().at(1).toBool(), true);
        scene.click(u"Europe"_s, {}, ContextsModel::Mark);
        QCOMPARE(favourite.last().at(1).toBool(), false);
        scene.click(u"dev-1"_s);
        QTest::keyClick(scene.table(), Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(favourite.last().at(0).toStringList(), QStringList{u"dev-1"_s});
        QCOMPARE(favourite.last().at(1).toBool(), true);
    }

    // What guards a context is asked for by entries of the menu, has no key of its own, and is said wherever the context is.
    void guards()
    {
        auto rows = made::manyStates();
        for (items::ContextRow &row : rows)
            if (row.name == u"lab"_s)
                row.readOnly = true;
        const Scene scene(rows);
        const auto action = [&scene](const QString &text) {
            for (QAction *a : scene.table()->actions())
                if (a->text().remove(u'&') == text)
                    return a;
            return static_cast<QAction *>(nullptr);
        };
        QSignalSpy readOnly(&scene.page, &ContextsPage::readOnlyChosen), isProtected(&scene.page, &ContextsPage::protectedChosen);
        scene.click(u"lab"_s);
        QVERIFY(action(u"Read-only"_s)->isChecked());
        QVERIFY(action(u"Read-only"_s)->shortcut().isEmpty() && action(u"Protected"_s)->shortcut().isEmpty());
        QVERIFY(made::shownWords(const_cast<ContextsPage &>(scene.page)).contains(u"none: read-only, chosen by you"_s));
        action(u"Read-only"_s)->trigger();
        QCOMPARE(readOnly.takeFirst(), QVariantList({QStringList{u"lab"_s}, false}));
        scene.click(u"dev-1"_s);
        QVERIFY(!action(u"Protected"_s)->isChecked());
        action(u"Protected"_s)->trigger();
        QCOMPARE(isProtected.takeFirst(), QVariantList({QStringList{u"dev-1"_s}, true}));
        QVERIFY(scene.cell(scene.rowOf(u"lab"_s), ContextsModel::State).contains(u"read-only"_s));
    }

    void aliasAndNamespaces()
    {
        const Scene scene;
        QSignalSpy alias(&scene.page, &ContextsPage::aliasChosen), namespaces(&scene.page, &ContextsPage::namespacesChosen);
        scene.click(u"lab"_s);
        QTest::keyClick(scene.table(), Qt::Key_F2);
        auto *ask = scene.dialog<QInputDialog>();
        QVERIFY(ask);
        ask->setTextValue(u"  my   lab "_s);
        ask->accept();
        QCOMPARE(alias.size(), 1);
        QCOMPARE(alias.first(), QVariantList({u"lab"_s, u"my lab"_s}));
        scene.click(u"dev-1"_s, Qt::ControlModifier);
        scene.press(u"Namespaces"_s);
        auto *dialog = scene.dialog<NamespacesDialog>();
        QVERIFY(dialog);
        auto *ok = dialog->findChildren<QPushButton *>().front();
        for (auto *b : dialog->findChildren<QPushButton *>())
            if (b->text().contains(u"Watch"_s))
                ok = b;
        auto *list = dialog->findChild<QPlainTextEdit *>();
        QTest::keyClicks(list, u"payments, Ledger"_s);
        QVERIFY(!ok->isEnabled()); // a capital letter
        QVERIFY(made::shownWords(*dialog).contains(u"\"Ledger\" is no name"_s));
        list->setPlainText(u"payments\nledger\npayments"_s);
        QVERIFY(ok->isEnabled());
        QTest::mouseClick(ok, Qt::LeftButton);
        QCOMPARE(namespaces.size(), 1);
        QCOMPARE(namespaces.first().at(0).toStringList(), QStringList({u"dev-1"_s, u"lab"_s}));
        QCOMPARE(namespaces.first().at(1).toStringList(), QStringList({u"payments"_s, u"ledger"_s}));
    }

    void errorIsCopiedWithItsNextStep()
    {
        const Scene scene;
        scene.click(u"prod-us"_s);
        QTest::keyClick(scene.table(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        const QString copied = QGuiApplication::clipboard()->text();
        for (const QString &part : {u"prod-us"_s, u"cannot list resource \"configmaps\""_s, u"Choose namespaces"_s})
            QVERIFY2(copied.contains(part), qPrintable(copied));
        const QString detail = made::shownWords(*scene.page.findChild<ContextDetail *>());
        for (const QString &part :
             {u"cannot list resource \"configmaps\""_s, u"Choose namespaces"_s, u"endpoints, pods in payments: not connected"_s})
            QVERIFY2(detail.contains(part), qPrintable(detail));
    }

    void skewOnlyWhenCertain()
    {
        const Scene scene;
        QCOMPARE(scene.cell(scene.rowOf(u"Europe"_s), ContextsModel::Skew), u"+3.2 s \u00b1 0.6 s"_s);
        QCOMPARE(scene.cell(scene.rowOf(u"staging"_s), ContextsModel::Skew), u"under 0.6 s"_s);
        QCOMPARE(scene.cell(scene.rowOf(u"dr-site"_s), ContextsModel::Skew), u"?"_s);
        scene.click(u"Europe"_s);
        QVERIFY(made::shownWords(*scene.page.findChild<ContextDetail *>()).contains(u"API server clock 3.2 s ahead"_s));
    }

    void fiveHundredAreFiltered()
    {
        const Scene scene(made::hundreds(500));
        QCOMPARE(scene.table()->model()->rowCount(), 500);
        auto *filter = scene.page.findChild<FilterBox *>();
        filter->setFocus();
        QTest::keyClicks(filter, u"cluster-42"_s);
        QTRY_COMPARE(scene.table()->model()->rowCount(), 10);
        QTest::keyClick(filter, Qt::Key_Down);
        QVERIFY(scene.table()->hasFocus());
        QCOMPARE(scene.page.chosen(), QStringList{u"cluster-420"_s});
        filter->setText(u"nothing like it"_s);
        QTRY_COMPARE(scene.page.findChild<EmptyState *>()->title(), u"Nothing matches"_s);
    }

    void noKubeconfigSaysTheFirstStep()
    {
        Scene scene(std::vector<items::ContextRow>{});
        scene.page.setNotice(u"There is no kubeconfig at /home/dba/.kube/config.\nStart with --kubeconfig FILE."_s);
        QVERIFY(made::shownWords(scene.page).contains(u"--kubeconfig FILE"_s));
    }

    void recordingOpensNothing()
    {
        Scene scene;
        scene.page.setFixed(true);
        scene.click(u"lab"_s);
        for (const QString &text : {u"Open"_s, u"Close"_s, u"Connect again"_s, u"Namespaces"_s})
            QVERIFY(!scene.button(text)->isEnabled());
    }

    void proxiesBehave()
    {
        Scene scene;
        const QAbstractItemModelTester tester(scene.table()->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        auto rows = made::manyStates();
        rows.erase(rows.begin());
        rows[0].favourite = true;
        scene.model.set(rows, made::now());
        QVERIFY(scene.cell(0, ContextsModel::Name).contains(u"staging"_s));
        QVERIFY(made::namelessWidgets(scene.page).isEmpty());
    }

    void consentNamesEverythingAndDefaultsToNo()
    {
        ExecFacts facts{u"prod"_s,
                        u"admin"_s,
                        u"/home/dba/.kube/config"_s,
                        u"/usr/bin/cloud-login"_s,
                        u"cloud-login get-token --cluster 'my prod'"_s,
                        {u"CLOUD_PROFILE=prod"_s}};
        auto *dialog = new ExecConsentDialog(facts);
        QSignalSpy answered(dialog, &ExecConsentDialog::answered);
        dialog->show();
        QVERIFY(!dialog->isModal());
        QString all = made::shownWords(*dialog);
        for (auto *edit : dialog->findChildren<QPlainTextEdit *>())
            all += edit->toPlainText();
        for (const QString &part : {facts.context, facts.user, facts.file, facts.program, facts.commandLine, facts.environment.front()})
            QVERIFY2(all.contains(part), qPrintable(part));
        made::shoot(*dialog, u"exec-consent"_s, true);
        QTest::keyClick(dialog, Qt::Key_Return);
        QCOMPARE(answered.size(), 1);
        QCOMPARE(answered.first().first().value<ExecConsentDialog::Answer>(), ExecConsentDialog::Answer::No);
    }

    void consentAnswers_data()
    {
        QTest::addColumn<QString>("button");
        QTest::addColumn<ExecConsentDialog::Answer>("answer");
        QTest::newRow("always") << u"Run always"_s << ExecConsentDialog::Answer::Always;
        QTest::newRow("once") << u"Run once"_s << ExecConsentDialog::Answer::Once;
        QTest::newRow("no") << u"Do not run"_s << ExecConsentDialog::Answer::No;
    }
    void consentAnswers()
    {
        QFETCH(QString, button);
        QFETCH(ExecConsentDialog::Answer, answer);
        auto *dialog = new ExecConsentDialog({u"prod"_s, u"admin"_s, {}, {}, u"x"_s, {}});
        QSignalSpy answered(dialog, &ExecConsentDialog::answered);
        dialog->show();
        for (auto *b : dialog->findChildren<QPushButton *>())
            if (b->text().remove(u'&') == button)
                QTest::mouseClick(b, Qt::LeftButton);
        QCOMPARE(answered.size(), 1); // exactly once
        QCOMPARE(answered.first().first().value<ExecConsentDialog::Answer>(), answer);
    }

    void forbiddenIsNotEmpty()
    {
        const QString refused = u"namespace payments: list configmaps forbidden"_s;
        auto context = liveContexts().front();
        context.freshness = patroni::Freshness::Forbidden;
        context.refused = {refused};
        context.alias = u"Europe"_s;
        context.skew = ClockSkew{-3s, 500ms, {}};
        for (const bool empty : {true, false}) {
            Stage stage(empty ? std::vector<patroni::Cluster>() : mixed(), false);
            stage.window->setContexts({context}, made::now());
            const QString all = made::shownWords(*stage.child<FleetPage>());
            QVERIFY2(all.contains(refused), qPrintable(all));
            QVERIFY(!all.contains(u"No Patroni cluster has been found"_s));
            const QString bar = stage.child<ContextBar>()->toolTip();
            QVERIFY2(bar.contains(refused) && bar.contains(u"Europe"_s) && bar.contains(u"API server clock 3.0 s behind"_s),
                     qPrintable(bar));
            stage.window->showPage(Page::Events);
            QVERIFY(empty || made::shownWords(*stage.child<EventsPage>()).contains(u"Events may be missing: Europe is forbidden"_s));
        }
    }

    void skewStandsBesideTheLock()
    {
        Stage stage(mixed());
        stage.open(stage.clusters[0].names.key);
        auto contexts = liveContexts();
        contexts.front().skew = ClockSkew{3s, 500ms, {}};
        stage.window->setContexts(contexts, made::now());
        stage.window->showPage(Page::Cluster);
        QVERIFY(made::shownWords(*stage.child<ClusterPage>()).contains(u"API server clock 3.0 s ahead of this machine"_s));
        contexts.front().skew = ClockSkew{300ms, 500ms, {}}; // not certain
        stage.window->setContexts(contexts, made::now());
        QVERIFY(!made::shownWords(*stage.child<ClusterPage>()).contains(u"API server clock"_s));
    }

    void pictures()
    {
        if (!qEnvironmentVariableIsSet("SWITCHYARD_SHOTS"))
            QSKIP("set SWITCHYARD_SHOTS to a folder");
        Scene scene;
        scene.click(u"prod-us"_s);
        made::shoot(scene.page, u"contexts"_s);
        Scene many(made::hundreds(500));
        many.click(u"cluster-003"_s);
        made::shoot(many.page, u"contexts-500"_s);
        Scene none(std::vector<items::ContextRow>{});
        none.page.setNotice(
            u"There is no kubeconfig at /home/dba/.kube/config.\nStart with --kubeconfig FILE, set KUBECONFIG, or try --demo."_s);
        made::shoot(none.page, u"contexts-none"_s);
        NamespacesDialog namespaces({u"prod-eu"_s}, {u"payments"_s});
        namespaces.show();
        made::shoot(namespaces, u"namespaces"_s, true);
    }
};

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    applyTheme(app, Theme::Light);
    TestContextsPage test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_contexts_page.moc"
