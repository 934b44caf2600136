// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Each action through the window by a scripted user, on real Patroni: the program as it is composed, real clicks, both clusters of the lab.
// What came of it is asked of patronictl and PostgreSQL, not of the window. The same by hand: what the window shows as commands is pasted
// into a shell.
#include "app/actions/plan.h"
#include "app/desktop/desktop.h"
#include "tests/lab/lab_control.h"
#include "tests/lab/watched.h"
#include "views/dialogs/choose_dialog.h"
#include "views/dialogs/config_editor.h"
#include "views/dialogs/confirm_write_dialog.h"
#include "views/dialogs/edit_config_dialog.h"
#include "views/dialogs/failover_dialog.h"
#include "views/dialogs/member_dialogs.h"
#include "views/dialogs/restart_dialog.h"
#include "views/dialogs/switchover_dialog.h"
#include "views/dialogs/when_box.h"
#include "views/pages/cluster/action_buttons.h"
#include "views/pages/cluster_page.h"
#include "views/widgets/message_dialog.h"

#include <QAction>
#include <QFile>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace switchyard::lab {

using rules::ActionKind;

namespace {

constexpr int patience = 90000; // ms; far beyond what a healthy lab needs

QString scopeOf(const Side &side)
{
    return QString::fromStdString(side.scope);
}

QString patronictl(const Side &side, const QStringList &arguments)
{
    const CommandResult result = run(QStringList{u"patronictl"_s, side.cluster} + arguments);
    return QString::fromUtf8(result.out + result.err);
}

QString number(const std::string &pod)
{
    return QString::fromStdString(pod).section(u'-', -1);
}

QString startedAt(const Side &side, const std::string &member)
{
    const QString sql = u"select pg_postmaster_start_time()"_s;
    return QString::fromUtf8(run({u"sql"_s, side.cluster, number(member), sql}).out).trimmed();
}

QString logSince(const std::string &member, Instant since)
{
    return QString::fromUtf8(
        run({u"kubectl"_s, u"logs"_s, QString::fromStdString(member), u"--since-time="_s + QString::fromStdString(formatUtc(since))}).out);
}

} // namespace

// The program with a window, as an operator of the lab has it
class Desk
{
public:
    Desk()
    {
        desktop::DesktopOptions options;
        options.kubeconfig = kubeconfig(u"operator"_s);
        options.settingsFile = m_folder.filePath(u"settings.ini"_s);
        program = std::make_unique<desktop::Desktop>(options);
        program->window()->show();
        program->start();
    }

    const patroni::Cluster *cluster(const Side &side) const
    {
        for (const patroni::Cluster *c : program->monitor()->store().clusters()) {
            if (c->names.key.scope == side.scope)
                return c;
        }
        return nullptr;
    }
    bool calm(const Side &side) const
    {
        const patroni::Cluster *c = cluster(side);
        if (!c || c->lock.state != patroni::LockState::Held || !c->leaderName || c->pendingRequest() || c->membersUp() != 3)
            return false;
        return std::ranges::all_of(c->members, [c](const patroni::Member &m) { return m.record.timeline == c->timeline; });
    }
    std::string replica(const Side &side) const
    {
        for (const patroni::Member &m : cluster(side)->members) {
            if (m.record.name != cluster(side)->leaderName)
                return m.record.name;
        }
        return {};
    }
    template<class Widget>
    Widget *shown() const
    {
        for (Widget *w : program->window()->findChildren<Widget *>()) {
            if (w->isVisible())
                return w;
        }
        return nullptr;
    }
    void open(const Side &side) const
    {
        program->window()->openCluster(cluster(side)->names.key, cluster(side), program->monitor()->now());
        program->window()->showPage(views::Page::Cluster);
    }
    static QPushButton *button(const QWidget *in, const QString &text)
    {
        for (QPushButton *b : in->findChildren<QPushButton *>()) {
            if (b->isVisible() && b->text().remove(u'&').startsWith(text))
                return b;
        }
        return nullptr;
    }

    std::unique_ptr<desktop::Desktop> program;

private:
    QTemporaryDir m_folder;
};

class TestLabWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_desk = std::make_unique<Desk>(); }
    void cleanup() { m_desk.reset(); }
    void switchover_data() { bothSides(); }
    void switchover();
    void failover_data() { bothSides(); }
    void failover();
    void scheduleAndCancel_data() { bothSides(); }
    void scheduleAndCancel();
    void pauseAndResume_data() { bothSides(); }
    void pauseAndResume();
    void editConfig_data() { bothSides(); }
    void editConfig();
    void restart_data() { bothSides(); }
    void restart();
    void reload_data() { bothSides(); }
    void reload();
    void reinitialize_data() { bothSides(); }
    void reinitialize();
    void pastedCommands_data() { bothSides(); }
    void pastedCommands();

private:
    static void bothSides()
    {
        QTest::addColumn<int>("index");
        QTest::newRow("Endpoints") << 0;
        QTest::newRow("ConfigMaps") << 1;
    }
    const Side &ready();
    void choose(const QString &member);
    void go(const QString &verb);
    void press(const QWidget *in, const QString &text);
    void closeMessages();
    void paste(const QString &line);

    std::unique_ptr<Desk> m_desk;
};

// The page of this row's cluster, calm
const Side &TestLabWindow::ready()
{
    QFETCH(const int, index);
    const Side &side = sides()[static_cast<std::size_t>(index)];
    if (QTest::qWaitFor([&] { return m_desk->calm(side); }, 2 * patience))
        m_desk->open(side);
    return side;
}

void TestLabWindow::press(const QWidget *in, const QString &text)
{
    QTRY_VERIFY2_WITH_TIMEOUT(Desk::button(in, text) && Desk::button(in, text)->isEnabled(), qPrintable(text), patience);
    QTest::mouseClick(Desk::button(in, text), Qt::LeftButton);
}

void TestLabWindow::choose(const QString &member)
{
    auto *dialog = m_desk->shown<views::ChooseDialog>();
    QVERIFY(dialog);
    const auto *table = dialog->findChild<QTableWidget *>();
    for (int row = 0; row < table->rowCount(); ++row) {
        for (int column = 0; column < table->columnCount(); ++column) {
            const QTableWidgetItem *item = table->item(row, column);
            if (item && item->text() == member)
                QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(item).center());
        }
    }
    QTRY_COMPARE_WITH_TIMEOUT(dialog->wish().candidate, std::optional(member.toStdString()), patience);
}

// The last click: only when the API server has accepted a try that stores nothing
void TestLabWindow::go(const QString &verb)
{
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->shown<views::ConfirmWriteDialog>(), patience);
    press(m_desk->shown<views::ConfirmWriteDialog>(), verb);
    QTRY_VERIFY_WITH_TIMEOUT(!m_desk->shown<views::ConfirmWriteDialog>(), patience);
}

