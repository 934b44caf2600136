// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Faults in what lists and watches bring: expired versions, errors in the stream, cut and garbled bytes, objects that go and come.
#include "fault_scene.h"
#include "objects.h"

#include <QJsonArray>
#include <QTest>
#include <QTimer>

using namespace switchyard;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

static void away(Scene &s)
{
    s.api.server.stopListening();
    s.api.server.dropConnections();
}

static std::function<void(Scene &)> saying(const QByteArray &line)
{
    return [line](Scene &s) { s.api.line(line); };
}

static void unrelated(Scene &s, int times)
{
    for (int i = 0; i < times; ++i)
        s.api.put({u"leases"_s, u"kube-system"_s, u"x"_s}, [i](QJsonObject &o) { o.insert(u"spec"_s, QJsonObject{{u"n"_s, i}}); });
}

static Rows expiryRows()
{
    const auto usualAndCompacted = [](Scene &s) {
        Fault::usual(s);
        s.api.compact();
    };
    const auto as = [](MadeApi::Expiry expiry) { return [expiry](Scene &s) { s.api.expiry = expiry; }; };
    return {
        {"410 as a status",
         {.serves = "410 as HTTP",
          .sight = Sight::Stale,
          .inject = away,
          .meanwhile = usualAndCompacted,
          .prepare = as(MadeApi::Expiry::Status),
          .verify =
              [](Scene &s) {
                  QVERIFY(s.leads(s.acme, 1));
                  QCOMPARE(s.expiredLosses, 0); // a list, at once
              }}},
        {"410 as the first event",
         {.serves = "410 as event",
          .sight = Sight::Stale,
          .inject = away,
          .meanwhile = usualAndCompacted,
          .prepare = as(MadeApi::Expiry::Event),
          .verify =
              [](Scene &s) {
                  QVERIFY(s.leads(s.acme, 1));
                  QCOMPARE(s.expiredLosses, 0);
              }}},
        {"410 in a running watch",
         {.serves = "410 as event",
          .sight = Sight::Untroubled,
          .inject = saying(eventJson("ERROR", statusJson(410, "Expired", "too old resource version"))),
          .whole = false}},
        {"410 on continue",
         {.serves = "`continue` expired",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  auto once = std::make_shared<int>(0);
                  s.api.intercept = [&s, once](const ExchangePtr &x) {
                      if (!x->request().query(u"continue"_s).isEmpty() && ++*once <= 2)
                          s.api.compact();
                      return false;
                  };
                  s.connection()->relist();
              },
          .prepare = [](Scene &s) { s.times.pageSize = 2; },
          .whole = false,
          .most = 200}},
        {"410 on every continue",
         {.serves = "`continue` expired", // then the list comes in one piece
          .inject =
              [](Scene &s) {
                  s.api.intercept = [&s](const ExchangePtr &x) {
                      if (!x->request().query(u"continue"_s).isEmpty())
                          s.api.compact();
                      return false;
                  };
                  s.connection()->relist();
              },
          .prepare = [](Scene &s) { s.times.pageSize = 2; },
          .whole = false,
          .most = 600}},
        {"410 for every watch",
         {.serves = "410, no hot loop", // lists have to do
          .sight = Sight::Wavers,
          .inject =
              [](Scene &s) {
                  s.api.intercept = [](const ExchangePtr &x) {
                      if (x->request().isWatch())
                          x->answer(410, statusJson(410, "Expired", "too old resource version"));
                      return x->request().isWatch();
                  };
                  s.api.cutWatches();
              },
          .whole = false}},
        {"bookmarks, then compaction",
         {.serves = "bookmarks",
          .inject =
              [](Scene &s) {
                  unrelated(s, 50);
                  int marks = 0;
                  const auto heard = QObject::connect(s.connection(), &Connection::observed, s.connection(), [&](const Observation &o) {
                      marks += std::holds_alternative<Bookmarked>(o.what) ? 1 : 0;
                  });
                  s.api.bookmark();
                  QVERIFY(eventually(s, [&] { return marks >= 3; })); // a stream that has not heard it has to list
                  QObject::disconnect(heard);
                  s.pass(1s, false);
                  s.api.compact();
                  s.api.cutWatches();
              },
          .prepare = [](Scene &s) { s.times.listLimit = 5s, s.times.scanEvery = 60s; },
          .verify = [](Scene &s) { QCOMPARE(s.lists(s.firstRequest), 3); }}}, // of the fresh view
        {"versions go back",
         {.serves = "etcd restored",
          .sight = Sight::Stale,
          .inject = away,
          .meanwhile =
              [](Scene &s) {
                  Fault::usual(s);
                  s.api.restore(60);
              },
          .verify = [](Scene &s) { QVERIFY(s.leads(s.acme, 1)); }}},
    };
}

