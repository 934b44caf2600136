// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/audit.h"
#include "app/actions/audit_reader.h"
#include "tests/actions/planning.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::actions;

namespace {

const Instant at = made::instant("2031-02-03T01:30:00.000042+00:00");
const Instant later = made::instant("2031-02-03T01:31:00+00:00");

PlannedWrite planned()
{
    auto c = made::plannable();
    made::addFailover(c, {});
    return planSwitchover(c, rules::switchoverWish("acme-1", "acme-2")).value();
}

QByteArray id(int i)
{
    return "id-" + QByteArray::number(i);
}

QByteArray intent(int i)
{
    return intentLine(QString::fromLatin1(id(i)), QStringLiteral("ann"), at, planned());
}

QByteArray answer(int i, const char *result = "done")
{
    return answerLine(QString::fromLatin1(id(i)), later, {result, 200, "90389", "as wanted"});
}

QByteArray outcome(int i, const char *what)
{
    return outcomeLine(QString::fromLatin1(id(i)), later, {what, "seen"});
}

} // namespace

class TestAuditReader : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

    AuditPage read(const QByteArray &bytes, std::size_t most = 1000)
    {
        const QString path = m_dir.filePath(QStringLiteral("audit.ndjson"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            return {};
        file.close();
        const auto page = readAudit(path, most);
        if (!page)
            QTest::qFail("not read", __FILE__, __LINE__);
        return page.value_or(AuditPage());
    }

    static QByteArray ids(const AuditPage &page)
    {
        QByteArray all;
        for (const AuditEntry &entry : page.entries)
            all += (all.isEmpty() ? "" : " ") + QByteArray::fromStdString(entry.id);
        return all;
    }

private Q_SLOTS:
    void everyField()
    {
        PlannedWrite write = planned();
        write.sender = Sender{"https://api.example:6443", "dba", "root", {}};
        write.preflight = "fit; acme-2 fit";
        write.dryRun = "accepted";
        const AuditPage page = read(intentLine(QStringLiteral("id-1"), QStringLiteral("ann"), at, write) + answer(1) + outcome(1, "done"));
        QCOMPARE(page.entries.size(), std::size_t(1));
        AuditEntry wanted;
        wanted.id = "id-1";
        wanted.at = at;
        wanted.hasIntent = true;
        wanted.osUser = "ann";
        wanted.context = "prod-eu";
        wanted.ns = "payments";
        wanted.scope = "acme";
        wanted.server = "https://api.example:6443";
        wanted.user = "dba";
        wanted.asUser = "root";
        wanted.action = "switchover";
        wanted.verb = "patch";
        wanted.resource = "endpoints";
        wanted.name = "acme-failover";
        wanted.versionBefore = "90388";
        wanted.summary = write.summary;
        wanted.preflight = "fit; acme-2 fit";
        wanted.dryRun = "accepted";
        wanted.body = write.write.body.toStdString();
        wanted.result = "done";
        wanted.answeredAt = later;
        wanted.httpStatus = 200;
        wanted.versionAfter = "90389";
        wanted.detail = "as wanted";
        wanted.outcome = "done";
        wanted.outcomeAt = later;
        wanted.outcomeDetail = "seen";
        QVERIFY(page.entries.front() == wanted);
        QVERIFY(!page.more);
        QCOMPARE(page.unreadable, 0);
    }

    void newestFirstAndJoined()
    {
        const AuditPage page = read(intent(1) + intent(2) + answer(2) + answer(1, "outcome-unknown") + intent(3) + outcome(1, "pending")
                                    + outcome(1, "refused"));
        QCOMPARE(ids(page), QByteArray("id-3 id-2 id-1"));
        QCOMPARE(page.entries[0].result, std::string());
        QCOMPARE(page.entries[2].result, std::string("outcome-unknown"));
        QCOMPARE(page.entries[2].outcome, std::string("refused")); // the last one counts
    }

    void noMoreThanAskedFor()
    {
        QByteArray file;
        for (int i = 0; i < 50; ++i)
            file += intent(i) + answer(i);
        const AuditPage page = read(file, 3);
        QCOMPARE(ids(page), QByteArray("id-49 id-48 id-47"));
        QVERIFY(page.more);
        QVERIFY(!read(file, 50).more);
        QCOMPARE(read(file, 50).entries.size(), std::size_t(50));
    }

    void badLines_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("cut") << intent(7).left(80) + '\n';
        QTest::newRow("foreign") << QByteArray("hello\n");
        QTest::newRow("another program's") << QByteArray("{\"event\":\"login\",\"id\":\"x\"}\n");
        QTest::newRow("no id") << QByteArray("{\"event\":\"intent\"}\n");
        QTest::newRow("an array") << QByteArray("[1,2]\n");
        QTest::newRow("null bytes") << QByteArray(5000, '\0') + '\n';
        QTest::newRow("longer than anything of ours") << QByteArray(6 * 1024 * 1024, 'x') + '\n';
    }

    void badLines()
    {
        QFETCH(QByteArray, line);
        const AuditPage page = read(intent(1) + line + answer(1) + intent(2));
        QCOMPARE(ids(page), QByteArray("id-2 id-1"));
        QCOMPARE(page.entries[1].result, std::string("done"));
        QCOMPARE(page.unreadable, 1);
    }

    void cutAtTheEnd()
    {
        const AuditPage page = read(intent(1) + answer(1).left(20));
        QCOMPARE(ids(page), QByteArray("id-1"));
        QCOMPARE(page.entries[0].result, std::string());
        QCOMPARE(page.unreadable, 1);
        QCOMPARE(ids(read(intent(1) + answer(1).chopped(1))), QByteArray("id-1")); // only its line end is missing
        QCOMPARE(read(intent(1) + answer(1).chopped(1)).entries[0].result, std::string("done"));
    }

    // Cut at every place around the borders of the pieces that are read.
    void borders()
    {
        const QByteArray tail = intent(1) + answer(1);
        for (int size = 65536 - int(tail.size()) - 3; size < 65536 - int(tail.size()) + 3; ++size) {
            const AuditPage page = read(intent(0) + QByteArray(size, 'x') + '\n' + tail);
            QCOMPARE(ids(page), QByteArray("id-1 id-0"));
            QCOMPARE(page.unreadable, 1);
        }
        QByteArray large;
        for (int i = 0; i < 400; ++i)
            large += intent(i) + answer(i) + outcome(i, "done");
        const AuditPage page = read(large);
        QCOMPARE(page.entries.size(), std::size_t(400));
        for (std::size_t i = 0; i < page.entries.size(); ++i) {
            QCOMPARE(page.entries[i].id, id(int(399 - i)).toStdString());
            QVERIFY(page.entries[i].hasIntent);
            QCOMPARE(page.entries[i].outcome, std::string("done"));
        }
    }

    void answerWithoutItsIntent()
    {
        const AuditPage page = read(answer(1) + intent(2)); // the file was rotated in between
        QCOMPARE(ids(page), QByteArray("id-2 id-1"));
        QVERIFY(!page.entries[1].hasIntent);
        QCOMPARE(ids(read(answer(1) + intent(2) + intent(3), 1)), QByteArray("id-3"));
    }

    void olderLines()
    {
        const AuditPage page = read(
            "{\"event\":\"intent\",\"id\":\"old\",\"time\":\"2031-02-03T01:30:00Z\",\"os_user\":\"ann\",\"verb\":\"patch\","
            "\"summary\":\"cancel context=prod\",\"group\":2}\n");
        QCOMPARE(page.entries[0].action, std::string("cancel"));
        QCOMPARE(page.entries[0].group, std::optional<int>(2));
    }

    void noFile()
    {
        const auto none = readAudit(m_dir.filePath(QStringLiteral("none")));
        QVERIFY(none && none->entries.empty() && !none->more);
        QVERIFY(read({}).entries.empty());
        const auto folder = readAudit(m_dir.path());
        QVERIFY(!folder);
        QCOMPARE(folder.error().where, m_dir.path().toStdString());
    }
};

QTEST_GUILESS_MAIN(TestAuditReader)
#include "tst_audit_reader.moc"
