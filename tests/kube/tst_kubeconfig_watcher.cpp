// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig_watcher.h"
#include "tests/support/patience.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using namespace switchyard;
using namespace switchyard::kube;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

void write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

void replace(const QString &path, const QByteArray &text) // as editors and kubectl do
{
    write(path + u".new"_s, text);
    QCOMPARE(std::rename(QFile::encodeName(path + u".new"_s).constData(), QFile::encodeName(path).constData()), 0);
}

void swapLink(const QString &target, const QString &link) // as the kubelet does with ..data
{
    QVERIFY(QFile::link(target, link + u".new"_s));
    QCOMPARE(std::rename(QFile::encodeName(link + u".new"_s).constData(), QFile::encodeName(link).constData()), 0);
}

using Act = void (*)(const QString &folder);

} // namespace

Q_DECLARE_METATYPE(Act)

class TestKubeconfigWatcher : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void tellsOfEach_data();
    void tellsOfEach();
    void tellsTwice_data();
    void tellsTwice();
    void fileThatIsHeldOpen();
    void appearsLater();
    void burstIsOneChange();
    void othersInTheFolderAreNoChange();
    void polls();
    void filesOfAKubeconfig();
    void betweenReadingAndWatching();

private:
    QString at(const QString &name) const { return m_folder->filePath(name); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

// A kubeconfig, a link to one in another folder, and a mounted secret: token -> ..data/token, ..data -> ..1.
void TestKubeconfigWatcher::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    for (const QString &folder : {u"dotfiles"_s, u"secret/..1"_s, u"secret/..2"_s})
        QVERIFY(QDir().mkpath(at(folder)));
    write(at(u"config"_s), "first");
    write(at(u"dotfiles/config"_s), "first");
    QVERIFY(QFile::link(at(u"dotfiles/config"_s), at(u"linked"_s)));
    write(at(u"secret/..1/token"_s), "same size 1");
    write(at(u"secret/..2/token"_s), "same size 2");
    QVERIFY(QFile::link(u"..1"_s, at(u"secret/..data"_s)));
    QVERIFY(QFile::link(u"..data/token"_s, at(u"secret/token"_s)));
}

void TestKubeconfigWatcher::tellsOfEach_data()
{
    QTest::addColumn<QString>("watched");
    QTest::addColumn<Act>("act");
    const auto row = [](const char *name, const QString &watched, Act act) { QTest::newRow(name) << watched << act; };
    row("written in place", u"config"_s, [](const QString &f) { write(f + u"/config"_s, "second"); });
    row("same size", u"config"_s, [](const QString &f) { write(f + u"/config"_s, "FIRST"); });
    row("replaced", u"config"_s, [](const QString &f) { replace(f + u"/config"_s, "second"); });
    row("deleted", u"config"_s, [](const QString &f) { QVERIFY(QFile::remove(f + u"/config"_s)); });
    row("link's target written", u"linked"_s, [](const QString &f) { write(f + u"/dotfiles/config"_s, "second"); });
    row("link's target replaced", u"linked"_s, [](const QString &f) { replace(f + u"/dotfiles/config"_s, "second"); });
    row("link turned", u"linked"_s, [](const QString &f) { swapLink(f + u"/config"_s, f + u"/linked"_s); });
    row("mounted secret", u"secret/token"_s, [](const QString &f) { swapLink(u"..2"_s, f + u"/secret/..data"_s); });
    row("folder deleted", u"secret/token"_s, [](const QString &f) { QVERIFY(QDir(f + u"/secret"_s).removeRecursively()); });
}

void TestKubeconfigWatcher::tellsOfEach()
{
    QFETCH(QString, watched);
    QFETCH(Act, act);
    KubeconfigWatcher watcher({.settle = 20ms, .poll = 1h});
    QSignalSpy changed(&watcher, &KubeconfigWatcher::changed);
    watcher.watchFiles({at(watched)});
    act(m_folder->path());
    QTRY_COMPARE(changed.count(), 1);
}

// The watch goes on after each of these.
void TestKubeconfigWatcher::tellsTwice_data()
{
    QTest::addColumn<QString>("watched");
    QTest::addColumn<Act>("first");
    QTest::addColumn<Act>("second");
    const auto row = [](const char *name, const QString &watched, Act a, Act b) { QTest::newRow(name) << watched << a << b; };
    row(
        "replaced twice", u"config"_s, [](const QString &f) { replace(f + u"/config"_s, "second"); },
        [](const QString &f) { replace(f + u"/config"_s, "third"); });
    row(
        "replaced, written", u"config"_s, [](const QString &f) { replace(f + u"/config"_s, "second"); },
        [](const QString &f) { write(f + u"/config"_s, "third"); });
    row(
        "deleted, made anew", u"config"_s, [](const QString &f) { QVERIFY(QFile::remove(f + u"/config"_s)); },
        [](const QString &f) { write(f + u"/config"_s, "third"); });
    row(
        "secret swapped to and fro", u"secret/token"_s, [](const QString &f) { swapLink(u"..2"_s, f + u"/secret/..data"_s); },
        [](const QString &f) { swapLink(u"..1"_s, f + u"/secret/..data"_s); });
    row(
        "link turned, new target written", u"linked"_s, [](const QString &f) { swapLink(f + u"/config"_s, f + u"/linked"_s); },
        [](const QString &f) { write(f + u"/config"_s, "third"); });
    row(
        "folder deleted, made anew", u"secret/token"_s, [](const QString &f) { QVERIFY(QDir(f + u"/secret"_s).removeRecursively()); },
        [](const QString &f) {
            QVERIFY(QDir().mkpath(f + u"/secret"_s));
            write(f + u"/secret/token"_s, "new");
        });
}

