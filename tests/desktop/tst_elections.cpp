// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The elections of the simulator: from its watches to the page, by clicks.
#include "models/items/elections_model.h"
#include "tests/desktop/program.h"
#include "tests/support/patience.h"
#include "views/pages/elections/election_detail.h"
#include "views/pages/elections_page.h"
#include "views/pages/events_page.h"

#include <QAction>
#include <QCheckBox>
#include <QSignalSpy>
#include <QTabWidget>

using namespace switchyard;
using namespace Qt::StringLiterals;

using made::click;
using made::patience;
using made::Program;

namespace {

simulator::Plan withElections()
{
    simulator::Plan plan = made::quickPlan();
    simulator::ElectionPlan pooler;
    pooler.ns = "payments";
    pooler.name = "pooler";
    pooler.candidates = {"pooler-0", "pooler-1"};
    pooler.pods = true;
    plan.elections = {pooler};
    return plan;
}

int rowOf(const views::ElectionsPage &page, std::string_view name)
{
    const auto shown = page.shown();
    const auto at = std::find_if(shown.begin(), shown.end(), [&](const election::Key &key) { return key.name == name; });
    return at == shown.end() ? -1 : int(at - shown.begin());
}

} // namespace

class TestElections : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fromTheWatchToThePage()
    {
        Program p(false, withElections());
        QVERIFY(p.ok);
        views::MainWindow *window = p.desktop->window();
        const views::ElectionsPage &page = *window->electionsPage();
        click(p.button(window, u"Elections"_s));
        QCOMPARE(window->currentPage(), views::Page::Elections);
        // A client-go lock, and Patroni's own beside it: seen to be renewed, not merely read.
        const auto stateOf = [&](election::Kind kind) {
            for (const election::Key &key : page.shown()) {
                const election::Election *e = page.model()->electionAt(page.model()->rowOf(key));
                if (e && e->kind == kind)
                    return e->state;
            }
            return election::State::Invalid;
        };
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(election::Kind::Leases), election::State::Held, patience);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(election::Kind::Patroni), election::State::Held, patience);
    }

    void aPatroniLockOpensItsCluster()
    {
        Program p(false, withElections());
        views::MainWindow *window = p.desktop->window();
        QTRY_COMPARE_WITH_TIMEOUT(p.lock(), made::LockState::Held, patience);
        window->showPage(views::Page::Elections);
        const views::ElectionsPage &page = *window->electionsPage();
        const std::string name = p.cluster()->names.leaderName;
        QTRY_VERIFY_WITH_TIMEOUT(rowOf(page, name) >= 0, patience);
        window->electionsPage()->choose(election::fromCluster(*p.cluster()).key);
        QTRY_VERIFY(page.detail()->sentence().contains(QString::fromStdString(p.leader())));
        QTest::keyClick(page.table(), Qt::Key_Return);
        QCOMPARE(window->currentPage(), views::Page::Cluster);
        QCOMPARE(window->openedCluster(), std::optional(p.cluster()->names.key));
    }
};

QTEST_MAIN(TestElections)
#include "tst_elections.moc"
