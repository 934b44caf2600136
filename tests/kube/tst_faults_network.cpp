// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Faults of the network, of TLS, of time and of whatever stands between: a whole connection suffers each of them once.
//
// Guards of the three programs tst_faults_* that were taken away by hand, and what the rows did:
//   log-in page for everything               fails  WatchStream::good: the content type
//   proxy holds the events of watches back   fails  Watch::resume: a second resume in vain lists
//   server stands still                      fails  Monitor::advance: probes
//   the machine sleeps, the wall clock is    fails  Monitor::tick: clocks that jumped
//     set back, is set forward
//   a line is not UTF-8                      fails  Watch::mendSoon
//   bookmarks, then compaction               fails  Watch::onEvent: the version of a bookmark
//   watches end at once                      fails  Watch::onCleanEnd: wait, then list
//   410 in a running watch                   fails  Watch::onFailedEvent: expired means list
// Sharpened since, and not tried again: 410 as a status and as the first event (Scene::expiredLosses; a list follows anyhow), lines of
// garbage (the lists that follow), lists are cut short (Scene::keeps). A line over the cap is covered twice: LineSplitter has one
// limit for whole lines and one for those under way.
// ConfigMaps are watched by their metadata alone in every row.
// Failed before their guard was written: 410 on every continue, 410 for every watch, versions go back.
// Not tried: all other rows.
#include "fault_scene.h"
#include "objects.h"

#include <QTest>
#include <QTimer>

using namespace switchyard;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// Every request is answered so from now on; the watches of before are cut.
static std::function<void(Scene &)> answering(std::function<void(const ExchangePtr &)> answer)
{
    return [answer = std::move(answer)](Scene &s) {
        s.api.intercept = [answer](const ExchangePtr &x) {
            answer(x);
            return true;
        };
        s.api.cutWatches();
    };
}

static void away(Scene &s)
{
    s.api.server.stopListening();
    s.api.server.dropConnections();
}

// Lists, and waits until it is watched again: of what happens during a list only the end is seen.
static void listAnew(Scene &s)
{
    const auto watches = [&s] {
        const auto &all = s.api.server.requests();
        return std::count_if(all.begin(), all.end(), [](const Request &r) { return r.isWatch(); });
    };
    const auto before = watches();
    s.connection()->relist();
    QVERIFY(eventually(s, [&] { return watches() >= before + 3; }));
}

static Rows connectionRows()
{
    return {
        {"server stands still",
         {.serves = "half-open connections (frozen peer)",
          .sight = Sight::Stale,
          .inject = [](Scene &s) { s.api.freeze(); },
          .says = "no answer within"}},
        {"connections go half-open", {.serves = "half-open connections", .inject = [](Scene &s) { s.api.halfOpen(); }}},
        {"server restarts", {.serves = "server restart", .sight = Sight::Stale, .inject = away, .says = "refused"}},
        {"server ends in good order",
         {.serves = "server restart",
          .sight = Sight::Stale,
          .inject =
              [](Scene &s) {
                  s.api.server.stopListening();
                  s.api.endWatches();
                  s.api.server.closeConnections();
              },
          .says = "refused"}},
        {"all connections are reset", {.serves = "network away and back", .inject = [](Scene &s) { s.api.server.dropConnections(); }}},
        {"all connections are closed", {.serves = "network away and back", .inject = [](Scene &s) { s.api.server.closeConnections(); }}},
        {"connections are reset again and again",
         {.serves = "network away and back",
          .inject =
              [](Scene &s) {
                  for (int i = 0; i < 5; ++i) {
                      s.api.server.dropConnections();
                      s.pass(1s);
                  }
              }}},
        {"network away for long",
         {.serves = "network away and back", .sight = Sight::Stale, .inject = away, .says = "refused", .lasts = 200, .most = 250}},
        {"accepts and closes without a word",
         {.serves = "server restart",
          .sight = Sight::Stale,
          .inject = answering([](const ExchangePtr &x) { x->close(); }),
          .says = "closed the connection"}},
    };
}

