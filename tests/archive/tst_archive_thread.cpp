// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The running archive, and all that can be wrong with its file.
#include "app/archive/archive.h"
#include "app/archive/archive_reads.h"
#include "app/archive/schema.h"
#include "tests/archive/archive_cases.h"
#include "tests/archive/archive_files.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <sys/resource.h>
#include <unistd.h>

using namespace switchyard;
using namespace switchyard::archive;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Step = ArchiveState::Step;

namespace {

ArchiveOptions optionsFor(const QString &file)
{
    ArchiveOptions options;
    options.location = file;
    options.commitEvery = 10ms;
    options.retryEvery = 20ms;
    options.lockLimit = 20ms;
    options.clock = [] { return at(0); };
    return options;
}

QByteArray bytesOf(const QString &file)
{
    QFile device(file);
    return device.open(QIODevice::ReadOnly) ? device.readAll() : QByteArray();
}

void putBytes(const QString &file, const QByteArray &bytes)
{
    QFile device(file);
    if (!device.open(QIODevice::WriteOnly) || device.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(file));
}

std::size_t eventsIn(const QString &file)
{
    const auto reader = ArchiveReader::open(file);
    return reader ? (*reader)->events({})->rows.size() : 0;
}

std::unique_ptr<Database> open(const QString &file)
{
    auto database = Database::open(*parseLocation(file), Database::Access::Write, 1s);
    if (!database)
        qFatal("%s", describe(database.error()).c_str());
    return std::move(*database);
}

// Files that are not ours to write, by name.
void makeForeign(const QString &kind, const QString &file)
{
    if (kind == u"text"_s) {
        putBytes(file, "a shopping list\n");
        return;
    }
    const QString change = kind == u"newer"_s ? u"PRAGMA user_version = 99"_s : u"PRAGMA application_id = 7"_s;
    if (!open(file)->script(kind == u"damaged"_s ? QStringList{} : QStringList{change}))
        qFatal("cannot change the archive");
    if (kind != u"damaged"_s)
        return;
    QByteArray bytes = bytesOf(file);
    bytes.replace(100, bytes.size() - 100, QByteArray(bytes.size() - 100, 'x'));
    putBytes(file, bytes);
}

} // namespace

class TestArchiveThread : public QObject, protected ArchiveFiles
{
    Q_OBJECT
private Q_SLOTS:
    void whatIsAddedIsCommitted();
    void theRestIsWrittenAtTheEnd();
    void onlyItsUserMayReadIt();
    void aForeignFileIsLeftAsItIs_data();
    void aForeignFileIsLeftAsItIs();
    void aLockedFileIsTriedAgain();
    void aFullDisk();
    void aFolderThatMayNotBeWritten();
    void noFolderCanBeMade();
    void memoryIsLimited();
    void twoProgramsShareOneFile();
    void aFileThatWasMovedAwayIsBegunAnew();
    void anotherIsImported();
    void questionsAreAnsweredElsewhere();
};

void TestArchiveThread::whatIsAddedIsCommitted()
{
    const QString file = newFile();
    Archive archive(optionsFor(file));
    QSignalSpy committed(&archive, &Archive::committed);
    archive.start();
    const auto ticket = archive.add({eventRecord("e1", 0), eventRecord("e2", 1)});
    QTRY_VERIFY(!committed.isEmpty() && committed.last().first().toULongLong() == ticket);
    QCOMPARE(eventsIn(file), std::size_t(2)); // while it is open
    QTRY_COMPARE(archive.state().step, Step::Open);
    QTRY_COMPARE(archive.state().waiting, std::size_t(0));
    QVERIFY(archive.state().bytes > 0);
    QCOMPARE(archive.state().location, file);
}

void TestArchiveThread::theRestIsWrittenAtTheEnd()
{
    const QString file = newFile();
    ArchiveOptions options = optionsFor(file);
    options.commitEvery = 1h;
    {
        Archive archive(options);
        archive.start();
        archive.add({eventRecord("e1", 0)});
    }
    QCOMPARE(eventsIn(file), std::size_t(1));
}

void TestArchiveThread::onlyItsUserMayReadIt()
{
    const QString file = m_folder.filePath(u"new/folder/archive.sqlite"_s);
    Archive archive(optionsFor(file));
    archive.start();
    QTRY_COMPARE(archive.state().step, Step::Open);
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(file) & others));
    QVERIFY(!(QFile::permissions(file + u"-wal"_s) & others));
}

void TestArchiveThread::aForeignFileIsLeftAsItIs_data()
{
    QTest::addColumn<QString>("message");
    QTest::newRow("text") << u"not an archive"_s;
    QTest::newRow("newer") << u"newer Switchyard (version 99"_s;
    QTest::newRow("foreign") << u"another program's"_s;
    QTest::newRow("damaged") << u"damaged"_s;
}

