// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The same archive on a real PostgreSQL server, which is started here; skipped, saying why, where there is none.
#include "app/archive/archive.h"
#include "app/archive/archive_reader.h"
#include "app/archive/database.h"
#include "app/archive/election_past.h"
#include "app/archive/retention.h"
#include "tests/archive/archive_cases.h"
#include "tests/support/patience.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSqlDatabase>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace switchyard;
using namespace switchyard::archive;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr uid_t nobody = 65534; // the server does not run as root

QString binary(const QString &name)
{
    const QStringList versions = QDir(u"/usr/lib/postgresql"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &version : versions) {
        QString path = u"/usr/lib/postgresql/"_s + version + u"/bin/"_s + name;
        if (QFile::exists(path))
            return path;
    }
    return {};
}

quint16 freePort()
{
    const int handle = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto *any = reinterpret_cast<sockaddr *>(&address);
    const bool good = ::bind(handle, any, size) == 0 && ::getsockname(handle, any, &size) == 0;
    ::close(handle);
    return good ? ntohs(address.sin_port) : 0;
}

void asNobody(QProcess &process)
{
    if (::geteuid() == 0)
        process.setChildProcessModifier([] {
            if (::setgid(nobody) != 0 || ::setuid(nobody) != 0)
                ::_exit(1);
        });
}

void put(const QString &file, const QByteArray &bytes)
{
    QFile device(file);
    if (!device.open(QIODevice::WriteOnly) || device.write(bytes) != bytes.size()
        || !device.setPermissions(QFile::ReadOwner | QFile::WriteOwner))
        qFatal("cannot write %s", qPrintable(file));
}

} // namespace

class TestArchiveServer : public QObject
{
    Q_OBJECT
    QTemporaryDir m_folder;
    QProcess m_server;
    QString m_location;

    bool startServer();
    std::unique_ptr<ArchiveReader> reader() const
    {
        auto opened = ArchiveReader::open(m_location);
        if (!opened)
            qFatal("%s", describe(opened.error()).c_str());
        return std::move(*opened);
    }
    ArchiveOptions options() const
    {
        ArchiveOptions all;
        all.location = m_location;
        all.commitEvery = 10ms;
        all.retryEvery = 50ms;
        return all;
    }

private Q_SLOTS:
    void initTestCase();
    void addresses_data();
    void addresses();
    void whatIsWrittenIsRead();
    void twoProgramsShareOneDatabase();
    void theOldGoes();
    void theServerComesBack();
    void cleanupTestCase();
};

bool TestArchiveServer::startServer()
{
    m_server.start(binary(u"postgres"_s), {u"-D"_s, m_folder.filePath(u"data"_s), u"-k"_s, m_folder.path(), u"-c"_s, u"fsync=off"_s});
    return m_server.waitForStarted();
}

void TestArchiveServer::initTestCase()
{
    if (binary(u"initdb"_s).isEmpty())
        QSKIP("no PostgreSQL server is installed (Debian: postgresql)");
    if (!QSqlDatabase::isDriverAvailable(u"QPSQL"_s))
        QSKIP("Qt's driver for PostgreSQL is not installed (Debian: libqt6sql6-psql)");
    put(m_folder.filePath(u"password"_s), "s3cr3t\n");
    const quint16 port = freePort();
    put(m_folder.filePath(u"pgpass"_s), "127.0.0.1:" + QByteArray::number(port) + ":*:keeper:s3cr3t\n");
    qputenv("PGPASSFILE", m_folder.filePath(u"pgpass"_s).toUtf8());
    if (::geteuid() == 0) {
        for (const QString &path : {m_folder.path(), m_folder.filePath(u"password"_s)})
            QCOMPARE(::chown(QFile::encodeName(path).constData(), nobody, nobody), 0);
    }
    QProcess make;
    asNobody(make);
    make.start(binary(u"initdb"_s),
               {u"-D"_s, m_folder.filePath(u"data"_s), u"-U"_s, u"keeper"_s, u"-A"_s, u"scram-sha-256"_s, u"--pwfile"_s,
                m_folder.filePath(u"password"_s), u"--no-sync"_s, u"--locale=C.UTF-8"_s});
    QVERIFY(make.waitForFinished(60000));
    QVERIFY2(make.exitCode() == 0, make.readAllStandardError().constData());
    QFile config(m_folder.filePath(u"data/postgresql.conf"_s));
    QVERIFY(config.open(QIODevice::Append));
    config.write("listen_addresses = '127.0.0.1'\nport = " + QByteArray::number(port) + "\n");
    config.close();
    asNobody(m_server);
    m_server.setProcessChannelMode(QProcess::MergedChannels);
    QVERIFY(startServer());
    m_location = u"postgresql://keeper@127.0.0.1:%1/postgres"_s.arg(port);
    Result<std::unique_ptr<Database>> opened = tl::unexpected(Error{});
    const auto tryIt = [&] {
        opened = Database::open(*parseLocation(m_location), Database::Access::Write, 1s);
        return opened.has_value();
    };
    // the message is made whether it is needed or not
    QTRY_VERIFY2_WITH_TIMEOUT(tryIt(), opened ? "" : describe(opened.error()).c_str(), 20000);
}

