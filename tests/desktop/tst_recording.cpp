// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recorded in one window, shown in another: with real clicks.
#include "app/clusters/recording_file.h"
#include "models/events/event.h"
#include "tests/desktop/program.h"
#include "tests/support/patience.h"
#include "views/dialogs/record_dialog.h"
#include "views/widgets/badge.h"
#include "views/widgets/message_dialog.h"
#include "views/widgets/replay_bar.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>

using namespace switchyard;
using namespace Qt::StringLiterals;
using made::click;
using made::patience;
using made::Program;
using patroni::LockState;

namespace {

QAction *menuAction(const views::MainWindow *window, const QString &begins)
{
    for (const QAction *top : window->menuBar()->actions()) {
        for (QAction *action : top->menu()->actions()) {
            if (action->text().remove(u'&').startsWith(begins))
                return action;
        }
    }
    return nullptr;
}

QString badge(const views::MainWindow *window, const QString &begins)
{
    for (const views::Badge *b : window->findChildren<views::Badge *>()) {
        if (b->isVisible() && b->text().startsWith(begins))
            return b->text() + u'\n' + b->toolTip();
    }
    return {};
}

bool saw(const ClusterStore &store, EventCode code)
{
    return std::any_of(store.events().begin(), store.events().end(), [&](const Event &e) { return e.type == code; });
}

bool mayReadEvents(desktop::Desktop &desktop)
{
    const auto contexts = desktop.monitor()->store().contexts();
    const Rights *rights = contexts.empty() ? nullptr : desktop.rights()->of(contexts.front().context);
    return rights && std::any_of(rights->answers().begin(), rights->answers().end(), [](const auto &answer) {
               return answer.first.use == rules::RightUse::ReadEvents && answer.second.kind == rules::Answer::Kind::Allowed;
           });
}

// A window that shows a recording.
struct Replay
{
    explicit Replay(const QString &file)
    {
        desktop::DesktopOptions options;
        options.replayFile = file;
        options.settingsFile = QString();
        desktop = std::make_unique<desktop::Desktop>(options);
        desktop->start();
        bar = desktop->window()->replayBar();
        slider = bar->findChild<views::ReplaySlider *>();
    }
    QToolButton *button(const QString &name) const
    {
        for (auto *b : bar->findChildren<QToolButton *>()) {
            if (b->accessibleName() == name)
                return b;
        }
        return nullptr;
    }
    const patroni::Cluster *cluster() const
    {
        const auto all = desktop->monitor()->store().clusters();
        return all.empty() ? nullptr : all.front();
    }
    std::string leader() const { return cluster() ? cluster()->leaderName.value_or("") : ""; }
    bool sawItsLeaderChange() const
    {
        const auto &events = desktop->monitor()->store().events();
        return std::any_of(events.begin(), events.end(), [this](const Event &e) {
            return e.type == EventCode::LeaderChanged && cluster() && e.cluster == cluster()->names.key;
        });
    }
    Boot at() const { return desktop->monitor()->now().boot; }
    void clickAt(double share) const
    {
        QTest::mouseClick(slider, Qt::LeftButton, {}, QPoint(8 + int(share * (slider->width() - 16)), slider->height() / 2));
    }

    std::unique_ptr<desktop::Desktop> desktop;
    views::ReplayBar *bar;
    views::ReplaySlider *slider;
};

} // namespace