void TestArchiveThread::aForeignFileIsLeftAsItIs()
{
    QFETCH(QString, message);
    const QString file = newFile();
    makeForeign(QString::fromLatin1(QTest::currentDataTag()), file);
    const QByteArray before = bytesOf(file);
    Archive archive(optionsFor(file));
    archive.start();
    archive.add({eventRecord("e1", 0)});
    QTRY_COMPARE(archive.state().step, Step::Failed);
    const QString said = QString::fromStdString(describe(*archive.state().error));
    QVERIFY2(said.contains(message) && said.contains(file) && !archive.state().error->advice.empty(), qPrintable(said));
    QSignalSpy changes(&archive, &Archive::stateChanged);
    QCOMPARE(bytesOf(file), before);
    const auto read = ArchiveReader::open(file);
    QVERIFY(!read && read.error().message == archive.state().error->message);
    // Out of the way: a new one is begun, and what was kept in memory goes into it
    QVERIFY(QFile::rename(file, file + u".old"_s));
    QTRY_COMPARE(archive.state().step, Step::Open);
    QTRY_COMPARE(eventsIn(file), std::size_t(1));
    QCOMPARE(bytesOf(file + u".old"_s), before);
}

void TestArchiveThread::aLockedFileIsTriedAgain()
{
    const QString file = newFile();
    Archive archive(optionsFor(file));
    archive.start();
    QTRY_COMPARE(archive.state().step, Step::Open);
    const auto other = open(file);
    QVERIFY(other->script({u"BEGIN IMMEDIATE"_s}));
    archive.add({eventRecord("e1", 0)});
    QTRY_COMPARE(archive.state().step, Step::Failed);
    QVERIFY(archive.state().error->message.find("locked") != std::string::npos);
    QVERIFY(archive.state().waiting > 0);
    QVERIFY(other->script({u"COMMIT"_s}));
    QTRY_COMPARE(eventsIn(file), std::size_t(1));
    QTRY_COMPARE(archive.state().step, Step::Open);
    QVERIFY(!archive.state().error);
}

