// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The window keeps what it sees, shows what was seen before, and finds it.
#include "app/archive/archive.h"
#include "app/archive/archive_reader.h"
#include "app/desktop/archive_control.h"
#include "models/items/elections_model.h"
#include "tests/archive/archive_cases.h"
#include "tests/desktop/program.h"
#include "tests/support/patience.h"
#include "views/charts/renew_chart.h"
#include "views/charts/timeline_chart.h"
#include "views/dialogs/archive_dialog.h"
#include "views/pages/dossier_page.h"
#include "views/pages/elections_page.h"
#include "views/pages/history_page.h"
#include "views/widgets/message_dialog.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

using namespace switchyard;
using namespace switchyard::made;

namespace {

template<class T>
T *named(QWidget *in, const QString &accessibleName)
{
    for (T *widget : in->findChildren<T *>()) {
        if (widget->accessibleName() == accessibleName)
            return widget;
    }
    return nullptr;
}

QString textIn(const QTableView *table, int row, int column)
{
    return table->model()->index(row, column).data().toString();
}

int rowWith(const QTableView *table, const QString &text)
{
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            if (textIn(table, row, column).contains(text))
                return row;
        }
    }
    return -1;
}

} // namespace

class TestArchiveWindow : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void whatWasSeenIsShownAndFound();
    void whatWasBeforeIsInPicturesAndDossiers();
    void renewalsOfBeforeAreInTheirPicture();
    void aClusterOpenedTooEarly();
    void whoHeldAnElectionBefore();
    void anotherIsImported();
    void nothingIsKeptOfTheDemo();
    void aFileThatIsNoneIsSaid();
};

void TestArchiveWindow::whatWasSeenIsShownAndFound()
{
    Program p;
    QVERIFY(p.ok);
    const QString file = p.options.archive;
    p.desktop.reset();
    {
        archive::ArchiveOptions options;
        options.location = file;
        archive::Archive before(options);
        before.add({archive::eventRecord("of before", 0), archive::transitionRecord("t1", 10)});
        before.start();
    }
    p.desktop = std::make_unique<desktop::Desktop>(p.options);
    p.desktop->start();
    views::MainWindow *window = p.desktop->window();
    auto *events = named<QTableView>(window, u"Events"_s);
    QVERIFY(events);
    QTRY_VERIFY(rowWith(events, u"archive: "_s) >= 0);
    auto *button = window->findChild<QToolButton *>(u"archive"_s);
    QVERIFY(button);
    QTRY_VERIFY(button->toolTip().contains(file));

    // What this run sees is kept, under the name of its API server
    const auto kept = [&] {
        const auto reader = archive::ArchiveReader::open(file);
        const auto configs = reader ? (*reader)->configs({}) : Result<archive::Page<archive::ConfigRecord>>();
        return configs && !configs->rows.empty() ? configs->rows.front().cluster : archive::ClusterId{};
    };
    QTRY_COMPARE_WITH_TIMEOUT(kept().scope, std::string("acme"), patience);
    QTRY_COMPARE(kept().server.uid.size(), std::size_t(36)); // of its namespace kube-system
    QVERIFY(!kept().incarnation.empty());

    click(button);
    QTRY_VERIFY(p.dialog<views::ArchiveDialog>());
    auto *dialog = p.dialog<views::ArchiveDialog>();
    auto *words = named<QLineEdit>(dialog, u"Search the archive"_s);
    auto *found = dialog->findChild<QTableView *>();
    QTest::keyClicks(words, u"oomkilled"_s);
    QTRY_COMPARE(found->model()->rowCount(), 1);
    found->selectRow(0);
    auto *note = named<QLineEdit>(dialog, u"A new note"_s);
    QVERIFY(note->isEnabled());
    QTest::keyClicks(note, u"the node was too small"_s);
    QTest::keyClick(note, Qt::Key_Return);
    QTRY_VERIFY(named<QPlainTextEdit>(dialog, u"Notes on the transition"_s)->toPlainText().contains(u": the node was too small"_s));
    QVERIFY(!named<QPlainTextEdit>(dialog, u"Notes on the transition"_s)->toPlainText().contains(u" : "_s)); // by somebody
    const auto notes = [&] { return (*archive::ArchiveReader::open(file))->notes({})->rows.size(); };
    QTRY_COMPARE(notes(), std::size_t(1));
    words->clear();
    QTest::keyClicks(words, u"too small"_s);
    QTRY_VERIFY(rowWith(found, u"note"_s) >= 0);
}