void TestKubeconfigWatcher::tellsTwice()
{
    QFETCH(QString, watched);
    QFETCH(Act, first);
    QFETCH(Act, second);
    KubeconfigWatcher watcher({.settle = 20ms, .poll = 1h});
    QSignalSpy changed(&watcher, &KubeconfigWatcher::changed);
    watcher.watchFiles({at(watched)});
    first(m_folder->path());
    QTRY_COMPARE(changed.count(), 1);
    second(m_folder->path());
    QTRY_COMPARE(changed.count(), 2);
}

// The system's notice then stays with the old file, which nobody sees any more.
void TestKubeconfigWatcher::fileThatIsHeldOpen()
{
    KubeconfigWatcher watcher({.settle = 20ms, .poll = 1h});
    QSignalSpy changed(&watcher, &KubeconfigWatcher::changed);
    watcher.watchFiles({at(u"config"_s)});
    QFile holder(at(u"config"_s));
    QVERIFY(holder.open(QIODevice::ReadOnly));
    replace(at(u"config"_s), "second");
    QTRY_COMPARE(changed.count(), 1);
    write(at(u"config"_s), "third, in place");
    QTRY_COMPARE(changed.count(), 2);
}

void TestKubeconfigWatcher::appearsLater()
{
    KubeconfigWatcher watcher({.settle = 20ms, .poll = 1h});
    QSignalSpy changed(&watcher, &KubeconfigWatcher::changed);
    watcher.watchFiles({at(u".kube/deeper/config"_s)});
    QVERIFY(QDir().mkpath(at(u".kube/deeper"_s)));
    write(at(u".kube/deeper/config"_s), "new");
    QTRY_COMPARE(changed.count(), 1);
}

void TestKubeconfigWatcher::burstIsOneChange()
{
    KubeconfigWatcher watcher({.settle = 2s, .poll = 1h});
    QSignalSpy changed(&watcher, &KubeconfigWatcher::changed);
    watcher.watchFiles({at(u"config"_s), at(u"linked"_s)});
    for (int i = 0; i < 20; ++i) {
        replace(at(u"config"_s), QByteArray::number(i));
        QCoreApplication::processEvents();
    }
    write(at(u"dotfiles/config"_s), "second");
    QTRY_COMPARE(changed.count(), 1);
    watcher.check(); // nothing is left to be told
    QCOMPARE(changed.count(), 1);
}

void TestKubeconfigWatcher::othersInTheFolderAreNoChange()
{
    KubeconfigWatcher watcher({.settle = 1ms, .poll = 1h});
    QSignalSpy changed(&watcher, &KubeconfigWatcher::changed);
    watcher.watchFiles({at(u"config"_s)});
    write(at(u"config.lock"_s), "x");
    watcher.check();
    QCOMPARE(changed.count(), 0);
    write(at(u"config"_s), "second");
    QTRY_COMPARE(changed.count(), 1);
}

void TestKubeconfigWatcher::polls()
{
    KubeconfigWatcher watcher({.settle = 1ms, .poll = 20ms, .notices = false});
    QSignalSpy changed(&watcher, &KubeconfigWatcher::changed);
    watcher.watchFiles({at(u"config"_s)});
    replace(at(u"config"_s), "FIRST"); // same size: another file
    QTRY_COMPARE(changed.count(), 1);
}

void TestKubeconfigWatcher::filesOfAKubeconfig()
{
    Kubeconfig config;
    config.files = {at(u"config"_s), at(u"missing"_s)};
    config.contexts.resize(3);
    config.contexts[0].caFile = at(u"ca"_s);
    config.contexts[0].credential.tokenFile = at(u"token"_s);
    config.contexts[1].credential.certificateFile = at(u"crt"_s);
    config.contexts[1].credential.keyFile = at(u"key"_s);
    KubeconfigWatcher watcher;
    watcher.watch(config);
    QCOMPARE(watcher.files(), (QStringList{at(u"ca"_s), at(u"config"_s), at(u"crt"_s), at(u"key"_s), at(u"missing"_s), at(u"token"_s)}));
}

// A reader looks before it reads: what changes after that is told, though the watch is set up later only.
void TestKubeconfigWatcher::betweenReadingAndWatching()
{
    KubeconfigWatcher watcher({.settle = 20ms, .poll = 1h});
    QSignalSpy changed(&watcher, &KubeconfigWatcher::changed);
    watcher.alsoWatch({at(u"config"_s)});
    write(at(u"config"_s), "second");
    Kubeconfig config;
    config.files = QStringList{at(u"config"_s)};
    config.contexts.resize(1);
    config.contexts.front().credential.tokenFile = at(u"secret/token"_s);
    QVERIFY(watcher.watch(config)); // the token may have changed since it was read
    QTRY_COMPARE(changed.count(), 1);
    QVERIFY(!watcher.watch(config));
    replace(at(u"config"_s), "third");
    QVERIFY(!watcher.watch(config));
    QTRY_COMPARE(changed.count(), 2);
}

QTEST_GUILESS_MAIN(TestKubeconfigWatcher)
#include "tst_kubeconfig_watcher.moc"
