// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/audit.h"
#include "tests/actions/planning.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace switchyard;
using namespace switchyard::actions;

namespace {

PlannedWrite planned()
{
    return planSwitchover(made::plannable(), rules::switchoverWish("acme-1", "acme-2")).value();
}

// Quotes as ' to keep the lines readable.
QByteArray quoted(const char *text)
{
    return QByteArray(text).replace('\'', '"');
}

const Instant at = made::instant("2031-02-03T01:30:00.000042+00:00");

QList<QJsonObject> linesOf(const QString &path)
{
    QFile file(path);
    QList<QJsonObject> lines;
    if (!file.open(QIODevice::ReadOnly))
        return lines;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (!line.isEmpty())
            lines.append(QJsonDocument::fromJson(line).object());
    }
    return lines;
}

mode_t modeOf(const QString &path)
{
    struct stat info
    {};
    ::stat(QFile::encodeName(path).constData(), &info);
    return info.st_mode & 0777;
}

} // namespace

class TestAudit : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

private Q_SLOTS:
    void exactLines()
    {
        QCOMPARE(
            intentLine(QStringLiteral("id-1"), QStringLiteral("ann"), at, planned()),
            quoted(
                "{'action':'switchover','as_groups':[],'as_user':null,'based_on_version':null,'body':'{\\'apiVersion\\':\\'v1\\',\\'kind\\'"
                ":\\'Endpoints\\',\\'"
                "metadata\\':{\\'annotations\\':"
                "{\\'leader\\':\\'acme-1\\',\\'member\\':\\'acme-2\\'},\\'labels\\':{\\'application\\':\\'patroni\\',\\'cluster-name\\':\\'"
                "acme\\'},"
                "\\'name\\':\\'acme-failover\\',\\'namespace\\':\\'payments\\'}}','context':'prod-eu','dry_run':null,'event':'intent','"
                "group':null,"
                "'id':'id-1','member':null,'name':'acme-failover','namespace':'payments','os_user':'ann','path':null,'preflight':null,'"
                "resource':'endpoints','scope':'acme',"
                "'server':null,'summary':'switchover context=prod-eu cluster=payments/acme leader=acme-1 member=acme-2 based_on=(new)',"
                "'time':'2031-02-03T01:30:00.000042Z','user':null,'verb':'create'}"
                "\n"));
        QCOMPARE(answerLine(QStringLiteral("id-1"), at, {"done", 201, "90501", ""}),
                 quoted("{'detail':'','event':'answer','http_status':201,'id':'id-1','result':'done',"
                        "'time':'2031-02-03T01:30:00.000042Z','version_after':'90501'}"
                        "\n"));
        QCOMPARE(answerLine(QStringLiteral("id-1"), at, {"outcome-unknown", 0, {}, "no answer"}),
                 quoted("{'detail':'no answer','event':'answer','http_status':null,'id':'id-1','result':'outcome-unknown',"
                        "'time':'2031-02-03T01:30:00.000042Z','version_after':null}"
                        "\n"));
    }

    void outcomeComesLater()
    {
        QCOMPARE(outcomeLine(QStringLiteral("id-1"), at, {"refused", "not healthy: postgres://u:secret@10.0.0.1/x"}),
                 quoted("{'detail':'not healthy: postgres://***@10.0.0.1/x','event':'outcome','id':'id-1','outcome':'refused',"
                        "'time':'2031-02-03T01:30:00.000042Z'}"
                        "\n"));
    }

    void callOfAMember()
    {
        PlannedWrite write;
        write.action = rules::ActionKind::Restart;
        write.member = "acme-2";
        write.write = {kube::WriteVerb::ProxyPost, {}, "{}"};
        write.write.path.resource = Resource::Pods;
        write.write.path.name = QStringLiteral("acme-2");
        write.write.path.proxy = kube::PodProxy{false, 8008, QStringLiteral("/restart")};
        write.preflight = "fit";
        write.dryRun = "refused: postgres://u:secret@h";
        const QJsonObject line = QJsonDocument::fromJson(intentLine(QStringLiteral("id-1"), QStringLiteral("ann"), at, write)).object();
        QCOMPARE(line.value(u"action").toString(), QStringLiteral("restart"));
        QCOMPARE(line.value(u"verb").toString(), QStringLiteral("create"));
        QCOMPARE(line.value(u"resource").toString(), QStringLiteral("pods/proxy"));
        QCOMPARE(line.value(u"path").toString(), QStringLiteral("/restart"));
        QCOMPARE(line.value(u"member").toString(), QStringLiteral("acme-2"));
        QCOMPARE(line.value(u"preflight").toString(), QStringLiteral("fit"));
        QVERIFY(!line.value(u"dry_run").toString().contains(QStringLiteral("secret")));
    }

    void saysAsWhomAndWhere()
    {
        PlannedWrite write = planned();
        write.sender = Sender{"https://api.example:6443", "dba", "root", {"system:masters"}};
        const QJsonObject line = QJsonDocument::fromJson(intentLine(QStringLiteral("id-1"), QStringLiteral("ann"), at, write)).object();
        QCOMPARE(line.value(u"server").toString(), QStringLiteral("https://api.example:6443"));
        QCOMPARE(line.value(u"user").toString(), QStringLiteral("dba"));
        QCOMPARE(line.value(u"as_user").toString(), QStringLiteral("root"));
        QCOMPARE(line.value(u"as_groups").toArray().first().toString(), QStringLiteral("system:masters"));
    }

    void appendsOnlyAndStaysPrivate()
    {
        const QString path = m_dir.filePath(QStringLiteral("new/folder/audit.ndjson"));
        const AuditLog log(path);
        const auto id = log.writeIntent(at, planned());
        QVERIFY(id.has_value());
        QVERIFY(log.writeAnswer(*id, at, {"done", 201, "1", ""}).has_value());
        const auto second = AuditLog(path).writeIntent(at, planned());
        QVERIFY(second.has_value());
        QVERIFY(*id != *second);
        const auto lines = linesOf(path);
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[0].value(QStringLiteral("id")), lines[1].value(QStringLiteral("id")));
        QCOMPARE(lines[0].value(QStringLiteral("body")).toString().toUtf8(), planned().write.body);
        QCOMPARE(modeOf(path), mode_t(0600));
    }

    void tightensPermissionsOfAnOldFile()
    {
        const QString path = m_dir.filePath(QStringLiteral("open.ndjson"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"event\":\"old\"}\n");
        file.close();
        ::chmod(QFile::encodeName(path).constData(), 0644);
        QVERIFY(AuditLog(path).writeIntent(at, planned()).has_value());
        QCOMPARE(modeOf(path), mode_t(0600));
        QCOMPARE(linesOf(path).size(), 2);
    }

    void startsANewLineAfterACutOne()
    {
        const QString path = m_dir.filePath(QStringLiteral("cut.ndjson"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"event\":\"inte");
        file.close();
        QVERIFY(AuditLog(path).writeIntent(at, planned()).has_value());
        const auto lines = linesOf(path);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[1].value(QStringLiteral("event")).toString(), QStringLiteral("intent"));
    }

    void failures_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("empty path") << QString();
        QTest::newRow("a folder") << m_dir.path();
        QTest::newRow("below a file") << QStringLiteral("/dev/null/audit.ndjson");
        QTest::newRow("a device") << QStringLiteral("/dev/null");
    }

    void failures()
    {
        QFETCH(QString, path);
        const auto id = AuditLog(path).writeIntent(at, planned());
        QVERIFY(!id.has_value());
        QVERIFY(id.error().kind == ErrorKind::Io);
        QCOMPARE(id.error().where, path.toStdString());
    }

    // A full disk, as the size limit of a file: the write comes back short.
    void fullDisk()
    {
        const QString path = m_dir.filePath(QStringLiteral("full.ndjson"));
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        rlimit small = before;
        small.rlim_cur = 100;
        ::setrlimit(RLIMIT_FSIZE, &small);
        const auto id = AuditLog(path).writeIntent(at, planned());
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!id.has_value());
        QVERIFY(AuditLog(path).writeIntent(at, planned()).has_value());
        QCOMPARE(linesOf(path).back().value(QStringLiteral("event")).toString(), QStringLiteral("intent"));
    }
};

QTEST_GUILESS_MAIN(TestAudit)
#include "tst_audit.moc"
