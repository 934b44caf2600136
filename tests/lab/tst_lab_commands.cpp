// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Every line that "Show as command" offers, pasted into a shell of the lab: for each action by patronictl and by kubectl, on both clusters.
// What came of it is seen by the program and asked of patronictl, PostgreSQL or the members' logs. Where no line is offered, that is
// expected here, too.
#include "app/actions/plan.h"
#include "app/desktop/write_words.h"
#include "tests/lab/desk.h"
#include "views/dialogs/command_fold.h"
#include "views/dialogs/confirm_write_dialog.h"
#include "views/dialogs/fold.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace switchyard::lab {

using rules::ActionKind;
using rules::ActionWish;

namespace {

ActionWish wishOf(ActionKind kind, const std::vector<std::string> &members = {})
{
    ActionWish wish;
    wish.kind = kind;
    wish.members = members;
    return wish;
}

enum class By { Patronictl, Kubectl };

} // namespace

class TestLabCommands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_desk.reset(); }
    void switchover_data() { bothSides(); }
    void switchover();
    void failover_data() { bothSides(); }
    void failover();
    void scheduleAndCancel_data() { bothSides(); }
    void scheduleAndCancel();
    void repair_data() { bothSides(); }
    void repair();
    void pauseAndResume_data() { bothSides(); }
    void pauseAndResume();
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
    void fromTheDialogs_data() { bothSides(); }
    void fromTheDialogs();

private:
    const patroni::Cluster &cluster() const { return *m_desk->cluster(*m_side); }
    std::string leader() const { return m_desk->leader(*m_side); }
    std::string replica() const { return m_desk->replica(*m_side); }
    bool leads(const std::string &member) const { return m_desk->calm(*m_side) && leader() == member; }
    QString line(const ActionWish &wish, By by) const;
    void paste(const QString &line, const QByteArray &answers = {}) const;
    std::string configWith(const std::string &setting) const;

    std::unique_ptr<Desk> m_desk;
    const Side *m_side = nullptr;
};

void TestLabCommands::init()
{
    QFETCH(const int, index);
    m_desk = std::make_unique<Desk>();
    m_side = &sides()[static_cast<std::size_t>(index)];
    QVERIFY(QTest::qWaitFor([this] { return m_desk->calm(*m_side); }, 2 * patience));
}

// As the confirmation shows it; empty: it says that there is none
QString TestLabCommands::line(const ActionWish &wish, By by) const
{
    desktop::WriteJob job{cluster().names.key, wish};
    auto planned = actions::plan(cluster(), wish);
    if (!planned) {
        qWarning("%s", describe(planned.error()).c_str());
        return {};
    }
    job.writes = std::move(*planned);
    const auto commands = desktop::commandsOf({job}, m_desk->program->monitor()->store());
    return commands.at(by == By::Patronictl ? 0 : 1).line;
}

// In a shell, where patronictl finds the lab's cluster and kubectl the operator's kubeconfig. answers: to what it asks
void TestLabCommands::paste(const QString &line, const QByteArray &answers) const
{
    QVERIFY(!line.isEmpty());
    const QTemporaryDir bin;
    QFile script(bin.filePath(u"patronictl"_s));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\nexec \"$LAB\" patronictl " + m_side->cluster.toUtf8() + " \"$@\"\n");
    script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    script.close();
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, bin.path() + u':' + environment.value(u"PATH"_s));
    environment.insert(u"KUBECONFIG"_s, kubeconfig(u"operator"_s));
    shell.setProcessEnvironment(environment);
    shell.setProcessChannelMode(QProcess::MergedChannels);
    shell.start(u"sh"_s, {u"-c"_s, line});
    shell.write(answers);
    shell.closeWriteChannel();
    QVERIFY2(QTest::qWaitFor([&] { return shell.state() == QProcess::NotRunning; }, 2 * patience), qPrintable(line));
    const QByteArray said = shell.readAll();
    qInfo("$ %s\n%s", qPrintable(line), said.constData());
    QVERIFY2(shell.exitCode() == 0, qPrintable(line));
    QVERIFY2(!said.contains("Error:") && !said.contains("Failed:"), qPrintable(line)); // patronictl may end with 0 all the same
}

