// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Every action but the requests, by clicks in the whole program on the simulator, as far as its answer and what comes of it.
#include "app/actions/plan.h"
#include "app/actions/writer.h"
#include "app/desktop/context_book.h"
#include "app/desktop/desktop.h"
#include "app/simulator/simulator.h"
#include "tests/support/patience.h"
#include "views/dialogs/config_editor.h"
#include "views/dialogs/confirm_write_dialog.h"
#include "views/dialogs/edit_config_dialog.h"
#include "views/dialogs/member_dialogs.h"
#include "views/dialogs/restart_dialog.h"
#include "views/dialogs/results_dialog.h"
#include "views/pages/audit_page.h"
#include "views/pages/cluster/action_buttons.h"
#include "views/pages/cluster/members_view.h"
#include "views/pages/cluster_page.h"
#include "views/pages/contexts_page.h"
#include "views/pages/fleet_page.h"
#include "views/widgets/message_dialog.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace Qt::StringLiterals;
using patroni::LockState;
using rules::ActionKind;

namespace {

constexpr int patience = 30000; // ms; far beyond what a healthy run needs

simulator::ClusterPlan quick(const std::string &scope)
{
    simulator::ClusterPlan plan;
    plan.ns = "payments";
    plan.scope = scope;
    plan.ttl = 20;
    plan.loopWait = 2;
    plan.retryTimeout = 3;
    plan.version = "4.1.0";
    return plan;
}

class Program
{
public:
    explicit Program(const std::vector<std::string> &scopes = {"acme"})
        : simulator(planOf(scopes))
    {
        QString error;
        ok = simulator.start(&error);
        QFile file(folder.filePath(u"kubeconfig"_s));
        ok = ok && file.open(QIODevice::WriteOnly) && file.write(simulator.kubeconfig().toUtf8()) > 0;
        file.close();
        desktop::DesktopOptions options;
        options.kubeconfig = file.fileName();
        options.settingsFile = folder.filePath(u"settings.ini"_s);
        program = std::make_unique<desktop::Desktop>(options);
        QFile::remove(program->auditPath());
        program->start();
        wanted = scopes.size();
    }

    views::MainWindow *window() const { return program->window(); }
    std::vector<const patroni::Cluster *> clusters() const { return program->monitor()->store().clusters(); }
    const patroni::Cluster *cluster() const { return clusters().empty() ? nullptr : clusters().front(); }
    // Everything is seen, and every lock is known to be held.
    bool ready() const
    {
        const auto all = clusters();
        return all.size() == wanted && std::all_of(all.begin(), all.end(), [](const patroni::Cluster *c) {
                   return c->lock.state == LockState::Held && c->members.size() == 3 && c->config && c->config->config.present;
               });
    }
    bool paused() const { return cluster()->config->config.paused; }
    std::string replica() const
    {
        for (const auto &member : cluster()->members)
            if (member.record.name != cluster()->leaderName)
                return member.record.name;
        return {};
    }
    template<class Widget>
    Widget *shown() const
    {
        for (Widget *w : window()->findChildren<Widget *>())
            if (w->isVisible())
                return w;
        return nullptr;
    }
    void openCluster() const
    {
        window()->openCluster(cluster()->names.key, cluster(), program->monitor()->now());
        window()->showPage(views::Page::Cluster);
    }
    // As another console would, past the window.
    void writeBehind(const rules::ActionWish &wish) const
    {
        const auto planned = actions::plan(*cluster(), wish);
        QVERIFY(planned && planned->size() == 1);
        Connection *connection = program->monitor()->connection(QString::fromStdString(cluster()->names.key.context));
        actions::transportOf(connection->client()).write(planned->front().write, program.get(), [](const kube::Response &) {});
    }
    QAction *more(ActionKind kind) const { return shown<views::ActionButtons>()->action(kind); }

