// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// API servers that come and go, on a real one: what the user sees meanwhile is true, and afterwards nothing is missing. Run by
// tests/lab/run with the cluster alpha alone. Patroni is a client of the same API server: without it, it demotes its leader.
#include "tests/lab/lab_control.h"
#include "tests/lab/watched.h"

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace switchyard::lab {

namespace {

constexpr int calmLimit = 90000;
constexpr int soon = 30000;

const Side &alpha()
{
    return sides()[0];
}

// Watches that end often, so that the server is asked again for what it would otherwise not be asked for minutes.
kube::WatchTimes shortWatches()
{
    kube::WatchTimes times;
    times.serverTimeoutMin = times.serverTimeoutMax = 4s;
    times.backoffMin = 500ms;
    times.backoffMax = 3s;
    times.listLimit = 5s;
    return times;
}

QByteArray freshness(const Watched &watched)
{
    const ContextState *context = watched.context();
    return context ? QByteArray(code(context->freshness).data()) : QByteArray("unknown");
}

ErrorKind errorKind(const Watched &watched)
{
    const ContextState *context = watched.context();
    return context && context->error ? context->error->kind : ErrorKind::Io;
}

} // namespace

class TestLabFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void restartedApiServer();
    void goaway();
    void restartedEtcd();
    void revokedToken();
    void rightsTakenAndGiven();
    void secondServerByHand();
    void secondServerFound();
    void cleanup();

private:
    void settles(const Watched &watched);
    void secondServer(const ConnectionOptions &options, bool untilExpired);
};

// Afterwards the state equals that of somebody who has only just looked.
void TestLabFaults::settles(const Watched &watched)
{
    QTRY_COMPARE_WITH_TIMEOUT(freshness(watched), "live", 60000);
    QTRY_VERIFY_WITH_TIMEOUT(watched.calm(alpha()), calmLimit);
    const Watched fresh(u"viewer"_s);
    QTRY_VERIFY_WITH_TIMEOUT(fresh.calm(alpha()), calmLimit);
    QTRY_COMPARE_WITH_TIMEOUT(watched.picture(alpha()), fresh.picture(alpha()), soon);
}

void TestLabFaults::restartedApiServer()
{
    const Watched watched(u"viewer"_s);
    QTRY_VERIFY_WITH_TIMEOUT(watched.calm(alpha()), calmLimit);
    QCOMPARE(run({u"api"_s, u"stop"_s}).exitCode, 0);
    QTRY_COMPARE_WITH_TIMEOUT(freshness(watched), "stale", soon);
    QVERIFY(errorKind(watched) == ErrorKind::Unreachable || errorKind(watched) == ErrorKind::Server);
    // Longer than ttl: what nobody can see does not expire
    const Boot longEnough = watched.now().boot + std::chrono::seconds(ttlSeconds() + 2 * loopWaitSeconds());
    QTRY_VERIFY_WITH_TIMEOUT(watched.now().boot > longEnough, 1000 * (ttlSeconds() + 10 * loopWaitSeconds()));
    QCOMPARE(code(watched.cluster(alpha())->lock.state), code(patroni::LockState::Stale));
    QCOMPARE(watched.told(EventCode::LockExpired), 0);
    QCOMPARE(run({u"api"_s, u"start"_s}).exitCode, 0);
    settles(watched);
    QCOMPARE(watched.told(EventCode::ConnectionLost), 1);
    QCOMPARE(watched.told(EventCode::ConnectionRestored), 1);
}

// On HTTP/2 such a server sends clients away in the middle; on HTTP/1.1 nothing must come of it.
void TestLabFaults::goaway()
{
    QCOMPARE(run({u"api"_s, u"stop"_s}).exitCode, 0);
    QCOMPARE(run({u"api"_s, u"start"_s, u"--goaway-chance=0.02"_s}).exitCode, 0);
    Watched watched(u"viewer"_s, {}, shortWatches());
    QTRY_VERIFY_WITH_TIMEOUT(watched.calm(alpha()), calmLimit);
    int lists = 0;
    for (int i = 0; i < 150; ++i) {
        watched.connection()->client()->get({Resource::Endpoints, u"default"_s, {}}, {}, &watched,
                                            [&](const kube::Response &response) { lists += response.ok() ? 1 : 0; });
    }
    QTRY_COMPARE_WITH_TIMEOUT(lists, 150, soon);
    QCOMPARE(freshness(watched), "live");
    QCOMPARE(watched.told(EventCode::ConnectionLost), 0);
    settles(watched);
}

void TestLabFaults::restartedEtcd()
{
    const Watched watched(u"viewer"_s, {}, shortWatches());
    QTRY_VERIFY_WITH_TIMEOUT(watched.calm(alpha()), calmLimit);
    QCOMPARE(run({u"etcd"_s, u"restart"_s}).exitCode, 0);
    settles(watched);
}