void TestArchiveWindow::whatWasBeforeIsInPicturesAndDossiers()
{
    Program p;
    QVERIFY(p.ok);
    const auto kept = [&] {
        const auto reader = archive::ArchiveReader::open(p.options.archive);
        const auto configs = reader ? (*reader)->configs({}) : Result<archive::Page<archive::ConfigRecord>>();
        return configs && !configs->rows.empty() ? configs->rows.front().cluster : archive::ClusterId{};
    };
    QTRY_COMPARE_WITH_TIMEOUT(kept().scope, std::string("acme"), patience);
    QTRY_VERIFY_WITH_TIMEOUT(p.cluster() && !p.cluster()->transitions.empty(), patience);
    const archive::ClusterId id = kept();
    const patroni::ClusterKey key = p.cluster()->names.key;
    const auto gained = p.cluster()->transitions.back().gainedAt;
    QVERIFY(gained);
    const Instant before = p.desktop->monitor()->now().wall - std::chrono::hours(2);
    p.desktop.reset();
    {
        archive::ArchiveOptions options;
        options.location = p.options.archive;
        archive::Archive other(options);
        other.add({archive::RenewRecord{id, before, 6, std::chrono::seconds(10), std::chrono::seconds(11)},
                   archive::SnapshotRecord{id, "acme-config", "9001", *gained - std::chrono::seconds(60), {{"history", "[]"}}}});
        other.start();
    }
    p.desktop = std::make_unique<desktop::Desktop>(p.options);
    p.desktop->start();
    views::MainWindow *window = p.desktop->window();
    QTRY_VERIFY_WITH_TIMEOUT(p.cluster() && !p.cluster()->transitions.empty(), patience);
    Q_EMIT window->clusterOpened(key);
    window->showPage(views::Page::History);
    auto *chart = window->findChild<views::TimelineChart *>();
    QTRY_VERIFY(chart->data().lookedSince == before);
    QVERIFY(!chart->data().blind.empty()); // between then and this run
    QCOMPARE(chart->data().blind.front().from, before + std::chrono::minutes(1));
    window->openDossier({});
    QTRY_VERIFY(window->dossierPage()->findChild<QTextEdit *>()->toPlainText().contains(u"9001"_s));
}

namespace {

simulator::Plan withElection()
{
    simulator::Plan plan = quickPlan();
    simulator::ElectionPlan pooler;
    pooler.ns = "payments";
    pooler.name = "pooler";
    pooler.candidates = {"pooler-0", "pooler-1"};
    plan.elections = {pooler};
    return plan;
}

// What an earlier run kept. Ends the program meanwhile.
void keep(Program &p, const archive::Records &records)
{
    p.desktop.reset();
    archive::ArchiveOptions options;
    options.location = p.options.archive;
    archive::Archive other(options);
    other.add(records);
    other.start();
}

void startAgain(Program &p)
{
    p.desktop = std::make_unique<desktop::Desktop>(p.options);
    p.desktop->start();
}

template<class T>
std::vector<T> rowsOf(const Program &p, Result<archive::Page<T>> (archive::ArchiveReader::*question)(const archive::Query &))
{
    const auto reader = archive::ArchiveReader::open(p.options.archive);
    const auto page = reader ? ((**reader).*question)({}) : Result<archive::Page<T>>();
    return page ? page->rows : std::vector<T>();
}

Instant minuteBefore(const Program &p, Duration ago)
{
    return Instant(std::chrono::floor<std::chrono::minutes>((p.desktop->monitor()->now().wall - ago).time_since_epoch()));
}

} // namespace

void TestArchiveWindow::renewalsOfBeforeAreInTheirPicture()
{
    Program p;
    QVERIFY(p.ok);
    QTRY_VERIFY_WITH_TIMEOUT(!rowsOf(p, &archive::ArchiveReader::renewals).empty(), patience);
    const archive::ClusterId id = rowsOf(p, &archive::ArchiveReader::renewals).front().cluster;
    QVERIFY(!id.incarnation.empty());
    const patroni::ClusterKey key = p.cluster()->names.key;
    const Instant before = minuteBefore(p, std::chrono::hours(2));
    archive::ClusterId former = id;
    former.incarnation = "42";
    keep(p,
         {archive::RenewRecord{id, before, 30, std::chrono::seconds(2), std::chrono::seconds(4)},
          archive::RenewRecord{former, before + std::chrono::minutes(1), 30, std::chrono::seconds(2), std::chrono::seconds(4)}});
    startAgain(p);
    views::MainWindow *window = p.desktop->window();
    QTRY_VERIFY_WITH_TIMEOUT(p.cluster() && !p.cluster()->renewals.empty(), patience);
    Q_EMIT window->clusterOpened(key);
    window->showPage(views::Page::History);
    window->showPicture(u"renewals"_s);
    const auto *page = window->findChild<views::HistoryPage *>();
    const auto *chart = page->findChild<views::RenewChart *>();
    QTRY_VERIFY(!chart->data().minutes.isEmpty());
    QVERIFY(chart->data().minutes.first() == (RenewMinute{before, 30, std::chrono::seconds(2), std::chrono::seconds(4)}));
    for (const RenewMinute &minute : chart->data().minutes)
        QVERIFY(minute.from != before + std::chrono::minutes(1)); // of another cluster of that name
    QTRY_VERIFY(!chart->data().points.isEmpty());
    QCOMPARE(chart->all().from, before);
    auto *table = named<QTableView>(window->findChild<views::HistoryPage *>(), u"Renewals of the lock"_s);
    QTRY_VERIFY(textIn(table, table->model()->rowCount() - 1, 1).startsWith(u"archive"_s));
    const QString pictures = qEnvironmentVariable("SWITCHYARD_SHOTS");
    if (!pictures.isEmpty())
        window->grab().save(pictures + u"/window-renewals.png"_s);
}