class TestRecording : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void recordsAndShowsAgain()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"seen.ndjson.gz"_s);
        std::string before, after;
        {
            simulator::Plan plan = made::quickPlan();
            plan.speed = 15;
            Program p(false, plan);
            QVERIFY(p.ok);
            QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
            before = p.leader();
            views::MainWindow *window = p.desktop->window();
            QVERIFY(badge(window, u"recording"_s).isEmpty());
            menuAction(window, u"Record"_s)->trigger();
            QTRY_VERIFY(p.dialog<views::RecordDialog>());
            auto *dialog = p.dialog<views::RecordDialog>();
            dialog->findChild<QLineEdit *>()->setText(file);
            click(p.button(dialog, u"Start recording"_s));
            QTRY_VERIFY(badge(window, u"recording"_s).contains(file));
            // Events are watched as soon as it is known that they may be.
            QTRY_VERIFY_WITH_TIMEOUT(mayReadEvents(*p.desktop), patience);
            p.simulator.crashLeader("payments", "acme");
            QTRY_VERIFY_WITH_TIMEOUT(!p.leader().empty() && p.leader() != before, patience);
            after = p.leader();
            QTRY_VERIFY_WITH_TIMEOUT(saw(p.desktop->monitor()->store(), EventCode::PodEvidence), patience);
            menuAction(window, u"Stop recording"_s)->trigger();
            QTRY_VERIFY(p.dialog<views::MessageDialog>());
            QTRY_VERIFY(badge(window, u"recording"_s).isEmpty());
        }
        Replay r(file);
        QTRY_COMPARE_WITH_TIMEOUT(r.leader(), after, patience); // at its end
        QVERIFY(saw(r.desktop->monitor()->store(), EventCode::PodEvidence));
        r.clickAt(0);
        click(r.button(u"Next event"_s));
        QTRY_COMPARE(r.leader(), before);
    }

    // What can be read is shown, and that it is not all is said.
    void damagedRecordingsAreNoWholeOnes()
    {
        QTemporaryDir folder;
        const QString whole = QStringLiteral(TEST_DATA_DIR "/recordings/4.0.7-endpoints/story_killed/stream.ndjson.gz");
        QFile source(whole), cut(folder.filePath(u"cut.gz"_s)), odd(folder.filePath(u"odd.ndjson"_s));
        QVERIFY(source.open(QIODevice::ReadOnly) && cut.open(QIODevice::WriteOnly) && odd.open(QIODevice::WriteOnly));
        cut.write(source.read(source.size() / 2));
        cut.close();
        auto text = readRecordingFile(whole);
        QVERIFY(text.has_value());
        odd.write(*text + "garbage\n");
        odd.close();
        const auto says = [](const Replay &replay, const QString &sentence) {
            const auto labels = replay.desktop->window()->findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) { return label->text().contains(sentence); });
        };
        const QString ends = u"cut.gz is cut short after"_s, line = u"cannot be read, the first is line 282"_s;
        for (const QString &file : {cut.fileName(), odd.fileName(), whole}) {
            const Replay replay(file);
            QTRY_VERIFY(replay.cluster());
            QCOMPARE(says(replay, ends), file == cut.fileName());
            QCOMPARE(says(replay, line), file == odd.fileName());
        }
    }

    void playsARecordingOfTheLab()
    {
        Replay r(QStringLiteral(TEST_DATA_DIR "/recordings/4.0.7-endpoints/switchover_now/stream.ndjson.gz"));
        QVERIFY(r.bar->isVisible());
        QTRY_VERIFY(r.cluster());
        const std::string after = r.leader();
        const Boot end = r.at();
        QVERIFY(!after.empty());
        QVERIFY(badge(r.desktop->window(), u"replay"_s).contains(u"stream.ndjson.gz"_s));
        QVERIFY(!menuAction(r.desktop->window(), u"Record"_s)->isEnabled());
        // To its beginning by a click: another leader, and nothing has happened yet.
        r.clickAt(0);
        QTRY_VERIFY(r.at() < end);
        QTRY_VERIFY(!r.sawItsLeaderChange());
        QVERIFY(!r.button(u"Previous event"_s)->isEnabled());
        // From event to event until the leader has changed; and back before it.
        for (int i = 0; i < 200 && !r.sawItsLeaderChange(); ++i) {
            const Boot from = r.at();
            click(r.button(u"Next event"_s));
            QVERIFY(r.at() > from);
        }
        QVERIFY(r.sawItsLeaderChange());
        QCOMPARE(r.leader(), after);
        click(r.button(u"Previous event"_s));
        QVERIFY(!r.sawItsLeaderChange());
        QVERIFY(r.leader() != after);
        // It plays, and pauses.
        const Boot paused = r.at();
        click(r.button(u"Play"_s));
        QTRY_VERIFY(r.at() > paused);
        click(r.button(u"Pause"_s));
        QVERIFY(r.button(u"Play"_s));
        // As fast as it can, to its end.
        auto *speed = r.bar->findChild<QComboBox *>();
        speed->setFocus();
        QTest::keyClick(speed, Qt::Key_End);
        QCOMPARE(speed->currentText(), u"max"_s);
        click(r.button(u"Play"_s));
        QTRY_COMPARE(r.at(), end);
        QCOMPARE(r.leader(), after);
        QVERIFY(r.button(u"Play"_s));
        QVERIFY(!r.button(u"Next event"_s)->isEnabled());
    }

    void theSliderTakesKeys()
    {
        Replay r(QStringLiteral(TEST_DATA_DIR "/recordings/4.0.7-endpoints/switchover_now/stream.ndjson.gz"));
        const Boot end = r.at();
        r.slider->setFocus();
        QTest::keyClick(r.slider, Qt::Key_PageDown);
        QTRY_VERIFY(r.at() < end);
        const Boot then = r.at();
        QTest::keyClick(r.slider, Qt::Key_Right);
        QTRY_VERIFY(r.at() > then);
    }
};

QTEST_MAIN(TestRecording)
#include "tst_recording.moc"
