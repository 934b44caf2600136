// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Restart, reload, reinitialize, demote: what can be chosen, what stands against it, and the wish that comes of it.
#include "tests/support/made_clusters.h"
#include "tests/support/view_shots.h"
#include "views/dialogs/choose_dialogs.h"
#include "views/dialogs/demote_dialog.h"
#include "views/dialogs/member_dialogs.h"
#include "views/dialogs/member_picker.h"
#include "views/dialogs/restart_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTest>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using rules::ActionKind;

using Names = std::vector<std::string>;
using Spoil = void (*)(patroni::Cluster &);
Q_DECLARE_METATYPE(Spoil)

namespace {

patroni::Member &member(patroni::Cluster &cluster, const std::string &name)
{
    return *std::find_if(cluster.members.begin(), cluster.members.end(), [&](const patroni::Member &m) { return m.record.name == name; });
}

void nothing(patroni::Cluster &) {}

void paused(patroni::Cluster &cluster)
{
    cluster.config->config.paused = true;
}

void scheduled(patroni::Cluster &cluster)
{
    patroni::ScheduledRestart restart;
    restart.schedule = "2031-02-02T01:30:00+00:00";
    member(cluster, "acme-2").record.scheduledRestart = restart;
}

void oldPatroni(patroni::Cluster &cluster)
{
    for (patroni::Member &m : cluster.members)
        m.record.version = "3.0.2";
}

// Ticks the member's box, as a click on it does.
void tick(QWidget &dialog, const QString &name, bool on = true)
{
    auto *picker = dialog.findChild<MemberPicker *>();
    for (int row = 0; row < picker->rowCount(); ++row)
        if (picker->item(row, MemberPicker::Name)->text() == name)
            picker->item(row, MemberPicker::Name)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
}

template<class Widget>
Widget *named(const QWidget &dialog, const QString &accessibleName)
{
    for (Widget *w : dialog.findChildren<Widget *>())
        if (w->accessibleName() == accessibleName)
            return w;
    return nullptr;
}

QPushButton *defaultButton(const QWidget &dialog)
{
    for (QPushButton *b : dialog.findChildren<QPushButton *>())
        if (b->isDefault())
            return b;
    return nullptr;
}

void show(QDialog &dialog)
{
    dialog.show();
    QCoreApplication::processEvents();
}

} // namespace