void TestLabWindow::closeMessages()
{
    while (auto *said = m_desk->shown<views::MessageDialog>()) {
        qInfo("said: %s", qPrintable(said->windowTitle()));
        said->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

void TestLabWindow::switchover()
{
    const Side &side = ready();
    const std::string to = m_desk->replica(side);
    const auto history = patroniHistory(side.cluster, scopeOf(side)).size();
    QTest::mouseClick(m_desk->shown<views::ActionButtons>()->button(ActionKind::Switchover), Qt::LeftButton);
    QTRY_VERIFY(m_desk->shown<views::SwitchoverDialog>());
    choose(QString::fromStdString(to));
    press(m_desk->shown<views::SwitchoverDialog>(), u"Continue"_s);
    go(u"Switch over"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(side) && m_desk->cluster(side)->leaderName == to, patience);
    QCOMPARE(code(m_desk->cluster(side)->requests.back().outcome), code(patroni::Outcome::Done));
    QVERIFY(patronictl(side, {u"list"_s, scopeOf(side)}).contains(QRegularExpression(QString::fromStdString(to) + u".*Leader"_s)));
    QCOMPARE(patroniHistory(side.cluster, scopeOf(side)).size(), history + 1);
}

void TestLabWindow::failover()
{
    const Side &side = ready();
    const std::string to = m_desk->replica(side);
    QTest::mouseClick(m_desk->shown<views::ActionButtons>()->button(ActionKind::Failover), Qt::LeftButton);
    QTRY_VERIFY(m_desk->shown<views::FailoverDialog>());
    choose(QString::fromStdString(to));
    press(m_desk->shown<views::FailoverDialog>(), u"Continue"_s);
    go(u"Fail over"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(side) && m_desk->cluster(side)->leaderName == to, patience);
    QCOMPARE(code(m_desk->cluster(side)->transitions.back().kind), code(patroni::TransitionKind::Failover));
    QVERIFY(patronictl(side, {u"list"_s, scopeOf(side)}).contains(QRegularExpression(QString::fromStdString(to) + u".*Leader"_s)));
}

void TestLabWindow::scheduleAndCancel()
{
    const Side &side = ready();
    const std::string leader = *m_desk->cluster(side)->leaderName;
    QTest::mouseClick(m_desk->shown<views::ActionButtons>()->button(ActionKind::Switchover), Qt::LeftButton);
    QTRY_VERIFY(m_desk->shown<views::SwitchoverDialog>());
    auto *dialog = m_desk->shown<views::SwitchoverDialog>();
    choose(QString::fromStdString(m_desk->replica(side)));
    dialog->findChild<views::WhenBox *>()->choose(std::chrono::floor<std::chrono::minutes>(m_desk->program->monitor()->now().wall)
                                                  + std::chrono::minutes(10));
    press(dialog, u"Continue"_s);
    go(u"S"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->cluster(side)->pendingRequest(), patience);
    QVERIFY2(patronictl(side, {u"list"_s, scopeOf(side)}).contains(u"scheduled"_s, Qt::CaseInsensitive), "patronictl knows of no schedule");
    auto *cancel = m_desk->shown<views::ActionButtons>()->button(ActionKind::CancelRequest);
    QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible() && cancel->isEnabled(), patience);
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->shown<views::ConfirmWriteDialog>(), patience);
    go(u"Cancel "_s); // "Cancel the switchover of ..."; the button that closes the dialog says only "Cancel"
    QTRY_VERIFY_WITH_TIMEOUT(!m_desk->cluster(side)->pendingRequest(), patience);
    QCOMPARE(code(m_desk->cluster(side)->requests.back().outcome), code(patroni::Outcome::Cancelled));
    QVERIFY(!patronictl(side, {u"list"_s, scopeOf(side)}).contains(u"scheduled"_s, Qt::CaseInsensitive));
    QCOMPARE(m_desk->cluster(side)->leaderName.value_or(""), leader);
}