void TestArchiveServer::cleanupTestCase()
{
    m_server.terminate();
    if (!m_server.waitForFinished(30000))
        m_server.kill();
}

void TestArchiveServer::addresses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said"); // empty: it is one
    QTest::newRow("a password") << u"postgresql://keeper:s3cr3t@127.0.0.1/db"_s << u"password"_s;
    QTest::newRow("a parameter that may hold a secret") << u"postgresql://keeper@127.0.0.1/db?password=s3cr3t"_s << u"parameter password"_s;
    QTest::newRow("service file") << u"postgresql:///?service=ops"_s << QString();
    QTest::newRow("encryption") << u"postgresql://keeper@db.example:5433/ops?sslmode=verify-full"_s << QString();
}

void TestArchiveServer::addresses()
{
    QFETCH(QString, text);
    QFETCH(QString, said);
    const auto location = parseLocation(text);
    QCOMPARE(location.has_value(), said.isEmpty());
    const QString shown = location ? location->shown : QString::fromStdString(describe(location.error()));
    QVERIFY2(shown.contains(said) && !shown.contains(u"s3cr3t"_s), qPrintable(shown));
}

void TestArchiveServer::whatIsWrittenIsRead()
{
    TransitionRecord again = transitionRecord("t1", 10);
    again.transition.writableAt = at(12);
    RequestRecord request{acme(), {}, {Boot(100s), at(100)}};
    request.request.id = "r1";
    request.request.seenAt = Boot(90s);
    AuditRecord audit;
    audit.entry.id = "w1";
    audit.entry.at = at(1);
    audit.entry.summary = "a 'quoted' \\ text";
    ClusterId planner = acme(); // an election
    planner.scope = planner.incarnation = "";
    planner.base = "planner";
    EventRecord taken = eventRecord("e9", 0, EventCode::ElectionLeader);
    taken.cluster.scope = taken.cluster.base = taken.cluster.incarnation = "";
    taken.event.cluster = taken.cluster.key();
    taken.event.object = "planner";
    taken.event.detail = {{"election", "leases"}, {"how", "taken-over"}, {"from", "a"}, {"to", "b"}};
    {
        Archive archive(options());
        archive.start();
        archive.add({eventRecord("e1", 0), eventRecord("e1", 0), transitionRecord("t1", 10), again, request, audit,
                     SnapshotRecord{acme(), "acme-config", "44", at(3), {{"config", R"({"ttl": 30})"}}},
                     ConfigRecord{acme(), "44", at(3), "{}"}, TimelineRecord{acme(), {4, 7, "x", at(9), {}, "acme-1"}, at(20)},
                     RenewRecord{acme(), at(60), 6, 10s, 12500ms}, RenewRecord{planner, at(60), 29, 2s, 5s}, taken,
                     NoteRecord{acme(), "n1", "t1", at(70), "eva", "the node ran out of memory"}});
        QTRY_COMPARE(archive.state().step, ArchiveState::Step::Open);
    }
    const auto archive = reader();
    Query ofAcme;
    ofAcme.object = "acme";
    QCOMPARE(archive->events(ofAcme)->rows.size(), std::size_t(1));
    QVERIFY(archive->events(ofAcme)->rows[0].event.detail == eventRecord("e1", 0).event.detail);
    const auto past = readElectionPast(*archive, {"prod", "db", "planner"}, planner, at(-1000));
    QVERIFY(past && past->changes.size() == 1 && past->renewals.size() == 1);
    QCOMPARE(past->renewals[0].count, std::int64_t(29));
    const auto transitions = archive->transitions({});
    QCOMPARE(transitions->rows.size(), std::size_t(1));
    QVERIFY(transitions->rows[0].transition.writableAt == at(12));
    QVERIFY(transitions->rows[0].transition.lsn == 0xFFFFFFFF12345678ULL);
    QCOMPARE(archive->requests({})->rows.size(), std::size_t(1));
    QCOMPARE(archive->audit({})->rows[0].entry.summary, audit.entry.summary);
    QCOMPARE(archive->snapshots({})->rows.size(), std::size_t(1));
    QCOMPARE(archive->configs({})->rows.size(), std::size_t(1));
    QCOMPARE(archive->timelines({})->rows[0].entry.newLeader.value_or(""), std::string("acme-1"));
    Query renewals;
    renewals.clusters = {**archive->rowOf(acme())};
    QCOMPARE(archive->renewals(renewals)->rows[0].count, std::int64_t(6));
    Query onIt;
    onIt.object = "t1";
    QCOMPARE(archive->notes(onIt)->rows.size(), std::size_t(1));
    QCOMPARE(archive->search(u"OOMKilled"_s, {})->rows.size(), std::size_t(1));
    QCOMPARE(archive->search(u"acme memory"_s, {})->rows.size(), std::size_t(1));
    QVERIFY(*archive->rowOf(acme()));
    QVERIFY(*archive->size() > 0);
}

