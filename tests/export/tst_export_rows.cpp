// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/export_job.h"
#include "app/export/workbook_text.h"
#include "tests/support/patience.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace switchyard;
using namespace switchyard::exports;
using namespace switchyard::tables;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(switchyard::tables::Format)

namespace {

std::vector<Column> columns()
{
    return {{"name", CellType::Text}, {"n", CellType::Integer},  {"lsn", CellType::Unsigned},
            {"s", CellType::Real},    {"ok", CellType::Boolean}, {"at", CellType::Time}};
}

Row row(const std::string &name, std::int64_t n)
{
    return {name, n, std::uint64_t(4096), -1.25, true, *parseInstant("2031-02-01T06:00:11.402917Z")};
}

Row unknowns()
{
    return Row(6);
}

// `count` batches of `size` rows.
RowSource batches(
    int count, int size, std::function<void(int)> before = [](int) {})
{
    return [=, n = 0]() mutable -> Result<std::vector<Row>> {
        before(n);
        if (n++ == count)
            return std::vector<Row>();
        return std::vector<Row>(static_cast<std::size_t>(size), row("acme-" + std::to_string(n), n));
    };
}

// The file cannot grow beyond so many bytes, as on a full disk.
class FullDisk
{
public:
    explicit FullDisk(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit small = m_before;
        small.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    Q_DISABLE_COPY_MOVE(FullDisk)

private:
    rlimit m_before{};
};

} // namespace

class TestExportRows : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    QString path(const QString &name = u"out"_s) const { return m_dir->filePath(name); }
    QStringList files() const { return QDir(m_dir->path()).entryList(QDir::Files | QDir::Hidden | QDir::System); }
    qint64 bytesBeside() const
    {
        qint64 all = 0;
        for (const QFileInfo &file : QDir(m_dir->path()).entryInfoList(QDir::Files | QDir::Hidden))
            all += file.size();
        return all;
    }
    QByteArray content() const
    {
        QFile file(path());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(missing)");
    }
    // "Sheet!A2" -> type and value, and whether it stays text when it is edited; read by an independent reader
    QMap<QString, QStringList> cells() const
    {
        QProcess reader;
        reader.start(u"python3"_s, {QStringLiteral(READ_WORKBOOK), path()});
        QMap<QString, QStringList> all;
        if (!reader.waitForFinished(60000) || reader.exitCode() != 0) {
            qWarning() << reader.readAllStandardError();
            return all;
        }
        for (const QByteArray &line : reader.readAllStandardOutput().split('\n')) {
            const QJsonArray cell = QJsonDocument::fromJson(line).array();
            if (cell.size() != 6)
                continue;
            QStringList &found = all[cell[0].toString() + u'!' + cell[2].toString() + QString::number(cell[1].toInt())];
            found = {cell[3].toString(), cell[4].toString()};
            if (cell[5].toString() == "@"_L1)
                found << u"stays text"_s;
        }
        return all;
    }
    Result<Summary> write(Format format, std::vector<Row> rows)
    {
        return exportRows({path(), format, columns(), u"fleet"_s}, rowsOf(std::move(rows)));
    }

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    // Row by row gives the same bytes as the whole table at once.
    void sameAsTheWholeTable_data()
    {
        QTest::addColumn<Format>("format");
        for (const Format f : {Format::Table, Format::Json, Format::Ndjson, Format::Csv, Format::Tsv, Format::Md}) {
            QTest::addRow("%s", code(f).data()) << f;
        }
    }

    void sameAsTheWholeTable()
    {
        QFETCH(Format, format);
        for (const int rows : {0, 1, 2500}) {
            std::vector<Row> all;
            for (int i = 0; i < rows; ++i)
                all.push_back(i % 2 ? unknowns() : row("=acme|\n" + std::to_string(i), -i));
            const auto written = write(format, all);
            QVERIFY(written.has_value());
            QCOMPARE(written->rows, std::uint64_t(rows));
            QCOMPARE(content(), QByteArray::fromStdString(tables::format({columns(), all}, format)));
        }
        QCOMPARE(files(), QStringList(u"out"_s));
    }

    // What has been read is on its way to the disk: it does not pile up in memory.
    void streams_data()
    {
        QTest::addColumn<Format>("format");
        QTest::newRow("csv") << Format::Csv;
        QTest::newRow("json") << Format::Json;
    }

