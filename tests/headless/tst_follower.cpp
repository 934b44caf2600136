// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/follower.h"
#include "app/headless/readiness.h"
#include "tests/support/made_clusters.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::headless;
using namespace std::chrono_literals;
using patroni::Cluster;

namespace {

struct Output
{
    std::string text;
    bool open = true;
    Sinks sinks()
    {
        return {[this](std::string_view bytes) {
                    text += bytes;
                    return open;
                },
                [](const std::string &) {}};
    }
    qsizetype takeLines()
    {
        const auto lines = std::count(text.begin(), text.end(), '\n');
        text.clear();
        return lines;
    }
};

Options follow(Command command, std::optional<Format> f = {})
{
    Options options;
    options.command = command;
    options.follow = true;
    options.format = f;
    return options;
}

StreamState listed(Resource resource)
{
    StreamState s;
    s.resource = resource;
    s.ns = "db";
    s.listed = true;
    s.freshness = patroni::Freshness::Live;
    return s;
}

StreamState failed(Resource resource, ErrorKind kind)
{
    StreamState s;
    s.resource = resource;
    s.ns = "db";
    s.error = Error{kind};
    s.error->message = "because";
    return s;
}

} // namespace

class TestFollower : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyChangesAreRows()
    {
        Output output;
        Follower follower(follow(Command::List), output.sinks());
        Cluster c = made::healthy();
        QVERIFY(follower.update({{&c}, {}, made::now()}));
        QCOMPARE(output.takeLines(), 1);
        follower.update({{&c}, {}, made::now(10s)}); // only as_of and the lock's age moved
        QCOMPARE(output.takeLines(), 0);
        c.config->config.paused = true;
        follower.update({{&c}, {}, made::now(20s)});
        QCOMPARE(output.takeLines(), 1);
        c.config->config.paused = false; // back to what was said before: a change all the same
        follower.update({{&c}, {}, made::now(30s)});
        QCOMPARE(output.takeLines(), 1);
    }

    void halfAPictureIsNoRow()
    {
        Output output;
        Follower follower(follow(Command::Members), output.sinks());
        Cluster c = made::healthy();
        c.view.freshness = patroni::Freshness::Connecting;
        follower.update({{&c}, {}, made::now()});
        QCOMPARE(output.takeLines(), 0);
        c.view.freshness = patroni::Freshness::Live;
        follower.update({{&c}, {}, made::now()});
        QCOMPARE(output.takeLines(), 3);
        c.members[1].lag = 7;
        follower.update({{&c}, {}, made::now()});
        QVERIFY(output.text.find("acme-0") != std::string::npos);
        QCOMPARE(output.takeLines(), 1);
    }

    // Nothing of the members changed but how far it can be trusted.
    void aStaleViewIsAChange()
    {
        Output output;
        Follower follower(follow(Command::Members), output.sinks());
        Cluster c = made::healthy();
        follower.update({{&c}, {}, made::now()});
        QVERIFY(output.text.find("\"freshness\":\"live\"") != std::string::npos);
        QCOMPARE(output.takeLines(), 3);
        c = made::stale();
        follower.update({{&c}, {}, made::now()});
        QVERIFY(output.text.find("\"freshness\":\"stale\"") != std::string::npos);
        QVERIFY(output.text.find("\"role\":\"leader\"") == std::string::npos);
        QCOMPARE(output.takeLines(), 3);
        follower.update({{&c}, {}, made::now(10s)});
        QCOMPARE(output.takeLines(), 0);
        c = made::healthy();
        follower.update({{&c}, {}, made::now(20s)});
        QCOMPARE(output.takeLines(), 3);
    }

    void asOfNeverGoesBack()
    {
        Output output;
        Follower follower(follow(Command::List, Format::Csv), output.sinks());
        Cluster c = made::healthy();
        follower.update({{&c}, {}, made::now()});
        QVERIFY(output.text.find("2031-02-01T13:02:11.000000Z,healthy") != std::string::npos);
        output.text.clear();
        c = made::stale(); // its last contact was before the line that said it is live
        follower.update({{&c}, {}, made::now(30s)});
        QVERIFY2(output.text.find("2031-02-01T13:02:11.000000Z,unknown") != std::string::npos, output.text.c_str());
        output.text.clear();
        c.names.key.scope = "other"; // of which nothing was said
        follower.update({{&c}, {}, made::now(30s)});
        QVERIFY2(output.text.find("2031-02-01T13:01:23.000000Z,unknown") != std::string::npos, output.text.c_str());
    }

    void historyGrows()
    {
        Output output;
        Follower follower(follow(Command::History), output.sinks());
        Cluster c = made::healthy();
        follower.update({{&c}, {}, made::now()});
        QCOMPARE(output.takeLines(), 7);
        c.config->history.entries.push_back({8, 700000000, "x", {}, {}, {}});
        follower.update({{&c}, {}, made::now()});
        QVERIFY(output.text.find("\"timeline\":8") != std::string::npos);
        QCOMPARE(output.takeLines(), 1);
        c.config->history.entries.back().newLeader = "acme-0";
        follower.update({{&c}, {}, made::now()});
        QCOMPARE(output.takeLines(), 1);
    }

    void everyEventIsARow()
    {
        Output output;
        Follower follower(follow(Command::Events, Format::Csv), output.sinks());
        const std::vector<Event> events(2);
        follower.update({{}, events, made::now()});
        QCOMPARE(output.takeLines(), 3); // with the header, once
        follower.update({{}, events, made::now()});
        QCOMPARE(output.takeLines(), 2);
    }

    void closedPipe()
    {
        Output output;
        output.open = false;
        Follower follower(follow(Command::List), output.sinks());
        const Cluster c = made::healthy();
        QVERIFY(!follower.update({{&c}, {}, made::now()}));
    }

    void readiness_data()
    {
        QTest::addColumn<int>("kind"); // of the second stream; -1: listed, -2: nothing heard, -3: listed once, stale now
        QTest::addColumn<int>("unreadable");
        QTest::addColumn<int>("silent");
        QTest::newRow("listed") << -1 << 0 << 0;
        QTest::newRow("nothing heard") << -2 << 0 << 1;
        QTest::newRow("stale") << -3 << 0 << 1;
        QTest::newRow("forbidden") << int(ErrorKind::Forbidden) << 1 << 0;
        QTest::newRow("unauthorized") << int(ErrorKind::Unauthorized) << 1 << 0;
        QTest::newRow("no such resource") << int(ErrorKind::NotFound) << 1 << 0;
        QTest::newRow("unreachable: tried again") << int(ErrorKind::Unreachable) << 0 << 1;
        QTest::newRow("server error: tried again") << int(ErrorKind::Server) << 0 << 1;
        QTest::newRow("throttled: tried again") << int(ErrorKind::Throttled) << 0 << 1;
    }

    void readiness()
    {
        QFETCH(int, kind);
        QFETCH(int, unreadable);
        QFETCH(int, silent);
        ContextState state;
        state.context = "c";
        state.streams = {listed(Resource::Endpoints)};
        if (kind >= 0)
            state.streams.push_back(failed(Resource::Pods, static_cast<ErrorKind>(kind)));
        else if (kind != -2)
            state.streams.push_back(listed(Resource::Pods));
        if (kind == -3)
            state.streams.back().freshness = patroni::Freshness::Stale;
        const Readiness r = headless::readiness({{"c", Resource::Endpoints, "db"}, {"c", Resource::Pods, "db"}}, {state});
        QCOMPARE(int(r.unreadable.size()), unreadable);
        QCOMPARE(int(r.silent.size()), silent);
        QCOMPARE(r.settled(), silent == 0);
        for (const std::string &line : r.silent)
            QVERIFY2(line.find("c: pods of db") == 0, line.c_str());
    }

    void verifiedLocks()
    {
        Cluster held = made::healthy();
        Cluster unverified = made::healthy();
        unverified.lock.state = patroni::LockState::Unverified;
        QVERIFY(allLocksVerified({&held}));
        QVERIFY(allLocksVerified({}));
        QVERIFY(!allLocksVerified({&held, &unverified}));
    }
};

QTEST_APPLESS_MAIN(TestFollower)
#include "tst_follower.moc"
