// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dossier/document.h"
#include "app/dossier/dossier_words.h"
#include "models/patroni/config_paths.h"
#include "tests/support/made_clusters.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace switchyard;
using namespace switchyard::dossier;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using patroni::EvidenceCode;
using patroni::TransitionKind;

Q_DECLARE_METATYPE(switchyard::CauseCode)
Q_DECLARE_METATYPE(switchyard::Certainty)
Q_DECLARE_METATYPE(switchyard::patroni::TransitionKind)

namespace {

const Instant lost = made::instant("2031-02-01T13:00:00.120Z");
const Instant gained = made::instant("2031-02-01T13:00:31.402Z");

patroni::Snapshot snapshot(const std::string &object, const char *version, Instant seen, std::map<std::string, std::string> annotations)
{
    const Now now = made::now();
    return {object, version, now.boot - (now.wall - seen), std::move(annotations)};
}

patroni::Evidence evidence(EvidenceCode code, const char *detail, std::optional<Instant> at = {})
{
    return {code, "acme-2", detail, at};
}

Event anEvent(EventCode type, Instant wall, const patroni::ClusterKey &key)
{
    Event e;
    e.type = type;
    e.cluster = key;
    e.wall = wall;
    return e;
}

// acme-2 was killed, acme-1 took over; all of the four objects changed.
struct Scene
{
    Scene()
    {
        cluster.snapshots = {
            snapshot("acme", "100", lost - 1h,
                     {{"leader", "acme-2"},
                      {"renewTime", "a"},
                      {"optime", "1"},
                      {"acquireTime", "2031-02-01T09:00:00+00:00"},
                      {"transitions", "6"}}),
            snapshot(
                "acme-config", "101", lost - 1h,
                {{"config",
                  R"({"ttl":30,"postgresql":{"parameters":{"max_connections":100},"authentication":{"superuser":{"password":"old-s3cret"}}}})"},
                 {"history", R"([[6,402653344,"no recovery target specified","2031-01-31T22:05:30+00:00","acme-2"]])"}}),
            snapshot("acme-failover", "102", lost - 1h, {}),
            snapshot("acme", "200", gained,
                     {{"leader", "acme-1"},
                      {"renewTime", "b"},
                      {"optime", "2"},
                      {"acquireTime", "2031-02-01T13:00:31.300+00:00"},
                      {"transitions", "7"}}),
            snapshot(
                "acme-config", "201", gained + 2s,
                {{"config",
                  R"({"ttl":30,"postgresql":{"parameters":{"max_connections":100},"authentication":{"superuser":{"password":"new-s3cret"}}}})"},
                 {"history",
                  R"([[6,402653344,"no recovery target specified","2031-01-31T22:05:30+00:00","acme-2"],[7,668991488,"no recovery target specified","2031-02-01T13:00:31.100+00:00","acme-1"]])"}}),
            snapshot("acme", "900", gained + 1h, {{"leader", "acme-0"}}), // long after
        };
        transition = made::transition(TransitionKind::LockExpired, "acme-2", "acme-1", 8, gained, gained - lost);
        transition.id = "t-1";
        transition.timelineBefore = 7;
        transition.gainedSource = patroni::Source::Live;
        transition.evidence = {evidence(EvidenceCode::Expired, "30"),
                               evidence(EvidenceCode::ContainerTerminated, "OOMKilled 137", lost + 880ms)};
        transition.writableAt = gained + 1s;
        events = {anEvent(EventCode::LockLate, lost + 20s, cluster.names.key), anEvent(EventCode::LeaderChanged, gained, cluster.names.key),
                  anEvent(EventCode::LockLate, lost + 20s, {"prod-eu", "payments", "other", {}, "other"}),
                  anEvent(EventCode::ConnectionLost, lost + 5s, {"prod-eu", "", "", {}, ""}),
                  anEvent(EventCode::PauseOn, lost - 1h, cluster.names.key)};
    }
    Dossier make() const
    {
        DossierInput input;
        input.cluster = &cluster;
        input.transition = &transition;
        input.events = events;
        input.audit = audit;
        input.notes = notes;
        input.now = made::now();
        return makeDossier(input);
    }