void TestLabWindow::pauseAndResume()
{
    const Side &side = ready();
    m_desk->shown<views::ActionButtons>()->action(ActionKind::Pause)->trigger();
    go(u"Pause"_s);
    QTRY_VERIFY_WITH_TIMEOUT(patronictl(side, {u"list"_s, scopeOf(side)}).contains(u"Maintenance mode: on"_s), patience);
    const auto seenByAll = [&] {
        return std::ranges::all_of(m_desk->cluster(side)->members, [](const patroni::Member &m) { return m.record.pauseSeen; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(seenByAll(), patience);
    m_desk->shown<views::ActionButtons>()->action(ActionKind::Resume)->trigger();
    go(u"Resume"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!patronictl(side, {u"list"_s, scopeOf(side)}).contains(u"Maintenance mode: on"_s), patience);
}

void TestLabWindow::editConfig()
{
    const Side &side = ready();
    m_desk->shown<views::ActionButtons>()->action(ActionKind::EditConfig)->trigger();
    QTRY_VERIFY(m_desk->shown<views::EditConfigDialog>());
    auto *dialog = m_desk->shown<views::EditConfigDialog>();
    const QString before = dialog->editor()->toPlainText();
    QVERIFY2(before.contains(u"maximum_lag_on_failover: 1048576"_s), qPrintable(before));
    dialog->editor()->setPlainText(QString(before).replace(u"maximum_lag_on_failover: 1048576"_s, u"maximum_lag_on_failover: 2097152"_s));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->goButton()->isEnabled(), patience);
    QTest::mouseClick(dialog->goButton(), Qt::LeftButton);
    go(u"Write"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->cluster(side)->config->config.maximumLagOnFailover, std::optional<std::uint64_t>(2097152), patience);
    const QString shown = patronictl(side, {u"show-config"_s, scopeOf(side)});
    QVERIFY2(shown.contains(u"maximum_lag_on_failover: 2097152"_s), qPrintable(shown));
    QVERIFY(shown.contains(u"use_pg_rewind: true"_s)); // and nothing else is lost
    patronictl(side, {u"edit-config"_s, scopeOf(side), u"--force"_s, u"--set"_s, u"maximum_lag_on_failover=1048576"_s});
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->cluster(side)->config->config.maximumLagOnFailover, std::optional<std::uint64_t>(1048576), patience);
}

void TestLabWindow::restart()
{
    const Side &side = ready();
    const std::string member = m_desk->replica(side);
    const QString before = startedAt(side, member);
    QVERIFY(!before.isEmpty());
    m_desk->shown<views::ActionButtons>()->action(ActionKind::Restart)->trigger();
    QTRY_VERIFY(m_desk->shown<views::RestartDialog>());
    auto *dialog = m_desk->shown<views::RestartDialog>();
    dialog->preselect(member);
    QCOMPARE(dialog->wish().members, std::vector<std::string>{member});
    QTRY_VERIFY(dialog->goButton()->isEnabled());
    QTest::mouseClick(dialog->goButton(), Qt::LeftButton);
    go(u"Restart"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->shown<views::MessageDialog>(), patience);
    closeMessages();
    QString after;
    QTRY_VERIFY_WITH_TIMEOUT(!(after = startedAt(side, member)).isEmpty() && after != before, patience);
}

void TestLabWindow::reload()
{
    const Side &side = ready();
    const std::string member = m_desk->replica(side);
    const Instant since = m_desk->program->monitor()->now().wall;
    m_desk->shown<views::ActionButtons>()->action(ActionKind::Reload)->trigger();
    QTRY_VERIFY(m_desk->shown<views::MembersDialog>());
    auto *dialog = m_desk->shown<views::MembersDialog>();
    dialog->preselect(member);
    QTRY_VERIFY(dialog->goButton()->isEnabled());
    QTest::mouseClick(dialog->goButton(), Qt::LeftButton);
    go(u"Reload"_s);
    QTRY_VERIFY_WITH_TIMEOUT(logSince(member, since).contains(u"nothing to reload"_s) || logSince(member, since).contains(u"Reloading"_s),
                             patience);
    closeMessages();
}

void TestLabWindow::reinitialize()
{
    const Side &side = ready();
    const std::string member = m_desk->replica(side);
    const Instant since = m_desk->program->monitor()->now().wall;
    m_desk->shown<views::ActionButtons>()->action(ActionKind::Reinitialize)->trigger();
    QTRY_VERIFY(m_desk->shown<views::ReinitializeDialog>());
    auto *dialog = m_desk->shown<views::ReinitializeDialog>();
    dialog->preselect(member);
    QTRY_VERIFY(dialog->goButton()->isEnabled());
    QTest::mouseClick(dialog->goButton(), Qt::LeftButton);
    go(u"Reinitialize"_s);
    QTRY_VERIFY_WITH_TIMEOUT(logSince(member, since).contains(u"replica has been created"_s), patience);
    closeMessages();
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(side), patience);
}

