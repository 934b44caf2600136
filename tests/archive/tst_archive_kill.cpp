// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// A program in the middle of a storm of events is killed with SIGKILL: what is older than a second is in the file.
#include "app/archive/archive.h"
#include "app/archive/archive_reader.h"
#include "app/archive/database.h"
#include "tests/archive/archive_cases.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <cstdio>

using namespace switchyard;
using namespace switchyard::archive;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int atOnce = 5;

// The child: a line "a TICKET MILLISECONDS" for what was added, "c TICKET" for what was acknowledged.
int storm(const QString &file)
{
    ArchiveOptions options;
    options.location = file;
    Archive archive(options);
    QElapsedTimer clock;
    clock.start();
    QObject::connect(&archive, &Archive::committed, &archive, [](quint64 ticket) {
        std::printf("c %llu\n", ticket);
        std::fflush(stdout);
    });
    archive.start();
    std::uint64_t next = 1;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &archive, [&] {
        Records records;
        for (int i = 0; i < atOnce; ++i, ++next)
            records.emplace_back(eventRecord(std::to_string(next), static_cast<std::int64_t>(next)));
        const auto ticket = archive.add(std::move(records));
        std::printf("a %llu %lld\n", static_cast<unsigned long long>(ticket), static_cast<long long>(clock.elapsed()));
        std::fflush(stdout);
    });
    timer.start(5ms);
    return QCoreApplication::exec();
}

struct Told
{
    std::vector<std::pair<quint64, qint64>> added; // ticket, its clock
    quint64 committed = 0;

    void read(const QByteArray &line)
    {
        const QList<QByteArray> parts = line.trimmed().split(' ');
        if (parts.size() == 3 && parts[0] == "a")
            added.emplace_back(parts[1].toULongLong(), parts[2].toLongLong());
        else if (parts.size() == 2 && parts[0] == "c")
            committed = parts[1].toULongLong();
    }
    // The last ticket that was added more than a second before the last line
    quint64 secure() const
    {
        quint64 ticket = committed;
        for (const auto &[number, clock] : added) {
            if (clock < added.back().second - 5000) // a second, and four for a slow machine
                ticket = std::max(ticket, number);
        }
        return ticket;
    }
};

} // namespace

class TestArchiveKill : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void whatIsOlderThanASecondIsThere();
};

void TestArchiveKill::whatIsOlderThanASecondIsThere()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"archive.sqlite"_s);
    QProcess child;
    child.start(QCoreApplication::applicationFilePath(), {u"--storm"_s, file});
    Told told;
    const auto readAll = [&] {
        while (child.canReadLine())
            told.read(child.readLine());
    };
    while (told.added.empty() || told.added.back().second < 6000 || told.committed == 0) {
        QVERIFY(child.waitForReadyRead(30000));
        readAll();
    }
    child.kill(); // SIGKILL
    QVERIFY(child.waitForFinished());
    QCOMPARE(child.exitStatus(), QProcess::CrashExit);
    readAll();

    const auto reader = ArchiveReader::open(file);
    QVERIFY2(reader, reader ? "" : describe(reader.error()).c_str());
    Query all;
    all.most = 100000;
    std::set<quint64> kept;
    const auto page = (*reader)->events(all);
    for (const EventRecord &record : page->rows)
        kept.insert(std::stoull(record.event.id));
    QVERIFY(told.secure() > 0);
    for (quint64 ticket = 1; ticket <= told.secure(); ++ticket)
        QVERIFY2(kept.contains(ticket),
                 qPrintable(u"%1 of %2 is missing, committed %3"_s.arg(ticket).arg(told.secure()).arg(told.committed)));
    auto database = Database::open(*parseLocation(file), Database::Access::Write, 1s);
    QVERIFY(database);
    QCOMPARE((*database)->select(u"PRAGMA integrity_check"_s)->front().front().toString(), u"ok"_s);
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    if (argc == 3 && qstrcmp(argv[1], "--storm") == 0)
        return storm(QString::fromLocal8Bit(argv[2]));
    TestArchiveKill test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_archive_kill.moc"
