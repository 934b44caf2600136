// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_clusters.h"
#include "tests/support/patience.h"
#include "tests/support/view_shots.h"
#include "views/dialogs/candidates_table.h"
#include "views/dialogs/choose_dialogs.h"
#include "views/dialogs/failover_dialog.h"
#include "views/dialogs/fold.h"
#include "views/dialogs/loss_card.h"
#include "views/dialogs/problem_list.h"
#include "views/dialogs/switchover_dialog.h"

#include <QCheckBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// What is special about a failover: to whom, and what may be lost; and what both dialogs show of live answers and rules.
class TestFailoverDialog : public QObject
{
    Q_OBJECT

    static void pick(QWidget &dialog, const QString &name)
    {
        auto *table = dialog.findChild<CandidatesTable *>();
        const auto found = table->findItems(name, Qt::MatchExactly);
        QVERIFY(!found.isEmpty());
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(found.front()).center());
    }
    static QPushButton *go(QWidget &dialog)
    {
        for (auto *button : dialog.findChildren<QPushButton *>()) {
            if (button->text().remove(u'&').startsWith(u"Continue"_s))
                return button;
        }
        return nullptr;
    }
    static QString loss(QWidget &dialog) { return dialog.findChild<LossCard *>()->text(); }
    static QString rules(QWidget &dialog) { return dialog.findChildren<Fold *>().at(0)->text(); }
    static patroni::Cluster leaderless()
    {
        patroni::Cluster c = made::healthy();
        c.leaderName.reset();
        c.lock.state = patroni::LockState::Expired;
        for (patroni::Member &member : c.members) {
            if (member.role == patroni::Role::Leader)
                member.role = patroni::Role::Replica;
        }
        return c;
    }

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, Theme::Light); }

    void aCandidateMustBeNamed()
    {
        FailoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        auto *table = dialog.findChild<CandidatesTable *>();
        QVERIFY(table->findItems(u"Patroni decides"_s, Qt::MatchExactly).isEmpty());
        QVERIFY(!go(dialog)->isEnabled());
        QVERIFY(loss(dialog).contains(u"Choose a candidate"_s));
        pick(dialog, u"acme-2"_s);
        QVERIFY2(go(dialog)->isEnabled(), qPrintable(go(dialog)->toolTip()));
        const rules::ActionWish wish = dialog.wish();
        QCOMPARE(wish, rules::failoverWish("acme-2"));
        const QString written = dialog.findChildren<Fold *>().back()->text();
        QVERIFY2(written.contains(u"leader: null"_s) && written.endsWith(u"patronictl failover acme --candidate acme-2"_s),
                 qPrintable(written));
    }

    // On 1280x720 with text at 150 % and a request pending: everything can be reached, the buttons always.
    void fitsASmallScreenAtLargeText()
    {
        const QFont normal = QApplication::font();
        QFont large = normal;
        large.setPointSizeF(normal.pointSizeF() * 1.5);
        QApplication::setFont(large);
        {
            SwitchoverDialog dialog(made::scheduled(), made::now());
            dialog.show();
            QVERIFY2(dialog.minimumSizeHint().height() <= 680, qPrintable(QString::number(dialog.minimumSizeHint().height())));
            QVERIFY2(dialog.minimumSizeHint().width() <= 1280, qPrintable(QString::number(dialog.minimumSizeHint().width())));
            dialog.resize(1200, 680);
            QCOMPARE(dialog.height(), 680);
            QTRY_VERIFY(dialog.rect().contains(QRect(go(dialog)->mapTo(&dialog, QPoint()), go(dialog)->size())));
            auto *area = dialog.findChild<QScrollArea *>();
            auto *replace = dialog.findChildren<QCheckBox *>().back();
            area->ensureWidgetVisible(replace);
            QVERIFY(area->viewport()->rect().contains(replace->mapTo(area->viewport(), replace->rect().center())));
            made::shoot(dialog, u"switchover-pending-150"_s, true);
        }
        QApplication::setFont(normal);
    }

    void eachSaysWhatItIs()
    {
        FailoverDialog failover(made::healthy(), made::now());
        SwitchoverDialog switchover(made::healthy(), made::now());
        failover.show();
        switchover.show();
        QVERIFY(made::shownWords(failover).contains(u"also when the leader is dead"_s));
        QVERIFY(made::shownWords(switchover).contains(u"Nothing is lost"_s));
    }

    void whatMayBeLost()
    {
        patroni::Cluster c = made::healthy();
        for (patroni::Member &member : c.members) {
            if (member.record.name == "acme-2") {
                member.lag = 48234496;
                member.lsn = 671129000 - 48234496;
                member.record.receiveLsn = member.lsn;
                member.record.replayLsn = member.lsn;
                member.record.xlogLocation = member.lsn;
            }
        }
        FailoverDialog dialog(c, made::now());
        dialog.show();
        pick(dialog, u"acme-2"_s);
        QVERIFY2(loss(dialog).contains(u"46.0 MiB"_s), qPrintable(loss(dialog)));
        QVERIFY2(loss(dialog).contains(u"48,234,496 bytes"_s), qPrintable(loss(dialog)));
        QVERIFY2(loss(dialog).contains(u"synchronous standby: nothing"_s), qPrintable(loss(dialog)));
        made::shoot(dialog, u"failover-loss"_s, true);
        pick(dialog, u"acme-0"_s);
        QVERIFY2(loss(dialog).contains(u"Not a synchronous standby"_s), qPrintable(loss(dialog)));
    }

    void unknownIsUnknown()
    {
        patroni::Cluster c = made::healthy();
        for (patroni::Member &member : c.members) {
            member.lag.reset();
            member.receiveLag.reset();
            member.replayLag.reset();
            member.lsn.reset();
            member.record.xlogLocation.reset();
            member.record.receiveLsn.reset();
            member.record.replayLsn.reset();
        }
        FailoverDialog dialog(c, made::now());
        dialog.show();
        pick(dialog, u"acme-2"_s);
        QVERIFY2(loss(dialog).contains(u"unknown"_s), qPrintable(loss(dialog)));
        QVERIFY2(!loss(dialog).contains(u"0 B"_s), qPrintable(loss(dialog)));
    }

    // The normal case of a failover.
    void aDeadLeaderIsNoObstacle()
    {
        FailoverDialog dialog(leaderless(), made::now());
        dialog.show();
        QVERIFY(made::shownWords(dialog).contains(u"nobody leads"_s));
        pick(dialog, u"acme-2"_s);
        QVERIFY2(go(dialog)->isEnabled(), qPrintable(go(dialog)->toolTip()));
        made::shoot(dialog, u"failover-dead"_s, true);
    }

    // A failover names no leader: from whom the office is taken is who leads now, not who led when it was opened.
    void aNewLeaderIsShown()
    {
        FailoverDialog dialog(leaderless(), made::now());
        dialog.show();
        pick(dialog, u"acme-2"_s);
        const auto problems = [&] { return dialog.findChild<ProblemList *>()->text(); };
        QVERIFY(!problems().contains(u"leads now"_s));
        dialog.setCluster(made::healthy(), made::now(5s));
        QString words = made::shownWords(dialog);
        QVERIFY2(words.contains(u"from acme-1"_s) && !words.contains(u"nobody leads"_s), qPrintable(words));
        QVERIFY2(problems().contains(u"acme-1 leads now; nobody did when this was opened."_s), qPrintable(problems()));
        QVERIFY(dialog.findChildren<QCheckBox *>().at(0)->text().contains(u"acme-1"_s));
        dialog.setCluster(made::stale(), made::now(9s));
        words = made::shownWords(dialog);
        QVERIFY2(words.contains(u"who leads now is not known"_s), qPrintable(words));
    }
    void aLeaderThatIsGoneIsNoNewOne()
    {
        FailoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        pick(dialog, u"acme-2"_s);
        QVERIFY(made::shownWords(dialog).contains(u"from acme-1"_s));
        dialog.setCluster(leaderless(), made::now(5s));
        QVERIFY(made::shownWords(dialog).contains(u"nobody leads"_s));
        QVERIFY(!dialog.findChild<ProblemList *>()->text().contains(u"leads now"_s));
        QVERIFY2(go(dialog)->isEnabled(), qPrintable(go(dialog)->toolTip()));
        patroni::Cluster other = made::healthy();
        other.leaderName = "acme-0";
        dialog.setCluster(other, made::now(9s));
        QVERIFY2(dialog.findChild<ProblemList *>()->text().contains(u"acme-0 leads now; it was acme-1 when this was opened."_s),
                 qPrintable(dialog.findChild<ProblemList *>()->text()));
    }

    void reachabilityIsNotKnownWithoutTheRight()
    {
        SwitchoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        dialog.setNotAsked(u"pods/proxy is not permitted"_s);
        QVERIFY(made::shownWords(dialog).contains(u"Reachability is not known: pods/proxy is not permitted."_s));
    }

    void liveAnswersCountWithTheirAge()
    {
        SwitchoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        dialog.setNotAsked({});
        QVERIFY(made::shownWords(dialog).contains(u"being asked"_s));
        rules::LiveAnswer good, silent;
        good.at = silent.at = made::now(-4s).boot;
        good.state = "running";
        good.role = "replica";
        good.position = 671129000;
        silent.error = Error{ErrorKind::Unreachable};
        dialog.setAnswers({{"acme-2", good}, {"acme-0", silent}});
        const QString words = made::shownWords(dialog);
        QVERIFY2(words.contains(u"1 of 2 members answered, the oldest answer 4 s ago. No answer: acme-0."_s), qPrintable(words));
        auto *table = dialog.findChild<CandidatesTable *>();
        const int row = table->findItems(u"acme-0"_s, Qt::MatchExactly).front()->row();
        QVERIFY(!table->isColumnHidden(4));
        QCOMPARE(table->item(row, 4)->text(), u"none, 4 s ago"_s);
        made::shoot(dialog, u"switchover-asked"_s, true);
        // The watchdog of the candidate failed: it says so itself.
        good.watchdogFailed = true;
        dialog.setAnswers({{"acme-2", good}});
        pick(dialog, u"acme-2"_s);
        QVERIFY(!go(dialog)->isEnabled());
        // An answer that is too old says nothing any more.
        dialog.tick(made::now(2min));
        QVERIFY2(go(dialog)->isEnabled(), qPrintable(go(dialog)->toolTip()));
    }

    void everyRuleNamesItsSource()
    {
        SwitchoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        QVERIFY2(rules(dialog).contains(u"not-sync-standby: patroni/"_s), qPrintable(rules(dialog)));
        QVERIFY(rules(dialog).contains(u"acme-0: unfit"_s));
        dialog.findChildren<Fold *>().at(0)->setOpen(true);
        QCOMPARE(made::namelessWidgets(dialog), QStringList{});
        made::shoot(dialog, u"switchover-rules"_s, true);
    }

    void theOtherWayIsAChoice()
    {
        SwitchoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        QCheckBox *rest = dialog.findChildren<QCheckBox *>().at(0);
        QVERIFY(rest->text().contains(u"acme-1"_s));
        QVERIFY(!dialog.wish().byRest);
        QTest::mouseClick(rest, Qt::LeftButton, {}, QPoint(8, rest->height() / 2));
        QVERIFY(dialog.wish().byRest);
    }

    void anEarlierWishIsShownAgain()
    {
        SwitchoverDialog dialog(made::healthy(), made::now());
        rules::ActionWish wish = rules::switchoverWish("acme-1", "acme-2", made::instant("2031-02-01T15:16:00Z"));
        wish.byRest = true;
        dialog.setWish(wish);
        QCOMPARE(dialog.wish(), wish);
        dialog.preselect("acme-0");
        QCOMPARE(dialog.wish().candidate, std::optional<std::string>("acme-0"));
    }

    void fitsASmallScreen()
    {
        FailoverDialog dialog(made::longNames(), made::now());
        dialog.show();
        QVERIFY2(dialog.width() <= 1280, qPrintable(QString::number(dialog.width())));
        made::shoot(dialog, u"failover-long"_s, true);
    }
};

QTEST_MAIN(TestFailoverDialog)
#include "tst_failover_dialog.moc"
