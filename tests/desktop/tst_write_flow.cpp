// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Requests of every kind, from the button to the outcome: real clicks, real requests over HTTP to the simulator.
#include "app/actions/failover_write.h"
#include "app/desktop/write_words.h"
#include "tests/desktop/program.h"
#include "tests/support/patience.h"
#include "tests/support/view_shots.h"
#include "views/dialogs/confirm_write_dialog.h"
#include "views/dialogs/failover_dialog.h"
#include "views/dialogs/switchover_dialog.h"
#include "views/dialogs/waiting_dialog.h"
#include "views/dialogs/when_box.h"
#include "views/widgets/message_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>

using namespace switchyard;
using namespace Qt::StringLiterals;
using made::chooseCandidate;
using made::click;
using made::patience;
using made::Program;
using patroni::LockState;
using patroni::Outcome;
using rules::ActionKind;

class TestWriteFlow : public QObject
{
    Q_OBJECT

    static void ask(Program &p, ActionKind kind)
    {
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        if (p.desktop->window()->currentPage() != views::Page::Cluster)
            p.openClusterPage();
        // One whose answer has just come may not be over yet.
        const bool begun = QTest::qWaitFor(
            [&] {
                if (auto *message = p.dialog<views::MessageDialog>())
                    message->close();
                Q_EMIT p.desktop->window()->actionRequested(p.cluster()->names.key, kind, {});
                return !said(p).contains(u"Another write is still waiting"_s);
            },
            patience);
        QVERIFY(begun);
    }
    // The dialog is filled in: on to the confirmation, which has been tried on the API server.
    static QAbstractButton *goOn(Program &p, QDialog *choose, const QString &verb)
    {
        if (choose) {
            QAbstractButton *go = p.button(choose, u"Continue"_s);
            if (!go || !go->isEnabled())
                return nullptr;
            click(go);
        }
        auto *confirm = QTest::qWaitFor([&] { return p.dialog<views::ConfirmWriteDialog>() != nullptr; }, patience)
            ? p.dialog<views::ConfirmWriteDialog>()
            : nullptr;
        return confirm ? p.button(confirm, verb) : nullptr;
    }
    static void chooseRest(QDialog *choose)
    {
        QCheckBox *rest = choose->findChildren<QCheckBox *>().front();
        QTest::mouseClick(rest, Qt::LeftButton, {}, QPoint(8, rest->height() / 2));
    }
    // All of it, as far as the click that sends.
    static void send(Program &p, QDialog *choose, const QString &verb)
    {
        QAbstractButton *act = goOn(p, choose, verb);
        QVERIFY2(act, qPrintable(verb));
        QTRY_VERIFY_WITH_TIMEOUT(act->isEnabled(), patience);
        click(act);
    }
    static QString said(Program &p)
    {
        auto *message = p.dialog<views::MessageDialog>();
        return message ? made::shownWords(*message) : QString();
    }
    static QList<QJsonObject> events(Program &p, const QString &event)
    {
        QList<QJsonObject> found;
        for (const QJsonObject &line : p.audit()) {
            if (line.value(u"event").toString() == event)
                found << line;
        }
        return found;
    }
    // A switchover in seven hours, typed as the wall clock of a zone that is nobody's here.
    static void schedule(QDialog *dialog, const QDateTime &utc, const QByteArray &zone)
    {
        auto *box = dialog->findChild<views::WhenBox *>();
        auto *radio = box->findChildren<QRadioButton *>().at(1);
        QTest::mouseClick(radio, Qt::LeftButton, {}, QPoint(8, radio->height() / 2));
        auto *zones = box->findChildren<QComboBox *>().at(0);
        zones->lineEdit()->selectAll();
        QTest::keyClicks(zones->lineEdit(), QString::fromLatin1(zone));
        const QDateTime there = utc.toTimeZone(QTimeZone(zone));
        box->findChild<QDateTimeEdit *>()->setDateTime(QDateTime(there.date(), there.time(), QTimeZone::utc()));
    }
    static QDateTime inSevenHours(Program &p)
    {
        const auto wall = std::chrono::floor<std::chrono::seconds>(p.desktop->monitor()->now().wall).time_since_epoch().count();
        return QDateTime::fromSecsSinceEpoch(wall + 7 * 3600, QTimeZone::utc());
    }

private Q_SLOTS:
    void failoverByClicks()
    {
        Program p;
        QVERIFY(p.ok);
        ask(p, ActionKind::Failover);
        auto *choose = p.dialog<views::FailoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        const QString to = QString::fromStdString(p.replica());
        chooseCandidate(choose, to);
        QAbstractButton *act = goOn(p, choose, u"Fail over payments/acme to "_s + to);
        QVERIFY(act);
        QTRY_VERIFY_WITH_TIMEOUT(act->isEnabled(), patience);
        const QString words = made::shownWords(*p.dialog<views::ConfirmWriteDialog>());
        QVERIFY2(words.contains(u"The API server would accept it"_s), qPrintable(words));
        QVERIFY2(words.contains(u"by Patroni's rules it would be done"_s), qPrintable(words));
        click(act);
        QTRY_COMPARE_WITH_TIMEOUT(p.leader(), to.toStdString(), patience);
        QTRY_COMPARE_WITH_TIMEOUT(events(p, u"outcome"_s).size(), 1, patience);
        QCOMPARE(events(p, u"outcome"_s).front().value(u"outcome").toString(), u"done"_s);
        QCOMPARE(events(p, u"intent"_s).size(), 1);
        QVERIFY(!p.cluster()->requests.back().request.leader); // a failover names none
    }

