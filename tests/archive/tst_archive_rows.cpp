// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/archive_reader.h"
#include "app/archive/importer.h"
#include "app/archive/mask_texts.h"
#include "app/archive/past.h"
#include "app/archive/retention.h"
#include "app/archive/row_writer.h"
#include "app/archive/schema.h"
#include "tests/archive/archive_cases.h"
#include "tests/archive/archive_files.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace switchyard;
using namespace switchyard::archive;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestArchiveRows : public QObject, protected ArchiveFiles
{
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsRead();
    void anEventIsKeptOnce();
    void aTransitionLearns();
    void oneTransitionWithTwoIds_data();
    void oneTransitionWithTwoIds();
    void aRequestStaysDecided();
    void theServersUidAdoptsWhatWasKeptWithoutIt();
    void theContextIsOnlyALabel();
    void pages();
    void search_data();
    void search();
    void noSecretIsKept_data();
    void noSecretIsKept();
    void theOldGoesAndNotesStay();
    void theFileShrinks();
    void anotherArchiveIsMerged();
    void stepsAreTakenWholeOrNotAtAll();
    void aStepThatIsCutOffIsTakenAgain();
    void whatWasBefore();
    void nothingWasBefore();
    void minutesAreAdded_data();
    void minutesAreAdded();
};

void TestArchiveRows::whatIsWrittenIsRead()
{
    const QString file = newFile();
    const EventRecord event = eventRecord("e1", 0);
    const TransitionRecord transition = transitionRecord("t1", 10);
    RequestRecord request{acme(), {}, {Boot(100s), at(100)}};
    request.request.id = "r1";
    request.request.kind = patroni::RequestKind::Switchover;
    request.request.request.leader = "acme-0";
    request.request.request.scheduledAtRaw = "2027-01-15T08:00:00+00:00";
    request.request.request.scheduledAt = at(500);
    request.request.request.schedule = patroni::FailoverRequest::Schedule::Valid;
    request.request.outcome = patroni::Outcome::Refused;
    request.request.reason = patroni::Refusal::NotSyncStandby;
    request.request.seenAt = Boot(90s);
    SnapshotRecord snapshot{acme(), "acme-config", "44", at(3), {{"history", "[[1,2,\"x\"]]"}}};
    ConfigRecord config{acme(), "44", at(3), R"({"ttl": 30})"};
    TimelineRecord timeline{acme(), {4, 0x2803F1A8, "no recovery target specified", at(9), "2027", "acme-1"}, at(20)};
    RenewRecord renew{acme(), at(60), 6, 10s, 12500ms};
    AuditRecord audit;
    audit.entry.id = "w1";
    audit.entry.at = at(1);
    audit.entry.hasIntent = true;
    audit.entry.summary = "switchover db/acme";
    NoteRecord note{acme(), "n1", "t1", at(70), "eva", "the node ran out of memory"};
    write(*open(file), {event, transition, request, snapshot, config, timeline, renew, audit, note});

    const auto archive = reader(file);
    EventRecord eventBack = event;
    eventBack.cluster.server.alias.clear(); // one name is enough
    QVERIFY(archive->events({})->rows == std::vector{eventBack});
    const auto transitions = archive->transitions({});
    QCOMPARE(transitions->rows.size(), std::size_t(1));
    patroni::Transition kept = transitions->rows[0].transition;
    QVERIFY(kept.fromArchive);
    kept.fromArchive = false;
    QVERIFY(kept == transition.transition);
    const auto requests = archive->requests({});
    QCOMPARE(requests->rows.size(), std::size_t(1));
    const patroni::RequestReport &asked = requests->rows[0].request;
    QCOMPARE(asked.outcome, patroni::Outcome::Refused);
    QVERIFY(asked.reason == patroni::Refusal::NotSyncStandby);
    QVERIFY(asked.request == request.request.request || asked.request.scheduledAt == at(500));
    QVERIFY(asked.seenAt == Boot(at(90).time_since_epoch()));
    QVERIFY(archive->snapshots({})->rows[0].annotations == snapshot.annotations);
    QCOMPARE(archive->configs({})->rows[0].text, config.text);
    QVERIFY(archive->timelines({})->rows[0].entry == timeline.entry);
    QVERIFY(archive->renewals({})->rows[0].longest == Duration(12500ms));
    QVERIFY(archive->audit({})->rows[0].entry == audit.entry);
    QCOMPARE(archive->notes({})->rows[0].text, note.text);
    const auto clusters = archive->clusters();
    QCOMPARE(clusters->size(), std::size_t(1));
    QCOMPARE(clusters->front().id.incarnation, acme().incarnation);
    QVERIFY(clusters->front().id.mode == patroni::Mode::Endpoints);
}

