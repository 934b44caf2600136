// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Rights against an API server whose roles change while the program runs.
#include "app/clusters/event_permits.h"
#include "app/clusters/rights.h"
#include "app/clusters/rights_book.h"
#include "tests/kube/fake_api_server.h"
#include "tests/kube/objects.h"
#include "tests/rules/granted.h"
#include "tests/support/patience.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

using namespace switchyard;
using namespace switchyard::rules;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

const QString readDb = u"get,list,watch endpoints,configmaps,pods db"_s;
const QString writeDb = u"; create endpoints db; patch endpoints db acme-failover"_s;

// Times that come only when a test says so.
RightsTimes still()
{
    return {1h, 1h, 1ms, 3};
}

RightsScope dbScope()
{
    return {{"db"}, "db", {}, {{"db", "acme-failover", Resource::Endpoints}}, false};
}

Right rightOf(const QByteArray &review)
{
    const QJsonObject a = QJsonDocument::fromJson(review)[u"spec"][u"resourceAttributes"].toObject();
    const auto text = [&](const QString &key) { return a.value(key).toString().toStdString(); };
    const std::string part = text(u"subresource"_s);
    return {{},
            text(u"verb"_s),
            text(u"group"_s),
            text(u"resource"_s) + (part.empty() ? "" : '/' + part),
            text(u"namespace"_s),
            text(u"name"_s)};
}

// An API server that answers reviews by `rules`, and lists that they allow.
class ReviewServer
{
public:
    ReviewServer()
    {
        server.setHandler([this](const ExchangePtr &x) { handle(x); });
    }
    void handle(const ExchangePtr &x)
    {
        const Request &request = x->request();
        if (request.path().endsWith(u"/selfsubjectreviews"_s))
            return x->answer(userStatus, R"({"kind":"SelfSubjectReview","status":{"userInfo":{"username":"dba"}}})");
        if (!request.path().endsWith(u"/selfsubjectaccessreviews"_s))
            return other(x);
        ++asked;
        inFlight.append(x);
        most = std::max(most, inFlight.size());
        if (!held)
            release();
    }
    void release()
    {
        for (const ExchangePtr &x : std::exchange(inFlight, {})) {
            if (status != 201) {
                x->answer(status, R"({"kind":"Status","code":)" + QByteArray::number(status) + R"(,"message":"no reviews here"})");
                continue;
            }
            const bool yes = granted(rules, rightOf(x->request().body));
            x->answer(201, verdict.isEmpty() ? QByteArray(R"({"status":{"allowed":)") + (yes ? "true" : "false") + "}}" : verdict);
        }
    }
    void other(const ExchangePtr &x)
    {
        const QString resource = x->request().path().section(u'/', -1);
        const Right list{{}, x->request().isWatch() ? "watch" : "list", "", resource.toStdString(), "db", ""};
        if (!granted(rules, list))
            return x->answer(403, R"({"kind":"Status","code":403,"reason":"Forbidden","message":"no"})");
        if (x->request().isWatch())
            return x->startStream();
        ++lists[resource];
        x->answer(200, resource == u"events"_s ? listJson("10", {}).replace("EndpointsList", "EventList") : listJson("10", {}));
    }

    QString rules = readDb;
    int status = 201, userStatus = 201;
    QByteArray verdict; // the whole answer; empty: by the rules
    bool held = false;
    int asked = 0;
    qsizetype most = 0;
    QList<ExchangePtr> inFlight;
    QMap<QString, int> lists;
    FakeApiServer server;
};

struct Asking
{
    explicit Asking(RightsTimes times = still())
        : client(api.server.config())
        , rights([this](const QString &path, const QByteArray &body, QObject *context,
                        kube::Client::Done done) { client.ask(path, body, context, std::move(done)); },
                 kube::Clock{[this] { return now; }}, times)
    {}
    Answer::Kind kind(const char *verb, const char *resource, const char *ns = "db", const char *name = "") const
    {
        for (const auto &[right, answer] : rights.answers()) {
            if (right.verb == verb && right.resource == resource && right.ns == ns && right.name == name)
                return answer.kind;
        }
        return Answer::Kind::Unknown;
    }
    Now now{Boot(5h), Instant(400000h)};
    ReviewServer api;
    kube::Client client;
    Rights rights;
};

} // namespace