void TestLabCommands::switchover()
{
    for (const By by : {By::Patronictl, By::Kubectl}) {
        const std::string to = replica();
        paste(line(rules::switchoverWish(leader(), to), by));
        QTRY_VERIFY_WITH_TIMEOUT(leads(to), patience);
        QVERIFY(isLeader(*m_side, to));
        QCOMPARE(code(cluster().requests.back().outcome), code(patroni::Outcome::Done));
    }
    const std::string from = leader(); // Patroni decides who takes over
    paste(line(rules::switchoverWish(from), By::Kubectl));
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(*m_side) && leader() != from, patience);
    ActionWish byRest = rules::switchoverWish(leader(), replica());
    byRest.byRest = true;
    QCOMPARE(line(byRest, By::Kubectl), QString()); // it has a body
    QVERIFY(!line(byRest, By::Patronictl).isEmpty());
}

void TestLabCommands::failover()
{
    for (const By by : {By::Patronictl, By::Kubectl}) {
        const std::string to = replica();
        paste(line(rules::failoverWish(to), by));
        QTRY_VERIFY_WITH_TIMEOUT(leads(to), patience);
        QVERIFY(isLeader(*m_side, to));
    }
}

void TestLabCommands::scheduleAndCancel()
{
    const std::string before = leader();
    for (const By by : {By::Patronictl, By::Kubectl}) {
        const Instant later = std::chrono::floor<std::chrono::seconds>(m_desk->now()) + std::chrono::minutes(10);
        for (const auto &candidate : {std::optional(replica()), std::optional<std::string>()}) {
            paste(line(rules::switchoverWish(leader(), candidate, later), by));
            QTRY_VERIFY_WITH_TIMEOUT(cluster().pendingRequest(), patience);
            QCOMPARE(cluster().failover->scheduledAt, std::optional(later));
            QCOMPARE(cluster().failover->member, candidate);
            paste(line(wishOf(ActionKind::CancelRequest), by));
            QTRY_VERIFY_WITH_TIMEOUT(!cluster().pendingRequest(), patience);
            QCOMPARE(code(cluster().requests.back().outcome), code(patroni::Outcome::Cancelled));
        }
    }
    QVERIFY(isLeader(*m_side, before));
}

