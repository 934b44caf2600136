// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Commands on an archive.
#include "app/archive/archive.h"
#include "app/headless/run.h"
#include "tests/archive/archive_cases.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::headless;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

struct Run
{
    int exitCode = -1;
    QByteArray out;
    QString err;
};

Run run(const QStringList &arguments)
{
    Run result;
    const auto options = parseArguments(arguments);
    if (!options)
        qFatal("%s", describe(options.error()).c_str());
    const Sinks sinks{[&](std::string_view text) {
                          result.out.append(text.data(), static_cast<qsizetype>(text.size()));
                          return result.out.count('\n') < 3 || !options->follow; // the reader goes away
                      },
                      [&](const std::string &text) { result.err += QString::fromStdString(text) + u'\n'; }};
    result.exitCode = options->command == Command::Import ? runImport(*options, sinks) : runArchive(*options, sinks);
    return result;
}

// Of an election, which is kept as what happened in its namespace.
archive::EventRecord ofPlanner(const char *id, int second, EventCode type, std::map<std::string, std::string> detail)
{
    archive::EventRecord all = archive::eventRecord(id, second, type);
    all.cluster.scope = all.cluster.base = all.event.cluster.scope = all.event.cluster.base = "";
    all.event.object = "planner";
    all.event.detail = std::move(detail);
    return all;
}

} // namespace

class TestArchiveSource : public QObject
{
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_file;

    QJsonArray rows(const QString &command, const QStringList &more = {})
    {
        const Run answer = run(QStringList{command, u"--archive"_s, m_file, u"--format"_s, u"json"_s} + more);
        if (answer.exitCode != Answered)
            qWarning("%s", qPrintable(answer.err));
        return QJsonDocument::fromJson(answer.out).array();
    }

private Q_SLOTS:
    void initTestCase();
    void events();
    void transitions();
    void elections();
    void chosenElections_data();
    void chosenElections();
    void requests();
    void history();
    void followed();
    void noArchive();
    void dossier();
    void imported();
    void notImported();
};

void TestArchiveSource::initTestCase()
{
    m_file = m_folder.filePath(u"archive.sqlite"_s);
    archive::ArchiveOptions options;
    options.location = m_file;
    archive::Archive kept(options);
    archive::RequestRecord request{archive::acme(), {}, {Boot(100s), archive::at(100)}};
    request.request.id = "r1";
    request.request.request.member = "acme-1";
    request.request.outcome = patroni::Outcome::Done;
    request.request.seenAt = Boot(90s);
    archive::EventRecord other = archive::eventRecord("e9", 7);
    other.cluster.scope = other.cluster.base = other.event.cluster.scope = other.event.cluster.base = "beta";
    kept.add(
        {archive::eventRecord("e1", 0), archive::eventRecord("e2", 50, EventCode::LockExpired), other, archive::transitionRecord("t1", 10),
         request,
         archive::TimelineRecord{archive::acme(), {4, 0x2803F1A8, "no recovery target", archive::at(9), {}, "acme-1"}, archive::at(20)}});
    kept.start();
}

void TestArchiveSource::events()
{
    const QJsonArray all = rows(u"events"_s);
    QCOMPARE(all.size(), 3);
    const QJsonObject first = all[0].toObject();
    QCOMPARE(first["mode"_L1].toString(), u"archive"_s);
    QCOMPARE(first["context"_L1].toString(), u"prod"_s);
    QCOMPARE(first["type"_L1].toString(), u"leader-changed"_s);
    QCOMPARE(first["at"_L1].toString(), QString::fromStdString(formatUtc(archive::at(0))));
    QCOMPARE(rows(u"events"_s, {u"--cluster"_s, u"db/beta"_s}).size(), 1);
    QCOMPARE(rows(u"events"_s, {u"--since"_s, QString::fromStdString(formatUtc(archive::at(5)))}).size(), 2);
    QCOMPARE(rows(u"events"_s,
                  {u"--since"_s, QString::fromStdString(formatUtc(archive::at(5))), u"--until"_s,
                   QString::fromStdString(formatUtc(archive::at(8)))})
                 .size(),
             1);
    QCOMPARE(run({u"events"_s, u"--archive"_s, m_file, u"--cluster"_s, u"db/none"_s}).exitCode, int(CouldNot));
}

