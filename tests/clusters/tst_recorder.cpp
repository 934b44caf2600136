// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/recorder.h"
#include "app/clusters/recording_file.h"
#include "models/store/recording.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace std::chrono_literals;

namespace {

Observation seen(int second)
{
    KubeObject object;
    object.resource = Resource::Endpoints;
    object.name = "acme";
    object.ns = "db";
    object.resourceVersion = std::to_string(100 + second);
    object.annotations["renewTime"] = "2031-02-01T06:00:" + std::to_string(10 + second % 50) + "+00:00";
    Observation o{"ctx", Resource::Endpoints, "db", Boot(std::chrono::seconds(second)), *parseInstant("2031-02-01T06:00:00Z"), {}};
    o.what = Changed{EventType::Modified, object};
    return o;
}

int linesOf(const QString &path)
{
    const auto bytes = readRecordingFile(path);
    return bytes ? static_cast<int>(bytes->count('\n')) : -1;
}

} // namespace

class TestRecorder : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_folder.isValid()); }

    void writesWhatCanBeReadAgain()
    {
        const QString path = m_folder.filePath(QStringLiteral("a.ndjson.gz"));
        Recorder recorder;
        QVERIFY(recorder.start(path, {}, Recorder::Existing::Refuse));
        QVERIFY(recorder.recording());
        for (int i = 0; i < 100; ++i)
            recorder.add(seen(i));
        recorder.stop();
        QVERIFY(!recorder.recording());
        QCOMPARE(recorder.lines(), 100);
        QCOMPARE(recorder.size(), QFileInfo(path).size());
        const auto bytes = readRecordingFile(path);
        QVERIFY(bytes && bytes->size() > recorder.size() * 3); // packed
        const auto read = decodeRecording({bytes->constData(), static_cast<std::size_t>(bytes->size())}, "x", "file");
        QVERIFY(read);
        QCOMPARE(read->size(), std::size_t(100));
        QCOMPARE(read->back().seen, Boot(99s));
        QCOMPARE(QFile::permissions(path) & (QFileDevice::ReadGroup | QFileDevice::ReadOther), QFileDevice::Permissions());
    }

    void whatWasFlushedSurvivesACrash()
    {
        const QString path = m_folder.filePath(QStringLiteral("b.ndjson.gz")), cut = path + u'x';
        Recorder recorder;
        QVERIFY(recorder.start(path, {}, Recorder::Existing::Refuse));
        for (int i = 0; i < 50; ++i)
            recorder.add(seen(i));
        recorder.flush();
        for (int i = 50; i < 60; ++i)
            recorder.add(seen(i));
        QVERIFY(QFile::copy(path, cut)); // as the disk has it when the power goes
        QCOMPARE(linesOf(cut), 50);
        recorder.flush();
        QVERIFY(QFile::remove(cut) && QFile::copy(path, cut));
        QCOMPARE(linesOf(cut), 60);
        QFile half(cut);
        QVERIFY(half.resize(half.size() - 20));
        const int left = linesOf(cut);
        QVERIFY(left >= 50 && left < 60);
        bool cutShort = false;
        QVERIFY(readRecordingFile(cut, &cutShort) && cutShort);
        recorder.stop();
        QVERIFY(readRecordingFile(path, &cutShort) && !cutShort);
    }

    void everySecondAllIsOnDisk()
    {
        const QString path = m_folder.filePath(QStringLiteral("c.ndjson.gz"));
        Recorder recorder;
        QVERIFY(recorder.start(path, {}, Recorder::Existing::Refuse));
        recorder.add(seen(1));
        QTRY_COMPARE(linesOf(path), 1);
    }

    void whatIsThereIsNotReplacedUnasked()
    {
        const QString path = m_folder.filePath(QStringLiteral("d.ndjson.gz"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        Recorder recorder;
        QVERIFY(!recorder.start(path, {}, Recorder::Existing::Refuse));
        QVERIFY(!recorder.recording());
        QCOMPARE(QFileInfo(path).size(), 4);
        QVERIFY(recorder.start(path, {}, Recorder::Existing::Replace));
        QCOMPARE(QFileInfo(path).size(), 0);
        const auto nowhere = recorder.start(m_folder.filePath(QStringLiteral("no/such/folder")), {}, Recorder::Existing::Replace);
        QVERIFY(!nowhere && !nowhere.error().message.empty());
    }

    void aFullDiskIsSaid()
    {
        if (!QFile::exists(QStringLiteral("/dev/full")))
            QSKIP("no /dev/full here");
        Recorder recorder;
        QSignalSpy failed(&recorder, &Recorder::failed);
        QVERIFY(recorder.start(QStringLiteral("/dev/full"), {}, Recorder::Existing::Replace));
        recorder.add(seen(1));
        recorder.flush();
        QCOMPARE(failed.size(), 1);
        QVERIFY(failed.front().front().toString().contains(QStringLiteral("space")));
        QVERIFY(!recorder.recording());
        recorder.add(seen(2)); // harmless
        recorder.stop();
        QCOMPARE(failed.size(), 1);
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestRecorder)
#include "tst_recorder.moc"