void TestArchiveRows::anEventIsKeptOnce()
{
    const QString file = newFile();
    const auto first = open(file);
    const auto second = open(file); // another program
    EventRecord vague = eventRecord("e1", 50);
    vague.event.notBefore = at(20);
    write(*first, {vague});
    write(*second, {eventRecord("e1", 30)}); // it saw it happen
    write(*first, {vague});
    const auto events = reader(file)->events({});
    QCOMPARE(events->rows.size(), std::size_t(1));
    QVERIFY(!events->rows[0].event.notBefore);
    QVERIFY(events->rows[0].event.wall == at(30));
}

void TestArchiveRows::aTransitionLearns()
{
    const QString file = newFile();
    const auto database = open(file);
    TransitionRecord later = transitionRecord("t1", 10);
    write(*database, {later});
    later.transition.writableAt = at(12);
    later.transition.evidence = {{patroni::EvidenceCode::PodGone, "acme-0", "", at(11)}};
    write(*database, {later});
    // After a restart only Patroni's history tells of it
    TransitionRecord told{acme(), {}};
    told.transition.id = "t1";
    told.transition.to = "acme-1";
    told.transition.timeline = 5;
    told.transition.gainedAt = at(11);
    told.transition.fromHistory = true;
    told.transition.gainedSource = patroni::Source::History;
    write(*open(file), {told});
    const auto all = reader(file)->transitions({});
    QCOMPARE(all->rows.size(), std::size_t(1));
    const patroni::Transition &t = all->rows[0].transition;
    QCOMPARE(t.kind, patroni::TransitionKind::LockExpired);
    QVERIFY(t.writableAt == at(12));
    QVERIFY(t.gap == Duration(31s));
    QVERIFY(t.gainedAt == at(10)); // as it was seen
    QVERIFY(t.fromHistory && t.fromLive);
    QCOMPARE(t.evidence.size(), std::size_t(2));
}

void TestArchiveRows::oneTransitionWithTwoIds_data()
{
    QTest::addColumn<QString>("order"); // l: seen live, not yet with its timeline; L: with it; h: told by the history
    for (const char *order : {"lLh", "lhL", "hlL", "hL", "Lh", "hLhl"})
        QTest::newRow(order) << QString::fromLatin1(order);
}

void TestArchiveRows::oneTransitionWithTwoIds()
{
    QFETCH(QString, order);
    const QString file = newFile();
    const auto database = open(file);
    const TransitionRecord seen = transitionRecord("taken", 10);
    TransitionRecord early = seen;
    early.transition.timeline.reset();
    early.transition.lsn.reset();
    TransitionRecord told{acme(), {}};
    told.transition.id = "timeline";
    told.transition.to = "acme-1";
    told.transition.timeline = 5;
    told.transition.lsn = seen.transition.lsn;
    told.transition.fromHistory = true;
    write(*database, {NoteRecord{acme(), "n1", "taken", at(2), "eva", "a"}, NoteRecord{acme(), "n2", "timeline", at(3), "eva", "b"}});
    for (const QChar step : order)
        write(*database, {step == u'l' ? early : step == u'L' ? seen : told});
    const auto all = reader(file)->transitions({});
    QCOMPARE(all->rows.size(), std::size_t(1));
    const patroni::Transition &t = all->rows[0].transition;
    QVERIFY(t.fromHistory && t.fromLive && t.gap && t.timeline == 5);
    QCOMPARE(t.kind, patroni::TransitionKind::LockExpired);
    Query onIt;
    onIt.object = t.id;
    QCOMPARE(reader(file)->notes(onIt)->rows.size(), std::size_t(2));
    // Another history of the same number is another transition
    told.transition.id = "after a restore";
    told.transition.lsn = 7;
    write(*database, {told});
    QCOMPARE(reader(file)->transitions({})->rows.size(), std::size_t(2));
}

