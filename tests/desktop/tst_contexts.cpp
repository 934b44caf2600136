// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The whole program with several contexts: opening, closing, remembering, reading the kubeconfig anew, asking before a program runs.
#include "app/desktop/context_rows.h"
#include "app/desktop/desktop.h"
#include "app/simulator/simulator.h"
#include "tests/support/patience.h"
#include "views/dialogs/exec_consent_dialog.h"
#include "views/pages/contexts_page.h"
#include "views/pages/fleet_page.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QFile>
#include <QHeaderView>
#include <QPushButton>
#include <QSaveFile>
#include <QTableView>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace Qt::StringLiterals;
using items::Standing;

namespace {

constexpr int patience = 60000; // ms; far beyond what a healthy run needs

simulator::Plan quickPlan()
{
    simulator::Plan plan;
    simulator::ClusterPlan acme;
    acme.ns = "payments";
    acme.scope = "acme";
    acme.loopWait = 2;
    plan.clusters.push_back(acme);
    plan.speed = 5;
    return plan;
}

// A port that nobody listens on.
QString deadServer()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return u"http://127.0.0.1:%1"_s.arg(server.serverPort());
}

// A kubeconfig with one context per entry; each has a cluster and user entry of its own name.
struct Made
{
    QString name, server, user; // user: the body of its user entry
};

QString kubeconfigOf(const QList<Made> &all, const QString &current)
{
    QString clusters = u"clusters:\n"_s, users = u"users:\n"_s, contexts = u"contexts:\n"_s;
    for (const Made &m : all) {
        clusters += u"- name: %1\n  cluster:\n    server: %2\n"_s.arg(m.name, m.server);
        users += u"- name: %1\n  user:\n%2\n"_s.arg(m.name, m.user);
        contexts += u"- name: %1\n  context: {cluster: %1, user: %1, namespace: payments}\n"_s.arg(m.name);
    }
    return u"apiVersion: v1\nkind: Config\ncurrent-context: %1\n"_s.arg(current) + clusters + users + contexts;
}

void write(const QString &path, const QString &text)
{
    QSaveFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
    QVERIFY(file.commit());
}

class World
{
public:
    World()
        : simulator(quickPlan())
    {
        QString error;
        ok = simulator.start(&error) && folder.isValid();
        static const QString key = u"token: "_s;
        const QString text = simulator.kubeconfig();
        const qsizetype at = text.indexOf(key) + key.size();
        token = text.mid(at, text.indexOf(u'\n', at) - at);
    }
    QString file() const { return folder.filePath(u"kubeconfig"_s); }
    QString tokenUser() const { return u"    token: "_s + token; }
    Made live(const QString &name) const { return {name, simulator.server(), tokenUser()}; }
    Made dead(const QString &name) const { return {name, deadServer(), tokenUser()}; }
    void configure(const QList<Made> &all) const { write(file(), kubeconfigOf(all, all.front().name)); }

    desktop::DesktopOptions options(const QStringList &contexts = {}) const
    {
        desktop::DesktopOptions options;
        options.kubeconfig = file();
        options.contexts = contexts;
        options.settingsFile = folder.filePath(u"window.ini"_s);
        options.page = views::Page::Contexts;
        return options;
    }
    std::unique_ptr<desktop::Desktop> run(const desktop::DesktopOptions &options) const
    {
        auto program = std::make_unique<desktop::Desktop>(options);
        program->start();
        return program;
    }

    QTemporaryDir folder;
    simulator::Simulator simulator;
    QString token;
    bool ok = false;
};

std::optional<items::ContextRow> rowOf(const desktop::Desktop &program, const QString &name)
{
    for (const auto &row : const_cast<desktop::Desktop &>(program).book()->rows())
        if (row.name == name)
            return row;
    return std::nullopt;
}

Standing standing(const desktop::Desktop &program, const QString &name)
{
    const auto row = rowOf(program, name);
    return row ? row->standing : Standing::Unusable;
}

void clickRow(desktop::Desktop &program, const QString &name, Qt::KeyboardModifiers keys = {})
{
    QTableView *table = program.window()->contextsPage()->table();
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const QModelIndex index = table->model()->index(row, items::ContextsModel::Name);
        if (index.data().toString() == name)
            return QTest::mouseClick(table->viewport(), Qt::LeftButton, keys, table->visualRect(index).center());
    }
    QFAIL(qPrintable(name));
}

void press(QWidget *in, const QString &text)
{
    for (QPushButton *button : in->findChildren<QPushButton *>())
        if (button->isVisible() && button->text().remove(u'&') == text) {
            QVERIFY(button->isEnabled());
            return QTest::mouseClick(button, Qt::LeftButton);
        }
    QFAIL(qPrintable(text));
}

} // namespace

class TestContexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneDeadContextDelaysNothing()
    {
        const World world;
        QVERIFY(world.ok);
        world.configure({world.dead(u"gone"_s), world.live(u"good"_s)});
        const auto program = world.run(world.options({u"gone"_s, u"good"_s}));
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"good"_s), Standing::Live, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!rowOf(*program, u"gone"_s)->problem.isEmpty(), patience);
        QVERIFY(standing(*program, u"gone"_s) != Standing::Live);
        const QString problem = rowOf(*program, u"gone"_s)->problem; // the cause first, then the server; no request
        QVERIFY2(problem.startsWith(u"unreachable: the connection was refused"_s) && problem.endsWith(u')')
                     && !problem.contains(u"endpoints"_s),
                 qPrintable(problem));
        const auto status = desktop::statusOf(*rowOf(*program, u"gone"_s));
        QCOMPARE(status.state, u"not connected"_s); // the same word in the side list, the status bar and on the pages
        QVERIFY(!rowOf(*program, u"gone"_s)->advice.isEmpty());
        QVERIFY(!rowOf(*program, u"gone"_s)->lastContact); // unknown, not now
        QTRY_VERIFY_WITH_TIMEOUT(!program->monitor()->store().clusters().empty(), patience);
    }

    void openedAndClosedByClicks()
    {
        const World world;
        world.configure({world.live(u"one"_s), world.live(u"two"_s), world.live(u"three"_s), world.dead(u"gone"_s)});
        const auto program = world.run(world.options());
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"one"_s), Standing::Live, patience); // kubectl's current context
        QCOMPARE(program->monitor()->connections().size(), std::size_t(1));
        clickRow(*program, u"two"_s);
        clickRow(*program, u"three"_s, Qt::ControlModifier);
        press(program->window()->contextsPage(), u"Open"_s);
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"two"_s), Standing::Live, patience);
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"three"_s), Standing::Live, patience);
        QTRY_COMPARE_WITH_TIMEOUT(program->monitor()->store().clusters().size(), std::size_t(3), patience);
        clickRow(*program, u"one"_s);
        clickRow(*program, u"two"_s, Qt::ControlModifier);
        press(program->window()->contextsPage(), u"Close"_s);
        QCOMPARE(standing(*program, u"one"_s), Standing::Closed);
        QCOMPARE(standing(*program, u"two"_s), Standing::Closed);
        QCOMPARE(standing(*program, u"three"_s), Standing::Live);
        QCOMPARE(program->monitor()->store().clusters().size(), std::size_t(1));
    }

    void whatWasChosenIsRemembered()
    {
        const World world;
        world.configure({world.live(u"one"_s), world.live(u"two"_s)});
        {
            const auto program = world.run(world.options());
            QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"one"_s), Standing::Live, patience);
            program->book()->open({u"two"_s});
            program->book()->close({u"one"_s});
            program->book()->setAlias(u"two"_s, u"Zwei"_s);
            program->book()->setColour({u"two"_s}, u"red"_s);
            program->book()->setFavourite({u"two"_s}, true);
            program->book()->setReadOnly({u"two"_s}, true);
            program->book()->setProtected({u"one"_s, u"two"_s}, true);
            program->book()->setNamespaces({u"two"_s}, {u"payments"_s, u"ledger"_s});
            program->window()->contextsPage()->table()->sortByColumn(items::ContextsModel::User, Qt::DescendingOrder);
            QCOMPARE(program->monitor()->connection(u"two"_s)->namespaces(), QStringList({u"payments"_s, u"ledger"_s}));
        }
        const auto program = world.run(world.options());
        QCOMPARE(standing(*program, u"one"_s), Standing::Closed);
        const auto two = rowOf(*program, u"two"_s);
        QVERIFY(two && two->open());
        QCOMPARE(two->shown(), u"Zwei"_s);
        QCOMPARE(two->colour, u"red"_s);
        QVERIFY(two->favourite && two->chosen);
        QVERIFY(two->readOnly && two->isProtected);
        QVERIFY(program->book()->guard(u"one"_s) == (desktop::ContextGuard{false, true}));
        QVERIFY(program->book()->guard(u"absent"_s) == desktop::ContextGuard());
        QCOMPARE(two->namespaces, QStringList({u"payments"_s, u"ledger"_s}));
        const QHeaderView *header = program->window()->contextsPage()->table()->horizontalHeader();
        QCOMPARE(header->sortIndicatorSection(), int(items::ContextsModel::User));
        QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
        const QAbstractItemModel *fleet = program->window()->findChild<views::FleetPage *>()->words();
        QTRY_COMPARE_WITH_TIMEOUT(fleet->rowCount(), 1, patience);
        const QModelIndex context = fleet->index(0, items::FleetModel::Context);
        QTRY_COMPARE(context.data().toString(), u"Zwei"_s);
        QVERIFY(context.data(Qt::ToolTipRole).toString().contains(u"context two"_s));
        for (const QString &name : {u"zwei"_s, u"two"_s}) // both find it
            QVERIFY(context.siblingAtColumn(0).data(items::FilterRole).toString().contains(name));
        QFile settings(world.folder.filePath(u"window.ini"_s));
        QVERIFY(settings.open(QIODevice::ReadOnly));
        QVERIFY(!settings.readAll().contains(world.token.toUtf8()));
    }

    // Its answers are read by the program's clock.
    void aClosedContextDoesNotOutliveTheProgram()
    {
        const World world;
        world.configure({world.live(u"one"_s)});
        QPointer<Connection> closed;
        {
            const auto program = world.run(world.options());
            closed = program->monitor()->connection(u"one"_s);
            QVERIFY(closed);
            program->book()->close({u"one"_s});
            QVERIFY(closed); // it may be inside one of its signals
        }
        QVERIFY(!closed);
    }

    void commandLineComesFirst()
    {
        const World world;
        world.configure({world.live(u"one"_s), world.live(u"two"_s)});
        world.run(world.options({u"one"_s}))->book()->setNamespaces({u"two"_s}, {u"ledger"_s});
        auto options = world.options({u"two"_s});
        options.allNamespaces = true;
        const auto program = world.run(options);
        QVERIFY(!program->monitor()->connection(u"one"_s)); // named ones only
        QCOMPARE(program->monitor()->connection(u"two"_s)->namespaces(), QStringList{QString()});
        program->book()->setNamespaces({u"two"_s}, {u"payments"_s}); // a choice by hand comes before the command line's
        QCOMPARE(program->monitor()->connection(u"two"_s)->namespaces(), QStringList{u"payments"_s});
    }

    void changedKubeconfigIsTakenUp()
    {
        const World world;
        world.configure({world.live(u"one"_s), world.dead(u"moves"_s)});
        const auto program = world.run(world.options({u"one"_s, u"moves"_s}));
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"one"_s), Standing::Live, patience);
        Made moved = world.live(u"moves"_s);
        world.configure({moved, world.live(u"new"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(rowOf(*program, u"new"_s), patience);
        QCOMPARE(standing(*program, u"new"_s), Standing::Closed);
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"moves"_s), Standing::Live, patience); // opened anew with its new server
        QVERIFY(rowOf(*program, u"one"_s)->vanished);
        QCOMPARE(standing(*program, u"one"_s), Standing::Live); // it goes on, and is marked
        QVERIFY(rowOf(*program, u"one"_s)->problem.contains(u"gone from the kubeconfig"_s));
    }

    void unreadableVersionKeepsTheOldOne()
    {
        const World world;
        world.configure({world.live(u"one"_s)});
        const auto program = world.run(world.options());
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"one"_s), Standing::Live, patience);
        write(world.file(), u"clusters: [\n"_s);
        QTRY_VERIFY_WITH_TIMEOUT(program->book()->notice().contains(u"kubeconfig"_s), patience);
        QVERIFY(!rowOf(*program, u"one"_s)->vanished);
        QCOMPARE(standing(*program, u"one"_s), Standing::Live);
        world.configure({world.live(u"one"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(program->book()->notice().isEmpty(), patience);
    }

    void closingWaitsForTheAnswerToAWrite()
    {
        const World world;
        world.configure({world.live(u"one"_s)});
        const auto program = world.run(world.options());
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"one"_s), Standing::Live, patience);
        bool writing = true;
        program->book()->setBusy([&writing](const QString &) { return writing; });
        Connection *connection = program->monitor()->connection(u"one"_s);
        program->book()->close({u"one"_s});
        QCOMPARE(program->monitor()->connection(u"one"_s), connection);
        QVERIFY2(program->book()->notice().contains(u"one was not closed"_s), qPrintable(program->book()->notice()));
        program->book()->setNamespaces({u"one"_s}, {u"ledger"_s});
        QCOMPARE(program->monitor()->connection(u"one"_s), connection); // opened anew only afterwards
        writing = false;
        QTRY_COMPARE_WITH_TIMEOUT(program->monitor()->connection(u"one"_s)->namespaces(), QStringList{u"ledger"_s}, patience);
        program->book()->close({u"one"_s});
        QVERIFY(!program->monitor()->connection(u"one"_s));
    }

    void programIsAskedForAndOthersGoOn()
    {
        const World world;
        write(world.folder.filePath(u"credential.json"_s),
              u"{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"%1\"}}"_s.arg(
                  world.token));
        const QString exec =
            u"    exec:\n      apiVersion: client.authentication.k8s.io/v1\n      interactiveMode: Never\n      command: cat\n"
            "      args: [%1]\n      env:\n      - {name: PROFILE, value: prod}"_s.arg(world.folder.filePath(u"credential.json"_s));
        world.configure({world.live(u"good"_s), {u"asks"_s, world.simulator.server(), exec}});
        auto options = world.options({u"good"_s, u"asks"_s});
        options.trustFile = world.folder.filePath(u"trusted"_s);
        const auto program = world.run(options);
        const auto question = [&program] { return program->window()->findChild<views::ExecConsentDialog *>(); };
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"good"_s), Standing::Live, patience);
        QCOMPARE(standing(*program, u"asks"_s), Standing::Waiting);
        const QString waits = rowOf(*program, u"asks"_s)->problem;
        QVERIFY2(waits.startsWith(u"waits for your permission to run "_s) && waits.contains(u"cat"_s), qPrintable(waits));
        QVERIFY(!waits.contains(u"credential.json"_s)); // arguments may hold a secret: they are in the question only
        press(question(), u"Do not run"_s);
        QTRY_VERIFY(!question());
        QTRY_VERIFY_WITH_TIMEOUT(standing(*program, u"asks"_s) != Standing::Waiting && !rowOf(*program, u"asks"_s)->problem.isEmpty(),
                                 patience);
        clickRow(*program, u"asks"_s);
        press(program->window()->contextsPage(), u"Connect again"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience); // a refusal is not for ever
        press(question(), u"Run once"_s);
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"asks"_s), Standing::Live, patience);
        QVERIFY(!QFile::exists(options.trustFile)); // once is not remembered
    }

    // Objects are read by name because their list is refused: live, and yet not all there is.
    void aMissingListIsSaidOfALiveStream()
    {
        ContextState state;
        state.context = "prod";
        state.freshness = patroni::Freshness::Live;
        StreamState stream;
        stream.resource = Resource::Endpoints;
        stream.ns = "db";
        stream.listed = true;
        stream.freshness = patroni::Freshness::Live;
        state.streams = {stream};
        QVERIFY(desktop::statusOf(desktop::rowOf(state)).refused.isEmpty());
        state.streams.front().named = true;
        state.streams.front().missing = patroni::MissingRight{Resource::Endpoints, "db", "list"};
        QCOMPARE(desktop::statusOf(desktop::rowOf(state)).refused, QStringList{u"namespace db: list endpoints forbidden"_s});
    }

    // A further API server of one cluster gets nothing that is meant for another one's.
    void furtherServersAreForTheNamedContextOnly()
    {
        const World world;
        world.configure({world.live(u"one"_s), world.dead(u"two"_s)});
        QTcpServer further;
        QVERIFY(further.listen(QHostAddress::LocalHost));
        auto options = world.options({u"one"_s});
        options.connection.apiServers = {u"http://127.0.0.1:%1"_s.arg(further.serverPort())};
        const auto program = world.run(options);
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"one"_s), Standing::Live, patience);
        program->book()->open({u"two"_s});
        QTRY_VERIFY_WITH_TIMEOUT(!rowOf(*program, u"two"_s)->problem.isEmpty() || further.hasPendingConnections(), patience);
        QVERIFY(!further.hasPendingConnections());
    }

    // Without --context it is for the current one, whatever was open last time.
    void furtherServersOpenNothingElse()
    {
        const World world;
        world.configure({world.live(u"one"_s), world.live(u"two"_s)});
        world.run(world.options())->book()->open({u"two"_s});
        auto options = world.options();
        options.connection.apiServers = {deadServer()};
        const auto program = world.run(options);
        QVERIFY(program->monitor()->connection(u"one"_s));
        QVERIFY(!program->monitor()->connection(u"two"_s));
    }

    void commandLineTokenStaysWithItsCluster()
    {
        const World world;
        const QString own = u"    token: own"_s;
        world.configure({{u"one"_s, world.simulator.server(), own}});
        auto options = world.options({u"one"_s});
        options.overrides.token = world.token.toUtf8();
        const auto program = world.run(options);
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"one"_s), Standing::Live, patience);
        const QString elsewhere = deadServer();
        world.configure({{u"one"_s, elsewhere, own}});
        program->book()->reload();
        const kube::ContextConfig config = program->monitor()->connection(u"one"_s)->client()->config();
        QCOMPARE(config.server, elsewhere);
        QCOMPARE(config.credential.token, QByteArray("own"));
        QVERIFY2(program->book()->notice().contains(u"another cluster"_s), qPrintable(program->book()->notice()));
    }

    // "The first wins": while the first file is being written, the second one's entry of that name is another cluster.
    void halfWrittenFileMovesNothing_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << QString();
        QTest::newRow("cut off") << u"clusters: [\n"_s;
        QTest::newRow("a comment") << u"# to be written\n"_s;
    }
    void halfWrittenFileMovesNothing()
    {
        QFETCH(QString, text);
        const World world;
        const QString second = world.folder.filePath(u"second"_s);
        const Made other = world.dead(u"prod"_s);
        world.configure({world.live(u"prod"_s)});
        write(second, kubeconfigOf({other}, u"prod"_s));
        qputenv("KUBECONFIG", (world.file() + u':' + second).toUtf8());
        auto options = world.options({u"prod"_s});
        options.kubeconfig.clear();
        const auto program = world.run(options);
        qunsetenv("KUBECONFIG");
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"prod"_s), Standing::Live, patience);
        const Connection *before = program->monitor()->connection(u"prod"_s);
        write(world.file(), text);
        program->book()->reload();
        QCOMPARE(program->monitor()->connection(u"prod"_s), before);
        QCOMPARE(rowOf(*program, u"prod"_s)->server, world.simulator.server());
        QVERIFY(!rowOf(*program, u"prod"_s)->vanished);
        QVERIFY2(program->book()->notice().contains(u"says nothing now"_s), qPrintable(program->book()->notice()));
        QVERIFY(QFile::remove(world.file())); // on purpose: kubectl goes on with the second one
        program->book()->reload();
        QCOMPARE(program->monitor()->connection(u"prod"_s)->server(), other.server);
    }

    void oneStartForgetsNothing()
    {
        const World world;
        const QList<Made> all{world.live(u"one"_s), world.live(u"two"_s), world.live(u"three"_s)};
        world.configure(all);
        world.run(world.options())->book()->open({u"two"_s});
        const auto isOpen = [](const desktop::Desktop &program, const QString &name) { return rowOf(program, name)->open(); };
        {
            const auto program = world.run(world.options({u"three"_s}));
            QVERIFY(isOpen(*program, u"three"_s) && !isOpen(*program, u"two"_s));
        }
        QList<Made> broken = all;
        broken[1].user = u"    client-certificate: nowhere.crt\n    client-key: nowhere.key"_s;
        world.configure(broken);
        QCOMPARE(standing(*world.run(world.options()), u"two"_s), Standing::Unusable);
        world.configure(all);
        const auto program = world.run(world.options());
        QVERIFY(isOpen(*program, u"one"_s) && isOpen(*program, u"two"_s));
        QVERIFY(!isOpen(*program, u"three"_s)); // that was one start's
    }

    void manyContexts()
    {
        const World world;
        const QString nobody = deadServer();
        QList<Made> all{world.live(u"context-0"_s)};
        for (int i = 1; i < 500; ++i)
            all.append({u"context-%1"_s.arg(i), nobody, world.tokenUser()});
        world.configure(all);
        const auto program = world.run(world.options());
        QTRY_COMPARE_WITH_TIMEOUT(standing(*program, u"context-0"_s), Standing::Live, patience);
        QStringList some;
        for (int i = 1; i <= 40; ++i)
            some.append(u"context-%1"_s.arg(i));
        program->book()->open(some);
        QCOMPARE(program->book()->rows().size(), std::size_t(500));
        QCOMPARE(program->window()->contextsPage()->table()->model()->rowCount(), 500);
        all[499].server = world.simulator.server();
        world.configure(all);
        QTRY_COMPARE_WITH_TIMEOUT(rowOf(*program, u"context-499"_s)->server, world.simulator.server(), patience); // noticed by itself
        QCOMPARE(standing(*program, u"context-0"_s), Standing::Live);
    }

    void withoutKubeconfigTheFirstStepIsSaid()
    {
        const World world;
        qputenv("HOME", world.folder.path().toUtf8());
        qunsetenv("KUBECONFIG");
        auto options = world.options();
        options.kubeconfig.clear();
        const auto program = world.run(options);
        QVERIFY(program->book()->notice().contains(u"--kubeconfig FILE"_s));
        QVERIFY(program->book()->rows().empty());
    }
};

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("switchyard-test"));
    views::applyTheme(app, views::Theme::Light);
    TestContexts test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_contexts.moc"
