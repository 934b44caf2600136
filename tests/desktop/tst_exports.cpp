// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows are filtered, sorted and selected by clicks and keys, and exported with every field: exactly these are in the file, in their order.
#include "app/actions/audit.h"
#include "app/actions/failover_write.h"
#include "app/archive/archive.h"
#include "tests/actions/planning.h"
#include "tests/archive/archive_cases.h"
#include "tests/desktop/program.h"
#include "tests/support/patience.h"
#include "views/pages/audit_page.h"
#include "views/pages/cluster/log_tables.h"
#include "views/pages/cluster/members_view.h"
#include "views/pages/events_page.h"
#include "views/pages/fleet_page.h"
#include "views/pages/history/timelines_view.h"
#include "views/pages/history_page.h"
#include "views/style/theme.h"
#include "views/widgets/export_dialog.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QHeaderView>
#include <QJsonArray>
#include <QRegularExpression>

using namespace switchyard;
using namespace switchyard::made;
using views::ExportDialog;

namespace {

simulator::Plan fleet()
{
    simulator::Plan plan = quickPlan();
    for (const char *scope : {"audit", "billing-eu", "billing-us"}) {
        simulator::ClusterPlan more = plan.clusters.front();
        more.scope = scope;
        plan.clusters.push_back(more);
    }
    return plan;
}

// The text of the cells of that column, through the filter and in the order of the table.
QStringList column(const QTableView *table, int of)
{
    QStringList cells;
    for (int row = 0; row < table->model()->rowCount(); ++row)
        cells << table->model()->index(row, of).data().toString();
    return cells;
}

// By its keys, as one who does not want to open the list.
void choose(QComboBox *box, const QString &begin)
{
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    for (int i = 0; i < box->count() && !box->currentText().startsWith(begin); ++i)
        QTest::keyClick(box, Qt::Key_Down);
    QVERIFY2(box->currentText().startsWith(begin), qPrintable(box->currentText()));
}

void clickRow(QTableView *table, int row, Qt::KeyboardModifiers with = {})
{
    const QRect cell = table->visualRect(table->model()->index(row, 0));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, with, cell.center());
}