void TestArchiveRows::aRequestStaysDecided()
{
    const QString file = newFile();
    const auto database = open(file);
    RequestRecord request{acme(), {}, {Boot(100s), at(100)}};
    request.request.id = "r1";
    request.request.outcome = patroni::Outcome::Done;
    request.request.newLeader = "acme-1";
    request.request.seenAt = Boot(50s);
    request.request.decidedAt = Boot(60s);
    write(*database, {request});
    request.request.outcome = patroni::Outcome::Pending;
    request.request.newLeader.reset();
    request.request.decidedAt.reset();
    write(*database, {request});
    const auto all = reader(file)->requests({});
    QCOMPARE(all->rows.size(), std::size_t(1));
    QCOMPARE(all->rows[0].request.outcome, patroni::Outcome::Done);
    QVERIFY(all->rows[0].request.decidedAt == Boot(at(60).time_since_epoch()));
}

void TestArchiveRows::theServersUidAdoptsWhatWasKeptWithoutIt()
{
    const QString file = newFile();
    const auto database = open(file);
    EventRecord early = eventRecord("e1", 0);
    early.cluster.server.uid.clear();
    write(*database, {early, NoteRecord{early.cluster, "n1", "t1", at(1), "eva", "early"}});
    write(*database, {eventRecord("e2", 10)});  // the uid is known
    EventRecord denied = eventRecord("e3", 20); // another account may not read it
    denied.cluster.server.uid.clear();
    write(*database, {denied});
    QCOMPARE(reader(file)->clusters()->size(), std::size_t(1));
    QCOMPARE(reader(file)->clusters()->front().id.server.uid, std::string("0d6f-uid"));
    QCOMPARE(reader(file)->events({})->rows.size(), std::size_t(3));

    // Both were there already: one takes the rows of the other
    ClusterId elsewhere = acme();
    elsewhere.server = {{}, "ca:5678@https://other:6443"};
    EventRecord same = eventRecord("e1", 0);
    same.cluster = elsewhere;
    EventRecord more = eventRecord("e4", 30);
    more.cluster = elsewhere;
    write(*database, {same, more});
    QCOMPARE(reader(file)->clusters()->size(), std::size_t(2));
    more.cluster.server.uid = "0d6f-uid";
    write(*database, {more});
    QCOMPARE(reader(file)->clusters()->size(), std::size_t(1));
    QCOMPARE(reader(file)->events({})->rows.size(), std::size_t(4));
    QCOMPARE(reader(file)->notes({})->rows.size(), std::size_t(1));
}

void TestArchiveRows::theContextIsOnlyALabel()
{
    const QString file = newFile();
    const auto database = open(file);
    EventRecord renamed = eventRecord("e1", 0);
    write(*database, {renamed});
    renamed.cluster.context = "prod-admin";
    renamed.event.id = "e2";
    renamed.event.wall = at(5);
    write(*database, {renamed});
    const auto clusters = reader(file)->clusters();
    QCOMPARE(clusters->size(), std::size_t(1));
    QCOMPARE(clusters->front().id.context, std::string("prod-admin"));
}

void TestArchiveRows::pages()
{
    const QString file = newFile();
    Records records;
    for (int i = 0; i < 25; ++i)
        records.emplace_back(eventRecord("e" + std::to_string(i), i / 2)); // two at a time
    write(*open(file), records);
    const auto archive = reader(file);
    for (const bool newestFirst : {true, false}) {
        Query query;
        query.most = 7;
        query.newestFirst = newestFirst;
        std::set<std::string> seen;
        int count = 0;
        do {
            const auto page = archive->events(query);
            for (const EventRecord &record : page->rows)
                seen.insert(record.event.id);
            query.after = page->next;
            ++count;
        } while (query.after);
        QCOMPARE(seen.size(), std::size_t(25));
        QCOMPARE(count, 4);
    }
    Query window;
    window.since = at(3);
    window.until = at(4);
    QCOMPARE(archive->events(window)->rows.size(), std::size_t(4));
    window.clusters = {archive->clusters()->front().row + 1};
    QVERIFY(archive->events(window)->rows.empty());
}

