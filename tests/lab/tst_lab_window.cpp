// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Each action through the window by a scripted user, on real Patroni: the program as it is composed, real clicks, both clusters of the lab.
// What came of it is asked of patronictl, PostgreSQL or the members' logs, not of the window.
// Not here: demoting and promoting a cluster. They need Patroni 4.1, which no Debian release has; tests/actions and tests/desktop have them
// against a server that is made.
#include "tests/lab/desk.h"
#include "views/dialogs/config_editor.h"
#include "views/dialogs/edit_config_dialog.h"
#include "views/dialogs/results_dialog.h"
#include "views/pages/cluster/rescue_banner.h"
#include "views/widgets/message_dialog.h"

#include <QCheckBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QTextCursor>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace switchyard::lab {

using rules::ActionKind;

class TestLabWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_desk = std::make_unique<Desk>(); }
    void cleanup() { m_desk.reset(); }
    void switchover_data() { bothSides(); }
    void switchover();
    void switchoverByRest_data() { bothSides(); }
    void switchoverByRest();
    void failover_data() { bothSides(); }
    void failover();
    void failoverOfDead_data() { bothSides(); }
    void failoverOfDead();
    void scheduleAndCancel_data() { bothSides(); }
    void scheduleAndCancel();
    void repair_data() { bothSides(); }
    void repair();
    void pauseAndResume_data() { bothSides(); }
    void pauseAndResume();
    void severalClusters();
    void editConfig_data() { bothSides(); }
    void editConfig();
    void restart_data() { bothSides(); }
    void restart();
    void restartLater_data() { bothSides(); }
    void restartLater();
    void reload_data() { bothSides(); }
    void reload();
    void reinitialize_data() { bothSides(); }
    void reinitialize();

private:
    const Side &ready();
    QString listed(const Side &side) const { return patronictl(side, {u"list"_s, scopeOf(side)}); }
    bool isPaused(const Side &side) const { return listed(side).contains(u"Maintenance mode: on"_s); }
    bool leadsCalmly(const Side &side, const std::string &member) const { return m_desk->calm(side) && m_desk->leader(side) == member; }
    QString kindOfLast(const Side &side) const
    {
        const auto &all = m_desk->cluster(side)->transitions;
        return all.empty() ? QString() : QString::fromUtf8(patroni::code(all.back().kind));
    }
    QString outcomeOf(const Side &side) const { return QString::fromUtf8(patroni::code(m_desk->cluster(side)->requests.back().outcome)); }

    std::unique_ptr<Desk> m_desk;
};

// This row's cluster, calm, on its page
const Side &TestLabWindow::ready()
{
    QFETCH(const int, index);
    const Side &side = sides()[static_cast<std::size_t>(index)];
    if (!m_desk->ready(side))
        QTest::qFail("the cluster's page did not open, or the cluster is not calm", __FILE__, __LINE__);
    return side;
}

