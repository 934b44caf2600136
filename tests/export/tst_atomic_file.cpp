// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/atomic_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace switchyard;
using namespace switchyard::exports;

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(missing)");
}

void put(const QString &path, const char *text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

class TestAtomicFile : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    QString path(const char *name) const { return m_dir->filePath(QLatin1String(name)); }
    int files() const { return static_cast<int>(QDir(m_dir->path()).entryList(QDir::Files | QDir::Hidden | QDir::System).size()); }

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void newFile()
    {
        QVERIFY(writeFileAtomically(path("a"), "one").has_value());
        QCOMPARE(contentOf(path("a")), QByteArray("one"));
        QCOMPARE(files(), 1);
    }

    void replacesAndKeepsPermissions()
    {
        put(path("a"), "a longer old text");
        ::chmod(QFile::encodeName(path("a")).constData(), 0640);
        QVERIFY(writeFileAtomically(path("a"), "new").has_value());
        QCOMPARE(contentOf(path("a")), QByteArray("new"));
        struct stat info
        {};
        ::stat(QFile::encodeName(path("a")).constData(), &info);
        QCOMPARE(info.st_mode & 0777, mode_t(0640));
        QCOMPARE(files(), 1);
    }

    void throughALink()
    {
        put(path("target"), "old");
        QVERIFY(QFile::link(path("target"), path("link")));
        QVERIFY(writeFileAtomically(path("link"), "new").has_value());
        QCOMPARE(contentOf(path("target")), QByteArray("new"));
        QVERIFY(QFileInfo(path("link")).isSymLink());
    }

    void failuresLeaveNothing_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("empty") << QString();
        QTest::newRow("no such folder") << QStringLiteral("/nonexistent-folder/a.csv");
        QTest::newRow("a folder") << QDir::tempPath();
        QTest::newRow("a device") << QStringLiteral("/dev/null");
    }

    void failuresLeaveNothing()
    {
        QFETCH(QString, path);
        const auto written = writeFileAtomically(path, "x");
        QVERIFY(!written.has_value());
        QVERIFY(written.error().kind == ErrorKind::Io);
        QVERIFY(!written.error().message.empty());
    }

    // The disk is full in the middle: the old file stays whole, no temporary file stays behind.
    void fullDisk()
    {
        put(path("a"), "old");
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        rlimit small = before;
        small.rlim_cur = 1000;
        ::setrlimit(RLIMIT_FSIZE, &small);
        const auto written = writeFileAtomically(path("a"), std::string(100000, 'x'));
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!written.has_value());
        QCOMPARE(contentOf(path("a")), QByteArray("old"));
        QCOMPARE(files(), 1);
    }
};

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "tst_atomic_file.moc"