static Rows errorRows()
{
    return {
        {"ERROR event 500",
         {.serves = "ERROR events", .inject = saying(eventJson("ERROR", statusJson(500, "InternalError", "etcd: request timed out")))}},
        {"ERROR event 429",
         {.serves = "ERROR events, 429", .inject = saying(eventJson("ERROR", statusJson(429, "TooManyRequests", "too many requests")))}},
        {"ERROR event 400",
         {.serves = "ERROR events",
          .inject = saying(eventJson("ERROR", statusJson(400, "BadRequest", "invalid resource version"))),
          .whole = false}},
        {"watches end at once",
         {.serves = "no hot loop",
          .inject =
              [](Scene &s) {
                  s.api.intercept = [](const ExchangePtr &x) {
                      if (!x->request().isWatch())
                          return false;
                      x->startStream();
                      x->endStream();
                      return true;
                  };
                  s.api.cutWatches();
              },
          .whole = false,
          .lasts = 60}},
        {"watches end after each event",
         {.serves = "no hot loop",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  s.api.transmit = [](const ExchangePtr &x, const QByteArray &line) {
                      x->send(line);
                      x->endStream();
                      x->close();
                  };
              }}},
        {"watches end as they do",
         {.serves = "timeoutSeconds", .sight = Sight::Untroubled, .inject = [](Scene &s) { s.api.endWatches(); }}},
    };
}

// Answers the first lists with something else; asks for lists.
static std::function<void(Scene &)> badLists(int count, std::function<void(const ExchangePtr &)> answer)
{
    return [count, answer = std::move(answer)](Scene &s) {
        auto left = std::make_shared<int>(count);
        s.keeps = true; // such a list is not to be believed, not even until the next one
        s.api.intercept = [left, answer](const ExchangePtr &x) {
            if (x->request().isWatch() || x->request().query(u"limit"_s).isEmpty() || --*left < 0)
                return false;
            answer(x);
            return true;
        };
        s.connection()->relist();
    };
}

// The first line of each watch is sent in another way.
static std::function<void(Scene &)> badLine(std::function<void(const ExchangePtr &, const QByteArray &)> send)
{
    return [send = std::move(send)](Scene &s) {
        auto done = std::make_shared<QStringList>();
        s.api.transmit = [send, done](const ExchangePtr &x, const QByteArray &line) {
            const QString path = x->request().path();
            if (done->contains(path))
                return x->send(line);
            done->append(path);
            send(x, line);
        };
    };
}

