// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Since when a cluster is paused and who has seen it. Source: patroni/ha.py touch_member (`pause` in the status), patroni/global_config.py
// is_paused, 2.0 - 4.1.
#include "models/rules/pause.h"
#include "tests/support/made_clusters.h"

#include <QTest>

using namespace switchyard;
using namespace Qt::StringLiterals;

namespace {

using Changes = std::vector<std::pair<int, const char *>>; // seconds ago, text of the configuration

const char *const on = R"({"ttl":30,"pause":true})";
const char *const onWordy = R"({"ttl":30,"pause":"yes"})";
const char *const onOtherwise = R"({"ttl":40,"pause":true})";
const char *const off = R"({"ttl":30})";

patroni::Cluster cluster(const Changes &changes, bool paused, int seen)
{
    patroni::Cluster c = made::healthy();
    c.snapshots.clear();
    c.config->config.present = true;
    c.config->config.paused = paused;
    for (const auto &[ago, text] : changes) {
        c.snapshots.push_back({c.names.configName, "1", made::now(-std::chrono::seconds(ago)).boot, {{"config", text}}});
        c.snapshots.push_back({c.names.syncName, "1", made::now(-std::chrono::seconds(ago)).boot, {{"leader", "acme-1"}}});
    }
    for (patroni::Member &member : c.members)
        member.record.pauseSeen = seen-- > 0 ? paused : !paused;
    return c;
}

} // namespace

Q_DECLARE_METATYPE(Changes)

class TestPause : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void since_data()
    {
        QTest::addColumn<Changes>("changes");
        QTest::addColumn<bool>("paused");
        QTest::addColumn<int>("secondsAgo"); // -1: before we looked
        QTest::newRow("seen to be paused") << Changes{{60, off}, {20, on}} << true << 20;
        QTest::newRow("paused when we came") << Changes{{60, on}} << true << -1;
        QTest::newRow("another setting changed since") << Changes{{60, off}, {40, on}, {20, onOtherwise}} << true << 40;
        QTest::newRow("twice") << Changes{{90, off}, {80, on}, {60, off}, {20, onWordy}} << true << 20;
        QTest::newRow("resumed") << Changes{{60, on}, {20, off}} << false << 20;
        QTest::newRow("never paused") << Changes{{60, off}} << false << -1;
        QTest::newRow("no snapshot is left") << Changes{} << true << -1;
    }
    void since()
    {
        QFETCH(Changes, changes);
        QFETCH(bool, paused);
        QFETCH(int, secondsAgo);
        const auto view = rules::pauseView(cluster(changes, paused, 3));
        QVERIFY(view);
        QCOMPARE(view->paused, paused);
        QCOMPARE(view->changedAt.has_value(), secondsAgo >= 0);
        if (view->changedAt)
            QVERIFY(*view->changedAt == made::now(-std::chrono::seconds(secondsAgo)).boot);
    }

    void whoHasSeenIt()
    {
        const auto some = rules::pauseView(cluster({}, true, 2));
        QCOMPARE(some->seen, 2);
        QCOMPARE(some->reporting, 3);
        QCOMPARE(some->waiting.size(), std::size_t(1));
        QVERIFY(!some->complete());
        QVERIFY(rules::pauseView(cluster({}, true, 3))->complete());
        QVERIFY(!rules::pauseView(cluster({}, false, 1))->complete());
    }

    // Who reports nothing is not waited for.
    void silentMembersDoNotCount()
    {
        auto c = cluster({}, true, 2);
        c.members.back().record.reported = false;
        const auto view = rules::pauseView(c);
        QCOMPARE(view->reporting, 2);
        QVERIFY(view->complete());
    }

    void noConfigurationSaysNothing()
    {
        auto c = cluster({}, true, 3);
        c.config->config.present = false;
        QVERIFY(!rules::pauseView(c));
        c.config.reset();
        QVERIFY(!rules::pauseView(c));
    }
};

QTEST_APPLESS_MAIN(TestPause)
#include "tst_pause.moc"