void TestArchiveSource::transitions()
{
    const QJsonArray all = rows(u"transitions"_s);
    QCOMPARE(all.size(), 1);
    const QJsonObject t = all[0].toObject();
    QCOMPARE(t["kind"_L1].toString(), u"lock-expired"_s);
    QCOMPARE(t["from"_L1].toString(), u"acme-0"_s);
    QCOMPARE(t["timeline"_L1].toInt(), 5);
    QCOMPARE(t["mode"_L1].toString(), u"archive"_s);
}

// Who led another election is kept as events of no cluster; transitions tell of it, too.
void TestArchiveSource::elections()
{
    const QString file = m_folder.filePath(u"elections.sqlite"_s);
    {
        archive::ArchiveOptions options;
        options.location = file;
        archive::Archive kept(options);
        kept.add(
            {ofPlanner("1", 0, EventCode::ElectionLeader, {{"election", "leases"}, {"to", "a_1"}, {"how", "first-seen"}}),
             ofPlanner("2", 30, EventCode::ElectionStopped, {{"election", "leases"}, {"holder", "a_1"}, {"how", "expired"}}),
             ofPlanner("3", 35, EventCode::ElectionLeader, {{"election", "leases"}, {"from", "a_1"}, {"to", "b_2"}, {"how", "taken-over"}}),
             ofPlanner("4", 36, EventCode::ElectionLate, {{"election", "leases"}, {"holder", "b_2"}})});
        kept.start();
    }
    const auto asked = [&](const QString &command, const QStringList &more = {}) {
        const Run answer = run(QStringList{command, u"--archive"_s, file, u"--format"_s, u"json"_s} + more);
        return QJsonDocument::fromJson(answer.out).array();
    };
    const QJsonArray events = asked(u"events"_s);
    QCOMPARE(events.size(), 4);
    QCOMPARE(events[1].toObject()["type"_L1].toString(), u"election-stopped"_s);
    QCOMPARE(events[1].toObject()["object"_L1].toString(), u"planner"_s);
    QVERIFY(events[1].toObject()["scope"_L1].isNull());
    const QJsonArray changes = asked(u"transitions"_s);
    QCOMPARE(changes.size(), 2);
    QCOMPARE(changes[0].toObject()["kind"_L1].toString(), u"expired"_s);
    QCOMPARE(changes[0].toObject()["from"_L1].toString(), u"a_1"_s);
    const QJsonObject taken = changes[1].toObject();
    QCOMPARE(taken["scope"_L1].toString(), u"planner"_s);
    QCOMPARE(taken["to"_L1].toString(), u"b_2"_s);
    QCOMPARE(taken["gained_at"_L1].toString(), QString::fromStdString(formatUtc(archive::at(35))));
    QCOMPARE(taken["mode"_L1].toString(), u"archive"_s);
    QCOMPARE(asked(u"transitions"_s, {u"--since"_s, QString::fromStdString(formatUtc(archive::at(32)))}).size(), 1);
}

void TestArchiveSource::chosenElections_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("exitCode");
    const QString later = QString::fromStdString(formatUtc(archive::at(60)));
    QTest::newRow("its changes") << u"transitions"_s << QStringList{u"--cluster"_s, u"db/planner"_s} << 2 << int(Answered);
    QTest::newRow("its events") << u"events"_s << QStringList{u"--cluster"_s, u"db/planner"_s} << 3 << int(Answered);
    QTest::newRow("none since then") << u"transitions"_s << QStringList{u"--cluster"_s, u"db/planner"_s, u"--since"_s, later} << 0
                                     << int(Answered);
    QTest::newRow("only renewed") << u"transitions"_s << QStringList{u"--cluster"_s, u"db/queue"_s} << 0 << int(Answered);
    QTest::newRow("with a cluster") << u"transitions"_s << QStringList{u"--cluster"_s, u"db/planner"_s, u"--cluster"_s, u"db/acme"_s} << 3
                                    << int(Answered);
    QTest::newRow("a cluster") << u"transitions"_s << QStringList{u"--cluster"_s, u"db/acme"_s} << 1 << int(Answered);
    QTest::newRow("in another namespace") << u"transitions"_s << QStringList{u"--cluster"_s, u"dc/planner"_s} << 0 << int(CouldNot);
    QTest::newRow("no such one") << u"transitions"_s << QStringList{u"--cluster"_s, u"db/plan"_s} << 0 << int(CouldNot);
    QTest::newRow("no cluster") << u"history"_s << QStringList{u"--cluster"_s, u"db/planner"_s} << 0 << int(CouldNot);
}