static Rows betweenRows()
{
    return {
        {"proxy holds watches back",
         {.serves = "proxies that buffer",
          .sight = Sight::Stale,
          .inject =
              [](Scene &s) {
                  s.api.intercept = [](const ExchangePtr &x) { return x->request().isWatch(); };
                  s.api.cutWatches();
              },
          .says = "no answer within"}},
        {"proxy holds the events of watches back",
         {.serves = "proxies that buffer",
          .inject =
              [](Scene &s) {
                  s.api.intercept = [](const ExchangePtr &x) {
                      if (x->request().isWatch())
                          x->startStream();
                      return x->request().isWatch();
                  };
                  s.api.cutWatches();
              },
          .heal =
              [](Scene &s) {
                  s.api.rest();
                  s.api.server.dropConnections();
                  s.pass(1s);
              },
          .whole = false, // lists only
          .lasts = 60,
          .most = 400}}, // each step of a slow machine asks for lists
        {"log-in page for everything",
         {.serves = "never old data as new",
          .sight = Sight::Stale,
          .inject = answering([](const ExchangePtr &x) {
              x->answer(200, "<html>log in</html>\n", {{"Content-Type", "text/html"}});
          })}},
        {"redirection for everything",
         {.serves = "never old data as new",
          .sight = Sight::Stale,
          .inject = answering([](const ExchangePtr &x) {
              x->answer(302, "", {{"Location", "https://127.0.0.1:9/login"}});
          }),
          .says = "redirection"}},
        {"503 for everything",
         {.serves = "503",
          .sight = Sight::Stale,
          .inject = answering([](const ExchangePtr &x) {
              x->answer(503, "<html/>", {{"Content-Type", "text/html"}});
          }),
          .says = "503"}},
        {"500 for everything",
         {.serves = "server restart (etcd away)",
          .sight = Sight::Stale,
          .inject = answering([](const ExchangePtr &x) { x->answer(500, statusJson(500, "InternalError", "etcdserver: no leader")); }),
          .says = "no leader"}},
        {"429 with Retry-After",
         {.serves = "429 with Retry-After",
          .sight = Sight::Stale,
          .inject = answering([](const ExchangePtr &x) {
              x->answer(429, statusJson(429, "TooManyRequests", "slow down"), {{"Retry-After", "1"}});
          }),
          .says = "slow down",
          .most = 120}},
        {"answers trickle",
         {.serves = "a slow line",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  s.api.trickleBy = 100;
                  listAnew(s);
              },
          .prepare = [](Scene &s) { s.times.listLimit = 5s; }}},
        {"every answer ends its connection",
         {.serves = "--goaway-chance",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  s.api.goaway = true;
                  listAnew(s);
              }}},
        {"answers are slow",
         {.serves = "a slow server",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  s.api.delay = 100ms;
                  s.connection()->relist();
              },
          .whole = false}}, // of what happens during a list only the end is seen
    };
}

static Rows tlsRows()
{
    return {
        {"server certificate is renewed",
         {.serves = "TLS certificate replaced while connected",
          .inject =
              [](Scene &s) {
                  s.api.server.setCertificate(u"server-new.crt"_s, u"server-new.key"_s);
                  s.api.server.dropConnections();
              }}},
        {"server certificate of a stranger",
         {.serves = "TLS certificate replaced while connected",
          .sight = Sight::Stale,
          .inject =
              [](Scene &s) {
                  s.api.server.setCertificate(u"server-strange.crt"_s, u"server-strange.key"_s);
                  s.api.server.dropConnections();
              },
          .heal = [](Scene &s) { s.api.server.setCertificate(u"server.crt"_s, u"server.key"_s); },
          .says = "no trusted TLS connection"}},
    };
}

static Rows timeRows()
{
    return {
        {"the machine sleeps",
         {.serves = "sleep/resume (clock jump)",
          .inject =
              [](Scene &s) {
                  s.api.halfOpen(); // nobody keeps a connection for eight hours
                  s.now.boot += 8h;
                  s.now.wall += 8h;
                  s.monitor->tick();
                  QVERIFY(s.everStale);
              },
          .whole = false}},
        {"the wall clock is set back",
         {.serves = "sleep/resume (clock jump)",
          .inject =
              [](Scene &s) {
                  s.now.wall -= 1h;
                  s.monitor->tick();
                  QVERIFY(s.everStale);
              }}},
        {"the wall clock is set forward",
         {.serves = "sleep/resume (clock jump)",
          .inject =
              [](Scene &s) {
                  s.now.wall += 1h;
                  s.monitor->tick();
                  QVERIFY(s.everStale);
              }}},
        {"the server's clock is wrong",
         {.serves = "skew of the server's clock",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  s.api.dateOffset = -2h;
                  listAnew(s);
              }}},
    };
}

class TestFaultsNetwork : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nothing()
    {
        play({.serves = "the suite itself", .sight = Sight::Untroubled, .inject = [](Scene &) {}});
    }
    void connection_data() { addRows(connectionRows()); }
    void connection() { playRow(connectionRows()); }
    void between_data() { addRows(betweenRows()); }
    void between() { playRow(betweenRows()); }
    void tls_data() { addRows(tlsRows()); }
    void tls() { playRow(tlsRows()); }
    void time_data() { addRows(timeRows()); }
    void time() { playRow(timeRows()); }
};

QTEST_GUILESS_MAIN(TestFaultsNetwork)
#include "tst_faults_network.moc"