// In a shell, where patronictl finds the lab's cluster and kubectl the operator's kubeconfig
void TestLabWindow::paste(const QString &line)
{
    QVERIFY(!line.isEmpty());
    const Side &side = sides()[static_cast<std::size_t>(*static_cast<int *>(QTest::qData("index", QMetaType::Int)))];
    const QTemporaryDir bin;
    QFile script(bin.filePath(u"patronictl"_s));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\nexec \"$LAB\" patronictl " + side.cluster.toUtf8() + " \"$@\"\n");
    script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    script.close();
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, bin.path() + u':' + environment.value(u"PATH"_s));
    environment.insert(u"KUBECONFIG"_s, kubeconfig(u"operator"_s));
    shell.setProcessEnvironment(environment);
    shell.setProcessChannelMode(QProcess::MergedChannels);
    shell.start(u"sh"_s, {u"-c"_s, line});
    QVERIFY(QTest::qWaitFor([&] { return shell.state() == QProcess::NotRunning; }, 2 * patience));
    const QByteArray said = shell.readAll();
    QVERIFY2(shell.exitCode() == 0, qPrintable(line + u'\n' + QString::fromUtf8(said)));
}

void TestLabWindow::pastedCommands()
{
    const Side &side = ready();
    const auto now = [this] { return m_desk->program->monitor()->now().wall; };
    const auto planned = [&](const rules::ActionWish &wish) {
        const auto writes = actions::plan(*m_desk->cluster(side), wish);
        return writes && !writes->empty() ? QString::fromStdString(actions::kubectlLine(writes->front())) : QString();
    };
    const auto byHand = [&](const rules::ActionWish &wish) {
        return QString::fromStdString(actions::patronictlLine(*m_desk->cluster(side), wish));
    };
    const auto leads = [&](const std::string &member) { return m_desk->calm(side) && m_desk->cluster(side)->leaderName == member; };
    const auto wishOf = [](ActionKind kind) {
        rules::ActionWish wish;
        wish.kind = kind;
        return wish;
    };

    std::string to = m_desk->replica(side);
    paste(planned(rules::switchoverWish(*m_desk->cluster(side)->leaderName, to)));
    QTRY_VERIFY_WITH_TIMEOUT(leads(to), patience);
    to = m_desk->replica(side);
    paste(byHand(rules::switchoverWish(*m_desk->cluster(side)->leaderName, to)));
    QTRY_VERIFY_WITH_TIMEOUT(leads(to), patience);
    to = m_desk->replica(side);
    paste(byHand(rules::failoverWish(to)));
    QTRY_VERIFY_WITH_TIMEOUT(leads(to), patience);

    const Instant later = std::chrono::floor<std::chrono::seconds>(now()) + std::chrono::minutes(10);
    for (const bool kubectl : {true, false}) {
        const auto wish = rules::switchoverWish(*m_desk->cluster(side)->leaderName, m_desk->replica(side), later);
        paste(kubectl ? planned(wish) : byHand(wish));
        QTRY_VERIFY_WITH_TIMEOUT(m_desk->cluster(side)->pendingRequest(), patience);
        QCOMPARE(m_desk->cluster(side)->failover->scheduledAt, std::optional(later));
        paste(kubectl ? byHand(wishOf(ActionKind::CancelRequest)) : planned(wishOf(ActionKind::CancelRequest)));
        QTRY_VERIFY_WITH_TIMEOUT(!m_desk->cluster(side)->pendingRequest(), patience);
        QCOMPARE(code(m_desk->cluster(side)->requests.back().outcome), code(patroni::Outcome::Cancelled));
    }

    const auto isPaused = [&](bool paused) { return m_desk->cluster(side)->config->config.paused == paused; };
    paste(planned(wishOf(ActionKind::Pause)));
    QTRY_VERIFY_WITH_TIMEOUT(isPaused(true), patience);
    paste(byHand(wishOf(ActionKind::Resume)));
    QTRY_VERIFY_WITH_TIMEOUT(isPaused(false), patience);

    auto restart = wishOf(ActionKind::Restart);
    restart.members = {m_desk->replica(side)};
    for (const QString &line : {byHand(restart), planned(restart)}) {
        const QString before = startedAt(side, restart.members.front());
        paste(line);
        QString after;
        QTRY_VERIFY_WITH_TIMEOUT(!(after = startedAt(side, restart.members.front())).isEmpty() && after != before, patience);
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(side), patience);
}

} // namespace switchyard::lab

QTEST_MAIN(switchyard::lab::TestLabWindow)
#include "tst_lab_window.moc"
