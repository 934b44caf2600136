// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The configuration editor, with what the program gives it to judge its text by.
#include "app/desktop/config_tools.h"
#include "tests/support/made_clusters.h"
#include "tests/support/patience.h"
#include "tests/support/view_shots.h"
#include "views/dialogs/config_editor.h"
#include "views/dialogs/edit_config_dialog.h"

#include <QComboBox>
#include <QPushButton>
#include <QRadioButton>
#include <QTest>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

patroni::Cluster withConfig(const std::string &json)
{
    patroni::Cluster cluster = made::healthy();
    std::vector<patroni::Defect> defects;
    cluster.config->config = patroni::decodeDynamicConfig(json, defects, "acme-config");
    cluster.config->config.raw = json;
    cluster.objects["config"].annotations["config"] = json;
    return cluster;
}

const std::string plain = R"({"ttl":30,"loop_wait":10,"retry_timeout":10,"postgresql":{"parameters":{"max_connections":200}}})";

struct Scene
{
    EditConfigDialog dialog;

    explicit Scene(const patroni::Cluster &cluster = withConfig(plain))
        : dialog(desktop::configTools(), cluster, made::now())
    {
        dialog.show();
        dialog.activateWindow();
        QCoreApplication::processEvents();
    }
    // What stands in the editor with one text in another's place, and the pause in typing after it.
    void replace(const QString &before, const QString &after) { type(dialog.editor()->toPlainText().replace(before, after)); }
    void type(const QString &text) { dialog.editor()->setPlainText(text); }
    QPushButton *button(const QString &text) const
    {
        for (QPushButton *b : dialog.findChildren<QPushButton *>())
            if (b->text().remove(u'&').startsWith(text))
                return b;
        return nullptr;
    }
    void choose(const QString &form) const
    {
        for (QRadioButton *b : dialog.findChildren<QRadioButton *>())
            if (b->text().remove(u'&') == form)
                b->click();
    }
};

} // namespace

class TestConfigDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void unchangedIsNotWritten()
    {
        const Scene scene;
        QVERIFY(!scene.dialog.goButton()->isEnabled());
        QVERIFY(scene.dialog.problemText().contains(u"Nothing is changed yet"_s));
        QVERIFY(scene.dialog.editor()->toPlainText().contains(u"loop_wait: 10"_s));
        QCOMPARE(made::namelessWidgets(const_cast<EditConfigDialog &>(scene.dialog)), QStringList());
    }

    void changeAndItsDifference()
    {
        Scene scene;
        scene.replace(u"max_connections: 200"_s, u"max_connections: 300"_s);
        QTRY_VERIFY(scene.dialog.goButton()->isEnabled());
        QVERIFY2(scene.dialog.difference().contains(u"300"_s), qPrintable(scene.dialog.difference()));
        QVERIFY(scene.dialog.difference().contains(u"\n-"_s) && scene.dialog.difference().contains(u"\n+"_s));
        const rules::ActionWish wish = scene.dialog.wish();
        QCOMPARE(wish.configBase, plain);
        QCOMPARE(wish.configAfter, R"({"ttl":30,"loop_wait":10,"retry_timeout":10,"postgresql":{"parameters":{"max_connections":300}}})");
        made::shoot(scene.dialog, u"edit-config"_s, true);
    }

    void problems_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("said");
        QTest::addColumn<int>("line"); // that is marked
        QTest::addColumn<bool>("possible");
        QTest::newRow("no YAML") << u"loop_wait: 10"_s << u"loop_wait: [10"_s << u"Line "_s << 0 << false;
        QTest::newRow("a tab") << u"loop_wait: 10"_s << u"\tloop_wait: 10"_s << u"Line "_s << 0 << false;
        // patroni/config.py (3.2.0) adjusts it at run time: loop_wait + 2 * retry_timeout <= ttl
        QTest::newRow("timing") << u"loop_wait: 10"_s << u"loop_wait: 11"_s << u"loop_wait + 2 * retry_timeout"_s << 0 << true;
        QTest::newRow("no number") << u"ttl: 30"_s << u"ttl: long"_s << u"Line 1: ttl is"_s << 1 << false;
        QTest::newRow("a list") << u"ttl: 30"_s << u"- ttl"_s << QString() << 0 << false;
    }
    void problems()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, said);
        QFETCH(int, line);
        QFETCH(bool, possible);
        Scene scene;
        scene.replace(before, after);
        QTRY_VERIFY2(scene.dialog.problemText().contains(said) && !scene.dialog.problemText().contains(u"Nothing is changed"_s),
                     qPrintable(scene.dialog.problemText()));
        QVERIFY2(scene.dialog.goButton()->isEnabled() == possible, qPrintable(scene.dialog.problemText()));
        if (line > 0)
            QVERIFY(scene.dialog.editor()->marked().contains(line));
    }

    void bothForms()
    {
        Scene scene;
        scene.replace(u"ttl: 30"_s, u"ttl: 45"_s);
        scene.choose(u"JSON"_s);
        QVERIFY(scene.dialog.editor()->toPlainText().contains(u"\"ttl\": 45"_s));
        scene.type(scene.dialog.editor()->toPlainText().replace(u"45"_s, u"50"_s));
        scene.choose(u"YAML"_s);
        QVERIFY(scene.dialog.editor()->toPlainText().contains(u"ttl: 50"_s));
        scene.type(u"ttl: ["_s);
        scene.choose(u"JSON"_s); // cannot be read: stays as it is
        QCOMPARE(scene.dialog.editor()->toPlainText(), u"ttl: ["_s);
    }

    // Nothing can be written before both changes are put together; then it is upon what is there now.
    void somebodyElseWasFaster()
    {
        Scene scene;
        scene.replace(u"max_connections: 200"_s, u"max_connections: 300"_s);
        QTRY_VERIFY(scene.dialog.goButton()->isEnabled());
        const std::string theirs = R"({"ttl":30,"loop_wait":5,"retry_timeout":10,"postgresql":{"parameters":{"max_connections":200}}})";
        scene.dialog.setCluster(withConfig(theirs), made::now(5s));
        QVERIFY(!scene.dialog.goButton()->isEnabled());
        QVERIFY(scene.dialog.merged().contains(u"Somebody else"_s));
        made::shoot(scene.dialog, u"edit-config-moved"_s, true);
        QTest::mouseClick(scene.button(u"Put both together"_s), Qt::LeftButton);
        QTRY_VERIFY(scene.dialog.goButton()->isEnabled());
        QVERIFY2(scene.dialog.merged().contains(u"loop_wait"_s), qPrintable(scene.dialog.merged()));
        // each changed line says whose it is
        const QString both = scene.dialog.difference();
        QVERIFY2(both.contains(u"\n* - loop_wait: 10\n* + loop_wait: 5\n"_s), qPrintable(both));
        QVERIFY2(both.contains(u"\n  -     max_connections: 200\n  +     max_connections: 300"_s), qPrintable(both));
        QVERIFY(both.startsWith(u"Lines marked *"_s));
        made::shoot(scene.dialog, u"edit-config-together"_s, true);
        QCOMPARE(scene.dialog.wish().configBase, theirs);
        QCOMPARE(scene.dialog.wish().configAfter,
                 R"({"ttl":30,"loop_wait":5,"retry_timeout":10,"postgresql":{"parameters":{"max_connections":300}}})");
    }

    void bothChangedTheSame()
    {
        Scene scene;
        scene.replace(u"ttl: 30"_s, u"ttl: 45"_s);
        QTRY_VERIFY(scene.dialog.goButton()->isEnabled());
        scene.dialog.setCluster(withConfig(R"({"ttl":60,"loop_wait":10,"retry_timeout":10})"), made::now(5s));
        QTest::mouseClick(scene.button(u"Put both together"_s), Qt::LeftButton);
        QVERIFY2(scene.dialog.merged().contains(u"Both changed ttl (yours: 45, theirs: 60)"_s), qPrintable(scene.dialog.merged()));
        QVERIFY(scene.dialog.editor()->toPlainText().contains(u"ttl: 60"_s));
    }

    void earlierOne()
    {
        patroni::Cluster cluster = withConfig(plain);
        const std::string earlier = R"({"ttl":40,"loop_wait":10,"retry_timeout":10})";
        cluster.snapshots.clear();
        cluster.snapshots.push_back({cluster.names.configName, "1", made::now(-1h).boot, {{"config", earlier}}});
        cluster.snapshots.push_back({cluster.names.configName, "2", made::now(-1min).boot, {{"config", plain}}});
        Scene scene(cluster);
        auto *versions = scene.dialog.findChild<QComboBox *>();
        QCOMPARE(versions->count(), 2);
        versions->setCurrentIndex(1);
        Q_EMIT versions->activated(1);
        QTRY_VERIFY(scene.dialog.goButton()->isEnabled());
        QCOMPARE(scene.dialog.wish().configAfter, earlier);
        QCOMPARE(scene.dialog.wish().configBase, plain);
    }

    void afterAConflict()
    {
        Scene scene;
        rules::ActionWish wish;
        wish.configBase = R"({"ttl":30})";
        wish.configAfter = R"({"ttl":45})";
        scene.dialog.setWish(wish);
        QVERIFY(scene.dialog.merged().contains(u"Somebody else"_s));
        QVERIFY(scene.dialog.editor()->toPlainText().contains(u"ttl: 45"_s));
    }

    void commentsAreLost()
    {
        Scene scene;
        scene.type(u"# why\nttl: 45\nloop_wait: 10\nretry_timeout: 10\n"_s);
        QTRY_VERIFY(scene.dialog.problemText().contains(u"Comments are not kept"_s));
        QVERIFY(scene.dialog.goButton()->isEnabled());
    }

    void lines_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("line");
        QTest::newRow("top") << u"ttl"_s << 1;
        QTest::newRow("nested") << u"postgresql.parameters.wal_level"_s << 4;
        QTest::newRow("same name twice") << u"postgresql.ttl"_s << 5;
        QTest::newRow("as far as it goes") << u"postgresql.parameters.absent"_s << 3;
        QTest::newRow("absent") << u"absent"_s << 0;
        QTest::newRow("whole") << QString() << 0;
    }
    void lines()
    {
        QFETCH(QString, path);
        const QString yaml = u"ttl: 30\npostgresql:\n  parameters:\n    wal_level: replica\n  ttl: 3\n"_s;
        QTEST(lineOf(yaml, path), "line");
    }
};

QTEST_MAIN(TestConfigDialog)
#include "tst_config_dialog.moc"
