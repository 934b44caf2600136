// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The audit page by clicks and keys.
#include "tests/support/made_clusters.h"
#include "tests/support/patience.h"
#include "tests/support/view_shots.h"
#include "views/pages/audit_page.h"
#include "views/widgets/audit_words.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/filter_box.h"
#include "views/widgets/sentence.h"
#include "views/widgets/shown_table.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::AuditModel;
using items::AuditRow;

namespace {

AuditRow row(const QString &id, Duration ago, const QString &action, const QString &result)
{
    AuditRow r;
    r.id = id;
    r.at = made::now(-ago).wall;
    r.osUser = u"dba"_s;
    r.kubeUser = u"admin@prod"_s;
    r.server = u"https://10.0.0.1:6443"_s;
    r.cluster = {"prod-eu", "payments", "acme", {}, "acme"};
    r.action = action;
    r.request = action + u" acme"_s;
    r.verb = u"patch"_s;
    r.object = u"endpoints acme-failover"_s;
    r.body = u"{\"metadata\":{\"annotations\":{\"leader\":\"acme-1\",\"member\":\"acme-2\",\"scheduled_at\":null}}}"_s;
    r.preflight = u"acme-2 fit"_s;
    r.versionBefore = u"90417"_s;
    r.result = result;
    if (!result.isEmpty())
        r.answeredAt = *r.at + 120ms;
    return r;
}

std::vector<AuditRow> rows()
{
    auto done = row(u"3"_s, 2min, u"switchover"_s, u"done"_s);
    done.versionAfter = u"90420"_s;
    done.httpStatus = 200;
    done.outcome = u"done"_s;
    done.asUser = u"oncall"_s;
    auto refused = row(u"2"_s, 1h, u"pause"_s, u"not-permitted"_s);
    refused.detail = u"endpoints \"acme-config\" is forbidden"_s;
    refused.httpStatus = 403;
    auto restart = row(u"0"_s, 30h, u"restart"_s, u"done"_s);
    restart.member = u"acme-2"_s;
    return {done, refused, row(u"1"_s, 2h, u"failover"_s, {}), restart};
}

struct Scene
{
    AuditPage page;

    explicit Scene(std::vector<AuditRow> all = rows(), const QString &problem = {})
    {
        page.setRows(std::move(all), u"/home/dba/audit.ndjson"_s, problem);
        page.resize(1100, 660);
        page.show();
        page.activateWindow();
        QCoreApplication::processEvents();
    }
    QString cell(int r, int column) const { return page.table()->model()->index(r, column).data().toString(); }
    QPushButton *button(const QString &text) const
    {
        for (QPushButton *b : page.findChildren<QPushButton *>())
            if (b->text().remove(u'&').startsWith(text))
                return b;
        return nullptr;
    }
};

} // namespace

class TestAuditPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void newestFirstInWords()
    {
        const Scene scene;
        QCOMPARE(scene.page.table()->model()->rowCount(), 4);
        QCOMPARE(scene.cell(0, AuditModel::Action), u"switchover"_s);
        QCOMPARE(scene.cell(0, AuditModel::Who), u"dba"_s);
        QCOMPARE(scene.cell(0, AuditModel::Account), u"admin@prod as oncall"_s);
        QCOMPARE(scene.cell(0, AuditModel::Result), u"written"_s);
        QCOMPARE(scene.cell(1, AuditModel::Result), u"not permitted"_s);
        QCOMPARE(scene.cell(3, AuditModel::Request), u"acme-2: restart acme"_s);
        const QString tip = scene.page.table()->model()->index(0, AuditModel::At).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(u"UTC"_s), qPrintable(tip));
        QVERIFY(scene.page.findChild<Sentence *>()->text().startsWith(u"4 writes. The last at "_s));
        QCOMPARE(made::namelessWidgets(const_cast<AuditPage &>(scene.page)), QStringList());
    }

    // An intent without an answer is neither done nor failed.
    void noAnswerIsUnknown()
    {
        const Scene scene;
        QVERIFY(scene.cell(2, AuditModel::Result).contains(u"outcome unknown"_s));
        QCOMPARE(scene.cell(2, AuditModel::Outcome), u"unknown"_s);
        QCOMPARE(auditTone(row(u"x"_s, 1s, u"pause"_s, {})), Tone::Unknown);
        QCOMPARE(auditTone(row(u"x"_s, 1s, u"pause"_s, u"still-running"_s)), Tone::Unknown);
        QCOMPARE(auditTone(row(u"x"_s, 1s, u"pause"_s, u"failed"_s)), Tone::Bad);
    }

    void detailsAreExact()
    {
        const Scene scene;
        const QString details = scene.page.details();
        for (const QString &part :
             {rows().front().body, u"acme-2 fit"_s, u"90417"_s, u"90420"_s, u"HTTP 200"_s, u"https://10.0.0.1:6443"_s})
            QVERIFY2(details.contains(part), qPrintable(part));
        QTest::mouseClick(scene.button(u"Copy"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), details);
        scene.page.table()->selectRow(1);
        QVERIFY(scene.page.details().contains(u"is forbidden"_s));
    }

    void filterNarrowsWhatIsExported()
    {
        Scene scene;
        scene.page.focusFilter();
        auto *box = scene.page.findChild<FilterBox *>();
        QTest::keyClicks(box, u"permitted"_s); // a word of the page, not a code
        QTRY_COMPARE(scene.page.table()->model()->rowCount(), 1);
        const auto keys = recordKeys(scene.page.table(), RowChoice::Shown);
        QCOMPARE(keys.size(), std::size_t(1));
        QCOMPARE(keys.front().id, std::string("2"));
        QSignalSpy exports(&scene.page, &AuditPage::exportRequested);
        QTest::mouseClick(scene.button(u"Export"_s), Qt::LeftButton);
        QCOMPARE(exports.size(), 1);
        QTest::keyClicks(box, u" zzz"_s);
        QTRY_COMPARE(scene.page.findChild<EmptyState *>()->title(), u"Nothing matches"_s);
        QTRY_VERIFY(!scene.button(u"Export"_s)->isEnabled());
    }

    void emptyAndUnreadable()
    {
        const Scene none{std::vector<AuditRow>()};
        QCOMPARE(none.page.findChild<EmptyState *>()->title(), u"Nothing was written yet"_s);
        QVERIFY(made::shownWords(const_cast<AuditPage &>(none.page)).contains(u"/home/dba/audit.ndjson"_s));
        const Scene broken(std::vector<AuditRow>(), u"permission denied"_s);
        QCOMPARE(broken.page.findChild<EmptyState *>()->title(), u"The audit file cannot be read"_s);
        QVERIFY(made::shownWords(const_cast<AuditPage &>(broken.page)).contains(u"permission denied"_s));
        const Scene partly(rows(), u"2 lines cannot be read"_s);
        QVERIFY(made::shownWords(const_cast<AuditPage &>(partly.page)).contains(u"2 lines cannot be read"_s));
    }

    void selectionStaysWhenANewOneComes()
    {
        Scene scene;
        scene.page.table()->selectRow(1);
        auto more = rows();
        more.insert(more.begin(), row(u"4"_s, 1s, u"resume"_s, u"done"_s));
        scene.page.setRows(more, u"/home/dba/audit.ndjson"_s, {});
        QCOMPARE(scene.page.selected()->id, u"2"_s);
        QCOMPARE(scene.cell(0, AuditModel::Action), u"resume"_s);
    }

    void opensTheCluster()
    {
        Scene scene;
        QSignalSpy opened(&scene.page, &AuditPage::opened);
        scene.page.focusTable();
        QTest::keyClick(scene.page.table(), Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.front().front().value<patroni::ClusterKey>().scope, "acme");
    }

    void wordsUnderTester()
    {
        AuditModel model;
        AuditWords words(&model);
        const QAbstractItemModelTester tester(&words, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.set(rows());
        auto fewer = rows();
        fewer.pop_back();
        fewer.front().outcome = u"done-other"_s;
        model.set(fewer);
        QCOMPARE(words.rowCount(), 3);
    }

    void pictures()
    {
        Scene scene;
        made::shoot(scene.page, u"audit"_s);
        Scene none{std::vector<AuditRow>()};
        made::shoot(none.page, u"audit-empty"_s);
    }
};

QTEST_MAIN(TestAuditPage)
#include "tst_audit_page.moc"