class TestActionDialogs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyDialogIsSafeAndNamed_data()
    {
        QTest::addColumn<ActionKind>("kind");
        QTest::addColumn<bool>("exists");
        const std::pair<ActionKind, bool> all[] = {
            {ActionKind::Switchover, true},     {ActionKind::Failover, true},     {ActionKind::CancelRequest, false},
            {ActionKind::Repair, false},        {ActionKind::Pause, false},       {ActionKind::Resume, false},
            {ActionKind::EditConfig, false},    {ActionKind::Restart, true},      {ActionKind::CancelRestart, true},
            {ActionKind::Reload, true},         {ActionKind::Reinitialize, true}, {ActionKind::DemoteCluster, true},
            {ActionKind::PromoteCluster, false}};
        for (const auto &[kind, exists] : all)
            QTest::newRow(std::string(rules::code(kind)).c_str()) << kind << exists;
    }
    // Cancel is the default; what takes the focus has a name; the cluster is named in full.
    void everyDialogIsSafeAndNamed()
    {
        QFETCH(ActionKind, kind);
        QFETCH(bool, exists);
        auto cluster = made::healthy();
        scheduled(cluster);
        const std::unique_ptr<ChooseDialog> dialog(makeChooseDialog(kind, cluster, made::now(), nullptr));
        QCOMPARE(dialog != nullptr, exists);
        if (!dialog)
            return;
        show(*dialog);
        QCOMPARE(defaultButton(*dialog)->text().remove(u'&'), u"Cancel"_s);
        QCOMPARE(made::namelessWidgets(*dialog), QStringList());
        QVERIFY(made::shownWords(*dialog).contains(u"prod-eu / payments/acme"_s));
        made::shoot(*dialog, u"choose-"_s + QString::fromLatin1(QTest::currentDataTag()), true);
    }

    void restartWish()
    {
        RestartDialog dialog(made::healthy(), made::now());
        show(dialog);
        QVERIFY(!dialog.goButton()->isEnabled());
        QVERIFY(dialog.problemText().contains(u"Choose at least one member"_s));
        tick(dialog, u"acme-0"_s);
        tick(dialog, u"acme-2"_s);
        QVERIFY(dialog.goButton()->isEnabled());
        named<QComboBox>(dialog, u"Only members of this role"_s)->setCurrentIndex(2);
        dialog.findChild<QCheckBox *>()->setChecked(true);
        named<QLineEdit>(dialog, u"Only below this PostgreSQL version"_s)->setText(u"16.3"_s);
        named<QSpinBox>(dialog, u"Time limit of the restart"_s)->setValue(90);
        const rules::ActionWish wish = dialog.wish();
        QCOMPARE(wish.kind, ActionKind::Restart);
        QCOMPARE(wish.members, (Names{"acme-0", "acme-2"})); // in the order of the page
        QVERIFY(wish.restart == (rules::RestartOptions{true, "replica", "16.3", 90}));
        QVERIFY(!wish.at);
        QVERIFY(dialog.goButton()->isEnabled());
    }

    void restartProblems_data()
    {
        QTest::addColumn<Spoil>("spoil");
        QTest::addColumn<QString>("version");
        QTest::addColumn<bool>("atTime");
        QTest::addColumn<QString>("blocked"); // empty: it is not
        // patroni/api.py do_POST_restart: "PostgreSQL version should be in the first.major.minor format"
        QTest::newRow("no version") << Spoil(nothing) << u"sixteen"_s << false << u"A PostgreSQL version is like"_s;
        QTest::newRow("three parts") << Spoil(nothing) << u"9.6.24"_s << false << QString();
        QTest::newRow("four parts") << Spoil(nothing) << u"9.6.24.1"_s << false << u"A PostgreSQL version is like"_s;
        // patroni/api.py parse_schedule; do_POST_restart: 500 where paused
        QTest::newRow("scheduled while paused") << Spoil(paused) << QString() << true << u"while the cluster is paused"_s;
        QTest::newRow("at once while paused") << Spoil(paused) << QString() << false << QString();
        // patroni/api.py: 409 "Another restart is already scheduled"
        QTest::newRow("one is scheduled") << Spoil(scheduled) << QString() << true << u"has a scheduled restart already"_s;
        QTest::newRow("scheduled") << Spoil(nothing) << QString() << true << QString();
    }
    void restartProblems()
    {
        QFETCH(Spoil, spoil);
        QFETCH(QString, version);
        QFETCH(bool, atTime);
        QFETCH(QString, blocked);
        auto cluster = made::healthy();
        spoil(cluster);
        RestartDialog dialog(cluster, made::now());
        dialog.preselect("acme-2");
        show(dialog);
        named<QLineEdit>(dialog, u"Only below this PostgreSQL version"_s)->setText(version);
        for (QRadioButton *choice : dialog.findChildren<QRadioButton *>())
            if (atTime && choice->text().remove(u'&').startsWith(u"At a time"_s))
                choice->setChecked(true);
        QCOMPARE(dialog.goButton()->isEnabled(), blocked.isEmpty());
        QVERIFY2(dialog.problemText().contains(blocked), qPrintable(dialog.problemText()));
        QCOMPARE(dialog.wish().at.has_value(), atTime);
    }

    void restartKeepsWhatIsTicked()
    {
        RestartDialog dialog(made::healthy(), made::now());
        tick(dialog, u"acme-2"_s);
        auto moved = made::healthy();
        std::swap(moved.members[1], moved.members[2]);
        dialog.setCluster(moved, made::now(5s));
        QCOMPARE(dialog.wish().members, Names{"acme-2"});
        std::erase_if(moved.members, [](const patroni::Member &m) { return m.record.name == "acme-2"; });
        dialog.setCluster(moved, made::now(6s));
        QCOMPARE(dialog.wish().members, Names());
        QVERIFY(!dialog.goButton()->isEnabled());
    }

    void staleBlocks()
    {
        RestartDialog dialog(made::healthy(), made::now());
        dialog.preselect("acme-2");
        QVERIFY(dialog.goButton()->isEnabled());
        auto stale = made::healthy();
        stale.view.freshness = patroni::Freshness::Stale;
        dialog.setCluster(stale, made::now(60s));
        QVERIFY(!dialog.goButton()->isEnabled());
        QVERIFY(dialog.goButton()->toolTip().contains(u"stale"_s));
    }

    void leaderIsNamedAsSuch()
    {
        RestartDialog dialog(made::healthy(), made::now());
        dialog.preselect("acme-1");
        QVERIFY(dialog.problemText().contains(u"acme-1 leads"_s));
        dialog.preselect("acme-2");
        QVERIFY(!dialog.problemText().contains(u"leads"_s));
    }

    void reloadIsForAll()
    {
        MembersDialog dialog(ActionKind::Reload, made::healthy(), made::now());
        QCOMPARE(dialog.wish().members.size(), made::healthy().members.size());
        QCOMPARE(dialog.wish().kind, ActionKind::Reload);
        tick(dialog, u"acme-0"_s, false);
        QCOMPARE(dialog.wish().members, (Names{"acme-1", "acme-2"}));
    }

    void cancelRestartIsForThoseThatHaveOne()
    {
        auto cluster = made::healthy();
        scheduled(cluster);
        MembersDialog dialog(ActionKind::CancelRestart, cluster, made::now());
        QCOMPARE(dialog.wish().members, Names{"acme-2"});
        tick(dialog, u"acme-0"_s);
        QCOMPARE(dialog.wish().members, Names{"acme-2"});
        show(dialog);
        QVERIFY(dialog.findChild<MemberPicker *>()->item(2, MemberPicker::Remark)->text().contains(u"restart scheduled"_s));
        dialog.setCluster(made::healthy(), made::now(1s)); // taken back by somebody else
        QVERIFY(!dialog.goButton()->isEnabled());
    }

    void reinitializeOneReplica()
    {
        ReinitializeDialog dialog(made::healthy(), made::now());
        show(dialog);
        QVERIFY(!dialog.goButton()->isEnabled());
        tick(dialog, u"acme-1"_s); // the leader cannot be chosen
        QCOMPARE(dialog.wish().members, Names());
        tick(dialog, u"acme-2"_s);
        tick(dialog, u"acme-0"_s);
        QCOMPARE(dialog.wish().members, Names{"acme-0"}); // one at a time
        QVERIFY(dialog.goButton()->isEnabled());
        QVERIFY(dialog.problemText().contains(u"All data of acme-0 is deleted"_s));
        dialog.findChildren<QCheckBox *>().at(0)->setChecked(true);
        QVERIFY(dialog.wish().fromLeader);
        QVERIFY(!dialog.wish().force);
        made::shoot(dialog, u"reinitialize-chosen"_s, true);
    }

    // patroni/api.py do_POST_reinitialize: from_leader since 4.1.
    void fromLeaderByVersion()
    {
        auto cluster = made::healthy();
        oldPatroni(cluster);
        ReinitializeDialog dialog(cluster, made::now());
        dialog.preselect("acme-2");
        QCheckBox *fromLeader = dialog.findChildren<QCheckBox *>().at(0);
        QVERIFY(!fromLeader->isEnabled());
        QVERIFY(fromLeader->toolTip().contains(u"4.1"_s));
    }

    void reinitializeNeedsALeader()
    {
        ReinitializeDialog dialog(made::expired(), made::now());
        dialog.preselect("acme-2");
        QVERIFY(!dialog.goButton()->isEnabled());
        QVERIFY(dialog.problemText().contains(u"Nobody leads"_s));
    }

    void demote_data()
    {
        QTest::addColumn<QStringList>("typed"); // host, port, restore command, slot
        QTest::addColumn<QString>("blocked");
        QTest::newRow("nothing") << QStringList{{}, {}, {}, {}} << u"Say where it will follow from"_s;
        QTest::newRow("host") << QStringList{u"db.example.org"_s, {}, {}, {}} << QString();
        QTest::newRow("restore command alone") << QStringList{{}, {}, u"cp /wal/%f %p"_s, {}} << QString();
        QTest::newRow("port 0") << QStringList{u"db"_s, u"0"_s, {}, {}} << u"A port is a number"_s;
        QTest::newRow("port in words") << QStringList{u"db"_s, u"high"_s, {}, {}} << u"A port is a number"_s;
        QTest::newRow("slot") << QStringList{u"db"_s, u"5433"_s, {}, u"standby_1"_s} << QString();
        QTest::newRow("no slot's name") << QStringList{u"db"_s, {}, {}, u"Standby-1"_s} << u"A replication slot's name"_s;
    }
    void demote()
    {
        QFETCH(QStringList, typed);
        QFETCH(QString, blocked);
        DemoteDialog dialog(made::healthy(), made::now());
        const auto fields = dialog.findChildren<QLineEdit *>();
        for (int i = 0; i < 4; ++i)
            fields.at(i)->setText(typed.at(i));
        QVERIFY2(dialog.goButton()->isEnabled() == blocked.isEmpty(), qPrintable(dialog.problemText()));
        QVERIFY2(dialog.problemText().contains(blocked), qPrintable(dialog.problemText()));
        const rules::StandbySource source = dialog.wish().source;
        QCOMPARE(QString::fromStdString(source.host.value_or("")), typed.at(0));
        QCOMPARE(QString::fromStdString(source.restoreCommand.value_or("")), typed.at(2));
        QCOMPARE(source.port, typed.at(1) == u"5433"_s ? std::optional(5433) : std::nullopt);
    }

    void wishIsShownAgain()
    {
        rules::ActionWish wish;
        wish.kind = ActionKind::Restart;
        wish.members = {"acme-2"};
        wish.restart = {true, "primary", "15", 30};
        wish.at = made::now(3h).wall;
        RestartDialog dialog(made::healthy(), made::now());
        dialog.setWish(wish);
        QVERIFY(dialog.wish() == wish);
    }
};

QTEST_MAIN(TestActionDialogs)
#include "tst_action_dialogs.moc"
