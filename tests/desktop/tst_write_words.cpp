// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What a confirmation says, for every kind of action; what a try and an answer say.
#include "app/desktop/dry_runs.h"
#include "app/desktop/outcome_watch.h"
#include "app/desktop/result_words.h"
#include "app/desktop/wish_words.h"
#include "tests/support/made_clusters.h"
#include "views/words_rest.h"

#include <QSet>
#include <QTest>

using namespace switchyard;
using namespace Qt::StringLiterals;
using actions::DryRunCode;
using actions::WriteCode;
using rules::ActionKind;
using rules::RestCode;

class TestWriteWords : public QObject
{
    Q_OBJECT

    static rules::ActionWish wishOf(ActionKind kind)
    {
        rules::ActionWish wish;
        wish.kind = kind;
        if (kind == ActionKind::Switchover)
            wish.leader = "acme-1";
        if (kind == ActionKind::Switchover || kind == ActionKind::Failover)
            wish.candidate = "acme-2";
        if (kind == ActionKind::Restart || kind == ActionKind::CancelRestart || kind == ActionKind::Reload
            || kind == ActionKind::Reinitialize)
            wish.members = {"acme-0"};
        return wish;
    }
    static actions::DryRunResult tried(DryRunCode code, const char *member = nullptr)
    {
        actions::DryRunResult result;
        result.code = code;
        result.planned.cluster = {"prod-eu", "payments", "acme", {}, "acme"};
        if (member)
            result.planned.member = member;
        result.error = Error{ErrorKind::Refused};
        result.error->message = "admission webhook says no";
        return result;
    }

private Q_SLOTS:
    void theButtonSaysWhatAndToWhom_data()
    {
        QTest::addColumn<ActionKind>("kind");
        QTest::addColumn<QString>("button");
        const auto row = [](const char *name, ActionKind kind, const QString &button) { QTest::newRow(name) << kind << button; };
        row("switchover", ActionKind::Switchover, u"Switch over payments/acme from acme-1 to acme-2"_s);
        row("failover", ActionKind::Failover, u"Fail over payments/acme to acme-2"_s);
        row("cancel", ActionKind::CancelRequest, u"Cancel the request of payments/acme"_s);
        row("repair", ActionKind::Repair, u"Repair the request of payments/acme"_s);
        row("pause", ActionKind::Pause, u"Pause payments/acme"_s);
        row("resume", ActionKind::Resume, u"Resume payments/acme"_s);
        row("config", ActionKind::EditConfig, u"Write the configuration of payments/acme"_s);
        row("restart", ActionKind::Restart, u"Restart acme-0 of payments/acme"_s);
        row("cancel restart", ActionKind::CancelRestart, u"Cancel the restart of acme-0 of payments/acme"_s);
        row("reload", ActionKind::Reload, u"Reload acme-0 of payments/acme"_s);
        row("reinitialize", ActionKind::Reinitialize, u"Reinitialize acme-0 of payments/acme"_s);
        row("demote", ActionKind::DemoteCluster, u"Demote cluster payments/acme"_s);
        row("promote", ActionKind::PromoteCluster, u"Promote cluster payments/acme"_s);
    }
    void theButtonSaysWhatAndToWhom()
    {
        QFETCH(ActionKind, kind);
        QFETCH(QString, button);
        views::ConfirmFacts facts;
        desktop::describeWish(facts, wishOf(kind), u"payments/acme"_s);
        QCOMPARE(facts.button, button);
        QVERIFY(!facts.action.isEmpty());
    }

    void aScheduleSaysThatItIsOne()
    {
        rules::ActionWish wish = wishOf(ActionKind::Switchover);
        wish.at = made::instant("2031-02-01T15:16:00Z");
        views::ConfirmFacts facts;
        desktop::describeWish(facts, wish, u"payments/acme"_s);
        QCOMPARE(facts.button, u"Schedule switchover of payments/acme from acme-1 to acme-2"_s);
        QCOMPARE(facts.at, wish.at);
        wish = wishOf(ActionKind::Restart);
        wish.at = made::instant("2031-02-01T15:16:00Z");
        wish.restart.timeoutSeconds = 90;
        facts = {};
        desktop::describeWish(facts, wish, u"payments/acme"_s);
        QVERIFY(facts.button.startsWith(u"Schedule restart of acme-0"_s));
        QVERIFY(std::any_of(facts.more.begin(), facts.more.end(), [](const auto &row) { return row.text.contains(u"90 s"_s); }));
    }