    QTemporaryDir folder;
    simulator::Simulator simulator;
    std::unique_ptr<desktop::Desktop> program;
    std::size_t wanted = 0;
    bool ok = false;

private:
    static simulator::Plan planOf(const std::vector<std::string> &scopes)
    {
        simulator::Plan plan;
        for (const std::string &scope : scopes)
            plan.clusters.push_back(quick(scope));
        plan.speed = 5;
        return plan;
    }
};

QPushButton *button(const QWidget &in, const QString &text)
{
    for (QPushButton *b : in.findChildren<QPushButton *>())
        if (b->isVisible() && b->text().remove(u'&').startsWith(text))
            return b;
    return nullptr;
}

QString wordsOf(const QWidget &widget)
{
    QStringList all;
    for (const QLabel *label : widget.findChildren<QLabel *>())
        if (label->isVisible())
            all << label->text();
    return all.join(u'\n');
}

} // namespace

class TestActions : public QObject
{
    Q_OBJECT

private:
    // The last click before something is written.
    void confirm(Program &p, const QString &verb)
    {
        QTRY_VERIFY_WITH_TIMEOUT(p.shown<views::ConfirmWriteDialog>(), patience);
        auto *dialog = p.shown<views::ConfirmWriteDialog>();
        QPushButton *go = button(*dialog, verb);
        QVERIFY2(go, qPrintable(verb));
        QTRY_VERIFY_WITH_TIMEOUT(go->isEnabled(), patience); // the API server was asked whether it would accept it
        QTest::mouseClick(go, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!p.shown<views::ConfirmWriteDialog>(), patience);
    }