    void streams()
    {
        QFETCH(Format, format);
        qint64 atHalf = 0;
        const auto written = exportRows({path(), format, columns()}, batches(100, 100, [&](int n) {
                                            if (n == 50)
                                                atHalf = bytesBeside();
                                        }));
        QVERIFY(written.has_value());
        QVERIFY2(atHalf > content().size() / 3, qPrintable(QString::number(atHalf)));
    }

    void failuresLeaveNothing_data()
    {
        QTest::addColumn<Format>("format");
        for (const Format f : {Format::Table, Format::Json, Format::Csv, Format::Md, Format::Xlsx})
            QTest::addRow("%s", code(f).data()) << f;
    }

    void failuresLeaveNothing()
    {
        QFETCH(Format, format);
        QFile old(path());
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
        old.close();
        const Order order{path(), format, columns()};
        // the source
        Error broken{ErrorKind::Io};
        broken.message = "the archive cannot be read";
        int calls = 0;
        const auto failed = exportRows(order, [&]() -> Result<std::vector<Row>> {
            if (++calls > 3)
                return tl::unexpected(broken);
            return std::vector<Row>(100, row("a", 1));
        });
        QVERIFY(!failed && failed.error() == broken);
        QCOMPARE(content(), QByteArray("old"));
        QCOMPARE(files(), QStringList(u"out"_s));
        // the user
        const auto cancelled = exportRows(order, batches(100, 10), [](std::uint64_t rows) { return rows < 500; });
        QVERIFY(cancelled && cancelled->cancelled);
        QCOMPARE(content(), QByteArray("old"));
        QCOMPARE(files(), QStringList(u"out"_s));
        // the disk
        {
            const FullDisk full(20000);
            const auto stopped = exportRows(order, batches(100, 100));
            QVERIFY(!stopped);
            QVERIFY(stopped.error().kind == ErrorKind::Io);
            QVERIFY(stopped.error().where == path().toStdString());
            QVERIFY(!stopped.error().message.empty());
        }
        QCOMPARE(content(), QByteArray("old"));
        QCOMPARE(files(), QStringList(u"out"_s));
    }

    void nowhereToWrite()
    {
        for (const Format f : {Format::Csv, Format::Xlsx}) {
            const auto written = exportRows({u"/nonexistent-folder/a"_s, f, columns()}, batches(1, 1));
            QVERIFY(!written && written.error().kind == ErrorKind::Io);
        }
    }

    void workbookCells()
    {
        const std::int64_t big = (std::int64_t(1) << 53) + 1;
        const auto written = write(Format::Xlsx,
                                   {row("=1+1", -7), unknowns(), row("-2", big), row("@SUM(A1)", 0), row("http://x", 1), row("", 2),
                                    row("_x0041_\x01\xff\r\n\t", 3)});
        QVERIFY(written.has_value());
        QCOMPARE(written->sheets, 1);
        const auto at = cells();
        const auto is = [&](const char *cell, const char *type, const char *value, bool staysText = false) {
            QStringList expected{QString::fromUtf8(type), QString::fromUtf8(value)};
            if (staysText)
                expected << u"stays text"_s;
            const QStringList found = at.value(u"fleet!"_s + QString::fromUtf8(cell));
            if (found != expected)
                qWarning() << cell << found << expected;
            return found == expected;
        };
        QVERIFY(is("A1", "inlineStr", "name"));
        QVERIFY(is("A2", "inlineStr", "=1+1", true)); // text, not a formula
        QVERIFY(is("B2", "n", "-7"));
        QVERIFY(is("C2", "inlineStr", "4096")); // an LSN
        QVERIFY(is("D2", "n", "-1.25"));
        QVERIFY(is("E2", "b", "1"));
        QCOMPARE(at.value(u"fleet!F2"_s).at(1).left(12), u"47880.250131"_s); // 2031-02-01 06:00:11 UTC
        for (const char *empty : {"B3", "C3", "D3", "E3", "F3"})
            QVERIFY(!at.contains(u"fleet!"_s + QString::fromUtf8(empty)));
        QVERIFY(is("A4", "inlineStr", "-2"));
        QVERIFY(is("B4", "inlineStr", "9007199254740993")); // would lose its last digit as a number
        QVERIFY(is("A5", "inlineStr", "@SUM(A1)", true));
        QVERIFY(is("A6", "inlineStr", "http://x"));
        QVERIFY(!at.contains(u"fleet!A7"_s));
        QVERIFY(is("A8", "inlineStr", "_x005F_x0041_\\x01\xef\xbf\xbd\\x0d\n\t"));
    }