void TestArchiveSource::chosenElections()
{
    QFETCH(QString, command);
    QFETCH(QStringList, more);
    const QString file = m_folder.filePath(u"chosen.sqlite"_s);
    if (!QFileInfo::exists(file)) {
        archive::ClusterId queue = archive::acme();
        queue.scope = "";
        queue.base = "queue";
        archive::EventRecord lost = ofPlanner("1", 0, EventCode::BlindSpot, {});
        lost.event.object = "plan";
        archive::ArchiveOptions options;
        options.location = file;
        archive::Archive kept(options);
        kept.add(
            {ofPlanner("2", 30, EventCode::ElectionStopped, {{"election", "leases"}, {"holder", "a_1"}, {"how", "expired"}}),
             ofPlanner("3", 35, EventCode::ElectionLeader, {{"election", "leases"}, {"from", "a_1"}, {"to", "b_2"}, {"how", "taken-over"}}),
             ofPlanner("4", 36, EventCode::ElectionLate, {{"election", "leases"}, {"holder", "b_2"}}), lost,
             archive::RenewRecord{queue, archive::at(0), 30, 2s, 2s}, archive::transitionRecord("t1", 10)});
        kept.start();
    }
    const Run answer = run(QStringList{command, u"--archive"_s, file, u"--format"_s, u"json"_s} + more);
    QTEST(int(QJsonDocument::fromJson(answer.out).array().size()), "rows");
    QTEST(answer.exitCode, "exitCode");
}

void TestArchiveSource::requests()
{
    const QJsonArray all = rows(u"requests"_s);
    QCOMPARE(all.size(), 1);
    QCOMPARE(all[0].toObject()["outcome"_L1].toString(), u"done"_s);
    QCOMPARE(all[0].toObject()["seen_at"_L1].toString(), QString::fromStdString(formatUtc(archive::at(90)))); // the wall clock of then
}

void TestArchiveSource::history()
{
    const QJsonArray all = rows(u"history"_s, {u"--cluster"_s, u"db/acme"_s});
    QCOMPARE(all.size(), 1);
    QCOMPARE(all[0].toObject()["new_leader"_L1].toString(), u"acme-1"_s);
}

void TestArchiveSource::followed()
{
    const Run all = run({u"events"_s, u"--archive"_s, m_file, u"--follow"_s});
    QCOMPARE(all.exitCode, int(Answered));
    QCOMPARE(all.out.count('\n'), 3);
    QVERIFY(all.out.startsWith("{"));
}

void TestArchiveSource::noArchive()
{
    const Run none = run({u"events"_s, u"--archive"_s, m_file + u".none"_s});
    QCOMPARE(none.exitCode, int(CouldNot));
    QVERIFY(none.err.contains(m_file + u".none"_s) && none.err.contains(u"no such archive"_s));
}