void clickHeader(QTableView *table, int column)
{
    QHeaderView *header = table->horizontalHeader();
    const QPoint at(header->sectionViewportPosition(column) + header->sectionSize(column) / 2, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Of a CSV file without quotes in that column or before it.
QStringList csvColumn(const QByteArray &csv, const QByteArray &name)
{
    QStringList cells;
    QList<QByteArray> lines = csv.split('\n');
    const auto at = lines.takeFirst().trimmed().split(',').indexOf(name);
    for (const QByteArray &line : lines)
        if (at >= 0 && !line.isEmpty())
            cells << QString::fromUtf8(line.split(',').value(at));
    return cells;
}

QStringList jsonColumn(const QByteArray &json, const QString &name)
{
    QStringList cells;
    const QJsonArray rows = QJsonDocument::fromJson(json).array();
    if (rows.isEmpty())
        qWarning() << "no rows in" << json.left(200);
    for (const QJsonValue row : rows)
        cells << row[name].toVariant().toString();
    return cells;
}

} // namespace

class TestExports : public QObject
{
    Q_OBJECT

private:
    // Ctrl+E, and the content of the file that it makes.
    QByteArray exported(Program &p, const QString &what, const QString &of, const QString &format)
    {
        p.desktop->window()->activateWindow(); // a dialog had the keys before
        if (!QTest::qWaitForWindowActive(p.desktop->window(), patience))
            return "no window";
        QTest::keyClick(p.desktop->window(), Qt::Key_E, Qt::ControlModifier);
        if (!QTest::qWaitFor([&] { return p.dialog<ExportDialog>() != nullptr; }, patience))
            return "no dialog";
        auto *dialog = p.dialog<ExportDialog>();
        const auto boxes = dialog->findChildren<QComboBox *>();
        choose(boxes.at(0), what);
        if (!of.isEmpty()) // else as it is offered
            choose(boxes.at(1), of);
        choose(boxes.at(2), format);
        auto *file = dialog->findChild<QLineEdit *>();
        const QString path = p.folder.filePath(u"export-%1"_s.arg(++m_files));
        file->setFocus();
        file->selectAll();
        QTest::keyClicks(file, path);
        click(p.button(dialog, u"Export"_s));
        const bool written = QTest::qWaitFor([&] { return QFile::exists(path) && !p.dialog<ExportDialog>(); }, patience);
        return written ? contentOf(path) : QByteArray("no file");
    }
    void filter(QWidget *page, const QString &words)
    {
        auto *box = page->findChild<views::FilterBox *>();
        QTest::mouseClick(box, Qt::LeftButton);
        QTest::keyClicks(box, words);
    }
    int m_files = 0;

private Q_SLOTS:
    void clustersAsShownAndSelected()
    {
        Program p(false, fleet());
        QVERIFY(p.ok);
        auto *page = p.desktop->window()->findChild<views::FleetPage *>();
        QTableView *table = page->table();
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 4, patience);
        filter(page, u"billing"_s);
        QTRY_COMPARE(table->model()->rowCount(), 2);
        clickHeader(table, items::FleetModel::Scope);
        clickHeader(table, items::FleetModel::Scope);
        const QStringList shown = column(table, items::FleetModel::Scope);
        QCOMPARE(shown, (QStringList{u"billing-us"_s, u"billing-eu"_s}));
        const QString every = u"Clusters: every"_s;
        QCOMPARE(csvColumn(exported(p, every, {}, u"CSV"_s), "scope"), shown);
        QCOMPARE(jsonColumn(exported(p, every, u"the rows that"_s, u"JSON"_s), u"scope"_s), shown);
        clickRow(table, 1);
        QCOMPARE(csvColumn(exported(p, every, u"the selected"_s, u"CSV"_s), "scope"), shown.mid(1));
        QCOMPARE(jsonColumn(exported(p, every, u"the selected"_s, u"JSON"_s), u"scope"_s), shown.mid(1));
        QCOMPARE(csvColumn(exported(p, every, u"all"_s, u"CSV"_s), "scope"),
                 (QStringList{u"acme"_s, u"audit"_s, u"billing-eu"_s, u"billing-us"_s}));
        // Of what is open on no page there are no rows to choose from: all of the clusters that are shown.
        const QByteArray members = exported(p, u"Members: every"_s, {}, u"CSV"_s);
        QCOMPARE(csvColumn(members, "scope").count(u"billing-eu"_s), 3);
        QCOMPARE(csvColumn(members, "scope").size(), 6);
    }

    void membersAndTimelinesOfTheOpenCluster()
    {
        Program p;
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        p.openClusterPage();
        auto *window = p.desktop->window();
        QTRY_COMPARE(window->currentPage(), views::Page::Cluster);
        auto *members = window->findChild<views::MembersView *>();
        QTRY_COMPARE(members->model()->rowCount(), 3);
        clickHeader(members, items::MembersModel::Name);
        clickHeader(members, items::MembersModel::Name);
        const QStringList names{u"acme-2"_s, u"acme-1"_s, u"acme-0"_s};
        QCOMPARE(column(members, items::MembersModel::Name), names);
        QCOMPARE(csvColumn(exported(p, u"Members: every"_s, {}, u"CSV"_s), "member"), names);
        clickRow(members, 2);
        clickRow(members, 0, Qt::ControlModifier);
        const QStringList two{u"acme-2"_s, u"acme-0"_s}; // in the order of the table, not of the clicks
        QCOMPARE(jsonColumn(exported(p, u"Members: every"_s, u"the selected"_s, u"JSON"_s), u"member"_s), two);
        click(p.button(window, u"History"_s));
        QTRY_COMPARE(window->currentPage(), views::Page::History);
        auto *timelines = window->findChild<views::TimelinesView *>();
        const QStringList all = column(timelines, items::HistoryModel::Timeline);
        QCOMPARE(all, (QStringList{u"3"_s, u"2"_s, u"1"_s}));
        QCOMPARE(csvColumn(exported(p, u"Timeline history: every"_s, {}, u"CSV"_s), "timeline"), all);
        clickRow(timelines, 1);
        QCOMPARE(jsonColumn(exported(p, u"Timeline history: every"_s, u"the selected"_s, u"JSON"_s), u"timeline"_s), all.mid(1, 1));
        auto *tabs = window->findChild<views::HistoryPage *>()->findChild<views::TransitionsTable *>();
        QCOMPARE(csvColumn(exported(p, u"Transitions of leadership: every"_s, {}, u"CSV"_s), "timeline").size(), tabs->rowCount());
        // From another page they are still those of the open cluster, and that is said.
        click(p.button(window, u"Fleet"_s));
        QCOMPARE(csvColumn(exported(p, u"Members: every"_s, u"the rows of payments/acme"_s, u"CSV"_s), "member"), names);
    }

    // Some of them are known from the archive alone.
    void eventsAsShownAndSelected()
    {
        Program p;
        QVERIFY(p.ok);
        p.desktop.reset();
        {
            archive::ArchiveOptions options;
            options.location = p.options.archive;
            archive::Archive before(options);
            before.add({archive::eventRecord("1", 0), archive::eventRecord("2", 10, EventCode::PauseOn), archive::eventRecord("3", 20),
                        archive::eventRecord("4", 30)});
            before.start();
        }
        p.desktop = std::make_unique<desktop::Desktop>(p.options);
        p.desktop->start();
        auto *window = p.desktop->window();
        click(p.button(window, u"Events"_s));
        auto *page = window->findChild<views::EventsPage *>();
        QTRY_VERIFY_WITH_TIMEOUT(page->table()->model()->rowCount() >= 4, patience);
        filter(page, u"leader-changed prod"_s);
        QTRY_COMPARE(page->table()->model()->rowCount(), 3);
        const QStringList times{u"2027-01-15T08:00:30.000000Z"_s, u"2027-01-15T08:00:20.000000Z"_s, u"2027-01-15T08:00:00.000000Z"_s};
        QCOMPARE(csvColumn(exported(p, u"Events: every"_s, {}, u"CSV"_s), "at"), times);
        clickRow(page->table(), 2);
        clickRow(page->table(), 0, Qt::ControlModifier);
        QCOMPARE(jsonColumn(exported(p, u"Events: every"_s, u"the selected"_s, u"JSON"_s), u"at"_s), (QStringList{times[0], times[2]}));
        const QStringList all = csvColumn(exported(p, u"Events: every"_s, u"all"_s, u"CSV"_s), "type");
        QCOMPARE(all.mid(0, 4), (QStringList{u"leader-changed"_s, u"pause-on"_s, u"leader-changed"_s, u"leader-changed"_s}));
    }

    void writesAsShownSelectedAndAll()
    {
        Program p;
        QVERIFY(p.ok);
        auto cluster = plannable();
        addFailover(cluster, {});
        const auto write = actions::planSwitchover(cluster, rules::switchoverWish("acme-1", "acme-2")).value();
        QVERIFY(QDir().mkpath(QFileInfo(p.desktop->auditPath()).path()));
        QFile trail(p.desktop->auditPath());
        QVERIFY(trail.open(QIODevice::WriteOnly));
        for (int i = 0; i < 1003; ++i) // more than the page keeps
            trail.write(
                actions::intentLine(QString::number(i), i % 500 == 0 ? u"ann"_s : u"bob"_s, instant("2031-02-01T12:00:00Z"), write));
        trail.close();
        auto *window = p.desktop->window();
        // Nobody has looked at the page yet: the file is read for the export.
        QCOMPARE(jsonColumn(exported(p, u"Audit trail: every"_s, u"all"_s, u"JSON"_s), u"id"_s).size(), 1003);
        click(p.button(window, u"Audit"_s));
        auto *page = window->auditPage();
        QTRY_COMPARE(page->table()->model()->rowCount(), 1000);
        filter(page, u"ann"_s);
        QTRY_COMPARE(page->table()->model()->rowCount(), 2); // of three: the oldest is not on the page
        const QStringList ids{u"1000"_s, u"500"_s};
        QCOMPARE(csvColumn(exported(p, u"Audit trail: every"_s, {}, u"CSV"_s), "id").filter(QRegularExpression(u"^[0-9]+$"_s)), ids);
        clickRow(page->table(), 1);
        QCOMPARE(jsonColumn(exported(p, u"Audit trail: every"_s, u"the selected"_s, u"JSON"_s), u"id"_s), ids.mid(1));
        QCOMPARE(jsonColumn(exported(p, u"Audit trail: every"_s, u"all"_s, u"JSON"_s), u"id"_s).size(), 1003);
    }
};

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("switchyard-test"));
    views::applyTheme(app, views::Theme::Light);
    TestExports test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_exports.moc"