void TestArchiveRows::search_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QStringList>("found");
    QTest::newRow("a member") << u"acme-1"_s << QStringList{u"n1"_s, u"t1"_s, u"e1"_s};
    QTest::newRow("part of a code") << u"leader chang"_s << QStringList{u"e1"_s};
    QTest::newRow("evidence, in any case") << u"oomkilled"_s << QStringList{u"t1"_s};
    QTest::newRow("a note") << u"Memory"_s << QStringList{u"n1"_s};
    QTest::newRow("words of two rows") << u"memory leader-changed"_s << QStringList{};
    QTest::newRow("nothing to look for") << u" - % "_s << QStringList{};
    QTest::newRow("quotes and signs are no syntax") << u"\"acme* OR"_s << QStringList{};
    QTest::newRow("a namespace") << u"db/acme"_s << QStringList{u"n1"_s, u"t1"_s, u"e1"_s};
}

void TestArchiveRows::search()
{
    QFETCH(QString, words);
    QFETCH(QStringList, found);
    const QString file = newFile();
    const auto database = open(file);
    write(*database,
          {eventRecord("e1", 0), transitionRecord("t1", 10), NoteRecord{acme(), "n1", "t1", at(70), "eva", "acme-1: out of memory"}});
    for (const bool index : {true, false}) {
        if (!index)
            QVERIFY(database->script({u"DROP TRIGGER texts_added"_s, u"DROP TRIGGER texts_removed"_s, u"DROP TRIGGER texts_changed"_s,
                                      u"DROP TABLE texts_words"_s}));
        QStringList ids;
        const auto page = reader(file)->search(words, {});
        QVERIFY(page);
        for (const Hit &hit : page->rows)
            ids << QString::fromStdString(hit.id);
        QCOMPARE(ids, found);
    }
}