void TestArchiveServer::twoProgramsShareOneDatabase()
{
    {
        Archive one(options());
        Archive two(options());
        one.start();
        two.start();
        for (int i = 0; i < 50; ++i) {
            one.add({eventRecord("both" + std::to_string(i), 100 + i), transitionRecord("t1", 10)});
            two.add({eventRecord("both" + std::to_string(i), 100 + i), transitionRecord("t1", 10)});
        }
    }
    Query since;
    since.since = at(100);
    QCOMPARE(reader()->events(since)->rows.size(), std::size_t(50));
    QCOMPARE(reader()->transitions({})->rows.size(), std::size_t(1));
}

void TestArchiveServer::theOldGoes()
{
    auto database = Database::open(*parseLocation(m_location), Database::Access::Write, 1s);
    QVERIFY(database);
    QVERIFY(tidy(**database, {1h, 0}, at(0) + 1h + 50s));
    QVERIFY(!reader()->events({})->rows.empty());
    Query before;
    before.until = at(49);
    QVERIFY(reader()->events(before)->rows.empty());
    QCOMPARE(reader()->transitions({})->rows.size(), std::size_t(1)); // it has a note
}

void TestArchiveServer::theServerComesBack()
{
    Archive archive(options());
    archive.start();
    QTRY_COMPARE_WITH_TIMEOUT(archive.state().step, ArchiveState::Step::Open, 30000);
    m_server.terminate();
    m_server.kill(); // with our connection open it would wait
    QVERIFY(m_server.waitForFinished(30000));
    archive.add({eventRecord("meanwhile", 500)});
    QTRY_COMPARE_WITH_TIMEOUT(archive.state().step, ArchiveState::Step::Failed, 30000);
    const QString said = QString::fromStdString(describe(*archive.state().error));
    QVERIFY2(said.contains(u"127.0.0.1"_s) && !said.contains(u"s3cr3t"_s), qPrintable(said));
    const auto back = [&] { // one that starts while the old one's children live ends at once
        return (m_server.state() != QProcess::NotRunning || startServer()) && archive.state().step == ArchiveState::Step::Open;
    };
    QTRY_VERIFY_WITH_TIMEOUT(back(), 60000);
    QTRY_COMPARE_WITH_TIMEOUT(archive.state().waiting, std::size_t(0), 30000);
    Query since;
    since.since = at(500);
    QCOMPARE(reader()->events(since)->rows.size(), std::size_t(1));
}

QTEST_GUILESS_MAIN(TestArchiveServer)
#include "tst_archive_server.moc"