    patroni::Cluster cluster = made::healthy();
    patroni::Transition transition;
    std::vector<Event> events;
    std::vector<DossierAudit> audit;
    std::vector<DossierNote> notes;
};

const ObjectDiff &diff(const Dossier &d, std::string_view role)
{
    static const ObjectDiff none;
    for (const ObjectDiff &one : d.objects) {
        if (one.role == role)
            return one;
    }
    return none;
}

QStringList changes(const ObjectDiff &d)
{
    QStringList all;
    for (const FieldChange &c : d.changes)
        all << QString::fromStdString(c.field + ": " + c.before.value_or("-") + " > " + c.after.value_or("-"));
    return all;
}

QStringList sequence(const Dossier &d)
{
    QStringList all;
    for (const DossierMoment &m : d.sequence) {
        const auto what = m.event ? code(m.event->type) : m.evidence ? patroni::code(m.evidence->code) : code(m.kind);
        all << QString::fromStdString(formatUtc(m.at)).mid(14, 9) + u' ' + QString::fromUtf8(code(m.clock).data()) + u' '
                + QString::fromUtf8(what.data());
    }
    return all;
}

} // namespace

class TestDossier : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFourObjects()
    {
        const Dossier d = Scene().make();
        QCOMPARE(d.objects.size(), 4U);
        const QStringList leader{u"acquireTime: 2031-02-01T09:00:00+00:00 > 2031-02-01T13:00:31.300+00:00"_s, u"leader: acme-2 > acme-1"_s,
                                 u"transitions: 6 > 7"_s};
        QCOMPARE(changes(diff(d, "leader")), leader); // no renewTime, no optime
        QCOMPARE(diff(d, "leader").versionBefore, "100");
        QCOMPARE(diff(d, "leader").versionAfter, "200"); // not what came an hour later
        const QStringList config{u"config.postgresql.authentication.superuser.password: *** > ***"_s,
                                 u"history.7: - > 668991488, no recovery target specified, 2031-02-01T13:00:31.100+00:00, acme-1"_s};
        QCOMPARE(changes(diff(d, "config")), config);
        QVERIFY(diff(d, "failover").bothSeen() && diff(d, "failover").changes.empty());
        QVERIFY(!diff(d, "sync").seenBefore && !diff(d, "sync").seenAfter); // never seen is not "nothing changed"
        QVERIFY(markdown(documentOf(d)).contains(u"acme-sync: before not seen; after not seen"_s));
    }

    void stateBeforeIsNotGuessed()
    {
        Scene scene;
        std::erase_if(scene.cluster.snapshots, [](const patroni::Snapshot &s) { return s.resourceVersion == "100"; });
        const Dossier d = scene.make();
        QVERIFY(!diff(d, "leader").seenBefore);
        QVERIFY(diff(d, "leader").seenAfter);
        QVERIFY(markdown(documentOf(d)).contains(u"| leader | unknown | acme-1 |"_s));
    }

    void orderAndClocks()
    {
        const QStringList expected{u"00:00.120 ours last-renewal"_s,    u"00:01.000 api-server container-terminated"_s,
                                   u"00:05.120 ours connection-lost"_s, u"00:20.120 ours lock-late"_s,
                                   u"00:31.300 member lock-taken"_s,    u"00:31.402 ours leader-changed"_s,
                                   u"00:32.402 ours writable"_s};
        QCOMPARE(sequence(Scene().make()), expected);
    }

    // What belongs to the transitions before and after is told in theirs.
    void neighboursStayOut()
    {
        Scene scene;
        patroni::Transition before = made::transition(TransitionKind::Switchover, "acme-0", "acme-2", 7, lost - 30s, 1s);
        patroni::Transition after = made::transition(TransitionKind::Switchover, "acme-1", "acme-0", 9, gained + 40s, 1s);
        scene.cluster.transitions = {before, scene.transition, after};
        scene.transition = scene.cluster.transitions[1];
        for (const Duration at : {-40s, -20s, 70s, 71s})
            scene.events.push_back(anEvent(EventCode::SyncChanged, lost + at, scene.cluster.names.key));
        const QStringList found = sequence(scene.make());
        QVERIFY(found.contains(u"59:40.120 ours sync-changed"_s));
        QCOMPARE(found.filter(u"sync-changed"_s).size(), 2);
        QVERIFY(found.contains(u"01:10.120 ours sync-changed"_s));
    }

    // An evidence that an event tells, too, is one line.
    void nothingIsToldTwice()
    {
        Scene scene;
        scene.transition.evidence.push_back(evidence(EvidenceCode::Requested, "", lost));
        scene.events.push_back(anEvent(EventCode::RequestWritten, lost, scene.cluster.names.key));
        QCOMPARE(sequence(scene.make()).filter(u"request"_s), QStringList(u"00:00.120 ours request-written"_s));
    }

    void timesToTheMillisecond()
    {
        QCOMPARE(timeOf(gained), u"2031-02-01 13:00:31.402 UTC"_s);
        const QString page = markdown(documentOf(Scene().make()));
        QVERIFY(page.contains(u"| 2031-02-01 13:00:31.300 UTC | of acme-1 | acme-1 took the lock. |"_s));
        QVERIFY(page.contains(u"| 2031-02-01 13:00:01.000 UTC | Kubernetes' | A container of acme-2 ended: OOMKilled 137. |"_s));
    }

    void clocksOfEvidence()
    {
        using E = EvidenceCode;
        const Instant whole = made::instant("2031-02-01T13:00:02Z"), sight = whole + 830ms;
        const std::vector<std::tuple<E, Instant, const char *>> rows{{E::ContainerTerminated, whole, "api-server"},
                                                                     {E::ContainerTerminated, sight, "ours"}, // it had no time
                                                                     {E::PodNotReady, whole, "api-server"},
                                                                     {E::PodNotReady, sight, "ours"},
                                                                     {E::PodFailed, whole, "api-server"},
                                                                     {E::PodFailed, sight, "ours"}, // by a condition, by its phase
                                                                     {E::ClusterEvent, sight, "api-server"},
                                                                     {E::ContainerRestarted, sight, "ours"},
                                                                     {E::PodGone, sight, "ours"},
                                                                     {E::MemberState, sight, "ours"},
                                                                     {E::Requested, whole, "ours"},
                                                                     {E::Released, whole, "ours"},
                                                                     {E::Expired, whole, "ours"}};
        for (const auto &[seen, at, clock] : rows) {
            Scene scene;
            scene.events.clear();
            scene.transition.evidence = {evidence(seen, "", at)};
            const QString expected = QString::fromStdString(formatUtc(at)).mid(14, 9) + u' ' + QString::fromUtf8(clock) + u' '
                + QString::fromUtf8(patroni::code(seen).data());
            const QStringList found = sequence(scene.make());
            QVERIFY2(found.contains(expected), qPrintable(expected + u" not in "_s + found.join(u", "_s)));
        }
    }

    void anInferredLossIsNotToldAsSeen()
    {
        Scene scene;
        scene.transition.lostSource = patroni::Source::Inferred;
        scene.transition.gapUncertainty = 15500ms;
        const Dossier d = scene.make();
        QVERIFY(sequence(d).contains(u"00:00.120 inferred last-renewal"_s));
        const QString page = markdown(documentOf(d));
        const QString span = u"between 2031-02-01 12:59:44.620 UTC and 2031-02-01 13:00:15.620 UTC"_s;
        for (const QString &said :
             {u"| about 2031-02-01 13:00:00.120 UTC | inferred | Inferred, not seen: acme-2 must have stopped renewing the lock %1. |"_s
                  .arg(span),
              u"| Last renewal of the old leader | %1 (inferred) |"_s.arg(span),
              u"the lock had not been renewed for 31 s, give or take 16 s."_s, u"| No renewal for | 31 s, give or take 16 s |"_s})
            QVERIFY2(page.contains(said), qPrintable(said + u'\n' + page));
        QVERIFY(!page.contains(u"that was seen"_s));
        scene.transition.gapUncertainty.reset();
        QVERIFY(markdown(documentOf(scene.make())).contains(u"must have stopped renewing the lock about then."_s));
        // Out of an archive, which does not say so: its evidence has no time then.
        scene.transition.lostSource = patroni::Source::Archive;
        QVERIFY(sequence(scene.make()).contains(u"00:00.120 inferred last-renewal"_s));
        scene.transition.evidence[0].at = lost;
        QVERIFY(sequence(scene.make()).contains(u"00:00.120 ours last-renewal"_s));
    }

    void doubtIsNotMadeLess()
    {
        const auto said = [](Duration doubt) {
            Scene scene;
            scene.transition.gapUncertainty = doubt;
            return documentOf(scene.make()).sentence.section(u"give or take "_s, 1);
        };
        QCOMPARE(said(2500ms), u"2.5 s."_s);
        QCOMPARE(said(2510ms), u"2.6 s."_s);
        QCOMPARE(said(9950ms), u"10 s."_s);
        QCOMPARE(said(500ms + 1us), u"501 ms."_s);
        QCOMPARE(said(59500ms), u"1 min."_s);
        QCOMPARE(said(61500ms), u"1 min 2 s."_s);
        QCOMPARE(said(1h + 1s), u"1 h 1 min."_s);
        QCOMPARE(timeOfEnd(gained), timeOf(gained));
        QCOMPARE(timeOfEnd(gained + 1us), u"2031-02-01 13:00:31.403 UTC"_s);
    }

    // The lock was held for its ttl after the last renewal.
    void anExpiryIsToldOnceAndWhenItWas()
    {
        Scene scene;
        scene.transition.evidence[0].at = lost;
        QCOMPARE(sequence(scene.make()).filter(u"expired"_s), QStringList(u"00:30.120 ours expired"_s));
        const QString known = u"| Lock expired | 2031-02-01 13:00:30.120 UTC |"_s;
        QVERIFY(markdown(documentOf(scene.make())).contains(known));
        Event expired = anEvent(EventCode::LockExpired, gained, scene.cluster.names.key); // said when it was taken
        expired.detail = {{"holder", "acme-2"}, {"ttl", "30"}, {"expired_at", formatUtc(lost + 30s)}};
        scene.events.push_back(expired);
        QCOMPARE(sequence(scene.make()).filter(u"expired"_s), QStringList(u"00:30.120 ours lock-expired"_s));
        QVERIFY(sequence(scene.make()).contains(u"00:00.120 ours last-renewal"_s));
        const QString page = markdown(documentOf(scene.make()));
        for (const QString &said : {known, u"| The lock was not renewed for 30 s, and expired. | 2031-02-01 13:00:30.120 UTC |"_s,
                                    u"| Last renewal of the old leader | 2031-02-01 13:00:00.120 UTC |"_s, u"| No renewal for | 31 s |"_s})
            QVERIFY2(page.contains(said), qPrintable(said + u'\n' + page));
        QVERIFY(!page.contains(u"Lock lost"_s) && !page.contains(u"obody led"_s));
        scene.events.back().detail.erase("expired_at"); // not known when
        QCOMPARE(sequence(scene.make()).filter(u"expired"_s), QStringList(u"00:31.402 ours lock-expired"_s));
        QVERIFY(!markdown(documentOf(scene.make())).contains(u"| Lock expired |"_s));
    }

    void aReleasedLockIsLost()
    {
        Scene scene;
        scene.transition.kind = TransitionKind::ReTaken; // it may have let it go before
        scene.transition.evidence = {evidence(EvidenceCode::Released, "")};
        QVERIFY(!ranOut(scene.transition));
        QVERIFY(sequence(scene.make()).contains(u"00:00.120 ours lock-lost"_s));
        const QString page = markdown(documentOf(scene.make()));
        QVERIFY(page.contains(u"| Lock lost | 2031-02-01 13:00:00.120 UTC |"_s) && page.contains(u"| Nobody led for | 31 s |"_s));
        scene.transition.kind = TransitionKind::Failover; // asked for when the leader was dead
        scene.transition.evidence = {evidence(EvidenceCode::Expired, "30")};
        QVERIFY(ranOut(scene.transition));
    }

    void sentencesAreWhole()
    {
        patroni::Evidence restarted = evidence(EvidenceCode::ContainerRestarted, "0 1");
        QCOMPARE(evidenceSentence(restarted), u"Restarts of a container of acme-2: from 0 to 1."_s);
        patroni::Transition t = made::transition(TransitionKind::LockExpired, "acme-2", "acme-1", 8, gained, 5s);
        t.evidence = {restarted};
        QCOMPARE(causeSentence(likelyCause(t, nullptr), t), u"A container of acme-2 ended or was restarted (restarts: from 0 to 1)."_s);
        QCOMPARE(evidenceSentence(evidence(EvidenceCode::ClusterEvent, "Evicted: was using 1Gi.")),
                 u"Kubernetes said of acme-2: Evicted: was using 1Gi."_s);
        QCOMPARE(evidenceSentence(evidence(EvidenceCode::ClusterEvent, "Killing")), u"Kubernetes said of acme-2: Killing."_s);
        DossierMoment moment;
        moment.kind = MomentKind::Happened;
        moment.event = anEvent(EventCode::PodEvidence, gained, {"prod-eu", "payments", "acme", {}, "acme"});
        moment.event->detail = {{"kind", "cluster-event"},
                                {"member", "acme-2"},
                                {"source", "kubelet"},
                                {"reason", "Evicted"},
                                {"message", "It was using 1Gi."}};
        QCOMPARE(momentSentence(moment, t), u"kubelet says of acme-2: Evicted: It was using 1Gi."_s);
    }

    void historyHasTheMembersClock()
    {
        Scene scene;
        scene.transition = made::transition(TransitionKind::Unknown, "acme-2", "acme-1", 8, gained, 0s);
        scene.events.clear();
        scene.cluster.snapshots.clear();
        const Dossier d = scene.make();
        QCOMPARE(sequence(d), QStringList(u"00:31.402 member timeline-began"_s));
        QVERIFY(d.cause.code == CauseCode::NotWatched);
        QVERIFY(markdown(documentOf(d)).contains(u"how long nobody led is not known"_s));
    }

    void causes_data()
    {
        QTest::addColumn<TransitionKind>("kind");
        QTest::addColumn<QList<int>>("seen");
        QTest::addColumn<QString>("detail");
        QTest::addColumn<CauseCode>("cause");
        QTest::addColumn<Certainty>("sure");
        const auto row = [](const char *name, TransitionKind kind, const QList<EvidenceCode> &seen, const char *detail, CauseCode cause,
                            Certainty sure) {
            QList<int> codes;
            for (const EvidenceCode c : seen)
                codes << int(c);
            QTest::newRow(name) << kind << codes << QString::fromUtf8(detail) << cause << sure;
        };
        using K = TransitionKind;
        using E = EvidenceCode;
        using C = CauseCode;
        row("silent", K::LockExpired, {E::Expired}, "30", C::FellSilent, Certainty::None);
        row("nothing seen", K::LockExpired, {}, "", C::FellSilent, Certainty::None);
        row("out of memory", K::LockExpired, {E::Expired, E::ContainerTerminated}, "OOMKilled 137", C::OutOfMemory, Certainty::Likely);
        row("told by an event only", K::LockExpired, {E::ClusterEvent}, "OOMKilled: x", C::OutOfMemory, Certainty::Likely);
        row("crashed", K::LockExpired, {E::ContainerTerminated}, "Error 1", C::ContainerDied, Certainty::Likely);
        row("restarted", K::LockExpired, {E::ContainerRestarted}, "0 to 1", C::ContainerDied, Certainty::Possible);
        row("evicted", K::LockExpired, {E::PodFailed, E::PodGone}, "Evicted", C::PodFailed, Certainty::Likely);
        row("deleted", K::LockReleased, {E::Released, E::PodGone}, "", C::PodDeleted, Certainty::Likely);
        row("stopped in order", K::LockReleased, {E::Released}, "", C::LetGo, Certainty::Likely);
        row("the API server", K::LockExpired, {E::Expired, E::ManyLate}, "12", C::ApiServer, Certainty::Possible);
        row("a dead Pod beats the API server", K::LockExpired, {E::ManyLate, E::PodGone}, "12", C::PodDeleted, Certainty::Likely);
        row("not ready", K::LockExpired, {E::PodNotReady}, "", C::LeaderUnwell, Certainty::Possible);
        row("said to be well", K::LockExpired, {E::MemberState}, "running primary", C::FellSilent, Certainty::None);
        row("said to be unwell", K::LockExpired, {E::MemberState}, "crashed", C::LeaderUnwell, Certainty::Possible);
        row("asked for, fate not seen", K::Switchover, {E::Requested}, "", C::Requested, Certainty::Likely);
        row("by the history's word alone", K::Switchover, {}, "", C::Requested, Certainty::Possible);
        row("blind", K::LockExpired, {E::PodGone, E::BlindSpot}, "", C::PodDeleted, Certainty::Possible);
        row("first", K::Bootstrap, {}, "", C::FirstLeader, Certainty::Certain);
        row("late", K::ReTaken, {E::LateBefore}, "31", C::ReTaken, Certainty::Likely);
        row("not watched", K::Unknown, {E::BlindSpot}, "", C::NotWatched, Certainty::None);
    }

    void causes()
    {
        QFETCH(TransitionKind, kind);
        QFETCH(QList<int>, seen);
        QFETCH(QString, detail);
        QFETCH(CauseCode, cause);
        QFETCH(Certainty, sure);
        patroni::Transition t = made::transition(kind, "acme-2", "acme-1", 8, gained, 5s);
        for (const int c : seen)
            t.evidence.push_back(evidence(static_cast<EvidenceCode>(c), detail.toUtf8().constData()));
        const Cause found = likelyCause(t, nullptr);
        QCOMPARE(QString::fromUtf8(code(found.code).data()), QString::fromUtf8(code(cause).data()));
        QCOMPARE(QString::fromUtf8(code(found.certainty).data()), QString::fromUtf8(code(sure).data()));
        QCOMPARE(found.evidence.size(), t.evidence.size()); // all that was seen is told
        QVERIFY(!causeSentence(found, t).isEmpty() && !certaintySentence(found).isEmpty());
        if (found.blindSpot)
            QVERIFY(certaintySentence(found).contains(u"nobody looked"_s));
    }

    void whatComesAfterwardsIsNoCause()
    {
        patroni::Transition t = made::transition(TransitionKind::LockExpired, "acme-2", "acme-1", 8, gained, 5s);
        patroni::Evidence evicted{EvidenceCode::PodFailed, "acme-2", "Evicted", gained + 20s};
        t.evidence = {evidence(EvidenceCode::Expired, "30"), evicted};
        QVERIFY(cameAfter(evicted, t));
        QVERIFY(likelyCause(t, nullptr).code == CauseCode::FellSilent);
        QCOMPARE(likelyCause(t, nullptr).evidence.size(), t.evidence.size());
        t.evidence[1].at = gained - 20s;
        QVERIFY(likelyCause(t, nullptr).code == CauseCode::PodFailed);
        t.evidence[1] = {EvidenceCode::PodFailed, "acme-2", "NodeLost", gained + 40s}; // told late by nature
        QVERIFY(likelyCause(t, nullptr).code == CauseCode::PodFailed);
        t.evidence = {evicted};
        t.notAfter = t.gainedAt; // it happened while nobody looked
        t.gainedAt.reset();
        QVERIFY(cameAfter(evicted, t));
        Scene scene;
        scene.transition.evidence = {evicted};
        scene.transition.gainedAt = gained;
        QVERIFY(markdown(documentOf(scene.make())).contains(u"Afterwards: "_s));
    }

    void evidenceStandsInTheOrderOfTime()
    {
        Scene scene;
        scene.transition.evidence = {
            evidence(EvidenceCode::FailsafeMode, ""), evidence(EvidenceCode::ContainerTerminated, "Error 1", lost + 9s),
            evidence(EvidenceCode::ClusterEvent, "Unhealthy", lost + 1s), evidence(EvidenceCode::PodNotReady, "", lost + 4s)};
        const QString text = markdown(documentOf(scene.make()));
        qsizetype before = text.indexOf(u"Likely cause"_s);
        for (const QString &sentence : {u"Kubernetes said of"_s, u"was not ready"_s, u"A container of"_s, u"Failsafe mode was set up"_s}) {
            const qsizetype found = text.indexOf(sentence, before);
            QVERIFY2(found > before, qPrintable(sentence + u'\n' + text));
            before = found;
        }
        QVERIFY(scene.make().cause.evidence.front().code == EvidenceCode::ContainerTerminated); // the strongest, for programs
    }

    void absenceProvesNothing()
    {
        patroni::Transition t = made::transition(TransitionKind::LockExpired, "acme-2", "acme-1", 8, gained, 5s);
        t.evidence = {evidence(EvidenceCode::NotPermitted, "")};
        QVERIFY(certaintySentence(likelyCause(t, nullptr)).contains(u"says nothing"_s));
    }

    void whoAskedForIt()
    {
        Scene scene;
        scene.transition.kind = TransitionKind::Switchover;
        scene.transition.request = "uid-acme-failover:90500";
        scene.transition.evidence = {evidence(EvidenceCode::Requested, "")};
        patroni::RequestReport r = made::request("acme-2", "acme-1");
        r.outcome = patroni::Outcome::Done;
        r.seenWall = lost - 1s;
        scene.cluster.requests = {r};
        DossierAudit own;
        own.action = "switchover";
        own.osUser = "ada";
        own.kubeUser = "dba";
        own.summary = "switchover from acme-2 to acme-1";
        own.preflight = "fit; acme-1 fit";
        own.at = lost - 2s;
        own.result = "done";
        DossierAudit old = own;
        old.osUser = "bob";
        old.at = lost - 1h;
        DossierAudit other = own;
        other.action = "pause";
        other.osUser = "eve";
        other.at = lost - 1500ms;
        scene.audit = {other, own, old};
        const Dossier d = scene.make();
        QVERIFY(d.cause.code == CauseCode::Requested && d.cause.certainty == Certainty::Certain);
        QVERIFY(d.audit && d.audit->osUser == "ada");
        const QString page = markdown(documentOf(d));
        for (const QString &said : {u"| Written by | ada |"_s, u"| Preflight | fit; acme-1 fit |"_s, u"| What became of it |"_s})
            QVERIFY2(page.contains(said), qPrintable(page));
        QVERIFY(sequence(d).contains(u"59:58.120 ours write-intended"_s));
        scene.audit = {old};
        QVERIFY(!scene.make().audit);
        QVERIFY(markdown(documentOf(scene.make())).contains(u"who wrote it is not known"_s));
    }

    // Planted wherever the objects, events and quotes could carry them.
    void noSecretIsTold()
    {
        Scene scene;
        auto &before = scene.cluster.snapshots[1].annotations["config"];
        auto &after = scene.cluster.snapshots[4].annotations["config"];
        before = R"({"postgresql":{"parameters":{"a":"x"}}})";
        after =
            R"({"postgresql":{"parameters":{"primary_conninfo":"host=h password=PLANT01 user=u","archive_command":"push --key PLANT02",)"
            R"("note":"postgres://u:PLANT03@h/db","other":"Password = 'PLANT04 x'","ssl_passphrase_command":"echo PLANT05"},)"
            R"("authentication":{"replication":{"password":"PLANT06"},"rewind":{"password":{"deep":"PLANT07"}}}},)"
            R"("standby_cluster":{"restore_command":"get PLANT08"},"api_token":"PLANT09","list":["postgresql://u:PLANT10@h"],)"
            R"("client_secret":98765432109,"pg_hba":["host all all 0/0 md5 # passwd=PLANT11"]})";
        scene.cluster.snapshots[3].annotations["failsafe"] = R"({"acme-1":"https://u:PLANT12@10.0.0.1:8008/patroni"})";
        scene.transition.evidence.push_back(evidence(EvidenceCode::ClusterEvent, "BackOff: postgres://u:PLANT13@h password=PLANT14"));
        Event config = anEvent(EventCode::ConfigChanged, gained, scene.cluster.names.key);
        config.detail = {{"primary_conninfo", "PLANT15"}, {"new", "user=u password=PLANT16"}};
        scene.events.push_back(config);
        scene.transition.request = "uid-acme-failover:90500";
        patroni::RequestReport r = made::request("acme-2", "acme-1");
        r.seenWall = lost;
        scene.cluster.requests = {r};
        DossierAudit audit;
        audit.action = "switchover";
        audit.at = lost;
        audit.summary = "switchover";
        audit.body = R"({"metadata":{"annotations":{"x":"postgres://u:PLANT17@h"}}})";
        audit.preflight = "password=PLANT18";
        scene.audit = {audit};
        const Dossier d = scene.make();
        QVERIFY(!diff(d, "config").changes.empty());
        const Document document = documentOf(d);
        for (const QString &text : {markdown(document), html(document), htmlBody(document), QString::fromUtf8(json(d))}) {
            QVERIFY(!text.contains(u"PLANT"_s));
            QVERIFY(!text.contains(u"98765432109"_s));
        }
        QVERIFY(markdown(document).contains(u"client_secret"_s)); // that it changed is told
    }

    void markdownCannotBeBroken()
    {
        Scene scene;
        scene.notes = {{gained, "ada | *x*", "a\n```\n# not a heading\n<b>"}};
        scene.transition.to = "a|b\n# x <script>";
        const QString page = markdown(documentOf(scene.make()));
        for (const QString &line : page.split(u'\n'))
            QVERIFY2(!line.startsWith(u"# x"_s) && (!line.startsWith(u'|') || line.endsWith(u"|"_s)), qPrintable(line));
        QVERIFY(page.contains(u"````\na\n```\n# not a heading\n<b>\n````"_s));
        QVERIFY(page.contains(u"a\\|b\\\\x0a# x \\<script>"_s));
    }

    void htmlStandsAlone()
    {
        Scene scene;
        scene.notes = {{gained, "ada", "<script>alert(1)</script> & \"q\""}};
        scene.transition.to = "<img src=x>";
        const QString page = html(documentOf(scene.make()));
        QVERIFY(page.startsWith(u"<!DOCTYPE html>"_s));
        QVERIFY(page.contains(u"prefers-color-scheme:dark"_s));
        QVERIFY(page.contains(u"&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;q&quot;"_s));
        for (const QString &never :
             {u"<script"_s, u"<img"_s, u"<link"_s, u"src="_s, u"url("_s, u"@import"_s, u"http://"_s, u"https://"_s}) {
            QString rest = page;
            QVERIFY2(!rest.remove(u"&lt;img src=x&gt;"_s).contains(never), qPrintable(never));
        }
        QXmlStreamReader body(u"<div>"_s + htmlBody(documentOf(scene.make())) + u"</div>"_s); // every tag is closed
        while (!body.atEnd())
            body.readNext();
        QVERIFY2(!body.hasError(), qPrintable(body.errorString()));
    }

    void jsonHasCodes()
    {
        const QJsonObject all = QJsonDocument::fromJson(json(Scene().make())).object();
        QCOMPARE(all[u"transition"_s].toObject()[u"kind"_s].toString(), u"lock-expired"_s);
        QCOMPARE(all[u"transition"_s].toObject()[u"gained_at"_s].toString(), u"2031-02-01T13:00:31.402000Z"_s);
        QCOMPARE(all[u"cause"_s].toObject()[u"code"_s].toString(), u"out-of-memory"_s);
        QCOMPARE(all[u"cause"_s].toObject()[u"certainty"_s].toString(), u"likely"_s);
        QCOMPARE(all[u"objects"_s].toArray().size(), 4);
        QCOMPARE(all[u"sequence"_s].toArray().size(), 7);
        QVERIFY(all[u"request"_s].isNull());
        QCOMPARE(all[u"sequence"_s].toArray()[4].toObject()[u"member"_s].toString(), u"acme-1"_s);
    }

    void paths()
    {
        const auto found = patroni::jsonPaths(R"({"a":{"b":1.50,"c":["x",true]},"d":null,"e":{}})");
        QVERIFY(found.has_value());
        const std::map<std::string, std::string> expected{{"a.b", "1.5"}, {"a.c.0", "x"}, {"a.c.1", "true"}, {"d", "null"}, {"e", "{}"}};
        QCOMPARE(*found, expected);
        QVERIFY(!patroni::jsonPaths("{").has_value());
        QVERIFY(!patroni::jsonPaths("7").has_value());
        QVERIFY(!patroni::historyPaths("[1]").has_value());
        QVERIFY(patroni::jsonPaths("{}")->empty());
    }

    void nothingKnownIsADossierToo()
    {
        Scene scene;
        scene.transition = {};
        scene.cluster.snapshots.clear();
        const QString page = markdown(documentOf(scene.make()));
        QVERIFY(page.contains(u"a time that is not recorded"_s));
        QVERIFY(page.contains(u"Nothing with a time was seen of it"_s));
        QVERIFY(makeDossier({}).objects.empty());
    }
};

QTEST_GUILESS_MAIN(TestDossier)
#include "tst_dossier.moc"