class TestRights : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void asksForAllThatIsNeeded()
    {
        Asking a;
        QSignalSpy changed(&a.rights, &Rights::changed);
        a.rights.setScope(dbScope());
        QTRY_COMPARE(changed.count(), 1);
        // nine reads; create, patch of any request and any configuration, of these ones; five of what the Pods themselves answer; Events; Leases
        QCOMPARE(a.api.asked, 24);
        QVERIFY(a.api.most <= 3);
        QCOMPARE(a.kind("list", "pods"), Answer::Kind::Allowed);
        QCOMPARE(a.kind("patch", "endpoints", "db", "acme-failover"), Answer::Kind::Denied);
        QCOMPARE(a.rights.account().user, std::string("dba"));
        a.rights.setScope(dbScope()); // nothing new
        QVERIFY(!a.rights.asking());
        const Request &first = a.api.server.requests().at(1);
        QCOMPARE(first.method, QByteArray("POST"));
        QCOMPARE(first.path(), u"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"_s);
        QCOMPARE(first.body,
                 QByteArray(R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview",)"
                            R"("spec":{"resourceAttributes":{"namespace":"db","resource":"endpoints","verb":"list"}}})"));
    }

    // resource and subresource are two fields of a review
    void asksAboutSubresources()
    {
        Asking a;
        a.api.rules = readDb + u"; get pods/proxy db"_s;
        QSignalSpy changed(&a.rights, &Rights::changed);
        a.rights.setScope(dbScope());
        QTRY_COMPARE(changed.count(), 1);
        const QByteArray log = R"({"namespace":"db","resource":"pods","subresource":"log","verb":"get"})";
        const QByteArray call = R"({"namespace":"db","resource":"pods","subresource":"proxy","verb":"delete"})";
        for (const QByteArray &attributes : {log, call}) {
            const QList<Request> &all = a.api.server.requests();
            QVERIFY(std::any_of(all.begin(), all.end(), [&](const Request &r) { return r.body.contains(attributes); }));
        }
    }

    void neverManyAtATime()
    {
        Asking a;
        a.api.held = true;
        RightsScope scope = dbScope();
        for (int i = 0; i < 200; ++i)
            scope.targets.push_back({"ns" + std::to_string(i), "c-failover", Resource::Endpoints});
        a.rights.setScope(scope);
        QTRY_COMPARE(a.api.inFlight.size(), 3); // our name is known by then
        for (int i = 0; i < 20; ++i) {
            a.api.release();
            QTRY_VERIFY(!a.api.inFlight.isEmpty());
        }
        QVERIFY(a.api.most <= 3);
    }

    // All namespaces are watched, nothing may be written anywhere: namespaces far down are not asked about one by one.
    void manyNamespacesWithoutRights()
    {
        Asking a;
        a.api.rules = u"get,list,watch endpoints,configmaps,pods *"_s;
        RightsScope scope{{""}, "db", {}, {}, false};
        for (int i = 0; i < 1000; ++i)
            scope.targets.push_back({"ns" + std::to_string(i), "c-failover", Resource::Endpoints});
        QSignalSpy changed(&a.rights, &Rights::changed);
        a.rights.setScope(scope);
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(a.api.asked, int(22 + 8 * maxNamespaces + 2 * maxNamespaces));
        QCOMPARE(a.kind("patch", "endpoints", "ns0", "c-failover"), Answer::Kind::Denied);
        std::swap(scope.targets.front(), scope.targets.back()); // this one is opened now
        const int before = a.api.asked;
        a.rights.setScope(scope);
        QTRY_COMPARE(changed.count(), 2);
        QCOMPARE(a.kind("create", "endpoints", "ns999"), Answer::Kind::Denied);
        QCOMPARE(a.api.asked - before, 10);
    }

    void denialsAreAskedAboutLessAndLess()
    {
        RightsTimes times = still();
        times.doubtful = 10ms;
        Asking a(times);
        QSignalSpy changed(&a.rights, &Rights::changed);
        a.rights.setScope(dbScope());
        QTRY_VERIFY(changed.count() >= 8); // after 10, 20, 40 ... 640 ms
        const auto before = changed.count();
        QTest::qWait(150);
        QVERIFY2(changed.count() <= before + 1, qPrintable(QString::number(changed.count() - before)));
        a.rights.refresh();                                             // F5 begins anew
        QTRY_VERIFY_WITH_TIMEOUT(changed.count() >= before + 4, 15000); // else after 1.3 + 2.6 + 5.1 + 10.2 s
    }

    void aGrantIsNoticed()
    {
        Asking a;
        a.rights.setScope(dbScope());
        QTRY_COMPARE(a.kind("create", "endpoints"), Answer::Kind::Denied);
        QTRY_VERIFY(!a.rights.asking());
        a.api.rules = readDb + writeDb;
        a.rights.refresh();
        QTRY_COMPARE(a.kind("create", "endpoints"), Answer::Kind::Allowed);
        QTRY_COMPARE(a.kind("patch", "endpoints", "db", "acme-failover"), Answer::Kind::Allowed);
    }

    void aGrantIsNoticedByItself()
    {
        RightsTimes times = still();
        times.doubtful = 20ms;
        Asking a(times);
        a.rights.setScope(dbScope());
        QTRY_COMPARE(a.kind("create", "endpoints"), Answer::Kind::Denied);
        QTRY_VERIFY(!a.rights.asking());
        const auto before = a.api.server.requests().size();
        a.api.rules = readDb + u"; create,patch endpoints db"_s;
        QTRY_COMPARE(a.kind("create", "endpoints"), Answer::Kind::Allowed);
        QTRY_VERIFY(!a.rights.asking());
        for (const Request &request : a.api.server.requests().mid(before)) // what was allowed was left alone
            QVERIFY2(request.body.contains("events") || request.body.contains("leases")
                         || (!request.body.contains(R"("verb":"list")") && !request.body.contains(R"("verb":"watch")")),
                     request.body.constData());
        QCOMPARE(a.kind("patch", "endpoints", "db", "acme-failover"), Answer::Kind::Unknown); // not needed any more: dropped
        QCOMPARE(a.kind("patch", "endpoints"), Answer::Kind::Allowed);
    }

    void revokedAfterFiveMinutes()
    {
        RightsTimes times = still();
        times.all = 30ms;
        Asking a(times);
        a.api.rules = readDb + writeDb;
        a.rights.setScope(dbScope());
        QTRY_COMPARE(a.kind("create", "endpoints"), Answer::Kind::Allowed);
        a.api.rules = readDb;
        QTRY_COMPARE(a.kind("create", "endpoints"), Answer::Kind::Denied);
    }

    void aRefusalAsksAnew()
    {
        Asking a;
        a.api.rules = readDb + writeDb;
        a.rights.setScope(dbScope());
        QTRY_COMPARE(a.kind("patch", "endpoints", "db", "acme-failover"), Answer::Kind::Allowed);
        QTRY_VERIFY(!a.rights.asking());
        a.api.rules = readDb;
        const Error error{.kind = ErrorKind::Forbidden, .verb = "patch", .resource = "endpoints", .ns = "db", .name = "acme-failover"};
        a.rights.refused(error);
        QTRY_COMPARE(a.kind("patch", "endpoints", "db", "acme-failover"), Answer::Kind::Denied);
        QTRY_VERIFY(!a.rights.asking());
        const int before = a.api.asked;
        a.rights.refused(error); // known by now
        QCoreApplication::processEvents();
        QVERIFY(!a.rights.asking());
        QCOMPARE(a.api.asked, before);
    }

    void unknownIsNeitherYesNorNo_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("verdict");
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<bool>("givesUp");
        QTest::newRow("reviews forbidden") << 403 << QByteArray() << QByteArray("no reviews here") << true;
        QTest::newRow("reviews do not exist") << 404 << QByteArray() << QByteArray("no reviews here") << true;
        QTest::newRow("unauthorized") << 401 << QByteArray() << QByteArray("no reviews here") << true;
        QTest::newRow("not JSON") << 201 << QByteArray("<html>") << QByteArray("cannot be read") << false;
        QTest::newRow("no verdict") << 201 << QByteArray(R"({"status":{}})") << QByteArray("cannot be read") << false;
        QTest::newRow("not a truth value") << 201 << QByteArray(R"({"status":{"allowed":"true"}})") << QByteArray("cannot be read")
                                           << false;
        QTest::newRow("webhook down") << 201 << QByteArray(R"({"status":{"allowed":false,"evaluationError":"webhook timed out"}})")
                                      << QByteArray("webhook timed out") << false;
    }
    void unknownIsNeitherYesNorNo()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, verdict);
        QFETCH(QByteArray, reason);
        QFETCH(bool, givesUp);
        Asking a;
        QSignalSpy changed(&a.rights, &Rights::changed);
        a.rights.setScope(dbScope()); // good answers first, so that something could be kept wrongly
        QTRY_COMPARE(changed.count(), 1);
        a.api.status = status;
        a.api.verdict = verdict;
        const int before = a.api.asked;
        a.rights.refresh();
        QTRY_COMPARE(changed.count(), 2);
        for (const auto &[right, answer] : a.rights.answers()) {
            QCOMPARE(answer.kind, Answer::Kind::Unknown);
            QVERIFY2(QByteArray::fromStdString(answer.reason).contains(reason), answer.reason.c_str());
        }
        QCOMPARE(a.api.asked - before <= 3, givesUp);
    }

    void deniedOutright()
    {
        Asking a;
        a.api.verdict = R"({"status":{"allowed":false,"denied":true,"reason":"not today","evaluationError":"another authorizer is down"}})";
        a.rights.setScope(dbScope());
        QTRY_COMPARE(a.kind("list", "pods"), Answer::Kind::Denied);
        QCOMPARE(a.rights.answers().begin()->second.reason, std::string("not today"));
    }

    void anOldServerDoesNotTellTheName()
    {
        Asking a;
        a.api.userStatus = 404;
        a.rights.setScope(dbScope());
        QTRY_COMPARE(a.kind("list", "pods"), Answer::Kind::Allowed);
        QCOMPARE(a.rights.account().user, std::string());
    }

    void noAnswerThenAnswers()
    {
        Asking a;
        a.api.status = 401;
        QSignalSpy changed(&a.rights, &Rights::changed);
        a.rights.setScope(dbScope());
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(a.kind("list", "pods"), Answer::Kind::Unknown);
        a.api.status = 201;
        a.rights.reached();
        QTRY_COMPARE(a.kind("list", "pods"), Answer::Kind::Allowed);
        QTRY_VERIFY(!a.rights.asking());
        const int before = a.api.asked;
        a.rights.reached(); // nothing is open
        QCoreApplication::processEvents();
        QVERIFY(!a.rights.asking());
        QCOMPARE(a.api.asked, before);
    }

    // The whole way: a watch is refused, the right comes, the list is read again at once although its back-off is long.
    void aListThatBecomesAllowedIsReadAtOnce()
    {
        ReviewServer api;
        api.rules = u"get,list,watch endpoints,configmaps db"_s;
        Monitor monitor(kube::systemClock());
        RightsTimes times = still();
        times.doubtful = 50ms;
        RightsBook book(&monitor, times);
        kube::WatchTimes slow;
        slow.backoffMin = slow.backoffMax = slow.refusedMin = slow.refusedMax = slow.refusedPoll = slow.refusedAgain = 1h;
        monitor.open(api.server.config(), QStringList{u"db"_s}, slow);
        book.update();
        Rights *rights = book.of("test");
        QVERIFY(rights);
        const Right list{RightUse::List, "list", "", "pods", "db", ""};
        QTRY_COMPARE(answerFor(rights->answers(), list).kind, Answer::Kind::Denied);
        QTRY_COMPARE(api.lists.value(u"endpoints"_s), 1);
        QCOMPARE(api.lists.value(u"pods"_s), 0);
        api.rules = readDb;
        QTRY_COMPARE(api.lists.value(u"pods"_s), 1);
        QTRY_COMPARE(answerFor(rights->answers(), list).kind, Answer::Kind::Allowed); // the list's own success may be first
        monitor.close(u"test"_s);
        book.update();
        QVERIFY(!book.of("test"));
    }

    // Taken away while a list runs into it: the answer changes without waiting for the five minutes.
    void aRefusedListAsksAnew()
    {
        ReviewServer api;
        Monitor monitor(kube::systemClock());
        RightsBook book(&monitor, still());
        Connection *connection = monitor.open(api.server.config(), QStringList{u"db"_s});
        book.update();
        const Right list{RightUse::List, "list", "", "pods", "db", ""};
        QTRY_COMPARE(answerFor(book.of("test")->answers(), list).kind, Answer::Kind::Allowed);
        QTRY_COMPARE(api.lists.value(u"pods"_s), 1);
        api.rules = u"get,list,watch endpoints,configmaps db"_s;
        connection->relist();
        QTRY_COMPARE(answerFor(book.of("test")->answers(), list).kind, Answer::Kind::Denied);
    }

    void eventsAreReadWherePermitted_data()
    {
        QTest::addColumn<QString>("rules");
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("read");
        QTest::addColumn<bool>("refused"); // said to be
        QTest::newRow("permitted") << readDb + u"; list,watch events db"_s << 201 << true << false;
        QTest::newRow("not permitted") << readDb << 201 << false << true;
        QTest::newRow("no watch") << readDb + u"; list events db"_s << 201 << false << true;
        QTest::newRow("nobody tells") << readDb + u"; list,watch events db"_s << 404 << false << false;
    }
    void eventsAreReadWherePermitted()
    {
        QFETCH(QString, rules);
        QFETCH(int, status);
        QFETCH(bool, read);
        QFETCH(bool, refused);
        ReviewServer api;
        api.rules = rules;
        api.status = status;
        api.held = true;
        Monitor monitor(kube::systemClock());
        int said = 0;
        connect(&monitor, &Monitor::observed, &monitor,
                [&](const Observation &o) { said += o.resource == Resource::Events && std::holds_alternative<Lost>(o.what) ? 1 : 0; });
        monitor.open(api.server.config(), QStringList{u"db"_s});
        EventPermits permits(&monitor, 1h);
        permits.ask();
        QVERIFY(!permits.settled());
        QTRY_COMPARE(api.inFlight.size(), 2); // no more than that
        QVERIFY(!permits.settled());
        QCOMPARE(api.lists.value(u"events"_s), 0);
        api.release();
        QTRY_VERIFY(permits.settled());
        QCOMPARE(api.lists.contains(u"events"_s), read);
        QCOMPARE(said, refused ? 1 : 0);
        permits.ask(); // nothing new
        QVERIFY(permits.settled());
    }

    void eventsAreAskedAboutAgain()
    {
        ReviewServer api;
        Monitor monitor(kube::systemClock());
        monitor.open(api.server.config(), QStringList{u"db"_s});
        EventPermits permits(&monitor, 30ms);
        permits.ask();
        QTRY_VERIFY(permits.settled() && api.asked >= 2);
        QCOMPARE(api.lists.value(u"events"_s), 0);
        api.rules = readDb + u"; list,watch events db"_s;
        QTRY_VERIFY(api.lists.contains(u"events"_s));
    }
};

QTEST_GUILESS_MAIN(TestRights)
#include "tst_rights.moc"
