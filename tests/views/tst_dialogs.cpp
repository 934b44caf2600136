// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_clusters.h"
#include "tests/support/view_shots.h"
#include "views/dialogs/candidates_table.h"
#include "views/dialogs/confirm_write_dialog.h"
#include "views/dialogs/fold.h"
#include "views/dialogs/problem_list.h"
#include "views/dialogs/switchover_dialog.h"
#include "views/dialogs/when_box.h"
#include "views/dialogs/zoned_time.h"
#include "views/style/marks.h"
#include "views/widgets/cell_roles.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestDialogs : public QObject
{
    Q_OBJECT

    template<class Button>
    static Button *button(QWidget &dialog, const QString &word)
    {
        for (auto *b : dialog.findChildren<Button *>())
            if (b->text().remove(u'&').startsWith(word))
                return b;
        return nullptr;
    }
    static QPushButton *go(QWidget &dialog) { return button<QPushButton>(dialog, u"Continue"_s); }
    static void pick(SwitchoverDialog &dialog, const QString &name)
    {
        auto *table = dialog.findChild<CandidatesTable *>();
        const auto found = table->findItems(name, Qt::MatchExactly);
        QVERIFY(!found.isEmpty());
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(found.front()).center());
    }
    static void schedule(SwitchoverDialog &dialog, const QDateTime &time, int zone)
    {
        auto *radio = button<QRadioButton>(dialog, u"At a time"_s);
        QTest::mouseClick(radio, Qt::LeftButton, {}, QPoint(8, radio->height() / 2));
        dialog.findChild<WhenBox *>()->findChild<QComboBox *>()->setCurrentIndex(zone);
        dialog.findChild<QDateTimeEdit *>()->setDateTime(time);
    }
    static QDateTime at(const QString &iso) { return QDateTime::fromString(iso + u'Z', Qt::ISODate); }
    static QString problems(QWidget &dialog) { return dialog.findChild<ProblemList *>()->text(); }

    static ConfirmFacts facts()
    {
        ConfirmFacts f;
        f.action = u"Schedule a switchover"_s;
        f.button = u"Schedule switchover of payments/acme to acme-2"_s;
        f.context = u"prod-eu"_s;
        f.ns = u"payments"_s;
        f.scope = u"acme"_s;
        f.from = u"acme-1"_s;
        f.to = u"acme-2"_s;
        f.at = made::instant("2031-02-01T15:16:00Z");
        f.dataAge = u"connected, last contact 800 ms ago"_s;
        f.replaces = u"leader = acme-1, member = acme-0"_s;
        f.warnings = {u"A request is pending already (acme-0). A new one replaces it."_s};
        f.request = u"PATCH /api/v1/namespaces/payments/endpoints/acme-failover"_s;
        f.body =
            uR"({"metadata":{"resourceVersion":"90388","labels":{"application":"patroni","cluster-name":"acme"},"annotations":{"leader":"acme-1","member":"acme-2","scheduled_at":"2031-02-01T15:16:00+00:00"}}})"_s;
        f.commands = {{u"patronictl"_s,
                       u"patronictl switchover acme --leader acme-1 --candidate acme-2 --scheduled 2031-02-01T15:16:00+00:00 --force"_s,
                       {}},
                      {u"kubectl"_s,
                       u"kubectl --context prod-eu -n payments patch endpoints acme-failover --type merge --patch-file request.json"_s,
                       {}}};
        f.preflight = u"by Patroni's rules it would be done; fit: acme-2"_s;
        return f;
    }

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, Theme::Light); }

    void zonedTimes_data()
    {
        using S = ZonedTime::State;
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QByteArray>("zone");
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("utc");
        const QByteArray berlin = "Europe/Berlin", utc = "UTC", lord = "Australia/Lord_Howe", apia = "Pacific/Apia";
        QTest::newRow("utc") << u"2031-03-30T02:30:00"_s << utc << int(S::Exact) << u"2031-03-30T02:30:00Z"_s;
        QTest::newRow("winter") << u"2031-01-10T12:00:00"_s << berlin << int(S::Exact) << u"2031-01-10T11:00:00Z"_s;
        QTest::newRow("summer") << u"2031-07-10T12:00:00"_s << berlin << int(S::Exact) << u"2031-07-10T10:00:00Z"_s;
        QTest::newRow("before the gap") << u"2031-03-30T01:59:59"_s << berlin << int(S::Exact) << u"2031-03-30T00:59:59Z"_s;
        QTest::newRow("gap begins") << u"2031-03-30T02:00:00"_s << berlin << int(S::Skipped) << QString();
        QTest::newRow("in the gap") << u"2031-03-30T02:30:00"_s << berlin << int(S::Skipped) << QString();
        QTest::newRow("after the gap") << u"2031-03-30T03:00:00"_s << berlin << int(S::Exact) << u"2031-03-30T01:00:00Z"_s;
        QTest::newRow("before twice") << u"2031-10-26T01:59:59"_s << berlin << int(S::Exact) << u"2031-10-25T23:59:59Z"_s;
        QTest::newRow("twice") << u"2031-10-26T02:30:00"_s << berlin << int(S::Twice) << QString();
        QTest::newRow("after twice") << u"2031-10-26T03:00:00"_s << berlin << int(S::Exact) << u"2031-10-26T02:00:00Z"_s;
        QTest::newRow("half an hour, skipped") << u"2030-10-06T02:15:00"_s << lord << int(S::Skipped) << QString();
        QTest::newRow("half an hour, twice") << u"2030-04-07T01:45:00"_s << lord << int(S::Twice) << QString();
        QTest::newRow("a day that never was") << u"2011-12-30T12:00:00"_s << apia << int(S::Skipped) << QString();
    }
    void zonedTimes()
    {
        QFETCH(QString, typed);
        QFETCH(QByteArray, zone);
        QFETCH(int, state);
        QFETCH(QString, utc);
        const auto when = at(typed);
        const auto result = resolveZoned(when.date(), when.time(), QTimeZone(zone));
        QCOMPARE(int(result.state), state);
        QCOMPARE(result.instant.has_value(), !utc.isEmpty());
        if (result.instant)
            QCOMPARE(*result.instant, parseInstant(utc.toStdString()).value());
        QCOMPARE(explained(result).isEmpty(), result.instant.has_value());
    }

    void patroniDecidesNow()
    {
        SwitchoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        QVERIFY(go(dialog)->isEnabled());
        const auto wish = dialog.wish();
        QCOMPARE(wish, rules::switchoverWish("acme-1"));
        QSignalSpy accepted(&dialog, &QDialog::accepted);
        QTest::mouseClick(go(dialog), Qt::LeftButton);
        QCOMPARE(accepted.size(), 1);
    }

    void returnKeyDoesNotGoOn()
    {
        SwitchoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        QSignalSpy accepted(&dialog, &QDialog::accepted);
        QTest::keyClick(&dialog, Qt::Key_Return);
        QCOMPARE(accepted.size(), 0);
    }

    void candidates()
    {
        SwitchoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        pick(dialog, u"acme-2"_s);
        QCOMPARE(dialog.wish().candidate, std::optional<std::string>("acme-2"));
        QVERIFY(go(dialog)->isEnabled());
        pick(dialog, u"acme-0"_s); // not a synchronous standby
        QVERIFY(!go(dialog)->isEnabled());
        QVERIFY(problems(dialog).contains(u"acme-0 cannot take over"_s));
        QVERIFY(go(dialog)->toolTip().contains(u"acme-0"_s));
        auto *table = dialog.findChild<CandidatesTable *>();
        const int row = table->findItems(u"acme-0"_s, Qt::MatchExactly).front()->row();
        QCOMPARE(table->item(row, 1)->text(), u"unfit"_s);
        QVERIFY(table->item(row, 5)->text().contains(u"not a synchronous standby"_s));
        QCOMPARE(table->item(row, 1)->data(ToneRole).toInt(), static_cast<int>(Tone::Bad));
        pick(dialog, u"acme-1"_s);
        QVERIFY(problems(dialog).contains(u"leads already"_s));
        QCOMPARE(made::namelessWidgets(dialog), QStringList{});
        pick(dialog, u"acme-0"_s);
        made::shoot(dialog, u"switchover-unfit"_s, true);
    }

    void scheduling()
    {
        SwitchoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        pick(dialog, u"acme-2"_s);
        schedule(dialog, at(u"2031-02-01T15:16:00"_s), 1);
        QCOMPARE(dialog.wish().at, std::optional(made::instant("2031-02-01T15:16:00Z")));
        QVERIFY(go(dialog)->isEnabled());
        QVERIFY(made::shownWords(dialog).contains(u"in 2 h 13 min"_s));
        QVERIFY(dialog.findChildren<Fold *>().back()->text().contains(u"2031-02-01T15:16:00+00:00"_s));
        dialog.tick(made::now(10min));
        QVERIFY(made::shownWords(dialog).contains(u"in 2 h 3 min"_s));
        made::shoot(dialog, u"switchover-scheduled"_s, true);
        dialog.findChild<Fold *>()->setOpen(true);
        QCOMPARE(made::namelessWidgets(dialog), QStringList{});
        made::shoot(dialog, u"switchover-open"_s, true);

        schedule(dialog, at(u"2031-02-01T13:00:00"_s), 1); // past
        QVERIFY(!go(dialog)->isEnabled());
        QVERIFY(problems(dialog).contains(u"past"_s));
        schedule(dialog, at(u"2031-02-01T13:12:16"_s), 1); // 5 s ahead: too near, said but allowed
        QVERIFY(go(dialog)->isEnabled());
        QVERIFY(problems(dialog).contains(u"less than one loop away"_s));
        dialog.tick(made::now(11min));
        QVERIFY2(!go(dialog)->isEnabled(), "its time came while the dialog was open");
    }

    void localTimeOfTwoMeaningsIsRefused()
    {
        qputenv("TZ", "Europe/Berlin");
        tzset();
        {
            SwitchoverDialog dialog(made::healthy(), made::now());
            dialog.show();
            schedule(dialog, at(u"2031-10-26T02:30:00"_s), 0);
            QVERIFY(!go(dialog)->isEnabled());
            QVERIFY(problems(dialog).contains(u"comes twice"_s));
            QVERIFY(!dialog.wish().at);
            schedule(dialog, at(u"2031-03-30T02:30:00"_s), 0);
            QVERIFY(!go(dialog)->isEnabled());
            QVERIFY(problems(dialog).contains(u"does not exist"_s));
            schedule(dialog, at(u"2031-03-30T02:30:00"_s), 1); // the same digits in UTC are exact
            QVERIFY(go(dialog)->isEnabled());
            schedule(dialog, at(u"2031-07-01T12:00:00"_s), 0);
            QCOMPARE(dialog.wish().at, std::optional(made::instant("2031-07-01T10:00:00Z")));
            const QString words = made::shownWords(dialog);
            QVERIFY2(words.contains(u"2031-07-01 12:00:00 CEST"_s) && words.contains(u"2031-07-01 10:00:00 UTC"_s), qPrintable(words));
            made::shoot(dialog, u"switchover-local"_s, true);
        }
        qputenv("TZ", "UTC");
        tzset();
    }

    void pendingMustBeReplacedKnowingly()
    {
        SwitchoverDialog dialog(made::scheduled(), made::now());
        dialog.show();
        pick(dialog, u"acme-2"_s);
        QVERIFY(!go(dialog)->isEnabled());
        auto *replace = dialog.findChildren<QCheckBox *>().back();
        QVERIFY(replace->isVisible());
        QTest::mouseClick(replace, Qt::LeftButton, {}, QPoint(8, replace->height() / 2));
        QVERIFY(replace->isChecked());
        QVERIFY(go(dialog)->isEnabled());
        made::shoot(dialog, u"switchover-replace"_s, true);
    }

    // It stops nothing, and a new request takes its place.
    void whatPatroniDoesNotSeeIsOnlySaid()
    {
        auto cluster = made::outage();
        SwitchoverDialog blocked(cluster, made::now());
        blocked.show();
        pick(blocked, u"acme-2"_s);
        QVERIFY(!go(blocked)->isEnabled());
        cluster.failoverUnseen = true;
        SwitchoverDialog dialog(cluster, made::now());
        dialog.show();
        pick(dialog, u"acme-2"_s);
        QVERIFY(go(dialog)->isEnabled());
        QVERIFY(!dialog.findChildren<QCheckBox *>().back()->isVisible());
        QVERIFY2(problems(dialog).contains(u"Patroni cannot see the request that is there (acme-2)"_s), qPrintable(problems(dialog)));
    }

    void followsTheCluster()
    {
        SwitchoverDialog dialog(made::healthy(), made::now());
        dialog.show();
        pick(dialog, u"acme-2"_s);
        dialog.setCluster(made::stale(), made::now());
        QVERIFY(!go(dialog)->isEnabled());
        QVERIFY(problems(dialog).contains(u"not current"_s));
        dialog.setCluster(made::healthy(), made::now());
        QVERIFY(go(dialog)->isEnabled());
        QCOMPARE(dialog.wish().candidate, std::optional<std::string>("acme-2"));
        auto changed = made::healthy();
        changed.leaderName = changed.lock.holder = "acme-0";
        dialog.setCluster(changed, made::now());
        QVERIFY(!go(dialog)->isEnabled());
        QCOMPARE(dialog.wish().leader, std::string("acme-1")); // never silently another one
        auto gone = made::healthy();
        gone.members.pop_back();
        dialog.setCluster(gone, made::now());
        QVERIFY(!go(dialog)->isEnabled());
        QCOMPARE(dialog.wish().candidate, std::optional<std::string>("acme-2"));
    }

    void pausedNeedsANameAndNoTime()
    {
        SwitchoverDialog dialog(made::paused(), made::now());
        dialog.show();
        QVERIFY(!go(dialog)->isEnabled());
        pick(dialog, u"acme-2"_s);
        QVERIFY(go(dialog)->isEnabled());
        schedule(dialog, at(u"2031-02-01T15:16:00"_s), 1);
        QVERIFY(!go(dialog)->isEnabled());
        made::shoot(dialog, u"switchover-paused"_s, true);
    }

    void longNames()
    {
        SwitchoverDialog dialog(made::longNames(), made::now());
        dialog.show();
        QVERIFY2(dialog.width() <= 1280, qPrintable(QString::number(dialog.width())));
        made::shoot(dialog, u"switchover-long"_s, true);
    }

    void confirmNamesEverything()
    {
        const auto f = facts();
        ConfirmWriteDialog dialog(f, made::now());
        dialog.show();
        const QString words = made::shownWords(dialog);
        for (const QString &text : {f.context, f.ns, f.scope, f.from, f.to, f.dataAge, f.replaces, f.warnings.front(),
                                    u"2031-02-01 15:16:00 UTC"_s, u"in 2 h 13 min"_s, f.button})
            QVERIFY2(words.contains(text), qPrintable(text));
        QStringList folded;
        for (auto *fold : dialog.findChildren<Fold *>())
            folded << fold->text();
        QCOMPARE(folded, QStringList{f.request + u'\n' + f.body});
        QCOMPARE(dialog.findChild<CommandFold *>()->text(), f.commands.front().line + u'\n' + f.commands.back().line);
        QCOMPARE(made::namelessWidgets(dialog), QStringList{});
        made::shoot(dialog, u"confirm"_s, true);
        for (auto *fold : dialog.findChildren<Fold *>())
            fold->setOpen(true);
        dialog.findChild<CommandFold *>()->setOpen(true);
        dialog.adjustSize();
        QCOMPARE(made::namelessWidgets(dialog), QStringList{});
        made::shoot(dialog, u"confirm-open"_s, true);
    }

    void confirmDefaultsToCancel()
    {
        ConfirmWriteDialog dialog(facts(), made::now());
        dialog.show();
        QSignalSpy accepted(&dialog, &QDialog::accepted), rejected(&dialog, &QDialog::rejected);
        QTest::keyClick(&dialog, Qt::Key_Return);
        QCOMPARE(accepted.size(), 0);
        QCOMPARE(rejected.size(), 1);
    }

    void confirmGoes()
    {
        ConfirmWriteDialog dialog(facts(), made::now());
        dialog.show();
        QSignalSpy accepted(&dialog, &QDialog::accepted);
        QTest::mouseClick(button<QPushButton>(dialog, u"Schedule"_s), Qt::LeftButton);
        QCOMPARE(accepted.size(), 1);
    }

    void confirmIsBlocked()
    {
        ConfirmWriteDialog dialog(facts(), made::now());
        dialog.show();
        dialog.block(u"the data went stale 3 s ago"_s);
        QSignalSpy accepted(&dialog, &QDialog::accepted);
        auto *go = button<QPushButton>(dialog, u"Schedule"_s);
        QTest::mouseClick(go, Qt::LeftButton);
        QVERIFY(!go->isEnabled());
        QCOMPARE(accepted.size(), 0);
        QVERIFY(made::shownWords(dialog).contains(u"the data went stale 3 s ago"_s));
        made::shoot(dialog, u"confirm-blocked"_s, true);
    }

    void confirmBlocksWhenItsTimeCame()
    {
        ConfirmWriteDialog dialog(facts(), made::now());
        dialog.show();
        dialog.tick(made::now(1h));
        QVERIFY(button<QPushButton>(dialog, u"Schedule"_s)->isEnabled());
        QVERIFY(made::shownWords(dialog).contains(u"when this opened, 1 h ago"_s));
        dialog.tick(made::now(3h));
        QVERIFY(!button<QPushButton>(dialog, u"Schedule"_s)->isEnabled());
    }

    void confirmNowNamesTheTime()
    {
        auto f = facts();
        f.at.reset();
        ConfirmWriteDialog dialog(f, made::now());
        QVERIFY2(made::shownWords(dialog).contains(u"now, 2031-02-01 13:02:11 UTC: Patroni acts"_s), qPrintable(made::shownWords(dialog)));
    }

    void cancellingTellsWhatIsCancelled_data()
    {
        QTest::addColumn<bool>("scheduled");
        QTest::addColumn<QString>("raw");
        QTest::addColumn<QString>("words");
        QTest::newRow("scheduled") << true << QString() << u"it was scheduled for\n2031-02-01 15:16:00 UTC"_s;
        QTest::newRow("no time") << false << QString() << u"it had no time, so Patroni may be acting on it already"_s;
        QTest::newRow("no readable time") << false << u"tomorrow"_s << u"its time is \"tomorrow\", which cannot be read"_s;
    }
    void cancellingTellsWhatIsCancelled()
    {
        QFETCH(bool, scheduled);
        QFETCH(QString, raw);
        QFETCH(QString, words);
        auto f = facts();
        f.cancels = true;
        f.button = u"Cancel the request of payments/acme"_s;
        f.atRaw = raw;
        if (!scheduled)
            f.at.reset();
        ConfirmWriteDialog dialog(f, made::now());
        dialog.show();
        const QString shown = made::shownWords(dialog);
        QVERIFY2(shown.contains(words), qPrintable(shown));
        QVERIFY(!shown.contains(u"Patroni acts in the leader's next loop"_s)); // it is the cancellation that is asked for
        QVERIFY(button<QPushButton>(dialog, u"Keep it, write nothing"_s));
        dialog.tick(made::now(3h)); // its time came: cancelling is wanted all the more
        QVERIFY(button<QPushButton>(dialog, u"Cancel the request"_s)->isEnabled());
        made::shoot(dialog, u"confirm-cancel"_s, true);
    }

    void contextsHaveTheirColours()
    {
        QVERIFY(contextColor(u"prod-eu"_s, lightPalette()) != contextColor(u"staging"_s, lightPalette()));
        QCOMPARE(contextColor(u"prod-eu"_s, lightPalette()), contextColor(u"prod-eu"_s, lightPalette()));
    }
};

QTEST_MAIN(TestDialogs)
#include "tst_dialogs.moc"