static Rows byteRows()
{
    return {
        {"lists are cut short",
         {.serves = "cut bodies that Qt calls NoError",
          .inject = badLists(4,
                             [](const ExchangePtr &x) {
                                 x->answer(200,
                                           R"({"kind":"EndpointsList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]})",
                                           {{"Content-Length", "4000"}});
                                 x->close();
                             }),
          .whole = false}},
        {"chunked lists are cut short",
         {.serves = "cut bodies",
          .inject = badLists(4,
                             [](const ExchangePtr &x) {
                                 x->startStream();
                                 x->send(R"({"kind":"EndpointsList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]})");
                                 x->close();
                             }),
          .whole = false}},
        {"watches are cut within a line", {.serves = "cut bodies", .inject = badLine([](const ExchangePtr &x, const QByteArray &line) {
                                                                       x->send(line.left(line.size() / 2));
                                                                       x->reset();
                                                                   })}},
        {"watches end within a line",
         {.serves = "half a line", .inject = badLine([](const ExchangePtr &x, const QByteArray &line) {
                                       x->send(line.chopped(1)); // all of it but its end: not to be believed either
                                       x->endStream();
                                   })}},
        {"lines and characters come in pieces",
         {.serves = "half a line, split UTF-8",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  s.api.transmit = [&s](const ExchangePtr &x, const QByteArray &line) { s.api.drip(x, line, 97); };
                  s.acme.note(QString::fromUtf8("äöü€\xf0\x9f\x98\x80").repeated(20));
              },
          .verify =
              [](Scene &s) { QVERIFY(s.cluster(s.acme)->objects.at("config").annotations.at("note").ends_with("\xf0\x9f\x98\x80")); }}},
        {"a line is not UTF-8",
         {.serves = "invalid UTF-8",
          .inject = badLine([](const ExchangePtr &x, QByteArray line) { x->send(line.replace("acme", "\xff\xfe")); }),
          .whole = false}},
        {"lines of garbage",
         {.serves = "invalid lines",
          .inject = saying("<html>\n\n[]\r\nnull\n{\"type\":\"ADDED\"\n" + eventJson("WHATEVER", objectJson("x", 3))),
          .during = [](Scene &s) { QVERIFY(eventually(s, [&] { return s.lists(s.firstRequest) >= 3; })); }, // what they told is lost
          .whole = false}},
        {"lines end with CR LF",
         {.serves = "lines",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  s.api.transmit = [](const ExchangePtr &x, QByteArray line) { x->send("\r\n" + line.chopped(1) + "\r\n"); };
              }}},
        {"a line over the cap",
         {.serves = "a line over the cap",
          .inject = [](Scene &s) { s.acme.note(QString(80000, u'x')); },
          .prepare = [](Scene &s) { s.times.maxLine = 60000; },
          .verify =
              [](Scene &s) {
                  const auto &events = s.monitor->store().events();
                  QVERIFY(std::any_of(events.begin(), events.end(), [](const Event &e) {
                      return e.type == EventCode::Undecodable && e.detail.at("error").find("longer than 60000") != std::string::npos;
                  }));
              },
          .whole = false}},
        {"every event comes twice",
         {.serves = "no duplicate events",
          .sight = Sight::Untroubled,
          .inject = [](Scene &s) { s.api.transmit = [](const ExchangePtr &x, const QByteArray &line) { x->send(line + line); }; }}},
        {"old events come again",
         {.serves = "no duplicate events",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  auto old = std::make_shared<QMap<QString, QByteArray>>();
                  s.api.transmit = [old](const ExchangePtr &x, const QByteArray &line) {
                      const QString path = x->request().path();
                      if (!old->contains(path) && !line.contains("DELETED"))
                          old->insert(path, line);
                      x->send(line + old->value(path));
                  };
              }}},
        {"answers overtaken by the watch",
         {.serves = "answers out of order",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  s.pass(18s, false); // so that it is asked for
                  s.api.intercept = [&s](const ExchangePtr &x) {
                      const QStringList parts = x->request().path().split(u'/', Qt::SkipEmptyParts);
                      const QByteArray now = MadeApi::json(s.api.objects().value({parts.value(4), parts.value(3), parts.value(5)}));
                      if (parts.size() == 6)
                          QTimer::singleShot(50, &s, [x, now] { x->answer(200, now); });
                      return parts.size() == 6;
                  };
              }}},
        {"a big packed list",
         {.serves = "a gzip list with a threshold",
          .sight = Sight::Untroubled,
          .inject = [](Scene &s) { QVERIFY(s.relisted()); },
          .prepare =
              [](Scene &s) {
                  s.api.gzipFrom = 1000;
                  for (int i = 0; i < 40; ++i) {
                      s.api.put({u"endpoints"_s, u"big"_s, u"big-%1"_s.arg(i)}, [](QJsonObject &o) {
                          QJsonObject meta = o.value("metadata"_L1).toObject();
                          meta.insert(u"annotations"_s, QJsonObject{{u"a"_s, QString(50000, u'a')}});
                          o.insert(u"metadata"_s, meta);
                      });
                  }
              },
          .whole = false}},
    };
}