// From the command line or by a bookmark, say: before anything of it was seen.
void TestArchiveWindow::aClusterOpenedTooEarly()
{
    Program p;
    QVERIFY(p.ok);
    QTRY_VERIFY_WITH_TIMEOUT(!rowsOf(p, &archive::ArchiveReader::renewals).empty(), patience);
    const archive::ClusterId id = rowsOf(p, &archive::ArchiveReader::renewals).front().cluster;
    const patroni::ClusterKey key = p.cluster()->names.key;
    const Instant before = minuteBefore(p, std::chrono::hours(2));
    archive::TransitionRecord old = archive::transitionRecord("of before", 0); // trimmed from Patroni's history since
    old.cluster = id;
    old.transition.timeline.reset();
    old.transition.gainedAt = before;
    archive::RenewRecord renewals{id, before, 30, std::chrono::seconds(2), std::chrono::seconds(4)};
    keep(p, {renewals, old, archive::NoteRecord{id, "n1", "of before", before, "eva", "the node was too small"}});
    startAgain(p);
    views::MainWindow *window = p.desktop->window();
    QVERIFY(!p.cluster());
    Q_EMIT window->clusterOpened(key);
    window->showPage(views::Page::History);
    auto *chart = window->findChild<views::TimelineChart *>();
    QTRY_VERIFY_WITH_TIMEOUT(chart->data().lookedSince == before, patience);
    const auto shown = [&] {
        auto *table = named<QTableView>(window->findChild<views::HistoryPage *>(), u"Transitions"_s);
        return table && rowWith(table, u"no longer in the history"_s) >= 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(shown(), patience);
}

void TestArchiveWindow::whoHeldAnElectionBefore()
{
    Program p(false, withElection());
    QVERIFY(p.ok);
    const auto kept = [&](std::string_view base) {
        const auto all = rowsOf(p, &archive::ArchiveReader::renewals);
        const auto at = std::find_if(all.begin(), all.end(), [&](const archive::RenewRecord &r) { return r.cluster.base == base; });
        return at == all.end() ? std::optional<archive::ClusterId>() : std::optional(at->cluster);
    };
    QTRY_VERIFY_WITH_TIMEOUT(kept("pooler") && kept("acme"), patience); // as they are renewed, without anybody looking at them
    const archive::ClusterId id = *kept("pooler"), acme = *kept("acme");
    QVERIFY(id.scope.empty() && id.ns == "payments");
    const Instant before = minuteBefore(p, std::chrono::hours(2));
    archive::EventRecord taken{id, {}};
    taken.cluster.base = "";
    taken.event.id = "e1";
    taken.event.type = EventCode::ElectionLeader;
    taken.event.cluster = taken.cluster.key();
    taken.event.wall = before;
    taken.event.object = "pooler";
    taken.event.detail = {{"election", "leases"}, {"how", "taken-over"}, {"from", "pooler-8_a"}, {"to", "pooler-9_b"}};
    const Instant own = before + std::chrono::minutes(1);
    keep(p,
         {archive::RenewRecord{id, before, 30, std::chrono::seconds(2), std::chrono::seconds(4)}, taken,
          archive::RenewRecord{acme, own, 30, std::chrono::seconds(2), std::chrono::seconds(4)}});
    startAgain(p);
    views::MainWindow *window = p.desktop->window();
    window->showPage(views::Page::Elections);
    views::ElectionsPage *page = window->electionsPage();
    const election::Key key{id.context, "payments", "pooler"};
    QTRY_VERIFY_WITH_TIMEOUT(page->model()->rowOf(key) >= 0, patience);
    page->choose(key);
    const auto *chart = page->findChild<views::RenewChart *>();
    QTRY_VERIFY(!chart->data().minutes.isEmpty() && chart->data().minutes.first().from == before);
    const auto *holders = named<QTableView>(page, u"Holders of the election"_s);
    QTRY_VERIFY(rowWith(holders, u"pooler-9_b"_s) >= 0);
    QCOMPARE(textIn(holders, rowWith(holders, u"pooler-9_b"_s), 6), u"archive"_s);
    QVERIFY(rowWith(holders, u"seen"_s) >= 0); // beside those of this run
    // Patroni's own lock has the past of its cluster
    QTRY_VERIFY_WITH_TIMEOUT(p.cluster(), patience);
    const election::Key lock = election::fromCluster(*p.cluster()).key;
    QTRY_VERIFY_WITH_TIMEOUT(page->model()->rowOf(lock) >= 0, patience);
    page->choose(lock);
    QTRY_VERIFY_WITH_TIMEOUT(!chart->data().minutes.isEmpty() && chart->data().minutes.first().from == own, patience);

    // A note on it, as on a transition; it is shown when the election is chosen again
    click(window->findChild<QToolButton *>(u"archive"_s));
    QTRY_VERIFY(p.dialog<views::ArchiveDialog>());
    auto *dialog = p.dialog<views::ArchiveDialog>();
    QTest::keyClicks(named<QLineEdit>(dialog, u"Search the archive"_s), u"pooler-9"_s);
    auto *found = dialog->findChild<QTableView *>();
    QTRY_COMPARE(found->model()->rowCount(), 1);
    found->selectRow(0);
    auto *note = named<QLineEdit>(dialog, u"A new note"_s);
    QVERIFY(note->isEnabled());
    QTest::keyClicks(note, u"as planned"_s);
    QTest::keyClick(note, Qt::Key_Return);
    QTRY_COMPARE(rowsOf(p, &archive::ArchiveReader::notes).size(), std::size_t(1));
    dialog->close();
    page->choose(key);
    QTRY_VERIFY(rowWith(holders, u": as planned"_s) >= 0);
}

void TestArchiveWindow::anotherIsImported()
{
    Program p;
    QVERIFY(p.ok);
    const QString other = p.folder.filePath(u"other.sqlite"_s);
    {
        archive::ArchiveOptions options;
        options.location = other;
        archive::Archive before(options);
        before.add({archive::eventRecord("elsewhere", 0), archive::transitionRecord("t1", 10)});
        before.start();
    }
    views::MainWindow *window = p.desktop->window();
    const auto choose = [&](const QString &file) {
        window->findChild<QAction *>(u"importArchive"_s)->trigger();
        QTRY_VERIFY(p.dialog<QFileDialog>());
        p.dialog<QFileDialog>()->selectFile(file);
        p.dialog<QFileDialog>()->findChild<QLineEdit *>()->setText(file);
        click(p.button(p.dialog<QFileDialog>(), u"Open"_s));
    };
    const auto told = [&] { return p.dialog<views::MessageDialog>() ? p.dialog<views::MessageDialog>()->windowTitle() : QString(); };
    choose(other);
    QTRY_COMPARE(told(), u"Imported"_s);
    const auto kept = rowsOf(p, &archive::ArchiveReader::transitions); // beside those of the simulator's cluster
    QVERIFY(std::count_if(kept.begin(), kept.end(), [](const auto &row) { return row.transition.id == "t1"; }) == 1);
    QTRY_VERIFY(rowWith(named<QTableView>(window, u"Events"_s), u"archive: "_s) >= 0); // shown at once
    p.dialog<views::MessageDialog>()->close();
    QTRY_VERIFY(!p.dialog<views::MessageDialog>());
    choose(p.options.archive);
    QTRY_COMPARE(told(), u"Not imported"_s);
}

void TestArchiveWindow::nothingIsKeptOfTheDemo()
{
    desktop::DesktopOptions options;
    options.demo = true;
    QTemporaryDir folder;
    options.archive = folder.filePath(u"archive.sqlite"_s);
    desktop::Desktop demo(options);
    QVERIFY(!demo.window()->findChild<QToolButton *>(u"archive"_s));
    QVERIFY(!demo.window()->findChild<QAction *>(u"importArchive"_s)->isVisible());
}

void TestArchiveWindow::aFileThatIsNoneIsSaid()
{
    Program p;
    const QString file = p.folder.filePath(u"list"_s);
    QFile list(file);
    QVERIFY(list.open(QIODevice::WriteOnly) && list.write("a shopping list") > 0);
    list.close();
    p.desktop.reset();
    p.options.archive = file;
    p.desktop = std::make_unique<desktop::Desktop>(p.options);
    p.desktop->start();
    auto *button = p.desktop->window()->findChild<QToolButton *>(u"archive"_s);
    QTRY_COMPARE(button->text(), u"Archive: not written"_s);
    QVERIFY(button->toolTip().contains(file) && button->toolTip().contains(u"not an archive"_s));
    QVERIFY(list.open(QIODevice::ReadOnly));
    QCOMPARE(list.readAll(), QByteArray("a shopping list"));
}

QTEST_MAIN(TestArchiveWindow)
#include "tst_archive_window.moc"