void TestLabFaults::revokedToken()
{
    QCOMPARE(run({u"token"_s, u"looker"_s, u"new"_s}).exitCode, 0);
    const Watched watched(u"looker"_s, {}, shortWatches());
    QTRY_VERIFY_WITH_TIMEOUT(watched.calm(alpha()), calmLimit);
    QCOMPARE(run({u"token"_s, u"looker"_s, u"revoke"_s}).exitCode, 0);
    // The API server remembers good tokens for ten seconds
    QTRY_VERIFY_WITH_TIMEOUT(errorKind(watched) == ErrorKind::Unauthorized, soon);
    QVERIFY(freshness(watched) != "live");
    QVERIFY2(!QString::fromStdString(describe(*watched.context()->error)).contains(u"eyJ"_s), "the token is in the message");
    QTRY_VERIFY_WITH_TIMEOUT(watched.cluster(alpha())->view.freshness != patroni::Freshness::Live, soon);
    QCOMPARE(watched.told(EventCode::LockExpired), 0);
    // A new token in the same file is found without a restart, on the next attempt or at once by F5
    QCOMPARE(run({u"token"_s, u"looker"_s, u"new"_s}).exitCode, 0);
    watched.connection()->relist();
    settles(watched);
}

void TestLabFaults::rightsTakenAndGiven()
{
    const Watched watched(u"viewer"_s, {}, shortWatches());
    QTRY_VERIFY_WITH_TIMEOUT(watched.calm(alpha()), calmLimit);
    QCOMPARE(run({u"rights"_s, u"viewer"_s, u"take"_s}).exitCode, 0);
    QTRY_COMPARE_WITH_TIMEOUT(freshness(watched), "forbidden", soon);
    const std::string words = describe(*watched.context()->error);
    QVERIFY2(words.find("viewer") != std::string::npos, words.c_str());
    // Forbidden is not empty: the cluster is still shown, as what was known of it
    QVERIFY(watched.cluster(alpha()));
    QCOMPARE(code(watched.cluster(alpha())->view.freshness), code(patroni::Freshness::Forbidden));
    QCOMPARE(watched.told(EventCode::LockExpired), 0);
    QCOMPARE(run({u"rights"_s, u"viewer"_s, u"give"_s}).exitCode, 0);
    watched.connection()->relist();
    settles(watched);
}

// Two servers on one etcd. The first one goes away, and Patroni, which knows no other, stops renewing: whoever still sees the
// objects through the second sees a lock that runs out; whoever does not sees nothing, and says so.
void TestLabFaults::secondServer(const ConnectionOptions &options, bool untilExpired)
{
    QCOMPARE(run({u"api2"_s, u"start"_s}).exitCode, 0);
    const Watched one(u"operator"_s);
    const Watched two(u"operator"_s, options, shortWatches());
    QTRY_VERIFY_WITH_TIMEOUT(one.calm(alpha()) && two.calm(alpha()), calmLimit);
    QVERIFY2(two.connection()->notice().isEmpty(), qPrintable(two.connection()->notice()));
    QCOMPARE(run({u"api"_s, u"stop"_s}).exitCode, 0);
    QTRY_COMPARE_WITH_TIMEOUT(freshness(one), "stale", soon);
    QTRY_VERIFY_WITH_TIMEOUT(two.connection()->server().contains(u"192.0.2.9"_s), soon);
    if (untilExpired) {
        const auto gone = [&] {
            const patroni::LockState state = two.cluster(alpha())->lock.state;
            return state == patroni::LockState::Expired || state == patroni::LockState::Released;
        };
        QTRY_VERIFY_WITH_TIMEOUT(gone(), 3000 * ttlSeconds());
        QCOMPARE(one.told(EventCode::LockExpired), 0);
    }
    QTRY_COMPARE_WITH_TIMEOUT(freshness(two), "live", soon);
    QCOMPARE(run({u"api"_s, u"start"_s}).exitCode, 0);
    settles(one);
    settles(two);
    QCOMPARE(run({u"api2"_s, u"stop"_s}).exitCode, 0);
    settles(two);
    QTRY_VERIFY_WITH_TIMEOUT(two.connection()->server().contains(u"192.0.2.10"_s), soon);
}

void TestLabFaults::secondServerByHand()
{
    ConnectionOptions options;
    options.apiServers = QStringList{u"https://192.0.2.9:6443"_s};
    secondServer(options, true);
}

void TestLabFaults::secondServerFound()
{
    ConnectionOptions options;
    options.bypassApiService = true;
    secondServer(options, false);
}

// Whatever a test that failed half-way left behind
void TestLabFaults::cleanup()
{
    if (!QTest::currentTestFailed())
        return;
    run({u"api"_s, u"start"_s});
    run({u"api2"_s, u"stop"_s});
    run({u"rights"_s, u"viewer"_s, u"give"_s});
}

} // namespace switchyard::lab

QTEST_GUILESS_MAIN(switchyard::lab::TestLabFaults)
#include "tst_lab_faults.moc"