    void tries_data()
    {
        using S = views::ConfirmWriteDialog::DryRun;
        QTest::addColumn<DryRunCode>("code");
        QTest::addColumn<S>("state");
        QTest::addColumn<QString>("words");
        QTest::newRow("accepted") << DryRunCode::Accepted << S::Accepted << u"would accept it"_s;
        QTest::newRow("refused") << DryRunCode::Refused << S::Refused << u"admission webhook says no"_s;
        QTest::newRow("not permitted") << DryRunCode::NotPermitted << S::Refused << u"does not permit it"_s;
        QTest::newRow("conflict") << DryRunCode::Conflict << S::Refused << u"Somebody was faster"_s;
        QTest::newRow("not supported") << DryRunCode::NotSupported << S::NotTried << u"not known to support"_s;
        QTest::newRow("no answer") << DryRunCode::NoAnswer << S::NotTried << u"no answer came"_s;
        QTest::newRow("not sent") << DryRunCode::NotSent << S::Refused << u"Refused here"_s;
    }
    void tries()
    {
        QFETCH(DryRunCode, code);
        QFETCH(views::ConfirmWriteDialog::DryRun, state);
        QFETCH(QString, words);
        const auto said = desktop::dryRunWords({tried(code)});
        QCOMPARE(said.state, state);
        QVERIFY2(said.text.contains(words), qPrintable(said.text));
    }

    // Who is not logged in lacks no right.
    void notLoggedInIsNotNotPermitted()
    {
        actions::WriteResult result;
        result.code = WriteCode::NotPermitted;
        result.error = Error{ErrorKind::Forbidden};
        QCOMPARE(desktop::resultMessage(result).title, u"Not permitted"_s);
        result.error = Error{ErrorKind::Unauthorized};
        QCOMPARE(desktop::resultMessage(result).title, u"Not logged in"_s);
        QVERIFY(!desktop::resultMessage(result).text.contains(u"right"_s));
        result.rest = rules::RestAnswer{RestCode::NotLoggedIn, 401, "Unauthorized"};
        QCOMPARE(desktop::resultMessage(result).title, u"Not logged in"_s);
        QVERIFY2(desktop::resultMessage(result).text.contains(u"credential (401)"_s), qPrintable(desktop::resultMessage(result).text));
        auto dry = tried(DryRunCode::NotPermitted);
        dry.error = Error{ErrorKind::Unauthorized};
        QVERIFY2(desktop::dryRunWords({dry}).text.contains(u"does not accept the account's credential"_s),
                 qPrintable(desktop::dryRunWords({dry}).text));
    }

    void aCallSaysThatItCannotBeTried()
    {
        const auto said = desktop::dryRunWords({tried(DryRunCode::NotSupported, "acme-1")});
        QCOMPARE(said.state, views::ConfirmWriteDialog::DryRun::NotTried);
        QVERIFY2(said.text.contains(u"No precondition, no dry run: it is sent to acme-1"_s), qPrintable(said.text));
    }

    // One of several that would be refused stops all of them: the confirmation names them together.
    void oneRefusedTryIsEnough()
    {
        const auto said = desktop::dryRunWords({tried(DryRunCode::Accepted), tried(DryRunCode::Refused)});
        QCOMPARE(said.state, views::ConfirmWriteDialog::DryRun::Refused);
        QVERIFY2(said.text.contains(u"payments/acme: The API server would refuse it"_s), qPrintable(said.text));
    }

    void answersOfPatroni()
    {
        QSet<QString> words, sentences;
        for (int i = 0; i <= static_cast<int>(RestCode::Unknown); ++i) {
            const auto code = static_cast<RestCode>(i);
            words.insert(views::words(code));
            sentences.insert(views::explained(code));
            if (rules::isLimit(code)) {
                QVERIFY2(!views::explained(code).contains(u"fail"_s), qPrintable(views::explained(code)));
                QVERIFY2(views::explained(code).contains(u"Nothing was done"_s), qPrintable(views::explained(code)));
            }
        }
        QCOMPARE(words.size(), static_cast<int>(RestCode::Unknown) + 1);
        QCOMPARE(sentences.size(), static_cast<int>(RestCode::Unknown) + 1);
        QVERIFY(views::explained(RestCode::StillRunning).contains(u"no failure"_s));
        QVERIFY(views::answerText({RestCode::Refused, 412, "candidate does not exists"}).contains(u"candidate does not exists"_s));
    }

    void resultsNeverSayFailedForWhatMayCome()
    {
        for (const WriteCode code : {WriteCode::NotArrived, WriteCode::Unknown, WriteCode::StillRunning, WriteCode::Arrived}) {
            actions::WriteResult result;
            result.code = code;
            if (code == WriteCode::StillRunning)
                result.rest = rules::RestAnswer{RestCode::StillRunning, 503, "Switchover status unknown"};
            const auto message = desktop::resultMessage(result);
            QVERIFY(!message.title.isEmpty() && !message.text.isEmpty());
            const QString all = message.title + message.text;
            QVERIFY2(!all.contains(u"failed"_s, Qt::CaseInsensitive) && !all.contains(u"did not work"_s), qPrintable(all));
        }
    }