static Rows objectRows()
{
    return {
        {"unknown fields and wrong types",
         {.serves = "unknown fields",
          .sight = Sight::Untroubled,
          .inject =
              [](Scene &s) {
                  const auto odd = [](QJsonObject &o) {
                      o.insert(u"subsets"_s, u"none"_s);
                      o.insert(u"spec"_s, 5);
                      o.insert(u"future"_s, QJsonObject{{u"deep"_s, QJsonArray()}});
                      QJsonObject meta = o.value("metadata"_L1).toObject();
                      meta.insert(u"finalizers"_s, u"none"_s);
                      meta.insert(u"creationTimestamp"_s, 7);
                      o.insert(u"metadata"_s, meta);
                  };
                  s.api.put(s.acme.leaderId(), odd);
                  s.api.put(s.acme.configId(), odd);
                  s.api.put(s.orders.leaderId(), odd);
                  s.api.put(s.acme.podId(0), [](QJsonObject &o) { o.insert(u"spec"_s, u"x"_s); });
              }}},
        {"an object of 256 KiB",
         {.serves = "256 KiB annotation limit",
          .sight = Sight::Untroubled,
          .inject = [](Scene &s) { s.acme.note(QString(256 * 1024 - 2000, u'n')); },
          .verify =
              [](Scene &s) {
                  QCOMPARE(static_cast<int>(s.cluster(s.acme)->objects.at("config").annotations.at("note").size()), 256 * 1024 - 2000);
              }}},
        {"objects made again",
         {.serves = "deleted and re-created objects",
          .sight = Sight::Untroubled,
          .inject = [](Scene &) {},
          .meanwhile =
              [](Scene &s) {
                  s.api.erase(s.orders.leaderId());
                  s.api.erase(s.orders.configId());
                  s.orders.create();
                  s.acme.replacePod(0);
              }}},
        {"objects made again while away",
         {.serves = "deleted and re-created objects",
          .sight = Sight::Stale,
          .inject = away,
          .meanwhile =
              [](Scene &s) {
                  s.api.erase(s.orders.leaderId());
                  s.api.erase(s.orders.configId());
                  s.orders.create();
                  s.acme.replacePod(0);
                  s.api.compact();
              }}},
        {"a namespace made again",
         {.serves = "deleted and re-created namespaces",
          .sight = Sight::Untroubled,
          .inject = [](Scene &s) { s.api.eraseNamespace(u"shop"_s); },
          .meanwhile =
              [](Scene &s) {
                  s.pass(2s, false);
                  QVERIFY(eventually(s, [&] { return !s.cluster(s.orders); }));
                  s.orders.create();
              }}},
        {"a namespace made again while away",
         {.serves = "deleted and re-created namespaces",
          .sight = Sight::Stale,
          .inject = away,
          .meanwhile =
              [](Scene &s) {
                  s.api.eraseNamespace(u"shop"_s);
                  s.orders.create();
                  s.api.compact();
              }}},
        {"a cluster is gone when we come back",
         {.serves = "nothing lost",
          .sight = Sight::Stale,
          .inject = away,
          .heal =
              [](Scene &s) {
                  s.api.rest();
                  QVERIFY(eventually(s, [&] { return s.freshness() == patroni::Freshness::Live && !s.cluster(s.orders); }));
                  s.orders.create();
              },
          .meanwhile = [](Scene &s) { s.api.eraseNamespace(u"shop"_s); },
          .lasts = 5}},
    };
}

class TestFaultsStream : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void expiry_data() { addRows(expiryRows()); }
    void expiry() { playRow(expiryRows()); }
    void errors_data() { addRows(errorRows()); }
    void errors() { playRow(errorRows()); }
    void bytes_data() { addRows(byteRows()); }
    void bytes() { playRow(byteRows()); }
    void objects_data() { addRows(objectRows()); }
    void objects() { playRow(objectRows()); }
};

QTEST_GUILESS_MAIN(TestFaultsStream)
#include "tst_faults_stream.moc"