    void closeMessages(Program &p)
    {
        while (auto *said = p.shown<views::MessageDialog>()) {
            said->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    }

private Q_SLOTS:
    void pauseUntilAllHaveSeenItAndResume()
    {
        Program p;
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), patience);
        p.openCluster();
        QVERIFY(!p.more(ActionKind::Resume)->isEnabled());
        p.more(ActionKind::Pause)->trigger();
        confirm(p, u"Pause"_s);
        QTRY_VERIFY_WITH_TIMEOUT(p.paused(), patience);
        auto *page = p.shown<views::ClusterPage>();
        QTRY_VERIFY_WITH_TIMEOUT(wordsOf(*page).contains(u"Paused since "_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(wordsOf(*page).contains(u"All 3 members have seen it"_s), patience);
        QVERIFY(p.more(ActionKind::Pause)->toolTip().contains(u"paused already"_s));
        p.more(ActionKind::Resume)->trigger();
        confirm(p, u"Resume"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!p.paused(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(!wordsOf(*page).contains(u"members have seen it"_s), patience);
    }

    // Somebody else changes the configuration while the editor is open.
    void editedWhileSomebodyElseDoes()
    {
        Program p;
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), patience);
        p.openCluster();
        p.more(ActionKind::EditConfig)->trigger();
        QTRY_VERIFY(p.shown<views::EditConfigDialog>());
        auto *dialog = p.shown<views::EditConfigDialog>();
        const QString before = dialog->editor()->toPlainText();
        QVERIFY(before.contains(u"ttl: 20"_s));
        dialog->editor()->setPlainText(QString(before).replace(u"ttl: 20"_s, u"ttl: 25"_s));
        QTRY_VERIFY(dialog->goButton()->isEnabled());
        // another console pauses the cluster
        rules::ActionWish theirs;
        theirs.kind = ActionKind::Pause;
        p.writeBehind(theirs);
        QTRY_VERIFY_WITH_TIMEOUT(p.paused(), patience);
        QTRY_VERIFY(!dialog->goButton()->isEnabled());
        QTest::mouseClick(button(*dialog, u"Put both together"_s), Qt::LeftButton);
        QTRY_VERIFY(dialog->goButton()->isEnabled());
        QTest::mouseClick(dialog->goButton(), Qt::LeftButton);
        confirm(p, u"Write"_s);
        QTRY_COMPARE_WITH_TIMEOUT(p.cluster()->config->config.ttl, 25, patience);
        QVERIFY(p.paused()); // the other change is still there
    }

    void restartFromTheMembersRow()
    {
        Program p;
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), patience);
        p.openCluster();
        const QString member = QString::fromStdString(p.replica());
        QMenu *menu = p.shown<views::MembersView>()->memberMenu(member);
        QVERIFY(menu);
        for (QAction *action : menu->actions())
            if (action->text().remove(u'&').startsWith(u"Restart"_s))
                action->trigger();
        delete menu;
        QTRY_VERIFY(p.shown<views::RestartDialog>());
        QCOMPARE(p.shown<views::RestartDialog>()->wish().members, std::vector<std::string>{member.toStdString()});
        QTest::mouseClick(p.shown<views::RestartDialog>()->goButton(), Qt::LeftButton);
        confirm(p, u"Restart"_s);
        QTRY_VERIFY_WITH_TIMEOUT(p.shown<views::MessageDialog>(), patience); // what Patroni said
        closeMessages(p);
    }

    // No object tells whether a member has read its files again: that is said, and not called a failure.
    void reloadCannotBeObserved()
    {
        Program p;
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), patience);
        p.openCluster();
        p.more(ActionKind::Reload)->trigger();
        QTRY_VERIFY(p.shown<views::ActionDialog>());
        p.shown<views::ActionDialog>()->preselect(p.replica());
        QTest::mouseClick(p.shown<views::ActionDialog>()->goButton(), Qt::LeftButton);
        confirm(p, u"Reload"_s);
        QTRY_VERIFY_WITH_TIMEOUT(p.shown<views::MessageDialog>(), patience);
        closeMessages(p);
        p.window()->showPage(views::Page::Audit);
        auto *page = p.shown<views::AuditPage>();
        QTRY_COMPARE(page->table()->model()->rowCount(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(page->selected()->outcome, u"not-observable"_s, patience);
        QVERIFY(page->details().contains(u"Outcome: not observable"_s));
    }

    void reinitialize()
    {
        Program p;
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), patience);
        p.openCluster();
        p.more(ActionKind::Reinitialize)->trigger();
        QTRY_VERIFY(p.shown<views::ReinitializeDialog>());
        auto *dialog = p.shown<views::ReinitializeDialog>();
        QVERIFY(!dialog->goButton()->isEnabled());
        dialog->preselect(p.replica());
        QTest::mouseClick(dialog->goButton(), Qt::LeftButton);
        confirm(p, u"Reinitialize"_s);
        QTRY_VERIFY_WITH_TIMEOUT(p.shown<views::MessageDialog>(), patience);
        closeMessages(p);
        p.window()->showPage(views::Page::Audit);
        QTRY_COMPARE_WITH_TIMEOUT(p.shown<views::AuditPage>()->selected() ? p.shown<views::AuditPage>()->selected()->outcome : QString(),
                                  u"came-back"_s, patience);
    }

    void auditPageShowsIt()
    {
        Program p;
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), patience);
        p.window()->showPage(views::Page::Audit);
        QCOMPARE(p.shown<views::AuditPage>()->table()->model()->rowCount(), 0);
        p.openCluster();
        p.more(ActionKind::Pause)->trigger();
        confirm(p, u"Pause"_s);
        QTRY_VERIFY_WITH_TIMEOUT(p.paused(), patience);
        // The answer may come after the change itself, and leads to the page of the cluster.
        auto *page = p.window()->auditPage();
        const auto selected = [&] {
            p.window()->showPage(views::Page::Audit);
            return page->selected() ? *page->selected() : items::AuditRow();
        };
        QTRY_COMPARE_WITH_TIMEOUT(selected().result, u"done"_s, patience);
        QCOMPARE(page->table()->model()->rowCount(), 1);
        QCOMPARE(page->selected()->action, u"pause"_s);
        // what came of it: every member reports it
        QTRY_COMPARE_WITH_TIMEOUT(selected().outcome, u"in-force"_s, patience);
        QVERIFY(page->details().contains(u"Outcome: in force"_s));
        // somebody else takes it back
        rules::ActionWish theirs;
        theirs.kind = ActionKind::Resume;
        p.writeBehind(theirs);
        QTRY_COMPARE_WITH_TIMEOUT(page->selected()->outcome, u"changed-again"_s, patience);
        QCOMPARE(page->selected()->outcomeDetail, u"changed=pause"_s);
        QVERIFY(page->details().contains(u"\"resourceVersion\""_s));
        QVERIFY(page->details().contains(u"pause"_s));
    }

    void readOnlyContext()
    {
        Program p;
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), patience);
        const QString context = QString::fromStdString(p.cluster()->names.key.context);
        p.openCluster();
        QVERIFY(p.shown<views::ActionButtons>()->button(ActionKind::Switchover)->isEnabled());
        Q_EMIT p.window()->contextsPage()->readOnlyChosen({context}, true);
        QVERIFY(p.program->book()->guard(context).readOnly);
        auto *page = p.shown<views::ClusterPage>();
        QTRY_VERIFY(!p.shown<views::ActionButtons>()->button(ActionKind::Switchover)->isEnabled());
        QVERIFY2(wordsOf(*page).contains(u"read-only"_s), qPrintable(wordsOf(*page)));
        for (int i = 0; i < rules::actionCount; ++i)
            if (const QAction *action = p.more(static_cast<ActionKind>(i)))
                QVERIFY2(!action->isEnabled(), qPrintable(action->text()));
        // whatever the buttons say, the program refuses
        Q_EMIT p.window()->actionRequested(p.cluster()->names.key, ActionKind::Pause, {});
        QTRY_VERIFY(p.shown<views::MessageDialog>());
        QVERIFY(!p.shown<views::ConfirmWriteDialog>());
        QVERIFY(!QFile::exists(p.program->auditPath()));
        closeMessages(p);
        Q_EMIT p.window()->contextsPage()->readOnlyChosen({context}, false);
        QTRY_VERIFY(p.shown<views::ActionButtons>()->button(ActionKind::Switchover)->isEnabled());
    }

    // The name of the cluster is typed before anything can be confirmed.
    void protectedContext()
    {
        Program p;
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), patience);
        Q_EMIT p.window()->contextsPage()->protectedChosen({QString::fromStdString(p.cluster()->names.key.context)}, true);
        p.openCluster();
        p.more(ActionKind::Pause)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(p.shown<views::ConfirmWriteDialog>(), patience);
        auto *dialog = p.shown<views::ConfirmWriteDialog>();
        QPushButton *go = button(*dialog, u"Pause"_s);
        auto *field = dialog->findChild<QLineEdit *>();
        QVERIFY(go && field);
        QTest::keyClicks(field, u"acm"_s);
        QVERIFY(!go->isEnabled());
        QTest::keyClicks(field, u"e"_s);
        QTRY_VERIFY_WITH_TIMEOUT(go->isEnabled(), patience);
        QTest::mouseClick(go, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(p.paused(), patience);
    }

    void pauseOfSeveral()
    {
        Program p({"acme", "ledger", "audit"});
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), patience);
        p.window()->showPage(views::Page::Fleet);
        auto *fleet = p.shown<views::FleetPage>();
        QTRY_COMPARE(fleet->table()->model()->rowCount(), 3);
        fleet->table()->selectAll();
        QCOMPARE(fleet->selectedKeys().size(), std::size_t(3));
        Q_EMIT p.window()->actionForAllRequested(fleet->selectedKeys(), ActionKind::Pause);
        QTRY_VERIFY_WITH_TIMEOUT(p.shown<views::ConfirmWriteDialog>(), patience);
        confirm(p, u"Pause 3 cluster"_s);
        const auto allPaused = [&p] {
            const auto all = p.clusters();
            return std::all_of(all.begin(), all.end(), [](const patroni::Cluster *c) { return c->config->config.paused; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(allPaused(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(p.shown<views::ResultsDialog>(), patience); // one line for each
        auto *results = p.shown<views::ResultsDialog>();
        QCOMPARE(results->table()->rowCount(), 3);
        QVERIFY2(results->text().contains(u"3 done"_s), qPrintable(results->text()));
        for (const char *scope : {"acme", "ledger", "audit"})
            QVERIFY(results->text().contains(QLatin1String(scope)));
        results->close();
    }
};

QTEST_MAIN(TestActions)
#include "tst_actions.moc"