void TestArchiveSource::dossier()
{
    const QString file = m_folder.filePath(u"dossier.sqlite"_s);
    {
        archive::ArchiveOptions options;
        options.location = file;
        archive::Archive kept(options);
        const auto sync = [](const char *version, std::int64_t at, const char *leader) {
            return archive::SnapshotRecord{archive::acme(), "acme-sync", version, archive::at(at), {{"leader", leader}}};
        };
        archive::TransitionRecord former = archive::transitionRecord("t0", -5000);
        former.transition.timeline = 4;
        former.transition.lsn = 0x100;
        kept.add({former, archive::transitionRecord("t1", 10), sync("41", -100, "acme-0"), sync("44", 12, "acme-1"),
                  archive::eventRecord("e1", 11, EventCode::SyncChanged),
                  archive::NoteRecord{archive::acme(), "n1", "t1", archive::at(60), "eva", "the node was too small"}});
        kept.start();
    }
    const auto made = [&](const QStringList &more) {
        return run(QStringList{u"dossier"_s, u"--archive"_s, file, u"--cluster"_s, u"db/acme"_s} + more);
    };
    const Run newest = made({u"--format"_s, u"json"_s});
    QCOMPARE(newest.err, QString());
    QCOMPARE(newest.exitCode, int(Answered));
    const QJsonObject all = QJsonDocument::fromJson(newest.out).object();
    QCOMPARE(all["transition"_L1].toObject()["id"_L1].toString(), u"t1"_s);
    QCOMPARE(all["cause"_L1].toObject()["code"_L1].toString(), u"out-of-memory"_s);
    QCOMPARE(all["notes"_L1].toArray().size(), 1);
    const QJsonObject change = all["objects"_L1].toArray().at(3).toObject();
    QCOMPARE(change["version_before"_L1].toString(), u"41"_s);
    QCOMPARE(change["changes"_L1].toArray().at(0).toObject()["after"_L1].toString(), u"acme-1"_s);
    QVERIFY(made({}).out.startsWith("# ")); // Markdown
    QVERIFY(made({u"--format"_s, u"html"_s}).out.startsWith("<!DOCTYPE html>"));
    const Run older = made({u"--transition"_s, u"t0"_s, u"--format"_s, u"json"_s});
    QCOMPARE(QJsonDocument::fromJson(older.out).object()["transition"_L1].toObject()["id"_L1].toString(), u"t0"_s);
    const Run none = made({u"--transition"_s, u"t9"_s});
    QCOMPARE(none.exitCode, int(CouldNot));
    QVERIFY(none.err.contains(u"t9"_s) && none.out.isEmpty());
}

void TestArchiveSource::imported()
{
    const QString into = m_folder.filePath(u"other/kept.sqlite"_s);
    const Run first = run({u"import"_s, u"--from"_s, m_file, u"--archive"_s, into});
    QCOMPARE(first.err, QString());
    QCOMPARE(first.exitCode, int(Answered));
    QCOMPARE(QString::fromUtf8(first.out), u"6 rows of %1 are in %2\n"_s.arg(m_file, into));
    QCOMPARE(run({u"import"_s, u"--from"_s, m_file, u"--archive"_s, into}).exitCode, int(Answered)); // again: each is kept once
    const auto counts = [](const QString &file) {
        QList<qsizetype> all;
        for (const QString &command : {u"events"_s, u"transitions"_s, u"requests"_s, u"history"_s}) {
            const Run answer = run({command, u"--archive"_s, file, u"--cluster"_s, u"db/acme"_s, u"--format"_s, u"json"_s});
            all.append(QJsonDocument::fromJson(answer.out).array().size());
        }
        return all;
    };
    QCOMPARE(counts(into), (QList<qsizetype>{2, 1, 1, 1}));
    QCOMPARE(counts(into), counts(m_file));
}

void TestArchiveSource::notImported()
{
    const QString into = m_folder.filePath(u"new.sqlite"_s);
    const Run none = run({u"import"_s, u"--from"_s, m_file + u".none"_s, u"--archive"_s, into});
    QCOMPARE(none.exitCode, int(CouldNot));
    QVERIFY(none.err.contains(m_file + u".none"_s) && none.out.isEmpty());
    QVERIFY(!QFileInfo::exists(into)); // nothing is left behind
    const Run itself = run({u"import"_s, u"--from"_s, m_file, u"--archive"_s,
                            m_folder.filePath(u"../"_s) + QFileInfo(m_folder.path()).fileName() + u"/archive.sqlite"_s});
    QCOMPARE(itself.exitCode, int(CouldNot));
    QVERIFY(itself.err.contains(u"the archive itself"_s));
}

QTEST_GUILESS_MAIN(TestArchiveSource)
#include "tst_archive_source.moc"