    void workbookOfManySheets()
    {
        Order order{path(), Format::Xlsx, columns(), u"events: a/b"_s, 1000};
        const auto written = exportRows(order, batches(25, 100));
        QVERIFY(written.has_value());
        QCOMPARE(written->sheets, 3);
        QCOMPARE(written->rows, std::uint64_t(2500));
        const auto at = cells();
        QCOMPARE(at.value(u"events- a-b!A1"_s), QStringList({u"inlineStr"_s, u"name"_s}));
        QCOMPARE(at.value(u"events- a-b!A1001"_s), QStringList({u"inlineStr"_s, u"acme-10"_s}));
        QVERIFY(!at.contains(u"events- a-b!A1002"_s));
        QCOMPARE(at.value(u"events- a-b 2!A1"_s), QStringList({u"inlineStr"_s, u"name"_s}));
        QCOMPARE(at.value(u"events- a-b 2!A2"_s), QStringList({u"inlineStr"_s, u"acme-11"_s}));
        QCOMPARE(at.value(u"events- a-b 3!A501"_s), QStringList({u"inlineStr"_s, u"acme-25"_s}));
    }

    void emptyWorkbook()
    {
        QVERIFY(write(Format::Xlsx, {}).has_value());
        QCOMPARE(cells().value(u"fleet!F1"_s), QStringList({u"inlineStr"_s, u"at"_s}));
    }

    void longTexts()
    {
        const std::string fits(32767, 'x');
        std::string tooLong;
        for (int i = 0; i < 20000; ++i)
            tooLong += "\xf0\x9f\x90\x98"; // two units each
        const auto written = write(Format::Xlsx, {row(fits, 1), row(tooLong, 2)});
        QVERIFY(written.has_value());
        QCOMPARE(written->cutTexts, std::uint64_t(1));
        const auto at = cells();
        QCOMPARE(at.value(u"fleet!A2"_s).at(1).size(), 32767);
        const QString cut = at.value(u"fleet!A3"_s).at(1);
        QVERIFY(cut.size() <= 32767);
        QVERIFY(cut.endsWith(u"\u2026 [cut: 80000 bytes]"_s));
        QVERIFY(cut.startsWith(QString::fromUtf8("\xf0\x9f\x90\x98")));
    }

    void datesOfOtherTimes()
    {
        QVERIFY(!workbookDate(*parseInstant("1899-12-31T00:00:00Z")));
        QCOMPARE(*workbookDate(*parseInstant("1970-01-01T12:00:00Z")), 25569.5);
        QVERIFY(workbookDate(*parseInstant("9999-12-31T23:59:59Z")).has_value());
    }

    void jobTells()
    {
        ExportJob job({path(), Format::Csv, columns()}, batches(3, 10));
        std::optional<Result<Summary>> result;
        connect(&job, &ExportJob::finished, this, [&](const Result<Summary> &r) { result = r; });
        job.start();
        QTRY_VERIFY(result.has_value());
        QVERIFY(result->has_value());
        QCOMPARE((*result)->rows, std::uint64_t(30));
        QCOMPARE(content().count('\n'), 31);
    }

    void jobIsCancelled()
    {
        std::atomic<int> calls = 0;
        ExportJob job({path(), Format::Csv, columns()}, [&]() -> Result<std::vector<Row>> {
            ++calls;
            return std::vector<Row>(10, row("a", 1)); // without end
        });
        std::optional<Result<Summary>> result;
        connect(&job, &ExportJob::finished, this, [&](const Result<Summary> &r) { result = r; });
        QSignalSpy progress(&job, &ExportJob::progress);
        job.start();
        QTRY_VERIFY(progress.size() > 1); // it goes on and says so
        job.cancel();
        QTRY_VERIFY(result.has_value());
        QVERIFY((*result)->cancelled);
        QVERIFY(files().isEmpty());
    }

    // Who deletes a job that runs waits for it, and nothing stays.
    void jobIsDeleted()
    {
        auto job = std::make_unique<ExportJob>(Order{path(), Format::Xlsx, columns()},
                                               []() -> Result<std::vector<Row>> { return std::vector<Row>(10, row("a", 1)); });
        QSignalSpy progress(job.get(), &ExportJob::progress);
        job->start();
        QTRY_VERIFY(!progress.isEmpty());
        job.reset();
        QVERIFY(files().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestExportRows)
#include "tst_export_rows.moc"