void TestArchiveRows::noSecretIsKept_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("kept");
    QTest::newRow("a password") << uR"({"password": "s3cr3t", "ttl": 30})"_s << uR"({"password": "***", "ttl": 30})"_s;
    QTest::newRow("a longer key") << uR"({"replication_password":"s3cr3t"})"_s << uR"({"replication_password":"***"})"_s;
    QTest::newRow("a quote in it") << uR"({"passwd": "s3\"cr3t"})"_s << uR"({"passwd": "***"})"_s;
    QTest::newRow("JSON in JSON") << uR"({"config":"{\"Password\": \"s3cr3t\"}"})"_s << uR"({"config":"{\"Password\": \"***\"}"})"_s;
    QTest::newRow("conninfo") << uR"({"primary_conninfo": "user=a password=s3cr3t"})"_s << uR"({"primary_conninfo": "***"})"_s;
    QTest::newRow("an URL") << u"http://a:s3cr3t@host/"_s << u"http://***@host/"_s;
    QTest::newRow("a key without a text") << uR"({"password_encryption": true, "a": "b"})"_s
                                          << uR"({"password_encryption": true, "a": "b"})"_s;
    QTest::newRow("quoted within JSON") << uR"({"a": "pgpassword=\"s3cr3t\" port=1"})"_s << uR"({"a": "pgpassword=*** port=1"})"_s;
    QTest::newRow("quoted with a blank") << uR"({"a":"PASSWORD = 's3cr3t s3' x"})"_s << uR"({"a":"PASSWORD = *** x"})"_s;
    QTest::newRow("a variable") << uR"({"config":"{\"cmd\":\"AWS_SECRET_KEY=s3cr3t wal-g\"}"})"_s
                                << uR"({"config":"{\"cmd\":\"AWS_SECRET_KEY=*** wal-g\"}"})"_s;
    QTest::newRow("an option") << uR"({"cmd":"tool --password s3cr3t %p"})"_s << uR"({"cmd":"tool --password *** %p"})"_s;
    QTest::newRow("a user's") << uR"({"cmd":"curl -u me:s3cr3t http://x/%f"})"_s << uR"({"cmd":"curl -u me:*** http://x/%f"})"_s;
    QTest::newRow("a header") << uR"({"cmd":"curl -H 'Authorization: Bearer s3cr3t' x"})"_s
                              << uR"({"cmd":"curl -H 'Authorization: ***' x"})"_s;
    QTest::newRow("a list of keys") << uR"({"apiKey": ["s3", {"x": "s3"}], "n": 1.50, "a": ["b"]})"_s
                                    << uR"({"apiKey": ["***", {"x": "***"}], "n": 1.50, "a": ["b"]})"_s;
    QTest::newRow("other escapes stay") << uR"({"a": "\u00e4\t\\ \"b\"", "token": "s3"})"_s
                                        << uR"({"a": "\u00e4\t\\ \"b\"", "token": "***"})"_s;
    QTest::newRow("other escapes beside one") << uR"({"a": "\u00e4\t\\ \"b\" PGPASSWORD=s3cr3t"})"_s
                                              << uR"({"a": "\u00e4\t\\ \"b\" PGPASSWORD=***"})"_s;
    QTest::newRow("cut off") << uR"({"password": "s3cr)"_s << uR"({"password": "***)"_s;
}

void TestArchiveRows::noSecretIsKept()
{
    QFETCH(QString, text);
    QFETCH(QString, kept);
    QCOMPARE(QString::fromStdString(maskSecrets(text.toStdString())), kept);
    const QString file = newFile();
    EventRecord event = eventRecord("e1", 0);
    event.event.detail["new"] = text.toStdString();
    AuditRecord audit;
    audit.entry.id = "w1";
    audit.entry.body = text.toStdString();
    write(*open(file),
          {event, audit, SnapshotRecord{acme(), "acme-config", "1", at(0), {{"config", text.toStdString()}}},
           ConfigRecord{acme(), "1", at(0), text.toStdString()}});
    QFile bytes(file);
    QVERIFY(bytes.open(QIODevice::ReadOnly));
    const QByteArray all = bytes.readAll();
    QVERIFY(all.contains("acme-config"));
    QVERIFY(!all.contains("s3"));
}

void TestArchiveRows::theOldGoesAndNotesStay()
{
    const QString file = newFile();
    const auto database = open(file);
    TransitionRecord noted = transitionRecord("noted", 1);
    noted.transition.timeline = 6;
    write(*database,
          {eventRecord("old", 0), eventRecord("young", 7200), transitionRecord("told", 0), noted,
           NoteRecord{acme(), "n1", "noted", at(2), "eva", "why"}, ConfigRecord{acme(), "1", at(0), "{}"},
           ConfigRecord{acme(), "2", at(1), "{}"}, RenewRecord{acme(), at(0), 6, 10s, 10s}});
    QCOMPARE(tidy(*database, {1h, 0}, at(7300)), Result<bool>(false));
    const auto archive = reader(file);
    QCOMPARE(archive->events({})->rows.size(), std::size_t(1));
    QCOMPARE(archive->events({})->rows[0].event.id, std::string("young"));
    QCOMPARE(archive->transitions({})->rows.size(), std::size_t(1));
    QCOMPARE(archive->transitions({})->rows[0].transition.id, std::string("noted"));
    QCOMPARE(archive->notes({})->rows.size(), std::size_t(1));
    QCOMPARE(archive->configs({})->rows.size(), std::size_t(1)); // the one in force
    QVERIFY(archive->renewals({})->rows.empty());
    QStringList texts;
    const auto hits = archive->search(u"acme"_s, {});
    for (const Hit &hit : hits->rows)
        texts << QString::fromStdString(hit.id);
    texts.sort();
    QCOMPARE(texts, QStringList({u"2"_s, u"n1"_s, u"noted"_s, u"young"_s}));
}

void TestArchiveRows::theFileShrinks()
{
    const QString file = newFile();
    const auto database = open(file);
    Records records;
    for (int i = 0; i < 3000; ++i)
        records.emplace_back(eventRecord("event-" + std::to_string(i), i));
    write(*database, records);
    const std::int64_t before = *database->size();
    const Instant now = at(3000) + 24h;
    int rounds = 0;
    while (*tidy(*database, {0h, before / 2}, now))
        QVERIFY(++rounds < 100);
    QVERIFY(*database->size() <= before / 2);
    const auto left = reader(file)->events({});
    QVERIFY(left->rows.size() > 500);
    QCOMPARE(left->rows.front().event.id, std::string("event-2999")); // the newest stay
    // What is young stays, however large
    QCOMPARE(tidy(*database, {0h, 1}, at(0)), Result<bool>(false));
    QCOMPARE(reader(file)->events({})->rows.size(), left->rows.size());
}

void TestArchiveRows::anotherArchiveIsMerged()
{
    const QString file = newFile();
    const QString other = newFile();
    const auto database = open(file);
    write(*database, {eventRecord("e1", 0), transitionRecord("t1", 10)});
    TransitionRecord more = transitionRecord("t1", 10);
    more.transition.streamingAt = at(40);
    write(*open(other), {eventRecord("e1", 0), eventRecord("e2", 5), more, NoteRecord{acme(), "n1", "t1", at(2), "eva", "why"}});
    QCOMPARE(importInto(*database, other), Result<std::int64_t>(4));
    QCOMPARE(importInto(*database, other), Result<std::int64_t>(4)); // again: nothing is doubled
    const auto archive = reader(file);
    QCOMPARE(archive->events({})->rows.size(), std::size_t(2));
    QCOMPARE(archive->notes({})->rows.size(), std::size_t(1));
    QVERIFY(archive->transitions({})->rows[0].transition.streamingAt == at(40));
    QVERIFY(!importInto(*database, newFile()));
}

// Two sessions, then this run: between them nobody looked.
namespace {

// What later versions may bring: a column with a value for what is there, and a table.
Steps laterSteps(const QString &lastStatement)
{
    Steps steps = schemaSteps(false);
    steps.push_back({u"ALTER TABLE events ADD COLUMN colour TEXT"_s, u"UPDATE events SET colour = 'grey'"_s});
    steps.push_back({u"CREATE TABLE later (a TEXT)"_s, lastStatement});
    return steps;
}

const QString good = u"INSERT INTO later SELECT id FROM events"_s, bad = u"INSERT INTO nowhere VALUES (1)"_s;

QString oneText(Database &database, const QString &sql)
{
    const auto rows = database.select(sql);
    return rows && rows->size() == 1 ? rows->front().front().toString() : QString();
}

} // namespace

void TestArchiveRows::stepsAreTakenWholeOrNotAtAll()
{
    QCOMPARE(int(schemaSteps(false).size()), schemaVersion);
    QCOMPARE(int(schemaSteps(true).size()), schemaVersion);
    const QString file = newFile();
    write(*open(file), {eventRecord("e1", 0)});
    {
        const auto database = open(file);
        QVERIFY(!migrate(*database, laterSteps(bad))); // the last statement of the last step
        QCOMPARE(*versionOf(*database), schemaVersion);
        QVERIFY(!database->select(u"SELECT colour FROM events"_s)); // the step before it is undone as well
        QVERIFY(!database->select(u"SELECT a FROM later"_s));
    }
    QCOMPARE(reader(file)->events({})->rows.size(), std::size_t(1)); // it is as it was
    {
        const auto database = open(file);
        QVERIFY(migrate(*database, laterSteps(good)));
        QCOMPARE(*versionOf(*database), schemaVersion + 2);
        QCOMPARE(oneText(*database, u"SELECT colour FROM events"_s), u"grey"_s);
        QCOMPARE(oneText(*database, u"SELECT a FROM later"_s), u"e1"_s);
        QVERIFY(migrate(*database, laterSteps(good))); // nothing is left to do
        QCOMPARE(oneText(*database, u"SELECT count(*) FROM later"_s), u"1"_s);
        QVERIFY(!migrate(*database)); // of a later version, for this program
        QCOMPARE(*versionOf(*database), schemaVersion + 2);
    }
    QVERIFY(!ArchiveReader::open(file));
}

// Killed in the middle: all but the last is done and not committed.
void TestArchiveRows::aStepThatIsCutOffIsTakenAgain()
{
    const QString file = newFile();
    write(*open(file), {eventRecord("e1", 0)});
    const pid_t child = ::fork();
    if (child == 0) {
        auto database = Database::open(*parseLocation(file), Database::Access::Write, 3s);
        std::ignore = (*database)->transaction([&]() -> Result<void> {
            for (const QStringList &step : {laterSteps(good)[1], laterSteps(good)[2], QStringList{u"PRAGMA user_version = 3"_s}})
                std::ignore = (*database)->script(step);
            ::kill(::getpid(), SIGKILL);
            return {};
        });
        ::_exit(1);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    const auto database = open(file);
    QCOMPARE(*versionOf(*database), schemaVersion);
    QVERIFY(!database->select(u"SELECT colour FROM events"_s));
    QVERIFY(migrate(*database, laterSteps(good)));
    QCOMPARE(oneText(*database, u"SELECT colour FROM events"_s), u"grey"_s);
    QCOMPARE(oneText(*database, u"SELECT a FROM later"_s), u"e1"_s);
}

void TestArchiveRows::whatWasBefore()
{
    const QString file = newFile();
    EventRecord former = eventRecord("former", 60);
    former.cluster.incarnation = "42"; // of another one of that name
    write(*open(file),
          {RenewRecord{acme("old name"), at(0), 6, 10s, 12s}, RenewRecord{acme(), at(60), 6, 10s, 12s}, eventRecord("late", 230), former,
           RenewRecord{acme(), at(3600), 6, 10s, 12s}, eventRecord("now", 7200),
           TimelineRecord{acme(), {5, 0x300, "", at(8), "", "acme-1"}, at(20)}, TimelineRecord{acme(), {4, 0x200, "", {}, "", {}}, at(20)},
           RenewRecord{acme(), at(7200), 6, 10s, 12s}});
    const patroni::ClusterKey key{"new name", "db", "acme", {}, "acme"};
    const auto past = readPast(*reader(file), acme("new name"), key, at(-1000), at(7200));
    QVERIFY(past);
    QVERIFY(past->lookedSince == at(0));
    QCOMPARE(past->timelines.size(), std::size_t(2));
    QCOMPARE(past->timelines[0].timeline, 4);
    QCOMPARE(past->events.size(), std::size_t(3));
    QCOMPARE(past->events[0].id, std::string("late"));
    QVERIFY(past->events[0].cluster == key);
    const auto isBlind = [](const Event &event, Instant from, Instant to) {
        return event.type == EventCode::BlindSpot && event.notBefore == from && event.wall == to
            && event.detail.at("from") == formatUtc(from);
    };
    QVERIFY(isBlind(past->events[1], at(230), at(3600)));
    QVERIFY(isBlind(past->events[2], at(3660), at(7200)));
    QCOMPARE(past->renewals.size(), std::size_t(4));
    QVERIFY(past->renewals.front() == (RenewMinute{at(0), 6, 10s, 12s}));
    QVERIFY(past->renewals.back().from == at(7200)); // of this run: it may forget the single ones
}

// This run's own first minute is no past.
void TestArchiveRows::nothingWasBefore()
{
    const QString file = newFile();
    write(*open(file), {RenewRecord{acme(), at(60), 6, 10s, 12s}, eventRecord("now", 90)});
    Past own;
    own.renewals = {{at(60), 6, 10s, 12s}}; // for its picture
    QVERIFY(readPast(*reader(file), acme(), acme().key(), at(-1000), at(90)) == Result<Past>(own));
    QVERIFY(unwatched({{}, at(0)}).empty());
    QVERIFY(unwatched({{at(0), at(100)}, at(200)}).empty());
}

void TestArchiveRows::minutesAreAdded_data()
{
    QTest::addColumn<qint64>("minute");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<bool>("added");
    QTest::addColumn<QList<qint64>>("counts"); // afterwards
    QTest::newRow("the next") << qint64(180) << qint64(1) << true << QList<qint64>{6, 4, 1};
    QTest::newRow("the last, once more") << qint64(120) << qint64(5) << false << QList<qint64>{6, 5};
    QTest::newRow("who saw less") << qint64(0) << qint64(2) << false << QList<qint64>{6, 4};
    QTest::newRow("one between") << qint64(60) << qint64(2) << true << QList<qint64>{6, 2, 4};
}

void TestArchiveRows::minutesAreAdded()
{
    QFETCH(qint64, minute);
    QFETCH(qint64, count);
    std::vector<RenewMinute> minutes{{at(0), 6, 10s, 10s}, {at(120), 4, 10s, 10s}};
    QTEST(addMinute(minutes, {at(minute), count, 10s, 10s}), "added");
    QList<qint64> counts;
    for (const RenewMinute &one : minutes)
        counts << one.count;
    QTEST(counts, "counts");
}

QTEST_GUILESS_MAIN(TestArchiveRows)
#include "tst_archive_rows.moc"