void TestLabWindow::switchover()
{
    const Side &side = ready();
    const std::string to = m_desk->replica(side);
    const auto history = patroniHistory(side.cluster, scopeOf(side)).size();
    QVERIFY(m_desk->ask(ActionKind::Switchover));
    QVERIFY(m_desk->choose(to));
    QVERIFY(m_desk->press(m_desk->shown<views::ChooseDialog>(), u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Switch over"_s));
    QTRY_VERIFY_WITH_TIMEOUT(leadsCalmly(side, to), patience);
    QCOMPARE(outcomeOf(side), u"done"_s);
    QVERIFY(isLeader(side, to));
    QCOMPARE(patroniHistory(side.cluster, scopeOf(side)).size(), history + 1);
}

// The leader is told by its REST API and answers when it is done
void TestLabWindow::switchoverByRest()
{
    const Side &side = ready();
    const std::string to = m_desk->replica(side);
    QVERIFY(m_desk->ask(ActionKind::Switchover));
    QVERIFY(m_desk->choose(to));
    auto *dialog = m_desk->shown<views::ChooseDialog>();
    const auto boxes = dialog->findChildren<QCheckBox *>();
    const auto byRest = std::ranges::find_if(boxes, [](const QCheckBox *box) { return box->text().contains(u"REST API"_s); });
    QVERIFY(byRest != boxes.end());
    QTest::mouseClick(*byRest, Qt::LeftButton, {}, QPoint(8, (*byRest)->height() / 2));
    QVERIFY(dialog->wish().byRest);
    QVERIFY(m_desk->press(dialog, u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Switch over"_s));
    QVERIFY(m_desk->opened<views::MessageDialog>());
    QVERIFY(m_desk->closeMessages().contains(u"Successfully switched over to \"%1\""_s.arg(QString::fromStdString(to))));
    QTRY_VERIFY_WITH_TIMEOUT(leadsCalmly(side, to), patience);
    QVERIFY(isLeader(side, to));
}

void TestLabWindow::failover()
{
    const Side &side = ready();
    const std::string to = m_desk->replica(side);
    QVERIFY(m_desk->ask(ActionKind::Failover));
    QVERIFY(m_desk->choose(to));
    QVERIFY(m_desk->press(m_desk->shown<views::ChooseDialog>(), u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Fail over"_s));
    QTRY_VERIFY_WITH_TIMEOUT(leadsCalmly(side, to), patience);
    // what the request came to is decided with the next renewals
    QTRY_COMPARE_WITH_TIMEOUT(kindOfLast(side), u"failover"_s, patience);
    QVERIFY(isLeader(side, to));
}

// The leader has died, its lock has not run out yet
void TestLabWindow::failoverOfDead()
{
    const Side &side = ready();
    const std::string from = m_desk->leader(side), to = m_desk->replica(side);
    QVERIFY(run({u"member"_s, side.cluster, number(from), u"kill"_s}).exitCode == 0);
    QVERIFY(m_desk->ask(ActionKind::Failover));
    QVERIFY(m_desk->choose(to));
    QVERIFY(m_desk->press(m_desk->shown<views::ChooseDialog>(), u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Fail over"_s));
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->leader(side) == to && !m_desk->cluster(side)->pendingRequest(), patience);
    QCOMPARE(outcomeOf(side), u"done"_s);
    QVERIFY(isLeader(side, to));
    QVERIFY(run({u"member"_s, side.cluster, number(from), u"start"_s}).exitCode == 0);
    QTRY_VERIFY_WITH_TIMEOUT(leadsCalmly(side, to), 2 * patience);
}

void TestLabWindow::scheduleAndCancel()
{
    const Side &side = ready();
    const std::string leader = m_desk->leader(side);
    const Instant due = std::chrono::floor<std::chrono::minutes>(m_desk->now()) + std::chrono::minutes(10);
    QVERIFY(m_desk->ask(ActionKind::Switchover));
    QVERIFY(m_desk->choose(m_desk->replica(side)));
    QVERIFY(m_desk->chooseTime(due));
    QVERIFY(m_desk->press(m_desk->shown<views::ChooseDialog>(), u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Schedule switchover"_s));
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->cluster(side)->pendingRequest(), patience);
    QCOMPARE(m_desk->cluster(side)->failover->scheduledAt, std::optional(due));
    const QString known = listed(side);
    QVERIFY2(known.contains(u"Switchover scheduled at: "_s + QString::fromStdString(formatUtc(due)).left(16)), qPrintable(known));
    QVERIFY(m_desk->ask(ActionKind::CancelRequest));
    QVERIFY(m_desk->confirm(u"Cancel the request"_s));
    QTRY_VERIFY_WITH_TIMEOUT(!m_desk->cluster(side)->pendingRequest(), patience);
    QCOMPARE(outcomeOf(side), u"cancelled"_s);
    QVERIFY(!listed(side).contains(u"scheduled"_s, Qt::CaseInsensitive));
    QCOMPARE(m_desk->leader(side), leader);
}

// Somebody's script wrote a time that is none: no member can read its cluster any more. One click away from the alarm it is repaired.
void TestLabWindow::repair()
{
    const Side &side = ready();
    const std::string leader = m_desk->leader(side);
    const QString later = QString::fromStdString(formatScheduledAt(m_desk->now() + std::chrono::minutes(10)));
    const QString candidate = QString::fromStdString(m_desk->replica(side));
    patronictl(side, {u"switchover"_s, scopeOf(side), u"--candidate"_s, candidate, u"--scheduled"_s, later, u"--force"_s});
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->cluster(side)->pendingRequest(), patience);
    const QString kind = QLatin1String(code(side.mode == patroni::Mode::Endpoints ? Resource::Endpoints : Resource::ConfigMaps));
    QVERIFY(run({u"kubectl"_s, u"annotate"_s, u"--overwrite"_s, kind, scopeOf(side) + u"-failover"_s, u"scheduled_at=tomorrow"_s}).exitCode
            == 0);
    const auto *banner = m_desk->opened<views::RescueBanner>();
    QVERIFY(banner);
    QVERIFY(run({u"patronictl"_s, side.cluster, u"list"_s, scopeOf(side)}).exitCode != 0); // it fails of the same time
    QVERIFY(m_desk->press(banner, u"Repair"_s));
    QVERIFY(m_desk->confirm(u"Repair the request"_s));
    QTRY_VERIFY_WITH_TIMEOUT(!m_desk->shown<views::RescueBanner>(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(side), 2 * patience);
    QVERIFY(isLeader(side, m_desk->leader(side)));
    QVERIFY(!listed(side).contains(u"scheduled"_s, Qt::CaseInsensitive));
}

void TestLabWindow::pauseAndResume()
{
    const Side &side = ready();
    QVERIFY(m_desk->ask(ActionKind::Pause));
    QVERIFY(m_desk->confirm(u"Pause"_s));
    QTRY_VERIFY_WITH_TIMEOUT(isPaused(side), patience);
    const auto seenByAll = [&] {
        return std::ranges::all_of(m_desk->cluster(side)->members, [](const patroni::Member &m) { return m.record.pauseSeen; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(seenByAll(), patience);
    QVERIFY(m_desk->ask(ActionKind::Resume));
    QVERIFY(m_desk->confirm(u"Resume"_s));
    QTRY_VERIFY_WITH_TIMEOUT(!isPaused(side), patience);
}

// Selected in the fleet, one confirmation, one line of result for each
void TestLabWindow::severalClusters()
{
    const auto all = [](const auto &test) { return std::ranges::all_of(sides(), test); };
    QTRY_VERIFY_WITH_TIMEOUT(all([&](const Side &side) { return m_desk->calm(side); }), 2 * patience);
    const auto askAll = [&](const QString &verb) {
        if (!m_desk->askForAll(verb + u" 2 clusters"_s) || !m_desk->confirm(verb) || !m_desk->opened<views::ResultsDialog>())
            return QString();
        return m_desk->closeMessages();
    };
    for (const bool pause : {true, false}) {
        const QString said = askAll(pause ? u"Pause"_s : u"Resume"_s);
        QVERIFY2(said.contains(u"alpha"_s) && said.contains(u"beta-ha"_s), qPrintable(said));
        QTRY_VERIFY_WITH_TIMEOUT(all([&](const Side &side) { return isPaused(side) == pause; }), patience);
    }
    const Instant since = m_desk->now();
    const QString said = askAll(u"Reload"_s);
    QCOMPARE(said.count(u"alpha-"_s) + said.count(u"beta-"_s), said.count(u"beta-ha"_s) + 6);
    const auto reloaded = [&](const Side &side) {
        for (const char *n : {"-0", "-1", "-2"}) {
            const QString log = logSince(QString(side.cluster + QLatin1String(n)).toStdString(), since);
            if (!log.contains(u"nothing to reload"_s) && !log.contains(u"Reloading"_s))
                return false;
        }
        return true;
    };
    QTRY_VERIFY_WITH_TIMEOUT(all(reloaded), patience);
}

void TestLabWindow::editConfig()
{
    const Side &side = ready();
    const auto limit = [&] { return m_desk->cluster(side)->config->config.maximumLagOnFailover; };
    QVERIFY(m_desk->ask(ActionKind::EditConfig));
    auto *dialog = m_desk->opened<views::EditConfigDialog>();
    QVERIFY(dialog);
    views::ConfigEditor *editor = dialog->editor();
    const auto at = editor->toPlainText().indexOf(u"maximum_lag_on_failover: 1048576"_s);
    QVERIFY2(at >= 0, qPrintable(editor->toPlainText()));
    QTextCursor cursor = editor->textCursor(); // as if it were clicked: to the end of that line
    cursor.setPosition(static_cast<int>(at));
    cursor.movePosition(QTextCursor::EndOfLine);
    editor->setTextCursor(cursor);
    for (int i = 0; i < 7; ++i)
        QTest::keyClick(editor, Qt::Key_Backspace);
    QTest::keyClicks(editor, u"2097152"_s);
    QVERIFY(m_desk->press(dialog, u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Write"_s));
    QTRY_COMPARE_WITH_TIMEOUT(limit(), std::optional<std::uint64_t>(2097152), patience);
    const QString shown = patronictl(side, {u"show-config"_s, scopeOf(side)});
    QVERIFY2(shown.contains(u"maximum_lag_on_failover: 2097152"_s), qPrintable(shown));
    QVERIFY(shown.contains(u"use_pg_rewind: true"_s)); // and nothing else is lost
    patronictl(side, {u"edit-config"_s, scopeOf(side), u"--force"_s, u"--set"_s, u"maximum_lag_on_failover=1048576"_s});
    QTRY_COMPARE_WITH_TIMEOUT(limit(), std::optional<std::uint64_t>(1048576), patience);
}

void TestLabWindow::restart()
{
    const Side &side = ready();
    const std::string member = m_desk->replica(side);
    const QString before = startedAt(side, member);
    QVERIFY(!before.isEmpty());
    QVERIFY(m_desk->ask(ActionKind::Restart));
    QVERIFY(m_desk->chooseOnly(member));
    QVERIFY(m_desk->press(m_desk->shown<views::ChooseDialog>(), u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Restart"_s));
    QVERIFY(m_desk->opened<views::MessageDialog>());
    m_desk->closeMessages();
    QString after;
    QTRY_VERIFY_WITH_TIMEOUT(!(after = startedAt(side, member)).isEmpty() && after != before, patience);
}

void TestLabWindow::restartLater()
{
    const Side &side = ready();
    const std::string member = m_desk->replica(side);
    const QString before = startedAt(side, member);
    const Instant due = std::chrono::floor<std::chrono::minutes>(m_desk->now()) + std::chrono::minutes(10);
    const auto scheduled = [&] {
        return std::ranges::any_of(m_desk->cluster(side)->members,
                                   [](const patroni::Member &m) { return m.record.scheduledRestart.has_value(); });
    };
    QVERIFY(m_desk->ask(ActionKind::Restart));
    QVERIFY(m_desk->chooseOnly(member));
    QVERIFY(m_desk->chooseTime(due));
    QVERIFY(m_desk->press(m_desk->shown<views::ChooseDialog>(), u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Schedule restart"_s));
    QVERIFY(m_desk->opened<views::MessageDialog>());
    m_desk->closeMessages();
    QTRY_VERIFY_WITH_TIMEOUT(scheduled(), patience);
    const QString known = listed(side);
    QVERIFY2(known.contains(QString::fromStdString(formatUtc(due)).left(16)), qPrintable(known));
    QVERIFY(m_desk->ask(ActionKind::CancelRestart));
    QVERIFY(m_desk->chooseOnly(member));
    QVERIFY(m_desk->press(m_desk->shown<views::ChooseDialog>(), u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Cancel the restart"_s));
    QVERIFY(m_desk->opened<views::MessageDialog>());
    m_desk->closeMessages();
    QTRY_VERIFY_WITH_TIMEOUT(!scheduled(), patience);
    QVERIFY(!listed(side).contains(QString::fromStdString(formatUtc(due)).left(16)));
    QCOMPARE(startedAt(side, member), before);
}

void TestLabWindow::reload()
{
    const Side &side = ready();
    const std::string member = m_desk->replica(side);
    const Instant since = m_desk->now();
    QVERIFY(m_desk->ask(ActionKind::Reload));
    QVERIFY(m_desk->chooseOnly(member));
    QVERIFY(m_desk->press(m_desk->shown<views::ChooseDialog>(), u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Reload"_s));
    QVERIFY(m_desk->opened<views::MessageDialog>());
    m_desk->closeMessages();
    QTRY_VERIFY_WITH_TIMEOUT(logSince(member, since).contains(u"nothing to reload"_s) || logSince(member, since).contains(u"Reloading"_s),
                             patience);
}

void TestLabWindow::reinitialize()
{
    const Side &side = ready();
    const std::string member = m_desk->replica(side);
    const Instant since = m_desk->now();
    QVERIFY(m_desk->ask(ActionKind::Reinitialize));
    QVERIFY(m_desk->chooseOnly(member));
    QVERIFY(m_desk->press(m_desk->shown<views::ChooseDialog>(), u"Continue"_s));
    QVERIFY(m_desk->confirm(u"Reinitialize"_s));
    QVERIFY(m_desk->opened<views::MessageDialog>());
    m_desk->closeMessages();
    QTRY_VERIFY_WITH_TIMEOUT(logSince(member, since).contains(u"replica has been created"_s), patience);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(side), patience);
}

} // namespace switchyard::lab

QTEST_MAIN(switchyard::lab::TestLabWindow)
#include "tst_lab_window.moc"