    // The leader is dead, and nobody takes over by himself: from the button of the cluster's page to the new leader.
    void failoverWithADeadLeaderByClicks()
    {
        auto plan = made::quickPlan();
        plan.clusters.front().paused = true;
        plan.clusters.front().ttl = 5; // by this program's own clock
        plan.clusters.front().loopWait = 1;
        plan.clusters.front().retryTimeout = 2;
        Program p(false, plan);
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Held, patience);
        const std::string dead = p.leader(), to = p.replica();
        p.openClusterPage();
        p.simulator.crashLeader("payments", "acme");
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), LockState::Expired, patience);
        QTRY_VERIFY(!p.button(p.desktop->window(), u"Switchover"_s)->isEnabled()); // nobody could step down
        click(p.button(p.desktop->window(), u"Failover"_s));
        auto *choose = p.dialog<views::FailoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        QVERIFY2(choose->windowTitle().contains(u"payments/acme"_s) && made::shownWords(*choose).contains(u"nobody leads"_s),
                 qPrintable(made::shownWords(*choose)));
        chooseCandidate(choose, QString::fromStdString(to));
        send(p, choose, u"Fail over payments/acme to "_s + QString::fromStdString(to));
        QTRY_COMPARE_WITH_TIMEOUT(p.leader(), to, patience);
        QTRY_COMPARE_WITH_TIMEOUT(events(p, u"outcome"_s).size(), 1, patience);
        QCOMPARE(events(p, u"outcome"_s).front().value(u"outcome").toString(), u"done"_s);
        const auto &report = p.cluster()->requests.back();
        QVERIFY(!report.request.leader);
        QCOMPARE(report.leaderBefore, std::optional(dead));
    }

    // What the members logged about it is fetched through the API server and quoted beside the outcome, even if not at the first try.
    void logLinesAreQuoted()
    {
        auto plan = made::quickPlan();
        plan.clusters.front().loopWait = 1;
        plan.speed = 1; // the members' logs have the time of the day
        Program p(false, plan);
        p.simulator.setLogOutage(2); // of both members the first
        ask(p, ActionKind::Switchover);
        auto *choose = p.dialog<views::SwitchoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        const QString from = QString::fromStdString(p.leader()), to = QString::fromStdString(p.replica());
        chooseCandidate(choose, to);
        send(p, choose, u"Switch over"_s);
        QTRY_COMPARE_WITH_TIMEOUT(p.outcome(), std::optional(Outcome::Done), patience);
        const auto shown = [&p] { return made::shownWords(*p.desktop->window()); };
        QTRY_VERIFY_WITH_TIMEOUT(shown().contains(u"demoting myself"_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(shown().contains(u"promoted self to leader by acquiring session lock"_s), patience);
        QStringList both{from, to};
        both.sort();
        QVERIFY2(shown().contains(u"log of "_s + both.join(u", "_s)), qPrintable(shown()));
    }

    void scheduledInAZoneThenReplacedThenCancelled()
    {
        Program p;
        ask(p, ActionKind::Switchover);
        auto *choose = p.dialog<views::SwitchoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        const QString to = QString::fromStdString(p.replica());
        chooseCandidate(choose, to);
        const QDateTime due = inSevenHours(p);
        schedule(choose, due, "Asia/Kolkata");
        QAbstractButton *act = goOn(p, choose, u"Schedule switchover of payments/acme"_s);
        QVERIFY(act);
        const QString utc = due.toString(u"yyyy-MM-dd HH:mm:ss"_s) + u" UTC"_s;
        QVERIFY(made::shownWords(*p.dialog<views::ConfirmWriteDialog>()).contains(utc));
        QTRY_VERIFY_WITH_TIMEOUT(act->isEnabled(), patience);
        click(act);
        QTRY_COMPARE_WITH_TIMEOUT(events(p, u"answer"_s).size(), 1, patience);
        QTRY_VERIFY_WITH_TIMEOUT(p.cluster()->failover && p.cluster()->failover->scheduledAtRaw, patience);
        QCOMPARE(QString::fromStdString(*p.cluster()->failover->scheduledAtRaw), due.toString(u"yyyy-MM-ddTHH:mm:ss"_s) + u"+00:00"_s);

        // Another one: what is pending is shown and must be given up knowingly.
        ask(p, ActionKind::Switchover);
        choose = p.dialog<views::SwitchoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        chooseCandidate(choose, to);
        schedule(choose, due.addSecs(3600), "America/New_York");
        QAbstractButton *go = p.button(choose, u"Continue"_s);
        QVERIFY(!go->isEnabled());
        QCheckBox *replace = choose->findChildren<QCheckBox *>().back();
        QVERIFY(replace->isVisible());
        QTest::mouseClick(replace, Qt::LeftButton, {}, QPoint(8, replace->height() / 2));
        act = goOn(p, choose, u"Schedule switchover"_s);
        QVERIFY(act);
        QVERIFY(made::shownWords(*p.dialog<views::ConfirmWriteDialog>()).contains(u"member = "_s + to)); // the old one
        QTRY_VERIFY_WITH_TIMEOUT(act->isEnabled(), patience);
        click(act);
        const std::string later = due.addSecs(3600).toString(u"yyyy-MM-ddTHH:mm:ss+00:00"_s).toStdString();
        QTRY_COMPARE_WITH_TIMEOUT(p.cluster()->failover->scheduledAtRaw, std::optional(later), patience);
        QTRY_COMPARE_WITH_TIMEOUT(events(p, u"outcome"_s).size(), 1, patience);
        QCOMPARE(events(p, u"outcome"_s).front().value(u"outcome").toString(), u"superseded"_s);

        QTRY_COMPARE_WITH_TIMEOUT(events(p, u"answer"_s).size(), 2, patience);
        ask(p, ActionKind::CancelRequest);
        send(p, nullptr, u"Cancel the request of payments/acme"_s);
        QTRY_COMPARE_WITH_TIMEOUT(p.outcome(), std::optional(Outcome::Cancelled), patience);
        QTRY_COMPARE_WITH_TIMEOUT(events(p, u"outcome"_s).size(), 3, patience); // of the request, and of the cancellation
        QCOMPARE(events(p, u"outcome"_s).at(1).value(u"outcome").toString(), u"cancelled"_s);
        QCOMPARE(events(p, u"outcome"_s).at(2).value(u"outcome").toString(), u"in-force"_s);
        QCOMPARE(events(p, u"outcome"_s).at(2).value(u"id"), events(p, u"intent"_s).at(2).value(u"id"));
    }

    // The right is taken away while the dialog is filled in: the try says so, and nothing can be sent.
    void aRefusedTryDisablesTheButton()
    {
        Program p;
        ask(p, ActionKind::Switchover);
        auto *choose = p.dialog<views::SwitchoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        chooseCandidate(choose, QString::fromStdString(p.replica()));
        p.simulator.setDenied({"create endpoints payments", "patch endpoints payments"});
        QAbstractButton *act = goOn(p, choose, u"Switch over"_s);
        QVERIFY(act);
        auto *confirm = p.dialog<views::ConfirmWriteDialog>();
        QTRY_VERIFY_WITH_TIMEOUT(made::shownWords(*confirm).contains(u"The API server does not permit it"_s), patience);
        QVERIFY(!act->isEnabled());
        confirm->accept(); // whatever the button says
        QVERIFY(confirm->isVisible());
        QVERIFY(p.audit().isEmpty());
    }

    void aDoubleClickSendsOnce()
    {
        Program p;
        ask(p, ActionKind::Switchover);
        auto *choose = p.dialog<views::SwitchoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        chooseCandidate(choose, QString::fromStdString(p.replica()));
        QPointer<QAbstractButton> act = goOn(p, choose, u"Switch over"_s);
        QVERIFY(act);
        QTRY_VERIFY_WITH_TIMEOUT(act->isEnabled(), patience);
        click(act);
        if (act)
            QTest::mouseDClick(act, Qt::LeftButton);
        Q_EMIT p.desktop->window()->actionRequested(p.cluster()->names.key, ActionKind::Switchover, {}); // while it is under way
        QTRY_COMPARE_WITH_TIMEOUT(p.outcome(), std::optional(Outcome::Done), patience);
        QTRY_COMPARE_WITH_TIMEOUT(events(p, u"outcome"_s).size(), 1, patience);
        QCOMPARE(events(p, u"intent"_s).size(), 1);
        QCOMPARE(p.cluster()->requests.size(), std::size_t(1));
    }

    // By the leader's own server: it cannot be tried beforehand, it blocks until it is done, and Patroni's words are told.
    void switchoverByRest()
    {
        Program p;
        ask(p, ActionKind::Switchover);
        auto *choose = p.dialog<views::SwitchoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        // The members are asked meanwhile.
        QTRY_VERIFY_WITH_TIMEOUT(made::shownWords(*choose).contains(u"3 of 3 members answered"_s), patience);
        const QString from = QString::fromStdString(p.leader()), to = QString::fromStdString(p.replica());
        chooseCandidate(choose, to);
        chooseRest(choose);
        QVERIFY(choose->wish().byRest);
        QAbstractButton *act = goOn(p, choose, u"Switch over"_s);
        QVERIFY(act);
        QTRY_VERIFY_WITH_TIMEOUT(act->isEnabled(), patience);
        const QString words = made::shownWords(*p.dialog<views::ConfirmWriteDialog>());
        QVERIFY2(words.contains(u"No precondition, no dry run: it is sent to %1's own server"_s.arg(from)), qPrintable(words));
        click(act);
        QTRY_COMPARE_WITH_TIMEOUT(p.leader(), to.toStdString(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(said(p).contains(u"Successfully switched over"_s), patience);
        QCOMPARE(events(p, u"intent"_s).size(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(events(p, u"outcome"_s).size(), 1, patience);
        QCOMPARE(events(p, u"outcome"_s).front().value(u"outcome").toString(), u"done"_s);
    }

    // The connection breaks after the request has left: it is not known whether it arrived, and it is not sent again.
    void aLostAnswerIsUnknown()
    {
        Program p;
        ask(p, ActionKind::Switchover);
        auto *choose = p.dialog<views::SwitchoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        chooseCandidate(choose, QString::fromStdString(p.replica()));
        QAbstractButton *act = goOn(p, choose, u"Switch over"_s);
        QVERIFY(act);
        QTRY_VERIFY_WITH_TIMEOUT(act->isEnabled(), patience);
        p.simulator.freezeApi();
        click(act);
        QTRY_COMPARE_WITH_TIMEOUT(events(p, u"intent"_s).size(), 1, patience);
        QTRY_VERIFY_WITH_TIMEOUT(p.dialog<views::WaitingDialog>(), patience);
        const QString waiting = made::shownWords(*p.dialog<views::WaitingDialog>());
        QVERIFY2(waiting.contains(u"sent, waiting for the answer"_s) && waiting.contains(u"does not take the request back"_s),
                 qPrintable(waiting));
        p.simulator.stopApi();
        QTRY_VERIFY_WITH_TIMEOUT(said(p).contains(u"may or may not have been written"_s), 2 * patience);
        QVERIFY(!said(p).contains(u"fail"_s));
        QCOMPARE(events(p, u"intent"_s).size(), 1);
    }

    // Somebody else writes while the confirmation is open: it says so and cannot be used any more.
    void somebodyFasterBlocksTheConfirmation()
    {
        Program p;
        ask(p, ActionKind::Switchover);
        auto *choose = p.dialog<views::SwitchoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        chooseCandidate(choose, QString::fromStdString(p.replica()));
        QAbstractButton *act = goOn(p, choose, u"Switch over"_s);
        QVERIFY(act);
        QTRY_VERIFY_WITH_TIMEOUT(act->isEnabled(), patience);
        p.simulator.crashLeader("payments", "acme");
        QTRY_VERIFY_WITH_TIMEOUT(!act->isEnabled(), patience);
        QVERIFY(p.audit().isEmpty());
    }

    // A call has no precondition: Patroni would replace unseen what came since. It is not sent then, and the confirmation says why.
    void somebodysRequestBlocksACallToo()
    {
        Program p;
        ask(p, ActionKind::Switchover);
        auto *choose = p.dialog<views::SwitchoverDialog>();
        QVERIFY2(choose, qPrintable(said(p)));
        const std::string from = p.leader(), to = p.replica();
        chooseCandidate(choose, QString::fromStdString(to));
        chooseRest(choose);
        QVERIFY(choose->wish().byRest);
        QAbstractButton *act = goOn(p, choose, u"Switch over"_s);
        QVERIFY(act);
        QTRY_VERIFY_WITH_TIMEOUT(act->isEnabled(), patience);
        const Instant later = p.desktop->monitor()->now().wall + std::chrono::hours(7);
        const auto other = actions::planSwitchover(*p.cluster(), rules::switchoverWish(from, to, later));
        QVERIFY2(other, other ? "" : describe(other.error()).c_str());
        auto *connection = p.desktop->monitor()->connection(QString::fromStdString(p.cluster()->names.key.context));
        connection->client()->write(other->write, p.desktop.get(), [](const kube::Response &) {});
        const QString pending = QString::fromStdString("pending now: leader=" + from + " member=" + to + " scheduled_at=");
        QTRY_VERIFY_WITH_TIMEOUT(act->toolTip().contains(pending), patience);
        QVERIFY(!act->isEnabled());
        QVERIFY(p.audit().isEmpty());
    }
};

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("switchyard-test"));
    views::applyTheme(app, views::Theme::Light);
    TestWriteFlow test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_write_flow.moc"
