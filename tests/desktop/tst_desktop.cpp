// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The whole program on the simulator: real requests over HTTP, real clicks.
#include "app/desktop/context_book.h"
#include "tests/desktop/program.h"
#include "tests/support/patience.h"
#include "views/dialogs/confirm_write_dialog.h"
#include "views/dialogs/switchover_dialog.h"
#include "views/pages/cluster_page.h"
#include "views/pages/dossier_page.h"
#include "views/style/theme.h"
#include "views/widgets/message_dialog.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QTextBrowser>

using namespace switchyard;
using namespace Qt::StringLiterals;
using patroni::LockState;
using patroni::Outcome;

using made::chooseCandidate;
using made::click;
using made::patience;
using made::Program;
using made::quickPlan;

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestDesktop : public QObject
{
    Q_OBJECT

private:
    // Clicks through to the confirmation of a switchover to `candidate`.
    void goToConfirmation(Program &p, const std::string &candidate)
    {
        p.openClusterPage();
        QTRY_COMPARE(p.desktop->window()->currentPage(), views::Page::Cluster);
        QAbstractButton *open = p.button(p.desktop->window(), u"Switchover"_s);
        QVERIFY(open);
        QTRY_VERIFY(open->isEnabled());
        click(open);
        QTRY_VERIFY(p.dialog<views::SwitchoverDialog>());
        auto *choose = p.dialog<views::SwitchoverDialog>();
        chooseCandidate(choose, QString::fromStdString(candidate));
        QAbstractButton *go = p.button(choose, u"Continue"_s);
        QVERIFY(go && go->isEnabled());
        click(go);
        QTRY_VERIFY(p.dialog<views::ConfirmWriteDialog>());
    }

private Q_SLOTS:
    void switchoverByClicks()
    {
        Program p;
        QVERIFY(p.ok);
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        const std::string from = p.leader(), to = p.replica();
        const auto timeline = p.cluster()->timeline;
        goToConfirmation(p, to);
        auto *confirm = p.dialog<views::ConfirmWriteDialog>();
        QVERIFY(confirm);
        QAbstractButton *act = p.button(
            confirm, u"Switch over payments/acme from %1 to %2"_s.arg(QString::fromStdString(from), QString::fromStdString(to)));
        QVERIFY(act);
        QTRY_VERIFY_WITH_TIMEOUT(act->isEnabled(), patience);    // the API server was asked whether it would accept it
        QVERIFY(!qobject_cast<QPushButton *>(act)->isDefault()); // Enter alone must not write
        QVERIFY(p.audit().isEmpty());
        click(act);
        QTRY_COMPARE_WITH_TIMEOUT(p.outcome(), std::optional(Outcome::Done), patience);
        QTRY_COMPARE_WITH_TIMEOUT(p.leader(), to, patience);
        QVERIFY(p.cluster()->requests.back().leaderBefore == from);
        QTRY_COMPARE_WITH_TIMEOUT(p.cluster()->timeline, std::optional(*timeline + 1), patience);
        QTRY_COMPARE_WITH_TIMEOUT(p.cluster()->requests.back().streaming, 2, patience);
        QTRY_COMPARE_WITH_TIMEOUT(p.audit().size(), 3, patience); // the intent, the answer, then the outcome
        const auto audit = p.audit();
        QCOMPARE(audit.back().value(u"outcome").toString(), u"done"_s);
        const QByteArray intent = QJsonDocument(audit.front()).toJson();
        QVERIFY(intent.contains(to.c_str()) && intent.contains("resourceVersion"));
        QCOMPARE(audit.front().value(u"server").toString(), p.simulator.server());
        QVERIFY(!audit.front().value(u"user").toString().isEmpty());
        QCOMPARE(p.desktop->window()->currentPage(), views::Page::Cluster);
    }

    void cancellingTheDialogsWritesNothing()
    {
        Program p;
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        goToConfirmation(p, p.replica());
        auto *confirm = p.dialog<views::ConfirmWriteDialog>();
        QVERIFY(confirm);
        QTest::keyClick(confirm, Qt::Key_Return); // the default button is Cancel
        QTRY_VERIFY(!p.dialog<views::ConfirmWriteDialog>());
        QVERIFY(p.audit().isEmpty());
        QVERIFY(!p.outcome());
    }

    void readOnlyRefuses()
    {
        Program p(true);
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        p.openClusterPage();
        QAbstractButton *open = p.button(p.desktop->window(), u"Switchover"_s);
        QVERIFY(open);
        QVERIFY(!open->isEnabled());
        Q_EMIT p.desktop->window()->actionRequested(p.cluster()->names.key, rules::ActionKind::Switchover,
                                                    {}); // whatever the button says, the program refuses
        QVERIFY(!p.dialog<views::SwitchoverDialog>());
        QVERIFY(p.audit().isEmpty());
    }

    // The right is missing: the button says which one, the menu and the program refuse too; it comes back while running.
    // The object of requests is created by the first one; from then on it is changed.
    void missingRightDisablesAndSaysWhich_data()
    {
        QTest::addColumn<int>("pastTransitions");
        QTest::addColumn<QString>("verb");
        QTest::newRow("first request") << 0 << u"create"_s;
        QTest::newRow("there was one") << 3 << u"patch"_s;
    }
    void missingRightDisablesAndSaysWhich()
    {
        QFETCH(int, pastTransitions);
        QFETCH(QString, verb);
        simulator::Plan plan = quickPlan();
        plan.clusters.front().pastTransitions = pastTransitions;
        Program p(false, plan);
        p.simulator.setDenied({"create endpoints payments", "patch endpoints payments"});
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        p.openClusterPage();
        QTRY_COMPARE(p.desktop->window()->currentPage(), views::Page::Cluster);
        QAbstractButton *open = p.button(p.desktop->window(), u"Switchover"_s);
        QVERIFY(open);
        QTRY_VERIFY_WITH_TIMEOUT(!open->isEnabled(), patience);
        const QString said = u"%1 endpoints in namespace payments is not permitted for user demo"_s.arg(verb);
        QTRY_COMPARE_WITH_TIMEOUT(open->toolTip(), said, patience);
        const auto labels = p.desktop->window()->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [&](QLabel *l) { return l->isVisible() && l->text() == said; }));
        const auto actions = p.desktop->window()->findChildren<QAction *>();
        const auto action = std::find_if(actions.begin(), actions.end(), [](QAction *a) { return a->text().startsWith(u"&Switch over"); });
        QVERIFY(action != actions.end());
        QVERIFY(!(*action)->isEnabled());
        QCOMPARE((*action)->toolTip(), said);
        Q_EMIT p.desktop->window()->actionRequested(p.cluster()->names.key, rules::ActionKind::Switchover, {}); // whatever the button says
        QTRY_VERIFY(p.dialog<views::MessageDialog>());
        const auto told = p.dialog<views::MessageDialog>()->findChildren<QLabel *>();
        QVERIFY(std::any_of(told.begin(), told.end(), [&](QLabel *l) { return l->text().startsWith(said); }));
        QVERIFY(!p.dialog<views::SwitchoverDialog>());
        QVERIFY(p.audit().isEmpty());
        p.simulator.setDenied({});
        Q_EMIT p.desktop->window()->relistRequested();
        QTRY_VERIFY_WITH_TIMEOUT(open->isEnabled(), patience);
    }

    // Taken away between the look and the write: the server refuses, and from then on the button does.
    void aRefusedWriteIsRemembered()
    {
        Program p;
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        goToConfirmation(p, p.replica());
        QAbstractButton *act = p.button(p.dialog<views::ConfirmWriteDialog>(), u"Switch over"_s);
        QTRY_VERIFY_WITH_TIMEOUT(act && act->isEnabled(), patience); // after the try
        p.simulator.setDenied({"create endpoints payments", "patch endpoints payments"});
        click(act);
        QTRY_COMPARE(p.audit().size(), 2);
        QAbstractButton *open = p.button(p.desktop->window(), u"Switchover"_s);
        QVERIFY(open);
        QTRY_VERIFY_WITH_TIMEOUT(!open->isEnabled(), patience);
        QVERIFY(open->toolTip().contains(u"is not permitted for user demo"_s));
    }

    void silentServerIsStaleNotExpired()
    {
        Program p;
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        p.openClusterPage();
        p.simulator.stopApi();
        QTRY_COMPARE_WITH_TIMEOUT(p.cluster()->view.freshness, patroni::Freshness::Stale, patience);
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Stale, patience);
        QTRY_COMPARE_WITH_TIMEOUT(p.cluster()->health.health, patroni::Health::Unknown, patience);
        QAbstractButton *open = p.button(p.desktop->window(), u"Switchover"_s);
        QVERIFY(open);
        QTRY_VERIFY(!open->isEnabled());
        p.simulator.startApi();
        QTRY_COMPARE_WITH_TIMEOUT(p.cluster()->view.freshness, patroni::Freshness::Live, 2 * patience);
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        for (const Event &event : p.desktop->monitor()->store().events())
            QVERIFY(event.type != EventCode::LockExpired);
    }

    void goingStaleBlocksAnOpenConfirmation()
    {
        Program p;
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        goToConfirmation(p, p.replica());
        auto *confirm = p.dialog<views::ConfirmWriteDialog>();
        QVERIFY(confirm);
        QAbstractButton *act = p.button(confirm, u"Switch over"_s);
        QTRY_VERIFY_WITH_TIMEOUT(act && act->isEnabled(), patience); // after the try
        p.simulator.stopApi();
        QTRY_VERIFY_WITH_TIMEOUT(!act->isEnabled(), patience);
        QVERIFY(p.audit().isEmpty());
    }

    // The kubeconfig leads the context to another server, where a cluster of the same name, leader and state runs.
    void aConfirmationIsForOneServerOnly()
    {
        Program p;
        simulator::Simulator other(quickPlan());
        QString error;
        QVERIFY2(other.start(&error), qPrintable(error));
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        goToConfirmation(p, p.replica());
        QPointer<views::ConfirmWriteDialog> confirm = p.dialog<views::ConfirmWriteDialog>();
        QVERIFY(confirm);
        const auto labels = confirm->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [&](QLabel *l) { return l->text() == p.simulator.server(); }));
        QAbstractButton *act = p.button(confirm, u"Switch over"_s);
        QTRY_VERIFY_WITH_TIMEOUT(act && act->isEnabled(), patience); // after the try
        QFile file(p.folder.filePath(u"kubeconfig"_s));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(other.kubeconfig().toUtf8()) > 0);
        file.close();
        p.desktop->book()->reload();
        QVERIFY(!act->isEnabled()); // at once
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        QCOMPARE(p.desktop->monitor()->connections().front()->server(), other.server());
        QVERIFY(confirm);
        confirm->accept();             // whatever the button says
        QVERIFY(confirm->isVisible()); // it does not let itself be accepted
        QVERIFY(p.audit().isEmpty());  // an intent comes before every request
        QVERIFY(!p.outcome());
    }

    // The API server hangs, the user gives up: the audit file says that the outcome is not known.
    void quittingDuringAWriteIsRecorded()
    {
        QString path;
        {
            Program p;
            QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
            goToConfirmation(p, p.replica());
            QAbstractButton *act = p.button(p.dialog<views::ConfirmWriteDialog>(), u"Switch over"_s);
            QTRY_VERIFY_WITH_TIMEOUT(act && act->isEnabled(), patience); // after the try
            p.simulator.freezeApi();
            click(act);
            QTRY_COMPARE(p.audit().size(), 1);
            path = p.desktop->auditPath();
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray last = file.readAll().trimmed().split('\n').last();
        QVERIFY2(last.contains("abandoned"), last.constData());
    }

    void exportsIntoFiles()
    {
        Program p;
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        auto *window = p.desktop->window();
        views::ExportRequest fields{views::ExportRequest::What::Members, {p.cluster()->names.key}};
        fields.format = u"csv"_s;
        fields.file = p.folder.filePath(u"members.csv"_s);
        Q_EMIT window->exportRequested(fields);
        QTRY_COMPARE(contentOf(fields.file).count('\n'), qsizetype(p.cluster()->members.size()) + 1);
        QVERIFY(contentOf(fields.file).startsWith("context,namespace,scope,"));
        views::ExportRequest rows;
        rows.table = tables::Table{{{"Name", tables::CellType::Text}}, {{std::string("=a")}, {std::string("b")}}};
        rows.format = u"tsv"_s;
        rows.file = p.folder.filePath(u"rows.tsv"_s);
        Q_EMIT window->exportRequested(rows);
        QTRY_COMPARE(contentOf(rows.file), QByteArray("Name\n'=a\nb\n"));
        rows.file = u"/nonexistent-folder/rows.tsv"_s;
        Q_EMIT window->exportRequested(rows);
        QTRY_VERIFY(p.dialog<views::MessageDialog>());
    }

    void crashedLeaderIsLateThenReplaced()
    {
        Program p;
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        const std::string from = p.leader();
        p.simulator.crashLeader("payments", "acme");
        QTRY_VERIFY_WITH_TIMEOUT(!p.leader().empty() && p.leader() != from, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!p.cluster()->transitions.empty() && p.cluster()->transitions.back().fromLive, patience);
        QCOMPARE(p.cluster()->transitions.back().kind, patroni::TransitionKind::LockExpired);
        QCOMPARE(p.cluster()->transitions.back().from, std::optional(from));
        // Its dossier is on its page, and goes into a file.
        p.openClusterPage();
        p.desktop->window()->openDossier({});
        auto *page = p.desktop->window()->dossierPage();
        const QString shown = page->findChild<QTextBrowser *>()->toPlainText();
        QVERIFY2(shown.contains(u"took the lead from %1"_s.arg(QString::fromStdString(from))), qPrintable(shown));
        const QString file = p.folder.filePath(u"dossier.md"_s);
        Q_EMIT page->saveRequested({}, u"md"_s, file);
        QVERIFY(contentOf(file).startsWith("# Change of leadership in payments/acme: "));
    }

    void picturesOfEveryPage_data()
    {
        QTest::addColumn<views::Page>("page");
        QTest::newRow("fleet") << views::Page::Fleet;
        QTest::newRow("cluster") << views::Page::Cluster;
        QTest::newRow("history") << views::Page::History;
        QTest::newRow("events") << views::Page::Events;
    }
    void picturesOfEveryPage()
    {
        QFETCH(views::Page, page);
        Program p;
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        p.openClusterPage();
        p.desktop->window()->showPage(page);
        QTest::qWait(0);
        const QImage image = p.desktop->window()->grab().toImage();
        QSet<QRgb> colours;
        for (int x = 0; x < image.width(); x += 3) {
            for (int y = 0; y < image.height(); y += 3)
                colours.insert(image.pixel(x, y));
        }
        QVERIFY(colours.size() > 10); // not blank
    }
};

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("switchyard-test"));
    views::applyTheme(app, views::Theme::Light);
    TestDesktop test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_desktop.moc"
