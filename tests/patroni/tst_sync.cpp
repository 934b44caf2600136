// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/patroni/annotated.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::patroni;

Q_DECLARE_METATYPE(Annotations)
Q_DECLARE_METATYPE(SyncState)

class TestSync : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decodes_data()
    {
        QTest::addColumn<Annotations>("annotations");
        QTest::addColumn<SyncState>("state");
        const auto row = [](const char *name, const Annotations &annotations, const SyncState &state) {
            QTest::newRow(name) << annotations << state;
        };
        row("empty shell", {}, {});
        row("no leader: the rest means nothing", {{"sync_standby", "a,b"}, {"quorum", "1"}}, {});
        row("empty leader", {{"leader", ""}, {"sync_standby", "a"}}, {});
        row("before quorum", {{"leader", "a"}, {"sync_standby", "b"}}, {"a", {"b"}, {}, false});
        row("nobody", {{"leader", "a"}, {"quorum", "0"}}, {"a", {}, 0, false});
        row("nobody, empty text", {{"leader", "a"}, {"sync_standby", ""}}, {"a", {}, {}, false});
        row("many", {{"leader", "a"}, {"sync_standby", " b, c ,,d,"}, {"quorum", "1"}}, {"a", {"b", "c", "d"}, 1, false});
        row("leader in its own set", {{"leader", "a"}, {"sync_standby", "a,b"}}, {"a", {"a", "b"}, {}, false});
        row("empty quorum", {{"leader", "a"}, {"sync_standby", "b"}, {"quorum", ""}}, {"a", {"b"}, {}, false});
        row("quorum is no integer", {{"leader", "a"}, {"sync_standby", "b"}, {"quorum", "1.5"}}, {{}, {}, {}, true});
        row("quorum is a word", {{"leader", "a"}, {"sync_standby", "b"}, {"quorum", "null"}}, {{}, {}, {}, true});
    }
    void decodes()
    {
        QFETCH(Annotations, annotations);
        QFETCH(SyncState, state);
        std::vector<Defect> found;
        QVERIFY(decodeSync(annotated("acme-sync", annotations), found) == state);
        QCOMPARE(fields(found), std::string(state.unreadable ? "quorum" : ""));
    }
};

QTEST_APPLESS_MAIN(TestSync)
#include "tst_sync.moc"