// patronictl fails of what is to be repaired, so it is not offered
void TestLabCommands::repair()
{
    const Instant later = std::chrono::floor<std::chrono::seconds>(m_desk->now()) + std::chrono::minutes(10);
    paste(line(rules::switchoverWish(leader(), replica(), later), By::Kubectl));
    QTRY_VERIFY_WITH_TIMEOUT(cluster().pendingRequest(), patience);
    const QString kind = QLatin1String(code(m_side->mode == patroni::Mode::Endpoints ? Resource::Endpoints : Resource::ConfigMaps));
    const QString object = scopeOf(*m_side) + u"-failover"_s;
    QVERIFY(run({u"kubectl"_s, u"annotate"_s, u"--overwrite"_s, kind, object, u"scheduled_at=at night"_s}).exitCode == 0);
    const auto broken = [this] { return cluster().failover->schedule == patroni::FailoverRequest::Schedule::Unparsable; };
    QTRY_VERIFY_WITH_TIMEOUT(broken(), patience);
    QCOMPARE(line(wishOf(ActionKind::Repair), By::Patronictl), QString());
    paste(line(wishOf(ActionKind::Repair), By::Kubectl));
    QTRY_VERIFY_WITH_TIMEOUT(!broken(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(*m_side), 2 * patience);
    QVERIFY(isLeader(*m_side, leader()));
}

void TestLabCommands::pauseAndResume()
{
    const auto isPaused = [&](bool paused) {
        const QString known = patronictl(*m_side, {u"list"_s, scopeOf(*m_side)});
        return cluster().config->config.paused == paused && known.contains(u"Maintenance mode: on"_s) == paused;
    };
    for (const By by : {By::Patronictl, By::Kubectl}) {
        paste(line(wishOf(ActionKind::Pause), by));
        QTRY_VERIFY_WITH_TIMEOUT(isPaused(true), patience);
        paste(line(wishOf(ActionKind::Resume), by));
        QTRY_VERIFY_WITH_TIMEOUT(isPaused(false), patience);
    }
}

// The configuration with this setting of PostgreSQL; empty: without it
std::string TestLabCommands::configWith(const std::string &setting) const
{
    QJsonObject config = QJsonDocument::fromJson(QByteArray::fromStdString(cluster().config->config.raw)).object();
    QJsonObject postgresql = config[u"postgresql"_s].toObject(), parameters = postgresql[u"parameters"_s].toObject();
    parameters.remove(u"work_mem"_s);
    if (!setting.empty())
        parameters[u"work_mem"_s] = QString::fromStdString(setting);
    postgresql[u"parameters"_s] = parameters;
    config[u"postgresql"_s] = postgresql;
    return QJsonDocument(config).toJson(QJsonDocument::Compact).toStdString();
}

// Set and removed by each of them
void TestLabCommands::editConfig()
{
    const QString before = patronictl(*m_side, {u"show-config"_s, scopeOf(*m_side)});
    QVERIFY2(before.contains(u"max_connections"_s) && !before.contains(u"work_mem"_s), qPrintable(before));
    const auto edit = [&](const std::string &setting, By by) {
        ActionWish wish = wishOf(ActionKind::EditConfig);
        wish.configBase = cluster().config->config.raw;
        wish.configAfter = configWith(setting);
        paste(line(wish, by));
        const auto has = [&] { return cluster().config->config.raw.find("work_mem") != std::string::npos; };
        QTRY_COMPARE_WITH_TIMEOUT(has(), !setting.empty(), patience);
        const QString shown = patronictl(*m_side, {u"show-config"_s, scopeOf(*m_side)});
        if (setting.empty())
            QCOMPARE(shown, before);
        else
            QVERIFY2(shown.contains(u"work_mem: "_s + QString::fromStdString(setting)), qPrintable(shown));
        QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(*m_side), patience);
    };
    edit("5MB", By::Patronictl);
    edit("", By::Kubectl);
    edit("6MB", By::Kubectl);
    edit("", By::Patronictl);
}

void TestLabCommands::restart()
{
    const std::string member = replica();
    const auto restarts = [&](const QString &command) {
        const QString before = startedAt(*m_side, member);
        paste(command);
        QString after;
        QTRY_VERIFY_WITH_TIMEOUT(!(after = startedAt(*m_side, member)).isEmpty() && after != before, patience);
        QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(*m_side), patience);
    };
    for (const By by : {By::Patronictl, By::Kubectl})
        restarts(line(wishOf(ActionKind::Restart, {member}), by));
    ActionWish conditions = wishOf(ActionKind::Restart, {member});
    conditions.restart.role = "replica";
    conditions.restart.timeoutSeconds = 60;
    conditions.restart.postgresVersion = "99.1";
    restarts(line(conditions, By::Patronictl));
    QCOMPARE(line(conditions, By::Kubectl), QString());                           // it has a body
    restarts(line(wishOf(ActionKind::Restart, {member, leader()}), By::Kubectl)); // a line for each
}

void TestLabCommands::restartLater()
{
    const std::string member = replica();
    const QString started = startedAt(*m_side, member);
    const auto scheduled = [&]() -> bool {
        const auto found = std::ranges::find_if(cluster().members, [&](const patroni::Member &m) { return m.record.name == member; });
        return found->record.scheduledRestart.has_value();
    };
    for (const By by : {By::Patronictl, By::Kubectl}) {
        ActionWish later = wishOf(ActionKind::Restart, {member});
        later.at = std::chrono::floor<std::chrono::seconds>(m_desk->now()) + std::chrono::minutes(10);
        QCOMPARE(line(later, By::Kubectl), QString()); // it has a body
        paste(line(later, By::Patronictl));
        QTRY_VERIFY_WITH_TIMEOUT(scheduled(), patience);
        paste(line(wishOf(ActionKind::CancelRestart, {member}), by));
        QTRY_VERIFY_WITH_TIMEOUT(!scheduled(), patience);
    }
    QCOMPARE(startedAt(*m_side, member), started);
}