void TestArchiveThread::aFullDisk()
{
    const QString file = newFile();
    Archive archive(optionsFor(file));
    archive.start();
    QTRY_COMPARE(archive.state().step, Step::Open);
    archive.add({eventRecord("e0", 0)});
    QTRY_COMPARE(eventsIn(file), std::size_t(1));
    std::signal(SIGXFSZ, SIG_IGN);
    struct ::rlimit limit = {};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const auto before = limit.rlim_cur;
    const auto restore = qScopeGuard([&] {
        limit.rlim_cur = before;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    limit.rlim_cur = 64 * 1024;
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    Records many;
    for (int i = 1; i <= 500; ++i)
        many.emplace_back(eventRecord("e" + std::to_string(i), i));
    archive.add(std::move(many));
    QTRY_COMPARE(archive.state().step, Step::Failed);
    const std::string said = describe(*archive.state().error);
    QVERIFY2(said.find("full") != std::string::npos && said.find(file.toStdString()) != std::string::npos, said.c_str());
    QCOMPARE(archive.state().waiting, std::size_t(500));
    QCOMPARE(eventsIn(file), std::size_t(1)); // what was there can be read
    limit.rlim_cur = before;
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    QTRY_COMPARE(eventsIn(file), std::size_t(501));
}

void TestArchiveThread::aFolderThatMayNotBeWritten()
{
    const QString folder = m_folder.filePath(u"closed"_s);
    QVERIFY(QDir().mkpath(folder));
    const QString file = folder + u"/archive.sqlite"_s;
    {
        Archive archive(optionsFor(file));
        archive.start();
        archive.add({eventRecord("e1", 0)});
    }
    const auto read = QFile::ReadOwner | QFile::ReadGroup | QFile::ReadOther;
    const auto enter = QFile::ExeOwner | QFile::ExeGroup | QFile::ExeOther;
    QVERIFY(QFile::setPermissions(file, read));
    QVERIFY(QFile::setPermissions(folder, read | enter));
    QVERIFY(QFile::setPermissions(m_folder.path(), QFile::permissions(m_folder.path()) | enter));
    const bool root = ::geteuid() == 0;
    if (root && ::seteuid(65534) != 0) // root may write everywhere
        QSKIP("cannot become another user");
    const auto back = qScopeGuard([&] {
        if (root && ::seteuid(0) != 0)
            qFatal("cannot become root again");
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    });
    Archive archive(optionsFor(file));
    archive.start();
    archive.add({eventRecord("e2", 1)});
    QTRY_COMPARE(archive.state().step, Step::Failed);
    const std::string said = describe(*archive.state().error);
    QVERIFY2(said.find(file.toStdString()) != std::string::npos && said.find("written") != std::string::npos, said.c_str());
    const auto reader = ArchiveReader::open(file); // it can be read all the same
    QVERIFY2(reader, reader ? "" : describe(reader.error()).c_str());
    QCOMPARE((*reader)->events({})->rows.size(), std::size_t(1));
}

void TestArchiveThread::noFolderCanBeMade()
{
    const QString inTheWay = newFile();
    putBytes(inTheWay, "x");
    Archive archive(optionsFor(inTheWay + u"/archive.sqlite"_s));
    archive.start();
    QTRY_COMPARE(archive.state().step, Step::Failed);
    QVERIFY(archive.state().error->message.find("folder") != std::string::npos);
}

void TestArchiveThread::memoryIsLimited()
{
    ArchiveOptions options = optionsFor(newFile());
    options.queue = 5;
    putBytes(options.location, "in the way");
    Archive archive(options);
    archive.add({NoteRecord{acme(), "n1", "t1", at(0), "eva", "why"}});
    for (int i = 0; i < 9; ++i)
        archive.add({eventRecord("e" + std::to_string(i), i)});
    archive.start();
    QTRY_COMPARE(archive.state().step, Step::Failed);
    QCOMPARE(archive.state().lost, std::uint64_t(5));
    QVERIFY(QFile::remove(options.location));
    QTRY_COMPARE(eventsIn(options.location), std::size_t(4));
    const auto reader = ArchiveReader::open(options.location);
    QCOMPARE((*reader)->events({})->rows.front().event.id, std::string("e8"));
    QCOMPARE((*reader)->notes({})->rows.size(), std::size_t(1));
}

void TestArchiveThread::twoProgramsShareOneFile()
{
    const QString file = newFile();
    ArchiveOptions options = optionsFor(file);
    options.lockLimit = 3s;
    {
        Archive one(options);
        Archive two(options);
        one.start();
        two.start();
        QTRY_COMPARE(one.state().step, Step::Open);
        QTRY_COMPARE(two.state().step, Step::Open);
        for (int i = 0; i < 200; ++i) {
            one.add({eventRecord("both" + std::to_string(i), i), eventRecord("one" + std::to_string(i), i)});
            two.add({eventRecord("both" + std::to_string(i), i), eventRecord("two" + std::to_string(i), i)});
        }
    }
    QCOMPARE(eventsIn(file), std::size_t(600));
}

void TestArchiveThread::aFileThatWasMovedAwayIsBegunAnew()
{
    const QString file = newFile();
    Archive archive(optionsFor(file));
    archive.start();
    archive.add({eventRecord("e1", 0)});
    QTRY_COMPARE(eventsIn(file), std::size_t(1));
    QVERIFY(QFile::rename(file, file + u".old"_s));
    QFile::remove(file + u"-wal"_s);
    QFile::remove(file + u"-shm"_s);
    archive.add({eventRecord("e2", 1)});
    QTRY_COMPARE(eventsIn(file), std::size_t(1));
    QCOMPARE((*ArchiveReader::open(file))->events({})->rows.front().event.id, std::string("e2"));
}

void TestArchiveThread::anotherIsImported()
{
    const QString other = newFile();
    {
        Archive archive(optionsFor(other));
        archive.start();
        archive.add({eventRecord("e1", 0)});
    }
    Archive archive(optionsFor(newFile()));
    archive.start();
    std::optional<Result<std::int64_t>> rows;
    archive.import(other, this, [&](const auto &answer) { rows = answer; });
    QTRY_VERIFY(rows);
    QVERIFY(*rows == 1);
    rows.reset();
    archive.import(other + u".none"_s, this, [&](const auto &answer) { rows = answer; });
    QTRY_VERIFY(rows);
    QVERIFY(!*rows && rows->error().kind == ErrorKind::NotFound);
}

void TestArchiveThread::questionsAreAnsweredElsewhere()
{
    const QString file = newFile();
    ArchiveReads reads(file);
    std::optional<Result<Page<EventRecord>>> answer;
    QThread *asked = nullptr;
    const auto ask = [&] {
        answer.reset();
        reads.ask<Page<EventRecord>>(
            [&](ArchiveReader &reader) {
                asked = QThread::currentThread();
                return reader.events({});
            },
            this, [&](const auto &page) { answer = page; });
    };
    ask();
    QTRY_VERIFY(answer);
    QVERIFY(!*answer); // there is no such file yet
    {
        Archive archive(optionsFor(file));
        archive.start();
        archive.add({eventRecord("e1", 0)});
    }
    ask();
    QTRY_VERIFY(answer);
    QCOMPARE((*answer)->rows.size(), std::size_t(1));
    QVERIFY(asked && asked != QThread::currentThread());
}

QTEST_GUILESS_MAIN(TestArchiveThread)
#include "tst_archive_thread.moc"
