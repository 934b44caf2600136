// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/settings.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard::desktop;
using namespace Qt::StringLiterals;

class TestSettings : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString file(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static QByteArray content(const QString &path)
    {
        QFile f(path);
        return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
    }

private Q_SLOTS:
    void roundTrip_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("namespaces");
        QTest::newRow("plain") << u"prod"_s << QStringList();
        QTest::newRow("one namespace") << u"prod"_s << QStringList{u"payments"_s};
        QTest::newRow("two namespaces") << u"prod"_s << QStringList{u"payments"_s, u"ledger"_s};
        QTest::newRow("all namespaces") << u"prod"_s << QStringList{QString()};
        QTest::newRow("odd name") << u"arn:aws:eks:eu-1:12/clus\\ter [x] %\u00e4"_s << QStringList{u"a"_s};
    }
    void roundTrip()
    {
        QFETCH(QString, name);
        QFETCH(QStringList, namespaces);
        const QString path = file(QTest::currentDataTag());
        const ContextChoice choice{u"Europe"_s, u"red"_s, true, true, namespaces, true, true};
        {
            Settings settings(path);
            settings.setContext(name, u"https://a:6443"_s, choice);
            settings.setGeometry("abc");
        }
        const Settings again(path);
        QCOMPARE(again.context(name, u"https://a:6443"_s), choice);
        QCOMPARE(again.geometry(), QByteArray("abc"));
        QCOMPARE(again.context(name, u"https://b:6443"_s), ContextChoice()); // another server: another context
        QCOMPARE(again.context(u"other"_s, u"https://a:6443"_s), ContextChoice());
    }

    void nothingChosenLeavesNoTrace()
    {
        const QString path = file("trace");
        Settings settings(path);
        settings.setContext(u"prod"_s, u"https://a"_s, {u"alias-x"_s, {}, false, false, {}, false, false});
        QVERIFY(content(path).contains("alias-x"));
        settings.setContext(u"prod"_s, u"https://a"_s, {});
        QVERIFY(!content(path).contains("alias-x"));
        QVERIFY(!content(path).contains("prod"));
    }

    void noSecrets()
    {
        const QString path = file("secret");
        Settings settings(path);
        const QString server = u"https://admin:hunter2@a.example.com:6443/?token=hunter2"_s;
        settings.setContext(u"prod"_s, server, {{}, {}, true, false, {}, false, false});
        QVERIFY(content(path).contains("a.example.com"));
        QVERIFY2(!content(path).contains("hunter2"), content(path).constData());
        QVERIFY(settings.context(u"prod"_s, server).favourite);
    }

    void withoutFileNothingIsKept()
    {
        Settings settings{QString()};
        settings.setContext(u"prod"_s, u"https://a"_s, {{}, {}, true, false, {}, false, false});
        settings.setGeometry("abc");
        QCOMPARE(settings.context(u"prod"_s, u"https://a"_s), ContextChoice());
        QVERIFY(settings.geometry().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestSettings)
#include "tst_settings.moc"