void TestLabCommands::reload()
{
    const std::string member = replica();
    for (const By by : {By::Patronictl, By::Kubectl}) {
        const Instant since = m_desk->now();
        paste(line(wishOf(ActionKind::Reload, {member}), by));
        const auto reloaded = [&] {
            const QString log = logSince(member, since);
            return log.contains(u"nothing to reload"_s) || log.contains(u"Reloading"_s);
        };
        QTRY_VERIFY_WITH_TIMEOUT(reloaded(), patience);
    }
}

void TestLabCommands::reinitialize()
{
    const std::string member = replica();
    const auto copied = [&](const QString &command, const QByteArray &answers) {
        const Instant since = m_desk->now();
        paste(command, answers);
        QTRY_VERIFY_WITH_TIMEOUT(logSince(member, since).contains(u"replica has been created"_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(m_desk->calm(*m_side), patience);
    };
    copied(line(wishOf(ActionKind::Reinitialize, {member}), By::Patronictl), "y\n"); // it asks: --force would mean something else
    copied(line(wishOf(ActionKind::Reinitialize, {member}), By::Kubectl), {});
    ActionWish force = wishOf(ActionKind::Reinitialize, {member});
    force.force = true;
    copied(line(force, By::Patronictl), {});
    QCOMPARE(line(force, By::Kubectl), QString()); // it has a body
}

// What one finds with the mouse: the line under the choice asks what the window has asked already; the other one is copied by its button
void TestLabCommands::fromTheDialogs()
{
    QVERIFY(m_desk->ready(*m_side));
    const std::string to = replica();
    QVERIFY(m_desk->ask(ActionKind::Switchover));
    QVERIFY(m_desk->choose(to));
    auto *dialog = m_desk->shown<views::ChooseDialog>();
    const auto folds = dialog->findChildren<views::Fold *>();
    const QString preview = folds.back()->text().section(u'\n', -1);
    QVERIFY2(preview.startsWith(u"patronictl switchover"_s), qPrintable(folds.back()->text()));
    QVERIFY(m_desk->press(dialog, u"Continue"_s));
    auto *confirm = m_desk->opened<views::ConfirmWriteDialog>();
    QVERIFY(confirm);
    auto *fold = confirm->findChild<views::CommandFold *>();
    QTest::mouseClick(fold->findChild<QToolButton *>(), Qt::LeftButton);
    QStringList copied;
    for (QPushButton *copy : fold->findChildren<QPushButton *>()) {
        QTest::mouseClick(copy, Qt::LeftButton);
        copied << QGuiApplication::clipboard()->text();
    }
    QCOMPARE(copied.size(), 2);
    QVERIFY(copied[0].startsWith(u"patronictl"_s) && copied[1].startsWith(u"kubectl"_s));
    QVERIFY(m_desk->press(confirm, u"Cancel"_s));
    paste(copied[1]);
    QTRY_VERIFY_WITH_TIMEOUT(leads(to), patience);
    const std::string back = *cluster().requests.back().leaderBefore;
    paste(QString(preview)
              .replace(QString::fromStdString(to), u"@"_s)
              .replace(QString::fromStdString(back), QString::fromStdString(to))
              .replace(u'@', QString::fromStdString(back)),
          "\ny\n"); // now; yes
    QTRY_VERIFY_WITH_TIMEOUT(leads(back), patience);
    QVERIFY(isLeader(*m_side, back));
}

} // namespace switchyard::lab

QTEST_MAIN(switchyard::lab::TestLabCommands)
#include "tst_lab_commands.moc"
