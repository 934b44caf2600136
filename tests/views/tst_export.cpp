// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copying and exporting from the window's tables, and the way to a dossier.
#include "tests/support/made_clusters.h"
#include "tests/support/patience.h"
#include "tests/support/window_stage.h"
#include "views/main_window.h"
#include "views/pages/audit_page.h"
#include "views/pages/cluster/log_tables.h"
#include "views/pages/dossier_page.h"
#include "views/pages/fleet_page.h"
#include "views/pages/history_page.h"
#include "views/style/theme.h"
#include "views/widgets/export_dialog.h"
#include "views/widgets/filter_box.h"
#include "views/widgets/shown_table.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include <set>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using items::FleetModel;

Q_DECLARE_METATYPE(ExportFacts)

class TestExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, Theme::Light); }

    void exportsWhatIsShown()
    {
        const Stage stage(mixed());
        stage.child<FleetPage>()->findChild<FilterBox *>()->setText(u"warehouse"_s);
        QTRY_COMPARE(stage.table()->model()->rowCount(), 2);
        QSignalSpy asked(stage.window.get(), &MainWindow::exportRequested);
        QTest::keyClick(stage.window.get(), Qt::Key_E, Qt::ControlModifier);
        auto *dialog = stage.child<ExportDialog>();
        QVERIFY(dialog);
        for (const QLabel *label : dialog->findChildren<QLabel *>()) // else its mark is shown as it is
            QVERIFY2(!label->text().contains(u'&') || label->buddy(), qPrintable(label->text()));
        const auto boxes = dialog->findChildren<QComboBox *>();
        boxes.at(2)->setCurrentIndex(2); // JSON
        QVERIFY(dialog->request().file.endsWith(u"switchyard-clusters-filtered.json"_s));
        dialog->accept();
        QCOMPARE(asked.count(), 1);
        const auto request = asked.at(0).at(0).value<ExportRequest>();
        QCOMPARE(request.format, u"json"_s);
        // The rows, columns and words are those of the table, in its order.
        QVERIFY(request.table.has_value());
        QCOMPARE(request.table->rows.size(), 2U);
        QCOMPARE(request.table->columns.size(), std::size_t(FleetModel::ColumnCount));
        const auto *model = stage.table()->model();
        for (int row = 0; row < 2; ++row) {
            for (const int column : {int(FleetModel::Scope), int(FleetModel::Leader), int(FleetModel::Lock)})
                QCOMPARE(std::get<std::string>(request.table->rows[std::size_t(row)][std::size_t(column)]),
                         model->index(row, column).data().toString().toStdString());
        }
    }

    void exportsSelectionAndAll()
    {
        const Stage stage(mixed());
        const auto rowsOf = [&](int which) {
            stage.window->exportTable(stage.table());
            auto *dialog = stage.child<ExportDialog>();
            dialog->findChildren<QComboBox *>().at(1)->setCurrentIndex(which);
            const auto table = dialog->request().table;
            dialog->reject();
            const bool closed = QTest::qWaitFor([&] { return !stage.child<ExportDialog>(); }, 30000);
            return table && closed ? table->rows : std::vector<tables::Row>();
        };
        const int all = stage.table()->model()->rowCount();
        stage.child<FleetPage>()->findChild<FilterBox *>()->setText(u"warehouse"_s);
        QTRY_COMPARE(stage.table()->model()->rowCount(), 2);
        stage.table()->clearSelection();
        QCOMPARE(rowsOf(0).size(), 2U);
        QCOMPARE(rowsOf(1).size(), std::size_t(all)); // nothing is selected: the second choice is all, past the filter
        stage.table()->selectRow(1);
        const auto selected = rowsOf(1);
        QCOMPARE(selected.size(), 1U);
        QCOMPARE(std::get<std::string>(selected[0][FleetModel::Scope]),
                 stage.table()->model()->index(1, FleetModel::Scope).data().toString().toStdString());
    }

    void exportsEveryField()
    {
        const Stage stage(mixed());
        stage.child<FleetPage>()->findChild<FilterBox *>()->setText(u"warehouse"_s);
        QTRY_COMPARE(stage.table()->model()->rowCount(), 2);
        QTest::keyClick(stage.window.get(), Qt::Key_E, Qt::ControlModifier);
        auto *dialog = stage.child<ExportDialog>();
        auto *what = dialog->findChildren<QComboBox *>().at(0);
        what->setCurrentIndex(what->findData(int(ExportRequest::What::Requests)));
        const auto request = dialog->request();
        QVERIFY(!request.table);
        QCOMPARE(request.what, ExportRequest::What::Requests);
        QCOMPARE(request.clusters.size(), 2U);
        QVERIFY(request.file.endsWith(u"switchyard-requests-filtered.csv"_s));
    }

    // By the codes of the choices: * the one that is taken, ! it cannot be taken.
    void choices_data()
    {
        using What = ExportRequest::What;
        QTest::addColumn<ExportFacts>("facts");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const ExportFacts &facts, const char *expected) {
            QTest::newRow(name) << facts << QString::fromLatin1(expected);
        };
        const ExportTable here{true, 3, 0, 3}, elsewhere{false, 3, 0, 3};
        const auto of = [](std::optional<What> kind, std::optional<ExportTable> table) {
            ExportFacts facts;
            facts.kind = kind;
            facts.table = table;
            facts.clusters = facts.shownClusters = 7;
            facts.open = u"payments/acme"_s;
            return facts;
        };
        const auto with = [](ExportFacts facts, auto change) {
            change(facts);
            return facts;
        };
        const auto atHand = [](ExportFacts &facts) { facts.one = facts.open; };
        const auto filtered = [](ExportFacts &facts) {
            facts.filtered = true;
            facts.shownClusters = 2;
        };
        row("words", of({}, here), "shown*");
        row("words, filtered", of({}, ExportTable{true, 2, 0, 3}), "shown* all");
        row("words, selected", of({}, ExportTable{true, 2, 1, 3}), "shown* selected all");
        row("clusters in the fleet", of(What::Clusters, here), "shown* selected! all");
        row("clusters in the fleet, selected and filtered", with(of(What::Clusters, ExportTable{true, 2, 1, 3}), filtered),
            "shown* selected all");
        row("clusters, of the page of one", with(of(What::Clusters, elsewhere), atHand), "shown selected! one* all");
        row("members, none open", of(What::Members, {}), "shown! selected! all*");
        row("members, none open, filtered", with(of(What::Members, {}), filtered), "shown! selected! filtered* all");
        row("members, none open, all hidden",
            with(of(What::Members, {}),
                 [](ExportFacts &f) {
                     f.filtered = true;
                     f.shownClusters = 0;
                 }),
            "shown! selected! filtered! all*");
        row("members on their page", with(of(What::Members, here), atHand), "shown* selected! one all");
        row("members, from another page", of(What::Members, elsewhere), "shown selected! all*");
        row("requests on the page Cluster, selected", with(of(What::Requests, ExportTable{true, 3, 2, 3}), atHand),
            "shown* selected one all");
        row("timelines, of the page Cluster", with(of(What::History, elsewhere), atHand), "shown selected! one* all");
        row("transitions, of the fleet, filtered", with(of(What::Transitions, elsewhere), filtered), "shown selected! filtered* all");
        row("events on their page", of(What::Events, here), "shown* selected! all");
        row("events, from another page", with(of(What::Events, elsewhere), filtered), "shown* selected! filtered all");
        row("events, of the page of a cluster", with(of(What::Events, elsewhere), atHand), "shown selected! one* all");
        row("elections, of the page of a cluster", with(of(What::Elections, elsewhere), atHand), "shown* selected! all");
        row("elections, filtered fleet", with(of(What::Elections, elsewhere), filtered), "shown* selected! all");
        row("audit trail", with(of(What::Audit, ExportTable{true, 3, 2, 3}), filtered), "shown* selected all");
    }
    void choices()
    {
        QFETCH(ExportFacts, facts);
        QFETCH(QString, expected);
        const QStringList codes{u"shown"_s, u"selected"_s, u"one"_s, u"filtered"_s, u"all"_s};
        const ExportChoices made = exportChoices(facts);
        QStringList told;
        for (qsizetype i = 0; i < made.choices.size(); ++i) {
            const ExportChoice &choice = made.choices[i];
            told << codes[int(choice.of)] + (i == made.preset ? u"*"_s : QString()) + (choice.whyNot.isEmpty() ? QString() : u"!"_s);
            QVERIFY(!choice.text.isEmpty() && !(choice.note.isEmpty() && choice.whyNot.isEmpty()));
        }
        QCOMPARE(told.join(u' '), expected);
    }

    // Every kind has a table; its rows tell which records they are, each another.
    void everyRecordHasItsRow()
    {
        Stage stage(mixed());
        stage.open(stage.clusters[0].names.key);
        items::AuditRow write, other;
        write.id = u"7"_s;
        other.id = u"8"_s;
        stage.window->auditPage()->setRows({write, other}, u"audit"_s, {});
        std::set<ExportRequest::What> kinds;
        for (QTableView *table : exportableTables(stage.window.get())) {
            const auto kind = recordsIn(table);
            if (!kind)
                continue;
            kinds.insert(*kind);
            const std::vector<RecordKey> keys = recordKeys(table, RowChoice::All);
            QCOMPARE(keys.size(), std::size_t(countRows(table, RowChoice::All)));
            const bool filled = *kind != ExportRequest::What::Elections && *kind != ExportRequest::What::Requests;
            QVERIFY2(!filled || !keys.empty(), qPrintable(tableTitle(table)));
            QCOMPARE(std::set<RecordKey>(keys.begin(), keys.end()).size(), keys.size());
            QVERIFY(!keys.empty() ? keys.front() != RecordKey() : true);
        }
        QCOMPARE(kinds.size(), 8U);
    }

    void exportsEveryFieldOfRows()
    {
        const Stage stage(mixed());
        stage.child<FleetPage>()->findChild<FilterBox *>()->setText(u"warehouse"_s);
        QTRY_COMPARE(stage.table()->model()->rowCount(), 2);
        stage.table()->sortByColumn(FleetModel::Scope, Qt::DescendingOrder);
        stage.table()->selectRow(1);
        QTest::keyClick(stage.window.get(), Qt::Key_E, Qt::ControlModifier);
        auto *dialog = stage.child<ExportDialog>();
        auto *what = dialog->findChildren<QComboBox *>().at(0), *which = dialog->findChildren<QComboBox *>().at(1);
        what->setCurrentIndex(what->findData(int(ExportRequest::What::Clusters)));
        const auto keyAt = [&](int row) {
            return RecordKey{stage.table()->model()->index(row, 0).data(items::KeyRole).value<patroni::ClusterKey>(), {}};
        };
        QCOMPARE(dialog->request().records, std::optional(std::vector{keyAt(0), keyAt(1)}));
        QVERIFY(dialog->request().file.endsWith(u"switchyard-clusters-filtered.csv"_s));
        which->setCurrentIndex(which->findData(int(ExportOf::Selected)));
        QCOMPARE(dialog->request().records, std::optional(std::vector{keyAt(1)}));
        QVERIFY(dialog->request().file.endsWith(u"switchyard-clusters-selected.csv"_s));
        which->setCurrentIndex(which->findData(int(ExportOf::All)));
        QVERIFY(!dialog->request().records && dialog->request().clusters.empty());
        QVERIFY(dialog->request().file.endsWith(u"switchyard-clusters.csv"_s));
        // No cluster is open: there are no rows of members to choose from, and that is said.
        what->setCurrentIndex(what->findData(int(ExportRequest::What::Members)));
        const auto *items = qobject_cast<QStandardItemModel *>(which->model());
        const int shown = which->findData(int(ExportOf::Shown));
        QVERIFY(!items->item(shown)->isEnabled() && items->item(shown)->toolTip().contains(u"no cluster is open"_s));
        QVERIFY(which->accessibleDescription().contains(u"no cluster is open"_s));
        QCOMPARE(dialog->request().clusters.size(), 2U);
    }

    void aPartIsCalledSo()
    {
        Stage stage(mixed());
        stage.open(stage.clusters[0].names.key);
        stage.window->showPage(Page::History);
        auto *table = stage.child<HistoryPage>()->findChild<TransitionsTable *>();
        table->selectRow(1);
        Q_EMIT stage.child<HistoryPage>()->exportRequested(true);
        auto *which = stage.child<ExportDialog>()->findChildren<QComboBox *>().at(1);
        which->setCurrentIndex(which->findData(int(ExportOf::Selected)));
        const auto request = stage.child<ExportDialog>()->request();
        QVERIFY2(request.file.endsWith(u"switchyard-transitions-selected-payments-acme.csv"_s), qPrintable(request.file));
        QCOMPARE(request.title, u"transitions-selected"_s);
        const auto &cluster = stage.clusters[0];
        QCOMPARE(request.records, std::optional(std::vector{transitionKey(cluster, cluster.transitions.size() - 2)}));
    }

    void exportSaysWhenItReplaces()
    {
        const Stage stage(mixed());
        const QTemporaryDir folder;
        QFile there(folder.filePath(u"there.csv"_s));
        QVERIFY(there.open(QIODevice::WriteOnly));
        QTest::keyClick(stage.window.get(), Qt::Key_E, Qt::ControlModifier);
        auto *dialog = stage.child<ExportDialog>();
        QVERIFY(dialog);
        auto *file = dialog->findChild<QLineEdit *>();
        const auto *box = dialog->findChild<QDialogButtonBox *>();
        QAbstractButton *button = nullptr;
        for (QAbstractButton *b : box->buttons())
            if (box->buttonRole(b) == QDialogButtonBox::AcceptRole)
                button = b;
        QVERIFY(button);
        const auto shown = [button] { return button->text().remove(u'&'); };
        file->setText(there.fileName());
        QCOMPARE(shown(), u"Replace the file"_s);
        QVERIFY(!qobject_cast<QPushButton *>(button)->isDefault());
        file->setText(there.fileName() + u".new"_s);
        QCOMPARE(shown(), u"Export"_s);
        QVERIFY(qobject_cast<QPushButton *>(button)->isDefault());
    }

    // The same from every table's menu.
    void everyTableCanBeCopiedAndExported()
    {
        Stage stage(mixed());
        stage.open(stage.clusters[0].names.key);
        QStringList titles;
        for (QTableView *table : exportableTables(stage.window.get())) {
            titles << tableTitle(table);
            QStringList names;
            for (const QAction *action : table->actions())
                names << action->text();
            for (const QString &name : {u"Copy row"_s, u"Copy cell"_s, u"Copy as CSV"_s, u"Copy as Markdown"_s, u"Export\u2026"_s})
                QVERIFY2(names.contains(name), qPrintable(titles.last() + u' ' + name));
        }
        for (const QString &title : {u"Clusters"_s, u"Members"_s, u"Transitions"_s, u"Requests"_s, u"Events"_s, u"Writes, newest first"_s,
                                     u"Rights that are needed"_s, u"Contexts of the kubeconfig"_s})
            QVERIFY2(titles.contains(title), qPrintable(title));
        QTableView *fleet = stage.table();
        fleet->selectRow(0);
        const auto run = [&](const QString &name) {
            for (QAction *action : fleet->actions()) {
                if (action->text() == name)
                    action->trigger();
            }
            return QApplication::clipboard()->text();
        };
        const QString csv = run(u"Copy as CSV"_s), markdown = run(u"Copy as Markdown"_s);
        QCOMPARE(csv.count(u"\r\n"_s), 2); // with its heading
        QVERIFY(csv.contains(u",audit,"_s));
        QVERIFY(markdown.startsWith(u"| "_s) && markdown.contains(u"| audit |"_s) && markdown.split(u'\n').at(1).startsWith(u"| ---"_s));
        run(u"Export\u2026"_s);
        auto *dialog = stage.child<ExportDialog>();
        QVERIFY(dialog && dialog->request().table);
        QCOMPARE(dialog->request().title, u"clusters"_s);
    }

    void exportsTransitionsWhereAsked()
    {
        Stage stage(mixed());
        stage.open(stage.clusters[0].names.key);
        stage.window->showPage(Page::History);
        for (const auto what : {ExportRequest::What::Transitions, ExportRequest::What::History}) {
            Q_EMIT stage.child<HistoryPage>()->exportRequested(what == ExportRequest::What::Transitions);
            auto *dialog = stage.child<ExportDialog>();
            QVERIFY(dialog);
            QCOMPARE(dialog->request().what, what);
            dialog->reject();
            QTRY_VERIFY(!stage.child<ExportDialog>());
        }
    }

    void dossierIsOpenedFromItsRow()
    {
        Stage stage(mixed());
        stage.open(stage.clusters[0].names.key);
        stage.window->showPage(Page::History);
        auto *page = stage.window->dossierPage();
        QSignalSpy wanted(page, &DossierPage::wanted);
        auto *table = stage.child<TransitionsTable>();
        QVERIFY(table && table->rowCount() > 2);
        Q_EMIT table->activated(table->model()->index(2, 0));
        QCOMPARE(stage.window->currentPage(), Page::Dossier);
        QCOMPARE(wanted.count(), 1);
        const QString name = wanted.at(0).at(0).toString();
        QCOMPARE(name, transitionName(stage.clusters[0], stage.clusters[0].transitions.size() - 3));
        page->setText(name, u"<h1>title</h1><p>body &lt;b&gt;</p>"_s);
        page->setText(u"another"_s, u"<p>not asked for</p>"_s);
        QCOMPARE(page->findChild<QTextBrowser *>()->toPlainText(), u"title\nbody <b>"_s);
        stage.window->openDossier({});
        QCOMPARE(wanted.last().at(0).toString(), transitionName(stage.clusters[0], stage.clusters[0].transitions.size() - 1));
    }
};

QTEST_MAIN(TestExport)
#include "tst_export.moc"