    // ---- the last word of a request
    static actions::WriteResult written(std::optional<std::string> version)
    {
        actions::WriteResult result;
        result.code = version ? WriteCode::Done : WriteCode::Unknown;
        result.auditId = u"id-1"_s;
        result.planned.action = ActionKind::Switchover;
        result.planned.cluster = made::healthy().names.key;
        result.planned.after = {{"leader", "acme-1"}, {"member", "acme-2"}};
        result.versionAfter = std::move(version);
        return result;
    }
    static patroni::RequestReport report(const char *id, patroni::Outcome outcome, Boot seen)
    {
        patroni::RequestReport r;
        r.id = id;
        r.outcome = outcome;
        r.seenAt = seen;
        r.request.leader = "acme-1";
        r.request.member = "acme-2";
        r.newLeader = "acme-2";
        return r;
    }
    static void sent(desktop::OutcomeWatch &watch, const actions::WriteResult &result)
    {
        watch.begin(result.planned, wishOf(result.planned.action), made::healthy(), made::now());
        watch.add(result);
    }
    void outcomesAreTakenByVersion()
    {
        desktop::OutcomeWatch watch;
        sent(watch, written("90500"));
        patroni::Cluster c = made::healthy();
        c.requests = {report("uid:1905", patroni::Outcome::Done, made::now().boot),
                      report("uid:90500", patroni::Outcome::Pending, made::now().boot)};
        QVERIFY(watch.news(c, made::now()).empty());
        c.requests.back().outcome = patroni::Outcome::Refused;
        c.requests.back().reason = patroni::Refusal::LeaderMismatch;
        const auto decided = watch.news(c, made::now());
        QCOMPARE(decided.size(), std::size_t(1));
        QCOMPARE(decided.front().auditId, u"id-1"_s);
        QCOMPARE(decided.front().code, std::string("refused"));
        QVERIFY(decided.front().detail.find("reason=leader-mismatch") != std::string::npos);
        QVERIFY(watch.empty());
        QVERIFY(watch.news(c, made::now()).empty()); // told once
    }
    void outcomesWithoutAVersionAreTakenByWhatWasAsked()
    {
        desktop::OutcomeWatch watch;
        sent(watch, written(std::nullopt));
        patroni::Cluster c = made::healthy();
        using namespace std::chrono_literals;
        c.requests = {report("uid:1", patroni::Outcome::Done, made::now(-10s).boot)}; // before it was sent
        QVERIFY(watch.news(c, made::now()).empty());
        c.requests.push_back(report("uid:2", patroni::Outcome::Done, made::now(3s).boot));
        c.requests.back().request.member = "acme-0"; // somebody else's
        QVERIFY(watch.news(c, made::now()).empty());
        c.requests.push_back(report("uid:3", patroni::Outcome::Done, made::now(4s).boot));
        QCOMPARE(watch.news(c, made::now()).size(), std::size_t(1));
    }
    // By REST the request is Patroni's to write: it is known by whom it names.
    void outcomesOfCallsAreTakenByWhatWasAsked()
    {
        desktop::OutcomeWatch watch;
        auto result = written(std::nullopt);
        result.planned.after.clear();
        result.planned.member = "acme-1";
        sent(watch, result);
        patroni::Cluster c = made::healthy();
        c.requests = {report("uid:2", patroni::Outcome::Done, made::now(std::chrono::seconds(3)).boot)};
        c.requests.back().request.member = "acme-0"; // somebody else's
        QVERIFY(watch.news(c, made::now()).empty());
        c.requests.push_back(report("uid:3", patroni::Outcome::DoneOther, made::now(std::chrono::seconds(4)).boot));
        const auto news = watch.news(c, made::now());
        QCOMPARE(news.size(), std::size_t(1));
        QCOMPARE(news.front().code, std::string("done-other"));
    }
    // Not requests: told when it changes, and again when somebody takes it back.
    void outcomesOfOtherWrites()
    {
        desktop::OutcomeWatch watch;
        auto result = written("90500");
        result.planned.action = ActionKind::Pause;
        result.planned.after.clear();
        watch.begin(result.planned, wishOf(ActionKind::Pause), made::healthy(), made::now());
        patroni::Cluster c = made::healthy();
        c.config->config.paused = true;
        QVERIFY(watch.news(c, made::now()).empty()); // seen, but it is not answered yet
        watch.add(result);
        auto news = watch.news(c, made::now());
        QCOMPARE(news.size(), std::size_t(1));
        QCOMPARE(news.front().code, std::string("not-yet"));
        QVERIFY2(news.front().detail.starts_with("waiting="), news.front().detail.c_str());
        QVERIFY(watch.news(c, made::now()).empty());
        for (auto &member : c.members)
            member.record.pauseSeen = true;
        news = watch.news(c, made::now());
        QCOMPARE(news.size(), std::size_t(1));
        QCOMPARE(news.front().code, std::string("in-force"));
        c.config->config.paused = false;
        news = watch.news(c, made::now());
        QCOMPARE(news.size(), std::size_t(1));
        QCOMPARE(news.front().code, std::string("changed-again"));
        QVERIFY(watch.empty());
    }
    // A pending request is to be replaced, the answer is lost, and the object was as before: its version is the old request's.
    void theVersionThatWasThereIsNotOurs()
    {
        using namespace std::chrono_literals;
        desktop::OutcomeWatch watch;
        auto result = written("90388");
        result.code = WriteCode::NotArrived;
        sent(watch, result);
        patroni::Cluster c = made::healthy();
        c.requests = {report("uid:90388", patroni::Outcome::Done, made::now(-10s).boot)};
        c.requests.back().request.member = "acme-0";
        QVERIFY(watch.news(c, made::now()).empty());
        c.requests.push_back(report("uid:90601", patroni::Outcome::Done, made::now(4s).boot)); // it comes after all
        QCOMPARE(watch.news(c, made::now(5s)).size(), std::size_t(1));
    }
    // It arrived, and Patroni has carried it out and emptied the object before it was read again.
    void theVersionThatWasSeenLaterIsNotOurs()
    {
        using namespace std::chrono_literals;
        desktop::OutcomeWatch watch;
        auto result = written("90600");
        result.code = WriteCode::Unknown;
        sent(watch, result);
        patroni::Cluster c = made::healthy();
        c.requests = {report("uid:90555", patroni::Outcome::Done, made::now(1s).boot)};
        const auto news = watch.news(c, made::now(5s));
        QCOMPARE(news.size(), std::size_t(1));
        QCOMPARE(news.front().code, std::string("done"));
        QVERIFY(watch.empty());
    }
    // After a lost answer the same is asked for again: the outcome is the second one's.
    void whatIsAskedForAgainHasItsOwnOutcome()
    {
        using namespace std::chrono_literals;
        desktop::OutcomeWatch watch;
        auto lost = written(std::nullopt);
        lost.code = WriteCode::NotArrived;
        sent(watch, lost);
        auto again = written("90601");
        again.auditId = u"id-2"_s;
        watch.begin(again.planned, wishOf(ActionKind::Switchover), made::healthy(), made::now());
        patroni::Cluster c = made::healthy();
        c.requests = {report("uid:90601", patroni::Outcome::Done, made::now(4s).boot)};
        QVERIFY(watch.news(c, made::now(5s)).empty()); // whose it is, the answer tells
        watch.add(again);
        const auto news = watch.news(c, made::now(5s));
        QCOMPARE(news.size(), std::size_t(1));
        QCOMPARE(news.front().auditId, u"id-2"_s);
        QVERIFY(watch.news(c, made::now(6s)).empty());
    }
    // A pause that did not arrive was not undone by the next one who writes the object.
    void whatDidNotArriveIsNotUndone()
    {
        desktop::OutcomeWatch watch;
        auto result = written("90417");
        result.code = WriteCode::NotArrived;
        result.planned.action = ActionKind::Pause;
        result.planned.after.clear();
        sent(watch, result);
        patroni::Cluster c = made::healthy();
        c.objects["config"].resourceVersion = "90500"; // the history
        QVERIFY(watch.news(c, made::now()).empty());
        QVERIFY(!watch.empty()); // it may still come
    }
    // That a request is gone without effect is our doing only if the server said so.
    void aCancelWithoutAnAnswerIsNotInForce()
    {
        for (const WriteCode code : {WriteCode::Unknown, WriteCode::Arrived, WriteCode::Done}) {
            desktop::OutcomeWatch watch;
            auto result = written("90600");
            result.code = code;
            result.planned.action = ActionKind::CancelRequest;
            result.planned.after.clear();
            patroni::Cluster c = made::scheduled();
            watch.begin(result.planned, wishOf(ActionKind::CancelRequest), c, made::now());
            watch.add(result);
            c.requests.back().outcome = patroni::Outcome::Refused;
            const auto news = watch.news(c, made::now());
            QCOMPARE(news.size(), std::size_t(code == WriteCode::Done ? 1 : 0));
            if (!news.empty())
                QCOMPARE(news.front().code, std::string("in-force"));
        }
    }
    void whatWasNotWrittenIsNotWatched()
    {
        desktop::OutcomeWatch watch;
        for (const WriteCode code : {WriteCode::Refused, WriteCode::NotPermitted, WriteCode::Conflict, WriteCode::Failed}) {
            actions::WriteResult result = written("90500");
            result.code = code;
            sent(watch, result);
        }
        QVERIFY(watch.empty());
    }
};

QTEST_MAIN(TestWriteWords)
#include "tst_write_words.moc"
